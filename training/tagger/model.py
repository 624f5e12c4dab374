"""The network of the tagger, for training; `export.py` writes the same network as ONNX."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from withhold.learners.tagger.features import BUCKETS, FORMS, GAPS, LINES, PIECES, SEEN

NAMES = 17
"""O, then a first and a further word of each of the eight kinds."""

IDENTIFIERS = 3
"""Nothing to mask, a quasi-identifier, a direct one."""

PARTS = 17
"""Universal parts of speech."""

REACH = 31
"""Attention tells distances up to this apart."""

LAYOUT = ("c1", "c2", "a", "c1", "c3", "a")
"""Convolutions with how far they look, and attention."""


class Network(nn.Module):
    """Words as numbers in, three rows of scores a word out."""

    def __init__(self, vocabulary: int, width: int = 192, pieces: int = 160, heads: int = 4, drop: float = 0.1) -> None:
        super().__init__()
        self.width, self.heads = width, heads
        self.piece = nn.Embedding(vocabulary, pieces, padding_idx=0)
        self.prefix = nn.Embedding(BUCKETS, 32)
        self.suffix = nn.Embedding(BUCKETS, 64)
        self.form = nn.Embedding(FORMS, 32)
        self.known = nn.Embedding(256, 16)
        self.gap = nn.Embedding(GAPS, 8)
        self.line = nn.Embedding(LINES, 8)
        self.seen = nn.Embedding(SEEN, 8)
        self.enter = nn.Linear(2 * pieces + 32 + 64 + 32 + 16 + 24, width)
        self.norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList(
            Attention(width, heads, drop) if name == "a" else Convolution(width, int(name[1:]), drop) for name in LAYOUT
        )
        self.last = nn.LayerNorm(width)
        self.leave = nn.Linear(width, NAMES + IDENTIFIERS + PARTS)
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor, blank: Tensor | None = None) -> Tensor:
        """Scores of each word; `blank` marks what is padding."""
        pieces = self.piece(ids[..., :PIECES])
        present = (ids[..., 1:PIECES] > 0).sum(-1, keepdim=True).clamp(min=1)
        x = torch.cat(
            [
                pieces[..., 0, :],
                pieces[..., 1:, :].sum(-2) / present,
                self.prefix(ids[..., PIECES]),
                self.suffix(ids[..., PIECES + 1]),
                self.form(ids[..., PIECES + 2]),
                self.known(ids[..., PIECES + 3]),
                self.gap(ids[..., PIECES + 4]),
                self.line(ids[..., PIECES + 5]),
                self.seen(ids[..., PIECES + 6]),
            ],
            -1,
        )
        x = self.norm(self.enter(self.drop(x)))
        if blank is not None:
            x = x.masked_fill(blank[..., None], 0)
        for block in self.blocks:
            x = block(x, blank)
        return self.leave(self.drop(self.last(x)))


class Convolution(nn.Module):
    """A word with one neighbour on each side, `step` words away."""

    def __init__(self, width: int, step: int, drop: float) -> None:
        super().__init__()
        self.step = step
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(3 * width, 2 * width)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, blank: Tensor | None) -> Tensor:
        h = self.norm(x)
        if blank is not None:
            h = h.masked_fill(blank[..., None], 0)
        padded = functional.pad(h, (0, 0, self.step, self.step))
        length = x.shape[1]
        h = torch.cat([padded[:, :length], h, padded[:, 2 * self.step : 2 * self.step + length]], -1)
        value, gate = self.mix(h).chunk(2, -1)
        return x + self.drop(value * torch.sigmoid(gate))


class Attention(nn.Module):
    """Every word of a window, weighed by meaning and distance, and a layer of its own for each word."""

    def __init__(self, width: int, heads: int, drop: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.look = nn.Linear(width, 3 * width)
        self.take = nn.Linear(width, width)
        self.distance = nn.Parameter(torch.zeros(heads, 2 * REACH + 1))
        self.rest = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 2 * width)
        self.narrow = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, blank: Tensor | None) -> Tensor:
        count, length, width = x.shape
        q, k, v = self.look(self.norm(x)).view(count, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        at = torch.arange(length, device=x.device)
        bias = self.distance[:, (at[None] - at[:, None]).clamp(-REACH, REACH) + REACH]
        if blank is not None:
            bias = bias[None].masked_fill(blank[:, None, None], -1e4)
        found = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype).expand(count, -1, -1, -1))
        x = x + self.drop(self.take(found.permute(0, 2, 1, 3).reshape(count, length, width)))
        return x + self.drop(self.narrow(functional.gelu(self.widen(self.rest(x)), approximate="tanh")))
