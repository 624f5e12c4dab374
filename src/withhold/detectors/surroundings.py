"""What stands around a mention and goes with it: the rest of an address, of a handle, of a word, of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from withhold.detectors.company_forms import LEGAL_FORMS, TAILS, compact, table
from withhold.detectors.surfaces import DOUBT, HINT, LIKELY, Surface
from withhold.spans import Span
from withhold.text import INVISIBLE, WORD, fold

_TOKEN = re.compile(r"[^\s<>\"'’‘“”|,;()\[\]{}*`—]+")
_END_OF_TOKEN = re.compile(r"[\s<>\"'’‘“”|,;()\[\]{}*`—]")
_LONGEST_TOKEN = 4096
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]{0,20}://|www\.)\S+", re.I)
_TOP_LEVEL = (
    r"com|org|net|edu|gov|mil|int|info|biz|name|pro|aero|coop|museum|jobs|mobi|travel|tel|cat|asia|post|xyz|online|site"
    r"|shop|store|app|dev|tech|cloud|blog|news|media|group|company|global|world|live|life|today|agency|digital|energy"
    r"|bank|finance|insurance|health|law|eco|bio|club|email|link|wiki|design|studio|solutions|services|systems|[a-z]{2}"
)
_HOST = re.compile(rf"(?:[\w-]+\.)+(?:{_TOP_LEVEL}|[A-Z]{{2,3}})(?::\d+)?(?:[/?#]\S*)?")
_LABELS = re.compile(r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^/@]*@)?([^/:?#]+)", re.I)
_AFTER_NAME = re.compile(r"[\s,]{1,3}\(?([^\W_][\w./&]*)\)?")
_SMALL_FORMS = table("plc inc ltd limited llc gmbh corp incorporated corporation group")
_INFLECTIONS = table("""
    s es n en er ern ers ed d ing ian ians ean eans ish ist ists a e i y o u em ie om ow owi owa owe owy in ia iin ien
    ssa sta lle lta an ov ova ovi ina il ek ka ki ku ban ben nak nek nal nel ra re t at et ot tol
""")
_BEGINNINGS = frozenset(form[:end] for form in LEGAL_FORMS | TAILS for end in range(1, len(form) + 1))
_INITIALS = re.compile(r"[^\W_](?:\.[^\W_])+")
_REACH = 40
_LONG = 9
_END_OF_SENTENCE = re.compile(r"(?:^|[\n\r.!?:•·*>#|])[\s\"'“”‘’(\[_-]*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A span that is a mention, of what kind and how surely."""

    span: Span
    kind: str
    score: float


class Surroundings:
    """A text in which mentions are widened to what goes with them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._last: tuple[Span, list[tuple[Span, str]]] = (Span(0, 0), [])

    def judge(self, surface: Surface, span: Span, whole: bool) -> Mention | None:
        """What an occurrence of a surface is, once one sees what stands around it."""
        if surface.accented and span.of(self.text).isascii():
            return None
        for part, kind in self.parts(span):
            if span in part:
                mention = self._in_address(surface, span, part, kind)
                if mention or surface.proper or not whole:
                    return mention
        if not whole:
            return self._in_word(surface, span)
        if surface.proper:
            return self._proper(surface, span)
        return Mention(self._with_tail(span), surface.kind, surface.score)

    def _proper(self, surface: Surface, span: Span) -> Mention | None:
        """Ordinary words are a name if they have capitals, and not only since they start a sentence."""
        if not self._is_proper(span):
            return Mention(span, surface.kind, DOUBT) if self._is_phrase(surface, span) else None
        wide = self._with_tail(span)
        if surface.score > DOUBT and self._has_legal_form(span, wide):
            return Mention(wide, surface.kind, max(surface.score, LIKELY))
        if surface.single and self.starts_sentence(span):
            return Mention(wide, surface.kind, HINT) if surface.score > DOUBT else None
        return Mention(wide, surface.kind, surface.score)

    def addresses(self) -> Iterator[tuple[Span, str, list[str]]]:
        """All addresses, handles and hashtags, with the labels of the host or the name after the sign."""
        for token in _TOKEN.finditer(self.text):
            if any(sign in token[0] for sign in ".@#"):
                for part, kind in address_parts(token[0], token.start()):
                    yield part, kind, _labels(part.of(self.text), kind)

    def _with_tail(self, span: Span) -> Span:
        """The span with the legal form, the "Group" and the like behind it."""
        end = span.end
        if self.text[end : end + 1] == ".":
            last = re.split(r"[\s,]", self.text[max(span.start, end - 8) : end])[-1]
            if _INITIALS.fullmatch(last) or (compact(last) in LEGAL_FORMS and self._goes_on(end + 1)):
                end += 1
        while (reach := self._tail(end)) > end:
            end = reach
        return Span(span.start, end)

    def _goes_on(self, end: int) -> bool:
        """Whether the sentence does, behind a full stop that may have ended it."""
        following = self.text[end : end + 2].strip()
        return bool(following) and (following[0].islower() or following[0] in ",;)")

    def _has_legal_form(self, span: Span, wide: Span) -> bool:
        words = self.text[span.end : wide.end].split()
        return bool(words) and compact(words[-1]) in LEGAL_FORMS

    def _tail(self, end: int) -> int:
        """Where the longest known ending that starts at `end` is over."""
        words, reach, at = "", end, end
        for _ in range(6):
            match = _AFTER_NAME.match(self.text, at)
            if not match:
                break
            at, word = match.end(), match[1]
            words += compact(word)
            if words not in _BEGINNINGS:
                break
            if self._belongs(words, match[0], word):
                reach = self._tail_end(match)
        return reach

    def _belongs(self, words: str, written: str, last: str) -> bool:
        """Whether what was read is an ending, and not a word of the sentence that looks like one ("as", "Is")."""
        if words not in LEGAL_FORMS and (words not in TAILS or "\n" in written):
            return False
        if len(compact(last)) < 3 and compact(last) != "co":
            return last.upper() == last and "\n" not in written
        return last[0].isupper() or compact(last) in _SMALL_FORMS

    def _tail_end(self, match: re.Match[str]) -> int:
        """The end of an ending: the full stop of "Inc." is part of it, that of the sentence is not."""
        word, end = match[1], match.end(1)
        if match[0].count("(") == match[0].count(")") == 1:
            return match.end()
        if word.endswith(".") and word.count(".") == 1:
            return end if self._goes_on(end) else end - 1
        return end

    def _is_proper(self, span: Span) -> bool:
        """Whether the words are written as a name: with capitals, and within one sentence."""
        written = fold(span.of(self.text), keep_case=True).text
        capitals = all(word[0].isupper() or word[0].isdigit() for word in WORD.findall(written) if len(word) > 3)
        return capitals and any(map(str.isupper, written)) and not re.search(r"[.,;|]\s", written)

    def _is_phrase(self, surface: Surface, span: Span) -> bool:
        return not surface.single and not re.search(r"[.,;|]", span.of(self.text))

    def starts_sentence(self, span: Span) -> bool:
        before = self.text[max(0, span.start - 8) : span.start]
        return not before.strip() or bool(_END_OF_SENTENCE.search(before))

    def _in_address(self, surface: Surface, span: Span, part: Span, kind: str) -> Mention | None:
        if surface.distinctive and not surface.proper:
            return Mention(part, kind, surface.score)
        if surface.bare in _labels(part.of(self.text), kind):
            return Mention(part, kind, max(surface.score, LIKELY))
        return None

    def _in_word(self, surface: Surface, span: Span) -> Mention | None:
        """A longer word that holds a surface: an inflected name, or two words run together."""
        if not surface.distinctive or surface.proper:
            return None
        word = self._word(span)
        before, after = self.text[word.start : span.start], self.text[span.end : word.end]
        inside = span.of(self.text)
        starts = not before or (before[-1].islower() and inside[:1].isupper())
        ends = not after or (inside[-1:].islower() and after[0].isupper()) or fold(after).text in _INFLECTIONS
        long = len(surface.bare) >= _LONG and not (before and after)
        if (starts and ends) or long:
            return Mention(word, surface.kind, min(surface.score, LIKELY))
        return Mention(word, f"{surface.kind}, inside a longer word", DOUBT)

    def _word(self, span: Span) -> Span:
        start, end = span.start, span.end
        while start > max(0, span.start - _REACH) and _continues(self.text[start - 1]):
            start -= 1
        while end < min(len(self.text), span.end + _REACH) and _continues(self.text[end]):
            end += 1
        return Span(start, end)

    def parts(self, span: Span) -> Sequence[tuple[Span, str]]:
        """The parts of the token around a span that are an address, a handle or a hashtag."""
        token, parts = self._last
        if not token or span.start not in token:
            token = self._token(span.start)
            parts = address_parts(token.of(self.text), token.start)
            self._last = token, parts
        return parts if span in token else ()

    def _token(self, at: int) -> Span:
        start = at
        while start > max(0, at - _LONGEST_TOKEN) and not _END_OF_TOKEN.match(self.text[start - 1]):
            start -= 1
        end = _END_OF_TOKEN.search(self.text, at, at + _LONGEST_TOKEN)
        return Span(start, end.start() if end else min(len(self.text), at + _LONGEST_TOKEN))


def address_parts(token: str, at: int) -> list[tuple[Span, str]]:
    """The host or whole address in a token, the name before its "@", the handle or hashtag it is."""
    bare = token.rstrip(".:!?…-_/")

    def part(start: int, kind: str) -> tuple[Span, str]:
        return Span(at + start, at + len(bare)), kind

    if url := _URL.search(bare):
        return [part(url.start(), "domain")]
    if "@" in bare[1:]:
        sign = bare.rindex("@")
        start = max(bare.rfind(":", 0, sign), bare.rfind("/", 0, sign)) + 1
        name = [(Span(at + start, at + sign), "handle")] if start < sign else []
        return [*name, part(sign + 1, "domain")] if sign + 1 < len(bare) else name
    if signed := re.search(r"[@#](?=.)", bare):
        if signed[0] == "@" and _HOST.fullmatch(bare, signed.end()):
            return [part(signed.end(), "domain")]
        return [part(signed.start(), "handle" if signed[0] == "@" else "hashtag")]
    if _HOST.fullmatch(bare):
        return [part(0, "domain")]
    inner = bare.lstrip("_")
    return [part(len(bare) - len(inner), "handle")] if "_" in inner else []


def _labels(address: str, kind: str) -> list[str]:
    """The labels of a host without the last, which its owner did not choose; or the name in a handle or hashtag."""
    if kind != "domain":
        return [compact(address)]
    match = _LABELS.match(address)
    return [compact(label) for label in match[1].split(".")[:-1]] if match else []


def _continues(character: str) -> bool:
    return bool(WORD.match(character)) or bool(INVISIBLE.match(character))
