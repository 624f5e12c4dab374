"""How likely a plan holds against readers nobody has met, and how likely a reader still recognises what is kept.

A reader who has learnt from other documents has other weights: those that are expected, and by chance more or less.
Many such readers are drawn. From how often they find the class, and from how it stands with readers of other kinds,
follows how often strangers found it in experiments with documents whose class is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from withhold.planners.contest import Contest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.planners.problem import Problem
    from withhold.types import Choices

    Reals = NDArray[np.float64]

DRAWN = 32
"""So many readers are drawn."""

FOUND = (0.463, 1.219, 0.748, 0.18, -0.327, 0.093, 0.755, -0.092, 0.389)
RECOGNISED = (-2.316, 1.722, -0.101, 1.189, 0.387)
"""The intercept and weights of two logistic regressions, for the measures of `Odds.told` and of `telling`. They were
learnt from company descriptions and news posts by `training/release/odds.py`.
"""


@dataclass(frozen=True, eq=False)
class Odds:
    """What is foreseen of plans for one document."""

    problem: Problem
    stranger: Contest
    others: tuple[Contest, ...]
    """Readers of other kinds, with rows of one size."""
    strangers: Reals
    """How far the true class leads each other one by each column, in the eyes of each reader that was drawn."""
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
        stranger = Contest.of(scores, scores.true[0])
        errors = random.standard_normal((DRAWN, *scores.spread.shape)) * scores.spread
        strangers = stranger.rows + errors[:, scores.true[0], None] - errors
        bias = choices.secret[0].bias
        likely = float(bias[scores.true[0]] - np.logaddexp.reduce(bias))
        others = (Contest.of(each, each.true[0]).scaled(1.0) for each in choices.secret[1:] if each is not scores)
        return cls(problem, stranger, tuple(others), strangers, likely)

    def found(self, kept: Reals) -> Reals:
        """For each plan, a row of what it keeps, the share of strangers that find the class."""
        return chance(FOUND, self.told(kept))

    def told(self, kept: Reals) -> Reals:
        """What that is foreseen from: plans by measures."""
        guesses, words = self.problem.confusers, kept.sum(axis=1)
        leads = _behind(self.strangers @ kept.T + self.stranger.offset[:, None], self.stranger, guesses)
        size = np.sqrt(words + 1.0)
        others = [_lead(each, kept, guesses) / size for each in self.others]
        return np.column_stack(
            [
                (leads >= 0).mean(axis=0),
                leads.mean(axis=0) / (leads.std(axis=0) + 1.0),
                _lead(self.problem.guarantee, kept, guesses) / size,
                _lead(self.stranger, kept, guesses) / size,
                np.max(others, axis=0) if others else np.zeros(len(kept)),
                np.full(len(kept), self.likely),
                *_left(self.problem, words),
            ]
        )


def recognised(problem: Problem, kept: Reals) -> Reals:
    """For each plan, the share of readers that tell the kept classes at once; the hardest of them counts."""
    return chance(RECOGNISED, telling(problem, kept))


def telling(problem: Problem, kept: Reals) -> Reals:
    """What that is foreseen from: plans by measures."""
    words = kept.sum(axis=1)
    lead = np.min([_lead(contest, kept, 1) for contest in problem.keep], axis=0)
    return np.column_stack([lead / np.sqrt(words + 1.0), np.clip(lead, -10.0, 10.0), *_left(problem, words)])


def _lead(contest: Contest, kept: Reals, guesses: int) -> Reals:
    """By how much the class of the contest leads the first one that so many guesses leave out."""
    return _behind(contest.rows @ kept.T + contest.offset[:, None], contest, guesses)


def _behind(leads: Reals, contest: Contest, guesses: int) -> Reals:
    """From the leads before all classes (the last but one axis), that before the first that is no guess any more; there
    is none if there are no more classes.
    """
    if not contest.rivals.any():
        return np.full((*leads.shape[:-2], leads.shape[-1]), np.inf)
    others = np.sort(leads[..., contest.rivals, :], axis=-2)
    behind: Reals = others[..., min(guesses, others.shape[-2]) - 1, :]
    return behind


def _left(problem: Problem, words: Reals) -> tuple[Reals, Reals]:
    """How much of the words is lost, and how many are left."""
    return 1.0 - words / max(float(problem.counts.sum()), 1.0), np.log1p(words)


def chance(weights: Sequence[float], measures: Reals) -> Reals:
    """The chances that a logistic regression foresees."""
    chances: Reals = expit(weights[0] + measures @ np.array(weights[1:]))
    return chances
