"""Figure 3 of the paper as SVG: what an attacker and a reader find with more and more guesses."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from withhold.errors import OutputError
from withhold.evaluation.concepts.paper import Curve
from withhold.files import write

_WIDTH, _HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 84, 60
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

# Told apart by colour, by dashes and by the shape of their points, on light and on dark.
_STYLE = """
  .paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .grid { stroke: #d8dee4 }
  .axis { stroke: #59636e } .k { stroke: #59636e } .band { fill: #59636e; fill-opacity: .08 }
  .error { stroke: #b3261e } .found { stroke: #0b57d0 } .error-point { fill: #b3261e } .found-point { fill: #0b57d0 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181d } .ink { fill: #e6edf3 } .soft { fill: #9da7b3 } .grid { stroke: #2f363d }
    .axis { stroke: #9da7b3 } .k { stroke: #9da7b3 } .band { fill: #9da7b3; fill-opacity: .1 }
    .error { stroke: #ff8a80 } .found { stroke: #8ab4f8 } .error-point { fill: #ff8a80 } .found-point { fill: #8ab4f8 }
  }
""".strip("\n")


def chart(curve: Curve, *, title: str = "") -> str:
    """One figure: the secret missed, and the kept class found, for each number of guesses."""
    heading = title or f"Redacted for k = {curve.k}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="title desc" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(described(curve))}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="ink" x="{_LEFT}" y="30" font-size="17" font-weight="600">{escape(heading)}</text>',
        *_legend(),
        *_grid(curve),
        *_line(curve.utility_accuracy, "found"),
        *_line(curve.secret_error, "error"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def described(curve: Curve) -> str:
    """The figure in words."""
    before, at = max(curve.k - 2, 0), min(curve.k, len(curve.secret_error)) - 1
    return (
        f"The secret class is missed in {curve.secret_error[before]:.0%} of the documents with {before + 1} guesses, "
        f"in {curve.secret_error[at]:.0%} with {at + 1}. The kept class is found in {curve.utility_accuracy[0]:.0%} "
        f"with one guess, in {curve.utility_accuracy[at]:.0%} with {at + 1}."
    )


def write_charts(curves: Sequence[Curve], folder: Path, *, name: str = "guesses", overwrite: bool = True) -> list[Path]:
    """A file for each k, `guesses-k2.svg` and so on, in the folder, which is made if need be.

    Raises:
        OutputError: if they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from None
    paths = []
    for curve in curves:
        path = folder / f"{name}-k{curve.k}.svg"
        write(path, chart(curve).encode("utf-8"), overwrite=overwrite)
        paths.append(path)
    return paths


def _x(guess: float, guesses: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (guess - 0.5) / guesses


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1.0 - share)


def _legend() -> list[str]:
    entries = (("error", "secret class missed", _LEFT), ("found", "kept class found", _LEFT + 190))
    return [
        part
        for kind, words, x in entries
        for part in (
            f'<path class="{kind}" d="M{x} 54h34" fill="none" stroke-width="2.5"{_dashes(kind)}/>',
            _point(kind, x + 17, 54),
            f'<text class="ink" x="{x + 44}" y="58.5" font-size="13">{words}</text>',
        )
    ]


def _grid(curve: Curve) -> list[str]:
    guesses, right, bottom = len(curve.secret_error), _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    # Up to k - 1 guesses the class is meant to be missed.
    edge = _x(min(curve.k, guesses + 1) - 0.5, guesses)
    parts = [
        f'<rect class="band" x="{_LEFT}" y="{_TOP}" width="{edge - _LEFT:.1f}" height="{bottom - _TOP}"/>',
        f'<path class="k" d="M{edge:.1f} {_TOP}V{bottom}" stroke-dasharray="2 4"/>',
    ]
    for share in _TICKS:
        y = _y(share)
        parts.append(f'<path class="{"grid" if share else "axis"}" d="M{_LEFT} {y:.1f}H{right}"/>')
        parts.append(
            f'<text class="soft" x="{_LEFT - 10}" y="{y + 4.5:.1f}" font-size="12" text-anchor="end">{share:.0%}</text>'
        )
    for guess in range(1, guesses + 1):
        parts.append(
            f'<text class="soft" x="{_x(guess, guesses):.1f}" y="{bottom + 20}" font-size="12" '
            f'text-anchor="middle">{guess}</text>'
        )
    middle = (_LEFT + right) / 2
    parts.append(
        f'<text class="soft" x="{middle:.1f}" y="{bottom + 44}" font-size="13" text-anchor="middle">guesses</text>'
    )
    parts.append(
        f'<text class="soft" x="18" y="{(_TOP + bottom) / 2:.1f}" font-size="13" text-anchor="middle" '
        f'transform="rotate(-90 18 {(_TOP + bottom) / 2:.1f})">share of documents</text>'
    )
    return parts


def _line(shares: Sequence[float], kind: str) -> list[str]:
    places = [(_x(guess, len(shares)), _y(share)) for guess, share in enumerate(shares, 1)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    stroke = f'<path class="{kind}" d="{path}" fill="none" stroke-width="2.5" stroke-linejoin="round"{_dashes(kind)}/>'
    return [stroke, *(_point(kind, x, y) for x, y in places)]


def _dashes(kind: str) -> str:
    return ' stroke-dasharray="7 4"' if kind == "found" else ""


def _point(kind: str, x: float, y: float) -> str:
    if kind == "found":
        return f'<rect class="{kind}-point" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    return f'<circle class="{kind}-point" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
