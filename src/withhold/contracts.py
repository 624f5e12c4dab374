"""What each kind of component promises: one page of Protocols.

A component is a class named by an entry point of the group `withhold.<kind>`. Formats are made with no
arguments, everything else by a class method `from_policy(policy)`. Components never print and never put a
word of a document into a log record, an error or a `repr`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, Self, runtime_checkable

from withhold.spans import Span
from withhold.types import (
    Block,
    Box,
    Document,
    Edit,
    Finding,
    Handling,
    Hidden,
    Hit,
    Layout,
    Ledger,
    Mask,
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
    from numpy.typing import NDArray
    from scipy.sparse import csc_matrix

    Counts = NDArray[np.int64]
    Flags = NDArray[np.bool_]

Unit = Literal["document", "paragraph"]
Match = Literal["all", "any"]
Wanted = str | tuple[str, ...]


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
class Paged(Protocol):
    """A format whose text has places on pages, where looks can tell more than words."""

    def layout(self, data: bytes) -> Layout:
        """Where every letter stands, as any reader could measure it."""

    def pictures(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """A PNG of each page that hides text, with its number from 1 and what is hidden marked on it."""

    def pages(self, data: bytes) -> int:
        """How many pages there are."""

    def picture(self, data: bytes, page: int, scale: float = 1.5) -> bytes:
        """A PNG of one page, counted from 1, as a reader sees it."""

    def boxes(self, document: Document, spans: Sequence[Span]) -> list[tuple[Box, ...]]:
        """Where the text of each span stands on pages, one box for each line; none for what no page shows."""


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
class Fitting(Protocol):
    """A risk model that can tell before any document whether a secret fits it."""

    def check(self, secret: Secret) -> None:
        """Refuse a secret that no document could be assessed for.

        Raises:
            PolicyError: saying what does not fit, without the secret's value.
        """


@runtime_checkable
class OfMasks(Protocol):
    """A risk model of what is told about the masks themselves, which has to know them."""

    def with_masks(self, masks: Sequence[Mask]) -> Self:
        """The same model for a document in which this is, or will be, masked."""


@runtime_checkable
class Corpus(Protocol):
    """The reader's background knowledge. Calls are in bulk, so that a remote corpus costs few round trips.

    A term is a word, a phrase, or several of them in a tuple, any of which will do. Case, accents and punctuation do
    not matter. A set of terms is met by a unit that holds all of them.
    """

    def size(self, unit: Unit) -> int: ...

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        """Pair counts, with single counts on the diagonal; with `given`, of the units alone that hold that too."""

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        """For each set, how many units hold all of its terms."""

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        """For each set, whether the topic stands in one of the `depth` best documents that hold all (or any) of it."""

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        """For each set, the names of up to k documents that hold all of its terms."""

    def search(self, query: str, k: int) -> list[Hit]:
        """The k best documents, with snippets."""

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        """For each sentence, a document that holds it word for word, or None."""


@runtime_checkable
class Remote(Corpus, Protocol):
    """A corpus that others hold, who learn what they are asked. What may be sent for one document is bounded."""

    def statement(self) -> str:
        """What is sent to whom, for a person to read before anything is."""

    def fresh(self) -> Self:
        """The same corpus with nothing sent yet: for the next document."""

    def notes(self) -> tuple[str, ...]:
        """In what way the answers so far are less than exact."""


@runtime_checkable
class Archive(Corpus, Protocol):
    """A corpus that is at hand, and can be read, not only asked. Its documents are numbered from 0, with no gaps."""

    def names(self) -> Sequence[str]:
        """The name of each document."""

    def titles(self) -> Sequence[str]:
        """The title of each document; several can have the same. Empty where there is none."""

    def lengths(self) -> Counts:
        """How many words each document has."""

    def bounds(self) -> Counts:
        """The number of the first paragraph of each document, and after the last the number of all paragraphs."""

    def occurrences(self, terms: Sequence[Wanted], unit: Unit) -> csc_matrix:
        """How often each unit (row) holds each term (column)."""

    def text(self, document: str) -> str:
        """All of a document."""

    def copies(self, text: str) -> list[str]:
        """The documents that hold much of the text word for word."""

    def without(self, documents: Collection[str]) -> Self:
        """The same corpus as if it did not have these documents: the others keep their numbers, and nothing of these is
        ever counted or found.
        """


@runtime_checkable
class Taxonomy(Protocol):
    """Knows what is more general than a word or phrase."""

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """More general words for a folded word, or for a phrase as it is written, the nearest first; `context` are the
        folded words it stands among, in order.
        """


@runtime_checkable
class Classes(Protocol):
    """A taxonomy that can also be asked the other way round."""

    def members(self, general: str) -> Collection[str]:
        """The folded words that it would say this for."""


@runtime_checkable
class Wording(Protocol):
    """A taxonomy that goes by how a word is used where it stands."""

    def generalise_as(self, word: str, use: str) -> tuple[str, ...] | None:
        """More general words for a folded word that is used as a `NOUN`, `PROPN`, `ADJ` or `VERB`; what is around a
        verb may show its form to be `PAST`, `PERFECT` or `PASSIVE`. None if another taxonomy is to be asked.
        """


@runtime_checkable
class Lexicon(Protocol):
    """A taxonomy that knows what is one word, though written as several."""

    def has(self, phrase: str) -> bool:
        """Whether folded words are a word: `high school`."""


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

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """How it fares against each secret it is for. The values of the secrets and the labels of the masks, where
        they are known, are to tell whether it is right, never for it to go by.
        """


@runtime_checkable
class Asking(Attack, Protocol):
    """An attack that asks others, who see what they are sent: redacted text, and never what it was made from."""

    def statement(self) -> str:
        """What is sent to whom, for a person to read before anything is; empty if the policy names nobody."""


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
