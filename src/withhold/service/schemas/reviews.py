"""Reviews: a document at work, what is decided about it, and its release."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from withhold.assistant.desk.values import State
from withhold.service.schemas.common import Answer, Asked, Fault, Id, Name, Reason, Stretch, Text, Upload, Words
from withhold.service.schemas.jobs import ReleaseResult
from withhold.service.schemas.policies import Policy
from withhold.spans import Span
from withhold.types import Block, Box

Version = Annotated[int, Field(ge=0, le=2**31 - 1, description="The version of the review that the page showed.")]


class NewReview(Asked):
    document: Upload
    policy: Policy = Policy()
    reviewers: list[Name] = Field(default=[], max_length=50)


class Review(Answer):
    """A document at work. Its `version` grows with every change."""

    id: str
    name: str
    format: str
    owner: str
    reviewers: list[str]
    created: datetime
    changed: datetime
    expires: datetime
    version: int
    status: Literal["open", "approved", "released"]
    decisions: int = Field(description="Decisions that count now: those undone do not.")
    undoes: int | None = Field(default=None, description="The line of the log that undo would take back.")
    redoes: int | None = Field(default=None, description="The line of the log that redo would bring back.")
    approved_by: str | None = None
    released_version: int | None = None


class Reviews(Answer):
    reviews: list[Review]


class Reviewers(Asked):
    """Who else may see a review, decide and approve."""

    reviewers: list[Name] = Field(max_length=50)


class DocumentText(Answer):
    """The text as withhold reads it, with its structure."""

    name: str
    format: str
    text: str
    words: int
    blocks: list[Block]
    paged: bool = Field(description="Whether `prints` shows its pages.")


class PlacedWord(Answer):
    """A word of the text, and the part of a page where it stands; one that is broken over lines is here twice."""

    span: Span
    box: Box


class Prints(Answer):
    """The pages of a document as they are printed. Each is a picture, `pages/1.png` and so on."""

    pages: int
    words: list[PlacedWord]


class TermDecision(Asked):
    """What is done about a term, everywhere or at the given places (`spans`) alone."""

    kind: Literal["term"]
    action: Literal["remove", "generalise", "pseudonymise", "keep", "replace"]
    term: Id | None = None
    spans: list[Stretch] = Field(default=[], max_length=20_000)
    scope: Literal["everywhere", "here"] = "everywhere"
    replacement: Words | None = None
    note: Words = ""


class FindingDecision(Asked):
    """Findings, by their spans, accepted (they go) or rejected (they stay); one or many."""

    kind: Literal["finding"]
    spans: list[Stretch] = Field(min_length=1, max_length=20_000)
    accept: bool
    note: Words = ""


class StrengthDecision(Asked):
    """The slider of a secret."""

    kind: Literal["strength"]
    secret: Name
    k: Annotated[int, Field(ge=1, le=1_000)]
    note: Words = ""


class Written(Asked):
    """What stands in place of a span of the source. An empty span is where something is put in."""

    span: Stretch
    text: Text


class TextChange(Asked):
    """Free editing: the replacements that `preview` made of the edited text, or that text itself."""

    kind: Literal["text"]
    replacements: list[Written] | None = Field(default=None, max_length=20_000)
    text: Text | None = None
    note: Words = ""


class PolicyDecision(Asked):
    """Another policy: other secrets, labels, things to keep."""

    kind: Literal["policy"]
    policy: Policy
    note: Words = ""


class NoteDecision(Asked):
    """Something to remember, for the log and for the other reviewer."""

    kind: Literal["note"]
    note: Reason
    span: Stretch | None = None


Decision = Annotated[
    TermDecision | FindingDecision | StrengthDecision | TextChange | PolicyDecision | NoteDecision,
    Field(discriminator="kind"),
]


class NewDecision(Asked):
    version: Version
    decision: Decision


class Step(Asked):
    """An undo, a redo, an approval, an attack."""

    version: Version


class PolicyChange(Asked):
    version: Version
    policy: Policy


class Line(Answer):
    """One line of the log of a review. Nothing is ever taken out of it: undo and redo are lines, too."""

    number: int
    kind: str
    who: str
    when: datetime
    counts: bool = Field(description="Whether it is in force: not undone, and no undo or redo itself.")
    decision: dict[str, Any]


class Log(Answer):
    version: int
    lines: list[Line]


class ReviewState(Answer):
    """A review and its state: the answer to every change.

    `numbers` are the lines of the log that the decisions of the state are, in order: where the state speaks of
    decision 0, it is the line `numbers[0]`.
    """

    review: Review
    policy: Policy
    numbers: list[int]
    state: State


class Conflict(Answer):
    """Someone (another tab, another person) was first. Nothing was stored; here is how it stands now."""

    error: Fault
    current: ReviewState


class SpanQuery(Asked):
    span: Stretch


class TextQuery(Asked):
    text: Text


class NewRelease(Step):
    """With `accept`, a reason, the file is released although a risk stays or an attack wins; the reason is logged.
    Without `leave_undecided` nothing is released while doubtful places are undecided (409, kind `Undecided`).
    """

    accept: Reason | None = None
    leave_undecided: bool = False


class Released(Answer):
    """The last release of a review. `result.files` can be downloaded."""

    when: datetime
    who: str
    accepted: str | None
    result: ReleaseResult
