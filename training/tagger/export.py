"""Writes a trained network as ONNX, with its matrices and tables in 8 bits.

    python training/tagger/export.py OUT -o src/withhold/learners/tagger/data/tagger.onnx

OUT is the folder that `train.py` wrote.

Inputs: `ids` (windows x words x columns of `features.COLUMNS`) and `blank` (windows x words, 1 where there is no word).
Output: `scores`, the logarithms the network gives; float32.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from model import LAYOUT, REACH
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from withhold.learners.tagger.features import COLUMNS, PIECES

TABLES = ("prefix", "suffix", "form", "known", "gap", "line", "seen")


class Graph:
    """ONNX nodes, added one by one; each call returns the name of what the node gives."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def several(self, kind: str, count: int, *inputs: str, **attributes: Any) -> list[str]:
        name = f"{kind}_{len(self.nodes)}"
        names = [f"{name}_{number}" for number in range(count)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=name, **attributes))
        return names

    def linear(self, x: str, name: str) -> str:
        matrix = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].T.astype(np.float32).copy())
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"].astype(np.float32))
        return self.add("Add", self.add("MatMul", x, matrix), bias)

    def norm(self, x: str, name: str) -> str:
        scale = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].astype(np.float32))
        shift = self.constant(f"{name}.bias", self.weights[f"{name}.bias"].astype(np.float32))
        return self.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-5)

    def row(self, name: str, ids: str) -> str:
        """Rows of a table that is kept in 8 bits, with a scale for each."""
        table = self.weights[f"{name}.weight"].astype(np.float32)
        scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-8) / 127
        small = self.constant(f"{name}.table", np.round(table / scale).astype(np.int8))
        scales = self.constant(f"{name}.scale", scale.astype(np.float32))
        rows = self.add("Cast", self.add("Gather", small, ids), to=TensorProto.FLOAT)
        return self.add("Mul", rows, self.add("Gather", scales, ids))


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    g = Graph(weights)
    width = len(weights["norm.weight"])
    x = enter(g)
    kept = g.add(
        "Unsqueeze", g.add("Sub", g.constant("one", np.float32(1)), "blank"), g.constant("last", np.array([2]))
    )
    x = g.add("Mul", x, kept)
    far = g.add(
        "Mul", g.add("Unsqueeze", "blank", g.constant("middle", np.array([1, 2]))), g.constant("far", np.float32(-1e4))
    )
    for number, name in enumerate(LAYOUT):
        if name == "a":
            x = attention(g, x, f"blocks.{number}", width, far)
        else:
            x = convolution(g, x, f"blocks.{number}", int(name[1:]), kept)
    scores = g.linear(g.norm(x, "last"), "leave")
    g.nodes.append(helper.make_node("Identity", [scores], ["scores"]))
    graph = helper.make_graph(
        g.nodes,
        "tagger",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT32, ["windows", "words", len(COLUMNS)]),
            helper.make_tensor_value_info("blank", TensorProto.FLOAT, ["windows", "words"]),
        ],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["windows", "words", len(weights["leave.bias"])])],
        list(g.constants.values()),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def enter(g: Graph) -> str:
    columns = g.several("Split", len(COLUMNS), "ids", g.constant("singly", np.ones(len(COLUMNS), np.int64)), axis=2)
    single = [g.add("Squeeze", column, g.constant("two", np.array([2]))) for column in columns]
    further = g.add("Concat", *columns[1:PIECES], axis=2)
    rows = g.add("ReduceSum", g.row("piece", further), g.constant("inner", np.array([2])), keepdims=0)
    present = g.add("Cast", g.add("Greater", further, g.constant("none", np.int32(0))), to=TensorProto.FLOAT)
    count = g.add("ReduceSum", present, g.constant("outer", np.array([2])), keepdims=1)
    mean = g.add("Div", rows, g.add("Max", count, g.constant("unit", np.float32(1))))
    parts = [g.row("piece", single[0]), mean]
    parts += [g.row(name, ids) for name, ids in zip(TABLES, single[PIECES:], strict=True)]
    return g.norm(g.linear(g.add("Concat", *parts, axis=2), "enter"), "norm")


def convolution(g: Graph, x: str, name: str, step: int, kept: str) -> str:
    h = g.add("Mul", g.norm(x, f"{name}.norm"), kept)
    pads = g.constant(f"{name}.pads", np.array([0, step, 0, 0, step, 0]))
    padded = g.add("Pad", h, pads)
    axes = g.constant("axis", np.array([1]))
    start, end = g.constant("start", np.array([0])), g.constant("end", np.array([np.iinfo(np.int64).max]))
    before = g.add("Slice", padded, start, g.constant(f"{name}.to", np.array([-2 * step])), axes)
    after = g.add("Slice", padded, g.constant(f"{name}.from", np.array([2 * step])), end, axes)
    value, gate = g.several("Split", 2, g.linear(g.add("Concat", before, h, after, axis=2), f"{name}.mix"), axis=2)
    return g.add("Add", x, g.add("Mul", value, g.add("Sigmoid", gate)))


def attention(g: Graph, x: str, name: str, width: int, far: str) -> str:
    heads = len(g.weights[f"{name}.distance"])
    each = width // heads
    shape = g.constant("heads", np.array([0, 0, heads, each]))
    whole = g.constant("whole", np.array([0, 0, width]))
    q, k, v = g.several("Split", 3, g.linear(g.norm(x, f"{name}.norm"), f"{name}.look"), axis=2)
    q = g.add("Transpose", g.add("Reshape", q, shape), perm=[0, 2, 1, 3])
    k = g.add("Transpose", g.add("Reshape", k, shape), perm=[0, 2, 3, 1])
    v = g.add("Transpose", g.add("Reshape", v, shape), perm=[0, 2, 1, 3])
    weighed = g.add("Mul", g.add("MatMul", q, k), g.constant("root", np.float32(each**-0.5)))
    weighed = g.add("Add", g.add("Add", weighed, distances(g, name)), far)
    found = g.add("MatMul", g.add("Softmax", weighed, axis=-1), v)
    found = g.add("Reshape", g.add("Transpose", found, perm=[0, 2, 1, 3]), whole)
    x = g.add("Add", x, g.linear(found, f"{name}.take"))
    wide = g.linear(g.norm(x, f"{name}.rest"), f"{name}.widen")
    return g.add("Add", x, g.linear(gelu(g, wide), f"{name}.narrow"))


def gelu(g: Graph, x: str) -> str:
    """By its tangent form."""
    cube = g.add("Mul", g.add("Mul", x, g.add("Mul", x, x)), g.constant("cubed", np.float32(0.044715)))
    inner = g.add("Mul", g.add("Add", x, cube), g.constant("spread", np.float32((2 / np.pi) ** 0.5)))
    return g.add("Mul", g.add("Mul", x, g.constant("half", np.float32(0.5))), g.add("Add", g.add("Tanh", inner), "one"))


def distances(g: Graph, name: str) -> str:
    """What attention adds for how far apart two words are: a table as large as the window."""
    if "grid" not in g.constants:
        length = g.add("Gather", g.add("Shape", "blank"), g.constant("words", np.int64(1)))
        at = g.add("Range", g.constant("grid", np.int64(0)), length, g.constant("by", np.int64(1)))
        apart = g.add(
            "Sub",
            g.add("Unsqueeze", at, g.constant("first", np.array([0]))),
            g.add("Unsqueeze", at, g.constant("axis", np.array([1]))),
        )
        near = g.add("Clip", apart, g.constant("low", np.int64(-REACH)), g.constant("high", np.int64(REACH)))
        g.apart = g.add("Add", near, g.constant("reach", np.int64(REACH)))  # type: ignore[attr-defined]
    table = g.constant(f"{name}.distance", g.weights[f"{name}.distance"].astype(np.float32))
    return g.add("Gather", table, g.apart, axis=1)  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--full", action="store_true", help="keep the matrices in 32 bits")
    given = parser.parse_args()
    weights: dict[str, np.ndarray] = {}
    for path in sorted(given.weights.glob("*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            weights |= {name: stored[name].astype(np.float32) for name in stored.files}
    model = build(weights)
    if given.full:
        onnx.save(model, given.output)
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, whole)
        quantize_dynamic(
            whole, given.output, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"]
        )


if __name__ == "__main__":
    main()
