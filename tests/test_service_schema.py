"""The schema of the service against the service: schemathesis asks a real server whatever the schema allows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.service_server import API, Server, add_person, ended, new_review, upload

PROJECT = Path(__file__).resolve().parent.parent
TEXT = "Ada wrote to Charles 😀 from London, and Charles wrote back to Ada.\n"


@pytest.mark.slow
def test_nothing_that_is_asked_makes_a_server_error(tmp_path: Path) -> None:
    """With ids of things that are there, so that requests get past the door."""
    token = add_person(tmp_path / "data", "ana")
    with Server(tmp_path / "data", "--log") as server:
        client = server.client(token)
        review = new_review(client, "a.txt", TEXT, find=[{"terms": ["Ada"]}], detection={"labels": ["direct"]})["id"]
        term = client.get(f"/reviews/{review}/overview").json()["terms"][0]["id"]
        files = [upload(f"{n}.txt", f"{word} ship {word}") for n, word in enumerate(["red", "blue"] * 3)]
        labels = [{"c": "warm"}, {"c": "cold"}] * 3
        new = {"name": "m", "files": files, "classes": labels, "secret": "c", "holdout": 0}
        model = ended(client, client.post("/models", json=new))["result"]["made"]
        corpus = ended(client, client.post("/corpora", json={"name": "c", "files": files}))["result"]["made"]
        config = tmp_path / "schemathesis.toml"
        config.write_text(_config({"reviews": (review, term), "models": (model, ""), "corpora": (corpus, "")}))
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)]
        run = subprocess.run(
            [
                *command,
                "run",
                f"{server.url}{API}/openapi.json",
                "-H",
                f"Authorization: Bearer {token}",
                "--exclude-method",
                "DELETE",
                "--checks",
                "not_a_server_error,content_type_conformance,response_schema_conformance",
                "--phases",
                "fuzzing",
                "--max-examples",
                "8",
                "--generation-deterministic",
                "--no-color",
            ],
            capture_output=True,
            text=True,
            timeout=900,
            cwd=tmp_path,
        )
        assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
        said = server.said()
        for route in ("state 200", "preview 200", "slider/{secret} 4", "terms/{term} 200", "decisions 409"):
            assert f"/reviews/{{id}}/{route}" in said, route
        assert "/models/{id}/test 200" in said
        assert httpx.get(f"{server.url}{API}/health").status_code == 200


def _config(ids: dict[str, tuple[str, str]]) -> str:
    tables = []
    for kind, (id, term) in ids.items():
        parameters = f'{{ id = "{id}", term = "{term}", secret = "0" }}' if term else f'{{ id = "{id}" }}'
        tables.append(f'[[operations]]\ninclude-path-regex = "/{kind}/"\nparameters = {parameters}\n')
    return "\n".join(tables)


def test_every_answer_has_a_schema(tmp_path: Path) -> None:
    from withhold.service.app import Service
    from withhold.service.settings import Settings

    service = Service(Settings(tmp_path / "data"))
    try:
        schema = service.api.openapi()
    finally:
        service.engine.dispose()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
            assert good, (method, path)
            assert all(
                "$ref" in str(answer.get("content", "$ref")) or "event-stream" in str(answer) or path.endswith("{part}")
                for answer in good
            ), (method, path)
