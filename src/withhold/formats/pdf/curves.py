"""Words whose letters stand on a curve, as in seals: each letter is turned a little further than the one before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import hypot

from withhold.formats.pdf.glyphs import Glyph

_LEAST = 4
"""So many letters make a curve, in three directions at least."""
_DIRECTIONS = 3
_TURN = 0.5
"""The least that two neighbours agree in direction, from -1 to 1."""
_CLOSE, _ALIKE = 1.2, 0.1
"""How far a letter may be from the end of the one before it, and how much larger or smaller, in parts of its size."""


def bent(glyphs: Sequence[Glyph], hidden: Collection[Glyph]) -> dict[Glyph, int]:
    """The letters that stand on curves, and which curve each is on, as a negative number."""
    found: dict[Glyph, int] = {}
    for number, stretch in enumerate(_stretches(glyphs, hidden), 1):
        if len(stretch) >= _LEAST and len({glyph.show.direction for glyph in stretch}) >= _DIRECTIONS:
            found.update(dict.fromkeys(stretch, -number))
    return found


def _stretches(glyphs: Sequence[Glyph], hidden: Collection[Glyph]) -> Iterator[list[Glyph]]:
    """Letters that follow one another, each drawn by itself, at least two of which differ in direction."""
    stretch: list[Glyph] = []
    for last, glyph in pairwise(glyphs):
        is_next = glyph.show is not last.show and not (hidden and (last in hidden or glyph in hidden))
        if is_next and (stretch or last.show.direction != glyph.show.direction) and _goes_on(last, glyph):
            stretch = stretch or [last]
            stretch.append(glyph)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _goes_on(last: Glyph, glyph: Glyph) -> bool:
    """Whether a letter begins where another one ends, and in much the same direction."""
    one, other = last.show, glyph.show
    if len(one.glyphs) != 1 or len(other.glyphs) != 1 or one.pieces != other.pieces:
        return False
    (ux, uy), (vx, vy), em = one.direction, other.direction, max(one.em, 0.1)
    apart = hypot(last.x + ux * last.advance - glyph.x, last.y + uy * last.advance - glyph.y)
    return ux * vx + uy * vy > _TURN and apart < _CLOSE * em and abs(one.em - other.em) < _ALIKE * em
