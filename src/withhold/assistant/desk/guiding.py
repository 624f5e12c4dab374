"""What to do next, and why: what a person wrote that tells, then what a secret can still be told from, then what nobody
has looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from withhold.assistant.desk.effect import strengths
from withhold.assistant.desk.stops import touched
from withhold.assistant.desk.values import Change, Decision, Task, TermDecision
from withhold.formats.residue import Names
from withhold.gate import spelling
from withhold.labels import LABELS
from withhold.redactor import hidden
from withhold.text import squeeze

if TYPE_CHECKING:
    from withhold.assistant.desk.desk import Desk
    from withhold.assistant.desk.views import View
    from withhold.assistant.desk.weighing import Weighed
    from withhold.spans import Span

_TERMS = 12
_UNKNOWN = 8
_DOUBTFUL = 20


def tasks(desk: Desk, weighed: Weighed, decisions: Sequence[Decision], changes: Sequence[Change]) -> Iterator[Task]:
    """What matters most, first."""
    decided = {desk.places.under(span) for each in decisions if isinstance(each, TermDecision) for span in each.spans}
    stay = {
        name: seen for name, seen in weighed.views.items() if weighed.level(name) > desk.first.views[name].risk.ceiling
    }
    yield from _written(desk, changes)
    yield from _strength(desk, decisions, stay)
    yield from sorted(_terms(desk, stay, decided), key=lambda task: -task.value)[:_TERMS]
    yield from _verbatim(desk, changes)
    yield from _doubtful(desk, decisions, changes)
    yield from _unknown(desk, weighed, decided)


def _written(desk: Desk, changes: Sequence[Change]) -> Iterator[Task]:
    """What a person wrote that repeats what is hidden elsewhere: it could not be released."""
    edits = [change.edit for change in changes]
    said = [edit for edit in edits if edit.replacement and edit.operator == "rewrite"]
    if not said:
        return
    names = spelling(hidden(edits, desk.document))
    for edit in said:
        if names.told_by(edit.replacement or ""):
            yield Task("written", "what you wrote here repeats what is hidden elsewhere", 1.0, (edit.span,))
    own = desk.redactor.policy_for(desk.document).secret
    for secret in own:
        words = Names(squeeze(name) for name in secret.names)
        for edit in said:
            if words.told_by(edit.replacement or ""):
                yield Task("written", "what you wrote here names the secret", 1.0, (edit.span,), secret=secret.name)


def _strength(desk: Desk, decisions: Sequence[Decision], stay: dict[str, View]) -> Iterator[Task]:
    moved = strengths(decisions)
    for name, seen in stay.items():
        slider = desk.slider(name)
        if moved.get(name, 1) < slider.asked:
            risk = desk.first.views[name].risk
            reason = f"{risk.verdict(seen.risk.after)}: the slider at {slider.asked} does what the policy asks for"
            yield Task("strength", reason, seen.risk.after - risk.ceiling, secret=name, k=slider.asked)


def _terms(desk: Desk, stay: dict[str, View], decided: set[str]) -> Iterator[Task]:
    """The terms that tell most of what can still be told; by rules, those that make others telling first."""
    for name, seen in stay.items():
        value = seen.highest.copy()
        size = len(seen.paired)
        if size:
            value[:size] += seen.raises
        for number in np.argsort(-value, kind="stable")[: 3 * _TERMS].tolist():
            text = seen.terms[number]
            spans = desk.places.of(text)
            if text not in decided and spans and seen.highest[number] > 0:
                yield Task("term", _reason(seen, number), float(value[number]), spans, desk.places.id(text), name)


def _reason(seen: View, number: int) -> str:
    beside = ""
    if seen.partner[number] >= 0:
        beside = f"; with another term it tells with {seen.together(number):.0%} confidence"
    return seen.reason(number) + beside


def _verbatim(desk: Desk, changes: Sequence[Change]) -> Iterator[Task]:
    found = desk.overview().verbatim
    changed = [change.edit.span for change in changes]
    for each, gone in zip(found, _touched(desk, [each.span for each in found], changed), strict=True):
        if not gone:
            yield Task("verbatim", each.reason, each.confidence, (each.span,), secret=each.secret)


def _doubtful(desk: Desk, decisions: Sequence[Decision], changes: Sequence[Change]) -> Iterator[Task]:
    open_ = desk.effects.undecided(decisions, changes)
    for each in sorted(open_, key=lambda finding: -finding.score)[:_DOUBTFUL]:
        covers = f" ({LABELS[each.label].doc})" if each.label in LABELS else ""
        reason = f"may be {each.label}{covers}: {each.reason or each.detector}"
        yield Task("finding", reason, each.score, (each.span,))


def _touched(desk: Desk, spans: Sequence[Span], others: Sequence[Span]) -> list[bool]:
    """Which spans have a part of one of the others."""
    starts, ends = (np.array([getattr(span, name) for span in spans], np.int64) for name in ("start", "end"))
    flags: list[bool] = touched(starts, ends, others, len(desk.document.text)).tolist()
    return flags


def _unknown(desk: Desk, weighed: Weighed, decided: set[str]) -> Iterator[Task]:
    """Words that no model knows and that are written like names: nobody can say what they tell."""
    found: dict[str, str] = {}
    for name, seen in weighed.views.items():
        for number in np.flatnonzero(~seen.known).tolist():
            found.setdefault(seen.terms[number], name)
    shown = 0
    for text, name in found.items():
        spans = desk.places.of(text)
        if text in decided or not spans or not spans[0].of(desk.document.text)[:1].isupper():
            continue
        yield Task("unknown", "nothing is known of it: look at it", 0.0, spans, desk.places.id(text), name)
        shown += 1
        if shown == _UNKNOWN:
            return
