"""Rows of labelled text as arrays: the features of every word, and what is known of its label."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from withhold.learners.tagger.features import Lexicon
from withhold.learners.tagger.words import cut

KINDS = ("PERSON", "ORG", "LOC", "CODE", "DATETIME", "QUANTITY", "DEM", "MISC")
NUMBER = {kind: number for number, kind in enumerate(KINDS)}
PARTS = [
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
]
SWAPPED = {"tab": 6}
"""How many times a text of a source is told of others; twice, if not given."""

OUTSIDE = 1
ALL = (1 << 17) - 1
UNKNOWN, NOT, QUASI, DIRECT, EITHER = range(5)
"""What is known of whether a word is to be masked."""

TEACHER = {
    "PERSON": "PERSON", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "NORP": "DEM", "DATE": "DATETIME",
    "TIME": "DATETIME", "MONEY": "QUANTITY", "PERCENT": "QUANTITY", "QUANTITY": "QUANTITY", "CARDINAL": "QUANTITY",
    "ORDINAL": "QUANTITY", "PRODUCT": "MISC", "EVENT": "MISC", "WORK_OF_ART": "MISC", "LAW": "MISC", "LANGUAGE": "MISC",
}  # fmt: skip
CONFUSED = {
    "o": "0",
    "l": "1",
    "i": "l",
    "e": "c",
    "a": "o",
    "s": "5",
    "B": "8",
    "I": "l",
    "O": "0",
    "S": "5",
    "n": "u",
    "t": "f",
    "c": "e",
    "h": "b",
}


@dataclass(frozen=True, eq=False)
class Example:
    """One text: features, the labels each word may have (bits of 17), what is known of masking, parts of speech."""

    source: str
    features: np.ndarray
    allowed: np.ndarray
    mask: np.ndarray
    part: np.ndarray
    back: int = 0
    """How many texts back the same words stand, written properly."""

    def __len__(self) -> int:
        return len(self.allowed)


def first(kind: str) -> int:
    return 1 << (1 + 2 * NUMBER[kind])


def further(kind: str) -> int:
    return 1 << (2 + 2 * NUMBER[kind])


def both(kinds: Any) -> int:
    return sum(first(kind) | further(kind) for kind in kinds)


@cache
def lexicon(folder: str) -> Lexicon:
    return Lexicon.load(Path(folder))


def example(row: dict[str, Any], folder: str) -> Example:
    """A row of any of the sources."""
    words = cut(row["text"])
    features = lexicon(folder).features(words)
    count = len(words)
    source = row["source"]
    silent = [kind for kind in KINDS if kind not in row["kinds"]]
    allowed = np.full(count, OUTSIDE | both(silent), np.int32)
    mask = np.full(count, NOT if source in ("silver", "made") or row.get("cover") else UNKNOWN, np.int8)
    for start, end in row.get("open", ()):
        allowed[within(words, start, end)] = ALL
        mask[within(words, start, end)] = NOT if row.get("cover") else UNKNOWN
    for start, end, kind in row["ents"]:
        inside = within(words, start, end)
        if len(inside):
            allowed[inside] = further(kind)
            allowed[inside[0]] = first(kind)
            if not row.get("cover"):
                mask[inside] = EITHER
    for start, end, identifier in row.get("mask", ()):
        inside = within(words, start, end)
        mask[inside] = DIRECT if identifier == "direct" else QUASI if row["ents"] else EITHER
        if not row["ents"]:
            allowed[inside] &= ~OUTSIDE
    part = np.zeros(count, np.int8)
    if row.get("pos"):
        at = {int(start): number for number, start in enumerate(words.starts)}
        for start, tag in row["pos"]:
            if start in at and tag in PARTS:
                part[at[start]] = PARTS.index(tag) + 1
    return Example(source, features, allowed, mask, part)


def within(words: Any, start: int, end: int) -> np.ndarray:
    """The words that lie in a span, at least in part."""
    return np.arange(np.searchsorted(words.ends, start, "right"), np.searchsorted(words.starts, end, "left"))


def teacher_row(row: dict[str, Any]) -> dict[str, Any]:
    """A text that a teacher labelled. Of nationalities it knows some words, of other things of that kind none."""
    ents = [[start, end, TEACHER[label]] for start, end, label in row["ents"] if label in TEACHER]
    ents = [ent if not row["text"][ent[0] : ent[1]].startswith("the ") else [ent[0] + 4, *ent[1:]] for ent in ents]
    kinds = [kind for kind in KINDS if kind not in ("DEM", "CODE")]
    pos = list(zip(np.cumsum(row["gaps"]).tolist(), row["tags"].split(), strict=True))
    return {"source": "silver", "text": row["text"], "ents": ents, "kinds": kinds, "pos": pos}


def variants(row: dict[str, Any], chance: random.Random, pools: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    """A row, and the same row as sloppy writers, shouting ones and scanners would have it, or about others."""
    yield row
    yield recased(row, str.lower)
    yield recased(row, str.upper if chance.random() < 0.6 else str.title)
    yield noisy(row, chance)
    for _ in range(SWAPPED.get(row["source"], 2)):
        yield swapped(row, chance, pools)


def recased(row: dict[str, Any], change: Any) -> dict[str, Any]:
    text = change(row["text"])
    return {**row, "text": text} if len(text) == len(row["text"]) else row


def noisy(row: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    rate = chance.choice((0.01, 0.03, 0.06))
    text = "".join(CONFUSED.get(sign, sign) if chance.random() < rate else sign for sign in row["text"])
    return {**row, "text": text}


def swapped(row: dict[str, Any], chance: random.Random, pools: dict[str, list[str]]) -> dict[str, Any]:
    """The names of people, places and organisations replaced by others, the same one by the same."""
    instead: dict[str, str] = {}
    edits = []
    for start, end, kind in row["ents"]:
        if pools.get(kind) and chance.random() < 0.8:
            name = row["text"][start:end]
            edits.append((start, end, instead.setdefault(name, chance.choice(pools[kind]))))
    if not edits:
        return row
    text, moved, done = "", [], 0
    points = [0]
    for start, end, name in edits:
        text += row["text"][done:start]
        moved.append((start, end, len(text), len(text) + len(name)))
        text += name
        done = end
        points.append(end)
    text += row["text"][done:]

    def place(at: int, ending: bool) -> int:
        shift = 0
        for start, end, new_start, new_end in moved:
            if at >= end:
                shift = new_end - end
            elif at > start:
                return new_end if ending else new_start
        return at + shift

    def spans(name: str) -> list[list[Any]]:
        return [[place(each[0], False), place(each[1], True), *each[2:]] for each in row.get(name, ())]

    pos = [
        [place(start, False), tag]
        for start, tag in row.get("pos") or ()
        if not any(a < start < b for a, b, *_ in moved)
    ]
    return {**row, "text": text, "ents": spans("ents"), "open": spans("open"), "mask": spans("mask"), "pos": pos}


def pools_of(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The names in some rows, to be put elsewhere."""
    pools: dict[str, set[str]] = {"PERSON": set(), "ORG": set(), "LOC": set()}
    for row in rows:
        for start, end, kind in row["ents"]:
            name = row["text"][start:end]
            if kind in pools and len(name) < 40 and "\n" not in name and re.match(r"[A-Z]", name):
                pools[kind].add(name)
    return {kind: sorted(names) for kind, names in pools.items()}
