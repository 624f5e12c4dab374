"""Which words are English: a list that ships with withhold (made by `scripts/build_words.py`)."""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path

from withhold.detectors.company_forms import PARTICLES, STOPS

_FILE = Path(__file__).parent / "data" / "words.txt.xz"
_ENDINGS = ("s", "es", "ed", "d", "ing")
_SHORTEST_STEM = 4


def is_word(word: str) -> bool:
    """Whether a folded word is one of the language, whoever and whatever else may be called that."""
    words = _words()
    if word in words or word in PARTICLES or word in STOPS:
        return True
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return any(len(stem) >= _SHORTEST_STEM and stem in words for stem in stems)


@cache
def _words() -> frozenset[str]:
    return frozenset(lzma.decompress(_FILE.read_bytes()).decode("ascii").split("\n"))
