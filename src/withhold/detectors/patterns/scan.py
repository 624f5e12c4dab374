"""Where the rules look: one walk over the text for its words, one for its numbers, and one for each sign it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from withhold.detectors.patterns.base import Candidate, Find, Rule, View, trie
from withhold.labels import LABELS
from withhold.policy import Detection

_DIGITS = re.compile(r"[0-9]+")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_ALNUM = "".join(sorted(_LETTERS)) + "0123456789"
_REST = re.compile(r"[A-Za-z0-9_]*+")
_GROUPS = re.compile(r"(?:[ .,:/()+'\-]{1,3}[0-9]+){0,8}+")
_AMOUNT = re.compile(r"[0-9]*+(?:[.,'][0-9]{1,6}+|[ ][0-9]{3}(?![0-9])){0,8}+[ \n-]{0,2}+([a-z]++|.|)")
_AROUND = "([{\"'*.,;-<>"
_SIGNS = frozenset(":#=|$€£¥₹₽₺₴₪₩₫₦₱")
_NOWHERE = (1 << 62, 1 << 62)
_LONGEST = 64
_NEAR = 20
_SIZES = 24
_SURE = 0.8
_MARGIN = 0.1
_MOST_CASES = 10_000
_SHORTEST_PART, _SHORTEST_OF_ADDRESS = 2, 4
_DIRECT = frozenset(label for label, each in LABELS.items() if each.identifier == "direct") | {"ADDRESS"}


class Scan:
    """The rules for the wanted labels, sorted by where they look."""

    def __init__(self, rules: Iterable[Rule], detection: Detection) -> None:
        self._wanted = detection.wanted
        self._least = {label: detection.threshold(label) for label in detection.wanted}
        self._by_word: dict[str, list[Find]] = {}
        self._by_sign: dict[str, list[Find]] = {}
        self._numbered: list[Rule] = []
        self._finds: dict[tuple[bool, int, int, str, str], list[Find]] = {}
        chosen = [rule for rule in rules if self._wanted.intersection(rule.labels)]
        for rule in chosen:
            self._add(rule)
        self._before = frozenset[str]().union(*(rule.before for rule in chosen if rule.before))
        self._after = frozenset[str]().union(*(rule.after for rule in chosen if rule.after))
        words = trie(self._by_word)
        self._words = re.compile(rf"(?<![a-z]){words}(?![a-z])") if words else None

    def _add(self, rule: Rule) -> None:
        for word in rule.words:
            self._by_word.setdefault(word, []).append(rule.find)
        for sign in rule.signs:
            self._by_sign.setdefault(sign, []).append(rule.find)
        if not rule.words and not rule.signs:
            self._numbered.append(rule)

    def candidates(self, view: View) -> list[Candidate]:
        """Everything any rule finds, the best where they overlap, in order."""
        found = [each for each in (*self._at_signs(view), *self._at_words(view)) if each.label in self._wanted]
        found += [
            each for each in self._at_numbers(view, best(found, view.text, self._least)) if each.label in self._wanted
        ]
        return best(found, view.text, self._least)

    def _at_signs(self, view: View) -> Iterator[Candidate]:
        for sign, finds in self._by_sign.items():
            start = view.low.find(sign)
            while start >= 0:
                end = start + len(sign)
                for find in finds:
                    yield from find(view, start, end)
                start = view.low.find(sign, end)

    def _at_words(self, view: View) -> Iterator[Candidate]:
        if self._words is None:
            return
        for match in self._words.finditer(view.low):
            start, end = match.span()
            for find in self._by_word[match.group()]:
                yield from find(view, start, end)

    def _at_numbers(self, view: View, found: Sequence[Candidate]) -> Iterator[Candidate]:
        """Numbers that are not part of something sure already."""
        if not self._numbered:
            return
        text = view.text
        known = iter([(each.start, each.end) for each in found if each.score >= _SURE])
        first, last = next(known, _NOWHERE)
        done = 0
        for match in _DIGITS.finditer(text):
            start, end = match.span()
            while last <= start:
                first, last = next(known, _NOWHERE)
            if start < done or first <= start:
                continue
            start, end = _token(text, start, end, done)
            done = end
            for find in self._rules(view.low, start, end):
                for each in find(view, start, end):
                    yield each
                    if each.checked and each.score >= _SURE and each.label in self._wanted:
                        done = max(done, each.end)

    def _rules(self, low: str, start: int, end: int) -> list[Find]:
        """What to try at a number of such a size between such words; worked out once for each case."""
        before, after = _word_before(low, start), _word_after(low, start)
        digit, run, size = low[start] in "0123456789", min(end - start, _SIZES), _size(low, start, end)
        case = (digit, run, size, before if before in self._before else "", after if after in self._after else "")
        finds = self._finds.get(case)
        if finds is None:
            if len(self._finds) >= _MOST_CASES:
                self._finds.clear()
            finds = self._finds[case] = [
                rule.find
                for rule in self._numbered
                if rule.lead in ("any", "digit" if digit else "letter")
                and run in rule.runs
                and size >= rule.least
                and (rule.before is None or before in rule.before)
                and (rule.after is None or after in rule.after)
            ]
        return finds


def _token(text: str, start: int, end: int, done: int) -> tuple[int, int]:
    """The run of letters and digits around some digits."""
    if start > done and text[start - 1] in _LETTERS:
        head = text[max(done, start - _LONGEST) : start]
        start -= len(head) - len(head.rstrip(_ALNUM))
    if end < len(text) and text[end] in _LETTERS:
        rest = _REST.match(text, end)
        end = rest.end() if rest else end
    return start, end


def _size(low: str, start: int, end: int) -> int:
    """How long a number is with the groups of digits behind it; all that are very long count alike."""
    groups = _GROUPS.match(low, end) if end - start < _SIZES else None
    return min((groups.end() if groups else end) - start, _SIZES)


def _word_before(low: str, start: int) -> str:
    """The word before a number or before the code it is part of, or the sign that ends it."""
    words = low[max(0, start - _NEAR) : start].split()
    if words and words[-1][-1] in "-/" and low[start - 1] in "-/":
        words.pop()
    word = words[-1] if words else ""
    return word[-1] if word and word[-1] in _SIGNS else word.strip(_AROUND)


def _word_after(low: str, start: int) -> str:
    """The word or the sign behind an amount, whole or with decimals, that begins with a digit."""
    match = _AMOUNT.match(low, start)
    return match.group(1) if match else ""


def best(candidates: Iterable[Candidate], text: str, least: Mapping[str, float]) -> list[Candidate]:
    """Candidates of which no two overlap, in order.

    Those with check digits come first, then longer ones, then surer ones; but what is doubtful, by the `least` score
    of its label, gives way to what is not. Of an address and of what points at one person, the rest is kept where
    another takes a part of it.
    """
    taken = bytearray()
    kept = []
    for each in sorted(candidates, key=lambda each: _rank(each, least[each.label])):
        start, end = each.start, each.end
        if end > len(taken):
            taken.extend(bytes(2 * end - len(taken)))
        if not taken.count(1, start, end):
            kept.append(each)
        elif each.label in _DIRECT and each.score >= least[each.label] + _MARGIN:
            shortest = _SHORTEST_OF_ADDRESS if each.label == "ADDRESS" else _SHORTEST_PART
            kept += [each._replace(start=first, end=last) for first, last in _free(taken, text, start, end, shortest)]
        else:
            continue
        taken[start:end] = b"\1" * (end - start)
    return sorted(kept)


def _rank(each: Candidate, least: float) -> tuple[object, ...]:
    doubt = 2 if each.score < least else 1 if each.score < least + _MARGIN else 0
    return doubt, not each.checked, each.start - each.end, -each.score, each.start, each.label


def _free(taken: bytearray, text: str, start: int, end: int, shortest: int) -> Iterator[tuple[int, int]]:
    """The parts of a stretch that nothing has taken yet, without the signs and spaces around them."""
    for match in re.finditer(rb"\x00+", bytes(taken[start:end])):
        first, last = start + match.start(), start + match.end()
        while first < last and not text[first].isalnum():
            first += 1
        while first < last and not text[last - 1].isalnum():
            last -= 1
        if last - first >= shortest:
            yield first, last
