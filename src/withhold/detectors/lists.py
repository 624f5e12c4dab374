"""Words, phrases and patterns that the policy gives, found however they are disguised."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from withhold.errors import PolicyError
from withhold.policy import Find, Policy
from withhold.spans import Span
from withhold.text import UNSPACED, WORD, Folded, fold
from withhold.types import Document, Finding

_SEPARATORS = r"[\s_.+\-/,;|'\"]*"
_COLUMN = re.compile(r"[\s'\"]*[,;|\t][\s'\"]*")
_TOKEN = re.compile(r"[^\s<>\",;|]{4,}")
_ESCAPED = re.compile(r"(?<=\\)[nrtbf]")
_LINK_SIGN = re.compile(r"@|://|www\.")
_SHORTEST_IN_LINK = 4
_SHORTEST_IN_WORD = 3
_LONG_IN_WORD = 5
_LONGEST_ENDING = 2
_DOUBT = 0.4
_NEAR = 64
_FEW = 50


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a term stands in a text, as a whole word or inside a longer one; `entity` is the number of the term."""

    span: Span
    find: Find = field(repr=False)
    reason: str
    entity: int
    whole: bool


@dataclass(frozen=True, slots=True, repr=False)
class _Rule:
    """One term in its folded form, and the pattern that matches it."""

    pattern: re.Pattern[str]
    bare: str
    find: Find
    reason: str
    entity: int


class ListDetector:
    """Finds the terms and patterns of `[[find]]` tables.

    A term matches whole words: its words in order, with any spaces, dots, hyphens or underscores or nothing
    between them. Signs that separate columns are found between them too and stay where they are: there is one
    finding on each side. A number behind a word (the mark of a footnote) is not part of it. Inside e-mail and Web
    addresses, where words run together, a term matches anywhere. Where a longer word holds a term of five letters
    or more (an inflected name, two words run together), or a shorter one that is written like a name, that is a
    finding too, but a doubtful one, with a score below one half. All findings of one term are of one entity. Cost
    grows with the text, not with the number of terms: each word of the text is looked up once.
    """

    def __init__(self, finds: Sequence[Find]) -> None:
        self.finds = tuple(finds)
        self._by_word: dict[str, list[_Rule]] = {}
        self._anywhere: list[_Rule] = []
        self._rules: list[_Rule] = []
        entity = 0
        for find in finds:
            for number, term in enumerate(find.terms, 1):
                entity += 1
                for rule in _rules(term, find, f"term {number} of the list", entity):
                    self._add(rule)

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls([_with_lists(find, policy) for find in policy.find])

    def detect(self, document: Document) -> list[Finding]:
        found: dict[tuple[Span, str], tuple[Find, str, int | None]] = {}
        doubtful: dict[tuple[Span, str], Finding] = {}
        for each in self.occurrences(document):
            span, label = each.span, each.find.label
            if each.whole:
                found[span, label] = (each.find, each.reason, each.entity)
            else:
                reason = f"{each.reason}, inside a longer word"
                doubtful[span, label] = Finding(span, label, "lists", _DOUBT, reason=reason)
        for find in self.finds:
            for number, pattern in enumerate(find.patterns, 1):
                for span in _pattern_spans(document.text, pattern):
                    found.setdefault((span, find.label), (find, f"pattern {number}", None))
        certain = [
            Finding(span, label, "lists", entity=entity, reason=reason, replacement=find.replacement)
            for (span, label), (find, reason, entity) in found.items()
        ]
        return sorted([*certain, *doubtful.values()], key=lambda each: (each.span, each.label))

    def met(self, document: Document) -> frozenset[int]:
        """Which entries are found in a document for sure: terms by the number of their entity, and patterns by the
        numbers that come after those, in order.
        """
        terms = {each.entity for each in self.occurrences(document) if each.whole}
        patterns = [pattern for find in self.finds for pattern in find.patterns]
        first = sum(len(find.terms) for find in self.finds) + 1
        matched = {number for number, each in enumerate(patterns, first) if _pattern_spans(document.text, each)}
        return frozenset(terms | matched)

    def occurrences(self, document: Document) -> Iterator[Occurrence]:
        """Every place of every term, in no order; patterns are not looked for."""
        folded = fold(document.text)
        seams = frozenset(seam for block in document.blocks for seam in block.seams)
        for rule, match in self._matches(folded, seams):
            for span in _columns(folded, match):
                yield Occurrence(span, rule.find, rule.reason, rule.entity, whole=True)
        for rule, match in self._inside_words(folded, document.text):
            whole = _whole(folded, match, seams)
            yield Occurrence(folded.span(*match.span()), rule.find, rule.reason, rule.entity, whole)

    def _add(self, rule: _Rule) -> None:
        self._rules.append(rule)
        words = WORD.findall(rule.bare)
        if rule.find.anywhere or not WORD.match(rule.bare) or UNSPACED.search(rule.bare):
            self._anywhere.append(rule)
        else:
            for word in {words[0], "".join(words)}:
                self._by_word.setdefault(word, []).append(rule)

    def _matches(self, folded: Folded, seams: frozenset[int]) -> Iterator[tuple[_Rule, re.Match[str]]]:
        for word, start in _starts(folded.text, self._by_word):
            for rule in self._by_word[word]:
                match = rule.pattern.match(folded.text, start)
                if match and _whole(folded, match, seams):
                    yield rule, match
        for rule in self._anywhere:
            for match in rule.pattern.finditer(folded.text):
                if rule.find.anywhere or _whole(folded, match, seams):
                    yield rule, match
        yield from self._in_links(folded.text)

    def _in_links(self, text: str) -> Iterator[tuple[_Rule, re.Match[str]]]:
        """Terms inside addresses, where words run together."""
        if not _LINK_SIGN.search(text):
            return
        tokens = [token.span() for token in _TOKEN.finditer(text) if _LINK_SIGN.search(text, *token.span())]
        written = "\n".join(text[start:end] for start, end in tokens)
        for rule in self._rules:
            words = WORD.findall(rule.bare)
            if len("".join(words)) >= _SHORTEST_IN_LINK and words[-1] in written:
                for token in tokens:
                    yield from ((rule, match) for match in rule.pattern.finditer(text, *token))

    def _inside_words(self, folded: Folded, text: str) -> Iterator[tuple[_Rule, re.Match[str]]]:
        """Terms inside longer words; a quick look at the vocabulary tells which terms to search for."""
        vocabulary = "\n".join({word for word in WORD.findall(folded.text) if word not in self._by_word})
        for rule in self._rules:
            words = WORD.findall(rule.bare)
            too_short = not words or len(rule.bare) < _SHORTEST_IN_WORD
            if rule.find.anywhere or too_short or words[-1] not in vocabulary:
                continue
            for match in rule.pattern.finditer(folded.text):
                is_likely = len(rule.bare) >= _LONG_IN_WORD or _stands_out(text, folded.span(*match.span()))
                if is_likely and not _whole(folded, match, frozenset()):
                    yield rule, match


def _stands_out(text: str, span: Span) -> bool:
    """Whether a few letters inside a word are written like a name: with a capital, inside the word or with no more than
    an ending behind them, or in an address or a user's name. Others stand in words by chance.
    """
    written = span.of(text)
    if not written.isalpha():
        return False
    if written[0].isupper() and not written.isupper():
        rest = WORD.match(text, span.end)
        ending = rest.group() if rest else ""
        is_inside = text[span.start - 1 : span.start].isalpha()
        return is_inside or ending[:1].isupper() or len(ending) <= _LONGEST_ENDING
    before, after = text[max(0, span.start - _NEAR) : span.start].split(), text[span.end : span.end + _NEAR].split()
    word = (before[-1] if before and not text[span.start - 1].isspace() else "") + "".join(after[:1])
    return any(sign == "@" or sign.isdigit() for sign in word)


def _starts(text: str, words: Collection[str]) -> Iterator[tuple[str, int]]:
    """Where the words stand in the text: one search for each of a few, one walk over the text for many."""
    if len(words) > _FEW:
        for match in WORD.finditer(text):
            word, start = match.group(), match.start()
            if _ESCAPED.match(text, start) and word[1:] in words:
                yield word[1:], start + 1
            for form in {word, word.rstrip("0123456789")}:
                if form in words:
                    yield form, start
        return
    for word in words:
        start = text.find(word)
        while start >= 0:
            yield word, start
            start = text.find(word, start + 1)


def _rules(term: str, find: Find, reason: str, entity: int) -> Iterator[_Rule]:
    """The ways a term can look once folded: scripts differ in which capitals pass for Latin letters."""
    for bare in {fold(form).text.strip() for form in (term, term.lower(), term.upper())}:
        if not bare:
            raise PolicyError(f"{reason} (label {find.label}) is empty")
        yield _Rule(re.compile(_pattern(bare)), bare, find, reason, entity)


def _pattern(bare: str) -> str:
    """A pattern for a folded term: words as they are, what separates them flexible, other signs required."""
    if not WORD.search(bare):
        return r"\s*".join(re.escape(signs) for signs in bare.split())
    parts = re.findall(rf"{WORD.pattern}|\W+|_+", bare)
    last = len(parts) - 1
    pattern = ""
    for number, part in enumerate(parts):
        if WORD.fullmatch(part):
            pattern += re.escape(part)
        elif 0 < number < last and re.fullmatch(_SEPARATORS, part):
            pattern += _SEPARATORS
        elif part.strip(".,"):
            signs = r"\s*".join(re.escape(sign) for sign in part.split())
            pattern += (r"\s*" if number else "") + signs + (r"\s*" if number < last else "")
    return pattern


def _whole(folded: Folded, match: re.Match[str], seams: frozenset[int]) -> bool:
    """Whether the match is not part of a longer word: no letter touches it in the same formatting, and no digit
    touches a digit.
    """
    text, (start, end) = folded.text, match.span()
    before = _continues(text[start : start + 1], text[start - 1 : start]) and not _ESCAPED.match(text, start - 1)
    after = _continues(text[end - 1 : end], text[end : end + 1])
    if (before or after) and seams:
        span = folded.span(start, end)
        before, after = before and span.start not in seams, after and span.end not in seams
    return not before and not after


def _continues(inside: str, outside: str) -> bool:
    if not WORD.match(inside) or not WORD.match(outside) or UNSPACED.match(outside):
        return False
    return inside.isdigit() or not outside.isdigit()


def _columns(folded: Folded, match: re.Match[str]) -> Iterator[Span]:
    """The match in the pieces that signs between columns leave of it."""
    start = match.start()
    for sign in _COLUMN.finditer(folded.text, *match.span()):
        if start < sign.start() and sign.end() < match.end():
            yield folded.span(start, sign.start())
            start = sign.end()
    yield folded.span(start, match.end())


def _pattern_spans(text: str, pattern: str) -> set[Span]:
    """Where a regular expression matches the text as written, or as it looks."""
    compiled = re.compile(pattern)
    found = {Span(*match.span()) for match in compiled.finditer(text) if match.group()}
    folded = fold(text, keep_case=True)
    if folded.text != text:
        found |= {folded.span(*match.span()) for match in compiled.finditer(folded.text) if match.group()}
    return found


def _with_lists(find: Find, policy: Policy) -> Find:
    terms = (*find.terms, *policy.listed(find.lists, "find.lists"))
    return Find(find.label, terms, find.patterns, find.lists, find.anywhere, find.replacement)
