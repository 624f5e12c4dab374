"""Remove everything that was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.policy import Detection, Operators, Policy
from withhold.spans import Span, containing, union
from withhold.types import Edit, Finding, Plan, Risk


class DirectPlanner:
    """One edit for each stretch of overlapping findings, done by the operator its label has in the policy.

    Findings that overlap become one edit over all their characters, with the label of the surest of them, or
    of the longest among equals. Findings below the threshold of their label are shown to a person and not acted upon.
    """

    def __init__(self, operators: Operators, detection: Detection | None = None) -> None:
        self.operators = operators
        self.detection = detection or Detection()

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.operators, policy.detection)

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan:
        sure = [finding for finding in findings if self._sure(finding)]
        edits = [self._edit(group) for group in overlapping(sure)]
        taken = union(edit.span for edit in edits)
        doubtful = [each for each in findings if not self._sure(each) and not _within(each.span, taken)]
        return Plan(tuple(edits), risks=tuple(risks), doubtful=tuple(doubtful))

    def _sure(self, finding: Finding) -> bool:
        return finding.score >= self.detection.threshold(finding.label)

    def _edit(self, group: Sequence[Finding]) -> Edit:
        best = max(group, key=lambda each: (each.score, len(each.span), -each.span.start))
        return Edit(
            span=Span(min(each.span.start for each in group), max(each.span.end for each in group)),
            operator="replace" if best.replacement is not None else self.operators.choose(best.label),
            label=best.label,
            reason=best.reason,
            entity=best.entity,
            replacement=best.replacement,
        )


def _within(span: Span, taken: Sequence[Span]) -> bool:
    index = containing(taken, span.start)
    return index is not None and span in taken[index]


def overlapping(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings in groups that share characters, in order of the text."""
    groups: list[list[Finding]] = []
    end = 0
    for finding in sorted(findings, key=lambda each: each.span):
        if groups and finding.span.start < end:
            groups[-1].append(finding)
        else:
            groups.append([finding])
        end = max(end, finding.span.end)
    return groups
