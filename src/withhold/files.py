"""Files in and out: bounded reading, atomic private writing, nothing left behind by a kill."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from withhold.errors import DocumentError, HostileDocument, OutputError


def read_bytes(path: str | Path, max_megabytes: int) -> bytes:
    """The bytes of a file that is not too large.

    Raises:
        DocumentError: if it cannot be read, or is no plain file.
        HostileDocument: if it is larger than the policy allows.
    """
    path = Path(path)
    limit = max_megabytes * 1_000_000
    try:
        if not path.is_file():
            raise DocumentError("no such file" if not path.exists() else "not a plain file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise DocumentError(f"cannot be read: {error.strerror}") from None
    if len(data) > limit:
        raise HostileDocument(f"larger than {max_megabytes} MB; raise files.max_megabytes in the policy")
    return data


def write(path: str | Path, data: bytes, *, overwrite: bool = False) -> Path:
    """Write a file so that it is there whole or not at all, readable by its owner only.

    The bytes go to an unnamed file first where the system has such files, so a kill leaves nothing behind.

    Raises:
        OutputError: if the file exists (and `overwrite` is not set) or cannot be written.
    """
    path = Path(path)
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists; choose another name or allow overwriting")
    try:
        if hasattr(os, "O_TMPFILE") and _write_unnamed(path, data, overwrite):
            return path
        _write_renamed(path, data, overwrite)
    except FileExistsError:
        raise OutputError(f"{path} exists; choose another name or allow overwriting") from None
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _write_unnamed(path: Path, data: bytes, overwrite: bool) -> bool:
    """Write through an unnamed file; False where the file system has none."""
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except (OSError, ValueError) as error:
        if isinstance(error, (FileNotFoundError, PermissionError)):
            raise
        return False
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        source = f"/proc/self/fd/{file.fileno()}"

        def name_it(target: Path) -> None:
            # Naming a descriptor makes Python call linkat, the one call that follows the link in /proc.
            os.link(source, target, src_dir_fd=file.fileno(), follow_symlinks=True)

        if overwrite and path.exists():
            staged = path.with_name(f".{path.name}.{os.getpid()}")
            name_it(staged)
            try:
                staged.replace(path)
            except OSError:
                staged.unlink()
                raise
        else:
            name_it(path)
    return True


def _write_renamed(path: Path, data: bytes, overwrite: bool) -> None:
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(staged, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            staged.replace(path)
        else:
            os.link(staged, path)
    finally:
        with contextlib.suppress(OSError):
            staged.unlink()
