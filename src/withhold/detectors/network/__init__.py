"""Networks of other people's making, from a folder of your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol, Self

from withhold.detectors.foreign import Claims, belongs, is_asked_for, windows, writable
from withhold.detectors.network.folder import GLINER, Folder
from withhold.errors import PluginError, PolicyError, WithholdError
from withhold.policy import Detection, Policy
from withhold.types import Document, Finding

_WINDOW, _OVERLAP = 200_000, 4_000


class Network(Protocol):
    """A loaded network."""

    def claims(self, text: str, is_asked_for: Callable[[str], bool]) -> Iterable[tuple[int, int, str, float]]:
        """Start, end, label and score of what is found in a text."""


class NetworkDetector:
    """Finds what a token classifier or a GLiNER model finds that lies in a folder.

    Nothing is fetched, and no code from the folder is run: weights are ONNX or safetensors, and pickled ones are
    refused. An ONNX export is preferred where there is one. The score is how sure the network is that something is any
    of what the policy asks for; the label is the likeliest of these.
    """

    def __init__(self, folder: str | Path | None, detection: Detection | None = None) -> None:
        self.detection = detection or Detection()
        self._network = None if folder is None else _load(Path(folder).resolve(), _state(Path(folder)))

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        """The network in the folder that `detection.network` names.

        Raises:
            PolicyError: if the policy asks for this detector and names no folder, or one that cannot be used.
            PluginError: if what runs the network is not installed.
        """
        name = policy.detection.network
        if name is None and "network" in policy.components.detectors:
            raise PolicyError("the detector `network` needs a folder: set detection.network")
        return cls(None if name is None else policy.resolve(name), policy.detection)

    def detect(self, document: Document) -> list[Finding]:
        text = writable(document.text)
        claims = Claims("network", text)
        asked = partial(is_asked_for, detection=self.detection)
        if self._network is None or not text.strip():
            return []
        for window in windows(len(text), _WINDOW, _OVERLAP):
            try:
                found = list(self._network.claims(window.of(text), asked))
            except WithholdError:
                raise
            except Exception as error:
                # What other people's errors say can quote the text.
                raise PluginError(f"the network failed: {type(error).__name__}") from None
            for start, end, label, score in found:
                start, end = start + window.start, end + window.start
                if belongs(start, end, window, _OVERLAP, len(text)):
                    claims.add(start, end, label, score, "the network's word")
        return claims.findings(self.detection)


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when a file in the folder does."""
    try:
        files = [(path.name, path.stat()) for path in sorted(folder.iterdir())]
    except OSError:
        raise PolicyError(f"detection.network: no such folder: {folder}") from None
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in files)


@lru_cache(maxsize=2)
def _load(folder: Path, state: object) -> Network:
    """The network in a folder; the same one for every policy that names it, as long as the folder stays as it is."""
    opened = Folder.open(folder)
    if opened.kind == GLINER:
        from withhold.detectors.network.gliner import Gliner

        return Gliner(opened)
    from withhold.detectors.network.classifier import Classifier

    return Classifier(opened)
