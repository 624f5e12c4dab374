"""A plan is carried out on the very text it was made for, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from withhold import Find, Handling, Operators, OutputError, Plan, PlanError, Policy, PolicyError, Redactor

MEMO = Path(__file__).parent.parent / "examples" / "memo.docx"


def redactor(**files: str) -> Redactor:
    return Redactor(Policy(find=(Find(terms=("Brackwater",)),), files=Handling.from_json(files)))


def test_a_plan_is_refused_where_the_file_is_read_in_another_way() -> None:
    accepting, rejecting = redactor(), redactor(tracked_changes="reject")
    for one, other in ((accepting, rejecting), (rejecting, accepting)):
        plan = Plan.from_json(one.plan_for(one.read(MEMO)).to_json())
        with pytest.raises(PlanError, match="same policy"):
            other.apply(plan, other.read(MEMO))


def test_a_plan_is_accepted_where_the_text_is_the_same() -> None:
    blanking, keeping = redactor(images="blank"), redactor(images="keep")
    document = keeping.read(MEMO)
    assert "Brackwater" not in keeping.apply(blanking.plan_for(blanking.read(MEMO)), document).document.text


def test_a_plan_is_refused_for_another_file() -> None:
    document = redactor().read(MEMO)
    plan = redactor().plan_for(document)
    with pytest.raises(PlanError, match="another file"):
        redactor().apply(plan, replace(document, native=document.native + b"\0"))


def test_a_redaction_is_not_written_over_its_source(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Brackwater left.")
    redaction = redactor().redact(source)
    with pytest.raises(OutputError, match="source"):
        redaction.write(source, overwrite=True)
    assert source.read_text() == "Brackwater left."
    redaction.write(tmp_path / "b.txt")


@pytest.mark.parametrize("mark", ["[BRACKWATER]", "of Brackwater & Sons"])
def test_a_mark_that_repeats_what_it_hides_is_refused(mark: str) -> None:
    policy = Policy(find=(Find(terms=("Brackwater",)),), operators=Operators(mark=mark))
    with pytest.raises(PolicyError, match="repeats"):
        Redactor(policy).redact(b"Brackwater left.")


def test_every_block_that_a_name_spans_shows_a_mark() -> None:
    policy = Policy(find=(Find(terms=("Ada Byron",)),))
    page = b"<!doctype html><title>t</title><ul><li>Ada</li><li>Byron left</li></ul>"
    assert Redactor(policy).redact(page).document.text.split("\n")[1:] == ["[REDACTED]", "[REDACTED] left"]


def test_numbers_of_masks_are_no_repetition() -> None:
    policy = Policy(find=(Find(label="NUMBER", patterns=(r"\d+",)),), operators=Operators(default="mask"))
    assert Redactor(policy).redact(b"1 and 2 and 1").document.text == "[NUMBER 1] and [NUMBER 2] and [NUMBER 1]"
