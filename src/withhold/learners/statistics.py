"""What a corpus says about words and classes, counted once: streaming, bounded, mergeable, updatable.

Documents carry attributes (`client`, `sector`), each with any number of values, its classes. For every attribute it is
counted in how many documents of each class each word stands, and how often. Of each document only a fingerprint is
kept besides, so that the counts of one that was learnt can be taken out again.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    """A few documents, read once: their labels, fingerprints, and `numbers` that stand for `candidates` of features."""

    labels: Sequence[Labels]
    marks: NDArray[np.uint64]
    candidates: Sequence[str]
    numbers: Whole
    lengths: Whole

    @classmethod
    def of(cls, texts: Sequence[str], labels: Sequence[Labels], features: Features) -> Reading:
        numbering, marks, lengths = Numbering(), array("Q"), array("q")

        def read() -> Iterator[list[str]]:
            # Each text is done with before the next one, while its words are still in the cache of the processor.
            for text in texts:
                plain = words(text)
                marks.append(digest(plain))
                found = plain if features.ngrams == 1 else features.candidates(text)
                lengths.append(len(found))
                yield found

        numbers = np.fromiter(map(numbering.__getitem__, chain.from_iterable(read())), np.int64)
        return cls(labels, np.array(marks, np.uint64), list(numbering), numbers, np.array(lengths, np.int64))

    def where(self, chosen: NDArray[np.bool_]) -> Reading:
        labels, numbers = list(compress(self.labels, chosen)), self.numbers[np.repeat(chosen, self.lengths)]
        return Reading(labels, self.marks[chosen], self.candidates, numbers, self.lengths[chosen])

    def features(self) -> tuple[list[str], Matrix]:
        """The features among the candidates, and for each of them the document of each of its occurrences."""
        telling = np.fromiter(map(is_feature, self.candidates), bool, len(self.candidates))
        telling &= np.bincount(self.numbers, minlength=len(telling)) > 0
        listed = list(compress(self.candidates, telling))
        chosen = telling[self.numbers]
        kept = (np.cumsum(telling) - 1)[self.numbers[chosen]]
        starts = np.concatenate(([0], np.cumsum(chosen)))[ends(self.lengths)]
        shape = (len(self.lengths), len(listed))
        by_document = csr_matrix((np.ones(len(kept), np.int8), kept, starts), shape=shape)
        return listed, by_document.tocsc().T


def ends(lengths: Whole) -> Whole:
    """Where pieces of these lengths begin, one after the other, and where the last of them ends."""
    return np.concatenate(([0], np.cumsum(lengths)))


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
        self.merge(Statistics.of(Reading.of(texts, labels, self.features), self.features))

    @classmethod
    def of(cls, reading: Reading, features: Features) -> Statistics:
        """The counts of a few documents whose words have been read already."""
        statistics = cls(features)
        statistics._learn(reading)
        return statistics

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
        self.documents = len(reading.labels)
        listed, by_word = reading.features()
        self._words = Numbering(listed)
        for name in dict.fromkeys(chain.from_iterable(reading.labels)):
            values = [tuple(dict.fromkeys(each.get(name, ()))) for each in reading.labels]
            lengths = np.fromiter(map(len, values), np.int64, len(values))
            attribute = Attribute()
            classes = attribute.classes.numbers(list(chain.from_iterable(values)))
            attribute.documents = np.bincount(classes, minlength=len(attribute.classes))
            shape = (len(values), len(attribute.classes))
            table = csr_matrix((np.ones(len(classes), np.int64), classes, ends(lengths)), shape=shape)
            attribute.pairs.add(pairs.count(by_word, table, self.features.binary))
            attribute.fingerprints.add(np.repeat(reading.marks, lengths), classes.astype(np.int32))
            self.attributes[name] = attribute

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
