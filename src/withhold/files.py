"""Files in and out: bounded reading, atomic private writing, nothing left behind by a kill."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

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
            size = os.fstat(file.fileno()).st_size
            data = file.read() if size <= limit else b""
    except OSError as error:
        raise DocumentError(f"cannot be read: {error.strerror}") from None
    if max(size, len(data)) > limit:
        raise HostileDocument(f"larger than {max_megabytes} MB; raise files.max_megabytes in the policy")
    return data


# Unlike the methods of `Path`, these say no, and raise nothing, where a name is too long or a folder may not be read.


def is_there(path: str | Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def write(path: str | Path, data: bytes, *, overwrite: bool = False) -> Path:
    """Write a file so that it is there whole or not at all, readable by its owner only.

    The bytes go to an unnamed file first where the system has such files, so a kill leaves nothing behind.

    Raises:
        OutputError: if the file exists (and `overwrite` is not set) or cannot be written.
    """
    path = Path(path)
    taken = f"{path} exists; choose another name, or --overwrite where a command has it"
    if not overwrite and os.path.lexists(path):
        raise OutputError(taken)
    try:
        if not (hasattr(os, "O_TMPFILE") and _write_unnamed(path, data, overwrite)):
            _write_renamed(path, data, overwrite)
    except FileExistsError:
        raise OutputError(taken) from None
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
    except ValueError:
        raise OutputError(f"{str(path)!r} cannot be the name of a file") from None
    return path


def _write_unnamed(path: Path, data: bytes, overwrite: bool) -> bool:
    """Write through an unnamed file; False where that is not possible, and the other way will tell if and why."""
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError:
        return False
    staged = _beside(path)
    with os.fdopen(descriptor, "wb") as file:
        _fill(file, data)
        try:
            # Naming a descriptor makes Python call linkat, the one call that follows the link in /proc.
            source = f"/proc/self/fd/{file.fileno()}"
            os.link(source, staged if overwrite else path, src_dir_fd=file.fileno(), follow_symlinks=True)
        except FileExistsError:
            raise
        except OSError:
            return False
    if overwrite:
        try:
            staged.replace(path)
        finally:
            staged.unlink(missing_ok=True)
    return True


def _write_renamed(path: Path, data: bytes, overwrite: bool) -> None:
    staged = _beside(path)
    descriptor = os.open(staged, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _fill(file, data)
        _move(staged, path, overwrite)
    finally:
        staged.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """A name in the same folder that nobody else uses, however long the name of the file is."""
    return path.with_name(f".withhold-{os.urandom(8).hex()}")


def _fill(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _move(staged: Path, path: Path, overwrite: bool) -> None:
    """Give a whole file its name; over another file only with `overwrite`."""
    if not overwrite and not _link(staged, path):
        # Without links (on a FAT disk) the name is taken first, so that nobody else can.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        overwrite = True
    if overwrite:
        staged.replace(path)


def _link(staged: Path, path: Path) -> bool:
    """Whether the file now has this name too; False where files cannot have two."""
    try:
        os.link(staged, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True
