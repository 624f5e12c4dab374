"""Looking at the words that are most likely left by mistake, as many as there is time for.

The inspector ranks every word of a redacted document by how likely it names a person. It goes by what any reader has:
the tagger that comes with withhold, asked twice, about the text as it stands and about one where names stand in place
of the marks, so that its sentences are whole again. How a word is written, lists of names and what stands beside a mark
add nothing to that (`benchmarks/inspector.py`). It knows nothing of a policy's detectors, thresholds or plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Self

from withhold.labels import KINDS, known_as
from withhold.policy import Policy
from withhold.spans import Span, intersect, union
from withhold.text import WORD, fold
from withhold.types import Array, Document, Integers, Mask, Outcome, Secret

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from withhold.learners.tagger.network import Tags

SOUGHT = "names left"
"""What the attack is after, besides the secrets."""

SURE = 0.9
"""From here on the inspector is nearly sure."""

LEAST = 10
"""So many words are looked at however short a document is."""

_AS_IT_IS, _HEALED, _BIAS = 0.9, 0.15, -0.4
"""What the log-odds of the two readings weigh: a logistic regression over redacted documents with names left in."""

_STEEPEST = 1e-3
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir", "dame", "lord", "lady", "esq"))
"""What stands beside names, is taken for part of them, and names nobody."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranked:
    """The words of a text that are no part of a mark, in order, and how likely each names a person."""

    starts: Integers
    ends: Integers
    likely: Array

    def __len__(self) -> int:
        return len(self.starts)

    def span(self, word: int) -> Span:
        return Span(int(self.starts[word]), int(self.ends[word]))

    def best(self, number: int) -> list[int]:
        """The likeliest words, best first; of equals the first in the text."""
        found: list[int] = (-self.likely).argsort(kind="stable")[:number].tolist()
        return found


class InspectorAttack:
    """Someone who has time to look at a few words of a document, and looks at the likeliest.

    It wins if a word it looks at is part of a secret's name; or if it is nearly sure that one names a person where the
    policy wants names of people removed, or, if that says nothing, the document's own marks tell that they were.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._allowed = [tuple(_words(each)) for each in policy.allowed]

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for names that are left, whose result is the share of the words looked at that it is nearly sure
        of, beside the share it expects of all words; and one for each secret that has a name. None where there is
        nothing to win: no words, no redaction, or a policy that lets people be named.
        """
        from withhold.learners.marks import marks_in

        text = document.text
        marks = sorted({*marks_in(text, self._policy.operators.mark), *(mask.span for mask in masks)})
        wanted = "PERSON" in self._policy.detection.wanted
        if not (self._policy.detection.labels or self._policy.find or secrets):
            wanted = any(_tells_of_people(mark.of(text)) for mark in marks)
        if not wanted and not any(secret.names for secret in secrets) and (masks or not marks):
            return []
        ranked = inspect(text, marks)
        if not len(ranked):
            return []
        budget = min(max(ceil(self._policy.gate.budget * len(ranked)), LEAST), len(ranked))
        looked = {ranked.span(word): frozenset(_words(ranked.span(word).of(text))) for word in ranked.best(budget)}
        stay = _occurrences(text, self._allowed)
        best = (ranked.span(word) for word in ranked.best(int((ranked.likely >= SURE).sum())))
        sure = [span for span in best if not intersect((span,), stay)]
        found = sum(span in looked for span in sure)
        return [_names_left(ranked, budget, found, sure, wanted), *_secrets(looked, len(ranked), secrets)]


def _names_left(ranked: Ranked, budget: int, found: int, sure: Sequence[Span], wanted: bool) -> Outcome:
    """How many of the words looked at it is nearly sure of. Where it wins, it tells of all it is sure of, so that they
    can go together.
    """
    from withhold.learners.intervals import wilson

    note = f"{budget} of {len(ranked)} words looked at, nearly sure of {found}"
    return Outcome(
        attack="inspector",
        secret=SOUGHT,
        baseline=float(ranked.likely.mean()),
        result=found / budget,
        interval=wilson(found, budget),
        trials=budget,
        note=note if wanted else f"{note}; nothing says that names of people are to be hidden",
        wins=bool(found) and wanted,
        telling=tuple(sorted(sure)),
    )


def _secrets(looked: dict[Span, frozenset[str]], words: int, secrets: Sequence[Secret]) -> Iterator[Outcome]:
    from withhold.learners.features import is_feature
    from withhold.learners.intervals import wilson

    for secret in secrets:
        names = frozenset(word for name in secret.names for word in _words(name) if is_feature(word))
        if names:
            found = [span for span, read in looked.items() if names & read]
            yield Outcome(
                attack="inspector",
                secret=secret.name,
                baseline=len(looked) / words,
                result=float(bool(found)),
                interval=wilson(bool(found), 1),
                trials=1,
                note=f"{len(looked)} of {words} words looked at, {len(found)} of them of its name",
                wins=bool(found),
                telling=tuple(sorted(found)),
            )


def inspect(text: str, marks: Sequence[Span]) -> Ranked:
    """Every word of a redacted text that is no part of a mark, and how likely it names a person."""
    import numpy as np

    starts, ends, likely = _read(text)
    others, _, again = _read(_healed(text, marks)) if marks else (starts, ends, likely)
    healed = np.interp(starts, others, again) if len(others) else np.zeros(len(starts))
    odds = _AS_IT_IS * _odds(likely) + _HEALED * _odds(healed) + _BIAS
    edges = np.array([[span.start, span.end] for span in marks], np.int64).reshape(-1, 2)
    kept = _are_words(text, starts, ends) & ~_inside(starts, edges)
    return Ranked(starts[kept], ends[kept], 1 / (1 + np.exp(-odds[kept])))


def _read(text: str) -> tuple[Integers, Integers, Array]:
    """The words of a text, and how likely the tagger takes each for part of a person's name."""
    import numpy as np

    from withhold.learners.tagger.network import tagger

    read: list[Tags] = list(tagger().tag(text))
    if not read:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    starts, ends = (np.concatenate([getattr(part, name) for part in read]) for name in ("starts", "ends"))
    return starts, ends, np.concatenate([part.kinds[:, KINDS.index("PERSON")] for part in read]).astype(np.float64)


def _healed(text: str, marks: Sequence[Span]) -> str:
    """The text with a name in place of every mark, as long as the mark, so that nothing moves."""
    pieces, at = list[str](), 0
    for span in marks:
        if span.start >= at:
            name = "Smith" if len(span) >= 5 else "Lee" if len(span) >= 3 else "A"
            pieces += [text[at : span.start], name[: len(span)].ljust(len(span))]
            at = span.end
    return "".join(pieces) + text[at:]


def _odds(likely: Array) -> Array:
    import numpy as np

    clipped = np.clip(likely, _STEEPEST, 1 - _STEEPEST)
    odds: Array = np.log(clipped / (1 - clipped))
    return odds


def _are_words(text: str, starts: Integers, ends: Integers) -> NDArray[np.bool_]:
    import numpy as np

    read = (text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    are = (any(map(str.isalpha, word)) and word.lower() not in _TITLES for word in read)
    return np.fromiter(are, np.bool_, len(starts))


def _inside(starts: Integers, edges: Integers) -> NDArray[np.bool_]:
    """Whether each word stands in a mark."""
    import numpy as np

    if not len(edges):
        return np.zeros(len(starts), np.bool_)
    at = np.searchsorted(edges[:, 0], starts, "right") - 1
    found: NDArray[np.bool_] = (at >= 0) & (starts < edges[np.maximum(at, 0), 1])
    return found


def _tells_of_people(mark: str) -> bool:
    """Whether a mark says that a person's name stood there."""
    said = re.sub(r"[\W\d_]+", " ", mark).strip()
    return bool(said) and known_as(said) == "PERSON"


def _occurrences(text: str, phrases: Iterable[Sequence[str]]) -> tuple[Span, ...]:
    """Where phrases stand in a text, by their folded words."""
    begun: dict[str, list[Sequence[str]]] = {}
    for phrase in filter(None, phrases):
        begun.setdefault(phrase[0], []).append(phrase)
    if not begun:
        return ()
    folded = fold(text)
    found = list(WORD.finditer(folded.text))
    read = [match.group() for match in found]
    return union(
        folded.span(found[at].start(), found[at + len(phrase) - 1].end())
        for at, word in enumerate(read)
        for phrase in begun.get(word, ())
        if tuple(read[at : at + len(phrase)]) == phrase
    )


def _words(text: str) -> list[str]:
    return WORD.findall(fold(text).text)
