"""Lines in a frame, as SVG: one drawing for every evaluation that has curves.

Lines are told apart by colour, by dashes, by the shape of their points, and by their names at their right ends, on
light and on dark. The same data give the same bytes, and what is drawn is told in words too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from withhold.errors import OutputError
from withhold.files import write

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 60, 60
_MARGIN = 13
"""Where the name of the y axis stands: the longest marks, such as 0.0005, end short of it."""
_APART = 16
"""So far apart are the names of lines."""

_LIGHT = ("#0b57d0", "#b3261e", "#1a7f37", "#7a4f01", "#6f42c1", "#0e7490", "#59636e")
_DARK = ("#8ab4f8", "#ff8a80", "#56d364", "#e3b341", "#d2a8ff", "#67e8f9", "#9da7b3")
_DASHES = ("", "7 4", "2 3", "10 3 2 3", "1 4", "14 4", "4 2")


def _style() -> str:
    light = " ".join(f".s{n} {{ stroke: {each}; fill: {each} }}" for n, each in enumerate(_LIGHT))
    dark = " ".join(f".s{n} {{ stroke: {each}; fill: {each} }}" for n, each in enumerate(_DARK))
    return f"""
  .paper {{ fill: #ffffff }} .ink {{ fill: #1f2328 }} .soft {{ fill: #59636e }} .grid {{ stroke: #d8dee4 }}
  .axis {{ stroke: #59636e }} .shade {{ fill: #59636e; fill-opacity: .08 }}
  {light}
  .line {{ fill: none; stroke-width: 2.5; stroke-linejoin: round }} .band {{ fill-opacity: .1; stroke: none }}
  .point {{ stroke: none }} .name {{ stroke: none; font-size: 12px }}
  @media (prefers-color-scheme: dark) {{
    .paper {{ fill: #14181d }} .ink {{ fill: #e6edf3 }} .soft {{ fill: #9da7b3 }} .grid {{ stroke: #2f363d }}
    .axis {{ stroke: #9da7b3 }} .shade {{ fill: #9da7b3; fill-opacity: .1 }}
    {dark}
    .line {{ fill: none }} .band, .point, .name {{ stroke: none }}
  }}
""".strip("\n")


@dataclass(frozen=True)
class Axis:
    """What is measured, where it is marked, how a value is written, and from where to where it goes."""

    name: str
    ticks: Sequence[float]
    told: Callable[[float], str]
    low: float
    high: float
    log: bool = False

    @classmethod
    def through(cls, name: str, ticks: Sequence[float], told: Callable[[float], str], *, log: bool = False) -> Axis:
        """From the first mark to the last."""
        return cls(name, ticks, told, ticks[0], ticks[-1], log)

    @classmethod
    def between(cls, name: str, low: float, high: float, told: Callable[[float], str], *, least: float = 0.0) -> Axis:
        """Marks at round numbers that enclose the values; `least` is the smallest step between them."""
        # Steps far below the values themselves could not be told apart.
        rough = max((high - low) / 5, least, 1e-12, 1e-6 * max(abs(low), abs(high)))
        power = 10.0 ** floor(log10(rough))
        step = next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= rough * (1 - 1e-9))
        first, last = floor(low / step + 1e-9), max(ceil(high / step - 1e-9), floor(low / step + 1e-9) + 1)
        ticks = [round(number * step, 12) for number in range(first, last + 1)]
        return cls(name, ticks, told, ticks[0], ticks[-1])

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the low end to 1 at the high end."""
        if self.log:
            return log10(value / self.low) / (log10(self.high / self.low) or 1.0)
        return (value - self.low) / ((self.high - self.low) or 1.0)


@dataclass(frozen=True)
class Line:
    """Points from left to right, and a name; `band` has the low and high ends around each."""

    name: str
    points: Sequence[Sequence[float]]
    band: Sequence[tuple[float, float, float]] = ()


def chart(
    heading: str,
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    *,
    told: str = "",
    shade: tuple[float, float] | None = None,
) -> str:
    """The drawing; `told` is what it shows in words, made of the points if it is not given, and `shade` a stretch of
    the x axis that stands out.
    """
    drawn = [line for line in lines if line.points]
    words = told or "; ".join(
        f"{line.name}: " + ", ".join(f"{y.told(value)} at {x.told(at)}" for at, value in line.points) for line in drawn
    )
    places = [[(_x(x, at), _y(y, value)) for at, value in line.points] for line in drawn]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="title desc" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(words)}</desc>',
        f"<style>\n{_style()}\n</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="ink" x="{_LEFT}" y="32" font-size="17" font-weight="600">{escape(heading)}</text>',
        *_grid(x, y, shade),
        *(part for n, line in enumerate(drawn) for part in _band(line, x, y, n)),
        # The first is drawn last, above the others.
        *(part for n in reversed(range(len(places))) for part in _line(places[n], n)),
        *_names([line.name for line in drawn], [several[-1][1] for several in places]),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def write_chart(drawn: str, path: Path) -> Path:
    """Write a drawing; its folder is made if need be.

    Raises:
        OutputError: if it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path.parent} cannot be made: {error.strerror}") from None
    return write(path, drawn.encode("utf-8"), overwrite=True)


def _x(axis: Axis, value: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * axis.place(value)


def _y(axis: Axis, value: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1.0 - axis.place(value))


def _grid(x: Axis, y: Axis, shade: tuple[float, float] | None) -> list[str]:
    right, bottom, parts = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, []
    if shade:
        start, end = (_x(x, each) for each in shade)
        parts.append(
            f'<rect class="shade" x="{start:.1f}" y="{_TOP}" width="{end - start:.1f}" height="{bottom - _TOP}"/>'
        )
        parts.append(f'<path class="axis" d="M{end:.1f} {_TOP}V{bottom}" stroke-dasharray="2 4"/>')
    for number, tick in enumerate(y.ticks):
        at = _y(y, tick)
        parts.append(f'<path class="{"grid" if number else "axis"}" d="M{_LEFT} {at:.1f}H{right}"/>')
        parts.append(_text(_LEFT - 10, at + 4.5, y.told(tick), "end"))
    parts += [_text(_x(x, tick), bottom + 20, x.told(tick), "middle") for tick in x.ticks]
    middle, height = (_LEFT + right) / 2, (_TOP + bottom) / 2
    turned = f' transform="rotate(-90 {_MARGIN} {height:.1f})"'
    return [
        *parts,
        _text(middle, bottom + 44, x.name, "middle", 13),
        _text(_MARGIN, height, y.name, "middle", 13, turned),
    ]


def _text(x: float, y: float, words: str, anchor: str, size: int = 12, turned: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="soft" {place}{turned}>{escape(words)}</text>'


def _band(line: Line, x: Axis, y: Axis, number: int) -> list[str]:
    if not line.band:
        return []
    edge = [(_x(x, at), _y(y, high)) for at, _, high in line.band]
    edge += [(_x(x, at), _y(y, low)) for at, low, _ in reversed(line.band)]
    return [f'<path class="{_class(number)} band" d="M{"L".join(f"{a:.1f} {b:.1f}" for a, b in edge)}Z"/>']


def _line(places: Sequence[tuple[float, float]], number: int) -> list[str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dashes = _DASHES[number % len(_DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return [f'<path class="{_class(number)} line" d="{path}"{dashed}/>', *(_point(number, x, y) for x, y in places)]


def _class(number: int) -> str:
    return f"s{number % len(_LIGHT)}"


def _point(number: int, x: float, y: float) -> str:
    kind = f'class="{_class(number)} point"'
    shapes = (
        f'<circle {kind} cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
        f'<rect {kind} x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>',
        f'<path {kind} d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z"/>',
        f'<path {kind} d="M{x:.1f} {y - 5:.1f}l4.8 8.5h-9.6z"/>',
    )
    return shapes[number % len(shapes)]


def _names(names: Sequence[str], ends: Sequence[float]) -> list[str]:
    """The name of each line at the height of its right end, moved where two would overlap."""
    parts, order = [], sorted(range(len(names)), key=lambda n: (ends[n], n))
    heights, lowest = [], float(_TOP)
    for n in order:
        heights.append(max(ends[n], lowest))
        lowest = heights[-1] + _APART
    highest = float(_HEIGHT - _BOTTOM)
    for place in range(len(heights) - 1, -1, -1):
        heights[place] = min(heights[place], highest)
        highest = heights[place] - _APART
    x = _WIDTH - _RIGHT + 16
    for n, height in zip(order, heights, strict=True):
        parts.append(_point(n, x, height))
        parts.append(f'<text class="{_class(n)} name" x="{x + 11}" y="{height + 4.3:.1f}">{escape(names[n])}</text>')
    return parts
