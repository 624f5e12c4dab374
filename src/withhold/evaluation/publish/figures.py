"""What Figures 3 to 8 of the paper show, measured on other data, with our rule beside it and an attacker who ranks.

The data of a figure are its lines, by name, each a list of points; tables and drawings are made of the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from withhold.evaluation.charts import Axis, Line, chart, write_chart
from withhold.evaluation.publish.attacker import family
from withhold.evaluation.publish.bounds import in_order
from withhold.evaluation.publish.lab import Lab, Release
from withhold.evaluation.publish.ways import Way

Report = dict[str, Any]

RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 100.0)
"""Of loss to worth."""
SHOWN = {5.0: "6", 10.0: "7"}
"""Ratios at which budgets are varied, and the figures that have them."""
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Budgets, as shares of what is published."""

RATIO, BUDGET = "L/C", "words inspected"
CALLED, FOUND, PUBLISHED, LEFT, ROUNDS = (
    "words",
    "found per word inspected",
    "words published",
    "share left",
    "iterations",
)
_STEPS = {CALLED: 1.0, ROUNDS: 1.0, PUBLISHED: 0.002}
"""The smallest steps between marks."""


def figures(lab: Lab, ours: Way) -> list[Report]:
    """Each figure: its number, what it shows, what its axes are, and its lines."""
    ours, learners = Way("ours", ours.kind, ours.learners), family(lab.attackers)
    greedy = [Way(f"paper, {name}", "paper", (name,)) for name in learners]
    if len(learners) > 1:
        greedy.append(Way("paper, best", "paper", learners))
    single = [Way(f"{name} + costs", "single", (name,)) for name in learners]
    ends = list(dict.fromkeys((ours, greedy[0], greedy[-1])))
    lab.make([(way, RATIOS) for way in (*greedy, ours, *single)])
    once = max(single, key=lambda way: _accuracy(lab, lab.release(way, 1.0)))
    lab.attack(
        [
            *(lab.release(way, ratio) for way in ends for ratio in RATIOS),
            *(lab.release(way, ratio) for way in (*greedy, ours, *single) for ratio in SHOWN),
            lab.release(once, 1.0),
        ]
    )

    def by_ratio(ways: Sequence[Way], value: Callable[[Release], float]) -> Report:
        return {way.name: [[ratio, value(lab.release(way, ratio))] for ratio in RATIOS] for way in ways}

    def by_budget(ways: Sequence[Way], ratio: float, found: Callable[[Lab, Release, float], float]) -> Report:
        return {way.name: [[share, found(lab, lab.release(way, ratio), share)] for share in SHARES] for way in ways}

    level = _called(lab, lab.release(once, 1.0))
    called = by_ratio(ends, lambda release: _called(lab, release))
    called[f"{once.learners[0]}, once"] = [[ratio, level] for ratio in RATIOS]
    beside = [ours, greedy[-1], *single]
    drawn = [_figure("3", "Sensitive words that the attacker calls so", RATIO, CALLED, called)]
    for ratio in SHOWN:
        for number, order, found in (("4", "positives first", _in_order), ("4b", "by score", _ranked)):
            title = f"Found per word inspected, {order}, L/C = {ratio:g}"
            drawn.append(_figure(f"{number} at {ratio:g}", title, BUDGET, FOUND, by_budget(beside, ratio, found)))
    published = by_ratio(beside, lambda release: float(lab.corpus.published(release.hidden)["publish_ratio"]))
    drawn.append(_figure("5", "Words published", RATIO, PUBLISHED, published))
    left = by_ratio(beside, lambda release: float(lab.corpus.published(release.hidden)["residual_share"]))
    drawn.append(_figure("5b", "Sensitive words left", RATIO, LEFT, left))
    for ratio, number in SHOWN.items():
        title = f"Found per word inspected, by the publisher's learner, L/C = {ratio:g}"
        drawn.append(_figure(number, title, BUDGET, FOUND, by_budget([ours, *greedy], ratio, _in_order)))
    rounds = by_ratio([ours, *greedy], lambda release: mean(release.iterations))
    return [*drawn, _figure("8", "Iterations, on average", RATIO, ROUNDS, rounds)]


def _figure(number: str, title: str, x: str, y: str, lines: Report) -> Report:
    return {"figure": number, "title": title, "x": x, "y": y, "lines": lines}


def _accuracy(lab: Lab, release: Release) -> float:
    told = lab.corpus.published(release.hidden)
    harmless = told["cap"]
    return float(told["kept"] * harmless + (1 - told["residual_share"]) * (1 - harmless))


def _called(lab: Lab, release: Release) -> float:
    return float(sum(each.counts(each.best).tp for each in lab.attacks(release)))


def _in_order(lab: Lab, release: Release, share: float) -> float:
    attacks = lab.attacks(release)
    found = sum(in_order(each.counts(each.best), each.budget(share)) for each in attacks)
    return found / sum(each.budget(share) for each in attacks)


def _ranked(lab: Lab, release: Release, share: float) -> float:
    attacks = lab.attacks(release)
    return sum(len(each.ranked(each.budget(share))) for each in attacks) / sum(each.budget(share) for each in attacks)


def columns(figure: Report) -> list[str]:
    """The heads of a figure as a table."""
    return [f"#{figure['x']}", *(f"#{name}" for name in figure["lines"])]


def rows(figure: Report) -> list[tuple[str, ...]]:
    """A figure as a table: one row for each place on its x axis."""
    lines = list(figure["lines"].values())
    tell = _axes(figure)
    return [
        (tell[0].told(points[0][0]), *(tell[1].told(point[1]) for point in points))
        for points in zip(*lines, strict=True)
    ]


def _axes(figure: Report) -> tuple[Axis, Axis]:
    values = [value for points in figure["lines"].values() for _, value in points]
    places = [point[0] for point in next(iter(figure["lines"].values()))]
    x = Axis.through(figure["x"], places, _percent if figure["x"] == BUDGET else _number, log=True)
    low, told = (min(values), _percent) if figure["y"] == PUBLISHED else (0.0, _number)
    return x, Axis.between(figure["y"], low, max([*values, 1e-3]), told, least=_STEPS.get(figure["y"], 0.0))


def _percent(value: float) -> str:
    return f"{100 * value:.3g}%"


def _number(value: float) -> str:
    return f"{value:.3g}"


def write_figures(drawn: Sequence[Report], folder: Path) -> list[Path]:
    """`figure-3.svg` and so on in the folder, which is made if need be.

    Raises:
        OutputError: if they cannot be written.
    """
    return [write_chart(draw(each), folder / f"figure-{each['figure'].replace(' ', '-')}.svg") for each in drawn]


def draw(figure: Report) -> str:
    """A figure as SVG."""
    x, y = _axes(figure)
    lines = [Line(name, points) for name, points in figure["lines"].items()]
    return chart(figure["title"], lines, x, y)
