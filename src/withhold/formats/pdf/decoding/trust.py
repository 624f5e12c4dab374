"""Whether a font says the truth about its letters.

A font has two accounts of what its codes are: what they read as (`ToUnicode`), which programs that search go by, and
what they show, which goes by the names or the table of its glyphs. A file in which the two differ is read as one thing
and seen as another.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

import pikepdf

from withhold.formats.pdf.decoding.encodings import base, differences, of_glyph
from withhold.text import fold

UNREADABLE = re.compile("(?:[\ufffd\ue000-\uf8ff] ?){3,}")
"""Signs in a row of which nobody can say what they are: one or two may be an ornament, more are words."""

_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_NO_LETTERS = ("Symbol", "ZapfDingbats", "Wingdings", "Webdings", "Dingbats")


def is_embedded(font: Any) -> bool:
    """Whether a font brings its glyphs along."""
    descriptor = font.get("/FontDescriptor")
    return font.get("/Subtype") == "/Type3" or (
        isinstance(descriptor, pikepdf.Dictionary) and any(key in descriptor for key in _PROGRAMS)
    )


def shown(font: Any) -> dict[int, str]:
    """The letters that a simple font shows for its codes, as far as names tell. Those of Type 3 glyphs never do."""
    encoding = font.get("/Encoding")
    if font.get("/Subtype") == "/Type3":
        return {}
    named = {code: of_glyph(name) for code, name in differences(encoding).items()}
    if not is_embedded(font):
        return {} if _has_no_letters(font) else {**_base(encoding, "/StandardEncoding"), **named}
    descriptor = font.get("/FontDescriptor")
    is_symbolic = isinstance(descriptor, pikepdf.Dictionary) and int(descriptor.get("/Flags", 0)) & 4
    if font.get("/Subtype") == "/TrueType":
        return {} if is_symbolic else {**_base(encoding, ""), **named}
    return {**_base(encoding, ""), **named}


def _has_no_letters(font: Any) -> bool:
    try:
        name = str(font.get("/BaseFont", ""))
    except UnicodeDecodeError:
        return True
    return any(each in name for each in _NO_LETTERS)


def _base(encoding: Any, otherwise: str) -> dict[int, str]:
    name = str(encoding) if isinstance(encoding, pikepdf.Name) else otherwise
    if isinstance(encoding, pikepdf.Dictionary):
        name = str(encoding.get("/BaseEncoding", otherwise))
    return base(name) if name in ("/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding") else {}


def differ(seen: Collection[str], told: str, *, is_sure: bool = False) -> bool:
    """Whether letters that are seen are told to be others, or none. How they are written does not matter.

    Where it is sure what is seen, no letters may be told where none are seen, either.
    """
    letters = {_letters(each) for each in seen}
    return bool(letters) and (is_sure or "" not in letters) and _letters(told) not in letters


def _letters(text: str) -> str:
    return "".join(each for each in fold(text).text if each.isalnum())


def disputed(accounts: Mapping[int, str], told: Mapping[int, str], *, is_sure: bool) -> set[int]:
    """The codes of a font that it tells to be other letters than it shows."""
    known = {code: text for code, text in accounts.items() if text}
    return {code for code, text in told.items() if code in known and differ((known[code],), text, is_sure=is_sure)}


def by_glyph(descendant: Any) -> dict[int, set[str]]:
    """The characters that the TrueType program of a composite font has each of its glyphs for, by CID."""
    descriptor = descendant.get("/FontDescriptor")
    if not isinstance(descriptor, pikepdf.Dictionary) or "/FontFile2" not in descriptor:
        return {}
    try:
        found = _by_number(bytes(descriptor["/FontFile2"].read_bytes()))
        numbers = descendant.get("/CIDToGIDMap")
        table = bytes(numbers.read_bytes()) if isinstance(numbers, pikepdf.Stream) else None
    except pikepdf.PdfError:
        return {}
    if table is None:
        return found
    pairs = ((at // 2, int.from_bytes(table[at : at + 2], "big")) for at in range(0, len(table) - 1, 2))
    return {cid: found[glyph] for cid, glyph in pairs if glyph in found}


def _by_number(program: bytes) -> dict[int, set[str]]:
    from fontTools.ttLib import TTFont

    found: dict[int, set[str]] = defaultdict(set)
    try:
        font = TTFont(io.BytesIO(program), lazy=True)
        for code, name in (font.getBestCmap() or {}).items():
            found[font.getGlyphID(name)].add(chr(code))
    except Exception:  # a damaged table says nothing
        return {}
    return found
