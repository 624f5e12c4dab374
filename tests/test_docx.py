"""What is particular to Word documents."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
import zlib
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE

from tests.fixtures.docx_files import _DECLARED, every_slot, jpeg, pack, paragraph
from withhold import (
    DamagedDocument,
    Document,
    DocumentError,
    EncryptedDocument,
    Handling,
    HostileDocument,
    Policy,
    Redactor,
    UnsupportedFormat,
)
from withhold.formats.docx import Docx
from withhold.policy import Find


def redact(data: bytes, *terms: str, handling: Handling | None = None) -> Document:
    finds = (Find(terms=terms),) if terms else ()
    redactor = Redactor(Policy(find=finds, files=handling or Handling()))
    return redactor.redact(redactor.read(data, name="memo.docx")).document


def part(document: Document, name: str = "word/document.xml") -> str:
    with zipfile.ZipFile(io.BytesIO(document.native)) as archive:
        return archive.read(name).decode()


def lines(document: Document) -> list[str]:
    return document.text.split("\n")


def test_the_mark_looks_like_what_stood_there_first() -> None:
    body = (
        '<w:p><w:r><w:t xml:space="preserve">Mr </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Kwiat</w:t></w:r>'
        "<w:r><w:rPr><w:i/></w:rPr><w:t>kowski</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t> came</w:t></w:r></w:p>"
    )
    opened = docx.Document(io.BytesIO(redact(pack(body), "Kwiatkowski").native))
    runs = [(run.text, run.bold, run.italic) for run in opened.paragraphs[0].runs]
    assert runs == [("Mr ", None, None), ("[REDACTED]", True, None), (" came", None, True)]


def test_blocks_say_what_paragraphs_are() -> None:
    made = docx.Document()
    made.add_paragraph("A title", style="Title")
    made.add_paragraph("Plain.")
    made.add_heading("Deeper", level=3)
    made.styles.add_style("Ours", WD_STYLE_TYPE.PARAGRAPH).base_style = made.styles["Heading 2"]
    made.add_paragraph("Of ours", style="Ours")
    made.add_paragraph("First", style="List Bullet")
    table = made.add_table(rows=2, cols=2)
    table.cell(1, 0).text = "low"
    table.cell(1, 1).add_paragraph("second of a cell")
    inner = table.cell(1, 1).add_table(rows=1, cols=1)
    inner.cell(0, 0).text = "inner"
    file = io.BytesIO()
    made.save(file)
    document = Redactor(Policy()).read(file.getvalue(), name="memo.docx")
    found = {block.span.of(document.text): (block.kind, block.where) for block in document.blocks if block.span}
    assert {text: found[text] for text in found if found[text][0] != "numbering"} == {
        "A title": ("heading", "heading 1"),
        "Plain.": ("body", "document"),
        "Deeper": ("heading", "heading 3"),
        "Of ours": ("heading", "heading 2"),
        "First": ("item", "list"),
        "low": ("cell", "table 1, row 2, cell 1"),
        "second of a cell": ("cell", "table 1, row 2, cell 2"),
        "inner": ("cell", "table 2, row 1, cell 1"),
    }


_STYLED = [("s", "styles", "styles.xml")]


def test_styles_that_are_based_on_each_other_end() -> None:
    properties = {style: f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' for style in ("A", "numbered", "outlined")}
    properties["numbered"] = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr></w:pPr>'
    properties["outlined"] = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    body = "".join(f"<w:p>{each}<w:r><w:t>x</w:t></w:r></w:p>" for each in properties.values())
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{one}"><w:basedOn w:val="{other}"/></w:style>'
        for one, other in ("AB", "BA")
    )
    package = pack(body, {"word/styles.xml": f"<w:styles {_DECLARED}>{styles}</w:styles>"}, _STYLED)
    document = Redactor(Policy()).read(package, name="memo.docx")
    assert [block.kind for block in document.blocks] == ["body", "item", "heading"]


def test_where_word_split_a_run_tells_nothing() -> None:
    whole = pack('<w:p><w:r><w:t xml:space="preserve">to Smith, Esq.</w:t></w:r></w:p>')
    split = pack(
        '<w:p><w:r w:rsidR="1"><w:t xml:space="preserve">to </w:t></w:r><w:proofErr w:type="spellStart"/>'
        '<w:r w:rsidR="2"><w:rPr><w:lang w:val="pl-PL"/><w:noProof/></w:rPr><w:t>Kwiat</w:t></w:r>'
        '<w:r><w:t>kowski</w:t></w:r><w:proofErr w:type="spellEnd"/><w:r><w:t>, Esq.</w:t></w:r></w:p>'
    )
    assert redact(whole, "Smith").native == redact(split, "Kwiatkowski").native


TRACKED = (
    "<w:p><w:r><w:t>a</w:t></w:r><w:ins w:author='x'><w:r><w:t>b</w:t></w:r></w:ins>"
    "<w:del w:author='x'><w:r><w:delText>c</w:delText></w:r></w:del></w:p>"
    "<w:p><w:pPr><w:rPr><w:del w:author='x'/></w:rPr></w:pPr><w:r><w:t>d</w:t></w:r></w:p>"
    "<w:p><w:r><w:t>e</w:t></w:r></w:p>"
    "<w:tbl><w:tr><w:trPr><w:ins w:author='x'/></w:trPr><w:tc><w:p><w:r><w:t>f</w:t></w:r></w:p></w:tc></w:tr>"
    "<w:tr><w:trPr><w:del w:author='x'/></w:trPr><w:tc><w:p><w:r><w:t>g</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    "<w:p><w:pPr><w:jc w:val='center'/><w:pPrChange w:author='x'><w:pPr><w:jc w:val='right'/></w:pPr></w:pPrChange>"
    "</w:pPr>"
    "<w:r><w:rPr><w:b/><w:rPrChange w:author='x'><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>h</w:t></w:r></w:p>"
)


@pytest.mark.parametrize(
    ("choice", "expected", "kept", "gone"),
    [
        ("accept", ["ab", "de", "f", "h"], ["<w:b/>", '"center"'], ["<w:i/>", '"right"']),
        ("reject", ["ac", "d", "e", "g", "h"], ["<w:i/>", '"right"'], ["<w:b/>", '"center"']),
    ],
)
def test_tracked_changes_are_settled(choice: str, expected: list[str], kept: list[str], gone: list[str]) -> None:
    output = redact(pack(TRACKED), handling=Handling.from_json({"tracked_changes": choice}))
    assert lines(output) == expected
    xml = part(output)
    assert all(each in xml for each in kept)
    assert not any(each in xml for each in [*gone, "w:ins", "w:del", "Change", "author"])


def test_fields_become_their_results_and_page_numbers_stay() -> None:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))

    def field(code: str, result: str) -> str:
        instruction = f"<w:r><w:instrText>{code}</w:instrText></w:r>"
        return f"<w:p>{begin}{instruction}{separate}<w:r><w:t>{result}</w:t></w:r>{end}</w:p>"

    body = field("PAGE \\* MERGEFORMAT", "3") + field('HYPERLINK "http://hidden.example"', "here") + paragraph("after")
    output = redact(pack(body))
    assert lines(output) == ["3", "here", "after"]
    assert re.findall(r"<w:instrText[^>]*>(.*?)</w:instrText>", part(output)) == [" PAGE "]
    assert "hidden.example" not in part(output)


def test_an_unfinished_field_hides_nothing_that_follows() -> None:
    body = f'<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>IF x</w:instrText></w:r></w:p>{paragraph("kept")}'
    assert "kept" in redact(pack(body)).text


def test_text_hidden_by_a_style_based_on_a_hidden_one_goes() -> None:
    styles = (
        f"<w:styles {_DECLARED}><w:style w:styleId='A'><w:rPr><w:vanish/></w:rPr></w:style>"
        "<w:style w:styleId='B'><w:basedOn w:val='A'/></w:style></w:styles>"
    )
    run = "<w:r><w:rPr><w:rStyle w:val='B'/>{}</w:rPr><w:t>{}</w:t></w:r>"
    body = f"<w:p>{run.format('', 'unseen')}{run.format('<w:vanish w:val=' + repr('0') + '/>', 'seen')}</w:p>"
    output = redact(pack(body, {"word/styles.xml": styles}, [("s", "styles", "styles.xml")]))
    assert output.text == "seen"


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    pixels = chunk(b"IDAT", zlib.compress(b"\0\7"))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


PNG = _png()


def _with_image(data: bytes, name: str) -> bytes:
    blip = '<a:graphic><a:graphicData><a:blip r:embed="i"/></a:graphicData></a:graphic>'
    body = f"<w:p><w:r><w:drawing>{blip}</w:drawing></w:r></w:p>"
    return pack(body, {f"word/media/{name}": data}, [("i", "image", f"media/{name}")])


def test_images_are_blanked_unless_the_policy_keeps_them() -> None:
    blanked = redact(_with_image(PNG, "a.png"))
    kept = redact(_with_image(PNG, "a.png"), handling=Handling(images="keep"))
    assert "word/media/blank.png" in zipfile.ZipFile(io.BytesIO(blanked.native)).namelist()
    assert zipfile.ZipFile(io.BytesIO(kept.native)).read("word/media/image1.png") == PNG


def test_a_kept_image_loses_its_metadata_and_its_name() -> None:
    output = redact(_with_image(jpeg("taken by Kwiatkowski"), "Kwiatkowski.jpeg"), handling=Handling(images="keep"))
    archive = zipfile.ZipFile(io.BytesIO(output.native))
    assert not any("Kwiat" in name or b"Kwiat" in archive.read(name) for name in archive.namelist())


def test_a_touched_link_goes_and_its_text_stays() -> None:
    body = '<w:p><w:hyperlink r:id="l"><w:r><w:t>the page</w:t></w:r></w:hyperlink></w:p>'
    data = pack(body, relations=[("l", "hyperlink", "https://example.org/Kwiatkowski/cv")])
    output = redact(data, "Kwiatkowski")
    assert lines(output) == ["the page"]
    assert "hyperlink" not in part(output)
    untouched = redact(data, "Nobody")
    assert "https://example.org/Kwiatkowski/cv" in part(untouched, "word/_rels/document.xml.rels")


def test_strict_documents_are_read() -> None:
    data = pack(paragraph("Mr Kwiatkowski"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            for area in (b"wordprocessingml", b"officeDocument", b"drawingml"):
                content = re.sub(
                    rb"http://schemas\.openxmlformats\.org/" + area + rb"/2006/(main|relationships)",
                    rb"http://purl.oclc.org/ooxml/" + area + rb"/\1",
                    content,
                )
            target.writestr(name, content)
    assert redact(buffer.getvalue(), "Kwiatkowski").text == "Mr [REDACTED]"


@pytest.mark.parametrize(
    "word", ["table", "center", "Normal", "Times", "document", "header", "paragraph", "color", "style"]
)
def test_words_of_the_format_can_be_removed(word: str) -> None:
    data = io.BytesIO()
    document = docx.Document()
    document.add_heading(f"A {word} here", 1)
    document.add_table(1, 1, "Table Grid").cell(0, 0).text = f"the {word}"
    document.save(data)
    output = redact(data.getvalue(), word)
    assert word.lower() not in output.text.lower()
    assert docx.Document(io.BytesIO(output.native)).paragraphs[0].style.name == "Heading 1"


def test_untouched_parts_look_the_same() -> None:
    data = io.BytesIO()
    document = docx.Document()
    styled = document.add_paragraph("Bold and ", "List Bullet")
    styled.add_run("red").font.color.rgb = docx.shared.RGBColor(255, 0, 0)
    document.add_paragraph("Mr Kwiatkowski")
    document.save(data)
    output = docx.Document(io.BytesIO(redact(data.getvalue(), "Kwiatkowski").native))
    first = output.paragraphs[0]
    assert first.style.name == "List Bullet"
    assert [(run.text, run.font.color.rgb) for run in first.runs] == [
        ("Bold and ", None),
        ("red", docx.shared.RGBColor(255, 0, 0)),
    ]


def test_inspect_lists_what_is_hidden() -> None:
    found = {hidden.kind: hidden for hidden in Redactor().inspect(every_slot("Jan Novák"), name="memo.docx")}
    expected = {
        "comments",
        "deletions",
        "insertions",
        "hidden text",
        "white text",
        "macros",
        "custom XML",
        "field codes",
    }
    assert expected | {"embedded files", "thumbnails", "property Company", "revision ids", "bookmarks"} <= set(found)
    assert "Jan Novák" in found["comments"].text
    assert "Jan Novák" not in repr(found)


@pytest.mark.parametrize("choice", ["accept", "reject"])
def test_a_note_goes_with_its_reference(choice: str) -> None:
    reference = "<w:r><w:{0}Reference w:id='{1}'/></w:r>"
    note = "<w:{0} w:id='{1}'>" + paragraph("note {1}") + "</w:{0}>"
    body = (
        f"<w:p>{reference.format('footnote', 2)}<w:del w:author='x'>{reference.format('footnote', 3)}</w:del>"
        f"<w:r><w:rPr><w:vanish/></w:rPr><w:footnoteReference w:id='4'/></w:r>{reference.format('endnote', 2)}</w:p>"
    )
    parts: dict[str, bytes | str] = {
        f"word/{kind}s.xml": f"<w:{kind}s {_DECLARED}><w:{kind} w:type='separator' w:id='-1'><w:p/></w:{kind}>"
        + "".join(note.format(kind, number) for number in (2, 3, 4))
        + f"</w:{kind}s>"
        for kind in ("footnote", "endnote")
    }
    relations = [("f", "footnotes", "footnotes.xml"), ("e", "endnotes", "endnotes.xml")]
    output = redact(pack(body, parts, relations), handling=Handling.from_json({"tracked_changes": choice}))
    deleted = ["note 3"] if choice == "reject" else []
    assert [line for line in lines(output) if line] == ["note 2", *deleted, "note 2"]
    assert "separator" in part(output, "word/footnotes.xml")


def test_what_a_field_reads_inside_its_code_does_not_come_to_light() -> None:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    inner = f"{begin}<w:r><w:instrText> MERGEFIELD n </w:instrText></w:r>{separate}<w:r><w:t>unseen</w:t></w:r>{end}"
    code = f"<w:r><w:instrText> IF </w:instrText></w:r>{inner}<w:r><w:instrText> = x a b</w:instrText></w:r>"
    output = redact(pack(f"<w:p>{begin}{code}{separate}<w:r><w:t>shown</w:t></w:r>{end}</w:p>"))
    assert output.text == "shown"
    assert "unseen" not in part(output)


def test_a_name_under_phonetic_guides_is_found_and_its_reading_goes() -> None:
    ruby = (
        "<w:r><w:ruby><w:rubyPr><w:lid w:val='ja-JP'/></w:rubyPr><w:rt><w:r><w:t>{}</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>{}</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )
    body = f"<w:p>{ruby.format('yama', '山')}{ruby.format('da', '田')}<w:r><w:t>です</w:t></w:r></w:p>"
    output = redact(pack(body), "山田")
    assert output.text == "[REDACTED]です"
    assert "yama" not in part(output)
    assert "ruby" not in part(output)


@pytest.mark.parametrize(
    "body",
    [
        "<m:oMathPara><m:oMath><m:r><m:t>Kwiatkowski</m:t></m:r></m:oMath></m:oMathPara>",
        "<w:r><w:t>Kwiatkowski</w:t></w:r>",
        "<w:p><w:dir w:val='rtl'><w:bdo w:val='ltr'><w:r><w:t>Kwiatkowski</w:t></w:r></w:bdo></w:dir></w:p>",
        "<w:p><w:r><w:t><![CDATA[Kwiatkow]]>s<!-- x -->ki</w:t></w:r></w:p>",
        "<w:p><w:r><w:sym w:font='Arial' w:char='F04B'/><w:t>wiatkowski</w:t></w:r></w:p>",
    ],
)
def test_text_in_odd_places_is_text(body: str) -> None:
    data = pack(body)
    assert redact(data).text == "Kwiatkowski"
    assert redact(data, "Kwiatkowski").text == "[REDACTED]"


def test_what_is_no_text_holds_none() -> None:
    numbering = (
        f"<w:numbering {_DECLARED}><w:numPicBullet w:numPicBulletId='0'><w:pict><v:shape><v:textbox><w:txbxContent>"
        f"{paragraph('unseen')}</w:txbxContent></v:textbox></v:shape></w:pict></w:numPicBullet></w:numbering>"
    )
    nested = "<w:p><w:r><w:t>seen<w:t>unseen</w:t></w:t></w:r></w:p>"
    output = redact(pack(nested, {"word/numbering.xml": numbering}, [("n", "numbering", "numbering.xml")]))
    assert output.text == "seen"
    assert not any("unseen" in part(output, name) for name in ("word/document.xml", "word/numbering.xml"))


@pytest.mark.parametrize(
    "hidden",
    [
        "<w:pict><v:shape id='_x0000_s1'><v:imagedata src='file:///unseen.png'/></v:shape></w:pict>",
        "<w:pict><v:shape><o:signatureline o:suggestedsigner='unseen'/></v:shape></w:pict>",
        "<w:pict><v:shape><o:ink i='unseen'/></v:shape></w:pict>",
        "<m:d><m:dPr><m:begChr m:val='unseen'/></m:dPr></m:d>",
        "<w:drawing><wp:inline><wp:docPr id='1' name='unseen'/><pic:pic><pic:extLst><a:ext uri='unseen'/></pic:extLst>"
        "</pic:pic></wp:inline></w:drawing>",
    ],
)
def test_what_drawings_know_besides_their_looks_goes(hidden: str) -> None:
    assert "unseen" not in part(redact(pack(f"<w:p><w:r>{hidden}</w:r></w:p>")))


def test_charts_keep_the_names_and_dates_they_show() -> None:
    chart = (
        f"<c:chartSpace {_DECLARED}><c:pivotSource><c:name>unseen</c:name></c:pivotSource><c:chart><c:plotArea>"
        "<c:trendline><c:name>Growth of Kwiatkowski</c:name></c:trendline><c:numCache>"
        "<c:formatCode>yyyy-mm-dd</c:formatCode></c:numCache></c:plotArea></c:chart></c:chartSpace>"
    )
    graphic = "<a:graphic><a:graphicData><c:chart r:id='c'/></a:graphicData></a:graphic>"
    body = f"<w:p><w:r><w:drawing>{graphic}</w:drawing></w:r></w:p>"
    output = redact(pack(body, {"word/charts/c.xml": chart}, [("c", "chart", "charts/c.xml")]), "Kwiatkowski")
    assert lines(output)[-1] == "Growth of [REDACTED]"
    assert "yyyy-mm-dd" in part(output, "word/charts/chart1.xml")
    assert "unseen" not in part(output, "word/charts/chart1.xml")


def test_settings_and_objects_stay_within_the_schema() -> None:
    settings = f"<w:settings {_DECLARED}><w:footnotePr><w:footnote w:id='-1'/></w:footnotePr></w:settings>"
    body = "<w:p><w:r><w:object w:dxaOrig='1' w:dyaOrig='2'><v:shape/></w:object></w:r></w:p>"
    output = redact(pack(body, {"word/settings.xml": settings}, [("s", "settings", "settings.xml")]))
    assert '<w:footnote w:id="-1"/>' in part(output, "word/settings.xml")
    assert "<w:pict><v:shape/></w:pict>" in part(output)


def test_styles_that_hide_twice_show() -> None:
    styles = f"<w:styles {_DECLARED}><w:style w:styleId='A'><w:rPr><w:vanish/></w:rPr></w:style></w:styles>"
    body = (
        "<w:p><w:pPr><w:pStyle w:val='A'/></w:pPr><w:r><w:t>unseen</w:t></w:r>"
        "<w:r><w:rPr><w:rStyle w:val='A'/></w:rPr><w:t>seen</w:t></w:r></w:p>"
    )
    assert redact(pack(body, {"word/styles.xml": styles}, [("s", "styles", "styles.xml")])).text == "seen"


def test_a_deleted_paragraph_mark_joins_across_marks() -> None:
    body = (
        "<w:p><w:pPr><w:rPr><w:del w:author='x'/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
        "<w:bookmarkStart w:id='1' w:name='x'/><w:bookmarkEnd w:id='1'/><w:p><w:r><w:t>b</w:t></w:r></w:p>"
    )
    assert redact(pack(body)).text == "ab"


def test_styles_named_after_what_the_text_does_not_have_are_renamed() -> None:
    styles = f"<w:styles {_DECLARED}><w:style w:styleId='Acme'><w:name w:val='Acme Letter'/></w:style></w:styles>"
    body = '<w:p><w:pPr><w:pStyle w:val="Acme"/></w:pPr><w:r><w:t>We thank the client.</w:t></w:r></w:p>'
    data = pack(body, {"word/styles.xml": styles}, [("s", "styles", "styles.xml")])
    output = redact(data, "Acme")
    assert "Acme" not in part(output) + part(output, "word/styles.xml")
    assert 'w:val="Style1"' in part(output)
    assert "Acme Letter" in part(redact(data), "word/styles.xml")


def test_what_the_format_has_no_name_for_goes_and_what_stands_in_it_stays() -> None:
    output = redact(pack("<w:p><w:acme w:acme='1' acme='1'><w:r><w:t>seen</w:t></w:r></w:acme></w:p>"))
    assert output.text == "seen"
    assert "acme" not in part(output)


def test_styles_named_after_short_names_are_renamed() -> None:
    styles = f"<w:styles {_DECLARED}><w:style w:styleId='LiWu'><w:name w:val='Letter of Li Wu'/></w:style></w:styles>"
    output = redact(pack(paragraph("Li Wu"), {"word/styles.xml": styles}, [("s", "styles", "styles.xml")]), "Wu")
    assert "Wu" not in part(output, "word/styles.xml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_parts_in_a_language_that_is_not_words_are_refused(encoding: str) -> None:
    xml = "<?xml version='1.0' encoding='{}'?><d:document xmlns:d='urn:other'><d:p>text</d:p></d:document>"
    with pytest.raises(DamagedDocument):
        redact(pack("", {"word/document.xml": xml.format(encoding).encode(encoding)}))


def test_the_independent_reader_refuses_what_is_no_package() -> None:
    sound = pack(paragraph("x"))
    broken = bytearray(sound)
    broken[sound.rindex(b"word/document.xml", 0, sound.index(b"PK\x01\x02")) + 40] ^= 0xFF
    for data in (b"", b"PK\x03\x04", sound[:200], bytes(broken), pack("", {"word/document.xml": b"\xff<a"})):
        with pytest.raises(DamagedDocument):
            list(Docx().passages(data))


def test_values_the_format_demands_are_replaced() -> None:
    theme = (
        f"<a:theme {_DECLARED} name='Kwiatkowski'><a:clrScheme name='Kwiatkowski'/>"
        "<a:latin typeface='Kwiatkowski Sans'/></a:theme>"
    )
    data = pack(paragraph("Kwiatkowski"), {"word/theme/t.xml": theme}, [("t", "theme", "theme/t.xml")])
    written = part(redact(data, "Kwiatkowski"), "word/theme/theme1.xml")
    assert '<a:clrScheme name="Object"/><a:latin typeface="Object"/>' in written


def test_a_row_whose_cells_were_all_deleted_goes() -> None:
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    deleted = cell.format("<w:cellDel w:author='x'/>", "gone")
    body = f"<w:tbl><w:tr>{deleted}</w:tr><w:tr>{deleted}{cell.format('', 'kept')}</w:tr></w:tbl><w:p/>"
    output = redact(pack(body))
    assert lines(output) == ["kept", ""]
    assert part(output).count("<w:tr") == 1


def test_a_button_shows_its_label() -> None:
    code = "<w:r><w:instrText> MACROBUTTON Unseen Click for Kwiatkowski </w:instrText></w:r>"
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    data = pack(f"<w:p>{begin}{code}{end}</w:p>")
    assert redact(data).text == "Click for Kwiatkowski"
    assert redact(data, "Kwiatkowski").text == "Click for [REDACTED]"


def test_where_an_equation_was_split_and_its_language_tell_nothing() -> None:
    math = "<w:p><m:oMath>{}</m:oMath></w:p>"
    run = "<m:r><w:rPr><w:i/></w:rPr><m:t>{}</m:t></m:r>"
    drawn = "<w:p><w:r><w:drawing><a:p><a:r><a:rPr lang='{0}'/><a:t>x</a:t></a:r><a:endParaRPr lang='{0}'/></a:p>"
    whole = math.format(run.format("Smith")) + drawn.format("en-GB") + "</w:drawing></w:r></w:p>"
    split = math.format(run.format("Kwiat") + run.format("kowski")) + drawn.format("pl-PL") + "</w:drawing></w:r></w:p>"
    assert redact(pack(whole), "Smith").native == redact(pack(split), "Kwiatkowski").native


def test_the_script_of_a_removed_name_is_not_told() -> None:
    run = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
    around = f"<w:p>{run.format('', 'to ')}{{}}{run.format('<w:rtl/>', ' כן')}</w:p>"
    latin = around.format(run.format("", "Smith"))
    hebrew = around.format(run.format("<w:rtl/><w:cs/>", "שמעון"))
    assert redact(pack(latin), "Smith").native == redact(pack(hebrew), "שמעון").native
    assert part(redact(pack(hebrew))).count("<w:rtl/>") == 2


def test_the_independent_reader_sees_every_attribute_and_target() -> None:
    body = "<w:p><w:r><w:pict><v:shape o:alt='Kwiatkowski' alt='x'/></w:pict></w:r></w:p>"
    data = pack(body, relations=[("x", "theme", "theme/Novotny.xml")])
    seen = " ".join(passage.text for passage in Docx().passages(data))
    assert "Kwiatkowski" in seen
    assert "Novotny" in seen


def test_alternatives_name_no_prefix_that_is_not_declared() -> None:
    wps = "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas"
    choice = f'<mc:Choice xmlns:wpc="{wps}" Requires="wpc"><w:t>a</w:t></mc:Choice>'
    xml = part(redact(pack(f"<w:p><w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r></w:p>")))
    assert "xmlns:wpc" in xml


def test_long_alt_texts_stay() -> None:
    alt = "word " * 400
    body = (
        f'<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="{alt}"/></wp:inline></w:drawing></w:r></w:p>'
    )
    assert alt in redact(pack(body)).text


def test_every_word_of_the_default_template_can_be_removed() -> None:
    data = io.BytesIO()
    docx.Document().save(data)
    with zipfile.ZipFile(data) as archive:
        xml = " ".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".xml"))
    values = " ".join(re.findall(r'="([^"]*)"', xml))
    words = sorted(set(re.findall(r"[^\W\d_]{3,}", values + re.sub("([a-z])([A-Z])", r"\1 \2", values))))
    assert "Text" in words
    document = docx.Document()
    for word in words:
        document.add_paragraph(word, "Body Text")
    document.save(data := io.BytesIO())
    assert set(redact(data.getvalue(), *words).text.split()) == {"[REDACTED]", "%1.", "\uf0b7"}


def _bomb(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO(pack(paragraph("x")))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def test_zip_bombs_are_refused() -> None:
    with pytest.raises(HostileDocument):
        redact(_bomb("word/big.xml", b"\0" * 150_000_000))


def test_a_part_that_cannot_be_unpacked_goes_and_is_told() -> None:
    styles = f"<w:styles {_DECLARED}><w:style w:styleId='Marker'/></w:styles>"
    data = bytearray(pack(paragraph("Mr Kwiatkowski"), {"word/styles.xml": styles}, [("s", "styles", "styles.xml")]))
    at = data.index(b"word/styles.xml") + len(b"word/styles.xml") + 20
    data[at] ^= 0xFF
    redactor = Redactor(Policy(find=(Find(terms=("Kwiatkowski",)),)))
    redaction = redactor.redact(redactor.read(bytes(data), name="memo.docx"))
    assert redaction.document.text == "Mr [REDACTED]"
    assert "parts that cannot be unpacked" in {notice.kind for notice in redaction.notices}


def test_a_size_that_lies_is_refused() -> None:
    data = bytearray(pack(paragraph("word " * 1000)))
    at = data.rindex(b"word/document.xml") - 46 + 24
    data[at : at + 4] = (20).to_bytes(4, "little")
    with pytest.raises(DocumentError):
        redact(bytes(data))


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("stolen")
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    for entities in (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', f'<!ENTITY l0 "ha">{bomb}<!ENTITY x "&l9;">'):
        body = "<w:body><w:p><w:r><w:t>a&x;b</w:t></w:r></w:p></w:body>"
        xml = f"<!DOCTYPE d [{entities}]><w:document {_DECLARED}>{body}</w:document>"
        try:
            output = redact(pack("", {"word/document.xml": xml}))
        except DocumentError:
            continue
        assert output.text == "ab"
        assert "DOCTYPE" not in part(output)


@pytest.mark.parametrize("cut", [10, 500, -30])
def test_truncated_files_are_refused(cut: int) -> None:
    with pytest.raises(DamagedDocument):
        Redactor().read(every_slot("x y")[:cut], format="docx")


def test_old_and_encrypted_files_are_refused_by_name() -> None:
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512
    with pytest.raises(EncryptedDocument):
        redact(head + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(UnsupportedFormat):
        redact(head + "WordDocument".encode("utf-16-le"))
    with pytest.raises(UnsupportedFormat):
        redact(head)


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    deep = "<w:sdt><w:sdtContent>" * 5000 + paragraph("x") + "</w:sdtContent></w:sdt>" * 5000
    with pytest.raises(DocumentError):
        redact(pack(deep))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_the_output_and_finds_nothing(tmp_path: Path) -> None:
    source, output = tmp_path / "before.docx", tmp_path / "after.docx"
    source.write_bytes(every_slot("Zbigniew Kwiatkowski"))
    output.write_bytes(redact(source.read_bytes(), "Zbigniew Kwiatkowski", "Zbigniew", "Kwiatkowski").native)
    command = ["soffice", "--headless", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"]
    command += ["--convert-to", "txt:Text", "--outdir", str(tmp_path), str(source), str(output)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    before, after = ((tmp_path / name).read_text("utf-8").lower() for name in ("before.txt", "after.txt"))
    assert "kwiatkowski" in before
    assert "kwiat" not in after
    assert "[redacted], stated that it was closed" in after
