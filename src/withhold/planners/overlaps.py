"""Which terms cannot go without others going too, because they stand in the same characters."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from withhold.spans import Span


def innermost(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans within which there is no other of them, in order: whatever touches all of these touches all."""
    within: list[Span] = []
    for span in sorted(set(spans), key=lambda each: (each.end, -each.start)):
        if not within or within[-1].start < span.start:
            within.append(span)
    return tuple(within)


def inside(several: Sequence[Sequence[Span]]) -> list[frozenset[int]]:
    """For each term, the others that stand within every one of its spans: whatever touches all of theirs touches it."""
    places = sorted((span.start, span.end, term) for term, spans in enumerate(several) for span in spans)
    found = []
    for term, spans in enumerate(several):
        within = [_within(span, places) for span in spans]
        found.append(frozenset(set.intersection(*within) - {term}) if within else frozenset())
    return found


def _within(span: Span, places: Sequence[tuple[int, int, int]]) -> set[int]:
    found = set()
    for start, end, term in places[bisect_left(places, (span.start,)) :]:
        if start >= span.end:
            break
        if end <= span.end:
            found.add(term)
    return found
