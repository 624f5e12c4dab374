"""Which terms cannot go without others going too, because they stand in the same characters, and which are gone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from withhold.spans import Span, containing, union


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


class Gone:
    """What is left of terms once some characters are gone.

    An occurrence of a term is gone if all of it is, or if all of a term within it is: a phrase goes with its word. If
    no more than a part goes that is no term, such as one name of two, it is still there: the rest may tell as much.
    """

    def __init__(self, terms: Sequence[Sequence[Span]], spans: Iterable[Span]) -> None:
        self._terms = terms
        self._places = sorted({span for several in terms for span in several})
        self._gone = list(union(spans))

    def add(self, span: Span) -> None:
        """Take this away as well."""
        first = bisect_left(self._gone, span.start, key=attrgetter("end"))
        last = bisect_right(self._gone, span.end, key=attrgetter("start"))
        self._gone[first:last] = union(self._gone[first:last], (span,))

    def holds(self, span: Span) -> bool:
        """Whether this occurrence of a term is gone."""
        if self._covers(span):
            return True
        for other in self._places[bisect_left(self._places, Span(span.start, span.start)) :]:
            if other.start >= span.end:
                break
            if other.end <= span.end and self._covers(other):
                return True
        return False

    def left(self) -> list[list[Span]]:
        """The occurrences of each term that are still there."""
        kept = {span for span in self._places if not self.holds(span)}
        return [[span for span in several if span in kept] for several in self._terms]

    def _covers(self, span: Span) -> bool:
        at = containing(self._gone, span.start)
        return at is not None and span in self._gone[at]
