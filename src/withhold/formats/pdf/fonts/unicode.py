"""ToUnicode maps: what the codes of a font read as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_HEAD = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<{}> <{}>
endcodespacerange
"""
_TAIL = """endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""
_MOST_ROWS = 100


def to_unicode(texts: Mapping[int, str], size: int) -> bytes:
    """A map for codes of `size` bytes; a code without a text is left out."""
    rows = [f"<{code:0{2 * size}X}> <{_utf16(text)}>\n" for code, text in sorted(texts.items()) if text]
    return (_HEAD.format("00" * size, "FF" * size) + "".join(_sections(rows)) + _TAIL).encode("ascii")


def _sections(rows: list[str]) -> Iterator[str]:
    for start in range(0, len(rows), _MOST_ROWS):
        section = rows[start : start + _MOST_ROWS]
        yield f"{len(section)} beginbfchar\n{''.join(section)}endbfchar\n"


def _utf16(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex().upper()
