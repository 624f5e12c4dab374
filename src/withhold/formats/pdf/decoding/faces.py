"""A font as a reader of text sees it: strings become characters with widths."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import pikepdf

from withhold.formats.pdf.decoding import cmaps, encodings, trust, widths
from withhold.formats.pdf.decoding.cmaps import CodeMap, readable
from withhold.formats.pdf.matrices import matrix

THINNEST = 0.001
"""Characters that are thinner, in parts of their size, and yet have a width, are looked at one by one."""
_MANNERS = 64
"""In so many sizes and spacings are the steps of a font remembered."""
_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)"
_EXTENT = re.compile(rb"(?:%b\s+){3}(%b)\s+%b\s+(%b)\s+d1\b" % ((_NUMBER,) * 4))
"""How a glyph that is drawn like a page says how far it reaches: left, low, right and high are the last four."""


class Char(NamedTuple):
    """One code of a string: its bytes, what it shows, its width in parts of the size, and whether Tw applies to it."""

    code: bytes
    text: str
    width: float
    is_space: bool


Unit = bytes | int
"""A code as one comes across it in a string: its bytes, or the number of its only byte."""


class _Chars(dict[Unit, Char]):
    """The characters of codes, each worked out when it is first asked for."""

    def __init__(self, face: Face) -> None:
        super().__init__()
        self.face = face

    def __missing__(self, unit: Unit) -> Char:
        found = self[unit] = self.face.char(unit if isinstance(unit, bytes) else bytes((unit,)))
        self.face.see(found)
        return found


class _Texts(dict[Unit, str]):
    """What codes show."""

    def __init__(self, chars: _Chars) -> None:
        super().__init__()
        self.chars = chars

    def __missing__(self, unit: Unit) -> str:
        found = self[unit] = self.chars[unit].text
        return found


class _Steps(dict[Unit, float]):
    """How far codes move the pen, at one size and with the same spaces between them."""

    def __init__(self, chars: _Chars, size: float, spacing: float, word_spacing: float, stretch: float) -> None:
        super().__init__()
        self.chars = chars
        self.given = size, spacing, word_spacing, stretch

    def __missing__(self, unit: Unit) -> float:
        _, _, width, is_space = self.chars[unit]
        size, spacing, word_spacing, stretch = self.given
        found = self[unit] = (width * size + spacing + (word_spacing if is_space else 0.0)) * stretch
        return found


class Face:
    """A font's codes, decoded once each."""

    def __init__(self, font: pikepdf.Object, *, vertical: bool = False) -> None:
        self.font = font
        self.vertical = vertical
        self.doubt = ""
        """Why what is read may not be what is seen; empty if there is no reason to think so."""
        self.height = 1.0
        """How high its letters are, in parts of what is called their size."""
        self.is_flipped = False
        """Whether its glyphs are drawn upside down, for text that is so, too."""
        self.is_plain = True
        """Whether every character met so far has a width of its own or none, neither tiny nor below zero."""
        self.is_single = True
        """Whether each of them is one letter."""
        self.has_odd_space = False
        """Whether what is widened between words is anything but a space."""
        self.char_of = _Chars(self)
        """What each code is, as one comes across it in a string."""
        self._texts = _Texts(self.char_of)
        self._steps: dict[tuple[float, ...], _Steps] = {}

    def see(self, char: Char) -> None:
        """Take note of a character that was not met before."""
        self.is_plain = self.is_plain and (char.width == 0 or THINNEST <= char.width < math.inf)
        self.is_single = self.is_single and len(char.text) == 1
        self.has_odd_space = self.has_odd_space or (char.is_space and not char.text.isspace())

    def units(self, data: bytes) -> Sequence[Unit]:
        """The codes of a string, as characters are asked for by them."""
        return self.codes(data)

    def codes(self, data: bytes) -> list[bytes]:
        raise NotImplementedError

    def char(self, code: bytes) -> Char:
        raise NotImplementedError

    def chars(self, units: Iterable[Unit]) -> list[Char]:
        return list(map(self.char_of.__getitem__, units))

    def texts(self, units: Iterable[Unit]) -> list[str]:
        return list(map(self._texts.__getitem__, units))

    def steps(self, size: float, spacing: float, word_spacing: float, stretch: float) -> Callable[[Unit], float]:
        """How far each code moves the pen, in text space."""
        given = size, spacing, word_spacing, stretch
        found = self._steps.get(given)
        if found is None:
            if len(self._steps) >= _MANNERS:
                self._steps.clear()
            found = self._steps[given] = _Steps(self.char_of, *given)
        return found.__getitem__


class SimpleFace(Face):
    """One byte for each code: Type 1, TrueType and Type 3 fonts."""

    def __init__(self, font: pikepdf.Object) -> None:
        super().__init__(font)
        meanings, self.names = encodings.simple(font)
        self.told = _to_unicode(font)
        self.meanings = {code: readable(text) for code, text in meanings.items()} | self.told
        self._settle(trust.shown(font), trust.is_embedded(font))
        self.widths = [width / 1000 for width in widths.simple(font, meanings)]
        if font.get("/Subtype") == "/Type3":
            scale, _, _, up, *_ = matrix(list(font.get("/FontMatrix", [0.001, 0, 0, 0.001, 0, 0])))
            self.widths = [width * 1000 * scale for width in self.widths]
            self.height, self.is_flipped = _height(self.widths), _middle(font) * up < 0

    def _settle(self, shown: dict[int, str], is_embedded: bool) -> None:
        """Where the font tells other letters than it shows, what viewers draw counts; if that is not sure, nothing."""
        for code in trust.disputed(shown, self.told, is_sure=not is_embedded):
            self.meanings[code] = "\ufffd" if is_embedded else readable(shown[code])

    def units(self, data: bytes) -> Sequence[Unit]:
        return data

    def codes(self, data: bytes) -> list[bytes]:
        return [data[at : at + 1] for at in range(len(data))]

    def char(self, code: bytes) -> Char:
        number = code[0]
        return Char(code, self.meanings.get(number, "\ufffd"), self.widths[number], number == 32)


class CompositeFace(Face):
    """Codes of several bytes, with a descendant font of numbered glyphs."""

    def __init__(self, font: pikepdf.Object) -> None:
        descendant = font["/DescendantFonts"][0]
        self.map, doubt = _code_map(font.get("/Encoding"))
        super().__init__(font, vertical=self.map.vertical)
        self.doubt = doubt
        self.told = _to_unicode(font)
        self.widths, self.default = widths.composite(descendant)
        self._descendant = descendant

    def codes(self, data: bytes) -> list[bytes]:
        return self.map.codes(data)

    def char(self, code: bytes) -> Char:
        number, cid = int.from_bytes(code, "big"), self.map.cid(code)
        width = self.widths.get(cid, self.default) / 1000
        return Char(code, self._text(number, cid), width, code == b" ")

    def _text(self, number: int, cid: int) -> str:
        told = self.told.get(number)
        if told and cid in self._shown and trust.differ(self._shown[cid], told):
            return "\ufffd"
        text = told or self._meanings.get(cid)
        if text is None and self._collection is not None:
            try:
                text = self._collection.get_unichr(cid)
            except KeyError:
                text = None
        return readable(text) if text else "\ufffd"

    @cached_property
    def _shown(self) -> dict[int, set[str]]:
        return trust.by_glyph(self._descendant)

    @cached_property
    def _meanings(self) -> dict[int, str]:
        return _of_descendant(self._descendant)

    @cached_property
    def _collection(self) -> Any:
        return _collection(self._descendant)


def _height(widths: list[float]) -> float:
    """The height of letters, where their font has units of its own: about twice as much as they are wide."""
    wide = sorted(abs(width) for width in widths if width)
    height = 2 * wide[len(wide) // 2] if wide else 1.0
    return 1.0 if 0.3 < height < 3 else height


def _middle(font: Any) -> float:
    """How high above the line most glyphs have their middle that are drawn like pages, in units of their own; 1 if they
    do not say.
    """
    procedures = font.get("/CharProcs")
    several = list(procedures.values()) if isinstance(procedures, pikepdf.Dictionary) else []
    found = [_EXTENT.search(bytes(each.read_bytes())) for each in several if isinstance(each, pikepdf.Stream)]
    middles = sorted(float(match[1]) + float(match[2]) for match in found if match)
    return (middles[len(middles) // 2] or 1.0) if middles else 1.0


def face_of(font: Any) -> Face | None:
    """The face of a font's dictionary; None if it is none."""
    if not isinstance(font, pikepdf.Dictionary):
        return None
    try:
        return CompositeFace(font) if font.get("/Subtype") == "/Type0" else SimpleFace(font)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, pikepdf.PdfError, OverflowError):
        return None


def _to_unicode(font: pikepdf.Object) -> dict[int, str]:
    stream = font.get("/ToUnicode")
    if isinstance(stream, pikepdf.Stream):
        try:
            return cmaps.to_unicode(bytes(stream.read_bytes()))
        except pikepdf.PdfError:
            return {}
    if isinstance(stream, pikepdf.Name) and str(stream).startswith("/Identity"):
        return {code: readable(chr(code)) for code in range(32, 0xD800)}
    return {}


def _code_map(encoding: Any) -> tuple[CodeMap, str]:
    found = None
    if isinstance(encoding, pikepdf.Name):
        found = cmaps.named(str(encoding))
    elif isinstance(encoding, pikepdf.Stream):
        found = cmaps.embedded(bytes(encoding.read_bytes()))
    return (found, "") if found else (CodeMap(), "a map of characters that is not known")


def _of_descendant(descendant: pikepdf.Object) -> dict[int, str]:
    """Characters by glyph number, by the table of a TrueType file that comes with the font."""
    descriptor = descendant.get("/FontDescriptor")
    if not isinstance(descriptor, pikepdf.Dictionary) or "/FontFile2" not in descriptor:
        return {}
    by_number = encodings.by_glyph_number(bytes(descriptor["/FontFile2"].read_bytes()))
    numbers = descendant.get("/CIDToGIDMap")
    if isinstance(numbers, pikepdf.Stream):
        table = bytes(numbers.read_bytes())
        pairs = ((at // 2, int.from_bytes(table[at : at + 2], "big")) for at in range(0, len(table) - 1, 2))
        return {cid: by_number[glyph] for cid, glyph in pairs if glyph in by_number}
    return by_number


def _collection(descendant: pikepdf.Object) -> Any:
    info = descendant.get("/CIDSystemInfo")
    if not isinstance(info, pikepdf.Dictionary):
        return None
    ordering = f"{info.get('/Registry', '')}-{info.get('/Ordering', '')}"
    return None if "Identity" in ordering else cmaps.collection(ordering)
