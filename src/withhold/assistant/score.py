"""How well a person does: the score of the revision assistant, in its three parts, and one that padding cannot raise.

The score goes up as what is left tells less, and down as more is deleted that told little. Terms are given by name with
their confidence: how sure the secret is from them, alone or with another term of the same document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from withhold.codec import Value
from withhold.errors import PolicyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.policy import Policy
    from withhold.risk.association import AssociationRisk, Rules
    from withhold.types import Document, Secret

    Reals = NDArray[np.float64]

THRESHOLD = 0.1
"""Deleting what tells less than this is not rewarded."""


@dataclass(frozen=True, slots=True)
class Score(Value):
    """The three parts of a score, and what it is of: how many terms were deleted, written and kept."""

    change: float
    bonus: float
    penalty: float
    deleted: int
    added: int
    kept: int

    @property
    def total(self) -> float:
        return self.change + self.bonus + self.penalty

    def reasons(self) -> tuple[str, str, str]:
        """What each part is for, in words."""
        return (
            f"{self.change:+.2f} for what the document now tells less of (or more, if negative)",
            f"{self.bonus:+.2f} for the {self.deleted} terms that are gone: {THRESHOLD} less than each of them told",
            f"{self.penalty:+.2f} for what was deleted and not made up for",
        )


def score(original: Mapping[str, float], current: Mapping[str, float]) -> Score:
    """The score as published.

    The change of the sum of all confidences, the confidence of each deleted term less one tenth, and one off for each
    term that the document has less of. Writing as many words without meaning as were deleted evades the last part.
    """
    gone = [value for term, value in original.items() if term not in current]
    return Score(
        change=sum(original.values()) - sum(current.values()),
        bonus=sum(value - THRESHOLD for value in gone),
        penalty=float(min(len(current) - len(original), 0)),
        **_counts(original, current),
    )


def padding_proof(original: Mapping[str, float], current: Mapping[str, float]) -> Score:
    """A score that nothing new in the document can raise.

    As published, but the penalty is for each deleted term, the more the less it told (one for a term that told nothing,
    none for one that told a tenth or more), whatever was written in its place: a term without meaning makes up for
    nothing, and what is harmless is worth keeping.
    """
    gone = [value for term, value in original.items() if term not in current]
    return Score(
        change=sum(original.values()) - sum(current.values()),
        bonus=sum(value - THRESHOLD for value in gone),
        penalty=-sum(max(0.0, 1.0 - value / THRESHOLD) for value in gone),
        **_counts(original, current),
    )


def _counts(original: Mapping[str, float], current: Mapping[str, float]) -> dict[str, int]:
    both = len(original.keys() & current.keys())
    return {"deleted": len(original) - both, "added": len(current) - both, "kept": both}


def achieved(single: Reals, paired: Reals) -> Reals:
    """The confidence of each term: alone, or with the term beside which it is the highest. `paired` may be of the first
    terms only.
    """
    highest: Reals = np.array(single, np.float64)
    size = len(paired)
    if size:
        highest[:size] = np.maximum(highest[:size], paired.max(axis=1))
    return highest


def confidences(rules: Rules) -> dict[str, float]:
    """The confidence of each term of a document, by association rules."""
    names = [term.text for term in rules.terms]
    return dict(zip(names, achieved(rules.single, rules.paired).tolist(), strict=True))


def rate(
    original: Document,
    edited: Document,
    policy: Policy,
    secret: Secret | None = None,
    *,
    model: AssociationRisk | None = None,
) -> tuple[Score, Score]:
    """The scores of an edited document, as published and one that padding cannot raise; for a secret of the policy, its
    first one if none is given.

    Raises:
        PolicyError: if it has none that is watched over by association rules.
        CorpusError: if the corpus cannot be opened or asked.
    """
    from withhold.risk.association import AssociationRisk

    chosen = secret or next((each for each in policy.secret if each.model == "association"), None)
    if chosen is None or chosen.model != "association":
        raise PolicyError('a score needs a secret of the policy with model = "association"')
    model = model or AssociationRisk.from_policy(policy)
    before = confidences(model.rules(original, chosen))
    after = confidences(model.rules(edited, chosen, source=original))
    return score(before, after), padding_proof(before, after)


@dataclass(frozen=True, slots=True)
class Step(Value):
    """Something that was done to a document, in words that do not quote it, and the score after it."""

    done: str
    score: Score


@dataclass(frozen=True, slots=True)
class History(Value):
    """Everything that was done so far, in order."""

    steps: tuple[Step, ...] = field(default=())

    def then(self, done: str, score: Score) -> History:
        """The history with one more step."""
        return History((*self.steps, Step(done, score)))

    @property
    def totals(self) -> tuple[float, ...]:
        """The score after each step; it is 0 before the first."""
        return tuple(step.score.total for step in self.steps)

    @property
    def gains(self) -> tuple[float, ...]:
        """What each step was worth."""
        totals: Sequence[float] = (0.0, *self.totals)
        return tuple(after - before for before, after in pairwise(totals))
