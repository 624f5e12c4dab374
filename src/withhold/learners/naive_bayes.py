"""Multinomial Naive Bayes over sparse counts, exact when one document is taken out again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from withhold.learners import pairs, strangers

Floats = NDArray[np.float64]

_NEXT_TO_NONE = 1e-9
"""Documents of a class that has none left: as good as impossible, and still a number."""

# What other readers may have counted, given what was counted here.
_BACKGROUND = 10.0
"""Before any is read, so many documents of a class are taken to have words as often as all documents have them."""
_UNSEEN = 0.3
"""In so many documents more than it was met in, a word stands somewhere."""
_ITSELF = 0.5
"""So much of a document the one that is to be redacted counts as: its words were chosen for standing in it."""
_TRUSTING = 0.1
"""What a reader who trusts rare words adds to each count."""


class Without(NamedTuple):
    """A document to take out of the counts.

    `classes` is the number of its class, or several; `counts` how often it has each of the columns asked for;
    `total` how many occurrences of features it has in all.
    """

    classes: int | Sequence[int]
    counts: ArrayLike
    total: float


class NaiveBayes:
    """How words speak for classes: counts with `alpha` added to each, over the first `size` rows of `occurrences`.

    `presences` is in how many documents of each class each word stands; without it, in as many as it occurs.
    """

    def __init__(
        self,
        classes: Sequence[str],
        documents: ArrayLike,
        occurrences: csr_matrix[np.int64],
        size: int | None = None,
        alpha: float = 1.0,
        presences: csr_matrix[np.int64] | None = None,
    ) -> None:
        rows = occurrences.shape[0]
        self.classes = tuple(classes)
        self.documents = np.asarray(documents, np.float64)
        self.size = rows if size is None else min(size, rows)
        self.alpha = alpha
        self._all = occurrences
        self._used = pairs.head(occurrences, self.size)
        self._presences = occurrences if presences is None else presences
        self.totals: Floats = np.bincount(self._used.indices, self._used.data, len(self.classes)).astype(np.float64)

    def __repr__(self) -> str:
        return f"NaiveBayes(classes={len(self.classes)}, features={self.size})"

    def select(self, size: int | None) -> NaiveBayes:
        """The same over fewer or more of the features; no count is copied."""
        return NaiveBayes(self.classes, self.documents, self._all, size, self.alpha, self._presences)

    def counts(self, columns: ArrayLike) -> Floats:
        """How often each class has each of these features; none has one that is not in use, such as -1."""
        return self._of(self._used, columns)

    def _of(self, matrix: csr_matrix[np.int64], columns: ArrayLike) -> Floats:
        asked = np.asarray(columns, np.int64)
        known = (asked >= 0) & (asked < self.size)
        found = np.zeros((len(asked), len(self.classes)))
        found[known] = matrix[asked[known]].toarray()
        return found.T

    def weights(self, columns: ArrayLike, without: Without | None = None, *, alpha: float | None = None) -> Floats:
        """The logarithm of how likely a word of each class is each of these features: classes by columns.

        `alpha` is for the model of a reader who smooths otherwise.
        """
        counts, totals = self._left(columns, without)
        added = self.alpha if alpha is None else alpha
        weights: Floats = np.log(counts + added) - np.log(totals + added * self.size)[:, None]
        return weights

    def complement(self, columns: ArrayLike, without: Without | None = None) -> Floats:
        """What one occurrence of these features says for each class to a reader who goes by how unlikely all other
        classes are to have written it: classes by columns, 0 for features that are not in use.
        """
        asked = np.asarray(columns, np.int64)
        counts, _ = self._left(asked, without)
        totals, lengths = self._others
        logs = np.log(counts.sum(axis=0) - counts + self.alpha) - np.log(totals)[:, None]
        weights: Floats = np.where((asked >= 0) & (asked < self.size), logs / lengths[:, None], 0.0)
        return weights

    def elsewhere(self, columns: ArrayLike, without: Without | None, true: int) -> tuple[Floats, Floats]:
        """What these features say for each class to a reader who has learnt from as many other documents of the same
        kind, on the average of all such readers, and how much it differs from one to another: classes by columns.

        Such readers trust rare words, adding a tenth to each count. That the features stand in a document of the class
        `true` speaks for their standing in others of it.
        """
        counts, totals = self._left(columns, without)
        met = self._of(self._presences, columns)
        if without is not None:
            chosen = np.atleast_1d(without.classes)
            met[chosen] = np.maximum(met[chosen] - (np.asarray(without.counts) > 0), 0.0)
        burst = np.log((counts.sum(axis=0) + 1.0) / (met.sum(axis=0) + 1.0))
        shapes = met + _BACKGROUND * (met.sum(axis=0) + _UNSEEN) / max(self.documents.sum(), 1.0)
        shapes[true] += _ITSELF
        sizes = np.maximum(self.documents, 1.0)
        chances = sizes / (2.0 * sizes + _BACKGROUND)
        weights, spread = strangers.logarithms(shapes, chances[:, None], np.maximum(burst, 0.0), _TRUSTING)
        weights -= np.log(totals + _TRUSTING * self.size)[:, None]
        return weights, spread

    @cached_property
    def _others(self) -> tuple[Floats, Floats]:
        """Of all classes but each: how much was counted, and the sum of the logarithms of how likely features are."""
        used, words = self._used.tocoo(), np.asarray(self._used.sum(axis=1), np.float64).ravel()
        totals: Floats = words.sum() - self.totals + self.alpha * self.size
        less = np.log1p(-used.data / (words[used.row] + self.alpha))
        sums = np.log(words + self.alpha).sum() + np.bincount(used.col, less, len(self.classes))
        lengths: Floats = sums - self.size * np.log(totals)
        return totals, lengths

    @cached_property
    def profiles(self) -> csr_matrix[np.float64]:
        """All that was counted of each class, as if it were one document."""
        return self._used.T.tocsr().astype(np.float64)

    def _left(self, columns: ArrayLike, without: Without | None) -> tuple[Floats, Floats]:
        """Counts and totals once a document is taken out."""
        counts, totals = self.counts(columns), self.totals
        if without is not None:
            chosen = np.atleast_1d(without.classes)
            totals = totals.copy()
            totals[chosen] = np.maximum(totals[chosen] - without.total, 0.0)
            counts[chosen] = np.maximum(counts[chosen] - np.asarray(without.counts), 0.0)
        return counts, totals

    def prior(self, without: Without | None = None) -> Floats:
        """The logarithm of how likely each class is before a word is read."""
        documents = self.documents.copy()
        if without is not None:
            documents[np.atleast_1d(without.classes)] -= 1.0
        documents = np.maximum(documents, _NEXT_TO_NONE)
        prior: Floats = np.log(documents) - np.log(documents.sum())
        return prior

    def scores(self, matrix: csr_matrix[np.float64]) -> Floats:
        """The joint log-likelihood of each class for each row of counts, up to a term that all classes share."""
        lengths = np.asarray(matrix.sum(axis=1), np.float64).reshape(-1, 1)
        base = np.log(self.alpha) - self._logs(self.totals)
        scores: Floats = (matrix @ self._excess).toarray() + lengths * base + self.prior()
        return scores

    @cached_property
    def _excess(self) -> csr_matrix[np.float64]:
        """How much more likely than an unseen one each seen word is, as a logarithm: zero where nothing was counted."""
        used = self._used
        return csr_matrix((np.log1p(used.data / self.alpha), used.indices, used.indptr), shape=used.shape)

    def _logs(self, totals: Floats) -> Floats:
        logs: Floats = np.log(totals + self.alpha * self.size)
        return logs


def mutual_information(presences: csr_matrix[np.int64], documents: ArrayLike) -> Floats:
    """How much, in nats, the presence of each word tells about the class of a document.

    `presences` is in how many documents of each class (column) each word (row) stands, `documents` how many each has.
    """
    sizes = np.asarray(documents, np.float64)
    everything = max(float(sizes.sum()), 1.0)
    rows = np.repeat(np.arange(presences.shape[0]), np.diff(presences.indptr))
    here = presences.data.astype(np.float64)
    size = sizes[presences.indices]
    present = np.bincount(rows, here, minlength=presences.shape[0])
    absent = np.maximum(everything - present, 0.0)
    told = _part(here, size * present[rows], everything) + _part(size - here, size * absent[rows], everything)
    # A class without the word adds only its absence, the same for each of them but for their sizes.
    silent = np.maximum(everything - np.bincount(rows, size, minlength=presences.shape[0]), 0.0)
    information: Floats = (
        np.bincount(rows, told, minlength=len(present)) + _part(silent, silent * absent, everything)
    ) / (everything)
    return np.maximum(information, 0.0)


def _part(joint: Floats, product: Floats, everything: float) -> Floats:
    """joint * log(joint * everything / product), and 0 where there is nothing."""
    ratio = np.divide(joint * everything, product, out=np.ones_like(joint), where=joint > 0)
    part: Floats = joint * np.log(ratio)
    return part
