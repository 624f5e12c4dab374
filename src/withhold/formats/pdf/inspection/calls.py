"""Functions of PDFium that take and give addresses as numbers: pages have objects and letters by the thousand, and to
wrap each of them takes longer than what is asked of it.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as raw

_IS_WIDE = ctypes.sizeof(ctypes.c_void_p) == 8
"""Whether there is one way to call functions, which is so but for some processors of 32 bits."""

_ADDRESS, _NUMBER, _COUNT = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint


def address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def by_address(function: Any, result: Any, *given: Any) -> Any:
    """The same function, for calls that are too short to let other threads run meanwhile. Without `given`, nothing that
    it is called with is looked at.
    """
    kind: Any = ctypes.PYFUNCTYPE(result) if _IS_WIDE else type(function)
    same = kind(address(function))
    same.restype, same.argtypes = result, given or None
    return same


unicode_of = by_address(raw.FPDFText_GetUnicode, _COUNT, _ADDRESS, _NUMBER)
holder_of = by_address(raw.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, _NUMBER)
box_of = by_address(raw.FPDFText_GetCharBox, None)

object_at = by_address(raw.FPDFPage_GetObject, _ADDRESS, _ADDRESS, _NUMBER)
object_in = by_address(raw.FPDFFormObj_GetObject, _ADDRESS, _ADDRESS, ctypes.c_ulong)
count_in = by_address(raw.FPDFFormObj_CountObjects, _NUMBER, _ADDRESS)
type_of = by_address(raw.FPDFPageObj_GetType, _NUMBER, _ADDRESS)
mode_of = by_address(raw.FPDFTextObj_GetTextRenderMode, _NUMBER, _ADDRESS)
set_mode = by_address(raw.FPDFTextObj_SetTextRenderMode, _NUMBER, _ADDRESS, _NUMBER)
colour_of = by_address(raw.FPDFPageObj_GetFillColor, _NUMBER, *[_ADDRESS] * 5)
set_colour = by_address(raw.FPDFPageObj_SetFillColor, _NUMBER, _ADDRESS, *[_COUNT] * 4)
set_active = by_address(raw.FPDFPageObj_SetIsActive, _NUMBER, _ADDRESS, _NUMBER)


def as_object(place: int) -> Any:
    """An object for functions that are as they are."""
    return ctypes.cast(place, raw.FPDF_PAGEOBJECT)
