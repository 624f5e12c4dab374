"""Commands about what names someone outright: measure how well it is found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, PolicyFile, evaluations

Data = Annotated[
    list[Path],
    typer.Option(
        "--data",
        metavar="FILE",
        help="Texts with marked spans: JSON or JSONL of this or other tools, CoNLL, a brat folder (.gz too); may be "
        "repeated.",
    ),
]


@evaluations.command(
    "detection",
    epilog="Example: withhold evaluate detection --data letters.jsonl --labels PERSON,DATETIME",
)
def evaluate_detection(
    data: Data,
    labels: Annotated[
        str,
        typer.Option("--labels", metavar="LABEL,LABEL", help="What counts; all that the data annotates if not set."),
    ] = "",
    policy: PolicyFile = None,
    split: Annotated[str, typer.Option("--split", metavar="NAME", help="Only texts of this split of the data.")] = "",
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", min=0, metavar="N", help="Draw texts N times for the intervals.")
    ] = 1000,
    as_json: AsJson = False,
) -> None:
    """Find names, numbers, dates and the like in annotated texts, and compare with what people have marked.

    Recall, precision and F measures by entity, mention, span and word, with 95 % intervals over texts. Without a policy
    everything is looked for. What the data never marks is not held against a finding.
    """
    from withhold import Policy
    from withhold.evaluation.detection.protocol import LABEL_COLUMNS, evaluate, label_rows, rows

    names = [name for name in (each.strip() for each in labels.split(",")) if name]
    chosen = Policy.load(policy) if policy else None
    report = evaluate(data, names=names, policy=chosen, split=split, draws=bootstrap, track=console.track)
    if as_json:
        console.print_json(report)
        return
    title = f"Detection of {', '.join(report['kinds'])} in {report['documents']} texts"
    console.show(title, ("measure", "#value", "#95 %"), rows(report))
    console.show("By label; entities, mentions and tokens are recall", LABEL_COLUMNS, label_rows(report))
    console.say(f"{report['words_per_second']:,.0f} words a second; --json tells what counts as what")
