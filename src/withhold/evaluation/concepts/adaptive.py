"""The adaptive loop: attackers learn from redacted documents, plans take account of what they found, and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from withhold.codec import Value
from withhold.errors import NotFitted, PolicyError
from withhold.evaluation.concepts.cases import Case
from withhold.evaluation.concepts.redacting import Redacted, Redacting, Track, in_chunks
from withhold.fit.attackers import drop_adaptive, fit_adaptive
from withhold.learners.attackers import adaptive
from withhold.learners.concepts import FOUND, Concepts
from withhold.learners.intervals import wilson
from withhold.learners.statistics import Statistics

FEWEST = 40
"""With fewer documents, nothing an attacker learns from half of them says anything."""


@dataclass(frozen=True, slots=True)
class Round(Value):
    """How attackers fared who had learnt from redacted documents of the same kind.

    `hits` is the share of other documents whose class was among their first k - 1 guesses, `floor` what always
    guessing the most frequent classes gives, `suppressed` the share of words that were removed.
    """

    number: int
    hits: float
    interval: tuple[float, float]
    floor: float
    suppressed: float
    documents: int

    @property
    def is_at_floor(self) -> bool:
        return self.interval[0] <= self.floor


@dataclass(frozen=True, slots=True)
class _Redact:
    redacting: Redacting
    k: int

    def __call__(self, cases: Sequence[Case]) -> list[Redacted]:
        return [self._redact(case) for case in cases]

    def _redact(self, case: Case) -> Redacted:
        return self.redacting.redact(case, self.redacting.choices(case, generalise=False), self.k, "balanced")


def adapt(
    folder: Path, cases: Sequence[Case], *, secret: str, keep: str, k: int, rounds: int, jobs: int, track: Track
) -> list[Round]:
    """Attack, take account of what was found, and again: until attackers are at their floor, or `rounds` times.

    `cases` are documents the model in the folder has not learnt. What attackers found is kept in the folder, and every
    plan with this model takes account of it. If they are still above their floor in the end, attackers that learnt from
    the last redactions are kept there too, and tried on every redaction; those at the floor have learnt nothing.

    Raises:
        NotFitted: if there are too few documents to attack.
        PolicyError: if they are of fewer than k classes.
    """
    if len(cases) < FEWEST:
        raise NotFitted(f"attackers need at least {FEWEST} documents that the model has not learnt; hold out more")
    classes = len({case.secret for case in cases})
    if k > classes:
        raise PolicyError(f"k = {k} is more than the {classes} classes of {secret!r} that attackers know")
    half = len(cases) // 2
    train, test = cases[:half], cases[half:]
    done: list[Round] = []
    for number in range(1, rounds + 1):
        redacting = Redacting(folder, None, secret, keep, "release")
        made = in_chunks(_Redact(redacting, k), [*train, *test], jobs=jobs, track=track, doing=f"Round {number}")
        done.append(_attack(number, made, train, test, k))
        if done[-1].is_at_floor:
            drop_adaptive(folder)
            break
        if number == rounds:
            fit_adaptive(folder, [each.text for each in made], [case.secret for case in (*train, *test)])
        statistics = Statistics()
        labels = [{secret: (case.secret,), keep: (case.keep,)} for case in train]
        statistics.add([each.text for each in made[:half]], labels)
        Concepts(statistics, secret).save(folder / FOUND / f"{len(list((folder / FOUND).glob('*'))) + 1:03}")
    return done


def _attack(number: int, made: Sequence[Redacted], train: Sequence[Case], test: Sequence[Case], k: int) -> Round:
    classes = sorted({case.secret for case in [*train, *test]})
    known, asked = ([classes.index(case.secret) for case in some] for some in (train, test))
    texts = [each.text for each in made]
    half = len(train)
    rates = adaptive(texts[:half], known, texts[half:], asked, len(classes), k - 1)
    hits = max(each[-1] for each in rates.values())
    frequent = np.argsort(-np.bincount(known, minlength=len(classes)), kind="stable")[: k - 1]
    floor = float(np.isin(asked, frequent).mean())
    suppressed = float(np.mean([each.suppressed for each in made]))
    return Round(number, hits, wilson(round(hits * len(test)), len(test)), floor, suppressed, len(made))
