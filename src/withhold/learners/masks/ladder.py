"""A ladder of readers against whom the types of masks are hidden: each has learnt from what those below left.

Whoever removes the words by which one reader tells types only teaches the next reader to go by others. So the ladder
takes a little (`STEP`), lets readers learn anew from what is left, and takes a little more. A new document is defended
rung by rung by readers who have never seen it, from knowledge of its true types, which its owner has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.masks.ladder_pages import MARKED, Around, Gaps, General, Lexicon, Pages, variants
from withhold.learners.masks.ladder_readers import MeaningReader, Reader, Views, WordReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.learners.masks.cases import Masked

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

STEP = 0.0125
"""The share of all words that one rung takes."""

_FOLDS = 4
_SAME = 1e-6
_SHARPNESS = 3.0
_APART = 4
_LOUD = 0.3
"""Of words within so many tokens of each other one goes at a time, since they may tell the same; unless they tell so
much.
"""
_FREE = 0.5
"""What taking a stretch without words costs, in words."""

_SURE = 2.6
"""What closing a gap gains counts so many times: it holds for every reader, not for those of the ladder alone."""
_CERTAIN = 1.0
"""What closing a gap makes certain counts so many times: that more are wrong, whatever they read."""
_SUMMED = ("values", "closing", "certain")
READERS: tuple[type[Reader], ...] = (WordReader, MeaningReader)
Rung = tuple[Reader, ...]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, repr=False)
class Gains:
    """What each change would lower the readers' belief in the true types by, summed over the masks it is near. Rows are
    tokens; column 0 is for removing one, the others for what may stand in its place. `closing` is for removing all
    that is between two marks, which are one then: no reader can tell apart what it hides. `certain` is by how many
    masks fewer anybody is right then who takes all that is in a mark for the commonest type in it.
    """

    values: Reals
    options: Integers
    closing: Reals
    certain: Reals
    gaps: Gaps

    @property
    def rates(self) -> Reals:
        """What each token gains that goes, or gives way, alone or with the stretch it is in, a word."""
        rates = self.best[0].copy()
        for first, end, rate in zip(self.gaps.first, self.gaps.end, self.closing_rates, strict=True):
            rates[first:end] = np.maximum(rates[first:end], rate)
        return rates

    @property
    def closing_rates(self) -> Reals:
        gain = _SURE * self.closing + _CERTAIN * self.certain
        rates: Reals = gain / np.maximum(self.gaps.cost, _FREE)
        return rates

    @property
    def best(self) -> tuple[Reals, Integers]:
        """For each token the most that a change gains, and which change that is."""
        chosen = self.values.argmax(axis=1)
        return self.values[np.arange(len(chosen)), chosen], chosen


@dataclass(frozen=True, eq=False)
class Ladder:
    """`kinds` are the types, `rungs` the readers of each step; after the last has been used, it is used again."""

    kinds: tuple[str, ...]
    rungs: tuple[Rung, ...] = field(repr=False)
    step: float = STEP

    def rung(self, changed: float) -> Rung:
        """The readers to reckon with once this share of the words is changed."""
        return self.rungs[min(int(changed / self.step + _SAME), len(self.rungs) - 1)]

    def defend(self, documents: Sequence[Masked], kept: float, general: General | None = None) -> list[Masked]:
        """The documents with the most telling words marked, or more `general` ones in their place, so that this share
        of all their other words is left as it is; and marks that have nothing between them as one.
        """
        lexicon = Lexicon(general)
        pages, views = Pages.of(documents, self.kinds, lexicon), Views(lexicon)
        for share in _shares(kept, self.step):
            changed = 1 - share[0]
            pages = taken(pages, gains(pages, views, self.rung(changed)), share[1])
        return pages.defended()


def _shares(kept: float, step: float) -> list[tuple[float, float]]:
    """The shares of words kept before and after each step on the way down."""
    steps = int(np.ceil(round((1 - kept) / step, 6)))
    return [(1 - number * step, max(1 - (number + 1) * step, kept)) for number in range(steps)]


def fit(
    documents: Sequence[Masked],
    *,
    kinds: Sequence[str],
    least: float = 0.8,
    general: General | None = None,
    step: float = STEP,
    progress: Progress | None = None,
) -> Ladder:
    """Learn readers of documents that are defended ever more, until only the share `least` of their words is kept."""
    rungs: list[Rung] = []
    shares = _shares(least, step)
    for pages, views in climb(documents, kinds=kinds, least=least, general=general, step=step):
        if len(rungs) < len(shares):
            rungs.append(learnt(pages, views, np.arange(len(pages.masks)), len(kinds)))
        if progress is not None:
            progress(len(rungs), len(shares))
    return Ladder(tuple(kinds), tuple(rungs), step)


def together(
    documents: Sequence[Masked],
    *,
    kinds: Sequence[str],
    kept: Sequence[float],
    folds: Sequence[int] | None = None,
    general: General | None = None,
    step: float = STEP,
) -> dict[float, list[Masked]]:
    """The documents of a collection, defended together: for each share of words to be kept, as they then are."""
    levels = climb(documents, kinds=kinds, least=min(kept), folds=folds, general=general, step=step)
    shares = [1.0, *(after for _, after in _shares(min(kept), step))]
    found = {share: pages.defended() for share, (pages, _) in zip(shares, levels, strict=True) if _among(share, kept)}
    return {share: next(made for at, made in found.items() if abs(at - share) < _SAME) for share in kept}


def _among(share: float, kept: Sequence[float]) -> bool:
    return any(abs(share - each) < _SAME for each in kept)


def climb(
    documents: Sequence[Masked],
    *,
    kinds: Sequence[str],
    least: float,
    folds: Sequence[int] | None = None,
    general: General | None = None,
    step: float = STEP,
) -> Iterator[tuple[Pages, Views]]:
    """The documents as they are, and after each step on the way down to the share `least` of their words.

    What goes from a document is told by readers who have learnt from those of other folds, as these are by then.
    """
    lexicon = Lexicon(general)
    pages, views = Pages.of(documents, kinds, lexicon), Views(lexicon)
    fold = np.arange(len(documents)) % _FOLDS if folds is None else np.asarray(folds)
    own = fold[pages.document[pages.masks]]
    yield pages, views
    for _, after in _shares(least, step):
        found = []
        for part in np.unique(own).tolist():
            rung = learnt(pages, views, np.flatnonzero(own != part), len(kinds))
            found.append(gains(pages, views, rung, np.flatnonzero(own == part)))
        sums = {sort: np.sum([getattr(each, sort) for each in found], axis=0) for sort in _SUMMED}
        pages = taken(pages, replace(found[0], **sums), after)
        yield pages, views


def learnt(pages: Pages, views: Views, masks: Integers, kinds: int) -> Rung:
    """Readers of those of these masks that are of a known type, as they stand now."""
    masks = masks[pages.types[masks] >= 0]
    around = pages.around().rows(masks)
    return tuple(reader().fit(views, around, pages.types[masks], kinds) for reader in READERS)


def belief(views: Views, rung: Rung, around: Around, types: Integers) -> Reals:
    """How much the readers believe, on average, in the true type of each mask."""
    rows = np.arange(len(types))
    return np.asarray(np.mean([told[rows, types] for told in _beliefs(views, rung, around)], axis=0))


def _beliefs(views: Views, rung: Rung, around: Around) -> Iterator[Reals]:
    for reader in rung:
        scores = reader.scores(views, around) * _SHARPNESS
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        yield odds / odds.sum(axis=1, keepdims=True)


def guesses(views: Views, rung: Rung, around: Around) -> Integers:
    """The type that the readers together hold for the likeliest, for each mask."""
    told: Integers = np.sum(list(_beliefs(views, rung, around)), axis=0).argmax(axis=1)
    return told


def gains(pages: Pages, views: Views, rung: Rung, masks: Integers | None = None) -> Gains:
    """What every change of a word near these masks, or near any, would gain, and every stretch between two of them."""
    around = pages.around()
    options = pages.lexicon.options
    chosen = np.zeros(len(pages.masks), np.bool_)
    chosen[np.arange(len(pages.masks)) if masks is None else masks] = True
    chosen &= pages.types >= 0
    numbers = np.flatnonzero(chosen)
    before = np.zeros(len(pages.masks))
    before[numbers] = belief(views, rung, around.rows(numbers), pages.types[numbers])
    values = np.zeros((len(pages.tokens), 1 + options.shape[1]))
    for each in variants(pages, around, options):
        rows = np.flatnonzero(chosen[each.masks])
        if len(rows):
            own = each.masks[rows]
            after = belief(views, rung, each.around.rows(rows), pages.types[own])
            np.add.at(values[:, each.option], each.places[rows], before[own] - after)
    gaps = pages.gaps()
    closing, (between, own) = np.zeros(len(gaps)), gaps.entities()
    between, own = between[chosen[own]], own[chosen[own]]
    if len(own):
        after = belief(views, rung, gaps.around(around, between), pages.types[own])
        np.add.at(closing, between, before[own] - after)
    return Gains(values, options, closing, gaps.confused(pages.types, chosen).astype(np.float64), gaps)


def taken(pages: Pages, found: Gains, kept: float) -> Pages:
    """The pages with what gains most for each word changed, until this share of their words is as it was."""
    gain, change = found.best
    rates = np.concatenate([gain, found.closing_rates])
    changed, gaps = pages.changed, found.gaps
    left = round((1 - kept) * pages.words) - pages.lost
    gone, now = pages.gone.copy(), pages.now.copy()
    near: set[int] = set()
    joined: set[int] = set()
    for number in np.argsort(-rates, kind="stable").tolist():
        if left <= 0 or rates[number] <= 0:
            break
        gap = number - len(gain)
        first, end = (gaps.first[gap], gaps.end[gap]) if gap >= 0 else (number, number + 1)
        around = set(range(first // _APART, (end - 1) // _APART + 1))
        if around & near and rates[number] < _LOUD:
            continue
        if gap < 0:
            left -= not changed[number]
            if change[number] == 0:
                gone[number] = True
            else:
                now[number] = found.options[pages.tokens[number], change[number] - 1]
        elif gaps.cost[gap] <= left and joined.isdisjoint(marks := (gaps.before[gap], gaps.before[gap] + 1)):
            left -= int(gaps.cost[gap])
            gone[first:end] |= pages.tokens[first:end] != MARKED
            joined.update(marks)
        near |= around
    return replace(pages, gone=gone, now=now)
