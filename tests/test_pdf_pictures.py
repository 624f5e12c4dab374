"""Pages as pictures, and text on them: the letters of a span are where their box says."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import withhold
from tests.fixtures.redacted_pdfs import BAD, SECRET, changed, page, sentence
from withhold import Span
from withhold.cli import main
from withhold.contracts import Paged
from withhold.errors import DamagedDocument
from withhold.formats import named
from withhold.formats.pdf.inspection import unseen_text
from withhold.formats.pdf.inspection.pictures import pictures
from withhold.types import Box, Handling


def pdf() -> Paged:
    format = named("pdf")
    assert isinstance(format, Paged)
    return format


def inked(data: bytes, box: Box) -> tuple[float, float]:
    """How dark the picture of the page is inside a box, and in a frame around it."""
    image = Image.open(io.BytesIO(pdf().picture(data, box.page, 3.0))).convert("L")
    width, height = image.size
    edges = (box.left * width, box.top * height, box.right * width, box.bottom * height)
    inside = image.crop(tuple(round(edge) for edge in edges))
    around = image.crop((round(edges[0]) - 6, round(edges[1]) - 6, round(edges[2]) + 6, round(edges[3]) + 6))
    dark = [sum(255 - level for level in each.tobytes()) for each in (inside, around)]
    return dark[0], dark[1] - dark[0]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("turned", [False, True], ids=["level", "turned"])
def test_a_box_holds_the_letters_of_its_span(turn: int, turned: bool) -> None:
    def change(file: pikepdf.Pdf) -> None:
        file.pages[0].Rotate = turn
        left, bottom, right, top = (float(edge) for edge in file.pages[0].MediaBox)
        file.pages[0].CropBox = [left + 5, bottom + 10, right - 5, top - 3]

    document = withhold.read(changed(page(sentence, turned), change), name="a.pdf")
    start = document.text.index(SECRET)
    ((box,),) = pdf().boxes(document, [Span(start, start + len(SECRET))])
    inside, around = inked(document.native, box)
    assert inside > 5000
    assert around < inside / 20


def test_a_span_over_two_lines_has_two_boxes_and_an_empty_place_none() -> None:
    document = withhold.read(page(sentence), name="a.pdf")
    whole, nothing = pdf().boxes(document, [Span(0, len(document.text)), Span(0, 0)])
    assert len(whole) == sum(bool(block.span) for block in document.blocks)
    assert nothing == ()


def test_what_pages_hide_is_marked_in_its_colour() -> None:
    data = BAD["white text"]()
    ((number, drawn),) = withhold.Redactor().pictures(data, name="a.pdf")
    assert number == 1
    image = Image.open(io.BytesIO(drawn))
    assert image.height > 170 * 1.5  # the legend stands below the page
    inside = image.getpixel((round(1.5 * 200), round(1.5 * (170 - 103))))
    assert isinstance(inside, tuple)
    assert inside != (255, 255, 255)
    assert image.getpixel((5, 5)) == (255, 255, 255)
    assert list(withhold.Redactor().pictures(page(sentence), name="a.pdf")) == []
    assert list(withhold.Redactor().pictures(b"text", name="a.txt")) == []


@pytest.mark.parametrize("name", BAD)
def test_every_kind_can_be_drawn(name: str) -> None:
    data = BAD[name]()
    hides = any(len(each.boxes) for each in unseen_text(data))
    assert bool(list(pictures(data))) == hides


def test_the_command_line_writes_pictures_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pdf").write_bytes(BAD["black box over text"]())
    with pytest.raises(SystemExit):
        main(["inspect", str(tmp_path / "a.pdf")])
    assert [file.name for file in tmp_path.iterdir()] == ["a.pdf"]
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(tmp_path / "a.pdf"), "--pictures", str(tmp_path / "seen")])
    assert ended.value.code == 0
    assert [file.name for file in (tmp_path / "seen").iterdir()] == ["a.pdf.page-1.png"]
    assert SECRET not in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(tmp_path / "a.pdf"), "--pictures", str(tmp_path / "seen")])
    assert ended.value.code == 1  # what is there is not written over


def test_a_page_that_is_not_there_is_refused() -> None:
    with pytest.raises(DamagedDocument, match="no page 2"):
        pdf().picture(page(sentence), 2)


def test_pages_are_no_larger_than_can_be_drawn() -> None:
    huge = changed(
        page(sentence), lambda file: file.pages[0].__setitem__("/MediaBox", pikepdf.Array([0, 0, 9000, 9000]))
    )
    image = Image.open(io.BytesIO(pdf().picture(huge, 1, 8.0)))
    assert image.size[0] * image.size[1] <= 13_000_000


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
@pytest.mark.parametrize("turn", [0, 90])
def test_words_read_from_a_scan_have_boxes_too(turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        picture = Image.new("L", (420 * 3, 170 * 3), 255)
        ImageDraw.Draw(picture).text((200, 200), f"The applicant {SECRET}", fill=0, font_size=44)
        canvas.drawImage(ImageReader(picture), 0, 0, 420, 170)

    data = changed(page(draw, turn > 0, more=""), lambda file: file.pages[0].__setitem__("/Rotate", turn))
    document = withhold.Redactor(withhold.Policy(files=Handling(ocr="tesseract"))).read(data, name="a.pdf")
    start = document.text.index("Kwiatkowski")
    ((box,),) = pdf().boxes(document, [Span(start, start + len("Kwiatkowski"))])
    inside, around = inked(data, box)
    assert inside > 5000
    assert around < inside / 5
