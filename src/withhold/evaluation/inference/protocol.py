"""The experiment: rankings of keywords against all inferences of many documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.errors import CorpusError, MalformedData
from withhold.evaluation.inference.breaking import Broken, break_all, break_with_options
from withhold.evaluation.inference.graph import Graph
from withhold.evaluation.inference.intervals import Draws, Mean
from withhold.evaluation.inference.rankings import RANKINGS, TABLE, Ranked
from withhold.risk.information.keywords import queries
from withhold.risk.information.sample import Sample, about
from withhold.risk.information.several import RELATED, related
from withhold.risk.information.terms import Terms

if TYPE_CHECKING:
    from withhold.contracts import Archive, Counts, Match, Taxonomy, Wanted
    from withhold.evaluation.inference.cases import Case

Track = Callable[[Iterable[Any], int, str], Iterator[Any]]
Report = dict[str, Any]

RATIOS = (
    ("expected", "frequency"),
    ("expected", "information"),
    ("expected", "tfidf"),
    ("expected", "ceiling"),
    ("information", "frequency"),
    ("information", "tfidf"),
    ("information", "tfidf_known"),
)


@dataclass(frozen=True)
class Experiment:
    """What is asked: the secrets, each with all its names, of a corpus.

    `learnt` is where the published rankings learn which words go with the secrets: `documents` of it by number, or the
    30 that name them most often. `threshold` says from how many bits on two secrets are related. With `taxonomies`, it
    is measured too what more general words spare.
    """

    corpus: Archive
    secrets: tuple[Wanted, ...]
    learnt: Archive
    documents: Counts | None = None
    keywords: tuple[int, ...] = (20, 40, 60, 80, 100)
    depth: int = 5
    match: Match = "all"
    table: int = 50
    threshold: float = RELATED
    copies: bool = True
    seconds: float = 1.0
    covering: bool = True
    taxonomies: tuple[Taxonomy, ...] = ()
    draws: int = field(default=2000, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for each in self.secrets for name in ([each] if isinstance(each, str) else each))

    def look(self, case: Case) -> tuple[Ranked, Graph]:
        """The rankings of one document, and all of its inferences."""
        corpus, learnt = self._without(self.corpus, case), self._without(self.learnt, case)
        documents = about(learnt, self.names) if self.documents is None else self.documents
        terms = Terms.of(case.text, self.names)
        relations = related(Sample(learnt, documents, (), self.secrets), self.threshold)
        ranked = Ranked(corpus, terms, self.secrets, learnt, documents, self.depth, self.match, relations)
        return ranked, Graph.of(corpus, terms, self.secrets, depth=self.depth, match=self.match)

    def _without(self, archive: Archive, case: Case) -> Archive:
        """The archive without the document itself."""
        return archive.without({*case.leave_out, *(archive.copies(case.text) if self.copies else ())})


@dataclass(frozen=True, eq=False)
class Seen:
    """What came out for one document."""

    words: int
    pairs: int
    inferences: int
    rho: dict[str, list[float]]
    table: dict[str, tuple[float, int]]
    broken: dict[str, Broken]
    ranking_seconds: float
    asking_seconds: float


def see(experiment: Experiment, case: Case) -> Seen:
    """One document."""
    start = process_time()
    ranked, graph = experiment.look(case)
    asked = process_time()
    rho = ranked.rho(graph, experiment.keywords)
    ended = process_time()
    several = len(experiment.secrets) > 1
    return Seen(
        len(graph.terms),
        graph.pairs,
        graph.inferences,
        rho,
        ranked.table(graph, experiment.table) if several else {},
        broken(experiment, case.text, ranked, graph) if experiment.covering and graph.inferences else {},
        ended - asked,
        asked - start,
    )


def broken(experiment: Experiment, text: str, ranked: Ranked, graph: Graph) -> dict[str, Broken]:
    """What it takes to break the inferences among the keywords, all of them, and all with more general words to use."""
    order, limit, seconds = ranked.orders["expected"], experiment.keywords[-1], experiment.seconds
    found = {
        "keywords": break_all(graph, order, limit, seconds=seconds),
        "everything": break_all(graph, order, seconds=seconds),
    }
    if experiment.taxonomies:
        asking = {"depth": experiment.depth, "match": experiment.match}
        found["generalising"] = break_with_options(
            graph, text, ranked.corpus, ranked.topic, order, experiment.taxonomies, **asking
        )
    return found


def evaluate(experiment: Experiment, cases: Sequence[Case], *, track: Track) -> Report:
    """Every document, and the means over all that have any inference.

    Raises:
        CorpusError: if the corpus never names a secret.
        MalformedData: if no document has an inference.
    """
    if not experiment.corpus.count_all([[secret] for secret in experiment.secrets], "document").all():
        raise CorpusError("the corpus never names the secret, so nothing leads to it; give another word or an --alias")
    everyone = [see(experiment, case) for case in track(cases, len(cases), "Looking up pairs of words")]
    seen = [each for each in everyone if each.inferences]
    if not seen:
        raise MalformedData("no two words of any of these documents lead to the secret: there is nothing to measure")
    return summary(experiment, seen, len(everyone))


def summary(experiment: Experiment, seen: Sequence[Seen], documents: int) -> Report:
    """The measures of all documents that have inferences, with intervals over documents."""
    draws = Draws(len(seen), experiment.draws)
    rho = {name: np.array([each.rho[name] for each in seen]) for name in RANKINGS}
    limits = experiment.keywords
    return {
        "documents": documents,
        "without_inferences": documents - len(seen),
        "match": experiment.match,
        "depth": experiment.depth,
        "keywords": list(limits),
        "queries": {
            "detection": [comb(limit, 2) for limit in limits],
            "ranking": round(float(np.mean([queries(each.words) for each in seen])), 1),
            "everything": round(float(np.mean([each.pairs for each in seen])), 1),
        },
        "words": draws.mean([each.words for each in seen]).to_json(),
        "inferences": draws.mean([each.inferences for each in seen]).to_json(),
        "share": draws.mean([each.inferences / each.pairs for each in seen]).to_json(),
        "rho": {name: [draws.mean(column).to_json() for column in rho[name].T] for name in RANKINGS},
        "ratios": {
            f"{one}/{other}": [draws.ratio(a, b).to_json() for a, b in zip(rho[one].T, rho[other].T, strict=True)]
            for one, other in RATIOS
        },
        "several": _table(experiment, seen, draws),
        "covering": _covering(seen, draws),
        "seconds": {
            "ranking": round(sum(each.ranking_seconds for each in seen), 3),
            "asking": round(sum(each.asking_seconds for each in seen), 3),
        },
    }


def _table(experiment: Experiment, seen: Sequence[Seen], draws: Draws) -> Report | None:
    if len(experiment.secrets) < 2:
        return None
    rows = {
        name: {
            "rho": draws.mean([each.table[name][0] for each in seen]).to_json(),
            "queries": round(float(np.mean([each.table[name][1] for each in seen])), 1),
        }
        for name in TABLE
    }
    return {"keywords": experiment.table, "algorithms": rows}


def _covering(seen: Sequence[Seen], draws: Draws) -> Report | None:
    def measured(several: Sequence[Broken]) -> Report:
        return {
            "precedents": draws.mean([each.precedents for each in several]).to_json(),
            "covered": draws.mean([each.covered for each in several]).to_json(),
            "generalised": draws.mean([each.generalised for each in several]).to_json(),
            "words": draws.ratio([each.covered for each in several], [each.precedents for each in several]).to_json(),
            "occurrences": draws.ratio(
                [each.covered_occurrences for each in several], [each.precedent_occurrences for each in several]
            ).to_json(),
            "left_by_cover": draws.mean([each.left_by_cover for each in several]).to_json(),
            "left_by_precedents": draws.mean([each.left_by_precedents for each in several]).to_json(),
            "exact": sum(each.is_exact for each in several),
        }

    return {name: measured([each.broken[name] for each in seen]) for name in seen[0].broken} or None


def rho_rows(report: Report) -> list[tuple[str, ...]]:
    """A row for each ranking: rho by the number of keywords, with the interval of the last."""
    return [
        (name, *(str(Mean.from_json(each)) for each in several), Mean.from_json(several[-1]).interval)
        for name, several in report["rho"].items()
    ]


def ratio_rows(report: Report) -> list[tuple[str, ...]]:
    """A row for each comparison, with the interval of the last."""
    return [
        (
            name.replace("/", " / "),
            *(_times(Mean.from_json(each)) for each in several),
            Mean.from_json(several[-1]).interval,
        )
        for name, several in report["ratios"].items()
    ]


def table_rows(report: Report) -> list[tuple[str, ...]]:
    """The layout of the paper's Table 2: effectiveness and queries."""
    return [
        (name.replace("_", " "), str(rho), rho.interval, f"{row['queries']:,.0f}")
        for name, row in report["several"]["algorithms"].items()
        for rho in [Mean.from_json(row["rho"])]
    ]


def covering_rows(report: Report) -> list[tuple[str, ...]]:
    """What a cover removes, as a share of what the removal of all precedents does, and what is left."""
    told = ("words", "occurrences", "left_by_cover", "left_by_precedents")
    named = {"everything": "all inferences", "generalising": "all, more general words allowed"}
    return [
        (
            named.get(name, f"of {report['keywords'][-1]} keywords"),
            *(f"{row[each]['value']:.1f}" for each in ("precedents", "covered", "generalised")),
            *(_percent(Mean.from_json(row[each])) for each in told),
            Mean.from_json(row["words"]).interval,
        )
        for name, row in report["covering"].items()
    ]


def _times(mean: Mean) -> str:
    return "–" if mean.value is None else f"{mean.value:.2f}"


def _percent(mean: Mean) -> str:
    return "–" if mean.value is None else f"{mean.value:.1%}"
