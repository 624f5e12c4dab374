"""Tracked changes: accepted or rejected, never left."""

from __future__ import annotations

from lxml import etree

from withhold.formats.docx.names import Element, above, drop, each, local, unwrap, w

_MARKER_PARENTS = {w("rPr"), w("trPr"), w("numPr"), w("tcPr")}
_CHANGES = [
    w(name + "Change") for name in ("rPr", "pPr", "sectPr", "tblPr", "tblPrEx", "tcPr", "trPr", "tblGrid", "numbering")
]
_RANGES = [
    w(f"{kind}Range{end}")
    for kind in ("moveFrom", "moveTo", "customXmlIns", "customXmlDel", "customXmlMoveFrom", "customXmlMoveTo")
    for end in ("Start", "End")
]


def settle(root: Element, choice: str) -> int:
    """Accept or reject every tracked change below `root`; how many there were."""
    accept = choice == "accept"
    going = [w("del"), w("moveFrom")] if accept else [w("ins"), w("moveTo")]
    staying = [w("ins"), w("moveTo")] if accept else [w("del"), w("moveFrom")]
    settled = _settle_cells(root, w("cellDel") if accept else w("cellIns"))
    settled += _settle_rows(root, going)
    settled += _settle_marks(root, going)
    for element in each(root, *going):
        settled += 1
        drop(element)
    for element in each(root, *staying):
        settled += 1
        drop(element) if above(element) in _MARKER_PARENTS else unwrap(element)
    settled += _settle_properties(root, accept)
    for element in each(root, w("delText"), w("delInstrText")):
        element.tag = w("t") if element.tag == w("delText") else w("instrText")
    for element in each(root, *_RANGES, w("cellIns"), w("cellDel"), w("cellMerge")):
        drop(element)
    return settled


def _settle_cells(root: Element, going: str) -> int:
    gone = 0
    for mark in each(root, going):
        cell = next(mark.iterancestors(w("tc")), None)
        if cell is not None:
            drop(cell)
            gone += 1
    return gone


def _settle_rows(root: Element, going: list[str]) -> int:
    gone = 0
    for properties in each(root, w("trPr")):
        row = properties.getparent()
        if row is not None and any(properties.find(tag) is not None for tag in going):
            drop(row)
            gone += 1
    for inner, outer in (("tc", "tr"), ("tr", "tbl")):
        for element in each(root, w(outer)):
            if element.find(f".//{w(inner)}") is None:
                drop(element)
    return gone


def _settle_marks(root: Element, going: list[str]) -> int:
    """Join each paragraph whose mark goes with the one that follows it."""
    joined = 0
    for paragraph in each(root, w("p")):
        marks = [paragraph.find(f"{w('pPr')}/{w('rPr')}/{tag}") for tag in going]
        if not any(mark is not None for mark in marks):
            continue
        joined += 1
        following = next(paragraph.itersiblings(w("p"), w("tbl"), w("sdt"), w("sectPr")), None)
        for mark in marks:
            if mark is not None:
                drop(mark)
        if following is not None and following.tag == w("p"):
            _prepend(paragraph, following)
    return joined


def _prepend(paragraph: Element, following: Element) -> None:
    at = 1 if following.find(w("pPr")) is not None else 0
    for child in reversed([child for child in paragraph if child.tag != w("pPr")]):
        following.insert(at, child)
    drop(paragraph)


def _settle_properties(root: Element, accept: bool) -> int:
    settled = 0
    for change in each(root, *_CHANGES):
        settled += 1
        current = change.getparent()
        former = change[0] if len(change) else None
        drop(change)
        if not accept and former is not None and current is not None and local(former) == local(current):
            _restore(current, former)
    return settled


def _restore(current: Element, former: Element) -> None:
    """Put former properties in place; a section keeps the headers it refers to, which no change records."""
    kept: list[etree._Element] = [
        child for child in current if child.tag in (w("headerReference"), w("footerReference"))
    ]
    mark = current.find(w("rPr")) if current.tag == w("pPr") else None
    current[:] = [*kept, *former, *([mark] if mark is not None else [])]
