"""The slider: what goes at every stop, all worked out at once, so that moving it costs nothing.

Where a class or a person is hidden, words go in one order, the most telling first (SIMPLEREDACTOR), and stop k is where
k classes come before every other guess; a later stop takes all that an earlier one does, and more. Where inferences
are broken, a stop is a ceiling, from 1 down to that of the policy. Nothing is put in other words by a slider.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from withhold.assistant.desk.values import Place, Slider, Stop
from withhold.planners.breaking import broken, suppressed
from withhold.planners.edits import counts, merged, removal, standing
from withhold.planners.greedy import levels
from withhold.risk.association import AssociationRisk
from withhold.risk.concepts import ConceptRisk, make_choices
from withhold.risk.concepts import Look as Reading
from withhold.risk.identity import IdentityRisk
from withhold.risk.information.model import InformationRisk
from withhold.risk.written import repeated, settle
from withhold.text import WORD
from withhold.types import Choices, Edit, Inferences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import RiskModel
    from withhold.policy import Policy
    from withhold.spans import Span
    from withhold.types import Document, Secret

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

_CEILINGS = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.0)
_LOOKS = (2, 4)
"""So often a stop is looked at again, and the last one."""
_OTHERS = 5
"""Of the classes that are neither the true one nor to be kept, so many are shown at each stop."""


def slider(model: RiskModel, document: Document, secret: Secret, policy: Policy, taken: Sequence[Edit]) -> Slider:
    """The stops of a secret, where the edits `taken` are made in any case. One alone if the model offers no choices."""
    words = Words(document, taken)
    if isinstance(model, ConceptRisk):
        look = model.look(document, secret)
        choices = make_choices(
            look.reading, look.attribute, look.true, {}, confusers=look.secret.confusers, release=False
        )
        choices = settle(choices, repeated(policy, look.reading.terms))
        return _ranked(choices, secret, policy, taken, words, look)
    if isinstance(model, IdentityRisk):
        found = model.look(document, secret)
        if found.weighing is not None and found.weighing.tells:
            return _ranked(model.choices(document, found), secret, policy, taken, words, None)
    gone = [edit.span for edit in taken]
    if isinstance(model, AssociationRisk):
        ceiling = model.look(document, secret, written=gone).rules.ceiling
        return _shares(lambda spans: _ruled(model, document, secret, [*gone, *spans]), ceiling, secret, policy, words)
    if isinstance(model, InformationRisk):
        ceiling = secret.ceiling or 0.0
        return _shares(
            lambda spans: _looked_up(model, document, secret, [*gone, *spans]), ceiling, secret, policy, words
        )
    return Slider(secret.name, 1, words.count, (), (Stop(1, 1.0, True, 1.0, words.left(()), ()),))


def _ruled(model: AssociationRisk, document: Document, secret: Secret, gone: Sequence[Span]) -> Seen:
    look = model.look(document, secret, written=gone)
    return Seen(look.level, lambda ceiling: model.choices(document, look, ceiling, generalise=False))


def _looked_up(model: InformationRisk, document: Document, secret: Secret, gone: Sequence[Span]) -> Seen:
    look = model.look(document, secret, written=gone)
    return Seen(look.found.share, lambda _: model.choices(document, look, secret) if len(look.found.sets) else None)


class Words:
    """How many words of a document stay."""

    def __init__(self, document: Document, taken: Sequence[Edit]) -> None:
        found = [match.span() for match in WORD.finditer(document.text)]
        self.count, self._length, self._taken = len(found), len(document.text), [edit.span for edit in taken]
        self._starts = np.array([start for start, _ in found], np.int64)
        self._ends = np.array([end for _, end in found], np.int64)

    def left(self, spans: Sequence[Span]) -> int:
        """How many words are in none of the spans, nor in what is taken already."""
        return int(np.count_nonzero(~touched(self._starts, self._ends, [*spans, *self._taken], self._length)))


def touched(starts: Integers, ends: Integers, spans: Sequence[Span], length: int) -> NDArray[np.bool_]:
    """Which stretches share a character with any of the spans."""
    edges = np.zeros(length + 1, np.int64)
    np.add.at(edges, [span.start for span in spans], 1)
    np.add.at(edges, [span.end for span in spans], -1)
    covered = np.concatenate([[0], np.cumsum(np.cumsum(edges)[:-1] > 0)])
    return np.asarray(covered[ends] > covered[starts], np.bool_)


def _ranked(
    choices: Choices, secret: Secret, policy: Policy, taken: Sequence[Edit], words: Words, look: Reading | None
) -> Slider:
    """Stops from 1 to as many classes as there are, by one order of all occurrences."""
    occurrences = standing(choices, taken)
    most = len(choices.secret[0].bias)
    found = levels(choices, counts(choices, occurrences), most)
    order = list(_spans(choices, occurrences, found.order))
    edits = tuple(removal(span, policy.operators) for span in order)
    gone = found.gone
    if choices.presence:  # one step of the order is a term, with all its occurrences
        sizes = np.array([len(occurrences[term]) for term in found.order.tolist()], np.int64)
        gone = np.concatenate([[0], np.cumsum(sizes)])[gone]
    left = Left(choices, taken, look)
    stops = []
    for k in range(1, most + 1):
        here = order[: int(gone[k - 1])]
        risk, places = left.after(here)
        reached = risk <= 1.0 / k + 1e-12
        stops.append(Stop(k, 1.0 / k, reached, risk, words.left(here), tuple(range(len(here))), places))
    return Slider(secret.name, min(secret.confusers + 1, len(stops)), words.count, edits, tuple(stops))


def _spans(choices: Choices, occurrences: Sequence[Sequence[Span]], order: Integers) -> Iterator[Span]:
    """The occurrences in the order in which they go; the first of a term first."""
    next_ = [0] * len(occurrences)
    for term in order.tolist():
        if choices.presence:
            yield from occurrences[term]
        else:
            yield occurrences[term][next_[term]]
            next_[term] += 1


class Left:
    """What is left to tell once spans are gone, term by term."""

    def __init__(self, choices: Choices, taken: Sequence[Edit], look: Reading | None) -> None:
        self._look, self._floor, self._choices = look, choices.floor, choices
        self._taken = [edit.span for edit in taken]
        spans = choices.spans if look is None else look.reading.spans
        flat = [span for each in spans for span in each]
        self._terms = np.repeat(np.arange(len(spans)), [len(each) for each in spans])
        self._starts = np.array([span.start for span in flat], np.int64)
        self._ends = np.array([span.end for span in flat], np.int64)
        self._size, self._length = len(spans), max((span.end for span in [*flat, *self._taken]), default=0)
        if look is not None:
            names = {look.attribute: (look.true,), **look.keep}
            self._scores = {
                name: (look.reading.weights(name), look.reading.bias(name), true) for name, true in names.items()
            }
            whole = look.reading.counts
            self._before = {name: weights @ whole + bias for name, (weights, bias, _) in self._scores.items()}

    def counts(self, spans: Sequence[Span]) -> Reals:
        """How often each term still stands there."""
        gone = touched(self._starts, self._ends, [*spans, *self._taken], self._length)
        found = np.bincount(self._terms[~gone], minlength=self._size).astype(np.float64)
        return np.minimum(found, 1.0) if self._choices.presence else found

    def after(self, spans: Sequence[Span]) -> tuple[float, tuple[Place, ...]]:
        """The risk, and how the classes then stand."""
        kept = self.counts(spans)
        if self._look is None:
            scores = self._choices.secret[0]
            level = scores.weights @ kept + scores.bias
            return max(self._floor, 1.0 / (1 + int(np.count_nonzero(level > level[scores.true[0]] + 1e-9)))), ()
        places: list[Place] = []
        for name, (weights, bias, true) in self._scores.items():
            classes = self._look.reading.bayes(name).classes
            places += _places(classes, self._before[name], weights @ kept + bias, true)
        rank = places[next(at for at, each in enumerate(places) if each.true)].rank
        return 1.0 / rank, tuple(places)


def _places(classes: Sequence[str], before: Reals, now: Reals, true: Sequence[int]) -> Iterator[Place]:
    """The true classes and the likeliest others, in their order."""
    ranks, was = _ranks(now), _ranks(before)
    likely, likelier = _likelihoods(now), _likelihoods(before)
    order = np.argsort(-now, kind="stable").tolist()
    shown = {*true, *[number for number in order if number not in true][:_OTHERS]}
    for number in order:
        if number in shown:
            yield Place(
                classes[number],
                number in true,
                int(was[number]),
                float(likelier[number]),
                int(ranks[number]),
                float(likely[number]),
            )


def _ranks(scores: Reals) -> Integers:
    """The rank of each class; of equals, the first is before the others but the rank of all is that of the best."""
    return 1 + np.searchsorted(np.sort(-scores), -scores, "left")


def _likelihoods(scores: Reals) -> Reals:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _shares(
    look: Callable[[Sequence[Span]], Seen], asked: float, secret: Secret, policy: Policy, words: Words
) -> Slider:
    """Stops at ceilings, from 1 down to what the policy asks for. Each takes all that those before it do; then it is
    looked at again, since others may tell once the most telling terms are gone.
    """
    ceilings = [*(each for each in _CEILINGS if each > asked), asked]
    chosen, stops = list[Edit](), list[Stop]()
    for k, ceiling in enumerate(ceilings, 1):
        seen = look([edit.span for edit in chosen])
        for _ in range(_LOOKS[k == len(ceilings)] if k > 1 else 0):
            if seen.level <= ceiling or (choices := seen.choices(ceiling)) is None:
                break
            more = broken([(_narrowed(suppressed(choices)), ceiling)], [], policy.operators, 0.0)
            if not more:
                break
            chosen += more
            seen = look([edit.span for edit in chosen])
        left = words.left([edit.span for edit in chosen])
        stops.append(Stop(k, ceiling, seen.level <= ceiling, seen.level, left, tuple(range(len(chosen)))))
    return Slider(secret.name, len(stops), words.count, tuple(chosen), tuple(stops))


class Seen(NamedTuple):
    """The risk of a text of which something is gone, and what could be decided about the rest."""

    level: float
    choices: Callable[[float], Inferences | None]


def _narrowed(choices: Inferences) -> Inferences:
    """The same without terms that are in no set: nothing has to be decided about them."""
    used = np.unique(choices.sets[choices.sets >= 0])
    moved = np.full(len(choices.spans) + 1, -1, np.int64)
    moved[used] = np.arange(len(used))
    spans = tuple(choices.spans[term] for term in used.tolist())
    return replace(choices, spans=spans, sets=moved[choices.sets], worth=choices.worth[used])


def at(slider: Slider, k: int, policy: Policy) -> list[Edit]:
    """The edits of a stop; where they overlap, as one."""
    stop = slider.stops[min(k, len(slider.stops)) - 1]
    return merged([slider.edits[number] for number in stop.edits], policy.operators)
