"""What the terms of a text tell of one secret, alone and by twos, as numbers from 0 to 1: one form for all risk models.

By association rules it is the confidence of the rule. By a concept model it is how likely the true class is to a reader
who has nothing but the term, as often as it stands there. By identity it is one over the number of people of whom as
much is known. By information it is the share of documents that name the secret, of sets that lead to it. Of these
models, the two that rank give everything some share of the whole, so that what a term tells beside another is what it
adds to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.assistant.desk.places import term_of
from withhold.assistant.guide import guide_values
from withhold.risk.association import AssociationRisk
from withhold.risk.concepts import ConceptRisk
from withhold.risk.identity import IdentityRisk
from withhold.risk.information.model import InformationRisk, topic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import RiskModel
    from withhold.risk.association.model import Copied
    from withhold.spans import Span
    from withhold.types import Document, Evidence, Risk, Secret, Standing

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

PAIRED = 300
"""Of a concept model, so many terms are looked at by twos: those that speak loudest for the true class."""
_FAR = 150.0
"""Log odds beyond this make no difference, and their powers are still numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """A risk, and what terms tell: each alone, and the first of them in pairs. `beside` is what a term (row) is taken
    to tell beside another, if that is not what the pair tells; `known` says of which anything is known, `links` which
    pairs describe each other.
    """

    risk: Risk
    terms: Sequence[str]
    alone: Reals
    paired: Reals
    known: Flags
    reason: Callable[[int], str] = field(default=lambda number: "")
    towards: Callable[[int], str | None] = field(default=lambda number: None)
    evidence: Callable[[], Sequence[Evidence]] = field(default=tuple)
    links: tuple[tuple[int, int], ...] = ()
    copied: tuple[Copied, ...] = ()
    standings: tuple[Standing, ...] = ()
    beside: Reals | None = None

    @cached_property
    def _beside(self) -> Reals:
        """What terms tell beside others, a term with itself left out."""
        beside = (self.paired if self.beside is None else self.beside).copy()
        np.fill_diagonal(beside, -1.0)
        return beside

    @cached_property
    def highest(self) -> Reals:
        """What each term tells alone or with the one beside which it tells most."""
        highest = self.alone.copy()
        if len(self._beside):
            highest[: len(self._beside)] = np.maximum(highest[: len(self._beside)], self._beside.max(axis=1))
        return highest

    @cached_property
    def partner(self) -> Integers:
        """The number of that other term; -1 if there is none."""
        partner = np.full(len(self.alone), -1, np.int64)
        size = len(self._beside)
        if size:
            more = self._beside.max(axis=1) > self.alone[:size]
            partner[:size] = np.where(more, self._beside.argmax(axis=1), -1)
        return partner

    def together(self, number: int) -> float:
        """What a term tells with its partner, or alone if it has none."""
        other = int(self.partner[number])
        return float(self.paired[number, other] if other >= 0 else self.alone[number])

    @property
    def raises(self) -> Reals:
        """How much more telling each of the paired terms makes the others, on average: the guide value, by term."""
        size = len(self.paired)
        return guide_values(self.alone, self.paired) / max(size, 1)

    def partners(self, number: int, most: int) -> list[int]:
        """The terms with which one tells more than alone, the best first."""
        if number >= len(self._beside):
            return []
        row = self._beside[number]
        order = np.argsort(-row, kind="stable")[:most]
        return [int(other) for other in order if row[other] > self.alone[number]]

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.terms)}


def view(
    model: RiskModel,
    document: Document,
    secret: Secret,
    *,
    source: Document | None = None,
    written: Sequence[Span] = (),
) -> View:
    """A text as a risk model sees it; of one that is edited, `source` is the one it was made from."""
    if isinstance(model, AssociationRisk):
        return _associations(model, document, secret, source, written)
    if isinstance(model, ConceptRisk):
        return _concepts(model, document, secret, source, written)
    if isinstance(model, IdentityRisk):
        return _people(model, document, secret, source, written)
    if isinstance(model, InformationRisk):
        return _information(model, document, secret, source, written)
    return _evidence(model, document, secret, source, written)


def _associations(
    model: AssociationRisk, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]
) -> View:
    look = model.look(document, secret, source=source, written=written)
    rules = look.rules

    def reason(number: int) -> str:
        held, told = int(rules.alone.held[number]), int(rules.alone.told[number])
        if not held:
            return "no document has it: what it tells is not known"
        return f"the secret is in {told} of the {held} documents that have it"

    return View(
        model.stated(look, secret),
        [term.text for term in rules.terms],
        rules.single,
        rules.paired,
        ~rules.alone.unknown,
        reason,
        evidence=lambda: tuple(look.evidence()),
        links=rules.links,
        copied=look.copied,
    )


def _concepts(
    model: ConceptRisk, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]
) -> View:
    look = model.look(document, secret, source=source, written=written)
    reading, true = look.reading, look.true
    weights, bias = reading.weights(look.attribute) * reading.counts, reading.bias(look.attribute)
    odds = np.exp(np.clip(weights - weights[true], -_FAR, _FAR))  # of each class against the true one
    prior = np.exp(np.clip(bias - bias[true], -_FAR, _FAR))
    alone = 1.0 / (prior @ odds) if len(reading.terms) else np.zeros(0)
    order = np.argsort(-alone, kind="stable")
    first = odds[:, order[:PAIRED]]
    paired = 1.0 / ((first.T * prior) @ first)
    counts, known = reading.counts[order], reading.columns[order] >= 0
    against = weights - np.exp(reading.prior(look.attribute)) @ weights
    classes, speaks = reading.bayes(look.attribute).classes, against[:, order].argmax(axis=0)
    np.fill_diagonal(paired, alone[order[: len(paired)]])

    def reason(number: int) -> str:
        if not known[number]:
            return "the model has never met it: what it tells is not known"
        times = "once" if counts[number] == 1 else f"{int(counts[number])} times"
        return f"to a reader who sees only this, {times}, the true class is {alone[order[number]]:.0%} likely"

    return View(
        model.stated(look, secret),
        [reading.terms[number] for number in order.tolist()],
        alone[order],
        paired,
        known,
        reason,
        lambda number: classes[int(speaks[number])],
        look.evidence,
        standings=tuple(look.standings(len(classes))),
        beside=_added(paired, alone[order]),
    )


def _people(
    model: IdentityRisk, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]
) -> View:
    look = model.look(document, secret, source=source, written=written)
    risk, weighing = model.stated(look, secret), look.weighing
    if weighing is None:
        return View(risk, [], np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.bool_))
    terms, profiles, columns = weighing.words.terms, weighing.all, weighing.columns
    own = profiles.times[[weighing.people.true]].toarray()[0, columns] > 0
    met = profiles.met[columns]
    alone = np.where(own, 1.0 / np.maximum(met, 1.0), 0.0)
    order = np.argsort(-alone, kind="stable")
    there = profiles.columns[:, columns[order[: min(PAIRED, int(own.sum()))]]]
    both = (there.T @ there).toarray()
    people = met[order]

    def reason(number: int) -> str:
        several = "nobody" if people[number] == 0 else f"{int(people[number]):,} people"
        besides = ", the person too" if own[order[number]] else "" if people[number] == 0 else ", not the person"
        return f"stands in what is known of {several}{besides}"

    texts, paired = [terms[number] for number in order.tolist()], 1.0 / np.maximum(both, 1.0)
    added = _added(paired, alone[order])
    return View(risk, texts, alone[order], paired, people > 0, reason, evidence=look.evidence, beside=added)


def _added(paired: Reals, alone: Reals) -> Reals:
    """What each term adds to what others tell alone: beside one that tells much, any other would seem to do so too."""
    return np.asarray(np.maximum(paired - alone[: len(paired)][None, :], 0.0), np.float64)


def _information(
    model: InformationRisk, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]
) -> View:
    look = model.look(document, secret, source=source, written=written)
    shown = [*look.shown.words]
    looked = set(shown)
    terms = [*shown, *(word for word in look.terms.words if word not in looked)]
    sets = look.found.sets[(look.found.sets >= 0).sum(axis=1) <= 2][:, :2] if len(look.found.sets) else look.found.sets
    rows = [[shown[number] for number in row if number >= 0] for row in sets.tolist()]
    held = look.corpus.count_all(rows, "document") if rows else np.zeros(0, np.int64)
    told = look.corpus.count_all([[*row, topic(secret)] for row in rows], "document") if rows else held
    alone, paired = np.zeros(len(terms)), np.zeros((len(shown), len(shown)))
    for row, share in zip(sets.tolist(), (told / np.maximum(held, 1)).tolist(), strict=True):
        one, other = row[0], row[-1] if len(row) > 1 and row[-1] >= 0 else row[0]
        paired[one, other] = paired[other, one] = share
    alone[: len(shown)] = np.diagonal(paired)

    def reason(number: int) -> str:
        if number >= len(shown):
            return "it was not looked up: others are likelier to tell"
        if alone[number]:
            return f"looked up, it leads to the secret, which {alone[number]:.0%} of the documents with it name"
        return "looked up by itself, it does not lead to the secret"

    known = np.arange(len(terms)) < len(shown)
    names = topic(secret)
    return View(model.stated(look, secret), terms, alone, paired, known, reason, evidence=lambda: look.evidence(names))


def _evidence(
    model: RiskModel, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]
) -> View:
    """By the evidence that any model gives."""
    risk = model.assess(document, secret, source=source, written=written)
    found: dict[str, tuple[float, str]] = {}
    for each in risk.evidence:
        for span in each.spans:
            found.setdefault(term_of(span.of(document.text)), (min(max(each.weight, 0.0), 1.0), each.reason))
    found.pop("", None)
    terms, told = list(found), list(found.values())
    alone = np.array([weight for weight, _ in told], np.float64)
    known = np.ones(len(terms), np.bool_)
    return View(
        risk, terms, alone, np.zeros((0, 0)), known, lambda number: told[number][1], evidence=lambda: risk.evidence
    )
