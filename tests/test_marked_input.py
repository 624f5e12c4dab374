"""Documents that have marks already: the marks stay, and what stands beside them is found all the same."""

from __future__ import annotations

import pytest

from withhold import Detection, Find, Operators, Policy, Redactor

LETTER = "Dear Mr Peter Hollander,\n\nMrs Anna Whitcombe of Leeds was born on 4 May 1961.\n"


@pytest.mark.parametrize("labels", ["direct", "all"])
def test_a_redaction_can_be_redacted_again(labels: str) -> None:
    redactor = Redactor(Policy(detection=Detection(labels=("PERSON",))))
    once = redactor.redact(LETTER.encode(), name="a.txt").document
    assert "[REDACTED]" in once.text
    again = Redactor(Policy(detection=Detection(labels=(labels,)))).redact(once.native, name="a.txt").document
    assert again.text.count("[REDACTED]") >= once.text.count("[REDACTED]")
    assert "[[" not in again.text
    masked = Policy(detection=Detection(labels=("all",)), operators=Operators(default="mask"))
    assert "[[" not in Redactor(masked).redact(once.native, name="a.txt").document.text


def test_a_name_that_a_mark_touches_is_removed() -> None:
    text = "Dear Mr [REDACTED] Hollander,\n\nMrs Anna [REDACTED] of Leeds asked Peter Hollander to come.\n"
    redaction = Redactor(Policy(detection=Detection(labels=("PERSON",)))).redact(text.encode(), name="a.txt")
    assert "Hollander" not in redaction.document.text
    assert "Anna" not in redaction.document.text


def test_what_is_on_a_list_goes_even_from_marks() -> None:
    policy = Policy(find=(Find(terms=("REDACTED",)),), operators=Operators(mark="[X]"))
    assert Redactor(policy).redact(b"a [REDACTED] b", name="a.txt").document.text == "a [[X]] b"
