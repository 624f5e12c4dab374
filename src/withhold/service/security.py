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
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from withhold.service.faults import Refusal, answer
from withhold.service.people import People, Person
from withhold.service.settings import Settings

COOKIE = "withhold_session"
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

    def __init__(self, app: ASGIApp, settings: Settings, say: Say | None = None) -> None:
        self._app, self._settings, self._say = app, settings, say

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

        refusal = self._refusal(scope)
        if refusal is not None:
            await answer(refusal)(scope, receive, armoured)
        else:
            # What is raised was answered already; whoever runs the server is not shown its values.
            with contextlib.suppress(Exception):
                await self._app(scope, _Bounded(receive, self._limit(Headers(scope=scope))), armoured)
        if self._say is not None:
            route = getattr(scope.get("route"), "path", "-")
            self._say(f"{scope['method']} {route} {status} {1000 * (time.perf_counter() - began):.0f} ms")

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._settings.hosts:
            return Refusal(421, "WrongHost", "this server does not have that name", "Use the address that it printed.")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._settings.origins:
            return Refusal(403, "WrongOrigin", "requests of other pages are not answered")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not _is_navigation(scope, headers):
            return Refusal(403, "WrongOrigin", "requests of other pages are not answered")
        length, limit = headers.get("content-length", "0"), self._limit(headers)
        if not length.isdecimal() or len(length) > 15 or int(length) > limit:
            return too_large(limit)
        return None

    def _limit(self, headers: Headers) -> int:
        """How large a request may be: not large, if nobody is said to send it."""
        known = "authorization" in headers or COOKIE in headers.get("cookie", "")
        return self._settings.request_bytes if known else _STRANGER


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
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="A session, for the page.")


def signed_in(
    request: Request,
    bearer: Annotated[object, Depends(_bearer)] = None,
    session: Annotated[str | None, Depends(_cookie)] = None,
) -> Person:
    """Who sends the request. With a session, what changes something must carry its CSRF token."""
    people: People = request.app.state.people
    token = getattr(bearer, "credentials", None)
    person = people.holder(token) if token else people.visitor(session) if session else None
    if person is None:
        raise Refusal(401, "NotSignedIn", "nobody is signed in", "Open the address that `withhold serve` printed.")
    if person.session is not None and request.method not in _SAFE:
        given = request.headers.get(CSRF, "")
        if not hmac.compare_digest(person.csrf.encode(), given.encode("utf-8", "replace")):
            raise Refusal(403, "NoCsrfToken", f"the header {CSRF} is missing or wrong", "GET /api/v1/me has the token.")
    return person


Visitor = Annotated[Person, Depends(signed_in)]
