"""What the letters of a line say: which gaps between them are spaces, and which of them stand in one place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite
from statistics import median

from withhold.formats.pdf.glyphs import CLOSE, Glyph, Piece, Show
from withhold.formats.pdf.letters import Letter, has_leftward, merge, merged, order, runs_leftward

SPACE = 0.11
"""A gap that a reader takes for a space."""
EVEN = 0.05
"""Gaps that differ by less are of one width."""
_SMALL = 0.001
"""More than what two ways of adding up the same steps may differ by."""
_OVER = -0.1
"""Where letters come closer, some may stand in one place."""


def spelt(pieces: Sequence[Piece]) -> list[Piece | Letter] | None:
    """The pieces of a line, with a space in every gap that a reader takes for one; None if some of its letters stand in
    one place, or may be read from right to left, so that it takes a look at each of them.
    """
    text = "".join([piece.text for piece in pieces])
    if not text.isascii() and has_leftward(text):
        return None
    seams = list(_seams(pieces))
    is_close = _is_close(pieces, text, len(seams))
    if is_close and not seams:
        return list(pieces)
    if is_close:
        gaps, least = [_gap(pieces, seam) for seam in seams], SPACE
    else:
        seams, gaps = list(_boundaries(pieces)), gaps_between(pieces)
        least = least_space(gaps)
    if min(gaps, default=0.0) < _OVER and _merges(pieces):
        return None
    return _parted(pieces, [seam for seam, gap in zip(seams, gaps, strict=True) if gap > least])


Seam = tuple[int, int]
"""Between which letters: the number of the piece that the second one is in, and its number in what shows it."""


def _seams(pieces: Sequence[Piece]) -> Iterator[Seam]:
    """Where there may be a gap or an overlap."""
    for number, piece in enumerate(pieces):
        if number:
            yield number, piece.first
        for at in piece.show.seams:
            if piece.first < at < piece.end:
                yield number, at


def _boundaries(pieces: Sequence[Piece]) -> Iterator[Seam]:
    """All places between letters."""
    for number, piece in enumerate(pieces):
        for at in range(piece.first + (not number), piece.end):
            yield number, at


def _is_close(pieces: Sequence[Piece], text: str, seams: int) -> bool:
    """Whether it is certain that the letters of a line are not spaced: most follow one another closely, and they are
    not put at even steps.
    """
    total = sum([piece.end - piece.first for piece in pieces]) - 1
    if total <= 3:
        return True
    if not total - seams - sum(map(_wide, pieces)) > total // 2:
        return False
    if " " in text and any(" " in each.show.face.texts(each.show.units[each.first : each.end]) for each in pieces):
        return True
    return _is_uneven(pieces)


def _is_uneven(pieces: Sequence[Piece]) -> bool:
    """Whether it is certain that letters are not put at even steps, as `gaps_between` has these, but for the last
    digits.
    """
    steps: list[float] = []
    before: Piece | None = None
    for piece in pieces:
        show = piece.show
        if piece.end - piece.first > 1 and not show.is_even:
            return False
        if before is not None:
            steps.append(step_between(before.show.glyph(before.end - 1), show.glyph(piece.first))[0])
        (ux, uy), (a, b, _, _), em = show.direction, show.linear, max(show.em, 0.1)
        unit = (a * ux + b * uy) / em
        shifts = show.shifts[piece.first : piece.end]
        steps += [(shift - last) * unit for last, shift in pairwise(shifts)]
        before = piece
    usual = median(steps)
    if not (usual > _SMALL and all(map(isfinite, steps))):
        return False
    return any(abs(step / usual - round(step / usual)) > EVEN + _SMALL for step in steps)


def _merges(pieces: Sequence[Piece]) -> bool:
    """Whether any two letters of a line stand in one place, and are one."""
    before: Glyph | None = None
    for piece in pieces:
        show = piece.show
        if before is not None and merge(before, show.glyph(piece.first)):
            return True
        places = [at for at, _ in show.jumps] if show.is_side_by_side else range(1, show.count)
        if any(piece.first < at < piece.end and merge(show.glyph(at - 1), show.glyph(at)) for at in places):
            return True
        before = show.glyph(piece.end - 1)
    return False


def _wide(piece: Piece) -> int:
    """How many letters of a piece have a wider gap behind them than others."""
    show = piece.show
    if not show.word_spacing:
        return 0
    if min(show.spacing, 0.0) + show.word_spacing < 0.9 * CLOSE * max(show.em, 0.1):
        return 0
    return sum(char.is_space for char in show.face.chars(show.units[piece.first : piece.end]))


def _gap(pieces: Sequence[Piece], seam: Seam) -> float:
    """The gap before one letter, as `gaps_between` has it."""
    number, at = seam
    piece = pieces[number]
    show, last = piece.show, at - 1
    if at == piece.first and number:
        show, last = pieces[number - 1].show, pieces[number - 1].end - 1
    (ux, uy), (x, y), (left, low) = show.direction, piece.show.place(at), show.place(last)
    step = (x - left) * ux + (y - low) * uy
    return (step - show.reach(last) - max(show.spacing, 0.0)) / max(show.em, 0.1)


def gaps_between(pieces: Sequence[Piece]) -> list[float]:
    """The gaps between letters, in parts of their size, less what is added between all of them.

    Letters that are put at even steps, whatever their width, have gaps where a step is left out.
    """
    steps: list[float] = []
    found: list[float] = []
    before: tuple[float, float, float, Show] | None = None
    for piece in pieces:
        show = piece.show
        (ux, uy), em, extra = show.direction, max(show.em, 0.1), max(show.spacing, 0.0)
        if piece.end - piece.first == 1:
            x, y = show.place(piece.first)
            xs, ys, advances = [x], [y], [show.reach(piece.first)]
        else:
            xs, ys = show.places(piece.first, piece.end)
            advances = show.advances(piece.first, piece.end)
        if before is not None:
            x, y, advance, last = before
            (vx, vy), size = last.direction, max(last.em, 0.1)
            step = (xs[0] - x) * vx + (ys[0] - y) * vy
            steps.append(step / size)
            found.append((step - advance - max(last.spacing, 0.0)) / size)
        for (x, right), (y, high), advance in zip(pairwise(xs), pairwise(ys), advances, strict=False):
            step = (right - x) * ux + (high - y) * uy
            steps.append(step / em)
            found.append((step - advance - extra) / em)
        before = xs[-1], ys[-1], advances[-1], show
    usual = median(steps) if len(steps) > 3 and not _has_space(pieces) else 0.0
    if usual > 0 and all(abs(step / usual - round(step / usual)) < EVEN for step in steps):
        return [step - usual for step in steps]
    return found


def _has_space(pieces: Sequence[Piece]) -> bool:
    several = (text for each in pieces for text in each.show.face.texts(each.show.units[each.first : each.end]))
    return any(map(str.isspace, several))


def least_space(gaps: Sequence[float]) -> float:
    """How wide a gap has to be for a space."""
    usual = median(gaps) if len(gaps) > 3 else 0.0
    return SPACE if usual < 0.1 else usual + max(SPACE, 0.4 * usual)


def _parted(pieces: Sequence[Piece], gaps: Sequence[Seam]) -> list[Piece | Letter]:
    """The pieces with spaces in these gaps, unless there is one already."""
    found: list[Piece | Letter] = []
    before: dict[int, list[int]] = defaultdict(list)
    for number, at in gaps:
        if not _is_beside_space(pieces, (number, at)):
            before[number].append(at)
    for number, piece in enumerate(pieces):
        if number not in before:
            found.append(piece)
            continue
        first = piece.first
        for at in before[number]:
            if at > first:
                found.append(Piece(piece.show, first, at))
            found.append(Letter(" "))
            first = at
        found.append(Piece(piece.show, first, piece.end))
    return found


def _is_beside_space(pieces: Sequence[Piece], seam: Seam) -> bool:
    number, at = seam
    piece = pieces[number]
    last = pieces[number - 1] if at == piece.first else None
    text = last.show.part(last.end - 1, last.end) if last else piece.show.part(at - 1, at)
    return text.isspace() or piece.show.part(at, at + 1).isspace()


def trimmed(
    parts: Sequence[Piece | Letter],
) -> tuple[Sequence[Piece], Sequence[Piece | Letter], Sequence[Piece]]:
    """A line without the spaces at its ends, and these; a line of nothing but spaces stays as it is."""
    first, last = parts[0].text, parts[-1].text
    if not (first[:1].isspace() or last[-1:].isspace()) or all(part.text.isspace() for part in parts):
        return (), parts, ()
    kept, before, after = list(parts), list[Piece](), list[Piece]()
    while count := _spaces(piece := _piece(kept[0])):
        before.append(Piece(piece.show, piece.first, piece.first + count))
        kept[:1] = [Piece(piece.show, piece.first + count, piece.end)] if piece.first + count < piece.end else []
    while count := _spaces(piece := _piece(kept[-1]), -1):
        after.insert(0, Piece(piece.show, piece.end - count, piece.end))
        kept[-1:] = [Piece(piece.show, piece.first, piece.end - count)] if piece.end - count > piece.first else []
    return before, kept, after


def _piece(part: Piece | Letter) -> Piece:
    """A part at the end of a line, which is no space that nobody has drawn."""
    assert isinstance(part, Piece)
    return part


def _spaces(piece: Piece, step: int = 1) -> int:
    """How many letters are spaces at the start of a piece, or at its end."""
    count = 0
    for at in range(piece.first, piece.end)[::step]:
        if not piece.show.part(at, at + 1).isspace():
            break
        count += 1
    return count


# Letters that are looked at one by one.


def looked_at(glyphs: Sequence[Glyph], start: float, end: float, *, is_even: bool) -> tuple[list[Letter], float, float]:
    """The letters of a line, and where it starts and ends; `is_even` if it is known that they are put at even steps."""
    gaps = _gaps_of_spaced(glyphs) if is_even else _gaps(glyphs)
    several = None
    if min(gaps, default=0.0) < _OVER:
        several = merged(glyphs)
        gaps = _gaps([letter.glyph for letter in several if letter.glyph])
    least = least_space(gaps)
    letters: list[Letter] = []
    for letter, gap in zip(several or [Letter(glyph.text, glyph) for glyph in glyphs], [0.0, *gaps], strict=True):
        if gap > least and letters and not letters[-1].text.isspace() and not letter.text.isspace():
            letters.append(Letter(" "))
        letters.append(letter)
    letters, start, end = _trimmed(letters, start, end)
    if not (text := "".join([letter.text for letter in letters])).isascii():
        several = letters
        letters = [several[at] for at in order([each.text for each in several], leftward=runs_leftward(text))]
    return letters, start, end


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
            start, end = (glyph.along, end) if at == 0 else (start, glyph.along + glyph.advance)
    return found, start, end


def _gaps(glyphs: Sequence[Glyph]) -> list[float]:
    return gaps_between([Piece(glyph.show, glyph.index, glyph.index + 1) for glyph in glyphs])


def _gaps_of_spaced(glyphs: Sequence[Glyph]) -> list[float]:
    """The same for letters of which it is known that they are put at even steps."""
    steps = [step_between(last, glyph)[0] for last, glyph in pairwise(glyphs)]
    return [step - min(steps) for step in steps]


def step_between(last: Glyph, glyph: Glyph) -> tuple[float, float]:
    """How far one letter stands from another along and across the line, in parts of its size."""
    (ux, uy), em = last.show.direction, max(last.show.em, 0.1)
    x, y = glyph.x - last.x, glyph.y - last.y
    return (x * ux + y * uy) / em, (y * ux - x * uy) / em
