"""What stands in front of every route: whom a request claims to come from, how large it is, and what browsers are told.

A page of another origin can send requests to this machine, and a name can be made to point at it. So a request must
name a host that the server has, come from its own origin, and, where it changes something, carry the CSRF token.
"""

from __future__ import annotations

import contextlib
import hmac
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from withhold.service.faults import Refusal, answer, no_storage
from withhold.service.people import People, Person
from withhold.service.settings import Settings

CSRF = "X-CSRF-Token"
_STRANGER = 10_000
"""So many bytes are taken from somebody who is not signed in: enough for a token."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

Say = Callable[[str], None]


class Guard:
    """Refuses what comes from elsewhere or is too large, and sends the headers that make browsers careful.

    If it has somebody to `say` it to, every answer is told in a line: method, route, status, time. No ids, no queries.
    """

    def __init__(self, app: ASGIApp, settings: Settings, people: People, say: Say | None = None) -> None:
        self._app, self._settings, self._people, self._say = app, settings, people, say

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # there are no web sockets
        began, status = time.perf_counter(), 0

        async def armoured(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _arm(MutableHeaders(scope=message), scope["path"], secure=self._settings.secure)
            await send(message)

        try:
            limit = await self._limit(scope)
        except Refusal as refusal:
            await answer(refusal)(scope, receive, armoured)
        else:
            # What is raised was answered already; whoever runs the server is not shown its values.
            with contextlib.suppress(Exception):
                await self._app(scope, _Bounded(receive, limit), armoured)
        if self._say is not None:
            route = getattr(scope.get("route"), "path", "-")
            self._say(f"{scope['method']} {route} {status} {1000 * (time.perf_counter() - began):.0f} ms")

    async def _limit(self, scope: Scope) -> int:
        """How many bytes are taken of a request: few, if it is of somebody whom the server does not know.

        Raises:
            Refusal: if it comes from elsewhere, or says that it is larger.
        """
        headers = Headers(scope=scope)
        self._check_source(scope, headers)
        length = headers.get("content-length", "0" if "transfer-encoding" not in headers else "")
        if length and not (length.isdecimal() and len(length) < 16):
            raise too_large(self._settings.request_bytes)
        if length and int(length) <= _STRANGER:
            return _STRANGER
        limit = self._settings.request_bytes if await run_in_threadpool(self._is_known, scope) else _STRANGER
        if length and int(length) > limit:
            raise too_large(limit)
        return limit

    def _check_source(self, scope: Scope, headers: Headers) -> None:
        if headers.get("host", "").lower() not in self._settings.hosts:
            advice = "Use the address that it printed."
            raise Refusal(421, "WrongHost", "this server does not have that name", advice)
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._settings.origins:
            raise Refusal(403, "WrongOrigin", "requests of other pages are not answered")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not _is_navigation(scope, headers):
            raise Refusal(403, "WrongOrigin", "requests of other pages are not answered")

    def _is_known(self, scope: Scope) -> bool:
        try:
            return sender(HTTPConnection(scope), self._people, self._settings) is not None
        except SQLAlchemyError:
            raise no_storage() from None


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page itself."""
    return bool(scope["method"] == "GET" and scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate")


def too_large(limit: int) -> Refusal:
    return Refusal(413, "TooLarge", f"a request may have {limit:,} bytes", "Send smaller files, or fewer at once.")


class _Bounded:
    """What is received, until it is too much."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left, self._limit = receive, limit, limit

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise too_large(self._limit)
        return message


def _arm(headers: MutableHeaders, path: str, *, secure: bool) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store" if path.startswith("/api/") else "no-cache")
    if secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")


_bearer = HTTPBearer(auto_error=False, description="A person's own token, for programs.")
_cookie = APIKeyCookie(
    name="withhold_session_PORT", auto_error=False, description="A session, for the page; PORT is that of the server."
)


def sender(request: HTTPConnection, people: People, settings: Settings) -> Person | None:
    """Who sends a request: a program with a person's token, or a page with a session."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() == "bearer" and token:
        return people.holder(token)
    session = request.cookies.get(settings.cookie)
    return people.visitor(session) if session else None


def signed_in(
    request: Request, _bearer: Annotated[object, Depends(_bearer)] = None, _: Annotated[object, Depends(_cookie)] = None
) -> Person:
    """Who sends the request. With a session, what changes something must carry its CSRF token."""
    person = sender(request, request.app.state.people, request.app.state.settings)
    if person is None:
        raise Refusal(401, "NotSignedIn", "nobody is signed in", "Open the address that `withhold serve` printed.")
    if person.session is not None and request.method not in _SAFE:
        given = request.headers.get(CSRF, "")
        if not hmac.compare_digest(person.csrf.encode(), given.encode("utf-8", "replace")):
            raise Refusal(403, "NoCsrfToken", f"the header {CSRF} is missing or wrong", "GET /api/v1/me has the token.")
    return person


Visitor = Annotated[Person, Depends(signed_in)]
