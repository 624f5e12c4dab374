"""The attacker that reads meaning: which known documents is a text nearest to?"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from withhold.learners.linear import ABSENT, Arrays, Floats, Singles, Whole, checked

_BLOCK = 16_000_000
"""So many cosines are held at a time."""

_TIE = 1e-6
"""Classes without a neighbour follow in the order of their nearest document."""


class Neighbours:
    """A vote of the `k` documents with the highest cosine, those nearest by weighing most.

    A neighbour weighs less by a factor of e for every `reach` that its cosine is lower than the highest; for a text
    without meaning the vote is the share of each class. The mean of all documents is taken out first: what they have in
    common says nothing. Vectors are kept in 8 bits a number.
    """

    def __init__(self, k: int = 30, reach: float = 0.1) -> None:
        self.k = k
        self.reach = reach
        self.mean: Singles = np.zeros(0, np.float32)
        self.vectors: NDArray[np.int8] = np.zeros((0, 0), np.int8)
        self.y: Whole = np.zeros(0, np.int64)
        self.shares: Floats = np.zeros(0)

    def __repr__(self) -> str:
        return f"Neighbours(documents={len(self.y)}, classes={len(self.shares)})"

    def fit(self, vectors: Singles, y: Whole, classes: int) -> Self:
        """Remember one vector and one class number per document; a class may have no document."""
        if not len(y):
            raise ValueError("nothing to learn from")
        order = np.argsort(y, kind="stable")
        self.y = np.asarray(y, np.int64)[order]
        self.shares = np.bincount(self.y, minlength=classes) / len(y)
        self.mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        directions = _directions(vectors[order], self.mean)
        peaks = np.maximum(np.abs(directions).max(axis=1, keepdims=True), 1e-12)
        self.vectors = np.round(directions * (127 / peaks)).astype(np.int8)
        return self

    def scores(self, vectors: Singles) -> Floats:
        """The share of the vote for each class, documents by classes."""
        known = self.vectors.astype(np.float32)
        known /= np.maximum(np.linalg.norm(known, axis=1, keepdims=True), 1e-12)
        asked = _directions(vectors, self.mean)
        scores = np.full((len(vectors), len(self.shares)), ABSENT)
        step = max(_BLOCK // len(known), 1)
        for start in range(0, len(asked), step):
            block = slice(start, start + step)
            scores[block, self.shares > 0] = self._vote(asked[block] @ known.T)
        silent = ~vectors.any(axis=1)
        scores[np.ix_(silent, self.shares > 0)] = self.shares[self.shares > 0]
        return scores

    def _vote(self, cosines: Singles) -> Floats:
        """The vote of each class that has documents."""
        present = np.flatnonzero(self.shares)
        k = min(self.k, cosines.shape[1])
        nearest = np.argpartition(cosines, cosines.shape[1] - k, axis=1)[:, -k:]
        near = np.take_along_axis(cosines, nearest, axis=1).astype(np.float64)
        weights = np.exp((near - near.max(axis=1, keepdims=True)) / self.reach)
        weights /= weights.sum(axis=1, keepdims=True)
        cells = np.arange(len(cosines))[:, None] * len(present) + np.searchsorted(present, self.y[nearest])
        votes = np.bincount(cells.ravel(), weights.ravel(), len(cosines) * len(present))
        best = np.maximum.reduceat(cosines, np.searchsorted(self.y, present), axis=1)
        return votes.reshape(-1, len(present)) + _TIE * best

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt; `restore` takes it back."""
        return {"mean": self.mean, "vectors": self.vectors, "y": self.y}

    def restore(self, arrays: Arrays, classes: int, dimensions: int) -> Self:
        """The arrays of so many classes and dimensions; ValueError or KeyError if they are not."""
        self.y = checked(arrays["y"], np.int64, (arrays["y"].size,))
        if not len(self.y) or self.y.min() < 0 or self.y.max() >= classes or np.any(np.diff(self.y) < 0):
            raise ValueError("not the classes that were saved")
        self.mean = checked(arrays["mean"], np.float32, (dimensions,))
        self.vectors = checked(arrays["vectors"], np.int8, (len(self.y), dimensions))
        self.shares = np.bincount(self.y, minlength=classes) / len(self.y)
        return self


def _directions(vectors: Singles, mean: Singles) -> Singles:
    centred = vectors - mean
    directions: Singles = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-12)
    return directions
