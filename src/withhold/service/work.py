"""Worker processes for what can hang, crash or take long: files of strangers, attacks, models.

A worker is a process with a pipe. It is told what to do, tells how far it is, and is killed when its time is up or
nobody wants its answer any more; then a new one takes its place. The server itself never parses an upload.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from withhold import errors
from withhold.batch.pool import blame, death, fall_silent, follow_parent
from withhold.errors import Stopped, WithholdError
from withhold.service.faults import Refusal, internal

Item = TypeVar("Item")
Value = TypeVar("Value")
Tell = Callable[[float, str], None]
"""Says how far a task is, from 0 to 1, and what it does just now."""

Task = Callable[[Item, Tell], Value]

_PROCESSES = get_context("spawn")
_STARTING = 60.0
_GLANCE = 0.1


class Cancelled(Exception):
    """Nobody wants the answer any more."""


class Busy(Exception):
    """Too many wait already."""


class Crew:
    """So many workers, started when they are first needed, and a bounded line of those who wait for one."""

    def __init__(self, workers: int, waiting: int) -> None:
        self._free = threading.Semaphore(workers)
        self._room = threading.Semaphore(workers + waiting)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def do(
        self,
        task: Task[Item, Value],
        item: Item,
        *,
        seconds: float,
        heard: Tell = lambda _progress, _doing: None,
        stop: threading.Event | None = None,
    ) -> Value:
        """What the task makes of the item. Blocks until a worker is free and done.

        Raises:
            Busy: if too many wait.
            Cancelled: once `stop` is set.
            Stopped: if it takes longer than `seconds`, or the worker dies.
            WithholdError: what the task raises.
            Refusal: if it raises something else.
        """
        if not self._room.acquire(blocking=False):
            raise Busy
        try:
            while not self._free.acquire(timeout=_GLANCE):
                if stop is not None and stop.is_set():
                    raise Cancelled
            try:
                value: Value = self._with_worker(task, item, seconds, heard, stop or threading.Event())
                return value
            finally:
                self._free.release()
        finally:
            self._room.release()

    def _with_worker(
        self, task: Task[Any, Any], item: object, seconds: float, heard: Tell, stop: threading.Event
    ) -> Any:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        worker = worker if worker is not None and worker.is_alive else _Worker()
        try:
            value = worker.do(task, item, seconds, heard, stop)
        except (WithholdError, Refusal):
            self._keep(worker)
            raise
        except BaseException:
            worker.end()
            raise
        self._keep(worker)
        return value

    def _keep(self, worker: _Worker) -> None:
        if worker.is_alive:
            with self._lock:
                self._idle.append(worker)

    def warm(self) -> None:
        """Start a worker, so that the first task need not wait for it."""
        self._keep(_Worker())

    def end(self) -> None:
        with self._lock:
            for worker in self._idle:
                worker.end()
            self._idle.clear()


class _Worker:
    """One process and the pipe to it."""

    def __init__(self) -> None:
        self._pipe, theirs = _PROCESSES.Pipe()
        self._process: BaseProcess = _PROCESSES.Process(target=_live, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def do(self, task: Task[Any, Any], item: object, seconds: float, heard: Tell, stop: threading.Event) -> Any:
        limit = time.monotonic() + _STARTING
        with contextlib.suppress(OSError):  # a worker that died is noticed when it is heard
            self._pipe.send((task, item))
        while True:
            while not self._pipe.poll(_GLANCE):
                if stop.is_set():
                    raise Cancelled
                if time.monotonic() > limit:
                    self.end()
                    raise Stopped(f"took longer than {seconds:g} s")
            said = self._hear()
            match said:
                case ("begun",):
                    limit = time.monotonic() + seconds
                case ("tells", progress, doing):
                    heard(progress, doing)
                case ("done", value):
                    return value
                case ("refused", kind, message):
                    raise _error(kind, message)
                case ("crashed", message):
                    raise internal(message)

    def _hear(self) -> Any:
        try:
            return self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(5.0)
            code = self._process.exitcode
            self.end()
            raise Stopped(death(code)) from None

    def end(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _error(kind: str, message: str) -> WithholdError:
    """The error that a worker has told of."""
    found = getattr(errors, kind, None)
    return found(message) if isinstance(found, type) and issubclass(found, WithholdError) else Stopped(message)


def _live(pipe: Connection) -> None:
    """The life of a worker: take a task, say so, say how it ended."""
    fall_silent()
    follow_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task, item = pipe.recv()
            pipe.send(("begun",))
            pipe.send(_attempt(task, item, lambda progress, doing: pipe.send(("tells", progress, doing))))


def _attempt(task: Task[Any, Any], item: object, tell: Tell) -> tuple[object, ...]:
    try:
        return "done", task(item, tell)
    except WithholdError as error:
        return "refused", type(error).__name__, str(error)
    except MemoryError:
        return "refused", "Stopped", "there was not enough memory"
    except Exception as error:
        return "crashed", blame(error)
