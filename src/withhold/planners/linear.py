"""K-REDACTOR: remove what was found, and then the least useful words that hide every secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from withhold.planners.direct import DirectPlanner
from withhold.policy import Operators, Planning, Policy
from withhold.types import Choices, Edit, Finding, Plan, Risk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from withhold.planners.aims import Decision

_PASSES = 6


class LinearPlanner:
    """The edits of the direct planner, and for every secret with choices those that hide its true class.

    What one secret takes is gone for the next, and every secret is looked at again until all are hidden at once. A
    secret that removal cannot hide is named by its risk, which stays; nothing is emptied for its sake.
    """

    def __init__(self, operators: Operators, planning: Planning | None = None) -> None:
        self.operators = operators
        self.planning = planning or Planning()

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.operators, policy.planning)

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan:
        direct = DirectPlanner(self.operators).plan(findings, risks)
        choices = [risk.choices for risk in risks if risk.choices is not None]
        if not choices:
            return direct
        from withhold.planners.edits import columns

        chosen = self._hide_all(choices, list(direct.edits))
        after = tuple(_after(risk, chosen) for risk in risks)
        kept = [columns(each, chosen).sum() / max(sum(map(len, each.spans)), 1) for each in choices]
        status = "a risk stays" if any(risk.stays for risk in after) else "done"
        return replace(direct, edits=tuple(chosen), risks=after, utility=float(min(kept)), status=status)

    def decide(self, choices: Choices, counts: NDArray[np.float64]) -> Decision:
        """How much of each term to keep, in the way of this planner."""
        from withhold.planners.aims import decide

        return decide(choices, counts, aim=self.planning.aim, objective=self.planning.objective)

    def _hide_all(self, several: Sequence[Choices], chosen: list[Edit]) -> list[Edit]:
        for number in range(_PASSES):
            before = len(chosen)
            for choices in several:
                if number == 0 or rank(choices, chosen) <= choices.confusers:
                    chosen = self._hide(choices, chosen)
            if len(several) == 1 or len(chosen) == before:
                break
        return chosen

    def _hide(self, choices: Choices, chosen: list[Edit]) -> list[Edit]:
        """Decide, and again as long as edits take more than was decided, which they do where terms overlap."""
        from withhold.planners.edits import counts, edits, merged, standing

        for _ in range(_PASSES):
            occurrences = standing(choices, chosen)
            decision = self.decide(choices, counts(choices, occurrences))
            chosen = merged([*chosen, *edits(choices, occurrences, decision, self.operators)])
            if (counts(choices, standing(choices, chosen)) == decision.kept).all():
                break
        return chosen


def rank(choices: Choices, chosen: Sequence[Edit]) -> int:
    """The rank of the true class, from 1, once these edits are made."""
    import numpy as np

    from withhold.planners.contest import Contest
    from withhold.planners.edits import columns

    scores = choices.secret[0]
    return 1 + Contest.of(scores, scores.true[0]).ahead(np.asarray(columns(choices, chosen)))


def _after(risk: Risk, chosen: Sequence[Edit]) -> Risk:
    if risk.choices is None:
        return risk
    return replace(risk, after=1.0 / rank(risk.choices, chosen), choices=None)
