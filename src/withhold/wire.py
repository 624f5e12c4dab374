"""Requests to one host and no other: encrypted unless the policy says otherwise, in bounded time and size."""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from threading import Timer
from typing import Any, NoReturn, Protocol, Self
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from withhold.errors import CorpusError, WithholdError

LARGEST = 16_000_000
"""No answer may have more bytes."""

LONGEST_WAIT = 60.0
"""A service that asks for a longer pause, in seconds, is not waited for."""

_TRIES = 4
_REDIRECTS = 3
_BUSY = (429, 503)


class Paced(Protocol):
    """Says how fast requests may go out, by making them wait."""

    def wait(self, queries: int = 1) -> None: ...

    def pause(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is. Without a scheme, https; http for this machine itself."""

    secure: bool
    host: str
    port: int
    path: str = ""

    @classmethod
    def of(cls, url: str, table: str = "corpus", error: type[WithholdError] = CorpusError) -> Self:
        """The address in a table of a policy.

        Raises:
            WithholdError: of the kind given, if it is none, or holds more than an address should.
        """
        try:
            parts = urlsplit(url if "://" in url else f"//{url}")
            host, port = parts.hostname or "", parts.port
        except ValueError:
            host, port, parts = "", None, urlsplit("")
        if not host or parts.scheme not in ("", "http", "https") or not url.isprintable() or " " in url:
            raise error(f"{table}.url: no address of a service; write https://host or https://host/path")
        if parts.username is not None or parts.query or parts.fragment:
            raise error(f"{table}.url: give the address alone, and keys and passwords in the file of {table}.key")
        secure = parts.scheme == "https" or (not parts.scheme and not is_local(host))
        return cls(secure, host, port or (443 if secure else 80), parts.path.rstrip("/"))

    @property
    def name(self) -> str:
        usual = self.port == (443 if self.secure else 80)
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if usual else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.name}"

    def leads_to(self, parts: SplitResult) -> bool:
        """Whether a URL is on the same host, port and protocol."""
        try:
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return False
        return (parts.scheme == "https", parts.hostname, port) == (self.secure, self.host, self.port)


def is_local(host: str) -> bool:
    """Whether a name or number is that of this machine, so that nothing said to it goes over a network."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: `target` is the path with its parameters. Shows nothing of it in its `repr`."""

    method: str
    target: str = field(repr=False)
    body: bytes | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    queries: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: http.client.HTTPMessage = field(repr=False)
    body: bytes = field(repr=False)


class Wire:
    """Sends requests to one address, one at a time, and reads JSON.

    Certificates are checked. A redirect to anywhere else is refused. A busy service (429, 503) is asked again after the
    pause it asks for, a few times and not for long. No message of an error holds anything that was sent or read; it
    names the `table` of the policy that the service stands in.
    """

    def __init__(
        self,
        address: Address,
        pace: Paced,
        *,
        timeout: float = 30.0,
        refusals: Mapping[int, str],
        table: str = "corpus",
        error: type[WithholdError] = CorpusError,
    ) -> None:
        self.address = address
        self._pace, self._timeout, self._refusals = pace, timeout, refusals
        self._table, self._error = table, error
        self._elsewhere = f"sends requests on to another address; refused. If it is right, give it as {table}.url"
        self._connection: http.client.HTTPConnection | None = None

    def __repr__(self) -> str:
        return f"Wire({self.address.url!r})"

    def ask(self, request: Request) -> Any:
        """The JSON that the service answers with.

        Raises:
            WithholdError: of the kind given, if it does not, saying why and what to do.
        """
        self._pace.wait(request.queries)
        for attempt in range(_TRIES):
            reply = self._follow(request)
            if reply.status not in _BUSY:
                break
            wait = _asked_pause(reply.headers, attempt)
            if wait > LONGEST_WAIT:
                self._fail(
                    f"is busy ({reply.status}) and wants to be asked again in {wait:.0f} seconds; come back later"
                )
            if attempt + 1 < _TRIES:
                self._pace.pause(wait)
        if reply.status != 200:
            self._refuse(reply.status)
        return self._json(reply.body)

    def _follow(self, request: Request) -> Reply:
        """The reply, after redirects on the same host."""
        target = request.target
        for _ in range(_REDIRECTS + 1):
            reply = self._exchange(request, target)
            repeats = reply.status in (307, 308) or (request.method == "GET" and reply.status in (301, 302, 303))
            if not 300 <= reply.status < 400 or not repeats:
                return reply
            try:
                parts = urlsplit(urljoin(self.address.url + target, reply.headers.get("Location", "")))
            except ValueError:
                return reply
            if not self.address.leads_to(parts) or not parts.geturl().isascii() or not parts.geturl().isprintable():
                self._fail(
                    f"sends requests on to another address; refused. If it is right, give it as {self._table}.url"
                )
            target = parts._replace(scheme="", netloc="").geturl() or "/"
        return reply

    def _exchange(self, request: Request, target: str) -> Reply:
        """One request and its reply; a connection that was kept open and is no more is opened anew, once."""
        if self._connection is not None:
            try:
                return self._try(self._connection, request, target)
            except (http.client.RemoteDisconnected, http.client.CannotSendRequest, ConnectionError):
                self.close()
            except _FAILURES as error:
                self._explain(error)
        try:
            self._connection = self._connect()
            return self._try(self._connection, request, target)
        except _FAILURES as error:
            self._explain(error)

    def _try(self, connection: http.client.HTTPConnection, request: Request, target: str) -> Reply:
        if connection.sock is None:
            connection.connect()
        late: list[bool] = []
        timer = Timer(self._timeout, _cut, (connection.sock, late))
        timer.daemon = True
        timer.start()
        try:
            headers = {"Accept": "application/json", "User-Agent": "withhold", **request.headers}
            connection.request(request.method, target, body=request.body, headers=headers)
            with connection.getresponse() as response:
                body = response.read(LARGEST + 1)
                whole = response.isclosed()
        except _FAILURES:
            if late:
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()
        if late:
            raise TimeoutError
        if len(body) > LARGEST:
            self._fail(f"answers with more than {LARGEST // 1_000_000} MB; refused")
        if response.will_close or not whole:
            self.close()
        return Reply(response.status, response.headers, body)

    def _connect(self) -> http.client.HTTPConnection:
        address = self.address
        if not address.secure:
            return http.client.HTTPConnection(address.host, address.port, timeout=self._timeout)
        context = ssl.create_default_context()
        proxy = None if is_local(address.host) or proxy_bypass(address.host) else getproxies().get("https")
        if not proxy:
            return http.client.HTTPSConnection(address.host, address.port, timeout=self._timeout, context=context)
        # The proxy of this machine is told the host, and carries what it cannot read.
        parts = urlsplit(proxy if "://" in proxy else f"//{proxy}")
        through = http.client.HTTPSConnection(
            parts.hostname or "", parts.port or 8080, timeout=self._timeout, context=context
        )
        through.set_tunnel(address.host, address.port)
        return through

    def close(self) -> None:
        """End the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _json(self, body: bytes) -> Any:
        with suppress(ValueError, RecursionError):  # what was read stays out of the error, its context too
            return json.loads(body, parse_constant=_no_number)
        return self._fail("answers with something that is not JSON; is it the service that the policy takes it for?")

    def _refuse(self, status: int) -> NoReturn:
        usual = {
            401: f"refuses the key (401); check the file of {self._table}.key",
            403: f"refuses to answer (403); check the file of {self._table}.key",
            404: f"has nothing there (404); check {self._table}.url",
            429: "is still busy (429) after several tries; ask it less often, or come back later",
            503: "is still busy (503) after several tries; come back later",
        }
        fallback = self._elsewhere if 300 <= status < 400 else f"answers with the status {status} and nothing else"
        self._fail(self._refusals.get(status, usual.get(status, fallback)))

    def _explain(self, error: Exception) -> NoReturn:
        if isinstance(error, ssl.SSLCertVerificationError):
            self._fail("shows a certificate that cannot be trusted; nothing was sent")
        if isinstance(error, TimeoutError):
            self._fail(f"does not answer within {self._timeout:g} seconds; try again later")
        if isinstance(error, ssl.SSLError):
            self._fail("speaks no TLS that can be trusted; nothing was sent")
        if isinstance(error, OSError):
            self._fail(f"cannot be reached: {error.strerror or 'the connection was lost'}")
        self._fail("speaks no proper HTTP, or stopped in the middle of an answer")

    def _fail(self, why: str) -> NoReturn:
        self.close()
        raise self._error(f"{self.address.name} {why}") from None


_FAILURES = (OSError, http.client.HTTPException)


def _cut(connected: socket.socket, late: list[bool]) -> None:
    """End an exchange that takes too long, wherever it hangs: a time-out of the socket starts anew with every byte."""
    late.append(True)
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _asked_pause(headers: http.client.HTTPMessage, attempt: int) -> float:
    """How long to wait: what is asked for, in seconds, as a date, or as Brave does; else 1, 2, 4 ... seconds."""
    asked = headers.get("Retry-After", "").strip()
    if asked.isdecimal() and len(asked) < 10:
        return float(asked)
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    remaining = headers.get("X-RateLimit-Remaining", "").split(",")
    resets = headers.get("X-RateLimit-Reset", "").split(",")
    spent = [reset.strip() for left, reset in zip(remaining, resets, strict=False) if left.strip() == "0"]
    known = [float(reset) for reset in spent if reset.isdecimal() and len(reset) < 10]
    return max(known, default=float(2**attempt))


def _no_number(_: str) -> NoReturn:
    raise ValueError
