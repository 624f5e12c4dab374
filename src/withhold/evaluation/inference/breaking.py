"""What it takes to break every inference: a cover, beside the removal of all precedents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.codec import Value
from withhold.planners.covering import all_precedents, cover
from withhold.risk.information.inferences import detect, subsets
from withhold.risk.information.options import general_terms, with_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Taxonomy, Wanted
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
    generalised: int = 0


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


def break_with_options(
    graph: Graph, corpus: Corpus, topic: Wanted, order: Integers, taxonomies: Sequence[Taxonomy], **asking: Any
) -> Broken:
    """Break all inferences of a document, where words may also become more general ones: what those tell with the other
    words is looked up as well. A more general word is worth half of the one it replaces.
    """

    def ask(words: Sequence[str]) -> Integers:
        return detect(corpus, words, topic, subsets(len(words), 2), **asking).sets

    terms, choices = graph.terms, graph.choices()
    told = set(choices.sets.ravel().tolist())
    general = general_terms(corpus, terms.words, terms.words, taxonomies, told)
    sets = with_options(general, terms.words, ask)
    worth = np.concatenate([choices.worth, np.full(len(general), 0.5)])
    best = cover(replace(choices, sets=sets, weights=np.ones(len(sets)), worth=worth, general=tuple(general)))
    owner = np.array([*range(len(terms)), *(term for term, _ in general)])
    changed = np.flatnonzero(~best.kept[: len(terms)])
    softened = np.intersect1d(owner[len(terms) :][best.kept[len(terms) :]], changed)
    removed = np.setdiff1d(changed, softened)
    plain = break_all(graph, order, seconds=0.0)
    return replace(
        plain,
        covered=len(removed),
        covered_occurrences=int(terms.counts[removed].sum()),
        left_by_precedents=graph.left(order[np.isin(order, list(told))][: len(removed)]),
        is_exact=best.status == "optimal",
        generalised=len(softened),
    )
