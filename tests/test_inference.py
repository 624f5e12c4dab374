"""From a corpus to a written file: what a reader could look up is no longer to be found in any format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.search_servers import OpenSearchEngine, serving
from withhold import Background, Document, Inference, Policy, Redactor, Secret
from withhold.corpora.index import Writer
from withhold.learners.features import words
from withhold.policy import Find, Planning
from withhold.types import excerpt

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TEXT = (EXAMPLES / "profile.txt").read_text("utf-8")
PERSON = "Bram Bellweather"


RECORDS = map(json.loads, (EXAMPLES / "archive.jsonl").read_text("utf-8").splitlines())
ARCHIVE = [(record["id"], record["title"], record["text"]) for record in RECORDS]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive") / "index"
    with Writer(folder) as writer:
        for record in ARCHIVE:
            writer.add(*record)
        writer.commit()
    return folder


def policy(index: Path, model: str, **inference: int) -> Policy:
    secret = Secret("guest", model, value=PERSON, aliases=("Bellweather",))
    return Policy(secret=(secret,), corpus=Background(index=str(index)), inference=Inference(**inference))


def html(text: str) -> bytes:
    parts = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    return f"<!DOCTYPE html><html><head><title>x</title></head><body>{parts}</body></html>".encode()


@pytest.mark.parametrize("model", ["association", "information"])
@pytest.mark.parametrize(("name", "data"), [("a.txt", TEXT.encode()), ("a.md", TEXT.encode()), ("a.html", html(TEXT))])
def test_nothing_is_left_to_look_up(index: Path, model: str, name: str, data: bytes) -> None:
    redactor = Redactor(policy(index, model))
    document = redactor.read(data, name=name)
    redaction = redactor.redact(document)
    [risk] = redaction.plan.risks
    assert risk.before > risk.ceiling >= risk.after
    assert redaction.plan.status == "done"
    [again] = redactor.assess(redactor.read(redaction.document.native, name=name), document)
    assert not again.stays
    assert len(words(redaction.document.text)) > 0.8 * len(words(document.text)) - 60


def test_terms_that_were_not_looked_at_are_once_the_others_are_gone(index: Path) -> None:
    few = Redactor(policy(index, "information", keywords=8))
    document = few.read(TEXT.encode(), name="a.txt")
    once = few.plan(few.detect(document), few.assess(document))
    plan = few.plan_for(document)
    assert {edit.span for edit in once.edits} < {edit.span for edit in plan.edits}
    assert not any(risk.stays for risk in few.apply(plan, document).plan.risks)


@pytest.mark.parametrize("model", ["association", "information"])
def test_every_rule_can_be_counted_again(index: Path, model: str) -> None:
    redactor = Redactor(policy(index, model))
    document = redactor.read(TEXT.encode(), name="a.txt")
    [risk] = redactor.assess(document)
    assert risk.evidence
    for evidence in risk.evidence[:10]:
        assert evidence.documents
        assert all(excerpt(document, evidence.spans))


def test_a_corpus_that_is_not_there_is_told(tmp_path: Path) -> None:
    from withhold.errors import CorpusError

    document = Redactor().read(TEXT.encode(), name="a.txt")
    with pytest.raises(CorpusError, match="corpus build"):
        Redactor(policy(tmp_path / "none", "association")).assess(document)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["association", "information"])
def test_a_search_engine_is_asked_within_the_budget_of_each_document(model: str) -> None:
    with serving(OpenSearchEngine(ARCHIVE[:20])) as engine:
        background = Background("opensearch", url=engine.url, collection="pages:text", per_second=1e6, budget=150)
        redactor = Redactor(replace(policy(Path("none"), model), corpus=background))
        assert "at most 150 queries" in redactor.disclosure
        for text in (TEXT[:700], TEXT[700:1200]):
            engine.queries.clear()
            risks = redactor.redact(text.encode(), name="a.txt").plan.risks
            assert 0 < len(engine.queries) <= 150
            assert not any(risk.stays for risk in risks)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One person, whom rare and common words tell, and others whom other words tell."""
    folder = tmp_path_factory.mktemp("people") / "index"
    with Writer(folder) as writer:
        writer.add("ann", "Ann Ott", "kind carpenter ripon")
        for number in range(30):
            plain = " ".join(f"plain{number}x{word}" for word in range(20))
            writer.add(f"kind{number}", f"Kind {number}", f"kind {plain}")
        for number in range(10):
            writer.add(f"sailor{number}", f"Sailor {number}", "harbourmaster sailor brisk wind")
            writer.add(f"diver{number}", f"Diver {number}", "harbourmaster diver brisk wind")
        writer.commit()
    return folder


def test_who_was_hidden_by_words_that_go_later_is_hidden_again(people: Path) -> None:
    secrets = (Secret("who", person="Ann Ott", k=3), Secret("words", "information", value="harbourmaster"))
    look = Inference(keywords=1, size=1)
    redactor = Redactor(Policy(secret=secrets, corpus=Background(index=str(people)), inference=look))
    document = redactor.read(b"A kind carpenter from Ripon, once a sailor and a diver.", name="a.txt")
    plan = redactor.plan_for(document)
    redaction = redactor.apply(plan, document)
    assert [risk.after for risk in plan.risks] == [risk.after for risk in redaction.plan.risks]
    assert not any(risk.stays for risk in plan.risks)


def test_a_more_general_word_that_tells_another_secret_goes(people: Path, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("ripon,brisk\n")
    secrets = (Secret("who", person="Ann Ott", k=3), Secret("words", "information", value="harbourmaster"))
    corpus = Background(index=str(people))
    planning = Planning(generalise=True, taxonomy=str(tmp_path / "own.csv"))
    for chosen, written in ((secrets[:1], True), (secrets, False)):
        redactor = Redactor(Policy(secret=chosen, corpus=corpus, planning=planning))
        redaction = redactor.redact(b"They spoke of Ripon at length.", name="a.txt")
        assert not any(risk.stays for risk in redaction.plan.risks)
        assert ("Brisk" in redaction.document.text) == written


def test_a_more_general_word_that_spells_out_what_goes_goes(people: Path, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("ripon,brisk wind\n")
    policy = Policy(
        secret=(Secret("who", person="Ann Ott", k=3),),
        find=(Find(terms=("Skwin",)),),
        corpus=Background(index=str(people)),
        planning=Planning(generalise=True, taxonomy=str(tmp_path / "own.csv")),
    )
    for said, written in ((b"They spoke of Ripon.", True), (b"They spoke of Ripon to Skwin.", False)):
        text = Redactor(policy).redact(said, name="a.txt").document.text
        assert "Ripon" not in text
        assert ("Brisk wind" in text) == written


def test_several_secrets_at_once(index: Path) -> None:
    first = policy(index, "association")
    other = Secret("town", "association", value="Fallowfield")
    redactor = Redactor(replace(first, secret=(*first.secret, other)))
    redaction = redactor.redact(
        Document(TEXT, TEXT.encode(), "txt", Redactor().read(TEXT.encode(), name="a.txt").blocks)
    )
    assert len(redaction.plan.risks) == 2
    assert not any(risk.stays for risk in redaction.plan.risks)
    assert "fallowfield" not in words(redaction.document.text)


def test_a_file_name_that_tells_is_told(index: Path, tmp_path: Path) -> None:
    from withhold.batch.redact import Job, RedactFile, Task

    for name, tells in (("Cobalt at Dawn.txt", True), ("a conversation.txt", False)):
        source, target = tmp_path / name, tmp_path / "out" / name
        source.write_text(TEXT)
        target.parent.mkdir(exist_ok=True)
        result = RedactFile(policy(index, "association"))(Task(Job(str(source), str(target))))
        assert result.risk_stays == tells
        assert any("name of the file" in note for note in result.notes) == tells
