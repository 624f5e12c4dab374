"""A corpus that is asked about nothing twice: the texts of one document, edit after edit, ask for nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from withhold.contracts import Archive, Remote

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from withhold.contracts import Corpus, Counts, Flags, Match, Unit, Wanted
    from withhold.types import Hit

Answer = TypeVar("Answer")

_FEW = 0.2
"""If no more than this share of a matrix is new, its pairs are counted one by one."""


class Asked:
    """Any corpus, with all answers kept."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._known: dict[Hashable, dict[Any, Any]] = {}
        self._pairs: dict[tuple[Unit, Wanted | None], Pairs] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.corpus!r})"

    def size(self, unit: Unit) -> int:
        (size,) = self._each(("size",), [unit], lambda units: [self.corpus.size(unit) for unit in units])
        return size

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        pairs = self._pairs.setdefault((unit, given), Pairs())
        return pairs.counts(self.corpus, terms, unit, given)

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        keys = [tuple(each) for each in term_sets]
        found = self._each(("count", unit), keys, lambda new: self.corpus.count_all(new, unit).tolist())
        return np.array(found, np.int64)

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        keys = [tuple(each) for each in term_sets]
        about = ("tells", topic, depth, match)
        found = self._each(about, keys, lambda new: self.corpus.tells(new, topic, depth, match).tolist())
        return np.array(found, np.bool_)

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        keys = [tuple(each) for each in term_sets]
        return self._each(("holding", k), keys, lambda new: self.corpus.holding(new, k))

    def search(self, query: str, k: int) -> list[Hit]:
        (hits,) = self._each(("search", k), [query], lambda queries: [self.corpus.search(each, k) for each in queries])
        return list(hits)

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        return self._each(("contains",), list(sentences), self.corpus.contains)

    def _each(self, about: Hashable, keys: Sequence[Any], ask: Callable[[list[Any]], Sequence[Answer]]) -> list[Answer]:
        """The answer for each key; the corpus is asked about those that are new, all at once."""
        known: dict[Any, Answer] = self._known.setdefault(about, {})
        new = [key for key in dict.fromkeys(keys) if key not in known]
        if new:
            known.update(zip(new, ask(new), strict=True))
        return [known[key] for key in keys]


class AskedRemote(Asked):
    """A corpus that others hold."""

    corpus: Remote

    def statement(self) -> str:
        return self.corpus.statement()

    def fresh(self) -> AskedRemote:
        return AskedRemote(self.corpus.fresh())

    def notes(self) -> tuple[str, ...]:
        return self.corpus.notes()


class AskedArchive(Asked):
    """A corpus that is at hand."""

    corpus: Archive

    def names(self) -> Sequence[str]:
        return self.corpus.names()

    def titles(self) -> Sequence[str]:
        return self.corpus.titles()

    def lengths(self) -> Counts:
        return self.corpus.lengths()

    def bounds(self) -> Counts:
        return self.corpus.bounds()

    def text(self, document: str) -> str:
        return self.corpus.text(document)

    def occurrences(self, terms: Sequence[Wanted], unit: Unit) -> csc_matrix:
        """Assembled from columns that are known."""
        from scipy.sparse import csc_matrix

        columns = self._each(("often", unit), list(terms), lambda new: _columns(self.corpus.occurrences(new, unit)))
        ends = np.concatenate([[0], np.cumsum([len(places) for places, _ in columns])])
        places = np.concatenate([np.empty(0, np.int32), *(places for places, _ in columns)])
        times = np.concatenate([np.empty(0, np.int64), *(times for _, times in columns)])
        return csc_matrix((times, places, ends), shape=(self._rows(unit), len(terms)))

    def _rows(self, unit: Unit) -> int:
        (rows,) = self._each(
            ("rows",), [unit], lambda new: [self.corpus.occurrences([], each).shape[0] for each in new]
        )
        return rows

    def copies(self, text: str) -> list[str]:
        (found,) = self._each(("copies",), [text], lambda texts: [self.corpus.copies(each) for each in texts])
        return list(found)

    def without(self, documents: Collection[str]) -> AskedArchive:
        key = tuple(sorted(documents))
        (found,) = self._each(
            ("without",),
            [key],
            lambda keys: [AskedArchive(self.corpus.without(each)) if each else self for each in keys],
        )
        return found


def remembering(corpus: Corpus) -> Asked:
    """The corpus, with what it has answered kept."""
    if isinstance(corpus, Archive):
        return AskedArchive(corpus)
    return AskedRemote(corpus) if isinstance(corpus, Remote) else Asked(corpus)


class Pairs:
    """Counts of pairs of terms: a square that grows with the terms that are asked for."""

    def __init__(self) -> None:
        self._numbers: dict[Wanted, int] = {}
        self._counts: Counts = np.full((0, 0), -1, np.int64)

    def counts(self, corpus: Corpus, terms: Sequence[Wanted], unit: Unit, given: Wanted | None) -> Counts:
        """The counts of all pairs of these terms; the corpus is asked for what is not known."""
        at = np.array([self._numbers.setdefault(term, len(self._numbers)) for term in terms], np.int64)
        self._grow(len(self._numbers))
        grid = np.ix_(at, at)
        missing = np.argwhere(np.triu(self._counts[grid] < 0))
        if len(missing) > _FEW * len(terms) ** 2 / 2:
            self._counts[grid] = corpus.count_matrix(terms, unit, given)
        elif len(missing):
            more = () if given is None else (given,)
            sets = [(*dict.fromkeys((terms[one], terms[other])), *more) for one, other in missing.tolist()]
            found = corpus.count_all(sets, unit)
            one, other = at[missing[:, 0]], at[missing[:, 1]]
            self._counts[one, other] = self._counts[other, one] = found
        return self._counts[grid]

    def _grow(self, size: int) -> None:
        if size > len(self._counts):
            larger = np.full((max(size, 2 * len(self._counts)),) * 2, -1, np.int64)
            larger[: len(self._counts), : len(self._counts)] = self._counts
            self._counts = larger


def _columns(matrix: csc_matrix) -> list[tuple[Any, Any]]:
    return [
        (matrix.indices[start:end], matrix.data[start:end])
        for start, end in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True)
    ]
