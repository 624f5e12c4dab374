"""A report checked again: by the file, and as far as they are given by the source and the policy it was made by."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from withhold import formats
from withhold.codec import Value
from withhold.errors import DocumentError, LeakError, MalformedData, PlanError, PluginError, WithholdError
from withhold.files import read_bytes
from withhold.formats.blocks import Changes
from withhold.formats.residue import Names, search, sought
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.reports import log, provenance
from withhold.reports.release import STEP, Release, Tried, tried
from withhold.reports.report import Report
from withhold.spans import Span
from withhold.types import Document, Outcome, Redaction, Replacement

_MEGABYTES = 64
_NEAR = 1e-9
_AGAIN = ("verification", "notices", "format", "bounds", "seeds")
"""What a report says besides that follows from the plan, the source and the policy."""


@dataclass(frozen=True, slots=True)
class Check(Value):
    """One thing that was checked again, or why it was not."""

    check: str
    result: Literal["holds", "fails", "not checked"]
    why: str = ""


def load(path: str | Path) -> Report | Release:
    """The report in a file, of either edition.

    Raises:
        DocumentError: if the file cannot be read.
        MalformedData: if there is no report in it.
    """
    import json

    data = read_bytes(path, _MEGABYTES)
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError):
        raise MalformedData("not a report: not JSON; give NAME.audit.json or NAME.release.json") from None
    released = isinstance(plain, dict) and plain.get("edition") == "releasable"
    try:
        return Release.from_json(plain) if released else Report.from_json(plain)
    except MalformedData as error:
        raise MalformedData(f"not a report: {error}") from None


def verify(
    report: Report | Release, file: Path, *, policy: Policy | None = None, source: Path | None = None
) -> list[Check]:
    """Everything that can be checked again. Nothing is changed.

    Raises:
        DocumentError: if a file cannot be read at all.
    """
    return list(_Again(report, file, policy, source).checks())


def verify_log(folder: Path, head: str = "") -> tuple[list[Check], str]:
    """Whether the log of a folder is whole, and every report in it the one that was logged; and its head.

    Raises:
        OutputError: if there is no log.
    """
    chain = log.check(folder, head)
    checks = [Check(_line(flaw), "fails", flaw.what) for flaw in chain.flaws]
    told = f"lines: {len(chain.entries)}, reports: {len(chain.current)}"
    if not checks:
        checks = [Check("chain of the log", "holds", told)]
    return checks + [Check(_line(note), "holds", note.what) for note in chain.notes], chain.head


def _line(flaw: log.Flaw) -> str:
    return f"log, line {flaw.line}" if flaw.line else "log"


class _Again:
    """One report, and what there is to check it by."""

    def __init__(self, report: Report | Release, file: Path, policy: Policy | None, source: Path | None) -> None:
        self.report, self.policy = report, policy
        self.redactor = Redactor(policy)
        megabytes = self.redactor.policy.files.max_megabytes
        self.name, self.data = file.name, read_bytes(file, megabytes)
        self.source = None if source is None else (source.name, read_bytes(source, megabytes))

    def checks(self) -> Iterator[Check]:
        yield from self._numbers()
        yield _same("digest of the file", hashlib.sha256(self.data).hexdigest(), self.report.result)
        yield from self._file()
        yield from self._given()
        if isinstance(self.report, Report):
            yield from self._removed(self.report)
            yield from self._carried_out(self.report)
            yield self._made_again(self.report)
        else:
            why = "a releasable report does not say what was removed; give the internal one"
            yield from (Check(each, "not checked", why) for each in ("kept text", "removed text", "plan carried out"))
            yield self._released_again(self.report)
        yield self._attacks()

    def _numbers(self) -> Iterator[Check]:
        """What the report says of itself: no file is needed for it."""
        report = self.report
        outcomes = report.outcomes if isinstance(report, Report) else report.attacks
        wrong = [each.attack for each in outcomes if not _possible(each, report_step(report))]
        if isinstance(report, Release) and not _numbered(report):
            wrong.append("those of secrets, or the step")
        why = f"no shares, or not in their interval: {', '.join(wrong)}" if wrong else f"outcomes: {len(outcomes)}"
        yield Check("numbers of the report", "fails" if wrong else "holds", why)
        for name, bound in report.bounds.items():
            if not bound.method:
                yield Check(f"bound: {name}", "not checked", "the report does not have what it was worked out from")
                continue
            try:
                least = provenance.least(bound)
            except (KeyError, ValueError, OverflowError):
                least = math.inf
            # A bound may allow for more than its counts do, such as for documents that differ.
            right = least - _NEAR <= bound.value <= 1
            yield Check(f"bound: {name}", "holds" if right else "fails", f"by its counts at least {least:.2%}")

    def _file(self) -> Iterator[Check]:
        """The file alone: it can be read, and holds nothing that would go if it were cleaned once more."""
        try:
            result = self.result
            hidden = {each.kind for each in formats.named(result.format).inspect(self.data)}
            places = sum(1 for _ in formats.named(result.format).passages(self.data))
            cleaned, notices, _ = formats.rewrite(result, [])
        except WithholdError as error:
            yield Check("the file reads", "fails", str(error))
            return
        is_named = self.report.format in ("", "other", result.format)
        yield Check("the file reads", "holds" if is_named else "fails", f"as {result.format}")
        told = self.report.passages if isinstance(self.report, Release) else self.report.verification.passages
        yield Check("places of the file", "holds" if places == told else "fails", f"seen by another reader: {places}")
        if cleaned.native == self.data:
            # Such as the field code of a page number: a redaction keeps what it has looked into.
            why = f"kept by every redaction: {', '.join(sorted(hidden))}" if hidden else ""
            yield Check("nothing hidden in the file", "holds", why)
        else:
            gone = sorted({each.kind for each in notices if each.action != "kept unexamined"} or hidden)
            yield Check("nothing hidden in the file", "fails", ", ".join(gone) or "it is not as a redaction writes it")

    @cached_property
    def result(self) -> Document:
        return self.redactor.read(self.data, name=self.name)

    @cached_property
    def document(self) -> Document | None:
        """The source, if it is given and reads as it did when the report was made."""
        if self.source is None:
            return None
        name, data = self.source
        document = self.redactor.read(data, name=name)
        if isinstance(self.report, Report):
            self.report.plan.check(document)
        return document

    def _given(self) -> Iterator[Check]:
        """Whether the source and the policy are those of the report, and what the policy names is as it was."""
        report = self.report
        if not isinstance(report, Report):
            if report.versions.get("withhold") == provenance.versions(Policy())["withhold"]:
                yield _all_same("digests of models", provenance.shipped(), dict(report.models))
            else:
                yield Check("digests of models", "not checked", "another version of withhold is installed here")
            return
        if self.source is None:
            yield Check("digest of the source", "not checked", "give --source FILE")
        else:
            told = report.source if report.plan.source in (None, report.source) else ""
            yield _same("digest of the source", hashlib.sha256(self.source[1]).hexdigest(), told)
        if self.policy is None:
            yield Check("digest of the policy", "not checked", "give --policy FILE")
            return
        why = "it is another one, or options were added to it"
        yield _same("digest of the policy", self.policy.digest, report.policy, why)
        yield _all_same("digests of models, lists and corpus", provenance.inputs(self.policy), dict(report.inputs))
        there = provenance.versions(self.policy)
        others = sorted(name for name in {*there, *report.versions} if there.get(name) != report.versions.get(name))
        why = f"others are installed here: {', '.join(others)}" if others else ""
        yield Check("versions", "not checked" if others else "holds", why)

    def _removed(self, report: Report) -> Iterator[Check]:
        """What the plan removes is in no byte of the file, and all else of the source is in it, as it was."""
        names = ("kept text", "removed text")
        try:
            document, result = self.document, self.result
        except (DocumentError, PlanError) as error:
            yield from (Check(name, "not checked", str(error)) for name in names)
            return
        if document is None:
            yield from (Check(name, "not checked", "give --source FILE") for name in names)
            return
        changes = Changes(document, [Replacement(edit.span, "") for edit in report.plan.edits])
        gaps = _between(document, changes, result)
        why = "the rest of the source is in the file, word for word" if gaps is not None else "something else changed"
        yield Check("kept text", "fails" if gaps is None else "holds", why)
        wanted = sought(changes.removed, [block.span.of(result.text) for block in result.blocks])
        found = list(search(list(formats.named(result.format).passages(self.data)), wanted))
        told = Names(needle.text for needle in wanted if sum(letter.isalpha() for letter in needle.text) >= 3)
        places = sorted({each.where for each in found} | {"marks" for gap in gaps or () if told.told_by(gap)})
        why = f"strings looked for: {len(wanted)}" if not places else f"found in: {', '.join(places[:5])}"
        yield Check("removed text", "fails" if places else "holds", why)

    @cached_property
    def _redaction(self) -> Redaction | None:
        """The plan of the report carried out again, if there is all that takes."""
        if self.policy is None or self.source is None or not isinstance(self.report, Report):
            return None
        assert self.document is not None
        return self.redactor.apply(self.report.plan, self.document)

    def _carried_out(self, report: Report) -> Iterator[Check]:
        """The plan gives the same file again, and the risk models say of it what they said."""
        try:
            redaction = self._redaction
        except (DocumentError, PlanError, PluginError) as error:
            yield Check("plan carried out", "not checked", str(error))
            return
        except LeakError as error:
            yield Check("plan carried out", "fails", str(error))
            return
        if redaction is None:
            yield Check("plan carried out", "not checked", "give --policy FILE and --source FILE")
            return
        if redaction.document.native == self.data:
            yield Check("plan carried out", "holds", "the same file, byte for byte")
            made = self.redactor.audit(redaction)
            wrong = [name for name in _AGAIN if getattr(made, name) != getattr(report, name)]
            why = f"others: {', '.join(wrong)}" if wrong else ""
            yield Check("rest of the report", "fails" if wrong else "holds", why)
        elif self.redactor.counts:
            yield Check("plan carried out", "not checked", "what was numbered in a batch has other numbers alone")
        else:
            yield Check("plan carried out", "fails", "it gives another file")
        if report.risks:
            now = {risk.secret: (risk.after, risk.ceiling) for risk in redaction.plan.risks}
            others = [risk.secret for risk in report.risks if not _near(now.get(risk.secret), risk.after, risk.ceiling)]
            why = f"other levels: {', '.join(others)}" if others else f"the same again: {len(report.risks)}"
            yield Check("risks", "fails" if others else "holds", why)

    def _made_again(self, report: Report) -> Check:
        """Labels, reasons, notes and rounds, by redacting the source once more as the policy says.

        A plan that a person has changed gives another file than the policy alone, and then nothing can be said.
        """
        name = "plan made again"
        if self.policy is None or self.source is None:
            return Check(name, "not checked", "give --policy FILE and --source FILE")
        if provenance.versions(self.policy) != dict(report.versions):
            return Check(name, "not checked", "other versions are installed here")
        try:
            assert self.document is not None
            made = self.redactor.audit(self.redactor.redact(self.document))
        except PlanError as error:
            return Check(name, "fails", str(error))
        except WithholdError as error:
            return Check(name, "not checked", str(error))
        if made.result != report.result:
            return Check(name, "not checked", "the policy alone gives another file: a person has changed the plan")
        wrong = sorted(key for key, told in _decided(made).items() if told != _decided(report)[key])
        return _again(name, wrong, fewer=_places(report) < _places(made))

    def _released_again(self, report: Release) -> Check:
        """All that a releasable report says, by redacting the source once more as the policy says."""
        name = "report made again"
        if self.policy is None or self.source is None:
            return Check(name, "not checked", "give --policy FILE and --source FILE")
        try:
            assert self.document is not None
            made = self.redactor.audit(self.redactor.redact(self.document)).releasable()
        except WithholdError as error:
            return Check(name, "not checked", str(error))
        if made.versions != report.versions:
            return Check(name, "not checked", "other versions are installed here")
        if made.result != report.result:
            return Check(name, "not checked", "the policy alone gives another file: a person has changed the plan")
        told = report.to_json()
        wrong = sorted(key for key, value in made.to_json().items() if value != told[key])
        return _again(name, wrong, fewer=made.doubtful and not report.doubtful)

    def _attacks(self) -> Check:
        """The attacks of the policy, tried again."""
        if not (self.report.outcomes if isinstance(self.report, Report) else self.report.attacks):
            return Check("attacks", "not checked", "the report has none")
        if self.policy is None:
            return Check("attacks", "not checked", "give --policy FILE")
        try:
            redaction, document = self._redaction, self.document
            same = redaction is not None and redaction.document.native == self.data
            outcomes = self.redactor.attack(redaction if redaction is not None and same else self.result, document)
        except WithholdError as error:
            return Check("attacks", "not checked", str(error))
        others, compared = self._differing(outcomes, same)
        if others and not same and not _marked(self.policy):
            why = f"other outcomes, but without the source nobody knows which words are marks: {', '.join(others)}"
            return Check("attacks", "not checked", why)
        if others:
            return Check("attacks", "fails", f"other outcomes: {', '.join(others)}")
        if not compared:
            return Check(
                "attacks", "not checked", "none could be tried again" + ("" if document else "; give --source")
            )
        return Check("attacks", "holds", f"the same again: {compared}")

    def _differing(self, outcomes: Sequence[Outcome], same: bool) -> tuple[list[str], int]:
        """Which outcomes are not what the report says, or not in it, and how many could be compared. What was the
        `same` redaction has the same outcomes, all of them.
        """
        report = self.report
        if isinstance(report, Report):
            told = {(each.attack, each.secret): each for each in report.outcomes if each.trials}
            pairs = [(each, told.get((each.attack, each.secret))) for each in outcomes if each.trials]
            others = [
                new.attack
                for new, old in pairs
                if (same or new.wins if old is None else not _alike(new, old, same=same))
            ]
            return others, sum(old is not None for _, old in pairs)
        assert self.policy is not None
        numbers = {secret.name: number for number, secret in enumerate(self.policy.secret, 1)}
        known = {(each.attack, each.secret): each for each in report.attacks if each.trials}
        again = [tried(each, numbers, place) for place, each in enumerate(outcomes, 1) if each.trials]
        both = [(each, known[each.attack, each.secret]) for each in again if (each.attack, each.secret) in known]
        wrong = [new.attack for new, old in both if _shown(new) != _shown(old)]
        return wrong + [each.attack for each in outcomes if each.wins and each.attack not in wrong], len(both)


def _again(name: str, wrong: Sequence[str], *, fewer: bool) -> Check:
    """Whether a report is as it was made again. If only `fewer` places are doubtful in it, a person may have decided
    that the others stay, which no file shows.
    """
    if fewer and list(wrong) == ["doubtful"]:
        why = "fewer doubtful places than the policy alone leaves: a person decided about them, or they were taken out"
        return Check(name, "not checked", why)
    return Check(name, "fails" if wrong else "holds", f"others: {', '.join(wrong)}" if wrong else "")


def _places(report: Report) -> set[tuple[Span, str, float]]:
    """The doubtful places, but for the numbers of entities."""
    return {(each.span, each.label, each.score) for each in report.plan.doubtful}


def _decided(report: Report) -> dict[str, object]:
    """What was decided on the way to the file. Entities are numbered anew, since they have other numbers in a batch."""
    plain = report.to_json()
    plan = dict(plain["plan"])
    numbers: dict[tuple[str, int], int] = {}
    for key in ("edits", "doubtful"):
        plan[key] = [_numbered_anew(each, numbers) for each in plan.get(key, ())]
    told = [(each.get("note"), each.get("telling")) for each in plain["outcomes"]]
    return {**plan, "notes": told, "rounds": plain["rounds"]}


def _numbered_anew(plain: dict[str, Any], numbers: dict[tuple[str, int], int]) -> dict[str, Any]:
    entity = plain.get("entity")
    return plain if entity is None else {**plain, "entity": numbers.setdefault((plain["label"], entity), len(numbers))}


def _possible(outcome: Outcome | Tried, step: float) -> bool:
    """Whether an outcome has shares only, and its result lies in its interval but for rounding to steps."""
    low, high = outcome.interval
    shares = (outcome.baseline or 0.0, outcome.result, low, high, outcome.before or 0.0)
    if not all(0 <= share <= 1 for share in shares):
        return False
    return not outcome.trials or low - step <= outcome.result <= high + step


def _numbered(release: Release) -> bool:
    """Whether secrets are numbered from 1, attacks are on one of them or none, and shares are rounded as they are."""
    several = len(release.secrets)
    known = [each.secret for each in release.secrets] == list(range(1, several + 1))
    return known and all(0 <= each.secret <= several for each in release.attacks) and release.step == STEP


def report_step(report: Report | Release) -> float:
    """How far rounding can have moved a share."""
    return _NEAR if isinstance(report, Report) else report.step / 2 + _NEAR


def _same(check: str, found: str, told: str, why: str = "it is another one") -> Check:
    return Check(check, "holds") if found == told else Check(check, "fails", why)


def _all_same(check: str, found: dict[str, str], told: dict[str, str]) -> Check:
    others = sorted(name for name in {*found, *told} if found.get(name) != told.get(name))
    return Check(
        check, "fails" if others else "holds", f"others: {', '.join(others)}" if others else f"files: {len(told)}"
    )


def _near(found: tuple[float, float] | None, *told: float) -> bool:
    return found is not None and all(
        math.isclose(new, old, abs_tol=_NEAR) for new, old in zip(found, told, strict=True)
    )


def _alike(new: Outcome, old: Outcome, *, same: bool) -> bool:
    numbers = [(new.baseline, old.baseline), (new.result, old.result), *zip(new.interval, old.interval, strict=True)]
    if new.before is not None and old.before is not None:
        numbers.append((new.before, old.before))
    elif same and new.before is not old.before:
        return False
    same = all(math.isclose(a, b, abs_tol=_NEAR) for a, b in numbers)
    return same and (new.trials, new.wins) == (old.trials, old.wins)


def _shown(outcome: Tried) -> tuple[object, ...]:
    """What of an outcome of the releasable edition needs no source to be worked out again."""
    return outcome.baseline, outcome.result, outcome.interval, outcome.trials


def _marked(policy: Policy) -> bool:
    """Whether all that a policy writes is its mark."""
    operators = {policy.operators.default, *policy.operators.labels.values()}
    return operators == {"suppress"} and all(find.replacement is None for find in policy.find)


def _between(document: Document, changes: Changes, result: Document) -> list[str] | None:
    """What stands in the file in place of what was removed, if all else is as it was; None if it is not."""
    found = [text for block in result.blocks if (text := block.span.of(result.text))]
    paths: dict[int, list[str]] = {0: []}
    for index, block in enumerate(document.blocks):
        if not block.span:
            continue
        local = changes.local.get(index, [])
        pieces, at, text = [], 0, block.span.of(document.text)
        for change in local:
            pieces.append(text[at : change.span.start])
            at = change.span.end
        pieces.append(text[at:])
        onward: dict[int, list[str]] = {}
        for place, gaps in paths.items():
            if place < len(found) and (between := _gaps(pieces, found[place])) is not None:
                onward.setdefault(place + 1, [*gaps, *between])
            if local and not "".join(pieces).strip(" "):
                onward.setdefault(place, gaps)
        paths = onward
    return paths.get(len(found))


def _gaps(pieces: Sequence[str], text: str) -> list[str] | None:
    """What stands between the pieces in a text that consists of them and of something between each two; None if it does
    not. Spaces beside a gap may be fewer than there were.
    """
    if len(pieces) == 1:
        return [] if text == pieces[0] else None
    first, last = pieces[0].rstrip(" "), pieces[-1].lstrip(" ")
    if not text.startswith(first) or not text.endswith(last) or len(first) + len(last) > len(text):
        return None
    gaps, at, end = [], len(first), len(text) - len(last)
    for piece in (each.strip(" ") for each in pieces[1:-1]):
        start = text.find(piece, at, end)
        if start < 0:
            return None
        gaps.append(text[at:start])
        at = start + len(piece)
    return [*gaps, text[at:end]]
