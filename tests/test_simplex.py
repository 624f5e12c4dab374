"""The solver gives the optimum, or says that there is none; HiGHS, and every corner of small programs, bear it out."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from withhold.planners.simplex import INFEASIBLE, OPTIMAL, UNSOLVED, dual_simplex, grow, solve

Reals = NDArray[np.float64]
Program = tuple[Reals, Reals, Reals, Reals]

seeds = st.integers(0, 2**32 - 1)


def optimum(value: Any, rows: Any, limits: Any, bounds: Any) -> float:
    """By HiGHS; not a number where no x is feasible."""
    box = np.column_stack([np.zeros(len(bounds)), bounds])
    found = linprog(-np.asarray(value), rows, limits, bounds=box, method="highs")
    assert found.status in (0, 2), found.message
    return float("nan") if found.x is None else -found.fun


def ours(program: Program) -> float:
    """By `solve`, which must not have needed HiGHS."""
    assert dual_simplex(*map(np.array, program), 100 * (len(program[2]) + 1))[0] != UNSOLVED
    solution = solve(*program)
    assert solution.status == ("infeasible" if np.isnan(solution.objective) else "optimal")
    if solution.status == "optimal":
        keeps(program, solution.x)
        assert solution.objective == pytest.approx(program[0] @ solution.x)
    return solution.objective


def keeps(program: Program, x: Reals) -> None:
    """x is within its bounds, exactly, and within its rows up to rounding."""
    _, rows, limits, bounds = program
    sizes = np.abs(rows) @ np.where(np.isinf(bounds), 1.0, bounds) + np.abs(limits)
    assert (x >= 0.0).all()
    assert (x <= bounds).all()
    assert (rows @ x <= limits + 1e-10 * sizes + 1e-300).all()


def same(one: Any, other: Any) -> bool:
    return np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True)


@st.composite
def ties(draw: st.DrawFn) -> Program:
    """Small whole numbers, repeated rows and columns, rows and values of zeros, bounds of zero and none."""
    m, n, reach = draw(st.integers(0, 6)), draw(st.integers(1, 10)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(seeds))
    value = random.integers(-1, reach, n).astype(float)
    rows = random.integers(-reach, reach + 1, (m, n)).astype(float)
    limits = random.integers(-2 * reach, reach + 1, m).astype(float)
    bounds = random.integers(0, 4, n).astype(float)
    bounds[(random.random(n) < 0.2) & (value <= 0.0)] = np.inf
    kind = draw(st.sampled_from(["plain", "repeated rows", "repeated columns", "empty row", "worthless"]))
    if kind == "repeated rows":
        rows, limits = np.vstack([rows, rows, -rows]), np.concatenate([limits, limits, -limits])
    elif kind == "repeated columns":
        value, rows, bounds = np.tile(value, 2), np.tile(rows, 2), np.tile(bounds, 2)
    elif kind == "empty row":
        rows[: m // 2] = 0.0
    elif kind == "worthless":
        value[:] = 0.0
    return value, rows, limits, bounds


def confusers(random: np.random.Generator, m: int, n: int) -> Program:
    """Log-likelihood ratios and word counts, as a planner has them."""
    value = random.choice([0.0, 0.3]) * random.normal(size=n) + 0.7
    rows = random.normal(0.2, 1.0, (m, n))
    return value, rows, random.normal(-1.0, 1.0, m), random.zipf(2.5, n).clip(max=30).astype(float)


@settings(max_examples=300, deadline=None)
@given(ties())
@example((np.zeros(1), np.zeros((0, 1)), np.zeros(0), np.zeros(1)))
@example((np.ones(1), np.zeros((1, 1)), np.array([-1.0]), np.ones(1)))
@example((np.ones(2), np.ones((1, 2)), np.zeros(1), np.array([3.0, 0.0])))
def test_ties_of_every_kind(program: Program) -> None:
    assert same(ours(program), optimum(*program))


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1, 12), st.integers(1, 80))
def test_real_numbers(seed: int, m: int, n: int) -> None:
    program = confusers(np.random.default_rng(seed), m, n)
    assert same(ours(program), optimum(*program))


def best_corner(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> float:
    """The optimum is at a corner, where as many constraints hold with equality as there are variables."""
    n = len(value)
    planes, offsets = np.vstack([rows, np.eye(n), -np.eye(n)]), np.concatenate([limits, bounds, np.zeros(n)])
    best = -np.inf
    for chosen in map(list, combinations(range(len(planes)), n)):
        if abs(np.linalg.det(planes[chosen])) > 1e-9:
            corner = np.linalg.solve(planes[chosen], offsets[chosen])
            if (planes @ corner <= offsets + 1e-9).all():
                best = max(best, value @ corner)
    return best if best > -np.inf else float("nan")


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 3), st.integers(1, 3))
def test_every_corner_of_a_small_program(seed: int, m: int, n: int) -> None:
    random = np.random.default_rng(seed)
    value, rows = random.integers(-3, 4, n).astype(float), random.integers(-3, 4, (m, n)).astype(float)
    program = value, rows, random.integers(-4, 3, m).astype(float), random.integers(0, 3, n).astype(float)
    assert same(ours(program), best_corner(*program))


@settings(max_examples=50, deadline=None)
@given(seeds)
def test_no_matter_the_units(seed: int) -> None:
    """Rows and variables measured in other units, as powers of two, are the same program."""
    random = np.random.default_rng(seed)
    value, rows, limits, bounds = confusers(random, 4, 30)
    row_unit, unit = 2.0 ** random.integers(-20, 21, 4), 2.0 ** random.integers(-8, 9, 30)
    scaled = value * unit, rows * unit * row_unit[:, None], limits * row_unit, bounds / unit
    # Odd units may be too much for the simplex alone; HiGHS helps then.
    assert same(solve(*scaled).objective, ours((value, rows, limits, bounds)))


@pytest.mark.parametrize("limit", [-1e-6, -1e-9, 0.0, 1e-13, 1e-9])
def test_what_is_only_just_feasible(limit: float) -> None:
    """A row that only nothing at all can keep; HiGHS would let it be broken by 1e-7."""
    value, rows, bounds = np.ones(20), np.linspace(0.1, 2.0, 20)[None], np.full(20, 3.0)
    status, x = dual_simplex(value, rows, np.array([limit]), bounds, 100)
    assert status == (INFEASIBLE if limit < 0.0 else OPTIMAL)
    assert limit < 0.0 or value @ x <= limit / 0.1 + 1e-12


@pytest.mark.parametrize("room", [-1e-6, -1e-12, 0.0, 1e-12])
def test_a_row_that_takes_everything_to_keep(room: float) -> None:
    """The first row has as much room as stated once every variable does its utmost for it; rounding decides nothing."""
    random = np.random.default_rng(8)
    for _ in range(100):
        value, rows, limits, bounds = confusers(random, 3, 40)
        utmost = np.where(rows[0] < 0.0, bounds, 0.0)
        limits = np.array([rows[0] @ utmost + room, *(rows[1:] @ utmost + 1.0)])
        status, x = dual_simplex(value, rows, limits, bounds, 100)
        assert status == (INFEASIBLE if room < -1e-9 else OPTIMAL)
        assert status == INFEASIBLE or np.allclose(x, utmost, atol=1e-6)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11])
def test_rows_that_almost_contradict_one_another(gap: float) -> None:
    """Bases are as good as singular. An answer may then be missing, but none may be wrong."""
    random = np.random.default_rng(9)
    for _ in range(100):
        value, rows, _, bounds = confusers(random, 4, 15)
        inside = bounds * random.random(15)
        rows = np.vstack([rows, -rows + gap * random.normal(size=rows.shape)])
        program = value, rows, rows @ inside + gap, bounds
        status, x = dual_simplex(*program, 1000)
        assert status != INFEASIBLE
        assert status == OPTIMAL or gap < 1e-3
        if status == OPTIMAL:
            keeps(program, x)
            assert value @ x >= value @ inside - 1e-9


def test_the_same_point_by_many_rows() -> None:
    """Equations as pairs of rows: only one x is feasible, and rounding must not lose it."""
    random = np.random.default_rng(3)
    for _ in range(50):
        rows, x = random.normal(size=(6, 6)), random.random(6)
        both = np.vstack([rows, -rows]), np.concatenate([rows @ x, -rows @ x])
        solution = solve(random.normal(size=6), *both, np.ones(6))
        assert solution.status == "optimal"
        assert np.allclose(solution.x, x, atol=1e-7)


@pytest.mark.parametrize(("m", "n"), [(15, 30), (40, 60), (40, 150)])
def test_long_runs_without_progress_end(m: int, n: int) -> None:
    """Without values every step is a tie; the compiled solver still gets through, by itself."""
    random = np.random.default_rng(m + n)
    seen = set()
    for trial in range(10):
        rows = random.integers(-1, 2, (m, n)).astype(float)
        program = np.zeros(n), rows, random.integers(-2 - trial % 2, 3, m).astype(float), np.ones(n)
        status, x = dual_simplex(*program, 100 * m)
        assert status == (INFEASIBLE if np.isnan(optimum(*program)) else OPTIMAL)
        if status == OPTIMAL:
            keeps(program, x)
        seen.add(status)
    assert OPTIMAL in seen


def test_assignments() -> None:
    """Every row is an equation and every optimum degenerate."""
    random, k = np.random.default_rng(5), 6
    rows = np.vstack([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    for _ in range(10):
        program = random.integers(0, 4, k * k).astype(float), np.vstack([rows, -rows]), np.repeat([1.0, -1.0], 2 * k)
        assert same(ours((*program, np.ones(k * k))), optimum(*program, np.ones(k * k)))


def test_the_limit_of_steps() -> None:
    program = confusers(np.random.default_rng(0), 5, 60)
    assert dual_simplex(*program, 1)[0] == UNSOLVED
    assert dual_simplex(*program, 100)[0] == OPTIMAL


def test_what_the_dual_simplex_cannot_begin_is_left_to_highs() -> None:
    wide = np.array([np.inf, 2.0])
    program = np.ones(2), np.array([[2.0, 1.0]]), np.array([3.0]), wide
    assert dual_simplex(*program, 100)[0] == UNSOLVED
    assert solve(*program).objective == pytest.approx(2.5)
    assert solve(np.ones(2), [[2.0, 1.0], [0.0, 0.0]], [3.0, -1.0], wide).status == "infeasible"
    assert solve(np.ones(2), [[2.0, 1.0], [5.0, 5.0]], [3.0, np.inf], wide).objective == pytest.approx(2.5)
    with pytest.raises(ValueError, match="unbounded"):
        solve(np.ones(2), [[0.0, 1.0]], [3.0], wide)


def test_a_row_without_limit_is_none() -> None:
    assert solve([1.0], [[1.0]], [np.inf], [4.0]).objective == 4.0


def test_nothing_is_between_zero_and_less() -> None:
    assert solve([1.0], [[1.0]], [1.0], [-1.0]).status == "infeasible"


@pytest.mark.parametrize("place", range(4))
def test_not_a_number(place: int) -> None:
    program = [np.ones(2), np.ones((1, 2)), np.ones(1), np.ones(2)]
    program[place].flat[0] = np.nan
    with pytest.raises(ValueError, match=r".+"):
        solve(*program)


@pytest.mark.parametrize(
    "program",
    [
        ([1.0], [[1.0, 2.0]], [1.0], [1.0]),
        ([1.0], [[1.0]], [1.0, 2.0], [1.0]),
        ([1.0], [[1.0]], [1.0], [1.0, 1.0]),
        ([[1.0]], [[1.0]], [1.0], [[1.0]]),
        (1.0, 1.0, 1.0, 1.0),
    ],
)
def test_programs_of_no_shape(program: tuple[Any, Any, Any, Any]) -> None:
    with pytest.raises(ValueError, match="one value and one bound"):
        solve(*program)


def test_inputs_are_read_only() -> None:
    program = confusers(np.random.default_rng(1), 3, 20)
    before = [each.copy() for each in program]
    for each in program:
        each.setflags(write=False)
    ours(program)
    assert all((one == other).all() for one, other in zip(program, before, strict=True))


def blocks_of(random: np.random.Generator, count: int, depth: int, n: int) -> Program:
    """Blocks of rows for one document: values, blocks, their limits, bounds. Some blocks are infeasible."""
    value, rows, limits, bounds = confusers(random, count * depth, n)
    rows[random.random(count * depth) < 0.1] = 1.0
    return value, rows.reshape(count, depth, n), limits.reshape(count, depth), bounds


def grow_naively(program: Program, rows: Reals, row_limits: Reals, bonus: Reals, size: int, width: int) -> list[int]:
    value, blocks, limits, bounds = program
    chosen: list[int] = []
    while len(chosen) < size:
        worth: dict[int, float] = {}
        for block in set(range(len(blocks))) - set(chosen):
            taken = [*chosen, block]
            below = np.concatenate([row_limits, *limits[taken]])
            found = ours((value, np.vstack([rows, *blocks[taken]]), below, bounds))
            if len(worth) < width and not np.isnan(found):
                worth[block] = found + bonus[block]
        if not worth:
            break
        chosen.append(next(block for block, each in worth.items() if each >= max(worth.values()) - 1e-9))
    return chosen


@settings(max_examples=40, deadline=None)
@given(
    seeds,
    st.integers(0, 3),
    st.integers(1, 2),
    st.integers(1, 30),
    st.integers(1, 4),
    st.sampled_from([1, 3, 9]),
    st.booleans(),
)
def test_growing_takes_the_cheapest_each_time(
    seed: int, m: int, depth: int, n: int, size: int, width: int, prefers: bool
) -> None:
    random = np.random.default_rng(seed)
    value, blocks, limits, bounds = program = blocks_of(random, 7, depth, n)
    rows, row_limits, bonus = random.normal(size=(m, n)), random.normal(1.0, 1.0, m), random.random(7) * prefers
    count, chosen = grow(value, rows, row_limits, bounds, blocks, limits, bonus, size, width)
    expected = grow_naively(program, rows, row_limits, bonus, size, width)
    assert count == len(expected)
    assert chosen.tolist() == expected + [-1] * (size - count)


def test_growing_takes_the_first_of_equals() -> None:
    none, blocks, one = np.zeros((0, 3)), np.tile(np.ones((1, 1, 3)), (4, 1, 1)), np.ones((4, 1))

    def chosen(limits: Reals, bonus: Reals, size: int) -> list[int]:
        count, found = grow(np.ones(3), none, np.zeros(0), np.ones(3), blocks, limits, bonus, size, 4)
        return found[:count].tolist()

    assert chosen(one, np.zeros(4), 3) == [0, 1, 2]
    assert chosen(one, np.array([0.0, 0, 1, 0]), 2) == [2, 0]
    assert chosen(-one, np.zeros(4), 2) == []


@pytest.mark.slow
def test_as_many_as_a_planner_solves() -> None:
    """Long texts, many rows, and a few thousand programs: every answer is the compiled solver's own, and HiGHS's."""
    random = np.random.default_rng(11)
    for m, n, count in ((1, 60, 500), (4, 60, 500), (8, 150, 200), (40, 100, 60), (5, 3000, 40)):
        for _ in range(count):
            program = confusers(random, m, n)
            status, x = dual_simplex(*program, 100 * (m + 1))
            expected = optimum(*program)
            assert status == (INFEASIBLE if np.isnan(expected) else OPTIMAL)
            assert status == INFEASIBLE or same(program[0] @ x, expected)


@pytest.mark.slow
def test_compiled_functions_may_call_it() -> None:
    from numba import njit

    @njit
    def twice(value: Reals, rows: Reals, limits: Reals, bounds: Reals) -> float:
        _, one = dual_simplex(value, rows, limits, bounds, 100)
        _, other = dual_simplex(value, rows, limits + 1.0, bounds, 100)
        return one.sum() + other.sum()

    assert twice(np.ones(2), np.ones((1, 2)), np.zeros(1), np.ones(2)) == 1.0
