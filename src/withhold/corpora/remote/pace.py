"""How fast queries may go out."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

Clock = Callable[[], float]


class Pace:
    """A bucket of one token that fills `per_second` times a second: no two queries go out closer than that."""

    def __init__(
        self, per_second: float, *, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.per_second = per_second
        self._clock, self._sleep = clock, sleep
        self._free = -float("inf")
        self._lock = Lock()

    def wait(self, queries: int = 1) -> None:
        """Return once so many queries may be sent together; they are paid for by whoever comes next."""
        with self._lock:
            start = max(self._clock(), self._free)
            self._free = start + queries / self.per_second
        self._rest(start - self._clock())

    def pause(self, seconds: float) -> None:
        """Let nothing go out for so long: the other side has asked for it."""
        with self._lock:
            self._free = max(self._free, self._clock() + seconds)
        self._rest(seconds)

    def _rest(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)
