"""The shipped table of word vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold.learners import embeddings
from withhold.learners.embeddings import Embeddings, dimensions, embed, pack, unpack
from withhold.learners.stopwords import STOPWORDS


def table() -> Embeddings:
    return embeddings._shipped()


def test_texts_have_a_direction_and_nothing_has_none() -> None:
    vectors = embed(["A bank lends money.", "", "the of and", "日本", "...", "Ünïcode bänk"])
    assert vectors.shape == (6, dimensions())
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0, 0, 1], abs=1e-5)
    assert embed([]).shape == (0, dimensions())


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("The clinic treats cancer patients.", "A hospital with doctors for tumours", "A football team won the cup"),
        ("interest rates and mortgages", "The bank lends money to home buyers", "the engine of a motorcycle"),
        ("drilling for oil", "petroleum exploration and pipelines", "a novel about love"),
        ("restaurants serving pizza", "Food and drinks for guests", "semiconductor wafers"),
    ],
)
def test_texts_about_the_same_are_near(text: str, near: str, far: str) -> None:
    one, same, other = embed([text, near, far])
    assert one @ same > one @ other + 0.1


def test_case_accents_and_stop_words_do_not_matter() -> None:
    first, second = embed(["The CAFÉ of the town", "cafe town"])
    assert first @ second == pytest.approx(1, abs=1e-5)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=5))
def test_a_text_has_the_same_vector_in_any_company(texts: list[str]) -> None:
    together = embed(texts)
    assert np.all(np.isfinite(together))
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(embed([text])[0], vector, atol=1e-5)


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"text {number} about copper and gold" for number in range(7)]
    whole = embed(texts)
    monkeypatch.setattr(embeddings, "_BLOCK", 3)
    assert np.allclose(embed(texts), whole, atol=1e-6)


def test_words_are_taken_apart_into_the_longest_pieces() -> None:
    made = Embeddings(["a", "play", "player", "##er", "##e", "##s"], np.eye(6, dtype=np.float32))
    assert made.pieces("player") == [2]
    assert made.pieces("players") == [2, 5]
    assert made.pieces("playes") == [1, 4, 5]
    assert made.pieces("xeqs") == [4, 5]
    assert made.pieces("the") == []


def test_a_word_weighs_the_same_in_pieces() -> None:
    made = Embeddings(["play", "##er", "ball"], np.eye(3, dtype=np.float32))
    assert made.embed(["player ball"])[0] == pytest.approx(np.sqrt([1 / 4, 1 / 4, 1 / 2]), abs=1e-6)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=30))
def test_every_word_can_be_spelled(word: str) -> None:
    entries = list(table().rows)
    spelled = "".join(entries[row].removeprefix("##") for row in table().pieces(word))
    assert spelled == ("" if word in STOPWORDS and word not in table().rows else word)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-7, 7), min_size=4, max_size=4), min_size=1, max_size=5))
def test_packing_can_be_undone(levels: list[list[int]]) -> None:
    assert unpack(pack(np.array(levels, np.int8))).tolist() == levels


def test_the_table_is_small_and_shows_no_words() -> None:
    assert embeddings._TABLE.stat().st_size < 5_000_000
    assert (embeddings._TABLE.parent / "NOTICE").is_file()
    assert repr(table()) == f"Embeddings(entries={len(table().rows)}, dimensions={dimensions()})"
    assert np.all(np.isfinite(table().vectors))
    assert all(entry.isascii() for entry in table().rows)
