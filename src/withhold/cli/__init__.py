"""The command line: one verb per command, results on stdout, words on stderr.

Exit codes: 0 done, 1 error, 2 usage, 3 done but a risk stays, an attack wins or is not tried, or a check finds a fault,
130 stopped by Ctrl-C.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from withhold import console

from withhold.cli import redaction, reading  # isort: skip  (commands are listed in this order)
from withhold.cli import attacks, concepts, assistant, audit, pseudonyms, publishing, serve  # isort: skip
from withhold.cli import policy, corpus, fitting, mask_type  # isort: skip
from withhold.cli import detection, inference, layout, linkage, residue  # isort: skip
from withhold.cli.options import UsageError, app

# What libraries log may quote a document. Processes that a command starts import this module, too.
logging.lastResort = logging.NullHandler()

_STOPPED = 130
"""The exit code after Ctrl-C, as shells have it."""

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
    "pseudonyms",
    "publishing",
    "reading",
    "redaction",
    "residue",
    "serve",
]


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
    elif isinstance(error, UsageError):
        code, message = 2, error.format_message()  # type: ignore[attr-defined]
        message = f"{message} (--help tells more)" if message else "a command is needed; see above"
    file = next(iter(getattr(error, "__notes__", ())), None)
    console.complain(type(error).__name__, message, file, as_json=as_json)
    return code


def _version(wanted: bool) -> None:
    if wanted:
        from withhold import __version__

        sys.stdout.write(f"withhold {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, metavar="", help="Show which version this is."),
    ] = False,
) -> None:
    pass


def _flow(program: typer.Typer) -> None:
    """Let the help of every command fill the terminal: lines of docstrings end where those of the source do."""
    for command in program.registered_commands:
        said = inspect.getdoc(command.callback) or ""
        command.help = re.sub(r"(?<!\n)\n(?!\n)", " ", said)
    for group in program.registered_groups:
        if group.typer_instance is not None:
            _flow(group.typer_instance)


_flow(app)
