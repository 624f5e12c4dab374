"""Which codes of which fonts are shown, by every stream of a file, and those streams with other codes.

Followed are pages, forms, tiling patterns, groups of soft masks, appearances of annotations and the procedures of
Type 3 fonts. A form can show text in a font that its caller has set, so fonts are followed into forms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream

from withhold.errors import HostileDocument
from withhold.formats.pdf.fonts import showing
from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.tokens import Instruction, written

Key = tuple[int, int]
"""The number and generation of an object."""
_DEEPEST = 28
_SHOWING = ("Tj", "TJ", "'", '"')


@dataclass(repr=False)
class Use:
    """What a file does with one font."""

    font: Dictionary
    strings: set[bytes] = field(default_factory=set)
    has_word_spacing: bool = False
    pages: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _State:
    """The part of the graphics state that says how strings are read."""

    font: Key | None = None
    spaced: bool = False
    is_inherited: bool = False


@dataclass(repr=False)
class _Walked:
    """A stream, cut at what may have to change: fonts that are set, and strings."""

    owner: Any
    resources: Key
    parts: list[bytes | tuple[Instruction, Key]] = field(default_factory=list)
    fonts: set[Key] = field(default_factory=set)
    inherits: bool = False
    came_with: Key | None = None


class Usage:
    """All that is shown in a file. Pages whose streams cannot be followed are in `faults`, with the reason."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.uses: dict[Key, Use] = {}
        self.faults: dict[int, str] = {}
        self._walked: dict[Key, _Walked] = {}
        self._resources: dict[Key, Dictionary] = {}
        self._named: dict[Key, set[Key]] = defaultdict(set)
        self._called: dict[Key, set[str]] = defaultdict(set)
        self._forms: dict[Key, Stream] = {}
        for number, page in enumerate(pdf.pages):
            self._guarded(number, page)

    def _guarded(self, number: int, page: pikepdf.Page) -> None:
        try:
            self._page(number, page)
        except (Unprunable, HostileDocument) as fault:
            self.faults[number] = str(fault)
        except (pikepdf.PdfError, ValueError, TypeError, KeyError, RecursionError):
            self.faults[number] = "the page has a stream that cannot be followed"

    def _page(self, number: int, page: pikepdf.Page) -> None:
        resources = self._resources_of(page.obj, page.obj)
        page.contents_coalesce()
        contents = page.obj.get("/Contents")
        if isinstance(contents, Stream):
            # Two pages can share a stream, but not what it means: each gets its own.
            page.obj.Contents = self.pdf.make_stream(contents.read_bytes())
            self._stream(number, page.obj.Contents, resources, _State(), 0)
        for appearance in _appearances(page.obj):
            own = self._resources_of(appearance, appearance)
            self._stream(number, appearance, own, _State(), 0)

    def _resources_of(self, holder: Any, owner: Any) -> Key:
        """The resources of a page, form, pattern or font, as something to look names up in."""
        found = holder.get("/Resources")
        if not isinstance(found, Dictionary):
            found = holder.Resources = Dictionary()
        if not found.is_indirect:
            holder.Resources = found = self.pdf.make_indirect(found)
        key = found.objgen
        self._resources[key] = found
        return key

    def walk_procedures(self, use: Use, procedures: Mapping[str, Stream]) -> None:
        """Follow what the glyphs of a Type 3 font draw. Its own resources count, or else those of its pages."""
        own = self._resources_of(use.font, use.font)
        for _, stream in sorted(procedures.items()):
            for number in sorted(use.pages):
                self._stream(number, stream, own, _State(), 1)

    def _stream(self, number: int, stream: Stream, resources: Key, state: _State, depth: int) -> set[Key]:
        """The fonts that a stream and all streams in it show text in."""
        if depth > _DEEPEST:
            raise Unprunable("forms nest further than is safe")
        if not stream.is_indirect:
            raise Unprunable("a form is not an object of its own")
        walked = self._walked.get(stream.objgen)
        if walked is None:
            walked = self._walked[stream.objgen] = _Walked(stream, resources, came_with=state.font)
            self._patterns(number, walked, depth)
            _Walk(self, walked, number, depth).run(state)
        elif walked.resources != resources:
            raise Unprunable("a form means one thing here and another thing there")
        elif walked.inherits and state.font != walked.came_with:
            raise Unprunable("a form shows text in whatever font it finds")
        for key in walked.fonts:
            self.uses[key].pages.add(number)
            self.uses[key].has_word_spacing |= state.spaced
        return walked.fonts

    def form(self, number: int, walked: _Walked, name: str, state: _State, depth: int) -> None:
        """Follow a form that `Do` names; anything else it may name shows no text."""
        self._called[walked.resources].add(name)
        form = self._look_up(walked.resources, "/XObject", name)
        if not isinstance(form, Stream) or form.get("/Subtype") != "/Form":
            return
        self._forms[form.objgen] = form
        own = self._resources_of(form, form) if "/Resources" in form else walked.resources
        walked.fonts |= self._stream(number, form, own, state, depth + 1)
        walked.inherits |= state.is_inherited and self._walked[form.objgen].inherits

    def _patterns(self, number: int, walked: _Walked, depth: int) -> None:
        """Patterns and soft masks that the resources of a stream name: whether it uses them does not matter."""
        found = self._resources[walked.resources]
        for pattern in _streams(found.get("/Pattern")):
            walked.fonts |= self._stream(number, pattern, self._resources_of(pattern, pattern), _State(), depth + 1)
        for name, state in _items(found.get("/ExtGState")):
            self.font_of_state(walked, name)
            mask = state.get("/SMask") if isinstance(state, Dictionary) else None
            group = mask.get("/G") if isinstance(mask, Dictionary) else None
            if isinstance(group, Stream):
                walked.fonts |= self._stream(number, group, self._resources_of(group, group), _State(), depth + 1)

    def _look_up(self, resources: Key, kind: str, name: str) -> Any:
        entries = self._resources[resources].get(kind)
        return entries.get(name) if isinstance(entries, Dictionary) and len(name) > 1 else None

    def font(self, walked: _Walked, name: str) -> Key | None:
        """The font of a name, made an object of its own if it is not."""
        font = self._look_up(walked.resources, "/Font", name)
        if not isinstance(font, Dictionary):
            return None
        if not font.is_indirect:
            font = self._resources[walked.resources].Font[name] = self.pdf.make_indirect(font)
        self._named[walked.resources].add(font.objgen)
        return self._known(font)

    def font_of_state(self, walked: _Walked, name: str) -> Key | None:
        """The font that a graphics state sets; None if it sets none."""
        state = self._look_up(walked.resources, "/ExtGState", name)
        pair = state.get("/Font") if isinstance(state, Dictionary) else None
        if not isinstance(pair, Array) or not len(pair) or not isinstance(pair[0], Dictionary):
            return None
        if not pair[0].is_indirect:
            pair[0] = self.pdf.make_indirect(pair[0])
        return self._known(pair[0])

    def _known(self, font: Dictionary) -> Key:
        key: Key = font.objgen
        self.uses.setdefault(key, Use(font))
        return key

    def rewrite(self, codes: Mapping[Key, Mapping[bytes, bytes]]) -> None:
        """Write all streams anew, with other strings where `codes` has any, fonts by other names, and none unused; nor
        anything else that is not drawn.
        """
        shown = [key for key, use in self.uses.items() if any(use.strings)]
        names = {key: f"/F{index}" for index, key in enumerate(shown, start=1)}
        order = {key: index for index, key in enumerate(shown)}
        for walked in self._walked.values():
            walked.owner.write(b"".join(_written(walked.parts, names, codes)))
        for key, resources in self._resources.items():
            fonts = sorted((font for font in self._named.get(key, ()) if font in order), key=order.__getitem__)
            if "/Font" in resources:
                del resources["/Font"]
            for name, _ in _items(resources.get("/XObject")):
                if name not in self._called.get(key, ()):
                    del resources.XObject[name]
            if fonts:
                resources.Font = Dictionary({names[font]: self.uses[font].font for font in fonts})
        for holder in [*(page.obj for page in self.pdf.pages), *self._forms.values()]:
            if "/Resources" in holder:
                holder.Resources = Dictionary(dict(holder.Resources.items()))


class _Walk:
    """One pass over a stream, with the graphics states it saves."""

    def __init__(self, usage: Usage, walked: _Walked, number: int, depth: int) -> None:
        self.usage = usage
        self.walked = walked
        self.number = number
        self.depth = depth
        self.raw: list[Instruction] = []
        self.fonts: dict[str, Key | None] = {}

    def run(self, state: _State) -> None:
        self.state = _State(state.font, state.spaced, is_inherited=self.depth > 0)
        self.saved = [self.state]
        for each in showing.parts(self.walked.owner.read_bytes()):
            if not each.operator:
                self.raw.append(each)
            elif each.operator in _SHOWING:
                self._show(each)
            else:
                self._other(each)
        self._flush()

    def _other(self, each: Instruction) -> None:
        name = each.operands[0] if each.operands and isinstance(each.operands[0], str) else ""
        if each.operator == "Tf":
            if name not in self.fonts:
                self.fonts[name] = self.usage.font(self.walked, name)
            self._set(self.fonts[name])
            if self.state.font is not None:
                self._mark(each)
                return
        elif each.operator == "gs":
            font = self.usage.font_of_state(self.walked, name)
            if font is not None:
                self._set(font)
        elif each.operator == "Tw":
            self.state = replace(self.state, spaced=_is_spaced(each.operands))
        elif each.operator == "q":
            self.saved.append(self.state)
        elif each.operator == "Q":
            self.state = self.saved.pop() if len(self.saved) > 1 else self.saved[0]
        elif each.operator == "Do":
            self.usage.form(self.number, self.walked, name, self.state, self.depth)
        self.raw.append(each)

    def _set(self, font: Key | None) -> None:
        if font != self.state.font or self.state.is_inherited:
            self.state = _State(font, self.state.spaced)  # and from here on it is the stream's own

    def _show(self, each: Instruction) -> None:
        if each.operator == '"' and len(each.operands) == 3:
            self.state = replace(self.state, spaced=_is_spaced(each.operands[:1]))
        if self.state.font is None:
            self.raw.append(each)
            return
        use = self.usage.uses[self.state.font]
        use.has_word_spacing |= self.state.spaced
        use.strings.update(strings(each))
        self.walked.inherits |= self.state.is_inherited
        self.walked.fonts.add(self.state.font)
        self._mark(each)

    def _mark(self, each: Instruction) -> None:
        assert self.state.font is not None
        self._flush()
        self.walked.parts.append((each, self.state.font))

    def _flush(self) -> None:
        if self.raw:
            self.walked.parts.append(written(self.raw) + b"\n" if len(self.raw) > 1 else self.raw[0].raw + b"\n")
            self.raw = []


def strings(each: Instruction) -> list[bytes]:
    """The strings that an instruction shows."""
    last = each.operands[-1] if each.operands else None
    return [part for part in (last if isinstance(last, list) else [last]) if isinstance(part, bytes)]


def _is_spaced(operands: list[Any]) -> bool:
    return bool(operands) and isinstance(operands[0], int | float) and operands[0] != 0


def _written(
    parts: list[bytes | tuple[Instruction, Key]], names: Mapping[Key, str], codes: Mapping[Key, Mapping[bytes, bytes]]
) -> Iterator[bytes]:
    known: dict[tuple[bytes, Key], bytes] = {}
    for part in parts:
        if isinstance(part, bytes):
            yield part
            continue
        each, font = part
        if each.operator == "Tf":
            if font in names:
                if (each.raw, font) not in known:
                    known[each.raw, font] = Instruction.of("Tf", names[font], *each.operands[1:]).raw + b"\n"
                yield known[each.raw, font]
        elif font in codes:
            yield _recoded(each, codes[font]) + b"\n"
        else:
            yield each.raw + b"\n"


def _recoded(each: Instruction, strings: Mapping[bytes, bytes]) -> bytes:
    *before, last = each.operands or [b""]
    if isinstance(last, list):
        last = [strings.get(part, part) if isinstance(part, bytes) else part for part in last]
    else:
        last = strings.get(last, last)
    if each.operator == "Tj" and isinstance(last, bytes) and not before:
        return b"<%b> Tj" % last.hex().upper().encode()
    return Instruction.of(each.operator, *before, last).raw


def _items(entries: Any) -> list[tuple[str, Any]]:
    return [(key, entries[key]) for key in sorted(entries.keys())] if isinstance(entries, Dictionary) else []


def _values(entries: Any) -> list[Any]:
    return [value for _, value in _items(entries)]


def _streams(entries: Any) -> list[Stream]:
    return [value for value in _values(entries) if isinstance(value, Stream)]


def _appearances(page: Any) -> Iterator[Stream]:
    """The streams that draw the annotations of a page, in all their states."""
    annotations = page.get("/Annots")
    for annotation in annotations if isinstance(annotations, Array) else ():
        looks = annotation.get("/AP") if isinstance(annotation, Dictionary) else None
        for look in _values(looks):
            yield from [look] if isinstance(look, Stream) else _streams(look)
