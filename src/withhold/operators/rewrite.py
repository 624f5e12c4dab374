"""Words that a person wants to stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.errors import PlanError
from withhold.policy import Policy
from withhold.types import Edit


class Rewrite:
    """The replacement each edit carries, as it is, or nothing if it is empty. Unlike a mark, it is read as words: risk
    models look at it.
    """

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        if any(edit.replacement is None for edit in edits):
            raise PlanError("an edit with the operator 'rewrite' gives no replacement")
        return [edit.replacement or "" for edit in edits]
