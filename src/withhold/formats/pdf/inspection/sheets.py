"""Pages as PDFium draws them, whose objects can be put out of sight one by one."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from withhold.errors import DamagedDocument, EncryptedDocument, HostileDocument
from withhold.formats.pdf.inspection.calls import (
    address,
    as_object,
    colour_of,
    count_in,
    mode_of,
    object_at,
    object_in,
    set_active,
    set_colour,
    set_mode,
    type_of,
)
from withhold.formats.pdf.inspection.characters import (
    UNKNOWN,
    Flags,
    Floats,
    Places,
    boxes,
    characters,
    holders,
)

__all__ = ["INVISIBLE", "STENCIL", "UNKNOWN", "Flags", "Floats", "Glyphs", "Pixels", "Places", "Sheet", "opened"]

Pixels = NDArray[np.uint8]
Packed = NDArray[np.uint32]
"""Pixels as one number each: blue, green and red, from the lowest byte, and one that is always the same."""

INVISIBLE = frozenset((3, 7))
"""Render modes of text that leaves no ink."""

STENCIL = frozenset((7,))
"""Of these, the one through which other things are painted, so that it may be seen after all."""

_BAR = re.compile("[\u2580-\u25ff\u2b1b]")
_WRITTEN = frozenset((raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_WIDGET))
WHITE = 0xFFFFFFFF
_PATTERNS = (b"PatternType", b"ObjStm")
"""Names of what makes a pattern, and of objects that are packed."""

_WRITTEN_OUT = re.compile(
    b"|".join(b"".join(b"(?:%c|#%02x|#%02X)" % ((letter,) * 3) for letter in name) for name in _PATTERNS)
)
"""The same with any of their letters written as its number."""

_NUMBERED = re.compile(b"#[4-7][0-9A-Fa-f]")
_LONGEST = 33
_MOST_PIXELS = 12_000_000
_DEEPEST = 12
_MOST_OBJECTS = 200_000


class File(pdfium.PdfDocument):  # type: ignore[misc]
    """A file in PDFium."""

    def __init__(self, data: bytes, password: str | None) -> None:
        super().__init__(data, password=password)
        self._data = data
        self._canvases: dict[str, Packed] = {}

    def canvas(self, name: str, shape: tuple[int, int]) -> Packed:
        """White pixels; those that had this name before, if they are as many. Without a name, they are new."""
        known = self._canvases.get(name)
        if known is not None and known.shape == shape:
            known.fill(WHITE)
            return known
        made: Packed = np.full(shape, WHITE, np.uint32)
        if name:
            self._canvases[name] = made
        return made

    @cached_property
    def may_have_patterns(self) -> bool:
        """Whether anything in the file could be a pattern: those are told by a key, which stands in the file as it is
        unless objects are packed.
        """
        return any(name in self._data for name in _PATTERNS) or any(
            _WRITTEN_OUT.search(self._data, max(0, match.start() - _LONGEST), match.end() + _LONGEST)
            for match in _NUMBERED.finditer(self._data)
        )


@contextmanager
def opened(data: bytes, password: str | None = None) -> Iterator[File]:
    """The file in PDFium.

    Raises:
        EncryptedDocument: if it needs another password.
        DamagedDocument: if PDFium cannot open it.
    """
    try:
        document = File(data, password)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise EncryptedDocument("the PDF needs a password; remove it first") from None
        raise DamagedDocument("the PDF cannot be opened") from None
    try:
        if document.get_formtype() != raw.FORMTYPE_NONE:
            document.init_forms()  # or fields would not be drawn
        yield document
    finally:
        document.close()


@dataclass(frozen=True, eq=False, repr=False)
class Glyphs:
    """The characters of a page in the order PDFium reads them. `boxes` are left, bottom, right and top in points of
    the page; `blocks` are the objects of the sheet that hold nothing but bars and squares.
    """

    text: str
    boxes: Floats
    blocks: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.text)


class Sheet:
    """One page. What is done to its objects is forgotten when it is closed."""

    def __init__(self, document: File, number: int) -> None:
        self._file = document
        try:
            self._page = document[number]
        except pdfium.PdfiumError:
            raise DamagedDocument(f"page {number + 1} cannot be opened") from None
        self.width, self.height = self._page.get_size()
        at = address(self._page.raw)
        top = [object_at(at, index) for index in range(raw.FPDFPage_CountObjects(self._page.raw))]
        self._objects = list(_leaves(top))
        self._has_forms = self._objects != top
        self.types = list(map(type_of, self._objects))
        self.blocks: frozenset[int] = frozenset()
        self.said: str | None = None
        """All of its text as PDFium extracts it, once its glyphs were asked for."""
        self._text: Any = None

    def __enter__(self) -> Sheet:
        return self

    def __exit__(self, *_: object) -> None:
        if self._text is not None:
            self._text.close()
        self._page.close()

    def of_type(self, *types: int) -> list[int]:
        return [place for place, each in enumerate(self.types) if each in types]

    @property
    def texts(self) -> list[int]:
        """Objects to be read; `blocks`, which are bars that are set as letters, are none."""
        return [place for place in self.of_type(raw.FPDF_PAGEOBJ_TEXT) if place not in self.blocks]

    @property
    def others(self) -> list[int]:
        texts = set(self.texts)
        return [place for place in range(len(self.types)) if place not in texts]

    @property
    def images(self) -> list[int]:
        return self.of_type(raw.FPDF_PAGEOBJ_IMAGE)

    @property
    def may_have_images(self) -> bool:
        """Whether there are images on the page, or forms that nobody has looked into."""
        return bool(self.of_type(raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM))

    @property
    def has_annotations(self) -> bool:
        return bool(raw.FPDFPage_GetAnnotCount(self._page.raw) > 0)

    def scale(self, wanted: float) -> float:
        """The scale, or the largest that a page of this size can be drawn at."""
        return float(min(wanted, (_MOST_PIXELS / max(self.width * self.height, 1.0)) ** 0.5))

    def show(self, objects: Iterable[int], shown: bool) -> None:
        for place in objects:
            set_active(self._objects[place], shown)

    def colour(self, objects: Iterable[int], red: int, green: int, blue: int) -> None:
        """Fill texts with a colour, whatever the mode and colour they were drawn in."""
        for place in objects:
            set_mode(self._objects[place], 0)
            set_colour(self._objects[place], red, green, blue, 255)

    def render(self, scale: float, *, annotations: bool = True) -> Pixels:
        """The page as it now is, rows of blue, green and red."""
        return pixels(self.draw(scale, annotations=annotations))

    def draw(self, scale: float, *, annotations: bool = True, on: str = "") -> Packed:
        """The page as it now is, with a number for each pixel; on the canvas of the file that is called so, if any."""
        try:
            shape = math.ceil(self.height * scale), math.ceil(self.width * scale)
        except ValueError:
            shape = 0, 0
        if min(shape) < 1:
            raise DamagedDocument("a page cannot be drawn")
        drawn = self._file.canvas(on, shape)
        given = (drawn.ctypes.data, shape[1] * drawn.itemsize)
        bitmap = raw.FPDFBitmap_CreateEx(shape[1], shape[0], raw.FPDFBitmap_BGRx, *given)
        if not bitmap:
            raise DamagedDocument("a page cannot be drawn")
        where = (bitmap, self._page.raw, 0, 0, shape[1], shape[0], 0, raw.FPDF_ANNOT if annotations else 0)
        raw.FPDF_RenderPageBitmap(*where)
        if annotations and self._page.formenv:
            raw.FPDF_FFLDraw(self._page.formenv, *where)
        raw.FPDFBitmap_Destroy(bitmap)
        return drawn

    @property
    def is_bare(self) -> bool:
        """Whether nothing is drawn on the page but texts: without them, it is blank."""
        return not self.has_annotations and not self._has_forms and not self.others

    @property
    def is_black(self) -> bool:
        """Whether all texts are filled in plain black, so that to `colour` them so would change nothing.

        What a pattern paints can be said to be black, too: a file that may have patterns has no such page.
        """
        colour = np.ones(4, np.uint32)
        at = [colour.ctypes.data + each * colour.itemsize for each in range(len(colour))]
        for place in self.texts:
            told = colour_of(self._objects[place], *at)
            if not told or self.mode(place) or colour.tolist() != [0, 0, 0, 255]:
                return False
        return not self._file.may_have_patterns

    def mode(self, place: int) -> int:
        return int(mode_of(self._objects[place]))

    def is_optional(self, place: int) -> bool:
        """Whether an object belongs to a layer that can be switched off."""
        marked = as_object(self._objects[place])
        marks = raw.FPDFPageObj_CountMarks(marked)
        return any(_mark(marked, index) == "OC" for index in range(max(marks, 0)))

    def has_font(self, place: int) -> bool:
        """Whether the font of a text is in the file."""
        font = raw.FPDFTextObj_GetFont(as_object(self._objects[place]))
        return bool(font) and raw.FPDFFont_GetIsEmbedded(font) == 1

    def is_clipped(self, place: int) -> bool:
        """Whether an object may be drawn in a part of the page only."""
        path = raw.FPDFPageObj_GetClipPath(as_object(self._objects[place]))
        return bool(path) and raw.FPDFClipPath_CountPaths(path) > 0

    def text_page(self) -> Any:
        """PDFium's own view of the characters; to be closed."""
        return self._page.get_textpage()

    def glyphs(self) -> Glyphs:
        """Every character that the file itself has, without the spaces that PDFium makes up."""
        if self._text is None:
            self._text = self.text_page()
            with suppress(RecursionError):
                self.said = self._text.get_text_range()
        text = characters(self._text, self.said)
        glyphs = Glyphs(text, boxes(self._text, text))
        return replace(glyphs, blocks=self._bars(glyphs)) if _BAR.search(text) else glyphs

    def owners(self, glyphs: Glyphs) -> Places:
        """Which object of the sheet each of its glyphs stands in, or -1."""
        places = {each: place for place, each in enumerate(self._objects)}
        return holders(self._text, glyphs.text, places)

    def _bars(self, glyphs: Glyphs) -> frozenset[int]:
        bars, read = set[int](), set[int]()
        for letter, owner in zip(glyphs.text, self.owners(glyphs).tolist(), strict=True):
            (bars if _BAR.match(letter) else read).add(owner)
        return frozenset(bars - read)

    def covers(self, boxes: Floats) -> Places:
        """The first annotation over the middle of each box, of those that do not write themselves, or -1."""
        middle = (boxes[:, :2] + boxes[:, 2:]) / 2
        first = np.full(len(boxes), -1, np.int64)
        for number, (left, bottom, right, top) in enumerate(self._annotations()):
            inside = (middle > (left, bottom)).all(axis=1) & (middle < (right, top)).all(axis=1)
            first[inside & (first < 0)] = number
        return first

    def _annotations(self) -> Iterator[tuple[float, float, float, float]]:
        bounds = raw.FS_RECTF()
        for index in range(raw.FPDFPage_GetAnnotCount(self._page.raw)):
            annotation = raw.FPDFPage_GetAnnot(self._page.raw, index)
            drawn = raw.FPDFAnnot_GetSubtype(annotation) not in _WRITTEN
            if drawn and raw.FPDFAnnot_GetRect(annotation, bounds):
                yield bounds.left, bounds.bottom, bounds.right, bounds.top
            raw.FPDFPage_CloseAnnot(annotation)

    def on_picture(self, boxes: Floats, shape: tuple[int, ...]) -> Floats:
        """Boxes in points as left, top, right and bottom in pixels of a picture of that shape, unrounded."""
        (x, y), (right, down), (aside, up) = self._frame()
        columns = [(x + boxes[:, at] * right + boxes[:, at + 1] * aside) * shape[1] for at in (0, 2)]
        rows = [(y + boxes[:, at] * down + boxes[:, at + 1] * up) * shape[0] for at in (0, 2)]
        placed: Floats = np.empty((4, len(boxes)))
        for row, (one, other) in enumerate((columns, rows)):
            np.minimum(one, other, out=placed[row])
            np.maximum(one, other, out=placed[row + 2])
        return placed.T

    def pixel(self, x: Floats, y: Floats, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The column and row of a picture of that shape that points of the page lie in."""
        origin, across, up = self._frame()
        column = (origin[0] + x * across[0] + y * up[0]) * shape[1]
        row = (origin[1] + x * across[1] + y * up[1]) * shape[0]
        return np.floor(column).astype(np.int64), np.floor(row).astype(np.int64)

    def on_page(self, place: Floats, shape: tuple[int, ...]) -> Floats:
        """A box of a picture as left, bottom, right and top in points."""
        origin, across, up = self._frame()
        shares = np.array([place[:2], place[2:]]) / (shape[1], shape[0]) - origin
        corners = np.linalg.solve(np.column_stack((across, up)), shares.T).T
        box: Floats = np.hstack((corners.min(axis=0), corners.max(axis=0)))
        return box

    def _frame(self) -> tuple[Floats, Floats, Floats]:
        """Where the origin lies on the page as it is shown, and how far a point goes along either axis, as shares of
        its width and height. PDFium rounds to whole pixels, so it is asked about a large picture and many points.
        """
        far, pixels = 100.0, 60_000
        x, y = ctypes.c_int(), ctypes.c_int()
        found = []
        for across, up in ((0.0, 0.0), (far, 0.0), (0.0, far)):
            raw.FPDF_PageToDevice(self._page.raw, 0, 0, pixels, pixels, 0, across, up, x, y)
            found.append(np.array([x.value, y.value]) / pixels)
        return found[0], (found[1] - found[0]) / far, (found[2] - found[0]) / far


def pixels(drawn: Packed) -> Pixels:
    """Rows of blue, green and red."""
    return drawn.view(np.uint8).reshape(*drawn.shape, 4)[:, :, :3]


def _leaves(top: Sequence[int]) -> Iterator[int]:
    """The objects of a page in the order they are drawn, those in forms too, by their addresses."""
    left = _MOST_OBJECTS
    waiting = [(each, 0) for each in reversed(top)]
    while waiting:
        each, depth = waiting.pop()
        left -= 1
        if left < 0:
            raise HostileDocument("a page has more objects than can be looked at")
        if type_of(each) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            inside = range(count_in(each))
            waiting += [(object_in(each, index), depth + 1) for index in reversed(inside)]
        else:
            yield each


def _mark(holder: Any, index: int) -> str:
    name, length = (raw.FPDF_WCHAR * 16)(), ctypes.c_ulong()
    mark = raw.FPDFPageObj_GetMark(holder, index)
    if not raw.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length):
        return ""
    return bytes(name)[: length.value].decode("utf-16-le", "replace").rstrip("\x00")
