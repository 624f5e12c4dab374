"""All claims of all detectors made one account of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from withhold.detectors.entities.allow import Allowed
from withhold.detectors.entities.elsewhere import DETECTOR, Elsewhere
from withhold.detectors.entities.linking import OWN, Links
from withhold.detectors.entities.overlaps import IsSure, resolved
from withhold.labels import kind, known_as
from withhold.policy import Detection
from withhold.types import Document, Finding

_PROPAGATE = frozenset({"PERSON", "ORG", "LOC", "CODE", "MISC", "DATETIME", "QUANTITY"})


def settle(
    document: Document, findings: Iterable[Finding], detection: Detection, allowed: Allowed | None = None
) -> list[Finding]:
    """What detectors claim, settled: in order, without what is allowed, without claims that others make needless,
    every finding with the number of its entity, from 1 by first appearance.

    Of the labels that the policy wants found, entities are told apart by their names, and every mention of one that
    was surely found is found too: surname, initials, short forms, handles, misspellings. Of other labels, what the
    detector says counts, or else the words. Every character of a sure finding that is not allowed is covered
    afterwards, but for white space and brackets around it. Settling again changes nothing.
    """

    def is_sure(finding: Finding) -> bool:
        return finding.score >= detection.threshold(finding.label)

    allowed = allowed or Allowed()
    claimed = [finding for finding in findings if finding.detector != DETECTOR]
    base = resolved(allowed.less(claimed, document), document.text, is_sure)
    wanted = detection.wanted
    by_name = [is_sure(each) and known_as(each.label) in wanted for each in base]
    links = Links(document.text, base, by_name)
    spread = {index for index, each in enumerate(base) if by_name[index] and kind(each.label) in _PROPAGATE}
    elsewhere = Elsewhere(document.text, base, links, detection)
    more = list(elsewhere.find(spread if detection.consistent else set()))
    entities = _agreed(base, links.of)
    more = allowed.less(more, document)
    kept = [replace(finding, entity=entity) for finding, entity in zip(base, entities, strict=True)]
    return _numbered([*kept, *_uncovered(more, kept, is_sure)])


def _agreed(base: Sequence[Finding], entities: Sequence[int | None]) -> list[int | None]:
    """The entities, with findings that their detector says are of one entity in one."""
    first: dict[tuple[str, int], int | None] = {}
    agreed = list(entities)
    for index, finding in enumerate(base):
        if finding.entity is not None and finding.detector not in OWN:
            agreed[index] = first.setdefault((finding.detector, finding.entity), entities[index])
    return agreed


def _uncovered(more: Iterable[Finding], base: Sequence[Finding], is_sure: IsSure) -> list[Finding]:
    """Of further findings, those that lie neither inside one that was there before nor inside each other."""
    kept: list[Finding] = []
    reach = {True: 0, False: 0}
    ordered = sorted(((each, each.detector == DETECTOR) for each in (*base, *more)), key=_widest_first)
    for finding, is_new in ordered:
        sure = is_sure(finding)
        end = finding.span.end
        if is_new and end > max(reach[True], 0 if sure else reach[False]):
            kept.append(finding)
        reach[sure] = max(reach[sure], end)
    return kept


def _widest_first(each: tuple[Finding, bool]) -> tuple[int, int, bool, float]:
    finding, is_new = each
    return finding.span.start, -finding.span.end, is_new, -finding.score


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in order, entities numbered by first appearance."""
    numbers: dict[int | None, int] = {}
    ordered = sorted(findings, key=lambda each: (each.span, each.label))
    return [replace(each, entity=numbers.setdefault(each.entity, len(numbers) + 1)) for each in ordered]
