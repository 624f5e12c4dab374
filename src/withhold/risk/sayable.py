"""Where a more general word would be true, and would read as what it replaces does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from withhold.learners.features import Features
from withhold.spans import Span

_NO_NOUNS = ("ADJ", "ADV", "VERB")
_LOOKED_AT = 200
"""So many characters before a word are searched for what denies it."""
_DENIES = re.compile(
    r"\b(?:no|not|nor|none|never|neither|without|cannot|den(?:y|ies|ied|ying)|negative|absent|absence|lack(?:s|ed|ing)?"
    r"|free of|rul(?:e|es|ed) out|\w+n['’]t)\b",
    re.I,
)
_NEW_CLAUSE = re.compile(r"[.;:!?](?!\d)|\n|\b(?:but|however|although|though|except)\b", re.I)
_JOINED = re.compile(r"[^\W_]['’.,/:+#%-]?$")
_JOINS = re.compile(r"['’./:-]?[^\W_]|,\d|[%°]")
_COUNTS = re.compile(r"\s+[^\W\d_]")
_ARTICLE = re.compile(r"(?:^|\s)an?\s+$", re.I)
_VOWELS = tuple("aeiou")
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

    def take(self, spans: Sequence[Span], offer: str) -> bool:
        """Whether an offer can stand in all of the places of a word.

        It cannot in a part of a longer word or number, nor behind an article that does not go with it. A more general
        noun can only stand for a noun, and not for what is denied: that someone has no fever does not say that they
        have no symptom. Function words alone can, since they say the same.
        """
        if not all(_fits(self.text, span, offer) for span in spans):
            return False
        is_plain = not Features().counts(offer)
        return is_plain or not any(
            self.parts.get(span.start) in _NO_NOUNS or is_denied(self.text, span) for span in spans
        )


def is_denied(text: str, span: Span) -> bool:
    """Whether something before it in its clause denies it."""
    before = text[max(0, span.start - _LOOKED_AT) : span.start]
    starts = [found.end() for found in _NEW_CLAUSE.finditer(before)]
    return bool(_DENIES.search(before, starts[-1] if starts else 0))


def _fits(text: str, span: Span, offer: str) -> bool:
    written, before = span.of(text), text[max(0, span.start - 4) : span.start]
    after = text[span.end : span.end + 4]
    if _JOINED.search(before) or _JOINS.match(after):
        return False
    if written.isdigit():
        return bool(_COUNTS.match(after))
    if written.isupper() and len(written) <= _ABBREVIATED:
        return False
    return not _ARTICLE.search(before) or written.lower().startswith(_VOWELS) == offer.lower().startswith(_VOWELS)
