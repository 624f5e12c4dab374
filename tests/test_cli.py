"""The command line as a user meets it: its words, its codes, its files; the installed script where it matters."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docx
import pytest
import typer

from withhold import Policy
from withhold.batch.redact import Job, Result
from withhold.cli import app, main
from withhold.cli.redaction import report

SECRET = "Zbigniew"
MEMO = f"Dear {SECRET},\nthe board of Acme met {SECRET.upper()} on Monday.\n"
SCRIPT = str(Path(sysconfig.get_path("scripts")) / "withhold")
Withhold = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    stdout: str
    stderr: str


@pytest.fixture
def withhold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Withhold:
    """Runs the command line in the temporary folder, in this process, and checks its exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object, code: int = 0) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        done = Done(*capfd.readouterr())
        assert ended.value.code == code, done.stderr
        return done

    return run


@pytest.fixture
def installed(tmp_path: Path) -> Withhold:
    """Runs the installed script in the temporary folder, in a process of its own, and checks its exit code."""

    def run(*arguments: object, code: int = 0) -> Done:
        done = subprocess.run(
            [SCRIPT, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "80"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return Done(done.stdout, done.stderr)

    return run


@pytest.fixture
def memo(tmp_path: Path) -> Path:
    path = tmp_path / "memo.txt"
    path.write_text(MEMO)
    return path


def as_json(done: Done) -> Any:
    return json.loads(done.stdout)


def commands() -> list[list[str]]:
    groups = {group.name: group.typer_instance for group in app.registered_groups if group.typer_instance}
    own = [[command.name or str(command.callback.__name__)] for command in app.registered_commands if command.callback]
    return own + [
        [str(name), str(command.name)] for name, group in groups.items() for command in group.registered_commands
    ]


def test_version_and_commands(installed: Withhold) -> None:
    assert re.fullmatch(r"withhold \d+\.\d+\.\d+\n", installed("--version").stdout)
    assert {" ".join(command) for command in commands()} == {
        *("read", "detect", "assess", "plan", "apply", "redact", "attack", "inspect", "plugins", "key", "reveal"),
        *("policy init", "policy check", "fit concepts", "fit detector"),
        *("evaluate residue", "evaluate concepts", "evaluate detection", "evaluate inference", "evaluate linkage"),
        *("evaluate layout", "evaluate mask-type", "fit mask-type"),
        *("corpus build", "corpus delete", "corpus info", "corpus count", "corpus search"),
        *("suggest", "guide", "score", "publish", "evaluate publish", "audit", "verify"),
        *("serve", "people add", "people remove", "people list"),
    }


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_help_teaches_with_an_example(command: list[str], withhold: Withhold) -> None:
    done = withhold(*command, "--help")
    assert f"Example: withhold {' '.join(command)}" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "--json" in done.stdout
    options = done.stdout.replace("--help", "").split("Options")[-1]
    assert "[]" not in options
    assert not re.search(r"^. +(?:\* +)?--\S+(?: +-\w)? +<(?:bool|int)", options, re.MULTILINE)


def test_help_fills_its_lines(withhold: Withhold) -> None:
    said = withhold("redact", "--help").stdout
    assert re.search(r"The inputs stay +\n as they are\. An output that cannot be shown", said)


def test_python_runs_it_as_a_module() -> None:
    said = subprocess.run([sys.executable, "-m", "withhold", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("withhold ")


def test_an_empty_word_to_find_is_told_as_such(withhold: Withhold, memo: Path) -> None:
    assert "--find needs a word or phrase" in withhold("redact", memo, "--find", " ", code=2).stderr


def test_help_is_quick() -> None:
    heavy = "import sys; from withhold.cli import app; print({'lxml', 'cryptography'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", heavy], text=True) == "set()\n"


def test_what_libraries_log_is_not_heard() -> None:
    said = "import logging, withhold.cli; logging.getLogger('fontTools').warning('Ann')"
    assert subprocess.run([sys.executable, "-c", said], capture_output=True, check=True).stderr == b""


def test_read(withhold: Withhold, memo: Path) -> None:
    assert withhold("read", memo).stdout == MEMO + "\n"
    read = as_json(withhold("read", memo, "--json"))
    assert (read["format"], read["text"], len(read["blocks"])) == ("txt", MEMO, 1)


def test_read_survives_half_characters(installed: Withhold, tmp_path: Path) -> None:
    (tmp_path / "half.txt").write_bytes(b"\xff\xfea\x00\x00\xd8b\x00")
    assert installed("read", "half.txt").stdout == "a?b\n"
    assert as_json(installed("read", "half.txt", "--json"))["text"] == "a\ud800b"


def test_read_ends_quietly_when_nobody_listens(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("word " * 1_000_000)
    with subprocess.Popen([SCRIPT, "read", tmp_path / "long.txt"], stdout=-1, stderr=-1) as done:
        assert done.stdout
        assert done.stderr
        done.stdout.read(10)
        done.stdout.close()
        assert done.stderr.read() == b""


def test_redact_one_file(installed: Withhold, memo: Path) -> None:
    done = installed("redact", memo, "--find", SECRET)
    assert (memo.parent / "memo.redacted.txt").read_text() == re.sub(SECRET, "[REDACTED]", MEMO, flags=re.I)
    assert memo.read_text() == MEMO
    assert re.search(r"TERM +2 +removed", done.stdout)
    assert SECRET.casefold() not in (done.stdout + done.stderr).casefold()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--mark", "###"], "Dear ###,"),
        (["--replace-with", "Sir"], "Dear Sir,"),
        (["--operator", "mask", "--label", "PERSON"], "Dear [PERSON 1],"),
        (["--operator", "pseudonymise", "--label", "PERSON"], "Dear Person A,"),
    ],
)
def test_what_is_put_in_place(options: list[str], text: str, withhold: Withhold, memo: Path) -> None:
    withhold("redact", memo, "-f", SECRET, *options, "-o", "out.txt")
    assert (memo.parent / "out.txt").read_text().startswith(text)


def test_ways_of_finding_add_up(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "names.txt").write_text("Acme\n")
    (memo.parent / "policy.toml").write_text('[[find]]\nlabel = "DAY"\nterms = ["Monday"]\n')
    options = ["--list", "names.txt", "--regex", "b...d", "--find", SECRET, "--policy", "policy.toml"]
    [file] = as_json(withhold("redact", memo, *options, "--json"))["files"]
    assert file["removed"] == {"TERM": 4, "DAY": 1}


def test_nothing_found_is_said_clearly(withhold: Withhold, memo: Path) -> None:
    assert "nothing was found" in withhold("redact", memo, "--find", "nobody", "-o", "out.txt").stdout
    assert (memo.parent / "out.txt").read_text() == MEMO


def test_a_copy_is_not_called_a_redaction(withhold: Withhold, memo: Path) -> None:
    done = withhold("redact", memo, "--find", "nobody", "-o", "out.txt")
    assert "nothing was found: it is a clean copy, not a redaction\n" in done.stderr
    assert "clean copy" not in withhold("redact", memo, "--find", SECRET, "-o", "clean.txt").stderr
    (memo.parent / "other.txt").write_text("Nothing here.")
    done = withhold("redact", memo, "other.txt", "--find", SECRET, "-o", "out")
    assert re.search(r"other.txt .*nothing found", done.stdout)
    assert "nothing was found in 1 of them" in done.stderr


def test_what_was_asked_for_and_is_nowhere_is_told_by_number(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "other.txt").write_text(f"{SECRET}owska wrote.")
    (memo.parent / "names.txt").write_text("Acme\n\nKowalczik\n")
    (memo.parent / "p.toml").write_text(
        "[[find]]\nterms=['Monday', 'Kowalczik']\npatterns=['Q{4}']\nlists=['names.txt']\n"
    )
    options = ["--find", "Kowalczik", "--find", "Board", "--regex", "m.t", "--regex", "Q+", "--list", "names.txt"]
    options += ["-p", "p.toml"]
    done = withhold("redact", memo, "other.txt", *options, "-o", "out")
    [warning] = [line for line in done.stderr.splitlines() if line.startswith("warning")]
    assert warning == (
        "warning: nothing was removed for [[find]] table 1, terms number 2; [[find]] table 1, lists file 1 number 2; "
        "--find number 1; --list file 1 number 2; [[find]] table 1, patterns number 1; --regex number 2 "
        "(files done: 2); is it spelt as in the files?"
    )
    told = as_json(withhold("redact", memo, "other.txt", *options, "-o", "out2", "--json"))["not_found"]
    assert {"source": "--regex", "numbers": [2]} in told
    assert sum(len(each["numbers"]) for each in told) == 6


def test_a_term_inside_a_longer_word_is_not_removed_and_told(withhold: Withhold, memo: Path) -> None:
    memo.write_text(f"{SECRET}owska")
    done = withhold("redact", memo, "--find", SECRET, "-o", "out.txt")
    assert "nothing was removed for --find number 1" in done.stderr
    assert "not_found" in as_json(withhold("redact", memo, "--find", SECRET, "-o", "b.txt", "--json"))
    anywhere = as_json(withhold("redact", memo, "--find", SECRET, "--anywhere", "-o", "c.txt", "--json"))
    assert anywhere["not_found"] == []


def test_what_nobody_looks_for_is_not_found(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "p.toml").write_text("[components]\ndetectors = ['patterns']\n")
    done = withhold("redact", memo, "--find", SECRET, "-p", "p.toml", "-o", "out.txt")
    assert "nothing was removed for --find number 1" in done.stderr


def test_new_names_stand_beside_the_old(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "in" / "Acme").mkdir(parents=True)
    (memo.parent / "in" / "Acme" / "a.txt").write_text("Acme")
    (memo.parent / "in" / "b.txt").write_text("Acme")
    done = withhold("redact", "in", "--find", "Acme", "-o", "out")
    assert "in/Acme/a.txt -> REDACTED/a.txt" in done.stdout
    assert "in/b.txt " in done.stdout
    assert "written to: out\n" in done.stderr


@pytest.mark.slow
def test_what_ctrl_c_leaves_to_do_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "1.txt").write_text("short")
    (folder / "2.txt").write_text("a" * 40 + "b")
    command = [SCRIPT, "redact", "in", "--regex", "(a+)+$", "-o", "out", "--jobs", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 30
    while not (tmp_path / "out" / "1.txt").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert said == "1 of 2 files done; the same command with --resume does the rest\nstopped\n"
    (folder / "2.txt").write_text("short")
    done = subprocess.run([*command, "--resume"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "1 done before" in done.stderr) == (0, True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["1.txt", "2.txt"]


def test_doubtful_places_are_told_of(withhold: Withhold, memo: Path) -> None:
    memo.write_text(f"{SECRET} and {SECRET}owska")
    done = withhold("redact", memo, "--find", SECRET)
    assert "1 doubtful place left" in done.stderr
    assert "owska" not in done.stdout + done.stderr
    assert "1 doubtful place left" in withhold("plan", memo, "--find", SECRET, "-o", "plan.json").stderr
    [file] = as_json(withhold("redact", memo, "--find", SECRET, "--overwrite", "--json"))["files"]
    assert file["doubtful"] == 1


def test_a_risk_that_stays_has_its_own_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [Job("a.txt", "b.txt"), Job("c.txt", "d.txt")]
    results = [Result(0, "done"), Result(1, "done", risk_stays=True)]
    with pytest.raises(typer.Exit) as ended:
        report(jobs, results, as_json=False)
    assert ended.value.exit_code == 3
    assert "warning: c.txt: a risk stays above its ceiling" in capsys.readouterr().err


def test_names_that_no_terminal_can_show(installed: Withhold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    name = os.fsdecode(b"\xff\xc5\x81.txt")
    (tmp_path / name).write_text(MEMO)
    installed("redact", name, "--find", SECRET)
    assert (tmp_path / name).with_suffix(".redacted.txt").exists()


def test_an_empty_folder_is_an_error(withhold: Withhold, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "no files" in withhold("redact", "empty", "--find", "x", "-o", "out", code=1).stderr


def test_a_group_alone_shows_its_commands(withhold: Withhold) -> None:
    done = withhold("policy", code=2)
    assert "init" in done.stdout
    assert done.stderr.startswith("error: a command is needed")


@pytest.mark.parametrize(
    "arguments",
    [
        ["redact", "memo.txt"],
        ["redact", "memo.txt", "--replace-with", "x", "--policy", "p.toml"],
        ["redact", "memo.txt", "memo.txt", "--find", "x"],
        ["redact", ".", "--find", "x"],
        ["redact"],
        ["redact", "memo.txt", "--key", "k", "--find", "x"],
        ["redact", "memo.txt", "--policy", "p.toml"],
        ["redact", "memo.txt", "--policy", "mark.toml", "--key", "k"],
        ["plan", "memo.txt", "--policy", "p.toml", "-o", "plan.json"],
        ["plan", "memo.txt", "--find", "x"],
        ["plan", "memo.txt", "-o", "plan.json"],
        ["plan", "memo.txt", "-o", "plan.json", "--detect", "PERSON,"],
        ["detect"],
        ["detect", "memo.txt", "--detect", ""],
        ["nothing"],
    ],
)
def test_usage_errors(arguments: list[str], withhold: Withhold, memo: Path) -> None:
    (memo.parent / "p.toml").touch()
    (memo.parent / "mark.toml").write_text("[operators]\nmark = 'X'\n")
    (memo.parent / "k").write_text("QUFB" * 21 + "QQ==\n")
    done = withhold(*arguments, code=2)
    assert done.stdout == ""
    assert re.fullmatch("error: .+\n", done.stderr)
    assert as_json(withhold(*arguments, "--json", code=2))["error"]["message"] in done.stderr


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["read", "none.txt"], "DocumentError"),
        (["read", "photo.txt"], "UnsupportedFormat"),
        (["inspect", "memo.txt", "none.txt"], "DocumentError"),
        (["apply", "none.json", "memo.txt", "-o", "out.txt"], "PlanError"),
        (["apply", "memo.txt", "memo.txt", "-o", "out.txt"], "PlanError"),
        (["redact", "memo.txt", "--policy", "none.toml"], "PolicyError"),
        (["redact", "memo.txt", "--regex", "("], "PolicyError"),
        (["redact", "memo.txt", "--detect", "NOBODY"], "PolicyError"),
        (["detect", "memo.txt", "none.txt"], "DocumentError"),
        (["redact", "memo.txt", "--find", "x", "--operator", "none"], "PluginError"),
        (["redact", "memo.txt", "--find", "x", "-o", "memo.txt", "--overwrite"], "OutputError"),
        (["policy", "check", "memo.txt"], "PolicyError"),
        (["policy", "init", "-o", "memo.txt"], "OutputError"),
        (["key", "-o", "memo.txt"], "OutputError"),
        (["reveal", "memo.txt", "--ledger", "memo.txt", "--key", "k", "-o", "out.txt"], "SecretKeyError"),
        (["evaluate", "residue", "memo.txt"], "DocumentError"),
    ],
)
def test_errors_are_one_line_without_a_word_of_the_file(
    arguments: list[str], kind: str, withhold: Withhold, memo: Path
) -> None:
    (memo.parent / "photo.txt").write_bytes(b"\x89PNG" + MEMO.encode())
    before = sorted(memo.parent.iterdir())
    done = withhold(*arguments, code=1)
    assert done.stdout == ""
    assert re.fullmatch("error: .+\n", done.stderr)
    told = as_json(withhold(*arguments, "--json", code=1))["error"]
    assert told["type"] == kind
    assert SECRET not in done.stderr + told["message"]
    assert sorted(memo.parent.iterdir()) == before
    assert memo.read_text() == MEMO


def test_an_unexpected_exception_shows_its_place_and_no_value(memo: Path) -> None:
    broken = "import sys, withhold.redactor as r\ndef read(*a, **k): raise ValueError(open(a[1]).read())\n"
    broken += (
        "r.Redactor.read = read\nfrom withhold.cli import main\nsys.argv = ['withhold', 'read', sys.argv[1]]\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", broken, memo], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(
        r"error: internal error \(ValueError at .*\), nothing was written; please report\n", done.stderr
    )
    assert SECRET not in done.stdout + done.stderr


def test_outputs_are_not_overwritten_unless_asked(withhold: Withhold, memo: Path) -> None:
    out = memo.parent / "out.txt"
    out.write_text("precious")
    done = withhold("redact", memo, "--find", SECRET, "-o", out, code=1)
    assert "exists" in done.stderr
    assert out.read_text() == "precious"
    withhold("redact", memo, "--find", SECRET, "-o", out, "--overwrite")
    assert "REDACTED" in out.read_text()


def test_plan_and_apply(withhold: Withhold, memo: Path) -> None:
    withhold("plan", memo, "--find", SECRET, "-o", "plan.json")
    assert SECRET not in (memo.parent / "plan.json").read_text()
    done = withhold("apply", "plan.json", memo, "-o", "out.txt", "--audit", "private", "--json")
    assert as_json(done)["removed"] == 2
    assert SECRET.casefold() not in (memo.parent / "out.txt").read_text().casefold()
    assert json.loads((memo.parent / "private" / "out.txt.audit.json").read_text())["plan"]["edits"]
    memo.write_text(MEMO + "more")
    assert "another file" in withhold("apply", "plan.json", memo, "-o", "out2.txt", code=1).stderr
    assert not (memo.parent / "out2.txt").exists()


def test_pseudonyms_and_the_way_back(withhold: Withhold, memo: Path) -> None:
    withhold("key", "-o", "key")
    assert (memo.parent / "key").stat().st_mode & 0o777 == 0o600
    out = ["-o", "out.txt"]
    withhold("redact", memo, "--find", "Acme", "--key", "key", "--ledger", "ledgers", *out)
    released = (memo.parent / "out.txt").read_text()
    assert re.search(r"TERM-[A-Z2-7]{10}", released)
    ledger = "ledgers/out.txt.ledger"
    done = withhold("reveal", "out.txt", "--ledger", ledger, "--key", "key", "-o", "back.txt", "--json")
    assert as_json(done) == {"output": "back.txt", "revealed": 1}
    assert (memo.parent / "back.txt").read_text() == MEMO
    withhold("key", "-o", "other")
    done = withhold("reveal", "out.txt", "--ledger", ledger, "--key", "other", "-o", "no.txt", code=1)
    assert "does not open" in done.stderr


def test_ledgers_do_not_lie_with_what_is_released(withhold: Withhold, memo: Path) -> None:
    withhold("key", "-o", "key")
    options = ["--find", "Acme", "--key", "key"]
    withhold("redact", memo, *options, "--ledger", ".", "-o", "out.txt", code=1)
    withhold("redact", memo, memo, *options, "--ledger", "out/ledgers", "-o", "out", code=1)
    assert sorted(path.name for path in memo.parent.iterdir()) == ["key", "memo.txt"]


def test_inspect_shows_text_only_when_asked(withhold: Withhold, tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.author = SECRET
    document.save(str(tmp_path / "a.docx"))
    done = withhold("inspect", "a.docx")
    assert done.stdout
    assert SECRET not in done.stdout + done.stderr
    assert SECRET in withhold("inspect", "a.docx", "--show").stdout
    told = as_json(withhold("inspect", "a.docx", "--json"))
    assert {"file", "kind", "where", "count", "text"} == set(told[0])
    assert all(each["text"] is None for each in told)
    assert any(SECRET in each["text"] for each in as_json(withhold("inspect", "a.docx", "--json", "--show")))


def test_policy_init_is_valid_and_complete(withhold: Withhold, tmp_path: Path) -> None:
    withhold("policy", "init")
    assert Policy.load(tmp_path / "withhold.toml") == Policy(folder=str(tmp_path), file="withhold.toml")
    done = withhold("policy", "check", "withhold.toml")
    assert "finds nothing" in done.stderr
    text = (tmp_path / "withhold.toml").read_text().replace("# [[find]]", "[[find]]").replace("# terms", "terms")
    (tmp_path / "other.toml").write_text(text)
    told = as_json(withhold("policy", "check", "other.toml", "--json"))
    assert told["find"] == [{"label": "TERM", "terms": 2, "patterns": 0, "lists": 0, "operator": "suppress"}]


def test_policy_check_names_what_is_missing(withhold: Withhold, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('[[secret]]\nname = "client"\nmodel = "nobody"\n')
    assert "nobody" in withhold("policy", "check", "p.toml", code=1).stderr


def test_plugins(withhold: Withhold) -> None:
    told = as_json(withhold("plugins", "--json"))
    assert {("formats", "txt"), ("operators", "suppress")} <= {(each["kind"], each["name"]) for each in told}
    assert "suppress" in withhold("plugins").stdout


@pytest.mark.slow
def test_a_folder_with_a_hostile_file(installed: Withhold, tmp_path: Path) -> None:
    folder = tmp_path / "in" / f"{SECRET} files"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"{number}{SECRET}.txt").write_text(MEMO)
    (folder / "bad.docx").write_bytes(b"PK\x03\x04" + MEMO.encode())
    (folder / ".hidden").write_text(MEMO)
    document = docx.Document()
    document.add_paragraph(MEMO)
    document.save(str(folder / "good.docx"))
    done = installed("redact", "in", "--find", SECRET, "-o", "out", "--json", "--jobs", 2, code=1)
    told = as_json(done)
    assert (told["done"], told["failed"], told["removed"], told["left_out"]) == (4, 1, 8, 1)
    assert re.fullmatch("error: in/.*bad.docx: .+\n", done.stderr)
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert written == [
        f"REDACTED files/{name}" for name in ("0REDACTED.txt", "1REDACTED.txt", "2REDACTED.txt", "good.docx")
    ]


@pytest.mark.slow
def test_a_file_that_takes_too_long_is_stopped(withhold: Withhold, tmp_path: Path) -> None:
    (tmp_path / "slow.txt").write_text("a" * 40 + "b")
    (tmp_path / "fast.txt").write_text("short")
    done = withhold(
        "redact", "slow.txt", "fast.txt", "--regex", "(a+)+$", "-o", "out", "--timeout", 4, "--json", code=1
    )
    assert [each["status"] for each in as_json(done)["files"]] == ["stopped", "done"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["fast.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_kill_leaves_nothing_behind(end: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "slow.txt").write_text("a" * 40 + "b")
    command = [SCRIPT, "redact", "slow.txt", "--regex", "(a+)+$", "-o", "out.txt"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(end)
    assert process.wait(10) != 0
    assert [path.name for path in tmp_path.iterdir()] == ["slow.txt"]


def test_what_links_lead_to_is_left_out_and_told(withhold: Withhold, memo: Path) -> None:
    folder = memo.parent / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Acme left.")
    (folder / ".hidden.txt").write_text("Acme left.")
    (folder / "memo.txt").symlink_to(memo)
    done = withhold("redact", "in", "--find", "Acme", "-o", "out")
    assert "2 files left out: 1 hidden, 1 link\n" in done.stderr
    assert [path.name for path in (memo.parent / "out").iterdir()] == ["a.txt"]
    told = as_json(withhold("redact", "in", "--find", "Acme", "-o", "other", "--json"))
    assert told["left_out"] == 2
    assert {"file": "in/memo.txt", "why": "link"} in told["left_out_files"]


def test_names_cannot_play_with_the_terminal(withhold: Withhold, tmp_path: Path) -> None:
    name = "\x1b[31m[bold]x\n.txt"
    (tmp_path / name).write_text(MEMO)
    done = withhold("redact", name, "--find", SECRET, "-o", "out.txt")
    assert "\x1b" not in done.stdout + done.stderr
    assert "[bold]x" in done.stderr


def test_evaluate_residue(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "in").mkdir()
    memo.rename(memo.parent / "in" / "memo.txt")
    told = as_json(withhold("evaluate", "residue", "in", "--json", "--no-libreoffice"))
    assert (told["files"], told["rewritten"], told["residual_hits"]) == (1, 1, 0)
    done = withhold("evaluate", "residue", "in", "--no-libreoffice")
    assert "residual hits" in done.stdout
    assert "Residue in in" in done.stderr


def test_audits_are_kept_away_from_what_is_released(withhold: Withhold, memo: Path) -> None:
    done = withhold("redact", memo, "--find", "Acme", "-o", "out/a.txt", "--audit", "out", code=1)
    assert "not released" in done.stderr


def test_words_inside_longer_words_are_told_and_removed_on_request(withhold: Withhold, memo: Path) -> None:
    (memo.parent / "long.txt").write_text("Kwiatkowskich")
    told = withhold("redact", memo.parent / "long.txt", "--find", "Kwiatkowski", "-o", "one.txt")
    assert (memo.parent / "one.txt").read_text() == "Kwiatkowskich"
    assert "1 doubtful place" in told.stderr
    withhold("redact", memo.parent / "long.txt", "--find", "Kwiatkowski", "--anywhere", "-o", "two.txt")
    assert (memo.parent / "two.txt").read_text() == "[REDACTED]ch"


def test_the_policy_its_lists_and_its_key_are_not_released(withhold: Withhold, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Acme left.")
    (folder / "names.txt").write_text("Acme")
    withhold("key", "-o", folder / "k.key")
    policy = "[operators]\ndefault='pseudonymise'\nkey='k.key'\n[[find]]\nlists=['names.txt']"
    (folder / "p.toml").write_text(policy)
    done = withhold("redact", folder, "-p", folder / "p.toml", "-o", "out", "--ledger", "private")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]
    assert "3" in done.stderr
    withhold("redact", folder, "-p", folder / "p.toml", "-o", "other", "--ledger", folder / "ledgers", code=1)


def test_anywhere_counts_for_the_policy_too(withhold: Withhold, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text("[[find]]\nterms=['Kwiatkowski']")
    (tmp_path / "a.txt").write_text("Kwiatkowskich")
    withhold("redact", "a.txt", "-p", "p.toml", "--anywhere", "-o", "b.txt")
    assert (tmp_path / "b.txt").read_text() == "[REDACTED]ch"


def test_a_ledger_without_a_key_is_a_mistake(withhold: Withhold, memo: Path) -> None:
    withhold("redact", memo, "--find", "Acme", "--ledger", "private", code=2)


def test_a_plan_can_be_shown_to_a_person(withhold: Withhold, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mr Kwiatkowski came, the Kwiatkowskis left.")
    done = withhold("plan", "a.txt", "--find", "Kwiatkowski", "-o", "plan.json", "--show")
    assert "Mr >>Kwiatkowski<< came" in done.stdout
    assert "doubtful" in done.stdout
    assert "Kwiatkowski" not in (tmp_path / "plan.json").read_text()


LISTED = """
[[find]]
label = "PERSON"
terms = ["Zbigniew Kwiatkowski"]

[components]
detectors = ["lists"]
"""
LETTER = "Dear Zbigniew Kwiatkowski,\nMr Kwiatkowski may go. ZKwiatkowski@example.com\n"


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    (tmp_path / "listed.toml").write_text(LISTED)
    path = tmp_path / "letter.txt"
    path.write_text(LETTER)
    return path


def test_detect_counts_places_and_entities_without_a_word_of_the_file(withhold: Withhold, letter: Path) -> None:
    done = withhold("detect", letter, "--policy", "listed.toml")
    assert re.search(r"PERSON +direct +3 +1 +0\n", done.stdout)
    assert "kwiatkowski" not in (done.stdout + done.stderr).lower()
    told = as_json(withhold("detect", letter, letter, "--policy", "listed.toml", "--json"))["files"]
    assert [file["labels"] for file in told] == [
        [{"label": "PERSON", "identifier": "direct", "places": 3, "entities": 1, "doubtful": 0}]
    ] * 2
    assert [finding["entity"] for finding in told[0]["findings"]] == [1, 1, 1]
    assert "kwiatkowski" not in json.dumps(told).lower()
    (letter.parent / "empty.txt").write_text("nobody")
    assert "nothing was found in empty.txt" in withhold("detect", "empty.txt", "-p", "listed.toml").stderr


def test_detect_shows_places_when_asked(withhold: Withhold, letter: Path) -> None:
    done = withhold("detect", letter, "--policy", "listed.toml", "--show")
    assert ">>Mr Kwiatkowski<<" in done.stdout
    told = as_json(withhold("detect", letter, "--policy", "listed.toml", "--show", "--json"))
    assert ">>Mr Kwiatkowski<< may go" in told["files"][0]["findings"][1]["words"]


@pytest.mark.slow
def test_labels_are_added_to_the_policy(withhold: Withhold, letter: Path) -> None:
    withhold("redact", letter, "-p", "listed.toml", "-o", "plain.txt", "--operator", "mask")
    assert (letter.parent / "plain.txt").read_text().count("[PERSON 1]") == 1
    withhold("redact", letter, "-p", "listed.toml", "-o", "out.txt", "--operator", "mask", "--detect", "person")
    assert (letter.parent / "out.txt").read_text() == "Dear [PERSON 1],\n[PERSON 1] may go. [PERSON 1]@example.com\n"
    withhold("plan", letter, "-p", "listed.toml", "-o", "plan.json", "--detect", "direct,GPE")
    assert len(json.loads((letter.parent / "plan.json").read_text())["edits"]) == 3


@pytest.mark.slow
def test_numbers_are_the_same_in_all_files_of_a_folder(withhold: Withhold, letter: Path) -> None:
    folder = letter.parent / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Ann and Zbigniew Kwiatkowski")
    (folder / "b.txt").write_text("Zbigniew Kwiatkowski and Ann")
    withhold("redact", folder, "-o", "out", "--find", "Ann", "--find", "Zbigniew Kwiatkowski", "--operator", "mask")
    assert (letter.parent / "out" / "b.txt").read_text() == "[TERM 2] and [TERM 1]"
    (letter.parent / "out" / "b.txt").unlink()
    finds = ["--find", "Ann", "--find", "Zbigniew Kwiatkowski"]
    withhold("redact", folder, "-o", "out", *finds, "--operator", "mask", "--resume")
    assert (letter.parent / "out" / "b.txt").read_text() == "[TERM 2] and [TERM 1]"
