"""How well something is found: precision, recall and what weighs them, with how far chance can have moved them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from withhold.codec import Value
from withhold.learners.intervals import wilson

_DRAWS = 1_000
_BLOCKS = 1_000

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Measure(Value):
    """What was found and is right, was found and is wrong, and was missed; and what that comes to.

    The ranges hold the true share in 95 of 100 cases, for documents like those measured. F2 weighs recall four times
    as much as precision.
    """

    right: int
    wrong: int
    missed: int
    precision: float
    recall: float
    f1: float
    f2: float
    precision_range: Range
    recall_range: Range

    @classmethod
    def of(cls, counts: ArrayLike) -> Self:
        """From a row for each document: how many were right, wrong and missed in it."""
        each = np.asarray(counts, np.int64).reshape(-1, 3)
        right, wrong, missed = each.sum(axis=0).tolist()
        drawn = _drawn(each)
        return cls(
            right,
            wrong,
            missed,
            _share(right, right + wrong),
            _share(right, right + missed),
            f_measure(right, wrong, missed, 1),
            f_measure(right, wrong, missed, 2),
            _range(right, right + wrong, drawn[:, 0], drawn[:, 0] + drawn[:, 1]),
            _range(right, right + missed, drawn[:, 0], drawn[:, 0] + drawn[:, 2]),
        )


def f_measure(right: int, wrong: int, missed: int, beta: float) -> float:
    """Precision and recall in one, recall `beta` squared times as heavy; 1 if there is nothing to find or to regret."""
    weight = beta * beta
    whole = (1 + weight) * right + weight * missed + wrong
    return (1 + weight) * right / whole if whole else 1.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _range(part: int, whole: int, parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> Range:
    """The wider of two: what chance among the things found leaves open, and what chance among the documents does."""
    low, high = wilson(part, whole)
    shares = parts[wholes > 0] / wholes[wholes > 0]
    if len(shares):
        low, high = min(low, float(np.quantile(shares, 0.025))), max(high, float(np.quantile(shares, 0.975)))
    return low, high


def _drawn(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums over as many documents, drawn with replacement, many times over. Many documents are drawn in blocks."""
    if not len(counts):
        return np.zeros((0, 3), np.int64)
    blocks = np.zeros((min(len(counts), _BLOCKS), 3), np.int64)
    np.add.at(blocks, np.arange(len(counts)) % len(blocks), counts)
    chance = np.random.default_rng(0)
    times = chance.multinomial(len(blocks), np.full(len(blocks), 1 / len(blocks)), _DRAWS)
    drawn: NDArray[np.int64] = times @ blocks
    return drawn
