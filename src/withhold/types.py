"""The nouns, each a frozen value with JSON both ways.

Only `Document`, `Term`, `Passage`, `Hidden`, `Line`, `Hit`, `Secret`, `Replacement`, `Ledger`, and the replacements of
findings and edits can hold words of a document (or of its owner), and none of them shows any in its `repr`:
everything here is safe to print and to log.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from withhold.codec import Value
from withhold.errors import OutputError, PlanError
from withhold.files import write
from withhold.labels import Identifier
from withhold.spans import Span, disjoint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Integers = NDArray[np.int64]
else:
    Array = Integers = Any  # numpy is not imported for the sake of an annotation


@dataclass(frozen=True, slots=True)
class Handling(Value):
    """How files are read and what is done with what is not their text."""

    tracked_changes: Literal["accept", "reject"] = field(
        default="accept",
        metadata={"doc": "Accept or reject tracked changes before anything else. None is ever left in a file."},
    )
    images: Literal["blank", "keep"] = field(
        default="blank",
        metadata={
            "doc": "`blank` puts a grey square of the same size in place of every image, since nobody has "
            "looked for the secret in its pixels. `keep` keeps PNG, JPEG and GIF pictures, without their "
            "metadata, and blanks the rest."
        },
    )
    attachments: Literal["redact", "drop"] = field(
        default="redact",
        metadata={
            "doc": "`redact` treats an attachment of a mail like a document of its own and drops those no "
            "format reads; `drop` removes them all."
        },
    )
    encoding: str | None = field(
        default=None,
        metadata={"doc": "The encoding of plain text, when guessing it is not good enough."},
    )
    ocr: str = field(
        default="auto",
        metadata={
            "doc": "Which program reads scanned pages: `tesseract`, `rapidocr`, `auto` for the one that is installed, "
            "or `off`. A scanned page that is not read is a picture, and treated as one."
        },
    )
    ocr_language: str = field(
        default="",
        metadata={"doc": "The language of scanned pages, as tesseract calls it (`deu`, `fra+eng`); English if empty."},
    )
    password: str | None = field(
        default=None,
        metadata={"doc": "A file with the password of encrypted PDF files, relative to the policy's folder."},
    )
    max_megabytes: int = field(
        default=512,
        metadata={"doc": "A file may not be, or expand to, more than this."},
    )

    def __post_init__(self) -> None:
        if self.max_megabytes < 1:
            raise ValueError("max_megabytes must be 1 or more")
        if self.ocr not in ("auto", "off", "tesseract", "rapidocr"):
            raise ValueError("ocr must be auto, off, tesseract or rapidocr")


@dataclass(frozen=True, slots=True)
class Block(Value):
    """One stretch of `document.text` that a file holds in one place: a paragraph, a cell, an alt text.

    Between two blocks stands one line break that the file does not contain and no edit can remove. An
    `atomic` block (the target of a link) goes as a whole when an edit touches it. `seams` are the offsets inside it
    where the formatting changes: to a reader, a word can end there.
    """

    span: Span
    kind: str = "body"
    where: str = ""
    atomic: bool = False
    seams: tuple[int, ...] = ()


@dataclass(frozen=True)
class Document(Value):
    """Immutable text, its native bytes, and the map from offsets to places in the file."""

    text: str = field(repr=False)
    native: bytes = field(repr=False)
    format: str
    blocks: tuple[Block, ...] = field(repr=False)
    handling: Handling = field(default=Handling(), repr=False)
    name: str = field(default="", repr=False)
    unwanted: tuple[str, ...] = field(default=(), repr=False, compare=False, metadata={"json": False})
    """What no name in the file (of a style, of a class) may tell, whether the text has it or not."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the native bytes.

        As telling as the document to whoever can guess the rest of it: do not release it, do not log it.
        """
        return hashlib.sha256(self.native).hexdigest()

    @cached_property
    def reading(self) -> str:
        """SHA-256 of the text: the same file gives another one if it is read in another way. As telling as `digest`."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def __repr__(self) -> str:
        return f"Document(format={self.format!r}, characters={len(self.text)}, blocks={len(self.blocks)})"

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the native bytes to `path`, atomically."""
        return write(path, self.native, overwrite=overwrite)


@dataclass(frozen=True, slots=True)
class Finding(Value):
    """A detector's claim: this span is a LABEL, an `identifier` that is direct, quasi, or of no known sort."""

    span: Span
    label: str
    detector: str
    score: float = 1.0
    entity: int | None = None
    reason: str = ""
    replacement: str | None = field(default=None, repr=False)
    identifier: Identifier | None = None


@dataclass(frozen=True, slots=True)
class Term(Value):
    """One normalised word or phrase and all its spans: the unit a planner decides on."""

    text: str = field(repr=False)
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Secret(Value):
    """What a reader must not infer."""

    name: str = field(default="secret", metadata={"doc": "What reports call it; do not write the secret itself here."})
    model: str = field(
        default="",
        metadata={
            "doc": "The risk model that watches over it: `concepts` for a class of a fitted model, `association` for a "
            "topic, `information` for words that must not be inferred, `identity` for a person. If it is not given, "
            "`identity` for a `person` and `concepts` for anything else."
        },
    )
    attribute: str | None = field(
        default=None, metadata={"doc": "The attribute of the model's classes, such as `client`."}
    )
    value: str | None = field(
        default=None,
        repr=False,
        metadata={"doc": "The class, topic or name to hide. If it is not given, the class the model takes each for."},
    )
    aliases: tuple[str, ...] = field(
        default=(), repr=False, metadata={"doc": "Other ways of writing the value, or the person's name."}
    )
    fitted: str | None = field(
        default=None,
        metadata={"doc": "The folder of the fitted model (`withhold fit`), relative to the policy's folder."},
    )
    k: int = field(
        default=5,
        metadata={
            "doc": "Hide the true class among k: that many classes, itself included, come before every other guess."
        },
    )
    counting: Literal["all", "others"] = field(
        default="all",
        metadata={
            "doc": "What k counts: `all` classes of the set, the true one included, so that k - 1 others must look "
            "likelier; or the `others` alone, so that k of them must."
        },
    )
    ceiling: float | None = field(
        default=None,
        metadata={
            "doc": "The highest risk that may stay. For `association` the share of documents that tell (0.1 if not "
            "given), for `information` the share of queries that do (0 if not given); otherwise it follows from k."
        },
    )
    person: str | None = field(
        default=None, repr=False, metadata={"doc": "The person who must not be found, by name; in place of a value."}
    )
    related: tuple[str, ...] = field(
        default=(),
        repr=False,
        metadata={"doc": "For `information`: more words that must not be inferred, such as a second diagnosis."},
    )

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k must be 1 or more")
        if self.ceiling is not None and not 0 <= self.ceiling <= 1:
            raise ValueError("ceiling must be from 0 to 1")
        if self.person is not None and self.value is not None:
            raise ValueError("a secret is a person or has a value, not both")
        if not self.model:
            object.__setattr__(self, "model", "concepts" if self.person is None else "identity")
        if self.ceiling is not None and self.model in ("concepts", "identity"):
            raise ValueError(f"the ceiling of `{self.model}` follows from k: give k, and no ceiling")

    @property
    def names(self) -> tuple[str, ...]:
        """Every way of writing it that the policy gives: any of them gives it away."""
        return tuple(name for name in (self.person, self.value, *self.aliases) if name)

    @property
    def confusers(self) -> int:
        """How many other classes must look likelier than the true one."""
        return self.k if self.counting == "others" else self.k - 1


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """Why: what a term weighs for a secret, with the counts or documents that show it."""

    spans: tuple[Span, ...]
    weight: float
    reason: str
    counts: Mapping[str, int] = field(default_factory=dict)
    documents: tuple[str, ...] = field(default=(), repr=False)
    towards: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Standing(Value):
    """Where one class of a concept stands in a model's ranking, from 1, and how likely the model takes it to be."""

    attribute: str
    name: str = field(repr=False)
    rank: int
    likelihood: float
    true: bool = False


@dataclass(frozen=True, eq=False)
class Scores:
    """A linear model of one concept over the terms of one document: class c scores `weights[c] @ kept + bias[c]`.

    `spread` is how unsure each weight is, `options` the weights of what may stand in place of terms.
    """

    weights: Array = field(repr=False)
    bias: Array = field(repr=False)
    true: tuple[int, ...]
    spread: Array | None = field(default=None, repr=False)
    options: Array | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Choices:
    """What a planner may decide about one secret, in numbers: no words.

    `spans` holds the occurrences of each term (which all count as one if `presence` is what the models go by), `secret`
    the models a reader may have of the secret, `keep` those of what should stay recognisable. The first model of the
    secret is the one the guarantee is given for; in a release, those follow of readers who have learnt elsewhere, who
    go by meaning, by what a class would not have written, and by what was found out of redactions. `families` says,
    for each class of the secret, to which class of the first kept concept it mostly belongs. `general` lists, by term,
    what is more general and may stand in its place, in the order of the columns of `Scores.options`. `seed` is where
    chance starts from: it hangs on the text, so no reader can work it out.
    Whatever is done, the risk is at least `floor`: 1 where too little is known for a promise.
    """

    spans: tuple[tuple[Span, ...], ...]
    secret: tuple[Scores, ...]
    keep: tuple[Scores, ...] = ()
    confusers: int = 4
    families: tuple[int, ...] = field(default=(), repr=False)
    general: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    seed: int = field(default=0, repr=False)
    presence: bool = False
    floor: float = 0.0


@dataclass(frozen=True, eq=False)
class Inferences:
    """What a planner may decide about the inferences of one secret, in numbers: no words.

    A column is something a term can become: first each term kept as it is, whose occurrences are in `spans`, then each
    entry of `general`: (term, what may stand in its place). Each row of `sets` holds the columns that together tell the
    secret, filled up with -1: all of them written is what must not be. `weights` is how much each row tells, `worth`
    what each column is worth to a reader. Once every row is broken the risk is `floor`. With `added`, the weights of
    the rows that stay add up to the risk; otherwise the largest is the risk.
    """

    spans: tuple[tuple[Span, ...], ...]
    sets: Integers = field(repr=False)
    weights: Array = field(repr=False)
    worth: Array = field(repr=False)
    general: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    floor: float = 0.0
    added: bool = False


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """A document of a corpus that was found, by the name the corpus has for it."""

    document: str
    title: str = field(default="", repr=False)
    snippet: str = field(default="", repr=False)
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Risk(Value):
    """A model's statement about one secret. `choices` is for planners, and is not written to JSON.

    The numbers are 1/rank of the truth among a reader's guesses, or, if the `measure` is `share`, the share of what a
    reader may look up that tells.
    """

    secret: str
    model: str
    before: float
    after: float
    ceiling: float
    evidence: tuple[Evidence, ...] = ()
    standings: tuple[Standing, ...] = ()
    notes: tuple[str, ...] = ()
    choices: Choices | Inferences | None = field(default=None, repr=False, compare=False, metadata={"json": False})
    measure: Literal["rank", "share"] = "rank"

    def verdict(self, level: float) -> str:
        """What a level of this risk means, beside its ceiling, in words."""
        state = "can be told" if level > self.ceiling else "is hidden"
        if self.measure == "rank":
            rank, asked = (f"rank {round(1 / each)}" if each > 0 else "no rank" for each in (level, self.ceiling))
            return f"{state}: {rank}, and {asked.removeprefix('rank ')} is asked for"
        return f"{state}: {level:.1%}, and at most {self.ceiling:.1%} is asked for"

    @property
    def stays(self) -> bool:
        """Whether the risk is still above its ceiling."""
        return self.after > self.ceiling

    def bare(self) -> Risk:
        """The numbers alone, without the names of classes."""
        return replace(self, evidence=(), standings=(), choices=None)


@dataclass(frozen=True, slots=True)
class Edit(Value):
    """One span, one operator, one reason."""

    span: Span
    operator: str
    label: str = "TERM"
    reason: str = ""
    entity: int | None = None
    replacement: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.span:
            raise ValueError("an edit needs at least one character")


@dataclass(frozen=True, slots=True)
class Plan(Value):
    """Disjoint edits, in order, with what they are predicted to do.

    `source` is the digest of the document the plan was made for, `reading` that of its text; `apply` refuses any
    other. `doubtful` are findings too unsure to act upon: nothing is done about them, and a person should look.
    """

    edits: tuple[Edit, ...]
    source: str | None = field(default=None, repr=False)
    risks: tuple[Risk, ...] = ()
    utility: float = 1.0
    status: str = "done"
    doubtful: tuple[Finding, ...] = ()
    reading: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not disjoint([edit.span for edit in self.edits]):
            raise ValueError("the edits of a plan must be in order and must not overlap")

    def check(self, document: Document) -> None:
        """Refuse a document that the plan was not made for."""
        if self.source is not None and self.source != document.digest:
            raise PlanError("the plan was made for another file, or the file has changed since")
        if self.reading is not None and self.reading != document.reading:
            raise PlanError("the file reads differently than when the plan was made; give the same policy")
        if self.edits and self.edits[-1].span.end > len(document.text):
            raise PlanError("the plan reaches beyond the end of the document")

    @property
    def removed(self) -> dict[str, int]:
        """How many edits there are, by label."""
        return dict(Counter(edit.label for edit in self.edits))


@dataclass(frozen=True, slots=True)
class Replacement(Value):
    """What an operator made of an edit: these characters give way to that text."""

    span: Span
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Mask(Value):
    """Where something was taken out of a document, as its redaction has it, and the label of what was: for whoever
    scores an attack, not for the attacker.
    """

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class Notice(Value):
    """Something besides the text that was removed, changed, or left and not looked into."""

    kind: str
    action: Literal["removed", "changed", "kept unexamined"]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Passage(Value):
    """What an independent reader sees in one place of a file.

    `content` is text a person can get at. `name` is text that holds a file together (a style's name, a class);
    the format's own vocabulary is left out of it. `raw` is the bytes of something that is not text.
    """

    where: str
    text: str = field(default="", repr=False)
    kind: Literal["content", "name", "raw"] = "content"
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Residue(Value):
    """A place where something that should be gone was found; never what was found."""

    where: str
    check: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Hidden(Value):
    """Something in a file that a reader does not see, or sees only if they look for it."""

    kind: str
    where: str
    count: int = 1
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Face(Value):
    """A font of a file: how wide its letters are, as shares of its size, as far as the file says."""

    widths: Mapping[str, float] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Line(Value):
    """One line of a page as it is set, without its white space. Each letter has a start and an end along the line, in
    points, a face of the layout and a size; `bars` are stretches painted over, with nothing to read in them.
    """

    page: int
    text: str = field(repr=False)
    starts: tuple[float, ...] = field(repr=False)
    ends: tuple[float, ...] = field(repr=False)
    faces: tuple[int, ...] = field(repr=False)
    sizes: tuple[float, ...] = field(repr=False)
    bars: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Layout(Value):
    """Where a file sets its letters: what there is to know of what is gone, for whoever measures."""

    faces: tuple[Face, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Box(Value):
    """A part of a page as it is shown, in shares of its width and height from the upper left; pages count from 1."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Verification(Value):
    """What was checked in an output before it was handed over."""

    checks: tuple[str, ...]
    strings: int
    passages: int


@dataclass(frozen=True, slots=True)
class Ledger(Value):
    """Which pseudonym stands for what, sealed: readable only with the key. Keep it; do not release it."""

    sealed: bytes = field(repr=False)


@dataclass(frozen=True)
class Redaction(Value):
    """A plan carried out: the new document, verified, and what became of everything else in the file; where it has
    marks, how attacks on it fared, and in how many rounds it was made stricter because one won.
    """

    document: Document
    plan: Plan
    source: str = field(repr=False)
    verification: Verification
    notices: tuple[Notice, ...] = ()
    ledger: Ledger | None = None
    masks: tuple[Mask, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    rounds: int = 0

    @property
    def holds(self) -> bool:
        """Whether every risk is under its ceiling, and no attack that was tried wins."""
        return not any(risk.stays for risk in self.plan.risks) and not any(each.wins for each in self.outcomes)

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the redacted file to `path`, atomically; over a file that is there only with `overwrite`.

        Raises:
            OutputError: if the file at `path` is the source, whatever `overwrite` says.
        """
        path = Path(path)
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == self.source:
            raise OutputError(f"{path} is the source of the redaction; choose another name")
        return self.document.write(path, overwrite=overwrite)


@dataclass(frozen=True, slots=True)
class Outcome(Value):
    """How an attack on one secret fared: what it would gain without reading (`baseline`), what it gained, with an
    interval, and what it gains from the text as it was (`before`, if that is at hand).

    It `wins` if it gained what the policy does not allow; `telling` is then where in the redacted document it found
    that, if it can say so.
    """

    attack: str
    secret: str
    baseline: float
    result: float
    interval: tuple[float, float]
    trials: int
    note: str = ""
    before: float | None = None
    wins: bool = False
    telling: tuple[Span, ...] = ()


def excerpt(document: Document, spans: Sequence[Span]) -> list[str]:
    """The words under the spans: the one way from offsets back to text."""
    return [span.of(document.text) for span in spans]
