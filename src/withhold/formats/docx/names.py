"""Namespaces and qualified names of WordprocessingML and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import cast

from lxml import etree

Element = etree._Element

_OPEN = "http://schemas.openxmlformats.org/"
_MS = "http://schemas.microsoft.com/office/"

W_NS = _OPEN + "wordprocessingml/2006/main"
A_NS = _OPEN + "drawingml/2006/main"
C_NS = _OPEN + "drawingml/2006/chart"
M_NS = _OPEN + "officeDocument/2006/math"
R_NS = _OPEN + "officeDocument/2006/relationships"
MC_NS = _OPEN + "markup-compatibility/2006"
V_NS = "urn:schemas-microsoft-com:vml"
O_NS = "urn:schemas-microsoft-com:office:office"
XML_NS = "http://www.w3.org/XML/1998/namespace"
RELS_NS = _OPEN + "package/2006/relationships"
TYPES_NS = _OPEN + "package/2006/content-types"

KEPT_NAMESPACES = {
    W_NS: "w",
    A_NS: "a",
    C_NS: "c",
    M_NS: "m",
    R_NS: "r",
    MC_NS: "mc",
    V_NS: "v",
    O_NS: "o",
    XML_NS: "xml",
    "urn:schemas-microsoft-com:office:word": "w10",
    _OPEN + "drawingml/2006/wordprocessingDrawing": "wp",
    _OPEN + "drawingml/2006/picture": "pic",
    _OPEN + "drawingml/2006/diagram": "dgm",
    _OPEN + "drawingml/2006/chartDrawing": "cdr",
    _OPEN + "drawingml/2006/lockedCanvas": "lc",
    _MS + "word/2010/wordml": "w14",
    _MS + "word/2010/wordprocessingDrawing": "wp14",
    _MS + "word/2010/wordprocessingShape": "wps",
    _MS + "word/2010/wordprocessingGroup": "wpg",
    _MS + "word/2010/wordprocessingCanvas": "wpc",
    _MS + "drawing/2010/main": "a14",
    _MS + "drawing/2008/diagram": "dsp",
}
"""Elements and attributes of other namespaces are dropped: nobody can say what they hold."""

IGNORABLE = ("w14", "wp14", "a14")


def _maker(namespace: str) -> Callable[[str], str]:
    return cache(lambda local: f"{{{namespace}}}{local}")


w = _maker(W_NS)
a = _maker(A_NS)
c = _maker(C_NS)
m = _maker(M_NS)
dgm = _maker(_OPEN + "drawingml/2006/diagram")
r = _maker(R_NS)
mc = _maker(MC_NS)
v = _maker(V_NS)
o = _maker(O_NS)
SPACE = f"{{{XML_NS}}}space"


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return bare(str(element.tag))


def above(element: Element) -> str:
    """The qualified name of the element around this one."""
    parent = element.getparent()
    return str(parent.tag) if parent is not None else ""


@lru_cache(10_000)
def bare(name: str) -> str:
    """A qualified name without its namespace."""
    return name.rpartition("}")[2]


@lru_cache(10_000)
def namespace(tag: str) -> str:
    return tag[1:].partition("}")[0] if tag.startswith("{") else ""


def each(root: Element, *tags: str) -> Iterator[Element]:
    """The elements with these names, as a list made beforehand, so that the tree may be changed."""
    return iter(list(root.iter(*tags)))


def linked(root: Element) -> list[Element]:
    """The elements that refer to another part, in document order."""
    return cast(list[Element], _LINKED(root))


_LINKED = etree.XPath("descendant-or-self::*[@r:*]", namespaces={"r": R_NS})


def drop(element: Element) -> None:
    """Remove an element and all in it, but not the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def unwrap(element: Element) -> None:
    """Put the children of an element in its place."""
    parent = element.getparent()
    if parent is not None:
        index = parent.index(element)
        for child in reversed(list(element)):
            parent.insert(index, child)
        drop(element)


def number(element: Element | None) -> int | None:
    """The number that an element such as `w:sz` gives, or None."""
    value = element.get(w("val"), "") if element is not None else ""
    return int(value) if re.fullmatch("[0-9]{1,9}", value) else None


def on(element: Element | None) -> bool:
    """Whether a toggle such as `w:vanish` is there and not switched off."""
    return element is not None and element.get(w("val"), "1").lower() not in ("0", "false", "off")
