"""Formats: bytes to `Document`, and back with edits and nothing else left.

`read` finds the right format and gives a document; `rewrite` makes the new file and verifies it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from withhold import plugins
from withhold.contracts import Format
from withhold.errors import UnsupportedFormat, UnwritableText
from withhold.formats.residue import verify
from withhold.types import Document, Handling, Notice, Replacement, Verification


def formats() -> list[Format]:
    """Every installed format that is trusted."""
    return [named(plugin.name) for plugin in plugins.plugins("formats") if plugins.is_trusted(plugin.distribution)]


def named(name: str) -> Format:
    format: Format = plugins.load("formats", name)()
    return format


def recognise(data: bytes, name: str = "") -> Format:
    """The format of some bytes, by their content first and by their name second.

    Raises:
        UnsupportedFormat: if no format reads them, or their name promises another format than they hold.
    """
    suffix = PurePath(name).suffix.lower()
    known = formats()
    certain = [format for format in known if format.recognises(data)]
    promised = [format for format in known if suffix in format.extensions]
    for format in certain:
        if not suffix or format in promised or not promised:
            return format
    if certain and not _copied_mail(certain, promised, data):
        raise UnsupportedFormat(
            f"the name ends in {suffix}, but the content is {certain[0].name}; rename the file or name its format"
        )
    if looks_binary(data):
        raise UnsupportedFormat(f"{_describe(data)}: no installed format reads it")
    if not promised:
        raise UnsupportedFormat(f"no format is known for names in {suffix}; if it is plain text, rename it to .txt")
    if promised[0].name == "txt" and _MARKUP.match(data):
        raise UnsupportedFormat("XML, named like plain text: no installed format reads it")
    return promised[0]


def _copied_mail(certain: Sequence[Format], promised: Sequence[Format], data: bytes) -> bool:
    """Whether this is plain text that begins like a mail, with nothing in it encoded as a mail would: all of it can be
    read as it stands.
    """
    named_so = [format.name for format in certain] == ["eml"] and [format.name for format in promised] == ["txt"]
    return named_so and not _ENCODED.search(data)


def read(
    data: bytes,
    *,
    name: str = "",
    format: str | None = None,
    handling: Handling | None = None,
) -> Document:
    """The document in some bytes.

    Raises:
        DocumentError: if they cannot be read safely and completely.
    """
    chosen = named(format) if format else recognise(data, name)
    handling = chosen.settle(data, handling or Handling())
    text, blocks = chosen.read(data, handling)
    return Document(text, data, chosen.name, blocks, handling, name)


def rewrite(
    document: Document,
    replacements: Sequence[Replacement],
) -> tuple[Document, tuple[Notice, ...], Verification]:
    """The document with the replacements made, read back from a new, verified file.

    Raises:
        UnwritableText: if a replacement cannot be written in the file.
        LeakError: if the new file cannot be shown to be clean.
    """
    if any(_UNWRITABLE.search(replacement.text) for replacement in replacements):
        raise UnwritableText("a replacement has a control character, which no format can write")
    format = named(document.format)
    output, notices = format.rewrite(document, replacements)
    result, verification = verify(format, document, replacements, output)
    return result, notices, verification


_ENCODED = re.compile(rb"^(?:mime-version|content-[a-z-]+)[ \t]*:|=\?[^\s?]+\?[bq]\?", re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|svg|!doctype)", re.IGNORECASE)
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SIGNATURES = {
    b"PK\x03\x04": "a ZIP archive",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old or encrypted Office file",
    b"%PDF": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"{\\rtf": "an RTF file",
    b"\x1f\x8b": "a gzip archive",
}


def looks_binary(data: bytes) -> bool:
    """Whether the bytes are plainly not text of any encoding."""
    return any(data.startswith(signature) for signature in _SIGNATURES)


def _describe(data: bytes) -> str:
    return next(what for signature, what in _SIGNATURES.items() if data.startswith(signature))
