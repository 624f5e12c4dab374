"""Where the words of a document stand, and by which id a term goes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b

from withhold.learners.features import is_feature, words
from withhold.spans import Span
from withhold.text import WORD, fold
from withhold.types import Document


class Places:
    """The folded words of a document, in order, each with its span."""

    def __init__(self, document: Document) -> None:
        folded = fold(document.text)
        found = list(WORD.finditer(folded.text))
        self.words = [each.group() for each in found]
        self.spans = [folded.span(*each.span()) for each in found]
        self._key = bytes.fromhex(document.reading)
        self._ids: dict[str, str] = {}

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            numbers.setdefault(word, []).append(number)
        return numbers

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _ends(self) -> list[int]:
        return [span.end for span in self.spans]

    @property
    def features(self) -> list[str]:
        """The words that say something by themselves, each once."""
        return [word for word in self._numbers if is_feature(word)]

    def id(self, term: str) -> str:
        """What a term goes by: of the same document always the same, and nothing to whoever has not got that."""
        if term not in self._ids:
            data = term.encode("utf-8", "surrogatepass")
            self._ids[term] = blake2b(data, key=self._key, digest_size=8).hexdigest()
        return self._ids[term]

    def of(self, term: str) -> tuple[Span, ...]:
        """Where a term, in folded words with one space between, stands; no two of its places overlap."""
        parts = term.split(" ")
        found: list[Span] = []
        free = 0
        for number in self._numbers.get(parts[0], ()):
            last = number + len(parts)
            if number >= free and self.words[number:last] == parts:
                found.append(Span(self.spans[number].start, self.spans[last - 1].end))
                free = last
        return tuple(found)

    def under(self, span: Span) -> str:
        """The words that a span touches, as a term; empty if there is none."""
        first, last = bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)
        return " ".join(self.words[first:last])

    def around(self, span: Span) -> Span:
        """The span, widened to whole words."""
        first, last = bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)
        if first >= last:
            return span
        return Span(min(span.start, self.spans[first].start), max(span.end, self.spans[last - 1].end))

    def named(self, id: str, known: Iterable[str], longest: int = 8) -> str | None:
        """The term of an id: one of those that are known, or else of all runs of up to so many words."""
        for term in known:
            if self.id(term) == id:
                return term
        for length in range(1, longest + 1):
            for run in _runs(self.words, length):
                if self.id(run) == id:
                    return run
        return None


def _runs(read: Sequence[str], length: int) -> Iterable[str]:
    return dict.fromkeys(map(" ".join, zip(*(read[start:] for start in range(length)), strict=False)))


def term_of(text: str) -> str:
    """A text as a term: its folded words with one space between."""
    return " ".join(words(text))
