"""Commands about corpora that are published whole: sanitise one, and measure what an attacker would still find."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from withhold import console
from withhold.cli.detection import Data
from withhold.cli.fitting import show_sieve
from withhold.cli.options import AsJson, Overwrite, PolicyFile, about, app, evaluations, flag, usage


@app.command("publish", epilog="Example: withhold publish letters.jsonl --policy policy.toml -o published.jsonl")
def publish(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            help="Texts, some of which people have marked: JSON lines with spans (text, start, end, label), or what "
            "other tools export. Records without a list of spans are those that nobody has marked.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="The new file: JSON lines.")],
    policy: PolicyFile = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Sanitise a whole corpus of which a part is marked.

    Models learn from the marked texts, one after the other, each from what those before it have left, until another
    would spoil more than it saves. What they find goes from all texts, and what is marked goes anyway. The table
    `publishing` of the policy says what a sensitive word costs that stays (loss, 10 if not set), what another is worth
    (1), and which labels are sensitive (all). How much is left in texts that nobody has marked is estimated from marked
    ones that the models had not learnt from. withhold evaluate publish tells what an attacker would find.
    """
    from withhold import Policy
    from withhold.fit.publishing import publish

    with about(corpus), console.counting("Learning"):
        done = publish(corpus, output, Policy.load(policy) if policy else Policy(), overwrite=overwrite)
    if as_json:
        console.print_json(done.to_json())
        return
    show_sieve(f"{done.labelled} of {done.documents} texts are marked", done.sieve)
    console.say(f"{done.publish_ratio:.1%} of {done.words} words published; written: {output}")


Figures = Annotated[
    bool,
    flag("--figures", help="Measure what Figures 3 to 8 of the paper show; takes some twenty times as long."),
]
Attackers = Annotated[
    str, typer.Option("--attackers", metavar="NAME,NAME", help="The learners of the attacker, and of what is compared.")
]


Sensitive = Annotated[
    str,
    typer.Option(
        "--labels",
        metavar="LABEL,LABEL",
        help="What is sensitive, as the data call it; all: whatever is marked. If not set, what the policy says; "
        "without one, the names of people (PERSON, PER, NAME ...) where some are marked, and else whatever is.",
    ),
]


@evaluations.command(
    "publish", epilog="Example: withhold evaluate publish --data letters.jsonl --labels PERSON --loss 100 --compare"
)
def evaluate_publish(
    data: Data,
    policy: PolicyFile = None,
    labels: Sensitive = "",
    loss: Annotated[
        float | None,
        typer.Option("--loss", min=1e-6, metavar="L", help="What a sensitive word costs that is published."),
    ] = None,
    split: Annotated[str, typer.Option("--split", metavar="NAME", help="Only texts of this split of the data.")] = "",
    attackers: Attackers = "crf,svm,adaboost,cascade,twice",
    compare: Annotated[
        bool, flag("--compare", help="Measure the paper's rule and cost-sensitive learners beside it.")
    ] = False,
    figures: Figures = False,
    charts: Annotated[Path | None, typer.Option("--charts", metavar="DIR", help="Draw these figures there.")] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Folds at a time; 0 is one per processor.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Sanitise a marked corpus in four folds, each by what the others teach, and attack what is published.

    The attacker learns from the published text of the other folds, told which of its words are sensitive, and then
    inspects as many words of the fold as its budget allows: those it calls sensitive first, or by score. Told are how
    much is published, how much that is sensitive is left, what is found by budget and by chance, whether the theorems
    on GreedySanitize held where they apply, and upper bounds for other documents of the same sort.
    """
    from dataclasses import replace

    from withhold import Policy
    from withhold.batch.pool import cores
    from withhold.evaluation.publish.attacker import ATTACKERS
    from withhold.evaluation.publish.protocol import evaluate

    asked = (Policy.load(policy) if policy else Policy()).publishing
    names = tuple(name for name in (each.strip() for each in labels.split(",")) if name)
    asked = replace(asked, labels=() if names == ("all",) else names or asked.labels, loss=loss or asked.loss)
    family = [each.strip() for each in attackers.split(",") if each.strip()]
    if not family or not set(family) <= set(ATTACKERS):
        usage(f"--attackers are some of {', '.join(ATTACKERS)}")
    report = evaluate(
        data,
        asked,
        split=split,
        people=not names and not policy,
        attackers=family,
        compare=compare,
        draw=figures or charts is not None,
        workers=jobs or cores(),
        track=console.track,
    )
    _draw(report, charts)
    console.print_json(report) if as_json else _show(report)


def _draw(report: dict[str, Any], folder: Path | None) -> None:
    from withhold.evaluation.publish.figures import write_figures

    for path in write_figures(report["figures"], folder) if folder else ():
        console.say(f"drawn: {path}")


def _show(report: dict[str, Any]) -> None:
    from withhold.evaluation.publish import figures, tables

    title = f"Publishing {report['documents']} texts, L = {report['loss']:g}, C = {report['worth']:g}"
    console.show(title, ("measure", "#value"), tables.headlines(report))
    console.show("Sensitive words found by words inspected", tables.BUDGETS, tables.budgets(report))
    console.show("Theorems, by fold of the attack", tables.BOUNDS, tables.bounds(report))
    if "compared" in report:
        console.show("Ways compared", tables.COMPARED, tables.compared(report))
    for each in report.get("figures", ()):
        console.show(f"Figure {each['figure']}: {each['title']}", figures.columns(each), figures.rows(each))
    console.say("--json tells what counts as what")
