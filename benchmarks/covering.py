"""Breaking every inference of a document: the fewest words, the search, and the removal of all precedents.

    python benchmarks/covering.py --data DIR [--index DIR]

Documents are two sections of the 9/11 report (secret: Bin Ladin) and a clinical note (anxiety and depression), each
with all inferences of any two of its words: a page that names the secret among the five best that hold both. DIR holds
public data sets, and the index is that of `inference.py`. Seconds are those of the processor.

`fewest` is what HiGHS shows to be the least; no method that only removes words can do with less. `general` may write
more general words, so that some words change and need not go. `at 60 %` is what is left of all inferences if no more
words go than 60 % of all precedents: those that leave least, as greedy covering finds them; the most frequent
precedents; and precedents at random, on average.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from inference import BIN_LADIN, DIAGNOSES, Web, notes, sections, table, taxonomies

from withhold.contracts import Corpus
from withhold.evaluation.inference.graph import Graph
from withhold.planners.covering import Cover, all_precedents, cover, greedy
from withhold.planners.sparing import to_break
from withhold.risk.information.inferences import detect, subsets
from withhold.risk.information.options import general_terms, with_options
from withhold.risk.information.terms import Terms
from withhold.types import Inferences

SHARE = 0.6
SECONDS = 30.0


def documents(web: Web) -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Name, text, names of pages to leave out, and every way to write the secrets."""
    for case in sections(web):
        yield f"section {case.name}", case.text, case.leave_out, BIN_LADIN[0]
    secrets = tuple(name for several in DIAGNOSES for name in several)
    both = [case for case, names_both in notes(web) if names_both]
    case = min(both, key=lambda each: abs(len(set(each.text.lower().split())) - 300))
    yield f"note {case.name}", case.text, case.leave_out, secrets


def generalised(graph: Graph, text: str, corpus: Corpus, topic: tuple[str, ...]) -> Inferences:
    """The inferences where words may also become more general ones, worth half of them."""
    terms, choices = graph.terms, graph.choices(distinct=False)
    general = general_terms(corpus, terms, text, terms.words, taxonomies(), set(choices.sets.ravel().tolist()))
    sets = with_options(general, terms.words, lambda words: detect(corpus, words, topic, subsets(len(words), 2)).sets)
    worth = np.concatenate([choices.worth, [0.5 * choices.worth[term] for term, _ in general]])
    return replace(choices, sets=sets, weights=np.ones(len(sets)), worth=worth, general=tuple(general))


def timed(solve: Callable[[], Cover]) -> tuple[Cover, float]:
    start = time.process_time()
    return solve(), time.process_time() - start


def row(name: str, inferences: Inferences, counts: np.ndarray, found: Cover, seconds: float, plain: Cover) -> list[str]:
    """What goes, as words and occurrences, and as shares of what goes with all precedents."""
    size = len(counts)
    changed, before = ~found.kept[:size], ~plain.kept[:size]
    softened = np.zeros(size, np.bool_)
    softened[[term for (term, _), kept in zip(inferences.general, found.kept[size:], strict=True) if kept]] = True
    gone = changed & ~softened
    return [
        name,
        f"{gone.sum()} / {counts[gone].sum()}",
        f"{gone.sum() / before.sum():.1%} / {counts[gone].sum() / counts[before].sum():.1%}",
        str(int(softened.sum())),
        found.status,
        f"{seconds:.1f}",
    ]


def at_equal_words(graph: Graph, inferences: Inferences, counts: np.ndarray) -> list[str]:
    """What is left of all inferences if so many words go."""
    named = np.flatnonzero(~all_precedents(inferences).kept)
    budget, size = int(SHARE * len(named)), len(inferences.sets)
    even = replace(inferences, weights=np.full(size, 1.0 / size))
    for spare in (0.0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1):
        rows = to_break(even, spare, 0.0)
        gone = np.flatnonzero(~cover(replace(even, sets=even.sets[rows], weights=even.weights[rows])).kept)
        if len(gone) <= budget:
            break
    frequent = named[np.argsort(-counts[named], kind="stable")][:budget]
    random = np.random.default_rng(0)
    chance = np.mean([graph.left(random.choice(named, budget, replace=False)) for _ in range(100)])
    return [str(budget), *(f"{share:.2%}" for share in (graph.left(gone), graph.left(frequent), chance))]


def show(name: str, text: str, corpus: Corpus, topic: tuple[str, ...]) -> list[str]:
    terms = Terms.of(text, topic, ())
    graph = Graph.of(corpus, terms, [topic])
    counts, choices = terms.counts, graph.choices()
    weighted, softer = graph.choices(distinct=False), generalised(graph, text, corpus, topic)
    plain, seconds = timed(lambda: all_precedents(choices))
    print(f"### {name}: {len(terms)} words, {counts.sum()} occurrences, {graph.inferences:,} inferences\n")
    rows = [row("all precedents", choices, counts, plain, seconds, plain)]
    for title, each in (("", choices), (", by occurrence", weighted), (", general", softer)):
        for method, solve in (("fewest", cover), ("search", greedy)):
            asked = {"seconds": SECONDS} if solve is cover else {}
            rows.append(row(method + title, each, counts, *timed(lambda: solve(each, **asked)), plain))  # noqa: B023
    table(["", "gone: words / occurrences", "of all precedents", "made general", "", "seconds"], rows)
    return [name, *at_equal_words(graph, choices, counts)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of public data sets")
    parser.add_argument("--index", type=Path, help="where the indexes are kept; a temporary folder if not given")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        web = Web(chosen.data, chosen.index or Path(temporary))
        rows = [
            show(name, text, web.pages.without(leave_out), topic) for name, text, leave_out, topic in documents(web)
        ]
        print(f"### At {SHARE:.0%} of the words of all precedents: inferences that are left\n")
        table(["", "words gone", "least", "most frequent", "at random"], rows)


if __name__ == "__main__":
    main()
