"""What to look at first: the terms that make others telling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from withhold.codec import Value
from withhold.spans import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import RiskModel
    from withhold.risk.association import Rules
    from withhold.types import Document, Secret

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

_NOTABLE = 0.05


@dataclass(frozen=True, slots=True)
class Advice(Value):
    """A term to look at: where it stands, its guide value, and why. `alone` and `together` are how sure the secret is
    from it alone and with the term that it tells most with, whose spans are `partner`.
    """

    term: str = field(repr=False)
    spans: tuple[Span, ...]
    value: float
    alone: float
    together: float
    partner: tuple[Span, ...]
    reason: str


def guide_values(single: Reals, paired: Reals) -> Reals:
    """How much more telling each term makes the others: the sum, over the other terms, of the confidence of the two
    together less that of the other one alone.
    """
    size = len(paired)
    more = paired - single[:size][None, :]
    np.fill_diagonal(more, 0.0)
    return np.asarray(more.sum(axis=1), np.float64)


def guide_order(single: Reals, paired: Reals) -> Integers:
    """The terms that are paired, the one to look at first first; of equal ones the one that tells more alone."""
    return np.lexsort((-single[: len(paired)], -guide_values(single, paired)))


def guide(rules: Rules, most: int | None = None) -> list[Advice]:
    """The terms of a document in the order in which to look at them, each place once: words of a name that was looked
    at already are left out.
    """
    single, paired = rules.single, rules.paired
    values = guide_values(single, paired)
    found: list[Advice] = []
    seen: set[Span] = set()
    for number in guide_order(single, paired).tolist():
        term = rules.terms[number]
        if seen.issuperset(term.spans) or (values[number] <= 0 and single[number] <= rules.base):
            continue
        seen.update(term.spans)
        found.append(_advice(rules, number, float(values[number]), single, paired))
        if len(found) == most:
            break
    return found


def advise(model: RiskModel, document: Document, secret: Secret, most: int | None = None) -> list[Advice]:
    """What to look at first, by any risk model: by association rules the guide, by others their evidence."""
    from withhold.risk.association import AssociationRisk

    if isinstance(model, AssociationRisk):
        return guide(model.rules(document, secret), most)
    evidence = model.assess(document, secret).evidence
    found = [
        Advice(each.spans[0].of(document.text), each.spans, each.weight, each.weight, each.weight, (), each.reason)
        for each in evidence
        if each.spans
    ]
    return found[:most]


def _advice(rules: Rules, number: int, value: float, single: Reals, paired: Reals) -> Advice:
    row = paired[number].copy()
    row[number] = -1.0
    row[list(rules.parts[number] & set(range(len(row))))] = -1.0
    best = int(row.argmax()) if len(row) > 1 else number
    together = max(float(single[number]), float(row[best]))
    partner = rules.terms[best].spans if row[best] > single[number] else ()
    raised = int(np.count_nonzero(row - single[: len(row)] > _NOTABLE))
    reason = f"alone it tells with {single[number]:.0%} confidence"
    if partner:
        reason += f", with another term {together:.0%}"
    if raised:
        reason += f"; it makes {raised} other term{'s' if raised > 1 else ''} more telling"
    term = rules.terms[number]
    return Advice(term.text, term.spans, value, float(single[number]), together, partner, reason)
