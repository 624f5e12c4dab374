"""Forests of decision trees, and trees that each mend what those before got wrong; kept as arrays of numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from withhold.learners.masks.classifiers import Arrays, Floats, dense, softmax
from withhold.learners.masks.views import Singles, Views, Whole


class Trees:
    """Many trees in flat arrays: of each node the number asked for, what it is compared with, where to go on, and what
    a leaf says. A node whose number is negative is a leaf.
    """

    def __init__(self, arrays: Arrays) -> None:
        self.feature, self.threshold = arrays["feature"], arrays["threshold"]
        self.left, self.right, self.value = arrays["left"], arrays["right"], arrays["value"]
        self.roots = arrays["roots"]

    @classmethod
    def of(cls, estimators: list[Any]) -> Self:
        parts = [each.tree_ for each in estimators]
        roots = np.cumsum([0, *(part.node_count for part in parts)])
        moved = {
            name: np.concatenate(
                [getattr(part, f"children_{name}") + root for part, root in zip(parts, roots, strict=False)]
            )
            for name in ("left", "right")
        }
        values = [part.value[:, 0, :] if part.value.shape[1] == 1 else part.value[:, :, 0] for part in parts]
        return cls(
            {
                "feature": np.concatenate([part.feature for part in parts]).astype(np.int32),
                "threshold": np.concatenate([part.threshold for part in parts]).astype(np.float32),
                "left": moved["left"].astype(np.int32),
                "right": moved["right"].astype(np.int32),
                "value": np.concatenate(values).astype(np.float32),
                "roots": roots[:-1].astype(np.int32),
            }
        )

    def __call__(self, given: Singles) -> Floats:
        """The sum of what all trees say of each row."""
        told = np.zeros((len(given), self.value.shape[1]))
        every = np.arange(len(given))
        for root in self.roots.tolist():
            node = np.full(len(given), root, np.int64)
            while (inner := self.feature[node] >= 0).any():
                asked = given[every, np.maximum(self.feature[node], 0)]
                further = np.where(asked <= self.threshold[node], self.left[node], self.right[node])
                node = np.where(inner, further, node)
            told += self.value[node]
        return told

    def arrays(self) -> dict[str, NDArray[Any]]:
        names = ("feature", "threshold", "left", "right", "value", "roots")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def restored(cls, arrays: Arrays, outputs: int) -> Self:
        """The trees of these arrays, in which every way leads down to a leaf; ValueError or KeyError if not."""
        found = cls(arrays)
        count = len(found.feature)
        inner = np.flatnonzero(found.feature >= 0)
        whole = (found.feature, found.left, found.right, found.roots)
        if any(each.dtype != np.int32 or each.ndim != 1 for each in whole) or found.value.shape != (count, outputs):
            raise ValueError("not the arrays that were saved")
        ends = np.append(found.roots[1:], count)[np.searchsorted(found.roots, inner, "right") - 1]
        for further in (found.left[inner], found.right[inner]):
            if np.any(further <= inner) or np.any(further >= ends):
                raise ValueError("not the arrays that were saved")
        if len(found.threshold) != count or not np.all(np.isfinite(found.value)) or np.any(found.roots >= count):
            raise ValueError("not the arrays that were saved")
        return found


class Forest:
    """Trees that each learnt from other samples of the masks, and vote."""

    def __init__(self, view: str = "summary+prior", trees: int = 200) -> None:
        self.view, self.trees = view, trees
        self._trees: Trees | None = None
        self._present: Whole = np.zeros(0, np.int64)
        self._classes = 0

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        from sklearn.ensemble import RandomForestClassifier

        model = RandomForestClassifier(self.trees, min_samples_leaf=2, max_features="sqrt", n_jobs=1, random_state=0)
        model.fit(dense(views, self.view), y)
        self._trees, self._classes = Trees.of(model.estimators_), classes
        self._present = model.classes_.astype(np.int64)
        return self

    def probabilities(self, views: Views, /) -> Floats:
        assert self._trees is not None
        found = np.zeros((len(views), self._classes))
        told = self._trees(dense(views, self.view))
        found[:, self._present] = told / np.maximum(told.sum(1, keepdims=True), 1e-9)
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        assert self._trees is not None
        return {**self._trees.arrays(), "present": self._present}

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        self._present, self._classes = arrays["present"].astype(np.int64), classes
        if np.any(self._present < 0) or np.any(self._present >= classes):
            raise ValueError("not the arrays that were saved")
        self._trees = Trees.restored(arrays, len(self._present))
        return self


class Boosting:
    """Small trees one after the other, each fitted to how far the sum of those before is from the truth."""

    def __init__(self, view: str = "summary+prior", rounds: int = 120, pace: float = 0.3, depth: int = 6) -> None:
        self.view, self.rounds, self.pace, self.depth = view, rounds, pace, depth
        self._trees: Trees | None = None
        self._begin: Floats = np.zeros(0)

    def fit(self, views: Views, y: Whole, classes: int, /) -> Self:
        from sklearn.tree import DecisionTreeRegressor

        given = dense(views, self.view)
        chance = np.random.default_rng(0)
        wanted = np.eye(classes)[y]
        self._begin = np.log(np.maximum(wanted.mean(0), 1e-6))
        scores = np.tile(self._begin, (len(y), 1))
        grown = []
        for number in range(self.rounds):
            part = chance.random(len(y)) < 0.7
            likely = softmax(scores)
            tree = DecisionTreeRegressor(
                max_depth=self.depth, min_samples_leaf=3, max_features=0.1, random_state=number
            )
            # Steps are in units of the spread of the guesses, as Newton's would be.
            tree.fit(given[part], (wanted - likely)[part] * 2)
            scores += self.pace * classes / 2 * tree.predict(given)
            grown.append(tree)
        self._trees = Trees.of(grown)
        return self

    def probabilities(self, views: Views, /) -> Floats:
        assert self._trees is not None
        classes = len(self._begin)
        return softmax(self._begin + self.pace * classes / 2 * self._trees(dense(views, self.view)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        assert self._trees is not None
        return {**self._trees.arrays(), "begin": self._begin}

    def restore(self, arrays: Arrays, classes: int, /) -> Self:
        self._begin = arrays["begin"]
        if self._begin.shape != (classes,) or not np.all(np.isfinite(self._begin)):
            raise ValueError("not the arrays that were saved")
        self._trees = Trees.restored(arrays, classes)
        return self
