"""The entities that withhold's own tagger finds in texts.

    python training/mask_type/silver.py WORK/texts.jsonl.gz --gold WORK/gold.jsonl.gz -o WORK/silver.jsonl.gz

`gold.jsonl.gz` is what `training/tagger/gold.py` writes, whose labels count before the tagger's; its court cases are
left out. Every row has `source`, `text` and `ents`: [start, end, how likely the entity is of each of
`withhold.labels.KINDS`, in hundredths]. Five minutes of one core, on as many as there are.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from withhold.labels import KINDS
from withhold.learners.tagger.network import Tags, tagger

LEAST = 0.5
"""How likely a word has to be part of an entity."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    chosen = [*rows(given.texts), *(row for row in rows(given.gold) if not row["source"].startswith("tab"))]
    with multiprocessing.Pool() as pool, gzip.open(given.output, "wt", encoding="utf-8", compresslevel=1) as output:
        for row in pool.imap(label, chosen, chunksize=16):
            output.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def label(row: dict[str, Any]) -> dict[str, Any]:
    """A text with what the tagger finds; of a set, with its own labels and the tagger's for kinds it does not mark."""
    found = entities(row["text"])
    if "ents" not in row:
        return {"source": row["source"], "text": row["text"], "ents": found}
    own = [[start, end, *(100 * (kind == each) for each in KINDS)] for start, end, kind in row["ents"]]
    closed = [*own, *row["open"]]
    further = [
        entity
        for entity in found
        if KINDS[int(np.argmax(entity[2:]))] not in row["kinds"]
        and not any(entity[0] < other[1] and other[0] < entity[1] for other in closed)
    ]
    return {"source": "sets", "text": row["text"], "ents": sorted(own + further)}


def entities(text: str) -> list[list[Any]]:
    return [entity for tags in tagger().tag(text) for entity in _entities(tags)]


def _entities(tags: Tags) -> Iterator[list[Any]]:
    """Neighbouring words of one kind are one entity, unless the second begins another."""
    kinds = tags.kinds.argmax(1)
    taken = tags.kinds.sum(1) >= LEAST
    fresh = np.ones(len(tags), bool)
    fresh[1:] = ~(taken[:-1] & taken[1:]) | (kinds[1:] != kinds[:-1]) | (tags.begins[1:] > 0.5) | tags.breaks[1:]
    firsts = np.flatnonzero(fresh)
    for first, end in zip(firsts.tolist(), [*firsts[1:].tolist(), len(tags)], strict=True):
        if taken[first]:
            shares = tags.kinds[first:end].mean(0)
            shares = np.round(100 * shares / shares.sum()).astype(int).tolist()
            yield [int(tags.starts[first]), int(tags.ends[end - 1]), *shares]


if __name__ == "__main__":
    main()
