"""PDF files: every page is drawn anew from what is kept of it, in a new file that has nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from withhold.formats.blocks import Changes
from withhold.formats.pdf.opening import damage_is_told, is_pdf, nothing_is_collected
from withhold.spans import Span
from withhold.types import Block, Box, Document, Handling, Hidden, Layout, Notice, Passage, Replacement


class Pdf:
    """PDF files of any version, damaged ones as far as viewers open them.

    Kept: what pages draw, line by line where it was; form fields and comments as they look; layers that are on. A line
    that is touched is set anew, with the letters as wide as their font has them, from a margin of lines that were not
    touched. Dropped: everything that no page draws (properties, metadata, bookmarks, attachments, tags, links, scripts,
    earlier versions, thumbnails), text that a page hides, with the rest of words that it hides in part, glyphs that no
    text uses. Names of fonts and of other things are written anew. Images are blanked unless the policy keeps them. A
    page whose fonts cannot be taken apart becomes a picture with a layer of text. Not protected: where lines and pages
    break, and the widths of tables.
    """

    name = "pdf"
    extensions: tuple[str, ...] = (".pdf",)

    def recognises(self, data: bytes) -> bool:
        return is_pdf(data)

    def settle(self, data: bytes, handling: Handling) -> Handling:
        from withhold.formats.pdf.scanning import settled

        return settled(handling)

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        from withhold.formats.pdf.pages import draft, is_remembered, let_go, read_file

        with damage_is_told(), nothing_is_collected():
            file = read_file(data, handling)
            result = draft(file)
            if not is_remembered(file):
                let_go(file)
            del file
            return result

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        from withhold.formats.pdf.rewriting import rewrite

        with damage_is_told(), nothing_is_collected():
            return rewrite(document, Changes(document, replacements))

    def passages(self, data: bytes) -> Iterator[Passage]:
        from withhold.formats.pdf.passages import passages

        return passages(data)

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        from withhold.formats.pdf.inspection import hidden

        return hidden(data)

    def layout(self, data: bytes) -> Layout:
        from withhold.formats.pdf.inspection.layout import layout

        return layout(data)

    def pictures(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        from withhold.formats.pdf.inspection.pictures import pictures

        return pictures(data)

    def pages(self, data: bytes) -> int:
        from withhold.formats.pdf.pictures import count

        return count(data)

    def picture(self, data: bytes, page: int, scale: float = 1.5) -> bytes:
        from withhold.formats.pdf.pictures import picture

        return picture(data, page, scale)

    def boxes(self, document: Document, spans: Sequence[Span]) -> list[tuple[Box, ...]]:
        from withhold.formats.pdf.pictures import boxes

        with damage_is_told():
            return boxes(document, spans)
