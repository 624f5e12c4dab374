"""The report of linkage as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Report = dict[str, Any]

HEADLINES = ("texts", "#kept", "#bm25", "#embedding", "#pairs")
"""A rate and its 95 % interval are one cell, so that a narrow terminal breaks no word."""

ATTACKERS = ("attacker", "#before", "#after", "#95 %", "#in first 5", "#mean 1/rank")

_FAMILIES = ("bm25", "embedding", "pairs")
_CALLED = {"marked": "marked, cut", "detected": "detected, cut"}


def headline_rows(report: Report) -> list[tuple[str, ...]]:
    """Rank-1 rates before and after, and of what it is compared with."""
    before = [(report[each]["before"], report[each]["before_interval"]) for each in _FAMILIES]
    after = [(report[each]["after"], report[each]["interval"]) for each in _FAMILIES]
    rows = [("original", "100%", *_cells(before)), ("sanitized", f"{report['words_kept']:.1%}", *_cells(after))]
    return [*rows, *((_CALLED[name], *_summary(each)) for name, each in report["baselines"].items())]


def attacker_rows(report: Report, setting: str) -> list[tuple[str, ...]]:
    """Every attacker in one setting."""
    states = report["settings"][setting]
    return [
        (
            name,
            f"{states['before'][name]['rank1']:.0%}",
            f"{after['rank1']:.0%}",
            _interval(after["interval"]),
            f"{after['rank5']:.0%}",
            f"{after['mrr']:.3f}",
        )
        for name, after in states["after"].items()
    ]


def curve_rows(report: Report) -> list[tuple[str, ...]]:
    """Rank-1 rates for each way and strength."""
    return [(each["way"], str(each["k"]), *_summary(each)) for each in report["curve"]]


def _summary(each: Report) -> tuple[str, ...]:
    rates = [(each[family]["rank1"], each[family]["interval"]) for family in _FAMILIES]
    return f"{each['words_kept']:.1%}", *_cells(rates)


def _cells(rates: Sequence[tuple[float, Sequence[float]]]) -> tuple[str, ...]:
    return tuple(f"{rate:.0%} {_interval(interval)}" for rate, interval in rates)


def _interval(interval: Sequence[float]) -> str:
    return f"{interval[0]:.0%}-{interval[1]:.0%}"
