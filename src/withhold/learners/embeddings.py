"""What a text means, as a direction: the sum of the vectors of its words, from a table that ships with withhold.

The table was distilled from a sentence model (see `data/NOTICE`, made by `scripts/build_embeddings.py`). It knows the
usual words of English; others are taken apart into the longest pieces that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from withhold.learners.features import words
from withhold.learners.stopwords import STOPWORDS

_TABLE = Path(__file__).parent / "data" / "embeddings.npz"
_BLOCK = 512
"""So many texts are embedded at a time, which bounds the memory by their words."""

CONTINUES = "##"
"""What an entry starts with that is a piece inside or at the end of words."""

Singles = NDArray[np.float32]


def embed(texts: Sequence[str]) -> Singles:
    """One vector of unit length for each text, in order; zeros for one without a word that means anything."""
    return _shipped().embed(texts)


def of_words(words: Sequence[str]) -> Singles:
    """The vector of each folded word: longer the more telling it is, zeros for a stop word."""
    return _shipped().of_words(words)


@cache
def vocabulary() -> tuple[str, ...]:
    """The whole words of the table, without single letters and digits, the commonest first."""
    return tuple(entry for entry in _shipped().rows if len(entry) > 1 and not entry.startswith(CONTINUES))


@cache
def dimensions() -> int:
    """How many numbers a vector has."""
    return int(_shipped().vectors.shape[1])


@cache
def _shipped() -> Embeddings:
    with np.load(_TABLE, allow_pickle=False) as table:
        entries = table["entries"].tobytes().decode("ascii").split("\n")
        return Embeddings(entries, unpack(table["packed"]) * table["scales"].astype(np.float32)[:, None])


class Embeddings:
    """A vector for each entry: a word, or after `##` a piece inside or at the end of words."""

    def __init__(self, entries: Sequence[str], vectors: Singles) -> None:
        self.rows = {entry: row for row, entry in enumerate(entries)}
        self.vectors = vectors
        self._longest = max(map(len, entries), default=0)

    def __repr__(self) -> str:
        return f"Embeddings(entries={len(self.rows)}, dimensions={self.vectors.shape[1]})"

    def embed(self, texts: Sequence[str]) -> Singles:
        blocks = [self._embed(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        return np.concatenate([np.zeros((0, self.vectors.shape[1]), np.float32), *blocks])

    def _embed(self, texts: Sequence[str]) -> Singles:
        lists = [words(text) for text in texts]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(chain.from_iterable(lists)))}
        held = incidence([list(map(numbers.__getitem__, each)) for each in lists], len(numbers))
        return unit(np.asarray(held @ self.of_words(list(numbers))))

    def of_words(self, words: Sequence[str]) -> Singles:
        """The vector of each word, as long as the word is telling; zeros for a stop word."""
        spelled = incidence([self.pieces(word) for word in words], len(self.rows))
        # Pieces of a word point anywhere, so that n of them are as long as their root: together they weigh like a word.
        spelled.data /= np.repeat(np.sqrt(np.maximum(np.diff(spelled.indptr), 1)), np.diff(spelled.indptr))
        return np.asarray(spelled @ self.vectors)

    def pieces(self, word: str) -> list[int]:
        """The rows of a word, or of the longest pieces it begins with, one after the other; none of a stop word.

        Characters that no piece has are passed over.
        """
        if word in self.rows:
            return [self.rows[word]]
        found: list[int] = []
        start = 0
        while start < len(word) and word not in STOPWORDS:
            row, start = self._longest_piece(word, start)
            found += [row] if row >= 0 else []
        return found

    def _longest_piece(self, word: str, start: int) -> tuple[int, int]:
        """The row of the longest piece at this place and where it ends; -1 and the next place if there is none."""
        mark = CONTINUES if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            row = self.rows.get(mark + word[start:end])
            if row is not None:
                return row, end
        return -1, start + 1


def unit(vectors: Singles) -> Singles:
    """The vectors at unit length; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Singles = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


def incidence(lists: Iterable[Sequence[int]], columns: int) -> csr_matrix[np.float32]:
    """One row for each list: how often it has each number."""
    given = list(lists)
    starts = np.concatenate(([0], np.cumsum([len(each) for each in given]))).astype(np.int64)
    numbers = np.fromiter(chain.from_iterable(given), np.int64, starts[-1])
    matrix = csr_matrix((np.ones(len(numbers), np.float32), numbers, starts), shape=(len(given), columns))
    matrix.sum_duplicates()
    return matrix


def pack(levels: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Whole numbers from -7 to 7, two in a byte; rows of even length."""
    shifted = (levels + 8).astype(np.uint8)
    return (shifted[:, 0::2] * 16 + shifted[:, 1::2]).astype(np.uint8)


def unpack(packed: NDArray[np.uint8]) -> Singles:
    """What was packed."""
    levels = np.stack([packed >> 4, packed & 15], axis=2).reshape(len(packed), -1)
    return levels.astype(np.float32) - np.float32(8)
