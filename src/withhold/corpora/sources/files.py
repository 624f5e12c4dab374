"""Files that are one document each, of any format that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from withhold.corpora.sources.items import DAMAGED, LONGEST, TOO_LONG, Item, Reading, item, reason
from withhold.corpora.sources.mail import subject
from withhold.corpora.sources.streams import COMPRESSED, opened
from withhold.errors import DocumentError
from withhold.types import Document

_UNSEEN = frozenset(["link target"])


def read(reading: Reading) -> Iterator[Item]:
    if reading.start:
        return
    path = PurePath(reading.path.name)
    name = path.stem if path.suffix.lower() in COMPRESSED else path.name
    with opened(reading.path, reading.meter) as stream:
        data = stream.read(LONGEST + 1)
    if len(data) > LONGEST:
        reading.skipped[TOO_LONG] += 1
        return
    try:
        document = reading.documents(data, name=name)
    except DocumentError as error:
        reading.skipped[reason(error)] += 1
        return
    except Exception:
        # One file among many must not end the work, whatever is wrong with it or with what reads it.
        reading.skipped[DAMAGED] += 1
        return
    title = _title(document, data)
    if found := item(0, None, title or PurePath(name).stem, _text(document), reading.skipped):
        yield replace(found, titled=bool(title))


def _text(document: Document) -> str:
    """The text with a blank line between blocks; that of plain text as it is."""
    if len(document.blocks) < 2:
        return document.text
    blocks = (block.span.of(document.text).strip() for block in document.blocks if block.kind not in _UNSEEN)
    return "\n\n".join(block for block in blocks if block)


def _title(document: Document, data: bytes) -> str:
    """The title that a document gives itself."""
    told = next((block.span.of(document.text) for block in document.blocks if block.kind == "title"), "")
    if document.format == "eml":
        told = subject(data)
    return told.strip()
