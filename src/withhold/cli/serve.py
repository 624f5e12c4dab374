"""The command that opens the workbench, and the people who share one."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, app, flag, usage

if TYPE_CHECKING:
    from withhold.service.app import Service
    from withhold.service.people import People
    from withhold.service.settings import Settings

persons = typer.Typer(no_args_is_help=True, help="Say who may use a workbench that several people share.")
app.add_typer(persons, name="people")

_KEEP_ALIVE = 75
"""Seconds for which a line is kept open: people think longer than programs."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where documents and decisions are kept; ~/.local/share/withhold."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="postgresql://USER@HOST/NAME, in place of a file in the data folder."
    ),
]
Who = Annotated[str, typer.Argument(metavar="NAME", help="What they are called in the log of decisions.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port; 0 is any that is free.")]
Open = Annotated[bool, flag("--open", help="Open the page in your browser.")]
Example = Annotated[bool, flag("--example", help="Begin with reviews of two bundled documents.")]
Policies = Annotated[
    list[Path] | None, typer.Option("--policy", "-p", metavar="FILE", help="A policy to offer; may be repeated.")
]
Models = Annotated[
    list[Path] | None, typer.Option("--model", metavar="DIR", help="A concept model to offer; may be repeated.")
]
Corpora = Annotated[
    list[Path] | None, typer.Option("--corpus", metavar="INDEX", help="A corpus to offer; may be repeated.")
]
Days = Annotated[
    float, typer.Option("--days", min=0.00001, metavar="X", help="Delete a review after so many days without a change.")
]
Approval = Annotated[bool, flag("--approval", help="Release only what a second person has approved.")]
Megabytes = Annotated[int, typer.Option("--megabytes", min=1, max=512, metavar="N", help="The largest upload.")]
Workers = Annotated[int, typer.Option("--workers", min=1, metavar="N", help="Worker processes for what takes long.")]
Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Listen elsewhere: needs --name, people, and TLS.")
]
HostNames = Annotated[
    list[str] | None, typer.Option("--name", metavar="HOST[:PORT]", help="What people type to reach this server.")
]
Certificate = Annotated[
    Path | None, typer.Option("--certificate", metavar="PEM", help="The certificate chain for TLS.")
]
PrivateKey = Annotated[
    Path | None, typer.Option("--private-key", metavar="PEM", help="The private key of the certificate.")
]
BehindProxy = Annotated[
    bool, flag("--behind-proxy", help="A proxy does TLS for the names; nobody else reaches this port.")
]
Logged = Annotated[bool, flag("--log", help="Tell of every request: method, route, status, time.")]


def _folder(data: Path | None) -> Path:
    return (data or Path.home() / ".local" / "share" / "withhold").absolute()


@app.command(epilog="Example: withhold serve --open")
def serve(
    port: Port = 8750,
    open_page: Open = False,
    example: Example = False,
    policies: Policies = None,
    models: Models = None,
    corpora: Corpora = None,
    data: Data = None,
    database: Database = None,
    days: Days = 30.0,
    approval: Approval = False,
    megabytes: Megabytes = 32,
    workers: Workers = 2,
    host: Host = "127.0.0.1",
    names: HostNames = None,
    certificate: Certificate = None,
    private_key: PrivateKey = None,
    behind_proxy: BehindProxy = False,
    log: Logged = False,
    as_json: AsJson = False,
) -> None:
    """Open the workbench: a page in your browser to redact documents, look at what they tell, and release them.

    It answers on this machine alone, to whoever has the address that is printed: that has a token which signs in once.
    Nothing leaves the machine. What you decide is stored as you decide it, and is there again after a crash; documents
    are deleted when you delete them, and after --days without a change. The same over HTTP, with a schema at
    /api/v1/openapi.json. Ctrl-C ends it.

    To share it, give every person a token (`withhold people add NAME`), and say how they reach it: --host 0.0.0.0
    --name redact.example.org --certificate chain.pem --private-key key.pem.
    """
    from withhold.service.settings import Settings

    is_tls = certificate is not None or behind_proxy
    _check_exposure(host, names or [], tls=is_tls)
    listening = _listen(host, port)
    settings = Settings(
        _folder(data),
        database,
        origins=tuple(_origins(names or [], listening.getsockname()[1], tls=is_tls)),
        policies=_named(policies),
        models=_named(models),
        corpora=_named(corpora),
        approval=approval,
        days=days,
        upload_megabytes=megabytes,
        workers=workers,
        secure=is_tls,
    )
    _run(
        settings, listening, (certificate, private_key), open_page=open_page, example=example, log=log, as_json=as_json
    )


def _check_exposure(host: str, names: Sequence[str], *, tls: bool) -> None:
    """Refuse to answer others by accident, or in a way that lets anybody on the line read."""
    if host in _LOOPBACK:
        return
    if not names:
        usage("--host other than this machine needs --name: what people type to reach the server")
    if not tls:
        usage("--host other than this machine needs --certificate and --private-key, or --behind-proxy")


def _listen(host: str, port: int) -> socket.socket:
    from withhold.errors import OutputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise OutputError(f"cannot listen on {host}, port {port}: {error.strerror}; give another --port") from None


def _origins(names: Sequence[str], port: int, *, tls: bool) -> list[str]:
    """Where the page may come from: the names given, or this machine's own."""
    scheme = "https" if tls else "http"
    if names:
        return [f"{scheme}://{name.lower()}" for name in names]
    return [f"{scheme}://{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]


def _named(paths: list[Path] | None) -> dict[str, Path]:
    """What a server offers, by the names of the files and folders."""
    return {path.absolute().stem: path.absolute() for path in paths or ()}


def _run(
    settings: Settings,
    listening: socket.socket,
    tls: tuple[Path | None, Path | None],
    *,
    open_page: bool,
    example: bool,
    log: bool,
    as_json: bool,
) -> None:
    import uvicorn

    from withhold.service import example as bundled
    from withhold.service.app import Service

    if example:
        console.say("preparing the example, some seconds the first time")
        settings = bundled.offer(settings)
    service = Service(settings, say=console.say if log else None)
    if example:
        service.api.state.example = bundled.begin(service)
    _check_people(service)
    certificate, key = (None if path is None else str(path) for path in tls)
    config = uvicorn.Config(
        service.app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_keep_alive=_KEEP_ALIVE,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    with service.announced(open_page=open_page) as address:
        if as_json:
            console.print_json({"address": address})
            sys.stdout.flush()
        else:
            console.print_text(address)
        console.say("open this address in your browser; it signs in once. Ctrl-C ends the server")
        uvicorn.Server(config).run(sockets=[listening])


def _check_people(service: Service) -> None:
    if not service.is_local and not service.people.names():
        usage("a server that others reach needs people: withhold people add NAME")


def _people(data: Path | None, database: str | None) -> People:
    from withhold.service.database import connect
    from withhold.service.people import People
    from withhold.service.settings import Settings

    return People(connect(Settings(_folder(data), database)))


@persons.command("add", epilog="Example: withhold people add ana")
def add(name: Who, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Let somebody in. Their token is printed once, and only a digest of it is stored: hand it over safely.

    Each person sees their own reviews, models and corpora, and the reviews that others share with them.
    """
    token = _people(data, database).add(name)
    if as_json:
        console.print_json({"name": name, "token": token})
    else:
        console.print_text(token)
    console.say(f"{name} signs in with this token, as often as they like; it cannot be shown again")


@persons.command("remove", epilog="Example: withhold people remove ana")
def remove(name: Who, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Let somebody in no longer. Their reviews stay until they expire."""
    _people(data, database).remove(name)
    if as_json:
        console.print_json({"removed": name})
    console.say(f"{name} is signed out, and cannot sign in any more")


@persons.command("list", epilog="Example: withhold people list --json")
def list_people(data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Say who may use the server."""
    names = _people(data, database).names()
    if as_json:
        console.print_json(names)
    else:
        console.show("People", ("name",), [(name,) for name in names])
