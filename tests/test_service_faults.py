"""What goes wrong: a kill, a full disk, a database that is away, files that are none, many tabs. Real servers."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fixtures import docx_files, eml_files, html_files, markdown_files
from tests.service_server import POSTGRESQL, Cluster, Server, add_person, decide, ended, new_review, serving, upload

pytestmark = pytest.mark.slow
TEXT = "Ada wrote to Charles from London. " * 20
FIND = [{"terms": ["Ada", "Charles"]}]


def log(client: httpx.Client, review: str) -> list[dict[str, Any]]:
    lines = client.get(f"/reviews/{review}/decisions").json()["lines"]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    return list(lines)


def make(number: int) -> dict[str, Any]:
    """A decision that can be told from others."""
    start = TEXT.index("London", 34 * (number % 20))
    actions = ["remove", "keep"]
    return {
        "kind": "term",
        "action": actions[number % 2],
        "spans": [{"start": start, "end": start + 6}],
        "scope": "here",
        "note": f"decision {number}",
    }


def test_a_kill_between_any_two_decisions_loses_nothing(tmp_path: Path) -> None:
    token = add_person(tmp_path / "data", "ana")
    server = Server(tmp_path / "data")
    server.start()
    try:
        review = new_review(server.client(token), "a.txt", TEXT, find=FIND)["id"]
        for number in range(5):
            answer = decide(server.client(token), review, number, **make(number))
            assert answer.status_code == 200
            state = answer.json()
            server.kill()
            server.start()
            client = server.client(token)
            assert [line["decision"]["note"] for line in log(client, review)] == [
                f"decision {n}" for n in range(number + 1)
            ]
            assert client.get(f"/reviews/{review}/state").json() == state
    finally:
        server.stop()


def test_a_kill_while_decisions_are_made_loses_none_that_was_accepted(tmp_path: Path) -> None:
    """One tab decides as fast as it can; the server is killed at a moment of chance. What was answered is there, and
    besides it at most the one decision whose answer was on its way.
    """
    chance = random.Random(5)
    token = add_person(tmp_path / "data", "ana")
    server = Server(tmp_path / "data")
    server.start()
    accepted: list[str] = []
    try:
        review = new_review(server.client(token), "a.txt", TEXT, find=FIND)["id"]
        for _ in range(3):
            client = server.client(token)
            version = len(log(client, review))
            thread = threading.Thread(target=_decide_on, args=(client, review, version, accepted))
            thread.start()
            while len(accepted) < version + 3 and thread.is_alive():
                time.sleep(0.01)
            time.sleep(0.2 * chance.random())
            server.kill()
            thread.join()
            server.start()
            notes = [line["decision"]["note"] for line in log(server.client(token), review)]
            assert notes[: len(accepted)] == accepted
            assert len(notes) <= len(accepted) + 1
            accepted[:] = notes
        assert len(accepted) >= 9
    finally:
        server.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "reviews.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _decide_on(client: httpx.Client, review: str, version: int, accepted: list[str]) -> None:
    try:
        while True:
            answer = decide(client, review, version, **make(version))
            assert answer.status_code == 200
            accepted.append(f"decision {version}")
            version += 1
    except (httpx.TransportError, RuntimeError):
        return


def test_a_kill_during_a_release_releases_nothing(tmp_path: Path) -> None:
    token = add_person(tmp_path / "data", "ana")
    server = Server(tmp_path / "data")
    server.start()
    try:
        client = server.client(token)
        review = new_review(client, "a.txt", TEXT, find=FIND)["id"]
        job = client.post(f"/reviews/{review}/release", json={"version": 0}).json()
        server.kill()
        server.start()
        client = server.client(token)
        after = client.get(f"/jobs/{job['id']}").json()
        assert after["status"] == "failed"
        assert "nothing of it was stored" in after["error"]["message"]
        assert client.get(f"/reviews/{review}/release").status_code == 404
        assert client.get(f"/reviews/{review}").json()["version"] == 0
        assert ended(client, client.post(f"/reviews/{review}/release", json={"version": 0}))["result"]["released"]
    finally:
        server.stop()


@pytest.mark.parametrize("kind", ["models", "corpora"])
def test_a_kill_leaves_nothing_of_what_was_being_learnt(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the uploads, which lie in a private folder while they are read, nor half of a model or an index."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    token = add_person(tmp_path / "data", "ana")
    server = Server(tmp_path / "data")
    server.start()
    try:
        rows = "\n".join(json.dumps({"text": f"word{n} and more", "town": f"t{n % 400}"}) for n in range(40_000))
        new = {"name": "m", "files": [upload("rows.jsonl", rows)], **({"secret": "town"} if kind == "models" else {})}
        server.client(token).post(f"/{kind}", json=new)
        assert _soon(lambda: list(folder.rglob("rows.jsonl")))
        server.kill()
        assert _soon(lambda: not list(folder.iterdir()))
        server.start()
        assert _soon(lambda: not list((tmp_path / "data" / "made").glob("*")))
        assert server.client(token).get(f"/{kind}").json()["made"] == []
    finally:
        server.stop()


def _soon(holds: Callable[[], object], seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return bool(holds())


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    """No file may grow beyond a limit: what cannot be stored is refused in words, and what was accepted is there."""
    token = add_person(tmp_path / "data", "ana")
    limited = ("sh", "-c", 'ulimit -f 1200; exec "$@"', "sh")
    with Server(tmp_path / "data", before=limited) as server:
        client = server.client(token)
        review = new_review(client, "a.txt", TEXT, find=FIND)["id"]
        accepted, refused = 0, None
        for number in range(200):
            answer = decide(client, review, number, kind="note", note=f"{number} " + "filler " * 1000)
            if answer.status_code != 200:
                refused = answer
                break
            accepted += 1
        assert refused is not None
        assert (refused.status_code, refused.json()["error"]["kind"]) == (503, "NoStorage")
        assert "not stored" in refused.json()["error"]["message"]
        assert accepted > 3
        job = client.post(f"/reviews/{review}/release", json={"version": accepted})
        assert job.status_code == 503 or ended(client, job)["status"] == "failed"
        assert client.get(f"/reviews/{review}/release").status_code in (404, 503)
        assert client.get("/health").status_code == 200
    with Server(tmp_path / "data") as server:
        client = server.client(token)
        assert [line["decision"]["note"].split()[0] for line in log(client, review)] == [
            str(n) for n in range(accepted)
        ]
        assert client.get(f"/reviews/{review}/release").status_code == 404
        assert decide(client, review, accepted, kind="note", note="and on").status_code == 200


@pytest.mark.skipif(POSTGRESQL is None, reason="PostgreSQL is not installed")
def test_a_database_that_is_away_comes_back(tmp_path: Path) -> None:
    with Cluster() as cluster, serving(tmp_path / "data", "--database", cluster.url) as (_, client):
        review = new_review(client, "a.txt", TEXT, find=FIND)["id"]
        for number in range(3):
            assert decide(client, review, number, **make(number)).status_code == 200
        cluster.stop()
        for _ in range(2):
            away = decide(client, review, 3, **make(3))
            assert (away.status_code, away.json()["error"]["kind"]) == (503, "NoStorage")
            assert "try again" in away.json()["error"]["advice"].lower()
        assert client.get("/health").status_code == 200
        cluster.start()
        lines = log(client, review)
        assert [line["decision"]["note"] for line in lines] == [f"decision {number}" for number in range(3)]
        assert decide(client, review, 3, **make(3)).status_code == 200
        job = client.post(f"/reviews/{review}/release", json={"version": 4})
        cluster.stop()
        time.sleep(3)
        cluster.start()
        outcome = ended(client, job)
        there = client.get(f"/reviews/{review}/release").status_code
        assert (outcome["status"], there) in (("done", 200), ("failed", 404))


@pytest.mark.skipif(POSTGRESQL is None, reason="PostgreSQL is not installed")
def test_many_tabs_on_one_review_with_postgresql(tmp_path: Path) -> None:
    with Cluster() as cluster:
        _many_tabs(tmp_path, "--database", cluster.url)


def test_many_tabs_on_one_review(tmp_path: Path) -> None:
    _many_tabs(tmp_path)


def _many_tabs(folder: Path, *options: str) -> None:
    """Six tabs write at once, each again when another was first: every decision that was accepted is there, once."""
    token = add_person(folder / "data", "ana", *options)
    with Server(folder / "data", *options) as server:
        clients = [server.client(token) for _ in range(6)]
        review = new_review(clients[0], "a.txt", TEXT, find=FIND)["id"]

        def tab(number: int) -> tuple[list[str], int]:
            accepted, conflicts, version = list[str](), 0, 0
            for count in range(5):
                note = f"tab {number}, {count}"
                while True:
                    answer = decide(clients[number], review, version, kind="note", note=note)
                    if answer.status_code == 200:
                        version = answer.json()["review"]["version"]
                        accepted.append(note)
                        break
                    assert answer.status_code == 409, answer.text
                    conflicts += 1
                    version = answer.json()["current"]["review"]["version"]
            return accepted, conflicts

        with ThreadPoolExecutor(6) as threads:
            tabs = list(threads.map(tab, range(6)))
        notes = [line["decision"]["note"] for line in log(clients[0], review)]
        assert sorted(notes) == sorted(note for accepted, _ in tabs for note in accepted)
        assert len(notes) == 30
        assert sum(conflicts for _, conflicts in tabs) > 0


def malformed() -> Iterator[tuple[str, bytes]]:
    whole = {
        "docx": docx_files.plain(["Ada wrote."]),
        "eml": eml_files.plain(["Ada wrote."]),
        "html": html_files.plain(["Ada wrote."]),
        "md": markdown_files.plain(["Ada wrote."]),
    }
    yield "empty.txt", b""
    yield "binary.txt", bytes(range(256)) * 20
    yield "pdf.txt", b"%PDF-1.7 not text"
    yield "xml.txt", b"<?xml version='1.0'?><a/>"
    yield "cut.docx", whole["docx"][: len(whole["docx"]) // 2]
    yield "swapped.docx", whole["docx"][:200] + bytes(200) + whole["docx"][400:]
    yield "text.docx", b"no package"
    yield "other.docx", whole["html"]
    yield "package.html", whole["docx"]
    yield "package.md", whole["docx"]
    yield "package.eml", whole["docx"]
    yield "deep.html", b"<div>" * 100_000
    yield "entities.html", b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><html>&c;</html>'
    yield (
        "nested.eml",
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\nContent-Type: message/rfc822\n\n" * 5000,
    )
    yield "nul.md", b"# a\x00b\n" * 3
    yield "noending", b"text"
    yield "unknown.xyz", b"text"
    yield "../../etc/passwd.txt", b"\xff\xfe\x00\xd8"


def test_a_malformed_upload_of_each_kind_is_refused_in_words(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (_, client):
        refused = 0
        for name, data in malformed():
            answer = client.post("/reviews", json={"document": upload(name, data)})
            assert answer.status_code in (201, 413, 415, 422), (name, answer.text)
            if answer.status_code != 201:
                refused += 1
                fault = answer.json()["error"]
                assert fault["message"], name
                assert fault["advice"], name
                continue
            # What can be read after all is whole: it can be looked at, and released.
            review = answer.json()["id"]
            state = client.get(f"/reviews/{review}/state")
            assert state.status_code == 200, (name, state.text)
            assert ended(client, client.post(f"/reviews/{review}/release", json={"version": 0}))["error"] is None, name
        assert refused > 10
        assert (
            client.post("/models", json={"name": "x", "files": [upload("a.jsonl", b"{")], "secret": "c"}).status_code
            == 202
        )
        for path, body in (
            ("/models", {"name": "x", "files": [upload("a.jsonl", b"{")], "secret": "c"}),
            ("/models", {"name": "x", "files": [upload("a.csv", b"\xff\x00")], "secret": "c"}),
            ("/corpora", {"name": "x", "files": [upload("a.docx", b"none")]}),
        ):
            job = ended(client, client.post(path, json=body))
            assert (job["status"], bool(job["error"]["message"])) == ("failed", True)
        assert client.get("/models").json()["made"] == client.get("/corpora").json()["made"] == []
        assert client.get("/health").status_code == 200


def test_json_that_is_none_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (_, client):
        deep = b"[" * 100_000 + b"]" * 100_000
        lone = json.dumps({"document": {"name": "\ud800.txt", "data": base64.b64encode(b"x").decode()}}).encode()
        for body in (b"", b"{", b"null", b"[]", b'"x"', deep, b"\xff\xfe", b'{"document": NaN}', lone):
            answer = client.post("/reviews", content=body, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500, (body[:20], answer.status_code)
            assert set(answer.json()["error"]) == {"kind", "message", "advice"}
