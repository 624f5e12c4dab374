"""Spans against the plainest oracle there is: sets of offsets."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.spans import Span, complement, containing, disjoint, intersect, shift, subtract, union

spans = st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))
many = st.lists(spans, max_size=8)


def offsets(several: object) -> set[int]:
    assert isinstance(several, (list, tuple))
    return {offset for span in several for offset in range(span.start, span.end)}


def canonical(several: tuple[Span, ...]) -> bool:
    return all(several) and all(left.end < right.start for left, right in pairwise(several))


@given(many, many)
def test_union_is_the_union(left: list[Span], right: list[Span]) -> None:
    assert offsets(union(left, right)) == offsets(left) | offsets(right)
    assert canonical(union(left, right))


@given(many, many)
def test_intersect_and_subtract_are_what_they_say(left: list[Span], right: list[Span]) -> None:
    one, other = union(left), union(right)
    assert offsets(intersect(one, other)) == offsets(left) & offsets(right)
    assert offsets(subtract(one, other)) == offsets(left) - offsets(right)
    assert canonical(subtract(one, other))


@given(many, spans)
def test_complement_is_the_rest(several: list[Span], within: Span) -> None:
    rest = complement(union(several), within)
    assert offsets(rest) == offsets([within]) - offsets(several)


@given(many, st.integers(0, 30))
def test_shift_there_and_back(several: list[Span], distance: int) -> None:
    assert shift(shift(several, distance), -distance) == tuple(several)


@given(many, st.integers(0, 60))
def test_containing_finds_the_span(several: list[Span], offset: int) -> None:
    merged = union(several)
    index = containing(merged, offset)
    assert (index is not None) == (offset in offsets(merged))
    assert index is None or offset in merged[index]
    assert disjoint(merged)


@given(spans, spans)
def test_clip_and_overlaps_agree(left: Span, right: Span) -> None:
    assert left.overlaps(right) == (left.clip(right) is not None) == bool(offsets([left]) & offsets([right]))
    assert (right in left) == (left.start <= right.start and right.end <= left.end)


@pytest.mark.parametrize("ends", [(-1, 2), (3, 2)])
def test_what_is_no_span_is_refused(ends: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(*ends)
