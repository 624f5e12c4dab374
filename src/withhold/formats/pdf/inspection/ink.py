"""How much of each glyph's ink a reader sees: the page is drawn with its text, without it, and with nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from withhold.formats.pdf.inspection.sheets import Flags, Floats, Glyphs, Pixels, Sheet

FAINT = 12
"""A pixel that text changes by fewer of 255 levels than this looks the same."""

_INKLESS = 40.0
"""A glyph whose ink comes to less than this many levels has none to speak of."""


@dataclass(frozen=True, eq=False, repr=False)
class Ink:
    """What a page shows of its glyphs. `weights` is how black each would be alone, `shares` how much of that is seen
    (1 where there is nothing to see); `places` are the boxes in pixels of the pictures.
    """

    scale: float
    seen: Pixels
    ground: Pixels
    alone: Pixels
    places: Floats
    weights: Floats
    shares: Floats

    @property
    def inkless(self) -> Flags:
        found: Flags = self.weights < _INKLESS
        return found

    def share(self, picture: Pixels) -> Floats:
        """How much of each glyph's ink is seen in another picture of the page."""
        return _shares(self.alone, picture, self.ground, self.places, self.weights)


def look(sheet: Sheet, glyphs: Glyphs, scale: float) -> Ink:
    """The ink of every glyph at that scale. The sheet's texts are black afterwards, and nothing else is shown."""
    scale = sheet.scale(scale)
    sheet.blocks = glyphs.blocks
    texts, others = sheet.texts, sheet.others
    seen = sheet.render(scale)
    sheet.show(texts, False)
    ground = sheet.render(scale)
    sheet.show(texts, True)
    sheet.show(others, False)
    sheet.colour(texts, 0, 0, 0)
    alone = 255 - sheet.render(scale, annotations=False)[:, :, 1]
    places = sheet.on_picture(glyphs.boxes, seen.shape)
    weights = _sums(alone, places)
    return Ink(scale, seen, ground, alone, places, weights, _shares(alone, seen, ground, places, weights))


def _shares(alone: Pixels, picture: Pixels, ground: Pixels, places: Floats, weights: Floats) -> Floats:
    visible = _sums(alone * changed(picture, ground), places)
    shares: Floats = np.where(weights < _INKLESS, 1.0, visible / np.maximum(weights, 1.0))
    return shares


def changed(first: Pixels, second: Pixels) -> Flags:
    """Where two pictures differ visibly."""
    apart = np.maximum(first, second) - np.minimum(first, second) > FAINT
    differs: Flags = apart[:, :, 0] | apart[:, :, 1] | apart[:, :, 2]
    return differs


def _sums(picture: Pixels, places: Floats) -> Floats:
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
    limits = (width, height, width, height)
    rounded = np.column_stack((np.floor(places[:, :2]), np.ceil(places[:, 2:])))
    left, top, right, bottom = np.clip(rounded, 0, limits).astype(np.int64).T
    top, bottom = top * width, bottom * width
    total: Floats = (flat[bottom + right] - flat[bottom + left] - (flat[top + right] - flat[top + left])).astype(float)
    return total
