"""What HiGHS says about mixed programs, and about covering programs in particular."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray
    from scipy.optimize import OptimizeResult
    from scipy.sparse import csr_matrix

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_ONE_AT_A_TIME = Lock()


def milp(cost: Reals, **asked: Any) -> OptimizeResult:
    """What scipy's `milp` finds, with nothing printed on stdout.

    HiGHS has lines of its own that it prints now and then whatever it is told, and stdout may be somebody's JSON.
    """
    from scipy.optimize import milp

    with _ONE_AT_A_TIME, _printed_on_stderr():
        return milp(cost, **asked)


@contextlib.contextmanager
def _printed_on_stderr() -> Iterator[None]:
    """What C code prints meanwhile goes to stderr. Where there is no stdout or no stderr, nothing is changed."""
    try:
        kept = os.dup(1)
    except OSError:
        yield
        return
    try:
        _flush()
        with contextlib.suppress(OSError):
            os.dup2(2, 1)
        yield
        _flush()
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """Write what C code has printed and not yet written. Without a C library to ask, it is written later."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)


def exact(
    sets: Sequence[Sequence[int]], worth: Reals, needs: Sequence[Collection[int]], seconds: float
) -> tuple[Flags | None, float]:
    """What to keep so that no set is whole, as good as HiGHS finds it in so many seconds, if it finds anything, and
    what no choice can be worth more than.
    """
    from scipy.optimize import Bounds, LinearConstraint

    most = float(worth.sum())
    matrix, limits = _rows(sets, needs, len(worth))
    answer = milp(
        -worth,
        integrality=np.ones(len(worth), np.int64),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if answer.mip_dual_bound is not None:
        most = min(most, -float(answer.mip_dual_bound))
    if answer.x is None:
        return None, most
    kept: Flags = np.asarray(answer.x) > 0.5
    return (kept if (matrix @ kept <= limits + 0.5).all() else None), most


def _rows(
    sets: Sequence[Sequence[int]], needs: Sequence[Collection[int]], columns: int
) -> tuple[csr_matrix[np.float64], Reals]:
    """Of each group of columns at most one, of each larger set not all, and no column without what it needs."""
    from scipy.sparse import csr_matrix

    together = cliques([each for each in sets if len(each) == 2])
    larger = [each for each in sets if len(each) > 2]
    needed = [(column, other) for column, several in enumerate(needs) for other in sorted(several)]
    rows: list[Sequence[int]] = [*together, *larger, *needed]
    entries = np.array([column for row in rows for column in row], np.int64)
    data = np.ones(len(entries))
    data[len(entries) - 2 * len(needed) :][1::2] = -1.0
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    matrix = csr_matrix((data, entries, starts), shape=(len(rows), columns))
    limits = [*(1.0 for _ in together), *(len(each) - 1.0 for each in larger), *(0.0 for _ in needed)]
    return matrix, np.array(limits)


def cliques(pairs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Groups of columns of which only one can be kept, such that every pair is in one of them: far fewer rows than
    pairs, which hold far more back where only parts of columns are kept.
    """
    near: dict[int, int] = {}
    for one, other in pairs:
        near[one] = near.get(one, 0) | 1 << other
        near[other] = near.get(other, 0) | 1 << one
    left = dict(near)
    found: list[list[int]] = []
    for one, other in pairs:
        if not left[one] >> other & 1:
            continue
        group, common = [one, other], near[one] & near[other]
        while common:
            fresh = common & left[one] or common
            column = (fresh & -fresh).bit_length() - 1
            group.append(column)
            common &= near[column]
        mask = sum(1 << column for column in group)
        for column in group:
            left[column] &= ~mask
        found.append(group)
    return found
