"""Programs that make PDFs, each with its own idea of fonts, spaces and lines, asked to set the same words."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.util import find_spec
from pathlib import Path

from withhold.private import PrivateFolder

NAMES = (
    *("Zbigniew Kwiatkowski", "Ann Li", "Peter Hollander", "Maria Garcia", "Ilse Varnholt", "Tomas Quill"),
    *("James White", "Emily Clark", "David Lewis", "Sarah Young", "Oliver King", "Grace Hill", "Henry Scott"),
    *("Alice Green", "Frank Adams", "Nancy Baker", "Tom Nelson", "Julia Carter", "William Fitzgerald", "Diana Ross"),
)
"""Twenty people of whom a document may be."""

SENTENCES = (
    "Minutes of the hearing of 4 May, taken down at the office of the registrar in Leeds.",
    "The claimant, {}, said that the door had been locked since noon",
    "and that the difficult files were kept on the first floor that week.",
    "Asked again, {} signed the protocol and left with counsel.",
    "The remaining pages of this file have been put before both parties.",
)

_SECONDS = 180.0


class Missing(Exception):
    """What a maker needs is not installed; the message says what."""


def text(name: str) -> str:
    return " ".join(SENTENCES).format(name, name)


def reportlab(names: Sequence[str]) -> list[bytes]:
    """A standard font that is not embedded; ragged."""
    return [_on_canvas(name, "Helvetica") for name in names]


def reportlab_truetype(names: Sequence[str]) -> list[bytes]:
    """A subset of a TrueType font, with codes in the order of first use; ragged."""
    _needs("reportlab")
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    return [_on_canvas(name, "Vera") for name in names]


def _on_canvas(name: str, font: str) -> bytes:
    _needs("reportlab")
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setFont(font, 11)
    for row, sentence in enumerate(SENTENCES):
        canvas.drawString(72, 760 - 16 * row, sentence.format(name))
    canvas.save()
    return out.getvalue()


def fpdf2(names: Sequence[str]) -> list[bytes]:
    """A composite font with a subset of its glyphs; justified."""
    _needs("fpdf", "fpdf2")
    _needs("reportlab")  # for a font that comes with it
    return [_with_fpdf(name) for name in names]


def _with_fpdf(name: str) -> bytes:
    import reportlab
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    pdf.set_creation_date(datetime(2020, 1, 1, tzinfo=UTC))
    pdf.add_font("Vera", "", str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"))
    pdf.add_page()
    pdf.set_font("Vera", size=11)
    pdf.multi_cell(0, 6, text(name), align="J")
    return bytes(pdf.output())


def weasyprint(names: Sequence[str]) -> list[bytes]:
    """A page of the web, printed; justified."""
    return _printed(names, "text-align: justify; width: 14cm")


def weasyprint_centred(names: Sequence[str]) -> list[bytes]:
    """Lines that begin further left the longer they are."""
    return _printed(names, "text-align: center; width: 14cm")


def weasyprint_right(names: Sequence[str]) -> list[bytes]:
    """Lines that end together."""
    return _printed(names, "text-align: right; width: 14cm")


def weasyprint_table(names: Sequence[str]) -> list[bytes]:
    """A table whose columns are as wide as what is in them."""
    rows = "<tr><td>Name</td><td>Amount</td></tr><tr><td>{}</td><td>100</td></tr>"
    return _printed(names, "", lambda name: f"<table>{rows.format(escape(name))}</table>")


def _printed(names: Sequence[str], style: str, body: Callable[[str], str] | None = None) -> list[bytes]:
    _needs("weasyprint")
    try:
        from weasyprint import HTML
    except OSError:
        raise Missing("the library Pango") from None

    page = "<html><body style='font-family: serif; font-size: 11pt; {}'>{}</body></html>"
    made = body or (lambda name: f"<p>{escape(text(name))}</p>")
    return [bytes(HTML(string=page.format(style, made(name))).write_pdf()) for name in names]


def libreoffice_ragged(names: Sequence[str]) -> list[bytes]:
    """A word processor's paragraph, ragged."""
    return _by_libreoffice(names, lambda name: f'<text:p text:style-name="start">{text(name)}</text:p>')


def libreoffice_justified(names: Sequence[str]) -> list[bytes]:
    """A word processor's paragraph, justified."""
    return _by_libreoffice(names, lambda name: f'<text:p text:style-name="justify">{text(name)}</text:p>')


def libreoffice_table(names: Sequence[str]) -> list[bytes]:
    """A word processor's table with columns of fixed width."""
    return _by_libreoffice(names, _table)


def _table(name: str) -> str:
    rows = ((name, "100"), ("Someone else", "2,500"), ("Total", "2,600"))
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in rows
    )
    return f'<table:table><table:table-column table:number-columns-repeated="2"/>{cells}</table:table>'


_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:automatic-styles>{styles}</office:automatic-styles>
<office:body><office:text>{body}</office:text></office:body></office:document>
"""


def _by_libreoffice(names: Sequence[str], body: Callable[[str], str]) -> list[bytes]:
    from withhold.evaluation.libreoffice import find

    program = find()
    if program is None:
        raise Missing("LibreOffice")
    styles = "".join(
        f'<style:style style:name="{way}" style:family="paragraph">'
        f'<style:paragraph-properties fo:text-align="{way}"/></style:style>'
        for way in ("start", "justify")
    )
    with PrivateFolder() as folder:
        files = [folder.path / f"{index}.fodt" for index in range(len(names))]
        for file, name in zip(files, names, strict=True):
            file.write_text(_DOCUMENT.format(styles=styles, body=body(name)), "utf-8")
        profile = (folder.path / "profile").as_uri()
        command = [program, f"-env:UserInstallation={profile}", "--headless", "--norestore", "--convert-to", "pdf"]
        folder.run([*command, "--outdir", str(folder.path), *map(str, files)], _SECONDS)
        return [_written(file.with_suffix(".pdf"), "LibreOffice") for file in files]


_ARTICLE = r"""\documentclass[11pt]{article}\usepackage[T1]{fontenc}\usepackage{lmodern}
\pdfinfoomitdate=1 \pdftrailerid{} \pdfsuppressptexinfo=-1
\begin{document}\noindent %s\end{document}
"""


def latex(names: Sequence[str]) -> list[bytes]:
    """A paragraph by pdfLaTeX: kerning, ligatures, a subset of a Type 1 font; justified."""
    program = shutil.which("pdflatex")
    if program is None:
        raise Missing("pdfLaTeX")
    with PrivateFolder() as folder:
        for index, name in enumerate(names):
            source = folder.path / f"{index}.tex"
            source.write_text(_ARTICLE % text(name), "utf-8")
            folder.run([program, "-interaction=batchmode", source.name], _SECONDS)
        return [_written(folder.path / f"{index}.pdf", "pdfLaTeX with lmodern") for index in range(len(names))]


def _written(file: Path, program: str) -> bytes:
    if not file.exists():
        raise Missing(f"a {program} that works")
    return file.read_bytes()


def _needs(module: str, package: str = "") -> None:
    if find_spec(module) is None:
        raise Missing(f"the Python package {package or module}")


MAKERS: dict[str, Callable[[Sequence[str]], list[bytes]]] = {
    "reportlab": reportlab,
    "reportlab, TrueType": reportlab_truetype,
    "fpdf2, justified": fpdf2,
    "WeasyPrint, justified": weasyprint,
    "LibreOffice, ragged": libreoffice_ragged,
    "LibreOffice, justified": libreoffice_justified,
    "LibreOffice, table": libreoffice_table,
    "pdfLaTeX, justified": latex,
}
"""What is compared, by name. Each makes one file for each name."""

RESIDUAL: dict[str, Callable[[Sequence[str]], list[bytes]]] = {
    "WeasyPrint, centred": weasyprint_centred,
    "WeasyPrint, right-aligned": weasyprint_right,
    "WeasyPrint, table as wide as its words": weasyprint_table,
}
"""Documents in which lines that do not hold the name have moved with it: more than setting one line anew can mend."""
