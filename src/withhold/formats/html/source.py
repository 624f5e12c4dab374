"""The bytes of a page: whether they are one, and in which encoding."""

from __future__ import annotations

import codecs
import re

from withhold.errors import DamagedDocument
from withhold.formats import txt

_START = re.compile(r"(?:\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html)\b", re.DOTALL | re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<!--.*?(?:-->|\Z)|<(?:meta\b([^>]*)|body\b)", re.DOTALL | re.IGNORECASE)
_CHARSET = re.compile(rb"(?<![\w-])charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CONTENT_TYPE = re.compile(rb"\bcontent-type\b", re.IGNORECASE)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+)", re.IGNORECASE)
_HEAD = 4096
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WEB_NAMES = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "windows-874": "cp874",
    "x-user-defined": "cp1252",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "unicode": "utf-8",
}
"""What browsers take some names of encodings to mean."""
_NOT_FOR_PAGES = re.compile(
    r"utf[-_]?7|utf[-_]?32.*|idna|punycode|.*unicode.escape|undefined|mbcs|oem|hz.*|iso2022_(?!jp).*"
)


def starts_like_html(data: bytes) -> bool:
    """Whether the bytes certainly are a page: they begin like one."""
    head = data[:_HEAD]
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return _START.match(head[len(bom) :].decode(encoding, "ignore")) is not None
    wide = "utf-16-le" if head[1:2] == b"\0" else "utf-16-be" if head[:1] == b"\0" else "latin-1"
    return _START.match(head.decode(wide, "ignore")) is not None


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text of a page, in the encoding a browser would take.

    Bytes that are wrong in a declared encoding become replacement characters, as they do on the screen.
    """
    for bom, marked in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(marked, "replace")
    declared = None if encoding else _declared(data)
    if declared:
        return data.decode(declared, "replace")
    return txt.decode(data, encoding)[0]


def _label(data: bytes) -> str | None:
    """The encoding that a page says it is in. What comments and descriptions say does not count."""
    if xml := _XML.match(data):
        return xml[1].decode("ascii", "ignore").lower()
    for meta in _META.finditer(data):
        if meta.group().lower() == b"<body":
            break
        said = meta[1] or b""
        if not _CONTENT_TYPE.search(said):
            said = _CONTENT.sub(b"", said)
        if charset := _CHARSET.search(said):
            return charset[1].decode("ascii", "ignore").lower()
    return None


def _declared(data: bytes) -> str | None:
    label = _label(data) if b"\0" not in data[:64] else None
    if label is None:
        return None
    label = _WEB_NAMES.get(label, label)
    try:
        codec = codecs.lookup(label)
        codec_is_text = "".encode(codec.name) == b"" and b"a".decode(codec.name) == "a"
    except (LookupError, UnicodeError):
        return None
    if _NOT_FOR_PAGES.fullmatch(codec.name) or not codec_is_text:
        raise DamagedDocument("the page declares an encoding that browsers do not read")
    return codec.name
