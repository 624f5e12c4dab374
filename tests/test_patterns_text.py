"""Patterns in texts of all sorts: disguised, hostile, plain."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_patterns import ALL, CASES, detect, document, sure
from withhold import Detection
from withhold.detectors.patterns import PatternDetector

# ---- disguises


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("CARD", "４１１１ １１１１ １１１１ １１１１"),
        ("CARD", "4111\u20091111\u20091111\u20091111"),
        ("CARD", "41\u200b11 1111 11\u00ad11 1111"),
        ("CARD", "٤١١١ ١١١١ ١١١١ ١١١١"),
        ("PHONE", "+44\u00a020\u00a07946\u00a00958"),
        ("PHONE", "(212)\u00a0555\u20110123"),
        ("SSN", "219‑09‑9999"),
        ("IBAN", "GВ82 WЕSТ 1234 5698 7654 32"),
        ("EMAIL", "jоhn@exаmple.com"),
        ("EMAIL", "ann\u200b@example.com"),
        ("DATE", "12\u00a0June\u00a02000"),
        ("DATE", "１２ Ｊｕｎｅ ２０００"),
        ("MONEY", "€\u202f12,50"),
        ("DURATION", "2½ years"),
    ],
)
def test_disguises_hide_nothing_and_spans_are_of_the_original(label: str, text: str) -> None:
    before, after = "Żółć – ", " – ﬁn"
    whole = before + text + after
    spans = [each.span for each in detect(whole) if each.label == label and each.score >= 0.5]
    assert [span.of(whole).rstrip("\u200b") for span in spans] == [text]


def test_line_breaks_may_stand_within_a_date_and_an_address_but_no_empty_line() -> None:
    assert sure("on 12\nJune 2000", "DATE") == ["12\nJune 2000"]
    assert sure("on 12\r\nJune 2000", "DATE") == ["12\r\nJune 2000"]
    assert sure("on 12\n\nJune 2000", "DATE") == ["June 2000"]
    assert sure("350 Fifth Avenue\r\nNew York, NY 10118", "ADDRESS") == ["350 Fifth Avenue\r\nNew York, NY 10118"]


# ---- plain text

PROSE = """
It was the middle of the afternoon when the two of them set out again. Nobody had thought to bring a map, and the road,
which had looked so plain from the top of the hill, soon lost itself among the hedges. One of the dogs ran ahead. "May I
ask," she said, "whether you have been here before?" He had not; he had only heard of the place, and at second hand.

They walked on, past a mill, a church and a row of houses with green doors, and came at last to the river. There was no
bridge. A boy sat on the bank with a rod in his hand, as still as a post, and did not turn when they spoke to him. In
the end they went back the way they had come, a little tired and a good deal wiser, and were at home before dark.

The rules of the house are few. Shut the gate. Feed the cat first. Do not march through the hall in wet boots, and leave
the key where you found it: on the hook, next to the door. Whoever comes last puts out the light. In any case, order is
kept; and so it has been as far back as anyone can remember, in good years and in bad ones, or at least since the war.
"""


def test_nothing_is_found_in_plain_prose() -> None:
    assert ALL.detect(document(PROSE)) == []


# ---- hostile text

UNITS = (
    "1", "1 ", "1-", "1.", "1:", "1/", "a1", "@", "a@", "a@a.", "a.com.", "www.", "http://", "-", " ", "\n", "12 june ",
    "june 12 ", "twenty-", "five years and ", "aged 5 ", "$1", "EUR 1 ", "100 euros ", "(", "(1", "+1 2", "nos. 1, ",
    "case no. 1-", "Address: 1 A\n", "1 A ", "12 Oak Street ", "Apt. 1\n", "ul. A 1 ", "Strasse 1 ", "password: a",
    "-----BEGIN PRIVATE KEY-----", "eyJhbGciOi1-", "GB82 ", "4111 ", "1:2:", "1999-", "first half of the ", "1°", "1% ",
    "1 to ", "1" * 40 + " ", "A" * 40 + " ", "a" * 40, "1a" * 30 + "-", "A A A A, ", "A" * 30 + "\n", "\u200b", "é",
    "٣", "a at b dot ", "in his ", "lives at 1 ", "18403/91 ", "555-", "A\n1 ", "half past ", "12:30 ", "1 1/", "$ 1 ,",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length_of_the_text(unit: str) -> None:
    """Eight times the text takes nowhere near sixty-four times as long; and none of it takes long."""
    short, long = seconds(unit, 500), seconds(unit, 4_000)
    assert long < 40 * max(short, 0.002)
    assert long < 2


def seconds(unit: str, length: int) -> float:
    """The best of three times: the others had something else to do."""
    text = document((unit * (length // len(unit) + 1))[:length])
    times = []
    for _ in range(3):
        start = time.process_time()
        ALL.detect(text)
        times.append(time.process_time() - start)
    return min(times)


# ---- any text

PIECES = sorted(
    {piece for _, plain, _ in CASES for piece in plain.split()} | {"\n", "-", "(", ")", "no.", "€", "½", "İ"}
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25).flatmap(
    lambda pieces: st.sampled_from([" ", "", "\n"]).map(lambda gap: gap.join(pieces))
)


@pytest.mark.parametrize("name", ["john.smith", "al"])
def test_of_an_address_that_runs_into_another_nothing_is_left(name: str) -> None:
    assert sure(f"to {name}@www.example.com/private/records/all today")[0] == name


@pytest.mark.parametrize("mail", ["john.smith%40example.com", "john.smith@exam-\nple.com"])
def test_plain_letters_hide_nothing_either(mail: str) -> None:
    assert sure(f"mail {mail} now") == sure(f"mail {mail} nów") == [mail]


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_findings_lie_in_the_text_in_order_and_apart(text: str) -> None:
    findings = ALL.detect(document(text))
    assert all(finding.span and finding.span.end <= len(text) for finding in findings)
    assert all(left.span.end <= right.span.start for left, right in pairwise(findings))
    assert ALL.detect(document(text)) == findings


@given(st.sampled_from(CASES), TEXTS)
@settings(max_examples=100, deadline=None)
def test_what_stands_far_away_changes_nothing(case: tuple[str, str, list[str]], text: str) -> None:
    label, plain, wanted = case
    apart = "\n\n" + "and so on and so forth, " * 6 + "\n\n"
    assert set(wanted) <= set(sure(text + apart + plain + apart + text, label))


def test_what_is_doubtful_by_the_policy_hides_nothing_sure() -> None:
    detection = Detection(labels=("URL", "EMAIL"), thresholds={"URL": 0.99})
    text = document("see http://a.org/jane.doe@example.org today")
    found = [each for each in PatternDetector(detection).detect(text) if each.score >= detection.threshold(each.label)]
    assert any("jane.doe@example.org" in text.text[each.span.start : each.span.end] for each in found)
