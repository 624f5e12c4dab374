"""A second look at the words of a text: how sure a model is of each, of the words with a capital that it stands among,
and of its equals in the rest of the text, put together.

A name of which a model is sure in one place is one everywhere, and what stands between a sure given name and a verb is
a surname. How far that goes, trees learn that ask a few questions each: the same question of all words at each level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from withhold.learners.crf import Reals
from withhold.learners.name_features import case, listed, runs
from withhold.learners.sensitive import Examples, Flags, Model, Shown

Bins = NDArray[np.uint8]

VERSION = 1
"""Changes whenever what is said of a word does."""

TREES, DEPTH, RATE = 80, 3, 0.2
BINS = 48
FEWEST = 50
"""From fewer sensitive words a publisher learns nothing."""
UNSURE = -1e3
"""Added to the score of a word at which there is no second look."""

_SHARE, _LEAST = 5, 5_000
"""So many words for each sensitive one are looked at again, and at least so many."""
_LIMIT = 20.0
_LIGHT = 1.0
_WRITTEN = {"U": 3.0, "I": 2.0, "C": 1.0, "x": 0.0, "0": -1.0}
_BITS = (1, 2, 8 | 16, 32, 128)
COLUMNS = 14 + len(_BITS)
"""So many things are said of each word."""


def views(shown: Shown, scores: Reals) -> Reals:
    """A row for each word: its score first, then the highest score there is of its run or of its equals."""
    tokens, forms = shown.tokens, shown.tokens.forms
    sure = np.where(shown.hidden, _LIMIT, np.clip(scores, -_LIMIT, _LIMIT))
    letters = np.array([form[0].isalpha() for form in forms], bool)
    capital = np.array([form[0].isupper() and len(form) > 1 for form in forms], bool)
    before, behind, best = _among(runs(tokens), letters, sure)
    numbers: dict[str, int] = {}
    equal = np.array([numbers.setdefault(form.lower(), len(numbers)) for form in forms], np.int64)
    often = np.bincount(equal, capital, len(numbers))[equal]
    mean = np.bincount(equal, np.where(capital, sure, 0.0), len(numbers))[equal] / np.maximum(1, often)
    small = np.bincount(equal, ~capital, len(numbers))[equal]
    top, beside = (
        np.where(capital, _highest(equal, each, capital, len(numbers)), each)
        for each in (sure, np.fmax(before, behind))
    )
    bits = np.array([listed(form.lower()) if form[0].isalpha() else 0 for form in forms], np.int64)
    return np.stack(
        [
            sure,
            np.maximum(top, best),
            top,
            best,
            before,
            behind,
            np.append(-_LIMIT, sure[:-1])[: len(sure)],
            np.append(sure[1:], -_LIMIT)[: len(sure)],
            np.where(capital, mean, sure),
            beside,
            np.where(capital, often, 0.0),
            np.where(capital, small, 0.0),
            np.array([_WRITTEN.get(case(form), -2.0) for form in forms]),
            np.array([len(form) for form in forms], np.float64),
            *(((bits & several) > 0).astype(np.float64) for several in _BITS),
        ],
        axis=1,
    ).astype(np.float64)


def _among(run: NDArray[np.int64], letters: Flags, sure: Reals) -> tuple[Reals, Reals, Reals]:
    """The scores of the words before and behind in a run, and the highest in it."""
    before, behind, best = (np.full(len(sure), -_LIMIT) for _ in range(3))
    places = np.flatnonzero(letters & (run >= 0))
    together = run[places[1:]] == run[places[:-1]]
    before[places[1:][together]] = sure[places[:-1][together]]
    behind[places[:-1][together]] = sure[places[1:][together]]
    if len(places):
        highest = _highest(run, sure, run >= 0, int(run.max()) + 1)
        best = np.where(run >= 0, highest, best)
    return before, behind, best


def _highest(groups: NDArray[np.int64], values: Reals, counted: Flags, count: int) -> Reals:
    found = np.full(count, -_LIMIT)
    np.maximum.at(found, groups[counted], values[counted])
    spread: Reals = found[groups]
    return spread


@dataclass(frozen=True, eq=False, repr=False)
class Trees:
    """Trees in which every question of a level is the same: a column and a border, and a value for each way through.

    Words of which no score is above `least` are not looked at again.
    """

    columns: NDArray[np.int32]
    borders: Reals
    values: Reals
    bias: float
    least: float

    def scores(self, seen: Reals) -> Reals:
        """How much likelier each row is of a sensitive word than not (log odds)."""
        found = seen[:, 0] + UNSURE if len(seen) else np.zeros(0)
        again = np.flatnonzero(seen[:, 1] > self.least)
        rows = seen[again]
        odds = np.full(len(rows), self.bias)
        for columns, borders, values in zip(self.columns, self.borders, self.values, strict=True):
            way = np.zeros(len(rows), np.int64)
            for column, border in zip(columns.tolist(), borders.tolist(), strict=True):
                way = 2 * way + (rows[:, column] > border)
            odds += values[way]
        found[again] = odds
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Twice:
    """A model, and trees that look again at what it says."""

    first: Model
    trees: Trees

    def scores(self, shown: Shown) -> Reals:
        return self.trees.scores(views(shown, self.first.scores(shown)))

    def rate(self, examples: Examples) -> Reals:
        said = examples.by_text(self.first.rate(examples))
        looks = [self.trees.scores(views(each, some)) for each, some in zip(examples.shown, said, strict=True)]
        return np.concatenate([np.zeros(0), *looks])


def taught(examples: Examples, looks: Sequence[Reals], numbers: Iterable[int], fewest: int = FEWEST) -> Trees | None:
    """What is learnt from a second look at some of the texts; None if too few of their words are sensitive."""
    chosen = list(numbers)
    open_ = ~np.concatenate([examples.shown[n].hidden for n in chosen])
    truth = np.concatenate([examples.flags[n] for n in chosen])
    return learn(np.concatenate([looks[n] for n in chosen])[open_], truth[open_], fewest)


def learn(seen: Reals, sensitive: Flags, fewest: int = FEWEST) -> Trees | None:
    """Trees that tell rows of sensitive words from others, by gradient boosting; None if there are too few."""
    named = int(sensitive.sum())
    if named < fewest:
        return None
    wanted = min(len(seen) - 1, max(_LEAST, _SHARE * named))
    least = float(np.partition(seen[:, 1], len(seen) - 1 - wanted)[len(seen) - 1 - wanted])
    again = seen[:, 1] > least
    rows, y = seen[again], sensitive[again].astype(np.float64)
    if min(y.sum(), len(y) - y.sum()) < fewest:
        return None
    borders = [np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])) for column in rows.T]
    bins = np.stack([np.searchsorted(edges, column, "left") for edges, column in zip(borders, rows.T, strict=True)])
    bias = float(np.log(y.sum() / (len(y) - y.sum())))
    odds = np.full(len(y), bias)
    trees: list[tuple[list[int], list[float], Reals]] = []
    for _ in range(TREES):
        likely = 1 / (1 + np.exp(-odds))
        slope, bend = y - likely, likely * (1 - likely)
        columns, cuts, way = _grown(bins.astype(np.uint8), borders, slope, bend)
        total, weight = np.bincount(way, slope, 1 << DEPTH), np.bincount(way, bend, 1 << DEPTH)
        values = RATE * total / (weight + _LIGHT)
        odds += values[way]
        trees.append(
            (columns, [float(borders[column][cut]) for column, cut in zip(columns, cuts, strict=True)], values)
        )
    return Trees(
        np.array([each[0] for each in trees], np.int32),
        np.array([each[1] for each in trees]),
        np.array([each[2] for each in trees]),
        bias,
        least,
    )


def _grown(
    bins: Bins, borders: Sequence[Reals], slope: Reals, bend: Reals
) -> tuple[list[int], list[int], NDArray[np.int64]]:
    """One tree: at each level the question that helps most, of all words together."""
    way = np.zeros(bins.shape[1], np.int64)
    columns, cuts = [], []
    for level in range(DEPTH):
        best = (-1.0, 0, 0)
        for column, edges in enumerate(borders):
            if not len(edges):
                continue
            size = len(edges) + 1
            cells = way * size + bins[column]
            sums = [np.bincount(cells, each, size << level).reshape(-1, size) for each in (slope, bend)]
            low = [each.cumsum(axis=1)[:, :-1] for each in sums]
            high = [each.sum(axis=1)[:, None] - part for each, part in zip(sums, low, strict=True)]
            gain = sum((part[0] ** 2 / (part[1] + _LIGHT)).sum(axis=0) for part in (low, high))
            cut = int(np.argmax(gain))
            best = max(best, (float(gain[cut]), column, cut), key=lambda each: each[0])
        _, column, cut = best
        columns.append(column)
        cuts.append(cut)
        way = 2 * way + (bins[column] > cut)
    return columns, cuts, way
