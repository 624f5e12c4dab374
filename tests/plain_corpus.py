"""A corpus held in memory and counted in the plainest way: what the others are compared with."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csc_matrix

from withhold.learners.features import words
from withhold.types import Hit

if TYPE_CHECKING:
    from withhold.contracts import Counts, Flags, Match, Unit, Wanted


class PlainCorpus:
    """Documents as (name, title, text); paragraphs are separated by blank lines, or by line ends if there are none."""

    def __init__(self, documents: Sequence[tuple[str, str, str]], *, k1: float = 1.2, b: float = 0.75) -> None:
        self.documents = list(documents)
        self.k1, self.b = k1, b
        self._gone: set[str] = set()
        self._paragraphs = [_paragraphs(text) for _, _, text in documents]

    def names(self) -> list[str]:
        return [name for name, _, _ in self.documents]

    def titles(self) -> list[str]:
        return [title for _, title, _ in self.documents]

    def lengths(self) -> Counts:
        return np.array([sum(map(len, parts)) for parts in self._paragraphs], np.int64)

    def bounds(self) -> Counts:
        return np.cumsum([0, *map(len, self._paragraphs)])

    def text(self, document: str) -> str:
        return next(text for name, _, text in self.documents if name == document)

    def without(self, documents: Collection[str]) -> PlainCorpus:
        other = PlainCorpus(self.documents, k1=self.k1, b=self.b)
        other._gone = self._gone | set(documents)
        return other

    def copies(self, text: str) -> list[str]:
        runs = set().union(*map(_runs, _paragraphs(text)))
        return [
            hit
            for hit, parts in zip(self.names(), self._paragraphs, strict=True)
            if hit not in self._gone and runs and len(runs & set().union(*map(_runs, parts))) >= 0.3 * len(runs)
        ]

    def size(self, unit: Unit) -> int:
        return len(self._units(unit, present=True))

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        more = () if given is None else (given,)
        return np.array([[self._count((one, other, *more), unit) for other in terms] for one in terms], np.int64)

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        return np.array([self._count(each, unit) for each in term_sets], np.int64)

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        held = self.occurrences([topic], "document").toarray()[:, 0] > 0
        return np.array([held[self._best(each, depth, match)].any() for each in term_sets], bool)

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        names = self.names()
        return [tuple(names[number] for number in self._best(each, k, "all")) for each in term_sets]

    def search(self, query: str, k: int) -> list[Hit]:
        best = self._best(sorted(set(words(query))), k, "any")
        return [Hit(*self.documents[number]) for number in best]

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        return [next((Hit(*self.documents[n]) for n in self._best([each], 1, "all")), None) for each in sentences]

    def occurrences(self, terms: Sequence[Wanted], unit: Unit) -> csc_matrix:
        rows = [[_held(parts, term) for term in terms] for parts in self._units(unit)]
        return csc_matrix(np.array(rows, np.int64).reshape(len(rows), len(terms)))

    def _units(self, unit: Unit, *, present: bool = False) -> list[list[list[str]]]:
        """Each unit as its paragraphs; those that are left out are empty, or not there if only the `present` count."""
        found: list[list[list[str]]] = []
        for name, parts in zip(self.names(), self._paragraphs, strict=True):
            if name in self._gone:
                found += [] if present else ([[]] if unit == "document" else [[] for _ in parts])
            else:
                found += [parts] if unit == "document" else [[part] for part in parts]
        return found

    def _count(self, terms: Sequence[Wanted], unit: Unit) -> int:
        return sum(all(_held(parts, term) for term in terms) for parts in self._units(unit, present=True))

    def _best(self, terms: Sequence[Wanted], k: int, match: Match) -> list[int]:
        if not terms:
            return []
        held = self.occurrences(terms, "document").toarray()
        size, lengths = self.size("document"), self.lengths()
        mean = lengths[[name not in self._gone for name in self.names()]].sum() / max(size, 1) or 1.0
        met = (held > 0).sum(axis=0)
        weight = np.array([math.log(1 + (size - n + 0.5) / (n + 0.5)) for n in met])
        norm = self.k1 * (1 - self.b + self.b * lengths / mean)
        scores = (weight * held * (self.k1 + 1) / (held + norm[:, None])).sum(axis=1)
        fits = (held > 0).all(axis=1) if match == "all" else (held > 0).any(axis=1)
        order = sorted(np.flatnonzero(fits).tolist(), key=lambda number: (-scores[number], number))
        return order[:k]


def _held(paragraphs: Sequence[Sequence[str]], term: Wanted) -> int:
    """How often; a term without words is nowhere, and of several that read the same only one counts."""
    phrases = {tuple(words(each)) for each in ((term,) if isinstance(term, str) else term)} - {()}
    return sum(
        phrase == tuple(part[at : at + len(phrase)])
        for phrase in phrases
        for part in paragraphs
        for at in range(len(part) - len(phrase) + 1)
    )


def _paragraphs(text: str) -> list[list[str]]:
    """Blank lines separate, or else line ends that were not made for want of room."""
    blocks = re.split(r"\n\s*\n", text.strip())
    if len(blocks) == 1:
        width = max(map(len, text.strip().split("\n")))

        def rejoin(match: re.Match[str]) -> str:
            room = width - len(match[1].rstrip())
            return f"{match[1]}\n" if 40 <= width <= 100 and match[2] and len(match[2]) >= room else f"{match[1]}\0"

        blocks = re.sub(r"([^\n]*)\n(?=(\S*))", rejoin, text.strip()).split("\0")
    return [words(part) for part in blocks if words(part)] or [[]]


def _runs(read: Sequence[str]) -> set[tuple[str, ...]]:
    return set(Counter(zip(*(read[start:] for start in range(6)), strict=False)))
