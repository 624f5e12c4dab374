"""The corpus on this machine, as it is asked."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from pyroaring import BitMap

from withhold.corpora.index.cutting import ends, paragraphs
from withhold.corpora.index.holdings import Holdings, Key, array, key
from withhold.corpora.index.snippets import snippet
from withhold.errors import CorpusError
from withhold.learners.features import words
from withhold.types import Hit

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csc_matrix

    from withhold.contracts import Counts, Flags, Match, Unit, Wanted
    from withhold.policy import Policy

    Array = NDArray[Any]

K1, B = 1.2, 0.75
"""The usual constants of BM25."""

RUN = 6
"""Texts are compared by runs of so many words."""

COPIED = 0.3
"""A document that holds so large a share of a text's runs is a copy of it."""

_SAMPLE = 5_000
"""Of so many runs at least copies are looked for; those that hold half as many as a copy would are then compared."""


class Index:
    """The index in a folder, as it was when it was opened, which is when it is first asked. May be asked by several
    threads at once.

    Documents are ranked by BM25, where the frequency of a phrase or of a tuple of terms is how often any of it stands
    in a document; of equal documents the first is the better one.
    """

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._lock = threading.Lock()
        self._opened: Holdings | None = None
        self._left_out = BitMap()
        self._keys: dict[Wanted, Key] = {}
        self._absent: dict[Unit, BitMap] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.resolve(policy.corpus.index) if policy.corpus.index else None)

    def __repr__(self) -> str:
        return f"Index({str(self.folder)!r})"

    @property
    def holdings(self) -> Holdings:
        """The files of the index.

        Raises:
            CorpusError: if there is none, or it is damaged.
        """
        with self._lock:
            if self._opened is None:
                if self.folder is None:
                    raise CorpusError(
                        "there is no corpus: make one with `withhold corpus build`, and name its folder "
                        "as `index` in the table [corpus] of the policy"
                    )
                self._opened = Holdings(self.folder)
            return self._opened

    # What there is

    def names(self) -> Sequence[str]:
        return self.holdings.names

    def titles(self) -> Sequence[str]:
        return self.holdings.titles

    def lengths(self) -> Counts:
        return self.holdings.lengths[self.holdings.documents]

    def bounds(self) -> Counts:
        return ends(self.holdings.paragraph_counts[self.holdings.documents].tolist())

    def size(self, unit: Unit) -> int:
        if unit == "document":
            return len(self.holdings.documents) - len(self._left_out)
        total = sum(part.paragraphs for part in self.holdings.manifest.parts)
        return total - len(self._gone("paragraph"))

    def verify(self) -> None:
        """Compare all files with their checksums. When asked, only what is read is compared.

        Raises:
            CorpusError: if any is damaged.
        """
        for shard in self.holdings.shards:
            shard.verify()

    def text(self, document: str) -> str:
        """All of a document.

        Raises:
            CorpusError: if there is no document of this name.
        """
        (place,) = self.holdings.places([document])
        if place is None:
            raise CorpusError("the corpus has no document of that name")
        return self._text(place)

    def without(self, documents: Collection[str]) -> Self:
        places = self.holdings.places(list(documents))
        other = type(self)(self.folder)
        other._opened, other._keys = self.holdings, self._keys
        other._left_out = self._left_out | BitMap([place for place in places if place is not None])
        return other

    # How often

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        self.holdings.prepare([self._key(term) for term in terms], unit)
        held = [self._held(term, unit) for term in terms]
        if given is not None:
            condition = self._held(given, unit)
            held = [each & condition for each in held]
        counts = np.zeros((len(held), len(held)), np.int64)
        for row, one in enumerate(held):
            common = one.intersection_cardinality
            counts[row, row:] = [common(other) for other in held[row:]]
        return np.maximum(counts, counts.T)

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        terms = set(chain.from_iterable(term_sets))
        self.holdings.prepare([self._key(term) for term in terms], unit)
        held = {term: self._held(term, unit) for term in terms}
        return np.array([self._count([held[term] for term in each], unit) for each in term_sets], np.int64)

    def _count(self, held: Sequence[BitMap], unit: Unit) -> int:
        if not held:
            return self.size(unit)
        if len(held) == 1:
            return len(held[0])
        if len(held) == 2:
            return int(held[0].intersection_cardinality(held[1]))
        first, *rest, last = sorted(held, key=len)
        for each in rest:
            first = first & each
        return int(first.intersection_cardinality(last))

    def occurrences(self, terms: Sequence[Wanted], unit: Unit) -> csc_matrix:
        from scipy.sparse import csc_matrix

        found = [self._often(term, unit) for term in terms]
        rows = self.holdings.rows[unit]
        count = len(self.holdings.documents) if unit == "document" else int(self.bounds()[-1])
        indices = np.concatenate([np.empty(0, np.int64), *(rows[places] for places, _ in found)])
        data = np.concatenate([np.empty(0, np.int64), *(times for _, times in found)])
        return csc_matrix((data, indices, ends(len(places) for places, _ in found)), shape=(count, len(terms)))

    def _key(self, term: Wanted) -> Key:
        if term not in self._keys:
            if len(self._keys) > 100_000:
                self._keys.clear()
            self._keys[term] = key(term)
        return self._keys[term]

    def _gone(self, unit: Unit) -> BitMap:
        """What is deleted or left out, by place."""
        if unit not in self._absent:
            gone = self.holdings.gone | self._left_out
            self._absent[unit] = gone if unit == "document" else self.holdings.paragraphs_of(gone)
        return self._absent[unit]

    def _held(self, term: Wanted, unit: Unit) -> BitMap:
        found, gone = self.holdings.held(self._key(term), unit), self._gone(unit)
        return found - gone if gone else found

    def _often(self, term: Wanted, unit: Unit) -> tuple[Array, Array]:
        places, times = self.holdings.often(self._key(term), unit)
        gone = self._gone(unit)
        if gone:
            there = ~np.isin(places, array(gone))
            return places[there], times[there]
        return places, times

    # The best

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        found, _ = self._best(term_sets, depth, match)
        told = np.zeros(self.holdings.space("document") + 1, bool)
        told[array(self._held(topic, "document"))] = True
        return np.asarray(told[found].any(axis=1), bool)

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        found, _ = self._best(term_sets, k, "all")
        return [tuple(self._name(place) for place in row if place >= 0) for row in found.tolist()]

    def search(self, query: str, k: int) -> list[Hit]:
        wanted = sorted(set(words(query)))
        found, scores = self._best([wanted], k, "any")
        pairs = zip(found[0].tolist(), scores[0].tolist(), strict=True)
        return [self._hit(place, set(wanted), score) for place, score in pairs if place >= 0]

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        found, scores = self._best([[each] for each in sentences], 1, "all")
        return [
            self._hit(place, set(words(sentence)), score) if place >= 0 else None
            for sentence, place, score in zip(sentences, found[:, 0].tolist(), scores[:, 0].tolist(), strict=True)
        ]

    def copies(self, text: str) -> list[str]:
        """The documents that hold at least 30 % of the runs of six words that the text has, in the order of their
        numbers. Runs end with their paragraph.
        """
        runs = _runs(text)
        some = sorted(runs)[:: 1 + len(runs) // _SAMPLE]
        enough = COPIED * len(some) * (1 if len(some) == len(runs) else 0.5)
        shares = np.zeros(self.holdings.space("document"), np.int64)
        for candidates in self.holdings.all_together(some):
            if candidates:
                shares[np.unique(self.holdings.owners[array(candidates)])] += 1
        near = np.flatnonzero((shares > 0) & (shares >= enough))
        there = [place for place in near.tolist() if place not in self._gone("document")]
        return [self._name(each) for each in there if len(runs & _runs(self._text(each))) >= COPIED * len(runs)]

    def _best(self, term_sets: Sequence[Sequence[Wanted]], depth: int, match: Match) -> tuple[Array, Array]:
        """For each set the places of the best documents, filled up with -1, and their scores."""
        from withhold.corpora.index.ranking import best_of_all, best_of_any

        if depth < 1:
            return np.empty((len(term_sets), 0), np.int32), np.empty((len(term_sets), 0))
        terms = {term: number for number, term in enumerate(dict.fromkeys(chain.from_iterable(term_sets)))}
        lists = [self._often(term, "document") for term in terms]
        starts = ends(len(places) for places, _ in lists)
        documents = np.concatenate([np.empty(0, np.int32), *(places for places, _ in lists)]).astype(np.int32)
        parts = np.concatenate([np.empty(0), *self._parts(lists)])
        set_starts = ends(map(len, term_sets))
        numbers = map(terms.__getitem__, chain.from_iterable(term_sets))
        set_terms = np.fromiter(numbers, np.int32, int(set_starts[-1]))
        size = self.holdings.space("document")
        order = _grouped(np.diff(starts), set_starts, set_terms)
        best = best_of_all if match == "all" else best_of_any
        return best(starts, documents, parts, set_starts, set_terms, order, size, depth)

    def _parts(self, lists: Sequence[tuple[Array, Array]]) -> list[Array]:
        """What each term adds to the score of each document that holds it."""
        size = self.size("document")
        there = self.holdings.lengths[self.holdings.documents]
        left_out = self.holdings.lengths[array(self._left_out)]
        mean = (int(there.sum()) - int(left_out.sum())) / max(size, 1) or 1.0
        parts = []
        for places, times in lists:
            weight = math.log(1 + (size - len(places) + 0.5) / (len(places) + 0.5))
            norm = K1 * (1 - B + B * self.holdings.lengths[places] / mean)
            parts.append(weight * times * (K1 + 1) / (times + norm))
        return parts

    def _name(self, place: int) -> str:
        shard, _, number = self.holdings.locate(place)
        return self.holdings.shards[shard].string("names", number)

    def _text(self, place: int) -> str:
        shard, _, number = self.holdings.locate(place)
        return self.holdings.shards[shard].text(number)

    def _hit(self, place: int, wanted: Collection[str], score: float) -> Hit:
        shard, _, number = self.holdings.locate(place)
        title = self.holdings.shards[shard].string("titles", number)
        return Hit(self._name(place), title, snippet(self._text(place), wanted), score)


def _grouped(lengths: Array, set_starts: Array, set_terms: Array) -> Array:
    """The sets in an order in which those with the same most frequent term are next to each other."""
    if not len(set_terms):
        return np.arange(len(set_starts) - 1)
    ranks = np.argsort(np.argsort(lengths, kind="stable"))[set_terms]
    filled = np.diff(set_starts) > 0
    most = np.zeros(len(filled), np.int64)
    most[filled] = np.maximum.reduceat(ranks, set_starts[:-1][filled])
    return np.argsort(most, kind="stable")


def _runs(text: str) -> set[tuple[str, ...]]:
    """All runs of six words, none across paragraphs."""
    read = paragraphs(text)
    return {run for each in read for run in zip(*(each[start:] for start in range(RUN)), strict=False)}
