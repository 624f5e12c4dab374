"""The sweep: names that hold a package together are changed where they tell what was removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from withhold.formats.docx.names import R_NS, Element, namespace, w
from withhold.formats.docx.package import Package
from withhold.formats.docx.text import ATTRIBUTES, VALUES
from withhold.formats.docx.vocabulary import is_vocabulary
from withhold.formats.residue import Names

_STYLE_REFERENCES = [
    w(name) for name in ("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "styleLink", "numStyleLink")
]

_DEMANDED = {"name", "typeface", w("name"), w("val")}


def sweep(package: Package, gone: Sequence[str]) -> int:
    """Rename styles and take away attributes whose values tell one of the squeezed strings; how many."""
    names = Names(gone)

    @cache
    def tells(value: str) -> bool:
        return not is_vocabulary(value) and names.told_by(value)

    if not gone:
        return 0
    changed = _rename_styles(package, tells)
    for part in package.parts:
        for element in part.root.iter("*"):
            for attribute, value in element.items():
                if tells(str(value)) and not _is_text(element, str(attribute)):
                    _hide(element, str(attribute))
                    changed += 1
    return changed


def _rename_styles(package: Package, tells: Callable[[str], bool]) -> int:
    """Give telling styles a number for a name, by their place in the list, wherever they are referred to."""
    styles = package.of_kind("styles")
    if styles is None:
        return 0
    renamed: dict[str, str] = {}
    for number, style in enumerate(styles.root.iter(w("style")), 1):
        identifier = style.get(w("styleId"), "")
        name = style.find(w("name"))
        if tells(identifier):
            renamed[identifier] = f"Style{number}"
            style.set(w("styleId"), renamed[identifier])
        if name is not None and tells(name.get(w("val"), "")):
            name.set(w("val"), f"Style {number}")
    for part in package.parts:
        for reference in part.root.iter(*_STYLE_REFERENCES):
            if reference.get(w("val")) in renamed:
                reference.set(w("val"), renamed[reference.get(w("val"), "")])
    return len(renamed)


def _hide(element: Element, attribute: str) -> None:
    """Delete a value, or put another in its place where the format demands one."""
    if attribute in _DEMANDED:
        element.set(attribute, "Object")
    else:
        del element.attrib[attribute]


def _is_text(element: Element, attribute: str) -> bool:
    return attribute in ATTRIBUTES or (attribute == w("val") and element.tag in VALUES) or namespace(attribute) == R_NS
