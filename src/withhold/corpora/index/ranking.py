"""The best documents of many queries at once, compiled: BM25 over lists of documents.

All compiled code is in this one file, since numba looks for changes only in the file of the function it has cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Numbers = NDArray[np.int32]
    Whole = NDArray[np.int64]
    Compiled = TypeVar("Compiled", bound=Callable[..., Any])

    def compiled(function: Compiled) -> Compiled: ...

    def inner(function: Compiled) -> Compiled: ...

else:
    compiled = njit(cache=True, nogil=True, error_model="numpy")
    inner = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


@inner
def _offer(document: int, score: float, documents: Numbers, scores: Reals, filled: int) -> int:
    """Put a document in its place among the best so far: by score, and of equal ones by number."""
    depth = len(documents)
    if filled == depth:
        worst = scores[depth - 1]
        if score < worst or (score == worst and document > documents[depth - 1]):
            return filled
        filled -= 1
    at = filled
    while at and (scores[at - 1] < score or (scores[at - 1] == score and documents[at - 1] > document)):
        scores[at], documents[at] = scores[at - 1], documents[at - 1]
        at -= 1
    scores[at], documents[at] = score, document
    return filled + 1


@inner
def _seek(documents: Numbers, wanted: int, start: int, end: int) -> int:
    """The first place from `start` on whose document is not before the wanted one."""
    step = 1
    low = start
    while low + step < end and documents[low + step] < wanted:
        low += step
        step *= 2
    high = min(low + step, end)
    while low < high:
        middle = (low + high) // 2
        if documents[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def best_of_all(
    starts: Whole,
    documents: Numbers,
    parts: Reals,
    set_starts: Whole,
    set_terms: Numbers,
    order: Whole,
    size: int,
    depth: int,
) -> tuple[Numbers, Reals]:
    """For each set, the best documents that hold all of its terms.

    Term t is held by `documents[starts[t] : starts[t + 1]]`, and adds `parts` there. The most frequent term of a set is
    laid out over all documents, once for all sets of `order` in a row that have the same; the rarest is gone through.
    """
    found = np.full((len(order), depth), -1, np.int32)
    scores = np.zeros((len(order), depth))
    laid = np.zeros(size, np.int64)
    spread = -1
    for number in order:
        terms = set_terms[set_starts[number] : set_starts[number + 1]]
        if not len(terms):
            continue
        lengths = starts[terms + 1] - starts[terms]
        common = int(np.argmax(lengths))
        if terms[common] != spread:
            if spread >= 0:
                laid[documents[starts[spread] : starts[spread + 1]]] = 0
            spread = terms[common]
            for at in range(starts[spread], starts[spread + 1]):
                laid[documents[at]] = at + 1
        _meet(starts, documents, parts, terms, int(np.argmin(lengths)), common, laid, found[number], scores[number])
    return found, scores


@inner
def _meet(
    starts: Whole,
    documents: Numbers,
    parts: Reals,
    terms: Numbers,
    rare: int,
    common: int,
    laid: Whole,
    found: Numbers,
    scores: Reals,
) -> None:
    """Go through the documents of the rarest term, and offer those that hold the others too."""
    filled = 0
    places = starts[terms]
    for at in range(starts[terms[rare]], starts[terms[rare] + 1]):
        document = documents[at]
        if not laid[document]:
            continue
        score, met = 0.0, True
        for each in range(len(terms)):
            if each == rare:
                score += parts[at]
            elif each == common:
                score += parts[laid[document] - 1]
            else:
                end = starts[terms[each] + 1]
                place = _seek(documents, document, places[each], end)
                places[each] = place
                if place == end or documents[place] != document:
                    met = False
                    break
                score += parts[place]
        if met:
            filled = _offer(document, score, found, scores, filled)


@compiled
def best_of_any(
    starts: Whole,
    documents: Numbers,
    parts: Reals,
    set_starts: Whole,
    set_terms: Numbers,
    order: Whole,
    size: int,
    depth: int,
) -> tuple[Numbers, Reals]:
    """For each set, the best documents that hold any of its terms.

    The most frequent term of a set is laid out as in `best_of_all`. Of the documents that hold no other term of the set
    no more are looked at than there is room for, once they are sorted, which pays if a second set needs them.
    """
    found = np.full((len(order), depth), -1, np.int32)
    scores = np.zeros((len(order), depth))
    laid = np.zeros(size, np.int64)
    sums = np.zeros(size)
    touched = np.empty(size, np.int32)
    spread, uses = -1, 0
    ranked = np.empty(0, np.int64)
    for number in order:
        terms = set_terms[set_starts[number] : set_starts[number + 1]]
        if not len(terms):
            continue
        common = int(np.argmax(starts[terms + 1] - starts[terms]))
        uses += 1
        if terms[common] != spread:
            if spread >= 0:
                laid[documents[starts[spread] : starts[spread + 1]]] = 0
            spread, uses = terms[common], 0
            for at in range(starts[spread], starts[spread + 1]):
                laid[documents[at]] = at + 1
        if uses == 1:
            ranked = np.argsort(-parts[starts[spread] : starts[spread + 1]], kind="mergesort")
        count = _add_up(starts, documents, parts, terms, common, laid, sums, touched)
        filled = 0
        for at in range(count):
            filled = _offer(touched[at], sums[touched[at]], found[number], scores[number], filled)
        room = depth
        for at in range(starts[spread], starts[spread + 1]):
            place = at if not uses else starts[spread] + ranked[at - starts[spread]]
            if sums[documents[place]] == 0.0:
                filled = _offer(documents[place], parts[place], found[number], scores[number], filled)
                room -= 1
                if uses and not room:
                    break
        sums[touched[:count]] = 0.0
    return found, scores


@inner
def _add_up(
    starts: Whole,
    documents: Numbers,
    parts: Reals,
    terms: Numbers,
    common: int,
    laid: Whole,
    sums: Reals,
    touched: Numbers,
) -> int:
    """Score the documents that hold a term besides the most frequent one; how many there are. Terms are added in their
    order, so that equal documents have equal scores.
    """
    count = 0
    for each in range(len(terms)):
        if each == common:
            for at in range(count):
                if laid[touched[at]]:
                    sums[touched[at]] += parts[laid[touched[at]] - 1]
            continue
        for at in range(starts[terms[each]], starts[terms[each] + 1]):
            document = documents[at]
            if sums[document] == 0.0:
                touched[count] = document
                count += 1
                if each > common and laid[document]:
                    sums[document] = parts[laid[document] - 1]
            sums[document] += parts[at]
    return count


@compiled
def count_runs(stream: Numbers, starts: Whole, stops: Whole, run: Numbers) -> Numbers:
    """How often each stretch of the stream holds a run of two words or more.

    The first two words are looked for at many places at once, which needs a loop without branches.
    """
    counts = np.zeros(len(starts), np.int32)
    first, second = run[0], run[1]
    for number in range(len(starts)):
        stretch = stream[starts[number] : stops[number]]
        count = np.int32(0)
        for at in range(len(stretch) - 1):
            count += np.int32(stretch[at] == first) & np.int32(stretch[at + 1] == second)
        if count and len(run) > 2:
            count = np.int32(_count_run(stretch, run))
        counts[number] = count
    return counts


@inner
def _count_run(stretch: Numbers, run: Numbers) -> int:
    count = 0
    for at in range(len(stretch) - len(run) + 1):
        step = 0
        while step < len(run) and stretch[at + step] == run[step]:
            step += 1
        count += step == len(run)
    return count
