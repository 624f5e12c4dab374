"""What may stand in place of a keyword, and what that tells in its turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from withhold.contracts import Classes
from withhold.learners.features import Features
from withhold.risk.sayable import Places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Taxonomy
    from withhold.risk.information.terms import Terms

    Integers = NDArray[np.int64]

_OPTIONS = 3
_COMMON = 3
"""So many times as often as a word, what a more general one could stand for must be met."""
_KNOWN = 3
"""So many documents must have a more general word: what hardly any has leads nowhere, but readers know it no better."""


def with_options(
    general: Sequence[tuple[int, str]], terms: Sequence[str], ask: Callable[[Sequence[str]], Integers]
) -> Integers:
    """What tells if terms may be kept or become something more general: sets of columns, first those of the terms, then
    those of `general`. `ask` says which sets of words tell.
    """
    words, having = spelt([*terms, *(text for _, text in general)])
    return column_sets(ask(words), having, [*range(len(terms)), *(term for term, _ in general)])


def general_terms(
    corpus: Corpus,
    terms: Terms,
    text: str,
    here: Iterable[str],
    taxonomies: Sequence[Taxonomy],
    among: Collection[int] | None = None,
) -> list[tuple[int, str]]:
    """More general words for each term of a text, or for those `among` them, that are true and read well there.

    The corpus must know them, and there must be many other words that they could stand for: what stands for hardly any
    other is a code for the one it replaces. The document must not have them itself: one that is removed elsewhere must
    not be written here.
    """
    present, context, places = set(here), terms.words, Places.of(text)
    offered = [
        (number, offer)
        for number, term in enumerate(terms.words)
        if among is None or number in among
        for offer in next(filter(None, (each.generalise(term, context) for each in taxonomies)), ())
        if not any(_told_by(part, present) for part in _parts(offer)) and places.take(terms.spans[number], offer)
    ]
    found: list[tuple[int, str]] = []
    for (number, offer), is_common in zip(offered, _common(corpus, terms.words, offered, taxonomies), strict=True):
        if is_common and sum(term == number for term, _ in found) < _OPTIONS:
            found.append((number, offer))
    return found


def _common(
    corpus: Corpus, terms: Sequence[str], offered: Sequence[tuple[int, str]], taxonomies: Sequence[Taxonomy]
) -> list[bool]:
    """Whether what each offer could stand for is met much more often than what it is to stand for here. Function words
    could stand for anything.
    """
    classes = [each for each in taxonomies if isinstance(each, Classes)]
    others = {text: {word for each in classes for word in each.members(text)} for _, text in offered}
    parts = {text: _parts(text) for _, text in offered}
    asked = dict.fromkeys(
        [*(terms[number] for number, _ in offered), *(word for each in parts.values() for word in each)]
    )
    asked |= dict.fromkeys(word for several in others.values() for word in several)
    met = dict(zip(asked, corpus.count_all([[word] for word in asked], "document").tolist(), strict=True))

    def is_common(term: str, text: str) -> bool:
        own = min(met[part] for part in parts[text])
        standing = own + sum(met[word] for word in others[text] if word != term)
        return bool(own >= _KNOWN and standing >= _COMMON * (met[term] + 1))

    return [not parts[text] or is_common(terms[number], text) for number, text in offered]


def spelt(columns: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """The distinct words of all columns, each a word or a phrase, and by word the columns that have it. Function words
    are not looked up, so a column of nothing else is nowhere.
    """
    having: dict[str, list[int]] = {}
    for number, text in enumerate(columns):
        for part in _parts(text):
            having.setdefault(part, []).append(number)
    return list(having), list(having.values())


def column_sets(sets: Integers, having: Sequence[Sequence[int]], owner: Sequence[int]) -> Integers:
    """Sets of words as sets of the columns that write them, each once. Columns of one term are never written together:
    sets that need that are left out.
    """
    rows: set[tuple[int, ...]] = set()
    for row in sets.tolist():
        for chosen in product(*(having[word] for word in row if word >= 0)):
            columns = tuple(sorted(set(chosen)))
            if len({owner[column] for column in columns}) == len(columns):
                rows.add(columns)
    width = sets.shape[1]
    filled = [[*row, *[-1] * (width - len(row))] for row in sorted(rows)]
    return np.array(filled, np.int64).reshape(-1, width)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(Features().counts(text))


def _told_by(part: str, here: set[str]) -> bool:
    return part in here or any(word in part for word in here if len(word) > 3)
