"""From an edited text to replacements of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Piece, TextDecision
from withhold.spans import Span
from withhold.types import Replacement

if TYPE_CHECKING:
    from withhold.types import Document

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_STRETCH = re.compile(r"[^.!?\n]*(?:[.!?\n]+\s*|\Z)")
_COMPARED = 1500
"""A stretch of more words and signs that was changed throughout is taken to be written anew as a whole."""

Region = tuple[int, int, str]


def rewritten(document: Document, pieces: Sequence[Piece], text: str) -> TextDecision:
    """What was changed in the text that the pieces are, as replacements of the document's own text.

    Where a person wrote into something that is changed already, all of that is replaced.
    """
    before = "".join(piece.text for piece in pieces)
    found: list[Region] = []
    for region in _changed(before, text):
        if found and _changes(pieces, found[-1]) & _changes(pieces, region):
            start, end, written = found.pop()
            region = start, region[1], written + before[end : region[0]] + region[2]
        found.append(region)
    mapped = [_in_source(pieces, *region) for region in found]
    return TextDecision(tuple(Replacement(Span(start, end), written) for start, end, written in mapped))


def _changes(pieces: Sequence[Piece], region: Region) -> set[int]:
    """Where the changed pieces begin that a stretch takes."""
    return {at for at, piece in _taken(pieces, region[0], region[1]) if piece.change is not None}


def _changed(before: str, after: str) -> Iterator[Region]:
    """The stretches of one text in place of which another one has something else: first by sentences and lines, then
    word by word in those that differ.
    """
    one, other = _STRETCH.findall(before), _STRETCH.findall(after)
    for start, left, right in _differences(one, other):
        yield from _by_words(start, "".join(left), "".join(right))


def _by_words(at: int, before: str, after: str) -> Iterator[Region]:
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    if max(len(one), len(other)) > _COMPARED:
        yield at, at + len(before), after
        return
    for start, left, right in _differences(one, other):
        yield at + start, at + start + len("".join(left)), "".join(right)


def _differences(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, Sequence[str], Sequence[str]]]:
    """Where two lists of texts differ: from which character on, and what the one and the other have there."""
    first, most = 0, min(len(one), len(other))
    while first < most and one[first] == other[first]:
        first += 1
    last = 0
    while last < most - first and one[-1 - last] == other[-1 - last]:
        last += 1
    left, right = one[first : len(one) - last], other[first : len(other) - last]
    at, done = sum(map(len, one[:first])), 0
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        at, done = at + sum(map(len, left[done:i])), i
        if tag != "equal":
            yield at, left[i:j], right[k:m]


def _in_source(pieces: Sequence[Piece], start: int, end: int, written: str) -> Region:
    """A stretch of the pieces' text as one of the source; of a changed piece it is all of it."""
    first, last = None, 0
    for at, piece in _taken(pieces, start, end):
        kept = piece.change is None
        begins = piece.span.start + max(start - at, 0) if kept else piece.span.start
        last = piece.span.start + min(end - at, len(piece.text)) if kept else piece.span.end
        written = written if kept else _around(piece, start - at, end - at, written)
        first = begins if first is None else first
    return (last if first is None else first), last, written


def _taken(pieces: Sequence[Piece], start: int, end: int) -> list[tuple[int, Piece]]:
    """The pieces that have to be written anew. What is put in belongs to one that is kept, if it stands beside one."""
    touched = list(_touched(pieces, start, end))
    if start < end:
        return touched
    return ([each for each in touched if each[1].change is None] or touched)[:1]


def _touched(pieces: Sequence[Piece], start: int, end: int) -> Iterator[tuple[int, Piece]]:
    """The pieces that a stretch of their text has a part of, or stands beside if it is empty, and where they begin."""
    at = 0
    for piece in pieces:
        stop = at + len(piece.text)
        if (at < end and start < stop) or (start == end and at <= start <= stop):
            yield at, piece
        at = stop


def _around(piece: Piece, start: int, end: int, written: str) -> str:
    """What was written into a piece, with what is left of the piece on its two sides."""
    return piece.text[: max(start, 0)] + written + piece.text[end:]


def anchored(document: Document, replacement: Replacement) -> Replacement:
    """The replacement over at least one character: where something is put in, the sign or space beside it, or else a
    letter, is written again. A line break between two blocks cannot be.
    """
    span, text = replacement.span, document.text
    if span:
        return replacement
    inside = _block(document, span.start)
    sides = [at for at in (span.start - 1, span.start) if inside.start <= at < inside.end]
    if not sides:
        return replacement
    at = next((at for at in sides if not text[at].isalnum()), sides[0])
    written = text[at] + replacement.text if at < span.start else replacement.text + text[at]
    return Replacement(Span(at, at + 1), written)


def _block(document: Document, at: int) -> Span:
    for block in document.blocks:
        if block.span.start <= at <= block.span.end:
            return block.span
    return Span(0, len(document.text))
