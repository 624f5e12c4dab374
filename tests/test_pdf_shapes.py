"""PDF lines of unusual shapes: large initials, letters on curves, pale and transparent ones, those beside tables."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from tests.fixtures.pdf_files import literal, page, save
from tests.test_pdf import content, lines, made, redact
from withhold import formats
from withhold.formats.pdf.decoding.widths import standard
from withhold.formats.pdf.inspection import unseen_text
from withhold.formats.pdf.tokens import Instruction, instructions

LARGE = b"BT /F1 47 Tf 72 674 Td (K) Tj ET"
FIRST = b"BT /F1 12 Tf 105 700 Td (owalczyk said that he would) Tj"
REST = b"0 -13 Td (not come to the hearing) Tj 0 -13 Td (of the fourth of May) Tj ET"


def named(data: bytes, operator: str) -> list[Instruction]:
    return [each for each in instructions(content(data)) if each.operator == operator]


def marked(data: bytes) -> dict[str, Instruction]:
    """What was set last before the mark, by operator."""
    found: dict[str, Instruction] = {}
    for each in instructions(content(data)):
        if each.operands == [b"[REDACTED]"]:
            break
        found[each.operator] = each
    return found


# Large initials


@pytest.mark.parametrize("drawn", [(LARGE, FIRST, REST), (FIRST, REST, LARGE)], ids=["first", "last"])
def test_a_large_initial_belongs_to_the_first_line_beside_it(drawn: tuple[bytes, ...]) -> None:
    found = lines(made(b"\n".join(drawn)))
    assert found == ["Kowalczyk said that he would", "not come to the hearing", "of the fourth of May"]


def test_what_stands_for_a_word_with_a_large_initial_is_as_large_as_the_rest() -> None:
    output = redact(made(b"\n".join((LARGE, FIRST, REST))), "Kowalczyk")
    assert lines(output.document.native)[0] == "[REDACTED] said that he would"
    assert marked(output.document.native)["Tf"].operands[1] == 12.0
    assert ("entries beside removed text", 1) in [(each.kind, each.count) for each in output.notices]


@pytest.mark.parametrize(
    "other",
    [
        b"BT /F1 12 Tf 105 640 Td (owalczyk below) Tj ET",
        b"BT /F1 12 Tf 145 700 Td (owalczyk apart) Tj ET",
        b"BT /F1 12 Tf 105 720 Td (owalczyk above) Tj ET",
    ],
)
def test_a_large_letter_is_no_initial_of_what_stands_elsewhere(other: bytes) -> None:
    assert "K" in lines(made(LARGE + b"\n" + other))


def test_a_letter_with_a_raised_number_is_no_initial() -> None:
    assert lines(made(b"BT /F1 12 Tf 72 700 Td (x) Tj /F1 7 Tf 4 Ts (2) Tj /F1 12 Tf 0 Ts ( and y) Tj ET")) == [
        "x2 and y"
    ]


# Curves


def arched(text: str, radius: float = 80.0) -> bytes:
    """Letters on a circle, clockwise, each turned to stand upright on it."""
    widths, turn, several = standard("Helvetica"), pi, []
    for letter in text:
        matrix = (sin(turn), -cos(turn), cos(turn), sin(turn), 300 + radius * cos(turn), 400 + radius * sin(turn))
        several.append(b"BT /F1 14 Tf %f %f %f %f %f %f Tm " % matrix + literal(letter) + b" Tj ET")
        turn -= 0.014 * widths[letter] / radius
    return b"\n".join(several)


def test_words_on_a_curve_are_read() -> None:
    assert lines(made(arched("Kowalczyk Notary"))) == ["Kowalczyk Notary"]


def test_words_on_a_curve_are_set_straight_where_something_goes() -> None:
    output = redact(made(arched("Notary Kowalczyk")), "Kowalczyk").document
    assert lines(output.native) == ["Notary [REDACTED]"]
    assert len({tuple(place.operands[:2]) for place in named(output.native, "Tm")}) == 1


@pytest.mark.parametrize("turned", [(0.0, 0.0), (1.2, 1.2)])
def test_letters_that_only_stand_about_are_no_curve(turned: tuple[float, float]) -> None:
    """Not turned at all, or too far from one to the next."""
    rows = []
    for place, letter in enumerate("Kowa"):
        turn = turned[place % 2] * place
        matrix = (cos(turn), sin(turn), -sin(turn), cos(turn), 100 + 60 * place, 400)
        rows.append(b"BT /F1 14 Tf %f %f %f %f %f %f Tm " % matrix + literal(letter) + b" Tj ET")
    assert lines(made(b"\n".join(rows))) == list("Kowa")


# What shows through


def states(**opacities: float) -> Dictionary:
    return Dictionary({f"/{name}": Dictionary(ca=opacity) for name, opacity in opacities.items()})


def test_a_pale_mark_stays_pale() -> None:
    data = made(
        b"q /Pale gs BT /F1 40 Tf 72 600 Td (Ann) Tj ET Q BT /F1 12 Tf 72 700 Td (Ann came) Tj ET",
        ExtGState=states(Pale=0.25),
    )
    several = instructions(content(redact(data, "Ann").document.native))
    assert [each.operator for each in several if each.operator in ("gs", "Tj")] == ["gs", "Tj", "gs", "Tj", "Tj"]


def test_a_group_makes_what_is_in_it_pale() -> None:
    pdf = Pdf.new()
    form = pdf.make_stream(b"BT /F1 40 Tf 72 600 Td (Ann) Tj ET")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 595, 842])
    form.Group = Dictionary(S=Name.Transparency)
    made = page(pdf, b"/Pale gs /X Do", ExtGState=states(Pale=0.5), XObject=Dictionary(X=pdf.make_indirect(form)))
    form.Resources = Dictionary(Font=made.Resources.Font)
    output = redact(save(pdf), "Ann").document.native
    assert named(output, "gs")


def test_what_is_quite_transparent_is_not_kept_though_it_lies_over_what_is_seen() -> None:
    data = made(
        b"q /Clear gs BT /F1 12 Tf 72.5 700 Td (Shadow of Ann) Tj ET Q BT /F1 12 Tf 72 700 Td (Shadow of Ann) Tj ET",
        ExtGState=states(Clear=0.0),
    )
    assert lines(data) == ["Shadow of Ann"]
    output = redact(data, "Ann")
    assert ("invisible text", 1) in [(each.kind, each.count) for each in output.notices]
    assert not list(unseen_text(output.document.native))


def boxed(grey: int, box: bytes) -> bytes:
    """A title on a box, and words below it."""
    title = b"BT /F1 12 Tf %d g 72 700 Td (The case of Ann) Tj ET 0 g " % grey
    return made(box + b" " + title + b"BT /F1 12 Tf 72 600 Td (Nobody came) Tj ET")


@pytest.mark.parametrize("box", [b"0.2 g 68 694 100 18 re f", b"0.2 g 150 690 400 30 re f 60 690 90 30 re f"])
@pytest.mark.parametrize("term", ["Ann", "Nobody"])
def test_white_words_are_still_seen_when_their_box_is_gone(box: bytes, term: str) -> None:
    output = redact(boxed(1, box), term)
    assert not list(unseen_text(output.document.native))
    assert output.document.text.count("[REDACTED]") == 1


def test_white_words_on_a_picture_are_painted_black_when_it_is_blank() -> None:
    pdf = Pdf.new()
    picture, mask = pdf.make_stream(bytes(100)), pdf.make_stream(bytes([255] * 100))
    for each in (picture, mask):
        each.Type, each.Subtype, each.Width, each.Height = Name.XObject, Name.Image, 10, 10
        each.ColorSpace, each.BitsPerComponent = Name.DeviceGray, 8
    picture.SMask = mask
    row = b"q 300 0 0 40 60 685 cm /I Do Q BT 1 g /F1 12 Tf 72 700 Td (Ann came) Tj 0 g 0 -99 Td (Li came) Tj ET"
    page(pdf, row, XObject=Dictionary(I=pdf.make_indirect(picture)))
    assert not list(unseen_text(save(pdf)))
    output = redact(save(pdf), "Li")
    assert lines(output.document.native) == ["Ann came", "[REDACTED] came"]
    assert ("lines painted anew", "changed", 1) in [(each.kind, each.action, each.count) for each in output.notices]


# Glyphs with the line upside down


@pytest.mark.parametrize(("low", "high", "turned"), [(-1131, 39, 1.0), (0, 1400, -1.0)])
def test_a_font_that_counts_downwards_is_not_upside_down(low: int, high: int, turned: float) -> None:
    """As browsers make them: where the glyphs reach, in units of their own, says which way is up."""
    pdf = Pdf.new()
    box = pdf.make_stream(b"1000 0 35 %d 900 %d d1 35 %d 865 %d re f" % (low, high, low, high - low))
    codes = range(65, 91)
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0.001, 0, 0, -0.001, 0, 0]),
        FontBBox=Array([0, 0, 0, 0]), CharProcs=Dictionary({f"/{chr(code)}": box for code in codes}),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([65, *(Name(f"/{chr(code)}") for code in codes)])),
        FirstChar=65, LastChar=90, Widths=Array([1000] * 26), Resources=Dictionary(),
    )  # fmt: skip
    page(pdf, b"BT /T 12 Tf 72 700 Td (ANN CAME) Tj ET", Font=Dictionary(T=pdf.make_indirect(font)))
    output = redact(save(pdf), "ANN").document.native
    assert marked(output)["Tm"].operands[3] == turned


# How wide a line may be, and a space


def test_a_narrow_gap_is_a_space_and_kerning_is_none() -> None:
    """As wide as it is in narrow justified lines."""
    data = made(b"BT /F1 12 Tf 72 700 Td [(Samuel) -121 (Cleve) -60 (land) -121 (passed) -121 (by)] TJ ET")
    assert lines(data) == ["Samuel Cleveland passed by"]


def test_a_line_is_not_squeezed_by_a_table_far_below() -> None:
    """The table starts where the paragraph does."""
    words = "The claimant, Ann, said that the door had been locked since noon and that"
    data = made(
        b"BT /F1 11 Tf 72 700 Td " + literal(words) + b" Tj ET\n"
        b"BT /F1 11 Tf 72 500 Td (Name) Tj 200 0 Td (Amount) Tj ET BT /F1 11 Tf 72 480 Td (Li) Tj 200 0 Td (1) Tj ET"
    )
    output = redact(data, "Ann").document.native
    assert {each.operands[0] for each in named(output, "Tz")} == {100.0}


# What goes with a name


def ruled(name: str) -> bytes:
    """As browsers underline: in a group with a hole for every letter that reaches below the line."""
    wide = 0.012 * sum(map(standard("Helvetica").__getitem__, name))
    clip = b"0 0 595 842 re 72 695 3 4 re W* n"
    rule = b"72 698 %.3f 0.6 re f" % wide
    if any(letter in "gjpqy" for letter in name):
        rule = b"Q Q q 0 0 595 842 re W n q " + clip + b" " + rule + b" Q Q q 0 0 595 842 re W n q"
    rows = [
        b"q 0 0 595 842 re W n q BT /F1 12 Tf 54 700 Td (Mr) Tj ET",
        rule + b" BT /F1 12 Tf 72 700 Td " + literal(name) + b" Tj ET",
        b"BT /F1 12 Tf 1 0 0 1 %.3f 700 Tm ( came) Tj ET BT /F1 12 Tf 72 680 Td (and slept) Tj ET Q Q" % (72 + wide),
    ]
    return made(b"\n".join(rows))


def numbered(name: str) -> bytes:
    """Raised numbers as large as the text."""
    wide = 0.012 * sum(map(standard("Helvetica").__getitem__, name))
    note = b"BT /F1 12 Tf %.3f 705 Td (1) Tj ET BT /F1 12 Tf %.3f 700 Td ( came home) Tj ET" % (72 + wide, 78.7 + wide)
    rest = b"BT /F1 12 Tf 72 680 Td (and slept) Tj ET"
    return made(b"BT /F1 12 Tf 72 700 Td " + literal(name) + b" Tj ET\n" + note + b"\n" + rest)


@pytest.mark.parametrize("document", [ruled, numbered])
def test_nothing_on_a_page_depends_on_the_name(document: Callable[[str], bytes]) -> None:
    names = ("Ann Li", "Zbigniew Kwiatkowski", "Tom Quill")
    assert len({redact(document(name), name).document.native for name in names}) == 1


def test_cells_that_one_instruction_shows_are_read_as_they_were_when_one_of_them_goes() -> None:
    """A gap that is a space within an instruction is none between two."""
    data = made(b"BT /F1 12 Tf 72 700 Td [(Ann came) -4000 (872) -1500 (Total) -9000 (and) -1500 (slept)] TJ ET")
    assert lines(data) == ["Ann came", "872 Total", "and slept"]
    assert lines(redact(data, "Ann").document.native) == ["[REDACTED] came", "872 Total", "and slept"]


@pytest.mark.parametrize("column", [0, 300])
def test_a_line_stays_on_the_page_however_much_longer_it_is_now(column: int) -> None:
    """Beside a narrow column of another text, which tells where lines start."""
    several = b"BT /F1 9 Tf %d 680 Td (Li) Tj ET " % (column + 20)
    data = made(several + b"BT /F1 9 Tf 500 700 Td " + literal(" ".join(["Li"] * 60)) + b" Tj ET")
    assert redact(data, "Li").document.text.count("[REDACTED]") > 1


def test_a_file_with_all_of_these_is_written_twice_alike() -> None:
    data = made(b"\n".join((LARGE, FIRST, REST, arched("Kowalczyk Notary"))))
    document = formats.read(data, name="memo.pdf")
    first, second = (formats.rewrite(document, [])[0].native for _ in range(2))
    assert first == second
    assert lines(first) == lines(data)
