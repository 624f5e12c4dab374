"""Composite fonts: codes lead to numbered glyphs. The new codes are the numbers, and both follow the characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from withhold.formats.pdf.decoding.faces import CompositeFace, face_of
from withhold.formats.pdf.fonts import cff, truetype
from withhold.formats.pdf.fonts.cff import Cff
from withhold.formats.pdf.fonts.descriptors import descriptor, number
from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.fonts.ranks import Character, new_codes, ranked
from withhold.formats.pdf.fonts.simple import Recoding
from withhold.formats.pdf.fonts.truetype import TrueType
from withhold.formats.pdf.fonts.unicode import to_unicode
from withhold.formats.pdf.fonts.usage import Use

Group = Sequence[Character]


def prune_composite(pdf: pikepdf.Pdf, use: Use, name: Callable[[bool], str]) -> Recoding:
    """Prune a font, and say what its codes become. `name` gives its new name, as an embedded font or not."""
    face = face_of(use.font)
    if not isinstance(face, CompositeFace) or face.doubt:
        raise Unprunable("a composite font has codes that cannot be read")
    font = _Composite(pdf, use, face)
    for key in ("/FontFile2", "/FontFile3", "/FontFile"):
        stream = font.old.get(key) if isinstance(font.old, Dictionary) else None
        if isinstance(stream, Stream):
            return font.prune_embedded(stream.read_bytes(), name(True))
    return font.prune_named(name(False))


class _Composite:
    def __init__(self, pdf: pikepdf.Pdf, use: Use, face: CompositeFace) -> None:
        self.pdf = pdf
        self.font = use.font
        self.face = face
        self.descendant = use.font.DescendantFonts[0]
        self.old = self.descendant.get("/FontDescriptor")
        self.codes = sorted({code for string in use.strings for code in face.codes(string)})

    def prune_embedded(self, data: bytes, name: str) -> Recoding:
        if data[:4] in (b"\0\1\0\0", b"true", b"ttcf"):
            return self._prune_truetype(TrueType(data), name)
        if data[:4] == b"OTTO" or data[:1] == b"\1":
            return self._prune_cff(Cff(data), name)
        raise Unprunable("a composite font has a program of an unusual kind")

    def _prune_truetype(self, program: TrueType, name: str) -> Recoding:
        groups = self._characters(self._glyph_numbers(), program.digest)
        new = program.subset([group[0].glyph for group in groups])
        stream = self.pdf.make_stream(new)
        stream.Length1 = len(new)
        recoding = self._write(groups, name, Name.CIDFontType2)
        self.font.DescendantFonts[0].FontDescriptor = descriptor(
            self.pdf, self.old, name, truetype.box(new), ("/FontFile2", stream)
        )
        self.font.DescendantFonts[0].CIDToGIDMap = Name.Identity
        return recoding

    def _glyph_numbers(self) -> Callable[[int], int]:
        """From CIDs to the numbers of glyphs in a TrueType program."""
        table = self.descendant.get("/CIDToGIDMap")
        if not isinstance(table, Stream):
            return lambda cid: cid
        data = table.read_bytes()
        return lambda cid: int.from_bytes(data[2 * cid : 2 * cid + 2], "big")

    def _prune_cff(self, program: Cff, name: str) -> Recoding:
        numbers = self._glyph_numbers() if "/CIDToGIDMap" in self.descendant else program.number
        groups = self._characters(numbers, program.digest)
        new = program.subset([group[0].glyph for group in groups], None, name)
        stream = self.pdf.make_stream(new)
        stream.Subtype = Name.CIDFontType0C
        recoding = self._write(groups, name, Name.CIDFontType0)
        self.font.DescendantFonts[0].FontDescriptor = descriptor(
            self.pdf, self.old, name, cff.box(new), ("/FontFile3", stream)
        )
        return recoding

    def _characters(self, glyph: Callable[[int], int], digest: Callable[[int], bytes]) -> list[list[Character]]:
        hanging = vertical_metrics(self.descendant) if self.face.vertical else {}
        found = []
        for code in self.codes:
            cid = self.face.map.cid(code)
            width = self.face.widths.get(cid, self.face.default)
            text = self.face.char(code).text
            found.append(Character(code, text, width, glyph(cid), digest(glyph(cid)), hanging.get(cid, ())))
        groups = ranked(found)
        if len(groups) > 0xFFFE:
            raise Unprunable("a composite font has more characters than codes")
        return groups

    def _write(self, groups: Sequence[Group], name: str, subtype: Name) -> Recoding:
        """Make both dictionaries of the font anew, all but the descriptor and the program."""
        numbers = range(1, len(groups) + 1)
        texts = {index: group[0].text for index, group in zip(numbers, groups, strict=True)}
        descendant = Dictionary(
            Type=Name.Font, Subtype=subtype, BaseFont=Name("/" + name), W=_runs([group[0].width for group in groups]),
            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        )  # fmt: skip
        if self.face.vertical:
            _hang(descendant, self.descendant, groups)
        for key in list(self.font.keys()):
            del self.font[key]
        self.font.Type, self.font.Subtype, self.font.BaseFont = Name.Font, Name.Type0, Name("/" + name)
        self.font.Encoding = Name("/Identity-V" if self.face.vertical else "/Identity-H")
        self.font.DescendantFonts = Array([self.pdf.make_indirect(descendant)])
        self.font.ToUnicode = self.pdf.make_stream(to_unicode(texts, 2))
        return dict(new_codes(groups, [index.to_bytes(2, "big") for index in numbers]))

    def prune_named(self, name: str) -> Recoding:
        """A font that viewers have themselves, or replace: its codes are those of a known collection and stay."""
        cids = sorted({self.face.map.cid(code) for code in self.codes})
        texts = {int.from_bytes(code, "big"): self.face.char(code).text for code in self.codes}
        kept = {key: self.font[key] for key in ("/Encoding",) if key in self.font}
        old = self.descendant
        new = Dictionary(Type=Name.Font, Subtype=old.Subtype, BaseFont=Name("/" + name))
        new.W = Array([item for cid in cids for item in (cid, Array([number(self._width(cid))]))])
        for key in ("/CIDSystemInfo", "/DW2"):
            if key in old:
                new[key] = old[key]
        if self.face.vertical:
            metrics = vertical_metrics(old)
            new.W2 = Array([item for cid in cids if cid in metrics for item in (cid, _hung(metrics[cid]))])
        new.FontDescriptor = descriptor(self.pdf, self.old, name, None, None)
        told = self.face.told
        for key in list(self.font.keys()):
            del self.font[key]
        self.font.Type, self.font.Subtype, self.font.BaseFont = Name.Font, Name.Type0, Name("/" + name)
        self.font.Encoding = kept["/Encoding"]
        self.font.DescendantFonts = Array([self.pdf.make_indirect(new)])
        if told:
            size = max((len(code) for code in self.codes), default=2)
            self.font.ToUnicode = self.pdf.make_stream(to_unicode(texts, size))
        return {code: code for code in self.codes}

    def _width(self, cid: int) -> float:
        return self.face.widths.get(cid, self.face.default)


def _runs(widths: Sequence[float | None]) -> Array:
    return Array([1, Array([number(width or 0) for width in widths])] if widths else [])


def vertical_metrics(descendant: Any) -> dict[int, tuple[float, ...]]:
    """How glyphs hang below one another, where a font says so for single ones."""
    found: dict[int, tuple[float, ...]] = {}
    items = list(descendant.get("/W2", []))
    at = 0
    while at + 1 < len(items):
        first = int(items[at])
        if isinstance(items[at + 1], Array):
            row = [float(value) for value in items[at + 1]]
            for step in range(len(row) // 3):
                found[first + step] = tuple(row[3 * step : 3 * step + 3])
            at += 2
        else:
            for cid in range(first, min(int(items[at + 1]), first + 0xFFFF) + 1):
                found[cid] = tuple(float(value) for value in items[at + 2 : at + 5])
            at += 5
    return found


def _hung(metrics: Sequence[float]) -> Array:
    return Array([number(value) for value in metrics])


def _hang(new: Dictionary, old: Any, groups: Sequence[Group]) -> None:
    if "/DW2" in old:
        new.DW2 = Array([number(value) for value in old.DW2])
    items: list[Any] = []
    for index, group in enumerate(groups, start=1):
        if group[0].extra:
            items += [index, _hung(group[0].extra)]
    if items:
        new.W2 = Array(items)
