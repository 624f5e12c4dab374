"""Compact (CFF) programs: glyphs are written out without subroutines, so that none is left that only others called."""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from fontTools.cffLib import CFFFontSet, FDArrayIndex, FDSelect, cffISOAdobeStrings
from fontTools.cffLib.transforms import desubroutinizeCharString
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.boundsPen import BoundsPen

from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.fonts.truetype import tables
from withhold.formats.pdf.matrices import IDENTITY, matrix, multiply

_FAULTS = (struct.error, AssertionError, KeyError, IndexError, ValueError, AttributeError, TypeError, OverflowError)
_DROPPED = (
    "version", "Notice", "Copyright", "FullName", "FamilyName", "Weight", "UniqueID", "XUID", "PostScript",
    "BaseFontName", "BaseFontBlend", "SyntheticBase", "Encoding", "FontName",
)  # fmt: skip


class Cff:
    """A compact program as it is found in a file, alone or inside an OpenType font."""

    def __init__(self, data: bytes) -> None:
        if data[:4] in (b"OTTO", b"\0\1\0\0", b"true"):
            data = tables(data).get("CFF ", b"")
        self.fonts = CFFFontSet()
        try:
            self.fonts.decompile(io.BytesIO(data), None)
            self.top: Any = self.fonts[0]
            if "charset" not in self.top.rawDict:
                self.top.charset = list(cffISOAdobeStrings[: self.top.numGlyphs])
            self.order: list[str] = list(self.top.charset)
            self.programs: Any = self.top.CharStrings
            self.is_keyed: bool = hasattr(self.top, "ROS")
        except (*_FAULTS, RecursionError, EOFError):
            raise Unprunable("a compact font is damaged") from None
        self._flat: dict[int, list[Any]] = {}

    @property
    def encoding(self) -> dict[int, str]:
        """The names of glyphs by code that the program itself has."""
        found = getattr(self.top, "Encoding", None)
        names = StandardEncoding if found == "StandardEncoding" else found if isinstance(found, list) else []
        return {code: name for code, name in enumerate(names) if name != ".notdef"}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.order)}

    def number(self, cid: int) -> int:
        """The glyph of a CID; 0 if it has none."""
        if self.is_keyed:
            return self._numbers.get(f"cid{cid:05d}", 0)
        return cid if cid < len(self.order) else 0

    def named(self, name: str) -> int | None:
        """The glyph of a name; None if there is none."""
        return self._numbers.get(name)

    def _dictionary(self, number: int) -> int:
        """Which of its private dictionaries a glyph goes by."""
        return int(self.top.FDSelect[number]) if hasattr(self.top, "FDSelect") else 0

    def _program(self, number: int) -> list[Any]:
        """What draws a glyph, without subroutines."""
        if number not in self._flat:
            try:
                charstring = self.programs[self.order[number]]
                desubroutinizeCharString(charstring)
            except (*_FAULTS, RecursionError):
                raise Unprunable("a compact font has a glyph that cannot be taken apart") from None
            self._flat[number] = charstring.program
        return self._flat[number]

    def digest(self, number: int) -> bytes:
        """The same for glyphs that look the same."""
        parts = [self._dictionary(number), self._program(number)]
        parts += [self._program(part) for part in self._accents(number).values()]
        return hashlib.sha256(repr(parts).encode()).digest()

    def _accents(self, number: int) -> dict[str, int]:
        """The glyphs that an accented one is composed of, in the old way, by their standard names."""
        program = self._program(number)
        if len(program) < 5 or program[-1] != "endchar" or not all(isinstance(one, int) for one in program[-5:-1]):
            return {}
        names = [str(StandardEncoding[code]) for code in program[-3:-1] if 0 <= code < 256]
        return {name: found for name in names if (found := self.named(name)) is not None}

    def subset(self, glyphs: Sequence[int], names: Sequence[str] | None, font_name: str) -> bytes:
        """A program in which `glyphs[i]` is glyph i + 1, after .notdef: of that name, or numbered if there are none."""
        if names is not None and self.is_keyed:
            raise Unprunable("a compact font has numbers where names are needed")
        pattern = "cid{:05d}" if self.is_keyed else "glyph{}"
        own = [".notdef", *(names or (pattern.format(index) for index in range(1, len(glyphs) + 1)))]
        chosen = dict(zip(own, [0, *glyphs], strict=False))
        if len(chosen) != len(glyphs) + 1:
            raise Unprunable("a compact font has two glyphs of one name")
        for number in list(chosen.values()):
            for name, part in sorted(self._accents(number).items()):
                chosen.setdefault(name, part)
        try:
            return self._write(chosen, font_name)
        except _FAULTS:
            raise Unprunable("a compact font cannot be written") from None

    def _write(self, glyphs: Mapping[str, int], font_name: str) -> bytes:
        programs = {name: self._copied(number) for name, number in glyphs.items()}
        if self.is_keyed:
            self._select([self._dictionary(number) for number in glyphs.values()])
            self.top.CIDCount, self.top.ROS = len(glyphs), ("Adobe", "Identity", 0)
            self._fold_matrix()
        for holder in [self.top, *getattr(self.top, "FDArray", ())]:
            _without(holder, _DROPPED)
            _without(getattr(holder, "Private", None), ("Subrs",))
        self.fonts.GlobalSubrs.clear()
        self.top.charset, self.top.CharStrings, self.top.numGlyphs = list(glyphs), programs, len(glyphs)
        self.top.FontBBox = bounds(programs)
        self.fonts.fontNames = [font_name]
        file = io.BytesIO()
        self.fonts.compile(file, SimpleNamespace(recalcBBoxes=False))
        return file.getvalue()

    def _select(self, dictionaries: Sequence[int]) -> None:
        """Keep the private dictionaries that glyphs go by, in the order in which glyphs need them."""
        used = list(dict.fromkeys(dictionaries))
        kept = [self.top.FDArray[number] for number in used]
        self.top.FDSelect = FDSelect(format=3)
        self.top.FDSelect.gidArray = [used.index(number) for number in dictionaries]
        self.top.FDArray = FDArrayIndex()
        self.top.FDArray.items = kept

    def _fold_matrix(self) -> None:
        """Leave all scaling to the private dictionaries: one that is as usual is left out when it is written."""
        outer = self.top.rawDict.get("FontMatrix")
        if outer is None:
            return
        for holder in self.top.FDArray:
            inner = holder.rawDict.get("FontMatrix", IDENTITY)
            holder.FontMatrix = list(multiply(matrix(inner), matrix(outer)))
        _without(self.top, ("FontMatrix",))

    def _copied(self, number: int) -> T2CharString:
        private = self.programs[self.order[number]].private
        return T2CharString(program=list(self._program(number)), private=private, globalSubrs=self.fonts.GlobalSubrs)


def _without(holder: Any, keys: Iterable[str]) -> None:
    if holder is None:
        return
    for key in keys:
        holder.rawDict.pop(key, None)
        holder.__dict__.pop(key, None)


def bounds(programs: Mapping[str, T2CharString]) -> list[int]:
    """What all glyphs fit in."""
    pen = BoundsPen(programs)
    for program in programs.values():
        program.draw(pen)
    left, bottom, right, top = pen.bounds or (0, 0, 0, 0)
    return [int(left // 1), int(bottom // 1), int(-(-right // 1)), int(-(-top // 1))]


def box(program: bytes) -> tuple[int, int, int, int]:
    """What all glyphs of a program fit in, in thousandths of its em."""
    top = Cff(program).top
    scale = 1000 * (float(top.FontMatrix[0]) if "FontMatrix" in top.rawDict else 0.001)
    left, bottom, right, upper = (round(edge * scale) for edge in top.FontBBox)
    return left, bottom, right, upper
