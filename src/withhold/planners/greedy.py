"""SIMPLEREDACTOR: words go in one fixed order, the most telling first, until enough other classes come first.

One order serves every k, so that asking for more or for less costs nothing: see `levels`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.planners.contest import NARROW, Contest
from withhold.planners.linear import LinearPlanner
from withhold.planners.objectives import telling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.planners.aims import Decision
    from withhold.types import Choices

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]


class GreedyPlanner(LinearPlanner):
    """Like the linear planner, but what hides a class is taken from the front of one list of its most telling words.

    It needs no solver and is quick. It looks neither at what is to be kept nor at other models a reader may have, and
    to hide a class it only removes. What breaks inferences is found by search alone.
    """

    seconds = 0.0

    def decide(self, choices: Choices, counts: Reals) -> Decision:
        k = choices.confusers + 1
        return levels(choices, counts, k).at(k)


@dataclass(frozen=True, eq=False)
class Levels:
    """What to remove for every k. `order` is the term of each occurrence, in the order in which they go; for k, the
    first `gone[k - 1]` do. A larger k never takes less, and only the first `reached` can be had: beyond, what brings
    most classes before the true one is all that goes.
    """

    order: Integers
    gone: Integers
    reached: int
    counts: Reals
    contest: Contest

    def at(self, k: int) -> Decision:
        from withhold.planners.aims import Decision

        size = len(self.counts)
        kept = np.zeros(self.contest.rows.shape[1])
        kept[:size] = self.counts - np.bincount(self.order[: self.gone[k - 1]], minlength=size)
        confusers = tuple(self.contest.ranking(kept)[: k - 1])
        return Decision(kept[:size], kept[size:], confusers, "confusable" if k <= self.reached else "infeasible")


def levels(choices: Choices, counts: Reals, most: int) -> Levels:
    """What to remove of terms that stand `counts` times in the document, for every k from 1 to `most`."""
    scores, size = choices.secret[0], len(counts)
    contest = Contest.of(scores, scores.true[0])
    ranked = np.argsort(-telling([scores], size)[:size], kind="stable")
    order = np.repeat(ranked, counts[ranked].astype(np.int64))
    ahead = np.maximum.accumulate(_ahead(contest, counts, order))
    gone = np.searchsorted(ahead, np.minimum(np.arange(most), ahead[-1]))
    return Levels(order, gone, int(ahead[-1]) + 1, counts, contest)


def _ahead(contest: Contest, counts: Reals, order: Integers) -> Integers:
    """How many rivals come before the class once none, one, two ... of the occurrences are gone."""
    ahead = np.zeros(len(order) + 1, np.int64)
    for rival in np.flatnonzero(contest.rivals):
        row = contest.rows[rival, : len(counts)]
        lost = np.concatenate([[0.0], np.cumsum(row[order])])
        ahead += row @ counts + contest.offset[rival] - lost <= -NARROW
    return ahead
