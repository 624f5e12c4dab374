"""One mark for everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.policy import Policy
from withhold.types import Edit


class Suppress:
    """The same mark for every edit, whatever its label and length."""

    def __init__(self, mark: str = "[REDACTED]") -> None:
        self.mark = mark

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.operators.mark)

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        return [self.mark] * len(edits)
