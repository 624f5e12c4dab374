"""Names, places, organisations and telling words, found by a small network of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from withhold.labels import KINDS, LABELS, identifier
from withhold.policy import Detection, Policy
from withhold.spans import Span
from withhold.types import Array, Document, Finding

if TYPE_CHECKING:
    from withhold.learners.tagger.network import Tags

_NAMED = {
    "PERSON": 0.2,
    "ORG": 0.4,
    "LOC": 0.4,
    "CODE": 0.1,
    "DATETIME": 0.4,
    "QUANTITY": 0.2,
    "DEM": 0.2,
    "MISC": 0.3,
}
"""How likely words have to be a name of a kind to be taken for one: a miss costs more than a false alarm."""

_TELLING = {
    "PERSON": 0.2,
    "ORG": 0.55,
    "LOC": 0.45,
    "CODE": 0.2,
    "DATETIME": 0.3,
    "QUANTITY": 0.4,
    "DEM": 0.4,
    "MISC": 0.5,
}
"""How likely they have to tell something of someone: a state that is sued, or a law, identifies nobody."""

_RIVAL = {"CODE": 0.2}
"""How likely words have to be of a kind, as a share of how likely they are of the likeliest one, whether that is wanted
or not: a number that is five times as likely a date or a sum is no code.
"""

_STATES = re.compile(
    r"(?:the )?(?:(?:federal |islamic |people's |democratic |former )*"
    r"(?:(?:republic|kingdom|commonwealth)(?: of [\w ]+)?|federation)"
    r"|united kingdom(?: of great britain and northern ireland)?|united states(?: of america)?|[\w ]+ government)"
)
"""States as parties, and their governments: who they are identifies nobody."""

_LINE_NUMBER = re.compile(r"^[ \t]*(\d{1,3})[ \t]*$", re.MULTILINE)
_NUMBERED = 10
"""So many lines that hold nothing but 1, 2, 3 ... one after the other are the margin of a numbered page."""

_PUBLIC = 0.45
_ADDRESS = "ADDRESS"
_SIGNS = ' \t\r\n,;:|/\\-–—=*_<>{}[]"“”„«»'

_TOLD = 0.5
"""Words that come so near to both are found too, with a lower score."""


class TaggerDetector:
    """Finds what only its context tells: people, organisations, places, professions.

    The score is one half where names are just likely enough to be acted upon. A name that points at one person all by
    itself is a direct identifier, whatever its label. A place with a number is an address. A finding lies within one
    line and does not begin or end with a sign that parts it from others. States and governments, as parties, are told
    and left.
    """

    def __init__(self, detection: Detection) -> None:
        self.detection = detection
        self._wanted = detection.wanted & {*KINDS, _ADDRESS}
        self._kinds = [kind for kind in KINDS if kind in self._wanted or (kind == "LOC" and _ADDRESS in self._wanted)]

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.detection)

    def detect(self, document: Document) -> list[Finding]:
        if not self._wanted:
            return []
        from withhold.learners.tagger.network import tagger

        found = (finding for tags in tagger().tag(document.text) for finding in self._findings(tags))
        numbering = [block.span for block in document.blocks if block.kind == "numbering"]
        numbering += _line_numbers(document.text)
        settled = (_settled(finding, document.text, numbering) for finding in found)
        return [finding for finding in settled if finding and finding.label in self._wanted]

    def _findings(self, tags: Tags) -> Iterator[Finding]:
        """Neighbouring words of one kind are one name, unless the second begins another."""
        import numpy as np

        named, telling = (np.array([least[kind] for kind in self._kinds]) for least in (_NAMED, _TELLING))
        wanted = tags.kinds[:, [KINDS.index(kind) for kind in self._kinds]]
        kinds, likely = wanted.argmax(1), wanted.sum(1)
        taken = np.sqrt(likely * tags.masks) >= _TOLD * named[kinds]
        rival = np.array([_RIVAL.get(kind, 0.0) for kind in self._kinds])[kinds] * tags.kinds.max(1)
        taken &= wanted.max(1) >= rival
        fresh = np.ones(len(tags), bool)
        apart = (kinds[1:] != kinds[:-1]) | (tags.begins[1:] > 0.5) | tags.breaks[1:]
        fresh[1:] = ~(taken[:-1] & taken[1:]) | apart
        firsts = np.flatnonzero(fresh)
        lasts = np.append(firsts[1:], len(tags)) - 1
        names = np.cumsum(fresh) - 1
        lengths = lasts - firsts + 1
        likely, masks, direct = (np.bincount(names, each) / lengths for each in (likely, tags.masks, tags.direct))
        kinds = kinds[firsts]
        scores = np.minimum(_score(np.sqrt(likely * masks), named[kinds]), _score(masks, telling[kinds]))
        for name in np.flatnonzero(taken[firsts] & (scores >= _TOLD / 2)).tolist():
            label = self._kinds[kinds[name]]
            yield Finding(
                Span(int(tags.starts[firsts[name]]), int(tags.ends[lasts[name]])),
                label,
                "tagger",
                round(float(scores[name]), 3),
                reason="by its context",
                identifier="direct" if direct[name] > 0.5 else identifier(label),
            )


def _line_numbers(text: str) -> list[Span]:
    """Where the numbers stand that pleadings and scripts have beside their lines: they count from 1 on every page."""
    found: list[Span] = []
    page: list[Span] = []
    for match in _LINE_NUMBER.finditer(text):
        number = int(match[1])
        if number == 1:
            found += page if len(page) >= _NUMBERED else []
            page = []
        if number == len(page) + 1:
            page.append(Span(*match.span(1)))
    return found + (page if len(page) >= _NUMBERED else [])


def _settled(finding: Finding, text: str, numbering: Sequence[Span]) -> Finding | None:
    """The finding without the signs at its ends, with the label that its words call for; None if nothing is left."""
    words = text[finding.span.start : finding.span.end]
    start = finding.span.start + len(words) - len(words.lstrip(_SIGNS))
    words = words.strip(_SIGNS)
    if words.endswith(")") and "(" not in words:
        words = words.rstrip(")" + _SIGNS)
    if not any(map(str.isalnum, words)) or words.upper() in LABELS:
        return None
    finding = replace(finding, span=Span(start, start + len(words)))
    if not re.search(r"[^\W\d_]{2}", words) and any(finding.span in each for each in numbering):
        return None
    if finding.label == "LOC" and re.search(r"\d", words):
        return replace(finding, label=_ADDRESS, identifier=identifier(_ADDRESS))
    return _public(finding, words)


def _public(finding: Finding, words: str) -> Finding:
    """The finding; one of a state or government with a score that is not acted upon."""
    if finding.label != "ORG" or finding.score <= _PUBLIC or not _STATES.fullmatch(" ".join(words.lower().split())):
        return finding
    return replace(finding, score=_PUBLIC, reason="a state or government")


def _score(likely: Array, least: Array) -> Array:
    """Likelihoods so stretched that what is just enough becomes one half."""
    import numpy as np

    return np.where(likely >= least, 0.5 + (likely - least) / (1 - least) / 2, likely / least / 2)
