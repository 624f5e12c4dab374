"""What kind of thing something is: occupations and genres by a table, names by it or by their last words.

By another table, what verbs and adjectives say less exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

from withhold.policy import Policy
from withhold.taxonomies.english import is_plural, plural, singulars
from withhold.taxonomies.tables import DATA, as_key, damaged, tells
from withhold.taxonomies.usage import read_usage

_ITSELF = "*"
_SECTIONS = ("words", "names", "heads")
_COUNTS = {
    "two": "multiple", "three": "several", "four": "several", "five": "several", "six": "several", "seven": "several",
    "eight": "several", "nine": "several", "ten": "several", "eleven": "several", "twelve": "several",
}  # fmt: skip
_LEADING = re.compile(
    r"(?P<count>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|multiple|many|numerous)\s+"
    r"(?:(?:other|more|consecutive|additional)\s+)?"
    r"|(?:[Tt]he|a|an|one|his|her)\s+|(?:1[89]|20)\d\d\s+"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|final|last|next|\d+(?:st|nd|rd|th))"
    r"(?:\s+and\s+\w+)?\s+"
)
_TAIL = re.compile(r"\s*\([^()]*\)$|,? (?:Inc|Ltd|LLC|plc)\.?$|\.$", re.I)
_HEAD = re.compile(r"^(?P<head>.+?) (?:of|for|in|at|on|to|by) (?P<rest>.+)$", re.I)
_BEST = re.compile(r"(?:best|outstanding|favou?rite) (?P<what>.+)", re.I)
_ACTING = re.compile(r"act(?:or|ress|ing)|performance|(?:fe)?male|supporting|newcomer|breakthrough", re.I)
_NOMINATION = re.compile(r"nominations?$", re.I)
_JOINS = frozenset(("of", "the", "and"))
_PLAIN = frozenset(("series", "franchise", "trilogy", "saga", "films", "movies", "show", "magazine", "championship"))
_AWARD = re.compile(r"(?P<name>.+? (?:award|prize|medal)s?)\b.*", re.I)


@dataclass(frozen=True, repr=False)
class Table:
    """What is above each name, by section."""

    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    heads: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Kinds:
    """What someone or something is: a `firefighter` an `emergency worker`, `CBS` a `television network`,
    `Ripon College` a `college`, `two Golden Globe Awards` are `multiple film awards`. Verbs and adjectives too, if
    it is known how they are used: `was reviewed` is `was gone over`.
    """

    def __init__(self, table: Path = DATA / "kinds.txt", usage: Path = DATA / "usage.txt") -> None:
        self.table, self.usage = table, usage

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """What the table says that a word, or what a name names, is a kind of; the nearest first, in its number."""
        phrase, key = " ".join(word.split()), as_key(word)
        count, rest = _unnumbered(phrase)
        offered = [f"{count} {each}" if count else each for each in _kinds(read_kinds(self.table), rest)]
        return tuple(dict.fromkeys(each for each in offered if as_key(each) != key and not tells(each, key)))

    def generalise_as(self, word: str, use: str) -> tuple[str, ...] | None:
        """What the table says in place of a word in the form it is used in."""
        said = read_usage(self.usage).said
        uses = ("NOUN", "ADJ") if use == "PROPN" else (use,)  # words of a heading look like names
        return next((said[word, each] for each in uses if (word, each) in said), None)

    def members(self, general: str) -> frozenset[str]:
        """The words of the tables that this is said of, in its number."""
        below = _below(self.table)
        several = (plural(word) for one in singulars(general) for word in below.get(one, ()))
        used = read_usage(self.usage).below.get(general, ())
        return below.get(general, frozenset()).union(several, used)


def _unnumbered(phrase: str) -> tuple[str, str]:
    """How many, as vaguely as may be, and the phrase without its numbers, years and articles."""
    count = ""
    while (found := _LEADING.match(phrase)) and found.end() < len(phrase):
        if found["count"] and not is_plural(phrase):
            return count, phrase
        if found["count"]:
            count = _COUNTS.get(found["count"].lower(), found["count"].lower())
        phrase = phrase[found.end() :]
    return count, phrase


def _kinds(table: Table, phrase: str) -> Iterator[str]:
    while found := _TAIL.search(phrase):
        phrase = phrase[: found.start()]
    key = as_key(phrase)
    if not key:
        return
    named = phrase[:1].isupper() or any(part[:1].isupper() for part in phrase.split())
    for where in (table.names, table.words) if named else (table.words, table.names):
        if found_here := list(_look_up(where, key, several=named or where is table.words)):
            yield from found_here
            return
    if named or _AWARD.fullmatch(phrase):
        yield from _of_name(table, phrase)


def _look_up(where: dict[str, tuple[str, ...]], key: str, *, several: bool = True) -> Iterator[str]:
    """What is above a name or word, or, if there can be any, above several of it: lives are no copies of `Life`."""
    if key in where:
        yield from (each for each in where[key] if each != _ITSELF)
        return
    start, _, last = key.rpartition(" ")
    for one in singulars(last) if several else ():
        single = f"{start} {one}".strip()
        if single in where:
            yield from (plural(each) for each in where[single] if each != _ITSELF)
            return


def _of_name(table: Table, phrase: str) -> Iterator[str]:
    """What a longer name says of itself."""
    many = is_plural(phrase)
    if _NOMINATION.search(phrase):
        yield "award nominations" if many else "award nomination"
    elif found := _BEST.fullmatch(phrase):
        yield "an acting category" if _ACTING.search(found["what"]) else "a category"
    elif found := _AWARD.fullmatch(phrase):
        yield from _of_award(table, as_key(found["name"]))
    else:
        yield from _of_head(table, phrase)


def _of_award(table: Table, key: str) -> Iterator[str]:
    start, _, last = key.rpartition(" ")
    known = list(_look_up(table.names, key)) or list(_look_up(table.names, start)) or ["award", "honour"]
    yield from map(plural, known) if last.endswith("s") and not is_plural(known[0]) else known


def _of_head(table: Table, phrase: str) -> Iterator[str]:
    if ":" in phrase:
        return
    found = _HEAD.match(phrase)
    for part in (phrase, found["head"] if found else ""):
        words = as_key(part).split()
        for length in (4, 3, 2, 1):
            head = " ".join(words[-length:])
            written = part.split()[-length:]
            named = all(word[:1].isupper() or word.lower() in _JOINS for word in written) or head in _PLAIN
            if len(words) >= length and head in table.heads and (len(words) > length or found) and named:
                yield from (head if above == _ITSELF else above for above in table.heads[head])
                return
    within = as_key(phrase)
    yield from next((above for head, above in table.heads.items() if head.count(" ") > 1 and head in within), ())


@cache
def _below(path: Path) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word, chain in read_kinds(path).words.items():
        for general in chain:
            found.setdefault(general, set()).add(word)
    return {general: frozenset(words) for general, words in found.items()}


@cache
def read_kinds(path: Path) -> Table:
    """The table at `path`.

    Raises:
        MalformedData: if it is not there or not such a table.
    """
    table = Table()
    where: dict[str, tuple[str, ...]] | None = None
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise damaged(path) from None
    for line in lines:
        if line.startswith("[") and line.strip("[]") in _SECTIONS:
            where = getattr(table, line.strip("[]"))
        elif line and not line.startswith("#"):
            names, sign, general = line.partition(" = ")
            if where is None or not sign:
                raise damaged(path)
            chain = tuple(each.strip() for each in general.split(" > "))
            where.update({as_key(name): chain for name in names.split(",")})
    return table
