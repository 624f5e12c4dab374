"""What a word is worth: every measure, against its formula written out in loops."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from withhold.planners.objectives import frequency, information, log_odds, odds_ratio, telling, worth
from withhold.types import Scores

Reals = NDArray[np.float64]

OBJECTIVES = ["balanced", "constant", "log_odds", "odds_ratio", "frequency", "information"]


@st.composite
def models(draw: st.DrawFn) -> tuple[Reals, Reals, int]:
    """Log-probabilities of words by class, priors, and the class that is true."""
    classes, words = draw(st.integers(2, 6)), draw(st.integers(1, 8))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weights = np.log(random.dirichlet(np.full(words + 1, 0.5), classes) + 1e-9)[:, :words]
    return weights, random.dirichlet(np.ones(classes)), draw(st.integers(0, classes - 1))


def others(prior: Reals, true: int) -> list[int]:
    return [c for c in range(len(prior)) if c != true]


def outside(weights: Reals, prior: Reals, true: int, word: int) -> float:
    """The probability of a word in a text of any other class."""
    rest = others(prior, true)
    return sum(prior[c] * exp(weights[c, word]) for c in rest) / sum(prior[c] for c in rest)


@given(models())
def test_log_odds_is_one_against_all_with_weights_that_balance(model: tuple[Reals, Reals, int]) -> None:
    weights, prior, true = model
    expected = [
        (1 - prior[true]) * weights[true, word] - sum(prior[c] * weights[c, word] for c in others(prior, true))
        for word in range(weights.shape[1])
    ]
    assert log_odds(*model) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(models())
def test_odds_ratio(model: tuple[Reals, Reals, int]) -> None:
    weights, _, true = model
    for word, found in enumerate(odds_ratio(*model)):
        here, elsewhere = exp(weights[true, word]), outside(*model, word)
        assert found == pytest.approx(log(here / (1 - here) * (1 - elsewhere) / elsewhere), rel=1e-6, abs=1e-6)


@given(models())
def test_frequency(model: tuple[Reals, Reals, int]) -> None:
    weights, prior, true = model
    for word, found in enumerate(frequency(*model)):
        everywhere = sum(prior[c] * exp(weights[c, word]) for c in range(len(prior)))
        expected = everywhere * log(exp(weights[true, word]) / outside(*model, word))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(models())
def test_information_is_what_entropy_falls_by(model: tuple[Reals, Reals, int]) -> None:
    weights, prior, _ = model

    def entropy(shares: list[float]) -> float:
        return -sum(share * log(share) for share in shares if share > 0)

    for word, found in enumerate(information(*model)):
        met = [float(prior[c]) * exp(weights[c, word]) for c in range(len(prior))]
        missed = [float(prior[c]) - met[c] for c in range(len(prior))]
        left = sum(sum(side) * entropy([each / sum(side) for each in side]) for side in (met, missed))
        assert found == pytest.approx(entropy(list(map(float, prior))) - left, rel=1e-6, abs=1e-9)
        assert found >= -1e-12


@given(models(), st.sampled_from(OBJECTIVES))
def test_words_are_worth_about_one_whatever_the_objective(model: tuple[Reals, Reals, int], objective: str) -> None:
    weights, prior, true = model
    keep = [Scores(weights, np.log(prior), (true,))]
    value = worth(objective, keep, weights.shape[1])
    size = float(np.abs(value).mean())
    tells_nothing = objective in OBJECTIVES[2:] and size < 1e-6
    assert tells_nothing or size == pytest.approx(1.0, abs=0.25)
    if objective == "constant":
        assert value == pytest.approx(1.0, abs=1e-3)


@given(models())
def test_what_several_kept_classes_tell_is_averaged(model: tuple[Reals, Reals, int]) -> None:
    weights, prior, true = model
    other = others(prior, true)[0]
    both = telling([Scores(weights, np.log(prior), (true, other))], weights.shape[1])
    assert both == pytest.approx((log_odds(weights, prior, true) + log_odds(weights, prior, other)) / 2)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("weights", "bias"),
    [
        (np.zeros((2, 0)), np.zeros(2)),  # no words
        (np.log([[0.5, 0.5]]), np.zeros(1)),  # one class
        (np.zeros((2, 1)), np.zeros(2)),  # a word that is certain
        (np.full((3, 2), -900.0), np.array([0.0, -900.0, 0.0])),  # words and a class that are next to impossible
    ],
)
def test_no_model_is_too_odd(objective: str, weights: Reals, bias: Reals) -> None:
    value = worth(objective, [Scores(weights, bias, (0,))], weights.shape[1])
    assert value.shape == weights.shape[1:]
    assert np.isfinite(value).all()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_with_nothing_to_keep_all_words_are_worth_the_same(objective: str) -> None:
    assert len(set(worth(objective, [], 3).tolist())) == 1
