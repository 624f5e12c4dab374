"""Models of sensitive words as plain arrays, and back: nothing that is read is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.learners.crf import Crf
from withhold.learners.second_look import COLUMNS, DEPTH, Trees, Twice
from withhold.learners.sensitive import TAGS, Cascade, Chain, Model, Plane
from withhold.learners.word_features import Vocabulary


def arrays(model: Model) -> dict[str, NDArray[Any]]:
    """All that a model is, as plain arrays; `restore` takes it back."""
    match model:
        case Plane():
            return {**_named(model.vocabulary), "plane": model.weights, "bias": np.array([model.bias])}
        case Chain():
            return {
                **_named(model.crf.vocabulary),
                "weights": model.crf.weights,
                "transitions": model.crf.transitions,
                "tags": np.array(model.crf.tags, np.int32),
                "bias": np.array([model.bias]),
            }
        case Cascade():
            return _both(arrays(model.chain), arrays(model.plane))
        case Twice():
            trees = model.trees
            return _both(
                arrays(model.first),
                {
                    "columns": trees.columns,
                    "borders": trees.borders,
                    "values": trees.values,
                    "edges": np.array([trees.bias, trees.least]),
                },
            )
    raise TypeError("not a model that can be saved")


def restore(held: Mapping[str, NDArray[Any]]) -> Model:
    """The model in the arrays; ValueError or KeyError if they are of none."""
    if any(name.startswith("0.") for name in held):
        first, second = ({n[2:]: value for n, value in held.items() if n.startswith(kind)} for kind in ("0.", "1."))
        model = restore(first)
        if "columns" in second:
            if isinstance(model, Twice):
                raise ValueError("no third look")
            return Twice(model, _trees(second))
        plane = restore(second)
        if not isinstance(model, Chain) or not isinstance(plane, Plane):
            raise ValueError("not a cascade")
        return Cascade(model, plane)
    bias, vocabulary = float(_checked(held["bias"], np.float64, (1,))[0]), _vocabulary(held)
    if "plane" in held:
        return Plane(vocabulary, _checked(held["plane"], np.float64, (len(vocabulary),)), bias)
    tags = held["tags"].tolist()
    if len(set(tags)) != len(tags) or not set(tags) <= set(TAGS):
        raise ValueError("not its tags")
    weights = _checked(held["weights"], np.float32, (len(vocabulary), len(tags)))
    moves = _checked(held["transitions"], np.float32, (len(tags), len(tags)))
    return Chain(Crf(tuple(tags), vocabulary, weights, moves), bias)


def _both(first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {f"{kind}.{name}": value for kind, held in (("0", first), ("1", second)) for name, value in held.items()}


def _trees(held: Mapping[str, NDArray[Any]]) -> Trees:
    count = len(held["columns"])
    columns = held["columns"]
    if columns.dtype != np.int32 or columns.shape != (count, DEPTH) or not np.isin(columns, range(COLUMNS)).all():
        raise ValueError("not the columns")
    borders = _checked(held["borders"], np.float64, (count, DEPTH))
    values = _checked(held["values"], np.float64, (count, 1 << DEPTH))
    bias, least = _checked(held["edges"], np.float64, (2,)).tolist()
    return Trees(columns, borders, values, bias, least)


def _named(vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    names = [name.encode("utf-8", "surrogatepass") for name in vocabulary.numbers]
    lengths = np.array([len(name) for name in names], np.int64)
    return {"names": np.frombuffer(b"".join(names), np.uint8), "lengths": lengths}


def _vocabulary(held: Mapping[str, NDArray[Any]]) -> Vocabulary:
    data, lengths = held["names"].astype(np.uint8, casting="equiv").tobytes(), held["lengths"]
    if lengths.ndim != 1 or lengths.dtype != np.int64 or (lengths < 0).any() or lengths.sum() != len(data):
        raise ValueError("not the names")
    ends = np.cumsum(lengths).tolist()
    starts = [0, *ends[:-1]] if ends else []
    names = [data[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)]
    if len(set(names)) != len(names):
        raise ValueError("a name twice")
    return Vocabulary(names)


def _checked(array: NDArray[Any], kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """An array of this kind and shape with nothing in it that would drown all else."""
    if array.dtype != kind or array.shape != shape or not np.all(np.abs(array) < 1e6):
        raise ValueError("not the array that was saved")
    return array
