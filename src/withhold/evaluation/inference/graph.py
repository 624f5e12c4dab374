"""All inferences of a document, by every two of its words: what a ranking is measured against."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.risk.information.inferences import detect, subsets
from withhold.types import Inferences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Match, Wanted
    from withhold.risk.information.several import Lookup
    from withhold.risk.information.terms import Terms

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Graph:
    """Which two terms lead to which secret: a symmetric table of terms by terms for each secret."""

    terms: Terms = field(repr=False)
    each: Flags = field(repr=False)

    @classmethod
    def of(
        cls, corpus: Corpus, terms: Terms, secrets: Sequence[Wanted], *, depth: int = 5, match: Match = "all"
    ) -> Graph:
        """Ask for every two terms: the exact answer, at the full cost."""
        pairs = subsets(len(terms), 2)
        tables = np.zeros((len(secrets), len(terms), len(terms)), np.bool_)
        for table, secret in zip(tables, secrets, strict=True):
            told = detect(corpus, terms.words, secret, pairs, depth=depth, match=match).sets
            table[told[:, 0], told[:, 1]] = table[told[:, 1], told[:, 0]] = True
        return cls(terms, tables)

    @cached_property
    def tells(self) -> Flags:
        """Which two terms lead to any of the secrets."""
        return np.asarray(self.each.any(axis=0))

    @property
    def pairs(self) -> int:
        return len(self.terms) * (len(self.terms) - 1) // 2

    @cached_property
    def inferences(self) -> int:
        return int(self.tells.sum()) // 2

    def rho(self, order: Integers, limits: Sequence[int]) -> list[float]:
        """The share of all inferences that the first words of an order hold, for each number of words."""
        table = self.tells[np.ix_(order, order)]
        return [int(table[:limit, :limit].sum()) / 2 / max(self.inferences, 1) for limit in limits]

    def by_chance(self, limits: Sequence[int]) -> list[float]:
        """What rho is to be expected of a random order: exactly the share of pairs."""
        count = len(self.terms)
        return [min(limit, count) * (min(limit, count) - 1) / max(count * (count - 1), 1) for limit in limits]

    def found_by(self, lookups: Sequence[Lookup], *, either: bool = False) -> tuple[float, int]:
        """The share of all inferences that lookups find, each for its own secrets (or for any of them), and how many
        queries they take. With `either`, what stands in two of them is asked once.
        """
        found, asked = np.zeros_like(self.tells), np.zeros_like(self.tells)
        for lookup in lookups:
            inside = np.ix_(lookup.keywords, lookup.keywords)
            told = self.tells if either else np.asarray(self.each[list(lookup.secrets)].any(axis=0))
            found[inside] |= told[inside]
            asked[inside] = True
        np.fill_diagonal(asked, False)
        queries = int(asked.sum()) // 2 if either else sum(lookup.queries() for lookup in lookups)
        return int(found.sum()) / 2 / max(self.inferences, 1), queries

    def choices(self, keywords: Integers | None = None, *, distinct: bool = True) -> Inferences:
        """The inferences, or those among some keywords, for a planner: all words alike, or by how often they stand."""
        chosen = np.arange(len(self.terms)) if keywords is None else keywords
        one, other = np.nonzero(np.triu(self.tells[np.ix_(chosen, chosen)]))
        worth = np.ones(len(chosen)) if distinct else self.terms.counts[chosen].astype(np.float64)
        return Inferences(
            spans=tuple(self.terms.spans[number] for number in chosen),
            sets=np.column_stack([one, other]).astype(np.int64),
            weights=np.full(len(one), 1.0 / max(self.pairs, 1)),
            worth=worth,
            added=True,
        )

    def left(self, removed: Integers) -> float:
        """The share of all inferences that stay if these words go."""
        kept = np.setdiff1d(np.arange(len(self.terms)), removed)
        return int(self.tells[np.ix_(kept, kept)].sum()) / 2 / max(self.inferences, 1)
