"""Commands about the types of masks: learn to guess them, and measure how well they can be guessed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from withhold import console
from withhold.cli.options import AsJson, Overwrite, evaluations, fits, flag, usage

_MARKED = "JSON or JSONL with spans, CoNLL, a brat folder (.gz too)"


class Scoring(StrEnum):
    honest = "honest"
    paper = "paper"
    all = "all"


Data = Annotated[Path, typer.Option("--data", metavar="FILE", help=f"Texts with marked entities: {_MARKED}.")]
Train = Annotated[
    Path | None,
    typer.Option(
        "--train",
        metavar="FILE",
        help="Texts to learn from. Without it each part of the data is guessed from the rest.",
    ),
]
Attackers = Annotated[
    str,
    typer.Option(
        "--attackers",
        metavar="NAME,NAME",
        help="Which attackers; the last is the one that counts. `all` for every one.",
    ),
]
Split = Annotated[str, typer.Option("--split", metavar="NAME", help="Only texts of this split of the data.")]
Draws = Annotated[int, typer.Option("--bootstrap", min=0, metavar="N", help="Draw texts N times for the intervals.")]


@evaluations.command(
    "mask-type",
    epilog="Example: withhold evaluate mask-type --data cases.jsonl --attackers svm_words,ensemble",
)
def evaluate_mask_type(
    data: Data,
    train: Train = None,
    attackers: Attackers = "",
    protocol: Annotated[
        Scoring, typer.Option("--protocol", help="Score honestly, as a published attack was scored, or in both ways.")
    ] = Scoring.all,
    defend: Annotated[
        bool,
        typer.Option(
            "--defend/--no-defend", metavar="", help="Take a tenth of the words away as well, and attack again."
        ),
    ] = True,
    curve: Annotated[
        bool,
        flag("--curve", help="Defend with other shares of words gone, and new documents; takes much longer."),
    ] = False,
    split: Split = "",
    bootstrap: Draws = 1000,
    as_json: AsJson = False,
) -> None:
    """Mask everything that is marked in texts, and guess from the words that are left what kind of thing each mask
    hides.

    Split by document, with one mark for everything; beside it other ways of masking and reading, what a published
    protocol makes of the same attacker, and what is left of the attack once telling words are gone.
    """
    from withhold.evaluation.mask_type.protocol import evaluate

    names = _names(attackers)
    report = evaluate(
        data,
        train,
        attackers=names,
        protocol=protocol.value,
        defend=defend,
        curve=curve,
        split=split,
        draws=bootstrap,
        track=console.track,
    )
    if as_json:
        console.print_json(report)
    else:
        _show(report)


@fits.command("mask-type", epilog="Example: withhold fit mask-type cases.jsonl -o model/")
def fit_mask_type(
    source: Annotated[Path, typer.Argument(metavar="TRAIN", help=f"Texts with marked entities: {_MARKED}.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="The folder of the model.")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Learn to guess the types of masks from texts of your own, for the attack `mask_type`.

    What is learnt are the words around what is marked, as checksums: no word of the texts is in the folder, though who
    has a good guess of one can test it.
    """
    from withhold.fit.mask_type import fit_mask_types

    with console.counting("Learning"):
        fitted = fit_mask_types(source, output, overwrite=overwrite)
    if as_json:
        console.print_json({"folder": str(output), **fitted})
        return
    console.show(f"Fitted {output}", ("type", "#masks"), list(fitted["types"].items()))
    console.say(f'written: {output}; name it in a policy: [[secret]] model = "mask_type", fitted = "{output}"')


def _names(attackers: str) -> tuple[str, ...]:
    from withhold.evaluation.mask_type.protocol import ATTACKERS
    from withhold.learners.masks.ensemble import CLASSIFIERS

    if attackers == "all":
        return tuple(CLASSIFIERS)
    names = tuple(name for name in (each.strip() for each in attackers.split(",")) if name) or ATTACKERS
    if unknown := [name for name in names if name not in CLASSIFIERS]:
        usage(f"no attacker {unknown[0]!r}; there are {', '.join(CLASSIFIERS)}")
    return names


def _show(report: dict[str, Any]) -> None:
    from withhold.evaluation.mask_type.protocol import rows, tables

    for title, columns, lines in tables(report):
        console.show(title, columns, lines)
    for line in rows(report):
        console.say(line)
