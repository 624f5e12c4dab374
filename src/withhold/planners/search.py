"""From a good plan to a better one: word by word, as long as it gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from withhold.planners.problem import Problem

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

_STEPS = 16
_BLOCK = 256
"""So many changes are tried at a time."""
_GAIN = 1e-4


def improved(problem: Problem, kept: Reals, worth: Callable[[Reals], Reals], allowed: Callable[[Reals], bool]) -> Reals:
    """What is kept once removed words are back that should not have gone, and others gone that should not have stayed.

    `worth` says of many plans, a row each, what they are worth; no plan is taken that is not `allowed`.
    """
    now = float(worth(kept[None])[0])
    for _ in range(_STEPS):
        columns = np.flatnonzero((kept > 0) | (problem.room(kept) > 0))
        if not len(columns):
            break
        blocks = (columns[start : start + _BLOCK] for start in range(0, len(columns), _BLOCK))
        gains = np.concatenate([worth(_each_changed(problem, kept, block)) for block in blocks]) - now
        order = columns[np.argsort(-gains, kind="stable")][: int(np.count_nonzero(gains > _GAIN))]
        together = len(order)
        while together > 1:
            # As many of the changes as gain together.
            together //= 2
            other = _changed(problem, kept, order[:together])
            gained = float(worth(other[None])[0]) if allowed(other) else -np.inf
            if gained > now + _GAIN:
                kept, now = other, gained
                break
        else:
            found = next((other for each in order[:, None] if allowed(other := _changed(problem, kept, each))), None)
            if found is None:
                break
            kept, now = found, float(worth(found[None])[0])
    return kept


def _each_changed(problem: Problem, kept: Reals, columns: Integers) -> Reals:
    """Plans that each differ in one of the columns."""
    others = np.tile(kept, (len(columns), 1))
    others[np.arange(len(columns)), columns] = np.where(kept[columns] > 0, 0.0, problem.room(kept)[columns])
    return others


def _changed(problem: Problem, kept: Reals, columns: Integers) -> Reals:
    """The plan with all that is kept in these columns removed, or with all kept that there is room for."""
    other = kept.copy()
    for column in columns:
        other[column] = 0.0 if other[column] > 0 else problem.room(other)[column]
    return other
