"""The command that makes a detector of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, Jobs, Overwrite, PolicyFile, fits, flag, usage

if TYPE_CHECKING:
    from withhold.fit.detector import FittedDetector
    from withhold.learners.measures import Measure
    from withhold.learners.sieve import Sifted

_COLUMNS = ("label", "#marked", "#recall", "#", "#precision", "#", "#F1", "#F2")


@fits.command("detector", epilog="Example: withhold fit detector letters.jsonl -o model/")
def fit_detector(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="LABELLED",
            help="Texts in which people have marked what should be found: JSON lines with spans (text, start, end, "
            "label), what doccano or Label Studio export, CoNLL columns, or a folder that brat wrote; .gz too.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="The folder of the detector.")],
    folds: Annotated[
        int,
        typer.Option(
            "--folds",
            min=0,
            max=20,
            metavar="N",
            help="In how many parts documents are read by a model that learnt from the others; 0 measures nothing.",
        ),
    ] = 5,
    split: Annotated[str, typer.Option("--split", metavar="NAME", help="Only documents of this split.")] = "",
    greedy: Annotated[
        bool,
        flag(
            "--greedy",
            help="Learn several models in a row, each from what those before it left, until another would spoil more "
            "than it saves (GreedySanitize); costs, learners and labels are those of the policy's table publishing.",
        ),
    ] = False,
    policy: PolicyFile = None,
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Learn to find what people have marked, under their own labels, and measure how well.

    It learns from how a word is written, from the words around it and from the rest of its document, so it finds names
    that it has never met where the context tells. The figures are of documents the model did not learn from; copies of
    a document are kept on one side. How sure it must be before something is removed is chosen so that a miss costs
    more than a false alarm. Mark everything that should be found in a document: what is not marked teaches that it
    should stay.

    The folder holds words of your documents: keep it as you keep them.
    """
    from withhold.batch.pool import cores
    from withhold.fit.detector import fit_detector

    if folds == 1 or (greedy and not folds) or (policy and not greedy):
        usage("--folds is 0, or 2 and more, and not 0 with --greedy; --policy is for --greedy")
    if greedy:
        _greedy(sources, output, policy, split=split, folds=folds, overwrite=overwrite, as_json=as_json)
        return
    fitted = fit_detector(
        sources, output, split=split, folds=folds, workers=jobs or cores(), overwrite=overwrite, track=console.track
    )
    if as_json:
        console.print_json(fitted.to_json())
        return
    _show(fitted)
    console.say(f'written: {output}; name it in a policy: [detection] fitted = "{output}"')


def _greedy(
    sources: list[Path], output: Path, policy: Path | None, *, split: str, folds: int, overwrite: bool, as_json: bool
) -> None:
    from withhold import Policy
    from withhold.fit.greedy import Costs, fit_sieve

    chosen = (Policy.load(policy) if policy else Policy()).publishing
    with console.counting("Learning"):
        sieve = fit_sieve(
            sources,
            output,
            labels=chosen.labels,
            split=split,
            costs=Costs(chosen.loss, chosen.worth),
            learners=chosen.learners,
            rule=chosen.rule,
            folds=folds,
            overwrite=overwrite,
        )
    if as_json:
        console.print_json({"folder": str(output), "detector": sieve.description.to_json()})
        return
    show_sieve(f"Fitted {output}", sieve.description)
    console.say(f'written: {output}; name it in a policy: [detection] fitted = "{output}"')


def show_sieve(title: str, about: Sifted) -> None:
    """What a person may want to know of a sieve."""
    low, high = about.residual_range
    where = "documents that were not learnt from" if about.rule == "cost" else "the documents it has learnt from"
    facts: list[tuple[str, object]] = [("documents", about.documents), ("words", about.words)]
    facts += [("sensitive words", about.sensitive), ("iterations", about.iterations)]
    facts += [("other words kept", f"{about.kept:.3f}"), ("words published", f"{about.publish_ratio:.3f}")]
    facts += [("sensitive words left", f"{about.residual_share:.4f}"), ("95 %", f"{low:.4f}-{high:.4f}")]
    console.show(f"{title}; shares are of {where}", ("what", "#value"), facts)
    steps = [(n, each.learner, each.caught, each.spoilt) for n, each in enumerate(about.steps, 1)]
    console.show("Models", ("#", "learner", "#sensitive hidden", "#others hidden"), steps)


def _show(fitted: FittedDetector) -> None:
    detector = fitted.detector
    facts: list[tuple[str, object]] = [("documents", detector.documents), ("words", detector.words)]
    facts += [("mentions", detector.together.mentions), ("labels", len(detector.labels))]
    facts += [("words learnt a second", fitted.learnt_a_second), ("words read a second", fitted.read_a_second)]
    facts += [("seconds", round(fitted.seconds, 1))]
    console.show(f"Fitted {fitted.folder}", ("what", "#count"), [row for row in facts if row[1]])
    if detector.folds:
        several = {**detector.labels, **({"any label": detector.together} if len(detector.labels) > 1 else {})}
        measures = [(label, each.by_word) for label, each in several.items() if each.by_word]
        console.show("By word, in documents it had not learnt from", _COLUMNS, [_row(*each) for each in measures])
        measures = [(label, each.by_mention) for label, each in several.items() if each.by_mention]
        console.show("By mention, whole and no more", _COLUMNS, [_row(*each) for each in measures])
    for note in fitted.notes:
        console.say(f"note: {note}")


def _row(label: str, measure: Measure) -> tuple[object, ...]:
    return (
        label,
        measure.right + measure.missed,
        f"{measure.recall:.2f}",
        _range(measure.recall_range),
        f"{measure.precision:.2f}",
        _range(measure.precision_range),
        f"{measure.f1:.2f}",
        f"{measure.f2:.2f}",
    )


def _range(range_: tuple[float, float]) -> str:
    return f"{range_[0]:.2f}-{range_[1]:.2f}"
