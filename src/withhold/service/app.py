"""The application: what it is made of, and how it starts and ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

from anyio import to_thread
from fastapi import APIRouter, Depends, FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp

from withhold import __version__
from withhold.service import faults
from withhold.service.database import connect, forget
from withhold.service.desks import Desks
from withhold.service.jobs import Jobs
from withhold.service.people import People
from withhold.service.reviewing import Conflict, Reviewing
from withhold.service.routes import jobs, models, reviews, session, verbs
from withhold.service.schemas.common import Failure
from withhold.service.security import Guard, Say, signed_in
from withhold.service.settings import Settings
from withhold.service.shelf import Shelf
from withhold.service.store import Store
from withhold.service.work import Crew

PAGES = Path(__file__).parent / "pages"
PREFIX = "/api/v1"
_SWEEPING = 60.0
_NEVER, _TIDYING = 1_000_000, 60
"""Looking for garbage through all that many desks know stops everybody for a while. There is hardly any, since desks
that are let go of are freed at once; so it is looked for once in so many sweeps, and not whenever Python would.
"""

_THREADS = 200
"""So many requests are looked after at once. Most of them wait: for the database, or for their turn at a desk."""

_ABOUT = (
    "Documents made safe to release, on your own machine. Offsets are code points of the document's text, half-open. "
    "Files travel as base64 in JSON. Every error has one shape. What changes something with a session needs the header "
    "`X-CSRF-Token`; programs send `Authorization: Bearer` with a person's token instead."
)


class Service:
    """One server: its application, and the guard that stands before it."""

    def __init__(self, settings: Settings, *, say: Say | None = None) -> None:
        self.settings = settings
        self.engine = connect(settings)
        self.people = People(self.engine)
        self.store = Store(self.engine, settings.reviews, settings.log_lines)
        self.shelf = Shelf(self.engine, settings)
        self.quick, self.heavy = Crew(settings.workers, waiting=100), Crew(settings.workers, waiting=1000)
        self.jobs = Jobs(
            self.engine, self.heavy, at_once=settings.workers, per_person=settings.jobs, seconds=settings.job_seconds
        )
        self.desks = Desks(
            self.store,
            self.quick,
            most=settings.desks,
            seconds=settings.verb_seconds,
            characters=settings.characters,
        )
        self.reviewing = Reviewing(settings, self.store, self.desks, self.shelf, self.people, self.jobs)
        self.api = make_api(self._life)
        for name in ("settings", "people", "store", "shelf", "quick", "jobs", "reviewing"):
            setattr(self.api.state, name, getattr(self, name))
        self.api.state.example = None
        self.app: ASGIApp = Guard(self.api, settings, self.people, say)

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the server."""
        return all(host.rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]") for host in self.settings.hosts)

    @contextmanager
    def announced(self, *, open_page: bool) -> Iterator[str]:
        """The address to open; with a token that signs in once, if only this machine reaches the server. It is opened
        by way of a private file, since others can see what programs are started with.
        """
        address = self.settings.origins[0] + "/"
        if self.is_local:
            address += f"#token={self.people.once()}"
        redirect = self.settings.folder / "open.html"
        if open_page:
            redirect.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="ascii")
            threading.Timer(1.0, webbrowser.open, (redirect.as_uri(),)).start()
        try:
            yield address
        finally:
            redirect.unlink(missing_ok=True)

    @asynccontextmanager
    async def _life(self, _: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = _THREADS
        thresholds = gc.get_threshold()
        gc.set_threshold(*thresholds[:2], _NEVER)
        self.jobs.recover()
        self.shelf.sweep()
        sweeping = asyncio.create_task(self._sweep())
        warming = asyncio.create_task(run_in_threadpool(self.quick.warm))
        try:
            yield
        finally:
            sweeping.cancel()
            gc.set_threshold(*thresholds)
            await warming
            await run_in_threadpool(self._end)

    async def _sweep(self) -> None:
        """Now and then delete what has expired."""
        for count in itertools.count(1):
            with contextlib.suppress(SQLAlchemyError):
                await run_in_threadpool(self.sweep)
            await asyncio.sleep(_SWEEPING)
            if count % _TIDYING == 0:
                await run_in_threadpool(gc.collect)

    def sweep(self) -> None:
        """Delete what has expired."""
        for review in self.store.sweep():
            self.desks.forget(review)
        self.jobs.sweep()
        forget(self.engine)

    def _end(self) -> None:
        self.jobs.end()
        self.quick.end()
        self.heavy.end()
        self.engine.dispose()


def make_api(life: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None) -> FastAPI:
    """All routes, with nothing behind them yet."""
    api = FastAPI(
        title="withhold",
        version=__version__,
        description=_ABOUT,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    faults.install(api)
    api.add_exception_handler(Conflict, lambda _, conflict: reviews.in_conflict(conflict))
    api.include_router(session.public, prefix=PREFIX, responses=_failures(413, 421, 422))
    for router in _private():
        guarded = [Depends(signed_in)]
        api.include_router(router, prefix=PREFIX, dependencies=guarded, responses=_failures(401, 403, 422))
    _serve_pages(api)
    return api


def _private() -> tuple[APIRouter, ...]:
    """The routes for people who are signed in."""
    return (session.router, verbs.router, reviews.router, jobs.router, models.router)


def _failures(*statuses: int) -> dict[int | str, dict[str, object]]:
    return {status: {"model": Failure} for status in statuses}


def _serve_pages(api: FastAPI) -> None:
    """The page at the root, and what it is made of."""

    @api.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(PAGES / "index.html")

    api.mount("/pages", StaticFiles(directory=PAGES), name="pages")
