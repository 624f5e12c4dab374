"""Features: the same ones however they are counted, and each leads back to the text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold.errors import MalformedData
from withhold.learners.features import Features, fingerprint, is_feature, words
from withhold.learners.stopwords import STOPWORDS

TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            ["Acme", "the", "steel-works", "Zürich", "42", "x", "_", ".", "-\n", "—", "%41cme", "Ⓐ", "acme"]
        ),
        max_size=20,
    ).map(" ".join),
    st.text(alphabet="abcé-_., \n\x00\x01%4Ωﬁ漢", max_size=60),
)
FEATURES = st.builds(Features, ngrams=st.integers(1, 3), binary=st.booleans())


@given(FEATURES, TEXTS)
def test_counts_and_occurrences_agree(features: Features, text: str) -> None:
    occurrences = features.occurrences(text)
    expected = {each: 1 if features.binary else len(spans) for each, spans in occurrences.items()}
    assert features.counts(text) == expected


@settings(deadline=None)
@given(FEATURES, st.lists(TEXTS, max_size=5), st.data())
def test_vectors_and_counts_agree(features: Features, texts: list[str], data: st.DataObject) -> None:
    counts = [features.counts(text) for text in texts]
    known = sorted({each for counted in counts for each in counted})
    chosen = data.draw(st.permutations(known)) if known else []
    vocabulary = {each: column for column, each in enumerate(chosen[: len(chosen) - len(chosen) // 3])}
    matrix = features.vectorise(texts, vocabulary)
    assert matrix.shape == (len(texts), len(vocabulary))
    expected = np.array([[counted.get(each, 0) for each in vocabulary] for counted in counts])
    assert np.array_equal(matrix.toarray(), expected.reshape(matrix.shape))


@given(FEATURES, TEXTS)
def test_every_span_leads_back(features: Features, text: str) -> None:
    for feature, spans in features.occurrences(text).items():
        assert spans == sorted(spans)
        assert is_feature(feature)
        for span in spans:
            assert span
            if not set(text) & set("%\\-"):
                assert f" {feature} " in f" {' '.join(words(span.of(text)))} "


@given(TEXTS)
def test_plain_text_is_split_like_any_other(text: str) -> None:
    assert [word for word in Features(ngrams=2).candidates(text) if " " not in word and word.isalnum()] == words(text)


def test_what_is_a_word() -> None:
    text = "The ACME Steel-Works of Zürich paid 42 francs (a 7 % rise) to x; see acme_ltd."
    assert list(Features().counts(text)) == ["acme", "steel", "works", "zurich", "paid", "42", "francs", "rise", "ltd"]


def test_phrases_are_of_neighbours() -> None:
    text = "Acme steel-works, Zürich\nplant of Acme"
    phrases = [each for each in Features(ngrams=3).counts(text) if " " in each]
    assert phrases == ["acme steel", "steel works", "zurich plant", "acme steel works"]


def test_disguised_words_are_found_where_they_are() -> None:
    text = "about Аcmе\u200b and Ac-\nme"
    spans = Features().occurrences(text)["acme"]
    assert [span.of(text).strip() for span in spans] == ["Аcmе\u200b", "Ac-\nme"]


@given(TEXTS)
def test_fingerprints_are_of_words_in_order(text: str) -> None:
    assert fingerprint(text) == fingerprint("\n" + text.replace(" ", "  ") + " !")
    assert fingerprint(text) != fingerprint(text + " zebra")
    assert 0 <= fingerprint(text) < 2**64
    assert fingerprint("one two") != fingerprint("two one")


def test_stop_words_are_as_text_is_folded() -> None:
    assert 250 < len(STOPWORDS) < 500
    assert all(words(word) == [word] for word in STOPWORDS)


@pytest.mark.parametrize("ngrams", [0, -1, 6])
def test_senseless_phrases_are_refused(ngrams: int) -> None:
    with pytest.raises(ValueError, match="ngrams"):
        Features(ngrams=ngrams)
    with pytest.raises(MalformedData):
        Features.from_json({"ngrams": ngrams})
