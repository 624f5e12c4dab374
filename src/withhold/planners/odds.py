"""How likely a plan holds against readers nobody has met, and how likely a reader still recognises what is kept.

A reader who has learnt from other documents has other weights: those that are expected, and by chance more or less.
Many such readers are drawn. From how often they find the class, and from how it stands with readers of other kinds,
follows how often strangers found it in experiments with documents whose class is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit

from withhold.codec import Value
from withhold.planners.contest import Contest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from withhold.planners.problem import Problem
    from withhold.types import Choices

    Reals = NDArray[np.float64]
    Times = Callable[[NDArray[Any]], NDArray[Any]]
    Singles = NDArray[np.float32]

DRAWN = 64
"""So many readers are drawn, fewer of long texts: they differ less by chance."""
_FEWEST, _MOST = 8, 1_000_000

_FIND_MOST = (0, 2, 3)
"""Of the kinds of strangers those that find most, who count alike: Naive Bayes, its complement, nearest neighbours."""
_FAR = 1e3
_ALIKE = 0.1

LEARNT = Path(__file__).parent / "data" / "odds.json"
"""What was learnt from company descriptions and news posts by `training/release/odds.py`."""


@dataclass(frozen=True, slots=True)
class Foresight(Value):
    """Logistic regressions of several outcomes over measures, their squares and their products. Of measures that are
    lower or higher than any that were met, nothing more is foreseen than at the `lowest` or `highest`.
    """

    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]

    def columns(self, measures: Reals) -> Reals:
        """What is weighed: an intercept, the measures from -1 for the lowest to 1 for the highest, and products."""
        low, high = np.array(self.lowest), np.array(self.highest)
        scaled = 2.0 * (np.clip(measures, low, high) - low) / np.maximum(high - low, 1e-9) - 1.0
        first, second = np.triu_indices(len(low))
        return np.column_stack([np.ones(len(scaled)), scaled, scaled[:, first] * scaled[:, second]])

    def chances(self, measures: Reals) -> Reals:
        """The chance of each outcome, cases by outcomes."""
        chances: Reals = expit(self.columns(measures) @ np.array(self.weights).T)
        return chances


@dataclass(frozen=True, slots=True)
class Learnt(Value):
    """`found`: that strangers find the class, one outcome for each kind of them, of the measures of `Odds.told`;
    `recognised`: that a reader tells the kept class at once, of those of `telling`.
    """

    found: Foresight
    recognised: Foresight


@cache
def learnt() -> Learnt:
    return Learnt.from_bytes(LEARNT.read_bytes())


@dataclass(frozen=True, eq=False)
class Odds:
    """What is foreseen of plans for one document."""

    problem: Problem
    stranger: Contest
    others: tuple[Contest, ...]
    """The readers by meaning and by complement, with rows of one size."""
    unforeseen: tuple[Contest, ...]
    """All further readers: nothing is foreseen of them."""
    strangers: Singles
    """How far the true class leads its rivals by each column, in the eyes of each reader that was drawn."""
    likely: float
    """The logarithm of how likely the true class is before a word is read."""

    @classmethod
    def of(cls, problem: Problem, choices: Choices, random: np.random.Generator) -> Odds | None:
        """None if no model says how unsure its weights are."""
        unsure = [scores for scores in choices.secret if scores.spread is not None]
        if not unsure:
            return None
        scores = unsure[0]
        assert scores.spread is not None
        true, stranger = scores.true[0], Contest.of(scores, scores.true[0])
        classes, columns = scores.spread.shape
        drawn = max(min(DRAWN, _MOST // max(classes * columns, 1)), _FEWEST)
        strangers = random.standard_normal((columns, drawn, classes), np.float32)
        strangers *= scores.spread.T[:, None].astype(np.float32)
        np.subtract(strangers[:, :, [true]], strangers, out=strangers)
        strangers += stranger.rows.T[:, None].astype(np.float32)
        bias = choices.secret[0].bias
        likely = float(bias[true] - np.logaddexp.reduce(bias))
        others = [Contest.of(each, each.true[0]).scaled(1.0) for each in choices.secret[1:] if each is not scores]
        return cls(problem, stranger, tuple(others[:2]), tuple(others[2:]), strangers[:, :, stranger.rivals], likely)

    def found(self, kept: Reals) -> Reals:
        """For each plan, a row of what it keeps, the share of strangers that find the class."""
        found: Reals = learnt().found.chances(self.told(kept))[:, _FIND_MOST].mean(axis=1)
        return found

    def told(self, kept: Reals) -> Reals:
        """What that is foreseen from: plans by measures."""
        guesses, words = self.problem.confusers, kept.sum(axis=1)
        times, size = _multiplier(kept), np.sqrt(words + 1.0)
        drawn = self._drawn(times, len(kept))
        leads = [_leads(each, times) for each in (self.problem.guarantee, self.stranger, *self.others)]
        behind = [_behind(each, guesses) for each in leads] + [np.zeros(len(kept))] * 2
        own, stranger, meaning, complement = behind[:4]
        apart = leads[2].std(axis=1) if len(leads) > 2 else np.zeros(len(kept))
        return np.column_stack(
            [
                drawn.mean(axis=1) / (drawn.std(axis=1) + 1.0),
                own / size,
                stranger / size,
                complement / size,
                meaning / size,
                meaning / np.maximum(apart, 1e-9),
                np.full(len(kept), self.likely),
                *_left(self.problem, words),
            ]
        )

    def _drawn(self, times: Times, plans: int) -> Reals:
        """By how much the true class leads the first one that guesses leave out: plans by readers that were drawn."""
        columns, drawn, rivals = self.strangers.shape
        offset = self.stranger.offset[self.stranger.rivals].astype(np.float32)
        leads = times(self.strangers.reshape(columns, drawn * rivals)).reshape(plans, drawn, rivals)
        return _behind(leads + offset, self.problem.confusers).astype(np.float64)


def recognised(problem: Problem, kept: Reals) -> Reals:
    """For each plan, the share of readers that tell the kept classes at once; the hardest of them counts."""
    return learnt().recognised.chances(telling(problem, kept))[:, 0]


def telling(problem: Problem, kept: Reals) -> Reals:
    """What that is foreseen from: plans by measures."""
    words = kept.sum(axis=1)
    times = _multiplier(kept)
    lead = np.min([_behind(_leads(contest, times), 1) for contest in problem.keep], axis=0)
    return np.column_stack([lead / np.sqrt(words + 1.0), np.clip(lead, -10.0, 10.0), *_left(problem, words)])


def _leads(contest: Contest, times: Times) -> Reals:
    """By how much the class of the contest leads its rivals: plans by rivals."""
    leads: Reals = times(contest.rows[contest.rivals].T) + contest.offset[contest.rivals]
    return leads


def _multiplier(kept: Reals) -> Times:
    """What multiplies plans, rows of what is kept, by matrices, sooner where the plans are much alike."""
    other = kept - kept[0]
    is_alike = len(kept) > 1 and np.count_nonzero(other) <= _ALIKE * other.size
    differing = csr_matrix(other) if is_alike else None

    def times(matrix: NDArray[Any]) -> NDArray[Any]:
        kind = matrix.dtype
        if differing is None:
            return kept.astype(kind) @ matrix  # type: ignore[no-any-return]
        return kept[0].astype(kind) @ matrix + differing.astype(kind) @ matrix  # type: ignore[no-any-return]

    return times


def _behind(leads: NDArray[Any], guesses: int) -> NDArray[Any]:
    """By how much a class leads the first one that so many guesses leave out, of its leads before all (the last axis);
    by more than any if there are no more classes.
    """
    rivals = leads.shape[-1]
    if not rivals:
        return np.full(leads.shape[:-1], _FAR)
    guess = min(guesses, rivals) - 1
    behind: NDArray[Any] = np.partition(leads, guess, axis=-1)[..., guess]
    return behind


def _left(problem: Problem, words: Reals) -> tuple[Reals, Reals]:
    """How much of the words is lost, and how many are left."""
    return 1.0 - words / max(float(problem.counts.sum()), 1.0), np.log1p(words)
