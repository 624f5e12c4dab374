"""Guessing the class of a redacted document from the words that are left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from withhold.errors import NotFitted, PolicyError
from withhold.files import is_folder
from withhold.policy import Policy
from withhold.spans import Span, complement, intersect
from withhold.text import marks
from withhold.types import Document, Mask, Outcome, Secret

if TYPE_CHECKING:
    from withhold.learners.attackers import Family

MODEL = "concepts"
"""The risk model whose secrets this attack is for."""

ADAPTIVE = "adaptive"
"""The folder of attackers that learnt from redactions, beside the others."""


class ConceptAttack:
    """Attackers of several kinds, fitted on documents no planner saw, try every secret that is a class; so do others
    that learnt from redactions, if there are any (`withhold fit concepts --adapt`).

    An attacker has as many guesses as a plan promises to put before the true class, and wins if it is one of them, and
    not for want of any text: a class that is the likeliest to begin with can always be guessed.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._families: dict[Path, Family] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for each attacker and secret; one with a note alone where a secret has no value to look for, or
        its model no attackers.

        Raises:
            NotFitted: if a secret has no model.
            PolicyError: if they do not know its class.
        """
        return [outcome for secret in secrets if secret.model == MODEL for outcome in self._outcomes(document, secret)]

    def _outcomes(self, document: Document, secret: Secret) -> Iterator[Outcome]:
        from withhold.learners.intervals import wilson

        if secret.value is None:
            yield Outcome("concept", secret.name, 0.0, 0.0, wilson(0, 0), 0, "not tried: the secret has no value")
            return
        family = self._family(secret)
        if family is None:
            yield Outcome("concept", secret.name, 0.0, 0.0, wilson(0, 0), 0, "not tried: the model has no attackers")
            return
        if secret.value not in family.classes:
            raise PolicyError(f"secret {secret.name!r}: its value is none of the classes that its attackers learnt")
        # The mark says that something went, not what; a reader passes over it.
        gone = marks(self._policy.operators.mark, document.text)
        whole = Span(0, len(document.text))
        left = " ".join(span.of(document.text) for span in complement(gone, whole))
        yield from _tried(family, "", secret, left, document.text, gone)
        adaptive = self._family(secret, ADAPTIVE)
        if adaptive is not None and secret.value in adaptive.classes:
            yield from _tried(adaptive, "adaptive-", secret, left, document.text, gone)

    def _family(self, secret: Secret, beside: str = "") -> Family | None:
        """The attackers of a secret, or those beside them; None if the model was fitted without."""
        from withhold.learners.attackers import Family

        if not secret.fitted or not secret.attribute:
            raise NotFitted(f"secret {secret.name!r} names no fitted model; `withhold fit concepts` makes one")
        folder = self._policy.resolve(secret.fitted) / "attackers" / secret.attribute / beside
        if folder not in self._families and is_folder(folder):
            self._families[folder] = Family.load(folder)
        return self._families.get(folder)


def _tried(family: Family, kind: str, secret: Secret, left: str, text: str, gone: Sequence[Span]) -> Iterator[Outcome]:
    """How each attacker of a family fares with what is left of a text."""
    from withhold.learners.intervals import wilson

    true, guesses = family.classes.index(secret.value or ""), secret.confusers
    unknown = "" if family.documents[true] else "; no document of the class to learn from"
    for name in family.names:
        rank = int(family.ranks(name, [left], [true])[0])
        won = int(family.lead(name, left, true, guesses) > 0)
        outcome = Outcome(
            attack=f"concept:{kind}{name}",
            secret=secret.name,
            baseline=family.baseline(guesses),
            result=float(won),
            interval=wilson(won, 1),
            trials=1,
            note=f"rank {rank} of {len(family.classes)}{unknown}",
        )
        read = family.telling(name, left, true, guesses) if won else ()
        yield replace(outcome, wins=bool(won), telling=_places(read, text, gone))


def _places(read: Collection[str], text: str, marks: Sequence[Span]) -> tuple[Span, ...]:
    """Where some words stand in a text, marks left out."""
    from withhold.learners.features import Features

    held = Features().occurrences(text) if read else {}
    spans = sorted(span for word in read for span in held.get(word, ()))
    return tuple(span for span in spans if not intersect((span,), marks))
