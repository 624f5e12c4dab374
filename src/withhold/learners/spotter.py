"""What a model of words finds in texts: spans with labels, each sure enough to act upon or not.

A saved one is two files: a description to read, and the weights beside it in a file named after its digest, so that a
kill while one is replaced leaves the old one whole. Neither can run code when loaded.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, NotFitted, OutputError
from withhold.files import is_file, read_bytes
from withhold.learners import word_features
from withhold.learners.crf import STEEPEST, Crf, Reals
from withhold.learners.measures import Measure
from withhold.learners.saving import save_model
from withhold.learners.tokens import Tokens, parts
from withhold.learners.word_features import Vocabulary
from withhold.spans import Span

FORMAT = 1
DESCRIPTION = "detector.json"
DOUBT = 0.3
"""What is less sure than this is not told at all."""

_MEGABYTES = {"description": 64, "weights": 2_048}
_WINDOW = 400_000
_MOST = 400_000_000
"""So many weights would take 1.6 GB: more than any model that was fitted has."""
_HEAVY = 1e6
_KINDS = {
    "names": np.uint8,
    "ends": np.int64,
    "rows": np.int32,
    "columns": np.int32,
    "weights": np.float32,
    "transitions": np.float32,
    "tags": np.int32,
}
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DAMAGE = (ValueError, KeyError, IndexError, TypeError, OverflowError, EOFError, OSError, MemoryError, zlib.error)


class Spot(NamedTuple):
    """Something found. A score of one half or more means: act; `likely` is what the model said before it was weighed
    against its threshold.
    """

    span: Span
    label: str
    score: float
    likely: float


@dataclass(frozen=True, slots=True)
class Learnt(Value):
    """What is known of one label: its mentions in the documents, how likely a word must be, and how well it was found
    in documents that the model had not seen: mentions, whole and with the right label, and words.
    """

    mentions: int
    threshold: float
    by_mention: Measure | None = None
    by_word: Measure | None = None

    def __post_init__(self) -> None:
        if self.mentions < 0 or not 0 < self.threshold < 1:
            raise ValueError("mentions are 0 or more, and a threshold is between 0 and 1")


@dataclass(frozen=True, slots=True)
class Description(Value):
    """What a person may want to know of a fitted detector without loading it. `together` is of all labels, taken as
    one; `folds` is how often a part of the documents was left out to be measured on, 0 if never.
    """

    labels: Mapping[str, Learnt]
    documents: int
    words: int
    folds: int
    together: Learnt
    format: int = FORMAT
    features: int = word_features.VERSION
    versions: Mapping[str, str] = field(default_factory=dict)
    weights: str = ""

    def __post_init__(self) -> None:
        if self.format != FORMAT or self.features != word_features.VERSION:
            raise ValueError("it was fitted by another version of withhold; fit it anew")
        if not self.labels or min(self.documents, self.words, self.folds) < 0:
            raise ValueError("a detector has labels, and has learnt them from documents")
        if not _DIGEST.fullmatch(self.weights) and self.weights:
            raise ValueError("weights must be a digest")


class Labels:
    """The tags of a model by label: the first word of something, and the words after it."""

    def __init__(self, tags: Sequence[int], labels: int) -> None:
        numbers = {tag: number for number, tag in enumerate(tags)}
        self._firsts = [numbers.get(first(label), -1) for label in range(labels)]
        self._others = [numbers.get(further(label), -1) for label in range(labels)]

    def likely(self, marginals: Reals) -> Likely:
        """How likely each word has each label, and begins something of it."""
        padded = np.concatenate([marginals, np.zeros((len(marginals), 1))], axis=1)
        firsts, others = padded[:, self._firsts], padded[:, self._others]
        return Likely((firsts + others).astype(np.float32), firsts > others)


class Likely(NamedTuple):
    """For each word and label: how likely it is, and whether it rather begins something than goes on."""

    labels: NDArray[np.float32]
    begins: NDArray[np.bool_]


class Run(NamedTuple):
    """Some words in a row that make one mention: the first and the last, the number of the label, and how sure."""

    first: int
    last: int
    label: int
    score: float
    likely: float


OUTSIDE = 0
"""The tag of a word that belongs to nothing."""


def first(label: int) -> int:
    """The tag of the first word of something."""
    return 2 * label + 1


def further(label: int) -> int:
    """The tag of the other words of something."""
    return 2 * label + 2


def runs(likely: Likely, thresholds: Reals) -> Iterator[Run]:
    """The mentions in a text, those in doubt too. A word has the label that is farthest above its threshold. A doubtful
    word that goes on with something surer goes with it: half a name is no name kept.
    """
    scores = _weighed(likely.labels.astype(np.float64), thresholds)
    best = scores.argmax(axis=1) if scores.size else np.zeros(len(scores), np.int64)
    sure = np.take_along_axis(scores, best[:, None], axis=1)[:, 0] if scores.size else np.zeros(len(scores))
    open_: Run | None = None
    for place in np.flatnonzero(sure >= DOUBT).tolist():
        label, score = int(best[place]), float(sure[place])
        each = Run(place, place, label, score, float(likely.labels[place, label]))
        goes_on = open_ is not None and open_.last == place - 1 and open_.label == label
        if open_ and goes_on and not likely.begins[place, label]:
            open_ = Run(open_.first, place, label, max(open_.score, score), max(open_.likely, each.likely))
            continue
        if open_:
            yield open_
        open_ = each
    if open_:
        yield open_


def _weighed(likely: Reals, thresholds: Reals) -> Reals:
    """What is likely as a score that is one half at the threshold."""
    below, above = 0.5 * likely / thresholds, 0.5 + 0.5 * (likely - thresholds) / (1 - thresholds)
    return np.where(likely < thresholds, below, above)


class Spotter:
    """A fitted model and its thresholds."""

    def __init__(self, crf: Crf, description: Description) -> None:
        self.crf = crf
        self.description = description
        self._names = tuple(description.labels)
        self._labels = Labels(crf.tags, len(self._names))
        self._thresholds = np.array([learnt.threshold for learnt in description.labels.values()])

    def __repr__(self) -> str:
        return f"Spotter(labels={len(self._names)}, features={len(self.crf.vocabulary)})"

    def spots(self, text: str) -> list[Spot]:
        """What is found in a text, in order, without overlaps. A long text is read in parts, in bounded memory."""
        found: list[Spot] = []
        for part in parts(text, _WINDOW):
            tokens, layers = word_features.read(part.of(text))
            if not len(tokens):
                continue
            likely = self._labels.likely(self.crf.marginals(layers, list(tokens.stretches())))
            found += [self._spot(run, tokens, part.start) for run in runs(likely, self._thresholds)]
        return found

    def _spot(self, run: Run, tokens: Tokens, start: int) -> Spot:
        span = tokens.span(run.first, run.last).shift(start)
        # Rounded down, so that what is below one half stays there.
        return Spot(span, self._names[run.label], math.floor(run.score * 1000) / 1000, run.likely)

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write both files.

        Raises:
            OutputError: if there is a detector already (and `overwrite` is not set), or the folder cannot be written.
        """
        folder = Path(folder)
        check_free(folder, overwrite=overwrite)
        return save_model(
            folder / DESCRIPTION,
            _packed(self.crf),
            _weights,
            lambda digest: replace(self.description, weights=digest),
        )

    @classmethod
    def load(cls, folder: str | Path) -> Spotter:
        """Read a saved detector. Nothing in the folder is run, whatever it holds.

        Raises:
            NotFitted: if there is none.
            MalformedData: if it is damaged, or of another version.
        """
        folder = Path(folder)
        if not is_file(folder / DESCRIPTION):
            raise NotFitted(f"{folder} holds no detector ({DESCRIPTION} is missing); `withhold fit detector` makes one")
        try:
            description = Description.from_bytes(read_bytes(folder / DESCRIPTION, _MEGABYTES["description"]))
            data = read_bytes(_weights(folder, description.weights), _MEGABYTES["weights"])
        except (DocumentError, MalformedData) as error:
            raise MalformedData(f"the detector in {folder} cannot be loaded: {error}") from None
        if hashlib.sha256(data).hexdigest() != description.weights:
            raise MalformedData(f"the detector in {folder} is damaged: the weights are not those saved; fit it anew")
        try:
            return cls(_unpacked(data, description), description)
        except (*_DAMAGE, zipfile.BadZipFile):
            raise MalformedData(
                f"the detector in {folder} is damaged: its weights make no sense; fit it anew"
            ) from None


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder that holds a detector already, unless it may be overwritten.

    Raises:
        OutputError: then.
    """
    if is_file(folder / DESCRIPTION) and not overwrite:
        raise OutputError(f"{folder} holds a detector already; choose another folder or allow overwriting")


def _weights(folder: Path, digest: str) -> Path:
    return folder / f"weights-{digest}.npz"


def _packed(crf: Crf) -> bytes:
    names = [name.encode("utf-8", "surrogatepass") for name in crf.vocabulary.numbers]
    rows, columns = np.nonzero(crf.weights)
    packed = io.BytesIO()
    arrays: dict[str, NDArray[Any]] = {
        "names": np.frombuffer(b"".join(names), np.uint8),
        "ends": np.cumsum([len(name) for name in names], dtype=np.int64),
        "rows": rows.astype(np.int32),
        "columns": columns.astype(np.int32),
        "weights": crf.weights[rows, columns],
        "transitions": crf.transitions.ravel(),
        "tags": np.array(crf.tags, np.int32),
    }
    np.savez(packed, allow_pickle=False, **arrays)
    return packed.getvalue()


def _unpacked(data: bytes, description: Description) -> Crf:
    """The model in the bytes, if all in it fits together. Nothing may be compressed, so that a small file cannot fill
    the memory.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        _check(all(member.compress_type == zipfile.ZIP_STORED for member in archive.infolist()))
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        held: dict[str, NDArray[Any]] = {name: np.asarray(file[name]) for name in file.files}
    _check(all(array.ndim == 1 and array.dtype == _KINDS[name] for name, array in held.items()))
    names, tags = _names(held["names"], held["ends"].tolist()), held["tags"].tolist()
    _check(len(set(tags)) == len(tags) and set(tags) <= set(range(2 * len(description.labels) + 1)))
    rows, columns, weights = held["rows"], held["columns"], held["weights"]
    _check(len(rows) == len(columns) == len(weights) and len(held["transitions"]) == len(tags) ** 2)
    _check(len(names) * len(tags) < _MOST and bool(np.all((rows >= 0) & (columns >= 0) & (abs(weights) < _HEAVY))))
    _check(bool(np.all(abs(held["transitions"]) < STEEPEST / 2)))
    full = np.zeros((len(names), len(tags)), np.float32)
    full[rows, columns] = weights
    return Crf(tuple(tags), Vocabulary(names), full, held["transitions"].reshape(len(tags), len(tags)))


def _names(blob: NDArray[Any], ends: list[int]) -> list[str]:
    data = blob.tobytes()
    _check([*ends[:-1], len(data)] == ends if ends else not data)
    names = [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]
    _check(len(set(names)) == len(names))
    return names


def _check(condition: bool) -> None:
    if not condition:
        raise ValueError("makes no sense")
