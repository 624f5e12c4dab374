"""Texts in which people have marked what should be found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from withhold.errors import MalformedData
from withhold.spans import Span

Need = Literal["direct", "quasi", "none"]

_NEEDS: dict[str, Need] = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "none", "NONE": "none"}


@dataclass(frozen=True, slots=True)
class Mention:
    """One marked stretch. The label is as the data has it; `labels.known_as` and `labels.kind` say what it means.

    Mentions of one `entity` mean the same thing; names of entities hold within one annotator of one text. `identifier`
    is what the annotator said of it: that it points at a person by itself, helps to, or need not be masked.
    """

    span: Span
    label: str
    entity: str | None = None
    identifier: Need | None = None
    annotator: str = ""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text, what its annotators have marked, and how many of them there were.

    Texts of one `group` are alike (made from one template, or of one case): keep them on one side of a split.
    """

    id: str
    text: str = field(repr=False)
    mentions: tuple[Mention, ...]
    annotators: int = 1
    group: str = ""
    split: str = ""


def marked(text: str, start: object, end: object, where: object, said: object = None) -> Span:
    """The span from `start` to `end` of a text; `said` is what the data says stands there, if it does.

    Raises:
        MalformedData: if there is no such span in the text, or something else stands there.
    """
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise MalformedData(f"{where}: a span that is not in the text, which has {len(text)} characters")
    if isinstance(said, str) and said.split() != text[start:end].split():
        raise MalformedData(f"{where}: the offsets of a span do not fit its text; count in characters, not in bytes")
    return Span(start, end)


def need(flag: object) -> Need | None:
    """What an annotator's flag means; None if it says nothing of masking."""
    return _NEEDS.get(flag.upper()) if isinstance(flag, str) else None
