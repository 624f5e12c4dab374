"""Figure 3 of the paper as SVG: what an attacker and a reader find with more and more guesses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from withhold.evaluation.charts import Axis, Line, write_chart
from withhold.evaluation.charts import chart as lines
from withhold.evaluation.concepts.paper import Curve

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def chart(curve: Curve, *, title: str = "") -> str:
    """One figure: the secret missed, and the kept class found, for each number of guesses."""
    guesses = range(1, len(curve.secret_error) + 1)
    x = Axis("guesses", guesses, lambda guess: f"{guess:.0f}", 0.5, len(guesses) + 0.5)
    y = Axis.through("share of documents", _TICKS, lambda share: f"{share:.0%}")
    return lines(
        title or f"Redacted for k = {curve.k}",
        [
            Line("secret class missed", list(zip(guesses, curve.secret_error, strict=True))),
            Line("kept class found", list(zip(guesses, curve.utility_accuracy, strict=True))),
        ],
        x,
        y,
        told=described(curve),
        # Up to k - 1 guesses the class is meant to be missed.
        shade=(0.5, min(curve.k, len(guesses) + 1) - 0.5),
    )


def described(curve: Curve) -> str:
    """The figure in words."""
    before, at = max(curve.k - 2, 0), min(curve.k, len(curve.secret_error)) - 1
    return (
        f"The secret class is missed in {curve.secret_error[before]:.0%} of the documents with {before + 1} guesses, "
        f"in {curve.secret_error[at]:.0%} with {at + 1}. The kept class is found in {curve.utility_accuracy[0]:.0%} "
        f"with one guess, in {curve.utility_accuracy[at]:.0%} with {at + 1}."
    )


def write_charts(curves: Sequence[Curve], folder: Path, *, name: str = "guesses") -> list[Path]:
    """A file for each k, `guesses-k2.svg` and so on, in the folder, which is made if need be.

    Raises:
        OutputError: if they cannot be written.
    """
    return [write_chart(chart(curve), folder / f"{name}-k{curve.k}.svg") for curve in curves]
