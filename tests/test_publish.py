"""A corpus that is marked in part, published by the command line and by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.marked_notes import notes
from withhold.cli import main
from withhold.errors import MalformedData, NotFitted, OutputError
from withhold.fit.annotated import Annotated, read_annotated
from withhold.fit.publishing import hide, publish
from withhold.policy import Policy, Publishing
from withhold.spans import Span

POLICY = Policy(publishing=Publishing(loss=20))
PLAIN = Policy(publishing=Publishing(rule="paper"))


def record(note: Annotated, *, marked: bool = True) -> dict[str, object]:
    spans = [{"start": each.span.start, "end": each.span.end, "label": each.label} for each in note.mentions]
    return {"id": f"of {note.text.split()[1]}", "text": note.text, **({"spans": spans} if marked else {})}


def corpus(place: Path, *, marked: int = 8, bare: int = 4) -> Path:
    records = [record(note, marked=n < marked) for n, note in enumerate(notes(marked + bare))]
    place.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return place


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    return int(stopped.value.code or 0)


def test_texts_that_nobody_marked_are_read_only_if_asked_for(tmp_path: Path) -> None:
    source = corpus(tmp_path / "notes.jsonl")
    read = read_annotated(source, bare=True)
    assert [each.annotators for each in read] == [1] * 8 + [0] * 4
    with pytest.raises(MalformedData, match="line 9"):
        read_annotated(source)
    source.write_text('{"text": "a", "spans": "b"}')
    with pytest.raises(MalformedData, match="no list of spans"):
        read_annotated(source, bare=True)


def test_what_is_marked_goes_and_most_of_what_is_not(tmp_path: Path) -> None:
    source, output = corpus(tmp_path / "notes.jsonl"), tmp_path / "out.jsonl"
    done = publish(source, output, POLICY)
    written = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [each["document"] for each in written] == list(range(1, 13))
    assert all(set(each) == {"document", "text"} for each in written)
    left = total = 0
    for number, (note, each) in enumerate(zip(notes(12), written, strict=True)):
        names = {mention.span.of(note.text) for mention in note.mentions}
        found = sum(f" {name} " in each["text"] for name in names)
        assert number >= 8 or not found
        left, total = left + found, total + (len(names) if number >= 8 else 0)
        assert "in the hall" in each["text"]
    assert left < 0.1 * total
    assert (done.documents, done.labelled) == (12, 8)
    assert 0.5 < done.publish_ratio < 1
    assert done.sieve.residual_share < 0.1


def test_the_same_corpus_gives_the_same_bytes(tmp_path: Path) -> None:
    source = corpus(tmp_path / "notes.jsonl", marked=4, bare=1)
    first, second = tmp_path / "1", tmp_path / "2"
    publish(source, first, POLICY)
    publish(source, second, POLICY)
    assert first.read_bytes() == second.read_bytes()


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    source, output = corpus(tmp_path / "notes.jsonl", marked=2, bare=0), tmp_path / "out.jsonl"
    output.write_text("mine")
    with pytest.raises(OutputError):
        publish(source, output, PLAIN)
    with pytest.raises(OutputError):
        publish(source, source, PLAIN, overwrite=True)
    publish(source, output, PLAIN, overwrite=True)
    assert "mine" not in output.read_text("utf-8")


def test_a_corpus_without_marks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFitted, match="nothing to learn"):
        publish(corpus(tmp_path / "notes.jsonl", marked=0), tmp_path / "out", POLICY)
    assert not (tmp_path / "out").exists()


def test_marks_take_the_place_of_spans() -> None:
    assert hide("abcdef", [Span(0, 1), Span(3, 5)], "#") == "#bc#f"
    assert hide("abc", [], "#") == "abc"


def test_the_commands_say_what_was_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, policy = corpus(tmp_path / "notes.jsonl", marked=4, bare=1), tmp_path / "policy.toml"
    policy.write_text('[publishing]\nloss = 20\nrule = "paper"\nlearners = ["svm", "adaboost"]\n')
    assert run("publish", str(source), "-p", str(policy), "-o", str(tmp_path / "out"), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labelled"] == 4
    assert told["sieve"]["loss"] == 20
    assert {"kept", "publish_ratio", "residual_share", "iterations"} <= set(told["sieve"])
    assert run("publish", str(source), "-o", str(tmp_path / "out")) == 1
    assert run("publish", str(source), "-o", str(tmp_path / "out"), "--overwrite") == 0
    assert "iterations" in capsys.readouterr().out
    marked = corpus(tmp_path / "marked.jsonl", marked=4, bare=0)
    model = tmp_path / "model"
    assert run("fit", "detector", str(marked), "--greedy", "--policy", str(policy), "-o", str(model), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["detector"]["steps"][0]["caught"] > 0
    assert run("fit", "detector", str(marked), "--greedy", "-o", str(model)) == 1
    assert run("fit", "detector", str(marked), "--greedy", "--folds", "0", "-o", str(model)) == 2
    assert run("fit", "detector", str(marked), "--policy", str(policy), "-o", str(tmp_path / "other")) == 2
