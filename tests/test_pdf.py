"""PDF files: what is read, what a rewrite leaves, and what of it depends on what was removed."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from tests.fixtures.pdf_files import helvetica, literal, page, plain, save, shown
from withhold import Document, EncryptedDocument, LeakError, Policy, Redactor, Span, formats
from withhold.formats.pdf.checking import check
from withhold.formats.pdf.decoding.widths import standard
from withhold.formats.pdf.hiding import check_hidden
from withhold.formats.pdf.tokens import Instruction, instructions, written
from withhold.policy import Find
from withhold.types import Handling, Redaction, Replacement


def made(content: bytes, **resources: Dictionary) -> bytes:
    pdf = Pdf.new()
    page(pdf, content, **resources)
    return save(pdf)


def read(data: bytes, handling: Handling | None = None) -> Document:
    return formats.read(data, name="memo.pdf", handling=handling)


def lines(data: bytes) -> list[str]:
    document = read(data)
    return [text for block in document.blocks if (text := block.span.of(document.text))]


def redact(data: bytes, *terms: str) -> Redaction:
    return Redactor(Policy(find=(Find(label="PERSON", terms=terms),))).redact(read(data))


def content(data: bytes, number: int = 0) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return pdf.pages[number].Contents.read_bytes()


# Reading


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"BT /F1 12 Tf 72 700 Td (One) Tj ( two) Tj ET", ["One two"]),
        (b"BT /F1 12 Tf 72 700 Td [(On) -20 (e) -300 (two)] TJ ET", ["One two"]),
        (b"BT /F1 12 Tf 14 TL 72 700 Td (One) Tj (Two) ' 0 0 (Three) \" ET", ["One", "Two", "Three"]),
        (b"BT /F1 12 Tf 72 700 Td (One) Tj T* ET BT /F1 12 Tf 300 700 Td (Two) Tj ET", ["One", "Two"]),
        (b"BT /F1 12 Tf 0 1 -1 0 72 200 Tm (Up) Tj ET", ["Up"]),
        (b"q 0 -1 1 0 0 0 cm BT /F1 12 Tf -200 72 Td (Down) Tj ET Q", ["Down"]),
        (b"BT /F1 12 Tf 4 Tc 72 700 Td (Spaced) Tj ET", ["Spaced"]),
        (b"BT /F1 12 Tf 72 700 Td <4F6E65> Tj ET", ["One"]),
        (b"BT /F1 12 Tf 78.7 700 Td (ne) Tj -9.3 0 Td (O) Tj ET", ["One"]),
        (b"BT /F1 12 Tf 72 700 Td (a\\(b\\)\\143) Tj ET", ["a(b)c"]),
        (b"BT /F1 12 Tf 72 700 Td [(In) 1 Tc (side)] TJ ET", ["Inside"]),
        (b"BT /F1 12 Tf 72 700 Td (Jos) Tj [(\\264) 333 (e)] TJ ( came) Tj ET", ["Jos\u00e9 came"]),
        (b"BT /F1 12 Tf 72 700 Td [(A) 640 (A) -20 (n) 530 (n) -20 (n) 540 (n)] TJ ET", ["Ann"]),
        (b"BT /F1 12 Tf 72 700 Td (Ann) Tj /F1 7 Tf 4 Ts (12) Tj /F1 12 Tf 0 Ts ( came) Tj ET", ["Ann12 came"]),
        (b"BT /F1 12 Tf 72 700 Td (   Ann came  ) Tj ET", ["Ann came"]),
        (b"BT /F1 12 Tf 72 700 Td (          Li) Tj ET", ["Li"]),
        (b"BI /W 1 /H 1 /CS /G /BPC 8 ID \x41 EI BT /F1 12 Tf 72 700 Td (After) Tj ET", ["After"]),
    ],
)
def test_what_is_drawn_is_read(content: bytes, said: list[str]) -> None:
    assert lines(made(content)) == said


@pytest.mark.parametrize(
    "content",
    [
        b"(The witness, Ann Li, came late) Tj",
        b"2 Tc (Ann Li came late) Tj",
        b"-0.5 Tc (Ann Li came late) Tj",
        b"6 Tw (Ann Li came late) Tj",
        b"-3 Tw (Ann Li came late) Tj",
        b"[(A) 20 (nn) -333 (Li) -333 (came) -333 (late)] TJ",
        b"[(Ann ) -200 (Li) 105 (.) -95 (c) -115 (ame) -900 (late)] TJ",
        b"[(A) 640 (A) -20 (n) 530 (n) -20 (n) 540 (n)] TJ",
        b"-100 Tz [(Ann Li) -2500 (came) 300 (late)] TJ",
        b"(....5.) Tj",
        b"(Ann) Tj ( Li) Tj [-700 (came late )] TJ",
    ],
)
def test_letters_say_the_same_together_and_one_by_one(content: bytes) -> None:
    """On a page that is turned by next to nothing, letters are looked at one by one."""

    def page_of(turn: bytes) -> bytes:
        return made(b"BT /F1 12 Tf 1 %b -%b 1 300 700 Tm %b ET" % (turn, turn, content))

    straight, turned = page_of(b"0"), page_of(b".0000001")
    assert lines(straight) == lines(turned)
    assert redact(straight, "Li", "5").document.text == redact(turned, "Li", "5").document.text


def test_instructions_are_the_same_however_they_are_written() -> None:
    parts = b"1 0 -.5 +1. 5 6 Tm (a) Tj [ (b) -3 <63> ] TJ <6465> Tj /F1 9 Tf /P << /N 3 >> BDC EMC q q 0 g".split()
    plain, commented = (instructions(between.join(parts)) for between in (b" ", b" % so\n"))
    assert [(each.operator, each.operands) for each in plain] == [(each.operator, each.operands) for each in commented]
    assert [each.operator for each in plain] == ["Tm", "Tj", "TJ", "Tj", "Tf", "BDC", "EMC", "q", "q", "g"]


def test_forms_in_forms_are_read_where_they_are_drawn() -> None:
    pdf = Pdf.new()
    form = pdf.make_stream(b"BT /F1 12 Tf 72 0 Td (Within) Tj ET")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, -10, 500, 50])
    form.Resources = Dictionary(Font=Dictionary(F1=helvetica()))
    page(pdf, b"q 1 0 0 1 0 700 cm /X Do Q q 1 0 0 1 0 600 cm /X Do Q", XObject=Dictionary(X=form))
    assert lines(save(pdf)) == ["Within", "Within"]


def test_a_form_that_loses_letters_keeps_them_where_else_it_is_drawn() -> None:
    pdf = Pdf.new()
    form = pdf.make_indirect(pdf.make_stream(b"BT /F1 12 Tf 72 0 Td (Ann came) Tj ET"))
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, -10, 500, 50])
    form.Resources = Dictionary(Font=Dictionary(F1=helvetica()))
    page(pdf, b"q 1 0 0 1 0 700 cm /X Do Q q 1 0 0 1 0 600 cm /X Do Q", XObject=Dictionary(X=form))
    document = read(save(pdf))
    result, _, _ = formats.rewrite(document, [Replacement(Span(0, 3), "[X]")])
    assert [text for text in result.text.split("\n") if text] == ["[X] came", "Ann came"]


def test_a_term_that_is_broken_over_two_lines_is_found() -> None:
    data = made(shown([b"(met by Zbigniew) Tj", b"(Kwiatkowski, and by Kwiat-) Tj", b"(kowski alone) Tj"]))
    text = redact(data, "Zbigniew Kwiatkowski", "Kwiatkowski").document.text
    assert text.split("\n") == ["met by [REDACTED]", "[REDACTED], and by [REDACTED]", "[REDACTED] alone"]


@pytest.mark.parametrize(
    ("seen", "read_as"),
    [
        ("\u05d0\u05de\u05d0 \u05e9\u05dc\u05d9", "\u05d9\u05dc\u05e9 \u05d0\u05de\u05d0"),
        ("\u05dc\u05e8\u05e2 Ann Li \u05d5\u05d1\u05d0", "\u05d0\u05d1\u05d5 Ann Li \u05e2\u05e8\u05dc"),
        ("\u05d1\u05d0 12.50 \u05d3\u05d5\u05e2", "\u05e2\u05d5\u05d3 12.50 \u05d0\u05d1"),
        ("He told \u05d9\u05dc\u05e9 all", "He told \u05e9\u05dc\u05d9 all"),
    ],
)
def test_what_runs_from_right_to_left_is_read_so(seen: str, read_as: str) -> None:
    """A page has its letters from left to right, whatever one reads first."""
    data = plain([seen])
    assert lines(data) == [read_as]
    word = read_as.split()[0]
    output = redact(data, word).document
    assert output.text == read_as.replace(word, "[REDACTED]")


def test_letters_at_even_steps_are_words() -> None:
    letters = [b"1 0 0 1 %d 700 Tm %s Tj" % (72 + 9 * at, literal(letter)) for at, letter in enumerate("Will it fit")]
    assert lines(made(b"BT /F1 12 Tf " + b" ".join(reversed(letters)) + b" ET")) == ["Will it fit"]


def test_an_accent_that_is_drawn_apart_stays_over_its_letter() -> None:
    data = made(b"BT /F1 12 Tf 72 700 Td (Mr Li and Jos) Tj [(\\264) 333 (e)] TJ ( came) Tj ET")
    output = redact(data, "Li").document
    assert output.text == "Mr [REDACTED] and Jos\u00e9 came"
    assert redact(data, "Jos\u00e9").document.text == "Mr Li and [REDACTED] came"


def one_by_one(text: str, step: float) -> bytes:
    shown = [b"1 0 0 1 %g 700 Tm %s Tj" % (72 + step * at, literal(letter)) for at, letter in enumerate(text)]
    return b"BT /F1 12 Tf " + b" ".join(shown) + b" ET"


@pytest.mark.parametrize("name", ["Anna", "Kowalczyk", "WILLIAM", "Anna Kowalczyk", "O'Brien-Wolff"])
@pytest.mark.parametrize("step", [14, 18, 22])
def test_letters_far_apart_at_even_steps_are_words(name: str, step: float) -> None:
    data = made(b"BT /F1 12 Tf 72 740 Td (Here) Tj ET " + one_by_one(name, step))
    assert lines(data) == ["Here", name]
    assert redact(data, name).document.text.split() == ["Here", "[REDACTED]"]


@pytest.mark.parametrize("beside", [b"BT /F1 12 Tf 30 700 Td (Name:) Tj ET ", b"BT /F1 12 Tf 235 700 Td (came) Tj ET "])
def test_a_word_of_letters_far_apart_is_no_part_of_what_stands_beside_it(beside: bytes) -> None:
    assert "Kowalczyk" in lines(made(beside + one_by_one("Kowalczyk", 18)))


@pytest.mark.parametrize(
    ("letters", "count"),
    [
        (one_by_one("Kowalczyk", 40), 9),
        (b"BT /F1 12 Tf 72 700 Td (Then K o w a l c z y k came) Tj ET", 9),
        (one_by_one("Kowalczyk", 18), 0),
        (one_by_one("xxxxx", 18), 0),
        (one_by_one("ABCDE", 40), 0),
        (b"BT /F1 12 Tf 72 700 Td (I saw a J R Smith) Tj ET", 0),
    ],
)
def test_letters_that_stand_apart_are_told(letters: bytes, count: int) -> None:
    _, notices, _ = formats.rewrite(read(made(letters)), [])
    told = [(e.action, e.count) for e in notices if e.kind == "letters that stand apart"]
    assert told == ([("kept unexamined", count)] if count else [])


def test_letters_one_below_the_other_are_told() -> None:
    letters = b" ".join(b"1 0 0 1 300 %d Tm %s Tj" % (700 - 13 * at, literal(each)) for at, each in enumerate("Anna"))
    _, notices, _ = formats.rewrite(read(made(b"BT /F1 12 Tf " + letters + b" ET")), [])
    assert ("letters one below the other", "kept unexamined", 4) in [(e.kind, e.action, e.count) for e in notices]


def test_even_gaps_are_spaces_and_others_are_cells() -> None:
    """A justified line is drawn word by word; a row of a table has gaps as its entries leave them."""
    several = words("A", "longer", "is", "here then", gap=20)
    row = [b"BT /F1 12 Tf %.2f 700 Td %s Tj ET" % each for each in several]
    assert len(lines(made(b"\n".join(row)))) == 1
    cells = [b"BT /F1 12 Tf %d 700 Td %s Tj ET" % (72 + 60 * at, literal(cell)) for at, cell in enumerate("abcdef")]
    assert len(lines(made(b"\n".join(cells)))) == 6


def test_cells_of_a_row_are_lines_of_their_own() -> None:
    data = made(b"BT /F1 12 Tf 72 700 Td (Name) Tj 60 0 Td (Amount) Tj ET")
    assert lines(data) == ["Name", "Amount"]


@pytest.mark.parametrize(
    "hiding",
    [
        b"0 0 0 rg 70 695 120 16 re f",  # under a box
        b"1 1 1 rg BT /F1 12 Tf 72 640 Td (Ann) Tj ET",  # in white, further down
    ],
)
def test_hidden_text_is_not_read_and_not_kept(hiding: bytes) -> None:
    data = made(b"BT /F1 12 Tf 72 700 Td (Ann) Tj 0 -100 Td (Seen) Tj ET " + hiding)
    document = read(data)
    output, notices, _ = formats.rewrite(document, [])
    assert "Seen" in document.text
    assert document.text.count("Ann") == (0 if b" re f" in hiding else 1)
    assert b"416E6E" not in content(output.native).replace(b" ", b"").upper() or b" re f" not in hiding
    assert any("text" in notice.kind for notice in notices)


@pytest.mark.parametrize(
    ("bar", "said"),
    [
        (b"72 695 30 16 re f", ["by Smith-", "son -- here", "Up"]),  # the first letters
        (b"90 695 20 16 re f", ["by Smith-", "son -- here", "Up"]),  # some in the middle
        (b"110 695 17 16 re f", ["by Smith-", "son -- here", "Up"]),  # the last ones
        (b"145 695 24 16 re f", ["Kowalczyk by", "-- here", "Up"]),  # a word that goes on in the next line
        (b"72 704 300 1 re f", ["Kowalczyk by Smith-", "son -- here", "Up"]),  # struck out: still seen
        (b"72 698 300 1 re f", ["Kowalczyk by Smith-", "son -- here", "Up"]),  # underlined
        (b"72 655 30 16 re f", ["Kowalczyk by Smith-", "son -- here"]),  # a word alone
        (b"72 695 7 16 re f", ["Kowalczyk by Smith-", "son -- here", "Up"]),  # a single letter
    ],
)
def test_a_word_that_is_partly_hidden_goes_whole(bar: bytes, said: list[str]) -> None:
    data = made(
        b"BT /F1 12 Tf 14 TL 72 700 Td (Kowalczyk by Smith-) Tj T* (son -- here) Tj 0 -28 Td (Up) Tj ET 0 g " + bar
    )
    assert lines(data) == said


def test_words_that_are_partly_hidden_are_told_and_no_output_has_them() -> None:
    data = made(b"BT /F1 12 Tf 72 700 Td (Seen: Kowalczyk came) Tj ET 0 g 108 695 30 16 re f")
    output, notices, _ = formats.rewrite(read(data), [])
    assert ("words partly hidden", "removed", 1) in [(e.kind, e.action, e.count) for e in notices]
    assert output.text.split() == ["Seen:", "came"]
    drawn = content(output.native).replace(b" ", b"").upper()
    assert not any(part.encode().hex().upper().encode() in drawn for part in ("Kow", "czyk", "yk"))


def test_a_password_opens_a_file_and_is_nowhere_after(tmp_path: Path) -> None:
    pdf = Pdf.new()
    page(pdf, shown([b"(Ann came) Tj"]))
    locked = save(pdf, encryption=pikepdf.Encryption(owner="master", user="sesame"))
    with pytest.raises(EncryptedDocument):
        read(locked)
    (tmp_path / "word.txt").write_text("sesame\n")
    policy = Policy(find=(Find(terms=("Ann",)),), files=Handling(password="word.txt"), folder=str(tmp_path))
    output = Redactor(policy).redact(locked, name="memo.pdf").document
    assert output.text == "[REDACTED] came"
    assert b"sesame" not in output.native
    (tmp_path / "word.txt").write_text("wrong\n")
    with pytest.raises(EncryptedDocument, match="does not open"):
        Redactor(policy).read(locked, name="memo.pdf")


def test_a_file_that_only_its_owner_may_change_opens() -> None:
    pdf = Pdf.new()
    page(pdf, shown([b"(Ann came) Tj"]))
    assert read(save(pdf, encryption=pikepdf.Encryption(owner="master", user=""))).text == "Ann came"


# Writing

NAMES = ["Ann", "Zbigniew Kwiatkowski", "Maximiliana Featherstonehaugh", "Li"]


def words(*several: str, gap: float = 3.336) -> list[tuple[float, bytes]]:
    """The words of a line and where each of them starts: where the one before it ends."""
    widths = standard("Helvetica")
    at, found = 72.0, []
    for word in several:
        found.append((at, literal(word)))
        at += sum(widths[letter] for letter in word) * 0.012 + gap
    return found


def moved_on(name: str) -> bytes:
    """A line that is drawn word by word."""
    rows = [b"BT /F1 12 Tf 1 0 0 1 %.3f 700 Tm %s Tj ET" % each for each in words("Mr", name, "came", "home")]
    return made(b"\n".join([*rows, b"BT /F1 12 Tf 72 680 Td (and slept) Tj ET"]))


def kerned(name: str) -> bytes:
    """A justified line: its gaps depend on the name."""
    gap = 100 + 37 * len(name)
    line = b"[(Mr) -%d %s -%d (came) -%d (home)] TJ" % (gap, literal(name), gap, gap)
    return made(shown([b"(The story) Tj", line, b"(and slept) Tj"]))


def centred(name: str) -> bytes:
    widths = standard("Helvetica")
    width = sum(widths[letter] for letter in f"for {name}") * 0.012
    return made(
        b"BT /F1 12 Tf 1 0 0 1 %.3f 700 Tm %s Tj ET BT /F1 12 Tf 72 650 Td (Text) Tj ET"
        % (297.5 - width / 2, literal(f"for {name}"))
    )


def grouped(name: str) -> bytes:
    """What a browser writes: every piece of text in a group of its own."""
    rows = [b"q 1 0 0 1 %.3f 700 cm BT /F1 12 Tf %s Tj ET Q" % each for each in words("Mr", name, "came")]
    return made(b"\n".join([*rows, b"BT /F1 12 Tf 72 680 Td (and slept) Tj ET"]))


def underlined(name: str) -> bytes:
    """A name with a line under it that is as wide as the name."""
    (_, mr), (at, called), (end, came) = words("Mr", name, "came")
    rows = b"BT /F1 12 Tf 72 700 Td %s Tj %.3f 0 Td %s Tj %.3f 0 Td %s Tj ET" % (mr, at - 72, called, end - at, came)
    rule = b"%.3f 698 %.3f 0.6 re f" % (at, end - at - 3.336)
    stroke = b"%.3f 697 m %.3f 697 l S" % (at, end - 3.336)
    return made(b"\n".join([rows, rule, stroke, b"BT /F1 12 Tf 72 680 Td (and slept) Tj ET"]))


def width(text: str) -> float:
    widths = standard("Helvetica")
    return sum(widths[letter] for letter in text) * 0.012


def drawn(*several: tuple[float, float, str]) -> bytes:
    rows = [b"BT /F1 12 Tf 1 0 0 1 %.3f %.3f Tm %s Tj ET" % (x, y, literal(text)) for x, y, text in several]
    return made(b"\n".join(rows))


def lettered(name: str) -> bytes:
    """Every letter drawn for itself, and once more beside it to make it bold."""
    at, several = 72.0, []
    for letter in f"Mr {name} came":
        several += [(at, 700.0, letter), (at + 0.3, 700.0, letter)]
        at += width(letter)
    return drawn(*several, (72, 684, "and slept"))


def led(name: str) -> bytes:
    """A line of a table of contents."""
    row = f"{name} came "
    return drawn((72, 700, row + "." * int((420 - width(row)) / width("."))), (500, 700, "12"))


def spaced(name: str) -> bytes:
    """Lines that spaces put into their places."""
    return drawn((72, 700, f"{name} Ltd".ljust(40) + "100.00"), (72, 684, name.rjust(40)), (72, 668, "Total".rjust(40)))


def noted(name: str) -> bytes:
    """The number of a note, raised, with more behind it."""
    note = b" /F1 7 Tf 4 Ts (12) Tj /F1 12 Tf 0 Ts ( came home) Tj"
    return made(shown([b"(The story) Tj", literal(f"Mr {name}") + b" Tj" + note, b"(and slept) Tj"]))


def framed(name: str) -> bytes:
    """Every word in a form of its own, as large as the word."""
    pdf, at, rows, forms = Pdf.new(), 72.0, [], {}
    for number, word in enumerate(("Mr ", name, " came")):
        form = pdf.make_stream(b"BT /F1 12 Tf " + literal(word) + b" Tj ET")
        form.Type, form.Subtype = Name.XObject, Name.Form
        form.BBox, form.Resources = Array([0, -5, width(word), 15]), Dictionary(Font=Dictionary(F1=helvetica()))
        forms[f"/X{number}"] = pdf.make_indirect(form)
        rows.append(b"q 1 0 0 1 %.3f 700 cm /X%d Do Q" % (at, number))
        at += width(word)
    page(pdf, b"\n".join(rows) + b" BT /F1 12 Tf 72 680 Td (and slept) Tj ET", XObject=Dictionary(forms))
    return save(pdf)


def chip(name: str) -> bytes:
    """A name on a ground of its own, with room around it."""
    ground = b"0.9 g %.3f 690 %.3f 26 re f 0 g " % (66, width(name) + 12)
    return made(ground + b"\n".join(b"BT /F1 12 Tf %.3f 700 Td %s Tj ET" % each for each in words(name, "came")))


def patterned(name: str) -> bytes:
    """The name in the fill of a pattern, too, which is dropped with where its letters stood."""
    pdf = Pdf.new()
    rows = b" ".join(b"%.3f 0 Td %s Tj" % (width(letter), literal(letter)) for letter in name)
    tile = pdf.make_stream(b"BT /F1 12 Tf " + rows + b" ET")
    tile.Type, tile.PatternType, tile.PaintType, tile.TilingType = Name.Pattern, 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 300, 20]), 300, 20
    tile.Resources = Dictionary(Font=Dictionary(F1=helvetica()))
    row = b"BT /F1 12 Tf 72 700 Td " + literal(f"Mr {name}") + b" Tj 0 -20 Td (and slept) Tj ET"
    page(pdf, row + b" /Pattern cs /P scn 72 500 300 20 re f", Pattern=Dictionary(P=pdf.make_indirect(tile)))
    return save(pdf)


def alone(name: str) -> bytes:
    """One line, flush right, with nothing to go by."""
    return drawn((520 - width(f"By {name}"), 700, f"By {name}"))


def slanted(name: str) -> bytes:
    return made(b"BT /F1 12 Tf 0.866 0.5 -0.5 0.866 100 300 Tm " + literal(f"By {name}, slanted") + b" Tj ET")


PLACED = [
    moved_on,
    kerned,
    centred,
    grouped,
    underlined,
    lettered,
    led,
    spaced,
    noted,
    framed,
    chip,
    patterned,
    alone,
    slanted,
]


@pytest.mark.parametrize("document", PLACED)
def test_nothing_on_a_page_depends_on_what_was_removed(document: object) -> None:
    assert len({redact(document(name), name).document.native for name in NAMES}) == 1  # type: ignore[operator]


@pytest.mark.parametrize("align", [0.5, 1.0], ids=["centred", "flush right"])
def test_where_a_line_starts_in_a_paragraph_does_not_depend_on_what_was_removed(align: float) -> None:
    """Some of the names make it start just where another line does, by chance."""
    widths = standard("Helvetica")
    outputs = set()
    for count in range(2, 26, 2):
        rows = [
            "The hearing was held at noon",
            "and the door was locked",
            "and then all of " + "i" * count,
            "in all of the house",
        ]
        starts = [300 - align * 0.012 * sum(widths[letter] for letter in row) for row in rows]
        placed = zip(starts, range(700, 0, -16), map(literal, rows), strict=False)
        text = b"\n".join(b"BT /F1 12 Tf %.3f %d Td %s Tj ET" % row for row in placed)
        outputs.add(redact(made(text), "i" * count).document.native)
    assert len(outputs) == 1


def test_a_line_that_is_too_long_now_is_squeezed() -> None:
    words = " ".join(["word"] * 17)
    data = made(shown([literal(f"{words} end") + b" Tj", literal(f"{words} Li") + b" Tj"]))
    output = redact(data, "Li").document
    assert any(each.operator == "Tz" and each.operands[0] < 100 for each in instructions(content(output.native)))
    assert output.text.endswith("word [REDACTED]")


def test_a_line_does_not_slide_under_a_bar_that_was_there_before() -> None:
    before, after = b"BT /F1 12 Tf 72 700 Td (On the night) Tj ET", b"BT /F1 12 Tf 202 700 Td (left by the gate.) Tj ET"
    output = redact(made(before + b" 140 697 60 13 re f " + after), "left").document
    assert [line for line in output.text.splitlines() if line] == ["On the night", "[REDACTED] by the gate."]
    starts = [each.operands[4] for each in instructions(content(output.native)) if each.operator == "Tm"]
    assert max(starts) > 200


@pytest.mark.parametrize("up", [1, -1], ids=["upright", "upside down"])
def test_a_font_with_units_of_its_own_is_read_and_written_in_its_size(up: int) -> None:
    """As old TeX makes them: glyphs of 50 units, in a size of .2; drawn upside down, on text that is so, too."""
    pdf = Pdf.new()
    letters = "Anamehrust"
    box = pdf.make_stream(b"50 0 0 0 40 50 d1 0 0 40 50 re f")
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([1, 0, 0, up, 0, 0]), FontBBox=Array([0, 0, 1, up]),
        CharProcs=Dictionary({f"/{letter}": box for letter in set(letters)}), Resources=Dictionary(),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([65, Name.A, 97, *(
            Name(f"/{chr(code)}") if chr(code) in letters else Name("/.notdef") for code in range(97, 123))])),
        FirstChar=65, LastChar=122, Widths=Array([50 if chr(code) in letters else 0 for code in range(65, 123)]),
    )  # fmt: skip
    row = b"BT /T 0.2 Tf 1 0 0 %d 72 700 Tm [(Ann) -30000 (has)] TJ 0 %d Td (a) Tj ET" % (up, -16 * up)
    page(pdf, row, Font=Dictionary(T=pdf.make_indirect(font)))
    data = save(pdf)
    assert lines(data) == ["Ann has", "a"]
    output = redact(data, "Ann").document
    assert output.text.startswith("[REDACTED] has")
    (size,) = {each.operands[1] for each in instructions(content(output.native)) if each.operator == "Tf"} - {0.2}
    assert 15 < size < 25
    shown = [each.operands for each in instructions(content(output.native)) if each.operator in ("Tf", "Tm")]
    rises = [after[3] for before, after in pairwise(shown) if before[1:] == [size]]
    assert rises == [1.0]


def test_letters_that_something_shows_through_leave_nothing_to_show_it() -> None:
    data = made(
        b"q BT /F1 40 Tf 7 Tr 72 600 Td (Ann) Tj ET 1 0 0 rg 0 0 600 800 re f Q BT /F1 12 Tf 72 700 Td (Li) Tj ET"
    )
    assert redact(data, "Ann").document.text.split() == ["[REDACTED]", "Li"]


def test_untouched_lines_stay_where_they_are() -> None:
    data = made(shown([b"(One) Tj", b"(Ann) Tj", b"(Two) Tj"]))
    output = content(redact(data, "Ann").document.native)
    assert b"72 780 Tm" in output
    assert b"72 748 Tm" in output


def test_a_file_is_written_alike_whether_or_not_it_was_the_last_to_be_read() -> None:
    data = made(b"q 9 0 0 9 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID 0 EI Q BT /F1 12 Tf 72 700 Td (Ann, Bo) Tj ET")
    document, other = read(data), made(b"BT /F1 12 Tf 72 700 Td (Cy, Di) Tj ET")
    results = []
    for latest, handling in ((data, None), (other, None), (data, Handling(images="keep")), (data, None)):
        read(latest, handling)
        results += [formats.rewrite(document, [Replacement(Span(0, 3), "X")]) for _ in range(2)]
    assert all(result == results[0] for result in results)
    assert results[0][0].text == "X, Bo"
    assert [notice.count for notice in results[0][1] if notice.kind == "pictures"] == [1]


def test_pictures_become_grey_squares() -> None:
    pdf = Pdf.new()
    picture = pdf.make_stream(b"\x00\x40\x80\xff", Type=Name.XObject, Subtype=Name.Image, Width=2, Height=2,
                              ColorSpace=Name.DeviceGray, BitsPerComponent=8)  # fmt: skip
    page(pdf, b"q 100 0 0 100 72 600 cm /X Do Q", XObject=Dictionary(X=picture))
    document = read(save(pdf))
    output, notices, _ = formats.rewrite(document, [])
    assert b"Do" not in content(output.native)
    assert ("pictures", "changed", 1) in [(each.kind, each.action, each.count) for each in notices]


def test_the_lines_of_an_output_say_what_is_left_to_tell() -> None:
    data = made(shown([b"(Mr Ann came and) Tj", b"(went home) Tj"]))
    notices = {each.kind: each.action for each in redact(data, "Ann").notices}
    assert notices["lines set anew"] == "changed"
    assert notices["line breaks after removed text"] == "kept unexamined"


# Checking


def changed(data: bytes, change: object) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        change(pdf)  # type: ignore[operator]
        buffer = io.BytesIO()
        pdf.save(buffer, fix_metadata_version=False)
        return buffer.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        lambda pdf: pdf.Root.__setitem__("/Metadata", pdf.make_stream(b"x")),
        lambda pdf: pdf.pages[0].obj.__setitem__("/PieceInfo", Dictionary(A=1)),
        lambda pdf: pdf.pages[0].Contents.__setitem__("/Secret", 1),
        lambda pdf: pdf.docinfo.__setitem__("/Author", "A"),
    ],
)
def test_a_file_with_more_than_its_pages_need_is_refused(change: object) -> None:
    output, _ = formats.named("pdf").rewrite(read(plain(["One"])), [])
    check(output)
    with pytest.raises(LeakError):
        check(changed(output, change))


def test_a_second_revision_is_refused() -> None:
    output, _ = formats.named("pdf").rewrite(read(plain(["One"])), [])
    with pytest.raises(LeakError, match="revision"):
        check(output + b"\nstartxref\n0\n%%EOF\n")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: data.replace(b"%PDF", b"%XXX"), "file that cannot be drawn"),
        (lambda data: data.replace(b"/Count 1", b"/Count 2"), "page 2: page that cannot be looked into"),
        (lambda data: locked(data), "file that cannot be drawn"),
        (
            lambda data: changed(data, lambda pdf: pdf.pages[0].contents_add(b"60 770 99 40 re f")),
            "text under a drawing",
        ),
    ],
)
def test_a_file_that_may_hide_text_is_refused(change: object, fault: str) -> None:
    output, _ = formats.named("pdf").rewrite(read(made(shown([b"(One) Tj"]))), [])
    check_hidden(output, ())
    with pytest.raises(LeakError, match=fault):
        check_hidden(change(output), ())  # type: ignore[operator]


def locked(data: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return save(pdf, encryption=pikepdf.Encryption(owner="master", user="sesame"))


def test_instructions_are_written_as_they_were_read() -> None:
    data = b"q 1 0 0 1 2.5 -3 cm /F1 12 Tf [(a) -20 <6162>] TJ /P <</A (x)>> BDC EMC Q"
    assert b" ".join(each.raw for each in instructions(data)) == data
    again = [Instruction.of(each.operator, *each.operands) for each in instructions(data)]
    assert [each.operands for each in instructions(written(again))] == [each.operands for each in instructions(data)]
