"""Engines that search the Web: what their queries and results have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, ClassVar

from withhold.codec import decode
from withhold.contracts import Unit
from withhold.corpora.remote.asking import SearchCorpus
from withhold.corpora.remote.questions import Answer, Question, holds
from withhold.errors import CorpusError
from withhold.types import Hit

_SENTENCE = 30
"""So many words of a sentence are asked for: engines take no more."""

_PAGES = 10_000_000_000

_TAG = re.compile(r"<[^<>]*>")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
LARGEST_COUNT = 2**53


class WebSearch(SearchCorpus):
    """Phrases in quotes, alternatives with OR in brackets. Nothing but the title and the snippets is read of a result.

    How many documents there are is not to be known: `size` gives a number of the right order, and a note says so.
    Engines differ in how strictly they take quotes, brackets and OR, and often find more than what was asked for.
    """

    longest: ClassVar[tuple[int, int]] = (2000, 300)
    """How many characters and words a query may have."""

    def size(self, unit: Unit) -> int:
        """About how many documents the Web has: all that matters is that no count comes near it. Nothing is sent."""
        assert self._wire_to
        self._note(f"nobody knows how many documents the engine has: it is taken to have {_PAGES:,}")
        return _PAGES

    def _query(self, question: Question) -> str:
        if not question.groups:
            raise CorpusError(f"{self.kind} cannot be asked about no terms at all")
        if question.kind == "words":
            query = question.groups[0][0]
        elif question.kind == "sentence":
            query = f'"{self._cut(question.groups[0][0])}"'
        else:
            query = _joined(question)
        characters, most = self.longest
        if len(query) > characters or len(query.split()) > most:
            raise CorpusError(
                f"a query is longer than {self.kind} takes ({most} words, {characters} characters); give fewer aliases "
                "or shorter terms"
            )
        return query

    def _cut(self, sentence: str) -> str:
        """The beginning of a sentence, in whole words, as long as may be asked for."""
        characters, most = self.longest
        kept = " ".join(sentence.split()[: min(_SENTENCE, most)])
        return kept if len(kept) <= characters - 2 else kept[: characters - 2].rpartition(" ")[0]

    def _tells(self, question: Question, answer: Answer) -> bool:
        if len(answer.hits) < question.hits and answer.sort == "at least":
            self._note(f"fewer than {question.hits} results are shown, and read")
        return any(holds(f"{hit.title}\n{hit.snippet}", question.topic) for hit in answer.hits[: question.hits])


def _joined(question: Question) -> str:
    quoted = [[f'"{phrase}"' for phrase in group] for group in question.groups]
    if question.match == "any":
        return " OR ".join(phrase for group in quoted for phrase in group)
    if len(quoted) == 1:
        return " OR ".join(quoted[0])
    return " ".join(f"({' OR '.join(group)})" if len(group) > 1 else group[0] for group in quoted)


def table(data: Any, where: str) -> Mapping[str, Any]:
    """A JSON object with whatever keys the engine has."""
    found: Mapping[str, Any] = decode(Mapping[str, object], data, where)
    return found


def rows(data: Any, where: str) -> tuple[Mapping[str, Any], ...]:
    found: tuple[Mapping[str, Any], ...] = decode(tuple[Mapping[str, object], ...], data, where)
    return found


def text(data: Any, where: str) -> str:
    """A text without markup and control characters, which a terminal might obey; empty if there is none."""
    given: str = decode(str | None, data, where) or ""
    return _CONTROL.sub(" ", unescape(_TAG.sub("", given))).strip()


def result(data: Mapping[str, Any], *snippets: str, score: float = 0.0) -> Hit:
    shown = " … ".join(each for each in snippets if each)
    return Hit(text(data.get("url"), "url"), text(data.get("title"), "title"), shown, score)
