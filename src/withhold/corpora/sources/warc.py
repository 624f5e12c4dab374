"""Web archives: every page that was fetched is a document, named by its address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from withhold.corpora.sources import web
from withhold.corpora.sources.items import DAMAGED, TOO_LONG, Documents, Item, Reading, item, reason
from withhold.corpora.sources.streams import guessed, opened
from withhold.errors import DamagedDocument, DocumentError

_LARGEST = 16_000_000
_HELD = ("response", "resource", "conversion")
_PAGES = ("text/html", "application/xhtml+xml")


def read(reading: Reading) -> Iterator[Item]:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    number = -1
    with opened(reading.path, reading.meter) as stream:
        records = iter(ArchiveIterator(stream))
        while True:
            try:
                record = next(records)
            except StopIteration:
                return
            except ArchiveLoadFailed:
                raise DamagedDocument(f"{reading.path}: not a whole web archive") from None
            if record.rec_type not in _HELD:
                continue
            number += 1
            if number >= reading.start and (found := _item(record, number, reading)):
                yield found


def _item(record: Any, number: int, reading: Reading) -> Item | None:
    if record.http_headers is not None and not str(record.http_headers.get_statuscode()).startswith("2"):
        reading.skipped["answers that are no page"] += 1
        return None
    try:
        found = _page(record, reading)
    except DocumentError as error:
        reading.skipped[reason(error)] += 1
        return None
    except (EOFError, OSError):
        raise
    except Exception:
        # Answers of servers are as broken as can be, and so are their compressions.
        reading.skipped[DAMAGED] += 1
        return None
    address = record.rec_headers.get_header("WARC-Target-URI") or ""
    return found and item(number, address.strip("<>"), *found, reading.skipped)


def _page(record: Any, reading: Reading) -> tuple[str, str] | None:
    headers = record.http_headers or record.rec_headers
    declared, _, rest = (headers.get_header("Content-Type") or "").partition(";")
    kind = declared.strip().lower()
    if kind not in _PAGES and kind != "text/plain":
        reading.skipped["neither a page nor plain text"] += 1
        return None
    data = record.content_stream().read(_LARGEST + 1)
    if len(data) > _LARGEST:
        reading.skipped[TOO_LONG] += 1
        return None
    text = _decoded(data, web.declared(rest.encode("ascii", "ignore")), reading.documents, is_page=kind in _PAGES)
    return web.page(text) if kind in _PAGES else ("", text)


def _decoded(data: bytes, encoding: str, documents: Documents, *, is_page: bool) -> str:
    named = [encoding, web.declared(data) if is_page else ""]
    for candidate in [*filter(None, named), "utf-8"]:
        try:
            return data.decode(candidate)
        except (LookupError, ValueError):
            continue
    return guessed(data, documents)
