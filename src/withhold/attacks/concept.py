"""Guessing the class of a redacted document from the words that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from withhold.errors import NotFitted, PolicyError
from withhold.files import is_folder
from withhold.policy import Policy
from withhold.spans import Span, complement
from withhold.text import marks
from withhold.types import Document, Outcome, Secret

if TYPE_CHECKING:
    from withhold.learners.attackers import Family

MODEL = "concepts"
"""The risk model whose secrets this attack is for."""


class ConceptAttack:
    """Attackers of several kinds, fitted on documents no planner saw, try every secret that is a class.

    An attacker has as many guesses as a plan promises to put before the true class, and wins if it is one of them.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._families: dict[Path, Family] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret]) -> list[Outcome]:
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
        true, guesses = family.classes.index(secret.value), secret.confusers
        # The mark says that something went, not what; a reader passes over it.
        gone = marks(self._policy.operators.mark, document.text)
        whole = Span(0, len(document.text))
        left = " ".join(span.of(document.text) for span in complement(gone, whole))
        unknown = "" if family.documents[true] else "; no document of the class to learn from"
        for name in family.names:
            rank = int(family.ranks(name, [left], [true])[0])
            won = int(rank <= guesses)
            note = f"rank {rank} of {len(family.classes)}{unknown}"
            baseline = family.baseline(guesses)
            yield Outcome(f"concept:{name}", secret.name, baseline, float(won), wilson(won, 1), 1, note)

    def _family(self, secret: Secret) -> Family | None:
        """The attackers of a secret; None if the model was fitted without."""
        from withhold.learners.attackers import Family

        if not secret.fitted or not secret.attribute:
            raise NotFitted(f"secret {secret.name!r} names no fitted model; `withhold fit concepts` makes one")
        folder = self._policy.resolve(secret.fitted) / "attackers" / secret.attribute
        if folder not in self._families and is_folder(folder):
            self._families[folder] = Family.load(folder)
        return self._families.get(folder)
