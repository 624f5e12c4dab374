"""The network that reads masked documents, for training; `export.py` writes the same network as ONNX.

The names of its parts are those of all-MiniLM-L6-v2, with which it begins.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from withhold.labels import KINDS
from withhold.learners.masks.encoder import FORMS, WINDOW

WIDTH, HEADS, INNER = 384, 12, 1536


class Layer(nn.Module):
    def __init__(self, drop: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mix = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.mixed = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.done = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = drop

    def forward(self, x: Tensor, real: Tensor) -> Tensor:
        count, length, _ = x.shape
        query, key, value = (
            part(x).view(count, length, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        drop = self.drop if self.training else 0.0
        seen = functional.scaled_dot_product_attention(query, key, value, real[:, None, None], drop)
        mixed = self.mix(seen.transpose(1, 2).reshape(count, length, WIDTH))
        x = self.mixed(x + functional.dropout(mixed, self.drop, self.training))
        inner = self.narrow(functional.gelu(self.widen(x)))
        return self.done(x + functional.dropout(inner, self.drop, self.training))  # type: ignore[no-any-return]


class Encoder(nn.Module):
    """Pieces and forms in; the states of every piece out, after each layer."""

    def __init__(self, vocabulary: int, layers: int = 6, drop: float = 0.1) -> None:
        super().__init__()
        self.piece = nn.Embedding(vocabulary, WIDTH)
        self.form = nn.Embedding(2 * FORMS, WIDTH)
        self.position = nn.Embedding(WINDOW, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(layers))
        self.kind = nn.Linear(WIDTH, len(KINDS))
        self.first, self.last, self.word = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.bias = nn.Parameter(torch.zeros(3, vocabulary))
        self.drop = drop
        nn.init.normal_(self.form.weight, std=0.01)

    def forward(self, rows: Tensor, forms: Tensor, real: Tensor) -> list[Tensor]:
        positions = self.position.weight[: rows.shape[1]]
        x = self.norm(self.piece(rows) + self.form(forms) + positions)
        x = functional.dropout(x, self.drop, self.training)
        states = []
        for layer in self.layers:
            x = layer(x, real)
            states.append(x)
        return states

    def guess(self, states: Tensor, what: int) -> Tensor:
        """Scores of all pieces: for the first and the last piece of what is masked, and for a piece left out."""
        part = (self.first, self.last, self.word)[what]
        return functional.gelu(part(states)) @ self.piece.weight.T + self.bias[what]


def begin(path: Path) -> Encoder:
    """A network that starts as the sentence model."""
    with np.load(path) as stored:
        found = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files}
    encoder = Encoder(len(found["embeddings.word_embeddings.weight"]))
    own = encoder.state_dict()
    own["piece.weight"] = found["embeddings.word_embeddings.weight"]
    kind = found["embeddings.token_type_embeddings.weight"][0]
    own["position.weight"] = found["embeddings.position_embeddings.weight"][:WINDOW] + kind
    for part in ("weight", "bias"):
        own[f"norm.{part}"] = found[f"embeddings.LayerNorm.{part}"]
        for number in range(len(encoder.layers)):
            for here, there in NAMES.items():
                own[f"layers.{number}.{here}.{part}"] = found[f"encoder.layer.{number}.{there}.{part}"]
    encoder.load_state_dict(own)
    return encoder


NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "mixed": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "done": "output.LayerNorm",
}
