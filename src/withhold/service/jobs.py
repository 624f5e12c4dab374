"""Work in the background: begun by a request, done in a worker process, told of as it goes, and cancelled at will.

What has ended is in the database. What runs is known to this process alone: if the server ends, it is begun again by
whoever wants it, and nothing of it is left.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy import Engine, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from withhold.errors import WithholdError
from withhold.service import faults
from withhold.service.database import forget, jobs, now
from withhold.service.faults import Refusal
from withhold.service.people import fresh
from withhold.service.store import Outrun, missing
from withhold.service.work import Cancelled, Crew, Task

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
KEPT = timedelta(hours=1)
"""So long the result of a job can be fetched. It may hold a document."""

_MOST = 100
"""So many jobs may wait or run at once, whoever they are of."""


@dataclass(frozen=True, slots=True)
class Job:
    """How a job stands."""

    id: str
    owner: str
    kind: str
    review: str | None
    status: Status
    created: datetime
    progress: float = 0.0
    doing: str = ""
    ended: datetime | None = None
    error: dict[str, str] | None = None
    result: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        return self.status not in ("waiting", "running")


@dataclass(slots=True)
class _Running:
    job: Job
    stop: threading.Event = field(default_factory=threading.Event)


class Jobs:
    """The jobs of one server."""

    def __init__(self, engine: Engine, crew: Crew, *, at_once: int, per_person: int, seconds: float) -> None:
        self._engine, self._crew = engine, crew
        self._per_person, self._seconds = per_person, seconds
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="job")
        self._running: dict[str, _Running] = {}
        self._lock = threading.Lock()

    def begin(
        self,
        kind: str,
        owner: str,
        task: Task[Any, Any],
        item: object,
        *,
        finish: Callable[[Any], BaseModel],
        review: str | None = None,
        clean: Callable[[], None] = lambda: None,
    ) -> Job:
        """Begin a job. `finish` is given what the task made and stores it; its answer is the result of the job. `clean`
        is called if it does not come to that.

        Raises:
            Refusal: if its owner has too many.
        """
        job = Job(fresh(), owner, kind, review, "waiting", now(), doing="waiting for a free worker")
        with self._lock:
            going = [each.job.owner for each in self._running.values() if not each.job.is_over]
            if going.count(owner) >= self._per_person:
                told = f"a person may have {self._per_person} jobs at once"
                raise Refusal(429, "TooMany", told, "Wait for one to end.")
            if len(going) >= _MOST:
                raise faults.busy()
            running = self._running[job.id] = _Running(job)
        try:
            row = {"id": job.id, "owner": owner, "kind": kind, "review": review, "status": "running"}
            with self._engine.begin() as connection:
                connection.execute(insert(jobs).values(**row, created=job.created))
        except SQLAlchemyError:
            del self._running[job.id]
            raise
        self._threads.submit(self._run, running, task, item, finish, clean)
        return job

    def _run(
        self,
        running: _Running,
        task: Task[Any, Any],
        item: object,
        finish: Callable[[Any], BaseModel],
        clean: Callable[[], None],
    ) -> None:
        ended: dict[str, Any]
        try:
            value = self._crew.do(
                task,
                item,
                seconds=self._seconds,
                heard=lambda progress, doing: self._tell(running, status="running", progress=progress, doing=doing),
                stop=running.stop,
            )
            ended = {"status": "done", "progress": 1.0, "result": finish(value).model_dump(mode="json")}
        except Cancelled:
            ended = {"status": "cancelled"}
        except Exception as error:
            ended = {"status": "failed", "error": _fault(error)}
        if ended["status"] != "done":
            clean()
        self._end(running, ended)

    def _end(self, running: _Running, ended: dict[str, Any]) -> None:
        moment = now()
        stored = {name: value for name, value in ended.items() if name != "progress"}
        # If the database is away just now, this process still tells how it ended.
        with contextlib.suppress(SQLAlchemyError), self._engine.begin() as connection:
            connection.execute(update(jobs).where(jobs.c.id == running.job.id).values(**stored, ended=moment))
        self._tell(running, doing="", ended=moment, **ended)
        # Whoever listens hears how it ended; from then on the database knows.
        timer = threading.Timer(30.0, self._running.pop, (running.job.id, None))
        timer.daemon = True
        timer.start()

    def _tell(self, running: _Running, **news: Any) -> None:
        running.job = replace(running.job, **news)

    def get(self, job: str, owner: str) -> Job:
        """A job of somebody.

        Raises:
            Refusal: if there is none.
        """
        running = self._running.get(job)
        if running is not None and running.job.owner == owner:
            return running.job
        with self._engine.connect() as connection:
            row = connection.execute(select(jobs).where(jobs.c.id == job, jobs.c.owner == owner)).one_or_none()
        if row is None:
            raise missing()
        return _stored(row)

    def all(self, owner: str) -> list[Job]:
        """The jobs of somebody, the newest first."""
        query = select(jobs).where(jobs.c.owner == owner).order_by(jobs.c.created.desc()).limit(100)
        with self._engine.connect() as connection:
            rows = connection.execute(query).all()
        return [self._running[row.id].job if row.id in self._running else _stored(row) for row in rows]

    def cancel(self, job: str, owner: str) -> None:
        """Stop a job that runs; delete one that has ended, with its result."""
        found = self.get(job, owner)
        running = self._running.get(job)
        if running is not None and not found.is_over:
            running.stop.set()
            return
        self._running.pop(job, None)
        with self._engine.begin() as connection:
            connection.execute(delete(jobs).where(jobs.c.id == job))
        forget(self._engine)

    def cancel_review(self, review: str) -> None:
        """Stop all jobs of a review."""
        for running in list(self._running.values()):
            if running.job.review == review:
                running.stop.set()

    def recover(self) -> None:
        """After a start: what was running when the server ended has failed."""
        fault = {
            "kind": "Stopped",
            "message": "the server ended before the job did; nothing of it was stored",
            "advice": "Begin it again.",
        }
        with self._engine.begin() as connection:
            query = update(jobs).where(jobs.c.status == "running")
            connection.execute(query.values(status="failed", error=fault, ended=now()))

    def sweep(self) -> None:
        """Forget jobs that ended some time ago."""
        old = or_(jobs.c.ended < now() - KEPT, jobs.c.created < now() - 48 * KEPT)
        with self._engine.begin() as connection:
            there = connection.execute(select(func.count()).select_from(jobs).where(old)).scalar_one()
            connection.execute(delete(jobs).where(old))
        if there:
            forget(self._engine)

    def end(self) -> None:
        """Stop everything."""
        for running in self._running.values():
            running.stop.set()
        self._threads.shutdown(wait=True, cancel_futures=True)


def _stored(row: Any) -> Job:
    told = {"id": row.id, "owner": row.owner, "kind": row.kind, "review": row.review, "status": row.status}
    progress = 1.0 if row.status == "done" else 0.0
    return Job(**told, created=row.created, progress=progress, ended=row.ended, error=row.error, result=row.result)


def _fault(error: Exception) -> dict[str, str]:
    if isinstance(error, Outrun):
        error = Refusal(
            409,
            "Conflict",
            "the review was changed while this was being done, so nothing was released",
            "Look at it again, and release it then.",
        )
    elif isinstance(error, SQLAlchemyError):
        error = faults.no_storage()
    elif isinstance(error, WithholdError):
        error = faults.of(error)
    if not isinstance(error, Refusal):
        error = faults.unexpected(error)
    return {"kind": error.kind, "message": error.message, "advice": error.advice}
