"""Pictures of pages with what they hide marked on them. They show the document: make them only for who may see it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from withhold.formats.pdf.inspection import unseen_text
from withhold.formats.pdf.inspection.sheets import Floats, Sheet, opened
from withhold.formats.pdf.inspection.unseen import (
    BLACKENED,
    CLIPPED,
    COVERED_PICTURE,
    INVISIBLE_TEXT,
    LABEL,
    OCR_LAYER,
    OFF_PAGE,
    OPTIONAL,
    PALE,
    TINY,
    UNDER_ANNOTATION,
    UNDER_DRAWING,
    UNDER_IMAGE,
    UNDRAWN,
    WHITE,
    Unseen,
)

COLOURS: dict[str, tuple[int, int, int]] = {
    UNDER_DRAWING: (214, 39, 40),
    UNDER_IMAGE: (255, 110, 60),
    COVERED_PICTURE: (255, 0, 160),
    UNDER_ANNOTATION: (227, 119, 194),
    BLACKENED: (255, 176, 0),
    WHITE: (148, 103, 189),
    PALE: (120, 60, 160),
    INVISIBLE_TEXT: (31, 119, 180),
    TINY: (23, 190, 207),
    CLIPPED: (44, 160, 44),
    OFF_PAGE: (140, 86, 75),
    OPTIONAL: (188, 189, 34),
    OCR_LAYER: (150, 200, 150),
    LABEL: (160, 160, 160),
    UNDRAWN: (190, 190, 190),
}
_OTHER = (90, 90, 90)
_LEAST = 6
"""A mark has at least so many pixels either way, so that tiny text shows."""


def pictures(data: bytes, *, scale: float = 1.5, password: str | None = None) -> Iterator[tuple[int, bytes]]:
    """A PNG of every page that hides text, with its number from 1. Kinds have colours of their own, which a legend
    under the page names.

    Raises:
        DocumentError: as `hidden` does.
    """
    with opened(data, password) as document:
        for number, found in groupby(unseen_text(data, password), key=lambda each: each.page):
            marked = [each for each in found if len(each.boxes)]
            if marked:
                yield number + 1, _picture(document, number, marked, scale)


def _picture(document: Any, number: int, found: Sequence[Unseen], scale: float) -> bytes:
    with Sheet(document, number) as sheet:
        pixels = sheet.render(sheet.scale(scale))
        marks = [(each.kind, _lines(sheet.on_picture(each.boxes, pixels.shape))) for each in found]
    page = Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    _mark(page, marks)
    out = io.BytesIO()
    _with_legend(page, Counter(each.kind for each in found)).save(out, "PNG")
    return out.getvalue()


def _lines(boxes: Floats) -> list[tuple[float, float, float, float]]:
    """One box around the letters of each line, whichever way it runs."""
    lines: list[Floats] = []
    for box in boxes:
        if lines and _beside(lines[-1], box):
            lines[-1] = np.hstack((np.minimum(lines[-1][:2], box[:2]), np.maximum(lines[-1][2:], box[2:])))
        else:
            lines.append(box)
    return [(float(left), float(top), float(right), float(bottom)) for left, top, right, bottom in lines]


def _beside(line: Floats, box: Floats) -> bool:
    """Whether a letter is in one row or column with those before it, and not far."""
    overlap = np.minimum(line[2:], box[2:]) - np.maximum(line[:2], box[:2])
    size = np.maximum(box[2:] - box[:2], 1.0)
    across, down = overlap > -0.5 * size.max() - 8
    return bool((overlap[1] > 0.2 * size[1] and across) or (overlap[0] > 0.2 * size[0] and down))


def _mark(page: Image.Image, marks: Sequence[tuple[str, list[tuple[float, float, float, float]]]]) -> None:
    """Frames with a faint filling; what lies off the page has its mark at the edge."""
    pen = ImageDraw.Draw(page, "RGBA")
    for kind, boxes in marks:
        colour = COLOURS.get(kind, _OTHER)
        for left, top, right, bottom in boxes:
            left, right = _kept(left - 2, right + 2, page.width)
            top, bottom = _kept(top - 2, bottom + 2, page.height)
            pen.rectangle((left, top, right, bottom), fill=(*colour, 110), outline=(*colour, 255), width=2)


def _kept(low: float, high: float, limit: int) -> tuple[float, float]:
    """A stretch, moved onto the page and made wide enough to be seen."""
    low, high = min(max(low, 0.0), limit - _LEAST - 1.0), max(min(high, limit - 1.0), _LEAST)
    return low, max(high, low + _LEAST)


def _with_legend(page: Image.Image, kinds: Counter[str]) -> Image.Image:
    font, row = ImageFont.load_default(16), 26
    whole = Image.new("RGB", (max(page.width, 360), page.height + row * len(kinds) + 14), "white")
    whole.paste(page, (0, 0))
    pen = ImageDraw.Draw(whole)
    pen.line((0, page.height, whole.width, page.height), fill=(120, 120, 120))
    for place, (kind, count) in enumerate(sorted(kinds.items())):
        top = page.height + 10 + row * place
        pen.rectangle((14, top, 32, top + 16), fill=COLOURS.get(kind, _OTHER))
        pen.text((42, top - 2), f"{kind}: {count}", fill="black", font=font)
    return whole
