"""How far one class leads the others, as a linear function of what is kept of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.types import Scores

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]

NARROW = 1e-6
"""By so much, in nats, a class must at least come before another: more than any sum here is rounded by."""


@dataclass(frozen=True, eq=False)
class Contest:
    """One class against all others: it leads class c by `rows[c] @ kept + offset[c]`. `rivals` marks who counts."""

    rows: Reals
    offset: Reals
    rivals: Flags

    @classmethod
    def of(cls, scores: Scores, true: int, *, caution: float = 0.0, margin: float = 0.0) -> Contest:
        """The contest of the class `true`, whose lead is taken to be larger by `margin` and, for every word, by
        `caution` times how unsure the word's weights are: what is hidden under it stays hidden under models that
        differ a little from this one.
        """
        weights = scores.weights if scores.options is None else np.hstack([scores.weights, scores.options])
        rows = weights[true] - weights
        if caution and scores.spread is not None:
            rows = rows + caution * np.sqrt(scores.spread[true] ** 2 + scores.spread**2)
        offset = scores.bias[true] - scores.bias + margin
        rivals = np.ones(len(scores.bias), np.bool_)
        rivals[list(scores.true) if true in scores.true else [true]] = False
        return cls(np.ascontiguousarray(rows), offset, rivals)

    def lead(self, kept: Reals) -> Reals:
        lead: Reals = self.rows @ kept + self.offset
        return lead

    def ahead(self, kept: Reals, by: float = 0.0) -> int:
        """How many rivals come before the class by so much; one that is level comes before it by nothing."""
        return int(np.count_nonzero(self.lead(kept)[self.rivals] <= -by))

    def ranking(self, kept: Reals) -> list[int]:
        """All rivals, the likeliest first."""
        lead = np.where(self.rivals, self.lead(kept), np.inf)
        return [int(c) for c in np.argsort(lead, kind="stable")[: int(self.rivals.sum())]]

    def scaled(self, size: float) -> Contest:
        """The same contest with rows of about that size, so that programs of several models stay well scaled."""
        mean = float(np.abs(self.rows).mean()) if self.rows.size else 0.0
        factor = size / mean if mean > 0 else 1.0
        return Contest(self.rows * factor, self.offset * factor, self.rivals)


def contests(scores: Sequence[Scores]) -> list[Contest]:
    """One contest for every class that is true: a document may have several, and none of them is a rival."""
    return [Contest.of(each, true) for each in scores for true in each.true]
