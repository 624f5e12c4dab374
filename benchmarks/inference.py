"""Web inference detection: how many inferences each ranking of keywords finds, at what cost, and how they are broken.

    python benchmarks/inference.py --data DIR [--index DIR] [--charts DIR] [PART ...]

Parts are `single` (Bin Ladin in sections of the 9/11 report), `several` (anxiety and depression in clinical notes),
`corpora` (keyword corpora of different quality), `parameters` (the size of sets and the depth of answers), `time`, and
`sample` (more general words in place of what goes, to be read).
Without any, all are run. DIR holds public data sets, which are not part of the project. The "web" is all their texts
put together, cut into pages of about 300 words; it is indexed once, in the folder of --index if one is given.

A document's own pages are left out of the web while it is looked at. Intervals are 95 %, over documents.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from web import pages, paragraphs, records, texts

from withhold import Policy, plugins
from withhold.corpora.index import Index, Writer
from withhold.evaluation.inference import protocol
from withhold.evaluation.inference.breaking import cover_with_options, gone
from withhold.evaluation.inference.cases import Case
from withhold.evaluation.inference.charts import write_chart
from withhold.evaluation.inference.graph import Graph
from withhold.evaluation.inference.intervals import Draws
from withhold.evaluation.inference.protocol import Experiment, evaluate
from withhold.learners.features import words
from withhold.planners.covering import cover
from withhold.risk.information import keywords
from withhold.risk.information.inferences import detect, subsets
from withhold.risk.information.sample import about
from withhold.risk.information.terms import Terms
from withhold.spans import Span

REPORT = "foia/report_911_sections.jsonl.gz"
NOTES = "medical/mtsamples_partial.jsonl.gz"
BIN_LADIN = (("Bin Ladin", "Bin Laden", "Usama", "Osama", "Ladin", "Laden"),)
DIAGNOSES = (("anxiety",), ("depression",))
NAMED = re.compile(r"\bbin\s+lad[ie]n\b", re.IGNORECASE)
EXCERPT = 600
COPIED = 0.3


class Web:
    """The pages, and beside them the whole texts, from which the published rankings learn."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.data = data
        start = time.perf_counter()
        for name in ("pages", "texts"):
            if not (folder / name).is_dir():
                _build(folder / name, data, whole=name == "texts")
        self.seconds = time.perf_counter() - start
        self.pages, self.texts = Index(folder / "pages"), Index(folder / "texts")
        self._of: dict[str, list[str]] = {}
        for page in self.pages.names():
            self._of.setdefault(page.partition("#")[0], []).append(page)

    def leave_out(self, names: Iterable[str]) -> tuple[str, ...]:
        """The texts of these names, and all their pages."""
        return tuple(each for name in names for each in (name, *self._of.get(name, ())))


def _build(folder: Path, data: Path, *, whole: bool) -> None:
    with Writer(folder) as writer:
        for name, title, text in texts(data):
            for page, part in [(name, text)] if whole else pages(name, text):
                writer.add(page, title, part)
        writer.commit()


def excerpts(web: Web) -> Iterator[Case]:
    """Of each section that names him, about 600 words from the first paragraph that does."""
    for number, record in enumerate(records(web.data, REPORT)):
        parts = paragraphs(record["text"])
        first = next((place for place, part in enumerate(parts) if NAMED.search(part)), None)
        lengths = [len(part.split()) for part in parts]
        if first is None or sum(lengths) < EXCERPT:
            continue
        while first > 0 and sum(lengths[first:]) < EXCERPT:
            first -= 1
        last = first
        while last < len(parts) and sum(lengths[first:last]) < EXCERPT:
            last += 1
        yield Case("\n\n".join(parts[first:last]), record["id"], web.leave_out([f"report-{number}"]))


def sections(web: Web) -> Iterator[Case]:
    """The two whole sections that are looked at by themselves."""
    for number, record in enumerate(records(web.data, REPORT)):
        if record["title"].startswith(("2.1 ", "2.3 ")):
            yield Case(record["text"], record["title"][:3], web.leave_out([f"report-{number}"]))


def notes(web: Web) -> Iterator[tuple[Case, bool]]:
    """The clinical notes that name one of the diagnoses, each once, and whether they name both. Other notes that share
    much of their wording are left out of the web with them.
    """
    every = [record["text"] for record in records(web.data, NOTES)]
    read = [words(text) for text in every]
    runs = [set(zip(*(each[start:] for start in range(6)), strict=False)) for each in read]
    done: set[str] = set()
    for number, text in enumerate(every):
        named = [name for (name,) in DIAGNOSES if name in read[number]]
        if not named or text in done or len(runs[number]) < 50:
            continue
        done.add(text)
        alike = [
            f"note-{other}"
            for other, theirs in enumerate(runs)
            if other == number or len(runs[number] & theirs) >= COPIED * max(min(len(runs[number]), len(theirs)), 1)
        ]
        yield Case(text, str(number), web.leave_out(alike)), len(named) == 2


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    heads = list(columns)
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def show(title: str, report: dict[str, Any]) -> None:
    limits = [f"l={limit}" for limit in report["keywords"]]
    measured = report["documents"] - report["without_inferences"]
    print(f"### {title}\n")
    print(
        f"{measured} documents, on average {report['words']['value']:.0f} words, {report['inferences']['value']:,.0f} "
        f"inferences ({report['share']['value']:.1%} of all pairs). Ranking by `expected` takes "
        f"{report['queries']['ranking']:,.0f} counts.\n"
    )
    last = f"95 % at {limits[-1]}"
    table(("ranking", *limits, last), protocol.rho_rows(report))
    table(("ratio of means", *limits, last), protocol.ratio_rows(report))
    if report["several"]:
        print(f"Several secrets, l = {report['several']['keywords']}:\n")
        table(("algorithm", "rho", "95 %", "queries"), protocol.table_rows(report))
    if report["covering"]:
        columns = (
            "breaking",
            "precedents",
            "removed",
            "generalised",
            "removed / precedents: words",
            "occurrences",
            "left",
        )
        table((*columns, "left by as many precedents", "95 % of words"), protocol.covering_rows(report))


def taxonomies() -> tuple[Any, ...]:
    policy = Policy()
    return tuple(plugins.load("taxonomies", name).from_policy(policy) for name in policy.components.taxonomies)


def plain(items: Iterable[Any], _total: int, _doing: str) -> Iterator[Any]:
    return iter(items)


def single(web: Web, charts: Path | None) -> None:
    print("## One secret: Bin Ladin\n")
    # Sections that name him most, whole: the corpus a person would choose.
    for match in ("all", "any"):
        asked = "both words asked for" if match == "all" else "either word allowed"
        experiment = Experiment(web.pages, BIN_LADIN, web.texts, match=match, copies=False, taxonomies=taxonomies())
        report = evaluate(experiment, list(excerpts(web)), track=plain)
        show(f"Excerpts of about {EXCERPT} words, {asked}", report)
        if charts is not None:
            write_chart(report, charts, name="bin-ladin")
        for case in sections(web):
            show(f"Section {case.name}, {asked}", evaluate(experiment, [case], track=plain))


def several(web: Web, charts: Path | None) -> None:
    print("## Two related secrets: anxiety and depression\n")
    every = list(notes(web))
    for name, documents in topics(web).items():
        told = f"keyword corpus {name}"
        for match in ("all", "any"):
            asked = "both words asked for" if match == "all" else "either word allowed"
            experiment = Experiment(
                web.pages,
                DIAGNOSES,
                web.texts,
                documents,
                match=match,
                copies=False,  # type: ignore[arg-type]
            )
            softer = replace(experiment, taxonomies=taxonomies())
            both = evaluate(softer, [case for case, names_both in every if names_both], track=plain)
            show(f"Notes that name both, {asked}, {told}", both)
            report = evaluate(replace(experiment, covering=False), [case for case, _ in every], track=plain)
            show(f"Notes that name one, {asked}, {told}", report)
            if charts is not None:
                write_chart(report, charts, name="diagnoses")


def sample(web: Web, _charts: Path | None) -> None:
    print("## What more general words spare, and how they read\n")
    secrets, every = tuple(name for names in DIAGNOSES for name in names), list(notes(web))
    for title, both in (("Notes that name both", True), ("Notes that name one", False)):
        counts, shown = list[tuple[int, int, int]](), list[str]()
        for case in (case for case, names_both in every if names_both is both):
            corpus, terms = web.pages.without(case.leave_out), Terms.of(case.text, secrets)
            graph = Graph.of(corpus, terms, [secrets])
            if graph.inferences:
                best, general = cover_with_options(graph, case.text, corpus, secrets, taxonomies())
                removed, softened = gone(best, general, len(terms))
                plain = cover(graph.choices())
                counts.append((int(graph.tells.any(axis=0).sum()), int((~plain.kept).sum()), len(removed)))
                shown += [_put(case.text, terms.spans[term][-1], text) for term, text in softened.items()]
        precedents, fewest, fewer = zip(*counts, strict=True)
        draws = Draws(len(counts))
        told = [draws.ratio(each, precedents) for each in (fewest, fewer)]
        print(
            f"{title}: of all precedents, {told[0]} ({told[0].interval}) go by removal, {told[1]} ({told[1].interval})"
        )
        print("if more general words are allowed. 40 of these:\n")
        for line in random.Random(40).sample(shown, 40):
            print(f"- {line}")
        print()


def _put(text: str, span: Span, general: str) -> str:
    before, after = text[max(0, span.start - 60) : span.start], text[span.end : span.end + 40]
    return re.sub(r"\s+", " ", f"{before}[{span.of(text)}: {general}]{after}")


def topics(web: Web) -> dict[str, Any]:
    """The NIH topics with both words that name them most, and all that name either."""
    is_topic = np.array([name.startswith("topic-") for name in web.texts.names()])
    held = web.texts.occurrences(["anxiety", "depression"], "document").toarray() * is_topic[:, None]
    both = np.flatnonzero((held > 0).all(axis=1))
    best = both[np.argsort(-held[both].sum(axis=1), kind="stable")][:30]
    return {"(a): 30 topics that name both": best, "(b): all topics": np.flatnonzero(held.any(axis=1))}


def corpora(web: Web, _charts: Path | None) -> None:
    print("## Keyword corpora of different quality\n")
    kinds: dict[str, Callable[[Index], Any]] = {
        "texts that name him most": lambda learnt: about(learnt, BIN_LADIN[0]),
        "results 1-30 of a search": lambda learnt: about(learnt, BIN_LADIN[0], by="search"),
        "results 31-60": lambda learnt: about(learnt, BIN_LADIN[0], by="search", skip=30),
    }
    cases = list(excerpts(web))
    rows = []
    for name, choose in kinds.items():
        found: dict[str, list[list[float]]] = {}
        for case in cases:
            learnt = web.texts.without(case.leave_out)
            experiment = Experiment(web.pages, BIN_LADIN, learnt, choose(learnt), copies=False)
            ranked, graph = experiment.look(case)
            for ranking, rho in ranked.rho(graph, experiment.keywords).items():
                found.setdefault(ranking, []).append(rho)
        draws = Draws(len(cases))
        for ranking in ("information", "tfidf", "expected"):
            means = [draws.mean(column) for column in np.array(found[ranking]).T]
            rows.append((name, ranking, *(str(mean) for mean in means), means[-1].interval))
    table(("keyword corpus", "ranking", *(f"l={limit}" for limit in (20, 40, 60, 80, 100)), "95 % at l=100"), rows)


def parameters(web: Web, _charts: Path | None) -> None:
    print("## The size of sets and the depth of answers\n")
    cases = list(excerpts(web))
    rows = []
    for size, limit in ((1, 40), (2, 40), (3, 40)):
        for depth in (1, 5, 10, 20):
            shares, told = [], []
            for case in cases:
                corpus, terms = web.pages.without(case.leave_out), Terms.of(case.text, BIN_LADIN[0])
                scores = keywords.expected(corpus, terms.words, BIN_LADIN[0], depth=depth, size=size)
                chosen = [terms.words[number] for number in keywords.order(scores)[:limit]]
                found = detect(corpus, chosen, BIN_LADIN[0], subsets(len(chosen), size), depth=depth)
                shares.append(found.share)
                told.append(len(found.sets))
            draws = Draws(len(cases))
            share = draws.mean(shares)
            rows.append(
                (str(size), str(depth), f"{found.asked:,}", f"{np.mean(told):,.1f}", f"{share}", share.interval)
            )
    print("40 keywords of each excerpt by `expected`; both or all words asked for.\n")
    table(("beta", "gamma", "queries", "inferences", "share of queries", "95 %"), rows)
    rows = []
    for depth in (1, 5, 10, 20):
        experiment = Experiment(web.pages, BIN_LADIN, web.texts, depth=depth, covering=False, copies=False)
        report = evaluate(experiment, cases, track=plain)
        rho = {name: report["rho"][name][-1]["value"] for name in ("expected", "information", "tfidf", "frequency")}
        rows.append((str(depth), f"{report['inferences']['value']:,.0f}", *(f"{each:.3f}" for each in rho.values())))
    print("All pairs, rho with 100 keywords:\n")
    table(("gamma", "inferences", "expected", "information", "TF.IDF", "frequency"), rows)


def timing(web: Web, _charts: Path | None) -> None:
    print("## Time\n")
    size, length = web.pages.size("document"), int(web.pages.lengths().sum())
    print(f"{size:,} pages, {length:,} words; both indexes made in {web.seconds:.0f} s.\n")
    rows = []
    for case in sections(web):
        corpus, terms = web.pages.without(case.leave_out), Terms.of(case.text, BIN_LADIN[0])
        for match in ("all", "any"):
            corpus.tells([["never", "asked"]], "before", 5, match)  # what is compiled or read once

            def rank(match: Any = match, corpus: Index = corpus, terms: Terms = terms) -> list[str]:
                scores = keywords.expected(corpus, terms.words, BIN_LADIN[0], match=match)
                return [terms.words[number] for number in keywords.order(scores)[:100]]

            def analyse(match: Any = match, corpus: Index = corpus, rank: Callable[[], list[str]] = rank) -> object:
                return detect(corpus, rank(), BIN_LADIN[0], subsets(100, 2), match=match)

            def everything(match: Any = match, corpus: Index = corpus, terms: Terms = terms) -> object:
                return Graph.of(corpus, terms, BIN_LADIN, match=match)

            fresh = _clock(analyse)
            rows.append((case.name, match, "100 keywords ranked, 4,950 pairs looked up, first", *fresh))
            rows.append((case.name, match, "again", *_clock(analyse)))
            pairs = len(terms) * (len(terms) - 1) // 2
            rows.append((case.name, match, f"all {pairs:,} pairs of {len(terms)} words", *_clock(everything)))
    table(("section", "match", "what", "seconds", "of processor time"), rows)


def _clock(work: Callable[[], object]) -> tuple[str, str]:
    wall, used = time.perf_counter(), time.process_time()
    work()
    return f"{time.perf_counter() - wall:.2f}", f"{time.process_time() - used:.2f}"


PARTS = {
    "time": timing,
    "single": single,
    "corpora": corpora,
    "parameters": parameters,
    "several": several,
    "sample": sample,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}")
    parser.add_argument("--data", type=Path, required=True, help="the folder of public data sets")
    parser.add_argument("--index", type=Path, help="where the indexes are kept; a temporary folder if not given")
    parser.add_argument("--charts", type=Path, help="draw rho against the number of keywords there")
    chosen = parser.parse_args()
    if not set(chosen.parts) <= set(PARTS):
        parser.error(f"parts are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as temporary:
        web = Web(chosen.data, chosen.index or Path(temporary))
        for name in chosen.parts or PARTS:
            PARTS[name](web, chosen.charts)


if __name__ == "__main__":
    main()
