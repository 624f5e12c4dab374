"""Pages that can only be read from their pictures: scans, and pages whose fonts do not say what their letters are.

Such a page becomes its picture with the words in it as a layer of text. From then on it is a page like any other, but
for one thing: its lines are set anew in the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import numpy as np
import pikepdf

from withhold.errors import DamagedDocument, EncryptedDocument, PluginError
from withhold.formats.pdf import ocr, raster
from withhold.formats.pdf.content import LINE, SHOWS
from withhold.formats.pdf.decoding.trust import UNREADABLE
from withhold.formats.pdf.glyphs import Glyph
from withhold.formats.pdf.lines import Line
from withhold.formats.pdf.ocr import Recogniser
from withhold.formats.pdf.opening import password_of
from withhold.formats.pdf.raster import Picture, Renderer
from withhold.formats.pdf.scans import Scan
from withhold.formats.pdf.tokens import instructions
from withhold.types import Handling


def settled(handling: Handling) -> Handling:
    """The handling with the program named that reads pictures of pages; without any if none is installed."""
    if handling.ocr != "auto":
        return handling
    try:
        found = ocr.recogniser("auto", handling.ocr_language).name
    except PluginError:
        found = "off"
    return replace(handling, ocr=found)


class Scanner:
    """Reads pages of a file from their pictures, for as long as `with` lasts."""

    def __init__(self, pdf: pikepdf.Pdf, data: bytes, handling: Handling) -> None:
        self.pdf = pdf
        self.data = data
        self.handling = handling

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.__dict__.get("_renderer") is not None:
            self.__dict__["_renderer"].__exit__(kind, error, at)

    @cached_property
    def _renderer(self) -> Renderer | None:
        try:
            return Renderer(self.data, password_of(self.handling)).__enter__()
        except (DamagedDocument, EncryptedDocument):
            return None

    @cached_property
    def _program(self) -> Recogniser | None:
        if self.handling.ocr in ("auto", "off"):
            return None
        return ocr.recogniser(self.handling.ocr, self.handling.ocr_language)

    def scan(self, index: int, content: bytes) -> Scan | None:
        """A page (from 0) that is a picture and was not made by us, with its words; None for any other page.

        Raises:
            PluginError: if the policy names a program that is not installed.
            Stopped: if the page takes too long.
        """
        if self._program is None or self._renderer is None or index >= len(self._renderer):
            return None
        try:
            is_scan = ocr.is_scan(self._renderer, index) and not is_own(content)
        except DamagedDocument:
            return None
        return self.convert(index) if is_scan else None

    def convert(self, index: int) -> Scan | None:
        """Make a page (from 0) one of words that are read from its picture; None if no program is there to read it."""
        if self._program is None or self._renderer is None:
            return None
        drawn = self._renderer.render(index, ocr.DPI, annotations=True)
        scan = Scan(*ocr.read(drawn, self._program))
        picture, lines = scan.redacted({})
        raster.replace(self.pdf, index, _empty(picture), lines)
        return scan


def _empty(picture: Picture) -> Picture:
    """A page of the same size with one white pixel: enough to read what is written on it."""
    return Picture(np.full((1, 1, 3), 255, np.uint8), picture.width, picture.height, picture.matrix)


def is_own(content: bytes) -> bool:
    """Whether all text of a page is in lines that we have marked: it says what the picture shows.

    Nobody has to believe it: what can be read from the picture of the new file is searched, too.
    """
    depth, marked = 0, 0
    for each in instructions(content):
        if each.operator in ("BDC", "BMC"):
            depth += 1 if depth or each.operands[:1] == [LINE] else 0
        elif each.operator == "EMC":
            depth = max(0, depth - 1)
        elif each.operator in SHOWS:
            if not depth:
                return False
            marked += 1
    return marked > 0


def write_scan(pdf: pikepdf.Pdf, scan: Scan, local: Any) -> None:
    """Add a page that is the picture, with what `local` replaces in each line gone from it, and the text that stays."""
    page = pikepdf.Dictionary(Type=pikepdf.Name.Page)
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    picture, lines = scan.redacted(local)
    raster.replace(pdf, len(pdf.pages) - 1, picture, lines, is_photograph=True)


def unreadable(lines: Sequence[Line]) -> set[Glyph]:
    """The letters of a page that stand in rows of signs of which nobody can say what they are."""
    return {glyph for line in lines for glyph in _unreadable(line)}


def _unreadable(line: Line) -> Iterator[Glyph]:
    if UNREADABLE.search(line.text):
        for letter in line.letters:
            if letter.glyph is not None and UNREADABLE.fullmatch(letter.text * 3):
                yield letter.glyph
