"""Fonts of PDF files: nothing is left in them of text that went, and what stays looks and reads as it did."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from fontTools.t1Lib import T1Font
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Pdf

from tests.fixtures import pdf_fonts
from tests.fixtures.pdf_fonts import BOX, KINDS, SANS, VERA, save
from withhold.formats.pdf.fonts import prune, showing
from withhold.formats.pdf.fonts.cff import Cff
from withhold.formats.pdf.fonts.ranks import Character, ranked, simple_codes
from withhold.formats.pdf.fonts.truetype import TrueType
from withhold.formats.pdf.fonts.type1 import Type1
from withhold.formats.pdf.tokens import instructions, written

NAMES = ("Zbigniew Kwiatkowski", "Ann Lee", "Xavier Quincy-Jones", "Žofie Åström", "Mary Núñez")
KEPT = "The box of a fox (and “more”)."
every_kind = pytest.mark.parametrize("kind", KINDS)


def opened(data: bytes) -> Pdf:
    return pikepdf.open(io.BytesIO(data))


def without_first_line(data: bytes) -> Pdf:
    """The file with its first line gone from the page, and from nothing else."""
    pdf = opened(data)
    page = pdf.pages[0]
    page.contents_coalesce()
    several = instructions(page.Contents.read_bytes())
    several.remove(next(each for each in several if each.operator in ("Tj", "TJ")))
    page.Contents = pdf.make_stream(written(several))
    new = Pdf.new()
    new.pages.append(page)
    return new


def view(data: bytes) -> tuple[np.ndarray, str]:
    """The first page as PDFium draws and reads it."""
    with pypdfium2.PdfDocument(data) as pdf:
        page = pdf[0]
        return page.render(scale=2).to_numpy().copy(), page.get_textpage().get_text_bounded()


def streams(pdf: Pdf) -> list[bytes]:
    """What all streams hold that are written when the file is."""
    with opened(save(pdf)) as new:
        return [each.read_bytes() for each in new.objects if isinstance(each, pikepdf.Stream)]


@every_kind
def test_the_file_does_not_tell_which_name_was_there(kind: str) -> None:
    before, after = set(), set()
    for name in NAMES:
        pdf = without_first_line(KINDS[kind]([name, KEPT]))
        before.add(save(pdf))
        assert prune(pdf) == {}
        after.add(save(pdf))
    assert len(after) == 1
    assert len(before) > 1 or kind == "Type 1", "this test could not fail"


@every_kind
def test_what_is_shown_looks_and_reads_the_same(kind: str) -> None:
    data = KINDS[kind](["Sphinx of black quartz, judge my vow.", "0123456789 (a-z) [A-Z]"])
    pixels, text = view(data)
    pdf = opened(data)
    assert prune(pdf) == {}
    new_pixels, new_text = view(save(pdf))
    assert text == new_text
    assert pixels.std() > 5, "there is something on the page"
    assert (pixels == new_pixels).all()


@every_kind
def test_pruning_again_changes_nothing(kind: str) -> None:
    pdf = without_first_line(KINDS[kind](["Zbigniew", "Amber"]))
    prune(pdf)
    once = save(pdf)
    again = opened(once)
    assert prune(again) == {}
    assert save(again) == once


@every_kind
def test_the_codes_are_in_the_order_of_the_characters(kind: str) -> None:
    pdf = opened(KINDS[kind](["zyx cab"]))
    prune(pdf)
    font = pdf.pages[0].Resources.Font["/F1"]
    rows = re.findall(r"^<(\w+)> <(\w{4})>$", font.ToUnicode.read_bytes().decode(), re.M)
    texts = [chr(int(text, 16)) for _, text in sorted(rows) if text != "FFFF"]
    assert texts == sorted("zyxcab ")


def test_glyphs_of_what_went_are_gone_from_every_program() -> None:
    vera = TTFont(VERA)
    glyph = bytes(vera["glyf"].glyphs[vera.getBestCmap()[ord("Z")]].data).rstrip(b"\0")
    for kind in ("TrueType", "composite TrueType"):
        pdf = without_first_line(KINDS[kind](["Z", "abc"]))
        assert any(glyph in data for data in streams(pdf))
        prune(pdf)
        assert not any(glyph in data for data in streams(pdf))


def test_type1_keeps_the_glyphs_and_subroutines_it_needs_and_no_others() -> None:
    pdf = without_first_line(KINDS["Type 1"](["Zbigniew", "a fox"]))
    old = Type1(SANS.read_bytes())
    prune(pdf)
    descriptor = pdf.pages[0].Resources.Font["/F1"].FontDescriptor
    stream = descriptor.FontFile
    new = Type1(stream.read_bytes())
    assert set(new.glyphs) == {".notdef", "a", "f", "o", "x", "space"}
    assert all(new.glyphs[name] == old.glyphs[name] for name in new.glyphs)
    assert "/CharSet" not in descriptor
    lengths = [int(stream[key]) for key in ("/Length1", "/Length2", "/Length3")]
    assert sum(lengths) == len(stream.read_bytes())


def test_a_second_reader_understands_the_new_type1_program(tmp_path: Any) -> None:
    program, _ = Type1(SANS.read_bytes()).subset({"a": "a", "Q": "glyph1"}, "AAAAAA+Own")
    path = tmp_path / "own.pfa"
    path.write_bytes(program)
    font = T1Font(str(path))
    assert set(font.getGlyphSet().keys()) == {".notdef", "a", "glyph1"}
    assert font.font["FontName"] == "AAAAAA+Own"


def test_a_second_reader_understands_the_new_truetype_program() -> None:
    old = TTFont(VERA)
    numbers = [old.getGlyphID(old.getBestCmap()[ord(each)]) for each in "Äfz"]
    program = TrueType(VERA.read_bytes()).subset(numbers, {65: 1, 66: 2, 67: 3})
    new = TTFont(io.BytesIO(program), checkChecksums=2)
    assert [table.cmap for table in new["cmap"].tables if table.platformID == 3] == [
        dict(zip((0xF041, 0xF042, 0xF043), new.getGlyphOrder()[1:4], strict=True))
    ]
    parts = len(new.getGlyphOrder()) - 4
    assert parts == 2, "the letter and the accent that Ä is composed of"
    for number, name in zip(numbers, new.getGlyphOrder()[1:4], strict=True):
        before, after = old["glyf"][old.getGlyphName(number)], new["glyf"][name]
        assert before.getCoordinates(old["glyf"])[0] == after.getCoordinates(new["glyf"])[0]
    assert new["maxp"].numGlyphs == len(new.getGlyphOrder())


def test_compact_programs_lose_names_and_notices() -> None:
    program, _ = pdf_fonts.compact("Zab")
    assert b"of one's own" in program
    new = Cff(program).subset([2, 3], None, "AAAAAA+Own")
    assert b"of one's own" not in new
    assert len(Cff(new).order) == 3


def test_names_and_prefixes_tell_nothing() -> None:
    pdf = opened(KINDS["compact"](["abc"]))
    prune(pdf, lambda name: "own" in name.casefold())
    font = pdf.pages[0].Resources.Font["/F1"]
    assert str(font.BaseFont) == str(font.FontDescriptor.FontName) == "/AAAAAA+Font"
    assert not any(word in data for data in streams(pdf) for word in (b"Own", b"QWERTY"))


def _with_fonts(content: bytes, **entries: Any) -> Pdf:
    """A page with two fonts of Vera, /F1 and /F2, whose codes are those of Latin 1."""
    pdf = Pdf.new()
    fonts = {}
    for name in ("/F1", "/F2"):
        stream = pdf.make_stream(VERA.read_bytes())
        descriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name.Vera, Flags=32, FontFile2=stream)
        font = Dictionary(
            Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Vera, Encoding=Name.WinAnsiEncoding, FirstChar=32,
            LastChar=126, Widths=Array([600] * 95), FontDescriptor=pdf.make_indirect(descriptor),
        )  # fmt: skip
        fonts[name] = pdf.make_indirect(font)
    page = Dictionary(
        Type=Name.Page, MediaBox=Array(BOX), Contents=pdf.make_stream(content),
        Resources=Dictionary(Font=Dictionary(fonts), **{key: make(pdf) for key, make in entries.items()}),
    )  # fmt: skip
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def _form(pdf: Pdf, content: bytes, **entries: Any) -> pikepdf.Object:
    form = pdf.make_stream(content)
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array(BOX)
    for key, value in entries.items():
        form[f"/{key}"] = value
    return form


def _same_view(pdf: Pdf) -> None:
    pixels, text = view(save(pdf))
    assert prune(pdf) == {}
    new_pixels, new_text = view(save(pdf))
    assert text == new_text
    assert (pixels == new_pixels).all()
    assert pixels.std() > 2


def test_word_spacing_still_applies_to_the_same_letters() -> None:
    _same_view(_with_fonts(b"BT /F1 12 Tf 9 Tw 20 100 Td (to be or) Tj 0 Tw ( not to be) Tj ET"))
    _same_view(_with_fonts(b'BT /F1 12 Tf 20 100 Td 9 1 (to be or) " ET'))


def test_a_font_is_followed_into_a_form_that_sets_none() -> None:
    forms = {"XObject": lambda pdf: Dictionary(Fm=_form(pdf, b"BT 20 100 Td (inner) Tj ET"))}
    pdf = _with_fonts(b"BT /F2 12 Tf ET q /Fm Do Q BT 20 60 Td (outer) Tj ET", **forms)
    _same_view(pdf)
    assert list(pdf.pages[0].Resources.Font.keys()) == ["/F1"]


def test_a_form_that_shows_text_in_whatever_font_it_finds_is_told() -> None:
    forms = {"XObject": lambda pdf: Dictionary(Fm=_form(pdf, b"BT 20 100 Td (inner) Tj ET"))}
    pdf = _with_fonts(b"BT /F1 12 Tf ET /Fm Do BT /F2 12 Tf ET /Fm Do", **forms)
    assert list(prune(pdf)) == [0]


def test_fonts_of_patterns_masks_and_graphics_states_are_pruned_too() -> None:
    def pattern(pdf: Pdf) -> Dictionary:
        tiles = _form(pdf, b"BT /F7 12 Tf (tile) Tj ET", PatternType=1, PaintType=1, TilingType=1, XStep=50, YStep=50)
        del tiles["/Subtype"], tiles["/Type"]
        return Dictionary(P1=tiles)

    pdf = _with_fonts(b"/Pattern cs /P1 scn 0 0 400 200 re f BT /F1 9 Tf (x) Tj ET", Pattern=pattern)
    pdf.pages[0].Resources.Pattern.P1.Resources = Dictionary(Font=Dictionary(F7=pdf.pages[0].Resources.Font["/F2"]))
    state = Dictionary(Type=Name.ExtGState, Font=Array([pdf.pages[0].Resources.Font["/F2"], 12]))
    pdf.pages[0].Resources.ExtGState = Dictionary(G1=state)
    _same_view(pdf)
    programs = [TTFont(io.BytesIO(data)) for data in streams(pdf) if data[:4] == b"\0\1\0\0"]
    assert sorted(len(program.getGlyphOrder()) for program in programs) == [2, 5]


def test_fonts_that_nothing_shows_are_gone() -> None:
    pdf = _with_fonts(b"BT /F2 12 Tf /F1 12 Tf 20 100 Td (kept) Tj ET")
    prune(pdf)
    assert list(pdf.pages[0].Resources.Font.keys()) == ["/F1"]
    assert b"/F2" not in pdf.pages[0].Contents.read_bytes()


def test_a_damaged_font_costs_its_own_pages_only() -> None:
    good, bad = opened(KINDS["TrueType"](["good"])), opened(KINDS["Type 1"](["bad"]))
    bad.pages[0].Resources.Font["/F9"].FontDescriptor.FontFile.write(b"%!PS-AdobeFont-1.0 nothing else")
    good.pages.append(bad.pages[0])
    faults = prune(good)
    assert list(faults) == [1]
    assert "Type 1" in faults[1]
    assert prune(good) == faults


@pytest.mark.parametrize("kind", ["TrueType", "composite TrueType", "Type 1", "compact", "composite compact"])
def test_damage_is_told_or_survived_but_never_raised(kind: str) -> None:
    data = KINDS[kind](["Jackdaws love my sphinx"])
    source = random.Random(kind)
    for _ in range(8):
        pdf = opened(data)
        for each in pdf.objects:
            if isinstance(each, pikepdf.Stream) and len(each.read_bytes()) > 500 and "/Subtype" not in each:
                broken = bytearray(each.read_bytes())
                for _ in range(source.randrange(1, 20)):
                    broken[source.randrange(len(broken))] = source.randrange(256)
                each.write(bytes(broken[: source.randrange(len(broken) // 2, len(broken))]))
        assert set(prune(pdf)) <= {0}


ROWS = st.tuples(st.text(max_size=2), st.binary(max_size=2), st.sampled_from([500.0, 600.0]))


@settings(max_examples=40)
@given(st.lists(ROWS, max_size=100, unique=True), st.booleans(), st.randoms(use_true_random=False))
def test_numbers_depend_on_what_there_is_and_not_on_its_order(rows: Sequence[Any], spaced: bool, source: Any) -> None:
    def numbered(order: Sequence[int]) -> dict[tuple[Any, ...], int]:
        several = zip(order, rows, strict=True)
        groups = ranked(Character(bytes((code,)), text, width, None, looks) for code, (text, looks, width) in several)
        codes = simple_codes(groups, has_word_spacing=spaced)
        assert len(set(codes)) == len(groups)
        assert all(0 <= code < 256 and not (spaced and code == 32) for code in codes)
        return {group[0].rank: code for group, code in zip(groups, codes, strict=True)}

    order = list(range(33, 33 + len(rows)))
    shuffled = source.sample(order, len(order))
    assert numbered(order) == numbered(shuffled)


def test_an_ascii_letter_keeps_its_code_and_a_spaced_space_stays() -> None:
    pdf = _with_fonts(b"BT /F1 12 Tf 3 Tw 20 100 Td (a b) Tj ET")
    prune(pdf)
    assert b"<612062>" in pdf.pages[0].Contents.read_bytes()


def test_a_letter_without_a_glyph_is_told() -> None:
    pdf = opened(KINDS["Type 1"](["abc"]))
    pdf.pages[0].Resources.Font["/F9"].Encoding = Dictionary(Type=Name.Encoding, Differences=Array([98, Name.Omega]))
    assert list(prune(pdf)) == [0]


PIECES = [
    *[b"BT", b"ET", b"q", b"Q", b"/F1 9 Tf", b"(a) Tj", b"<41> Tj", b"<4 1\n4> Tj", b"[(a)-3<42>]TJ", b"T*"],
    *[b"1 0 0 1 5 5 Tm", b"(a(b)c) Tj", b"(\\)) '", b'0 0 (Tj) "', b"/G gs", b"/Im Do", b"3 Tw", b"1 [1 (j)] d"],
    *[b"/P <</N [1 (j)]>> DP", b"% (x) Tj", b"BI /W 1 ID (x) Tj EI", b"1e5 Tf", b"[1 2", b"<< (", b"true", b"--1 Tw"],
]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([b"\n", b" ", b"", b"\n\n", b"\r"])), max_size=8))
@settings(max_examples=500)
def test_what_a_stream_shows_is_what_its_instructions_say(pieces: list[tuple[bytes, bytes]]) -> None:
    data = b"".join(part for piece in pieces for part in piece)
    for stream in (data, written(instructions(data))):
        found, every = showing.parts(stream), instructions(stream)
        assert written(found) == written(every)
        telling = [[each for each in several if each.operator in showing.TELLING] for several in (found, every)]
        assert telling[0] == telling[1]
