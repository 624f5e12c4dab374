"""Terms and patterns: found however they are written, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Policy, PolicyError, Redactor, read
from withhold.detectors.lists import ListDetector
from withhold.policy import Find
from withhold.types import Finding


def detect(text: str, *terms: str, anywhere: bool = False) -> list[Finding]:
    document = read(text.encode("utf-8", "surrogatepass"), name="a.txt")
    return ListDetector([Find(terms=terms, anywhere=anywhere)]).detect(document)


def found(text: str, *terms: str, anywhere: bool = False) -> list[str]:
    return [finding.span.of(text) for finding in detect(text, *terms, anywhere=anywhere) if finding.score >= 0.5]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("Zbigniew Kwiatkowski", "ZBIGNIEW   KWIATKOWSKI"),
        ("Zbigniew Kwiatkowski", "Zbigniew\n  Kwiatkowski"),
        ("Zbigniew Kwiatkowski", "zbigniew-kwiatkowski"),
        ("Zbigniew Kwiatkowski", "Zbigniew_Kwiatkowski"),
        ("Zbigniew Kwiatkowski", "zbigniewkwiatkowski"),
        ("Zbigniew Kwiatkowski", "Zbig\u200bniew\u00a0Kwiat\u00adkowski"),
        ("Zbigniew Kwiatkowski", "Zbigniew%20Kwiatkowski"),
        ("Łukasz Żółć", "LUKASZ ZOLC"),
        ("O'Brien", "O’Brien"),
        ("Νικος", "ΝΙΚΟΣ"),
        ("Иванов", "ИВАНОВ"),
        ("C++", "C++"),
        ("A.C.M.E.", "A.C.M.E"),
        ("A.C.M.E.", "ACME"),
        ("§ 1234", "§1234"),
        ("田中", "田中"),
        ("Smith & Sons", "Smith&Sons"),
        ("Smith & Sons", "SMITH  & SONS"),
        ("...", "..."),
    ],
)
def test_a_term_is_found(term: str, text: str) -> None:
    assert found(f"see {text}, and", term) == [text]


@pytest.mark.parametrize(
    ("term", "text"),
    [("Ann", "Annual"), ("Ann", "Joanna"), ("table", "tables"), ("C++", "C"), ("art", "part"), ("1234", "12345")],
)
def test_inside_a_longer_word_is_not_found(term: str, text: str) -> None:
    assert found(f"see {text}, and", term) == []


@pytest.mark.parametrize("terms", [1, 100])
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Ada,Byron,1", ["Ada", "Byron"]),
        ('"Ada";"Byron"', ["Ada", "Byron"]),
        ("| Ada | Byron |", ["Ada", "Byron"]),
        ("Ada\tByron", ["Ada", "Byron"]),
        ("Ada Byron1 and Ada Byron²", ["Ada Byron", "Ada Byron"]),
        ('{"m": "Dear,\\nAda Byron\\tAda Byron"}', ["Ada Byron", "Ada Byron"]),
        ("c:\\nadir\\Ada Byron", ["Ada Byron"]),
    ],
)
def test_columns_notes_and_escapes_are_no_part_of_a_word(text: str, pieces: list[str], terms: int) -> None:
    others = [f"Nobody{number}" for number in range(terms - 1)]
    assert found(text, "Ada Byron", *others) == pieces


def test_an_address_ends_where_the_next_column_starts() -> None:
    assert found("ada@x.example,Adamant street", "Adam") == []


def test_all_findings_of_a_term_are_of_one_entity() -> None:
    findings = detect("Ada Byron, ADA-BYRON, Ada,Byron; Grace", "Ada Byron", "Grace")
    assert [finding.entity for finding in findings] == [1, 1, 1, 1, 2]


def test_inside_a_longer_word_is_doubtful_if_long_and_found_if_asked() -> None:
    text = "Rodzina Kwiatkowskich"
    (finding,) = detect(text, "Kwiatkowski")
    assert finding.score < 0.5
    assert finding.span.of(text) == "Kwiatkowski"
    assert found(text, "Kwiatkowski", anywhere=True) == ["Kwiatkowski"]


@pytest.mark.parametrize("text", ["kpoe@mail.example", "jpoe99", "KPoe", "Poes", "Poesy", "PoeHouse"])
def test_a_short_name_inside_a_longer_word_is_doubtful_if_it_is_written_like_one(text: str) -> None:
    (finding,) = detect(f"see {text}, and", "Poe")
    assert finding.score < 0.5


@pytest.mark.parametrize(
    ("term", "text"),
    [("Lee", "sleep"), ("Lee", "ASLEEP"), ("1234", "12345"), ("Al", "Alice"), ("Ann", "Annual")],
)
def test_a_few_letters_stand_in_words_by_chance(term: str, text: str) -> None:
    assert detect(f"see {text}, and", term) == []


def test_addresses_hold_terms_anywhere() -> None:
    text = "mail jkwiatkowski77@example.org, see https://example.org/u/theKwiatkowskis/x"
    assert found(text, "Kwiatkowski") == ["kwiatkowski", "Kwiatkowski"]


def test_scripts_without_spaces_need_no_boundary() -> None:
    assert found("私は田中太郎です", "田中") == ["田中"]


def test_patterns_see_through_disguises() -> None:
    text = "call 555\u20111234 or 55\u200b5-9876 or 555-0000"
    document = read(text.encode(), name="a.txt")
    findings = ListDetector([Find(patterns=(r"\d{3}-\d{4}",))]).detect(document)
    assert [finding.span.of(text) for finding in findings] == ["555\u20111234", "55\u200b5-9876", "555-0000"]


def test_an_empty_term_is_refused() -> None:
    with pytest.raises(PolicyError, match="empty"):
        ListDetector([Find(terms=("ok", " \u200b "))])


def test_findings_carry_no_text() -> None:
    assert "kwiat" not in repr(detect("Kwiatkowski here", "Kwiatkowski")).lower()


@given(st.lists(st.sampled_from(["Ada", "Grace", "Zbigniew", "the", "of"]), min_size=1, max_size=12))
def test_every_whole_word_is_found_and_no_other(words: list[str]) -> None:
    assert found(" ".join(words), "Ada", "Zbigniew") == [word for word in words if word in ("Ada", "Zbigniew")]


def test_many_terms_cost_little() -> None:
    """A thousand terms in a text of a thousand words: each found once, in one pass."""
    names = [f"name{number:04}" for number in range(1000)]
    assert len(found(" ".join(names), *names)) == 1000


@pytest.mark.parametrize("term", ["@@@@@", "._.", "+-+-+-", ",_,"])
def test_a_term_of_signs_is_found_as_it_is(term: str) -> None:
    assert found(f"one, two {term} three. Four", term) == [term]
    assert found("one, two - three. Four", term) == []


@pytest.mark.parametrize("terms", [1, 100])
@pytest.mark.parametrize(
    ("name", "data", "left"),
    [
        (
            "a.html",
            b"<!doctype html><title>t</title>Brackwater<sup>a</sup> and <b>Brackwater</b>s",
            "[REDACTED]a and",
        ),
        ("a.md", b"The **Brackwater**s and `Brackwater`s", "The [REDACTED]s and"),
        ("a.html", b"<!doctype html><title>t</title><p>pre<i>Brackwater</i>", "pre[REDACTED]"),
    ],
)
def test_a_word_can_end_where_the_formatting_changes(name: str, data: bytes, left: str, terms: int) -> None:
    others = tuple(f"Nobody{number}" for number in range(terms - 1))
    policy = Policy(find=(Find(terms=("Brackwater", *others)),))
    output = Redactor(policy).redact(read(data, name=name)).document
    assert left in output.text
    assert b"brackwater" not in output.native.lower()
