"""How far a share counted in few trials can be from the true one."""

from __future__ import annotations

from math import sqrt

_Z = 1.959963984540054
"""Standard deviations on both sides of the mean that hold 95 % of a normal distribution."""


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % score interval of a share; of no trials, everything from 0 to 1. Successes that are to be expected, and
    were not counted, need not be whole.
    """
    if not 0 <= successes <= trials:
        raise ValueError("successes are between none and all of the trials")
    if not trials:
        return 0.0, 1.0
    share, spread = successes / trials, _Z * _Z / trials
    centre = (share + spread / 2) / (1 + spread)
    reach = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    low = 0.0 if successes == 0 else max(centre - reach, 0.0)
    high = 1.0 if successes == trials else min(centre + reach, 1.0)
    return low, high
