"""Pages as pictures: what is painted over is gone, what remains is found, and nothing else is kept."""

from __future__ import annotations

import io

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pdfminer.high_level import extract_text
from pikepdf import Array, Dictionary, Name, Pdf, String

from tests.fixtures.pdf_files import helvetica
from tests.fixtures.pdf_fonts import save
from withhold.errors import DamagedDocument, EncryptedDocument
from withhold.formats.pdf import raster
from withhold.formats.pdf.raster import Line, Picture, Renderer, image, replace

SECRET = ((20.0, 95.0), (120.0, 95.0), (120.0, 110.0), (20.0, 110.0))
KEPT = ((20.0, 55.0), (120.0, 55.0), (120.0, 70.0), (20.0, 70.0))


def file(rotate: int = 0, box: tuple[float, ...] = (0, 0, 200, 150), **options: object) -> bytes:
    """A page with a secret, a line that stays, and much that should not."""
    pdf = Pdf.new()
    content = b"1 0 0 rg 150 10 30 30 re f 0 g BT /F1 14 Tf 20 98 Td (Kwiatkowski) Tj 0 -40 Td (stays) Tj ET"
    page = Dictionary(
        Type=Name.Page, MediaBox=Array([0, 0, 200, 150]), CropBox=Array(box), Rotate=rotate,
        Resources=Dictionary(Font=Dictionary(F1=helvetica())), Contents=pdf.make_stream(content),
        Annots=Array([Dictionary(Type=Name.Annot, Subtype=Name.Text, Contents=String("Kwiatkowski"))]),
        PieceInfo=Dictionary(Own=String("Kwiatkowski")), Metadata=pdf.make_stream(b"Kwiatkowski"),
    )  # fmt: skip
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    buffer = io.BytesIO()
    pdf.save(buffer, **(options or {"deterministic_id": True}))
    return buffer.getvalue()


def rasterised(data: bytes, lines: list[Line]) -> bytes:
    with Renderer(data) as renderer:
        picture = renderer.render(0, 150)
    picture.blank([SECRET])
    pdf = pikepdf.open(io.BytesIO(data))
    replace(pdf, 0, picture, lines)
    return save(pdf)


def seen(data: bytes, scale: float = 2) -> np.ndarray:
    with pypdfium2.PdfDocument(data) as pdf:
        return pdf[0].render(scale=scale).to_numpy().astype(int)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("box", [(0, 0, 200, 150), (10, 5, 190, 140)])
def test_the_page_looks_the_same_but_for_what_is_painted_over(rotate: int, box: tuple[float, ...]) -> None:
    data = file(rotate, box)
    before, after = seen(data), seen(rasterised(data, [Line("stays", KEPT)]))
    assert before.shape == after.shape
    with Renderer(data) as renderer:
        picture = renderer.render(0, 144)
    mask = Picture(np.zeros_like(picture.pixels), picture.width, picture.height, picture.matrix)
    mask.blank([SECRET], (255, 255, 255))
    inside = mask.pixels[:, :, 0] > 0
    assert (before[inside] < 128).any()
    edge = 3
    well_inside = inside & np.roll(inside, edge, 0) & np.roll(inside, -edge, 0)
    well_inside &= np.roll(inside, edge, 1) & np.roll(inside, -edge, 1)
    assert (after[well_inside] == 0).all()
    assert np.abs(before - after)[~inside].mean() < 3


@pytest.mark.parametrize("rotate", [0, 90])
def test_the_text_that_remains_is_found_where_it_is_seen(rotate: int) -> None:
    data = file(rotate)
    output = rasterised(data, [Line("stays 東京 Łódź", KEPT)])
    with pypdfium2.PdfDocument(output) as pdf, pypdfium2.PdfDocument(data) as old:
        text = pdf[0].get_textpage()
        assert text.get_text_bounded() == "stays 東京 Łódź"
        assert pdf[0].get_size() == old[0].get_size()
        left, bottom, right, top = text.get_charbox(0)
    with Renderer(data) as renderer:
        picture = renderer.render(0, 72)
    corners = [picture.seen(point) for point in KEPT]
    assert min(x for x, _ in corners) - 1 < left < right < max(x for x, _ in corners) + 1
    assert min(y for _, y in corners) - 1 < bottom < top < max(y for _, y in corners) + 1
    if not rotate:
        assert extract_text(io.BytesIO(output)).strip() == "stays 東京 Łódź"


def test_nothing_else_of_the_page_is_kept() -> None:
    pdf = pikepdf.open(io.BytesIO(rasterised(file(), [Line("stays", KEPT)])))
    assert set(pdf.pages[0].obj.keys()) == {"/Type", "/Parent", "/MediaBox", "/Rotate", "/Resources", "/Contents"}
    for each in pdf.objects:
        raw = each.read_bytes() if isinstance(each, pikepdf.Stream) else each.unparse()
        assert b"wiatkow" not in raw


def test_the_same_page_gives_the_same_bytes() -> None:
    assert rasterised(file(), [Line("stays", KEPT)]) == rasterised(file(), [Line("stays", KEPT)])


@pytest.mark.parametrize(
    ("pixels", "space", "bits"),
    [
        (np.random.default_rng(1).integers(0, 2, (9, 21, 1)).repeat(3, 2) * 255, "/DeviceGray", 1),
        (np.random.default_rng(2).integers(0, 256, (9, 21, 1)).repeat(3, 2), "/DeviceGray", 8),
        (np.random.default_rng(3).integers(0, 4, (9, 21, 3)) * 60, "/Indexed", 8),
        (np.random.default_rng(4).integers(0, 256, (30, 31, 3)), "/DeviceRGB", 8),
    ],
)
def test_images_hold_exactly_the_pixels_they_are_made_of(pixels: np.ndarray, space: str, bits: int) -> None:
    pdf = Pdf.new()
    stream = image(pdf, pixels.astype(np.uint8))
    found = stream.ColorSpace[0] if isinstance(stream.ColorSpace, Array) else stream.ColorSpace
    assert (str(found), int(stream.BitsPerComponent)) == (space, bits)
    drawn = np.asarray(pikepdf.PdfImage(stream).as_pil_image().convert("RGB"))
    assert (drawn == pixels).all()


def test_large_pages_are_drawn_in_fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "MOST_PIXELS", 10_000)
    with Renderer(file()) as renderer:
        rows, columns, _ = renderer.render(0).pixels.shape
    assert 8_000 < rows * columns < 11_000


def test_points_lead_to_pixels_and_back() -> None:
    with Renderer(file(90, (10, 5, 190, 140))) as renderer:
        picture = renderer.render(0)
    for turned in (picture, picture.turned(1), picture.turned(2), picture.turned(3), picture.straightened(0.02)):
        assert turned.point(turned.pixel((33.0, 44.0))) == pytest.approx((33.0, 44.0))
    whole = picture.turned(1).turned(3)
    assert (whole.pixels == picture.pixels).all()
    assert whole.matrix == pytest.approx(picture.matrix)


def test_turning_a_picture_moves_its_points_along() -> None:
    with Renderer(file()) as renderer:
        picture = renderer.render(0)
    for turns in (1, 2, 3):
        turned = picture.turned(turns)
        x, y = turned.pixel((165.0, 25.0))
        assert tuple(turned.pixels[round(y), round(x)]) == (255, 0, 0)
    x, y = picture.straightened(0.05).pixel((165.0, 25.0))
    assert tuple(picture.straightened(0.05).pixels[round(y), round(x)]) == (255, 0, 0)


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(DamagedDocument), Renderer(b"%PDF-1.4 nothing"):
        pass
    locked = file(encryption=pikepdf.Encryption(owner="a", user="b"))
    with pytest.raises(EncryptedDocument), Renderer(locked):
        pass
    with Renderer(locked, "b") as renderer:
        assert len(renderer) == 1
        with pytest.raises(DamagedDocument):
            renderer.render(7)


def test_annotations_are_drawn_if_asked_for() -> None:
    pdf = pikepdf.open(io.BytesIO(file()))
    look = pdf.make_stream(b"0 0 1 rg 0 0 50 50 re f")
    look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([0, 0, 50, 50])
    stamp = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=Array([0, 0, 50, 50]), AP=Dictionary(N=look), F=4)
    pdf.pages[0].Annots = Array([pdf.make_indirect(stamp)])
    with Renderer(save(pdf)) as renderer:
        plain, drawn = renderer.render(0, 72), renderer.render(0, 72, annotations=True)
    assert tuple(plain.pixels[-10, 10]) == (255, 255, 255)
    assert tuple(drawn.pixels[-10, 10]) == (0, 0, 255)
