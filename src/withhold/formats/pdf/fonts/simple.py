"""Simple fonts: one byte for each code. Type 1 and TrueType programs, compact ones, and fonts that are not embedded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from withhold.formats.pdf.decoding import widths
from withhold.formats.pdf.decoding.encodings import differences
from withhold.formats.pdf.decoding.faces import Face, face_of
from withhold.formats.pdf.fonts import cff, truetype
from withhold.formats.pdf.fonts.cff import Cff
from withhold.formats.pdf.fonts.codes import encoding_names, is_well_known
from withhold.formats.pdf.fonts.descriptors import descriptor, number
from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.fonts.lookup import Lookup
from withhold.formats.pdf.fonts.ranks import Character, new_codes, ranked, simple_codes
from withhold.formats.pdf.fonts.truetype import TrueType
from withhold.formats.pdf.fonts.type1 import Type1
from withhold.formats.pdf.fonts.unicode import to_unicode
from withhold.formats.pdf.fonts.usage import Use

Recoding = dict[bytes, bytes]
"""What each code becomes."""
Group = Sequence[Character]

_SYMBOLIC, _NONSYMBOLIC = 4, 32


class Simple:
    """A simple font with the codes that are shown of it."""

    def __init__(self, pdf: pikepdf.Pdf, use: Use) -> None:
        face = face_of(use.font)
        if face is None:
            raise Unprunable("a font is damaged")
        self.pdf = pdf
        self.use = use
        self.font = use.font
        self.face: Face = face
        self.descriptor = use.font.get("/FontDescriptor")
        self.codes = sorted(face.codes(bytes(set(b"".join(use.strings)))))
        self.widths = widths.simple(use.font, {}) if "/Widths" in use.font else None

    def embedded(self, glyph: Callable[[int], Any], digest: Callable[[Any], bytes]) -> list[list[Character]]:
        """What is shown of the program that the font brings along, in order.

        Raises:
            Unprunable: if it has no glyph for a letter: viewers may show one after all, who knows from where.
        """
        groups = self.characters(glyph, digest)
        if any(first.glyph is None and first.text.strip("\ufffd\xa0 ") for first, *_ in groups):
            raise Unprunable("a font lacks glyphs that its text needs")
        return groups

    def characters(self, glyph: Callable[[int], Any], digest: Callable[[Any], bytes]) -> list[list[Character]]:
        """What is shown, in order; a glyph that is not there has the digest of nothing."""
        found = []
        for code in self.codes:
            shown = glyph(code[0])
            looks = b"" if shown is None else digest(shown)
            width = self.widths[code[0]] if self.widths else None
            is_spaced = code == b" " and self.use.has_word_spacing
            found.append(Character(code, self.face.char(code).text, width, shown, looks, is_spaced=is_spaced))
        return ranked(found)

    def numbered(self, groups: Sequence[Group]) -> list[int]:
        return simple_codes(groups, has_word_spacing=self.use.has_word_spacing)

    def write(
        self, subtype: Name, name: str, groups: Sequence[Group], codes: Sequence[int], names: Sequence[str] | None
    ) -> Recoding:
        """Make the dictionary of the font anew, all but its descriptor and program."""
        for key in list(self.font.keys()):
            del self.font[key]
        self.font.Type, self.font.Subtype, self.font.BaseFont = Name.Font, subtype, Name("/" + name)
        if self.widths and codes:
            self.font.FirstChar, self.font.LastChar = min(codes), max(codes)
            self.font.Widths = width_row(codes, groups)
        if names is not None:
            self.font.Encoding = Dictionary(Type=Name.Encoding, Differences=difference_row(codes, names))
        texts = {code: group[0].text for code, group in zip(codes, groups, strict=True)}
        self.font.ToUnicode = self.pdf.make_stream(to_unicode(texts, 1))
        return dict(new_codes(groups, [bytes((code,)) for code in codes]))

    def program(self, key: str) -> Any:
        return self.descriptor.get(key) if isinstance(self.descriptor, Dictionary) else None


def width_row(codes: Sequence[int], groups: Sequence[Group]) -> Array:
    known = {code: group[0].width or 0 for code, group in zip(codes, groups, strict=True)}
    return Array([number(known.get(code, 0)) for code in range(min(codes), max(codes) + 1)])


def difference_row(codes: Sequence[int], names: Sequence[str]) -> Array:
    """The names of glyphs by code, with a number wherever one is passed over."""
    row: list[Any] = []
    last = None
    for code, name in sorted(zip(codes, names, strict=True)):
        if last is None or code != last + 1:
            row.append(code)
        row.append(Name("/" + name))
        last = code
    return Array(row)


def glyph_names(groups: Sequence[Group], names: Mapping[int, str]) -> list[str]:
    """A name for every group: its own if everybody uses that name and no group before it does, else a number."""
    found: list[str] = []
    for index, group in enumerate(groups, start=1):
        name = names.get(group[0].code[0], ".notdef")
        found.append(name if is_well_known(name) and name not in found else f"glyph{index}")
    return found


def prune_simple(pdf: pikepdf.Pdf, use: Use, name: Callable[[bool], str]) -> Recoding:
    """Prune a font, and say what its codes become. `name` gives its new name, as an embedded font or not."""
    font = Simple(pdf, use)
    for key in ("/FontFile", "/FontFile2", "/FontFile3"):
        stream = font.program(key)
        if isinstance(stream, Stream):
            return _prune_embedded(font, stream.read_bytes(), name(True))
    return _prune_named(font, name(False))


def _prune_embedded(font: Simple, data: bytes, name: str) -> Recoding:
    """By what the program is, whatever the file calls it."""
    if data[:4] in (b"\0\1\0\0", b"true", b"ttcf"):
        return _prune_truetype(font, data, name)
    if data[:4] == b"OTTO" or data[:1] == b"\1":
        return _prune_cff(font, data, name)
    return _prune_type1(font, data, name)


def _prune_truetype(font: Simple, data: bytes, name: str) -> Recoding:
    program = TrueType(data)
    texts = {code[0]: font.face.char(code).text for code in font.codes}
    glyphs = Lookup(data, program.tables).glyphs(font.font, texts)
    groups = font.embedded(glyphs.get, program.digest)
    codes = font.numbered(groups)
    shown = [(code, group[0].glyph) for code, group in zip(codes, groups, strict=True) if group[0].glyph]
    table = {code: index for index, (code, _) in enumerate(shown, start=1)}
    new = program.subset([glyph for _, glyph in shown], table)
    recoding = font.write(Name.TrueType, name, groups, codes, None)
    font.font.FontDescriptor = descriptor(
        font.pdf, font.descriptor, name, truetype.box(new), ("/FontFile2", _stream(font.pdf, new, Length1=len(new)))
    )
    font.font.FontDescriptor.Flags = int(font.font.FontDescriptor.get("/Flags", 0)) & ~_NONSYMBOLIC | _SYMBOLIC
    return recoding


def _prune_type1(font: Simple, data: bytes, name: str) -> Recoding:
    program = Type1(data)
    names = encoding_names(font.font, program.encoding)
    known = {code: glyph for code, glyph in names.items() if glyph in program.glyphs}
    groups = font.embedded(known.get, program.digest)
    codes, called = font.numbered(groups), glyph_names(groups, names)
    shown = {group[0].glyph: new for group, new in zip(groups, called, strict=True) if group[0].glyph}
    if len(shown) != sum(1 for group in groups if group[0].glyph):
        called, shown = _shared(groups, called)
    new, lengths = program.subset(shown, name)
    recoding = font.write(Name.Type1, name, groups, codes, called)
    stream = _stream(font.pdf, new, Length1=lengths[0], Length2=lengths[1], Length3=lengths[2])
    font.font.FontDescriptor = descriptor(font.pdf, font.descriptor, name, None, ("/FontFile", stream))
    return recoding


def _shared(groups: Sequence[Group], called: Sequence[str]) -> tuple[list[str], dict[Any, str]]:
    """Names where one glyph stands for two characters: both call it by the first of its names."""
    first: dict[Any, str] = {}
    names = []
    for group, name in zip(groups, called, strict=True):
        names.append(first.setdefault(group[0].glyph, name) if group[0].glyph else name)
    return names, first


def _prune_cff(font: Simple, data: bytes, name: str) -> Recoding:
    program = Cff(data)
    names = encoding_names(font.font, program.encoding)
    known = {code: found for code, glyph in names.items() if (found := program.named(glyph))}
    groups = font.embedded(known.get, program.digest)
    codes, called = font.numbered(groups), glyph_names(groups, names)
    pairs = [(group[0].glyph, new) for group, new in zip(groups, called, strict=True) if group[0].glyph]
    new = program.subset([glyph for glyph, _ in pairs], [glyph for _, glyph in pairs], name)
    recoding = font.write(Name.Type1, name, groups, codes, called)
    stream = _stream(font.pdf, new, Subtype=Name.Type1C)
    font.font.FontDescriptor = descriptor(font.pdf, font.descriptor, name, cff.box(new), ("/FontFile3", stream))
    return recoding


def _prune_named(font: Simple, name: str) -> Recoding:
    """A font that viewers have themselves, or replace: its codes are those of a common encoding and stay."""
    subtype, encoding, is_told = font.font.get("/Subtype"), font.font.get("/Encoding"), "/ToUnicode" in font.font
    groups = [[character] for group in font.characters(lambda code: None, bytes) for character in group]
    codes = [group[0].code[0] for group in groups]
    recoding = font.write(subtype if isinstance(subtype, Name) else Name.Type1, name, groups, codes, None)
    if not is_told:
        del font.font["/ToUnicode"]
    if isinstance(encoding, Dictionary):
        font.font.Encoding = _fewer_names(encoding, codes)
    elif isinstance(encoding, Name):
        font.font.Encoding = encoding
    if isinstance(font.descriptor, Dictionary):
        font.font.FontDescriptor = descriptor(font.pdf, font.descriptor, name, None, None)
    return recoding


def _fewer_names(encoding: Dictionary, codes: Sequence[int]) -> Dictionary:
    named = {code: name for code, name in differences(encoding).items() if code in codes}
    new = Dictionary(Type=Name.Encoding, Differences=difference_row(list(named), list(named.values())))
    if isinstance(encoding.get("/BaseEncoding"), Name):
        new.BaseEncoding = encoding.BaseEncoding
    return new


def _stream(pdf: pikepdf.Pdf, data: bytes, **entries: Any) -> Stream:
    stream = pdf.make_stream(data)
    for key, value in entries.items():
        stream["/" + key] = value
    return stream
