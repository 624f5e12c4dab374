"""One document as a concept model reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.naive_bayes import NaiveBayes, Without
from withhold.spans import Span, union

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.learners.concepts import Concepts

    Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """The terms of a text, and what the model knows of them when it has not learnt from `source`.

    `source` is the text itself, or the one it was made from: if the model has learnt it, its counts are taken out, so
    that the model is that of a reader who has everything but this document. Without `priors`, no class is likelier
    than another to begin with.
    """

    model: Concepts
    terms: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    source: Mapping[str, int]
    learnt: Mapping[str, tuple[str, ...]]
    priors: bool = True
    whole: tuple[Reading, NDArray[np.int64]] | None = None
    """Of which reading this is a part, and the numbers that its terms have there."""

    @classmethod
    def of(
        cls,
        model: Concepts,
        text: str,
        *,
        source: str | None = None,
        ignoring: Sequence[Span] = (),
        priors: bool = True,
    ) -> Reading:
        """Read a text, but not what lies in the spans to ignore. Words the model does not know are terms too, if it
        goes by all it has met; else they are left out.
        """
        found = model.features.occurrences(text)
        if model.limit is not None:
            found = {term: spans for term, spans in found.items() if term in model.vocabulary}
        origin = text if source is None else source
        learnt = model.remembers(origin) or {}
        counted = model.features.counts(origin) if learnt else {}
        return cls(model, tuple(found), tuple(map(tuple, found.values())), counted, learnt, priors).passing(ignoring)

    def passing(self, ignoring: Sequence[Span]) -> Reading:
        """The same without what lies in the spans to ignore."""
        if not ignoring:
            return self
        passed = union(ignoring)
        starts, ends = (np.array([getattr(each, name) for each in passed], np.int64) for name in ("start", "end"))
        at = np.searchsorted(starts, self._places[1])
        gone = (at > 0) & (ends[np.maximum(at, 1) - 1] > self._places[0])
        changed = set(self._of[gone].tolist())
        spans = [
            each if number not in changed else tuple(span for span in each if not touches(span, passed))
            for number, each in enumerate(self.spans)
        ]
        chosen = np.array([number for number, each in enumerate(spans) if each], np.int64)
        left = chosen.tolist()
        terms, places = tuple(self.terms[n] for n in left), tuple(spans[n] for n in left)
        return Reading(self.model, terms, places, self.source, self.learnt, self.priors, (self, chosen))

    @cached_property
    def _of(self) -> NDArray[np.int64]:
        """The term of each occurrence."""
        return np.repeat(np.arange(len(self.spans)), [len(each) for each in self.spans])

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """Where each occurrence starts, and where it ends."""
        flat = [(span.start, span.end) for each in self.spans for span in each]
        return np.array(flat, np.int64).reshape(-1, 2).T

    @cached_property
    def _weights(self) -> dict[str, Reals]:
        return {}

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        return self.model.columns(self.terms)

    @cached_property
    def counts(self) -> Reals:
        counts = np.array([len(spans) for spans in self.spans], np.float64)
        return np.minimum(counts, 1.0) if self.model.features.binary else counts

    def bayes(self, attribute: str) -> NaiveBayes:
        return self.model.attributes[attribute]

    def without(self, attribute: str, terms: Sequence[str]) -> Without | None:
        """What to take out for these terms: nothing if the model has not learnt the source."""
        classes = self.learnt.get(attribute, ())
        if not classes:
            return None
        names = self.bayes(attribute).classes
        total = sum(count for term, count in self.source.items() if term in self.model.vocabulary)
        counts = np.array([self.source.get(term, 0) for term in terms], np.float64)
        return Without([names.index(name) for name in classes], counts, float(total))

    def weights(self, attribute: str, terms: Sequence[str] | None = None) -> Reals:
        """What one occurrence of each term (the text's own, if none are given) says for each class."""
        if terms is not None:
            return self.bayes(attribute).weights(self.model.columns(terms), self.without(attribute, terms))
        if attribute not in self._weights:
            self._weights[attribute] = self._own_weights(attribute)
        return self._weights[attribute]

    def _own_weights(self, attribute: str) -> Reals:
        if self.whole is not None:
            whole, chosen = self.whole
            return np.ascontiguousarray(whole.weights(attribute)[:, chosen])
        return self.bayes(attribute).weights(self.columns, self.without(attribute, self.terms))

    def prior(self, attribute: str) -> Reals:
        """How likely each class is before a word is read, as a logarithm."""
        return self.bayes(attribute).prior(self.without(attribute, ()))

    def bias(self, attribute: str) -> Reals:
        """What each class scores before a word is read."""
        prior = self.prior(attribute)
        return prior if self.priors else np.zeros(len(prior))

    def scores(self, attribute: str) -> Reals:
        """The joint log-likelihood of each class."""
        scores: Reals = self.weights(attribute) @ self.counts + self.bias(attribute)
        return scores


def touches(span: Span, others: Sequence[Span]) -> bool:
    """Whether a span shares a character with a set of spans."""
    at = bisect_left(others, span.end, key=attrgetter("start"))
    return at > 0 and others[at - 1].end > span.start
