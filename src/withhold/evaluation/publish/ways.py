"""Ways of sanitising that are compared: ours, GreedySanitize as published, the same judged out of fold, and one learner
that was told the costs.

All are measured in the same folds. What does not depend on the costs is learnt once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from withhold.evaluation.publish.corpus import Corpus
from withhold.fit.greedy import MOST, Costs, sanitize
from withhold.fit.lessons import parted
from withhold.learners.sensitive import LEARNERS, Counts, Examples, Flags, Model, out_of_fold, show
from withhold.learners.sieve import NEVER, Step, hide

INNER, HALVES = 4, 2
"""So many folds of the documents that are learnt from judge a model, by our rule and by that of the paper."""

Kind = Literal["cost", "paper", "crossed", "single", "nothing"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a publisher sanitises: by our rule (cost), by that of the paper, by that of the paper out of fold (crossed),
    with one model that weighs costs (single), or not at all.
    """

    name: str
    kind: Kind
    learners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part:
    """What is hidden of the documents of a part, by their numbers, and after how many iterations."""

    hidden: dict[int, Flags]
    iterations: int


def sanitised(corpus: Corpus, way: Way, dears: Sequence[float], number: int) -> list[Part]:
    """One part of the corpus as it is published by what the other parts teach, for each ratio of loss to worth."""
    rest, part = corpus.rest(number), corpus.parts[number]
    if way.kind == "nothing":
        return [Part({n: np.zeros(len(corpus.texts[n]), bool) for n in part}, 0) for _ in dears]
    if way.kind == "single":
        learnt = _single(_as_they_are(corpus, number), way.learners[0], dears)
    elif way.kind == "cost" or (len(way.learners) > 1 and way.kind == "paper"):
        learnt = [_sanitised(corpus, way, dear, rest) for dear in dears]
    else:
        # These learn the same models whatever the costs, which only say how many of them are used.
        whole = _crossed if way.kind == "crossed" else _sanitised
        models, steps, _ = whole(corpus, way, max(dears), rest)
        taken = [_taken(steps, dear) for dear in dears]
        learnt = [(models[:count], steps[:count], count + 1) for count in taken]
    return [
        Part({n: hide(corpus.texts[n], models, steps) for n in part}, iterations)
        for models, steps, iterations in learnt
    ]


Learnt = tuple[Sequence[Model], Sequence[Step], int]


def _taken(steps: Sequence[Step], dear: float) -> int:
    """How many steps are taken until one would cost more than it saves."""
    stops = (n for n, step in enumerate(steps) if dear * step.caught <= step.spoilt)
    return next(stops, len(steps))


def _sanitised(corpus: Corpus, way: Way, dear: float, rest: Sequence[int]) -> Learnt:
    done = sanitize(
        [corpus.texts[n] for n in rest],
        [corpus.sensitive[n] for n in rest],
        parted([corpus.lessons[n] for n in rest], INNER),
        costs=Costs(dear, 1.0),
        learners=way.learners,
        rule="paper" if way.kind == "paper" else "cost",
    )
    return done.models, done.steps, done.iterations


def _crossed(corpus: Corpus, way: Way, dear: float, rest: Sequence[int]) -> Learnt:
    """The loop of the paper, each of whose models is judged, and hides, in documents that it has not learnt from."""
    texts, sensitive = [corpus.texts[n] for n in rest], [corpus.sensitive[n] for n in rest]
    parts, truth = parted([corpus.lessons[n] for n in rest], HALVES), np.concatenate(sensitive)
    hidden = [np.zeros(len(text), bool) for text in texts]
    models: list[Model] = []
    steps: list[Step] = []
    while len(steps) < MOST:
        shown = [show(text, off) for text, off in zip(texts, hidden, strict=True)]
        examples, open_ = Examples(shown, sensitive), ~np.concatenate(hidden)
        tries = []
        for name in way.learners:
            scores = out_of_fold(LEARNERS[name], examples, parts, 1.0)
            tries.append((name, scores, Counts.of((np.concatenate(scores) > 0)[open_], truth[open_])))
        name, scores, counts = min(tries, key=lambda each: each[2].cost(1.0))
        if dear * counts.tp <= counts.fp:
            break
        models.append(LEARNERS[name](examples, 1.0))
        steps.append(Step(name, 0.0, NEVER, counts.tp, counts.fp))
        hidden = [off | (said > 0) for off, said in zip(hidden, scores, strict=True)]
    return models, steps, len(steps) + 1


def _single(examples: Examples, name: str, dears: Sequence[float]) -> list[Learnt]:
    return [((LEARNERS[name](examples, dear),), (Step(name, 0.0, NEVER),), 1) for dear in dears]


@lru_cache(maxsize=1)
def _as_they_are(corpus: Corpus, number: int) -> Examples:
    """The documents of all parts but one, with nothing hidden."""
    rest = corpus.rest(number)
    return Examples([show(corpus.texts[n]) for n in rest], [corpus.sensitive[n] for n in rest])
