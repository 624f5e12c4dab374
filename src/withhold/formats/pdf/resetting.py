"""Setting a line anew, so that nothing on the page depends on what was removed from it.

Letters follow one another as the font has them: no justification, no kerning, no tracking, since all of these were
chosen to fit what stood there. The line starts where lines that were not touched start, and is squeezed, if it must be,
to a width that comes from those, too. What stands in place of removed text is set in a font of every viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from math import floor

from withhold.errors import UnwritableText
from withhold.formats.pdf.decoding.widths import standard
from withhold.formats.pdf.glyphs import Figure, Glyph, Piece, Show
from withhold.formats.pdf.letters import Letter, order, runs_leftward
from withhold.formats.pdf.lines import INITIAL, PARAGRAPH, Line
from withhold.types import Replacement

SAFE_FONT = "Helvetica"
NEAR = 0.7
"""Places on a page that are no further apart, in points, count as the same."""
EXACT = 0.2
"""The same for places that are meant to be one, and not near each other by chance."""
MARGIN = 72.0
"""Where nothing else tells where a line should start, it starts so far from the edge of the page."""
LEGIBLE, NARROWEST = 0.9, 0.35
"""A line is squeezed so far before it may be longer than others, and so far at most."""
TEXT_COLUMN = 12.0
"""A column that is wider, in parts of the size of its letters, is one of text, and its lines end where others do."""
_SAFE_WIDTHS = standard(SAFE_FONT)


@dataclass(slots=True, repr=False)
class Item:
    """What is set: letters that were there, or text in the safe font, in the manner of a letter beside it."""

    text: str
    like: Glyph
    piece: Piece | None = None
    is_shown: bool = False
    """Whether it is seen, whatever the letters beside it are."""
    accents: tuple[Glyph, ...] = ()
    """What is drawn over it."""

    @property
    def mode(self) -> int:
        """How it is painted: 3 is not at all."""
        return 3 if self.like.show.mode == 3 and not self.is_shown else 0

    @property
    def last(self) -> Glyph:
        """What its last letter is like."""
        piece = self.piece
        return self.like if piece is None or piece.end - piece.first == 1 else piece.show.glyph(piece.end - 1)

    def widths(self) -> list[float]:
        """How wide its letters are; text in the safe font counts as one."""
        if self.piece is not None:
            return self.piece.show.advances(self.piece.first, self.piece.end)
        return [sum(_SAFE_WIDTHS[letter] for letter in self.text) / 1000 * self.like.show.em]


@dataclass(slots=True, repr=False)
class Stretch:
    """Items that one instruction can show."""

    items: list[Item]
    x: float
    y: float
    squeeze: float

    @property
    def show(self) -> Show:
        return self.items[0].like.show

    @property
    def is_safe(self) -> bool:
        return self.items[0].piece is None

    @property
    def codes(self) -> bytes:
        if self.is_safe:
            return "".join(item.text for item in self.items).encode("cp1252")
        return b"".join(item.piece.codes for item in self.items if item.piece is not None)


@dataclass(slots=True, repr=False)
class Setting:
    """A line as it is set anew, and its number in reading order."""

    number: int
    origin: int
    """The number that it had."""
    stretches: list[Stretch]
    line: Line
    """The line with the text and at the place that it has then."""
    grey: float | None = None
    """How bright it is painted; as it was, if that is not said."""


def items(line: Line, replacements: Sequence[Replacement], *, is_shown: bool = False) -> list[Item]:
    """What a line becomes: letters that stay, and text in place of those that go. If it has to be shown, since the
    picture that showed its words is gone, all of it is in the safe font.
    """
    is_bent = _is_bent(line)
    is_shown = is_shown or (is_bent and len({id(like.show.face) for like in _neighbours(line.letters)}) > 1)
    parts = line.letters if is_bent or is_shown else list(_cut(line.parts, replacements))
    near = _neighbours(parts)
    manners = [near[0]] * len(near) if is_bent else near
    found: list[Item] = []
    at, waiting = 0, list(replacements)
    for place, (part, like) in enumerate(zip(parts, manners, strict=True)):
        text = part.text
        end = at + len(text)
        while waiting and waiting[0].span.end <= at:
            waiting.pop(0)
        if not waiting or waiting[0].span.start >= end:
            found.append(Item(text, like, None, True) if is_shown else _kept(part, text, like))
        else:
            like = next((each for each in manners[place:] if each.show.em < INITIAL * line.em), like)
            found += [Item(left, like, is_shown=is_shown) for left in _left(text, at, waiting) if left]
        at = end
    for item in found:
        _refuse_unwritable(item)
    return found


def _cut(parts: Sequence[Piece | Letter], replacements: Sequence[Replacement]) -> Iterator[Piece | Letter]:
    """The parts of a line, cut where something is replaced: in a piece of which a letter is several, every letter is
    a part of its own.
    """
    at, waiting = 0, list(replacements)
    for part in parts:
        count = len(part.text)
        touching = [each.span for each in waiting if each.span.start < at + count and each.span.end > at]
        if touching and isinstance(part, Piece):
            ends = {end - at for span in touching for end in (span.start, span.end)}
            if not part.show.face.is_single:
                ends = set(range(count))
            edges = [0, *sorted(end for end in ends if 0 < end < part.end - part.first), part.end - part.first]
            yield from (Piece(part.show, part.first + start, part.first + end) for start, end in pairwise(edges))
        else:
            yield part
        at += count


def _kept(part: Piece | Letter, text: str, like: Glyph) -> Item:
    """What stays of a line as it is."""
    if isinstance(part, Piece):
        return Item(text, like, part)
    glyph = part.glyph
    return Item(text, like, Piece(glyph.show, glyph.index, glyph.index + 1) if glyph else None, False, part.accents)


def _left(text: str, at: int, waiting: Sequence[Replacement]) -> Iterator[str]:
    """What a letter that is touched leaves: pieces of a ligature, and the text in its place where that begins."""
    done, end = at, at + len(text)
    for each in waiting:
        if each.span.start >= end:
            break
        yield text[done - at : max(each.span.start, done) - at]
        if each.span.start >= at:
            yield each.text
        done = min(each.span.end, end)
    yield text[done - at :]


def _is_bent(line: Line) -> bool:
    """Whether its letters stand on a curve; then all of them are set in the direction of the first."""
    return not all(_is_parallel(show, line) for show in line.shows)


def _neighbours(parts: Sequence[Piece | Letter]) -> list[Glyph]:
    """For each part its first glyph, or the last one of the part before it."""
    found: list[Glyph] = []
    last = next(glyph for part in parts if (glyph := _first(part)) is not None)
    for part in parts:
        found.append(_first(part) or last)
        last = part.show.glyph(part.end - 1) if isinstance(part, Piece) else found[-1]
    return found


def _first(part: Piece | Letter) -> Glyph | None:
    return part.show.glyph(part.first) if isinstance(part, Piece) else part.glyph


def _refuse_unwritable(item: Item) -> None:
    if item.piece is None and not all(letter in _SAFE_WIDTHS and _is_encodable(letter) for letter in item.text):
        raise UnwritableText("a replacement has a character that the standard fonts cannot show; choose another mark")


def _is_encodable(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@dataclass(slots=True)
class Bounds:
    """Where a line may stand: its left end, its middle or its right end is given, and how wide it may be."""

    anchor: float
    align: float
    """0 if the anchor is the left end, 0.5 the middle, 1 the right end."""
    width: float
    most: float = 0.0
    """How wide it may be if it would be hard to read in that width: beyond the lines above and below it, but neither
    off the page nor into another column.
    """

    def start(self, width: float) -> float:
        return self.anchor - self.align * width


def bounds(
    line: Line,
    others: Sequence[Line],
    touched: Sequence[Line],
    bars: Sequence[tuple[float, float]],
    extent: tuple[float, float],
) -> Bounds:
    """Where a line may stand, by lines that were not touched, bars, and the page from `extent[0]` to `extent[1]`.

    A paragraph that is centred or flush right stays so, whichever line of it this one happens to start under: that
    would tell how long it was. Lines that are read from right to left are seen in a mirror.
    """
    if not runs_leftward(line.text):
        return _bounds(line, others, touched, bars, extent)
    seen = {id(each): replace(each, start=-each.end, end=-each.start) for each in (line, *others, *touched)}
    found = _bounds(
        seen[id(line)],
        [seen[id(each)] for each in others],
        [seen[id(each)] for each in touched],
        [(-end, -start) for start, end in bars],
        (-extent[1], -extent[0]),
    )
    return replace(found, anchor=-found.anchor, align=1 - found.align)


def _bounds(
    line: Line,
    others: Sequence[Line],
    touched: Sequence[Line],
    bars: Sequence[tuple[float, float]],
    extent: tuple[float, float],
) -> Bounds:
    """The same for a line that is read from left to right."""
    parallel = [other for other in others if _is_parallel(other, line)]
    left_limit, right_limit = _between(line, parallel, bars, extent)
    inside = [other for other in parallel if other.start > left_limit - NEAR and other.end < right_limit + NEAR]
    if shared := _shared(line, _paragraph(line, inside, touched)):
        align, anchor = shared
        room = anchor - left_limit
        return Bounds(anchor, align, room if align == 1.0 else 2 * min(room, right_limit - anchor))
    lefts = [other for other in inside if abs(other.start - line.start) < NEAR]
    if lefts:
        start = lefts[0].start
        end = max(other.end for other in lefts)
        most = _free(end, line, parallel, _mirrored(start, extent))
        reach = end if end - line.start > TEXT_COLUMN * line.em else most
        return Bounds(start, 0.0, min(reach, right_limit) - start, min(most, right_limit) - start)
    right = _established(line.end, [other.end for other in inside], least=3)
    if right is not None:
        return Bounds(right, 1.0, right - left_limit)
    middle, page = (line.start + line.end) / 2, sum(extent) / 2
    apart = [other for other in inside if not _has_company(other, inside)]
    centres = [(other.start + other.end) / 2 for other in apart]
    centre = page if abs(page - middle) < NEAR else _established(middle, centres, least=2)
    if centre is not None and line.start - left_limit > line.em:
        return Bounds(centre, 0.5, 2 * min(centre - left_limit, right_limit - centre))
    start = _margin(line, inside, left_limit, extent)
    return Bounds(start, 0.0, min(_mirrored(start, extent), right_limit) - start)


def _paragraph(line: Line, others: Sequence[Line], touched: Sequence[Line]) -> list[Line]:
    """The other lines that stand close above and below a line, or above and below those; without touched ones."""
    gone = set(map(id, touched))
    near = [other for other in (*others, *touched) if other is not line and _is_stacked(other, line)]
    found: list[Line] = []
    for sign in (1, -1):
        reached = line.base
        for other in sorted(near, key=lambda other: sign * (other.base - line.base)):
            step = sign * (other.base - reached)
            if step > PARAGRAPH * line.em:
                break
            if step > 0:
                found.append(other)
                reached = other.base
    return [other for other in found if id(other) not in gone]


def _is_stacked(other: Line, line: Line) -> bool:
    overlaps = other.start < line.end and line.start < other.end
    return overlaps and _is_parallel(other, line) and abs(other.em - line.em) < 0.1 * line.em


def _shared(line: Line, paragraph: Sequence[Line]) -> tuple[float, float] | None:
    """Where the right ends (1) or the middles (0.5) of a paragraph are, if more of its lines share these than a start,
    and this line does, too.
    """
    by_start = len(_gathered([other.start for other in paragraph]))
    for align in (1.0, 0.5):
        together = _gathered([_point(other, align) for other in paragraph])
        if len(together) > max(by_start, 1) and abs(together[0] - _point(line, align)) < NEAR:
            return align, together[0]
    return None


def _point(line: Line, align: float) -> float:
    return line.start + align * (line.end - line.start)


def _gathered(places: Sequence[float]) -> list[float]:
    """The most places that are one, in order."""
    ordered = sorted(places)
    best, end = (0, 0), 0
    for start, first in enumerate(ordered):
        while end < len(ordered) and ordered[end] - first < EXACT:
            end += 1
        best = max(best, (start, end), key=lambda group: group[1] - group[0])
    return ordered[slice(*best)]


def _established(place: float, others: Sequence[float], least: int) -> float | None:
    """Where several others stand that stand where this does: fewer could do so by chance."""
    near = sorted(other for other in others if abs(other - place) < NEAR)
    return near[0] if len(near) >= least else None


def _has_company(line: Line, others: Sequence[Line]) -> bool:
    """Whether another line starts where this one does."""
    return any(other is not line and abs(other.start - line.start) < NEAR for other in others)


def _margin(line: Line, inside: Sequence[Line], left_limit: float, extent: tuple[float, float]) -> float:
    """Where a line starts that is on no margin: beside what stands left of it, or else where others start, unless all
    of them stand in the right half of the page.
    """
    if left_limit > extent[0]:
        return left_limit
    starts = [other.start for other in inside if other.start > extent[0] and abs(other.base - line.base) > line.em]
    if starts and min(starts) < sum(extent) / 2:
        return min(starts)
    return extent[0] + min(MARGIN, (extent[1] - extent[0]) / 8)


def _free(end: float, line: Line, others: Sequence[Line], margin: float) -> float:
    """How far lines can reach that end at `end` now: up to what starts right of them close by, or to the margin."""
    near = [other for other in others if abs(other.base - line.base) < 2 * PARAGRAPH * line.em]
    following = [other.start - 0.5 * line.em for other in near if other.start > end]
    return max(end, min([*following, margin]))


def _mirrored(start: float, extent: tuple[float, float]) -> float:
    """A right margin as wide as the left one."""
    return max(extent[1] - max(start - extent[0], 0.0), start + (extent[1] - start) / 2)


def _is_parallel(other: Line | Show, line: Line) -> bool:
    return abs(other.direction[0] - line.direction[0]) + abs(other.direction[1] - line.direction[1]) < 0.02


def _between(
    line: Line, others: Sequence[Line], bars: Sequence[tuple[float, float]], extent: tuple[float, float]
) -> tuple[float, float]:
    """The room between what stands left and right of a line, at the same height."""
    beside = [(other.start, other.end) for other in others if abs(other.base - line.base) < 0.8 * line.em]
    left = [end + 0.3 * line.em for _, end in beside if end <= line.start + NEAR]
    right = [start - 0.3 * line.em for start, _ in beside if start >= line.end - NEAR]
    left += [end + 0.3 * line.em for start, end in bars if start < line.start]
    right += [start - 0.3 * line.em for start, end in bars if end > line.end]
    return max([*left, extent[0]]), min([*right, extent[1]])


def bars(figures: Sequence[Figure], line: Line) -> list[tuple[float, float]]:
    """From where to where boxes reach that stand beside a line, and are about as high as it: what another tool put over
    words. What is set anew must not slide under them.
    """
    (ux, uy), em = line.direction, line.em
    found: list[tuple[float, float]] = []
    for figure in figures:
        across = [y * ux - x * uy - line.base for x, y in figure.points]
        if across and -0.7 * em < min(across) < 0.2 * em and 0.4 * em < max(across) < 1.7 * em:
            along = [x * ux + y * uy for x, y in figure.points]
            start, end = min(along), max(along)
            is_beside = end < line.start + 0.3 * em or start > line.end - 0.3 * em
            if is_beside and end - start > 0.5 * em:
                found.append((start, end))
    return found


def setting(
    numbers: tuple[int, int], line: Line, several: Sequence[Item], room: Bounds, extent: tuple[float, float]
) -> Setting:
    """The line with these items, set into its room; if that is too narrow, as far to the left as the page needs."""
    widths = [item.widths() for item in several]
    natural = sum(chain.from_iterable(widths))
    squeeze = 1.0
    width = room.width if LEGIBLE * natural <= room.width else max(room.width, room.most)
    if natural > width > 0:
        page = extent[1] - extent[0]
        squeeze = max(min(NARROWEST, page / natural), floor(100 * width / natural) / 100)
    if any(item.like.show.face.vertical for item in several):
        squeeze = 1.0
    start = max(extent[0], min(room.start(natural * squeeze), extent[1] - natural * squeeze))
    places, end = _places(line, several, widths, start, squeeze)
    (ux, uy), stretches = line.direction, list[Stretch]()
    for together, along in _stretched(several, places, squeeze):
        across = together[0].like.across
        stretches.append(Stretch(together, along * ux - across * uy, along * uy + across * ux, squeeze))
    letters = [Letter(item.text) for item in several]
    number, origin = numbers
    return Setting(number, origin, stretches, Line(letters, line.direction, start, end, line.base, line.em, number))


def _places(
    line: Line, several: Sequence[Item], widths: Sequence[Sequence[float]], start: float, squeeze: float
) -> tuple[list[tuple[float, float]], float]:
    """Where each item starts and ends, and where the last one ends: side by side, in the order one sees them."""
    found = [(start, start)] * len(several)
    for at in order([item.text for item in several], leftward=runs_leftward(line.text)):
        first = start
        for width in widths[at]:
            start += width * squeeze
        found[at] = first, start
    return found, start


def _stretched(
    several: Sequence[Item], places: Sequence[tuple[float, float]], squeeze: float
) -> Iterator[tuple[list[Item], float]]:
    """The items that one instruction can show, in reading order, and where it starts; accents after their letters."""
    together: list[Item] = []
    first = reached = 0.0
    for item, (start, end) in zip(several, places, strict=True):
        if together and not (_are_alike(together[-1], item) and abs(start - reached) < 1e-6):
            yield together, first
            together = []
        if not together:
            first = start
        together.append(item)
        reached = end
        for accent in item.accents:
            if together:
                yield together, first
                together = []
            piece = Piece(accent.show, accent.index, accent.index + 1)
            yield [Item(accent.text, accent, piece)], start + (accent.along - item.like.along) * squeeze
    if together:
        yield together, first


def _are_alike(first: Item, second: Item) -> bool:
    """Whether one instruction can show both, one after the other."""
    is_same = first.like.show is second.like.show and first.is_shown == second.is_shown
    if is_same:
        return (first.piece is None) == (second.piece is None)
    return _manner(first, first.last) == _manner(second, second.like)


def _manner(item: Item, like: Glyph) -> tuple[object, ...]:
    """What has to be the same for letters to be shown by one instruction."""
    show = like.show
    paint = tuple(each.raw for each in show.paint)
    look = (show.size, show.stretch, show.linear, item.mode, show.opacity, paint, round(like.across, 2))
    return (item.piece is None, id(show.face), id(show.content.resources), *look)


def decorations(figures: Sequence[Figure], touched: Sequence[Line]) -> list[Figure]:
    """Lines under, through and boxes behind the words of touched lines: they are as wide as the words were."""
    return [figure for figure in figures if figure.points and any(_decorates(figure, line) for line in touched)]


def _decorates(figure: Figure, line: Line) -> bool:
    """Whether a figure stays within a line: what reaches further is a part of a table or of the page."""
    (ux, uy), em = line.direction, line.em
    along = [x * ux + y * uy for x, y in figure.points]
    across = [y * ux - x * uy for x, y in figure.points]
    within = line.start - em < min(along) and max(along) < line.end + em
    return within and line.base - 1.0 * em < min(across) and max(across) < line.base + 1.8 * em
