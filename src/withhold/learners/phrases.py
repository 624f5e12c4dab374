"""The terms of a text: its words, names, dates and noun phrases, and which of them belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.labels import KINDS
from withhold.learners.features import LONGEST, is_feature
from withhold.learners.stopwords import STOPWORDS
from withhold.learners.tagger.network import PARTS, tagger
from withhold.spans import Span, union
from withhold.text import WORD, fold
from withhold.types import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]

Kind = Literal["word", "name", "date", "phrase"]

_NAMED = [KINDS.index(kind) for kind in ("PERSON", "ORG", "LOC", "CODE", "MISC")]
_LIKELY = 0.5
"""How likely a word has to be part of a name to be taken for it, where its part of speech does not say so."""

_JOINS = frozenset({"of", "the", "de", "la", "du", "des", "von", "van", "der", "for", "&"})
"""What may stand between two parts of one name."""
_LISTED = """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
"""
_MONTHS = frozenset(_LISTED.split())
_YEAR = re.compile(r"(?:1[0-9]|20)\d\ds?")
_DAY = re.compile(r"(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?")
_OPENING, _CLOSING = '"“„«', '"”“»'
_TITLE = 10
"""A title of a work in quotes has at most so many words and signs."""
_ENDS = frozenset(".!?…。！？")
_AFTER = frozenset("\"'”’)]»")
_WRAPPED = 50
"""A line of at least so many characters can have been broken for its length alone."""
_NEAR = 4
"""Terms that describe each other have no more than so many words between them."""


@dataclass(frozen=True, eq=False, repr=False)
class Phrases:
    """The terms of a text, and how they belong together.

    A term is written as corpora count it: folded words, with one space between. The spans of a word that is part of a
    name, or of a date, are those of the whole: nobody is helped by half a name. `parts` has, for each term, the numbers
    of the words it is made of; of a word, its own. `related` are pairs of terms of which one describes the other.
    """

    terms: tuple[Term, ...]
    kinds: tuple[Kind, ...]
    parts: tuple[tuple[int, ...], ...]
    related: tuple[tuple[int, int], ...]
    sentences: tuple[Span, ...]


def phrases(text: str, ignoring: Sequence[Span] = ()) -> Phrases:
    """Everything `Phrases` promises, in one pass of the tagger. What lies in the spans to ignore is no word, and no
    name or phrase reaches across it.
    """
    read = _Read(text, ignoring)
    found = _Found()
    for first, last in read.sentences():
        _collect(read, found, first, last)
    return found.phrases(tuple(read.span(first, last) for first, last in read.sentences()))


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order; of a list or a table, its lines."""
    read = _Read(text, ())
    return [read.span(first, last) for first, last in read.sentences()]


def linked(groups: Sequence[Sequence[int]], alone: Reals, together: Reals) -> Flags:
    """Which groups of related terms are to be taken for one: those that tell more together (`together`, by group) than
    each of the terms does alone (`alone`, by term).
    """
    most = [max((float(alone[number]) for number in group), default=0.0) for group in groups]
    return np.asarray(together > np.array(most, np.float64), bool)


def spellings(term: Term, kind: Kind) -> str | tuple[str, ...]:
    """The ways in which others may write a term: a date with the day before the month or behind it."""
    if kind != "date":
        return term.text
    parts = term.text.split()
    turned = [parts[1], parts[0], *parts[2:]] if len(parts) > 2 else [parts[0], "of", *parts[1:]]
    return term.text, " ".join(turned)


class _Read:
    """A text as the tagger sees it, word by word."""

    def __init__(self, text: str, ignoring: Sequence[Span]) -> None:
        self.text = text
        tags = list(tagger().tag(text))
        self.starts: list[int] = [int(each) for tag in tags for each in tag.starts]
        self.ends: list[int] = [int(each) for tag in tags for each in tag.ends]
        self.parts = [PARTS[each] for tag in tags for each in tag.parts.tolist()]
        self.named = [bool(each) for tag in tags for each in tag.kinds[:, _NAMED].sum(axis=1) >= _LIKELY]
        self.forms = [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]
        self.words = self._words()
        self._ignore(union(ignoring))
        self._sentences = list(self._cut())

    def _words(self) -> list[tuple[str, ...]]:
        """The folded words of the text, at the places where the tagger sees them: cut in the same way but for case."""
        folded = fold(self.text)
        read: dict[tuple[int, int], list[str]] = {}
        for match in WORD.finditer(folded.text):
            span = folded.span(*match.span())
            read.setdefault((span.start, span.end), []).append(match.group())
        return [tuple(read.pop(place, ())) for place in zip(self.starts, self.ends, strict=True)]

    def _ignore(self, ignoring: Sequence[Span]) -> None:
        """What is ignored becomes a sign that no name or phrase reaches across."""
        at = 0
        for number, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            while at < len(ignoring) and ignoring[at].end <= start:
                at += 1
            if at < len(ignoring) and ignoring[at].start < end:
                self.words[number], self.parts[number], self.named[number] = (), "X", False
                self.forms[number] = "|"

    def span(self, first: int, last: int) -> Span:
        return Span(self.starts[first], self.ends[last - 1])

    def sentences(self) -> Sequence[tuple[int, int]]:
        return self._sentences

    def _cut(self) -> Iterator[tuple[int, int]]:
        first = 0
        for number in range(1, len(self.forms)):
            if self._ends_before(number):
                yield first, number
                first = number
        if self.forms:
            yield first, len(self.forms)

    def _ends_before(self, number: int) -> bool:
        """Whether a sentence ends before a word."""
        gap = self.text[self.ends[number - 1] : self.starts[number]]
        lines = gap.count("\n")
        if lines > 1:
            return True
        if lines and not self._is_wrapped(number):
            return True
        if not gap:
            return False
        before = number - 1
        while before > 0 and self.forms[before] in _AFTER and self.forms[before - 1] in _ENDS | _AFTER:
            before -= 1
        ended = self.forms[before] in _ENDS and self.parts[before] == "PUNCT"
        return ended and not self.forms[number][0].islower()

    def _is_wrapped(self, number: int) -> bool:
        """Whether the line break before a word is there for the length of the line alone."""
        if self.forms[number][0].islower() or self.forms[number - 1] in (",", ";"):
            return True
        start = self.text.rfind("\n", 0, self.ends[number - 1]) + 1
        return self.ends[number - 1] - start >= _WRAPPED and self.forms[number][0].isalnum()

    def is_proper(self, number: int) -> bool:
        if not self.words[number]:
            return False
        if self.parts[number] == "PROPN":
            return True
        common = self.forms[number].islower() and self.parts[number] not in ("ADJ", "NOUN", "NUM")
        return self.named[number] and not common


@dataclass
class _Found:
    """Terms as they are met, each once."""

    numbers: dict[str, int] = field(default_factory=dict)
    kinds: list[Kind] = field(default_factory=list)
    spans: list[set[Span]] = field(default_factory=list)
    related: dict[tuple[int, int], None] = field(default_factory=dict)

    def add(self, text: str, kind: Kind, span: Span) -> int:
        number = self.numbers.setdefault(text, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
            self.spans.append(set())
        elif self.kinds[number] in ("word", "phrase") and kind in ("name", "date"):
            self.kinds[number] = kind
        self.spans[number].add(span)
        return number

    def phrases(self, sentences: tuple[Span, ...]) -> Phrases:
        terms = tuple(Term(text, tuple(sorted(self.spans[number]))) for text, number in self.numbers.items())
        parts = tuple(
            tuple(dict.fromkeys(self.numbers[word] for word in text.split() if word in self.numbers))
            for text in self.numbers
        )
        return Phrases(terms, tuple(self.kinds), parts, tuple(self.related), sentences)


@dataclass(frozen=True, slots=True)
class _Unit:
    """Words from one to before another that belong together."""

    kind: Kind
    first: int
    last: int


def _collect(read: _Read, found: _Found, first: int, last: int) -> None:
    """The terms of one sentence, and which of its neighbours describe each other."""
    heads: list[tuple[int, int, int]] = []
    for unit in _units(read, first, last):
        head = _add(read, found, unit)
        if head is not None:
            heads.append((unit.first, unit.last, head))
    for (_, end, one), (start, _, other) in pairwise(heads):
        between = range(end, start)
        if one != other and len(between) <= _NEAR and all(_describes(read, number) for number in between):
            found.related[min(one, other), max(one, other)] = None


def _describes(read: _Read, number: int) -> bool:
    """Whether a word can stand between two that describe each other: no clause ends with it."""
    return read.parts[number] in ("ADP", "DET", "AUX", "PART", "PRON", "ADV") or read.forms[number] in _OPENING + "-'’"


def _add(read: _Read, found: _Found, unit: _Unit) -> int | None:
    """The terms of a unit; the number of the one that stands for all of it."""
    several = [(word, read.span(at, at + 1)) for at in range(unit.first, unit.last) for word in read.words[at]]
    if not several:
        return None
    whole = read.span(unit.first, unit.last)
    if unit.kind == "date":
        several = [(word, span) for word, span in several if word not in STOPWORDS or word in _MONTHS]
    fixed = unit.kind in ("name", "date")
    single: Kind = unit.kind if len(several) == 1 else "word"
    numbers = [found.add(word, single, whole if fixed else span) for word, span in several if is_feature(word)]
    for (one, start), (other, end) in pairwise(several):
        if len(several) > 2 and unit.kind != "date" and is_feature(one) and is_feature(other):
            found.add(f"{one} {other}", "phrase", whole if fixed else Span(start.start, end.end))
    if len(several) == 1:
        return numbers[0] if numbers else None
    if not numbers:  # nothing but stop words: a title such as "It", which alone can be counted by no one
        return found.add(" ".join(word for word, _ in several), unit.kind, whole) if unit.kind == "name" else None
    return found.add(" ".join(word for word, _ in several), unit.kind, whole)


def _units(read: _Read, first: int, last: int) -> Iterator[_Unit]:
    """The sentence in units, in order: titles, dates, names, noun phrases, and single words for the rest."""
    at = first
    while at < last:
        unit = _title(read, at, last) or _date(read, at, last) or _name(read, at, last) or _noun_phrase(read, at, last)
        yield unit or _Unit("word", at, at + 1)
        at = unit.last if unit else at + 1


def _title(read: _Read, at: int, last: int) -> _Unit | None:
    """What stands in quotes and begins with a capital or a number: the title of a work, most of the time."""
    if read.forms[at] not in _OPENING:
        return None
    for end in range(at + 1, min(at + 2 + _TITLE, last)):
        if read.forms[end] in _CLOSING:
            inner, behind = at + 1, end - (read.forms[end - 1] in ",.;")
            fits = behind > inner and (read.forms[inner][0].isupper() or read.forms[inner][0].isdigit())
            return _Unit("name", inner, behind) if fits and "|" not in read.forms[inner:behind] else None
    return None


def _date(read: _Read, at: int, last: int) -> _Unit | None:
    """A month with a day or a year, in any order."""
    end, seen = at, set()
    while end < last:
        form = read.forms[end].lower()
        kind = (
            "month" if form in _MONTHS else "year" if _YEAR.fullmatch(form) else "day" if _DAY.fullmatch(form) else ""
        )
        if kind and kind not in seen:
            seen.add(kind)
        elif not (seen and (form in ("of", ",", ".", "the") and "year" not in seen)):
            break
        end += 1
    while end > at and not _is_numeral_or_month(read.forms[end - 1].lower()):
        end -= 1
    proper = "month" in seen and len(seen) > 1 and end - at > 1
    return _Unit("date", at, end) if proper else None


def _is_numeral_or_month(form: str) -> bool:
    return form in _MONTHS or bool(_YEAR.fullmatch(form) or _DAY.fullmatch(form))


def _name(read: _Read, at: int, last: int) -> _Unit | None:
    """A run of proper nouns, or of what the tagger takes for one name, with what may join its parts."""
    if not read.is_proper(at):
        return None
    end = at + 1
    while end < last:
        reach = end
        while reach < last and reach - end < 2 and _joins(read, reach):
            reach += 1
        if reach < last and read.is_proper(reach) and not _is_possessive(read, reach):
            end = reach + 1
        else:
            break
    return _Unit("name", at, end)


def _joins(read: _Read, number: int) -> bool:
    form = read.forms[number]
    if form in (".", "-", "'", "’", "&"):
        return read.named[number] or read.parts[number] == "PROPN"
    return form.lower() in _JOINS


def _is_possessive(read: _Read, number: int) -> bool:
    return read.forms[number] in ("s", "S") and read.forms[number - 1] in ("'", "’")


def _noun_phrase(read: _Read, at: int, last: int) -> _Unit | None:
    """A run of adjectives and nouns that ends with a noun, or two of them with `of` between: a school of art."""
    end = _run(read, at, last)
    if end is None:
        return None
    if end + 1 < last and read.forms[end].lower() == "of" and (more := _run(read, end + 1, last)):
        end = more
    return _Unit("phrase", at, end) if 2 <= end - at <= 2 * LONGEST else None


def _run(read: _Read, at: int, last: int) -> int | None:
    """Where a run of adjectives and nouns from here ends, behind its last noun; proper nouns may follow, but a name
    that it would cut is left whole.
    """
    end, noun = at, None
    while end < last and end - at < LONGEST:
        part = read.parts[end]
        hyphen = read.forms[end] == "-" and end > at
        if not hyphen and (part not in ("ADJ", "NOUN") or not read.words[end] or read.is_proper(end)):
            break
        end += 1
        if part == "NOUN" and not hyphen:
            noun = end
    return noun
