"""Web archives: every page that was fetched is a document, named by its address.

Read without a library, since those at hand print what they find wrong with an archive, words of it included.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BufferedReader

from withhold.corpora.sources import web
from withhold.corpora.sources.items import DAMAGED, TOO_LONG, Documents, Item, Reading, item, reason
from withhold.corpora.sources.streams import guessed, opened
from withhold.errors import DamagedDocument, DocumentError, HostileDocument, UnsupportedFormat

_LARGEST = 16_000_000
_HEAD = 65_536
_BLOCK = 1 << 18
_HELD = ("response", "resource", "conversion")
_PAGES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class _Record:
    """A record of an archive: what is said of it, and what it holds, of a long one the beginning."""

    headers: Mapping[str, str] = field(repr=False)
    data: bytes = field(repr=False)
    is_whole: bool


def read(reading: Reading) -> Iterator[Item]:
    number = -1
    with opened(reading.path, reading.meter) as stream:
        for record in _records(stream, reading):
            if record.headers.get("warc-type") not in _HELD:
                continue
            number += 1
            if number >= reading.start and (found := _item(record, number, reading)):
                yield found


def _records(stream: BufferedReader, reading: Reading) -> Iterator[_Record]:
    """The records of an archive; after one that is broken, from the next beginning on."""
    lost = False
    while line := stream.readline(_BLOCK):
        if not line.startswith(b"WARC/"):
            if line.strip() and not lost:
                reading.skipped[DAMAGED] += 1
                lost = True
            continue
        headers = _headers(_head(stream))
        length = headers.get("content-length", "")
        lost = not (length.isascii() and length.isdecimal() and len(length) < 16)
        if lost:
            reading.skipped[DAMAGED] += 1
            continue
        data = stream.read(min(int(length), _LARGEST))
        left = int(length) - len(data)
        while left and (passed := len(stream.read(min(left, _BLOCK)))):
            left -= passed
        if left:
            raise DamagedDocument(f"{reading.path}: not a whole web archive")
        yield _Record(headers, data, int(length) == len(data))


def _head(stream: BufferedReader) -> bytes:
    """Everything up to a blank line, or as much as can be expected to be that."""
    held = b""
    while len(held) < _HEAD and (line := stream.readline(_HEAD)).strip():
        held += line
    return held


def _headers(head: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in head.decode("utf-8", "replace").splitlines())
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _item(record: _Record, number: int, reading: Reading) -> Item | None:
    if not record.is_whole:
        reading.skipped[TOO_LONG] += 1
        return None
    try:
        found = _page(record, reading)
    except DocumentError as error:
        reading.skipped[reason(error)] += 1
        return None
    address = record.headers.get("warc-target-uri", "").strip("<>")
    return found and item(number, address, *found, reading.skipped)


def _page(record: _Record, reading: Reading) -> tuple[str, str] | None:
    headers, data = record.headers, record.data
    if headers.get("content-type", "").lower().startswith("application/http"):
        status, headers, data = _answer(data)
        if not status.startswith("2"):
            reading.skipped["answers that are no page"] += 1
            return None
    declared, _, rest = headers.get("content-type", "").partition(";")
    kind = declared.strip().lower()
    if kind not in _PAGES and kind != "text/plain":
        reading.skipped["neither a page nor plain text"] += 1
        return None
    data = _unpacked(data, headers)
    text = _decoded(data, web.declared(rest.encode("ascii", "ignore")), reading.documents, is_page=kind in _PAGES)
    return web.page(text) if kind in _PAGES else ("", text)


def _answer(data: bytes) -> tuple[str, dict[str, str], bytes]:
    """The status, the headers and the body of what a server answered."""
    head, end, _ = data[:_HEAD].partition(b"\r\n\r\n")
    first, _, rest = head.partition(b"\n")
    status = first.split(None, 2)[1:2]
    return b"".join(status).decode("ascii", "replace"), _headers(rest), data[len(head) + len(end) :]


def _unpacked(data: bytes, headers: Mapping[str, str]) -> bytes:
    """A body as it was before it was sent.

    Raises:
        DocumentError: if it cannot be unpacked, or becomes too large.
    """
    if headers.get("transfer-encoding", "").lower() == "chunked":
        data = _joined(data)
    packed = headers.get("content-encoding", "").lower()
    if packed in ("", "identity") or (packed != "deflate" and not data.startswith((b"\x1f\x8b", b"\x78"))):
        # Archives often hold pages unpacked, and still say that they are not.
        return data
    if packed not in ("gzip", "x-gzip", "deflate"):
        raise UnsupportedFormat("packed in a way that is not read")
    for form in (47, -15):
        try:
            unpacking = zlib.decompressobj(form)
            found = unpacking.decompress(data, _LARGEST)
        except zlib.error:
            continue
        if unpacking.unconsumed_tail:
            raise HostileDocument("larger than a page")
        return found
    raise DamagedDocument("not what it says it is packed with")


def _joined(data: bytes) -> bytes:
    """The chunks of a body put together; one that is in no chunks is as it is."""
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        line, end, _ = data[at : at + 1_000].partition(b"\r\n")
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            return b"".join(pieces) or data
        if not end or size <= 0:
            break
        at += len(line) + 2
        pieces.append(data[at : at + size])
        at += size + 2
    return b"".join(pieces)


def _decoded(data: bytes, encoding: str, documents: Documents, *, is_page: bool) -> str:
    named = [encoding, web.declared(data) if is_page else ""]
    for candidate in [*filter(None, named), "utf-8"]:
        try:
            return data.decode(candidate)
        except (LookupError, ValueError):
            continue
    return guessed(data, documents)
