"""A plan is carried out on the very text it was made for, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from withhold import Handling, Plan, PlanError, Policy, Redactor
from withhold.policy import Find

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
