"""Worker processes we control: one pipe each, a time limit per item, and no queue to be left behind.

A document can hang a parser, crash it, or eat all memory. Here that costs the one item it happens to: a worker
that takes too long is killed, one that dies is noticed, and a new one goes on with the rest.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from withhold.errors import WithholdError

Item = TypeVar("Item")
Value = TypeVar("Value")
Status = Literal["done", "refused", "crashed", "stopped"]

_STARTING = 60.0
_PROCESSES = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Ended(Generic[Value]):
    """How one item ended.

    `refused` means an error of `withhold.errors`, `crashed` any other or the death of the worker, `stopped` the
    time limit. `message` never quotes a value.
    """

    index: int
    status: Status
    seconds: float
    value: Value | None = None
    error: str = ""
    message: str = ""


def run(
    function: Callable[[Item], Value], items: Iterable[Item], *, jobs: int = 1, seconds: float | None = None
) -> Iterator[Ended[Value]]:
    """`function` of every item, in worker processes, as each is done; items are taken as workers ask for them.

    The function and the items are pickled; a script must call this under `if __name__ == "__main__"`. An item that
    takes longer than `seconds` ends as `stopped`, one whose worker dies as `crashed`. Workers end when the iterator
    is closed, and when this process is killed.
    """
    waiting = enumerate(items)
    workers: dict[Connection, _Worker] = {}
    try:
        while True:
            while len(workers) < max(jobs, 1) and (item := next(waiting, None)):
                worker = _Worker(function, seconds)
                worker.give(*item)
                workers[worker.pipe] = worker
            if not workers:
                return
            for worker in _ready(workers):
                ended: Ended[Value] | None = worker.hear()
                if ended is None:
                    continue
                if worker.alive and (item := next(waiting, None)):
                    worker.give(*item)
                else:
                    workers.pop(worker.pipe).end()
                yield ended
    finally:
        for worker in workers.values():
            worker.end()


def cores() -> int:
    """How many workers make sense on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def blame(error: BaseException) -> str:
    """Where an unexpected exception came from: its type and place in the code, and none of its values."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"internal error ({type(error).__name__}{place}), nothing was written; please report"


def _ready(workers: dict[Connection, _Worker]) -> list[_Worker]:
    """Those with something to say, and those whose time is up."""
    pause = min(worker.left() for worker in workers.values())
    speaking = connection.wait(list(workers), timeout=min(pause, 3600.0))
    return [worker for pipe, worker in workers.items() if pipe in speaking or worker.left() <= 0]


class _Worker:
    """One process, what it is doing, and until when it may."""

    def __init__(self, function: Callable[..., object], seconds: float | None) -> None:
        self.seconds = seconds
        self.alive = True
        self.pipe, theirs = _PROCESSES.Pipe()
        self.process: BaseProcess = _PROCESSES.Process(target=_work, args=(theirs, function), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, index: int, item: object) -> None:
        self.index = index
        self._allow(_STARTING)
        # A worker that died at birth is noticed when it is heard.
        with contextlib.suppress(OSError):
            self.pipe.send(item)

    def left(self) -> float:
        return float("inf") if self.limit is None else max(0.0, self.limit - self._spent())

    def hear(self) -> Ended[Any] | None:
        """How the item ended, or None if it has only begun."""
        if not self.pipe.poll():
            return self._stop()
        try:
            said = self.pipe.recv()
        except (EOFError, OSError):
            return self._dead()
        if said is None:
            self._allow(self.seconds)
            return None
        status, value, error, message = said
        return Ended(self.index, status, self._spent(), value, error, message)

    def end(self) -> None:
        self.alive = False
        self.pipe.close()
        self.process.kill()
        self.process.join()

    def _allow(self, limit: float | None) -> None:
        """Let the worker take so many seconds from now on."""
        self.began = time.monotonic()
        self.limit = limit

    def _stop(self) -> Ended[Any]:
        spent = self._spent()
        self.end()
        return Ended(self.index, "stopped", spent, error="Stopped", message=f"took longer than {self.limit:g} s")

    def _dead(self) -> Ended[Any]:
        spent = self._spent()
        self.process.join(5.0)
        code = self.process.exitcode
        self.end()
        return Ended(self.index, "crashed", spent, error="Stopped", message=death(code))

    def _spent(self) -> float:
        return time.monotonic() - self.began


def death(code: int | None) -> str:
    """How a worker ended that said nothing, in words."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        advice = ", perhaps for want of memory" if name == "SIGKILL" else ""
        return f"the worker process was ended by {name}{advice}"
    return f"the worker process ended by itself (exit code {code})"


def _work(pipe: Connection, function: Callable[[Any], object]) -> None:
    """The life of a worker: take an item, say so, say how it ended."""
    fall_silent()
    follow_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            item = pipe.recv()
            pipe.send(None)
            pipe.send(_attempt(function, item))


def _attempt(function: Callable[[Any], object], item: object) -> tuple[Status, object, str, str]:
    try:
        return "done", function(item), "", ""
    except WithholdError as error:
        return "refused", None, type(error).__name__, str(error)
    except Exception as error:
        return "crashed", None, type(error).__name__, blame(error)


def fall_silent() -> None:
    """Leave Ctrl-C to the parent, and print nothing: what libraries print may quote a document."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def follow_parent() -> None:
    """A worker nobody waits for must not go on to write files."""
    parent = parent_process()
    if parent is not None:
        _ask_to_be_killed(parent.sentinel)
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _ask_to_be_killed(sentinel: int) -> None:
    """Have the system end this process with its parent, even inside a regular expression that lets no thread run."""
    if os.name == "posix":
        import fcntl

        # Without a handler, the signal that a pipe is closed at its other end is deadly.
        with contextlib.suppress(OSError):
            fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)


def _exit_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
