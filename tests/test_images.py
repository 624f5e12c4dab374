"""Pictures keep their pixels and lose everything written around them."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.formats.images import BLANK_PNG, kind, metadata, strip_metadata

SECRET = b"Kwiatkowska"


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(*extra: bytes, width: int = 3, height: int = 2, interlace: int = 0, pixels: bytes | None = None) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlace)
    rows = b"".join(b"\0" + bytes(range(row, row + 3 * width)) for row in range(height)) if pixels is None else pixels
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + b"".join(extra) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def segment(marker: int, data: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data


QUANTISATION = segment(0xDB, b"\0" + bytes(range(1, 65)))
FRAME = segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\x01\x11\x00")
HUFFMAN = segment(0xC4, b"\x00" + bytes([1] + [0] * 15) + b"\x00" + b"\x10" + bytes([1] + [0] * 15) + b"\x00")
SCAN = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\x34\xff\xd0\x56"
JFIF = segment(0xE0, b"JFIF\0\x01\x02\x01\x00\x48\x00\x48\x00\x00")
ADOBE = segment(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00\x01")


def jpeg(*extra: bytes, tail: bytes = b"") -> bytes:
    return b"\xff\xd8" + b"".join(extra) + QUANTISATION + FRAME + HUFFMAN + SCAN + b"\xff\xd9" + tail


LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x05\x00\x00"
CONTROL = b"\x21\xf9\x04\x00\x0a\x00\x00\x00"


def gif(*extra: bytes, tail: bytes = b"") -> bytes:
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    image = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return screen + b"".join(extra) + image + b"\x3b" + tail


def sub_blocks(data: bytes) -> bytes:
    return bytes([len(data)]) + data + b"\0"


DIRTY_PNG = {
    "text": chunk(b"tEXt", b"Author\0" + SECRET),
    "compressed text": chunk(b"zTXt", b"Author\0\0" + zlib.compress(SECRET, 0)),
    "international text": chunk(b"iTXt", b"Author\0\0\0\0\0" + SECRET),
    "exif": chunk(b"eXIf", b"MM\0*" + SECRET),
    "profile": chunk(b"iCCP", SECRET + b"\0\0" + zlib.compress(b"x")),
    "private": chunk(b"prVt", SECRET),
    "suggested palette": chunk(b"sPLT", SECRET + b"\0\x08"),
    "too long a gamma": chunk(b"gAMA", SECRET),
    "too long a palette": chunk(b"PLTE", SECRET * 90),
    "second gamma": chunk(b"gAMA", b"\0\0\xb1\x8f") + chunk(b"gAMA", SECRET[:4]) + chunk(b"tEXt", SECRET),
}
DIRTY_JPEG = {
    "exif": segment(0xE1, b"Exif\0\0" + SECRET),
    "xmp": segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET),
    "photoshop": segment(0xED, b"Photoshop 3.0\0" + SECRET),
    "profile": segment(0xE2, b"ICC_PROFILE\0" + SECRET),
    "comment": segment(0xFE, SECRET),
    "thumbnail": segment(0xE0, b"JFIF\0\x01\x02\x00\x00\x01\x00\x01\x01\x04" + SECRET + b"!"),
    "extension": JFIF + segment(0xE0, b"JFXX\0\x10" + SECRET),
    "second JFIF": JFIF + segment(0xE0, b"JFIF\0" + SECRET),
    "long Adobe": segment(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00\x01" + SECRET),
    "other": segment(0xEB, SECRET),
}
DIRTY_GIF = {
    "comment": b"\x21\xfe" + sub_blocks(SECRET),
    "plain text": b"\x21\x01\x0c" + bytes(12) + sub_blocks(SECRET),
    "application": b"\x21\xff\x0bXMP DataXMP" + sub_blocks(SECRET),
    "after the loop": LOOP[:-1] + sub_blocks(SECRET),
    "unknown": b"\x21\x77" + sub_blocks(SECRET),
}


@pytest.mark.parametrize("slot", DIRTY_PNG)
def test_png_loses_what_is_not_pixels(slot: str) -> None:
    cleaned = strip_metadata(png(DIRTY_PNG[slot]))
    assert cleaned is not None
    assert SECRET not in cleaned
    assert SECRET[:4] not in cleaned
    expected = png(chunk(b"gAMA", b"\0\0\xb1\x8f")) if slot == "second gamma" else png()
    assert cleaned == expected
    assert metadata(png(DIRTY_PNG[slot]))


@pytest.mark.parametrize("slot", DIRTY_JPEG)
def test_jpeg_loses_what_is_not_pixels(slot: str) -> None:
    cleaned = strip_metadata(jpeg(DIRTY_JPEG[slot]))
    assert cleaned is not None
    assert SECRET not in cleaned
    assert cleaned.endswith(QUANTISATION + FRAME + HUFFMAN + SCAN + b"\xff\xd9")


@pytest.mark.parametrize("slot", DIRTY_GIF)
def test_gif_loses_what_is_not_pixels(slot: str) -> None:
    cleaned = strip_metadata(gif(CONTROL, DIRTY_GIF[slot]))
    assert cleaned == (gif(CONTROL, LOOP) if slot == "after the loop" else gif(CONTROL))


@pytest.mark.parametrize("picture", [png(), jpeg(), gif()], ids=["png", "jpeg", "gif"])
def test_what_follows_the_end_is_cut(picture: bytes) -> None:
    assert strip_metadata(picture + SECRET) == picture
    assert metadata(picture + SECRET) == ["data after the end"]


CLEAN = {
    "png": png(
        chunk(b"cHRM", bytes(32)),
        chunk(b"sRGB", b"\0"),
        chunk(b"pHYs", bytes(9)),
        chunk(b"bKGD", bytes(6)),
        chunk(b"tRNS", bytes(6)),
    ),
    "animated png": b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
    + chunk(b"acTL", struct.pack(">II", 2, 0))
    + chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 2, 2, 0, 0, 1, 10, 0, 0))
    + chunk(b"IDAT", zlib.compress(bytes(6)))
    + chunk(b"fcTL", struct.pack(">IIIIIHHBB", 1, 1, 1, 0, 0, 1, 10, 0, 0))
    + chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress(bytes(2)))
    + chunk(b"IEND", b""),
    "jpeg": jpeg(JFIF, ADOBE),
    "gif": gif(LOOP, CONTROL),
    "blank": BLANK_PNG,
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_picture_is_left_alone(name: str) -> None:
    assert strip_metadata(CLEAN[name]) == CLEAN[name]
    assert metadata(CLEAN[name]) == []


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 2), (3, 5), (5, 3), (8, 8), (9, 17)])
def test_interlaced_pixels_are_counted(width: int, height: int) -> None:
    """Seven passes over the pixels x, y of an 8 by 8 pattern, counted one by one."""
    pattern = ["16462646", "77777777", "56565656", "77777777", "36463646", "77777777", "56565656", "77777777"]
    size = 0
    for number in "1234567":
        rows = [[x for x in range(width) if pattern[y % 8][x % 8] == number] for y in range(height)]
        size += sum(1 + 3 * len(row) for row in rows if row)
    assert strip_metadata(png(width=width, height=height, interlace=1, pixels=bytes(size)))
    assert strip_metadata(png(width=width, height=height, interlace=1, pixels=bytes(size + 1))) is None


def test_bytes_behind_the_pixels_are_refused() -> None:
    rows = b"".join(b"\0" + bytes(9) for _ in range(2))
    assert strip_metadata(png(pixels=rows)) is not None
    assert strip_metadata(png(pixels=rows + SECRET)) is None
    assert strip_metadata(png(pixels=rows[:-1])) is None
    trailing = png().replace(chunk(b"IEND", b""), chunk(b"IDAT", SECRET) + chunk(b"IEND", b""))
    assert strip_metadata(trailing) is None


def test_segments_with_room_for_more_are_refused() -> None:
    for padded in (segment(0xDB, b"\0" + bytes(64) + b"\0" + SECRET), segment(0xDD, SECRET), segment(0xC4, SECRET)):
        assert strip_metadata(jpeg(padded)) is None


def test_huge_sizes_are_refused_at_once() -> None:
    assert strip_metadata(png(width=2**31 - 1, height=2**31 - 1, pixels=b"")) is None
    bomb = png(width=100, height=100, pixels=bytes(50_000_000))
    assert strip_metadata(bomb) is None


@pytest.mark.parametrize("picture", [png(), jpeg(JFIF), gif(LOOP)], ids=["png", "jpeg", "gif"])
def test_truncated_pictures_are_refused(picture: bytes) -> None:
    assert all(strip_metadata(picture[:end]) is None for end in range(len(picture)))


@given(st.sampled_from([png(), jpeg(JFIF), gif(LOOP)]), st.data())
def test_no_damage_gets_through_or_crashes(picture: bytes, data: st.DataObject) -> None:
    """Whatever comes out is clean: stripping it again changes nothing."""
    at = data.draw(st.integers(0, len(picture) - 1))
    damaged = picture[:at] + data.draw(st.binary(max_size=5)) + picture[at + data.draw(st.integers(0, 3)) :]
    cleaned = strip_metadata(damaged)
    if cleaned is not None:
        assert strip_metadata(cleaned) == cleaned
        assert metadata(cleaned) == []
    metadata(damaged)


@given(st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a"]), st.binary(max_size=200))
def test_rubbish_is_refused(start: bytes, rest: bytes) -> None:
    strip_metadata(start + rest)
    metadata(start + rest)


def test_kinds() -> None:
    assert [kind(each) for each in (png(), jpeg(), gif(), b"BM", b"")] == ["png", "jpeg", "gif", None, None]
    assert strip_metadata(b"<svg/>") is None
    assert metadata(b"<svg/>") == []
    assert metadata(b"GIF89a") == ["damaged picture"]
