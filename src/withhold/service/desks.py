"""The desks of reviews that somebody works on: made when they are first asked for, and kept while there is room.

A desk holds nothing that is not in the database. One that is gone, with the server or for want of room, is made anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from withhold.errors import DocumentError
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.service import faults, tasks
from withhold.service.store import Record, Store
from withhold.service.work import Busy, Crew, Task
from withhold.types import Document, Handling

if TYPE_CHECKING:
    from withhold.assistant.desk import Desk

Answer = TypeVar("Answer")

_REDACTORS = 16
_MAKING, _WORKING = 1, 3
"""So many documents are analysed, and so many other questions answered, at the same time: more would only make each of
them slower, and leave nothing for those who wait for something small.
"""


@dataclass(slots=True)
class _Place:
    """A review's place: one piece of work at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    policy: str = ""
    files: Handling | None = None
    document: Document | None = None
    desk: Desk | None = None


@dataclass(slots=True)
class _Loading:
    """A redactor, once its components are there."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    redactor: Redactor | None = None


class Desks:
    """So many desks, those used last."""

    def __init__(self, store: Store, crew: Crew, *, most: int, seconds: float, characters: int) -> None:
        self._store, self._crew, self._most = store, crew, most
        self._seconds, self._characters = seconds, characters
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._redactors: OrderedDict[str, _Loading] = OrderedDict()
        self._lock = threading.Lock()
        self._making, self._working = threading.Semaphore(_MAKING), threading.Semaphore(_WORKING)

    def read(self, policy: Policy, name: str, data: bytes) -> Document:
        """The document in a file, read by a worker.

        Raises:
            DocumentError: if it cannot be read safely and completely.
            Refusal: if too many wait.
        """
        return self._do(tasks.read, tasks.Given(policy, tasks.File(name, data), characters=self._characters))

    def ask(self, task: Task[tasks.Given, Answer], record: Record, policy: Policy, *, page: int = 1) -> Answer:
        """What a worker finds in the file of a review; as `read` raises."""
        return self._do(task, tasks.Given(policy, tasks.File(record.name, self._store.native(record.id)), page=page))

    def _do(self, task: Task[tasks.Given, Answer], given: tasks.Given) -> Answer:
        try:
            return self._crew.do(task, given, seconds=self._seconds)
        except Busy:
            raise faults.busy() from None

    def hold(self, record: Record, policy: Policy, document: Document) -> None:
        """Keep a document that was read already: some take long."""
        with self._at(record.id) as place:
            place.document, place.files = document, policy.files

    def document(self, record: Record, policy: Policy) -> Document:
        """The document of a review."""
        with self._at(record.id) as place:
            return self._document(place, record, policy)

    @contextmanager
    def of(self, record: Record, policy: Policy) -> Iterator[Desk]:
        """The desk of a review, for one piece of work at a time."""
        with self._at(record.id) as place:
            key = _key(policy)
            if place.desk is None or place.policy != key:
                place.desk = self._made(self._document(place, record, policy), policy)
                place.policy = key
            with self._working:
                yield place.desk

    def forget(self, review: str) -> None:
        """Let go of everything that is held of a review."""
        with self._lock:
            self._places.pop(review, None)

    @contextmanager
    def _at(self, review: str) -> Iterator[_Place]:
        with self._lock:
            place = self._places.setdefault(review, _Place())
            self._places.move_to_end(review)
            while len(self._places) > self._most:
                self._places.popitem(last=False)
        with place.lock:
            yield place

    def _document(self, place: _Place, record: Record, policy: Policy) -> Document:
        """Read anew if the policy has files read in another way; but then decisions would be about other words."""
        if place.document is None or place.files != policy.files:
            document = self.read(policy, record.name, self._store.native(record.id))
            if document.reading != record.reading:
                raise DocumentError("the file now reads in another way than when the review began; begin a new review")
            place.document, place.files = document, policy.files
        return place.document

    def _made(self, document: Document, policy: Policy) -> Desk:
        from withhold.assistant.desk import Desk

        redactor = self._redactor(policy)
        with self._making:
            return Desk(redactor, document)

    def _redactor(self, policy: Policy) -> Redactor:
        """One redactor for all reviews of the same policy: models and corpora are loaded once, and nobody else waits
        while they are.
        """
        key = _key(policy)
        with self._lock:
            loading = self._redactors.setdefault(key, _Loading())
            self._redactors.move_to_end(key)
            if len(self._redactors) > _REDACTORS:
                self._redactors.popitem(last=False)
        with loading.lock:
            if loading.redactor is None:
                redactor = Redactor(policy)
                redactor.load()
                loading.redactor = redactor
            return loading.redactor


def _key(policy: Policy) -> str:
    return f"{policy.folder}:{policy.digest}"
