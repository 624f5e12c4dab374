"""Marks of any tool, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.learners.marks import marks_in
from withhold.spans import disjoint

# In every line ‹...› is not part of the text: it says what has to be found.
TAKEN = """
The memo was sent to ‹█████› yesterday.
Signed by ‹████ ██████›, director.
‹■■■■■■› was there.
She wrote ‹⬛⬛⬛›.
‹▓▓▓▓› has not replied.
Dear ‹[REDACTED]›,
Dear ‹[redacted]›,
‹[REDACTED: PERSON]› met ‹[REDACTED - NAME]›.
‹[Name redacted]› and ‹[name removed]› and ‹(name withheld)›
He lives in ‹[LOCATION_2]› with ‹<PERSON>›.
‹<PERSON_1>› called ‹<PHONE_NUMBER>› on ‹<DATE_TIME>›.
Write to ‹<EMAIL_ADDRESS>›, ‹<US_SSN>› or ‹<CREDIT_CARD>›.
‹{{NAME}}› wrote to ‹{{EMAIL}}› and ‹{{PHONE-1}}›.
‹{{{REDACTED-person}}}› was seen.
My name is ‹[PERSON_NAME]›, mail ‹[EMAIL_ADDRESS]›, phone ‹[PHONE_NUMBER]›.
‹[NAME_1]› of ‹[ORGANIZATION_3]›
‹[PERSON 1]› and ‹[ORG 12]› in ‹[LOC 2]›
‹[[PERSON]]› came.
Pt is ‹[**First Name 123**]› ‹[**Last Name (un) 4**]›, seen ‹[**2012-3-4**]›.
‹PERSON_FIRSTNAME_1› and ‹ORGANIZATION_2› met.
Ask ‹PERSON-7K2QF4XM4D› about it.
The account of ‹XXXX› was closed on ‹XX/XX/XXXX›.
It was opened ‹XX/XX›/2015, and the number is ‹XXX-XX›-1234.
Call ‹xxx-xxx-xxxx› now.
Mr ‹XXX› said so.
M. ‹[P] [B]› soutient que
Name: ‹*****›, card ‹****-****-****›-1234
The defendant J‹****› was there.
Ask ‹***› about it.
The fee is ‹[***]› per unit, and ‹[*****]› later.
Name:  ‹___›                   Unit No:   ‹___›
He said that ‹______› had gone.
The officer, ‹(b)(6)›, was told.
By: ‹(b)(6); (b)(7)(C)› on duty
‹(b) (6)› said that ‹(b)(7)(E)› was used.
It held ‹[...]› and ‹[…]› too.
The price is ‹[●]› pounds.
‹REDACTED› was born there.
Card ‹####-####-####›-1234
(‹[REDACTED]›)
‹[NAME]›‹[DATE]›
‹[Datum]› und ‹[geschwärzt]›
‹[town in county]› is small
‹(REDACTED)›
‹[Patient 3]› reported pain.
""".strip().splitlines()

LEFT = """
***
* * *
*****
---
___
________________
Signature: ______________
Date: __________
***very important*** indeed
****Note**** read on
/******************************
 ******************************/
#### A heading
##### Another
0.53*** (0.02)
p was 0.001 ***
Well... he said … and then
Chapter XXX and Louis XIV, Super Bowl XXX
size XXL or XX
XIII, XXIII, XXXVIII
x = items[name] + table[NAME]
[name](https://example.org)
[NAME]: https://example.org
<name>Ann</name>
<PERSON>Ann</PERSON>
<div class="x">
if a < NAME and b > 3:
{name} and {{ name }}
See 5 U.S.C. § 552(b)(6).
Under section (b)(6) of the act
exemption (b)(6) applies
Rule 12(b)(6)
paragraph (b)(1) and (b)(2)
[ ] to do, [x] done
[sic] and [1] and [12, 13] and [Smith 2019]
[T]he court
[INFO] started [ERROR] failed
[NOTE] that [TODO]
■ first item
▪ second
[████░░░░] 50%
█████░░░
(removed) from the list
(see below)
__init__ and snake_case_name and ___private
REDACTED VERSION
redacted
MAX_LENGTH_20 and UTF_8
ISO-8859 and RFC_2822
2 ** 3 and a*b*c
a && b ## comment
http://example.org/____/x
(name) and (date)
he said that [the applicant] and [his mother's] were [in the town]
[Phone = 2492930, Fax = 2490747]
****************************** NOTICE ******************************
the name, address and date of birth
""".strip().splitlines()


def _expected(line: str) -> tuple[str, list[tuple[int, int]]]:
    text, spans, start = "", [], 0
    for character in line:
        if character == "‹":
            start = len(text)
        elif character == "›":
            spans.append((start, len(text)))
        else:
            text += character
    return text, spans


@pytest.mark.parametrize("line", TAKEN)
def test_marks_are_found(line: str) -> None:
    text, spans = _expected(line)
    assert [(span.start, span.end) for span in marks_in(text)] == spans
    around = f"A line before.\n{text}\nA line after."
    assert [(span.start - 15, span.end - 15) for span in marks_in(around)] == spans


@pytest.mark.parametrize("line", LEFT)
def test_what_is_no_mark_is_left(line: str) -> None:
    assert marks_in(line) == []
    assert marks_in(f"A line before.\n{line}\nA line after.") == []


def test_a_mark_that_is_known_is_found_too() -> None:
    assert [span.of("a ~~~ b [REDACTED]") for span in marks_in("a ~~~ b [REDACTED]", "~~~")] == ["~~~", "[REDACTED]"]
    assert marks_in("a ~~~ b") == []


@given(st.text(alphabet="█■[]<>{}()*_#Xxb6.… \nNAMEredacted1-/", max_size=200))
def test_marks_are_in_order_and_share_nothing(text: str) -> None:
    found = marks_in(text, "[NAME]")
    assert disjoint(found)
    assert all(span and span.end <= len(text) for span in found)


@pytest.mark.slow
def test_long_texts_are_read_in_linear_time() -> None:
    from time import process_time

    for piece in ("*", "_", "X", "[", "<", "{", "(", "█", "█ ", "XX-", "[**", "(b)(6)", "*** ", "A_"):
        start = process_time()
        marks_in(piece * 100_000)
        assert process_time() - start < 3, piece
