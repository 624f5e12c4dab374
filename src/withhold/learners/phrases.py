"""The terms of a text: its words, names, dates and noun phrases, and which of them belong together."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from withhold.labels import KINDS
from withhold.learners.features import LONGEST, is_feature
from withhold.learners.stopwords import STOPWORDS
from withhold.learners.tagger.network import PARTS, tagger
from withhold.learners.tagger.words import cut
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
_ENDING = _ENDS | _AFTER
_WRAPPED = 50
"""A line of at least so many characters can have been broken for its length alone."""
_TEXTS, _SENTENCES = 3, 50_000
"""How many texts and sentences a reader keeps."""
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
    return Reader().phrases(text, ignoring)


class Reader:
    """Reads texts that have much in common: what was made of a text, and of a sentence, is kept.

    Of a text that was made from one that it has read, `edit` says what is new in it. Then the tagger looks at that, and
    what stands near; all other words are what they were.
    """

    def __init__(self) -> None:
        self._texts: OrderedDict[str, Read] = OrderedDict()
        self._sentences: dict[Sentence, Gathered] = {}
        self._looked: dict[str, tuple[list[str], list[bool]]] = {}

    def phrases(self, text: str, ignoring: Sequence[Span] = ()) -> Phrases:
        read = self.read(text).without(union(ignoring))
        found = _Found()
        bounds = read.sentences()
        for first, last in bounds:
            sentence = read.sentence(first, last)
            if sentence not in self._sentences:
                self._sentences[sentence] = _gather(sentence)
            found.gather(self._sentences[sentence], read, first)
        return found.phrases(tuple(read.span(first, last) for first, last in bounds))

    def read(self, text: str) -> Read:
        if text not in self._texts:
            self._keep(text, Read.of(text))
        self._texts.move_to_end(text)
        return self._texts[text]

    def edit(self, source: str, text: str, put: Sequence[tuple[Span, Span]]) -> None:
        """Read a text that was made from a source: what was taken out of the source, and where something else now
        stands in its place, in order.
        """
        if text not in self._texts:
            self._keep(text, self.read(source).edited(text, put, self._looked))

    def _keep(self, text: str, read: Read) -> None:
        """Keep a text, and of others those that were asked for last."""
        self._texts[text] = read
        if len(self._texts) > _TEXTS:
            self._texts.popitem(last=False)
        if len(self._sentences) + len(self._looked) > _SENTENCES:
            self._sentences.clear()
            self._looked.clear()


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order; of a list or a table, its lines."""
    read = Read.of(text)
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


Sentence = tuple[tuple[str, ...], tuple[str, ...], tuple[bool, ...], tuple[tuple[str, ...], ...]]
"""The forms of its words, their parts of speech, whether each belongs to a name, and what each is when folded."""

_CONTEXT = 32
"""So many words on both sides are shown to the tagger along with words that are new."""


@dataclass(frozen=True, eq=False, repr=False)
class Read:
    """A text as the tagger sees it, word by word."""

    text: str
    starts: list[int]
    ends: list[int]
    forms: list[str]
    words: list[tuple[str, ...]]
    parts: list[str]
    named: list[bool]

    @classmethod
    def of(cls, text: str) -> Read:
        tags = list(tagger().tag(text))
        starts = [each for tag in tags for each in tag.starts.tolist()]
        ends = [each for tag in tags for each in tag.ends.tolist()]
        forms = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        parts = [PARTS[each] for tag in tags for each in tag.parts.tolist()]
        named = [bool(each) for tag in tags for each in tag.kinds[:, _NAMED].sum(axis=1) >= _LIKELY]
        return cls(text, starts, ends, forms, _folded(text, starts, ends), parts, named)

    def without(self, ignoring: Sequence[Span]) -> Read:
        """The same, where what is ignored is a sign that no name or phrase reaches across."""
        if not ignoring:
            return self
        forms, words, parts, named = [*self.forms], [*self.words], [*self.parts], [*self.named]
        for span in ignoring:
            for number in range(bisect_right(self.ends, span.start), bisect_left(self.starts, span.end)):
                forms[number], words[number], parts[number], named[number] = "|", (), "X", False
        return Read(self.text, self.starts, self.ends, forms, words, parts, named)

    def edited(
        self, text: str, put: Sequence[tuple[Span, Span]], known: dict[str, tuple[list[str], list[bool]]]
    ) -> Read:
        """What a text is that was made from this one: words that stood here are as they were, those at what is new are
        looked at with some words around them. `known` is what was looked at before.
        """
        made = Read(text, [], [], [], [], [], [])
        fresh: list[tuple[int, int]] = []
        done, moved = 0, 0
        for first, last, start, end, shift in self._regions(text, put):
            made._copy(self, done, first, moved)
            here = cut(text[start:end])
            starts, ends = (here.starts + start).tolist(), (here.ends + start).tolist()
            fresh.append((len(made.starts), len(made.starts) + len(starts)))
            made.starts.extend(starts)
            made.ends.extend(ends)
            made.forms.extend(text[at:to] for at, to in zip(starts, ends, strict=True))
            local = _folded(text[start:end], here.starts.tolist(), here.ends.tolist())
            made.words.extend(local)
            made.parts.extend([""] * len(starts))
            made.named.extend([False] * len(starts))
            done, moved = last, shift
        made._copy(self, done, len(self.starts), moved)
        for first, last in fresh:
            made._look(first, last, known)
        return made

    def _regions(self, text: str, put: Sequence[tuple[Span, Span]]) -> Iterator[tuple[int, int, int, int, int]]:
        """Which words are new: from one word of this text to before another, from where to where they stand in the
        edited one, and how far what follows has moved. A word on each side is looked at again, since it can have grown.
        """
        merged: list[list[int]] = []
        for taken, stands in put:
            first = max(bisect_left(self.ends, taken.start) - 1, 0)
            last = min(bisect_right(self.starts, taken.end) + 1, len(self.starts))
            shift = stands.end - taken.end
            if merged and first <= merged[-1][1]:
                merged[-1][1:] = [max(last, merged[-1][1]), shift]
            else:
                merged.append([first, last, shift])
        before = 0
        for first, last, shift in merged:
            start = self.starts[first] + before if first < len(self.starts) and first > 0 else 0
            end = self.ends[last - 1] + shift if last < len(self.starts) else len(text)
            yield first, last, start, end, shift
            before = shift

    def _copy(self, source: Read, first: int, last: int, moved: int) -> None:
        self.starts.extend([each + moved for each in source.starts[first:last]])
        self.ends.extend([each + moved for each in source.ends[first:last]])
        for name in ("forms", "words", "parts", "named"):
            getattr(self, name).extend(getattr(source, name)[first:last])

    def _look(self, first: int, last: int, known: dict[str, tuple[list[str], list[bool]]]) -> None:
        """Ask the tagger about some words, with some on both sides."""
        if first == last:
            return
        left, right = max(first - _CONTEXT, 0), min(last + _CONTEXT, len(self.starts))
        around = self.text[self.starts[left] : self.ends[right - 1]]
        if around not in known:
            tags = list(tagger().tag(around))
            known[around] = (
                [PARTS[each] for tag in tags for each in tag.parts.tolist()],
                [bool(each) for tag in tags for each in tag.kinds[:, _NAMED].sum(axis=1) >= _LIKELY],
            )
        parts, named = known[around]
        if len(parts) == right - left:  # else the words at the edges are cut in another way, and nothing is known
            self.parts[first:last] = parts[first - left : last - left]
            self.named[first:last] = named[first - left : last - left]
        else:
            self.parts[first:last] = ["X"] * (last - first)

    def span(self, first: int, last: int) -> Span:
        return Span(self.starts[first], self.ends[last - 1])

    def sentence(self, first: int, last: int) -> Sentence:
        part = slice(first, last)
        return tuple(self.forms[part]), tuple(self.parts[part]), tuple(self.named[part]), tuple(self.words[part])

    def sentences(self) -> list[tuple[int, int]]:
        """From which word to before which other each sentence goes."""
        text, starts, ends, forms = self.text, self.starts, self.ends, self.forms
        bounds = [0]
        for number in range(1, len(forms)):
            gap = text[ends[number - 1] : starts[number]]
            if gap and (gap != " " or forms[number - 1] in _ENDING) and self._ends_before(number, gap):
                bounds.append(number)
        return list(pairwise([*bounds, len(forms)])) if forms else []

    def _ends_before(self, number: int, gap: str) -> bool:
        """Whether a sentence ends before a word."""
        lines = gap.count("\n")
        if lines > 1:
            return True
        if lines and not self._is_wrapped(number):
            return True
        before = number - 1
        while before > 0 and self.forms[before] in _AFTER and self.forms[before - 1] in _ENDING:
            before -= 1
        ended = self.forms[before] in _ENDS and self.parts[before] == "PUNCT"
        return ended and not self.forms[number][0].islower()

    def _is_wrapped(self, number: int) -> bool:
        """Whether the line break before a word is there for the length of the line alone."""
        if self.forms[number][0].islower() or self.forms[number - 1] in (",", ";"):
            return True
        start = self.text.rfind("\n", 0, self.ends[number - 1]) + 1
        return self.ends[number - 1] - start >= _WRAPPED and self.forms[number][0].isalnum()


def _folded(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[tuple[str, ...]]:
    """The folded words of a text, at the places where the tagger sees them: cut in the same way but for case."""
    folded = fold(text)
    read: dict[tuple[int, int], list[str]] = {}
    for match in WORD.finditer(folded.text):
        span = folded.span(*match.span())
        read.setdefault((span.start, span.end), []).append(match.group())
    return [tuple(read.pop(place, ())) for place in zip(starts, ends, strict=True)]


class _Words:
    """One sentence, word by word."""

    def __init__(self, sentence: Sentence) -> None:
        self.forms, self.parts, self.named, self.words = sentence

    def is_proper(self, number: int) -> bool:
        if not self.words[number]:
            return False
        if self.parts[number] == "PROPN":
            return True
        common = self.forms[number].islower() and self.parts[number] not in ("ADJ", "NOUN", "NUM")
        return self.named[number] and not common


@dataclass(slots=True)
class Gathered:
    """The terms of one sentence: each with its kind, from which word to before which other; and which of them describe
    each other.
    """

    terms: list[tuple[str, Kind, int, int]] = field(default_factory=list)
    related: list[tuple[str, str]] = field(default_factory=list)

    def add(self, text: str, kind: Kind, first: int, last: int) -> str:
        self.terms.append((text, kind, first, last))
        return text


@dataclass
class _Found:
    """Terms as they are met, each once."""

    numbers: dict[str, int] = field(default_factory=dict)
    kinds: list[Kind] = field(default_factory=list)
    spans: list[list[Span]] = field(default_factory=list)
    related: dict[tuple[int, int], None] = field(default_factory=dict)

    def add(self, text: str, kind: Kind, span: Span) -> int:
        number = self.numbers.setdefault(text, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
            self.spans.append([])
        elif self.kinds[number] in ("word", "phrase") and kind in ("name", "date"):
            self.kinds[number] = kind
        if not self.spans[number] or self.spans[number][-1] != span:  # they come in order
            self.spans[number].append(span)
        return number

    def gather(self, gathered: Gathered, read: Read, start: int) -> None:
        """The terms of a sentence that starts with a word."""
        for text, kind, first, last in gathered.terms:
            self.add(text, kind, read.span(start + first, start + last))
        for one, other in gathered.related:
            left, right = self.numbers[one], self.numbers[other]
            self.related[min(left, right), max(left, right)] = None

    def phrases(self, sentences: tuple[Span, ...]) -> Phrases:
        terms = tuple(Term(text, tuple(self.spans[number])) for text, number in self.numbers.items())
        parts = tuple(
            tuple(dict.fromkeys(self.numbers[word] for word in text.split() if word in self.numbers))
            if " " in text
            else (number,)
            for text, number in self.numbers.items()
        )
        return Phrases(terms, tuple(self.kinds), parts, tuple(self.related), sentences)


@dataclass(frozen=True, slots=True)
class _Unit:
    """Words from one to before another that belong together."""

    kind: Kind
    first: int
    last: int


def _gather(sentence: Sentence) -> Gathered:
    """The terms of one sentence, and which of its neighbours describe each other."""
    read, found = _Words(sentence), Gathered()
    heads: list[tuple[int, int, str]] = []
    for unit in _units(read, 0, len(read.forms)):
        head = _add(read, found, unit)
        if head is not None:
            heads.append((unit.first, unit.last, head))
    for (_, end, one), (start, _, other) in pairwise(heads):
        between = range(end, start)
        if one != other and len(between) <= _NEAR and all(_describes(read, number) for number in between):
            found.related.append((one, other))
    return found


def _describes(read: _Words, number: int) -> bool:
    """Whether a word can stand between two that describe each other: no clause ends with it."""
    return read.parts[number] in ("ADP", "DET", "AUX", "PART", "PRON", "ADV") or read.forms[number] in _OPENING + "-'’"


def _add(read: _Words, found: Gathered, unit: _Unit) -> str | None:
    """The terms of a unit; the one that stands for all of it."""
    several = [(word, at) for at in range(unit.first, unit.last) for word in read.words[at]]
    if not several:
        return None
    whole = unit.first, unit.last
    if unit.kind == "date":
        several = [(word, at) for word, at in several if word not in STOPWORDS or word in _MONTHS]
    fixed = unit.kind in ("name", "date")
    single: Kind = unit.kind if len(several) == 1 else "word"
    words = [found.add(word, single, *(whole if fixed else (at, at + 1))) for word, at in several if is_feature(word)]
    for (one, start), (other, end) in pairwise(several):
        if len(several) > 2 and unit.kind != "date" and is_feature(one) and is_feature(other):
            found.add(f"{one} {other}", "phrase", *(whole if fixed else (start, end + 1)))
    if len(several) == 1:
        return words[0] if words else None
    if not words:  # nothing but stop words: a title such as "It", which alone can be counted by no one
        return found.add(" ".join(word for word, _ in several), unit.kind, *whole) if unit.kind == "name" else None
    return found.add(" ".join(word for word, _ in several), unit.kind, *whole)


def _units(read: _Words, first: int, last: int) -> Iterator[_Unit]:
    """The sentence in units, in order: titles, dates, names, noun phrases, and single words for the rest."""
    at = first
    while at < last:
        unit = _title(read, at, last) or _date(read, at, last) or _name(read, at, last) or _noun_phrase(read, at, last)
        yield unit or _Unit("word", at, at + 1)
        at = unit.last if unit else at + 1


def _title(read: _Words, at: int, last: int) -> _Unit | None:
    """What stands in quotes and begins with a capital or a number: the title of a work, most of the time."""
    if read.forms[at] not in _OPENING:
        return None
    for end in range(at + 1, min(at + 2 + _TITLE, last)):
        if read.forms[end] in _CLOSING:
            inner, behind = at + 1, end - (read.forms[end - 1] in ",.;")
            fits = behind > inner and (read.forms[inner][0].isupper() or read.forms[inner][0].isdigit())
            return _Unit("name", inner, behind) if fits and "|" not in read.forms[inner:behind] else None
    return None


def _date(read: _Words, at: int, last: int) -> _Unit | None:
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


def _name(read: _Words, at: int, last: int) -> _Unit | None:
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


def _joins(read: _Words, number: int) -> bool:
    form = read.forms[number]
    if form in (".", "-", "'", "’", "&"):
        return read.named[number] or read.parts[number] == "PROPN"
    return form.lower() in _JOINS


def _is_possessive(read: _Words, number: int) -> bool:
    return read.forms[number] in ("s", "S") and read.forms[number - 1] in ("'", "’")


def _noun_phrase(read: _Words, at: int, last: int) -> _Unit | None:
    """A run of adjectives and nouns that ends with a noun, or two of them with `of` between: a school of art."""
    end = _run(read, at, last)
    if end is None:
        return None
    if end + 1 < last and read.forms[end].lower() == "of" and (more := _run(read, end + 1, last)):
        end = more
    return _Unit("phrase", at, end) if 2 <= end - at <= 2 * LONGEST else None


def _run(read: _Words, at: int, last: int) -> int | None:
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
