"""What a desk shows and what it is told: frozen values with JSON both ways.

Decisions come in, everything else goes out. All offsets are of the source document's text, half-open, in code points.
What can hold words of a document does not show them in its `repr`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from withhold.assistant.score import Score
from withhold.codec import Value, unknown_key
from withhold.errors import MalformedData
from withhold.labels import Identifier
from withhold.spans import Span
from withhold.types import Block, Edit, Hit, Replacement

Action = Literal["remove", "generalise", "pseudonymise", "keep", "replace"]
Scope = Literal["everywhere", "here"]
Origin = Literal["finding", "strength", "decision"]


# What a person decides


@dataclass(frozen=True, slots=True)
class TermDecision(Value):
    """What becomes of a term: of every place that has the same words, or of the `spans` alone (`here`).

    The term is given by its id or by a span that has its words. `replacement` is what to write, for `replace` and, if
    it is not left to the desk, for `generalise`. `written` has what stands at each span in the end: a desk fills it in.
    """

    action: Action
    spans: tuple[Span, ...] = ()
    term: str | None = None
    scope: Scope = "everywhere"
    replacement: str | None = field(default=None, repr=False)
    written: tuple[str, ...] = field(default=(), repr=False)
    kind: Literal["term"] = "term"

    def __post_init__(self) -> None:
        if not self.spans and self.term is None:
            raise ValueError("a decision about a term needs spans or the id of the term")
        if self.action == "replace" and self.replacement is None:
            raise ValueError("`replace` needs a replacement")
        if self.written and len(self.written) != len(self.spans):
            raise ValueError("`written` has one text for each span")
        if not all(self.spans):
            raise ValueError("a span needs at least one character")


@dataclass(frozen=True, slots=True)
class FindingDecision(Value):
    """Whether findings, given by their spans, are right: one or many at once."""

    accept: bool
    spans: tuple[Span, ...]
    kind: Literal["finding"] = "finding"


@dataclass(frozen=True, slots=True)
class StrengthDecision(Value):
    """How far the slider of a secret is moved: the number of one of its stops, from 1, only what names it."""

    secret: str
    k: int
    kind: Literal["strength"] = "strength"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k must be 1 or more")


@dataclass(frozen=True, slots=True)
class TextDecision(Value):
    """Free editing: what stands in place of spans of the source. An empty span is where something is put in."""

    replacements: tuple[Replacement, ...]
    kind: Literal["text"] = "text"

    def __post_init__(self) -> None:
        ends = 0
        for each in self.replacements:
            if each.span.start < ends:
                raise ValueError("replacements must be in order and must not overlap")
            ends = each.span.end


Decision = TermDecision | FindingDecision | StrengthDecision | TextDecision

_KINDS: Mapping[str, type[Decision]] = {
    "term": TermDecision,
    "finding": FindingDecision,
    "strength": StrengthDecision,
    "text": TextDecision,
}


def decision(data: object) -> Decision:
    """The decision in JSON, of the kind that it says.

    Raises:
        MalformedData: if there is none.
    """
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise MalformedData(unknown_key(str(kind), _KINDS, "kind") if isinstance(kind, str) else "kind missing")
    return _KINDS[kind].from_json(data)


# What there is to decide about


@dataclass(frozen=True, slots=True)
class Claim(Value):
    """A finding as it is shown; a `doubtful` one is acted upon only if a person accepts it."""

    span: Span
    label: str
    score: float
    entity: int | None
    detector: str
    reason: str
    doubtful: bool
    identifier: Identifier | None = None


@dataclass(frozen=True, slots=True)
class Told(Value):
    """What a term tells of one secret, from 0 to 1: `alone`; at the most (`highest`), if it tells more beside others,
    its best `partners` (term ids); and `together` with the first of them. `towards` is the class it speaks for most.
    """

    secret: str
    alone: float
    highest: float
    together: float
    partners: tuple[str, ...] = ()
    towards: str | None = field(default=None, repr=False)
    reason: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class Entry(Value):
    """A term: a word or phrase, all its spans, and what it tells of each secret."""

    id: str
    text: str = field(repr=False)
    spans: tuple[Span, ...]
    told: tuple[Told, ...] = ()

    @property
    def risk(self) -> float:
        return max((each.highest for each in self.told), default=0.0)


@dataclass(frozen=True, slots=True)
class Link(Value):
    """Terms, by id, that tell more together than any of them alone."""

    secret: str
    terms: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Verbatim(Value):
    """A sentence that stands word for word in documents that readers have."""

    span: Span
    secret: str
    confidence: float
    reason: str
    documents: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Note(Value):
    """What is not known, or what no edit can mend; of a secret, or of the document."""

    text: str
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class Overview(Value):
    """A document as it is before anything is decided."""

    blocks: tuple[Block, ...]
    findings: tuple[Claim, ...]
    terms: tuple[Entry, ...]
    links: tuple[Link, ...]
    verbatim: tuple[Verbatim, ...]
    notes: tuple[Note, ...]


# Where things stand


@dataclass(frozen=True, slots=True)
class Change(Value):
    """An edit in effect, and why: a finding, the slider, or a decision, by its number in the list."""

    edit: Edit
    origin: Origin
    decision: int | None = None


@dataclass(frozen=True, slots=True)
class Piece(Value):
    """A stretch of the text as it will be, and the span it comes from; `change` is the number of the change that wrote
    it, None where the document's own words stand.
    """

    span: Span
    text: str = field(repr=False)
    change: int | None = None


@dataclass(frozen=True, slots=True)
class Now(Value):
    """What the terms that still stand tell of a secret, by id: alone, at the most, and beside which other term."""

    secret: str
    alone: Mapping[str, float]
    highest: Mapping[str, float]
    partners: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place(Value):
    """Where a class of a concept stood and stands: ranks from 1, and how likely a model takes it to be."""

    name: str = field(repr=False)
    true: bool
    rank_before: int
    before: float
    rank: int
    likelihood: float


@dataclass(frozen=True, slots=True)
class Meter(Value):
    """The classes of an attribute: of the one that is hidden, or of one to keep; the likeliest now first."""

    secret: str
    attribute: str
    keep: bool
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Level(Value):
    """A risk as it was and is. If it stays above its ceiling, `kept` are the terms, by id, that a person wants to stay
    and that tell it, the most telling first.
    """

    secret: str
    model: str
    measure: Literal["rank", "share"]
    before: float
    now: float
    ceiling: float
    verdict: str
    stays: bool
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress(Value):
    """The score once so many decisions were made."""

    decisions: int
    total: float
    padding_proof: float


@dataclass(frozen=True, slots=True)
class Task(Value):
    """Something to look at next, and why. `value` is how much it matters, within its kind."""

    kind: Literal["written", "finding", "strength", "term", "verbatim", "unknown"]
    reason: str
    value: float
    spans: tuple[Span, ...] = ()
    term: str | None = None
    secret: str | None = None
    k: int | None = None


@dataclass(frozen=True, slots=True)
class Standing(Value):
    """How well a text does: its risks, classes and scores, and what its terms tell."""

    levels: tuple[Level, ...]
    meters: tuple[Meter, ...]
    score: Score
    padding_proof: Score
    terms: tuple[Now, ...]
    notes: tuple[Note, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every risk is under its ceiling."""
        return not any(level.stays for level in self.levels)


@dataclass(frozen=True, slots=True)
class State(Value):
    """Everything that follows from a list of decisions. `undecided` are the places of doubtful findings that nobody has
    decided about: they stay.
    """

    changes: tuple[Change, ...]
    pieces: tuple[Piece, ...]
    standing: Standing
    history: tuple[Progress, ...]
    guide: tuple[Task, ...]
    undecided: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        """The document as it will be."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Preview(Value):
    """What freely edited text would be like, and the decision that makes it so."""

    standing: Standing
    decision: TextDecision


# The slider


@dataclass(frozen=True, slots=True)
class Stop(Value):
    """One stop of a slider: which `edits` (by number) it makes, how many words stay, and what is then left to tell.

    It asks for a risk of at most `ceiling`, and has `reached` that or not. `places` are the true class, those to keep
    and the likeliest others, as the model then ranks them.
    """

    k: int
    ceiling: float
    reached: bool
    risk: float
    words: int
    edits: tuple[int, ...]
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Slider(Value):
    """All stops at once, from only what names the secret to all that can be had. `asked` is the policy's."""

    secret: str
    asked: int
    words: int
    edits: tuple[Edit, ...]
    stops: tuple[Stop, ...]


# A term, looked at closely


@dataclass(frozen=True, slots=True)
class Occurrence(Value):
    """Where a term stands, and the sentence around it."""

    span: Span
    context: Span


@dataclass(frozen=True, slots=True)
class Together(Value):
    """What a term tells with others, or alone if there are none: with the counts or documents that show it."""

    secret: str
    terms: tuple[str, ...]
    confidence: float
    reason: str
    counts: Mapping[str, int] = field(default_factory=dict)
    documents: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Detail(Value):
    """All that is known of a term."""

    id: str
    text: str = field(repr=False)
    occurrences: tuple[Occurrence, ...]
    told: tuple[Told, ...]
    rules: tuple[Together, ...]
