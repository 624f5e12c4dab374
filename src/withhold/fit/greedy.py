"""GreedySanitize: learn to find sensitive words, hide what is found, and learn anew from what is left, until the next
model would spoil more than it saves.

As published the loop judges each model by the very documents that it has learnt from. A model that remembers them finds
everything there, so it stops early and leaves much in others: that is the rule "paper". By the rule "cost" every
document is read by models that have learnt from others, the thresholds are those at which what is missed and what is
spoilt cost least, and equal words of a document go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np

from withhold.errors import NotFitted
from withhold.fit.annotated import Annotated
from withhold.fit.detector import read_split, refuse_inside, versions
from withhold.fit.lessons import Lesson, parted, prepare
from withhold.learners import second_look
from withhold.learners.crf import Reals
from withhold.learners.measures import Measure
from withhold.learners.sensitive import LEARNERS, Counts, Examples, Flags, Model, out_of_fold, show
from withhold.learners.sieve import NEVER, Rule, Sieve, Sifted, Step, called, check_free, tops
from withhold.learners.tokens import Tokens

CAUTION = 2.0
"""So much dearer a missed word counts when thresholds are chosen: those that are best for some documents miss more in
others."""
MOST = 50
"""The loop ends by itself; this many models would mean that it does not."""
GRID = 200
"""So many thresholds are tried."""
FEW = {"crf": 2, "cascade": 2}
"""Those that take long to learn are judged in fewer folds."""
SEVERAL = "SENSITIVE"
"""What is found is called this if it has several labels in the documents."""

_KERNEL = np.array([NormalDist().inv_cdf((step + 0.5) / 9) for step in range(9)])


@dataclass(frozen=True, slots=True)
class Costs:
    """What a sensitive word that is published costs, and another that is not."""

    loss: float = 10.0
    worth: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.loss < 1e9 and 0 < self.worth < 1e9):
            raise ValueError("loss and worth are above 0")

    @property
    def dear(self) -> float:
        return self.loss / self.worth


@dataclass(frozen=True, eq=False, repr=False)
class Greedy:
    """What came of the loop: models and steps, how many models were learnt, and what is hidden of each text."""

    models: tuple[Model, ...]
    steps: tuple[Step, ...]
    iterations: int
    hidden: tuple[Flags, ...]


@dataclass(frozen=True, eq=False, repr=False)
class _Try:
    """One attempt: how it would be used, what that gains, what it says of each text, and how to make its model."""

    step: Step
    gain: float
    scores: Sequence[Reals]
    model: Callable[[], Model]


def sanitize(
    texts: Sequence[Tokens],
    sensitive: Sequence[Flags],
    parts: Sequence[Sequence[int]],
    *,
    costs: Costs,
    learners: Sequence[str] = ("svm",),
    rule: Rule = "cost",
) -> Greedy:
    """Algorithm 1 over texts whose words are known to be sensitive or not; `parts` are the folds of the rule "cost".

    Each iteration takes the learner that gains most of those named.
    """
    hidden = [np.zeros(len(text), bool) for text in texts]
    models: list[Model] = []
    steps: list[Step] = []
    while len(steps) < MOST:
        shown = [show(text, off) for text, off in zip(texts, hidden, strict=True)]
        examples = Examples(shown, sensitive)
        if rule == "paper":
            tries = [_as_published(name, examples, costs.dear) for name in learners]
        else:
            tries = [each for name in learners for each in _out_of_fold(name, examples, parts, costs.dear)]
        best = max(tries, key=lambda each: each.gain)
        if best.gain <= 0:
            break
        models.append(best.model())
        steps.append(best.step)
        hidden = [
            off | called(text, off, scores, best.step)
            for text, off, scores in zip(texts, hidden, best.scores, strict=True)
        ]
    return Greedy(tuple(models), tuple(steps), len(steps) + 1, tuple(hidden))


def _as_published(name: str, examples: Examples, dear: float) -> _Try:
    """A model as it is, judged by what it has learnt from."""
    model = LEARNERS[name](examples, 1.0)
    scores = model.rate(examples)
    counts = Counts.of((scores > 0)[~examples.hidden], examples.sensitive[~examples.hidden])
    step = Step(name, 0.0, NEVER, counts.tp, counts.fp)
    # T(H u h) - T(H) is what is newly spoilt less what is newly caught.
    return _Try(step, dear * counts.tp - counts.fp, examples.by_text(scores), lambda: model)


def _out_of_fold(name: str, examples: Examples, parts: Sequence[Sequence[int]], dear: float) -> Iterator[_Try]:
    """What a learner does in texts that it has not learnt from, at the thresholds that cost least; by itself, and with
    a second look.
    """
    parts = _few(parts, FEW[name]) if name in FEW else parts
    first = out_of_fold(LEARNERS[name], examples, parts, 1.0)
    yield _judged(name, examples, first, dear, lambda: LEARNERS[name](examples, 1.0))
    looks = [second_look.views(shown, said) for shown, said in zip(examples.shown, first, strict=True)]
    again: dict[int, Reals] = {}
    for part in parts:
        trees = second_look.taught(examples, looks, [n for other in parts if other is not part for n in other])
        again |= {n: trees.scores(looks[n]) for n in part} if trees else {}
    whole = second_look.taught(examples, looks, range(len(looks))) if len(again) == len(looks) else None
    if whole is not None:
        trees = whole
        said = [again[n] for n in range(len(looks))]
        yield _judged(name, examples, said, dear, lambda: second_look.Twice(LEARNERS[name](examples, 1.0), trees))


def _few(parts: Sequence[Sequence[int]], most: int) -> list[list[int]]:
    """The parts put together to so many."""
    return [sorted(n for part in parts[start::most] for n in part) for start in range(min(most, len(parts)))]


def _judged(name: str, examples: Examples, scores: Sequence[Reals], dear: float, model: Callable[[], Model]) -> _Try:
    """The cheapest use of scores. Signs count neither as caught nor as spoilt."""
    counted = ~examples.hidden & np.concatenate([words(each.tokens) for each in examples.shown])
    highest = [tops(each.tokens, each.hidden, said) for each, said in zip(examples.shown, scores, strict=True)]
    said, truth = np.concatenate(scores)[counted], examples.sensitive[counted]
    # The words of a document are alike: it is documents that there are many or few of.
    documents = sum(
        bool((flags & ~each.hidden).any()) for flags, each in zip(examples.flags, examples.shown, strict=True)
    )
    spread = _spread(said[truth], documents)
    step = cheapest(name, said, np.concatenate(highest)[counted], truth, CAUTION * dear, spread)
    # A gain that chance alone would often bring is none: it would not be there in other documents.
    gain = dear * step.caught - step.spoilt - sqrt(dear * dear * step.caught + step.spoilt)
    return _Try(replace(step, fills=True), gain, scores, model)


def words(tokens: Tokens) -> Flags:
    """Which are words, and not signs."""
    return np.array([form[0].isalnum() for form in tokens.forms], bool)


def _spread(scores: Reals, several: int) -> float:
    """How far from these scores those of as many others may lie: the width of a normal kernel, by Silverman's rule."""
    if several < 2:
        return 0.0
    low, high = np.quantile(scores, (0.25, 0.75)).tolist()
    return float(0.9 * min(scores.std(), (high - low) / 1.34) * several**-0.2)


def cheapest(name: str, scores: Reals, highest: Reals, sensitive: Flags, dear: float, spread: float = 0.0) -> Step:
    """The thresholds, of those on a grid of the scores of sensitive words, at which the costs are lowest.

    With a `spread` every sensitive word stands for several whose scores lie about its own: where there are few, others
    will lie lower than any of them.
    """
    if not sensitive.any():
        return Step(name, NEVER)
    shifts = spread * _KERNEL if spread else np.zeros(1)
    own = (scores[sensitive][:, None] + shifts).ravel()
    tops_ = (highest[sensitive][:, None] + shifts).ravel()
    edges = np.unique(own)
    if len(edges) > GRID:
        edges = np.unique(np.quantile(own, np.linspace(0, 1, GRID), method="lower"))
    edges = edges - 1e-9
    weights = np.append(np.full(len(own), dear / len(shifts)), np.full(int((~sensitive).sum()), -1.0))
    # A word stays if neither its own score nor that of its equals is above its threshold.
    low = np.searchsorted(edges, np.append(own, scores[~sensitive]), "left")
    high = np.searchsorted(edges, np.append(tops_, highest[~sensitive]), "left")
    table = np.zeros((len(edges) + 1, len(edges) + 1))
    np.add.at(table, (low, high), weights)
    gains = (weights.sum() - table.cumsum(axis=0).cumsum(axis=1))[:-1]
    # Of equal gains the one that hides least.
    at, echo = np.argwhere(gains >= gains.max() - 1e-9)[-1].tolist()
    threshold, beyond = float(edges[at]), float(edges[echo]) if echo < len(edges) else NEVER
    hides = (scores > threshold) | (highest > beyond)
    return Step(name, threshold, beyond, int((hides & sensitive).sum()), int((hides & ~sensitive).sum()))


def flags(lesson: Lesson) -> Flags:
    """Which words of a lesson are sensitive."""
    marked: Flags = lesson.labels() >= 0
    return marked


def chosen(documents: Sequence[Annotated], labels: Sequence[str]) -> list[Annotated]:
    """The documents with the mentions of these labels only; all of them if none is given."""
    if not labels:
        return list(documents)
    return [
        replace(each, mentions=tuple(mention for mention in each.mentions if mention.label in labels))
        for each in documents
    ]


def make_sieve(
    documents: Sequence[Annotated],
    *,
    costs: Costs | None = None,
    learners: Sequence[str] = ("svm",),
    rule: Rule = "cost",
    folds: int = 4,
) -> Sieve:
    """A sieve for what is marked in the documents; nothing is saved.

    Raises:
        NotFitted: if nothing is marked, or by the rule "cost" there are not two documents that differ.
    """
    return make(documents, costs=costs, learners=learners, rule=rule, folds=folds)[0]


def make(
    documents: Sequence[Annotated],
    *,
    costs: Costs | None = None,
    learners: Sequence[str] = ("svm",),
    rule: Rule = "cost",
    folds: int = 4,
) -> tuple[Sieve, list[Flags]]:
    """The same, and what is not to be published of each document that has words: what was found, and what is marked."""
    costs, given = costs or Costs(), prepare(documents)
    unknown = set(learners) - set(LEARNERS)
    if unknown or not learners:
        raise ValueError(f"learners are some of {', '.join(LEARNERS)}")
    texts, sensitive = [each.tokens for each in given.lessons], [flags(each) for each in given.lessons]
    parts = parted(given.lessons, folds)
    if rule == "cost" and len(parts) < 2:
        raise NotFitted("there must be at least two documents that differ, so that one can be judged by another")
    done = sanitize(texts, sensitive, parts, costs=costs, learners=learners, rule=rule)
    counted = np.concatenate([words(text) for text in texts])
    truth, off = np.concatenate(sensitive)[counted], np.concatenate(done.hidden)[counted]
    counts = Counts.of(off, truth)
    total, others = int(truth.sum()), int((~truth).sum())
    sieve = Sieve(
        done.models,
        Sifted(
            label=given.labels[0] if len(given.labels) == 1 else SEVERAL,
            documents=len(texts),
            words=len(truth),
            sensitive=total,
            loss=costs.loss,
            worth=costs.worth,
            rule=rule,
            steps=done.steps,
            iterations=done.iterations,
            kept=counts.tn / max(1, others),
            publish_ratio=float((~off).mean()),
            residual_share=counts.fn / total,
            residual_range=_range(texts, sensitive, done.hidden),
            versions=versions(),
        ),
    )
    return sieve, [found | marked for found, marked in zip(done.hidden, sensitive, strict=True)]


def _range(texts: Sequence[Tokens], sensitive: Sequence[Flags], hidden: Sequence[Flags]) -> tuple[float, float]:
    """How far the share of sensitive words that is left can be from the true one, by documents."""
    named = [words(text) & marked for text, marked in zip(texts, sensitive, strict=True)]
    found = [(int((n & off).sum()), 0, int((n & ~off).sum())) for n, off in zip(named, hidden, strict=True)]
    low, high = Measure.of(found).recall_range
    return 1 - high, 1 - low


def fit_sieve(
    sources: Sequence[str | Path],
    folder: str | Path,
    *,
    labels: Sequence[str] = (),
    split: str = "",
    costs: Costs | None = None,
    learners: Sequence[str] = ("svm",),
    rule: Rule = "cost",
    folds: int = 4,
    overwrite: bool = False,
) -> Sieve:
    """Make a sieve of the documents of the sources, or of those of one of their splits, and save it in a folder.

    Raises:
        DocumentError: if a source cannot be read.
        MalformedData: if a record is wrong, saying which.
        NotFitted: if nothing is marked in the documents, or there are none of the split.
        OutputError: if the folder holds a detector already, or lies within a source.
    """
    folder = Path(folder)
    refuse_inside(folder, sources)
    check_free(folder, overwrite=overwrite)
    documents = read_split(sources, split)
    sieve = make_sieve(chosen(documents, labels), costs=costs, learners=learners, rule=rule, folds=folds)
    sieve.save(folder, overwrite=overwrite)
    return sieve
