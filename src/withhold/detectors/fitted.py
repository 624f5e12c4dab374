"""What a detector of the user's own finds: `withhold fit detector` makes one from marked documents."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from withhold.labels import identifier
from withhold.policy import Policy
from withhold.types import Document, Finding

if TYPE_CHECKING:
    from withhold.learners.spotter import Spotter


class FittedDetector:
    """Finds what was marked in the documents that a model has learnt from, by the labels they have there.

    How a word is written, what stands around it and what the rest of the text says of it decide. The model is in the
    folder `detection.fitted`; without one nothing is found. A score of one half is the threshold that was chosen when
    it was fitted.
    """

    def __init__(self, spotter: Spotter | None = None) -> None:
        self.spotter = spotter

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        """Load the model of the policy, if it names one.

        Raises:
            NotFitted: if there is none in the folder.
            MalformedData: if it is damaged, or of another version.
        """
        named = policy.detection.fitted
        return cls(_load(policy.resolve(named)) if named else None)

    def detect(self, document: Document) -> list[Finding]:
        if self.spotter is None:
            return []
        return [
            Finding(
                each.span,
                each.label,
                "fitted",
                each.score,
                reason=f"learnt from marked documents: {each.likely:.0%} likely",
                identifier=identifier(each.label),
            )
            for each in self.spotter.spots(document.text)
        ]


def _load(folder: Path) -> Spotter:
    """The model in a folder, read once as long as it stays the same."""
    from withhold.learners.spotter import DESCRIPTION

    try:
        stamp = (folder / DESCRIPTION).stat()
    except OSError:
        return _loaded(folder.absolute(), 0, 0)
    return _loaded(folder.absolute(), stamp.st_mtime_ns, stamp.st_ino)


@lru_cache(4)
def _loaded(folder: Path, _changed: int, _file: int) -> Spotter:
    from withhold.learners.spotter import Spotter

    return Spotter.load(folder)
