"""The gate: a redaction is attacked before it is handed over, and planned anew while an attack wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

import withhold
from tests.fixtures import docx_files, html_files
from withhold import Find, Policy, Redactor, gate
from withhold.formats.blocks import kept, level, marks
from withhold.policy import Components, Gate
from withhold.spans import Span
from withhold.types import Document, Mask, Outcome, Replacement, Risk, Secret

WORDS = st.lists(st.sampled_from(["ash", "birch", "cedar", "elm", "fir", "oak"]), min_size=1, max_size=12)


@dataclass
class Reader:
    """An attack that wins while one of its words is left, and says where."""

    words: tuple[str, ...]
    seen: list[str]
    tells: bool = True

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        raise NotImplementedError

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        self.seen.append(document.text)
        text = document.text
        found = tuple(
            Span(at, at + len(word)) for word in self.words for at in range(len(text)) if text.startswith(word, at)
        )[:1]
        won = bool(found)
        told = found if self.tells else ()
        return [Outcome("reader", "trees", 0.0, float(won), (0.0, 1.0), 1, wins=won, telling=told)]


def redactor(reader: Reader, rounds: int = 3, find: str = "birch") -> Redactor:
    policy = Policy(find=(Find(terms=(find,)),), gate=Gate(rounds=rounds), components=Components(attacks=("reader",)))
    made = Redactor(policy)
    made._components["attacks", "reader"] = reader
    return made


def files(text: str) -> list[tuple[bytes, str]]:
    return [(text.encode(), "a.txt"), (html_files.plain([text]), "a.html"), (docx_files.plain([text]), "a.docx")]


@pytest.mark.parametrize(("data", "name"), files("ash birch cedar elm, birch and fir cedar"))
def test_what_an_attack_went_by_is_removed(data: bytes, name: str) -> None:
    reader = Reader(("cedar", "fir"), [])
    redaction = redactor(reader).redact(data, name=name)
    assert redaction.document.text == "ash [REDACTED] [REDACTED] elm, [REDACTED] and [REDACTED] [REDACTED]"
    assert redaction.holds
    assert redaction.rounds == 3
    assert redaction.plan.removed == {"TERM": 2, "CLUE": 3}
    assert [each.before for each in redaction.outcomes] == [1.0]


def test_rounds_are_bounded_and_the_first_of_the_best_is_returned() -> None:
    reader = Reader(("cedar", "fir"), [])
    redaction = redactor(reader, rounds=1).redact(b"cedar fir cedar birch", name="a.txt")
    assert not redaction.holds
    assert redaction.rounds == 0
    assert redaction.document.text == "cedar fir cedar [REDACTED]"
    assert len(reader.seen) == 3  # the source, and two redactions


def test_without_rounds_attacks_are_tried_and_told() -> None:
    redaction = redactor(Reader(("fir",), []), rounds=0).redact(b"fir birch", name="a.txt")
    assert redaction.document.text == "fir [REDACTED]"
    assert [(each.attack, each.wins) for each in redaction.outcomes] == [("reader", True)]


def test_an_attack_that_cannot_say_what_it_read_ends_the_loop_if_nothing_more_can_be_asked() -> None:
    reader = Reader(("fir",), [], tells=False)
    redaction = redactor(reader).redact(b"fir birch", name="a.txt")
    assert not redaction.holds
    assert len(reader.seen) == 2


def test_the_same_input_gives_the_same_output() -> None:
    made = [redactor(Reader(("cedar",), [])).redact(b"cedar birch cedar", name="a.txt") for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("secret", "more"),
    [
        (Secret("a", value="x", k=2), {"k": 3}),
        (Secret("a", value="x", k=5), {"k": 7}),
        (Secret("a", person="Ann Hale", k=8), {"k": 12}),
        (Secret("a", "association", value="x", ceiling=0.1), {"ceiling": 0.05}),
        (Secret("a", "information", value="x"), {}),
    ],
)
def test_more_is_asked_for_the_secret_that_was_found(secret: Secret, more: dict[str, Any]) -> None:
    other = replace(secret, name="b")
    won = [Outcome("x", "a", 0.0, 1.0, (0.2, 1.0), 1, wins=True)]
    left = [(Span(0, 5), Span(0, 5))]
    assert gate.stricter((secret, other), won, left) == (replace(secret, **more), other)
    told = [replace(won[0], telling=(Span(0, 1),))]
    assert gate.stricter((secret, other), told, left) == (secret, other)
    of_marks = [replace(won[0], telling=(Span(5, 9),))]  # or of more general words that were put there
    assert gate.stricter((secret, other), of_marks, left) == (replace(secret, **more), other)


def test_of_two_that_one_attack_wins_against_the_one_that_more_were_tried_on_is_better() -> None:
    only = redactor(Reader(("fir",), []), rounds=0).redact(b"fir birch", name="a.txt")
    (won,) = only.outcomes
    both = replace(only, outcomes=(replace(won, wins=False), replace(won, attack="language_model")))
    assert gate.failings(both) < gate.failings(only)
    assert min([only, replace(only, rounds=1)], key=gate.failings) is only


def test_a_document_is_not_emptied_for_a_risk_that_stays_anyway() -> None:
    redaction = redactor(Reader(("fir",), []), rounds=0).redact(b"fir birch", name="a.txt")
    assert gate.unexpected(redaction)
    stays = Risk("trees", "concepts", 1.0, 1.0, 0.5)
    assert not gate.unexpected(replace(redaction, plan=replace(redaction.plan, risks=(stays,))))


@given(st.lists(WORDS, min_size=1, max_size=4), st.sets(st.sampled_from(["ash", "elm", "oak"])), st.data())
def test_what_is_kept_and_what_is_put_make_up_the_result(
    paragraphs: list[list[str]], gone: set[str], data: st.DataObject
) -> None:
    document = withhold.read(html_files.plain([" ".join(each) for each in paragraphs]), name="a.html")
    spans = [
        Span(at, at + len(word))
        for word in gone
        for at in range(len(document.text))
        if document.text.startswith(word, at)
    ]
    mark = data.draw(st.sampled_from(["[X]", "[REDACTED]"]))
    replacements = level(document.text, [Replacement(span, mark) for span in sorted(spans)])
    from withhold import formats

    result, _, _ = formats.rewrite(document, replacements)
    put = [stands for _, stands in marks(document, replacements, result)]
    left = kept(document, replacements, result)
    assert all(was.of(document.text) == now.of(result.text) for was, now in left)
    covered = sum(map(len, put)) + sum(len(now) for _, now in left)
    assert covered == len(result.text) - (len([block for block in result.blocks if block.span]) - 1)


def test_masks_are_where_the_marks_stand() -> None:
    redaction = redactor(Reader((), [])).redact(b"ash birch, birch", name="a.txt")
    assert [mask.label for mask in redaction.masks] == ["TERM", "TERM"]
    assert {mask.span.of(redaction.document.text) for mask in redaction.masks} == {"[REDACTED]"}
