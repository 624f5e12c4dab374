"""Detectors from documents in which people have marked what should be found.

How well one finds is measured by document: each is read by a model that has learnt from others only. How likely a word
must be to be acted upon is chosen on those readings too, so that a miss costs more than a false alarm.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import vstack

from withhold.codec import Value
from withhold.errors import NotFitted, OutputError
from withhold.fit.annotated import Annotated, read_annotated
from withhold.fit.lessons import Lessons, parted, prepare
from withhold.fit.readings import UNMEASURED, Reading, measure, unmeasured
from withhold.fit.workers import in_order
from withhold.learners.crf import Crf, Learning, learn
from withhold.learners.spotter import OUTSIDE, Description, Labels, Likely, Spotter, check_free
from withhold.learners.tokens import Tokens
from withhold.learners.word_features import Layer, Vocabulary, read

FEWEST = 5
"""Of fewer documents (copies count as one) nothing can be said about others."""

MOST_FOLDS = 20
_LEAST = 2
"""A feature that fewer words have is not learnt."""
_HIDDEN = 0.5
_WORTH_A_POOL = 20_000
_NOTHING = Crf((OUTSIDE,), Vocabulary(()), np.zeros((0, 1), np.float32), np.zeros((1, 1), np.float32))
"""What is learnt from texts in which nothing is marked."""
_FATES = {
    "need not be masked": "were not learnt: their annotators say that they need not be masked",
    "within or across a longer one": "were not learnt: they lie within or across longer ones",
    "without a word": "were not learnt: there is no word in them",
    "not of whole words": "begin or end within a word; they were learnt as whole words",
}

Track = Callable[[Iterable[Any], int, str], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class FittedDetector(Value):
    """What came of fitting a detector: what it is, what a person should know of it, and the words learnt and read."""

    folder: str
    detector: Description
    notes: tuple[str, ...]
    seconds: float
    learnt_a_second: int
    read_a_second: int


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """A detector and what a person should know of it; how many words were learnt and read a second."""

    spotter: Spotter
    notes: tuple[str, ...]
    learnt_a_second: int
    read_a_second: int


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """Texts with tags to learn from, and others to read afterwards; it can be sent to another process."""

    lessons: tuple[tuple[str, list[int]], ...]
    others: tuple[str, ...]
    labels: int
    learning: Learning


@dataclass(frozen=True, slots=True, repr=False)
class Done:
    """What a task gave: what the model makes of the other texts, or the model, if there are none; and how many words
    were learnt and read in how many seconds.
    """

    crf: Crf | None
    read: list[Likely]
    learnt: tuple[int, float]
    reading: tuple[int, float]


def fit_detector(
    sources: Sequence[str | Path],
    folder: str | Path,
    *,
    split: str = "",
    folds: int = 5,
    workers: int = 1,
    overwrite: bool = False,
    track: Track | None = None,
) -> FittedDetector:
    """Learn to find what is marked in the documents of the sources, or in those of one of their splits, measure how
    well, and save it in a folder.

    Each of `folds` parts of the documents is read by a model that learnt from the others; with `folds=0` nothing is
    measured. The same documents give the same files. Where there are several workers, a script must call this under
    `if __name__ == "__main__"`.

    Raises:
        DocumentError: if a source cannot be read.
        MalformedData: if a record is wrong, saying which.
        NotFitted: if nothing is marked in the documents, or there are none of the split.
        OutputError: if the folder holds a detector already, or lies within a source.
        Stopped: if a worker process dies.
    """
    began, folder = time.perf_counter(), Path(folder)
    refuse_inside(folder, sources)
    check_free(folder, overwrite=overwrite)
    documents = read_split(sources, split)
    made = make_detector(documents, folds=folds, workers=workers, track=track)
    made.spotter.save(folder, overwrite=overwrite)
    description, seconds = Spotter.load(folder).description, time.perf_counter() - began
    return FittedDetector(str(folder), description, made.notes, seconds, made.learnt_a_second, made.read_a_second)


def make_detector(
    documents: Sequence[Annotated],
    *,
    folds: int = 5,
    workers: int = 1,
    learning: Learning | None = None,
    track: Track | None = None,
) -> Made:
    """A detector of what is marked in the documents, with how well it finds; nothing is saved."""
    if not 0 <= folds <= MOST_FOLDS or folds == 1:
        raise ValueError(f"folds are 0, or from 2 to {MOST_FOLDS}")
    given = prepare(documents)
    parts = parted(given.lessons, folds) if folds and len({each.kin for each in given.lessons}) >= FEWEST else []
    done = _work(given, parts, learning or Learning(), workers, track)
    readings = [
        Reading(given.lessons[number], likely, part)
        for part, (numbers, one) in enumerate(zip(parts, done, strict=False))
        for number, likely in zip(numbers, one.read, strict=True)
    ]
    learnt, together = measure(readings, given.labels) if readings else unmeasured(given.lessons, given.labels)
    words, crf = sum(len(lesson.tokens) for lesson in given.lessons), done[-1].crf
    assert crf is not None
    description = Description(learnt, len(given.lessons), words, len(parts), together, versions=versions())
    return Made(
        Spotter(crf, description),
        tuple(_notes(given, folds, len(parts))),
        _speed(each.learnt for each in done),
        _speed(each.reading for each in done),
    )


def _work(
    given: Lessons, parts: Sequence[Sequence[int]], learning: Learning, workers: int, track: Track | None
) -> list[Done]:
    """Learn once without each part, which is read then, and at last from everything."""
    held = [(lesson.text, lesson.tags()) for lesson in given.lessons]
    tasks = []
    for part in (*parts, ()):
        others = set(part)
        rest = tuple(each for number, each in enumerate(held) if number not in others)
        tasks.append(Task(rest, tuple(held[number][0] for number in part), len(given.labels), learning))
    words = sum(len(lesson.tokens) for lesson in given.lessons)
    work = in_order(work_on, iter(tasks), workers if words >= _WORTH_A_POOL else 1)
    return list(track(work, len(tasks), "Learning") if track else work)


def work_on(task: Task) -> Done:
    """Learn and read."""
    began = time.perf_counter()
    crf = teach(task.lessons, task.learning) if any(map(any, (tags for _, tags in task.lessons))) else _NOTHING
    learnt = time.perf_counter() - began
    labels, likely, words = Labels(crf.tags, task.labels), [], 0
    for text in task.others:
        tokens, layers = read(text)
        likely.append(labels.likely(crf.marginals(layers, list(tokens.stretches()))))
        words += len(tokens)
    reading = time.perf_counter() - began - learnt
    return Done(
        None if task.others else crf, likely, (sum(len(tags) for _, tags in task.lessons), learnt), (words, reading)
    )


def teach(lessons: Iterable[tuple[str, list[int]]], learning: Learning) -> Crf:
    """A model of texts whose words have these tags."""
    chance = np.random.default_rng(0)
    known = [(*_partly(*read(text), chance), tags) for text, tags in lessons]
    vocabulary = Vocabulary.of((layers for _, layers, _ in known), _LEAST)
    stretches, start = [], 0
    for tokens, _, _ in known:
        stretches += [slice(each.start + start, each.stop + start) for each in tokens.stretches()]
        start += len(tokens)
    matrix = vstack([vocabulary.matrix(layers) for _, layers, _ in known], format="csr")
    return learn(matrix, [tag for _, _, tags in known for tag in tags], stretches, vocabulary, learning)


def _partly(tokens: Tokens, layers: Sequence[Layer], chance: np.random.Generator) -> tuple[Tokens, list[Layer]]:
    """The words of a text, in half of whose stretches nothing is known from afar.

    Names that come again and again in the documents would otherwise be learnt as words that come again, and one that
    stands only once in another document would be missed.
    """
    hidden = np.zeros(len(tokens), bool)
    for stretch in tokens.stretches():
        hidden[stretch] = chance.random() < _HIDDEN
    return tokens, [
        Layer(layer.bags, np.where(hidden, -1, layer.rows).astype(np.int32)) if layer.from_afar else layer
        for layer in layers
    ]


def _notes(given: Lessons, folds: int, parts: int) -> Iterator[str]:
    if folds and not parts:
        yield (
            f"there are fewer than {FEWEST} different documents, so how well it finds could not be measured; "
            f"thresholds are {UNMEASURED}"
        )
    elif 0 < parts < folds:
        yield f"there are only {parts} different documents, so each was left out once"
    copies = len(given.lessons) - len({each.kin for each in given.lessons})
    if copies:
        yield f"{copies} documents are copies of others, or of one group with them; they were kept together"
    for why, count in sorted(given.left_out.items()):
        if count:
            yield f"{count} mentions {_FATES[why]}"


def _speed(several: Iterable[tuple[int, float]]) -> int:
    words, seconds = map(sum, zip(*several, strict=True))
    return round(words / seconds) if seconds else 0


def refuse_inside(folder: Path, sources: Iterable[str | Path]) -> None:
    """Refuse to write among what is learnt from.

    Raises:
        OutputError: if the folder lies within a source.
    """
    for source in map(Path, sources):
        if source.resolve() in (folder.resolve(), *folder.resolve().parents):
            raise OutputError(f"{folder} is inside {source}; choose another folder")


def read_split(sources: Iterable[str | Path], split: str) -> list[Annotated]:
    """The annotated documents of all sources that say they are of a split, if one is asked for.

    Raises:
        NotFitted: if there are none.
    """
    documents = [each for source in sources for each in read_annotated(source) if not split or each.split == split]
    if not documents:
        raise NotFitted(f"no document says that it is of the split {split!r}")
    return documents


def versions() -> dict[str, str]:
    """Of what a detector depends on."""
    found = {}
    for name in ("withhold", "python-crfsuite"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
