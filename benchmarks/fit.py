"""Fitting a concept model, against scikit-learn on the same file: seconds, memory, and the ratio.

    python benchmarks/fit.py [--documents 350000] [--classes 450] [--words 200000] [--workers N] [--json]

The documents are made up: words drawn from a Zipf distribution, a few of them more often in one class. Each side runs
in a process of its own, so that the memory of one is not counted for the other. Read the ratios: seconds depend on the
machine and on what else it does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

OWN_WORDS = 30
BATCH = 5_000


def make(path: Path, documents: int, classes: int, words: int, seed: int = 0) -> None:
    """Write documents of 60 to 100 words, one JSON object per line."""
    draw = np.random.default_rng(seed)
    vocabulary = np.array([_word(number) for number in range(words)], dtype=object)
    shares = 1.0 / np.arange(1, words + 1) ** 1.05
    edges = np.cumsum(shares / shares.sum())
    own = draw.integers(words // 100, words, (classes, OWN_WORDS))
    with path.open("w", encoding="ascii") as file:
        for start in range(0, documents, BATCH):
            for _ in range(min(BATCH, documents - start)):
                label = int(draw.integers(classes))
                common = np.searchsorted(edges, draw.random(int(draw.integers(55, 90)))).clip(0, words - 1)
                chosen = draw.permutation(np.concatenate([common, draw.choice(own[label], 8)]))
                text = " ".join(vocabulary[chosen])
                file.write(f'{{"text": "{text}.", "client": "client {label}", "sector": "sector {label % 12}"}}\n')


def _word(number: int) -> str:
    """A made-up word, longer for rarer ones."""
    letters, rest = "", number + 30
    while rest:
        rest, digit = divmod(rest, 21)
        letters += "bcdfghjklmnpqrstvwxyz"[digit] + "aeiou"[(digit + len(letters)) % 5]
    return letters


def fit_ours(source: Path, workers: int | None) -> dict[str, float]:
    from withhold.fit.concepts import fit_concepts

    with tempfile.TemporaryDirectory() as folder:
        fitted = fit_concepts(source, Path(folder) / "model", secret="client", holdout=0.0, workers=workers)
        size = sum(path.stat().st_size for path in (Path(folder) / "model").iterdir())
    return {"words": fitted.words, "lost": fitted.lost, "saved_megabytes": size / 1e6}


def fit_theirs(source: Path) -> dict[str, float]:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    labels: list[str] = []

    def texts() -> object:
        with source.open(encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                labels.append(record["client"])
                yield record["text"]

    vectoriser = CountVectorizer(stop_words="english", min_df=2)
    matrix = vectoriser.fit_transform(texts())
    MultinomialNB(alpha=1.0).fit(matrix, labels)
    return {"words": matrix.shape[1]}


def measure(side: str, source: Path, workers: int | None) -> dict[str, float]:
    """What a side says of itself, measured in a process of its own."""
    command = [sys.executable, __file__, "--side", side, "--source", str(source)]
    command += ["--workers", str(workers)] if workers else []
    said: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return said


def run_side(side: str, source: Path, workers: int | None) -> None:
    began = time.perf_counter()
    said = fit_ours(source, workers) if side == "ours" else fit_theirs(source)
    said["seconds"] = time.perf_counter() - began
    own, children = (resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    said["processor_seconds"] = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    # The system tells the peak of the largest worker only; all are taken to have had as much.
    processes = (workers or len(os.sched_getaffinity(0))) if side == "ours" else 0
    said["megabytes"] = (own.ru_maxrss + children.ru_maxrss * processes) / 1024
    print(json.dumps(said))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, number in (("documents", 350_000), ("classes", 450), ("words", 200_000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--side", choices=["ours", "theirs"], help=argparse.SUPPRESS)
    parser.add_argument("--source", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.side:
        run_side(asked.side, asked.source, asked.workers)
        return
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "documents.jsonl"
        make(source, asked.documents, asked.classes, asked.words)
        found = {side: measure(side, source, asked.workers) for side in ("ours", "theirs")}
        megabytes = source.stat().st_size / 1e6
    ratio = found["theirs"]["seconds"] / found["ours"]["seconds"]
    whole = {"documents": asked.documents, "classes": asked.classes, "megabytes": megabytes, **found, "ratio": ratio}
    if asked.json:
        print(json.dumps(whole, indent=2))
        return
    print(f"{asked.documents} documents, {asked.classes} classes, {megabytes:.0f} MB")
    for side, name in (("ours", "withhold"), ("theirs", "scikit-learn")):
        said = found[side]
        print(
            f"{name:13} {said['seconds']:7.1f} s, {said['processor_seconds']:7.1f} s of processor, "
            f"{said['megabytes']:6.0f} MB at most, {said['words']} words"
        )
    print(f"withhold is {ratio:.1f} times as fast (at least 2 wanted)")


if __name__ == "__main__":
    main()
