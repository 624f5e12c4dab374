"""The search for what should be gone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold import Block, Document, Span
from withhold.formats.blocks import Changes
from withhold.formats.residue import Names, Needle, needles, search
from withhold.text import Strings
from withhold.types import Passage, Replacement


def residues(passage: Passage, *texts: str) -> list[str]:
    return [residue.check for residue in search([passage], [Needle(text, 0) for text in texts])]


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("kwiatkowski", "LetterOfKwiatkowski", True),
        ("kwiatkowski", "of_kwiatkowski_2", True),
        ("liwu", "Letter of Li Wu", True),
        ("li", "LiHeading", True),
        ("ann", "annotation", False),
        ("li", "list", False),
        ("smith", "blacksmiths", True),
        ("kwiatkowski", "%4B%77%69%61%74%6Bowski", True),
        ("kwiatkowski", "\\u004bwiat\\u006bowski", True),
    ],
)
def test_names_that_tell(text: str, name: str, told: bool) -> None:
    assert Names([text]).told_by(name) is told


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", range(4))
def test_one_of_many_strings_is_found_in_bytes(codec: str, before: int) -> None:
    many = [f"{number:04}kowski" for number in range(200)]
    data = b"\1" * before + "01 77KOW\tski".encode(codec) + b"\xff"
    told = [Passage("first", kind="raw", data=b"0177" * 9), Passage("second", kind="raw", data=data)]
    found = list(search(told, [Needle(text, 0) for text in many]))
    assert [(residue.where, residue.check, residue.count) for residue in found] == [
        ("second", f"raw bytes as {codec}", 1)
    ]


@pytest.mark.parametrize("length", [0, 9_000, 30_000])
def test_many_strings_are_counted_as_one_by_one(length: int) -> None:
    words = [f"{'' if number % 3 else chr(0x1F600)}{number}ab"[: number % 7 + 1] for number in range(300)]
    text = "".join(words)[::-1] + "".join(words) + "x1ab" * (length // 4)
    counts = {word: sum(text.startswith(word, at) for at in range(len(text))) for word in set(words)}
    assert Strings(words).count(text) == {word: count for word, count in counts.items() if count}


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_bytes_are_searched_in_every_width(codec: str) -> None:
    data = b"\x00\x01" + "Kwiatkowski".encode(codec) + b"\xff"
    assert residues(Passage("image", kind="raw", data=data), "kwiatkowski")
    assert not residues(Passage("image", kind="raw", data=data), "nobody")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_spaces_hide_nothing_in_bytes(codec: str) -> None:
    data = b"\x00\x01" + "by Zbigniew\r\n Kwiatkowski,".encode(codec) + b"\xff"
    assert residues(Passage("image", kind="raw", data=data), "zbigniewkwiatkowski")


def test_what_was_kept_elsewhere_may_be_found_as_often() -> None:
    text = "Ann met Ann"
    document = Document(text, b"", "txt", (Block(Span(0, len(text))),))
    [needle] = needles(Changes(document, [Replacement(Span(0, 3), "#")]))
    assert needle.allowed == 1
    assert not list(search([Passage("text", "# met Ann")], [needle]))
    assert list(search([Passage("text", "# met Ann"), Passage("comment", "Ann")], [needle]))


def test_the_search_sees_through_disguises() -> None:
    assert residues(Passage("text", "K\u200bwiat  kow\nski"), "kwiatkowski")


@settings(max_examples=30)
@given(
    st.lists(st.text("abc", min_size=1, max_size=9), min_size=101, max_size=140, unique=True),
    st.text("abc", max_size=60),
)
def test_many_strings_are_counted_like_each_by_itself(strings: list[str], text: str) -> None:
    counted = Strings(strings).count(text)
    for string in strings:
        starts = [at for at in range(len(text)) if text.startswith(string, at)]
        assert counted[string] == len(starts)
