"""Pixels of images: painted over, whatever the image is made of."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image

from withhold.formats.pdf import pixels
from withhold.formats.pdf.placing import paint_over
from withhold.formats.pdf.tokens import instructions

ROWS, COLUMNS = 37, 53
QUAD = ((0.2, 0.2), (0.5, 0.2), (0.5, 0.6), (0.2, 0.6))
INSIDE = slice(17, 28), slice(12, 25)
GREEN = (9, 200, 9)
source = np.random.default_rng(7)
COLOURS = source.integers(0, 256, (ROWS, COLUMNS, 3), dtype=np.uint8)
GREYS = source.integers(0, 256, (ROWS, COLUMNS), dtype=np.uint8)
BITS = source.integers(0, 2, (ROWS, COLUMNS), dtype=np.uint8)
PALETTE = source.integers(0, 256, (16, 3), dtype=np.uint8)
SMOOTH = np.asarray(Image.fromarray(COLOURS[:4, :6]).resize((COLUMNS, ROWS), Image.Resampling.BICUBIC))


def stream(pdf: Pdf, data: bytes, **entries: Any) -> Stream:
    made = Stream(pdf, data)
    known = {"Type": Name.XObject, "Subtype": Name.Image, "Width": COLUMNS, "Height": ROWS, "BitsPerComponent": 8}
    for key, value in {**known, **entries}.items():
        made[f"/{key}"] = value
    return pdf.make_indirect(made)


def encoded(picture: np.ndarray, form: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, form, **options)
    return file.getvalue()


def predicted(picture: np.ndarray) -> bytes:
    rows = picture.astype(int)
    differences = (rows - np.concatenate((np.zeros_like(rows[:1]), rows[:-1]))) % 256
    lines = (b"\x02" + row.astype(np.uint8).tobytes() for row in differences.reshape(len(rows), -1))
    return zlib.compress(b"".join(lines))


def fax(picture: np.ndarray) -> tuple[bytes, bool]:
    """The picture as fax machines send it, and whether its ones are black."""
    file = io.BytesIO()
    Image.fromarray(picture * 255).convert("1").save(file, "TIFF", compression="group4")
    tags = Image.open(file).tag_v2
    return file.getvalue()[tags[273][0] : tags[273][0] + tags[279][0]], tags[262] != 0


def grey_image(pdf: Pdf, **entries: Any) -> Stream:
    return stream(pdf, GREYS.tobytes(), ColorSpace=Name.DeviceGray, **entries)


def wide(picture: np.ndarray) -> np.ndarray:
    return picture[:, :, None].repeat(3, 2)


FAX, IS_BLACK_ONE = fax(BITS)
KINDS: dict[str, tuple[Callable[[Pdf], Stream], np.ndarray | None]] = {
    "Flate": (
        lambda pdf: stream(pdf, zlib.compress(COLOURS.tobytes()), ColorSpace=Name.DeviceRGB, Filter=Name.FlateDecode),
        COLOURS,
    ),
    "predictor": (
        lambda pdf: stream(
            pdf, predicted(COLOURS), ColorSpace=Name.DeviceRGB, Filter=Name.FlateDecode,
            DecodeParms=Dictionary(Predictor=15, Colors=3, Columns=COLUMNS),
        ),
        COLOURS,
    ),
    "grey": (grey_image, wide(GREYS)),
    "decode": (lambda pdf: grey_image(pdf, Decode=Array([1, 0])), wide(255 - GREYS)),
    "bits": (
        lambda pdf: stream(pdf, np.packbits(BITS, axis=1).tobytes(), ColorSpace=Name.DeviceGray, BitsPerComponent=1),
        wide(BITS * np.uint8(255)),
    ),
    "indexed": (
        lambda pdf: stream(
            pdf, (GREYS % 16).tobytes(),
            ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 15, String(PALETTE.tobytes())]),
        ),
        PALETTE[GREYS % 16],
    ),
    "CMYK": (
        lambda pdf: stream(pdf, bytes(ROWS * COLUMNS * 4), ColorSpace=Name.DeviceCMYK),
        np.full((ROWS, COLUMNS, 3), 255, np.uint8),
    ),
    "fax": (
        lambda pdf: stream(
            pdf, FAX, ColorSpace=Name.DeviceGray, BitsPerComponent=1, Filter=Name.CCITTFaxDecode,
            DecodeParms=Dictionary(K=-1, Columns=COLUMNS, Rows=ROWS, BlackIs1=IS_BLACK_ONE),
        ),
        wide(BITS * np.uint8(255)),
    ),
    "JPEG": (
        lambda pdf: stream(
            pdf, encoded(SMOOTH, "JPEG", comment=b"secret"), ColorSpace=Name.DeviceRGB, Filter=Name.DCTDecode
        ),
        None,
    ),
    "JPEG 2000": (
        lambda pdf: stream(pdf, encoded(SMOOTH, "JPEG2000"), ColorSpace=Name.DeviceRGB, Filter=Name.JPXDecode),
        None,
    ),
    "soft mask": (
        lambda pdf: stream(pdf, COLOURS.tobytes(), ColorSpace=Name.DeviceRGB, SMask=grey_image(pdf)),
        None,
    ),
    "colour key": (lambda pdf: grey_image(pdf, Mask=Array([0, 100])), None),
}  # fmt: skip


def drawn(image: Stream) -> pixels.Drawn:
    found = pixels.draw(image)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_painted_over_is_gone_and_the_rest_stays(kind: str) -> None:
    pdf = Pdf.new()
    make, expected = KINDS[kind]
    before = drawn(make(pdf))
    if expected is not None:
        assert (before.colours == expected).all()
    new = pixels.blank(pdf, make(pdf), [QUAD], GREEN)
    after = drawn(new)
    assert np.abs(after.colours[INSIDE].astype(int) - GREEN).max() <= 3
    assert (after.opacity[INSIDE] == 255).all()
    beside = np.s_[:, 36:]
    assert np.abs(after.colours[beside].astype(int) - before.colours[beside])[before.opacity[beside] > 200].max() <= 12
    assert np.abs(after.opacity[beside].astype(int) - before.opacity[beside]).max() <= 1
    assert b"secret" not in new.read_raw_bytes()


def test_the_new_image_does_not_depend_on_what_was_under_the_paint() -> None:
    pdf = Pdf.new()
    made = []
    for value in (0, 77, 200):
        colours = COLOURS.copy()
        colours[INSIDE] = value
        image = stream(pdf, colours.tobytes(), ColorSpace=Name.DeviceRGB)
        made.append(pixels.blank(pdf, image, [QUAD]).read_raw_bytes())
    assert len(set(made)) == 1


def test_the_squares_of_a_jpeg_go_whole() -> None:
    """What lies beside the quad, but in the same square, has been blurred by what was in the quad."""
    pdf = Pdf.new()
    make, _ = KINDS["JPEG"]
    photograph = drawn(make(pdf))
    photograph.blank([QUAD], GREEN)
    gone = (photograph.colours == GREEN).all(axis=2)
    rows, columns = np.flatnonzero(gone.any(axis=1)), np.flatnonzero(gone.any(axis=0))
    assert rows.min() % 16 == columns.min() % 16 == 0
    assert (rows.max() + 1) % 16 == (columns.max() + 1) % 16 == 0 or rows.max() == ROWS - 1


def test_a_stencil_stays_one() -> None:
    pdf = Pdf.new()
    image = stream(pdf, np.packbits(BITS, axis=1).tobytes(), BitsPerComponent=1, ImageMask=True)
    assert ((drawn(image).opacity == 0) == (BITS == 1)).all()
    new = pixels.blank(pdf, image, [QUAD])
    assert bool(new.ImageMask)
    after = drawn(new)
    assert (after.opacity[INSIDE] == 255).all()
    assert ((after.opacity == 0) == (BITS == 1))[:10].all()


def test_a_mask_that_is_finer_than_its_image_stays_fine() -> None:
    pdf = Pdf.new()
    mask = grey_image(pdf)
    image = stream(pdf, bytes(4 * 3), ColorSpace=Name.DeviceGray, Width=4, Height=3, SMask=mask)
    found = drawn(image)
    assert found.opacity.shape == (ROWS, COLUMNS)
    assert np.abs(found.opacity.astype(int) - GREYS).max() <= 1


@pytest.mark.parametrize(
    "entries",
    [
        {"Filter": Name.DCTDecode, "ColorSpace": Name.DeviceRGB},
        {"Width": 0, "ColorSpace": Name.DeviceRGB},
        {"Width": 100_000, "Height": 100_000, "ColorSpace": Name.DeviceRGB},
    ],
)
def test_what_cannot_be_drawn_becomes_grey(entries: dict[str, Any]) -> None:
    pdf = Pdf.new()
    new = pixels.blank(pdf, stream(pdf, b"no image", **entries), [QUAD])
    assert (int(new.Width), int(new.Height)) == (1, 1)


def test_inline_images_become_objects() -> None:
    pdf = Pdf.new()
    written = b"BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00ff80 40> EI"
    (each,) = instructions(written)
    image = pixels.from_inline(pdf, each, {})
    assert drawn(image).colours[:, :, 0].tolist() == [[0, 255], [0x80, 0x40]]
    (each,) = instructions(b"BI /W 1 /H 1 /CS /Cs1 /BPC 8 ID \x01 EI")
    space = Array([Name.Indexed, Name.DeviceRGB, 1, String(b"\0\0\0\x0a\x14\x1e")])
    image = pixels.from_inline(pdf, each, {"/Cs1": space})
    assert drawn(image).colours.tolist() == [[[10, 20, 30]]]


def _page(pdf: Pdf, content: bytes, **images: Stream) -> pikepdf.Page:
    made = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, 200, 200]), Contents=pdf.make_stream(content))
    made.Resources = Dictionary(XObject=Dictionary({f"/{name}": image for name, image in images.items()}))
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    return pdf.pages[-1]


def _seen(pdf: Pdf) -> np.ndarray:
    file = io.BytesIO()
    pdf.save(file)
    with pypdfium2.PdfDocument(file.getvalue()) as opened:
        return opened[0].render(scale=1).to_numpy()[:, :, :3].astype(int)


BAND = ((0.0, 90.0), (200.0, 90.0), (200.0, 110.0), (0.0, 110.0))


@pytest.mark.parametrize(
    "content",
    [
        b"q 160 0 0 160 20 20 cm /Im Do Q",
        b"q 1 0 0 1 20 20 cm q 0 160 -160 0 160 0 cm /Im Do Q Q",
        b"q 160 0 0 -160 20 180 cm /Im Do Q q 10 0 0 10 0 0 cm /Im Do Q",
        b"q 160 0 0 160 20 20 cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 80a0c0e0> EI Q",
    ],
)
def test_images_are_painted_over_where_the_page_draws_them(content: bytes) -> None:
    pdf = Pdf.new()
    page = _page(pdf, content, Im=grey_image(pdf))
    before = _seen(pdf)
    assert paint_over(pdf, page, [BAND])
    after = _seen(pdf)
    assert (after[95:105, 30:170] < 60).all()
    if b"BI" not in content:  # of so few pixels, all that the band touches go
        assert (after[30:80] == before[30:80]).mean() > 0.95
        assert (after[130:170] == before[130:170]).mean() > 0.95


def test_an_image_in_a_form_is_left_to_be_drawn_with_its_page() -> None:
    pdf = Pdf.new()
    form = pdf.make_stream(b"q 160 0 0 160 20 20 cm /Im Do Q")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 200, 200])
    form.Resources = Dictionary(XObject=Dictionary(Im=grey_image(pdf)))
    page = _page(pdf, b"/Fm Do", Fm=form)
    before = _seen(pdf)
    assert not paint_over(pdf, page, [BAND])
    assert (_seen(pdf) == before).all()
    assert paint_over(pdf, page, [((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))])
