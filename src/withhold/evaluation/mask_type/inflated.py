"""How a published protocol makes an attacker look better than it is: the same vectors and the same classifier, scored
honestly and in ways that let it see what it is scored on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.learners.masks.classifiers import folds
from withhold.learners.masks.features import Weighting
from withhold.learners.masks.views import Views

Whole = NDArray[np.int64]
Singles = NDArray[np.float32]

_NEIGHBOURS = 5
_WIDTH = 150
_TEST = 0.15
_GROWN = 3500 / 2781
"""By how much the published protocol multiplies the classes after it has made them equally small."""

EXPLAINED = {
    "honest": "documents that are tested were never learnt from; synthetic samples are made of training ones alone",
    "synthetic_before_split": "synthetic samples (SMOTE) are made of everything, then a random part is tested: most of "
    "what is tested lies between two samples that were learnt",
    "published": "classes cut down to the rarest, synthetic samples of everything, then a random part is tested",
    "random_split": "samples are split at random, so that every document is on both sides",
    "training_data": "scored on what was learnt from",
    "balanced_honest": "honest, on as many masks of every type",
}


def inflation(views: Views, y: Whole, classes: int, *, parts: int = 5) -> dict[str, float]:
    """The accuracy of one classifier, a support vector machine with a Gaussian kernel, by each way of scoring."""
    vectors = _vectors(views)
    chance = np.random.default_rng(0)
    guessed = np.zeros(len(y), np.int64)
    for fold in folds(views.document, parts):
        x, numbers = smote(vectors[~fold], y[~fold], int(np.bincount(y[~fold]).max()), chance)
        guessed[fold] = _machine(x, numbers).predict(vectors[fold])
    right = guessed == y
    more, numbers = smote(vectors, y, int(np.bincount(y).max()), chance)
    few = _even(y, chance)
    grown, of = smote(vectors[few], y[few], round(_GROWN * len(few) / len(np.unique(y))), chance)
    whole = _machine(vectors, y)
    return {
        "honest": float(right.mean()),
        "synthetic_before_split": _at_random(more, numbers, chance),
        "published": _at_random(grown, of, chance),
        "random_split": _at_random(vectors, y, chance),
        "training_data": float(np.mean(whole.predict(vectors) == y)),
        "balanced_honest": float(np.mean([right[y == each].mean() for each in np.unique(y)])),
    }


def smote(x: Singles, y: Whole, wanted: int, chance: np.random.Generator) -> tuple[Singles, Whole]:
    """The samples, and for each class with fewer than `wanted` more of them: points on the way from a sample to one of
    its nearest neighbours in the class.
    """
    samples, numbers = [x], [y]
    for each in np.unique(y):
        own = x[y == each]
        missing = wanted - len(own)
        if missing <= 0 or len(own) < 2:
            continue
        lengths = (own * own).sum(1)
        distances = lengths[:, None] + lengths - 2 * own @ own.T
        np.fill_diagonal(distances, np.inf)
        near = np.argsort(distances, axis=1)[:, : min(_NEIGHBOURS, len(own) - 1)]
        base = chance.integers(0, len(own), missing)
        other = near[base, chance.integers(0, near.shape[1], missing)]
        samples.append(own[base] + chance.random((missing, 1)).astype(np.float32) * (own[other] - own[base]))
        numbers.append(np.full(missing, each))
    return np.concatenate(samples), np.concatenate(numbers)


def _vectors(views: Views) -> Singles:
    """The directions in which the words around masks vary most, found without looking at types."""
    from sklearn.decomposition import TruncatedSVD

    rows = views.rows
    known = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) > 1)
    weighted = Weighting.fit(rows[:, known])(rows[:, known])
    width = min(_WIDTH, len(known) - 1, len(views) - 1)
    reduced: Singles = TruncatedSVD(width, random_state=0, n_iter=3).fit_transform(weighted).astype(np.float32)
    reduced /= np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), np.float32(1e-6))
    return reduced


def _machine(x: Singles, y: Whole) -> Any:
    from sklearn.svm import SVC

    return SVC(C=5.0, gamma=2.0, cache_size=400).fit(x, y)


def _at_random(x: Singles, y: Whole, chance: np.random.Generator) -> float:
    tested = np.zeros(len(y), bool)
    tested[chance.permutation(len(y))[: max(1, round(_TEST * len(y)))]] = True
    return float(np.mean(_machine(x[~tested], y[~tested]).predict(x[tested]) == y[tested]))


def _even(y: Whole, chance: np.random.Generator) -> Whole:
    """As many of each class as the rarest has, drawn by chance."""
    fewest = int(np.bincount(y)[np.unique(y)].min())
    return np.concatenate([chance.permutation(np.flatnonzero(y == each))[:fewest] for each in np.unique(y)])
