"""Whether the words of an entity, found elsewhere in a text, are a mention of it there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from withhold.detectors.company_forms import ABBREVIATIONS, GIVEN_NAMES, PLACES, STOPS, compact, table
from withhold.detectors.dictionary import is_word
from withhold.detectors.entities.forms import Form
from withhold.detectors.entities.people import Gender, Part, title_before
from withhold.detectors.entities.search import Hit, Search
from withhold.detectors.surroundings import Surroundings
from withhold.spans import Span
from withhold.text import WORD, fold

_MONTHS = table("january february march april may june july august september october november december sunday")
_DATE_BEFORE = re.compile(
    r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?:\sof)?\s$|\b(?:in|of|since|until|by|last|next|early|late|during)\s$"
)
_DATE_BEHIND = re.compile(r"[\s,]{0,2}\d")
_INITIALS_BEFORE = re.compile(r"(?<![^\W_])((?:[A-Z]\.[ \u00a0-]?){1,4}|(?![AI][ \u00a0])[A-Z]{1,2}[ \u00a0])$")
_INITIALS_BEHIND = re.compile(r",?[ \u00a0]((?:[A-Z]\.[ -]?){1,3})(?![^\W_]|[ \u00a0][A-Z])")
_GIVEN_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]{2,20}(?:-[^\W\d_]{2,20})?)[ \u00a0]$")
_NAME_BEHIND = re.compile(r"[ \u00a0]([^\W\d_]{2,20})(?![^\W_])")
_SUFFIX = re.compile(r",?[ \u00a0](?:Jr|Sr|Esq|QC|KC|[IVX]{2,5})\b\.?")
_DOTTED = re.compile(r"[A-Z](?:\.[ -]?[A-Z])+\.?")
_ADDRESS_SIGN = re.compile(r"[@._/#0-9-]")
_SHORTEST_SMALL = 4
_MANY = 200
_FEW = 2
_SELDOM_SMALL = table("john peter tom mike jimmy tommy")
_UNSURE_IN_SMALL = 0.6


Fits = Callable[[int, Part], bool]
Nearly = Callable[[int, str], bool]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a stretch of text is to an entity: how much of its sureness it has, and whether that is enough to act.

    `gender` and `given` are what the words around it say of a person. `other` is a name that only shares a word with
    the entity, and is somebody else's.
    """

    span: Span
    weight: float
    sure: bool
    role: str
    gender: Gender | None = None
    given: Part = ()
    other: bool = False


class Judge:
    """Sees what stands around the words of a form."""

    def __init__(self, text: str, search: Search, fits: Fits, nearly: Nearly) -> None:
        """`fits` says whether an entity has a name, or one with that initial, `nearly` whether it is almost that."""
        self.text = text
        self.search = search
        self.around = Surroundings(text)
        self._fits = fits
        self._nearly = nearly

    def judge(self, hit: Hit, form: Form, numbers: list[int], *, small: bool, weak: bool) -> Judged | None:
        """What a hit is for one of its forms. `small` says that the entity was found in small letters too, `weak` that
        nothing but words of the language make its name, which are mostly used as such.
        """
        written = self.search.folded.text[hit.start : hit.end]
        span = self._shown(self.search.folded.span(hit.start, hit.end))
        if hit.misspelt and form.role in ("handle", "initials", "abbreviation", "repetition", "family"):
            return None
        if form.role == "repetition":
            plus = self.text[span.start - 1 : span.start] == "+"
            return Judged(Span(span.start - plus, span.end), form.weight, True, form.role)
        if "," in written and form.role != "name in another order":
            return None
        if form.surface is not None:
            judged = self._surface(form, span, weak)
        elif form.role in ("initials", "abbreviation"):
            judged = self._capitals(form, span, written, len(numbers) == 1)
        elif form.role == "handle":
            judged = self._handle(form, span, written)
        else:
            judged = self._name(form, span, written, numbers, small=small, weak=weak)
        if judged and hit.misspelt:
            judged = replace(judged, weight=judged.weight * 0.75, role="misspelling")
        return judged

    def last_word(self, hit: Hit) -> str:
        words: list[str] = WORD.findall(self.search.folded.text[hit.start : hit.end].casefold())
        return words[-1]

    def _shown(self, span: Span) -> Span:
        """The span without white space that folding has put at its end."""
        end = span.end
        while end > span.start and self.text[end - 1].isspace():
            end -= 1
        return Span(span.start, end)

    def _surface(self, form: Form, span: Span, weak: bool) -> Judged | None:
        assert form.surface is not None
        mention = self.around.judge(form.surface, span, whole=True)
        if not mention or not mention.span:
            return None
        sure = mention.score >= 0.5 and not weak
        return Judged(mention.span, min(mention.score, form.weight), sure, form.role)

    def _capitals(self, form: Form, span: Span, written: str, unique: bool) -> Judged | None:
        letters = "".join(WORD.findall(written))
        dotted = bool(_DOTTED.fullmatch(written))
        if not letters.isupper() or (len(letters) < len(written) and not dotted and "&" not in written):
            return None
        if self.text[span.end : span.end + 1] == "." and dotted:
            span = Span(span.start, span.end + 1)
        if form.role == "abbreviation":
            return Judged(span, form.weight, True, form.role)
        if not dotted and (letters.lower() in ABBREVIATIONS or is_word(letters.lower())):
            return None
        return Judged(span, form.weight, unique and (dotted or len(letters) > 2), form.role)

    def _handle(self, form: Form, span: Span, written: str) -> Judged | None:
        part = self._address(span)
        if part is None and (len(written) < 6 or is_word(written.casefold())):
            return None
        return Judged(part or span, form.weight, True, form.role)

    def _address(self, span: Span) -> Span | None:
        """The name before the "@" of an address, or the handle, that a span is part of."""
        if not _ADDRESS_SIGN.search(self.text, max(0, span.start - 1), span.end + 1):
            return None
        for part, kind in self.around.parts(span):
            if span in part:
                return part if kind in ("handle", "hashtag") else span
        return None

    def _name(
        self, form: Form, span: Span, written: str, numbers: list[int], *, small: bool, weak: bool
    ) -> Judged | None:
        words = WORD.findall(written.casefold())
        whole = form.role in ("full name", "name in another order")
        ordinary = all(self._is_ordinary(word) for word in words)
        if (part := self._address(span)) is not None:
            sure = whole or not ordinary or part == span
            return Judged(part if sure else span, min(form.weight, 0.8), sure, "handle") if not weak else None
        if written.islower():
            return (
                None
                if weak and ordinary
                else self._small(form, span, words, ordinary=ordinary, small=small, whole=whole)
            )
        if whole:
            return self._with_title(Judged(span, form.weight, True, form.role))
        if form.role == "family":
            return self._family(form, span, ordinary)
        if judged := self._widened(form, span, numbers):
            return judged
        if not ordinary:
            return self._with_title(Judged(span, form.weight, True, form.role))
        return self._ordinary(form, span, words, weak)

    def _is_ordinary(self, word: str) -> bool:
        if word in GIVEN_NAMES or word in PLACES:
            return word in STOPS
        return is_word(word) or self._often_small(word)

    def _often_small(self, word: str) -> bool:
        return self.search.small.get(word, 0) > max(_FEW, self.search.large.get(word, 0))

    def _small(
        self, form: Form, span: Span, words: list[str], *, ordinary: bool, small: bool, whole: bool
    ) -> Judged | None:
        if small or (whole and not ordinary):
            return Judged(span, min(form.weight, 0.8), True, form.role)
        ordinary = ordinary or all(is_word(word) and word not in _SELDOM_SMALL for word in words)
        if ordinary or len("".join(words)) < _SHORTEST_SMALL or form.role == "family":
            return None
        return Judged(span, min(form.weight, _UNSURE_IN_SMALL), True, form.role)

    def _family(self, form: Form, span: Span, ordinary: bool) -> Judged | None:
        before, behind = self.text[max(0, span.start - 4) : span.start], self.text[span.end : span.end + 1]
        if ordinary and before.lower() != "the " and behind not in ("'", "’"):
            return None
        return Judged(span, form.weight, True, form.role)

    def _ordinary(self, form: Form, span: Span, words: list[str], weak: bool) -> Judged | None:
        """A word of the language with a capital: a name, unless it starts a sentence or is a date."""
        if words[-1] in _MONTHS and (
            _DATE_BEFORE.search(self.text, max(0, span.start - 10), span.start)
            or _DATE_BEHIND.match(self.text, span.end)
        ):
            return None
        if weak:
            return Judged(span, 0.4, False, form.role)
        if not self.around.starts_sentence(span) and not self._in_capitals(span):
            return Judged(span, min(form.weight, 0.75), True, form.role)
        sure = words[-1] not in STOPS and (
            self.text.startswith(("'s", "’s"), span.end) or not any(map(self._often_small, words))
        )
        return Judged(span, 0.6 if sure else 0.4, sure, form.role)

    def _in_capitals(self, span: Span) -> bool:
        """Whether the line around is written in capitals, so that those of the words say nothing."""
        nearby = self.text[max(0, span.start - 20) : span.start] + self.text[span.end : span.end + 20]
        return span.of(self.text).isupper() and len(span) > 1 and not any(map(str.islower, nearby))

    def _with_title(self, judged: Judged) -> Judged:
        """A mention with the title before it and what belongs to the name behind it."""
        span = judged.span
        if suffix := _SUFFIX.match(self.text, span.end):
            span = Span(span.start, suffix.end())
        title = title_before(self.text, span.start)
        if title is None:
            return replace(judged, span=span)
        return replace(judged, span=Span(title[0], span.end), gender=title[1], weight=max(judged.weight, 0.95))

    def _widened(self, form: Form, span: Span, numbers: list[int]) -> Judged | None:
        """A part of a name with the initials, the given name or the title that stand around it; None if none do."""
        plain = Judged(span, 0.95, True, form.role)
        if form.role in ("surname", "name", "part of a name"):
            if before := _INITIALS_BEFORE.search(self.text, max(0, span.start - 16), span.start):
                initial: Part = (before[1][0].casefold(),)
                wide = Span(before.start(1), span.end)
                return self._with_title(replace(plain, span=wide, given=initial, other=not self._any(numbers, initial)))
            if behind := _INITIALS_BEHIND.match(self.text, span.end):
                initial = (behind[1][0].casefold(),)
                if self._any(numbers, initial):
                    return self._with_title(replace(plain, span=Span(span.start, behind.end(1)), given=initial))
            given = _GIVEN_BEFORE.search(self.text, max(0, span.start - 40), span.start)
            if given and given[1][0].isupper() and (name := compact(given[1])) not in STOPS:
                named = replace(plain, span=Span(given.start(1), span.end), weight=0.8)
                if not is_word(name) and any(self._nearly(number, name) for number in numbers[:_MANY]):
                    return self._with_title(named)
                if name in GIVEN_NAMES:
                    return self._with_title(replace(named, given=(name,), other=not self._any(numbers, (name,))))
        titled = self._with_title(plain)
        if titled.span.start < span.start:
            return titled
        if form.role == "given name" and (behind := _NAME_BEHIND.match(self.text, span.end)):
            name = fold(behind[1]).text
            if behind[1].istitle() and not is_word(name) and not self._any(numbers, (name,)):
                return Judged(Span(span.start, behind.end(1)), 0.7, True, form.role, other=True)
        return None

    def _any(self, numbers: list[int], part: Part) -> bool:
        return any(self._fits(number, part) for number in numbers[:_MANY])
