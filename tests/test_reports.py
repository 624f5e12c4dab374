"""Reports: what both editions hold, what the releasable one can never hold, the page, the log, and checking again."""

from __future__ import annotations

import dataclasses
import hashlib
import html.parser
import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.marked_notes import notes
from tests.test_cli import Withhold, withhold  # noqa: F401  (a fixture)
from withhold import Components, Detection, Find, Operators, OutputError, Policy, Redactor, Report
from withhold.batch import verify as again
from withhold.batch.redact import Job, TellAgain, save
from withhold.batch.verify import Check
from withhold.codec import Value
from withhold.errors import MalformedData
from withhold.fit.greedy import Costs, fit_sieve
from withhold.reports import log, provenance
from withhold.reports.editions import editions, names
from withhold.reports.html import BANNER, page
from withhold.reports.release import STEP, VARIANTS, Release, Tried, Watched, at_least
from withhold.reports.report import Bound
from withhold.reports.style import STYLE
from withhold.spans import Span
from withhold.types import Edit, Finding, Ledger, Notice, Outcome, Plan, Risk, Verification

SECRET = "Kwiatkowski"
DIGEST = "0123456789abcdef" * 4


def make(said: str = "client", **changes: Any) -> Report:
    """A report with a bit of everything; `said` is in every place where people or plugins can put words."""
    edits = tuple(Edit(Span(9 * n, 9 * n + len(said) % 8 + 1), "mask", said, said, n, said) for n in range(3))
    risks = (
        Risk(said, "concepts", 1.0, 1 / 7, 0.2, notes=(said,)),
        Risk(f"{said} 2", "information", 0.31, 0.02, 0.05, measure="share"),
    )
    outcomes = (
        Outcome("concept:svm", said, 0.18, 0.0, (0.0, 0.793), 1, said, 1.0),
        Outcome(f"concept:{said}", said, 0.18, 0.0, (0.0, 0.793), 1, said, 1.0),
        Outcome(said, f"{said} 2", 0.374, 0.41, (0.29, 0.54), 58, said, 0.83),
        Outcome("linkage", said, 0.0, 0.0, (0.0, 1.0), 0, f"not tried: {said}"),
    )
    values: dict[str, Any] = {
        "policy": hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
        "plan": Plan(edits, said, risks, 0.9, said, (Finding(Span(1, 2), said, said),), said),
        "source": hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
        "result": DIGEST,
        "verification": Verification(("read back", said), len(said), 231),
        "notices": (Notice(said, "removed", len(said)), Notice(said, "kept unexamined", 2)),
        "outcomes": outcomes,
        "versions": {"withhold": "0.1.0", "numpy": f"2.0+{len(said)}.{said}", said: "1"},
        "format": said,
        "bounds": {
            provenance.LEFT: Bound(0.018, 0.95, said, "wilson", {"left": 21, "of": 1840}),
            said: Bound(0.5, 0.5, said),
        },
        "inputs": {**provenance.shipped(), said: said, "detection.fitted": said},
        "seeds": {said: len(said)},
        "rounds": len(said),
    }
    return Report(**{**values, **changes})


VALUES: list[Value] = [
    make(SECRET),
    make(SECRET).releasable(),
    Bound(0.1, 0.95, "says", "wilson", {"left": 1.0, "of": 10.0}),
    Watched(1, "concepts", "rank", 0.2, True),
    Tried("concept:svm", 1, 0.2, None, 0.0, (0.0, 0.8), 1),
    log.Entry(1, "2026-01-01T00:00:00+00:00", "redacted", log.START, "a.audit.json", DIGEST, DIGEST, "0.1.0"),
    log.Chain((), (log.Flaw(1, "torn"),), (), DIGEST),
    Check("digest of the file", "fails", "another one"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_json_both_ways(value: Value) -> None:
    assert type(value).from_json(json.loads(json.dumps(value.to_json()))) == value


def test_digests_that_tell_are_in_no_repr() -> None:
    report = make()
    assert report.source not in repr(report)
    assert report.policy not in repr(report)


# --- what a report holds -------------------------------------------------------------------------------------------


def test_a_report_tells_what_was_done_by_what(tmp_path: Path) -> None:
    (tmp_path / "clients.txt").write_text(f"{SECRET}\n")
    (tmp_path / "memo.txt").write_text(f"Dear {SECRET}, the board of Acme met.\n")
    policy = Policy(find=(Find(label="CLIENT", lists=("clients.txt",)),), folder=str(tmp_path))
    redactor = Redactor(policy)
    report = redactor.audit(redactor.redact(tmp_path / "memo.txt"))
    assert report.inputs["find 1, list 1"] == hashlib.sha256(f"{SECRET}\n".encode()).hexdigest()
    assert {"python", "withhold", "numpy", "lxml"} <= report.versions.keys()
    assert any(name.endswith("tagger.onnx") for name in report.inputs)
    assert (report.format, report.rounds, report.seeds) == ("txt", 0, {"planning.seed": 0})
    assert (report.standing, report.bounds) == ("ready", {})
    assert SECRET.encode() not in report.to_bytes() + page(report)
    assert redactor.audit(redactor.redact(tmp_path / "memo.txt")).to_bytes() == report.to_bytes()


@pytest.mark.parametrize(
    ("change", "standing"),
    [
        ({}, "look"),
        ({"outcomes": (Outcome("hidden", "client", 0.0, 1.0, (0.2, 1.0), 1, wins=True),)}, "fails"),
        ({"plan": Plan((), risks=(Risk("client", "concepts", 1.0, 0.5, 0.2),)), "outcomes": ()}, "fails"),
        ({"plan": Plan(()), "outcomes": (), "notices": ()}, "ready"),
        ({"plan": Plan(()), "outcomes": ()}, "look"),
        ({"plan": Plan((), risks=(Risk("client", "concepts", 1.0, 0.1, 0.2),)), "outcomes": (), "notices": ()}, "look"),
    ],
)
def test_a_report_says_whether_to_release(change: dict[str, Any], standing: str) -> None:
    report = make(**change)
    assert report.standing == standing
    assert f'class="verdict {standing}"'.encode() in page(report)
    assert report.holds == (standing != "fails")


def test_numbers_that_are_none_are_refused() -> None:
    plain = make().to_json()
    plain["outcomes"][0]["result"] = float("nan")
    with pytest.raises(MalformedData):
        Report.from_json(plain)


def test_a_fitted_detector_brings_its_bound(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in [_record(note) for note in notes(6)])
    )
    sieve = fit_sieve([tmp_path / "notes.jsonl"], tmp_path / "sieve", costs=Costs(10, 1))
    policy = Policy(detection=Detection(fitted="sieve"), folder=str(tmp_path))
    bound = provenance.bounds(policy)[provenance.LEFT]
    assert bound.value == max(sieve.description.residual_range[1], provenance.least(bound))
    assert provenance.least(bound) > sieve.description.residual_share
    listed = subprocess.run(
        "LC_ALL=C find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum",
        shell=True, cwd=tmp_path / "sieve", capture_output=True, text=True,
    )  # fmt: skip
    assert provenance.inputs(policy)["detection.fitted"] == listed.stdout.split()[0]
    described = (tmp_path / "sieve" / "sieve.json").read_text()
    (tmp_path / "sieve" / "sieve.json").write_text(described.replace('"cost"', '"paper"'))
    assert provenance.bounds(policy) == {}  # It has judged itself.


def _record(note: Any) -> dict[str, Any]:
    spans = [{"start": each.span.start, "end": each.span.end, "label": each.label} for each in note.mentions]
    return {"text": note.text, "spans": spans}


# --- the releasable edition ----------------------------------------------------------------------------------------

hostile = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30) | st.sampled_from(
    [SECRET, "<script>alert(1)</script>", "svm\u202e", "../../etc", "%s{0}", "\x00", "'\"&", "a" * 300]
)


@settings(max_examples=40)
@given(hostile)
def test_nothing_that_anybody_wrote_is_in_the_releasable_edition(said: str) -> None:
    """Whatever people and plugins call things, and wherever and however long what was removed is: it is the same."""
    known = {*VARIANTS, *provenance.requirements(), "python", "withhold", "concept", "linkage", "txt", "read back"}
    if said not in known and said not in provenance.SAYS:
        neutral, release = make("zzzz").releasable(), make(said).releasable()
        assert release.to_bytes() == neutral.to_bytes()
        assert page(release) == page(neutral)


def test_what_the_releasable_edition_keeps() -> None:
    release = make(SECRET).releasable()
    assert release.result == DIGEST
    assert [each.attack for each in release.attacks] == ["concept:svm", "concept:2", "other:3", "linkage"]
    assert [each.secret for each in release.attacks] == [1, 1, 2, 1]
    assert release.attacks[2] == Tried("other:3", 2, 0.35, 0.85, 0.4, (0.25, 0.55), 50)
    assert [(each.model, each.ceiling, each.told_before) for each in release.secrets] == [
        ("concepts", 0.2, True),
        ("information", 0.05, True),
    ]
    assert release.bounds.keys() == {provenance.LEFT}
    assert release.versions == {"withhold": "0.1.0", "numpy": "other"}
    assert (release.checks, release.passages, release.unexamined, release.others) == (("read back",), 231, 2, 1)
    assert release.models == provenance.shipped()


@given(st.floats(0, 1), st.floats(0, 1))
def test_how_common_a_kind_is_among_what_is_gone_is_not_released(chance: float, ceiling: float) -> None:
    """It is what an attack on kinds gains by chance, and no ceiling is below it."""
    outcome = Outcome("mask_type", "kinds", chance, 0.0, (0.0, 0.2), 20)
    risk = Risk("kinds", "mask_type", 0.0, 0.0, ceiling, measure="share")
    release = make(plan=Plan((), risks=(risk,)), outcomes=(outcome,)).releasable()
    assert (release.attacks[0].baseline, release.secrets[0].ceiling) == (None, None)
    assert b"not told" in page(release)
    assert Release.from_bytes(release.to_bytes()) == release


@pytest.mark.parametrize(
    ("trials", "told"),
    [(0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (5, 5), (9, 5), (10, 10), (19, 10), (58, 50), (999, 500)],
)
def test_trials_are_told_in_steps(trials: int, told: int) -> None:
    assert at_least(trials) == told


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_rounding_is_outwards(low: float, high: float, result: float, before: float) -> None:
    low, high = min(low, high), max(low, high)
    outcome = Outcome("concept:svm", "client", 0.1, result, (low, high), 3, "", before)
    [tried] = make(outcomes=(outcome,)).releasable().attacks
    assert tried.interval[0] - 1e-9 <= low <= high <= tried.interval[1] + 1e-9
    assert abs(tried.result - result) <= STEP / 2 + 1e-9
    for share in (tried.result, tried.baseline or 0.0, tried.before or 0.0, *tried.interval):
        assert share / STEP == pytest.approx(round(share / STEP), abs=1e-9)


@pytest.mark.parametrize(
    "change",
    [
        {"outcomes": (Outcome("hidden", "client", 0.0, 1.0, (0.2, 1.0), 1, wins=True),)},
        {"plan": Plan((), risks=(Risk("client", "concepts", 1.0, 0.5, 0.2),))},
        {"result": "no digest"},
    ],
)
def test_of_what_should_not_be_released_there_is_no_releasable_edition(change: dict[str, Any]) -> None:
    with pytest.raises(OutputError):
        make(**change).releasable()


def test_no_word_of_the_secret_is_in_what_is_released(tmp_path: Path) -> None:
    """From the file to the released page, with the secret in every name that a careless person gives."""
    source = tmp_path / f"{SECRET}.txt"
    source.write_text(f"Dear {SECRET},\n{SECRET} and Brzezinski met in Zakopane.\n")
    words = (SECRET, "Brzezinski", "Zakopane")
    finds = tuple(Find(label=word[::-1].upper(), terms=(word,)) for word in words)
    policy = Policy(find=finds, operators=Operators(mark="[gone]"))
    job = Job(str(source), str(tmp_path / "out.txt"), None, str(tmp_path / f"{SECRET}.audit.json"), None)
    redactor = Redactor(policy)
    document = redactor.read(source)
    save(redactor, redactor.redact(document), job, document)
    _, _, released, public = names(str(job.audit))
    data = (Path(released).read_bytes() + Path(public).read_bytes()).decode().casefold()
    for word in (*words, *(find.label for find in finds), document.digest, policy.digest):
        assert word.casefold() not in data


# --- the page ------------------------------------------------------------------------------------------------------

HOSTILE = "</style></td><img src=x onerror=alert(1)><script>\x00\u202e\"'&amp;{}\ud800"


class Elements(html.parser.HTMLParser):
    """The elements of a page, in order, with their attributes; and whether each is closed where it should be."""

    VOID = frozenset({"meta", "wbr"})

    def __init__(self, data: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(data)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(params=["internal", "releasable", "failing"])
def shown(request: pytest.FixtureRequest) -> str:
    wins = (Outcome(HOSTILE, HOSTILE, 0.1, 1.0, (0.2, 1.0), 1, HOSTILE, 1.0, True),)
    report = make(HOSTILE, outcomes=wins) if request.param == "failing" else make(HOSTILE)
    return page(report.releasable() if request.param == "releasable" else report).decode("utf-8")


def test_a_page_runs_and_fetches_nothing(shown: str) -> None:
    elements = Elements(shown)
    tags = {tag for tag, _ in elements.found}
    assert not tags & {
        "script",
        "img",
        "link",
        "iframe",
        "object",
        "embed",
        "form",
        "base",
        "a",
        "video",
        "foreignobject",
        "details",  # what is folded is not printed
    }
    attributes = {name for _, each in elements.found for name in each}
    assert not attributes & {"src", "href", "style", "srcset", "action", "xlink:href"}
    assert not any(name.startswith("on") for name in attributes)
    [style] = re.findall(r"<style>(.*?)</style>", shown, re.DOTALL)
    assert "url(" not in style
    assert "@import" not in style
    [rules] = [each["content"] for tag, each in elements.found if "http-equiv" in each]
    allowed = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert rules == f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    assert "http" not in re.sub(r"http-equiv", "", shown)
    assert "\x00" not in shown
    assert "\u202e" not in shown


def test_a_page_can_be_read_by_everyone(shown: str) -> None:
    elements = Elements(shown)
    assert ("html", {"lang": "en"}) in elements.found
    headings = [int(tag[1]) for tag, _ in elements.found if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(headings))
    assert all(each.get("scope") in ("row", "col") for tag, each in elements.found if tag == "th")
    assert all(each.get("aria-hidden") == "true" for tag, each in elements.found if tag == "svg")
    assert {"main", "header", "footer", "title"} <= {tag for tag, _ in elements.found}


def test_only_the_internal_page_has_the_banner() -> None:
    assert page(make()).count(BANNER.encode()) == 2  # on the screen, and at the top of printed pages
    assert BANNER.encode() not in page(make().releasable())


@pytest.mark.parametrize("scheme", [0, 1])
def test_colours_can_be_told_apart(scheme: int) -> None:
    said = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", said))
    for paper in ("paper", "band"):
        for ink in ("ink", "soft", "good", "warn", "bad"):
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
    assert contrast(colours["mark"], colours["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_many_places_are_cut_short_and_that_is_said() -> None:
    edits = tuple(Edit(Span(2 * n, 2 * n + 1), "mask", "PERSON", "found") for n in range(2_000))
    shown = page(make(plan=Plan(edits))).decode()
    assert "2000 places" in shown
    assert "the first 500 are here, all are in the JSON" in shown


# --- the log -------------------------------------------------------------------------------------------------------


def filled(folder: Path, number: int = 5) -> Path:
    path = folder / log.NAME
    for n in range(number):
        data = b'{"n": %d}' % n
        (folder / f"{n}.audit.json").write_bytes(data)
        log.append(path, "redacted", report=f"{n}.audit.json", digest=hashlib.sha256(data).hexdigest(), result=DIGEST)
    return path


def test_the_chain_can_be_followed_by_hand(tmp_path: Path) -> None:
    lines = filled(tmp_path).read_bytes().splitlines()
    previous = log.START
    for number, line in enumerate(lines, 1):
        entry = json.loads(line)
        assert (entry["number"], entry["previous"]) == (number, previous)
        previous = hashlib.sha256(line).hexdigest()
    chain = log.check(tmp_path, head=hashlib.sha256(lines[2]).hexdigest())
    assert (chain.flaws, chain.notes, chain.head, len(chain.current)) == ((), (), previous, 5)


def drop(lines: list[bytes]) -> None:
    del lines[2]


def swap(lines: list[bytes]) -> None:
    lines[1], lines[2] = lines[2], lines[1]


def double(lines: list[bytes]) -> None:
    lines.insert(2, lines[2])


def change(lines: list[bytes]) -> None:
    lines[2] = lines[2].replace(b"redacted", b"undone")


def damage(lines: list[bytes]) -> None:
    lines[2] = lines[2][:40]


def renumber(lines: list[bytes]) -> None:
    """What someone does who wants to drop the third entry and knows how the chain is made, but not the head."""
    del lines[2]
    for number in range(2, len(lines)):
        entry = json.loads(lines[number])
        entry |= {"number": number + 1, "previous": hashlib.sha256(lines[number - 1]).hexdigest()}
        lines[number] = json.dumps(entry, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("meddle", "line"), [(drop, 3), (swap, 2), (double, 4), (change, 4), (damage, 3), (renumber, 0)]
)
def test_meddling_is_found_and_its_place_told(tmp_path: Path, meddle: Callable[[list[bytes]], None], line: int) -> None:
    path = filled(tmp_path)
    head = log.read(path).head
    lines = path.read_bytes().splitlines()
    meddle(lines)
    path.write_bytes(b"\n".join(lines) + b"\n")
    flaws = log.check(tmp_path, head).flaws
    assert flaws
    assert flaws[0].line == line


@settings(max_examples=25)
@given(cut=st.integers(0, 10_000), flip=st.integers(0, 10_000))
def test_no_byte_of_a_log_can_be_lost_or_changed_unseen(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("log")
    path = filled(folder, 2)
    head, data = log.read(path).head, path.read_bytes()
    path.write_bytes(data[: cut % len(data)])
    assert log.read(path, head).flaws
    at = flip % len(data)
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    assert log.read(path, head).flaws


def test_a_torn_line_stays_and_is_told(tmp_path: Path) -> None:
    path = filled(tmp_path, 3)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"number":4,"time":"20')
    [flaw] = log.read(path).flaws
    assert (flaw.line, "torn" in flaw.what) == (4, True)
    log.append(path, "redacted", report="0.audit.json", digest=hashlib.sha256(b'{"n": 0}').hexdigest())
    chain = log.check(tmp_path)
    assert not chain.flaws
    assert [(note.line, "torn" in note.what) for note in chain.notes] == [(4, True)]
    assert [entry.event for entry in chain.entries[3:]] == ["interrupted", "redacted"]
    path.write_bytes(whole[:-1])  # all but the line's end
    log.append(path, "undone", report="0.audit.json")
    assert not log.read(path).flaws
    path.write_bytes(b"torn from the start")
    log.append(path, "undone", report="0.audit.json")
    assert not log.read(path).flaws
    path.write_bytes(whole + b"no entry\n")
    with pytest.raises(OutputError):
        log.append(path, "undone", report="0.audit.json")


def test_reports_that_are_changed_gone_or_unknown_are_told(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "1.audit.json").write_text("{}")
    (tmp_path / "3.audit.json").unlink()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "9.audit.json").write_text("{}")
    told = {(flaw.line, flaw.what) for flaw in log.check(tmp_path).flaws}
    assert told == {
        (2, "its report is not the one that was logged: 1.audit.json"),
        (4, "its report is gone: 3.audit.json"),
        (0, "a report has no entry: sub/9.audit.json"),
    }
    log.append(tmp_path / log.NAME, "undone", report="3.audit.json")
    assert {flaw.line for flaw in log.check(tmp_path).flaws} == {0, 2}


def test_a_log_names_no_file_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.txt").write_text(SECRET)
    digest = hashlib.sha256(SECRET.encode()).hexdigest()
    log.append(tmp_path / "in" / log.NAME, "redacted", report="../secret.txt", digest=digest)
    assert log.check(tmp_path / "in").flaws


def test_several_processes_write_one_log(tmp_path: Path) -> None:
    script = (
        "import sys; from withhold.reports import log\n"
        "for n in range(40): log.append(sys.argv[1], 'redacted', report=f'{sys.argv[2]}-{n}', digest='0' * 64)"
    )
    path = tmp_path / log.NAME
    running = [subprocess.Popen([sys.executable, "-c", script, str(path), str(number)]) for number in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    chain = log.read(path)
    assert (len(chain.current), chain.flaws) == (120, ())


# --- saving --------------------------------------------------------------------------------------------------------

POLICY = Policy(find=(Find(label="CLIENT", terms=("Acme",)),), components=Components(attacks=("hidden",)))


def job(tmp_path: Path, name: str = "memo.txt") -> Job:
    audits = tmp_path / "audits"
    return Job(
        str(tmp_path / name),
        str(tmp_path / "out" / name),
        audit=str(audits / f"{name}.audit.json"),
        log=str(audits / log.NAME),
    )


def test_an_audit_is_four_files_and_a_line(tmp_path: Path) -> None:
    (tmp_path / "memo.txt").write_text("Acme met.")
    redactor = Redactor(POLICY)
    document = redactor.read(tmp_path / "memo.txt")
    save(redactor, redactor.redact(document), job(tmp_path), document)
    assert {each.name for each in (tmp_path / "audits").iterdir()} == {
        *("memo.txt.audit.json", "memo.txt.audit.html", "memo.txt.release.json", "memo.txt.release.html", log.NAME)
    }
    report = again.load(tmp_path / "audits" / "memo.txt.audit.json")
    assert isinstance(report, Report)
    assert isinstance(again.load(tmp_path / "audits" / "memo.txt.release.json"), Release)
    [entry] = log.check(tmp_path / "audits").entries
    assert (entry.report, entry.result) == ("memo.txt.audit.json", report.result)
    assert not log.check(tmp_path / "audits").flaws


def test_what_could_not_be_written_is_undone_in_the_log_too(tmp_path: Path) -> None:
    (tmp_path / "memo.txt").write_text("Acme met.")
    (tmp_path / "out" / "memo.txt").mkdir(parents=True)
    redactor = Redactor(POLICY)
    document = redactor.read(tmp_path / "memo.txt")
    with pytest.raises(OutputError):
        save(redactor, redactor.redact(document), job(tmp_path), document, overwrite=True)
    chain = log.check(tmp_path / "audits")
    assert [entry.event for entry in chain.entries] == ["redacted", "undone"]
    assert not chain.flaws
    assert [each.name for each in (tmp_path / "audits").iterdir()] == [log.NAME]


def test_what_could_not_be_written_over_is_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "memo.txt").write_text("Acme met.")
    keyed = dataclasses.replace(job(tmp_path), ledger=str(tmp_path / "ledgers" / "memo.ledger"))
    redactor = Redactor(POLICY)
    document = redactor.read(tmp_path / "memo.txt")
    redaction = redactor.redact(document)
    save(redactor, dataclasses.replace(redaction, ledger=Ledger(b"first")), keyed, document)
    private = [path for name in ("audits", "ledgers") for path in (tmp_path / name).iterdir() if path.name != log.NAME]
    was = {path: path.read_bytes() for path in private}
    assert len(was) == 5
    (tmp_path / "out" / "memo.txt").unlink()
    (tmp_path / "out" / "memo.txt").mkdir()
    lost = Outcome("hidden", "", 0.0, 1.0, (0.2, 1.0), 1, wins=True)
    other = dataclasses.replace(redaction, ledger=Ledger(b"second"), outcomes=(lost,))
    with pytest.raises(OutputError):
        save(redactor, other, keyed, document, overwrite=True)
    assert {path: path.read_bytes() for path in private} == was
    chain = log.check(tmp_path / "audits")
    assert [entry.event for entry in chain.entries] == ["redacted", "redacted", "undone", "redacted"]
    assert chain.entries[0].result == chain.entries[3].result
    assert not chain.flaws


def test_no_releasable_edition_outlives_a_redaction_that_fails(tmp_path: Path) -> None:
    (tmp_path / "memo.txt").write_text("Acme met.")
    redactor = Redactor(POLICY)
    document = redactor.read(tmp_path / "memo.txt")
    redaction = redactor.redact(document)
    save(redactor, redaction, job(tmp_path), document)
    lost = dataclasses.replace(redaction, outcomes=(Outcome("hidden", "", 0.0, 1.0, (0.2, 1.0), 1, wins=True),))
    save(redactor, lost, job(tmp_path), document, overwrite=True)
    assert {each.suffix for each in (tmp_path / "audits").glob("memo.txt.audit.*")} == {".json", ".html"}
    assert not list((tmp_path / "audits").glob("*release*"))
    assert len(editions(redactor.audit(lost), "x.audit.json")) == 2


# --- checking again ------------------------------------------------------------------------------------------------


def checked(
    tmp_path: Path, name: str, write: Callable[[Path], object], policy: Policy = POLICY
) -> tuple[Report, Path, Path]:
    """A file that was redacted, with its report."""
    source = tmp_path / name
    write(source)
    redactor = Redactor(policy)
    redaction = redactor.redact(source)
    output = redaction.write(tmp_path / f"redacted-{name}")
    return redactor.audit(redaction), output, source


def results(report: Report | Release, output: Path, **given_: Any) -> dict[str, str]:
    return {each.check: each.result for each in again.verify(report, output, **given_)}


def text(path: Path) -> None:
    path.write_text("Dear Acme,\n\nAcme and others met.   Acme  came.\nAcme\n")


def word(path: Path) -> None:
    made = docx.Document()
    made.add_paragraph("Dear Acme, this is the board of Acme.")
    made.add_table(2, 2).cell(0, 1).text = "Acme"
    made.core_properties.author = "Acme"
    made.save(str(path))


def markdown(path: Path) -> None:
    path.write_text("# Acme\n\n- one [link](https://acme.example/x)\n- Acme *again*\n\n<!-- Acme -->\n")


def web(path: Path) -> None:
    path.write_text('<!doctype html><title>Acme</title><p class="acme">Dear <b>Ac</b>me<p hidden>Acme<p>others')


FILES = [("memo.txt", text), ("memo.docx", word), ("memo.md", markdown), ("memo.html", web)]


@pytest.mark.parametrize(
    ("name", "write", "mark"), [*((*each, "[REDACTED]") for each in FILES), (*FILES[0], ""), (*FILES[3], "red")]
)
def test_what_was_done_right_holds(tmp_path: Path, name: str, write: Callable[[Path], object], mark: str) -> None:
    policy = dataclasses.replace(POLICY, operators=Operators(mark=mark)) if mark else POLICY
    if not mark:
        policy = dataclasses.replace(POLICY, find=(Find(label="CLIENT", terms=("Acme",), replacement=""),))
    report, output, source = checked(tmp_path, name, write, policy)
    found = results(report, output, policy=policy, source=source)
    assert set(found.values()) == {"holds"}, found
    assert {"kept text", "removed text", "plan carried out", "versions", "attacks"} <= found.keys()
    alone = results(report, output)
    assert {name for name, result in alone.items() if result == "holds"} == {
        *("numbers of the report", "digest of the file", "the file reads", "places of the file"),
        "nothing hidden in the file",
    }
    released = results(report.releasable(), output, policy=policy, source=source)
    assert "fails" not in released.values()
    assert released["digest of the file"] == released["attacks"] == released["report made again"] == "holds"
    assert released["digests of models"] == "holds"


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("others", "nobody", {"digest of the file", "kept text", "plan carried out"}),
        ("[REDACTED]", "[Acme]", {"digest of the file", "removed text", "plan carried out"}),
        ("met.", "met. Acme", {"digest of the file", "removed text", "plan carried out"}),
    ],
)
def test_what_was_changed_afterwards_fails(tmp_path: Path, old: str, new: str, failing: set[str]) -> None:
    report, output, source = checked(tmp_path, "memo.txt", text)
    output.write_text(output.read_text().replace(old, new, 1))
    found = results(report, output, policy=POLICY, source=source)
    assert {name for name, result in found.items() if result == "fails"} == failing


def test_what_was_hidden_in_the_file_afterwards_fails(tmp_path: Path) -> None:
    report, output, source = checked(tmp_path, "memo.docx", word)
    made = docx.Document(str(output))
    made.core_properties.author = "Acme"
    made.save(str(output))
    found = results(report, output, source=source)
    assert found["nothing hidden in the file"] == "fails"
    assert found["removed text"] == "fails"
    assert found["kept text"] == "holds"


def test_another_source_policy_or_number_fails(tmp_path: Path) -> None:
    report, output, source = checked(tmp_path, "memo.txt", text)
    other = tmp_path / "other.txt"
    other.write_text("Someone else met.")
    found = results(report, output, source=other, policy=Policy())
    assert found["digest of the source"] == found["digest of the policy"] == "fails"
    assert found["removed text"] == "not checked"
    good = Bound(0.0174, 0.95, "left", "wilson", {"left": 21, "of": 1840})
    counts: list[dict[str, float]] = [{"left": 5, "of": -1}, {"left": 5}, {"left": float("nan"), "of": 9}]
    wrong = [dataclasses.replace(good, value=0.017), *(dataclasses.replace(good, inputs=each) for each in counts)]
    for bound, result in [(good, "holds"), *((each, "fails") for each in wrong), (Bound(0.1, 0.9, "x"), "not checked")]:
        changed = dataclasses.replace(report, bounds={"left": bound})
        assert results(changed, output, source=source)["bound: left"] == result
    outside = Outcome("concept:svm", "client", 0.1, 0.9, (0.0, 0.5), 9)
    assert results(dataclasses.replace(report, outcomes=(outside,)), output)["numbers of the report"] == "fails"


def test_what_was_left_out_of_a_report_fails(tmp_path: Path) -> None:
    report, output, source = checked(tmp_path, "memo.txt", text)
    first, *others = report.plan.edits
    plans = [
        dataclasses.replace(report.plan, edits=(dataclasses.replace(first, label="OTHER"), *others)),
        dataclasses.replace(report.plan, edits=(dataclasses.replace(first, reason="a whim"), *others)),
        dataclasses.replace(report.plan, reading="0" * 64),
    ]
    forged = {
        "attacks": [dataclasses.replace(report, outcomes=(Outcome("other", "", 0.0, 0.0, (0.0, 0.8), 1),))],
        "rest of the report": [
            dataclasses.replace(report, notices=(Notice("comments", "removed", 1),)),
            dataclasses.replace(report, seeds={}),
            dataclasses.replace(report, verification=dataclasses.replace(report.verification, passages=99)),
        ],
        "plan made again": [
            *(dataclasses.replace(report, plan=plan) for plan in plans),
            dataclasses.replace(report, rounds=7),
        ],
        "digest of the source": [dataclasses.replace(report, plan=dataclasses.replace(report.plan, source="0" * 64))],
    }
    assert results(report, output, policy=POLICY, source=source)["plan made again"] == "holds"
    for check, reports in forged.items():
        for each in reports:
            assert results(each, output, policy=POLICY, source=source)[check] == "fails", check


def test_whatever_is_changed_in_a_releasable_report_fails(tmp_path: Path) -> None:
    """Every value of it, one after the other, by whoever has the source and the policy."""
    report, output, source = checked(tmp_path, "memo.txt", text)
    plain = report.releasable().to_json()
    others: dict[str, Any] = {"checks": [], "passages": 9, "unexamined": 1, "attacks": [], "models": {}, "others": 3}
    others |= {"doubtful": True}
    others |= {"format": "docx", "result": DIGEST, "bounds": {"left": {"value": 0.1, "confidence": 0.9, "says": "x"}}}
    others |= {"secrets": [{"secret": 1, "model": "concepts", "measure": "rank", "ceiling": 0.2, "told_before": True}]}
    others |= {"step": 0.5, "attacks": [{**each, "before": 0.35, "secret": 1} for each in plain["attacks"]]}
    assert {*others, "versions", "edition"} == plain.keys()
    for name, value in others.items():
        found = results(Release.from_json({**plain, name: value}), output, policy=POLICY, source=source)
        assert "fails" in found.values(), name
    alone = {name: results(Release.from_json({**plain, name: others[name]}), output) for name in ("passages", "models")}
    assert alone["passages"]["places of the file"] == alone["models"]["digests of models"] == "fails"


def test_what_was_too_unsure_is_told_in_both_editions_and_checked_again(tmp_path: Path) -> None:
    policy = Policy(detection=Detection(labels=("all",)), components=Components(attacks=()))
    page_ = Path(__file__).parents[1] / "examples" / "page.html"
    report, output, source = checked(tmp_path, "page.html", lambda path: path.write_bytes(page_.read_bytes()), policy)
    assert report.plan.doubtful
    public = report.releasable()
    assert public.doubtful
    assert public.standing == "look"
    assert b"may have been names" in page(public)
    none = dataclasses.replace(report, plan=dataclasses.replace(report.plan, doubtful=()))
    assert not none.releasable().doubtful
    given = {"policy": policy, "source": source}
    assert results(report, output, **given)["plan made again"] == "holds"
    assert results(public, output, **given)["report made again"] == "holds"
    # A person may have decided that they stay: no file shows that.
    assert results(none, output, **given)["plan made again"] == "not checked"
    assert results(none.releasable(), output, **given)["report made again"] == "not checked"
    first = report.plan.doubtful[0]
    forged = (dataclasses.replace(first, reason="a whim"), *report.plan.doubtful[1:])
    forged_ = dataclasses.replace(report, plan=dataclasses.replace(report.plan, doubtful=forged))
    assert results(forged_, output, **given)["plan made again"] == "fails"


def test_entities_put_together_in_a_report_fail(tmp_path: Path) -> None:
    find = (Find(label="PERSON", terms=("Acme", "others")),)
    policy = dataclasses.replace(POLICY, find=find, operators=Operators(default="mask"))
    report, output, source = checked(tmp_path, "memo.txt", text, policy)
    edits = [dataclasses.replace(each, entity=number) for number, each in enumerate(report.plan.edits)]
    changed = dataclasses.replace(report, plan=dataclasses.replace(report.plan, edits=tuple(edits)))
    assert results(report, output, policy=policy, source=source)["plan made again"] == "holds"
    assert results(changed, output, policy=policy, source=source)["plan made again"] == "fails"


def test_an_operator_that_is_not_installed_ends_no_check(tmp_path: Path) -> None:
    report, output, source = checked(tmp_path, "memo.txt", text)
    edits = [dataclasses.replace(each, operator="burn") for each in report.plan.edits]
    changed = dataclasses.replace(report, plan=dataclasses.replace(report.plan, edits=tuple(edits)))
    found = results(changed, output, policy=POLICY, source=source)
    assert (found["plan carried out"], found["plan made again"]) == ("not checked", "fails")


def test_without_the_source_no_pseudonym_is_taken_for_a_name_that_was_left(tmp_path: Path) -> None:
    find = (Find(label="PERSON", terms=("Peter Blackwood",), replacement="Hugo Marchetti"),)
    people = Policy(find=find, detection=Detection(labels=("PERSON",)), components=Components(attacks=("inspector",)))
    said = "Please speak to Mary Johnson and to Peter Blackwood about it."
    report, output, source = checked(tmp_path, "memo.txt", lambda path: path.write_text(said), people)
    assert report.holds
    assert results(report, output, policy=people)["attacks"] == "not checked"
    assert results(report, output, policy=people, source=source)["attacks"] == "holds"
    assert TellAgain(people)(Job(str(source), str(output)))
    output.write_text(output.read_text().replace("[REDACTED]", "Mary Johnson"))
    assert not TellAgain(people)(Job(str(source), str(output)))


def test_a_file_that_cannot_be_read_fails(tmp_path: Path) -> None:
    report, output, source = checked(tmp_path, "memo.docx", word)
    output.write_bytes(output.read_bytes()[:-200])
    found = results(report, output, source=source)
    assert found["digest of the file"] == found["the file reads"] == "fails"
    assert found["removed text"] == "not checked"


@given(
    st.lists(st.text("ab .", max_size=4), min_size=2, max_size=4), st.lists(st.text("ab[ ", max_size=3)), st.booleans()
)
def test_what_stands_between_pieces(kept: list[str], marks: list[str], fits: bool) -> None:
    """The pieces are found in a text if and only if a regular expression finds them, with anything between them."""
    if fits:
        text = kept[0] + "".join(mark + piece for mark, piece in zip([*marks, "", "", ""], kept[1:], strict=False))
    else:
        text = "".join(marks)
    bare = [kept[0].rstrip(" "), *(piece.strip(" ") for piece in kept[1:-1]), kept[-1].lstrip(" ")]
    gaps = again._gaps(kept, text)
    assert (gaps is not None) == bool(re.fullmatch(".*".join(map(re.escape, bare)), text, re.DOTALL))
    if gaps is not None:
        assert "".join(piece + gap for piece, gap in zip(bare, [*gaps, ""], strict=True)) == text


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"edition": "releasable"}', b'{"edition": 3}', b"\xff"])
def test_what_is_no_report_is_malformed(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "report.json").write_bytes(data)
    with pytest.raises(MalformedData):
        again.load(tmp_path / "report.json")


# --- the commands --------------------------------------------------------------------------------------------------


def test_reports_on_the_command_line(withhold: Withhold, tmp_path: Path) -> None:  # noqa: F811
    text(tmp_path / "memo.txt")
    withhold("redact", "memo.txt", "--find", "Acme", "-o", "out/memo.txt", "--audit", "audits")
    report = "audits/memo.txt.audit.json"
    assert "do not release it" in withhold("audit", report, "-o", "shown.html").stderr
    assert (tmp_path / "shown.html").read_bytes() == (tmp_path / "audits" / "memo.txt.audit.html").read_bytes()
    withhold("audit", report, "-o", "public.json", "--releasable")
    assert (tmp_path / "public.json").read_bytes() == (tmp_path / "audits" / "memo.txt.release.json").read_bytes()
    made = json.loads(withhold("audit", "public.json", "-o", "public.html", "--json").stdout)
    assert made == {"output": "public.html", "edition": "releasable", "standing": "ready"}
    withhold("audit", report, "-o", "public.html", "--releasable", code=1)  # it is there
    done = withhold("verify", report, "out/memo.txt", "--source", "memo.txt", "--log", "audits")
    assert "fails" not in done.stdout
    head = log.read(tmp_path / "audits" / log.NAME).head
    withhold("verify", "--log", "audits", "--head", head)
    checks = json.loads(withhold("verify", "--log", "audits", "--head", DIGEST, "--json", code=3).stdout)["checks"]
    assert [each["result"] for each in checks] == ["fails"]
    with (tmp_path / "out" / "memo.txt").open("a") as file:
        file.write("more")
    assert "fails" in withhold("verify", report, "out/memo.txt", code=3).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("verify",), 2, "give REPORT and FILE"),
        (("verify", "a.json"), 2, "give REPORT and FILE"),
        (("verify", "a.json", "a.txt"), 1, "a.json: no such file"),
        (("verify", "--log", "nowhere"), 1, "cannot be read"),
        (("audit", "memo.txt", "-o", "x.html"), 1, "memo.txt: not a report"),
    ],
)
def test_what_cannot_be_checked_is_said(
    withhold: Withhold,  # noqa: F811
    tmp_path: Path,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    (tmp_path / "memo.txt").write_text("Dear all")
    assert message in withhold(*arguments, code=code).stderr
