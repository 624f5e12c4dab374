"""A real server in a process of its own, and clients that are signed in, for tests."""

from __future__ import annotations

import base64
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

API = "/api/v1"
_STARTING = 60.0


def add_person(folder: Path, name: str, *options: str) -> str:
    """The token of a new person."""
    command = [
        sys.executable,
        "-c",
        "from withhold.cli import main; main()",
        "people",
        "add",
        name,
        "--data",
        str(folder),
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def upload(name: str, data: bytes | str) -> dict[str, str]:
    raw = data.encode() if isinstance(data, str) else data
    return {"name": name, "data": base64.b64encode(raw).decode()}


class Server:
    """`withhold serve` on a free port, with its data in a folder; a `with` block is its life."""

    def __init__(self, folder: Path, *options: str, before: Sequence[str] = ()) -> None:
        self.folder, self._options, self._before = folder, options, before
        self._clients: list[httpx.Client] = []

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        command = [
            sys.executable,
            "-c",
            "from withhold.cli import main; main()",
            "serve",
            "--port",
            "0",
            "--data",
            str(self.folder),
        ]
        self._said = (self.folder.parent / f"{self.folder.name}.stderr").open("w+")
        self.process = subprocess.Popen(
            [*self._before, *command, *self._options],
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        printed = self.process.stdout.readline().strip()
        self.url, _, self.token = printed.partition("/#token=")
        if not self.url.startswith("http"):
            said = self.said()
            self.stop()
            raise AssertionError(f"the server does not start: {said}")
        self._await()

    def _await(self) -> None:
        until = time.monotonic() + _STARTING
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}{API}/health", timeout=5).status_code == 200:
                    return
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    @property
    def cookie(self) -> str:
        """What its sessions are called."""
        return f"withhold_session_{self.url.rpartition(':')[2]}"

    def said(self) -> str:
        """What the server has said on standard error so far."""
        self._said.flush()
        return Path(self._said.name).read_text()

    def client(self, token: str | None = None) -> httpx.Client:
        """A client that is signed in as a browser would be: by the one-time token, or by a person's."""
        client = httpx.Client(base_url=f"{self.url}{API}", timeout=120)
        self._clients.append(client)
        signed = client.post("/session", json={"token": token or self.token})
        assert signed.status_code == 200, signed.text
        client.headers["X-CSRF-Token"] = signed.json()["csrf"]
        return client

    def kill(self) -> None:
        """End the server at once, as a crash or a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self._ended()

    def stop(self) -> None:
        """End the server in order."""
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self._ended()

    def _ended(self) -> None:
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._said.close()
        for client in self._clients:
            client.close()
        self._clients.clear()


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[Server, httpx.Client]]:
    """A server and its owner."""
    with Server(folder, *options) as server:
        yield server, server.client()


def new_review(client: httpx.Client, name: str, data: bytes | str, **policy: Any) -> dict[str, Any]:
    """A new review."""
    made = client.post("/reviews", json={"document": upload(name, data), "policy": policy})
    assert made.status_code == 201, made.text
    return dict(made.json())


def decide(client: httpx.Client, review: str, version: int, **decision: Any) -> httpx.Response:
    return client.post(f"/reviews/{review}/decisions", json={"version": version, "decision": decision})


def ended(client: httpx.Client, job: httpx.Response, seconds: float = 120) -> dict[str, Any]:
    """A job once it is over."""
    assert job.status_code == 202, job.text
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        now = client.get(f"/jobs/{job.json()['id']}").json()
        if now["status"] not in ("waiting", "running"):
            return dict(now)
        time.sleep(0.1)
    raise AssertionError("the job does not end")


POSTGRESQL = next((path for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


class Cluster:
    """A PostgreSQL server of its own, in a private folder, run by an unprivileged user; a `with` block is its life."""

    def __enter__(self) -> Cluster:
        assert POSTGRESQL is not None
        self.folder = Path(tempfile.mkdtemp(prefix="withhold-postgresql-"))
        self._who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self._who:
            shutil.chown(self.folder, "postgres", "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._do("initdb", "-D", str(self.folder / "data"), "-U", "withhold", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"postgresql://withhold@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        log = str(self.folder / "log")
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", "-o", options, "start")

    def stop(self) -> None:
        """End it at once, as a crash would."""
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def _do(self, program: str, *arguments: str) -> None:
        assert POSTGRESQL is not None
        subprocess.run(
            [str(POSTGRESQL / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            **self._who,
        )
