"""Trains the encoder.

    python training/mask_type/train.py WORK -o OUT [--tune]

WORK holds what `examples.py` writes. The network learns from texts that the tagger labelled, in the end mostly from
court cases. It does not see the cases with types marked by hand. On these it is measured, in five folds by document: by
what it says itself, by a linear model of its states, and with `--tune` by copies that go on learning from the cases of
the other folds. Weights go to OUT as npz files, which `export.py` turns into ONNX. A few minutes on a large GPU.
"""

from __future__ import annotations

import argparse
import copy
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from model import Encoder, begin
from torch import Tensor
from torch.nn import functional
from windows import Batch, Store

from withhold.labels import KINDS

FOLDS = 5
SHARES = {"tab": 6.0, "sets": 1.0}
NARROW = {"tab": 12.0}
"""How often the texts of a source are seen in a pass, in general and in the last ones."""

PIECES = 24_576
"""Pieces in a batch."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--last", type=int, default=3, help="passes over mostly court cases")
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tune", action="store_true", help="measure copies that go on learning from typed cases")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    silver, typed = Store(given.work / "silver.npz", device), Store(given.work / "typed.npz", device)
    print(f"{len(silver.lengths)} texts, {len(silver.rows)} pieces, {len(silver.places)} entities", flush=True)
    encoder = begin(given.work / "begin.npz").to(device)
    measure("untaught", encoder, typed)
    encoder = fit(encoder, silver, shares_of(silver, SHARES, 1.0), given.epochs, given.rate)
    measure("taught", encoder, typed)
    encoder = fit(encoder, silver, shares_of(silver, NARROW, 0.15), given.last, given.rate / 4)
    measure("taught on court cases", encoder, typed)
    save(given.output, encoder)
    shutil.copy(given.work / "encoder-pieces.txt", given.output)
    if given.tune:
        tune(encoder, typed)


def save(folder: Path, encoder: Encoder) -> None:
    """In several files, none of them large; what only guesses words is left out."""
    weights = {
        key: value.cpu().numpy().astype(np.float16)
        for key, value in encoder.state_dict().items()
        if not key.startswith(("first", "last", "word", "bias"))
    }
    parts: list[dict[str, Any]] = [{}]
    for key, value in weights.items():
        if sum(each.nbytes for each in parts[-1].values()) + value.nbytes > 15_000_000:
            parts.append({})
        parts[-1][key] = value
    for number, part in enumerate(parts):
        np.savez(folder / f"encoder-{number}.npz", **part)


def shares_of(store: Store, special: dict[str, float], other: float) -> Tensor:
    return torch.tensor([special.get(str(source), other) for source in store.sources], device=store.device)


def fit(
    encoder: Encoder, store: Store, shares: Tensor, epochs: int, rate: float, size: int = PIECES, guess: float = 0.1,
) -> Encoder:  # fmt: skip
    """The average of the network over the last steps."""
    device = store.device
    most = int(1.1 * epochs * sum(1 for _ in store.batches(shares, size))) + 50
    optimiser = torch.optim.AdamW(encoder.parameters(), lr=rate, weight_decay=0.02, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=most, pct_start=0.08)
    kept = torch.optim.swa_utils.get_ema_multi_avg_fn(1 - 1 / max(10.0, 0.05 * most))
    average = torch.optim.swa_utils.AveragedModel(encoder, multi_avg_fn=kept)
    for epoch in range(epochs):
        encoder.train()
        total, count, started = torch.zeros(3, device=device), 0, time.time()
        for batch in store.batches(shares, size, guess=guess):
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                parts = losses(encoder, batch, store)
            optimiser.zero_grad(set_to_none=True)
            parts.sum().backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            average.update_parameters(encoder)
            total, count = total + parts.detach(), count + 1
        shown = " ".join(f"{value:.3f}" for value in (total / count).tolist())
        print(f"  epoch {epoch + 1}: {shown}, {count} steps, {time.time() - started:.1f} s", flush=True)
    return average.module


def losses(encoder: Encoder, batch: Batch, store: Store) -> Tensor:
    """Of the kinds of entities, of their first and last pieces, and of pieces left out."""
    states = encoder(batch.rows, batch.forms, batch.real)[-1]
    at = states[batch.at]
    logs = functional.log_softmax(encoder.kind(at).float(), -1)
    told = -(store.kinds[batch.entities] * logs).sum(1).mean()
    ends = store.ends[batch.entities]
    masked = sum(functional.cross_entropy(encoder.guess(at, end).float(), ends[:, end]) for end in (0, 1))
    words = functional.cross_entropy(encoder.guess(states[batch.left], 2).float(), batch.words)
    return torch.stack([told, 0.05 * masked, 0.1 * words])


@torch.no_grad()
def read(encoder: Encoder, store: Store, documents: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The states after each layer and the scores of each entity."""
    encoder.eval()
    states = torch.zeros(len(store.places), len(encoder.layers), encoder.piece.embedding_dim, device=store.device)
    chosen = torch.arange(len(store.lengths)) if documents is None else documents
    for rows, forms, real, at, mine in store.whole(chosen):
        found = encoder(rows, forms, real)
        states[mine] = torch.stack([each[at] for each in found], 1)
    return states, encoder.kind(states[:, -1])


def folds_of(store: Store) -> Tensor:
    order = np.random.default_rng(0).permutation(len(store.lengths))
    folds = np.empty(len(order), np.int64)
    folds[order] = np.arange(len(order)) % FOLDS
    return torch.from_numpy(folds).to(store.device)


def measure(name: str, encoder: Encoder, typed: Store) -> None:
    states, scores = read(encoder, typed)
    report(f"{name}: itself", scores, typed)
    report(f"{name}: linear", linear(states[:, -1], typed), typed)


def linear(features: Tensor, typed: Store, decay: float = 3e-3) -> Tensor:
    """Scores of each entity by a linear model learnt from the other folds."""
    labels, home = typed.kinds.argmax(1), folds_of(typed)[typed.owner]
    scores = torch.zeros(len(labels), len(KINDS), device=typed.device)
    for fold in range(FOLDS):
        train = home != fold
        mean, spread = features[train].mean(0), features[train].std(0) + 1e-3
        scaled = (features - mean) / spread
        weight, bias = solve(scaled[train], labels[train], decay)
        scores[~train] = (scaled @ weight + bias)[~train]
    return scores


def solve(features: Tensor, labels: Tensor, decay: float) -> tuple[Tensor, Tensor]:
    """Logistic regression."""
    weight = torch.zeros(features.shape[1], len(KINDS), device=features.device, requires_grad=True)
    bias = torch.zeros(len(KINDS), device=features.device, requires_grad=True)
    solver = torch.optim.LBFGS([weight, bias], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        solver.zero_grad()
        value = functional.cross_entropy(features @ weight + bias, labels) + decay * (weight**2).sum()
        value.backward()
        return value

    solver.step(loss)
    return weight.detach(), bias.detach()


def tune(encoder: Encoder, typed: Store) -> None:
    """Copies that learn from the typed cases of all folds but one, measured on that one."""
    home = folds_of(typed)
    scores = torch.zeros(len(typed.places), len(KINDS), device=typed.device)
    for fold in range(FOLDS):
        own = fit(copy.deepcopy(encoder), typed, (home != fold).float(), 12, 1e-4, 6144, guess=0.05)
        held = torch.nonzero(home == fold).squeeze(1)
        _, found = read(own, typed, held)
        mine = home[typed.owner] == fold
        scores[mine] = found[mine]
    report("tuned", scores, typed)


def report(name: str, scores: Tensor, typed: Store) -> None:
    labels, found = typed.kinds.argmax(1), scores.argmax(1)
    right = (labels == found).float()
    parts = []
    for kind in range(len(KINDS)):
        hits = float(((labels == kind) & (found == kind)).sum())
        parts.append(2 * hits / max(1.0, float((labels == kind).sum() + (found == kind).sum())))
    documents = torch.bincount(typed.owner, right) / torch.bincount(typed.owner)
    each = " ".join(f"{kind[:4]} {value:.2f}" for kind, value in zip(KINDS, parts, strict=True))
    print(
        f"{name}: accuracy {float(right.mean()):.3f}, macro-F1 {np.mean(parts):.3f}, "
        f"documents {float(documents.mean()):.3f}; {each}",
        flush=True,
    )


if __name__ == "__main__":
    main()
