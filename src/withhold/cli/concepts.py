"""Commands about what a reader can infer: fit a model, assess a document, measure all of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from withhold import console
from withhold.cli.options import AsJson, File, Jobs, Overwrite, about, app, evaluations, fits, flag, usage

if TYPE_CHECKING:
    from withhold.fit.concepts import Fitted
    from withhold.redactor import Redactor
    from withhold.types import Document, Risk

Attribute = Annotated[str, typer.Option("--secret", metavar="NAME", help="The attribute to hide, such as client.")]
Corpus = Annotated[
    Path,
    typer.Argument(
        metavar="CORPUS",
        help="JSONL or CSV with one document a record (.gz too), a folder with one folder for each class, or a "
        "folder of any documents with a labels.csv (file, attribute, ...).",
    ),
]
Keep = Annotated[list[str] | None, typer.Option("--keep", metavar="NAME", help="An attribute to keep.")]
Aliases = Annotated[
    Path | None,
    typer.Option("--aliases", metavar="CSV", help="Other names of each class: class, and others split by ';'."),
]
Holdout = Annotated[
    float,
    typer.Option("--holdout", min=0.0, max=0.9, metavar="X", help="The share of documents only attackers learn from."),
]
Rounds = Annotated[
    int, typer.Option("--adapt", min=0, max=10, metavar="ROUNDS", help="Let attackers learn from redactions too.")
]
Objective = Annotated[
    str, typer.Option("--objective", metavar="NAME,NAME", help="What words are worth; `all` compares all.")
]
Training = Annotated[Path | None, typer.Option("--train", metavar="FILE", help="Fit on these; redact those of --data.")]
Number = Annotated[
    int | None, typer.Option("--words", min=1, metavar="N", help="Only show what gives document N away.")
]
Source = Annotated[
    Path | None,
    typer.Option("--source", metavar="FILE", help="Of a redacted file, what it was made from."),
]
Phrases = Annotated[
    int, typer.Option("--phrases", min=1, max=5, metavar="N", help="Count phrases of up to so many words.")
]
Sample = Annotated[int | None, typer.Option("--sample", min=1, metavar="N", help="Redact so many, drawn by chance.")]
Strangers = Annotated[bool, typer.Option(metavar="", help="With --aim paper: attackers the planner does not know.")]
Needed = Annotated[
    Path, typer.Option("--policy", "-p", metavar="FILE", help="A policy file that says what must not be inferred.")
]


@fits.command(
    "concepts",
    epilog="Example: withhold fit concepts projects.jsonl --secret client --keep industry -o model/",
)
def fit_concepts(
    corpus: Corpus,
    secret: Attribute,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="The folder of the model.")],
    keep: Keep = None,
    text: Annotated[str, typer.Option("--text", metavar="FIELD", help="The field with the text.")] = "text",
    aliases: Aliases = None,
    phrases: Phrases = 1,
    presence: Annotated[bool, flag("--presence", help="Count whether a word is there, not how often.")] = False,
    holdout: Holdout = 0.3,
    adapt: Rounds = 0,
    k: Annotated[int, typer.Option("--k", min=2, metavar="N", help="The k that --adapt redacts for.")] = 5,
    jobs: Jobs = 0,
    update: Annotated[bool, flag("--update", help="Add to the model that is there.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Learn which words give a class away, from labelled documents.

    The folder holds words and class names of your documents: keep it as you keep them. A share of the documents is not
    learnt but used to fit attackers, which `withhold attack` and the audit try on every redaction.
    """
    from withhold.batch.pool import cores
    from withhold.fit.aliases import read_aliases
    from withhold.fit.attackers import check_name, fit_attackers
    from withhold.fit.concepts import fit_concepts
    from withhold.fit.labelled import Labelled

    check_name(secret)
    if adapt and not keep:
        usage("--adapt needs --keep: a plan must know what it may not lose")
    held: list[Labelled] = []
    with about(corpus), console.counting("Reading documents") as progress:
        fitted = fit_concepts(
            corpus,
            output,
            secret=secret,
            keep=keep or (),
            text_field=text,
            ngrams=phrases,
            binary=presence,
            holdout=holdout,
            aliases=read_aliases(aliases) if aliases else None,
            workers=jobs or cores(),
            progress=progress,
            update=update,
            overwrite=overwrite,
            attackers=held.extend if holdout else None,
        )
    learnt = fit_attackers(output, held) if held else 0
    rounds = _adapt(output, held, secret, (keep or [""])[0], k, adapt, jobs or cores()) if adapt else []
    if as_json:
        told = [{**each.to_json(), "is_at_floor": each.is_at_floor} for each in rounds]
        console.print_json({**fitted.to_json(), "attackers": learnt, "adaptive": told})
        return
    _show_fitted(fitted, learnt, rounds)
    if fitted.unmatched:
        console.say(f"aliases of {fitted.unmatched} names were not used: no class of {secret!r} is spelt like them")
    console.say(f'written: {output}; name it in a policy: [[secret]] model = "concepts", fitted = "{output}"')


def _show_fitted(fitted: Fitted, learnt: int, rounds: list[Any]) -> None:
    rows: list[tuple[str, object]] = [("documents learnt", fitted.documents), ("documents for attackers", learnt)]
    rows += [(f"not read: {why}", count) for why, count in sorted(fitted.skipped.items())]
    rows += [(f"classes of {name}", count) for name, count in fitted.classes.items()]
    rows += [("words known", fitted.words), ("seconds", round(fitted.seconds, 1))]
    console.show(f"Fitted {fitted.folder}", ("what", "#count"), rows)
    if rounds:
        columns = ("round", "#in first guesses", "#floor", "#words removed")
        console.show(
            "Attackers that learnt from redactions",
            columns,
            [(each.number, f"{each.hits:.3f}", f"{each.floor:.3f}", f"{each.suppressed:.3f}") for each in rounds],
        )
        if not rounds[-1].is_at_floor:
            console.say(
                "they are still above their floor: who has redacted documents and their classes learns from them"
            )


def _adapt(folder: Path, held: list[Any], secret: str, keep: str, k: int, rounds: int, jobs: int) -> list[Any]:
    from withhold.evaluation.concepts.adaptive import adapt
    from withhold.evaluation.concepts.cases import Case

    cases = [
        Case(each.text, each.labels[secret][0], each.labels[keep][0])
        for each in held
        if each.labels.get(secret) and each.labels.get(keep)
    ]
    return adapt(folder, cases, secret=secret, keep=keep, k=k, rounds=rounds, jobs=jobs, track=console.track)


@app.command(epilog="Example: withhold assess memo.docx -p clients.toml")
def assess(
    file: File,
    policy: Needed,
    source: Source = None,
    words: Annotated[
        int, typer.Option("--words", min=0, metavar="N", help="How many words to show for each secret.")
    ] = 15,
    as_json: AsJson = False,
) -> None:
    """Show what a reader could infer: the likeliest classes, and the words that give the true one away.

    The exit code is 3 if a secret can be told.
    """
    from withhold import Policy, PolicyError, Redactor

    redactor = Redactor(Policy.load(policy))
    if not redactor.policy.secret:
        raise PolicyError(f"{policy} has no secrets: say in a [[secret]] table what must not be inferred")
    with about(file):
        document, origin = read_both(redactor, file, source)
        risks = redactor.assess(document, origin)
    if as_json:
        console.print_json([risk.to_json() for risk in risks])
    for risk in () if as_json else risks:
        _show_risk(risk, document, words)
    if risks and not as_json and not source and any(not (each.value or each.person) for each in redactor.policy.secret):
        console.say("true is what the model takes this file for; if it is a redacted one, give --source")
    raise typer.Exit(3 if any(risk.stays for risk in risks) else 0)


def read_both(redactor: Redactor, file: Path, source: Path | None) -> tuple[Document, Document | None]:
    """A redacted file, and what it was made from if that is given; everything the policy names is there."""
    redactor.load()
    console.disclose(redactor)
    document = redactor.read(file)
    if source is None:
        return document, None
    with about(source):
        return document, redactor.read(source)


def _show_risk(risk: Risk, document: Document, words: int) -> None:
    if risk.standings:
        told = [
            (each.attribute, each.rank, each.name, f"{each.likelihood:.1%}", "true" if each.true else "")
            for each in risk.standings
        ]
        console.show(f"{risk.secret}: classes", ("attribute", "#rank", "class", "#likely", ""), told)
    columns, rows = _telling(risk, document, words) if risk.measure == "rank" else _rules(risk, document, words)
    console.show(f"{risk.secret}: what tells it", columns, rows)
    for note in risk.notes:
        console.say(f"note: {note}")
    console.say(f"{risk.secret} {risk.verdict(risk.before)}")


def _telling(risk: Risk, document: Document, most: int) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The words that give a class or a person away."""
    from withhold.types import excerpt

    rows = [
        (excerpt(document, each.spans[:1])[0], len(each.spans), f"{each.weight:.2f}", each.towards or "")
        for each in risk.evidence[:most]
    ]
    columns = ("word", "#times", "#weight", "points to")
    if any(towards for *_, towards in rows):
        return columns, rows
    return columns[:3], [row[:3] for row in rows]


def _rules(risk: Risk, document: Document, most: int) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """What tells together, how much, and why."""
    from withhold.types import excerpt

    rows = [
        (
            " + ".join(dict.fromkeys(" ".join(text.split()) for text in excerpt(document, each.spans))),
            f"{each.weight:.0%}",
            each.reason,
            each.documents[0] if each.documents else "",
        )
        for each in risk.evidence[:most]
    ]
    return ("words", "#risk", "why", "such as"), rows


@evaluations.command(
    "concepts",
    epilog="Example: withhold evaluate concepts --data projects.jsonl --secret client --keep industry --aim paper",
)
def evaluate_concepts(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="Labelled documents, as for `withhold fit`.")],
    secret: Attribute,
    keep: Annotated[str, typer.Option("--keep", metavar="NAME", help="The attribute to keep.")],
    k: Annotated[str, typer.Option("--k", metavar="K,K", help="How many classes to hide among.")] = "2,3,4,5",
    aim: Annotated[str, typer.Option("--aim", help="release, paper or textbook.")] = "release",
    objective: Objective = "",
    train: Training = None,
    sample: Sample = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Where chance starts from.")] = 0,
    body: Annotated[bool, flag("--body", help="Leave out what stands before the first empty line.")] = False,
    generalise: Annotated[bool, flag("--generalise", help="Try more general words as well.")] = False,
    strangers: Strangers = True,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="DIR", help="Draw the curves of guesses there.")] = None,
    words: Number = None,
    jobs: Jobs = 0,
    as_json: AsJson = False,
) -> None:
    """Redact labelled documents and attack them: the paper's experiment, or that of a release.

    `paper` and `textbook`: the attacker has the planner's model, without the document. `release`: attackers of six
    kinds learn from documents the planner never saw, others from redacted documents, and one knows the planner.
    """
    from withhold.batch.pool import cores
    from withhold.evaluation.concepts import charts, protocol

    ks = _numbers(k)
    if words is not None:
        _words(data, words, secret, keep, ks, body, as_json)
        return
    _check_aim(aim, svg)
    with about(data):
        report = protocol.evaluate(
            data,
            secret=secret,
            keep=keep,
            ks=ks,
            aim=aim,  # type: ignore[arg-type]
            objectives=_objectives(objective, protocol.OBJECTIVES),
            train=train,
            sample=sample,
            seed=seed,
            body=body,
            generalise=generalise,
            strangers=strangers,
            jobs=jobs or cores(),
            track=console.track,
        )
    if svg is not None and isinstance(report, protocol.PaperReport):
        written = charts.write_charts(report.curves, svg)
        console.say(f"written: {', '.join(str(path) for path in written)}")
    if as_json:
        console.print_json(report.to_json())
        return
    columns = protocol.RELEASE_COLUMNS if aim == "release" else protocol.PAPER_COLUMNS
    console.show(f"Concepts in {data}", ("measure", "#value"), protocol.rows(report))
    console.show(
        "By objective", ("objective", *(f"#{each.replace('_', ' ')}" for each in columns)), protocol.table(report)
    )


def _objectives(given: str, known: tuple[str, ...]) -> tuple[str, ...]:
    named = known if given == "all" else tuple(each for each in given.split(",") if each)
    if not set(named) <= set(known):
        usage(f"--objective is all, or some of {', '.join(known)}")
    return named


def _check_aim(aim: str, svg: Path | None) -> None:
    if aim not in ("release", "paper", "textbook"):
        usage("--aim is release, paper or textbook")
    if svg is not None and aim == "release":
        usage("--svg goes with --aim paper or textbook, whose curves it draws")


def _numbers(given: str) -> list[int]:
    try:
        numbers = [int(each) for each in given.split(",")]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 2:
        usage("--k is a list of numbers from 2 on, such as 2,3,4,5")
    return numbers


def _words(data: Path, number: int, secret: str, keep: str, ks: list[int], body: bool, as_json: bool) -> None:
    from withhold.evaluation.concepts.words import rows, words_of

    with about(data):
        true, several = words_of(data, number, secret=secret, keep=keep, ks=ks, body=body)
    if as_json:
        console.print_json({"class": true, "words": [each.to_json() for each in several]})
    else:
        console.show(
            f"What gives document {number} away as {true}", [f"k = {each.k}" for each in several], rows(several)
        )
