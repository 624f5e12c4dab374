"""What the codes of simple fonts mean: by name of an encoding, by names of glyphs, or by the font file itself."""

from __future__ import annotations

import io
import re
from typing import Any

import pikepdf

from withhold.formats.pdf.decoding.widths import name_of

_DUP = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/]+)\s+put")


def base(name: str) -> dict[int, str]:
    """Characters by code, of one of the encodings that PDF names."""
    if name == "/WinAnsiEncoding":
        return {code: bytes([code]).decode("cp1252", "replace") for code in range(32, 256)}
    if name == "/MacRomanEncoding":
        return {code: bytes([code]).decode("mac-roman") for code in range(32, 256)}
    from fontTools.encodings.StandardEncoding import StandardEncoding

    return {code: of_glyph(glyph) for code, glyph in enumerate(StandardEncoding) if glyph != ".notdef"}


def of_glyph(name: str) -> str:
    """What a glyph of this name shows; empty if the name does not tell."""
    from fontTools import agl

    text = str(agl.toUnicode(name))
    if len(text) == 1 and "\uf000" <= text <= "\uf0ff":  # where fonts of signs keep their letters
        return chr(ord(text) - 0xF000)
    return text


def differences(encoding: Any) -> dict[int, str]:
    """Names of glyphs by code, where an encoding departs from its base."""
    found: dict[int, str] = {}
    code = 0
    for item in encoding.get("/Differences", []) if isinstance(encoding, pikepdf.Dictionary) else []:
        if isinstance(item, pikepdf.Name):
            found[code] = name_of(item)[1:]
            code += 1
        else:
            code = int(item)
    return found


def simple(font: pikepdf.Object) -> tuple[dict[int, str], dict[int, str]]:
    """Characters and names of glyphs by code, as a simple font's dictionary and file say without `ToUnicode`.

    A code of which nothing is said stands for the character of its number, as it does for other readers.
    """
    encoding = font.get("/Encoding")
    name = str(encoding) if isinstance(encoding, pikepdf.Name) else ""
    if isinstance(encoding, pikepdf.Dictionary):
        name = str(encoding.get("/BaseEncoding", ""))
    is_known = name in ("/WinAnsiEncoding", "/MacRomanEncoding")
    meanings = base(name) if is_known else base("") | _built_in(font)
    names = differences(encoding)
    meanings |= {code: of_glyph(glyph) or _numbered(glyph) for code, glyph in names.items()}
    by_code = {code: bytes([code]).decode("cp1252", "replace") for code in range(33, 256)}
    return by_code | {code: text for code, text in meanings.items() if text}, names


def _numbered(name: str) -> str:
    """Names such as `c65`, by which some programs call the character 65."""
    match = re.fullmatch(r"[A-Za-z]{1,2}(\d{2,3})", name)
    return chr(int(match[1])) if match and 32 <= int(match[1]) < 127 else ""


def _built_in(font: pikepdf.Object) -> dict[int, str]:
    """What the font file says of its codes."""
    descriptor = font.get("/FontDescriptor")
    if not isinstance(descriptor, pikepdf.Dictionary):
        return {}
    try:
        if "/FontFile" in descriptor:
            clear = bytes(descriptor["/FontFile"].read_bytes()).split(b"eexec", 1)[0]
            return {int(code): of_glyph(name.decode("latin-1")) for code, name in _DUP.findall(clear)}
        if "/FontFile3" in descriptor:
            return _compact(bytes(descriptor["/FontFile3"].read_bytes()))
        if "/FontFile2" in descriptor:
            return _true_type(bytes(descriptor["/FontFile2"].read_bytes()))
    except Exception:  # a damaged font file says nothing
        return {}
    return {}


def _compact(data: bytes) -> dict[int, str]:
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    encoding = getattr(fonts[0], "Encoding", None)
    names = encoding if isinstance(encoding, list) else []
    return {code: of_glyph(name) for code, name in enumerate(names) if name != ".notdef"}


def _true_type(data: bytes) -> dict[int, str]:
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(data), lazy=True)
    found: dict[int, str] = {}
    for table in font["cmap"].tables if "cmap" in font else []:
        if table.platformID == 3 and table.platEncID == 1:
            continue
        for code, name in table.cmap.items():
            if code < 256 or 0xF000 <= code < 0xF100:
                found.setdefault(code & 255, of_glyph(name))
    return {code: text for code, text in found.items() if text}


def by_glyph_number(data: bytes) -> dict[int, str]:
    """Characters by the number of the glyph in a TrueType file, as its own table of characters has them."""
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(io.BytesIO(data), lazy=True)
        cmap = font.getBestCmap() or {}
        return {font.getGlyphID(name): chr(code) for code, name in sorted(cmap.items(), reverse=True)}
    except Exception:
        return {}
