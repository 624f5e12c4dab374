"""The words of a document that a reader may look up: all that tell something but the secret's own names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.features import Features, words
from withhold.risk.reading import touches
from withhold.spans import Span, union
from withhold.text import WORD, fold

if TYPE_CHECKING:
    from withhold.contracts import Counts


@dataclass(frozen=True, eq=False, repr=False)
class Terms:
    """Folded words, each once, in the order of the text, and where they stand."""

    words: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]

    @classmethod
    def of(cls, text: str, names: Sequence[str] = (), ignoring: Sequence[Span] = ()) -> Terms:
        """The words of a text: no stop words, none that is part of one of the names where it stands, and nothing in the
        spans to ignore. A part of a name that stands alone is a word like any other.
        """
        passed = union(ignoring, mentions(text, names))
        found = {
            word: tuple(span for span in spans if not touches(span, passed))
            for word, spans in Features().occurrences(text).items()
        }
        kept = {word: spans for word, spans in found.items() if spans}
        return cls(tuple(kept), tuple(kept.values()))

    def __len__(self) -> int:
        return len(self.words)

    def only(self, numbers: Iterable[int]) -> Terms:
        """The terms of these numbers, in their order."""
        chosen = list(numbers)
        return Terms(tuple(self.words[number] for number in chosen), tuple(self.spans[number] for number in chosen))

    @property
    def counts(self) -> Counts:
        """How often each word stands in the text."""
        return np.array([len(spans) for spans in self.spans], np.int64)


def mentions(text: str, names: Sequence[str]) -> Iterator[Span]:
    """Where one of the names stands, whatever its case and the punctuation between its words."""
    folded = fold(text)
    tokens = list(WORD.finditer(folded.text))
    read = [token.group() for token in tokens]
    for name in {tuple(words(each)) for each in names} - {()}:
        for at in range(len(read) - len(name) + 1):
            if read[at] == name[0] and tuple(read[at : at + len(name)]) == name:
                yield folded.span(tokens[at].start(), tokens[at + len(name) - 1].end())
