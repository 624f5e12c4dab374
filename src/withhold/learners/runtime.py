"""The runtime of our networks, which tells nobody that it runs.

The official builds of ONNX Runtime report to their maker, and keep a database and an identifier for that in the home
folder. Nothing may leave the machine, so it is told not to before it begins.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


def silence() -> None:
    """Have ONNX Runtime report nothing, also in programs that this one starts, if it has not begun yet."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def session(model: Path, *, threads: int = 1) -> InferenceSession:
    """A network, ready to run on so many threads, or on as many as there are if 0. Errors are those of the runtime."""
    silence()
    import onnxruntime

    # Others in this process may have begun it: what is not yet reported then is not reported either.
    with contextlib.suppress(AttributeError):
        onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
