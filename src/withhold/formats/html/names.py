"""Names that hold a page together (ids, classes, fonts) and must not give away what was removed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from withhold.formats.html import css
from withhold.formats.html import vocabulary as known
from withhold.formats.html.clean import FONT_ATTRIBUTES, is_fragment
from withhold.formats.html.tree import Node, Page
from withhold.text import WORD, fold

SHORTEST_WORD = 3
SHORTEST_PART = 4
_LISTS = frozenset(["class", "headers"])
_HUMP = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_PAINT = re.compile(r"url\(#(.*)\)")


class Names:
    """What each name becomes: itself, or a number in order of appearance if it tells what was removed."""

    def __init__(self, removed: Iterable[str], taken: Iterable[str]) -> None:
        texts = {_bare(line) for text in removed for line in text.split("\n")}
        parts = {"".join(words) for words in texts if words}
        self.words = parts | {word for words in texts for word in words if len(word) >= SHORTEST_WORD}
        self.by_start: dict[str, list[str]] = {}
        for part in parts:
            if len(part) >= SHORTEST_PART:
                self.by_start.setdefault(part[:SHORTEST_PART], []).append(part)
        self.new: dict[str, str] = {}
        self.used = 0
        self.taken = {name for name in taken if not self.tells(name)}

    def tells(self, name: str) -> bool:
        """Whether a name has a removed word in it, or runs a removed string together with something else."""
        words = _bare(name)
        whole = "".join(words)
        if whole in self.words or not self.words.isdisjoint((*words, *_bare(_HUMP.sub(" ", name)))):
            return True
        return any(
            whole.startswith(part, at)
            for at in range(len(whole) - SHORTEST_PART + 1)
            for part in self.by_start.get(whole[at : at + SHORTEST_PART], ())
        )

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


def _bare(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(fold(text).text))


def rename(page: Page, removed: Iterable[str]) -> int:
    """Rename every id, class, name and font of the page that tells what was removed; how many there were."""
    removed = list(removed)
    if not removed:
        return 0
    taken = {name for node in page.nodes() for value in node.attributes.values() for name in value.split()}
    names = Names(removed, taken)
    for node in page.nodes():
        for attribute in list(node.attributes):
            _rename_attribute(node, attribute, names)
    page.styles = [css.clean_sheet(style, names).text for style in page.styles]
    return sum(old != new for old, new in names.new.items())


def _rename_attribute(node: Node, attribute: str, names: Names) -> None:
    value = node.attributes[attribute]
    new: str | None = value
    if attribute in FONT_ATTRIBUTES:
        new = css.clean_fonts(value, names)
    elif attribute == "style":
        new = css.clean_style(value, names).text or None
    elif attribute == "usemap" or (attribute in known.LINK_ATTRIBUTES and is_fragment(value)):
        name = unquote(value.strip().removeprefix("#"))
        new = value if names("name", name) == name else f"#{names('name', name)}"
    elif attribute in _LISTS or (attribute.startswith("aria-") and attribute in known.NAME_ATTRIBUTES):
        new = " ".join(names("name", name) or "" for name in value.split())
    elif attribute in known.NAME_ATTRIBUTES:
        new = names("name", value)
    elif attribute in known.VALUE_ATTRIBUTES and (paint := _PAINT.fullmatch(value)):
        new = f"url(#{names('name', paint[1])})"
    if new is None:
        del node.attributes[attribute]
    else:
        node.attributes[attribute] = new
