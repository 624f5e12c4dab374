"""What somebody may have counted who has read other documents of the same kind.

In how many of their documents a word stands is a matter of chance: its rate has the gamma distribution that the
documents at hand leave open, so the number is negative binomial.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FEW, _MANY = 3.0, 24.0
"""Up to the first number expected, few outcomes are likely; above the second, logarithms are as good as normal."""
_OUTCOMES = {_FEW: 32, _MANY: 96}


def logarithms(shapes: Floats, chances: Floats, bursts: Floats, added: float) -> tuple[Floats, Floats]:
    """The mean, and the standard deviation, of log(number + added) over negative binomial numbers: of so many
    successes, each with a chance of at most a half, before the `shape`-th failure. Where the number is not 0, the burst
    (which is a logarithm, too) is added.
    """
    shapes, chances, bursts = np.broadcast_arrays(shapes, chances, bursts)
    expected = shapes * chances / (1.0 - chances)
    mean, square, least = np.empty(shapes.shape), np.empty(shapes.shape), 0.0
    for most, outcomes in _OUTCOMES.items():
        chosen = (expected >= least) & (expected < most)
        mean[chosen], square[chosen] = _moments(shapes[chosen], chances[chosen], bursts[chosen], added, outcomes)
        least = most
    chosen = expected >= _MANY
    relative = expected[chosen] / (1.0 - chances[chosen]) / (expected[chosen] + added) ** 2
    mean[chosen] = np.log(expected[chosen] + added) + bursts[chosen] - relative / 2.0
    square[chosen] = mean[chosen] ** 2 + relative
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))


def _moments(shapes: Floats, chances: Floats, bursts: Floats, added: float, outcomes: int) -> tuple[Floats, Floats]:
    """The first two moments, outcome by outcome; what is beyond the last one counts as the last one."""
    share = (1.0 - chances) ** shapes
    value = np.log(added)
    mean, square, left = share * value, share * value**2, 1.0 - share
    for number in range(1, outcomes):
        share = share * chances * (shapes + number - 1) / number
        value = np.log(number + added) + bursts
        mean += share * value
        square += share * value**2
        left -= share
    return mean + left * value, square + left * value**2
