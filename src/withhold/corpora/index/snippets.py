"""The stretch of a text that shows best why it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from withhold.text import WORD, fold

WIDTH = 240
"""How many characters are shown."""


def snippet(text: str, wanted: Collection[str]) -> str:
    """The stretch with the most different wanted words, and of several the first; in one line."""
    folded = fold(text)
    spans = [
        (match.group(), folded.span(*match.span())) for match in WORD.finditer(folded.text) if match.group() in wanted
    ]
    best, start, inside, first = 0, 0, Counter[str](), 0
    for word, span in spans:
        inside[word] += 1
        while span.end - spans[first][1].start > WIDTH and spans[first][1].start < span.start:
            left, _ = spans[first]
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
            first += 1
        if len(inside) > best:
            best, start = len(inside), spans[first][1].start
    return _line(text, start)


def _line(text: str, start: int) -> str:
    end = min(start + WIDTH, len(text))
    shown = " ".join(text[start:end].split())
    return ("… " if start else "") + shown + (" …" if end < len(text) else "")
