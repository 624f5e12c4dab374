"""Texts with entities as rows of numbers that `train.py` learns from.

    python training/mask_type/examples.py WORK

WORK holds `silver.jsonl.gz` (see `silver.py`), `tab_typed_train_dev.jsonl.gz` (court cases with types marked by hand,
to measure on), `vocab.txt` of all-MiniLM-L6-v2 (Apache-2.0) and `minilm.npz`, its weights (see
`training/tagger/minilm.py`). Writes `encoder-pieces.txt` (the pieces of words that the texts need, without what is
masked), `silver.npz`, `typed.npz` and `begin.npz` (the weights, with the rows of those pieces only).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from withhold.labels import KINDS
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.encoder import Vocabulary
from withhold.spans import Span

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]")
SIZE = 12_000
PARTLY = 0.15
"""So many texts are there once more, with few of their entities masked."""

Case = tuple[str, Masked, list[list[int]], list[str]]
"""Source, document, how likely its entities are of each kind, and what they are."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    work = parser.parse_args().work
    full = (work / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")
    cases = list(silver(work / "silver.jsonl.gz"))
    chosen = choose(full, cases)
    (work / "encoder-pieces.txt").write_text("\n".join(chosen), "utf-8")
    vocabulary = Vocabulary(chosen)
    write(work / "silver.npz", vocabulary, cases)
    write(work / "typed.npz", vocabulary, typed(work / "tab_typed_train_dev.jsonl.gz"))
    rows = {piece: row for row, piece in enumerate(full)}
    with np.load(work / "minilm.npz") as stored:
        names = [name for name in stored.files if "position_ids" not in name and not name.endswith(".scale")]
        begin = {name: stored[name] * stored.get(f"{name}.scale", np.float32(1)) for name in names}
    words = begin["embeddings.word_embeddings.weight"]
    begin["embeddings.word_embeddings.weight"] = words[[rows[piece] for piece in chosen]]
    np.savez(work / "begin.npz", **{name: value.astype(np.float32) for name, value in begin.items()})


def read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def silver(path: Path) -> Iterator[Case]:
    chance = random.Random(0)
    for row in read(path):
        if row["ents"]:
            yield case(row["source"], row["text"], row["ents"])
            if chance.random() < PARTLY:
                some = [entity for entity in row["ents"] if chance.random() < 0.3]
                yield case("partly", row["text"], some or row["ents"][:1])


def typed(path: Path) -> Iterator[Case]:
    for row in read(path):
        ents = [
            [each["start_offset"], each["end_offset"], *(100 * (each["entity_type"] == kind) for kind in KINDS)]
            for each in row["entities"]
        ]
        yield case(row["metadata"]["provenance"]["doc_id"], row["text"], ents)


def case(source: str, text: str, ents: Sequence[Sequence[int]]) -> Case:
    spans = [Span(start, end) for start, end, *_ in ents]
    document = Masked.of(text, spans, [str(number) for number in range(len(ents))])
    kept = [ents[int(label)] for label in document.types]
    return source, document, [list(each[2:]) for each in kept], [text[each[0] : each[1]] for each in kept]


def choose(full: Sequence[str], cases: Iterable[Case]) -> list[str]:
    """Single characters, and the commonest of the other pieces."""
    whole = Vocabulary(full)
    counts: Counter[int] = Counter()
    for source, document, _, _ in cases:
        if source != "partly":
            for _ in range(5 if source == "tab" else 1):
                counts.update(whole.read(document).rows.tolist())
    single = {piece for piece in full if len(piece.removeprefix("##")) == 1 and piece.isascii()}
    single |= {full[row] for row, count in counts.items() if count >= 10 and len(full[row]) == 1}
    common = [full[row] for row, _ in counts.most_common() if full[row] not in single and full[row] not in SPECIAL]
    return [*SPECIAL, *sorted(single), *common][:SIZE]


def write(path: Path, vocabulary: Vocabulary, cases: Iterable[Case]) -> None:
    """All documents one after the other: pieces, forms, which pieces begin a token, and the entities at marks."""
    rows, forms, begins, places, kinds, ends, lengths, sources = [], [], [], [], [], [], [], []
    total = 0
    for source, document, shares, texts in cases:
        pieces = vocabulary.read(document)
        rows.append(pieces.rows.astype(np.uint16))
        forms.append(pieces.forms.astype(np.uint8))
        first = np.zeros(len(pieces), np.uint8)
        first[pieces.firsts] = 1
        begins.append(first)
        places.append(pieces.masks.astype(np.int32) + total)
        kinds += shares
        for text in texts:
            inside = vocabulary.read(Masked.of(text, [])).rows
            ends.append((inside[0], inside[-1]) if len(inside) else (1, 1))
        total += len(pieces)
        lengths.append(len(pieces))
        sources.append(source)
    np.savez_compressed(
        path,
        rows=np.concatenate(rows),
        forms=np.concatenate(forms),
        begins=np.concatenate(begins),
        places=np.concatenate(places),
        kinds=np.array(kinds, np.uint8),
        ends=np.array(ends, np.uint16),
        lengths=np.array(lengths, np.int32),
        sources=np.array(sources),
    )


if __name__ == "__main__":
    main()
