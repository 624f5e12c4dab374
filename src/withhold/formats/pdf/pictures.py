"""Pages as pictures, and where the text of a document stands on them: what a workbench shows beside the text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from withhold.errors import DamagedDocument
from withhold.formats.pdf.inspection.sheets import Sheet, opened
from withhold.formats.pdf.lines import Line
from withhold.formats.pdf.opening import password_of
from withhold.formats.pdf.pages import File, Page, open_file, places
from withhold.spans import Span
from withhold.types import Box, Document

_LARGEST = 8.0


def count(data: bytes, password: str | None = None) -> int:
    """How many pages a file has."""
    with opened(data, password) as document:
        return len(document)


def picture(data: bytes, page: int, scale: float = 1.5, password: str | None = None) -> bytes:
    """A PNG of one page, counted from 1, at so many pixels a point; a page that is too large for that is smaller.

    Raises:
        DamagedDocument: if there is no such page, or it cannot be drawn.
    """
    from PIL import Image

    with opened(data, password) as document:
        if not 1 <= page <= len(document):
            raise DamagedDocument(f"the PDF has no page {page}; there are {len(document)}")
        with Sheet(document, page - 1) as sheet:
            pixels = sheet.render(sheet.scale(min(scale, _LARGEST)))
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1])).save(out, "PNG")
    return out.getvalue()


def boxes(document: Document, spans: Sequence[Span]) -> list[tuple[Box, ...]]:
    """Where each span stands: a box for every line it touches, in the order of the text."""
    file = open_file(document.native, document.handling)
    rows = [
        (block.span, place)
        for block, place in zip(document.blocks, places(file), strict=True)
        if place is not None and block.span
    ]
    found = sorted(_found(file, rows, spans), key=lambda each: each[1][0])
    shown: dict[int, list[Box]] = {index: [] for index in range(len(spans))}
    with opened(document.native, password_of(document.handling) or None) as pages:
        for page, several in groupby(found, key=lambda each: each[1][0]):
            for index, box in _shown(pages, file.pages[page - 1], list(several)):
                shown[index].append(box)
    return [tuple(each) for each in shown.values()]


Row = tuple[Span, tuple[int, int]]
Found = tuple[int, tuple[int, int], tuple[float, float, float, float]]
"""Of a span: its number, page and line, and left, bottom, right and top in points."""


def _found(file: File, rows: Sequence[Row], spans: Sequence[Span]) -> Iterator[Found]:
    starts = np.array([row.start for row, _ in rows])
    ends = np.array([row.end for row, _ in rows])
    for index, span in enumerate(spans):
        touched = np.flatnonzero((starts < span.end) & (ends > span.start))
        for at in touched.tolist():
            row, (page, line) = rows[at]
            box = _box(file.pages[page - 1].lines[line], row.start, span)
            if box is not None:
                yield index, (page, line), box


def _box(line: Line, start: int, span: Span) -> tuple[float, float, float, float] | None:
    """The box around the letters of a line that are part of a span; None if none of them is drawn."""
    corners: list[tuple[float, float]] = []
    for letter in line.letters:
        end = start + len(letter.text)
        if letter.glyph is not None and start < span.end and end > span.start:
            corners += letter.glyph.quad
        start = end
    if not corners:
        return None
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _shown(pages: Any, page: Page, found: Sequence[Found]) -> Iterator[tuple[int, Box]]:
    """The boxes of one page, as it is shown: turned and cropped, unless it was read from its picture."""
    points = np.array([box for _, _, box in found])
    if page.scan is not None:
        size = (page.scan.picture.width, page.scan.picture.height)
        left, low, right, high = points.T
        shares = np.column_stack((left, size[1] - high, right, size[1] - low)) / (*size, *size)
    else:
        with Sheet(pages, page.number - 1) as sheet:
            shares = sheet.on_picture(points, (1, 1))
    for (index, _, _), edges in zip(found, shares.clip(0.0, 1.0).tolist(), strict=True):
        yield index, Box(page.number, *(round(edge, 5) for edge in edges))
