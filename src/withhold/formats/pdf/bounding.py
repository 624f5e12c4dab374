"""Where a line that is set anew may stand: between what is beside it, and as the lines around it do.

Lines and figures are looked up by where they are, so that a page of many takes no longer than as many pages of one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from withhold.formats.pdf.glyphs import Figure, Show
from withhold.formats.pdf.letters import runs_leftward
from withhold.formats.pdf.lines import PARAGRAPH, Line

NEAR = 0.7
"""Places on a page that are no further apart, in points, count as the same."""
EXACT = 0.2
"""The same for places that are meant to be one, and not near each other by chance."""
MARGIN = 72.0
"""Where nothing else tells where a line should start, it starts so far from the edge of the page."""
TEXT_COLUMN = 12.0
"""A column that is wider, in parts of the size of its letters, is one of text, and its lines end where others do."""

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]
Stretch = tuple[float, float]
"""From where to where something reaches, along a line."""


@dataclass(slots=True)
class Bounds:
    """Where a line may stand: its left end, its middle or its right end is given, and how wide it may be."""

    anchor: float
    align: float
    """0 if the anchor is the left end, 0.5 the middle, 1 the right end."""
    width: float
    most: float = 0.0
    """How wide it may be if it would be hard to read in that width: beyond the lines above and below it, but neither
    off the page nor into another column.
    """

    def start(self, width: float) -> float:
        return self.anchor - self.align * width


class Surroundings:
    """The lines of a page as those of them see it that are touched, and set anew."""

    def __init__(self, others: Sequence[Line], touched: Sequence[Line]) -> None:
        self.others = others
        self.touched = touched
        self._parallel: dict[tuple[float, float], _Parallel] = {}

    def bounds(self, line: Line, bars: Sequence[Stretch], extent: Stretch) -> Bounds:
        """Where a touched line may stand, by lines that were not touched, bars, and the page from `extent[0]` to
        `extent[1]`.

        A paragraph that is centred or flush right stays so, whichever line of it this one happens to start under: that
        would tell how long it was. Lines that are read from right to left are seen in a mirror.
        """
        if not runs_leftward(line.text):
            return _bounds(line, self._parallel_to(line), bars, extent)
        surroundings, seen = self._mirror
        mirrored = [(-end, -start) for start, end in bars]
        line = seen[id(line)]
        found = _bounds(line, surroundings._parallel_to(line), mirrored, (-extent[1], -extent[0]))
        return replace(found, anchor=-found.anchor, align=1 - found.align)

    @cached_property
    def _mirror(self) -> tuple[Surroundings, dict[int, Line]]:
        """The same in a mirror, and each line in it."""
        seen = {id(each): replace(each, start=-each.end, end=-each.start) for each in (*self.others, *self.touched)}
        return Surroundings([seen[id(each)] for each in self.others], [seen[id(each)] for each in self.touched]), seen

    def _parallel_to(self, line: Line) -> _Parallel:
        found = self._parallel.get(line.direction)
        if found is None:
            found = self._parallel[line.direction] = _Parallel(self.others, self.touched, line)
        return found


class _Sorted:
    """Lines in the order of a place that each has."""

    def __init__(self, several: Sequence[Line], place: Callable[[Line], float]) -> None:
        ordered = sorted((found, number) for number, line in enumerate(several) if (found := place(line)) == found)
        self.places = [found for found, _ in ordered]
        self.lines = [several[number] for _, number in ordered]

    def range(self, place: float, reach: float) -> tuple[int, int]:
        """Which of them may have their place no further than that from another one: all that do, and few more."""
        reach += 1e-9 * (abs(place) + 1)
        return bisect_left(self.places, place - reach), bisect_right(self.places, place + reach)

    def near(self, place: float, reach: float) -> Iterator[Line]:
        """Those that have their place closer than that to another one."""
        start, end = self.range(place, reach)
        for at in range(start, end):
            if abs(self.places[at] - place) < reach:
                yield self.lines[at]


class _Parallel:
    """The lines that run in the direction of one: those that were not touched by where they are, and all of them from
    one to the next.
    """

    def __init__(self, others: Sequence[Line], touched: Sequence[Line], line: Line) -> None:
        self.lines = [other for other in others if is_parallel(other, line)]
        self.order = {id(other): number for number, other in enumerate(self.lines)}
        self.all = [*self.lines, *(other for other in touched if is_parallel(other, line))]
        self.by_base = _Sorted(self.lines, lambda other: other.base)
        self.by_start = _Sorted(self.lines, lambda other: other.start)
        self._lefts: dict[tuple[float, float, float], Stretch | None] = {}
        self._inside: dict[Stretch, _Inside] = {}

    @cached_property
    def _by_align(self) -> list[tuple[float, _Sorted]]:
        return [(align, _Sorted(self.lines, partial(_point, align=align))) for align in (1.0, 0.5)]

    @cached_property
    def _table(self) -> _Table:
        places = [[line.base, line.start, line.end, line.em] for line in self.all]
        bases, starts, ends, sizes = np.array(places, float).reshape(-1, 4).T
        return _Table(bases, starts, ends, sizes, np.argsort(bases, kind="stable"), np.argsort(-bases, kind="stable"))

    def stacked(self, line: Line, limits: Stretch) -> Iterator[tuple[int, list[Line]]]:
        """The lines above (1) and below (-1) a line that overlap with it and are as large, the nearest one first; those
        that were not touched, within limits.
        """
        table, count = self._table, len(self.lines)
        found = (table.starts < line.end) & (line.start < table.ends) & (abs(table.sizes - line.em) < 0.1 * line.em)
        found[:count] &= table.starts[:count] > limits[0] - NEAR
        found[:count] &= table.ends[:count] < limits[1] + NEAR
        for sign, order, beyond in (
            (1, table.upwards, table.bases > line.base),
            (-1, table.downwards, table.bases < line.base),
        ):
            yield sign, [self.all[number] for number in order[(found & beyond)[order]].tolist()]

    def inside(self, limits: Stretch) -> _Inside:
        """The lines that were not touched and stand within limits."""
        if limits not in self._inside:
            self._inside[limits] = _Inside([other for other in self.lines if _is_inside(other, limits)])
        return self._inside[limits]

    def lefts(self, start: float, limits: Stretch) -> Stretch | None:
        """Of the lines inside that start in one place, where the first of them starts, and how far they reach; None if
        there are none.
        """
        key = (start, *limits)
        if key not in self._lefts:
            several = [other for other in self.by_start.near(start, NEAR) if _is_inside(other, limits)]
            first = min(several, key=lambda other: self.order[id(other)], default=None)
            self._lefts[key] = (first.start, max(other.end for other in several)) if first is not None else None
        return self._lefts[key]

    def may_share(self, line: Line) -> bool:
        """Whether at least two lines that were not touched have their right ends or middles where a line has."""
        for align, ordered in self._by_align:
            start, end = ordered.range(_point(line, align), NEAR + EXACT)
            if end - start > 1:
                return True
        return False


class _Table(NamedTuple):
    """Where lines are and how large, and in which order they come on the way up and down."""

    bases: Floats
    starts: Floats
    ends: Floats
    sizes: Floats
    upwards: Numbers
    downwards: Numbers


class _Inside(NamedTuple):
    """Lines between limits."""

    lines: list[Line]

    def apart(self) -> list[Line]:
        """Those that start where no other of them does."""
        starts = sorted(line.start for line in self.lines)
        alone = {
            start
            for last, start, following in zip(
                [float("-inf"), *starts], starts, [*starts[1:], float("inf")], strict=False
            )
            if not (start - last < NEAR or following - start < NEAR)
        }
        return [line for line in self.lines if line.start in alone]


def _is_inside(other: Line, limits: Stretch) -> bool:
    return other.start > limits[0] - NEAR and other.end < limits[1] + NEAR


def _bounds(line: Line, parallel: _Parallel, bars: Sequence[Stretch], extent: Stretch) -> Bounds:
    """Where a line that is read from left to right may stand."""
    limits = left_limit, right_limit = _between(line, parallel, bars, extent)
    if shared := _shared(line, parallel, limits):
        align, anchor = shared
        room = anchor - left_limit
        return Bounds(anchor, align, room if align == 1.0 else 2 * min(room, right_limit - anchor))
    if lefts := parallel.lefts(line.start, limits):
        start, end = lefts
        most = _free(end, line, parallel, _mirrored(start, extent))
        reach = end if end - line.start > TEXT_COLUMN * line.em else most
        return Bounds(start, 0.0, min(reach, right_limit) - start, min(most, right_limit) - start)
    inside = parallel.inside(limits)
    right = _established(line.end, [other.end for other in inside.lines], least=3)
    if right is not None:
        return Bounds(right, 1.0, right - left_limit)
    middle, page = (line.start + line.end) / 2, sum(extent) / 2
    centre: float | None = page
    if abs(page - middle) >= NEAR:
        centre = _established(middle, [(other.start + other.end) / 2 for other in inside.apart()], least=2)
    if centre is not None and line.start - left_limit > line.em:
        return Bounds(centre, 0.5, 2 * min(centre - left_limit, right_limit - centre))
    start = _margin(line, inside.lines, left_limit, extent)
    return Bounds(start, 0.0, min(_mirrored(start, extent), right_limit) - start)


def _shared(line: Line, parallel: _Parallel, limits: Stretch) -> tuple[float, float] | None:
    """Where the right ends (1) or the middles (0.5) of a paragraph are, if more of its lines share these than a start,
    and this line does, too.
    """
    if not parallel.may_share(line):
        return None
    paragraph = _paragraph(line, parallel, limits)
    by_start = len(_gathered([other.start for other in paragraph]))
    if by_start == len(paragraph):
        return None
    for align in (1.0, 0.5):
        together = _gathered([_point(other, align) for other in paragraph])
        if len(together) > max(by_start, 1) and abs(together[0] - _point(line, align)) < NEAR:
            return align, together[0]
    return None


def _paragraph(line: Line, parallel: _Parallel, limits: Stretch) -> list[Line]:
    """The other lines that stand close above and below a line, or above and below those; without touched ones."""
    found: list[Line] = []
    for sign, stacked in parallel.stacked(line, limits):
        reached = line.base
        for other in stacked:
            step = sign * (other.base - reached)
            if step > PARAGRAPH * line.em:
                break
            if step > 0:
                found += [other] if id(other) in parallel.order else ()
                reached = other.base
    return found


def _point(line: Line, align: float) -> float:
    return line.start + align * (line.end - line.start)


def _gathered(places: Sequence[float]) -> list[float]:
    """The most places that are one, in order."""
    ordered = sorted(places)
    if ordered and ordered[-1] - ordered[0] < EXACT:
        return ordered
    best, end = (0, 0), 0
    for start, first in enumerate(ordered):
        while end < len(ordered) and ordered[end] - first < EXACT:
            end += 1
        if end - start > best[1] - best[0]:
            best = start, end
    return ordered[slice(*best)]


def _established(place: float, others: Sequence[float], least: int) -> float | None:
    """Where several others stand that stand where this does: fewer could do so by chance."""
    near = sorted(other for other in others if abs(other - place) < NEAR)
    return near[0] if len(near) >= least else None


def _margin(line: Line, inside: Sequence[Line], left_limit: float, extent: Stretch) -> float:
    """Where a line starts that is on no margin: beside what stands left of it, or else where others start, unless all
    of them stand in the right half of the page.
    """
    if left_limit > extent[0]:
        return left_limit
    starts = [other.start for other in inside if other.start > extent[0] and abs(other.base - line.base) > line.em]
    if starts and min(starts) < sum(extent) / 2:
        return min(starts)
    return extent[0] + min(MARGIN, (extent[1] - extent[0]) / 8)


def _free(end: float, line: Line, parallel: _Parallel, margin: float) -> float:
    """How far lines can reach that end at `end` now: up to what starts right of them close by, or to the margin."""
    near = parallel.by_base.near(line.base, 2 * PARAGRAPH * line.em)
    following = [other.start - 0.5 * line.em for other in near if other.start > end]
    return max(end, min([*following, margin]))


def _mirrored(start: float, extent: Stretch) -> float:
    """A right margin as wide as the left one."""
    return max(extent[1] - max(start - extent[0], 0.0), start + (extent[1] - start) / 2)


def is_parallel(other: Line | Show, line: Line) -> bool:
    return abs(other.direction[0] - line.direction[0]) + abs(other.direction[1] - line.direction[1]) < 0.02


def _between(line: Line, parallel: _Parallel, bars: Sequence[Stretch], extent: Stretch) -> Stretch:
    """The room between what stands left and right of a line, at the same height."""
    beside = [(other.start, other.end) for other in parallel.by_base.near(line.base, 0.8 * line.em)]
    left = [end + 0.3 * line.em for _, end in beside if end <= line.start + NEAR]
    right = [start - 0.3 * line.em for start, _ in beside if start >= line.end - NEAR]
    left += [end + 0.3 * line.em for start, end in bars if start < line.start]
    right += [start - 0.3 * line.em for start, end in bars if end > line.end]
    return max([*left, extent[0]]), min([*right, extent[1]])


class _Reach(NamedTuple):
    """How far a figure reaches: across the direction of a line and along it, and which of the page it is."""

    low: float
    high: float
    start: float
    end: float
    number: int


class Figures:
    """What a page draws that is no letter, as its lines see it."""

    def __init__(self, several: Sequence[Figure] = ()) -> None:
        self.several = several
        self._reaches: dict[tuple[float, float], tuple[list[float], list[_Reach]]] = {}

    def _beside(self, line: Line, low: float, high: float) -> Iterator[_Reach]:
        """How far those reach that begin between two heights over a line, and perhaps some more."""
        if line.direction not in self._reaches:
            found = sorted(self._measured(line.direction))
            self._reaches[line.direction] = [each.low for each in found], found
        lows, reaches = self._reaches[line.direction]
        slack = 1e-9 * (abs(line.base) + 1)
        first = bisect_left(lows, line.base + low - slack)
        yield from reaches[first : bisect_right(lows, line.base + high + slack)]

    def _measured(self, direction: tuple[float, float]) -> Iterator[_Reach]:
        ux, uy = direction
        for number, figure in enumerate(self.several):
            if figure.points:
                across = [y * ux - x * uy for x, y in figure.points]
                along = [x * ux + y * uy for x, y in figure.points]
                found = _Reach(min(across), max(across), min(along), max(along), number)
                if found.low == found.low:
                    yield found

    def bars(self, line: Line) -> list[Stretch]:
        """From where to where boxes reach that stand beside a line, and are about as high as it: what another tool put
        over words. What is set anew must not slide under them.
        """
        em = line.em
        found: list[Stretch] = []
        for each in self._beside(line, -0.7 * em, 0.2 * em):
            low, high, start, end = each.low - line.base, each.high - line.base, each.start, each.end
            if -0.7 * em < low < 0.2 * em and 0.4 * em < high < 1.7 * em:
                is_beside = end < line.start + 0.3 * em or start > line.end - 0.3 * em
                if is_beside and end - start > 0.5 * em:
                    found.append((start, end))
        return found

    def decorations(self, touched: Sequence[Line]) -> list[Figure]:
        """Lines under, through and boxes behind the words of touched lines: they are as wide as the words were. What
        reaches further is a part of a table or of the page.
        """
        found: set[int] = set()
        for line in touched:
            em = line.em
            for each in self._beside(line, -1.0 * em, 1.8 * em):
                within = line.start - em < each.start and each.end < line.end + em
                if within and line.base - 1.0 * em < each.low and each.high < line.base + 1.8 * em:
                    found.add(each.number)
        return [self.several[number] for number in sorted(found)]


def side_by_side(several: Sequence[Line]) -> set[int]:
    """The numbers of the lines that have another one at the same height."""
    rows: dict[tuple[float, float], list[tuple[float, int]]] = {}
    for number, line in enumerate(several):
        if line.base == line.base:
            rows.setdefault(line.direction, []).append((line.base, number))
    found: set[int] = set()
    for row in rows.values():
        for (base, number), (above, other) in pairwise(sorted(row)):
            apart = above - base
            found.update(each for each in (number, other) if apart < several[each].em / 2)
    return found
