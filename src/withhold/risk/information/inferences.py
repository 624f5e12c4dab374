"""Looking up sets of terms: which of them lead to the secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Match, Wanted

    Integers = NDArray[np.int64]

_AT_ONCE = 250_000
"""So many sets are sent to a corpus in one call, so that memory does not grow with what is asked."""


@dataclass(frozen=True, eq=False)
class Detected:
    """The sets of terms, by number, that tell: a row each, filled up with -1; and how many were asked."""

    sets: Integers = field(repr=False)
    asked: int

    @property
    def share(self) -> float:
        """The share of queries that tell."""
        return len(self.sets) / self.asked if self.asked else 0.0


def subsets(count: int, size: int) -> Integers:
    """All sets of so many of the numbers below `count`, a row each, those of small numbers first."""
    if size == 2:
        later, earlier = np.tril_indices(count, -1)
        return np.column_stack([earlier, later]).astype(np.int64)
    flat = np.fromiter(chain.from_iterable(combinations(range(count), size)), np.int64, comb(count, size) * size)
    rows = flat.reshape(-1, size)
    return rows[np.lexsort(rows.T)]


def within(budget: int, size: int, count: int) -> int:
    """Of how many terms, at most `count`, all sets of a size can be asked with a budget of queries."""
    while count and comb(count, size) > budget:
        count -= 1
    return count


def detect(
    corpus: Corpus,
    terms: Sequence[str],
    topic: Wanted,
    sets: Integers,
    *,
    depth: int = 5,
    match: Match = "all",
) -> Detected:
    """Ask for each set, and keep those where the topic stands in one of the best `depth` documents."""
    told = [np.zeros(0, np.bool_)]
    for start in range(0, len(sets), _AT_ONCE):
        rows = sets[start : start + _AT_ONCE].tolist()
        asked = [[terms[number] for number in row if number >= 0] for row in rows]
        told.append(corpus.tells(asked, topic, depth, match))
    return Detected(sets[np.concatenate(told)], len(sets))


def padded(several: Sequence[Integers]) -> Integers:
    """Sets of different sizes as rows of one width, filled up with -1."""
    width = max((each.shape[1] for each in several), default=1)
    rows = [np.pad(each, ((0, 0), (0, width - each.shape[1])), constant_values=-1) for each in several]
    return np.concatenate(rows) if rows else np.zeros((0, width), np.int64)
