"""Runs the instructions of a page, as far as it takes to know where every letter stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from itertools import accumulate, chain, compress
from math import hypot, isfinite
from operator import attrgetter
from typing import Any

import pikepdf

from withhold.errors import DamagedDocument, HostileDocument
from withhold.formats.pdf.content import LINE, PAINTS, PATH, SHOWS, Cleaner, Resources
from withhold.formats.pdf.decoding import Face, Unit, face_of
from withhold.formats.pdf.glyphs import Content, Figure, Show
from withhold.formats.pdf.matrices import IDENTITY, Matrix, apply, matrix, moved, multiply
from withhold.formats.pdf.opening import stream_bytes
from withhold.formats.pdf.tokens import Instruction, instructions

DEEPEST = 16
MOST_STEPS = 3_000_000
"""A page that takes more instructions to draw, forms in forms included, is not read."""

_BLACK = (Instruction("g", [0.0], b"0 g"),)


@dataclass(slots=True)
class State:
    """The part of the graphics state that letters depend on."""

    ctm: Matrix = IDENTITY
    font: str = ""
    face: Face | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    opacity: float = 1.0
    around: float = 1.0
    """How opaque the groups are that it is drawn in, which have an opacity of their own."""
    paint: tuple[Instruction, ...] = _BLACK
    space: tuple[Instruction, ...] = ()


_ALL = attrgetter(*(each.name for each in fields(State)))
"""Everything in a state, for another one like it."""


@dataclass(repr=False)
class Reader:
    """Reads the pages of one file: fonts and forms are decoded once each."""

    cleaner: Cleaner
    limit: int
    faces: dict[Any, Face | None] = field(default_factory=dict)
    forms: dict[Any, list[Instruction]] = field(default_factory=dict)
    steps: int = 0

    def page(self, page: pikepdf.Object, data: bytes) -> Drawing:
        """What a page draws, and its letters and figures in the order they are drawn."""
        resources = Resources(_inherited(page))
        content = Content(self.cleaner.clean(instructions(data), resources), resources)
        self.steps = 0
        drawing = Drawing(content)
        Run(self, content, drawing).run(State(), ())
        return drawing

    def face(self, font: Any) -> Face | None:
        key = _key(font)
        if key not in self.faces:
            self.faces[key] = face_of(font)
        return self.faces[key]

    def form(self, stream: pikepdf.Stream, outer: Resources) -> Content:
        own = stream.get("/Resources")
        resources = Resources(own) if isinstance(own, pikepdf.Dictionary) else outer
        key = _key(stream)
        if key not in self.forms:
            try:
                data = stream_bytes(stream, self.limit)
            except DamagedDocument:
                data = b""
            self.forms[key] = self.cleaner.clean(instructions(data), resources)
        return Content(self.forms[key], resources, stream)


def _key(thing: Any) -> Any:
    return thing.objgen if thing.objgen != (0, 0) else thing.unparse()


def _inherited(page: pikepdf.Object) -> pikepdf.Object | None:
    """The resources of a page, which may be those of what it is part of."""
    node: Any = page
    seen = 0
    while isinstance(node, pikepdf.Dictionary) and seen < 50:
        if isinstance(node.get("/Resources"), pikepdf.Dictionary):
            return node["/Resources"]
        node, seen = node.get("/Parent"), seen + 1
    return None


@dataclass(repr=False)
class Drawing:
    """A page as it is drawn."""

    content: Content
    shows: list[Show] = field(default_factory=list)
    """What shows letters, in the order it is drawn."""
    figures: list[Figure] = field(default_factory=list)


class Run:
    """One pass over a stream, and over the forms that it draws."""

    def __init__(self, reader: Reader, content: Content, drawing: Drawing, depth: int = 0) -> None:
        self.reader = reader
        self.content = content
        self.drawing = drawing
        self.depth = depth
        self.path: list[Figure] = []
        self.state = State()
        self.stack: list[State] = []
        self.matrix: Matrix = IDENTITY
        self.line_matrix: Matrix = IDENTITY
        self.sections: list[int] = []
        self.cuts = 0

    def run(self, state: State, above: tuple[Any, ...]) -> None:
        self.state = state
        for index, each in enumerate(self.content.instructions):
            operator = each.operator
            if operator in SHOWS:
                self._show(index, each)
            elif operator in _TEXT:
                _TEXT[operator](self, each.operands)
            elif operator in _PAINT:
                self._paint(each)
            elif operator in PATH:
                self._extend(index, each)
            elif operator in PAINTS or operator == "n":
                self.drawing.figures += self.path if operator != "n" else ()
                self.path = []
            elif operator == "Do":
                self._form(index, each, above)
            elif operator == "MP":
                self.cuts += 1
            elif operator == "gs":
                self._opacity(each.operands[0])
        self.reader.steps += len(self.content.instructions)
        if self.reader.steps > MOST_STEPS:
            raise HostileDocument("a page takes more instructions to draw than is safe")

    def _save(self, operands: list[Any]) -> None:
        self.stack.append(State(*_ALL(self.state)))

    def _restore(self, operands: list[Any]) -> None:
        if self.stack:
            self.state = self.stack.pop()

    def _concatenate(self, operands: list[Any]) -> None:
        self.state.ctm = multiply(matrix(operands), self.state.ctm)

    def _begin(self, operands: list[Any]) -> None:
        self.matrix = self.line_matrix = IDENTITY

    def _font(self, operands: list[Any]) -> None:
        self.state.font, self.state.size = operands
        self.state.face = self.reader.face(font) if (font := self._named_font(operands[0])) is not None else None

    def _named_font(self, name: str) -> Any:
        found = self.content.resources.find("/Font", name)
        return found if isinstance(found, pikepdf.Dictionary) else None

    def _move(self, operands: list[Any]) -> None:
        self.matrix = self.line_matrix = moved(operands[0], operands[1], self.line_matrix)

    def _move_and_lead(self, operands: list[Any]) -> None:
        self.state.leading = -operands[1]
        self._move(operands)

    def _place(self, operands: list[Any]) -> None:
        self.matrix = self.line_matrix = matrix(operands)

    def _next_line(self, operands: list[Any]) -> None:
        self._move([0.0, -self.state.leading])

    def _open(self, operands: list[Any]) -> None:
        self.sections.append(int(operands[1]["/N"]) if operands[0] == LINE else -1)

    def _close(self, operands: list[Any]) -> None:
        if self.sections:
            self.sections.pop()

    def _paint(self, each: Instruction) -> None:
        state = self.state
        if each.operator == "cs":
            state.space = (each,)
            state.paint = () if each.operands == ["/Pattern"] else (each,)
        elif each.operator in ("sc", "scn"):
            is_pattern = any(isinstance(operand, str) for operand in each.operands)
            state.paint = _BLACK if is_pattern else (*state.space, each)
        else:
            state.paint, state.space = (each,), ()

    def _opacity(self, name: str) -> None:
        found = self.content.resources.find("/ExtGState", name)
        opacity = found.get("/ca") if isinstance(found, pikepdf.Dictionary) else None
        if isinstance(opacity, (int, float, Decimal)):
            self.state.opacity = min(max(float(opacity), 0.0), 1.0)

    def _extend(self, index: int, each: Instruction) -> None:
        """Go on with the path, or with another stretch of it."""
        numbers = each.operands
        if each.operator == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y, x + width, y + height, x, y + height]
        if each.operator in ("m", "re") or not self.path:
            self.path.append(Figure(self.content, [], []))
        self.path[-1].indices.append(index)
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            self.path[-1].points.append(apply(self.state.ctm, x, y))

    def _form(self, index: int, each: Instruction, above: tuple[Any, ...]) -> None:
        stream = self.content.resources.find("/XObject", each.operands[0])
        if not isinstance(stream, pikepdf.Stream) or stream.get("/Subtype") != "/Form":
            return
        key = _key(stream)
        if key in above or self.depth >= DEEPEST:
            return
        child = self.reader.form(stream, self.content.resources)
        self.content.children[index] = child
        inner = Run(self.reader, child, self.drawing, self.depth + 1)
        inner.sections, inner.cuts = self.sections[-1:], self.cuts
        own = matrix(list(stream.get("/Matrix", IDENTITY)))
        state = replace(self.state, ctm=multiply(own, self.state.ctm))
        if "/Group" in stream:
            state.opacity, state.around = 1.0, state.around * state.opacity
        inner.run(state, (*above, key))
        self.cuts = inner.cuts

    def _show(self, index: int, each: Instruction) -> None:
        state, operator = self.state, each.operator
        if operator == '"':
            state.word_spacing, state.spacing = each.operands[0], each.operands[1]
        if operator in ("'", '"'):
            self._next_line([])
        face = state.face
        if face is None:
            return
        show = self._begun(index, face)
        if show is None:
            return
        self.content.shows[index] = show
        parts = each.operands[0] if operator == "TJ" else each.operands[-1:]
        shift = (_shown_down if face.vertical else _shown)(show, parts, state)
        a, b, c, d, e, f = self.matrix
        x, y = (0.0, shift) if face.vertical else (shift, 0.0)
        self.matrix = (a, b, c, d, e + x * a + y * c, f + x * b + y * d)
        if show.shifts:
            self.drawing.shows.append(show)

    def _begun(self, index: int, face: Face) -> Show | None:
        state = self.state
        a, b, c, d, e, f = multiply(self.matrix, state.ctm)
        along = hypot(c, d) if face.vertical else hypot(a, b)
        area = abs(a * d - b * c)
        if not (isfinite(along) and isfinite(area)) or along < 1e-9:
            return None
        sign = -1.0 if face.vertical else 1.0 if state.size * state.stretch >= 0 else -1.0
        direction = (sign * c / along, sign * d / along) if face.vertical else (sign * a / along, sign * b / along)
        return Show(
            content=self.content,
            index=index,
            face=face,
            font=state.font,
            size=state.size,
            stretch=state.stretch,
            spacing=state.spacing * state.stretch * along * sign,
            linear=(a, b, c, d),
            start=self.matrix,
            direction=direction,
            unit=along,
            em=abs(state.size) * face.height * (area / along or along),
            mode=state.mode,
            opacity=state.opacity * state.around,
            paint=state.paint,
            line=self.sections[-1] if self.sections and self.sections[-1] >= 0 else None,
            cuts=self.cuts,
            word_spacing=state.word_spacing * state.stretch * along * sign,
            origin=(c * state.rise + e, d * state.rise + f),
            scale=abs(state.size if face.vertical else state.size * state.stretch) * along,
        )


def _shown(show: Show, parts: list[Any], state: State) -> float:
    """Adds the letters of a horizontal line; how far the pen is moved, in text space."""
    face, size, stretch = show.face, state.size, state.stretch
    step = face.steps(size, state.spacing, state.word_spacing, stretch)
    if len(parts) == 1 and type(parts[0]) is bytes:
        show.units = face.units(parts[0])
        show.shifts = list(accumulate(map(step, show.units), initial=0.0))
        return show.shifts.pop()
    moves, strings, jumps = list[float](), list[Sequence[Unit]](), list[tuple[int, float]]()
    is_letter, count, jump = bytearray(), 0, 0.0
    for part in parts:
        if type(part) is float:
            moves.append(-(part / 1000 * size * stretch))
            is_letter.append(0)
            jump += part
        elif units := face.units(part):
            if count:
                jumps.append((count, jump))
            jump, count = 0.0, count + len(units)
            moves += map(step, units)
            is_letter += b"\1" * len(units)
            strings.append(units)
    reached = list(accumulate(moves, initial=0.0))
    shift = reached.pop()
    show.shifts = reached if len(reached) == count else list(compress(reached, is_letter))
    show.jumps = jumps
    show.units = strings[0] if len(strings) == 1 else _joined(strings)
    return shift


def _joined(strings: Sequence[Sequence[Unit]]) -> Sequence[Unit]:
    """The codes of several strings as those of one."""
    if all(isinstance(each, bytes) for each in strings):
        return b"".join(strings)  # type: ignore[arg-type]
    return list(chain.from_iterable(strings))


def _shown_down(show: Show, parts: list[Any], state: State) -> float:
    """The same for a line that runs downwards."""
    shift, units = 0.0, list[Unit]()
    for part in parts:
        if type(part) is float:
            shift -= part / 1000 * state.size
            continue
        for unit in show.face.units(part):
            units.append(unit)
            show.shifts.append(shift)
            is_space = show.face.char_of[unit].is_space
            shift += -state.size + state.spacing + (state.word_spacing if is_space else 0.0)
    show.units = units
    return shift


def _setter(name: str, scale: float = 1.0) -> Any:
    def set_value(run: Run, operands: list[Any]) -> None:
        setattr(run.state, name, operands[0] * scale)

    return set_value


def _set_mode(run: Run, operands: list[Any]) -> None:
    run.state.mode = int(operands[0]) if 0 <= operands[0] <= 7 else 0


_TEXT: dict[str, Any] = {
    "q": Run._save,
    "Q": Run._restore,
    "cm": Run._concatenate,
    "BT": Run._begin,
    "Tf": Run._font,
    "Td": Run._move,
    "TD": Run._move_and_lead,
    "Tm": Run._place,
    "T*": Run._next_line,
    "BMC": Run._open,
    "BDC": Run._open,
    "EMC": Run._close,
    "Tc": _setter("spacing"),
    "Tw": _setter("word_spacing"),
    "Tz": _setter("stretch", 0.01),
    "TL": _setter("leading"),
    "Ts": _setter("rise"),
    "Tr": _set_mode,
}
_PAINT = frozenset(("g", "rg", "k", "cs", "sc", "scn"))
