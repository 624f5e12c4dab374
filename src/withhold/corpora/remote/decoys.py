"""Queries about something else, sent among the true ones (the idea of TrackMeNot)."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Self

import numpy as np

from withhold.corpora.remote.questions import Question
from withhold.learners.embeddings import Singles, of_words, vocabulary
from withhold.learners.stopwords import STOPWORDS
from withhold.text import WORD, fold

_NEAR = 3000
"""So many words around an anchor are what a made-up document is about."""

_CHOICE = 5
"""One of so many words of nearly the same frequency is taken, so that nobody can work out which."""

_RARE = 0.7
"""Words that the list does not have count as rarer than this share of it."""

_random = secrets.SystemRandom()


class Decoys:
    """Made-up documents that are asked about just as the true one is.

    Each has a subject drawn at random, and in it one word for every word that is asked about, of about the same
    frequency in English: a pair of terms becomes a pair of terms, a term that is in many queries becomes one that is in
    as many, numbers become numbers, stop words stay. So the true queries are not known by their number, form, order or
    repetition. A word keeps its stand-ins for as long as the corpus is open.

    What this does not hide: that someone asks, and who it is; names and rare words, which are not on the list that
    stand-ins come from, to whoever knows the list; phrases and whole sentences, since those made up of stand-ins make
    no sense and are found nowhere; and the true document from an engine that knows one of its terms beforehand.
    Stand-ins are drawn anew when the program starts: an engine that is asked about the same words again and again, with
    no cache, can tell which recur. Decoys make guessing dearer. Where nobody must know, use an index on this machine.
    """

    def __init__(self, copies: int, known: Sequence[dict[str, str]] | None = None) -> None:
        self.copies = copies
        self._known = known or [{} for _ in range(copies)]
        self._subjects: dict[int, list[int]] = {}

    def __repr__(self) -> str:
        return f"Decoys(copies={self.copies})"

    def fresh(self) -> Self:
        """The same stand-ins for the words that have some, and other subjects for those to come."""
        return type(self)(self.copies, self._known)

    def of(self, question: Question) -> list[Question]:
        """One question of the same form about each made-up document; none where nothing is said that could tell."""
        if not question.groups:
            return []
        return [self._about(question, copy) for copy in range(self.copies)]

    def _about(self, question: Question, copy: int) -> Question:
        groups = [tuple(sorted(self._text(phrase, copy) for phrase in group)) for group in question.groups]
        topic = tuple(sorted(self._text(phrase, copy) for phrase in question.topic))
        return replace(question, groups=tuple(sorted(groups)), topic=topic)

    def _text(self, text: str, copy: int) -> str:
        return WORD.sub(lambda found: self._word(found.group(), copy), text)

    def _word(self, word: str, copy: int) -> str:
        key = fold(word).text
        if key in STOPWORDS or len(key) < 2:
            return word
        known = self._known[copy]
        if key not in known:
            taken = {key, *chain.from_iterable(each.values() for each in self._known)}
            known[key] = _number(key, taken) if key.isdecimal() else self._draw(key, copy, taken)
        return _dressed(known[key], word)

    def _draw(self, word: str, copy: int, taken: Collection[str]) -> str:
        """A word of the copy's subject, about as frequent, that stands for no other word yet."""
        listed, ranks = _listed()
        rank = ranks.get(word, -1)
        if rank < 0:
            rank = _random.randrange(int(_RARE * len(listed)), len(listed))
        subject = self._subject(copy)
        at = bisect_left(subject, rank)
        near = sorted(range(max(0, at - 200), min(len(subject), at + 200)), key=lambda i: abs(subject[i] - rank))
        free = [listed[subject[i]] for i in near if listed[subject[i]] not in taken]
        return _random.choice(free[:_CHOICE] or listed)

    def _subject(self, copy: int) -> list[int]:
        """The ranks of the words around an anchor, the commonest first."""
        if copy not in self._subjects:
            vectors = _vectors()
            anchor = vectors[_random.randrange(len(vectors))]
            near = np.argpartition(vectors @ anchor, -_NEAR)[-_NEAR:]
            self._subjects[copy] = sorted(near.tolist())
        return self._subjects[copy]


def _number(digits: str, taken: Collection[str]) -> str:
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
