"""A text as the tagger sees it: words and single signs, with where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from withhold.text import fold

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST = 64
"""Of longer words only this much is looked at."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Words:
    """The words and signs of a text, without accents and disguise: their forms, and their places in the text itself.

    `gaps` tells what stands before each: 0 nothing, 1 a space, 2 a line break, 3 an empty line or the beginning.
    """

    forms: list[str]
    starts: Integers
    ends: Integers
    gaps: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.forms)


def cut(text: str) -> Words:
    """The words of a text. Look-alike letters count as what they look like, invisible characters not at all."""
    folded = fold(text, keep_case=True)
    seen = folded.text
    matches = [match.span() for match in _TOKEN.finditer(seen)]
    places = np.array(matches, np.int64).reshape(-1, 2)
    forms = [seen[start : min(end, start + _LONGEST)] for start, end in matches]
    gaps = _gaps(seen, places)
    if folded.text == text:
        return Words(forms, places[:, 0], places[:, 1], gaps)
    spans = [folded.span(start, end) for start, end in matches]
    originals = np.array([(span.start, span.end) for span in spans], np.int64).reshape(-1, 2)
    return Words(forms, originals[:, 0], originals[:, 1], gaps)


def _gaps(text: str, places: Integers) -> NDArray[np.uint8]:
    """What stands before each word, from the line breaks counted up to it."""
    if not len(places):
        return np.zeros(0, np.uint8)
    breaks = np.array([match.start() for match in re.finditer("\n", text)], np.int64)
    before = np.searchsorted(breaks, places[:, 0])
    lines = before - np.searchsorted(breaks, np.concatenate([[0], places[:-1, 1]]))
    apart = places[:, 0] > np.concatenate([[0], places[:-1, 1]])
    gaps = np.where(lines >= 2, 3, np.where(lines == 1, 2, apart.astype(np.int64)))
    gaps[0] = 3
    return gaps.astype(np.uint8)
