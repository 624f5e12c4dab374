"""What a desk says of what its file hides."""

from __future__ import annotations

import io

import docx
from docx.shared import Pt, RGBColor

from withhold import Policy, Redactor
from withhold.assistant.desk import Desk


def test_hidden_text_is_told_with_its_kind_count_and_paragraph() -> None:
    made = docx.Document()
    made.add_paragraph("The board met.")
    made.add_paragraph("").add_run("the quiet harbour").font.color.rgb = RGBColor(255, 255, 255)
    made.add_paragraph("").add_run("a small lighthouse").font.size = Pt(1)
    file = io.BytesIO()
    made.save(file)
    redactor = Redactor(Policy())
    desk = Desk(redactor, redactor.read(file.getvalue(), name="memo.docx"))
    told = [note.text for note in desk.state().standing.notes]
    assert told == [note.text for note in desk.overview().notes]
    (white,) = [each for each in told if "white text: 1" in each]
    (tiny,) = [each for each in told if "tiny text: 1" in each]
    assert "paragraph 2" in white
    assert "paragraph 3" in tiny
    assert not any("harbour" in each or "lighthouse" in each for each in told)


def test_what_no_text_shows_is_told_in_one_note() -> None:
    made = docx.Document()
    made.add_paragraph("The board met.")
    made.core_properties.author, made.core_properties.keywords = "Ann Bell", "harbour"
    made.add_paragraph("").add_run("never shown").font.hidden = True
    file = io.BytesIO()
    made.save(file)
    redactor = Redactor(Policy())
    (note,) = Desk(redactor, redactor.read(file.getvalue(), name="memo.docx")).unseen
    assert "properties (" in note.text
    assert all(kind in note.text for kind in ("creator", "keywords", "hidden text: 1"))
    assert not any(word in note.text for word in ("Bell", "harbour", "shown"))


def test_a_file_that_hides_nothing_has_no_note() -> None:
    redactor = Redactor(Policy())
    assert Desk(redactor, redactor.read(b"The board met.", name="memo.txt")).unseen == ()
