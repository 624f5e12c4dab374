"""What a corpus says about words and classes, counted once: streaming, bounded, mergeable, updatable.

Documents carry attributes (`client`, `sector`), each with any number of values, its classes. For every attribute it is
counted in how many documents of each class each word stands, and how often. Of each document only a fingerprint is
kept besides, so that the counts of one that was learnt can be taken out again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from withhold.learners import pairs
from withhold.learners.features import Features, digest, is_feature, words
from withhold.learners.pairs import Matrix, Pairs, Whole

Labels = Mapping[str, Sequence[str]]
"""The values that a document has of each attribute."""

MAX_PAIRS = 20_000_000

_PAIRS_PER_WORD = 4
"""A word takes as much memory as so many pairs."""


class Numbering(defaultdict[str, int]):
    """Strings, numbered in the order in which they are first asked for."""

    def __init__(self, strings: Sequence[str] = ()) -> None:
        super().__init__(None, zip(strings, range(len(strings)), strict=True))
        self.default_factory = self.__len__

    def __reduce__(self) -> tuple[type[Numbering], tuple[list[str]]]:
        return Numbering, (list(self),)

    def numbers(self, strings: Sequence[str]) -> Whole:
        return np.fromiter(map(self.__getitem__, strings), np.int64, len(strings))


@dataclass(slots=True, repr=False)
class Fingerprints:
    """Which documents were learnt, as which class: two arrays, in order once `sort` was called."""

    marks: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    classes: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    waiting: list[tuple[NDArray[np.uint64], NDArray[np.int32]]] = field(default_factory=list)

    def add(self, marks: NDArray[np.uint64], classes: NDArray[np.int32]) -> None:
        self.waiting.append((marks, classes))

    def sort(self) -> None:
        if self.waiting:
            marks = np.concatenate([self.marks, *(marks for marks, _ in self.waiting)])
            classes = np.concatenate([self.classes, *(classes for _, classes in self.waiting)])
            order = np.lexsort((classes, marks))
            self.marks, self.classes, self.waiting = marks[order], classes[order], []

    def find(self, mark: int) -> NDArray[np.int32]:
        """The class of every copy of a document."""
        self.sort()
        first, end = (np.searchsorted(self.marks, np.uint64(mark), side) for side in ("left", "right"))
        return self.classes[first:end]

    def repeated(self) -> int:
        """How many documents are a copy of another one of the same class."""
        self.sort()
        same = (self.marks[1:] == self.marks[:-1]) & (self.classes[1:] == self.classes[:-1])
        return int(np.count_nonzero(same))


@dataclass(slots=True, repr=False)
class Attribute:
    """What is known of one attribute."""

    classes: Numbering = field(default_factory=Numbering)
    documents: Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    pairs: Pairs = field(default_factory=Pairs)
    fingerprints: Fingerprints = field(default_factory=Fingerprints)

    def count(self, classes: Sequence[str], documents: Whole) -> Whole:
        """Add documents of these classes; the numbers that the classes have here."""
        numbers = self.classes.numbers(classes)
        grown = np.zeros(len(self.classes), np.int64)
        grown[: len(self.documents)] = self.documents
        grown[numbers] += documents
        self.documents = grown
        return numbers


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """Documents of which the words have been read, once for all that is done with them."""

    texts: Sequence[str]
    labels: Sequence[Labels]
    words: Sequence[Sequence[str]]
    marks: NDArray[np.uint64]

    @classmethod
    def of(cls, texts: Sequence[str], labels: Sequence[Labels]) -> Reading:
        read = [words(text) for text in texts]
        return cls(texts, labels, read, np.fromiter(map(digest, read), np.uint64, len(read)))

    def where(self, chosen: NDArray[np.bool_]) -> Reading:
        texts, labels = list(compress(self.texts, chosen)), list(compress(self.labels, chosen))
        return Reading(texts, labels, list(compress(self.words, chosen)), self.marks[chosen])


class Statistics:
    """Counts of words by the classes of several attributes, over a stream of documents of any length.

    Memory is bounded by `max_pairs` entries (some 12 bytes each, twice that while they are merged) and 12 bytes per
    document and attribute: when there are more, the rarest words are forgotten. `lost` says how many occurrences any
    word can have lost that way; 0 means that every count is exact.
    """

    def __init__(self, features: Features | None = None, max_pairs: int = MAX_PAIRS) -> None:
        self.features = features or Features()
        self.max_pairs = max_pairs
        self.documents = 0
        self.lost = 0
        self.attributes: dict[str, Attribute] = {}
        self._words = Numbering()

    def __repr__(self) -> str:
        return f"Statistics(documents={self.documents}, words={len(self._words)}, attributes={len(self.attributes)})"

    @property
    def words(self) -> list[str]:
        """Every word, in the order of the rows of `counts`."""
        return list(self._words)

    def counts(self, attribute: str) -> Matrix:
        """Words by classes; see `pairs.occurrences` and `pairs.documents` for what an entry holds."""
        held = self.attributes[attribute]
        return held.pairs.whole(len(self._words), len(held.classes))

    def add(self, texts: Sequence[str], labels: Sequence[Labels]) -> None:
        """Learn documents, each with its values of every attribute."""
        self.learn(Reading.of(texts, labels))

    def learn(self, reading: Reading) -> None:
        """Learn documents whose words have been read already."""
        batch = Statistics(self.features, self.max_pairs)
        batch._learn(reading)
        self.merge(batch)

    def merge(self, other: Statistics) -> None:
        """Learn all that another one has learnt, which must count the same features."""
        if other.features != self.features:
            raise ValueError("statistics of different features cannot be merged")
        rows = self._words.numbers(other.words)
        self.documents += other.documents
        self.lost += other.lost
        for name, theirs in other.attributes.items():
            ours = self.attributes.setdefault(name, Attribute())
            columns = ours.count(list(theirs.classes), theirs.documents)
            shape = (len(self._words), len(ours.classes))
            ours.pairs.add(pairs.place(other.counts(name), rows, columns, shape))
            theirs.fingerprints.sort()
            ours.fingerprints.add(theirs.fingerprints.marks, columns.astype(np.int32)[theirs.fingerprints.classes])
        self._bound()

    def number(self, words: Sequence[str]) -> None:
        """Start with these words, of which none is known yet."""
        self._words = Numbering(words)

    def arrange(self, order: Whole) -> None:
        """Keep the words with these numbers, in this order."""
        held = {name: self.counts(name)[order] for name in self.attributes}
        listed = self.words
        self._words = Numbering([listed[number] for number in order])
        for name, counts in held.items():
            self.attributes[name].pairs = Pairs(counts)

    def totals(self) -> Whole:
        """How often each word stands in all documents that have some attribute, the most of any attribute."""
        most = np.zeros(len(self._words), np.int64)
        for name in self.attributes:
            counts = self.counts(name)
            np.maximum(most, pairs.sums(pairs.occurrences(counts), counts), out=most)
        return most

    def _learn(self, reading: Reading) -> None:
        self.documents, labels = len(reading.texts), reading.labels
        simple = self.features.ngrams == 1
        by_word = self._number(reading.words if simple else list(map(self.features.candidates, reading.texts)))
        for name in dict.fromkeys(chain.from_iterable(labels)):
            values = [tuple(dict.fromkeys(each.get(name, ()))) for each in labels]
            ends = np.concatenate(([0], np.cumsum(np.fromiter(map(len, values), np.int64, len(values)))))
            attribute = Attribute()
            classes = attribute.classes.numbers(list(chain.from_iterable(values)))
            attribute.documents = np.bincount(classes, minlength=len(attribute.classes))
            shape = (len(values), len(attribute.classes))
            table = csr_matrix((np.ones(len(classes), np.int64), classes, ends), shape=shape)
            attribute.pairs.add(pairs.count(by_word, table, self.features.binary))
            attribute.fingerprints.add(np.repeat(reading.marks, np.diff(ends)), classes.astype(np.int32))
            self.attributes[name] = attribute

    def _number(self, candidates: Sequence[Sequence[str]]) -> Matrix:
        """Number the features among the candidates; the document of every occurrence of each of them."""
        numbering = Numbering()
        ends = np.concatenate(([0], np.cumsum(np.fromiter(map(len, candidates), np.int64, len(candidates)))))
        lookups = map(numbering.__getitem__, chain.from_iterable(candidates))
        numbers = np.fromiter(lookups, np.int64, ends[-1])
        telling = np.fromiter(map(is_feature, numbering), bool, len(numbering))
        self._words = Numbering([word for word in numbering if is_feature(word)])
        chosen = telling[numbers]
        kept = (np.cumsum(telling) - 1)[numbers[chosen]]
        starts = np.concatenate(([0], np.cumsum(chosen)))[ends]
        shape = (len(candidates), len(self._words))
        by_document = csr_matrix((np.ones(len(kept), np.int8), kept, starts), shape=shape)
        by_word: Matrix = by_document.tocsc().T
        return by_word

    def _bound(self) -> None:
        """Forget the rarest words when there is too much."""
        words_allowed = self.max_pairs // _PAIRS_PER_WORD
        if sum(held.pairs.held for held in self.attributes.values()) <= self.max_pairs and (
            len(self._words) <= words_allowed
        ):
            return
        sizes = np.zeros(len(self._words), np.int64)
        for name in self.attributes:
            sizes += np.diff(self.counts(name).indptr)
        if sizes.sum() <= self.max_pairs * 3 // 4 and len(sizes) <= words_allowed:
            return
        totals = self.totals()
        order = np.argsort(-totals, kind="stable")
        fits = np.cumsum(sizes[order]) <= self.max_pairs // 2
        fits[words_allowed // 2 :] = False
        highest = int(totals[order[np.count_nonzero(fits)]])
        self.lost += highest
        self.arrange(np.flatnonzero(totals > highest))
