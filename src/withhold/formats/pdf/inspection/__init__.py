"""What a bad redaction leaves in a PDF, whichever tool made it.

Independent of how withhold itself reads and writes a PDF: PDFium draws pages and finds characters, pikepdf opens the
structure. So this is also one of the checks that an output has to pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

from withhold.errors import DamagedDocument, HostileDocument
from withhold.formats.pdf.inspection.revisions import earlier_revisions
from withhold.formats.pdf.inspection.sheets import opened
from withhold.formats.pdf.inspection.structure import UNREADABLE, beside_the_pages
from withhold.formats.pdf.inspection.unseen import HARMLESS, Sight, Unseen, sight
from withhold.types import Hidden

__all__ = ["HARMLESS", "NOT_READ", "UNREADABLE", "Sight", "Unseen", "hidden", "sights", "unseen_text"]

NOT_READ = "page that cannot be looked into"


def hidden(data: bytes, password: str | None = None) -> Iterator[Hidden]:
    """Everything the file holds besides what its reader sees; of text on pages, the pages of each kind.

    Raises:
        EncryptedDocument: if it needs another password.
        DamagedDocument: if its pages cannot be opened.
    """
    for page, found in groupby(unseen_text(data, password), key=lambda each: each.page):
        texts: dict[str, list[str]] = defaultdict(list)
        for each in found:
            texts[each.kind].append(" ".join(each.text.split()))
        for kind, said in texts.items():
            yield Hidden(kind, f"page {page + 1}", len(said), " | ".join(said))
    yield from earlier_revisions(data, password)
    yield from beside_the_pages(data, password)


def unseen_text(data: bytes, password: str | None = None) -> Iterator[Unseen]:
    """Every stretch of text that a page hides, with its boxes. A page that cannot be drawn is told as such."""
    for each in sights(data, password):
        yield from each.unseen


def sights(data: bytes, password: str | None = None) -> Iterator[Sight]:
    """What every page hides, and what else is seen of it on the way."""
    with opened(data, password) as document:
        for number in range(len(document)):
            try:
                found = sight(document, number)
            except (DamagedDocument, HostileDocument):
                found = Sight([Unseen(NOT_READ, number)])
            yield found
