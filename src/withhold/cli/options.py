"""What commands share: the program and its groups of commands, options, errors about a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

# Typer brings its own copy of click or uses the installed one; this is the right one's.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

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
fits = typer.Typer(no_args_is_help=True, help="Learn from documents of your own.")
app.add_typer(policies, name="policy")
app.add_typer(evaluations, name="evaluate")
app.add_typer(fits, name="fit")


def flag(*names: str, help: str) -> Any:
    """An option that takes no value."""
    return typer.Option(*names, metavar="", help=help)


AsJson = Annotated[bool, flag("--json", help="Print the result as JSON.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The document.")]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", "-p", metavar="FILE", help="A policy file; `withhold policy init` writes one."),
]
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
Anywhere = Annotated[bool, flag("--anywhere", help="Find words inside longer words too.")]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Files at the same time; 0 is one per processor.")
]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="The time a file may take.")]
Overwrite = Annotated[bool, flag("--overwrite", help="Write over existing outputs; never over an input.")]


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
    raise UsageError(message)


def label_names(given: str | None) -> list[str]:
    """The labels that `--detect` was given."""
    names = [name.strip() for name in (given or "").split(",")]
    if given is not None and not all(names):
        usage("--detect needs labels, parted by commas: --detect PERSON,EMAIL")
    return [name for name in names if name]
