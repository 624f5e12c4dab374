"""Errors as HTTP answers them: one shape, words for a person, no word of a document."""

from __future__ import annotations

from collections.abc import Container, Iterator

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from withhold import errors
from withhold.batch.pool import blame


class Refusal(HTTPException):
    """A request that is not granted, with the status that says so."""

    def __init__(self, status: int, kind: str, message: str, advice: str = "") -> None:
        super().__init__(status, message)
        self.status, self.kind, self.message, self.advice = status, kind, message, advice


_STATUS: tuple[tuple[type[errors.WithholdError], int, str], ...] = (
    (errors.HostileDocument, 413, "Send a smaller file, or ask whoever runs this server for more room."),
    (errors.UnsupportedFormat, 415, "Give the file the name that its format has, or save it in another format."),
    (errors.EncryptedDocument, 422, "Save it without a password first."),
    (errors.DocumentError, 422, "Open the file in the program it is from, save it again, and send that."),
    (errors.Stopped, 503, "Try again, or send a smaller file."),
    (errors.LeakError, 422, "Nothing was released. Remove the words at these places too, and try again."),
    (errors.OutputError, 507, "Make room on the disk of the server; nothing was lost."),
)


def of(error: errors.WithholdError) -> Refusal:
    """The refusal that tells of an error."""
    for kind, status, advice in _STATUS:
        if isinstance(error, kind):
            return Refusal(status, type(error).__name__, str(error), advice)
    return Refusal(422, type(error).__name__, str(error), "Change the policy or the request, and try again.")


def answer(refusal: Refusal) -> JSONResponse:
    fault = {"kind": refusal.kind, "message": refusal.message, "advice": refusal.advice}
    headers = {"Retry-After": "5"} if refusal.status in (429, 503) else None
    return JSONResponse({"error": fault}, refusal.status, headers)


_QUOTING = {
    "union_tag_invalid": "no such kind",
    "extra_forbidden": "something stands there that the schema does not have",
}
"""What is told of problems whose own words quote the request."""


def malformed(problems: RequestValidationError, known: Container[object]) -> Refusal:
    """Where a request is wrong, and in what way; never what stands there. Of the names on the way only `known` ones are
    told: others are of the request, such as those of classes.
    """
    first = problems.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part in known)
    what = _QUOTING.get(first["type"], first["msg"])
    return Refusal(422, "MalformedRequest", f"{where or 'request'}: {what}", "The schema is at /api/v1/openapi.json.")


def _names(app: FastAPI) -> Iterator[str]:
    """What the schema calls parts of requests."""
    schema = app.openapi()
    yield from ("body", "path", "query")
    for part in schema["components"]["schemas"].values():
        yield from part.get("properties", ())


def no_storage() -> Refusal:
    return Refusal(
        503,
        "NoStorage",
        "the database does not answer, or has no room; what was asked for was not stored",
        "Nothing that was accepted is lost. Try again in a moment; if it goes on, look after the disk or the database.",
    )


def internal(message: str) -> Refusal:
    return Refusal(500, "InternalError", message, "Please report it; the message quotes no document.")


def unexpected(error: Exception) -> Refusal:
    """What is told of an error that nobody expected: its type and place in the code, and none of its values."""
    return internal(blame(error))


def busy() -> Refusal:
    return Refusal(503, "Busy", "too much is being done just now", "Try again in a moment.")


def install(app: FastAPI) -> None:
    """Have every error answered in the one shape."""

    @app.exception_handler(Refusal)
    async def refuse(_: Request, refusal: Refusal) -> JSONResponse:
        return answer(refusal)

    @app.exception_handler(errors.WithholdError)
    async def explain(_: Request, error: errors.WithholdError) -> JSONResponse:
        return answer(of(error))

    @app.exception_handler(RequestValidationError)
    async def correct(_: Request, problems: RequestValidationError) -> JSONResponse:
        return answer(malformed(problems, frozenset(_names(app))))

    @app.exception_handler(SQLAlchemyError)
    async def without_storage(_: Request, __: SQLAlchemyError) -> JSONResponse:
        return answer(no_storage())

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> JSONResponse:
        kind = {404: "NotFound", 405: "NotAllowed"}.get(error.status_code, "Refused")
        refused = answer(Refusal(error.status_code, kind, str(error.detail).lower()))
        refused.headers.update(error.headers or {})
        return refused

    @app.exception_handler(Exception)
    async def report(_: Request, error: Exception) -> JSONResponse:
        return answer(unexpected(error))
