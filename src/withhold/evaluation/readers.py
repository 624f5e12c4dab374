"""Outside readers: what anyone could get out of a file with a few lines of Python.

None shares code with `withhold.formats`. `everything` reads all that is there, `visible` what a person sees.
"""

from __future__ import annotations

import binascii
import codecs
import quopri
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from withhold.evaluation import package, pdf
from withhold.evaluation.package import Seen

_HTML_VOCABULARY = frozenset(
    {
        "align",
        "charset",
        "colspan",
        "dir",
        "for",
        "height",
        "http-equiv",
        "lang",
        "media",
        "method",
        "rel",
        "rowspan",
        "scope",
        "shape",
        "span",
        "target",
        "type",
        "valign",
        "width",
        "xmlns",
    }
)
_UNSEEN = frozenset(
    {
        "head",
        "script",
        "style",
        "template",
        "noscript",
        "title",
    }
)
_EMPTY = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
_MIME_HEADERS = frozenset(
    {
        "content-type",
        "content-disposition",
        "content-transfer-encoding",
        "mime-version",
    }
)
_LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
_ENCODED_WORD = re.compile(rb"=\?([^?\s]+)\?([bBqQ])\?([^?\s]*)\?=")


def everything(format: str, data: bytes) -> Iterator[Seen]:
    """Every place of a file that may hold words, with the readings of each."""
    if format == "pdf":
        yield from pdf.everything(data)
    elif data[:4] == b"PK\x03\x04":
        yield from package.scan(data)
    elif format == "html":
        yield from scan_html(_text(data))
    elif format == "eml":
        yield from scan_mail(data)
    else:
        yield "bytes", tuple(_readings(data))


def opens(name: str, data: bytes) -> bool:
    """Whether anyone could open a file that was refused; only of PDF files is that asked."""
    return not name.lower().endswith(".pdf") or pdf.opens(data)


def visibles(format: str, data: bytes) -> list[str]:
    """The text a person sees, by every reader that can tell."""
    return pdf.visible(data) if format == "pdf" else [visible(format, data)]


def visible(format: str, data: bytes) -> str:
    """The text a person sees, as well as an outsider can tell."""
    if format == "pdf":
        return pdf.visible(data)[0]
    if data[:4] == b"PK\x03\x04":
        return package.visible(data)
    if format == "html":
        page = _Page()
        page.feed(_text(data))
        return "".join(page.seen)
    if format == "eml":
        return "\n".join(text for where, (text, *_) in scan_mail(data) if where.startswith("body"))
    return _LINK_TARGET.sub("]", _text(data)) if format == "markdown" else _text(data)


class _Page(HTMLParser):
    """A page apart: what is seen, and all that is there."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.all: list[str] = []
        self.attributes: list[str] = []
        self.inside: list[str] = []

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Sections that the library gives up on are comments, as they are for browsers."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [value for name, value in attrs if value and name not in _HTML_VOCABULARY]
        if tag not in _EMPTY:
            self.inside.append(tag)
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass
        self._part(tag)

    def handle_data(self, data: str) -> None:
        self.all.append(data)
        if not _UNSEEN & set(self.inside):
            self.seen.append(data)

    def handle_comment(self, data: str) -> None:
        self.attributes.append(data)

    def handle_pi(self, data: str) -> None:
        self.attributes.append(data)

    def unknown_decl(self, data: str) -> None:
        self.attributes.append(data)

    def _part(self, tag: str) -> None:
        """What is not an inline element separates words."""
        if tag not in {"a", "abbr", "b", "em", "font", "i", "mark", "s", "small", "span", "strong", "sub", "sup", "u"}:
            self.seen.append(" ")
            self.all.append(" ")


def scan_html(text: str) -> Iterator[Seen]:
    page = _Page()
    page.feed(text)
    page.close()
    yield "text", ("".join(page.all), " ".join(page.all))
    yield from (("attribute or comment", (value,)) for value in page.attributes)


def scan_mail(data: bytes, where: str = "") -> Iterator[Seen]:
    """Headers and bodies of a mail and of every part in it, decoded by hand."""
    head, _, body = data.replace(b"\r\n", b"\n").partition(b"\n\n")
    headers = _headers(head)
    for name, value in headers:
        if name in _MIME_HEADERS:
            value = b" ".join(re.findall(rb"""(?:file)?name\*?\d*\*?=("[^"]*"|[^;\s]*)""", value))
        yield f"{where}header {name}", (_encoded_words(value), _text(value))
    kind = dict(headers).get("content-type", b"text/plain")
    boundary = re.search(rb"""boundary=(?:"([^"]+)"|([^\s;]+))""", kind, re.I)
    if boundary:
        yield from _parts(body, boundary[1] or boundary[2], where)
        return
    content = _decoded(body, dict(headers).get("content-transfer-encoding", b"").strip().lower())
    if kind.strip().lower().startswith(b"message/"):
        yield from scan_mail(content, f"{where}message/")
    elif content[:4] == b"PK\x03\x04":
        yield from package.scan(content, f"{where}attachment/")
    elif kind.strip().lower().startswith(b"text/html"):
        page = _text(content, _charset(kind))
        yield from ((f"body {place}" if place == "text" else place, readings) for place, readings in scan_html(page))
    else:
        place = "body" if kind.strip().lower().startswith(b"text/") else "attachment"
        yield f"{place} {where}", (_text(content, _charset(kind)), *_readings(content))


def _parts(body: bytes, boundary: bytes, where: str) -> Iterator[Seen]:
    before, *parts = re.split(rb"(?m)^--" + re.escape(boundary) + rb"(?:--)?[ \t]*$\n?", body)
    yield f"{where}preamble", tuple(_readings(before))
    for number, part in enumerate(parts, 1):
        yield from scan_mail(part, f"{where}{number}/")


def _headers(head: bytes) -> list[tuple[str, bytes]]:
    unfolded = re.sub(rb"\n[ \t]+", b" ", head)
    lines = [line.partition(b":") for line in unfolded.split(b"\n")]
    return [(name.strip().lower().decode("ascii", "replace"), value) for name, _, value in lines]


def _encoded_words(value: bytes) -> str:
    def decoded(match: re.Match[bytes]) -> bytes:
        charset, way, content = match.groups()
        plain = _base64(content) if way in b"bB" else quopri.decodestring(content.replace(b"_", b" "))
        return _text(plain, charset.decode("ascii", "replace")).encode("utf-8", "replace")

    return _text(_ENCODED_WORD.sub(decoded, re.sub(rb"(\?=)\s+(=\?)", rb"\1\2", value)))


def _decoded(body: bytes, way: bytes) -> bytes:
    if way == b"base64":
        return _base64(body)
    return quopri.decodestring(body) if way == b"quoted-printable" else body


def _base64(content: bytes) -> bytes:
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", content)
    kept = kept[: len(kept) - 1] if len(kept) % 4 == 1 else kept
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


def _charset(kind: bytes) -> str | None:
    named = re.search(rb"""charset\s*=\s*"?([\w.:-]+)""", kind, re.I)
    return named[1].decode("ascii", "replace") if named else None


def _text(data: bytes, charset: str | None = None) -> str:
    """The most likely reading."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            charset = name
    try:
        codecs.lookup(charset or "utf-8")
        return data.decode(charset or "utf-8", "strict" if charset is None else "replace")
    except (LookupError, UnicodeDecodeError):
        return data.decode("cp1252", "replace")


def _readings(data: bytes) -> Iterator[str]:
    """Every text that some bytes could be."""
    for charset in ("utf-8", "cp1252", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        yield data.decode(charset, "replace")
