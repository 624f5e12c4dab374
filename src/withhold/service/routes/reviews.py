"""Reviews: made, listed, decided about, attacked, approved, released and deleted."""

from __future__ import annotations

import base64
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import TypeAdapter

from withhold import formats
from withhold.assistant.desk.values import Detail, Overview, Preview, Slider
from withhold.codec import Value
from withhold.contracts import Paged
from withhold.service.faults import Refusal
from withhold.service.reviewing import Conflict, Reviewing, summary
from withhold.service.schemas import jobs, reviews
from withhold.service.schemas.common import Failure, Id
from withhold.service.schemas.policies import Policy
from withhold.service.schemas.verbs import Suggestions
from withhold.service.security import Visitor
from withhold.service.store import Record, Store
from withhold.spans import Span
from withhold.text import WORD

router = APIRouter(prefix="/reviews", tags=["reviews"])
_CHANGED: dict[int | str, dict[str, Any]] = {409: {"model": reviews.Conflict | Failure}}

_WRITERS: dict[type[Value], TypeAdapter[Any]] = {
    kind: TypeAdapter(kind) for kind in (Overview, Slider, Detail, Preview)
}
_TYPES = {".html": "text/html; charset=utf-8", ".json": "application/json"}


def _reviewing(request: Request) -> Reviewing:
    found: Reviewing = request.app.state.reviewing
    return found


def _record(id: Id, person: Visitor, request: Request) -> Record:
    store: Store = request.app.state.store
    return store.get(id, person.name)


Work = Annotated[Reviewing, Depends(_reviewing)]
Found = Annotated[Record, Depends(_record)]
Part = Annotated[str, Path(pattern=r"^(file|audit\.html|audit\.json|release\.html|release\.json|ledger)$")]


Number = Annotated[int, Path(ge=0, lt=1000)]


def plain(value: Value) -> Response:
    """A value of the library as its own JSON; it is not checked again."""
    return Response(_WRITERS[type(value)].dump_json(value), media_type="application/json")


@router.get("", response_model=reviews.Reviews)
def all_reviews(person: Visitor, request: Request) -> reviews.Reviews:
    """Your reviews and those shared with you, the last changed first."""
    return reviews.Reviews(reviews=list(map(summary, request.app.state.store.all(person.name))))


@router.post("", status_code=201, response_model=reviews.Review)
def create(new: reviews.NewReview, person: Visitor, work: Work) -> reviews.Review:
    """Begin a review of an uploaded file."""
    return summary(work.create(person.name, new))


@router.post("/readings", status_code=202, response_model=jobs.Job)
def read(new: reviews.NewReview, person: Visitor, work: Work) -> jobs.Job:
    """Begin a review of an uploaded file that takes long to read, such as a scan. The job's result has its id."""
    return jobs.Job.model_validate(work.read(person.name, new))


@router.get("/{id}", response_model=reviews.Review)
def one(record: Found) -> reviews.Review:
    """How a review stands, in short."""
    return summary(record)


@router.delete("/{id}", status_code=204)
def delete(record: Found, person: Visitor, work: Work) -> None:
    """Delete a review and all that is stored of it, for good."""
    work.delete(record, person.name)


@router.put("/{id}/reviewers", response_model=reviews.Review)
def share(others: reviews.Reviewers, record: Found, person: Visitor, work: Work) -> reviews.Review:
    """Say who else may see a review, decide and approve."""
    return summary(work.share(record, person.name, others.reviewers))


@router.get("/{id}/document", response_model=reviews.DocumentText)
def document(record: Found, work: Work) -> reviews.DocumentText:
    """The text of the document as withhold reads it, with its structure."""
    found = work.document(record)
    words = sum(1 for _ in WORD.finditer(found.text))
    return reviews.DocumentText(
        name=record.name,
        format=found.format,
        text=found.text,
        words=words,
        blocks=list(found.blocks),
        paged=isinstance(formats.named(found.format), Paged),
    )


@router.get("/{id}/prints", response_model=reviews.Prints)
def prints(record: Found, work: Work) -> reviews.Prints:
    """How many pages the document has, and where the words of its text stand on them; none if it has no pages."""
    return work.prints(record)


@router.get("/{id}/pages/{page}.png", response_class=Response)
def print_(page: Annotated[int, Path(ge=1, le=100_000)], record: Found, work: Work) -> Response:
    """A page of the document, from 1, as a reader of the original sees it."""
    return Response(work.picture(record, page), media_type="image/png")


@router.get("/{id}/overview", response_model=Overview)
def overview(record: Found, work: Work) -> Response:
    """What there is to decide about: findings, terms and what they tell, links, sentences that others have too."""
    with work.desk(record) as desk:
        return plain(desk.overview())


@router.get("/{id}/state", response_model=reviews.ReviewState)
def state(record: Found, work: Work) -> Response:
    """How a review stands, and the document as the decisions make it."""
    return _stands(work.state(record))


@router.get("/{id}/decisions", response_model=reviews.Log)
def decisions(record: Found) -> reviews.Log:
    """The whole log: every decision, undo and redo, with who and when."""
    counting = {line.number for line in record.folded.counting}
    lines = [
        reviews.Line(
            number=line.number,
            kind=line.kind,
            who=line.who,
            when=line.when,
            counts=line.number in counting,
            decision=line.decision,
        )
        for line in record.lines
    ]
    return reviews.Log(version=record.version, lines=lines)


@router.post("/{id}/decisions", response_model=reviews.ReviewState, responses=_CHANGED)
def decide(new: reviews.NewDecision, record: Found, person: Visitor, work: Work) -> Response:
    """Store a decision; the answer is how the review then stands."""
    return _stands(work.decide(record, person.name, new.version, new.decision))


@router.post("/{id}/undo", response_model=reviews.ReviewState, responses=_CHANGED)
def undo(step: reviews.Step, record: Found, person: Visitor, work: Work) -> Response:
    """Take back the last decision that counts."""
    return _stands(work.undo(record, person.name, step.version))


@router.post("/{id}/redo", response_model=reviews.ReviewState, responses=_CHANGED)
def redo(step: reviews.Step, record: Found, person: Visitor, work: Work) -> Response:
    """Bring back the last decision that was undone."""
    return _stands(work.redo(record, person.name, step.version))


@router.get("/{id}/policy", response_model=Policy)
def policy(record: Found) -> Policy:
    """The policy in force, also if what it names is not there any more."""
    return Policy.model_validate(record.policy)


@router.put("/{id}/policy", response_model=reviews.ReviewState, responses=_CHANGED)
def change_policy(new: reviews.PolicyChange, record: Found, person: Visitor, work: Work) -> Response:
    """Decide on another policy: other secrets, labels, things to keep."""
    decision = reviews.PolicyDecision(kind="policy", policy=new.policy)
    return _stands(work.decide(record, person.name, new.version, decision))


@router.post("/{id}/approval", response_model=reviews.ReviewState, responses=_CHANGED)
def approve(step: reviews.Step, record: Found, person: Visitor, work: Work) -> Response:
    """Approve what would be released, as a second person."""
    return _stands(work.approve(record, person.name, step.version))


@router.get("/{id}/slider/{secret}", response_model=Slider)
def slider(secret: Number, record: Found, work: Work) -> Response:
    """All stops of the slider of a secret, by its number in the policy, from 0: no address has a name."""
    with work.desk(record) as desk:
        names = [each.name for each in desk.policy.secret]
        if secret >= len(names):
            raise Refusal(404, "NotFound", "the policy of this review has no such secret")
        return plain(desk.slider(names[secret]))


@router.get("/{id}/terms/{term}", response_model=Detail)
def term(term: Id, record: Found, work: Work) -> Response:
    """All that is known of a term."""
    with work.desk(record) as desk:
        return plain(desk.term(term))


@router.get("/{id}/terms/{term}/suggestions", response_model=Suggestions)
def suggestions(term: Id, record: Found, work: Work) -> Suggestions:
    """What could stand in place of a term, with what it would tell."""
    with work.desk(record) as desk:
        _, made = work.decisions(record.folded.counting, desk)
        return Suggestions(suggestions=desk.suggest(term, made))


@router.post("/{id}/suggestions", response_model=Suggestions)
def suggestions_at(query: reviews.SpanQuery, record: Found, work: Work) -> Suggestions:
    """What could stand in place of a span, with what it would tell."""
    with work.desk(record) as desk:
        span = _span(query, len(desk.document.text))
        _, made = work.decisions(record.folded.counting, desk)
        return Suggestions(suggestions=desk.suggest(span, made))


@router.post("/{id}/preview", response_model=Preview)
def preview(query: reviews.TextQuery, record: Found, work: Work) -> Response:
    """What freely edited text tells, and the decision that would make it so. Nothing is stored."""
    return plain(work.preview(record, query.text))


@router.post("/{id}/attack", status_code=202, response_model=jobs.Job, responses=_CHANGED)
def attack(step: reviews.Step, record: Found, person: Visitor, work: Work) -> jobs.Job:
    """Try to find out what the document, as it would be released, hides. The result of the job is a `Tried`."""
    return jobs.Job.model_validate(work.attack(record, person.name, step.version))


@router.post("/{id}/release", status_code=202, response_model=jobs.Job, responses=_CHANGED)
def release(new: reviews.NewRelease, record: Found, person: Visitor, work: Work) -> jobs.Job:
    """Carry out the decisions, verify, attack, and store the files if everything holds. The result of the job is a
    `ReleaseResult`.
    """
    return jobs.Job.model_validate(work.release(record, person.name, new))


@router.get("/{id}/release", response_model=reviews.Released)
def released(record: Found, request: Request) -> reviews.Released:
    """The last release of a review."""
    row = request.app.state.store.released(record.id)
    return reviews.Released(when=row.when, who=row.who, accepted=row.accepted, result=row.result)


@router.get("/{id}/release/{part}", response_class=Response)
def download(part: Part, record: Found, request: Request) -> Response:
    """A file of the last release."""
    files = request.app.state.store.released(record.id).files
    if part not in files:
        raise Refusal(404, "NotReleased", "this release has no such file", "GET reviews/{id}/release lists its files.")
    name, data = files[part]["name"], base64.b64decode(files[part]["data"])
    kind = next((kind for ending, kind in _TYPES.items() if part.endswith(ending)), "application/octet-stream")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return Response(data, media_type=kind, headers=headers)


def _span(query: reviews.SpanQuery, length: int) -> Span:
    start, end = query.span.start, query.span.end
    if not start < end <= length:
        raise Refusal(422, "MalformedRequest", "span: not a stretch of the document's text")
    return Span(start, end)


def _stands(state: reviews.ReviewState) -> Response:
    """The state as JSON, written once and not checked again: it is large, and asked for at every keystroke."""
    return Response(state.model_dump_json(), media_type="application/json")


def in_conflict(conflict: Conflict) -> Response:
    """Nothing was stored; here is how it stands now."""
    fault = {
        "kind": "Conflict",
        "message": "the review was changed in another tab or by somebody else; this change was not stored",
        "advice": "Look at what has changed, and decide again.",
    }
    body = reviews.Conflict.model_validate({"error": fault, "current": conflict.current})
    return Response(body.model_dump_json(), 409, media_type="application/json")
