"""Which edits are about the same thing."""

from __future__ import annotations

from collections.abc import Sequence

from withhold.text import squeeze
from withhold.types import Edit


def number(edits: Sequence[Edit], texts: Sequence[str]) -> list[int]:
    """A number for each edit, from 1 by first appearance within its label.

    Edits share one if the plan gave them the same entity or, where it gave none, if they remove the same words.
    """
    seen: dict[str, dict[object, int]] = {}
    numbers = []
    for edit, text in zip(edits, texts, strict=True):
        of_label = seen.setdefault(edit.label, {})
        thing = edit.entity if edit.entity is not None else squeeze(text)
        numbers.append(of_label.setdefault(thing, len(of_label) + 1))
    return numbers
