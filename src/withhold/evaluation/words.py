"""Words as an outsider counts them: no folding tables of our own, only what Unicode says."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+|\d+")
"""Letters or digits: the mark of a footnote behind a word is not part of it."""
_SPACED = re.compile(r"(?<!\w)(?:[^\W\d_] ){2,}[^\W\d_](?!\w)")
"""A word whose letters stand apart."""
_SHORTEST = 5


def plain(text: str) -> str:
    """Text without case, accents and compatibility forms."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c) and c != "\u00ad").casefold()


def words(text: str) -> list[str]:
    return _WORD.findall(_SPACED.sub(lambda match: match.group().replace(" ", ""), plain(text)))


def target(text: str) -> str | None:
    """The most frequent word of five letters or more; the first in the alphabet among equals."""
    counted = Counter(word for word in _WORD.findall(text.casefold()) if word.isalpha() and len(word) >= _SHORTEST)
    return min(counted, key=lambda word: (-counted[word], word), default=None)


def hits(text: str, word: str) -> int:
    """How often the word stands in the text as a whole word, whatever its case."""
    return words(text).count(plain(word))


def lost(before: str, after: str, word: str | None) -> float:
    """The share of the words before, other than `word`, that are not there after."""
    kept = Counter(words(before))
    total = kept.total()
    if word is not None:
        kept.pop(plain(word), None)
    missing = kept - Counter(words(after))
    return missing.total() / total if total else 0.0


def quantile(values: Iterable[float], share: float) -> float:
    """The smallest of the values that at least this share of them do not exceed; 0 of none."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1))]
