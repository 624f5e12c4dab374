"""What a detector of the user's own finds: `withhold fit detector` makes one from marked documents."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from withhold.files import is_file
from withhold.labels import identifier
from withhold.policy import Policy
from withhold.types import Document, Finding

if TYPE_CHECKING:
    from withhold.learners.sieve import Sieve
    from withhold.learners.spotter import Spotter


class FittedDetector:
    """Finds what was marked in the documents that a model has learnt from, by the labels they have there.

    How a word is written, what stands around it and what the rest of the text says of it decide. The model is in the
    folder `detection.fitted`; without one nothing is found. A score of one half is the threshold that was chosen when
    it was fitted. A sieve (`withhold fit detector --greedy`) has weighed the costs already: what it finds is sure.
    """

    def __init__(self, spotter: Spotter | Sieve | None = None) -> None:
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
                reason=_reason(each.likely),
                identifier=identifier(each.label),
            )
            for each in self.spotter.spots(document.text)
        ]


def _reason(likely: float) -> str:
    return "learnt from marked documents" + (f": {likely:.0%} likely" if likely < 1 else "")


def _load(folder: Path) -> Spotter | Sieve:
    """The model in a folder, read once as long as it stays the same."""
    from withhold.learners import sieve, spotter

    file = folder / spotter.DESCRIPTION
    greedy = not is_file(file) and is_file(folder / sieve.DESCRIPTION)
    try:
        stamp = (folder / sieve.DESCRIPTION if greedy else file).stat()
    except OSError:
        return _loaded(folder.absolute(), greedy, 0, 0)
    return _loaded(folder.absolute(), greedy, stamp.st_mtime_ns, stamp.st_ino)


@lru_cache(4)
def _loaded(folder: Path, greedy: bool, _changed: int, _file: int) -> Spotter | Sieve:
    from withhold.learners import sieve, spotter

    return sieve.Sieve.load(folder) if greedy else spotter.Spotter.load(folder)
