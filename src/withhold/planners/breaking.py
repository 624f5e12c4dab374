"""From inferences to the edits that break them, and from edits to the inferences that are left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from withhold.planners.covering import Program
from withhold.planners.edits import GENERALISE, LABEL, generalisation, merged, removal, written
from withhold.planners.overlaps import Gone
from withhold.planners.sparing import to_break
from withhold.spans import Span
from withhold.types import Edit, Inferences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from withhold.policy import Operators

    Flags = NDArray[np.bool_]

_PASSES = 10
_TINY = 1e-3
"""What a term is worth at least, and a more general word less than it, as a share: nothing goes for no reason."""


def exposure(inferences: Inferences, chosen: Sequence[Edit]) -> float:
    """The risk once these edits are made."""
    told = inferences.weights[_whole(inferences, _written(inferences, chosen))]
    if inferences.added:
        return inferences.floor + float(told.sum())
    return max(inferences.floor, float(told.max(initial=0.0)))


def broken(
    several: Sequence[tuple[Inferences, float]], chosen: Sequence[Edit], operators: Operators, seconds: float
) -> list[Edit]:
    """The edits, and those that bring every risk under its ceiling, as far as that can be had, for the least worth.

    What has to be broken in any case is broken at once, for all secrets; where some of it may stay, afterwards. A
    solver may take so many seconds for each of these; with none, search alone decides.
    """
    made = list(chosen)
    strict = [_strict(each, ceiling) for each, ceiling in several if not _spare(each, ceiling)]
    if strict:
        made = _break(_join(strict), made, operators, seconds)
    for each, ceiling in several:
        if spare := _spare(each, ceiling):
            open_, _ = _settled(each, made, _written(each, made))
            rows = to_break(open_, spare, seconds)
            asked = replace(each, sets=open_.sets[rows], weights=open_.weights[rows])
            made = _break(asked, made, operators, seconds)
    return made


def _left(inferences: Inferences, chosen: Sequence[Edit]) -> list[list[Span]]:
    return Gone(inferences.spans, (edit.span for edit in chosen)).left()


def _written(inferences: Inferences, chosen: Sequence[Edit]) -> Flags:
    """Which columns are written once these edits are made."""
    stands = [bool(spans) for spans in _left(inferences, chosen)]
    return np.array([*stands, *(written(inferences, chosen) > 0)], np.bool_)


def _spare(inferences: Inferences, ceiling: float) -> float:
    """How much weight of what can be broken may stay in all, where weights add up."""
    always = float(inferences.weights[(inferences.sets < 0).all(axis=1)].sum())
    return max(ceiling - inferences.floor - always, 0.0) if inferences.added else 0.0


def _strict(inferences: Inferences, ceiling: float) -> Inferences:
    """The rows that must not stay: where the largest is what counts, only those above the ceiling."""
    return inferences if inferences.added else _only(inferences, np.flatnonzero(inferences.weights > ceiling))


def suppressed(inferences: Inferences) -> Inferences:
    """The same where nothing more general may be written."""
    size = len(inferences.spans)
    rows = np.flatnonzero((inferences.sets < size).all(axis=1))
    return replace(_only(inferences, rows), worth=inferences.worth[:size], general=())


def _only(inferences: Inferences, rows: NDArray[np.int64]) -> Inferences:
    return replace(inferences, sets=inferences.sets[rows], weights=inferences.weights[rows])


def _whole(inferences: Inferences, written: Flags) -> Flags:
    """Which rows have all of their columns written."""
    return np.asarray(np.append(written, True)[inferences.sets].all(axis=1), np.bool_)


def _join(several: Sequence[Inferences]) -> Inferences:
    """All rows of all secrets over the same columns; terms that stand in the same places are the same."""
    if len(several) == 1:
        return several[0]
    terms: dict[tuple[Span, ...], int] = {}
    general: dict[tuple[int, str], int] = {}
    numbers = [[terms.setdefault(spans, len(terms)) for spans in each.spans] for each in several]
    for each, own in zip(several, numbers, strict=True):
        for term, text in each.general:
            general.setdefault((own[term], text), len(terms) + len(general))
    worth = np.zeros(len(terms) + len(general))
    width = max(each.sets.shape[1] for each in several)
    rows = []
    for each, own in zip(several, numbers, strict=True):
        places = np.array([*own, *(general[own[term], text] for term, text in each.general), -1], np.int64)
        np.maximum.at(worth, places[:-1], each.worth)
        filled = np.full((len(each.sets), width), -1, np.int64)
        filled[:, : each.sets.shape[1]] = places[each.sets]
        rows.append(filled)
    weights = np.concatenate([each.weights for each in several])
    return Inferences(tuple(terms), np.concatenate(rows), weights, worth, tuple(general))


def _break(inferences: Inferences, chosen: list[Edit], operators: Operators, seconds: float) -> list[Edit]:
    """The edits, and those that break every row.

    Where terms overlap, edits can take more than was decided. Then it is decided again with that as gone, and the best
    of what came of it is taken; the same if, for any reason, a row is still whole.
    """
    lost = np.zeros(len(inferences.worth), np.bool_)
    best, best_worth, start = chosen, -np.inf, chosen
    for _ in range(_PASSES):
        now = _written(inferences, start)
        if not _breakable(inferences, now).any():
            return start if best_worth < 0 else best
        settled, can_be = _settled(inferences, start, now, lost)
        kept = Program.of(settled).solve(seconds).kept & can_be
        made = _edits(inferences, start, kept, operators)
        then = _written(inferences, made)
        if _breakable(inferences, then).any():
            start = made
            continue
        if (worth := float(inferences.worth[then].sum())) > best_worth:
            best, best_worth = made, worth
        if not (kept & ~then).any():
            break
        lost |= kept & ~then
    return best if best_worth >= 0 else start


def _breakable(inferences: Inferences, written: Flags) -> Flags:
    return _whole(inferences, written) & (inferences.sets >= 0).any(axis=1)


def _settled(
    inferences: Inferences, chosen: Sequence[Edit], now: Flags, lost: Flags | None = None
) -> tuple[Inferences, Flags]:
    """The inferences that are still to be decided about, with what stands and no more, and which columns can be
    written: those of terms that stand, and more general words that are written already.
    """
    spans = _left(inferences, chosen)
    stands = np.array([bool(each) for each in spans], np.bool_)
    terms = np.array([*range(len(spans)), *(term for term, _ in inferences.general)], np.int64)
    can_be = stands[terms] | now
    if lost is not None:
        can_be &= ~lost
    worth = np.where(can_be, inferences.worth, 0.0)
    own = worth[: len(spans)] = np.maximum(worth[: len(spans)], _TINY * can_be[: len(spans)])
    general = slice(len(spans), None)
    limit = np.where(stands, own * (1.0 - _TINY), np.inf)[terms[general]]
    worth[general] = np.minimum(worth[general], limit)
    open_ = _only(inferences, np.flatnonzero(_breakable(inferences, can_be)))
    return replace(open_, spans=tuple(map(tuple, spans)), worth=worth), can_be


def _edits(inferences: Inferences, chosen: Sequence[Edit], kept: Flags, operators: Operators) -> list[Edit]:
    """The edits, and those after which nothing is written but what is kept.

    More general words come first. Then short terms go, and longer ones only where no term within them is gone already.
    """
    size, spans = len(inferences.spans), _left(inferences, chosen)
    unwanted: set[tuple[Span, str]] = set()
    made: list[Edit] = []
    for (term, text), is_kept in zip(inferences.general, kept[size:].tolist(), strict=True):
        if is_kept:
            made += [generalisation(span, text) for span in spans[term]]
        else:
            unwanted.update((span, text) for span in inferences.spans[term])
    settled = [removal(edit.span, operators) if _writes(edit, unwanted) else edit for edit in chosen]
    made = _joined([*settled, *made], operators)
    gone = Gone(inferences.spans, (edit.span for edit in made))
    left = gone.left()
    going = {span for term, is_kept in enumerate(kept[:size].tolist()) if not is_kept for span in left[term]}
    for span in sorted(going, key=lambda each: (len(each), each)):
        if not gone.holds(span):
            gone.add(span)
            made.append(removal(span, operators))
    return _joined(made, operators)


def _joined(several: Sequence[Edit], operators: Operators) -> list[Edit]:
    """Edits in order. What was found takes clues that overlap it with it; clues that overlap each other become one."""
    found = [edit for edit in several if edit.label != LABEL]
    clues = merged([edit for edit in several if edit.label == LABEL], operators)
    made: list[Edit] = []
    for edit in sorted([*found, *clues], key=lambda each: each.span):
        if made and edit.span.start < made[-1].span.end:
            kept = made[-1] if made[-1].label != LABEL else edit
            made[-1] = replace(kept, span=Span(made[-1].span.start, max(made[-1].span.end, edit.span.end)))
        else:
            made.append(edit)
    return made


def _writes(edit: Edit, unwanted: set[tuple[Span, str]]) -> bool:
    return edit.operator == GENERALISE and (edit.span, edit.replacement) in unwanted
