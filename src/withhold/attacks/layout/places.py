"""Places of a layout where something was taken out, and how much room it had."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from withhold.learners.marks import marks_in
from withhold.types import Face, Layout, Line

_WORDS_APART = 0.13
"""A gap that a reader takes for a space, as a share of the size of the letters."""

_PAINTED, _EMPTY, _MOST = 1.0, 2.5, 25.0
"""Gaps that can have held something: from so many sizes on if something is painted there, from so many if nothing is;
and those that are rather a column's.
"""

_EDGE = 3.0
"""How far a bar may reach beyond what it hides, in points."""

_IN_LINE = 1.5
"""So many points apart, edges are meant to be in one line."""

_OPENING = frozenset("([{“‘\"'«‹—–-/")
_CLOSING = frozenset(")]}”’\"'»›.,;:!?—–-/")
_GOES_ON, _COMES_AFTER = re.compile(r"[a-z,;]"), re.compile(r"[a-z.,;:)!?]")


@dataclass(frozen=True, slots=True)
class Place:
    """Room for `width` points of text, give or take `slack`, in a face and size of the layout, with word spaces of
    `space`. The room of one that is not `telling` is that of the mark in it, and says nothing of what was there.
    """

    page: int
    width: float
    face: int
    size: float
    space: float
    slack: float = 0.0
    telling: bool = True


def places(layout: Layout, mark: str = "") -> list[Place]:
    """Every place, line by line, that is wide enough for a word."""
    return [
        place
        for index, line in enumerate(layout.lines)
        for place in _in_line(line, layout.lines[max(index - 1, 0) : index + 2], layout.faces, mark)
        if place.width >= place.size
    ]


def _in_line(line: Line, around: Sequence[Line], faces: Sequence[Face], mark: str) -> Iterator[Place]:
    marked = _marked(line, mark)
    kept = [index for index in range(len(line.text)) if index not in marked]
    space = _space(line, faces)
    used: set[tuple[float, float]] = set()
    for left, right in pairwise(kept):
        bars = [bar for bar in line.bars if line.ends[left] <= bar[0] + 1 and bar[1] - 1 <= line.starts[right]]
        wide = (line.starts[right] - line.ends[left]) / line.sizes[left]
        if right > left + 1:
            telling = not _is_natural(line, left, right, space)
        elif (bars and wide >= _PAINTED) or _was_left(line, left, right, around):
            telling = True
        else:
            continue
        used.update(bars)
        before, after = _spaces(line, left, right, space)
        width = line.starts[right] - line.ends[left] - before - after
        yield Place(line.page, width, line.faces[left], line.sizes[left], space, telling=telling)
    yield from _at_the_ends(line, kept, [bar for bar in line.bars if bar not in used], space)


def _marked(line: Line, mark: str) -> set[int]:
    """The letters that are part of a mark in words, as the line would be read."""
    text, letters = "", dict[int, int]()
    for index, letter in enumerate(line.text):
        if index and line.starts[index] - line.ends[index - 1] > _WORDS_APART * line.sizes[index]:
            text += " "
        letters[len(text)] = index
        text += letter
    return {letters[at] for span in marks_in(text, mark) for at in range(span.start, span.end) if at in letters}


def _space(line: Line, faces: Sequence[Face]) -> float:
    """The word space of a line: what most of its words are apart, or what its font has."""
    gaps = [start - end for end, start in zip(line.ends, line.starts[1:], strict=False)]
    words = [gap for gap, size in zip(gaps, line.sizes, strict=False) if _WORDS_APART * size < gap < _EMPTY * size]
    return median(words) if words else faces[line.faces[0]].widths.get(" ", 0.25) * line.sizes[0]


def _spaces(line: Line, left: int, right: int, space: float) -> tuple[float, float]:
    """The word spaces that stood between what is gone and the letters beside it."""
    return (
        0.0 if line.text[left] in _OPENING else space,
        0.0 if line.text[right] in _CLOSING else space,
    )


def _is_natural(line: Line, left: int, right: int, space: float) -> bool:
    """Whether a mark stands among its neighbours as words do: then its line was set anew around it."""
    near = 0.15 * line.sizes[left]
    before, after = line.starts[left + 1] - line.ends[left], line.starts[right] - line.ends[right - 1]
    return all(abs(gap) <= near or abs(gap - space) <= near for gap in (before, after))


def _was_left(line: Line, left: int, right: int, around: Sequence[Line]) -> bool:
    """Whether a gap with nothing in it parts a sentence, and is not one of a column."""
    start, end = line.ends[left], line.starts[right]
    wide = (end - start) / line.sizes[left]
    if not (_EMPTY <= wide <= _MOST and _GOES_ON.match(line.text[left]) and _COMES_AFTER.match(line.text[right])):
        return False
    return not any(
        _is_column(start, end, other.ends[index], other.starts[index + 1])
        for other in around
        if other is not line and other.page == line.page
        for index in range(len(other.text) - 1)
    )


def _is_column(start: float, end: float, other_start: float, other_end: float) -> bool:
    """Whether two gaps of neighbouring lines lie above one another and have an edge in common."""
    overlap = min(end, other_end) - max(start, other_start)
    return overlap > (end - start) / 2 and min(abs(start - other_start), abs(end - other_end)) < _IN_LINE


def _at_the_ends(line: Line, kept: Sequence[int], bars: Sequence[tuple[float, float]], space: float) -> Iterator[Place]:
    """Bars before the first word or after the last, whose own edges are all there is to go by."""
    if not kept:
        return
    first, last = kept[0], kept[-1]
    for start, end in bars:
        if end <= line.starts[first] + 1:
            width = line.starts[first] - (0.0 if line.text[first] in _CLOSING else space) - start
            yield Place(line.page, width, line.faces[first], line.sizes[first], space, _EDGE)
        elif start >= line.ends[last] - 1:
            width = end - line.ends[last] - (0.0 if line.text[last] in _OPENING else space)
            yield Place(line.page, width, line.faces[last], line.sizes[last], space, _EDGE)
