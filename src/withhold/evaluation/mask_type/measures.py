"""How good guesses of types are, with intervals from documents drawn with replacement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]

_MEASURES = ("accuracy", "balanced_accuracy", "macro_f1", "documents_mean")


def score(guessed: Whole, y: Whole, documents: Whole, classes: Sequence[str], *, draws: int = 1000) -> dict[str, Any]:
    """All measures of the guesses of types `y`, of masks in these documents."""
    counts = _confusions(guessed, y, documents, len(classes))
    found = _measures(counts[None].sum(1))
    mean = _mean_of_documents(counts)
    report: dict[str, Any] = {name: float(each[0]) for name, each in found.items()}
    report |= {"documents_mean": float(mean.mean()), "masks": len(y), "types": _by_type(counts.sum(0), classes)}
    if draws and len(counts) > 1:
        drawn = np.random.default_rng(0).integers(0, len(counts), (draws, len(counts)))
        weights = np.stack([np.bincount(each, minlength=len(counts)) for each in drawn]).astype(np.float64)
        spread = _measures(np.tensordot(weights, counts.astype(np.float64), 1))
        spread["documents_mean"] = weights @ mean / len(counts)
        report["intervals"] = {name: _interval(spread[name]) for name in _MEASURES}
    return report


def majority(y: Whole, learnt: Whole, classes: int) -> float:
    """How often the commonest type of what was learnt from is right."""
    return float(np.mean(y == np.argmax(np.bincount(learnt, minlength=classes)))) if len(y) else 0.0


def _confusions(guessed: Whole, y: Whole, documents: Whole, classes: int) -> Whole:
    """For each document how often each type (second axis) was taken for each (third)."""
    numbers, place = np.unique(documents, return_inverse=True)
    counts = np.zeros((len(numbers), classes, classes), np.int64)
    np.add.at(counts, (place, y, guessed), 1)
    return counts


def _measures(counts: NDArray[Any]) -> dict[str, Floats]:
    """Measures of tables of true and guessed types, one for each on the first axis; types nobody has do not count."""
    right = np.einsum("kii->ki", counts).astype(np.float64)
    true, said = counts.sum(2), counts.sum(1)
    there = true > 0
    recall = np.divide(right, true, out=np.zeros_like(right), where=there)
    f1 = np.divide(2 * right, true + said, out=np.zeros_like(right), where=true + said > 0)
    several = np.maximum(there.sum(1), 1)
    return {
        "accuracy": right.sum(1) / np.maximum(true.sum(1), 1),
        "balanced_accuracy": (recall * there).sum(1) / several,
        "macro_f1": (f1 * there).sum(1) / several,
    }


def _mean_of_documents(counts: Whole) -> Floats:
    shares: Floats = np.einsum("kii->k", counts) / np.maximum(counts.sum((1, 2)), 1)
    return shares


def _by_type(counts: Whole, classes: Sequence[str]) -> dict[str, dict[str, float]]:
    found = {}
    for number, name in enumerate(classes):
        true, said, right = (
            int(each) for each in (counts[number].sum(), counts[:, number].sum(), counts[number, number])
        )
        if true:
            found[name] = {"masks": true, "recall": right / true, "precision": right / max(said, 1)}
            found[name]["f1"] = 2 * right / (true + said)
    return found


def _interval(values: Floats) -> list[float]:
    return [float(each) for each in np.quantile(values, (0.025, 0.975))]
