"""What a small network makes of the words around each mask: a vector, and how likely the mask hides each kind.

The network comes with withhold (see `data/encoder-NOTICE`, made by `training/mask_type`). It has seen no document of
those whose types people marked: what learns types from its vectors may be judged on any of them it did not learn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.errors import MalformedData
from withhold.learners.masks.cases import MARK, Masked
from withhold.learners.runtime import session
from withhold.text import fold

DATA = Path(__file__).parent / "data"
WINDOW, HALO = 384, 48
"""So many pieces of words are looked at together; those at the edges only lend context."""

FORMS = 10
"""How many ways a word can be written; and so many again where it begins a line."""

UNKNOWN, BEGIN, END, HIDDEN = 1, 2, 3, 4
"""Rows of the vocabulary: what has no pieces, the edges of a window, and a mark."""

OUTPUTS = ("states", "scores")
"""What the network tells of each mask."""

_MOST = 6
"""A word is at most so many pieces."""

_LONGEST = 64
_CACHED = 100_000
_WRITTEN = (
    re.compile(r"[a-z]+"),
    re.compile(r"[A-Z][a-z]+"),
    re.compile(r"[A-Z]{2,}"),
    re.compile(r"[A-Z]"),
    re.compile(r"\d+"),
    re.compile(r"\w*\d\w*"),
    re.compile(r"\w+"),
    re.compile(r"[.,;:!?]"),
)

Singles = NDArray[np.float32]
Integers = NDArray[np.int64]


def states(documents: Sequence[Masked]) -> Singles:
    """A vector for each mask, document by document in the order of their masks."""
    return read(documents)[0]


def types(documents: Sequence[Masked]) -> Singles:
    """How likely each mask hides each of `withhold.labels.KINDS`, by what the network learnt from other texts."""
    return read(documents)[1]


def read(documents: Sequence[Masked]) -> tuple[Singles, Singles]:
    """`states` and `types`, in the time that one of them takes."""
    found, scores = _shipped().run(documents)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return found, np.asarray(powers / powers.sum(1, keepdims=True), np.float32)


@dataclass(frozen=True, eq=False, repr=False)
class Pieces:
    """A document as the network reads it: the rows of the pieces of its words, how the words are written, the first
    piece of each token, and where the marks of its entities are.
    """

    rows: Integers
    forms: Integers
    firsts: Integers
    masks: Integers

    def __len__(self) -> int:
        return len(self.rows)


class Vocabulary:
    """The pieces that words are made of; one after `##` goes on with a word."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces), default=0)
        self._cached: dict[str, tuple[tuple[int, ...], int]] = {}

    @classmethod
    def load(cls, folder: Path = DATA) -> Vocabulary:
        return cls((folder / "encoder-pieces.txt").read_text("utf-8").split("\n"))

    def read(self, document: Masked) -> Pieces:
        """The document with every mark as one piece, however it is written."""
        rows: list[int] = []
        forms: list[int] = []
        firsts: list[int] = []
        marks, lines = set(document.masks), set(document.lines)
        for place, token in enumerate(document.tokens):
            found, form = ((HIDDEN,), 0) if token == MARK or place in marks else self._word(token)
            firsts.append(len(rows))
            rows += found
            forms += [form + FORMS * (place in lines)] * len(found)
        places = np.array(firsts, np.int64)
        return Pieces(
            np.array(rows, np.int64), np.array(forms, np.int64), places, places[np.array(document.masks, np.int64)]
        )

    def _word(self, token: str) -> tuple[tuple[int, ...], int]:
        """The pieces of a word without accents and disguise, and how it is written."""
        found = self._cached.get(token)
        if found is None:
            if len(self._cached) > _CACHED:
                self._cached.clear()
            seen = fold(token[:_LONGEST], keep_case=True).text
            form = 1 + next((n for n, each in enumerate(_WRITTEN) if each.fullmatch(seen)), len(_WRITTEN))
            found = self._cached[token] = (self.pieces(seen.lower()), form)
        return found

    def pieces(self, word: str) -> tuple[int, ...]:
        """The longest pieces that make up a word, from the left; one that stands for the unknown if there are none."""
        found: list[int] = []
        start = 0
        while start < len(word) and len(found) < _MOST:
            for end in range(min(len(word), start + self._longest), start, -1):
                row = self.rows.get(f"##{word[start:end]}" if start else word[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                return (*found, UNKNOWN)
        return tuple(found) or (UNKNOWN,)


class Encoder:
    """A network and its vocabulary."""

    def __init__(self, model: Path, vocabulary: Vocabulary) -> None:
        try:
            self._session = session(model)
        except Exception:
            raise MalformedData("the encoder that comes with withhold is damaged; install withhold again") from None
        self._widths = {each.name: int(each.shape[1]) for each in self._session.get_outputs()}
        self.vocabulary = vocabulary

    def run(self, documents: Sequence[Masked]) -> tuple[Singles, Singles]:
        """A vector for each mask, and a score for each kind, whatever other documents there are."""
        blocks = [self._document(self.vocabulary.read(document)) for document in documents]
        states, scores = ([each[number] for each in blocks] for number in range(len(OUTPUTS)))
        empty = [np.zeros((0, self._widths[name]), np.float32) for name in OUTPUTS]
        return np.concatenate([empty[0], *states]), np.concatenate([empty[1], *scores])

    def _document(self, pieces: Pieces) -> list[Singles]:
        found = [np.zeros((len(pieces.masks), self._widths[name]), np.float32) for name in OUTPUTS]
        for start, mine in _windows(len(pieces), pieces.masks):
            part = slice(start, start + WINDOW - 2)
            # One window at a time: numbers are rounded by the largest in a run, so that others would leave a trace.
            given: dict[str, Any] = {
                "rows": np.concatenate([[BEGIN], pieces.rows[part], [END]]),
                "forms": np.concatenate([[0], pieces.forms[part], [0]]),
                "places": pieces.masks[mine] - start + 1,
            }
            for output, made in zip(found, self._session.run(OUTPUTS, given), strict=True):
                output[mine] = made
        return found


def _windows(length: int, masks: Integers) -> Iterator[tuple[int, Integers]]:
    """Where each window starts that is needed, and the masks it is for: those that are not at its edges."""
    inside = WINDOW - 2
    step = inside - 2 * HALO
    last = max(0, -(-(length - inside) // step))
    window = np.clip((masks - HALO) // step, 0, last)
    for number in np.unique(window).tolist():
        yield number * step, np.flatnonzero(window == number)


@cache
def _shipped() -> Encoder:
    return Encoder(DATA / "encoder.onnx", Vocabulary.load())
