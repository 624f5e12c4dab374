"""What an engine is asked, and what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from withhold.codec import Value
from withhold.contracts import Match, Wanted
from withhold.errors import CorpusError
from withhold.learners.features import words
from withhold.types import Hit

RUN = 8
"""So many words of a sentence in a row, or all of a shorter one, show that a document holds it."""

_UNWANTED = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\"“”„‟″＂\\]+")
_SIGNS = re.compile(r"(?<!\S)[^\w\s]+")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask: documents that hold all (or any) of the groups, of each of which any phrase will do.

    `kind` says what the phrases are: `terms`, the `words` of a free search, or a `sentence` to be found as it stands.
    `hits` is how many documents are to be named, `topic` what to look for in them.
    """

    groups: tuple[tuple[str, ...], ...] = field(repr=False)
    match: Match = "all"
    hits: int = 0
    topic: tuple[str, ...] = field(default=(), repr=False)
    kind: Literal["terms", "words", "sentence"] = "terms"


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """What an engine says: how many documents, how sure that is, and the best of them.

    `told` are those of the hits that hold the topic, where the engine itself says so.
    """

    total: int
    sort: Literal["exact", "estimate", "at least"] = "exact"
    hits: tuple[Hit, ...] = field(default=(), repr=False)
    told: tuple[bool, ...] = ()


def groups(terms: Sequence[Wanted]) -> tuple[tuple[str, ...], ...]:
    """The terms as groups of phrases, each once and in an order that says nothing about which was given first.

    Raises:
        CorpusError: for a term without a word.
    """
    return tuple(sorted({group(term) for term in terms}))


def group(term: Wanted) -> tuple[str, ...]:
    phrases = {plain(each) for each in ((term,) if isinstance(term, str) else term)}
    if not phrases or not all(map(words, phrases)):
        raise CorpusError("a term without a word cannot be asked for")
    return tuple(sorted(phrases))


def plain(text: str) -> str:
    """The text on one line, without quotation marks, signs before words and what else engines take for a command: some
    obey `!g` and `:fr` even in the middle of a quotation.
    """
    return " ".join(_SIGNS.sub("", _UNWANTED.sub(" ", text)).split())


def holds(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases stands in the text; case, accents and punctuation do not matter."""
    read = f" {' '.join(words(text))} "
    return any(f" {' '.join(words(phrase))} " in read for phrase in phrases)


def confirms(text: str, sentence: str) -> bool:
    """Whether the text has a run of the sentence that is long enough to know it by."""
    said = words(sentence)
    length = min(RUN, len(said))
    return holds(text, [" ".join(said[start : start + length]) for start in range(len(said) - length + 1)])
