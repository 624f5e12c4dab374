"""What models made of texts they had not learnt from: how likely a word must be to be acted upon, and how well that
finds what people have marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from withhold.fit.lessons import Lesson
from withhold.learners.crf import Reals
from withhold.learners.measures import Measure
from withhold.learners.spotter import Learnt, Likely, runs

UNMEASURED = 0.25
"""The threshold where none could be chosen: low, since a miss costs more than a false alarm."""

_LOWEST, _HIGHEST = 0.05, 0.5
_SUPPORT = 10
"""With fewer mentions than this, a label has the threshold of all labels together."""
_AS_GOOD = 0.995
_BETA = 2.0

Counts = NDArray[np.int64]
Found = set[tuple[int, int, int]]
"""The characters that something begins and ends at, and the number of its label."""


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A lesson, what a model that had not seen it makes of it, and the number of that model."""

    lesson: Lesson
    likely: Likely
    part: int

    def words(self) -> NDArray[np.bool_]:
        """Which of its tokens are words, not signs."""
        return np.array([form[0].isalnum() for form in self.lesson.tokens.forms], bool)

    def found(self, thresholds: Reals) -> tuple[Found, NDArray[np.int64]]:
        """What would be acted upon: spans with their labels, and the label of each word or -1."""
        spans: Found = set()
        labels = np.full(len(self.lesson.tokens), -1, np.int64)
        for run in runs(self.likely, thresholds):
            if run.score >= 0.5:
                span = self.lesson.tokens.span(run.first, run.last)
                spans.add((span.start, span.end, run.label))
                labels[run.first : run.last + 1] = run.label
        return spans, labels


def measure(readings: Sequence[Reading], labels: Sequence[str]) -> tuple[dict[str, Learnt], Learnt]:
    """What is known of each label, and of all together.

    The thresholds that a reading is measured with are chosen on the readings of other models. Those that are kept are
    chosen on all.
    """
    chosen = {part: thresholds(readings, len(labels), without=part) for part in {each.part for each in readings}}
    counts = np.array([_counts(each, chosen[each.part], len(labels)) for each in readings])
    kept = thresholds(readings, len(labels))
    held = mentions(each.lesson for each in readings)
    learnt = {
        label: Learnt(held[number], float(kept[number]), *(Measure.of(counts[:, number, way]) for way in (0, 1)))
        for number, label in enumerate(labels)
    }
    together = Learnt(held.total(), float(kept[-1]), *(Measure.of(counts[:, -1, way]) for way in (0, 1)))
    return learnt, together


def unmeasured(lessons: Sequence[Lesson], labels: Sequence[str]) -> tuple[dict[str, Learnt], Learnt]:
    """What is known where nothing could be measured."""
    held = mentions(lessons)
    return {label: Learnt(held[n], UNMEASURED) for n, label in enumerate(labels)}, Learnt(held.total(), UNMEASURED)


def mentions(lessons: Iterable[Lesson]) -> Counter[int]:
    """How many mentions there are of each label."""
    return Counter(each.label for lesson in lessons for each in lesson.marked)


def thresholds(readings: Sequence[Reading], labels: int, *, without: int = -1) -> Reals:
    """For each label, and at last for all together, how likely a word must be to be acted upon."""
    used = [each for each in readings if each.part != without]
    words = np.concatenate([np.zeros(0, bool), *(each.words() for each in used)])
    likely = np.concatenate([np.zeros((0, labels), np.float32), *(each.likely.labels for each in used)])[words]
    true = np.concatenate([np.zeros(0, np.int64), *(each.lesson.labels() for each in used)])[words]
    held = mentions(each.lesson for each in used)
    common = threshold(likely.ravel(), (true[:, None] == np.arange(labels)).ravel())
    return np.array(
        [threshold(likely[:, label], true == label) if held[label] >= _SUPPORT else common for label in range(labels)]
        + [common]
    )


def threshold(likely: NDArray[np.float32], true: NDArray[np.bool_]) -> float:
    """How likely something must be to be acted upon, so that about as much is found as can be, by F2."""
    positives = np.count_nonzero(true)
    if not positives:
        return UNMEASURED
    order = np.argsort(-likely, kind="stable")
    order = order[likely[order] >= _LOWEST]
    ranked = np.append(np.minimum(likely[order].astype(np.float64), _HIGHEST), _LOWEST)
    weight = _BETA * _BETA
    scores = (1 + weight) * np.cumsum(true[order]) / (weight * positives + np.arange(1, len(order) + 1))
    # What is as likely is acted upon alike, so only the last of several counts.
    ends = np.flatnonzero(np.append(ranked[1:-1] != ranked[:-2], True))[: len(order)]
    if not len(ends):
        return _LOWEST
    best = int(scores[ends].argmax())
    worse = np.flatnonzero(scores[ends] < _AS_GOOD * scores[ends[best]])
    high, low = worse[worse < best].max(initial=-1) + 1, worse[worse > best].min(initial=len(ends)) - 1
    # The middle of those about as good, where other documents are least likely to fall on the wrong side.
    return float(np.sqrt(ranked[ends[high]] * ranked[ends[low] + 1]))


def _counts(reading: Reading, thresholds: Reals, labels: int) -> Counts:
    """For each label and for all together, by mention and by word: how many are right, wrong and missed."""
    spans, found = reading.found(thresholds[:labels])
    marked = {(each.span.start, each.span.end, each.label) for each in reading.lesson.marked}
    true, words = reading.lesson.labels(), reading.words()
    counts = np.zeros((labels + 1, 2, 3), np.int64)
    for label in range(labels):
        counts[label, 0] = _compared(
            {each for each in spans if each[2] == label}, {each for each in marked if each[2] == label}
        )
        counts[label, 1] = _agreement((found == label) & words, (true == label) & words)
    counts[labels, 0] = _compared({each[:2] for each in spans}, {each[:2] for each in marked})
    counts[labels, 1] = _agreement((found >= 0) & words, (true >= 0) & words)
    return counts


def _compared(found: Set[tuple[int, ...]], marked: Set[tuple[int, ...]]) -> tuple[int, int, int]:
    return len(found & marked), len(found - marked), len(marked - found)


def _agreement(found: NDArray[np.bool_], true: NDArray[np.bool_]) -> tuple[int, int, int]:
    return int((found & true).sum()), int((found & ~true).sum()), int((true & ~found).sum())
