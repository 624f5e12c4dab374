"""What a page shows in letters: each with its place on the page and its place in the file.

A page has thousands of letters, and most need not be looked at one by one: of what an instruction shows, `Show` knows
the text and the places, and before which letters there may be a gap. A `Glyph` is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from withhold.formats.pdf.decoding import Char, Face, Unit
from withhold.formats.pdf.matrices import Matrix

if TYPE_CHECKING:
    import pikepdf

    from withhold.formats.pdf.content import Resources
    from withhold.formats.pdf.tokens import Instruction

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Lower left, lower right, upper right, upper left, as one reads the text in it."""

ASCENT, DESCENT = 0.95, -0.25
"""How far a letter may reach above and below its line, in parts of its size."""

CLOSE, OVER, APART = 0.099, -0.09, 0.6
"""Letters follow one another for every reader where the gap between them, in parts of their size and without what is
added between all letters, is smaller than the first and larger than the second, and with it smaller than the third. A
gap behind a space may be as large as that.
"""
_FAR, _FINE = 1e6, 0.01
"""Places further out are not told exactly enough for that, and letters may be too small for it, in points."""


@dataclass(repr=False, eq=False)
class Content:
    """One stream of instructions as it is drawn once: a page, or a form at one place of one."""

    instructions: list[Instruction]
    resources: Resources
    form: pikepdf.Stream | None = None
    children: dict[int, Content] = field(default_factory=dict)
    """The forms that it draws, by the index of the instruction."""
    shows: dict[int, Show] = field(default_factory=dict)
    """What shows text in it, by the index of the instruction."""


@dataclass(slots=True, repr=False, eq=False)
class Figure:
    """A stretch of a path that is painted: the instructions that make it, and how far it reaches on the page."""

    content: Content
    indices: list[int]
    points: list[tuple[float, float]]


@dataclass(slots=True, repr=False, eq=False)
class Show:
    """One instruction that shows text, with everything that its letters have in common."""

    content: Content
    index: int
    face: Face
    font: str
    size: float
    stretch: float
    """Horizontal scaling: 1 is as the font has it."""
    spacing: float
    """What is added between letters, on the page."""
    linear: tuple[float, float, float, float]
    """From text space to the page, without the place."""
    start: Matrix
    """The text matrix before the first letter, in the space of the stream."""
    direction: tuple[float, float]
    unit: float
    """How long one unit of text space is on the page, along the line."""
    em: float
    """The size of the font on the page."""
    mode: int
    opacity: float
    paint: tuple[Instruction, ...]
    line: int | None
    """The number of the line that it was set anew as."""
    cuts: int
    """How often, before it, something had been cut out."""
    word_spacing: float
    """What is added behind spaces, on the page."""
    origin: tuple[float, float]
    """Where the first letter stands on the page."""
    scale: float
    """How long, on the page, a letter is that is as wide as its size."""
    units: Sequence[Unit] = b""
    """The codes of its letters."""
    shifts: list[float] = field(default_factory=list)
    """How far each letter is from the start, in text space."""
    jumps: Sequence[tuple[int, float]] = ()
    """By how much the pen is moved between letters, before which of them, in thousandths of their size."""
    _text: str | None = None
    _is_even: bool | None = None
    _seams: Sequence[int] | None = None
    _glyphs: list[Glyph | None] | None = None

    @property
    def count(self) -> int:
        """How many letters it shows."""
        return len(self.shifts)

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join(self.face.texts(self.units))
        return self._text

    def part(self, first: int, end: int) -> str:
        """The text of some of its letters."""
        return self.text[first:end] if self.face.is_single else "".join(self.face.texts(self.units[first:end]))

    def forget(self) -> None:
        """Let go of the letters that were asked for."""
        self._glyphs = None

    def glyph(self, at: int) -> Glyph:
        """One letter; the same one whenever it is asked for."""
        if self._glyphs is None:
            self._glyphs = [None] * len(self.shifts)
        found = self._glyphs[at]
        if found is None:
            x, y = self.place(at)
            char = self.face.char_of[self.units[at]]
            found = self._glyphs[at] = Glyph(self, char, x, y, self.reach(at), self.shifts[at], at)
        return found

    @property
    def glyphs(self) -> list[Glyph]:
        return self.between(0, len(self.shifts))

    def between(self, first: int, end: int) -> list[Glyph]:
        """Some of its letters."""
        return [self.glyph(at) for at in range(first, end)]

    def place(self, at: int) -> tuple[float, float]:
        """Where a letter stands on the page."""
        (x, y), shift = self.origin, self.shifts[at]
        along, across = self.linear[2:] if self.face.vertical else self.linear[:2]
        return x + shift * along, y + shift * across

    def places(self, first: int, end: int) -> tuple[list[float], list[float]]:
        """The same for some of its letters."""
        (x, y), shifts = self.origin, self.shifts[first:end]
        along, across = self.linear[2:] if self.face.vertical else self.linear[:2]
        return [x + shift * along for shift in shifts], [y + shift * across for shift in shifts]

    def reach(self, at: int) -> float:
        """How far a letter moves the pen on the page by itself."""
        return self.scale if self.face.vertical else self.face.char_of[self.units[at]].width * self.scale

    def advances(self, first: int, end: int) -> list[float]:
        """The same for some of its letters."""
        scale, chars = self.scale, self.face.chars(self.units[first:end])
        return [scale] * len(chars) if self.face.vertical else [char.width * scale for char in chars]

    @property
    def is_even(self) -> bool:
        """Whether its letters follow one another in the manner of `CLOSE` where nothing is put between them."""
        if self._is_even is None:
            self._is_even = _is_even(self)
        return self._is_even

    @property
    def is_side_by_side(self) -> bool:
        """Whether no letter of it stands over another where nothing is put between them."""
        return self.is_even and self.spacing >= 0 and self.word_spacing >= 0 and self.scale > _FINE

    @property
    def seams(self) -> Sequence[int]:
        """Before which letters, the first one aside, there may be a gap or an overlap that counts. All others follow
        one another, whoever looks at them: see `CLOSE`.
        """
        if self._seams is None:
            self._seams = _seams(self)
        return self._seams


def _seams(show: Show) -> Sequence[int]:
    count = len(show.shifts)
    if count < 2:
        return ()
    if not show.is_even:
        return range(1, count)
    if not show.jumps:
        return ()
    em, scale, spacing = max(show.em, 0.1), show.scale / 1000, show.spacing
    extra, word = max(spacing, 0.0), show.word_spacing
    least, most = spacing + min(word, 0.0), spacing + max(word, 0.0)
    if not scale > 0:
        return [at for at, _ in show.jumps]
    low = (most - min(CLOSE * em + extra, APART * em)) / scale
    high = (least - OVER * em - extra) / scale
    return [at for at, jump in show.jumps if not low < jump < high]


def _is_even(show: Show) -> bool:
    """Whether letters follow one another where nothing is put between them, are known to run along an edge of the page,
    so that all stand at exactly one height, and near enough that their places are exact.
    """
    a, b, _, _ = show.linear
    if show.face.vertical or not show.face.is_plain or (a and b):
        return False
    em, spacing, word = max(show.em, 0.1), show.spacing, show.word_spacing
    if (spacing or word) and not _is_closely_set(show, em):
        return False
    (x, y), far = show.origin, _FAR / show.unit
    reached = max(map(abs, show.shifts)) if show.jumps else abs(show.shifts[-1])
    return em < _FAR and abs(x) < _FAR and abs(y) < _FAR and reached < far


def _is_closely_set(show: Show, em: float) -> bool:
    """Whether what is added between letters, and behind spaces, leaves them following one another."""
    spacing, word = show.spacing, show.word_spacing
    below = min(spacing, 0.0)
    if not (min(below, below + word) > OVER * em and max(spacing, spacing + word) < APART * em):
        return False
    return not (below + word > CLOSE * em and show.face.has_odd_space)


@dataclass(slots=True, repr=False, eq=False)
class Piece:
    """Letters of one instruction that follow one another in it."""

    show: Show
    first: int
    end: int
    """Which of its letters is the first, and which the first that is none of them."""

    @property
    def text(self) -> str:
        return self.show.part(self.first, self.end)

    @property
    def codes(self) -> bytes:
        """How they are written."""
        codes = self.show.units[self.first : self.end]
        return codes if isinstance(codes, bytes) else b"".join(map(_as_bytes, codes))

    @property
    def glyphs(self) -> list[Glyph]:
        return self.show.between(self.first, self.end)


def _as_bytes(unit: Unit) -> bytes:
    return unit if isinstance(unit, bytes) else bytes((unit,))


@dataclass(slots=True, repr=False, eq=False)
class Glyph:
    """One letter, ligature or sign."""

    show: Show
    char: Char
    x: float
    y: float
    advance: float
    """How far it moves the pen on the page by itself, along the line."""
    offset: float
    """Where it stands from the start of its instruction, in text space."""
    index: int
    """The how many-th letter of its instruction it is, from 0."""

    @property
    def text(self) -> str:
        return self.char.text

    @property
    def along(self) -> float:
        """How far it stands along its line, and across."""
        ux, uy = self.show.direction
        return self.x * ux + self.y * uy

    @property
    def across(self) -> float:
        ux, uy = self.show.direction
        return self.y * ux - self.x * uy

    @property
    def quad(self) -> Quad:
        (ux, uy), em = self.show.direction, self.show.em
        px, py = upwards(self.show)
        low, high, wide = DESCENT * em, ASCENT * em, self.advance
        x, y = self.x, self.y
        return (
            (x + px * low, y + py * low),
            (x + ux * wide + px * low, y + uy * wide + py * low),
            (x + ux * wide + px * high, y + uy * wide + py * high),
            (x + px * high, y + py * high),
        )


def upwards(show: Show) -> tuple[float, float]:
    """Which way is up for the letters: a page may be mirrored."""
    ux, uy = show.direction
    a, b, c, d = show.linear
    return (-uy, ux) if (a * d - b * c >= 0) != show.face.is_flipped else (uy, -ux)
