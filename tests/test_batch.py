"""The pool survives what documents do to it, and folders come out whole, renamed and separate."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from withhold.batch import pool
from withhold.errors import DamagedDocument


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
    children = pool._PROCESSES.active_children() if hasattr(pool._PROCESSES, "active_children") else []
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 5
    assert not any(child.is_alive() for child in children)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_workers_do_not_outlive_their_parent(end: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
            import os, pathlib, sys, time
            from withhold.batch import pool

            def hang(path):
                pathlib.Path(path).write_text(str(os.getpid()))
                time.sleep(60)

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
