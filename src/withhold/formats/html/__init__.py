"""Web pages: read as a browser would show them, written anew in a form every browser reads the same."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from withhold.errors import UnwritableText
from withhold.formats.blocks import Changes
from withhold.formats.html.clean import clean
from withhold.formats.html.inspect import inspect
from withhold.formats.html.names import rename
from withhold.formats.html.passages import passages
from withhold.formats.html.source import decode, starts_like_html
from withhold.formats.html.text import edit, places
from withhold.formats.html.tree import Page, normalise, parse, write
from withhold.formats.pieces import draft
from withhold.types import Block, Document, Handling, Hidden, Notice, Passage, Replacement

_UNWRITABLE = re.compile("[\0-\x08\x0b-\x1f\x7f\ud800-\udfff]")


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector of cycles from walking over a growing tree again and again, which takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Html:
    """HTML and XHTML files.

    The text, its structure and its style stay. Scripts, metadata, comments, hidden elements and everything else
    a reader does not see go, and so does all that is not known. The output is HTML in UTF-8.

    What stays although a reader may not see it: text the style sheet makes small, pale or hides in a roundabout
    way, and the targets of links. It is in the text of the document, so that it is searched like the rest.
    """

    name = "html"
    extensions = (".html", ".htm", ".xhtml")

    def recognises(self, data: bytes) -> bool:
        return starts_like_html(data)

    def settle(self, data: bytes, handling: Handling) -> Handling:
        return handling

    @_uncollected()
    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        return draft(places(_page(data, handling))).finish()

    @_uncollected()
    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        if any(_UNWRITABLE.search(replacement.text) for replacement in replacements):
            raise UnwritableText("a replacement has a control character, which a page cannot hold; choose another")
        page = _page(document.native, document.handling)
        found = places(page)
        changes = Changes(document, replacements)
        for index, local in changes.local.items():
            edit(found[index], local)
        renamed = rename(page, changes.untold)
        return write(page).encode("utf-8"), tuple(_notices(page, renamed))

    def passages(self, data: bytes) -> Iterator[Passage]:
        return passages(data)

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        return inspect(data)


def _page(data: bytes, handling: Handling) -> Page:
    page = parse(normalise(decode(data, handling.encoding)))
    clean(page, handling)
    return page


def _notices(page: Page, renamed: int) -> Iterator[Notice]:
    changed = ("unknown elements", "pictures")
    for kind, found in page.log.items():
        yield Notice(kind, "changed" if kind in changed else "removed", len(found))
    if page.pictures_kept:
        yield Notice("pictures that were kept", "kept unexamined", page.pictures_kept)
    if renamed:
        yield Notice("names of elements, styles and fonts", "changed", renamed)
