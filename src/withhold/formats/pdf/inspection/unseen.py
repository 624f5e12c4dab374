"""Text of a page that its reader does not see, and why not.

A quick look at a coarse picture clears most pages. Where a glyph shows too little, the page is drawn again, larger, and
asked why: in a colour of its own, without annotations, without pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from withhold.formats.pdf.inspection.characters import which
from withhold.formats.pdf.inspection.ink import Ink, look
from withhold.formats.pdf.inspection.scans import covered_pictures
from withhold.formats.pdf.inspection.sheets import (
    INVISIBLE,
    STENCIL,
    UNKNOWN,
    File,
    Flags,
    Floats,
    Glyphs,
    Places,
    Sheet,
)

INVISIBLE_TEXT = "invisible text"
OCR_LAYER = "OCR layer"
OFF_PAGE = "text off the page"
TINY = "tiny text"
CLIPPED = "clipped text"
OPTIONAL = "text in a hidden layer"
WHITE = "white text"
BLACKENED = "blackened text"
PALE = "text in the colour of its ground"
UNDER_DRAWING = "text under a drawing"
UNDER_IMAGE = "text under an image"
UNDER_ANNOTATION = "text under an annotation"
LABEL = "label under a mark"
COVERED_PICTURE = "picture under a drawing"
UNDRAWN = "text in a font that is not in the file"

HARMLESS = frozenset((OCR_LAYER, LABEL, UNDRAWN))
"""What is no sign of a bad redaction: words that a scan shows as well, words that say that something went, and letters
that another machine may have a font for.
"""

_COARSE, _FINE = 1.0, 2.0
_SUSPECT, _UNSEEN = 0.75, 0.5
"""A glyph of which less is seen is looked at again; and is then said to be unseen."""

_TINY = 1.0
"""Letters lower than this many points cannot be read on paper, nor on a screen without enlarging."""

_CONTRAST = 50
_SCANNED = 0.6
_SAID = re.compile(
    r"(?:redact|privileg|confidential|seal|withh?eld|withhold|expunge|omit|delet|remov|exempt|classified|censor)\w*",
    re.I,
)


@dataclass(frozen=True, eq=False)
class Unseen:
    """A stretch of text that a page hides: why, on which page, in what boxes (in points of the page), and what."""

    kind: str
    page: int
    boxes: Floats = field(default_factory=lambda: np.zeros((0, 4)), repr=False)
    text: str = field(default="", repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Sight:
    """What one page hides, and what else was seen of it on the way."""

    unseen: list[Unseen]
    text: str | None = None
    """What PDFium extracts; None if nobody has asked it."""
    may_have_pictures: bool = True


def sight(document: File, number: int) -> Sight:
    """What one page hides, counted from 0."""
    with Sheet(document, number) as sheet:
        pictures = covered_pictures(document, number) if sheet.images else []
        found = _unseen_text(sheet, document, number)
        found += [Unseen(COVERED_PICTURE, number, box.reshape(1, 4)) for box in pictures]
        return Sight(found, sheet.said, sheet.may_have_images)


def _unseen_text(sheet: Sheet, document: File, number: int) -> list[Unseen]:
    glyphs = sheet.glyphs()
    letters, unknown = which(glyphs.text, str.isalnum), which(glyphs.text, UNKNOWN.__eq__)
    if not (letters | unknown).any():
        return []
    tiny, outside = _evident(sheet, glyphs, letters)
    ink = look(sheet, glyphs, _COARSE)
    # A code of no known meaning that leaves no ink may well be a space.
    told = (letters & ink.inkless) | ((letters | unknown) & (ink.shares < _SUSPECT))
    if not (told | tiny | outside).any():
        return []
    kinds = np.select([outside, tiny], [OFF_PAGE, TINY], "").astype("U40")
    suspects = told & (kinds == "")
    covers = sheet.covers(glyphs.boxes)
    if suspects.any():
        kinds = _explained(document, number, glyphs, sheet.owners(glyphs), kinds, suspects)
    return [
        Unseen(_labelled(kind, text), number, glyphs.boxes[places], text)
        for kind, places, text in _stretches(glyphs, kinds, covers)
    ]


def _evident(sheet: Sheet, glyphs: Glyphs, letters: Flags) -> tuple[Flags, Flags]:
    """What needs no picture to be told: which letters are tiny, and which are off the page."""
    placed = sheet.on_picture(glyphs.boxes, (1, 1))
    outside = (placed[:, 2] <= 0) | (placed[:, 3] <= 0) | (placed[:, 0] >= 1) | (placed[:, 1] >= 1)
    extent = np.maximum(glyphs.boxes[:, 3] - glyphs.boxes[:, 1], glyphs.boxes[:, 2] - glyphs.boxes[:, 0])
    return letters & (extent < _TINY), letters & outside & (extent > 0)


def _explained(
    document: File, number: int, glyphs: Glyphs, owners: Places, kinds: NDArray[np.str_], suspects: Flags
) -> NDArray[np.str_]:
    """The kinds with those of suspects that a second look confirms."""
    with Sheet(document, number) as sheet:
        modes = {place: sheet.mode(place) for place in {*owners[suspects].tolist()} - {-1}}
        ink = look(sheet, glyphs, _FINE)
        faint = suspects & (ink.shares < _UNSEEN) & ~ink.inkless
        inkless = suspects & ink.inkless
        if not (faint | inkless).any():
            return kinds
        invisible = _with_mode(owners, modes, INVISIBLE)
        without_ink = {place: _without_ink(sheet, place) for place in modes}
        named = np.array([without_ink.get(place, CLIPPED) for place in owners.tolist()])
        kinds = np.where(faint, _hiding(sheet, ink, faint), kinds)
        kinds = np.where(inkless, named, kinds)
        kinds = np.where((faint | inkless) & invisible, INVISIBLE_TEXT, kinds)
        for place in np.flatnonzero(faint & _with_mode(owners, modes, STENCIL)).tolist():
            if _shows_through(ink, (place,)):
                kinds[place] = ""
        return _without_layer(glyphs, kinds, ink) if sheet.images else kinds


def _with_mode(owners: Places, modes: dict[int, int], wanted: frozenset[int]) -> Flags:
    return np.fromiter((modes.get(place) in wanted for place in owners.tolist()), bool, len(owners))


def _without_layer(glyphs: Glyphs, kinds: NDArray[np.str_], ink: Ink) -> NDArray[np.str_]:
    """The kinds, where words that a picture shows as well are an OCR layer; so are single letters among them. Text
    behind a picture is one if it is most of what the page has.
    """
    behind = kinds == UNDER_IMAGE
    most = behind.sum() > _SCANNED * sum(map(str.isalnum, glyphs.text))
    layer = (kinds == INVISIBLE_TEXT) | (behind & most)
    thin = np.zeros(len(kinds), bool)
    for match in re.finditer(r"\S+", glyphs.text):
        places = np.flatnonzero(layer[match.start() : match.end()]) + match.start()
        if len(places) and _shows_through(ink, places):
            kinds[places] = OCR_LAYER
        thin[places] = len(places) == 1
    if (kinds == OCR_LAYER).any():
        kinds[thin] = OCR_LAYER
    return kinds


def _without_ink(sheet: Sheet, place: int) -> str:
    """Why a text leaves no ink even on an empty page."""
    if sheet.is_optional(place):
        return OPTIONAL
    if sheet.is_clipped(place):
        return CLIPPED
    return INVISIBLE_TEXT if sheet.has_font(place) else UNDRAWN


def _hiding(sheet: Sheet, ink: Ink, faint: Flags) -> NDArray[np.str_]:
    """Why glyphs are unseen, if they are: texts are drawn in a loud colour, with ever less of what may cover them."""
    sheet.show(sheet.others, True)
    sheet.colour(sheet.texts, 255, 0, 255)
    loud = ink.share(sheet.draw(ink.scale)) >= _UNSEEN
    bare = ink.share(sheet.draw(ink.scale, annotations=False)) >= _UNSEEN
    sheet.show(sheet.images, False)
    unpictured = ink.share(sheet.draw(ink.scale, annotations=False)) >= _UNSEEN
    under = np.select([bare, unpictured], [UNDER_ANNOTATION, UNDER_IMAGE], UNDER_DRAWING)
    levels = np.array([_level(ink, place) if faint[place] and loud[place] else 0.0 for place in range(len(loud))])
    pale = np.select([levels > 200, levels < 60], [WHITE, BLACKENED], PALE)
    kinds: NDArray[np.str_] = np.where(loud, pale, under)
    return kinds


def _level(ink: Ink, place: int) -> float:
    """How bright it is where a glyph stands."""
    left, top, right, bottom = _inside(ink, place)
    part = ink.ground[top:bottom, left:right]
    return float(part.mean()) if part.size else 255.0


def _inside(ink: Ink, place: int) -> tuple[int, int, int, int]:
    """The middle of a glyph's box, in pixels, which the edge of a box drawn over it does not reach; with some of what
    is beside a narrow letter, which may fill its own.
    """
    left, top, right, bottom = ink.places[place]
    height, width = bottom - top, right - left
    beside = height / 4 if width < height / 2 else 0.0
    edges = (left - beside, top + height / 5, right + beside, bottom - height / 5)
    left, top, right, bottom = (max(0, round(edge)) for edge in edges)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _shows_through(ink: Ink, places: Iterable[int]) -> bool:
    """Whether the page has something to read where one of these glyphs stands, though not by its ink."""
    for place in places:
        left, top, right, bottom = _inside(ink, place)
        part = ink.ground[top:bottom, left:right]
        if part.size and int(part.max()) - int(part.min()) > _CONTRAST:
            return True
    return False


def _stretches(
    glyphs: Glyphs, kinds: NDArray[np.str_], covers: NDArray[np.int64]
) -> Iterator[tuple[str, NDArray[np.int64], str]]:
    """Runs of unseen letters of a kind, over white space and signs, but not from one annotation to the next; a single
    letter of a longer word is none.
    """
    found = np.flatnonzero(kinds != "")
    at = 0
    while at < len(found):
        end = at
        while end + 1 < len(found) and _joins(glyphs.text, kinds, covers, int(found[end]), int(found[end + 1])):
            end += 1
        first, last = int(found[at]), int(found[end])
        if end > at or _alone(glyphs.text, first):
            yield str(kinds[first]), found[at : end + 1], glyphs.text[first : last + 1]
        at = end + 1


def _joins(text: str, kinds: NDArray[np.str_], covers: NDArray[np.int64], first: int, second: int) -> bool:
    if kinds[first] != kinds[second] or (kinds[first] == UNDER_ANNOTATION and covers[first] != covers[second]):
        return False
    between = text[first + 1 : second]
    # A thin letter may show where two tiles meet.
    return len(between) < 4 and (len(between) < 2 or not any(map(str.isalnum, between)))


def _alone(text: str, place: int) -> bool:
    return not text[place - 1 : place].strip() and not text[place + 1 : place + 2].strip()


def _labelled(kind: str, text: str) -> str:
    covered = kind in (UNDER_DRAWING, UNDER_IMAGE, UNDER_ANNOTATION, BLACKENED)
    words = re.findall(r"[^\W\d_]+", text)
    return LABEL if covered and words and all(_SAID.fullmatch(word) for word in words) else kind
