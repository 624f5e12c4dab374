"""ZIP archives in and out: bounded when read, the same bytes for the same parts when written."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from withhold.errors import DamagedDocument, EncryptedDocument, HostileDocument

_MOST_ENTRIES = 10_000
_SUSPICIOUS_BYTES = 100_000_000
_SUSPICIOUS_RATIO = 200
_DATE = (1980, 1, 1, 0, 0, 0)


def read_parts(data: bytes, max_megabytes: int) -> tuple[dict[str, bytes], int]:
    """The files of an archive by name, and how many there are that cannot be unpacked.

    Of two with one name the last counts, as it does for most readers.

    Raises:
        EncryptedDocument: if a file in it needs a password.
        HostileDocument: if it would expand beyond the limit, or is packed to do so.
        DamagedDocument: if it is not a sound archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check(entries, len(data), max_megabytes)
            parts = {entry.filename: _read(archive, entry) for entry in entries if not entry.is_dir()}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        raise DamagedDocument("not a sound ZIP archive; it may be truncated") from None
    readable = {name: content for name, content in parts.items() if content is not None}
    return readable, len(parts) - len(readable)


def _check(entries: list[zipfile.ZipInfo], packed: int, max_megabytes: int) -> None:
    if any(entry.flag_bits & 1 for entry in entries):
        raise EncryptedDocument("a part is encrypted; remove the password first")
    if len(entries) > _MOST_ENTRIES:
        raise HostileDocument(f"the archive holds {len(entries)} files")
    total = sum(entry.file_size for entry in entries)
    if total > max_megabytes * 1_000_000:
        raise HostileDocument(f"the archive would expand to more than {max_megabytes} MB")
    if total > _SUSPICIOUS_BYTES and total > _SUSPICIOUS_RATIO * packed:
        raise HostileDocument(f"the archive would expand to {total // packed} times its size")


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    """What one file holds; None if it cannot be unpacked, or is packed in a way that office programs do not read."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return None
    try:
        with archive.open(entry) as file:
            content = file.read(entry.file_size + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
        return None
    if len(content) != entry.file_size:
        raise HostileDocument("a file in the archive is not the size it claims to be")
    return content


def write_parts(parts: Mapping[str, bytes]) -> bytes:
    """An archive of these files, in this order, with nothing in it but them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            entry.external_attr = 0
            archive.writestr(entry, content, compresslevel=6)
    return buffer.getvalue()
