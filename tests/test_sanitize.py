"""GreedySanitize: the loop, its two rules, and the sieve that it makes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.marked_notes import notes
from withhold import Document, Policy
from withhold.detectors.fitted import FittedDetector
from withhold.errors import MalformedData, NotFitted, OutputError
from withhold.fit.annotated import Annotated
from withhold.fit.greedy import Costs, cheapest, fit_sieve, make_sieve, sanitize
from withhold.learners.name_features import runs as rows
from withhold.learners.sieve import _DAMAGE, DESCRIPTION, NEVER, Sieve, Step, _models, between, called, hide, runs, tops
from withhold.learners.tokens import cut
from withhold.policy import Detection


def test_equal_words_with_a_capital_go_together() -> None:
    tokens = cut("Falk met a falk. Falk and A saw A Graf")
    scores = np.array([2.0, -1, -1, -1, -1, -1, -1, 3.0, -1, -1, 0.5])
    hidden = np.zeros(len(tokens), bool)
    assert [tokens.forms[n] for n in np.flatnonzero(called(tokens, hidden, scores, Step("svm", 0.0)))] == [
        "Falk",
        "A",
        "Graf",
    ]
    echoed = called(tokens, hidden, scores, Step("svm", 0.0, 1.0))
    assert np.flatnonzero(echoed).tolist() == [0, 5, 7, 10]
    hidden[0] = True
    assert np.flatnonzero(called(tokens, hidden, scores, Step("svm", 0.0, 1.0))).tolist() == [7, 10]


words = st.lists(st.tuples(st.floats(-3, 3), st.floats(0, 3), st.booleans()), min_size=1, max_size=40)


@given(words, st.floats(0.1, 200))
def test_no_thresholds_on_the_grid_cost_less(said: list[tuple[float, float, bool]], dear: float) -> None:
    scores = np.array([score for score, _, _ in said])
    highest, sensitive = scores + [more for _, more, _ in said], np.array([flag for _, _, flag in said])
    step = cheapest("svm", scores, highest, sensitive, dear)
    hides = (scores > step.threshold) | (highest > step.echo)
    assert (step.caught, step.spoilt) == ((hides & sensitive).sum(), (hides & ~sensitive).sum())
    edges = scores[sensitive] - 1e-9
    for at in edges:
        for echo in (*edges, NEVER):
            other = (scores > at) | (highest > echo)
            gain = dear * (other & sensitive).sum() - (other & ~sensitive).sum()
            assert gain <= dear * step.caught - step.spoilt + 1e-6


def test_a_name_is_not_hidden_in_part() -> None:
    """What stands between two of its words goes with them, and nothing beyond them, or across the end of a line."""
    tokens = cut("of Natural Gas Reliability Advisory Group today\nGroup met Jan van Ruysdael")
    scores = np.array([-1.0, -1, 1, -1, -1, 1, -1, -1, -1, 1, -1, 1])
    hides = called(tokens, np.zeros(len(tokens), bool), scores, Step("svm", 0.0, fills=True))
    assert [tokens.forms[n] for n in np.flatnonzero(hides)] == [
        *("Gas", "Reliability", "Advisory", "Group"),
        *("Jan", "van", "Ruysdael"),
    ]
    assert called(tokens, np.zeros(len(tokens), bool), scores, Step("svm", 0.0)).sum() == 4


@given(st.lists(st.sampled_from(["Ann", "van", "-", "saw", ".", "A", "Bo\n"]), max_size=12), st.data())
def test_what_stands_between_is_in_the_same_row(forms: list[str], data: st.DataObject) -> None:
    tokens = cut(" ".join(forms))
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens))), bool)
    row, found = rows(tokens), between(tokens, hidden)
    for n in range(len(tokens)):
        sides = [[m for m in part if hidden[m] and row[m] == row[n] >= 0] for part in (range(n), range(n, len(tokens)))]
        assert found[n] == (hidden[n] or all(sides))
    assert (between(tokens, found) == found).all()


@given(st.lists(st.booleans(), max_size=30))
def test_runs_are_the_flags(flags: list[bool]) -> None:
    found = [place for first, last in runs(np.array(flags, bool)) for place in range(first, last + 1)]
    assert found == [place for place, flag in enumerate(flags) if flag]


def test_tops_are_of_the_same_text_only() -> None:
    tokens = cut("Falk x Falk")
    np.testing.assert_array_equal(tops(tokens, np.zeros(3, bool), np.array([1.0, 9.0, 2.0])), [2.0, -NEVER, 2.0])
    assert len(tops(cut(""), np.zeros(0, bool), np.zeros(0))) == 0


@pytest.mark.parametrize("rule", ["cost", "paper"])
def test_the_loop_ends_at_a_local_optimum(rule: str) -> None:
    """Every step gained by its own rule, and what is hidden only grows: T falls at each step."""
    sieve = make_sieve(notes(10), costs=Costs(10, 1), rule=rule, folds=2)  # type: ignore[arg-type]
    about = sieve.description
    assert about.iterations == len(about.steps) + 1
    assert all(10 * step.caught > step.spoilt for step in about.steps)
    assert sum(step.caught for step in about.steps) == about.sensitive - round(about.residual_share * about.sensitive)
    assert about.residual_range[0] <= about.residual_share <= about.residual_range[1]
    assert about.kept > 0.8


@pytest.mark.slow
def test_more_loss_leaves_less() -> None:
    shares = []
    for loss in (0.2, 500.0):
        sieve, left, total = make_sieve(notes(10), costs=Costs(loss), folds=2), 0, 0
        for each in notes(8, seed=9):
            tokens = cut(each.text)
            hidden = sieve.hide(tokens)
            named = [place for mention in each.mentions for place in tokens.covered(mention.span)]
            left, total = left + sum(not hidden[place] for place in named), total + len(named)
        shares.append(left / total)
    assert shares[0] >= shares[1]
    assert shares[1] < 0.02


def test_the_published_rule_takes_the_most_gaining_learner_and_judges_itself() -> None:
    given_ = notes(8)
    texts = [cut(each.text) for each in given_]
    flags = [np.zeros(len(text), bool) for text in texts]
    for each, text, flag in zip(given_, texts, flags, strict=True):
        for mention in each.mentions:
            flag[list(text.covered(mention.span))] = True
    done = sanitize(texts, flags, [], costs=Costs(10), learners=("svm", "adaboost"), rule="paper")
    assert done.steps
    assert all(step.threshold == 0 and step.echo == NEVER for step in done.steps)
    # The models, used in turn, hide exactly what the loop hid.
    for text, hidden in zip(texts, done.hidden, strict=True):
        np.testing.assert_array_equal(hide(text, done.models, done.steps), hidden)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sieve")
    data = place / "notes.jsonl"
    data.write_text(
        "".join(
            json.dumps(
                {
                    "text": each.text,
                    "spans": [
                        {"start": mention.span.start, "end": mention.span.end, "label": mention.label}
                        for mention in each.mentions
                    ],
                }
            )
            + "\n"
            for each in notes(8)
        )
    )
    fit_sieve([data], place / "model", costs=Costs(20), folds=2)
    return place


def test_a_sieve_is_a_detector(folder: Path) -> None:
    policy = Policy(detection=Detection(fitted=str(folder / "model")))
    text = "Mr Otto Marsh signed the Lease . It was read by Otto in the hall ."
    found = FittedDetector.from_policy(policy).detect(Document(text, b"", "txt", ()))
    assert "Otto Marsh" in {each.span.of(text) for each in found}
    assert {each.label for each in found} == {"PERSON"}
    assert all(each.score == 1 for each in found)


def test_a_saved_sieve_is_the_same(folder: Path, tmp_path: Path) -> None:
    once = Sieve.load(folder / "model")
    once.save(tmp_path / "again")
    twice = Sieve.load(tmp_path / "again")
    text = notes(1, seed=5)[0].text
    assert once.spots(text) == twice.spots(text) != []
    assert once.description == twice.description
    with pytest.raises(OutputError):
        once.save(tmp_path / "again")
    once.save(tmp_path / "again", overwrite=True)
    (tmp_path / "again" / "detector.json").write_text("{}")
    with pytest.raises(OutputError, match="another sort"):
        once.save(tmp_path / "again", overwrite=True)


def test_damage_is_refused(folder: Path, tmp_path: Path) -> None:
    sieve = Sieve.load(folder / "model")
    with pytest.raises(NotFitted):
        Sieve.load(tmp_path)
    sieve.save(tmp_path / "model")
    arrays = next((tmp_path / "model").glob("arrays-*.npz"))
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:-9] + b"x" * 9)
    with pytest.raises(MalformedData, match="damaged"):
        Sieve.load(tmp_path / "model")
    arrays.write_bytes(whole)
    about = tmp_path / "model" / DESCRIPTION
    about.write_text(about.read_text().replace('"rule"', '"ruler"'))
    with pytest.raises(MalformedData):
        Sieve.load(tmp_path / "model")


@given(st.binary(max_size=200))
@settings(max_examples=30)
def test_hostile_arrays_are_refused(data: bytes) -> None:

    with pytest.raises((*_DAMAGE, zipfile.BadZipFile)):
        _models(data, 2)


def test_it_needs_something_to_learn() -> None:
    with pytest.raises(NotFitted, match="two documents"):
        make_sieve(notes(1), folds=4)
    with pytest.raises(NotFitted):
        make_sieve([Annotated("empty", "nothing here", ())])
    with pytest.raises(ValueError, match="learners"):
        make_sieve(notes(2), learners=("oracle",))
