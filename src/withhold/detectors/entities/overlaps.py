"""Which of several claims about the same characters stay."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from withhold.labels import kind
from withhold.spans import Span, complement, union
from withhold.types import Finding

ASKED_FOR = frozenset({"lists", "mentions"})
"""Detectors of what the policy names word by word: what they say is never argued with."""

SEPARATORS = " \t\r\n\u00a0,;:()[]<>\"'|"
"""What may come uncovered between two findings that were one: nothing that could tell anything."""

_VALIDATED = 0.9
_NAMES = frozenset({"PERSON", "ORG", "LOC"})
_BETWEEN_PIECES = re.compile(r"[ \u00a0]?[\u00ad\u200b-\u200d\u2060\ufeff]?|-")

IsSure = Callable[[Finding], bool]


def resolved(findings: Iterable[Finding], text: str, is_sure: IsSure) -> list[Finding]:
    """The findings without those that others make needless, in order.

    Of two with the same characters the better one stays: what the policy asked for, then a pattern that checks, then
    the higher score. One inside another gives way, unless it is sure and the other is not, or the policy asked for it.
    A number or an address inside a name that was cut too wide is taken out of the name. Pieces of one name are joined.
    Other overlaps stay as they are. Every character of a sure finding is in a sure finding afterwards, but for
    `SEPARATORS`; doing it again changes nothing.
    """
    kept = _unnested(_cut(findings, text, is_sure), is_sure)
    while len(joined := _unnested(_joined(kept, text, is_sure), is_sure)) < len(kept):
        kept = joined
    return sorted(kept, key=_order)


def _order(finding: Finding) -> tuple[Span, str, str, float]:
    return finding.span, finding.label, finding.detector, -finding.score


def _cut(findings: Iterable[Finding], text: str, is_sure: IsSure) -> Iterator[Finding]:
    """The findings, with addresses and numbers that a pattern found taken out of names around them."""
    given = [finding for finding in findings if finding.span]
    codes = union(each.span for each in given if _is_code(each) and is_sure(each))
    for finding in given:
        inside = _near(codes, finding.span)
        if not inside or finding.detector in (*ASKED_FOR, "patterns") or kind(finding.label) not in _NAMES:
            yield finding
        else:
            for piece in complement(inside, finding.span):
                written = piece.of(text)
                start = piece.start + len(written) - len(written.lstrip(SEPARATORS))
                end = piece.end - len(written) + len(written.rstrip(SEPARATORS))
                if start < end:
                    yield replace(finding, span=Span(start, end))


def _is_code(finding: Finding) -> bool:
    return finding.detector == "patterns" and finding.score >= _VALIDATED and kind(finding.label) == "CODE"


def _near(spans: Sequence[Span], span: Span) -> Sequence[Span]:
    """The spans of a set that could share a character with another."""
    first = bisect_right(spans, span.start, key=lambda each: each.end)
    return spans[first : bisect_left(spans, span.end, key=lambda each: each.start)]


def _unnested(findings: Iterable[Finding], is_sure: IsSure) -> list[Finding]:
    kept: list[Finding] = []
    around: list[Finding] = []
    for finding in sorted(findings, key=lambda each: (each.span.start, -each.span.end, *_merit(each, is_sure))):
        around = [other for other in around if other.span.end > finding.span.start]
        if not any(_replaces(other, finding, is_sure) for other in around):
            around.append(finding)
            kept.append(finding)
    return kept


def _merit(finding: Finding, is_sure: IsSure) -> tuple[bool, bool, bool, float, str]:
    """What sorts the better of two claims first."""
    validated = finding.detector == "patterns" and finding.score >= _VALIDATED
    return not is_sure(finding), finding.detector not in ASKED_FOR, not validated, -finding.score, finding.label


def _replaces(outer: Finding, inner: Finding, is_sure: IsSure) -> bool:
    """Whether a finding can go for the sake of one around it."""
    if inner.span not in outer.span or (is_sure(inner) and not is_sure(outer)):
        return False
    if inner.detector in ASKED_FOR:
        return (inner.span, inner.detector, inner.label) == (outer.span, outer.detector, outer.label)
    return True


def _joined(findings: Sequence[Finding], text: str, is_sure: IsSure) -> list[Finding]:
    """The findings in order, pieces of one name made one."""
    done: list[Finding] = []
    last: dict[str, int] = {}
    for finding in sorted(findings, key=_order):
        named = kind(finding.label)
        before = last.get(named)
        if before is not None and _is_one_name(done[before], finding, text, is_sure):
            best = min(done[before], finding, key=lambda each: _merit(each, is_sure))
            end = max(done[before].span.end, finding.span.end)
            done[before] = replace(best, span=Span(done[before].span.start, end))
        else:
            if named in _NAMES and finding.detector not in ASKED_FOR:
                last[named] = len(done)
            done.append(finding)
    return done


def _is_one_name(first: Finding, second: Finding, text: str, is_sure: IsSure) -> bool:
    if second.detector in ASKED_FOR or is_sure(first) != is_sure(second) or first.label != second.label:
        return False
    if first.span.overlaps(second.span):
        return True
    between = text[first.span.end : second.span.start]
    if not _BETWEEN_PIECES.fullmatch(between):
        return False
    return _is_word(second, text) or _is_word(first, text)  # the first may be long, made of many


def _is_word(finding: Finding, text: str) -> bool:
    return len(finding.span.of(text).split(None, 1)) == 1
