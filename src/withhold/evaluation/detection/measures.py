"""From counts to measures, with intervals: what would come out for other texts of the same sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A share, or None of nothing, and its 95 % interval."""

    value: float | None
    interval: Interval | None = None


class Sums:
    """The counts of all texts, and of samples of as many texts drawn from them with replacement."""

    def __init__(self, tallies: Sequence[Mapping[str, float]], draws: int, seed: int = 0) -> None:
        self._names = {name: place for place, name in enumerate(sorted({name for each in tallies for name in each}))}
        table = np.zeros((len(tallies), len(self._names)))
        for row, each in enumerate(tallies):
            for name, count in each.items():
                table[row, self._names[name]] = count
        chance, size = np.random.default_rng(seed), len(tallies)
        drawn = (np.bincount(chance.integers(size, size=size), minlength=size) for _ in range(draws))
        self._sums = np.vstack([table.sum(0), *(times @ table for times in drawn)])

    def share(self, name: str) -> Array:
        """Hits of all, first of the texts themselves, then of each sample; not a number where there are none."""
        hits, every = self.count(f"{name}.hit"), self.count(f"{name}.all")
        return np.divide(hits, every, out=np.full_like(every, np.nan), where=every > 0)

    def f(self, name: str, beta: float) -> Array:
        """The F measure of the findings and the things to find of a name; 0 if nothing was found."""
        precision, recall = np.nan_to_num(self.share(f"{name}.found")), self.share(f"{name}.gold")
        below = beta**2 * precision + recall
        above = (1 + beta**2) * precision * recall
        return np.divide(above, below, out=np.where(np.isnan(recall), np.nan, 0.0), where=below > 0)

    def count(self, name: str) -> Array:
        if name not in self._names:
            return np.zeros(len(self._sums))
        column: Array = self._sums[:, self._names[name]]
        return column


def measure(values: Array) -> Measure:
    """The first value, with the interval that holds 95 % of the others."""
    if np.isnan(values[0]):
        return Measure(None)
    others = values[1:][~np.isnan(values[1:])]
    if not len(others):
        return Measure(float(values[0]))
    low, high = np.quantile(others, [0.025, 0.975])
    return Measure(float(values[0]), (float(low), float(high)))
