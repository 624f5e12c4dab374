"""One secret of one document as a program: what may be kept or generalised, what it is worth, who must come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.planners import simplex
from withhold.planners.contest import NARROW, Contest, contests
from withhold.planners.highs import milp
from withhold.planners.objectives import telling, worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from withhold.types import Choices

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

GENERAL_WORTH = 0.5
"""What a more general word is worth, to the word itself."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Each column is something a term can become: the first ones are the terms kept as they are, the rest what is more
    general. `counts` is how often each term stands in the document, `terms` the term of each column.

    `guarantee` is the contest of the true class under the planner's own model, `others` those under the other models a
    reader may have, `keep` those of the classes to keep.
    """

    counts: Reals
    terms: Integers
    value: Reals
    telling: Reals
    guarantee: Contest
    others: tuple[Contest, ...]
    keep: tuple[Contest, ...]
    confusers: int

    @classmethod
    def of(cls, choices: Choices, counts: Reals, *, objective: str = "balanced") -> Problem:
        terms = np.array([*range(len(counts)), *(term for term, _ in choices.general)], np.int64)
        value = worth(objective, choices.keep, len(terms))
        value[len(counts) :] *= GENERAL_WORTH
        guarantee, *others = contests(choices.secret)
        kept = telling(choices.keep, len(terms))
        keep = tuple(contests(choices.keep))
        return cls(counts, terms, value, kept, guarantee, tuple(others), keep, choices.confusers)

    @property
    def bounds(self) -> Reals:
        bounds: Reals = self.counts[self.terms]
        return bounds

    @property
    def all_kept(self) -> Reals:
        kept = np.zeros(len(self.terms))
        kept[: len(self.counts)] = self.counts
        return kept

    def room(self, kept: Reals) -> Reals:
        """How many more occurrences each column could have: those of its term that are neither kept nor replaced."""
        free: Reals = self.counts - np.bincount(self.terms, kept, len(self.counts))
        return free[self.terms]

    def is_confusable(self, kept: Reals) -> bool:
        """Whether enough other classes come before the true one under the model the guarantee is given for."""
        return self.guarantee.ahead(kept, NARROW / 2) >= self.confusers


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a program: `matrix @ kept <= limits`, each broken only at a `penalty` for every nat."""

    matrix: Reals
    limits: Reals
    penalty: Reals

    @classmethod
    def behind(cls, contest: Contest, classes: Sequence[int], penalty: float = np.inf) -> Rows:
        """The class of the contest comes after these."""
        chosen = list(classes)
        return cls(contest.rows[chosen], -contest.offset[chosen] - NARROW, np.full(len(chosen), penalty))

    @classmethod
    def before(cls, contest: Contest, classes: Sequence[int], penalty: float) -> Rows:
        """The class of the contest comes before these."""
        chosen = list(classes)
        return cls(-contest.rows[chosen], contest.offset[chosen] - NARROW, np.full(len(chosen), penalty))

    @classmethod
    def join(cls, several: Sequence[Rows], columns: int) -> Rows:
        matrices = [each.matrix for each in several] or [np.zeros((0, columns))]
        limits = [each.limits for each in several] or [np.zeros(0)]
        penalties = [each.penalty for each in several] or [np.zeros(0)]
        return cls(np.vstack(matrices), np.concatenate(limits), np.concatenate(penalties))

    def elastic(self, bounds: Reals, value: Reals) -> tuple[Reals, Reals, Reals, Reals]:
        """Value, rows, limits and bounds of the program, with a column for breaking each row that may be broken."""
        soft = np.flatnonzero(np.isfinite(self.penalty))
        slack = np.zeros((len(self.limits), len(soft)))
        slack[soft, np.arange(len(soft))] = -1.0
        return (
            np.concatenate([value, -self.penalty[soft]]),
            np.ascontiguousarray(np.hstack([self.matrix, slack])),
            self.limits,
            np.concatenate([bounds, np.full(len(soft), np.inf)]),
        )


def solve(problem: Problem, rows: Rows) -> Reals | None:
    """The most valuable choice that keeps to the rows, in fractions; None if there is none."""
    value, matrix, limits, bounds = rows.elastic(problem.bounds, problem.value)
    if len(problem.terms) > len(problem.counts):
        return _solve_with_generalisation(problem, value, matrix, limits, bounds)
    solution = simplex.solve(value, matrix, limits, bounds)
    return None if solution.status == "infeasible" else solution.x[: len(problem.terms)]


def _solve_with_generalisation(
    problem: Problem, value: Reals, matrix: Reals, limits: Reals, bounds: Reals
) -> Reals | None:
    """With several columns to a term, they share its occurrences: one more, sparse row for every such term."""
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import csr_matrix, vstack

    shared, shares = shared_rows(problem, len(value))
    rows = vstack([csr_matrix(matrix), shared], format="csr")
    kept_to = LinearConstraint(rows, -np.inf, np.concatenate([limits, shares]))
    found = milp(-value, constraints=kept_to, bounds=Bounds(0.0, bounds))
    return None if found.x is None else np.asarray(found.x)[: len(problem.terms)]


def shared_rows(problem: Problem, columns: int) -> tuple[csr_matrix[np.float64], Reals]:
    """One row for each term with several columns, and its limit: what becomes of a term is at most all of it."""
    from scipy.sparse import csr_matrix

    several = np.unique(problem.terms[len(problem.counts) :])
    chosen = np.flatnonzero(np.isin(problem.terms, several))
    place = (np.searchsorted(several, problem.terms[chosen]), chosen)
    return csr_matrix((np.ones(len(chosen)), place), shape=(len(several), columns)), problem.counts[several]
