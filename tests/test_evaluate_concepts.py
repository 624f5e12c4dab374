"""Evaluations of concept models: the figures are what a naive recount says, and anyone can print them again."""

from __future__ import annotations

import json
import random
import tempfile
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from withhold.errors import DocumentError, NotFitted, PolicyError
from withhold.evaluation.concepts import cases, charts, paper, release, words
from withhold.evaluation.concepts.cases import Case
from withhold.evaluation.concepts.paper import Curve, Measures, Ranks
from withhold.evaluation.concepts.protocol import PaperReport, ReleaseReport, evaluate, rows, table
from withhold.evaluation.concepts.redacting import Redacted, Redacting, Way, cut, in_chunks, rank
from withhold.learners.attackers import FAMILY
from withhold.planners.aims import Aim
from withhold.risk.reading import Reading
from withhold.spans import Span
from withhold.types import Edit

TRADES = {
    "bank": ("money", "loan mortgage deposit branch credit lender"),
    "insurer": ("money", "premium claim underwriter actuary policyholder broker"),
    "clinic": ("health", "surgery doctor nurse hospital diagnosis ward"),
    "pharmacy": ("health", "tablet dosage prescription ointment syrup dispensary"),
    "farm": ("land", "wheat cattle harvest tractor barley orchard"),
    "forester": ("land", "timber spruce sawmill plantation chainsaw seedling"),
}
FAMILIES = {"money": "finance capital interest", "health": "patient treatment care", "land": "soil season acre"}
COMMON = "company year city people large service group market work report plan customer office"


def corpus(size: int, seed: int = 0) -> list[Case]:
    """Texts with words of their trade, of its family, of other trades and of all."""
    chance, found = random.Random(seed), []
    for _ in range(size):
        trade = chance.choices(list(TRADES), weights=[5, 3, 4, 2, 3, 2])[0]
        family, own = TRADES[trade]
        text = chance.choices(own.split(), k=5) + chance.choices(FAMILIES[family].split(), k=3)
        text += chance.choices(COMMON.split(), k=8)
        text += [word for _, other in TRADES.values() for word in chance.choices(other.split(), k=1)]
        chance.shuffle(text)
        found.append(Case(f"From: {trade}\n\nThe " + " and the ".join(text) + ".", trade, family))
    return found


def written(folder: Path, documents: list[Case], name: str = "data.jsonl") -> Path:
    lines = [json.dumps({"text": each.text, "trade": each.secret, "field": each.keep}) for each in documents]
    path = folder / name
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("data"), corpus(150))


def ask(data: Path, **options: Any) -> PaperReport | ReleaseReport:
    return evaluate(data, **{"secret": "trade", "keep": "field", "body": True, "sample": 40, **options})


@pytest.fixture(scope="module")
def by_paper(data: Path) -> PaperReport:
    found = ask(data, aim="paper", ks=(2, 3), objectives=("log_odds", "balanced"), strangers=False)
    assert isinstance(found, PaperReport)
    return found


@pytest.fixture(scope="module")
def by_release(data: Path) -> ReleaseReport:
    found = ask(data, aim="release", ks=(2, 3))
    assert isinstance(found, ReleaseReport)
    return found


def test_the_keys_of_the_paper(by_paper: PaperReport) -> None:
    plain = by_paper.to_json()
    for key in ("k_eval", "k_eval_strict", "sensitive_error", "utility_accuracy", "suppressed", "confusable"):
        assert 0.0 <= plain[key] <= 1.0
        assert plain[key] == pytest.approx(np.mean([each[key] for each in plain["per_k"]]))
    assert [each["k"] for each in plain["per_k"]] == [2, 3]
    assert plain["documents"] == 40
    assert [row["objective"] for row in plain["objectives"]] == ["log_odds", "balanced"]
    assert PaperReport.from_json(json.loads(json.dumps(plain))) == by_paper
    assert len(table(by_paper)) == 3
    assert dict(rows(by_paper))["documents"] == 40


def test_hiding_works_and_costs(by_paper: PaperReport) -> None:
    assert by_paper.sensitive_error >= by_paper.confusable > 0.9
    assert by_paper.unredacted.mean.sensitive_error < 0.3
    assert 0.0 < by_paper.suppressed < 0.9
    assert by_paper.unredacted.mean.suppressed == 0.0
    assert by_paper.per_k[0].suppressed < by_paper.per_k[1].suppressed


@pytest.mark.slow
def test_the_same_again(data: Path, by_paper: PaperReport) -> None:
    again = ask(data, aim="paper", ks=(3, 2), objectives=("log_odds", "balanced"), strangers=False, jobs=2)
    assert replace(again, seconds=0.0) == replace(by_paper, seconds=0.0)


def test_another_seed_draws_others() -> None:
    documents = corpus(50)
    assert cases.draw(documents, 10, 1) == cases.draw(documents, 10, 1) != cases.draw(documents, 10, 2)
    assert cases.draw(documents, 99, 1) == cases.draw(documents, None, 1) == documents


def test_measures_are_those_of_a_naive_recount() -> None:
    chance = np.random.default_rng(0)
    secret, keep = chance.integers(1, 7, 30), chance.integers(1, 4, 30)
    shares = chance.random((3, 30))
    found = Ranks(secret, keep, shares[0], shares[1], (shares[2] > 0.5).astype(float))
    for k in (2, 3, 5):
        missed = sum(place not in range(1, k) for place in secret) / 30
        hit = sum(place in range(1, k + 1) for place in secret) / 30
        useful, at_once = sum(place <= k for place in keep) / 30, sum(place == 1 for place in keep) / 30
        measures = Measures.of(found, k)
        assert measures.sensitive_error == pytest.approx(missed)
        assert measures.k_eval == pytest.approx((missed + hit + useful) / 3)
        assert measures.k_eval_strict == pytest.approx((missed + hit + at_once) / 3)
        assert measures.suppressed == pytest.approx(sum(shares[0]) / 30)
    curve = Curve.of(found, 3, 6)
    assert curve.secret_error[1] == pytest.approx(Measures.of(found, 3).sensitive_error)
    assert curve.secret_error[-1] == 0.0
    assert len(curve.secret_error) == 6


@pytest.mark.parametrize("aim", ["paper", "textbook"])
def test_a_model_fitted_from_scratch_without_the_document_ranks_the_same(aim: Aim) -> None:
    """What the attacker makes of a redacted text is what scikit-learn makes of it, refitted without the document."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    documents = [case.body() for case in corpus(60)]
    documents.append(replace(documents[7], secret="clinic", keep="health"))
    model = cases.learn(documents, "trade", "field")
    with cases.saved(model) as folder:
        redacting = Redacting(folder, 10_000, "trade", "field", aim)
        attempt = paper.Attempt(redacting, (Way("log_odds"),), (2, 4), own=True)
        for number in (3, 7, 12, 60):
            case = documents[number]
            choices = redacting.choices(case, generalise=False)
            texts = [case.text, *(redacting.redact(case, choices, k, "log_odds").text for k in (2, 4))]
            others = documents[:number] + documents[number + 1 :]
            counting = CountVectorizer(vocabulary=model.words)
            told = attempt.attempt(case)[:, :2].astype(int).tolist()
            for column, name in enumerate(("secret", "keep")):
                bayes = MultinomialNB(alpha=1.0)
                bayes.fit(counting.transform([each.text for each in others]), [getattr(each, name) for each in others])
                joint = bayes.predict_joint_log_proba(counting.transform(texts))
                true = bayes.classes_.tolist().index(getattr(case, name))
                assert [rank(row, true) for row in joint] == [each[column] for each in told]


def test_only_the_textbook_plans_with_the_document_in_its_model() -> None:
    documents = [case.body() for case in corpus(60)]
    model = cases.learn(documents, "trade", "field")
    reading = Reading.of(model, documents[0].text)
    inside = model.attributes["trade"].weights(reading.columns)
    with cases.saved(model) as folder:
        aims: list[Aim] = ["textbook", "paper", "release"]
        plans = [Redacting(folder, 10_000, "trade", "field", aim) for aim in aims]
        weights = [each.choices(documents[0], generalise=False).secret[0].weights for each in plans]
    assert np.array_equal(weights[0], inside)
    assert np.array_equal(weights[1], reading.weights("trade"))
    assert np.array_equal(weights[1], weights[2])
    assert not np.array_equal(weights[0], weights[1])


def test_the_textbook_takes_itself_for_better_than_it_is(data: Path) -> None:
    found = ask(data, aim="textbook", ks=(3,), strangers=False)
    assert isinstance(found, PaperReport)
    assert found.objective == "log_odds"
    # The class is hidden deeper than asked for: the attacker's model lacks what the document itself taught.
    assert found.confusable > 0.9
    assert found.secret_accuracy < 0.9


def test_a_train_file_is_what_models_learn_from(data: Path, tmp_path: Path) -> None:
    few = written(tmp_path, [*corpus(20, seed=5), Case("A tailor with a needle.", "tailor", "cloth")], "few.jsonl")
    found = ask(few, train=data, aim="paper", ks=(2,), sample=None)
    assert isinstance(found, PaperReport)
    assert (found.documents, found.left_out) == (20, 1)
    assert found.sensitive_error >= found.confusable > 0.9
    assert found.strangers is not None
    assert (found.strangers.documents, found.strangers.left_out) == (20, 1)
    assert 0.0 <= found.strangers.rank_attack <= 1.0


def test_the_keys_of_a_release(by_release: ReleaseReport) -> None:
    plain = by_release.to_json()
    assert plain["k"] == 3
    assert set(plain["attackers"]) == set(FAMILY)
    best = max(plain["attackers"].values(), key=lambda each: each["redacted"]["rate"])
    assert plain["worst_attacker"] == best["redacted"]["rate"]
    assert plain["union"] >= plain["worst_attacker"]
    assert plain["adaptive"] == max(each["rate"] for each in plain["adaptive_attackers"].values())
    assert plain["rank_attack_several"] >= plain["rank_attack"]
    for name, (low, high) in plain["intervals"].items():
        assert 0.0 <= low <= plain[name] <= high <= 1.0
    assert {"floor", "utility_at_1", "suppressed", "confusable"} <= set(plain)
    assert ReleaseReport.from_json(json.loads(json.dumps(plain))) == by_release
    assert by_release.worst_attacker < by_release.attackers["naive_bayes"].unredacted.rate
    assert dict(rows(by_release))["k"] == 3


def test_a_release_again(data: Path, by_release: ReleaseReport) -> None:
    again = ask(data, aim="release", ks=(2, 3))
    assert replace(again, seconds=0.0) == replace(by_release, seconds=0.0)


def test_nobody_learns_what_is_tested_and_copies_stay_together() -> None:
    documents = 4 * corpus(30)
    parts = cases.split(documents, None, 30, 4)
    groups = [{case.text for case in part} for part in (parts.test, parts.planner, parts.attackers)]
    assert not any(one & other for one, other in combinations(groups, 2))
    assert [len(part) for part in (parts.test, parts.planner, parts.attackers)] == [32, 44, 44]
    other = cases.split(documents[:30], documents[30:], 10, 4)
    assert len(other.test) == 10
    assert not {case.text for case in other.planner} & {case.text for case in other.attackers}


def test_readers_are_counted_as_a_naive_recount_would() -> None:
    learnt, tested = corpus(80), corpus(20, seed=3)
    secrets, keeps = sorted(TRADES), sorted(FAMILIES)
    readers = release.Readers.fit(learnt, 2, secrets, keeps)
    texts = [case.text for case in tested]
    often = sorted(secrets, key=lambda name: -sum(case.secret == name for case in learnt))[:2]
    assert readers.frequent(tested).tolist() == [case.secret in often for case in tested]
    for name, hits in readers.hits(texts, tested).items():
        guesses = np.argsort(-readers.family.scores(name, texts), axis=1)[:, :2]
        assert hits.tolist() == [
            case.secret in [secrets[guess] for guess in row] for case, row in zip(tested, guesses, strict=True)
        ]
    first = readers.keeper.scores("naive_bayes", texts).argmax(axis=1)
    assert readers.recognised(texts, tested).tolist() == [
        keeps[guess] == case.keep for case, guess in zip(tested, first, strict=True)
    ]


def test_the_rank_attack_guesses_the_ranks_it_has_seen_most() -> None:
    def standings(*places: int) -> list[release.Standing]:
        return [release.Standing(Redacted("", 0.0, 0.0, True), place) for place in places]

    learnt, tested = standings(5, 5, 5, 2, 2, 7), standings(5, 2, 7, 1)
    assert release.guessed_ranks(learnt, tested, 1).tolist() == [True, False, False, False]
    assert release.guessed_ranks(learnt, tested, 2).tolist() == [True, True, False, False]


def test_general_words_are_measured_beside_removal(tmp_path: Path) -> None:
    chance, animals = random.Random(1), {"kennel": "poodle", "cattery": "siamese", "stable": "stallion"}
    documents = [
        Case(" ".join([word, *chance.choices([*COMMON.split(), "animal", "dog", "cat", "horse"], k=24)]), name, keep)
        for _ in range(40)
        for (name, word), keep in zip(animals.items(), ("pet", "pet", "work"), strict=True)
    ]
    found = ask(written(tmp_path, documents), aim="release", ks=(2,), generalise=True, sample=10)
    assert isinstance(found, ReleaseReport)
    assert found.generalised is not None
    assert found.generalised.generalise
    assert [each.generalise for each in found.objectives] == [False, True]
    assert found.objectives[0].generalised == 0.0 < found.generalised.generalised
    assert found.generalised.suppressed < found.suppressed
    assert [row[0] for row in table(found)] == ["balanced", "balanced, generalising"]


def test_cutting_leaves_a_space_or_the_more_general_word() -> None:
    made = [
        Edit(Span(4, 7), "remove", "CLUE", ""),
        Edit(Span(8, 11), "generalise", "CLUE", "", replacement="animal"),
    ]
    assert cut("the red dog.", made) == "the   animal."


def test_the_body_begins_after_the_first_empty_line() -> None:
    assert Case("From: a\nTo: b\n\nOne.\n\nTwo.", "a", "b").body().text == "One.\n\nTwo."
    assert Case("From: a\r\n\r\nOne.", "a", "b").body().text == "One."
    assert Case("One line.\nAnother.", "a", "b").body().text == "One line.\nAnother."


def test_documents_with_several_classes_or_none_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    records = [{"trade": ["a", "b"], "field": "c"}, {"trade": "a", "field": None}, {"trade": "a", "field": "c"}]
    path.write_text("\n".join(json.dumps({"text": "word", **each}) for each in records), "utf-8")
    assert cases.load(path, "trade", "field") == [Case("word", "a", "c")]
    path.write_text(json.dumps({"text": "word", **records[0]}), "utf-8")
    with pytest.raises(NotFitted, match="no document"):
        cases.load(path, "trade", "field")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ks": (1, 2)}, "2 or more"),
        ({"ks": ()}, "2 or more"),
        ({"ks": (7,)}, "more than the 6 classes"),
        ({"objectives": ("beauty",)}, "no objective 'beauty'"),
        ({"keep": "trade"}, "the secret itself"),
    ],
)
def test_what_makes_no_sense_is_refused(data: Path, options: dict[str, Any], says: str) -> None:
    with pytest.raises(PolicyError, match=says):
        ask(data, **options)


def test_a_missing_file_and_too_few_classes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError):
        ask(tmp_path / "none.jsonl")
    with pytest.raises(NotFitted, match="only one value of 'field'"):
        ask(written(tmp_path, [case for case in corpus(30) if case.keep == "land"]))
    with pytest.raises(NotFitted, match="too few documents"):
        ask(written(tmp_path, [*corpus(2), Case("x", "bank", "money"), Case("y", "farm", "land")]), ks=(2,))


def test_nothing_is_left_behind(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ask(data, aim="paper", ks=(2,), sample=4, strangers=False)
    assert not list(tmp_path.iterdir())


def test_progress_is_told() -> None:
    told: list[tuple[int, str]] = []

    def track(items: Any, total: int, doing: str) -> Any:
        told.append((total, doing))
        return iter(items)

    assert in_chunks(lambda some: [each + 1 for each in some], range(40), jobs=1, track=track, doing="Adding") == list(
        range(1, 41)
    )
    assert told == [(3, "Adding")]


def test_charts_are_sound_and_the_same_every_time(by_paper: PaperReport, tmp_path: Path) -> None:
    paths = charts.write_charts(by_paper.curves, tmp_path / "svg")
    assert [path.name for path in paths] == ["guesses-k2.svg", "guesses-k3.svg"]
    first = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in charts.write_charts(by_paper.curves, tmp_path / "svg")] == first
    image = ElementTree.fromstring(first[0])
    space = "{http://www.w3.org/2000/svg}"
    assert image.find(f"{space}title") is not None
    assert "secret class is missed" in (image.findtext(f"{space}desc") or "")
    # A point for every number of guesses, and one beside the name of the line.
    assert len(image.findall(f"{space}circle")) == len(by_paper.curves[0].secret_error) + 1


def test_a_title_cannot_break_a_chart() -> None:
    image = ElementTree.fromstring(charts.chart(Curve(2, (1.0, 0.0), (0.5, 1.0)), title='<b> & "k"'))
    assert image.findtext("{http://www.w3.org/2000/svg}title") == '<b> & "k"'


def test_telling_words_hang_on_the_confusers(data: Path) -> None:
    true, found = words.words_of(data, 2, secret="trade", keep="field", ks=(2, 6), body=True)
    own = set(TRADES[true][1].split())
    shared = set(FAMILIES[TRADES[true][0]].split())
    narrow, wide = found
    assert len(narrow.confusers) == 1
    assert len(wide.confusers) == 5
    assert narrow.words[0] in own
    assert len(words.rows(found)) == len(narrow.words) == 10
    assert narrow.needed is not None
    # What a trade shares with its nearest one tells nothing at k = 2, but much among all.
    if TRADES[narrow.confusers[0]][0] == TRADES[true][0]:
        first = next(place for place, word in enumerate(wide.words) if word in shared)
        assert not shared & set(narrow.words[: first + 1])


def test_telling_words_are_in_the_order_of_the_metric() -> None:
    documents = [case.body() for case in corpus(60)]
    model = cases.learn(documents, "trade", "field")
    text = "loan loan premium surgery interest market"
    (told,) = words.telling_words(model, text, "bank", (3,))
    bayes = model.attributes["trade"]
    among = [bayes.classes.index(name) for name in ("bank", *told.confusers)]
    shares = bayes.documents[among] / bayes.documents[among].sum()

    def metric(word: str) -> float:
        logs = bayes.weights(model.columns([word]))[among, 0]
        return float((1 - shares[0]) * logs[0] - shares[1:] @ logs[1:])

    assert list(told.words) == sorted(told.words, key=metric, reverse=True)
    assert told.words[0] == "loan"


def test_telling_words_of_what_is_not_there_are_refused(data: Path) -> None:
    with pytest.raises(PolicyError, match="no document 151"):
        words.words_of(data, 151, secret="trade", keep="field")
    model = cases.learn(corpus(60), "trade", "field")
    with pytest.raises(PolicyError, match="6 classes"):
        words.telling_words(model, "loan", "tailor")
    with pytest.raises(PolicyError, match="6 classes"):
        words.telling_words(model, "loan", "bank", (7,))
