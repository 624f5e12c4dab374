"""The text of a page, stretch by stretch, and the way to change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from withhold.formats.html import vocabulary as known
from withhold.formats.html.clean import is_fragment
from withhold.formats.html.tree import TEXT_ONLY, WHITE, Node, Page
from withhold.formats.pieces import Piece, Place, change
from withhold.types import Replacement

_COUNTING = known.EMPTIABLE | TEXT_ONLY | {"mtext"}


def places(page: Page) -> list[Place]:
    """Every place that holds text, in order. What an element says in attributes comes before what it holds."""
    collector = _Collector()
    if page.title is not None:
        collector.collect(page.title)
    collector.found.extend(_attributes(page.html))
    collector.collect(page.body)
    return collector.found


class _Collector:
    """Gathers text into stretches: a new one at every element that starts or ends a block.

    An island interrupts a stretch and lets it go on afterwards, so several can be open, each with the element
    it stands in or after.
    """

    def __init__(self) -> None:
        self.found: list[Place] = []
        self.open: list[tuple[list[Node], str]] = [([], "")]
        self.tables = _Tables()

    def collect(self, root: Node) -> None:
        if root.gone:
            return
        self._enter(root)
        waiting = [(root, iter(root.children))]
        while waiting:
            node, children = waiting[-1]
            for child in children:
                if child.gone:
                    continue
                if child.tag in _PIECES:
                    self.open[-1][0].append(child)
                else:
                    self._enter(child)
                    waiting.append((child, iter(child.children)))
                    break
            else:
                waiting.pop()
                self._leave(node)

    def _enter(self, node: Node) -> None:
        if node.attributes:
            self.found.extend(_attributes(node))
        if node.tag in known.ISLANDS:
            self.open.append(([], node.tag))
        elif node.tag not in _READ_ON:
            self._finish(node)
        self.tables.enter(node.tag)

    def _leave(self, node: Node) -> None:
        if node.tag not in _READ_ON:
            self._finish(node.parent or node)
        self.tables.leave(node.tag)
        if node.tag in known.ISLANDS:
            self.open.pop()

    def _finish(self, beside: Node) -> None:
        nodes, where = self.open[-1]
        if _shown(nodes):
            cell = self.tables.cell if len(self.open) == 1 else ""
            kind = "cell" if cell else "title" if where == "title" else "body"
            self.found.append(Place(nodes, kind, cell or where))
        self.open[-1] = ([], beside.tag) if nodes else (nodes, beside.tag)


@dataclass(slots=True)
class _Table:
    """An open table: the row and cell that a walk through the page is in or was in last."""

    number: int
    row: int = 0
    cell: int = 0
    within: bool = False


class _Tables:
    """Where in its tables a walk through a page is."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[_Table] = []

    def enter(self, tag: str) -> None:
        if tag == "table":
            self._count += 1
            self._open.append(_Table(self._count))
        elif tag == "tr" and self._open:
            self._open[-1].row += 1
            self._open[-1].cell = 0
        elif tag in _CELLS and self._open:
            self._open[-1].cell += 1
            self._open[-1].within = True

    def leave(self, tag: str) -> None:
        if tag == "table" and self._open:
            self._open.pop()
        elif tag in _CELLS and self._open:
            self._open[-1].within = False

    @property
    def cell(self) -> str:
        """The cell, with its table and row; nothing outside of cells."""
        table = self._open[-1] if self._open else None
        return f"table {table.number}, row {table.row}, cell {table.cell}" if table and table.within else ""


_CELLS = frozenset(["td", "th"])
_PIECES = frozenset(["", "br", "wbr"])
_READ_ON = known.INLINE | {"#"}
_LANGUAGE = frozenset(["lang", "dir"])


def _shown(nodes: Iterable[Node]) -> bool:
    """Whether this is more than the white space between the lines of the file.

    White space counts when it is in an element of its own; `edit` makes use of that.
    """
    return any(node.text and (node.text.strip(WHITE) or _counts(node)) for node in nodes)


def _counts(node: Node) -> bool:
    """Whether white space in this node counts as text."""
    return node.parent is not None and node.parent.tag in _COUNTING


def _attributes(node: Node) -> Iterator[Place]:
    for name, value in node.attributes.items():
        if not value:
            continue
        if name in known.TEXT_ATTRIBUTES and not (name == "value" and node.tag != "input"):
            yield _attribute(node, name, known.TEXT_ATTRIBUTES[name], atomic=False)
        elif name in known.LINK_ATTRIBUTES and not is_fragment(value) and not value.startswith("data:"):
            yield _attribute(node, name, "link target", atomic=True)


def _attribute(node: Node, name: str, kind: str, *, atomic: bool) -> Place:
    def write(text: str) -> None:
        node.attributes[name] = text
        if not text:
            del node.attributes[name]

    return Place([Piece(node.attributes[name], write)], kind, f"{node.tag} {name}", atomic)


def edit(place: Place, replacements: Sequence[Replacement]) -> None:
    """Make the replacements, and take away the elements that are left with nothing."""
    for node in change(place, replacements):
        if isinstance(node, Node):
            _forget_language(node.parent)
            if node.gone:
                _remove_emptied(node.parent)
    left = [node for node in place.pieces if isinstance(node, Node) and node.text and not node.gone]
    if left and not _shown(left):
        _wrap(left[0])


def _forget_language(node: Node | None) -> None:
    """Take away what elements around a word tell of its language."""
    while node is not None and node.tag in known.EMPTIABLE:
        for name in _LANGUAGE & node.attributes.keys():
            del node.attributes[name]
        node = node.parent


def _remove_emptied(node: Node | None) -> None:
    while node is not None and node.tag in known.EMPTIABLE and not node.gone:
        while node.children and node.children[-1].gone:
            node.children.pop()
        if node.children or any(
            name in known.TEXT_ATTRIBUTES or name in known.LINK_ATTRIBUTES for name in node.attributes
        ):
            return
        node.gone = True
        node = node.parent


def _wrap(node: Node) -> None:
    """Give white space an element of its own, so that it still counts as text when the page is read again."""
    inner = Node(node.tag, node, node.text)
    root = node.parent
    while root is not None and root.foreign and root.tag not in ("svg", "math"):
        root = root.parent
    wrapper = {"svg": "tspan", "math": "mtext"}.get(root.tag if root is not None else "", "span")
    node.tag, node.text, node.attributes, node.children = wrapper, "", {}, [inner]
