"""`redact`, and `plan` and `apply`, which do it in two steps with a person between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from withhold import console
from withhold.cli.options import (
    Anywhere,
    AsJson,
    Audits,
    File,
    Jobs,
    Key,
    Label,
    Labels,
    Ledgers,
    Lists,
    Mark,
    OperatorName,
    Overwrite,
    Patterns,
    PolicyFile,
    ReplaceWith,
    Terms,
    Timeout,
    about,
    app,
    flag,
    label_names,
    usage,
)

if TYPE_CHECKING:
    from withhold.batch.redact import Job, LeftOut, Result
    from withhold.batch.unfound import Unfound
    from withhold.policy import Policy


@app.command(epilog='Example: withhold redact contracts/ --list clients.txt --mark "[CLIENT]" -o released/')
def redact(
    sources: Annotated[
        list[Path], typer.Argument(metavar="FILE_OR_FOLDER", readable=False, help="Documents, or folders of them.")
    ],
    policy: PolicyFile = None,
    find: Terms = None,
    regex: Patterns = None,
    list_: Lists = None,
    detect: Labels = None,
    anywhere: Anywhere = False,
    label: Label = "TERM",
    operator: OperatorName = None,
    mark: Mark = None,
    replace_with: ReplaceWith = None,
    key: Key = None,
    ledger: Ledgers = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="File or folder; NAME.redacted.EXT for one file."),
    ] = None,
    jobs: Jobs = 0,
    timeout: Timeout = 300,
    overwrite: Overwrite = False,
    resume: Annotated[
        bool, flag("--resume", help="Go on where an earlier run stopped: leave outputs that are there.")
    ] = False,
    audit: Audits = None,
    as_json: AsJson = False,
) -> None:
    """Remove what is found, and everything hidden, from files; names of files are cleaned too.

    The outputs are attacked, and made anew while an attack wins. The inputs stay as they are. An output that cannot be
    shown to be clean is not written.
    """
    from withhold.batch import one, pool, redact, unfound
    from withhold.files import is_folder

    finding = {"terms": find, "patterns": regex, "lists": list_, "labels": detect, "label": label, "anywhere": anywhere}
    chosen = _policy(policy, replace_with, **finding, operator=operator, mark=mark, key=key)
    if redact.needs_ledger(chosen) and ledger is None:
        usage("pseudonyms with a key need --ledger DIR, a folder away from what is released")
    if ledger is not None and not redact.needs_ledger(chosen):
        usage("--ledger goes with pseudonyms and a key: give --key FILE")
    if output is None and (len(sources) > 1 or is_folder(sources[0])):
        usage("several files, or a folder, need -o FOLDER")
    every, left_out = one.lay_out(sources, output, chosen, ledgers=ledger, audits=audit)
    pace: dict[str, Any] = {"workers": jobs or pool.cores(), "seconds": timeout}
    work, stays = _left(every, chosen, pace) if resume else (every, 0)
    ended = redact.redact_all(work, chosen, **pace, overwrite=overwrite, every=every, track=console.track)
    results = _all(console.track(ended, len(work), "Redacting"), len(work), resumes=not overwrite)
    met = {number for result in results for number in result.met}
    missing = unfound.unfound(chosen, met, options=bool(find or regex or list_))
    report(work, results, left_out, as_json=as_json, stays=stays > 0, missing=missing, folder=output)


@app.command(epilog="Example: withhold plan memo.docx --find Acme -o plan.json")
def plan(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PLAN", help="Where to write the plan.")],
    policy: PolicyFile = None,
    find: Terms = None,
    regex: Patterns = None,
    list_: Lists = None,
    detect: Labels = None,
    anywhere: Anywhere = False,
    label: Label = "TERM",
    operator: OperatorName = None,
    show: Annotated[bool, flag("--show", help="Show every place, with the words around it.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Decide what would be removed from a file, and write that down for a person to check."""
    from withhold.batch.one import plan_file, planned

    finding = {"terms": find, "patterns": regex, "lists": list_, "labels": detect, "label": label, "anywhere": anywhere}
    chosen = _policy(policy, None, **finding, operator=operator)
    with about(file):
        made = plan_file(file, output, chosen, overwrite=overwrite)
        found = planned(file, made, chosen) if show and not as_json else []
    if as_json:
        console.print_json({**made.to_json(), "output": str(output)})
    else:
        rows = [(what, number) for what, number in sorted(made.removed.items())] or [("nothing was found", 0)]
        console.show(f"Planned for {file}", ("label", "#to remove"), rows)
        if found:
            console.show("Places", ("label", "where", "words"), found)
        console.doubt(file, len(made.doubtful))
        console.risks(made.risks)
        same = f" -p {policy}" if policy else ""
        console.say(f"written: {output}; carry it out with: withhold apply {output} {file}{same} -o OUT")
    raise typer.Exit(3 if any(risk.stays for risk in made.risks) else 0)


@app.command(epilog="Example: withhold apply plan.json memo.docx -o memo.redacted.docx")
def apply(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="What `withhold plan` wrote.")],
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="The new file.")],
    policy: PolicyFile = None,
    ledger: Ledgers = None,
    overwrite: Overwrite = False,
    audit: Audits = None,
    as_json: AsJson = False,
) -> None:
    """Carry out a plan: a new file, verified to hold nothing of what the plan removes."""
    from withhold import Policy, Redactor
    from withhold.batch.one import apply_plan

    with about(file):
        chosen = Policy.load(policy) if policy else Policy()
        console.disclose(Redactor(chosen))
        job, result = apply_plan(plan, file, output, chosen, ledgers=ledger, audits=audit, overwrite=overwrite)
    report([job], [result], as_json=as_json)


def _policy(file: Path | None, replacement: str | None, **options: Any) -> Policy:
    """The policy of a file and what the options add to it; its components are there."""
    from withhold import Policy, Redactor
    from withhold.batch.choice import extend

    given = options["terms"] or options["patterns"] or options["lists"]
    options["labels"] = label_names(options["labels"])
    own = Policy.load(file) if file else Policy()
    if not given and not options["labels"] and own.idle:
        usage("nothing to look for: give --find TEXT, --regex RE, --list FILE, --detect LABELS or --policy FILE")
    if not all(term.strip() for term in options["terms"] or ()):
        usage("--find needs a word or phrase")
    if replacement is not None and not given:
        usage("--replace-with needs --find, --regex or --list")
    options = {name: value for name, value in options.items() if value is not None}
    policy = extend(own, replacement=replacement, **options)
    redactor = Redactor(policy)
    redactor.load()
    console.disclose(redactor)
    return policy


def _all(ended: Iterable[Result], number: int, *, resumes: bool) -> list[Result]:
    """The results in order. If they are stopped by Ctrl-C, how far they came and how to go on."""
    results: list[Result] = []
    try:
        results.extend(ended)
    except KeyboardInterrupt:
        done = sum(result.status == "done" for result in results)
        advice = "; the same command with --resume does the rest" if resumes else ""
        console.say(f"{done} of {number} {'file' if number == 1 else 'files'} done{advice}")
        raise
    return sorted(results, key=lambda each: each.index)


def _left(every: list[Job], policy: Policy, pace: dict[str, Any]) -> tuple[list[Job], int]:
    """What an earlier run has left to do, and in how many of its outputs a risk stays or an attack wins."""
    from withhold.batch.redact import to_do

    work, done, stays = to_do(every, policy, **pace)
    console.say(f"{done} done before" + (f", in {stays} of them a risk stays or an attack wins" if stays else ""))
    if not work:
        raise typer.Exit(3 if stays else 0)
    return work, stays


def report(
    jobs: list[Job],
    results: list[Result],
    left_out: Sequence[LeftOut] = (),
    *,
    as_json: bool,
    stays: bool = False,
    missing: Sequence[Unfound] = (),
    folder: Path | None = None,
) -> NoReturn:
    """Show how files ended, and exit accordingly."""
    failed = any(result.status != "done" for result in results)
    if as_json:
        console.redactions_json(jobs, results, left_out, missing)
    else:
        console.redactions(jobs, results, left_out, missing, folder)
    raise typer.Exit(1 if failed else 3 if stays or any(result.risk_stays for result in results) else 0)
