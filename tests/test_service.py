"""The service: reviews and their log, jobs, models, over HTTP to a real server."""

from __future__ import annotations

import contextlib
import gc
import json
import weakref
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import withhold
from tests.fixtures.pdf_files import plain
from tests.service_server import (
    POSTGRESQL,
    Cluster,
    Server,
    add_person,
    decide,
    ended,
    new_review,
    serving,
    upload,
)
from withhold.batch.one import reveal_file
from withhold.operators.pseudonymise import make_key
from withhold.service.app import Service
from withhold.service.schemas.common import Upload
from withhold.service.schemas.reviews import NewReview
from withhold.service.settings import Settings

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
LETTER = (EXAMPLES / "letter.txt").read_bytes()
TEXT = "Ada Lovelace wrote to Charles Babbage 😀 from London. Ada waited for him.\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, dict[str, httpx.Client]]]:
    """One server, its owner and two more people; with either database."""
    folder = tmp_path_factory.mktemp("service") / "data"
    with contextlib.ExitStack() as stack:
        options: tuple[str, ...] = ()
        if request.param == "postgresql":
            if POSTGRESQL is None:
                pytest.skip("PostgreSQL is not installed")
            options = ("--database", stack.enter_context(Cluster()).url)
        tokens = {name: add_person(folder, name, *options) for name in ("ana", "bo")}
        server, owner = stack.enter_context(serving(folder, *options))
        yield server, {"owner": owner, **{name: server.client(token) for name, token in tokens.items()}}


@pytest.fixture
def ana(shared: tuple[Server, dict[str, httpx.Client]]) -> httpx.Client:
    return shared[1]["ana"]


@pytest.fixture
def bo(shared: tuple[Server, dict[str, httpx.Client]]) -> httpx.Client:
    return shared[1]["bo"]


NAMES = {"find": [{"label": "NAME", "terms": ["Lovelace", "Babbage"]}]}


def test_a_review_from_upload_to_release(ana: httpx.Client) -> None:
    review = new_review(ana, "letter.txt", TEXT, **NAMES)
    path = f"/reviews/{review['id']}"
    document = ana.get(f"{path}/document").json()
    assert document["text"] == TEXT
    assert document["words"] == 12
    found = ana.get(f"{path}/overview").json()["findings"]
    assert [TEXT[each["span"]["start"] : each["span"]["end"]] for each in found] == ["Lovelace", "Babbage"]

    london = {"start": TEXT.index("London"), "end": TEXT.index("London") + 6}
    decided = decide(ana, review["id"], 0, kind="term", action="remove", spans=[london], scope="here", note="a place")
    assert decided.status_code == 200, decided.text
    assert decided.json()["review"]["version"] == 1
    rejected = decide(ana, review["id"], 1, kind="finding", accept=False, spans=[found[1]["span"]])
    assert rejected.json()["numbers"] == [1, 2]
    now = "".join(piece["text"] for piece in rejected.json()["state"]["pieces"])
    assert now == TEXT.replace("Lovelace", "[REDACTED]").replace("London", "[REDACTED]")

    job = ended(ana, ana.post(f"{path}/release", json={"version": 2}))
    assert job["status"] == "done"
    assert job["result"]["released"]
    released = ana.get(f"{path}/release/file")
    assert released.text == now
    assert "letter.redacted.txt" in released.headers["content-disposition"]
    audit = ana.get(f"{path}/release/audit.json").json()
    assert audit["edition"] == "internal"
    assert "Lovelace" not in ana.get(f"{path}/release/release.html").text
    assert ana.get(path).json()["status"] == "released"
    checked = ana.post(
        "/verify",
        json={
            "document": upload("letter.txt", released.content),
            "audit": upload("a.json", json.dumps(audit)),
            "source": upload("letter.txt", TEXT),
        },
    ).json()
    assert checked["holds"]
    assert len(checked["checks"]) > 5


def test_printed_pages_stand_beside_the_text(ana: httpx.Client, bo: httpx.Client) -> None:
    data = plain(["Ada Lovelace wrote to Charles Babbage.", "He was out."])
    path = (
        f"/reviews/{new_review(ana, 'letter.pdf', data, find=[{'label': 'PERSON', 'terms': ['Ada Lovelace']}])['id']}"
    )
    document = ana.get(f"{path}/document").json()
    prints = ana.get(f"{path}/prints").json()
    assert document["paged"]
    assert prints["pages"] == 1
    written = [document["text"][word["span"]["start"] : word["span"]["end"]] for word in prints["words"]]
    assert written == ["Ada", "Lovelace", "wrote", "to", "Charles", "Babbage", "He", "was", "out"]
    tops = [word["box"]["top"] for word in prints["words"]]
    assert tops[0] == tops[5] < tops[6]
    picture = ana.get(f"{path}/pages/1.png")
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")
    assert ana.get(f"{path}/pages/2.png").status_code == 422
    assert bo.get(f"{path}/pages/1.png").status_code == bo.get(f"{path}/prints").status_code == 404
    flat = f"/reviews/{new_review(ana, 'letter.txt', TEXT)['id']}"
    assert not ana.get(f"{flat}/document").json()["paged"]
    assert ana.get(f"{flat}/prints").json() == {"pages": 0, "words": []}
    assert ana.get(f"{flat}/pages/1.png").status_code == 422


def test_reading_tells_how_far_it_is(ana: httpx.Client) -> None:
    job = ana.post("/reviews/readings", json={"document": upload("letter.pdf", plain(["Ada wrote."]))})
    done = ended(ana, job)
    assert done["kind"] == "read"
    assert ana.get(f"/reviews/{done['result']['made']}/document").json()["text"].strip() == "Ada wrote."
    failed = ended(ana, ana.post("/reviews/readings", json={"document": upload("letter.pdf", b"%PDF-1.4 nothing")}))
    assert (failed["status"], failed["error"]["kind"]) == ("failed", "DamagedDocument")


def test_free_text_is_stored_as_replacements_of_the_source(ana: httpx.Client) -> None:
    review = new_review(ana, "letter.txt", TEXT, **NAMES)["id"]
    shown = "".join(piece["text"] for piece in ana.get(f"/reviews/{review}/state").json()["state"]["pieces"])
    edited = shown.replace("😀 from London", "from a city")
    preview = ana.post(f"/reviews/{review}/preview", json={"text": edited}).json()
    assert ana.get(f"/reviews/{review}").json()["version"] == 0
    for decision in ({"text": edited}, {"replacements": preview["decision"]["replacements"]}):
        version = ana.get(f"/reviews/{review}").json()["version"]
        after = decide(ana, review, version, kind="text", **decision).json()
        assert "".join(piece["text"] for piece in after["state"]["pieces"]) == edited
        ana.post(f"/reviews/{review}/undo", json={"version": version + 1})


def test_undo_and_redo_are_lines_of_the_log(ana: httpx.Client) -> None:
    review = new_review(ana, "letter.txt", TEXT, **NAMES)["id"]
    before = ana.get(f"/reviews/{review}/state").json()["state"]
    span = {"start": 0, "end": 3}
    after = decide(ana, review, 0, kind="term", action="remove", spans=[span]).json()["state"]
    assert after["pieces"] != before["pieces"]
    undone = ana.post(f"/reviews/{review}/undo", json={"version": 1}).json()
    assert undone["state"] == before
    assert (undone["review"]["undoes"], undone["review"]["redoes"]) == (None, 1)
    assert ana.post(f"/reviews/{review}/undo", json={"version": 2}).json()["error"]["kind"] == "NothingToUndo"
    redone = ana.post(f"/reviews/{review}/redo", json={"version": 2}).json()
    assert redone["state"] == after
    log = ana.get(f"/reviews/{review}/decisions").json()
    assert [line["kind"] for line in log["lines"]] == ["term", "undo", "redo"]
    assert [line["counts"] for line in log["lines"]] == [True, False, False]
    assert {line["who"] for line in log["lines"]} == {"ana"}


def test_two_tabs_on_one_review(ana: httpx.Client) -> None:
    review = new_review(ana, "letter.txt", TEXT, **NAMES)["id"]
    first = decide(ana, review, 0, kind="note", note="from one tab")
    second = decide(ana, review, 0, kind="note", note="from the other")
    assert (first.status_code, second.status_code) == (200, 409)
    conflict = second.json()
    assert "not stored" in conflict["error"]["message"]
    assert conflict["current"]["review"]["version"] == 1
    assert decide(ana, review, conflict["current"]["review"]["version"], kind="note", note="again").status_code == 200
    notes = [line["decision"]["note"] for line in ana.get(f"/reviews/{review}/decisions").json()["lines"]]
    assert notes == ["from one tab", "again"]


def test_a_policy_can_change_and_change_back(ana: httpx.Client) -> None:
    review = new_review(ana, "letter.txt", TEXT, **NAMES)["id"]
    found = ana.get(f"/reviews/{review}/overview").json()["findings"]
    kept = decide(ana, review, 0, kind="finding", accept=False, spans=[found[0]["span"]]).json()
    path = f"/reviews/{review}/policy"
    changed = ana.put(path, json={"version": 1, "policy": {"find": [{"terms": ["London"]}]}}).json()
    assert changed["numbers"] == []
    assert "".join(piece["text"] for piece in changed["state"]["pieces"]) == TEXT.replace("London", "[REDACTED]")
    back = ana.post(f"/reviews/{review}/undo", json={"version": 2}).json()
    assert back["state"] == kept["state"]
    wrong = ana.put(path, json={"version": 3, "policy": {"detection": {"labels": ["NOSUCH"]}}})
    assert wrong.status_code == 422
    assert ana.get(f"/reviews/{review}").json()["version"] == 3


def test_a_policy_whose_model_is_gone_is_said_to_be_and_can_be_changed(ana: httpx.Client) -> None:
    files = [upload(f"{number}.txt", f"{word} ship") for number, word in enumerate(["red", "blue"] * 3)]
    classes = [{"colour": "warm"}, {"colour": "cold"}] * 3
    new = {"name": "colours", "files": files, "classes": classes, "secret": "colour", "holdout": 0}
    model = ended(ana, ana.post("/models", json=new))["result"]["made"]
    secret = {"name": "colour", "model": "concepts", "fitted": model, "attribute": "colour", "value": "warm"}
    review = new_review(ana, "a.txt", "A red ship.\n", secrets=[secret])["id"]
    assert ana.delete(f"/models/{model}").status_code == 204
    for answer in (ana.get(f"/reviews/{review}/document"), decide(ana, review, 0, kind="note", note="x")):
        assert (answer.status_code, answer.json()["error"]["kind"]) == (404, "NotOnTheShelf")
        assert "model" in answer.json()["error"]["message"]
    policy = ana.get(f"/reviews/{review}/policy").json()
    assert policy["secrets"][0]["fitted"] == model
    assert ana.put(f"/reviews/{review}/policy", json={"version": 0, "policy": {}}).status_code == 200
    undone = ana.post(f"/reviews/{review}/undo", json={"version": 1})
    assert undone.json()["error"]["kind"] == "NotOnTheShelf"
    assert ana.get(f"/reviews/{review}").json()["version"] == 1


def test_a_second_person_approves(shared: tuple[Server, dict[str, httpx.Client]]) -> None:
    ana, bo, owner = (shared[1][name] for name in ("ana", "bo", "owner"))
    review = new_review(ana, "letter.txt", TEXT, **NAMES)["id"]
    path = f"/reviews/{review}"
    assert bo.get(path).status_code == 404
    shared_with = ana.put(f"{path}/reviewers", json={"reviewers": ["bo"]})
    assert shared_with.json()["reviewers"] == ["bo"]
    assert bo.get(path).status_code == 200
    assert owner.get(path).status_code == 404
    assert ana.post(f"{path}/approval", json={"version": 0}).json()["error"]["kind"] == "NotASecondPerson"
    assert decide(bo, review, 0, kind="term", action="remove", spans=[{"start": 0, "end": 3}]).status_code == 200
    assert bo.post(f"{path}/approval", json={"version": 1}).json()["error"]["kind"] == "NotASecondPerson"
    approved = ana.post(f"{path}/approval", json={"version": 1}).json()["review"]
    assert (approved["status"], approved["approved_by"]) == ("approved", "ana")
    assert (
        decide(ana, review, 2, kind="term", action="keep", spans=[{"start": 0, "end": 3}]).json()["review"]["status"]
        == "open"
    )
    assert bo.delete(path).status_code == 403
    assert bo.put(f"{path}/reviewers", json={"reviewers": []}).status_code == 403
    assert ana.put(f"{path}/reviewers", json={"reviewers": ["nobody"]}).status_code == 422
    soon = {"version": 3, "policy": {**NAMES, "days": 0.00001}}
    assert bo.put(f"{path}/policy", json=soon).json()["error"]["kind"] == "NotTheOwner"
    assert bo.put(f"{path}/policy", json={"version": 3, "policy": NAMES}).status_code == 200


def test_a_release_waits_for_approval_where_that_is_asked_for(tmp_path: Path) -> None:
    token = add_person(tmp_path / "data", "bo")
    with serving(tmp_path / "data", "--approval") as (server, owner):
        bo = server.client(token)
        assert owner.get("/about").json()["approval"]
        review = new_review(owner, "letter.txt", TEXT, **NAMES)["id"]
        refused = owner.post(f"/reviews/{review}/release", json={"version": 0})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (409, "NotApproved")
        owner.put(f"/reviews/{review}/reviewers", json={"reviewers": ["bo"]})
        bo.post(f"/reviews/{review}/approval", json={"version": 0})
        assert ended(owner, owner.post(f"/reviews/{review}/release", json={"version": 1}))["result"]["released"]


def test_what_is_undecided_is_left_only_if_that_is_said(ana: httpx.Client) -> None:
    page = (EXAMPLES / "page.html").read_bytes()
    path = f"/reviews/{new_review(ana, 'page.html', page, detection={'labels': ['all']})['id']}"
    waiting = ana.get(f"{path}/state").json()["state"]["undecided"]
    assert waiting
    refused = ana.post(f"{path}/release", json={"version": 0})
    assert (refused.status_code, refused.json()["error"]["kind"]) == (409, "Undecided")
    assert str(len(waiting)) in refused.json()["error"]["message"]
    asked = {"version": 0, "leave_undecided": True}
    result = ended(ana, ana.post(f"{path}/release", json=asked))["result"]
    assert (result["released"], result["undecided"]) == (True, len(waiting))
    public = ana.get(f"{path}/release/release.json").json()
    assert public["doubtful"] is True
    assert "may have been names" in ana.get(f"{path}/release/release.html").text

    decided = ana.post(
        f"{path}/decisions",
        json={
            "version": ana.get(path).json()["version"],
            "decision": {"kind": "finding", "accept": False, "spans": waiting},
        },
    ).json()
    assert decided["state"]["undecided"] == []
    version = decided["review"]["version"]
    result = ended(ana, ana.post(f"{path}/release", json={"version": version}))["result"]
    assert (result["released"], result["undecided"]) == (True, 0)
    assert not ana.get(f"{path}/release/release.json").json().get("doubtful")


def test_what_does_not_hold_is_released_only_with_a_reason(ana: httpx.Client) -> None:
    """The person keeps a word that the attack `inspector` finds: the gate says no, and a reason is logged."""
    records = "\n".join(
        json.dumps({"text": f"The harbour of {town} has cranes and {thing}.", "town": town})
        for number in range(12)
        for town, thing in (
            ("Wexcombe", "a red lantern"),
            ("Tarnmouth", "old granite piers"),
            ("Ostrava", "coal barges"),
        )
    )
    new = {"name": "towns", "files": [upload("towns.jsonl", records)], "secret": "town", "holdout": 0}
    model = ended(ana, ana.post("/models", json=new))["result"]["made"]
    secret = {"name": "the town", "fitted": model, "attribute": "town", "value": "Wexcombe", "k": 2}
    review = new_review(ana, "a.txt", "The harbour has a red lantern and cranes.\n", secrets=[secret])["id"]
    refused = ended(ana, ana.post(f"/reviews/{review}/release", json={"version": 0}))
    assert refused["error"] is None
    assert not refused["result"]["released"]
    assert refused["result"]["files"] == []
    assert ana.get(f"/reviews/{review}/release").status_code == 404
    assert ana.get(f"/reviews/{review}").json()["version"] == 0
    accepted = ana.post(f"/reviews/{review}/release", json={"version": 0, "accept": "the reader knows the town"})
    result = ended(ana, accepted)["result"]
    assert (result["released"], result["holds"]) == (True, False)
    assert "release.html" not in result["files"]
    assert ana.get(f"/reviews/{review}/release").json()["accepted"] == "the reader knows the town"
    assert ana.get(f"/reviews/{review}/release/release.html").status_code == 404


def test_models_and_corpora(ana: httpx.Client, bo: httpx.Client) -> None:
    documents = (EXAMPLES / "clients" / "documents.jsonl").read_bytes()
    new = {"name": "clients", "files": [upload("d.jsonl", documents)], "secret": "client", "keep": ["industry"]}
    begun = ana.post("/models", json=new)
    with ana.stream("GET", f"/jobs/{begun.json()['id']}/events") as events:
        told = [json.loads(line.removeprefix("data: ")) for line in events.iter_lines() if line.startswith("data: ")]
    assert told[-1]["status"] == "done"
    assert {"waiting for a free worker", "fitting attackers"} & {each["doing"] for each in told}
    assert [each["progress"] for each in told] == sorted(each["progress"] for each in told)
    model = ana.get(f"/models/{told[-1]['result']['made']}").json()
    assert [concept["attribute"] for concept in model["concepts"]] == ["client", "industry"]
    assert all(each["words"] for concept in model["concepts"] for each in concept["classes"])
    loudest = model["concepts"][0]["classes"][0]
    tested = ana.post(f"/models/{model['id']}/test", json={"text": " ".join(loudest["words"])}).json()
    assert tested["standings"][0]["name"] == loudest["name"]
    assert tested["words"][0]["towards"] == loudest["name"]

    archive = (EXAMPLES / "archive.jsonl").read_bytes()
    built = ended(ana, ana.post("/corpora", json={"name": "archive", "files": [upload("archive.jsonl", archive)]}))
    corpus = ana.get(f"/corpora/{built['result']['made']}").json()
    assert corpus["documents"] == 180
    hit = ana.post(f"/corpora/{corpus['id']}/search", json={"query": "the harbour fair"}).json()["hits"][0]
    assert hit["document"].startswith("uploads/archive.jsonl#")
    counted = ana.post(f"/corpora/{corpus['id']}/count", json={"terms": ["harbour", "fair"]}).json()
    assert 0 < counted["documents_with_all"] <= min(counted["documents"]) <= counted["of_documents"]

    for path in (f"/models/{model['id']}", f"/corpora/{corpus['id']}"):
        assert bo.get(path).status_code == 404
        assert bo.delete(path).status_code == 404
        assert ana.delete(path).status_code == 204
        assert ana.get(path).status_code == 404


def test_a_model_of_single_documents(ana: httpx.Client) -> None:
    files = [
        upload(f"{number}.txt", f"{word} and the ship, and {word} again")
        for number, word in enumerate(["red", "blue"] * 3)
    ]
    classes = [{"colour": "warm"}, {"colour": "cold"}] * 3
    made = ended(
        ana,
        ana.post(
            "/models", json={"name": "colours", "files": files, "classes": classes, "secret": "colour", "holdout": 0}
        ),
    )
    assert made["status"] == "done", made
    assert ana.get(f"/models/{made['result']['made']}").json()["documents"] == 6
    wrong = ended(
        ana, ana.post("/models", json={"name": "x", "files": files, "classes": classes[:2], "secret": "colour"})
    )
    assert (wrong["status"], wrong["error"]["kind"]) == ("failed", "MalformedData")
    table = [upload("towns.csv", "text,town\na ship,Wexcombe\n")]
    wrong = ended(ana, ana.post("/models", json={"name": "x", "files": table, "secret": "colour"}))
    assert wrong["error"]["message"] == "towns.csv, line 1: no 'colour'; there are: 'text', 'town'"


def test_jobs_are_cancelled(ana: httpx.Client, bo: httpx.Client) -> None:
    records = "\n".join(
        json.dumps({"text": f"word{number} and more words", "town": f"t{number % 2000}"}) for number in range(60_000)
    )
    job = ana.post("/models", json={"name": "large", "files": [upload("l.jsonl", records)], "secret": "town"})
    path = f"/jobs/{job.json()['id']}"
    assert bo.get(path).status_code == 404
    assert bo.delete(path).status_code == 404
    assert ana.delete(path).status_code == 204
    assert ended(ana, job)["status"] == "cancelled"
    assert "large" not in [each["name"] for each in ana.get("/models").json()["made"]]


def test_a_desk_that_is_let_go_of_is_freed(tmp_path: Path) -> None:
    """At once, and not when garbage is looked for."""
    service = Service(Settings(tmp_path / "data", desks=1))
    seen = []
    gc.disable()
    try:
        for _ in range(2):
            upload = Upload.model_construct(name="letter.txt", data=TEXT.encode())
            record = service.reviewing.create("ana", NewReview(document=upload))
            with service.reviewing.desk(record) as desk:
                seen.append(weakref.ref(desk))
                desk.state()
            del desk
        first, second = seen
        assert first() is None
        assert second() is not None
    finally:
        gc.enable()
        service.quick.end()
        service.engine.dispose()


def test_the_verbs(ana: httpx.Client) -> None:
    given = {"document": upload("letter.txt", LETTER), "policy": {"detection": {"labels": ["PERSON", "SSN"]}}}
    found = ana.post("/detect", json=given).json()
    assert {each["label"] for each in found["findings"]} == {"PERSON", "SSN"}
    planned = ana.post("/plan", json=given).json()
    redactor = withhold.Redactor(withhold.Policy(detection=withhold.Detection(labels=("PERSON", "SSN"))))
    same = redactor.read(LETTER, name="letter.txt")
    assert found["findings"] == [each.to_json() for each in redactor.detect(same)]
    assert planned["edits"] == [each.to_json() for each in redactor.plan_for(same).edits]
    redacted = ended(ana, ana.post("/redact", json=given))["result"]
    assert redacted["removed"] == {
        label: sum(each["label"] == label for each in planned["edits"]) for label in ("PERSON", "SSN")
    }
    attacked = ended(ana, ana.post("/attack", json={"document": {"name": "letter.txt", "data": redacted["data"]}}))
    assert attacked["result"]["outcomes"]
    hidden = ana.post("/inspect", json={"document": upload("memo.docx", (EXAMPLES / "memo.docx").read_bytes())}).json()
    assert any(each["kind"].startswith("property") for each in hidden["hidden"])
    assert (
        ana.post("/score", json={"original": given["document"], "edited": given["document"], "policy": {}}).status_code
        == 422
    )


def test_a_policy_of_the_server_with_a_key(tmp_path: Path) -> None:
    """Keyed pseudonyms: what the key undoes is in a ledger beside the release, and the key stays where it is."""
    (tmp_path / "names.txt").write_text("Lovelace\nBabbage\n")
    policy = (
        '[[find]]\nlabel = "NAME"\nlists = ["names.txt"]\n[operators]\ndefault = "pseudonymise"\nkey = "secret.key"\n'
    )
    (tmp_path / "office.toml").write_text(policy)
    make_key(tmp_path / "secret.key")
    with serving(tmp_path / "data", "--policy", str(tmp_path / "office.toml")) as (_, owner):
        assert owner.get("/about").json()["policies"] == ["office"]
        review = new_review(owner, "letter.txt", TEXT, base="office")["id"]
        result = ended(owner, owner.post(f"/reviews/{review}/release", json={"version": 0}))["result"]
        assert "ledger" in result["files"]
        path = f"/reviews/{review}/release"
        (tmp_path / "out.txt").write_bytes(owner.get(f"{path}/file").content)
        (tmp_path / "out.ledger.json").write_bytes(owner.get(f"{path}/ledger").content)
    assert "Lovelace" not in (tmp_path / "out.txt").read_text()
    ledger, key = tmp_path / "out.ledger.json", tmp_path / "secret.key"
    assert reveal_file(tmp_path / "out.txt", tmp_path / "back.txt", withhold.Policy(), ledger, key) == 2
    assert (tmp_path / "back.txt").read_text() == TEXT
