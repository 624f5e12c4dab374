"""Makes examples/memo.docx: a consulting memo, with the client's name in the places where Word puts names.

Everyone and everything in it is made up. The package is packed by hand and stored uncompressed, so that the same
script gives the same bytes on every machine.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

MEMO = Path(__file__).with_name("memo.docx")

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
BY = 'w:author="Ilse Varnholt" w:date="2026-03-11T09:30:00Z"'
INK, RULE, SHADE = "1F3B4D", "9FB4C0", "E8EEF1"


def run(text: str, looks: str = "") -> str:
    properties = f"<w:rPr>{looks}</w:rPr>" if looks else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*content: str, style: str = "") -> str:
    """A paragraph of runs; plain strings become runs."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(each if each.startswith('<') else run(each) for each in content)}</w:p>"


def heading(text: str) -> str:
    return paragraph(text, style="Heading1")


def bullet(*content: str) -> str:
    return paragraph(*content, style="ListBullet")


def inserted(text: str) -> str:
    return f'<w:ins w:id="11" {BY}>{run(text)}</w:ins>'


def deleted(text: str) -> str:
    return f'<w:del w:id="12" {BY}><w:r><w:delText xml:space="preserve">{escape(text)}</w:delText></w:r></w:del>'


def hidden(text: str) -> str:
    return run(text, "<w:vanish/>")


def commented(text: str) -> str:
    return (
        f'<w:commentRangeStart w:id="0"/>{run(text)}<w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r>'
    )


def linked(text: str) -> str:
    shown = run(text, '<w:rStyle w:val="Hyperlink"/>')
    return f'<w:hyperlink r:id="rLink">{shown}</w:hyperlink>'


def noted() -> str:
    return '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="2"/></w:r>'


def page_number() -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("1")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def table(widths: list[int], rows: list[list[str]], *, ruled: bool) -> str:
    """Rows of text; the first row is a heading if the table is ruled."""
    edge = f'<w:{{0}} w:val="single" w:sz="4" w:space="0" w:color="{RULE}"/>'
    edges = "".join(edge.format(side) for side in ("top", "bottom", "insideH")) if ruled else ""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    body = "".join(_row(widths, row, is_head=ruled and number == 0) for number, row in enumerate(rows))
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="{sum(widths)}" w:type="dxa"/><w:tblBorders>{edges}</w:tblBorders>'
        f'<w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>"
    )


def _row(widths: list[int], row: list[str], *, is_head: bool) -> str:
    shade = f'<w:shd w:val="clear" w:color="auto" w:fill="{SHADE}"/>' if is_head else ""
    cells = ""
    for number, (width, text) in enumerate(zip(widths, row, strict=True)):
        style = "TableHead" if is_head or (number == 0 and len(row) == 2) else "TableText"
        cells += (
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{shade}</w:tcPr>{paragraph(text, style=style)}</w:tc>'
        )
    return f"<w:tr>{cells}</w:tr>"


def body() -> str:
    return "".join(
        [
            paragraph("Memorandum", style="Title"),
            table(
                [1300, 7700],
                [
                    ["To", "Ilse Varnholt, Chief Operating Officer, Brackwater Dairy"],
                    ["From", "Tomas Quill, Halden Ridge Advisory"],
                    ["Date", "12 March 2026"],
                    ["Subject", "Project Larkspur: two cold stores instead of four"],
                ],
                ruled=False,
            ),
            heading("What we recommend"),
            paragraph(
                "Brackwater Dairy should close two of its four cold stores by the end of next winter and serve all ",
                "shops from Pell Harbour and Oxmoor. This saves about ",
                deleted("3.1 million as Ilse Varnholt told the board of Brackwater Dairy"),
                inserted("2.4 million"),
                " a year from the second year on, and shortens the way to nine shops out of ten.",
            ),
            paragraph(
                "We looked at fresh milk, yoghurt and soft cheese only. Frozen goods go through a contractor and are ",
                "not part of this memo.",
                noted(),
            ),
            heading("Where the money goes today"),
            paragraph(
                "Four stores were right when ",
                # A name that an editor has split into runs.
                run("Brack") + '<w:proofErr w:type="spellStart"/>' + run("water"),
                " grew by buying smaller dairies. Each brought its own building, its own lorries and its own night ",
                "shift. The table shows what each costs and how full it is.",
            ),
            table(
                [3000, 2000, 2000, 2000],
                [
                    ["Cold store", "Cost a year", "Pallets a day", "Used"],
                    ["Pell Harbour", "1.9 million", "410", "81 %"],
                    ["Oxmoor", "1.7 million", "385", "77 %"],
                    ["Tarn Street", "1.5 million", "140", "34 %"],
                    ["Upper Fenwick", "1.3 million", "95", "29 %"],
                ],
                ruled=True,
            ),
            paragraph(
                "Costs of the last full year, without energy tax. Source: Brackwater Dairy, ledger 7.", style="Caption"
            ),
            heading("Why two are enough"),
            bullet("Pell Harbour and Oxmoor lie within two hours of every shop but three."),
            bullet("Both have room: together they can take 290 more pallets a day, and 235 would move."),
            bullet("Both leases run for nine more years; the other two end next spring."),
            paragraph(
                "The night shift is the narrow place. ",
                commented("Two teams would have to start at ten instead of midnight"),
                ", and Ilse Varnholt expects that the works council will ask for a longer notice than the law does.",
                hidden(" Do not show to Brackwater: Tomas Quill thinks that Tarn Street will be sold before the vote."),
            ),
            heading("What could go wrong"),
            paragraph(
                "A hot summer is the main risk. On the five hottest days of last year the two stores would have been ",
                "at 97 per cent. We suggest keeping the cooling of Tarn Street in working order for one summer, at a ",
                "cost of 0.2 million, and deciding in the autumn.",
            ),
            paragraph(
                "The second risk is people. Thirty-one of the 118 employees of the two stores live more than an hour ",
                "from either remaining site. Brackwater Dairy has promised in writing to offer each of them a place.",
            ),
            heading("Next steps"),
            bullet("Ilse Varnholt takes the plan to the board on 26 March."),
            bullet("Halden Ridge Advisory prepares the talks with both landlords."),
            bullet("Tomas Quill reports on the trial at Oxmoor in the first week of May."),
            paragraph(
                "The model and all figures are in the ",
                linked("project room"),
                ". For questions, write to ilse.varnholt@brackwater.example or call 0555 014 2290.",
            ),
            '<w:sectPr><w:headerReference w:type="default" r:id="rHeader"/>'
            '<w:footerReference w:type="default" r:id="rFooter"/><w:pgSz w:w="11906" w:h="16838"/>'
            '<w:pgMar w:top="1700" w:right="1440" w:bottom="1500" w:left="1440" w:header="720" w:footer="720" '
            'w:gutter="0"/></w:sectPr>',
        ]
    )


def style(identifier: str, name: str, paragraph_looks: str = "", run_looks: str = "", kind: str = "paragraph") -> str:
    default = ' w:default="1"' if identifier == "Normal" else ""
    based = "" if identifier == "Normal" or kind == "character" else '<w:basedOn w:val="Normal"/>'
    of_paragraph = f"<w:pPr>{paragraph_looks}</w:pPr>" if paragraph_looks else ""
    return (
        f'<w:style w:type="{kind}"{default} w:styleId="{identifier}"><w:name w:val="{name}"/>{based}{of_paragraph}'
        f"<w:rPr>{run_looks}</w:rPr></w:style>"
    )


def styles() -> str:
    line = f'<w:pBdr><w:bottom w:val="single" w:sz="8" w:space="4" w:color="{INK}"/></w:pBdr>'
    ink = f'<w:color w:val="{INK}"/>'
    fonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/>'
    grey = '<w:color w:val="5A6B75"/>'
    return (
        f"{HEAD}<w:styles {W}><w:docDefaults><w:rPrDefault><w:rPr>{fonts}"
        '<w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>'
        + style("Normal", "Normal", '<w:spacing w:after="140" w:line="288" w:lineRule="auto"/>')
        + style("Title", "Title", line + '<w:spacing w:after="200"/>', f'<w:b/>{ink}<w:sz w:val="44"/>')
        + style(
            "Heading1",
            "heading 1",
            '<w:keepNext/><w:spacing w:before="320" w:after="100"/>',
            f'<w:b/>{ink}<w:sz w:val="28"/>',
        )
        + style("ListBullet", "List Bullet", '<w:numPr><w:numId w:val="1"/></w:numPr><w:contextualSpacing/>')
        + style("TableText", "Table Text", '<w:spacing w:before="40" w:after="40" w:line="240" w:lineRule="auto"/>')
        + style(
            "TableHead",
            "Table Head",
            '<w:spacing w:before="40" w:after="40" w:line="240" w:lineRule="auto"/>',
            f"<w:b/>{ink}",
        )
        + style("Caption", "caption", '<w:spacing w:before="80" w:after="200"/>', f'<w:i/>{grey}<w:sz w:val="18"/>')
        + style("Header", "header", '<w:tabs><w:tab w:val="right" w:pos="9026"/></w:tabs>', f'{grey}<w:sz w:val="18"/>')
        + style("Footer", "footer", '<w:jc w:val="center"/>', f'{grey}<w:sz w:val="18"/>')
        + style("FootnoteText", "footnote text", '<w:spacing w:after="0"/>', '<w:sz w:val="18"/>')
        + style("FootnoteReference", "footnote reference", "", '<w:vertAlign w:val="superscript"/>', "character")
        + style("Hyperlink", "Hyperlink", "", '<w:color w:val="0B5FA5"/><w:u w:val="single"/>', "character")
        + "</w:styles>"
    )


def numbering() -> str:
    return (
        f'{HEAD}<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" '
        'w:hanging="260"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        "</w:numbering>"
    )


def stories() -> dict[str, str]:
    """Header, footer, footnotes and comments."""
    mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
    note = paragraph(
        mark, " The contractor is bound to Brackwater Dairy until the end of next year.", style="FootnoteText"
    )
    rules = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
        for number, kind in enumerate(("separator", "continuationSeparator"))
    )
    said = paragraph("Please soften this. Brackwater must not read it before Friday.")
    header = paragraph("Halden Ridge Advisory", "<w:r><w:tab/></w:r>", "Brackwater Dairy, confidential", style="Header")
    return {
        "header1": f"{HEAD}<w:hdr {W} {R}>{header}</w:hdr>",
        "footer1": f"{HEAD}<w:ftr {W} {R}>{paragraph('Page ', page_number(), style='Footer')}</w:ftr>",
        "footnotes": f'{HEAD}<w:footnotes {W} {R}>{rules}<w:footnote w:id="2">{note}</w:footnote></w:footnotes>',
        "comments": f'{HEAD}<w:comments {W}><w:comment w:id="0" {BY} w:initials="IV">{said}</w:comment></w:comments>',
    }


def properties() -> dict[str, str]:
    return {
        "docProps/core.xml": f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Brackwater Dairy: cold stores</dc:title>'
        "<dc:creator>Tomas Quill</dc:creator><cp:keywords>Larkspur</cp:keywords>"
        "<cp:lastModifiedBy>Ilse Varnholt</cp:lastModifiedBy></cp:coreProperties>",
        "docProps/app.xml": f'{HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
        'extended-properties"><Company>Halden Ridge Advisory</Company><Manager>Tomas Quill</Manager></Properties>',
    }


def relation(identifier: str, kind: str, target: str) -> str:
    outside = ' TargetMode="External"' if "://" in target else ""
    return f'<Relationship Id="{identifier}" Type="{kind}" Target="{target}"{outside}/>'


def relations(*entries: str) -> str:
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{"".join(entries)}</Relationships>'


def files() -> dict[str, str]:
    """Every file of the package, in order."""
    parts = {"styles": "styles", "numbering": "numbering", "footnotes": "footnotes", "comments": "comments"}
    parts |= {"header1": "header", "footer1": "footer"}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD}.{kind}+xml"/>' for name, kind in parts.items()
    )
    return {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{WORD}.document.main+xml"/>{overrides}'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        '<Override PartName="/docProps/app.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/></Types>',
        "_rels/.rels": relations(
            relation("r1", f"{RELATIONS}/officeDocument", "word/document.xml"),
            relation("r2", f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            relation("r3", f"{RELATIONS}/extended-properties", "docProps/app.xml"),
        ),
        "word/document.xml": f"{HEAD}<w:document {W} {R}><w:body>{body()}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(
            *(relation(f"r{kind.title()}", f"{RELATIONS}/{kind}", f"{name}.xml") for name, kind in parts.items()),
            relation("rLink", f"{RELATIONS}/hyperlink", "https://rooms.example/brackwater-dairy/larkspur"),
        ),
        "word/styles.xml": styles(),
        "word/numbering.xml": numbering(),
        **{f"word/{name}.xml": content for name, content in stories().items()},
        **properties(),
    }


def memo() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files().items():
            entry = zipfile.ZipInfo(name, (2026, 3, 12, 12, 0, 0))
            entry.create_system = 3
            archive.writestr(entry, content.encode("utf-8"))
    return buffer.getvalue()


if __name__ == "__main__":
    MEMO.write_bytes(memo())
    print(f"written: {MEMO}")
