"""The verbs on an uploaded file. Each is done by a worker process; what takes long is a job."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Request

from withhold.policy import Policy
from withhold.service import faults, tasks
from withhold.service.policies import settle
from withhold.service.schemas import jobs, verbs
from withhold.service.schemas.common import Upload
from withhold.service.security import Visitor
from withhold.service.settings import Settings
from withhold.service.work import Busy, Crew, Task
from withhold.spans import Span
from withhold.types import Handling

router = APIRouter(tags=["verbs"])
Answer = TypeVar("Answer")


class _Verbs:
    """What a request needs to have a verb done."""

    def __init__(self, request: Request, person: Visitor) -> None:
        self._state, self._who = request.app.state, person.name

    def given(self, verb: verbs.Verb, **more: Any) -> tasks.Given:
        policy = settle(verb.policy, self._who, self._state.settings, self._state.shelf)
        return tasks.Given(policy, _file(verb.document), **more)

    def policy(self) -> Policy:
        settings: Settings = self._state.settings
        return Policy(files=Handling(max_megabytes=settings.expanded_megabytes))

    def do(self, task: Task[Any, Answer], item: object) -> Answer:
        crew: Crew = self._state.quick
        try:
            return crew.do(task, item, seconds=self._state.settings.verb_seconds)
        except Busy:
            raise faults.busy() from None

    def begin(self, kind: str, task: Task[Any, Any], item: object) -> jobs.Job:
        return jobs.Job.model_validate(self._state.jobs.begin(kind, self._who, task, item, finish=lambda made: made))


Verbs = Annotated[_Verbs, Depends()]


@router.post("/detect", response_model=verbs.Findings)
def detect(verb: verbs.Verb, do: Verbs) -> verbs.Findings:
    """What names someone outright."""
    return do.do(tasks.detect, do.given(verb))


@router.post("/assess", response_model=verbs.Risks)
def assess(verb: verbs.SourceVerb, do: Verbs) -> verbs.Risks:
    """What a reader could infer, for every secret of the policy."""
    return do.do(tasks.assess, do.given(verb, other=_maybe(verb.source)))


@router.post("/plan", response_model=verbs.Planned)
def plan(verb: verbs.Verb, do: Verbs) -> verbs.Planned:
    """The edits that remove what was found and bring every risk under its ceiling."""
    return do.do(tasks.plan, do.given(verb))


@router.post("/inspect", response_model=verbs.HiddenThings)
def inspect(verb: verbs.InspectVerb, do: Verbs) -> verbs.HiddenThings:
    """Everything in a file that a reader does not see."""
    return do.do(tasks.inspect, tasks.Given(do.policy(), _file(verb.document)))


@router.post("/suggest", response_model=verbs.Suggestions)
def suggest(verb: verbs.SuggestVerb, do: Verbs) -> verbs.Suggestions:
    """What could be written in place of a span, with the risk before and after."""
    span = _span(verb.span.start, verb.span.end)
    return do.do(tasks.suggest, do.given(verb, secret=verb.secret, span=span, most=verb.most))


@router.post("/guide", response_model=verbs.AdviceList)
def guide(verb: verbs.AdviceVerb, do: Verbs) -> verbs.AdviceList:
    """What to look at first: the terms that tell most, and that make others more telling."""
    return do.do(tasks.guide, do.given(verb, secret=verb.secret, most=verb.most))


@router.post("/score", response_model=verbs.Scores)
def score(verb: verbs.ScoreVerb, do: Verbs) -> verbs.Scores:
    """How well an edited document does, as published and in a way that padding cannot raise."""
    original = verbs.Verb(document=verb.original, policy=verb.policy)
    return do.do(tasks.score, do.given(original, other=_file(verb.edited), secret=verb.secret))


@router.post("/verify", response_model=verbs.Verified)
def verify(verb: verbs.VerifyVerb, do: Verbs) -> verbs.Verified:
    """An audit checked again by the file, and by the source if it is given."""
    return do.do(tasks.verify, tasks.Audited(_file(verb.document), _file(verb.audit), _maybe(verb.source)))


@router.post("/attack", status_code=202, response_model=jobs.Job)
def attack(verb: verbs.SourceVerb, do: Verbs) -> jobs.Job:
    """Try to find out what a redacted file hides. The result of the job is a `Tried`."""
    return do.begin("attack", tasks.attack, do.given(verb, other=_maybe(verb.source)))


@router.post("/redact", status_code=202, response_model=jobs.Job)
def redact(verb: verbs.Verb, do: Verbs) -> jobs.Job:
    """All of it: read, detect, assess, plan, apply, attack, audit. The result of the job is a `Redacted`."""
    return do.begin("redact", tasks.redact, do.given(verb))


def _file(upload: Upload) -> tasks.File:
    return tasks.File(upload.name, upload.data)


def _maybe(upload: Upload | None) -> tasks.File | None:
    return None if upload is None else _file(upload)


def _span(start: int, end: int) -> Span:
    if start >= end:
        raise faults.Refusal(422, "MalformedRequest", "span: start must be less than end")
    return Span(start, end)
