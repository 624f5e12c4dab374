"""Marked documents in folds, and what of them is published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from withhold.errors import NotFitted
from withhold.evaluation.detection.counting import idle
from withhold.fit.greedy import flags
from withhold.fit.lessons import Lesson, parted
from withhold.learners.intervals import wilson
from withhold.learners.sensitive import Counts, Flags
from withhold.learners.tokens import Tokens

Report = dict[str, Any]

FOLDS = 4


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents in parts, and which of their words are sensitive, and count."""

    lessons: Sequence[Lesson]
    sensitive: Sequence[Flags]
    counted: Sequence[Flags]
    parts: Sequence[Sequence[int]]

    @classmethod
    def of(cls, lessons: Sequence[Lesson]) -> Corpus:
        """The documents in four parts.

        Raises:
            NotFitted: if there are not three that differ.
        """
        sensitive, parts = [flags(each) for each in lessons], parted(lessons, FOLDS)
        if len(parts) < 3:
            raise NotFitted("there must be at least three documents that differ: some to learn from, some to be judged")
        counted = [_counted(each, marked) for each, marked in zip(lessons, sensitive, strict=True)]
        return cls(lessons, sensitive, counted, parts)

    @property
    def texts(self) -> list[Tokens]:
        return [each.tokens for each in self.lessons]

    @property
    def words(self) -> int:
        return sum(int(each.sum()) for each in self.counted)

    @property
    def total(self) -> int:
        """How many words are sensitive."""
        return sum(self.held(n) for n in range(len(self.lessons)))

    def held(self, number: int) -> int:
        """How many words of a document are sensitive."""
        return int((self.sensitive[number] & self.counted[number]).sum())

    def left(self, number: int, hidden: Flags) -> int:
        """How many of them are published."""
        return int((self.sensitive[number] & self.counted[number] & ~hidden).sum())

    def harmless(self, part: int) -> int:
        """How many words of a part are not sensitive."""
        return sum(int((self.counted[n] & ~self.sensitive[n]).sum()) for n in self.parts[part])

    def rest(self, number: int) -> list[int]:
        """The documents of all parts but one."""
        return [n for other, part in enumerate(self.parts) if other != number for n in part]

    def published(self, hidden: Sequence[Flags]) -> Report:
        """How much is published, and how much of that is sensitive."""
        counted = np.concatenate(list(self.counted))
        off = np.concatenate(list(hidden))[counted]
        counts = Counts.of(off, np.concatenate(list(self.sensitive))[counted])
        total = counts.tp + counts.fn
        return {
            "kept": counts.tn / max(1, counts.tn + counts.fp),
            "publish_ratio": float((~off).mean()),
            "cap": 1 - total / len(off),
            "residual_share": counts.fn / max(1, total),
            "residual_range": list(wilson(counts.fn, total)),
        }


def _counted(lesson: Lesson, sensitive: Flags) -> Flags:
    tokens = lesson.tokens
    return np.array(
        [
            form[0].isalnum() and not (marked and idle(lesson.text, tokens.span(place, place)))
            for place, (form, marked) in enumerate(zip(tokens.forms, sensitive.tolist(), strict=True))
        ],
        bool,
    )
