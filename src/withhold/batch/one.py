"""One file: planned, carried out, revealed; and where its output goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from withhold.batch import redact
from withhold.batch.names import Names
from withhold.batch.redact import Job, LeftOut, Result, save, spare
from withhold.batch.reveal import open_ledger, reveal
from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, OutputError, PlanError
from withhold.files import is_folder, is_there, write
from withhold.labels import Identifier, identifier
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.reports import log
from withhold.spans import Span, containing
from withhold.types import Document, Finding, Plan, Redaction

_AROUND = 20


def lay_out(
    sources: Sequence[Path],
    output: Path | None,
    policy: Policy,
    *,
    ledgers: Path | None = None,
    audits: Path | None = None,
) -> tuple[list[Job], list[LeftOut]]:
    """Where the outputs go: one file beside its source, into a file or into a folder; many into a folder."""
    [first, *more] = sources
    if output is not None and (more or is_folder(first) or is_folder(output)):
        if is_there(output) and not is_folder(output):
            raise OutputError(f"{output} is a file; several outputs need a folder")
        jobs, left_out = redact.lay_out(sources, output, policy, ledgers=ledgers, audits=audits)
        if not jobs:
            raise DocumentError("no files to redact there")
        return jobs, left_out
    if output is None:
        cleaned = Names(policy).clean(PurePath(first.name))
        output = first.with_name(f"{cleaned.stem}.redacted{cleaned.suffix}")
    spare([first], [output])
    return [_job(first, output, ledgers, audits)], []


def places(document: Document, spans: Iterable[tuple[Span, str]]) -> list[tuple[str, str, str]]:
    """Every place for a person to check: what it is or becomes, where it is, and the words around it."""
    starts = [block.span for block in document.blocks]
    shown = []
    for span, fate in spans:
        block = document.blocks[containing(starts, span.start) or 0]
        before = document.text[max(span.start - _AROUND, block.span.start) : span.start]
        after = document.text[span.end : min(span.end + _AROUND, block.span.end)]
        shown.append((fate, block.kind, f"{before}>>{span.of(document.text)}<<{after}"))
    return shown


def planned(file: Path, plan: Plan, policy: Policy) -> list[tuple[str, str, str]]:
    """The places of a plan."""
    spans = [(edit.span, edit.label) for edit in plan.edits] + [(each.span, "doubtful") for each in plan.doubtful]
    return places(Redactor(policy).read(file), sorted(spans))


@dataclass(frozen=True, slots=True)
class Found(Value):
    """What was found in a file under one label: how often, of how many entities, and how often it is doubtful."""

    label: str
    identifier: Identifier | None
    places: int
    entities: int
    doubtful: int


def find(
    document: Document, redactor: Redactor, *, show: bool = False
) -> tuple[list[Finding], list[Found], list[tuple[str, str, str]]]:
    """What is found in a document, the same by label, and the places if they are to be shown."""
    findings = redactor.detect(document)
    threshold = redactor.policy.detection.threshold
    counted = []
    for label in sorted({each.label for each in findings}):
        same = [each for each in findings if each.label == label]
        sure = [each for each in same if each.score >= threshold(label)]
        entities = len({each.entity for each in sure})
        counted.append(Found(label, identifier(label), len(sure), entities, len(same) - len(sure)))
    fates = [f"{each.label}{'' if each.score >= threshold(each.label) else ', doubtful'}" for each in findings]
    spans = zip((each.span for each in findings), fates, strict=True)
    return findings, counted, places(document, spans) if show else []


def plan_file(file: Path, output: Path, policy: Policy, *, overwrite: bool = False) -> Plan:
    """The plan for a file, written as JSON."""
    spare([file], [output])
    redactor = Redactor(policy)
    plan = redactor.plan_for(redactor.read(file))
    write(output, plan.to_bytes(), overwrite=overwrite)
    return plan


def apply_plan(
    plan: Path,
    file: Path,
    output: Path,
    policy: Policy,
    *,
    ledgers: Path | None = None,
    audits: Path | None = None,
    overwrite: bool = False,
) -> tuple[Job, Result]:
    """A plan carried out and saved.

    Raises:
        PlanError: if the plan is none, or is for another file.
    """
    spare([file, plan], [output])
    redactor = Redactor(policy)
    document = redactor.read(file)
    redaction = redactor.apply(load_plan(plan), document)
    redaction = replace(redaction, outcomes=tuple(redactor.attack(redaction, document)))
    job = _job(file, output, ledgers, audits)
    save(redactor, redaction, job, document, overwrite=overwrite)
    return job, redact.result(redaction, job, document)


def reveal_file(file: Path, output: Path, policy: Policy, ledger: Path, key: Path, *, overwrite: bool = False) -> int:
    """The file with its pseudonyms undone, and how many there were."""
    spare([file, ledger, key], [output])
    redactor = Redactor(policy)
    redaction: Redaction = reveal(redactor, redactor.read(file), open_ledger(ledger, key))
    redaction.write(output, overwrite=overwrite)
    return len(redaction.plan.edits)


def load_plan(path: Path) -> Plan:
    try:
        return Plan.from_bytes(path.read_bytes())
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror}") from None
    except MalformedData as error:
        raise PlanError(f"{path}: not a plan: {error}") from None


def _job(file: Path, output: Path, ledgers: Path | None, audits: Path | None) -> Job:
    for private in (ledgers, audits):
        if private is not None and private.resolve() == output.resolve().parent:
            raise OutputError(f"{private} is where the output goes: choose a folder that is not released")
    ledger = str(ledgers / f"{output.name}.ledger") if ledgers else None
    audit = str(audits / f"{output.name}.audit.json") if audits else None
    return Job(str(file), str(output), ledger, audit, str(audits / log.NAME) if audits else None)
