"""Classifiers that guess the type of a mask: what they promise, and the linear ones."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from withhold.learners.crf import Crf, Learning, learn
from withhold.learners.linear import checked
from withhold.learners.masks.features import COLUMNS, Rows, Weighting
from withhold.learners.masks.views import Singles, Views, Whole
from withhold.learners.word_features import Layer, Vocabulary

Floats = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]


class Classifier(Protocol):
    """Learns the types of masks, and says how likely each is. What it learnt is arrays, which run no code."""

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        """Learn from masks and the numbers of their types; a type may have no mask."""

    def probabilities(self, views: Views, /) -> Floats:
        """How likely each mask (row) is of each type."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt."""

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        """Take it back; ValueError or KeyError if it is not what was learnt."""


class Svm:
    """One separating plane for each type against all others, over hashed features and, unless `alone`, what other
    models make of the mask. Margins become probabilities by the steepness that fits masks of documents left out, or a
    given one.
    """

    def __init__(
        self, *, alone: bool = False, hardness: float = 1.0, balanced: bool = False, steepness: float | None = None
    ) -> None:
        self.alone, self.hardness, self.balanced, self._steepness = alone, hardness, balanced, steepness
        self.columns: Whole = np.zeros(0, np.int64)
        self.rarity = self.weights = self.given = np.zeros(0, np.float32)
        self.bias = self.steepness = np.zeros(0, np.float32)

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        counts = views.rows
        self.columns = np.flatnonzero(np.bincount(counts.indices, minlength=COLUMNS) > 1)
        self.rarity = Weighting.fit(counts[:, self.columns]).rarity
        samples = self._samples(views)
        weights, bias = planes(samples, y, classes, self.hardness, self.balanced)
        steepness = self._steepness
        if steepness is None:
            margins = np.zeros((len(y), classes))
            for fold in folds(views.document, 3):
                part, constants = planes(samples[~fold], y[~fold], classes, self.hardness, self.balanced)
                margins[fold] = samples[fold] @ part.T + constants
            steepness = steepest(margins, y)
        self.steepness = np.array([steepness], np.float32)
        self.weights, self.given = weights[:, : len(self.columns)], weights[:, len(self.columns) :]
        self.bias = bias
        return self

    def probabilities(self, views: Views, /) -> Floats:
        weights = np.hstack([self.weights, self.given])
        return softmax((self._samples(views) @ weights.T + self.bias) * float(self.steepness[0]))

    def _samples(self, views: Views) -> Rows:
        rows = Weighting(self.rarity)(views.rows[:, self.columns])
        return rows if self.alone else hstack([rows, csr_matrix(views.prior)], format="csr")

    def arrays(self) -> dict[str, NDArray[Any]]:
        learnt = {"columns": self.columns.astype(np.int32), "rarity": self.rarity, "weights": self.weights}
        return {**learnt, "given": self.given, "bias": self.bias, "steepness": self.steepness}

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        self.columns = ascending(arrays["columns"], COLUMNS)
        self.rarity = checked(arrays["rarity"].astype(np.float32), np.float32, self.columns.shape)
        self.weights = checked(arrays["weights"].astype(np.float32), np.float32, (classes, len(self.columns)))
        self.given = checked(arrays["given"], np.float32, (classes, arrays["given"].shape[1]))
        self.bias = checked(arrays["bias"], np.float32, (classes,))
        self.steepness = checked(arrays["steepness"], np.float32, (1,))
        return self


class Chain:
    """A conditional random field over the masks of a document: the types of neighbours count too."""

    def __init__(self, learning: Learning = Learning(c1=0.01, c2=0.3, rounds=60)) -> None:  # noqa: B008
        self.learning = learning
        self._crf: Crf | None = None
        self._classes = 0

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        counts = views.rows
        often = np.flatnonzero(np.bincount(counts.indices, minlength=COLUMNS) > 1)
        matrix = counts[:, often]
        vocabulary = Vocabulary(map(str, often.tolist()))
        self._crf = learn(matrix, y.tolist(), _stretches(views.document), vocabulary, self.learning)
        self._classes = classes
        return self

    def probabilities(self, views: Views, /) -> Floats:
        assert self._crf is not None
        rows = views.rows
        known = set(map(int, self._crf.vocabulary.numbers))
        bags = [
            tuple(str(column) for column in rows.indices[start:end].tolist() if column in known)
            for start, end in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
        ]
        found = np.zeros((len(views), self._classes))
        if bags:
            layer = Layer(bags, np.arange(len(bags), dtype=np.int32))
            found[:, list(self._crf.tags)] = self._crf.marginals([layer], _stretches(views.document))
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        assert self._crf is not None
        return {
            "tags": np.array(self._crf.tags, np.int64),
            "columns": np.fromiter(map(int, self._crf.vocabulary.numbers), np.int32),
            "weights": self._crf.weights,
            "transitions": self._crf.transitions,
        }

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        columns, tags = ascending(arrays["columns"], COLUMNS), ascending(arrays["tags"], classes)
        weights = checked(arrays["weights"].astype(np.float32), np.float32, (len(columns), len(tags)))
        moves = checked(arrays["transitions"], np.float32, (len(tags), len(tags)))
        self._crf = Crf(tuple(tags.tolist()), Vocabulary(map(str, columns.tolist())), weights, moves)
        self._classes = classes
        return self


class Logistic:
    """Logistic regression over the vectors of one view, each number brought to the same spread first."""

    def __init__(self, view: str = "states", strength: float = 0.03) -> None:
        self.view, self.strength = view, strength
        self.weights = self.bias = self.centre = self.spread = np.zeros(0, np.float32)

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        given = dense(views, self.view)
        self.centre, self.spread = given.mean(0), given.std(0) + np.float32(1e-3)
        self.weights, self.bias = regression((given - self.centre) / self.spread, y, classes, self.strength)
        return self

    def probabilities(self, views: Views, /) -> Floats:
        given = (dense(views, self.view) - self.centre) / self.spread
        return softmax(given @ self.weights.T + self.bias)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.weights, "bias": self.bias, "centre": self.centre, "spread": self.spread}

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        width = arrays["centre"].shape[0]
        self.weights = checked(arrays["weights"], np.float32, (classes, width))
        self.bias = checked(arrays["bias"], np.float32, (classes,))
        self.centre = checked(arrays["centre"], np.float32, (width,))
        self.spread = checked(arrays["spread"], np.float32, (width,))
        return self


def dense(views: Views, name: str) -> Singles:
    """A view of vectors, flat; several by their names with plus signs between."""
    parts: list[Singles] = [getattr(views, each) for each in name.split("+")]
    return np.hstack([part.reshape(len(part), -1) for part in parts])


def planes(samples: Rows, y: Whole, classes: int, hardness: float, balanced: bool) -> tuple[Singles, Singles]:
    """Weights and bias of a plane for each class; a class without samples is below all others."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    present = np.unique(y)
    weights, bias = np.zeros((classes, samples.shape[1]), np.float32), np.full(classes, -9.0, np.float32)
    if len(present) == 1:
        bias[present] = 1.0
        return weights, bias
    model = LinearSVC(C=hardness, tol=1e-2, max_iter=200, random_state=0, class_weight="balanced" if balanced else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(samples, y)
    if len(present) == 2:
        weights[present], bias[present] = (
            np.vstack([-model.coef_, model.coef_]),
            [-model.intercept_[0], model.intercept_[0]],
        )
    else:
        weights[present], bias[present] = model.coef_, model.intercept_
    return weights, bias


def regression(samples: NDArray[Any], y: Whole, classes: int, strength: float) -> tuple[Singles, Singles]:
    """Weights and bias under which the classes of the samples are likeliest, less `strength` times half their squares
    a sample.
    """
    from scipy.optimize import minimize

    present = np.unique(y)
    count, width = samples.shape
    given = samples.astype(np.float64)
    wanted = (y[:, None] == present).astype(np.float64)

    def loss(flat: Floats) -> tuple[float, Floats]:
        both = flat.reshape(len(present), width + 1)
        likely = softmax(given @ both[:, :width].T + both[:, width])
        value = -np.log(np.maximum(likely[wanted > 0], 1e-300)).sum() / count
        slope = (likely - wanted) / count
        gradient = np.hstack([slope.T @ given + strength * both[:, :width], slope.sum(0)[:, None]])
        return value + strength / 2 * float(np.sum(both[:, :width] ** 2)), gradient.ravel()

    found = minimize(loss, np.zeros(len(present) * (width + 1)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    both = found.x.reshape(len(present), width + 1)
    weights, bias = np.zeros((classes, width), np.float32), np.full(classes, -30.0, np.float32)
    weights[present], bias[present] = both[:, :width], both[:, width]
    return weights, bias


def softmax(scores: NDArray[Any]) -> Floats:
    powers = np.exp(np.asarray(scores, np.float64) - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def steepest(margins: Floats, y: Whole) -> float:
    """By what to multiply margins so that their softmax makes the true classes likeliest."""
    tried = np.geomspace(0.3, 20, 40)
    losses = [-np.log(np.maximum(softmax(margins * each)[np.arange(len(y)), y], 1e-12)).mean() for each in tried]
    return float(tried[int(np.argmin(losses))])


def folds(documents: Whole, count: int, seed: int = 0) -> list[NDArray[np.bool_]]:
    """Which masks are in each of some parts, all masks of a document in the same; none is empty."""
    numbers = np.unique(documents)
    if len(numbers) < 2:
        return []
    count = min(count, len(numbers))
    part = np.empty(len(numbers), np.int64)
    part[np.random.default_rng(seed).permutation(len(numbers))] = np.arange(len(numbers)) % count
    of = part[np.searchsorted(numbers, documents)]
    return [of == each for each in range(count)]


def ascending(array: NDArray[Any], below: int) -> Whole:
    """The array, if it holds different whole numbers in order, none negative or too large; ValueError if not."""
    whole: Whole = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or np.any(np.diff(whole) <= 0):
        raise ValueError("not the array that was saved")
    if len(whole) and not 0 <= whole[0] <= whole[-1] < below:
        raise ValueError("not the array that was saved")
    return whole


def _stretches(documents: Whole) -> list[slice]:
    """The runs of masks of one document."""
    starts = np.flatnonzero(np.diff(documents, prepend=-1)).tolist()
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(documents)], strict=True)]
