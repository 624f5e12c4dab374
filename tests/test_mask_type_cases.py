"""Documents with their entities masked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from withhold.learners.masks.cases import MARK, Masked
from withhold.spans import Span

TEXT = "Mr Smith of Leeds\nwas born in 1961."
SPANS = [Span(3, 8), Span(12, 17), Span(30, 34)]
TYPES = ["PERSON", "LOC", "DATETIME"]


def test_a_masked_entity_is_one_token() -> None:
    found = Masked.of(TEXT, SPANS, TYPES)
    assert found.tokens == ("Mr", MARK, "of", MARK, "was", "born", "in", MARK, ".")
    assert found.masks == found.marks == (1, 3, 7)
    assert found.types == tuple(TYPES)
    assert found.lines == (0, 4)
    assert "Smith" not in repr(found)


def test_marks_that_keep_the_length() -> None:
    found = Masked.of(TEXT, SPANS, TYPES, keep_length=True)
    assert [found.tokens[place] for place in found.masks] == ["*****", "*****", "****"]
    assert found.marks == found.masks


def test_one_entity_at_a_time() -> None:
    several = list(Masked.singly(TEXT, SPANS, TYPES))
    assert [each.types for each in several] == [("PERSON",), ("LOC",), ("DATETIME",)]
    assert several[1].tokens[:4] == ("Mr", "Smith", "of", MARK)


def test_of_overlapping_spans_the_longer_is_masked() -> None:
    found = Masked.of("a bb ccc", [Span(0, 4), Span(2, 8), Span(5, 8)], ["X", "Y", "Z"])
    assert (found.tokens, found.types) == (("a", MARK), ("Y",))


def test_removed_words_become_marks_and_neighbours_merge() -> None:
    found = Masked.of(TEXT, SPANS, TYPES).without({2, 5})
    assert found.tokens == ("Mr", MARK, "was", MARK, "in", MARK, ".")
    assert found.masks == (1, 1, 5)
    assert found.marks == (1, 3, 5)
    assert found.types == tuple(TYPES)
    assert found.offsets[1] == Span(3, 17)
    assert found.lines == (0, 2)


def test_something_removed_without_a_trace_is_a_mask_too() -> None:
    assert Masked.of("Mr  of", [Span(3, 3)], ["PERSON"]).tokens == ("Mr", MARK, "of")


@given(
    st.text("ab c\n.", max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=6), st.data()
)
def test_tokens_stand_where_they_are_said_to(text: str, pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    spans = [Span(min(start, len(text)), min(start + size, len(text))) for start, size in pairs]
    found = Masked.of(text, spans, ["X"] * len(spans))
    assert len(found.types) == len(found.masks)
    assert all(span in spans for span in (found.offsets[place] for place in found.masks))
    for token, span in zip(found.tokens, found.offsets, strict=True):
        assert token in (MARK, span.of(text))
    removed = data.draw(st.sets(st.integers(0, max(0, len(found.tokens) - 1))))
    less = found.without(removed & set(range(len(found.tokens))))
    assert less.types == found.types
    assert all(less.tokens[place] == MARK for place in less.masks)
    assert not any(left == right == MARK for left, right in zip(less.tokens, less.tokens[1:], strict=False))
    assert less.without(()) == less
