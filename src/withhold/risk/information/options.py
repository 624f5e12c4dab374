"""What may stand in place of a keyword, and what that tells in its turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from withhold.contracts import Classes, Lexicon, Wording
from withhold.learners.features import Features
from withhold.risk.sayable import Places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Taxonomy
    from withhold.risk.information.terms import Terms
    from withhold.spans import Span

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
    present, says = set(here), _Saying(text, terms, taxonomies)
    offered = [
        (number, offer, written)
        for number in range(len(terms))
        if among is None or number in among
        for offer, written in says.instead_of(number)
        if not any(_told_by(part, present) for part in _parts(written))
    ]
    common = _common(corpus, terms.words, [(number, offer) for number, offer, _ in offered], taxonomies)
    found: list[tuple[int, str]] = []
    for (number, _, written), is_common in zip(offered, common, strict=True):
        if is_common and sum(term == number for term, _ in found) < _OPTIONS:
            found.append((number, written))
    return found


class _Saying:
    """What taxonomies say for the words of a text, where it stands."""

    def __init__(self, text: str, terms: Terms, taxonomies: Sequence[Taxonomy]) -> None:
        self.terms, self.taxonomies, self.places = terms, taxonomies, Places.of(text)
        self.lexicons = [each for each in taxonomies if isinstance(each, Lexicon)]

    def instead_of(self, number: int) -> list[tuple[str, str]]:
        """What could be said for a word in all of its places, by the first taxonomy that says anything: what it offers,
        and that as it is written there.
        """
        word, spans = self.terms.words[number], self.terms.spans[number]
        use = self.places.use(spans)
        if use in ("NOUN", "PROPN") and self._is_part(spans):
            return []
        for taxonomy in self.taxonomies:
            said = taxonomy.generalise_as(word, use) if isinstance(taxonomy, Wording) else None
            offers = self._usual(taxonomy, word, use) if said is None else said
            if offers or said is not None:
                how = {"as_used": said is not None, "is_kind": isinstance(taxonomy, Classes)}
                written = ((offer, self.places.written(spans, offer, **how)) for offer in offers)
                return [each for each in written if each[1]]
        return []

    def _usual(self, taxonomy: Taxonomy, word: str, use: str) -> tuple[str, ...]:
        """What the word usually is, as far as the taxonomy tells. A name is not what a dictionary has under it."""
        if use == "PROPN" and isinstance(taxonomy, Lexicon):
            return ()
        offers = taxonomy.generalise(word, self.terms.words)
        if not isinstance(taxonomy, Classes):
            return offers
        return tuple(offer for offer in offers if not _parts(offer) or word in taxonomy.members(offer))

    def _is_part(self, spans: Sequence[Span]) -> bool:
        """Whether a word may be a part of another one."""
        return any(lexicon.has(each) for each in self.places.joined(spans) for lexicon in self.lexicons)


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
