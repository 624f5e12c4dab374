"""Labelled texts from the public sets the tagger learns from, in one shape.

    python training/tagger/gold.py DATA -o gold.jsonl.gz

DATA holds `ner_sets/` (WNUT17, Broad Twitter, re3d, SEC filings, GUM) and `tab/` (Text Anonymization Benchmark). Every row
has `source`, `text`, `ents` ([start, end, kind]), `kinds` (those the set marks: of the others it says nothing), `open`
(stretches of which nothing is known), `pos` ([start, part of speech]), and for court cases `mask` ([start, end, identifier])
with `cover`, whether all that should be masked is in it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

CONLL = {
    "PER": "PERSON", "ORG": "ORG", "LOC": "LOC", "MISC": "MISC",
    "person": "PERSON", "location": "LOC", "corporation": "ORG", "group": "ORG", "product": "MISC", "creative-work": "MISC",
    "Person": "PERSON", "Organisation": "ORG", "Location": "LOC", "Temporal": "DATETIME", "Quantity": "QUANTITY",
    "Money": "QUANTITY", "Nationality": "DEM", "DocumentReference": "MISC", "Weapon": "MISC", "MilitaryPlatform": "MISC",
    "CommsIdentifier": "CODE",
}  # fmt: skip
SETS = {
    "wnut17.train": ("PERSON", "ORG", "LOC", "MISC"),
    "btc.a": ("PERSON", "ORG", "LOC"),
    "btc.b": ("PERSON", "ORG", "LOC"),
    "btc.e": ("PERSON", "ORG", "LOC"),
    "btc.f": ("PERSON", "ORG", "LOC"),
    "btc.g": ("PERSON", "ORG", "LOC"),
    "btc.h": ("PERSON", "ORG", "LOC"),
    "re3d.train": ("PERSON", "ORG", "LOC", "DATETIME", "QUANTITY", "DEM"),
    "sec_filings.train.FIN5": ("PERSON", "ORG", "LOC"),
}
ROLES = re.compile(
    r"(?i)\b(borrowers?|lenders?|bank|agent|company|purchaser|seller|guarantors?|executive|employee|tenant|landlord)\b"
)
NAMED = re.compile(
    r"\b(?!(?:The|A|An|We|I|He|She|They|It|Its|His|Her|Their|Our|My|This|That|These|Those|All|You|Who|Some|Many|No|One|Two)\b)[A-Z0-9]"
)
WHEN = re.compile(r"\d|[A-Z]|day|month|year|week|hour|minute|century|yesterday|tomorrow|tonight|morning|evening|night")
GUM_KINDS = {"person": "PERSON", "place": "LOC", "organization": "ORG", "time": "DATETIME"}
TOGETHER = 20
"""So many sentences of a set without documents make one text."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    with gzip.open(given.output, "wt", encoding="utf-8") as output:
        for row in rows(given.data):
            output.write(json.dumps(row) + "\n")


def rows(data: Path) -> Iterator[Row]:
    chance = random.Random(0)
    for name, kinds in SETS.items():
        yield from conll(data / "ner_sets" / f"{name}.conll.gz", name, kinds, chance)
    yield from gum(data / "ner_sets" / "gum_train.zip")
    yield from court(data / "tab" / "tab_typed_train_dev.jsonl.gz")
    yield from masked(data / "tab")


def conll(path: Path, name: str, kinds: tuple[str, ...], chance: random.Random) -> Iterator[Row]:
    """A set of one word and label a line. Tweets stand by themselves, other sentences together."""
    sentences = list(read_conll(path))
    size = 1 if name.startswith(("wnut", "btc")) else TOGETHER
    for at in range(0, len(sentences), size):
        text, ents, unknown = "", [], []
        loose = chance.random() < 0.5
        for words in sentences[at : at + size]:
            text += "\n" if text else ""
            text, found = write(text, words, loose)
            for start, end, label in found:
                kind = CONLL[label]
                vague = not NAMED.search(text[start:end]) or (name.startswith("sec") and ROLES.search(text[start:end]))
                if name.startswith(("re3d", "sec")) and kind in ("PERSON", "ORG", "LOC") and vague:
                    unknown.append([start, end])
                elif kind in kinds:
                    ents.append([start, end, kind])
                else:
                    unknown.append([start, end])
        yield {"source": name, "text": text, "ents": ents, "kinds": kinds, "open": unknown}


def read_conll(path: Path) -> Iterator[list[tuple[str, str]]]:
    words: list[tuple[str, str]] = []
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in [*lines, ""]:
            columns = line.split("\t") if "\t" in line else line.split()
            columns = [column.strip() for column in columns if column.strip()]
            if len(columns) < 2 or columns[0] == "-DOCSTART-":
                if words:
                    yield words
                words = []
            else:
                words.append((columns[0], columns[-1]))


def write(text: str, words: Iterable[tuple[str, str]], loose: bool) -> tuple[str, list[tuple[int, int, str]]]:
    """The words as text, with a space between any two or as people write them, and the spans of their labels."""
    spans: list[tuple[int, int, str]] = []
    before, quoted, first = "O", False, True
    for word, tag in words:
        glued = first or (
            not loose and (re.fullmatch(r"[.,;:!?)\]}%]|'s|n't|'", word) or text.endswith(("(", "[", "$", "#")))
        )
        if word == '"' and not loose:
            glued, quoted = first or quoted, not quoted
        text += "" if glued else " "
        start, first = len(text), False
        text += word
        if tag != "O":
            label = tag[2:]
            if tag[0] == "I" and before[2:] == label:
                spans[-1] = (spans[-1][0], len(text), label)
            else:
                spans.append((start, len(text), label))
        before = tag
    return text, spans


def gum(path: Path) -> Iterator[Row]:
    """Proper names, times and parts of speech of the GUM corpus."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".conllu"):
                yield gum_text(archive.read(name).decode("utf-8"))


def gum_text(source: str) -> Row:
    text, pos, ents = "", [], []
    words: list[tuple[int, int, str, str]] = []
    opened: dict[str, list[tuple[str, int, str]]] = {}
    for line in source.split("\n"):
        if line.startswith("# newpar"):
            text = text.rstrip() + ("\n\n" if text else "")
        columns = line.split("\t")
        if len(columns) != 10 or not columns[0].isdigit():
            continue
        start = len(text)
        text += columns[1]
        words.append((start, len(text), columns[3], columns[1]))
        pos.append([start, columns[3]])
        misc = dict(each.split("=", 1) for each in columns[9].split("|") if "=" in each)
        for mark in re.findall(r"\([^()]+\)?|[^()]+\)", misc.get("Entity", "")):
            ents += entity(mark, words, opened)
        if misc.get("SpaceAfter") != "No":
            text += " "
    ents = [
        ent for ent in ents if not any(a <= ent[0] and ent[1] <= b and (a, b) != (ent[0], ent[1]) for a, b, _ in ents)
    ]
    ents = [list(each) for each in sorted({tuple(ent[:2]): tuple(ent) for ent in ents}.values())]
    kept, reach = [], 0
    for ent in ents:
        if ent[0] >= reach:
            kept.append(ent)
            reach = ent[1]
    unknown = [ent[:2] for ent in kept if ent[2] == "?"]
    kept = [ent for ent in kept if ent[2] != "?"]
    return {
        "source": "gum",
        "text": text,
        "ents": kept,
        "kinds": ["PERSON", "LOC", "ORG", "DATETIME", "MISC"],
        "open": unknown,
        "pos": pos,
    }


def entity(
    mark: str, words: list[tuple[int, int, str, str]], opened: dict[str, list[tuple[str, int, str]]]
) -> Iterator[list[Any]]:
    """The name that a bracket of the annotation closes, if it is one."""
    group, *rest = mark.strip("()").split("-")
    if mark.startswith("("):
        opened.setdefault(group, []).append((rest[0], len(words) - 1, rest[4] if len(rest) > 4 else "1"))
    if mark.endswith(")") and opened.get(group):
        kind, first, head = opened[group].pop()
        inside = words[first:]
        heads = [int(number) - 1 for number in head.split(",") if number.isdigit()] or [0]
        at = first + min(heads[0], len(inside) - 1)
        if kind == "time":
            form = " ".join(each[3] for each in inside)
            if len(inside) < 8 and not any(each[2] == "PRON" for each in inside):
                yield [inside[0][0], inside[-1][1], "DATETIME" if WHEN.search(form) else "?"]
        elif words[at][2] == "PROPN":
            yield around(words, first, at, GUM_KINDS.get(kind, "MISC"))


def around(words: list[tuple[int, int, str, str]], first: int, at: int, kind: str) -> list[Any]:
    """The name about a proper noun, without the clause that follows it."""

    def part(number: int) -> bool:
        _, _, tag, form = words[number]
        return (
            tag == "PROPN"
            or form in ("of", "and", "&", "the", "for", "-", ".", "de", "van")
            or (tag in ("ADJ", "NOUN", "NUM") and form[0].isupper())
        )

    low = high = at
    while low > first and part(low - 1):
        low -= 1
    while high + 1 < len(words) and part(high + 1):
        high += 1
    while words[low][2] not in ("PROPN", "ADJ", "NOUN", "NUM"):
        low += 1
    while words[high][2] not in ("PROPN", "NOUN", "NUM") and words[high][3] != ".":
        high -= 1
    return [words[low][0], words[max(high, low)][1], kind]


def court(path: Path) -> Iterator[Row]:
    """The typed cases of the Text Anonymization Benchmark that are for training."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["metadata"]["provenance"]["dataset_type"] != "train":
                continue
            ents, mask, reach = [], [], 0
            for each in sorted(case["entities"], key=lambda e: (e["start_offset"], -e["end_offset"])):
                start, end = each["start_offset"], each["end_offset"]
                if each["identifier_type"] != "NO_MASK":
                    mask.append([start, end, each["identifier_type"].lower()])
                if start >= reach:
                    ents.append([start, end, each["entity_type"]])
                    reach = end
            yield {
                "source": "tab",
                "text": case["text"],
                "ents": ents,
                "kinds": list(KINDS),
                "open": [],
                "mask": mask,
                "cover": True,
            }


KINDS = ("PERSON", "ORG", "LOC", "CODE", "DATETIME", "QUANTITY", "DEM", "MISC")


def masked(folder: Path) -> Iterator[Row]:
    """Cases with the strings that two readers masked, less those kept for measuring."""
    with gzip.open(folder / "tab_typed_train_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        kept = {json.loads(line)["metadata"]["provenance"]["doc_id"] for line in lines}
    with gzip.open(folder / "tab_dev_masked_strings.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["doc_id"] in kept:
                continue
            mask = [
                [match.start(), match.end(), "quasi"]
                for string in case["masked_strings"]
                for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", case["text"])
            ]
            yield {
                "source": "tab_masked",
                "text": case["text"],
                "ents": [],
                "kinds": [],
                "open": [[0, len(case["text"])]],
                "mask": mask,
                "cover": True,
            }


if __name__ == "__main__":
    main()
