"""Edits in the coordinates of a file: which block each falls into, and what each block becomes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from withhold.spans import Span
from withhold.types import Block, Document, Replacement


@dataclass(repr=False)
class Draft:
    """The text of a document under construction, block by block."""

    texts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, kind: str, where: str = "", *, atomic: bool = False, seams: Iterable[int] = ()) -> None:
        """Add a block; its seams are counted from its start."""
        start = self.length + 1 if self.blocks else 0
        self.length = start + len(text)
        self.texts.append(text)
        shifted = tuple(start + seam for seam in seams)
        self.blocks.append(Block(Span(start, self.length), kind, where, atomic, shifted))

    def finish(self) -> tuple[str, tuple[Block, ...]]:
        return "\n".join(self.texts), tuple(self.blocks)


Local = list[Replacement]
"""The replacements inside one block, counted from its start."""


def localise(blocks: Sequence[Block], replacements: Iterable[Replacement]) -> dict[int, Local]:
    """The replacements by block, in block coordinates.

    A replacement that spans several blocks puts its text into each, so that every removal can be seen. Touching an
    atomic block takes the whole of it, and puts nothing in its place.
    """
    local: dict[int, Local] = {}
    first = 0
    for replacement in sorted(replacements, key=lambda each: each.span):
        while first < len(blocks) and blocks[first].span.end <= replacement.span.start:
            first += 1
        for index in range(first, len(blocks)):
            block = blocks[index]
            if block.span.start >= replacement.span.end:
                break
            shared = block.span.clip(replacement.span)
            if shared is None:
                continue
            if block.atomic:
                local[index] = [Replacement(Span(0, len(block.span)), "")]
            else:
                inside = shared.shift(-block.span.start)
                local.setdefault(index, []).append(Replacement(inside, replacement.text))
    return local


def splice(text: str, replacements: Iterable[Replacement]) -> str:
    """The text with sorted, disjoint replacements made."""
    pieces: list[str] = []
    done = 0
    for replacement in replacements:
        pieces += (text[done : replacement.span.start], replacement.text)
        done = replacement.span.end
    pieces.append(text[done:])
    return "".join(pieces)


_PADDING = re.compile(r" {2,}")
LEADERS = "._\u00b7\u2022\u2024\u2026-"
"""What rows are made of that lead over a line to what stands at its end."""
_LEADER = re.compile(rf"[ \u00a0]*([{LEADERS}])(?:[ \u00a0]*\1){{3,}}[ \u00a0]*")
_FILL = re.compile(rf"{_LEADER.pattern}| {{3,}}")
"""What fills a line up to where something else stands."""


def level(text: str, replacements: Sequence[Replacement]) -> list[Replacement]:
    """The replacements, widened over the spaces that line up columns around them, and with others for what fills the
    rest of their lines: rows of points and the like.

    Where someone has padded columns by hand, the number of spaces tells the length of what stood there: two spaces
    stay on each side. The indentation of a line is left alone.
    """
    levelled: list[Replacement] = []
    done = 0
    ordered = sorted(replacements, key=lambda replacement: replacement.span)
    limits = [*(each.span.start for each in ordered[1:]), len(text)]
    for each, limit in zip(ordered, limits, strict=False):
        start, end = each.span.start, each.span.end
        while start > done and text[start - 1] == " ":
            start -= 1
        is_padded = each.span.start - start >= 2 and text[max(start - 1, 0) : start] not in ("", "\n")
        after = _PADDING.match(text, end, limit)
        is_padded_after = after is not None and not _LEADER.match(text, end, limit)
        start = start if is_padded else each.span.start
        levelled += _filled(text, done, start, is_before=True)
        done = after.end() if after and is_padded_after else end
        written = ("  " if is_padded else "") + each.text + ("  " if is_padded_after else "")
        levelled.append(Replacement(Span(start, done), written))
        if not is_padded_after:
            levelled += _filled(text, done, limit, is_before=False)
            done = max(done, levelled[-1].span.end)
    return levelled


def _filled(text: str, start: int, end: int, *, is_before: bool) -> list[Replacement]:
    """What becomes of the next row of points or spaces before or after a replacement in its line: a few of them."""
    if is_before:
        line = text.rfind("\n", start, end) + 1 or start
        found = [each for each in _FILL.finditer(text, line, end) if each.start() > line or text[line] != " "][-1:]
    else:
        line = text.find("\n", start, end)
        found = [each for each in (_FILL.search(text, start, end if line < 0 else line),) if each is not None]
    return [Replacement(Span(*each.span()), f" {each[1] * 3} " if each[1] else "  ") for each in found]


def join(document: Document, replacements: Sequence[Replacement], mark: str) -> list[Replacement]:
    """The replacements, with those as one that write the mark and have nothing but spaces between them in one block:
    how many there are would tell something of what stood there.
    """
    joined: list[Replacement] = []
    ends = [block.span.end for block in document.blocks]
    for each in sorted(replacements, key=lambda replacement: replacement.span):
        last = joined[-1] if joined else None
        if last is not None and last.text == each.text == mark and _beside(document, last.span, each.span, ends):
            joined[-1] = Replacement(Span(last.span.start, each.span.end), each.text)
        else:
            joined.append(each)
    return joined


def _beside(document: Document, first: Span, second: Span, ends: Sequence[int]) -> bool:
    """Whether two spans of one block have nothing but spaces between them."""
    between = document.text[first.end : second.start]
    number = bisect_left(ends, first.end)
    return not between.strip(" \t\u00a0") and number < len(ends) and second.end <= ends[number]


class Changes:
    """What some replacements make of a document, worked out once."""

    def __init__(self, document: Document, replacements: Iterable[Replacement]) -> None:
        self.document = document
        self.local = localise(document.blocks, replacements)

    @cached_property
    def edited(self) -> list[str]:
        """What each block of the document becomes."""
        text = self.document.text
        return [
            splice(block.span.of(text), self.local.get(index, ())) for index, block in enumerate(self.document.blocks)
        ]

    @cached_property
    def removed(self) -> set[str]:
        """The stretches of text that are taken away, one for each block that a replacement touches."""
        starts = {index: self.document.blocks[index].span.start for index in self.local}
        text = self.document.text
        return {
            text[starts[index] + change.span.start : starts[index] + change.span.end]
            for index, changes in self.local.items()
            for change in changes
        }

    @property
    def untold(self) -> set[str]:
        """What no name in the file may tell: what is removed, and what the policy names."""
        return {*self.removed, *self.document.unwanted}


def edited(document: Document, replacements: Iterable[Replacement]) -> list[str]:
    """What each block of the document becomes."""
    return Changes(document, replacements).edited


def marks(document: Document, replacements: Iterable[Replacement], result: Document) -> list[tuple[Span, Span]]:
    """Where in the result the replacements stand: what each took away, and the characters it put there."""
    found: list[tuple[Span, Span]] = []
    for start, shift, changes, _ in _changed(document, replacements, result):
        for change in changes:
            put = Span(change.span.start, change.span.start + len(change.text)).shift(shift)
            found.append((change.span.shift(start), put))
            shift += len(change.text) - len(change.span)
    return found


def kept(document: Document, replacements: Iterable[Replacement], result: Document) -> list[tuple[Span, Span]]:
    """What the result has of the document: where each stretch stood, and where it stands."""
    found: list[tuple[Span, Span]] = []
    for start, shift, changes, end in _changed(document, replacements, result):
        at = 0
        for change in (*changes, Replacement(Span(end, end), "")):
            stretch = Span(at, change.span.start)
            if stretch:
                found.append((stretch.shift(start), stretch.shift(shift)))
            shift += len(change.text) - len(change.span)
            at = change.span.end
    return found


def _changed(
    document: Document, replacements: Iterable[Replacement], result: Document
) -> Iterator[tuple[int, int, Local, int]]:
    """Of every block that is left: where it started and starts, its changes, and how long it was."""
    changes = Changes(document, replacements)
    blocks = (block for block in result.blocks if block.span)
    for index, text in enumerate(changes.edited):
        if text:
            was = document.blocks[index].span
            yield was.start, next(blocks).span.start, changes.local.get(index, []), len(was)
