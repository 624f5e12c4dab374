"""A concept model as files: a description to read, and the counts beside it. Neither can run code when loaded.

The counts are in a file named after their digest, which the description repeats: a kill while a model is replaced
leaves the old one whole.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, NotFitted, OutputError
from withhold.files import is_file, read_bytes
from withhold.learners import pairs
from withhold.learners.features import Features
from withhold.learners.pairs import Pairs, Whole
from withhold.learners.saving import save_model
from withhold.learners.statistics import Attribute, Fingerprints, Numbering, Statistics

FORMAT = 1
DESCRIPTION = "model.json"

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MEGABYTES = {"description": 256, "counts": 16_384}

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Classes(Value):
    """The classes of one attribute and how many documents each has."""

    names: tuple[str, ...] = field(repr=False)
    documents: tuple[int, ...] = field(repr=False)
    repeated: int = 0

    def __post_init__(self) -> None:
        if not len(set(self.names)) == len(self.names) == len(self.documents) or any(n < 0 for n in self.documents):
            raise ValueError("every class needs one name and a number of documents")


@dataclass(frozen=True, slots=True)
class Description(Value):
    """What a person may want to know of a model without loading it."""

    format: int
    features: Features
    secret: str
    attributes: Mapping[str, Classes]
    documents: int
    words: int
    telling: int
    lost: int
    max_pairs: int
    counts: str = ""
    limit: int | None = None
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"format {FORMAT} is what this version of withhold reads")
        if self.secret not in self.attributes or not self.attributes[self.secret].names:
            raise ValueError("the secret must be one of the attributes, and have classes")
        if not 0 <= self.telling <= self.words or self.lost < 0 or self.max_pairs < 1:
            raise ValueError("telling, words, lost and max_pairs must make sense")
        if self.limit is not None and self.limit < 1:
            raise ValueError("limit must be 1 or more")
        if not _DIGEST.fullmatch(self.counts) and self.counts:
            raise ValueError("counts must be a digest")

    @classmethod
    def of(
        cls,
        statistics: Statistics,
        secret: str,
        aliases: Mapping[str, tuple[str, ...]],
        telling: int,
        limit: int | None,
    ) -> Description:
        attributes = {
            name: Classes(tuple(held.classes), tuple(held.documents.tolist()), held.fingerprints.repeated())
            for name, held in statistics.attributes.items()
        }
        return cls(
            FORMAT,
            statistics.features,
            secret,
            attributes,
            statistics.documents,
            len(statistics.words),
            telling,
            statistics.lost,
            statistics.max_pairs,
            limit=limit,
            aliases=aliases,
        )


def save(folder: Path, description: Description, statistics: Statistics, *, overwrite: bool) -> Path:
    """Write both files, and then remove the counts of the model that was there."""
    if not overwrite and is_file(folder / DESCRIPTION):
        raise OutputError(f"{folder} holds a model already; choose another folder or allow overwriting")
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **dict(_arrays(statistics)))
    return save_model(
        folder / DESCRIPTION, packed.getvalue(), _counts, lambda digest: replace(description, counts=digest)
    )


def load(folder: Path) -> tuple[Description, Statistics]:
    """The two files of a model, checked against each other and for sense."""
    if not is_file(folder / DESCRIPTION):
        raise NotFitted(f"{folder} holds no model ({DESCRIPTION} is missing); fit one first")
    try:
        description = Description.from_bytes(read_bytes(folder / DESCRIPTION, _MEGABYTES["description"]))
        data = read_bytes(_counts(folder, description.counts), _MEGABYTES["counts"])
    except (DocumentError, MalformedData) as error:
        raise MalformedData(f"the model in {folder} cannot be loaded: {error}") from None
    if hashlib.sha256(data).hexdigest() != description.counts:
        raise MalformedData(f"the model in {folder} is damaged: its counts are not those it was saved with")
    try:
        return description, _statistics(description, _unpack(data))
    except (
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        OverflowError,
        EOFError,
        OSError,
        MemoryError,
        zipfile.BadZipFile,
    ):
        raise MalformedData(f"the model in {folder} is damaged: its counts make no sense") from None


def _counts(folder: Path, digest: str) -> Path:
    return folder / f"counts-{digest}.npz"


def _arrays(statistics: Statistics) -> Iterator[tuple[str, NDArray[Any]]]:
    words = [word.encode("utf-8", "surrogatepass") for word in statistics.words]
    yield "words", np.frombuffer(b"".join(words), np.uint8)
    yield "word_ends", np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
    for number, (name, held) in enumerate(statistics.attributes.items()):
        counts = statistics.counts(name)
        yield f"{number}.starts", counts.indptr.astype(np.int64)
        yield f"{number}.classes", _small(counts.indices)
        yield f"{number}.occurrences", _small(pairs.occurrences(counts))
        yield f"{number}.documents", _small(pairs.documents(counts))
        held.fingerprints.sort()
        yield f"{number}.marks", held.fingerprints.marks
        yield f"{number}.marked", _small(held.fingerprints.classes)


def _small(numbers: NDArray[Any]) -> NDArray[Any]:
    """The numbers in as few bytes each as the largest needs."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def _unpack(data: bytes) -> Arrays:
    """The arrays in the bytes. Nothing in them may be compressed, so that a small file cannot fill the memory."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(all(member.compress_type == zipfile.ZIP_STORED for member in archive.infolist()))
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: np.asarray(file[name]) for name in file.files}
    except Exception:
        # Hostile bytes can make the readers of the archive and of the arrays fail in more ways than they name.
        raise ValueError("no arrays") from None
    _check(all(array.ndim == 1 and array.dtype.kind in "iu" for array in arrays.values()))
    return arrays


def _statistics(description: Description, arrays: Arrays) -> Statistics:
    statistics = Statistics(description.features, description.max_pairs)
    statistics.documents, statistics.lost = description.documents, description.lost
    statistics.number(_words(arrays["words"], arrays["word_ends"]))
    _check(len(statistics.words) == description.words)
    for number, (name, classes) in enumerate(description.attributes.items()):
        own = {key.partition(".")[2]: array for key, array in arrays.items() if key.partition(".")[0] == str(number)}
        statistics.attributes[name] = _attribute(classes, own, description.words)
    return statistics


def _words(blob: NDArray[Any], ends: NDArray[Any]) -> list[str]:
    _check(blob.dtype == np.uint8 and _rising(ends, 0, len(blob), strictly=True))
    data = blob.tobytes()
    words = [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends.tolist()])]
    _check(len(set(words)) == len(words))
    return words


def _attribute(classes: Classes, own: Arrays, words: int) -> Attribute:
    starts, columns = own["starts"].astype(np.int64), own["classes"].astype(np.int64)
    occurrences, documents = own["occurrences"].astype(np.int64), own["documents"].astype(np.int64)
    shape = (words, len(classes.names))
    _check(len(starts) == words + 1 and starts[0] == 0 and _rising(starts, 0, len(columns)))
    _check(len(columns) == len(occurrences) == len(documents))
    places = np.repeat(np.arange(words), np.diff(starts)) * max(shape[1], 1) + columns
    _check(_within(columns, 0, shape[1] - 1) and bool(np.all(np.diff(places) > 0)))
    _check(_within(documents, 1, 2**31) and _within(occurrences - documents, 0, 2**31))
    marks, marked = own["marks"], own["marked"].astype(np.int64)
    _check(marks.dtype == np.uint64 and len(marks) == len(marked) and _within(marked, 0, shape[1] - 1))
    _check(bool(np.all((marks[1:] > marks[:-1]) | ((marks[1:] == marks[:-1]) & (marked[1:] >= marked[:-1])))))
    counts = csr_matrix((pairs.pack(occurrences, documents), columns.astype(np.int32), starts), shape=shape)
    return Attribute(
        Numbering(classes.names),
        np.array(classes.documents, np.int64),
        Pairs(counts),
        Fingerprints(marks, marked.astype(np.int32)),
    )


def _rising(numbers: Whole, low: int, high: int, *, strictly: bool = False) -> bool:
    """Whether each number is at least (or is more than) the one before, from `low` on, and the last is `high`."""
    steps = np.diff(np.concatenate(([low], numbers, [high])).astype(np.int64))
    return bool(np.all(steps >= 0) and steps[-1] == 0 and (not strictly or np.all(steps[:-1] > 0)))


def _within(numbers: Whole, low: int, high: int) -> bool:
    return not len(numbers) or (int(numbers.min()) >= low and int(numbers.max()) <= high)


def _check(condition: bool) -> None:
    if not condition:
        raise ValueError("the arrays make no sense")
