"""The operator that writes more general words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Policy, Span
from withhold.contracts import Operator
from withhold.errors import PlanError
from withhold.operators.generalise import Generalise
from withhold.types import Edit

WORDS = st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=12)


def write(removed: str, replacement: str | None) -> str:
    return Generalise().replace([Edit(Span(0, 1), "generalise", replacement=replacement)], [removed])[0]


@pytest.mark.parametrize(
    ("removed", "replacement", "written"),
    [
        ("trawler", "boat", "boat"),
        ("Trawlers", "boats", "Boats"),
        ("TRAWLERS", "boats", "BOATS"),
        ("car", "motor vehicle", "motor vehicle"),
        ("Car", "motor vehicle", "Motor vehicle"),
        ("Paris", "Île-de-France", "Île-de-France"),
        ("PARIS", "Île-de-France", "ÎLE-DE-FRANCE"),
        ("paris", "Île-de-France", "Île-de-France"),
        ("iPhone", "telephone", "telephone"),
        ("“Trawler", "boat", "Boat"),
        ("3M", "company", "COMPANY"),
        ("42", "number", "number"),
        ("日本", "Asia", "Asia"),
    ],
)
def test_capitals_follow_what_goes(removed: str, replacement: str, written: str) -> None:
    assert write(removed, replacement) == written


@pytest.mark.parametrize("replacement", [None, "", "  "])
def test_nothing_to_write_is_an_error(replacement: str | None) -> None:
    with pytest.raises(PlanError):
        write("trawler", replacement)


@given(WORDS, WORDS)
def test_only_the_capitals_of_what_goes_show(removed: str, replacement: str) -> None:
    written = write(removed, replacement)
    assert written in {replacement, replacement[0].upper() + replacement[1:], replacement.upper()}
    shape = [removed[:1].isupper(), removed.upper() == removed]
    stand_in = "XXXX" if all(shape) else "Xxxx" if shape[0] else "xxxx"
    if removed[0].isalpha() and removed.isascii():
        assert written == write(stand_in, replacement)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=5))
def test_each_edit_is_written_on_its_own(pairs: list[tuple[str, str]]) -> None:
    edits = [Edit(Span(n, n + 1), "generalise", replacement=given) for n, (_, given) in enumerate(pairs)]
    together = Generalise().replace(edits, [removed for removed, _ in pairs])
    assert together == [write(removed, given) for removed, given in pairs]


def test_it_keeps_its_contract() -> None:
    assert isinstance(Generalise.from_policy(Policy()), Operator)
