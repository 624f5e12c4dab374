"""Several secrets at once: the paper's four ways to choose keywords.

A plan says which terms to look up, and for which secrets: all sets of keywords of each of its lists are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.risk.information.keywords import order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Counts
    from withhold.risk.information.sample import Sample

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]

Algorithm = Literal["trivial", "merged", "best", "cumulative"]
ALGORITHMS: tuple[Algorithm, ...] = ("trivial", "merged", "best", "cumulative")
"""TrivMultiWrdInfr, MergListMultiWrdInfr 1 and 2, and CumulMultiWrdInfr."""

RELATED = 0.1
"""Two secrets that tell so many bits of one another are related."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """Keywords, by number, best first, and the secrets that any set of them may tell."""

    keywords: Counts
    secrets: tuple[int, ...]

    def queries(self, size: int = 2) -> int:
        return comb(len(self.keywords), size)


def related(sample: Sample, threshold: float = RELATED) -> Flags:
    """Which secrets are related: those with at least so much mutual information."""
    found = sample.between >= threshold
    np.fill_diagonal(found, False)
    return found


def combined(sample: Sample, relations: Flags | None = None) -> Reals:
    """How much each term tells of all secrets: the sum, for those that are independent.

    Of related ones, what they tell together is taken off and put on by turns, as in the union of sets: for two it is
    I(w; s1) + I(w; s2) - I(w; s1, s2). Each subset of secrets, every two of which are related, counts once.
    """
    total = np.asarray(sample.information.sum(axis=0), np.float64)
    if relations is None:
        return total
    secrets = range(len(sample.secrets))
    for size in range(2, len(sample.secrets) + 1):
        for subset in combinations(secrets, size):
            if all(relations[one, other] for one, other in combinations(subset, 2)):
                total = total - (-1) ** size * sample.joint(subset)
    return total


def lookups(algorithm: Algorithm, information: Reals, limit: int, cumulative: Reals | None = None) -> list[Lookup]:
    """What to look up. `information` has a row for each secret; `cumulative` is `combined`, the sum if not given.

    `trivial` takes each secret by itself; `merged` as many keywords of each, `limit` in all; `best` those of the lists
    of all that tell most of any; `cumulative` those that tell most of all.
    """
    everything = tuple(range(len(information)))
    if algorithm == "trivial":
        return [Lookup(order(row)[:limit], (number,)) for number, row in enumerate(information)]
    if algorithm == "merged":
        lists = [order(row)[: limit // len(information)] for row in information]
        return [Lookup(_distinct(lists), everything)]
    if algorithm == "best":
        union = _distinct([order(row)[:limit] for row in information])
        return [Lookup(union[order(information[:, union].max(axis=0))][:limit], everything)]
    total = information.sum(axis=0) if cumulative is None else cumulative
    return [Lookup(order(total)[:limit], everything)]


def _distinct(lists: Sequence[Counts]) -> Counts:
    return np.array(list(dict.fromkeys(number for each in lists for number in each.tolist())), np.int64)
