"""Commands about reports: make a page of one, check one again, check the log."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.concepts import Source
from withhold.cli.options import AsJson, Overwrite, PolicyFile, about, app, flag, usage

if TYPE_CHECKING:
    from withhold.batch.verify import Check

ReportFile = Annotated[Path, typer.Argument(metavar="REPORT", help="What --audit wrote: NAME.audit.json.")]


@app.command("audit", epilog="Example: withhold audit audits/memo.docx.audit.json -o memo.release.html --releasable")
def audit(
    report: ReportFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="A page if its name ends in .html, else JSON.")
    ],
    releasable: Annotated[bool, flag("--releasable", help="The edition that can be released.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Make a page of a report, or its releasable edition.

    The releasable edition has no word of the secret, and nothing by which a guess could be checked. There is none while
    a risk stays or an attack wins.
    """
    from withhold.batch.verify import load
    from withhold.reports.report import Report

    with about(report):
        made = load(report)
    if releasable and isinstance(made, Report):
        made = made.releasable()
    made.write(output, overwrite=overwrite)
    console.say(f"written: {output}" + ("; do not release it" if made.edition == "internal" else ""))
    if as_json:
        console.print_json({"output": str(output), "edition": made.edition, "standing": made.standing})


@app.command("verify", epilog="Example: withhold verify audits/memo.docx.audit.json memo.docx --source original.docx")
def verify(
    report: Annotated[Path | None, typer.Argument(metavar="REPORT", help="A report in JSON.")] = None,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The redacted file.")] = None,
    policy: PolicyFile = None,
    source: Source = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="DIR", help="Check the log of this folder too.")] = None,
    head: Annotated[
        str, typer.Option("--head", metavar="DIGEST", help="A line of the log must have this digest.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check again what a report says, as far as there is something to check it by.

    The file alone shows that it is the one reported on and hides nothing; the source, that what was removed is gone
    and the rest is as it was; the policy, that attacks end as they did. The exit code is 3 if something fails.
    """
    from withhold.batch import verify as again

    if (report is None) != (file is None) or (report is None and log is None):
        usage("give REPORT and FILE, or --log DIR, or all of them")
    checks = _checks(report, file, policy, source) if report and file else []
    logged, end = again.verify_log(log, head) if log else ([], "")
    checks += logged
    if as_json:
        console.print_json({"checks": [check.to_json() for check in checks], "head": end})
    else:
        console.show("Checked again", ("check", "result", "why"), [(c.check, c.result, c.why) for c in checks])
        if report:
            digest = hashlib.sha256(report.read_bytes()).hexdigest()
            console.say(
                f"what was not checked is the word of whoever made the report: ask them whether theirs is {digest}"
            )
        if end:
            console.say(f"head of the log, to be noted elsewhere: {end}")
    raise typer.Exit(3 if any(check.result == "fails" for check in checks) else 0)


def _checks(report: Path, file: Path, policy: Path | None, source: Path | None) -> list[Check]:
    from withhold import Policy, Redactor
    from withhold.batch import verify as again

    chosen = Policy.load(policy) if policy else None
    if chosen is not None:
        console.disclose(Redactor(chosen))
    with about(report):
        made = again.load(report)
    with about(file):
        return again.verify(made, file, policy=chosen, source=source)
