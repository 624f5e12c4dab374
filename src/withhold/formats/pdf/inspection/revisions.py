"""Earlier states of a PDF that were saved over, and are still in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from withhold.errors import DocumentError
from withhold.formats.pdf.inspection.sheets import opened
from withhold.types import Hidden

EARLIER = "earlier revisions"

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF[ \t]*\r?\n?")
_OBJECT = re.compile(rb"\b\d+\s+\d+\s+obj\b")
_MOST = 5
_PAGES = 50


def earlier_revisions(data: bytes, password: str | None = None) -> Iterator[Hidden]:
    """Every state but the last, with the lines of text that are no longer in the file as it is read."""
    ends = [match.end() for match in _END.finditer(data) if int(match[1])]
    # Word writes an empty section after the first, and a linearised file begins with one of its own.
    earlier = [end for end, after in pairwise(ends) if _OBJECT.search(data, end, after)]
    if not earlier:
        return
    current = set(_lines(data, password))
    for number, end in enumerate(earlier, 1):
        told = _lines(data[:end], password) if number > len(earlier) - _MOST else []
        yield Hidden(EARLIER, f"revision {number}", text=" | ".join(line for line in told if line not in current))


def _lines(data: bytes, password: str | None) -> list[str]:
    """The lines of the first pages; none if it is no document."""
    lines: list[str] = []
    try:
        with opened(data, password) as document:
            for number in range(min(len(document), _PAGES)):
                page = document[number].get_textpage()
                lines += [line.strip() for line in page.get_text_range().splitlines() if line.strip()]
    except (DocumentError, RuntimeError):
        return lines
    return lines
