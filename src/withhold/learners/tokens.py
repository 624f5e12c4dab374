"""A text cut into words and signs, with their places: what learners of word labels go by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from withhold.spans import Span
from withhold.text import Folded, fold

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts without spaces between words: every letter is cut off by itself."""
_LONGEST = 64
"""Of a longer word only this much is looked at."""
_STRETCH = 120
"""A paragraph of more words is cut after a sentence."""
_ENDS = frozenset(".!?。！？…")

Numbers = NDArray[np.int64]
Gaps = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, repr=False)
class Tokens:
    """The words and signs of a text: their forms without accents and disguise, and their places in the text itself.

    `gaps` tells what stands before each: 0 nothing, 1 a space, 2 a line break, 3 an empty line or the beginning.
    """

    forms: list[str]
    starts: Numbers
    ends: Numbers
    gaps: Gaps

    def __len__(self) -> int:
        return len(self.forms)

    def span(self, first: int, last: int) -> Span:
        """The characters from one token to another, both included."""
        return Span(int(self.starts[first]), int(self.ends[last]))

    def covered(self, span: Span) -> range:
        """The tokens that share a character with a span."""
        first = int(np.searchsorted(self.ends, span.start, "right"))
        return range(first, max(first, int(np.searchsorted(self.starts, span.end, "left"))) if span else first)

    def part(self, part: slice) -> Tokens:
        return Tokens(self.forms[part], self.starts[part], self.ends[part], self.gaps[part])

    def stretches(self) -> Iterator[slice]:
        """The tokens in stretches to be read as one: paragraphs, and pieces of those that are long.

        Where a text is cut depends on nothing but the text around the cut.
        """
        start = 0
        for end in [*np.flatnonzero(self.gaps[1:] == 3).tolist(), len(self) - 1]:
            while end + 1 - start > _STRETCH:
                cut = self._cut(start)
                yield slice(start, cut)
                start = cut
            if end + 1 > start:
                yield slice(start, end + 1)
            start = end + 1

    def _cut(self, start: int) -> int:
        """Where a long paragraph is cut: behind the last sentence that ends early enough, or else between two words."""
        for place in range(start + _STRETCH, start + _STRETCH // 2, -1):
            if self.forms[place - 1][-1] in _ENDS and self.gaps[place]:
                return place
        return start + _STRETCH


def parts(text: str, longest: int) -> Iterator[Span]:
    """A text in parts that are not long, cut between lines, or between words if need be."""
    start = 0
    while len(text) - start > longest:
        middle, end = start + longest // 2, start + longest
        cuts = (text.rfind(sign, middle, end) for sign in ("\n\n", "\n", " "))
        cut = next((place + 1 for place in cuts if place >= 0), end)
        yield Span(start, cut)
        start = cut
    yield Span(start, len(text))


def cut(text: str) -> Tokens:
    """The words and signs of a text. Look-alike letters count as what they look like, invisible characters not at all;
    a sign that is repeated is one.
    """
    folded = fold(text, keep_case=True)
    matches = [match.span() for match in _token().finditer(folded.text)]
    places = np.array(matches, np.int64).reshape(-1, 2)
    forms = [folded.text[start : min(end, start + _LONGEST)] for start, end in matches]
    gaps = gaps_before(folded.text, places)
    if folded.text != text:
        places = _originals(folded, places)
        if np.any(places[1:, 0] < places[:-1, 1]):
            forms, places, gaps = _joined(forms, places, gaps)
    return Tokens(forms, places[:, 0], places[:, 1], gaps)


def _joined(forms: list[str], places: Numbers, gaps: Gaps) -> tuple[list[str], Numbers, Gaps]:
    """The tokens with those made one that come from the same character, such as a fraction."""
    firsts = np.flatnonzero(np.append(True, places[1:, 0] >= places[:-1, 1]))
    lasts = np.append(firsts[1:], len(forms)) - 1
    joined = ["".join(forms[first : last + 1])[:_LONGEST] for first, last in zip(firsts, lasts, strict=True)]
    return joined, np.stack([places[firsts, 0], places[lasts, 1]], axis=1), gaps[firsts]


def _originals(folded: Folded, places: Numbers) -> Numbers:
    """`folded.span` of many places at once."""
    positions = np.array([*folded.positions, len(folded.text)], np.int64)
    sources, kinds = np.array([*folded.sources, folded.length], np.int64), np.array([*folded.kinds, 0], np.int64)
    runs = np.searchsorted(positions, places, "right") - 1
    # A place inside a run whose characters all come from one place is behind that place if something ends there.
    runs[:, 1] += (kinds[runs[:, 1]] == 0) & (places[:, 1] > positions[runs[:, 1]])
    inside = np.maximum(places - positions[runs], 0)
    originals: Numbers = sources[runs] + inside * kinds[runs]
    return originals


@cache
def _token() -> re.Pattern[str]:
    marks = re.escape("".join(chr(code) for code in range(0x10000) if category(chr(code)) in ("Mn", "Mc")))
    return re.compile(rf"[^\W_{_UNSPACED}]+(?:[{marks}]+[^\W_{_UNSPACED}]*)*|[{_UNSPACED}]|([^\w\s]|_)\1*")


def gaps_before(text: str, places: Numbers) -> Gaps:
    """What stands before each token, from the line breaks counted up to it."""
    if not len(places):
        return np.zeros(0, np.uint8)
    breaks = np.array([match.start() for match in re.finditer("\n", text)], np.int64)
    before = np.concatenate([[0], places[:-1, 1]])
    lines = np.searchsorted(breaks, places[:, 0]) - np.searchsorted(breaks, before)
    gaps = np.where(lines >= 2, 3, np.where(lines == 1, 2, places[:, 0] > before))
    gaps[0] = 3
    return gaps.astype(np.uint8)
