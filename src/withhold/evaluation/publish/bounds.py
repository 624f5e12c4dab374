"""What the theorems on GreedySanitize promise about an attacker, from counts of what it called sensitive; and what can
be promised without them, from what was counted in documents that no model had learnt from.

The theorems are of Li, Vorobeychik, Li and Malin, "Scalable iterative classification for sanitizing large-scale
datasets". Two of them are mended here. Theorem 4 forgets the attacker that calls nothing sensitive, whose ratio is 1
however dear a loss is. Theorems 5 and 6 take the words rightly left alone in the sample for those in what is published,
a share of all words for one of these, and one size for both: `finite` puts back these factors, `printed` has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import e, log, sqrt
from typing import Any

from scipy.special import betaincinv

from withhold.codec import Value
from withhold.learners.sensitive import Counts

Report = dict[str, Any]

_ROUNDING = 1 + 1e-9


def local_optimum(attacker: Counts, dear: float) -> bool:
    """Theorem 2: whether hiding what the attacker calls sensitive would gain nothing."""
    return attacker.tp == 0 or attacker.fp >= dear * attacker.tp


def most_found(harmless: int, dear: float) -> float:
    """Theorem 3: at a local optimum, the most sensitive words an attacker calls so; `harmless` is (1 - alpha) n."""
    return harmless / dear


def most_ratio(harmless: int, dear: float) -> float:
    """Theorem 4: at a local optimum, how many times as much as at random an attacker finds, if it inspects at least
    what it calls sensitive, and is right to begin there.
    """
    return max(1.0, (harmless + 1) / (1 + dear))


def worth_beginning(attacker: Counts) -> bool:
    """Lemma 2: whether it pays to inspect first what is called sensitive."""
    return attacker.tp * attacker.tn >= attacker.fp * attacker.fn


def in_order(counts: Counts, budget: float) -> float:
    """How many sensitive words are found, on average, if what is called sensitive is inspected first, then the rest,
    each in any order: the attacker of the paper.
    """
    first, rest = counts.tp + counts.fp, counts.fn + counts.tn
    if budget <= first:
        return counts.tp * budget / first if first else 0.0
    return counts.tp + (counts.fn * (budget - first) / rest if rest else 0.0)


def at_random(counts: Counts, budget: float) -> float:
    """How many are found, on average, if words are inspected in any order."""
    return (counts.tp + counts.fn) * budget / size(counts) if size(counts) else 0.0


def size(counts: Counts) -> int:
    return counts.tp + counts.fp + counts.fn + counts.tn


def error_margin(words: int, dimension: float, doubt: float) -> float:
    """Lambda: how far the share of mistakes in a sample can be from the true one, for classifiers of this VC dimension,
    but for a chance of `doubt`.
    """
    # No more than the words of both samples can be told apart in all ways, whatever the dimension.
    told = min(dimension, 2 * words)
    return sqrt(41 / words * (told * log(2 * e * words / told) + log(4 / doubt)))


@dataclass(frozen=True, slots=True)
class Finite(Value):
    """Theorems 5 and 6: the same two bounds where the publisher only knows a sample; None where they say nothing."""

    found: float | None
    ratio: float | None


def finite(sample: Counts, attacker: Counts, harmless: int, dear: float, margin: float) -> Finite:
    """The bounds, from the publisher's counts of the attacker in its sample and the attacker's own."""
    steep = _steepness(sample, attacker)
    if steep is None:
        return Finite(None, None)
    spread, rate = steep
    least = (rate * dear * sample.tn / size(sample) - margin) * size(attacker) / attacker.tn
    return _bounds(spread, least, harmless)


def printed(sample: Counts, attacker: Counts, harmless: int, dear: float, margin: float) -> Finite:
    """The bounds as they were published."""
    steep = _steepness(sample, attacker)
    return Finite(None, None) if steep is None else _bounds(steep[0], steep[1] * dear - margin, harmless)


def _steepness(sample: Counts, attacker: Counts) -> tuple[float, float] | None:
    """r (1 + 1/s) and (1 + 1/p) q, with p, q, r and s as tight as the counts allow; None where one is not there."""
    if not (sample.fp and sample.tn and sample.tp and attacker.fp and attacker.tn):
        return None
    spread = attacker.tp / attacker.tn * (1 + attacker.fn / attacker.fp)
    return spread, (1 + sample.fn / sample.fp) * sample.tp / sample.tn


def _bounds(spread: float, least: float, harmless: int) -> Finite:
    if least <= 0:
        return Finite(None, None)
    return Finite(spread * harmless / least, max(1.0, (harmless + 1) * spread / (spread + least)))


def checked(
    attacker: Counts, sample: Counts, harmless: int, dear: float, margin: float, budgets: Iterable[int] = ()
) -> Report:
    """Every theorem held against the attacker's counts: `bound`, what was `measured`, the `assumptions`, and whether it
    `holds`, which is None where one of these does not, or nothing is promised.

    `sample` is what the publisher knows of this attacker, from other documents.
    """
    optimum, begins = local_optimum(attacker, dear), worth_beginning(attacker)
    called = attacker.tp + attacker.fp
    spent = [max(1, called), *(each for each in budgets if each >= called)]
    left = attacker.tp + attacker.fn > 0
    ratio = max(in_order(attacker, each) / at_random(attacker, each) for each in spent) if left else None
    gain = dear * attacker.tp - attacker.fp
    sure = {
        "sample_local_optimum": local_optimum(sample, dear),
        "sample_true_positive": sample.tp > 0,
        "errors_within_margin": _mistakes(sample) <= _mistakes(attacker) + margin,
    }
    large = {"begins_with_positives": begins, "something_left": left}
    mended, as_printed = (way(sample, attacker, harmless, dear, margin) for way in (finite, printed))
    most = most_ratio(harmless, dear)
    return {
        "2": {"hiding_more_gains": gain, "local_optimum": optimum, "holds": optimum == (gain <= 0)},
        "3": _check(most_found(harmless, dear), attacker.tp, {"local_optimum": optimum}),
        "4": _check(most, ratio, {"local_optimum": optimum, **large}, (harmless + 1) / (1 + dear)),
        "5": _check(mended.found, attacker.tp, sure, as_printed.found),
        "6": _check(mended.ratio, ratio, {**sure, **large}, as_printed.ratio),
        "margin": margin,
    }


def _mistakes(counts: Counts) -> float:
    return (counts.fp + counts.fn) / max(1, size(counts))


def _check(
    bound: float | None, measured: float | None, assumptions: Mapping[str, bool], as_printed: float | None = None
) -> Report:
    applies = all(assumptions.values()) and measured is not None

    def holds(most: float | None) -> bool | None:
        return measured <= most * _ROUNDING if applies and most is not None and measured is not None else None

    found: Report = {"bound": bound, "measured": measured, "assumptions": dict(assumptions), "holds": holds(bound)}
    return {**found, "printed": {"bound": as_printed, "holds": holds(as_printed)}} if as_printed is not None else found


def most_likely(found: int, trials: int, doubt: float = 0.025) -> float:
    """The highest rate at which as few as were found would come with a chance of `doubt` (Clopper and Pearson): the
    true rate is above it that seldom, if trials are independent.
    """
    if not 0 <= found <= trials:
        raise ValueError("what was found is between none and all of the trials")
    return float(betaincinv(found + 1, trials - found, 1 - doubt)) if found < trials else 1.0


def summed(several: Iterable[Counts]) -> Counts:
    held: Sequence[Counts] = list(several)
    return Counts(*(sum(getattr(each, name) for each in held) for name in ("tp", "fp", "fn", "tn")))
