"""How much a span tells, and how much other words in its place would: what suggestions are measured by.

By association rules, words tell the secret alone, or by making other terms of the document more telling: the larger of
the confidence in the secret from them alone, and of the mean, over the other terms, of how much higher it is from both
than from that term alone (the guide value, by term). What the rest gives away is not held against them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix

from withhold.contracts import Archive
from withhold.learners.features import is_feature, words
from withhold.spans import Span
from withhold.types import Document

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.assistant.candidates import Candidate
    from withhold.contracts import Counts, RiskModel
    from withhold.risk.association import Rules, Shares
    from withhold.risk.concepts import Look
    from withhold.types import Risk, Secret

    Reals = NDArray[np.float64]


Measure = Literal["alone", "added", "left"]
"""What is measured: what words tell alone; what they tell alone or add to the rest, whichever is more; what the whole
document tells with them.
"""


class Gauge(Protocol):
    """Measures with one risk model what a document tells of one secret."""

    @property
    def measure(self) -> Measure: ...

    def before(self, span: Span) -> float:
        """How much what stands there tells."""

    def after(self, candidates: Sequence[Candidate]) -> list[float]:
        """How much each of them would tell."""


_PLAIN = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w-])")


@dataclass(frozen=True, eq=False, repr=False)
class Associations:
    """By association rules: what the terms of a span, or the words of a candidate, add to what the document tells.
    Plain words that stand elsewhere in the document as well add nothing.
    """

    measure: ClassVar[Measure] = "added"
    rules: Rules
    text: str

    @cached_property
    def _single(self) -> Reals:
        return self.rules.single

    @cached_property
    def _paired(self) -> Reals:
        return self.rules.paired

    def before(self, span: Span) -> float:
        own = self._within(span)
        numbers = np.array(sorted(own), np.int64)
        if not len(numbers):
            return 0.0
        paired = numbers[numbers < len(self._paired)]
        added = self._added(self.rules.pairs.held[paired], self._paired[paired], own)
        return float(max(self._single[numbers].max(), *added.tolist(), 0.0))

    def after(self, candidates: Sequence[Candidate]) -> list[float]:
        span = candidates[0].span
        here = {word for part in (self.text[: span.start], self.text[span.end :]) for word in _PLAIN.findall(part)}
        several = [[term for term in terms(each.text) if term not in here] for each in candidates]
        texts = list(dict.fromkeys(text for each in several for text in each))
        if not texts:
            return [0.0] * len(candidates)
        alone, pairs = self._weigh(texts)
        single, paired = alone.confidence(self.rules.base), pairs.confidence(self.rules.base)
        telling = np.maximum(single, self._added(pairs.held, paired, self._within(span)))
        at = {text: number for number, text in enumerate(texts)}
        return [max((float(telling[at[text]]) for text in each), default=0.0) for each in several]

    def _weigh(self, texts: Sequence[str]) -> tuple[Shares, Shares]:
        """The counts of texts alone, and of each (row) with each of the paired terms (column): where the corpus can be
        read, by a product of who holds what, which is much quicker than to count pair by pair.
        """
        from withhold.risk.association import Shares

        if self._holding is None:
            alone, pairs = self.rules.weigh(texts)
            size = len(self._paired)
            return alone, Shares(pairs.held[:, :size], pairs.told[:, :size])
        terms, topic, corpus = self._holding
        held = csr_matrix(corpus.occurrences(texts, "document").T > 0, dtype=np.int64)
        told = csr_matrix(held.multiply(topic))
        sums = [np.asarray(each.sum(axis=1)).ravel() for each in (held, told)]
        return Shares(sums[0], sums[1]), Shares((held @ terms).toarray(), (told @ terms).toarray())

    @cached_property
    def _holding(self) -> tuple[csc_matrix, NDArray[np.int64], Archive] | None:
        """Which documents hold which of the paired terms, and which name the secret; None if the corpus is remote."""
        rules = self.rules
        if not isinstance(rules.corpus, Archive):
            return None
        terms = rules.corpus.occurrences(rules.wanted[: len(self._paired)], "document")
        topic = rules.corpus.occurrences([rules.topic], "document").toarray().ravel() > 0
        return csc_matrix(terms > 0, dtype=np.int64), topic.astype(np.int64)[None, :], rules.corpus

    def _added(self, held: Counts, paired: Reals, own: set[int]) -> Reals:
        """By how much terms (rows) raise, on average, what each other term of the document tells alone; where no
        document has both, by nothing.
        """
        others = [number for number in range(len(self._paired)) if number not in own]
        if not others:
            return np.zeros(len(paired))
        more = np.where(held[:, others] > 0, paired[:, others] - self._single[others], 0.0)
        return np.asarray(np.maximum(more.mean(axis=1), 0.0), np.float64)

    def _within(self, span: Span) -> set[int]:
        """The terms that the span has a part of."""
        return {
            number
            for number, term in enumerate(self.rules.terms)
            if any(each.start < span.end and span.start < each.end for each in term.spans)
        }


def terms(text: str) -> list[str]:
    """What of a text can be looked up: its words of weight, and all of it as a phrase."""
    read = words(text)
    single = [word for word in read if is_feature(word)]
    phrase = [" ".join(read)] if 1 < len(read) <= 5 and len(single) > 1 else []
    return list(dict.fromkeys([*single, *phrase]))


@dataclass(frozen=True, eq=False, repr=False)
class Likelihoods:
    """By a concept model: how likely the true class is to a reader who has nothing but these words. Words that the
    model has never met tell nothing that it knows of.
    """

    measure: ClassVar[Measure] = "alone"
    look: Look
    text: str

    def before(self, span: Span) -> float:
        return self._likely([span.of(self.text)])[0]

    def after(self, candidates: Sequence[Candidate]) -> list[float]:
        return self._likely([each.text for each in candidates])

    def _likely(self, texts: Sequence[str]) -> list[float]:
        look, reading = self.look, self.look.reading
        known = reading.model.vocabulary
        several = [reading.model.features.counts(text) for text in texts]
        terms = list(dict.fromkeys(term for each in several for term in each if term in known))
        times = np.array([[each.get(term, 0) for term in terms] for each in several], np.float64)
        weights = reading.weights(look.attribute, terms) if terms else np.zeros((len(reading.bias(look.attribute)), 0))
        scores = reading.bias(look.attribute)[:, None] + weights @ times.reshape(len(texts), len(terms)).T
        powers = np.exp(scores - scores.max(axis=0))
        likely: list[float] = (powers[look.true] / powers.sum(axis=0)).tolist()
        return likely


@dataclass(frozen=True, eq=False, repr=False)
class Reassessment:
    """By any risk model: the document is assessed again as it would be."""

    measure: ClassVar[Measure] = "left"
    model: RiskModel
    document: Document
    secret: Secret

    @cached_property
    def risk(self) -> Risk:
        return self.model.assess(self.document, self.secret)

    def before(self, span: Span) -> float:
        """The risk of the document, since what the span has of it cannot be told apart."""
        return self.risk.after

    def after(self, candidates: Sequence[Candidate]) -> list[float]:
        return [self._again(candidate) for candidate in candidates]

    def _again(self, candidate: Candidate) -> float:
        text = self.document.text
        edited = text[: candidate.span.start] + candidate.text + text[candidate.span.end :]
        again = replace(self.document, text=edited, native=edited.encode("utf-8", "surrogatepass"), blocks=())
        return self.model.assess(again, self.secret, source=self.document).after


def gauge(model: RiskModel, document: Document, secret: Secret) -> Gauge:
    """The quickest gauge that the model allows."""
    from withhold.risk.association import AssociationRisk
    from withhold.risk.concepts import ConceptRisk

    if isinstance(model, AssociationRisk):
        return Associations(model.rules(document, secret), document.text)
    if isinstance(model, ConceptRisk):
        return Likelihoods(model.look(document, secret), document.text)
    return Reassessment(model, document, secret)
