"""Small networks in plain numpy: one of layers after one another, and one that slides over the words near a mask."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from withhold.learners.linear import checked
from withhold.learners.masks.classifiers import Arrays, Floats, dense, softmax
from withhold.learners.masks.views import REACH, Singles, Views, Whole

Parameters = dict[str, Singles]

_BATCH = 64
_SHOWN = 3
"""Answers of a filter that count on each side: at the two places next to the mask, and the best further off."""


class FeedForward:
    """Layers of numbers, each a weighted sum of those of the layer before where that is positive."""

    def __init__(self, view: str = "summary+prior", layers: tuple[int, ...] = (256, 64), epochs: int = 12) -> None:
        self.view, self.layers, self.epochs = view, layers, epochs
        self._learnt: Parameters = {}

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        given = dense(views, self.view)
        chance = np.random.default_rng(0)
        centre, spread = given.mean(0), given.std(0) + np.float32(1e-3)
        sizes = (given.shape[1], *self.layers, classes)
        learnt = {f"w{n}": _begin(chance, a, b) for n, (a, b) in enumerate(pairwise(sizes))}
        learnt |= {f"b{n}": np.zeros(size, np.float32) for n, size in enumerate(sizes[1:])}
        scaled = (given - centre) / spread

        def step(places: Whole, learnt: Parameters) -> Parameters:
            return _layers(scaled[places], y[places], learnt, chance)

        self._learnt = {**_adam(step, learnt, len(y), self.epochs, chance), "centre": centre, "spread": spread}
        return self

    def probabilities(self, views: Views, /) -> Floats:
        given = (dense(views, self.view) - self._learnt["centre"]) / self._learnt["spread"]
        return softmax(_forward(given, self._learnt)[-1])

    def arrays(self) -> dict[str, NDArray[Any]]:
        return dict(self._learnt)

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        sizes = (arrays["centre"].shape[0], *self.layers, classes)
        shapes: dict[str, tuple[int, ...]] = {f"w{n}": pair for n, pair in enumerate(pairwise(sizes))}
        shapes |= {f"b{n}": (size,) for n, size in enumerate(sizes[1:])}
        shapes |= {"centre": sizes[:1], "spread": sizes[:1]}
        self._learnt = {name: checked(arrays[name], np.float32, shape) for name, shape in shapes.items()}
        return self


class Convolution:
    """Filters over each few words in a row on both sides of a mask, then two layers over what they answer."""

    def __init__(self, filters: int = 96, width: int = 3, hidden: int = 96, epochs: int = 10) -> None:
        self.filters, self.width, self.hidden, self.epochs = filters, width, hidden, epochs
        self._learnt: Parameters = {}

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        near = views.near
        chance = np.random.default_rng(0)
        joined = 2 * _SHOWN * self.filters
        learnt = {
            "k": _begin(chance, self.width * near.shape[2], self.filters) * np.float32(3),
            "c": np.zeros(self.filters, np.float32),
            "w0": _begin(chance, joined, self.hidden),
            "b0": np.zeros(self.hidden, np.float32),
            "w1": _begin(chance, self.hidden, classes),
            "b1": np.zeros(classes, np.float32),
        }

        def step(places: Whole, learnt: Parameters) -> Parameters:
            return self._slopes(near[places], y[places], learnt, chance)

        self._learnt = _adam(step, learnt, len(y), self.epochs, chance)
        return self

    def probabilities(self, views: Views, /) -> Floats:
        near = views.near
        parts = [
            _forward(self._answers(near[start : start + 512], self._learnt)[0], self._learnt)[-1]
            for start in range(0, len(near), 512)
        ]
        return softmax(np.concatenate([np.zeros((0, len(self._learnt["b1"])), np.float32), *parts]))

    def _answers(self, near: Singles, learnt: Parameters) -> tuple[Singles, Singles, Singles, NDArray[np.int64]]:
        """What filters answer, joined: at the two places next to the mask on each side and the best further off; with
        the words they saw, what they said there, and where the best was.
        """
        seen = _slid(near, self.width)
        said = np.maximum(seen @ learnt["k"] + learnt["c"], 0)
        half = said.shape[1] // 2
        left, right = said[:, :half][:, ::-1], said[:, half:]
        best = np.stack([left[:, 2:].argmax(1), right[:, 2:].argmax(1)], axis=1)
        far = [np.take_along_axis(side[:, 2:], best[:, None, n], 1)[:, 0] for n, side in enumerate((left, right))]
        joined = np.concatenate([left[:, 0], left[:, 1], far[0], right[:, 0], right[:, 1], far[1]], axis=1)
        return joined, seen, said, best

    def _slopes(self, near: Singles, y: Whole, learnt: Parameters, chance: np.random.Generator) -> Parameters:
        joined, seen, said, best = self._answers(near, learnt)
        slopes = _layers(joined, y, learnt, chance)
        back = slopes.pop("given").reshape(len(y), 2 * _SHOWN, self.filters)
        half = said.shape[1] // 2
        at = np.zeros_like(said)
        for side, first, step in ((0, half - 1, -1), (1, half, 1)):
            at[:, first] += back[:, 3 * side]
            at[:, first + step] += back[:, 3 * side + 1]
            places = first + step * (best[:, side] + 2)
            np.put_along_axis(at, places[:, None], back[:, None, 3 * side + 2], 1)
        at *= said > 0
        slopes["k"] = np.tensordot(seen, at, axes=((0, 1), (0, 1)))
        slopes["c"] = at.sum((0, 1))
        return slopes

    def arrays(self) -> dict[str, NDArray[Any]]:
        return dict(self._learnt)

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        shapes = {
            "k": (*arrays["k"].shape[:1], self.filters),
            "c": (self.filters,),
            "w0": (2 * _SHOWN * self.filters, self.hidden),
            "b0": (self.hidden,),
            "w1": (self.hidden, classes),
            "b1": (classes,),
        }
        self._learnt = {name: checked(arrays[name], np.float32, shape) for name, shape in shapes.items()}
        return self


def _slid(near: Singles, width: int) -> Singles:
    """Each few words in a row on the left, then on the right, never across the mask; with nothing beyond the far ends.

    The first on each side is next to the mask.
    """
    count, _, size = near.shape
    nothing = np.zeros((count, width - 1, size), np.float32)
    left, right = np.concatenate([nothing, near[:, :REACH]], 1), np.concatenate([near[:, REACH:], nothing], 1)
    return np.concatenate(
        [np.concatenate([side[:, shift : shift + REACH] for shift in range(width)], axis=2) for side in (left, right)],
        axis=1,
    )


def _begin(chance: np.random.Generator, above: int, below: int) -> Singles:
    begun: Singles = (chance.normal(size=(above, below)) * np.sqrt(2 / above)).astype(np.float32)
    return begun


def _forward(given: Singles, learnt: Parameters) -> list[Singles]:
    """What each layer answers, the given first."""
    answers = [given]
    count = sum(name[0] == "w" for name in learnt)
    for number in range(count):
        sums = answers[-1] @ learnt[f"w{number}"] + learnt[f"b{number}"]
        answers.append(np.maximum(sums, 0) if number + 1 < count else sums)
    return answers


def _layers(given: Singles, y: Whole, learnt: Parameters, chance: np.random.Generator, drop: float = 0.3) -> Parameters:
    """How the loss grows with each weight, and with what was `given`; some of that is left out at random."""
    kept = ((chance.random(given.shape) >= drop) / (1 - drop)).astype(np.float32)
    answers = _forward(given * kept, learnt)
    back: Any = softmax(answers[-1]).astype(np.float32)
    back[np.arange(len(y)), y] -= 1
    back /= len(y)
    slopes: Parameters = {}
    for number in range(len(answers) - 2, -1, -1):
        slopes[f"w{number}"], slopes[f"b{number}"] = answers[number].T @ back, back.sum(0)
        back = back @ learnt[f"w{number}"].T
        if number:
            back = back * (answers[number] > 0)
    return {**slopes, "given": back * kept}


def _adam(
    step: Callable[[Whole, Parameters], Parameters],
    learnt: Parameters,
    count: int,
    epochs: int,
    chance: np.random.Generator,
    rate: float = 0.001,
    decay: float = 0.01,
) -> Parameters:
    """The weights after so many passes over all samples in small batches, by Adam with a falling rate."""
    first = {name: np.zeros_like(each) for name, each in learnt.items()}
    second = {name: np.zeros_like(each) for name, each in learnt.items()}
    steps = max(1, -(-count // _BATCH)) * epochs
    done = 0
    for _ in range(epochs):
        for places in np.array_split(chance.permutation(count), max(1, -(-count // _BATCH))):
            slopes = step(places, learnt)
            done += 1
            pace = rate * (1 - done / (steps + 1))
            for name, each in learnt.items():
                first[name] += np.float32(0.1) * (slopes[name] - first[name])
                second[name] += np.float32(0.001) * (slopes[name] ** 2 - second[name])
                move = first[name] / np.float32(1 - 0.9**done)
                scale = np.sqrt(second[name] / np.float32(1 - 0.999**done)) + np.float32(1e-8)
                each -= np.float32(pace) * (move / scale + np.float32(decay) * each)
    return learnt
