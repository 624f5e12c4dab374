"""The verbs on an uploaded file: what each is given, and what it answers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from withhold.assistant.score import Score
from withhold.assistant.suggestions import Suggestion
from withhold.batch.verify import Check
from withhold.service.schemas.common import Answer, Asked, Name, Stretch, Upload
from withhold.service.schemas.policies import Policy
from withhold.spans import Span
from withhold.types import Edit, Evidence, Finding, Hidden, Notice, Outcome


class Verb(Asked):
    """A file, and the policy to treat it by."""

    document: Upload
    policy: Policy = Policy()


class SourceVerb(Verb):
    source: Upload | None = Field(default=None, description="Of a redacted file, what it was made from.")


class InspectVerb(Asked):
    document: Upload


class AdviceVerb(Verb):
    secret: Name | None = Field(default=None, description="Which secret of the policy; the first if not given.")
    most: Annotated[int, Field(ge=1, le=200)] = 20


class SuggestVerb(AdviceVerb):
    span: Stretch


class ScoreVerb(Asked):
    original: Upload
    edited: Upload
    policy: Policy
    secret: Name | None = None


class VerifyVerb(Asked):
    """A redacted file and its audit (JSON); what else is at hand is checked, too."""

    document: Upload
    audit: Upload
    source: Upload | None = None


class Findings(Answer):
    text: str = Field(description="The text that the offsets are of.")
    findings: list[Finding]


class ClassStanding(Answer):
    """Where a class stands in a model's ranking, from 1, and how likely the model takes it to be."""

    attribute: str
    name: str
    rank: int
    likelihood: float
    true: bool = False


class Risk(Answer):
    """A model's statement about one secret."""

    secret: str
    model: str
    measure: str
    before: float
    after: float
    ceiling: float
    stays: bool
    verdict: str
    evidence: list[Evidence]
    standings: list[ClassStanding]
    notes: list[str]


class Risks(Answer):
    text: str = Field(description="The text that the offsets are of.")
    risks: list[Risk]


class Planned(Answer):
    text: str = Field(description="The text that the offsets are of.")
    edits: list[Edit]
    risks: list[Risk]
    doubtful: list[Finding]
    utility: float
    status: str


class HiddenThings(Answer):
    hidden: list[Hidden]


class Suggestions(Answer):
    suggestions: list[Suggestion]


class Advice(Answer):
    """A term to look at: where it stands, and why."""

    term: str
    spans: list[Span]
    value: float
    alone: float
    together: float
    partner: list[Span]
    reason: str


class AdviceList(Answer):
    text: str = Field(description="The text that the offsets are of.")
    advice: list[Advice]


class Scores(Answer):
    published: Score
    padding_proof: Score


class Verified(Answer):
    """What was checked again. It `holds` if nothing fails."""

    holds: bool
    checks: list[Check]


class Tried(Answer):
    """How attacks on a redacted file fared."""

    outcomes: list[Outcome]


class Redacted(Answer):
    """A redacted file. `audit` is for one's own files; `release` may go with the file, and is there if all holds."""

    name: str
    data: str = Field(description="The redacted file, in base64.")
    holds: bool
    removed: dict[str, int]
    notices: list[Notice]
    risks: list[Risk]
    outcomes: list[Outcome]
    audit: str = Field(description="The audit as HTML.")
    release: str | None = Field(description="The edition of it that can be released, as HTML.")
