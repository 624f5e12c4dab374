"""The tree of a page: built from what libxml2 reads, in a shape that every browser reads back the same.

Browsers repair a page as they read it: they move text out of tables, close a paragraph before a list, take a
button out of a button. A page that needs repair is read differently by different programs, and what they
disagree on can hide text. So elements that cannot stand where they are get another name, or another place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lxml import etree

from withhold.errors import DamagedDocument, HostileDocument
from withhold.formats.html import vocabulary as known

MAX_DEPTH = 500
WHITE = " \t\n\f"

_TABLE_PARENTS = {
    "caption": ("table",),
    "col": ("colgroup", "table"),
    "colgroup": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "thead": ("table",),
    "tr": ("tbody", "thead", "tfoot", "table"),
    "td": ("tr", "tbody", "thead", "tfoot", "table"),
    "th": ("tr", "tbody", "thead", "tfoot", "table"),
}
_IN_TABLE = known.words("table tbody thead tfoot tr colgroup")
_CELLS = known.words("td th caption")
_CLOSES_PARAGRAPH = known.words(
    """
    address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul
    """
)
_HEADINGS = known.words("h1 h2 h3 h4 h5 h6")
_NEVER_INSIDE = {
    **{tag: (frozenset([tag]), frozenset[str]()) for tag in ("a", "button", "form", "nobr", "select", "option")},
    **{tag: (_HEADINGS, frozenset[str]()) for tag in _HEADINGS},
    **{tag: (known.words("rb rp rt rtc"), frozenset(["ruby"])) for tag in ("rb", "rp", "rt", "rtc")},
    "li": (frozenset(["li"]), known.words("ul ol menu dir") | _CELLS),
    "dd": (frozenset(["dd", "dt"]), frozenset(["dl"]) | _CELLS),
    "dt": (frozenset(["dd", "dt"]), frozenset(["dl"]) | _CELLS),
    "optgroup": (frozenset(["optgroup", "option"]), frozenset[str]()),
}
"""What an element may not stand in, and what between the two makes it right again."""
_CLOSED_BY = {
    **{tag: frozenset(["p", "center"]) for tag in ("b", "big", "font", "i", "s", "small", "strike", "tt", "u")},
    **{tag: known.words("fieldset form li p table") for tag in _HEADINGS},
    **{tag: known.words("dd dl dt form ul") for tag in ("dir", "menu")},
    "a": frozenset(["fieldset", "table"]),
    "address": known.words("dd dl dt form li ul"),
    "dl": frozenset(["form", "li"]),
    "dt": frozenset(["dl"]),
    "legend": frozenset(["fieldset"]),
    "ol": frozenset(["form"]),
    "pre": known.words("dd dl dt fieldset form li table ul"),
    "ul": known.words("address form menu pre"),
}
"""What libxml2, unlike browsers, takes for the end of an element it stands in."""
_PLAIN = {"a": "span", "dir": "ul", "menu": "ul"}
_STRUCTURES = known.words("dd dl dt fieldset li table ul")
TEXT_ONLY = known.words("option textarea title")
_CDATA = "[CDATA["


class Node:
    """An element, a stretch of text (no tag), or a bare list of nodes (tag `#`). A line break reads as text."""

    __slots__ = ("attributes", "children", "foreign", "gone", "parent", "tag", "text")

    def __init__(self, tag: str, parent: Node | None = None, text: str = "") -> None:
        self.tag = tag
        self.text = "\n" if tag == "br" else text
        self.parent = parent
        # Shared by all nodes that have none, and so never changed in place.
        self.attributes = _NO_ATTRIBUTES
        self.children: list[Node] = [] if tag else _NO_CHILDREN
        self.foreign = False
        self.gone = False

    def write(self, text: str) -> None:
        """Change a stretch of text, or make one of a line break."""
        if text != self.text or self.tag == "wbr":
            self.tag, self.text, self.attributes, self.gone = "", text, _NO_ATTRIBUTES, not text

    def walk(self) -> Iterator[Node]:
        """The node and all in it that is not gone, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if not node.gone:
                yield node
                waiting.extend(reversed(node.children))

    def all_text(self) -> str:
        return "".join(node.text for node in self.walk())


_NO_ATTRIBUTES: dict[str, str] = {}
_NO_CHILDREN: list[Node] = []


@dataclass(slots=True, repr=False)
class Page:
    """A page as it will be written: its parts, and a log of what is not among them."""

    html: Node = field(default_factory=lambda: Node("html"))
    body: Node = field(default_factory=lambda: Node("body"))
    title: Node | None = None
    styles: list[str] = field(default_factory=list)
    pictures_kept: int = 0
    log: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def drop(self, kind: str, *texts: str) -> None:
        """Log what does not stay."""
        if texts:
            self.log[kind] += texts

    def nodes(self) -> Iterator[Node]:
        yield self.html
        if self.title is not None:
            yield from self.title.walk()
        yield from self.body.walk()


def parse(text: str) -> Page:
    """The page in some text.

    Raises:
        HostileDocument: if its elements nest too deep, or a single text is too long for the parser.
        DamagedDocument: if the parser gives up on it.
    """
    builder: Any = _Builder()
    parser = etree.HTMLParser(target=builder, encoding="utf-8", no_network=True, recover=True, huge_tree=False)
    try:
        etree.fromstring(text.encode("utf-8"), parser)
    except etree.LxmlError:
        raise DamagedDocument("not a page that can be parsed") from None
    if any(error.level == etree.ErrorLevels.FATAL for error in parser.error_log):
        raise HostileDocument("the page has a part that is too large to parse")
    page: Page = builder.page
    return page


class _Builder:
    """Takes the parser's events and builds a page that needs no repair."""

    def __init__(self) -> None:
        self.page = Page()
        self.stack = [self.page.body]
        self.text: list[str] = []
        self.skipping = 0
        self.skipped = ""
        self.in_body = False
        self.roots: list[Node] = []
        self.broken: set[Node] = set()
        self.fosters: dict[Node, Node] = {}

    def comment(self, text: str | bytes) -> None:
        text = str(text)
        if self.roots and text.startswith(_CDATA):
            self.text.append(text.removeprefix(_CDATA).removesuffix("]]"))
            return
        kind = "processing instructions" if text.startswith("?") else "comments"
        self.page.drop(kind, text)

    def pi(self, target: str, data: str | None = None) -> None:
        self.page.drop("processing instructions", f"{target} {data or ''}")

    def data(self, data: str | bytes) -> None:
        self.text.append(str(data))

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.text:
            self._flush()
        if self.skipping or (tag in known.DROPPED and (self.roots or tag not in known.UNSEEN_IN_DRAWINGS)):
            self._skip(tag, attributes)
            return
        if len(self.stack) > MAX_DEPTH:
            raise HostileDocument(f"elements nest more than {MAX_DEPTH} deep")
        node = self._element(tag)
        if tag in ("html", "body", "head"):
            target = self.page.body if tag == "body" else self.page.html
            target.attributes = {**attributes, **target.attributes}
            self.in_body |= tag == "body"
        elif attributes and node is not self.stack[-1]:
            node.attributes = dict(attributes)
        # What stands in a void element stands after it.
        self.stack.append(self.stack[-1] if node.tag in known.VOID else node)

    def end(self, tag: str) -> None:
        if self.text:
            self._flush()
        if self.skipping:
            self.skipping -= 1
            return
        node = self.stack.pop()
        if self.roots and node is self.roots[-1] and (not self.stack or self.stack[-1] is not node):
            self.roots.pop()
        if tag == "style" and node.tag == "style":
            self.page.styles.append(node.all_text())

    def close(self) -> Page:
        self._flush()
        for root in self.broken:
            for node in root.walk():
                if node.foreign:
                    node.tag = "span"
        for foster in self.fosters.values():
            for child in foster.children:
                child.parent = foster.parent
        return self.page

    def _skip(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.skipping:
            kind = known.DROPPED[tag]
            if tag == "script" and "json" in attributes.get("type", "").lower():
                kind = "structured data"
            self.skipped = kind
            if tag != "meta" or list(attributes) != ["charset"]:
                self.page.drop(kind, " ".join(attributes.values()))
            if tag in known.UNSEEN_VOID:
                self.stack.append(self.stack[-1])
                return
        self.skipping += 1

    def _flush(self) -> None:
        text = "".join(self.text)
        self.text.clear()
        if not text:
            return
        if self.skipping:
            self.page.log[self.skipped][-1:] = [(self.page.log[self.skipped] or [""])[-1] + text]
            return
        parent, blank = self.stack[-1], not text.strip(WHITE)
        if blank and parent is self.page.body and not self.in_body:
            return
        self.in_body |= not blank
        if parent.tag in _IN_TABLE and not blank:
            parent = self._foster()
        if parent.tag in ("select", "optgroup") and not blank:
            self.page.drop("texts not shown", text)
            return
        if parent.children and not parent.children[-1].tag:
            parent.children[-1].text += text
        else:
            parent.children.append(Node("", parent, text))

    def _element(self, tag: str) -> Node:
        """The node for a new element, in its place; the open one again, if it is to have none."""
        top = self.stack[-1]
        if tag in ("html", "head", "body") or top.tag in TEXT_ONLY or top.tag == "style":
            return top
        if top.tag in ("select", "optgroup") and tag not in ("option", "optgroup"):
            return top
        if tag == "style":
            return Node("style", top)
        if self.roots and self.roots[-1] not in self.broken:
            root = self.roots[-1]
            if tag in (known.SVG if root.tag == "svg" else known.MATH):
                return self._add(tag, top, foreign=True)
            self.broken.add(root)
        if tag == "title":
            return self._title(top)
        return self._html_element(tag, top)

    def _title(self, top: Node) -> Node:
        node = Node("title", top)
        if self.page.title is None:
            self.page.title = node
        else:
            self.page.drop("further titles", "")
        return node

    def _html_element(self, tag: str, top: Node) -> Node:
        tag = known.RENAMED.get(tag, tag)
        stray = tag in ("rt", "rtc") and not any(node.tag == "ruby" for node in self.stack)
        if stray or tag not in known.HTML:
            self.page.drop("unknown elements", tag)
            tag = "span"
        if tag in _TABLE_PARENTS:
            parent = self._table_parent(tag)
            return self._add(tag, parent) if parent else self._html_element("div", top)
        if self._misplaced(tag):
            tag = "span" if tag in known.INLINE else "div"
        parent = self._foster() if top.tag in _IN_TABLE else top
        tag = _fit(tag, parent)
        if tag in _CLOSES_PARAGRAPH:
            self._open_paragraph()
        node = self._add(tag, parent)
        if tag in ("svg", "math"):
            node.foreign = True
            self.roots.append(node)
        return node

    def _add(self, tag: str, parent: Node, *, foreign: bool = False) -> Node:
        if tag == "table":
            foster = Node("#", parent)
            parent.children.append(foster)
        node = Node(tag, parent)
        node.foreign = foreign
        parent.children.append(node)
        if tag == "table":
            self.fosters[node] = foster
        return node

    def _misplaced(self, tag: str) -> bool:
        if tag in ("option", "optgroup"):
            return not any(node.tag in ("select", "datalist") for node in self.stack)
        inside, unless = _NEVER_INSIDE.get(tag, (frozenset(), frozenset()))
        for node in reversed(self.stack) if inside else ():
            if node.tag in unless:
                return False
            if node.tag in inside:
                return True
        return False

    def _open_paragraph(self) -> None:
        """A paragraph that is about to hold what no paragraph can becomes a division."""
        for node in reversed(self.stack):
            if node.tag in _CELLS or node.tag in ("table", "button"):
                return
            if node.tag == "p":
                node.tag = "div"

    def _table_parent(self, tag: str) -> Node | None:
        for node in reversed(self.stack):
            if node.tag in _TABLE_PARENTS[tag]:
                return self._row(node) if tag in ("td", "th") and node.tag != "tr" else node
            if node.tag in _CELLS or node.tag == "table":
                return None
        return None

    def _row(self, section: Node) -> Node:
        last = section.children[-1] if section.children else None
        return last if last is not None and last.tag == "tr" else self._add("tr", section)

    def _foster(self) -> Node:
        """Where browsers put what no table can hold: right before it."""
        return next(self.fosters[node] for node in reversed(self.stack) if node.tag == "table")


def _fit(tag: str, parent: Node) -> str:
    """The tag, or a plainer one; if the element has to keep it, the parent gets a plainer one."""
    holder = parent.parent if parent.tag == "#" and parent.parent else parent
    if tag not in _CLOSED_BY.get(holder.tag, ()):
        return tag
    if tag not in _STRUCTURES:
        return _PLAIN.get(tag, "div")
    holder.tag = _PLAIN.get(holder.tag, "div")
    return tag


def write(page: Page) -> str:
    """The page as text: UTF-8 declared, every sign that could be taken for markup escaped."""
    parts = ["<!doctype html>\n", _open(page.html), '<head><meta charset="utf-8">']
    if page.title is not None and not page.title.gone:
        _write(page.title, parts)
    parts += [f"<style>\n{style}\n</style>" for style in page.styles if style]
    parts.append("</head>")
    _write(page.body, parts)
    parts.append("</html>")
    return "".join(parts)


def _write(root: Node, parts: list[str]) -> None:
    waiting: list[Node | str] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node.gone:
            continue
        elif not node.tag:
            parts.append(escape_text(node.text))
        else:
            if node.tag != "#":
                parts.append(_open(node))
            if node.tag not in known.VOID and node.tag != "#":
                waiting.append(f"</{node.tag}>")
            waiting.extend(reversed(node.children))


def _open(node: Node) -> str:
    attributes = "".join(f' {name}="{escape_attribute(value)}"' for name, value in node.attributes.items())
    return f"<{node.tag}{attributes}>"


def escape_text(text: str) -> str:
    return escape(text, quote=False)


def escape_attribute(text: str) -> str:
    return escape(text, quote=True)


_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))(?![0-9a-fA-F]);?")
_CONTROLS = dict.fromkeys((*range(9), 11, *range(14, 32), 127))


def normalise(text: str) -> str:
    """Text without what readers of HTML take differently: control characters, carriage returns, lone surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text
    return _REFERENCE.sub(_reference, text)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _reference(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    if code == 13:
        return "&#10;"
    return "" if code in _CONTROLS and code else match.group()
