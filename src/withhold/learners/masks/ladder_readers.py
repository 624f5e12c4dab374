"""Two quick ways of telling the type of a mask from what stands around it: by the words, and by what they mean.

Both score every type by a weighted sum. They are what the defence reckons with, one pair for each rung of its ladder;
attacks have readers of their own.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from scipy.sparse import csr_matrix

from withhold.learners.embeddings import of_words
from withhold.learners.linear import ABSENT, checked
from withhold.learners.masks.ladder_pages import Around, Lexicon
from withhold.text import fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Integers = NDArray[np.int64]
    Hashes = NDArray[np.uint64]

_BITS = 18
_COLUMNS = 1 << _BITS
_SLOTS = 5
_BAG = 10
_SHARED = 2
"""How many masks a column must be met at to count."""

_DIMENSIONS = 64
_REACH = 6
_FADING = 0.85
_LOUDNESS = 1.2
_RIDGE = 1.0
_ONE, _TWO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""Odd numbers without a pattern, for mixing."""


class Reader(Protocol):
    """Learns from surroundings and types, and scores every type for others."""

    sort: str

    def fit(self, views: Views, around: Around, types: Integers, kinds: int) -> Self: ...

    def scores(self, views: Views, around: Around) -> Reals: ...

    def arrays(self) -> dict[str, NDArray[Any]]: ...

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], kinds: int) -> Self: ...


class Views:
    """The surroundings of masks as the readers take them, for the tokens of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._spelling = np.zeros((4, 0), np.uint64)
        self._meaning = np.zeros((0, _DIMENSIONS), np.float32)

    def __repr__(self) -> str:
        return f"Views({self.lexicon!r})"

    def words(self, around: Around) -> Integers:
        """The numbers of the columns that each mask has: words by place, pairs of them, bags, and how they look."""
        word, ending, start, shape = self._spellings()
        left, right = word[around.left], word[around.right]
        found = [_mixed(f"left {at}", left[:, at]) for at in range(_SLOTS)]
        found += [_mixed(f"right {at}", right[:, at]) for at in range(_SLOTS)]
        found += [_mixed("left", left[:, at]) for at in range(_BAG)]
        found += [_mixed("right", right[:, at]) for at in range(_BAG)]
        for name, side in (("left", left), ("right", right)):
            found.append(_mixed(f"{name} two", side[:, 0], side[:, 1]))
            found.append(_mixed(f"{name} three", side[:, 0], side[:, 1], side[:, 2]))
        found.append(_mixed("between", left[:, 0], right[:, 0]))
        found.append(_mixed("between two and one", left[:, 0], left[:, 1], right[:, 0]))
        found.append(_mixed("between one and two", left[:, 0], right[:, 0], right[:, 1]))
        for name, numbers in (("left", around.left), ("right", around.right)):
            for at in (0, 1):
                found += [
                    _mixed(f"{name} {at} {sort}", table[numbers[:, at]])
                    for sort, table in (("ending", ending), ("start", start), ("shape", shape))
                ]
        for at, column in enumerate(around.place.T):
            found.append(_mixed(f"place {at}", column.astype(np.uint64)))
        return (np.stack(found, axis=1) >> np.uint64(64 - _BITS)).astype(np.int64)

    def meanings(self, around: Around) -> Singles:
        """What stands around each mask as directions: near tokens one by one, all of either side together."""
        vectors, fading = self._meanings(), _LOUDNESS * _FADING ** np.arange(_REACH, dtype=np.float32)[:, None]
        parts = [np.ones((len(around), 1), np.float32)]
        for numbers in (around.left, around.right):
            parts.append((vectors[numbers[:, :_REACH]] * fading).reshape(len(around), _REACH * _DIMENSIONS))
            parts.append(vectors[numbers].mean(axis=1))
        return np.concatenate(parts, axis=1).astype(np.float32)

    def _spellings(self) -> Hashes:
        new = self.lexicon.tokens[self._spelling.shape[1] :]
        if new:
            folded = [fold(token).text for token in new]
            rows = [
                [_hash("word", text) for text in folded],
                [_hash("ending", text[-3:]) for text in folded],
                [_hash("start", text[:4]) for text in folded],
                [_hash("shape", _shape(token)) for token in new],
            ]
            self._spelling = np.concatenate([self._spelling, np.array(rows, np.uint64)], axis=1)
        return self._spelling

    def _meanings(self) -> Singles:
        new = self.lexicon.tokens[len(self._meaning) :]
        if new:
            self._meaning = np.concatenate([self._meaning, _vectors([fold(token).text for token in new])])
        return self._meaning


def _vectors(words: Sequence[str]) -> Singles:
    """The direction of each word, in few dimensions. What has no meaning of its own (function words, signs) has a
    direction of its own instead.
    """
    vectors = of_words(words) @ _axes()
    for row in np.flatnonzero(~vectors.any(axis=1)).tolist():
        vectors[row] = np.random.default_rng(_hash("direction", words[row])).standard_normal(_DIMENSIONS)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Singles = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


@cache
def _axes() -> Singles:
    """The directions in which the words of the language differ most."""
    from withhold.learners.embeddings import vocabulary

    vectors = of_words(vocabulary())
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    _, axes = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    strongest = axes[:, ::-1][:, :_DIMENSIONS]
    signs = np.sign(strongest[np.abs(strongest).argmax(axis=0), np.arange(strongest.shape[1])])
    turned: Singles = (strongest * signs).astype(np.float32)
    return turned


def _shape(token: str) -> str:
    if token[:1].isdigit():
        return "digit"
    if not token.isalpha():
        return token
    return "capital" if token[0].isupper() else "small"


def _hash(sort: str, text: str) -> int:
    return int.from_bytes(blake2b(f"{sort} {text}".encode("utf-8", "surrogatepass"), digest_size=8).digest())


@cache
def _slot(name: str) -> np.uint64:
    return np.uint64(_hash("slot", name))


def _mixed(slot: str, *parts: Hashes) -> Hashes:
    mixed = np.full(len(parts[0]), _slot(slot), np.uint64)
    for part in parts:
        mixed = (mixed ^ part) * _ONE
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _TWO
        mixed = mixed ^ (mixed >> np.uint64(32))
    return mixed


class WordReader:
    """A support vector machine over the words around masks, the rarer the weightier. `columns` are those it knows, in
    order, `weights` what each says for each type.
    """

    sort = "words"

    def __init__(self) -> None:
        self.columns = np.zeros(0, np.int64)
        self.rarity = np.zeros(0, np.float32)
        self.weights = np.zeros((0, 0), np.float32)
        self.bias = np.zeros(0)

    def __repr__(self) -> str:
        return f"WordReader(columns={len(self.columns)})"

    def fit(self, views: Views, around: Around, types: Integers, kinds: int) -> Self:
        words = views.words(around)
        met = np.bincount(words.ravel(), minlength=_COLUMNS)
        self.columns = np.flatnonzero(met >= _SHARED)
        shared = np.minimum(met[self.columns], len(words))
        self.rarity = (np.log((1 + len(words)) / (1 + shared)) + 1).astype(np.float32)
        self.weights, self.bias = _separated(self._rows(words), types, kinds)
        return self

    def scores(self, views: Views, around: Around) -> Reals:
        rows = self._rows(views.words(around))
        scores: Reals = np.asarray(rows @ self.weights.astype(np.float64)) + self.bias
        return scores

    def _rows(self, words: Integers) -> csr_matrix[np.float64]:
        known = np.full(_COLUMNS, len(self.columns), np.int64)
        known[self.columns] = np.arange(len(self.columns))
        numbers = known[words]
        values = np.append(self.rarity, 0.0).astype(np.float64)[numbers]
        values /= np.maximum(np.sqrt((values**2).sum(axis=1, keepdims=True)), 1e-9)
        starts = np.arange(0, words.size + 1, words.shape[1])
        shape = (len(words), len(self.columns) + 1)
        return csr_matrix((values.ravel(), numbers.ravel(), starts), shape)[:, :-1]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"columns": self.columns, "rarity": self.rarity, "weights": self.weights, "bias": self.bias}

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], kinds: int) -> Self:
        reader, size = cls(), len(arrays["columns"])
        reader.columns = checked(arrays["columns"], np.int64, (size,))
        if size and not (
            reader.columns[0] >= 0 and reader.columns[-1] < _COLUMNS and (np.diff(reader.columns) > 0).all()
        ):
            raise ValueError("not the columns that were saved")
        reader.rarity = checked(arrays["rarity"], np.float32, (size,))
        reader.weights = checked(arrays["weights"], np.float32, (size, kinds))
        reader.bias = checked(arrays["bias"], np.float64, (kinds,))
        return reader


def _separated(rows: csr_matrix[np.float64], types: Integers, kinds: int) -> tuple[Singles, Reals]:
    """Weights and bias of one plane for each type that is met, against all others."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    weights, bias = np.zeros((rows.shape[1], kinds), np.float32), np.full(kinds, ABSENT)
    met = np.unique(types)
    if len(met) < 2 or not rows.shape[1]:
        bias[met] = 0.0
        return weights, bias
    machine = LinearSVC(C=0.7, tol=1e-2, max_iter=200, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(rows, types)
    learnt, level = machine.coef_, machine.intercept_
    if len(met) == 2:
        learnt, level = np.vstack([-learnt, learnt]), np.concatenate([-level, level])
    weights[:, met], bias[met] = learnt.T, level
    return weights, bias


class MeaningReader:
    """Least squares over what the words around masks mean."""

    sort = "meanings"

    def __init__(self) -> None:
        self.weights = np.zeros((0, 0), np.float32)

    def __repr__(self) -> str:
        return "MeaningReader()"

    def fit(self, views: Views, around: Around, types: Integers, kinds: int) -> Self:
        wanted = 2 * np.eye(kinds, dtype=np.float64)[types] - 1
        exact = views.meanings(around).astype(np.float64)
        product = exact.T @ exact
        product[np.diag_indices(len(product))] += _RIDGE
        self.weights = np.linalg.solve(product, exact.T @ wanted).astype(np.float32)
        return self

    def scores(self, views: Views, around: Around) -> Reals:
        scores: Reals = (views.meanings(around) @ self.weights).astype(np.float64)
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.weights}

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], kinds: int) -> Self:
        reader = cls()
        size = 1 + 2 * (_REACH + 1) * _DIMENSIONS
        reader.weights = checked(arrays["weights"], np.float32, (size, kinds))
        return reader
