"""A fitted concept model: which class of each attribute a text is about, and what was learnt to know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from withhold.errors import NotFitted
from withhold.learners import pairs, storage
from withhold.learners.embeddings import Singles, of_words
from withhold.learners.features import Features, fingerprint
from withhold.learners.naive_bayes import NaiveBayes, mutual_information
from withhold.learners.pairs import Whole
from withhold.learners.statistics import Labels, Statistics

FOUND = "found"
"""The folder, inside that of a model, of what attackers found out about it."""


class Concepts:
    """Naive Bayes for every attribute, over words in the order of what they tell about the secret one.

    `limit` is how many of the words are in use; `None` for all that stand in the corpus more than once. `found` are the
    models of attackers who learnt from documents that were redacted with this one.
    """

    def __init__(
        self,
        statistics: Statistics,
        secret: str,
        *,
        aliases: Mapping[str, Sequence[str]] | None = None,
        limit: int | None = None,
    ) -> None:
        """A model of what has been counted, which must be left alone from now on; `learn` to add to it.

        Raises:
            NotFitted: if no document has the secret attribute.
        """
        if secret not in statistics.attributes or not len(statistics.attributes[secret].classes):
            raise NotFitted(f"no document says its {secret!r}; give documents that do")
        telling = _arrange(statistics, secret)
        self._set(statistics, secret, aliases or {}, telling, limit)

    def _set(
        self,
        statistics: Statistics,
        secret: str,
        aliases: Mapping[str, Sequence[str]],
        telling: int,
        limit: int | None,
    ) -> None:
        self.statistics = statistics
        self.secret = secret
        self.aliases = {name: tuple(others) for name, others in aliases.items()}
        self.limit = limit
        self._telling = telling
        size = telling if limit is None else min(limit, telling)
        self.words = statistics.words[:size]
        self.attributes = {name: _naive_bayes(statistics, name, size) for name in statistics.attributes}
        self._families: dict[tuple[str, str], tuple[int, ...]] = {}
        self._meanings: dict[str, Singles] = {}
        self.found: tuple[Concepts, ...] = ()

    def __repr__(self) -> str:
        return f"Concepts(words={len(self.words)}, attributes={len(self.attributes)})"

    @property
    def features(self) -> Features:
        return self.statistics.features

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The column of every word in use."""
        return dict(zip(self.words, range(len(self.words)), strict=True))

    def select(self, limit: int | None) -> Concepts:
        """The same model with the first `limit` words in use, or all; what was learnt is shared."""
        model = self._with(self.statistics, self.secret, self.aliases, self._telling, limit)
        model.found = self.found
        return model

    def columns(self, words: Sequence[str]) -> Whole:
        """The column of each word; -1 if it is not in use."""
        return np.fromiter((self.vocabulary.get(word, -1) for word in words), np.int64, len(words))

    def vectorise(self, texts: Sequence[str]) -> csr_matrix[np.float64]:
        """How often each text has each word in use."""
        return self.features.vectorise(texts, self.vocabulary)

    def remembers(self, text: str) -> dict[str, tuple[str, ...]] | None:
        """The classes, by attribute, with which this very text was learnt; None if it was not.

        Case, spacing and punctuation do not matter.
        """
        mark = fingerprint(text)
        found = {}
        for name, held in self.statistics.attributes.items():
            classes = list(held.classes)
            found[name] = tuple(classes[number] for number in dict.fromkeys(held.fingerprints.find(mark).tolist()))
        return found if any(found.values()) else None

    def families(self, attribute: str, other: str) -> tuple[int, ...]:
        """For each class of an attribute, which class of another its documents are most like, by all their words."""
        if (attribute, other) not in self._families:
            alike = self.attributes[other].scores(self.attributes[attribute].profiles)
            self._families[attribute, other] = tuple(alike.argmax(axis=1).tolist())
        return self._families[attribute, other]

    def meanings(self, attribute: str) -> Singles:
        """For each class, the direction in which the vectors of its words point, as against those of all classes."""
        if attribute not in self._meanings:
            sums = self.attributes[attribute].profiles @ of_words(self.words)
            units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
            self._meanings[attribute] = units - units.mean(axis=0)
        return self._meanings[attribute]

    def learn(self, texts: Sequence[str], labels: Sequence[Labels]) -> Concepts:
        """The model after more documents. This one is used up."""
        self.statistics.add(texts, labels)
        return Concepts(self.statistics, self.secret, aliases=self.aliases, limit=self.limit)

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the model with all that was counted. The folder holds words and names of your documents: keep it.

        Raises:
            OutputError: if there is a model already (and `overwrite` is not set) or it cannot be written.
        """
        description = storage.Description.of(self.statistics, self.secret, self.aliases, self._telling, self.limit)
        return storage.save(Path(folder), description, self.statistics, overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | Path) -> Concepts:
        """A saved model.

        Raises:
            NotFitted: if there is none in the folder.
            MalformedData: if it is damaged, or no model at all.
        """
        description, statistics = storage.load(Path(folder))
        model = cls._with(statistics, description.secret, description.aliases, description.telling, description.limit)
        model.found = tuple(cls.load(each) for each in sorted((Path(folder) / FOUND).glob("*")))
        return model

    @classmethod
    def _with(
        cls,
        statistics: Statistics,
        secret: str,
        aliases: Mapping[str, Sequence[str]],
        telling: int,
        limit: int | None,
    ) -> Concepts:
        model = cls.__new__(cls)
        model._set(statistics, secret, aliases, telling, limit)
        return model


def _arrange(statistics: Statistics, secret: str) -> int:
    """Put the words that stand more than once first, most telling ones before others; how many of them there are."""
    counts = statistics.counts(secret)
    presences = csr_matrix((pairs.documents(counts), counts.indices, counts.indptr), shape=counts.shape)
    information = mutual_information(presences, statistics.attributes[secret].documents)
    seldom = statistics.totals() < 2
    # Rounded, and before that by the alphabet, so that the order does not hang on the order of the documents.
    words = statistics.words
    alphabet = np.array(sorted(range(len(words)), key=words.__getitem__), np.int64)
    order = np.lexsort((-np.round(information[alphabet], 12), seldom[alphabet]))
    statistics.arrange(alphabet[order])
    return int(np.count_nonzero(~seldom))


def _naive_bayes(statistics: Statistics, name: str, size: int) -> NaiveBayes:
    counts, held = statistics.counts(name), statistics.attributes[name]
    used = pairs.head(counts, size)
    occurrences, presences = (
        csr_matrix((numbers(used), used.indices, used.indptr), shape=used.shape)
        for numbers in (pairs.occurrences, pairs.documents)
    )
    return NaiveBayes(list(held.classes), held.documents, occurrences, presences=presences)
