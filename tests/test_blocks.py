"""Edits in the coordinates of blocks, and the spaces that line up columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Block, Document, Find, Policy, Span, redact
from withhold.formats.blocks import Changes, level, localise, splice
from withhold.spans import disjoint
from withhold.types import Replacement

BLOCKS = (Block(Span(0, 4)), Block(Span(5, 9), atomic=True), Block(Span(10, 14)))


def test_a_replacement_shows_in_every_block_and_takes_an_atomic_block_whole() -> None:
    local = localise(BLOCKS, [Replacement(Span(2, 12), "X")])
    assert local == {
        0: [Replacement(Span(2, 4), "X")],
        1: [Replacement(Span(0, 4), "")],
        2: [Replacement(Span(0, 2), "X")],
    }


def test_what_only_an_atomic_block_holds_is_replaced_by_nothing() -> None:
    assert localise(BLOCKS, [Replacement(Span(6, 7), "X")]) == {1: [Replacement(Span(0, 4), "")]}


@given(st.text("ab \n", max_size=30), st.data())
def test_changes_are_what_splicing_each_block_gives(text: str, data: st.DataObject) -> None:
    ends = [0, *(at for at, letter in enumerate(text) if letter == "\n"), len(text)]
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    blocks = tuple(Block(Span(start, end)) for start, end in zip(starts, ends[1:], strict=True))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    replacements = [Replacement(Span(*pair), "#") for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    changes = Changes(Document(text, b"", "txt", blocks), replacements)
    kept = "".join(changes.edited).replace("#", "")
    expected = splice(text, [Replacement(each.span, "") for each in replacements]).replace("\n", "")
    assert kept == expected


NAMES = ["Ann", "Zbigniew Kwiatkowski", "Maximiliana Featherstonehaugh"]


@pytest.mark.parametrize(
    "line",
    [
        lambda name: f"{name:<32}100\n",
        lambda name: f"Total {name:>32} 100\n",
        lambda name: f"| {name:<30} | 100 |\n",
        lambda name: f"    {name} (indented)\n",
        lambda name: f"{name:<32}{name:<32}x\n",
    ],
)
def test_padding_does_not_tell_the_length(line: object) -> None:
    assert callable(line)
    outputs = {redact(line(name).encode(), Policy(find=(Find(terms=(name,)),))).document.text for name in NAMES}
    assert len(outputs) == 1


def test_indentation_and_single_spaces_stay() -> None:
    text = "    Ann went home.\n  Ann"
    found = [Replacement(Span(4, 7), "#"), Replacement(Span(21, 24), "#")]
    assert splice(text, level(text, found)) == "    # went home.\n  #"


@given(st.text("ab  \n", max_size=30), st.sets(st.integers(0, 30)))
def test_levelled_replacements_never_overlap(text: str, cuts: set[int]) -> None:
    """Whatever is replaced, spaces too, as a regular expression or an attack can ask for."""
    edges = sorted(cut for cut in cuts if cut <= len(text))
    spans = [Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=False)]
    levelled = level(text, [Replacement(span, "#") for span in spans])
    assert disjoint([each.span for each in levelled])
    assert all(span in each.span for span, each in zip(spans, levelled, strict=True))


def test_what_begins_with_spaces_is_removed_beside_something_else() -> None:
    policy = Policy(find=(Find(terms=("Acme",), patterns=(" +Bob",)),))
    assert redact(b"Name: Acme    Bob came.", policy, name="a.txt").document.text == "Name: [REDACTED][REDACTED] came."
