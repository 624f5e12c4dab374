"""Linear programs with few rows and many boxed variables, solved fast.

Maximise `value @ x` where `rows @ x <= limits` and `0 <= x <= bounds`.

The method is the dual simplex for boxed variables. It starts with every slack in the basis and every variable at
the bound its value prefers, which is optimal but breaks rows, and repairs one broken row at a time. A repair moves
many variables from one bound to the other at once (the long-step ratio test), so that a program takes hardly more
steps than it has rows.

No answer is taken on trust: an optimum is shown by row multipliers whose dual bound it meets, infeasibility by
multipliers that add the rows up to a contradiction. Both are evaluated on the program as it was given, not on what the
iterations left behind. What cannot be shown is left `UNSOLVED`, and `solve` then asks HiGHS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np
from numba import njit

from withhold.errors import PlanError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Compiled = TypeVar("Compiled", bound=Callable[..., Any])

    def compiled(function: Compiled) -> Compiled: ...

else:
    compiled = njit(cache=True, error_model="numpy")

OPTIMAL, INFEASIBLE, UNSOLVED = 0, 1, 2

LOWER, UPPER, BASIC = 0, 1, 2
"""Where a variable rests: at zero, at its bound, or in the basis."""

PRIMAL = 1e-12
"""By how much of a row's largest possible activity it may be broken before it is repaired."""

PROOF = 1e-11
"""How much rounding a proof may show, as a share of the sums it is made of."""

DUST = 1e-13
"""Reduced values below this share of the largest value count as none: they are ties."""

PIVOT = 1e-11
"""Entries of a row below this share of its largest are rounding."""

PATIENCE = 20
"""Steps without progress until the smallest index is chosen, which cannot cycle."""

RENEWAL = 50
"""Steps after which the basis is inverted afresh."""


@dataclass(frozen=True)
class Solution:
    """The best `x` and its value; of an infeasible program both are not a number."""

    status: Literal["optimal", "infeasible"]
    x: Reals
    objective: float


class Program(NamedTuple):
    """The program as given; `slack` is how far from its bounds each variable, then each row, may be."""

    value: Reals
    rows: Reals
    limits: Reals
    bounds: Reals
    slack: Reals


class Basis(NamedTuple):
    """Where the iterations stand. Row i's slack is variable n + i.

    `rest` is what the variables at their bounds leave of the limits, `gain` the reduced values.
    """

    inverse: Reals
    members: Integers
    seat: NDArray[np.int8]
    rest: Reals
    gain: Reals


class Scratch(NamedTuple):
    """Room to work in: of one step only."""

    level: Reals
    column: Reals
    prices: Reals
    entry: Reals
    ratio: Reals
    queue: Integers
    x: Reals


def solve(value: ArrayLike, rows: ArrayLike, limits: ArrayLike, bounds: ArrayLike) -> Solution:
    """The optimum, or that there is none because no `x` keeps to the rows.

    An unbounded program, or one with numbers that are none, raises ValueError.
    """
    v, a, b, u = (np.array(each, np.float64, order="C") for each in (value, rows, limits, bounds))
    if v.ndim != 1 or b.ndim != 1 or u.shape != v.shape or a.shape != b.shape + v.shape:
        raise ValueError("a program needs one value and one bound for each column, and one limit for each row")
    status, x = dual_simplex(v, a, b, u, 50 * (len(b) + 10))
    if status == UNSOLVED:
        return _solve_with_highs(v, a, b, u)
    if status == INFEASIBLE:
        return Solution("infeasible", np.full(len(v), np.nan), np.nan)
    return Solution("optimal", x, float(v @ x))


def _solve_with_highs(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> Solution:
    from scipy.optimize import linprog

    binding = limits < np.inf
    box = [(0.0, bound) for bound in bounds.tolist()]
    found = linprog(-value, rows[binding], limits[binding], bounds=box, method="highs", options={"presolve": False})
    if found.status == 0:
        return Solution("optimal", np.asarray(found.x), float(value @ found.x))
    if found.status == 2:
        return Solution("infeasible", np.full(len(value), np.nan), np.nan)
    if found.status == 3:
        raise ValueError("the program is unbounded: a variable without bound has a value that no row holds back")
    raise PlanError("a linear program could not be solved: its numbers differ too much in size")


@compiled
def dual_simplex(value: Reals, rows: Reals, limits: Reals, bounds: Reals, max_iterations: int) -> tuple[int, Reals]:
    """OPTIMAL with the best x, or INFEASIBLE or UNSOLVED with an x that means nothing.

    Arrays are contiguous float64; limits are finite; only variables without value may have an infinite bound.
    """
    m, n = rows.shape
    program, basis, scratch = _program(value, rows, limits, bounds), _basis(m, n), _scratch(m, n)
    status = _begin(program, basis)
    if status == OPTIMAL:
        _append(program, basis, 0, m)
        status = _repair(program, basis, scratch, m, max_iterations)
    return status, scratch.x


@compiled
def cheapest(
    value: Reals, rows: Reals, limits: Reals, bounds: Reals, blocks: Reals, block_limits: Reals, bonus: Reals
) -> Reals:
    """For each block of rows, the optimum of the program with that block appended, plus its bonus.

    Not a number where there is no optimum. `blocks` is blocks x rows x variables, `block_limits` blocks x rows.
    """
    (m, n), (count, depth, _) = rows.shape, blocks.shape
    optima = np.full(count, np.nan)
    program = _program(value, _taller(rows, depth), _longer(limits, depth), bounds)
    basis, trial, scratch = _basis(m + depth, n), _basis(m + depth, n), _scratch(m + depth, n)
    if _begin(program, basis) != OPTIMAL:
        return optima
    _append(program, basis, 0, m)
    if _repair(program, basis, scratch, m, 50 * (m + 10)) != OPTIMAL:
        return optima
    for block in range(count):
        optima[block] = _try(program, basis, trial, scratch, m, blocks[block], block_limits[block]) + bonus[block]
    return optima


@compiled
def grow(
    value: Reals, blocks: Reals, limits: Reals, bounds: Reals, bonus: Reals, size: int, width: int
) -> tuple[int, Integers]:
    """Choose up to `size` blocks of rows, each time the one that leaves the highest optimum plus bonus.

    Each time, blocks are tried in the order given until `width` of them were feasible; of equals the first is
    taken. Returns how many could be chosen, and their indices in the order of choice (-1 beyond).
    """
    count, depth, n = blocks.shape
    chosen = np.full(size, -1, np.int64)
    taken = np.zeros(count, np.bool_)
    tallest = size * depth
    program = _program(value, np.zeros((tallest, n)), np.zeros(tallest), bounds)
    basis, trial, scratch = _basis(tallest, n), _basis(tallest, n), _scratch(tallest, n)
    if _begin(program, basis) != OPTIMAL:
        return 0, chosen
    for step in range(size):
        m, feasible, best, highest = step * depth, 0, -1, -np.inf
        for block in range(count):
            if taken[block] or feasible >= width:
                continue
            optimum = _try(program, basis, trial, scratch, m, blocks[block], limits[block]) + bonus[block]
            if not np.isnan(optimum):
                feasible += 1
                if best < 0 or optimum > highest + 1e-12 * (1.0 + abs(highest)):
                    best, highest = block, optimum
        if best < 0:
            return step, chosen
        chosen[step] = best
        taken[best] = True
        _try(program, basis, trial, scratch, m, blocks[best], limits[best])
        _copy(trial, basis, m + depth, n)
    return size, chosen


@compiled
def _try(program: Program, basis: Basis, trial: Basis, scratch: Scratch, m: int, block: Reals, limits: Reals) -> float:
    """The optimum with the block appended after m rows, or nan; `trial` is then its basis."""
    depth, n = block.shape
    program.rows[m : m + depth] = block
    program.limits[m : m + depth] = limits
    _copy(basis, trial, m, n)
    _append(program, trial, m, m + depth)
    if _repair(program, trial, scratch, m + depth, 50 * (m + depth + 10)) != OPTIMAL:
        return np.nan
    optimum = 0.0
    for j in range(n):
        optimum += program.value[j] * scratch.x[j]
    return optimum


@compiled
def _taller(rows: Reals, more: int) -> Reals:
    taller = np.zeros((rows.shape[0] + more, rows.shape[1]))
    taller[: rows.shape[0]] = rows
    return taller


@compiled
def _longer(limits: Reals, more: int) -> Reals:
    longer = np.zeros(len(limits) + more)
    longer[: len(limits)] = limits
    return longer


@compiled
def _program(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> Program:
    return Program(value, rows, limits, bounds, np.empty(len(value) + len(limits)))


@compiled
def _basis(m: int, n: int) -> Basis:
    seat = np.empty(n + m, np.int8)
    return Basis(np.empty((m, m)), np.empty(m, np.int64), seat, np.empty(m), np.empty(n + m))


@compiled
def _scratch(m: int, n: int) -> Scratch:
    entry, ratio, queue = np.empty(n + m), np.empty(n + m), np.empty(n + m, np.int64)
    return Scratch(np.empty(m), np.empty(m), np.empty(m), entry, ratio, queue, np.zeros(n))


@compiled
def _copy(source: Basis, target: Basis, m: int, n: int) -> None:
    """The part of a basis that concerns the first m rows."""
    for i in range(m):
        target.members[i] = source.members[i]
        target.rest[i] = source.rest[i]
        for k in range(m):
            target.inverse[i, k] = source.inverse[i, k]
    for j in range(n + m):
        target.seat[j] = source.seat[j]
        target.gain[j] = source.gain[j]


@compiled
def _begin(program: Program, basis: Basis) -> int:
    """Every variable at the bound it prefers, no rows yet."""
    status = OPTIMAL
    for j in range(len(program.value)):
        value, bound = program.value[j], program.bounds[j]
        if not np.isfinite(value) or np.isnan(bound) or (value > 0.0 and bound == np.inf):
            return UNSOLVED
        if bound < 0.0:
            status = INFEASIBLE
        basis.seat[j] = UPPER if value > 0.0 else LOWER
        basis.gain[j] = value
        program.slack[j] = PROOF * (max(1.0, bound) if bound < np.inf else 1.0)
    return status


@compiled
def _append(program: Program, basis: Basis, first: int, last: int) -> None:
    """Rows first..last join with their slacks in the basis, which leaves it as optimal as it was."""
    n = len(program.value)
    for i in range(first, last):
        rest, size = program.limits[i], abs(program.limits[i])
        for j in range(n):
            entry = program.rows[i, j]
            if program.bounds[j] < np.inf:
                size += abs(entry) * program.bounds[j]
            if basis.seat[j] == UPPER:
                rest -= entry * program.bounds[j]
        basis.rest[i] = rest
        program.slack[n + i] = PRIMAL * size
        basis.members[i], basis.seat[n + i], basis.gain[n + i] = n + i, BASIC, 0.0
        for k in range(last):
            basis.inverse[i, k] = 0.0
        for k in range(first):
            basis.inverse[k, i] = 0.0
            if basis.members[k] < n:
                entry = program.rows[i, basis.members[k]]
                for col in range(first):
                    basis.inverse[i, col] -= entry * basis.inverse[k, col]
        basis.inverse[i, i] = 1.0


@compiled
def _repair(program: Program, basis: Basis, scratch: Scratch, m: int, max_iterations: int) -> int:
    """Step until no row is broken or none can be repaired; OPTIMAL leaves the optimum in `scratch.x`."""
    n = len(program.value)
    age, stalled = 0, 0
    for _ in range(max_iterations):
        out, broken = _leaving(program, basis, scratch, m, stalled > PATIENCE)
        if out < 0:
            if _is_optimal(program, basis, scratch, m):
                return OPTIMAL
        else:
            count = _candidates(program, basis, scratch, m, out, 1.0 if broken < 0.0 else -1.0)
            if stalled > PATIENCE:
                flips, enter = 0, _first_tie(scratch, count)
            else:
                flips, enter = _long_step(program, scratch, n, count, abs(broken))
            if enter >= 0:
                ratio = scratch.ratio[enter]
                stalled = stalled + 1 if ratio == 0.0 else 0
                _exchange(program, basis, scratch, m, out, broken < 0.0, flips, scratch.queue[enter], ratio)
                age += 1
                if age < RENEWAL:
                    continue
            elif _is_infeasible(program, basis, scratch, m, out, 1.0 if broken < 0.0 else -1.0):
                return INFEASIBLE
        if age == 0 or not _renew(program, basis, scratch, m):
            return UNSOLVED
        age = 0
    return UNSOLVED


@compiled
def _leaving(program: Program, basis: Basis, scratch: Scratch, m: int, by_index: bool) -> tuple[int, float]:
    """The basic variable furthest outside its bounds (by steepest edge) and by how much: negative is below zero."""
    n = len(program.value)
    out, broken, furthest = -1, 0.0, 0.0
    for i in range(m):
        level, edge = 0.0, 0.0
        for k in range(m):
            level += basis.inverse[i, k] * basis.rest[k]
            edge += basis.inverse[i, k] * basis.inverse[i, k]
        scratch.level[i] = level
        member = basis.members[i]
        beyond = min(level, 0.0)
        if member < n and level > program.bounds[member]:
            beyond = level - program.bounds[member]
        if abs(beyond) <= program.slack[member]:
            continue
        distance = 1.0 / (1.0 + member) if by_index else beyond * beyond / edge
        if not distance <= furthest:
            out, broken, furthest = i, beyond, distance
    return out, broken


@compiled
def _candidates(program: Program, basis: Basis, scratch: Scratch, m: int, out: int, sign: float) -> int:
    """Queue the variables that could repair the row, with the price at which each would turn around."""
    n = len(program.value)
    entry, count = scratch.entry, 0
    for j in range(n):
        entry[j] = 0.0
    for k in range(m):
        factor = sign * basis.inverse[out, k]
        entry[n + k] = factor
        if factor != 0.0:
            for j in range(n):
                entry[j] += factor * program.rows[k, j]
    largest, dust = 0.0, 0.0
    for j in range(n):
        largest = max(largest, abs(entry[j]))
        dust = max(dust, abs(program.value[j]))
    largest, dust = largest * PIVOT, dust * DUST
    for j in range(n + m):
        seat = basis.seat[j]
        if seat == BASIC or (j < n and program.bounds[j] == 0.0):
            continue
        if entry[j] < -largest if seat == LOWER else entry[j] > largest:
            gain = -basis.gain[j] if seat == LOWER else basis.gain[j]
            scratch.ratio[count] = gain / abs(entry[j]) if gain > dust else 0.0
            scratch.queue[count] = j
            count += 1
    return count


@compiled
def _first_tie(scratch: Scratch, count: int) -> int:
    """Place in the queue of the smallest ratio; of equals, the smallest index."""
    best = -1
    for place in range(count):
        if best < 0 or scratch.ratio[place] < scratch.ratio[best]:
            best = place
    return best


@compiled
def _long_step(program: Program, scratch: Scratch, n: int, count: int, broken: float) -> tuple[int, int]:
    """How many at the front of the queue go to their other bound, and the place of the one that enters.

    Variables turn around by rising ratio, each repairing as much of the row as its bound allows, and the one that
    would repair more than is broken enters. It is found by partition, without sorting. If all together do not
    suffice there is no such place (-1).
    """
    low, high = 0, count
    while low < high:
        middle = scratch.ratio[(low + high) // 2]
        first, last = _partition(scratch, low, high, middle)
        less = _reach(program, scratch, n, low, first)
        if less >= broken:
            high = first
            continue
        ties = _reach(program, scratch, n, first, last)
        if less + ties >= broken:
            return _break_ties(program, scratch, n, first, last, broken - less)
        broken -= less + ties
        low = last
    return 0, -1


@compiled
def _partition(scratch: Scratch, low: int, high: int, middle: float) -> tuple[int, int]:
    """Reorder the queue between low and high: smaller ratios, from `first` on equal ones, from `last` on larger."""
    ratio, queue = scratch.ratio, scratch.queue
    first, place, last = low, low, high
    while place < last:
        if ratio[place] < middle:
            _swap(ratio, queue, first, place)
            first += 1
            place += 1
        elif ratio[place] > middle:
            last -= 1
            _swap(ratio, queue, place, last)
        else:
            place += 1
    return first, last


@compiled
def _swap(ratio: Reals, queue: Integers, one: int, other: int) -> None:
    ratio[one], ratio[other] = ratio[other], ratio[one]
    queue[one], queue[other] = queue[other], queue[one]


@compiled
def _reach(program: Program, scratch: Scratch, n: int, first: int, last: int) -> float:
    """How much the queued variables repair by going to their other bound."""
    reach = 0.0
    for place in range(first, last):
        j = scratch.queue[place]
        if j >= n:
            return np.inf
        reach += abs(scratch.entry[j]) * program.bounds[j]
    return reach


@compiled
def _break_ties(program: Program, scratch: Scratch, n: int, first: int, last: int, broken: float) -> tuple[int, int]:
    """Of equal ratios the largest entry enters, for accuracy; the others turn around while that is not too much."""
    largest = first
    for place in range(first, last):
        if abs(scratch.entry[scratch.queue[place]]) > abs(scratch.entry[scratch.queue[largest]]):
            largest = place
    _swap(scratch.ratio, scratch.queue, largest, last - 1)
    for place in range(first, last - 1):
        broken -= _reach(program, scratch, n, place, place + 1)
        if broken <= 0.0:
            return place, last - 1
    return last - 1, last - 1


@compiled
def _exchange(
    program: Program,
    basis: Basis,
    scratch: Scratch,
    m: int,
    out: int,
    to_zero: bool,
    flips: int,
    enter: int,
    ratio: float,
) -> None:
    """Turn the first `flips` of the queue around; `enter` takes the place `out`, whose variable goes to its bound."""
    n = len(program.value)
    leave = basis.members[out]
    for j in range(n + m):
        basis.gain[j] -= ratio * scratch.entry[j]
    basis.gain[enter], basis.gain[leave] = 0.0, (-ratio if to_zero else ratio)
    for place in range(flips):
        j = scratch.queue[place]
        _rest_at(program, basis, m, j, UPPER if basis.seat[j] == LOWER else LOWER)
    if basis.seat[enter] == UPPER:
        _rest_at(program, basis, m, enter, LOWER)
    basis.seat[leave] = LOWER
    if not to_zero:
        _rest_at(program, basis, m, leave, UPPER)
    basis.seat[enter] = BASIC
    basis.members[out] = enter
    _replace(program, basis, scratch, m, out, enter)


@compiled
def _rest_at(program: Program, basis: Basis, m: int, j: int, seat: int) -> None:
    """Move a variable that is not basic to its other bound."""
    basis.seat[j] = seat
    step = program.bounds[j] if seat == UPPER else -program.bounds[j]
    for i in range(m):
        basis.rest[i] -= step * program.rows[i, j]


@compiled
def _column(program: Program, basis: Basis, scratch: Scratch, m: int, j: int) -> None:
    """Column j in terms of the basis."""
    n = len(program.value)
    for i in range(m):
        entry = 0.0
        if j >= n:
            entry = basis.inverse[i, j - n]
        else:
            for k in range(m):
                entry += basis.inverse[i, k] * program.rows[k, j]
        scratch.column[i] = entry


@compiled
def _replace(program: Program, basis: Basis, scratch: Scratch, m: int, out: int, enter: int) -> None:
    """The inverse after `enter` has taken the place `out`."""
    _column(program, basis, scratch, m, enter)
    inverse, column = basis.inverse, scratch.column
    basis.members[out] = enter
    for k in range(m):
        inverse[out, k] /= column[out]
    for i in range(m):
        factor = column[i]
        if i != out and factor != 0.0:
            for k in range(m):
                inverse[i, k] -= factor * inverse[out, k]


@compiled
def _renew(program: Program, basis: Basis, scratch: Scratch, m: int) -> bool:
    """Compute everything afresh for the same basis; False if it is singular.

    Variables that rounding had left at the wrong bound are put right, which may break rows again.
    """
    n = len(program.value)
    entering = 0
    for i in range(m):
        if basis.members[i] < n:
            scratch.queue[entering] = basis.members[i]
            entering += 1
    for i in range(m):
        basis.members[i] = n + i
        for k in range(m):
            basis.inverse[i, k] = 1.0 if i == k else 0.0
    for place in range(entering):
        _column(program, basis, scratch, m, scratch.queue[place])
        out, largest = -1, 0.0
        for i in range(m):
            if basis.members[i] >= n and basis.seat[n + i] != BASIC and abs(scratch.column[i]) > largest:
                out, largest = i, abs(scratch.column[i])
        if out < 0:
            return False
        _replace(program, basis, scratch, m, out, scratch.queue[place])
    _prices(program, basis, scratch, m)
    _combine(program, scratch, m, 1.0)
    for j in range(n + m):
        _reseat(program, basis, scratch, n, j)
    for i in range(m):
        rest = program.limits[i]
        for j in range(n):
            if basis.seat[j] == UPPER:
                rest -= program.rows[i, j] * program.bounds[j]
        basis.rest[i] = rest
    return True


@compiled
def _reseat(program: Program, basis: Basis, scratch: Scratch, n: int, j: int) -> None:
    """Take over the reduced value just computed, with the bound it asks for; where there is none it is rounding."""
    gain = scratch.entry[j]
    if basis.seat[j] == BASIC or (gain > 0.0 and (j >= n or program.bounds[j] == np.inf)):
        gain = 0.0
    basis.gain[j] = gain
    if basis.seat[j] != BASIC and gain != 0.0:
        basis.seat[j] = UPPER if gain > 0.0 else LOWER


@compiled
def _prices(program: Program, basis: Basis, scratch: Scratch, m: int) -> None:
    """The row multipliers that the basis implies."""
    n = len(program.value)
    prices = scratch.prices
    for k in range(m):
        prices[k] = 0.0
    for i in range(m):
        if basis.members[i] < n:
            value = program.value[basis.members[i]]
            for k in range(m):
                prices[k] += value * basis.inverse[i, k]


@compiled
def _combine(program: Program, scratch: Scratch, m: int, value: float) -> None:
    """`scratch.entry` becomes the values (times `value`) less the rows, each times its multiplier."""
    n = len(program.value)
    prices, entry = scratch.prices, scratch.entry
    for j in range(n):
        entry[j] = value * program.value[j]
    for k in range(m):
        entry[n + k] = -prices[k]
        if prices[k] != 0.0:
            for j in range(n):
                entry[j] -= prices[k] * program.rows[k, j]


@compiled
def _dual_bound(program: Program, scratch: Scratch, m: int, value: float) -> tuple[float, float]:
    """What no feasible x can exceed in value (times `value`), by multipliers; and the size of the sums it is made of.

    Holds for any multipliers, since those below zero are cut off here: weak duality.
    """
    prices, entry = scratch.prices, scratch.entry
    bound, size = 0.0, 0.0
    for i in range(m):
        prices[i] = max(prices[i], 0.0)
        bound += prices[i] * program.limits[i]
        size += prices[i] * abs(program.limits[i])
    _combine(program, scratch, m, value)
    largest = 0.0
    for j in range(len(program.value)):
        largest = max(largest, abs(entry[j]))
    for j in range(len(program.value)):
        if program.bounds[j] < np.inf:
            bound += max(entry[j], 0.0) * program.bounds[j]
            size += abs(entry[j]) * program.bounds[j]
        elif entry[j] > PROOF * largest:
            return np.inf, size
    return bound, size


@compiled
def _is_optimal(program: Program, basis: Basis, scratch: Scratch, m: int) -> bool:
    """Write out x, and prove it: it keeps to every row, and its value is as high as a dual bound."""
    n = len(program.value)
    x, objective, size = scratch.x, 0.0, 0.0
    for j in range(n):
        x[j] = program.bounds[j] if basis.seat[j] == UPPER else 0.0
    for i in range(m):
        j = basis.members[i]
        if j < n:
            x[j] = min(max(scratch.level[i], 0.0), program.bounds[j])
    for i in range(m):
        excess = -program.limits[i]
        for j in range(n):
            excess += program.rows[i, j] * x[j]
        if not excess <= 10.0 * program.slack[n + i]:
            return False
    for j in range(n):
        objective += program.value[j] * x[j]
        size += abs(program.value[j] * x[j])
    _prices(program, basis, scratch, m)
    bound, summed = _dual_bound(program, scratch, m, 1.0)
    return bound - objective <= PROOF * (size + summed)


@compiled
def _is_infeasible(program: Program, basis: Basis, scratch: Scratch, m: int, out: int, sign: float) -> bool:
    """Prove it by Farkas: multipliers under which the rows forbid what every x within its bounds does."""
    allowed = 0.0
    for i in range(m):
        scratch.prices[i] = max(sign * basis.inverse[out, i], 0.0)
        allowed += scratch.prices[i] * program.slack[len(program.value) + i]
    bound, _ = _dual_bound(program, scratch, m, 0.0)
    return bound < -allowed
