"""What each paragraph is to whoever reads it: a heading, an item of a list, a cell of a table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from withhold.formats.docx.names import Element, number, w
from withhold.formats.docx.package import Package, Part

Kind = tuple[str, str]
"""A kind of block, and where it is."""
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_TITLE = re.compile(r"title", re.IGNORECASE)
_LIST = re.compile(r"list (?:bullet|number)(?: [2-5])?", re.IGNORECASE)
_DEEPEST = 9
"""Outline levels from here on are those of text."""


class Structure:
    """The kinds of paragraphs, by their styles and by where they stand."""

    def __init__(self, package: Package) -> None:
        styles = package.of_kind("styles")
        found = styles.root.iter(w("style")) if styles is not None else ()
        self._styles = {style.get(w("styleId"), ""): style for style in found}
        self._known: dict[str, Kind | None] = {}
        self._cells: dict[Element, str] = {}

    def enter(self, part: Part) -> None:
        """Go on to another part."""
        self._cells = dict(_cells(part.root))

    def kind(self, paragraph: Element) -> Kind | None:
        """What a paragraph is; None if it is nothing but a paragraph."""
        cell = next(paragraph.iterancestors(w("tc")), None)
        if cell in self._cells:
            return "cell", self._cells[cell]
        properties = paragraph.find(w("pPr"))
        if properties is None:
            return None
        return _own(properties) or self._of_style(_name(properties.find(w("pStyle"))))

    def _of_style(self, name: str) -> Kind | None:
        if name not in self._known:
            self._known[name] = next(filter(None, map(_said, self._chain(name))), None)
        return self._known[name]

    def _chain(self, name: str) -> Iterator[Element]:
        """A style, and those that it is based on."""
        seen: set[str] = set()
        while name in self._styles and name not in seen:
            seen.add(name)
            yield self._styles[name]
            name = _name(self._styles[name].find(w("basedOn")))


def _name(element: Element | None) -> str:
    return element.get(w("val"), "") if element is not None else ""


def _own(properties: Element) -> Kind | None:
    """What properties make of a paragraph by themselves."""
    level = number(properties.find(w("outlineLvl")))
    if level is not None and level < _DEEPEST:
        return "heading", f"heading {level + 1}"
    listed = number(properties.find(f"{w('numPr')}/{w('numId')}"))
    return ("item", "list") if listed else None


def _said(style: Element) -> Kind | None:
    """What a style says by its name, or else by its properties: headings that are numbered are no lists."""
    name = _name(style.find(w("name")))
    if heading := _HEADING.fullmatch(name):
        return "heading", f"heading {heading[1]}"
    if _TITLE.fullmatch(name):
        return "heading", "heading 1"
    if _LIST.fullmatch(name):
        return "item", "list"
    properties = style.find(w("pPr"))
    return _own(properties) if properties is not None else None


def _cells(root: Element) -> Iterator[tuple[Element, str]]:
    """Every cell of a table, with its table, row and place in the row, counted from one."""
    tables: dict[Element, int] = {}
    rows: dict[Element, dict[Element, int]] = defaultdict(dict)
    cells: dict[Element, int] = defaultdict(int)
    for cell in root.iter(w("tc")):
        row = cell.getparent()
        table = row.getparent() if row is not None else None
        if row is None or table is None:
            continue
        cells[row] += 1
        first = tables.setdefault(table, len(tables) + 1)
        second = rows[table].setdefault(row, len(rows[table]) + 1)
        yield cell, f"table {first}, row {second}, cell {cells[row]}"
