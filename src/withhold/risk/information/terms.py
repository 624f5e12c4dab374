"""The words of a document that a reader may look up: all that tell something but the secret's own names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.features import Features
from withhold.risk.mentions import mentions
from withhold.risk.reading import touches
from withhold.spans import Span, union

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
