"""Masked documents as arrays: what stands around every mask, and what would stand there if a word went or changed.

Words are numbers, and a mask's surroundings two rows of them, so that the effect of removing any word near any mask is
worked out for all masks at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.masks.cases import MARK, Masked
from withhold.text import WORD, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

WIDTH = 12
"""So many words and signs on each side of a mark are read."""

NEAR = 5
"""Of those, so many on each side may be removed on account of the mark."""

ACROSS = 8
"""What stands between two marks may go altogether if it is no more words than this."""

MARKED, BEGIN, END = 0, 1, 2
"""The numbers of a mark, of what is before a document, and of what is after it."""

_OPTIONS = 3
_LINES = 6
_TENTHS, _FIRST, _PACE = 10, 20, 10
"""Where in its document a mark stands: in which tenth, and, near its beginning, after how many times ten tokens."""

General = Callable[[str], Sequence[str]]
"""What may stand in place of a folded word."""


class Lexicon:
    """Tokens by number, and what may stand in place of each: tokens again."""

    def __init__(self, general: General | None = None) -> None:
        self.tokens: list[str] = []
        self._numbers: dict[str, int] = {}
        self._general = general
        self._offered: list[tuple[int, ...]] = []
        for token in (MARK, "", "\n"):
            self.number(token)

    def __repr__(self) -> str:
        return f"Lexicon(tokens={len(self.tokens)})"

    def number(self, token: str) -> int:
        found = self._numbers.setdefault(token, len(self.tokens))
        if found == len(self.tokens):
            self.tokens.append(token)
        return found

    @property
    def options(self) -> Integers:
        """One row for each token that was known when this was first asked: what may stand in its place, or -1."""
        table = np.full((len(self.tokens), _OPTIONS), -1, np.int64)
        if self._general is None:
            return table
        for token in self.tokens[len(self._offered) :]:
            self._offered.append(tuple(self.number(text) for text in self._general_words(token)))
        table = np.full((len(self.tokens), _OPTIONS), -1, np.int64)
        for row, offered in enumerate(self._offered):
            table[row, : len(offered)] = offered
        return table

    def _general_words(self, token: str) -> list[str]:
        if self._general is None or not WORD.fullmatch(token) or token.isdigit():
            return []
        word = fold(token).text
        single = [text for text in self._general(word) if WORD.fullmatch(text) and text != word]
        return [_written_like(token, text) for text in dict.fromkeys(single)][:_OPTIONS]


def _written_like(token: str, text: str) -> str:
    if len(token) > 1 and token.isupper():
        return text.upper()
    return text.capitalize() if token[0].isupper() else text


@dataclass(frozen=True, eq=False, repr=False)
class Pages:
    """Documents one after the other. `tokens` are those of the documents, `now` what stands there; `gone` is what was
    removed. `masks` are the places of the marks of entities, `types` the numbers of their types.
    """

    lexicon: Lexicon
    documents: tuple[Masked, ...]
    tokens: Integers
    now: Integers
    gone: Flags
    is_word: Flags
    is_line: Flags
    document: Integers
    starts: Integers
    masks: Integers
    types: Integers

    @classmethod
    def of(cls, documents: Sequence[Masked], kinds: Sequence[str], lexicon: Lexicon) -> Pages:
        numbers = {kind: number for number, kind in enumerate(kinds)}
        lengths = np.array([len(each.tokens) for each in documents], np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        tokens = np.zeros(starts[-1], np.int64)
        is_word, is_line = np.zeros(len(tokens), np.bool_), np.zeros(len(tokens), np.bool_)
        masks: list[int] = []
        types: list[int] = []
        for each, start in zip(documents, starts.tolist(), strict=False):
            marks = set(each.marks)
            for place, token in enumerate(each.tokens):
                tokens[start + place] = MARKED if place in marks else lexicon.number(token)
                is_word[start + place] = place not in marks and token[0].isalnum()
            is_line[[start + place for place in each.lines]] = True
            masks += [start + place for place in each.masks]
            types += [numbers.get(label, -1) for label in each.types]
        return cls(
            lexicon,
            tuple(documents),
            tokens,
            tokens,
            np.zeros(len(tokens), np.bool_),
            is_word,
            is_line,
            np.repeat(np.arange(len(documents)), lengths),
            starts,
            np.array(masks, np.int64),
            np.array(types, np.int64),
        )

    @property
    def words(self) -> int:
        """How many words the documents have besides what is masked."""
        return int(self.is_word.sum())

    @property
    def changed(self) -> Flags:
        """Which tokens are not as they were."""
        flags: Flags = self.gone | (self.now != self.tokens)
        return flags

    @property
    def lost(self) -> int:
        """How many words are not as they were."""
        return int((self.changed & self.is_word).sum())

    def part(self, documents: Sequence[int]) -> Integers:
        """The masks, by number, of some of the documents."""
        return np.flatnonzero(np.isin(self.document[self.masks], documents))

    def defended(self) -> list[Masked]:
        """The documents as they are now."""
        made = []
        for each, start, end in zip(self.documents, self.starts, self.starts[1:], strict=False):
            now = np.flatnonzero((self.now != self.tokens)[start:end] & ~self.gone[start:end])
            tokens = list(each.tokens)
            for place in now.tolist():
                tokens[place] = self.lexicon.tokens[self.now[start + place]]
            gone = np.flatnonzero(self.gone[start:end]).tolist()
            made.append(replace(each, tokens=tuple(tokens)).without(gone))
        return made

    def gaps(self) -> Gaps:
        """Every stretch between the marks of two entities in one line, but for those with many words left in them."""
        shown = np.concatenate([[0], np.cumsum(~((self.tokens == MARKED) | self.gone))])
        words = np.concatenate([[0], np.cumsum(self.is_word & ~self.gone)])
        kept = np.concatenate([[0], np.cumsum(self.is_word & ~self.changed)])
        first, end = self.masks[:-1] + 1, self.masks[1:]
        alike = self.document[self.masks[1:]] == self.document[self.masks[:-1]]
        closed = alike & (shown[np.maximum(end, first)] == shown[first])
        marks = np.concatenate([[0], np.cumsum(~closed)])[: len(self.masks)]
        line = np.cumsum(self.is_line)[self.masks]
        wanted = alike & (line[1:] == line[:-1]) & (words[np.maximum(end, first)] - words[first] <= ACROSS)
        open_, shut = np.flatnonzero(wanted & ~closed), np.flatnonzero(wanted & closed & (end > first))
        return Gaps(first[open_], end[open_], kept[end[open_]] - kept[first[open_]], marks[open_], marks, shut)

    def around(self) -> Around:
        """What a reader sees around every mask, where marks that have nothing between them are one."""
        is_mark = (self.tokens == MARKED) | self.gone
        same = np.concatenate([[False], self.document[1:] == self.document[:-1]])
        seen = ~(is_mark & np.concatenate([[False], is_mark[:-1]]) & same)
        shown = np.flatnonzero(seen)
        written = np.where(is_mark, MARKED, self.now)[shown]
        at = (np.cumsum(seen) - 1)[self.masks]
        bounds = np.searchsorted(shown, self.starts)
        document = self.document[self.masks]
        first, last = bounds[document][:, None], bounds[document + 1][:, None]
        steps = np.arange(1, WIDTH + 1)
        left, right = at[:, None] - steps, at[:, None] + steps
        before, after = np.maximum(left, 0), np.minimum(right, max(len(shown) - 1, 0))
        lines = self.is_line[shown]
        to_left = _first(np.concatenate([lines[at][:, None], lines[before][:, : _LINES - 1]], axis=1))
        to_right = _first((lines[after] | (right >= last))[:, :_LINES])
        passed, length = at - first[:, 0], np.maximum(last[:, 0] - first[:, 0], 1)
        return Around(
            np.where(left >= first, written[before], BEGIN),
            np.where(right < last, written[after], END),
            np.where(left >= first, shown[before], -1),
            np.where(right < last, shown[after], -1),
            np.stack([to_left, to_right, _TENTHS * passed // length, np.minimum(passed // _PACE, _FIRST)], axis=1),
        )


def _first(flags: Flags) -> Integers:
    """The first column with a flag in each row, or how many there are if none has."""
    found: Integers = np.where(flags.any(axis=1), flags.argmax(axis=1), flags.shape[1])
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Around:
    """For each mask, the tokens to its left and to its right, the nearest first, the places they are from, and what is
    known of its place in lines and document.
    """

    left: Integers
    right: Integers
    left_from: Integers
    right_from: Integers
    place: Integers

    def __len__(self) -> int:
        return len(self.left)

    def rows(self, chosen: Integers | Flags) -> Around:
        """Some of the masks."""
        return Around(
            self.left[chosen], self.right[chosen], self.left_from[chosen], self.right_from[chosen], self.place[chosen]
        )


@dataclass(frozen=True, eq=False, repr=False)
class Gaps:
    """Stretches between marks: the tokens from `first` to before `end`, of which `cost` words are as they were.

    `before` is the number of the mark before each, `marks` the number of the mark of each entity. `closed` are the
    entities between which and the next nothing is left that was there.
    """

    first: Integers
    end: Integers
    cost: Integers
    before: Integers
    marks: Integers
    closed: Integers

    def __len__(self) -> int:
        return len(self.first)

    def entities(self) -> tuple[Integers, Integers]:
        """The gaps and the entities whose marks would become one, each with each."""
        starts = np.searchsorted(self.marks, self.before)
        counts = np.searchsorted(self.marks, self.before + 1, side="right") - starts
        gaps = np.repeat(np.arange(len(self)), counts)
        return gaps, np.arange(len(gaps)) - np.repeat(np.cumsum(counts) - counts, counts) + starts[gaps]

    def confused(self, types: Integers, chosen: Flags) -> Integers:
        """By how many entities fewer, of those chosen, anybody is right who takes all in a mark for the commonest type
        in it, once each gap is closed.
        """
        counts = np.zeros((int(self.marks.max(initial=0)) + 1, int(types.max(initial=0)) + 1), np.int64)
        np.add.at(counts, (self.marks[chosen], types[chosen]), 1)
        one, other = counts[self.before], counts[self.before + 1]
        fewer: Integers = one.max(axis=1) + other.max(axis=1) - (one + other).max(axis=1)
        return fewer

    def around(self, around: Around, gaps: Integers) -> Around:
        """What each of these gaps would have around it if it were part of the marks beside it."""
        left = np.searchsorted(self.marks, self.before[gaps])
        right = np.searchsorted(self.marks, self.before[gaps] + 1)
        place = around.place[left].copy()
        place[:, 1] = around.place[right, 1]
        return Around(around.left[left], around.right[right], around.left_from[left], around.right_from[right], place)


@dataclass(frozen=True, eq=False, repr=False)
class Variant:
    """What masks (by number) would have around them if the token at a place went, or, with `option` 1, 2 ..., became
    the first, second ... that may stand there.
    """

    masks: Integers
    places: Integers
    option: int
    around: Around


def variants(pages: Pages, around: Around, options: Integers) -> Iterator[Variant]:
    """Every change of one word near a mask."""
    for on_left in (True, False):
        side = around.left if on_left else around.right
        origin = around.left_from if on_left else around.right_from
        for at in range(NEAR):
            masks = np.flatnonzero((origin[:, at] >= 0) & pages.is_word[origin[:, at]] & (side[:, at] != MARKED))
            places = origin[masks, at]
            yield _variant(around, masks, places, 0, _removed(side[masks], at), on_left)
            for option in range(options.shape[1]):
                written = options[pages.tokens[places], option]
                usable = (written >= 0) & (written != side[masks, at])
                if usable.any():
                    other = side[masks[usable]].copy()
                    other[:, at] = written[usable]
                    yield _variant(around, masks[usable], places[usable], option + 1, other, on_left)


def _variant(around: Around, masks: Integers, places: Integers, option: int, side: Integers, on_left: bool) -> Variant:
    rows = around.rows(masks)
    rows = replace(rows, left=side) if on_left else replace(rows, right=side)
    return Variant(masks, places, option, rows)


def _removed(side: Integers, at: int) -> Integers:
    """Rows of tokens, the nearest to a mark first, with one of them marked: it becomes one with marks beside it. What
    comes into sight at the far end is taken to be like the last that was.
    """
    count, width = side.shape
    joins = side[:, at - 1] == MARKED if at else np.ones(count, np.bool_)
    swallows = (side[:, at + 1] == MARKED).astype(np.int64)
    order = np.arange(width)[None]
    resumes = at + (~joins).astype(np.int64)[:, None]
    source = np.where(order < resumes, order, order - resumes + at + 1 + swallows[:, None])
    made: Integers = np.take_along_axis(side, np.minimum(source, width - 1), axis=1)
    made[~joins, at] = MARKED
    return made
