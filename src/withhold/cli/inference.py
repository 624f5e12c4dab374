"""Commands about what can be looked up: measure how well inferences are found and broken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from withhold import console
from withhold.cli.options import AsJson, about, evaluations, usage

if TYPE_CHECKING:
    from withhold.contracts import Archive, Taxonomy

Index = Annotated[
    Path, typer.Option("--corpus", metavar="INDEX", help="What a reader may look up: made by `withhold corpus build`.")
]
Documents = Annotated[
    Path,
    typer.Option(
        "--documents",
        metavar="FILE",
        help="JSON lines with a `text` each, and with `leave_out`, documents of the corpus that are not to be used.",
    ),
]
Word = Annotated[str, typer.Option("--secret", metavar="WORD", help="What must not be inferred: a word or phrase.")]
Aliases = Annotated[
    list[str] | None, typer.Option("--alias", metavar="WORD", help="Another way of writing it; may be repeated.")
]
Related = Annotated[
    list[str] | None, typer.Option("--related", metavar="WORD", help="One more secret word; may be repeated.")
]
Keywords = Annotated[str, typer.Option("--keywords", metavar="N,N", help="How many words are looked up.")]
Learnt = Annotated[
    Path | None,
    typer.Option("--learn-from", metavar="INDEX", help="Where the published rankings learn; the corpus if not given."),
]
Match = Annotated[str, typer.Option("--match", help="Documents must hold `all` words of a query, or `any`.")]


@evaluations.command(
    "inference",
    epilog='Example: withhold evaluate inference --corpus index/ --documents reports.jsonl --secret "Bin Ladin"',
)
def evaluate_inference(
    corpus: Index,
    documents: Documents,
    secret: Word,
    alias: Aliases = None,
    related: Related = None,
    keywords: Keywords = "20,40,60,80,100",
    match: Match = "all",
    depth: Annotated[
        int, typer.Option("--depth", min=1, metavar="N", help="How many documents of an answer are read.")
    ] = 5,
    learn_from: Learnt = None,
    table: Annotated[
        int, typer.Option("--table", min=2, metavar="N", help="With --related: keywords of each algorithm.")
    ] = 50,
    copies: Annotated[bool, typer.Option(metavar="", help="Leave copies of each document out of the corpus.")] = True,
    covering: Annotated[bool, typer.Option(metavar="", help="Measure what it takes to break the inferences.")] = True,
    generalise: Annotated[bool, typer.Option(metavar="", help="Also with more general words in place.")] = True,
    charts: Annotated[Path | None, typer.Option("--charts", metavar="DIR", help="Draw the curves there.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look up every two words of each document, and see how many inferences each ranking of keywords finds.

    An inference is a pair of words for which one of the best documents of the corpus names the secret. rho is the share
    of all inferences of a document that a number of keywords finds; intervals are over documents.
    """
    from withhold.evaluation.inference.cases import read_cases
    from withhold.evaluation.inference.charts import write_chart
    from withhold.evaluation.inference.protocol import Experiment, evaluate

    if match not in ("all", "any"):
        usage("--match is all or any")
    with about(documents):
        cases = read_cases(documents)
    opened = _open(corpus)
    experiment = Experiment(
        opened,
        ((secret, *(alias or ())), *((word,) for word in related or ())),
        opened if learn_from is None else _open(learn_from),
        keywords=_numbers(keywords),
        depth=depth,
        match=match,  # type: ignore[arg-type]
        table=table,
        copies=copies,
        covering=covering,
        taxonomies=_taxonomies() if generalise else (),
    )
    report = evaluate(experiment, cases, track=console.track)
    if charts is not None:
        console.say(f"written: {write_chart(report, charts)}")
    if as_json:
        console.print_json(report)
    else:
        _show(report)


def _show(report: dict[str, Any]) -> None:
    from withhold.evaluation.inference import protocol

    limits = [f"#{limit}" for limit in report["keywords"]]
    measured = report["documents"] - report["without_inferences"]
    title = f"rho by keywords; {measured} documents, {report['inferences']['value']:,.0f} inferences each"
    console.show(title, ("ranking", *limits, "#95 %"), protocol.rho_rows(report))
    console.show("Ratios of means", ("rankings", *limits, "#95 %"), protocol.ratio_rows(report))
    if report["several"]:
        title = f"Several secrets, {report['several']['keywords']} keywords"
        console.show(title, ("algorithm", "#rho", "#95 %", "#queries"), protocol.table_rows(report))
    if report["covering"]:
        # In two tables, as one would be wider than many terminals are.
        rows = protocol.covering_rows(report)
        counted = ("breaking", "#precedents", "#cover", "#generalised", "#words", "#95 % of words")
        console.show("A cover beside the removal of all precedents", counted, [(*row[:5], row[8]) for row in rows])
        left = ("breaking", "#occurrences", "#left", "#left by as many precedents")
        console.show("What it removes and leaves", left, [(row[0], *row[5:8]) for row in rows])
    asked = report["queries"]
    console.say(
        f"queries: {asked['ranking']:,.0f} counts to rank by `expected`; {asked['detection'][-1]:,} to look up "
        f"{report['keywords'][-1]} keywords by twos; {asked['everything']:,.0f} for every two words"
    )


def _open(folder: Path) -> Archive:
    from withhold import Policy, plugins
    from withhold.contracts import Archive
    from withhold.errors import CorpusError
    from withhold.policy import Background

    corpus = plugins.corpus(Policy(corpus=Background(index=str(folder.absolute()))))
    if not isinstance(corpus, Archive):
        raise CorpusError(f"{folder}: not an index that can be read; `withhold corpus build` makes one")
    return corpus


def _taxonomies() -> tuple[Taxonomy, ...]:
    from withhold import Policy, plugins

    return tuple(plugins.taxonomies(Policy()))


def _numbers(given: str) -> tuple[int, ...]:
    try:
        numbers = sorted({int(each) for each in given.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 2:
        usage("--keywords is a list of numbers from 2 on, such as 20,40,60")
    return tuple(numbers)
