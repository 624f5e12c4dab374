"""Plain texts to learn from, each with the name of its source.

    python training/mask_type/texts.py DATA -o WORK/texts.jsonl.gz

DATA holds the files of SOURCES and `tab/`. Of the court cases, those with types marked by hand are left out: they are
what the encoder is measured on.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCES: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
    "foia": (500_000, (("foia/state_dept_foia_emails_2500.jsonl.gz", "text"),)),
    "report911": (300_000, (("foia/report_911_sections.jsonl.gz", "text"),)),
    "bios": (900_000, (("bios/wikipedia_featured_bios.jsonl.gz", "text"),)),
    "dbbio": (250_000, (("bios/db_bio.jsonl.gz", "text"),)),
    "actors": (
        500_000,
        (
            ("wiki_actors/actor_abstracts_19603.jsonl.gz", "abstract"),
            ("wiki_actors/actor_article_bodies.jsonl.gz", "body"),
        ),
    ),
    "enron": (300_000, (("email_names/enron1_ham_farmer.jsonl.gz", "text"),)),
    "company": (300_000, (("company_sectors/company_sectors_train_dev.jsonl.gz", "text"),)),
    "mts": (200_000, (("medical/mtsamples_partial.jsonl.gz", "text"),)),
    "medquad": (100_000, (("medical/medquad_reference_web.jsonl.gz", "text"),)),
}
"""How many words to take of what, and from which field of which files."""

LONGEST = 12_000
SECTION = re.compile(r"(?s).{1,8000}(?:\n\n|$)")
"""The sections of the report are long, and are cut at empty lines."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    with gzip.open(given.output, "wt", encoding="utf-8") as output:
        for source, text in [*court(given.data / "tab"), *texts(given.data)]:
            output.write(json.dumps({"source": source, "text": text}, ensure_ascii=False) + "\n")


def court(folder: Path) -> Iterator[tuple[str, str]]:
    """Court cases that nobody has marked the types in."""
    typed = list(rows(folder / "tab_typed_train_dev.jsonl.gz"))
    numbers = {row["metadata"]["provenance"]["doc_id"] for row in typed}
    begins = {_begin(row["text"]) for row in typed}
    for row in rows(folder / "tab_dev_masked_strings.jsonl.gz"):
        if row["doc_id"] not in numbers and _begin(row["text"]) not in begins:
            yield "tab", row["text"]


def _begin(text: str) -> str:
    return "".join(filter(str.isalnum, text))[:200]


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """The texts of all sources, the same at every run, each with the name of its source."""
    chance = random.Random(1)
    for source, (most, files) in SOURCES.items():
        found = [row[field] or "" for name, field in files for row in rows(data / name)]
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


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
