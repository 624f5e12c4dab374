"""The new file: pages of what was kept, lines that were set anew, and nothing else."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from withhold.formats.pdf.bounding import Surroundings
from withhold.formats.pdf.content import LINE
from withhold.formats.pdf.copying import Copier
from withhold.formats.pdf.glyphs import Content, Show, upwards
from withhold.formats.pdf.lines import Line
from withhold.formats.pdf.pages import File, Page
from withhold.formats.pdf.resetting import SAFE_FONT, Setting, Stretch, items, setting
from withhold.formats.pdf.scanning import write_scan
from withhold.formats.pdf.splicing import Gone, draws, spliced, tidied, touches
from withhold.formats.pdf.tokens import Instruction, placed
from withhold.types import Replacement

Local = Mapping[int, Sequence[Replacement]]
"""What is replaced in the lines of one page, by their number in reading order."""

_SAFE = "/WithholdSafe"
_UPRIGHT = 0.01
"""Lines that are turned by less run along the edges of the page."""


def extent(page: Page, line: Line) -> tuple[float, float]:
    """From where to where the page reaches, along a line of it."""
    return _extent(box(page.object), line)


def _extent(sheet: tuple[float, float, float, float], line: Line) -> tuple[float, float]:
    left, low, right, high = sheet
    (ux, uy), base = line.direction, line.base
    ends = [((edge + base * uy) / ux) for edge in (left, right)] if abs(ux) > _UPRIGHT else []
    rises = [((edge - base * ux) / uy) for edge in (low, high)] if abs(uy) > _UPRIGHT else []
    found = [(min(several), max(several)) for several in (ends, rises) if several]
    start, end = max(each[0] for each in found), min(each[1] for each in found)
    return (start, end) if start < end else found[0]


def box(page: pikepdf.Object) -> tuple[float, float, float, float]:
    """What is shown of a page; a sheet of Letter size, as for viewers, if it does not say so."""
    sheets = [found for key in ("/CropBox", "/MediaBox") if (found := _rectangle(inherited(page, key)))]
    return sheets[0] if sheets else (0.0, 0.0, 612.0, 792.0)


def _rectangle(value: Any) -> tuple[float, float, float, float] | None:
    try:
        a, b, c, d = (float(each) for each in value)
    except (TypeError, ValueError):
        return None
    return (min(a, c), min(b, d), max(a, c), max(b, d)) if a != c and b != d else None


def inherited(page: pikepdf.Object, key: str) -> Any:
    """What a page says, or what it is part of says for it."""
    node: Any = page
    for _ in range(50):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def settings(
    page: Page, local: Local, shown: Collection[int] = (), greys: Mapping[int, float] | None = None
) -> list[Setting]:
    """The touched lines of a page, as they are set anew; some have to be `shown` now, and some in grey."""
    others = [line for number, line in enumerate(page.lines) if number not in local]
    touched = [page.lines[number] for number in local]
    surroundings, sheet = Surroundings(others, touched), box(page.object)
    found: list[Setting] = []
    empty = 0
    for number, replacements in sorted(local.items()):
        line = page.lines[number]
        several = items(line, replacements, is_shown=number in shown)
        if several:
            reach = _extent(sheet, line)
            room = surroundings.bounds(line, page.figures.bars(line), reach)
            grey = (greys or {}).get(number)
            found.append(setting((number - empty, number), line, several, room, reach, grey))
        else:
            empty += 1
    return found


def unseen_lines(page: Page) -> set[int]:
    """The lines of a layer of text over a scan, by number: once the picture is blank, nothing shows them."""
    return {
        number
        for number, line in enumerate(page.lines)
        if all(piece.show.mode in (3, 7) for piece in line.pieces if not piece.text.isspace())
    }


def remaining(page: Page, settings: Sequence[Setting], local: Local) -> list[Line]:
    """The lines of a page as they are then, in reading order."""
    found = [line for number, line in enumerate(page.lines) if number not in local]
    for each in settings:
        found.insert(each.number, each.line)
    return found


def _origins(page: Page, settings: Sequence[Setting], local: Local) -> list[int]:
    """The numbers that the remaining lines had."""
    found = [number for number in range(len(page.lines)) if number not in local]
    for each in settings:
        found.insert(each.number, each.origin)
    return found


@dataclass(repr=False)
class PageWriter:
    """Writes one page into the new file."""

    copier: Copier
    page: Page
    local: Local
    settings: list[Setting]
    given: dict[tuple[str, str], Any] = field(default_factory=dict)
    gone: Gone = field(default_factory=lambda: Gone({}))

    def write(self) -> Dictionary:
        touched = [self.page.lines[number] for number in self.local]
        letters: dict[Show, set[int]] = defaultdict(set)
        for piece in (piece for line in touched for piece in line.pieces):
            letters[piece.show].update(range(piece.first, piece.end))
        for glyph in self.page.hidden:
            letters[glyph.show].add(glyph.index)
        self.gone = Gone(letters, self.page.figures.decorations(touched))
        several = self._instructions(self.page.content, self.given)
        if self.local:
            several = [*_balanced(several), *self._lines()]
        made = Dictionary(Type=Name.Page, MediaBox=Array(list(box(self.page.object))))
        rotate = inherited(self.page.object, "/Rotate")
        if isinstance(rotate, int) and rotate % 360:
            made["/Rotate"] = rotate % 360
        unit = self.page.object.get("/UserUnit")
        if unit is not None and float(unit) != 1.0:
            made["/UserUnit"] = unit
        if isinstance(self.page.object.get("/Group"), Dictionary):
            made["/Group"] = self.copier.group(self.page.object["/Group"])
        several, made["/Resources"] = self.copier.called(several, self.page.content.resources, self.given)
        made["/Contents"] = self.copier.stream(several)
        return made

    def _instructions(self, content: Content, given: dict[tuple[str, str], Any]) -> list[Instruction]:
        """What a stream draws, with the forms in it made; those that lose letters are copies of their own."""
        kept = (
            spliced(content, self.gone)
            if self.gone and touches(content, self.gone)
            else enumerate(content.instructions)
        )
        several: list[tuple[int, Instruction]] = []
        is_less = False
        for index, each in kept:
            child = content.children.get(index) if each.operator == "Do" else None
            drawn = each if child is None else self._drawn(each, index, child, given)
            is_less = is_less or drawn is None
            if drawn is not None:
                several.append((index, drawn))
        return [each for _, each in (tidied(several) if is_less else several)]

    def _drawn(
        self, each: Instruction, index: int, child: Content, given: dict[tuple[str, str], Any]
    ) -> Instruction | None:
        """What draws a form; nothing does if nothing is left of it, since its frame tells how large it was."""
        assert child.form is not None
        is_changed = bool(self.gone) and touches(child, self.gone)
        key = None if is_changed else ("form", child.form.objgen)
        made = self.copier.made.get(key) if key and child.form.objgen != (0, 0) else None
        if made is None:
            own: dict[tuple[str, str], Any] = {}
            kept = self._instructions(child, own)
            if is_changed and not draws(kept):
                return None
            made = self.copier.target.make_indirect(self.copier.form(child.form, child.resources, 0, kept, own))
            if key and child.form.objgen != (0, 0):
                self.copier.made[key] = made
        name = f"{each.operands[0]}.{index}" if is_changed else each.operands[0]
        given["/XObject", name] = made
        return Instruction.of("Do", name) if is_changed else each

    def _lines(self) -> Iterator[Instruction]:
        yield Instruction.common("q")
        opacity = 1.0
        for each in self.settings:
            yield Instruction.of("BDC", LINE, {"/N": float(each.number)})
            yield Instruction.common("BT")
            for stretch in each.stretches:
                wanted = stretch.show.opacity if each.grey is None else 1.0
                if wanted != opacity:
                    opacity = wanted
                    yield Instruction.of("gs", self._opacity(opacity))
                yield from self._stretch(stretch, each.grey)
            yield Instruction.common("ET")
            yield Instruction.common("EMC")
        yield Instruction.common("Q")

    def _stretch(self, stretch: Stretch, grey: float | None) -> Iterator[Instruction]:
        show = stretch.show
        for each in show.paint if grey is None else (Instruction.common("g", grey),):
            yield self._paint(each, show)
        yield Instruction.common("Tr", float(stretch.items[0].mode))
        if stretch.is_safe:
            yield Instruction.common("Tf", self._safe_font(), show.em)
            yield Instruction.common("Tz", 100 * stretch.squeeze)
            yield placed((*show.direction, *upwards(show)), stretch.x, stretch.y)
        else:
            yield Instruction.common("Tf", self._font(show), show.size)
            yield Instruction.common("Tz", 100 * stretch.squeeze * show.stretch)
            yield placed(show.linear, stretch.x, stretch.y)
        yield Instruction.of("Tj", stretch.codes)

    def _opacity(self, opacity: float) -> str:
        name = f"/WithholdOpacity{opacity:.4f}"
        if ("/ExtGState", name) not in self.given:
            self.given["/ExtGState", name] = Dictionary(ca=round(opacity, 4))
        return name

    def _safe_font(self) -> str:
        if ("/Font", _SAFE) not in self.given:
            self.given["/Font", _SAFE] = self.copier.safe_font(SAFE_FONT)
        return _SAFE

    def _font(self, show: Show) -> str:
        return self._called("/Font", show.content.resources.find("/Font", show.font))

    def _paint(self, each: Instruction, show: Show) -> Instruction:
        """A colour; where it is called by name, by a name of this page."""
        if each.operator != "cs" or str(each.operands[0]).startswith("/Device"):
            return each
        found = show.content.resources.find("/ColorSpace", each.operands[0])
        return Instruction.of("cs", self._called("/ColorSpace", found) if found is not None else "/DeviceGray")

    def _called(self, kind: str, found: Any) -> str:
        """The name by which this page calls a thing of its own or of one of its forms."""
        made = self.copier.named(kind, found)
        for (each, name), known in self.given.items():
            if each == kind and known is made:
                return name
        name = f"/Withhold{kind[1:]}{len(self.given)}"
        self.given[kind, name] = made
        return name


def _balanced(several: list[Instruction]) -> Iterator[Instruction]:
    """The instructions in a group of their own, which leaves everything as it was."""
    depth, inside = 0, False
    yield Instruction.of("q")
    for each in several:
        depth += (each.operator == "q") - (each.operator == "Q" and depth > 0)
        inside = each.operator == "BT" or (inside and each.operator != "ET")
        if not (each.operator == "Q" and depth < 0):
            yield each
    if inside:
        yield Instruction.of("ET")
    for _ in range(depth + 1):
        yield Instruction.of("Q")


@dataclass(repr=False)
class Written:
    """A new file, not saved yet, and the lines that each of its pages has."""

    pdf: pikepdf.Pdf
    lines: list[list[Line]] = field(default_factory=list)
    origins: list[list[int]] = field(default_factory=list)
    """The numbers that these lines had."""


def write(file: File, local: Mapping[int, Local], greys: Mapping[int, Mapping[int, float]] | None = None) -> Written:
    """A new file with the lines of pages changed as `local` says, by number of the page from 1, and the lines of
    `greys` painted so.
    """
    result = Written(pikepdf.Pdf.new())
    copier = Copier(result.pdf, file.cleaner)
    for page in file.pages:
        if page.scan is not None:
            write_scan(result.pdf, page.scan, local.get(page.number, {}))
            result.lines.append([])
            result.origins.append([])
            continue
        shown = unseen_lines(page) if page.number in file.hiding.layers and file.handling.images == "blank" else set()
        grey = (greys or {}).get(page.number, {})
        own = {**dict.fromkeys((*shown, *grey), ()), **local.get(page.number, {})}
        anew = settings(page, own, shown, grey)
        made = PageWriter(copier, page, own, anew).write()
        result.pdf.pages.append(pikepdf.Page(result.pdf.make_indirect(made)))
        result.lines.append(remaining(page, anew, own))
        result.origins.append(_origins(page, anew, own))
    return result


def save(pdf: pikepdf.Pdf) -> bytes:
    """The file as bytes, which depend on nothing but what is in it."""
    for key in ("/Info", "/Metadata"):
        if key in pdf.trailer:
            del pdf.trailer[key]
    buffer = io.BytesIO()
    pdf.save(
        buffer,
        deterministic_id=True,
        compress_streams=True,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        fix_metadata_version=False,
        recompress_flate=False,
    )
    return buffer.getvalue()
