"""Measuring the room that something had which is gone: of many names, few are as wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log2
from typing import Self

from withhold import plugins
from withhold.attacks.layout.people import PEOPLE
from withhold.attacks.layout.places import Place, places
from withhold.attacks.layout.rulers import Ruler
from withhold.contracts import Paged
from withhold.errors import DocumentError
from withhold.policy import Policy
from withhold.text import squeeze
from withhold.types import Document, Layout, Mask, Outcome, Secret

__all__ = ["SOUGHT", "Fit", "LayoutAttack", "measure"]

SOUGHT = "what marks hide"
"""What the attack is after, whatever the secrets are."""

_TELLS = 1.0
"""So many bits of what is hidden, and half of the candidates are ruled out."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What one place gives away: the candidates, best first, by number, and how many of them fit."""

    place: Place
    ranking: tuple[int, ...] = field(repr=False)
    fitting: int
    candidates: int

    @property
    def bits(self) -> float:
        """How much less there is to guess; nothing if no candidate fits."""
        return log2(self.candidates / self.fitting) if self.fitting else 0.0

    def rank(self, candidate: int) -> float:
        """Where a candidate comes among all. Where nothing is told they all share the middle."""
        if not self.place.telling:
            return (self.candidates + 1) / 2
        return self.ranking.index(candidate) + 1.0


def measure(layout: Layout, candidates: Sequence[str], mark: str = "") -> list[Fit]:
    """Try every candidate at every place where something was taken out."""
    ruler = Ruler(layout)
    found = []
    for place in places(layout, mark):
        misfits = [ruler.misfit(each, place) for each in candidates]
        ranking = tuple(sorted(range(len(candidates)), key=misfits.__getitem__))
        fitting = sum(each <= 1 for each in misfits) if place.telling else len(candidates)
        found.append(Fit(place, ranking, fitting, len(candidates)))
    return found


class LayoutAttack:
    """Someone with a ruler and a list of names. Boxes, gaps and marks on pages that were made by any tool are measured
    against the font of their line. It wins if a place rules out half of the names or more.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """Those of the policy's list, or common names.

        Raises:
            PolicyError: if the list cannot be read, or has fewer than two.
        """
        return self._policy.candidates or PEOPLE

    def measure(self, document: Document) -> list[Fit]:
        """What every place of a document gives away; nothing of a format without pages, nor of a damaged file."""
        with plugins.trusting(self._policy.components.trusted):
            format = plugins.load("formats", document.format)()
        if not isinstance(format, Paged):
            return []
        try:
            layout = format.layout(document.native)
        except DocumentError:
            return []
        return measure(layout, self.candidates, self._policy.operators.mark)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome, if there is a place to measure: how often the first guess among what fits is right, if what is
        hidden is one of the candidates.
        """
        from withhold.learners.intervals import wilson

        fits = self.measure(document)
        if not fits:
            return []
        count = len(self.candidates)
        gained = sum(1 / (fit.fitting or count) for fit in fits)
        bits = [fit.bits for fit in fits]
        note = (
            f"places: {len(fits)}, candidates: {count}; {sum(bits) / len(bits):.1f} of {log2(count):.1f} bits told on "
            f"average, {max(bits):.1f} at most; places that fit one candidate only: {sum(f.fitting == 1 for f in fits)}"
        )
        ranks = [rank for secret in secrets if (rank := self._rank(fits, secret)) is not None]
        note += f"; best rank of a secret's name: {min(ranks):g}" if ranks else ""
        interval = wilson(gained, len(fits))
        wins = max(bits) >= _TELLS
        return [Outcome("layout", SOUGHT, 1 / count, gained / len(fits), interval, len(fits), note, wins=wins)]

    def _rank(self, fits: Sequence[Fit], secret: Secret) -> float | None:
        """The best rank of a name of the secret at any place, if it is a candidate."""
        names = {squeeze(name) for name in secret.names}
        own = [index for index, each in enumerate(self.candidates) if squeeze(each) in names]
        return min((fit.rank(index) for fit in fits for index in own), default=None)
