"""Every mention of an entity that was found once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from withhold.detectors.dictionary import is_word
from withhold.detectors.entities.forms import Form, Forms
from withhold.detectors.entities.judging import Judge, Judged
from withhold.detectors.entities.linking import Entity, Links
from withhold.detectors.entities.misspelt import distance
from withhold.detectors.entities.overlaps import ASKED_FOR
from withhold.detectors.entities.people import Part, Person, person, same_given
from withhold.detectors.entities.search import Hit, Search
from withhold.policy import Detection
from withhold.spans import Span, containing, union
from withhold.text import WORD
from withhold.types import Finding

DETECTOR = "entities"
"""What findings say that were made from others."""

_DOUBT = 0.45
_BELOW = 0.05
_MANY = 20
_SHORT = 4
_VERY_SURE, _CERTAIN = 0.8, 1000
"""A phrase that is very surely found is not outvoted."""

_VOTED = frozenset({"name", "short form"})
_SAID_BY_NAME = frozenset({"EMAIL", "HANDLE"})


class Elsewhere:
    """Goes through a text once, from mention to mention, so that of two people with one name the one named last is
    meant.
    """

    def __init__(self, text: str, base: Sequence[Finding], links: Links, detection: Detection) -> None:
        self.text = text
        self.base = base
        self.links = links
        self.detection = detection
        self._next = 0

    def find(self, spread: set[int]) -> Iterator[Finding]:
        """Further mentions of the entities of these findings; in passing, it is settled whose the open ones are."""
        forms = Forms()
        numbers = {self.links.of[index] for index in spread} - {None}
        for number in sorted(each for each in numbers if each is not None):
            forms.add(number, self.links.entities[number])
        if forms.root.then or forms.codes:
            search = Search(self.text, forms)
            judge = Judge(self.text, search, self._fits, self._nearly)
            hits = list(search.hits())
            votes = Votes(search, self.text, [each for each in self.base if self._is_sure(each)])
            for hit in hits:
                votes.count(hit)
            for hit in hits:
                self._pass(search.folded.span(hit.start, hit.end).start)
                if finding := self._finding(hit, judge, votes):
                    yield finding
        self._pass(len(self.text) + 1)

    def _is_sure(self, finding: Finding) -> bool:
        return finding.score >= self.detection.threshold(finding.label)

    def _pass(self, at: int) -> None:
        """Take note of the findings that begin before a place, and settle whose the open ones are."""
        while self._next < len(self.base) and self.base[self._next].span.start <= at:
            index, finding = self._next, self.base[self._next]
            if index in self.links.open:
                name = self.links.open[index]
                self.links.of[index] = self._whose(name, finding.span.start)
            elif (number := self.links.of[index]) is not None:
                self.links.seen(number, finding.span.start)
            self._next += 1

    def _whose(self, name: Person, at: int) -> int:
        candidates = self.links.candidates(name)
        given: Part = name.given[0] if name.given else ()
        chosen = self.links.choose(candidates, at, name.words[-1], name.gender, given)
        return self.links.another(name, candidates[0]) if chosen is None else chosen

    def _finding(self, hit: Hit, judge: Judge, votes: Votes) -> Finding | None:
        best: tuple[Judged, list[int]] | None = None
        for form, numbers in hit.forms.items():
            small = any(self.links.entities[number].small for number in numbers[:1])
            asked = any(self.links.entities[number].best.detector in ASKED_FOR for number in numbers[:_MANY])
            judged = judge.judge(hit, form, numbers, small=small, weak=not asked and votes.against(hit, form))
            if judged and (best is None or (judged.sure, judged.weight) > (best[0].sure, best[0].weight)):
                best = judged, numbers
        if best is None:
            return None
        judged, numbers = best
        number = self._entity(judged, numbers, judge.last_word(hit))
        if judged.sure and self._inside(judged.span, number):
            return None
        return self._made(judged, self.links.entities[number], number)

    def _entity(self, judged: Judged, numbers: list[int], word: str) -> int:
        name = person(judged.span.of(self.text)) if judged.other else None
        if name is not None:
            return self.links.another(name, numbers[0])
        chosen = self.links.choose(numbers, judged.span.start, word, judged.gender, judged.given)
        if chosen is None:
            name = person(judged.span.of(self.text))
            return numbers[0] if name is None else self.links.another(name, numbers[0])
        return chosen

    def _inside(self, span: Span, number: int) -> bool:
        """Whether an address that was surely found has the span in it, and so is of that entity; then it is said to
        be.
        """
        for index in range(self._next - 1, max(-1, self._next - 4), -1):
            finding = self.base[index]
            if finding.label in _SAID_BY_NAME and span in finding.span and self._is_sure(finding):
                at = finding.span.of(self.text).rfind("@")
                if finding.label == "HANDLE" or span.start < finding.span.start + at:
                    self.links.of[index] = number
                return True
        return False

    def _made(self, judged: Judged, entity: Entity, number: int) -> Finding:
        best = entity.best
        threshold = self.detection.threshold(best.label)
        if judged.sure:
            score = min(best.score, max(threshold, round(best.score * judged.weight, 2)))
        else:
            score = max(0.0, min(_DOUBT, threshold - _BELOW))
        reason = f"{judged.role} of what was found elsewhere"
        return Finding(judged.span, best.label, DETECTOR, score, number, reason, best.replacement, best.identifier)

    def _fits(self, number: int, part: Part) -> bool:
        """Whether a word is a name, or the initial of one, of an entity."""
        return any(same_given(part, other) for name in self.links.entities[number].people for other in name.parts)

    def _nearly(self, number: int, word: str) -> bool:
        """Whether a word is a given name of an entity with a slip in it."""
        names = {"".join(part) for name in self.links.entities[number].people for part in name.given}
        return any(len(other) > 2 and word != other and distance(word, other, 1) == 1 for other in names)


class Votes:
    """Of names that are words of the language, or very short: how often they were found by themselves, and how often
    they were passed over.

    A detector that takes "Court" for a name once and passes it over ten times was wrong once.
    """

    def __init__(self, search: Search, text: str, found: Sequence[Finding]) -> None:
        self._search = search
        self._taken = union(each.span for each in found)
        self._passed_over: dict[str, int] = {}
        self._ordinary: dict[str, bool] = {}
        self._found: dict[str, int] = {}
        for each in found:
            words = _bare(each.span.of(text))
            weight = _CERTAIN if " " in words and each.score >= _VERY_SURE else 1
            self._found[words] = self._found.get(words, 0) + weight

    def count(self, hit: Hit) -> None:
        """Take note of a place that was passed over, if it was."""
        words = self._words(hit)
        if self._is_ordinary(words):
            span = self._search.folded.span(hit.start, hit.end)
            if containing(self._taken, span.start) is None:
                self._passed_over[words] = self._passed_over.get(words, 0) + 1

    def against(self, hit: Hit, form: Form) -> bool:
        """Whether there are more against it than for it. Of what was nowhere found by itself there is no vote."""
        if form.role not in _VOTED:
            return False
        words = self._words(hit)
        return self._is_ordinary(words) and self._passed_over.get(words, 0) > self._found.get(words, 0) > 0

    def _words(self, hit: Hit) -> str:
        return _bare(self._search.folded.text[hit.start : hit.end])

    def _is_ordinary(self, words: str) -> bool:
        if words not in self._ordinary:
            self._ordinary[words] = len(words) <= _SHORT or all(map(is_word, WORD.findall(words)))
        return self._ordinary[words]


def _bare(text: str) -> str:
    """The words without an article, in small letters."""
    words = text.casefold().split()
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)
