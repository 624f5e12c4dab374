"""Rank-1 rates against words kept, as SVG: one figure for each kind of attacker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from withhold.evaluation.charts import Axis, Line, write_chart
from withhold.evaluation.charts import chart as drawn

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_WAYS = {"suppress": "words removed", "generalise": "or made more general"}

Points = list[tuple[float, float]]


def write_charts(curve: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """`linkage-bm25.svg` and so on in the folder, which is made if need be.

    Raises:
        OutputError: if they cannot be written.
    """
    paths = []
    for family in ("bm25", "embedding", "pairs"):
        lines = {
            way: [(each["words_kept"], each[family]["rank1"]) for each in curve if each["way"] == way] for way in _WAYS
        }
        paths.append(write_chart(chart(lines, family), folder / f"linkage-{family}.svg"))
    return paths


def chart(lines: dict[str, Points], family: str) -> str:
    """One figure: how often the person comes first, for the words that are kept."""
    told = "; ".join(
        f"{_WAYS[way]}: " + ", ".join(f"{rate:.0%} with {kept:.0%} of the words" for kept, rate in points)
        for way, points in lines.items()
    )
    x, y = (Axis.through(name, _TICKS, lambda share: f"{share:.0%}") for name in ("words kept", "at rank 1"))
    several = [Line(_WAYS[way], sorted(points)) for way, points in lines.items()]
    return drawn(f"Who is this about? Found at once by {family}", several, x, y, told=told)
