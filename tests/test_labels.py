"""Labels, kinds, and what others call them."""

from __future__ import annotations

import pytest

from withhold.labels import KINDS, LABELS, chosen, identifier, kind, known_as


def test_every_label_has_a_kind_of_the_eight() -> None:
    assert {each.kind for each in LABELS.values()} == set(KINDS)
    assert all(LABELS[name].kind == name for name in KINDS)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("PER", "PERSON"),
        ("gpe", "LOC"),
        ("EMAIL_ADDRESS", "EMAIL"),
        ("creative-work", "MISC"),
        ("Street Address", "ADDRESS"),
        ("UK_PASSPORT", "PASSPORT"),
        ("US_SSN", "SSN"),
        ("PERSON", "PERSON"),
        ("my_own", "MY_OWN"),
    ],
)
def test_others_names(theirs: str, ours: str) -> None:
    assert known_as(theirs) == ours


def test_kinds_and_identifiers() -> None:
    assert (kind("IBAN"), kind("GPE"), kind("my_own")) == ("CODE", "LOC", "MY_OWN")
    assert (identifier("PERSON"), identifier("DATE"), identifier("my_own")) == ("direct", "quasi", None)


def test_choosing() -> None:
    assert chosen(["all"]) == set(LABELS)
    assert chosen(["direct"]) | chosen(["quasi"]) == set(LABELS)
    assert {"EMAIL", "CODE"} <= chosen(["CODE"]) - {"DATE"}
    assert chosen(["DATE", "AGE"]) == {"DATE", "AGE"}
    assert chosen([]) == set()
    with pytest.raises(ValueError, match="NOBODY"):
        chosen(["NOBODY"])
