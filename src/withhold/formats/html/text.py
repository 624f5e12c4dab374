"""The text of a page, stretch by stretch, and the way to change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from withhold.formats.html import vocabulary as known
from withhold.formats.html.clean import is_fragment
from withhold.formats.html.tree import TEXT_ONLY, WHITE, Node, Page
from withhold.formats.pieces import Piece, Place, change
from withhold.types import Replacement

_COUNTING = TEXT_ONLY | {"mtext"}


class Stretch(Place):
    """A place whose pieces are nodes of the tree."""

    def __init__(self, where: str, kind: str = "body") -> None:
        super().__init__([], kind, where)
        self.nodes: list[Node] = []

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        text = {"": node.text, "br": "\n"}.get(node.tag, "")
        self.pieces.append(Piece(text, lambda new: _become(node, text, new)))

    @property
    def shown(self) -> bool:
        """Whether this is more than the white space between the lines of the file.

        White space counts when it is in an element of its own; `edit` makes use of that.
        """
        text = self.text
        return bool(text.strip(WHITE)) or (bool(text) and any(_counts(node) for node in self.nodes))


def _become(node: Node, old: str, new: str) -> None:
    """Change a text node, or a line break that turns into text."""
    if new == old and node.tag != "wbr":
        return
    node.tag, node.text, node.gone = "", new, not new
    node.attributes.clear()


def _counts(node: Node) -> bool:
    """Whether white space in this node counts as text."""
    if node.gone or node.tag == "wbr" or node.parent is None:
        return False
    return node.parent.tag in known.EMPTIABLE or node.parent.tag in _COUNTING


def places(page: Page) -> list[Place]:
    """Every place that holds text, in order. What an element says in attributes comes before what it holds."""
    found: list[Place] = []
    if page.title is not None:
        found += _collect(page.title)
    return found + list(_attributes(page.html)) + _collect(page.body)


def _collect(root: Node) -> list[Place]:
    collector = _Collector()
    waiting: list[tuple[Node, bool]] = [(root, True)]
    while waiting:
        node, entering = waiting.pop()
        if not entering:
            collector.leave(node)
        elif not node.gone:
            collector.enter(node)
            waiting.append((node, False))
            waiting.extend((child, True) for child in reversed(node.children))
    return collector.found


class _Collector:
    """Gathers text into stretches: a new one at every element that starts or ends a block.

    An island interrupts a stretch and lets it go on afterwards, so several can be open.
    """

    def __init__(self) -> None:
        self.found: list[Place] = []
        self.open = [Stretch("")]

    def enter(self, node: Node) -> None:
        if not node.tag or node.tag in ("br", "wbr"):
            self.open[-1].add(node)
        self.found.extend(_attributes(node))
        if node.tag in known.ISLANDS:
            self.open.append(Stretch(node.tag))
        elif _bounds(node):
            self._finish(node)

    def leave(self, node: Node) -> None:
        if _bounds(node):
            self._finish(node.parent or node)
        if node.tag in known.ISLANDS:
            self.open.pop()

    def _finish(self, beside: Node) -> None:
        if self.open[-1].shown:
            self.found.append(self.open[-1])
        self.open[-1] = Stretch(beside.tag, "title" if beside.tag == "title" else "body")


def _bounds(node: Node) -> bool:
    return bool(node.tag) and node.tag != "#" and node.tag not in known.INLINE


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
    change(place, replacements)
    if not isinstance(place, Stretch):
        return
    for node in place.nodes:
        if node.gone:
            _remove_emptied(node.parent)
    rest = "".join("\n" if node.tag == "br" else node.text for node in place.nodes if not node.gone)
    left = [node for node in place.nodes if not node.gone and (node.text or node.tag == "br")]
    if left and not rest.strip(WHITE) and not any(_counts(node) for node in left):
        _wrap(left[0])


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
