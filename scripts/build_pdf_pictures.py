"""Draw the pictures of docs/concepts/pdf.md: six documents before and after a name went.

    pip install "withhold[layout]"
    python scripts/build_pdf_pictures.py

Needs LibreOffice, LaTeX and tesseract, too; a document whose program is missing keeps the picture it has.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
from PIL import Image, ImageFilter

from withhold.evaluation.layout import makers, withhold
from withhold.formats.pdf.raster import Line, Picture, replace

FOLDER = Path(__file__).parent.parent / "docs" / "concepts"
NAME = makers.NAMES[0]
KINDS = {
    "reportlab": makers.reportlab,
    "fpdf2": makers.fpdf2,
    "weasyprint": makers.weasyprint,
    "libreoffice": makers.libreoffice_justified,
    "latex": makers.latex,
}
_SCALE, _WIDTH, _MARGIN, _APART, _SHADES = 1.5, 760, 12, 60, 16


def main() -> None:
    for kind, make in KINDS.items():
        try:
            (data,) = make([NAME])
        except makers.Missing:
            continue
        save(kind, data)
    save("scan", scanned(makers.reportlab([NAME])[0]))


def save(kind: str, data: bytes) -> None:
    """Both pictures, one above the other, with a line between them."""
    pages = [drawn(each) for each in (data, withhold(data, NAME))]
    box = inked(np.minimum(*(np.asarray(page) for page in pages)))
    parts = [page.crop(box) for page in pages]
    height = parts[0].height
    both = Image.new("L", (parts[0].width, 2 * height + 3), 160)
    both.paste(parts[0], (0, 0))
    both.paste(parts[1], (0, height + 3))
    both.thumbnail((_WIDTH, 2000))
    both.quantize(_SHADES).save(FOLDER / f"pdf-{kind}.png", optimize=True)


def drawn(data: bytes) -> Image.Image:
    with pypdfium2.PdfDocument(data) as pdf:
        return pdf[0].render(scale=_SCALE).to_pil().convert("L")


def inked(pixels: np.ndarray) -> tuple[int, int, int, int]:
    """The paragraph at the top of a page."""
    rows = np.flatnonzero((pixels < 150).any(axis=1))
    gaps = np.flatnonzero(np.diff(rows) > _APART)
    top, bottom = rows[0], rows[gaps[0]] if len(gaps) else rows[-1]
    columns = np.flatnonzero((pixels[top : bottom + 1] < 150).any(axis=0))
    left, right = columns[0], columns[-1]
    return (int(left) - _MARGIN, int(top) - _MARGIN, int(right) + _MARGIN, int(bottom) + _MARGIN)


def scanned(data: bytes) -> bytes:
    """The file as a scanner has it: askew, soft and grained."""
    with pypdfium2.PdfDocument(data) as pdf:
        sheet = pdf[0].render(scale=200 / 72).to_pil().convert("L").rotate(0.4, Image.Resampling.BICUBIC, fillcolor=255)
        width, height = pdf[0].get_size()
    soft = np.asarray(sheet.filter(ImageFilter.GaussianBlur(0.8))).astype(float) - 8
    grained = np.clip(soft + np.random.default_rng(1).normal(0, 3, soft.shape), 0, 255).astype(np.uint8)
    pixels = np.repeat(grained[:, :, None], 3, axis=2)
    new = pikepdf.open(io.BytesIO(data))
    no_text: list[Line] = []
    replace(new, 0, Picture(pixels, width, height, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)), no_text, is_photograph=True)
    file = io.BytesIO()
    new.save(file)
    return file.getvalue()


if __name__ == "__main__":
    main()
