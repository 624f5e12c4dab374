"""The letters of a line as one reads them: what is drawn in one place as one, and in the order of the script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from withhold.formats.pdf.glyphs import Glyph

_MARKS = str.maketrans(
    "`\u00b4^\u02c6~\u02dc\u00a8\u00af\u02c9\u02d8\u02d9\u00b0\u02da\u02dd\u02c7\u00b8\u02db",
    "\u0300\u0301\u0302\u0302\u0303\u0303\u0308\u0304\u0304\u0306\u0307\u030a\u030a\u030b\u030c\u0327\u0328",
)
"""Accents that are drawn by themselves, and what they are over a letter."""
_DOTLESS = str.maketrans("\u0131\u0237", "ij")
_SHARED = 0.5
"""Glyphs that share more of their width stand in one place."""
_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@dataclass(slots=True, repr=False, eq=False)
class Letter:
    """One letter of a line; without a glyph, a space that is nowhere but in the eye of the reader."""

    text: str
    glyph: Glyph | None = None
    others: tuple[Glyph, ...] = ()
    """What belongs to it besides: its accent, the same letter once more, spaces beyond the end of the line."""

    @property
    def accents(self) -> tuple[Glyph, ...]:
        return tuple(each for each in self.others if is_accent(each.text))


def is_accent(text: str) -> bool:
    """Whether this is an accent without a letter."""
    return text.translate(_MARKS) != text and len(text) == 1


def are_one(first: Glyph, second: Glyph) -> bool:
    """Whether two glyphs stand in one place, as an accent over its letter and a letter that is drawn twice do."""
    ux, uy = first.show.direction
    step = (second.x - first.x) * ux + (second.y - first.y) * uy
    shared = min(first.advance, step + second.advance) - max(0.0, step)
    return shared > _SHARED * min(first.advance, second.advance) > 0


def merge(first: Glyph, second: Glyph) -> bool:
    """Whether two glyphs that follow one another are one letter."""
    return are_one(first, second) and _together(Letter(first.text, first), second) is not None


def merged(glyphs: Iterable[Glyph]) -> list[Letter]:
    """The letters that glyphs show, some of which are drawn of several glyphs."""
    found: list[Letter] = []
    for glyph in glyphs:
        last = found[-1] if found else None
        one = _together(last, glyph) if last is not None and last.glyph and are_one(last.glyph, glyph) else None
        if one is None:
            found.append(Letter(glyph.text, glyph))
        else:
            found[-1] = one
    return found


def _together(last: Letter, glyph: Glyph) -> Letter | None:
    """A letter and a glyph in the same place as one letter; None if they are two."""
    assert last.glyph is not None
    if last.glyph.text == glyph.text and not glyph.text.isspace():
        return Letter(last.text, last.glyph, (*last.others, glyph))
    if is_accent(glyph.text) and last.text.isalpha():
        return Letter(_accented(last.text, glyph.text), last.glyph, (*last.others, glyph))
    if is_accent(last.text) and glyph.text.isalpha():
        return Letter(_accented(glyph.text, last.text), glyph, (*last.others, last.glyph))
    return None


def _accented(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", letter.translate(_DOTLESS) + accent.translate(_MARKS))


# Scripts that run from right to left


def has_leftward(text: str) -> bool:
    """Whether any letter is of a script that is read from right to left."""
    return _LEFTWARD.search(text) is not None


def runs_leftward(texts: str) -> bool:
    """Whether a line is read from right to left, going by most of its letters."""
    if not _LEFTWARD.search(texts):
        return False
    kinds = [unicodedata.bidirectional(letter) for letter in texts]
    return sum(kind in ("R", "AL") for kind in kinds) >= kinds.count("L")


def order(texts: Sequence[str], *, leftward: bool) -> list[int]:
    """Where what one sees from left to right stands in what one reads, or the other way round: the same reversals lead
    there and back. Words of either direction, and numbers, keep their own.
    """
    if not leftward and not any(_LEFTWARD.search(text) for text in texts):
        return list(range(len(texts)))
    levels = _levels([_kind(text) for text in texts], leftward=leftward)
    result = list(range(len(texts)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(result):
            end = start
            while end < len(result) and levels[result[end]] >= level:
                end += 1
            result[start:end] = result[start:end][::-1]
            start = max(end, start + 1)
    return result


def _kind(text: str) -> str:
    """R and L for letters of either direction, N for numbers, the empty string for what has none of its own."""
    kinds = {unicodedata.bidirectional(letter) for letter in text}
    if kinds & {"R", "AL"}:
        return "R"
    return "L" if "L" in kinds else "N" if kinds & {"EN", "AN"} else ""


def _levels(kinds: Sequence[str], *, leftward: bool) -> list[int]:
    """How deep each part is nested: odd where it runs leftward."""
    before = _latest(kinds)
    after = _latest(kinds[::-1])[::-1]
    found = []
    for kind, left, right in zip(kinds, before, after, strict=True):
        if kind == "R":
            found.append(1)
        elif kind == "L" or (kind == "N" and not leftward and left != "R"):
            found.append(2 if leftward else 0)
        elif kind == "N":
            found.append(2)
        else:
            same = left if left == right else ""
            found.append({"R": 1, "L": 2 if leftward else 0}.get(same, 1 if leftward else 0))
    return _numbers_joined(kinds, found)


def _latest(kinds: Sequence[str]) -> list[str]:
    """For each part, the direction of the letters that came last."""
    found, last = list[str](), ""
    for kind in kinds:
        last = kind if kind in ("R", "L") else last
        found.append(last)
    return found


def _numbers_joined(kinds: Sequence[str], levels: list[int]) -> list[int]:
    """Points, commas and the like within a number belong to it."""
    for at in range(1, len(kinds) - 1):
        if not kinds[at] and kinds[at - 1] == kinds[at + 1] == "N":
            levels[at] = min(levels[at - 1], levels[at + 1])
    return levels
