"""Which findings are of one entity, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from withhold.detectors.company_forms import compact
from withhold.detectors.definitions import acronym, defined
from withhold.detectors.entities.overlaps import ASKED_FOR
from withhold.detectors.entities.people import Gender, Part, Person, compatible, person, same_given
from withhold.detectors.surfaces import Letters, stripped
from withhold.labels import kind
from withhold.spans import Span
from withhold.text import WORD, fold
from withhold.types import Finding

OWN = frozenset({"patterns", "tagger"})
"""Detectors of ours that leave it to us which findings are of one entity."""

_DEFINED = frozenset({"PERSON", "ORG", "LOC", "MISC"})
_MANY, _FEW = 500, 4


@dataclass(repr=False)
class Entity:
    """Something that is found in a text: its best finding, and all ways in which it is written where it was found."""

    kind: str
    best: Finding
    texts: dict[str, str] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)
    gender: Gender | None = None
    small: bool = False
    abbreviations: set[str] = field(default_factory=set)
    short_names: set[str] = field(default_factory=set)
    last: int = -1

    def add(self, finding: Finding, text: str) -> None:
        """Take note of one more place where it was found."""
        written = finding.span.of(text)
        self.texts.setdefault(key_of(self.kind, written), written)
        self.small = self.small or written.islower()
        if finding.score > self.best.score:
            self.best = finding


@lru_cache(maxsize=8192)
def key_of(named: str, written: str) -> str:
    """The form in which two ways of writing one thing of a kind are the same."""
    folded = fold(written).text
    words = WORD.findall(folded)
    if named == "ORG":
        return compact(" ".join(stripped(written)[1])) or "".join(words)
    return "".join(words) if named == "CODE" else " ".join(words) or "".join(folded.split())


class Links:
    """The entities of some findings. Findings of people whose name does not tell whose it is are left open."""

    def __init__(self, text: str, findings: Sequence[Finding], by_name: Sequence[bool]) -> None:
        """`by_name` says of each finding whether its name counts, or only what its detector says."""
        self.text = text
        self.entities: list[Entity] = []
        self.by_part: dict[Part, list[int]] = {}
        self.of: list[int | None] = [None] * len(findings)
        self.open: dict[int, Person] = {}
        self._by_key: dict[tuple[str, ...], int] = {}
        self._by_name: dict[Part, list[int]] = {}
        self._latest: dict[str, int] = {}
        named: list[tuple[int, Finding]] = []
        for index, finding in enumerate(findings):
            if by_name[index]:
                named.append((index, finding))
            else:
                self.of[index] = self._keyed((finding.label, *_said(finding, text)), finding, kind(finding.label))
        self._link_people([each for each in named if kind(each[1].label) == "PERSON"])
        for index, finding in named:
            if kind(finding.label) != "PERSON":
                what = kind(finding.label)
                self.of[index] = self._keyed((what, "", key_of(what, finding.span.of(text))), finding, what)
        self._define(named)

    def choose(
        self, candidates: Sequence[int], at: int, word: str, gender: Gender | None = None, given: Part = ()
    ) -> int | None:
        """Of several entities that a name with this word may be of, the one that fits and was named last; then it is
        again.
        """
        recent = self._latest.get(word, -1)
        if recent in candidates and self._fits(self.entities[recent], gender, given):
            chosen = recent
        else:
            fitting = [each for each in candidates[-_MANY:] if self._fits(self.entities[each], gender, given)]
            if not fitting:
                return None
            chosen = max(fitting, key=lambda each: (self.entities[each].last, -each))
        self.seen(chosen, at)
        return chosen

    def seen(self, entity: int, at: int) -> None:
        """Take note that an entity is named at a place, the last so far."""
        self.entities[entity].last = max(self.entities[entity].last, at)
        for name in self.entities[entity].people[:_FEW]:
            self._latest.update((word, entity) for word in name.words)

    def candidates(self, name: Person) -> list[int]:
        """The entities that a name, in full or in part, may be of."""
        if name.is_full:
            found = dict.fromkeys(each for key in _keys(name) for each in self._by_name.get(key, ()))
            several = list(found)[-_MANY:]
            return [each for each in several if any(compatible(name, other) for other in self.entities[each].people)]
        return self.by_part.get(name.surname[-1], [])

    def another(self, name: Person, like: int) -> int:
        """The entity of a person who shares a name with another one, but is not that one."""
        key = ("PERSON", "other", *name.words)
        if key not in self._by_key:
            self._by_key[key] = len(self.entities)
            self.entities.append(Entity("PERSON", self.entities[like].best, people=[name], gender=name.gender))
        return self._by_key[key]

    def _fits(self, entity: Entity, gender: Gender | None, given: Part) -> bool:
        if gender and entity.gender and gender != entity.gender:
            return False
        return not given or any(not each.given or same_given(given, each.given[0]) for each in entity.people)

    def _keyed(self, key: tuple[str, ...], finding: Finding, what: str) -> int:
        entity = self._by_key.setdefault(key, len(self.entities))
        if entity == len(self.entities):
            self.entities.append(Entity(what, finding))
        self.entities[entity].add(finding, self.text)
        return entity

    def _link_people(self, named: Sequence[tuple[int, Finding]]) -> None:
        names = {index: person(finding.span.of(self.text)) for index, finding in named}
        findings = dict(named)
        full = [index for index, name in names.items() if name is not None and name.is_full]
        for index in sorted(full, key=lambda each: (-_weight(names[each]), each)):
            self._link_full(index, findings[index], names[index])
        self._index_parts()
        for index, name in names.items():
            if name is None:
                key = ("PERSON", "", fold(findings[index].span.of(self.text)).text)
                self.of[index] = self._keyed(key, findings[index], "PERSON")
            elif not name.is_full:
                self._link_part(index, findings[index], name)
        self._index_parts()

    def _link_full(self, index: int, finding: Finding, name: Person | None) -> None:
        assert name is not None
        key = ("PERSON", name.gender or "", *name.words)
        if key not in self._by_key:
            fitting = self.candidates(name)
            if len(fitting) > 1:
                self.open[index] = name
                return
            if fitting:
                self._by_key[key] = fitting[0]
        entity = self.of[index] = self._keyed(key, finding, "PERSON")
        self._know(entity, name)

    def _know(self, entity: int, name: Person) -> None:
        known = self.entities[entity]
        known.gender = known.gender or name.gender
        if len(known.people) < _MANY and name not in known.people:
            known.people.append(name)
            for key in _keys(name) if name.is_full else ():
                if entity not in (same := self._by_name.setdefault(key, []))[-1:]:
                    same.append(entity)

    def _link_part(self, index: int, finding: Finding, name: Person) -> None:
        """A surname or given name alone: of the one entity that has it, of one of several, or of a new one."""
        candidates = self.by_part.get(name.surname[-1], [])
        fitting = [each for each in candidates if self._fits(self.entities[each], name.gender, ())]
        if len(fitting) == 1 or (fitting and finding.detector not in ASKED_FOR):
            self.open[index] = name
            return
        key = ("PERSON", name.gender or "", *name.words)
        entity = self.of[index] = self._keyed(key, finding, "PERSON")
        self._know(entity, name)

    def _index_parts(self) -> None:
        self.by_part.clear()
        for number, entity in enumerate(self.entities):
            for part in {part for name in entity.people for part in _parts(name)}:
                self.by_part.setdefault(part, []).append(number)

    def _define(self, named: Sequence[tuple[int, Finding]]) -> None:
        """Take note of what the text says it will call things; what is only called that is the same thing."""
        said: dict[tuple[str, str], int] = {}
        for index, finding in named:
            number = self.of[index]
            if number is None or kind(finding.label) not in _DEFINED:
                continue
            entity = self.entities[number]
            bracket = finding.span.of(self.text).find("(")
            span = finding.span if bracket < 1 else Span(finding.span.start, finding.span.start + bracket)
            for each in defined(self.text, span, ""):
                (entity.abbreviations if isinstance(each, Letters) else entity.short_names).add(each.text)
            if entity.kind != "PERSON" and (capitals := acronym(self.text, span)):
                entity.abbreviations.add(capitals)
            said.update({(entity.kind, compact(short)): number for short in entity.abbreviations})
        for index, finding in named:
            number = self.of[index]
            if number is not None and (what := self.entities[number].kind) != "PERSON":
                self.of[index] = said.get((what, compact(finding.span.of(self.text))), number)


def _keys(name: Person) -> tuple[Part, Part]:
    """What names of one person have in common: surname and first initial, or their first two words."""
    return (*name.family, name.given[0][0][0]), ("", *name.words[:2])


def _weight(name: Person | None) -> int:
    return sum(len(word) for word in name.words) if name else 0


def _parts(name: Person) -> Iterator[Part]:
    """The parts of a name that can stand for it alone."""
    for part in name.parts:
        if len("".join(part)) > 1:
            yield part
            yield from ((word,) for word in part if len(part) > 1 and len(word) > 2)


def _said(finding: Finding, text: str) -> tuple[str, str]:
    """What tells findings of a detector that are of one entity from others: what it says, or else their words."""
    if finding.entity is not None and finding.detector not in OWN:
        return f"said by {finding.detector}", str(finding.entity)
    return f"found by {finding.detector}", "".join(fold(finding.span.of(text)).text.split())
