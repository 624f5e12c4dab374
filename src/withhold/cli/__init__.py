"""The command line: one verb per command, results on stdout, words on stderr.

Exit codes: 0 done, 1 error, 2 usage, 3 done but a risk stays, an attack wins or is not tried, or a check finds a fault,
130 stopped by Ctrl-C.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from withhold import console

if TYPE_CHECKING:
    from withhold.batch.redact import Job, LeftOut, Result
    from withhold.batch.unfound import Unfound
    from withhold.policy import Policy

# What libraries log may quote a document. Processes that a command starts import this module, too.
logging.lastResort = logging.NullHandler()

_STOPPED = 130
"""The exit code after Ctrl-C, as shells have it."""

# Typer brings its own copy of click or uses the installed one; this is the right one's.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Make documents safe to release: remove what must not be read, and everything hidden, and prove it.",
    epilog="Example: withhold redact memo.docx --find Acme",
)
policies = typer.Typer(no_args_is_help=True, help="Write and check policy files.")
evaluations = typer.Typer(no_args_is_help=True, help="Measure withhold on files of your own.")
app.add_typer(policies, name="policy")
app.add_typer(evaluations, name="evaluate")

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The document.")]
PolicyFile = Annotated[Path | None, typer.Option("--policy", "-p", metavar="FILE", help="A policy file.")]
Terms = Annotated[
    list[str] | None,
    typer.Option("--find", "-f", metavar="TEXT", help="A word or phrase to remove; may be repeated."),
]
Patterns = Annotated[
    list[str] | None,
    typer.Option("--regex", "-r", metavar="RE", help="A regular expression to remove; may be repeated."),
]
Lists = Annotated[
    list[Path] | None,
    typer.Option("--list", metavar="FILE", help="A file of words to remove, one a line; may be repeated."),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--detect",
        "-d",
        metavar="LABELS",
        help="What to find by itself: labels such as PERSON,EMAIL, or direct, quasi, all; parted by commas.",
    ),
]
Label = Annotated[str, typer.Option("--label", metavar="LABEL", help="What to call what these options find.")]
OperatorName = Annotated[
    str | None,
    typer.Option("--operator", metavar="NAME", help="What is put in place: suppress, mask or pseudonymise."),
]
Mark = Annotated[
    str | None, typer.Option("--mark", metavar="TEXT", help="What suppress writes; [REDACTED] if not set.")
]
ReplaceWith = Annotated[str | None, typer.Option("--replace-with", metavar="TEXT", help="Put this text in place.")]
Key = Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Pseudonymise, reversibly, with this key.")]
Ledgers = Annotated[
    Path | None, typer.Option("--ledger", metavar="DIR", help="Where the way back from keyed pseudonyms is kept.")
]
Audits = Annotated[
    Path | None,
    typer.Option("--audit", metavar="DIR", help="Where reports of each file are kept; NAME.release.* can be released."),
]
Anywhere = Annotated[bool, typer.Option("--anywhere", help="Find words inside longer words too.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Files at the same time; 0 is one per processor.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="The time a file may take.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Write over existing outputs; never over an input.")]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line; errors become one line, and no exception shows a value."""
    if arguments is None:
        arguments = sys.argv[1:]
        _results_apart()
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show must not end the program.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    as_json = "--json" in arguments
    try:
        code = app(list(arguments), standalone_mode=False)
    except Exception as error:
        code = _failed(error, as_json)
    except KeyboardInterrupt:
        code = _STOPPED
    if code == _STOPPED:
        console.say("stopped")
    sys.exit(code if isinstance(code, int) else 0)


def _results_apart() -> None:
    """Let nothing but results onto stdout: what libraries written in C print goes to stderr."""
    try:
        sys.stdout = os.fdopen(os.dup(1), "w", encoding=sys.stdout.encoding, errors="replace")
        os.dup2(2, 1)
    except OSError:
        return


def _failed(error: Exception, as_json: bool) -> int:
    from withhold.batch.pool import blame
    from withhold.errors import WithholdError

    if isinstance(error, BrokenPipeError):
        # Whoever read the output has had enough; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    code, message = 1, str(error) if isinstance(error, WithholdError) else blame(error)
    if isinstance(error, typer.Abort):
        message = "stopped"
    elif isinstance(error, _UsageError):
        code, message = 2, error.format_message()  # type: ignore[attr-defined]
        message = f"{message} (--help tells more)" if message else "a command is needed; see above"
    file = next(iter(getattr(error, "__notes__", ())), None)
    console.complain(type(error).__name__, message, file, as_json=as_json)
    return code


@contextmanager
def about(file: Path) -> Iterator[None]:
    """Errors inside are about this file."""
    from withhold.errors import WithholdError

    try:
        yield
    except WithholdError as error:
        error.add_note(str(file))
        raise


def usage(message: str) -> NoReturn:
    raise _UsageError(message)


def _policy(file: Path | None, replacement: str | None, **options: Any) -> Policy:
    """The policy of a file and what the options add to it; its components are there."""
    from withhold import Policy, Redactor
    from withhold.batch.choice import extend

    given = options["terms"] or options["patterns"] or options["lists"]
    options["labels"] = _labels(options["labels"])
    own = Policy.load(file) if file else Policy()
    if not given and not options["labels"] and own.idle:
        usage("nothing to look for: give --find TEXT, --regex RE, --list FILE, --detect LABELS or --policy FILE")
    if replacement is not None and not given:
        usage("--replace-with needs --find, --regex or --list")
    options = {name: value for name, value in options.items() if value is not None}
    policy = extend(own, replacement=replacement, **options)
    redactor = Redactor(policy)
    redactor.load()
    console.disclose(redactor)
    return policy


def _labels(given: str | None) -> list[str]:
    names = [name.strip() for name in (given or "").split(",")]
    if given is not None and not all(names):
        usage("--detect needs labels, parted by commas: --detect PERSON,EMAIL")
    return [name for name in names if name]


def _version(wanted: bool) -> None:
    if wanted:
        from withhold import __version__

        sys.stdout.write(f"withhold {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    pass


@app.command(epilog="Example: withhold read memo.docx | less")
def read(file: File, policy: PolicyFile = None, as_json: AsJson = False) -> None:
    """Print the text that a redaction of the file would look through."""
    from withhold import Policy, Redactor

    with about(file):
        document = Redactor(Policy.load(policy) if policy else None).read(file)
    if as_json:
        blocks = [block.to_json() for block in document.blocks]
        console.print_json({"format": document.format, "text": document.text, "blocks": blocks})
    else:
        console.print_text(document.text)


@app.command(epilog="Example: withhold detect memo.docx --detect PERSON,EMAIL --show")
def detect(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="The documents.")],
    detect: Labels = None,
    policy: PolicyFile = None,
    show: Annotated[bool, typer.Option("--show", help="Show every place, with the words around it.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what names someone, or narrows down who it may be. Nothing is changed.

    Without labels, of a policy or of --detect, everything is looked for.
    """
    from withhold import Policy, Redactor
    from withhold.batch.choice import extend
    from withhold.batch.one import find

    chosen = extend(Policy.load(policy) if policy else Policy(), labels=_labels(detect))
    redactor = Redactor(chosen if chosen.detection.labels else extend(chosen, labels=["all"]))
    redactor.load()
    told = []
    for file in files:
        with about(file):
            document = redactor.read(file)
            told.append((file, *find(document, redactor, show=show)))
    (console.detections_json if as_json else console.detections)(told)


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
    show: Annotated[bool, typer.Option("--show", help="Show every place, with the words around it.")] = False,
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
    _report([job], [result], as_json=as_json)


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
        bool, typer.Option("--resume", help="Go on where an earlier run stopped: leave outputs that are there.")
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
    _report(work, results, left_out, as_json=as_json, stays=stays > 0, missing=missing, folder=output)


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


def _report(
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


@app.command(epilog="Example: withhold inspect memo.docx --show")
def inspect(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="The documents.")],
    show: Annotated[bool, typer.Option("--show", help="Show the hidden text itself.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures", metavar="DIR", help="Write pictures of pages that hide text; they show the document."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List everything in files that a reader does not see. Nothing is changed."""
    from withhold import Redactor

    found = []
    for file in files:
        with about(file):
            found += [(file, hidden) for hidden in Redactor().inspect(file)]
            if pictures is not None:
                _draw(file, pictures)
    if as_json:
        shown = [{"file": str(file), **hidden.to_json()} for file, hidden in found]
        console.print_json(shown if show else [{**each, "text": None} for each in shown])
        return
    rows = [[file.name, each.kind, each.where, each.count, each.text] for file, each in found]
    chosen = slice(0 if len(files) > 1 else 1, 5 if show else 4)
    if rows:
        console.show("Hidden", ("file", "hidden", "where", "#count", "text")[chosen], [row[chosen] for row in rows])
    else:
        console.say("nothing hidden was found")


def _draw(file: Path, folder: Path) -> None:
    """Write the pictures of one file, and say where."""
    from withhold import Redactor
    from withhold.files import write

    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in Redactor().pictures(file):
        console.say(f"written: {write(folder / f'{file.name}.page-{number}.png', picture)}")


@app.command(epilog="Example: withhold plugins --json")
def plugins(as_json: AsJson = False) -> None:
    """List every component that a policy can name, and where it comes from."""
    from withhold.plugins import plugins as installed

    found = installed()
    if as_json:
        console.print_json([each.to_json() for each in found])
    else:
        rows = [(each.kind, each.name, each.distribution, each.target) for each in found]
        console.show("Components", ("kind", "name", "from", "class"), rows)


@app.command(epilog="Example: withhold key -o clients.key")
def key(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The new key file.")],
    as_json: AsJson = False,
) -> None:
    """Make a key for pseudonyms that only its holder can undo."""
    from withhold.operators.pseudonymise import make_key

    make_key(output)
    console.say(f"written: {output}; keep it secret, and keep it: without it pseudonyms cannot be revealed")
    if as_json:
        console.print_json({"output": str(output)})


@app.command(epilog="Example: withhold reveal memo.redacted.docx --ledger l/memo.ledger --key k -o memo.docx")
def reveal(
    file: File,
    ledger: Annotated[Path, typer.Option("--ledger", metavar="FILE", help="The ledger of this very file.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key it was made with.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="The new file.")],
    policy: PolicyFile = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Put the originals back in place of pseudonyms, in a new file."""
    from withhold import Policy
    from withhold.batch.one import reveal_file

    with about(file):
        chosen = Policy.load(policy) if policy else Policy()
        revealed = reveal_file(file, output, chosen, ledger, key, overwrite=overwrite)
    console.say(f"{revealed} pseudonyms revealed; written: {output}")
    if as_json:
        console.print_json({"output": str(output), "revealed": revealed})


@evaluations.command("residue", epilog="Example: withhold evaluate residue contracts/ --json")
def evaluate_residue(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A folder or a ZIP archive of documents.")],
    jobs: Jobs = 0,
    timeout: Timeout = 120,
    libreoffice: Annotated[bool, typer.Option(help="Read with LibreOffice too, if it is installed.")] = True,
    as_json: AsJson = False,
) -> None:
    """Remove the most frequent word of every file, and look for it with readers that share no code with withhold.

    Nothing is written: the redacted files are thrown away. The exit code is 3 if anything was left in any of them.
    """
    from withhold.batch.pool import cores
    from withhold.evaluation.residue import evaluate, rows, troubles

    with about(path):
        report = evaluate(path, jobs=jobs or cores(), seconds=timeout, libreoffice=libreoffice, track=console.track)
    if as_json:
        console.print_json(report)
    else:
        console.show(f"Residue in {path}", ("measure", "#value"), rows(report))
        if problems := troubles(report):
            console.show("Refused, crashed or leaking", ("file", "why"), problems)
    raise typer.Exit(3 if report["residual_hits"] else 0)


from withhold.cli import (  # noqa: E402  (their commands)
    assistant,
    attacks,
    audit,
    concepts,
    corpus,
    detection,
    fitting,
    inference,
    layout,
    linkage,
    mask_type,
    policy,
    publishing,
    serve,
)

__all__ = [
    "app",
    "assistant",
    "attacks",
    "audit",
    "concepts",
    "corpus",
    "detection",
    "fitting",
    "inference",
    "layout",
    "linkage",
    "main",
    "mask_type",
    "policy",
    "publishing",
    "serve",
]
