"""What it takes to break every inference: a cover, beside the removal of all precedents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.codec import Value
from withhold.planners.covering import Cover, all_precedents, cover
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


def cover_with_options(
    graph: Graph, text: str, corpus: Corpus, topic: Wanted, taxonomies: Sequence[Taxonomy], **asking: Any
) -> tuple[Cover, list[tuple[int, str]]]:
    """The cover of all inferences of a document, where words may also become more general ones, and those. What they
    tell with the other words is looked up as well. A more general word is worth half of the one it replaces.
    """

    def ask(words: Sequence[str]) -> Integers:
        return detect(corpus, words, topic, subsets(len(words), 2), **asking).sets

    terms, choices = graph.terms, graph.choices()
    general = general_terms(corpus, terms, text, terms.words, taxonomies, set(choices.sets.ravel().tolist()))
    sets = with_options(general, terms.words, ask)
    worth = np.concatenate([choices.worth, np.full(len(general), 0.5)])
    return cover(replace(choices, sets=sets, weights=np.ones(len(sets)), worth=worth, general=tuple(general))), general


def gone(best: Cover, general: Sequence[tuple[int, str]], size: int) -> tuple[Integers, dict[int, str]]:
    """The terms that a cover removes, and those that it makes more general, with what is written in their place."""
    written = [option for option, kept in zip(general, best.kept[size:], strict=True) if kept]
    softened = {term: text for term, text in written if not best.kept[term]}
    return np.setdiff1d(np.flatnonzero(~best.kept[:size]), list(softened)), softened


def break_with_options(
    graph: Graph,
    text: str,
    corpus: Corpus,
    topic: Wanted,
    order: Integers,
    taxonomies: Sequence[Taxonomy],
    **asking: Any,
) -> Broken:
    """Break all inferences of a document, where words may also become more general ones."""
    best, general = cover_with_options(graph, text, corpus, topic, taxonomies, **asking)
    removed, softened = gone(best, general, len(graph.terms))
    told = np.flatnonzero(graph.tells.any(axis=0))
    plain = break_all(graph, order, seconds=0.0)
    return replace(
        plain,
        covered=len(removed),
        covered_occurrences=int(graph.terms.counts[removed].sum()),
        left_by_precedents=graph.left(order[np.isin(order, told)][: len(removed)]),
        is_exact=best.status == "optimal",
        generalised=len(softened),
    )
