"""Which words of a document to look up first: the paper's mutual information, what it is compared with, and ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Counts, Match, Wanted
    from withhold.risk.information.sample import Sample

    Reals = NDArray[np.float64]

_BLOCK = 512


def order(scores: Reals) -> Counts:
    """Terms by number, the best first; of equals, the one that comes first in the document."""
    return np.argsort(-scores, kind="stable")


def tfidf(sample: Sample, counts: Counts) -> Reals:
    """TF x log(IDF) over the sample and the document itself, which has every word: none is divided by nothing."""
    return np.asarray(counts * np.log((len(sample.documents) + 1) / (sample.holding + 1)))


def expected(
    corpus: Corpus, terms: Sequence[str], topic: Wanted, *, depth: int = 5, match: Match = "all", size: int = 2
) -> Reals:
    """How many sets of `size` that tell are to be expected of each term, with the other terms.

    Two counts for each term are all that is asked for: how many documents hold it, and how many hold it and the topic.
    Documents about the topic, and all others, are taken to hold terms independently. That gives how many documents
    hold two terms, and which share of them are about the topic; the best `depth` are taken to be a fair draw of them.
    Where `any` match, places that are left go to the best documents of the rarer term. More than two are judged by
    twos.
    """
    singles = corpus.count_all([*([term] for term in terms), *([term, topic] for term in terms)], "document")
    held, about = np.split(singles.astype(np.float64), 2)
    other = held - about
    share = about / np.maximum(held, 1.0)
    if size == 1:
        return np.asarray(1.0 - np.exp(-np.minimum(held, depth) * share))
    documents, topical = corpus.size("document"), int(corpus.count_all([[topic]], "document")[0])
    scores = np.zeros(len(terms))
    for start in range(0, len(terms), _BLOCK):
        block = slice(start, start + _BLOCK)
        both_about = np.outer(about[block], about) / max(topical, 1)
        both = both_about + np.outer(other[block], other) / max(documents - topical, 1)
        hits = np.minimum(both, depth) * both_about / np.maximum(both, 1e-300)
        if match == "any":
            rarer = np.where(held[block, None] <= held, share[block, None], share)
            hits += np.minimum(np.maximum(depth - both, 0.0), np.minimum(held[block, None], held)) * rarer
        told = 1.0 - np.exp(-hits)
        scores[block] = told.sum(axis=1) - told[np.arange(len(told)), np.arange(start, start + len(told))]
    return scores


def queries(terms: int) -> int:
    """What `expected` costs: two counts for each term, and one of the topic."""
    return 2 * terms + 1
