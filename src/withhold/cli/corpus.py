"""Commands about what a reader knows already: build an index of it, look after it, and ask it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from withhold import console
from withhold.cli.options import AsJson, app, flag, usage

if TYPE_CHECKING:
    from withhold.contracts import Corpus
    from withhold.corpora.build import Progress

corpora = typer.Typer(
    no_args_is_help=True,
    help="Build and ask a reference corpus: documents that stand for what a reader knows already.",
    epilog="Example: withhold corpus build wiki.xml.bz2 letters/ -o index/",
)
app.add_typer(corpora, name="corpus")


_NAMED = 10
"""Of what is passed over, so many files are named; as JSON all are."""


class Unit(StrEnum):
    """What is counted."""

    document = "document"
    paragraph = "paragraph"


IndexFolder = Annotated[Path, typer.Argument(metavar="INDEX", help="The folder of the index.")]
Asked = Annotated[
    Path | None,
    typer.Option("--policy", "-p", metavar="FILE", help="Ask the corpus of this policy; no INDEX is given then."),
]


@corpora.command("build", epilog="Example: withhold corpus build enwiki.xml.bz2 mails.mbox notes/ -o index/")
def corpus_build(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE", help="Files, or folders of them.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="INDEX", help="The folder of the index.")],
    text: Annotated[
        list[str] | None,
        typer.Option("--text", metavar="FIELD", help="Where records have their text; several are put together."),
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="FIELD", help="Where records have their title.")] = "",
    name: Annotated[str, typer.Option("--name", metavar="FIELD", help="Where records have their name.")] = "",
    pages: Annotated[
        int | None,
        typer.Option("--pages", min=0, metavar="N", help="Cut texts into pages of about N words; 0 does not."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read sources into an index: a new one, or one that is there, which then has these too.

    A source is a folder, a document (txt, md, html, docx, eml, pdf), or a file of many: JSON, JSONL, CSV and TSV (text,
    title and name are looked for under usual names, such as body, headline and id), mbox, a Wikipedia dump (XML), WARC,
    Parquet. All but the last may be compressed (gz, bz2, xz).

    Run it again to go on after a kill or to bring the index up to date: files that have not changed are passed over,
    those that have are read anew. Options that are not given are as they were when the source was read before. What
    cannot be read is told at the end, by kind, number and file; the exit code is 1 if nothing could.
    """
    from withhold import Redactor
    from withhold.corpora.build import build
    from withhold.corpora.sources import Fields

    fields = Fields(tuple(text or ()), title, name)
    start = time.monotonic()
    try:
        with _progress() as track:
            ended = build(sources, output, documents=Redactor().read, fields=fields, pages=pages, track=track)
    except KeyboardInterrupt:
        console.say("the same command goes on where this one was")
        raise
    if as_json:
        console.print_json(ended.to_json())
    else:
        _built(ended, output, time.monotonic() - start)
    raise typer.Exit(0 if ended.documents or ended.unchanged else 1)


@corpora.command("delete", epilog="Example: withhold corpus delete index/ letters/2009/a.docx")
def corpus_delete(
    index: IndexFolder,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Documents, as search and count name them.")],
    source: Annotated[
        bool, flag("--source", help="The names are those of sources: delete all that came from them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Delete documents from an index, or all that came from a source. The files they came from stay as they are.

    A document comes back when the file that it came from has changed and is read anew.
    """
    from withhold.corpora.build import delete

    gone = delete(index, names, sources=source)
    if as_json:
        console.print_json({"deleted": gone})
    else:
        console.say(f"{gone:,} document{'' if gone == 1 else 's'} deleted")


@corpora.command("info", epilog="Example: withhold corpus info index/ --json")
def corpus_info(index: IndexFolder, as_json: AsJson = False) -> None:
    """Say what is in an index: how much, from which sources, and since when; and whether it is sound.

    All files of the index are read and compared with their checksums; the other commands check what they read. If
    anything is damaged, that is told, and the exit code is 1.
    """
    from withhold.corpora.build import describe

    told = describe(index)
    if as_json:
        console.print_json(told)
        return
    kept = {"documents", "paragraphs", "words", "bytes"}
    rows = [(what, f"{number:,}") for what, number in told.items() if what in kept and isinstance(number, int)]
    console.show(
        f"The index in {index}, last changed {told['date'] or 'at an unknown time'}", ("what", "#number"), rows
    )
    if told["sources"]:
        _show_sources(told["sources"])
    console.say("all files of the index are sound")
    if not told["complete"]:
        console.say("building it has not ended: run `withhold corpus build` with the same sources to go on")


@corpora.command(
    "count", epilog='Example: withhold corpus count index/ pilot "Harrison Ford" --given "Star Wars" --unit paragraph'
)
def corpus_count(
    asked: Annotated[list[str], typer.Argument(metavar="INDEX TERM...", help="The index, and words or phrases.")],
    given: Annotated[
        str | None, typer.Option("--given", metavar="TOPIC", help="How often this stands there too: the confidence.")
    ] = None,
    alias: Annotated[
        list[str] | None, typer.Option("--alias", metavar="TEXT", help="Another way of writing the topic.")
    ] = None,
    unit: Annotated[Unit, typer.Option("--unit", help="Count documents or paragraphs.")] = Unit.document,
    policy: Asked = None,
    as_json: AsJson = False,
) -> None:
    """Count how many documents hold each term, and each two of them together.

    With a topic, also how many of these hold that, and which share of them that is, with a 95 % interval: how sure a
    reader can be of the topic who sees the terms. Case, accents and punctuation do not matter.
    """
    from withhold.corpora.counting import count

    if alias and not given:
        usage("--alias goes with --given TOPIC")
    corpus, terms = _corpus(asked, policy, "a term to count")
    found = count(corpus, terms, unit.value, (given, *(alias or ())) if given else None)
    size = corpus.size(unit.value)
    if as_json:
        console.print_json({"unit": unit.value, "size": size, "counts": [each.to_json() for each in found]})
        return
    rows = [(" + ".join(each.terms), f"{each.count:,}") for each in found]
    if not given:
        console.show(f"Of {size:,} {unit.value}s", ("terms", f"#{unit.value}s"), rows)
        return
    told = [
        (*row, f"{each.with_topic:,}", *_shares(each.confidence, each.interval))
        for row, each in zip(rows, found, strict=True)
    ]
    columns = ("terms", f"#{unit.value}s", "#with the topic", "#confidence", "#95 %")
    console.show(f"Of {size:,} {unit.value}s", columns, told)


@corpora.command("search", epilog='Example: withhold corpus search index/ "who flew under the bridge" -k 3')
def corpus_search(
    asked: Annotated[list[str], typer.Argument(metavar="INDEX QUERY", help="The index, and words to look for.")],
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="How many documents to show.")] = 5,
    policy: Asked = None,
    as_json: AsJson = False,
) -> None:
    """Show the documents that fit a query best, with the place that shows why, its words marked >>so<<."""
    from withhold.corpora.counting import marked

    corpus, words = _corpus(asked, policy, "a query")
    query = " ".join(words)
    hits = corpus.search(query, k)
    if as_json:
        console.print_json([hit.to_json() for hit in hits])
    elif hits:
        rows: list[tuple[object, ...]] = []
        for number, hit in enumerate(hits, 1):
            rows.append((number, f"{hit.score:.2f}", f"{hit.title} ({hit.document})" if hit.title else hit.document))
            rows.append(("", "", marked(hit.snippet, query)))
        console.show(f"The best {len(hits)}", ("#rank", "#score", "document"), rows)
    else:
        console.say("no document holds any of these words")


def _corpus(asked: list[str], policy: Path | None, wanted: str) -> tuple[Corpus, list[str]]:
    """The corpus that is to be asked, and what it is to be asked; what leaves the machine is told first."""
    from withhold import Policy, plugins
    from withhold.corpora.index import Index

    words = asked if policy else asked[1:]
    if not words:
        usage(f"give {wanted} after the index")
    if policy is None:
        return Index(asked[0]), words
    chosen = Policy.load(policy)
    with plugins.trusting(chosen.components.trusted):
        corpus = plugins.corpus(chosen)
    statement = getattr(corpus, "statement", None)
    if statement is not None:
        console.say(statement())
    return corpus, words


def _shares(confidence: float | None, interval: tuple[float, float] | None) -> tuple[str, str]:
    low, high = interval or (0.0, 1.0)
    return "–" if confidence is None else f"{confidence:.1%}", f"{low:.1%} to {high:.1%}"


def _show_sources(sources: object) -> None:
    """A table of sources, and their paths, which can be longer than a line."""
    assert isinstance(sources, list)
    rows = [
        (each["name"], *(f"{number:,}" for number in (each["files"], each["documents"], sum(each["skipped"].values()))))
        for each in sources
    ]
    console.show("Its sources", ("source", "#files", "#documents", "#passed over"), rows)
    for each in sources:
        console.say(f"{each['name']} is {each['path']}")


def _built(ended: Progress, output: Path, seconds: float) -> None:
    from withhold.corpora.sources.items import NO_COLUMN, NO_TEXT

    rows = [
        ("documents added", f"{ended.documents:,}"),
        ("documents that these replace", f"{ended.removed:,}"),
        ("words", f"{ended.words:,}"),
        ("files read", f"{ended.files:,}"),
        ("of them changed since, and read anew", f"{ended.replaced:,}"),
        ("files that have not changed", f"{ended.unchanged:,}"),
    ]
    console.show(f"Built {output} in {seconds:,.1f} s", ("what", "#number"), rows)
    if ended.skipped:
        skipped = sorted(ended.skipped.items(), key=lambda each: (-each[1], each[0]))
        console.show("Passed over", ("why", "#number"), [(why, f"{number:,}") for why, number in skipped])
        for why, _ in skipped:
            files = ended.passed_over.get(why, ())
            more = f", and {len(files) - _NAMED:,} more" if len(files) > _NAMED else ""
            console.say(f"{why}: {', '.join(files[:_NAMED])}{more}")
    if NO_COLUMN in ended.skipped or ended.skipped.get(NO_TEXT, 0) > ended.documents:
        console.say("if texts are there under another name, say so: --text FIELD")
    console.say(f"ask it with: withhold corpus count {output} TERM ...")


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """A bar on stderr, if that is a terminal, with how many documents and words there are by now."""
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    told = TextColumn("{task.fields[documents]:,} documents, {task.fields[pace]:,.0f}/s, {task.fields[words]:,} words")
    screen = Console(stderr=True, highlight=False)
    with Bar(TextColumn("Building"), BarColumn(), told, TimeRemainingColumn(), console=screen, transient=True) as bar:
        task = bar.add_task("", total=None, documents=0, pace=0.0, words=0)
        start = time.monotonic()

        def track(progress: Progress) -> None:
            pace = progress.documents / max(time.monotonic() - start, 0.1)
            bar.update(task, completed=progress.bytes, total=progress.of_bytes or None)
            bar.update(task, documents=progress.documents, pace=pace, words=progress.words)

        yield track
