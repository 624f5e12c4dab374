"""What a log comes to, compared with a second way of working it out."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from withhold.service.log import DECISIVE, Line, fold

KINDS = [*sorted(DECISIVE), "undo", "redo", "note", "approve", "release"]


def lines(kinds: list[tuple[str, str]]) -> list[Line]:
    return [Line(number, kind, who, datetime.now(UTC), {}) for number, (kind, who) in enumerate(kinds, 1)]


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["ana", "bo"])), max_size=40))
def test_a_log_comes_to_what_an_editor_would_show(kinds: list[tuple[str, str]]) -> None:
    log = lines(kinds)
    history: list[list[int]] = [[]]
    at = 0
    for line in log:
        if line.kind in DECISIVE:
            history = [*history[: at + 1], [*history[at], line.number]]
            at += 1
        elif line.kind == "undo":
            at = max(0, at - 1)
        elif line.kind == "redo":
            at = min(len(history) - 1, at + 1)
    folded = fold(log)
    assert [line.number for line in folded.counting] == history[at]
    assert len(folded.undone) == len(history) - 1 - at
    assert (folded.approved_by is not None) >= (folded.status == "approved")


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["ana", "bo"])), max_size=20))
def test_a_decision_ends_every_approval(kinds: list[tuple[str, str]]) -> None:
    folded = fold(lines([*kinds, ("approve", "bo"), ("term", "ana")]))
    assert (folded.status, folded.approved_by, folded.last_hand) == ("open", None, "ana")
