"""Loading with the libraries of Hugging Face, which by default ask a hub and show their progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from withhold.detectors.foreign import need

_ONE_AT_A_TIME = RLock()


@contextmanager
def offline(transformers: Any) -> Iterator[None]:
    """Inside, no request is sent, no progress is shown and no warning is written."""
    hub, spoken = need("huggingface_hub.constants", "transformers"), transformers.utils.logging
    with _ONE_AT_A_TIME:
        before, level, bar = hub.HF_HUB_OFFLINE, spoken.get_verbosity(), spoken.is_progress_bar_enabled()
        hub.HF_HUB_OFFLINE = True
        spoken.set_verbosity(spoken.CRITICAL)
        spoken.disable_progress_bar()
        try:
            yield
        finally:
            hub.HF_HUB_OFFLINE = before
            spoken.set_verbosity(level)
            if bar:
                spoken.enable_progress_bar()
