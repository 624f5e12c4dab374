"""Writes a trained encoder as ONNX, with its matrices and tables in 8 bits.

    python training/mask_type/export.py OUT -o src/withhold/learners/masks/data/encoder.onnx

OUT is the folder that `train.py` wrote. The pieces that are kept go into `encoder-pieces.txt` beside the network.

Inputs: `rows`, `forms` (one number for each piece of one window) and `places` (those of the marks to be told). Outputs:
`states` and `scores` (places x numbers); float32.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

HEADS = 12
PARTS = 6
"""Parts of a row with a scale of their own."""


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

    def linear(self, x: str, name: str) -> str:
        matrix = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].T.copy())
        return self.add(
            "Add", self.add("MatMul", x, matrix), self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        )

    def norm(self, x: str, name: str) -> str:
        scale, shift = (self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    def row(self, name: str, ids: str) -> str:
        """Rows of a table that is kept in 8 bits, with a scale for each."""
        table = self.weights[f"{name}.weight"]
        scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-8) / 127
        small = self.constant(f"{name}.table", np.round(table / scale).astype(np.int8))
        rows = self.add("Cast", self.add("Gather", small, ids), to=TensorProto.FLOAT)
        return self.add("Mul", rows, self.add("Gather", self.constant(f"{name}.scale", scale), ids))

    def packed(self, name: str, ids: str) -> str:
        """Rows of a table that is kept in 4 bits, two numbers in a byte, with a scale for each part of a row."""
        table = self.weights[f"{name}.weight"]
        parts = table.reshape(len(table), PARTS, -1)
        scale = scales(parts)
        levels = (np.clip(np.round(parts / scale), -7, 7) + 8).astype(np.uint8).reshape(len(table), 2, -1)
        small = self.constant(f"{name}.table", levels[:, 0] * 16 + levels[:, 1])
        rows = self.add("Cast", self.add("Gather", small, ids), to=TensorProto.INT32)
        sixteen = self.constant("sixteen", np.int32(16))
        halves = self.add("Concat", self.add("Div", rows, sixteen), self.add("Mod", rows, sixteen), axis=1)
        shifted = self.add("Sub", self.add("Cast", halves, to=TensorProto.FLOAT), self.constant("eight", np.float32(8)))
        grouped = self.add("Reshape", shifted, self.constant("groups", np.array([-1, PARTS, parts.shape[2]])))
        kept = self.constant(f"{name}.scale", scale.astype(np.float16))
        scaled = self.add("Mul", grouped, self.add("Cast", self.add("Gather", kept, ids), to=TensorProto.FLOAT))
        return self.add("Reshape", scaled, self.constant("whole", np.array([-1, table.shape[1]])))

    def heads(self, x: str, order: tuple[int, ...]) -> str:
        """Pieces x width as heads x pieces x part, or with the last two the other way round."""
        width = len(self.weights["norm.weight"])
        shape = self.constant("parts", np.array([-1, HEADS, width // HEADS]))
        return self.add("Transpose", self.add("Reshape", x, shape), perm=list(order))


def scales(parts: np.ndarray) -> np.ndarray:
    """The scale of each part of a row that loses least by rounding to 4 bits."""
    most = np.maximum(np.abs(parts).max(2, keepdims=True), 1e-8)
    best, least = most / 7, np.full(most.shape, np.inf)
    for share in np.linspace(0.6, 1, 9):
        scale = share * most / 7
        lost = ((np.clip(np.round(parts / scale), -7, 7) * scale - parts) ** 2).sum(2, keepdims=True)
        best, least = np.where(lost < least, scale, best), np.minimum(lost, least)
    return np.asarray(best, np.float16).astype(np.float32)


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    g = Graph(weights)
    width = len(weights["norm.weight"])
    count = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    length = g.add("Squeeze", g.add("Shape", "rows"))
    position = g.add("Range", g.constant("zero", np.int64(0)), length, g.constant("one", np.int64(1)))
    x = g.add("Add", g.add("Add", g.packed("piece", "rows"), g.row("form", "forms")), g.row("position", position))
    x = g.norm(x, "norm")
    for number in range(count):
        # Of the last layer nothing but the marks is needed.
        asked = x if number + 1 < count else g.add("Gather", x, "places")
        x = layer(g, x, asked, f"layers.{number}", width)
    g.nodes.append(helper.make_node("Identity", [x], ["states"]))
    g.nodes.append(helper.make_node("Identity", [g.linear(x, "kind")], ["scores"]))
    graph = helper.make_graph(
        g.nodes,
        "encoder",
        [
            helper.make_tensor_value_info("rows", TensorProto.INT64, ["pieces"]),
            helper.make_tensor_value_info("forms", TensorProto.INT64, ["pieces"]),
            helper.make_tensor_value_info("places", TensorProto.INT64, ["places"]),
        ],
        [
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["places", width]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["places", len(weights["kind.bias"])]),
        ],
        list(g.constants.values()),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def layer(g: Graph, x: str, asked: str, name: str, width: int) -> str:
    scale = g.constant("scale", np.float32((width // HEADS) ** -0.5))
    query = g.heads(g.add("Mul", g.linear(asked, f"{name}.query"), scale), (1, 0, 2))
    key, value = g.heads(g.linear(x, f"{name}.key"), (1, 2, 0)), g.heads(g.linear(x, f"{name}.value"), (1, 0, 2))
    seen = g.add("MatMul", g.add("Softmax", g.add("MatMul", query, key), axis=-1), value)
    joined = g.add("Reshape", g.add("Transpose", seen, perm=[1, 0, 2]), g.constant("whole", np.array([-1, width])))
    asked = g.norm(g.add("Add", asked, g.linear(joined, f"{name}.mix")), f"{name}.mixed")
    wide = g.linear(asked, f"{name}.widen")
    half = g.add("Mul", wide, g.constant("half", np.float32(0.5)))
    bend = g.add("Erf", g.add("Mul", wide, g.constant("root", np.float32(0.5**0.5))))
    wide = g.add("Mul", half, g.add("Add", bend, g.constant("unit", np.float32(1))))
    return g.norm(g.add("Add", asked, g.linear(wide, f"{name}.narrow")), f"{name}.done")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pieces", type=int, default=8000, help="how many of the pieces to keep, the commonest")
    parser.add_argument("--full", action="store_true", help="keep the matrices in 32 bits")
    given = parser.parse_args()
    weights: dict[str, np.ndarray] = {}
    for path in sorted(given.weights.glob("encoder-*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            weights |= {name: stored[name].astype(np.float32) for name in stored.files}
    weights["piece.weight"] = weights["piece.weight"][: given.pieces]
    listed = (given.weights / "encoder-pieces.txt").read_text("utf-8").split("\n")[: given.pieces]
    given.output.with_name("encoder-pieces.txt").write_text("\n".join(listed), "utf-8")
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
