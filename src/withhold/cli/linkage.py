"""Commands about finding people: measure how well sanitized texts hide whom they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from withhold import console
from withhold.cli.options import AsJson, PolicyFile, evaluations, flag

People = Annotated[
    list[Path],
    typer.Option(
        "--people",
        metavar="FILE",
        help="What an attacker knows: JSON lines (.gz too) with a `name` and a `text`, `body` or `abstract`; may be "
        "repeated.",
    ),
]
Documents = Annotated[
    Path,
    typer.Option(
        "--documents",
        metavar="FILE",
        help="What to sanitize: JSON lines with the `name` of whom it is about, a `text`, and perhaps marked `spans`.",
    ),
]
Detected = Annotated[
    str,
    typer.Option("--detect", metavar="LABEL,LABEL", help="Compare with removing these labels and the name alone."),
]
Sample = Annotated[int | None, typer.Option("--sample", min=1, metavar="N", help="Only N texts, drawn by chance.")]
Charts = Annotated[Path | None, typer.Option("--svg", metavar="DIR", help="With --curve: draw it there.")]


@evaluations.command(
    "linkage",
    epilog="Example: withhold evaluate linkage --people bodies.jsonl --people leads.jsonl --documents marked.jsonl",
)
def evaluate_linkage(
    people: People,
    documents: Documents,
    k: Annotated[int, typer.Option("--k", min=1, metavar="N", help="How many people to hide among.")] = 4,
    sample: Sample = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Where chance starts from.")] = 0,
    generalise: Annotated[bool, flag("--generalise", help="Try more general words as well.")] = False,
    curve: Annotated[bool, flag("--curve", help="Measure several strengths, with and without that.")] = False,
    svg: Charts = None,
    detect: Detected = "direct",
    policy: PolicyFile = None,
    as_json: AsJson = False,
) -> None:
    """Sanitize texts, each with the person it is about as the secret, and try to find the person among all others.

    Attackers look up the words that are left, by BM25 and by meaning, with constants that no plan goes by. The text
    itself, and others that share a run of 25 words with it, are left out of what they know.
    """
    from withhold import Policy
    from withhold.batch.choice import extend
    from withhold.evaluation.linkage.protocol import evaluate

    labels = extend(Policy(), labels=[name for name in detect.split(",") if name.strip()]).detection.labels
    chosen = Policy.load(policy) if policy else None
    report = evaluate(
        people,
        documents,
        k=k,
        sample=sample,
        seed=seed,
        generalise=generalise,
        curve=curve or svg is not None,
        detect=labels,
        policy=chosen,
        track=console.track,
    )
    _draw(report, svg)
    console.print_json(report) if as_json else _show(report)


def _draw(report: dict[str, Any], folder: Path | None) -> None:
    from withhold.evaluation.linkage.charts import write_charts

    for path in write_charts(report["curve"], folder) if folder else ():
        console.say(f"drawn: {path}")


def _show(report: dict[str, Any]) -> None:
    from withhold.evaluation.linkage.tables import ATTACKERS, HEADLINES, attacker_rows, curve_rows, headline_rows

    measured = report["documents"] - report["left_out"]
    console.show(f"Linkage of {measured} texts, k = {report['k']}", HEADLINES, headline_rows(report))
    for setting, count in report["candidates"].items():
        console.show(f"Among {count:,} candidates, {setting}", ATTACKERS, attacker_rows(report, setting))
    if "curve" in report:
        console.show("Rank 1 against words kept", ("way", "#k", *HEADLINES[1:]), curve_rows(report))
    if report["left_out"]:
        console.say(f"left out, as nobody could find them: {report['left_out']} of {report['documents']} texts")
    console.say("each row has the strongest attacker of its kind; --json tells what counts as what")
