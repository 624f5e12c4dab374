"""A second reader of mail, for checking outputs: it takes raw bytes apart by hand, without the `email` package.

What this program itself writes into a mail besides the text (header names, media types, numbered boundaries and
content identifiers, endings of file names) is no passage; the same kinds of value with anything else in them are.
"""

from __future__ import annotations

import binascii
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import unquote

from withhold.errors import DocumentError
from withhold.formats import formats, named, recognise
from withhold.types import Passage

_DEEPEST = 60
_LONGEST = 10_000
_STRUCTURE = ("content-type", "content-transfer-encoding", "content-disposition", "content-id", "mime-version")
_ADDRESSED = ("from", "to", "cc", "reply-to")
_SHOWN = (*_ADDRESSED, "subject", "date")
_ENDINGS = {"text/html": ".html", "text/markdown": ".md", "text/csv": ".csv"}
_KNOWN = re.compile(
    r"(?:|1\.0|text/(?:plain|html|markdown|csv|tab-separated-values|calendar|vcard)|image/(?:png|jpeg|gif)"
    r"|application/(?:json|octet-stream|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)"
    r"|multipart/(?:mixed|alternative|related)|message/rfc822|quoted-printable|base64|attachment|inline"
    r"|<\d+@mail>|boundary==_\d+_=|charset=utf-8)"
)
# Quantifiers that never give back, and closing signs that may be missing, keep these linear in any input.
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*+)"?+', re.DOTALL)
_ADDRESS_PIECE = re.compile(rf'{_QUOTED.pattern}|<((?:"(?:\\.|[^"\\])*+"?+|[^">])*+)>?+|([^"<]+)', re.DOTALL)
_WORD = re.compile(r"=\?([^?\s]*)\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_UNREADABLE = (DocumentError, zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError)

Fields = list[tuple[str, str]]


def passages(data: bytes, depth: int = 0) -> Iterator[Passage]:
    """Everything in a mail: headers, texts, file names, attachments."""
    if depth > _DEEPEST:
        yield Passage("part", kind="raw", data=data)
        return
    fields, body = _split(data)
    for name, value in fields:
        if name not in _STRUCTURE:
            yield from _header(name, value)
    yield from _part(fields, body, depth)


def _split(data: bytes) -> tuple[Fields, bytes]:
    """The header fields, unfolded, and the body."""
    data = data[2:] if data.startswith(b"\r\n") else data
    end = re.search(rb"\r\n\r\n|\n\n|\r\r", data)
    head, body = (data[: end.start()], data[end.end() :]) if end else (data, b"")
    text = head.decode("utf-8", "replace")
    lines = re.split(r"\r\n|\n|\r", re.sub(r"(?:\r\n|\n|\r)(?=[ \t])", "", text))
    fields = []
    for line in lines:
        name, colon, value = line.partition(":")
        fields.append((name.strip().lower(), value.strip(" \t")) if colon else ("", line))
    return fields, body


def _header(name: str, value: str) -> Iterator[Passage]:
    if name not in _SHOWN:
        yield Passage("other header", f"{name} {_decode_words(value)}".strip())
    elif name in _ADDRESSED:
        yield from (Passage(name, text) for text in _address_texts(value))
    else:
        yield Passage(name, _decode_words(value))


def _address_texts(value: str) -> Iterator[str]:
    for match in _ADDRESS_PIECE.finditer(value):
        if match[1] is not None:
            yield _decode_words(_unescape(match[1]))
        elif match[2] is not None:
            yield _decode_words(_QUOTED.sub(lambda found: _unescape(found[1]), match[2]))
        else:
            bare = match[3] or ""
            yield from (_decode_words(text.strip()) for text in re.split("[,:;]", bare) if text.strip())


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _decode_words(text: str) -> str:
    together = re.sub(r"(?<=\?=)[ \t]+(?==\?)", "", text)
    return _WORD.sub(lambda found: _charset_text(_word_bytes(found[2], found[3]), found[1].split("*")[0]), together)


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    return _base64(data) if encoding in "bB" else quopri.decodestring(data, header=True)


def _base64(data: bytes) -> bytes:
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _charset_text(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _part(fields: Fields, body: bytes, depth: int) -> Iterator[Passage]:
    described = {}
    for name, value in reversed(fields):
        if name in _STRUCTURE and len(value) <= _LONGEST:
            described[name] = value
        elif name in _STRUCTURE:
            yield Passage(name, value)
    kind, labels = _values(described.get("content-type", "text/plain"))
    disposition, more = _values(described.get("content-disposition", ""))
    for name, value in described.items():
        yield from _strange(name, value)
    file_name = _file_name(more, "filename") or _file_name(labels, "name")
    ending = _ending(file_name)
    if stem := file_name[: len(file_name) - len(ending)]:
        yield Passage("file name", stem)
    encoding = described.get("content-transfer-encoding", "").lower().strip()
    data = body
    if encoding in ("base64", "quoted-printable"):
        data = _base64(body) if encoding == "base64" else quopri.decodestring(body)
    if kind.startswith("multipart/") and labels.get("boundary"):
        yield from _parts(body, labels["boundary"], depth)
    elif kind in ("message/rfc822", "message/global"):
        yield from passages(data, depth + 1)
    else:
        yield from _leaf(kind, disposition, ending, data, labels.get("charset", ""), depth)


def _parts(body: bytes, boundary: str, depth: int) -> Iterator[Passage]:
    if depth > _DEEPEST:
        yield Passage("part", kind="raw", data=body)
        return
    line = rb"(?:\A|\r\n|\n|\r)--" + re.escape(boundary.encode("utf-8", "replace")) + rb"(--)?[ \t]*(?=\r|\n|\Z)"
    pieces = re.split(line, body)
    outside = [pieces[0]]
    for closed, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if closed:
            outside.append(piece)
            continue
        fields, inside = _split(re.sub(rb"\A(?:\r\n|\n|\r)", b"", piece))
        yield from _part(fields, inside, depth + 1)
    yield from (Passage("around parts", text.decode("utf-8", "replace")) for text in outside if text.strip())


def _leaf(kind: str, disposition: str, ending: str, data: bytes, charset: str, depth: int) -> Iterator[Passage]:
    if kind.startswith("image/"):
        yield Passage("picture", kind="raw", data=data)
    elif kind == "text/html" and disposition != "attachment":
        yield from _inside("html", data, _charset_text(data, charset))
    elif kind in ("text/calendar", "text/vcard"):
        yield Passage("card", re.sub(r"\r?\n[ \t]", "", _charset_text(data, charset)))
    elif kind == "text/plain" and disposition != "attachment":
        yield Passage("text", _charset_text(data, charset))
    else:
        yield from _attachment(kind, ending, data, charset, depth)


def _attachment(kind: str, ending: str, data: bytes, charset: str, depth: int) -> Iterator[Passage]:
    try:
        format = recognise(data, "x" + (ending or _ENDINGS.get(kind, "")))
    except DocumentError:
        yield Passage("attachment", kind="raw", data=data)
        return
    if format.name == "eml":
        yield from passages(data, depth + 1)
    else:
        yield from _inside(format.name, data, _charset_text(data, charset) if charset else None)


def _inside(name: str, data: bytes, text: str | None) -> Iterator[Passage]:
    """What the format's own second reader sees; text is given to it as marked UTF-8."""
    if text is not None and name == "html":
        data = b"\xef\xbb\xbf" + text.removeprefix("\ufeff").encode("utf-8", "replace")
    try:
        for passage in named(name).passages(data):
            yield Passage(f"{name}: {passage.where}", passage.text, passage.kind, passage.data)
    except _UNREADABLE:
        yield Passage("attachment", kind="raw", data=data)


def _values(value: str) -> tuple[str, dict[str, str]]:
    """The first value of a structural header, and its parameters."""
    first, *rest = re.findall(r'(?:"(?:\\.|[^"\\])*"|[^;"])+', value) or [""]
    labels = {}
    for each in rest:
        name, _, said = each.partition("=")
        labels[name.strip().lower()] = _QUOTED.sub(lambda found: _unescape(found[1]), said.strip())
    return first.strip().lower(), labels


def _file_name(labels: dict[str, str], name: str) -> str:
    """The parameter, whole or in numbered pieces, plain or percent-encoded."""
    if plain := labels.get(name):
        return _decode_words(plain)
    numbered = {label: value for label, value in labels.items() if re.fullmatch(rf"{name}\*(?:\d+\*?)?", label)}
    ordered = sorted(numbered, key=lambda label: int(re.sub(r"\D", "", label[len(name) :]) or 0))
    return unquote("".join(numbered[label] for label in ordered).rpartition("''")[2])


def _ending(file_name: str) -> str:
    known = {ending for format in formats() for ending in format.extensions} | {".ics", ".vcf"}
    return max((ending for ending in known if file_name.lower().endswith(ending)), key=len, default="")


def _strange(name: str, value: str) -> Iterator[Passage]:
    """What a structural header says that is no part of the vocabulary."""
    first, labels = _values(value)
    said = [first, *(f"{label}={text}" for label, text in labels.items() if not label.startswith(("filename", "name")))]
    yield from (Passage(name, text) for text in said if not _KNOWN.fullmatch(text))
