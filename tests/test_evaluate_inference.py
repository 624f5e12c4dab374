"""The evaluation of inference: rho by brute force, breaking, figures, and the command end to end."""

from __future__ import annotations

import gzip
import json
import random
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from withhold.cli import main
from withhold.corpora.index import Writer
from withhold.errors import CorpusError, MalformedData
from withhold.evaluation.inference.breaking import break_all
from withhold.evaluation.inference.cases import Case, read_cases
from withhold.evaluation.inference.charts import chart
from withhold.evaluation.inference.graph import Graph
from withhold.evaluation.inference.intervals import Draws, Mean
from withhold.evaluation.inference.protocol import Experiment, evaluate
from withhold.evaluation.inference.rankings import RANKINGS, TABLE, Ranked, ceiling
from withhold.risk.information.several import Lookup
from withhold.risk.information.terms import Terms

TOPICAL = ["harbour", "crane", "dock", "cargo", "tide", "rope", "quay", "anchor"]
OTHER = ["wheat", "barn", "plough", "sheep", "tractor", "field", "fence", "hay"]
COMMON = ["monday", "letter", "money", "people", "house", "road"]


def texts(count: int, seed: int = 0) -> list[str]:
    """Some about the harbour, which name Larkport now and then and Ferrow more rarely; the others about a farm."""
    chance, found = random.Random(seed), []
    for number in range(count):
        own = TOPICAL if number % 3 == 0 else OTHER
        parts = []
        for _ in range(4):
            names = ["Larkport"] * (own is TOPICAL and chance.random() < 0.5)
            names += ["Ferrow"] * (own is TOPICAL and chance.random() < 0.3)
            parts.append(" ".join([*chance.sample(own, 3), *chance.sample(COMMON, 2), *names]))
        found.append("\n\n".join(parts))
    return found


CORPUS = PlainCorpus([(f"d{number}", "", text) for number, text in enumerate(texts(40))])
TEXT = "The harbour crane at Larkport and the dock stood on the road. Sheep and wheat; money for people."


def graph_of(corpus: PlainCorpus = CORPUS, text: str = TEXT) -> Graph:
    return Graph.of(corpus, Terms.of(text, ("Larkport",)), [("Larkport",), ("Ferrow",)], depth=1)


def test_rho_by_brute_force() -> None:
    graph = graph_of()
    words = graph.terms.words
    tells = {
        pair
        for pair in combinations(range(len(words)), 2)
        if CORPUS.tells([[words[one] for one in pair]], ("Larkport", "Ferrow"), 1, "all")[0]
    }
    assert graph.inferences == len(tells) > 0
    order = np.arange(len(words))[::-1]
    for limit in (2, 4, len(words), 100):
        inside = {pair for pair in tells if set(pair) <= set(order[:limit].tolist())}
        assert graph.rho(order, [limit]) == [pytest.approx(len(inside) / len(tells))]
    assert graph.rho(order, [100]) == [1.0]


def test_chance_is_the_mean_over_all_orders() -> None:
    graph = graph_of(text="harbour crane road sheep")
    subsets = list(combinations(range(4), 2))
    mean = np.mean([graph.rho(np.array(each), [2])[0] for each in subsets])
    assert graph.by_chance([2]) == [pytest.approx(mean)]
    assert graph.by_chance([4, 9]) == [1.0, 1.0]


def test_each_secret_and_either() -> None:
    corpus = PlainCorpus([("a", "", "harbour crane Larkport"), ("b", "", "harbour dock Ferrow"), ("c", "", "sheep")])
    graph = graph_of(corpus, "harbour crane dock sheep")
    everything = np.arange(len(graph.terms))
    both = graph.found_by([Lookup(everything, (0, 1))])
    assert both == (1.0, graph.pairs)
    apart = [Lookup(everything, (0,)), Lookup(everything, (1,))]
    assert graph.found_by(apart) == (1.0, 2 * graph.pairs)
    assert graph.found_by(apart, either=True) == (1.0, graph.pairs)
    assert graph.found_by([Lookup(everything, (1,))]) == (0.5, graph.pairs)


graphs = st.integers(3, 8).flatmap(
    lambda count: st.lists(
        st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] < pair[1]),
        min_size=1,
    ).map(lambda pairs: (count, set(pairs)))
)


@settings(deadline=None, max_examples=20)
@given(graphs)
def test_breaking_leaves_nothing_and_takes_no_more_than_it_must(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    count, pairs = drawn
    table = np.zeros((1, count, count), bool)
    for one, other in pairs:
        table[0, one, other] = table[0, other, one] = True
    graph = Graph(Terms.of(" ".join(f"word{number}" for number in range(count))), table)
    broken = break_all(graph, ceiling(graph))
    least = next(
        size
        for size in range(count)
        if any(all(set(pair) & set(gone) for pair in pairs) for gone in combinations(range(count), size))
    )
    assert broken.covered == least
    assert broken.precedents == len({word for pair in pairs for word in pair})
    assert broken.left_by_cover == 0.0
    assert 0.0 <= broken.left_by_precedents <= 1.0
    first = break_all(graph, np.arange(count), 2)
    assert first.inferences == ((0, 1) in pairs)


def test_draws_hold_the_mean_and_ratios_are_paired() -> None:
    draws = Draws(50, 500)
    values = np.random.default_rng(1).random(50)
    mean = draws.mean(values)
    assert mean.value == pytest.approx(values.mean())
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low < values.mean() < mean.high
    ratio = draws.ratio(2 * values, values)
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((2.0, 2.0, 2.0))
    assert draws.ratio(values, np.zeros(50)).value is None
    assert Draws(1).mean([3.0]) == Mean(3.0)


def test_our_ranking_finds_more_than_chance_and_less_than_all() -> None:
    cases = [Case(text, f"c{number}") for number, text in enumerate(texts(4, seed=5))]
    experiment = Experiment(CORPUS, (("Larkport",), ("Ferrow",)), CORPUS, keywords=(4, 8), depth=3, table=6)
    report = evaluate(experiment, cases, track=lambda items, _total, _doing: iter(items))
    assert report["documents"] == 4
    assert set(report["rho"]) == set(RANKINGS)
    assert list(report["several"]["algorithms"]) == list(TABLE)
    rho = {name: report["rho"][name][0]["value"] for name in RANKINGS}
    assert rho["random"] < rho["expected"] <= 1.0
    assert report["queries"]["detection"] == [6, 28]
    covering = report["covering"]["everything"]
    assert covering["left_by_cover"]["value"] == 0.0
    assert covering["words"]["value"] < 1.0
    figure = chart(report)
    ElementTree.fromstring(figure)
    assert figure.count(' line"') == len(report["rho"]) >= len(RANKINGS)
    json.dumps(report)


def test_a_corpus_that_cannot_tell_is_refused() -> None:
    quiet = Experiment(CORPUS, (("Nobody",),), CORPUS)
    with pytest.raises(CorpusError, match="never names"):
        evaluate(quiet, [Case(TEXT)], track=lambda items, _total, _doing: iter(items))
    for unknown in ("Nobody", "?!"):
        half = Experiment(CORPUS, (("Larkport",), (unknown,)), CORPUS)
        with pytest.raises(CorpusError, match="never names"):
            evaluate(half, [Case(TEXT)], track=lambda items, _total, _doing: iter(items))
    with pytest.raises(MalformedData, match="nothing to measure"):
        evaluate(
            Experiment(CORPUS, (("Larkport",),), CORPUS),
            [Case("wheat barn")],
            track=lambda items, _total, _doing: iter(items),
        )


def test_documents_are_left_out_by_name_and_as_copies() -> None:
    corpus = PlainCorpus([("a", "", "harbour crane Larkport"), ("b", "", "harbour crane"), ("c", "", "wheat barn hay")])
    experiment = Experiment(corpus, (("Larkport",),), corpus)
    assert experiment.look(Case("harbour crane"))[1].inferences == 1
    assert experiment.look(Case("harbour crane", leave_out=("a", "nothing")))[1].inferences == 0
    long = "one two three four five six seven eight nine ten harbour crane"
    corpus = PlainCorpus([("a", "", f"{long} Larkport"), ("b", "", "harbour crane Larkport")])
    assert Experiment(corpus, (("Larkport",),), corpus).look(Case(long))[1].inferences == 1
    kept = Experiment(corpus, (("Larkport",),), corpus, copies=False).look(Case(long))[1]
    assert kept.inferences == kept.pairs


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "no documents"),
        ("{", "line 1: not JSON"),
        ('{"text": "a"}\n[1]', "line 2: expected an object"),
        ('{"text": 3}', "line 1: expected an object"),
        ('{"text": "a", "leave_out": "b"}', "line 1: `leave_out`"),
    ],
)
def test_malformed_documents_are_named_by_line(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(MalformedData, match=said):
        read_cases(path)


def test_documents_are_read_packed(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "a b", "name": "n", "leave_out": ["x"]}\n\n{"text": "c"}\n'))
    assert read_cases(path) == [Case("a b", "n", ("x",)), Case("c", "3")]
    assert "a b" not in repr(read_cases(path))


def test_published_rankings_learn_from_the_documents_given() -> None:
    terms = Terms.of("harbour wheat monday")
    ranked = Ranked(CORPUS, terms, (("Larkport",),), CORPUS, np.array([1, 2]))
    assert not ranked.sample.information.any()
    assert ranked.sample.holding.tolist()[0] == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Writer(tmp_path / "index") as writer:
        for number, text in enumerate(texts(60)):
            writer.add(f"d{number}", "", text)
        writer.commit()
    lines = [json.dumps({"text": text}) for text in texts(4, seed=9)]
    (tmp_path / "documents.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert ended.value.code == code, err
    return out, err


def test_the_command_end_to_end(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    common = ["evaluate", "inference", "--corpus", folder / "index", "--documents", folder / "documents.jsonl"]
    asked = [*common, "--secret", "larkport", "--related", "ferrow", "--keywords", "4,8", "--table", "6"]
    out, err = run(capfd, *asked, "--charts", folder / "charts", "--json")
    report = json.loads(out)
    assert report["keywords"] == [4, 8]
    assert report["several"]["algorithms"]["trivial"]["queries"] == 30
    assert (folder / "charts" / "rho-all.svg").is_file()
    broken = report["covering"]
    assert broken["generalising"]["covered"]["value"] <= broken["everything"]["covered"]["value"]
    assert broken["generalising"]["precedents"] == broken["everything"]["precedents"]
    assert "harbour" not in out + err
    out, err = run(capfd, *asked, "--match", "any", "--no-covering", "--no-generalise")
    assert "expected" in out
    assert "trivial either" in out
    assert "queries" in err
    run(capfd, *common, "--secret", "larkport", "--match", "both", code=2)
    run(capfd, *common, "--secret", "larkport", "--keywords", "1", code=2)
    _, err = run(capfd, *common, "--secret", "nobody", code=1)
    assert "never names" in err
    missing = ["--corpus", folder / "none", "--documents", folder / "documents.jsonl", "--secret", "larkport"]
    run(capfd, "evaluate", "inference", *missing, code=1)
