"""The experiment of the paper: is the true class found by Naive Bayes that knows everything but the document?

The model is fitted on all documents with the most telling words, chosen on all of them too, as in the paper. Every
document is then redacted for each k, and its text read again by the same model, from which the counts of the document
itself are subtracted: exactly the model fitted without it. The `textbook` planner, like the paper's, plans with the
document in its model; the attacker never has it.

What k means: the paper's formula for k-eval is written with error at k and accuracy at k + 1 guesses, and its
definition asks for k classes before the true one, but its program has k - 1 confusers, and its text speaks of the error
up to k - 1 guesses and the accuracy at k. We take the latter: k - 1 other classes come first, the class must be missed
by k - 1 guesses and should be found by k, and k-eval is the mean of that error, that accuracy and the accuracy of
k guesses at the kept class. `k_eval_strict` allows one guess at the kept class instead: among few classes, k guesses
say little. Neither says what another reader can tell: a planner that knows the attacker's model can always score high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from withhold.codec import Value
from withhold.evaluation.concepts.cases import Case, known, learn, saved
from withhold.evaluation.concepts.redacting import Redacting, Track, Way, in_chunks, rank, read
from withhold.risk.concepts import PAPER_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Reals = NDArray[np.float64]

MOST_GUESSES = 20


@dataclass(frozen=True, slots=True)
class Measures(Value):
    """Shares of documents, but `suppressed` and `generalised`, which are shares of a document's words, averaged.

    `sensitive_error` is the secret missed by k - 1 guesses, `secret_accuracy` found by k; `utility_accuracy` is the
    kept class found by k guesses, `utility_at_1` by one. `confusable` is what the planner says of its own work.
    """

    k_eval: float
    k_eval_strict: float
    sensitive_error: float
    secret_accuracy: float
    utility_accuracy: float
    utility_at_1: float
    suppressed: float
    generalised: float
    confusable: float

    @classmethod
    def of(cls, found: Ranks, k: int) -> Measures:
        error, accuracy = 1.0 - share(found.secret, k - 1), share(found.secret, k)
        utility, at_once = share(found.keep, k), share(found.keep, 1)
        return cls(
            k_eval=(utility + error + accuracy) / 3,
            k_eval_strict=(at_once + error + accuracy) / 3,
            sensitive_error=error,
            secret_accuracy=accuracy,
            utility_accuracy=utility,
            utility_at_1=at_once,
            suppressed=float(found.suppressed.mean()),
            generalised=float(found.generalised.mean()),
            confusable=float(found.confusable.mean()),
        )

    @classmethod
    def mean(cls, several: Sequence[Measures]) -> Measures:
        return cls(*(float(np.mean([getattr(each, item.name) for each in several])) for item in fields(cls)))


@dataclass(frozen=True, slots=True)
class Curve(Value):
    """For 1, 2, ... guesses: how often the secret class is missed, and how often the kept one is found."""

    k: int
    secret_error: tuple[float, ...]
    utility_accuracy: tuple[float, ...]

    @classmethod
    def of(cls, found: Ranks, k: int, classes: int) -> Curve:
        guesses = range(1, min(MOST_GUESSES, classes) + 1)
        error = tuple(1.0 - share(found.secret, each) for each in guesses)
        return cls(k, error, tuple(share(found.keep, each) for each in guesses))


@dataclass(frozen=True, slots=True)
class Row(Value):
    """One way of redacting: the measures at each k, and their means."""

    objective: str
    generalise: bool
    mean: Measures
    per_k: tuple[Measures, ...]
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class Result(Value):
    """The rows of Table 1, the first of which is of the documents as they are."""

    documents: int
    left_out: int
    classes: int
    kept_classes: int
    words: int
    unredacted: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class Ranks:
    """What became of each document: where the attacker ranks its classes, and what was done to it."""

    secret: Whole
    keep: Whole
    suppressed: Reals
    generalised: Reals
    confusable: Reals

    @classmethod
    def of(cls, table: Reals) -> Ranks:
        secret, keep, suppressed, generalised, confusable = table.T
        return cls(secret.astype(np.int64), keep.astype(np.int64), suppressed, generalised, confusable)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a worker does with each document: redact it in each way for each k, and attack it. `own` says whether the
    model has learnt the documents, and each must be taken out for its own sake.
    """

    redacting: Redacting
    ways: tuple[Way, ...]
    ks: tuple[int, ...]
    own: bool

    def __call__(self, cases: Sequence[Case]) -> list[Reals]:
        return [self.attempt(case) for case in cases]

    def attempt(self, case: Case) -> Reals:
        """The columns of `Ranks`, one row for the document as it is, and one for each way and k."""
        rows = [[*self.attack(case, case.text), 0.0, 0.0, 0.0]]
        several = {}
        for way in self.ways:
            if way.generalise not in several:
                several[way.generalise] = self.redacting.choices(case, generalise=way.generalise)
            for k in self.ks:
                made = self.redacting.redact(case, several[way.generalise], k, way.objective)
                rows.append([*self.attack(case, made.text), made.suppressed, made.generalised, float(made.confusable)])
        return np.array(rows, np.float64)

    def attack(self, case: Case, text: str) -> tuple[int, int]:
        """The ranks of the secret and the kept class, as Naive Bayes without the document has them. Ties are won by the
        attacker, and lost by who looks for the kept class.
        """
        secret, keep = self.redacting.secret, self.redacting.keep
        learnt = {secret: case.secret, keep: case.keep} if self.own else {}
        reading = read(self.redacting.model, text, case, learnt)
        true = [reading.bayes(name).classes.index(value) for name, value in ((secret, case.secret), (keep, case.keep))]
        return rank(reading.scores(secret), true[0]), rank(reading.scores(keep), true[1], ties=False)


def run(
    cases: Sequence[Case],
    train: Sequence[Case],
    *,
    own: bool,
    attributes: tuple[str, str],
    aim: str,
    ways: Sequence[Way],
    ks: Sequence[int],
    seed: int,
    jobs: int,
    track: Track,
) -> Result:
    """Redact the cases with a model fitted on `train`, which the cases are among if they are its `own`."""
    model = learn(train, *attributes)
    secret, keep = (model.attributes[name].classes for name in attributes)
    asked = known(cases, secret, keep)
    with saved(model) as folder:
        redacting = Redacting(folder, PAPER_WORDS, *attributes, aim=aim, seed=seed)  # type: ignore[arg-type]
        attempt = Attempt(redacting, tuple(ways), tuple(ks), own)
        tables = np.stack(in_chunks(attempt, asked, jobs=jobs, track=track, doing="Redacting and attacking"))
    found = [Ranks.of(tables[:, number]) for number in range(tables.shape[1])]
    rows = [
        _row(way, found[1 + start * len(ks) : 1 + (start + 1) * len(ks)], ks, len(secret))
        for start, way in enumerate(ways)
    ]
    return Result(
        documents=len(asked),
        left_out=len(cases) - len(asked),
        classes=len(secret),
        kept_classes=len(keep),
        words=min(PAPER_WORDS, len(model.words)),
        unredacted=_row(Way("none"), [found[0]] * len(ks), ks, len(secret)),
        rows=tuple(rows),
    )


def _row(way: Way, found: Sequence[Ranks], ks: Sequence[int], classes: int) -> Row:
    several = tuple(Measures.of(each, k) for each, k in zip(found, ks, strict=True))
    curves = tuple(Curve.of(each, k, classes) for each, k in zip(found, ks, strict=True))
    return Row(way.objective, way.generalise, Measures.mean(several), several, curves)


def share(ranks: Whole, guesses: int) -> float:
    """How often the class is among so many guesses."""
    return float(np.mean(ranks <= guesses)) if len(ranks) else 0.0
