"""What a Word document holds besides what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from withhold.errors import DocumentError
from withhold.formats.docx.hidden import hidden_runs, hidden_styles
from withhold.formats.docx.names import Element, c, local, mc, number, o, w
from withhold.formats.docx.package import Archive, parse
from withhold.formats.images import metadata
from withhold.formats.txt import invisible_characters
from withhold.types import Handling, Hidden

_COUNTED = {
    "insertions": [w("ins"), w("moveTo")],
    "deletions": [w("del"), w("moveFrom")],
    "formatting changes": [w("rPrChange"), w("pPrChange"), w("sectPrChange"), w("tblPrChange"), w("tcPrChange")],
    "field codes": [w("instrText"), w("fldSimple")],
    "content controls": [w("sdt")],
    "bookmarks": [w("bookmarkStart")],
    "fallback copies": [mc("Fallback")],
    "embedded objects": [o("OLEObject"), w("control")],
    "embedded documents": [w("altChunk"), w("subDoc")],
    "linked workbooks": [c("externalData")],
    "document variables": [w("docVar")],
}
_LINES = {"comments": w("comment"), "glossary entries": w("docPart")}
_FOLDERS = {"word", "docProps", "customXml", "media", "embeddings", "charts", "theme", "glossary", "activeX", "fonts"}
_STEMS = {
    *("document", "styles", "numbering", "settings", "fontTable", "footnotes", "endnotes", "header", "footer", "theme"),
    *("comments", "people", "core", "app", "custom", "item", "thumbnail", "vbaProject", "image", "chart", "oleObject"),
}
_EXTENSIONS = {"xml", "bin", "png", "jpeg", "jpg", "gif", "emf", "wmf", "docx", "xlsx", "pptx", "odttf", "html", "rels"}
_BINARIES = {
    r"embeddings/|activex/": "embedded files",
    r"vbaproject|vbadata": "macros",
    r"fonts/": "embedded fonts",
    r"thumbnail": "thumbnails",
    r"_xmlsignatures": "signatures",
    r"customxml/item\d*\.xml": "custom XML",
    r"printersettings": "printer settings",
}


def inspect(data: bytes) -> Iterator[Hidden]:
    """List everything hidden, part by part; nothing is changed."""
    archive = Archive(data, Handling().max_megabytes)
    yield from _properties(archive)
    styles = archive.find("word/styles.xml")
    hides = hidden_styles(_parsed(archive.files[styles]) if styles else None)
    for name, content in sorted(archive.files.items()):
        kind = next((kind for pattern, kind in _BINARIES.items() if re.search(pattern, name.lower())), None)
        if kind is not None:
            yield Hidden(kind, _place(name))
        root = _parsed(content) if name.endswith(".xml") and name.startswith("word/") else None
        if root is not None:
            yield from _in_part(root, _place(name), hides)
        for what in metadata(content):
            yield Hidden(f"image metadata: {what}", _place(name))


def _place(name: str) -> str:
    """A part by its folder and what it is; names of parts can be anyone's words."""
    folder, _, base = name.rpartition("/")
    stem, _, extension = base.partition(".")
    known = "/".join(each if each in _FOLDERS else "*" for each in folder.split("/") if each)
    shown = stem if stem.rstrip("0123456789") in _STEMS else "*"
    return f"{known}/{shown}.{extension if extension in _EXTENSIONS else '*'}"


def _parsed(content: bytes) -> Element | None:
    try:
        return parse(content)
    except DocumentError:
        return None


def _properties(archive: Archive) -> Iterator[Hidden]:
    for name in sorted(archive.files):
        if re.match(r"docprops/.*\.xml", name.lower()):
            root = _parsed(archive.files[name])
            for element in root if root is not None else ():
                text = "".join(str(text) for text in element.itertext()).strip()
                if text:
                    yield Hidden(f"property {_property(element)}", _place(name), text=text)


def _property(element: Element) -> str:
    """The name of a property; a custom one has a name of its owner's choice."""
    return "of its own" if local(element) == "property" else local(element)


def _in_part(root: Element, name: str, hides: set[str]) -> Iterator[Hidden]:
    for kind, tags in _COUNTED.items():
        found = list(root.iter(*tags))
        if found:
            yield Hidden(kind, name, len(found), _joined(found))
    for kind, tag in _LINES.items():
        for element in root.iter(tag):
            author = element.get(w("author"))
            yield Hidden(kind, name, text=_said(element, author))
    if runs := [run for run in hidden_runs(root, hides) if any(True for _ in run.iter(w("t")))]:
        yield Hidden("hidden text", name, len(runs), _joined(runs))
    for kind, test in _UNSEEN.items():
        if runs := [run for run in root.iter(w("r")) if test(run) and _text(run).strip()]:
            yield Hidden(kind, name, len(runs), _joined(runs))
    ids = {value for element in root.iter("*") for key, value in element.attrib.items() if "rsid" in str(key)}
    if ids:
        yield Hidden("revision ids", name, len(ids))
    yield from invisible_characters(_text(root), name)


def _white(run: Element) -> bool:
    return _colour(run) == "FFFFFF" and _ground(run) in ("", "AUTO", "FFFFFF", "WHITE")


def _blackened(run: Element) -> bool:
    """Whether dark letters stand on black: the redaction that hides nothing. Word turns letters of no colour white on
    shading, though not under a marker.
    """
    ground, colour = _ground(run), _colour(run)
    return (ground == "BLACK" and colour in ("", "AUTO", "000000")) or (ground == colour == "000000")


def _colour(run: Element) -> str:
    colour = run.find(f"{w('rPr')}/{w('color')}")
    return "" if colour is None else colour.get(w("val"), "").upper()


def _ground(run: Element) -> str:
    """The colour that letters stand on, as far as the text says: that of a marker, or of the nearest shading. What is
    drawn can have any.
    """
    marker = run.find(f"{w('rPr')}/{w('highlight')}")
    if marker is not None and marker.get(w("val"), "none") != "none":
        return marker.get(w("val"), "").upper()
    for element in (run, *run.iterancestors(w("p"), w("tc"), w("tbl"), w("txbxContent"))):
        if element.tag == w("txbxContent"):
            return "DRAWN"
        for shade in element.iterfind(f"{w(local(element) + 'Pr')}/{w('shd')}"):
            if shade.get(w("fill"), "auto") != "auto":
                return shade.get(w("fill"), "").upper()
    return ""


def _tiny(run: Element) -> bool:
    size = number(run.find(f"{w('rPr')}/{w('sz')}"))
    return size is not None and size <= 4


_UNSEEN: dict[str, Callable[[Element], bool]] = {"white text": _white, "blackened text": _blackened, "tiny text": _tiny}


def _said(element: Element, author: str | None) -> str:
    return f"{author}: {_text(element)}" if author else _text(element)


def _text(element: Element) -> str:
    tags = (w("t"), w("delText"), w("instrText"))
    return "".join(text.text or "" for text in element.iter(*tags))


def _joined(elements: list[Element]) -> str:
    return " | ".join(text for text in (_text(element) for element in elements) if text)
