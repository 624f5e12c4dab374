"""A file as pages of lines, and its lines as the text of a document."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field

import pikepdf

from withhold import progress
from withhold.formats.blocks import Draft
from withhold.formats.pdf.besides import besides, settle_annotations
from withhold.formats.pdf.bounding import Figures
from withhold.formats.pdf.content import Cleaner, layers_off
from withhold.formats.pdf.glyphs import Content, Glyph
from withhold.formats.pdf.hiding import Hiding, hiding, partly_hidden
from withhold.formats.pdf.interpreter import Reader
from withhold.formats.pdf.lines import Line, apart, lines, stacked
from withhold.formats.pdf.opening import content_bytes, open_pdf, password_of, refuse_forms_made_of_xml
from withhold.formats.pdf.scanning import Scanner, unreadable
from withhold.formats.pdf.scans import Scan
from withhold.types import Block, Handling

_MEGABYTE = 1_000_000
_MOST_REMEMBERED = 300_000
"""A file with more letters is not remembered."""


@dataclass(repr=False)
class Page:
    """One page: what it draws, and its lines in reading order."""

    number: int
    object: pikepdf.Object
    content: Content
    lines: list[Line]
    hidden: set[Glyph]
    """Letters that its reader does not see, and that are dropped."""
    scan: Scan | None = None
    """What it was read from, if that is its picture."""
    figures: Figures = field(default_factory=Figures)
    """What is drawn on it that is no letter, stretch by stretch."""


@dataclass(repr=False)
class File:
    """A file that is open, cleaned and read."""

    pdf: pikepdf.Pdf
    handling: Handling
    pages: list[Page] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    cleaner: Cleaner = field(default_factory=Cleaner)
    hiding: Hiding = field(default_factory=Hiding)


_last: list[tuple[bytes, Handling, File]] = []
"""The last file that was read, until it is written: one at most."""


def read_file(data: bytes, handling: Handling) -> File:
    """Open a file, and remember it for its writing, which mostly comes next; a large one is not."""
    while _last:
        let_go(_last.pop()[-1])
    file = open_file(data, handling)
    letters = sum(len(line.text) for page in file.pages for line in page.lines)
    is_small = letters <= _MOST_REMEMBERED and not any(page.scan for page in file.pages)
    if is_small:
        _last[:] = [(data, handling, file)]
    return file


def take_file(data: bytes, handling: Handling) -> File:
    """The file as it was read last, which is forgotten then since writing may change it; or opened anew."""
    try:
        *read, file = _last.pop()
    except IndexError:
        return open_file(data, handling)
    if read == [data, handling]:
        return file
    let_go(file)
    return open_file(data, handling)


def is_remembered(file: File) -> bool:
    return any(file is other for *_, other in _last)


def let_go(file: File) -> None:
    """Forget what the pages of a file show. Letters know what shows them, which knows them: circles, which it takes
    long to find and to free.
    """
    waiting = [page.content for page in file.pages]
    while waiting:
        content = waiting.pop()
        waiting += content.children.values()
        for show in content.shows.values():
            show.forget()
        content.shows = {}


def open_file(data: bytes, handling: Handling) -> File:
    """Open a file, settle what is drawn on its pages, and read every line.

    Raises:
        DocumentError: if it cannot be read safely.
    """
    limit = handling.max_megabytes * _MEGABYTE
    password = password_of(handling)
    pdf = open_pdf(data, password)
    refuse_forms_made_of_xml(pdf)
    left = besides(pdf, data)
    is_drawn_anew = settle_annotations(pdf)
    cleaner = Cleaner(layers_off(pdf), handling.images == "keep")
    cleaner.counts.update(left)
    file = File(pdf, handling, counts=cleaner.counts, cleaner=cleaner)
    file.hiding = hiding(_saved(pdf), "") if is_drawn_anew else hiding(data, password)
    reader = Reader(cleaner, limit)
    with Scanner(pdf, data, handling) as scanner:
        for number in range(1, len(pdf.pages) + 1):
            file.pages.append(_read(file, number, reader, scanner))
            progress.tell(number, len(pdf.pages))
    return file


def _read(file: File, number: int, reader: Reader, scanner: Scanner) -> Page:
    """One page: by its letters, or by its picture if it has none, or none that can be read."""
    page = file.pdf.pages[number - 1].obj
    data = content_bytes(page, reader.limit)
    if scan := scanner.scan(number - 1, data):
        return _read_picture(file, number, reader, scan)
    drawing = reader.page(page, data)
    shows = drawing.shows
    hidden = file.hiding.letters(number, shows, file.counts)
    if hidden:
        rests = partly_hidden(lines(shows), hidden)
        file.counts["words partly hidden"] += len(rests)
        hidden = hidden.union(*rests)
    found = lines(shows, hidden)
    if unread := unreadable(found):
        if scan := scanner.convert(number - 1):
            return _read_picture(file, number, reader, scan)
        file.counts["letters that cannot be read"] += len(unread)
        hidden |= unread
        found = lines(shows, hidden)
    file.counts["letters one below the other"] += stacked(found)
    file.counts["letters that stand apart"] += apart(found)
    return Page(number, page, drawing.content, found, hidden, figures=Figures(drawing.figures))


def _read_picture(file: File, number: int, reader: Reader, scan: Scan) -> Page:
    page = file.pdf.pages[number - 1].obj
    file.counts["pages read from their pictures"] += 1
    drawing = reader.page(page, content_bytes(page, reader.limit))
    return Page(number, page, drawing.content, lines(drawing.shows), set(), scan)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    """The file as it is now, without encryption; the same bytes every time."""
    buffer = io.BytesIO()
    pdf.save(buffer, static_id=True, encryption=False, fix_metadata_version=False)
    return buffer.getvalue()


def draft(file: File) -> tuple[str, tuple[Block, ...]]:
    """The text of all pages, a block for each line; where something new begins, an empty one stands between."""
    result = Draft()
    for page in file.pages:
        where = f"page {page.number}"
        for index, line in enumerate(page.lines):
            if line.opens or (index == 0 and result.blocks):
                result.add("", "gap", where)
            result.add(line.text, "body", where)
    return result.finish()


def places(file: File) -> list[tuple[int, int] | None]:
    """For each block of the draft, the numbers of its page, from 1, and of its line, from 0; None where none is."""
    found: list[tuple[int, int] | None] = []
    for page in file.pages:
        for index, line in enumerate(page.lines):
            if line.opens or (index == 0 and found):
                found.append(None)
            found.append((page.number, index))
    return found
