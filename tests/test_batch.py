"""The pool survives what documents do to it, and folders come out whole, renamed and separate."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path, PurePath

import pytest

from withhold.batch import pool
from withhold.batch.names import Names, numbered
from withhold.batch.numbers import Entities, Register
from withhold.batch.redact import Job, LeftOut, RedactFile, Task, lay_out, redact_all, to_do
from withhold.detectors.entities.names import Named, named
from withhold.errors import DamagedDocument, DocumentError, OutputError, SecretKeyError
from withhold.operators.entities import Numbers
from withhold.operators.pseudonymise import make_key
from withhold.policy import Background, Components, Detection, Find, Gate, Operators, Policy
from withhold.spans import Span
from withhold.types import Edit

GENTLE = [pytest.param(end, marks=pytest.mark.slow) for end in (signal.SIGINT, signal.SIGTERM)]
POLICY = Policy(find=(Find(terms=("Zbigniew Kwiatkowski", "Acme", "Ann")),))


def work(item: object) -> object:
    """What a worker may be made to do: a number is squared, a word does what it says."""
    match item:
        case int():
            return item * item
        case "refuse":
            raise DamagedDocument("it cannot be parsed")
        case "raise":
            raise KeyError("Zbigniew")
        case "hang":
            time.sleep(60)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(3)
        case "unpicklable":
            return lambda: None
        case "print":
            sys.stdout.write("Zbigniew")
            os.write(1, b"Zbigniew")
            os.write(2, b"Zbigniew")
    return None


@pytest.mark.slow
def test_every_item_ends_once_whatever_happens_to_the_others() -> None:
    items: list[object] = [1, "refuse", 2, "raise", 3, "hang", 4, "segfault", 5, "killed", 6, "exit", 7]
    ended = sorted(pool.run(work, items, jobs=2, seconds=1), key=lambda each: each.index)
    assert [each.index for each in ended] == list(range(len(items)))
    assert [each.value for each in ended if each.status == "done"] == [1, 4, 9, 16, 25, 36, 49]
    status = {items[each.index]: (each.status, each.error) for each in ended if each.status != "done"}
    assert status == {
        "refuse": ("refused", "DamagedDocument"),
        "raise": ("crashed", "KeyError"),
        "hang": ("stopped", "Stopped"),
        "segfault": ("crashed", "Stopped"),
        "killed": ("crashed", "Stopped"),
        "exit": ("crashed", "Stopped"),
    }
    assert not any("Zbigniew" in repr(each) for each in ended)


def test_a_value_that_cannot_travel_costs_only_its_item() -> None:
    ended = {each.index: each.status for each in pool.run(work, [1, "unpicklable", 2])}
    assert ended == {0: "done", 1: "crashed", 2: "done"}


def test_workers_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert [each.status for each in pool.run(work, ["print"])] == ["done"]
    assert capfd.readouterr() == ("", "")


def test_closing_the_iterator_ends_the_workers() -> None:
    results = pool.run(work, [1, "hang", "hang"], jobs=3)
    next(results)
    children = multiprocessing.active_children()
    assert len(children) >= 2
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 5
    assert not any(child.is_alive() for child in children)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, *GENTLE])
def test_workers_do_not_outlive_their_parent(end: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
            import os, pathlib, re, sys
            from withhold.batch import pool

            def hang(path):
                pathlib.Path(path).write_text(str(os.getpid()))
                re.match("(a+)+$", "a" * 40 + "b")

            if __name__ == "__main__":
                list(pool.run(hang, sys.argv[1:], jobs=2))
        """)
    )
    notes = [tmp_path / "one", tmp_path / "two"]
    parent = subprocess.Popen([sys.executable, script, *notes], stderr=subprocess.DEVNULL)
    workers = [int(_text_of(note)) for note in notes]
    parent.send_signal(end)
    assert parent.wait(10) != 0
    assert all(_gone(worker) for worker in workers)


def _text_of(note: Path) -> str:
    for _ in range(200):
        if note.exists() and note.read_text():
            return note.read_text()
        time.sleep(0.05)
    raise AssertionError("the worker never started")


def _gone(process: int) -> bool:
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("memo.txt", "memo.txt"),
        ("Acme memo.txt", "REDACTED memo.txt"),
        ("AcmeMemo.docx", "REDACTEDMemo.docx"),
        ("ACME_acme.docx", "REDACTED_REDACTED.docx"),
        ("zbigniew-kwiatkowski/letter.txt", "REDACTED/letter.txt"),
        ("x/Zbigniew/Kwiatkowski.txt", "x/REDACTED/REDACTED.txt"),
        ("Ann.txt", "REDACTED.txt"),
        ("Annual.txt", "Annual.txt"),
        ("report.acme", "report.REDACTED"),
        ("Ac\u200bme\u0301.txt", "REDACTED.txt"),
    ],
)
def test_names_are_cleaned(name: str, cleaned: str) -> None:
    assert Names(POLICY).clean(PurePath(name)) == PurePath(cleaned)


def test_an_extension_that_is_a_secret_still_tells_the_format() -> None:
    assert Names(Policy(find=(Find(terms=("docx",)),))).clean(PurePath("docx.docx")) == PurePath("REDACTED.docx")


def test_names_of_a_list_and_of_a_pattern_are_cleaned(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("Wilhelmina\n")
    policy = Policy(find=(Find(lists=("names",), patterns=(r"\d{3}",)),), folder=str(tmp_path))
    assert Names(policy).clean(PurePath("wilhelminaX 123.txt")) == PurePath("REDACTEDX REDACTED.txt")


def test_two_of_a_name_are_numbered() -> None:
    taken: set[str] = set()
    names = [numbered(PurePath(name), taken) for name in ("a/x.txt", "a/X.txt", "b/x.txt", "a/x.txt")]
    assert [str(name) for name in names] == ["a/x.txt", "a/X-2.txt", "b/x.txt", "a/x-3.txt"]


def make_files(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}: Acme\n")
    return folder


def test_models_of_detectors_are_not_released(tmp_path: Path) -> None:
    folder = make_files(tmp_path / "in", "a.txt", "own/detector.json", "net/config.json")
    lists = Components(detectors=("lists",))
    policy = Policy(detection=Detection(fitted="own", network="net"), components=lists, folder=str(folder))
    jobs, left_out = lay_out([folder], tmp_path / "out", policy)
    assert ([Path(job.source).name for job in jobs], len(left_out)) == (["a.txt"], 2)


def test_what_a_reader_knows_is_not_released(tmp_path: Path) -> None:
    folder = make_files(tmp_path / "in", "a.txt", "index/manifest.json", "asked/1.json")
    policy = replace(POLICY, corpus=Background(index="index", cache="asked"), folder=str(folder))
    jobs, left_out = lay_out([folder], tmp_path / "out", policy)
    assert ([Path(job.source).name for job in jobs], len(left_out)) == (["a.txt"], 2)


def targets(jobs: list[Job], out: Path) -> list[str]:
    return [Path(job.target).relative_to(out).as_posix() for job in jobs]


def test_folders_keep_their_shape(tmp_path: Path) -> None:
    source = make_files(tmp_path / "in", "a.txt", "deep/er/b.txt", "Acme.txt", "Acme-.txt", ".git/c.txt", "~$lock.docx")
    out = tmp_path / "out"
    jobs, left_out = lay_out([source], out, POLICY)
    assert targets(jobs, out) == ["REDACTED-.txt", "REDACTED.txt", "a.txt", "deep/er/b.txt"]
    assert [each.why for each in left_out] == ["hidden", "hidden"]
    other = make_files(tmp_path / "Acme", "a.txt")
    jobs, _ = lay_out([source / "a.txt", other, other / "a.txt"], out, POLICY)
    assert targets(jobs, out) == ["a.txt", "REDACTED/a.txt"]


def test_links_in_folders_lead_nowhere(tmp_path: Path) -> None:
    source = make_files(tmp_path / "in", "a.txt", "deep/b.txt")
    outside = make_files(tmp_path / "other", "private.txt")
    led = {"file.txt": outside / "private.txt", "folder": outside, "inside.txt": source / "a.txt", "none": Path("gone")}
    for name, target in led.items():
        (source / "deep" / name).symlink_to(target)
    jobs, left_out = lay_out([source], tmp_path / "out", POLICY)
    assert targets(jobs, tmp_path / "out") == ["a.txt", "deep/b.txt"]
    assert sorted(left_out, key=lambda each: each.file) == [
        LeftOut(str(source / "deep" / name), "link") for name in sorted(led)
    ]
    jobs, left_out = lay_out([source / "deep" / "file.txt"], tmp_path / "out", POLICY)
    assert (targets(jobs, tmp_path / "out"), left_out) == (["file.txt"], [])


def test_outputs_never_land_among_inputs(tmp_path: Path) -> None:
    source = make_files(tmp_path / "in", "a.txt", "sub/b.txt")
    for out in (source, source / "new", source / "sub", tmp_path / "in" / ".." / "in"):
        with pytest.raises(OutputError):
            lay_out([source], out, POLICY)
    with pytest.raises(OutputError):
        lay_out([source / "a.txt"], source, POLICY)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").hardlink_to(source / "a.txt")
    with pytest.raises(OutputError):
        lay_out([source], tmp_path / "out", POLICY)


@pytest.mark.slow
def test_a_folder_is_redacted_in_parallel(tmp_path: Path) -> None:
    source = make_files(tmp_path / "in", *(f"{number}.txt" for number in range(20)))
    (source / "bad.docx").write_bytes(b"PK\x03\x04 Acme")
    jobs, _ = lay_out([source], tmp_path / "out", POLICY)
    results = sorted(redact_all(jobs, POLICY, workers=2, seconds=60), key=lambda each: each.index)
    assert [result.index for result in results] == list(range(21))
    assert [result.status for result in results] == ["done"] * 20 + ["refused"]
    assert all(result.removed == {"TERM": 1} and result.seconds > 0 for result in results[:20])
    written = sorted((tmp_path / "out").iterdir())
    assert len(written) == 20
    assert all(path.read_text().endswith(": [REDACTED]\n") for path in written)
    assert not any("acme" in repr(result).casefold() for result in results)
    again = list(redact_all(jobs, POLICY, workers=2))
    assert {result.error for result in again[:20]} <= {"OutputError", "DamagedDocument", "UnsupportedFormat"}
    assert not any(result.status == "done" for result in again)


def test_keyed_pseudonyms_need_a_place_for_their_ledgers(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    operators = Operators(default="pseudonymise", key="key")
    policy = Policy(find=POLICY.find, operators=operators, folder=str(tmp_path))
    source = make_files(tmp_path / "in", "sub/a.txt", "sub/none.txt")
    (source / "sub" / "none.txt").write_text("nobody")
    with pytest.raises(SecretKeyError):
        list(redact_all(lay_out([source], tmp_path / "out", policy)[0], policy))
    with pytest.raises(OutputError):
        lay_out([source], tmp_path / "out", policy, ledgers=tmp_path / "out" / "ledgers")
    jobs, _ = lay_out([source], tmp_path / "out", policy, ledgers=tmp_path / "ledgers")
    assert [result.status for result in redact_all(jobs, policy)] == ["done", "done"]
    assert [path.name for path in (tmp_path / "ledgers").rglob("*.ledger")] == ["a.txt.ledger"]
    assert b"Acme" not in (tmp_path / "ledgers" / "sub" / "a.txt.ledger").read_bytes()


def test_what_cannot_be_saved_whole_is_not_saved(tmp_path: Path) -> None:
    source = make_files(tmp_path / "in", "a.txt")
    (tmp_path / "out").write_text("in the way")
    audit = str(tmp_path / "private" / "a.json")
    [result] = redact_all([Job(str(source / "a.txt"), str(tmp_path / "out" / "a.txt"), audit=audit)], POLICY)
    assert (result.status, result.error) == ("refused", "OutputError")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").mkdir()
    job = Job(str(source / "a.txt"), str(tmp_path / "other" / "a.txt"), audit=audit)
    [result] = redact_all([job], POLICY, overwrite=True)
    assert (result.status, result.error) == ("refused", "OutputError")
    assert not Path(audit).exists()
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["a.txt"]


PEOPLE = Policy(
    find=(Find(label="PERSON", terms=("Jorun Varnholt", "Stellan Quillmar", "Hedda Quillmar")),),
    detection=Detection(labels=("PERSON",)),
    operators=Operators(default="mask"),
    components=Components(detectors=("lists",)),
)
LETTERS = {
    "a.txt": "Stellan Quillmar wrote. Mr Quillmar left.",
    "b.txt": "Jorun Varnholt wrote to Stellan Quillmar. Varnholt left.",
    "c.txt": "Hedda Quillmar wrote to J. Varnholt <jvarnholt@example.com>: see Jorun Varnholt.",
    "d.txt": "JORUN VARNHOLT, Jorun and Hedda Quillmar.",
}
NUMBERED = {
    "a.txt": "[PERSON 1] wrote. [PERSON 1] left.",
    "b.txt": "[PERSON 2] wrote to [PERSON 1]. [PERSON 2] left.",
    "c.txt": "[PERSON 3] wrote to [PERSON 2] <[PERSON 2]@example.com>: see [PERSON 2].",
    "d.txt": "[PERSON 2], [PERSON 2] and [PERSON 3].",
}


def write_letters(folder: Path) -> list[Job]:
    folder.mkdir()
    for name, text in LETTERS.items():
        (folder / name).write_text(text)
    return lay_out([folder], folder.parent / "out", PEOPLE)[0]


@pytest.mark.slow
def test_an_entity_has_one_number_in_all_files(tmp_path: Path) -> None:
    jobs = write_letters(tmp_path / "in")
    assert {result.status for result in redact_all(jobs, PEOPLE, workers=2)} == {"done"}
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == NUMBERED
    (tmp_path / "out" / "c.txt").unlink()
    [left] = to_do(jobs, PEOPLE)[0]
    assert [result.status for result in redact_all([left], PEOPLE, every=jobs)] == ["done"]
    assert (tmp_path / "out" / "c.txt").read_text() == NUMBERED["c.txt"]


@pytest.mark.slow
def test_what_an_earlier_run_has_left_to_an_attack_is_told_again(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Please speak to Mary Johnson about the account.")
    (tmp_path / "in" / "b.txt").write_text("Please speak to nobody about the account.")
    loose = Detection(labels=("PERSON",), thresholds={"PERSON": 1.0})
    policy = Policy(detection=loose, gate=Gate(rounds=0), components=Components(attacks=("inspector",)))
    jobs, _ = lay_out([tmp_path / "in"], tmp_path / "out", policy)
    done = sorted(redact_all(jobs, policy), key=lambda each: each.index)
    assert [each.risk_stays for each in done] == [True, False]
    assert to_do(jobs, policy) == ([], 2, 1)
    (tmp_path / "in" / "b.txt").unlink()
    assert to_do(jobs, policy) == ([], 2, 2)


def test_a_file_that_cannot_be_looked_through_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "aa.docx").write_bytes(b"PK\x03\x04 Jorun")
    (tmp_path / "in" / "b.txt").write_text("Jorun Varnholt")
    jobs, _ = lay_out([tmp_path / "in"], tmp_path / "out", PEOPLE)
    results = sorted(redact_all(jobs, PEOPLE), key=lambda each: each.index)
    assert [(each.status, each.output is None) for each in results] == [("refused", True), ("done", False)]


def test_a_file_that_changed_after_it_was_numbered_is_refused(tmp_path: Path) -> None:
    [job, *_] = write_letters(tmp_path / "in")
    with pytest.raises(DocumentError):
        RedactFile(PEOPLE)(Task(job, Numbers(), "another text"))
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_nothing_is_looked_through_twice_if_nothing_is_numbered(tmp_path: Path) -> None:
    jobs = write_letters(tmp_path / "in")
    passes: list[str] = []

    def track(items: Iterable[object], total: int, doing: str) -> Iterable[object]:
        passes.append(doing)
        return items

    assert len(list(redact_all(jobs, replace(PEOPLE, operators=Operators()), track=track))) == 4
    assert passes == []
    assert len(list(redact_all(jobs[:2], PEOPLE, track=track, overwrite=True))) == 2
    assert passes == ["Numbering"]


def names_of(*people: str) -> tuple[Named, ...]:
    edits = [Edit(Span(n, n + 1), "mask", "PERSON", entity=n + 1) for n in range(len(people))]
    return tuple(named(edits, people))


def registered(files: Sequence[Sequence[str]], order: Iterable[int]) -> list[list[int]]:
    register = Register([str(number) for number in range(len(files))])
    for index in order:
        register.add(pool.Ended(index, "done", 0.0, Entities("", names_of(*files[index]))))
    return [list(register.of(str(index))[0].entities.values()) for index in range(len(files))]


@pytest.mark.parametrize(
    ("files", "numbers"),
    [
        ([["Ada Byron"], ["Byron"], ["Mr A. Byron"], ["ADA BYRON"]], [[1], [1], [1], [1]]),
        ([["Byron"], ["Grace Holt"], ["Ada Byron"]], [[1], [2], [1]]),
        ([["Byron"], ["Byron"]], [[1], [1]]),
        ([["Ada Byron"], ["Byron"], ["Byron"], ["Eva Byron"]], [[1], [2], [3], [4]]),
        ([["Ada Byron"], ["A. Byron"], ["Eva Byron"]], [[1], [1], [2]]),
        ([["Ada B. Byron", "Ada C. Byron"], ["Ada Byron"]], [[1, 2], [3]]),
        ([["Ada"], ["Ada Byron"]], [[1], [2]]),
    ],
)
def test_names_are_linked_where_there_is_no_doubt(files: list[list[str]], numbers: list[list[int]]) -> None:
    for order in permutations(range(len(files))):
        assert registered(files, order) == numbers


def test_names_that_many_share_say_nothing() -> None:
    files = [[f"{chr(65 + number)}da Byron"] for number in range(20)] + [["Byron"]]
    assert registered(files, range(21)) == registered(files, range(20, -1, -1)) == [[n] for n in range(1, 22)]
