"""A raw scan of OOXML packages: zipfile and regular expressions, no XML parser and no code of the formats.

Everything that can hold words is looked at: the text of every XML part with its tags taken away, comments,
processing instructions, the names of parts, the bytes of every other part as UTF-8 and UTF-16, packages in
packages. Two things are no residue. Names of elements, attributes and standard parts are the format's own words.
And of attribute values only those that carry text of an author count: descriptions, titles, tool tips, names
of shapes, bookmarks, custom styles and content controls, field codes, variables, authors, and the targets of links;
a `w:val="center"` says nothing about whether the word "center" was removed.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator

Seen = tuple[str, tuple[str, ...]]
"""A place and what it may say: several readings of the same bytes, not several things."""

_MARKUP = re.compile(r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<(?P<tag>[^<>]*)>", re.S)
_WITHIN_WORDS = re.compile(
    r"/?(?:\w+:)?(?:r|t|rPr|hyperlink|ins|moveTo|smartTag|smartTagPr|sdt|sdtPr|sdtEndPr|sdtContent|customXml|customXmlPr|"
    r"fldSimple|fldChar|dir|bdo|proofErr|softHyphen|lastRenderedPageBreak|(?:bookmark|perm)(?:Start|End)|"
    r"(?:comment|moveTo|moveFrom|customXmlIns)Range(?:Start|End))\b(?!-)"
)
_PROPERTIES = re.compile(r"<((?:\w+:)?rPr)\b(?:[^<>]*[^/<>])?>.*?</\1>", re.S)
_INDENTATION = re.compile(r">[ \t\r\n]*\n[ \t\r\n]*<")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""", re.S)
_STANDARD_PART = re.compile(
    r"(?:\[Content_Types\]|_rels|word|xl|ppt|docProps|customXml|theme|media|embeddings|charts|diagrams|fonts|glossary|"
    r"(?:document|styles|stylesWithEffects|settings|webSettings|fontTable|numbering|theme|header|footer|footnotes|"
    r"endnotes|comments|image|chart|colors|data|layout|drawing|quickStyle|style|font|item|itemProps|app|core|custom|"
    r"activeX|oleObject|afchunk|hdphoto|media)\d*)?(?:\.[A-Za-z0-9]+)*"
)
_TEXT_ATTRIBUTES = frozenset(
    {
        "descr",
        "title",
        "alt",
        "tooltip",
        "string",
        "caption",
        "author",
        "initials",
        "userId",
        "displayName",
        "displayText",
        "instr",
        "helpText",
        "statusText",
        "href",
        "src",
        "anchor",
        "docLocation",
        "Target",
        "name",
        "prompt",
        "placeholder",
        "lastValue",
        "summary",
    }
)
_NAMED = frozenset(
    {
        "docPr",
        "cNvPr",
        "bookmarkStart",
        "docVar",
        "textbox",
        "shape",
        "checkBox",
        "ddList",
        "textInput",
        "ffData",
        "ole",
        "oleObj",
    }
)
_VALUED = frozenset(
    {
        "alias",
        "tag",
        "docPartGallery",
        "listEntry",
        "lvlText",
        "docVar",
        "default",
        "result",
        "statusText",
        "helpText",
    }
)
_CUSTOM_STYLE = re.compile(
    r"""<(?:\w+:)?style\b[^<>]*customStyle\s*=\s*["'](?:1|true|on)["'][^<>]*>\s*<(?:\w+:)?name\b([^<>]*)>"""
)
_POSITIONS = re.compile(r"<(\w+:)?align>\s*(?:left|right|center|inside|outside|top|bottom|inline)\s*</(\w+:)?align>")
_NOT_VISIBLE = [
    re.compile(rf"<((?:\w+:)?(?:{name}))\b(?:[^<>]*[^/<>])?>.*?</\1>", re.S)
    for name in ("del", "moveFrom", "instrText", "delText", "delInstrText", "Fallback", "pPrChange", "rPrChange")
]
_RUN = re.compile(r"<((?:\w+:)?r)(?:\s[^<>]*)?>(?:(?!</?\1[\s>]).)*</\1>", re.S)
_VANISH = re.compile(r"""<(?:\w+:)?vanish\s*(?:/|(?:\w+:)?val\s*=\s*["'](?:1|true|on)["']\s*/?)>""")


def scan(data: bytes, where: str = "") -> Iterator[Seen]:
    """Everything in the package that may hold words, place by place."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        yield f"{where}comment", _decodings(package.comment)
        for name in package.namelist():
            yield f"{where}part name", (own_words(name),)
            content = package.read(name)
            if content[:4] == b"PK\x03\x04":
                yield from scan(content, f"{where}{name}/")
            elif looks_like_xml(name, content):
                yield from scan_xml(decode_xml(content), where + name)
            else:
                yield where + name, _decodings(content)


def visible(data: bytes) -> str:
    """The body text as a reader sees it: without deletions, field codes, hidden runs and fallback copies."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = [name for name in package.namelist() if re.fullmatch(r"word/document\d*\.xml", name)]
        return "\n".join(_visible(decode_xml(package.read(name))) for name in names)


def looks_like_xml(name: str, content: bytes) -> bool:
    start = content[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith(b"<") or name.lower().endswith((".xml", ".rels", ".vml"))


def decode_xml(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    if content[:4] == b"<\0?\0":
        return content.decode("utf-16-le", "replace")
    declared = re.match(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)""", content)
    try:
        return content.decode(declared[1].decode("ascii") if declared else "utf-8", "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def scan_xml(text: str, where: str) -> Iterator[Seen]:
    """The text of a part, and its telling attributes."""
    text = _POSITIONS.sub(" ", text)
    yield where, (without_tags(text),)
    for tag in (match["tag"] for match in _MARKUP.finditer(text)):
        if tag:
            for value in telling(tag):
                yield f"{where} (attribute)", (value,)
    for name in _CUSTOM_STYLE.findall(text):
        yield f"{where} (style)", (html.unescape(name.partition("=")[2]),)


def without_tags(text: str) -> str:
    """The text between tags, with comments and CDATA. Runs and the like join; any other tag is a space."""

    def reading(match: re.Match[str]) -> str:
        tag = match["tag"]
        if tag is None:
            return match["data"] if match["comment"] is None else f" {match['comment']} "
        if tag.startswith("?"):
            return " " if tag.startswith("?xml ") else f" {tag} "
        return "" if _WITHIN_WORDS.match(tag) else " "

    return html.unescape(_MARKUP.sub(reading, _PROPERTIES.sub(_untagged, _INDENTATION.sub("><", text))))


def _untagged(properties: re.Match[str]) -> str:
    """Properties of a run without their tags, which stand in the middle of words; comments stay."""
    return re.sub(r"<[^!<>][^<>]*>", "", properties[0])


def telling(tag: str) -> Iterator[str]:
    """The values of a tag's attributes that carry text of an author."""
    element = re.match(r"(?:[\w.-]+:)?([\w.-]*)", tag)
    local = element[1] if element else ""
    for name, quoted in _ATTRIBUTE.findall(tag):
        attribute = name.rpartition(":")[2]
        value = html.unescape(quoted[1:-1])
        if attribute == "Target":
            yield value if ":" in value else own_words(value)
        elif attribute == "name" and local not in _NAMED:
            continue
        elif attribute in _TEXT_ATTRIBUTES or (attribute == "val" and local in _VALUED):
            yield value


def own_words(path: str) -> str:
    """A part's name without what every package has in such names."""
    return " ".join(part for part in path.split("/") if not _STANDARD_PART.fullmatch(part))


def _visible(text: str) -> str:
    for pattern in _NOT_VISIBLE:
        text = pattern.sub("", text)
    text = _RUN.sub(lambda run: "" if _VANISH.search(run[0]) else run[0], text)
    return without_tags(_POSITIONS.sub(" ", text))


def _decodings(data: bytes) -> tuple[str, ...]:
    """Bytes that are not XML, as every text they could be; the letters that chance puts beside words are left out."""
    readings = [data.decode("utf-8", "replace"), data.decode("utf-16-be", "replace")]
    readings += [data[start:].decode("utf-16-le", "replace") for start in (0, 1)]
    return (*readings, *(re.sub(r"[^\x00-\x7f]", " ", reading) for reading in readings))
