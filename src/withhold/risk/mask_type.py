"""The type of what is masked, as a secret: how well readers tell it from the words around, and from which."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from withhold import plugins
from withhold.labels import KINDS, kind
from withhold.learners.masks import encoder, ladder, ladder_storage
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.ladder_pages import General, Lexicon, Pages
from withhold.learners.masks.ladder_readers import Views
from withhold.learners.masks.ladder_words import more_general
from withhold.spans import Span
from withhold.text import WORD, fold
from withhold.types import Document, Evidence, Inferences, Mask, Risk, Secret

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from withhold.learners.masks.ladder import Ladder
    from withhold.policy import Policy

    Reals = NDArray[np.float64]

_CONTEXT = "CLUE"
"""The label of words that were removed because they tell, not because they name."""

_ONE_MARK = "suppress"
_SHOWN = 50
_LEAST = 1e-6
_SPARE = 0.05
"""So much less than the ceiling is aimed at, since planners take other words than readers where those are no worse."""

_GENERAL = 0.5
"""What a more general word is worth, as a share of the word it replaces."""


class MaskTypeRisk:
    """The risk that a reader tells what sorts of things are masked: the share of masks whose type is told.

    Readers are those of a ladder (see `withhold.learners.masks.ladder`): the more is removed around the masks, the more
    do they know of documents where so much is. They say which words tell. Since they know little of documents of
    another sort than they learnt from, the risk is what they or the encoder tells, whichever is more. The ceiling is
    what the policy asks for, but never less than what a reader has who takes every mask for the commonest sort in the
    document.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._masks: tuple[Mask, ...] = ()
        self._ladders: dict[Path, Ladder] = {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def with_masks(self, masks: Sequence[Mask]) -> Self:
        """The same model for a document in which this is, or will be, masked."""
        other = copy.copy(self)
        other._masks = tuple(masks)
        return other

    def resolve(self, document: Document, secret: Secret) -> Secret:
        return secret

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        """How many types readers tell. What is masked, `with_masks` says.

        Raises:
            NotFitted: if there is no ladder in the folder that the secret names.
        """
        case = Case.of(document, self._masks, self._ladder(secret), self._general)
        if not len(case.types):
            return _risk(secret, 0.0, secret.ceiling or 0.0, ("nothing of a known type is masked",))
        ceiling = max(secret.ceiling or 0.0, case.blind)
        if labels := self._labelled(case):
            return _risk(
                secret, 1.0, ceiling, (f"the marks of {', '.join(labels)} say what they hide: use `suppress`",)
            )
        told = case.told()
        choices = case.choices(ceiling) if source is None and told > ceiling else None
        notes = [f"{case.blind:.0%} of the masks are of the commonest type: who guesses nothing else tells as many"]
        risk = _risk(secret, told, ceiling, notes if case.blind > (secret.ceiling or 0.0) else ())
        return replace(risk, evidence=case.evidence(), choices=choices)

    def _labelled(self, case: Case) -> list[str]:
        """The labels whose marks tell them."""
        operators = self.policy.operators
        return sorted({label for label in case.labels if operators.choose(label) != _ONE_MARK})

    def _ladder(self, secret: Secret) -> Ladder:
        if secret.fitted is None:
            return ladder_storage.shipped()
        folder = self.policy.resolve(secret.fitted)
        if folder not in self._ladders:
            self._ladders[folder] = ladder_storage.load(folder)
        return self._ladders[folder]

    @cached_property
    def _general(self) -> General | None:
        return more_general(plugins.taxonomies(self.policy)) if self.policy.planning.generalise else None


def _risk(secret: Secret, told: float, ceiling: float, notes: Sequence[str]) -> Risk:
    return Risk(secret.name, secret.model, told, told, ceiling, notes=tuple(notes), measure="share")


@dataclass(frozen=True, eq=False, repr=False)
class Case:
    """A document as the readers of a ladder see it. `names` is what is masked, folded; `changed` is the share
    of its words that are gone already.
    """

    ladder: Ladder
    masked: Masked
    pages: Pages
    views: Views
    labels: frozenset[str]
    names: frozenset[str]
    changed: float

    @classmethod
    def of(cls, document: Document, masks: Sequence[Mask], readers: Ladder, general: General | None) -> Case:
        entities = [mask for mask in masks if mask.label != _CONTEXT]
        types = [kind(mask.label) if mask.label != _CONTEXT else "" for mask in masks]
        masked = Masked.of(document.text, [mask.span for mask in masks], types)
        lexicon = Lexicon(general)
        pages = Pages.of([masked], readers.kinds, lexicon)
        clues = sum(max(len(WORD.findall(mask.span.of(document.text))), 1) for mask in masks if mask.label == _CONTEXT)
        share = clues / max(clues + pages.words, 1)
        names = frozenset(fold(mask.span.of(document.text)).text for mask in masks)
        return cls(readers, masked, pages, Views(lexicon), frozenset(mask.label for mask in entities), names, share)

    @cached_property
    def types(self) -> NDArray[np.int64]:
        """The types of the masks that have one which the readers know."""
        return self.pages.types[self.pages.types >= 0]

    @property
    def blind(self) -> float:
        """The share of masks that are of the commonest type."""
        return Counter(self.types.tolist()).most_common(1)[0][1] / len(self.types)

    def told(self, pages: Pages | None = None, changed: float | None = None) -> float:
        """The share of masks whose type the readers tell, or the encoder if it tells more."""
        pages = pages or self.pages
        known = np.flatnonzero(self.pages.types >= 0)
        rung = self.ladder.rung(self.changed if changed is None else changed)
        guessed = [ladder.guesses(self.views, rung, pages.around().rows(known))]
        if set(self.ladder.kinds) <= set(KINDS):
            columns = [KINDS.index(name) for name in self.ladder.kinds]
            guessed.append(encoder.types(pages.defended())[known][:, columns].argmax(axis=1))
        return max(float((each == self.types).mean()) for each in guessed)

    def evidence(self) -> tuple[Evidence, ...]:
        """The words that tell most, where they stand."""
        gain, _ = ladder.gains(self.pages, self.views, self.ladder.rung(self.changed)).best
        order = [place for place in np.argsort(-gain, kind="stable")[:_SHOWN].tolist() if gain[place] > 0]
        return tuple(
            Evidence((self.masked.offsets[place],), float(gain[place]), "tells what is masked beside it")
            for place in order
        )

    def _climbed(self, ceiling: float) -> Iterator[tuple[Pages, Reals, float]]:
        """The document after each step, what each word told then, and how much is told after; until it is little
        enough, or the ladder ends.
        """
        pages, changed, most = self.pages, self.changed, len(self.ladder.rungs) * self.ladder.step
        told = self.told()
        while told > ceiling and changed < most:
            found = ladder.gains(pages, self.views, self.ladder.rung(changed))
            after = ladder.taken(pages, found, 1 - (pages.lost / max(pages.words, 1) + self._step))
            if not (after.changed & ~pages.changed).any() and (after.gone == pages.gone).all():
                return
            pages, changed = after, changed + self._step
            told = self.told(pages, changed)
            yield pages, found.rates, told

    @property
    def _step(self) -> float:
        """A step of the ladder, but one word at least."""
        return max(self.ladder.step, 1 / max(self.pages.words, 1))

    def choices(self, ceiling: float) -> Inferences | None:
        """What has to change so that no more is told than the ceiling, as far as that can be had: each word that goes
        on the way, or gives way to a more general one, is an inference to break; and so is all that is between two
        marks which become one.
        """
        before, floor, last = self.told(), self.told(), None
        gain = np.zeros(len(self.pages.tokens))
        for pages, gained, told in self._climbed(max(ceiling - _SPARE, self.blind)):
            new = pages.changed & (gain == 0)
            gain[new] = np.maximum(gained[new], _LEAST)
            last, floor = pages, min(told, floor)
        if last is None:
            return None
        terms = _terms(last)
        weights = np.array([gain[list(term)].max() for term in terms])
        weights *= max(before - floor, ceiling) / weights.sum()
        # A word that goes at one place is not written at another.
        gone = self.names.union(fold(self.masked.tokens[place]).text for term in terms for place in term)
        general = [
            (number, word)
            for number, (place, *_) in enumerate(terms)
            if not last.gone[place] and fold(word := self.pages.lexicon.tokens[last.now[place]]).text not in gone
        ]
        words = [max(int(last.is_word[list(term)].sum()), 1) for term in terms]
        return Inferences(
            spans=tuple(tuple(self._spans(term)) for term in terms),
            sets=np.arange(len(terms), dtype=np.int64)[:, None],
            weights=weights,
            worth=np.concatenate([np.array(words, np.float64), np.full(len(general), _GENERAL)]),
            general=tuple(general),
            floor=floor,
            added=True,
        )

    def _spans(self, places: Sequence[int]) -> Iterator[Span]:
        """Where these tokens stand, those that follow one another as one."""
        starts = [place for place in places if place - 1 not in places]
        ends = [place for place in places if place + 1 not in places]
        for start, end in zip(starts, ends, strict=True):
            yield Span(self.masked.offsets[start].start, self.masked.offsets[end].end)


def _terms(pages: Pages) -> list[tuple[int, ...]]:
    """The places of what is changed, in order: all that was between two marks together, other words one by one."""
    changed = set(np.flatnonzero(pages.changed).tolist())
    together = [
        tuple(place for place in range(pages.masks[number] + 1, pages.masks[number + 1]) if place in changed)
        for number in pages.gaps().closed.tolist()
    ]
    alone = changed.difference(*together)
    return sorted([*filter(None, together), *((place,) for place in alone)])
