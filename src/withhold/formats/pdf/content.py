"""What a page draws, as far as it is kept: known instructions alone, layers that are off left out.

Instructions that hold a page together for programs, not for readers (marked content, comments, unknown operators), are
gone. Pictures are drawn as grey squares, unless the policy keeps them. Two marks of our own stay: `LINE` around a line
that was set anew, with its number in reading order, and `CUT` where something was taken out between two others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import pikepdf

from withhold.formats.pdf.tokens import Instruction

LINE = "/WithholdLine"
CUT = "/WithholdCut"
STATE_FONT = "/WithholdState."
"""What a font is called that a graphics state brings along."""

SHOWS = frozenset(("Tj", "TJ", "'", '"'))
MOVES = frozenset(("Td", "TD", "Tm", "T*"))
PATH = frozenset(("m", "l", "c", "v", "y", "h", "re"))
PAINTS = frozenset(("S", "s", "f", "F", "f*", "B", "B*", "b", "b*"))
_NUMBERS = {
    **dict.fromkeys(("cm", "c", "Tm", "d1"), 6),
    **dict.fromkeys(("v", "y", "re", "K", "k"), 4),
    **dict.fromkeys(("RG", "rg"), 3),
    **dict.fromkeys(("m", "l", "Td", "TD", "d0"), 2),
    **dict.fromkeys(("w", "J", "j", "M", "i", "G", "g", "Tc", "Tw", "Tz", "TL", "Ts", "Tr"), 1),
    **dict.fromkeys(("q", "Q", "h", "n", "W", "W*", "BT", "ET", "T*", *PAINTS), 0),
}
"""The operators that take so many numbers, and nothing else."""
_NAMED = frozenset(("ri", "gs", "CS", "cs", "sh", "Do"))
_COLOURS = frozenset(("SC", "sc", "SCN", "scn"))
GREY = 0.85

Within = Literal["page", "pattern", "glyph"]


@dataclass(repr=False)
class Resources:
    """The fonts, pictures and the like that a stream calls by name."""

    entries: pikepdf.Object | None

    def find(self, kind: str, name: str) -> Any:
        """What a name stands for; None if it stands for nothing."""
        table = self.entries.get(kind) if isinstance(self.entries, pikepdf.Dictionary) else None
        try:
            found = table.get(name) if isinstance(table, pikepdf.Dictionary) else None
        except (ValueError, pikepdf.PdfError):
            found = None
        if found is None and kind == "/Font" and name.startswith(STATE_FONT):
            state = self.find("/ExtGState", "/" + name.removeprefix(STATE_FONT))
            return state["/Font"][0] if isinstance(state, pikepdf.Dictionary) and "/Font" in state else None
        return found


@dataclass(repr=False)
class Cleaner:
    """Cleans the content of one file, and counts what goes."""

    hidden: frozenset[tuple[int, int]] = frozenset()
    """The layers that are off, by the number of their object."""
    keep_pictures: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def clean(self, several: list[Instruction], resources: Resources, within: Within = "page") -> list[Instruction]:
        """The instructions that are kept. In patterns and glyphs, none that shows text is."""
        return list(_Pass(self, resources, within).run(several))

    def is_off(self, layer: Any) -> bool:
        """Whether a layer, or a group of layers, is not shown."""
        if not isinstance(layer, pikepdf.Dictionary):
            return False
        if layer.get("/Type") == "/OCMD":
            groups = layer.get("/OCGs")
            several = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
            states = [self.is_off(each) for each in several if isinstance(each, pikepdf.Dictionary)]
            policy = str(layer.get("/P", "/AnyOn"))
            if not states:
                return False
            shown = {"/AllOn": not any(states), "/AnyOff": any(states), "/AllOff": all(states)}
            return not shown.get(policy, not all(states))
        return layer.objgen in self.hidden


class _Pass:
    def __init__(self, cleaner: Cleaner, resources: Resources, within: Within) -> None:
        self.cleaner = cleaner
        self.resources = resources
        self.within = within
        self.sections: list[str] = []
        self.is_textless = within != "page"

    def run(self, several: list[Instruction]) -> Iterator[Instruction]:
        for each in several:
            operator = each.operator
            if operator == "BT" and self.within == "page":
                self.is_textless = self._off
            if operator in MOVES and self.is_textless:  # no text is left to move, only how wide it was
                continue
            if operator in _NUMBERS:
                kept = _numeric(each, _NUMBERS[operator])
                if kept is not None:
                    yield Instruction("n", [], b"n") if operator in PAINTS and self._off else kept
            elif operator in SHOWS:
                yield from self._show(each)
            elif operator in ("BMC", "BDC", "EMC", "MP"):
                yield from self._section(each)
            elif operator == "BI":
                yield from self._inline(each)
            else:
                yield from self._named(each)

    @property
    def _off(self) -> bool:
        return "off" in self.sections

    def _show(self, each: Instruction) -> Iterator[Instruction]:
        if self.within != "page":
            self.cleaner.counts["text in patterns and glyphs"] += 1
        elif self._off:
            self.cleaner.counts["text in layers that are off"] += 1
        elif (kept := _shown(each)) is not None:
            yield kept

    def _named(self, each: Instruction) -> Iterator[Instruction]:
        operator, operands = each.operator, each.operands
        if operator == "Tf":
            if len(operands) >= 2 and isinstance(operands[-2], str) and isinstance(operands[-1], float):
                yield each if len(operands) == 2 else Instruction.of("Tf", *operands[-2:])
        elif operator == "d":
            if len(operands) == 2 and isinstance(operands[0], list) and _all_numbers([*operands[0], operands[1]]):
                yield each
        elif operator in _COLOURS:
            if all(isinstance(operand, (float, str)) and not isinstance(operand, bool) for operand in operands):
                yield each
        elif operator in _NAMED and operands and isinstance(operands[-1], str):
            kept = each if len(operands) == 1 else Instruction.of(operator, operands[-1])
            if operator == "Do":
                yield from self._object(kept)
            elif operator != "sh" or not self._off:
                yield kept
            if operator == "gs":
                yield from self._state_font(kept.operands[0])

    def _state_font(self, name: str) -> Iterator[Instruction]:
        """A graphics state can bring a font along: it is set like any other."""
        state = self.resources.find("/ExtGState", name)
        font = state.get("/Font") if isinstance(state, pikepdf.Dictionary) else None
        if isinstance(font, pikepdf.Array) and len(font) == 2 and isinstance(font[0], pikepdf.Dictionary):
            yield Instruction.of("Tf", STATE_FONT + name[1:], float(font[1]))

    def _object(self, each: Instruction) -> Iterator[Instruction]:
        found = self.resources.find("/XObject", each.operands[0])
        if not isinstance(found, pikepdf.Stream) or self._off or self.cleaner.is_off(found.get("/OC")):
            return
        if found.get("/Subtype") == "/Form":
            yield each
        elif found.get("/Subtype") == "/Image":
            if self.cleaner.keep_pictures:
                yield each
            else:
                yield from self._blank("/SMask" in found or "/Mask" in found or bool(found.get("/ImageMask", False)))

    def _inline(self, each: Instruction) -> Iterator[Instruction]:
        if self.within == "glyph":
            yield each
        elif not self._off:
            keys = each.operands[0]
            yield from self._blank(bool(keys.get("/IM", keys.get("/ImageMask", False))))

    def _blank(self, see_through: bool) -> Iterator[Instruction]:
        """A grey square in place of a picture; of one that is see-through in places, the frame."""
        self.cleaner.counts["pictures"] += 1
        yield Instruction.of("q")
        yield Instruction.of("G" if see_through else "g", GREY)
        yield from (Instruction.of("w", 0.0),) if see_through else ()
        yield Instruction.of("re", 0.0, 0.0, 1.0, 1.0)
        yield Instruction.of("S" if see_through else "f")
        yield Instruction.of("Q")

    def _section(self, each: Instruction) -> Iterator[Instruction]:
        operator, operands = each.operator, each.operands
        if operator == "MP":
            if operands[:1] == [CUT]:
                yield each
        elif operator == "EMC":
            if self.sections and self.sections.pop() == "line":
                yield each
        else:
            kind = self._kind(operands)
            self.sections.append(kind)
            if kind == "line":
                yield each

    def _kind(self, operands: list[Any]) -> str:
        tag = operands[0] if operands else None
        given = operands[1] if len(operands) > 1 else None
        if tag == LINE and isinstance(given, dict) and list(given) == ["/N"] and isinstance(given["/N"], float):
            return "line"
        if tag == "/OC" and isinstance(given, str) and self.cleaner.is_off(self.resources.find("/Properties", given)):
            return "off"
        return "other"


def _numeric(each: Instruction, count: int) -> Instruction | None:
    operands = each.operands
    if len(operands) == count and _all_numbers(operands):
        return each
    if len(operands) < count or not _all_numbers(operands[len(operands) - count :]):
        return None
    return Instruction.of(each.operator, *operands[len(operands) - count :])


def _all_numbers(operands: list[Any]) -> bool:
    for operand in operands:  # noqa: SIM110 - asked of every instruction, and twice as quick
        if type(operand) is not float:
            return False
    return True


def _shown(each: Instruction) -> Instruction | None:
    """One that shows text, with the operands it takes and no others."""
    operator, operands = each.operator, each.operands
    count = 3 if operator == '"' else 1
    if len(operands) < count:
        return None
    taken = operands[len(operands) - count :]
    if operator == "TJ":
        if not isinstance(taken[0], list):
            return None
        parts = [part for part in taken[0] if type(part) is float or isinstance(part, bytes)]
        if len(parts) == len(taken[0]) and len(operands) == 1:
            return each
        return Instruction.of("TJ", parts)
    if not isinstance(taken[-1], bytes) or not _all_numbers(taken[:-1]):
        return None
    return each if len(operands) == count else Instruction.of(operator, *taken)


def layers_off(pdf: pikepdf.Pdf) -> frozenset[tuple[int, int]]:
    """The layers of a file that its viewers do not show at first."""
    found = pdf.Root.get("/OCProperties")
    if not isinstance(found, pikepdf.Dictionary) or not isinstance(found.get("/D"), pikepdf.Dictionary):
        return frozenset()
    default = found["/D"]
    off = {each.objgen for each in default.get("/OFF", []) if isinstance(each, pikepdf.Dictionary)}
    if str(default.get("/BaseState", "/ON")) == "/OFF":
        everything = {each.objgen for each in found.get("/OCGs", []) if isinstance(each, pikepdf.Dictionary)}
        off |= everything - {each.objgen for each in default.get("/ON", []) if isinstance(each, pikepdf.Dictionary)}
    return frozenset(off)
