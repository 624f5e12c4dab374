"""Learners that tell sensitive words from others: what a publisher and an attacker may both use.

All see the same features of the same words (`Examples` makes them once, for all), and what each has learnt is a `Model`
that gives every word of a text a score: above zero it calls the word sensitive. A score ranks words too, and a
threshold other than zero trades misses for false alarms. Each can be told that a miss costs more than a false alarm.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags, vstack

from withhold.learners import name_features
from withhold.learners.crf import Crf, Learning, Reals, learn
from withhold.learners.tokens import Tokens
from withhold.learners.word_features import Layer, Matrix, Vocabulary, layers

Flags = NDArray[np.bool_]

MARK = "\u2588"
"""What stands in place of a word that is not published."""
LEAST = 2
"""A feature that fewer words have is not learnt."""
FEWEST = 3
"""From fewer sensitive words nothing is learnt."""
STUMPS = 200
NEVER = -1e3
"""The score of a word that a model does not even consider."""

_HIDDEN = 0.5
_PROPOSED = -3.0
"""What a chain calls this unlikely (log odds) is still proposed to the second step of a cascade."""
TAGS = _OPEN, _SENSITIVE, _MARKED = 0, 1, 2
"""What a word is to a conditional random field."""


@dataclass(frozen=True, eq=False, repr=False)
class Shown:
    """A text as it is read: words that are hidden are marks, to their neighbours and to the rest of the text too."""

    tokens: Tokens
    hidden: Flags
    layers: Sequence[Layer]
    stretches: Sequence[slice]

    def __len__(self) -> int:
        return len(self.tokens)


def show(tokens: Tokens, hidden: Flags | None = None) -> Shown:
    """A text with the features that are left of it once some words are hidden."""
    hidden = np.zeros(len(tokens), bool) if hidden is None else hidden
    seen = tokens
    if hidden.any():
        seen = replace(tokens, forms=[MARK if off else form for form, off in zip(tokens.forms, hidden, strict=True)])
    # Cut as the text itself is, so that a mark moves no border.
    told = [*layers(seen), *name_features.layers(seen)] if len(tokens) else []
    return Shown(tokens, hidden, told, list(tokens.stretches()))


class Examples:
    """Texts, and which of their words are sensitive: what is learnt from.

    Every learner shares its features, and so does every part of the texts.
    """

    def __init__(self, shown: Sequence[Shown], sensitive: Sequence[Flags]) -> None:
        self.shown, self.flags = list(shown), list(sensitive)
        none = np.zeros(0, bool)
        self.sensitive: Flags = np.concatenate([none, *self.flags])
        self.hidden: Flags = np.concatenate([none, *(each.hidden for each in self.shown)])
        self._whole: tuple[Examples, NDArray[np.int64]] | None = None

    def part(self, numbers: Sequence[int]) -> Examples:
        """Some of the texts, in this order."""
        part = Examples([self.shown[n] for n in numbers], [self.flags[n] for n in numbers])
        ends = np.cumsum([0, *map(len, self.shown)])
        rows = [np.arange(ends[n], ends[n + 1]) for n in numbers]
        part._whole = self, np.concatenate([np.zeros(0, np.int64), *rows])
        return part

    @cached_property
    def vocabulary(self) -> Vocabulary:
        if self._whole:
            return self._whole[0].vocabulary
        return Vocabulary.of((each.layers for each in self.shown), LEAST)

    @cached_property
    def near(self) -> Matrix:
        """One row for each word, hidden or not: what it is and stands beside."""
        return self._rows("near", from_afar=False)

    @cached_property
    def afar(self) -> Matrix:
        """One row for each word: what the rest of its text says of it."""
        return self._rows("afar", from_afar=True)

    def _rows(self, name: str, *, from_afar: bool) -> Matrix:
        if self._whole:
            of_all: Matrix = getattr(self._whole[0], name)
            return of_all[self._whole[1]]
        told = [[layer for layer in each.layers if layer.from_afar == from_afar] for each in self.shown if len(each)]
        none = csr_array((0, len(self.vocabulary)), dtype=np.float32)
        rows: Matrix = vstack([none, *map(self.vocabulary.matrix, told)], format="csr")
        return rows

    @cached_property
    def matrix(self) -> Matrix:
        """What is learnt from. In half of the stretches nothing is known from afar, as a name that comes once must be
        found too.
        """
        chance, told = np.random.default_rng(0), np.zeros(len(self.hidden), np.float32)
        for stretch in self.stretches:
            told[stretch] = chance.random() >= _HIDDEN
        rows: Matrix = self.near + diags(told, format="csr", dtype=np.float32) @ self.afar
        return rows

    @cached_property
    def stretches(self) -> list[slice]:
        found, start = [], 0
        for each in self.shown:
            found += [slice(part.start + start, part.stop + start) for part in each.stretches]
            start += len(each)
        return found

    @cached_property
    def field(self) -> Crf:
        """A conditional random field of these words: it alone decides, or proposes what another decides."""
        tags = np.where(self.hidden, _MARKED, np.where(self.sensitive, _SENSITIVE, _OPEN)).tolist()
        return learn(self.matrix, tags, self.stretches, self.vocabulary, Learning())

    @property
    def left(self) -> int:
        """How many sensitive words are not hidden."""
        return int((self.sensitive & ~self.hidden).sum())

    def weighed(self, vocabulary: Vocabulary, weights: NDArray[Any]) -> Reals:
        """The weights of the features of each word, summed. The features are some of those of the examples."""
        spread = np.zeros((len(self.vocabulary), *weights.shape[1:]))
        spread[[self.vocabulary.numbers[name] for name in vocabulary.numbers]] = weights
        return np.asarray(self.near @ spread + self.afar @ spread, np.float64)

    def by_text(self, values: Reals) -> list[Reals]:
        """Values of all words in a row, in parts by text."""
        return np.split(values, np.cumsum([len(each) for each in self.shown])[:-1])


class Model(Protocol):
    """What was learnt: a score for each word of a text; what is hidden has one too, which means nothing.

    `rate` gives those of all words of examples at once. What it has learnt from must be a part of the same texts.
    """

    def scores(self, shown: Shown) -> Reals: ...

    def rate(self, examples: Examples) -> Reals: ...


Learner = Callable[[Examples, float], Model]
"""Learns from examples, where a miss costs so many times as much as a false alarm (1: the most accurate)."""


@dataclass(frozen=True, eq=False, repr=False)
class Plane:
    """A weight for each feature, and one for every word."""

    vocabulary: Vocabulary
    weights: Reals
    bias: float

    def scores(self, shown: Shown) -> Reals:
        found = np.full(len(shown), self.bias)
        for layer in shown.layers:
            weighed: Reals = np.asarray(self.vocabulary.bags(layer) @ self.weights)
            found += weighed[layer.rows]
        return found

    def rate(self, examples: Examples) -> Reals:
        return examples.weighed(self.vocabulary, self.weights) + self.bias


@dataclass(frozen=True, eq=False, repr=False)
class Chain:
    """A conditional random field; the score is how much likelier a word is sensitive than not (log odds) and `bias`."""

    crf: Crf
    bias: float = 0.0

    def scores(self, shown: Shown) -> Reals:
        return self._odds(self.crf.marginals(shown.layers, shown.stretches)) if len(shown) else np.zeros(0)

    def rate(self, examples: Examples) -> Reals:
        weighed = examples.weighed(self.crf.vocabulary, self.crf.weights)
        return self._odds(self.crf.chances(weighed, examples.stretches))

    def _odds(self, chances: Reals) -> Reals:
        if _SENSITIVE not in self.crf.tags:
            return np.full(len(chances), NEVER)
        likely = np.clip(chances[:, self.crf.tags.index(_SENSITIVE)], 1e-9, 1 - 1e-9)
        odds: Reals = np.log(likely) - np.log1p(-likely) + self.bias
        return odds


@dataclass(frozen=True, eq=False, repr=False)
class Cascade:
    """A chain proposes words, and a plane decides which of them are sensitive."""

    chain: Chain
    plane: Plane

    def scores(self, shown: Shown) -> Reals:
        return _decided(self.chain.scores(shown), self.plane.scores(shown))

    def rate(self, examples: Examples) -> Reals:
        return _decided(self.chain.rate(examples), self.plane.rate(examples))


def _decided(proposed: Reals, said: Reals) -> Reals:
    return np.where(proposed > _PROPOSED, said, NEVER + proposed)


_NOTHING = Plane(Vocabulary(()), np.zeros(0), NEVER)
"""What is learnt where there is nothing to learn."""


def svm(examples: Examples, dear: float = 1.0) -> Plane:
    """A linear support vector machine."""
    return _svm(examples, ~examples.hidden, dear)


def _svm(examples: Examples, chosen: Flags, dear: float) -> Plane:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows = np.flatnonzero(chosen)
    y = examples.sensitive[rows]
    if min(y.sum(), (~y).sum()) < FEWEST:
        return _NOTHING
    estimator = LinearSVC(C=0.1, max_iter=200, tol=1e-2, class_weight={True: dear, False: 1.0}, random_state=0)
    # Several threads only wait for each other here: the products are of sparse rows, and short.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator.fit(examples.matrix[rows], y)
    return _plane(examples.vocabulary, estimator.coef_[0].astype(np.float64), float(estimator.intercept_[0]))


def _plane(vocabulary: Vocabulary, weights: Reals, bias: float) -> Plane:
    """The plane without the features that weigh nothing."""
    used, names = np.flatnonzero(weights), list(vocabulary.numbers)
    return Plane(Vocabulary(names[number] for number in used.tolist()), weights[used], bias)


def adaboost(examples: Examples, dear: float = 1.0, rounds: int = STUMPS) -> Plane:
    """Boosted stumps: each round takes the feature that best parts the words as they are weighted by then, and says how
    much its presence and its absence speak for a sensitive word. Together they are a plane.
    """
    rows = np.flatnonzero(~examples.hidden)
    y = examples.sensitive[rows]
    if min(y.sum(), (~y).sum()) < FEWEST:
        return _NOTHING
    matrix = examples.matrix[rows].astype(np.float64)
    matrix.data[:] = 1.0
    turned, sign = matrix.T.tocsr(), np.where(y, 1.0, -1.0)
    by_feature = matrix.tocsc()
    share = np.where(y, dear, 1.0)
    share /= share.sum()
    smooth, weights, bias = 1.0 / len(y), np.zeros(matrix.shape[1]), 0.0
    for _ in range(rounds):
        # What has the feature and what has not, sensitive or not, by weight.
        held, against = turned @ np.where(y, share, 0.0), turned @ np.where(y, 0.0, share)
        lacking, others = share[y].sum() - held, share[~y].sum() - against
        spread = np.sqrt(np.maximum(held * against, 0)) + np.sqrt(np.maximum(lacking * others, 0))
        best = int(spread.argmin())
        if spread[best] >= 0.5 - 1e-6:
            break
        present = 0.5 * np.log((held[best] + smooth) / (against[best] + smooth))
        absent = 0.5 * np.log((max(lacking[best], 0) + smooth) / (max(others[best], 0) + smooth))
        weights[best] += present - absent
        bias += absent
        said = np.full(len(y), absent)
        said[by_feature.indices[by_feature.indptr[best] : by_feature.indptr[best + 1]]] = present
        share *= np.exp(-sign * said)
        share /= share.sum()
    return _plane(examples.vocabulary, weights, float(bias))


def crf(examples: Examples, dear: float = 1.0) -> Model:
    """A conditional random field; where a miss is dear, less likely words are called sensitive."""
    if examples.left < FEWEST or not (~examples.sensitive & ~examples.hidden).any():
        return _NOTHING
    return Chain(examples.field, float(np.log(dear)))


def cascade(examples: Examples, dear: float = 1.0) -> Model:
    """A conditional random field proposes, and a support vector machine that has learnt from what is proposed
    decides.
    """
    chain = crf(examples, 1.0)
    if not isinstance(chain, Chain):
        return _NOTHING
    proposed = chain.rate(examples) > _PROPOSED
    plane = _svm(examples, proposed & ~examples.hidden, dear)
    return Cascade(chain, plane) if plane is not _NOTHING else chain


LEARNERS: Mapping[str, Learner] = {"crf": crf, "svm": svm, "adaboost": adaboost, "cascade": cascade}
"""The family of both sides."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How words were called: rightly sensitive, wrongly so, missed, and rightly not."""

    tp: int
    fp: int
    fn: int
    tn: int

    @classmethod
    def of(cls, called: Flags, sensitive: Flags) -> Counts:
        return cls(
            int((called & sensitive).sum()),
            int((called & ~sensitive).sum()),
            int((~called & sensitive).sum()),
            int((~called & ~sensitive).sum()),
        )

    def cost(self, dear: float) -> float:
        return dear * self.fn + self.fp


def out_of_fold(learner: Learner, examples: Examples, parts: Sequence[Sequence[int]], dear: float) -> list[Reals]:
    """The scores of each text by a model that has learnt from the other parts."""
    found: dict[int, Reals] = {}
    for part in parts:
        rest = sorted({number for other in parts if other is not part for number in other})
        these = examples.part(part)
        scores = learner(examples.part(rest), dear).rate(these)
        found |= dict(zip(part, these.by_text(scores), strict=True))
    return [found[number] for number in range(len(examples.shown))]


def select(
    names: Sequence[str], examples: Examples, parts: Sequence[Sequence[int]], dear: float = 1.0
) -> tuple[str, dict[str, Counts]]:
    """The learner of those named whose mistakes in texts it has not learnt from cost least, and how all fared."""
    open_ = ~examples.hidden
    fared: dict[str, Counts] = {}
    for name in names:
        scores = np.concatenate(out_of_fold(LEARNERS[name], examples, parts, dear))
        fared[name] = Counts.of(scores[open_] > 0, examples.sensitive[open_])
    return min(names, key=lambda name: fared[name].cost(dear)), fared
