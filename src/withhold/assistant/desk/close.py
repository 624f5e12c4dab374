"""One term, looked at closely: where it stands, what it tells and with what, and who says so."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from withhold.assistant.desk.places import term_of
from withhold.assistant.desk.values import Detail, Entry, Occurrence, Together
from withhold.learners.phrases import sentences
from withhold.spans import Span

if TYPE_CHECKING:
    from withhold.assistant.desk.desk import Desk
    from withhold.types import Evidence, Hit, Secret

_RULES = 10


def detail(desk: Desk, entry: Entry) -> Detail:
    """All that is known of a term."""
    cut = sentences(desk.document.text)
    starts = [span.start for span in cut]
    occurrences = [Occurrence(span, _context(cut, starts, span)) for span in entry.spans]
    rules = [each for secret in desk.policy.secret for each in _rules(desk, secret, entry)]
    return Detail(entry.id, entry.text, tuple(occurrences), entry.told, tuple(rules))


def _context(cut: Sequence[Span], starts: Sequence[int], span: Span) -> Span:
    at = bisect_right(starts, span.start) - 1
    around = cut[at] if at >= 0 else span
    return Span(min(around.start, span.start), max(around.end, span.end))


def _rules(desk: Desk, secret: Secret, entry: Entry) -> Iterator[Together]:
    """What the term tells: by rules that were counted, if the model has such, and beside its best partners."""
    seen = desk.first.views[secret.name]
    copied = {each.span for each in seen.copied}
    found = [each for each in desk.evidence(secret.name) if _is_about(each, entry) and not copied & {*each.spans}]
    number, known = seen.numbers.get(entry.text), set[tuple[str, ...]]()
    if seen.risk.measure == "share":
        for each in found[:_RULES]:
            others = dict.fromkeys(desk.places.under(span) for span in each.spans)
            ids = tuple(desk.places.id(text) for text in others if text and text != entry.text)
            known.add(ids)
            yield Together(secret.name, ids, each.weight, each.reason, each.counts, _hits(desk, each, secret))
    elif number is not None:
        counts, documents = (found[0].counts, _hits(desk, found[0], secret)) if found else ({}, ())
        yield Together(secret.name, (), float(seen.alone[number]), seen.reason(number), counts, documents)
    for other in seen.partners(number, _RULES) if number is not None else ():
        ids = (desk.places.id(seen.terms[other]),)
        if ids not in known:
            yield Together(secret.name, ids, float(seen.paired[number, other]), "tells more beside it than alone")


def _hits(desk: Desk, evidence: Evidence, secret: Secret) -> tuple[Hit, ...]:
    """The documents that show it, each with the stretch that has most of the terms and of the secret's names."""
    query = " ".join([*(desk.places.under(span) for span in evidence.spans), *map(term_of, secret.names)])
    return tuple(desk.hit(name, query) for name in evidence.documents)


def _is_about(evidence: Evidence, entry: Entry) -> bool:
    return any(span.overlaps(other) for span in evidence.spans for other in entry.spans)
