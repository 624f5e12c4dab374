"""Counts as a person asks for them: terms alone and in pairs, and how often a topic goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from withhold.codec import Value
from withhold.contracts import Corpus, Unit, Wanted
from withhold.learners.features import words
from withhold.learners.intervals import wilson
from withhold.spans import Span
from withhold.text import WORD, fold


@dataclass(frozen=True, slots=True)
class Counted(Value):
    """How many units hold all of the terms, and of a topic how many of those hold it too: its confidence."""

    terms: tuple[str, ...] = field(repr=False)
    count: int
    with_topic: int | None = None
    confidence: float | None = None
    interval: tuple[float, float] | None = None


def count(corpus: Corpus, terms: Sequence[str], unit: Unit, topic: Wanted | None = None) -> list[Counted]:
    """Each term and each pair of terms, counted."""
    unique = list(dict.fromkeys(terms))
    single = corpus.count_matrix(unique, unit)
    given = corpus.count_matrix(unique, unit, topic) if topic else None
    sets = [(number, number) for number in range(len(unique))] + list(combinations(range(len(unique)), 2))
    found = []
    for one, other in sets:
        named = (unique[one],) if one == other else (unique[one], unique[other])
        number = int(single[one, other])
        if given is None:
            found.append(Counted(named, number))
            continue
        # A search engine estimates, and can give more for more words.
        told = min(int(given[one, other]), number)
        found.append(Counted(named, number, told, told / number if number else None, wilson(told, number)))
    return found


def marked(snippet: str, query: str) -> str:
    """A snippet with the words of the query marked."""
    wanted, folded = set(words(query)), fold(snippet)
    spans = [folded.span(*match.span()) for match in WORD.finditer(folded.text) if match.group() in wanted]
    pieces, at = [], 0
    for span in _joined(spans, snippet):
        pieces += [snippet[at : span.start], ">>", span.of(snippet), "<<"]
        at = span.end
    return "".join([*pieces, snippet[at:]])


def _joined(spans: Sequence[Span], text: str) -> list[Span]:
    """Neighbouring words as one."""
    found: list[Span] = []
    for span in spans:
        if found and not text[found[-1].end : span.start].strip():
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found
