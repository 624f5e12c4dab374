"""How far long work on one document is, for whoever listens: reading a scan takes seconds a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int, int], None]
"""Told how much is done, and of how much."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Inside, the listener is told how far the work is."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(done: int, total: int) -> None:
    """Say that so much is done; nothing happens if nobody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total)
