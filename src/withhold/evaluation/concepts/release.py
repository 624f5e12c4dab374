"""What readers can tell whom the planner did not know: they learnt from other documents, with words of their own.

The planner's model is fitted on one half of the documents, the attackers on the other, and none of them has seen the
documents that are redacted. An attacker succeeds if the true class is among its first k - 1 guesses. Three kinds are
tried: six classifiers that learnt from documents as they are, two that learnt from redacted ones and their true
classes, and one that has the planner's model and knows at which ranks the true class usually ends up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np

from withhold.codec import Value
from withhold.errors import NotFitted
from withhold.evaluation.concepts.cases import Case, Split, known, learn, saved
from withhold.evaluation.concepts.redacting import Redacted, Redacting, Track, Way, in_chunks, rank, read
from withhold.learners.attackers import Family, fit_family, ranks
from withhold.learners.intervals import wilson
from withhold.risk.concepts import PAPER_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.planners.aims import Aim

    Whole = NDArray[np.int64]
    Flags = NDArray[np.bool_]

SAMPLE = 600
"""So many documents are redacted and attacked, if nothing else is asked for."""

ADAPTIVE = 2_000
"""So many redacted documents, at most, an attacker can learn from."""

_ADAPTIVE_NAMES = ("naive_bayes", "logistic")


@dataclass(frozen=True, slots=True)
class Rate(Value):
    """How often something is so, in so many documents as were tried, and between which shares that is at 95 %."""

    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: Flags) -> Rate:
        count = int(np.count_nonzero(hits))
        return cls(count / max(len(hits), 1), *wilson(count, len(hits)))


@dataclass(frozen=True, slots=True)
class Attacked(Value):
    """How often an attacker succeeds on redacted documents, and on the same ones as they are."""

    redacted: Rate
    unredacted: Rate


@dataclass(frozen=True, slots=True)
class Release(Value):
    """What was left to tell after one way of redacting, at one k.

    `worst_attacker` is the success of the best of `attackers` (`worst_name`), `union` how often any of them succeeds.
    `adaptive` is the success of the better of two that learnt from `adaptive_documents` redacted documents, and
    `adaptive_at_1` with one guess. `rank_attack` is the success of one guess by who has the planner's model and names
    the class at the likeliest rank; `rank_attack_several` that of k - 1 guesses. `floor` needs no text: it names the
    k - 1 most frequent classes. `utility_at_1` is the kept class found by Naive Bayes at once. `suppressed` and
    `generalised` are shares of a document's words, averaged, `confusable` is what the planner says. `intervals` are
    those of the shares of documents, at 95 %.
    """

    k: int
    objective: str
    generalise: bool
    documents: int
    left_out: int
    worst_attacker: float
    worst_name: str
    attackers: Mapping[str, Attacked]
    union: float
    union_unredacted: float
    utility_at_1: float
    utility_at_1_unredacted: float
    adaptive: float
    adaptive_at_1: float
    adaptive_attackers: Mapping[str, Rate]
    adaptive_documents: int
    rank_attack: float
    rank_attack_several: float
    floor: float
    suppressed: float
    generalised: float
    confusable: float
    intervals: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Standing:
    """A redacted document, and the rank of its true class in the planner's model."""

    made: Redacted = field(repr=False)
    rank: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a worker does with each document: redact it in each way. The model has not learnt any of them."""

    redacting: Redacting
    ways: tuple[Way, ...]
    k: int

    def __call__(self, cases: Sequence[Case]) -> list[list[Standing]]:
        return [[self.attempt(case, way) for way in self.ways] for case in cases]

    def attempt(self, case: Case, way: Way) -> Standing:
        redacting, secret = self.redacting, self.redacting.secret
        choices = redacting.choices(case, generalise=way.generalise)
        made = redacting.redact(case, choices, self.k, way.objective)
        reading = read(redacting.model, made.text, case, {})
        return Standing(made, rank(reading.scores(secret), reading.bayes(secret).classes.index(case.secret)))


@dataclass(frozen=True, eq=False, repr=False)
class Readers:
    """Attackers and who looks for the kept class, fitted on documents that the planner has not seen."""

    guesses: int
    family: Family
    keeper: Family

    @classmethod
    def fit(cls, cases: Sequence[Case], guesses: int, secrets: Sequence[str], keeps: Sequence[str]) -> Readers:
        texts = [case.text for case in cases]
        family = fit_family(texts, _numbers([case.secret for case in cases], secrets), secrets)
        keeper = fit_family(texts, _numbers([case.keep for case in cases], keeps), keeps, names=("naive_bayes",))
        return cls(guesses, family, keeper)

    def secret(self, cases: Sequence[Case]) -> Whole:
        return _numbers([case.secret for case in cases], self.family.classes)

    def hits(self, texts: Sequence[str], cases: Sequence[Case]) -> dict[str, Flags]:
        """Of which texts each attacker finds the class."""
        y = self.secret(cases)
        return {name: self.family.ranks(name, texts, y) <= self.guesses for name in self.family.names}

    def recognised(self, texts: Sequence[str], cases: Sequence[Case]) -> Flags:
        """Of which texts the kept class is found at once."""
        told = self.keeper.ranks("naive_bayes", texts, _numbers([case.keep for case in cases], self.keeper.classes))
        return cast("Flags", told == 1)

    def frequent(self, cases: Sequence[Case]) -> Flags:
        """Which documents are of the most frequent classes."""
        first = np.argsort(-self.family.documents, kind="stable")[: self.guesses]
        return np.isin(self.secret(cases), first)


def run(
    parts: Split,
    *,
    attributes: tuple[str, str],
    aim: Aim,
    ways: Sequence[Way],
    k: int,
    seed: int,
    jobs: int,
    track: Track,
) -> list[Release]:
    """Redact the documents to test in each way, and attack them.

    Raises:
        NotFitted: if there are too few documents to learn from.
    """
    model = learn(parts.planner, *attributes)
    secret, keep = (model.attributes[name].classes for name in attributes)
    test = known(parts.test, secret, keep)
    train = known(parts.attackers, secret, keep)[:ADAPTIVE]
    if not test or not train:
        raise NotFitted("too few documents to test, to plan and to attack with; give more")
    limit = None if aim == "release" else PAPER_WORDS
    with saved(model) as folder:
        attempt = Attempt(Redacting(folder, limit, *attributes, aim=aim, seed=seed), tuple(ways), k)
        made = in_chunks(attempt, [*test, *train], jobs=jobs, track=track, doing="Redacting")
    names = [sorted({getattr(case, name) for case in (*test, *parts.attackers)}) for name in ("secret", "keep")]
    readers = Readers.fit(parts.attackers, k - 1, *names)
    before = _Before(readers, test)
    return [
        before.after(
            way,
            train,
            [each[number] for each in made[: len(test)]],
            [each[number] for each in made[len(test) :]],
            left_out=len(parts.test) - len(test),
        )
        for number, way in enumerate(ways)
    ]


class _Before:
    """What readers can tell of the documents as they are; `after` compares it with redacted ones."""

    def __init__(self, readers: Readers, test: Sequence[Case]) -> None:
        self.readers = readers
        self.test = test
        texts = [case.text for case in test]
        self.hits = readers.hits(texts, test)
        self.recognised = readers.recognised(texts, test)

    def after(
        self, way: Way, train: Sequence[Case], tested: Sequence[Standing], learnt: Sequence[Standing], *, left_out: int
    ) -> Release:
        texts = [each.made.text for each in tested]
        hits = self.readers.hits(texts, self.test)
        worst = max(hits, key=lambda name: int(hits[name].sum()))
        adaptive = self._adaptive(train, [each.made.text for each in learnt], texts)
        better = max(adaptive, key=lambda name: int((adaptive[name] <= self.readers.guesses).sum()))
        shares = {
            "worst_attacker": hits[worst],
            "union": np.any(list(hits.values()), axis=0),
            "union_unredacted": np.any(list(self.hits.values()), axis=0),
            "utility_at_1": self.readers.recognised(texts, self.test),
            "utility_at_1_unredacted": self.recognised,
            "adaptive": adaptive[better] <= self.readers.guesses,
            "adaptive_at_1": adaptive[better] == 1,
            "rank_attack": guessed_ranks(learnt, tested, 1),
            "rank_attack_several": guessed_ranks(learnt, tested, self.readers.guesses),
            "floor": self.readers.frequent(self.test),
            "confusable": np.array([each.made.confusable for each in tested]),
        }
        rates = {name: Rate.of(flags) for name, flags in shares.items()}
        return Release(
            k=self.readers.guesses + 1,
            objective=way.objective,
            generalise=way.generalise,
            documents=len(tested),
            left_out=left_out,
            worst_name=worst,
            attackers={name: Attacked(Rate.of(hits[name]), Rate.of(self.hits[name])) for name in hits},
            adaptive_attackers={name: Rate.of(found <= self.readers.guesses) for name, found in adaptive.items()},
            adaptive_documents=len(learnt),
            suppressed=float(np.mean([each.made.suppressed for each in tested])),
            generalised=float(np.mean([each.made.generalised for each in tested])),
            intervals={name: (rate.low, rate.high) for name, rate in rates.items()},
            **{name: rate.rate for name, rate in rates.items()},
        )

    def _adaptive(self, train: Sequence[Case], learnt: Sequence[str], texts: Sequence[str]) -> dict[str, Whole]:
        """The ranks that attackers give the true classes who learnt from redacted documents."""
        classes = self.readers.family.classes
        family = fit_family(learnt, self.readers.secret(train), classes, names=_ADAPTIVE_NAMES)
        return {name: ranks(family.scores(name, texts), self.readers.secret(self.test)) for name in family.names}


def guessed_ranks(learnt: Sequence[Standing], tested: Sequence[Standing], guesses: int) -> Flags:
    """Which documents have their true class at one of the ranks where those of others most often are."""
    often = np.bincount([each.rank for each in learnt])
    likeliest = np.argsort(-often, kind="stable")[:guesses]
    return np.isin([each.rank for each in tested], likeliest)


def _numbers(values: Sequence[str], classes: Sequence[str]) -> Whole:
    at = {name: number for number, name in enumerate(classes)}
    return np.array([at[value] for value in values], np.int64)
