"""Every mention of an entity that was found once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from withhold.detectors.dictionary import is_word
from withhold.detectors.entities.forms import Form, Forms
from withhold.detectors.entities.judging import Judge, Judged
from withhold.detectors.entities.linking import Entity, Links
from withhold.detectors.entities.misspelt import distance
from withhold.detectors.entities.people import Part, Person, person, same_given
from withhold.detectors.entities.search import Hit, Search
from withhold.policy import Detection
from withhold.spans import Span
from withhold.types import Finding

DETECTOR = "entities"
"""What findings say that were made from others."""

_DOUBT = 0.45
_BELOW = 0.05
_OFTEN = 3
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
        forms, weak = Forms(), self._weak(spread)
        numbers = {self.links.of[index] for index in spread} - {None}
        for number in sorted(each for each in numbers if each is not None):
            forms.add(number, self.links.entities[number])
        if forms.root.then or forms.codes:
            search = Search(self.text, forms)
            judge = Judge(self.text, search, self._fits, self._nearly)
            for hit in list(search.hits()):
                self._pass(search.folded.span(hit.start, hit.end).start)
                if finding := self._finding(hit, judge, weak):
                    yield finding
        self._pass(len(self.text) + 1)

    def _weak(self, spread: set[int]) -> set[int]:
        """The entities that are nothing but a word of the language, and were not found often."""
        counts: dict[int, int] = {}
        for index in spread:
            if (number := self.links.of[index]) is not None:
                counts[number] = counts.get(number, 0) + 1
        return {number for number, count in counts.items() if count < _OFTEN and _is_word(self.links.entities[number])}

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
        chosen = self.links.choose(candidates, at, name.gender, given)
        return self.links.another(name, candidates[0]) if chosen is None else chosen

    def _finding(self, hit: Hit, judge: Judge, weak: set[int]) -> Finding | None:
        best: tuple[Judged, Form, list[int]] | None = None
        for form, numbers in hit.forms.items():
            small = any(self.links.entities[number].small for number in numbers[:1])
            judged = judge.judge(hit, form, numbers, small=small, weak=weak.issuperset(numbers))
            if judged and (best is None or (judged.sure, judged.weight) > (best[0].sure, best[0].weight)):
                best = judged, form, numbers
        if best is None:
            return None
        judged, _, numbers = best
        number = self._entity(judged, numbers)
        if judged.sure and self._inside(judged.span, number):
            return None
        return self._made(judged, self.links.entities[number], number)

    def _entity(self, judged: Judged, numbers: list[int]) -> int:
        name = person(judged.span.of(self.text)) if judged.other else None
        if name is not None:
            return self.links.another(name, numbers[0])
        chosen = self.links.choose(numbers, judged.span.start, judged.gender, judged.given)
        if chosen is None:
            name = person(judged.span.of(self.text))
            return numbers[0] if name is None else self.links.another(name, numbers[0])
        return chosen

    def _inside(self, span: Span, number: int) -> bool:
        """Whether an address that was found has the span in it, and so is of that entity; then it is said to be."""
        for index in range(self._next - 1, max(-1, self._next - 4), -1):
            finding = self.base[index]
            if finding.label in _SAID_BY_NAME and span in finding.span:
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


def _is_word(entity: Entity) -> bool:
    if entity.kind == "PERSON":
        return all(len(name.parts) == 1 and all(map(is_word, name.words)) for name in entity.people)
    return entity.kind in ("LOC", "MISC") and all(is_word(text) for text in entity.texts)
