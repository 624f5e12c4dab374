"""What a noun is a kind of, from WordNet; for other words, what can be said in function words alone.

A word means several things; which of them is meant is told by the words around it (`Surroundings`). Nothing so general
that it says nothing is offered (`object`, `thing`): a word that has only such above it has no replacement.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, Self

from withhold.policy import Policy
from withhold.taxonomies.english import FUNCTION_WORDS, plural, singulars, stem
from withhold.taxonomies.plain import plain_words
from withhold.taxonomies.tables import DATA, damaged, lines, read_table, tells

MOST_OFFERED = 3

_COLUMNS = {
    "lemmas": "uint8",
    "sense_counts": "uint8",
    "refused": "uint8",
    "senses": "int32",
    "tags": "uint16",
    "above_counts": "uint8",
    "above": "int32",
    "general": "bool",
    "names": "uint8",
    "irregular": "uint8",
    "clue_words": "uint8",
    "clue_weights": "uint8",
    "clue_counts": "uint8",
    "clues": "uint16",
}

_EACH = ("sense_counts", "refused", "above_counts", "general", "clue_counts", "clue_weights")


@dataclass(frozen=True, slots=True, repr=False)
class Senses:
    """WordNet's nouns. What is above a synset has a smaller number, so nothing can be above itself."""

    numbers: dict[str, int]
    refused: list[int]
    starts: list[int]
    synsets: list[int]
    tags: list[int]
    above_starts: list[int]
    above: list[int]
    general: list[bool]
    names: list[str]
    irregular: dict[str, str]
    clue_numbers: dict[str, int]
    clue_weights: list[int]
    clue_starts: list[int]
    clues: list[int]

    def of(self, lemma: str) -> list[tuple[int, int]]:
        """The synsets of a word, the most usual first, and how often each was met."""
        number = self.numbers[lemma]
        sense = slice(self.starts[number], self.starts[number + 1])
        return list(zip(self.synsets[sense], self.tags[sense], strict=True))

    def refuses(self, lemma: str, *, many: bool) -> bool:
        """Whether the word, or its plural, is seldom the noun: `general` is not an officer, `offers` is a verb."""
        return bool(self.refused[self.numbers[lemma]] & (2 if many else 1))

    def parents(self, synset: int) -> list[int]:
        return self.above[self.above_starts[synset] : self.above_starts[synset + 1]]

    def lineage(self, synset: int) -> list[int]:
        """The synset and all above it that says something, nearest first."""
        found = [synset]
        for each in found:
            found.extend(up for up in self.parents(each) if not self.general[up] and up not in found)
        return found


@cache
def read_senses(path: Path) -> Senses:
    """The table at `path`.

    Raises:
        MalformedData: if it is not there or does not hold together.
    """
    import numpy as np

    table = read_table(path, _COLUMNS)
    lemmas, names = lines(table["lemmas"], path), lines(table["names"], path)
    clue_words = lines(table["clue_words"], path)
    irregular = [line.split(" ") for line in lines(table["irregular"], path)]
    size = len(names)
    owners = np.repeat(np.arange(len(table["above_counts"])), table["above_counts"])
    sound = (
        [len(lemmas), len(lemmas), size, size, size, len(clue_words)] == [len(table[name]) for name in _EACH]
        and len(owners) == len(table["above"])
        and table["sense_counts"].sum(dtype=int) == len(table["senses"]) == len(table["tags"])
        and table["clue_counts"].sum(dtype=int) == len(table["clues"])
        and bool(np.all((table["senses"] >= 0) & (table["senses"] < size)))
        and bool(np.all((table["above"] >= 0) & (table["above"] < owners)))
        and bool(np.all(table["clues"] < len(clue_words)))
        and all(len(pair) == 2 for pair in irregular)
    )
    if not sound:
        raise damaged(path)
    return Senses(
        numbers=dict(zip(lemmas, range(len(lemmas)), strict=True)),
        refused=table["refused"].tolist(),
        starts=_starts(table["sense_counts"].tolist()),
        synsets=table["senses"].tolist(),
        tags=table["tags"].tolist(),
        above_starts=_starts(table["above_counts"].tolist()),
        above=table["above"].tolist(),
        general=table["general"].tolist(),
        names=names,
        irregular=dict(irregular),
        clue_numbers=dict(zip(clue_words, range(len(clue_words)), strict=True)),
        clue_weights=table["clue_weights"].tolist(),
        clue_starts=_starts(table["clue_counts"].tolist()),
        clues=table["clues"].tolist(),
    )


def _starts(counts: list[int]) -> list[int]:
    return [0, *accumulate(counts)]


class Surroundings:
    """The words of a text, as far as they tell which sense of one of them is meant.

    A sense is the likelier the more often it was met elsewhere and the more of the words that a dictionary uses
    of it, and of what is next to it, stand in the text; rare words tell more.
    """

    def __init__(self, senses: Senses, context: Collection[str]) -> None:
        self.senses = senses
        numbers = senses.clue_numbers
        self.clues = {numbers[each] for each in {stem(word) for word in context} if each in numbers}
        self.telling = _TELLING * (1 + _FEW / (_FEW + len(self.clues)))

    def choose(self, word: str, readings: Sequence[Reading]) -> Reading:
        """The likeliest reading; the most usual of those that are equally likely."""
        if len(readings) == 1:
            return readings[0]
        own = self.senses.clue_numbers.get(stem(word))
        fits = [
            math.log(reading.tags + _UNSEEN) - _LATER * place + self.telling * self._told(reading.synset, own)
            for place, reading in enumerate(readings)
        ]
        return readings[max(range(len(fits)), key=fits.__getitem__)]

    def _told(self, synset: int, own: int | None) -> int:
        senses = self.senses
        clues = senses.clues[senses.clue_starts[synset] : senses.clue_starts[synset + 1]]
        return sum(senses.clue_weights[clue] for clue in clues if clue in self.clues and clue != own)


# Chosen on texts whose nouns people had marked with their senses. Of the nouns that have several, the sense chosen is
# right for 64 in 100, the most usual one for 60. In a short text, each word tells more.
_UNSEEN, _LATER, _TELLING, _FEW = 0.5, 0.2, 0.01, 20

_USUALLY = 0.6
"""What a word means so often is what it is taken to mean wherever it stands."""


class Reading(NamedTuple):
    """One thing that a word can mean, and whether it would be several of them."""

    synset: int
    tags: int
    many: bool


class Hypernyms:
    """What a noun is a kind of: a `car` is a `motor vehicle`, and `cars` are `motor vehicles`. Of other words, those in
    function words that say the same: `previously` is `formerly`.
    """

    def __init__(self, table: Path = DATA / "wordnet.npz") -> None:
        self.table = table
        self._last: tuple[tuple[str, ...], Surroundings] | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Up to three more general nouns for a lower-case noun, nearest first; for what is none, function words.

        `context` is the words of the text the word is from. Give it as one tuple for all words of a text: it is
        looked into once.
        """
        if plain := plain_words(word):
            return plain
        senses = read_senses(self.table)
        readings = list(_readings(senses, word))
        if not readings:
            return ()
        reading = self._surroundings(senses, tuple(context)).choose(word, readings)
        offered: dict[str, None] = {}
        for synset in senses.lineage(reading.synset)[1:]:
            name = senses.names[synset]
            written = plural(name) if name and reading.many else name
            if written and not _says(name, word) and not _says(written, word):
                offered[written] = None
        return tuple(offered)[:MOST_OFFERED]

    def members(self, general: str) -> frozenset[str]:
        """The words that are usually a kind of this, in its number."""
        below = _below(self.table)
        several = (plural(word) for one in singulars(general) for word in below.get(one, ()))
        return below.get(general, frozenset()) | frozenset(several)

    def has(self, phrase: str) -> bool:
        """Whether it is a noun of the dictionary, or several of one."""
        senses = read_senses(self.table)
        start, _, last = phrase.rpartition(" ")
        return any(f"{start} {each}".strip() in senses.numbers for each in (last, *singulars(last)))

    def _surroundings(self, senses: Senses, context: tuple[str, ...]) -> Surroundings:
        last = self._last
        if last is None or (last[0] is not context and last[0] != context):
            last = self._last = (context, Surroundings(senses, context))
        return last[1]


@cache
def _below(path: Path) -> dict[str, frozenset[str]]:
    """By its name, the single words that have a synset above what they nearly always mean."""
    senses = read_senses(path)
    found: dict[str, set[str]] = {}
    for lemma in senses.numbers:
        if " " not in lemma and "-" not in lemma and not senses.refuses(lemma, many=False):
            every = senses.of(lemma)
            if (every[0][1] + 1) >= _USUALLY * sum(tags + 1 for _, tags in every):
                for up in senses.lineage(every[0][0])[1:]:
                    found.setdefault(senses.names[up], set()).add(lemma)
    return {name: frozenset(words) for name, words in found.items() if name}


def _readings(senses: Senses, word: str) -> Iterator[Reading]:
    """What a word can mean as it is written, then what it can mean as a plural."""
    if word in senses.numbers and not senses.refuses(word, many=False):
        yield from (Reading(synset, tags, False) for synset, tags in senses.of(word))
    one = senses.irregular.get(word) or next((each for each in singulars(word) if each in senses.numbers), None)
    if one in senses.numbers and word not in FUNCTION_WORDS and not senses.refuses(one, many=True):
        yield from (Reading(synset, tags, True) for synset, tags in senses.of(one))


def _says(name: str, word: str) -> bool:
    """Whether a name contains the word it would replace, or a form of it."""
    root = stem(word)
    parts = name.lower().replace("-", " ").split()
    return any(stem(part) == root or (len(root) > 3 and root in part) for part in parts) or tells(name, word)
