"""Operators: what stands in place, and the way back for whoever holds the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from withhold import Policy, SecretKeyError, Span, redact
from withhold.errors import OutputError, PlanError
from withhold.operators.mask import Mask
from withhold.operators.pseudonymise import Pseudonymise, load_key, make_key, unseal
from withhold.operators.replace import Replace
from withhold.operators.suppress import Suppress
from withhold.policy import Find, Operators
from withhold.types import Edit

KEY = bytes(range(64))


def edits(*labels: str, entities: list[int] | None = None) -> list[Edit]:
    return [
        Edit(Span(n, n + 1), "x", label, entity=entities[n] if entities else None) for n, label in enumerate(labels)
    ]


def test_suppress_says_the_same_of_everything() -> None:
    texts = ["A", "a very long name indeed"]
    assert Suppress().replace(edits("PERSON", "ORG"), texts) == ["[REDACTED]", "[REDACTED]"]


def test_mask_numbers_by_first_appearance_within_a_label() -> None:
    texts = ["Ada", "ACME", "Grace", "ADA"]
    assert Mask().replace(edits("PERSON", "ORG", "PERSON", "PERSON"), texts) == [
        "[PERSON 1]",
        "[ORG 1]",
        "[PERSON 2]",
        "[PERSON 1]",
    ]


def test_an_entity_of_the_plan_counts_before_its_words() -> None:
    texts = ["Ada Byron", "Byron"]
    assert Mask().replace(edits("PERSON", "PERSON", entities=[7, 7]), texts) == ["[PERSON 1]", "[PERSON 1]"]


def test_replace_writes_what_it_is_given() -> None:
    edit = Edit(Span(0, 1), "replace", replacement="a retailer")
    assert Replace().replace([edit], ["Carrefour"]) == ["a retailer"]
    with pytest.raises(PlanError):
        Replace().replace(edits("ORG"), ["x"])


def test_pseudonyms_without_a_key_are_letters() -> None:
    names = [f"name {n}" for n in range(28)]
    written = Pseudonymise().replace(edits(*["PERSON"] * 28), names)
    assert [written[0], written[25], written[26], written[27]] == ["Person A", "Person Z", "Person AA", "Person AB"]
    assert Pseudonymise().ledger(edits("PERSON"), ["x"]) is None


def test_pseudonyms_with_a_key_are_the_same_everywhere_and_of_one_length() -> None:
    operator = Pseudonymise(KEY)
    one = operator.replace(edits("PERSON", "PERSON"), ["Ada Byron", "Grace"])
    other = operator.replace(edits("PERSON"), ["ADA  BYRON"])
    assert one[0] == other[0] != one[1]
    assert len({len(code) for code in one}) == 1
    assert Pseudonymise(KEY[::-1]).replace(edits("PERSON"), ["Ada Byron"]) != other


def test_the_ledger_leads_back_with_the_key_and_only_with_it() -> None:
    operator = Pseudonymise(KEY)
    asked, texts = edits("PERSON", "ORG"), ["Ada Byron", "ACME"]
    ledger = operator.ledger(asked, texts)
    assert ledger is not None
    assert b"Ada" not in ledger.sealed
    assert unseal(ledger, KEY) == dict(zip(operator.replace(asked, texts), texts, strict=True))
    with pytest.raises(SecretKeyError):
        unseal(ledger, KEY[::-1])


def test_keys_are_private_and_never_overwritten(tmp_path: Path) -> None:
    path = make_key(tmp_path / "a.key")
    assert path.stat().st_mode & 0o077 == 0
    assert len(load_key(path)) == 64
    with pytest.raises(OutputError):
        make_key(path)


@pytest.mark.parametrize("content", [b"", b"short", b"!!!", b"QUJD\n"])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.key"
    path.write_bytes(content)
    with pytest.raises(SecretKeyError):
        load_key(path)


def test_a_replacement_given_with_the_terms_is_used() -> None:
    policy = Policy(
        find=(Find(label="ORG", terms=("Carrefour",), replacement="a retailer"), Find(label="PERSON", terms=("Ada",))),
        operators=Operators(labels={"PERSON": "mask"}),
    )
    assert redact(b"Ada left Carrefour.", policy).document.text == "[PERSON 1] left a retailer."
