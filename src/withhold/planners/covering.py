"""Break every inference and keep what is worth most: the covering program, exactly where that can be had.

Each column is written or not, and of the columns of one term only one can be. A set is broken if one of its columns is
not written. `cover` looks for the most that can be kept: it takes away what cannot matter, works on parts that share
no set apart from one another, asks HiGHS, and searches where that does not get to the end. `greedy` only searches, and
`all_precedents` is what comes to mind first: nothing that is part of any inference stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.planners.highs import exact
from withhold.planners.overlaps import innermost, inside
from withhold.planners.packing import search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from withhold.types import Inferences

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Set = tuple[int, ...]

SECONDS = 5.0
"""How long HiGHS may take, in all."""

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

    A term goes with any other that stands within each of its occurrences. A set without columns cannot be broken and is
    passed over. A worth below 0 counts as 0.
    """
    return Program.of(inferences).solve(seconds)


def greedy(inferences: Inferences) -> Cover:
    """What search alone keeps: what breaks most for its worth goes first, then all comes back that can."""
    return Program.of(inferences).solve(0.0)


def all_precedents(inferences: Inferences) -> Cover:
    """Nothing stays that is part of any inference, and nothing becomes more general."""
    return Program.of(inferences).without_any()


@dataclass(frozen=True, eq=False)
class Program:
    """What may be written: one number for all terms that stand in the same places, one for each more general text.

    `columns` has the number of each column of the inferences, `own` is how many numbers are for terms as they are. No
    number can be written without those it `needs`. `sets` are what must be broken, `apart` what cannot be written
    together, one row for each term.
    """

    columns: Integers
    own: int
    worth: Reals
    needs: tuple[frozenset[int], ...]
    sets: frozenset[Set]
    apart: tuple[Set, ...]

    @classmethod
    def of(cls, inferences: Inferences) -> Program:
        places: dict[object, int] = {}
        terms = [
            places.setdefault(innermost(spans) or number, len(places)) for number, spans in enumerate(inferences.spans)
        ]
        own, general = len(places), [terms[term] for term, _ in inferences.general]
        columns = np.array([*terms, *range(own, own + len(general))], np.int64)
        inner = inside([spans if isinstance(spans, tuple) else () for spans in places])
        needs = (*inner, *(frozenset[int]() for _ in general))
        together: dict[int, list[int]] = {}
        for number, term in enumerate(general, own):
            together.setdefault(term, [term]).append(number)
        found = {_outermost({*columns[row[row >= 0]].tolist()}, needs) for row in inferences.sets}
        return cls(
            columns,
            own,
            np.bincount(columns, np.maximum(inferences.worth, 0.0), own + len(general)).astype(np.float64),
            needs,
            frozenset(found - {()}),
            tuple(map(tuple, together.values())),
        )

    def without_any(self) -> Cover:
        """Nothing that is in a set is kept."""
        return self._cover(self._in_no_set(), np.inf)

    def _in_no_set(self) -> Flags:
        gone = self._with_dependents({number for each in self.sets for number in each})
        return np.array([number < self.own and number not in gone for number in range(len(self.worth))], np.bool_)

    def solve(self, seconds: float) -> Cover:
        """What search finds, or what HiGHS finds, given seconds, if that is better and shown to be the best: where it
        does not get to the end, how far it got depends on the machine, and a plan must not.
        """
        sets, gone = self.reduced()
        kept, bound = ~gone, float(self.worth[~gone].sum())
        for numbers, within, needs in self._parts(sets, gone):
            worth, began = self.worth[numbers], monotonic()
            found = np.asarray(search(within, worth.tolist(), needs), np.bool_)
            better, most = exact(within, worth, needs, seconds) if seconds > 0 else (None, float(worth.sum()))
            seconds -= monotonic() - began
            slack = _EXACT * max(most, 1.0)
            if better is not None and worth[found].sum() + slack < worth[better].sum() >= most - slack:
                found = better
            kept[numbers] = found
            bound += most - float(worth.sum())
        return self._cover(max(kept, self._in_no_set(), key=lambda each: float(self.worth[each].sum())), bound)

    def _cover(self, kept: Flags, bound: float) -> Cover:
        total = float(self.worth[kept].sum())
        is_best = bound <= total + _EXACT * max(total, 1.0)
        return Cover(kept[self.columns], "optimal" if is_best else "feasible", total, max(bound, total))

    def _with_dependents(self, gone: Iterable[int]) -> set[int]:
        """These numbers and those that need any of them."""
        several = set(gone)
        return several.union(number for number, needs in enumerate(self.needs) if not needs.isdisjoint(several))

    def reduced(self) -> tuple[set[Set], Flags]:
        """The sets that are left to decide about, and the numbers that go in any case: those that tell alone, and those
        in whose place another one can stay that is worth as much.
        """
        sets = set(self.sets).union(pair for several in self.apart for pair in combinations(several, 2))
        sizes = sorted({len(each) for each in sets})
        for number, needs in enumerate(self.needs):
            if needs and any(_parts_in(sorted({number, *needs}), sets, sizes)):
                sets.add((number,))
        sets = {each for each in sets if not any(len(part) < len(each) for part in _parts_in(each, sets, [1, *sizes]))}
        gone = np.zeros(len(self.worth), np.bool_)
        out = {each[0] for each in sets if len(each) == 1}
        while True:
            out = self._with_dependents(out)
            gone[list(out)] = True
            sets = {each for each in sets if out.isdisjoint(each)}
            out = self._dominated(sets)
            if not out:
                return sets, gone

    def _dominated(self, sets: set[Set]) -> set[int]:
        """Numbers that are in a pair with one which is in pairs only, with no others than they are, and worth as much:
        wherever they are kept, that one could be.
        """
        from scipy.sparse import csr_matrix, identity

        size = len(self.worth)
        pairs = np.array(sorted(each for each in sets if len(each) == 2), np.int64).reshape(-1, 2)
        one = csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
        near = (one + one.T + identity(size)).tocsr()
        bound = np.array([bool(needs) for needs in self.needs])
        bound[[number for each in sets if len(each) > 2 for number in each]] = True
        bound[[number for needs in self.needs for number in needs]] = True
        shared = (near @ near).multiply(one + one.T).tocoo()
        first, second = shared.row, shared.col
        degree, worth = np.asarray(near.sum(axis=1)).ravel(), self.worth
        is_inside = (shared.data == degree[first]) & (worth[first] >= worth[second]) & ~bound[first]
        # Of two that could stand for one another, the later goes.
        alike = (degree[first] == degree[second]) & (worth[first] == worth[second]) & ~bound[second]
        return set(second[is_inside & (~alike | (first < second))].tolist())

    def _parts(self, sets: set[Set], gone: Flags) -> Iterator[tuple[list[int], list[Set], list[frozenset[int]]]]:
        """The numbers of each part that has nothing to do with the others, and its sets and needs, by their places."""
        ordered = sorted(sets)
        needed = [(number, *sorted(needs)) for number, needs in enumerate(self.needs) if needs and not gone[number]]
        for several in _connected([*ordered, *needed]):
            place = {number: at for at, number in enumerate(several)}
            within = [tuple(place[number] for number in each) for each in ordered if each[0] in place]
            if within:
                yield several, within, [frozenset(place[other] for other in self.needs[number]) for number in several]


def _outermost(numbers: set[int], needs: Sequence[frozenset[int]]) -> Set:
    """A set less what others in it need: whenever those are written, that is too."""
    needed = frozenset().union(*(needs[number] for number in numbers))
    return tuple(sorted(numbers - needed))


def _parts_in(numbers: Sequence[int], sets: set[Set], sizes: Sequence[int]) -> Iterator[Set]:
    """The sets that lie within these numbers, which are in order."""
    return (part for size in sizes if size <= len(numbers) for part in combinations(numbers, size) if part in sets)


def _connected(rows: Sequence[Set]) -> Iterator[list[int]]:
    """The numbers that rows connect, in order."""
    leader: dict[int, int] = {}

    def find(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = number = leader[leader[number]]
        return number

    for row in rows:
        for number in row:
            leader[find(number)] = find(row[0])
    several: dict[int, list[int]] = {}
    for number in sorted(leader):
        several.setdefault(find(number), []).append(number)
    yield from several.values()
