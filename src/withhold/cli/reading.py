"""`read`, `inspect` and `detect`: what is in files, and what of it is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, File, Labels, PolicyFile, about, app, flag, label_names


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
    show: Annotated[bool, flag("--show", help="Show every place, with the words around it.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what names someone, or narrows down who it may be. Nothing is changed.

    Without labels, of a policy or of --detect, everything is looked for.
    """
    from withhold import Policy, Redactor
    from withhold.batch.choice import extend
    from withhold.batch.one import find

    chosen = extend(Policy.load(policy) if policy else Policy(), labels=label_names(detect))
    redactor = Redactor(chosen if chosen.detection.labels else extend(chosen, labels=["all"]))
    redactor.load()
    told = []
    for file in files:
        with about(file):
            document = redactor.read(file)
            told.append((file, *find(document, redactor, show=show)))
    (console.detections_json if as_json else console.detections)(told)


@app.command(epilog="Example: withhold inspect memo.docx --show")
def inspect(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="The documents.")],
    show: Annotated[bool, flag("--show", help="Show the hidden text itself.")] = False,
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
