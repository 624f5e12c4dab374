"""Masked documents as classifiers see them, each view made once and only if one asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from withhold.labels import KINDS
from withhold.learners import embeddings
from withhold.learners.masks import features
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.features import Rows
from withhold.text import fold

Singles = NDArray[np.float32]
Whole = NDArray[np.int64]

REACH = 8
"""So many words on each side of a mask are seen one by one."""

_OWN = 32
"""Words have so many numbers of their own besides their meaning: function words, which mean nothing, tell the most."""

_PRIOR = Path(__file__).parent / "data" / "prior.npz"


class Views:
    """Some of the masks of some documents; what is asked for comes in their order, document by document."""

    def __init__(self, documents: Sequence[Masked]) -> None:
        self._documents = documents
        self._made: dict[str, Any] = {}
        counts = [len(document.masks) for document in documents]
        self.chosen: Whole = np.arange(sum(counts))
        self._document: Whole = np.repeat(np.arange(len(documents)), counts)

    def __len__(self) -> int:
        return len(self.chosen)

    def __repr__(self) -> str:
        return f"Views({len(self)} masks)"

    def take(self, places: Any) -> Views:
        """Those of the masks that an index or a choice of numpy gives."""
        found = Views.__new__(Views)
        found._documents, found._made, found._document = self._documents, self._made, self._document
        found.chosen = self.chosen[places]
        return found

    def grouped(self, documents: Whole) -> Views:
        """The same masks, as if they were of these documents."""
        found = self.take(slice(None))
        found._document = np.empty_like(self._document)
        found._document[self.chosen] = documents
        return found

    @property
    def document(self) -> Whole:
        """The number of the document of each mask."""
        return self._document[self.chosen]

    @property
    def labels(self) -> list[str]:
        """The type of each mask."""
        every = [label for document in self._documents for label in document.types]
        return [every[place] for place in self.chosen.tolist()]

    @property
    def rows(self) -> Rows:
        """Hashed features."""
        found: Rows = self._get("rows", features.rows)
        return found

    @property
    def prior(self) -> Singles:
        """What a model learnt elsewhere from such features makes of each mask: a score for each of `KINDS`."""
        return self._dense("prior", lambda _: _prior()(self._whole().rows))

    @property
    def near(self) -> Singles:
        """The vectors of the words around each mask, nearest in the middle."""
        return self._dense("near", _near)

    @property
    def summary(self) -> Singles:
        """The vectors of the two words next to each mask, and the means of those further on both sides."""
        return self._dense("summary", lambda _: _summary(self._whole().near))

    @property
    def states(self) -> Singles:
        """The vectors that the encoder has for each mask, with its score for each of `KINDS`."""
        return self._dense("states", _states)

    def _whole(self) -> Views:
        found = self.take(slice(None))
        found.chosen = np.arange(len(self._document))
        return found

    def _dense(self, name: str, make: Callable[[Sequence[Masked]], Singles]) -> Singles:
        found: Singles = self._get(name, make)
        return found

    def _get(self, name: str, make: Callable[[Sequence[Masked]], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make(self._documents)
        return self._made[name][self.chosen]


def _states(documents: Sequence[Masked]) -> Singles:
    from withhold.learners.masks import encoder

    states, likely = encoder.read(documents)
    return np.hstack([states, np.log(np.maximum(likely, 1e-6))])


def _near(documents: Sequence[Masked]) -> Singles:
    numbers: dict[str, int] = {"": 0}
    windows = []
    for document in documents:
        masks = set(document.marks)
        own = [
            numbers.setdefault("\0" if place in masks else fold(token).text, len(numbers))
            for place, token in enumerate(document.tokens)
        ]
        padded = [0] * REACH + own + [0] * REACH
        windows += [padded[at : at + REACH] + padded[at + REACH + 1 : at + 2 * REACH + 1] for at in document.masks]
    vectors = _vectors(list(numbers))
    return vectors[np.array(windows, np.int64).reshape(-1, 2 * REACH)]


def _vectors(words: Sequence[str]) -> Singles:
    """A vector for each folded word: what it means, and some numbers that are its own; zeros for no word."""
    meaning = embeddings.of_words(words)
    meaning = meaning / np.maximum(np.linalg.norm(meaning, axis=1, keepdims=True), 1e-6)
    own = np.stack([np.random.default_rng(crc32(w.encode("utf-8", "surrogatepass"))).normal(size=_OWN) for w in words])
    vectors = np.hstack([meaning, own / np.sqrt(_OWN)]).astype(np.float32)
    vectors[0] = 0
    return vectors


def _summary(near: Singles) -> Singles:
    left, right = near[:, REACH - 1 :: -1], near[:, REACH:]
    parts = [left[:, 0], right[:, 0], left[:, 1], right[:, 1], left[:, 1:].mean(1), right[:, 1:].mean(1)]
    return np.hstack(parts)


class Prior:
    """A linear model of hashed features, kept small: weights are whole numbers times the scale of their class."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._columns = arrays["columns"].astype(np.int64)
        self._rarity = features.Weighting(np.zeros(features.COLUMNS, np.float32))
        self._rarity.rarity[self._columns] = arrays["rarity"].astype(np.float32)
        self._weights = arrays["weights"].astype(np.float32) * arrays["scales"].astype(np.float32)
        self._bias = arrays["bias"].astype(np.float32)

    def __call__(self, counts: Rows) -> Singles:
        found: Singles = np.asarray(self._rarity(counts)[:, self._columns] @ self._weights) + self._bias
        return found


@cache
def _prior() -> Callable[[Rows], Singles]:
    if not _PRIOR.is_file():
        return lambda counts: np.zeros((counts.shape[0], len(KINDS)), np.float32)
    with np.load(_PRIOR, allow_pickle=False) as stored:
        return Prior({name: stored[name] for name in stored.files})
