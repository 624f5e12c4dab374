"""A noun phrase with less said of its noun: without what describes it, or with a more general noun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Self

from withhold.policy import Policy
from withhold.taxonomies.english import FUNCTION_WORDS, is_plural
from withhold.taxonomies.kinds import Kinds
from withhold.taxonomies.places import Places
from withhold.taxonomies.tables import as_key
from withhold.taxonomies.wordnet import Hypernyms, read_senses

_AFTER_HEAD = "of|in|for|with|from|at|on|by|to|about|who|which|that|whose"
_BEFORE_HEAD = re.compile(rf"^(?P<head>.+?)(?P<tail> (?:{_AFTER_HEAD}) .+)$")
_SUPERLATIVE = re.compile(r"\b(?:highest|top|best|most|greatest|biggest|largest|youngest|oldest|foremost)\b")
_THE = re.compile(r"(?:the|a|an|his|her|their|its) ", re.I)
_WORD = re.compile(r"[^\s]+")
_NUMBERS = re.compile(r"\d|^(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|both|all|many)$", re.I)
_BOTH = re.compile(r"([A-Z]\w+)-([A-Z]\w+)")
_NAMED = re.compile(
    r"(?P<what>(?:\S+ )*[a-z][\w-]*) (?P<name>[A-Z0-9(]\S*(?: (?:(?:of|the|and|in|a|with) )*[A-Z0-9(]\S*)*)$"
)
_LONGEST = 200
"""A longer text is no phrase."""
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_POSSESSIVE = re.compile(r"^.*(?:'s|’s|s'|s’) ")


class Phrases:
    """Fewer words for a noun phrase of several: a `struggling ballet dancer` is a `ballet dancer`, a `dancer`, a
    `performer`; a `German mother` is a `Western European mother`, a `mother`.
    """

    def __init__(self) -> None:
        self._kinds, self._places, self._hypernyms = Kinds(), Places(), Hypernyms()

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """The phrase with a larger place in it, with fewer modifiers, and with a more general noun."""
        phrase = " ".join(word.split())
        if len(phrase) > _LONGEST:
            return ()
        the = found.group() if (found := _THE.match(phrase)) else ""
        fewer = (the + each for each in self._fewer(phrase[len(the) :], tuple(context)))
        return tuple(dict.fromkeys(each for each in fewer if each != phrase))

    def _fewer(self, phrase: str, context: tuple[str, ...]) -> Iterator[str]:
        if both := _BOTH.fullmatch(phrase):
            yield from (f"{place}-{both[2]}" for place in self._places.generalise(as_key(both[1]), context))
            return
        named = _NAMED.match(phrase)
        if named and self._is_noun(named["what"].split()[-1]):
            yield from self._without_name(named)
            return
        found = _BEFORE_HEAD.match(phrase)
        noun, tail = (found["head"], found["tail"]) if found else (phrase, "")
        core = _POSSESSIVE.sub("", noun)
        parts = core.split()
        head = parts[-1].strip(".,;:") if parts else ""
        if not (head.islower() and (len(parts) > 1 or tail or core != noun)) or not self._is_noun(head):
            return
        yield from self._with_larger_places(core, context)
        number = [part for part in parts[:1] if _NUMBERS.search(part) and is_plural(head)]
        if tail or core != noun:
            yield core
        for start in range(1, len(parts)):
            rest = " ".join(parts[start:])
            if number and start < len(parts) - 1 and _NUMBERS.search(parts[start - 1]):
                continue
            if _SUPERLATIVE.search(core) and not _SUPERLATIVE.search(rest):
                continue
            if not self._is_lemma(parts[start - 1 : start + 1]) and not self._is_lemma(parts[start - 1 :]):
                yield rest
        if _SUPERLATIVE.search(core):
            yield f"leading {head}"
            yield f"successful {head}" if is_plural(head) else f"a successful {head}"
            return
        for start in range(len(parts)):
            if offered := self._kinds.generalise(" ".join(parts[start:]).lower(), context):
                yield from offered
                return

    def _without_name(self, named: re.Match[str]) -> Iterator[str]:
        """What a thing is that is called by its name as well: `crime thriller Seven`."""
        core = _POSSESSIVE.sub("", named["what"])
        parts = core.split()
        if not is_plural(parts[-1]):
            year = _YEAR.search(named.group())
            plain = [part for part in parts if part[0].islower()]
            if year:
                yield f"{year[1][:3]}0s {' '.join(plain)}"
            yield from (" ".join(parts[start:]) for start in range(len(parts) - len(plain), len(parts)))

    def _with_larger_places(self, core: str, context: tuple[str, ...]) -> Iterator[str]:
        for found in _WORD.finditer(core):
            if found.group()[:1].isupper():
                for place in self._places.generalise(as_key(found.group()), context)[:2]:
                    yield core[: found.start()] + place + core[found.end() :]

    def _is_lemma(self, parts: Sequence[str]) -> bool:
        """Whether words are one word to a dictionary that is no kind of what its last part is: a ballet dancer is a
        dancer, but a box office may be none.
        """
        senses, lemma = read_senses(self._hypernyms.table), " ".join(parts).lower()
        if len(parts) < 2 or lemma not in senses.numbers:
            return False
        above = [{senses.names[up] for up in senses.lineage(synset)[1:]} for synset, _ in senses.of(lemma)]
        return not all(parts[-1].lower() in names for names in above)

    def _is_noun(self, head: str) -> bool:
        if head in FUNCTION_WORDS:
            return False
        known = read_senses(self._hypernyms.table).numbers
        return head in known or bool(self._kinds.generalise(head)) or is_plural(head) or "-" in head
