"""How wide a text would be, set in the fonts of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import sqrt
from statistics import fmean, median

from withhold.attacks.layout.places import Place
from withhold.types import Face, Layout

_NEAREST = 0.15
"""Positions are known to so many points, whatever made them."""

_WITHIN_WORDS = 0.13
_GUESSED = 0.06
"""By how much of its size the width of a letter that the file does not have may be off."""


class Ruler:
    """Measures candidates against places. Letters that a font does not have are taken from the standard font that is
    most like it.
    """

    def __init__(self, layout: Layout) -> None:
        self._faces = [_Filled(face) for face in layout.faces]
        self._loose = _kerning(layout)

    def misfit(self, text: str, place: Place) -> float:
        """By how many times what can be put down to kerning and rounding a text is too wide or too narrow: it fits up
        to 1.
        """
        width, guessed = self._faces[place.face].width(text)
        words = text.split()
        natural = width * place.size + place.space * (len(words) - 1)
        letters = sum(map(len, words))
        slack = _NEAREST + place.slack + (3 * self._loose * sqrt(letters) + _GUESSED * sqrt(guessed)) * place.size
        return abs(natural - place.width) / slack


class _Filled:
    """The widths of a font, with those it lacks from another."""

    def __init__(self, face: Face) -> None:
        self._known = face.widths
        self._others = _likest(face.widths)

    def width(self, text: str) -> tuple[float, int]:
        """The width of all letters but white space, as a share of the size, and how many are guessed."""
        total, guessed = 0.0, 0
        for letter in "".join(text.split()):
            known = self._known.get(letter)
            total += self._others.get(letter, 0.5) if known is None else known
            guessed += known is None
        return total, guessed


def _kerning(layout: Layout) -> float:
    """How far letters within words stand from where their widths would have them, as a share of their size."""
    steps = [
        ((start - end) / size) ** 2
        for line in layout.lines
        for end, start, size in zip(line.ends, line.starts[1:], line.sizes, strict=False)
        if size and abs(start - end) < _WITHIN_WORDS * size
    ]
    return min(sqrt(fmean(steps)), 0.03) if steps else 0.0


def _likest(widths: Mapping[str, float]) -> Mapping[str, float]:
    """The widths of the standard font that fits best once it is made as wide."""
    best: tuple[float, Mapping[str, float]] = (float("inf"), {})
    for standard in _standard():
        shared = [letter for letter in widths if letter in standard and letter.isalpha()]
        factor = median(widths[each] / standard[each] for each in shared) if shared else 1.0
        off = fmean(abs(widths[each] - factor * standard[each]) for each in shared) if shared else 1.0
        if off < best[0]:
            best = off, {letter: factor * width for letter, width in standard.items()}
    return best[1]


@cache
def _standard() -> Sequence[Mapping[str, float]]:
    from pdfminer.fontmetrics import FONT_METRICS

    names = ("Helvetica", "Times-Roman", "Courier", "Helvetica-Bold", "Times-Bold", "Times-Italic")
    return [{letter: width / 1000 for letter, width in FONT_METRICS[name][1].items()} for name in names]
