"""How telling a word is where it stands, by how seldom it stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log

from withhold.evaluation.detection.counting import WORD
from withhold.spans import Span

_TRUST = 2.0
"""How many times a word must have been seen before what follows it counts as much as how frequent that is at all."""


class NgramWeights:
    """-log p of a word after the one before it, in a bigram model of the texts themselves.

    The place itself is left out of the counts, which are smoothed with those of single words, and these by one. This is
    not the weight of the Text Anonymization Benchmark, which asks a masked language model.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._before: Counter[str] = Counter()
        for text in texts:
            before = ""
            for word in WORD.findall(text.lower()):
                self._words[word] += 1
                self._pairs[before, word] += 1
                self._before[before] += 1
                before = word
        self._total = self._words.total() + len(self._words)

    def __call__(self, text: str, word: Span) -> float:
        """The weight of one of the words that were counted."""
        written, before = word.of(text).lower(), _before(text, word.start)
        alone = max(self._words[written], 1) / max(self._total, 1)
        pairs, others = self._pairs[before, written] - 1, self._before[before] - 1
        return -log((max(pairs, 0) + _TRUST * alone) / (max(others, 0) + _TRUST))


def _before(text: str, start: int) -> str:
    """The word before a place; words are short, so it is enough to look a little way back."""
    found = WORD.findall(text[max(0, start - 100) : start].lower())
    return found[-1] if found else ""
