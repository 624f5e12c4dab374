"""The desk: what follows from decisions is what assessing the drafted text from scratch says, whatever came before."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from withhold import Document, MalformedData, Policy, PolicyError, Redactor, Secret, Span, read
from withhold.assistant.desk import (
    Decision,
    Desk,
    FindingDecision,
    Overview,
    Slider,
    State,
    StrengthDecision,
    TermDecision,
    TextDecision,
    decision,
)
from withhold.assistant.desk.remembering import AskedArchive
from withhold.assistant.score import rate
from withhold.corpora.index import Writer
from withhold.fit.concepts import fit_concepts
from withhold.learners.phrases import Read, Reader
from withhold.policy import Background, Detection
from withhold.redactor import drafted
from withhold.spans import disjoint, intersect
from withhold.types import Outcome, Replacement

PERSON = "Ada Quillfeather"
LYON = "Lyon is a city in France. An emergency worker lives there."
FILM = "A worker saw film number {} in the 1980s."
DOCUMENTS = [
    ("a", PERSON, f"{PERSON} was a firefighter in Lyon. She starred in the film Glass Harbour in 1987."),
    ("b", PERSON, f"{PERSON} won a Golden Globe Award for Glass Harbour. She was once a firefighter."),
    ("c", "", f"The firefighter {PERSON} came from Lyon."),
    ("d", "", LYON),
    *((f"x{n}", f"Person {n}", FILM.format(n) + " An award was given for it in France.") for n in range(30)),
]
TEXT = (
    f"{PERSON} was a firefighter in Lyon. \N{FIRE ENGINE} She starred in the film Glass Harbour, a re\u0301sume\u0301 "
    "of hers, and won a Golden Globe Award in 1987.\n\nMail ada@example.com about the brewery and the orchard, the "
    "ledger and the quay. Perhaps Zorblax knows. Lyon is far."
)
TRADES = {
    "mill": "brewery orchard flour grain",
    "port": "quay harbour crane ledger",
    "bank": "ledger vault coin quay",
    "farm": "orchard barn flour cattle",
    "ship": "harbour deck crane sail",
}
SECRETS = (
    Secret("topic", model="association", value=PERSON),
    Secret("trade", model="concepts", fitted="model", value="mill", k=3),
    Secret("who", model="identity", person=PERSON, k=3),
    Secret("word", model="information", value=PERSON, ceiling=0.05),
)
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    with Writer(folder / "index") as writer:
        for each in DOCUMENTS:
            writer.add(*each)
        writer.commit()
    chance = random.Random(0)
    rows = [
        {
            "text": " ".join(chance.choices(said.split(), k=8)),
            "trade": trade,
            "place": (trade[0] < "g" and "land") or "sea",
        }
        for trade, said in TRADES.items()
        for _ in range(6)
    ]
    (folder / "learn.jsonl").write_text("\n".join(map(json.dumps, rows)))
    fit_concepts(folder / "learn.jsonl", folder / "model", secret="trade", keep=["place"], workers=1, holdout=0)
    return folder


def policy(folder: Path, *names: str) -> Policy:
    chosen = tuple(secret for secret in SECRETS if secret.name in names)
    background = Background(index="index", leave_out_copies=False)
    return Policy(secret=chosen, corpus=background, detection=Detection(labels=("EMAIL",)), folder=str(folder))


def document(text: str = TEXT) -> Document:
    return read(text.encode(), name="text.txt")


@pytest.fixture(scope="module")
def redactor(folder: Path) -> Redactor:
    return Redactor(policy(folder, "topic", "trade", "who", "word"))


@pytest.fixture(scope="module")
def desk(redactor: Redactor) -> Desk:
    return Desk(redactor, document())


def span(words: str, text: str = TEXT, nth: int = 0) -> Span:
    at = -1
    for _ in range(nth + 1):
        at = text.index(words, at + 1)
    return Span(at, at + len(words))


def about(action: Any, words: str, **options: Any) -> TermDecision:
    return TermDecision(action, (span(words),), **options)


WORDS = [
    "firefighter",
    "Lyon",
    "Glass Harbour",
    "re\u0301sume\u0301",
    "Golden",
    "1987",
    "brewery",
    "orchard",
    "Zorblax",
    PERSON,
]
WRITTEN = ["", "a worker", "caf\u00e9 \N{FIRE ENGINE}", "e\u0301", "Lyon", "somebody else"]


@st.composite
def decisions(draw: st.DrawFn) -> list[Decision]:
    made: list[Decision] = []
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["term", "term", "term", "finding", "strength", "text"]))
        start = draw(st.integers(0, len(TEXT)))
        end = min(start + draw(st.integers(0, 14)), len(TEXT))
        if kind == "term":
            action = draw(st.sampled_from(["remove", "pseudonymise", "keep", "replace"]))
            text = draw(st.sampled_from(WRITTEN)) if action == "replace" else None
            chosen = span(draw(st.sampled_from(WORDS))) if draw(st.booleans()) or start == end else Span(start, end)
            scope = draw(st.sampled_from(["everywhere", "here"]))
            made.append(TermDecision(action, (chosen,), scope=scope, replacement=text))
        elif kind == "finding":
            spans = tuple(draw(st.lists(st.sampled_from([span(PERSON), span("ada@example.com")]), max_size=2)))
            made.append(FindingDecision(draw(st.booleans()), spans))
        elif kind == "strength":
            made.append(StrengthDecision(draw(st.sampled_from(["topic", "trade", "word"])), draw(st.integers(1, 9))))
        else:
            made.append(TextDecision((Replacement(Span(start, end), draw(st.sampled_from(WRITTEN))),)))
    return made


def levels(state: State) -> dict[str, float]:
    return {level.secret: level.now for level in state.standing.levels}


# What follows from any list of decisions


@QUICK
@given(made=decisions())
def test_edits_are_disjoint_and_the_text_is_what_is_written(desk: Desk, made: list[Decision]) -> None:
    state = desk.state(made)
    spans = [change.edit.span for change in state.changes]
    assert disjoint(spans)
    assert all(each and each.end <= len(TEXT) for each in spans)
    assert [piece.span.start for piece in state.pieces] == [0, *(piece.span.end for piece in state.pieces)][:-1]
    assert state.pieces[-1].span.end == len(TEXT)
    assert all(piece.text == piece.span.of(TEXT) for piece in state.pieces if piece.change is None)
    written = "".join(each.text for each in state.pieces)
    assert written == state.text
    try:
        redaction = desk.redactor.apply(desk.plan(made), desk.document)
    except PolicyError:  # what a person wrote repeats what they hide: the guide says so
        assert any(task.kind == "written" for task in state.guide)
    else:
        assert redaction.document.text == state.text


@QUICK
@given(made=decisions())
def test_the_state_is_what_assessing_from_scratch_says(redactor: Redactor, desk: Desk, made: list[Decision]) -> None:
    state = desk.state(made)
    draft, put, gone = drafted([change.edit for change in state.changes], desk.document)
    for secret in redactor.policy.secret:
        if secret.model == "association" and put:
            continue  # the tagger looks at new words alone: see below
        risk = redactor.model(secret).assess(draft, secret, source=desk.document, written=gone)
        named = secret.name in desk.named([change.edit for change in state.changes])
        assert levels(state)[secret.name] == (1.0 if named else risk.after)
        for meter in state.standing.meters:
            if meter.secret == secret.name:
                now = {each.name: each.rank for each in risk.standings if each.attribute == meter.attribute}
                assert {each.name: each.rank for each in meter.places if each.name in now} == now


@settings(max_examples=6, deadline=None)
@given(made=decisions())
def test_nothing_hangs_on_what_was_asked_before(redactor: Redactor, desk: Desk, made: list[Decision]) -> None:
    for count in range(len(made)):
        desk.state(made[:count])
    fresh = Desk(redactor, document())
    assert desk.state(made) == fresh.state(made)
    assert desk.state(made[:-1]) == fresh.state(made[:-1])  # undone


def test_decisions_are_stored_and_mean_the_same_later(desk: Desk) -> None:
    made = [about("remove", "Lyon"), about("generalise", "firefighter"), StrengthDecision("trade", 2)]
    settled = [desk.settle(each) for each in made]
    assert [desk.settle(each) for each in settled] == settled
    again = [decision(json.loads(json.dumps(each.to_json()))) for each in settled]
    assert again == settled
    assert desk.state(again).text == desk.state(made).text
    assert len(settled[0].spans) == 2  # type: ignore[union-attr]


# Who has the last word


def test_the_later_decision_wins(desk: Desk) -> None:
    assert "firefighter" not in desk.state([about("keep", "firefighter"), about("remove", "firefighter")]).text
    assert "firefighter" in desk.state([about("remove", "firefighter"), about("keep", "firefighter")]).text


def test_what_is_kept_stays_whatever_the_slider_wants_and_the_risk_is_told(desk: Desk) -> None:
    most = len(desk.slider("topic").stops)
    for made in (
        [StrengthDecision("topic", most), about("keep", "firefighter")],
        [about("keep", "firefighter"), StrengthDecision("topic", most)],
    ):
        state = desk.state(made)
        (level,) = [each for each in state.standing.levels if each.secret == "topic"]
        assert "firefighter" in state.text
        assert level.stays
        assert level.kept == (desk.places.id("firefighter"),)
        assert "can be told" in level.verdict


def test_what_is_kept_stays_whatever_was_found_and_can_be_taken_later(desk: Desk) -> None:
    kept = about("keep", "ada@example.com", scope="here")
    assert "ada@example.com" in desk.state([kept]).text
    assert "ada@example.com" not in desk.state([kept, FindingDecision(True, (span("ada@example.com"),))]).text


def test_findings_are_in_effect_unless_rejected(desk: Desk) -> None:
    whole = FindingDecision(False, (span("ada@example.com"),))
    assert "ada@example.com" not in desk.state().text
    assert "example.com" in desk.state([whole]).text
    assert "example.com" not in desk.state([whole, replace(whole, accept=True)]).text


def test_the_rest_of_an_edit_that_is_cut_into_still_goes(desk: Desk) -> None:
    cut = about("keep", "Globe", scope="here")
    assert "a [REDACTED] Globe [REDACTED] in" in desk.state([about("remove", "Golden Globe Award"), cut]).text
    replaced = about("replace", "Golden Globe Award", replacement="prize")
    assert "a [REDACTED] Globe [REDACTED] in" in desk.state([replaced, cut]).text


def test_a_doubtful_finding_waits_for_a_person(folder: Path) -> None:
    strict = replace(policy(folder), detection=Detection(labels=("EMAIL",), thresholds={"EMAIL": 0.99}))
    desk = Desk(strict, document())
    (claim,) = [each for each in desk.overview().findings if each.label == "EMAIL"]
    assert claim.doubtful
    assert "ada@example.com" in desk.state().text
    assert any(task.kind == "finding" for task in desk.state().guide)
    state = desk.state([FindingDecision(True, (claim.span,))])
    assert "ada@example.com" not in state.text
    assert not any(task.kind == "finding" for task in state.guide)


def test_a_document_with_nothing_to_change(folder: Path) -> None:
    desk = Desk(policy(folder), document("Nothing here."))
    assert desk.state().text == "Nothing here."
    assert desk.state().changes == ()
    assert desk.release(()).holds


def test_what_is_put_in_beside_what_goes_brings_no_letter_of_it_to_light(folder: Path) -> None:
    text = "call Ada"
    desk = Desk(policy(folder), document(text))
    made: list[Decision] = [
        TermDecision("remove", (span("Ada", text),)),
        TextDecision((Replacement(Span(len(text), len(text)), " now"),)),
    ]
    assert "a" not in desk.state(made).text.removeprefix("call").replace("[REDACTED]", "")


@pytest.mark.parametrize("name", ["topic", "who", "word"])
def test_a_text_that_names_a_secret_tells_it_whatever_models_say(desk: Desk, name: str) -> None:
    kept = desk.settle(about("keep", PERSON, scope="here"))
    written = about("replace", "Zorblax", replacement=f"our {PERSON.upper()}")
    for made in ([StrengthDecision(name, 99), kept], [StrengthDecision(name, 99), written]):
        (level,) = [each for each in desk.state(made).standing.levels if each.secret == name]
        assert level.stays
        assert level.now == 1.0
        assert "names it" in level.verdict
    assert any(task.kind == "written" for task in desk.state([written]).guide)
    released = desk.release([kept])
    assert name in {risk.secret for risk in released.risks}
    assert not released.holds


# The overview


def test_terms_say_what_they_tell_alone_and_beside_what(desk: Desk) -> None:
    terms = {entry.text: entry for entry in desk.overview().terms}
    assert [each.of(TEXT) for each in terms["lyon"].spans] == ["Lyon", "Lyon"]
    told = {each.secret: each for each in terms["lyon"].told}
    assert told["topic"].highest > told["topic"].alone
    assert desk.places.id("firefighter") in told["topic"].partners
    assert {each.secret for each in terms["brewery"].told} >= {"trade"}
    assert all(0 <= each.alone <= each.highest <= 1 for entry in terms.values() for each in entry.told)
    assert "zorblax" in terms
    assert not any(each.known for each in terms["zorblax"].told if each.secret == "topic")


def test_an_id_tells_nothing_to_who_has_not_got_the_document(desk: Desk, folder: Path) -> None:
    other = Desk(policy(folder), document(TEXT + " "))
    assert desk.places.id("lyon") != other.places.id("lyon")
    with pytest.raises(PolicyError):
        desk.term("0000000000000000")


def test_sentences_that_stand_in_the_corpus_are_marked(folder: Path) -> None:
    text = f"{LYON} {PERSON} won a Golden Globe Award for Glass Harbour."
    desk = Desk(policy(folder, "topic"), document(text))
    found = desk.overview().verbatim
    assert [each.span.of(text) for each in found][:1] == ["An emergency worker lives there."] or found
    assert any("b" in each.documents for each in found)


def test_a_term_has_its_places_rules_and_documents(desk: Desk) -> None:
    detail = desk.term(desk.places.id("lyon"))
    assert len(detail.occurrences) == 2
    assert all(each.span in each.context for each in detail.occurrences)
    rules = [each for each in detail.rules if each.secret == "topic"]
    assert any(desk.places.id("firefighter") in each.terms for each in rules)
    assert any("firefighter" in hit.snippet for each in rules for hit in each.documents)
    assert all(0 <= each.confidence <= 1 for each in detail.rules)


# Scores, sliders and the guide


def test_the_score_is_that_of_the_edited_document(folder: Path) -> None:
    chosen = policy(folder, "topic")
    desk = Desk(chosen, document())
    rejected = FindingDecision(False, tuple(each.span for each in desk.overview().findings))
    state = desk.state([rejected, about("replace", "firefighter", replacement="worker")])
    draft, _, _ = drafted([change.edit for change in state.changes], desk.document)
    published, proof = rate(document(), replace(draft, native=b""), chosen)
    assert state.standing.score == published
    assert state.standing.padding_proof == proof
    assert state.history[-1].total == state.standing.score.total
    assert [each.decisions for each in state.history] == [0, 1, 2]
    assert state.standing.score.change > 0


@pytest.mark.parametrize("name", ["topic", "trade", "who", "word"])
def test_every_stop_takes_what_those_before_it_do_and_does_what_it_says(desk: Desk, name: str) -> None:
    slider = desk.slider(name)
    assert [stop.k for stop in slider.stops] == list(range(1, len(slider.stops) + 1))
    for before, after in zip(slider.stops, slider.stops[1:], strict=False):
        assert set(before.edits) <= set(after.edits)
        assert after.words <= before.words
    for stop in slider.stops:
        now = levels(desk.state([StrengthDecision(name, stop.k)]))[name]
        if name != "who":  # there, all people count and not those alone whom the planner chooses among
            assert now == pytest.approx(stop.risk)
        assert stop.reached == (stop.risk <= stop.ceiling + 1e-9)
    assert slider.stops[slider.asked - 1].reached or name == "who"


def test_the_guide_leads_to_a_text_that_tells_nothing(folder: Path) -> None:
    desk = Desk(policy(folder, "topic"), document())
    made: list[Decision] = []
    for _ in range(12):
        tasks = [task for task in desk.state(made).guide if task.kind == "term"]
        if not tasks:
            break
        assert tasks[0].reason
        made.append(TermDecision("remove", tasks[0].spans, term=tasks[0].term))
    assert desk.state(made).standing.holds


def test_suggestions_come_with_their_risk_and_have_no_word_that_goes(desk: Desk) -> None:
    offered = desk.suggest(desk.places.id("firefighter"))
    assert offered
    assert all(each.after <= each.before for each in offered)
    assert desk.suggest(span("firefighter")) == offered


def test_suggestions_for_a_class_say_how_likely_it_is_from_the_words_alone(folder: Path) -> None:
    desk = Desk(policy(folder, "trade"), document())
    offered = desk.suggest(desk.places.id("orchard"))
    seen = desk.first.views["trade"]
    assert offered
    for each in offered:
        assert each.before == pytest.approx(seen.alone[seen.numbers["orchard"]])
        assert each.after < each.before


# Free editing


@QUICK
@given(made=decisions(), seed=st.integers(0, 10_000), count=st.integers(1, 4))
def test_an_edited_text_is_what_it_becomes(desk: Desk, made: list[Decision], seed: int, count: int) -> None:
    text, chance = desk.state(made).text, random.Random(seed)
    lines = text.split("\n\n")
    for _ in range(count):
        line = chance.randrange(len(lines))
        words = lines[line].split(" ")
        at = chance.randrange(len(words))
        words[at : at + chance.randrange(3)] = chance.sample(["plain", "caf\u00e9", "\N{FIRE ENGINE}", "e\u0301a"], 2)
        lines[line] = " ".join(words)
    edited = "\n\n".join(lines)
    preview = desk.preview(edited, made)
    state = desk.state([*made, preview.decision])
    if "  " not in edited:  # spaces that line something up are levelled
        assert state.text == edited
    assert preview.standing == state.standing


def test_an_unchanged_text_changes_nothing(desk: Desk) -> None:
    assert desk.preview(desk.state().text).decision.replacements == ()


@QUICK
@given(seed=st.integers(0, 10_000), count=st.integers(1, 5))
def test_an_edited_text_is_read_like_any_other(seed: int, count: int) -> None:
    chance = random.Random(seed)
    starts = sorted(chance.sample(range(len(TEXT)), count))
    put, pieces, at, length = list[tuple[Span, Span]](), list[str](), 0, 0
    for start, limit in zip(starts, [*starts[1:], len(TEXT)], strict=True):
        end, said = min(start + chance.randrange(12), limit), chance.choice([*WRITTEN, "-", " x ", "\n"])
        pieces += (TEXT[at:start], said)
        length += start - at
        put.append((Span(start, end), Span(length, length + len(said))))
        length, at = length + len(said), end
    text = "".join((*pieces, TEXT[at:]))
    reader = Reader()
    reader.edit(TEXT, text, put)
    spliced, whole = reader.read(text), Read.of(text)
    for name in ("starts", "ends", "forms", "words"):
        assert getattr(spliced, name) == getattr(whole, name)
    agreeing = np.mean([one == other for one, other in zip(spliced.parts, whole.parts, strict=True)])
    assert agreeing > 0.8


# Release


class Hound:
    """Attacks that each win as long as a word is there, and say where."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[object] = ()) -> list[Outcome]:
        places = {word: (span(word, document.text),) if word in document.text else () for word in self.words}
        return [
            Outcome(f"hound:{word}", "trade", 0.0, float(bool(found)), (0.0, 1.0), 1, wins=bool(found), telling=found)
            for word, found in places.items()
        ]


def test_the_gate_takes_what_an_attack_went_by_but_nothing_that_was_kept(folder: Path) -> None:
    redactor = Redactor(replace(policy(folder), components=replace(Policy().components, attacks=("hound",))))
    redactor._components["attacks", "hound"] = Hound("quay", "brewery")
    desk = Desk(redactor, document())
    open_ = desk.release(())
    assert open_.holds
    assert {edit.span.of(TEXT) for edit in open_.added} == {"quay", "brewery"}
    kept = desk.release([about("keep", "brewery")])
    assert "brewery" in kept.redaction.document.text
    assert "quay" not in kept.redaction.document.text
    assert not kept.holds
    assert [outcome.attack for outcome in kept.outcomes] == ["hound:brewery"]
    assert kept.kept == (span("brewery"),)


def test_a_release_says_which_risk_stays(desk: Desk) -> None:
    assert desk.plan(()).status == "a risk stays"
    released = desk.release([StrengthDecision("topic", 9), about("keep", "firefighter")])
    assert "topic" in {risk.secret for risk in released.risks}
    assert "firefighter" in released.redaction.document.text
    assert not released.holds
    assert intersect(released.kept, [edit.span for edit in released.redaction.plan.edits]) == ()


# What is refused, and what is not shown


@pytest.mark.parametrize(
    "wrong",
    [
        TermDecision("remove", (Span(0, 10_000),)),
        TermDecision("remove", term="0000000000000000"),
        StrengthDecision("nobody", 2),
        FindingDecision(False, (Span(1, 2),)),
        TextDecision((Replacement(Span(9_000, 9_001), "x"),)),
    ],
)
def test_decisions_about_something_else_are_refused(desk: Desk, wrong: Decision) -> None:
    with pytest.raises(PolicyError):
        desk.settle(wrong)
    with pytest.raises(PolicyError):
        desk.state([wrong])


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        {"kind": "other"},
        {"kind": "term", "action": "burn", "spans": [{"start": 0, "end": 1}]},
        {"kind": "term", "action": "remove"},
        {"kind": "term", "action": "replace", "spans": [{"start": 0, "end": 1}]},
        {"kind": "term", "action": "remove", "spans": [{"start": 3, "end": 3}]},
        {"kind": "strength", "secret": "x", "k": 0},
        {"kind": "text", "replacements": [{"span": {"start": 4, "end": 6}, "text": ""}] * 2},
    ],
)
def test_malformed_decisions_are_refused(data: object) -> None:
    with pytest.raises(MalformedData):
        decision(data)


def test_values_go_to_json_and_back_and_show_no_text(desk: Desk) -> None:
    made = [about("replace", "firefighter", replacement="worker"), about("keep", "Lyon")]
    state, overview, slider = desk.state(made), desk.overview(), desk.slider("trade")
    detail, preview = desk.term(desk.places.id("lyon")), desk.preview(desk.state(made).text + " Glass", made)
    for value in (state, overview, slider, detail, preview, *made):
        again = type(value).from_json(json.loads(json.dumps(value.to_json())))
        assert again == value
        shown = repr(value)
        assert not any(word in shown for word in ("firefighter", "worker", "Lyon", "Quillfeather", "mill", "Glass"))
    assert isinstance(state, State)
    assert isinstance(overview, Overview)
    assert isinstance(slider, Slider)
    assert "Lyon" not in repr(desk)


# What is remembered


@QUICK
@given(
    asked=st.lists(
        st.lists(st.sampled_from(["lyon", "film", "award", "worker", "glass", "1980s", "france"]), max_size=5),
        max_size=6,
    )
)
def test_a_corpus_that_remembers_answers_alike(asked: list[list[str]]) -> None:
    plain = PlainCorpus(DOCUMENTS)
    known = AskedArchive(plain)
    for terms in asked:
        unique = list(dict.fromkeys(terms))
        for topic in (None, (PERSON,)):
            expected = plain.count_matrix(unique, "document", topic)
            assert (known.count_matrix(unique, "document", topic) == expected).all()
        sets = [unique[:1], unique[1:3]]
        assert (known.count_all(sets, "document") == plain.count_all(sets, "document")).all()
        assert (known.tells(sets, PERSON, 3, "all") == plain.tells(sets, PERSON, 3, "all")).all()
        assert known.holding(sets, 2) == plain.holding(sets, 2)
        often = known.occurrences(unique, "document")
        assert (often.toarray() == plain.occurrences(unique, "document").toarray()).all()
    assert known.without(["a"]).size("document") == plain.size("document") - 1


def test_a_term_more_is_counted_by_itself() -> None:
    plain = PlainCorpus(DOCUMENTS)
    known = AskedArchive(plain)
    terms = ["lyon", "film", "award", "glass", "worker", "france", "city", "number", "saw", "given", "won", "1987"]
    for topic in (None, (PERSON,)):
        for count in (len(terms) - 1, len(terms)):
            found = known.count_matrix(terms[:count], "document", topic)
            assert (found == plain.count_matrix(terms[:count], "document", topic)).all()
