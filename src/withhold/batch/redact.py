"""Redact many files and whole folders, in parallel, without ever touching an input."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, Literal

from withhold.batch import pool
from withhold.batch.names import Names, numbered
from withhold.batch.numbers import NameEntities, Register
from withhold.codec import Value
from withhold.detectors.lists import ListDetector
from withhold.errors import DocumentError, MalformedData, OutputError, SecretKeyError
from withhold.files import is_file, is_folder, is_there, write
from withhold.operators.entities import Numbers
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.reports import log
from withhold.reports.editions import editions, names
from withhold.reports.report import Report
from withhold.spans import Span
from withhold.types import Document, Notice, Redaction, Risk, excerpt

Track = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Passes items on and shows how many of how many there are by now, and what is done with them."""


def untracked(items: Iterable[Any], total: int, doing: str) -> Iterable[Any]:
    return items


@dataclass(frozen=True, slots=True)
class Job(Value):
    """One file to redact, where the result goes, and where its ledger, its audit and an entry in the log of audits go
    if it is to have them.
    """

    source: str
    target: str
    ledger: str | None = None
    audit: str | None = None
    log: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut(Value):
    """A file of an input folder that is not redacted, and why: it is hidden, a link, or the policy's own."""

    file: str
    why: Literal["hidden", "link", "policy"]


@dataclass(frozen=True, slots=True)
class Result(Value):
    """What became of one file; never a word of it. `doubtful` counts what was left for a person to look at, `attacks`
    names those that still win, `met` numbers the entries of the policy's lists that it has (`ListDetector.met`).
    """

    index: int
    status: pool.Status
    output: str | None = None
    format: str = ""
    removed: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    characters: int = 0
    risk_stays: bool = False
    doubtful: int = 0
    notes: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    message: str = ""
    met: frozenset[int] = field(default=frozenset(), repr=False, metadata={"json": False})


@dataclass(frozen=True, slots=True)
class Task:
    """A job, the numbers that the entities of its file have in the batch, and the digest of the text that has them."""

    job: Job
    numbers: Numbers | None = None
    reading: str | None = field(default=None, repr=False)


@dataclass
class RedactFile:
    """Redacts one file after another with one policy: what a worker does."""

    policy: Policy
    overwrite: bool = False

    @cached_property
    def redactor(self) -> Redactor:
        redactor = Redactor(self.policy)
        redactor.load()
        return redactor

    @cached_property
    def listed(self) -> ListDetector | None:
        """What tells which entries of lists a file has; none if the policy does not look for them."""
        return ListDetector.from_policy(self.policy) if "lists" in self.policy.components.detectors else None

    def __call__(self, task: Task) -> Result:
        job = task.job
        if os.path.lexists(job.target) and not self.overwrite:
            raise OutputError(f"{job.target} exists; choose another name or allow overwriting (--overwrite)")
        document = self.redactor.read(job.source)
        if task.reading is not None and task.reading != document.reading:
            raise DocumentError("the file has changed since its entities were numbered; run it again")
        redaction = self.redactor.redact(document, numbers=task.numbers, compare=job.audit is not None)
        save(self.redactor, redaction, job, document, overwrite=self.overwrite)
        return replace(result(redaction, job, document), met=self.listed.met(document) if self.listed else frozenset())


def result(redaction: Redaction, job: Job, source: Document) -> Result:
    """What is told of a redaction that was saved."""
    named, holds = _named_by(Path(job.target).name, redaction, source), redaction.holds
    return Result(
        index=0,
        status="done",
        output=job.target,
        format=redaction.document.format,
        removed=redaction.plan.removed,
        notices=redaction.notices,
        characters=len(redaction.document.text),
        risk_stays=not holds or named,
        doubtful=len(redaction.plan.doubtful),
        notes=(
            *(f"{risk.secret}: {note}" for risk in redaction.plan.risks for note in risk.notes),
            *([_rounds(redaction)] if redaction.rounds else []),
            *(["no report that can be released: what wins would be named in it"] if job.audit and not holds else []),
            *(["the name of the file has words that were removed from its text: give it another"] if named else []),
        ),
        risks=tuple(_change(risk) for risk in redaction.plan.risks),
        attacks=tuple(f"{each.attack} finds {each.secret}" for each in redaction.outcomes if each.wins),
    )


def _named_by(name: str, redaction: Redaction, source: Document) -> bool:
    """Whether a file's name has what its text no longer has because it tells a secret. Names that were found are taken
    out of it by `Names`; which other words tell is known only now.
    """
    from withhold.learners.features import words
    from withhold.planners.edits import LABEL as CLUE

    clues = [edit.span for edit in redaction.plan.edits if edit.label == CLUE]
    gone = {word for text in excerpt(source, clues) for word in words(text)}
    said = gone.intersection(words(name)).difference(words(redaction.document.text))
    return any(len(word) > 2 for word in said)


def _rounds(redaction: Redaction) -> str:
    """What attacks have cost, in words."""
    times = "once" if redaction.rounds == 1 else f"{redaction.rounds} times"
    return f"an attack won at first: planned anew {times}, more strictly, until " + (
        "none did" if not any(each.wins for each in redaction.outcomes) else "that helped no more"
    )


def _change(risk: Risk) -> str:
    """What a redaction has done about a risk, in words."""
    if risk.measure == "share":
        levels = f"{risk.before:.1%} before, {risk.after:.1%} now; at most {risk.ceiling:.1%} is asked for"
    else:
        ranks = [round(1 / level) if level else "none" for level in (risk.before, risk.after, risk.ceiling)]
        levels = "rank {} before, {} now; {} is asked for".format(*ranks)
    return f"{risk.secret}: {levels}"


def redact_all(
    jobs: Sequence[Job],
    policy: Policy,
    *,
    workers: int = 1,
    seconds: float | None = None,
    overwrite: bool = False,
    every: Sequence[Job] = (),
    track: Track = untracked,
) -> Iterator[Result]:
    """Redact every file, each in a worker process, and tell how each ended as soon as it has.

    A file that cannot be redacted safely is reported and has no output; the others are still done. If operators number
    entities, all files are looked through first, so that an entity has one number in all of them: those of `every`,
    if the jobs are only what is left of a batch.
    """
    for job in jobs:
        if job.ledger is None and needs_ledger(policy):
            raise SecretKeyError("pseudonyms with a key need a folder for ledgers, away from the output (--ledger)")
    batch = every or jobs
    known: Register | None = None
    if len(batch) > 1 and Redactor(policy).counts:
        sources = [job.source for job in batch]
        known = Register(sources)
        found = pool.run(NameEntities(policy), sources, jobs=workers, seconds=seconds)
        for looked in track(found, len(batch), "Numbering"):
            known.add(looked)
    yield from _redact(jobs, RedactFile(policy, overwrite), known, workers, seconds)


def _redact(
    jobs: Sequence[Job], work: RedactFile, known: Register | None, workers: int, seconds: float | None
) -> Iterator[Result]:
    lost = {} if known is None else known.failed
    left = [index for index, job in enumerate(jobs) if job.source not in lost]
    for index, job in enumerate(jobs):
        if job.source in lost:
            yield _failed(lost[job.source], index)
    tasks = (Task(jobs[index]) if known is None else Task(jobs[index], *known.of(jobs[index].source)) for index in left)
    for ended in pool.run(work, tasks, jobs=workers, seconds=seconds):
        index = left[ended.index]
        if ended.value is not None:
            yield replace(ended.value, index=index, seconds=ended.seconds)
        else:
            yield _failed(ended, index)


def _failed(ended: pool.Ended[Any], index: int) -> Result:
    return Result(index, ended.status, seconds=ended.seconds, error=ended.error, message=ended.message)


def needs_ledger(policy: Policy) -> bool:
    """Whether the policy makes pseudonyms that only a ledger can undo."""
    used = {policy.operators.default, *policy.operators.labels.values()}
    return policy.operators.key is not None and "pseudonymise" in used


@dataclass
class TellAgain:
    """Tells of outputs of an earlier run, one after another, whether they hold: what a worker does."""

    policy: Policy

    @cached_property
    def redactor(self) -> Redactor:
        return Redactor(self.policy)

    def __call__(self, job: Job) -> bool:
        from withhold.learners.features import is_feature, words

        output, source = self.redactor.read(job.target), self.redactor.read(job.source)
        if any(risk.stays for risk in self.redactor.assess(output, source)):
            return False
        known = {word for word in words(source.text) if is_feature(word)}
        won = [outcome for outcome in self.redactor.attack(output, source) if outcome.wins]
        # Where marks stand is not known any more. Whoever went by a pseudonym has found nothing of the source.
        return all(each.telling and known.isdisjoint(_read_in(output, each.telling)) for each in won)


def _read_in(document: Document, spans: Sequence[Span]) -> Iterator[str]:
    from withhold.learners.features import words

    return (word for text in excerpt(document, spans) for word in words(text))


def to_do(
    jobs: Sequence[Job], policy: Policy, *, workers: int = 1, seconds: float | None = None
) -> tuple[list[Job], int, int]:
    """The jobs without an output, how many have one, and in how many of those a risk stays or an attack wins. An output
    is there whole or not at all, so it is done. It is assessed and attacked again; one that cannot be does not hold.
    """
    undone, done = [], []
    for job in jobs:
        if not os.path.lexists(job.target):
            undone.append(job)
            if job.audit is not None and os.path.lexists(job.audit):
                # It is of a run that stopped between the audit and the output.
                for name in names(job.audit):
                    Path(name).unlink(missing_ok=True)
                _note(job, "undone")
        else:
            done.append(job)
    told = pool.run(TellAgain(policy), done, jobs=workers, seconds=seconds)
    return undone, len(done), sum(each.value is not True for each in told)


def save(redactor: Redactor, redaction: Redaction, job: Job, source: Document, *, overwrite: bool = False) -> None:
    """Write the output, with its ledger and its audit: all of them, or none; then what was there before is there again.

    Raises:
        SecretKeyError: if there is a ledger and no place for it.
        OutputError: if a file exists or cannot be written.
    """
    if redaction.ledger is not None and job.ledger is None:
        raise SecretKeyError("pseudonyms with a key need a folder for ledgers, away from the output (--ledger)")
    private: dict[str, bytes] = {}
    if redaction.ledger is not None and job.ledger is not None:
        private[job.ledger] = redaction.ledger.to_bytes()
    if job.audit is not None:
        private |= editions(redactor.audit(redaction), job.audit)
    former = _former(job) if overwrite else None
    with contextlib.ExitStack() as undo:
        for path, data in private.items():
            _put(path, data, undo, overwrite=overwrite)
        if job.audit is not None:
            # Nothing is there that the log does not know of: it comes before the output.
            digest = hashlib.sha256(private[job.audit]).hexdigest()
            _note(job, "redacted", digest=digest, result=redaction.document.digest)
            if former is not None:
                undo.callback(_note, job, "redacted", digest=former[0], result=former[1])
            undo.callback(_note, job, "undone")
        _put(job.target, redaction.document.native, undo, overwrite=overwrite)
        undo.pop_all()
    if job.audit is not None:
        for stale in set(names(job.audit)) - private.keys():
            Path(stale).unlink(missing_ok=True)


def _former(job: Job) -> tuple[str, str] | None:
    """The digests of the report that a job has from before, and of what that is of."""
    if job.audit is None or not is_file(job.audit):
        return None
    data = Path(job.audit).read_bytes()
    with contextlib.suppress(MalformedData):
        return hashlib.sha256(data).hexdigest(), Report.from_bytes(data).result
    return None


def _put(path: str, data: bytes, undo: contextlib.ExitStack, *, overwrite: bool) -> None:
    was = Path(path).read_bytes() if overwrite and is_file(path) else None
    make_folder(Path(path).parent)
    write(path, data, overwrite=overwrite)
    if was is None:
        undo.callback(Path(path).unlink)
    else:
        undo.callback(write, path, was, overwrite=True)


def _note(job: Job, event: log.Event, **digests: str) -> None:
    """Add to the log of audits what has become of the report of a job."""
    if job.log is not None and job.audit is not None:
        report = Path(os.path.relpath(job.audit, Path(job.log).parent)).as_posix()
        log.append(job.log, event, report=report, **digests)


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from None


def lay_out(
    sources: Sequence[Path],
    folder: Path,
    policy: Policy,
    *,
    ledgers: Path | None = None,
    audits: Path | None = None,
) -> tuple[list[Job], list[LeftOut]]:
    """Where the output of every file goes under `folder`, and which files were left out: hidden ones, links, and
    the policy with its lists, its models, its corpus and its key.

    Relative paths are kept, in cleaned names; of several sources, folders keep their own name too. Two outputs
    of the same name are told apart by numbers.

    Raises:
        OutputError: if outputs would land among inputs.
        DocumentError: if a folder cannot be listed.
    """
    for source in sources:
        if is_folder(source) and (folder.resolve() == source.resolve() or source.resolve() in folder.resolve().parents):
            raise OutputError(f"{folder} is inside {source}: outputs would be taken for inputs; choose another folder")
        for private in (ledgers, audits):
            if private is not None and source.resolve() in (private.resolve(), *private.resolve().parents):
                raise OutputError(f"{private} is inside {source}: the next run would release it; choose another folder")
    for private in (ledgers, audits):
        if private is not None and folder.resolve() in (private.resolve(), *private.resolve().parents):
            raise OutputError(f"{private} is inside the output folder: it must not travel with what is released")
    files, left_out = _files(sources)
    own = {path.resolve() for path in _own(policy)}
    kept = [(source, relative) for source, relative in files if own.isdisjoint(_with_parents(source))]
    used = {source for source, _ in kept}
    left_out += [LeftOut(str(source), "policy") for source, _ in files if source not in used]
    cleaner, taken = Names(policy), set[str]()
    jobs = []
    for source, relative in kept:
        target = numbered(cleaner.clean(relative), taken)
        ledger = str(ledgers / f"{target}.ledger") if ledgers else None
        audit = str(audits / f"{target}.audit.json") if audits else None
        jobs.append(Job(str(source), str(folder / target), ledger, audit, str(audits / log.NAME) if audits else None))
    spare([Path(job.source) for job in jobs], [Path(job.target) for job in jobs])
    return jobs, left_out


def _own(policy: Policy) -> list[Path]:
    """The files of a policy, and the folders of its models and its corpus: they are full of names and words."""
    detection, corpus = policy.detection, policy.corpus
    fitted = (detection.fitted, detection.network, *(secret.fitted for secret in policy.secret))
    folders = (*fitted, corpus.index, corpus.cache)
    return policy.own_files() + [policy.resolve(folder) for folder in folders if folder]


def _with_parents(path: Path) -> set[Path]:
    return {path.resolve(), *path.resolve().parents}


def spare(sources: Sequence[Path], targets: Sequence[Path]) -> None:
    """Refuse to write over any input, by whatever name it goes."""
    inputs = {_identity(source) for source in sources if is_there(source)}
    for target in targets:
        if is_there(target) and _identity(target) in inputs:
            raise OutputError(f"{target} is an input; choose another output")


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _files(sources: Sequence[Path]) -> tuple[list[tuple[Path, PurePath]], list[LeftOut]]:
    """Every file with its path relative to where it was asked for, in order, each once. What a link in a folder leads
    to was not asked for: it may be any file of the machine.
    """
    found: dict[Path, PurePath] = {}
    left_out: list[LeftOut] = []
    for source in sources:
        if not is_folder(source):
            found.setdefault(source, PurePath(source.name))
            continue
        base = PurePath(source.resolve().name) if len(sources) > 1 else PurePath()
        for path in sorted(_below(source)):
            relative = path.relative_to(source)
            if path.is_dir() and not path.is_symlink():
                continue
            if _is_hidden(relative):
                left_out.append(LeftOut(str(path), "hidden"))
            elif path.is_symlink():
                left_out.append(LeftOut(str(path), "link"))
            else:
                found.setdefault(path, base / relative)
    return list(found.items()), left_out


def _below(folder: Path) -> Iterator[Path]:
    """Everything below a folder. One that cannot be listed is an error: nobody would miss what is in it."""

    def refuse(error: OSError) -> None:
        if not _is_hidden(Path(error.filename).relative_to(folder)):
            raise DocumentError(f"{error.filename} cannot be listed: {error.strerror}") from None

    for parent, folders, files in os.walk(folder, onerror=refuse):
        yield from (Path(parent, name) for name in (*folders, *files))


def _is_hidden(relative: PurePath) -> bool:
    return any(part.startswith((".", "~$")) for part in relative.parts)
