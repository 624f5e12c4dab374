"""What a learner is told of each word of a text: how it is written, its neighbours, its line, and what the rest of the
text says of the same word.

Most of it depends on the form of one word alone. So a text is not a list of features for every word but a few
`Layer`s: each distinct bag of features once, and which of them each word has. `rows` gives the lists. What another
model knows of the words of a text is one more layer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from withhold.learners.tokens import Tokens, cut

VERSION = 1
"""Changes whenever the features of any text do: a model knows only those that it was fitted with."""

_CACHED = 100_000
_FORMS = str.maketrans(ascii_uppercase + ascii_lowercase + digits, "X" * 26 + "x" * 26 + "0" * 10)
_REPEATED = re.compile(r"(.)\1+")
_AFFIXES = (1, 2, 3, 4)
_LONG = 12
_SHORT_LINE = 25
_FAR = 5
_OFTEN = (1, 2, 4, 9)
_NEIGHBOURS = 8

Bag = tuple[str, ...]
Rows = NDArray[np.int32]
Matrix = csr_matrix[np.float32]


@dataclass(frozen=True, eq=False, repr=False)
class Layer:
    """Bags of features, and for each word of a text the number of the one that it has; -1 for none.

    One that is `from_afar` tells what the rest of the text says of a word. Texts differ in how much that is.
    """

    bags: Sequence[Bag]
    rows: Rows
    from_afar: bool = False


class Vocabulary:
    """The features that a model knows, each with its number."""

    def __init__(self, names: Iterable[str]) -> None:
        self.numbers = {name: number for number, name in enumerate(names)}
        self._known: dict[Bag, list[int]] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} features)"

    @classmethod
    def of(cls, texts: Iterable[Sequence[Layer]], least: int) -> Vocabulary:
        """The features that so many words have, in the order in which they are met."""
        counts: Counter[str] = Counter()
        for layer in chain.from_iterable(texts):
            held = np.bincount(layer.rows[layer.rows >= 0], minlength=len(layer.bags))
            for bag, count in zip(layer.bags, held.tolist(), strict=True):
                for name in bag:
                    counts[name] += count
        return cls(name for name, count in counts.items() if count >= least)

    def bags(self, layer: Layer) -> Matrix:
        """One row for each bag of a layer, and an empty one for words that have none."""
        known = [*map(self._numbers, layer.bags), []]
        starts = np.concatenate(([0], np.cumsum([len(each) for each in known]))).astype(np.int64)
        numbers = np.fromiter(chain.from_iterable(known), np.int32, starts[-1])
        return csr_matrix((np.ones(len(numbers), np.float32), numbers, starts), shape=(len(known), len(self)))

    def _numbers(self, bag: Bag) -> list[int]:
        """The numbers of the features in a bag that are known, looked up once for each bag."""
        found = self._known.get(bag)
        if found is None:
            if len(self._known) > _CACHED:
                self._known.clear()
            found = [number for name in bag if (number := self.numbers.get(name, -1)) >= 0]
            self._known[bag] = found
        return found

    def matrix(self, layers: Sequence[Layer]) -> Matrix:
        """One row for each word of a text, with a 1 for every feature it has: what any linear learner takes."""
        whole: Matrix = sum(
            (self.bags(layer)[layer.rows] for layer in layers[1:]), self.bags(layers[0])[layers[0].rows]
        )
        return whole


def read(text: str) -> tuple[Tokens, list[Layer]]:
    """A text in words, and all that is known of them."""
    tokens = cut(text)
    return tokens, layers(tokens)


def words(text: str) -> list[list[str]]:
    """The features of each word of a text."""
    return list(rows(read(text)[1]))


def layers(tokens: Tokens) -> list[Layer]:
    """What this module says of the words of a text."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(form, len(known)) for form in tokens.forms], np.int32)
    forms = list(known)
    return [
        *(Layer([view(form) for form in forms], _moved(numbers, place)) for place, view in _VIEWS.items()),
        *_together(numbers, forms),
        _places(tokens),
        _lines(tokens, numbers, forms),
        _elsewhere(numbers, forms),
    ]


def rows(several: Sequence[Layer]) -> Iterator[list[str]]:
    """The features of each word in one list."""
    for numbers in zip(*(layer.rows.tolist() for layer in several), strict=True):
        held = (layer.bags[number] for layer, number in zip(several, numbers, strict=True) if number >= 0)
        yield list(chain.from_iterable(held))


@lru_cache(_CACHED)
def shape(form: str) -> str:
    """The form with X for a capital, x for another letter, 0 for a digit."""
    if form.isascii():
        return form.translate(_FORMS)
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c for c in form)


@lru_cache(_CACHED)
def outline(form: str) -> str:
    """The shape with a plus for repetition: `Xx+`, `0+`."""
    return _REPEATED.sub(r"\1+", shape(form))[:8]


@lru_cache(_CACHED)
def _own(form: str) -> Bag:
    lower = form.lower()
    bag = ["any", f"w={lower}", f"s={shape(form)[:_LONG]}", f"c={outline(form)}"]
    if form[0].isalnum():
        bag += [f"p{length}={lower[:length]}" for length in _AFFIXES if length < len(form)]
        bag += [f"e{length}={lower[-length:]}" for length in _AFFIXES if length < len(form)]
        bag.append(f"l={min(len(form), _LONG)}")
    return tuple(bag)


def _neighbour(place: int, *, ending: bool) -> Callable[[str], Bag]:
    @lru_cache(_CACHED)
    def view(form: str) -> Bag:
        lower = form.lower()
        bag = (f"{place}w={lower}", f"{place}c={outline(form)}")
        return (*bag, f"{place}e={lower[-3:]}") if ending and len(form) > 3 else bag

    return view


_VIEWS: Mapping[int, Callable[[str], Bag]] = {
    0: _own,
    -1: _neighbour(-1, ending=True),
    1: _neighbour(1, ending=True),
    -2: _neighbour(-2, ending=False),
    2: _neighbour(2, ending=False),
}
"""What a word so many places on says of a word."""


def _moved(numbers: Rows, place: int) -> Rows:
    """For each word the number of the one so many places on; -1 beyond the ends."""
    padded = np.full(len(numbers) + 2 * abs(place), -1, np.int32)
    padded[abs(place) : abs(place) + len(numbers)] = numbers
    return padded[abs(place) + place :][: len(numbers)]


def _together(numbers: Rows, forms: Sequence[str]) -> Iterator[Layer]:
    """A word with the one before and with the one behind; three in a row, by their outlines."""
    lower, outlines = ["", *(form.lower() for form in forms)], ["", *map(outline, forms)]
    before, after = _moved(numbers, -1), _moved(numbers, 1)
    for name, said, several in (
        ("-b", lower, (before, numbers)),
        ("+b", lower, (numbers, after)),
        ("t", outlines, (before, numbers, after)),
    ):
        numbered: dict[str, int] = {}
        codes = np.array([numbered.setdefault(each, len(numbered)) for each in said], np.int64)
        key = np.zeros(len(numbers), np.int64)
        for each in several:
            key = key * len(numbered) + codes[each + 1]
        _, first, chosen = np.unique(key, return_index=True, return_inverse=True)
        words = zip(*((each[first] + 1).tolist() for each in several), strict=True)
        yield Layer([(f"{name}={' '.join([said[n] for n in each])}",) for each in words], chosen.astype(np.int32))


def _places(tokens: Tokens) -> Layer:
    """What stands before and behind a word: nothing, a space, the end of a line."""
    gaps = tokens.gaps.astype(np.int32)
    bags = [(f"g={before}", f"h={behind}", f"gh={before}{behind}") for before in range(4) for behind in range(4)]
    return Layer(bags, gaps * 4 + np.append(gaps[1:], 3)[: len(gaps)])


def _lines(tokens: Tokens, numbers: Rows, forms: Sequence[str]) -> Layer:
    """The first word of a line that is not long, and how far on in it a word stands."""
    starts = np.flatnonzero(tokens.gaps >= 2)
    line = np.cumsum(tokens.gaps >= 2) - 1
    long = np.diff(np.append(starts, len(tokens)))[line] > _SHORT_LINE
    far = np.minimum(np.arange(len(tokens)) - starts[line], _FAR - 1)
    keys, chosen = np.unique(numbers[starts[line]].astype(np.int64) * _FAR + far, return_inverse=True)
    bags = [
        (f"f={(first := forms[key // _FAR].lower())}", f"f{key % _FAR}={first}", f"a={key % _FAR}")
        for key in keys.tolist()
    ]
    return Layer(bags, np.where(long, -1, chosen).astype(np.int32))


def _elsewhere(numbers: Rows, forms: Sequence[str]) -> Layer:
    """Of a word with a capital or a digit: how often it is in the text, whether in small letters too, and what stands
    beside it most often.
    """
    counts = np.bincount(numbers, minlength=len(forms))
    telling = np.array([form[0].isalnum() and not form.islower() for form in forms], bool)
    beside: defaultdict[int, Counter[tuple[str, int]]] = defaultdict(Counter)
    for side, others in (("<", _moved(numbers, -1)), (">", _moved(numbers, 1))):
        chosen = telling[numbers] & (counts[numbers] > 1) & (others >= 0)
        for number, other in zip(numbers[chosen].tolist(), others[chosen].tolist(), strict=True):
            beside[number][side, other] += 1
    often, small = np.searchsorted(_OFTEN, counts), {form for form in forms if form.islower()}
    bags: list[Bag] = []
    for number, form in enumerate(forms):
        bag = [f"o={often[number]}", *(["small"] if form.lower() in small else [])] if telling[number] else []
        near = sorted(beside[number].items(), key=lambda each: (-each[1], each[0])) if number in beside else []
        bag += [f"{side}={forms[other].lower()}" for (side, other), _ in near[:_NEIGHBOURS]]
        bags.append(tuple(dict.fromkeys(bag)))
    return Layer(bags, numbers, from_afar=True)
