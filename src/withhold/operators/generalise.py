"""A more general word that the plan gives: `trawler` becomes `boat`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from withhold.errors import PlanError
from withhold.policy import Policy
from withhold.types import Edit


class Generalise:
    """The replacement each edit carries, capitalised like what it replaces.

    Of what goes, one thing shows: whether it was written small, with a capital, or in capitals throughout. Without that
    a sentence would start with a small letter; with it, a common noun with a capital in the middle of a sentence
    tells that a name stood there, and one in capitals that perhaps an abbreviation did. Neither tells which, and no
    other letter, nor how many there were, makes a difference. The capitals of the replacement itself stay.
    """

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        return [_like(text, _given(edit)) for edit, text in zip(edits, texts, strict=True)]


def _given(edit: Edit) -> str:
    if not edit.replacement or not edit.replacement.strip():
        raise PlanError("an edit with the operator 'generalise' gives no replacement")
    return edit.replacement


def _like(removed: str, written: str) -> str:
    letters = [letter for letter in removed if letter.isupper() or letter.islower()]
    if letters and all(letter.isupper() for letter in letters):
        return written.upper()
    if letters and letters[0].isupper():
        return written[0].upper() + written[1:]
    return written
