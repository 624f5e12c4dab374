"""Labelled documents: the same from every kind of source, errors with line numbers and no text; fitting from them."""

from __future__ import annotations

import csv
import gzip
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from withhold.errors import DamagedDocument, DocumentError, MalformedData, NotFitted, OutputError, UnsupportedFormat
from withhold.fit import concepts as fitting
from withhold.fit import labelled
from withhold.fit.concepts import Fitted, fit_concepts, held_out
from withhold.fit.labelled import Labelled, Skipped, documents
from withhold.learners.concepts import Concepts
from withhold.learners.statistics import Statistics

RECORDS = [
    {"text": 'Steel for the plant,\nas "agreed"', "client": "Acme", "sector": "industry"},
    {"text": "A loan; from Zürich", "client": "Bank of B", "sector": "finance"},
    {"text": "Rails\tand steel", "client": "Corail", "sector": "industry"},
]


def as_labelled(record: dict[str, str]) -> Labelled:
    return Labelled(record["text"], {"client": (record["client"],), "sector": (record["sector"],)})


def write_lines(path: Path, records: list[dict[str, object]]) -> Path:
    data = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_table(path: Path, records: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]), delimiter="\t" if ".tsv" in path.name else ",")
        writer.writeheader()
        writer.writerows(records)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(path.read_bytes()))
    return path


def corpus(size: int, seed: int = 1) -> list[dict[str, object]]:
    draw = np.random.default_rng(seed)
    own = {"Acme": "steel plant", "Bank": "loan bond", "Corail": "rail wagon", "Dole": "fruit farm"}
    sectors = {"Acme": "industry", "Bank": "finance", "Corail": "industry", "Dole": "food"}
    records = []
    for client in draw.choice(list(own), size):
        common = " ".join(f"word{number}" for number in draw.integers(0, 40, 12))
        records.append({"text": f"{common} {own[client]}", "client": str(client), "sector": sectors[client]})
    return records


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.csv", "a.tsv", "a.csv.gz", "a.tsv.gz"])
def test_every_file_gives_the_same(name: str, tmp_path: Path) -> None:
    write = write_table if "sv" in name else write_lines
    path = write(tmp_path / name, RECORDS)  # type: ignore[operator]
    assert list(documents(path, "client", ["sector"])) == [as_labelled(record) for record in RECORDS]


def test_class_folders(tmp_path: Path) -> None:
    for record in RECORDS:
        folder = tmp_path / record["sector"] / record["client"]
        folder.mkdir(parents=True)
        (folder / "12345").write_text(record["text"], "utf-8")
        (folder / ".hidden").write_text("no", "utf-8")
    (tmp_path / "readme.txt").write_text("lost", "utf-8")
    skipped = Skipped()
    found = list(documents(tmp_path, "client", ["sector"], skipped=skipped))
    assert {each.labels["client"][0]: each.labels["sector"][0] for each in found} == {
        record["client"]: record["sector"] for record in RECORDS
    }
    assert sorted(each.text for each in found) == sorted(record["text"] for record in RECORDS)
    assert skipped == {"no 'client'": 1}
    assert {each.labels["sector"][0] for each in documents(tmp_path, "sector")} == {"industry", "finance"}
    with pytest.raises(MalformedData, match=r"labels\.csv"):
        list(documents(tmp_path, "client", ["sector", "country"]))


def test_a_folder_with_a_list(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.txt").write_text("steel", "utf-8")
    (tmp_path / "two.html").write_text("<p>bank <b>loan</b></p>", "utf-8")
    (tmp_path / "three.pdf").write_bytes(b"%PDF-1.4 broken")
    rows = ["deep/one.txt,A,x", "deep/one.txt,A,y", "two.html,B,", "three.pdf,B,y", "missing.txt,B,y", "two.html,,"]
    (tmp_path / "labels.csv").write_text("file,client,sector\n" + "\n".join(rows), "utf-8")
    skipped = Skipped()
    found = list(documents(tmp_path, "client", ["sector"], skipped=skipped))
    assert [(each.text, each.labels["client"], each.labels["sector"], each.name) for each in found] == [
        ("steel", ("A",), ("x", "y"), "one.txt"),
        ("bank loan", ("B",), (), "two.html"),
    ]
    assert skipped == {"DamagedDocument": 1, "DocumentError": 1}


def test_lists_are_several_values_and_nothing_is_none(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"text": "a", "client": ["A", "B", "A"], "sector": [None, 7]},
        {"text": "b", "client": None},
        {"text": "c", "client": " C "},
        {"text": "d", "client": []},
    ]
    skipped = Skipped()
    found = list(documents(write_lines(tmp_path / "a.jsonl", lines), "client", ["sector"], skipped=skipped))
    assert [each.labels for each in found] == [
        {"client": ("A", "B"), "sector": ("7",)},
        {"client": ("C",), "sector": ()},
    ]
    assert skipped == {"no 'client'": 2}


@pytest.mark.parametrize("block", [1, 7, 100])
def test_lines_may_be_cut_anywhere(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*RECORDS, *RECORDS])  # type: ignore[list-item]
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\n").rstrip())
    monkeypatch.setattr(labelled, "_BLOCK", block)
    assert list(documents(path, "client", ["sector"])) == [as_labelled(record) for record in [*RECORDS, *RECORDS]]
    path.write_bytes(path.read_bytes() + b"\r\n\nsecret")
    with pytest.raises(MalformedData, match="line 13: not JSON"):
        list(documents(path, "client"))


GOOD = b'{"text": "a", "client": "A"}\n'


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jsonl", GOOD + b"zebra", "line 2: not JSON"),
        ("a.jsonl", GOOD + b'{"text": "\xff zebra", "client": "A"}', "line 2: not UTF-8"),
        ("a.jsonl", GOOD + b"[" * 100_000, "line 2: not JSON"),
        ("a.jsonl", GOOD + b'["zebra"]', "line 2: expected an object"),
        ("a.jsonl", GOOD + b'{"text": "zebra", "customer": "A"}', "line 2: no 'client'; there are: 'text', 'customer'"),
        ("a.jsonl", GOOD + b'{"body": "zebra", "client": "A"}', "line 2: no 'text'; there are: 'body', 'client'"),
        ("a.jsonl", GOOD + b'{"text": 5, "client": "zebra"}', "line 2: 'text' must be text"),
        ("a.jsonl", GOOD + b'{"text": "zebra", "client": {"a": 1}}', "line 2: 'client' must be text or a list"),
        ("a.jsonl", GOOD + b'{"text": "zebra", "client": [["a"]]}', "line 2: 'client' must be text or a list"),
        ("a.csv", b"text,customer\nzebra,A\n", "line 1: no 'client'; there are: 'text', 'customer'"),
        ("a.csv", b"text,client,client\nzebra,A,A\n", "line 1: 'client' more than once"),
        ("a.csv", b"text,client\nzebra,A\nzebra\n", "line 3: 1 cells, but the header has 2"),
        ("a.csv", b'text,client\n"zebra"x,A\n', "not a table"),
        ("a.csv", b"text,client\n\xff\xfezebra,A\n", "not a table in UTF-8"),
        ("a.csv", b"A zebra stood by the river,A\n", "line 1: no 'text', 'client'; there are 2 others that are hardly"),
        ("a.csv", b"", "line 1: no 'text', 'client'; there are: nothing"),
    ],
)
def test_errors_say_where_and_not_what(name: str, data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(MalformedData) as raised:
        list(documents(tmp_path / name, "client"))
    assert said in str(raised.value)
    assert "zebra" not in str(raised.value)


def test_sources_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        list(documents(tmp_path / "missing.jsonl", "client"))
    with pytest.raises(DocumentError, match="no files in it"):
        list(documents(tmp_path, "client"))
    (tmp_path / "a.doc").write_bytes(b"")
    with pytest.raises(UnsupportedFormat, match="jsonl"):
        list(documents(tmp_path / "a.doc", "client"))
    whole = write_lines(tmp_path / "a.jsonl.gz", RECORDS).read_bytes()  # type: ignore[arg-type]
    for damaged in (whole[:-12], b"no gzip", whole[:20] + b"\x00\x00" + whole[22:]):
        (tmp_path / "b.jsonl.gz").write_bytes(damaged)
        with pytest.raises((DamagedDocument, MalformedData)):
            list(documents(tmp_path / "b.jsonl.gz", "client"))
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / "labels.csv").write_text("file,client\n../a.doc,A\n", "utf-8")
    with pytest.raises(MalformedData, match="line 2: the file is not inside"):
        list(documents(tmp_path / "list", "client"))


def fit(source: Path, folder: Path, **options: object) -> Fitted:
    return fit_concepts(source, folder, **{"secret": "client", "keep": ["sector"], "workers": 1, **options})  # type: ignore[arg-type]


def test_fitting(tmp_path: Path) -> None:
    records = corpus(300)
    source = write_lines(tmp_path / "a.jsonl", records)
    given: list[Labelled] = []
    read: list[int] = []
    fitted = fit(source, tmp_path / "model", attackers=given.extend, progress=read.append, aliases={"Acme": ["ACM"]})
    model = Concepts.load(tmp_path / "model")
    assert fitted.documents + fitted.held_out == 300 == read[-1]
    assert fitted.held_out == len(given) > 50
    assert fitted.classes == {"client": 4, "sector": 3}
    assert fitted.in_use == len(model.words)
    assert model.aliases == {"Acme": ("ACM",)}
    assert all(model.remembers(each.text) is None for each in given)
    learnt = {str(record["text"]) for record in records} - {each.text for each in given}
    assert all(model.remembers(text) for text in learnt)
    scores = model.attributes["client"].scores(model.vectorise([each.text for each in given]))
    best = [model.attributes["client"].classes[number] for number in scores.argmax(axis=1)]
    assert np.mean([guess == each.labels["client"][0] for guess, each in zip(best, given, strict=True)]) > 0.9


def test_only_what_is_learnt_gives_words(tmp_path: Path) -> None:
    records = corpus(100)
    for number, record in enumerate(records):
        record["text"] = f"{record['text']} own{number}"
    source = write_lines(tmp_path / "a.jsonl", records)
    given: list[Labelled] = []
    fit(source, tmp_path / "model", attackers=given.extend)
    known = set(Concepts.load(tmp_path / "model").statistics.words)
    assert {record["text"] for record in records if str(record["text"]).split()[-1] not in known} == {
        each.text for each in given
    }


def test_every_way_of_fitting_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one piece, in many, by other processes, and in two steps."""
    records = corpus(400)
    whole = write_lines(tmp_path / "whole.jsonl", records)
    parts = [write_lines(tmp_path / "1.jsonl", records[:150]), write_lines(tmp_path / "2.jsonl", records[150:])]
    held: dict[str, list[str]] = {"one": [], "two": []}
    fit(whole, tmp_path / "one", attackers=lambda given: held["one"].extend(each.text for each in given))
    monkeypatch.setattr(labelled, "_BLOCK", 5_000)
    fit(whole, tmp_path / "two", workers=2, attackers=lambda given: held["two"].extend(each.text for each in given))
    fit(parts[0], tmp_path / "three")
    fit(parts[1], tmp_path / "three", update=True)
    models = [Concepts.load(tmp_path / name) for name in ("one", "two", "three")]
    assert held["one"] == held["two"]
    assert len({tuple(model.words) for model in models}) == 1
    for model in models[1:]:
        for name, expected in models[0].attributes.items():
            assert model.attributes[name].classes == expected.classes
            columns = np.arange(len(model.words))
            assert np.array_equal(model.attributes[name].counts(columns), expected.counts(columns))
    assert len({model.statistics.documents for model in models}) == 1


def test_what_is_held_out_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_lines(tmp_path / "a.jsonl", corpus(300))
    everything: list[Labelled] = []
    fit(source, tmp_path / "one", attackers=everything.extend)
    monkeypatch.setattr(labelled, "_BLOCK", 2_000)
    monkeypatch.setattr(fitting, "MAX_HELD", 10)
    few: list[Labelled] = []
    fitted = fit(source, tmp_path / "two", attackers=few.extend)
    assert few == everything[:10]
    assert fitted.held_out == len(everything)
    monkeypatch.setattr(fitting, "MAX_HELD_CHARACTERS", 3 * len(everything[0].text))
    fit(source, tmp_path / "two", overwrite=True, attackers=few.extend)
    assert few[10:] == everything[: len(few) - 10]
    assert 1 <= len(few) - 10 < 6


def test_the_share_held_out() -> None:
    marks = np.random.default_rng(0).integers(0, 2**64, 20_000, dtype=np.uint64)
    assert abs(held_out(marks, 0.3).mean() - 0.3) < 0.02
    assert not held_out(marks, 0.0).any()


def test_refusals_come_first(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", corpus(50))
    fit(source, tmp_path / "model")
    with pytest.raises(OutputError, match="already"):
        fit(tmp_path / "missing.jsonl", tmp_path / "model")
    with pytest.raises(OutputError, match="model of 'client'"):
        fit(source, tmp_path / "model", secret="sector", keep=[], update=True)
    with pytest.raises(NotFitted, match="no model"):
        fit(source, tmp_path / "other", update=True)
    with pytest.raises(NotFitted, match="no value of 'country'"):
        fit(source, tmp_path / "other", keep=["country"])
    one = write_lines(tmp_path / "one.jsonl", [{"text": f"word{number}", "client": "A"} for number in range(20)])
    with pytest.raises(NotFitted, match="only one value of 'client'"):
        fit(one, tmp_path / "other", keep=[])
    assert not (tmp_path / "other").exists()


def test_errors_of_workers_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_lines(tmp_path / "a.jsonl", corpus(60))
    source.write_bytes(source.read_bytes() + b"zebra\n")
    monkeypatch.setattr(labelled, "_BLOCK", 4_000)
    with pytest.raises(MalformedData, match="line 61: not JSON"):
        fit(source, tmp_path / "model", workers=2)


def test_statistics_can_be_sent_to_other_processes() -> None:
    statistics = Statistics()
    statistics.add(["steel plant"], [{"client": ("A",)}])
    sent = pickle.loads(pickle.dumps(statistics))  # noqa: S301
    sent.add(["steel"], [{"client": ("B",)}])
    assert sent.words == statistics.words
    assert sent.documents == 2
