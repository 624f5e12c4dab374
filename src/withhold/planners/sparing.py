"""Which inferences to break where some may stay: those that what is worth least breaks."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from withhold.planners.highs import milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.types import Inferences

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_EPSILON = 1e-9


def to_break(inferences: Inferences, spare: float, seconds: float) -> Integers:
    """The rows to break, if rows of so much weight in all may stay: as HiGHS says if it answers in so many seconds with
    something better than greedy covering does.
    """
    rows = [[column for column in row if column >= 0] for row in inferences.sets.tolist()]
    worth = np.maximum(inferences.worth, 0.0)
    kept = _greedy(rows, inferences.weights, worth, len(inferences.spans), spare)
    if seconds > 0 and rows:
        better = _exact(inferences, rows, worth, spare, seconds)
        if better is not None and worth[better].sum() > worth[kept].sum() + _EPSILON:
            kept = better
    return np.array([number for number, row in enumerate(rows) if not all(kept[row])], np.int64)


def _greedy(rows: list[list[int]], weights: Reals, worth: Reals, terms: int, spare: float) -> Flags:
    """Of the terms, what breaks most weight for its worth goes, until enough is broken; then what can comes back."""
    rows_of: list[list[int]] = [[] for _ in worth]
    for number, row in enumerate(rows):
        for column in row:
            rows_of[column].append(number)
    kept, order = np.arange(len(worth)) < terms, []
    missing = np.array([np.count_nonzero(~kept[row]) for row in rows], np.int64)
    left = float(weights[missing == 0].sum())
    breaks = np.array([weights[several].sum() for several in rows_of])
    heap = [(worth[column] / breaks[column], column) for column in range(terms) if breaks[column] > 0]
    heapify(heap)
    while heap and left > spare:
        price, column = heappop(heap)
        breaks[column] = sum(weights[number] for number in rows_of[column] if not missing[number])
        if breaks[column] <= 0:
            continue
        if (now := worth[column] / breaks[column]) > price:
            heappush(heap, (now, column))
            continue
        left -= breaks[column]
        missing[rows_of[column]] += 1
        kept[column] = False
        order.append(column)
    for column in sorted(order, key=lambda each: (-worth[each], each)):
        back = sum(weights[number] for number in rows_of[column] if missing[number] == 1)
        if left + back <= spare:
            left += back
            missing[rows_of[column]] -= 1
            kept[column] = True
    return kept


def _exact(inferences: Inferences, rows: list[list[int]], worth: Reals, spare: float, seconds: float) -> Flags | None:
    """A row stays if all of its columns are written; what stays must not weigh more than is spared."""
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import csr_matrix

    size, terms = len(worth), len(inferences.spans)
    entries = [(number, column, 1.0) for number, row in enumerate(rows) for column in row]
    entries += [(number, size + number, -1.0) for number in range(len(rows))]
    entries += [(len(rows), size + number, float(weight)) for number, weight in enumerate(inferences.weights)]
    entries += [(len(rows) + 1 + term, term, 1.0) for term in range(terms)]
    entries += [(len(rows) + 1 + term, at, 1.0) for at, (term, _) in enumerate(inferences.general, terms)]
    row, column, data = zip(*entries, strict=True)
    matrix = csr_matrix((data, (row, column)), shape=(len(rows) + 1 + terms, size + len(rows)))
    limits = np.array([*(len(each) - 1.0 for each in rows), spare, *(1.0 for _ in range(terms))])
    answer = milp(
        np.concatenate([-worth, np.zeros(len(rows))]),
        integrality=np.concatenate([np.ones(size, np.int64), np.zeros(len(rows), np.int64)]),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if answer.x is None:
        return None
    kept: Flags = np.asarray(answer.x)[:size] > 0.5
    stays = sum(float(weight) for each, weight in zip(rows, inferences.weights, strict=True) if kept[each].all())
    return kept if stays <= spare else None
