"""Blocks of text that a file holds in several pieces: runs, text nodes, an attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from withhold.formats.blocks import Draft
from withhold.types import Replacement


class Writable(Protocol):
    """Some characters of a block, and the way to put others in their place."""

    @property
    def text(self) -> str: ...

    def write(self, text: str, /) -> None: ...


@dataclass(slots=True, repr=False)
class Piece:
    """Characters that a function of their own puts into the file."""

    text: str
    write: Callable[[str], None]


@dataclass(slots=True, repr=False)
class Place:
    """One block of a file: its pieces in order, and what it is."""

    pieces: Sequence[Writable]
    kind: str
    where: str = ""
    atomic: bool = False

    @property
    def text(self) -> str:
        return "".join([piece.text for piece in self.pieces])


def draft(places: Iterable[Place]) -> Draft:
    """The text of a document made of these places."""
    result = Draft()
    for place in places:
        lengths = [len(piece.text) for piece in place.pieces]
        ends = [end for end, length in zip(accumulate(lengths), lengths, strict=True) if length]
        result.add(place.text, place.kind, place.where, atomic=place.atomic, seams=ends[:-1])
    return result


def change(place: Place, replacements: Sequence[Replacement]) -> list[Writable]:
    """Make the replacements in the file; the pieces that were touched are returned.

    The new text goes into the first piece a replacement touches, so it looks like what stood there first.
    """
    touched: list[Writable] = []
    start = first = 0
    for piece in place.pieces:
        old = piece.text
        end = start + len(old)
        while first < len(replacements) and replacements[first].span.end <= start:
            first += 1
        if first == len(replacements):
            break
        new, done, index = [], start, first
        while index < len(replacements) and replacements[index].span.start < end:
            each = replacements[index]
            new.append(old[done - start : max(each.span.start, start) - start])
            new.append(each.text if each.span.start >= start else "")
            done = min(each.span.end, end)
            index += 1
        if new:
            piece.write("".join(new) + old[done - start :])
            touched.append(piece)
        start = end
    return touched
