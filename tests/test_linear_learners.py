"""Attackers that read words, and neighbours: against scikit-learn, on clean text, saved, and on nothing at all."""

from __future__ import annotations

import warnings
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.svm import LinearSVC

from withhold.learners import linear
from withhold.learners.intervals import wilson
from withhold.learners.linear import ABSENT, Centroid, ComplementBayes, Linear, Multinomial, TfIdf
from withhold.learners.neighbours import Neighbours

KINDS = [
    linear.Multinomial,
    linear.ComplementBayes,
    linear.Centroid,
    linear.LogisticRegression,
    linear.LinearSVM,
]

COUNTS = arrays(np.int64, (9, 5), elements=st.integers(0, 4))


def sample(classes: int = 4, documents: int = 120, words: int = 60) -> tuple[csr_matrix, np.ndarray]:
    """Counts in which each class prefers some of the words."""
    generator = np.random.default_rng(3)
    y = generator.integers(0, classes, documents)
    rates = generator.gamma(0.3, 1.0, (classes, words)) * 0.5
    return csr_matrix(generator.poisson(rates[y]).astype(np.float64)), y


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_weighting_is_that_of_scikit_learn(counts: np.ndarray) -> None:
    rows = csr_matrix(counts.astype(np.float64))
    expected = TfidfTransformer(sublinear_tf=True).fit_transform(rows)
    assert np.allclose(TfIdf.fit(rows).transform(rows).toarray(), expected.toarray())


def test_stored_zeros_are_no_words() -> None:
    stored = csr_matrix((np.array([0.0, 2.0]), (np.array([0, 0]), np.array([0, 1]))), shape=(1, 2))
    assert TfIdf.fit(stored).transform(stored).toarray().tolist() == [[0.0, 1.0]]


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from([0.1, 1.0]))
def test_naive_bayes_is_that_of_scikit_learn(counts: np.ndarray, alpha: float) -> None:
    rows, y = csr_matrix(counts.astype(np.float64)), np.arange(9) % 3
    oracle = MultinomialNB(alpha=alpha).fit(rows, y)
    expected = rows @ oracle.feature_log_prob_.T + oracle.class_log_prior_
    assert np.allclose(Multinomial(alpha).fit(rows, y, 3).scores(rows), expected, atol=1e-4)


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from([0.1, 1.0]))
def test_complement_bayes_is_that_of_scikit_learn(counts: np.ndarray, alpha: float) -> None:
    rows, y = csr_matrix(counts.astype(np.float64)), np.arange(9) % 3
    oracle = ComplementNB(alpha=alpha, norm=True).fit(rows, y)
    expected = rows @ oracle.feature_log_prob_.T
    assert np.allclose(ComplementBayes(alpha).fit(rows, y, 3).scores(rows), expected, atol=1e-5)


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_centroids_are_cosines(counts: np.ndarray) -> None:
    rows, y = csr_matrix(counts.astype(np.float64)), np.arange(9) % 3
    unit = TfIdf.fit(rows).transform(rows).toarray()
    scores = Centroid().fit(rows, y, 3).scores(rows)
    for document in range(9):
        for each in range(3):
            mean = unit[y == each].mean(axis=0)
            lengths = np.linalg.norm(mean) * np.linalg.norm(unit[document])
            cosine = unit[document] @ mean / lengths if lengths else 0.0
            assert scores[document, each] == pytest.approx(cosine, abs=1e-5)


@pytest.mark.parametrize("classes", [2, 4])
def test_logistic_regression_and_svm_are_those_of_scikit_learn(classes: int) -> None:
    rows, y = sample(classes)
    unit = TfIdf.fit(rows).transform(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        regression = LogisticRegression(C=20, solver="saga", max_iter=2000, tol=1e-6).fit(unit, y)
        planes = LinearSVC(C=0.3, max_iter=5000, tol=1e-6).fit(unit, y)
    for ours, theirs in [(linear.LogisticRegression(), regression), (linear.LinearSVM(), planes)]:
        guesses = ours.fit(rows, y, classes).scores(rows).argmax(axis=1)
        assert np.mean(guesses == theirs.predict(unit)) > 0.98


@pytest.mark.parametrize("kind", KINDS)
def test_attackers_find_the_class_of_new_documents(kind: type[Linear]) -> None:
    rows, y = sample()
    fitted = kind().fit(rows[:80], y[:80], 4)
    assert np.mean(fitted.scores(rows[80:]).argmax(axis=1) == y[80:]) > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_classes_without_documents_come_last(kind: type[Linear]) -> None:
    rows, y = sample()
    scores = kind().fit(rows, y * 2, 9).scores(rows)
    absent = [1, 3, 5, 7, 8]
    assert np.all(np.isfinite(scores))
    assert scores[:, absent].max() < scores[:, [0, 2, 4, 6]].min()
    assert np.mean(scores.argmax(axis=1) == y * 2) > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_is_always_guessed(kind: type[Linear]) -> None:
    rows, y = sample()
    assert set(kind().fit(rows, np.full_like(y, 2), 4).scores(rows).argmax(axis=1)) == {2}


@pytest.mark.parametrize("kind", KINDS)
def test_empty_documents_are_guessed_by_the_size_of_classes(kind: type[Linear]) -> None:
    rows, y = sample()
    y = np.where(y == 3, 1, y)
    padded = csr_matrix(np.vstack([rows.toarray(), np.zeros((2, 60))]))
    scores = kind().fit(padded, np.append(y, [1, 1]), 4).scores(csr_matrix((2, 60)))
    assert np.all(np.isfinite(scores))
    assert scores.argmax(axis=1).tolist() == [1, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_linear_attackers_are_restored_as_they_were(kind: type[Linear]) -> None:
    rows, y = sample()
    fitted = kind().fit(rows, y, 5)
    again = kind().restore(fitted.arrays(), 5, 60)
    assert np.array_equal(again.scores(rows), fitted.scores(rows))
    for classes, words in [(4, 60), (5, 61)]:
        with pytest.raises((ValueError, KeyError)):
            kind().restore(fitted.arrays(), classes, words)
    hostile = {**fitted.arrays(), "bias": np.full(5, np.nan)}
    with pytest.raises(ValueError, match="saved"):
        kind().restore(hostile, 5, 60)


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        Multinomial().fit(csr_matrix((0, 3)), np.zeros(0, np.int64), 2)
    with pytest.raises(ValueError, match="nothing to learn"):
        Neighbours().fit(np.zeros((0, 3), np.float32), np.zeros(0, np.int64), 2)


def clouds(documents: int = 200, classes: int = 5, noise: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(5)
    y = generator.integers(0, classes, documents)
    vectors = generator.normal(size=(classes, 16))[y] + generator.normal(size=(documents, 16)) * noise
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32), y


def test_neighbours_vote_as_they_say() -> None:
    vectors, y = clouds(noise=2.0)
    fitted = Neighbours(7, 0.2).fit(vectors, y, 5)
    kept = fitted.arrays()["vectors"].astype(np.float64)
    kept /= np.linalg.norm(kept, axis=1, keepdims=True)
    centred = vectors - vectors.mean(axis=0)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    assert np.sum(kept * unit[np.argsort(y, kind="stable")], axis=1).min() > 0.999
    expected = np.zeros((20, 5))
    for row, cosines in enumerate(unit[:20] @ kept.T):
        nearest = np.argsort(-cosines)[:7]
        weights = np.exp((cosines[nearest] - cosines[nearest].max()) / 0.2)
        np.add.at(expected[row], np.sort(y)[nearest], weights / weights.sum())
    assert np.allclose(fitted.scores(vectors[:20]), expected, atol=1e-4)


def test_neighbours_find_the_class_of_new_documents_in_blocks_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, y = clouds()
    fitted = Neighbours().fit(vectors[:150], y[:150], 6)
    whole = fitted.scores(vectors[150:])
    monkeypatch.setattr("withhold.learners.neighbours._BLOCK", 400)
    assert np.allclose(fitted.scores(vectors[150:]), whole, atol=1e-6)
    assert np.mean(whole.argmax(axis=1) == y[150:]) > 0.9
    assert np.all(whole[:, 5] == ABSENT)


def test_neighbours_without_meaning_are_guessed_by_the_size_of_classes() -> None:
    vectors, y = clouds()
    y = np.where(y == 4, 2, y)
    scores = Neighbours().fit(vectors, y, 5).scores(np.zeros((1, 16), np.float32))
    assert scores[0, :4].tolist() == (np.bincount(y) / len(y)).tolist()


def test_neighbours_are_restored_as_they_were() -> None:
    vectors, y = clouds()
    fitted = Neighbours().fit(vectors, y, 5)
    again = Neighbours().restore(fitted.arrays(), 5, 16)
    assert np.array_equal(again.scores(vectors), fitted.scores(vectors))
    for hostile in [{"y": fitted.y[::-1]}, {"y": fitted.y - 1}, {"mean": fitted.mean[:3]}, {"vectors": fitted.mean}]:
        with pytest.raises(ValueError, match="saved"):
            Neighbours().restore({**fitted.arrays(), **hostile}, 5, 16)


@given(st.integers(1, 400).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_the_interval_holds_the_shares_the_score_test_accepts(counted: tuple[int, int]) -> None:
    successes, trials = counted
    low, high = wilson(successes, trials)
    share = successes / trials
    assert 0 <= low <= share <= high <= 1
    for end in {low, high} - {0.0, 1.0}:
        assert abs(share - end) / sqrt(end * (1 - end) / trials) == pytest.approx(1.96, abs=1e-3)


def test_the_interval_of_few_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(1, 1) == (pytest.approx(0.2065, abs=1e-4), 1.0)
    with pytest.raises(ValueError, match="successes"):
        wilson(2, 1)
