"""What Markdown source is made of once it is taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True, eq=False, repr=False)
class Token:
    """Some characters of the source.

    `text` is seen by a reader; a `mark` (emphasis, brackets, tags) is not seen and stays; what is `drop` goes
    with every rewrite. `written` is what to write in place of the source, where that is not the same.
    """

    start: int
    end: int
    kind: Literal["text", "mark", "drop"]
    text: str = ""
    block: int = 0
    role: str = ""
    """What a mark is: run, tick, angle, tag, link, fence, fold, attribute, target, label."""
    partners: tuple[Token, ...] = ()
    written: str | None = None
    dropped: str = ""
    """What to call a thing that is dropped."""
    definition: Definition | None = None


def pair(opening: Token, closing: Token) -> None:
    opening.partners += (closing,)
    closing.partners += (opening,)


@dataclass(slots=True, eq=False, repr=False)
class Definition:
    """`[label]: target "title"`, and whether anything refers to it."""

    label: str
    order: int
    used: bool = False


@dataclass(slots=True, repr=False)
class Slot:
    """A block of a unit: what it is, and whether its text stands between quotes of some sort."""

    kind: str
    atomic: bool = False
    quoted: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Unit:
    """A stretch of source that is rewritten on its own."""

    start: int
    end: int
    kind: str
    in_list: bool = False
    tokens: list[Token] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    definition: Definition | None = None

    def texts(self) -> list[str]:
        parts: list[list[str]] = [[] for _ in self.slots]
        for token in self.tokens:
            if token.kind == "text":
                parts[token.block].append(token.text)
        return ["".join(part) for part in parts]

    def seams(self) -> list[list[int]]:
        """For each text, where signs of formatting stand in the source between two of its letters."""
        found: list[list[int]] = [[] for _ in self.slots]
        lengths = [0] * len(self.slots)
        ends = [-1] * len(self.slots)
        for token in self.tokens:
            if token.kind == "text":
                if lengths[token.block] and token.start != ends[token.block]:
                    found[token.block].append(lengths[token.block])
                lengths[token.block] += len(token.text)
                ends[token.block] = token.end
        return found

    def drops(self) -> list[Token]:
        return [token for token in self.tokens if token.kind == "drop"]


def normalise(label: str) -> str:
    """Labels are the same when they differ in case and white space only."""
    return " ".join(label.split()).casefold()
