"""A ladder as one file of arrays: nothing in it can run code when it is loaded."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.errors import DocumentError, MalformedData, NotFitted
from withhold.files import is_file, read_bytes, write
from withhold.learners.masks.ladder import READERS, Ladder

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE = "ladder.npz"
SHIPPED = Path(__file__).parent / "data"
_FORMAT = 1
_MEGABYTES = 256
_MOST = 1_000
"""No ladder has so many rungs."""


def save(ladder: Ladder, folder: Path, *, overwrite: bool = False) -> Path:
    """Write the ladder into a folder. Weights are rounded, which changes hardly a guess."""
    arrays: dict[str, NDArray[Any]] = {}
    for number, rung in enumerate(ladder.rungs):
        for reader in rung:
            arrays.update({f"{number}.{reader.sort}.{name}": _small(each) for name, each in reader.arrays().items()})
    described = {"format": _FORMAT, "kinds": ladder.kinds, "step": ladder.step, "rungs": len(ladder.rungs)}
    arrays["description"] = np.frombuffer(json.dumps(described).encode(), np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    return write(folder / FILE, packed.getvalue(), overwrite=overwrite)


def _small(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype == np.int64:
        return np.diff(array, prepend=0).astype(np.int32)
    return array.astype(np.float16) if array.dtype == np.float32 else array


def load(folder: Path) -> Ladder:
    """The ladder in a folder.

    Raises:
        NotFitted: if there is none.
        MalformedData: if it is damaged.
    """
    if not is_file(folder / FILE):
        raise NotFitted(f"{folder} holds no defence of masks ({FILE} is missing); fit one first")
    try:
        data = read_bytes(folder / FILE, _MEGABYTES)
    except DocumentError as error:
        raise MalformedData(f"the defence of masks in {folder} cannot be loaded: {error}") from None
    try:
        return _restored(_unpacked(data))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, MemoryError):
        raise MalformedData(f"the defence of masks in {folder} is damaged") from None


@cache
def shipped() -> Ladder:
    """The ladder that comes with withhold."""
    return load(SHIPPED)


def _unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MEGABYTES * 1_000_000:
                raise ValueError("too large")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {name: np.asarray(file[name]) for name in file.files}
    except Exception:
        # Hostile bytes can make the readers of the archive and of the arrays fail in more ways than they name.
        raise ValueError("no arrays") from None


def _restored(arrays: dict[str, NDArray[Any]]) -> Ladder:
    described = json.loads(arrays["description"].tobytes())
    kinds, step, size = tuple(described["kinds"]), float(described["step"]), int(described["rungs"])
    if described["format"] != _FORMAT or not all(isinstance(kind, str) for kind in kinds):
        raise ValueError("of another format")
    if not 0 < step < 1 or not 0 < size < _MOST:
        raise ValueError("no such ladder")
    rungs = []
    for number in range(size):
        rung = []
        for reader in READERS:
            start = f"{number}.{reader.sort}."
            own = {name.removeprefix(start): each for name, each in arrays.items() if name.startswith(start)}
            rung.append(reader.restored({name: _large(each) for name, each in own.items()}, len(kinds)))
        rungs.append(tuple(rung))
    return Ladder(kinds, tuple(rungs), step)


def _large(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype == np.int32:
        return np.cumsum(array, dtype=np.int64)
    return array.astype(np.float32) if array.dtype == np.float16 else array
