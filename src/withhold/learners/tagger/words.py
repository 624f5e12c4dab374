"""A text as the tagger sees it: words and single signs, with where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from withhold.learners.tokens import gaps_before
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
    gaps = gaps_before(seen, places)
    if folded.text == text:
        return Words(forms, places[:, 0], places[:, 1], gaps)
    spans = [folded.span(start, end) for start, end in matches]
    originals = np.array([(span.start, span.end) for span in spans], np.int64).reshape(-1, 2)
    return Words(forms, originals[:, 0], originals[:, 1], gaps)
