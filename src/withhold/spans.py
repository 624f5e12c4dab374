"""All offset arithmetic: half-open character ranges and sets of them.

A set of spans is a sorted tuple of disjoint, non-empty, non-touching spans: `union` makes one, the other
functions expect and return one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters from `start` up to but not including `end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return self.end > self.start

    def __contains__(self, other: object) -> bool:
        """Whether an offset, or the whole of another span, lies inside."""
        if isinstance(other, Span):
            return self.start <= other.start and other.end <= self.end
        return isinstance(other, int) and self.start <= other < self.end

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a character."""
        return max(self.start, other.start) < min(self.end, other.end)

    def clip(self, other: Span) -> Span | None:
        """The characters both have, or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start < end else None

    def shift(self, distance: int) -> Span:
        return Span(self.start + distance, self.end + distance)


def union(*sets: Iterable[Span]) -> tuple[Span, ...]:
    """Every character in any of the sets; touching spans become one."""
    merged: list[Span] = []
    for span in sorted(span for spans in sets for span in spans if span):
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return tuple(merged)


def intersect(left: Sequence[Span], right: Sequence[Span]) -> tuple[Span, ...]:
    """Every character in both sets."""
    shared: list[Span] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if both := left[i].clip(right[j]):
            shared.append(both)
        if left[i].end <= right[j].end:
            i += 1
        else:
            j += 1
    return tuple(shared)


def subtract(left: Sequence[Span], right: Sequence[Span]) -> tuple[Span, ...]:
    """Every character of the left set that is not in the right one."""
    if not left:
        return ()
    return intersect(left, complement(right, Span(left[0].start, left[-1].end)))


def complement(spans: Sequence[Span], within: Span) -> tuple[Span, ...]:
    """Every character of `within` that is not in the set."""
    gaps: list[Span] = []
    position = within.start
    for span in spans:
        if span.start > position:
            gaps.append(Span(position, min(span.start, within.end)))
        position = max(position, span.end)
        if position >= within.end:
            return tuple(gap for gap in gaps if gap)
    if position < within.end:
        gaps.append(Span(position, within.end))
    return tuple(gap for gap in gaps if gap)


def shift(spans: Iterable[Span], distance: int) -> tuple[Span, ...]:
    return tuple(span.shift(distance) for span in spans)


def disjoint(spans: Sequence[Span]) -> bool:
    """Whether the spans are sorted and share no character."""
    return all(left.end <= right.start for left, right in pairwise(spans))


def containing(spans: Sequence[Span], offset: int) -> int | None:
    """The index of the span of a sorted, disjoint sequence that holds `offset`, or None."""
    index = bisect_right(spans, offset, key=attrgetter("start")) - 1
    return index if index >= 0 and offset in spans[index] else None
