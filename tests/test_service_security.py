"""Safe by default: who is answered, what browsers are told, what is deleted, and what is never said. A real server."""

from __future__ import annotations

import base64
import io
import json
import re
import socket
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from tests.service_server import API, Server, add_person, decide, ended, new_review, serving, upload
from withhold.service.app import PREFIX, Service
from withhold.service.settings import Settings

pytestmark = pytest.mark.slow
MARK = "Quorndon"
"""A word that is in documents of these tests and nowhere else."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, httpx.Client]]]:
    folder = tmp_path_factory.mktemp("security") / "data"
    tokens = {name: add_person(folder, name) for name in ("ana", "bo")}
    with Server(folder, "--megabytes", "1", "--log") as server:
        yield server, {name: server.client(token) for name, token in tokens.items()}


@pytest.fixture
def server(shared: tuple[Server, dict[str, httpx.Client]]) -> Server:
    return shared[0]


@pytest.fixture
def ana(shared: tuple[Server, dict[str, httpx.Client]]) -> httpx.Client:
    return shared[1]["ana"]


@pytest.fixture
def bo(shared: tuple[Server, dict[str, httpx.Client]]) -> httpx.Client:
    return shared[1]["bo"]


# Loopback, tokens, sessions


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    port = int(server.url.rpartition(":")[2])
    listening = subprocess.run(["ss", "-Hltn", f"sport = :{port}"], capture_output=True, text=True).stdout
    if listening:
        assert {line.split()[3] for line in listening.splitlines()} == {f"127.0.0.1:{port}"}
    others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in others:
        with pytest.raises(OSError):  # noqa: PT011  (which one depends on the system)
            socket.create_connection((address, port), timeout=2)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--host", "0.0.0.0"], "--name"),
        (["--host", "0.0.0.0", "--name", "redact.example.org"], "--certificate"),
        (["--host", "0.0.0.0", "--name", "redact.example.org", "--behind-proxy"], "people add"),
    ],
)
def test_others_are_answered_only_on_purpose(options: list[str], says: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from withhold.cli import main; main()", "serve", "--port", "0"]
    ended = subprocess.run(
        [*command, "--data", str(tmp_path / "data"), *options], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert says in ended.stderr


def test_no_route_is_open_to_strangers(server: Server, tmp_path: Path) -> None:
    """Every route of the schema, asked for by nobody; but for signing in, and whether the server is there."""
    schema = httpx.get(f"{server.url}{API}/openapi.json").json()
    asked = 0
    for path, methods in schema["paths"].items():
        for method in methods:
            if (method, path) in {("post", f"{PREFIX}/session"), ("get", f"{PREFIX}/health")}:
                continue
            answer = httpx.request(method, server.url + re.sub(r"\{\w+\}", "x", path), json={})
            assert (answer.status_code, answer.json()["error"]["kind"]) == (401, "NotSignedIn"), path
            asked += 1
    assert asked > 30


def test_a_one_time_token_signs_in_once(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        first = httpx.post(f"{server.url}{API}/session", json={"token": server.token})
        again = httpx.post(f"{server.url}{API}/session", json={"token": server.token})
        assert (first.status_code, again.status_code) == (200, 401)
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        for guess in ("", "x", server.token[:-1], server.token + "x", "\u20ac"):
            assert httpx.post(f"{server.url}{API}/session", json={"token": guess}).status_code in (401, 422)


def test_signing_out_ends_the_session(server: Server, tmp_path: Path) -> None:
    client = server.client(add_person(server.folder, "cy"))
    assert client.get("/me").json()["user"] == "cy"
    cookie = client.cookies[server.cookie]
    assert client.delete("/session").status_code == 204
    assert httpx.get(f"{server.url}{API}/me", cookies={server.cookie: cookie}).status_code == 401


def test_people_can_be_removed(server: Server) -> None:
    token = add_person(server.folder, "dee")
    client = server.client(token)
    command = [sys.executable, "-c", "from withhold.cli import main; main()", "people", "remove", "dee"]
    subprocess.run([*command, "--data", str(server.folder)], check=True, capture_output=True)
    assert client.get("/me").status_code == 401
    assert httpx.post(f"{server.url}{API}/session", json={"token": token}).status_code == 401


def test_tokens_are_stored_as_digests(server: Server) -> None:
    token = add_person(server.folder, "eve")
    cookie = server.client(token).cookies[server.cookie]
    stored = b"".join(path.read_bytes() for path in server.folder.glob("reviews.sqlite*"))
    assert b"eve" in stored
    assert token.encode() not in stored
    assert cookie.encode() not in stored


def test_programs_send_a_token_of_their_own(server: Server) -> None:
    token = add_person(server.folder, "robot")
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}{API}/me", headers=headers).json()["user"] == "robot"
    wrong = {"Authorization": "Bearer wrong"}
    assert httpx.get(f"{server.url}{API}/me", headers=wrong).status_code == 401


# Host, Origin, CSRF, headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:{port}", ""])
def test_other_host_names_are_refused(server: Server, host: str) -> None:
    port = server.url.rpartition(":")[2]
    answer = httpx.get(f"{server.url}{API}/health", headers={"Host": host.format(port=port)})
    assert answer.status_code in (400, 421)


def test_the_page_of_another_origin_is_refused(server: Server, ana: httpx.Client) -> None:
    evil = {"Origin": "http://evil.example"}
    own = {"Origin": server.url}
    assert ana.get("/me", headers=evil).status_code == 403
    assert ana.post("/reviews", headers=evil, json={}).status_code == 403
    assert ana.get("/me", headers={"Origin": "null"}).status_code == 403
    assert ana.get("/me", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert ana.get("/me", headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
    assert ana.get("/me", headers=own).status_code == 200
    answer = ana.get("/me", headers=own)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_change_needs_the_csrf_token(ana: httpx.Client) -> None:
    review = new_review(ana, "a.txt", "Some text.")["id"]
    good = ana.headers.pop("X-CSRF-Token")
    try:
        for headers in ({}, {"X-CSRF-Token": "x"}, {"X-CSRF-Token": good[:-1]}):
            for method, path in (
                ("POST", "/reviews"),
                ("DELETE", f"/reviews/{review}"),
                ("PUT", f"/reviews/{review}/policy"),
            ):
                refused = ana.request(method, path, headers=headers, json={})
                assert (refused.status_code, refused.json()["error"]["kind"]) == (403, "NoCsrfToken")
        assert ana.get(f"/reviews/{review}").status_code == 200
    finally:
        ana.headers["X-CSRF-Token"] = good


@pytest.mark.parametrize("path", ["/", "/pages/index.html", f"{API}/health", f"{API}/nothing", "/nothing"])
def test_browsers_are_told_to_be_careful(server: Server, path: str) -> None:
    headers = httpx.get(server.url + path).headers
    policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split("; ")}
    assert policy["default-src"] == ["'none'"]
    assert all("unsafe" not in word and "*" not in word for words in policy.values() for word in words)
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in headers


def test_pages_do_not_reach_outside_their_folder(server: Server) -> None:
    for path in ("/pages/../app.py", "/pages/%2e%2e/app.py", "/pages/..%2fapp.py", "/pages//etc/passwd", "/pages/"):
        with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as line:
            host = server.url.removeprefix("http://")
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = line.makefile("rb").read()
        assert b" 404 " in answer.split(b"\r\n")[0]


# Limits


def test_uploads_are_limited(server: Server, ana: httpx.Client) -> None:
    body = json.dumps({"document": upload("a.txt", b"x" * 3_000_000)}).encode()
    told = ana.post("/reviews", content=body, headers={"Content-Type": "application/json"})
    assert (told.status_code, told.json()["error"]["kind"]) == (413, "TooLarge")

    def in_pieces() -> Iterator[bytes]:
        yield from (body[at : at + 65536] for at in range(0, len(body), 65536))

    untold = ana.post("/reviews", content=in_pieces(), headers={"Content-Type": "application/json"})
    assert (untold.status_code, untold.json()["error"]["kind"]) == (413, "TooLarge")


def test_strangers_cannot_send_much(server: Server) -> None:
    """Not even if they say that they are somebody, nor if they do not say how much it is."""
    claims = [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic x"}, {"Cookie": f"{server.cookie}=x"}]
    for path in ("/session", "/reviews"):
        for claim in claims:
            for content in (b"x" * 20_000, iter([b"x" * 10_000, b"x" * 10_000])):
                refused = httpx.post(f"{server.url}{API}{path}", content=content, headers=claim)
                assert (refused.status_code, refused.json()["error"]["kind"]) == (413, "TooLarge")


def test_two_servers_of_one_machine_do_not_sign_one_another_out(tmp_path: Path) -> None:
    with Server(tmp_path / "one") as one, Server(tmp_path / "other") as other, httpx.Client() as browser:
        for each in (one, other):
            signed = browser.post(f"{each.url}{API}/session", json={"token": each.token})
            assert signed.status_code == 200
        assert [browser.get(f"{each.url}{API}/me").status_code for each in (one, other)] == [200, 200]


def test_files_that_expand_are_refused(ana: httpx.Client) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
        )
        archive.writestr("word/document.xml", b"<w:document>" + b" " * 400_000_000)
    refused = ana.post("/reviews", json={"document": upload("bomb.docx", bomb.getvalue())})
    assert refused.status_code in (413, 422)
    assert refused.json()["error"]["kind"] in ("HostileDocument", "DamagedDocument")
    assert ana.get("/health").status_code == 200


def test_a_long_text_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--megabytes", "4") as (_, owner):
        refused = owner.post("/reviews", json={"document": upload("long.txt", "word " * 300_000)})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (413, "HostileDocument")


def test_what_people_write_is_no_longer_than_an_upload_may_be(server: Server, ana: httpx.Client) -> None:
    review = new_review(ana, "a.txt", "the end of the road " * 400)["id"]
    long = "word " * 300_000
    preview = ana.post(f"/reviews/{review}/preview", json={"text": long})
    whole = decide(ana, review, 0, kind="text", text=long)
    spans = [{"start": start, "end": start + 3} for start in range(0, 8_000, 10)]
    spread = decide(ana, review, 0, kind="term", action="replace", scope="here", spans=spans, replacement="so " * 600)
    for refused in (preview, whole, spread):
        assert (refused.status_code, refused.json()["error"]["kind"]) == (413, "TooLarge")
    assert ana.get(f"/reviews/{review}").json()["version"] == 0


def test_jobs_are_limited(tmp_path: Path) -> None:
    records = "\n".join(json.dumps({"text": f"w{n} and more", "town": f"t{n % 500}"}) for n in range(20_000))
    new = {"name": "m", "files": [upload("l.jsonl", records)], "secret": "town"}
    with serving(tmp_path / "data", "--workers", "1") as (_, owner):
        begun = [owner.post("/models", json=new) for _ in range(10)]
        assert [each.status_code for each in begun] == [202] * 8 + [429] * 2
        for each in begun[:8]:
            owner.delete(f"/jobs/{each.json()['id']}")
        assert {ended(owner, each)["status"] for each in begun[:8]} == {"cancelled"}


# Per-user separation


def test_people_do_not_see_one_another(server: Server, ana: httpx.Client, bo: httpx.Client) -> None:
    review = new_review(ana, "a.txt", f"{MARK} wrote.", find=[{"terms": [MARK]}])["id"]
    job = ana.post(f"/reviews/{review}/release", json={"version": 0})
    ended(ana, job)
    schema = httpx.get(f"{server.url}{API}/openapi.json").json()["paths"]
    step = {"version": 0}
    bodies = {
        "decisions": {"version": 0, "decision": {"kind": "note", "note": "x"}},
        "policy": {"version": 0, "policy": {}},
        "reviewers": {"reviewers": []},
        "suggestions": {"span": {"start": 0, "end": 1}},
        "preview": {"text": ""},
    }
    looked = 0
    for path, methods in schema.items():
        if path.startswith(f"{PREFIX}/reviews/{{id}}"):
            asked = path.removeprefix(PREFIX).replace("{id}", review).replace("{part}", "file")
            for method in methods:
                answer = bo.request(
                    method, re.sub(r"\{\w+\}", "x", asked), json=bodies.get(path.rpartition("/")[2], step)
                )
                assert (answer.status_code, answer.json()["error"]["kind"]) == (404, "NotFound"), path
                assert MARK not in answer.text
                looked += 1
    assert looked > 20
    assert bo.get(f"/jobs/{job.json()['id']}").status_code == 404
    assert bo.get(f"/jobs/{job.json()['id']}/events").status_code == 404
    assert review not in [each["id"] for each in bo.get("/reviews").json()["reviews"]]
    assert ana.get(f"/reviews/{review}").json()["version"] == 1


def test_a_policy_names_no_files_and_no_addresses(ana: httpx.Client, bo: httpx.Client) -> None:
    document = upload("a.txt", "Some text.")
    for policy in (
        {"find": [{"lists": ["/etc/passwd"]}]},
        {"find": [{"terms": ["x"], "patterns": ["(a+)+$"]}]},
        {"corpus": {"kind": "searxng", "url": "http://169.254.169.254/"}},
        {"language_model": {"url": "http://evil.example/"}},
        {"components": {"detectors": ["network"]}},
        {"secrets": [{"fitted": "/etc"}]},
        {"secrets": [{"fitted": "../../etc"}]},
        {"operators": {"default": "suppress", "key": "/etc/shadow"}},
        {"base": "/etc/passwd"},
        {"base": "../policy"},
    ):
        refused = ana.post("/reviews", json={"document": document, "policy": policy})
        assert refused.status_code == 422, policy
    theirs = [upload(f"{n}.txt", f"{word} ship {word}") for n, word in enumerate(["red", "blue"] * 3)]
    classes = [{"c": "warm"}, {"c": "cold"}] * 3
    made = ended(
        bo, bo.post("/models", json={"name": "m", "files": theirs, "classes": classes, "secret": "c", "holdout": 0})
    )
    policy = {"secrets": [{"name": "s", "fitted": made["result"]["made"]}]}
    assert ana.post("/reviews", json={"document": document, "policy": policy}).status_code == 404


# Deletion, logs, folders


def test_the_data_folder_is_private(server: Server) -> None:
    assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700
    files = [path for path in server.folder.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_what_is_deleted_is_gone_from_the_files(tmp_path: Path) -> None:
    """Text, decisions, releases and the results of jobs: no byte of them is left."""
    folder = tmp_path / "data"
    with serving(folder) as (_, owner):
        kept = new_review(owner, "b.txt", "This stays.")["id"]
        review = new_review(owner, f"{MARK}.txt", f"{MARK} wrote of {MARK}. " * 300, find=[{"terms": [MARK]}])["id"]
        decide(owner, review, 0, kind="note", note=f"about {MARK}")
        ended(owner, owner.post(f"/reviews/{review}/release", json={"version": 1, "accept": MARK}))
        given = {"document": upload("c.txt", f"{MARK} " * 50), "policy": {"detection": {"labels": ["direct"]}}}
        job = owner.post("/redact", json=given)
        ended(owner, job)
        assert _holds(folder, MARK)
        assert owner.delete(f"/reviews/{review}").status_code == 204
        assert owner.delete(f"/jobs/{job.json()['id']}").status_code == 204
        assert owner.get(f"/reviews/{review}").status_code == 404
        assert not _holds(folder, MARK)
        assert owner.get(f"/reviews/{kept}/document").json()["text"] == "This stays."


def _holds(folder: Path, word: str) -> bool:
    """Whether any file of a folder has the word, as it is or in base64 at any of the three alignments."""
    needles = [word.encode(), word.encode("utf-16-le")]
    for at in range(3):
        needles.append(base64.b64encode(b" " * at + word.encode())[4 if at else 0 : -4])
    held = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return any(needle in data for data in held for needle in needles if len(needle) > 3)


def test_documents_are_deleted_after_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with Server(folder, "--days", "1") as server:
        owner = server.client()
        long = new_review(owner, "b.txt", "This stays.", days=30)
        assert long["expires"][:10] <= (datetime.now(UTC) + timedelta(days=1)).isoformat()[:10]
        review = new_review(owner, "a.txt", f"{MARK} wrote.", days=30)
        short = {"version": 0, "policy": {"days": 0.00002}}
        changed = owner.put(f"/reviews/{review['id']}/policy", json=short).json()["review"]
        assert changed["expires"] < review["expires"]
        back = owner.post(f"/reviews/{review['id']}/undo", json={"version": 1}).json()["review"]
        assert back["expires"] > review["expires"]
        owner.post(f"/reviews/{review['id']}/redo", json={"version": 2})
        assert _holds(folder, MARK)
    time.sleep(2)
    with serving(folder) as (_, _owner):
        until = time.monotonic() + 20
        while _holds(folder, MARK) and time.monotonic() < until:
            time.sleep(0.1)
        assert not _holds(folder, MARK)
        assert _holds(folder, "This stays.")


def test_nothing_of_a_document_is_in_logs_or_addresses(server: Server, ana: httpx.Client) -> None:
    review = new_review(ana, f"{MARK}.txt", f"{MARK} wrote.", find=[{"terms": [MARK]}])["id"]
    ana.get(f"/reviews/{review}/state", params={"q": MARK})
    decide(ana, review, 0, kind="note", note=MARK)
    ana.post(f"/reviews/{review}/preview", json={"text": MARK})
    ana.post(f"/reviews/{review}/decisions", json={"version": 0, "decision": {"kind": MARK}})
    ana.get(f"/{MARK}")
    said = server.said()
    assert "/reviews/{id}/state 200" in said
    assert MARK not in said
    assert review not in said
    assert MARK not in ana.get("/reviews").request.url.path
    assert all(not re.search(r"[?&]", line) for line in said.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        {"document": {"name": MARK, "data": "!" + MARK}},
        {"document": {"name": f"{MARK}.xyz", "data": base64.b64encode(MARK.encode()).decode()}},
        {MARK: 1},
        {"document": {"name": "a.txt", "data": ""}, MARK: 1},
        {"document": {"name": "a.txt", "data": "", MARK: 1}},
        {"document": {"name": "a.txt", "data": ""}, "policy": {"keep": {"values": {MARK: [""]}}}},
        {"document": {"name": "a.txt", "data": ""}, "policy": {"operators": {"labels": {MARK: MARK}}}},
        {"document": {"name": "a.txt", "data": ""}, "policy": {"find": [{"label": MARK, "terms": []}]}},
    ],
)
def test_errors_do_not_quote(ana: httpx.Client, body: object) -> None:
    refused = ana.post("/reviews", json=body)
    assert 400 <= refused.status_code < 500
    assert set(refused.json()) == {"error"}
    assert MARK not in refused.text


def test_errors_about_decisions_do_not_quote(ana: httpx.Client) -> None:
    review = new_review(ana, "a.txt", f"{MARK} wrote.")["id"]
    for decision in (
        {"kind": MARK},
        {"kind": "note", "note": "", MARK: 1},
        {"kind": "strength", "secret": MARK, "k": 1},
    ):
        refused = decide(ana, review, 0, **decision)
        assert refused.status_code == 422
        assert MARK not in refused.text
    assert ana.get(f"/reviews/{review}/slider/{MARK}").status_code == 422


# A hostile document

HOSTILE = """<html><head><script>alert(1)</script><title><img src=x onerror=alert(2)></title></head>
<body onload="alert(3)"><p>Quorndon &lt;script&gt;alert(4)&lt;/script&gt; met <b onclick="alert(5)">Ana</b></p>
<svg><script>alert(6)</script></svg><iframe src="javascript:alert(7)"></iframe></body></html>"""


def test_a_hostile_document_is_data_everywhere(ana: httpx.Client) -> None:
    """Script in a page, in names, in notes: answered as JSON or as a download, and never as something that runs."""
    name = "<img src=x onerror=alert(8)>.html"
    review = new_review(ana, name, HOSTILE, find=[{"terms": [MARK]}])["id"]
    note = "</script><script>alert(9)</script>"
    assert decide(ana, review, 0, kind="note", note=note).status_code == 200
    for path in ("", "/document", "/overview", "/state", "/decisions"):
        answer = ana.get(f"/reviews/{review}{path}")
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"
    job = ended(ana, ana.post(f"/reviews/{review}/release", json={"version": 1, "accept": note}))
    assert job["result"]["released"], job
    for part in job["result"]["files"]:
        answer = ana.get(f"/reviews/{review}/release/{part}")
        assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        assert b"alert(1)" not in answer.content
        assert b"onclick" not in answer.content
        if part.endswith("html"):
            assert not re.search(rb"<script|onerror|<img src=x", answer.content)


def test_a_name_looks_like_what_it_is(ana: httpx.Client) -> None:
    """Signs that turn letters around would show a page as plain text; without them the name tells the format."""
    made = new_review(ana, "report\u202etxt.\u2066html\n", "<p>Quorndon</p>")
    assert (made["name"], made["format"]) == ("reporttxt.html", "html")
    unseen = ana.post("/reviews", json={"document": upload("\u202e\u2066", "Quorndon")})
    assert unseen.status_code == 422


def test_no_route_was_forgotten(tmp_path: Path) -> None:
    """What the application can answer is in its schema, but for the page, its parts and the schema itself."""
    service = Service(Settings(tmp_path / "data"))
    try:
        told = set(service.api.openapi()["paths"])
        known = {getattr(route, "path", "") for route in service.api.routes}
        assert {path for path in known if path.startswith(PREFIX)} - told <= {f"{PREFIX}/openapi.json"}
        assert {path for path in known if not path.startswith(PREFIX)} <= {"/", "/pages", ""}
    finally:
        service.engine.dispose()
