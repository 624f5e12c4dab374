"""The place in a sentence that other words have to fit, and how they are made to fit it.

What an offer needs hangs on what stands around: an article before a noun that has none, `in` in place of `on` before a
month, no `the` within a name, a capital at the start of a sentence. Where the article before a span has to change, it
is replaced with the span.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from withhold.labels import KINDS
from withhold.spans import Span
from withhold.taxonomies.english import article, is_counted, is_plural

_ARTICLE = re.compile(r"(?:a|an|the)", re.I)
_OWNERS = "his her its their our my your this that these those each every another some any no whose both all either"
_DETERMINERS = frozenset(_OWNERS.split())
_SENTENCE_END = re.compile(r"(?:^|[.!?…]['\"”’)\]]*\s+|\n\s*|[a-z)][.!?])$")
_STOP = re.compile(r"(?<=[a-z)\"”])[.!?](?=\s|[A-Z])|\n")
_MORE_THAN = re.compile(
    r"\b(?:over|more than|at least|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|above|no less than)\s+$", re.I
)
_ABOUT = re.compile(
    r"\b(?:about|around|nearly|almost|some|approximately|roughly|up to|under|below|less than|fewer than|at most"
    r"|estimated|between|close to)\s+$",
    re.I,
)
_PREPOSITION = re.compile(
    r"\b(?:in|on|at|by|from|to|of|for|with|since|until|till|during|before|after|between|and|through|throughout|around|"
    r"into|over|around|about|within|as|or|than|like|early|late|mid)\s*$|mid-$",
    re.I,
)
_THE = re.compile(
    r"(?:United States|United Kingdom|United Arab Emirates|Netherlands|Philippines|Americas|Caribbean|Bahamas|Gambia"
    r"|Maldives|Solomon Islands|Marshall Islands|Czech Republic|Dominican Republic|Middle East|Faroe Islands)$"
)
_OWN_ARTICLE = re.compile(r"^(?:a|an|the) ", re.I)
_LOOSE = re.compile(r" (?:from|of|in|for|at|with) ")
_PARTS_BEFORE_NOUN = ("NOUN", "PROPN")


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A text as the tagger sees it: its words, their parts of speech, and how likely each names a person."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    parts: tuple[str, ...]
    persons: tuple[float, ...]

    @cached_property
    def people(self) -> frozenset[str]:
        """The words that are, on average of all their places, names of persons."""
        several: dict[str, list[float]] = {}
        for start, end, person in zip(self.starts, self.ends, self.persons, strict=True):
            several.setdefault(self.text[start:end], []).append(person)
        return frozenset(word for word, each in several.items() if word[0].isupper() and sum(each) / len(each) > 0.3)

    def at(self, span: Span) -> range:
        """The words that a span touches."""
        return range(bisect_right(self.ends, span.start), bisect_left(self.starts, span.end))


@lru_cache(maxsize=8)
def read(text: str) -> Reading:
    """The text, read once however often it is asked about."""
    from withhold.learners.tagger.network import PARTS, tagger

    tags = list(tagger().tag(text))
    person = KINDS.index("PERSON")
    return Reading(
        text,
        tuple(int(each) for tag in tags for each in tag.starts),
        tuple(int(each) for tag in tags for each in tag.ends),
        tuple(PARTS[each] for tag in tags for each in tag.parts.tolist()),
        tuple(float(each) for tag in tags for each in tag.kinds[:, person]),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Slot:
    """A span of a text that something else could stand in."""

    reading: Reading
    span: Span

    @classmethod
    def of(cls, text: str, span: Span) -> Slot:
        """The slot of a span, without the white space at its ends and the full stop behind it."""
        written = span.of(text)
        start, end = span.start + len(written) - len(written.lstrip()), span.end - len(written) + len(written.rstrip())
        if re.search(r"(?<![\w.])[^\W\d_]{3,}\.$", text[start:end]):
            end -= 1
        return cls(read(text), Span(start, max(start, end)))

    @property
    def text(self) -> str:
        return self.reading.text

    @property
    def written(self) -> str:
        return self.span.of(self.text)

    @property
    def before(self) -> str:
        return self.text[max(0, self.span.start - 200) : self.span.start]

    @property
    def after(self) -> str:
        return self.text[self.span.end : self.span.end + 200]

    @property
    def is_glued(self) -> bool:
        """Whether the span begins or ends within a word."""
        return self.before[-1:].isalnum() or self.after[:1].isalnum()

    @property
    def is_person(self) -> bool:
        here = self.reading.at(self.span)
        likely = bool(here) and sum(self.reading.persons[number] for number in here) / len(here) > 0.4
        return likely or self.written in self.reading.people

    @property
    def is_quoted(self) -> bool:
        """Whether it stands in quotes, and not within a name."""
        opened = re.search(r"(?:^|[^\w\s][ ]*|(?<![\w])[a-z0-9]\w*[ ]+)[\"“„«]$", self.before)
        return bool(opened) and self.after.lstrip(",.")[:1] in tuple('"”“»')

    @property
    def is_nickname(self) -> bool:
        """Whether it stands in quotes within a name: `Danny "Danno" Williams`."""
        return bool(re.search(r"[A-Z][\w.'’-]* [\"“]$", self.before) and re.match(r"[\"”] [A-Z]", self.after))

    @property
    def is_named(self) -> bool:
        """Whether it is written like a name: with a capital that no sentence asks for, or several."""
        words = [word for word in re.findall(r"[^\W_]+", self.written) if not word.isdigit()]
        large = [word for word in words if word[0].isupper()]
        if len(large) > 1 or not large or words[0] != large[0]:
            return len(large) > 1
        return not self.starts or (len(words) == 1 and self.part == "PROPN")

    @property
    def starts(self) -> bool:
        """Whether a sentence starts with it."""
        return bool(_SENTENCE_END.search(self.before))

    @property
    def determiner(self) -> Span | None:
        """The article or other determiner right before it."""
        found = re.search(r"(?:(?<=\s)|^|(?<=[(\"“]))([^\W\d_]+)[ ]+$", self.before)
        if found and (_ARTICLE.fullmatch(found[1]) or found[1].lower() in _DETERMINERS):
            start = self.span.start - len(self.before) + found.start(1)
            return Span(start, start + len(found[1]))
        return None

    @property
    def is_owned(self) -> bool:
        return bool(re.search(r"(?:['’]s|s['’])\s+$", self.before))

    def _part(self, number: int) -> str:
        return self.reading.parts[number] if 0 <= number < len(self.reading.parts) else ""

    @property
    def part(self) -> str:
        """The part of speech of its first word."""
        here = self.reading.at(self.span)
        return self._part(here.start) if here else ""

    @property
    def is_noun_phrase(self) -> bool:
        """Whether it has a noun, and begins like a phrase that tells of it; `struggling dancer` behind an article."""
        described = self.part == "VERB" and (self.determiner is not None or self.is_owned)
        begins = described or self.part in ("ADJ", "NOUN", "PROPN", "NUM", "DET", "ADV", "X")
        return begins and any(self._part(number) in ("NOUN", "PROPN") for number in self.reading.at(self.span))

    @property
    def sentence(self) -> str:
        """The sentence from its start to the end of the slot."""
        before = self.text[max(0, self.span.start - 600) : self.span.start]
        starts = [found.end() for found in _STOP.finditer(before)]
        return before[starts[-1] if starts else 0 :] + self.written

    @property
    def part_before(self) -> str:
        """The part of speech of the word before it, if nothing but a space is between."""
        here = self.reading.at(self.span)
        return self._part(here.start - 1) if here and re.search(r"[^\W_][ ]+$", self.before) else ""

    @property
    def part_after(self) -> str:
        here = self.reading.at(self.span)
        return self._part(here.stop) if here and re.match(r"(?:[ ]+|-)[^\W_]", self.after) else ""

    @property
    def describes(self) -> bool:
        """Whether it describes the noun behind it."""
        if self.part_after in _PARTS_BEFORE_NOUN:
            return True
        here = self.reading.at(self.span)
        return self.part_after == "ADJ" and self._part(here.stop + 1) == "NOUN"

    @property
    def is_apposed(self) -> bool:
        """Whether a noun right before it says already what it is: `the film …`, `director …`."""
        return self.part_before in ("NOUN", "PROPN", "ADJ", "NUM") and self.determiner is None and self.is_named


def fit(slot: Slot, offer: str, kind: str) -> tuple[Span, str] | None:
    """What to write, and in place of what, so that the offer reads well there; None if it cannot."""
    if slot.is_glued or not offer:
        return None
    if kind == "dates":
        return _fit_date(slot, offer)
    if kind == "numbers":
        return _fit_number(slot, offer)
    if kind in ("names", "stand-ins"):
        return _capital(slot, slot.span, offer)
    if offer[0].isupper():
        return _fit_name(slot, offer)
    return _fit_noun(slot, offer)


def _fit_date(slot: Slot, offer: str) -> tuple[Span, str] | None:
    described = slot.describes and not re.search(r"(?:in|since|from|by|until|on|to)\s+$", slot.before, re.I)
    if re.match(r"[–—-]\d\d(?!\d)", slot.after):
        return None
    paired = slot.before[-1:] in tuple("–—-(") or slot.after[:1] in tuple("–—-")
    if described:
        offer = re.sub(r"^(early|late) ", r"\1-", offer.removeprefix("the ")).removesuffix(" onwards")
        return _with_article(slot, offer)
    if paired:
        return _capital(slot, slot.span, offer.removeprefix("the "))
    on = re.search(r"\b(on)\s+$", slot.before, re.I)
    if on:
        start = slot.span.start - len(slot.before) + on.start(1)
        return Span(start, slot.span.end), ("In " if on[1] == "On" else "in ") + offer
    the = slot.determiner
    if the is not None and offer.startswith("the "):
        return _capital(slot, Span(the.start, slot.span.end), offer) if _is_article(slot, the) else None
    needs = offer.startswith("the ") and not _PREPOSITION.search(slot.before)
    if re.search(r"\b(?:early|late|mid)[\s-]*$", slot.before):
        offer = re.sub(r"^the (?:early |mid-|late )?", "", offer)
        needs = False
    return _capital(slot, slot.span, f"in {offer}" if needs else offer)


def _fit_number(slot: Slot, offer: str) -> tuple[Span, str] | None:
    if _MORE_THAN.search(slot.before):
        if offer.startswith(("between ", "about ", "most", "a ", "several", "multiple", "more than", "many")):
            return None
        if not offer.startswith("over "):
            return None
        offer = offer.removeprefix("over ")
    elif _ABOUT.search(slot.before) and re.match(r"over |between |about |more than ", offer):
        return None
    if _OWN_ARTICLE.match(offer):
        if slot.is_owned:
            return None
        the = slot.determiner
        if the is not None:
            return _capital(slot, Span(the.start, slot.span.end), offer) if _is_article(slot, the) else None
    if slot.describes and re.match(r"over |between |about |more than ", offer) and slot.determiner is not None:
        return None
    return _with_article(slot, offer)


def _fit_name(slot: Slot, offer: str) -> tuple[Span, str] | None:
    """A place or its people."""
    if _THE.match(offer) and not slot.describes and slot.determiner is None:
        offer = f"the {offer}"
    return _with_article(slot, offer)


def _fit_noun(slot: Slot, offer: str) -> tuple[Span, str] | None:
    own = _OWN_ARTICLE.match(offer)
    if own and offer.endswith("category") and slot.determiner is not None:
        return None
    noun = offer[own.end() :] if own else offer
    if slot.describes:
        return None if own or _LOOSE.search(noun) else _with_article(slot, noun)
    if slot.determiner is not None or slot.is_owned:
        return _with_article(slot, noun) if not own else _widened(slot, offer)
    if slot.is_apposed:
        return None
    bare = not slot.is_named or is_plural(noun) or not is_counted(noun)
    bare = bare or bool(re.match(r"(?:several|multiple|many|more than one|leading|one of) ", noun) and is_plural(noun))
    if own:
        return _capital(slot, slot.span, offer)
    bare = bare or bool(re.search(r"[–—-]\s*$", slot.before))
    return _capital(slot, slot.span, noun if bare else f"{article(noun)} {noun}")


def _widened(slot: Slot, offer: str) -> tuple[Span, str] | None:
    the = slot.determiner
    if the is None or not _is_article(slot, the):
        return None
    return _capital(slot, Span(the.start, slot.span.end), offer)


def _with_article(slot: Slot, offer: str) -> tuple[Span, str] | None:
    """The offer behind the determiner that is there; `a` and `an` as it sounds, none before several."""
    the = slot.determiner
    if the is not None and the.of(slot.text).lower() in ("a", "an"):
        many = re.match(r"(?:several|multiple|many|over|between) ", offer) and not slot.describes
        if many or (is_plural(offer) and not is_plural(slot.written) and not slot.describes and offer[0].islower()):
            return _capital(slot, Span(the.start, slot.span.end), offer)
        right = article(offer)
        if right != the.of(slot.text).lower():
            return _capital(slot, Span(the.start, slot.span.end), f"{right} {offer}")
    return _capital(slot, slot.span, offer)


def _is_article(slot: Slot, determiner: Span) -> bool:
    return bool(_ARTICLE.fullmatch(determiner.of(slot.text)))


def _capital(slot: Slot, span: Span, text: str) -> tuple[Span, str]:
    at = Slot(slot.reading, span)
    return span, text[0].upper() + text[1:] if at.starts else text
