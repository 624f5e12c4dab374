"""Documents with their entities masked, as a reader sees them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from withhold.spans import Span
from withhold.text import fold

MARK = "[MASK]"
"""The token every mark becomes, however it is written and whatever it hides; no text has such a token."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


@dataclass(frozen=True, slots=True, repr=False)
class Masked:
    """The words and punctuation of a document as written; what is masked is one token.

    `masks` has the place of the mark of each masked entity, in order, twice or more where the marks of several
    entities have become one; `types` has their types, "" where unknown. Marks of other words are tokens and no more.
    `offsets` is where each token stands in the text, `lines` the tokens that begin a line.
    """

    tokens: tuple[str, ...]
    masks: tuple[int, ...]
    types: tuple[str, ...]
    offsets: tuple[Span, ...]
    lines: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Masked(tokens={len(self.tokens)}, masks={len(self.masks)})"

    @classmethod
    def of(cls, text: str, spans: Sequence[Span], types: Sequence[str] = (), *, keep_length: bool = False) -> Self:
        """A text with all of these spans masked: entities and their types, or the marks of a redacted document.

        Of spans that overlap the longer is masked. With `keep_length`, a mark is as many asterisks as the span has
        characters.
        """
        chosen = _apart(spans, types)
        tokens: list[str] = []
        masks: list[int] = []
        offsets: list[Span] = []
        done = 0
        for span, _ in chosen:
            _cut(text, done, span.start, tokens, offsets)
            masks.append(len(tokens))
            tokens.append("*" * max(1, len(span)) if keep_length else MARK)
            offsets.append(span)
            done = span.end
        _cut(text, done, len(text), tokens, offsets)
        ends = [0, *(span.end for span in offsets)]
        lines = [n for n, span in enumerate(offsets) if n == 0 or "\n" in text[ends[n] : span.start]]
        return cls(tuple(tokens), tuple(masks), tuple(label for _, label in chosen), tuple(offsets), tuple(lines))

    @classmethod
    def singly(
        cls, text: str, spans: Sequence[Span], types: Sequence[str] = (), *, keep_length: bool = False
    ) -> Iterator[Self]:
        """The text once for each span, with that one masked and the others left as they are."""
        for span, label in _apart(spans, types):
            yield cls.of(text, [span], [label], keep_length=keep_length)

    @property
    def marks(self) -> tuple[int, ...]:
        """The places of all marks, of entities and of other words."""
        masked = set(self.masks)
        return tuple(place for place, token in enumerate(self.tokens) if token == MARK or place in masked)

    def undisguised(self) -> Self:
        """The same as a reader has it who takes letters that look alike for the same."""
        marks = set(self.marks)
        tokens = (
            token if place in marks else fold(token, keep_case=True).text or token
            for place, token in enumerate(self.tokens)
        )
        return replace(self, tokens=tuple(tokens))

    def merged(self) -> Self:
        """The same with marks that have nothing between them as one."""
        return self.without(())

    def without(self, removed: Collection[int]) -> Self:
        """The same with the tokens at these places marked like entities, and marks that have nothing between them as
        one, which then is `MARK` whatever they were.
        """
        gone, entities = set(self.marks).union(removed), self.masks
        tokens: list[str] = []
        offsets: list[Span] = []
        moved: list[int] = []
        begins, lines = set(self.lines), []
        joins = False
        for place, (token, span) in enumerate(zip(self.tokens, self.offsets, strict=True)):
            mark = place in gone
            if mark and joins:
                tokens[-1], offsets[-1] = MARK, Span(offsets[-1].start, max(offsets[-1].end, span.end))
            else:
                tokens.append(MARK if place in removed else token)
                offsets.append(span)
                if place in begins:
                    lines.append(len(tokens) - 1)
            moved.append(len(tokens) - 1)
            joins = mark
        masks = tuple(moved[place] for place in entities)
        return type(self)(tuple(tokens), masks, self.types, tuple(offsets), tuple(lines))


def _apart(spans: Sequence[Span], types: Sequence[str]) -> list[tuple[Span, str]]:
    """The spans with their types, in order, without those that overlap a longer one, or an earlier one as long."""
    labelled = zip(spans, types or [""] * len(spans), strict=True)
    taken: list[tuple[Span, str]] = []
    end = -1
    for span, label in sorted(labelled, key=lambda each: (each[0].start, -len(each[0]))):
        if span.start >= end:
            taken.append((span, label))
        elif len(span) > len(taken[-1][0]):
            taken[-1] = (span, label)
        end = taken[-1][0].end
    return taken


def _cut(text: str, start: int, end: int, tokens: list[str], offsets: list[Span]) -> None:
    for match in _TOKEN.finditer(text, start, end):
        tokens.append(match.group())
        offsets.append(Span(*match.span()))
