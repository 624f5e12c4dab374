"""The dual simplex for boxed variables, compiled: see `simplex`.

It starts with every slack in the basis and every variable at the bound its value prefers, which is optimal but breaks
rows, and repairs one broken row at a time. A repair moves many variables from one bound to the other at once (the
long-step ratio test), so that a program takes hardly more steps than it has rows. Rows that join later leave the basis
as optimal as it was: what was solved before is not solved again.

All compiled code is in this one file, since numba looks for changes only in the file of the function it has cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Compiled = TypeVar("Compiled", bound=Callable[..., Any])

    def compiled(function: Compiled) -> Compiled: ...

    def inner(function: Compiled) -> Compiled: ...

else:
    compiled = njit(cache=True, error_model="numpy")
    inner = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)

OPTIMAL, INFEASIBLE, UNSOLVED = 0, 1, 2

LOWER, UPPER, BASIC, FIXED = 0, 1, 2, 3
"""Where a variable is: at zero, at its bound, in the basis, or at zero because its bound is."""

PRIMAL = 1e-12
"""By how much of a row's largest possible activity it may be broken before it is repaired."""

PROOF = 1e-11
"""How much rounding a proof may show, as a share of the sums it is made of."""

DUST = 1e-13
"""Reduced values below this share of the largest value count as none: they are ties."""

PIVOT = 1e-9
"""Entries of a row below this share of its largest are rounding."""

TIE = 1e-12
"""Optima that differ by less, relatively, are equal: `grow` then takes the first."""

PATIENCE = 50
"""Steps without progress until the smallest index is chosen, which cannot cycle."""

RENEWAL = 50
"""Steps after which the table is computed afresh."""

STEPS = 100
"""Steps for each row (and one more) until a program is given up."""


class Program(NamedTuple):
    """The program as given; of its rows, the first m count. Reduced values up to `dust` are none."""

    value: Reals
    rows: Reals
    limits: Reals
    bounds: Reals
    dust: float


class Basis(NamedTuple):
    """Where the iterations stand. Row i's slack is variable n + i.

    `table` has the rows in terms of the basis, and the reduced values in its last row; `rest` is what the variables
    at their bounds leave of the limits; `leeway` is how far outside its bounds a variable may be.
    """

    table: Reals
    members: Integers
    seat: Integers
    rest: Reals
    leeway: Reals


class Scratch(NamedTuple):
    """Room to work in, and the answer."""

    level: Reals
    prices: Reals
    ratio: Reals
    queue: Integers
    x: Reals


@compiled
def dual_simplex(value: Reals, rows: Reals, limits: Reals, bounds: Reals, max_iterations: int) -> tuple[int, Reals]:
    """OPTIMAL with the best x, or INFEASIBLE or UNSOLVED with an x that means nothing.

    Arrays are contiguous float64; limits are finite; only variables without value may have an infinite bound.
    """
    m, n = rows.shape
    program, basis, scratch = _program(value, rows, limits, bounds), _basis(m, n), _scratch(m, n)
    status = _begin(program, basis)
    if status == OPTIMAL:
        status = _extend(program, basis, scratch, m, m, max_iterations)
    return status, scratch.x


@compiled
def grow(
    value: Reals,
    rows: Reals,
    limits: Reals,
    bounds: Reals,
    blocks: Reals,
    block_limits: Reals,
    bonus: Reals,
    size: int,
    width: int,
) -> tuple[int, Integers]:
    """Add up to `size` blocks of rows to a program, each time the one that leaves the highest optimum plus bonus.

    Each time, blocks are tried in the order given until `width` of them were feasible; of equals the first is
    taken. `blocks` is blocks x rows x variables, `block_limits` blocks x rows. Returns how many could be chosen, and
    their indices in the order of choice (-1 beyond).
    """
    (given, n), (count, depth, _) = rows.shape, blocks.shape
    total, chosen, taken = given + size * depth, np.full(size, -1), np.zeros(count, np.bool_)
    program, scratch = _program(value, np.empty((total, n)), np.empty(total), bounds), _scratch(total, n)
    basis, trial, winner = _basis(total, n), _basis(total, n), _basis(total, n)
    _place(program, given, rows, limits)
    if _begin(program, basis) != OPTIMAL:
        return 0, chosen
    if _extend(program, basis, scratch, given, given, STEPS * (given + 1)) != OPTIMAL:
        return 0, chosen
    for step in range(size):
        m, feasible, best, highest = given + step * depth, 0, -1, -np.inf
        for block in range(count):
            if taken[block] or feasible >= width:
                continue
            _copy(basis, trial, m, n)
            _place(program, m + depth, blocks[block], block_limits[block])
            if _extend(program, trial, scratch, depth, m + depth, STEPS * (m + depth + 1)) != OPTIMAL:
                continue
            feasible += 1
            worth = _worth(value, scratch.x) + bonus[block]
            if best < 0 or worth > highest + TIE * (1.0 + abs(highest)):
                best, highest = block, worth
                trial, winner = winner, trial
        if best < 0:
            return step, chosen
        chosen[step], taken[best] = best, True
        _place(program, m + depth, blocks[best], block_limits[best])
        basis, winner = winner, basis
    return size, chosen


@inner
def _place(program: Program, m: int, rows: Reals, limits: Reals) -> None:
    """Write rows as the last of the first m."""
    first = m - len(limits)
    for i in range(len(limits)):
        program.limits[first + i] = limits[i]
        for j in range(rows.shape[1]):
            program.rows[first + i, j] = rows[i, j]


@inner
def _worth(value: Reals, x: Reals) -> float:
    worth = 0.0
    for j in range(len(x)):
        worth += value[j] * x[j]
    return worth


@inner
def _program(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> Program:
    largest = 0.0
    for j in range(len(value)):
        largest = max(largest, abs(value[j]))
    return Program(value, rows, limits, bounds, DUST * largest)


@inner
def _basis(m: int, n: int) -> Basis:
    table, members, seat = np.empty((m + 1, n + m)), np.empty(m, np.int64), np.empty(n + m, np.int64)
    return Basis(table, members, seat, np.empty(m), np.empty(n + m))


@inner
def _scratch(m: int, n: int) -> Scratch:
    return Scratch(np.empty(m), np.empty(m), np.empty(n + m), np.empty(n + m, np.int64), np.empty(n))


@inner
def _copy(source: Basis, target: Basis, m: int, n: int) -> None:
    """The part of a basis that concerns the first m rows."""
    bottom = len(source.table) - 1
    for j in range(n + m):
        target.seat[j], target.leeway[j] = source.seat[j], source.leeway[j]
        target.table[bottom, j] = source.table[bottom, j]
    for i in range(m):
        target.members[i], target.rest[i] = source.members[i], source.rest[i]
        for j in range(n + m):
            target.table[i, j] = source.table[i, j]


@inner
def _begin(program: Program, basis: Basis) -> int:
    """Every variable at the bound it prefers, no rows yet."""
    status, bottom = OPTIMAL, len(basis.table) - 1
    for j in range(len(program.value)):
        value, bound = program.value[j], program.bounds[j]
        if not np.isfinite(value) or np.isnan(bound) or (value > 0.0 and bound == np.inf):
            return UNSOLVED
        if bound < 0.0:
            status = INFEASIBLE
        basis.seat[j] = FIXED if bound == 0.0 else UPPER if value > 0.0 else LOWER
        basis.table[bottom, j] = value
        basis.leeway[j] = PROOF * (max(1.0, bound) if bound < np.inf else 1.0)
    return status


@inner
def _extend(program: Program, basis: Basis, scratch: Scratch, depth: int, m: int, max_iterations: int) -> int:
    """Let the last `depth` of the first m rows join, and step until none is broken or one cannot be repaired.

    OPTIMAL leaves the optimum in `scratch.x`.
    """
    if not _append(program, basis, m - depth, m):
        return UNSOLVED
    age, stalled = 0, 0
    for _ in range(max_iterations):
        out, broken = _leaving(program, basis, scratch, m, stalled > PATIENCE)
        sign = 1.0 if broken < 0.0 else -1.0
        if out < 0:
            if _is_optimal(program, basis, scratch, m):
                return OPTIMAL
        else:
            count = _candidates(program, basis, scratch, m, out, sign)
            if stalled > PATIENCE:
                flips, enter = 0, _first_tie(scratch, count)
            else:
                enough = abs(broken) - basis.leeway[basis.members[out]]
                flips, enter = _long_step(program, basis, scratch, count, out, enough)
            if enter >= 0:
                stalled = stalled + 1 if scratch.ratio[enter] == 0.0 else 0
                _exchange(program, basis, scratch, m, out, broken > 0.0, flips, scratch.queue[enter])
                age += 1
                if age < RENEWAL:
                    continue
            elif _is_infeasible(program, basis, scratch, m, out, sign):
                return INFEASIBLE
            elif age == 0 and basis.members[out] < len(program.value):
                # Nothing repairs it and nothing shows that it cannot be: rounding. The proof at the end decides.
                basis.leeway[basis.members[out]] = 2.0 * abs(broken)
                continue
        if age == 0 or not _renew(program, basis, scratch, m):
            return UNSOLVED
        age = 0
    return UNSOLVED


@inner
def _append(program: Program, basis: Basis, first: int, last: int) -> bool:
    """Rows join with their slacks in the basis, which leaves it as optimal as it was; False if one is not finite."""
    n, table, bottom = len(program.value), basis.table, len(basis.table) - 1
    for i in range(first, last):
        size = abs(program.limits[i])
        for j in range(n):
            table[i, j] = program.rows[i, j]
            size += abs(table[i, j]) * (program.bounds[j] if program.bounds[j] < np.inf else 1.0)
        basis.leeway[n + i] = PRIMAL * size
        basis.members[i], basis.seat[n + i], table[bottom, n + i] = n + i, BASIC, 0.0
        for k in range(last):
            table[i, n + k] = 0.0
            table[k, n + i] = 0.0
        table[i, n + i] = 1.0
        for k in range(first):
            _subtract(table, i, k, basis.members[k], n + last)
        basis.rest[i] = _rest(program, basis, i)
        if not np.isfinite(size):
            return False
    return True


@inner
def _rest(program: Program, basis: Basis, i: int) -> float:
    rest: float = program.limits[i]
    for j in range(len(program.value)):
        rest -= program.rows[i, j] * program.bounds[j] if basis.seat[j] == UPPER else 0.0
    return rest


@inner
def _subtract(table: Reals, row: int, other: int, column: int, width: int) -> None:
    """Make a row's entry in a column zero by means of another row, which has a one there."""
    factor = table[row, column]
    if factor != 0.0:
        for j in range(width):
            table[row, j] -= factor * table[other, j]
        table[row, column] = 0.0


@inner
def _leaving(program: Program, basis: Basis, scratch: Scratch, m: int, by_index: bool) -> tuple[int, float]:
    """The basic variable furthest outside its bounds (by steepest edge) and by how much: negative is below zero."""
    n, table = len(program.value), basis.table
    out, broken, furthest = -1, 0.0, 0.0
    for i in range(m):
        level, edge = 0.0, 0.0
        for k in range(m):
            level += table[i, n + k] * basis.rest[k]
            edge += table[i, n + k] * table[i, n + k]
        scratch.level[i] = level
        member = basis.members[i]
        beyond = min(level, 0.0)
        if member < n and level > program.bounds[member]:
            beyond = level - program.bounds[member]
        if abs(beyond) <= basis.leeway[member]:
            continue
        distance = 1.0 / (1.0 + member) if by_index else beyond * beyond / edge
        if not distance <= furthest:
            out, broken, furthest = i, beyond, distance
    return out, broken


@inner
def _candidates(program: Program, basis: Basis, scratch: Scratch, m: int, out: int, sign: float) -> int:
    """Queue the variables that could repair the row, with the price at which each would turn around.

    Which ones is unpredictable, so every one is written and the queue grows by those that fit: no branches.
    """
    n, table, bottom = len(program.value), basis.table, len(basis.table) - 1
    largest, count = 0.0, 0
    for j in range(n):
        largest = max(largest, abs(table[out, j]))
    for j in range(n + m):
        seat, entry = basis.seat[j], sign * table[out, j]
        gain = table[bottom, j]
        scratch.ratio[count] = max(gain / entry, 0.0) if abs(gain) > program.dust else 0.0
        scratch.queue[count] = j
        count += (seat < BASIC) & (abs(entry) > PIVOT * largest) & ((entry > 0.0) == (seat == UPPER))
    return count


@inner
def _first_tie(scratch: Scratch, count: int) -> int:
    """Place in the queue of the smallest ratio; of equals, the smallest index."""
    best = -1
    for place in range(count):
        if best < 0 or scratch.ratio[place] < scratch.ratio[best]:
            best = place
    return best


@inner
def _long_step(
    program: Program, basis: Basis, scratch: Scratch, count: int, out: int, broken: float
) -> tuple[int, int]:
    """How many at the front of the queue go to their other bound, and the place of the one that enters.

    Variables turn around by rising ratio, each repairing as much of the row as its bound allows, and the one that
    would repair more than is broken enters. It is found by partition, without sorting. If all together do not
    suffice there is no such place (-1).
    """
    ratio, low, high = scratch.ratio, 0, count
    while low < high:
        # The smallest of three, since few turn around: the place is near the front.
        quarter = (high - low) // 4
        middle = min(ratio[low + quarter], ratio[(low + high) // 2], ratio[high - 1 - quarter])
        first, last = _partition(scratch, low, high, middle)
        less = _reach(program, basis, scratch, out, low, first)
        if less >= broken:
            high = first
            continue
        ties = _reach(program, basis, scratch, out, first, last)
        if less + ties >= broken:
            return _break_ties(program, basis, scratch, out, first, last, broken - less)
        broken -= less + ties
        low = last
    return 0, -1


@inner
def _partition(scratch: Scratch, low: int, high: int, middle: float) -> tuple[int, int]:
    """Reorder the queue between low and high: smaller ratios, from `first` on equal ones, from `last` on larger."""
    first = low
    for place in range(low, high):
        smaller = scratch.ratio[place] < middle
        _swap(scratch, first, place)
        first += smaller
    last = first
    for place in range(first, high):
        equal = scratch.ratio[place] == middle
        _swap(scratch, last, place)
        last += equal
    return first, last


@inner
def _swap(scratch: Scratch, one: int, other: int) -> None:
    ratio, queue = scratch.ratio, scratch.queue
    ratio[one], ratio[other] = ratio[other], ratio[one]
    queue[one], queue[other] = queue[other], queue[one]


@inner
def _reach(program: Program, basis: Basis, scratch: Scratch, out: int, first: int, last: int) -> float:
    """How much of the row the queued variables repair by going to their other bound; a slack has none."""
    reach = 0.0
    for place in range(first, last):
        j = scratch.queue[place]
        if j >= len(program.value):
            return np.inf
        reach += abs(basis.table[out, j]) * program.bounds[j]
    return reach


@inner
def _break_ties(
    program: Program, basis: Basis, scratch: Scratch, out: int, first: int, last: int, broken: float
) -> tuple[int, int]:
    """Of equal ratios the largest entry enters, for accuracy; the others turn around while that is not too much."""
    row, queue, largest = basis.table[out], scratch.queue, first
    for place in range(first, last):
        if abs(row[queue[place]]) > abs(row[queue[largest]]):
            largest = place
    _swap(scratch, largest, last - 1)
    for place in range(first, last - 1):
        broken -= _reach(program, basis, scratch, out, place, place + 1)
        if broken <= 0.0:
            return place, last - 1
    return last - 1, last - 1


@inner
def _exchange(
    program: Program, basis: Basis, scratch: Scratch, m: int, out: int, to_bound: bool, flips: int, enter: int
) -> None:
    """Turn the first of the queue around; then `enter` takes the place `out`, whose variable goes to a bound."""
    n, leave = len(program.value), basis.members[out]
    for place in range(flips):
        j = scratch.queue[place]
        _turn(program, basis, m, j)
    if basis.seat[enter] == UPPER:
        _turn(program, basis, m, enter)
    basis.seat[leave], basis.seat[enter] = LOWER, BASIC
    if to_bound:
        _turn(program, basis, m, leave)
    gain = basis.table[len(basis.table) - 1]
    if abs(gain[enter]) <= program.dust:
        gain[enter] = 0.0
    _pivot(basis, m, n, out, enter)


@inner
def _turn(program: Program, basis: Basis, m: int, j: int) -> None:
    """Move a variable from one of its bounds to the other."""
    step = program.bounds[j] if basis.seat[j] == LOWER else -program.bounds[j]
    basis.seat[j] = UPPER if basis.seat[j] == LOWER else LOWER
    for i in range(m):
        basis.rest[i] -= step * program.rows[i, j]


@inner
def _pivot(basis: Basis, m: int, n: int, out: int, enter: int) -> None:
    """`enter` takes the place `out` in the basis."""
    table = basis.table
    pivot = table[out, enter]
    for j in range(n + m):
        table[out, j] /= pivot
    table[out, enter] = 1.0
    for i in range(m + 1):
        row = i if i < m else len(table) - 1
        if row != out:
            _subtract(table, row, out, enter, n + m)
    basis.members[out] = enter


@inner
def _renew(program: Program, basis: Basis, scratch: Scratch, m: int) -> bool:
    """Compute everything afresh for the same basis; False if it is singular.

    Variables that rounding had left at the wrong bound are put right, which may break rows again.
    """
    n, table, gain, entering = len(program.value), basis.table, basis.table[len(basis.table) - 1], 0
    for i in range(m):
        if basis.members[i] < n:
            scratch.queue[entering] = basis.members[i]
            entering += 1
        basis.members[i] = n + i
        for j in range(n + m):
            table[i, j] = program.rows[i, j] if j < n else 0.0
        table[i, n + i] = 1.0
    for j in range(n + m):
        gain[j] = program.value[j] if j < n else 0.0
    for place in range(entering):
        enter = scratch.queue[place]
        out = _pivot_row(basis, m, n, enter)
        if out < 0:
            return False
        _pivot(basis, m, n, out, enter)
    for j in range(n + m):
        if basis.seat[j] < BASIC and gain[j] != 0.0:
            if gain[j] < 0.0:
                basis.seat[j] = LOWER
            elif j < n and program.bounds[j] < np.inf:
                basis.seat[j] = UPPER
            else:
                gain[j] = 0.0
    for i in range(m):
        basis.rest[i] = _rest(program, basis, i)
    return True


@inner
def _pivot_row(basis: Basis, m: int, n: int, enter: int) -> int:
    """Of the places not yet taken, the one with the largest entry."""
    out, largest = -1, 0.0
    for i in range(m):
        if basis.members[i] >= n and basis.seat[n + i] != BASIC and abs(basis.table[i, enter]) > largest:
            out, largest = i, abs(basis.table[i, enter])
    return out


@inner
def _is_optimal(program: Program, basis: Basis, scratch: Scratch, m: int) -> bool:
    """Write out x, and prove it: it keeps to every row, and its value is as high as a dual bound."""
    n, x, gain = len(program.value), scratch.x, basis.table[len(basis.table) - 1]
    for j in range(n):
        x[j] = program.bounds[j] if basis.seat[j] == UPPER else 0.0
    for i in range(m):
        j = basis.members[i]
        if j < n:
            x[j] = min(max(scratch.level[i], 0.0), program.bounds[j])
    for i in range(m):
        if not _worth(program.rows[i], x) <= program.limits[i] + 10.0 * basis.leeway[n + i]:
            return False
        scratch.prices[i] = max(-gain[n + i], 0.0)
    bound, size = _dual_bound(program, scratch, m, 1.0)
    return bound - _worth(program.value, x) <= PROOF * size


@inner
def _is_infeasible(program: Program, basis: Basis, scratch: Scratch, m: int, out: int, sign: float) -> bool:
    """Prove it by Farkas: multipliers under which the rows forbid what every x within its bounds does."""
    n, allowed = len(program.value), 0.0
    for i in range(m):
        scratch.prices[i] = max(sign * basis.table[out, n + i], 0.0)
        allowed += scratch.prices[i] * basis.leeway[n + i]
    bound, _ = _dual_bound(program, scratch, m, 0.0)
    return bound < -allowed


@inner
def _dual_bound(program: Program, scratch: Scratch, m: int, scale: float) -> tuple[float, float]:
    """What `scale` times the value of a feasible x cannot exceed, and the size of the sums that this is made of.

    Holds for any multipliers in `scratch.prices` that are not negative: weak duality.
    """
    n, gain, bound, size = len(program.value), scratch.ratio, 0.0, 0.0
    for j in range(n):
        gain[j] = scale * program.value[j]
    for i in range(m):
        price = scratch.prices[i]
        bound += price * program.limits[i]
        size += price * abs(program.limits[i])
        for j in range(n):
            gain[j] -= price * program.rows[i, j]
    for j in range(n):
        if program.bounds[j] < np.inf:
            bound += max(gain[j], 0.0) * program.bounds[j]
            size += abs(scale * program.value[j]) * program.bounds[j]
        elif gain[j] > 0.0:
            rounding = abs(scale * program.value[j])
            for i in range(m):
                rounding += scratch.prices[i] * abs(program.rows[i, j])
            if gain[j] > PROOF * rounding:
                bound = np.inf
    return bound, size
