"""Rank-1 rates against words kept, as SVG: one figure for each kind of attacker."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from withhold.errors import OutputError
from withhold.files import write

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 84, 60
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_WAYS = {"suppress": "words removed", "generalise": "or made more general"}

# Told apart by colour, by dashes and by the shape of their points, on light and on dark.
_STYLE = """
  .paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .grid { stroke: #d8dee4 }
  .suppress { stroke: #b3261e } .generalise { stroke: #0b57d0 }
  .suppress-point { fill: #b3261e } .generalise-point { fill: #0b57d0 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181d } .ink { fill: #e6edf3 } .soft { fill: #9da7b3 } .grid { stroke: #2f363d }
    .suppress { stroke: #ff8a80 } .generalise { stroke: #8ab4f8 }
    .suppress-point { fill: #ff8a80 } .generalise-point { fill: #8ab4f8 }
  }
""".strip("\n")

Points = list[tuple[float, float]]


def write_charts(curve: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """`linkage-bm25.svg` and so on in the folder, which is made if need be.

    Raises:
        OutputError: if they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from None
    paths = []
    for family in ("bm25", "embedding", "pairs"):
        lines = {
            way: [(each["words_kept"], each[family]["rank1"]) for each in curve if each["way"] == way] for way in _WAYS
        }
        paths.append(write(folder / f"linkage-{family}.svg", chart(lines, family).encode("utf-8"), overwrite=True))
    return paths


def chart(lines: dict[str, Points], family: str) -> str:
    """One figure: how often the person comes first, for the words that are kept."""
    heading = f"Who is this about? Found at once by {family}"
    told = "; ".join(
        f"{_WAYS[way]}: " + ", ".join(f"{rate:.0%} with {kept:.0%} of the words" for kept, rate in points)
        for way, points in lines.items()
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="title desc" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(told)}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="ink" x="{_LEFT}" y="30" font-size="17" font-weight="600">{escape(heading)}</text>',
        *_grid(),
        *(part for place, (way, points) in enumerate(lines.items()) for part in _line(way, points, place)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(kept: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * kept


def _y(rate: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1.0 - rate)


def _grid() -> list[str]:
    bottom, parts = _HEIGHT - _BOTTOM, []
    for tick in _TICKS:
        parts += [
            f'<path class="grid" d="M{_LEFT} {_y(tick):.1f}H{_WIDTH - _RIGHT}"/>',
            f'<text class="soft" x="{_LEFT - 10}" y="{_y(tick) + 4.5:.1f}" font-size="12" '
            f'text-anchor="end">{tick:.0%}</text>',
            f'<text class="soft" x="{_x(tick):.1f}" y="{bottom + 20}" font-size="12" '
            f'text-anchor="middle">{tick:.0%}</text>',
        ]
    middle = (_TOP + bottom) / 2
    return [
        *parts,
        f'<text class="soft" x="{_x(0.5):.1f}" y="{bottom + 44}" font-size="13" text-anchor="middle">words kept</text>',
        f'<text class="soft" x="18" y="{middle:.1f}" font-size="13" text-anchor="middle" '
        f'transform="rotate(-90 18 {middle:.1f})">at rank 1</text>',
    ]


def _line(way: str, points: Points, place: int) -> list[str]:
    dashes = ' stroke-dasharray="7 4"' if way == "generalise" else ""
    x, ordered = _LEFT + 190 * place, sorted(points)
    path = "M" + "L".join(f"{_x(kept):.1f} {_y(rate):.1f}" for kept, rate in ordered) if ordered else ""
    return [
        f'<path class="{way}" d="{path}" fill="none" stroke-width="2.5" stroke-linejoin="round"{dashes}/>',
        f'<path class="{way}" d="M{x} 54h34" fill="none" stroke-width="2.5"{dashes}/>',
        f'<text class="ink" x="{x + 44}" y="58.5" font-size="13">{_WAYS[way]}</text>',
        *(_point(way, _x(kept), _y(rate)) for kept, rate in ordered),
    ]


def _point(way: str, x: float, y: float) -> str:
    if way == "generalise":
        return f'<rect class="{way}-point" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    return f'<circle class="{way}-point" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
