"""What a file hides from whoever looks at it, though its text may stand among the rest here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Note
from withhold.attacks.hidden import HiddenAttack
from withhold.errors import DocumentError

if TYPE_CHECKING:
    from withhold.policy import Policy
    from withhold.types import Document, Hidden


def unseen(document: Document, policy: Policy) -> Iterator[Note]:
    """A note for each kind of hidden thing that could tell, with how many there are and where."""
    try:
        found = HiddenAttack(policy).found(document)
    except DocumentError:
        yield Note("what the file hides: nobody can look into it")
        return
    for each in found:
        yield Note(
            f"hidden in the file, {_where(each, document)}: {each.kind}: {each.count}. Look at it before a release"
        )


def _where(hidden: Hidden, document: Document) -> str:
    """The place that the format names, and the paragraphs that alone have the text."""
    texts = [block.span.of(document.text) for block in document.blocks]
    numbers = set[int]()
    for said in filter(None, map(str.strip, hidden.text.split(" | "))):
        places = [number for number, text in enumerate(texts, 1) if said in text]
        numbers.update(places if len(places) == 1 else ())
    if not numbers:
        return hidden.where
    return f"{hidden.where}, paragraph {', '.join(map(str, sorted(numbers)))}"
