"""What is never found by itself, because the policy says so."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Self

from withhold.detectors.entities.overlaps import ASKED_FOR
from withhold.detectors.lists import ListDetector
from withhold.policy import Find, Policy
from withhold.spans import Span
from withhold.types import Document, Finding


class Allowed:
    """Words and phrases that stay: findings that are one, or lie inside one, are dropped.

    They match as the terms of lists do, however they are written. What the policy asks for by name is found all the
    same.
    """

    def __init__(self, phrases: Iterable[str] = ()) -> None:
        terms = tuple(phrases)
        self._lists = ListDetector([Find("ALLOWED", terms)]) if terms else None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.allowed)

    def less(self, findings: Iterable[Finding], document: Document) -> list[Finding]:
        """The findings that are not allowed to stay."""
        findings = list(findings)
        if self._lists is None or not findings:
            return findings
        spans = sorted(each.span for each in self._lists.occurrences(document) if each.whole)
        starts = [span.start for span in spans]
        reach = list(accumulate((span.end for span in spans), max))

        def is_allowed(span: Span) -> bool:
            before = bisect_right(starts, span.start)
            return before > 0 and reach[before - 1] >= span.end

        return [each for each in findings if each.detector in ASKED_FOR or not is_allowed(each.span)]
