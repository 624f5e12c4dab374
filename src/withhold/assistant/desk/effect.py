"""From decisions to edits: who has the last word about each character.

1.  At the bottom is what sliders take (`StrengthDecision`; of several about one secret the last counts).
2.  Above it is what was found and is sure. A finding that a person rejects is not there at all; one that they accept,
    sure or not, counts as the decision that says so.
3.  Above that are the decisions about terms, findings and text, in their order: the later has the last word. So what a
    person keeps stays, whatever a slider or a detector wants; and a later decision can take it after all.
4.  What is left of an edit that another one cut into still goes, by the operator of its label: only what was kept or
    written comes to light. Stretches without a letter or digit are not worth an edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.assistant.desk.values import (
    Change,
    Decision,
    FindingDecision,
    Origin,
    StrengthDecision,
    TermDecision,
    TextDecision,
)
from withhold.planners.direct import DirectPlanner
from withhold.spans import Span
from withhold.text import WORD
from withhold.types import Edit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from withhold.policy import Policy
    from withhold.types import Document, Finding

LABEL = "CLUE"
"""What goes because it tells, not because it was found."""

_DECIDED = "a person decided so"
_OPERATORS = {"pseudonymise": "pseudonymise", "generalise": "rewrite", "replace": "rewrite"}


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stretch of text and what becomes of it: an edit, or nothing at all if it is kept. A `shy` one, which only marks
    where something is put in, gives way to what is there already.
    """

    span: Span
    edit: Edit | None
    origin: Origin
    decision: int | None = None
    shy: bool = False


class Effects:
    """The edits that are in effect for a document, for any list of decisions."""

    def __init__(self, document: Document, policy: Policy, findings: Sequence[Finding]) -> None:
        self.document, self.policy = document, policy
        self._planner = DirectPlanner.from_policy(policy)
        self.findings = list(findings)
        self._numbers: NDArray[np.int32] | None = None
        self._sure: tuple[frozenset[Span], list[Stroke]] | None = None
        self.doubtful = [each.score < policy.detection.threshold(each.label) for each in findings]

    def changes(self, decisions: Sequence[Decision], stops: Mapping[str, Sequence[Edit]]) -> tuple[Change, ...]:
        """The edits, in order and disjoint. `stops` has the edits of each slider where it stands now."""
        strokes = [
            *(Stroke(edit.span, edit, "strength") for edits in stops.values() for edit in edits),
            *self._undecided(frozenset(self.rejected(decisions))),
            *(stroke for number, each in enumerate(decisions) for stroke in self._decided(number, each, decisions)),
        ]
        return tuple(self._painted(strokes))

    def rejected(self, decisions: Sequence[Decision]) -> dict[Span, bool]:
        """The findings that were decided about, by span, and whether they were rejected."""
        return {span: not each.accept for each in decisions if isinstance(each, FindingDecision) for span in each.spans}

    def undecided(self, decisions: Sequence[Decision], changes: Sequence[Change]) -> list[Finding]:
        """The doubtful findings that nobody decided about: some word of them is neither changed nor was it decided to
        stay.
        """
        settled = np.zeros(len(self.document.text), bool)
        for each in (*(change.edit.span for change in changes), *_settling(decisions)):
            settled[each.start : each.end] = True
        waiting = np.concatenate(([0], np.cumsum(self._words & ~settled)))

        def waits(span: Span) -> bool:
            return bool(waiting[span.end] > waiting[span.start]) or not settled[span.start : span.end].any()

        pairs = zip(self.findings, self.doubtful, strict=True)
        return [each for each, doubtful in pairs if doubtful and waits(each.span)]

    @cached_property
    def _words(self) -> NDArray[np.bool_]:
        """Which characters are of a word."""
        text = self.document.text
        return np.fromiter(map(str.isalnum, text), bool, len(text))

    def _undecided(self, told: frozenset[Span]) -> list[Stroke]:
        """What was found and is sure, less what a person has decided about; most of the time the same as before."""
        if self._sure is None or self._sure[0] != told:
            pairs = zip(self.findings, self.doubtful, strict=True)
            sure = [each for each, doubtful in pairs if each.span not in told and not doubtful]
            self._sure = told, [Stroke(edit.span, edit, "finding") for edit in self._found(sure)]
        return self._sure[1]

    def _found(self, findings: Iterable[Finding]) -> Sequence[Edit]:
        sure = [replace(each, score=max(each.score, self._threshold(each))) for each in findings]
        return self._planner.plan(sure, ()).edits

    def _threshold(self, finding: Finding) -> float:
        return self.policy.detection.threshold(finding.label)

    def _decided(self, number: int, decision: Decision, decisions: Sequence[Decision]) -> Iterator[Stroke]:
        if isinstance(decision, TermDecision):
            for at, span in enumerate(decision.spans):
                yield Stroke(span, self._edit(decision, span, at), "decision", number)
        elif isinstance(decision, FindingDecision) and decision.accept:
            told = self._last(number, decision, decisions)
            chosen = [each for each in self.findings if each.span in told]
            yield from (Stroke(edit.span, edit, "decision", number) for edit in self._found(chosen))
        elif isinstance(decision, TextDecision):
            for each in decision.replacements:
                edit = Edit(each.span, "rewrite", LABEL, "a person wrote it", replacement=each.text)
                yield Stroke(each.span, edit, "decision", number, shy=_is_put_in(each.text, each.span, self.document))

    @staticmethod
    def _last(number: int, decision: FindingDecision, decisions: Sequence[Decision]) -> set[Span]:
        """The findings about which no later decision says otherwise."""
        later = {span for each in decisions[number + 1 :] if isinstance(each, FindingDecision) for span in each.spans}
        return {*decision.spans} - later

    def _edit(self, decision: TermDecision, span: Span, at: int) -> Edit | None:
        if decision.action == "keep":
            return None
        found = self._found_at(span)
        label, entity = (LABEL, None) if found is None else (found.label, found.entity if found.span == span else None)
        written = decision.written[at] if decision.written else decision.replacement
        if decision.action == "remove" or (decision.action == "generalise" and not written):
            return Edit(span, self.policy.operators.choose(label), label, _DECIDED, entity)
        text = written if decision.action in ("generalise", "replace") else None
        return Edit(span, _OPERATORS[decision.action], label, _DECIDED, entity, text)

    def _found_at(self, span: Span) -> Finding | None:
        """The finding that has a part of a span; of several the longest."""
        if self._numbers is None:
            self._numbers = np.zeros(len(self.document.text), np.int32)
            for number in sorted(range(len(self.findings)), key=lambda each: len(self.findings[each].span)):
                self._numbers[self.findings[number].span.start : self.findings[number].span.end] = number + 1
        here = int(self._numbers[span.start : span.end].max(initial=0))
        return self.findings[here - 1] if here else None

    def _painted(self, strokes: Sequence[Stroke]) -> Iterator[Change]:
        owner = np.zeros(len(self.document.text), np.int32)
        for number, stroke in enumerate(strokes, 1):
            part = owner[stroke.span.start : stroke.span.end]
            if not (stroke.shy and part.any()):
                part[:] = 0 if stroke.edit is None else number
        edges = np.flatnonzero(np.diff(owner, prepend=0, append=0))
        for start, end in zip(edges.tolist(), [*edges.tolist(), len(owner)][1:], strict=True):
            if start < end and owner[start]:
                stroke = strokes[int(owner[start]) - 1]
                if (edit := self._left(stroke.edit, Span(start, end))) is not None:
                    yield Change(edit, stroke.origin, stroke.decision)

    def _left(self, edit: Edit | None, span: Span) -> Edit | None:
        """The edit, or what is left of it if something else cut into it."""
        if edit is None or edit.span == span:
            return edit
        words = [*WORD.finditer(self.document.text, span.start, span.end)]
        if not words:
            return None
        left = Span(words[0].start(), words[-1].end())
        return Edit(left, self.policy.operators.choose(edit.label), edit.label, edit.reason, edit.entity)


def _settling(decisions: Sequence[Decision]) -> Iterator[Span]:
    """What a person has decided about, word for word."""
    for each in decisions:
        if isinstance(each, TermDecision | FindingDecision):
            yield from each.spans


def strengths(decisions: Iterable[Decision]) -> dict[str, int]:
    """Where the slider of each secret stands; those that nobody moved are left out."""
    return {each.secret: each.k for each in decisions if isinstance(each, StrengthDecision)}


def _is_put_in(text: str, span: Span, document: Document) -> bool:
    """Whether a replacement only adds to the one character it replaces, which must then not come to light."""
    stood = span.of(document.text)
    return len(stood) == 1 and not stood.isspace() and (text.startswith(stood) or text.endswith(stood))
