"""Counts of words by classes, as sparse matrices that are added small ones first.

An entry holds two numbers in one, occurrences * 2**32 + documents, so that one addition adds both.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Matrix: TypeAlias = "csr_matrix[np.int64]"
Whole: TypeAlias = NDArray[np.int64]

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1


class Pairs:
    """A growing matrix of counts, rows words and columns classes, kept as a few that add up to it.

    As in log-structured stores, each is at least twice as large as the next, so that a large one is seldom copied.
    """

    __slots__ = ("_levels",)

    def __init__(self, counts: Matrix | None = None) -> None:
        self._levels = [] if counts is None else [counts]

    @property
    def held(self) -> int:
        """How many entries take up memory; up to twice as many as there are."""
        return sum(level.nnz for level in self._levels)

    def add(self, counts: Matrix) -> None:
        self._levels.append(counts)
        while len(self._levels) > 1 and self._levels[-2].nnz < 2 * self._levels[-1].nnz:
            last = self._levels.pop()
            self._levels[-1] = _add(self._levels[-1], last)

    def whole(self, words: int, classes: int) -> Matrix:
        """The one matrix of that shape that all of them make."""
        while len(self._levels) > 1:
            last = self._levels.pop()
            self._levels[-1] = _add(self._levels[-1], last)
        empty = csr_matrix((np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(1, np.int32)), shape=(0, 0))
        self._levels = [_widen(self._levels[0] if self._levels else empty, words, classes)]
        return self._levels[0]


def count(by_word: Matrix, labels: Matrix, binary: bool) -> Matrix:
    """The counts of a batch: from the documents of every occurrence of every word, in order, and their classes."""
    first = np.ones(by_word.nnz, np.int64)
    first[1:] = by_word.indices[1:] != by_word.indices[:-1]
    first[by_word.indptr[:-1]] = 1
    packed = first + (first << _SHIFT if binary else 1 << _SHIFT)
    counts: Matrix = csr_matrix((packed, by_word.indices, by_word.indptr), shape=by_word.shape) @ labels
    counts.sort_indices()
    return counts


def place(counts: Matrix, rows: Whole, columns: Whole, shape: tuple[int, int]) -> Matrix:
    """The matrix with its rows and columns at other places of a larger one."""
    order = np.argsort(rows)
    moved = counts[order]
    starts = np.zeros(shape[0] + 1, np.int64)
    starts[rows[order] + 1] = np.diff(moved.indptr)
    placed: Matrix = csr_matrix((moved.data, columns[moved.indices], np.cumsum(starts)), shape=shape)
    placed.sort_indices()
    return placed


def head(counts: Matrix, rows: int) -> Matrix:
    """The first rows, without copying them."""
    end = counts.indptr[rows]
    parts = (counts.data[:end], counts.indices[:end], counts.indptr[: rows + 1])
    return csr_matrix(parts, shape=(rows, counts.shape[1]), copy=False)


def pack(occurrences: Whole, documents: Whole) -> Whole:
    return (occurrences << _SHIFT) + documents


def occurrences(counts: Matrix) -> Whole:
    return counts.data >> _SHIFT


def documents(counts: Matrix) -> Whole:
    return counts.data & _LOW


def sums(values: Whole, counts: Matrix) -> Whole:
    """The sum of each row of a matrix that has these values in place of its own."""
    return np.diff(np.concatenate(([0], np.cumsum(values)))[counts.indptr])


def _add(left: Matrix, right: Matrix) -> Matrix:
    rows, columns = (max(lengths) for lengths in zip(left.shape, right.shape, strict=True))
    return _widen(left, rows, columns) + _widen(right, rows, columns)


def _widen(counts: Matrix, rows: int, columns: int) -> Matrix:
    """The same with empty rows and columns after its own."""
    starts = np.pad(counts.indptr, (0, rows - counts.shape[0]), mode="edge")
    return csr_matrix((counts.data, counts.indices, starts), shape=(rows, columns))
