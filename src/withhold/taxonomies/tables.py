"""Tables of words and numbers that come with withhold, read without trusting them."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from withhold.errors import MalformedData
from withhold.text import WORD, fold

if TYPE_CHECKING:
    import numpy as np

DATA = Path(__file__).parent / "data"

_LONG = 5
_MOST_BYTES = 64_000_000
"""No table unpacks to more than this."""


def read_table(path: Path, columns: Mapping[str, str]) -> dict[str, np.ndarray]:
    """The flat arrays of an npz file, each of the element type that `columns` gives it.

    Raises:
        MalformedData: if the file is not there or is not such a table.
    """
    import numpy as np

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise damaged(path)
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in columns}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, MemoryError):
        raise damaged(path) from None
    if any(array.ndim != 1 or array.dtype != np.dtype(columns[name]) for name, array in arrays.items()):
        raise damaged(path)
    return arrays


def lines(array: np.ndarray, path: Path) -> list[str]:
    """The lines of a text that is stored as bytes."""
    try:
        return array.tobytes().decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise damaged(path) from None


def as_key(name: str) -> str:
    """A name as it is looked up: its folded words, one space between them."""
    return " ".join(WORD.findall(fold(name).text))


def tells(name: str, key: str) -> bool:
    """Whether a name contains what has that key: as words of it or, if it is long, as any part of it."""
    words = as_key(name)
    return f" {key} " in f" {words} " or (len(key) >= _LONG and key.replace(" ", "") in words.replace(" ", ""))


def damaged(path: Path) -> MalformedData:
    return MalformedData(f"{path.name} is missing or damaged; install withhold again")
