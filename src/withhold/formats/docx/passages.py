"""An independent look at a package: zipfile and expat, none of the code that writes it."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from xml.parsers import expat

from withhold.errors import DamagedDocument
from withhold.formats.docx.names import KEPT_NAMESPACES
from withhold.formats.docx.vocabulary import is_name, is_vocabulary
from withhold.types import Passage

_TEXT_ATTRIBUTES = {"descr", "title", "alt", "string", "tooltip"}
_TEXT_VALUES = {"tblCaption", "tblDescription", "lvlText"}
_TEXTS = {"t", "v", "separator", "name"}
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_BLOCKS = {"p", "v", "separator", "name"}
_XML = "http://www.w3.org/XML/1998/namespace}"
_LISTINGS = ("[Content_Types].xml", "_rels/.rels")
_PART_STEMS = {
    *("document", "styles", "numbering", "settings", "fontTable", "footnotes", "endnotes", "header", "footer"),
    *("theme", "chart", "data", "layout", "quickStyle", "colors", "blank", "image", "[Content_Types]"),
}
_PLAIN_NAME = re.compile(
    r"\[Content_Types\]\.xml|(?:\w+/)?_rels/(?:\w+\.xml)?\.rels"
    r"|word/(?:(?:charts|diagrams|theme|media)/)?(?:_rels/)?[a-z]{4,10}\d*\.(?:xml|xml\.rels|png|jpeg|gif)",
    re.IGNORECASE,
)


def passages(data: bytes) -> Iterator[Passage]:
    """Every text, name and blob of a package.

    Raises:
        DamagedDocument: if it is no package, or a part of it no XML.
    """
    try:
        yield from _passages(data)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        raise DamagedDocument("the output is not a sound package") from None


def _passages(data: bytes) -> Iterator[Passage]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.comment:
            yield Passage("archive comment", data=archive.comment, kind="raw")
        for entry in archive.infolist():
            if not _is_plain(entry.filename):
                yield Passage("part name", entry.filename, "name")
            content = archive.read(entry)
            if entry.filename.endswith((".xml", ".rels")):
                yield from _Reader(entry.filename).read(content)
            else:
                yield Passage(entry.filename, kind="raw", data=content)


class _Reader:
    """One XML part: character data by paragraph, attribute values by what they are."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[Passage] = []
        self.blocks: list[list[str]] = [[]]
        self.elements: list[str] = []
        self.other: list[str] = []
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.CommentHandler = self._content
        self.parser.ProcessingInstructionHandler = lambda target, data: self._content(f"{target} {data}")
        self.parser.StartNamespaceDeclHandler = self._prefix
        self.parser.StartDoctypeDeclHandler = self._doctype

    def read(self, content: bytes) -> list[Passage]:
        try:
            self.parser.Parse(content, True)
        except (expat.ExpatError, ValueError, LookupError):
            raise DamagedDocument("a part of the output is not well-formed") from None
        self._end_block()
        return self.found

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _bare(tag)
        self.elements.append(name)
        if name in _BLOCKS:
            self.blocks.append([])
        if name in _SIGNS:
            self.blocks[-1].append(_SIGNS[name])
        if name == "sym":
            self.blocks[-1].append(_symbol({_bare(key): value for key, value in attributes.items()}))
        if self.where.endswith(".rels"):
            self._target(attributes.get("Target", ""), attributes.get("TargetMode") == "External")
        elif self.where not in _LISTINGS:
            self._name(tag)
            for attribute, value in attributes.items():
                self._name(attribute)
                self._attribute(name, _bare(attribute), value)

    def _name(self, name: str) -> None:
        if not name.startswith(_XML) and not is_name(_bare(name)):
            self.found.append(Passage(self.where, _bare(name), "name"))

    def _target(self, target: str, outside: bool) -> None:
        if outside:
            self._content(target)
        elif target and not _is_plain(target.lstrip("/")):
            self.found.append(Passage(self.where, target, "name"))

    def _attribute(self, element: str, attribute: str, value: str) -> None:
        if attribute in _TEXT_ATTRIBUTES or (attribute == "val" and element in _TEXT_VALUES):
            self._content(value)
        elif not is_vocabulary(value):
            self.found.append(Passage(self.where, value, "name"))

    def _characters(self, text: str) -> None:
        (self.blocks[-1] if self.elements[-1] in _TEXTS else self.other).append(text)

    def _end(self, tag: str) -> None:
        if self.other:
            other, self.other = "".join(self.other).strip(), []
            if not is_vocabulary(other):
                self._content(other)
        if self.elements.pop() in _BLOCKS:
            self._end_block()

    def _end_block(self) -> None:
        self._content("".join(self.blocks.pop()))

    def _content(self, text: str) -> None:
        if text:
            self.found.append(Passage(self.where, text))

    def _prefix(self, prefix: str | None, uri: str) -> None:
        if prefix and KEPT_NAMESPACES.get(uri) != prefix:
            self.found.append(Passage(self.where, prefix, "name"))

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        raise DamagedDocument("a part of the output has a document type")


@lru_cache(10_000)
def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def _symbol(values: dict[str, str]) -> str:
    try:
        code = int(values.get("char", ""), 16)
        pictures = any(each in values.get("font", "").lower() for each in ("symbol", "dings", "marlett", "mt extra"))
        return chr(code - 0xF000 if 0xF000 <= code < 0xF100 and not pictures else code)
    except (ValueError, OverflowError):
        return "\ufffd"


def _is_plain(name: str) -> bool:
    """Whether a part is named by what it is, as in any package."""
    stem = name.rpartition("/")[2].partition(".")[0].rstrip("0123456789")
    return bool(_PLAIN_NAME.fullmatch(name)) and (not stem or stem in _PART_STEMS)
