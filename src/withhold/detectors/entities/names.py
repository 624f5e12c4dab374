"""By which names the entities of a document are known in other documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from withhold.codec import Value
from withhold.detectors.entities.linking import key_of
from withhold.detectors.entities.people import Person, person
from withhold.labels import kind
from withhold.types import Edit


@dataclass(frozen=True, slots=True)
class Named(Value):
    """An entity that a document calls by a name, and by less telling ones, all folded."""

    label: str
    entity: int
    name: str = field(repr=False)
    shorter: tuple[str, ...] = field(default=(), repr=False)


def named(edits: Sequence[Edit], texts: Sequence[str]) -> list[Named]:
    """The entities that edits remove, by first appearance, with their names. Edits without an entity are left out."""
    written: dict[tuple[str, int], dict[str, None]] = {}
    for edit, text in zip(edits, texts, strict=True):
        if edit.entity is not None:
            written.setdefault((edit.label, edit.entity), {})[text] = None
    return [Named(label, entity, *_names(kind(label), several)) for (label, entity), several in written.items()]


def _names(named_kind: str, texts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    if named_kind == "PERSON":
        people = [name for name in map(person, texts) if name is not None]
        if people:
            return _of_person(max(people, key=_telling))
    keys = sorted({key_of(named_kind, text) for text in texts}, key=specific, reverse=True)
    return keys[0], tuple(keys[1:])


def specific(name: str) -> tuple[int, int, str]:
    """What sorts names by how much they tell."""
    return len(name.split()), len(name), name


def _telling(name: Person) -> tuple[int, int, tuple[str, ...]]:
    known = [part for part in name.given if len("".join(part)) > 1]
    return len(known), sum(map(len, name.words)), name.words


def _of_person(name: Person) -> tuple[str, tuple[str, ...]]:
    family = " ".join(name.family)
    if not name.is_full:
        return family, ()
    given = [" ".join(part) for part in name.given]
    shorter = dict.fromkeys([f"{given[0]} {family}", f"{given[0][0]} {family}", family])
    full = " ".join([*given, family])
    return full, tuple(each for each in shorter if each != full)
