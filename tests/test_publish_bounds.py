"""The attacker who inspects what it can afford, and the theorems about what it finds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.marked_notes import notes
from withhold.cli import main
from withhold.errors import NotFitted, OutputError
from withhold.evaluation.charts import Axis
from withhold.evaluation.publish.attacker import Attack, attack
from withhold.evaluation.publish.bounds import (
    at_random,
    checked,
    error_margin,
    finite,
    in_order,
    local_optimum,
    most_found,
    most_likely,
    most_ratio,
    printed,
    size,
    worth_beginning,
)
from withhold.evaluation.publish.corpus import Corpus
from withhold.evaluation.publish.figures import draw, rows, write_figures
from withhold.evaluation.publish.protocol import BUDGETS, evaluate
from withhold.fit.annotated import Annotated, Mention
from withhold.fit.lessons import prepare
from withhold.learners.sensitive import Counts
from withhold.policy import Publishing
from withhold.spans import Span

small = st.integers(0, 60)
large = st.integers(1, 60)
ratios = st.floats(0.05, 5000)


@st.composite
def counts(draw: st.DrawFn, *, beginning: bool = False) -> Counts:
    """Of an attacker; if it is to pay to begin with what is called sensitive, enough is rightly left alone for that."""
    tp, fp, fn = draw(large), draw(st.integers(1, 400)), draw(small)
    return Counts(tp, fp, fn, draw(st.integers(0, 4000)) + 1 + (-(-fp * fn // tp) if beginning else 0))


@st.composite
def optima(draw: st.DrawFn) -> tuple[Counts, float]:
    """An attacker that it pays to begin, and costs at which the publisher is at a local optimum."""
    if draw(st.booleans()):
        return Counts(0, 0, draw(large), draw(small)), draw(ratios)
    attacker = draw(counts(beginning=True))
    return attacker, attacker.fp / attacker.tp * draw(st.floats(0.01, 1))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60), ratios)
def test_local_optimum_is_that_hiding_more_gains_nothing(said: list[tuple[bool, bool]], dear: float) -> None:
    """Theorem 2, against the total loss before and after, counted word by word."""
    called, sensitive = (np.array([each[n] for each in said], bool) for n in (0, 1))
    before = dear * sensitive.sum()
    after = dear * (sensitive & ~called).sum() + (called & ~sensitive).sum()
    difference = after - before
    assume(abs(difference) > 1e-6 or difference == 0)
    assert local_optimum(Counts.of(called, sensitive), dear) == (difference >= 0)


@given(optima(), st.integers(0, 500))
def test_an_attacker_at_a_local_optimum_finds_few(optimum: tuple[Counts, float], spoilt: int) -> None:
    """Theorem 3: whatever had been hidden wrongly before is harmless too."""
    attacker, dear = optimum
    assert local_optimum(attacker, dear * (1 - 1e-12))
    assert attacker.tp <= most_found(attacker.fp + attacker.tn + spoilt, dear) * (1 + 1e-9)


@given(optima(), st.integers(0, 500), st.floats(0.001, 1))
def test_an_attacker_with_a_large_budget_does_little_better_than_chance(
    optimum: tuple[Counts, float], spoilt: int, more: float
) -> None:
    """Theorem 4, for any budget from what is called sensitive to all that is published."""
    attacker, dear = optimum
    assert worth_beginning(attacker)
    budget = attacker.tp + attacker.fp + more * (attacker.fn + attacker.tn)
    ratio = in_order(attacker, budget) / at_random(attacker, budget)
    assert ratio <= most_ratio(attacker.fp + attacker.tn + spoilt, dear) * (1 + 1e-9)
    assert ratio >= 1 - 1e-9  # Lemma 2


def test_the_ratio_of_theorem_4_as_published_fails_where_nothing_is_called_sensitive() -> None:
    attacker, dear = Counts(0, 0, 3, 10), 100.0
    assert local_optimum(attacker, dear)
    assert worth_beginning(attacker)
    assert in_order(attacker, 5) / at_random(attacker, 5) == pytest.approx(1)
    assert (10 + 1) / (1 + dear) < 1 == most_ratio(10, dear)


@given(counts(), counts(beginning=True), st.floats(0.5, 1), st.floats(0, 0.01), st.integers(0, 500), st.floats(0, 1))
def test_what_a_sample_says_holds_for_the_attacker(
    sample: Counts, attacker: Counts, share: float, slack: float, spoilt: int, more: float
) -> None:
    """Theorems 5 and 6: the sample is at a local optimum, and its mistakes are within the margin."""
    dear = sample.fp / sample.tp * share
    mistakes, theirs = ((each.fp + each.fn) / size(each) for each in (sample, attacker))
    margin = max(0, mistakes - theirs) + slack
    bound = finite(sample, attacker, attacker.fp + attacker.tn + spoilt, dear, margin)
    if bound.found is None or bound.ratio is None:
        assert dear * (1 + sample.fn / sample.fp) * sample.tp <= margin * size(sample) * (1 + 1e-9)
        return
    assert attacker.tp <= bound.found * (1 + 1e-9)
    budget = attacker.tp + attacker.fp + more * (attacker.fn + attacker.tn)
    assert in_order(attacker, budget) / at_random(attacker, budget) <= bound.ratio * (1 + 1e-9)


def test_the_finite_bound_as_published_can_fail() -> None:
    """A sample of mostly sensitive words: its mistakes are within the margin, and the printed bound is too low."""
    sample, attacker = Counts(90, 100, 10, 10), Counts(60, 30, 80, 40)
    dear, margin = 1.0, 0.0
    assert size(sample) == size(attacker)
    assert local_optimum(sample, dear)
    assert sample.fp + sample.fn <= attacker.fp + attacker.fn + margin * size(sample)
    harmless = attacker.fp + attacker.tn
    wrong, right = (each(sample, attacker, harmless, dear, margin).found for each in (printed, finite))
    assert wrong is not None
    assert right is not None
    assert wrong < attacker.tp <= right


def test_the_margin_of_error() -> None:
    assert error_margin(150_000, 100_000, 0.05) > 1  # empty for as many features as words: nothing is promised
    assert error_margin(10**9, 10, 0.05) < 0.01
    assert error_margin(1000, 10, 0.01) > error_margin(1000, 10, 0.1)
    assert error_margin(100, 10**9, 0.05) > 1  # more features than words: a number all the same
    assert finite(Counts(1, 20, 3, 50), Counts(1, 20, 3, 50), 70, 5.0, 10.0).found is None


any_counts = st.builds(Counts, small, st.integers(0, 400), small, st.integers(0, 4000))


@given(any_counts, any_counts, ratios, st.floats(0, 2), st.integers(0, 500), st.lists(st.integers(1, 5000), max_size=4))
def test_no_theorem_is_violated_where_its_assumptions_hold(
    attacker: Counts, sample: Counts, dear: float, margin: float, spoilt: int, budgets: list[int]
) -> None:
    """As the evaluation checks them, for any counts: as mended they hold, and what does not apply is not checked."""
    budgets = [each for each in budgets if each <= size(attacker)]
    told = checked(attacker, sample, attacker.fp + attacker.tn + spoilt, dear, margin, budgets)
    for name in "23456":
        assert told[name]["holds"] is not False
        applies = all(told[name].get("assumptions", {}).values())
        assert (told[name]["holds"] is not None) <= applies
    assert told["3"]["holds"] == (True if local_optimum(attacker, dear) else None)


def test_what_does_not_apply_is_told() -> None:
    told = checked(Counts(5, 1, 2, 100), Counts(5, 1, 2, 100), 101, 10.0, 0.1)
    assert told["3"]["assumptions"] == {"local_optimum": False}
    assert told["3"]["holds"] is None
    assert told["4"]["measured"] == pytest.approx((5 / 7) / (6 / 108))
    assert told["5"]["assumptions"]["sample_local_optimum"] is False
    nothing = checked(Counts(0, 0, 3, 10), Counts(0, 0, 0, 0), 10, 100.0, 0.1)
    assert nothing["4"]["holds"] is True
    assert nothing["4"]["printed"]["holds"] is False


@given(st.integers(0, 40), st.integers(1, 40), st.floats(0.001, 0.2))
def test_few_finds_are_as_seldom_as_is_said(found: int, more: int, doubt: float) -> None:
    """Against the sum of the binomial distribution itself."""
    trials = found + more
    rate = most_likely(found, trials, doubt)
    assert found / trials < rate <= 1
    chance = sum(comb(trials, n) * rate**n * (1 - rate) ** (trials - n) for n in range(found + 1))
    assert chance == pytest.approx(doubt, rel=1e-6)
    assert most_likely(trials, trials) == 1.0


@given(st.lists(st.tuples(st.floats(-2, 2), st.booleans()), min_size=1, max_size=30), st.data())
def test_what_is_found_by_budget(said: list[tuple[float, bool]], data: st.DataObject) -> None:
    """Against every word inspected in turn: by score, and on average over the orders the paper allows."""
    scores, truth = np.array([each[0] for each in said]), np.array([each[1] for each in said])
    documents = np.zeros(len(said), np.int64)
    attack, budget = Attack({"svm": scores}, truth, documents), data.draw(st.integers(0, len(said)))
    order = sorted(range(len(said)), key=lambda n: -scores[n])
    assert attack.ranked(budget).tolist() == [n for n in order[:budget] if truth[n]]
    first, rest = truth[scores > 0], truth[scores <= 0]
    most = min(budget, len(first))
    average = (first.mean() * most if len(first) else 0) + (rest.mean() * (budget - most) if len(rest) else 0)
    assert in_order(attack.counts("svm"), budget) == pytest.approx(average)
    assert at_random(attack.counts("svm"), budget) == pytest.approx(truth.mean() * budget)


def test_the_best_model_is_the_most_accurate() -> None:
    truth = np.array([True, True, False, False])
    scores = {"svm": np.array([1.0, 1, 1, 1]), "crf": np.array([1.0, -1, -1, -1])}
    attack = Attack(scores, truth, np.arange(4))
    assert attack.best == "crf"
    assert attack.ranked(2).tolist() == [0, 1]
    assert (attack.budget(0.001), attack.budget(0.5)) == (1, 2)


def corpus(place: Path, documents: list[Annotated]) -> Path:
    lines = [
        {"text": each.text, "spans": [[m.span.start, m.span.end, m.label] for m in each.mentions]} for each in documents
    ]
    place.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return place


def plain(items: Iterable[Any], _total: int, _doing: str) -> Iterator[Any]:
    return iter(items)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", "publish", *map(str, arguments)])
    return int(stopped.value.code or 0)


def test_a_corpus_is_sanitised_and_attacked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = corpus(tmp_path / "notes.jsonl", notes(4))
    assert run("--data", data, "--loss", "20", "--attackers", "svm,crf", "--compare", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {"kept", "publish_ratio", "residual_share", "iterations", "bounds", "budgets", "attacker"} <= set(report)
    assert report["residual_share"] < 0.2 < 0.7 < report["kept"] <= 1
    assert report["publish_ratio"] <= 1
    assert len(report["iterations"]) == len(report["bounds"]["folds"]) == 4
    told = report["compared"]
    assert list(told)[:3] == ["withhold", "paper's rule, svm", "out of fold, svm"]
    assert list(told)[3:] == ["svm + costs", "crf + costs", "nothing hidden"]
    assert told["withhold"]["budgets"] == report["budgets"]
    assert told["nothing hidden"]["residual_share"] == told["nothing hidden"]["budgets"][-1]["found_share"] == 1
    assert report["bounds"]["violated"] == 0 < report["bounds"]["checked"]
    left = round(report["residual_share"] * report["sensitive"])
    assert report["attacker"]["tp"] + report["attacker"]["fn"] == left
    assert all(each["ranked"] <= left for each in report["budgets"])
    upper = report["bounds"]["upper"]
    assert [sum(column) for column in zip(*upper["by_document"], strict=True)] == [report["sensitive"], left]
    assert report["residual_share"] < upper["residual"]["binomial"]
    assert [each["inspected"] for each in upper["ranked"]] == list(BUDGETS)
    for wrong in ("oracle", ""):
        assert run("--data", data, "--attackers", wrong) == 2


def test_an_attacker_takes_a_second_look_however_little_is_left() -> None:
    """It finds what lies open, and tells no less than its first look where next to nothing is left."""
    lessons = prepare(notes(8)).lessons
    corpus_ = Corpus.of(lessons)
    open_ = [np.zeros(len(text), bool) for text in corpus_.texts]
    for each in attack(corpus_, open_, range(4), ["svm", "twice"]):
        assert each.counts("twice").tp > 0.8 * each.sensitive.sum()
        assert (each.scores["twice"] != each.scores["svm"]).any()
    few = [flags_.copy() for flags_ in corpus_.sensitive]
    for each in few[::3]:
        each[np.flatnonzero(each)[:1]] = False
    for each in attack(corpus_, few, range(4), ["svm", "twice"]):
        assert np.isfinite(each.scores["twice"]).all()
    for each in attack(corpus_, corpus_.sensitive, range(4), ["svm", "twice"]):
        assert each.counts("twice").tp == 0


def test_what_nobody_marked_is_not_measured(tmp_path: Path) -> None:
    data = corpus(tmp_path / "notes.jsonl", notes(3))
    asked = Publishing(rule="paper", labels=("PERSON",))
    before = evaluate([data], asked, attackers=["svm"], track=plain)
    with data.open("a") as file:
        file.write(json.dumps({"text": "Mr Abel Cole signed ."}) + "\n")
    assert {**evaluate([data], asked, attackers=["svm"], track=plain), "seconds": 0} == {**before, "seconds": 0}
    data.write_text(json.dumps({"text": "Mr Abel Cole signed ."}) + "\n")
    with pytest.raises(NotFitted, match="no document is marked"):
        evaluate([data], asked, attackers=["svm"], track=plain)


def test_names_of_people_are_sensitive_unless_something_else_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[publishing]\nrule = "paper"\n')

    def told(names: str, *arguments: object) -> tuple[list[str], int]:
        """Given names are labelled so, the rest of what is marked LOC."""
        mixed = [
            replace(each, mentions=tuple(replace(m, label=("LOC", names)[n % 2]) for n, m in enumerate(each.mentions)))
            for each in notes(3)
        ]
        assert (
            run("--data", corpus(tmp_path / f"{names}.jsonl", mixed), *arguments, "--attackers", "svm", "--json") == 0
        )
        report = json.loads(capsys.readouterr().out)
        return report["labels"], report["sensitive"]

    (labels, few), (all_, many) = told("PER"), told("PER", "--labels", "all")
    assert (labels, all_) == (["PER"], ["LOC", "PER"])
    assert few < many
    assert told("WHO") == (["LOC", "WHO"], many)
    assert told("PER", "--policy", policy) == (["LOC", "PER"], many)
    assert told("PER", "--policy", policy, "--labels", "PER") == (["PER"], few)


@pytest.mark.slow
def test_several_at_a_time_make_no_difference(tmp_path: Path) -> None:
    data = corpus(tmp_path / "notes.jsonl", notes(6))
    one, two = (evaluate([data], Publishing(), attackers=["svm"], workers=n, track=plain) for n in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_figures_are_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = corpus(tmp_path / "notes.jsonl", notes(3))
    (tmp_path / "policy.toml").write_text('[publishing]\nrule = "paper"\n')
    policy = ["--policy", tmp_path / "policy.toml"]
    assert run("--data", data, *policy, "--attackers", "svm", "--charts", tmp_path / "drawn") == 0
    shown = capsys.readouterr().out
    assert "theorem" in shown
    assert "svm, once" in shown
    drawn = {path.name.removeprefix("figure-"): path.read_text() for path in (tmp_path / "drawn").iterdir()}
    numbers = ["3", "4-at-10", "4-at-5", "4b-at-10", "4b-at-5", "5", "5b", "6", "7", "8"]
    assert sorted(drawn) == [f"{number}.svg" for number in numbers]
    for image in drawn.values():
        assert "ours: " in (ElementTree.fromstring(image).findtext("{http://www.w3.org/2000/svg}desc") or "")


def test_a_figure_is_drawn_and_told_by_its_points(tmp_path: Path) -> None:
    lines = {"ours": [[1.0, 3.0], [10.0, 0.0]], "a < b": [[1.0, 40.0], [10.0, 20.0]]}
    figure = {"figure": "3", "title": "Found", "x": "L/C", "y": "words", "lines": lines}
    assert rows(figure) == [("1", "3", "40"), ("10", "0", "20")]
    [path] = write_figures([figure], tmp_path / "new")
    image = path.read_text()
    assert "a &lt; b: 40 at 1, 20 at 10" in image
    ElementTree.fromstring(image)
    assert draw(figure) == image
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OutputError):
        write_figures([figure], blocked / "below")


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6), st.floats(0, 10))
@example(335944.3678512408, 0.0, 0.0)
def test_marks_enclose_the_values(low: float, more: float, least: float) -> None:
    axis = Axis.between("x", low, low + more, str, least=least)
    hair = 1e-8 * (axis.high - axis.low)
    assert axis.low <= low + hair
    assert axis.high >= low + more - hair
    assert 2 <= len(axis.ticks) <= 12


WORDS = ["Anna", "Bela", "carl", "dora", "Emil", "went", "home", "by", "train", "and", "Fred", "saw", "Rome", "express"]


@pytest.mark.parametrize("seed", range(2))
def test_no_bound_is_violated_by_a_random_corpus(tmp_path: Path, seed: int) -> None:
    """Words marked by chance, some more often than others: nothing that was measured breaks what applies."""
    chance, documents = Random(seed), []
    for number in range(4):
        words = chance.choices(WORDS, k=60)
        starts = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words))]
        marked = [
            Mention(Span(start, start + len(word)), "NAME")
            for word, start in zip(words, starts, strict=True)
            if chance.random() < (0.6 if word[0].isupper() else 0.03)
        ]
        documents.append(Annotated(str(number), " ".join(words), tuple(marked)))
    data = corpus(tmp_path / "data.jsonl", documents)
    asked = Publishing(loss=(200, 20)[seed], rule="paper" if seed % 2 else "cost")
    report = evaluate([data], asked, attackers=["svm"], track=plain)
    assert report["bounds"]["violated"] == 0
    for each in report["bounds"]["folds"]:
        assert each["2"]["holds"]
