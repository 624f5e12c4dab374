"""Names, places, organisations and telling words, found by a small network of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from withhold.labels import KINDS, identifier
from withhold.policy import Detection, Policy
from withhold.spans import Span
from withhold.types import Document, Finding

if TYPE_CHECKING:
    from withhold.learners.tagger.network import Tags

_LEAST = {
    "PERSON": 0.15,
    "ORG": 0.3,
    "LOC": 0.3,
    "CODE": 0.3,
    "DATETIME": 0.5,
    "QUANTITY": 0.5,
    "DEM": 0.5,
    "MISC": 0.3,
}
"""How likely a word has to be a name of a kind for it to be taken for one. A miss costs more than a false alarm."""

_TOLD = 0.5
"""Words that are this share as likely are told too, as doubtful."""


class TaggerDetector:
    """Finds what only its context tells: people, organisations, places, professions.

    A score of one half is where a miss and a false alarm cost the same; what is somewhat less likely is found with a
    lower score. A name that points at one person all by itself is a direct identifier, whatever its label.
    """

    def __init__(self, detection: Detection) -> None:
        self.detection = detection
        self._wanted = [kind for kind in KINDS if kind in detection.wanted]

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.detection)

    def detect(self, document: Document) -> list[Finding]:
        if not self._wanted:
            return []
        from withhold.learners.tagger.network import tagger

        return [finding for tags in tagger().tag(document.text) for finding in self._findings(tags)]

    def _findings(self, tags: Tags) -> Iterator[Finding]:
        import numpy as np

        from withhold.learners.tagger.network import KINDS as ORDER

        columns = [ORDER.index(kind) for kind in self._wanted]
        kinds = tags.kinds[:, columns]
        best = kinds.argmax(1)
        likely = np.sqrt(kinds.sum(1) * tags.masks)
        least = np.array([_LEAST[kind] for kind in self._wanted])[best]
        scores = np.where(likely >= least, 0.5 + (likely - least) / (1 - least) / 2, likely / least / 2)
        taken = likely >= _TOLD * least
        fresh = np.ones(len(tags), bool)
        fresh[1:] = (
            ~taken[:-1]
            | (best[1:] != best[:-1])
            | (tags.begins[1:] > 0.5)
            | ((scores[1:] >= 0.5) != (scores[:-1] >= 0.5))
        )
        firsts = np.flatnonzero(taken & fresh)
        groups = np.cumsum(fresh) - 1
        for first in firsts.tolist():
            last = first
            while last + 1 < len(tags) and taken[last + 1] and groups[last + 1] == groups[first]:
                last += 1
            label = self._wanted[best[first]]
            score = float(scores[first : last + 1].mean())
            direct = bool(tags.direct[first : last + 1].mean() > 0.5)
            span = Span(int(tags.starts[first]), int(tags.ends[last]))
            yield Finding(
                span,
                label,
                "tagger",
                round(score, 3),
                reason="by its context",
                identifier="direct" if direct else identifier(label),
            )
