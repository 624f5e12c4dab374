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
    held, about = _alone(corpus, terms, topic)
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
        told = _told(both, both_about, (held[block], share[block]), (held, share), depth, match)
        scores[block] = told.sum(axis=1) - told[np.arange(len(told)), np.arange(start, start + len(told))]
    return scores


def counted(corpus: Corpus, terms: Sequence[str], topic: Wanted, *, depth: int = 5, match: Match = "all") -> Reals:
    """How many sets of one or two that tell are to be expected of each term, where it costs nothing to count how many
    documents hold each two: rare terms that stand in the same few documents are not taken to stand anywhere.
    """
    held, about = _alone(corpus, terms, topic)
    share = about / np.maximum(held, 1.0)
    both = corpus.count_matrix(terms, "document").astype(np.float64)
    both_about = corpus.count_matrix(terms, "document", given=topic).astype(np.float64)
    return np.asarray(_told(both, both_about, (held, share), (held, share), depth, match).sum(axis=1))


def _alone(corpus: Corpus, terms: Sequence[str], topic: Wanted) -> tuple[Reals, Reals]:
    """How many documents hold each term, and how many hold it and the topic."""
    singles = corpus.count_all([*([term] for term in terms), *([term, topic] for term in terms)], "document")
    held, about = np.split(singles.astype(np.float64), 2)
    return held, about


def _told(
    both: Reals, both_about: Reals, rows: tuple[Reals, Reals], columns: tuple[Reals, Reals], depth: int, match: Match
) -> Reals:
    """How likely each two terms tell, from how many documents hold both and are about the topic. Of each term of the
    rows and columns, how many documents hold it, and which share of them is about the topic.
    """
    hits = np.minimum(both, depth) * both_about / np.maximum(both, 1e-300)
    if match == "any":
        (held, share), (others, other_share) = rows, columns
        rarer = np.where(held[:, None] <= others, share[:, None], other_share)
        hits += np.minimum(np.maximum(depth - both, 0.0), np.minimum(held[:, None], others)) * rarer
    return np.asarray(1.0 - np.exp(-hits))


def queries(terms: int) -> int:
    """What `expected` costs: two counts for each term, and one of the topic."""
    return 2 * terms + 1
