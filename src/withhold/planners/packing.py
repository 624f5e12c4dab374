"""Keep columns so that no set is whole, by search: quick, and mostly as good as can be."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from random import Random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]

_EFFORT = 1_000_000
"""How many sets may be looked at in all: the budget of a search, the same on every machine."""
_ROUNDS = 100
"""How often each of the sets may be looked at."""
_STEP = 20
"""What a step costs besides the sets that it looks at."""
_SAMPLE = 60
"""Of so many columns that are not kept, a step takes the one that costs least."""
_KICK, _FEW = 11, 2
"""But once in so many steps, of so few: to get elsewhere."""
_REST = 7
"""For so many steps, about, a column that came or went is left as it is."""
_PATIENCE = 20
"""So many steps for each column without anything better, and the search goes back to the best."""
_EPSILON = 1e-9


class Packing:
    """Columns that are kept so that no set is whole, and no column without those it `needs`.

    A column is `held` by the sets that it would make whole, and is `lacking` what it needs and is not kept; `loss` is
    about what would have to go for it. `outside` are the columns that are not kept, `moved` those that came or went.
    What a column needs needs nothing that the column does not need itself.
    """

    def __init__(
        self, sets: Sequence[Sequence[int]], worth: Sequence[float], needs: Sequence[Collection[int]] | None = None
    ) -> None:
        self.worth = list(worth)
        self.sets = [tuple(each) for each in sets]
        self.needs: Sequence[Collection[int]] = needs if needs is not None else [()] * len(self.worth)
        self.needed_by: list[list[int]] = [[] for _ in self.worth]
        for column, several in enumerate(self.needs):
            for other in several:
                self.needed_by[other].append(column)
        self.sets_of: list[list[int]] = [[] for _ in self.worth]
        for number, members in enumerate(self.sets):
            for column in members:
                self.sets_of[column].append(number)
        self.missing = [len(members) for members in self.sets]
        self.kept = [False] * len(self.worth)
        self.held = [0] * len(self.worth)
        self.lacking = [len(several) for several in self.needs]
        self.loss = [-each for each in self.worth]
        self.outside = list(range(len(self.worth)))
        self._place = list(range(len(self.worth)))
        self.moved: list[int] = []
        self.value = 0.0
        self.looked_at = 0

    def add(self, column: int) -> None:
        """Keep a column that makes no set whole and lacks nothing."""
        self.kept[column] = True
        self.value += self.worth[column]
        self.moved.append(column)
        last, at = self.outside.pop(), self._place[column]
        if last != column:
            self.outside[at], self._place[last] = last, at
        for number in self.sets_of[column]:
            self.missing[number] -= 1
            if self.missing[number] == 1:
                other, cheapest = self._open(number)
                self.held[other] += 1
                self.loss[other] += cheapest
        for other in self.needed_by[column]:
            self.lacking[other] -= 1
        self.looked_at += len(self.sets_of[column])

    def remove(self, column: int) -> list[int]:
        """No longer keep a column, nor what needs it; those that could be kept now, it among them."""
        freed = [each for other in self.needed_by[column] if self.kept[other] for each in self.remove(other)]
        freed.append(column)
        for number in self.sets_of[column]:
            if self.missing[number] == 1:
                other, cheapest = self._open(number)
                self.held[other] -= 1
                self.loss[other] -= cheapest
                if not self.held[other]:
                    freed.append(other)
            self.missing[number] += 1
        for other in self.needed_by[column]:
            self.lacking[other] += 1
        self.kept[column] = False
        self.value -= self.worth[column]
        self.moved.append(column)
        self._place[column] = len(self.outside)
        self.outside.append(column)
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
        """Keep what can be kept of these, the first first; but what is needed before what needs it."""
        for column in sorted(columns, key=self.lacking.__getitem__):
            if not (self.kept[column] or self.held[column] or self.lacking[column]):
                self.add(column)

    def force(self, column: int, turn: Sequence[int]) -> None:
        """Keep a column and what it needs, for which one other of each set that they make whole goes; then what can
        comes back.
        """
        wanted = {column, *self.needs[column]}
        freed: list[int] = []
        for each in sorted(wanted, key=lambda each: (len(self.needs[each]), each)):
            if not self.kept[each]:
                freed += self._free(each, wanted, turn)
                self.add(each)
        freed.sort(key=lambda each: (-self.worth[each] / (1 + len(self.sets_of[each])), each))
        self.fill(freed)

    def _free(self, column: int, wanted: Collection[int], turn: Sequence[int]) -> list[int]:
        freed: list[int] = []
        for number in self.sets_of[column]:
            if self.missing[number] == 1:
                others = [other for other in self.sets[number] if other not in wanted]
                freed += self.remove(min(others, key=lambda other: (self.worth[other], turn[other], other)))
        return freed


def search(
    sets: Sequence[Sequence[int]],
    worth: Sequence[float],
    needs: Sequence[Collection[int]] | None = None,
    start: Sequence[bool] = (),
    effort: int = _EFFORT,
) -> Flags:
    """Which columns to keep so that no set is whole: the best that was met, always the same.

    Starts from what is kept already, or from greedy covering, and then forces one column in at a time: mostly the one
    that costs least of those that have not moved for a while. No set may lie within a column and what it needs.
    """
    packing = Packing(sets, worth, needs)
    _begin(packing, start)
    best, best_value = list(packing.kept), packing.value
    random, turn = Random(0), [-_REST] * len(worth)
    effort, step, last = min(effort, _ROUNDS * sum(map(len, sets))), 0, 0
    while packing.looked_at < effort and packing.outside:
        step += 1
        size = _SAMPLE if random.randrange(_KICK) else _FEW
        some = random.sample(packing.outside, min(len(packing.outside), size))
        rested = [column for column in some if turn[column] < step] or some
        packing.moved.clear()
        packing.force(min(rested, key=lambda each: (packing.loss[each], turn[each], each)), turn)
        packing.looked_at += _STEP
        for column in packing.moved:
            turn[column] = step + _REST + random.randrange(_REST)
        if packing.value > best_value + _EPSILON:
            best, best_value, last = list(packing.kept), packing.value, step
        elif step - last > _PATIENCE * len(worth):
            last = step
            _restore(packing, best)
    return np.array(best, np.bool_)


def _begin(packing: Packing, start: Sequence[bool]) -> None:
    order = _first_to_go(packing) if not len(start) else [at for at, kept in enumerate(start) if not kept]
    packing.fill(sorted(set(range(len(packing.worth))).difference(order)))
    packing.fill(reversed(order))
    packing.looked_at = 0


def _restore(packing: Packing, kept: Sequence[bool]) -> None:
    for column, wanted in enumerate(kept):
        if packing.kept[column] and not wanted:
            packing.remove(column)
    packing.fill(column for column, wanted in enumerate(kept) if wanted)


def _first_to_go(packing: Packing) -> list[int]:
    """Columns in the order in which greedy covering removes them: those that break most sets for their worth first.
    What needs them goes with them.
    """
    whole = [True] * len(packing.sets)
    count = [len(several) for several in packing.sets_of]
    heap = [(packing.worth[column] / count[column], column) for column in range(len(count)) if count[column]]
    heapify(heap)
    gone: dict[int, None] = {}
    while heap:
        price, column = heappop(heap)
        if not count[column]:
            continue
        if (now := packing.worth[column] / count[column]) > price:
            heappush(heap, (now, column))
            continue
        gone.update(dict.fromkeys([column, *packing.needed_by[column]]))
        for each in (column, *packing.needed_by[column]):
            for number in packing.sets_of[each]:
                if whole[number]:
                    whole[number] = False
                    for other in packing.sets[number]:
                        count[other] -= 1
    return list(gone)
