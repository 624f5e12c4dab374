"""Files as streams of bytes, decompressed if need be, within limits; and as lines in whatever encoding."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from withhold.corpora.sources.items import LONGEST, TOO_LONG, Documents, Meter, Skipped
from withhold.errors import DamagedDocument, DocumentError, HostileDocument

COMPRESSED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}

_BUFFER = 1 << 18
_HARMLESS = 1 << 28
_FURTHEST = 250
"""Text shrinks to a tenth, very dull text to a hundredth; what shrinks further was made to swell."""


@contextmanager
def opened(path: Path, meter: Meter | None = None) -> Iterator[io.BufferedReader]:
    """The bytes of a file, decompressed if its name says that it is compressed; how many were read, before that, is
    added to the meter.

    Raises:
        DocumentError: if it cannot be opened or read, now or inside.
    """
    try:
        with _Counted(path, meter or Meter()) as raw:
            opening = COMPRESSED.get(path.suffix.lower())
            yield io.BufferedReader(_Swelling(raw, opening(raw)) if opening else raw, _BUFFER)
    except (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError):
        raise DamagedDocument(f"{path}: not a whole compressed file") from None
    except OSError as error:
        # bz2 tells of damage with an error that has no number.
        kind = DocumentError if error.errno else DamagedDocument
        raise kind(f"{path} cannot be read: {error.strerror or 'damaged'}") from None


class _Counted(io.FileIO):
    """A file that tells how much of it was read."""

    def __init__(self, path: Path, meter: Meter) -> None:
        super().__init__(path)
        self._meter = meter

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(-1 if size is None else size)
        self._meter.read += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        size = super().readinto(buffer) or 0
        self._meter.read += size
        return size


class _Swelling(io.RawIOBase):
    """Decompressed bytes, as long as they are not plainly a bomb."""

    def __init__(self, raw: BinaryIO | io.FileIO, inner: BinaryIO) -> None:
        self._raw, self._inner, self._given = raw, inner, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._inner.read(len(buffer))
        buffer[: len(data)] = data
        self._given += len(data)
        if self._given > _HARMLESS and self._given > _FURTHEST * self._raw.tell():
            raise HostileDocument("a compressed file expands further than is safe")
        return len(data)


class _Recoded(io.RawIOBase):
    """Text of an encoding with two or four bytes a character, as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream, self._decoder = stream, codecs.getincrementaldecoder(encoding)("replace")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read, data = b"more", b""
        while read and not data:
            read = self._stream.read(len(buffer) // 4)
            data = self._decoder.decode(read, not read).encode("utf-8", "replace")
        buffer[: len(data)] = data
        return len(data)


def lines(stream: io.BufferedReader, documents: Documents, skipped: Skipped) -> Iterator[str]:
    """The lines of a text with their ends, empty for one that is too long.

    The encoding is UTF-8; of what is not, it is guessed, by the beginning of the file or by the first such line.
    """
    guessed = ""
    sample = stream.peek(_BUFFER)
    if b"\0" in sample and (wide := _guess(sample[: len(sample) // 4 * 4], documents)).startswith("utf-"):
        stream = io.BufferedReader(_Recoded(stream, wide), _BUFFER)
    elif not _is_utf8(sample):
        guessed = _guess(sample, documents)
    first = True
    for line in long_lines(stream, skipped):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            guessed = guessed or _guess(line, documents)
            text = line.decode(guessed, "replace")
        yield text.removeprefix("\ufeff") if first else text
        first = False


def long_lines(stream: io.BufferedReader, skipped: Skipped) -> Iterator[bytes]:
    """The lines of a stream with their ends; of one that is too long only an end, and it is counted."""
    while line := stream.readline(LONGEST):
        if len(line) < LONGEST or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(_BUFFER)) and not rest.endswith(b"\n"):
            pass
        skipped[TOO_LONG] += 1
        yield b"\n"


def guessed(data: bytes, documents: Documents) -> str:
    """Text of an encoding that nobody has told, or told wrongly."""
    try:
        return documents(data, format="txt").text
    except DocumentError:
        return data.decode("cp1252", "replace")


def _is_utf8(sample: bytes) -> bool:
    """Whether a text that is cut off somewhere is UTF-8 so far."""
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3 and error.reason == "unexpected end of data"
    return True


def _guess(sample: bytes, documents: Documents) -> str:
    """The encoding that plain text would be taken to be in."""
    try:
        return documents(sample, format="txt").handling.encoding or "cp1252"
    except DocumentError:
        return "cp1252"
