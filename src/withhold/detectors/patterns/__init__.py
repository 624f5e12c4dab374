"""What has a form of its own: addresses, numbers with check digits, dates, sums of money."""

from __future__ import annotations

from typing import Self

from withhold.policy import Detection, Policy
from withhold.types import Document, Finding


class PatternDetector:
    """Finds what can be told by its form, its check digits and the words beside it."""

    def __init__(self, detection: Detection) -> None:
        self.detection = detection

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.detection)

    def detect(self, document: Document) -> list[Finding]:
        return []
