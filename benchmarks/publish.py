"""Fitting GreedySanitize with a conditional random field, against one plain fit of python-crfsuite on the same words.

    python benchmarks/publish.py [--tokens 300000] [--data FILE ...] [--labels LABEL,LABEL] [--learner crf] [--json]

The plain fit is what one would write without withhold: the same features as strings, the same penalties, the same
rounds of L-BFGS. Each iteration of the loop learns three models (two halves, each judged by the other, and the whole),
looks at the words again and chooses thresholds; the last one is not taken, so it lacks the third. Texts are made up
unless `--data` names some that are marked. One core, and the time on it: read the ratio, which is that of one iteration
to the plain fit.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
import pycrfsuite
from rich.console import Console
from rich.table import Table

from withhold.fit.annotated import Annotated, Mention, read_annotated
from withhold.fit.greedy import Costs, chosen, flags, sanitize
from withhold.fit.lessons import Lesson, parted, prepare
from withhold.learners.crf import Learning
from withhold.learners.sensitive import show
from withhold.learners.word_features import rows
from withhold.spans import Span

FOLDS = 4
SYLLABLES = [a + b for a in "bcdfghjklmnprstvwz" for b in ("a", "e", "i", "o", "u", "an", "er", "is", "ol")]


def made(tokens: int, seed: int = 0) -> list[Annotated]:
    """Texts of made-up words, the rarer the longer. Some with a capital are names, and some are not."""
    chance = random.Random(seed)
    common = ["".join(chance.choices(SYLLABLES, k=1 + rank // 400)) for rank in range(4_000)]
    shares = np.cumsum(1.0 / np.arange(1, len(common) + 1)).tolist()
    people = ["".join(chance.choices(SYLLABLES, k=2)).capitalize() for _ in range(3_000)]
    places = ["".join(chance.choices(SYLLABLES, k=3)).capitalize() for _ in range(1_000)]
    texts, left, number = [], tokens, 0
    while left > 0:
        text, mentions = "", []
        for _ in range(12):
            words = chance.choices(common, cum_weights=shares, k=chance.randint(8, 24))
            words[0] = words[0].capitalize()
            if chance.random() < 0.3:
                words.insert(chance.randrange(1, len(words)), chance.choice(places))
            at = chance.randrange(1, len(words)) if chance.random() < 0.6 else -1
            for place, word in enumerate(words):
                if place == at:
                    name = " ".join(chance.sample(people, chance.randint(1, 2)))
                    title = chance.choice(("Mr ", "Dr ", "", "", ""))
                    mentions.append(Mention(Span(len(text + title), len(text + title + name)), "PERSON"))
                    text += f"{title}{name} "
                text += word + (" " if place < len(words) - 1 else ". ")
            left -= len(words) + 2
        texts.append(Annotated(f"text {number}", text, tuple(mentions)))
        number += 1
    return texts


def plain(lessons: list[Lesson]) -> float:
    """Seconds of one fit by python-crfsuite alone."""
    began, learning = time.process_time(), Learning()
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {"c1": learning.c1, "c2": learning.c2, "max_iterations": learning.rounds, "feature.possible_transitions": True}
    )
    for lesson in lessons:
        told = list(rows(show(lesson.tokens).layers))
        tags = ["1" if flag else "0" for flag in flags(lesson)]
        for stretch in lesson.tokens.stretches():
            trainer.append(told[stretch], tags[stretch])
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "model"))
    return time.process_time() - began


def compare(documents: list[Annotated], learner: str) -> dict[str, Any]:
    lessons = prepare(documents).lessons
    parts = parted(lessons, FOLDS)
    once = plain(lessons)
    began = time.process_time()
    texts, sensitive = [each.tokens for each in lessons], [flags(each) for each in lessons]
    done = sanitize(texts, sensitive, parts, costs=Costs(), learners=(learner,))
    seconds = time.process_time() - began
    return {
        "documents": len(lessons),
        "tokens": sum(map(len, texts)),
        "sensitive": int(np.concatenate(sensitive).sum()),
        "rounds": Learning().rounds,
        "plain_seconds": once,
        "seconds": seconds,
        "iterations": done.iterations,
        "steps": [asdict(step) for step in done.steps],
        "ratio": seconds / done.iterations / once,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=300_000)
    parser.add_argument("--data", type=Path, nargs="*", default=[])
    parser.add_argument("--labels", default="")
    parser.add_argument("--learner", default="crf")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    labels = [label for label in given.labels.split(",") if label]
    read = [each for path in given.data for each in read_annotated(path)]
    found = compare(chosen(read, labels) if read else made(given.tokens), given.learner)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    table = Table("measure", "value", title=f"GreedySanitize ({given.learner}) against one plain fit")
    for name, value in found.items():
        if name != "steps":
            table.add_row(name.replace("_", " "), f"{value:.2f}" if isinstance(value, float) else f"{value}")
    Console().print(table)


if __name__ == "__main__":
    main()
