"""Abbreviations and tickers in a text: found as they stand, in capitals."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from withhold.detectors.common_words import is_ordinary
from withhold.detectors.company_forms import compact
from withhold.detectors.definitions import SCORE, TICKER, is_near
from withhold.detectors.surfaces import HINT, LIKELY, Letters
from withhold.detectors.surroundings import Mention, Surroundings
from withhold.spans import Span
from withhold.text import WORD, Folded, fold

_WORDS = re.compile(rf"{WORD.pattern}(?:\s?&\s?{WORD.pattern}){{0,4}}")
_DOTTED = re.compile(r"(?<![^\W_])[A-Z](?:\.\s?[A-Z]){1,8}(?![^\W_])\.?")
_INITIALS = re.compile(r"[A-Z]\.[A-Z]")
_SHORTEST = 3


class Capitals:
    """The abbreviations of several secrets, by their letters, and their tickers."""

    def __init__(self) -> None:
        self._letters: dict[str, dict[int, Letters]] = {}
        self._symbols: dict[str, set[int]] = {}

    def copy(self) -> Capitals:
        """Another set of the same ones, to which what a text defines can be added."""
        other = Capitals()
        other._letters = {text: dict(each) for text, each in self._letters.items()}
        other._symbols = {text: set(each) for text, each in self._symbols.items()}
        return other

    def add(self, number: int, each: Letters) -> None:
        if each.kind == "ticker":
            for text in (each.text, re.split(r"[.:-]", each.text)[0]):
                self._symbols.setdefault(text, set()).add(number)
        plain = len(each.text) >= _SHORTEST and each.text.isalpha() and not is_ordinary(each.text.lower())
        if each.kind != "ticker" or plain:
            same = self._letters.setdefault(each.text, {})
            if number not in same or same[number].score < each.score:
                same[number] = each

    def find_tickers(self, text: str, mentions: Sequence[tuple[int, Span]]) -> Iterator[tuple[int, Mention]]:
        """Tickers that are known, or stand next to a mention; those become known."""
        folded = fold(text, keep_case=True)
        mentions = sorted(mentions, key=lambda each: each[1].end)
        ends = [span.end for _, span in mentions]
        found = TICKER.finditer(folded.text)
        matches = [(next(filter(None, match.groups())), folded.span(*match.span())) for match in found]
        for symbol, span in matches:
            last = bisect_right(ends, span.start) - 1
            if last >= 0 and not _INITIALS.fullmatch(symbol) and is_near(text, mentions[last][1], span):
                self.add(mentions[last][0], Letters(symbol, "ticker", SCORE))
        for symbol, span in matches:
            for number in self._symbols.get(symbol, ()):
                yield number, Mention(span, "ticker", SCORE)

    def find(self, text: str, around: Surroundings) -> Iterator[tuple[int, Mention]]:
        """Where the abbreviations stand: in capitals, or as the host of an address, or as a handle."""
        if not self._letters:
            return
        folded = fold(text, keep_case=True)
        for written, span in _candidates(folded):
            for number, each in self._known(written).items():
                yield number, Mention(span, each.kind, each.score)
        small = {compact(written).replace("&", ""): each for written, each in self._letters.items()}
        for span, kind, labels in around.addresses():
            for label in labels:
                for number, each in small.get(label, {}).items():
                    score = max(each.score, LIKELY if len(label) >= _SHORTEST else HINT)
                    yield number, Mention(span, kind, score)

    def _known(self, written: str) -> dict[int, Letters]:
        plural = written[:-1] if written.endswith("s") else written
        return self._letters.get(written) or self._letters.get(plural) or {}


def _candidates(folded: Folded) -> Iterator[tuple[str, Span]]:
    for match in _WORDS.finditer(folded.text):
        written = match[0]
        if any(map(str.isupper, written)):
            yield re.sub(r"\s", "", written), folded.span(*match.span())
            if "&" in written:
                for word in WORD.finditer(folded.text, *match.span()):
                    yield word[0], folded.span(*word.span())
    for match in _DOTTED.finditer(folded.text):
        yield re.sub(r"[.\s]", "", match[0]), folded.span(*match.span())
