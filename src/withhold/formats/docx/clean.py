"""Cleaning: everything a package holds besides its text and its looks is dropped, and counted.

Reading and rewriting clean in the same way, so offsets agree; cleaning what is clean changes nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree

from withhold.formats.docx import fields, hidden, revisions, runs
from withhold.formats.docx.names import (
    IGNORABLE,
    KEPT_NAMESPACES,
    MC_NS,
    R_NS,
    V_NS,
    W_NS,
    XML_NS,
    Element,
    a,
    bare,
    c,
    dgm,
    drop,
    each,
    linked,
    local,
    m,
    mc,
    namespace,
    o,
    r,
    unwrap,
    v,
    w,
)
from withhold.formats.docx.package import Link, Package, Part, arrange, used
from withhold.formats.docx.text import ATTRIBUTE_PARTS, ATTRIBUTES, TEXT_PARTS, VALUES
from withhold.formats.docx.vocabulary import is_name, is_vocabulary
from withhold.formats.images import BLANK_PNG, kind, strip_metadata
from withhold.types import Handling

STORIES = ("main", "footnotes", "endnotes", "header", "footer")
"""The kinds of parts that hold paragraphs of the document."""

TEXT_TAGS = frozenset({w("t"), a("t"), m("t"), c("v"), c("separator"), c("name")})
"""The elements whose character data is text of the document."""

_POSITIONS = {"positionH", "positionV", "posOffset", "align"}
_NUMBER_TAGS = {"posOffset", "pctWidth", "pctHeight", "pctPosHOffset", "pctPosVOffset"}
_COMMENT_TAGS = [w("commentRangeStart"), w("commentRangeEnd"), w("commentReference"), w("annotationRef")]
_DROPPED_TAGS = {
    **dict.fromkeys(_COMMENT_TAGS, "comment marks"),
    w("proofErr"): "proofing marks",
    w("permStart"): "permission marks",
    w("permEnd"): "permission marks",
    w("lastRenderedPageBreak"): "layout traces",
    w("altChunk"): "embedded documents",
    w("subDoc"): "embedded documents",
    w("contentPart"): "embedded objects",
    w("control"): "embedded objects",
    w("objectEmbed"): "embedded objects",
    w("objectLink"): "embedded objects",
    w("movie"): "embedded objects",
    w("binData"): "embedded objects",
    w("latentStyles"): "layout traces",
    o("OLEObject"): "embedded objects",
    o("ink"): "embedded objects",
    o("signatureline"): "signatures",
    a("snd"): "embedded objects",
    c("externalData"): "embedded objects",
    c("userShapes"): "embedded objects",
    c("pivotSource"): "embedded objects",
    w("smartTagPr"): "smart tags",
    w("customXmlPr"): "custom XML",
    w("aliases"): "style aliases",
    dgm("title"): "layout traces",
    dgm("desc"): "layout traces",
    w("rsid"): "revision ids",
    w("nsid"): "revision ids",
    w("tmpl"): "revision ids",
}
_UNWRAPPED_TAGS = {w("smartTag"): "smart tags", w("customXml"): "custom XML"}
_LINKS = {a("hlinkClick"), a("hlinkHover"), a("hlinkMouseOver")}
_LOST_ELEMENTS = {
    *_LINKS,
    *(w("embed" + face) for face in ("Regular", "Bold", "Italic", "BoldItalic")),
    w("headerReference"),
    w("footerReference"),
    w("printerSettings"),
}
_DROPPED_ATTRIBUTES = {
    *("gfxdata", "equationxml", "docLocation", "tgtFrame", "author", "date", "initials", "invalidUrl", "action"),
    *("paraId", "textId", "anchorId", "editId", "displacedByCustomXml", "customStyle", "spid", "href", "bmk"),
    *("altLang", "lang", "dirty", "err", "smtClean", "src", "althref", "phldrT", "conformance", "dxaOrig", "dyaOrig"),
}
_KEPT_SETTINGS = {
    "autoHyphenation",
    "bordersDoNotSurroundFooter",
    "bordersDoNotSurroundHeader",
    "characterSpacingControl",
    "clrSchemeMapping",
    "compat",
    "consecutiveHyphenLimit",
    "decimalSymbol",
    "defaultTabStop",
    "displayBackgroundShape",
    "doNotHyphenateCaps",
    "endnotePr",
    "evenAndOddHeaders",
    "footnotePr",
    "gutterAtTop",
    "hyphenationZone",
    "listSeparator",
    "mathPr",
    "mirrorMargins",
    "themeFontLang",
}
_NUMBER_FORMAT = re.compile(r"(?:[#0.,%?/E+\-:; ]|yyyy|yy|m{1,4}|d{1,4}|hh?|ss?|AM/PM)+")
_CHARACTERS = {m("chr"), m("begChr"), m("sepChr"), m("endChr")}
_REVISION_IDS = ("rsid", "rsidR", "rsidRPr", "rsidRDefault", "rsidP", "rsidTr", "rsidDel", "rsidSect")
_STRIPPED = [f"{{*}}{name}" for name in (*_DROPPED_ATTRIBUTES, *_REVISION_IDS)] + [w("hint")]
_WITH_TEXT = TEXT_TAGS | {c("f"), c("formatCode")}
_ORDINARY = f"{{{W_NS}}}"
_LONGEST_VALUE = 1000
_LONG = {"path", "v", "points", "style", "eqn", "adj", "descr", "title", "alt", "string", "tooltip"}


def clean(package: Package, handling: Handling) -> None:
    """Settle, flatten, drop and neutralise until only text and looks are left."""
    styles = package.of_kind("styles")
    hidden_styles = hidden.hidden_styles(styles.root if styles else None)
    for part in package.parts:
        _resolve_alternatives(part.root)
        if part.kind in STORIES:
            _clean_story(part.root, package, handling, hidden_styles)
        _clean_any(part, package)
    _keep_settings(package)
    _drop_unseen_notes(package)
    _neutralise_bookmarks(package)
    repair(package)
    _settle_images(package, handling)


def repair(package: Package) -> None:
    """Make a package sound again after something was taken out of it."""
    for part in package.parts:
        _repair_links(part)
        if part.kind in STORIES:
            _fill_holders(part.root)
        _tidy(part.root)
    arrange(package)


def _clean_story(root: Element, package: Package, handling: Handling, hidden_styles: set[str]) -> None:
    package.count("tracked changes", revisions.settle(root, handling.tracked_changes))
    package.count("fields", fields.flatten(root))
    package.count("hidden runs", hidden.remove_hidden(root, hidden_styles))
    package.count("phonetic guides", runs.drop_guides(root))
    for control in each(root, w("sdt")):
        package.count("content controls")
        content = control.find(w("sdtContent"))
        control[:] = list(content) if content is not None else []
        unwrap(control)
    for element in each(root, w("object")):
        element.tag = w("pict")


def _resolve_alternatives(root: Element) -> None:
    """Keep of each set of alternatives the first we understand, and no other copy of its text."""
    for alternatives in each(root, mc("AlternateContent")):
        chosen = next((choice for choice in alternatives.findall(mc("Choice")) if _understood(choice)), None)
        fallback = alternatives.find(mc("Fallback"))
        if chosen is not None:
            alternatives[:] = [chosen, fallback] if fallback is not None and _only_position(fallback) else [chosen]
        else:
            alternatives[:] = list(fallback) if fallback is not None else []
            unwrap(alternatives)


def _only_position(fallback: Element) -> bool:
    """Older readers take a drawing's position from the fallback: a number, which copies no text."""
    return all(local(child) in _POSITIONS for child in fallback.iterdescendants("*"))


def _understood(choice: Element) -> bool:
    return all(choice.nsmap.get(prefix) in KEPT_NAMESPACES for prefix in choice.get("Requires", "").split())


def _clean_any(part: Part, package: Package) -> None:
    root = part.root
    for element in each(root, *_DROPPED_TAGS):
        package.count(_DROPPED_TAGS[str(element.tag)])
        drop(element)
    for element in each(root, *_UNWRAPPED_TAGS):
        package.count(_UNWRAPPED_TAGS[str(element.tag)])
        unwrap(element)
    for element in [one for one in root.iterdescendants("*") if _is_foreign(str(one.tag))]:
        package.count("foreign elements")
        drop(element)
    _drop_unknown(root, package)
    etree.strip_attributes(root, *_STRIPPED)
    for element in [one for one in root.iter("*") if _is_odd(one)]:
        _clean_attributes(element)
    if part.kind not in ATTRIBUTE_PARTS:
        etree.strip_attributes(root, *ATTRIBUTES)
        for element in each(root, *VALUES):
            drop(element)
    texts = TEXT_TAGS if part.kind in TEXT_PARTS else frozenset()
    for element in [one for one in root.iter("*") if one.text or one.tail or one.tag in _WITH_TEXT]:
        _clean_text(element, texts)
    if part.kind in STORIES:
        for element in each(root, w("lang"), w("noProof")):
            drop(element)
    _keep_namespaces(root)


def _drop_unknown(root: Element, package: Package) -> None:
    """Take away what the format has no name for; what stands in such an element stays."""
    for element in [one for one in root.iterdescendants("*") if not is_name(local(one))]:
        package.count("foreign elements")
        unwrap(element)
    attributes = {str(name) for element in root.iter("*") for name in element.attrib}
    unknown = [name for name in attributes if not is_name(bare(name)) and namespace(name) != XML_NS]
    etree.strip_attributes(root, *unknown)


@lru_cache(10_000)
def _is_foreign(tag: str) -> bool:
    return namespace(tag) not in KEPT_NAMESPACES or bare(tag) == "extLst"


def _is_odd(element: Element) -> bool:
    """Whether any attribute is not a short one of Word's own namespace; those need no look."""
    return any(len(value) > _LONGEST_VALUE or not str(name).startswith(_ORDINARY) for name, value in element.items())


def _clean_attributes(element: Element) -> None:
    for attribute, value in list(element.attrib.items()):
        space, name = namespace(str(attribute)), bare(str(attribute))
        if (
            (space and space not in KEPT_NAMESPACES)
            or (space == MC_NS and name != "Requires")
            or (len(str(value)) > _LONGEST_VALUE and name not in _LONG)
        ):
            del element.attrib[attribute]
    if local(element) in ("docPr", "cNvPr") and element.get("name") is not None:
        element.set("name", "Object")
    if element.tag in _CHARACTERS and len(element.get(m("val"), "")) > 1:
        del element.attrib[m("val")]
    if namespace(str(element.tag)) == V_NS:
        _clean_vml(element)


def _clean_vml(element: Element) -> None:
    element.attrib.pop(o("title"), "")
    if not re.fullmatch(r"_x0000_[a-z]\w*\d+", element.get("id", "")) and element.tag != v("shapetype"):
        element.attrib.pop("id", "")


def _clean_text(element: Element, texts: frozenset[str]) -> None:
    """Character data stays where it is text; elsewhere only what positions and formats are made of."""
    element.tail = None
    if element.tag in texts or (element.tag == w("instrText") and texts):
        element[:] = []
        return
    text, name = (element.text or "").strip(), local(element)
    if element.tag == c("f"):
        element.text = "Sheet1!$A$1"
    elif element.tag == c("formatCode"):
        element.text = text if _NUMBER_FORMAT.fullmatch(text) else "General"
    elif name in _NUMBER_TAGS:
        element.text = text if re.fullmatch(r"-?\d+", text) else "0"
    elif name == "align" and is_vocabulary(text):
        element.text = text
    else:
        element.text = None


def _keep_namespaces(root: Element) -> None:
    """Declare only what is known, and say again which of it older readers may ignore."""
    prefixes = [prefix for prefix, uri in root.nsmap.items() if prefix and uri in KEPT_NAMESPACES]
    required = [prefix for choice in root.iter(mc("Choice")) for prefix in choice.get("Requires", "").split()]
    etree.cleanup_namespaces(root, keep_ns_prefixes=[*prefixes, *required])
    ignorable = [prefix for prefix in prefixes if KEPT_NAMESPACES[root.nsmap[prefix]] in IGNORABLE]
    if ignorable and MC_NS in root.nsmap.values():
        root.set(mc("Ignorable"), " ".join(sorted(ignorable)))


def _keep_settings(package: Package) -> None:
    settings = package.of_kind("settings")
    for setting in list(settings.root) if settings else ():
        if local(setting) not in _KEPT_SETTINGS:
            package.count("settings")
            drop(setting)


def _drop_unseen_notes(package: Package) -> None:
    """A note shows only where it is referred to: one whose reference was deleted or hidden goes too."""
    main = package.parts[0].root
    for tag in ("footnote", "endnote"):
        notes = package.of_kind(tag + "s")
        seen = {reference.get(w("id")) for reference in main.iter(w(f"{tag}Reference"))}
        for note in each(notes.root, w(tag)) if notes else ():
            if note.get(w("type"), "normal") == "normal" and note.get(w("id")) not in seen:
                package.count("notes nothing refers to")
                drop(note)


def _neutralise_bookmarks(package: Package) -> None:
    """Bookmarks that links jump to get numbers for names; the others go."""
    stories = [part.root for part in package.parts if part.kind in STORIES]
    links = [link for root in stories for link in root.iter(w("hyperlink")) if link.get(w("anchor")) is not None]
    wanted = {link.get(w("anchor")) for link in links}
    names: dict[str | None, str] = {}
    for root in stories:
        for start in each(root, w("bookmarkStart")):
            name = start.get(w("name"))
            if name in wanted and name not in names:
                names[name] = f"_b{len(names) + 1}"
                start.set(w("name"), names[name])
            else:
                package.count("bookmarks")
                drop(start)
        kept = {start.get(w("id")) for start in root.iter(w("bookmarkStart"))}
        for end in each(root, w("bookmarkEnd")):
            if end.get(w("id")) not in kept:
                drop(end)
    for link in links:
        anchor = link.get(w("anchor"))
        if anchor in names:
            link.set(w("anchor"), names[anchor])
        else:
            del link.attrib[w("anchor")]


def _repair_links(part: Part) -> None:
    """Nothing may refer to a part that is not there any more."""
    for element in linked(part.root):
        for attribute in [name for name in element.attrib if namespace(str(name)) == R_NS]:
            identifier = str(element.get(attribute))
            link = part.links.get(identifier)
            if identifier and (link is None or (link.kind == "image" and not link.image)):
                _lose_link(element, str(attribute), part)
    for link_element in each(part.root, w("hyperlink")):
        if not any(link_element.get(name) for name in (r("id"), w("anchor"), w("tooltip"))):
            unwrap(link_element)


def _lose_link(element: Element, attribute: str, part: Part) -> None:
    drawing = next(element.iterancestors(w("drawing"), w("pict")), None)
    if element.tag in (a("blip"), v("imagedata"), v("fill")):
        del element.attrib[attribute]
        part.links.setdefault("blank", Link("image", image="blank"))
        element.set(r("embed") if element.tag == a("blip") else r("id"), "blank")
    elif element.tag == w("hyperlink"):
        del element.attrib[attribute]
    elif element.tag in _LINKS and element.get("tooltip"):
        element.set(attribute, "")
    elif element.tag in _LOST_ELEMENTS or drawing is None:
        drop(element)
    else:
        drop(drawing)


def _settle_images(package: Package, handling: Handling) -> None:
    """Blank every image, or keep those whose metadata can be taken out."""
    given, package.images = package.images, {}
    written: dict[str, str] = {}
    for part in package.parts:
        for link in (part.links[identifier] for identifier in used(part)):
            if link.kind == "image":
                link.image = written.get(link.image) or _settle_image(link.image, given, written, package, handling)


def _settle_image(
    name: str, given: dict[str, bytes], written: dict[str, str], package: Package, handling: Handling
) -> str:
    data = given.get(name, BLANK_PNG)
    stripped = strip_metadata(data) if handling.images == "keep" else None
    if stripped is None or data == BLANK_PNG:
        package.count("pictures", data != BLANK_PNG)
        written[name] = "blank.png"
        package.images["blank.png"] = BLANK_PNG
    else:
        package.count("pictures that were kept")
        written[name] = f"image{len(package.images) + 1}.{kind(stripped)}"
        package.images[written[name]] = stripped
    return written[name]


_HOLDERS = [w(name) for name in ("tc", "hdr", "ftr", "footnote", "endnote", "txbxContent")]


def _fill_holders(root: Element) -> None:
    """Give a paragraph to everything that must end in one."""
    for holder in root.iter(*_HOLDERS):
        if not len(holder) or holder[-1].tag != w("p"):
            etree.SubElement(holder, w("p"))


def _tidy(root: Element) -> None:
    """Repair what dropping has left: empty drawings, runs that look alike."""
    for alternatives in each(root, mc("AlternateContent")):
        if not any(len(choice) for choice in alternatives.findall(mc("Choice"))):
            drop(alternatives)
    runs.join(root)
