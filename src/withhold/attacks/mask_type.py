"""Guessing what kind of thing each mark of a redacted document hides, from the words that are left around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from withhold.labels import LABELS, kind, known_as
from withhold.policy import Policy
from withhold.spans import Span
from withhold.text import WORD
from withhold.types import Document, Mask, Outcome, Secret

if TYPE_CHECKING:
    from withhold.learners.masks.cases import Masked
    from withhold.learners.masks.model import MaskTypes

MODEL = "mask_type"
"""The model of secrets that this attack is for."""

SOUGHT = "types of marks"
"""What the attack is after where no secret says that types must not be told."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What one mark is taken for, and how likely it is that; a mark that says so itself is it."""

    span: Span
    kind: str
    likely: float


class MaskTypeAttack:
    """A classifier that has learnt from other documents guesses the type of every mark, whoever left it.

    It wins if a secret says that types must not be told, and it is right more often than that allows. Otherwise what it
    finds is for information.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._models: dict[Path, MaskTypes] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for each secret whose model is `mask_type`, or one for none. Marks that are not given are looked
        for; without a mark there is nothing to attack.

        Raises:
            NotFitted, MalformedData: if a secret names a model that cannot be loaded.
        """
        own: list[Secret | None] = [secret for secret in secrets if secret.model == MODEL]
        own = own or [None]
        masked = self._read(document, masks)
        if not masked.masks:
            note = "no mark in the document"
            return [_untried(secret, note) for secret in own if secret is not None]
        return [self._outcome(masked, self._guesses(document, masked, secret), secret) for secret in own]

    def guesses(self, document: Document, secret: Secret | None = None) -> list[Guess]:
        """What each mark of a document is taken for, in order, by the model that the secret names."""
        masked = self._read(document, ())
        return self._guesses(document, masked, secret) if masked.masks else []

    def _read(self, document: Document, masks: Sequence[Mask]) -> Masked:
        from withhold.learners.marks import marks_in
        from withhold.learners.masks.cases import Masked

        spans = [mask.span for mask in masks] or marks_in(document.text, self._policy.operators.mark)
        labels = [mask.label for mask in masks] or [""] * len(spans)
        return Masked.of(document.text, spans, labels)

    def _guesses(self, document: Document, masked: Masked, secret: Secret | None) -> list[Guess]:
        model = self._model(secret)
        spans = [masked.offsets[place] for place in masked.masks]
        chances = model.probabilities([masked.undisguised()])
        guessed = zip((model.classes[best] for best in chances.argmax(1)), chances.max(1).tolist(), strict=True)
        # A mark that says what it hides needs no guess.
        said = [_named(span.of(document.text), model.classes) for span in spans]
        return [
            Guess(span, own, 1.0) if own else Guess(span, *guess)
            for span, own, guess in zip(spans, said, guessed, strict=True)
        ]

    def _outcome(self, masked: Masked, guesses: Sequence[Guess], secret: Secret | None) -> Outcome:
        from withhold.learners.intervals import wilson

        classes, said = self._model(secret).classes, [guess.kind for guess in guesses]
        known = [(_named(label, classes), guess) for label, guess in zip(masked.types, said, strict=True)]
        scored = [(true, guess) for true, guess in known if true]
        if not scored:
            counts = ", ".join(f"{label} {count}" for label, count in Counter(said).most_common())
            return _untried(secret, f"the true types are not known; guessed: {counts}")
        right = sum(true == guess for true, guess in scored)
        baseline = Counter(true for true, _ in scored).most_common(1)[0][1] / len(scored)
        interval = wilson(right, len(scored))
        # No plan can promise less than what guessing without reading gives.
        allowed = max(baseline, (secret.ceiling if secret else None) or 0.0)
        note = f"{right} of {len(scored)} types right; {len(known) - len(scored)} marks of no known type"
        wins = secret is not None and interval[0] > allowed
        name = secret.name if secret else SOUGHT
        return Outcome(MODEL, name, baseline, right / len(scored), interval, len(scored), note, wins=wins)

    def _model(self, secret: Secret | None) -> MaskTypes:
        from withhold.learners.masks.model import SHIPPED, MaskTypes, shipped

        folder = self._policy.resolve(secret.fitted) if secret and secret.fitted else SHIPPED
        if folder == SHIPPED:
            return shipped()
        if folder not in self._models:
            self._models[folder] = MaskTypes.load(folder)
        return self._models[folder]


def _untried(secret: Secret | None, note: str) -> Outcome:
    return Outcome(MODEL, secret.name if secret else SOUGHT, 0.0, 0.0, (0.0, 1.0), 0, note)


def _named(label: str, classes: Sequence[str]) -> str:
    """The one of the classes that a label or a mark names; empty if it names none."""
    for name in (label, known_as(label), kind(label)):
        if name in classes:
            return name
    for word in WORD.findall(label):
        if known_as(word) in LABELS and kind(word) in classes:
            return kind(word)
    return ""
