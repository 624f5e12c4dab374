"""What a page holds besides what a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from withhold.formats.html import css
from withhold.formats.html.clean import clean
from withhold.formats.html.source import decode
from withhold.formats.html.text import places
from withhold.formats.html.tree import Node, Page, normalise, parse
from withhold.formats.txt import invisible_characters
from withhold.types import Handling, Hidden

_WHITE = frozenset(["white", "#fff", "#ffffff", "rgb(255,255,255)"])
_BLACK = frozenset(["black", "#000", "#000000", "rgb(0,0,0)"])
_SIZE = re.compile(r"(\d+\.?\d*|\.\d+)(px|pt|em|rem|%)", re.ASCII)
_TINY = {"px": 4.0, "pt": 3.0, "em": 0.25, "rem": 0.25, "%": 25.0}
_NOT_CONTENT = frozenset(["style rules", "unknown elements"])


def inspect(data: bytes) -> Iterator[Hidden]:
    """Everything in the page that its reader does not see. Nothing is changed."""
    page = parse(normalise(decode(data)))
    clean(page, Handling(images="blank"))
    for kind, texts in page.log.items():
        if kind not in _NOT_CONTENT:
            yield Hidden(kind, "page", len(texts), "\n".join(filter(None, texts)))
    unseen = {"text as pale as its ground": _pale, "blackened text": _blackened, "tiny text": _tiny}
    for kind, nodes in ((kind, find(page)) for kind, find in unseen.items()):
        if texts := [text for node in nodes if (text := node.all_text()).strip()]:
            yield Hidden(kind, "page", len(texts), "\n".join(texts))
    yield from invisible_characters("\n".join(place.text for place in places(page)), "text")


def _styled(page: Page) -> Iterator[tuple[Node, dict[str, str]]]:
    for node in page.body.walk():
        if "style" in node.attributes or node.tag == "font":
            yield node, css.declared(node.attributes.get("style", ""))


def _pale(page: Page) -> Iterator[Node]:
    for node, style in _styled(page):
        colour = style.get("color", node.attributes.get("color", "") if node.tag == "font" else "")
        ground = style.get("background-color", style.get("background", "white"))
        plain, ground = (each.lower().replace(" ", "") for each in (colour, ground))
        if plain not in {"", *_BLACK} and (plain == ground or {plain, ground} <= _WHITE):
            yield node


def _blackened(page: Page) -> Iterator[Node]:
    """Dark letters on black: the redaction that hides nothing."""
    for node, style in _styled(page):
        ground = style.get("background-color", style.get("background", "")).lower().replace(" ", "")
        if ground in _BLACK and _colour(node) in {"", *_BLACK}:
            yield node


def _colour(node: Node | None) -> str:
    """The colour that a node, or what it stands in, says its letters have."""
    while node is not None:
        said = css.declared(node.attributes.get("style", "")).get("color") or node.attributes.get("color", "")
        if said:
            return said.lower().replace(" ", "")
        node = node.parent
    return ""


def _tiny(page: Page) -> Iterator[Node]:
    for node, style in _styled(page):
        match = _SIZE.fullmatch(style.get("font-size", ""))
        if match and float(match[1]) < _TINY[match[2]]:
            yield node
