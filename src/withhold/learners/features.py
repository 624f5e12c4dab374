"""Text as features: its telling words, and phrases of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, repeat
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from withhold.codec import Value
from withhold.learners.stopwords import STOPWORDS
from withhold.spans import Span
from withhold.text import WORD, fold, fold_text

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Token = TypeVar("Token")

LONGEST = 5
"""Phrases of more words than this are not features: hardly any stands in two documents."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s-]|_")
"""A word, or one character that keeps the words on its two sides from being neighbours."""

_GAPS = {code: " " for code in range(128) if not chr(code).isalnum()}
"""Plain text is split at everything but letters and digits; several times as fast as looking for words."""


@dataclass(frozen=True, slots=True)
class Features(Value):
    """What of a text is counted.

    A feature is a word of at least two characters that is no stop word, folded (case, accents and look-alikes do not
    matter), or a phrase of up to `ngrams` of them with nothing but white space and hyphens between, written with one
    space. Phrases overlap.
    """

    ngrams: int = field(default=1, metadata={"doc": "Phrases of up to so many words count too."})
    binary: bool = field(default=False, metadata={"doc": "Whether a feature is there counts, not how often."})

    def __post_init__(self) -> None:
        if not 1 <= self.ngrams <= LONGEST:
            raise ValueError(f"ngrams must be between 1 and {LONGEST}")

    def occurrences(self, text: str) -> dict[str, list[Span]]:
        """Every feature and where it stands, in order; with phrases, spans of different features overlap."""
        folded = fold(text)
        tokens = list(_TOKEN.finditer(folded.text))
        forms, spans = [token.group() for token in tokens], [folded.span(*token.span()) for token in tokens]
        says = {form: is_feature(form) for form in set(forms)}
        found: dict[str, list[Span]] = {}
        for form, span in zip(forms, spans, strict=True):
            if says[form]:
                found.setdefault(form, []).append(span)
        for length in range(2, self.ngrams + 1):
            for at, neighbours in enumerate(_windows(forms, length)):
                if all(map(says.__getitem__, neighbours)):
                    span = Span(spans[at].start, spans[at + length - 1].end)
                    found.setdefault(" ".join(neighbours), []).append(span)
        return found

    def counts(self, text: str) -> dict[str, int]:
        """How often each feature stands in the text; 1 if `binary`."""
        counted = Counter(self.candidates(text))
        return {each: 1 if self.binary else count for each, count in counted.items() if is_feature(each)}

    def candidates(self, text: str) -> list[str]:
        """Every feature at each of its places, and much that `is_feature` denies: the quick half of counting."""
        if self.ngrams == 1:
            return words(text)
        tokens = _TOKEN.findall(fold(text).text)
        phrases = (map(" ".join, _windows(tokens, length)) for length in range(2, self.ngrams + 1))
        return [*tokens, *chain.from_iterable(phrases)]

    def vectorise(self, texts: Iterable[str], vocabulary: Mapping[str, int]) -> csr_matrix:
        """One row per text, one column per feature of the vocabulary, and how often the one has the other.

        The columns are 0 to `len(vocabulary) - 1`; all other features are left out.
        """
        from scipy.sparse import csr_matrix

        columns, ends = look_up([self.candidates(text) for text in texts], vocabulary)
        known = columns >= 0
        starts = np.concatenate(([0], np.cumsum(known)))[ends]
        ones = np.ones(starts[-1], np.float64)
        matrix = csr_matrix((ones, columns[known], starts), shape=(len(ends) - 1, len(vocabulary)))
        matrix.sum_duplicates()
        if self.binary:
            matrix.data[:] = 1.0
        return matrix


def words(text: str) -> list[str]:
    """The folded words of a text, in order: stop words, numbers and single letters too."""
    plain = fold_text(text)
    return plain.translate(_GAPS).split() if plain.isascii() else WORD.findall(plain)


def _windows(tokens: Sequence[Token], length: int) -> Iterator[tuple[Token, ...]]:
    return zip(*(tokens[start:] for start in range(length)), strict=False)


def is_feature(candidate: str) -> bool:
    """Whether each word of a word or phrase is longer than one character and no stop word."""
    if " " in candidate:
        return all(map(is_feature, candidate.split(" ")))
    return len(candidate) > 1 and candidate not in STOPWORDS


def look_up(
    lists: Sequence[Sequence[str]], vocabulary: Mapping[str, int]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The numbers of all strings, -1 for those not in the vocabulary, and where each list begins and the last ends."""
    ends = np.concatenate(([0], np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)))))
    numbers = map(vocabulary.get, chain.from_iterable(lists), repeat(-1))
    return np.fromiter(numbers, np.int32, ends[-1]), ends


def fingerprint(text: str) -> int:
    """64 bits that stand for the words of a text in their order, whatever its case, spacing and punctuation."""
    return digest(words(text))


def digest(read: Sequence[str]) -> int:
    """The fingerprint of a text of which these are the words."""
    return int.from_bytes(blake2b(" ".join(read).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
