"""Letters as lines: what stands on one baseline without a wide gap, wherever in the file it is drawn.

Letters that follow one another in the file become runs, and runs on one baseline become lines: over wide gaps if they
follow one another in the file, too, and over narrow gaps otherwise; and over gaps of any width if words of different
lengths have the same between them, which is how a line is justified and no row of a table looks. So the columns of a
page stay apart, and a word whose letters are drawn in any order is still a word. Lines are in the order they are drawn
in, which is the reading order for most programs that make files; a line that was set anew says where it belongs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from withhold.formats.blocks import LEADERS
from withhold.formats.pdf.curves import bent
from withhold.formats.pdf.glyphs import Glyph, Show
from withhold.formats.pdf.letters import Letter, merged, order, runs_leftward

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
_OVER = -0.1
"""Where letters come closer, some may stand in one place."""
SMALLER, RAISED, CLOSE = 0.85, 0.65, 0.3
"""How small a mark above or below a line is, in parts of its size, how far above or below, and how close."""
EVEN = 0.05
"""Gaps that differ by less are of one width."""
BACK = -0.2
"""So far may a letter start before the one it follows in the file."""
OVERLAP = -0.5
"""So far may what is drawn apart reach into what stands before it."""
SPACE = 0.11
"""A gap that a reader takes for a space."""
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

    glyphs: list[Glyph]
    order: int
    piece: int
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
        return self.glyphs[0].show


@dataclass(slots=True, repr=False, eq=False)
class Line:
    """A line of a page, or as much of it as belongs together."""

    letters: list[Letter]
    direction: tuple[float, float]
    start: float
    """Where it starts and ends, along its direction."""
    end: float
    base: float
    em: float
    number: int | None = None
    opens: bool = False
    """Whether something new begins with it: a paragraph, a cell, a column."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = "".join([letter.text for letter in self.letters])

    @property
    def glyphs(self) -> Iterator[Glyph]:
        for letter in self.letters:
            if letter.glyph is not None:
                yield letter.glyph
                yield from letter.others


def lines(glyphs: Sequence[Glyph], hidden: Collection[Glyph] = ()) -> list[Line]:
    """The lines of a page, in reading order, without the letters that are hidden."""
    anew: dict[int, list[Glyph]] = defaultdict(list)
    others: list[Glyph] = []
    for glyph in glyphs:
        if glyph.show.line is None:
            others.append(glyph)
        elif glyph not in hidden:
            anew[glyph.show.line].append(glyph)
    found = [line for several in _gather(_runs(others, hidden)) if not (line := _line(several)).text.isspace()]
    for number, several in sorted(anew.items()):
        found.insert(number, _as_written(several, number))
    _mark_openings(found)
    return found


def _runs(glyphs: Sequence[Glyph], hidden: Collection[Glyph]) -> list[Run]:
    found: list[Run] = []
    curves = bent(glyphs, hidden)
    spaced = _spaced(glyphs, hidden) | curves
    run: Run | None = None
    show: Show | None = None
    ux = uy = em = last = 0.0
    cuts = 0
    for glyph in glyphs:
        if hidden and glyph in hidden:
            run, cuts = None, cuts + 1
            continue
        if run is not None and run.spaced is not None and curves.get(glyph) == run.spaced:
            run.glyphs.append(glyph)
            run.end = max(run.end, glyph.x * ux + glyph.y * uy + glyph.advance)
            continue
        own = glyph.show
        if own is not show:
            if show is None or own.direction != show.direction or own.pieces != show.pieces:
                run = None
            show, (ux, uy), em = own, own.direction, own.em
        along, across = glyph.x * ux + glyph.y * uy, glyph.y * ux - glyph.x * uy
        reach, number = max(em, 0.1), spaced.get(glyph)
        if (
            run is None
            or run.spaced != number
            or along < last + BACK * reach
            or (along - run.end > NARROW * reach and number is None)
            or abs(across - run.base) > SAME_LINE * reach
        ):
            run = Run([], len(found), own.pieces + cuts, along, along, across, across, reach, number)
            found.append(run)
        run.glyphs.append(glyph)
        last = along
        run.end = along + glyph.advance
    return found


def _spaced(glyphs: Sequence[Glyph], hidden: Collection[Glyph]) -> dict[Glyph, int]:
    """The letters of words that are drawn letter by letter, at even steps with wide gaps, and by which stretch."""
    found: dict[Glyph, int] = {}
    stretch: list[Glyph] = []
    for number, glyph in enumerate(glyphs):
        if glyph in hidden or not _is_single(glyph):
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
    return found | _settled(stretch, len(glyphs))


def _settled(stretch: Sequence[Glyph], number: int) -> dict[Glyph, int]:
    """A stretch of single letters if it is one of words. A letter that is drawn over and over, and the letters of the
    alphabet in their order, are entries of a table.
    """
    texts = [glyph.text for glyph in stretch if glyph.text.isalpha()]
    if len(texts) < LEAST or _is_listing(texts) or not any(_is_wide(*pair) for pair in pairwise(stretch)):
        return {}
    return dict.fromkeys(stretch, number)


def _is_single(glyph: Glyph) -> bool:
    """Whether one instruction draws a letter, or a sign that words have, and nothing else."""
    return len(glyph.show.glyphs) == len(glyph.text) == 1 and (glyph.text.isalpha() or glyph.text in _WITHIN)


def _goes_on(stretch: Sequence[Glyph], glyph: Glyph) -> bool:
    """Whether a letter follows after a step like the first or, between two words, one of twice that."""
    first, show = stretch[0].show, glyph.show
    if show.direction != first.direction or show.pieces != first.pieces or abs(show.em - first.em) > EVEN * first.em:
        return False
    step, across = _step(stretch[-1], glyph)
    if abs(across) > SAME_LINE or not step > 0:
        return False
    if len(stretch) == 1:
        return step < SPACED
    usual, _ = _step(*stretch[:2])
    return min(abs(step - usual), abs(step - 2 * usual)) < EVEN * usual


def _step(last: Glyph, glyph: Glyph) -> tuple[float, float]:
    """How far one letter stands from another along and across the line, in parts of its size."""
    (ux, uy), em = last.show.direction, max(last.show.em, 0.1)
    x, y = glyph.x - last.x, glyph.y - last.y
    return (x * ux + y * uy) / em, (y * ux - x * uy) / em


def _is_wide(last: Glyph, glyph: Glyph) -> bool:
    """Whether the gap between two letters is wider than one over which letters are joined anyway."""
    return _step(last, glyph)[0] - last.advance / max(last.show.em, 0.1) > NARROW


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
    for run in runs:
        if len(run.glyphs) == 1 and run.glyphs[0].text.isalpha() and run.spaced is None:
            beside = [other for other in runs if _is_beside_initial(other, run)]
            if beside:
                first = max(beside, key=lambda other: other.base)
                run.level, run.em, run.order = first.level, first.em, first.order


def _is_number(run: Run) -> bool:
    """Whether it is a short number: some programs raise those of notes without making them smaller."""
    return len(run.glyphs) <= _DIGITS and all(glyph.text.isdigit() for glyph in run.glyphs)


def has_initial(line: Line) -> bool:
    """Whether a line begins with a large initial, beside which further lines may stand."""
    return next(line.glyphs).show.em > INITIAL * line.em


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
    em = other.show.em
    is_small = (run.show.em < SMALLER * em or _is_number(run)) and run.show.direction == other.show.direction
    return is_small and SAME_LINE * run.show.em < abs(run.base - other.level) < RAISED * em


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
    is_next = run.order == last.order + 1 and run.piece == last.piece
    is_same = is_next and last.glyphs[-1].show is run.show
    most = WIDE if is_same else MIDDLE if is_next else NARROW
    gap = run.start - last.end
    return OVERLAP * em < gap and (gap < most * em or (gap < LED * em and _leads(last)))


def _leads(run: Run) -> bool:
    """Whether a run ends with a row of points, which lead to what follows however many of them there was room for."""
    ends = [glyph.text for glyph in run.glyphs[-6:] if not glyph.text.isspace()][-3:]
    return len(ends) == 3 and len(set(ends)) == 1 and ends[0] in LEADERS


def _line(runs: Sequence[Run]) -> Line:
    glyphs = [glyph for run in runs for glyph in run.glyphs]
    is_even = runs[0].spaced is not None and runs[0].spaced >= 0
    gaps = _gaps_of_spaced(glyphs) if is_even else _gaps(glyphs)
    several = None
    if min(gaps, default=0.0) < _OVER:
        several = merged(glyphs)
        gaps = _gaps([letter.glyph for letter in several if letter.glyph])
    usual = median(gaps) if len(gaps) > 3 else 0.0
    least = SPACE if usual < 0.1 else usual + max(SPACE, 0.4 * usual)
    letters: list[Letter] = []
    for letter, gap in zip(several or [Letter(glyph.text, glyph) for glyph in glyphs], [0.0, *gaps], strict=True):
        if gap > least and letters and not letters[-1].text.isspace() and not letter.text.isspace():
            letters.append(Letter(" "))
        letters.append(letter)
    letters, start, end = _trimmed(letters, runs[0].start, max(run.end for run in runs))
    if not (text := "".join([letter.text for letter in letters])).isascii():
        several = letters
        letters = [several[at] for at in order([each.text for each in several], leftward=runs_leftward(text))]
    em = median(sorted(run.em for run in runs))
    return Line(letters, runs[0].show.direction, start, end, runs[0].level, em)


def _trimmed(letters: list[Letter], start: float, end: float) -> tuple[list[Letter], float, float]:
    """A line without the spaces at its ends, which go with its first and last letter; how many there are tells how wide
    a line is that is centred or flush right with them. A line of nothing but spaces stays as it is.
    """
    if not (letters[0].text.isspace() or letters[-1].text.isspace()):
        return letters, start, end
    seen = [at for at, letter in enumerate(letters) if not letter.text.isspace()]
    if not seen:
        return letters, start, end
    found = letters[seen[0] : seen[-1] + 1]
    for at, beyond in ((0, letters[: seen[0]]), (-1, letters[seen[-1] + 1 :])):
        spaces = tuple(each.glyph for each in beyond if each.glyph is not None)
        found[at] = Letter(found[at].text, found[at].glyph, (*found[at].others, *spaces))
        glyph = found[at].glyph
        if spaces and glyph is not None:
            ux, uy = glyph.show.direction
            along = glyph.x * ux + glyph.y * uy
            start, end = (along, end) if at == 0 else (start, along + glyph.advance)
    return found, start, end


def _gaps(glyphs: Sequence[Glyph]) -> list[float]:
    """The gaps between letters, in parts of their size, less what is added between all of them.

    Letters that are put at even steps, whatever their width, have gaps where a step is left out.
    """
    steps: list[float] = []
    found: list[float] = []
    for last, glyph in pairwise(glyphs):
        show = last.show
        (ux, uy), em = show.direction, max(show.em, 0.1)
        step = (glyph.x - last.x) * ux + (glyph.y - last.y) * uy
        steps.append(step / em)
        found.append((step - last.advance - max(show.spacing, 0.0)) / em)
    usual = median(steps) if len(steps) > 3 and not any(glyph.text.isspace() for glyph in glyphs) else 0.0
    if usual > 0 and all(abs(step / usual - round(step / usual)) < EVEN for step in steps):
        return [step - usual for step in steps]
    return found


def _gaps_of_spaced(glyphs: Sequence[Glyph]) -> list[float]:
    """The same for letters of which it is known that they are put at even steps."""
    steps = [_step(last, glyph)[0] for last, glyph in pairwise(glyphs)]
    return [step - min(steps) for step in steps]


def _as_written(glyphs: list[Glyph], number: int) -> Line:
    """A line that was set anew: its letters as they are, spaces and all."""
    show = glyphs[0].show
    ux, uy = show.direction
    starts = [glyph.x * ux + glyph.y * uy for glyph in glyphs]
    end = max(start + glyph.advance for start, glyph in zip(starts, glyphs, strict=True))
    base = glyphs[0].y * ux - glyphs[0].x * uy
    return Line(merged(glyphs), show.direction, min(starts), end, base, show.em, number)


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
