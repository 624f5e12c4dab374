"""Text that the plan gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.errors import PlanError
from withhold.policy import Policy
from withhold.types import Edit


class Replace:
    """The replacement each edit carries."""

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        if any(edit.replacement is None for edit in edits):
            raise PlanError("an edit with the operator 'replace' gives no replacement")
        return [edit.replacement or "" for edit in edits]
