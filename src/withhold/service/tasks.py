"""What worker processes do: the verbs on files of strangers, releases, models and corpora."""

from __future__ import annotations

import base64
import csv
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from withhold import formats, progress
from withhold.contracts import Paged
from withhold.errors import DamagedDocument, DocumentError, HostileDocument, MalformedData, PolicyError, WithholdError
from withhold.policy import Policy
from withhold.private import PrivateFolder
from withhold.redactor import Redactor
from withhold.service.schemas import jobs, reviews, verbs
from withhold.service.work import Tell
from withhold.spans import Span
from withhold.text import WORD
from withhold.types import Document, Redaction, Risk, Secret

_HALVES = re.compile("[\ud800-\udfff]")

RECORDS = (".jsonl", ".ndjson", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file."""

    name: str = field(repr=False)
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Given:
    """What a verb is given: a file or two, and the policy."""

    policy: Policy
    document: File
    other: File | None = None
    secret: str | None = None
    span: Span | None = None
    most: int = 20
    characters: int = 10**9
    page: int = 1


def _redactor(policy: Policy) -> Redactor:
    return _kept(policy.to_bytes())


@lru_cache(maxsize=4)
def _kept(policy: bytes) -> Redactor:
    """A redactor with its components, loaded once for many documents of the same policy."""
    return Redactor(Policy.from_bytes(policy))


def _read(redactor: Redactor, file: File) -> Document:
    if not file.data:
        raise DocumentError("the file is empty")
    document = redactor.read(file.data, name=file.name)
    if _HALVES.search(document.text):
        raise DamagedDocument("the text has halves of characters, which cannot be shown; save it again as UTF-8")
    return document


def read(given: Given, tell: Tell) -> Document:
    """The document in an upload, if there is not too much of it."""
    with progress.heard(lambda done, total: tell(done / total, f"reading, page {done} of {total} is done")):
        document = _read(_redactor(given.policy), given.document)
    if len(document.text) > given.characters:
        raise HostileDocument(f"the text is longer than {given.characters:,} characters; split the document")
    return document


def prints(given: Given, tell: Tell) -> reviews.Prints:
    """The pages of an upload, and where the words of its text stand on them."""
    document = _read(_redactor(given.policy), given.document)
    format = formats.named(document.format)
    if not isinstance(format, Paged):
        return reviews.Prints(pages=0, words=[])
    spans = [Span(*found.span()) for found in WORD.finditer(document.text)]
    words = [
        reviews.PlacedWord(span=span, box=box)
        for span, several in zip(spans, format.boxes(document, spans), strict=True)
        for box in several
    ]
    return reviews.Prints(pages=format.pages(document.native), words=words)


def picture(given: Given, tell: Tell) -> bytes:
    """One page of an upload, as a PNG."""
    format = formats.recognise(given.document.data, given.document.name)
    if not isinstance(format, Paged):
        raise DocumentError("a document of this format has no pages")
    return format.picture(given.document.data, given.page)


def detect(given: Given, tell: Tell) -> verbs.Findings:
    redactor = _redactor(given.policy)
    document = _read(redactor, given.document)
    return verbs.Findings(text=document.text, findings=redactor.detect(document))


def assess(given: Given, tell: Tell) -> verbs.Risks:
    redactor = _redactor(given.policy)
    document, source = _read(redactor, given.document), _other(redactor, given)
    return verbs.Risks(text=document.text, risks=list(map(told, redactor.assess(document, source))))


def plan(given: Given, tell: Tell) -> verbs.Planned:
    redactor = _redactor(given.policy)
    document = _read(redactor, given.document)
    made = redactor.plan_for(document)
    return verbs.Planned(
        text=document.text,
        edits=list(made.edits),
        risks=list(map(told, made.risks)),
        doubtful=list(made.doubtful),
        utility=made.utility,
        status=made.status,
    )


def inspect(given: Given, tell: Tell) -> verbs.HiddenThings:
    found = _redactor(given.policy).inspect(given.document.data, name=given.document.name)
    return verbs.HiddenThings(hidden=found)


def suggest(given: Given, tell: Tell) -> verbs.Suggestions:
    from withhold.assistant import Assistant

    document = _read(_redactor(given.policy), given.document)
    span = given.span
    if span is None or not span or span.end > len(document.text):
        raise MalformedData("span: not a stretch of the document's text")
    assistant = Assistant(document, given.policy, _secret(given))
    return verbs.Suggestions(suggestions=assistant.suggest(span, most=given.most))


def guide(given: Given, tell: Tell) -> verbs.AdviceList:
    from withhold.assistant import Assistant

    document = _read(_redactor(given.policy), given.document)
    advised = Assistant(document, given.policy, _secret(given)).advise(given.most)
    return verbs.AdviceList(text=document.text, advice=[verbs.Advice.model_validate(each) for each in advised])


def score(given: Given, tell: Tell) -> verbs.Scores:
    from withhold.assistant import rate

    redactor = _redactor(given.policy)
    edited = _other(redactor, given)
    assert edited is not None
    published, proof = rate(_read(redactor, given.document), edited, given.policy, _secret(given))
    return verbs.Scores(published=published, padding_proof=proof)


def attack(given: Given, tell: Tell) -> verbs.Tried:
    redactor = _redactor(given.policy)
    document, source = _read(redactor, given.document), _other(redactor, given)
    tell(0.2, "attacking")
    return verbs.Tried(outcomes=redactor.attack(document, source))


def redact(given: Given, tell: Tell) -> verbs.Redacted:
    from withhold.reports.html import page

    redactor = _redactor(given.policy)
    document = _read(redactor, given.document)
    tell(0.1, "finding, planning and attacking")
    redaction = redactor.redact(document)
    tell(0.9, "writing the audit")
    report = redactor.audit(redaction)
    return verbs.Redacted(
        name=clean_name(given.document.name, given.policy),
        data=base64.b64encode(redaction.document.native).decode("ascii"),
        holds=redaction.holds,
        removed=redaction.plan.removed,
        notices=list(redaction.notices),
        risks=list(map(told, redaction.plan.risks)),
        outcomes=list(redaction.outcomes),
        audit=page(report).decode("utf-8"),
        release=page(report.releasable()).decode("utf-8") if report.holds else None,
    )


@dataclass(frozen=True, slots=True)
class Audited:
    """A redacted file and what it is to be checked by."""

    document: File
    audit: File
    source: File | None = None


def verify(given: Audited, tell: Tell) -> verbs.Verified:
    from withhold.batch.verify import load, verify

    with PrivateFolder() as private:
        paths = [private.path / f"{number}{_suffix(file.name)}" for number, file in enumerate(_files(given))]
        for path, file in zip(paths, _files(given), strict=True):
            path.write_bytes(file.data)
        report, document, *source = paths
        checks = verify(load(report), document, source=source[0] if source else None)
    return verbs.Verified(holds=not any(each.result == "fails" for each in checks), checks=checks)


def _files(given: Audited) -> list[File]:
    return [file for file in (given.audit, given.document, given.source) if file is not None]


def _suffix(name: str) -> str:
    suffix = PurePath(name).suffix
    return suffix if suffix[1:].isalnum() and len(suffix) < 12 else ""


def _other(redactor: Redactor, given: Given) -> Document | None:
    return None if given.other is None else _read(redactor, given.other)


def _secret(given: Given) -> Secret | None:
    if given.secret is None:
        return None
    for secret in given.policy.secret:
        if secret.name == given.secret:
            return secret
    raise PolicyError("the policy has no secret of that name")


def told(risk: Risk) -> verbs.Risk:
    """A risk as it is answered."""
    return verbs.Risk(
        secret=risk.secret,
        model=risk.model,
        measure=risk.measure,
        before=risk.before,
        after=risk.after,
        ceiling=risk.ceiling,
        stays=risk.stays,
        verdict=risk.verdict(risk.after),
        evidence=list(risk.evidence),
        standings=[verbs.ClassStanding.model_validate(each) for each in risk.standings],
        notes=list(risk.notes),
    )


def clean_name(name: str, policy: Policy) -> str:
    """The name of an output: without what the policy finds in that of the source."""
    from withhold.batch.names import Names

    cleaned = Names(policy).clean(PurePath(PurePath(name).name or "document"))
    return f"{cleaned.stem}.redacted{cleaned.suffix}"


# Releases


@dataclass(frozen=True, slots=True)
class Decided:
    """A document and what was decided about it."""

    policy: Policy
    document: File
    reading: str = field(repr=False)
    decisions: tuple[dict[str, Any], ...] = field(repr=False)
    version: int


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate said, and the files there would be: by what they are called in a request, with name and bytes."""

    result: jobs.ReleaseResult
    files: Mapping[str, File] = field(repr=False)


def release(given: Decided, tell: Tell) -> Gated:
    """The decisions carried out, verified, attacked and audited. Nothing is stored here."""
    tell(0.05, "reading")
    redactor = _redactor(given.policy)
    redaction = _decided(redactor, given, tell)
    tell(0.9, "writing the audit")
    files = dict(_release_files(redactor, redaction, given))
    return Gated(result(redaction, given.version, files), files)


def attack_review(given: Decided, tell: Tell) -> verbs.Tried:
    """How attacks fare on what would be released."""
    return verbs.Tried(outcomes=list(_decided(_redactor(given.policy), given, tell).outcomes))


def _decided(redactor: Redactor, given: Decided, tell: Tell) -> Redaction:
    from withhold.assistant.desk import Desk, decision

    document = _read(redactor, given.document)
    if document.reading != given.reading:
        raise DocumentError("this version of withhold reads the file in another way; begin a new review of it")
    tell(0.15, "analysing")
    desk = Desk(redactor, document)
    tell(0.4, "carrying out, verifying and attacking")
    return desk.release([decision(each) for each in given.decisions]).redaction


def _release_files(redactor: Redactor, redaction: Redaction, given: Decided) -> Iterator[tuple[str, File]]:
    from withhold.reports.html import page

    report = redactor.audit(redaction)
    name = clean_name(given.document.name, given.policy)
    base = PurePath(name).stem.removesuffix(".redacted")
    yield "file", File(name, redaction.document.native)
    yield "audit.json", File(f"{base}.audit.json", report.to_bytes())
    yield "audit.html", File(f"{base}.audit.html", page(report))
    if report.holds:
        edition = report.releasable()
        yield "release.json", File(f"{base}.release.json", edition.to_bytes())
        yield "release.html", File(f"{base}.release.html", page(edition))
    if redaction.ledger is not None:
        yield "ledger", File(f"{base}.ledger.json", redaction.ledger.to_bytes())


def result(redaction: Redaction, version: int, files: Mapping[str, File]) -> jobs.ReleaseResult:
    return jobs.ReleaseResult(
        released=redaction.holds,
        holds=redaction.holds,
        version=version,
        removed=redaction.plan.removed,
        notices=list(redaction.notices),
        risks=[told(risk.bare()) for risk in redaction.plan.risks],
        outcomes=list(redaction.outcomes),
        checks=list(redaction.verification.checks),
        files=sorted(files),
        undecided=len({each.span for each in redaction.plan.doubtful}),
    )


# Models and corpora


@dataclass(frozen=True, slots=True)
class Lesson:
    """Documents to learn from, and what."""

    files: tuple[File, ...]
    folder: Path
    secret: str = ""
    keep: tuple[str, ...] = ()
    text: str = "text"
    holdout: float = 0.3
    classes: tuple[Mapping[str, str], ...] | None = None
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)


def fit(lesson: Lesson, tell: Tell) -> int:
    """A concept model, with attackers, in its folder; of how many documents."""
    from withhold.fit.attackers import fit_attackers
    from withhold.fit.concepts import fit_concepts
    from withhold.fit.labelled import Labelled

    held: list[Labelled] = []
    with PrivateFolder() as private, _named_as_uploaded(private.path):
        fitted = fit_concepts(
            _laid_out(lesson, private.path),
            lesson.folder,
            secret=lesson.secret,
            keep=lesson.keep,
            text_field=lesson.text,
            holdout=lesson.holdout,
            aliases=lesson.aliases or None,
            workers=1,
            progress=lambda number: tell(min(0.8, 0.1 + number / 20_000), f"{number} documents read"),
            attackers=held.extend if lesson.holdout else None,
        )
    if held:
        tell(0.85, "fitting attackers")
        fit_attackers(lesson.folder, held)
    return fitted.documents


def build(lesson: Lesson, tell: Tell) -> int:
    """A corpus in its folder; of how many documents."""
    from withhold.corpora.build import build

    with PrivateFolder() as private, _named_as_uploaded(private.path):
        uploads = private.path / "uploads"
        uploads.mkdir()
        _put(lesson.files, uploads)
        built = build(
            [uploads],
            lesson.folder,
            documents=Redactor().read,
            track=lambda now: tell(0.1 + 0.85 * now.bytes / max(now.of_bytes, 1), f"{now.documents} documents read"),
        )
    if not built.documents:
        raise DocumentError("no document could be read from these files")
    return built.documents


@contextmanager
def _named_as_uploaded(folder: Path) -> Iterator[None]:
    """Errors name files as they were uploaded, not where they were put to be read."""
    try:
        yield
    except WithholdError as error:
        raise type(error)(str(error).replace(f"{folder}{os.sep}", "")) from None


def _laid_out(lesson: Lesson, folder: Path) -> Path:
    """Where the documents of a lesson are for `fit_concepts`: one file of records, or a folder with a table."""
    names = _put(lesson.files, folder)
    if lesson.classes is None:
        if len(names) != 1 or not names[0].endswith(RECORDS):
            raise MalformedData("give one file of records (.jsonl or .csv), or the classes of each file")
        return folder / names[0]
    if len(lesson.classes) != len(names):
        raise MalformedData("classes: there must be as many as files")
    table = io.StringIO()
    attributes = (lesson.secret, *lesson.keep)
    writer = csv.DictWriter(table, ["file", *attributes], restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({"file": name, **labels} for name, labels in zip(names, lesson.classes, strict=True))
    (folder / "labels.csv").write_text(table.getvalue(), encoding="utf-8")
    return folder


def _put(files: Sequence[File], folder: Path) -> list[str]:
    from withhold.service.shelf import safe_names

    names = safe_names([file.name for file in files])
    for name, file in zip(names, files, strict=True):
        (folder / name).write_bytes(file.data)
    return names
