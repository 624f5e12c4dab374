"""Several classifiers as one, weighted by how well they did on documents that they had not learnt from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from withhold.learners.linear import checked
from withhold.learners.masks.classifiers import Arrays, Chain, Classifier, Floats, Logistic, Svm, folds, softmax
from withhold.learners.masks.networks import Convolution, FeedForward
from withhold.learners.masks.trees import Boosting, Forest
from withhold.learners.masks.views import Views, Whole

_FOLDS = 3
_STEEP = 3.0

MEMBERS: Mapping[str, Callable[[], Classifier]] = {
    "svm": lambda: Svm(steepness=_STEEP),
    "encoder": Logistic,
}
"""The classifiers of an ensemble if nobody says which."""

CLASSIFIERS: Mapping[str, Callable[[], Classifier]] = {
    "svm": Svm,
    "svm_words": lambda: Svm(alone=True, hardness=2.0),
    "crf": Chain,
    "forest": Forest,
    "boosting": Boosting,
    "feed_forward": FeedForward,
    "convolution": Convolution,
    "embeddings": lambda: Logistic("summary", 0.02),
    "encoder": Logistic,
    "ensemble": lambda: Ensemble(),
}
"""All classifiers of masks by name. `svm_words` and `crf` know nothing but the words of the documents they learn from;
`encoder` reads with the network that comes with withhold; `ensemble` weighs `MEMBERS` against each other.
"""


class Ensemble:
    """The product of what members say is likely, each raised to a power of its own, times a weight for each type."""

    def __init__(self, names: Sequence[str] = tuple(MEMBERS)) -> None:
        self.members = {name: MEMBERS[name]() if name in MEMBERS else CLASSIFIERS[name]() for name in names}
        self.powers = self.weights = np.zeros(0)

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        left_out = {name: np.full((len(y), classes), 1 / classes) for name in self.members}
        for fold in folds(views.document, _FOLDS, seed=1):
            for name, member in self.members.items():
                member.fit(views.take(~fold), y[~fold], classes)
                left_out[name][fold] = member.probabilities(views.take(fold))
        self.powers, self.weights = _balance([_logs(each) for each in left_out.values()], y, classes)
        for member in self.members.values():
            member.fit(views, y, classes)
        return self

    def probabilities(self, views: Views, /) -> Floats:
        said = [_logs(member.probabilities(views)) for member in self.members.values()]
        return softmax(sum(power * each for power, each in zip(self.powers, said, strict=True)) + self.weights)

    def arrays(self) -> dict[str, NDArray[Any]]:
        learnt = {f"{name}.{key}": array for name, each in self.members.items() for key, array in each.arrays().items()}
        return {**learnt, "powers": self.powers, "weights": self.weights}

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        for name, member in self.members.items():
            own = {key.partition(".")[2]: array for key, array in arrays.items() if key.partition(".")[0] == name}
            member.restore(own, classes)
        self.powers = checked(arrays["powers"], np.float64, (len(self.members),))
        self.weights = checked(arrays["weights"], np.float64, (classes,))
        return self


def _logs(likely: Floats) -> Floats:
    found: Floats = np.log(np.maximum(likely, 1e-4))
    return found


def _balance(said: Sequence[Floats], y: Whole, classes: int) -> tuple[Floats, Floats]:
    """The powers, none negative, and the weights of types under which the truth is likeliest; weights stay small."""
    from scipy.optimize import minimize

    stacked = np.stack(said)
    wanted = np.eye(classes)[y]

    def loss(flat: Floats) -> tuple[float, Floats]:
        powers, weights = flat[: len(said)], flat[len(said) :]
        likely = softmax(np.tensordot(powers, stacked, 1) + weights)
        value = -np.log(np.maximum(likely[np.arange(len(y)), y], 1e-300)).mean() + 0.01 * float(weights @ weights)
        slope = (likely - wanted) / len(y)
        return value, np.concatenate([(stacked * slope).sum((1, 2)), slope.sum(0) + 0.02 * weights])

    begin = np.concatenate([np.full(len(said), 1 / len(said)), np.zeros(classes)])
    bounds = [(0.0, 5.0)] * len(said) + [(-3.0, 3.0)] * classes
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x[: len(said)], found.x[len(said) :]
