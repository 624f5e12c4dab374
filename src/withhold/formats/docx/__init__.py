"""Word documents: every part that can hold text is read and rewritten, every other part is left behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from withhold.errors import EncryptedDocument, UnsupportedFormat
from withhold.formats.blocks import Changes
from withhold.formats.docx.clean import clean, repair
from withhold.formats.docx.inspect import inspect
from withhold.formats.docx.package import Package, open_package, write_package
from withhold.formats.docx.passages import passages
from withhold.formats.docx.sweep import sweep
from withhold.formats.docx.text import places
from withhold.formats.pieces import change, draft
from withhold.formats.residue import untold
from withhold.types import Block, Document, Handling, Hidden, Notice, Passage, Replacement

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Docx:
    """Word documents and templates, with or without macros, transitional or strict.

    Kept: paragraphs, tables, lists, notes, headers, footers, text boxes, charts, diagrams, links, styles, layout.
    Dropped: document properties, comments, tracked changes (settled by the policy), hidden runs, field codes,
    content controls (their content stays), bookmarks no link uses, custom XML, embedded objects and fonts,
    macros, building blocks, thumbnails, revision ids, fallback copies, phonetic guides (their base stays), notes
    whose reference was deleted or hidden. Images are blanked unless the policy keeps them. Not protected: the place
    of line and page breaks in a program that lays the text out again.
    """

    name = "docx"
    extensions: tuple[str, ...] = (".docx", ".docm", ".dotx", ".dotm")

    def recognises(self, data: bytes) -> bool:
        if data.startswith(_OLD_OFFICE):
            return any(stream.encode("utf-16-le") in data for stream in ("EncryptedPackage", "WordDocument"))
        return data.startswith(b"PK\x03\x04") and b"word/" in data and b"[Content_Types].xml" in data

    def settle(self, data: bytes, handling: Handling) -> Handling:
        return handling

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        return draft(places(_open(data, handling))).finish()

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        package = _open(document.native, document.handling)
        found = places(package)
        changes = Changes(document, replacements)
        for index, local in changes.local.items():
            change(found[index], local)
        package.count("names", sweep(package, untold(changes)))
        repair(package)
        return write_package(package), _notices(package)

    def passages(self, data: bytes) -> Iterator[Passage]:
        return passages(data)

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        _refuse_old(data)
        return inspect(data)


def _open(data: bytes, handling: Handling) -> Package:
    _refuse_old(data)
    package = open_package(data, handling.max_megabytes)
    clean(package, handling)
    return package


def _refuse_old(data: bytes) -> None:
    if data.startswith(_OLD_OFFICE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise EncryptedDocument("the document is encrypted; remove the password first")
        raise UnsupportedFormat("an old binary Word file; save it as .docx first")


def _notices(package: Package) -> tuple[Notice, ...]:
    actions = {"pictures": "changed", "names": "changed", "pictures that were kept": "kept unexamined"}
    return tuple(
        Notice.from_json({"kind": kind, "action": actions.get(kind, "removed"), "count": count})
        for kind, count in sorted(package.left.items())
    )
