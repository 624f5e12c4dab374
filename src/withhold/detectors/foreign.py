"""What detectors made of other people's tools have in common."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterable
from typing import Any
from unicodedata import combining

from withhold.errors import PluginError
from withhold.labels import LABELS, identifier, known_as
from withhold.learners.runtime import silence
from withhold.policy import Detection
from withhold.spans import Span
from withhold.text import INVISIBLE
from withhold.types import Finding

_HALVES = re.compile("[\ud800-\udfff]")


def need(module: str, extra: str) -> Any:
    """A module of an optional dependency. What it has to say to programmers while it is imported is not heard.

    Raises:
        PluginError: if it is not installed; the extra that brings it is named.
    """
    silence()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        trouble = "is not installed" if isinstance(error, ModuleNotFoundError) else "cannot be imported"
        raise PluginError(f"{missing} {trouble}; pip install 'withhold[{extra}]'") from error


def writable(text: str) -> str:
    """The text with what no encoding can write, halves of surrogate pairs, as a sign for that; offsets stay."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def is_asked_for(label: str, detection: Detection) -> bool:
    """Whether a policy wants what another tool finds: labels that only the tool has are always wanted, ours if they
    are chosen, or if none is.
    """
    return not detection.labels or label not in LABELS or label in detection.wanted


class Claims:
    """What another tool says about a text, piece by piece, in our words; each thing once, with its best score."""

    def __init__(self, detector: str, text: str) -> None:
        self.detector, self.text = detector, text
        self._found: dict[tuple[Span, str], Finding] = {}

    def add(self, start: int, end: int, label: str, score: float, reason: str) -> None:
        """A claim; white space around it is left out, and a claim about nothing else is none. Accents and invisible
        characters that follow its last letter are part of it.
        """
        start, end = max(start, 0), min(end, len(self.text))
        while start < end and self.text[start].isspace():
            start += 1
        while start < end and self.text[end - 1].isspace():
            end -= 1
        if start >= end:
            return
        while end < len(self.text) and (combining(self.text[end]) or INVISIBLE.match(self.text[end])):
            end += 1
        name = known_as(label)
        found = Finding(
            Span(start, end),
            name,
            self.detector,
            min(max(float(score), 0.0), 1.0),
            reason=reason,
            identifier=identifier(name),
        )
        other = self._found.setdefault((found.span, name), found)
        if found.score > other.score:
            self._found[found.span, name] = found

    def findings(self, detection: Detection) -> list[Finding]:
        """What the policy asks for, in order."""
        asked = (found for found in self._found.values() if is_asked_for(found.label, detection))
        return sorted(asked, key=lambda each: (each.span, each.label))


def windows(length: int, size: int, overlap: int) -> Iterable[Span]:
    """Stretches that cover a text; each shares `overlap` characters with the next."""
    start = 0
    while start + size < length:
        yield Span(start, start + size)
        start += size - overlap
    yield Span(start, length)


def belongs(start: int, end: int, window: Span, overlap: int, length: int) -> bool:
    """Whether something found in a window is not a neighbour's to tell: what two windows share is theirs in halves, and
    the neighbour sees all of what starts in its half and is no longer than that.
    """
    half = overlap // 2
    first = window.start + half if window.start else 0
    last = window.end - (overlap - half) if window.end < length else length
    return first <= start < last or end - start >= half
