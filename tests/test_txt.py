"""Plain text: every byte that is not edited stays."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import DamagedDocument, Handling, Policy, Redactor, UnsupportedFormat, UnwritableText, read, redact
from withhold.formats.txt import decode
from withhold.policy import Find, Operators

ADA = Policy(find=(Find(terms=("Ada",)),))
ENCODED = {
    "utf-8": ("Ada, naïve – 田中\r\nAda\n", "utf-8", b""),
    "utf-8 with mark": ("Ada\r\n", "utf-8", codecs.BOM_UTF8),
    "utf-16-le with mark": ("Ada 田中\n", "utf-16-le", codecs.BOM_UTF16_LE),
    "utf-16-be with mark": ("Ada 田中\n", "utf-16-be", codecs.BOM_UTF16_BE),
    "utf-32-le with mark": ("Ada\n", "utf-32-le", codecs.BOM_UTF32_LE),
    "utf-16-le without": ("Ada went home again\n", "utf-16-le", b""),
    "utf-16-be without": ("Ada went home again\n", "utf-16-be", b""),
    "cp1252": ("Ada dîne à l’hôtel « Müller » près de la forêt, déjà prête.\r\n", "cp1252", b""),
    "cp1251": ("Ada и её сёстры жили в большом доме у реки, и никто не знал об этом.\n", "cp1251", b""),
    "shift_jis": ("Ada は東京に住んでいます。彼女は毎日学校へ行きます。\n", "shift_jis", b""),
    "old Mac line ends": ("Ada\rcame\r", "utf-8", b""),
}


@pytest.mark.parametrize(("text", "encoding", "bom"), ENCODED.values(), ids=ENCODED)
def test_encoding_mark_and_line_ends_stay(text: str, encoding: str, bom: bytes) -> None:
    output = redact(bom + text.encode(encoding), ADA).document
    assert output.native == bom + text.replace("Ada", "[REDACTED]").encode(encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("René Dupré", "cp1252"),
        ("Le café de René", "latin-1"),
        ("Wczoraj Łukasz Żak pojechał do Łodzi, gdzie mieszka jego siostra i jej mąż.", "iso8859_2"),
        ("Ёлка стояла в углу комнаты, и Иванов смотрел на неё молча.", "cp1251"),
    ],
)
def test_short_texts_are_read_in_a_likely_encoding_and_told(text: str, encoding: str) -> None:
    redaction = redact(text.encode(encoding), Policy(find=(Find(terms=(text.split()[1],)),)))
    assert redaction.document.text == text.replace(text.split()[1], "[REDACTED]")
    assert "encoding taken to be" in redaction.notices[0].kind


def test_an_encoding_can_be_named() -> None:
    handling = Handling(encoding="koi8-r")
    redactor = Redactor(Policy(find=(Find(terms=("Иванов",)),), files=handling))
    data = "г-н Иванов".encode("koi8-r")
    assert redactor.redact(redactor.read(data, name="a.txt")).document.native == "г-н [REDACTED]".encode("koi8-r")


@pytest.mark.parametrize("encoding", ["utf-8", "no-such-encoding", "rot13", "a\0b"])
def test_a_wrong_encoding_is_an_error(encoding: str) -> None:
    with pytest.raises(DamagedDocument):
        Redactor(Policy(files=Handling(encoding=encoding))).read(b"caf\xe9 \xff", name="a.txt")


def test_a_mark_that_cannot_be_written_is_an_error() -> None:
    policy = Policy(find=(Find(terms=("dîne",)),), operators=Operators(mark="█"))
    with pytest.raises(UnwritableText, match="choose another mark"):
        redact("Elle dîne à l’hôtel près de la forêt, déjà prête.".encode("cp1252"), policy)


@pytest.mark.parametrize(
    "data",
    [
        b"Ada\0Ada",
        b"Ada \xed\xa0\x80 Ada",
        "Ada \u202eadA\u202c \u05d0\u05d3\u05d4 Ada".encode(),
        "A\u0301da Ada".encode(),
        b"Ada" + b"\0" * 50,
        b"",
        b"\n",
    ],
)
def test_odd_characters_are_no_trouble(data: bytes) -> None:
    output = redact(data, ADA).document.native
    assert b"Ada" not in output
    assert data.count(b"\0") == output.count(b"\0")


@pytest.mark.parametrize("name", ["a.vcf", "a.tex", "a.js", "a.odt"])
def test_names_that_no_format_claims_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=r"rename it to \.txt"):
        read(b"BEGIN:VCARD", name=name)


@pytest.mark.parametrize("data", [b"<?xml version='1.0'?><a/>", b"\xef\xbb\xbf <svg>x</svg>"])
def test_markup_is_no_plain_text(data: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="XML"):
        read(data, name="a.txt")


@pytest.mark.parametrize("data", [b"%PDF-1.7 x", b"\x89PNG\r\n", b"PK\x03\x04junk", b"{\\rtf1 Ada}"])
def test_what_is_no_text_is_refused_whatever_its_name(data: bytes) -> None:
    with pytest.raises(UnsupportedFormat):
        read(data, name="a.txt")


def test_names_in_json_are_found_however_they_are_escaped() -> None:
    policy = Policy(find=(Find(terms=("Jose Muñoz",)),))
    output = redact(b'{"name": "Jos\\u00e9 Mu\\u00f1oz", "n": 1}', policy).document
    assert output.text == '{"name": "[REDACTED]", "n": 1}'


@given(st.binary(max_size=60))
def test_decoding_is_exact_or_refused(data: bytes) -> None:
    try:
        text, encoding, bom = decode(data)
    except DamagedDocument:
        return
    errors = "surrogatepass" if encoding.startswith("utf") else "strict"
    assert bom + text.encode(encoding, errors) == data


@pytest.mark.slow
def test_two_hundred_megabytes() -> None:
    page = b"It was a long day, and Ada went home. " + b"Nobody else did, as far as anyone can tell.\n" * 200
    data = page * (200_000_000 // len(page))
    output = redact(data, ADA).document.native
    assert len(output) == len(data) + (len("[REDACTED]") - len("Ada")) * (len(data) // len(page))
    assert b"Ada" not in output


@pytest.mark.parametrize(
    ("encoding", "meant"), [("utf-16", "utf-16"), ("utf-8-sig", "utf-8-sig"), ("UTF-32", "utf-32")]
)
def test_a_mark_tells_which_kind_of_a_named_encoding_it_is(encoding: str, meant: str) -> None:
    policy = Policy(find=(Find(terms=("Zoë",)),), files=Handling(encoding=encoding))
    redaction = Redactor(policy).redact("Dear Zoë!".encode(meant))
    assert redaction.document.native == "Dear [REDACTED]!".encode(meant)
