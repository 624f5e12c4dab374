"""What the command line shows: results on stdout, words and progress on stderr."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from withhold.batch.one import Found
    from withhold.batch.redact import Job, LeftOut, Result
    from withhold.batch.unfound import Unfound
    from withhold.redactor import Redactor
    from withhold.types import Finding, Risk

    Detected = tuple[Path, list[Finding], list[Found], list[tuple[str, str, str]]]

Item = TypeVar("Item")
_NAMED = 5
"""So many of the entries of a list that were not found are numbered in words; as JSON all are."""


def shown(text: object) -> str:
    """Text that is safe on a terminal, in one line: no control characters, no halves of characters."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in str(text))


def print_json(value: object) -> None:
    """One JSON value on stdout, in ASCII, so that no text and no terminal can break it."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def print_text(text: str) -> None:
    """A document's text on stdout. On a terminal, control characters are shown as such and do nothing."""
    if sys.stdout.isatty():
        text = "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.flush()


def say(words: str) -> None:
    """A line of words on stderr."""
    sys.stderr.write("".join(c if c.isprintable() else "\ufffd" for c in words) + "\n")


def complain(kind: str, message: str, file: str | None, *, as_json: bool) -> None:
    """An error: a line of words, and for programs the same as JSON. A document is not blamed for a corpus."""
    file = None if kind == "CorpusError" else file
    say(f"error: {file}: {message}" if file and not message.startswith(file) else f"error: {message}")
    if as_json:
        about = {"file": file} if file else {}
        print_json({"error": {"type": kind, "message": message, **about}})


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout, its title on stderr. Columns whose name starts with `#` are numbers."""
    say(title)
    table = _table(columns)
    for row in rows:
        table.add_row(*(shown(cell) for cell in row))
    _console().print(table)


def track(items: Iterable[Item], total: int, doing: str) -> Iterator[Item]:
    """The items, with a progress bar on stderr if that is a terminal."""
    if total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import track as progress

    yield from progress(items, description=doing, total=total, console=_console(stderr=True), transient=True)


@contextmanager
def counting(doing: str) -> Iterator[Callable[[int], None]]:
    """A function to tell how many there are by now, shown on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _number: None
        return
    with _console(stderr=True).status(doing) as status:
        yield lambda number: status.update(f"{doing}: {number}")


def counts(numbers: Mapping[str, int]) -> str:
    """`3 TERM, 1 PERSON`."""
    return ", ".join(f"{number} {what}" for what, number in sorted(numbers.items()))


def redactions(
    jobs: Sequence[Job],
    results: Sequence[Result],
    left_out: Sequence[LeftOut],
    missing: Sequence[Unfound],
    folder: Path | None,
) -> None:
    """The table of a redaction and what it comes to; of one file there is more to tell."""
    if len(results) == 1 and results[0].status == "done":
        _one_redaction(jobs[0], results[0])
    else:
        rows = [
            (_renamed(job, result, folder), result.format, _removed(result), _hidden(result), result.status)
            for job, result in zip(jobs, results, strict=True)
        ]
        show("Redacted", ("file", "format", "removed", "besides the text", "status"), rows)
    done = [result for result in results if result.status == "done"]
    say(f"{len(done)} of {_plural(len(results), 'file')} done, {_plural(total(done), 'passage')} removed")
    if len(results) > 1 and folder is not None and done:
        say(f"written to: {folder}")
    _nothing(done, missing)
    if left_out:
        say(f"{_plural(len(left_out), 'file')} left out: {_reasons(left_out)}")
    last = max((index for index, result in enumerate(results) if result.doubtful), default=0)
    for index, (job, result) in enumerate(zip(jobs, results, strict=True)):
        if result.output and len(results) == 1:
            say(f"written: {result.output}")
            for risk in result.risks:
                say(risk)
        for note in result.notes:
            say(f"note: {job.source}: {note}")
        for won in result.attacks:
            say(f"warning: {job.source}: an attack still wins: {won}; withhold attack tells more")
        if result.risk_stays and not result.attacks:
            say(f"warning: {job.source}: a risk stays above its ceiling; withhold assess shows by what")
        doubt(job.source, result.doubtful, advise=index == last)
        if result.status != "done":
            complain(result.error, result.message, job.source, as_json=False)


def _one_redaction(job: Job, result: Result) -> None:
    removed: list[tuple[str, object, str]] = [(what, n, "removed") for what, n in sorted(result.removed.items())]
    rows = removed or [("nothing was found", 0, "")]
    rows += [(notice.kind, notice.count, notice.action) for notice in result.notices]
    show(f"Redacted {job.source} ({result.format})", ("what", "#count", "fate"), rows)


def _renamed(job: Job, result: Result, folder: Path | None) -> str:
    """The name of a file, and of what was written if that has another, as names are cleaned of what is found too."""
    if not result.output or folder is None:
        return job.source
    name = PurePath(result.output).relative_to(folder)
    same = PurePath(job.source).parts[-len(name.parts) :] == name.parts
    return job.source if same else f"{job.source} -> {name}"


def _nothing(done: Sequence[Result], missing: Sequence[Unfound]) -> None:
    """Warn of what was looked for and found in no file, and tell which outputs are no redactions."""
    if done and missing:
        told = "; ".join(f"{each.source} number {_some(each.numbers)}" for each in missing)
        say(f"warning: nothing was removed for {told} (files done: {len(done)}); is it spelt as in the files?")
    copies = sum(not result.removed for result in done)
    if len(done) == copies == 1:
        say("nothing was found: it is a clean copy, not a redaction")
    elif copies:
        say(f"nothing was found in {copies} of them: what was written is a clean copy, not a redaction")


def _some(numbers: Sequence[int]) -> str:
    """`2, 5, 6, 9, 12 and 30 more`."""
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return ", ".join(map(str, numbers[:_NAMED])) + more


def redactions_json(
    jobs: Sequence[Job], results: Sequence[Result], left_out: Sequence[LeftOut], missing: Sequence[Unfound]
) -> None:
    """The same for programs; errors are told on stderr all the same."""
    failed = [(job, result) for job, result in zip(jobs, results, strict=True) if result.status != "done"]
    for job, result in failed:
        complain(result.error, result.message, job.source, as_json=False)
    _nothing([result for result in results if result.status == "done"], missing)
    files = [{"file": job.source, **result.to_json()} for job, result in zip(jobs, results, strict=True)]
    done, removed = len(results) - len(failed), total(results)
    ended = {"files": files, "done": done, "failed": len(failed), "removed": removed, "left_out": len(left_out)}
    not_found = [each.to_json() for each in missing] if done else []
    print_json({**ended, "left_out_files": [each.to_json() for each in left_out], "not_found": not_found})


def detections(told: Sequence[Detected]) -> None:
    """What was found in files, by label; and every place, if they are to be shown."""
    for file, _, found, places in told:
        if not found:
            say(f"nothing was found in {file}")
            continue
        rows = [(each.label, each.identifier or "", each.places, each.entities, each.doubtful) for each in found]
        show(f"Found in {file}", ("label", "identifies", "#places", "#entities", "#doubtful"), rows)
        if places:
            show(f"Places in {file}", ("label", "where", "words"), places)


def detections_json(told: Sequence[Detected]) -> None:
    """The same for programs. Words are in it only if they are to be shown."""
    files = []
    for file, findings, found, places in told:
        each: dict[str, Any] = {"file": str(file), "labels": [label.to_json() for label in found]}
        each["findings"] = [finding.to_json() for finding in findings]
        for finding, (_, where, words) in zip(each["findings"], places, strict=bool(places)):
            finding |= {"where": where, "words": words}
        files.append(each)
    print_json({"files": files})


def risks(several: Iterable[Risk]) -> None:
    """Tell what stays, and what a person should know."""
    for risk in several:
        for note in risk.notes:
            say(f"note: {risk.secret}: {note}")
        if risk.stays:
            say(f"warning: {risk.secret} {risk.verdict(risk.after)}")


def disclose(redactor: Redactor) -> None:
    """Tell what will be sent away, before it is."""
    if redactor.disclosure:
        say(redactor.disclosure)


def doubt(file: object, number: int, *, advise: bool = True) -> None:
    """Tell of findings that were too unsure to act upon, and what to do about them."""
    if number:
        places = _plural(number, "doubtful place")
        say(f"look at {file}: {places} left in it, such as a word inside a longer one, or a word that may be a name")
        if advise:
            say(
                "withhold detect --show shows them; --anywhere removes those inside longer words, thresholds the others"
            )


def total(results: Sequence[Result]) -> int:
    """How many passages were removed in all."""
    return sum(sum(result.removed.values()) for result in results)


def _removed(result: Result) -> str:
    if result.status != "done":
        return "not written"
    return counts(result.removed) or "nothing found"


def _reasons(left_out: Sequence[LeftOut]) -> str:
    """`2 hidden, 1 link, 3 of the policy's own`."""
    numbers = Counter[str](each.why for each in left_out)
    told = {"hidden": "hidden", "link": "link" if numbers["link"] == 1 else "links", "policy": "of the policy's own"}
    return ", ".join(f"{numbers[why]} {words}" for why, words in told.items() if numbers[why])


def _hidden(result: Result) -> str:
    """What else became of a file among others: how much was removed, and what was not removed but changed or kept."""
    gone = sum(notice.count for notice in result.notices if notice.action == "removed")
    told = [f"{notice.count} {notice.kind} {notice.action}" for notice in result.notices if notice.action != "removed"]
    return ", ".join([f"{gone} hidden", *told] if gone else told)


def _plural(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _console(**options: Any) -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, **options)


def _table(columns: Sequence[str]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        is_number = column.startswith("#")
        table.add_column(column.removeprefix("#"), justify="right" if is_number else "left", overflow="fold")
    return table
