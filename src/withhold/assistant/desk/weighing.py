"""What an edited text tells, beside what it told as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Decision, Level, Meter, Note, Now, Place, Standing, TermDecision
from withhold.assistant.score import Score, padding_proof, score

if TYPE_CHECKING:
    from withhold.assistant.desk.desk import Desk
    from withhold.assistant.desk.views import View
    from withhold.types import Standing as Class


@dataclass(frozen=True, eq=False, repr=False)
class Weighed:
    """A text as the models of all secrets see it, and which of them it names outright: models of what can be inferred
    pass over names, since those always have to go.
    """

    views: Mapping[str, View]
    named: frozenset[str] = frozenset()

    def level(self, name: str) -> float:
        """The risk of a secret; 1 if it is named."""
        return 1.0 if name in self.named else self.views[name].risk.after

    @cached_property
    def told(self) -> dict[str, float]:
        """What each term tells at the most, of any secret."""
        told: dict[str, float] = {}
        for seen in self.views.values():
            for term, level in zip(seen.terms, seen.highest.tolist(), strict=True):
                told[term] = max(told.get(term, 0.0), level)
        return told

    def scores(self, first: Weighed) -> tuple[Score, Score]:
        """The score as published, and one that padding cannot raise."""
        return score(first.told, self.told), padding_proof(first.told, self.told)


def standing(desk: Desk, weighed: Weighed, decisions: Sequence[Decision]) -> Standing:
    """How well a text does."""
    published, proof = weighed.scores(desk.first)
    pairs = [(name, desk.first.views[name], seen) for name, seen in weighed.views.items()]
    kept = _kept(desk, decisions)
    return Standing(
        tuple(_level(name, before, now, weighed, kept) for name, before, now in pairs),
        tuple(meter for name, before, now in pairs for meter in _meters(name, before, now)),
        published,
        proof,
        tuple(_now(desk, name, seen) for name, _, seen in pairs),
        (*desk.unseen, *(Note(text, name) for name, _, seen in pairs for text in seen.risk.notes)),
    )


def _kept(desk: Desk, decisions: Sequence[Decision]) -> dict[str, str]:
    """The terms that a person keeps, and their ids."""
    kept = [each for each in decisions if isinstance(each, TermDecision) and each.action == "keep"]
    terms = dict.fromkeys(desk.places.under(span) for each in kept for span in each.spans)
    return {term: desk.places.id(term) for term in terms if term}


def _level(name: str, before: View, now: View, weighed: Weighed, kept: Mapping[str, str]) -> Level:
    risk = before.risk
    level = weighed.level(name)
    stays = level > risk.ceiling
    telling = [(now.highest[now.numbers[term]], term) for term in kept if term in now.numbers] if stays else []
    return Level(
        name,
        risk.model,
        risk.measure,
        risk.before,
        level,
        risk.ceiling,
        "can be told: the text names it" if name in weighed.named else risk.verdict(level),
        stays,
        tuple(kept[term] for value, term in sorted(telling, key=lambda each: (-each[0], each[1])) if value > 0),
    )


def _meters(name: str, before: View, now: View) -> Iterator[Meter]:
    """The classes of each attribute, as they stood and stand."""
    was = {(each.attribute, each.name): each for each in before.standings}
    attributes: dict[str, list[Class]] = {}
    for each in now.standings:
        attributes.setdefault(each.attribute, []).append(each)
    for number, (attribute, classes) in enumerate(attributes.items()):
        yield Meter(name, attribute, number > 0, tuple(_place(was[attribute, each.name], each) for each in classes))


def _place(was: Class, now: Class) -> Place:
    return Place(now.name, now.true, was.rank, was.likelihood, now.rank, now.likelihood)


def _now(desk: Desk, name: str, seen: View) -> Now:
    ids = [desk.places.id(term) for term in seen.terms]
    partners = {ids[one]: ids[other] for one, other in enumerate(seen.partner.tolist()) if other >= 0}
    return Now(
        name,
        dict(zip(ids, seen.alone.tolist(), strict=True)),
        dict(zip(ids, seen.highest.tolist(), strict=True)),
        partners,
    )
