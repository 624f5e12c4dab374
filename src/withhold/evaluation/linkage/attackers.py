"""Attackers who look texts up, with constants that no planner goes by, in several settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.attacks.linkage.lookup import Asked, Candidates, Meaning, nearness, rank_of, terms
from withhold.evaluation.linkage.population import Case, Population
from withhold.learners.embeddings import embed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = dict[str, NDArray[np.float64]]

WORDS = ((0.5, 0.0), (0.9, 0.4), (1.8, 0.15), (1.5, 0.5), (2.0, 0.75), (3.0, 1.0))
"""The constants of BM25, of readers from one who minds neither how often nor in how much, to one who minds both."""
PAIRS = ((0.9, 0.4), (2.0, 0.75))
EVERYTHING = "everything"

Ranks = dict[tuple[str, str], int]
"""The rank of the person, by setting and attacker."""


@dataclass(frozen=True, eq=False, repr=False)
class Setting:
    """What an attacker knows in one setting, about one text."""

    name: str
    candidates: Candidates
    true: tuple[int, ...]


class Attackers:
    """All who try one text in all its states. A text is given in stretches, between which something went."""

    def __init__(
        self, people: Population, meaning: Meaning, case: Case, gone: set[str], settings: Sequence[str]
    ) -> None:
        corpus = people.corpus.without(gone)
        self.meaning = meaning
        self.settings = []
        for name in settings:
            candidates = Candidates.of(corpus, gone, None if name == EVERYTHING else people.only(name))
            self.settings.append(Setting(name, candidates, tuple(candidates.named([case.name]))))

    def ranks(self, several: Mapping[str, Sequence[str]]) -> dict[str, Ranks]:
        """The ranks of the person in each state of the text."""
        found: dict[str, Ranks] = {state: {} for state in several}
        for setting in self.settings:
            for state, scores in self._scores(setting, several):
                for attacker, each in scores.items():
                    beyond = setting.candidates.count + 1
                    found[state][setting.name, attacker] = rank_of(each, setting.true) if setting.true else beyond
        return found

    def _scores(self, setting: Setting, several: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Scores]]:
        every = [part for parts in several.values() for part in parts]
        asked = Asked.of(setting.candidates, every), Asked.of(setting.candidates, every, pairs=True)
        columns = [list(terms(every, pairs=pairs)) for pairs in (False, True)]
        profiles = self.meaning.profiles(setting.candidates)
        for state, parts in several.items():
            single, pair = (
                each.asking(np.array([terms(parts, pairs=pairs).get(term, 0) for term in known], np.float64))
                for each, known, pairs in zip(asked, columns, (False, True), strict=True)
            )
            query = embed([" ".join(parts)])[0].astype(np.float64)
            yield (
                state,
                {
                    **{f"bm25 k1={k1:g} b={b:g}": single.matched(k1, b) for k1, b in WORDS},
                    **{f"pairs k1={k1:g} b={b:g}": pair.matched(k1, b) for k1, b in PAIRS},
                    "embedding": nearness(profiles, query),
                    "embedding centred": nearness(profiles, query, centred=True),
                },
            )
