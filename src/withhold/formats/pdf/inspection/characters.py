"""The characters of a page as PDFium reads them: what they are, and where they stand.

A page has thousands, and PDFium tells of one at a time. So whatever can be prepared for these calls is prepared once:
the places to write to are the same for all pages.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections import deque
from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.formats.pdf.inspection.calls import address, box_of, holder_of, unicode_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

UNKNOWN = "\ufffd"
"""What stands for a code that the file gives no meaning."""

_STRANGE = re.compile("[\0\ud800-\udfff\ufffd\ufffe]")

_AT_ONCE = 4096
"""Boxes of so many characters are asked for before they are taken from where PDFium writes them."""

_ORDER = (0, 16, 8, 24)
"""PDFium tells left, right, bottom and top; here bottom comes before right."""

_CORNER = ctypes.sizeof(ctypes.c_double)


def characters(page: Any, said: str | None) -> str:
    """Every character of a text page; `said` is what PDFium makes of all of them at once, if it was asked.

    That is the same, and quicker to have, unless PDFium leaves out a character, or writes it in another way.
    """
    count = page.count_chars()
    if said is not None and len(said) == count and not _STRANGE.search(said):
        return said
    at = address(page.raw)
    codes = [unicode_of(at, index) for index in range(count)]
    return "".join([chr(code) if 0 < code < 0x110000 else UNKNOWN for code in codes])


def which(text: str, question: Callable[[str], bool]) -> Flags:
    """Of which characters of a text something is true; it is asked once for each that there is."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    told = np.zeros(int(codes.max(initial=0)) + 1, bool)
    told[[ord(each) for each in set(text) if question(each)]] = True
    found: Flags = told[codes]
    return found


def boxes(page: Any, text: str) -> Floats:
    """The boxes of the characters of a text page as left, bottom, right and top; white space has none."""
    found: Floats = np.zeros((len(text), 4))
    wanted = np.flatnonzero(~which(text, str.isspace))
    for first in range(0, len(wanted), _AT_ONCE):
        part = wanted[first : first + _AT_ONCE]
        found[part] = _room.boxes(address(page.raw), part.tolist())
    return found


def holders(page: Any, text: str, places: dict[int, int]) -> Places:
    """Which object each character stands in, by `places`, which are told by address; -1 for any other, and for white
    space.
    """
    at = address(page.raw)
    found = (-1 if letter.isspace() else places.get(holder_of(at, index), -1) for index, letter in enumerate(text))
    return np.fromiter(found, np.int64, len(text))


class _Room(threading.local):
    """Where PDFium writes boxes to, with the way to each corner of each box: one for every thread."""

    def __init__(self) -> None:
        self.written: Floats = np.zeros((_AT_ONCE, 4))
        written = (ctypes.c_double * self.written.size).from_address(self.written.ctypes.data)
        self.corners = [
            [ctypes.byref(written, 4 * _CORNER * index + corner) for index in range(_AT_ONCE)] for corner in _ORDER
        ]

    def boxes(self, page: int, wanted: list[int]) -> Floats:
        """The boxes of characters by their numbers, `_AT_ONCE` at most, until it is asked for others."""
        self.written[: len(wanted)] = 0
        deque(map(box_of, repeat(ctypes.c_void_p(page)), wanted, *self.corners), 0)
        return self.written[: len(wanted)]


_room = _Room()
