"""The independent reader: the standard library's parser, which knows nothing of how the page was written.

It shares with the writer the words of the format, and no code that reads: tags and their nesting are seen by
`html.parser`, style sheets are taken apart by splitting at their signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

from withhold.errors import DamagedDocument
from withhold.formats.html import vocabulary as known
from withhold.types import Passage

_SEPARATE = re.compile(r"[\s,]+")
_REFERENCE = re.compile(r"(?:url\()?#(.*?)\)?")
_DATA_ADDRESS = re.compile(r"data:image/(?:png|jpeg|gif);base64,([A-Za-z0-9+/=]*)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = re.compile(r"([\"'])(.*?)(?:\1|\Z)", re.DOTALL)
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_CSS_NAME = re.compile(r"(?:[\w-]|\\[0-9a-fA-F]{1,6}\s?|\\.)+")
_NUMBER = re.compile(r"-?\d[\d.]*(?:e-?\d+)?([a-z]*)", re.IGNORECASE)
_KNOWN_ATTRIBUTES = known.VALUE_ATTRIBUTES | known.LINK_ATTRIBUTES | known.TEXT_ATTRIBUTES.keys()


def passages(data: bytes) -> Iterator[Passage]:
    """Everything in a page, as another parser sees it.

    Raises:
        DamagedDocument: if that parser gives up on it.
    """
    reader = _Reader()
    try:
        reader.feed(data.decode("utf-8", "replace"))
        reader.close()
    except AssertionError:
        raise DamagedDocument("the output is not a sound page") from None
    reader.flush_all()
    yield from reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Passage] = []
        self.names: set[tuple[str, str]] = set()
        self.styles: set[str] = set()
        self.open: list[list[str]] = [[]]
        self.in_style = False

    def updatepos(self, i: int, j: int) -> int:
        """Lines are not counted: nobody asks for them."""
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._boundary(tag, entering=True)
        self.in_style = tag == "style"
        if tag not in known.TAGS and tag not in ("head", "meta", "style"):
            self._name("element", tag)
        for name, value in attrs:
            if value and not (tag == "meta" and (name, value) == ("charset", "utf-8")):
                self._attribute(tag, name, value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.in_style = False
        self._boundary(tag, entering=False)

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.found += _sheet(data)
        else:
            self.open[-1].append(data)

    def handle_comment(self, data: str) -> None:
        self.found.append(Passage("comment", data))

    def handle_decl(self, decl: str) -> None:
        if decl.lower() != "doctype html":
            self.found.append(Passage("declaration", decl))

    def unknown_decl(self, data: str) -> None:
        self.found.append(Passage("declaration", data))

    def handle_pi(self, data: str) -> None:
        self.found.append(Passage("processing instruction", data))

    def flush_all(self) -> None:
        while self.open:
            self._flush()
            self.open.pop()

    def _boundary(self, tag: str, *, entering: bool) -> None:
        if tag == "br" and entering:
            self.open[-1].append("\n")
        if tag in known.INLINE:
            return
        if tag in known.ISLANDS and entering:
            self.open.append([])
            return
        self._flush()
        if tag in known.ISLANDS and len(self.open) > 1:
            self.open.pop()

    def _flush(self) -> None:
        text = "".join(self.open[-1])
        if text.strip():
            self.found.append(Passage("text", text))
        self.open[-1] = []

    def _name(self, where: str, name: str) -> None:
        if (where, name) not in self.names:
            self.names.add((where, name))
            self.found.append(Passage(where, name, "name"))

    def _attribute(self, tag: str, name: str, value: str) -> None:
        where = f"attribute of {tag}" if tag in known.TAGS else "attribute"
        if name == "style":
            self.found += _declarations(value) if value not in self.styles else ()
            self.styles.add(value)
        elif name in known.NAME_ATTRIBUTES:
            for each in _SEPARATE.split(value) if name == "class" else [unquote(value)]:
                self._name(where, each)
        elif name in known.LINK_ATTRIBUTES and (picture := _DATA_ADDRESS.fullmatch(value)):
            self.found.append(Passage(where, kind="raw", data=_decode(picture[1])))
        elif value.startswith(("#", "url(#")) and (reference := _REFERENCE.fullmatch(value)) and " " not in value:
            self._name(where, unquote(reference[1]))
        elif name not in known.VALUE_ATTRIBUTES or not known.plain_value(name, value):
            if not (name == "value" and tag != "input" and known.plain_value(name, value)):
                self.found.append(Passage(where, value))
            if name not in _KNOWN_ATTRIBUTES:
                self._name("attribute", name)


def _decode(text: str) -> bytes:
    import binascii

    try:
        return binascii.a2b_base64(text)
    except binascii.Error:
        return text.encode()


def _sheet(text: str) -> Iterator[Passage]:
    """The comments, strings and names of a style sheet."""
    for comment in _COMMENT.findall(text):
        yield Passage("comment in a style sheet", comment)
    for part in re.split(r"([{};])", _COMMENT.sub(" ", text)):
        yield from _declarations(part) if ": " in part else _names(part)


def _declarations(text: str) -> Iterator[Passage]:
    for part in text.split(";"):
        head, _, value = part.partition(":")
        if head.strip().lower() in ("font", "font-family"):
            for family in value.split(","):
                words = [word for word in family.split() if not _ordinary(word)]
                yield Passage("font", " ".join(words), "name")
        else:
            yield from _names(_COLOUR.sub(" ", part))


def _names(text: str) -> Iterator[Passage]:
    for match in _STRING.finditer(text):
        yield Passage("string in a style sheet", _plain(match[2]))
    for name in _CSS_NAME.findall(text):
        if not _ordinary(name):
            yield Passage("name in a style sheet", _plain(name), "name")


def _ordinary(name: str) -> bool:
    """Whether a word is one of CSS itself, or a figure."""
    number = _NUMBER.fullmatch(name)
    return name.lower() in known.CSS_WORDS or (number is not None and number[1].lower() in known.UNITS | {"", "n"})


def _plain(name: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16) % 0x110000) if match[1] else match[2], name)
