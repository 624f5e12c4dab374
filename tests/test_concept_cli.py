"""The commands about concepts as a user meets them: corpora, codes, files, and no secret in any message."""

from __future__ import annotations

import csv
import gzip
import json
import os
import random
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures import docx_files, html_files
from withhold.cli import main
from withhold.learners.storage import DESCRIPTION

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "withhold")
MARKER = "Zzyzxmarker"
OWN = {
    "Harbell": ["trawler", "net", "quayside", "haddock", "trim", "Larkport"],
    "Ostrey": ["oyster", "tide", "basket", "rake", "Ferrow", "brine"],
    "Quern": ["flour", "millstone", "sack", "bran", "Tollmere", "grist"],
    "Vexley": ["boiler", "rivet", "steam", "gasket", "Brund", "valve"],
    "Wicken": ["loom", "shuttle", "yarn", "weft", "Selby", "bobbin"],
    "Yarrow": ["kiln", "clay", "glaze", "potter", "Hanmere", "slip"],
}
TRADES = {"Harbell": "food", "Ostrey": "food", "Quern": "food", "Vexley": "works", "Wicken": "works", "Yarrow": "works"}
OF_TRADE = {"food": ["harvest", "taste", "cold", "market"], "works": ["machine", "shift", "factory", "workshop"]}
SHARED = ["board", "plan", "year", "budget", "team", "report", "month", "manager"]
Withhold = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


@pytest.fixture
def withhold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Withhold:
    """Runs the command line in the temporary folder, in this process, and checks its exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object, code: int = 0) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        done = Done(*capfd.readouterr())
        assert ended.value.code == code, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run


def write(client: str, generator: random.Random) -> str:
    words = generator.choices(OWN[client], k=6) + generator.choices(OF_TRADE[TRADES[client]], k=4)
    words += generator.choices(SHARED, k=8)
    generator.shuffle(words)
    return " ".join(words)


def records(each: int = 14, seed: int = 0) -> list[dict[str, str]]:
    generator = random.Random(seed)
    return [
        {"text": write(client, generator), "client": client, "industry": TRADES[client]}
        for _ in range(each)
        for client in OWN
    ]


def save(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus, a table of aliases, a model with attackers, a policy, and documents."""
    folder = tmp_path_factory.mktemp("made")
    save(folder / "corpus.jsonl", records())
    (folder / "aliases.csv").write_text("client,aliases\nHarbell,Harbell & Sons;HBL;harbell.example\n")
    fit = ["fit", "concepts", "corpus.jsonl", "--secret", "client", "--keep", "industry", "-o", "model", "-j", "1"]
    subprocess.run([SCRIPT, *fit, "--aliases", "aliases.csv"], cwd=folder, check=True, capture_output=True)
    (folder / "policy.toml").write_text('[[secret]]\nname = "who"\nmodel = "concepts"\nfitted = "model"\nk = 3\n')
    (folder / "memos").mkdir()
    for number, row in enumerate(records(1, seed=9)):
        (folder / "memos" / f"{number:02}.txt").write_text(row["text"])
    (folder / "memos" / "20.html").write_bytes(html_files.plain([records(1, seed=8)[0]["text"]]))
    (folder / "memos" / "21.docx").write_bytes(docx_files.plain([records(1, seed=8)[1]["text"]]))
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    """The same in the temporary folder, to be changed at will."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


FIT = ("fit", "concepts", "--secret", "client", "-j", "1")


def as_csv(path: Path, rows: list[dict[str, str]], end: str = "\n") -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator=end)
        table.writeheader()
        table.writerows(rows)
    return path


def as_class_folders(path: Path, rows: list[dict[str, str]]) -> Path:
    for number, row in enumerate(rows):
        (path / row["industry"] / row["client"]).mkdir(parents=True, exist_ok=True)
        (path / row["industry"] / row["client"] / f"{number}.txt").write_text(row["text"])
    return path


def as_listed_files(path: Path, rows: list[dict[str, str]]) -> Path:
    path.mkdir()
    labels = []
    for number, row in enumerate(rows):
        (path / f"{number}.docx").write_bytes(docx_files.plain([row["text"]]))
        labels.append({"file": f"{number}.docx", "client": row["client"], "industry": row["industry"]})
    as_csv(path / "labels.csv", labels)
    return path


def as_gzip(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


SOURCES: dict[str, Callable[[Path, list[dict[str, str]]], Path]] = {
    "corpus.jsonl": save,
    "corpus.jsonl.gz": as_gzip,
    "corpus.csv": as_csv,
    "crlf.csv": lambda path, rows: as_csv(path, rows, "\r\n"),
    "folders": as_class_folders,
    "listed": as_listed_files,
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_kind_of_corpus_gives_the_same_model(tmp_path: Path, withhold: Withhold, source: str) -> None:
    SOURCES[source](tmp_path / source, records())
    fitted = withhold(*FIT, source, "--keep", "industry", "-o", "model", "--json").json
    assert fitted["classes"] == {"client": 6, "industry": 2}
    assert fitted["documents"] + fitted["held_out"] == 84
    assert fitted["attackers"] == fitted["held_out"] > 10
    assert (fitted["skipped"], fitted["adaptive"]) == ({}, [])
    assert fitted["words"] == len({word for row in records() for word in row["text"].lower().split()})


def test_fit_tells_what_it_did_and_refuses_to_write_over_a_model(here: Path, withhold: Withhold) -> None:
    done = withhold(*FIT, "corpus.jsonl", "-o", "other")
    assert 'fitted = "other"' in done.stderr
    assert "classes of client" in done.stdout
    assert "already" in withhold(*FIT, "corpus.jsonl", "-o", "other", code=1).stderr
    withhold(*FIT, "corpus.jsonl", "-o", "other", "--overwrite")


def test_a_model_is_not_put_among_the_documents(tmp_path: Path, withhold: Withhold) -> None:
    as_class_folders(tmp_path / "docs", records(4))
    for output in ("docs/model", "docs", "docs/food/../model"):
        assert "is inside docs" in withhold(*FIT, "docs", "--keep", "industry", "-o", output, code=1).stderr


def test_a_model_learns_more(here: Path, withhold: Withhold) -> None:
    save(here / "more.jsonl", records(3, seed=5))
    before = withhold(*FIT, "corpus.jsonl", "--keep", "industry", "-o", "m", "--json").json
    after = withhold(*FIT, "more.jsonl", "--keep", "industry", "-o", "m", "--update", "--json").json
    assert before["documents"] < after["documents"] <= before["documents"] + 18
    assert (
        "not of"
        in withhold("fit", "concepts", "more.jsonl", "--secret", "industry", "-o", "m", "--update", code=1).stderr
    )
    assert "no model" in withhold(*FIT, "more.jsonl", "-o", "nowhere", "--update", code=1).stderr


def test_attackers_who_have_learnt_more_stay(here: Path, withhold: Withhold) -> None:
    update = (*FIT, "more.jsonl", "--keep", "industry", "-o", "model", "--update", "--json")
    before = json.loads((here / "model" / "attackers" / "client" / "attackers.json").read_text())
    save(here / "more.jsonl", records(2, seed=5))
    assert withhold(*update).json["attackers"] == sum(before["documents"]) > 20
    assert json.loads((here / "model" / "attackers" / "client" / "attackers.json").read_text()) == before
    save(here / "more.jsonl", [*records(4, seed=6), *({**row, "client": "Nemo"} for row in records(4, seed=7))])
    withhold(*update)
    assert "Nemo" in json.loads((here / "model" / "attackers" / "client" / "attackers.json").read_text())["classes"]


def test_overwriting_a_model_leaves_nothing_of_the_other(here: Path, withhold: Withhold) -> None:
    shutil.copytree(here / "model", here / "model" / "found" / "001", ignore=shutil.ignore_patterns("attackers"))
    other = [{**row, "client": row["client"].upper()} for row in records()]
    save(here / "corpus.jsonl", other)
    withhold(*FIT, "corpus.jsonl", "--keep", "industry", "-o", "model", "--holdout", "0", "--overwrite")
    assert not (here / "model" / "found").exists()
    assert not (here / "model" / "attackers").exists()
    withhold("plan", "memos/00.txt", "-p", "policy.toml", "-o", "plan.json")
    done = withhold("attack", "memos/00.txt", "-p", "policy.toml", "--source", "memos/00.txt", "--json", code=3)
    assert [each["note"] for each in done.json if each["attack"] == "concept"] == [
        "not tried: the model has no attackers"
    ]


def test_what_was_found_out_about_other_classes_does_no_harm(here: Path, withhold: Withhold) -> None:
    other = [{"text": row["text"], "client": row["client"].upper(), "trade": row["industry"]} for row in records()]
    save(here / "other.jsonl", other)
    withhold(*FIT, "other.jsonl", "--keep", "trade", "-o", "model/found/001")
    withhold("plan", "memos/00.txt", "-p", "policy.toml", "-o", "plan.json")


def test_attackers_learn_from_redactions(here: Path, withhold: Withhold) -> None:
    save(here / "corpus.jsonl", records(25))
    told = withhold(*FIT, "corpus.jsonl", "--keep", "industry", "-o", "m", "--adapt", "1", "--k", "3", "--json").json
    [first] = told["adaptive"]
    assert first["number"] == 1
    assert 0 <= first["interval"][0] <= first["hits"] <= first["interval"][1] <= 1
    assert (here / "m" / "found" / "001").exists() != first["is_at_floor"]
    (here / "policy.toml").write_text('[[secret]]\nname = "who"\nmodel = "concepts"\nfitted = "m"\nk = 3\n')
    withhold("plan", "memos/00.txt", "-p", "policy.toml", "-o", "plan.json")


BAD: dict[str, tuple[list[dict[str, Any]] | str, str]] = {
    "one class": ([{"text": f"{MARKER} word word", "client": MARKER}] * 4, "only one value"),
    "nothing": ("", "no value"),
    "no field": ([{"text": MARKER, "clients": MARKER}], "no 'client'"),
    "text is none": ([{"text": [MARKER], "client": MARKER}], "must be text"),
    "label is none": ([{"text": MARKER, "client": {MARKER: 1}}], "must be text or a list"),
    "not JSON": ('{"text": "' + MARKER, "not JSON"),
    "no words": ([{"text": "", "client": MARKER}, {"text": "", "client": "b"}], "nothing to learn"),
    "no value": ([{"text": MARKER, "client": None}], "no value"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("style", [(), ("--json",)], ids=["words", "json"])
def test_a_bad_corpus_is_refused_without_quoting_it(
    tmp_path: Path, withhold: Withhold, kind: str, style: tuple[str, ...]
) -> None:
    rows, said = BAD[kind]
    if isinstance(rows, str):
        (tmp_path / "c.jsonl").write_text(rows)
    else:
        save(tmp_path / "c.jsonl", rows)
    done = withhold(*FIT, "c.jsonl", "-o", "model", *style, code=1)
    assert said in done.stdout + done.stderr
    assert MARKER.lower() not in (done.stdout + done.stderr).lower()
    assert not (tmp_path / "model" / DESCRIPTION).exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--adapt", "1"), 2, "--keep"),
        (("--phrases", "9"), 2, "--phrases"),
        (("--holdout", "1"), 2, "--holdout"),
        (("--k", "1"), 2, "--k"),
        (("--aliases", "nowhere.csv"), 1, "nowhere.csv"),
        (("--text", "body"), 1, "'body'"),
        (("--keep", "town"), 1, "'town'"),
    ],
)
def test_bad_options_of_fit(here: Path, withhold: Withhold, arguments: tuple[str, ...], code: int, said: str) -> None:
    assert said in withhold(*FIT, "corpus.jsonl", "-o", "m", *arguments, code=code).stderr


@pytest.mark.parametrize("attribute", ["", "..", "../x", "a/b", ".hidden"])
def test_attributes_that_could_leave_the_folder_are_refused(here: Path, withhold: Withhold, attribute: str) -> None:
    save(here / "c.jsonl", [{**row, attribute: row["client"]} for row in records(4)])
    withhold("fit", "concepts", "c.jsonl", "--secret", attribute, "-o", "m", code=1)


def test_classes_of_any_name(tmp_path: Path, withhold: Withhold) -> None:
    names = ["..", "/etc/passwd", "Ünï çødé 株式会社", "N" * 5000, "a\x00b\nc", "[REDACTED]"]
    new = dict(zip(OWN, names, strict=True))
    save(tmp_path / "c.jsonl", [{**row, "client": new[row["client"]]} for row in records()])
    withhold(*FIT, "c.jsonl", "--keep", "industry", "-o", "model")
    (tmp_path / "p.toml").write_text('[[secret]]\nname = "who"\nmodel = "concepts"\nfitted = "model"\nk = 3\n')
    for number, row in enumerate(records(1, seed=3)):
        (tmp_path / f"{number}.txt").write_text(row["text"])
        withhold("assess", f"{number}.txt", "-p", "p.toml", code=3)
        withhold("plan", f"{number}.txt", "-p", "p.toml", "-o", f"plan-{number}.json")


def test_nothing_can_be_assessed_without_a_secret(here: Path, withhold: Withhold) -> None:
    (here / "none.toml").write_text("[[find]]\nterms = ['Ann']\n")
    assert "none.toml has no secrets" in withhold("assess", "memos/00.txt", "-p", "none.toml", code=1).stderr


def test_assess(here: Path, withhold: Withhold) -> None:
    done = withhold("assess", "memos/00.txt", "-p", "policy.toml", "--words", "3", code=3)
    assert "who can be told: rank 1, and 3 is asked for" in done.stderr
    [risk] = withhold("assess", "memos/00.txt", "-p", "policy.toml", "--json", code=3).json
    assert (risk["secret"], risk["model"], risk["before"], risk["ceiling"]) == ("who", "concepts", 1.0, 1 / 3)
    assert {"evidence", "standings", "after"} < set(risk)
    assert "choices" not in risk
    first = risk["standings"][0]
    assert (first["name"], first["rank"], first["true"]) == ("Harbell", 1, True)
    withhold("plan", "memos/00.txt", "-p", "policy.toml", "-o", "plan.json")
    applied = withhold("apply", "plan.json", "memos/00.txt", "-p", "policy.toml", "-o", "out.txt", code=3)
    assert "an attack still wins: concept:neighbours finds who" in applied.stderr
    (here / "named.toml").write_text((here / "policy.toml").read_text() + 'value = "Harbell"\n')
    assert "who is hidden" in withhold("assess", "out.txt", "-p", "named.toml").stderr


def test_attack(here: Path, withhold: Withhold) -> None:
    kinds = {"naive_bayes", "logistic", "svm", "complement", "centroid", "neighbours"}
    clean = withhold("attack", "memos/00.txt", "-p", "policy.toml", "--source", "memos/00.txt", "--json", code=3).json
    concept = [each for each in clean if each["attack"].startswith("concept:")]
    assert {each["attack"] for each in concept} == {f"concept:{kind}" for kind in kinds}
    assert all(each["result"] == 1.0 and each["note"].startswith("rank 1 of 6") for each in concept)
    shown = withhold("attack", "memos/00.txt", "-p", "policy.toml", "--source", "memos/00.txt", code=3)
    assert "wins" in shown.stdout
    alone = withhold("attack", "memos/00.txt", "-p", "policy.toml", "--json", code=3).json
    assert (alone[0]["trials"], alone[0]["note"]) == (0, "not tried: the secret has no value")
    assert "could not be tried: concept on " in withhold("attack", "memos/00.txt", "-p", "policy.toml", code=3).stderr
    (here / "empty.toml").write_text("[components]\nattacks = []\n")
    assert "nothing was tried" in withhold("attack", "memos/00.txt", "-p", "empty.toml", code=3).stderr
    (here / "empty.txt").write_text("")
    empty = withhold("attack", "empty.txt", "-p", "policy.toml", "--source", "memos/00.txt", "--json").json
    assert [(each["result"], each["before"]) for each in empty if "concept" in each["attack"]] == [(0.0, 1.0)] * 6


@pytest.mark.slow
def test_plan_then_apply_is_redact(here: Path, withhold: Withhold) -> None:
    withhold("plan", "memos/21.docx", "-p", "policy.toml", "-o", "plan.json")
    withhold("apply", "plan.json", "memos/21.docx", "-p", "policy.toml", "-o", "a.docx")
    withhold("redact", "memos/21.docx", "-p", "policy.toml", "-o", "b.docx", "-j", "1")
    assert (here / "a.docx").read_bytes() == (here / "b.docx").read_bytes()
    plan = json.loads((here / "plan.json").read_text())
    assert plan["risks"][0]["after"] <= 1 / 3
    plan["edits"] = []
    (here / "plan.json").write_text(json.dumps(plan))
    withhold("apply", "plan.json", "memos/21.docx", "-p", "policy.toml", "-o", "c.docx", code=3)


def test_what_cannot_be_hidden_is_named_and_written(here: Path, withhold: Withhold) -> None:
    (here / "many.toml").write_text((here / "policy.toml").read_text().replace("k = 3", "k = 7"))
    told = withhold("redact", "memos/00.txt", "-p", "many.toml", "-o", "out.txt", "--json", code=3)
    assert '"risk_stays": true' in told.stdout
    assert len((here / "out.txt").read_text().replace("[REDACTED]", "").split()) > 3


@pytest.mark.slow
def test_a_folder_is_gone_on_with_where_it_stopped(here: Path, withhold: Withhold) -> None:
    folder = ("redact", "memos", "-p", "policy.toml", "-o", "out", "-j", "2", "--audit", "audits")
    withhold(*folder)
    made = {path.name: path.read_bytes() for path in (here / "out").iterdir()}
    assert len(made) == 8
    assert len(list((here / "audits").glob("*.audit.json"))) == 8
    for name in ("00.txt", "20.html", "21.docx"):
        (here / "out" / name).unlink()
    (here / "out" / "03.txt").write_text("as it was")
    done = withhold(*folder, "--resume", "-j", "1", code=3)
    assert "5 done before, in 1 of them a risk stays" in done.stderr
    again = {path.name: path.read_bytes() for path in (here / "out").iterdir()}
    assert again == {**made, "03.txt": b"as it was"}
    assert "8 done before, in 1 of them a risk stays" in withhold(*folder, "--resume", code=3).stderr
    audit = json.loads((here / "audits" / "00.txt.audit.json").read_text())
    assert sum(each["attack"].startswith("concept:") for each in audit["outcomes"]) == 6
    assert "lines: 14, reports: 8" in " ".join(withhold("verify", "--log", "audits").stdout.split())
    report = ("verify", "audits/00.txt.audit.json", "out/00.txt", "-p", "policy.toml", "--source", "memos/00.txt")
    checks = {each["check"]: each["result"] for each in json.loads(withhold(*report, "--json").stdout)["checks"]}
    assert set(checks.values()) == {"holds"}
    assert {"attacks", "risks", "plan carried out", "removed text"} <= checks.keys()


@pytest.mark.slow
def test_a_model_inside_the_folder_is_not_released(here: Path, withhold: Withhold) -> None:
    (here / "in" / "sub").mkdir(parents=True)
    shutil.move(here / "model", here / "in" / "model")
    shutil.copy(here / "memos" / "00.txt", here / "in" / "sub")
    (here / "in" / "policy.toml").write_text((here / "policy.toml").read_text())
    withhold("redact", "in", "-p", "in/policy.toml", "-o", "out", "-j", "1")
    assert [path.name for path in (here / "out").rglob("*") if path.is_file()] == ["00.txt"]
    withhold("redact", "in/model/model.json", "-p", "in/policy.toml", "-o", "out", "-j", "1", code=1)


EVALUATE = ("evaluate", "concepts", "--data", "corpus.jsonl", "--secret", "client", "--keep", "industry", "-j", "1")


@pytest.mark.slow
def test_evaluate_as_the_paper(here: Path, withhold: Withhold) -> None:
    save(here / "corpus.jsonl", records(6))
    report = withhold(*EVALUATE, "--aim", "paper", "--k", "2,3", "--svg", "charts", "--json").json
    measures = {"k_eval", "k_eval_strict", "sensitive_error", "secret_accuracy", "utility_accuracy", "utility_at_1"}
    assert measures | {"suppressed", "generalised", "confusable", "per_k", "objectives", "curves"} < set(report)
    assert (report["documents"], report["classes"], report["kept_classes"]) == (36, 6, 2)
    assert [each["k"] for each in report["per_k"]] == [2, 3]
    assert report["confusable"] > 0.9
    assert all(path.read_text().lstrip().startswith("<svg") for path in (here / "charts").iterdir())
    shown = withhold(*EVALUATE, "--aim", "paper", "--k", "2", "--no-strangers", "--objective", "constant,log_odds")
    assert "log_odds" in shown.stdout


def test_evaluate_a_release(here: Path, withhold: Withhold) -> None:
    report = withhold(*EVALUATE, "--k", "3", "--sample", "12", "--json").json
    assert {"worst_attacker", "union", "adaptive", "rank_attack", "floor", "intervals", "suppressed"} < set(report)
    assert len(report["attackers"]) == 6
    assert report["union_unredacted"] == 1.0
    assert report["worst_attacker"] <= report["union"]


def test_words_of_one_document(here: Path, withhold: Withhold) -> None:
    told = withhold(*EVALUATE, "--words", "1", "--k", "2,3", "--json").json
    assert told["class"] == "Harbell"
    assert [each["k"] for each in told["words"]] == [2, 3]
    assert "Harbell" in withhold(*EVALUATE, "--words", "1", "--k", "2").stderr
    assert "no document 999" in withhold(*EVALUATE, "--words", "999", "--k", "2", code=1).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--k", "x"),
        ("--k", "1"),
        ("--k", ","),
        ("--k", ""),
        ("--aim", "best"),
        ("--objective", "best"),
        ("--sample", "0"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("style", [(), ("--json",)], ids=["words", "json"])
def test_bad_options_of_evaluate(
    here: Path, withhold: Withhold, arguments: tuple[str, str], style: tuple[str, ...]
) -> None:
    done = withhold(*EVALUATE, *arguments, *style, code=2)
    assert arguments[0] in done.stdout + done.stderr


@pytest.mark.parametrize("arguments", [("--k", "9"), ("--keep", "town"), ("--secret", "town"), ("--data", "no.jsonl")])
def test_what_evaluate_cannot_do(here: Path, withhold: Withhold, arguments: tuple[str, str]) -> None:
    assert "error: " in withhold(*EVALUATE, "--k", "2", *arguments, code=1).stderr


def spoil(folder: Path, kind: str) -> None:
    counts = next(folder.glob("counts-*.npz"))
    description = folder / DESCRIPTION
    assert description.is_file()
    match kind:
        case "cut off":
            counts.write_bytes(counts.read_bytes()[:100])
        case "no counts":
            counts.unlink()
        case "not JSON":
            description.write_text(f"{{{MARKER}")
        case "other JSON":
            description.write_text(json.dumps({MARKER: MARKER}))
        case "no description":
            description.unlink()
        case "a folder":
            description.unlink()
            description.mkdir()
        case "attackers":
            next((folder / "attackers" / "client").glob("*.npz")).write_bytes(MARKER.encode())
        case "found":
            (folder / "found" / "001").mkdir(parents=True)


@pytest.mark.parametrize(
    "kind",
    ["cut off", "no counts", "not JSON", "other JSON", "no description", "a folder", "attackers", "found"],
)
def test_a_spoilt_model_is_an_error_of_one_line(here: Path, withhold: Withhold, kind: str) -> None:
    spoil(here / "model", kind)
    commands = [("attack", "memos/00.txt", "--source", "memos/01.txt")]
    if kind != "attackers":
        commands += [("assess", "memos/00.txt"), ("plan", "memos/00.txt", "-o", "out.json")]
    for command in commands:
        done = withhold(*command, "-p", "policy.toml", code=1)
        assert "model" in done.stderr
        assert len(done.stderr.strip().splitlines()) <= 4
        assert "trawler" not in done.stderr.lower()
    assert not (here / "out.json").exists()


SECRETS = {
    "unknown class": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nvalue = "{MARKER}"',
    "unknown attribute": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nattribute = "town"\nvalue = "{MARKER}"',
    "no fitted": f'name = "who"\nmodel = "concepts"\nvalue = "{MARKER}"',
    "no folder": f'name = "who"\nmodel = "concepts"\nfitted = "nowhere"\nvalue = "{MARKER}"',
    "no risk model": f'name = "who"\nmodel = "concept"\nfitted = "model"\nvalue = "{MARKER}"',
    "k is zero": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nk = 0\nvalue = "{MARKER}"',
    "k is text": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nk = "{MARKER}"',
    "k is true": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nk = true\nvalue = "{MARKER}"',
    "value is a list": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nvalue = ["{MARKER}"]',
    "aliases is text": f'name = "who"\nmodel = "concepts"\nfitted = "model"\naliases = "{MARKER}"',
    "no name": f'model = "concepts"\nfitted = "model"\nvalue = "{MARKER}"',
    "other key": f'name = "who"\nmodel = "concepts"\nfitted = "model"\nvalues = "{MARKER}"',
    "kept class": f'name = "who"\nmodel = "concepts"\nfitted = "model"\n[keep]\nvalues = {{ industry = ["{MARKER}"] }}',
    "kept text": f'name = "who"\nmodel = "concepts"\nfitted = "model"\n[keep]\nvalues = {{ industry = "{MARKER}" }}',
    "kept attribute": 'name = "who"\nmodel = "concepts"\nfitted = "model"\n[keep]\nattributes = ["town"]',
    "aim": 'name = "who"\nmodel = "concepts"\nfitted = "model"\n[planning]\naim = "best"',
    "seed": f'name = "who"\nmodel = "concepts"\nfitted = "model"\n[planning]\nseed = "{MARKER}"',
    "file": f'name = "who"\nmodel = "concepts"\nfitted = "policy.toml"\nvalue = "{MARKER}"',
}


@pytest.mark.parametrize("kind", SECRETS)
def test_no_message_about_a_policy_quotes_the_secret(here: Path, withhold: Withhold, kind: str) -> None:
    (here / "policy.toml").write_text(f"[[secret]]\n{SECRETS[kind]}\n")
    (here / "memo.txt").write_text(f"{MARKER} met the board about the trawler. " + records(1)[0]["text"])
    commands = [("assess", "memo.txt"), ("plan", "memo.txt", "-o", "plan.json")]
    if kind in ("unknown class", "k is text"):
        commands.append(("redact", "memo.txt", "-o", "out.txt"))
    for command in commands:
        for style in ((), ("--json",)):
            done = withhold(*command, "-p", "policy.toml", *style, code=1)
            assert MARKER.lower() not in (done.stdout + done.stderr).lower()
    assert not (here / "out.txt").exists()
    assert not (here / "plan.json").exists()


def test_the_installed_script_says_by_its_code_that_a_secret_can_be_told(here: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([SCRIPT, *arguments], cwd=here, env={**os.environ}, capture_output=True, text=True)

    assert run("assess", "memos/00.txt", "-p", "policy.toml").returncode == 3


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('value = "Zzyzxmarker"', "no such class of 'client'"),
        ('attribute = "region"', "no attribute 'region'"),
        ('\n[keep]\nattributes = ["region"]', "no attribute 'region'"),
        ('\n[keep]\nvalues = { industry = ["Zzyzxmarker"] }', "no such class of 'industry'"),
    ],
)
def test_policy_check_looks_secrets_up_in_their_model(table: str, told: str, here: Path, withhold: Withhold) -> None:
    policy = (here / "policy.toml").read_text()
    (here / "policy.toml").write_text(policy + table + "\n")
    done = withhold("policy", "check", "policy.toml", code=1)
    assert told in done.stderr
    assert MARKER not in done.stdout + done.stderr
    (here / "policy.toml").write_text(policy + 'value = "Harbell"\n[keep]\nvalues = { industry = ["food"] }\n')
    withhold("policy", "check", "policy.toml")


def test_aliases_of_no_class_are_told(here: Path, withhold: Withhold) -> None:
    (here / "aliases.csv").write_text(f"client,aliases\nHarbell,HBL\n{MARKER},ZZM\nharbel,HRB\n")
    fit = (*FIT, "corpus.jsonl", "--aliases", "aliases.csv", "--holdout", "0")
    done = withhold(*fit, "-o", "one")
    assert "aliases of 2 names were not used" in done.stderr
    assert MARKER not in done.stdout + done.stderr
    (here / "aliases.csv").write_text("client,aliases\nHarbell,HBL\n")
    assert "not used" not in withhold(*fit, "-o", "two").stderr
    assert withhold(*fit, "-o", "three", "--json").json["unmatched"] == 0
