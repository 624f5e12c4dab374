"""Broken and hostile files of every format: a clear error without a word of the document, or a right result."""

from __future__ import annotations

import io
import logging
import random
import zipfile

import pytest

from tests.fixtures.docx_files import _DECLARED, pack, paragraph
from tests.test_conformance import FORMATS, fixture, redactor
from withhold import DamagedDocument, Hidden, HostileDocument, UnsupportedFormat, WithholdError, formats, inspect, read
from withhold.evaluation import readers

SECRET = "Zbigniew Kwiatkowski"


def damaged(data: bytes, seed: int) -> bytes:
    """The bytes with a few of them changed, cut out, doubled or made up."""
    chance = random.Random(seed)
    result = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(result))
        length = chance.randint(1, 40)
        kind = chance.randrange(4)
        if kind == 0:
            result[at] = chance.randrange(256)
        elif kind == 1:
            del result[at : at + length]
        elif kind == 2:
            result[at:at] = result[at : at + length]
        else:
            result[at:at] = chance.choice(
                [b"\0", b"<", b"]]>", b"&#0;", b"\xff\xfe", b"<!--", b'"', b"PK\x05\x06", b"\r"]
            )
        if not result:
            return b""
    return bytes(result)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in ("eml", "pdf") else ()) for name in FORMATS]
)
def test_damaged_files_are_refused_or_redacted(name: str, caplog: pytest.LogCaptureFixture) -> None:
    whole = fixture(name, "every_slot")(SECRET)
    outcomes = {"refused": 0, "redacted": 0}
    with caplog.at_level(logging.DEBUG):
        for seed in range(60):
            try:
                document = formats.read(damaged(whole, seed), name=FORMATS[name])
                output = redactor(SECRET).redact(document).document
            except WithholdError as error:
                outcomes["refused"] += 1
                said = " ".join([str(error), repr(error), *map(str, error.args), *getattr(error, "__notes__", [])])
                assert "Zbig" not in said
                assert "Kwiat" not in said
            else:
                outcomes["redacted"] += 1
                assert "kwiatkowski" not in output.text.lower().split()
    assert sum(outcomes.values()) == 60
    assert "Kwiat" not in caplog.text


@pytest.mark.parametrize("name", FORMATS)
def test_errors_and_reprs_never_quote(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        document = formats.read(fixture(name, "every_slot")(SECRET), name=f"{SECRET}{FORMATS[name][4:]}")
        redaction = redactor(SECRET).redact(document)
        shown = [document, redaction, *redactor(SECRET).detect(document), *formats.named(name).inspect(document.native)]
    assert not [each for each in shown if "Kwiat" in repr(each) or "Kwiat" in str(each)]
    assert "Kwiat" not in caplog.text


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<!doctype html><p>x", "a.docx"),
        (b"<html><p>x</p></html>", "a.eml"),
        (b"\x89PNG\r\n\x1a\n", "a.docx"),
        (b"%PDF-1.7", "a.html"),
    ],
)
def test_a_name_that_lies_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(UnsupportedFormat):
        read(data, name=name)


def test_a_word_document_is_known_by_its_content() -> None:
    data = fixture("docx", "plain")(["Hello"])
    assert read(data, name="hello").format == "docx"
    with pytest.raises(UnsupportedFormat, match="the content is docx"):
        read(data, name="hello.txt")


MAIL = b"From: Ann <ann@example.org>\nTo: Bob\nSubject: the boat\n\nIt leaks.\n"


def test_a_mail_copied_into_plain_text_is_plain_text() -> None:
    assert formats.read(MAIL, name="copied.txt").text.startswith("From: Ann")
    assert formats.read(MAIL, name="mail.eml").format == "eml"


@pytest.mark.parametrize("line", [b"MIME-Version: 1.0\n", b"Content-Type: text/plain\n", b"X-Note: =?utf-8?B?QW5u?=\n"])
def test_a_mail_with_encoded_parts_is_not(line: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="the content is eml"):
        formats.read(line + MAIL, name="copied.txt")


@pytest.mark.parametrize("size", ["1.2.3px", ".px", "\u00b2px", "9" * 5000 + "px", "1px"])
def test_sizes_of_any_kind_are_no_trouble(size: str) -> None:
    assert inspect(f"<html><p style='font-size: {size}'>x</p>".encode()) == _tiny(size == "1px")


def _tiny(is_tiny: bool) -> list[Hidden]:
    return [Hidden("tiny text", "page", 1, "x")] if is_tiny else []


@pytest.mark.parametrize("number", ["\u00b2", "9" * 5000, "-1", "1"])
def test_numbers_of_any_kind_are_no_trouble(number: str) -> None:
    choices = f'<w:ddList><w:result w:val="{number}"/><w:listEntry w:val="one"/><w:listEntry w:val="two"/></w:ddList>'
    begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{choices}</w:ffData></w:fldChar>'
    code, end = "<w:instrText>FORMDROPDOWN</w:instrText>", '<w:fldChar w:fldCharType="end"/>'
    size = f'<w:rPr><w:sz w:val="{number}"/></w:rPr>'
    data = pack(f"<w:p><w:r>{begin}{code}{end}</w:r></w:p>" + paragraph("small", size))
    assert read(data).text == ("two" if number == "1" else "one") + "\nsmall"
    assert any(hidden.kind == "tiny text" for hidden in inspect(data)) == (number == "1")


def test_a_chain_of_parts_is_followed_so_far_and_no_farther() -> None:
    header = f"<w:hdr {_DECLARED}>{paragraph('x')}</w:hdr>"
    parts: dict[str, bytes | str] = {}
    for number in range(1500):
        parts[f"word/h{number}.xml"] = header
        parts[f"word/_rels/h{number}.xml.rels"] = (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header" '
            f'Target="h{number + 1}.xml"/></Relationships>'
        )
    with pytest.raises(HostileDocument):
        read(pack(paragraph("x"), parts, [("r", "header", "h0.xml")]))


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_office_programs_do_not_read_are_not_read(packing: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pack(paragraph("x")))) as plain, zipfile.ZipFile(packed, "w", packing) as odd:
        for name in plain.namelist():
            odd.writestr(name, plain.read(name))
    with pytest.raises(DamagedDocument):
        read(packed.getvalue(), name="a.docx")


@pytest.mark.parametrize("data", [b"<![q[x", b"<html><![ x]>Zebulon", b"<![1", b"<html><![if x]>Zebulon<![endif]>"])
def test_odd_declarations_are_no_trouble(data: bytes) -> None:
    output = redactor("Zebulon").redact(read(data, name="a.html")).document.native
    assert ("Zebulon" in readers.visible("html", data)) == (b"Zebulon" in data)
    assert not any("Zebulon" in text for _, texts in readers.everything("html", output) for text in texts)
