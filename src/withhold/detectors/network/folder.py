"""The folder of a network: what is in it, and that loading it neither runs code nor fetches anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from withhold.errors import DocumentError, PolicyError
from withhold.files import is_file, is_folder, read_bytes

CLASSIFIER, GLINER = "config.json", "gliner_config.json"
TOKENIZER = "tokenizer.json"
_ONNX = ("model.onnx", "onnx/model.onnx")
_SAFE, _INDEX = "model.safetensors", "model.safetensors.index.json"
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_MEGABYTES = 64


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that was looked through: its description, and the ONNX file if it has one."""

    path: Path
    kind: str
    described: dict[str, Any] = field(repr=False)
    onnx: Path | None

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Look through a folder.

        Raises:
            PolicyError: if it holds no network, or one that could only be loaded by running code of its own.
        """
        if not is_folder(path):
            raise PolicyError(f"detection.network: no such folder: {path}")
        kind = next((name for name in (GLINER, CLASSIFIER) if is_file(path / name)), None)
        if kind is None:
            raise PolicyError(f"detection.network: {path} holds no network ({CLASSIFIER} or {GLINER} is missing)")
        for other in sorted(path.glob("*.json")):
            if other.name not in (TOKENIZER, "vocab.json"):
                _refuse_code(_json(other), other)
        if is_file(path / "adapter_config.json"):
            raise PolicyError(f"detection.network: {path} holds an adapter; merge it into its network first")
        onnx = next((path / name for name in _ONNX if is_file(path / name)), None)
        if onnx is None:
            _check_weights(path)
        described = _json(path / kind)
        if not isinstance(described, dict):
            raise PolicyError(f"detection.network: {path / kind} is damaged")
        return cls(path, kind, described, onnx)


def _json(path: Path) -> Any:
    try:
        return json.loads(read_bytes(path, _MEGABYTES))
    except (DocumentError, ValueError, RecursionError):
        raise PolicyError(f"detection.network: {path} is damaged") from None


def _refuse_code(described: Any, path: Path) -> None:
    """Descriptions can name Python files beside them, or on a hub, as the code to run."""
    for key, value in _items(described):
        if (key == "auto_map" and value) or ("attn_implementation" in key and "/" in str(value)):
            raise PolicyError(f"detection.network: {path} asks for code of its own ({key}), which is never run")


def _items(described: Any) -> Iterator[tuple[str, Any]]:
    several = described.values() if isinstance(described, dict) else described if isinstance(described, list) else ()
    if isinstance(described, dict):
        yield from described.items()
    for each in several:
        yield from _items(each)


def _check_weights(path: Path) -> None:
    if is_file(path / _INDEX):
        index = _json(path / _INDEX)
        parts = set(index.get("weight_map", {}).values()) if isinstance(index, dict) else set()
        if not parts or any(Path(part).name != part or not part.endswith(".safetensors") for part in parts):
            raise PolicyError(f"detection.network: {path / _INDEX} names files that are not safetensors beside it")
    elif not is_file(path / _SAFE):
        pickled = any(next(path.glob(pattern), None) for pattern in _PICKLED)
        advice = "its weights are pickled, and loading those runs code; save them as safetensors or ONNX"
        raise PolicyError(f"detection.network: {path}: {advice if pickled else f'neither {_ONNX[0]} nor {_SAFE}'}")
