"""The texts of a data folder put together: a small web, whole or cut into pages, with every source beside the others.

    from web import pages, texts

Reads what is there of: reuters21578, newsgroups20, company_sectors, wiki_actors, bios, medical, foia.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCES = (
    ("reuters", "reuters21578/reuters21578.jsonl.gz", "body"),
    ("news", "newsgroups20/20news_19997.jsonl.gz", "text"),
    ("company", "company_sectors/company_sectors_train_dev.jsonl.gz", "text"),
    ("actor", "wiki_actors/actor_abstracts_19603.jsonl.gz", "abstract"),
    ("body", "wiki_actors/actor_article_bodies.jsonl.gz", "body"),
    ("entity", "wiki_actors/related_entity_summaries.jsonl.gz", "text"),
    ("person", "bios/db_bio.jsonl.gz", "text"),
    ("featured", "bios/wikipedia_featured_bios.jsonl.gz", "text"),
    ("topic", "medical/medquad_reference_web.jsonl.gz", "text"),
    ("note", "medical/mtsamples_partial.jsonl.gz", "text"),
    ("mail", "foia/state_dept_foia_emails_2500.jsonl.gz", "text"),
    ("report", "foia/report_911_sections.jsonl.gz", "text"),
)
WORDS = 300
"""A page has about so many words; what a line break separates stays together if it can."""

_BLANK = re.compile(r"\n[^\S\n]*\n\s*")


def records(data: Path, file: str) -> Iterator[dict[str, Any]]:
    """The records of one file; the benchmark ends if it is not there."""
    path = data / file
    if not path.is_file():
        sys.exit(f"{path} is missing: this benchmark needs the public data sets it names, in the folder of --data")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts(data: Path) -> Iterator[tuple[str, str, str]]:
    """All texts: a name, a title and the text each."""
    for kind, file, field in SOURCES:
        for number, record in enumerate(records(data, file)):
            text = record.get(field) or ""
            if kind == "reuters":  # Its paragraphs are indented, not set apart.
                text = text.replace("\n    ", "\n\n")
            title = next((record[key] for key in ("title", "name", "focus") if record.get(key)), "")
            if text.strip():
                yield f"{kind}-{number}", str(title), text


def pages(name: str, text: str) -> Iterator[tuple[str, str]]:
    """A text cut into pages: their names and texts."""
    held: list[str] = []
    number = words = 0
    for part in _parts(text):
        length = len(part.split())
        if held and words + length > 1.25 * WORDS:
            yield f"{name}#{number}", "\n\n".join(held)
            held, words, number = [], 0, number + 1
        held.append(part)
        words += length
    if held:
        yield f"{name}#{number}", "\n\n".join(held)


def paragraphs(text: str) -> list[str]:
    return [part for part in _BLANK.split(text) if part.strip()]


def _parts(text: str) -> Iterator[str]:
    """Paragraphs; those much longer than a page in pieces."""
    for part in paragraphs(text):
        words = part.split()
        while len(words) > 1.5 * WORDS:
            yield " ".join(words[:WORDS])
            words = words[WORDS:]
        yield " ".join(words)
