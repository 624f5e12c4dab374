"""Trains the tagger.

    python training/tagger/train.py DATA -o OUT [--width 256] [--epochs 20]

DATA holds what the other scripts of this folder make: `lexicon.npz`, `gold.jsonl.gz`, `silver*.xz` (texts that another
tagger labelled), `sentences*.jsonl.gz`, `heldout.jsonl.gz`, and `minilm.npz`, the weights of all-MiniLM-L6-v2. Large
networks are trained first, then the small one, from the labels and from what the large ones make of the same texts.
Weights go to OUT as npz files, which `export.py` turns into ONNX. The whole takes some minutes on a large GPU.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from examples import Example, example, pools_of, teacher_row, variants
from model import NAMES, Network
from teacher import Teacher, first_vectors
from torch import Tensor
from torch.nn import functional

LENGTHS = (64, 192)
BATCH = 49_152
"""Words in a batch."""

SHARES = {"tab": 2.0, "tab_masked": 2.0, "silver": 0.7, "made": 0.5, "gum": 1.5}
"""How often the texts of a source are seen in an epoch; once, if not given."""

HALO = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--teachers", type=int, default=1)
    parser.add_argument("--teacher-epochs", type=int, default=4)
    parser.add_argument("--teacher-rate", type=float, default=3e-4)
    parser.add_argument("--drop", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", default="", help="sources of silver texts to leave out, separated by commas")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    started = time.time()
    learned, heldout = load(given.data, given.seed, set(given.without.split(",")))
    print(
        f"{len(learned)} texts, {Counter(each.source for each in learned)}, {time.time() - started:.0f} s", flush=True
    )
    store, teachers = Store(learned, device), []
    for number in range(given.teachers):
        torch.manual_seed(given.seed + number)
        teacher = Teacher(given.data / "minilm.npz").to(device)
        teacher = train(teacher, store, heldout, given.teacher_epochs, given.teacher_rate, given.seed + number, device)
        teachers.append(teacher)
    for teacher in teachers:
        store.listen(teacher, given.teachers)
    print(f"taught, {time.time() - started:.0f} s", flush=True)
    given.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(given.seed)
    network = Network(vocabulary(given.data), width=given.width, drop=given.drop)
    with torch.no_grad():
        network.piece.weight.copy_(first_vectors(given.data / "minilm.npz", network.piece.embedding_dim))
    network = train(network.to(device), store, heldout, given.epochs, given.rate, given.seed, device)
    weights = {name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    np.savez_compressed(given.output / "tables.npz", **{n: v for n, v in weights.items() if n == "piece.weight"})
    np.savez_compressed(given.output / "weights.npz", **{n: v for n, v in weights.items() if n != "piece.weight"})


def vocabulary(folder: Path) -> int:
    with np.load(folder / "lexicon.npz") as stored:
        return stored["pieces"].tobytes().count(b"\n") + 1


def load(folder: Path, seed: int, without: set[str]) -> tuple[list[Example], list[tuple[dict[str, Any], Example]]]:
    """Everything to learn from, and what to measure on."""
    gold = list(read(folder / "gold.jsonl.gz"))
    pools = pools_of(gold)
    made = [row for path in sorted(folder.glob("sentences*.gz")) for row in read(path)]
    silver = [row for path in sorted(folder.glob("silver*")) for row in read(path) if row["src"] not in without]
    for row in silver[:4000]:
        for start, end, label in row["ents"]:
            kind = {"PERSON": "PERSON", "ORG": "ORG", "GPE": "LOC"}.get(label)
            if kind and end - start < 30 and "\n" not in row["text"][start:end]:
                pools[kind].append(row["text"][start:end])
    jobs: list[Any] = [("gold", row, number + seed) for number, row in enumerate(gold)]
    jobs += [("silver", row, number + seed) for number, row in enumerate(silver)]
    jobs += [("made", row, number + seed) for number, row in enumerate(made)]
    jobs += [("heldout", row, 0) for row in read(folder / "heldout.jsonl.gz")]
    with multiprocessing.Pool() as pool:
        done = pool.map(partial(prepare, folder=str(folder), pools=pools), jobs, chunksize=64)
    learned = [
        each for job, several in zip(jobs, done, strict=True) if job[0] != "heldout" for each in several if len(each)
    ]
    heldout = [(job[1], several[0]) for job, several in zip(jobs, done, strict=True) if job[0] == "heldout"]
    return learned, heldout


def read(path: Path) -> Iterator[dict[str, Any]]:
    with (lzma.open if path.suffix == ".xz" else gzip.open)(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def prepare(job: Any, folder: str, pools: dict[str, list[str]]) -> list[Example]:
    what, row, seed = job
    chance = random.Random(seed)
    if what == "heldout":
        return [example(row, folder)]
    if what == "made":
        return [example({**row, "source": "made", "kinds": ALL_KINDS}, folder)]
    if what == "silver":
        row = teacher_row(row)
        several = list(variants(row, chance, pools))
        return alike([example(each, folder) for each in [row, *chance.sample(several[1:4], 1)]])
    return alike([example(each, folder) for each in variants(row, chance, pools)])


def alike(several: list[Example]) -> list[Example]:
    """The same with, for each text, how many texts before it the one is that has the same words, written properly."""
    same = [len(each) == len(several[0]) and (each.allowed == several[0].allowed).all() for each in several[:4]]
    return [replace(each, back=number if number < 4 and same[number] else 0) for number, each in enumerate(several)]


ALL_KINDS = ("PERSON", "ORG", "LOC", "CODE", "DATETIME", "QUANTITY", "DEM", "MISC")


class Store:
    """All words of all texts in one row, on the device, and windows cut from it."""

    def __init__(self, texts: Sequence[Example], device: str) -> None:
        self.device = device
        self.features = torch.from_numpy(np.concatenate([each.features for each in texts]).astype(np.int16)).to(device)
        self.allowed = torch.from_numpy(np.concatenate([each.allowed for each in texts])).to(device)
        self.mask = torch.from_numpy(np.concatenate([each.mask for each in texts])).to(device)
        self.part = torch.from_numpy(np.concatenate([each.part for each in texts])).to(device)
        self.lengths = np.array([len(each) for each in texts])
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self.shares = np.array([SHARES.get(each.source, 1.0) for each in texts])
        self.back = np.array([each.back for each in texts])
        self.silver = torch.from_numpy(np.repeat([each.source == "silver" for each in texts], self.lengths)).to(device)
        self.heard: Tensor | None = None

    @torch.no_grad()
    def listen(self, teacher: torch.nn.Module, of: int) -> None:
        """Note what a teacher makes of every word; of a text written badly, what it makes of the proper one."""
        teacher.eval()
        if self.heard is None:
            self.heard = torch.zeros(len(self.allowed), NAMES + 3, dtype=torch.float16, device=self.device)
        proper = np.flatnonzero(self.back == 0)
        for length, starts, ends, firsts in self.fixed(proper):
            places, blank = self.cut(length, starts, ends)
            with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
                scores = teacher(self.features[places].int(), blank).float()
            shares = torch.cat([scores[..., :NAMES].softmax(-1), scores[..., NAMES : NAMES + 3].softmax(-1)], -1)
            real = ~blank & (places >= torch.from_numpy(firsts).to(self.device)[:, None])
            self.heard[places[real]] += (shares[real] / of).half()
        for text in np.flatnonzero(self.back):
            start, length = self.starts[text], self.lengths[text]
            twin = self.starts[text - self.back[text]]
            self.heard[start : start + length] = self.heard[twin : twin + length]

    def fixed(self, texts: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        """Windows that cover texts once: where each starts and ends, and where what it is for begins."""
        long = LENGTHS[1]
        spans: dict[int, list[tuple[int, int, int]]] = {length: [] for length in LENGTHS}
        for text in texts:
            start, length = int(self.starts[text]), int(self.lengths[text])
            if length <= LENGTHS[0]:
                spans[LENGTHS[0]].append((start, start + length, start))
                continue
            at, done = 0, 0
            while done < length:
                end = min(at + long, length)
                spans[long].append((start + at, start + end, start + done))
                done, at = end, end - 4 * HALO
        for length, several in spans.items():
            size = BATCH // length
            for k in range(0, len(several), size):
                part = np.array(several[k : k + size])
                yield length, part[:, 0], part[:, 1], part[:, 2]

    def windows(self, chance: np.random.Generator) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Batches of windows of one length: where each starts and ends."""
        copies = np.floor(self.shares + chance.random(len(self.shares))).astype(int)
        chosen = np.repeat(np.arange(len(copies)), copies)
        long = LENGTHS[1]
        by_length: dict[int, list[tuple[int, int]]] = {length: [] for length in LENGTHS}
        for text in chosen:
            start, length = self.starts[text], self.lengths[text]
            if length <= LENGTHS[0]:
                by_length[LENGTHS[0]].append((start, start + length))
                continue
            at = -int(chance.integers(0, long - HALO)) if length > long else 0
            while at < length:
                begin, end = max(at, 0), min(at + long, length)
                if end - begin > HALO:
                    by_length[long].append((start + begin, start + end))
                at += long - HALO
        batches = []
        for length, several in by_length.items():
            order = chance.permutation(len(several))
            size = BATCH // length
            batches += [
                (length, np.array([several[i] for i in order[k : k + size]])) for k in range(0, len(order), size)
            ]
        for number in chance.permutation(len(batches)):
            length, spans = batches[number]
            yield length, spans[:, 0], spans[:, 1]

    def cut(self, length: int, starts: np.ndarray, ends: np.ndarray) -> tuple[Tensor, Tensor]:
        """The places of the words of windows, and which of them are none."""
        begin = torch.from_numpy(starts).to(self.device)[:, None]
        end = torch.from_numpy(ends).to(self.device)[:, None]
        at = begin + torch.arange(length, device=self.device)
        return torch.minimum(at, end - 1), at >= end


def losses(scores: Tensor, store: Store, places: Tensor) -> Tensor:
    """How far the scores are from what is known; where nothing is known they may be anything. And how far they are from
    what the teachers say, which counts more where the labels are another tagger's.
    """
    allowed, mask, part = store.allowed[places], store.mask[places], store.part[places]
    logs = functional.log_softmax(scores[..., :NAMES].float(), -1)
    may = (allowed[..., None] >> torch.arange(NAMES, device=scores.device)) & 1
    names = -torch.logsumexp(logs.masked_fill(may == 0, -1e9), -1)
    masks = functional.log_softmax(scores[..., NAMES : NAMES + 3].float(), -1)
    either = torch.logsumexp(masks[..., 1:], -1, keepdim=True)
    known = torch.cat([torch.zeros_like(either), masks, either], -1)
    masked = -known.gather(-1, mask.long()[..., None]).squeeze(-1)
    parts = functional.cross_entropy(
        scores[..., NAMES + 3 :].float(), part.long() - 1, ignore_index=-1, reduction="none"
    )
    if store.heard is None:
        return names.mean() + 0.5 * masked.mean() + 0.3 * parts.mean()
    heard = store.heard[places].float()
    told = -(heard[:, :NAMES] * logs).sum(-1) - 0.5 * (heard[:, NAMES:] * masks).sum(-1)
    trust = torch.where(store.silver[places], 0.2, 0.6)
    return (trust * (names + 0.5 * masked)).mean() + told.mean() + 0.3 * parts.mean()


def train(network: Any, store: Store, heldout: list[Any], epochs: int, rate: float, seed: int, device: str) -> Any:
    chance = np.random.default_rng(seed)
    steps = epochs * sum(1 for _ in store.windows(np.random.default_rng(0)))
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.02, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 200, pct_start=0.06)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999)
    )
    for epoch in range(epochs):
        network.train()
        total, count, started = 0.0, 0, time.time()
        for length, starts, ends in store.windows(chance):
            places, blank = store.cut(length, starts, ends)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                ids = drop_pieces(store.features[places].int())
                scores = network(ids, blank)
                loss = losses(scores[~blank], store, places[~blank])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            average.update_parameters(network)
            total, count = total + loss.detach(), count + 1
        print(
            f"epoch {epoch + 1}: loss {float(total) / count:.4f}, {count} steps, {time.time() - started:.0f} s",
            flush=True,
        )
        if (epoch + 1) % 5 == 0 or epoch + 1 == epochs:
            measure(average.module, heldout, device)
    return average.module


def drop_pieces(ids: Tensor) -> Tensor:
    """Forget at random what a word is made of, or what lists say of it: form and context must do too."""
    shape = ids.shape[:2]
    unknown = torch.rand(shape, device=ids.device) < 0.04
    listless = torch.rand(shape, device=ids.device) < 0.05
    ids = ids.clone()
    ids[..., 0][unknown] = 100
    ids[..., 1:6][unknown] = 0
    ids[..., 7][listless] = 0
    return ids


@torch.no_grad()
def predict(network: Network, text: Example, device: str) -> np.ndarray:
    """The scores of a text's words, from windows that overlap."""
    long = LENGTHS[1]
    ids = torch.from_numpy(text.features.astype(np.int64)).to(device)
    scores = np.zeros((len(text), 37), np.float32)
    at = 0
    while at < len(text):
        end = min(at + long, len(text))
        found = network(ids[None, at:end])[0].float().cpu().numpy()
        skip = HALO if at else 0
        scores[at + skip : end] = found[skip:]
        if end == len(text):
            break
        at = end - 2 * HALO
    return scores


def measure(network: Network, heldout: list[Any], device: str) -> None:
    """The best F2 over words, any kind, for each set; for court cases what masking finds, and how precisely."""
    network.eval()
    by_set: dict[str, list[Any]] = {}
    for row, text in heldout:
        if not len(text):
            continue
        scores = predict(network, text, device)
        real = text.features[:, 6] // 8 < 8
        names = np.exp(scores[:, :NAMES] - scores[:, :NAMES].max(1, keepdims=True))
        names /= names.sum(1, keepdims=True)
        masks = np.exp(scores[:, NAMES : NAMES + 3] - scores[:, NAMES : NAMES + 3].max(1, keepdims=True))
        masks = 1 - masks[:, 0] / masks.sum(1)
        kinds = [ALL_KINDS.index(kind) for kind in (row["kinds"] or ALL_KINDS)]
        likely = names[:, 1:].reshape(len(text), 8, 2).sum(2)[:, kinds].sum(1)
        gold = np.isin(text.mask, (2, 3)) if row["source"] == "tab" else (text.allowed & 1) == 0
        person = (text.allowed & 6) > 0
        by_set.setdefault(row["source"], []).append(
            (likely[real], masks[real], gold[real], (person & gold & (text.allowed & 1 == 0))[real])
        )
    for name, several in by_set.items():
        likely, masks, gold, person = (np.concatenate(each) for each in zip(*several, strict=True))
        told = []
        for how, values in (("names", likely), ("masks", masks), ("both", np.sqrt(likely * masks))):
            best = max((f2(values >= t, gold), t) for t in np.arange(0.05, 0.95, 0.05))
            at = values >= best[1]
            told.append(
                f"{how} F2 {best[0]:.3f} at {best[1]:.2f} P {gold[at].mean():.3f} R {at[gold].mean():.3f} per {at[person].mean():.3f}"
            )
        print(f"  {name}: {'; '.join(told)}", flush=True)


def f2(found: np.ndarray, gold: np.ndarray) -> float:
    both = (found & gold).sum()
    return float(5 * both / (found.sum() + 4 * gold.sum())) if both else 0.0


if __name__ == "__main__":
    main()
