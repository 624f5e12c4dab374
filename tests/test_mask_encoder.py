"""The network that reads masked documents: one vector for each mask, whatever else is asked at the same time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold.errors import MalformedData
from withhold.labels import KINDS
from withhold.learners.masks import encoder
from withhold.learners.masks.cases import MARK, Masked
from withhold.spans import Span

CASE = "The applicant, Mr {Ada Stone}, was born in {1957} and lives in {Leeds}. The {Court} heard her on {2 May}."
FILLER = "The parties exchanged further views on the matter and the court reserved its judgment until a later day. "


def masked(text: str, **options: bool) -> Masked:
    """A text whose entities stand in braces."""
    plain, spans = "", []
    for number, part in enumerate(text.replace("}", "{").split("{")):
        if number % 2:
            spans.append(Span(len(plain), len(plain) + len(part)))
        plain += part
    return Masked.of(plain, spans, **options)


def test_one_row_for_each_mask() -> None:
    document = masked(CASE)
    found, likely = encoder.states([document, document]), encoder.types([document, document])
    assert found.dtype == likely.dtype == np.float32
    assert len(found) == len(likely) == 10
    assert np.isfinite(found).all()
    np.testing.assert_allclose(likely.sum(1), 1, rtol=1e-5)
    assert len(np.unique(found[:5].round(3), axis=0)) == 5


def test_other_documents_leave_no_trace() -> None:
    documents = [masked(CASE), masked("no. {12345/04}"), masked(FILLER * 40 + "on {3 June} " + FILLER * 40)]
    together = encoder.states(documents)
    np.testing.assert_array_equal(together, np.concatenate([encoder.states([each]) for each in documents]))
    np.testing.assert_array_equal(together[::-1], encoder.states(documents[::-1])[[0, 1, *range(6, 1, -1)]])
    np.testing.assert_array_equal(together, encoder.states(documents))


@pytest.mark.parametrize(
    ("documents", "rows"),
    [([], 0), ([masked("")], 0), ([masked(CASE.replace("{", "").replace("}", ""))], 0), ([masked("{x}")], 1)],
)
def test_nothing_to_read(documents: list[Masked], rows: int) -> None:
    assert encoder.states(documents).shape == (rows, encoder.states([]).shape[1])
    assert encoder.types(documents).shape == (rows, len(KINDS))


def test_long_documents_are_read_to_their_end() -> None:
    document = masked((FILLER + CASE) * 60)
    likely = encoder.types([document])
    assert len(likely) == 300
    dates = likely[:, KINDS.index("DATETIME")].reshape(60, 5)
    assert (dates[:, [1, 4]].min(1) > dates[:, [0, 2, 3]].max(1)).mean() > 0.9


def test_what_is_far_away_does_not_matter() -> None:
    near, far = masked(CASE + FILLER * 40), masked(CASE + FILLER * 40 + CASE)
    np.testing.assert_array_equal(encoder.states([near]), encoder.states([far])[:5])


def test_marks_are_alike() -> None:
    """However a mark is written, and where several entities share one."""
    document = masked(CASE)
    np.testing.assert_array_equal(encoder.states([document]), encoder.states([masked(CASE, keep_length=True)]))
    neighbours = masked("by {Mr Stone} {of Leeds} on").merged()
    first, second = encoder.states([neighbours])
    np.testing.assert_array_equal(first, second)


def test_look_alike_letters_hide_nothing() -> None:
    disguised = str.maketrans("aeoic", "аеоіс")
    plain, strange = masked(CASE), masked(CASE.translate(disguised))
    np.testing.assert_array_equal(encoder.states([plain]), encoder.states([strange]))


def test_context_tells_the_kind() -> None:
    document = masked(
        "The case originated in an application (no. {1}) lodged by a {2} national, Mr {3} (“the applicant”), on {4}."
        "\n\n"
        "The applicant was born in {5} and lives in {6}. He was awarded {7} euros by the {8}."
    )
    kinds = [KINDS[kind] for kind in encoder.types([document]).argmax(1)]
    assert kinds == ["CODE", "DEM", "PERSON", "DATETIME", "DATETIME", "LOC", "QUANTITY", "ORG"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=8))
def test_every_token_has_pieces(tokens: list[str]) -> None:
    vocabulary = encoder.Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "ab", "##b", "##ab"])
    spans = tuple(Span(number, number + 1) for number in range(len(tokens)))
    pieces = vocabulary.read(Masked(tuple(tokens), (), (), spans))
    assert len(pieces.firsts) == len(tokens)
    assert (np.diff([*pieces.firsts, len(pieces)]) >= 1).all()
    assert ((pieces.rows >= 0) & (pieces.rows < 10)).all()
    assert ((pieces.forms >= 0) & (pieces.forms < encoder.FORMS)).all()
    assert [bool(pieces.rows[first] == encoder.HIDDEN) for first in pieces.firsts] == [each == MARK for each in tokens]


def test_longest_pieces_first() -> None:
    vocabulary = encoder.Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "ab", "##b", "##ab"])
    words = {"abb": "ab ##b", "aab": "a ##ab", "bab": "b ##ab", "abc": "ab [UNK]", "c": "[UNK]", "": "[UNK]"}
    found = {word: " ".join(list(vocabulary.rows)[row] for row in vocabulary.pieces(word)) for word in words}
    assert found == words


@given(st.integers(1, 3000), st.data())
def test_each_mask_is_read_once_with_words_on_both_sides(length: int, data: st.DataObject) -> None:
    masks = np.array(sorted(data.draw(st.sets(st.integers(0, length - 1), max_size=20))), np.int64)
    seen = []
    for start, mine in encoder._windows(length, masks):
        end = min(start + encoder.WINDOW - 2, length)
        assert start < length
        for mask in masks[mine].tolist():
            assert start <= mask < end
            assert start == 0 or mask - start >= encoder.HALO
            assert end == length or end - mask >= encoder.HALO
        seen += mine.tolist()
    assert sorted(seen) == list(range(len(masks)))


def test_a_damaged_network_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "encoder.onnx"
    broken.write_bytes(b"nothing of the kind")
    with pytest.raises(MalformedData, match="install withhold again"):
        encoder.Encoder(broken, encoder.Vocabulary([]))
