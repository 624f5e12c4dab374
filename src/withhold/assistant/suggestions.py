"""What to write instead: words that say less and are measured by the same risk model before they are offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from withhold import plugins
from withhold.assistant.candidates import Candidate, candidates, taxonomies
from withhold.assistant.gauges import Gauge, Measure, gauge
from withhold.assistant.guide import Advice, advise
from withhold.assistant.slots import Slot
from withhold.codec import Value
from withhold.errors import PolicyError
from withhold.learners.features import words
from withhold.spans import Span
from withhold.text import fold

if TYPE_CHECKING:
    from withhold.contracts import RiskModel, Taxonomy
    from withhold.policy import Policy
    from withhold.types import Document, Secret

_OFFERED = 8
_AKIN = 0.5
"""A hypernym that keeps less of the meaning is one of another sense of the word."""
_DEPTH = 0.8
"""A step further from what is replaced keeps so much of its meaning, whatever the words are."""


@dataclass(frozen=True, slots=True)
class Suggestion(Value):
    """Words to put in place of a span, and what that does.

    `span` is the span that was asked about, with the article or preposition before it where that has to change.
    `before` and `after` are what it tells and what the words would, from 0 to 1; `kept` is how much of its meaning they
    keep. `measure` says what that is: what they tell `alone`; by association rules that or what is `added` to the rest,
    if that is more; or what is `left` of the risk of the whole document.
    """

    span: Span
    text: str = field(repr=False)
    kind: str
    before: float
    after: float
    kept: float
    measure: Measure

    @property
    def removed(self) -> float:
        """The share of the risk that it takes away."""
        return 1 - self.after / self.before if self.before > 0 else 0.0


class Assistant:
    """Suggestions for one document, of which everything that is slow is looked up once."""

    def __init__(
        self, document: Document, policy: Policy, secret: Secret | None = None, *, model: RiskModel | None = None
    ) -> None:
        """For a secret of the policy, its first one if none is given, and the model it names if none is given.

        Raises:
            PolicyError: if the policy has no secret.
        """
        if secret is None and not policy.secret:
            raise PolicyError("suggestions need a secret: say in a [[secret]] table what must not be inferred")
        self.document, self.policy = document, policy
        self.secret = secret or policy.secret[0]
        self._model = model

    @cached_property
    def model(self) -> RiskModel:
        if self._model is not None:
            return self._model
        with plugins.trusting(self.policy.components.trusted):
            made: RiskModel = plugins.load("risk", self.secret.model).from_policy(self.policy)
        return made

    @cached_property
    def gauge(self) -> Gauge:
        return gauge(self.model, self.document, self.secret)

    @cached_property
    def _taxonomies(self) -> dict[str, Taxonomy]:
        with plugins.trusting(self.policy.components.trusted):
            return taxonomies(self.policy)

    def advise(self, most: int | None = None) -> list[Advice]:
        """What to look at first."""
        return advise(self.model, self.document, self.secret, most)

    def suggest(self, asked: Span | str, *, removed: Sequence[str] = (), most: int = _OFFERED) -> list[Suggestion]:
        """What could stand in place of a span, or of a term where it first stands; the best first.

        None tells more than what it replaces, says the same, or has a word of the secret's names or of the texts that
        were `removed` already. The same document and policy give the same ones.

        Raises:
            PolicyError: if the term is not in the document.
        """
        slot = Slot.of(self.document.text, asked if isinstance(asked, Span) else find(self.document, asked))
        avoid = [word for text in (*self.secret.names, *removed) for word in words(text)]
        found = candidates(slot, self._taxonomies, avoid)
        if not found:
            return []
        before = self.gauge.before(slot.span)
        kept = _meaning(slot.written, found)
        scored = [
            Suggestion(each.span, each.text, each.kind, before, after, meaning, self.gauge.measure)
            for each, after, meaning in zip(found, self.gauge.after(found), kept, strict=True)
            if after <= before and not (each.kind == "hypernyms" and meaning < _AKIN)
        ]
        return sorted(scored, key=lambda each: (-(each.removed + each.kept), each.text))[:most]


def suggest(
    document: Document, asked: Span | str, policy: Policy, *, secret: Secret | None = None, removed: Sequence[str] = ()
) -> list[Suggestion]:
    """What could stand in place of a span or term of a document; for many, keep an `Assistant`.

    Raises:
        PolicyError: if the policy has no secret, or the term is not in the document.
    """
    return Assistant(document, policy, secret).suggest(asked, removed=removed)


def find(document: Document, term: str) -> Span:
    """Where a term first stands in a document, whatever its case and accents.

    Raises:
        PolicyError: if it does not.
    """
    folded, wanted = fold(document.text), fold(term).text.strip()
    at = folded.text.find(wanted) if wanted else -1
    if at < 0:
        raise PolicyError("the document has no such term; give it as it is written there")
    return folded.span(at, at + len(wanted))


def _meaning(written: str, found: Sequence[Candidate]) -> list[float]:
    """How much of what was written each candidate still says: by what the words mean, and by how far it is away."""
    from withhold.learners.embeddings import embed

    vectors: Any = embed([written, *(each.text for each in found)])
    alike = (vectors[1:] @ vectors[0]).clip(0.0, 1.0).tolist()
    return [0.5 * like + 0.5 * _DEPTH**each.step for like, each in zip(alike, found, strict=True)]
