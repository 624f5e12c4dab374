"""Scanned pages: words with their places, and lines set anew in the picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from tests.fixtures import pdf_fonts
from tests.fixtures.pdf_files import helvetica
from tests.fixtures.pdf_fonts import save
from withhold import formats
from withhold.errors import PluginError, Stopped
from withhold.formats.pdf import ocr, raster
from withhold.formats.pdf.decoding import trust
from withhold.formats.pdf.fonts.unicode import to_unicode
from withhold.formats.pdf.ocr import Rapid, Spot, Tesseract, Word
from withhold.formats.pdf.raster import Picture, Renderer
from withhold.formats.pdf.scans import Scan
from withhold.spans import Span
from withhold.types import Handling, Replacement

NAMES = ("Zbigniew Kwiatkowski", "Ann Lee", "Maximilian von Habsburg")
LINES = ("Statement of {}, taken on 4 March.", "The witness met Ms Harper twice at the", "station and paid in cash.")
OFF = Handling(ocr="off")
INSTALLED = [Tesseract("eng")] if "eng" in ocr._languages() else []
INSTALLED += [Rapid()] if ocr.find_spec("rapidocr_onnxruntime") else []


def typed(lines: Sequence[str], turn: float = 0, size: int = 34) -> tuple[Image.Image, list[Spot]]:
    """A clean sheet with these lines, and where each word is on it."""
    sheet = Image.new("L", (1240, 700), 255)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size)
    spots = []
    for number, line in enumerate(lines):
        left, top = 120.0, 100.0 + 70 * number
        for word in line.split():
            width = font.getlength(word)
            pen.text((left, top), word, fill=0, font=font)
            spots.append(Spot(word, left, top + 4, left + width, top + size + 6, 0.95, number))
            left += width + 12
    return sheet.rotate(turn, Image.Resampling.BICUBIC, fillcolor=255), spots


def scanned(sheet: Image.Image, content: bytes = b"", rotate: int = 0) -> bytes:
    """A file of one page that is a picture of the sheet."""
    pdf = Pdf.new()
    picture = raster.image(pdf, np.asarray(sheet.convert("RGB")))
    width, height = sheet.width * 0.4, sheet.height * 0.4
    drawn = f"q {width} 0 0 {height} 0 0 cm /Im Do Q ".encode() + content
    page = Dictionary(
        Type=Name.Page, MediaBox=Array([0, 0, width, height]), Rotate=rotate, Contents=pdf.make_stream(drawn),
        Resources=Dictionary(XObject=Dictionary(Im=picture), Font=Dictionary(F1=helvetica())),
    )  # fmt: skip
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return save(pdf)


def scan(lines: Sequence[str]) -> Scan:
    """A sheet with its words, as a perfect program would read them."""
    sheet, spots = typed(lines)
    picture = Picture(np.asarray(sheet.convert("RGB")), 595.0, 336.0, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    return Scan(picture, [Word(spot.text, ocr._quad(picture, spot), 0.95, spot.line) for spot in spots])


def redacted(found: Scan, name: str) -> tuple[Picture, list[raster.Line]]:
    (start,) = [found.texts[0].index(name)]
    return found.redacted({0: [Replacement(Span(start, start + len(name)), "[PERSON]")]})


def test_the_picture_does_not_tell_how_wide_the_name_was() -> None:
    pages = set()
    for name in NAMES:
        page, lines = redacted(scan([LINES[0].format(name), *LINES[1:]]), name)
        assert [line.text for line in lines] == ["Statement of [PERSON], taken on 4 March.", *LINES[1:]]
        pages.add((page.pixels.tobytes(), tuple(line.quad for line in lines)))
    assert len(pages) == 1


@pytest.mark.parametrize("template", ["{} took it", "it was {}", "{}", "by {} and {}"])
def test_names_at_either_end_and_alone(template: str) -> None:
    pages = set()
    for name in NAMES:
        found = scan([template.format(name, name), *LINES[1:]])
        starts = [at for at in range(len(found.texts[0])) if found.texts[0].startswith(name, at)]
        several = [Replacement(Span(start, start + len(name)), "[PERSON]") for start in starts]
        page, lines = found.redacted({0: several})
        assert lines[0].text == template.format("[PERSON]", "[PERSON]")
        pages.add(page.pixels.tobytes())
    assert len(pages) == 1


def test_lines_that_are_not_touched_stay_as_they_are() -> None:
    found = scan([LINES[0].format(NAMES[0]), *LINES[1:]])
    page, _ = redacted(found, NAMES[0])
    assert (page.pixels[165:] == found.picture.pixels[165:]).all()
    whole, lines = found.redacted({})
    assert (whole.pixels == found.picture.pixels).all()
    assert [line.text for line in lines] == found.texts


def test_words_beside_a_line_and_rules_stay() -> None:
    sheet, spots = typed([f"Name {NAMES[0]}", "other words below"])
    pen = ImageDraw.Draw(sheet)
    pen.line((800, 20, 800, 600), fill=0, width=4)
    pen.text((900, 100), "beside", fill=0, font=ImageFont.load_default(34))
    spots.append(Spot("beside", 900, 104, 1010, 140, 0.9, 5))
    picture = Picture(np.asarray(sheet.convert("RGB")), 595.0, 336.0, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    found = Scan(picture, [Word(spot.text, ocr._quad(picture, spot), 0.9, spot.line) for spot in spots])
    page, _ = found.redacted({0: [Replacement(Span(5, 5 + len(NAMES[0])), "[PERSON]")]})
    assert (page.pixels[:, 798:] == picture.pixels[:, 798:]).all()
    assert not (page.pixels[:, :790] == picture.pixels[:, :790]).all()


def test_a_page_that_lies_askew_is_straightened() -> None:
    sheet, spots = typed([LINES[0].format("Ann Lee"), *LINES[1:]], turn=-1.5)
    level = Picture(np.asarray(sheet.convert("RGB")), 595.0, 336.0, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    upright = level.straightened(np.radians(1.5))
    words = [Word(spot.text, ocr._quad(upright, spot), 0.9, spot.line) for spot in spots]
    page, _ = Scan(level, words).redacted({})
    straight, _ = typed([LINES[0].format("Ann Lee"), *LINES[1:]])
    ink = np.asarray(straight) < 128
    assert (page.pixels[:, :, 0] < 160)[ink].mean() > 0.6 > (level.pixels[:, :, 0] < 160)[ink].mean()


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", True), (b"BT 3 Tr /F1 9 Tf 9 9 Td (layer) Tj ET", True), (b"BT /F1 9 Tf 9 9 Td (seen) Tj ET", False)],
)
def test_a_scan_is_a_picture_without_text_that_is_seen(content: bytes, expected: bool) -> None:
    with Renderer(scanned(typed(["a"])[0], content)) as renderer:
        assert ocr.is_scan(renderer, 0) == expected


def test_a_small_picture_makes_no_scan() -> None:
    pdf = pikepdf.open(io.BytesIO(scanned(typed(["a"])[0])))
    pdf.pages[0].MediaBox = Array([0, 0, 2000, 2000])
    with Renderer(save(pdf)) as renderer:
        assert not ocr.is_scan(renderer, 0)


class Turned:
    """Reads nothing unless the picture stands as it should."""

    name = "fake"

    def __init__(self, upright: np.ndarray, spots: list[Spot]) -> None:
        self.upright = upright
        self.spots_of_it = spots
        self.calls = 0

    def spots(self, pixels: np.ndarray, seconds: float) -> list[Spot]:
        self.calls += 1
        is_upright = pixels.shape == self.upright.shape and (pixels == self.upright).all()
        return self.spots_of_it if is_upright else [Spot("ilI", 0, 0, 5, 90, 0.4, 0)]


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_turned_page_is_read_upright_and_once(turns: int) -> None:
    sheet, spots = typed(["Several words of some length", f"turned {turns} times"])
    upright = Picture(np.asarray(sheet.convert("RGB")), 595.0, 336.0, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    program = Turned(upright.pixels, spots)
    picture, words = ocr.read(upright.turned(turns), program)
    assert (picture.pixels == upright.pixels).all()
    assert [word.text for word in words] == [spot.text for spot in spots]
    calls = program.calls
    again = ocr.read(upright.turned(turns), program)
    assert again[1] == words
    assert program.calls == calls


def test_words_are_cut_where_there_is_no_ink() -> None:
    sheet, spots = typed(["some words to cut"])
    pixels = np.asarray(sheet.convert("RGB"))
    left, right = min(spot.left for spot in spots), max(spot.right for spot in spots)
    box = [(left - 4, 100), (right + 4, 100), (right + 4, 145), (left - 4, 145)]
    found = list(ocr._words_of(pixels, box, "some words to cut", 0.9, None, 0))
    assert [word.text for word in found] == ["some", "words", "to", "cut"]
    for word, spot in zip(found, spots, strict=True):
        assert word.left <= spot.left + 2
        assert word.right >= spot.right - 2
    assert all(first.right == second.left for first, second in pairwise(found))


def test_without_a_program_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "_languages", frozenset)
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    with pytest.raises(PluginError, match=r"withhold\[ocr\]"):
        ocr.recogniser()
    monkeypatch.setattr(ocr, "_languages", lambda: frozenset({"eng"}))
    assert ocr.recogniser().name == "tesseract"
    with pytest.raises(PluginError, match="pol"):
        ocr.recogniser(language="pol")
    with pytest.raises(PluginError):
        ocr.recogniser("rapidocr")


@cache
def noisy() -> bytes:
    sheet, _ = typed([LINES[0].format(NAMES[0]), *LINES[1:]], turn=0.5)
    blurred = np.asarray(sheet.filter(ImageFilter.GaussianBlur(0.7))).astype(float)
    grained = np.clip(blurred + np.random.default_rng(3).normal(-8, 6, blurred.shape), 0, 255)
    return scanned(Image.fromarray(grained.astype(np.uint8)))


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="no program that reads scanned pages is installed")
@pytest.mark.parametrize("program", INSTALLED, ids=lambda program: program.name)
def test_a_scan_is_read_redacted_and_read_again(program: ocr.Recogniser) -> None:
    done: list[int] = []
    with Renderer(noisy()) as renderer:
        assert ocr.is_scan(renderer, 0)
        ((number, picture, words),) = ocr.read_all(renderer, [0], program, progress=done.append)
    assert (number, done) == (0, [1])
    found = Scan(picture, words)
    assert NAMES[0] in found.texts[0]
    page, lines = redacted(found, NAMES[0])
    pdf = pikepdf.open(io.BytesIO(noisy()))
    raster.replace(pdf, 0, page, lines)
    with Renderer(save(pdf)) as renderer:
        _, again = ocr.read(renderer.render(0, ocr.DPI), program)
    text = " ".join(word.text for word in again)
    assert not {"Zbigniew", "Kwiatkowski"} & set(text.split())
    assert {"Statement", "taken", "witness", "station"} <= set(text.split())


@pytest.mark.slow
@pytest.mark.skipif(not ocr._languages(), reason="tesseract is not installed")
def test_tesseract_is_stopped_in_time() -> None:
    with pytest.raises(Stopped):
        Tesseract("eng").spots(np.full((3000, 3000, 3), 255, np.uint8), 0.01)


def lying(told: dict[str, str]) -> bytes:
    """A page in Helvetica that says of its letters that they are others."""
    pdf = Pdf.new()
    font = helvetica()
    font.ToUnicode = pdf.make_stream(to_unicode({ord(each): text for each, text in told.items()}, 1))
    pdf_fonts.page(pdf, font, pdf_fonts.shown([b"by Zofia Nowak"]))
    return save(pdf)


def test_what_is_seen_counts_where_a_font_tells_otherwise() -> None:
    letters = "byZofiaNowk "
    others = dict(zip(letters, "mnopqrstuvwX", strict=True))
    assert formats.read(lying(others), name="a.pdf", handling=OFF).text == "by Zofia Nowak"
    harmless = {"b": "B", "y": "y", "Z": "Ż", "o": "ο", "f": "f"}
    assert formats.read(lying(harmless), name="a.pdf", handling=OFF).text == "By Żοfia Nοwak"


def test_letters_that_nobody_can_read_are_dropped_and_counted() -> None:
    pdf = pikepdf.open(io.BytesIO(pdf_fonts.of_composite_compact(["Zofia Nowak"])))
    del pdf.pages[0].Resources.Font["/F9"]["/ToUnicode"]
    document = formats.read(save(pdf), name="a.pdf", handling=OFF)
    assert document.text == ""
    written, notices, _ = formats.rewrite(document, [])
    with pypdfium2.PdfDocument(written.native) as new:
        assert (new[0].render(scale=1).to_numpy() == 255).all()
    assert [notice.count for notice in notices if notice.kind == "letters that cannot be read"] == [11]


def test_a_glyph_of_another_letter_than_told_is_not_believed() -> None:
    pdf = pikepdf.open(io.BytesIO(pdf_fonts.of_compact(["Zofia"])))
    font = pdf.pages[0].Resources.Font["/F9"]
    assert trust.disputed(trust.shown(font), {1: "Z", 2: "x", 3: "F", 4: "1"}, is_sure=False) == {2, 4}


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="no program that reads scanned pages is installed")
def test_a_scanned_file_is_redacted_from_end_to_end() -> None:
    document = formats.read(noisy(), name="scan.pdf")
    assert document.handling.ocr == INSTALLED[0].name
    start = document.text.index(NAMES[0])
    written, notices, _ = formats.rewrite(document, [Replacement(Span(start, start + len(NAMES[0])), "[PERSON]")])
    assert written.text == document.text.replace(NAMES[0], "[PERSON]")
    assert any(notice.kind == "pages read from their pictures" for notice in notices)
    seen = " ".join(passage.text for passage in formats.named("pdf").passages(written.native))
    assert "Kwiatkowski" not in seen
    assert "Statement" in seen
    again = formats.read(written.native, name="again.pdf")
    assert again.text == written.text


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="no program that reads scanned pages is installed")
def test_a_layer_that_lies_about_its_picture_is_found_out() -> None:
    sheet, _ = typed(["Statement of Kwiatkowski", "on Monday"])
    content = b"/WithholdLine <</N 0>> BDC BT 3 Tr /F1 9 Tf 20 200 Td (nothing at all) Tj ET EMC"
    data = scanned(sheet, content)
    assert formats.read(data, name="a.pdf").text == "nothing at all"
    assert any("Kwiatkowski" in passage.text for passage in formats.named("pdf").passages(data))


def test_a_picture_under_a_layer_is_painted_over_where_nobody_can_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "_languages", frozenset)
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    pages = set()
    for name in NAMES:
        sheet, _ = typed([f"Statement of {name}", "he paid in cash"])
        data = scanned(sheet, f"BT 3 Tr /F1 13.6 Tf 48 225 Td (Statement of {name}) Tj ET".encode())
        document = formats.read(data, name="scan.pdf", handling=Handling(images="keep"))
        start = document.text.index(name)
        edits = [Replacement(Span(start, start + len(name)), "[PERSON]")]
        written, _, _ = formats.rewrite(document, edits)
        assert written.text == "Statement of [PERSON]"
        with pypdfium2.PdfDocument(written.native) as pdf:
            pages.add(pdf[0].render(scale=2).to_numpy().tobytes())
    assert len(pages) == 1
