"""What lists and runs of capitals say of a word, and the second look at what a model says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.learners.model_arrays import arrays, restore
from withhold.learners.name_features import layers, runs
from withhold.learners.second_look import COLUMNS, DEPTH, FEWEST, UNSURE, Trees, Twice, learn, views
from withhold.learners.sensitive import Plane, show
from withhold.learners.tokens import cut
from withhold.learners.word_features import Vocabulary, rows


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("then Ada Byron wrote", ["Ada Byron"]),
        ("J. S. Bach and Ki-choo.", ["J . S . Bach", "Ki - choo"]),
        ("Hassan al-Turabi, Ludwig van der Beethoven", ["Hassan al - Turabi", "Ludwig van der Beethoven"]),
        ("a 12-year-old de facto\nAda\nByron", ["Ada", "Byron"]),
        ("Mr. Marsh", ["Mr", "Marsh"]),
        ("", []),
    ],
)
def test_runs_of_capitals(text: str, found: list[str]) -> None:
    tokens = cut(text)
    run = runs(tokens)
    said = [" ".join(np.array(tokens.forms)[run == number]) for number in range(run.max(initial=-1) + 1)]
    assert said == found


def test_features_of_a_name() -> None:
    tokens = cut("Judge Anna Villiger spoke. VILLIGER left.")
    anna, villiger, again = (list(rows(layers(tokens)))[place] for place in (1, 2, 5))
    assert "k0" in anna
    assert "k0" not in villiger
    assert {"rl=3", "ra=spoke", "ra0=spoke", "varied"} <= set(villiger)
    assert {"rl=1", "rb=.", "ra=left", "varied"} <= set(again)


@given(st.text(st.sampled_from("aB1 .-'\n\u200bé王"), max_size=40))
def test_every_text_has_features_and_views(text: str) -> None:
    shown = show(cut(text))
    if len(shown):
        assert all(len(layer.rows) == len(shown) for layer in shown.layers)
        assert all(layer.rows.max() < len(layer.bags) for layer in shown.layers)
    seen = views(shown, np.zeros(len(shown)))
    assert seen.shape == (len(shown), COLUMNS)
    assert np.isfinite(seen).all()


def test_what_is_sure_of_one_speaks_for_the_others() -> None:
    tokens = cut("Anna Falk left. then Falk said anna")
    hidden = np.zeros(len(tokens), bool)
    hidden[0] = True
    seen = views(show(tokens, hidden), np.array([-9.0, 2.0, -1, -1, -1, -2.0, -1, -1]))
    # Its own score, the highest of run and equals, that of equals, of its run, and of the one before in the run.
    assert seen[1, :5].tolist() == [2, 20, 2, 20, 20]
    assert seen[5, :5].tolist() == [-2, 2, 2, -2, -20]
    assert seen[7, :5].tolist() == [-1, -1, -1, -20, -20]


def rows_of(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    seen = chance.normal(size=(count, COLUMNS))
    seen[:, 1] = np.maximum(seen[:, 0], seen[:, 2])
    odds = 2 * seen[:, 0] + 3 * (seen[:, 4] > 0.5) * (seen[:, 2] > 0) - 2
    return seen, chance.random(count) < 1 / (1 + np.exp(-odds))


def loss(odds: np.ndarray, truth: np.ndarray) -> float:
    return float(np.log1p(np.exp(np.where(truth, -odds, odds))).mean())


def test_trees_are_about_as_good_as_those_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    (seen, truth), (others, there) = rows_of(2_000, 0), rows_of(2_000, 1)
    trees = learn(seen, truth)
    assert trees is not None
    looked = trees.scores(others) > UNSURE / 2
    assert looked.mean() > 0.99
    peer = HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=8, min_samples_leaf=20, early_stopping=False)
    theirs = peer.fit(seen, truth).decision_function(others)
    assert loss(trees.scores(others)[looked], there[looked]) < 1.05 * loss(theirs[looked], there[looked])


def test_of_many_words_the_likeliest_are_looked_at_again() -> None:
    seen, _ = rows_of(12_000, 2)
    truth = np.zeros(len(seen), bool)
    truth[np.argsort(-seen[:, 0])[:: FEWEST // 2][:200]] = True
    trees = learn(seen, truth)
    assert trees is not None
    said = trees.scores(seen)
    assert 4_900 < (said > UNSURE / 2).sum() <= 5_000
    # The rest is in the order of the first look.
    rest = said < UNSURE / 2
    assert (np.argsort(said[rest]) == np.argsort(seen[rest, 0])).all()


@pytest.mark.parametrize("named", [0, FEWEST - 1, 300])
def test_there_must_be_enough_of_both(named: int) -> None:
    seen, _ = rows_of(300, 3)
    assert learn(seen, np.arange(300) < named) is None


def twice() -> Twice:
    trees = Trees(np.zeros((2, DEPTH), np.int32), np.zeros((2, DEPTH)), np.ones((2, 1 << DEPTH)), 0.5, -3.0)
    return Twice(Plane(Vocabulary(("any",)), np.array([1.0]), 0.25), trees)


def test_a_second_look_survives_being_stored() -> None:
    shown = show(cut("Anna Falk left."))
    again = restore(arrays(twice()))
    np.testing.assert_array_equal(again.scores(shown), twice().scores(shown))
    assert again.scores(shown).tolist() == [2.5] * 4


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("1.columns", np.full((2, DEPTH), COLUMNS, np.int32)),
        ("1.columns", np.full((2, DEPTH), -1, np.int32)),
        ("1.columns", np.zeros(2, np.int32)),
        ("1.borders", np.full((2, DEPTH), np.nan)),
        ("1.values", np.ones((2, 3))),
        ("1.edges", np.zeros(3)),
    ],
)
def test_trees_that_make_no_sense_are_refused(name: str, wrong: np.ndarray) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        restore({**arrays(twice()), name: wrong})
