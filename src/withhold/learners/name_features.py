"""What tells a name from another word beyond `word_features`: lists of names, places and English words, the other words
with a capital that it stands among, and how it is used in the rest of the text, however it is written there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from withhold.learners.tagger.features import key, shipped
from withhold.learners.tokens import Tokens
from withhold.learners.word_features import Bag, Layer, Rows, outline

VERSION = 1
"""Changes whenever the features of any text do."""

_CACHED = 200_000
_BITS = 8
_GIVEN, _SURNAME, _PLACE, _ENGLISH = 1, 2, 8 | 16, 32
_NAME, _TITLE = _GIVEN | _SURNAME, 128
_PARTICLES = frozenset(
    (
        "al", "el", "bin", "ibn", "ben", "van", "von", "der", "den", "de", "da", "di", "du", "des", "del", "della",
        "dos", "la", "le", "ter", "ten", "zu", "y",
    )
)  # fmt: skip
_LINKS = frozenset("-'\u2019\u2010\u2011")
_LONG, _FAR = 4, 3
_USES = 12

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


def layers(tokens: Tokens) -> list[Layer]:
    """What this module says of the words of a text, which has some."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(form, len(known)) for form in tokens.forms], np.int32)
    forms = list(known)
    kinds: dict[str, int] = {"^": 0}
    codes = np.array([kinds.setdefault(_kind(form), len(kinds)) for form in forms], np.int64)[numbers]
    padded = np.concatenate(([0, 0], codes, [0, 0]))
    around = [padded[place : place + len(codes)] for place in range(5)]
    return [
        Layer([_own(form) for form in forms], numbers),
        *_around(around, list(kinds)),
        *_runs(tokens, numbers, forms, codes, list(kinds)),
        _uses(numbers, forms, around[1], around[3], list(kinds)),
    ]


@lru_cache(_CACHED)
def listed(lower: str) -> int:
    """What the lists say of a word in small letters, as bits."""
    bits: int = shipped().known.get(key(lower), 0)
    return bits


@lru_cache(_CACHED)
def case(form: str) -> str:
    """How a word is written: in capitals, one capital, with a capital, small, with a digit; a sign is itself."""
    if not form[0].isalnum():
        return form[0]
    if form.isupper():
        return "U" if len(form) > 1 else "I"
    return "C" if form[0].isupper() else "x" if form[0].isalpha() else "0"


@lru_cache(_CACHED)
def _kind(form: str) -> str:
    """A word as one of few: how it is written and, of one with a capital, what it may be."""
    written = case(form)
    if written not in ("U", "I", "C"):
        return written
    bits = listed(form.lower())
    kinds = (("n", _NAME), ("e", _ENGLISH), ("p", _PLACE), ("t", _TITLE))
    return written + "".join(kind for kind, several in kinds if bits & several)


@lru_cache(_CACHED)
def _own(form: str) -> Bag:
    written = case(form)
    bits = listed(form.lower()) if form[0].isalnum() else 0
    on = [bit for bit in range(_BITS) if bits >> bit & 1]
    return (f"k={written}{bits}", *(f"k{bit}" for bit in on), *(f"k{bit}{written}" for bit in on))


def _together(columns: Sequence[Codes]) -> tuple[Codes, Rows]:
    """For each distinct row of some columns the first place that has it, and which of them each place has."""
    keys = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        # Numbered anew each time, so that no key is too large.
        _, keys = np.unique(keys * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    _, first, chosen = np.unique(keys, return_index=True, return_inverse=True)
    return first, chosen.astype(np.int32)


def _around(around: Sequence[Codes], kinds: Sequence[str]) -> list[Layer]:
    """The kinds of a word and of two words on either side."""
    first, near = _together(around[1:4])
    threes = [[kinds[column[place]] for column in around[1:4]] for place in first.tolist()]
    bags = [(f"3k={a} {b} {c}", f"-k={a} {b}", f"+k={b} {c}") for a, b, c in threes]
    first, far = _together(around)
    wide = [(f"5k={' '.join(kinds[column[place]] for column in around)}",) for place in first.tolist()]
    return [Layer(bags, near), Layer(wide, far)]


def _runs(tokens: Tokens, numbers: Rows, forms: Sequence[str], codes: Codes, kinds: Sequence[str]) -> list[Layer]:
    """Of a word among words with a capital: what stands before and behind them all, how many there are, where among
    them it stands, and whether one is listed as a name.
    """
    run = runs(tokens)
    inside = np.flatnonzero(run >= 0)
    if not len(inside):
        return []
    which = run[inside]
    starts = inside[np.flatnonzero(np.diff(which, prepend=-1))]
    ends = inside[np.flatnonzero(np.diff(which, append=-1))]
    words = np.array([form[0].isalpha() for form in forms], bool)[numbers]
    bits = np.array([listed(form.lower()) if form[0].isalpha() else 0 for form in forms], np.int64)[numbers]
    length = np.minimum(np.bincount(which, words[inside]), _LONG).astype(np.int64)
    edge = np.append(tokens.gaps, 3) >= 2
    lower = ["^", *(form.lower() for form in forms)]
    shifted = np.append(numbers, -1).astype(np.int64) + 1
    before = np.where(edge[starts], 0, shifted[starts - 1])
    behind = np.where(edge[ends + 1], 0, shifted[np.minimum(ends + 1, len(numbers))])
    given, surname = (np.bincount(which, (bits[inside] & bit) > 0) > 0 for bit in (_GIVEN, _SURNAME))
    english = np.bincount(which, words[inside] & (bits[inside] & _ENGLISH == 0)) == 0
    from_start, to_end = np.minimum(inside - starts[which], _FAR), np.minimum(ends[which] - inside, _FAR)
    about = (given * 4 + surname * 2 + english)[which]
    first, chosen = _together((length[which], from_start, to_end, about, codes[inside]))
    shapes = [
        (f"rl={length[which[n]]}", f"rp={from_start[n]}{to_end[n]}{length[which[n]]}",
         f"rk={about[n]}{kinds[codes[inside[n]]]}")
        for n in first.tolist()
    ]  # fmt: skip
    found = [_placed(shapes, chosen, inside, len(numbers))]
    for name, words_, place in (("rb", before[which], from_start), ("ra", behind[which], to_end)):
        first, chosen = _together((words_, place))
        bags = [(f"{name}={lower[words_[n]]}", f"{name}{place[n]}={lower[words_[n]]}") for n in first.tolist()]
        found.append(_placed(bags, chosen, inside, len(numbers)))
    first, chosen = _together((before[which], behind[which]))
    both = [(f"rr={lower[before[which[n]]]} {lower[behind[which[n]]]}",) for n in first.tolist()]
    return [*found, _placed(both, chosen, inside, len(numbers))]


def _placed(bags: Sequence[Bag], chosen: Rows, inside: Codes, words: int) -> Layer:
    rows = np.full(words, -1, np.int32)
    rows[inside] = chosen
    return Layer(bags, rows)


def runs(tokens: Tokens) -> Codes:
    """Which run of words with a capital each word belongs to, in order; -1 for none.

    Hyphens, the points of initials and small words such as "van" hold a run together; the end of a line parts it.
    """
    if not len(tokens):
        return np.zeros(0, np.int64)
    forms = tokens.forms
    capital = np.array([form[0].isupper() for form in forms], bool)
    letters = np.array([form[0].isalpha() for form in forms], bool)
    small = np.array([form in _PARTICLES for form in forms], bool)
    link = np.array([form in _LINKS for form in forms], bool)
    point = np.array([form == "." for form in forms], bool)
    one = np.array([len(form) == 1 for form in forms], bool) & capital
    here = np.append(tokens.gaps[1:], 3) < 2
    """Whether the next word stands in the same line."""

    def after(flags: Flags) -> Flags:
        return np.append(flags[1:], False) & here

    def behind(flags: Flags) -> Flags:
        return np.append(False, (flags & here)[:-1])

    # "Ki-choo" and "al-Turabi", but not "six-year".
    hyphen = link & after(letters) & (behind(capital) | (behind(small) & after(capital)))
    held = hyphen | (point & behind(one) & after(capital))
    held |= small & (behind(capital) | behind(small)) & (after(capital) | after(small) | after(hyphen))
    held |= letters & behind(hyphen)
    member = capital | held
    begins = member & ~behind(member)
    found: Codes = np.where(member, np.cumsum(begins) - 1, -1)
    return found


def _uses(numbers: Rows, forms: Sequence[str], before: Codes, behind: Codes, kinds: Sequence[str]) -> Layer:
    """Of a word with a capital that comes again, in capitals or not: what kinds of words stand beside it."""
    low: dict[str, int] = {}
    words = np.array(
        [low.setdefault(form.lower(), len(low)) if len(form) > 1 and form[0].isupper() else -1 for form in forms],
        np.int64,
    )[numbers]
    counts = np.bincount(words[words >= 0], minlength=len(low) + 1)
    again = np.flatnonzero((words >= 0) & (counts[words] > 1))
    uses: defaultdict[int, Counter[str]] = defaultdict(Counter)
    written: defaultdict[int, set[str]] = defaultdict(set)
    for place in again.tolist():
        number, left, right = int(words[place]), kinds[before[place]], kinds[behind[place]]
        uses[number].update((f"<k={left}", f">k={right}", f"<>k={left} {right}"))
        written[number].add(outline(forms[numbers[place]]))
    bags: list[Bag] = []
    rows = np.full(len(low) + 1, -1, np.int32)
    for number, said in uses.items():
        rows[number] = len(bags)
        most = sorted(said.items(), key=lambda each: (-each[1], each[0]))[:_USES]
        bags.append((*(name for name, _ in most), *(["varied"] if len(written[number]) > 1 else [])))
    return Layer(bags, rows[words], from_afar=True)
