"""What the tables of patterns are made of.

A `Rule` says where to look (at a number, at a word, at a sign) and what to do there. Most rules are one regular
expression with a check and clues: `pattern` makes these. All regular expressions are tried at places that one walk over
the text gives, never searched for over the whole of it, and all their repetitions are bounded: time grows with the
length of the text and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple


class View(NamedTuple):
    """The text as it is searched: folded, and the same in small letters, both of one length."""

    text: str
    low: str
    country: str = "US"

    def __repr__(self) -> str:
        return f"View(characters={len(self.text)})"


class Candidate(NamedTuple):
    """One thing found; `checked` if its check digits hold, so that it can hardly be anything else."""

    start: int
    end: int
    label: str
    score: float
    reason: str
    checked: bool = False


Lead = Literal["digit", "letter", "any"]
Find = Callable[[View, int, int], Iterable[Candidate]]
"""What a rule does at the number, word or sign that stands from `start` to `end`."""


ANY = range(1, 1 << 30)
"""Runs of any length."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Where to look for some labels, and how.

    With `words`, at each of these (in small letters); with `signs`, at each of these; otherwise at numbers, that is
    at runs of letters and digits that have a digit in them: those that begin with a digit or a letter, as `lead` says.
    `runs` are the lengths that the run may have; `least` is how long it must be with the groups of digits that follow;
    `before` and `after` are words and signs of which one must stand there, next to the number.
    """

    labels: tuple[str, ...]
    find: Find
    words: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    lead: Lead = "digit"
    runs: range = ANY
    least: int = 1
    before: frozenset[str] | None = None
    after: frozenset[str] | None = None


def listed(words: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(words.split())


def one_of(words: str) -> frozenset[str]:
    """The words of a text, to ask whether one is among them."""
    return frozenset(words.split())


def phrases(words: str) -> tuple[str, ...]:
    """Words and phrases with commas between them."""
    return tuple(phrase.strip() for phrase in words.split(","))


def trie(words: Iterable[str]) -> str:
    """A regular expression for many words that looks at each letter once."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branches(root)


def _branches(node: dict[str, Any]) -> str:
    alternatives = [re.escape(letter) + _branches(node[letter]) for letter in sorted(node) if letter]
    if not alternatives:
        return ""
    joined = alternatives[0] if len(alternatives) == 1 and "" not in node else f"(?:{'|'.join(alternatives)})"
    return f"{joined}?" if "" in node else joined


@dataclass(frozen=True, slots=True)
class Clue:
    """Words that say what stands beside them, up to so many characters before and after."""

    words: re.Pattern[str]
    before: int = 48
    after: int = 0

    def beside(self, view: View, start: int, end: int) -> bool:
        if self.words.search(view.low, max(0, start - self.before), start):
            return True
        return bool(self.after and self.words.search(view.low, end, end + self.after))


def clue(words: str, *, before: int = 48, after: int = 0) -> Clue:
    """A clue from words or phrases in small letters, with commas between them."""
    return Clue(re.compile(rf"(?<![a-z]){trie(phrases(words))}(?![a-z])"), before, after)


def pattern(
    label: str,
    regex: str,
    reason: str,
    score: float,
    *,
    check: Callable[[str], bool] | None = None,
    proof: Callable[[str], bool] | None = None,
    clues: Clue | None = None,
    clued: float = 0.0,
    any_case: bool = False,
    back: int = 0,
    lead: Lead = "digit",
    runs: range = ANY,
    least: int = 1,
    before: str | None = None,
    after: str | None = None,
    words: tuple[str, ...] = (),
) -> Rule:
    """A rule that is one regular expression, matched where the number or word begins, or `back` characters before.

    If it has a group `it`, that is what is found. What fails the `check` or the `proof` is nothing; a proof is a check
    digit or something as strong. Beside a clue the score is `clued`; a `score` of 0 means that it is nothing without.
    """
    compiled = re.compile(regex)
    match, group = compiled.match, compiled.groupindex.get("it", 0)
    fits = proof or check

    def find(view: View, start: int, end: int) -> Iterable[Candidate]:
        matched = match(view.low if any_case else view.text, start - back) if start >= back else None
        if matched is None:
            return ()
        start, end = matched.span(group)
        if fits is not None and not fits(view.text[start:end]):
            return ()
        sure = clued if clues is not None and clues.beside(view, start, end) else score
        return (Candidate(start, end, label, sure, reason, proof is not None),) if sure else ()

    needed = [None if near is None else one_of(near) for near in (before, after)]
    return Rule((label,), find, words, (), lead, runs, least, *needed)


GAP = r"(?:[ \t]{1,4}|[ \t]{0,4}\r?\n[ \t]{0,8})"
"""White space within one thing: no empty line, no wide gap between columns."""

NUMBER_WORDS = listed(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
)
_SPELT = trie(NUMBER_WORDS)
SPELT = rf"(?:a[ ](?=hundred|thousand|million|dozen))?{_SPELT}(?:[ -](?:and[ ])?{_SPELT}){{0,7}}"
"""A number in words, such as two hundred and forty-one."""
