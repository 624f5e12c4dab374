"""The text of a package: every paragraph, alt text, tooltip and link target, and the way to change each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from withhold.formats.docx.names import Element, a, above, c, drop, each, r, w
from withhold.formats.docx.package import Package, Part
from withhold.formats.docx.structure import Structure
from withhold.formats.pieces import Piece, Place

TEXT_PARTS = ("main", "footnotes", "endnotes", "header", "footer", "chart", "diagramData")
"""The kinds of parts that hold text, in reading order."""
ATTRIBUTE_PARTS = (*TEXT_PARTS, "numbering")
"""The kinds of parts whose attributes can hold text; from the others such attributes are taken away."""
_KINDS = {"main": "body", "footnotes": "footnote", "endnotes": "endnote", "diagramData": "diagram"}
_SIGNS = {
    w("tab"): "\t",
    w("ptab"): "\t",
    w("br"): "\n",
    w("cr"): "\n",
    a("br"): "\n",
    w("noBreakHyphen"): "\u2011",
    w("softHyphen"): "\u00ad",
}
_TEXTS = {w("t"), a("t"), "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"}
_ALONE = (c("v"), c("separator"), c("name"))
_COMPLEX = re.compile("[\u0590-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufefc]")
_PICTURES = re.compile(r"symbol|dings|marlett|mt extra", re.IGNORECASE)
"""Fonts with pictures for letters; in others a symbol F041 is an A."""
_PARAGRAPHS = (w("p"), a("p"))
ATTRIBUTES = {
    "descr": "alt text",
    "title": "alt text",
    "alt": "alt text",
    "string": "drawn text",
    "tooltip": "tooltip",
    w("tooltip"): "tooltip",
}
"""Attributes that hold text, and what kind."""
VALUES = {w("tblCaption"): "alt text", w("tblDescription"): "alt text", w("lvlText"): "numbering"}
"""Elements whose `w:val` holds text, and what kind."""


def places(package: Package) -> list[Place]:
    """Every place with text, in reading order: the document, its notes, headers, footers, drawings."""
    found: list[Place] = []
    structure = Structure(package)
    for kind in TEXT_PARTS:
        for part in package.parts:
            if part.kind == kind:
                found += _part_places(part, structure)
    for part in package.parts:
        if part.kind in ATTRIBUTE_PARTS:
            found += _attribute_places(part)
    for part in package.parts:
        found += _link_places(part)
    return found


def _part_places(part: Part, structure: Structure) -> Iterator[Place]:
    usual = _KINDS.get(part.kind, part.kind), part.where
    structure.enter(part)
    for element in part.root.iter(*_PARAGRAPHS, *_TEXTS, *_ALONE):
        if element.tag in _TEXTS and next(element.iterancestors(*_PARAGRAPHS), None) is not None:
            continue
        pieces = list(_pieces(element)) if element.tag in _PARAGRAPHS else [_text_piece(element)]
        if next(element.iterancestors(w("txbxContent")), None) is not None:
            yield Place(pieces, "text box", part.where)
        else:
            yield Place(pieces, *((structure.kind(element) if part.kind == "main" else None) or usual))


def _pieces(paragraph: Element) -> Iterator[Piece]:
    """The characters of a paragraph, but for those of paragraphs inside it."""
    stack = [iter(paragraph)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif child.tag in _TEXTS:
            yield _text_piece(child)
        elif child.tag in _SIGNS and above(child) != w("tabs"):
            yield _sign_piece(child, _SIGNS[str(child.tag)])
        elif child.tag == w("sym"):
            yield _sign_piece(child, _symbol(child))
        elif child.tag not in _PARAGRAPHS:
            stack.append(iter(child))


def _text_piece(element: Element) -> Piece:
    def write(text: str) -> None:
        element.text = text
        _forget_script(element.getparent())

    return Piece(element.text or "", write)


def _forget_script(run: Element | None) -> None:
    """A run that lost its last letter of a right-to-left or complex script need not say that it had one."""
    properties = run.find(w("rPr")) if run is not None else None
    if run is None or properties is None or any(_COMPLEX.search(text.text or "") for text in run.iter(w("t"))):
        return
    for flag in each(properties, w("rtl"), w("cs")):
        drop(flag)


def _sign_piece(element: Element, sign: str) -> Piece:
    """A tab, break, hyphen or symbol, which counts as one character and can give way to text."""

    def write(text: str) -> None:
        if text:
            replacement = element.makeelement(w("t") if element.tag != a("br") else a("t"))
            replacement.text = text
            if element.tag == a("br"):
                run = element.makeelement(a("r"))
                run.append(replacement)
                replacement = run
            element.addprevious(replacement)
        drop(element)

    return Piece(sign, write)


def _symbol(element: Element) -> str:
    try:
        code = int(element.get(w("char"), ""), 16)
        if code >> 8 == 0xF0 and not _PICTURES.search(element.get(w("font"), "")):
            code &= 0xFF
        return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE else "\ufffd"
    except ValueError:
        return "\ufffd"


def _attribute_places(part: Part) -> Iterator[Place]:
    for element in part.root.iter("*"):
        if element.tag not in VALUES and ATTRIBUTES.keys().isdisjoint(element.keys()):
            continue
        if element.tag in VALUES and element.get(w("val")):
            yield Place([_attribute_piece(element, w("val"))], VALUES[str(element.tag)], part.where)
        for attribute, kind in ATTRIBUTES.items():
            if element.get(attribute):
                yield Place([_attribute_piece(element, attribute)], kind, part.where)


def _attribute_piece(element: Element, attribute: str) -> Piece:
    def write(text: str) -> None:
        element.set(attribute, text)

    return Piece(element.get(attribute, ""), write)


def _link_places(part: Part) -> Iterator[Place]:
    """The addresses that links lead to, once each; a touched one takes its links with it, not their text."""
    seen: set[str] = set()
    for element in each(part.root, w("hyperlink"), a("hlinkClick"), a("hlinkHover")):
        identifier = element.get(r("id"), "")
        link = part.links.get(identifier)
        if link is not None and link.address and identifier not in seen:
            seen.add(identifier)
            yield Place([Piece(link.address, _link_remover(part, identifier))], "link target", part.where, atomic=True)


def _link_remover(part: Part, identifier: str) -> Callable[[str], None]:
    def write(text: str) -> None:
        del part.links[identifier]

    return write
