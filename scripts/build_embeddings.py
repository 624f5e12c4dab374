"""Makes the table of word vectors that `withhold.learners.embeddings` ships.

    python scripts/build_embeddings.py MODEL.onnx TOKENIZER.json TEXTS...

needs withhold, onnxruntime and tokenizers, and takes minutes on one core. The model is all-MiniLM-L6-v2 (Apache-2.0).
TEXTS are files of plain text to count words in: `.jsonl.gz`, each line with a text under `text`, `abstract`, `body` or
`title`. Give files of different kinds: only words that several of them have get into the table, with how frequent they
are; nothing else is taken from the texts.

Every word goes through the model by itself. The vectors are centred and whitened over all words, kept in their leading
dimensions, weighted by the rarity of the word, and rounded to 4 bits a number.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import tokenizers
from numpy.typing import NDArray

from withhold.learners.embeddings import CONTINUES, pack
from withhold.learners.stopwords import STOPWORDS
from withhold.text import fold

TABLE = Path(__file__).parent.parent / "src" / "withhold" / "learners" / "data" / "embeddings.npz"
ROWS, DIMENSIONS = 40_000, 192
SOURCES = 2
"""A word in common use stands in so many of the files."""

RARE = 1e-3
"""A word that makes up this share of all words weighs half as much as a rare one."""

LONGEST = 24
WORD = re.compile("[a-z0-9]+")
LEVELS = 7


def main() -> None:
    model, tokeniser, *paths = sys.argv[1:]
    shares = count(paths)
    teacher = Teacher(model, tokeniser)
    entries = choose(shares, teacher.pieces())
    vectors = shape(teacher.encode(list(entries)), np.array(list(entries.values())), continues(entries))
    scales = np.minimum(np.abs(vectors).max(axis=1), 3 * vectors.std(axis=1)) / LEVELS
    levels = np.clip(np.round(vectors / scales[:, None]), -LEVELS, LEVELS).astype(np.int8)
    TABLE.parent.mkdir(exist_ok=True)
    listed = np.frombuffer("\n".join(entries).encode("ascii"), np.uint8)
    np.savez_compressed(TABLE, entries=listed, packed=pack(levels), scales=scales.astype(np.float16))


def count(paths: Sequence[str]) -> dict[str, float]:
    """Words that several files have, most frequent first, with their mean share of the words of a file."""
    shares: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    for path in paths:
        counts: Counter[str] = Counter()
        for text in texts(path):
            counts.update(WORD.findall(fold(text).text))
        total = counts.total() * len(paths)
        for word, number in counts.items():
            shares[word] += number / total
            sources[word] += 1
    ordered = sorted(shares, key=lambda word: (-shares[word], word))
    return {word: shares[word] for word in ordered if sources[word] >= SOURCES and len(word) <= LONGEST}


def texts(path: str) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield from (
                record[key] for key in ("text", "abstract", "body", "title") if isinstance(record.get(key), str)
            )


def choose(shares: Mapping[str, float], pieces: Sequence[str]) -> dict[str, float]:
    """What gets a vector, with its share: all that words can be taken apart into, then the most frequent words."""
    entries = {piece: shares.get(piece, 0.0) for piece in pieces if len(piece) == 1 or piece.startswith(CONTINUES)}
    frequent = (word for word in shares if word not in STOPWORDS and word not in entries)
    return entries | {word: shares[word] for word, _ in zip(frequent, range(ROWS - len(entries)), strict=False)}


def continues(entries: Mapping[str, float]) -> NDArray[np.bool_]:
    return np.array([entry.startswith(CONTINUES) for entry in entries])


def shape(vectors: NDArray[np.float32], shares: NDArray[np.float64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Centred, whitened, in fewer dimensions, and weighted; what is inside of words has no say in it."""
    centred = vectors - vectors[~inside].mean(axis=0, dtype=np.float64)
    spread, axes = np.linalg.eigh(np.cov(centred[~inside], rowvar=False))
    leading = axes[:, ::-1][:, :DIMENSIONS] / np.sqrt(spread[::-1][:DIMENSIONS])
    weights = RARE / (RARE + shares)
    shaped: NDArray[np.float64] = centred @ leading * weights[:, None]
    return shaped


class Teacher:
    """The sentence model: the mean of its last layer, as a direction."""

    def __init__(self, model: str, tokeniser: str) -> None:
        self.tokeniser = tokenizers.Tokenizer.from_file(tokeniser)
        self.tokeniser.no_padding()
        self.tokeniser.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.run = onnxruntime.InferenceSession(model, options).run
        self.vocabulary = self.tokeniser.get_vocab()

    def pieces(self) -> list[str]:
        return sorted(piece for piece in self.vocabulary if re.fullmatch(f"({CONTINUES})?[a-z0-9]+", piece))

    def encode(self, entries: Sequence[str], batch: int = 128) -> NDArray[np.float32]:
        tokens = [self._tokens(entry) for entry in entries]
        order = np.argsort([len(each) for each in tokens], kind="stable")
        blocks = [self._encode([tokens[row] for row in order[at : at + batch]]) for at in range(0, len(order), batch)]
        vectors = np.concatenate(blocks)
        return vectors[np.argsort(order)]

    def _tokens(self, entry: str) -> list[int]:
        inside = [self.vocabulary[entry]] if entry.startswith(CONTINUES) else None
        own = inside or self.tokeniser.encode(entry, add_special_tokens=False).ids
        return [self.vocabulary["[CLS]"], *own, self.vocabulary["[SEP]"]]

    def _encode(self, lists: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        width = max(map(len, lists))
        numbers = np.array([[*each, *[0] * (width - len(each))] for each in lists], np.int64)
        mask = np.array([[1] * len(each) + [0] * (width - len(each)) for each in lists], np.int64)
        given = {"input_ids": numbers, "attention_mask": mask, "token_type_ids": np.zeros_like(numbers)}
        hidden = self.run(None, given)[0] * mask[..., None]
        mean = hidden.sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)


if __name__ == "__main__":
    main()
