"""Where letters stand on the pages of a PDF, as PDFium measures it, and where something is painted between them."""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import numpy as np
import pypdfium2.raw as raw

from withhold.errors import DocumentError
from withhold.formats.pdf.inspection.sheets import Flags, Floats, Pixels, Sheet, opened
from withhold.types import Face, Layout, Line

_SCALE = 2.0
_DARK = 110
_STEP = 0.25
_LEAST, _LARGEST = 0.5, 1000.0
"""Sizes of letters, in points, that can be measured."""

_REACH = 400.0
"""Bars are looked for so many points beyond the letters of a line."""

_UNKNOWN = "\ue000"
"""A letter that no font has: what a font says of it, it says of all that it does not have."""

_ALPHABET = "".join(map(chr, (*range(0x21, 0x7F), *range(0xA1, 0x180), *range(0x2010, 0x2027)))) + " "


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Letter:
    """A letter with its place along its line, and across."""

    text: str
    along: float
    across: float
    angle: float
    size: float
    face: int


def layout(data: bytes, password: str | None = None) -> Layout:
    """The lines of all pages, each page from its top; pages that cannot be opened have none.

    Raises:
        EncryptedDocument, DamagedDocument: if the file cannot be opened.
    """
    faces = _Faces()
    lines: list[Line] = []
    with opened(data, password) as document:
        for number in range(len(document)):
            try:
                with Sheet(document, number) as sheet:
                    lines += _page(sheet, number + 1, faces)
            except DocumentError:
                continue
    return Layout(tuple(Face(widths) for widths in faces.widths), tuple(lines))


class _Faces:
    """The fonts met so far, and the widths of their letters."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self.widths: list[dict[str, float]] = []

    def see(self, place: int, font: Any, letter: str) -> None:
        """A letter that is set in a font is one the font has, whatever its width."""
        if letter not in self.widths[place]:
            self.widths[place][letter] = _width(font, letter)

    def place(self, font: Any) -> int:
        """The number of a font. PDFium has one object for each on every page, so they are told by what they are."""
        widths = _widths(font)
        name = _name(font) + repr(sorted(widths.items())).encode()
        if name not in self._places:
            self._places[name] = len(self.widths)
            self.widths.append(widths)
        return self._places[name]


def _page(sheet: Sheet, number: int, faces: _Faces) -> Iterator[Line]:
    letters = list(_letters(sheet, faces))
    picture = sheet.render(sheet.scale(_SCALE)) if letters else None
    for line in _lines(letters):
        starts = [each.along for each in line]
        ends = [
            start + faces.widths[each.face][each.text] * each.size for start, each in zip(starts, line, strict=True)
        ]
        assert picture is not None
        yield Line(
            number,
            "".join(each.text for each in line),
            tuple(round(start, 3) for start in starts),
            tuple(round(end, 3) for end in ends),
            tuple(each.face for each in line),
            tuple(round(each.size, 3) for each in line),
            tuple(_bars(sheet, picture, line, starts, ends)),
        )


def _letters(sheet: Sheet, faces: _Faces) -> Iterator[_Letter]:
    text_page = sheet.text_page()
    page, known = text_page.raw, dict[int, int]()
    x, y, matrix = ctypes.c_double(), ctypes.c_double(), raw.FS_MATRIX()
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(page, index)
        letter = chr(code) if 32 < code < 0x110000 else " "
        holder = raw.FPDFText_GetTextObject(page, index)
        if letter.isspace() or not letter.isprintable() or not holder:
            continue
        raw.FPDFText_GetCharOrigin(page, index, x, y)
        raw.FPDFText_GetMatrix(page, index, matrix)
        font = raw.FPDFTextObj_GetFont(holder)
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in known:
            known[address] = faces.place(font)
        faces.see(known[address], font, letter)
        size = raw.FPDFText_GetFontSize(page, index) * math.hypot(matrix.a, matrix.b)
        if not _LEAST < size < _LARGEST:
            continue
        angle = round(math.atan2(matrix.b, matrix.a), 3)
        ux, uy = math.cos(angle), math.sin(angle)
        along, across = x.value * ux + y.value * uy, y.value * ux - x.value * uy
        yield _Letter(letter, along, across, angle, size, known[address])
    text_page.close()


def _lines(letters: Sequence[_Letter]) -> Iterator[list[_Letter]]:
    """Letters with one direction and nearly one base line, in the order they stand along it."""
    turned: dict[float, list[_Letter]] = defaultdict(list)
    for letter in letters:
        turned[letter.angle].append(letter)
    for _, together in sorted(turned.items()):
        rows: list[list[_Letter]] = []
        for letter in sorted(together, key=lambda each: -each.across):
            if rows and rows[-1][0].across - letter.across < 0.3 * max(letter.size, 1.0):
                rows[-1].append(letter)
            else:
                rows.append([letter])
        for row in rows:
            yield sorted(row, key=lambda each: each.along)


def _bars(
    sheet: Sheet, picture: Pixels, line: Sequence[_Letter], starts: Sequence[float], ends: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """Dark stretches in the line that no letter stands in, at least nearly as wide as a letter is high. They are looked
    for in large steps first.
    """
    size = max(each.size for each in line)
    for step in (min(size / 4, 2.0), _STEP):
        at = np.arange(min(starts) - _REACH, max(ends) + _REACH, step)
        dark = _is_dark(sheet, picture, at, line[0], size) & ~_lettered(at, starts, ends)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], dark, [False])).astype(np.int8))).reshape(-1, 2)
        bars = [(at[first], at[last - 1]) for first, last in edges if (last - first + 1) * step >= 0.8 * size]
        if not bars:
            return
    yield from ((round(float(start), 2), round(float(end), 2)) for start, end in bars)


def _lettered(at: Floats, starts: Sequence[float], ends: Sequence[float]) -> Flags:
    """Whether a letter stands at each point along a line."""
    opened_by = np.searchsorted(np.sort(np.array(starts) - 0.1), at, "right")
    closed_by = np.searchsorted(np.sort(np.array(ends) + 0.1), at, "right")
    found: Flags = opened_by > closed_by
    return found


def _is_dark(sheet: Sheet, picture: Pixels, at: Floats, first: _Letter, size: float) -> Flags:
    """Whether the page is dark at points along a line, from its base to half of its height."""
    ux, uy = math.cos(first.angle), math.sin(first.angle)
    across = (first.across + np.array([[0.1], [0.3], [0.5]]) * size) * np.ones_like(at)
    column, row = sheet.pixel(at * ux - across * uy, at * uy + across * ux, picture.shape)
    inside = (column >= 0) & (row >= 0) & (column < picture.shape[1]) & (row < picture.shape[0])
    levels = np.full(column.shape, 255, np.uint8)
    levels[inside] = picture[row[inside], column[inside]].max(axis=1)
    dark: Flags = np.asarray(levels.max(axis=0) < _DARK)
    return dark


def _widths(font: Any) -> dict[str, float]:
    """The letters that a font has widths for. What PDFium says of letters that a font lacks, it may say of others, too:
    those are believed only where the font has most letters.
    """
    unknown = _width(font, _UNKNOWN)
    found = {letter: width for letter in _ALPHABET if 0.05 < (width := _width(font, letter)) < 2.5}
    told = {letter: width for letter, width in found.items() if width != unknown}
    return found if sum(letter in told for letter in ascii_letters) > 0.7 * len(ascii_letters) else told


def _width(font: Any, letter: str) -> float:
    width = ctypes.c_float()
    return round(width.value, 4) if raw.FPDFFont_GetGlyphWidth(font, ord(letter), 1.0, width) else 0.0


def _name(font: Any) -> bytes:
    name = ctypes.create_string_buffer(128)
    length = raw.FPDFFont_GetBaseFontName(font, name, len(name))
    return name.raw[: min(length, len(name))]
