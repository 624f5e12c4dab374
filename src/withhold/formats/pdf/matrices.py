"""Affine maps as PDF writes them: six numbers, applied to rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def matrix(values: Sequence[object]) -> Matrix:
    """Six numbers as a matrix; the identity if they are not six finite numbers."""
    try:
        a, b, c, d, e, f = map(float, values)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return IDENTITY
    is_finite = isfinite(a + b + c + d + e + f) or all(map(isfinite, (a, b, c, d, e, f)))
    return (a, b, c, d, e, f) if is_finite else IDENTITY


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """First the first, then the second."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def moved(x: float, y: float, by: Matrix) -> Matrix:
    """A move, then the matrix."""
    a, b, c, d, e, f = by
    return (a, b, c, d, x * a + y * c + e, x * b + y * d + f)


def apply(by: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = by
    return (a * x + c * y + e, b * x + d * y + f)
