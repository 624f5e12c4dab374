"""K-REDACTOR: remove what was found, and then the least useful words that hide every secret.

A class is hidden by a linear program, inferences are broken by a covering program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from withhold.planners.direct import DirectPlanner
from withhold.policy import Detection, Operators, Planning, Policy
from withhold.types import Choices, Edit, Finding, Inferences, Plan, Risk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from withhold.planners.aims import Aim, Decision

_PASSES = 100


class LinearPlanner:
    """The edits of the direct planner, and for every secret with choices those that hide its true class, or that break
    the inferences which tell it.

    What one secret takes is gone for the next, and every secret is looked at again until all are hidden at once. A
    secret that removal cannot hide is named by its risk, which stays; nothing is emptied for its sake.
    """

    seconds = 5.0
    """How long a solver may look for the best way to break inferences, once search has found a good one."""

    def __init__(
        self, operators: Operators, planning: Planning | None = None, detection: Detection | None = None
    ) -> None:
        self.operators = operators
        self.detection = detection
        self.planning = planning or Planning()

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.operators, policy.planning, policy.detection)

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan:
        direct = DirectPlanner(self.operators, self.detection).plan(findings, risks)
        if all(risk.choices is None for risk in risks):
            return direct
        chosen = self._hide_all(risks, list(direct.edits))
        after = tuple(_after(risk, chosen) for risk in risks)
        utility = min(_share_kept(risk.choices, chosen) for risk in risks if risk.choices is not None)
        status = "a risk stays" if any(risk.stays for risk in after) else "done"
        return replace(direct, edits=tuple(chosen), risks=after, utility=utility, status=status)

    def decide(self, choices: Choices, counts: NDArray[np.float64]) -> Decision:
        """How much of each term to keep, in the way of this planner."""
        from withhold.planners.aims import decide

        return decide(choices, counts, aim=self.planning.aim, objective=self.planning.objective)

    def _hide_all(self, risks: Sequence[Risk], chosen: list[Edit]) -> list[Edit]:
        several = [risk.choices for risk in risks if isinstance(risk.choices, Choices)]
        inferences = [(risk.choices, risk.ceiling) for risk in risks if isinstance(risk.choices, Inferences)]
        made = self._hide_each(several, inferences, chosen)
        if any(each.general for each, _ in inferences) and not _hides(several, made):
            # A word that breaks an inference can tell a class. Without any such, that may be hidden too.
            from withhold.planners.breaking import suppressed

            other = self._hide_each(several, [(suppressed(each), ceiling) for each, ceiling in inferences], chosen)
            return other if _hides(several, other) else made
        return made

    def _hide_each(
        self, several: Sequence[Choices], inferences: Sequence[tuple[Inferences, float]], chosen: list[Edit]
    ) -> list[Edit]:
        for number in range(_PASSES):
            before = chosen
            chosen = self._break(inferences, chosen)
            for choices in several:
                if number == 0 or rank(choices, chosen) <= choices.confusers:
                    chosen = self._hide(choices, chosen)
            if len(several) + bool(inferences) == 1 or chosen == before:
                break
        return chosen

    def _break(self, inferences: Sequence[tuple[Inferences, float]], chosen: list[Edit]) -> list[Edit]:
        from withhold.planners.breaking import broken, exposure

        told = [(each, ceiling) for each, ceiling in inferences if exposure(each, chosen) > ceiling]
        return broken(told, chosen, self.operators, self.seconds) if told else chosen

    def _hide(self, choices: Choices, chosen: list[Edit]) -> list[Edit]:
        """Decide, and again as long as edits take more than was decided, which they do where terms overlap."""
        from withhold.planners.edits import counts, edits, merged, settled, standing

        for _ in range(_PASSES):
            occurrences = standing(choices, chosen)
            decision = self.decide(settled(choices, chosen), counts(choices, occurrences))
            chosen = merged([*chosen, *edits(choices, occurrences, decision, self.operators)], self.operators)
            is_as_decided = (counts(choices, standing(choices, chosen)) == decision.kept).all()
            if is_as_decided and (decision.status == "infeasible" or rank(choices, chosen) > choices.confusers):
                break
        return chosen


def rank(choices: Choices, chosen: Sequence[Edit]) -> int:
    """The rank of the true class, from 1, once these edits are made; among equals it is the first."""
    import numpy as np

    from withhold.planners.contest import NARROW, Contest
    from withhold.planners.edits import columns

    scores = choices.secret[0]
    return 1 + Contest.of(scores, scores.true[0]).ahead(np.asarray(columns(choices, chosen)), NARROW / 2)


def _hides(several: Sequence[Choices], chosen: Sequence[Edit]) -> bool:
    return all(rank(choices, chosen) > choices.confusers for choices in several)


def strengths(
    choices: Choices, counts: NDArray[np.float64], most: int, *, aim: Aim = "release", objective: str = "balanced"
) -> list[Decision]:
    """Decisions for every k from 1 to `most`, for a slider that is then moved at no cost.

    A larger k never keeps more words as they are: where planning for it happens to keep more, a smaller one has its
    plan too. What goes for one k need not all go for the next. Where k cannot be reached, the last that could be
    stands in for it, and is infeasible.
    """
    from withhold.planners.aims import decide

    found = [
        decide(replace(choices, confusers=confusers), counts, aim=aim, objective=objective) for confusers in range(most)
    ]
    for weaker in range(most - 2, -1, -1):
        stronger = found[weaker + 1]
        if stronger.status == "confusable" and not _outdoes(found[weaker], stronger):
            found[weaker] = stronger
    for k in range(1, most):
        if found[k].status == "infeasible":
            found[k] = replace(found[k - 1], status="infeasible")
    return found


def _outdoes(weaker: Decision, stronger: Decision) -> bool:
    return weaker.status == "confusable" and bool(weaker.kept.sum() >= stronger.kept.sum())


def _share_kept(choices: Choices | Inferences, chosen: Sequence[Edit]) -> float:
    """How much of the terms is still there, as itself or in more general words."""
    from withhold.planners.edits import columns, counts

    before = float(counts(choices, choices.spans).sum())
    return float(columns(choices, chosen).sum()) / before if before else 1.0


def _after(risk: Risk, chosen: Sequence[Edit]) -> Risk:
    if risk.choices is None:
        return risk
    if isinstance(risk.choices, Inferences):
        from withhold.planners.breaking import exposure

        return replace(risk, after=exposure(risk.choices, chosen)).bare()
    return replace(risk, after=max(risk.choices.floor, 1.0 / rank(risk.choices, chosen))).bare()
