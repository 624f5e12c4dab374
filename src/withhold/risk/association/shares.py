"""From counts of documents to how sure a reader can be.

A reader who looks up the terms of a rule finds `held` documents, and `told` of them name the secret. The confidence of
the rule is the second over the first, as in association rules, but with half a document of doubt added: one in which
the secret is as likely as anywhere. So 1 of 1 is 67 %, 2 of 2 are 80 % and 38 of 41 are 92 %: few documents never make
certainty, and yet a term that stands in one document alone, which names the secret, stays among the most telling. A
lower bound of an interval would not do: it would take that term for harmless, and it is the one to search for.

Where the secret is common, a rule has to do better than chance: the ceiling is raised to where the odds are twice those
of the base rate, the share of all documents that name it. And nothing of nothing is the base rate, but that is known to
nobody: see `Shares.unknown`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Counts

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Integers = NDArray[np.int64]

DOUBT = 0.5
"""So many documents are added to those that were counted."""
_Z2 = 1.959963984540054**2
"""Of the 95 % score interval, as `withhold.learners.intervals.wilson` has it."""


@dataclass(frozen=True, eq=False, repr=False)
class Shares:
    """How many documents hold all terms of each rule, and how many of those name the secret."""

    held: Counts
    told: Counts

    def __post_init__(self) -> None:
        if np.any(self.told < 0) or np.any(self.told > self.held):
            raise ValueError("the secret is in between none and all of the documents")

    def __getitem__(self, chosen: Integers | tuple[Integers, Integers]) -> Shares:
        return Shares(self.held[chosen], self.told[chosen])

    def joined(self, other: Shares) -> Shares:
        return Shares(np.concatenate([self.held, other.held]), np.concatenate([self.told, other.told]))

    @property
    def unknown(self) -> Flags:
        """Which rules no document says anything about: that is not to say that they are safe."""
        return np.asarray(self.held == 0, bool)

    def confidence(self, base: float) -> Reals:
        """How sure a reader can be, if the share `base` of all documents names the secret."""
        return np.asarray((self.told + DOUBT * base) / (self.held + DOUBT), np.float64)

    def bounds(self) -> tuple[Reals, Reals]:
        """The ends of the 95 % score interval of the share; 0 and 1 where nothing is known."""
        held = np.maximum(self.held, 1)
        share, spread = self.told / held, _Z2 / held
        centre = (share + spread / 2) / (1 + spread)
        reach = np.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
        low = np.where(self.told == 0, 0.0, np.maximum(centre - reach, 0.0))
        high = np.where(self.told == self.held, 1.0, np.minimum(centre + reach, 1.0))
        return low, high


def no_shares(*shape: int) -> Shares:
    """Counts of nothing."""
    return Shares(np.zeros(shape, np.int64), np.zeros(shape, np.int64))


def ceiling_above(ceiling: float, base: float) -> float:
    """The highest confidence that may stay, where the share `base` of all documents names the secret."""
    return max(ceiling, 2 * base / (1 + base))
