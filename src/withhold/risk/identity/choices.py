"""What can be done about a text that tells whom it is about: the words of the text as several readers weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.features import is_feature, words
from withhold.risk.identity.looking import Profiles, meant
from withhold.spans import Span, union
from withhold.text import WORD, fold
from withhold.types import Choices, Scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.risk.identity.people import People

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

USUAL, FLAT, PAIRED = (1.2, 0.75), (1.5, 0.1), (1.2, 0.5)
"""The constants of BM25 of a reader with a usual search engine, of one who does not mind how much is known of someone,
and of one who looks for pairs of words.
"""
_BACKGROUND = 0.3
_NEAR = 1000
"""So many people, those whom the text fits best, are looked at more closely."""
_READ = 120
"""Of so many, what is known of them is read."""
_RIVALS = 40
"""Among so many, those who can be mistaken for the person at the least cost, a planner chooses."""


@dataclass(frozen=True, eq=False, repr=False)
class Words:
    """The words of a text in their order, None where something stands between two that is no word of it."""

    read: tuple[str | None, ...]
    places: tuple[Span | None, ...]

    @classmethod
    def of(cls, text: str, ignoring: Sequence[Span] = ()) -> Words:
        folded, passed = fold(text), union(ignoring)
        read: list[str | None] = []
        places: list[Span | None] = []
        at = 0
        for match in WORD.finditer(folded.text):
            span = folded.span(*match.span())
            while at < len(passed) and passed[at].end <= span.start:
                read.append(None)
                places.append(None)
                at += 1
            if at < len(passed) and passed[at].overlaps(span):
                continue
            read.append(match.group())
            places.append(span)
        return cls(tuple(read), tuple(places))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each word stands in the text."""
        found: dict[str, int] = {}
        for word in self.read:
            if word is not None:
                found[word] = found.get(word, 0) + 1
        return found

    @cached_property
    def spans(self) -> dict[str, list[Span]]:
        """Where each word that says something by itself stands."""
        found: dict[str, list[Span]] = {}
        for word, span in zip(self.read, self.places, strict=True):
            if word is not None and span is not None and is_feature(word):
                found.setdefault(word, []).append(span)
        return found

    @cached_property
    def terms(self) -> list[str]:
        return list(self.spans)

    @cached_property
    def others(self) -> list[str]:
        """The words that say nothing by themselves, and always stay."""
        return [word for word in self.counts if word not in self.spans]

    def pairs(self, but: set[str]) -> dict[tuple[str, str], int]:
        """How often two words stand next to each other, without pairs that have one of the words `but`."""
        found: dict[tuple[str, str], int] = {}
        for left, right in pairwise(self.read):
            if left is not None and right is not None and not but & {left, right}:
                found[left, right] = found.get((left, right), 0) + 1
        return found


class Weighing:
    """What the words of a text say for each of the people who are nearest to it, to several readers."""

    def __init__(
        self,
        people: People,
        read: Words,
        named: set[str],
        options: Sequence[str] = (),
        source: Weighing | None = None,
    ) -> None:
        """Of a text that was made from another, `source` is what that weighed: its words are not counted again."""
        self.people, self.words, self._named = people, read, named
        self.options = [words(text) for text in options]
        more = dict.fromkeys(part for text in self.options for part in text)
        self.known = [*read.terms, *read.others, *(part for part in more if part not in read.counts)]
        if source is None:
            self.all = Profiles.of(people, self.known)
        else:
            new = [word for word in self.known if word not in source.at]
            self.known = [*source.known, *new]
            self.all = source.all.joined(Profiles.of(people, new)) if new else source.all
        self.at: dict[str, int] = {word: number for number, word in enumerate(self.known)}

    @cached_property
    def columns(self) -> Integers:
        """Where each term is among the known words."""
        return np.array([self.at[term] for term in self.words.terms], np.int64)

    @cached_property
    def few(self) -> Profiles:
        """What one source that tells most of the person has."""
        alone = self.people.alike()
        return self.all if alone is None else Profiles.of(alone, self.known)

    @cached_property
    def pairs(self) -> dict[tuple[str, str], int]:
        return self.words.pairs(self._named)

    @cached_property
    def paired(self) -> Profiles:
        return Profiles.of(self.people.alike() or self.people, [" ".join(pair) for pair in self.pairs])

    @cached_property
    def scores(self) -> Reals:
        """What everybody scores to the first reader, the text as it is; nobody whom nothing is known of."""
        counts = np.array([self.words.counts.get(word, 0) for word in self.known], np.float64)
        return np.where(self.all.known, np.asarray(self.all.weights(*USUAL) @ counts), -np.inf)

    @property
    def tells(self) -> bool:
        """Whether the text has a word that says anything, and any that is known of the person."""
        return bool(self.words.terms) and bool(self.scores[self.people.true] > 0)

    @property
    def rank(self) -> int:
        """The rank of the person among all, from 1; before all who are equal, or the last if nothing tells."""
        if not self.tells:
            return max(int(np.count_nonzero(self.all.known)), 1)
        return 1 + int(np.count_nonzero(self.scores > self.scores[self.people.true] + 1e-9))

    def readers(self) -> list[Scores]:
        """What the text's words say for the person, who is the first row, and for those who can best be mistaken for
        them: to a reader with a usual search engine, whom the guarantee is for, and to others.
        """
        true, near = self.people.true, np.argsort(-self.scores, kind="stable")[: _NEAR + 1]
        rows = np.concatenate([[true], near[self.few.known[near] & (near != true)]])
        several = [self._scores(self.all.matched(rows, *USUAL)), self._scores(self.few.matched(rows, *FLAT))]
        if self.few is not self.all:
            several.append(self._scores(self.few.matched(rows, *USUAL)))
        several += [self._scores(self.few.likely(rows, _BACKGROUND)), self._paired(rows)]
        some = self._cheapest(several, _READ)
        rows, several = rows[some], [_only(each, some) for each in several]
        several.append(self._scores(meant(self.people, rows, self.known)))
        some = self._cheapest(several, _RIVALS)
        return [_only(each, some) for each in several]

    def _scores(self, weights: Reals) -> Scores:
        """The weights of words as those of terms; what the other words say is said anyway."""
        others = self.words.others
        fixed = weights[:, [self.at[word] for word in others]] @ [self.words.counts[word] for word in others]
        options = None
        if self.options:
            options = np.column_stack(
                [weights[:, [self.at[part] for part in text]].sum(axis=1) for text in self.options]
            )
        return Scores(np.ascontiguousarray(weights[:, self.columns]), fixed, (0,), options=options)

    def _paired(self, rows: Integers) -> Scores:
        """What pairs of words say. A pair is gone with either of its words: it is counted with the rarer one, which is
        the one that goes sooner, and with a word that stays only if both do.
        """
        weights, met = self.paired.matched(rows, *PAIRED), self.few.met
        number = {term: at for at, term in enumerate(self.words.terms)}
        share, fixed = np.zeros((len(self.pairs), len(number))), np.zeros(len(self.pairs))
        for row, ((left, right), count) in enumerate(self.pairs.items()):
            telling = [word for word in (left, right) if word in number]
            if telling:
                share[row, number[min(telling, key=lambda word: met[self.at[word]])]] = count
            else:
                fixed[row] = count
        often = np.array([self.words.counts[term] for term in number], np.float64)
        options = np.zeros((len(rows), len(self.options))) if self.options else None
        return Scores(np.ascontiguousarray(weights @ share / often), weights @ fixed, (0,), options=options)

    def _cheapest(self, several: Sequence[Scores], size: int) -> Integers:
        """The person, and those who come before them for the fewest words, by the reader who asks for most."""
        counts = np.array([self.words.counts[term] for term in self.words.terms], np.float64)
        cost = np.zeros(len(several[0].bias))
        for each in several:
            ahead = (each.weights[0] - each.weights) * counts
            need = ahead.sum(axis=1) + each.bias[0] - each.bias
            won = np.cumsum(-np.sort(-np.maximum(ahead, 0.0), axis=1), axis=1)
            cost = np.maximum(cost, np.where(need > 0, (won < need[:, None]).sum(axis=1), 0))
        cost[0] = -1
        return np.argsort(cost, kind="stable")[: size + 1]


def _only(scores: Scores, rows: Integers) -> Scores:
    options = None if scores.options is None else np.ascontiguousarray(scores.options[rows])
    return replace(scores, weights=np.ascontiguousarray(scores.weights[rows]), bias=scores.bias[rows], options=options)


def make_choices(
    weighing: Weighing,
    confusers: int,
    *,
    release: bool,
    general: Sequence[tuple[int, str]] = (),
    seed: int = 0,
    floor: float = 0.0,
) -> Choices:
    """What a planner may decide about one text; for a `release`, with all readers in mind."""
    readers = weighing.readers()
    return Choices(
        spans=tuple(tuple(spans) for spans in weighing.words.spans.values()),
        secret=tuple(readers if release else readers[:1]),
        confusers=confusers,
        general=tuple(general),
        seed=seed,
        floor=floor,
    )
