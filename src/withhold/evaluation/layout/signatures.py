"""What can be measured on the pages of a PDF, by PDFium alone: where each letter stands, and every edge of a shape."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw


@dataclass(frozen=True, slots=True)
class Signature:
    """A file as a reader sees it (`text`, with its lines), as one measures it (`layout`), and as it is (`file`)."""

    text: str
    layout: str
    file: str


def signature(data: bytes) -> Signature:
    """Digests of the three; two files with the same layout have every letter and edge within 0.01 points."""
    text, places = [], []
    document = pdfium.PdfDocument(data)
    for number in range(len(document)):
        page = document[number]
        shown = page.get_textpage()
        text.append(shown.get_text_range())
        places += [*_letters(shown), *_edges(page.raw)]
        shown.close()
        page.close()
    document.close()
    return Signature(*(_digest(each) for each in ("\f".join(text).encode(), repr(places).encode(), data)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _letters(page: Any) -> Iterator[tuple[int, float, float]]:
    x, y = ctypes.c_double(), ctypes.c_double()
    for index in range(page.count_chars()):
        if raw.FPDFText_IsGenerated(page.raw, index) != 1:
            raw.FPDFText_GetCharOrigin(page.raw, index, x, y)
            yield raw.FPDFText_GetUnicode(page.raw, index), round(x.value, 2), round(y.value, 2)


def _edges(page: Any) -> Iterator[tuple[float, ...]]:
    """The bounds of everything that is no text."""
    bounds = [ctypes.c_float() for _ in range(4)]
    for index in range(raw.FPDFPage_CountObjects(page)):
        each = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(each) != raw.FPDF_PAGEOBJ_TEXT and raw.FPDFPageObj_GetBounds(each, *bounds):
            yield tuple(round(bound.value, 2) for bound in bounds)
