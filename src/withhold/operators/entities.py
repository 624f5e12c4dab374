"""Which edits are about the same thing, and by which number and name it goes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, runtime_checkable

from withhold.text import WORD, fold, squeeze
from withhold.types import Edit

_TITLE = re.compile(r"^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|lord|lady|judge|rev)\.?\s+)+", re.I)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that the entities of one document have in a batch, by label and entity; and how many there are of
    each label in the whole batch.
    """

    entities: Mapping[tuple[str, int], int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class Numbering(Protocol):
    """An operator that tells entities apart by numbers, and can be given those of a batch."""

    @property
    def counts(self) -> bool:
        """Whether it does so as it stands."""

    def with_numbers(self, numbers: Numbers) -> Self: ...


def number(edits: Sequence[Edit], texts: Sequence[str], numbers: Numbers | None = None) -> list[int]:
    """A number for each edit: that of its entity in the batch or, if there is none, from 1 by first appearance within
    its label.

    Edits share one if the plan gave them the same entity or, where it gave none, if they remove the same words.
    """
    given = numbers or Numbers()
    seen: dict[str, dict[object, int]] = {}
    found = []
    for edit, text in zip(edits, texts, strict=True):
        known = None if edit.entity is None else given.entities.get((edit.label, edit.entity))
        of_label = seen.setdefault(edit.label, {})
        thing = edit.entity if edit.entity is not None else squeeze(text)
        found.append(known or of_label.setdefault(thing, given.counts.get(edit.label, 0) + len(of_label) + 1))
    return found


def full_names(edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
    """What the entity of each edit is called in full, folded: of all texts of its label, the one of most words, then
    of most letters. Without an entity, its own words.
    """
    longest: dict[tuple[str, int], tuple[int, int, str]] = {}
    for edit, text in zip(edits, texts, strict=True):
        if edit.entity is not None:
            words = _words(text)
            size = len(words), len("".join(words)), "".join(words)
            longest[edit.label, edit.entity] = max(size, longest.get((edit.label, edit.entity), size))
    return [
        "".join(_words(text)) if edit.entity is None else longest[edit.label, edit.entity][2]
        for edit, text in zip(edits, texts, strict=True)
    ]


def _words(text: str) -> list[str]:
    folded = fold(text).text
    return WORD.findall(_TITLE.sub("", folded)) or [folded]
