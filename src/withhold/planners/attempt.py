"""One way of hiding the true class: confusers, a program, whole occurrences, and what can be won back."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from withhold.planners.contest import NARROW, Contest
from withhold.planners.problem import Problem, Rows, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

_ROUNDS = 15
_BEHIND = 15
_AT_A_TIME = 3
_FRACTIONS = 8
_STEPS = 25
_REPAIRS = 500
_WHOLE = 1e-7


class Attempt:
    """What to keep so that the true class comes after `chosen` classes and, if that can be had, before all others
    (`just_behind`), and the kept classes before all but `spared` of their rivals.

    The first is a must. The others are wishes: rows of the program that may be broken at a price, then steps of one
    occurrence at a time that break fewer of them.
    """

    def __init__(
        self,
        problem: Problem,
        contests: Sequence[Contest],
        chosen: Sequence[int],
        *,
        just_behind: bool,
        wishes: Sequence[tuple[Contest, Integers]],
    ) -> None:
        self.problem = problem
        self.musts = Rows.join([Rows.behind(each, chosen) for each in contests], len(problem.terms))
        self.wishes = list(wishes)
        if just_behind:
            rivals = problem.guarantee.rivals.copy()
            rivals[list(chosen)] = False
            self.wishes.insert(0, (problem.guarantee, np.flatnonzero(rivals)))

    def carry_out(self, price: float, *, tidy: bool = True) -> Reals | None:
        """What to keep, in whole occurrences; None if the musts cannot be met. `tidy`: with what can be won back."""
        kept = self._solve(price * float(np.abs(self.problem.value).mean()))
        if kept is None:
            return None
        kept = self._repair(self._round(kept))
        over = self._over(kept)
        if (over > 1e-12).any():
            # Margins that whole occurrences miss by a little are worth keeping to that; the guarantee is a must.
            if not self.problem.is_confusable(kept):
                return None
            self.musts = replace(self.musts, limits=self.musts.limits + np.maximum(over, 0.0))
        return self._add_back(self._improve(kept)) if tidy else kept

    def _solve(self, price: float) -> Reals | None:
        """Solve, see which wishes are broken, ask for those too, and again."""
        asked: list[list[int]] = [[] for _ in self.wishes]
        kept = solve(self.problem, self.musts)
        for _ in range(_ROUNDS if kept is not None else 0):
            assert kept is not None
            broken = [self._broken(number, kept, asked[number]) for number in range(len(self.wishes))]
            if not any(broken):
                break
            asked = [before + new for before, new in zip(asked, broken, strict=True)]
            wished = [
                Rows.before(contest, classes, price)
                for (contest, _), classes in zip(self.wishes, asked, strict=True)
                if classes
            ]
            better = solve(self.problem, Rows.join([self.musts, *wished], len(self.problem.terms)))
            if better is None:
                break
            kept = better
        return kept

    def _broken(self, number: int, kept: Reals, asked: Sequence[int]) -> list[int]:
        contest, classes = self.wishes[number]
        lead = contest.lead(kept)[classes]
        worst = classes[np.argsort(lead)][: int(np.count_nonzero(lead < NARROW / 2))]
        return [int(c) for c in worst if c not in asked][: max(0, min(_AT_A_TIME, _BEHIND - len(asked)))]

    def _over(self, kept: Reals) -> Reals:
        over: Reals = self.musts.matrix @ kept - self.musts.limits
        return over

    def _missed(self, leads: Sequence[Reals]) -> Reals:
        """By how much wishes are missed, given the leads of each wish's classes in one or many cases."""
        missed: Reals = np.sum([np.maximum(NARROW - lead, 0.0).sum(axis=0) for lead in leads], axis=0)
        return missed

    def _leads(self, kept: Reals) -> list[Reals]:
        return [contest.lead(kept)[classes] for contest, classes in self.wishes]

    def _round(self, kept: Reals) -> Reals:
        """The best of all ways to round the few occurrences that came out as fractions up or down."""
        down = np.floor(kept + _WHOLE)
        fractions = np.flatnonzero(kept - down > 10 * _WHOLE)
        if len(fractions) > _FRACTIONS:
            fractions = fractions[np.argsort(-np.abs(self.problem.value[fractions]))[:_FRACTIONS]]
        if not len(fractions):
            return down
        ups = np.array(list(product((0.0, 1.0), repeat=len(fractions)))).T
        used = np.zeros((len(self.problem.counts), ups.shape[1]))
        np.add.at(used, self.problem.terms[fractions], ups)
        free = self.problem.room(down)[: len(used), None]
        over = self._over(down)[:, None] + self.musts.matrix[:, fractions] @ ups
        missed = np.zeros(ups.shape[1])
        for lead, (contest, classes) in zip(self._leads(down), self.wishes, strict=True):
            missed += np.count_nonzero(lead[:, None] + contest.rows[np.ix_(classes, fractions)] @ ups <= 0, axis=0)
        wrong = (over > 1e-9).any(axis=0) | (used > free).any(axis=0)
        best = np.lexsort((-(self.problem.value[fractions] @ ups), missed, wrong))[0]
        down[fractions] += ups[:, best] if (used[:, best] <= free[:, 0]).all() else 0.0
        return down

    def _repair(self, kept: Reals) -> Reals:
        """Keep one occurrence less or more, whichever helps most, until the musts hold or nothing helps any more."""
        matrix = self.musts.matrix
        for _ in range(_REPAIRS):
            over = self._over(kept)
            if (over <= 1e-12).all():
                return kept
            now = np.maximum(over, 0.0).sum()
            less = np.where(kept > 0, np.maximum(over[:, None] - matrix, 0.0).sum(axis=0), np.inf)
            more = np.where(self.problem.room(kept) > 0, np.maximum(over[:, None] + matrix, 0.0).sum(axis=0), np.inf)
            column, step = (int(less.argmin()), -1.0) if less.min() <= more.min() else (int(more.argmin()), 1.0)
            if min(less.min(), more.min()) >= now - 1e-12:
                break
            kept = kept.copy()
            kept[column] += step
        return kept

    def _improve(self, kept: Reals) -> Reals:
        """One occurrence less or more at a time, as long as that misses the wishes by less and breaks no must."""
        for _ in range(_STEPS if self.wishes else 0):
            leads, over = self._leads(kept), self._over(kept)
            now = float(self._missed(leads))
            if now <= 0.0:
                break
            best, change = now - 1e-9, None
            for columns, step in (
                (np.flatnonzero(kept > 0), -1.0),
                (np.flatnonzero(self.problem.room(kept) > 0), 1.0),
            ):
                if not len(columns):
                    continue
                moved = [
                    lead[:, None] + step * contest.rows[np.ix_(classes, columns)]
                    for lead, (contest, classes) in zip(leads, self.wishes, strict=True)
                ]
                missed = self._missed(moved) - 1e-4 * step * self.problem.value[columns]
                missed[(over[:, None] + step * self.musts.matrix[:, columns] > 0.0).any(axis=0)] = np.inf
                if missed.min() < best:
                    best, change = float(missed.min()), (int(columns[missed.argmin()]), step)
            if change is None:
                break
            kept = kept.copy()
            kept[change[0]] += change[1]
        return kept

    def _add_back(self, kept: Reals) -> Reals:
        """Keep what need not have gone: the most telling first, as long as no must is broken and no further wish. What
        cannot stay as it is may still become more general.
        """
        kept, over, leads = kept.copy(), self._over(kept), self._leads(kept)
        broken = [np.count_nonzero(lead <= 0) for lead in leads]
        terms, free = self.problem.terms, self.problem.room(kept)[: len(self.problem.counts)]
        candidates = np.flatnonzero(free[terms] > 0)
        order = np.lexsort((-self.problem.telling[candidates], candidates >= len(free)))
        for column in candidates[order]:
            step = int(free[terms[column]])
            while step:
                after = over + step * self.musts.matrix[:, column]
                moved = [
                    lead + step * contest.rows[classes, column]
                    for lead, (contest, classes) in zip(leads, self.wishes, strict=True)
                ]
                if (after > 0.0).any() or any(
                    np.count_nonzero(lead <= 0) > before for lead, before in zip(moved, broken, strict=True)
                ):
                    step //= 2
                    continue
                kept[column] += step
                free[terms[column]] -= step
                over, leads = after, moved
                step = min(step, int(free[terms[column]]))
        return kept
