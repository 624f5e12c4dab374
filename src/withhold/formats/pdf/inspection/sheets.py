"""Pages as PDFium draws them, whose objects can be put out of sight one by one."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from withhold.errors import DamagedDocument, EncryptedDocument, HostileDocument

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

INVISIBLE = frozenset((3, 7))
"""Render modes of text that leaves no ink."""

STENCIL = frozenset((7,))
"""Of these, the one through which other things are painted, so that it may be seen after all."""

UNKNOWN = "\ufffd"
"""What stands for a code that the file gives no meaning."""

_BAR = re.compile("[\u2580-\u25ff\u2b1b]")
_WRITTEN = frozenset((raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_WIDGET))
_MOST_PIXELS = 12_000_000
_DEEPEST = 12
_MOST_OBJECTS = 200_000


@contextmanager
def opened(data: bytes, password: str | None = None) -> Iterator[Any]:
    """The file in PDFium.

    Raises:
        EncryptedDocument: if it needs another password.
        DamagedDocument: if PDFium cannot open it.
    """
    try:
        document = pdfium.PdfDocument(data, password=password)
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

    def __init__(self, document: Any, number: int) -> None:
        try:
            self._page = document[number]
        except pdfium.PdfiumError:
            raise DamagedDocument(f"page {number + 1} cannot be opened") from None
        self.width, self.height = self._page.get_size()
        self._objects = list(_leaves(self._page.raw))
        self.types = [raw.FPDFPageObj_GetType(each) for each in self._objects]
        self._places = {_address(each): place for place, each in enumerate(self._objects)}
        self.blocks: frozenset[int] = frozenset()
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
    def has_annotations(self) -> bool:
        return bool(raw.FPDFPage_GetAnnotCount(self._page.raw) > 0)

    def scale(self, wanted: float) -> float:
        """The scale, or the largest that a page of this size can be drawn at."""
        return float(min(wanted, (_MOST_PIXELS / max(self.width * self.height, 1.0)) ** 0.5))

    def show(self, objects: Iterable[int], shown: bool) -> None:
        for place in objects:
            raw.FPDFPageObj_SetIsActive(self._objects[place], shown)

    def colour(self, objects: Iterable[int], red: int, green: int, blue: int) -> None:
        """Fill texts with a colour, whatever the mode and colour they were drawn in."""
        for place in objects:
            raw.FPDFTextObj_SetTextRenderMode(self._objects[place], 0)
            raw.FPDFPageObj_SetFillColor(self._objects[place], red, green, blue, 255)

    def render(self, scale: float, *, annotations: bool = True) -> Pixels:
        """The page as it now is, rows of blue, green and red."""
        try:
            drawn = self._page.render(scale=scale, draw_annots=annotations, may_draw_forms=annotations)
        except (pdfium.PdfiumError, ValueError):
            raise DamagedDocument("a page cannot be drawn") from None
        pixels: Pixels = drawn.to_numpy().copy()
        drawn.close()
        return pixels[:, :, :3]

    def mode(self, place: int) -> int:
        return int(raw.FPDFTextObj_GetTextRenderMode(self._objects[place]))

    def is_optional(self, place: int) -> bool:
        """Whether an object belongs to a layer that can be switched off."""
        marks = raw.FPDFPageObj_CountMarks(self._objects[place])
        return any(_mark(self._objects[place], index) == "OC" for index in range(max(marks, 0)))

    def has_font(self, place: int) -> bool:
        """Whether the font of a text is in the file."""
        font = raw.FPDFTextObj_GetFont(self._objects[place])
        return bool(font) and raw.FPDFFont_GetIsEmbedded(font) == 1

    def is_clipped(self, place: int) -> bool:
        """Whether an object may be drawn in a part of the page only."""
        path = raw.FPDFPageObj_GetClipPath(self._objects[place])
        return bool(path) and raw.FPDFClipPath_CountPaths(path) > 0

    def text_page(self) -> Any:
        """PDFium's own view of the characters; to be closed."""
        return self._page.get_textpage()

    def glyphs(self) -> Glyphs:
        """Every character that the file itself has, without the spaces that PDFium makes up."""
        if self._text is None:
            self._text = self.text_page()
        page, count = _address(self._text.raw), self._text.count_chars()
        codes = [_unicode_of(page, index) for index in range(count)]
        text = "".join([chr(code) if 0 < code < 0x110000 else UNKNOWN for code in codes])
        glyphs = Glyphs(text, _boxes(page, text))
        return replace(glyphs, blocks=self._bars(glyphs)) if _BAR.search(text) else glyphs

    def owners(self, glyphs: Glyphs) -> Places:
        """Which object of the sheet each of its glyphs stands in, or -1."""
        page, places = _address(self._text.raw), self._places
        holders = (
            -1 if letter.isspace() else places.get(_object_of(page, index), -1)
            for index, letter in enumerate(glyphs.text)
        )
        return np.fromiter(holders, np.int64, len(glyphs))

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
        origin, across, up = self._frame()
        size = np.array([shape[1], shape[0]])
        first = (origin + boxes[:, :1] * across + boxes[:, 1:2] * up) * size
        second = (origin + boxes[:, 2:3] * across + boxes[:, 3:4] * up) * size
        placed: Floats = np.hstack((np.minimum(first, second), np.maximum(first, second)))
        return placed

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


def _leaves(page: Any) -> Iterator[Any]:
    """The objects of a page in the order they are drawn, those in forms too."""
    left = _MOST_OBJECTS
    waiting = [(raw.FPDFPage_GetObject(page, index), 0) for index in reversed(range(raw.FPDFPage_CountObjects(page)))]
    while waiting:
        each, depth = waiting.pop()
        left -= 1
        if left < 0:
            raise HostileDocument("a page has more objects than can be looked at")
        if raw.FPDFPageObj_GetType(each) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            inside = range(raw.FPDFFormObj_CountObjects(each))
            waiting += [(raw.FPDFFormObj_GetObject(each, index), depth + 1) for index in reversed(inside)]
        else:
            yield each


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _by_address(function: Any, result: Any, *given: Any) -> Any:
    """A function of PDFium that takes and gives addresses as numbers: for a letter, nothing is wrapped or unwrapped."""
    same = type(function)(_address(function))
    same.restype, same.argtypes = result, given
    return same


_unicode_of = _by_address(raw.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_object_of = _by_address(raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_box_of = _by_address(raw.FPDFText_GetCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4)


def _boxes(page: int, text: str) -> Floats:
    """The boxes of letters as PDFium writes them, one after the other; spaces have none."""
    boxes: Floats = np.zeros((len(text), 4))
    left = boxes.ctypes.data
    for index, letter in enumerate(text):
        if not letter.isspace():
            _box_of(page, index, left, left + 16, left + 8, left + 24)
        left += 32
    return boxes


def _mark(holder: Any, index: int) -> str:
    name, length = (raw.FPDF_WCHAR * 16)(), ctypes.c_ulong()
    mark = raw.FPDFPageObj_GetMark(holder, index)
    if not raw.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length):
        return ""
    return bytes(name)[: length.value].decode("utf-16-le", "replace").rstrip("\x00")
