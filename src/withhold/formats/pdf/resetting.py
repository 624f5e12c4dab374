"""Setting a line anew, so that nothing on the page depends on what was removed from it.

Letters follow one another as the font has them: no justification, no kerning, no tracking, since all of these were
chosen to fit what stood there. The line starts where lines that were not touched start, and is squeezed, if it must be,
to a width that comes from those, too. What stands in place of removed text is set in a font of every viewer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise, takewhile
from math import floor

from withhold.errors import UnwritableText
from withhold.formats.pdf.bounding import Bounds, is_parallel
from withhold.formats.pdf.decoding.widths import standard
from withhold.formats.pdf.glyphs import Glyph, Piece, Show
from withhold.formats.pdf.letters import Letter, order, runs_leftward
from withhold.formats.pdf.lines import INITIAL, Line
from withhold.spans import Span
from withhold.types import Replacement

SAFE_FONT = "Helvetica"
LEGIBLE, NARROWEST = 0.9, 0.35
"""A line is squeezed so far before it may be longer than others, and so far at most."""
_SAFE_WIDTHS = standard(SAFE_FONT)
_SAFE = frozenset(letter for letter in _SAFE_WIDTHS if letter.encode("cp1252", "ignore"))
"""The letters that can be written in the safe font."""


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
    at, waiting = 0, deque(each.span for each in replacements)
    for part in parts:
        count = len(part.text)
        while waiting and waiting[0].end <= at:
            waiting.popleft()
        touching = list(takewhile(partial(_starts_before, at + count), waiting))
        if touching and isinstance(part, Piece):
            ends = {end - at for span in touching for end in (span.start, span.end)}
            if not part.show.face.is_single:
                ends = set(range(count))
            edges = [0, *sorted(end for end in ends if 0 < end < part.end - part.first), part.end - part.first]
            yield from (Piece(part.show, part.first + start, part.first + end) for start, end in pairwise(edges))
        else:
            yield part
        at += count


def _starts_before(end: int, span: Span) -> bool:
    return span.start < end


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
    return not all(is_parallel(show, line) for show in line.shows)


def _neighbours(parts: Sequence[Piece | Letter]) -> list[Glyph]:
    """For each part its first glyph, or the last one of the part before it."""
    found: list[Glyph] = []
    last: Piece | Letter = next(part for part in parts if _first(part) is not None)
    for part in parts:
        glyph = _first(part)
        if glyph is None:
            glyph = last.show.glyph(last.end - 1) if found and isinstance(last, Piece) else _first(last)
        else:
            last = part
        assert glyph is not None
        found.append(glyph)
    return found


def _first(part: Piece | Letter) -> Glyph | None:
    return part.show.glyph(part.first) if isinstance(part, Piece) else part.glyph


def _refuse_unwritable(item: Item) -> None:
    if item.piece is None and not _SAFE.issuperset(item.text):
        raise UnwritableText("a replacement has a character that the standard fonts cannot show; choose another mark")


def setting(
    numbers: tuple[int, int],
    line: Line,
    several: Sequence[Item],
    room: Bounds,
    extent: tuple[float, float],
    grey: float | None = None,
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
    return Setting(
        number, origin, stretches, Line(letters, line.direction, start, end, line.base, line.em, number), grey
    )


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
