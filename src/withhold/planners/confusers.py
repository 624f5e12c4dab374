"""Which classes should come before the true one: those that can be brought there for the least."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from withhold.planners import simplex
from withhold.planners.contest import NARROW
from withhold.planners.highs import milp
from withhold.planners.problem import Problem, Rows, shared_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.planners.contest import Contest

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

WIDTH = 12
"""How many classes are tried, each by solving a program, before the next confuser is chosen."""

_OUT_OF_REACH = 1e9
_SECONDS = 20.0
_SHARPER = 100.0
"""Rows are given to HiGHS so many times as large, since it takes less than 1e-6 for nothing."""
_GAP, _ANY = 0.02, 1e3
"""By what share of its value a solution may miss the best one; the second stops at the first that is found."""


def likeliest(problem: Problem) -> list[int]:
    """All rivals, the likeliest first: the paper takes the first of them."""
    return problem.guarantee.ranking(problem.all_kept)


def costs(problem: Problem, contest: Contest) -> Reals:
    """What it costs to bring each class alone before the true one: a fractional knapsack for each, all at once."""
    size = len(problem.counts)
    rows, counts = contest.rows[:, :size], problem.counts
    value = np.maximum(problem.value[:size], 0.05)
    need = rows @ counts + contest.offset + NARROW
    gain = np.maximum(rows, 0.0) * counts
    order = np.argsort(-np.where(rows > 1e-12, rows / value, 0.0), axis=1)
    won = np.take_along_axis(gain, order, 1)
    total, paid = np.cumsum(won, axis=1), np.cumsum((value * counts)[order], axis=1)
    classes = np.arange(len(need))
    last = np.minimum((total < need[:, None]).sum(axis=1), size - 1)
    missing = need - (total[classes, last] - won[classes, last])
    part = np.clip(missing / np.maximum(won[classes, last], 1e-12), 0.0, 1.0)
    price = (value * counts)[order[classes, last]]
    cost = np.where(need <= 0, 0.0, paid[classes, last] - price + price * part)
    cost[need > gain.sum(axis=1)] = _OUT_OF_REACH
    cost[~contest.rivals] = np.inf
    return cost


def cheapest(
    problem: Problem, contests: Sequence[Contest], size: int, *, soft: Rows, liking: Reals, tried: int | None = None
) -> list[int]:
    """Up to `size` classes, each time the one that leaves most value when it too must come before the true class
    under every one of the models, given the `soft` rows. `liking` is added to that value.
    """
    ranked = np.argsort(costs(problem, contests[0]) - liking, kind="stable")
    order = ranked[: min(int(contests[0].rivals.sum()), tried or len(ranked))]
    value, rows, limits, bounds = soft.elastic(problem.bounds, problem.value)
    bounds[len(problem.counts) : len(problem.terms)] = 0.0
    blocks = np.zeros((len(order), len(contests), len(value)))
    ends = np.empty((len(order), len(contests)))
    for depth, contest in enumerate(contests):
        blocks[:, depth, : len(problem.terms)] = contest.rows[order]
        ends[:, depth] = -contest.offset[order] - NARROW
    size = min(size, len(order))
    count, chosen = simplex.grow(value, rows, limits, bounds, blocks, ends, liking[order], size, WIDTH)
    return [int(order[index]) for index in chosen[:count]]


def reachable(problem: Problem, size: int) -> list[int] | None:
    """Some classes that can all be brought before the true one, if occurrences could be divided.

    None if there are none, which then holds for whole occurrences too, or if they were not found in time.
    """
    rivals = np.flatnonzero(problem.guarantee.rivals)
    found = _mixed(problem, rivals, size, whole=False, gap=_ANY)
    if found is None:
        return None
    return [int(c) for c in rivals[np.argsort(-found[len(problem.terms) :], kind="stable")[:size]]]


def exactly(problem: Problem, size: int, among: Sequence[int] | None = None) -> tuple[list[int], Reals] | None:
    """Confusers and what to keep, in whole occurrences, by a mixed-integer program over every choice of confusers
    (`among` some classes, or all).

    None only if there is no choice at all, or if it was not found in time.
    """
    rivals = np.flatnonzero(problem.guarantee.rivals) if among is None else np.array(among, np.int64)
    found = _mixed(problem, rivals, size, whole=True, gap=_GAP)
    if found is None:
        return None
    kept = np.abs(np.round(found[: len(problem.terms)]))
    chosen = problem.guarantee.ranking(kept)[:size]
    return (chosen, kept) if problem.guarantee.ahead(kept, NARROW / 2) >= size else None


def _mixed(problem: Problem, rivals: Integers, size: int, *, whole: bool, gap: float) -> Reals | None:
    """What is kept, and for each rival a one if it comes before the true class, which `size` of them do.

    Words have a value even where any solution will do: without one, HiGHS has called feasible programs infeasible.
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint

    contest, columns = problem.guarantee, len(problem.terms)
    rows, offset, count = _SHARPER * contest.rows[rivals], _SHARPER * (contest.offset[rivals] + NARROW), len(rivals)
    reach = np.maximum(np.maximum(rows, 0.0) @ problem.bounds + offset, 0.0) + 1.0
    shared, shares = shared_rows(problem, columns + count)
    behind = sparse.hstack([sparse.csr_matrix(rows), sparse.diags(reach)])
    enough = sparse.csr_matrix(np.concatenate([np.zeros(columns), -np.ones(count)])[None])
    matrix = sparse.vstack([behind, shared, enough], format="csr")
    limits = np.concatenate([reach - offset, shares, [-float(size)]])
    found = milp(
        np.concatenate([-np.maximum(problem.value, 1e-3), np.zeros(count)]),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        bounds=Bounds(0, np.concatenate([problem.bounds, np.ones(count)])),
        integrality=np.concatenate([np.full(columns, int(whole)), np.ones(count, np.int64)]),
        options={"time_limit": _SECONDS, "mip_rel_gap": gap},
    )
    return None if found.x is None else np.asarray(found.x)
