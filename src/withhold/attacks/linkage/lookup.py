"""Scoring people by the words of a text: an attacker who has documents about many people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.embeddings import dimensions, embed
from withhold.learners.features import words
from withhold.spans import Span, complement
from withhold.text import marks

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from withhold.contracts import Archive

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

_BLOCK = 2000
_NOTHING = 1e-9
_NOTED = re.compile(r"\s*\([^()]*\)")


def left(text: str, mark: str) -> list[str]:
    """What is left of a redacted text, in stretches between marks, which a reader passes over."""
    gone = marks(mark, text)
    return [part for span in complement(gone, Span(0, len(text))) if (part := span.of(text)).strip()]


def rank_of(scores: Reals, true: Sequence[int]) -> int:
    """The rank, from 1, of the best of these: before all who are equal, or behind them if nothing speaks for anyone of
    these, or for all alike.
    """
    best = float(scores[list(true)].max())
    if best <= _NOTHING or np.ptp(scores) <= _NOTHING:
        return int(np.count_nonzero(scores >= best - _NOTHING))
    return 1 + int(np.count_nonzero(scores > best + _NOTHING))


@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """Who each document is about, -1 if the attacker does not have it. One title is one person."""

    corpus: Archive
    owners: Integers
    keys: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Archive, gone: Collection[str] = (), only: Sequence[bool] | None = None) -> Candidates:
        """Everybody in the corpus without what is `gone`, or with `only` some of its documents."""
        titles, names, missing = corpus.titles(), corpus.names(), set(gone)
        numbers: dict[str, int] = {}
        owners = np.full(len(titles), -1, np.int64)
        for at, (name, title) in enumerate(zip(names, titles, strict=True)):
            if name not in missing and (only is None or only[at]):
                owners[at] = numbers.setdefault(title or f"\0{name}", len(numbers))
        return cls(corpus, owners, tuple(key(title) for title in numbers))

    @property
    def count(self) -> int:
        return len(self.keys)

    def named(self, names: Sequence[str]) -> list[int]:
        """Those who have one of the names, whatever stands in brackets behind it."""
        wanted = {key(name) for name in names} - {""}
        return [number for number, each in enumerate(self.keys) if each in wanted]

    @cached_property
    def about(self) -> csr_matrix[np.float64]:
        """One row for each person, a one for each of their documents."""
        from scipy.sparse import csr_matrix

        there = np.flatnonzero(self.owners >= 0)
        return csr_matrix((np.ones(len(there)), (self.owners[there], there)), shape=(self.count, len(self.owners)))

    @cached_property
    def lengths(self) -> Reals:
        return np.asarray(self.about @ self.corpus.lengths(), np.float64)


def key(name: str) -> str:
    """A name or title in folded words, without what stands in brackets to tell it from others."""
    return " ".join(words(_NOTED.sub("", name)) or words(name))


@dataclass(frozen=True, eq=False, repr=False)
class Asked:
    """What an attacker asks for: terms of a text, how often each, and how often each candidate's documents have it."""

    candidates: Candidates
    counts: Reals
    times: csr_matrix[np.float64]

    @classmethod
    def of(cls, candidates: Candidates, parts: Sequence[str], *, pairs: bool = False) -> Asked:
        """All words of a text, given in stretches, or all pairs of neighbours in it."""
        wanted = terms(parts, pairs=pairs)
        times = candidates.about @ candidates.corpus.occurrences(list(wanted), "document")
        return cls(candidates, np.array(list(wanted.values()), np.float64), times.tocsr())

    def asking(self, counts: Reals) -> Asked:
        """The same terms, asked for so often."""
        return Asked(self.candidates, counts, self.times)

    def matched(self, k1: float, b: float) -> Reals:
        """What each candidate scores by BM25."""
        lengths, times = self.candidates.lengths, self.times
        known = max(int(np.count_nonzero(lengths > 0)), 1)
        met = np.bincount(times.indices, minlength=times.shape[1])
        weight = np.log1p((known - met + 0.5) / (met + 0.5))
        mean = lengths.sum() / known or 1.0
        norm = np.repeat(k1 * (1.0 - b + b * lengths / mean), np.diff(times.indptr))
        parts = times.copy()
        parts.data = times.data * (k1 + 1.0) / (times.data + norm) * weight[times.indices]
        return np.asarray(parts @ self.counts, np.float64)


def terms(parts: Sequence[str], *, pairs: bool = False) -> Mapping[str, int]:
    """The words of a text, or its pairs of neighbours, and how often it has each."""
    read = [words(part) for part in parts]
    if pairs:
        return Counter(f"{one} {other}" for each in read for one, other in pairwise(each))
    return Counter(word for each in read for word in each)


class Meaning:
    """What the documents of a corpus mean, each as a direction; found out once."""

    def __init__(self, corpus: Archive) -> None:
        self.corpus = corpus

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """As long as the document has words, so that directions can be added up."""
        names = list(self.corpus.names())
        blocks = [
            embed([self.corpus.text(name) for name in names[start : start + _BLOCK]])
            for start in range(0, len(names), _BLOCK)
        ]
        units = np.concatenate([np.zeros((0, dimensions()), np.float32), *blocks])
        return (units * self.corpus.lengths()[:, None]).astype(np.float32)

    def scores(self, candidates: Candidates, text: str, *, centred: bool = False) -> Reals:
        """How near each candidate's documents are to a text; `centred`, to what sets it apart from all of them."""
        return nearness(self.profiles(candidates), embed([text])[0].astype(np.float64), centred=centred)

    def profiles(self, candidates: Candidates) -> Reals:
        """A direction for each candidate."""
        return _unit(np.asarray(candidates.about @ self.vectors, np.float64))


def nearness(profiles: Reals, query: Reals, *, centred: bool = False) -> Reals:
    if centred:
        middle = profiles.mean(axis=0)
        profiles, query = _unit(profiles - middle), query - middle
    scores: Reals = profiles @ query
    return scores


def _unit(vectors: Reals) -> Reals:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Reals = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
