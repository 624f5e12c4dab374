"""Makes examples/memo_client.docx: a memo to one of the clients of examples/clients, none of whose documents it is.

Removing the client's name is not enough here: the project, the town, the own label and the systems point to the same
client. Everyone and everything is made up. The parts that say nothing (styles, numbering, footer) are memo.docx's.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import make_memo as word
from make_memo import HEAD, PACKAGE, RELATIONS, R, W, bullet, commented, heading, hidden, linked, noted, paragraph, run

MEMO = Path(__file__).with_name("memo_client.docx")
WRITER, READER, FIRM = "Maud Ferrisby", "Odile Marchbanks", "Halden Ridge Advisory"
BY_READER = f'w:author="{READER}" w:date="2026-05-19T16:20:00Z"'


def inserted(text: str) -> str:
    return f'<w:ins w:id="21" {BY_READER}>{run(text)}</w:ins>'


def deleted(text: str) -> str:
    gone = run(text).replace("<w:t ", "<w:delText ").replace("</w:t>", "</w:delText>")
    return f'<w:del w:id="22" {BY_READER}>{gone}</w:del>'


def opening() -> list[str]:
    return [
        paragraph("Memorandum", style="Title"),
        word.table(
            [1300, 7700],
            [
                ["To", f"{READER}, Fresh Director, Quillmarsh Stores"],
                ["From", f"{WRITER}, {FIRM}"],
                ["Date", "20 May 2026"],
                ["Subject", "Project Copperleaf: a cheaper green hour"],
            ],
            ruled=False,
        ),
        heading("What we recommend"),
        paragraph(
            "Quillmarsh Stores should let Granary propose the evening markdown in all top-up stores by the autumn. ",
            "A quarter off at the right moment sells nearly as much as half off at seven, and the margin kept is ",
            "worth ",
            deleted("2.2 million, as Quillmarsh told its bank,"),
            inserted("1.6 million"),
            " a year.",
        ),
    ]


def findings() -> list[str]:
    return [
        heading("What the trial showed"),
        paragraph(
            "For four weeks, eight stores near Penwether followed the proposals and eight others in the Lower ",
            "Saltings went on as before. Shoppers hardly noticed: baskets after six stayed the same size, and Acorn ",
            "card holders came just as often.",
            noted(),
            " The shelves of ",
            # A name that an editor has split into runs.
            run("Quill") + '<w:proofErr w:type="spellStart"/>' + run("marsh"),
            " looked fuller at closing time, which was not the aim but did no harm.",
        ),
        word.table(
            [3600, 1800, 1800, 1800],
            [
                ["Category", "Waste before", "Waste after", "Margin"],
                ["Bake-off bread", "19.4 %", "13.8 %", "+ 2.1 points"],
                ["Larder & Lane ready meals", "8.2 %", "6.0 %", "+ 1.4 points"],
                ["Cut fruit and salads", "6.9 %", "5.2 %", "+ 0.8 points"],
            ],
            ruled=True,
        ),
        paragraph("Share of sales, eight stores. Source: QLM till data, weeks 15 to 18.", style="Caption"),
    ]


def doubts() -> list[str]:
    return [
        heading("What could go wrong"),
        bullet("Aisle captains may override the proposals, as they did with orders in the spring."),
        bullet("Heron labels and tills can disagree for some minutes when a price changes."),
        bullet("Suppliers who fund promotions will ask why their stickers have gone."),
        paragraph(
            "The first matters most. ",
            commented("Two of the eight managers returned to half price on the second Saturday"),
            ", and their results fell back to the level of the other stores.",
            hidden(" Not for Estermouth yet: the chief merchant would rather stop after the summer."),
        ),
    ]


def ending() -> list[str]:
    return [
        heading("Next steps"),
        bullet(f"{READER} presents the plan to the board in Estermouth on 4 June."),
        bullet("The Penwether depot moves the bread delivery by one hour from the middle of June."),
        bullet(f"{FIRM} trains the evening staff, ten stores a week, and counts overrides."),
        paragraph(
            "We suggest keeping a control group of twelve stores until Christmas, so that the saving can be told ",
            "apart from the weather. All figures are in the ",
            linked("project room"),
            "; questions go to copperleaf@quillmarsh.example.",
        ),
        '<w:sectPr><w:headerReference w:type="default" r:id="rHeader"/>'
        '<w:footerReference w:type="default" r:id="rFooter"/><w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1700" w:right="1440" w:bottom="1500" w:left="1440" w:header="720" w:footer="720" '
        'w:gutter="0"/></w:sectPr>',
    ]


def stories() -> dict[str, str]:
    """Header, footnotes and comments; the footer is that of memo.docx."""
    mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
    note = paragraph(mark, " Quillmarsh counts a visit when the card is scanned at the till.", style="FootnoteText")
    rules = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
        for number, kind in enumerate(("separator", "continuationSeparator"))
    )
    said = paragraph("Please leave out which two. Everybody at Quillmarsh will know.")
    header = paragraph(FIRM, "<w:r><w:tab/></w:r>", "Quillmarsh Stores, confidential", style="Header")
    return {
        "word/header1.xml": f"{HEAD}<w:hdr {W} {R}>{header}</w:hdr>",
        "word/footnotes.xml": f'{HEAD}<w:footnotes {W} {R}>{rules}<w:footnote w:id="2">{note}</w:footnote>'
        "</w:footnotes>",
        "word/comments.xml": f'{HEAD}<w:comments {W}><w:comment w:id="0" {BY_READER} w:initials="OM">{said}'
        "</w:comment></w:comments>",
    }


def properties() -> dict[str, str]:
    return {
        "docProps/core.xml": f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Quillmarsh: evening markdown</dc:title>'
        f"<dc:creator>{WRITER}</dc:creator><cp:keywords>Copperleaf, Granary</cp:keywords>"
        f"<cp:lastModifiedBy>{READER}</cp:lastModifiedBy></cp:coreProperties>",
        "docProps/app.xml": f'{HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
        f'extended-properties"><Company>Quillmarsh Stores</Company><Manager>{WRITER}</Manager></Properties>',
    }


def files() -> dict[str, str]:
    """Every file of the package, in the order of memo.docx."""
    body = "".join(opening() + findings() + doubts() + ending())
    parts = {"styles": "styles", "numbering": "numbering", "footnotes": "footnotes", "comments": "comments"}
    parts |= {"header1": "header", "footer1": "footer"}
    told = {
        "word/document.xml": f"{HEAD}<w:document {W} {R}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": word.relations(
            *(word.relation(f"r{kind.title()}", f"{RELATIONS}/{kind}", f"{name}.xml") for name, kind in parts.items()),
            word.relation("rLink", f"{RELATIONS}/hyperlink", "https://rooms.example/quillmarsh/copperleaf"),
        ),
    }
    return word.files() | told | stories() | properties()


def memo() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files().items():
            entry = zipfile.ZipInfo(name, (2026, 5, 20, 12, 0, 0))
            entry.create_system = 3
            archive.writestr(entry, content.encode("utf-8"))
    return buffer.getvalue()


if __name__ == "__main__":
    MEMO.write_bytes(memo())
    print(f"written: {MEMO}")
