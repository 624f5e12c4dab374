"""Where ways of sanitising are tried and attacked: every piece of work once, several at a time if there are cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np

from withhold.evaluation.publish.attacker import Attack, attack
from withhold.evaluation.publish.corpus import Corpus
from withhold.evaluation.publish.ways import Part, Way, sanitised
from withhold.fit.workers import in_order
from withhold.learners.sensitive import Flags

Track = Callable[[Iterable[Any], int, str], Iterator[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """What is hidden of each document, and the iterations by which it was found, part by part."""

    hidden: Sequence[Flags]
    iterations: Sequence[int]

    @property
    def digest(self) -> str:
        return blake2b(np.packbits(np.concatenate(list(self.hidden))).tobytes(), digest_size=16).hexdigest()


class Lab:
    """A corpus, an attacker's learners, and all that was made and attacked of it so far."""

    def __init__(self, corpus: Corpus, attackers: Sequence[str], *, workers: int = 1, track: Track) -> None:
        self.corpus, self.attackers = corpus, tuple(attackers)
        self._workers, self._track = workers, track
        self._releases: dict[tuple[Way, float], Release] = {}
        self._attacks: dict[str, list[Attack]] = {}

    def make(self, wanted: Iterable[tuple[Way, Sequence[float]]]) -> None:
        """Sanitise in these ways, each for some ratios of loss to worth."""
        new: dict[Way, list[float]] = {}
        for way, dears in wanted:
            new.setdefault(way, []).extend(dear for dear in dears if (way, dear) not in self._releases)
        jobs = [(way, tuple(sorted(set(dears)))) for way, dears in new.items() if dears]
        folds = range(len(self.corpus.parts))
        # Ways that learn from the same documents come one after the other, and share what they can.
        pieces = [(way, dears, number) for number in folds for way, dears in jobs]
        made = self._done(partial(_sanitise, self.corpus), pieces, "Sanitising")
        for place, (way, dears) in enumerate(jobs):
            parts: list[list[Part]] = made[place :: len(jobs)]
            for at, dear in enumerate(dears):
                several = [each[at] for each in parts]
                hidden = {n: off for each in several for n, off in each.hidden.items()}
                ordered = [hidden[n] for n in range(len(hidden))]
                self._releases[way, dear] = Release(ordered, [each.iterations for each in several])

    def release(self, way: Way, dear: float) -> Release:
        """The corpus sanitised in this way."""
        self.make([(way, [dear])])
        return self._releases[way, dear]

    def attack(self, releases: Iterable[Release]) -> None:
        """Attack these; what has been attacked already is not again."""
        new = {each.digest: each for each in releases}
        new = {digest: each for digest, each in new.items() if digest not in self._attacks}
        folds = range(len(self.corpus.parts))
        # Folds that are attacked in one piece share their features.
        together = [[number] for number in folds] if self._workers > 1 else [list(folds)]
        pieces = [(each.hidden, numbers) for each in new.values() for numbers in together]
        made = iter(self._done(partial(_attack, self.corpus, self.attackers), pieces, "Attacking"))
        for digest in new:
            self._attacks[digest] = [each for _ in together for each in next(made)]

    def attacks(self, release: Release) -> list[Attack]:
        """What came of attacking each part."""
        self.attack([release])
        return self._attacks[release.digest]

    def _done(self, work: Callable[[Any], Any], pieces: Sequence[Any], doing: str) -> list[Any]:
        return list(self._track(in_order(work, iter(pieces), self._workers), len(pieces), doing))


def _sanitise(corpus: Corpus, piece: tuple[Way, tuple[float, ...], int]) -> list[Part]:
    way, dears, number = piece
    return sanitised(corpus, way, dears, number)


def _attack(corpus: Corpus, names: Sequence[str], piece: tuple[Sequence[Flags], Sequence[int]]) -> list[Attack]:
    hidden, numbers = piece
    return attack(corpus, hidden, numbers, names)
