"""The risk that a reader who looks up the words of a text finds whom it is about."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Self

import numpy as np

from withhold import plugins
from withhold.contracts import Archive
from withhold.errors import CorpusError, PolicyError
from withhold.learners.features import words
from withhold.risk.identity.choices import USUAL, Weighing, Words, make_choices
from withhold.risk.identity.people import People, key
from withhold.risk.information.options import general_terms
from withhold.risk.information.terms import Terms
from withhold.risk.written import repeated, settle
from withhold.text import marks
from withhold.types import Choices, Document, Evidence, Risk, Secret

if TYPE_CHECKING:
    from withhold.contracts import Taxonomy
    from withhold.policy import Policy
    from withhold.spans import Span

_EVIDENCE = 200
_CARRIERS = 3


class IdentityRisk:
    """The risk that a reader finds the person a document is about: one over their rank among all people of the corpus.

    The documents of the corpus that have the same title are about the same person. With k people asked for, the ceiling
    is 1/k: the person must not be among the first k - 1 whom a reader finds who looks the words up that are left.
    Documents of the corpus that are copies of the text are left out if the policy wants that. Where no document that is
    left is about the person the risk is 1, whatever is done: what is not known cannot be judged.
    """

    def __init__(self, policy: Policy, corpus: Archive | None = None) -> None:
        self.policy = policy
        self._given = corpus
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[People | None, bool]] | None = None
        self._weighed: dict[tuple[str, ...], Weighing] | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def with_corpus(self, corpus: Archive) -> Self:
        """The same model with another corpus than that of the policy."""
        other = copy.copy(self)
        other._given = corpus
        return other

    def remembering(self) -> Self:
        """The same model, which keeps whom it knows and what it has made of a document: for one, edit after edit."""
        other = copy.copy(self)
        other._known, other._weighed = {}, {}
        return other

    def resolve(self, document: Document, secret: Secret) -> Secret:
        """The secret as it is: whom a document is about cannot be guessed.

        Raises:
            PolicyError: if the policy does not say who it is.
        """
        if not any(words(name) for name in secret.names):
            raise PolicyError(f"secret {secret.name!r} needs `person`: the name of whom nobody may find")
        return secret

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        """Who a reader could find. Of a redacted document, `source` is the one it was made from, and `written` is where
        marks stand in it, which are no words.

        Raises:
            PolicyError: if the policy does not say who it is.
            CorpusError: if the corpus cannot be opened, or cannot be read as a whole.
        """
        look = self.look(document, secret, source=source, written=written)
        risk = self.stated(look, secret)
        if look.weighing is None:
            return risk
        tells = source is None and look.weighing.tells
        choices = self.choices(document, look) if tells else None
        return replace(risk, evidence=look.evidence(), choices=choices)

    def look(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Look:
        """Everything that the risk is stated from: the people of the corpus, and what the words say for each.

        Raises:
            PolicyError: if the policy does not say who it is.
            CorpusError: if the corpus cannot be opened, or cannot be read as a whole.
        """
        secret = self.resolve(document, secret)
        corpus, copies = self._corpus, list[str]()
        if self.policy.corpus.leave_out_copies:
            copies = corpus.copies((source or document).text)
            corpus = corpus.without(copies) if copies else corpus
        read = Words.of(document.text, [*written, *marks(self.policy.operators.mark, document.text)])
        people, about = self._people(secret, corpus, copies)
        notes = (*_copied(len(copies)), *_unjudged(people, about))
        if people is None:
            return Look(secret, None, (), notes, source is not None)
        general = self._general(people, read, document.text) if source is None else []
        before = self._weighed.get(secret.names) if self._weighed is not None and source is not None else None
        weighing = Weighing(people, read, _named(secret), [text for _, text in general], before)
        if self._weighed is not None and not written and source is None:
            self._weighed[secret.names] = weighing
        return Look(secret, weighing, tuple(general), notes, source is not None)

    def _people(self, secret: Secret, corpus: Archive, copies: Sequence[str]) -> tuple[People | None, bool]:
        """The people of the corpus, and whether a copy that it is without is about the person."""
        key = secret.names, tuple(copies)
        if self._known is None:
            return People.of(corpus, secret.names, copies), _are_about(secret, corpus, copies)
        if key not in self._known:
            self._known[key] = People.of(corpus, secret.names, copies), _are_about(secret, corpus, copies)
        return self._known[key]

    def stated(self, look: Look, secret: Secret) -> Risk:
        """The risk in numbers and notes, without evidence and choices, which take longer to find."""
        weighing, ceiling = look.weighing, 1.0 / (secret.confusers + 1)
        notes = look.notes if weighing is None else (*look.notes, *_notes(weighing, secret, look.redacted))
        level = 1.0 / weighing.rank if weighing is not None and weighing.people.titled else 1.0
        return Risk(secret.name, secret.model, level, level, ceiling, notes=notes)

    @property
    def _corpus(self) -> Archive:
        corpus = self._given or plugins.corpus(self.policy)
        if not isinstance(corpus, Archive):
            raise CorpusError(
                "a person can only be hidden among people whose documents are at hand: name an index (`withhold corpus "
                "build` makes one) in the table [corpus] of the policy, not a search engine"
            )
        return corpus

    def choices(self, document: Document, look: Look) -> Choices:
        """What a planner may decide about a text that tells something."""
        planning, weighing = self.policy.planning, look.weighing
        assert weighing is not None
        choices = make_choices(
            weighing,
            look.secret.confusers,
            release=planning.aim == "release",
            general=look.general,
            floor=0.0 if weighing.people.titled else 1.0,
            seed=int.from_bytes(blake2b(f"{planning.seed} {document.reading}".encode(), digest_size=8).digest()),
        )
        return settle(choices, repeated(self.policy, weighing.words.terms))

    def _general(self, people: People, read: Words, text: str) -> list[tuple[int, str]]:
        if not self.policy.planning.generalise:
            return []
        terms = Terms(tuple(read.terms), tuple(map(tuple, read.spans.values())))
        return general_terms(people.corpus, terms, text, read.counts, self._taxonomies)

    @cached_property
    def _taxonomies(self) -> list[Taxonomy]:
        return plugins.taxonomies(self.policy)


@dataclass(frozen=True, eq=False, repr=False)
class Look:
    """What was found out about one document and one person; no `weighing` if the corpus knows nobody of that name."""

    secret: Secret
    weighing: Weighing | None
    general: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]
    redacted: bool

    def evidence(self) -> tuple[Evidence, ...]:
        """The words that speak for the person, loudest first."""
        return () if self.weighing is None else tuple(_evidence(self.weighing))


def _named(secret: Secret) -> set[str]:
    return {word for name in secret.names for word in words(name)}


def _copied(count: int) -> Iterator[str]:
    if count:
        several = "1 document is a copy" if count == 1 else f"{count} documents are copies"
        yield f"{several} of the text, and left out of what a reader knows: what nothing else tells is not judged"


def _are_about(secret: Secret, corpus: Archive, copies: Sequence[str]) -> bool:
    """Whether any of the copies is about the person."""
    wanted, some = {key(name) for name in secret.names}, set(copies)
    return any(
        name in some and key(title) in wanted for name, title in zip(corpus.names(), corpus.titles(), strict=True)
    )


def _unjudged(people: People | None, copied: bool) -> Iterator[str]:
    """Why nothing can be promised, if so, and what to do about it."""
    if people is not None and people.titled:
        return
    but = " but copies of the text" if copied else ""
    mentioned = ", though some have that name in them" if people is not None else ""
    whole = ", or set corpus.leave_out_copies = false" if copied else ""
    yield (
        f"the corpus has no document about the person{but}{mentioned}. What is not known cannot be judged, so the risk "
        f"stays: add other documents, with the person's name as their title{whole}"
    )


def _evidence(weighing: Weighing) -> Iterator[Evidence]:
    """The words that speak for the person, loudest first, with how often their documents have them."""
    profiles, true, terms = weighing.all, weighing.people.true, weighing.words.terms
    everybody, columns = np.flatnonzero(profiles.known), weighing.columns
    weight = profiles.matched(np.array([true]), *USUAL)[0, columns]
    mean = np.asarray(profiles.times.sum(axis=0)).ravel()[columns] / max(len(everybody), 1)
    own, met = profiles.times[[true]].toarray()[0, columns], profiles.met[columns]
    told = weight * [weighing.words.counts[term] for term in terms] * (own > mean)
    documents = tuple(weighing.people.documents[:_CARRIERS])
    for at in np.argsort(-told, kind="stable")[:_EVIDENCE].tolist():
        if told[at] <= 0:
            return
        people = int(met[at])
        reason = "stands in what is known of " + (
            "nobody else" if people == 1 else f"{people:,} people, the person too"
        )
        counts = {"of the person": int(own[at]), "people": people}
        yield Evidence(tuple(weighing.words.spans[terms[at]]), float(told[at]), reason, counts, documents)


def _notes(weighing: Weighing, secret: Secret, redacted: bool) -> Iterator[str]:
    """What a person should know that no plan can mend."""
    people = int(np.count_nonzero(weighing.all.known))
    alone = weighing.people.alike()
    few = people if alone is None else int(np.count_nonzero(alone.membership @ alone.corpus.lengths() > 0))
    asked = secret.confusers + 1
    if people < asked:
        yield f"the corpus knows {people:,} people, and {asked:,} are asked for: nobody can be hidden among so many"
    elif few < asked:
        yield (
            f"the corpus knows {people:,} people, but the source that tells most of the person {few:,}, and {asked:,} "
            "are asked for: from a reader who has nothing else they are not hidden among so many"
        )
    unknown = int(np.count_nonzero(weighing.all.met[weighing.columns] == 0))
    if unknown and not redacted:
        yield f"{unknown} of the {len(weighing.words.terms)} words stand in no document: look at them, names above all"
