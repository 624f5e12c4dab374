"""Effectiveness against the number of keywords, as SVG: the paper's Figure 2, for every ranking."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from withhold.errors import OutputError
from withhold.files import write

_WIDTH, _HEIGHT = 680, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 168, 64, 60

# Told apart by colour, by dashes and by their names at the end of each line, on light and on dark.
_STYLE = """
  .paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .grid { stroke: #d8dee4 }
  .axis { stroke: #59636e } .band { fill-opacity: .1; stroke: none }
  .expected { stroke: #0b57d0; fill: #0b57d0 } .information { stroke: #b3261e; fill: #b3261e }
  .tfidf { stroke: #7a4f01; fill: #7a4f01 } .tfidf_known { stroke: #7a4f01; fill: #7a4f01 }
  .frequency { stroke: #1a7f37; fill: #1a7f37 } .random { stroke: #59636e; fill: #59636e }
  .ceiling { stroke: #1f2328; fill: #1f2328 } .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181d } .ink { fill: #e6edf3 } .soft { fill: #9da7b3 } .grid { stroke: #2f363d }
    .axis { stroke: #9da7b3 } .expected { stroke: #8ab4f8; fill: #8ab4f8 }
    .information { stroke: #ff8a80; fill: #ff8a80 } .tfidf { stroke: #e3b341; fill: #e3b341 }
    .tfidf_known { stroke: #e3b341; fill: #e3b341 } .frequency { stroke: #56d364; fill: #56d364 }
    .random { stroke: #9da7b3; fill: #9da7b3 } .ceiling { stroke: #e6edf3; fill: #e6edf3 }
  }
""".strip("\n")
_DASHES = {"information": "7 4", "tfidf": "2 3", "tfidf_known": "6 2 2 2", "random": "1 4", "ceiling": "10 5"}


def chart(report: dict[str, Any], *, title: str = "") -> str:
    """One figure: the mean share of all inferences, by the number of keywords, for each ranking."""
    words = "both words" if report["match"] == "all" else "either word"
    heading = title or f"Inferences found, {words} of a pair asked for"
    top = max(each["high"] or each["value"] for several in report["rho"].values() for each in several) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="title desc" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(described(report))}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="ink" x="{_LEFT}" y="34" font-size="17" font-weight="600">{escape(heading)}</text>',
        *_grid(report["keywords"], top),
        *(part for name, several in report["rho"].items() for part in _line(name, report["keywords"], several, top)),
        *_names(report["rho"], top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def described(report: dict[str, Any]) -> str:
    """The figure in words."""
    last = report["keywords"][-1]
    told = ", ".join(f"{_name(name)} {several[-1]['value']:.0%}" for name, several in report["rho"].items())
    return f"Of all inferences of a document, {last} keywords find: {told}."


def write_chart(report: dict[str, Any], folder: Path, *, name: str = "") -> Path:
    """Write the figure to `rho-all.svg` or `rho-any.svg` in the folder, which is made if need be.

    Raises:
        OutputError: if it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from None
    return write(folder / f"{name or 'rho'}-{report['match']}.svg", chart(report).encode("utf-8"), overwrite=True)


def _x(limit: int, limits: list[int]) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (limit - limits[0]) / max(limits[-1] - limits[0], 1)


def _y(share: float, top: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1.0 - share / top)


def _grid(limits: list[int], top: float) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    step = next(each for each in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5) if top / each <= 6 or each == 0.5)
    parts = []
    for number in range(int(top / step) + 1):
        y = _y(number * step, top)
        parts.append(f'<path class="{"grid" if number else "axis"}" d="M{_LEFT} {y:.1f}H{right}"/>')
        parts.append(
            f'<text class="soft" x="{_LEFT - 10}" y="{y + 4.5:.1f}" font-size="12" text-anchor="end">'
            f"{number * step:.0%}</text>"
        )
    for limit in limits:
        parts.append(
            f'<text class="soft" x="{_x(limit, limits):.1f}" y="{bottom + 20}" font-size="12" '
            f'text-anchor="middle">{limit}</text>'
        )
    middle, height = (_LEFT + right) / 2, (_TOP + bottom) / 2
    parts.append(
        f'<text class="soft" x="{middle:.1f}" y="{bottom + 44}" font-size="13" text-anchor="middle">keywords</text>'
    )
    parts.append(
        f'<text class="soft" x="18" y="{height:.1f}" font-size="13" text-anchor="middle" '
        f'transform="rotate(-90 18 {height:.1f})">share of all inferences</text>'
    )
    return parts


def _line(name: str, limits: list[int], several: list[dict[str, float]], top: float) -> list[str]:
    places = [(_x(limit, limits), each) for limit, each in zip(limits, several, strict=True)]
    band = [(x, _y(each["high"], top)) for x, each in places if each["high"] is not None]
    band += [(x, _y(each["low"], top)) for x, each in reversed(places) if each["low"] is not None]
    dashes = f' stroke-dasharray="{_DASHES[name]}"' if name in _DASHES else ""
    path = "M" + "L".join(f"{x:.1f} {_y(each['value'], top):.1f}" for x, each in places)
    drawn = [f'<path class="{name} line" style="fill: none" d="{path}"{dashes}/>']
    if band and name in ("expected", "information", "frequency"):
        edge = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in band) + "Z"
        drawn.insert(0, f'<path class="{name} band" style="stroke: none" d="{edge}"/>')
    return drawn


def _names(rho: dict[str, list[dict[str, float]]], top: float) -> list[str]:
    """The name of each ranking at the end of its line, moved down where two would overlap."""
    x, above, parts = _WIDTH - _RIGHT + 10, -100.0, []
    for name in sorted(rho, key=lambda each: -rho[each][-1]["value"]):
        y = max(_y(rho[name][-1]["value"], top) + 4.5, above + 15)
        above = y
        parts.append(
            f'<text class="{name}" style="stroke: none" x="{x}" y="{y:.1f}" font-size="12">{_name(name)}</text>'
        )
    return parts


def _name(ranking: str) -> str:
    return {
        "expected": "expected inferences",
        "information": "mutual information",
        "tfidf": "TF.IDF",
        "tfidf_known": "TF.IDF, known words",
        "frequency": "raw frequency",
        "ceiling": "by true count",
    }.get(ranking, ranking)
