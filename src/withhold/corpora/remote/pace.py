"""How fast queries may go out."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from withhold.errors import CorpusError

Clock = Callable[[], float]
Sleep = Callable[[float], None]

_LONG = 60.0


class Pace:
    """A bucket of one token that fills `per_second` times a second: no two queries go out closer than that."""

    def __init__(self, per_second: float, *, clock: Clock = time.time, sleep: Sleep = time.sleep) -> None:
        self.per_second = per_second
        self._clock, self._sleep = clock, sleep
        self._free = 0.0
        self._lock = Lock()

    def wait(self, queries: int = 1) -> None:
        """Return once so many queries may be sent together; whoever comes next waits for all of them."""
        with self._held():
            start = max(self._clock(), self._free)
            self._free = start + queries / self.per_second
        self._rest(start - self._clock())

    def pause(self, seconds: float) -> None:
        """Let nothing go out for so long: the other side has asked for it."""
        with self._held():
            self._free = max(self._free, self._clock() + seconds)
        self._rest(seconds)

    def _rest(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """The time from which the next may go, for one at a time."""
        with self._lock:
            yield


class SharedPace(Pace):
    """One pace for all programs that share a folder, such as the workers of a batch; for one, where files have no
    locks.
    """

    def __init__(self, per_second: float, path: Path, *, clock: Clock = time.time, sleep: Sleep = time.sleep) -> None:
        super().__init__(per_second, clock=clock, sleep=sleep)
        self._path = path

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            import fcntl
        except ImportError:
            with super()._held():
                yield
            return
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CorpusError(f"corpus.cache: {self._path} cannot be written: {error.strerror}") from None
        with self._lock, os.fdopen(file, "r+b", buffering=0) as kept:
            fcntl.flock(kept, fcntl.LOCK_EX)
            read = kept.read(8)
            free = struct.unpack("<d", read)[0] if len(read) == 8 else 0.0
            # A clock that was put back, or a damaged file, must not make anyone wait for ever.
            self._free = free if free <= self._clock() + self._longest else 0.0
            yield
            kept.seek(0)
            kept.write(struct.pack("<d", self._free))

    @property
    def _longest(self) -> float:
        return _LONG + 1000 / self.per_second
