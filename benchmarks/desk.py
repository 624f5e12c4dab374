"""How long a person at the desk waits: for the first analysis, for a move of the slider, for what follows from an edit.

    python benchmarks/desk.py --folder DIR [--documents N] [--words N] [--classes N] [--secrets NAME ...] [--profile]

DIR keeps what is generated: a corpus of N documents (words as frequent as in real texts, a few hundred subjects, people
as titles) and a concept model. The document at work has `--words` words, of the subject of the secret and of others.
Imports, compiled loops and the model and index files are loaded before the clock starts, as a server has them; nothing
of the document is known then. What is printed is the time on one core, which is what a person waits for on a machine
with nothing else to do: for the first analysis (read, detect, views of all secrets, overview, first state and all stops
of all sliders), for what follows from each of many edits, slider moves and typed words (the whole state, or the whole
preview), and for the same text assessed from scratch by the same risk models, with the ratio.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import lzma
import os
import pstats
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import numpy as np
from rich.console import Console
from rich.table import Table

import withhold
from withhold import Document, Policy, Redactor, Secret
from withhold.assistant.desk import Decision, Desk, StrengthDecision, TermDecision
from withhold.corpora.index import Writer
from withhold.fit.concepts import fit_concepts
from withhold.policy import Background, Detection
from withhold.redactor import drafted

Result = TypeVar("Result")
PERSON = "Tovar Kelind"
SUBJECTS, OWN = 300, 7
COMMON = "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they"
MODELS = ("concepts", "association", "identity", "information")
LEARNT = 6_000


@dataclass
class World:
    """Words, subjects and names to write documents with."""

    words: list[str]
    ladder: np.ndarray
    subjects: np.ndarray
    names: list[str]

    @classmethod
    def made(cls, seed: int = 0) -> World:
        chance = random.Random(seed)
        words = [word for word in dictionary() if word.islower() and 2 < len(word) < 13]
        chance.shuffle(words)
        ends = ("ton", "field", "man", "ley", "son", "berg", "ova", "ides")
        names = [f"{chance.choice(words[:900]).title()} {chance.choice(words).title()}{end}" for end in ends * 5_000]
        share = 1 / np.arange(3, len(words) + 3) ** 1.05
        subjects = np.random.default_rng(seed).integers(0, len(words), (SUBJECTS, 400))
        return cls(words, np.cumsum(share / share.sum()), subjects, names)

    def text(self, subject: int, length: int, chance: np.random.Generator, named: str = "") -> str:
        """Sentences in paragraphs: common words, a third of the rest of the subject, now and then a name."""
        common = COMMON.split()
        drawn = np.minimum(np.searchsorted(self.ladder, chance.random(length)), len(self.words) - 1)
        special = self.subjects[subject, (400 * chance.random(length) ** 2).astype(int)]
        numbers = np.where(chance.random(length) < 0.3, special, drawn)
        kind = chance.random(length)
        parts: list[str] = []
        for at, (number, which) in enumerate(zip(numbers.tolist(), kind.tolist(), strict=True)):
            written = common[number % len(common)] if which < 0.4 else self.words[number]
            if which > 0.985:
                written = self.names[(subject * 40 + number % 40) % len(self.names)]
            starts = at % 14 == 0
            parts.append((written[0].upper() + written[1:]) if starts else written)
            if at % 14 == 13:
                parts[-1] += "." if at % 84 < 70 else ".\n\n"
        body = " ".join(parts).replace("\n\n ", "\n\n")
        return f"{named} was there. {body}" if named else body


def dictionary() -> list[str]:
    """English words."""
    packed = Path(withhold.__file__).parent / "detectors" / "data" / "words.txt.xz"
    return lzma.decompress(packed.read_bytes()).decode().split()


def build(folder: Path, documents: int, classes: int) -> World:
    """Write the corpus and fit the model, unless that was done before."""
    world = World.made()
    chance = np.random.default_rng(1)
    index = folder / f"index-{documents}"
    if not index.exists():
        with Writer(index) as writer:
            for number in range(documents):
                subject = number % SUBJECTS
                named = PERSON if subject == OWN and chance.random() < 0.6 else ""
                title = PERSON if subject == OWN and number < 10 * SUBJECTS else world.names[number // 3 % 30_000]
                writer.add(f"d{number}", title, world.text(subject, int(chance.integers(60, 240)), chance, named))
            writer.commit()
    model = folder / f"model-{classes}"
    if not model.exists():
        rows = []
        for number in range(LEARNT):
            subject = number % SUBJECTS
            text = world.text(subject, int(chance.integers(100, 300)), chance)
            rows.append({"text": text, "client": f"client {subject % classes}", "industry": f"trade {subject % 12}"})
        (folder / "learn.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        fit_concepts(folder / "learn.jsonl", model, secret="client", keep=["industry"], workers=1, holdout=0)
    return world


def memo(world: World, words: int, seed: int) -> bytes:
    """A document of the subject of the secret, and of some others."""
    chance = np.random.default_rng(seed)
    shares = [(OWN, words // 2), *((int(chance.integers(0, SUBJECTS)), words // 10) for _ in range(5))]
    return "\n\n".join(world.text(subject, length, chance) for subject, length in shares).encode()


def policy(folder: Path, options: argparse.Namespace) -> Policy:
    known = {
        "concepts": Secret(
            "client", model="concepts", fitted=f"model-{options.classes}", value=f"client {OWN % options.classes}"
        ),
        "association": Secret("topic", model="association", value=PERSON),
        "identity": Secret("person", model="identity", person=PERSON),
        "information": Secret("word", model="information", value=PERSON),
    }
    return Policy(
        secret=tuple(known[name] for name in options.secrets),
        corpus=Background(index=f"index-{options.documents}"),
        detection=Detection(labels=("PERSON", "EMAIL", "PHONE")),
        folder=str(folder),
    )


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def first(redactor: Redactor, data: bytes) -> Desk:
    """All that is shown when a document is opened."""
    desk = Desk(redactor, redactor.read(data, name="memo.txt"))
    desk.overview()
    for secret in redactor.policy.secret:
        desk.slider(secret.name)
    desk.state()
    return desk


def edits(desk: Desk, count: int, seed: int = 0) -> Iterator[TermDecision]:
    """Decisions about terms, the more telling the likelier, of every kind."""
    chance = random.Random(seed)
    terms = sorted(desk.overview().terms, key=lambda entry: (-entry.risk, entry.text))[:400]
    for entry in chance.sample(terms, min(count, len(terms))):
        kind = chance.choice(("remove", "remove", "keep", "replace"))
        scope = chance.choice(("everywhere", "here"))
        text = " ".join(desk.document.text[:200].split()[:2]) if kind == "replace" else None
        yield TermDecision(kind, entry.spans[:1], scope=scope, replacement=text)  # type: ignore[arg-type]


def scratch(redactor: Redactor, desk: Desk, decisions: Sequence[Decision]) -> float:
    """The same text, assessed by the same models with nothing remembered but what they load."""
    draft, _, gone = drafted([change.edit for change in desk.changes(decisions)], desk.document)
    return timed(
        lambda: [
            redactor.model(secret).assess(draft, secret, source=desk.document, written=gone)
            for secret in redactor.policy.secret
        ]
    )[0]


def measure(redactor: Redactor, data: bytes, options: argparse.Namespace) -> Table:
    profile = cProfile.Profile()
    opening, desk = timed(lambda: first(redactor, data))
    made: list[Decision] = []
    after, plain = list[float](), list[float]()
    for each in edits(desk, options.edits):
        made.append(each)
        if options.profile:
            profile.enable()
        after.append(timed(lambda: desk.state(made))[0])
        profile.disable()
        if len(made) % 5 == 1:
            plain.append(scratch(redactor, desk, made))
    sliding = []
    for secret in redactor.policy.secret:
        for k in range(1, len(desk.slider(secret.name).stops) + 1, 7):
            moved = [*made, StrengthDecision(secret.name, k)]
            sliding.append(timed(partial(desk.state, moved))[0])
    typed = []
    text = desk.state(made).text
    for number in range(options.edits):
        words = text.split(" ")
        words[(37 * number) % len(words)] += " plainer"
        text = " ".join(words)
        typed.append(timed(partial(desk.preview, text, made))[0])
    if options.profile:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
    table = Table("", "median", "slowest", "from scratch / median", title=", ".join(options.secrets))
    base = statistics.median(plain)
    table.add_row("first analysis", f"{opening:.2f} s", "", "")
    for name, times in (("after an edit", after), ("slider moved", sliding), ("as one types", typed)):
        middle = statistics.median(times)
        table.add_row(name, f"{1000 * middle:.0f} ms", f"{1000 * max(times):.0f} ms", f"{base / middle:.1f}")
    table.add_row("assessed from scratch", f"{1000 * base:.0f} ms", f"{1000 * max(plain):.0f} ms", "1.0")
    return table


def warm(redactor: Redactor, world: World) -> None:
    """Everything loaded and compiled, by another document."""
    redactor.load()
    desk = first(redactor, memo(world, 300, 99))
    desk.state([*edits(desk, 3)])
    desk.preview(desk.state().text + " more")
    del desk
    gc.collect()
    gc.freeze()  # as a server does: what stays for good need not be looked through again and again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=5_000)
    parser.add_argument("--classes", type=int, default=60)
    parser.add_argument("--edits", type=int, default=25)
    parser.add_argument("--secrets", nargs="+", choices=MODELS, default=["concepts", "association"])
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    world = build(options.folder, options.documents, options.classes)
    redactor = Redactor(policy(options.folder, options))
    warm(redactor, world)
    document: Document = redactor.read(memo(world, options.words, 3), name="memo.txt")
    table = measure(redactor, document.native, options)
    console = Console()
    console.print(
        f"{len(document.text.split()):,} words, {options.documents:,} documents, {options.classes} classes, "
        f"{options.edits} edits one after the other"
    )
    console.print(table)


if __name__ == "__main__":
    main()
