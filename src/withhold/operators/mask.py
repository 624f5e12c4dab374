"""A label and a number: `[PERSON 1]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.operators.entities import Numbers, number
from withhold.policy import Policy
from withhold.types import Edit


class Mask:
    """The label of what went, numbered by first appearance, so a reader can tell who is who."""

    counts = True

    def __init__(self, numbers: Numbers | None = None) -> None:
        self.numbers = numbers

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def with_numbers(self, numbers: Numbers) -> Self:
        """The same, with the numbers of a batch."""
        return type(self)(numbers)

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        numbers = number(edits, texts, self.numbers)
        return [f"[{edit.label} {n}]" for edit, n in zip(edits, numbers, strict=True)]
