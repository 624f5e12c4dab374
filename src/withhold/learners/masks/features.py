"""What stands around a mask, as columns of a sparse matrix: words by their places, bags of them, phrases on both sides,
letters next to the mask, where it stands in its sentence, line and document, and what lies between it and the next.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from withhold.learners.masks.cases import MARK, Masked

COLUMNS = 1 << 18
"""Features are numbered by a checksum of theirs; a few share a number."""

Rows = csr_matrix[np.float32]
Singles = NDArray[np.float32]

_NEAR, _BAG, _FAR, _LETTERS, _SENTENCE = 5, 10, 12, 12, 60
_STOPS = frozenset(".;?!")


def rows(documents: Sequence[Masked]) -> Rows:
    """One row for each mask, document by document, with how often it has each feature."""
    lists = [crcs for document in documents for crcs in _numbered(document)]
    starts = np.fromiter(accumulate(map(len, lists), initial=0), np.int64, len(lists) + 1)
    columns = np.fromiter(chain.from_iterable(lists), np.int32, starts[-1])
    matrix = csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(lists), COLUMNS))
    matrix.sum_duplicates()
    return matrix


def _numbered(document: Masked) -> Iterator[list[int]]:
    for features in described(document):
        yield [crc32(each.encode("utf-8", "surrogatepass")) % COLUMNS for each in features]


def described(document: Masked) -> Iterator[list[str]]:
    """The features of each mask by name."""
    marks = set(document.marks)
    plain = [MARK if place in marks else token for place, token in enumerate(document.tokens)]
    lower = [_usual(token) for token in plain]
    sentences, lines = _sentences(document, lower), list(document.lines) or [0]
    places = sorted(marks)
    for place in document.masks:
        left, right = lower[max(0, place - _FAR) : place][::-1], lower[place + 1 : place + 1 + _FAR]
        yield [
            *_neighbours(left, right),
            *_written("<", plain[max(0, place - 2) : place][::-1]),
            *_written(">", plain[place + 1 : place + 3]),
            *_letters(left, right),
            *_sentence(lower, sentences, place),
            *_line(lower, lines, place),
            *_others(lower, places, place),
            f"whole={10 * place // len(lower)}",
            f"from={min(20, place // 10)}",
            *([] if document.tokens[place] == MARK else _length(len(document.tokens[place]))),
        ]


def _usual(token: str) -> str:
    """A word in small letters; of a number, how many figures it has."""
    return "0" * min(4, len(token)) if token.isdigit() else token.lower()


def _neighbours(left: list[str], right: list[str]) -> Iterator[str]:
    """Words by their distance, phrases on each side and across, and bags of words."""
    for place in range(_NEAR):
        yield f"<{place}={left[place] if place < len(left) else '^'}"
        yield f">{place}={right[place] if place < len(right) else '$'}"
    for length in (2, 3, 4):
        yield f"<<{length}={' '.join(left[:length])}"
        yield f">>{length}={' '.join(right[:length])}"
    for before, behind in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3)):
        yield f"<{before}>{behind}={' '.join(left[:before])}|{' '.join(right[:behind])}"
    for side, words in (("<", left), (">", right)):
        yield f"{side}skip={' '.join(words[1:3])}"
        yield f"{side}gap={' '.join(words[:1] + words[2:3])}"
        yield from (f"{side}bag={word}" for word in words[:_BAG])
    opened = left[:8].index("(") if "(" in left[:8] else -1
    yield "open" if opened >= 0 and ")" not in left[:opened] else "closed"


def _written(side: str, words: Sequence[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        small = word.lower()
        yield f"{side}{place}ends={small[-3:]}"
        yield f"{side}{place}begins={small[:4]}"
        yield f"{side}{place}form={_form(word)}"


def _form(word: str) -> str:
    if word.isalpha():
        return "all" if len(word) > 1 and word.isupper() else "first" if word[0].isupper() else "small"
    return "figures" if word[0].isdigit() else word


def _letters(left: list[str], right: list[str]) -> Iterator[str]:
    before, behind = " ".join(left[3::-1]) + " ", " " + " ".join(right[:4])
    for length in range(2, _LETTERS + 1):
        yield f"<letters={before[-length:]}"
        yield f">letters={behind[:length]}"


def _sentences(document: Masked, lower: Sequence[str]) -> list[int]:
    """Where sentences begin, and where the last one ends."""
    begins = {0, *document.lines, *(place + 1 for place, word in enumerate(lower) if word in _STOPS)}
    return [*sorted(each for each in begins if each < len(lower)), len(lower)]


def _sentence(lower: Sequence[str], sentences: Sequence[int], place: int) -> Iterator[str]:
    number = bisect_right(sentences, place) - 1
    start, end = max(sentences[number], place - _SENTENCE), min(sentences[number + 1], place + _SENTENCE)
    before, behind = lower[start:place], lower[place + 1 : end]
    yield f"begins={lower[start]}"
    yield f"begins2={' '.join(lower[start : start + 2])}"
    yield f"since={min(8, len(before))}"
    yield f"until={min(8, len(behind))}"
    yield f"before={min(6, before.count(_usual(MARK)))}"
    yield f"behind={min(6, behind.count(_usual(MARK)))}"
    yield from (f"<in={word}" for word in set(before))
    yield from (f">in={word}" for word in set(behind))


def _line(lower: Sequence[str], lines: Sequence[int], place: int) -> Iterator[str]:
    number = max(0, bisect_right(lines, place) - 1)
    start, end = lines[number], lines[number + 1] if number + 1 < len(lines) else len(lower)
    yield f"line={min(8, number)}"
    yield f"line begins={' '.join(lower[start : start + 2])}"
    yield f"line since={min(6, place - start)}"
    yield f"line until={min(6, end - place - 1)}"
    yield f"line has={min(8, (end - start) // 8)}"


def _others(lower: Sequence[str], places: Sequence[int], place: int) -> Iterator[str]:
    """What lies between this mark and those before and behind it."""
    number = bisect_right(places, place) - 1
    if number > 0:
        before = places[number - 1]
        yield f"<far={min(12, place - before)}"
        if place - before <= 6:
            yield f"<between={' '.join(lower[before + 1 : place])}"
            yield f"<beyond={' '.join(lower[max(0, before - 2) : place])}"
    if number + 1 < len(places):
        behind = places[number + 1]
        yield f">far={min(12, behind - place)}"
        if behind - place <= 6:
            yield f">between={' '.join(lower[place + 1 : behind])}"
            yield f">beyond={' '.join(lower[place + 1 : behind + 3])}"


def _length(length: int) -> Iterator[str]:
    """Of a mark that keeps the length of what it hides."""
    yield f"length={min(40, length)}"
    yield f"about={min(12, length // 4)}"


class Weighting:
    """Counts as directions: a logarithm of the count, times the rarity of the feature, in rows of unit length."""

    def __init__(self, rarity: Singles) -> None:
        self.rarity = rarity

    @classmethod
    def fit(cls, counts: Rows) -> Weighting:
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        return cls((np.log((1 + counts.shape[0]) / (1 + held)) + 1).astype(np.float32))

    def __call__(self, counts: Rows) -> Rows:
        values = (1 + np.log(counts.data)) * self.rarity[counts.indices]
        each = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        lengths = np.sqrt(np.bincount(each, values * values, counts.shape[0]))
        scaled = (values / np.maximum(lengths, 1e-12)[each]).astype(np.float32)
        return csr_matrix((scaled, counts.indices, counts.indptr), counts.shape)
