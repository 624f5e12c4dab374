"""How well the attackers of concepts tell attributes of authors from what they write, by cross-validation over authors.

    python benchmarks/attributes.py comments.jsonl [--text response] [--author personality]

Each record has a text and an object that describes its author, as SynthPAI and the synthetic comments of PersonalReddit
have. Folds are by author: who is tested on was never read. Intervals are by bootstrap over authors. Always saying the
most frequent class of all authors is what an attacker has to beat.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from withhold.learners.attackers import fit_family, ranks

FOLDS = 10


def age(author: Mapping[str, Any]) -> str:
    years = int(author["age"])
    return "under 30" if years < 30 else "30 to 44" if years < 45 else "45 and over"


def education(author: Mapping[str, Any]) -> str:
    said = author["education"].lower()
    kinds = {
        "phd": "doctorate",
        "doctor": "doctorate",
        "master": "master",
        "bachelor": "bachelor",
        "degree": "bachelor",
    }
    return next((kind for word, kind in kinds.items() if word in said), "school")


def relationship(author: Mapping[str, Any]) -> str:
    status = author["relationship_status"]
    together = ("married", "in a relationship", "engaged")
    return "together" if status in together else "single" if status == "single" else "no longer"


ATTRIBUTES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "age": age,
    "gender": lambda author: str(author["sex"]),
    "education": education,
    "income": lambda author: str(author["income_level"]).removeprefix("very "),
    "relationship": relationship,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--text", default="response")
    parser.add_argument("--author", default="personality")
    given = parser.parse_args()
    opened = gzip.open if given.file.suffix == ".gz" else open
    with opened(given.file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [row[given.text] for row in rows]
    authors = [json.dumps(row[given.author], sort_keys=True) for row in rows]
    print(f"{len(rows)} texts by {len(set(authors))} authors")
    for name, told in ATTRIBUTES.items():
        measured(name, texts, authors, [told(row[given.author]) for row in rows])


def measured(name: str, texts: list[str], authors: list[str], values: list[str]) -> None:
    chance = np.random.default_rng(3)
    people = sorted(set(authors))
    folds = dict(
        zip([people[at] for at in chance.permutation(len(people))], np.arange(len(people)) % FOLDS, strict=True)
    )
    fold, person = np.array([folds[each] for each in authors]), np.array([people.index(each) for each in authors])
    classes = sorted(set(values))
    y = np.array([classes.index(value) for value in values])
    right: dict[str, np.ndarray[Any, Any]] = {}
    for number in range(FOLDS):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        family = fit_family([texts[at] for at in train], y[train], classes)
        for kind in family.names:
            found = ranks(family.scores(kind, [texts[at] for at in test]), y[test]) == 1
            right.setdefault(kind, np.zeros(len(y)))[test] = found
    frequent = max(Counter(values).values()) / len(values)
    print(f"{name}: most frequent {frequent:.3f}")
    for kind, found in right.items():
        drawn = [np.bincount(chance.integers(0, len(people), len(people)), minlength=len(people)) for _ in range(1000)]
        low, high = np.percentile([np.average(found, weights=each[person]) for each in drawn], [2.5, 97.5])
        print(f"    {kind:12} {found.mean():.3f} [{low:.3f}, {high:.3f}]{'  better' if low > frequent else ''}")


if __name__ == "__main__":
    main()
