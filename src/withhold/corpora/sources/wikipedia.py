"""Dumps of wikis that run MediaWiki: every article is a document, named by its title.

The XML is read as a stream of events, so memory does not grow with the dump. A dump declares no entities; one that does
is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from withhold.corpora.sources.items import LONGEST, TOO_LONG, Item, Reading, item
from withhold.corpora.sources.streams import opened
from withhold.corpora.sources.wikitext import CATEGORIES, FILES, plain
from withhold.errors import DamagedDocument, DocumentError, HostileDocument

_BLOCK = 1 << 16
_DEEPEST = 20
_KEPT = frozenset(["title", "ns", "text", "model", "namespace"])
_FILE, _CATEGORY = "6", "14"


@dataclass(slots=True, repr=False)
class _Page:
    """What a dump tells of one page; of several revisions the last counts."""

    title: str = ""
    ns: str = "0"
    text: str = ""
    model: str = "wikitext"
    redirects: bool = False
    too_long: bool = False


@dataclass(slots=True, repr=False)
class _Dump:
    """The state between two events."""

    pages: list[_Page] = field(default_factory=list)
    page: _Page = field(default_factory=_Page)
    depth: int = 0
    held: list[str] | None = None
    size: int = 0
    key: str = ""
    files: set[str] = field(default_factory=lambda: set(FILES))
    categories: set[str] = field(default_factory=lambda: set(CATEGORIES))

    def parser(self) -> Any:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 1 << 20
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.refuse
        return parser

    def refuse(self, *_declared: object) -> None:
        raise HostileDocument("the XML declares a document type, which no dump does")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise HostileDocument("the XML nests further than any dump does")
        self.held, self.size = ([], 0) if name in _KEPT else (None, 0)
        if name == "page":
            self.page = _Page()
        elif name == "redirect":
            self.page.redirects = True
        elif name == "namespace":
            self.key = attributes.get("key", "")

    def characters(self, data: str) -> None:
        if self.held is None:
            return
        self.size += len(data)
        if self.size <= LONGEST:
            self.held.append(data)

    def end(self, name: str) -> None:
        self.depth -= 1
        if name == "page":
            self.pages.append(self.page)
        elif self.held is not None:
            self._keep(name, "".join(self.held))
        self.held = None

    def _keep(self, name: str, text: str) -> None:
        if name == "namespace":
            if self.key in (_FILE, _CATEGORY):
                (self.files if self.key == _FILE else self.categories).add(text.lower())
            return
        if name == "text":
            self.page.too_long = self.size > LONGEST
        setattr(self.page, name, text)


def read(reading: Reading) -> Iterator[Item]:
    dump, number = _Dump(), 0
    for error in _fed(dump, reading):
        pages, dump.pages = dump.pages, []
        for page in pages:
            if number >= reading.start and (found := _item(page, number, dump, reading)):
                yield found
            number += 1
        if error:
            raise error


def _fed(dump: _Dump, reading: Reading) -> Iterator[DocumentError | None]:
    """Feed the dump block by block; at last, what is wrong with it, if anything is."""
    parser = dump.parser()
    block, fed = b"begin", 0
    with opened(reading.path, reading.meter) as stream:
        while block:
            block = stream.read(_BLOCK)
            fed += len(block)
            try:
                parser.Parse(block, not block)
                if fed - max(parser.CurrentByteIndex, 0) > LONGEST:
                    raise HostileDocument(f"{reading.path}: one tag is longer than {LONGEST // 1_000_000} MB")
            except expat.ExpatError:
                yield DamagedDocument(f"{reading.path}: not a whole dump")
                return
            except HostileDocument as error:
                yield error
                return
            yield None


def _item(page: _Page, number: int, dump: _Dump, reading: Reading) -> Item | None:
    skipped = reading.skipped
    if page.ns.strip() != "0" or page.model not in ("wikitext", ""):
        skipped["pages that are no articles"] += 1
    elif page.redirects or page.text[:20].lstrip().lower().startswith("#redirect"):
        skipped["redirects"] += 1
    elif page.too_long:
        skipped[TOO_LONG] += 1
    else:
        text = plain(page.text, files=dump.files, categories=dump.categories)
        return item(number, page.title, page.title, text, skipped)
    return None


def starts_like_dump(sample: bytes) -> bool:
    return b"<mediawiki" in sample
