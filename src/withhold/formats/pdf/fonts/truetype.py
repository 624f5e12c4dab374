"""TrueType programs: glyphs as bytes, and a new program of some of them that says nothing about the others.

Outlines and their instructions are copied byte by byte, so what is kept looks as it did. Every other table is
made anew from the glyphs that are kept, or is the same for all subsets of a font, or goes.
"""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fontTools.ttLib.sfnt import SFNTWriter

from withhold.formats.pdf.fonts.faults import Unprunable

DEEPEST = 16
"""Composites of composites nest no further in any honest font."""

_KEPT = ("cvt ", "fpgm", "prep")
_ARGS_ARE_WORDS, _SCALED, _MORE, _SCALED_TWICE, _MATRIX, _INSTRUCTIONS = 0x1, 0x8, 0x20, 0x40, 0x80, 0x100


def tables(data: bytes) -> dict[str, bytes]:
    """The tables of an sfnt file by their tags; those cut short are as short as they are."""
    try:
        start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
        count = struct.unpack_from(">H", data, start + 4)[0]
        found = {}
        for index in range(count):
            tag, _, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * index)
            found[tag.decode("latin-1")] = data[offset : offset + length]
    except struct.error:
        raise Unprunable("a TrueType font is cut short") from None
    return found


def assemble(parts: Mapping[str, bytes]) -> bytes:
    """An sfnt file of these tables, in the order of their tags, with all checksums."""
    file = io.BytesIO()
    writer = SFNTWriter(file, len(parts), "\0\1\0\0")
    for tag in sorted(parts):
        writer[tag] = parts[tag]
    writer.close()
    return file.getvalue()


@dataclass(frozen=True)
class Measures:
    """What `maxp` and `hhea` want to know of one glyph."""

    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    points: int = 0
    contours: int = 0
    instructions: int = 0
    components: int = 0
    depth: int = 0


class TrueType:
    """A TrueType program as it is found in a file."""

    def __init__(self, data: bytes) -> None:
        self.tables = tables(data)
        if not {"glyf", "loca", "head", "maxp", "hhea", "hmtx"} <= set(self.tables):
            raise Unprunable("a TrueType font lacks a table it needs")
        if len(self.tables["head"]) < 54 or len(self.tables["hhea"]) < 36 or len(self.tables["maxp"]) < 6:
            raise Unprunable("a TrueType font has a table that is cut short")
        self._digests: dict[int, bytes] = {}

    @property
    def units(self) -> int:
        return int(struct.unpack_from(">H", self.tables["head"], 18)[0]) or 1000

    @cached_property
    def count(self) -> int:
        """How many glyphs there are."""
        return min(int(struct.unpack_from(">H", self.tables["maxp"], 4)[0]), len(self._offsets) - 1)

    @cached_property
    def _offsets(self) -> tuple[int, ...]:
        data = self.tables["loca"]
        if struct.unpack_from(">h", self.tables["head"], 50)[0]:
            found = struct.unpack(f">{len(data) // 4}I", data[: len(data) // 4 * 4])
        else:
            found = tuple(2 * offset for offset in struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2]))
        wanted = int(struct.unpack_from(">H", self.tables["maxp"], 4)[0])
        return (*found, len(self.tables["glyf"])) if len(found) == wanted else found

    def glyph(self, number: int) -> bytes:
        """The program of a glyph without what fills the space after it; empty if it has no outline."""
        if not 0 <= number < self.count:
            return b""
        start, end = self._offsets[number : number + 2]
        # An offset that is too small means up to the end, which is how FreeType draws such fonts.
        data = self.tables["glyf"][start : end if end >= start else None]
        return data[: _end(data)]

    @cached_property
    def _metrics(self) -> list[tuple[int, int]]:
        data, count = self.tables["hmtx"], struct.unpack_from(">H", self.tables["hhea"], 34)[0]
        pairs = [(int(a), int(b)) for a, b in struct.iter_unpack(">Hh", data[: min(4 * count, len(data) // 4 * 4)])]
        rest = data[4 * len(pairs) :]
        last = pairs[-1][0] if pairs else 0
        return pairs + [(last, int(side)) for (side,) in struct.iter_unpack(">h", rest[: len(rest) // 2 * 2])]

    def metrics(self, number: int) -> tuple[int, int]:
        """Advance and left side bearing."""
        if number < len(self._metrics):
            return self._metrics[number]
        return (self._metrics[-1][0], 0) if self._metrics else (0, 0)

    def digest(self, number: int, depth: int = 0) -> bytes:
        """The same for glyphs that look the same, whatever their numbers are."""
        if depth > DEEPEST:
            raise Unprunable("a TrueType font nests glyphs too deeply")
        if number not in self._digests:
            data = bytearray(self.glyph(number))
            parts = []
            for at, component in components(bytes(data)):
                data[at : at + 2] = b"\0\0"
                parts.append(self.digest(component, depth + 1))
            shape = b"".join((struct.pack(">Hh", *self.metrics(number)), bytes(data), *parts))
            self._digests[number] = hashlib.sha256(shape).digest()
        return self._digests[number]

    def subset(self, numbers: Sequence[int], codes: Mapping[int, int] | None = None) -> bytes:
        """A program in which `numbers[i]` is glyph i + 1, after .notdef, and glyphs only used by others come last.

        With `codes` (from codes to positions in `numbers`, from 1), the program has a symbolic `cmap` of them.
        """
        order = self._closure([0, *numbers])
        position: dict[bytes, int] = {}
        for index, number in enumerate(order):
            position.setdefault(self.digest(number), index)
        glyphs = [self._renumbered(self.glyph(number), position) for number in order]
        parts = {tag: self.tables[tag] for tag in _KEPT if tag in self.tables}
        parts |= _outlines(glyphs, self.tables["head"])
        parts |= self._measured(glyphs, [self.metrics(number) for number in order], parts["head"])
        if codes is not None:
            parts["cmap"] = cmap(codes)
        return assemble(parts)

    def _closure(self, numbers: list[int]) -> list[int]:
        """The glyphs, and after them those they are composed of, in an order that does not depend on numbers."""
        known = {self.digest(number) for number in numbers}
        missing: dict[bytes, int] = {}
        waiting = list(numbers)
        while waiting:
            for _, component in components(self.glyph(waiting.pop())):
                digest = self.digest(component)
                if digest not in known and digest not in missing:
                    missing[digest] = component
                    waiting.append(component)
        return numbers + [missing[digest] for digest in sorted(missing)]

    def _renumbered(self, data: bytes, position: Mapping[bytes, int]) -> bytes:
        changed = bytearray(data)
        for at, component in components(data):
            changed[at : at + 2] = struct.pack(">H", position[self.digest(component)])
        return bytes(changed)

    def _measured(self, glyphs: list[bytes], metrics: list[tuple[int, int]], head: bytes) -> dict[str, bytes]:
        measures = [measure(glyphs, index) for index in range(len(glyphs))]
        boxes = [found.box for found, data in zip(measures, glyphs, strict=True) if data] or [(0, 0, 0, 0)]
        box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
        return {
            "head": head[:36] + struct.pack(">4h", *box) + head[44:],
            "maxp": _maxp(self.tables["maxp"], glyphs, measures),
            "hmtx": b"".join(struct.pack(">Hh", *pair) for pair in metrics),
            "hhea": _hhea(self.tables["hhea"], metrics, measures),
        }


def box(program: bytes) -> tuple[int, int, int, int]:
    """What all glyphs of a program fit in, in thousandths of its em."""
    head = tables(program)["head"]
    scale = 1000 / (struct.unpack_from(">H", head, 18)[0] or 1000)
    left, bottom, right, top = (round(edge * scale) for edge in struct.unpack_from(">4h", head, 36))
    return left, bottom, right, top


def components(data: bytes) -> Iterator[tuple[int, int]]:
    """Where a composite glyph names its components, and which these are; nothing for a simple one."""
    for at, component, _ in _parts(data):
        yield at, component


def _parts(data: bytes) -> Iterator[tuple[int, int, int]]:
    """For each component where it is named, its number, and the offset after it (before any instructions)."""
    if len(data) < 10 or struct.unpack_from(">h", data)[0] >= 0:
        return
    at, flags = 10, _MORE
    while flags & _MORE:
        if at + 4 > len(data):
            raise Unprunable("a glyph of a TrueType font is cut short")
        flags, component = struct.unpack_from(">HH", data, at)
        end = at + 4 + (4 if flags & _ARGS_ARE_WORDS else 2)
        end += 2 if flags & _SCALED else 4 if flags & _SCALED_TWICE else 8 if flags & _MATRIX else 0
        after = end
        if not flags & _MORE and flags & _INSTRUCTIONS and end + 2 <= len(data):
            after += 2 + struct.unpack_from(">H", data, end)[0]
        yield at + 2, component, after
        at = end


def _end(data: bytes) -> int:
    """Where the program of a glyph ends; all of it if that cannot be told."""
    if len(data) < 10:
        return 0
    contours = struct.unpack_from(">h", data)[0]
    if contours < 0:
        return max((after for _, _, after in _parts(data)), default=len(data))
    try:
        return _simple_end(data, contours) if contours else 0
    except (IndexError, struct.error):
        return len(data)


def _simple_end(data: bytes, contours: int) -> int:
    at = 10 + 2 * contours
    points = struct.unpack_from(">H", data, at - 2)[0] + 1
    at += 2 + int(struct.unpack_from(">H", data, at)[0])
    coordinates = 0
    while points > 0:
        flag = data[at]
        at += 1
        repeats = 1
        if flag & 8:
            repeats += data[at]
            at += 1
        size = (1 if flag & 2 else 0 if flag & 16 else 2) + (1 if flag & 4 else 0 if flag & 32 else 2)
        coordinates += size * min(repeats, points)
        points -= repeats
    return at + coordinates


def measure(glyphs: Sequence[bytes], index: int, depth: int = 0) -> Measures:
    """The size of a glyph as the tables of a font state it."""
    data = glyphs[index] if index < len(glyphs) else b""
    if len(data) < 10 or depth > DEEPEST:
        return Measures()
    contours, *edges = struct.unpack_from(">5h", data)
    frame = (edges[0], edges[1], edges[2], edges[3])
    if contours < 0:
        parts = [measure(glyphs, component, depth + 1) for _, component in components(data)]
        points, outlines = sum(part.points for part in parts), sum(part.contours for part in parts)
        return Measures(frame, points, outlines, 0, len(parts), 1 + max((part.depth for part in parts), default=0))
    at = 10 + 2 * contours
    if at + 2 > len(data):
        return Measures(frame)
    points = struct.unpack_from(">H", data, at - 2)[0] + 1 if contours else 0
    return Measures(frame, points, contours, struct.unpack_from(">H", data, at)[0])


def _outlines(glyphs: Sequence[bytes], head: bytes) -> dict[str, bytes]:
    """The tables `glyf`, `loca` and `head`, the last with neither dates nor a checksum of what was."""
    padded = [data + bytes(-len(data) % 4) for data in glyphs]
    offsets = [0]
    for data in padded:
        offsets.append(offsets[-1] + len(data))
    dated = head[:8] + bytes(4) + head[12:20] + bytes(16) + head[36:50] + struct.pack(">hh", 1, 0)
    return {"glyf": b"".join(padded), "loca": struct.pack(f">{len(offsets)}I", *offsets), "head": dated}


def _maxp(old: bytes, glyphs: Sequence[bytes], measures: Sequence[Measures]) -> bytes:
    simple = [found for found in measures if not found.components]
    composite = [found for found in measures if found.components]
    virtual_machine = struct.unpack_from(">6H", old, 14) if len(old) >= 32 else (2, 0, 64, 64, 0, 512)
    return struct.pack(
        ">I14H",
        0x00010000,
        len(glyphs),
        max((found.points for found in simple), default=0),
        max((found.contours for found in simple), default=0),
        min(0xFFFF, max((found.points for found in composite), default=0)),
        min(0xFFFF, max((found.contours for found in composite), default=0)),
        *virtual_machine,
        max((found.instructions for found in simple), default=0),
        max((found.components for found in composite), default=0),
        max((found.depth for found in composite), default=0),
    )


def _hhea(old: bytes, metrics: Sequence[tuple[int, int]], measures: Sequence[Measures]) -> bytes:
    widths = [found.box[2] - found.box[0] for found in measures]
    right = [advance - side - width for (advance, side), width in zip(metrics, widths, strict=True)]
    extent = [side + width for (_, side), width in zip(metrics, widths, strict=True)]
    edges = (min(side for _, side in metrics), min(right), max(extent))
    clamped = [max(-0x8000, min(0x7FFF, edge)) for edge in edges]
    widest = max(advance for advance, _ in metrics)
    return old[:10] + struct.pack(">H3h", widest, *clamped) + old[18:34] + struct.pack(">H", len(metrics))


def cmap(codes: Mapping[int, int]) -> bytes:
    """A table that maps one-byte codes to glyphs: for symbolic fonts of Windows, and for the Macintosh."""
    narrow = bytes(codes.get(code, 0) & 0xFF for code in range(256))
    roman = struct.pack(">3H", 0, 262, 0) + narrow
    symbols = _segments({0xF000 + code: glyph for code, glyph in codes.items()})
    offset = 4 + 2 * 8
    directory = struct.pack(">HHHHIHHI", 0, 2, 1, 0, offset, 3, 0, offset + len(roman))
    return directory + roman + symbols


def _segments(codes: Mapping[int, int]) -> bytes:
    """A subtable of format 4 with a segment for every code."""
    rows = [(code, (glyph - code) & 0xFFFF) for code, glyph in sorted(codes.items())] + [(0xFFFF, 1)]
    count = len(rows)
    power = 1 << (count.bit_length() - 1)
    ends = struct.pack(f">{count}H", *(code for code, _ in rows))
    deltas = struct.pack(f">{count}H", *(delta for _, delta in rows))
    body = ends + bytes(2) + ends + deltas + bytes(2 * count)
    search = (2 * count, 2 * power, power.bit_length() - 1, 2 * (count - power))
    return struct.pack(">7H", 4, 14 + len(body), 0, *search) + body
