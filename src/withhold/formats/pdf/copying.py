"""Copies what a page needs into a new file, key by known key: what is not known to be needed stays behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from withhold.formats import images
from withhold.formats.pdf import vocabulary
from withhold.formats.pdf.content import Cleaner, Resources, Within
from withhold.formats.pdf.tokens import Instruction, instructions, written

_DEEPEST = 40
_DEVICE = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_CALLS = {
    "Tf": "/Font",
    "Do": "/XObject",
    "gs": "/ExtGState",
    "cs": "/ColorSpace",
    "CS": "/ColorSpace",
    "sh": "/Shading",
    "scn": "/Pattern",
    "SCN": "/Pattern",
}
_BUILT_IN = frozenset(("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/Pattern", "/G", "/RGB", "/CMYK"))

Found = Mapping[tuple[str, str], Any]


class Copier:
    """Copies out of one file into another. What several pages share is copied once."""

    def __init__(self, target: pikepdf.Pdf, cleaner: Cleaner) -> None:
        self.target = target
        self.cleaner = cleaner
        self.made: dict[Any, Any] = {}
        """Forms that are written already, for those who draw them again."""
        self._done: dict[Any, Any] = {}

    def safe_font(self, name: str) -> Dictionary:
        """One of the fonts that every viewer has."""
        if name not in self._done:
            font = Dictionary(
                Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + name), Encoding=Name.WinAnsiEncoding
            )
            self._done[name] = self.target.make_indirect(font)
        return self._done[name]  # type: ignore[no-any-return]

    def stream(self, several: list[Instruction]) -> Stream:
        return self.target.make_stream(written(several))

    def called(
        self, several: list[Instruction], resources: Resources, given: Found | None = None
    ) -> tuple[list[Instruction], Dictionary]:
        """The instructions with names that tell nothing, and the resources that they call by them.

        `given` are resources that are made already. What calls something that is not there is left out.
        """
        calls = _Calls(self, resources, given or {})
        return list(calls.renamed(several)), calls.dictionary()

    def named(self, kind: str, found: Any, depth: int = 0) -> Any:
        """A copy of a thing that is called by name; None of what is not as it should be."""
        copy = {
            "/Font": self._font,
            "/XObject": self._object,
            "/ExtGState": self._state,
            "/ColorSpace": self.colours,
            "/Pattern": self._pattern,
            "/Shading": self._shading,
        }[kind]
        return None if found is None or depth > _DEEPEST else self._once(found, copy, depth)

    def _once(self, found: Any, copy: Callable[[Any, int], Any], depth: int) -> Any:
        key = (copy.__name__, found.objgen) if getattr(found, "is_indirect", False) else None
        if key in self._done:
            return self._done[key]
        if key is not None:
            self._done[key] = None  # what contains itself is cut off
        made = copy(found, depth)
        if key is not None:
            if isinstance(made, (Dictionary, Stream, Array)):
                made = self.target.make_indirect(made)
            self._done[key] = made
        return made

    def plain(self, value: Any, keys: frozenset[str], depth: int = 0, strings: frozenset[str] = frozenset()) -> Any:
        """Numbers, names, and arrays and dictionaries of them; dictionaries with these keys alone."""
        if depth > _DEEPEST:
            return None
        if isinstance(value, Array):
            return Array([copy for each in value if (copy := self.plain(each, keys, depth + 1)) is not None])
        if isinstance(value, Dictionary):
            return self._entries(value, keys, depth, strings)
        if isinstance(value, (Stream, String)):
            return None
        return _own(value)

    def _entries(
        self, value: Any, keys: frozenset[str], depth: int = 0, strings: frozenset[str] = frozenset()
    ) -> Dictionary:
        made = Dictionary()
        for key in sorted(set(value.keys()) & keys):
            entry = value[key]
            copy = String(str(entry)) if key in strings and isinstance(entry, String) else None
            copy = self.plain(entry, keys, depth + 1, strings) if copy is None else copy
            if copy is not None:
                made[key] = copy
        return made

    def _data(self, stream: Stream, entries: Dictionary | None = None) -> Stream | None:
        """A stream's data, decoded, with these entries."""
        try:
            made = self.target.make_stream(bytes(stream.read_bytes()))
        except (pikepdf.PdfError, RuntimeError, ValueError):
            return None
        for key, entry in (entries or {}).items():
            made[key] = entry
        return made

    # Fonts

    def _font(self, font: Any, depth: int) -> Dictionary | None:
        if not isinstance(font, Dictionary):
            return None
        made = self._entries(font, vocabulary.FONT - {"/FontDescriptor", "/DescendantFonts", "/ToUnicode"}, depth)
        for key in ("/ToUnicode", "/Encoding", "/CIDToGIDMap"):
            entry = font.get(key)
            if isinstance(entry, Stream):
                copy = self._data(entry, self._entries(entry, vocabulary.FONT, 0, vocabulary.FONT_STRINGS))
                if copy is not None:
                    made[key] = copy
        if isinstance(font.get("/ToUnicode"), Name):
            made["/ToUnicode"] = font["/ToUnicode"]
        if isinstance(font.get("/CIDSystemInfo"), Dictionary):
            made["/CIDSystemInfo"] = self._entries(font["/CIDSystemInfo"], vocabulary.FONT, 0, vocabulary.FONT_STRINGS)
        if isinstance(font.get("/FontDescriptor"), Dictionary):
            made["/FontDescriptor"] = self.target.make_indirect(self._descriptor(font["/FontDescriptor"]))
        if isinstance(font.get("/DescendantFonts"), Array):
            below = [self._font(each, depth + 1) for each in font["/DescendantFonts"] if depth < 3]
            made["/DescendantFonts"] = Array([self.target.make_indirect(each) for each in below if each is not None])
        if font.get("/Subtype") == "/Type3":
            self._procedures(font, made)
        return made

    def _descriptor(self, descriptor: Any) -> Dictionary:
        files = ("/FontFile", "/FontFile2", "/FontFile3")
        made = self._entries(descriptor, vocabulary.FONT - set(files))
        for key in files:
            if isinstance(descriptor.get(key), Stream):
                file = descriptor[key]
                kept = {
                    name: _own(file[name]) for name in ("/Length1", "/Length2", "/Length3", "/Subtype") if name in file
                }
                copy = self._data(file, Dictionary(kept))
                if copy is not None:
                    made[key] = copy
        return made

    def _procedures(self, font: Any, made: Dictionary) -> None:
        """The glyphs of a font that are drawn like pages."""
        resources = Resources(font.get("/Resources"))
        table = font.get("/CharProcs")
        names = sorted(table.keys()) if isinstance(table, Dictionary) else []
        cleaned = {name: several for name in names if (several := self._cleaned(table[name], resources, "glyph"))}
        calls = _Calls(self, resources, {})
        made["/CharProcs"] = Dictionary(
            {name: self.stream(list(calls.renamed(several))) for name, several in cleaned.items()}
        )
        made["/Resources"] = calls.dictionary()

    def _cleaned(self, stream: Any, resources: Resources, within: Within) -> list[Instruction] | None:
        if not isinstance(stream, Stream):
            return None
        try:
            return self.cleaner.clean(instructions(bytes(stream.read_bytes())), resources, within)
        except (pikepdf.PdfError, RuntimeError):
            return None

    # What is drawn

    def _object(self, found: Any, depth: int) -> Any:
        if not isinstance(found, Stream):
            return None
        if found.get("/Subtype") == "/Form":
            return self.form(found, Resources(found.get("/Resources")), depth)
        return self.image(found, depth) if found.get("/Subtype") == "/Image" else None

    def form(
        self,
        found: Any,
        resources: Resources,
        depth: int = 0,
        kept: list[Instruction] | None = None,
        given: Found | None = None,
    ) -> Stream:
        """A form; without instructions that are `kept`, one that shows no text."""
        several = kept if kept is not None else self._cleaned(found, resources, "pattern") or []
        several, called = self.called(several, resources, given) if depth < _DEEPEST else ([], Dictionary())
        made = self.stream(several)
        made["/Resources"] = called
        for key, entry in self._entries(found, vocabulary.FORM - {"/Resources", "/Group"}).items():
            made[key] = entry
        if isinstance(found.get("/Group"), Dictionary):
            made["/Group"] = self.group(found["/Group"])
        return made

    def group(self, group: Any) -> Dictionary:
        made = self._entries(group, vocabulary.GROUP - {"/CS"})
        if (colours := self.named("/ColorSpace", group.get("/CS"))) is not None:
            made["/CS"] = colours
        return made

    def image(self, found: Any, depth: int = 0) -> Stream | None:
        """A picture with its pixels and colours, and nothing that is written around them."""
        made = self._pixels(found)
        if made is None:
            return None
        for key, entry in self._entries(
            found, vocabulary.IMAGE - {"/ColorSpace", "/Filter", "/DecodeParms", "/Mask", "/SMask"}
        ).items():
            made[key] = entry
        if (colours := self.named("/ColorSpace", found.get("/ColorSpace"), depth + 1)) is not None:
            made["/ColorSpace"] = colours
        for key in ("/Mask", "/SMask"):
            mask = found.get(key)
            if isinstance(mask, Stream) and depth < 2:
                made[key] = self.target.make_indirect(self.image(mask, depth + 1) or Dictionary())
            elif isinstance(mask, Array):
                made[key] = self.plain(mask, frozenset())
        return made

    def _pixels(self, found: Any) -> Stream | None:
        """The pixels as they are packed, if that is a way of packing pictures, and unpacked otherwise."""
        filters = found.get("/Filter")
        names = [str(each) for each in filters] if isinstance(filters, Array) else [str(filters)] if filters else []
        if len(names) == 1 and names[0] in ("/DCTDecode", "/CCITTFaxDecode", "/JPXDecode", "/JBIG2Decode"):
            data: bytes | None = bytes(found.read_raw_bytes())
            if names[0] == "/DCTDecode":
                data = images.strip_metadata(data or b"")
            if data is None or names[0] == "/JBIG2Decode":
                return None
            made = self.target.make_stream(data)
            made["/Filter"] = Name(names[0])
            if isinstance(found.get("/DecodeParms"), Dictionary):
                made["/DecodeParms"] = self._entries(found["/DecodeParms"], vocabulary.DECODING)
            return made
        return self._data(found)

    def _state(self, state: Any, depth: int) -> Dictionary | None:
        if not isinstance(state, Dictionary):
            return None
        made = self._entries(state, vocabulary.STATE - {"/SMask"})
        mask = state.get("/SMask")
        if isinstance(mask, Name):
            made["/SMask"] = Name("/None")
        elif isinstance(mask, Dictionary) and isinstance(mask.get("/G"), Stream):
            copy = self._entries(mask, vocabulary.MASK)
            copy["/G"] = self.target.make_indirect(self._object(mask["/G"], depth + 1) or Dictionary())
            made["/SMask"] = copy
        return made

    def _pattern(self, pattern: Any, depth: int) -> Any:
        if isinstance(pattern, Stream):
            resources = Resources(pattern.get("/Resources"))
            several, called = self.called(self._cleaned(pattern, resources, "pattern") or [], resources)
            made: Any = self.stream(several)
            made["/Resources"] = called
            for key, entry in self._entries(pattern, vocabulary.TILING).items():
                made[key] = entry
            return made
        if not isinstance(pattern, Dictionary):
            return None
        made = self._entries(pattern, vocabulary.SHADED)
        made["/Shading"] = self.named("/Shading", pattern.get("/Shading"), depth + 1) or Dictionary()
        return made

    def _shading(self, shading: Any, depth: int) -> Any:
        if not isinstance(shading, (Dictionary, Stream)):
            return None
        entries = self._entries(shading, vocabulary.SHADING - {"/ColorSpace", "/Function"})
        if (colours := self.named("/ColorSpace", shading.get("/ColorSpace"), depth + 1)) is not None:
            entries["/ColorSpace"] = colours
        if (function := self.function(shading.get("/Function"), depth + 1)) is not None:
            entries["/Function"] = function
        return self._data(shading, entries) if isinstance(shading, Stream) else entries

    def function(self, function: Any, depth: int = 0) -> Any:
        if depth > _DEEPEST:
            return None
        if isinstance(function, Array):
            return Array([copy for each in function if (copy := self.function(each, depth + 1)) is not None])
        if not isinstance(function, (Dictionary, Stream)):
            return None
        entries = self._entries(function, vocabulary.FUNCTION - {"/Functions"})
        if "/Functions" in function:
            entries["/Functions"] = self.function(function["/Functions"], depth + 1)
        return self._data(function, entries) if isinstance(function, Stream) else entries

    def colours(self, space: Any, depth: int = 0) -> Any:
        """A colour space; of a profile, how many colours it has."""
        if isinstance(space, Name):
            return _as_name(str(space)) if str(space) in _BUILT_IN else None
        if not isinstance(space, Array) or not len(space) or depth > _DEEPEST:
            return None
        kind, rest = str(space[0]), list(space)[1:]
        if kind == "/ICCBased" and rest and isinstance(rest[0], Stream):
            return Name(_DEVICE.get(int(rest[0].get("/N", 3)), "/DeviceRGB"))
        if kind in ("/CalGray", "/CalRGB", "/Lab") and rest:
            return Array([Name(kind), self.plain(rest[0], vocabulary.CALIBRATED)])
        if kind in ("/Indexed", "/I") and len(rest) == 3:
            table = self._data(rest[2]) if isinstance(rest[2], Stream) else String(bytes(rest[2]))
            return Array([Name.Indexed, self._under(rest[0], depth), int(rest[1]), table])
        if kind == "/Pattern":
            return Array([Name.Pattern, self._under(rest[0], depth)]) if rest else Name.Pattern
        if kind in ("/Separation", "/DeviceN") and len(rest) >= 3:
            names = self._inks(rest[0])
            return Array(
                [Name(kind), names, self._under(rest[1], depth), self.function(rest[2], depth) or Dictionary()]
            )
        return _as_name(kind) if kind in _BUILT_IN else None

    def _under(self, space: Any, depth: int) -> Any:
        found = self.named("/ColorSpace", space, depth + 1)
        return Name.DeviceGray if found is None else found

    def _inks(self, names: Any) -> Any:
        """Inks are called by anything; what they are called tells a viewer little."""
        known = ("/All", "/None", "/Cyan", "/Magenta", "/Yellow", "/Black")
        if isinstance(names, Array):
            return Array([Name(f"/Ink{at}") if str(each) not in known else each for at, each in enumerate(names)])
        return names if str(names) in known else Name("/Ink0")


class _Calls:
    """What one stream, or several that belong together, call by name: by new names, which tell nothing."""

    def __init__(self, copier: Copier, resources: Resources, given: Found) -> None:
        self.copier = copier
        self.resources = resources
        self.given = given
        self.tables: dict[str, Dictionary] = {}
        self.names: dict[tuple[str, str], str | None] = {}

    def renamed(self, several: Iterable[Instruction]) -> Iterator[Instruction]:
        for each in several:
            kind = _CALLS.get(each.operator)
            if kind is None:
                yield each
                continue
            at = 0 if kind == "/Font" else -1
            name = each.operands[at] if each.operands else None
            if not isinstance(name, str) or (kind == "/ColorSpace" and name in _BUILT_IN):
                yield each
                continue
            if (kind, name) not in self.names:
                self.names[kind, name] = self._call(kind, name)
            if (known := self.names[kind, name]) is not None:
                operands = [known, *each.operands[1:]] if at == 0 else [*each.operands[:-1], known]
                yield each if known == name else Instruction.common(each.operator, *operands)

    def _call(self, kind: str, name: str) -> str | None:
        """The new name of a thing, under which it is in its table then."""
        copy = self.given.get((kind, name))
        if copy is None:
            copy = self.copier.named(kind, self.resources.find(kind, name))
        if copy is None:
            return None
        table = self.tables.setdefault(kind, Dictionary())
        made = f"/{vocabulary.LETTERS[kind]}{len(table.keys()) + 1}"
        table[made] = copy
        return made

    def dictionary(self) -> Dictionary:
        return Dictionary({kind: self.tables[kind] for kind in vocabulary.RESOURCES if kind in self.tables})


def _own(value: Any) -> Any:
    """A number, name or the like that belongs to no file."""
    is_foreign = isinstance(value, pikepdf.Object) and value.is_indirect
    return pikepdf.Object.parse(value.unparse(resolved=True)) if is_foreign else value


def _as_name(name: str) -> Name:
    return Name(name if name.startswith("/") and len(name) > 1 else "/Unnamed")
