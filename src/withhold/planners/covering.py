"""Break every inference and keep what is worth most: the covering program, exactly where that can be had.

Each column is written or not, and of the columns of one term only one can be. A set is broken if one of its columns is
not written. `cover` looks for the most that can be kept: it takes away what cannot matter, works on parts that share
no set apart from one another, searches, and then asks HiGHS whether there is better. `greedy` only searches, and
`all_precedents` is what comes to mind first: nothing that is part of any inference stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.planners.packing import improved, search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from withhold.types import Inferences

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Sets = set[tuple[int, ...]]

SECONDS = 5.0
"""How long HiGHS may look for something better, in all."""

_EXACT = 1e-9
"""What a cover may be worth less than the bound, as a share, to be called optimal: rounding."""


@dataclass(frozen=True, eq=False)
class Cover:
    """Which columns are written so that every set is broken, and what they are worth.

    No cover is worth more than `bound`. `status` is "optimal" if that is shown to be what this one is worth.
    """

    kept: Flags
    status: Literal["optimal", "feasible"]
    worth: float
    bound: float


def cover(inferences: Inferences, *, seconds: float = SECONDS) -> Cover:
    """The most that can be kept: shown to be that, or, where it takes longer than so many seconds, as found by search.

    A set without columns cannot be broken and is passed over. A worth below 0 counts as 0.
    """
    return _cover(inferences, seconds)


def greedy(inferences: Inferences) -> Cover:
    """What search alone keeps: what breaks most for its worth goes first, then all comes back that can."""
    return _cover(inferences, 0.0)


def all_precedents(inferences: Inferences) -> Cover:
    """Nothing stays that is part of any inference, and nothing becomes more general."""
    kept = np.arange(len(inferences.worth)) < len(inferences.spans)
    kept[inferences.sets[inferences.sets >= 0]] = False
    return Cover(kept, "feasible", float(np.maximum(inferences.worth, 0.0)[kept].sum()), float("inf"))


def _cover(inferences: Inferences, seconds: float) -> Cover:
    worth = np.maximum(inferences.worth, 0.0)
    sets, gone = reduced(minimal(_sets(inferences)), worth)
    kept, bound, end = ~gone, float(worth[~gone].sum()), monotonic() + seconds
    for columns, inside in parts(sets):
        own = worth[columns]
        found = search(inside, own.tolist())
        most = float(own.sum())
        if seconds:
            found, most = improved(inside, own, found, end - monotonic())
        kept[columns] = found
        bound += most - float(own.sum())
    total = float(worth[kept].sum())
    is_best = bound <= total + _EXACT * max(total, 1.0)
    return Cover(kept, "optimal" if is_best else "feasible", total, max(bound, total))


def _sets(inferences: Inferences) -> Sets:
    """The sets that are to be broken, and the pairs of columns of one term: only one of them can be written."""
    found = {tuple(sorted({column for column in row if column >= 0})) for row in inferences.sets.tolist()}
    several: dict[int, list[int]] = {}
    for column, (term, _) in enumerate(inferences.general, len(inferences.spans)):
        several.setdefault(term, [term]).append(column)
    found.update(pair for columns in several.values() for pair in combinations(columns, 2))
    return found - {()}


def minimal(sets: Sets) -> Sets:
    """The sets that hold no other one: whatever breaks those breaks all."""
    sizes = sorted({len(each) for each in sets})
    return {
        each
        for each in sets
        if not any(part in sets for size in sizes if size < len(each) for part in combinations(each, size))
    }


def reduced(sets: Sets, worth: Reals) -> tuple[Sets, Flags]:
    """The sets that are left to decide about, and the columns that go in any case: those that tell alone, and those in
    whose place another one can stay that is worth as much.
    """
    gone = np.zeros(len(worth), np.bool_)
    out = {each[0] for each in sets if len(each) == 1}
    while True:
        gone[list(out)] = True
        sets = {each for each in sets if out.isdisjoint(each)}
        out = _dominated(sets, worth)
        if not out:
            return sets, gone


def _dominated(sets: Sets, worth: Reals) -> set[int]:
    """Columns that are in a pair with one which is in pairs only, with no other columns than they are, and worth as
    much: wherever they are kept, that one could be.
    """
    from scipy.sparse import csr_matrix, identity

    pairs = np.array(sorted(each for each in sets if len(each) == 2), np.int64).reshape(-1, 2)
    size = len(worth)
    one = csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    near = (one + one.T + identity(size)).tocsr()
    in_larger = np.zeros(size, np.bool_)
    in_larger[[column for each in sets if len(each) > 2 for column in each]] = True
    shared = (near @ near).multiply(one + one.T).tocoo()
    first, second = shared.row, shared.col
    degree = np.asarray(near.sum(axis=1)).ravel()
    inside = (shared.data == degree[first]) & (worth[first] >= worth[second]) & ~in_larger[first]
    # Of two that could stand for one another, the later goes.
    alike = (degree[first] == degree[second]) & (worth[first] == worth[second]) & ~in_larger[second]
    return set(second[inside & (~alike | (first < second))].tolist())


def parts(sets: Sets) -> Iterator[tuple[list[int], list[tuple[int, ...]]]]:
    """The columns of each part that shares no set with the others, and its sets, by place among those columns."""
    leader: dict[int, int] = {}

    def find(column: int) -> int:
        while leader.setdefault(column, column) != column:
            leader[column] = column = leader[leader[column]]
        return column

    ordered = sorted(sets)
    for each in ordered:
        for column in each[1:]:
            leader[find(column)] = find(each[0])
    inside: dict[int, list[tuple[int, ...]]] = {}
    for each in ordered:
        inside.setdefault(find(each[0]), []).append(each)
    for several in inside.values():
        columns = sorted({column for each in several for column in each})
        place = {column: number for number, column in enumerate(columns)}
        yield columns, [tuple(place[column] for column in each) for each in several]
