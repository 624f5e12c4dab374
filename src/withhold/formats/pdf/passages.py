"""What readers that share nothing with the writer see in a file.

PDFium extracts the text. Beside it, the file is taken apart with nothing but regular expressions and zlib, as it is
written: every string that a page shows, in the characters of its font; every name; the bytes of every stream.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property

from withhold.errors import DamagedDocument, PluginError
from withhold.formats.pdf.vocabulary import ALL, VALUES
from withhold.text import squeeze
from withhold.types import Passage

_OBJECT = re.compile(rb"(\d+) \d+ obj\b")
_REFERENCE = re.compile(rb"/([^\s()<>\[\]{}/%]+) (\d+) 0 R")
_NAME = re.compile(rb"/([^\s()<>\[\]{}/%]+)")
_PAIR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]*)>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")
_SECTION = re.compile(rb"beginbf(char|range)(.*?)endbf", re.DOTALL)
_SHOWN = re.compile(
    rb"/(?P<font>[^\s()<>\[\]{}/%]+)\s+[-\d.]+\s+Tf\b|(?P<literal>\((?:[^()\\]|\\.)*\))|<(?P<hex>[0-9A-Fa-f\s]*)>"
    # A word may not begin in the middle of one: looked at last, since a search is quick that knows where it may begin.
    rb"|(?P<break>(?:T[dDm]|ET)\b(?<!\w..)|BDC\b(?<!\w...)|T\*|'|\")",
    re.DOTALL,
)
_STRING = re.compile(rb"(?P<literal>\((?:[^()\\]|\\.)*\))|(?<!<)<(?P<hex>[0-9A-Fa-f\s]*)>(?!>)", re.DOTALL)
_CALLED = re.compile(r"[FXGCPS]\d+")
_ESCAPE = re.compile(rb"\\([0-7]{1,3})|\\(.)", re.DOTALL)
_LARGEST = 200_000_000


def passages(data: bytes) -> Iterator[Passage]:
    """Each line that PDFium extracts, or a program reads from a page that is a picture, if one is installed; what
    strings say in the fonts they are shown in; names; and bytes.

    Raises:
        DamagedDocument: if PDFium cannot open the file.
    """
    yield from _extracted(data)
    yield from _pictured(data)
    pieces = list(_pieces(data))
    fonts = _fonts(pieces)
    for piece in pieces:
        where = f"object {piece.number}"
        yield from (Passage(where, name, "name") for name in _telling_names(piece.head))
        strings = b"\0".join(_strings(piece.head))
        if piece.shows:
            strings += b"\0".join(_strings(piece.body))
            said = squeeze("\0".join(_said(piece.body, fonts)))
            yield Passage(where, kind="raw", data=said.encode("utf-8", "surrogatepass"))
        elif not piece.is_map:
            strings += piece.body
        yield Passage(where, kind="raw", data=strings)


def _telling_names(head: bytes) -> Iterator[str]:
    """The names in an object that are not of the format's own vocabulary, nor a letter with a number."""
    for raw in sorted(set(_NAME.findall(head))):
        name = raw.decode("latin-1")
        if "/" + name not in ALL and name not in VALUES and not _CALLED.fullmatch(name):
            yield name


def _strings(content: bytes) -> Iterator[bytes]:
    for match in _STRING.finditer(content):
        yield _bytes(match["hex"]) if match["hex"] is not None else _plain(match["literal"])


def _pictured(data: bytes) -> Iterator[Passage]:
    """What a picture of a page says, whatever the layer of text over it says."""
    from withhold.formats.pdf import ocr
    from withhold.formats.pdf.hiding import hiding
    from withhold.formats.pdf.raster import Renderer

    known = hiding.known(data, "")
    if known and known.sights and not any(sight.may_have_pictures for sight in known.sights):
        return
    with Renderer(data) as renderer:
        scanned = [number for number in range(len(renderer)) if ocr.is_scan(renderer, number)]
        try:
            program = ocr.recogniser() if scanned else None
        except PluginError:
            program = None
        if program is not None:
            for number, _, words in ocr.read_all(renderer, scanned, program):
                yield Passage(f"page {number + 1}", " ".join(word.text for word in words))


def _extracted(data: bytes) -> Iterator[Passage]:
    for number, text in enumerate(_seen(data) or _texts(data), 1):
        for line in text.splitlines():
            yield Passage(f"page {number}", line)


def _seen(data: bytes) -> list[str]:
    """The text of every page, if PDFium was asked for it when what the file hides was looked for; empty if not."""
    from withhold.formats.pdf.hiding import hiding

    known = hiding.known(data, "")
    texts = [sight.text for sight in known.sights if sight.text is not None] if known else []
    return texts if known and len(texts) == len(known.sights) else []


def _texts(data: bytes) -> Iterator[str]:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        raise DamagedDocument("PDFium cannot open the file") from None
    try:
        for number in range(len(pdf)):
            with closing(pdf[number]) as page, closing(page.get_textpage()) as text:
                yield text.get_text_range()
    except pypdfium2.PdfiumError:
        raise DamagedDocument("PDFium cannot read a page of the file") from None
    finally:
        pdf.close()


@dataclass(slots=True, repr=False)
class _Piece:
    """One object as it is written: what stands before its stream, and the stream, unpacked."""

    number: int
    head: bytes
    body: bytes

    @property
    def shows(self) -> bool:
        return b" Tf" in self.body and (b"Tj" in self.body or b"TJ" in self.body)

    @property
    def is_map(self) -> bool:
        """Whether it is a table from codes to characters, which has the format's own words in it and no others."""
        return b"begincmap" in self.body


def _pieces(data: bytes) -> Iterator[_Piece]:
    """The objects of a file, one after the other, and what stands before and after them."""
    at, number = 0, 0
    while True:
        match = _OBJECT.search(data, at)
        head_end = match.start() if match else len(data)
        stream = data.find(b"stream", at, head_end)
        if stream < 0:
            if head_end > at:
                yield _Piece(number, data[at:head_end], b"")
        else:
            end = data.find(b"endstream", stream)
            end = len(data) if end < 0 else end
            head, body = data[at:stream], data[stream + len(b"stream") : end].lstrip(b"\r").removeprefix(b"\n")
            yield _Piece(number, head, _unpacked(body))
            at = min(end + len(b"endstream"), len(data))
            continue
        if match is None:
            return
        at, number = match.end(), int(match[1])


def _unpacked(body: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(body, _LARGEST)
    except zlib.error:
        return body


@dataclass(repr=False)
class _Codes:
    """What the codes of a font mean, by their bytes; how long they are."""

    meanings: dict[bytes, str] = field(default_factory=dict)
    width: int = 1

    def text(self, string: bytes) -> str:
        if not self.meanings:
            return string.decode("cp1252", "replace")
        if self.width == 1:
            return string.decode("latin-1").translate(self._by_letter)
        parts = (string[at : at + self.width] for at in range(0, len(string), self.width))
        return "".join(self.meanings.get(part, "") for part in parts)

    @cached_property
    def _by_letter(self) -> dict[int, str]:
        return {code: self.meanings.get(bytes((code,)), "") for code in range(256)}


def _fonts(pieces: list[_Piece]) -> dict[bytes, list[_Codes]]:
    """The fonts of a file by the names that pages call them; one name may stand for several."""
    bodies = {piece.number: piece for piece in pieces}
    found: dict[bytes, list[_Codes]] = {}
    tables: dict[int, _Codes] = {}
    for piece in pieces:
        for name, number in _REFERENCE.findall(piece.head):
            font = bodies.get(int(number))
            if font is None or (b"/BaseFont" not in font.head and b"/Type3" not in font.head):
                continue
            table = re.search(rb"/ToUnicode (\d+) 0 R", font.head)
            key = int(table[1]) if table else -1
            if key not in tables:
                tables[key] = _codes(bodies[key].body) if key in bodies else _Codes()
            if tables[key] not in found.setdefault(name, []):
                found[name].append(tables[key])
    return found


def _codes(table: bytes) -> _Codes:
    codes = _Codes()
    for kind, body in _SECTION.findall(table):
        if kind == b"char":
            for code, text in _PAIR.findall(body):
                codes.meanings[_bytes(code)] = _bytes(text).decode("utf-16-be", "replace")
        else:
            for first, last, text in _RANGE.findall(body):
                start, size = int(first, 16), len(first) // 2
                base = _bytes(text)
                for step in range(min(int(last, 16) - start, 0xFFFF) + 1):
                    unit = (int.from_bytes(base[-2:], "big") + step) & 0xFFFF
                    meaning = (base[:-2] + unit.to_bytes(2, "big")).decode("utf-16-be", "replace")
                    codes.meanings[(start + step).to_bytes(size, "big")] = meaning
    codes.width = max((len(code) for code in codes.meanings), default=1)
    return codes


def _bytes(digits: bytes) -> bytes:
    try:
        return bytes.fromhex(digits.decode())  # which passes over white space between bytes
    except ValueError:
        bare = b"".join(digits.split())
        return bytes.fromhex(bare[: len(bare) // 2 * 2].decode())


def _said(content: bytes, fonts: dict[bytes, list[_Codes]]) -> Iterator[str]:
    """What a stream shows, a stretch at a time, in every font that it may be in."""
    current: list[_Codes] = [_Codes()]
    stretch: list[list[str]] = []
    for match in _SHOWN.finditer(content):
        kind = match.lastgroup
        if kind == "font":
            current = fonts.get(match["font"]) or [_Codes()]
        elif kind == "break":
            if stretch:
                yield from _readings(stretch)
                stretch = []
        else:
            string = _bytes(match["hex"]) if kind == "hex" else _plain(match["literal"])
            stretch.append([codes.text(string) for codes in current])
    if stretch:
        yield from _readings(stretch)


def _readings(stretch: list[list[str]]) -> Iterator[str]:
    """What a stretch says in every way to read it; a string that can be read in fewer ways is read in the last one."""
    if len(stretch) == 1:
        yield from stretch[0]
        return
    for way in range(max(map(len, stretch))):
        yield "".join([each[way] if way < len(each) else each[-1] for each in stretch])


def _plain(literal: bytes) -> bytes:
    inner = literal[1:-1]
    return _ESCAPE.sub(_unescaped, inner) if b"\\" in inner else inner


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8) & 255]) if match[1] else match[2]
