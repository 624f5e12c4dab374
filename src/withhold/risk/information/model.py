"""The risk that what a document says, looked up, leads to words that it does not say."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from withhold import plugins
from withhold.contracts import Archive, Remote
from withhold.errors import PolicyError
from withhold.risk.information import keywords
from withhold.risk.information.inferences import Detected, detect, padded, subsets, within
from withhold.risk.information.options import general_terms, with_options
from withhold.risk.information.sample import Sample, about
from withhold.risk.information.several import combined, related
from withhold.risk.information.terms import Terms
from withhold.risk.written import repeated
from withhold.text import marks
from withhold.types import Document, Evidence, Inferences, Risk, Secret

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Flags, Taxonomy
    from withhold.policy import Policy
    from withhold.spans import Span

    Integers = NDArray[np.int64]
    Reals = NDArray[np.float64]

_EVIDENCE = 200
_REMOTE_EVIDENCE = 10
"""Each costs a remote corpus three queries."""
_BESIDES = 3 * _REMOTE_EVIDENCE + 2
"""What is asked of a remote corpus besides: evidence, and how many documents there are and name the secret."""
_NAMED = 3
_COUNTED = 2000
"""Of so many terms at most, all pairs are counted to rank them."""
_SAID = 0.5
"""What a more general word is worth beside the one it replaces."""


class InformationRisk:
    """The share of queries that lead to the secret.

    All sets of a document's keywords are looked up: alone, by twos, and by threes if the policy wants that and as far
    as its budget goes. One tells if the secret's value, an alias or a related word stands in one of the best documents.
    The ceiling is 0 if none is given: nothing that was asked may tell.
    """

    def __init__(self, policy: Policy, corpus: Corpus | None = None) -> None:
        """The corpus is that of the policy, if none is given."""
        self.policy = policy
        self._given = corpus

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def with_corpus(self, corpus: Corpus) -> Self:
        """The same model with another corpus than that of the policy."""
        other = copy.copy(self)
        other._given = corpus
        return other

    def resolve(self, document: Document, secret: Secret) -> Secret:
        """The secret as it is: what must not be inferred cannot be guessed.

        Raises:
            PolicyError: if the policy does not say what it is.
        """
        if not topic(secret):
            raise PolicyError(f"secret {secret.name!r} needs a value: the word that must not be inferred")
        return secret

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        """What a reader could infer by looking up words of the document.

        Raises:
            PolicyError: if the secret has no value, or the ranking of the policy needs a corpus that can be read.
            CorpusError: if the corpus cannot be asked.
        """
        look = self.look(document, secret, source=source, written=written)
        asks = source is None and bool(len(look.found.sets))
        evidence = look.evidence(topic(secret))
        return replace(
            self.stated(look, secret),
            evidence=evidence,
            choices=self.choices(document, look, secret) if asks else None,
        )

    def look(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Look:
        """Everything that the risk is stated from: the words that were looked up, and which sets of them tell.

        Raises:
            PolicyError: if the secret has no value, or the ranking of the policy needs a corpus that can be read.
            CorpusError: if the corpus cannot be asked.
        """
        secret, corpus = self.resolve(document, secret), self._corpus(source or document)
        ignoring = [*written, *marks(self.policy.operators.mark, document.text)]
        terms = Terms.of(document.text, topic(secret), ignoring)
        considered, limit = self._affordable(corpus, terms)
        scores = self._scores(corpus, considered, secret)
        if isinstance(corpus, Archive):  # what tells by itself must not be passed over
            scores = np.where(self._alone(corpus, considered, secret), np.inf, scores)
        shown = considered.only(keywords.order(scores)[:limit])
        return Look(corpus, terms, shown, self._detect(corpus, shown.words, secret))

    def stated(self, look: Look, secret: Secret) -> Risk:
        """The risk in numbers and notes, without evidence and choices, which take longer to find."""
        level, notes = look.found.share, _notes(len(look.terms), len(look.shown), look.corpus, secret)
        return Risk(secret.name, secret.model, level, level, secret.ceiling or 0.0, notes=tuple(notes), measure="share")

    def _corpus(self, document: Document) -> Corpus:
        """The corpus as it is without the document itself."""
        corpus = self._given or plugins.corpus(self.policy, document)
        if self.policy.corpus.leave_out_copies and isinstance(corpus, Archive):
            return corpus.without(corpus.copies(document.text))
        return corpus

    def _affordable(self, corpus: Corpus, terms: Terms) -> tuple[Terms, int]:
        """The terms that are ranked, and how many of the best are looked up. On a search engine half of the budget is
        spent, so that there is enough left for looking again once a plan is made.
        """
        most = self.policy.inference.keywords
        if isinstance(corpus, Archive):
            return terms, most
        background = self.policy.corpus
        queries = max(background.budget // (1 + background.decoys) // 2 - _BESIDES, 3)
        # Two queries rank a term; n terms are looked up alone and by twos with n(n + 1)/2.
        ranked = keywords.order(terms.counts.astype(np.float64))[: max(queries // 6, 1)]
        return terms.only(ranked), min(most, int((4 * queries + 1) ** 0.5) // 2)

    def _scores(self, corpus: Corpus, terms: Terms, secret: Secret) -> Reals:
        inference = self.policy.inference
        if inference.ranking == "expected" and isinstance(corpus, Archive) and 1 < len(terms) <= _COUNTED:
            return keywords.counted(corpus, terms.words, topic(secret), depth=inference.depth, match=inference.match)
        if inference.ranking == "expected":
            options = {"depth": inference.depth, "size": inference.size}
            return keywords.expected(corpus, terms.words, topic(secret), match=inference.match, **options)
        if inference.ranking == "frequency":
            return terms.counts.astype(np.float64)
        if not isinstance(corpus, Archive):
            raise PolicyError(
                f"inference.ranking {inference.ranking!r} needs a corpus on this machine; `expected` works with any"
            )
        sample = Sample(corpus, about(corpus, topic(secret)), terms.words, secrets(secret))
        if inference.ranking == "tfidf":
            return keywords.tfidf(sample, terms.counts)
        return combined(sample, related(sample))

    def _alone(self, corpus: Corpus, terms: Terms, secret: Secret) -> Flags:
        """Which terms tell by themselves."""
        inference = self.policy.inference
        return corpus.tells([[word] for word in terms.words], topic(secret), inference.depth, inference.match)

    def _detect(self, corpus: Corpus, terms: Sequence[str], secret: Secret) -> Detected:
        inference = self.policy.inference
        asked = [subsets(len(terms), size) for size in range(1, min(inference.size, 2) + 1)]
        asked += [subsets(within(inference.triples, size, len(terms)), size) for size in range(3, inference.size + 1)]
        return detect(corpus, terms, topic(secret), padded(asked), depth=inference.depth, match=inference.match)

    def choices(self, document: Document, look: Look, secret: Secret) -> Inferences:
        """What a planner may decide: to keep a keyword, to write something more general, or to write neither."""
        corpus, shown, terms, found = look.corpus, look.shown, look.terms, look.found
        sets, general = found.sets, list[tuple[int, str]]()
        if self.policy.planning.generalise and isinstance(corpus, Archive):
            told = set(sets[sets >= 0].tolist())
            general = general_terms(corpus, shown, document.text, terms.words, self._taxonomies, told)
        if general:
            sets = with_options(general, shown.words, lambda words: self._detect(corpus, words, secret).sets)
        worth = shown.counts.astype(np.float64)
        choices = Inferences(
            spans=shown.spans,
            sets=sets,
            weights=np.full(len(sets), 1.0 / found.asked),
            worth=np.concatenate([worth, [_SAID * worth[term] for term, _ in general]]),
            general=tuple(general),
            added=True,
        )
        return settle(choices, repeated(self.policy, shown.words))

    @cached_property
    def _taxonomies(self) -> list[Taxonomy]:
        return plugins.taxonomies(self.policy)


@dataclass(frozen=True, eq=False, repr=False)
class Look:
    """What was found out about one document and one secret: all terms, those that were looked up, and what tells."""

    corpus: Corpus
    terms: Terms
    shown: Terms
    found: Detected

    def evidence(self, names: tuple[str, ...]) -> tuple[Evidence, ...]:
        """What tells, the surest first."""
        return _evidence(self.corpus, self.shown, names, self.found)


def topic(secret: Secret) -> tuple[str, ...]:
    """Every word or phrase that gives the secret away."""
    return (*secret.names, *secret.related)


def secrets(secret: Secret) -> tuple[tuple[str, ...], ...]:
    """The secret, under any of its names, and each related word."""
    return tuple(each for each in (secret.names, *((word,) for word in secret.related)) if each)


def settle(choices: Inferences, fixed: NDArray[np.bool_]) -> Inferences:
    """The choices where some terms stay whatever is decided, because a mark spells them out: what tells with them tells
    without, and a set of nothing else cannot be broken.
    """
    if not fixed.any():
        return choices
    stays = np.append(np.concatenate([fixed, np.zeros(len(choices.general), np.bool_)]), False)
    sets = np.where(stays[choices.sets], -1, choices.sets)
    breakable = (sets >= 0).any(axis=1)
    return replace(
        choices,
        sets=sets[breakable],
        weights=choices.weights[breakable],
        floor=choices.floor + float(choices.weights[~breakable].sum()),
    )


def _notes(all_: int, shown: int, corpus: Corpus, secret: Secret) -> list[str]:
    notes = []
    if shown < all_:
        notes.append(f"{shown} of {all_} words were looked up, the most telling first; the rest was not")
    if not corpus.count_all([[topic(secret)]], "document")[0]:
        notes.append("the secret stands in no document of the corpus: what the text tells of it cannot be known")
    return [*notes, *(corpus.notes() if isinstance(corpus, Remote) else ())]


def _evidence(corpus: Corpus, terms: Terms, names: tuple[str, ...], found: Detected) -> tuple[Evidence, ...]:
    """What tells, the surest first: of the documents that hold a set, the share that names the secret."""
    is_near = isinstance(corpus, Archive)
    rows = found.sets.tolist() if is_near else found.sets[:_REMOTE_EVIDENCE].tolist()
    sets = [[terms.words[number] for number in row if number >= 0] for row in rows]
    held = corpus.count_all(sets, "document")
    telling = corpus.count_all([[*each, names] for each in sets], "document")
    sure = telling / np.maximum(held, 1)
    best = np.lexsort((-telling, -sure))[:_EVIDENCE].tolist()
    documents = corpus.holding([[*sets[at], names] for at in best], _NAMED)
    return tuple(
        Evidence(
            tuple(span for number in rows[at] if number >= 0 for span in terms.spans[number]),
            float(sure[at]),
            f"{telling[at]} of {held[at]} documents with {'it' if len(sets[at]) == 1 else 'all of it'} name the secret",
            {"with the secret": int(telling[at]), "in all": int(held[at])},
            documents=documents[place],
        )
        for place, at in enumerate(best)
    )
