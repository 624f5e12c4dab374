"""The package: parts reached from the document by relations we know, and a new package made of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml import etree

from withhold.errors import DamagedDocument, HostileDocument
from withhold.formats.archive import read_parts, write_parts
from withhold.formats.docx.names import (
    KEPT_NAMESPACES,
    R_NS,
    RELS_NS,
    TYPES_NS,
    Element,
    drop,
    linked,
    local,
    namespace,
)
from withhold.formats.docx.vocabulary import is_name

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_TYPE = "application/vnd.openxmlformats-officedocument."
_DOCUMENT_TYPE = _TYPE + "wordprocessingml.document.main+xml"
_MAIN_TYPES = {
    _DOCUMENT_TYPE,
    _TYPE + "wordprocessingml.template.main+xml",
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
}


@dataclass(frozen=True, slots=True)
class PartKind:
    """A kind of part that is kept: its name in a new package and its content type."""

    stem: str
    content_type: str
    numbered: bool = True


KINDS = {
    "styles": PartKind("word/styles", _TYPE + "wordprocessingml.styles+xml", numbered=False),
    "numbering": PartKind("word/numbering", _TYPE + "wordprocessingml.numbering+xml", numbered=False),
    "settings": PartKind("word/settings", _TYPE + "wordprocessingml.settings+xml", numbered=False),
    "fontTable": PartKind("word/fontTable", _TYPE + "wordprocessingml.fontTable+xml", numbered=False),
    "footnotes": PartKind("word/footnotes", _TYPE + "wordprocessingml.footnotes+xml", numbered=False),
    "endnotes": PartKind("word/endnotes", _TYPE + "wordprocessingml.endnotes+xml", numbered=False),
    "header": PartKind("word/header", _TYPE + "wordprocessingml.header+xml"),
    "footer": PartKind("word/footer", _TYPE + "wordprocessingml.footer+xml"),
    "theme": PartKind("word/theme/theme", _TYPE + "theme+xml"),
    "chart": PartKind("word/charts/chart", _TYPE + "drawingml.chart+xml"),
    "diagramData": PartKind("word/diagrams/data", _TYPE + "drawingml.diagramData+xml"),
    "diagramLayout": PartKind("word/diagrams/layout", _TYPE + "drawingml.diagramLayout+xml"),
    "diagramQuickStyle": PartKind("word/diagrams/quickStyle", _TYPE + "drawingml.diagramStyle+xml"),
    "diagramColors": PartKind("word/diagrams/colors", _TYPE + "drawingml.diagramColors+xml"),
}
"""The relations that are followed to XML parts. Parts reached by no other are left behind."""

_IMPLIED = {"styles", "numbering", "settings", "fontTable", "theme", "footnotes", "endnotes"}
IMAGE_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif"}


def _parser(recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


@dataclass(slots=True, repr=False)
class Link:
    """A relation that is kept: to a part, to an image, or to an address outside."""

    kind: str
    part: Part | None = None
    image: str = ""
    address: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class Part:
    """One XML part and the relations it makes use of, by their identifiers."""

    kind: str
    root: Element
    links: dict[str, Link] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """What reports call the part: never the name it had, which may hold anything."""
        return {"main": "document"}.get(self.kind, self.kind)


@dataclass(slots=True, repr=False)
class Package:
    """The parts of a document that are kept, main part first, and how many others there were."""

    parts: list[Part]
    main_type: str
    images: dict[str, bytes] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)

    def of_kind(self, kind: str) -> Part | None:
        return next((part for part in self.parts if part.kind == kind), None)

    def count(self, what: str, number: int = 1) -> None:
        """Remember that something was left behind."""
        if number:
            self.left[what] = self.left.get(what, 0) + number


class Archive:
    """The files of an OOXML archive and the relations between them, as they are."""

    def __init__(self, data: bytes, max_megabytes: int) -> None:
        files, self.unreadable = read_parts(data, max_megabytes)
        self.files = {name.lstrip("/"): content for name, content in files.items()}
        self._by_folded = {name.lower(): name for name in self.files}
        self._types = self._content_types()

    def relations(self, name: str = "") -> Iterator[tuple[str, str, str, bool]]:
        """Identifier, kind, target and whether it is outside, for each relation of a part."""
        folder, base = posixpath.split(name)
        rels = self.find(posixpath.join(folder, "_rels", base + ".rels"))
        if rels is None:
            return
        for relation in parse(self.files[rels]).iter(f"{{{RELS_NS}}}Relationship"):
            kind = relation.get("Type", "").rpartition("/")[2]
            target = relation.get("Target", "")
            outside = relation.get("TargetMode") == "External"
            if not outside:
                inner = unquote(target) if self.find(self._inside(folder, target)) is None else target
                target = self._inside(folder, inner)
            yield relation.get("Id", ""), kind, target, outside

    def find(self, name: str) -> str | None:
        """The file of that name, whatever its case."""
        return self._by_folded.get(name.lower())

    def content_type(self, name: str) -> str:
        return self._types.get("/" + name.lower(), self._types.get(name.rpartition(".")[2].lower(), ""))

    def _content_types(self) -> dict[str, str]:
        listing = self.find("[Content_Types].xml")
        if listing is None:
            return {}
        types = {}
        for entry in parse(self.files[listing]):
            key = entry.get("PartName") or entry.get("Extension") or ""
            types[key.lower()] = entry.get("ContentType", "")
        return types

    @staticmethod
    def _inside(folder: str, target: str) -> str:
        path = target.partition("#")[0]
        return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def parse(content: bytes) -> Element:
    """The root of an XML part, with no entity expanded and nothing fetched.

    Raises:
        DamagedDocument: if it is not well-formed, or nests or swells beyond what any document needs.
    """
    content = _transitional(content)
    try:
        root = etree.fromstring(content, _parser(recover=False))
    except (etree.XMLSyntaxError, ValueError):
        root = _parse_odd_namespaces(content)
    for entity in list(root.iter(etree.Entity)):
        drop(entity)
    return root


def _parse_odd_namespaces(content: bytes) -> Element:
    """Word reads parts whose namespaces are no proper addresses; so do we, and forgive nothing else."""
    parser = _parser(recover=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or any(entry.domain_name != "NAMESPACE" for entry in parser.error_log):
        raise DamagedDocument("a part of the file is not well-formed XML")
    return root


def _transitional(content: bytes) -> bytes:
    """Strict OOXML says the same in other namespaces: use one set of names for both."""
    if b"purl.oclc.org/ooxml/" not in content:
        return content
    return re.sub(
        rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)", rb"http://schemas.openxmlformats.org/\1/2006/\2", content
    )


def open_package(data: bytes, max_megabytes: int) -> Package:
    """Follow the relations we know from the main document; count what is reached by no other."""
    archive = Archive(data, max_megabytes)
    named = [archive.find(target) for _, kind, target, _ in archive.relations() if kind == "officeDocument"]
    main = next((name for name in named if name), archive.find("word/document.xml"))
    if main is None:
        raise DamagedDocument("the package names no main document")
    content_type = archive.content_type(main)
    package = Package([], content_type if content_type in _MAIN_TYPES else _DOCUMENT_TYPE)
    seen: dict[str, Part] = {}
    try:
        _load(archive, main, "main", package, seen)
    except RecursionError:
        raise HostileDocument("the parts of the package refer to one another too deeply") from None
    _count_left(archive, package, seen)
    package.count("parts that cannot be unpacked", archive.unreadable)
    return package


def _load(archive: Archive, name: str, kind: str, package: Package, seen: dict[str, Part]) -> Part:
    if name in seen:
        return seen[name]
    if len(seen) > 2000:
        raise HostileDocument("the package has too many parts")
    part = Part(kind, parse(archive.files[name]))
    if namespace(str(part.root.tag)) not in KEPT_NAMESPACES or not is_name(local(part.root)):
        raise DamagedDocument("a part of the document is written in a language other than Word's")
    seen[name] = part
    package.parts.append(part)
    for identifier, kind_of, target, outside in archive.relations(name):
        link = _link(archive, kind_of, target, outside, package, seen)
        if link is not None:
            part.links[identifier] = link
    return part


def _link(
    archive: Archive, kind: str, target: str, outside: bool, package: Package, seen: dict[str, Part]
) -> Link | None:
    if kind == "hyperlink":
        return Link(kind, address=target) if outside else None
    if kind == "image":
        found = None if outside else archive.find(target)
        if found is not None:
            package.images[found] = archive.files[found]
        return Link(kind, image=found or "")
    found = archive.find(target) if kind in KINDS and not outside else None
    if found is None or not archive.files[found].strip():
        return None
    if not KINDS[kind].numbered and (already := package.of_kind(kind)) is not None:
        return Link(kind, part=already)
    return Link(kind, part=_load(archive, found, kind, package, seen))


_LEFT_NAMES = (
    (r"comments|people", "parts with comments"),
    (r"docprops/thumbnail", "thumbnails"),
    (r"docprops|docmetadata", "parts with document properties"),
    (r"customxml", "parts with custom XML"),
    (r"embeddings|activex", "embedded objects"),
    (r"vba", "macros"),
    (r"glossary", "building blocks"),
    (r"fonts/", "embedded fonts"),
    (r"afchunk|chunk", "embedded documents"),
    (r"_xmlsignatures", "signatures"),
)


def _count_left(archive: Archive, package: Package, seen: Mapping[str, Part]) -> None:
    for name in archive.files:
        if name in seen or name in package.images or name.endswith(".rels") or name.lower() == "[content_types].xml":
            continue
        what = next((what for pattern, what in _LEFT_NAMES if re.search(pattern, name.lower())), "other parts")
        package.count(what)


def arrange(package: Package) -> None:
    """Put the parts in the order in which the document uses them, and leave behind those it does not use."""
    order = package.parts[:1]
    for part in order:
        order += [
            link.part
            for link in (part.links[identifier] for identifier in used(part))
            if link.part is not None and link.part not in order
        ]
    package.count("parts nothing refers to", len(package.parts) - len(order))
    package.parts = order


def used(part: Part) -> list[str]:
    """The relations a part makes use of, by first use; those that need no mention last, by kind."""
    identifiers: dict[str, None] = {}
    for element in linked(part.root):
        for attribute, value in element.attrib.items():
            if namespace(str(attribute)) == R_NS and value in part.links:
                identifiers.setdefault(str(value))
    implied = [each for each, link in part.links.items() if link.kind in _IMPLIED]
    for identifier in sorted(implied, key=lambda each: part.links[each].kind):
        identifiers.setdefault(identifier)
    return list(identifiers)


def write_package(package: Package) -> bytes:
    """A new archive: parts named by what they are, relations renumbered, no trace of how it was packed."""
    names = _part_names(package)
    files: dict[str, bytes] = {}
    relations: dict[str, bytes] = {}
    for part in package.parts:
        relations[_rels_name(names[id(part)])] = _write_relations(part, names)
        files[names[id(part)]] = serialise(part.root)
    root = f'<Relationship Id="rId1" Type="{_RELATION}officeDocument" Target="word/document.xml"/>'
    return write_parts(
        {
            "[Content_Types].xml": _write_types(package, names),
            "_rels/.rels": _relations_xml(root),
            **files,
            **{name: content for name, content in relations.items() if content},
            **{f"word/media/{name}": content for name, content in sorted(package.images.items())},
        }
    )


def serialise(root: Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _part_names(package: Package) -> dict[int, str]:
    names: dict[int, str] = {}
    counts: dict[str, int] = {}
    for part in package.parts:
        if part.kind == "main":
            names[id(part)] = "word/document.xml"
            continue
        kind = KINDS[part.kind]
        counts[part.kind] = counts.get(part.kind, 0) + 1
        names[id(part)] = f"{kind.stem}{counts[part.kind] if kind.numbered else ''}.xml"
    return names


def _rels_name(name: str) -> str:
    folder, base = posixpath.split(name)
    return f"{folder}/_rels/{base}.rels"


def _write_relations(part: Part, names: Mapping[int, str]) -> bytes:
    numbers = {identifier: f"rId{number}" for number, identifier in enumerate(used(part), 1)}
    for element in linked(part.root):
        for attribute, value in element.attrib.items():
            if namespace(str(attribute)) == R_NS and value in numbers:
                element.set(attribute, numbers[str(value)])
    entries = "".join(_relation(number, part.links[each], names) for each, number in numbers.items())
    return _relations_xml(entries) if entries else b""


def _relation(number: str, link: Link, names: Mapping[int, str]) -> str:
    entry = etree.Element("Relationship", Id=number, Type=_RELATION + link.kind)
    if link.address is not None:
        entry.set("Target", link.address)
        entry.set("TargetMode", "External")
    elif link.part is not None:
        entry.set("Target", "/" + names[id(link.part)])
    else:
        entry.set("Target", "/word/media/" + link.image)
    return etree.tostring(entry, encoding="unicode")


def _relations_xml(entries: str) -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f'{head}<Relationships xmlns="{RELS_NS}">{entries}</Relationships>'.encode()


def _write_types(package: Package, names: Mapping[int, str]) -> bytes:
    extensions = sorted({name.rpartition(".")[2] for name in package.images})
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
        f'<Types xmlns="{TYPES_NS}">',
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        *(f'<Default Extension="{each}" ContentType="{IMAGE_TYPES[each]}"/>' for each in extensions),
    ]
    for part in package.parts:
        content_type = package.main_type if part.kind == "main" else KINDS[part.kind].content_type
        lines.append(f'<Override PartName="/{names[id(part)]}" ContentType="{content_type}"/>')
    return "".join([*lines, "</Types>"]).encode()
