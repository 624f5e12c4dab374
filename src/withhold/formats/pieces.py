"""Blocks of text that a file holds in several pieces: runs, text nodes, an attribute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from withhold.formats.blocks import Draft
from withhold.types import Replacement


@dataclass(slots=True)
class Piece:
    """Some characters of a block, and the way to put others in their place."""

    text: str
    write: Callable[[str], None]


@dataclass(slots=True)
class Place:
    """One block of a file: its pieces in order, and what it is."""

    pieces: list[Piece]
    kind: str
    where: str = ""
    atomic: bool = False

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def draft(places: Sequence[Place]) -> Draft:
    """The text of a document made of these places."""
    result = Draft()
    for place in places:
        result.add(place.text, place.kind, place.where, atomic=place.atomic)
    return result


def change(place: Place, replacements: Sequence[Replacement]) -> list[Piece]:
    """Make the replacements in the file; the pieces that were touched are returned.

    The new text goes into the first piece a replacement touches, so it looks like what stood there first.
    """
    touched: list[Piece] = []
    start = first = 0
    for piece in place.pieces:
        end = start + len(piece.text)
        while first < len(replacements) and replacements[first].span.end <= start:
            first += 1
        text, done, index = "", start, first
        while index < len(replacements) and replacements[index].span.start < end:
            each = replacements[index]
            text += piece.text[done - start : max(each.span.start, start) - start]
            text += each.text if each.span.start >= start else ""
            done = min(each.span.end, end)
            index += 1
        if index > first:
            piece.write(text + piece.text[done - start :])
            touched.append(piece)
        start = end
    return touched
