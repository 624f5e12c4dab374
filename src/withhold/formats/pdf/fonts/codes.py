"""The names that the codes of a simple font have for their glyphs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fontTools.agl import AGL2UV
from pdfminer.latin_enc import ENCODING
from pikepdf import Dictionary, Name

from withhold.formats.pdf.decoding.encodings import differences

_COLUMNS = {"/StandardEncoding": 1, "/MacRomanEncoding": 2, "/WinAnsiEncoding": 3}
_TWICE = {"/MacRomanEncoding": {202: "space"}, "/WinAnsiEncoding": {160: "space", 173: "hyphen"}}


@cache
def base_encoding(name: str) -> Mapping[int, str]:
    """The glyph names of one of the encodings that PDF names; empty if it is none of them."""
    column = _COLUMNS.get(name)
    if column is None:
        return {}
    found: dict[int, str] = {}
    for row in ENCODING:
        code = row[column]
        if isinstance(code, int):
            found[code] = str(row[0])
    return found | _TWICE.get(name, {})


def encoding_names(font: Dictionary, built_in: Mapping[int, str]) -> dict[int, str]:
    """The glyph name of every code of a simple font that has one; `built_in` are those of its program."""
    encoding = font.get("/Encoding")
    if isinstance(encoding, Name):
        return dict(base_encoding(str(encoding)) or built_in)
    if not isinstance(encoding, Dictionary):
        return dict(built_in)
    return dict(base_encoding(str(encoding.get("/BaseEncoding", ""))) or built_in) | differences(encoding)


def is_well_known(name: str) -> bool:
    """Whether a glyph has a name that everybody uses, so that it tells nothing of this file."""
    return name in AGL2UV or name == ".notdef"
