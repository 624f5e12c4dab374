"""The documents of an evaluation: what is read, what is drawn, and who learns from which of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from withhold.errors import NotFitted
from withhold.fit.labelled import documents
from withhold.learners.concepts import Concepts
from withhold.learners.features import fingerprint
from withhold.learners.statistics import Statistics
from withhold.private import PrivateFolder

_EMPTY_LINE = re.compile(r"\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Case:
    """One document, its class of the secret attribute, and its class of the kept one."""

    text: str = field(repr=False)
    secret: str = field(repr=False)
    keep: str = field(repr=False)

    def body(self) -> Case:
        """Without everything up to the first empty line, which is the header of a mail; as it is if there is none."""
        found = _EMPTY_LINE.search(self.text)
        return replace(self, text=self.text[found.end() :]) if found else self


@dataclass(frozen=True, slots=True, repr=False)
class Split:
    """Documents to redact, and those that the planner and the attackers learn from: none is in two of the lists."""

    test: Sequence[Case]
    planner: Sequence[Case]
    attackers: Sequence[Case]


def load(source: Path, secret: str, keep: str, *, body: bool = False) -> list[Case]:
    """The documents that have exactly one class of each attribute.

    Raises:
        DocumentError: if the source cannot be read.
        MalformedData: if a record is wrong or lacks a field.
        NotFitted: if there is no such document.
    """
    found = []
    for document in documents(source, secret, [keep]):
        if len(document.labels[secret]) == len(document.labels.get(keep, ())) == 1:
            case = Case(document.text, document.labels[secret][0], document.labels[keep][0])
            found.append(case.body() if body else case)
    if not found:
        raise NotFitted(f"{source}: no document has one {secret!r} and one {keep!r}; give documents that do")
    return found


def draw(cases: Sequence[Case], size: int | None, seed: int) -> list[Case]:
    """So many of the cases by chance, in their order; all of them if there are no more or no size is given."""
    if size is None or size >= len(cases):
        return list(cases)
    chosen = np.random.default_rng(seed).choice(len(cases), size, replace=False)
    return [cases[number] for number in np.sort(chosen)]


def split(cases: Sequence[Case], train: Sequence[Case] | None, size: int, seed: int) -> Split:
    """Documents to test, at most a third of all, and two halves of the rest, or of `train`; by chance, but copies of
    one text always stay together.
    """
    if train is not None:
        groups = _halves(_shuffled(train, seed))
        return Split(draw(cases, size, seed), *groups)
    shuffled = _shuffled(cases, seed)
    test = _whole(shuffled, min(size, len(cases) // 3))
    return Split(shuffled[:test], *_halves(shuffled[test:]))


def known(cases: Sequence[Case], secrets: Collection[str], keeps: Collection[str]) -> list[Case]:
    """The cases whose classes can be told at all."""
    return [case for case in cases if case.secret in secrets and case.keep in keeps]


def learn(cases: Sequence[Case], secret: str, keep: str) -> Concepts:
    """A concept model of both attributes, with all words in use."""
    statistics = Statistics()
    statistics.add([case.text for case in cases], [{secret: (case.secret,), keep: (case.keep,)} for case in cases])
    return Concepts(statistics, secret)


@contextmanager
def saved(model: Concepts) -> Iterator[Path]:
    """Where workers find the model: a private folder, gone in the end."""
    with PrivateFolder() as folder:
        yield model.save(folder.path / "model")


def _shuffled(cases: Sequence[Case], seed: int) -> list[Case]:
    """In an order by chance, in which copies are neighbours."""
    _, copies = np.unique(np.array([fingerprint(case.text) for case in cases], np.uint64), return_inverse=True)
    places = np.random.default_rng(seed).permutation(len(cases))
    order = np.lexsort((np.arange(len(cases)), places[copies]))
    return [cases[number] for number in order]


def _halves(cases: list[Case]) -> tuple[list[Case], list[Case]]:
    middle = _whole(cases, len(cases) // 2)
    return cases[:middle], cases[middle:]


def _whole(cases: Sequence[Case], size: int) -> int:
    """The least end that is not before `size` and tears no copies apart."""
    while 0 < size < len(cases) and fingerprint(cases[size].text) == fingerprint(cases[size - 1].text):
        size += 1
    return size
