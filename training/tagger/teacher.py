"""A large network that the small one learns from: all-MiniLM-L6-v2 (Apache-2.0), with what we know of words added."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from model import IDENTIFIERS, NAMES, PARTS
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from withhold.learners.tagger.features import FORMS, GAPS, LINES, PIECES, SEEN

CLS, SEP = 101, 102


def stored_weights(path: Path) -> dict[str, Tensor]:
    """The weights of the sentence model, which are stored in 8 bits."""
    with np.load(path) as stored:
        names = [name for name in stored.files if not name.endswith(".scale")]
        scaled = {name: stored[f"{name}.scale"] for name in names if f"{name}.scale" in stored.files}
        return {
            name: torch.from_numpy(stored[name].astype(np.float32) * scaled.get(name, 1))
            for name in names
            if "position_ids" not in name
        }


def first_vectors(path: Path, width: int) -> Tensor:
    """Vectors for the pieces of words: the main directions of the sentence model's."""
    table = stored_weights(path)["embeddings.word_embeddings.weight"]
    table = table - table.mean(0)
    _, _, directions = torch.linalg.svd(table[torch.randperm(len(table))[:8000]], full_matrices=False)
    found = table @ directions[:width].T
    found = found / found.std() * 0.3
    found[0] = 0
    return found


class Teacher(nn.Module):
    """Takes the same numbers as the small network and gives the same scores."""

    def __init__(self, path: Path, drop: float = 0.1) -> None:
        super().__init__()
        self.bert = BertModel(
            BertConfig(
                hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536,
                hidden_dropout_prob=drop, attention_probs_dropout_prob=drop,
            ),
            add_pooling_layer=False,
        )  # fmt: skip
        missing, extra = self.bert.load_state_dict(stored_weights(path), strict=False)
        assert not [name for name in missing if "position_ids" not in name], missing
        self.form = nn.Embedding(FORMS, 384)
        self.known = nn.Embedding(256, 384)
        self.gap = nn.Embedding(GAPS, 384)
        self.line = nn.Embedding(LINES, 384)
        self.seen = nn.Embedding(SEEN, 384)
        for table in (self.form, self.known, self.gap, self.line, self.seen):
            nn.init.normal_(table.weight, std=0.01)
        self.mix = nn.Sequential(nn.Linear(2 * 384, 384), nn.GELU(), nn.Dropout(drop))
        self.leave = nn.Linear(384, NAMES + IDENTIFIERS + PARTS)

    def forward(self, ids: Tensor, blank: Tensor | None = None) -> Tensor:
        """Words are laid out as their pieces, one after the other; the first and the last piece speak for a word."""
        if blank is None:
            blank = torch.zeros(ids.shape[:2], dtype=torch.bool, device=ids.device)
        count, length, _ = ids.shape
        pieces = ids[..., :PIECES]
        real = (pieces > 0) & ~blank[..., None]
        real[..., 0] = ~blank
        if real.reshape(count, -1).sum(1).max() > 510:
            real[..., 2:] = False
        at = real.reshape(count, -1).cumsum(1).reshape(real.shape)
        total = int(at.max()) + 2
        line = torch.zeros(count, total, dtype=torch.long, device=ids.device)
        own = torch.zeros(count, total, 384, device=ids.device)
        line[:, 0] = CLS
        rows = torch.arange(count, device=ids.device)[:, None, None].expand_as(at)
        line[rows[real], at[real]] = pieces[real].long()
        extra = (
            self.form(ids[..., 6])
            + self.known(ids[..., 7])
            + self.gap(ids[..., 8])
            + self.line(ids[..., 9])
            + self.seen(ids[..., 10])
        )
        own = own.to(extra.dtype)
        own[rows[real], at[real]] = extra[:, :, None].expand(-1, -1, PIECES, -1)[real]
        seen = torch.arange(total, device=ids.device)[None] <= at.reshape(count, -1).amax(1, keepdim=True)
        vectors = self.bert.embeddings.word_embeddings(line) + own
        hidden = self.bert(inputs_embeds=vectors, attention_mask=seen.long()).last_hidden_state
        flat = torch.arange(count, device=ids.device)[:, None]
        first, last = at[..., 0], at.amax(-1)
        return self.leave(self.mix(torch.cat([hidden[flat, first], hidden[flat, last]], -1)))
