"""An order of characters that depends on what they are, never on when a document first needed them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

SPACE = 32


@dataclass(frozen=True, slots=True)
class Character:
    """One code of a font that is shown: what it reads as, how wide it is, and how its glyph looks."""

    code: bytes
    text: str = field(repr=False)
    width: float | None
    glyph: Any
    """The number or name of the glyph in the program of the font; None if it has none."""
    digest: bytes
    extra: tuple[float, ...] = ()
    """Where it hangs when text runs downwards."""
    is_spaced: bool = False
    """Whether word spacing applies to it, so that its code has to stay."""

    @property
    def rank(self) -> tuple[Any, ...]:
        width = -1.0 if self.width is None else self.width
        return not self.is_spaced, self.text, self.digest, width, self.extra


def ranked(characters: Iterable[Character]) -> list[list[Character]]:
    """Characters in order; those that nobody can tell apart are together."""
    ordered = sorted(characters, key=lambda character: (character.rank, character.code))
    return [list(group) for _, group in groupby(ordered, key=lambda character: character.rank)]


def simple_codes(groups: Sequence[Sequence[Character]], *, has_word_spacing: bool) -> list[int]:
    """A code of one byte for every group: an ASCII character has its own, all others are numbered from 128.

    A space to which word spacing applies stays 32, and where there is such spacing nothing else becomes 32.
    """
    ascii_codes = range(SPACE + has_word_spacing, 127)
    wishes: dict[int, int] = {}
    for index, (first, *_) in enumerate(groups):
        code = SPACE if first.is_spaced else ord(first.text) if len(first.text) == 1 else -1
        if first.is_spaced or (code in ascii_codes and code not in wishes):
            wishes[code] = index
    found = {index: code for code, index in wishes.items()}
    free = (code for code in chain(range(128, 256), range(1, 32), (127,), ascii_codes, (0,)) if code not in wishes)
    return [found[index] if index in found else next(free) for index in range(len(groups))]


def new_codes(groups: Sequence[Sequence[Character]], codes: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Old codes with the new ones."""
    for group, code in zip(groups, codes, strict=True):
        for character in group:
            yield character.code, code
