"""Looking into the file for what its reader does not see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Self

from withhold import plugins
from withhold.contracts import Format
from withhold.errors import DocumentError
from withhold.labels import chosen
from withhold.policy import Policy
from withhold.spans import Span, complement, containing
from withhold.text import INVISIBLE, WORD, squeeze
from withhold.types import Document, Hidden, Mask, Outcome, Secret

SOUGHT = "hidden content"
"""What the attack is after, whatever the secrets are."""

_HARMLESS = frozenset(
    (
        *("revision ids", "formatting changes", "bookmarks", "fallback copies", "content controls", "embedded fonts"),
        *("front matter", "OCR layer", "label under a mark", "text in a font that is not in the file", "layers"),
    )
)
"""What says nothing by itself: numbers, the shape of what is read anyway, and what is text to every tool but one."""

_COUNTS = frozenset(
    "property " + name
    for name in (
        *("Application", "AppVersion", "Pages", "Words", "Characters", "CharactersWithSpaces", "Lines", "Paragraphs"),
        *("TotalTime", "DocSecurity", "ScaleCrop", "LinksUpToDate", "SharedDoc", "HyperlinksChanged", "revision"),
        *("Producer", "Creator", "Trapped", "language"),
    )
)
"""Properties that programs write about any document."""

_DATES = frozenset("property " + name for name in ("CreationDate", "ModDate", "created", "modified", "lastPrinted"))
"""Properties that programs write about any document, too, but dates: they matter where dates are to be hidden."""

_DATE = re.compile(r"[DTZ\d:+.' -]*")
_DATED = chosen(("DATETIME",))

_FIELDS = re.compile(
    r"(?:\s|\||\\\S+|\d+|(?:NUM|SECTION)?PAGES?(?:REF)?|TOC|SEQ|DATE|TIME|_Toc\d+|_Ref\d+|\"[\d-]+\")*"
)
"""Field codes that a word processor works out by itself."""

_BYTE = 8
"""So many invisible characters in a row can spell something."""

_SPELT = re.compile(f"(?:{INVISIBLE.pattern}){{{_BYTE},}}|[\U000e0020-\U000e007e]")
_EMOJI_TAGS = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f")
"""Flags of regions are spelt in invisible letters."""


class HiddenAttack:
    """Whoever opens the file with other tools than its reader has: comments, changes, properties, hidden, blackened and
    white text, embedded files, text in invisible characters. It wins if there is anything that could tell. When a file
    was made could tell where dates are to be hidden, or there is a secret.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def attack(self, document: Document, secrets: Sequence[Secret], masks: Sequence[Mask] = ()) -> list[Outcome]:
        """One outcome for the document, with what kinds of things there are."""
        from withhold.learners.intervals import wilson

        try:
            found = self.found(document)
        except DocumentError:
            note = "nobody can look into the file: it is encrypted, or damaged"
            return [Outcome("hidden", SOUGHT, 0.0, 0.0, (0.0, 1.0), 0, note)]
        spelt = _spelt(document.text)
        kinds = Counter({"text in invisible characters": len(spelt)} if spelt else {})
        for hidden in found:
            kinds[hidden.kind] += hidden.count
        sought = bool(secrets) or bool(_DATED & self._policy.detection.wanted)
        dates = bool(kinds) and not spelt and all(map(_is_date, found)) and not sought
        note = ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items())) or "nothing hidden"
        note += "; nothing says that dates are to be hidden" if dates else ""
        said = squeeze(" ".join(hidden.text for hidden in found))
        named = sum(any(squeeze(name) in said for name in secret.names) for secret in secrets)
        note += f"; a secret is named there ({named} of {len(secrets)})" if named else ""
        won = bool(kinds) and not dates
        return [
            Outcome("hidden", SOUGHT, 0.0, float(won), wilson(won, 1), 1, note, wins=won, telling=tuple(spelt)),
        ]

    def found(self, document: Document) -> list[Hidden]:
        """What is hidden in the file of a document and could tell.

        Raises:
            DocumentError: if nobody can look into it.
        """
        with plugins.trusting(self._policy.components.trusted):
            format: Format = plugins.load("formats", document.format)()
        return [hidden for hidden in format.inspect(document.native) if self._could_tell(hidden)]

    def _could_tell(self, hidden: Hidden) -> bool:
        if hidden.kind in _HARMLESS or hidden.kind in _COUNTS or hidden.kind == "invisible characters":
            return False
        if hidden.kind == "field codes" and _FIELDS.fullmatch(hidden.text):
            return False
        # A mark under black ink, or a comment that says that something went, tells nothing.
        return not hidden.text.strip() or bool(WORD.search(_without_marks(hidden.text, self._policy.operators.mark)))


def _is_date(hidden: Hidden) -> bool:
    return hidden.kind in _DATES and bool(_DATE.fullmatch(hidden.text.strip()))


def _without_marks(text: str, mark: str) -> str:
    from withhold.learners.marks import marks_in

    return " ".join(span.of(text) for span in complement(marks_in(text, mark), Span(0, len(text))))


def _spelt(text: str) -> list[Span]:
    """Where invisible characters are so many that they can spell something."""
    flags = [Span(*match.span()) for match in _EMOJI_TAGS.finditer(text)]
    spelt = (Span(*match.span()) for match in _SPELT.finditer(text))
    return [span for span in spelt if (at := containing(flags, span.start)) is None or span not in flags[at]]
