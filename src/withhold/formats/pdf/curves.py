"""Words whose letters stand on a curve, as in seals: each letter is turned a little further than the one before it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from math import hypot

from withhold.formats.pdf.glyphs import Show

_LEAST = 4
"""So many letters make a curve, in three directions at least."""
_DIRECTIONS = 3
_TURN = 0.5
"""The least that two neighbours agree in direction, from -1 to 1."""
_CLOSE, _ALIKE = 1.2, 0.1
"""How far a letter may be from the end of the one before it, and how much larger or smaller, in parts of its size."""


def bent(shows: Sequence[Show], hidden: Container[Show]) -> dict[Show, int]:
    """What shows the letters that stand on curves, and which curve each is on, as a negative number."""
    found: dict[Show, int] = {}
    for number, stretch in enumerate(_stretches(shows, hidden), 1):
        if len(stretch) >= _LEAST and len({show.direction for show in stretch}) >= _DIRECTIONS:
            found.update(dict.fromkeys(stretch, -number))
    return found


def _stretches(shows: Sequence[Show], hidden: Container[Show]) -> Iterator[list[Show]]:
    """Letters that follow one another, each drawn by itself, at least two of which differ in direction."""
    stretch: list[Show] = []
    for last, show in pairwise(shows):
        is_next = len(last.shifts) == 1 == len(show.shifts) and (stretch or last.direction != show.direction)
        if is_next and _goes_on(last, show) and not (last in hidden or show in hidden):
            stretch = stretch or [last]
            stretch.append(show)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _goes_on(one: Show, other: Show) -> bool:
    """Whether a letter begins where another one ends, and in much the same direction."""
    if one.cuts != other.cuts:
        return False
    last, glyph = one.glyph(0), other.glyph(0)
    (ux, uy), (vx, vy), em = one.direction, other.direction, max(one.em, 0.1)
    apart = hypot(last.x + ux * last.advance - glyph.x, last.y + uy * last.advance - glyph.y)
    return ux * vx + uy * vy > _TURN and apart < _CLOSE * em and abs(one.em - other.em) < _ALIKE * em
