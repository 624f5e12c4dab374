"""How much of each glyph's ink a reader sees: the page is drawn with its text, without it, and with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from withhold.formats.pdf.inspection.sheets import (
    WHITE,
    Flags,
    Floats,
    Glyphs,
    Packed,
    Pixels,
    Places,
    Sheet,
    pixels,
)

FAINT = 12
"""A pixel that text changes by fewer of 255 levels than this looks the same."""

_INKLESS = 40.0
"""A glyph whose ink comes to less than this many levels has none to speak of."""

_SIZES = (8, 12, 16, 32, 64)
"""Boxes are looked at in windows that are so many pixels wide and high, if all fit into these and come to no more than
`_OFTEN` times the picture.
"""
_OFTEN = 3
_SMALL = 16
_AT_ONCE = 50_000
"""So many pixels of windows are taken at a time: they should not leave the processor in between."""


@dataclass(frozen=True, eq=False, repr=False)
class Ink:
    """What a page shows of its glyphs. `weights` is how black each would be alone, `shares` how much of that is seen
    (1 where there is nothing to see); `places` are the boxes in pixels of the pictures.
    """

    scale: float
    paper: Packed | None
    """The page without its texts; None if it is blank then."""
    black: Packed
    """Its texts in black, without the page."""
    places: Floats
    weights: Floats
    shares: Floats

    @cached_property
    def ground(self) -> Pixels:
        """The page without its texts, as rows of blue, green and red."""
        return pixels(np.full_like(self.black, WHITE) if self.paper is None else self.paper)

    @property
    def inkless(self) -> Flags:
        found: Flags = self.weights < _INKLESS
        return found

    def share(self, picture: Packed) -> Floats:
        """How much of each glyph's ink is seen in another picture of the page."""
        return _shares(*_inks(self.black, picture, self.paper, self.places))


def look(sheet: Sheet, glyphs: Glyphs, scale: float) -> Ink:
    """The ink of every glyph at that scale. The sheet's texts are black afterwards, and nothing else is shown. The next
    look at any page of the same file draws over the pictures of this one.
    """
    scale = sheet.scale(scale)
    sheet.blocks = glyphs.blocks
    is_bare = sheet.is_bare
    seen = sheet.draw(scale, on="seen")
    paper = None if is_bare else _without_text(sheet, scale)
    black = seen if is_bare and sheet.is_black else _text_alone(sheet, scale)
    places = sheet.on_picture(glyphs.boxes, seen.shape)
    weights, visible = _inks(black, seen, paper, places)
    return Ink(scale, paper, black, places, weights, _shares(weights, visible))


def _without_text(sheet: Sheet, scale: float) -> Packed:
    sheet.show(sheet.texts, False)
    paper = sheet.draw(scale, on="paper")
    sheet.show(sheet.texts, True)
    return paper


def _text_alone(sheet: Sheet, scale: float) -> Packed:
    sheet.show(sheet.others, False)
    sheet.colour(sheet.texts, 0, 0, 0)
    return sheet.draw(scale, annotations=False, on="black")


def _shares(weights: Floats, visible: Floats) -> Floats:
    shares: Floats = np.where(weights < _INKLESS, 1.0, visible / np.maximum(weights, 1.0))
    return shares


def changed(first: Packed, second: Packed | None) -> Flags:
    """Where two pictures differ visibly; the second is blank if it is None."""
    one = first.view(np.uint8)
    if second is None:
        apart = one < 255 - FAINT
    else:
        other = second.view(np.uint8)
        apart = np.maximum(one, other) - np.minimum(one, other) > FAINT
    differs: Flags = apart.view(np.uint32) != 0
    return differs


def _inks(black: Packed, picture: Packed, paper: Packed | None, places: Floats) -> tuple[Floats, Floats]:
    """How much ink the texts leave in each box if they are drawn alone, and how much of that the picture shows."""
    edges = _edges(places, black.shape)
    left, top, right, bottom = edges
    width, height = right - left, bottom - top
    area = int((width * height).clip(0).sum())
    largest = max(width.max(initial=0), height.max(initial=0))
    if largest > _SIZES[-1] or min(black.shape) < _SIZES[-1] or area > _OFTEN * black.size:
        alone = 255 - pixels(black)[:, :, 1]
        return _sums(alone, edges), _sums(alone * changed(picture, paper), edges)
    weights, visible = np.zeros(len(places)), np.zeros(len(places))
    for some, size, corner, outside in _windows(edges, black.shape):
        ink = _taken(black, size, corner)
        ink |= outside
        is_changed = changed(
            ink if picture is black else _taken(picture, size, corner),
            None if paper is None else _taken(paper, size, corner),
        )
        ink >>= 8
        ink &= 255
        ink ^= 255
        weights[some] = ink.sum(axis=1, dtype=np.uint32)
        ink *= is_changed
        visible[some] = ink.sum(axis=1, dtype=np.uint32)
    return weights, visible


def _taken(picture: Packed, size: int, corner: tuple[Places, Places]) -> Packed:
    """The pixels of square windows of a picture, a row for each, by the places of their upper left corners."""
    found: Packed = sliding_window_view(picture, (size, size))[corner].reshape(-1, size * size)
    return found


def _edges(places: Floats, shape: tuple[int, ...]) -> Places:
    """The left, top, right and bottom of all pixels that boxes touch: a row for each."""
    edges: Floats = np.empty((4, len(places)))
    for row, (along, limit) in enumerate(zip(places.T, (*shape[::-1], *shape[::-1]), strict=True)):
        (np.floor if row < 2 else np.ceil)(along, out=edges[row])
        edges[row].clip(0, limit, out=edges[row])
    return edges.astype(np.int64)


def _windows(edges: Places, shape: tuple[int, ...]) -> Iterator[tuple[Places, int, tuple[Places, Places], Packed]]:
    """Boxes of about one size, by their numbers; the size of a square window around each, with its upper left corner;
    and white for the pixels of each window that are not in the box, a row for each.
    """
    left, top, right, bottom = edges
    width, height = right - left, bottom - top
    sizes = np.where((width > 0) & (height > 0), np.maximum(width, height), 0)
    known = 0
    for size in _SIZES:
        alike = np.flatnonzero((sizes > known) & (sizes <= size))
        known, several = size, max(1, _AT_ONCE // size**2)
        for start in range(0, len(alike), several):
            some = alike[start : start + several]
            above, before = np.minimum(top[some], shape[0] - size), np.minimum(left[some], shape[1] - size)
            if size <= _SMALL and (above == top[some]).all() and (before == left[some]).all():
                outside = _corners(size)[height[some] * (size + 1) + width[some]]
            else:
                is_over = _is_out(size, top[some] - above, bottom[some] - above)
                is_beside = _is_out(size, left[some] - before, right[some] - before)
                outside = (is_over[:, :, None] | is_beside[:, None]).reshape(len(some), -1)
            yield some, size, (above, before), outside


@cache
def _corners(size: int) -> Packed:
    """What is outside of boxes of every height and width in the upper left corner of a window."""
    out = _is_out(size, np.zeros(size + 1, np.int64), np.arange(size + 1))
    return (out[:, None, :, None] | out[None, :, None, :]).reshape(-1, size * size)


def _is_out(size: int, start: Places, end: Places) -> Packed:
    """White for those of the first numbers that are not in a stretch; a row for each stretch."""
    numbers = np.arange(size)
    inside = (numbers >= start[:, None]) & (numbers < end[:, None])
    return (~inside).astype(np.uint32) * np.uint32(WHITE)


def _sums(picture: Pixels, edges: Places) -> Floats:
    """The sum over each box, from sums over all rows above each pixel, summed once more from the first pixel to the
    last. These run over: their differences are right all the same, as long as no box is so dark that its own sum would.
    """
    height, width = picture.shape
    sums = np.zeros((height + 1, width), np.uint32)
    sums[1:] = picture
    for above, row in pairwise(sums):  # quicker than a sum down the columns, which are far apart in memory
        row += above
    flat = np.zeros(sums.size + 1, np.uint32)
    np.cumsum(sums.ravel(), out=flat[1:], dtype=np.uint32)
    left, top, right, bottom = edges
    top, bottom = top * width, bottom * width
    total: Floats = (flat[bottom + right] - flat[bottom + left] - (flat[top + right] - flat[top + left])).astype(float)
    return total
