"""Which glyph of a TrueType program a code of a simple font shows: as the standard says, and as PDFium does."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from functools import cached_property

from fontTools.agl import AGL2UV
from fontTools.ttLib import TTFont, TTLibError, newTable
from pikepdf import Dictionary, Name

from withhold.formats.pdf.decoding.encodings import of_glyph
from withhold.formats.pdf.fonts.codes import encoding_names
from withhold.formats.pdf.fonts.faults import Unprunable

_SYMBOLIC, _NONSYMBOLIC = 4, 32
_PREFIXES = (0xF000, 0xF100, 0xF200, 0x0000)


class _Numbers:
    """Stands in for a font where only the numbers of its glyphs matter."""

    lazy = False

    def getGlyphName(self, number: int) -> int:  # noqa: N802
        return number

    def getGlyphNameMany(self, numbers: list[int]) -> list[int]:  # noqa: N802
        return numbers


class Lookup:
    """The tables of a TrueType program that lead from characters to glyphs."""

    def __init__(self, data: bytes, tables: Mapping[str, bytes]) -> None:
        self._data = data
        self._maps = _character_maps(tables.get("cmap", b""))

    def glyphs(self, font: Dictionary, texts: Mapping[int, str]) -> dict[int, int]:
        """The glyph of every code that has one; by its text, if the font says what codes read as, as a last resort."""
        found = self._by_names(font) if _goes_by_names(font) else self._by_codes()
        if "/ToUnicode" in font:
            table = self._maps.get((3, 1), {})
            by_text = {code: table.get(ord(text), 0) for code, text in texts.items() if len(text) == 1}
            found = {code: found.get(code) or by_text.get(code, 0) for code in {*found, *by_text}}
        return {code: glyph for code, glyph in found.items() if glyph}

    def _by_codes(self) -> dict[int, int]:
        for platform in ((3, 0), (1, 0), (3, 1), (0, 3), (0, 1), (0, 0), (3, 10), (0, 4)):
            table = self._maps.get(platform)
            if table is None:
                continue
            prefixes = _PREFIXES if platform == (3, 0) else (0,)
            found = {code: _first(table, code, prefixes) for code in range(256)}
            if any(found.values()):
                return found
        return {} if self._maps else {code: code for code in range(256)}

    def _by_names(self, font: Dictionary) -> dict[int, int]:
        names = encoding_names(font, {})
        if not names and not isinstance(font.get("/Encoding"), Name):
            return self._by_codes()
        return {code: self._by_name(code, name) for code, name in names.items()} | self._unnamed(names)

    def _unnamed(self, names: Mapping[int, str]) -> dict[int, int]:
        table = next(iter(self._maps.values()), {})
        return {code: _first(table, code, _PREFIXES) for code in range(256) if code not in names}

    def _by_name(self, code: int, name: str) -> int:
        if (3, 1) in self._maps:
            glyph = self._maps[3, 1].get(_unicode(name), 0)
        elif (3, 0) in self._maps:
            glyph = _first(self._maps[3, 0], code, _PREFIXES)
        elif (1, 0) in self._maps:
            glyph = self._maps[1, 0].get(_macintosh(name), 0)
        else:
            glyph = 0
        return glyph or self._names.get(name, 0)

    @cached_property
    def _names(self) -> dict[str, int]:
        """Glyphs by the names that the program has for them; empty if it has none or they are damaged."""
        try:
            font = TTFont(io.BytesIO(self._data), lazy=True)
            if "post" not in font or font["post"].formatType == 3:
                return {}
            return {name: number for number, name in enumerate(font.getGlyphOrder())}
        except (TTLibError, struct.error, AssertionError, KeyError, IndexError, ValueError, AttributeError, TypeError):
            return {}


def _goes_by_names(font: Dictionary) -> bool:
    descriptor = font.get("/FontDescriptor")
    flags = int(descriptor.get("/Flags", 0)) if isinstance(descriptor, Dictionary) else 0
    encoding = font.get("/Encoding")
    if flags & _NONSYMBOLIC and not flags & _SYMBOLIC:
        return True
    if isinstance(encoding, Name):
        return str(encoding) in ("/WinAnsiEncoding", "/MacRomanEncoding") and not flags & _SYMBOLIC
    return isinstance(encoding, Dictionary) and not flags & _SYMBOLIC


def _character_maps(data: bytes) -> dict[tuple[int, int], dict[int, int]]:
    """The character maps of a program by platform and encoding; those that are damaged are left out."""
    found: dict[tuple[int, int], dict[int, int]] = {}
    if len(data) < 4:
        return found
    try:
        table = newTable("cmap")
        table.decompile(data, _Numbers())
    except (struct.error, AssertionError, ValueError, IndexError, TTLibError):
        raise Unprunable("a TrueType font has a damaged table of characters") from None
    for part in table.tables:
        try:
            found.setdefault((part.platformID, part.platEncID), dict(part.cmap))
        except (struct.error, AssertionError, ValueError, IndexError, AttributeError, TypeError, TTLibError):
            continue
    return found


def _first(table: Mapping[int, int], code: int, prefixes: tuple[int, ...]) -> int:
    return next((glyph for prefix in prefixes if (glyph := table.get(prefix + code, 0))), 0)


def _unicode(name: str) -> int:
    if name in AGL2UV:
        return int(AGL2UV[name])
    text = of_glyph(name)
    return ord(text) if len(text) == 1 else -1


def _macintosh(name: str) -> int:
    text = of_glyph(name)
    try:
        encoded = text.encode("mac-roman")
    except UnicodeEncodeError:
        return -1
    return encoded[0] if len(encoded) == 1 else -1
