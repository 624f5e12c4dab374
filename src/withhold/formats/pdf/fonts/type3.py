"""Type 3 fonts: each glyph is a little content stream of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from withhold.formats.pdf.fonts.codes import encoding_names
from withhold.formats.pdf.fonts.descriptors import number
from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.fonts.ranks import Character, new_codes
from withhold.formats.pdf.fonts.simple import Recoding, Simple, difference_row, glyph_names, width_row
from withhold.formats.pdf.fonts.unicode import to_unicode
from withhold.formats.pdf.fonts.usage import Use
from withhold.formats.pdf.tokens import instructions

Group = Sequence[Character]

_MATRIX = (Decimal("0.001"), 0, 0, Decimal("0.001"), 0, 0)


def procedures(use: Use) -> dict[str, Stream]:
    """The procedures of the glyphs that are shown, by the names of these."""
    font = use.font
    if not isinstance(font.get("/CharProcs"), Dictionary):
        raise Unprunable("a Type 3 font has no glyphs")
    names = encoding_names(font, {})
    codes = {byte for string in use.strings for byte in string}
    found = {name: font.CharProcs.get("/" + name) for code in codes if (name := names.get(code, ""))}
    return {name: stream for name, stream in found.items() if isinstance(stream, Stream)}


def prune_type3(pdf: pikepdf.Pdf, use: Use) -> Recoding:
    """Prune a font, and say what its codes become."""
    streams = procedures(use)
    digests = {name: _digest(stream) for name, stream in streams.items()}
    font = Simple(pdf, use)
    names = encoding_names(font.font, {})
    groups = font.characters(
        lambda code: name if (name := names.get(code, "")) in streams else None, digests.__getitem__
    )
    codes, called = font.numbered(groups), glyph_names(groups, {})
    kept = {new: streams[group[0].glyph] for group, new in zip(groups, called, strict=True) if group[0].glyph}
    _write(font, groups, codes, called, kept)
    return dict(new_codes(groups, [bytes((code,)) for code in codes]))


def _digest(stream: Stream) -> bytes:
    return hashlib.sha256(stream.read_bytes()).digest()


def _write(
    font: Simple, groups: Sequence[Group], codes: Sequence[int], names: Sequence[str], kept: Mapping[str, Stream]
) -> None:
    old = font.font
    matrix = Array(list(old.get("/FontMatrix", _MATRIX)))
    resources = old.get("/Resources")
    for key in list(old.keys()):
        del old[key]
    old.Type, old.Subtype, old.FontMatrix, old.FontBBox = Name.Font, Name.Type3, matrix, _box(kept)
    old.CharProcs = Dictionary({"/" + name: stream for name, stream in sorted(kept.items())})
    old.Encoding = Dictionary(Type=Name.Encoding, Differences=difference_row(codes, names))
    if codes:
        old.FirstChar, old.LastChar, old.Widths = min(codes), max(codes), width_row(codes, groups)
    if resources is not None:
        old.Resources = resources
    texts = {code: group[0].text for code, group in zip(codes, groups, strict=True)}
    old.ToUnicode = font.pdf.make_stream(to_unicode(texts, 1))


def _box(procedures: Mapping[str, Stream]) -> Array:
    """What all glyphs fit in, by what they say of themselves; all zeros, which says nothing, if one does not."""
    boxes = [box for stream in procedures.values() if (box := _stated(stream))]
    if not boxes or len(boxes) != len(procedures):
        return Array([0, 0, 0, 0])
    return Array(
        [number(pick(edge)) for pick, edge in zip((min, min, max, max), zip(*boxes, strict=True), strict=True)]
    )


def _stated(stream: Stream) -> list[float]:
    for each in instructions(stream.read_bytes()):
        if each.operator == "d1" and len(each.operands) == 6:
            edges = [float(edge) for edge in each.operands[2:] if isinstance(edge, int | float)]
            return edges if len(edges) == 4 else []
    return []
