"""A family of attackers: classifiers of different kinds that guess the class of a text.

They are fitted on documents of their own with a vocabulary of their own, so that nothing a planner was tuned to is
theirs. Saved are words and numbers only: a description in JSON and one file of arrays named after its digest.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, NotFitted, OutputError
from withhold.files import is_file, read_bytes
from withhold.learners import embeddings
from withhold.learners.features import Features, is_feature, words
from withhold.learners.linear import (
    Arrays,
    Centroid,
    ComplementBayes,
    Floats,
    Linear,
    LinearSVM,
    LogisticRegression,
    Multinomial,
    Whole,
)
from withhold.learners.neighbours import Neighbours
from withhold.learners.saving import save_model


class Attacker(Protocol):
    """One classifier. Its samples are counts of words, or vectors."""

    def fit(self, samples: Any, y: Whole, classes: int, /) -> Self: ...

    def scores(self, samples: Any, /) -> Floats: ...

    def arrays(self) -> dict[str, NDArray[Any]]: ...

    def restore(self, arrays: Arrays, classes: int, columns: int, /) -> Self: ...


FAMILY: Mapping[str, Callable[[], Attacker]] = {
    "naive_bayes": Multinomial,
    "logistic": LogisticRegression,
    "svm": LinearSVM,
    "complement": ComplementBayes,
    "centroid": Centroid,
    "neighbours": Neighbours,
}
"""The attackers by name."""

DESCRIPTION = "attackers.json"
_FORMAT = 1
_MEGABYTES = {"description": 256, "arrays": 4_096}
_MOST_WEIGHTS = 24_000_000
"""An attacker has no more weights than this (100 MB); with many classes the rarest words are left out."""

_MOST_TELLING = 100
"""An attacker that goes by more words than this goes by all of them."""

_DAMAGE = (ValueError, KeyError, TypeError, OverflowError, EOFError, OSError, MemoryError, zlib.error)


@dataclass(frozen=True, slots=True)
class Description(Value):
    """What a person may want to know of a family without loading it."""

    format: int
    names: tuple[str, ...]
    classes: tuple[str, ...] = field(repr=False)
    documents: tuple[int, ...] = field(repr=False)
    words: tuple[str, ...] = field(repr=False)
    arrays: str

    def __post_init__(self) -> None:
        if self.format != _FORMAT:
            raise ValueError(f"format {_FORMAT} is what this version of withhold reads")
        if not self.names or not set(self.names) <= set(FAMILY):
            raise ValueError(f"names must be some of {', '.join(FAMILY)}")
        if (
            not len(set(self.classes)) == len(self.classes) == len(self.documents)
            or min(self.documents, default=-1) < 0
        ):
            raise ValueError("every class needs one name and a number of documents")
        if not sum(self.documents) or len(set(self.words)) != len(self.words):
            raise ValueError("needs documents, and words that differ")
        if len(self.arrays) != 64 or not set(self.arrays) <= set("0123456789abcdef"):
            raise ValueError("arrays must be a digest")


class Family:
    """Fitted attackers: `classes` in the order of their scores, `documents` of each that they learnt from."""

    def __init__(
        self, classes: Sequence[str], documents: ArrayLike, words: Sequence[str], attackers: Mapping[str, Attacker]
    ) -> None:
        self.classes = tuple(classes)
        self.documents: Whole = np.asarray(documents, np.int64)
        self.attackers = dict(attackers)
        self._vocabulary = {word: number for number, word in enumerate(words)}

    def __repr__(self) -> str:
        return f"Family({', '.join(self.names)}; classes={len(self.classes)}, words={len(self._vocabulary)})"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.attackers)

    def scores(self, name: str, texts: Sequence[str]) -> Floats:
        """What one attacker makes of the texts: texts by classes, the highest is its first guess."""
        return self.attackers[name].scores(_samples(name, texts, self._vocabulary))

    def ranks(self, name: str, texts: Sequence[str], y: ArrayLike) -> Whole:
        """Which guess of an attacker the true class of each text is: 1 for the first."""
        return ranks(self.scores(name, texts), y)

    def lead(self, name: str, text: str, true: int, guesses: int) -> float:
        """By how much an attacker puts the true class before the first class that it would no longer guess, beyond what
        it does with no text at all. Above 0 it finds the class in so many guesses, and by reading.
        """
        if guesses < 1:
            return 0.0
        read, blind = _leads(self.scores(name, [text, ""]), true, guesses)
        return float(read - max(blind, 0.0))

    def telling(self, name: str, text: str, true: int, guesses: int) -> list[str]:
        """The words an attacker goes by that finds the true class in so many guesses: without them it does not. They
        are taken away one after the other, the most telling first; none are told if that would take too many.
        """
        counts = Counter(words(text))
        amounts: Floats = np.fromiter(counts.values(), np.float64, len(counts))
        without = np.tile(amounts, (len(counts), 1))
        np.fill_diagonal(without, 0)
        leads = _leads(self._scores_of(name, list(counts), without), true, guesses)
        can_go = np.fromiter(map(is_feature, counts), np.bool_, len(counts))
        order = np.argsort(leads, kind="stable")
        order = order[can_go[order]][:_MOST_TELLING]
        left = np.tile(amounts, (len(order) + 1, 1))
        for step, word in enumerate(order):
            left[step:, word] = 0
        left[-1] = 0  # no text at all
        leads = _leads(self._scores_of(name, list(counts), left), true, guesses)
        hidden = np.flatnonzero(leads[:-1] <= max(leads[-1], 0.0))
        chosen = order[: hidden[0] + 1] if len(hidden) else order[:0]
        return [list(counts)[word] for word in chosen]

    def _scores_of(self, name: str, words: Sequence[str], amounts: Floats) -> Floats:
        """What an attacker makes of texts, each given by how often it has each word."""
        if _reads_words(name):
            return self.attackers[name].scores(csr_matrix(amounts @ Features().vectorise(words, self._vocabulary)))
        return self.attackers[name].scores(embeddings.unit(amounts.astype(np.float32) @ embeddings.of_words(words)))

    def baseline(self, guesses: int) -> float:
        """How often the true class is among so many guesses that look at no text: the most frequent classes."""
        largest = np.sort(self.documents)[::-1][: max(guesses, 0)]
        return float(largest.sum() / self.documents.sum())

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the family as JSON and arrays.

        Raises:
            OutputError: if there is one already (and `overwrite` is not set), or the folder cannot be written.
        """
        folder = Path(folder)
        if not overwrite and is_file(folder / DESCRIPTION):
            raise OutputError(f"{folder} holds attackers already; choose another folder or allow overwriting")
        documents = tuple(self.documents.tolist())
        known = (_FORMAT, self.names, self.classes, documents, tuple(self._vocabulary))
        data = _pack(self.attackers)
        return save_model(folder / DESCRIPTION, data, _arrays, lambda digest: Description(*known, digest))

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a saved family. Nothing in the folder is run, whatever it holds.

        Raises:
            NotFitted: if there is none.
            MalformedData: if it is damaged.
        """
        folder = Path(folder)
        if not is_file(folder / DESCRIPTION):
            raise NotFitted(
                f"{folder} holds no attackers ({DESCRIPTION} is missing); `withhold fit concepts` makes them"
            )
        try:
            described = Description.from_bytes(read_bytes(folder / DESCRIPTION, _MEGABYTES["description"]))
            data = read_bytes(_arrays(folder, described.arrays), _MEGABYTES["arrays"])
        except (DocumentError, MalformedData) as error:
            raise MalformedData(f"the attackers in {folder} cannot be loaded: {error}") from None
        if hashlib.sha256(data).hexdigest() != described.arrays:
            raise MalformedData(f"the attackers in {folder} are damaged: the arrays are not those saved")
        try:
            attackers = _unpack(data, described)
        except (*_DAMAGE, zipfile.BadZipFile):
            raise MalformedData(f"the attackers in {folder} are damaged: the arrays make no sense") from None
        return cls(described.classes, described.documents, described.words, attackers)


def fit_family(
    texts: Sequence[str],
    y: ArrayLike,
    classes: Sequence[str],
    *,
    vocabulary_size: int | None = None,
    names: Sequence[str] = tuple(FAMILY),
) -> Family:
    """Fit attackers on texts whose class numbers (into `classes`) are known; a class may have no text.

    The vocabulary is every word that the texts have at least twice, or the most frequent `vocabulary_size` of them.

    Raises:
        NotFitted: if there is no text, or none has a word to learn from.
    """
    numbers: Whole = np.asarray(y, np.int64)
    if len(numbers) != len(texts) or (len(numbers) and not 0 <= numbers.min() <= numbers.max() < len(classes)):
        raise ValueError("every text needs the number of one of the classes")
    words = choose_words(texts, vocabulary_size, len(classes))
    if not words:
        raise NotFitted("attackers need documents with words to learn from; give more")
    vocabulary = {word: number for number, word in enumerate(words)}
    counts = Features().vectorise(texts, vocabulary)
    attackers = {}
    for name in names:
        samples = counts if _reads_words(name) else _samples(name, texts, vocabulary)
        attackers[name] = FAMILY[name]().fit(samples, numbers, len(classes))
    return Family(classes, np.bincount(numbers, minlength=len(classes)), words, attackers)


def choose_words(texts: Sequence[str], size: int | None, classes: int) -> list[str]:
    """The words that stand at least twice in the texts, most frequent first, no more than an attacker can weigh."""
    features, seen = Features(), Counter[str]()
    for text in texts:
        seen.update(features.candidates(text))
    known = [word for word, count in seen.items() if count > 1 and is_feature(word)]
    most = _MOST_WEIGHTS // max(classes, 1)
    return sorted(known, key=lambda word: (-seen[word], word))[: most if size is None else min(size, most)]


def ranks(scores: Floats, y: ArrayLike) -> Whole:
    """Which guess the true class of each row is: 1 plus the number of classes with a higher score."""
    true = np.take_along_axis(scores, np.asarray(y, np.int64)[:, None], axis=1)
    found: Whole = 1 + np.count_nonzero(scores > true, axis=1).astype(np.int64)
    return found


def _leads(scores: Floats, true: int, guesses: int) -> Floats:
    """By how much the true class is before the first class that is no guess any more; below 0 if it is none itself."""
    others = np.sort(np.delete(scores, true, axis=1), axis=1)[:, ::-1]
    lead: Floats = scores[:, true] - others[:, min(guesses, others.shape[1]) - 1]
    return lead


def hit_rates(found: Whole, top: int) -> list[float]:
    """The share of ranks no worse than 1, 2, ... `top`."""
    return [float(np.mean(found <= guesses)) if len(found) else 0.0 for guesses in range(1, top + 1)]


def adaptive(
    train: Sequence[str],
    y_train: ArrayLike,
    test: Sequence[str],
    y_test: ArrayLike,
    classes: int,
    top: int,
    *,
    names: Sequence[str] = ("naive_bayes", "logistic"),
) -> dict[str, list[float]]:
    """How often attackers that learnt from redacted texts find the class of others in 1, 2, ... `top` guesses."""
    family = fit_family(train, y_train, [str(number) for number in range(classes)], names=names)
    return {name: hit_rates(family.ranks(name, test, y_test), top) for name in names}


def _reads_words(name: str) -> bool:
    return isinstance(FAMILY[name](), Linear)


def _samples(name: str, texts: Sequence[str], vocabulary: Mapping[str, int]) -> Any:
    return Features().vectorise(texts, vocabulary) if _reads_words(name) else embeddings.embed(texts)


def _arrays(folder: Path, digest: str) -> Path:
    return folder / f"attackers-{digest}.npz"


def _pack(attackers: Mapping[str, Attacker]) -> bytes:
    packed = io.BytesIO()
    learnt = {f"{name}.{key}": array for name, each in attackers.items() for key, array in each.arrays().items()}
    np.savez(packed, allow_pickle=False, **learnt)
    return packed.getvalue()


def _unpack(data: bytes, described: Description) -> dict[str, Attacker]:
    """The attackers in the bytes. Nothing may be compressed, so that a small file cannot fill the memory."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("compressed")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    restored = {}
    for name in described.names:
        own = {key.partition(".")[2]: array for key, array in arrays.items() if key.partition(".")[0] == name}
        columns = len(described.words) if _reads_words(name) else embeddings.dimensions()
        restored[name] = FAMILY[name]().restore(own, len(described.classes), columns)
    return restored
