"""What the words of a document are worth to whoever should still recognise its kept classes.

`log_odds` is the paper's OVALogOdds; `odds_ratio`, `frequency` (FreqLogP) and `information` (InfoGain) are the
measures it compares that with. All are for a word's part in the multinomial model, given as log-probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.types import Scores

    Reals = NDArray[np.float64]

SHARE = 0.1
"""How much of `balanced` is log_odds; the rest is the same for every word."""

_TIE = 1e-4


def worth(objective: str, keep: Sequence[Scores], size: int) -> Reals:
    """What one occurrence of each of `size` columns is worth, as the mean over everything that is to be kept."""
    told = [_MEASURES[objective](_columns(each), _prior(each), true) for each in keep for true in each.true]
    if objective in ("constant", "balanced") or not told:
        odds = telling(keep, size)
        share = SHARE if objective == "balanced" else 0.0
        return share * _scaled(odds) + (1.0 - share) + _TIE * _unit(odds)
    return _scaled(np.mean(told, axis=0))


def telling(keep: Sequence[Scores], size: int) -> Reals:
    """How well each column tells the kept classes from the others: OVALogOdds, averaged."""
    odds = [log_odds(_columns(each), _prior(each), true) for each in keep for true in each.true]
    return np.mean(odds, axis=0) if odds else np.zeros(size)


def log_odds(weights: Reals, prior: Reals, true: int) -> Reals:
    others = prior @ weights - prior[true] * weights[true]
    odds: Reals = (1.0 - prior[true]) * weights[true] - others
    return odds


def odds_ratio(weights: Reals, prior: Reals, true: int) -> Reals:
    here, elsewhere = _possible(np.exp(weights[true])), _elsewhere(weights, prior, true)
    ratio: Reals = np.log(here) - np.log1p(-here) - np.log(elsewhere) + np.log1p(-elsewhere)
    return ratio


def frequency(weights: Reals, prior: Reals, true: int) -> Reals:
    everywhere = prior @ np.exp(weights)
    told: Reals = everywhere * (weights[true] - np.log(_elsewhere(weights, prior, true)))
    return told


def information(weights: Reals, prior: Reals, true: int) -> Reals:
    """The information gain of a word about which class it is; `true` does not matter to it."""
    each = _possible(np.exp(weights))
    everywhere = prior @ each
    gain: Reals = prior @ (each * (np.log(each) - np.log(everywhere)))
    gain += prior @ ((1.0 - each) * (np.log1p(-each) - np.log1p(-everywhere)))
    return gain


_MEASURES: dict[str, Callable[[Reals, Reals, int], Reals]] = {
    "balanced": log_odds,
    "constant": log_odds,
    "log_odds": log_odds,
    "odds_ratio": odds_ratio,
    "frequency": frequency,
    "information": information,
}


def _columns(scores: Scores) -> Reals:
    return scores.weights if scores.options is None else np.hstack([scores.weights, scores.options])


def _prior(scores: Scores) -> Reals:
    weights = np.exp(scores.bias - scores.bias.max())
    prior: Reals = weights / weights.sum()
    return prior


def _elsewhere(weights: Reals, prior: Reals, true: int) -> Reals:
    others = np.delete(prior, true)
    mean: Reals = others @ np.exp(np.delete(weights, true, axis=0)) / max(float(others.sum()), 1e-300)
    return _possible(mean)


def _possible(probabilities: Reals) -> Reals:
    """Neither impossible nor certain, so that every logarithm is finite."""
    possible: Reals = np.clip(probabilities, 1e-300, 1.0 - 1e-15)
    return possible


def _scaled(values: Reals) -> Reals:
    """About one in size, whatever the measure."""
    return values / max(float(np.abs(values).mean()), 1e-9) if len(values) else values


def _unit(values: Reals) -> Reals:
    largest = float(np.abs(values).max()) if len(values) else 0.0
    return values / largest if largest > 0 else values
