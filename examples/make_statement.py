"""Makes examples/statement.pdf: a statement that someone has redacted badly, in several ways.

Everyone in it is made up. A box is drawn over a name, which is still there; a line was turned white; a name was truly
removed, but its room was kept; and the title of the file names the witness. The same script gives the same bytes on
every machine.
"""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

STATEMENT = Path(__file__).with_name("statement.pdf")
FONT, SIZE, LEFT = "Times-Roman", 12, 48


def main() -> None:
    canvas = Canvas(str(STATEMENT), pagesize=(420, 260), invariant=1)
    canvas.setTitle("Statement of Ilse Varnholt")
    canvas.setProducer("an editor of PDFs")
    canvas.setFont("Times-Bold", 14)
    canvas.drawString(LEFT, 215, "Statement")
    canvas.setFont(FONT, SIZE)
    covered(canvas, 180, "The witness, ", "Ilse Varnholt", ", works at the dairy in Lower Brack.")
    removed(canvas, 160, "On the night in question ", "Tomas Quill", " was seen at the gate")
    canvas.drawString(LEFT, 140, "with two cans and a lamp. The gate was locked again at six.")
    canvas.setFillGray(1)
    canvas.drawString(LEFT, 115, "She has asked that her sister Agnes not be told.")
    canvas.setFillGray(0)
    canvas.drawString(LEFT, 90, "Read over and signed at the station.")
    canvas.save()


def covered(canvas: Canvas, y: float, before: str, name: str, after: str) -> None:
    """All of it is written, and a box is drawn on top."""
    canvas.drawString(LEFT, y, before + name + after)
    start = LEFT + stringWidth(before, FONT, SIZE)
    canvas.rect(start - 1, y - 3, stringWidth(name, FONT, SIZE) + 2, 13, stroke=0, fill=1)


def removed(canvas: Canvas, y: float, before: str, name: str, after: str) -> None:
    """The name is not written, but what comes after it stays where it was."""
    canvas.drawString(LEFT, y, before)
    start = LEFT + stringWidth(before, FONT, SIZE)
    width = stringWidth(name, FONT, SIZE)
    canvas.rect(start, y - 3, width, 13, stroke=0, fill=1)
    canvas.drawString(start + width, y, after)


if __name__ == "__main__":
    main()
