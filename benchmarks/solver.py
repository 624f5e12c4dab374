"""The linear-program solver against HiGHS: speed, and whether the answers agree.

    python benchmarks/solver.py [--programs N] [--json]

Programs are shaped like a planner's: a document's words may be kept up to as often as they occur, and k - 1 other
classes must become more likely than its own under a multinomial Naive Bayes model with random word distributions.
Everything runs on one thread; highspy gets its models ready-made. Read the ratios: times depend on the machine.

HiGHS lets a row be broken by 1e-7, the solver by 1e-12 of the row's size. A second set of programs is made so that
this matters. Wherever the two disagree, exact rational arithmetic decides who is right.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import highspy
import numpy as np
from numba import njit
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog

from withhold.planners import simplex

Reals = NDArray[np.float64]

CLASSES, WORDS, SEED = 60, 8000, 7
MARGIN = 1e-6
KS = (2, 3, 4, 5)
TIMED, TIMED_SLOWLY, GROWN, REPEATS = 400, 40, 40, 8
WIDTH = 12
STEPS = 1000


class Program(NamedTuple):
    value: Reals
    rows: Reals
    limits: Reals
    bounds: Reals


class Model:
    """A multinomial Naive Bayes model over words whose frequencies follow Zipf's law, tilted in each class."""

    def __init__(self, random: np.random.Generator) -> None:
        frequencies = np.exp(random.normal(0.0, 0.5, (CLASSES, WORDS))) / np.arange(3, WORDS + 3) ** 1.05
        self.frequencies = frequencies / frequencies.sum(1, keepdims=True)
        self.log_likelihood = np.log(self.frequencies)
        self.log_prior = np.log(random.dirichlet(np.full(CLASSES, 0.5)))
        self.log_odds = random.normal(0.0, 1.0, WORDS)

    def problem(self, random: np.random.Generator) -> tuple[Reals, Reals, Reals, Reals]:
        """One document: what its words are worth, a row and a limit for each other class by likelihood, and counts."""
        own = int(random.integers(CLASSES))
        length = int(np.clip(random.lognormal(4.4, 0.6), 8, 2000))
        counts = random.multinomial(length, self.frequencies[own])
        words = np.flatnonzero(counts)
        bounds = counts[words].astype(float)
        value = random.choice([0.0, 0.3, 1.0]) * self.log_odds[words]
        value += 1.0 - (value.any() * 0.3)
        scores = self.log_likelihood[:, words] @ bounds + self.log_prior
        others = np.argsort(-scores)
        others = others[others != own]
        rows = self.log_likelihood[own, words] - self.log_likelihood[others][:, words]
        limits = self.log_prior[others] - self.log_prior[own] - MARGIN
        return value, rows, limits, bounds

    def programs(self, k: int, count: int, random: np.random.Generator) -> Iterator[Program]:
        """Confusers chosen at random, half of the time among the likeliest classes, which are cheap and feasible."""
        for _ in range(count):
            value, rows, limits, bounds = self.problem(random)
            chosen = random.choice(random.choice([12, CLASSES - 1]), k - 1, replace=False)
            yield Program(value, rows[chosen], limits[chosen], bounds)

    def borderline(self, k: int, count: int, random: np.random.Generator) -> Iterator[Program]:
        """The first row can only just be kept, or only just not."""
        for program in self.programs(k, count, random):
            lowest = np.minimum(program.rows[0], 0.0) @ program.bounds
            limits = program.limits.copy()
            limits[0] = lowest + random.choice([-1e-6, -1e-8, -1e-10, -1e-12, 0.0, 1e-12, 1e-8])
            yield program._replace(limits=limits)


class Highs:
    """HiGHS without a wrapper: one object, each program passed as a new model."""

    def __init__(self) -> None:
        self.highs = highspy.Highs()
        for option, setting in (("output_flag", False), ("presolve", "off"), ("threads", 1)):
            self.highs.setOptionValue(option, setting)

    @staticmethod
    def model(program: Program) -> Any:
        m, n = program.rows.shape
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = n, m
        model.col_cost_, model.col_lower_, model.col_upper_ = -program.value, np.zeros(n), program.bounds
        model.row_lower_, model.row_upper_ = np.full(m, -highspy.kHighsInf), program.limits
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.arange(0, m * n + 1, n)
        model.a_matrix_.index_ = np.tile(np.arange(n), m)
        model.a_matrix_.value_ = program.rows.ravel()
        return model

    def solve(self, model: Any) -> float:
        """The optimum; not a number if there is none."""
        self.highs.passModel(model)
        self.highs.run()
        status = self.highs.getModelStatus()
        if status == highspy.HighsModelStatus.kOptimal:
            return -float(self.highs.getInfo().objective_function_value)
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            return float("nan")
        raise SystemExit(f"HiGHS: {status}")


@njit
def in_batch(values: Reals, rows: Reals, limits: Reals, bounds: Reals, ends: NDArray[np.int64]) -> float:
    """Many programs of equally many rows, laid end to end."""
    total, start, m = 0.0, 0, limits.shape[1]
    for number in range(len(ends)):
        end = ends[number]
        table = rows[start * m : end * m].reshape((m, end - start))
        status, x = simplex.dual_simplex(values[start:end], table, limits[number], bounds[start:end], STEPS)
        if status == simplex.OPTIMAL:
            total += x.sum()
        start = end
    return total


def batch(programs: Sequence[Program]) -> Callable[[], object]:
    values, bounds = (np.concatenate(each) for each in zip(*((p.value, p.bounds) for p in programs), strict=True))
    rows = np.concatenate([program.rows.ravel() for program in programs])
    limits = np.array([program.limits for program in programs])
    ends = np.cumsum([len(program.value) for program in programs])
    return lambda: in_batch(values, rows, limits, bounds, ends)


def each(work: Callable[..., object], programs: Iterable[Iterable[Any]]) -> Callable[[], object]:
    def run() -> None:
        for program in programs:
            work(*program)

    return run


def microseconds(works: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Processor time for one of as many as each work does, in the best of several rounds.

    They take turns, so that a busy machine is as bad for each; the first round, which may compile, does not count.
    """
    best = dict.fromkeys(works, float("inf"))
    for number in range(REPEATS + 1):
        for name, (work, count) in works.items():
            start = time.process_time()
            work()
            if number:
                best[name] = min(best[name], (time.process_time() - start) / count * 1e6)
    return best


def wrapped(program: Program) -> Any:
    box = np.column_stack([np.zeros_like(program.bounds), program.bounds])
    return linprog(-program.value, program.rows, program.limits, bounds=box, method="highs")


def speed(model: Model, random: np.random.Generator) -> list[dict[str, float]]:
    found = []
    for k in KS:
        programs = list(model.programs(k, TIMED, random))
        highs = Highs()
        models = [(highs.model(program),) for program in programs]
        slow = [(program,) for program in programs[:TIMED_SLOWLY]]
        times = microseconds(
            {
                "linprog": (each(wrapped, slow), len(slow)),
                "highspy": (each(highs.solve, models), TIMED),
                "solve": (each(simplex.solve, programs), TIMED),
                "dual_simplex": (each(lambda *program: simplex.dual_simplex(*program, STEPS), programs), TIMED),
                "batch": (batch(programs), TIMED),
            }
        )
        words = float(np.mean([len(program.value) for program in programs]))
        found.append({"k": k, "words": words, **times})
    return found


def growth(model: Model, random: np.random.Generator) -> dict[str, float]:
    """Growing sets of four confusers: at once, and program by program."""
    problems = [model.problem(random) for _ in range(GROWN)]
    blocks = [
        (v, np.zeros((0, len(v))), np.zeros(0), b, np.ascontiguousarray(r[:, None]), li[:, None].copy())
        for v, r, li, b in problems
    ]
    bonus, size = np.zeros(CLASSES - 1), max(KS) - 1
    times = microseconds(
        {
            "grow": (each(lambda *block: simplex.grow(*block, bonus, size, WIDTH), blocks), GROWN),
            "one by one": (each(lambda *problem: grow_slowly(*problem, size), problems), GROWN),
        }
    )
    same = [
        list(simplex.grow(*b, bonus, size, WIDTH)[1]) == grow_slowly(*p, size)
        for b, p in zip(blocks, problems, strict=True)
    ]
    return {**times, "same": float(np.mean(same))}


def grow_slowly(value: Reals, rows: Reals, limits: Reals, bounds: Reals, size: int) -> list[int]:
    chosen: list[int] = []
    while len(chosen) < size:
        optima: dict[int, float] = {}
        for block in range(len(rows)):
            if block in chosen or len(optima) >= WIDTH:
                continue
            status, x = simplex.dual_simplex(value, rows[[*chosen, block]], limits[[*chosen, block]], bounds, STEPS)
            if status == simplex.OPTIMAL:
                optima[block] = value @ x
        if not optima:
            break
        highest = max(optima.values())
        chosen.append(next(block for block, worth in optima.items() if worth >= highest - 1e-9))
    return chosen + [-1] * (size - len(chosen))


def agreement(programs: Iterable[Program]) -> dict[str, float]:
    """How often the two agree, and who is right where they differ in status."""
    outcomes = ("programs", "infeasible", "unsolved", "other status", "we are right", "HiGHS is right", "undecided")
    counts = dict.fromkeys(outcomes, 0)
    largest, highs = 0.0, Highs()
    for program in programs:
        counts["programs"] += 1
        status, x = simplex.dual_simplex(*program, STEPS)
        theirs = highs.solve(highs.model(program))
        counts["infeasible"] += bool(np.isnan(theirs))
        if status == simplex.UNSOLVED:
            counts["unsolved"] += 1
        elif (status == simplex.INFEASIBLE) != np.isnan(theirs):
            counts["other status"] += 1
            feasible = is_feasible(program)
            if feasible is None:
                counts["undecided"] += 1
            else:
                counts["we are right" if feasible == (status == simplex.OPTIMAL) else "HiGHS is right"] += 1
        elif status == simplex.OPTIMAL:
            largest = max(largest, float(abs(program.value @ x - theirs)) / max(1.0, abs(theirs)))
    return {**counts, "largest relative difference": largest}


def is_feasible(program: Program) -> bool | None:
    """By exact arithmetic; None if neither side can be shown.

    The least t with rows @ x <= limits + t lies below the largest violation of any x within its bounds, and above
    what any multipliers that add up to one prove. Good candidates for both come from solving for t in floating point.
    """
    m, n = program.rows.shape
    cost = np.append(np.zeros(n), 1.0)
    box = [*((0.0, bound) for bound in program.bounds), (None, None)]
    found = linprog(cost, np.column_stack([program.rows, np.full(m, -1.0)]), program.limits, bounds=box)
    rows = [[Fraction(entry) for entry in row] for row in program.rows.tolist()]
    limits, bounds = ([Fraction(each) for each in array.tolist()] for array in (program.limits, program.bounds))
    x = [min(max(Fraction(each), Fraction(0)), bound) for each, bound in zip(found.x[:n].tolist(), bounds, strict=True)]
    if all(sum(a * b for a, b in zip(row, x, strict=True)) <= limit for row, limit in zip(rows, limits, strict=True)):
        return True
    prices = [max(Fraction(-each), Fraction(0)) for each in found.ineqlin.marginals.tolist()]
    least = -sum(price * limit for price, limit in zip(prices, limits, strict=True))
    for j, bound in enumerate(bounds):
        least += min(sum(price * row[j] for price, row in zip(prices, rows, strict=True)), Fraction(0)) * bound
    return False if least > 0 else None


def measure(programs: int) -> dict[str, Any]:
    random = np.random.default_rng(SEED)
    model = Model(random)
    share = -(-programs // len(KS))
    return {
        "speed": speed(model, random),
        "growth": growth(model, random),
        "agreement": agreement(program for k in KS for program in model.programs(k, share, random)),
        "borderline": agreement(program for k in KS for program in model.borderline(k, share // 10, random)),
    }


def show(found: dict[str, Any]) -> None:
    console = Console()
    times = ["linprog", "highspy", "solve", "dual_simplex", "batch"]
    ratios = [("linprog", "solve"), ("linprog", "dual_simplex"), ("highspy", "dual_simplex"), ("highspy", "batch")]
    table = Table("k", "words", *times, title="Microseconds for a program")
    ratio_table = Table("k", *(f"{peer} / {ours}" for peer, ours in ratios), title="Times as fast")
    for row in found["speed"]:
        table.add_row(str(row["k"]), f"{row['words']:.0f}", *(f"{row[solver]:.1f}" for solver in times))
        ratio_table.add_row(str(row["k"]), *(f"{row[peer] / row[ours]:.0f}" for peer, ours in ratios))
    console.print(table, ratio_table)
    grown = found["growth"]
    console.print(
        f"Growing a set of {max(KS) - 1} of {CLASSES - 1} classes, {WIDTH} tried each time: {grown['grow']:.0f} "
        f"microseconds, program by program {grown['one by one']:.0f}; the same set in {grown['same']:.0%}"
    )
    table = Table("answers compared with HiGHS", "programs", "borderline", title="Agreement")
    for name, value in found["agreement"].items():
        table.add_row(
            name,
            *(f"{each:.2g}" if isinstance(each, float) else str(each) for each in (value, found["borderline"][name])),
        )
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=10_000, help="how many to compare the answers of")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    arguments = parser.parse_args()
    measured = measure(arguments.programs)
    print(json.dumps(measured, indent=2)) if arguments.json else show(measured)
