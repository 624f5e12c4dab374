"""What may stand in place of a telling word near a mask: a more general one, or for function words a neutral one.

No taxonomy has anything above a preposition. But `on` goes with dates and `at` with places, where `in` goes with
either: it says less, and the sentence still reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from withhold.contracts import Taxonomy
    from withhold.learners.masks.ladder_pages import General

_CLOSED = {
    "in on at to from by with for against of between under before after since until during within into through "
    "towards near about over": ("in", "of", "to"),
    "the a an this that these those his her their its any some each every such": ("the", "a"),
    "he she they it him who whom them": ("they", "it"),
    "and or but": ("and",),
}
"""Words of closed classes, and the commonest of each, which go with most."""

_NEUTRAL = {word: neutral for words, neutral in _CLOSED.items() for word in words.split()}


def more_general(taxonomies: Sequence[Taxonomy]) -> General:
    """What the first taxonomy that knows a word has above it, or what is neutral in its stead."""

    @cache
    def general(word: str) -> tuple[str, ...]:
        if word in _NEUTRAL:
            return tuple(text for text in _NEUTRAL[word] if text != word)
        return next((tuple(found) for each in taxonomies if (found := each.generalise(word))), ())

    return general
