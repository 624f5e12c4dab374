"""Linear programs with few rows and many boxed variables, solved fast.

Maximise `value @ x` where `rows @ x <= limits` and `0 <= x <= bounds`.

No answer is taken on trust: an optimum is shown by row multipliers whose dual bound it meets, infeasibility by
multipliers that add the rows up to a contradiction. Both are evaluated on the program as it was given, not on what the
iterations left behind. What cannot be shown is left `UNSOLVED`, and `solve` then asks HiGHS.

`dual_simplex` and `grow` are compiled, and can be called by compiled functions. They want contiguous
arrays of float64 that can be written to: anything else is compiled anew, which takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.errors import PlanError
from withhold.planners.tableau import INFEASIBLE, OPTIMAL, STEPS, UNSOLVED, dual_simplex, grow

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Reals = NDArray[np.float64]

__all__ = ["INFEASIBLE", "OPTIMAL", "UNSOLVED", "Solution", "dual_simplex", "grow", "solve"]


@dataclass(frozen=True)
class Solution:
    """The best `x` and its value; of an infeasible program both are not a number."""

    status: Literal["optimal", "infeasible"]
    x: Reals
    objective: float


def solve(value: ArrayLike, rows: ArrayLike, limits: ArrayLike, bounds: ArrayLike) -> Solution:
    """The optimum, or that there is none because no `x` keeps to the rows.

    An unbounded program, or one with numbers that are none, raises ValueError.
    """
    v, a, b, u = (np.array(each, np.float64, order="C") for each in (value, rows, limits, bounds))
    if v.ndim != 1 or b.ndim != 1 or u.shape != v.shape or a.shape != b.shape + v.shape:
        raise ValueError("a program needs one value and one bound for each column, and one limit for each row")
    status, x = dual_simplex(v, a, b, u, STEPS * (len(b) + 1))
    if status == UNSOLVED:
        return _solve_with_highs(v, a, b, u)
    if status == INFEASIBLE:
        return Solution("infeasible", np.full(len(v), np.nan), np.nan)
    return Solution("optimal", x, float(v @ x))


def _solve_with_highs(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> Solution:
    from scipy.optimize import linprog

    if any(np.isnan(each).any() for each in (value, rows, limits, bounds)):
        raise ValueError("a program holds something that is not a number")
    binding = limits < np.inf
    box = [(0.0, bound) for bound in bounds.tolist()]
    found = linprog(-value, rows[binding], limits[binding], bounds=box, method="highs", options={"presolve": False})
    if found.status == 0 and found.x is not None:
        return Solution("optimal", np.asarray(found.x), float(value @ found.x))
    if found.status == 2:
        return Solution("infeasible", np.full(len(value), np.nan), np.nan)
    if found.status == 3:
        raise ValueError("the program is unbounded: a variable without bound has a value that no row holds back")
    raise PlanError("a linear program could not be solved: its numbers differ too much in size")
