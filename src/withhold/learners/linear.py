"""Linear classifiers over word counts: the attackers that read words.

Each learns a weight for every word and class; the class with the highest sum is its guess. All take counts as one
sparse row per document and classes as numbers from 0 to K - 1, and all are saved as three arrays.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    Counts = csr_matrix[np.float64]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Whole = NDArray[np.int64]
Arrays = Mapping[str, NDArray[Any]]

ABSENT = -1e30
"""The score of a class that no training document has: lower than any other, and still a number."""

_TIE = 1e-9
"""How much the share of a class counts where words say nothing: it decides ties, such as those of empty texts."""


class TfIdf:
    """Counts as directions: a logarithm of the count, times the rarity of the word, in rows of unit length."""

    def __init__(self, idf: Floats) -> None:
        self.idf = idf

    @classmethod
    def fit(cls, counts: Counts) -> Self:
        documents = np.bincount(counts.indices, counts.data > 0, counts.shape[1])
        return cls(np.log((1 + counts.shape[0]) / (1 + documents)) + 1)

    def transform(self, counts: Counts) -> Counts:
        values = (1 + np.log(np.maximum(counts.data, 1))) * (counts.data > 0) * self.idf[counts.indices]
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        lengths = np.sqrt(np.bincount(rows, values * values, counts.shape[0]))
        return csr_matrix((values / np.maximum(lengths, 1e-12)[rows], counts.indices, counts.indptr), counts.shape)


class Linear(ABC):
    """`weights` (K, V) and `bias` (K) over counts, or over directions if there is an `idf` (V)."""

    weighted = True
    """Whether it reads directions (see `TfIdf`) rather than counts."""

    def __init__(self) -> None:
        self.weights: Singles = np.zeros((0, 0), np.float32)
        self.bias: Floats = np.zeros(0)
        self.idf: Floats | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(classes={self.weights.shape[0]}, words={self.weights.shape[1]})"

    def fit(self, counts: Counts, y: Whole, classes: int) -> Self:
        """Learn from one row of counts and one class number per document; a class may have no document."""
        documents = np.bincount(y, minlength=classes)
        present = np.flatnonzero(documents)
        if not len(present):
            raise ValueError("nothing to learn from")
        weighting = TfIdf.fit(counts) if self.weighted else None
        rows = weighting.transform(counts) if weighting else counts
        shares = documents[present] / len(y)
        weights, bias = self._learn(rows, np.searchsorted(present, y), shares)
        self.weights = np.zeros((classes, counts.shape[1]), np.float32)
        self.weights[present] = weights
        self.bias = np.full(classes, ABSENT)
        self.bias[present] = bias
        self.idf = weighting.idf if weighting else None
        return self

    def scores(self, counts: Counts) -> Floats:
        """How much speaks for each class, documents by classes."""
        rows = counts if self.idf is None else TfIdf(self.idf).transform(counts)
        scores: Floats = np.asarray(rows @ self.weights.T.astype(np.float64)) + self.bias
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt; `restore` takes it back."""
        learnt: dict[str, NDArray[Any]] = {"weights": self.weights, "bias": self.bias}
        return learnt if self.idf is None else {**learnt, "idf": self.idf}

    def restore(self, arrays: Arrays, classes: int, words: int) -> Self:
        """The arrays of a classifier of so many classes and words; ValueError or KeyError if they are not."""
        self.weights = checked(arrays["weights"], np.float32, (classes, words))
        self.bias = checked(arrays["bias"], np.float64, (classes,))
        self.idf = checked(arrays["idf"], np.float64, (words,)) if self.weighted else None
        return self

    @abstractmethod
    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        """Weights and bias of the classes, each of which has a document."""


class Multinomial(Linear):
    """Naive Bayes: how likely each class is to have written these words, one by one.

    Little is added to the counts: with many rare words, adding 1 to each hides what the counts say.
    """

    weighted = False

    def __init__(self, alpha: float = 0.1) -> None:
        super().__init__()
        self.alpha = alpha

    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[Floats, Floats]:
        counts = sums(rows, y, len(shares)) + self.alpha
        return np.log(counts) - np.log(counts.sum(axis=1, keepdims=True)), np.log(shares)


class ComplementBayes(Linear):
    """Naive Bayes turned round: how unlikely it is that the other classes have written these words.

    The weights of each class add up to 1 (before rounding), so that none wins by having more.
    """

    weighted = False

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[Floats, Floats]:
        counts = sums(rows, y, len(shares))
        others = counts.sum(axis=0) - counts + self.alpha
        logs = np.log(others) - np.log(others.sum(axis=1, keepdims=True))
        totals = logs.sum(axis=1, keepdims=True)
        return np.divide(logs, totals, out=np.zeros_like(logs), where=totals != 0), _TIE * shares


class Centroid(Linear):
    """The cosine between a document and the mean of each class."""

    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[Floats, Floats]:
        means = sums(rows, y, len(shares))
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return means / np.maximum(lengths, 1e-12), _TIE * shares


class LogisticRegression(Linear):
    """The usual one, for all classes at once, with little regularisation."""

    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        from sklearn.linear_model import LogisticRegression as Regression

        # Few passes do: later ones change the weights, but hardly any guess.
        return _learnt(Regression(C=20, solver="saga", max_iter=20, tol=1e-2, random_state=0), rows, y, shares)


class LinearSVM(Linear):
    """One separating plane for each class against all others."""

    def _learn(self, rows: Counts, y: Whole, shares: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        from sklearn.svm import LinearSVC

        return _learnt(LinearSVC(C=0.3, max_iter=200, tol=1e-2, random_state=0), rows, y, shares)


def _learnt(estimator: Any, rows: Counts, y: Whole, shares: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
    """Weights and bias of an estimator of scikit-learn, one row for each class even if there are one or two."""
    if len(shares) == 1:
        return np.zeros((1, rows.shape[1])), np.zeros(1)
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator.fit(rows, y)
    weights, bias = estimator.coef_, estimator.intercept_
    return (np.vstack([-weights, weights]), np.concatenate([-bias, bias])) if len(shares) == 2 else (weights, bias)


def sums(rows: Counts, y: Whole, classes: int) -> Floats:
    """The rows of each class added up."""
    members = csr_matrix((np.ones(len(y)), (y, np.arange(len(y)))), shape=(classes, len(y)))
    added: Floats = (members @ rows).toarray()
    return added


def checked(array: NDArray[Any], kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The array, if it is of this kind and shape and holds nothing but numbers; ValueError if not."""
    if array.dtype != kind or array.shape != shape or not np.all(np.isfinite(array)):
        raise ValueError("not the array that was saved")
    return array
