"""What a page shows in letters: each with its place on the page and its place in the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from withhold.formats.pdf.decoding import Char, Face
from withhold.formats.pdf.matrices import Matrix

if TYPE_CHECKING:
    import pikepdf

    from withhold.formats.pdf.content import Resources
    from withhold.formats.pdf.tokens import Instruction

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Lower left, lower right, upper right, upper left, as one reads the text in it."""

ASCENT, DESCENT = 0.95, -0.25
"""How far a letter may reach above and below its line, in parts of its size."""


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
    pieces: int
    """How often, before it, something had been cut out."""
    glyphs: list[Glyph] = field(default_factory=list)


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

    @property
    def text(self) -> str:
        return self.char.text

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
