"""Queries about something else, sent among the true ones (the idea of TrackMeNot)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Self

import numpy as np

from withhold.corpora.remote.questions import Question
from withhold.learners.embeddings import Singles, of_words, vocabulary
from withhold.learners.stopwords import STOPWORDS
from withhold.text import WORD, fold

_WINDOW = 0.3
"""A stand-in may be so much rarer or commoner, as a share of its rank."""

_FEW = 6
"""Of the commonest words, so many to either side do."""

_CLOSEST = (0.03, 0.08)
"""Of the words that are frequent enough, a share from this range is near enough to a subject: texts differ in how much
they keep to theirs.
"""

_RARE = 0.7
"""Words that the list does not have count as rarer than this share of it."""

_random = secrets.SystemRandom()


class Decoys:
    """Made-up documents that are asked about just as the true one is.

    Each has a subject drawn at random, and near it one word for every word that is asked about, of about the same
    frequency in English: a pair of terms becomes a pair of terms, a term that is in many queries becomes one that is in
    as many, numbers become numbers, stop words stay. So the true queries are not known by their number, form, order or
    repetition. A word keeps its stand-ins for as long as the corpus is open.

    What this does not hide: that someone asks, and who it is; names and rare words, which are not on the list that
    stand-ins come from, to whoever knows the list; phrases and whole sentences, since those made up of stand-ins make
    no sense and are found nowhere; and the true document from an engine that knows one of its terms beforehand, or that
    sees which answers are asked about further. Stand-ins are drawn anew when the program starts: an engine that is
    asked about the same words again and again, with no cache, can tell which recur. Decoys make guessing dearer. Where
    nobody must know, use an index on this machine.
    """

    def __init__(self, copies: int, known: Sequence[dict[str, str]] | None = None) -> None:
        self.copies = copies
        self._known = known or [{} for _ in range(copies)]
        self._subjects: dict[int, tuple[Singles, float]] = {}

    def __repr__(self) -> str:
        return f"Decoys(copies={self.copies})"

    def fresh(self) -> Self:
        """The same stand-ins for the words that have some, and other subjects for those to come."""
        return type(self)(self.copies, self._known)

    def of(self, questions: Sequence[Question]) -> list[Question]:
        """For each question one of the same form about each made-up document; none where nothing is said that tells."""
        texts = {text for question in questions for group in (*question.groups, question.topic) for text in group}
        true = frozenset(fold(word).text for text in texts for word in WORD.findall(text))
        said = [question for question in questions if question.groups]
        return [self._about(question, copy, true) for question in said for copy in range(self.copies)]

    def _about(self, question: Question, copy: int, true: frozenset[str]) -> Question:
        def of(phrases: Sequence[str]) -> tuple[str, ...]:
            return tuple(sorted(WORD.sub(lambda word: self._word(word.group(), copy, true), each) for each in phrases))

        return replace(question, groups=tuple(sorted(map(of, question.groups))), topic=of(question.topic))

    def _word(self, word: str, copy: int, true: frozenset[str]) -> str:
        key = fold(word).text
        if key in STOPWORDS or len(key) < 2:
            return word
        known = self._known[copy]
        if key not in known:
            taken = true.union(*(each.values() for each in self._known))
            known[key] = _number(key, taken) if key.isdecimal() else self._draw(key, copy, taken)
        return _dressed(known[key], word)

    def _draw(self, word: str, copy: int, taken: frozenset[str]) -> str:
        """A word near the copy's subject, about as frequent, that stands for no other word yet."""
        listed, ranks = _listed()
        rank = ranks.get(word, -1)
        if rank < 0:
            rank = _random.randrange(int(_RARE * len(listed)), len(listed))
        subject, share = self._subject(copy)
        reach = int(_WINDOW * rank) + _FEW
        while True:
            start, end = max(0, rank - reach), min(len(listed), rank + reach)
            near = np.argsort(-(_vectors()[start:end] @ subject)).tolist()
            free = [listed[start + at] for at in near if listed[start + at] not in taken]
            if len(free) >= 3 or end - start == len(listed):
                return str(_random.choice(free[: max(3, int(share * len(free)))] or listed))
            reach *= 2

    def _subject(self, copy: int) -> tuple[Singles, float]:
        """What the copy is about, as the direction of a word drawn at random, and how much it keeps to that."""
        if copy not in self._subjects:
            vectors = _vectors()
            self._subjects[copy] = vectors[_random.randrange(len(vectors))], _random.uniform(*_CLOSEST)
        return self._subjects[copy]


def _number(digits: str, taken: frozenset[str]) -> str:
    """Another number with as many digits, a year for a year; one that is taken only if there is hardly another."""
    for _ in range(50):
        if len(digits) == 4 and digits[:2] in ("19", "20"):
            number = str(_random.randrange(1900, 2030))
        else:
            first = _random.choice("0123456789" if digits[0] == "0" else "123456789")
            number = first + "".join(_random.choice("0123456789") for _ in digits[1:])
        if number not in taken:
            break
    return number


def _dressed(stand_in: str, word: str) -> str:
    """The stand-in in capitals where the word is."""
    if word.isupper():
        return stand_in.upper()
    return stand_in.capitalize() if word[0].isupper() else stand_in


@cache
def _listed() -> tuple[list[str], dict[str, int]]:
    """The words that can be stand-ins, the commonest first, and the rank of each."""
    listed = [word for word in vocabulary() if word.isalpha() and len(word) > 2]
    return listed, {word: rank for rank, word in enumerate(listed)}


@cache
def _vectors() -> Singles:
    """The direction of each listed word."""
    vectors = of_words(_listed()[0])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Singles = vectors / np.maximum(lengths, np.float32(1e-9))
    return unit
