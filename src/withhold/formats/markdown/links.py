"""Where links lead: targets and titles."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from withhold.formats.markdown.literals import escaped_literal
from withhold.formats.markdown.tokens import Slot, Token, Unit

_TITLE = re.compile(r"""[ \t\r\n]+("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))""", re.S)
_SPACES = re.compile(r"[ \t\r\n]*")
_ANGLED = re.compile(r"<((?:[^<>\\\r\n]|\\.)*+)>")
_BARE = re.compile(r"[^\s()\\<]+|\\.|[(<]|\)|\\")
_UNSAFE = re.compile(r"[\s\x00-\x20]*(?:data|javascript|vbscript)\s*:", re.I)
_DEEPEST = 32


def unsafe(target: str) -> bool:
    """Whether a target holds its own content, or a program."""
    return _UNSAFE.match(html.unescape(target)) is not None


@dataclass(slots=True, repr=False)
class Place:
    """Where a link leads: the range of its target and of its title, and where it ends."""

    start: int
    end: int
    angled: bool
    title: tuple[int, int] | None
    after: int


def destination(source: str, at: int, limit: int) -> Place | None:
    """The target and title of a link from `at` on."""
    start = _skip(source, at, limit)
    angled = _ANGLED.match(source, start, limit)
    if angled:
        start, end = angled.span(1)
        at = angled.end()
    else:
        end = at = _bare_end(source, start, limit)
        if end < 0:
            return None
    title = _TITLE.match(source, at, limit) if end > start or angled else None
    if title:
        at = title.end()
    spans = (title.start(1) + 1, title.end(1) - 1) if title else None
    return Place(start, end, bool(angled), spans, _skip(source, at, limit))


def _skip(source: str, at: int, limit: int) -> int:
    match = _SPACES.match(source, at, limit)
    return match.end() if match else at


def _bare_end(source: str, at: int, limit: int) -> int:
    """The end of a target without angle brackets: up to a space, or a bracket that closes the link."""
    depth = 0
    while at < limit and (match := _BARE.match(source, at, limit)):
        sign = match.group()
        if sign == "(":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif sign == ")":
            if not depth:
                break
            depth -= 1
        at = match.end()
    return at if not depth else -1


def add_target(unit: Unit, source: str, place: Place, unsafe: bool) -> int | None:
    """The tokens of a target, as an atomic block of its own; one that is unsafe goes."""
    if unsafe:
        written = "" if place.angled or not (place.title or unit.definition) else "<>"
        name = "data: and script addresses"
        unit.tokens.append(Token(place.start, place.end, "drop", written=written, dropped=name))
        return None
    unit.slots.append(Slot("link target", atomic=True, quoted=True))
    block = len(unit.slots) - 1
    if not place.angled and (place.title or unit.definition):
        unit.tokens.append(Token(place.start, place.start, "mark", block=block, role="target"))
    unit.tokens += escaped_literal(source, place.start, place.end, block)
    return block


def add_title(unit: Unit, source: str, place: Place) -> int:
    """The tokens of a title, if there is one; where the text of target and title ends."""
    if place.title is None:
        return place.end
    unit.slots.append(Slot("title", quoted=True))
    block = len(unit.slots) - 1
    unit.tokens.append(Token(place.end, place.title[0], "mark", block=block))
    unit.tokens += escaped_literal(source, *place.title, block)
    return place.title[1]
