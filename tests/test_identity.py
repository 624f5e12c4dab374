"""Hiding a person among the people of a corpus: who is who, where they rank, and what a plan makes of that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from tests.population import Life, people
from withhold import Components, Document, Policy, Redactor, Secret, read
from withhold.contracts import Archive
from withhold.corpora.index import Writer
from withhold.errors import CorpusError, PolicyError
from withhold.learners.features import words
from withhold.planners.aims import decide
from withhold.planners.contest import Contest
from withhold.policy import Background
from withhold.risk.identity import IdentityRisk
from withhold.risk.identity.choices import Weighing, Words
from withhold.risk.identity.people import People
from withhold.spans import Span
from withhold.types import Choices

LIVES = people(70)


def corpus(lives: list[Life] = LIVES, *, leads: bool = False) -> PlainCorpus:
    documents = [(f"bodies#{at}", life.name, life.body) for at, life in enumerate(lives)]
    documents += [(f"leads#{at}", life.name, life.lead) for at, life in enumerate(lives) if leads]
    return PlainCorpus(documents)


def text(content: str) -> Document:
    return read(content.encode(), name="a.txt")


def risk_model(known: Archive) -> IdentityRisk:
    return IdentityRisk(Policy(), known)


def secret(life: Life, k: int = 3) -> Secret:
    return Secret(person=life.name, k=k)


def test_documents_with_one_title_are_about_one_person() -> None:
    known = PlainCorpus([("a", "Ann Ott", "one"), ("b", "Bo Ott", "two"), ("c", "Ann Ott", "three"), ("d", "", "four")])
    found = People.of(known, ["ann OTT"])
    assert found is not None
    assert found.count == 3
    assert found.owners.tolist() == [found.true, 1, found.true, 2]
    assert found.documents == ["a", "c"]


@pytest.mark.parametrize("name", ["Ann Ott", "Ann Ott (singer)", "ÁNN OTT", "ann ott"])
def test_brackets_and_case_do_not_matter_to_a_name(name: str) -> None:
    known = PlainCorpus([("a", "Ann Ott (actor)", "one"), ("b", "Bo Ott", "two")])
    found = People.of(known, [name])
    assert found is not None
    assert found.documents == ["a"]


def test_without_a_title_the_documents_that_name_someone_most_are_about_them() -> None:
    known = PlainCorpus([("a", "x", "Ann Ott and Ann Ott"), ("b", "y", "Ann Ott, once"), ("c", "z", "nobody")])
    found = People.of(known, ["Ann Ott"])
    assert found is not None
    assert found.documents == ["a", "b"]


def test_what_is_left_out_is_about_nobody() -> None:
    found = People.of(corpus(leads=True), [LIVES[3].name], [f"leads#{at}" for at in range(70)])
    assert found is not None
    assert found.documents == ["bodies#3"]
    assert (found.owners[70:] == -1).all()


def test_a_reader_may_have_one_source_alone() -> None:
    known = corpus(leads=True)
    found = People.of(known, [LIVES[0].name], ["leads#0"])
    assert found is not None
    alone = found.alike()
    assert alone is not None
    assert {known.names()[at].split("#")[0] for at in np.flatnonzero(alone.owners >= 0)} == {"bodies"}
    assert People.of(corpus(), [LIVES[0].name]).alike() is None  # type: ignore[union-attr]


@given(st.integers(0, 19), st.data())
@settings(max_examples=8, deadline=None)
def test_what_is_kept_scores_what_its_words_score(at: int, data: st.DataObject) -> None:
    """The programs go by sums over words: those must be what a reader of the remaining text would find."""
    found = People.of(corpus(LIVES[:20]), [LIVES[at].name])
    assert found is not None
    whole = Weighing(found, Words.of(LIVES[at].lead), set())
    scores = whole.readers()[0]
    kept = np.array([data.draw(st.integers(0, len(spans))) for spans in whole.words.spans.values()], np.float64)
    left = [word for word, count in zip(whole.words.terms, kept, strict=True) for _ in range(int(count))]
    left += [word for word in whole.words.others for _ in range(whole.words.counts[word])]
    again = Weighing(found, Words.of(" ".join(left)), set())
    order = np.argsort(-(again.scores), kind="stable")
    mine = scores.weights @ kept + scores.bias
    assert mine[0] == pytest.approx(again.scores[found.true])
    assert all(any(value == pytest.approx(score) for score in again.scores[order]) for value in mine)


def test_the_person_is_first_before_and_behind_the_others_after() -> None:
    model = risk_model(corpus())
    for at in (0, 7, 21):
        life = LIVES[at]
        risk = model.assess(text(life.lead), secret(life))
        assert risk.before == 1.0
        assert risk.ceiling == pytest.approx(1 / 3)
        assert isinstance(risk.choices, Choices)
        counts = np.array([len(spans) for spans in risk.choices.spans], np.float64)
        decision = decide(risk.choices, counts)
        assert decision.status == "confusable"
        for scores in risk.choices.secret:
            assert Contest.of(scores, 0).ahead(decision.kept) >= 1
        assert 0.2 < decision.kept.sum() / counts.sum() < 1


def test_copies_are_left_out_if_wanted() -> None:
    life, known = LIVES[5], corpus(leads=True)
    said = risk_model(known).assess(text(life.lead), secret(life)).notes
    assert any("of the text, and left out" in note for note in said)
    policy = Policy(corpus=Background(leave_out_copies=False))
    assert not any(
        "left out" in note for note in IdentityRisk(policy, known).assess(text(life.lead), secret(life)).notes
    )


@pytest.mark.parametrize("aim", ["release", "paper", "textbook"])
@pytest.mark.parametrize("k", [71, 20_000, 10**12])
def test_more_people_than_there_are_are_asked_for(aim: Literal["release", "paper", "textbook"], k: int) -> None:
    """What can be had is had, and the rest is told."""
    risk = risk_model(corpus()).assess(text(LIVES[2].lead), secret(LIVES[2], k))
    assert any(f"knows 70 people, and {k:,} are asked for" in note for note in risk.notes)
    assert isinstance(risk.choices, Choices)
    decision = decide(risk.choices, np.array([len(spans) for spans in risk.choices.spans], np.float64), aim=aim)
    assert decision.status == "infeasible"


def test_the_people_of_one_source_are_told_from_all() -> None:
    known = corpus(leads=True)
    more = [*known.documents, *((f"others#{at}", f"Other {at}", "Sang.") for at in range(30))]
    risk = risk_model(PlainCorpus(more)).assess(text(LIVES[2].lead), secret(LIVES[2], 80))
    assert any("knows 100 people, but the source that tells most of the person 70" in note for note in risk.notes)


def test_evidence_says_what_points_to_the_person() -> None:
    life = LIVES[2]
    risk = risk_model(corpus()).assess(text(life.lead), secret(life))
    first = risk.evidence[0]
    assert first.documents == ("bodies#2",)
    assert first.counts["of the person"] >= 1
    assert first.counts["people"] < 10
    assert [each.weight for each in risk.evidence] == sorted((each.weight for each in risk.evidence), reverse=True)


@pytest.mark.parametrize("content", ["Zed Nobody sang.", "Somebody sang.", ""])
def test_of_a_stranger_nothing_can_be_judged(content: str) -> None:
    found = risk_model(corpus()).assess(text(content), Secret(person="Zed Nobody"))
    assert (found.before, found.after) == (1.0, 1.0)
    assert found.stays
    assert found.choices is None
    assert any("cannot be judged" in note and "copies" not in note for note in found.notes)


@pytest.mark.parametrize("other", ["", "mention", "namesake"])
def test_someone_only_copies_are_about_is_not_called_hidden(tmp_path: Path, other: str) -> None:
    """Other documents that happen to name the person, or someone of that name, say nothing about what is known."""
    life = LIVES[9]
    with Writer(tmp_path / "index") as writer:
        writer.add("copy", life.name, life.lead)
        for at, each in enumerate(LIVES):
            if each is not life:
                met = f" With {life.name}." if other == "mention" and at == 3 else ""
                title = f"{life.name} (sculptor)" if other == "namesake" and at == 3 else each.name
                writer.add(f"bodies#{at}", title, each.body + met)
        writer.commit()
    known = Background(index=str(tmp_path / "index"))
    redactor = Redactor(Policy(secret=(secret(life),), corpus=known, components=Components(attacks=("linkage",))))
    source = text(life.lead)
    (risk,) = redactor.assess(source)
    assert risk.before == 1.0
    assert any("but copies of the text" in note and "leave_out_copies = false" in note for note in risk.notes)
    assert any("what nothing else tells is not judged" in note for note in risk.notes)
    plan = redactor.plan_for(source)
    assert plan.status == "a risk stays"
    redaction = redactor.apply(plan, source)
    (risk,) = redaction.plan.risks
    assert (risk.before, risk.after) == (1.0, 1.0)
    assert not set(words(life.name)) & set(words(redaction.document.text))
    (outcome,) = redactor.attack(source)
    assert outcome.trials == 0
    assert "no document about the person but copies" in outcome.note


@pytest.mark.parametrize("content", ["", " \n", "the and of it", "[REDACTED]", "xyzzy"])
def test_a_text_that_says_nothing_tells_of_nobody(content: str) -> None:
    risk = risk_model(corpus()).assess(text(content), secret(LIVES[4]))
    assert risk.after == pytest.approx(1 / len(LIVES))
    assert risk.choices is None


def test_a_search_engine_will_not_do() -> None:
    class Remote:
        def size(self, unit: str) -> int:
            return 0

    with pytest.raises(CorpusError, match="at hand"):
        IdentityRisk(Policy(), Remote()).assess(text("x"), Secret(person="Ann Ott"))  # type: ignore[arg-type]


def test_a_person_has_to_be_named() -> None:
    with pytest.raises(PolicyError, match="person"):
        risk_model(corpus()).resolve(text("x"), Secret(model="identity", person="?!"))


def test_what_is_ignored_is_no_word_and_parts_its_neighbours() -> None:
    assert Words.of("Ann [X] Ott sang. Ann left").counts["ann"] == 2
    gone = Words.of("Ann SECRET Ott", [Span(4, 10)])
    assert gone.read == ("ann", None, "ott")
    assert not gone.pairs(set())


@pytest.mark.slow
def test_more_general_words_are_offered() -> None:
    life = LIVES[1]
    policy = replace(Policy(), planning=replace(Policy().planning, generalise=True))
    known = corpus([replace(each, body=f"{each.body} An artist, a worker, a musician.") for each in LIVES])
    risk = IdentityRisk(policy, known).assess(text(life.lead), secret(life))
    assert isinstance(risk.choices, Choices)
    for scores in risk.choices.secret:
        assert (scores.options is None) == (not risk.choices.general)


def test_nothing_of_the_text_is_shown() -> None:
    life = LIVES[4]
    risk = risk_model(corpus()).assess(text(life.lead), secret(life))
    shown = repr(risk) + repr(risk.choices) + repr(Words.of(life.lead))
    assert not set(words(life.name)) & set(words(shown))


def test_a_whole_redaction_hides_the_person(tmp_path: Path) -> None:
    life = LIVES[9]
    with Writer(tmp_path / "index") as writer:
        for at, each in enumerate(LIVES):
            writer.add(f"bodies#{at}", each.name, each.body)
        writer.commit()
    policy = Policy(secret=(secret(life),), corpus=Background(index=str(tmp_path / "index")))
    redactor = Redactor(policy)
    source = text(life.lead)
    assert {each.attack: each.result for each in redactor.attack(source)} == {
        "linkage:bm25": 1.0,
        "linkage:embedding": 1.0,
        "hidden": 0.0,
        "inspector": 1.0,
    }
    redaction = redactor.redact(source)
    (risk,) = redaction.plan.risks
    assert risk.before == 1.0
    assert risk.after <= risk.ceiling
    assert not set(words(life.name)) & set(words(redaction.document.text))
    outcomes = redactor.attack(redaction)
    assert not any(each.result or each.wins for each in outcomes)
    assert all(each.note.startswith("rank ") for each in outcomes if each.attack.startswith("linkage"))
