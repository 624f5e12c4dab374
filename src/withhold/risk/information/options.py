"""What may stand in place of a keyword, and what that tells in its turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.features import Features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Taxonomy

    Integers = NDArray[np.int64]

_OPTIONS = 2
_COMMON = 3
"""So many times as often as a word, what replaces it must be met."""


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
    terms: Sequence[str],
    here: Iterable[str],
    taxonomies: Sequence[Taxonomy],
    among: Collection[int] | None = None,
) -> list[tuple[int, str]]:
    """More general words for each term, or for those `among` them.

    The corpus must know them and meet them much more often, since a word that hardly stands anywhere else is a code for
    the one it replaces. The document must not have them itself: one that is removed elsewhere must not be written here.
    """
    present, context = set(here), tuple(terms)
    offered = [
        (number, text)
        for number, term in enumerate(terms)
        if among is None or number in among
        for text in next(filter(None, (each.generalise(term, context) for each in taxonomies)), ())
        if _parts(text) and not any(_told_by(part, present) for part in _parts(text))
    ]
    asked = list(dict.fromkeys([*terms, *(part for _, text in offered for part in _parts(text))]))
    met = dict(zip(asked, corpus.count_all([[word] for word in asked], "document").tolist(), strict=True))
    found: list[tuple[int, str]] = []
    for number, text in offered:
        is_common = min(met[part] for part in _parts(text)) >= _COMMON * (met[terms[number]] + 1)
        if is_common and sum(term == number for term, _ in found) < _OPTIONS:
            found.append((number, text))
    return found


def spelt(columns: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """The distinct words of all columns, each a word or a phrase, and by word the columns that have it."""
    having: dict[str, list[int]] = {}
    for number, text in enumerate(columns):
        for part in _parts(text) or (text,):
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
