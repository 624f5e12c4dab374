"""What a source gives: items, and a count of what it could not give."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from withhold.codec import Value
from withhold.errors import (
    DamagedDocument,
    DocumentError,
    EncryptedDocument,
    HostileDocument,
    MalformedData,
    UnsupportedFormat,
)
from withhold.text import WORD
from withhold.types import Document

LONGEST = 64_000_000
"""A record, a mail or a page of more bytes than this is passed over."""

NO_TEXT = "without text"
TOO_LONG = f"longer than {LONGEST // 1_000_000} MB"
NO_COLUMN = "a table without a column of texts"
DAMAGED = "damaged"

_LONGEST_NAME = 300
_LONE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\s]+")
_REASONS = {
    UnsupportedFormat: "of a format that is not read",
    EncryptedDocument: "needs a password",
    HostileDocument: "too large, or expands or nests too far",
    DamagedDocument: DAMAGED,
    MalformedData: DAMAGED,
    DocumentError: "cannot be opened",
}
_TEXTS = (
    *("text", "body", "content", "contents", "article", "document", "fulltext", "full_text", "raw_content"),
    *("abstract", "summary", "description", "message", "post", "comment", "transcript", "note"),
)
_TITLES = ("title", "name", "headline", "heading", "subject")
_NAMES = ("id", "_id", "doc_id", "docid", "document_id", "uid", "uuid", "key", "url", "uri", "link", "path")


class Skipped(Counter[str]):
    """How many items were passed over, by the reason; never a word of any."""

    files: dict[str, list[str]]
    """The files they are, or are in."""

    def __init__(self, counted: Mapping[str, int] | None = None) -> None:
        super().__init__(counted or {})
        self.files = {}

    def name(self, why: str, file: Path) -> None:
        """Say in which file something was passed over."""
        self.files.setdefault(why, []).append(str(file))


class Documents(Protocol):
    """Reads the bytes of a file of any format, as a `Redactor` does."""

    def __call__(self, source: bytes, /, *, name: str = "", format: str | None = None) -> Document: ...


@dataclass(frozen=True, slots=True)
class Item:
    """One document of a source, and its number among all that the file holds, counting those that were passed over.

    The name is that of the item inside the file; it is empty where the file is the document. One that is not `titled`
    has the name of its file for a title.
    """

    name: str
    title: str = field(repr=False)
    text: str = field(repr=False)
    number: int = 0
    titled: bool = True


@dataclass(frozen=True, slots=True)
class Fields(Value):
    """Where in a record the text, the title and the name are. Usual names are tried where nothing is given.

    Several texts are put together, those that a record has.
    """

    text: tuple[str, ...] = ()
    title: str = ""
    name: str = ""

    def item(self, record: Mapping[str, Any], number: int, skipped: Skipped) -> Item | None:
        """The document in a record."""
        folded = {str(key).casefold(): value for key, value in record.items()}
        found = [_text(folded.get(key.casefold())) for key in self.text or _TEXTS]
        texts = [text for text in found if text] if self.text else [next((text for text in found if text), "")]
        title = _first(folded, (self.title.casefold(),) if self.title else _TITLES)
        name = _first(folded, (self.name.casefold(),) if self.name else _NAMES)
        return item(number, name, title, "\n\n".join(texts), skipped)

    def columns(self, there: list[str]) -> list[str]:
        """Those of a table's columns that matter."""
        texts = [key.casefold() for key in self.text or _TEXTS]
        others = [*((self.title.casefold(),) if self.title else _TITLES)]
        others += [*((self.name.casefold(),) if self.name else _NAMES)]
        chosen = [column for column in there if column.casefold() in (*texts, *others)]
        return chosen if any(column.casefold() in texts for column in chosen) else []


@dataclass(slots=True)
class Meter:
    """How many bytes of a file have been read."""

    read: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """One file to be read, from item `start` on; what is passed over is counted in `skipped`."""

    path: Path
    documents: Documents = field(repr=False)
    fields: Fields
    skipped: Skipped
    start: int = 0
    meter: Meter = field(default_factory=Meter)


def item(number: int, name: str | None, title: str, text: str, skipped: Skipped) -> Item | None:
    """An item with a text that can be indexed; None, and counted, if there is no word in it. With None for a name it is
    all that the file holds; without a name it is called by its number.
    """
    if not WORD.search(text):
        skipped[NO_TEXT] += 1
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = _LONE.sub("\ufffd", text)
    return Item("" if name is None else _line(name) or str(number), _line(title), text, number)


def reason(error: Exception) -> str:
    """Why something could not be read, in words that say nothing of it."""
    return next((words for kind, words in _REASONS.items() if isinstance(error, kind)), DAMAGED)


def _line(name: str) -> str:
    """A name or title as one line that can be shown."""
    return _CONTROL.sub(" ", name[: 4 * _LONGEST_NAME]).strip()[:_LONGEST_NAME]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n\n".join(value)
    return ""


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""
