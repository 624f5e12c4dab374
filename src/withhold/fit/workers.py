"""Work on many pieces in several processes, in order."""

from __future__ import annotations

import gc
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from withhold.errors import Stopped

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_order(function: Callable[[Piece], Result], pieces: Iterator[Piece], workers: int) -> Iterator[Result]:
    """What becomes of every piece, in their order, a few of them worked on at a time.

    Raises:
        Stopped: if a worker process dies.
    """
    first = list(islice(pieces, 2))
    if workers < 2 or len(first) < 2:
        yield from map(function, chain(first, pieces))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)
    waiting: deque[Future[Result]] = deque()
    try:
        for piece in chain(first, pieces):
            waiting.append(pool.submit(function, piece))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise Stopped("a worker process died, perhaps for want of memory; try with fewer workers") from None
    finally:
        pool.shutdown(cancel_futures=True)


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin() -> None:
    """Make this worker end when the process it works for is killed."""
    parent = parent_process()
    # Many lists live for a moment and hold nothing that points back: looking for cycles that often is a waste.
    gc.set_threshold(100_000)

    def follow() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
