"""`evaluate residue`: what outputs still hold, by readers of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, Jobs, Timeout, about, evaluations


@evaluations.command("residue", epilog="Example: withhold evaluate residue contracts/ --json")
def evaluate_residue(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A folder or a ZIP archive of documents.")],
    jobs: Jobs = 0,
    timeout: Timeout = 120,
    libreoffice: Annotated[
        bool, typer.Option(metavar="", help="Read with LibreOffice too, if it is installed.")
    ] = True,
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
