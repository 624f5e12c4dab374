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


def _bomb(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO(pack(paragraph("x")))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def test_zip_bombs_are_refused() -> None:
    with pytest.raises(HostileDocument):
        redact(_bomb("word/big.xml", b"\0" * 150_000_000))


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
