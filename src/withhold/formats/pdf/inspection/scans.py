"""Pictures of text that something is drawn over: a scan with boxes on it still has what is under them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from withhold.formats.pdf.inspection.ink import changed
from withhold.formats.pdf.inspection.sheets import File, Floats, Packed, Pixels, Sheet, pixels

_SCALE = 1.5
_LEAST, _HIGHEST = 5.0, 60.0
"""A bar over text is at least so many points wide and high, and no higher than a few lines."""

_FLAT, _INK, _PAPER = 25, 70, 150
_SOME, _MUCH = 0.03, 0.6
"""Text is ink that takes up some of its paper, and not most."""


def covered_pictures(document: File, number: int) -> list[Floats]:
    """The boxes, in points of the page, of bars that are drawn over what looks like text in a picture."""
    with Sheet(document, number) as sheet:
        rest = [place for place in sheet.others if place not in set(sheet.images)]
        if not sheet.images or not (rest or sheet.has_annotations):
            return []
        scale = sheet.scale(_SCALE)
        sheet.show(sheet.texts, False)
        seen = sheet.draw(scale)
        sheet.show(rest, False)
        pictured = sheet.draw(scale, annotations=False)
        return [sheet.on_page(place, seen.shape) for place in _covered(seen, pictured, scale)]


def _covered(seen: Packed, pictured: Packed, scale: float) -> Iterator[Floats]:
    """Flat patches of one picture where the other has something like text, as left, top, right and bottom."""
    from scipy import ndimage

    patches, count = ndimage.label(ndimage.binary_closing(changed(seen, pictured), np.ones((3, 3), bool)))
    flat, paper = pixels(seen).max(axis=2), pixels(pictured).max(axis=2)
    for found in ndimage.find_objects(patches)[: min(count, 2000)]:
        rows, columns = found
        height, width = (rows.stop - rows.start) / scale, (columns.stop - columns.start) / scale
        if width < _LEAST or not _LEAST <= min(height, width) <= _HIGHEST:
            continue
        inner = (_within(rows), _within(columns))
        if _is_flat(flat[inner]) and _is_text(paper[inner]):
            yield np.array([columns.start, rows.start, columns.stop, rows.stop], np.float64)


def _within(along: slice) -> slice:
    """A stretch without its ends, where edges are blurred."""
    return slice(along.start + 1, max(along.stop - 1, along.start + 2))


def _is_flat(part: Pixels) -> bool:
    low, high = np.quantile(part, (0.05, 0.95))
    return bool(high - low <= _FLAT)


def _is_text(part: Pixels) -> bool:
    paper = float(np.quantile(part, 0.9))
    ink = float((part < paper - _INK).mean())
    return paper >= _PAPER and _SOME <= ink <= _MUCH
