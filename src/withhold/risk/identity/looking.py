"""How a reader may look someone up by the words of a text. All of these ways add up over the words, so that what is
left of a text scores what its words score, whatever else went.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.embeddings import embed, of_words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csc_matrix, csr_matrix

    from withhold.risk.identity.people import People

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Profiles:
    """How often what is known of each person (row) has each term (column), and how many words that is in all."""

    times: csr_matrix[np.float64]
    lengths: Reals

    @classmethod
    def of(cls, people: People, terms: Sequence[str]) -> Profiles:
        membership = people.membership
        times = membership @ people.corpus.occurrences(terms, "document")
        return cls(times.tocsr(), membership @ people.corpus.lengths())

    def joined(self, other: Profiles) -> Profiles:
        """The same people with more terms."""
        from scipy.sparse import hstack

        return Profiles(hstack([self.times, other.times], format="csr"), self.lengths)

    @cached_property
    def _weighed(self) -> dict[tuple[float, float], csr_matrix[np.float64]]:
        return {}

    def weights(self, k1: float, b: float) -> csr_matrix[np.float64]:
        """What each term adds to the score of each person by BM25, as `matched` has it for some of them."""
        from scipy.sparse import csr_matrix

        if (k1, b) not in self._weighed:
            times = self.times
            rows = np.repeat(self._norm(k1, b), np.diff(times.indptr))
            data = self.rarity()[times.indices] * times.data * (k1 + 1.0) / np.maximum(times.data + rows, 1e-9)
            self._weighed[k1, b] = csr_matrix((data, times.indices, times.indptr), shape=times.shape)
        return self._weighed[k1, b]

    def _norm(self, k1: float, b: float) -> Reals:
        mean = self.lengths[self.known].mean() if self.known.any() else 1.0
        return np.asarray(k1 * (1.0 - b + b * self.lengths / mean), np.float64)

    @cached_property
    def columns(self) -> csc_matrix:
        """Whether each person is met with each term, by term."""
        columns = self.times.tocsc()
        columns.data = np.minimum(columns.data, 1.0)
        return columns

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Of whom there is anything to know."""
        return self.lengths > 0

    @cached_property
    def met(self) -> Reals:
        """How many people each term is met with."""
        return np.bincount(self.times.indices[self.times.data > 0], minlength=self.times.shape[1]).astype(np.float64)

    def rarity(self) -> Reals:
        """How much a term that few people are met with says, by its inverse document frequency."""
        met, people = self.met, float(np.count_nonzero(self.known))
        return np.log1p((people - met + 0.5) / (met + 0.5))

    def matched(self, rows: Integers, k1: float, b: float) -> Reals:
        """What each term adds to the score of each person by BM25."""
        times, norm = self.times[rows].toarray(), self._norm(k1, b)[rows]
        weights: Reals = self.rarity() * times * (k1 + 1.0) / np.maximum(times + norm[:, None], 1e-9)
        return weights

    def likely(self, rows: Integers, background: float) -> Reals:
        """What each term adds to the likelihood that a person's documents would have it, of which a share comes from
        everybody's.
        """
        everywhere = np.maximum(np.asarray(self.times.sum(axis=0)).ravel(), 1.0) / max(self.lengths.sum(), 1.0)
        share = self.times[rows].toarray() / np.maximum(self.lengths[rows], 1.0)[:, None]
        weights: Reals = np.log1p((1.0 - background) / background * share / everywhere)
        return weights


def meant(people: People, rows: Integers, terms: Sequence[str]) -> Reals:
    """What each term adds to the score of each person by meaning: how far it points where their documents do."""
    names, vectors = people.corpus.names(), of_words(terms).astype(np.float64)
    told = [
        "\n\n".join(people.corpus.text(names[at]) for at in np.flatnonzero(people.owners == row).tolist())
        for row in rows
    ]
    return np.ascontiguousarray(embed(told).astype(np.float64) @ vectors.T)
