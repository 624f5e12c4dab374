"""What each kind of component promises: one page of Protocols.

A component is a class named by an entry point of the group `withhold.<kind>`. Formats are made with no
arguments, everything else by a class method `from_policy(policy)`. Components never print and never put a
word of a document into a log record, an error or a `repr`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, Self, runtime_checkable

from withhold.spans import Span
from withhold.types import (
    Block,
    Document,
    Edit,
    Finding,
    Handling,
    Hidden,
    Ledger,
    Notice,
    Outcome,
    Passage,
    Plan,
    Replacement,
    Risk,
    Secret,
)

if TYPE_CHECKING:
    import numpy as np

Unit = Literal["document", "paragraph"]


@runtime_checkable
class Format(Protocol):
    """Bytes to text with exact offsets, and back with edits and nothing else left.

    `read` and `rewrite` see the same blocks for the same bytes and handling. Reading what `rewrite` wrote
    gives the edited text, block by block. `passages` shares no parser with either.
    """

    name: str
    extensions: tuple[str, ...]

    def recognises(self, data: bytes) -> bool:
        """Whether the bytes, whatever their name, are certainly of this format."""

    def settle(self, data: bytes, handling: Handling) -> Handling:
        """The handling with what has to be guessed from the bytes filled in, so that the output is read alike."""

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        """All text that `rewrite` would keep, and where each stretch of it is."""

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        """A new file with the replacements made, everything hidden dropped, and a notice of what went."""

    def passages(self, data: bytes) -> Iterator[Passage]:
        """Everything an independent reader can get out of the file."""

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        """Everything the file holds besides what a reader sees."""


@runtime_checkable
class Detector(Protocol):
    """Finds what names someone outright."""

    def detect(self, document: Document) -> list[Finding]: ...


@runtime_checkable
class RiskModel(Protocol):
    """Says how well a reader could infer a secret, and from what."""

    def resolve(self, document: Document, secret: Secret) -> Secret:
        """The secret with everything filled in that the policy leaves to the model."""

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        """What a reader could infer. Of a redacted document, `source` is the one it was made from, and `written` are
        the spans of marks in it, which are no words of its author.
        """


@runtime_checkable
class Corpus(Protocol):
    """The reader's background knowledge. Calls are in bulk, so that a remote corpus costs one round trip."""

    def size(self, unit: Unit) -> int: ...

    def count_matrix(self, terms: Sequence[str], unit: Unit) -> np.ndarray:
        """Pair counts, with single counts on the diagonal."""

    def count_all(self, term_sets: Sequence[Sequence[str]], unit: Unit) -> np.ndarray:
        """For each set, how many units hold all of its terms."""

    def search(self, query: str, k: int) -> list[Mapping[str, object]]:
        """The k best documents, with snippets."""

    def contains(self, sentences: Sequence[str]) -> list[str | None]:
        """For each sentence, a document that holds it verbatim, or None."""


@runtime_checkable
class Taxonomy(Protocol):
    """Knows what is more general than a word."""

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """More general words for a folded word, the nearest first; `context` are the words it stands among."""


@runtime_checkable
class Planner(Protocol):
    """Chooses edits. Sees labels, weights and offsets, never text, so it cannot leak any."""

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan: ...


@runtime_checkable
class Operator(Protocol):
    """Writes what stands in place of a span; never anything that depends on its length."""

    def replace(self, edits: Sequence[Edit], texts: Sequence[str]) -> list[str]:
        """The replacements for all edits of one document, in order. `texts` is what they remove."""


@runtime_checkable
class Reversible(Protocol):
    """An operator whose work can be undone by whoever holds its key."""

    def ledger(self, edits: Sequence[Edit], texts: Sequence[str]) -> Ledger | None:
        """What each replacement stands for, sealed; None if there is no way back."""


@runtime_checkable
class Attack(Protocol):
    """Tries to recover secrets from a redacted document, knowing nothing of how it was planned."""

    def attack(self, document: Document, secrets: Sequence[Secret]) -> list[Outcome]: ...


@runtime_checkable
class Learner(Protocol):
    """A classifier both sides may use. The constructor stores, `fit` learns."""

    def fit(self, samples: Sequence[object], classes: Sequence[str]) -> Self: ...

    def predict(self, samples: Sequence[object]) -> list[str]: ...

    def save(self, folder: Path) -> None:
        """As JSON, npz or ONNX; never pickle."""


KINDS: Mapping[str, type] = {
    "formats": Format,
    "detectors": Detector,
    "risk": RiskModel,
    "corpora": Corpus,
    "taxonomies": Taxonomy,
    "planners": Planner,
    "operators": Operator,
    "attacks": Attack,
    "learners": Learner,
}
"""Entry-point groups (`withhold.<kind>`) and what their components promise."""
