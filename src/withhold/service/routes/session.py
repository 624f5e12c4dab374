"""Signing in and out, and what the server is."""

from __future__ import annotations

import contextlib

from fastapi import APIRouter, Request, Response

from withhold import __version__, formats, plugins
from withhold.labels import LABELS
from withhold.service.faults import Refusal
from withhold.service.people import SESSION, People, Person
from withhold.service.schemas.common import About, FormatInfo, Health, LabelInfo, Limits, Me, Token
from withhold.service.security import Visitor
from withhold.service.settings import Settings

public = APIRouter(tags=["session"])
router = APIRouter(tags=["session"])


def _me(people: People, person: Person) -> Me:
    others = [name for name in people.names() if name != person.name]
    return Me(user=person.name, csrf=person.csrf, expires=person.expires, others=others)


@public.get("/health", response_model=Health)
async def health() -> Health:
    """Whether the server answers."""
    return Health(status="ready")


@public.post("/session", response_model=Me)
def sign_in(token: Token, request: Request, response: Response) -> Me:
    """Sign in with a token: a cookie for the browser, and the CSRF token for the page."""
    people: People = request.app.state.people
    settings: Settings = request.app.state.settings
    signed = people.sign_in(token.token)
    if signed is None:
        advice = "A one-time token signs in once: start `withhold serve` again for another."
        raise Refusal(401, "WrongToken", "this token is not known, or has been used", advice)
    session, person = signed
    response.set_cookie(
        settings.cookie,
        session,
        max_age=int(SESSION.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=settings.secure,
        path="/",
    )
    return _me(people, person)


@router.delete("/session", status_code=204)
def sign_out(person: Visitor, request: Request, response: Response) -> None:
    """Sign out."""
    request.app.state.people.sign_out(person)
    response.delete_cookie(request.app.state.settings.cookie, path="/")


@router.get("/me", response_model=Me)
def me(person: Visitor, request: Request) -> Me:
    """Who is signed in, with the CSRF token."""
    return _me(request.app.state.people, person)


@router.get("/about", response_model=About)
def about(person: Visitor, request: Request) -> About:
    """What this server can do, and what it allows."""
    settings: Settings = request.app.state.settings
    known = {kind: sorted(each.name for each in plugins.plugins(kind)) for kind in ("risk", "operators", "attacks")}
    return About(
        version=__version__,
        labels=[
            LabelInfo(name=name, kind=each.kind, identifier=each.identifier, doc=each.doc)
            for name, each in LABELS.items()
        ],
        formats=[FormatInfo(name=each.name, extensions=list(each.extensions)) for each in formats.formats()],
        models=known["risk"],
        operators=known["operators"],
        attacks=known["attacks"],
        policies=sorted(settings.policies),
        limits=Limits(
            upload_megabytes=settings.upload_megabytes,
            expanded_megabytes=settings.expanded_megabytes,
            reviews=settings.reviews,
            days=settings.days,
            job_seconds=settings.job_seconds,
            jobs=settings.jobs,
        ),
        approval=settings.approval,
        example=_example(request, person),
    )


def _example(request: Request, person: Person) -> str | None:
    """The review of the bundled example, if there is one that this person may see."""
    example: str | None = request.app.state.example
    if example is not None:
        with contextlib.suppress(Refusal):
            return str(request.app.state.store.get(example, person.name).id)
    return None
