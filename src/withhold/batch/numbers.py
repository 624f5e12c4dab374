"""One number for an entity in all files of a batch."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from withhold.batch.pool import Ended
from withhold.codec import Value
from withhold.detectors.entities.names import Named, named, specific
from withhold.operators.entities import Numbers
from withhold.planners.direct import DirectPlanner
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.types import excerpt

_MANY = 8
"""A name that so many others may be shortened to says nothing."""


@dataclass(frozen=True, slots=True)
class Entities(Value):
    """The entities of one file, and the digest of the text they are in."""

    reading: str = field(repr=False)
    named: tuple[Named, ...]


@dataclass
class NameEntities:
    """Finds the entities of one file after another: what a worker does before anything is redacted."""

    policy: Policy

    @cached_property
    def redactor(self) -> Redactor:
        return Redactor(self.policy)

    def __call__(self, source: str) -> Entities:
        document = self.redactor.read(source)
        plan = DirectPlanner.from_policy(self.policy).plan(self.redactor.detect(document), ())
        texts = excerpt(document, [edit.span for edit in plan.edits])
        return Entities(document.reading, tuple(named(plan.edits, texts)))


class Register:
    """The entities of all files of a batch.

    Two are the same if they have the same label and name. One that a file calls only by a shorter name, such as a
    surname, is the one of that label that other files call by a longer one, if there is only one such; if there are
    several, it is nobody else. Numbers are given by first appearance, in the order of the files, whatever the order in
    which they are looked through.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.failed: dict[str, Ended[Entities]] = {}
        """How it ended for files that could not be looked through."""
        self._index = {file: index for index, file in enumerate(files)}
        self._files = list(files)
        self._readings: dict[int, str] = {}
        self._rows: dict[int, array[int]] = {}
        self._labels: dict[str, int] = {}
        self._known: dict[tuple[int, str], int] = {}
        self._longer: dict[int, set[int]] = {}

    def add(self, ended: Ended[Entities]) -> None:
        """Take note of what was found in a file."""
        if ended.value is None:
            self.failed[self._files[ended.index]] = ended
            return
        self._readings[ended.index] = ended.value.reading
        row = self._rows[ended.index] = array("q")
        for each in ended.value.named:
            label = self._labels.setdefault(each.label, len(self._labels))
            name = self._know(label, each.name)
            row.extend((label, each.entity, name))
            for shorter in each.shorter:
                longer = self._longer.setdefault(self._know(label, shorter), set())
                if len(longer) <= _MANY and specific(shorter) < specific(each.name):
                    longer.add(name)

    def of(self, file: str) -> tuple[Numbers, str]:
        """The numbers that the entities of a file have, and the digest of the text they are in."""
        numbers, counts = self._numbered
        labels = list(self._labels)
        index = self._index[file]
        own = {(labels[label], entity): numbers[thing] for label, entity, thing in self._things(index)}
        return Numbers(own, counts), self._readings[index]

    @cached_property
    def _numbered(self) -> tuple[dict[object, int], dict[str, int]]:
        """The number of every entity, and how many there are of each label."""
        numbers: dict[object, int] = {}
        counts = [0] * len(self._labels)
        for index in sorted(self._rows):
            for label, _, thing in self._things(index):
                if thing not in numbers:
                    counts[label] += 1
                    numbers[thing] = counts[label]
        return numbers, dict(zip(self._labels, counts, strict=True))

    def _things(self, index: int) -> Iterator[tuple[int, int, object]]:
        """The entities of a file: label, number in the file, and what is the same in other files if it is the same."""
        row = self._rows[index]
        for at in range(0, len(row), 3):
            label, entity, name = row[at : at + 3]
            meant = self._same[name]
            yield label, entity, (index, name) if meant is None else meant

    def _know(self, label: int, name: str) -> int:
        return self._known.setdefault((label, name), len(self._known))

    @cached_property
    def _same(self) -> list[int | None]:
        """For each name the one it stands for, itself as a rule; None for one that may stand for several."""
        same: list[int | None] = list(range(len(self._known)))
        for (_, _), number in sorted(self._known.items(), key=lambda each: specific(each[0][1]), reverse=True):
            longer = self._longer.get(number, set())
            meant = {same[each] for each in longer}
            if meant:
                same[number] = meant.pop() if len(meant) == 1 and len(longer) <= _MANY else None
        return same
