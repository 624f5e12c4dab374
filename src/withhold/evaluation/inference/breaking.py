"""What it takes to break every inference: a cover, beside the removal of all precedents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.codec import Value
from withhold.planners.covering import all_precedents, cover

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.evaluation.inference.graph import Graph

    Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Broken(Value):
    """One document: how many words go, distinct and in the text, and what stays of all inferences.

    `precedents` counts the words of any inference among the words that were looked up, `covered` those of the cover.
    `left_by_cover` is what the cover leaves of all inferences of the document, of which only those among the words
    looked up were known to it; `left_by_precedents` is what is left if as many words go, in the order of the ranking.
    """

    inferences: int
    precedents: int
    precedent_occurrences: int
    covered: int
    covered_occurrences: int
    left_by_cover: float
    left_by_precedents: float
    is_exact: bool


def break_all(graph: Graph, order: Integers, limit: int | None = None, *, seconds: float = 1.0) -> Broken:
    """Break the inferences among the first `limit` words of an order, or all inferences of the document."""
    keywords = order if limit is None else order[:limit]
    choices = graph.choices(keywords)
    best = cover(choices, seconds=seconds)
    removed, named = keywords[~best.kept], keywords[~all_precedents(choices).kept]
    counts = graph.terms.counts
    return Broken(
        inferences=len(choices.sets),
        precedents=len(named),
        precedent_occurrences=int(counts[named].sum()),
        covered=len(removed),
        covered_occurrences=int(counts[removed].sum()),
        left_by_cover=graph.left(removed),
        left_by_precedents=graph.left(named[: len(removed)]),
        is_exact=best.status == "optimal",
    )
