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
    for kind, nodes in (("text as pale as its ground", _pale(page)), ("tiny text", _tiny(page))):
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
        plain = colour.lower().replace(" ", "")
        if plain and (plain == ground.replace(" ", "") or (plain in _WHITE and ground.replace(" ", "") in _WHITE)):
            yield node


def _tiny(page: Page) -> Iterator[Node]:
    for node, style in _styled(page):
        match = _SIZE.fullmatch(style.get("font-size", ""))
        if match and float(match[1]) < _TINY[match[2]]:
            yield node
