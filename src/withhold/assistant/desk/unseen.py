"""What a file hides from whoever looks at it, though the same words may stand among the rest here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Note
from withhold.attacks.hidden import HiddenAttack
from withhold.errors import DocumentError

if TYPE_CHECKING:
    from withhold.policy import Policy
    from withhold.types import Document, Hidden

_PROPERTY = "property "


def unseen(document: Document, policy: Policy) -> Iterator[Note]:
    """What is hidden and could tell: a note for each kind whose words stand in the text as well, with where, and one
    for all that do not.
    """
    try:
        found = HiddenAttack(policy).found(document)
    except DocumentError:
        yield Note("what the file hides: nobody can look into it")
        return
    apart: list[Hidden] = []
    for each in found:
        if numbers := _paragraphs(each, document):
            said = f"{_counted(each.kind, each.count)} in the file, whose reader may not see it"
            yield Note(f"{said}: the same words stand in the text here, paragraph {', '.join(map(str, numbers))}")
        else:
            apart.append(each)
    if apart:
        said = f"the file has more than its reader sees: {_listed(apart)}"
        yield Note(f"{said}. A release drops that or says what it keeps")


def _paragraphs(hidden: Hidden, document: Document) -> list[int]:
    """The paragraphs that alone have a hidden text. Properties repeat what is visible more often than not."""
    if hidden.kind.startswith(_PROPERTY):
        return []
    texts = [block.span.of(document.text) for block in document.blocks]
    numbers: set[int] = set()
    for said in filter(None, map(str.strip, hidden.text.split(" | "))):
        places = [number for number, text in enumerate(texts, 1) if said in text]
        numbers.update(places if len(places) == 1 else ())
    return sorted(numbers)


def _listed(several: Iterable[Hidden]) -> str:
    """The kinds of hidden things, properties together."""
    counts: Counter[str] = Counter()
    names: list[str] = []
    for each in several:
        if each.kind.startswith(_PROPERTY):
            names.append(each.kind.removeprefix(_PROPERTY))
        else:
            counts[each.kind] += each.count
    properties = [f"properties ({', '.join(dict.fromkeys(names))})"] if names else []
    return ", ".join(properties + [_counted(kind, count) for kind, count in counts.items()])


def _counted(kind: str, count: int) -> str:
    return f"{kind}: {count}"
