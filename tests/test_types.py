"""The nouns: JSON both ways, refusal of what does not fit, and no word of a document in any repr."""

from __future__ import annotations

import dataclasses
import json
import typing

import pytest

from withhold import types
from withhold.codec import Value, decode, encode
from withhold.errors import MalformedData, PlanError
from withhold.policy import Components, Find, Operators, Policy
from withhold.spans import Span

SECRET = "Kwiatkowski"
EDIT = types.Edit(Span(3, 9), "mask", "PERSON", "a reason", 1, SECRET)
RISK = types.Risk(
    "client", "concepts", 0.9, 0.1, 0.2, (types.Evidence((Span(0, 2),), 1.5, "why", {"n": 3}, ("d1",), SECRET),)
)
PLAN = types.Plan((EDIT,), "digest", (RISK,), 0.9, "optimal", (types.Finding(Span(1, 2), "PERSON", "lists"),))
DOCUMENT = types.Document(SECRET, SECRET.encode(), "txt", (types.Block(Span(0, 11)),), types.Handling(), SECRET)
VERIFICATION = types.Verification(("read back",), 2, 3)
VALUES: list[Value] = [
    DOCUMENT,
    EDIT,
    RISK,
    PLAN,
    VERIFICATION,
    types.Handling(tracked_changes="reject", images="keep", attachments="drop", encoding="cp1252"),
    types.Block(Span(1, 2), "header", "header", True),
    types.Finding(Span(0, 4), "PERSON", "lists", 0.5, 2, "term 1", SECRET),
    types.Term(SECRET, (Span(0, 1), Span(5, 6))),
    types.Secret("client", "association", "client", SECRET, (SECRET,), "model", 3, "others", 0.2),
    types.Secret(person=SECRET, aliases=(SECRET,)),
    types.Hit("name", SECRET, SECRET, 1.5),
    types.Standing("client", SECRET, 5, 0.25, True),
    types.Replacement(Span(0, 1), SECRET),
    types.Notice("comments", "removed", 3),
    types.Passage("document", SECRET, "content", SECRET.encode()),
    types.Residue("document", "names", 2),
    types.Hidden("comments", "document", 1, SECRET),
    types.Box(1, 0.1, 0.2, 0.3, 0.4),
    types.Face({"a": 0.5}),
    types.Line(1, SECRET, (72.0,), (78.0,), (0,), (11.0,), ((80.0, 120.0),)),
    types.Layout((types.Face({"a": 0.5}),), (types.Line(1, SECRET, (72.0,), (78.0,), (0,), (11.0,)),)),
    types.Ledger(SECRET.encode()),
    types.Redaction(DOCUMENT, PLAN, "digest", VERIFICATION, (types.Notice("comments", "removed"),), types.Ledger(b"x")),
    types.Mask(Span(0, 3), "PERSON"),
    types.Outcome("hidden", "client", 0.5, 0.1, (0.0, 0.2), 100, "note", 0.9, True, (Span(0, 3),)),
    Policy(find=(Find(terms=(SECRET,)),), operators=Operators(labels={"PERSON": "mask"}), components=Components()),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_json_both_ways(value: Value) -> None:
    assert type(value).from_json(json.loads(json.dumps(value.to_json()))) == value


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_no_text_in_any_repr(value: Value) -> None:
    assert SECRET not in repr(value)
    assert SECRET not in str(value)
    assert SECRET not in f"{value}"


def test_every_noun_is_tried() -> None:
    nouns = {
        each
        for each in vars(types).values()
        if isinstance(each, type) and issubclass(each, Value) and each.__module__ == types.__name__
    }
    tried = {type(value) for value in VALUES} | {types.Evidence}
    assert nouns <= tried


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_nouns_are_frozen(value: Value) -> None:
    name = dataclasses.fields(typing.cast(typing.Any, value))[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, None)


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (types.Edit, {"span": {"start": 0, "end": 1}, "operater": "mask"}, "did you mean 'operator'"),
        (types.Edit, {"span": {"start": 0, "end": 1}}, "operator missing"),
        (types.Edit, {"span": {"start": 2, "end": 1}, "operator": "mask"}, "span: not a span"),
        (types.Edit, {"span": {"start": 1, "end": 1}, "operator": "mask"}, "at least one character"),
        (types.Edit, {"span": {"start": 0.5, "end": 1}, "operator": "mask"}, "span.start: expected a whole number"),
        (types.Edit, {"span": {"start": True, "end": 1}, "operator": "mask"}, "span.start: expected a whole number"),
        (types.Handling, {"images": "lose"}, "images: expected one of 'blank', 'keep'"),
        (types.Ledger, {"sealed": "not base64!"}, "sealed: expected base64"),
        (types.Term, {"text": "x", "spans": 3}, "spans: expected a list"),
        (types.Outcome, [], "expected a table"),
    ],
)
def test_what_does_not_fit_is_refused_by_place(kind: type[Value], data: object, message: str) -> None:
    with pytest.raises(MalformedData, match=message.replace("(", r"\(")):
        kind.from_json(data)


def test_refusals_do_not_quote_the_data() -> None:
    with pytest.raises(MalformedData) as error:
        types.Document.from_json({**DOCUMENT.to_json(), "blocks": SECRET})
    assert SECRET not in str(error.value)


def test_whole_numbers_count_as_numbers() -> None:
    assert decode(float, 1) == 1.0
    assert encode((1, b"x", {"a": Span(0, 1)})) == [1, "eA==", {"a": {"start": 0, "end": 1}}]


def test_overlapping_edits_are_no_plan() -> None:
    with pytest.raises(ValueError, match="overlap"):
        types.Plan((EDIT, dataclasses.replace(EDIT, span=Span(5, 12))))


def test_a_plan_fits_one_document_only() -> None:
    with pytest.raises(PlanError, match="another file"):
        PLAN.check(DOCUMENT)
    with pytest.raises(PlanError, match="beyond"):
        types.Plan((dataclasses.replace(EDIT, span=Span(5, 99)),)).check(DOCUMENT)
    types.Plan((EDIT,), DOCUMENT.digest).check(DOCUMENT)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[" * 100_000, b"\xff", b"[]", b'{"edits": [], "utility": 1' + b"0" * 400 + b"}"]
)
def test_what_is_no_value_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedData):
        types.Plan.from_bytes(data)


def test_any_text_can_be_written_and_read_back() -> None:
    plan = types.Plan((types.Edit(Span(0, 1), "suppress", "\ud800 \u20ac"),))
    assert types.Plan.from_bytes(plan.to_bytes()) == plan


@pytest.mark.parametrize("measure", ["rank", "share"])
@pytest.mark.parametrize(("level", "ceiling"), [(0.0, 0.2), (0.2, 0.0), (0.0, 0.0), (1.0, 0.2)])
def test_every_level_of_a_risk_can_be_told(
    measure: typing.Literal["rank", "share"], level: float, ceiling: float
) -> None:
    told = types.Risk("secret", "identity", level, level, ceiling, measure=measure).verdict(level)
    assert told.startswith("can be told" if level > ceiling else "is hidden")
