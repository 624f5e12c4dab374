"""Pictures without what is written around their pixels.

Only what a viewer needs to draw the picture is copied, piece by piece, into a new file: what is not known to
be needed goes. The pixels themselves are copied unseen, and so are the tables that compress them.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["png", "jpeg", "gif"]

LARGEST_RAW_PNG = 1_000_000_000
"""Bytes of pixels. A larger PNG is not kept: counting its pixels would take too long."""


class _Malformed(Exception):
    """The picture is not what its first bytes say."""


def kind(data: bytes) -> Kind | None:
    """What sort of picture the bytes start like."""
    if data.startswith(_PNG_SIGNATURE):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    return "gif" if data.startswith((b"GIF87a", b"GIF89a")) else None


def strip_metadata(data: bytes) -> bytes | None:
    """The same picture with its pixels and colours only, or None if it is damaged or of another sort.

    Text, EXIF (with it the orientation), XMP, profiles, thumbnails, comments and whatever follows the end of
    the picture are gone.
    """
    found = _parse(data)
    return bytes(found.kept) if found else None


def metadata(data: bytes) -> list[str]:
    """What a picture holds besides its pixels and colours, named; nothing for other bytes."""
    if kind(data) is None:
        return []
    found = _parse(data)
    return sorted(set(found.dropped)) if found else ["damaged picture"]


@dataclass(repr=False)
class _Split:
    """A picture taken apart: the bytes to keep, the names of what is dropped."""

    kept: bytearray = field(default_factory=bytearray)
    dropped: list[str] = field(default_factory=list)


class _Cursor:
    """Bytes read front to back; asking for more than there are is a fault of the picture."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        piece = self.data[self.at : self.at + count]
        if len(piece) != count:
            raise _Malformed
        self.at += count
        return piece

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    @property
    def left(self) -> int:
        return len(self.data) - self.at


def _parse(data: bytes) -> _Split | None:
    split: Callable[[_Cursor], _Split] | None
    split = {"png": _split_png, "jpeg": _split_jpeg, "gif": _split_gif}.get(kind(data) or "")
    if split is None:
        return None
    cursor = _Cursor(data)
    try:
        found = split(cursor)
    except _Malformed:
        return None
    if cursor.left:
        found.dropped.append("data after the end")
    return found


# PNG: a signature, then chunks of length, name, data and checksum.

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SIZES = {
    b"PLTE": range(3, 769, 3),
    b"tRNS": range(1, 257),
    b"gAMA": (4,),
    b"cHRM": (32,),
    b"sRGB": (1,),
    b"bKGD": (1, 2, 6),
    b"pHYs": (9,),
    b"acTL": (8,),
}
"""The chunks a PNG needs at most once for its colours and frames, and the lengths each may have."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_INTERLACED = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(cursor: _Cursor) -> Iterator[tuple[bytes, bytes]]:
    """The chunks up to the end of the picture, each with a checksum that is right."""
    while True:
        size = cursor.number(4)
        name = cursor.take(4)
        data = cursor.take(size)
        if cursor.number(4) != zlib.crc32(name + data):
            raise _Malformed
        yield name, data
        if name == b"IEND":
            return


def _split_png(cursor: _Cursor) -> _Split:
    found = _Split(bytearray(cursor.take(len(_PNG_SIGNATURE))))
    chunks = _chunks(cursor)
    header = _PngHeader(next(chunks))
    found.kept += _chunk(b"IHDR", header.data)
    seen: set[bytes] = set()
    frames = _Frames(header)
    for name, data in chunks:
        wanted = _png_keeps(name, data, seen)
        seen.add(name)
        if wanted:
            frames.add(name, data)
            found.kept += _chunk(name, data)
        else:
            found.dropped.append(_png_name(name))
    if b"IDAT" not in seen:
        raise _Malformed
    frames.close()
    return found


def _png_keeps(name: bytes, data: bytes, seen: set[bytes]) -> bool:
    if name in _SIZES:
        return name not in seen and len(data) in _SIZES[name]
    if name == b"IEND" and data:
        raise _Malformed
    return name in (b"IDAT", b"fdAT", b"fcTL", b"IEND")


def _png_name(name: bytes) -> str:
    """Chunks are named after their letters; others could spell something."""
    known = (b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"iCCP", b"tIME", b"hIST", b"sPLT", b"sBIT")
    return f"{name.decode('ascii')} chunk" if name in known else "other chunk"


class _PngHeader:
    """The size of a PNG and of a pixel in it."""

    def __init__(self, chunk: tuple[bytes, bytes]) -> None:
        name, self.data = chunk
        if name != b"IHDR" or len(self.data) != 13:
            raise _Malformed
        self.width, self.height, depth, colour, method, filters, self.interlace = struct.unpack(">IIBBBBB", self.data)
        if colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16) or method or filters or self.interlace > 1:
            raise _Malformed
        self.bits = depth * _CHANNELS[colour]

    def raw_size(self, width: int, height: int) -> int:
        """How many bytes the rows of a picture of this size are once unpacked."""
        passes = _INTERLACED if self.interlace else ((0, 0, 1, 1),)
        size = 0
        for left, top, across, down in passes:
            columns, rows = max(0, -((left - width) // across)), max(0, -((top - height) // down))
            size += rows * (1 + (columns * self.bits + 7) // 8) if columns else 0
        if not 0 < size <= LARGEST_RAW_PNG:
            raise _Malformed
        return size


class _Frames:
    """Counts the pixels of every frame: compressed data must hold them all and nothing more."""

    def __init__(self, header: _PngHeader) -> None:
        self.header = header
        self.size = header.raw_size(header.width, header.height)
        self.stream = zlib.decompressobj()
        self.used = False
        self.budget = LARGEST_RAW_PNG

    def add(self, name: bytes, data: bytes) -> None:
        if name == b"fcTL":
            self._next(data)
        elif name == b"IDAT":
            self._unpack(data)
        elif name == b"fdAT":
            self._unpack(data[4:])

    def _next(self, data: bytes) -> None:
        if len(data) != 26:
            raise _Malformed
        if self.used:
            self.close()
            self.stream = zlib.decompressobj()
            self.used = False
        width, height = struct.unpack(">II", data[4:12])
        self.size = self.header.raw_size(width, height)

    def _unpack(self, data: bytes) -> None:
        self.used = True
        try:
            while data:
                rows = self.stream.decompress(data, 1 << 20)
                self.size -= len(rows)
                self.budget -= len(rows)
                data = self.stream.unconsumed_tail
                if min(self.size, self.budget) < 0 or self.stream.unused_data:
                    raise _Malformed
        except zlib.error:
            raise _Malformed from None

    def close(self) -> None:
        if self.size or not self.stream.eof:
            raise _Malformed


# JPEG: markers, most with a segment, and the compressed scans between them.

_FRAME_STARTS = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_NEEDED = {0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD, *_FRAME_STARTS}
_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_JPEG_NAMES = {
    b"Exif\0": "EXIF",
    b"http://ns.adobe.com/x": "XMP",
    b"Photoshop 3.0\0": "IPTC",
    b"ICC_PROFILE\0": "colour profile",
    b"JFXX\0": "thumbnail",
}


def _split_jpeg(cursor: _Cursor) -> _Split:
    found = _Split(bytearray(cursor.take(2)))
    seen: set[int] = set()
    while (marker := _marker(cursor)) != 0xD9:
        size = cursor.number(2)
        if size < 2:
            raise _Malformed
        data = cursor.take(size - 2)
        kept = _jpeg_keeps(marker, data, found, seen)
        seen.add(marker)
        if kept is not None:
            found.kept += bytes((0xFF, marker)) + struct.pack(">H", len(kept) + 2) + kept
        if marker == 0xDA:
            found.kept += _scan(cursor)
    if 0xDA not in seen or not seen & _FRAME_STARTS:
        raise _Malformed
    found.kept += b"\xff\xd9"
    return found


def _marker(cursor: _Cursor) -> int:
    if cursor.number(1) != 0xFF:
        raise _Malformed
    while (marker := cursor.number(1)) == 0xFF:
        pass
    return marker


def _jpeg_keeps(marker: int, data: bytes, found: _Split, seen: set[int]) -> bytes | None:
    """What stays of a segment; None if all of it goes."""
    if marker in _NEEDED:
        if not _jpeg_exact(marker, data):
            raise _Malformed
        return data
    if marker == 0xE0 and data.startswith(b"JFIF\0") and len(data) >= 14 and marker not in seen:
        if len(data) > 14:
            found.dropped.append("thumbnail")
        return data[:12] + b"\0\0"
    if marker == 0xEE and data.startswith(b"Adobe") and len(data) >= 12 and marker not in seen:
        return data[:12]
    if not (0xE0 <= marker <= 0xEF or marker == 0xFE):
        raise _Malformed
    name = "comment" if marker == 0xFE else "application data"
    found.dropped.append(next((known for start, known in _JPEG_NAMES.items() if data.startswith(start)), name))
    return None


def _jpeg_exact(marker: int, data: bytes) -> bool:
    """Whether a segment that is needed has room for what it should hold and for nothing else."""
    if marker == 0xDD or marker == 0xDC:
        return len(data) == 2
    if marker == 0xCC:
        return len(data) % 2 == 0 and len(data) <= 64
    if marker == 0xDA:
        return len(data) >= 6 and len(data) == 4 + 2 * data[0]
    if marker in (0xC4, 0xDB):
        return _tables_fit(_Cursor(data), marker == 0xC4)
    return len(data) >= 9 and len(data) == 6 + 3 * data[5]


def _tables_fit(cursor: _Cursor, huffman: bool) -> bool:
    while cursor.left:
        first = cursor.number(1)
        if huffman:
            cursor.take(sum(cursor.take(16)))
        else:
            cursor.take(128 if first >> 4 else 64)
    return True


def _scan(cursor: _Cursor) -> bytes:
    """The compressed pixels up to the next marker, without the bytes that fill the space before it."""
    end = _SCAN_END.search(cursor.data, cursor.at)
    if end is None:
        raise _Malformed
    return cursor.take(end.start() - cursor.at).rstrip(b"\xff")


# GIF: a screen, then extensions and images, each a chain of sub-blocks.


def _split_gif(cursor: _Cursor) -> _Split:
    found = _Split(bytearray(cursor.take(13)))
    found.kept += cursor.take(_colours(found.kept[10]))
    images = 0
    loops: list[bytes] = []
    while (block := cursor.number(1)) != 0x3B:
        if block == 0x2C:
            found.kept += b"\x2c" + _gif_image(cursor)
            images += 1
        elif block == 0x21:
            _gif_extension(cursor, found, loops)
        else:
            raise _Malformed
    if not images:
        raise _Malformed
    found.kept += b"\x3b"
    return found


def _colours(flags: int) -> int:
    """The size of a colour table."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _gif_image(cursor: _Cursor) -> bytes:
    start = cursor.at
    cursor.take(_colours(cursor.take(9)[8]))
    cursor.take(1)
    _sub_blocks(cursor)
    return cursor.data[start : cursor.at]


def _sub_blocks(cursor: _Cursor) -> list[bytes]:
    blocks = []
    while size := cursor.number(1):
        blocks.append(cursor.take(size))
    return blocks


def _gif_extension(cursor: _Cursor, found: _Split, loops: list[bytes]) -> None:
    label = cursor.number(1)
    blocks = _sub_blocks(cursor)
    if label == 0xF9:
        if [len(block) for block in blocks] != [4]:
            raise _Malformed
        found.kept += b"\x21\xf9\x04" + blocks[0] + b"\0"
    elif label == 0xFF and blocks[:1] == [b"NETSCAPE2.0"] and not loops and _is_loop(blocks[1:2]):
        loops += blocks[1:2]
        found.kept += b"\x21\xff\x0bNETSCAPE2.0\x03" + blocks[1] + b"\0"
        found.dropped += ["application data"] * (len(blocks) > 2)
    else:
        found.dropped.append({0xFE: "comment", 0x01: "plain text"}.get(label, "application data"))


def _is_loop(blocks: list[bytes]) -> bool:
    return bool(blocks) and len(blocks[0]) == 3 and blocks[0][0] == 1


def _grey() -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    # A stored block: the same bytes from every version of zlib.
    pixel = b"\x78\x01\x01\x02\x00\xfd\xff\x00\xc0" + struct.pack(">I", zlib.adler32(b"\x00\xc0"))
    return _PNG_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixel) + _chunk(b"IEND", b"")


BLANK_PNG = _grey()
"""One grey pixel."""
