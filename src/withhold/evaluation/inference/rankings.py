"""Every ranking that is compared, of one document."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.risk.information import keywords
from withhold.risk.information.sample import Sample
from withhold.risk.information.several import ALGORITHMS, Lookup, combined, lookups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.contracts import Archive, Counts, Match, Wanted
    from withhold.evaluation.inference.graph import Graph
    from withhold.risk.information.terms import Terms

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

RANKINGS = ("expected", "information", "tfidf", "tfidf_known", "frequency", "random", "ceiling")
"""Ours; the paper's; TF.IDF, of all words and of those alone that the keyword corpus has; how often a word stands in
the document; chance; and, knowing all answers, in how many inferences a word takes part."""

TABLE = (
    "trivial",
    "trivial_either",
    "merged",
    "best",
    "cumulative",
    "cumulative_sum",
    "expected",
    "tfidf",
    "frequency",
    "ceiling",
)
"""The rows of the paper's Table 2, and what they should be seen beside."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranked:
    """The orders of the words of one document. `about` are the documents, by number, of the archive `learnt` that the
    published rankings learn from.
    """

    corpus: Archive
    terms: Terms
    secrets: tuple[Wanted, ...]
    learnt: Archive
    about: Counts
    depth: int = 5
    match: Match = "all"
    relations: Flags | None = field(default=None)

    @property
    def topic(self) -> tuple[str, ...]:
        """All names of all secrets: any of them tells."""
        return tuple(name for each in self.secrets for name in ([each] if isinstance(each, str) else each))

    @cached_property
    def sample(self) -> Sample:
        return Sample(self.learnt, self.about, self.terms.words, self.secrets)

    @cached_property
    def orders(self) -> dict[str, Integers]:
        """The words by number, best first, for every ranking that needs no answers."""
        counts, tfidf = self.terms.counts, keywords.tfidf(self.sample, self.terms.counts)
        scores = {
            "expected": keywords.expected(
                self.corpus, self.terms.words, self.topic, depth=self.depth, match=self.match
            ),
            "information": combined(self.sample, self.relations),
            "tfidf": tfidf,
            "tfidf_known": np.where(self.sample.holding > 0, tfidf, -1.0),
            "frequency": counts.astype(np.float64),
        }
        return {name: keywords.order(each) for name, each in scores.items()}

    def rho(self, graph: Graph, limits: Sequence[int]) -> dict[str, list[float]]:
        """By ranking, the share of all inferences for each number of keywords."""
        found = {name: graph.rho(order, limits) for name, order in self.orders.items()}
        return {**found, "random": graph.by_chance(limits), "ceiling": graph.rho(ceiling(graph), limits)}

    def table(self, graph: Graph, limit: int) -> dict[str, tuple[float, int]]:
        """The rows of Table 2: rho and the queries it takes, for so many keywords."""
        told, everything = self.sample.information, tuple(range(len(self.secrets)))
        related = ~np.eye(len(self.secrets), dtype=np.bool_) if self.relations is None else self.relations
        cumulative = combined(self.sample, related)
        rows: dict[str, tuple[float, int]] = {}
        for algorithm in ALGORITHMS:
            rows[algorithm] = graph.found_by(lookups(algorithm, told, limit, cumulative))
        rows["trivial_either"] = graph.found_by(lookups("trivial", told, limit), either=True)
        rows["cumulative_sum"] = graph.found_by(lookups("cumulative", told, limit))
        orders = {**self.orders, "ceiling": ceiling(graph)}
        for name in ("expected", "tfidf", "frequency", "ceiling"):
            rows[name] = graph.found_by([Lookup(orders[name][:limit], everything)])
        return {name: rows[name] for name in TABLE}


def ceiling(graph: Graph) -> Integers:
    """Words by the number of inferences they take part in: what only the full answer tells."""
    return keywords.order(graph.tells.sum(axis=0).astype(np.float64))
