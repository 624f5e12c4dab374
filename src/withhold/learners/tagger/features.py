"""What the tagger knows of a word before it looks at its neighbours, in numbers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from withhold.learners.tagger.words import Words

DATA = Path(__file__).parent / "data"
PIECES = 4
"""A word is at most so many pieces of the vocabulary: its first ones and its last."""

BUCKETS = 4096
COLUMNS = ("piece", "piece", "piece", "piece", "prefix", "suffix", "form", "known", "gap", "line", "seen")
"""What the numbers of a word are, in order."""

FORMS, KNOWN, GAPS, LINES, SEEN = 96, 8, 4, 4, 4
"""How many values `form`, `gap`, `line` and `seen` can have; `known` is a set of so many bits."""

_CACHED = 200_000
_LONG = 100
_CASES = (
    re.compile(r"[a-z]+"),
    re.compile(r"[A-Z][a-z]+"),
    re.compile(r"[A-Z]{2,}"),
    re.compile(r"[A-Z]"),
    re.compile(r"\d+"),
    re.compile(r"[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*"),
    re.compile(r"\w*\d\w*"),
    re.compile(r"[^\W_]+"),
    re.compile(r"[.,;:!?]"),
    re.compile(r"[-/&+]"),
    re.compile(r"[\"'()\[\]{}<>]"),
)
_LOWER, _TITLE, _CAPITALS, _CAPITAL = range(4)
_LENGTHS = 8

Features = NDArray[np.int32]


class Lexicon:
    """The pieces that words are made of, and what lists of names, places and English words say of a word."""

    def __init__(self, pieces: Sequence[str], keys: NDArray[np.uint32], bits: NDArray[np.uint8]) -> None:
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self.known = dict(zip(keys.tolist(), bits.tolist(), strict=True))
        self._cached: dict[str, tuple[int, ...]] = {}

    @classmethod
    def load(cls, folder: Path = DATA) -> Lexicon:
        with np.load(folder / "lexicon.npz", allow_pickle=False) as stored:
            pieces = stored["pieces"].tobytes().decode("utf-8").split("\n")
            return cls(pieces, stored["keys"], stored["bits"])

    def features(self, words: Words) -> Features:
        """One row for each word: `COLUMNS`."""
        numbers: dict[str, int] = {}
        order = np.array([numbers.setdefault(form, len(numbers)) for form in words.forms], np.int64)
        distinct = np.array([self._word(form) for form in numbers], np.int32).reshape(-1, PIECES + 4)
        table = np.empty((len(words), len(COLUMNS)), np.int32)
        table[:, : PIECES + 4] = distinct[order]
        table[:, -3] = words.gaps
        cases = table[:, PIECES + 2] // _LENGTHS
        table[:, -2] = _line_case(cases, words.gaps)
        table[:, -1] = _seen(words.forms, cases, words.gaps)
        return table

    def _word(self, form: str) -> tuple[int, ...]:
        """The numbers of a word by itself, worked out once for each word."""
        found = self._cached.get(form)
        if found is None:
            if len(self._cached) > _CACHED:
                self._cached.clear()
            lower = form.lower()
            prefix, suffix = _hash("<" + lower[:3]), _hash(lower[-3:] + ">")
            known = self.known.get(key(lower), 0)
            found = (*self._pieces(lower), prefix % BUCKETS, suffix % BUCKETS, _form(form), known)
            self._cached[form] = found
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest pieces of the vocabulary that make up a word, from the left; 0 stands for none."""
        found: list[int] = []
        start = 0
        while start < len(word) < _LONG:
            for end in range(len(word), start, -1):
                row = self.rows.get(f"##{word[start:end]}" if start else word[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                found.append(self.rows["[UNK]"])
                break
        kept = [*found[: PIECES - 1], *found[PIECES - 1 :][-1:]]
        return (*kept, *[0] * (PIECES - len(kept)))


def key(word: str) -> int:
    """Where the lists look a word up."""
    return _hash(word)


def _hash(text: str) -> int:
    # An escape such as \ud83d folds to half a surrogate pair.
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


@cache
def shipped() -> Lexicon:
    """The lexicon that comes with withhold."""
    return Lexicon.load()


def _form(word: str) -> int:
    """Case and length."""
    case = next((number for number, each in enumerate(_CASES) if each.fullmatch(word)), len(_CASES))
    return case * _LENGTHS + min(len(word), _LENGTHS) - 1


def _line_case(cases: NDArray[np.int32], gaps: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How each word's line is written: 0 mixed, 1 without capitals, 2 in capitals, 3 with a capital on every word."""
    if not len(cases):
        return np.zeros(0, np.int64)
    line = np.cumsum(gaps >= 2) - 1
    count = int(line[-1]) + 1
    lower, title = (np.bincount(line, cases == case, count) for case in (_LOWER, _TITLE))
    capitals = np.bincount(line, (cases == _CAPITALS) | (cases == _CAPITAL), count)
    letters = lower + title + capitals
    kinds = np.zeros(count, np.int64)
    kinds[(letters >= 4) & (title + capitals <= 0.02 * letters)] = 1
    kinds[(letters >= 3) & (capitals >= 0.8 * letters)] = 2
    kinds[(letters >= 4) & (title >= 0.8 * letters)] = 3
    return np.asarray(kinds[line], np.int64)


def _seen(forms: Sequence[str], cases: NDArray[np.int32], gaps: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What the rest of the text says of a word: 1 it is written small elsewhere too, 2 with a capital in the midst of
    a line, 3 both.
    """
    small = {form for form, case in zip(forms, cases.tolist(), strict=True) if case == _LOWER}
    inside = np.flatnonzero((cases == _TITLE) & (gaps < 2))
    after_word = [at for at in inside.tolist() if at and cases[at - 1] == _LOWER]
    large = {forms[at].lower() for at in after_word}
    found = {form: (form.lower() in small) + 2 * (form.lower() in large) for form in set(forms)}
    return np.array([found[form] for form in forms], np.int64)
