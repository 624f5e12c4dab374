"""Work in the background."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from withhold.service.schemas.common import Answer, Fault
from withhold.service.schemas.verbs import Redacted, Risk, Tried
from withhold.types import Notice, Outcome


class ReleaseResult(Answer):
    """What the gate said. If nothing was `released` there is no file, and risks and outcomes say why.
    `undecided` is how many doubtful places nobody had decided about: they stay.
    """

    released: bool
    holds: bool
    version: int
    removed: dict[str, int]
    notices: list[Notice]
    risks: list[Risk]
    outcomes: list[Outcome]
    checks: list[str]
    files: list[str]
    undecided: int = 0


class MadeResult(Answer):
    """The id of the model, corpus or review that was made."""

    made: str


class Job(Answer):
    """Work in the background. `result` is there once it is done: of the kind that the route that began it says."""

    id: str
    kind: str
    review: str | None = None
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: float = Field(description="From 0 to 1.")
    doing: str
    created: datetime
    ended: datetime | None = None
    error: Fault | None = None
    result: ReleaseResult | Redacted | Tried | MadeResult | None = None


class Jobs(Answer):
    jobs: list[Job]
