"""The command that measures whether a layout depends on what was removed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, evaluations, flag, usage


@evaluations.command("layout", epilog="Example: withhold evaluate layout --json")
def evaluate_layout(
    names: Annotated[
        Path | None,
        typer.Option("--names", metavar="FILE", help="Names to try, one a line; twenty of ours if not set."),
    ] = None,
    makers: Annotated[
        str | None, typer.Option("--makers", metavar="NAME;NAME", help="Only documents of these makers.")
    ] = None,
    residual: Annotated[
        bool, flag("--residual", help="Also documents in which more than the line of the name moves with it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take different names out of the same document, and count how many different pages are left.

    One layout for each document is what should be: then nothing on the page depends on the name. The documents are made
    here, by the programs that are installed. The exit code is 3 if a layout tells names apart.
    """
    from withhold.evaluation.layout import evaluate, rows
    from withhold.evaluation.layout.makers import MAKERS, NAMES, RESIDUAL
    from withhold.policy import Policy

    known = MAKERS | (RESIDUAL if residual else {})
    chosen = [each.strip() for each in makers.split(";")] if makers else list(known)
    if unknown := [each for each in chosen if each not in known]:
        usage(f"no such maker: {unknown[0]}; there are: {'; '.join(known)}")
    tried = Policy().listed((str(names.absolute()),), "--names") if names else list(NAMES)
    if len(set(tried)) < 2:
        usage("--names needs two names or more, one a line")
    report = evaluate(tuple(dict.fromkeys(tried)), makers=chosen, track=console.track)
    if as_json:
        console.print_json(report)
    else:
        columns = ("document", "#candidates", "#layouts", "#files", "#other lines", "#refused")
        console.show("Layouts that different names leave", columns, rows(report))
        for each in report["left_out"]:
            console.say(f"left out: {each['document']} needs {each['needs']}")
    raise typer.Exit(3 if report["worst_layouts"] > 1 or not report["documents"] else 0)
