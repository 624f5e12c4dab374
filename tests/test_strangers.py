"""What readers go by who have learnt from other documents, and what is foreseen of plans from that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import nbinom

from withhold.learners.naive_bayes import NaiveBayes, Without
from withhold.learners.strangers import logarithms
from withhold.planners.aims import CARE, best, decide
from withhold.planners.odds import LEARNT, Foresight, Learnt, Odds, learnt, recognised
from withhold.planners.problem import Problem
from withhold.planners.search import improved
from withhold.types import Choices, Scores


@settings(max_examples=100, deadline=None)
@given(
    shape=st.floats(0.001, 300.0),
    chance=st.floats(0.05, 0.5),
    burst=st.floats(0.0, 2.0),
    added=st.sampled_from([0.1, 1.0]),
)
def test_logarithms_are_those_of_a_negative_binomial_number(
    shape: float, chance: float, burst: float, added: float
) -> None:
    outcomes = np.arange(4000)
    shares = nbinom.pmf(outcomes, shape, 1.0 - chance)
    values = np.log(outcomes + added) + burst * (outcomes > 0)
    mean = shares @ values
    spread = np.sqrt(shares @ (values - mean) ** 2)
    found, unsure = logarithms(np.array([[shape]]), np.array([[chance]]), np.array([burst]), added)
    close = 1e-4 if shape * chance / (1.0 - chance) < 24 else 0.02
    assert found[0, 0] == pytest.approx(mean, abs=close)
    assert unsure[0, 0] == pytest.approx(spread, abs=close)


def model(presences: list[list[int]], documents: list[int]) -> NaiveBayes:
    """Three words a row, a class a column; every word stands twice where it stands."""
    matrix = csr_matrix(np.array(presences))
    return NaiveBayes([str(number) for number in range(len(documents))], documents, 2 * matrix, presences=matrix)


def test_a_document_that_was_learnt_is_taken_out() -> None:
    whole = model([[5, 2, 1], [1, 0, 3], [4, 4, 4]], [10, 10, 10])
    less = model([[4, 2, 1], [0, 0, 3], [4, 4, 4]], [10, 10, 10])
    without = Without(0, np.array([2.0, 2.0, 0.0]), 4.0)
    for ours, theirs in zip(
        whole.elsewhere([0, 1, 2], without, 0),
        less.elsewhere([0, 1, 2], None, 0),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs)


def test_what_was_met_often_is_sure_and_what_was_not_is_not() -> None:
    often, seldom = (model([[count, count], [9, 9], [9, 9]], [1000, 1000]) for count in (900, 1))
    assert often.elsewhere([0], None, 0)[1].max() < 0.1 < 0.7 < seldom.elsewhere([0], None, 0)[1].min()


def test_a_word_nobody_met_speaks_for_the_class_of_the_document_that_has_it() -> None:
    ours = model([[3, 3], [2, 2], [1, 1]], [10, 10])
    weights, spread = ours.elsewhere([-1], None, 1)
    assert weights[1, 0] > weights[0, 0]
    assert spread[1, 0] > spread[0, 0] > 0
    own = ours.weights([-1])
    assert own[0, 0] == own[1, 0]


def choices(**more: object) -> Choices:
    """Four words: two tell the first class of the secret, one tells the kept class, one tells nothing."""
    random = np.random.default_rng(0)
    weights = random.normal(0.0, 0.05, (6, 4))
    weights[0, :2] += 3.0
    own = Scores(weights, np.zeros(6), (0,))
    stranger = replace(own, spread=np.full((6, 4), 0.3))
    kept = np.zeros((3, 4))
    kept[0, 2] = 4.0
    keep = Scores(kept, np.zeros(3), (0,))
    given = {"confusers": 2, "families": (0, 0, 0, 1, 1, 2), "seed": 1, **more}
    return Choices(((),) * 4, (own, stranger, own), (keep,), **given)  # type: ignore[arg-type]


def test_what_tells_more_is_found_and_recognised_more_often() -> None:
    asked = choices()
    problem = Problem.of(asked, np.ones(4))
    odds = Odds.of(problem, asked, np.random.default_rng(0))
    assert odds is not None
    kept = np.array([[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    found, told = odds.found(kept), recognised(problem, kept)
    assert (np.diff(found[:3]) < 0).all()
    assert told[3] < told[2]
    assert ((found > 0) & (found < 1) & (told > 0) & (told < 1)).all()


def test_without_a_reader_who_is_unsure_nothing_is_foreseen() -> None:
    asked = choices()
    sure = replace(asked, secret=(asked.secret[0], asked.secret[2]))
    assert Odds.of(Problem.of(sure, np.ones(4)), sure, np.random.default_rng(0)) is None
    assert decide(sure, np.ones(4)).status == "confusable"


def test_a_plan_is_never_worth_less_than_it_was() -> None:
    asked, random = choices(), np.random.default_rng(3)
    general = ((0, "thing"), (1, "matter"), (1, "subject"))
    problem = Problem.of(replace(asked, general=general), np.array([2.0, 3, 1, 4]))
    for _ in range(50):
        wanted, forbidden = random.normal(size=(2, 7))
        start = np.minimum(random.integers(0, 2, 7), [1, 1, 1, 1, 0, 0, 0]).astype(float)

        def worth(kept: np.ndarray, wanted: np.ndarray = wanted) -> np.ndarray:
            return -((kept - wanted) ** 2).sum(axis=1)

        def allowed(kept: np.ndarray, forbidden: np.ndarray = forbidden) -> bool:
            return float(kept @ forbidden) <= 2.0

        kept = improved(problem, start, worth, allowed)
        assert worth(kept[None])[0] >= worth(start[None])[0]
        assert (kept == start).all() or allowed(kept)
        assert (kept >= 0).all()
        assert (problem.room(kept) >= 0).all()


def test_where_words_do_not_hang_together_the_best_plan_is_found() -> None:
    random = np.random.default_rng(4)
    weights = random.normal(size=(6, 90))
    own = Scores(weights, np.zeros(6), (0,))
    counts = random.integers(1, 5, 90).astype(float)
    problem = Problem.of(Choices(((),) * 90, (own,)), counts)
    prices = random.normal(size=90)
    kept = improved(problem, np.zeros(90), lambda plans: plans @ prices, lambda _: True)
    assert kept.tolist() == np.where(prices > 0, counts, 0.0).tolist()


def test_the_best_plan_keeps_what_tells_nothing_and_stays_confusable() -> None:
    asked, counts = choices(), np.ones(4)
    problem = Problem.of(asked, counts)
    decision = decide(asked, counts)
    assert decision.status == "confusable"
    assert problem.is_confusable(decision.kept)
    assert decision.kept.tolist() == [0.0, 0.0, 1.0, 1.0]
    assert decide(asked, counts).kept.tolist() == decision.kept.tolist()


def test_readers_of_whom_nothing_is_foreseen_stay_deceived() -> None:
    """The last word tells the class to those who learnt from redactions, and to nobody else."""
    found = np.zeros((6, 4))
    found[0, 3] = 1.0
    own, stranger, _ = choices().secret
    asked = replace(choices(), secret=(own, stranger, own, own, Scores(found, np.zeros(6), (0,))))
    problem = Problem.of(asked, np.ones(4))
    best_for = [best(problem, asked, np.array([plan]), CARE).tolist() for plan in ([0.0, 0, 1, 0], [0.0, 0, 1, 1])]
    assert best_for == [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]


def test_nothing_more_is_foreseen_beyond_what_was_met() -> None:
    foresight = Foresight((0.0, -1.0), (1.0, 1.0), ((0.5, 1.0, -2.0, 0.3, 0.2, -0.1),))
    inside, beyond = foresight.chances(np.array([[1.0, -1.0]])), foresight.chances(np.array([[9.0, -7.0]]))
    assert inside.tolist() == beyond.tolist()
    assert inside[0, 0] == pytest.approx(1 / (1 + np.exp(-(0.5 + 1 + 2 + 0.3 - 0.2 - 0.1))))
    assert Learnt.from_bytes(LEARNT.read_bytes()) == learnt()


@pytest.mark.parametrize(("secrecy", "least", "most"), [(0.0, 2, 4), (9.0, 0, 2)])
def test_the_dearer_secrecy_is_the_less_stays(secrecy: float, least: int, most: int) -> None:
    kept = decide(choices(confusers=1), np.ones(4), care=replace(CARE, secrecy=secrecy, words=1.0)).kept.sum()
    assert least <= kept <= most
