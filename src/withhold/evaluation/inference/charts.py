"""Effectiveness against the number of keywords, as SVG: the paper's Figure 2, for every ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from withhold.evaluation.charts import Axis, Line
from withhold.evaluation.charts import chart as lines
from withhold.evaluation.charts import write_chart as written

_BANDS = ("expected", "information", "frequency")
_NAMES = {
    "expected": "expected inferences",
    "information": "mutual information",
    "tfidf": "TF.IDF",
    "tfidf_known": "TF.IDF, known words",
    "frequency": "raw frequency",
    "ceiling": "by true count",
}


def chart(report: dict[str, Any], *, title: str = "") -> str:
    """One figure: the mean share of all inferences, by the number of keywords, for each ranking."""
    words = "both words" if report["match"] == "all" else "either word"
    limits = report["keywords"]
    top = max(each["high"] or each["value"] for several in report["rho"].values() for each in several) or 1.0
    return lines(
        title or f"Inferences found, {words} of a pair asked for",
        [_line(name, limits, several) for name, several in report["rho"].items()],
        Axis.through("keywords", limits, lambda limit: f"{limit:.0f}"),
        Axis.between("share of all inferences", 0.0, top, lambda share: f"{share:.0%}", least=0.01),
        told=described(report),
    )


def described(report: dict[str, Any]) -> str:
    """The figure in words."""
    last = report["keywords"][-1]
    told = ", ".join(f"{_NAMES.get(name, name)} {several[-1]['value']:.0%}" for name, several in report["rho"].items())
    return f"Of all inferences of a document, {last} keywords find: {told}."


def write_chart(report: dict[str, Any], folder: Path, *, name: str = "") -> Path:
    """Write the figure to `rho-all.svg` or `rho-any.svg` in the folder, which is made if need be.

    Raises:
        OutputError: if it cannot be written.
    """
    return written(chart(report), folder / f"{name or 'rho'}-{report['match']}.svg")


def _line(name: str, limits: list[int], several: list[dict[str, float]]) -> Line:
    found = list(zip(limits, several, strict=True))
    band = [(limit, each["low"], each["high"]) for limit, each in found if each["high"] is not None]
    points = [(limit, each["value"]) for limit, each in found]
    return Line(_NAMES.get(name, name), points, band if name in _BANDS else ())
