"""Everything that could stand in place of a span: from all taxonomies of the policy, and names that stand in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from withhold import plugins
from withhold.assistant.slots import Slot, fit
from withhold.codec import Value
from withhold.learners.features import words
from withhold.spans import Span
from withhold.taxonomies.dates import part_of_decade
from withhold.taxonomies.english import article
from withhold.taxonomies.kinds import read_kinds
from withhold.taxonomies.tables import DATA, as_key

if TYPE_CHECKING:
    from withhold.contracts import Taxonomy
    from withhold.policy import Policy

NAMES = "names"
STAND_INS = "stand-ins"

_PLAYED = re.compile(
    r"\b(?:(?:roles?|parts?|portrayals?|voices?|performances?|stars?|starr(?:ed|ing)|appear\w*|debut|character|cast)"
    r" (?:as|of|named|called)|portray(?:s|ed|ing)?|play(?:s|ed|ing)?|voic(?:es|ed|ing)|as|characters?)"
    r" (?:(?:the|a|an|title|titular|lead|character|\w+er) )*[\"“]?$",
    re.I,
)
_ROLES = re.compile(r"\b(?:roles?|parts?|portray\w*|play(?:s|ed|ing)|voic(?:ed|ing)|characters?)\b", re.I)
_IN_WORK = re.compile(r" (?:in|on) (?:the )?[A-Z0-9]")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_RUN = re.compile(r"[A-Z0-9][\w'’.!&-]*(?:[ :]+(?:(?:of|the|and|in|a|for|to|with|on|at) )*[A-Z0-9][\w'’.!&-]*)*")
_IS = re.compile(r"\b(?:is|was) (?:an?|the) (?P<what>[^.;()]{3,120})")
_KNOWN_AS = re.compile(r"\b(?:known|credited|billed|professionally|nicknamed|called)\b[^.;,]{0,25}$")
_CATEGORY = re.compile(r"(?:Best|Outstanding|Favorite|Favourite) ")
_ROLE_IN = re.compile(r"[A-Z][\w.'’ -]* in (?:the )?[A-Z0-9]")
_ACTED = re.compile(r"\b(?:Act(?:or|ress|ing)|Performance|Direct(?:or|ion|ing)|Screenplay|Writing|Newcomer)\b")
_DATED = re.compile(r"\((?:both |all )?(?:1[89]|20)\d\d[^()]*\)$")
_SECOND_YEAR = re.compile(r"\b(?P<century>1[89]|20)\d\d[–—-](?P<year>\d\d)$")
_PEOPLE = "performer|artist|entertainer|athlete|competitor|professional|public figure|worker|writer|creative person"
_PERSONS = frozenset(_PEOPLE.split("|"))
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Candidate(Value):
    """Words that fit in place of a span. `step` is how far from what they replace, from 1."""

    span: Span
    text: str = field(repr=False)
    kind: str
    step: int


def taxonomies(policy: Policy) -> dict[str, Taxonomy]:
    """The taxonomies of the policy, and other names for people, by name."""
    named = dict.fromkeys([*policy.components.taxonomies, NAMES])
    return {name: plugins.load("taxonomies", name).from_policy(policy) for name in named}


def candidates(slot: Slot, known: dict[str, Taxonomy], avoid: Collection[str] = ()) -> list[Candidate]:
    """What fits in place of the slot, each once, the nearest of each kind first.

    Nothing says what it replaces, and nothing has a word that is to be avoided: a name of the secret, or one that was
    removed elsewhere.
    """
    found: dict[str, Candidate] = {}
    own, banned = {word for word in words(slot.written) if len(word) > 1}, set(avoid)
    key = as_key(slot.written)
    for kind, step, offer in _offers(slot, known):
        fitted = fit(slot, offer, kind)
        if fitted is None:
            continue
        span, text = fitted
        written = words(text)
        if as_key(text) == key or as_key(text) == as_key(span.of(slot.text)) or not written:
            continue
        if banned.intersection(written) or (kind in (NAMES, STAND_INS) and own.intersection(written)):
            continue
        found.setdefault(text.lower(), Candidate(span, text, kind, step))
    return list(found.values())


def _offers(slot: Slot, known: dict[str, Taxonomy]) -> Iterator[tuple[str, int, str]]:
    """Kind, step and words of what the taxonomies offer, and of what can stand for a name."""
    if slot.is_nickname:
        offered = known[NAMES].generalise(slot.written, tuple(words(slot.text)))
        yield from ((NAMES, step, offer) for step, offer in enumerate(offered, 1))
        return
    person = _is_person(slot)
    general = list(_general(slot, known, person=person))
    yield from general
    if any(kind in ("own", "dates", "numbers") for kind, _, _ in general):
        return
    if person and not general:
        yield from _for_person(slot, known[NAMES], tuple(words(slot.text)))
    elif not person and slot.is_named and not slot.describes and not slot.is_owned:
        yield from _for_name(slot, known, {kind for kind, _, _ in general})


def _general(slot: Slot, known: dict[str, Taxonomy], *, person: bool) -> Iterator[tuple[str, int, str]]:
    phrase, context = slot.written, tuple(words(slot.text))
    if found := _SECOND_YEAR.search(slot.before + slot.written):
        phrase = found["century"] + found["year"]
    if _is_category(slot) and re.search(r"\bfor $", slot.before):
        yield "kinds", 1, "acting" if re.search(r"act|perform|male", phrase, re.I) else "work"
    some = False
    for name, asked in _asked(slot, known, person=person):
        if name == "hypernyms" and some:
            continue
        offered = known[name].generalise(asked or phrase, _around(slot) if name == "works" else context)
        if name == "places":
            offered = _elsewhere(slot, known[name], offered)
        yield from ((name, step, offer) for step, offer in enumerate(offered, 1))
        some = some or bool(offered)
        if offered and (name in ("own", "dates") or (name in ("works", "kinds", "places") and slot.is_named)):
            return


def _elsewhere(slot: Slot, places: Taxonomy, offered: tuple[str, ...]) -> tuple[str, ...]:
    """What a place is in, without a region that the text contradicts: Kentwood, Louisiana is not in Michigan."""
    found = re.match(r", ([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)", slot.after)
    above = places.generalise(as_key(found[1]), (as_key(found[1]),)) if found else ()
    if found is None or not above or as_key(found[1]) in map(as_key, offered):
        return offered
    return tuple(each for each in offered if each in above)


def _asked(slot: Slot, known: dict[str, Taxonomy], *, person: bool) -> Iterator[tuple[str, str]]:
    """The taxonomies to ask, in order, and about which words, where it is not those of the slot as they are written."""
    dated = bool(_DATED.search(slot.written))
    order = [name for name in known if name != NAMES]
    if dated or slot.is_quoted or _is_called_work(slot):
        order.sort(key=lambda name: name != "works")
    for name in order:
        if person and name not in ("own", "kinds"):
            continue
        if name == "hypernyms":
            if slot.part in ("NOUN", "") and not slot.is_named and " " not in slot.written:
                yield name, slot.written.lower()
        elif name == "phrases":
            if slot.is_noun_phrase:
                yield name, ""
        elif name != "works" or dated or not (person or slot.describes or _is_other(slot)):
            yield name, as_key(slot.written) if name == "places" else ""


def _is_other(slot: Slot) -> bool:
    """Whether what is named is no work: someone who is acted, or what an award is for."""
    return _is_category(slot) or _is_played(slot)


def _is_category(slot: Slot) -> bool:
    """Whether it is what an award is for: `Best Actor`, `Dramatic Acting`."""
    given = re.search(r"(?:[Aa]ward|[Pp]rize|Globe|Emmy|Oscar)s? for $", slot.before)
    return bool(_CATEGORY.match(slot.written) or (given and _ACTED.search(slot.written)))


def _is_person(slot: Slot) -> bool:
    small = re.search(r"(?<![\w'’-])[a-z]{4,}", slot.written)
    within = re.search(r"\b(?:in|on) $", slot.before, re.I) or _is_called_work(slot)
    return slot.is_named and slot.is_person and not (small or within or slot.is_quoted or _YEAR.search(slot.written))


def _is_called_work(slot: Slot) -> bool:
    """Whether the noun right before it is a sort of work: `the crime drama …`."""
    found = re.search(r"([a-z][a-z-]*) $", slot.before)
    if not found:
        return False
    return "production" in read_kinds(DATA / "kinds.txt").words.get(as_key(found[1]), ())


def _for_person(slot: Slot, names: Taxonomy, context: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    yield from ((NAMES, step, offer) for step, offer in enumerate(names.generalise(slot.written, context), 1))
    if slot.is_apposed or slot.part_after == "PROPN":
        return
    what = _occupation(slot.text) if _is_subject(slot) and not re.search(r"\bas $", slot.before) else ""
    if what and slot.determiner is None:
        yield "kinds", 2, f"the {what}"
    elif _is_played(slot):
        yield "kinds", 2, "character"
    elif " " in slot.written and slot.determiner is None and not slot.is_owned:
        yield STAND_INS, 3, "someone"


def _for_name(slot: Slot, known: dict[str, Taxonomy], told: set[str]) -> Iterator[tuple[str, int, str]]:
    """What can stand for a name that is no person's: a letter, a character, or, behind a noun that says what it is,
    when that was. `told` is which taxonomies knew it.
    """
    played = not _YEAR.search(slot.written) and _is_played(slot)
    asked = "works" in known and told <= {"works"} and not played
    works = known["works"].generalise(slot.written, _around(slot)) if asked else ()
    year = _YEAR.search(slot.written)
    if year and slot.part_before == "NOUN":
        yield STAND_INS, 2, f"from {part_of_decade(int(year[1]))}"
    if _ROLE_IN.match(slot.written) and year and _ROLES.search(slot.sentence):
        kind = f"{year[1][:3]}0s production" if year else "production"
        yield "kinds", 2, f"character in {article(kind)} {kind}"
        return
    if played and not slot.is_apposed and not slot.is_quoted:
        yield "kinds", 2, "character"
    lettered = works or slot.is_apposed or slot.is_quoted or not (told or played)
    if lettered and slot.determiner is None and not re.search(r"\d$", slot.before):
        noun = works[-1].split()[-1] if works else "title" if slot.is_apposed else "name"
        yield STAND_INS, 2, f"{noun[0].upper()}{noun[1:]} {_letter(slot)}"


def _around(slot: Slot) -> tuple[str, ...]:
    """The plain words of the sentence before the slot, and what stands there: titles name no sort of work."""
    before = slot.sentence[: -len(slot.written)] if slot.written else slot.sentence
    plain = re.findall(r"(?<![\w’'])[a-z][a-z-]*(?!\w)|TV|Broadway", before)
    return (*words(" ".join(plain)), *words(slot.written))


def _is_played(slot: Slot) -> bool:
    """Whether it is the name of someone who is acted."""
    if re.match(r"['’]s?\b|['’] ", slot.after) or _KNOWN_AS.search(slot.before) or _is_subject(slot):
        return False
    told = _IN_WORK.match(slot.after) and _ROLES.search(slot.sentence)
    return bool(_PLAYED.search(slot.before) or told)


def _is_subject(slot: Slot) -> bool:
    """Whether it names the one whom the text is about: it begins like the text, or is a part of its first name."""
    return words(slot.written)[:1] != [] and words(slot.written)[0] in words(slot.text[:80])[:5]


def _occupation(text: str) -> str:
    """What the text says, in its first lines, that someone is."""
    found = _IS.search(text[:600])
    known = read_kinds(DATA / "kinds.txt").words
    parts = found["what"].replace(",", " ").split() if found else []
    return next((part for part in parts if part.islower() and not _PERSONS.isdisjoint(known.get(part, ()))), "")


def _letter(slot: Slot) -> str:
    """By the order in which names begin in the text."""
    first = slot.text.find(slot.written)
    before = {found.group() for found in _RUN.finditer(slot.text) if found.start() < first}
    number = len(before)
    letters = ""
    while number >= 0:
        number, last = divmod(number, 26)
        letters = _LETTERS[last] + letters
        number -= 1
    return letters
