"""What to keep of a document so that a secret class cannot be told: three aims, one kind of answer.

`textbook` is K-REDACTOR as the paper gives it. `paper` hides the class from the planner's own model at the least cost,
just behind its confusers. `release` hides it from readers who have other models, and from those who know this one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.planners import confusers, search
from withhold.planners.attempt import Attempt
from withhold.planners.contest import Contest
from withhold.planners.odds import Odds, recognised
from withhold.planners.problem import Problem, Rows, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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

_SURE = 1.0
"""By so many nats confusers that are ahead stay ahead while a plan is bettered: a written file may hold fewer words
than planned, since hidden ones, such as the address of a link, are cleaned away."""


@dataclass(frozen=True, slots=True)
class Care:
    """How `release` looks for a plan, chosen on company descriptions and news posts.

    Ways are tried with each of `cautions`, which widens the lead of the true class by that much of how unsure each
    weight is, and each of `depths`, so many times as many confusers as asked for; each with and without a thought for
    the kept classes. Taken is the one that leaves most, and then bettered word by word: being found for sure is as bad
    as losing `secrecy` times the words of a document, being recognised as good as keeping `recognition` times as many,
    or fewer if the kept class goes with fewer than k classes. `whim` is how much chance decides what each word is worth
    (the standard deviation of its logarithm), so that which words are missing tells little to who has seen many plans.

    `mood` is how much chance decides which family the confusers are of. In ways that think of the kept classes, these
    should lead by `keep_margin` nats, breaking that by a nat costs `keep_price` words, and classes of the kept family
    are liked as confusers by `keep_kinship` of all words. Margins take no more than `words` of the words. Where it is
    not known how unsure weights are, the depth is drawn by chance between `fewest` and `most`.
    """

    cautions: tuple[float, ...] = (0.0, 0.15, 0.3, 0.5, 0.8)
    depths: tuple[float, ...] = (1.0, 1.25, 1.75)
    secrecy: float = 1.05
    recognition: float = 0.32
    fewest: float = 1.25
    most: float = 1.5
    mood: float = 0.06
    whim: float = 0.85
    keep_kinship: float = 0.1
    keep_price: float = 3.0
    keep_margin: float = 5.0
    words: float = 0.9
    tried: int = 33


CARE = Care()


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
        return decided(problem, (), problem.all_kept)
    if aim == "release":
        found = _release(problem, choices, care)
    else:
        found = _textbook(problem) if aim == "textbook" else _paper(problem)
    if found is None and 0 < (fewer := _reachable(problem)) < problem.confusers:
        # Not among so many, but among as many as can be had.
        asked = replace(choices, confusers=fewer)
        return replace(decide(asked, counts, aim=aim, objective=objective, care=care), status="infeasible")
    chosen, kept = found if found is not None else _nearest(problem)
    return decided(problem, chosen, kept)


def decided(problem: Problem, chosen: Sequence[int], kept: Reals) -> Decision:
    """What was found, as a decision."""
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


def _release(problem: Problem, choices: Choices, care: Care) -> Found | None:
    """Of many ways to hide the class from readers of several kinds, in a random direction, the one that leaves most.

    Where margins cannot be had, or take too many words, only some of the confusers come first under every model, or all
    of them under the planner's own. The guarantee is not made smaller.
    """
    if affordable := [way for way in ways(problem, choices, care) if _lost(problem, way[1]) <= care.words]:
        kept = best(problem, choices, np.array([way[1] for way in affordable]), care)
        return problem.guarantee.ranking(kept)[: problem.confusers], kept
    chance = _chance(choices, care, np.random.default_rng(choices.seed))
    some = _partly(problem, _readers(choices, care.cautions[-1]), chance, care)
    own = _behind(problem, _readers(choices, 0.0)[:1], [problem.confusers], chance, [], care)
    return some or next(own, None) or _paper(problem)


def ways(problem: Problem, choices: Choices, care: Care) -> Iterator[Found]:
    """All ways that a release tries: with each caution, behind each number of confusers, under all models; then with
    the kept classes in mind, too.
    """
    random, rivals = np.random.default_rng(choices.seed), int(problem.guarantee.rivals.sum())
    is_unsure = any(scores.spread is not None for scores in choices.secret)
    least, most, *others = (round(problem.confusers * share) for share in (care.fewest, care.most, *care.depths))
    drawn = int(random.integers(max(problem.confusers, least), max(problem.confusers, most) + 1))
    depths = [max(min(depth, rivals - 1), problem.confusers) for depth in (others if is_unsure else [drawn])]
    chance = _chance(choices, care, random)
    keep = [replace(contest, offset=contest.offset - care.keep_margin) for contest in problem.keep]
    for caution in care.cautions if is_unsure else (0.0,):
        readers = _readers(choices, caution)
        yield from _behind(problem, readers, depths, chance, [], care)
        if keep:
            liking = chance + care.keep_kinship * _kin(choices)
            yield from _behind(problem, readers, depths, liking, _wishes(problem, keep, 0), care)


def best(problem: Problem, choices: Choices, several: Reals, care: Care) -> Reals:
    """The plan that leaves most, of rows of what is kept. Where it can be foreseen what a change does, it is bettered
    word by word; readers of whom nothing is foreseen stay deceived.
    """
    odds = Odds.of(problem, choices, np.random.default_rng(choices.seed))
    worth = _worth(problem, choices, odds, care)
    first: Reals = several[int(worth(several).argmax())]
    if odds is None:
        return first
    deceived = [contest for contest in odds.unforeseen if contest.ahead(first) >= problem.confusers]
    surely = min(problem.guarantee.ahead(first, _SURE), problem.confusers)

    def allowed(kept: Reals) -> bool:
        return (
            problem.is_confusable(kept)
            and problem.guarantee.ahead(kept, _SURE) >= surely
            and _lost(problem, kept) <= care.words
            and all(contest.ahead(kept) >= problem.confusers for contest in deceived)
        )

    return search.improved(problem, first, worth, allowed)


def _worth(problem: Problem, choices: Choices, odds: Odds | None, care: Care) -> Callable[[Reals], Reals]:
    """What plans leave: words, and the kept class told and the secret not, as far as that can be foreseen."""
    prices = np.random.default_rng([choices.seed, 1]).lognormal(sigma=care.whim, size=len(problem.terms))
    prices /= prices.mean() * max(float(problem.counts.sum()), 1.0)
    recognition = care.recognition * _worth_keeping(choices)

    def worth(kept: Reals) -> Reals:
        left: Reals = kept @ prices
        if odds is not None:
            left = left - care.secrecy * odds.found(kept)
        return left + recognition * recognised(problem, kept) if problem.keep else left

    return worth


def _worth_keeping(choices: Choices) -> float:
    """How much of the worth of telling the kept class is left: where it goes with fewer than k classes of the secret,
    whoever tells it needs fewer guesses.
    """
    kin = int(_kin(choices).sum())
    return min(kin / (choices.confusers + 1), 1.0) if kin else 1.0


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
    """The contests under all models a reader may have, the planner's own first."""
    own, *others = (Contest.of(scores, scores.true[0], caution=caution) for scores in choices.secret)
    size = float(np.abs(own.rows).mean()) if own.rows.size else 1.0
    return [own, *(each.scaled(size) for each in others)]


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
    problem: Problem,
    contests: Sequence[Contest],
    depths: Sequence[int],
    liking: Reals,
    wishes: Wishes,
    care: Care,
) -> Iterator[Found]:
    """What to keep so that the class comes after so many others under every model, for each depth that can be had."""
    soft = _watched(problem, wishes, care.keep_price)
    words = float(problem.counts.sum())
    deepest = confusers.cheapest(problem, contests, max(depths), soft=soft, liking=words * liking, tried=care.tried)
    for depth in sorted({min(depth, len(deepest)) for depth in depths}):
        chosen = deepest[:depth]
        if depth >= problem.confusers:
            kept = Attempt(problem, contests, chosen, just_behind=False, wishes=wishes).carry_out(care.keep_price)
            if kept is not None:
                yield chosen, kept


def _lost(problem: Problem, kept: Reals) -> float:
    """The share of words that are neither kept nor replaced."""
    return 1.0 - float(kept.sum()) / max(float(problem.counts.sum()), 1.0)


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
