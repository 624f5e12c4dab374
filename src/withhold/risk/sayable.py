"""Where a more general word would be true, and would read as what it replaces does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from withhold.learners.features import Features
from withhold.spans import Span
from withhold.text import fold_text

_NAME = "PROPN"
_NO_NOUNS, _NOUNS, _DESCRIBED = ("ADJ", "ADV", "VERB"), {"NOUN", _NAME}, {"NOUN", _NAME, "ADJ"}
_ONE = "of one kind"
_LISTED = re.compile(r"(?:,|,? (?:or|and|nor)) (\w+) (\w+)")
_LOOKED_AT, _LONG_LIST = 100, 1000
"""So many characters before a word are searched for what goes with it, and for what denies it."""
_DENIES = re.compile(
    r"\b(?:no|not|nor|none|never|neither|without|cannot|den(?:y|ies|ied|ying)|negative|absent|absence|lack(?:s|ed|ing)?"
    r"|free of|rul(?:e|es|ed) out|\w+n['’]t)\b|\(-\)",
    re.I,
)
_NEW_CLAUSE = re.compile(r"[.;:!?](?!\d)|\n|\(\+\)|\b(?:but|however|although|though|except)\b", re.I)
_JOINED = re.compile(r"[^\W_]['’.,/:+#%-]?$")
_JOINS = re.compile(r"['’./:-]?[^\W_]|,\d|[%°]")
_COUNTS = re.compile(r"\s+[^\W\d_]")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"([^\W\d_]+)[ -]$"), re.compile(r"[ -]([^\W\d_]+)")
_MEASURED = re.compile(
    r"(?:\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|nine)ty))\s+$",
    re.I,
)
_COMPARED = re.compile(r"\b(?:than|least|most|over|under|to|and|or|call(?:ed)?|number|room|grade|stage|type)\s+$", re.I)
_OPENS, _APART = re.compile(r"(?:^|[.;:!?\n,])\s*$"), re.compile(r"\s*,")
_MANNER = "somehow"
_DETERMINERS = ("some", "many", "several", "both", "more", "enough", "too much", "not there")
_DETERMINED = re.compile(
    r"\b(?:the|an?|his|her|their|its|our|your|my|this|that|these|those|no|any|some|each|every)\s+$", re.I
)
_ARTICLE = re.compile(r"(?:^|\s)an?\s+$", re.I)
_VOWELS = tuple("aeiou")
_BETWEEN = r"(?:(?:also|then|now|not|again|well|soon|just|still|never|\w+ly)\s+){0,2}"
_SHOWS = {
    "PASSIVE": re.compile(
        rf"\b(?:am|is|are|was|were|be|been|being)\s+(?:{_BETWEEN}\w+(?:ed|en|wn|ut|id)(?:,?\s+(?:and|or|then)|,)\s+){{0,3}}"
        rf"{_BETWEEN}$",
        re.I,
    ),
    "PERFECT": re.compile(rf"\b(?:has|have|had|having)\s+{_BETWEEN}$", re.I),
    "PAST": re.compile(rf"\b(?:he|she|it|they|we|i|you|who|which|this)\s+{_BETWEEN}$", re.I),
}
"""What stands before a verb that shows which form it is; `was washed, dried and dressed` shows three."""
_ABBREVIATED = 4
"""What is written in so many capitals, at most, is an abbreviation: a dictionary has another word of that spelling."""


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """A text, and the parts of speech of its words by where they start."""

    text: str
    parts: dict[int, str]

    @classmethod
    def of(cls, text: str) -> Places:
        from withhold.learners.tagger.network import PARTS, tagger

        tagged = [
            (int(start), PARTS[part])
            for tags in tagger().tag(text)
            for start, part in zip(tags.starts, tags.parts.tolist(), strict=True)
        ]
        return cls(text, dict(tagged))

    def use(self, spans: Sequence[Span]) -> str:
        """How a word is used in all of its places: its part of speech, or of a verb, what form it is shown to be; or
        nothing if it is used in several ways. What looks like a name in some is what it is in others.
        """
        uses = {self._use(span) for span in spans}
        return (uses - {_NAME} or uses).pop() if len(uses - {_NAME}) < 2 else ""

    def _use(self, span: Span) -> str:
        part = self.parts.get(span.start, "")
        if part != "VERB":
            return part
        before = self.text[max(0, span.start - _LOOKED_AT) : span.start]
        return next((use for use, shows in _SHOWS.items() if shows.search(before)), part)

    def joined(self, spans: Sequence[Span]) -> set[str]:
        """What a word may be a part of: it and the word before it, it and the word behind it."""
        found = set[str]()
        for span in spans:
            word = span.of(self.text)
            if before := _WORD_BEFORE.search(self.text[max(0, span.start - _LOOKED_AT) : span.start]):
                found.add(fold_text(f"{before[1]} {word}"))
            if after := _WORD_AFTER.match(self.text, span.end):
                found.add(fold_text(f"{word} {after[1]}"))
        return found

    def written(self, spans: Sequence[Span], offer: str, *, as_used: bool = False, is_kind: bool = False) -> str:
        """An offer as it can stand in all of the places of a word, or nothing. It may be meant for how the word is
        used, and be a kind of thing.

        It cannot stand in a part of a longer word or number, nor behind an article that does not go with it, and a noun
        only for a noun. That someone has no fever does not say that they have no symptom: they have no symptom of one
        kind. Of what else is denied, function words alone say the same.
        """
        if not all(_fits(self.text, span, offer) for span in spans):
            return ""
        if not as_used and not Features().counts(offer):
            return offer
        parts = {self.parts.get(span.start, "") for span in spans}
        if not as_used and parts.intersection(_NO_NOUNS):
            return ""
        if not any(is_denied(self.text, span) for span in spans):
            return offer
        return f"{offer} {_ONE}" if is_kind and parts <= _NOUNS and all(map(self._is_head, spans)) else ""

    def _is_head(self, span: Span) -> bool:
        """Whether no noun follows that a word would describe: `chest`, but neither of `leg or calf pain`."""
        if self.parts.get(span.end + 1) in _DESCRIBED and self.text[span.end : span.end + 1] in " -":
            return False
        listed = _LISTED.match(self.text, span.end)
        return not listed or not all(self.parts.get(listed.start(each)) in _NOUNS for each in (1, 2))


def is_denied(text: str, span: Span) -> bool:
    """Whether something before it in its clause denies it."""
    before = text[max(0, span.start - _LONG_LIST) : span.start]
    starts = [found.end() for found in _NEW_CLAUSE.finditer(before)]
    return bool(_DENIES.search(before, starts[-1] if starts else 0))


def _fits(text: str, span: Span, offer: str) -> bool:
    written, before = span.of(text), text[max(0, span.start - 4) : span.start]
    after = text[span.end : span.end + 4]
    if _JOINED.search(before) or _JOINS.match(after):
        return False
    ahead = text[max(0, span.start - _LOOKED_AT) : span.start]
    if _MEASURED.search(ahead) and not written.endswith("s"):
        return False
    if offer == _MANNER and _OPENS.search(ahead) and _APART.match(text, span.end):
        return False
    if offer in _DETERMINERS and _DETERMINED.search(ahead):
        return False
    if written.isdigit():
        return bool(_COUNTS.match(after)) and not _COMPARED.search(ahead)
    if written.isupper() and len(written) <= _ABBREVIATED:
        return False
    return not _ARTICLE.search(before) or written.lower().startswith(_VOWELS) == offer.lower().startswith(_VOWELS)
