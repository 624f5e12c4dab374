"""In which forms an entity that was found once may stand elsewhere in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from withhold.detectors.common_words import is_ordinary
from withhold.detectors.company_forms import ABBREVIATIONS, PLACES, STOPS, table
from withhold.detectors.company_forms import PARTICLES as COMPANY_PARTICLES
from withhold.detectors.dictionary import is_word
from withhold.detectors.entities.linking import Entity
from withhold.detectors.entities.people import PARTICLES, Part, Person, called
from withhold.detectors.surfaces import HINT, LIKELY, Surface, letters, ordinary, stripped, surfaces
from withhold.text import WORD, fold

Role = Literal[
    "full name",
    "name in another order",
    "surname",
    "given name",
    "part of a name",
    "family",
    "handle",
    "initials",
    "abbreviation",
    "short form",
    "name",
    "repetition",
]

_INSTITUTIONS = table("""
    court tribunal prison police hospital university college school academy directorate ministry council commission
    committee party district department office prosecutor government parliament assembly municipality city town
    province region county regiment brigade army church mosque airport station union association federation institute
    agency authority bar chamber board clinic embassy
""")
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_LONGEST = 8
_MANY = 8
_SHORTEST_HANDLE = 4


@dataclass(frozen=True)
class Form:
    """What a sequence of words is to an entity. `weight` is how much of the sureness of the entity it keeps."""

    role: Role
    weight: float
    surface: Surface | None = field(default=None, repr=False)


@dataclass(slots=True, repr=False)
class Node:
    """Where one gets in the forms of all entities after some words: on to others, and to what the words are."""

    then: dict[str, Node] = field(default_factory=dict)
    forms: dict[Form, list[int]] = field(default_factory=dict)


class Forms:
    """The forms of many entities by their words, and their codes."""

    def __init__(self) -> None:
        self.root = Node()
        self.codes: dict[str, int] = {}
        self.distinctive: set[str] = set()
        """Words that are recognised though they are misspelt."""

    def add(self, number: int, entity: Entity) -> None:
        """Add all forms of an entity."""
        for words, form in _forms(entity):
            if entity.kind != "PERSON" and form.role != "abbreviation" and all(map(_says_nothing, words)):
                continue
            self._add(words, form, number)
            if len(words) == 1 or form.role == "full name":
                self.distinctive.update(word for word in words if form.role not in _NO_SPELLING)
        if entity.kind == "CODE":
            for code in entity.texts:
                if len(code) >= _LONGEST // 2 and any(map(str.isdigit, code)):
                    self.codes.setdefault(code, number)

    def _add(self, words: Sequence[str], form: Form, number: int) -> None:
        node = self.root
        for word in words:
            node = node.then.setdefault(word, Node())
        same = node.forms.setdefault(form, [])
        if number not in same[-1:]:
            same.append(number)


_NO_SPELLING = frozenset({"handle", "initials", "abbreviation", "repetition", "family"})

Worded = tuple[tuple[str, ...], Form]


def _says_nothing(word: str) -> bool:
    return len(word) < 2 or word in STOPS or word in COMPANY_PARTICLES


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as the search compares them."""
    return tuple(word.casefold() for word in WORD.findall(fold(text, keep_case=True).text))


def _forms(entity: Entity) -> Iterator[Worded]:
    if entity.kind == "PERSON":
        for name in entity.people:
            yield from _person(name)
        for text in _few(entity.texts.values()) if any(name.is_full for name in entity.people) else ():
            if len(words := words_of(text)) > 1 and text.count("\n") == text.count("@") == 0:
                yield words, Form("name in another order", 0.97)
    elif entity.kind == "ORG":
        for text in _few(entity.texts.values()):
            yield from _organisation(text, entity.small)
    elif entity.kind in ("LOC", "MISC"):
        for text in _few(entity.texts.values()):
            yield words_of(text), Form("name", 0.97)
    elif entity.kind in ("DATETIME", "QUANTITY"):
        for text in _few(entity.texts.values()):
            words = words_of(text)
            if len(words) > 1 or (words and words[0].isdigit() and len(words[0]) > 3):
                yield words, Form("repetition", 0.95)
    for text in sorted(filter(_is_name, entity.short_names)):
        yield words_of(text), Form("short form", 0.9, Surface(text, "short name", 0.9, proper=ordinary(text)))
    for short in sorted(entity.abbreviations):
        yield from _capitals(short, 0.9)


def _is_name(phrase: str) -> bool:
    """Whether a phrase that a text gives as a short name is one, and not a role such as "the applicant"."""
    return phrase[:1].isupper() and not all(map(is_word, words_of(phrase)))


def _few(texts: Iterable[str]) -> list[str]:
    """Those that tell most, if there are many."""
    texts = [text for text in texts if WORD.search(text)]
    return sorted(texts, key=lambda text: (-len(text), text))[:_MANY]


def _person(name: Person) -> Iterator[Worded]:
    first = next((part for part in name.given if len("".join(part)) > 1), None)
    surname = tuple(word for part in name.surname for word in part)
    if name.is_full:
        yield name.words, Form("full name", 0.99)
        yield (*surname, *(word for part in name.given for word in part)), Form("name in another order", 0.95)
        for given in [first, *((short,) for short in sorted(called("".join(first))))] if first else ():
            yield (*given, *surname), Form("full name", 0.99)
            yield (*surname, *given), Form("name in another order", 0.95)
            if len(surname) > 1:
                yield (*given, "".join(surname)), Form("full name", 0.99)
        yield from _handles(name, first)
        yield from _initials(name)
    yield from _alone(surname, name.surname[-1], Form("surname" if name.is_full else "name", 0.9))
    for short in sorted(called("".join(first))) if first else ():
        yield (short,), Form("given name", 0.75)
    for part in name.given:
        if part is not first and len(part) == 1 and (part[0] in PARTICLES or _says_nothing(part[0])):
            continue
        yield from _alone(part, part, Form("given name" if part is first else "part of a name", 0.85))


def _alone(words: Part, last: Part, form: Form) -> Iterator[Worded]:
    """A part of a name by itself, with and without its particles, as a family's, and the halves around a hyphen."""
    if len("".join(words)) < 2:
        return
    yield words, form
    yield last, form
    if form.role in ("surname", "name"):
        yield (*last[:-1], last[-1] + ("es" if last[-1].endswith(("s", "x", "z")) else "s")), Form("family", 0.7)
    for word in last if len(last) > 1 else ():
        if len(word) > 2 and word not in PARTICLES:
            yield (word,), Form("part of a name", 0.8)
    if len(words) > 1:
        yield ("".join(words),), form


def _handles(name: Person, first: Part | None) -> Iterator[Worded]:
    surname = tuple(word for part in name.surname for word in part)
    families = {
        "".join(name.family),
        "".join(surname),
        *(word for word in name.family if len(word) >= _SHORTEST_HANDLE),
    }
    initials = "".join(word[0] for part in name.given for word in part)
    given = "".join(first) if first else ""
    for family in families:
        made = {initials[0] + family, family + initials[0], initials + family, family + initials}
        if given:
            made |= {given + family, family + given, given + family[0]}
        yield from (((handle,), Form("handle", 0.85)) for handle in made if len(handle) >= _SHORTEST_HANDLE)


def _initials(name: Person) -> Iterator[Worded]:
    letters = tuple(part[0][0] for part in (*name.given, *name.surname[-1:]))
    if 2 <= len(letters) <= 5:
        yield letters, Form("initials", 0.7)
        yield ("".join(letters),), Form("initials", 0.7)
    if len(letters) > 2:
        yield (letters[0], letters[-1]), Form("initials", 0.7)


@lru_cache(maxsize=4096)
def _organisation(text: str, small: bool) -> tuple[Worded, ...]:
    """The forms of an organisation; many documents name the same ones."""
    return (*_shortened(text, small), *_tails(text))


def _tails(text: str) -> Iterator[Worded]:
    """The name of an institution without its place, which may be another one: "the Social Court" of Hamburg."""
    words = words_of(_BRACKETS.sub(" ", text))
    own = next((number for number, word in enumerate(words) if is_word(word) and word not in PLACES), 0)
    rest = words[own:]
    if own and len(rest) > 1 and rest[-1] in _INSTITUTIONS:
        surface = Surface(" ".join(rest), "short name", HINT, proper=True)
        yield rest, Form("short form", HINT, surface)


def _shortened(text: str, small: bool) -> Iterator[Worded]:
    base, core = stripped(text)
    shortened = len(words_of(" ".join(core))) < len(words_of(text))
    for surface in surfaces(text, "name"):
        words = words_of(surface.text)
        ordinary = all(map(is_word, words))
        whole = surface.text in (text, " ".join(base), " ".join(core))
        if not words or (not whole and (ordinary or (len(words) == 1 and _is_institution(core)))):
            continue
        if surface.score < HINT or (surface.score == HINT and not shortened):
            continue
        score = max(surface.score, LIKELY)
        proper = surface.proper or (ordinary and not small)
        role: Role = "name" if whole else "short form"
        yield words, Form(role, min(score, 0.97), replace(surface, score=score, proper=proper))
    for each in letters(text, "name"):
        if each.kind != "ticker" and each.score >= LIKELY:
            yield from _capitals(each.text, each.score)


def _is_institution(core: Sequence[str]) -> bool:
    """Whether a name is what many places have, so that one word of it is likely the place."""
    return any(word in _INSTITUTIONS for word in words_of(" ".join(core)))


def _capitals(short: str, weight: float) -> Iterator[Worded]:
    words = words_of(short)
    form = Form("abbreviation", weight)
    if len("".join(words)) < 2 or (
        weight < LIKELY and (is_ordinary("".join(words)) or "".join(words) in ABBREVIATIONS)
    ):
        return
    yield words, form
    if len(words) == 1 and 2 <= len(words[0]) <= _LONGEST and words[0].isalpha():
        yield tuple(words[0]), form
