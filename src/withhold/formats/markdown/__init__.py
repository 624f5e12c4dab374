"""Markdown: every byte that is not edited, and can be seen by a reader of the page, stays as it is.

Read are the text of the page without the signs that format it, front matter, link targets, titles, alt texts
and the labels of references. Comments, hidden and unknown HTML, attributes that bear no text, scripts, data:
addresses and definitions that nothing refers to are dropped with every rewrite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from withhold.errors import DamagedDocument
from withhold.formats.blocks import Draft, localise
from withhold.formats.markdown import writing
from withhold.formats.markdown.passages import passages
from withhold.formats.markdown.tokens import Definition, Unit, normalise
from withhold.formats.markdown.units import Page, parse
from withhold.formats.txt import decode, encode, invisible_characters
from withhold.types import Block, Document, Handling, Hidden, Notice, Passage, Replacement

Edits = dict[int, dict[int, list[Replacement]]]
"""The replacements by unit (its id) and by block of the unit."""


class Markdown:
    """Markdown files, told by their names only. Encoding, byte order mark and line ends are kept."""

    name = "markdown"
    extensions: tuple[str, ...] = (".md", ".markdown", ".mdown", ".mkd")

    def recognises(self, data: bytes) -> bool:
        return False

    def settle(self, data: bytes, handling: Handling) -> Handling:
        return replace(handling, encoding=decode(data, handling.encoding)[1])

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        page = parse(decode(data, handling.encoding)[0])
        draft = Draft()
        seams = {id(unit): unit.seams() for unit in page.units}
        for unit, index, text, where in _texts(page):
            slot = unit.slots[index]
            draft.add(text, slot.kind, where, atomic=slot.atomic, seams=seams[id(unit)][index])
        return draft.finish()

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        source, encoding, bom = decode(document.native, document.handling.encoding)
        page = parse(source)
        places = [(unit, index) for unit, index, _, _ in _texts(page)]
        if len(places) != len(document.blocks):
            raise DamagedDocument("the document was not read from this file")
        local = localise(document.blocks, replacements)
        edits: Edits = {}
        for number, changes in local.items():
            unit, index = places[number]
            edits.setdefault(id(unit), {})[index] = changes
        text, renamed = _written(page, edits)
        notices = Counter(token.dropped for unit in page.units for token in unit.drops() if token.dropped)
        found = [Notice(kind, "removed", count) for kind, count in sorted(notices.items())]
        if renamed:
            found.append(Notice("reference labels", "changed", renamed))
        return bom + encode(text, encoding), tuple(found)

    def passages(self, data: bytes) -> Iterator[Passage]:
        return passages(decode(data)[0])

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        source = decode(data)[0]
        page = parse(source)
        dropped: dict[str, list[str]] = {}
        for unit in page.units:
            if unit.kind == "front matter":
                yield Hidden("front matter", "start of the file", 1, source[unit.start : unit.end])
            for token in unit.drops():
                if token.dropped:
                    dropped.setdefault(token.dropped, []).append(source[token.start : token.end])
        for kind, texts in sorted(dropped.items()):
            yield Hidden(kind, "source", len(texts), "\n".join(texts))
        yield from invisible_characters(source, "source")


def _texts(page: Page) -> Iterator[tuple[Unit, int, str, str]]:
    """Every block that holds text: its unit, its number there, the text, and the line where its unit starts."""
    line, done = 1, 0
    for unit in page.units:
        line += len(re.findall(r"\r\n|\n|\r", page.source[done : unit.start]))
        done = unit.start
        for index, text in enumerate(unit.texts()):
            if text:
                yield unit, index, text, f"line {line}"


def _written(page: Page, edits: Edits) -> tuple[str, int]:
    """The new source and how many references were renamed."""
    setting = writing.setting(page, _new_names(page, edits))
    text = _assembled(page, edits, setting, writing.write)
    expected = [text for unit in page.units for text in writing.final_texts(unit, edits.get(id(unit), {})) if text]
    if [each for _, _, each, _ in _texts(parse(text))] != expected:
        text = _assembled(page, edits, setting, writing.write_firmly)
    return text, len(setting.names)


def _assembled(
    page: Page, edits: Edits, setting: writing.Setting, write: Callable[[Unit, writing.Edits, writing.Setting], str]
) -> str:
    pieces, done = [], 0
    for unit in page.units:
        pieces.append(page.source[done : unit.start])
        done = unit.end
        changes = edits.get(id(unit), {})
        if changes or any(token.kind == "drop" or token.definition in setting.names for token in unit.tokens):
            written = write(unit, changes, setting)
            apart = setting.newline if writing.merges(unit, written) else ""
            pieces.append(apart + written + apart)
        else:
            pieces.append(page.source[unit.start : unit.end])
    return "".join([*pieces, page.source[done:]])


def _new_names(page: Page, edits: Edits) -> dict[Definition, str]:
    """New labels for the definitions whose labels an edit touches."""
    taken = {normalise(label) for label in page.definitions}
    names: dict[Definition, str] = {}
    number = 0
    for unit in page.units:
        if unit.definition is not None and 0 in edits.get(id(unit), {}):
            number += 1
            while f"ref-{number}" in taken:
                number += 1
            names[unit.definition] = f"ref-{number}"
    return names
