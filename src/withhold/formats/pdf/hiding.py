"""Letters that a page hides: under a box, in the colour of the paper, off the page. They are dropped when it is read,
and with them the rest of words of which a part is hidden.

What is hidden is told by a picture of the page, see `inspection`. Text that a scan shows as well is no hidden text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from withhold.errors import DamagedDocument, EncryptedDocument, LeakError
from withhold.formats.pdf.glyphs import Glyph, Show
from withhold.formats.pdf.inspection import HARMLESS, Sight, Unseen, sights
from withhold.formats.pdf.inspection.unseen import COVERED_PICTURE, INVISIBLE_TEXT, OCR_LAYER
from withhold.formats.pdf.letters import Letter
from withhold.formats.pdf.lines import Line
from withhold.types import Residue

Floats = NDArray[np.float64]

_ASIDE, _BELOW, _ABOVE = 0.1, -0.35, 1.1
"""How far from a letter, in parts of its size, the middle of its ink may be."""
_AT_ONCE = 500_000
"""So many letters and points are compared at a time, more or less."""
_HYPHENS = ("-", "\u00ad", "\u2010")


@dataclass(repr=False)
class Hiding:
    """What the pages of a file hide, by page from 1."""

    found: dict[int, list[Unseen]] = field(default_factory=lambda: defaultdict(list))
    layers: set[int] = field(default_factory=set)
    """Pages with a layer of text over a scan."""
    dark: dict[int, str] = field(default_factory=dict)
    """Pages of which nobody can say what they hide, and why; 0 stands for the whole file."""
    sights: list[Sight] = field(default_factory=list)
    """What was seen of each page on the way; empty if the file cannot be drawn."""

    def letters(self, page: int, shows: Sequence[Show], counts: Counter[str]) -> set[Glyph]:
        """The letters of a page that its reader does not see; how many stretches of each kind is counted. Those that
        are quite transparent may lie over others that are seen.
        """
        clear = {glyph for show in shows if not show.opacity for glyph in show.glyphs}
        counts[INVISIBLE_TEXT] += bool(clear)
        several = self.found.get(page, [])
        if not several or not shows:
            return clear
        for each in several:
            counts[each.kind] += 1
        # Of a picture under a drawing, the box is its own. Letters in the middle of it may well be seen.
        boxes = np.concatenate([each.boxes for each in several if each.kind != COVERED_PICTURE] or [np.zeros((0, 4))])
        middles = np.stack([boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]], 1) / 2
        glyphs = [glyph for show in shows for glyph in show.glyphs]
        holding = _holding(glyphs, middles).tolist()
        within = [holds and not _is_layer(glyph) for glyph, holds in zip(glyphs, holding, strict=True)]
        return clear | {glyph for glyph, is_hidden in zip(glyphs, _bridged(glyphs, within), strict=True) if is_hidden}


def _is_layer(glyph: Glyph) -> bool:
    """Whether it is of a layer of text that was put over the picture of a page: nobody was meant to see it."""
    return glyph.show.line is not None and glyph.show.mode == 3


def _holding(glyphs: Sequence[Glyph], points: Floats) -> NDArray[np.bool_]:
    """Which letters have one of the points in them. Each is compared with those to which it can reach, from left to
    right.
    """
    measures = [(each.x, each.y, each.advance, *each.show.direction, max(each.show.em, 0.1)) for each in glyphs]
    x, y, advance, ux, uy, em = np.array(measures, np.float64).T
    points = points[np.argsort(points[:, 0])]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (abs(advance) + 2 * em) * (abs(ux) + abs(uy)) / (ux * ux + uy * uy)
    reach[np.isnan(reach)] = np.inf
    first = np.searchsorted(points[:, 0], x - reach, "left")
    counts = np.searchsorted(points[:, 0], x + reach, "right") - first
    found = np.zeros(len(glyphs), bool)
    for some in np.array_split(np.arange(len(glyphs)), counts.sum() // _AT_ONCE + 1):
        letter = np.repeat(some, counts[some])
        starts = np.cumsum(counts[some]) - counts[some]
        place = np.arange(len(letter)) - np.repeat(starts, counts[some]) + first[letter]
        right, up = points[place, 0] - x[letter], points[place, 1] - y[letter]
        along, across = right * ux[letter] + up * uy[letter], up * ux[letter] - right * uy[letter]
        size = em[letter]
        beside = (along > -_ASIDE * size) & (along < advance[letter] + _ASIDE * size)
        found[letter[beside & (across > _BELOW * size) & (across < _ABOVE * size)]] = True
    return found


def _bridged(glyphs: Sequence[Glyph], within: list[bool]) -> list[bool]:
    """With the signs between two hidden letters: spaces, points, hyphens."""
    result, last = list(within), -1
    for at, is_hidden in enumerate(within):
        if is_hidden:
            if last >= 0 and at - last < 5 and not any(glyph.text.isalnum() for glyph in glyphs[last + 1 : at]):
                result[last + 1 : at] = [True] * (at - last - 1)
            last = at
    return result


def partly_hidden(several: Sequence[Line], hidden: set[Glyph]) -> list[set[Glyph]]:
    """What is left of each word of which a part is hidden, in the lines of a page with nothing left out.

    Nobody who searches for the word would find the rest of it, and the rest may tell the word.
    """
    found = []
    for word in _words(several):
        # Of a letter that is drawn twice, one may lie under the other.
        seen = [letter for letter in word if not hidden.issuperset(_glyphs(letter))]
        if len(seen) < len(word) and any(letter.text.isalnum() for letter in seen):
            found.append({glyph for letter in seen for glyph in _glyphs(letter)})
    return found


def _glyphs(letter: Letter) -> tuple[Glyph, ...]:
    return letter.others if letter.glyph is None else (letter.glyph, *letter.others)


def _words(several: Sequence[Line]) -> Iterator[list[Letter]]:
    """The words of lines, signs and all; one that ends in a hyphen goes on in the next line."""
    word: list[Letter] = []
    for line in several:
        if line.opens or not _is_broken(word):
            yield word
            word = []
        for letter in line.letters:
            if letter.text.isspace():
                yield word
                word = []
            else:
                word.append(letter)
    yield word


def _is_broken(word: Sequence[Letter]) -> bool:
    return len(word) > 1 and word[-1].text in _HYPHENS and word[-2].text.isalpha()


class _Looks:
    """What the pages of a file hide. What is too damaged to be drawn is dark: what is made of it is looked at later.

    A file is asked again when it is written, and a new file when it is checked and read back: the last answers are
    remembered.
    """

    def __init__(self) -> None:
        self._last: list[tuple[bytes, str, Hiding]] = []

    def __call__(self, data: bytes, password: str) -> Hiding:
        known = self.known(data, password)
        if known is None:
            known = _looked(data, password)
            self._last = [*self._last, (data, password, known)][-2:]
        return known

    def known(self, data: bytes, password: str) -> Hiding | None:
        """The answer, if it is remembered."""
        return next((hiding for one, two, hiding in self._last if one == data and two == password), None)

    def cache_clear(self) -> None:
        self._last = []


hiding = _Looks()


def _looked(data: bytes, password: str) -> Hiding:
    result = Hiding()
    try:
        for sight in sights(data, password or None):
            result.sights.append(sight)
            for each in sight.unseen:
                if each.kind == OCR_LAYER:
                    result.layers.add(each.page + 1)
                elif each.kind not in HARMLESS and len(each.boxes):
                    result.found[each.page + 1].append(each)
                elif each.kind not in HARMLESS:
                    result.dark[each.page + 1] = each.kind
    except (DamagedDocument, EncryptedDocument):
        return Hiding(dark={0: "file that cannot be drawn"})
    return result


def lines_hidden(output: bytes, page: int, lines: Sequence[Line]) -> set[int]:
    """Which of the lines of a page a new file hides, at least in part."""
    several = [each.boxes for each in hiding(output, "").found.get(page, [])]
    if not several:
        return set()
    boxes = np.concatenate(several)
    x, y = (boxes[:, :2] + boxes[:, 2:]).T / 2
    found = set()
    for number, line in enumerate(lines):
        (ux, uy), em = line.direction, max(line.em, 0.1)
        along, across = x * ux + y * uy, y * ux - x * uy - line.base
        beside = (along > line.start - _ASIDE * em) & (along < line.end + _ASIDE * em)
        if (beside & (across > _BELOW * em) & (across < _ABOVE * em)).any():
            found.add(number)
    return found


def check_hidden(output: bytes, layered: Collection[int]) -> None:
    """Refuse a file that hides text, but for the layers of `layered` pages (from 1), which are pictures now; and one of
    which that cannot be told.

    Raises:
        LeakError: if it hides any, or may.
    """
    seen = hiding(output, "")
    hidden = [
        Residue(f"page {page}", each.kind)
        for page, several in seen.found.items()
        for each in several
        if not (page in layered and each.kind == INVISIBLE_TEXT)
    ]
    faults = [*hidden, *(Residue(f"page {page}" if page else "file", kind) for page, kind in seen.dark.items())]
    if faults:
        places = ", ".join(sorted({f"{fault.where}: {fault.check}" for fault in faults})[:5])
        raise LeakError(
            f"the new file {'would' if hidden else 'may'} hide text ({places}); nothing was written", faults
        )
