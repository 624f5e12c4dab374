"""Looking people up: the attack, and its evaluation from files to numbers."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from tests.plain_corpus import PlainCorpus
from tests.population import people
from withhold import Components, Policy, Redactor, Secret, read
from withhold.attacks.linkage import LinkageAttack
from withhold.attacks.linkage.lookup import Asked, Candidates, Meaning, left, rank_of, terms
from withhold.cli import app
from withhold.corpora.index import Writer
from withhold.errors import DamagedDocument, MalformedData, PolicyError
from withhold.evaluation.linkage.charts import chart
from withhold.evaluation.linkage.population import cases, population
from withhold.policy import Background

LIVES = people(60, seed=3)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Bodies, leads, and the leads of some, marked."""
    folder = tmp_path_factory.mktemp("people")
    bodies, leads, marked = folder / "bodies.jsonl", folder / "leads.jsonl.gz", folder / "marked.jsonl"
    bodies.write_text("".join(json.dumps({"name": each.name, "body": each.body}) + "\n" for each in LIVES))
    with gzip.open(leads, "wt") as lines:
        lines.writelines(json.dumps({"name": each.name, "abstract": each.lead}) + "\n" for each in LIVES)
    spans = [{"start": 0, "end": 20}]
    some = [json.dumps({"name": each.name, "text": each.lead, "spans": spans}) + "\n" for each in LIVES[:3]]
    marked.write_text("".join(some))
    return bodies, leads, marked


def test_scores_are_those_of_a_plain_search() -> None:
    known = PlainCorpus([(f"b#{at}", each.name, each.body) for at, each in enumerate(LIVES)], k1=1.4, b=0.3)
    query = LIVES[8].lead
    asked = Asked.of(Candidates.of(known), [query])
    scores = asked.asking(np.minimum(asked.counts, 1)).matched(1.4, 0.3)
    assert [hit.title for hit in known.search(query, 10)] == [
        LIVES[at].name for at in np.argsort(-scores, kind="stable")[:10]
    ]


def test_what_is_left_is_read_without_marks() -> None:
    assert left("one [REDACTED] two [REDACTED][REDACTED] three", "[REDACTED]") == ["one ", " two ", " three"]
    assert dict(terms(["one two", "two"])) == {"one": 1, "two": 2}
    assert dict(terms(["one two", "two three"], pairs=True)) == {"one two": 1, "two three": 1}


def test_equals_are_no_better() -> None:
    scores = np.array([1.0, 3.0, 3.0, 2.0])
    assert [rank_of(scores, [at]) for at in range(4)] == [4, 1, 1, 3]
    assert rank_of(scores, [0, 3]) == 3


def test_nobody_is_found_by_nothing() -> None:
    assert rank_of(np.zeros(4), [1]) == 4
    assert rank_of(np.full(4, 2.0), [1]) == 4
    assert rank_of(np.array([0.0, 1.0, 0.0, 0.0]), [2]) == 4
    assert rank_of(np.array([-0.3, -0.1, -0.2]), [2]) == 2


@pytest.mark.parametrize("content", ["", "[REDACTED] [REDACTED].", "[REDACTED] (xyzzy)"])
def test_what_tells_nothing_is_told_alike_by_the_attack_and_the_risk(tmp_path: Path, content: str) -> None:
    with Writer(tmp_path / "index") as writer:
        for at, each in enumerate(LIVES[:20]):
            writer.add(f"bodies#{at}", each.name, each.body)
        writer.commit()
    policy = Policy(
        secret=(Secret(person=LIVES[4].name),),
        corpus=Background(index=str(tmp_path / "index")),
        components=Components(attacks=("linkage",)),
    )
    document = read(content.encode(), name="a.txt")
    words, meaning = Redactor(policy).attack(document)
    (risk,) = Redactor(policy).assess(document)
    assert words.result == 0.0
    assert words.note == "rank 20 of 20"
    assert risk.after == pytest.approx(1 / 20)
    assert meaning.result == 0.0 or "xyzzy" in content


def test_nobody_is_found_by_documents_that_the_attacker_does_not_have() -> None:
    known = PlainCorpus([("a", "Ann Ott", "harp"), ("b", "Bo Ott (actor)", "harp"), ("c", "Bo Ott", "lute")])
    some = Candidates.of(known, ["a"])
    assert some.named(["Ann Ott"]) == []
    assert some.named(["BO OTT"]) == [0, 1]
    assert Candidates.of(known, only=[True, False, False]).count == 1
    assert Meaning(known).profiles(some).shape[0] == 2


def test_an_attack_without_anyone_of_the_name_is_not_tried(tmp_path: Path) -> None:
    with Writer(tmp_path / "index") as writer:
        writer.add("a", "Ann Ott", "She played the harp.")
        writer.commit()
    known = Background(index=str(tmp_path / "index"))
    policy = Policy(corpus=known, components=Components(attacks=("linkage",)))
    document = read(b"Somebody sang.", name="a.txt")
    (outcome,) = LinkageAttack(policy).attack(document, [Secret(person="Zed Nobody")])
    assert outcome.trials == 0
    assert "Zed" not in repr(outcome)
    assert LinkageAttack(policy).attack(document, [Secret(model="concepts", value="x")]) == []
    assert Redactor(policy).attack(document) == []


def test_the_source_of_a_text_is_known(files: tuple[Path, Path, Path]) -> None:
    bodies, leads, marked = files
    with population([bodies, leads]) as known:
        found = known.sources(cases(marked))
        assert all(f"leads#{at}" in each for at, each in enumerate(found, 1))
        assert not any(name.startswith("bodies") for each in found for name in each)
        folder = known.folder
    assert not folder.exists()


def test_evaluation_from_the_command_line(files: tuple[Path, Path, Path]) -> None:
    bodies, leads, marked = files
    given = ["evaluate", "linkage", "--people", str(bodies), "--people", str(leads), "--documents", str(marked)]
    shown = CliRunner().invoke(app, [*given, "--detect", "", "--json"])
    assert shown.exit_code == 0, shown.output
    report = json.loads(shown.stdout)
    for family in ("bm25", "embedding"):
        assert {"before", "after", "interval"} <= set(report[family])
    assert report["bm25"]["before"] == 1.0
    assert report["bm25"]["after"] == 0.0
    assert 0.3 < report["words_kept"] < 1.0
    assert report["documents"] == 3
    assert report["candidates"]["everything"] == 60
    assert report["baselines"]["marked"]["words_kept"] > report["words_kept"]
    assert "bodies" in report["settings"]
    assert not any(each.name in shown.stdout for each in LIVES)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "not an object"),
        ('{"name": "A"}', "line 1: needs"),
        ('{"text": "A"}', "needs"),
        ('{"name": "??", "text": "A"}', "needs"),
        ("", "no text in it"),
        (" \n\n", "no text in it"),
        ('{"name": "A", "text": "B", "spans": [{"start": 1e400, "end": 2}]}', "line 1: spans"),
        ('{"name": "A", "text": "B", "spans": [{"start": 7, "end": 9}]}', "line 1: spans"),
        ('{"name": "A", "text": "é"}'.encode("latin-1"), "line 1: not UTF-8"),
        ('{"name": "A", "text": "B"}'.encode("utf-16"), "line 1: not UTF-8"),
    ],
)
def test_what_is_no_text_about_someone_is_refused(tmp_path: Path, line: str | bytes, told: str) -> None:
    path = tmp_path / "people.jsonl"
    path.write_bytes(line if isinstance(line, bytes) else line.encode())
    with pytest.raises(MalformedData, match=told):
        cases(path)
    if "spans" not in told:
        with pytest.raises(MalformedData, match=told), population([path]):
            pass


def test_what_is_compressed_is_told_by_what_it_holds(tmp_path: Path) -> None:
    line = '\ufeff{"name": "A", "text": "B \\ud800"}\r\n'.encode()
    packed = gzip.compress(line)
    for name in ("a.jsonl", "a.jsonl.gz"):
        path = tmp_path / name
        for data in (line, packed):
            path.write_bytes(data)
            assert [(case.name, case.text) for case in cases(path)] == [("A", "B \ud800")]
        path.write_bytes(packed[: len(packed) // 2])
        with pytest.raises(DamagedDocument, match="not whole"):
            cases(path)


def test_who_cannot_be_found_is_left_out(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    bodies, leads, marked = files
    told = [json.loads(line) for line in marked.read_text().splitlines()]
    stranger, silent = {"name": "Zed Nobody", "text": "Zed Nobody sang."}, {"name": LIVES[0].name, "text": "  "}
    documents = tmp_path / "documents.jsonl"

    def shown(lines: Sequence[object], *people: Path) -> Result:
        documents.write_text("".join(json.dumps(line) + "\n" for line in lines))
        named = [each for path in people for each in ("--people", str(path))]
        given = ["evaluate", "linkage", *named, "--documents", str(documents)]
        return CliRunner().invoke(app, [*given, "--detect", "", "--json"])

    report = json.loads(shown([told[0], stranger, silent], bodies, leads).stdout)
    assert (report["documents"], report["left_out"]) == (3, 2)
    assert report["bm25"]["before"] == 1.0
    for lines, known in (([stranger, silent], (bodies, leads)), (told, (leads,))):
        assert "nothing to measure" in str(shown(lines, *known).exception)


def test_labels_to_compare_with_are_spelt_as_anywhere(files: tuple[Path, Path, Path]) -> None:
    bodies, _, marked = files
    given = ["evaluate", "linkage", "--people", str(bodies), "--documents", str(marked), "--detect", "nonsense"]
    with pytest.raises(PolicyError, match="no label"):
        CliRunner().invoke(app, given, catch_exceptions=False)


def test_the_chart_tells_its_numbers() -> None:
    drawn = chart({"suppress": [(0.7, 0.04), (0.9, 1.0)], "generalise": []}, "bm25")
    assert "4% with 70% of the words" in drawn
    assert drawn.count("<circle") == 3  # one beside the name


def test_a_kill_leaves_nothing_of_what_the_attacker_knows(tmp_path: Path) -> None:
    people, own = tmp_path / "people.jsonl", tmp_path / "own"
    people.write_text(json.dumps({"name": "Ada Quux", "text": "Ada Quux keeps bees."}) + "\n")
    own.mkdir()
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from withhold.evaluation.linkage.population import population\n"
        "with population([Path(sys.argv[1])]) as known:\n"
        "    assert any(Path(os.environ['TMPDIR']).iterdir())\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(own)}
    done = subprocess.run([sys.executable, "-c", script, str(people)], env=environment, timeout=60)
    assert done.returncode == -9
    for _ in range(100):
        if not list(own.iterdir()):
            break
        time.sleep(0.1)
    assert not list(own.iterdir())
