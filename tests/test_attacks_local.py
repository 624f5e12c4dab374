"""Attacks that need nothing but the document: what is hidden in its file, and names that were left in it."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from tests.fixtures import docx_files
from tests.fixtures.redacted_pdfs import BAD, SECRET, page
from withhold import Components, Detection, Document, Find, Outcome, Policy, Redactor, Secret, Span, read
from withhold.attacks.hidden import HiddenAttack
from withhold.attacks.inspector import InspectorAttack
from withhold.cli import main
from withhold.labels import KINDS
from withhold.types import Mask

PEOPLE = Policy(detection=Detection(labels=("PERSON",)))
LETTER = (
    "The application was lodged by [REDACTED] on 3 May. The court heard [REDACTED], who lives in the town, and her "
    "lawyer, Mr Peter Hollander, who practises there. The Government were represented by their Agent. On the same day "
    "the applicant complained about the length of the proceedings, and the court adjourned the case until the autumn."
)
GOOD = LETTER.replace("Peter Hollander", "[REDACTED]")


def hidden(data: bytes, name: str, *secrets: Secret, policy: Policy | None = None) -> Outcome:
    (outcome,) = HiddenAttack(policy or Policy()).attack(read(data, name=name), secrets)
    return outcome


def shaded(properties: str, text: str = "Harrow") -> bytes:
    return docx_files.pack(docx_files.paragraph(text, f"<w:rPr>{properties}</w:rPr>"))


def dated(value: str) -> bytes:
    """A PDF that has nothing but this date of when it was made."""
    with pikepdf.open(io.BytesIO(page(lambda _: None))) as pdf:
        for name in list(pdf.docinfo):
            del pdf.docinfo[name]
        pdf.docinfo["/CreationDate"] = value
        written = io.BytesIO()
        pdf.save(written)
    return written.getvalue()


WINS = {
    "comment.md": (b"# Memo\n\n<!-- Harrow -->\n", "comments"),
    "pale.html": b'<p>See <span style="color:#fff">Harrow</span>',
    "black.html": b'<p>See <span style="background:black">Harrow</span>',
    "both.html": b'<p>See <span style="background-color: #000; color: black">Harrow</span>',
    "hidden.html": b"<p>See <span hidden>Harrow</span>",
    "tags.txt": ("See" + "".join(chr(0xE0000 + ord(letter)) for letter in "Harrow")).encode(),
    "bits.txt": ("See" + "\u200b\u200c" * 16 + "you").encode(),
    "marker.docx": shaded('<w:highlight w:val="black"/>'),
    "white.docx": shaded('<w:color w:val="FFFFFF"/>'),
    "shade.docx": shaded('<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>'),
}
HOLDS = {
    "plain.txt": b"See [REDACTED], and \xc2\xadhyphens.",
    "flag.txt": "A flag: \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f".encode(),
    "family.txt": "\U0001f468\u200d\U0001f469\u200d\U0001f467 came".encode(),
    "dark.html": b'<div style="background:#000;color:#fff">Dear <b style="background:black">Harrow</b></div>',
    "mark.html": b'<p>See <span style="background:black">\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88</span>',
    "front.md": b"---\nauthor: Harrow\n---\n\nText.\n",
    "plain.md": b"# Memo\n\nNothing *here*.\n",
    "heading.docx": shaded('<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000066"/>'),
    "auto.docx": shaded('<w:shd w:val="clear" w:fill="000000"/>'),
    "mark.docx": shaded('<w:highlight w:val="black"/>', "[REDACTED]"),
    "field.docx": docx_files.pack('<w:p><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r></w:p>'),
}


@pytest.mark.parametrize("name", WINS)
def test_what_a_reader_does_not_see_is_found(name: str) -> None:
    data = WINS[name]
    outcome = hidden(data if isinstance(data, bytes) else data[0], name)
    assert outcome.wins
    assert outcome.result == 1.0
    assert "Harrow" not in repr(outcome)


@pytest.mark.parametrize("name", HOLDS)
def test_what_a_reader_sees_or_tells_nothing_is_no_win(name: str) -> None:
    outcome = hidden(HOLDS[name], name)
    assert not outcome.wins, outcome.note


def test_every_slot_of_a_word_file_is_looked_into_and_a_redaction_has_nothing_in_any() -> None:
    data = docx_files.every_slot("Harrow")
    before = hidden(data, "a.docx", Secret(name="who", value="Harrow"), Secret(name="other", value="Quillby"))
    assert before.wins
    assert "a secret is named there (1 of 2)" in before.note
    policy = Policy(find=(Find(label="CLIENT", terms=("Harrow",)),), components=Components(attacks=("hidden",)))
    redaction = Redactor(policy).redact(data, name="a.docx")
    (after,) = redaction.outcomes
    assert (after.before, after.result, after.wins) == (1.0, 0.0, False), after.note


@pytest.mark.parametrize(
    ("value", "policy", "secrets", "wins"),
    [
        ("D:20240131120000+01'00'", Policy(), (), False),
        ("D:20240131120000+01'00'", PEOPLE, (), False),
        ("D:20240131120000+01'00'", Policy(detection=Detection(labels=("quasi",))), (), True),
        ("D:20240131120000+01'00'", Policy(), (Secret(name="who", value="Harrow"),), True),
        ("D:2024 Harrow", Policy(), (), True),
    ],
)
def test_when_a_file_was_made_matters_where_dates_or_a_secret_do(
    value: str, policy: Policy, secrets: tuple[Secret, ...], wins: bool
) -> None:
    outcome = hidden(dated(value), "a.pdf", *secrets, policy=policy)
    assert outcome.wins == wins
    assert "property CreationDate: 1" in outcome.note


def test_invisible_text_is_told_where_it_is() -> None:
    data = WINS["bits.txt"]
    assert isinstance(data, bytes)
    assert hidden(data, "a.txt").telling == (Span(3, 35),)


def test_many_flags_of_regions_are_passed_over_in_no_time() -> None:
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    began = time.process_time()
    outcome = hidden((flag * 20_000 + "\U000e0067").encode(), "a.txt")
    assert time.process_time() - began < 5
    assert outcome.telling == (Span(140_000, 140_001),)


def inspected(text: str, policy: Policy, *secrets: Secret, masks: tuple[Mask, ...] = ()) -> list[Outcome]:
    return InspectorAttack(policy).attack(_text(text), secrets, masks)


def _text(text: str) -> Document:
    return read(text.encode(), name="a.txt")


def test_a_name_that_was_left_is_found_and_told() -> None:
    (outcome,) = inspected(LETTER, PEOPLE)
    assert outcome.wins
    assert {span.of(LETTER) for span in outcome.telling} <= {"Peter", "Hollander"}
    assert "Hollander" in {span.of(LETTER) for span in outcome.telling}
    assert outcome.interval[0] <= outcome.result <= outcome.interval[1]
    assert outcome.result > outcome.baseline
    assert "Hollander" not in repr(outcome)


def test_a_good_redaction_raises_no_alarm() -> None:
    (outcome,) = inspected(GOOD, PEOPLE)
    assert not outcome.wins
    assert outcome.telling == ()


@pytest.mark.parametrize("mark", ["█████", "[NAME]", "<PERSON>", "XXXX", "{{NAME}}", "[**Name 12**]", "(b)(6)"])
def test_redactions_of_other_tools_are_inspected_without_a_policy(mark: str) -> None:
    (outcome,) = inspected(LETTER.replace("[REDACTED]", mark), Policy())
    assert outcome.result > 0
    assert outcome.wins == (mark in ("[NAME]", "<PERSON>", "{{NAME}}", "[**Name 12**]"))
    (good,) = inspected(GOOD.replace("[REDACTED]", mark), Policy())
    assert not good.telling


def test_who_may_be_named_is_no_find() -> None:
    allowed = Policy(detection=Detection(labels=("PERSON",), allow=("Mr Peter Hollander",)))
    (outcome,) = inspected(LETTER, allowed)
    assert not outcome.wins


def test_who_is_on_an_allow_list_stays_through_the_gate(tmp_path: Path) -> None:
    (tmp_path / "allow.txt").write_text("Mr Peter Hollander\n")
    policy = Policy(detection=Detection(labels=("PERSON",), allow_lists=("allow.txt",)), folder=str(tmp_path))
    both = LETTER.replace("[REDACTED]", "the school") + " Mr Peter Ashworth was heard too."
    redaction = Redactor(policy).redact(both.encode(), name="a.txt")
    assert redaction.holds
    assert "Mr Peter Hollander, who" in redaction.document.text
    assert "Ashworth" not in redaction.document.text
    (outcome,) = inspected(both, policy)  # the source
    assert {span.of(both) for span in outcome.telling} == {"Peter", "Ashworth"}
    assert all(span.start > both.index("Hollander") for span in outcome.telling)


def test_nothing_is_looked_at_where_nothing_can_be_won() -> None:
    assert inspected("", PEOPLE) == []
    assert inspected("Peter Hollander came.", Policy()) == []
    listed = Policy(find=(Find(label="CLIENT", terms=("x",)),))
    assert inspected(LETTER, listed, masks=(Mask(Span(31, 41), "CLIENT"),)) == []


def test_a_secrets_name_is_found_among_the_words_looked_at() -> None:
    *_, found = inspected(LETTER, Policy(), Secret(name="lawyer", person="Petra Hollander"))
    assert (found.secret, found.result, found.wins) == ("lawyer", 1.0, True)
    *_, safe = inspected(GOOD, Policy(), Secret(name="lawyer", person="Petra Hollander"))
    assert (safe.result, safe.wins) == (0.0, False)


def test_a_small_word_of_a_secrets_name_is_no_find() -> None:
    bank = Secret(name="the bank", model="information", value="The Bank of Wexcombe")
    outcomes = inspected("The end of [REDACTED] is near, and the rest of it too.", Policy(), bank)
    assert [each.result for each in outcomes if each.secret == "the bank"] == [0.0]


def test_the_gate_removes_what_the_inspector_finds() -> None:
    loose = Detection(labels=("PERSON",), thresholds={"PERSON": 1.0})
    policy = Policy(detection=loose, components=Components(attacks=("inspector",), detectors=("tagger",)))
    redaction = Redactor(policy).redact(LETTER.encode(), name="a.txt")
    assert redaction.rounds > 0
    assert redaction.holds
    assert "Hollander" not in redaction.document.text


def attack(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, *more: str) -> tuple[int, str]:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["attack", str(tmp_path / "a.txt"), *more])
    return int(str(ended.value.code)), capsys.readouterr().out


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (BAD["black text on black"], "no marks were found in it: words were painted over, and are still there"),
        (BAD["black box over text"], "no marks were found in it: words were painted over, and are still there"),
        (lambda: page(lambda _: None), "no marks were found in it: is it redacted?"),
    ],
)
def test_paint_is_told_from_nothing_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[], bytes], told: str
) -> None:
    (tmp_path / "theirs.pdf").write_bytes(make())
    with pytest.raises(SystemExit):
        main(["attack", str(tmp_path / "theirs.pdf")])
    shown = capsys.readouterr().err
    assert told in " ".join(shown.split())
    assert SECRET not in shown


def test_the_command_needs_no_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = attack(tmp_path, capsys, LETTER, "--json")
    told = {each["attack"]: each for each in json.loads(out)}
    assert code == 0
    assert {"hidden", "inspector"} <= told.keys()
    assert not any(each["wins"] for each in told.values())
    code, out = attack(tmp_path, capsys, LETTER.replace("[REDACTED]", "<PERSON>"))
    assert code == 3
    assert "wins" in out
    assert "Hollander" not in out
    (tmp_path / "source.txt").write_text(LETTER.replace("[REDACTED]", "Ada Quillby"))
    code, out = attack(tmp_path, capsys, GOOD, "--json", "--source", str(tmp_path / "source.txt"))
    assert code == 0


def test_what_attacks_went_by_and_take_marks_for_is_shown_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LETTER.replace("heard [REDACTED]", "heard <PERSON>")
    code, out = attack(tmp_path, capsys, text, "--show")
    assert code == 3
    assert ">>Hollander<<" in out
    assert "PERSON 100%" in next(line for line in out.splitlines() if ">><PERSON><<" in line)
    guess = next(line for line in out.splitlines() if ">>[REDACTED]<<" in line)
    kind, likely = guess.split()[:2]
    assert kind in KINDS
    assert 0 < int(likely.rstrip("%")) <= 100
