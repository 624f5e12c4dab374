"""Models as two files: what one says of itself, as JSON, and its arrays, under a name with their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from withhold.codec import Value
from withhold.errors import OutputError
from withhold.files import write


def save_model(
    description: Path, data: bytes, arrays: Callable[[Path, str], Path], describe: Callable[[str], Value]
) -> Path:
    """Write both files, arrays first, and then remove the arrays of the model that was there; the folder is given.

    Whoever loads meanwhile, or after a kill, finds one of the two models, and whole. `arrays` names the file of a
    digest in a folder, `describe` says of a digest what the model is.

    Raises:
        OutputError: if the folder cannot be made or written.
    """
    folder = description.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from None
    digest = hashlib.sha256(data).hexdigest()
    kept = arrays(folder, digest)
    write(kept, data, overwrite=True)
    write(description, describe(digest).to_bytes(), overwrite=True)
    for old in folder.glob(arrays(folder, "*").name):
        if old != kept:
            old.unlink()
    return folder
