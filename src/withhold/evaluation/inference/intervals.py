"""Means over documents, and ratios of such means, with intervals: what would come out for other documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.codec import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Mean(Value):
    """A mean, or a ratio of means, and its 95 % interval. None stands for what cannot be divided."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return "–" if self.value is None else f"{self.value:.3f}"

    @property
    def interval(self) -> str:
        return "" if self.low is None or self.high is None else f"{self.low:.2f}–{self.high:.2f}"


class Draws:
    """So many documents, drawn with replacement again and again; the same draws for all that is compared."""

    def __init__(self, documents: int, draws: int = DRAWS, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        share = np.full(documents, 1.0 / documents)
        drawn = chance.multinomial(documents, share, size=draws if documents > 1 else 0)
        self._weights = np.vstack([share, drawn / documents])

    def mean(self, values: Sequence[float] | Reals) -> Mean:
        return _measure(self._weights @ np.asarray(values, np.float64))

    def ratio(self, above: Sequence[float] | Reals, below: Sequence[float] | Reals) -> Mean:
        """The mean of the one over the mean of the other."""
        upper = self._weights @ np.asarray(above, np.float64)
        lower = self._weights @ np.asarray(below, np.float64)
        return _measure(np.divide(upper, lower, out=np.full_like(upper, np.nan), where=lower > 0))


def _measure(values: Reals) -> Mean:
    if np.isnan(values[0]):
        return Mean(None)
    others = values[1:][~np.isnan(values[1:])]
    if not len(others):
        return Mean(float(values[0]))
    low, high = np.quantile(others, [0.025, 0.975])
    return Mean(float(values[0]), float(low), float(high))
