"""Names that hold a page together (ids, classes, fonts) and must not give away what was removed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from withhold.formats import residue
from withhold.formats.html import css
from withhold.formats.html import vocabulary as known
from withhold.formats.html.clean import FONT_ATTRIBUTES, is_fragment
from withhold.formats.html.tree import Page
from withhold.text import WORD, fold

SHORTEST_WORD = 3
_LISTS = frozenset(["class", "headers"])
_NEW = re.compile(r"n\d+")
_PAINT = re.compile(r"url\(#(.*)\)")


class Names:
    """What each name becomes: itself, or a number in order of appearance if it tells what was removed."""

    def __init__(self, removed: Iterable[str], taken: Iterable[str]) -> None:
        lines = {fold(line).text for text in removed for line in text.split("\n")}
        words = {word for line in lines for word in WORD.findall(line) if len(word) >= SHORTEST_WORD}
        self.removed = residue.Names(lines | words)
        self.new: dict[str, str] = {}
        self.used = 0
        self.taken = {name for name in taken if _NEW.fullmatch(name) and not self.tells(name)}

    def tells(self, name: str) -> bool:
        """Whether a name has a removed word in it, or runs a removed string together with something else."""
        return self.removed.told_by(name)

    def __call__(self, kind: str, name: str) -> str | None:
        if name not in self.new:
            self.new[name] = self._next() if self.tells(name) else name
        return None if kind == "font" and self.new[name] != name else self.new[name]

    def _next(self) -> str:
        number = self.used + 1
        while f"n{number}" in self.taken or self.tells(f"n{number}"):
            number += 1
        self.used = number
        return f"n{number}"


def rename(page: Page, removed: Iterable[str]) -> int:
    """Rename every id, class, name and font of the page that tells what was removed; how many there were."""
    removed = list(removed)
    if not removed:
        return 0
    nodes = [node for node in page.nodes() if node.attributes]
    given = {item for node in nodes for item in node.attributes.items() if item[0] in known.NAME_ATTRIBUTES}
    names = Names(removed, {name for _, value in given for name in value.split()})
    known_values: dict[tuple[str, str], str | None] = {}
    for node in nodes:
        for item in list(node.attributes.items()):
            if item not in known_values:
                known_values[item] = _renamed(*item, names)
            new = known_values[item]
            if new is None:
                del node.attributes[item[0]]
            elif new != item[1]:
                node.attributes[item[0]] = new
    page.styles = [css.clean_sheet(style, names).text for style in page.styles]
    return sum(old != new for old, new in names.new.items())


def _renamed(attribute: str, value: str, names: Names) -> str | None:
    """The value of an attribute with new names in it; None if nothing is left of it."""
    if attribute in FONT_ATTRIBUTES:
        return css.clean_fonts(value, names)
    if attribute == "style":
        return css.clean_style(value, names).text or None
    if attribute == "usemap" or (attribute in known.LINK_ATTRIBUTES and is_fragment(value)):
        name = unquote(value.strip().removeprefix("#"))
        return value if names("name", name) == name else f"#{names('name', name)}"
    if attribute in _LISTS or (attribute.startswith("aria-") and attribute in known.NAME_ATTRIBUTES):
        return " ".join(names("name", name) or "" for name in value.split())
    if attribute in known.NAME_ATTRIBUTES:
        return names("name", value)
    if attribute in known.VALUE_ATTRIBUTES and (paint := _PAINT.fullmatch(value)):
        return f"url(#{names('name', paint[1])})"
    return value
