"""The log of a review: what was decided, what of it counts, and what follows for its status.

A log is only ever added to. Undo and redo are lines like others: they move over decisions and take none away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

DECISIVE = frozenset({"term", "finding", "strength", "text", "policy"})
"""Kinds of lines that change what is released; notes, approvals and releases do not."""

Status = Literal["open", "approved", "released"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: who did what, and when."""

    number: int
    kind: str
    who: str
    when: datetime
    decision: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Folded:
    """What a log comes to: the decisions that count, those that redo would bring back, and the status."""

    counting: tuple[Line, ...]
    undone: tuple[Line, ...]
    status: Status
    approved_by: str | None
    last_hand: str | None
    """Who changed last what would be released; nobody, if nothing was decided yet."""


def fold(lines: Sequence[Line]) -> Folded:
    """What the lines of a log, in order, come to."""
    counting: list[Line] = []
    undone: list[Line] = []
    status: Status = "open"
    approved_by = last_hand = None
    for line in lines:
        if line.kind in DECISIVE:
            counting.append(line)
            undone.clear()
        elif line.kind == "undo" and counting:
            undone.append(counting.pop())
        elif line.kind == "redo" and undone:
            counting.append(undone.pop())
        if line.kind in DECISIVE or line.kind in ("undo", "redo"):
            status, approved_by, last_hand = "open", None, line.who
        elif line.kind == "approve":
            status, approved_by = "approved", line.who
        elif line.kind == "release":
            status = "released"
    return Folded(tuple(counting), tuple(undone), status, approved_by, last_hand)
