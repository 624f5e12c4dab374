"""Letters as lines: what stands on one baseline without a wide gap, wherever in the file it is drawn.

Letters that follow one another in the file become runs, and runs on one baseline become lines: over wide gaps if they
follow one another in the file, too, and over narrow gaps otherwise; and over gaps of any width if words of different
lengths have the same between them, which is how a line is justified and no row of a table looks. So the columns of a
page stay apart, and a word whose letters are drawn in any order is still a word. Lines are in the order they are drawn
in, which is the reading order for most programs that make files; a line that was set anew says where it belongs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from statistics import median

from withhold.formats.blocks import LEADERS
from withhold.formats.pdf.curves import bent
from withhold.formats.pdf.glyphs import Glyph, Piece, Show
from withhold.formats.pdf.letters import Letter, are_one, merged
from withhold.formats.pdf.spelling import EVEN, looked_at, spelt, step_between, trimmed

SAME_LINE = 0.257
"""So far, in parts of the size, may letters of a line stand above or below it."""
WIDE = 2.03
"""A gap in a line that one instruction draws; a wider one parts it in two."""
MIDDLE = 1.03
"""The same where one instruction follows another: cells of a table stand closer than words ever do."""
LED = 3.03
"""The same behind a row of points."""
NARROW = 0.607
"""The same for what is drawn apart."""
SMALLER, RAISED, CLOSE = 0.85, 0.65, 0.3
"""How small a mark above or below a line is, in parts of its size, how far above or below, and how close."""
BACK = -0.2
"""So far may a letter start before the one it follows in the file."""
OVERLAP = -0.5
"""So far may what is drawn apart reach into what stands before it."""
PARAGRAPH = 1.6
"""Lines that are further apart, in parts of their size, do not belong together."""
SPACED, LEAST = 2.03, 4
"""How far apart letters may be put one by one, in parts of their size, and still be a word; and how many at least."""
INITIAL, LOWER, HIGHEST, BESIDE = 1.5, 0.9, 0.85, 1.0
"""A large initial is so many times as large as the text beside it, and stands so much lower than its first line, which
reaches no higher than that part of the size of the initial, and starts no further from it, in parts of its own.
"""
_CAPITAL = 0.7
_DIGITS = 3
_WITHIN = " -'\u2019\u2010"
_ROW = 4.0
"""Single letters in a row that are further apart are entries of a table."""
_SINGLE = re.compile(rf"(?<!\S)(?:[^\W\d_]\s){{{LEAST - 1},}}[^\W\d_](?!\S)")


@dataclass(slots=True, repr=False, eq=False)
class Run:
    """Letters that follow one another in the file and on the page."""

    pieces: list[Piece]
    order: int
    cuts: int
    start: float
    end: float
    base: float
    """How far the baseline is from the corner of the page, across the direction of the line."""
    level: float
    """The same for the line that it belongs to, above or below which it may stand; and the size of that."""
    em: float
    spaced: int | None = None
    """Which letter-spaced or bent word of the page it is; such a word is a line of its own."""

    @property
    def show(self) -> Show:
        return self.pieces[0].show

    @property
    def count(self) -> int:
        """How many letters it has."""
        first, *more = self.pieces
        return first.end - first.first + sum([piece.end - piece.first for piece in more])

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(slots=True, repr=False, eq=False)
class Line:
    """A line of a page, or as much of it as belongs together."""

    parts: Sequence[Piece | Letter]
    """Its letters, several at once where they follow one another without anything that counts."""
    direction: tuple[float, float]
    start: float
    """Where it starts and ends, along its direction."""
    end: float
    base: float
    em: float
    number: int | None = None
    opens: bool = False
    """Whether something new begins with it: a paragraph, a cell, a column."""
    beyond: tuple[Sequence[Piece], Sequence[Piece]] = ((), ())
    """The spaces before and behind it, if its first and last letters do not have them as their own."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = "".join([part.text for part in self.parts])

    @property
    def letters(self) -> list[Letter]:
        found: list[Letter] = []
        for part in self.parts:
            found += [part] if isinstance(part, Letter) else [Letter(glyph.text, glyph) for glyph in part.glyphs]
        for at, spaces in zip((0, -1), self.beyond, strict=True):
            if spaces:
                others = (glyph for piece in spaces for glyph in piece.glyphs)
                found[at] = replace(found[at], others=(*found[at].others, *others))
        return found

    @property
    def pieces(self) -> Iterator[Piece]:
        """All that is drawn of it, with the spaces beyond its ends; its first letter comes first."""
        for part in self.parts:
            if isinstance(part, Piece):
                yield part
            elif part.glyph is not None:
                for glyph in (part.glyph, *part.others):
                    yield Piece(glyph.show, glyph.index, glyph.index + 1)
        yield from chain(*self.beyond)

    @property
    def shows(self) -> Iterator[Show]:
        """The instructions that draw it."""
        return (piece.show for piece in self.pieces)


Gone = Mapping[Show, Container[int]]
"""The letters that are not seen, by what shows them and their number in it."""


def lines(shows: Sequence[Show], hidden: Iterable[Glyph] = ()) -> list[Line]:
    """The lines of a page, in reading order, without the letters that are hidden."""
    gone: dict[Show, set[int]] = defaultdict(set)
    for glyph in hidden:
        gone[glyph.show].add(glyph.index)
    anew: dict[int, list[Piece]] = defaultdict(list)
    others: list[Show] = []
    for show in shows:
        if show.line is None:
            others.append(show)
        elif pieces := list(_left(show, gone)):
            anew[show.line] += pieces
    found = [line for several in _gather(_runs(others, gone)) if not (line := _line(several)).text.isspace()]
    for number, several in sorted(anew.items()):
        found.insert(number, _as_written(several, number))
    _mark_openings(found)
    return found


def _left(show: Show, gone: Gone) -> Iterator[Piece]:
    """What is seen of an instruction."""
    if show not in gone:
        yield Piece(show, 0, show.count)
    else:
        yield from (Piece(show, at, at + 1) for at in range(show.count) if at not in gone[show])


def _runs(shows: Sequence[Show], gone: Gone) -> list[Run]:
    found: list[Run] = []
    curves = bent(shows, gone)
    spaced = _spaced(shows, gone) | curves
    run: Run | None = None
    show: Show | None = None
    ux = uy = reach = last = 0.0
    cuts = 0
    for own in shows:
        number, unseen = spaced.get(own), gone.get(own, ())
        for first, end in _stretches(own, unseen):
            if unseen and first in unseen:
                run, cuts = None, cuts + 1
                continue
            if run is not None and run.spaced is not None and curves.get(own) == run.spaced:
                glyph = own.glyph(first)
                run.pieces.append(Piece(own, first, end))
                run.end = max(run.end, glyph.x * ux + glyph.y * uy + glyph.advance)
                continue
            if own is not show:
                if show is None or own.direction != show.direction or own.cuts != show.cuts:
                    run = None
                show, (ux, uy), reach = own, own.direction, max(own.em, 0.1)
            x, y = own.place(first)
            along, across = x * ux + y * uy, y * ux - x * uy
            if (
                run is None
                or run.spaced != number
                or along < last + BACK * reach
                or (along - run.end > NARROW * reach and number is None)
                or abs(across - run.base) > SAME_LINE * reach
            ):
                run = Run([], len(found), own.cuts + cuts, along, along, across, across, reach, number)
                found.append(run)
            if run.pieces and run.pieces[-1].show is own and run.pieces[-1].end == first:
                run.pieces[-1].end = end
            else:
                run.pieces.append(Piece(own, first, end))
            x, y = own.place(end - 1)
            last = x * ux + y * uy
            run.end = last + own.reach(end - 1)
    return found


def _stretches(show: Show, unseen: Container[int]) -> Iterable[tuple[int, int]]:
    """The letters of an instruction, as far as they follow one another without anything that counts."""
    seams = range(1, show.count) if unseen else show.seams
    if not seams:
        return ((0, show.count),)
    return zip((0, *seams), (*seams, show.count), strict=True)


def _spaced(shows: Sequence[Show], gone: Container[Show]) -> dict[Show, int]:
    """The letters of words that are drawn letter by letter, at even steps with wide gaps, and by which stretch."""
    found: dict[Show, int] = {}
    stretch: list[Glyph] = []
    for number, show in enumerate(shows):
        if len(show.shifts) != 1 or show in gone or not _is_single(glyph := show.glyph(0)):
            if stretch:
                found.update(_settled(stretch, number))
                stretch = []
        elif not stretch or _goes_on(stretch, glyph):
            stretch.append(glyph)
        else:
            ended = _settled(stretch, number)
            found.update(ended)
            # The step before this letter may be the first of other ones.
            stretch = [stretch[-1], glyph] if not ended and _goes_on(stretch[-1:], glyph) else [glyph]
    return found | _settled(stretch, len(shows))


def _settled(stretch: Sequence[Glyph], number: int) -> dict[Show, int]:
    """A stretch of single letters if it is one of words. A letter that is drawn over and over, and the letters of the
    alphabet in their order, are entries of a table.
    """
    texts = [glyph.text for glyph in stretch if glyph.text.isalpha()]
    if len(texts) < LEAST or _is_listing(texts) or not any(_is_wide(*pair) for pair in pairwise(stretch)):
        return {}
    return dict.fromkeys((glyph.show for glyph in stretch), number)


def _is_single(glyph: Glyph) -> bool:
    """Whether it is a letter, or a sign that words have."""
    return len(glyph.text) == 1 and (glyph.text.isalpha() or glyph.text in _WITHIN)


def _goes_on(stretch: Sequence[Glyph], glyph: Glyph) -> bool:
    """Whether a letter follows after a step like the first or, between two words, one of twice that."""
    first, show = stretch[0].show, glyph.show
    if show.direction != first.direction or show.cuts != first.cuts or abs(show.em - first.em) > EVEN * first.em:
        return False
    step, across = step_between(stretch[-1], glyph)
    if abs(across) > SAME_LINE or not step > 0:
        return False
    if len(stretch) == 1:
        return step < SPACED
    usual, _ = step_between(*stretch[:2])
    return min(abs(step - usual), abs(step - 2 * usual)) < EVEN * usual


def _is_wide(last: Glyph, glyph: Glyph) -> bool:
    """Whether the gap between two letters is wider than one over which letters are joined anyway."""
    return step_between(last, glyph)[0] - last.advance / max(last.show.em, 0.1) > NARROW


def _is_listing(texts: Sequence[str]) -> bool:
    return len(set(texts)) == 1 or all(ord(second) - ord(first) == 1 for first, second in pairwise(texts))


def _gather(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs of each line, by where they stand; the lines in the order they are drawn in."""
    _settle_initials(runs)
    _settle_raised(runs)
    by_direction: dict[tuple[float, float], list[Run]] = defaultdict(list)
    for run in runs:
        x, y = run.show.direction
        by_direction[round(x, 2), round(y, 2)].append(run)
    gathered = [line for several in by_direction.values() for line in _on_baselines(several)]
    return sorted(gathered, key=lambda line: min(run.order for run in line))


def _settle_raised(runs: Sequence[Run]) -> None:
    """Numbers of notes, exponents and the like belong to the line of what they follow, or of what follows them."""
    for last, run in pairwise(runs):
        if _is_raised(run, last) and CLOSE * last.show.em > run.start - last.end > BACK * last.show.em:
            run.level, run.em = last.level, last.em
    for run, following in pairwise(runs):
        if run.level == run.base and _is_raised(run, following):
            close = CLOSE * following.show.em
            if close > following.start - run.end > BACK * close:
                run.level, run.em = following.level, following.em


def _settle_initials(runs: Sequence[Run]) -> None:
    """A large initial that reaches over several lines belongs to the first of them."""
    found: dict[tuple[float, float], _Starts] = {}
    for run in runs:
        if run.spaced is None and run.count == 1 and run.text.isalpha():
            direction = run.show.direction
            if direction not in found:
                found[direction] = _Starts([other for other in runs if other.show.direction == direction])
            beside = [other for other in found[direction].near(run) if _is_beside_initial(other, run)]
            if beside:
                first = max(beside, key=lambda other: other.base)
                run.level, run.em, run.order = first.level, first.em, first.order


class _Starts:
    """Runs of one direction by where they start."""

    def __init__(self, runs: Sequence[Run]) -> None:
        ordered = sorted((run.start, number) for number, run in enumerate(runs) if run.start == run.start)
        self.runs = runs
        self.starts = [start for start, _ in ordered]
        self.numbers = [number for _, number in ordered]
        self.least = min(run.show.em for run in runs)

    def near(self, initial: Run) -> list[Run]:
        """Those that may stand beside an initial, in the order they are drawn in: all that do, and some more."""
        large = initial.show.em
        if not large > INITIAL * self.least:
            return []
        reach = large / INITIAL + 1e-9 * (abs(initial.end) + 1)
        first, end = bisect_left(self.starts, initial.end - reach), bisect_right(self.starts, initial.end + reach)
        return [self.runs[number] for number in sorted(self.numbers[first:end])]


def _is_number(run: Run) -> bool:
    """Whether it is a short number: some programs raise those of notes without making them smaller."""
    return run.count <= _DIGITS and run.text.isdigit()


def has_initial(line: Line) -> bool:
    """Whether a line begins with a large initial, beside which further lines may stand."""
    return next(line.shows).em > INITIAL * line.em


def _is_beside_initial(run: Run, initial: Run) -> bool:
    em, large = run.show.em, initial.show.em
    rise = run.base - initial.base
    return (
        large > INITIAL * em
        and run.show.direction == initial.show.direction
        and BACK * em < run.start - initial.end < BESIDE * em
        and LOWER * em < rise < HIGHEST * large - _CAPITAL * em
    )


def _is_raised(run: Run, other: Run) -> bool:
    show, beside = run.show, other.show
    em = beside.em
    is_raised = SAME_LINE * show.em < abs(run.base - other.level) < RAISED * em and show.direction == beside.direction
    return is_raised and (show.em < SMALLER * em or _is_number(run))


def _on_baselines(runs: list[Run]) -> Iterator[list[Run]]:
    runs.sort(key=lambda run: (-run.level, run.start, run.order))
    level: list[Run] = []
    for run in runs:
        if level and abs(level[0].level - run.level) > SAME_LINE * run.em:
            yield from _parted(level)
            level = []
        level.append(run)
    if level:
        yield from _parted(level)


def _parted(level: list[Run]) -> Iterator[list[Run]]:
    """The runs of one baseline, parted where there is a gap; what is drawn over others is a line of its own."""
    level.sort(key=lambda run: (run.start, run.order))
    open_lines: list[list[Run]] = []
    even = _evenly(level)
    for place, run in enumerate(level):
        for line in open_lines:
            if _follows(line[-1], run) or (run in even and line[-1] is level[place - 1]):
                line.append(run)
                break
        else:
            open_lines.append([run])
    yield from open_lines


def _evenly(level: Sequence[Run]) -> set[Run]:
    """The runs before which there is a gap as wide as two next to it, though the runs are of different lengths.

    Only neighbours count, so that a line is the same line when others on its baseline are gone.
    """
    found: set[Run] = set()
    for runs in zip(level, level[1:], level[2:], level[3:], strict=False):
        em = max(runs[0].show.em, 0.1)
        gaps = [run.start - last.end for last, run in pairwise(runs)]
        widths = [run.end - run.start for run in runs[:3]]
        if any(run.spaced is not None for run in runs):
            continue
        if max(gaps) - min(gaps) < EVEN * em and max(widths) - min(widths) > 2 * EVEN * em:
            found.update(runs[1:])
    return found


def _follows(last: Run, run: Run) -> bool:
    if last.spaced is not None or run.spaced is not None:
        return False
    em = max(last.show.em, run.show.em, 0.1)
    is_next = run.order == last.order + 1 and run.cuts == last.cuts
    is_same = is_next and last.pieces[-1].show is run.show
    most = WIDE if is_same else MIDDLE if is_next else NARROW
    gap = run.start - last.end
    return OVERLAP * em < gap and (gap < most * em or (gap < LED * em and _leads(last)))


def _leads(run: Run) -> bool:
    """Whether a run ends with a row of points, which lead to what follows however many of them there was room for."""
    few = [piece.show.glyph(at) for piece in run.pieces[-6:] for at in range(piece.first, piece.end)[-6:]][-6:]
    ends = [glyph.text for glyph in few if not glyph.text.isspace()][-3:]
    return len(ends) == 3 and len(set(ends)) == 1 and ends[0] in LEADERS


def _line(runs: Sequence[Run]) -> Line:
    pieces = [piece for run in runs for piece in run.pieces]
    start, end = runs[0].start, max([run.end for run in runs])
    em = median(sorted(run.em for run in runs)) if len(runs) > 1 else runs[0].em
    parts = spelt(pieces) if runs[0].spaced is None else None
    if parts is None:
        is_even = runs[0].spaced is not None and runs[0].spaced >= 0
        glyphs = [glyph for piece in pieces for glyph in piece.glyphs]
        letters, start, end = looked_at(glyphs, start, end, is_even=is_even)
        return Line(letters, runs[0].show.direction, start, end, runs[0].level, em)
    before, within, after = trimmed(parts)
    first, last = within[0], within[-1]
    if before and isinstance(first, Piece):
        start = first.show.glyph(first.first).along
    if after and isinstance(last, Piece):
        glyph = last.show.glyph(last.end - 1)
        end = glyph.along + glyph.advance
    return Line(within, runs[0].show.direction, start, end, runs[0].level, em, beyond=(before, after))


def _as_written(pieces: Sequence[Piece], number: int) -> Line:
    """A line that was set anew: its letters as they are, spaces and all."""
    show = pieces[0].show
    glyph = show.glyph(pieces[0].first)
    parts: Sequence[Piece | Letter] = pieces
    if not all(_is_plain(piece, show) for piece in pieces) or _has_overlap(pieces):
        parts = merged(glyph for piece in pieces for glyph in piece.glyphs)
        pieces = [Piece(piece.show, at, at + 1) for piece in pieces for at in range(piece.first, piece.end)]
    ux, uy = show.direction
    firsts = [piece.show.place(piece.first) for piece in pieces]
    lasts = [piece.show.place(piece.end - 1) for piece in pieces]
    ends = [x * ux + y * uy + piece.show.reach(piece.end - 1) for (x, y), piece in zip(lasts, pieces, strict=True)]
    start = min(x * ux + y * uy for x, y in firsts)
    return Line(parts, show.direction, start, max(ends), glyph.y * ux - glyph.x * uy, show.em, number)


def _is_plain(piece: Piece, first: Show) -> bool:
    """Whether the letters of a piece stand side by side in the direction of the line, none of them over another, and
    the last one ends furthest.
    """
    show = piece.show
    is_side_by_side = show.direction == first.direction and not show.jumps and show.is_side_by_side
    return is_side_by_side and show.reach(piece.end - 1) > 0


def _has_overlap(pieces: Sequence[Piece]) -> bool:
    """Whether pieces meet in one place."""
    return any(
        are_one(last.show.glyph(last.end - 1), piece.show.glyph(piece.first)) for last, piece in pairwise(pieces)
    )


def _mark_openings(several: Sequence[Line]) -> None:
    for last, line in pairwise(several):
        down = last.base - line.base
        is_below = last.direction == line.direction and -0.2 * line.em < down < PARAGRAPH * max(last.em, line.em)
        line.opens = not (is_below and line.start < last.end and last.start < line.end)


def stacked(several: Sequence[Line]) -> int:
    """How many letters stand alone on their lines, one below the other: what they spell is not read as a word."""
    alone = [line for line in several if len(line.text.strip()) == 1 and line.text.strip().isalpha()]
    below = [
        line
        for last, line in pairwise(alone)
        if last.direction == line.direction
        and 0 < last.base - line.base < PARAGRAPH * line.em
        and abs(last.start + last.end - line.start - line.end) < line.em
    ]
    return len(below) + 1 if len(below) > 1 else 0


def apart(several: Sequence[Line]) -> int:
    """How many letters stand by themselves in a row, over spaces or gaps: what they spell is not read as a word."""
    rows: list[str] = []
    last: Line | None = None
    for line in sorted(several, key=lambda line: (line.direction, -line.base, line.start)):
        goes_on = (
            last is not None
            and last.direction == line.direction
            and abs(last.base - line.base) < SAME_LINE * line.em
            and line.start - last.end < _ROW * line.em
        )
        rows[-1:] = [f"{rows[-1]} {line.text}"] if goes_on else [*rows[-1:], line.text]
        last = line
    found = [match[0].split() for row in rows for match in _SINGLE.finditer(row)]
    return sum(len(letters) for letters in found if not _is_listing(letters))
