"""Which words count, and which characters are covered.

Function words, titles and punctuation give nobody away: whether they were found or not is neither right nor wrong.
The Text Anonymization Benchmark tells them by the parts of speech of a tagger (ADP, PART, CCONJ, DET); here they are
a fixed list of English words of these classes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from withhold.spans import Span

WORD = re.compile(r"\w+")

_CLASSES = {
    "prepositions": "about above across after against along amid amidst among amongst around as at before behind below "
    "beneath beside besides between beyond by despite down during except for from in inside into like near of off on "
    "onto out outside over past per since than through throughout till to toward towards under underneath until up "
    "upon versus via with within without",
    "particles": "not",
    "conjunctions": "and but either neither nor or plus yet",
    "determiners": "all an another any both each every half no some such that the these this those what whatever which "
    "whichever",
    "titles": "mr mrs ms nr",
}
_IDLE = frozenset(word for words in _CLASSES.values() for word in words.split())
_SIGNS = frozenset(" ,.-;:/&()[]–'\"’“”")
_APOSTROPHES = ("'", "’")


def idle(text: str, word: Span) -> bool:
    """Whether a word gives nobody away. A capital A may be an initial, and counts."""
    written = word.of(text)
    if written in ("s", "t"):
        return text[: word.start].endswith(_APOSTROPHES)
    return written == "a" or written.lower() in _IDLE


def words(text: str, within: Span | None = None) -> list[Span]:
    """The words of a text, or those parts of them that lie in a span."""
    found = WORD.finditer(text, within.start, within.end) if within else WORD.finditer(text)
    return [Span(*match.span()) for match in found]


def telling(text: str) -> list[Span]:
    """The words that count."""
    return [word for word in words(text) if not idle(text, word)]


def mask(length: int, spans: Iterable[Span], *, without: Iterable[Span] = ()) -> bytearray:
    """One byte a character: 1 in the spans and not in those `without`, 0 elsewhere."""
    return _fill(_fill(bytearray(length), spans, b"\1"), without, b"\0")


def _fill(marked: bytearray, spans: Iterable[Span], value: bytes) -> bytearray:
    for span in spans:
        end = min(span.end, len(marked))
        marked[span.start : end] = value * (end - span.start)
    return marked


def touched(marked: bytearray, span: Span) -> bool:
    return marked.find(1, span.start, span.end) >= 0


def gaps(text: str, spans: Iterable[Span]) -> bytearray:
    """One byte a character: 1 where it would have to be covered to hide a mention, and no span does."""
    open_ = bytearray(b"\1") * len(text)
    for place, sign in enumerate(text):
        if sign in _SIGNS or sign.isspace():
            open_[place] = 0
    return _fill(open_, [*spans, *(word for word in words(text) if idle(text, word))], b"\0")


class Containing:
    """Tells quickly whether one of many spans holds the whole of another one."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts: Sequence[int] = [span.start for span in ordered]
        self._reach = list(accumulate((span.end for span in ordered), max))

    def __contains__(self, span: Span) -> bool:
        before = bisect_right(self._starts, span.start)
        return before > 0 and self._reach[before - 1] >= span.end
