"""Keep columns so that no set is whole, by search: quick, and mostly as good as can be."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from random import Random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_EFFORT = 3_000_000
"""How many entries of sets may be looked at in all: the budget of a search, the same on every machine."""
_ROUNDS = 100
"""How often each of the entries may be looked at."""
_SAMPLE = 4
_EPSILON = 1e-9


class Packing:
    """Columns that are kept so that no set is whole. A column is `held` by the sets that it would make whole; `loss` is
    about what would have to go for it.
    """

    def __init__(self, sets: Sequence[Sequence[int]], worth: Sequence[float]) -> None:
        self.worth = list(worth)
        self.sets = [tuple(each) for each in sets]
        self.sets_of: list[list[int]] = [[] for _ in self.worth]
        for number, members in enumerate(self.sets):
            for column in members:
                self.sets_of[column].append(number)
        self.missing = [len(members) for members in self.sets]
        self.kept = [False] * len(self.worth)
        self.held = [0] * len(self.worth)
        self.loss = [-each for each in self.worth]
        self.value = 0.0
        self.looked_at = 0

    def add(self, column: int) -> None:
        """Keep a column that makes no set whole."""
        self.kept[column] = True
        self.value += self.worth[column]
        for number in self.sets_of[column]:
            self.missing[number] -= 1
            if self.missing[number] == 1:
                other, cheapest = self._open(number)
                self.held[other] += 1
                self.loss[other] += cheapest
        self.looked_at += len(self.sets_of[column])

    def remove(self, column: int) -> list[int]:
        """No longer keep a column; those that could be kept now, it among them."""
        freed = [column]
        for number in self.sets_of[column]:
            if self.missing[number] == 1:
                other, cheapest = self._open(number)
                self.held[other] -= 1
                self.loss[other] -= cheapest
                if not self.held[other]:
                    freed.append(other)
            self.missing[number] += 1
        self.kept[column] = False
        self.value -= self.worth[column]
        self.looked_at += len(self.sets_of[column])
        return freed

    def _open(self, number: int) -> tuple[int, float]:
        """The one column of a set that is not kept, and what the cheapest of the others is worth."""
        members = self.sets[number]
        if len(members) == 2:
            one, other = members
            return (other, self.worth[one]) if self.kept[one] else (one, self.worth[other])
        other = next(column for column in members if not self.kept[column])
        return other, min(self.worth[column] for column in members if column != other)

    def fill(self, columns: Iterable[int]) -> None:
        """Keep what can be kept of these, the first first."""
        for column in columns:
            if not self.kept[column] and not self.held[column]:
                self.add(column)

    def force(self, column: int, turn: Sequence[int]) -> None:
        """Keep a column, for which one other of each set that it makes whole goes; then what can comes back."""
        freed: list[int] = []
        for number in self.sets_of[column]:
            if self.missing[number] == 1:
                others = [other for other in self.sets[number] if other != column]
                freed += self.remove(min(others, key=lambda other: (self.worth[other], turn[other], other)))
        self.add(column)
        freed.sort(key=lambda each: (-self.worth[each] / (1 + len(self.sets_of[each])), each))
        self.fill(freed)


def search(sets: Sequence[Sequence[int]], worth: Sequence[float], effort: int = _EFFORT) -> Flags:
    """Which columns to keep so that no set is whole: the best that was met, always the same.

    Starts from greedy covering, and then forces one column in at a time, one that takes little out or has not had its
    turn for long.
    """
    packing = Packing(sets, worth)
    effort = min(effort, _ROUNDS * sum(map(len, sets)))
    order = _first_to_go(packing)
    packing.fill(sorted(set(range(len(worth))).difference(order)))
    packing.fill(reversed(order))
    best, best_value = list(packing.kept), packing.value
    random, turn = Random(0), [0] * len(worth)
    step = since = 0
    while packing.looked_at < effort:
        outside = [column for column, kept in enumerate(packing.kept) if not kept]
        if not outside:
            break
        step, since = step + 1, since + 1
        some = random.sample(outside, min(len(outside), _SAMPLE))
        column = min(some, key=lambda each: (packing.loss[each], turn[each], each))
        packing.force(column, turn)
        turn[column] = step
        if packing.value > best_value + _EPSILON:
            best, best_value, since = list(packing.kept), packing.value, 0
        elif since > 5 * len(worth):
            since = 0
            _restore(packing, best)
    return np.array(best, np.bool_)


def _restore(packing: Packing, kept: Sequence[bool]) -> None:
    for column, wanted in enumerate(kept):
        if packing.kept[column] and not wanted:
            packing.remove(column)
    packing.fill(column for column, wanted in enumerate(kept) if wanted)


def _first_to_go(packing: Packing) -> list[int]:
    """Columns in the order in which greedy covering removes them: those that break most sets for their worth first."""
    whole = [True] * len(packing.sets)
    count = [len(several) for several in packing.sets_of]
    heap = [(packing.worth[column] / count[column], column) for column in range(len(count)) if count[column]]
    heapify(heap)
    order: list[int] = []
    while heap:
        price, column = heappop(heap)
        if not count[column]:
            continue
        if (now := packing.worth[column] / count[column]) > price:
            heappush(heap, (now, column))
            continue
        order.append(column)
        for number in packing.sets_of[column]:
            if whole[number]:
                whole[number] = False
                for other in packing.sets[number]:
                    count[other] -= 1
    return order


def improved(sets: Sequence[Sequence[int]], worth: Reals, found: Flags, seconds: float) -> tuple[Flags, float]:
    """What HiGHS finds, if that is better, and what no choice can be worth more than."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    rows = [*cliques([each for each in sets if len(each) == 2]), *(each for each in sets if len(each) > 2)]
    pairs = [len(each) for each in sets if len(each) > 2]
    limits = np.array([1.0] * (len(rows) - len(pairs)) + [size - 1.0 for size in pairs])
    entries = np.array([column for row in rows for column in row], np.int64)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    matrix = csr_matrix((np.ones(len(entries)), entries, starts), shape=(len(rows), len(worth)))
    most = float(worth.sum())
    if seconds <= 0:
        return found, most
    answer = milp(
        -worth,
        integrality=np.ones(len(worth), np.int64),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if answer.mip_dual_bound is not None:
        most = min(most, -float(answer.mip_dual_bound))
    if answer.x is not None:
        kept = np.asarray(answer.x) > 0.5
        is_sound = bool((matrix @ kept <= limits + 0.5).all())
        if is_sound and worth[kept].sum() > worth[found].sum() + _EPSILON:
            found = kept
    return found, most


def cliques(pairs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Groups of columns of which only one can be kept, such that every pair is in one of them."""
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
            fresh = common & left[one]
            column = ((fresh or common) & -(fresh or common)).bit_length() - 1
            group.append(column)
            common &= near[column]
        mask = sum(1 << column for column in group)
        for column in group:
            left[column] &= ~mask
        found.append(group)
    return found
