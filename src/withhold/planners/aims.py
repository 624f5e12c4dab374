"""What to keep of a document so that a secret class cannot be told: three aims, one kind of answer.

`textbook` is K-REDACTOR as the paper gives it. `paper` hides the class from the planner's own model at the least cost,
just behind its confusers. `release` hides it from readers who have other models, and from those who know this one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.planners import confusers
from withhold.planners.attempt import Attempt
from withhold.planners.contest import Contest
from withhold.planners.problem import Problem, Rows, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.types import Choices

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Wishes = list[tuple[Contest, Integers]]

Aim = Literal["release", "paper", "textbook"]

_PRICE = 10.0
"""What a nat by which a kept class falls behind costs, in words."""
_RIVALS = 3
"""How many of the nearest rivals of a kept class are watched while confusers are chosen."""

# What counts, next to the share of words kept, when ways of hiding a class are compared.
_JUST_BEHIND, _RECOGNISED, _AMONG_FIRST = 0.3, 0.12, 0.3


@dataclass(frozen=True, slots=True)
class Care:
    """How much more than the guarantee `release` asks for, chosen on company descriptions and news posts.

    There are `fewest` to `most` times as many confusers as asked for. `caution` widens the lead of the true class by
    that much of how unsure each weight is, `mood` is how much chance decides which family the confusers are of. If the
    kept classes do not lead by `keep_needed` nats, a plan that wants them to lead by `keep_margin` is taken if it costs
    no more than `keep_words` of the words; in it, breaking that by a nat costs `keep_price` words, and classes of the
    kept family are liked as confusers by `keep_kinship` of all words. Margins take no more than `words` of the words.
    """

    fewest: float = 1.25
    most: float = 1.5
    caution: float = 0.65
    mood: float = 0.028
    keep_kinship: float = 0.1
    keep_price: float = 3.0
    keep_margin: float = 5.0
    keep_needed: float = 1.5
    keep_words: float = 0.3
    words: float = 0.85
    tried: int = 33


CARE = Care()

_SHARES = (1.0, 0.5, 0.25, 0.1, 0.0)
"""Of the caution asked for, what is tried when more cannot be had."""


@dataclass(frozen=True, eq=False)
class Decision:
    """How many occurrences of each term are kept, and how many become each more general word.

    `status` is "confusable" if the guarantee holds, "infeasible" if nothing that is kept can make it hold.
    """

    kept: Reals
    general: Reals
    confusers: tuple[int, ...]
    status: Literal["confusable", "infeasible"]


def decide(
    choices: Choices,
    counts: Reals,
    *,
    aim: Aim = "release",
    objective: str = "balanced",
    care: Care = CARE,
) -> Decision:
    """What to keep of terms that stand `counts` times in the document."""
    problem = Problem.of(choices, counts, objective=objective)
    if problem.confusers <= 0 or not problem.counts.any():
        return _decision(problem, problem.all_kept, ())
    if aim == "release":
        found = _release(problem, choices, care, np.random.default_rng(choices.seed))
    else:
        found = _textbook(problem) if aim == "textbook" else _paper(problem)
    if found is None and 0 < (fewer := _reachable(problem)) < problem.confusers:
        # Not among so many, but among as many as can be had.
        asked = replace(choices, confusers=fewer)
        return replace(decide(asked, counts, aim=aim, objective=objective, care=care), status="infeasible")
    chosen, kept = found if found is not None else _nearest(problem)
    return _decision(problem, kept, chosen)


def _decision(problem: Problem, kept: Reals, chosen: Sequence[int]) -> Decision:
    size = len(problem.counts)
    status: Literal["confusable", "infeasible"] = "confusable" if problem.is_confusable(kept) else "infeasible"
    return Decision(kept[:size], kept[size:], tuple(chosen), status)


Found = tuple["list[int]", "Reals"]


def _textbook(problem: Problem) -> Found | None:
    """The likeliest classes, whether or not they can be reached; nothing is kept where they cannot."""
    chosen = confusers.likeliest(problem)[: problem.confusers]
    kept = Attempt(problem, [problem.guarantee], chosen, just_behind=False, wishes=[]).carry_out(0.0, tidy=False)
    return chosen, np.zeros(len(problem.terms)) if kept is None else kept


def _paper(problem: Problem) -> Found | None:
    """The best of three ways: the kept classes first, among the first, or wherever they end up."""
    ways = [way for spared in _spared(problem) if (way := _just_behind(problem, spared)) is not None]
    if ways:
        return max(ways, key=lambda way: _merit(problem, way[1]))
    chosen = confusers.reachable(problem, problem.confusers)
    if chosen is None:
        return None
    kept = Attempt(problem, [problem.guarantee], chosen, just_behind=True, wishes=[]).carry_out(_PRICE)
    if kept is not None:
        return chosen, kept
    found = confusers.exactly(problem, problem.confusers, chosen)
    return found if found is not None else confusers.exactly(problem, problem.confusers)


def _spared(problem: Problem) -> list[int | None]:
    return [0, problem.confusers, None] if problem.keep else [None]


def _just_behind(problem: Problem, spared: int | None) -> Found | None:
    wishes = [] if spared is None else _wishes(problem, problem.keep, spared)
    soft = _watched(problem, wishes, _PRICE)
    liking = np.zeros(len(problem.guarantee.offset))
    chosen = confusers.cheapest(problem, [problem.guarantee], problem.confusers, soft=soft, liking=liking)
    if len(chosen) < problem.confusers:
        return None
    kept = Attempt(problem, [problem.guarantee], chosen, just_behind=True, wishes=wishes).carry_out(_PRICE)
    return None if kept is None else (chosen, kept)


def _merit(problem: Problem, kept: Reals) -> float:
    ranks = [contest.ahead(kept) for contest in problem.keep]
    return (
        float(kept.sum() / max(problem.counts.sum(), 1.0))
        + _JUST_BEHIND * (problem.guarantee.ahead(kept) == problem.confusers)
        + _RECOGNISED * float(np.mean([rank == 0 for rank in ranks] or [False]))
        + _AMONG_FIRST * float(np.mean([rank <= problem.confusers for rank in ranks] or [False]))
    )


def _wishes(problem: Problem, keep: Sequence[Contest], spared: int) -> Wishes:
    """The rivals each kept class should stay before: all but those nearest to it, which are spared."""
    wishes = []
    for contest in keep:
        lead = np.where(contest.rivals, contest.lead(problem.all_kept), np.inf)
        order = np.argsort(lead, kind="stable")[: int(contest.rivals.sum())]
        wishes.append((contest, order[spared:]))
    return wishes


def _watched(problem: Problem, wishes: Wishes, price: float) -> Rows:
    """The nearest rivals of the kept classes, as rows that can be broken."""
    penalty = price * float(np.abs(problem.value).mean())
    rows = [Rows.before(contest, classes[:_RIVALS].tolist(), penalty) for contest, classes in wishes]
    return Rows.join(rows, len(problem.terms))


def _release(problem: Problem, choices: Choices, care: Care, random: np.random.Generator) -> Found | None:
    """More confusers than asked for, at a random depth, with a margin for every word, in a random direction.

    First without a thought for the kept classes; if they are lost by that, once more with them in mind, unless that
    takes too many words. Where margins cannot be had, or take too many words, they are made smaller; then only some of
    the confusers come first under every model. The guarantee is not made smaller.
    """
    rivals = int(problem.guarantee.rivals.sum())
    fewest, most = (max(problem.confusers, round(problem.confusers * share)) for share in (care.fewest, care.most))
    depth = max(min(int(random.integers(fewest, most + 1)), rivals - 1), problem.confusers)
    chance = _chance(choices, care, random)
    for share in (
        _SHARES if any(scores.spread is not None for scores in choices.secret) else _SHARES[:: len(_SHARES) - 1]
    ):
        readers = _readers(choices, care.caution * share)
        if not share and (some := _partly(problem, _readers(choices, care.caution), chance, care)) is not None:
            return some
        plain = _behind(problem, readers, depth, chance, [], care)
        if plain is not None and (not share or _lost(problem, plain[1]) <= care.words):
            return _with_kept_classes(problem, readers, depth, care.keep_kinship * _kin(choices) + chance, care, plain)
    return _paper(problem)


def _partly(problem: Problem, contests: Sequence[Contest], liking: Reals, care: Care) -> Found | None:
    """As many confusers as can be had under all models, and the rest of them under the planner's own."""
    columns, liking = len(problem.terms), float(problem.counts.sum()) * liking
    none = Rows.join([], columns)
    some = confusers.cheapest(problem, contests, problem.confusers, soft=none, liking=liking, tried=care.tried)
    if not some or len(contests) < 2:
        return None
    rivals = problem.guarantee.rivals.copy()
    rivals[some] = False
    held = Rows.join([Rows.behind(each, some) for each in contests], columns)
    own = replace(problem.guarantee, rivals=rivals)
    more = confusers.cheapest(problem, [own], problem.confusers - len(some), soft=held, liking=liking)
    attempt = Attempt(problem, contests, some, just_behind=False, wishes=[])
    attempt.musts = Rows.join([attempt.musts, Rows.behind(problem.guarantee, more)], columns)
    kept = attempt.carry_out(care.keep_price) if len(some) + len(more) == problem.confusers else None
    return None if kept is None or _lost(problem, kept) > care.words else ([*some, *more], kept)


def _readers(choices: Choices, caution: float) -> list[Contest]:
    """The contests under all models a reader may have; if no caution is left, under the planner's own alone."""
    several = [Contest.of(scores, scores.true[0], caution=caution) for scores in choices.secret]
    own = several[0]
    size = float(np.abs(own.rows).mean()) if own.rows.size else 1.0
    return [own, *(each.scaled(size) for each in several[1:])] if caution else [own]


def _with_kept_classes(
    problem: Problem, readers: Sequence[Contest], depth: int, liking: Reals, care: Care, plain: Found
) -> Found:
    if not problem.keep or _recognised(problem, plain[1]) > care.keep_needed:
        return plain
    keep = [replace(contest, offset=contest.offset - care.keep_margin) for contest in problem.keep]
    found = _behind(problem, readers, depth, liking, _wishes(problem, keep, 0), care)
    if found is None:
        return plain
    lost = _lost(problem, found[1]) - _lost(problem, plain[1])
    is_worth_it = _recognised(problem, found[1]) > care.keep_needed and lost <= care.keep_words
    return found if is_worth_it else plain


def _kin(choices: Choices) -> Reals:
    """Which classes are of a kept family."""
    if not choices.keep or not choices.families:
        return np.zeros(len(choices.secret[0].bias))
    return np.isin(choices.families, choices.keep[0].true).astype(np.float64)


def _chance(choices: Choices, care: Care, random: np.random.Generator) -> Reals:
    """How much classes are liked as confusers for no reason, so that nobody can reason back: drawn for each family."""
    families = np.array(choices.families or range(len(choices.secret[0].bias)))
    chance: Reals = care.mood * random.gumbel(size=int(families.max()) + 1)[families]
    return chance


def _behind(
    problem: Problem, contests: Sequence[Contest], depth: int, liking: Reals, wishes: Wishes, care: Care
) -> Found | None:
    soft = _watched(problem, wishes, care.keep_price)
    words = float(problem.counts.sum())
    chosen = confusers.cheapest(problem, contests, depth, soft=soft, liking=words * liking, tried=care.tried)
    if len(chosen) < problem.confusers:
        return None
    kept = Attempt(problem, contests, chosen, just_behind=False, wishes=wishes).carry_out(care.keep_price)
    return None if kept is None else (chosen, kept)


def _lost(problem: Problem, kept: Reals) -> float:
    """The share of words that are neither kept nor replaced."""
    return 1.0 - float(kept.sum()) / max(float(problem.counts.sum()), 1.0)


def _recognised(problem: Problem, kept: Reals) -> float:
    """By how much, in nats, the kept classes lead; what the least of them does counts."""
    return min(float(contest.lead(kept)[contest.rivals].min(initial=np.inf)) for contest in problem.keep)


def _nearest(problem: Problem) -> Found:
    """Where not one class can be brought before the true one: what comes nearest to it."""
    chosen = confusers.likeliest(problem)[: problem.confusers]
    kept = solve(replace(problem, value=1e-3 * problem.value), Rows.behind(problem.guarantee, chosen, penalty=1.0))
    return chosen, np.floor((problem.all_kept if kept is None else kept) + 1e-7)


def _reachable(problem: Problem) -> int:
    """How many classes can be brought before the true one, at least."""
    liking, soft = np.zeros(len(problem.guarantee.offset)), Rows.join([], len(problem.terms))
    most = min(problem.confusers, int(problem.guarantee.rivals.sum()))
    return len(confusers.cheapest(problem, [problem.guarantee], most, soft=soft, liking=liking))
