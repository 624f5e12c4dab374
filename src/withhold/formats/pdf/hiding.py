"""Letters that a page hides: under a box, in the colour of the paper, off the page. They are dropped when it is read.

What is hidden is told by a picture of the page, see `inspection`. Text that a scan shows as well is no hidden text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from withhold.errors import DamagedDocument, EncryptedDocument, LeakError
from withhold.formats.pdf.glyphs import Glyph
from withhold.formats.pdf.inspection import HARMLESS, Unseen, unseen_text
from withhold.formats.pdf.inspection.unseen import INVISIBLE_TEXT, OCR_LAYER
from withhold.types import Residue

_ASIDE, _BELOW, _ABOVE = 0.1, -0.35, 1.1
"""How far from a letter, in parts of its size, the middle of its ink may be."""


@dataclass(repr=False)
class Hiding:
    """What the pages of a file hide, by page from 1."""

    found: dict[int, list[Unseen]] = field(default_factory=lambda: defaultdict(list))
    layers: set[int] = field(default_factory=set)
    """Pages with a layer of text over a scan."""
    dark: dict[int, str] = field(default_factory=dict)
    """Pages of which nobody can say what they hide, and why; 0 stands for the whole file."""

    def letters(self, page: int, glyphs: Sequence[Glyph], counts: Counter[str]) -> set[Glyph]:
        """The letters of a page that its reader does not see; how many stretches of each kind is counted."""
        several = self.found.get(page, [])
        if not several or not glyphs:
            return set()
        for each in several:
            counts[each.kind] += 1
        boxes = np.concatenate([each.boxes for each in several])
        middles = np.stack([boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]], 1) / 2
        within = [not _is_layer(glyph) and _holds(glyph, middles) for glyph in glyphs]
        return {glyph for glyph, is_hidden in zip(glyphs, _bridged(glyphs, within), strict=True) if is_hidden}


def _is_layer(glyph: Glyph) -> bool:
    """Whether it is of a layer of text that was put over the picture of a page: nobody was meant to see it."""
    return glyph.show.line is not None and glyph.show.mode == 3


def _holds(glyph: Glyph, points: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> bool:
    show = glyph.show
    (ux, uy), em = show.direction, max(show.em, 0.1)
    x, y = points[:, 0] - glyph.x, points[:, 1] - glyph.y
    along, across = x * ux + y * uy, y * ux - x * uy
    beside = (along > -_ASIDE * em) & (along < glyph.advance + _ASIDE * em)
    return bool((beside & (across > _BELOW * em) & (across < _ABOVE * em)).any())


def _bridged(glyphs: Sequence[Glyph], within: list[bool]) -> list[bool]:
    """With the signs between two hidden letters: spaces, points, hyphens."""
    result, last = list(within), -1
    for at, is_hidden in enumerate(within):
        if is_hidden:
            if last >= 0 and at - last < 5 and not any(glyph.text.isalnum() for glyph in glyphs[last + 1 : at]):
                result[last + 1 : at] = [True] * (at - last - 1)
            last = at
    return result


@lru_cache(maxsize=2)
def hiding(data: bytes, password: str) -> Hiding:
    """What the pages of a file hide. What is too damaged to be drawn is dark: what is made of it is looked at later.

    A file is asked again when it is written, and a new file when it is checked and read back: the last answers are
    remembered.
    """
    result = Hiding()
    try:
        for each in unseen_text(data, password or None):
            if each.kind == OCR_LAYER:
                result.layers.add(each.page + 1)
            elif each.kind not in HARMLESS and len(each.boxes):
                result.found[each.page + 1].append(each)
            elif each.kind not in HARMLESS:
                result.dark[each.page + 1] = each.kind
    except (DamagedDocument, EncryptedDocument):
        return Hiding(dark={0: "file that cannot be drawn"})
    return result


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
