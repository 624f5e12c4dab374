"""Concept models from labelled documents, on all cores, in bounded memory."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from withhold.codec import Value
from withhold.errors import NotFitted, OutputError
from withhold.files import is_file, is_folder
from withhold.fit.attackers import FOLDER as ATTACKERS
from withhold.fit.labelled import Batch, Fields, Labelled, Skipped, batches
from withhold.fit.workers import cores, in_order
from withhold.learners.concepts import FOUND, Concepts
from withhold.learners.features import Features
from withhold.learners.statistics import Reading, Statistics
from withhold.learners.storage import DESCRIPTION

MAX_HELD = 50_000
MAX_HELD_CHARACTERS = 200_000_000


@dataclass(frozen=True, slots=True)
class Fitted(Value):
    """What came of fitting a model.

    `documents` were learnt and `held_out` were not; `words` are known, of which `in_use` are; `lost` is how many
    occurrences a rare word can have lost to the bound on memory. `unmatched` are names with aliases that are no class.
    """

    folder: str
    documents: int
    held_out: int
    repeated: int
    skipped: Mapping[str, int]
    classes: Mapping[str, int]
    words: int
    in_use: int
    lost: int
    unmatched: int
    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Counting:
    """What is done with every batch: count the words of its documents, but for those that are held out."""

    features: Features
    holdout: float
    keep_held: bool

    def __call__(self, batch: Batch) -> Counted:
        documents, skipped = batch.read()
        texts, labels = [each.text for each in documents], [each.labels for each in documents]
        reading = Reading.of(texts, labels, self.features)
        held = held_out(reading.marks, self.holdout)
        statistics = Statistics.of(reading.where(~held) if held.any() else reading, self.features)
        marks = reading.marks[held].tolist()
        kept = [documents[index] for index in np.flatnonzero(held)] if self.keep_held else []
        return Counted(statistics, skipped, len(marks), list(zip(marks, kept, strict=False)))


@dataclass(frozen=True, slots=True, repr=False)
class Counted:
    statistics: Statistics
    skipped: Skipped
    held_out: int
    held: list[tuple[int, Labelled]]


@dataclass(slots=True, repr=False)
class Held:
    """Documents that the model does not learn, at most so many: those with the lowest fingerprints, so by no choice."""

    documents: list[tuple[int, Labelled]] = field(default_factory=list)
    characters: int = 0
    seen: int = 0

    def add(self, counted: Counted) -> None:
        self.seen += counted.held_out
        self.documents += counted.held
        self.characters += sum(len(document.text) for _, document in counted.held)
        if len(self.documents) > 2 * MAX_HELD or self.characters > 2 * MAX_HELD_CHARACTERS:
            self.documents = self._lowest()
            self.characters = sum(len(document.text) for _, document in self.documents)

    def _lowest(self) -> list[tuple[int, Labelled]]:
        ordered = sorted(self.documents, key=lambda each: each[0])[:MAX_HELD]
        ends = np.cumsum([len(document.text) for _, document in ordered])
        return ordered[: int(np.searchsorted(ends, MAX_HELD_CHARACTERS, "right"))]

    def all(self) -> list[Labelled]:
        return [document for _, document in self._lowest()]


def held_out(marks: NDArray[np.uint64], share: float) -> NDArray[np.bool_]:
    """Which documents are not for learning: about that share, by their fingerprints, so copies stay together."""
    return marks.astype(np.float64) < share * 2.0**64


def fit_concepts(
    source: Path,
    folder: Path,
    *,
    secret: str,
    keep: Sequence[str] = (),
    text_field: str = "text",
    ngrams: int = 1,
    binary: bool = False,
    features: int | None = 10_000,
    holdout: float = 0.3,
    aliases: Mapping[str, Sequence[str]] | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    update: bool = False,
    overwrite: bool = False,
    attackers: Callable[[list[Labelled]], None] | None = None,
) -> Fitted:
    """Learn which words speak for which class of the secret, and of what is to be kept, and save it in a folder.

    `holdout` of the documents are not learnt but given to `attackers` (at most `MAX_HELD`), chosen by their words and
    nothing else. With `update` the model in the folder learns more; it goes on counting the features it was fitted
    with. `progress` is told how many documents have been read. Where there are several workers, a script must call
    this under `if __name__ == "__main__"`.

    Raises:
        DocumentError: if the source cannot be read.
        MalformedData: if a record is wrong or lacks a field, or the model to update is damaged.
        NotFitted: if there are not two classes to tell apart, or no words to do it by, or nothing to update.
        OutputError: if the folder holds a model already, or one of something else, or lies within the source.
        Stopped: if a worker process dies.
    """
    began = time.perf_counter()
    if not 0.0 <= holdout < 1.0:
        raise ValueError("holdout must be at least 0 and less than 1")
    before = _before(Path(source), Path(folder), secret, update, overwrite)
    statistics = before.statistics if before else Statistics(Features(ngrams, binary))
    counting = Counting(statistics.features, holdout, attackers is not None)
    held, skipped, earlier = Held(), Skipped(), statistics.documents
    pieces = batches(Path(source), Fields(secret, tuple(keep), text_field))
    for counted in in_order(counting, pieces, workers or cores()):
        statistics.merge(counted.statistics)
        held.add(counted)
        skipped.update(counted.skipped)
        if progress is not None:
            progress(statistics.documents - earlier + held.seen + skipped.total())
    _check_classes(statistics, secret, keep)
    known = {**(before.aliases if before else {}), **(aliases or {})}
    model = Concepts(statistics, secret, aliases=known, limit=features)
    if not model.words:
        raise NotFitted("no word stands in the documents more than once, so there is nothing to learn; give more")
    is_new = not is_file(Path(folder) / DESCRIPTION)
    model.save(folder, overwrite=update or overwrite)
    if not (is_new or update):
        _forget(Path(folder))
    if attackers is not None:
        attackers(held.all())
    return _fitted(model, Path(folder), held.seen, skipped, time.perf_counter() - began)


def _before(source: Path, folder: Path, secret: str, update: bool, overwrite: bool) -> Concepts | None:
    """The model to update; what cannot be saved in the end is refused before the work begins."""
    if source.resolve() in (folder.resolve(), *folder.resolve().parents):
        raise OutputError(f"{folder} is inside {source}: its files would be learnt as documents; choose another folder")
    if not update:
        if is_file(folder / DESCRIPTION) and not overwrite:
            raise OutputError(f"{folder} holds a model already; choose another folder, or update or overwrite it")
        return None
    model = Concepts.load(folder)
    if model.secret != secret:
        raise OutputError(f"{folder} holds a model of {model.secret!r}, not of {secret!r}; choose another folder")
    return model


def _forget(folder: Path) -> None:
    """Remove what belonged to the model that was there: its attackers, and what they had found out."""
    for name in (ATTACKERS, FOUND):
        if is_folder(folder / name):
            try:
                shutil.rmtree(folder / name)
            except OSError as error:
                raise OutputError(f"{folder / name} cannot be removed: {error.strerror}") from None


def _check_classes(statistics: Statistics, secret: str, keep: Sequence[str]) -> None:
    for name in (secret, *keep):
        held = statistics.attributes.get(name)
        if held is None or len(held.classes) < 2:
            few = "only one value" if held and len(held.classes) else "no value"
            raise NotFitted(f"the documents have {few} of {name!r}; at least two are needed to tell them apart")


def _fitted(model: Concepts, folder: Path, held: int, skipped: Skipped, seconds: float) -> Fitted:
    statistics = model.statistics
    return Fitted(
        folder=str(folder),
        documents=statistics.documents,
        held_out=held,
        repeated=statistics.attributes[model.secret].fingerprints.repeated(),
        skipped=dict(skipped),
        classes={name: len(each.classes) for name, each in model.attributes.items()},
        words=len(statistics.words),
        in_use=len(model.words),
        lost=statistics.lost,
        unmatched=len(set(model.aliases) - set(model.attributes[model.secret].classes)),
        seconds=seconds,
        megabytes=_peak(),
    )


def _peak() -> float:
    """The most memory that this process and its largest worker have had so far; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(each).ru_maxrss for each in whose) / 1024
