"""Jobs: how they stand, as it happens, and how to stop them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from withhold.service.jobs import Jobs
from withhold.service.schemas import jobs
from withhold.service.schemas.common import Id
from withhold.service.security import Visitor

router = APIRouter(prefix="/jobs", tags=["jobs"])

_GLANCE = 0.2
_BREATH = 15.0
"""So often something is sent even if there is no news, so that nobody takes the line for dead."""


def _jobs(request: Request) -> Jobs:
    found: Jobs = request.app.state.jobs
    return found


@router.get("", response_model=jobs.Jobs)
def all_jobs(person: Visitor, request: Request) -> jobs.Jobs:
    """Your jobs, the newest first; those that ended more than an hour ago are forgotten."""
    return jobs.Jobs(jobs=[jobs.Job.model_validate(each) for each in _jobs(request).all(person.name)])


@router.get("/{id}", response_model=jobs.Job)
def one(id: Id, person: Visitor, request: Request) -> jobs.Job:
    """How a job stands, with its result once it is done."""
    return jobs.Job.model_validate(_jobs(request).get(id, person.name))


@router.delete("/{id}", status_code=204)
def cancel(id: Id, person: Visitor, request: Request) -> None:
    """Stop a job that runs; delete one that has ended, with its result."""
    _jobs(request).cancel(id, person.name)


@router.get(
    "/{id}/events",
    response_class=StreamingResponse,
    responses={200: {"description": "A `Job` as JSON, in each event.", "content": {"text/event-stream": {}}}},
)
async def events(id: Id, person: Visitor, request: Request) -> StreamingResponse:
    """Server-sent events: the job, each time it changes, until it is over."""
    first = await run_in_threadpool(_jobs(request).get, id, person.name)

    async def news() -> AsyncIterator[str]:
        job, quiet = first, 0.0
        yield _event(job)
        while not job.is_over and not await request.is_disconnected():
            await asyncio.sleep(_GLANCE)
            now = await run_in_threadpool(_jobs(request).get, id, person.name)
            quiet = 0.0 if now != job else quiet + _GLANCE
            if now != job:
                job = now
                yield _event(job)
            elif quiet >= _BREATH:
                quiet = 0.0
                yield ":\n\n"

    return StreamingResponse(news(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _event(job: object) -> str:
    return f"data: {jobs.Job.model_validate(job).model_dump_json()}\n\n"
