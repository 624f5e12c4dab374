"""From edits of a text to a new file that has been checked.

A page whose fonts or streams cannot be made safe is drawn, and becomes a picture with the text that remains as a layer
nobody sees: after its lines were set anew, so that the picture does not show how wide a removed word was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from withhold.errors import UnsupportedFormat
from withhold.formats.blocks import Changes, Local
from withhold.formats.pdf import fonts, raster
from withhold.formats.pdf.bounding import side_by_side
from withhold.formats.pdf.checking import check
from withhold.formats.pdf.glyphs import ASCENT, DESCENT, Quad
from withhold.formats.pdf.hiding import check_hidden, lines_hidden
from withhold.formats.pdf.lines import Line, has_initial
from withhold.formats.pdf.pages import File, let_go, places, take_file
from withhold.formats.pdf.placing import paint_over
from withhold.formats.pdf.writing import Written, extent, save, write
from withhold.formats.residue import Names, needles
from withhold.types import Document, Notice

_CHANGED = frozenset(
    ("pictures", "pages drawn as pictures", "pages read from their pictures", "lines set anew", "lines painted anew"),
)
_UNSEEN = (3, 7)
_NEXT = {None: 0.0, 0.0: 1.0}
"""How bright a line is painted that was hidden in another way."""
_LEFT = frozenset(
    (
        "line breaks after removed text",
        "entries beside removed text",
        "letters one below the other",
        "letters that stand apart",
    )
)
"""What no way of writing the same pages takes away, or nobody has searched."""


def rewrite(document: Document, changes: Changes) -> tuple[bytes, tuple[Notice, ...]]:
    """The new file and what became of everything that is not its text.

    Raises:
        UnsupportedFormat: if a page can neither be rewritten nor drawn safely.
        LeakError: if the file is not what it should be.
    """
    file = take_file(document.native, document.handling)
    local = by_page(file, changes.local)
    wanted = needles(changes)
    names = Names(needle.text for needle in wanted if not needle.allowed)
    painted = pictured(file, local)
    output, drawn = _written(file, local, names, painted)
    file.counts["pages drawn as pictures"] = len(drawn)
    file.counts.update(left_to_tell(file, local))
    check(output)
    layered = {number + 1 for number in painted}
    check_hidden(output, drawn | layered | {page.number for page in file.pages if page.scan is not None})
    let_go(file)
    return output, notices(file.counts)


def _written(
    file: File, local: Mapping[int, Mapping[int, Local]], names: Names, painted: Mapping[int, Sequence[Quad]]
) -> tuple[bytes, set[int]]:
    """The new file, and the pages that are drawn in it. Lines that nobody would see in it, since the picture or the box
    behind them is gone or they lie under one now, are set on top of everything else, in black or in white.
    """
    before, greys = Counter(file.counts), defaultdict[int, dict[int, float]](dict)
    while True:
        written = write(file, local, greys)
        drawn = make_safe(written, names, painted, lambda: _again(file, local, greys))
        output = save(written.pdf)
        if not _brightened(written, output, drawn, greys):
            file.counts["lines painted anew"] = sum(map(len, greys.values()))
            return output, drawn
        file.counts.clear()
        file.counts.update(before)


def _again(file: File, local: Mapping[int, Mapping[int, Local]], greys: Mapping[int, Mapping[int, float]]) -> bytes:
    """The new file as it is before its fonts are touched; what it counts has been counted."""
    counts = Counter(file.counts)
    try:
        return save(write(file, local, greys).pdf)
    finally:
        file.counts.clear()
        file.counts.update(counts)


def _brightened(written: Written, output: bytes, drawn: set[int], greys: dict[int, dict[int, float]]) -> bool:
    """Whether any of the lines that an output hides can be painted in another way, which `greys` says then."""
    is_changed = False
    for number, lines in enumerate(written.lines, 1):
        for index in lines_hidden(output, number, lines) if number not in drawn else ():
            origin = written.origins[number - 1][index]
            grey = _NEXT.get(greys[number].get(origin))
            if grey is not None:
                greys[number][origin] = grey
                is_changed = True
    return is_changed


def pictured(file: File, local: Mapping[int, Mapping[int, Local]]) -> dict[int, list[Quad]]:
    """By page from 0, what has to be painted over: touched lines that nobody sees lie over a picture that shows them.

    All of the page goes, from edge to edge: how much of it a line covers would tell what stood there.
    """
    found: dict[int, list[Quad]] = defaultdict(list)
    for page in file.pages:
        if file.handling.images == "keep" and page.scan is None:
            for number in local.get(page.number, {}):
                line = page.lines[number]
                if any(show.mode in _UNSEEN for show in line.shows):
                    start, end = extent(page, line)
                    found[page.number - 1].append(quad(replace(line, start=start, end=end)))
    return found


def make_safe(
    written: Written, names: Names, painted: Mapping[int, Sequence[Quad]], whole: Callable[[], bytes]
) -> set[int]:
    """Leave in the fonts what is shown and nothing else, and paint over what pictures show; the pages, from 1, that had
    to become pictures for that. These are drawn from the `whole` file, in which nothing is pruned.
    """
    faults = fonts.prune(written.pdf, names.told_by)
    pages = written.pdf.pages
    stubborn = [number for number, quads in painted.items() if not paint_over(written.pdf, pages[number], quads)]
    drawn = sorted({*faults, *stubborn})
    if not drawn:
        return set()
    with raster.Renderer(whole()) as renderer:
        for number in drawn:
            picture = renderer.render(number)
            picture.blank(painted.get(number, ()))
            layer = [raster.Line(line.text, quad(line)) for line in written.lines[number]]
            raster.replace(written.pdf, number, picture, layer)
    if left := fonts.prune(written.pdf, names.told_by):
        number, reason = min(left.items())
        raise UnsupportedFormat(f"page {number + 1} can neither be rewritten nor drawn safely: {reason}")
    return {number + 1 for number in drawn}


def quad(line: Line) -> Quad:
    """The corners of a line, as one reads it."""
    ux, uy = line.direction
    low, high = line.base + DESCENT * line.em, line.base + ASCENT * line.em
    corners = ((line.start, low), (line.end, low), (line.end, high), (line.start, high))
    first, second, third, fourth = ((s * ux - t * uy, s * uy + t * ux) for s, t in corners)
    return first, second, third, fourth


def by_page(file: File, local: dict[int, Local]) -> dict[int, dict[int, Local]]:
    """The replacements by page, and by line of the page, from replacements by block."""
    found: dict[int, dict[int, Local]] = defaultdict(dict)
    where = places(file)
    for index, replacements in local.items():
        place = where[index]
        if place is not None:
            page, number = place
            found[page][number] = replacements
    return found


def left_to_tell(file: File, local: Mapping[int, Mapping[int, Local]]) -> Counter[str]:
    """How many lines were set anew, and what about them still depends on the text that was removed."""
    found: Counter[str] = Counter()
    for page in file.pages:
        touched = local.get(page.number, {})
        beside = side_by_side(page.lines) if touched else set()
        for number in touched:
            line, following = page.lines[number], page.lines[number + 1 : number + 2]
            found["lines set anew"] += 1
            found["line breaks after removed text"] += any(not after.opens for after in following)
            found["entries beside removed text"] += bool(
                number in beside or page.figures.bars(line) or has_initial(line)
            )
    return found


def notices(counts: Counter[str]) -> tuple[Notice, ...]:
    return tuple(
        Notice(kind, "changed" if kind in _CHANGED else "kept unexamined" if kind in _LEFT else "removed", count)
        for kind, count in sorted(counts.items())
        if count
    )
