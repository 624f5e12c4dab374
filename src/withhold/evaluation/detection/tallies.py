"""What is counted in one text. Every count is of things to find or of findings, and of those that are right.

The names of counts are paths; each has a part `hit` and a part `all`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from withhold.evaluation.detection.choice import Case, direct, needed
from withhold.evaluation.detection.counting import Containing, gaps, mask, telling, touched, words
from withhold.fit.annotated import Mention
from withhold.spans import Span, union

Tally = defaultdict[str, float]
Weigh = Callable[[str, Span], float]
"""What a word of a text weighs."""


def tally(case: Case, weigh: Weigh) -> Tally:
    """Everything that is counted in a text."""
    counts: Tally = defaultdict(float)
    _recall(case, counts)
    _precision(case, weigh, counts)
    _words(case, counts)
    _spans(case, counts)
    return counts


def _add(counts: Tally, name: str, right: bool | float, weight: float = 1.0) -> None:
    counts[f"{name}.hit"] += right * weight
    counts[f"{name}.all"] += weight


def _recall(case: Case, counts: Tally) -> None:
    """Entities, mentions and tokens of the Text Anonymization Benchmark: covered by findings of whatever label."""
    text = case.text.text
    open_ = gaps(text, (each.span for each in case.found))
    for mentions in _entities(case.mentions, text):
        if not any(map(needed, mentions)):
            continue
        first = mentions[0]
        key = case.choice.key(first.label)
        whole = all(not touched(open_, each.span) or not needed(each) for each in mentions)
        for name in ("direct" if direct(first) else "quasi", "any", f"of.{key}"):
            _add(counts, f"entity.{name}", whole)
        for each in mentions:
            own = case.choice.key(each.label)
            tokens = [not touched(open_, word) for word in words(text, each.span)]
            for name in ("any", f"of.{own}"):
                _add(counts, f"mention.{name}", not touched(open_, each.span))
                for token in tokens:
                    _add(counts, f"token.{name}", token)


def _entities(mentions: Iterable[Mention], text: str) -> list[list[Mention]]:
    """The mentions by entity, for each annotator apart; where the data names no entities, those with one label and
    one wording are one.
    """
    gathered: dict[tuple[str, ...], list[Mention]] = {}
    for each in mentions:
        own = (each.entity,) if each.entity is not None else (each.label, *each.span.of(text).casefold().split())
        gathered.setdefault((each.annotator, *own), []).append(each)
    return list(gathered.values())


def _precision(case: Case, weigh: Weigh, counts: Tally) -> None:
    """Precision as that benchmark has it: the share of annotators who have marked what was found as to be masked."""
    text = case.text.text
    by_annotator: dict[str, list[Span]] = {}
    for each in case.mentions:
        if needed(each):
            by_annotator.setdefault(each.annotator, []).append(each.span)
    marked = [Containing(spans) for spans in by_annotator.values()]
    for span in union(each.span for each in case.alarms):
        _add(counts, "found.mention", _share(span, marked, case), case.text.annotators)
        for word in words(text, span):
            share = _share(word, marked, case)
            _add(counts, "found.token", share, case.text.annotators)
            _add(counts, "found.ngram", share, case.text.annotators * weigh(text, word))


def _share(span: Span, marked: Sequence[Containing], case: Case) -> float:
    return sum(span in spans for spans in marked) / case.text.annotators


def _words(case: Case, counts: Tally) -> None:
    """Words that tell something: to find if anyone has marked them as to be masked, found if all that is marked of
    them is covered; a word that a finding touches is right if it was to find.
    """
    text, key = case.text.text, case.choice.key
    counted, length = telling(text), len(text)
    wanted = [each for each in case.mentions if needed(each)]

    def count(name: str, gold: Iterable[Span], covering: Sequence[Span], claimed: Iterable[Span]) -> None:
        spans = list(gold)
        there, left = mask(length, spans), mask(length, spans, without=covering)
        alarms = mask(length, claimed)
        for word in counted:
            if touched(there, word):
                _add(counts, f"{name}.gold", not touched(left, word))
            if touched(alarms, word):
                _add(counts, f"{name}.found", touched(there, word))

    everything = [each.span for each in case.found]
    count("words", (each.span for each in wanted), everything, (each.span for each in case.alarms))
    count("persons", (each.span for each in wanted if key(each.label) == "PERSON"), everything, ())
    for kind in case.choice.keys:
        claimed = [each.span for each in case.alarms if key(each.label) == kind]
        count(f"label.{kind}", (each.span for each in wanted if key(each.label) == kind), claimed, claimed)


def _spans(case: Case, counts: Tally) -> None:
    """Spans: found if half of their telling words or more are covered; findings are right if half of theirs or more
    were to find. Exactly: if the telling words are the same.
    """
    text = case.text.text
    counted = telling(text)
    gold = union(each.span for each in case.mentions if needed(each))
    alarms = union(each.span for each in case.alarms)
    everything = union(each.span for each in case.found)
    for name, spans, others in (("gold", gold, everything), ("found", alarms, gold)):
        there = mask(len(text), others)
        same = {_inside(other, counted) for other in others}
        for span in spans:
            if own := _inside(span, counted):
                covered = sum(touched(there, counted[number]) for number in own)
                _add(counts, f"span.{name}", 2 * covered >= len(own))
                _add(counts, f"exact.{name}", own in same)


def _inside(span: Span, counted: Sequence[Span]) -> range:
    """The numbers of the words that a span touches."""
    first = bisect_right(counted, span.start, key=lambda word: word.end)
    return range(first, bisect_left(counted, span.end, key=lambda word: word.start))
