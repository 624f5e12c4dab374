"""How a name is written when it is not written in full: without its legal form, by its first word, by its initials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from withhold.detectors.common_words import is_ordinary
from withhold.detectors.company_forms import (
    ABBREVIATIONS,
    CONNECTORS,
    GENERIC,
    LEADS,
    LEGAL_FORMS,
    PARTICLES,
    PLACES,
    STOPS,
    TAILS,
    beginning,
    compact,
    ending,
)
from withhold.text import WORD, fold

Kind = Literal["name", "alias", "short name", "abbreviation", "ticker"]

GIVEN, BASE, SHORT, LIKELY, DOUBT = 1.0, 0.95, 0.9, 0.6, 0.4
HINT = 0.45
"""Doubtful by itself, and likely in a text that names the secret in another way too."""

_SHORTEST = 4
_LONGEST_PREFIX = 8
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_DIGRAPHS = str.maketrans({"ä": "ae", "æ": "ae", "ö": "oe", "ø": "oe", "œ": "oe", "ü": "ue", "å": "aa"})
_ACCENTS = ({"ae": "ä", "oe": "ö", "ue": "ü", "aa": "å"}, {"ae": "æ", "oe": "œ"})
_SPLIT = re.compile(r"[\s,;:]+")
_PARTS = re.compile(r"\s+[-–—|/]\s+|\s+(?:&|\+)\s+|\s+and\s+", re.I)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NEWSGROUP = re.compile(r"(?:alt|comp|humanities|misc|news|rec|sci|soc|talk|[a-z]{2,3})(?:[._/][a-z0-9+-]+)+")
_HOST = re.compile(r"(?:https?://)?(?:www\.)?([a-z0-9-]+)(?:\.[a-z0-9-]+)*\.(?:[a-z]{2}|com|org|net|info|biz)/?", re.I)
_SYMBOL = re.compile(r"(?:[A-Za-z][\w .-]*:\s*|\$)?([A-Z0-9]{1,6}(?:[.:][A-Z]{1,3})?)")


@dataclass(frozen=True, repr=False)
class Surface:
    """One way of writing a name, found however it is disguised.

    A `proper` one is made of ordinary words: it is a mention only where it is written as a name, with capitals. An
    `accented` one is a mention only where it is written with letters that English does not have.
    """

    text: str
    kind: Kind
    score: float
    proper: bool = False
    accented: bool = False

    @cached_property
    def bare(self) -> str:
        return compact(self.text)

    @cached_property
    def single(self) -> bool:
        return len(WORD.findall(self.text)) == 1

    @cached_property
    def distinctive(self) -> bool:
        """Whether no other text would hold it by chance, so that a longer word around it is a mention too."""
        return len(self.bare) >= _SHORTEST and not ordinary(self.text)


@dataclass(frozen=True, slots=True, repr=False)
class Letters:
    """An abbreviation or a ticker: found in capitals only, as they stand."""

    text: str
    kind: Kind
    score: float


def ordinary(text: str) -> bool:
    """Whether every word of it is an ordinary one, or a single letter."""
    return all(len(word) < 2 or is_ordinary(word) for word in WORD.findall(fold(text).text))


def surfaces(name: str, kind: Kind) -> Iterator[Surface]:
    """All ways of writing a name that its owner gave, in any order, some of them twice."""
    for surface in _surfaces(name, kind):
        yield surface
        if surface.distinctive and not surface.proper:
            yield from _transliterated(surface)


def _surfaces(name: str, kind: Kind) -> Iterator[Surface]:
    name = name.strip().lstrip("@#")
    if not WORD.search(fold(name).text):
        return
    if _is_symbol(name):
        return
    if not needs_capitals(name):
        yield Surface(name, kind, GIVEN)
        yield from _spelt(_SPLIT.split(name), kind, GIVEN, proper=False)
    if host := _HOST.fullmatch(name):
        yield from _alone(host[1], LIKELY)
    elif not _NEWSGROUP.fullmatch(name):
        yield from _derived(name, kind)


def letters(name: str, kind: Kind) -> Iterator[Letters]:
    """The abbreviations of a name, and the ticker it may be itself."""
    name = name.strip()
    if needs_capitals(name):
        yield Letters(name, kind, GIVEN if len(name) > 2 else LIKELY)
    if (symbol := _SYMBOL.fullmatch(name)) and (needs_capitals(name) or not name.isalpha() or len(name) <= 5):
        yield Letters(symbol[1], "ticker", GIVEN)
    if _is_symbol(name) or _HOST.fullmatch(name) or _NEWSGROUP.fullmatch(name):
        return
    base, core = stripped(name)
    seen = {name}
    for each in (*_own_letters(base, core), *_initials(base, core, sure=_is_organisation(name, base))):
        if each.text not in seen:
            seen.add(each.text)
            yield each


def needs_capitals(name: str) -> bool:
    """Whether a name in capitals would be taken for a common word, or for nothing at all, in small letters."""
    bare = compact(name)
    return name.isalnum() and name.isupper() and (len(bare) <= 2 or (len(bare) <= 5 and is_ordinary(bare)))


def _is_symbol(name: str) -> bool:
    """Whether a name is a ticker with its exchange, and nothing else."""
    return bool(_SYMBOL.fullmatch(name)) and not name.isalnum()


def stripped(name: str) -> tuple[list[str], list[str]]:
    """The words of a name without articles and legal forms, and those without "Group" and the like too."""
    words = [
        word for word in _SPLIT.split(_BRACKETS.sub(" ", name)) if WORD.search(word) or compact(word) in CONNECTORS
    ]
    while words and not re.fullmatch(r"\w\.|\w\.\w.*", words[0]) and (count := beginning(words, LEADS)):
        words = words[count:]
    base = _without(words, LEGAL_FORMS)
    return base, _without(base, TAILS | LEGAL_FORMS)


def _without(words: Sequence[str], endings: frozenset[str]) -> list[str]:
    words = list(words)
    while count := ending(words, endings):
        words = words[:-count]
        while len(words) > 1 and compact(words[-1]) in CONNECTORS:
            words.pop()
    return words


def _is_organisation(name: str, base: Sequence[str]) -> bool:
    """Whether a name is surely not that of a topic: it has a legal form, or words of its own."""
    return len(WORD.findall(" ".join(base))) < len(WORD.findall(name)) or not ordinary(name)


def _derived(name: str, kind: Kind) -> Iterator[Surface]:
    base, core = stripped(name)
    given = _SPLIT.split(name)
    if not base:
        return
    if ordinary(name) and len(base) == len(given):
        yield from _other_number(name, kind)
    if len(base) == 1 and (host := _HOST.fullmatch(base[0])):
        yield from _shortened([host[1]], "short name", SHORT, LIKELY)
    if base != given and not _says_nothing(base):
        yield from _shortened(base, kind, BASE, LIKELY)
    if core != base and not _says_nothing(core):
        yield from _shortened(core, "short name", SHORT, LIKELY if len(core) > 1 else HINT)
    for part in _PARTS.split(_BRACKETS.sub(" ", name)):
        yield from _distinctive(stripped(part)[1])
    yield from _prefixes(core)


def _shortened(words: Sequence[str], kind: Kind, score: float, if_ordinary: float) -> Iterator[Surface]:
    text = " ".join(words)
    if len(compact(text)) < _SHORTEST and not ordinary(text):
        if not text.isupper():
            yield Surface(text, kind, LIKELY, proper=True)
    elif ordinary(text):
        yield from _spelt(words, kind, if_ordinary if _could_name(words) else DOUBT, proper=True)
    else:
        yield from _spelt(words, kind, score, proper=False)


def _says_nothing(words: Sequence[str]) -> bool:
    """Whether nothing but places, numbers and small words is left of a name."""
    folded = WORD.findall(fold(" ".join(words)).text)
    nothing = STOPS | PARTICLES | (PLACES if len(folded) > 1 else frozenset())
    return all(word in nothing or word.isdigit() or (len(word) < 2 and not word.isalpha()) for word in folded)


def _could_name(words: Sequence[str]) -> bool:
    return len(words) > 1 or compact(words[0]) not in STOPS | PLACES


def _distinctive(words: Sequence[str]) -> Iterator[Surface]:
    """The first word of a part of a name that is its own, the next if it is too, and, with doubt, the others.

    Behind an ordinary word ("Ice Make Refrigeration") it needs a capital, for it may be one that no list has.
    """
    scores = iter((LIKELY + 0.1, LIKELY))
    score = next(scores)
    leads = True
    for word in words:
        alone = list(_alone(word, score))
        yield from (surface if leads else replace(surface, proper=True) for surface in alone)
        if alone or score == LIKELY:
            score = next(scores, DOUBT) if alone else DOUBT
        leads = leads and (bool(alone) or len(compact(word)) < 2 or compact(word) in PLACES | GENERIC)
    if words and len(compact(words[0])) >= _SHORTEST and ordinary(words[0]) and _could_name(words[:1]):
        yield Surface(words[0], "short name", DOUBT, proper=True)


def _alone(word: str, score: float) -> Iterator[Surface]:
    """A word of a name, by itself, if it is distinctive; so are its halves, and two words run into one, apart."""
    bare = compact(word)
    if len(bare) < _SHORTEST or is_ordinary(bare) or bare.isdigit():
        return
    yield Surface(word, "short name", score, proper=ordinary(word))
    halves = WORD.findall(word)
    if len(halves) > 1:
        for half in halves:
            yield from _alone(half, score)
    apart = [part for part in _CAMEL.split(word) if part]
    if len(apart) > 1 and all(len(compact(part)) > 1 for part in apart):
        text = " ".join(apart)
        yield Surface(text, "short name", score, proper=ordinary(text))


def _prefixes(core: Sequence[str]) -> Iterator[Surface]:
    """The first words of a name, from its beginning and from its first distinctive word."""
    first = next((number for number, word in enumerate(core) if any(_alone(word, LIKELY))), 0)
    for start in {0, first}:
        for end in range(start + 2, min(len(core), start + _LONGEST_PREFIX)):
            words = core[start:end]
            if compact(words[-1]) in CONNECTORS | PARTICLES or _says_nothing(words):
                continue
            proper = ordinary(" ".join(words))
            yield from _spelt(words, "short name", HINT if proper else SHORT, proper=proper)


def _transliterated(surface: Surface) -> Iterator[Surface]:
    """ "Kuehne" for "Kühne", and the other way round."""
    text = surface.text.lower()
    plain = text.translate(_DIGRAPHS)
    if plain != text:
        yield Surface(plain, surface.kind, surface.score)
    for pairs in _ACCENTS:
        accented = text
        for digraph, letter in pairs.items():
            accented = accented.replace(digraph, letter)
        if accented != text:
            yield Surface(accented, surface.kind, surface.score, accented=True)


def _spelt(words: Sequence[str], kind: Kind, score: float, *, proper: bool) -> Iterator[Surface]:
    """The words with each way of writing "and" between them."""
    yield Surface(" ".join(words), kind, score, proper)
    if any(compact(word) in CONNECTORS for word in words[1:-1]):
        for connector in (" & ", " and ", " "):
            text = " ".join(
                "\0" if 0 < number < len(words) - 1 and compact(word) in CONNECTORS else word
                for number, word in enumerate(words)
            )
            yield Surface(text.replace(" \0 ", connector), kind, score, proper)


def _other_number(name: str, kind: Kind) -> Iterator[Surface]:
    """The plural of a topic's name, or the singular."""
    name = name.strip()
    if len(name) > _SHORTEST and name[-1].isalpha():
        text = name[:-1] if name[-1] in "sS" and name[-2] not in "sS" else name + "s"
        yield Surface(text, kind, SHORT)


def _own_letters(base: Sequence[str], core: Sequence[str]) -> Iterator[Letters]:
    """Capitals that a name itself has: "IWG plc", "XTC Lithium", "G N A Axles"."""
    if not base:
        return
    first = base[0].replace(".", "")
    singles = next((number for number, word in enumerate(base) if len(compact(word)) > 1), len(base))
    if singles > 1:
        first = "".join(base[:singles]).replace(".", "")
    if not re.fullmatch(r"[A-Z0-9&]{2,3}|[A-Z]&[A-Z&]{1,4}", first) or first.isdigit():
        return
    common = is_ordinary(first.lower())
    alone = len(core) == max(singles, 1)
    score = DOUBT if common else HINT if len(first) < 3 and not alone else LIKELY
    if alone or not common:
        yield Letters(first, "name" if alone else "abbreviation", score)


def _initials(base: Sequence[str], core: Sequence[str], *, sure: bool) -> Iterator[Letters]:
    for words in (base, core):
        small = [word for word in words if compact(word) not in PARTICLES]
        for chosen in (words, small):
            joined = "".join("&" if compact(word) in CONNECTORS else _initial_of(word) for word in chosen).strip("&")
            for text in {joined, joined.replace("&", "")}:
                if score := _initials_score(text, sure):
                    yield Letters(text, "abbreviation", score)


def _initial_of(word: str) -> str:
    """The initials of a word: of both halves, if a hyphen joins them."""
    return "".join(half[0] for half in WORD.findall(fold(word, keep_case=True).text)).upper()


def _initials_score(text: str, sure: bool) -> float:
    count = len(text.replace("&", ""))
    if not 2 <= count <= 8 or text.lower() in ABBREVIATIONS or is_ordinary(text.lower()):
        return 0.0
    return LIKELY if sure and (count > 2 or "&" in text) else HINT
