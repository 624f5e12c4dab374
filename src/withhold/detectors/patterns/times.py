"""Times of day, lengths of time, ages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import (
    GAP,
    NUMBER_WORDS,
    SPELT,
    Candidate,
    Rule,
    View,
    listed,
    one_of,
    pattern,
    trie,
)

# ---- times of day

_BEGIN = r"(?<![\w:.,/-])"
_HALF = r"[ ]?(?:[ap]\.[ ]?m\.?(?![a-z])|[ap]m(?![a-z])|o'?clock(?! position))"
_OFFSET = r"[+-]\d{1,2}(?::?\d{2})?(?!\d)"
_ZONES = trie(listed("z utc gmt cet cest bst eet eest msk est edt cst cdt mst mdt pst pdt et ct mt pt ist jst"))
_ZONE = rf"(?:[ ]?{_ZONES}(?![a-z])(?:[ ]?{_OFFSET})?|[+-]\d{{2}}:?\d{{2}}(?!\d))?"
_CLOCK = (
    rf"{_BEGIN}(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{{1,6}})?)?(?:{_HALF}|[ ]?h(?:rs|ours)?(?![a-z]))?{_ZONE}"
    r"(?!\w|[:,]\d|[-/][0-9a-z]{2,4}-|[ ]position)"
)
_HOUR_WORDS = trie(listed("one two three four five six seven eight nine ten eleven twelve"))
_SPOKEN = (
    r"(?:half[ ]past|quarter[ ](?:past|to)|(?:twenty|ten|five)(?:[ ]minutes[ ](?:past|to)|[ ]past))[ ]"
    rf"(?:{_HOUR_WORDS}|noon|midnight)(?![a-z])"
)
_BEFORE_NOON = re.compile(r"(?<!\d)12[ ]\Z|(?<![a-z])at (?:about |around )?\Z")
_BEFORE_OCLOCK = re.compile(rf"(?<![a-z0-9])(?:\d{{1,2}}|{_HOUR_WORDS})[ ]\Z")


def _noon(view: View, start: int, end: int) -> Iterator[Candidate]:
    if before := _BEFORE_NOON.search(view.low, max(0, start - 12), start):
        twelve = before.group().startswith("12")
        first = before.start() if twelve else start
        yield Candidate(first, end, "TIME", 0.7 if twelve else 0.5, "time of day in words")


def _oclock(view: View, start: int, end: int) -> Iterator[Candidate]:
    before = _BEFORE_OCLOCK.search(view.low, max(0, start - 8), start)
    if before and not view.low.startswith(" position", end):
        yield Candidate(before.start(), end, "TIME", 0.85, "time of day in words")


# ---- lengths of time and ages

_UNITS = listed("second minute hour day night week weekend fortnight month quarter semester year decade")
_UNITS += (*(f"{unit}s" for unit in _UNITS), "century", "centuries")
_SHORT_UNITS = listed("hr hrs min mins sec secs yr yrs wk wks mo mos mth mths")
_ONLY_FIGURES = one_of("second quarter mo min sec")
_FRACTION = r"(?:[ ]?\d[/\u2044]\d)?"
_AMOUNT = (
    rf"(?:\d{{1,4}}(?:[.,]\d{{1,3}}){{0,3}}{_FRACTION}|{SPELT}|half[ ]an?|a[ ]half)"
    rf"(?:{GAP}and{GAP}(?:a[ ]half|a[ ]quarter|three[ ]quarters|one[ ]half))?"
)
_SORTS = listed(
    "calendar working business full consecutive more additional further whole entire long academic school successive"
)
_UP_TO_UNIT = rf"(?:[ ]?-[ ]?|{GAP}(?:\(?\d{{1,4}}\)?{GAP})?(?:(?:or[ ])?{trie(_SORTS)}{GAP})?)"
_BEFORE_UNIT = re.compile(
    rf"(?<![\w.,/$-])((?:{_AMOUNT}{GAP}?(?:-|to|or|and|/|\u2044){GAP}?)?{_AMOUNT}){_UP_TO_UNIT}?\Z"
)
_BEFORE_WORDS = frozenset((*NUMBER_WORDS, *_SORTS, "half", "an", "a", "quarter", "quarters"))
_MORE = re.compile(
    rf"(?:,?{GAP}and{GAP}|,{GAP}|{GAP}){_AMOUNT}{_UP_TO_UNIT}{trie(_UNITS)}(?![a-z])|[ ]and[ ]a[ ]half(?![a-z])"
)
_OLD = re.compile(r"(?:[ -]{1,2}|\n)olds?(?![a-z])|[ ]of[ ]age(?![a-z])")
_IDLE = frozenset(("one day", "one night", "one second", "one minute"))


def _lengths(view: View, start: int, end: int) -> Iterable[Candidate]:
    """A number before a unit of time: an age if it is how old someone is."""
    words = view.low[max(0, start - 20) : start].replace("-", " ").split()
    if not words or (words[-1].lstrip("(['\"") not in _BEFORE_WORDS and words[-1][-1] not in "0123456789)"):
        return ()
    before = _BEFORE_UNIT.search(view.low, max(0, start - 64), start)
    return _length(view, before, start, end) if before else ()


def _length(view: View, before: re.Match[str], start: int, end: int) -> Iterator[Candidate]:
    number, unit = before.group(1), view.low[start:end]
    if not number[-1].isdigit() and (unit in _ONLY_FIGURES or start == before.end(1)):
        return
    if old := _OLD.match(view.low, end):
        yield Candidate(before.start(), old.end(), "AGE", 0.9, "age")
        return
    for _ in range(4):
        more = _MORE.match(view.low, end)
        if more is None or _OLD.match(view.low, more.end()):
            break
        end = more.end()
    yield Candidate(before.start(), end, "DURATION", 0.4 if f"{number} {unit}" in _IDLE else 0.7, "length of time")


_AGE_LEAD = rf"(?:{GAP}(?:of|is|was|just|about|approximately|around|only|between|from)|[ ]?[:=]){{0,2}}{GAP}?(?<![a-z])"
_AGED = re.compile(
    rf"{_AGE_LEAD}(\d{{1,3}}(?:[.]\d)?|{SPELT})(?:{GAP}?(?:-|to|and|or){GAP}?(\d{{1,3}}|{SPELT}))?"
    r"(?![\w/%$]|[.,:-]\d|[ ]?(?:%|per|million|thousand|km|times|percent|degrees|dollars|euros))"
)
_OLDEST = 122


def _aged(view: View, start: int, end: int) -> Iterator[Candidate]:
    match, turned = _AGED.match(view.low, end), view.low.startswith("turn", start)
    if match is None or (turned and match.group(1) in ("one", "two")):
        return
    if match.group(1)[0].isdigit() and float(match.group(1)) > _OLDEST:
        return
    for group in (1, 2):
        if match.group(group):
            yield Candidate(*match.span(group), "AGE", 0.6 if turned else 0.85, "age")


_WAS = re.compile(
    r"(?<![a-z])(?:(?P<person>(?:he|she|i)(?:[ ](?:was|is|am|turned|turns)|'s|'?m))"
    r"|(?:who|they|you|we)[ ](?:was|were|is|are)|am|is)(?:[ ](?:just|only|already|now|about))?[ ]\Z"
)
_WAS_END = re.compile(r"(?=[.,;)?!\n]|\Z|[ ](?:when|and|years|at|now|male|female)(?![a-z]))(?![.,]\d)")


def _was(view: View, start: int, end: int) -> Iterator[Candidate]:
    """`He was 64.`"""
    before = _WAS.search(view.low, max(0, start - 24), start) if end - start <= 2 else None
    if before and _WAS_END.match(view.low, end):
        sure = 0.6 if before["person"] and int(view.low[start:end]) > 9 else 0.4
        yield Candidate(start, end, "AGE", sure, "may be an age")


_TENS = listed("twenties thirties forties fifties sixties seventies eighties nineties")
_DECADE = re.compile(r"[2-9]0s|[a-z]+")
_IN_HIS = re.compile(
    r"(?:in|into)[ ](?:his|her|their|my|your|its|(?P<nobody>the))[ ](?:(?:very[ ])?(?:early|mid|middle|late)[ -]{0,2})?"
    r"(?:to[ ](?:late|mid)[ -])?\Z"
)


def _decades(view: View, start: int, end: int) -> Iterator[Candidate]:
    """`in her forties`, `in his mid-40s`; and, of no person, `in the nineties`."""
    before = _IN_HIS.search(view.low, max(0, start - 30), start)
    if before is None or not _DECADE.fullmatch(view.low, start, end):
        return
    if before["nobody"]:
        yield Candidate(start, end, "DATE", 0.55, "decade in words")
    else:
        yield Candidate(start, end, "AGE", 0.75, "age by decade")


RULES = (
    pattern("TIME", _CLOCK, "time of day", 0.75, any_case=True, least=4, after=":"),
    pattern(
        "TIME", rf"{_BEGIN}(?:[01]?\d|2[0-4])(?:\.[0-5]\d)?{_HALF}{_ZONE}", "time of day", 0.85,
        any_case=True, after="a p am pm o",
    ),
    pattern(
        "TIME", rf"{_BEGIN}(?:[01]\d|2[0-3])[.h]?[0-5]\d[ ]?h(?:rs?|ours?)?(?![a-z])", "time of day", 0.8,
        any_case=True, least=4, after="h hr hrs hour hours",
    ),
    pattern(
        "TIME", rf"{_BEGIN}(?:[01]?\d|2[0-3])h(?:[0-5]\d)?(?![a-z0-9])", "time of day", 0.5, any_case=True, after="h"
    ),
    pattern(
        "TIME", _SPOKEN, "time of day in words", 0.75,
        any_case=True, words=listed("half quarter twenty ten five"),
    ),
    Rule(("TIME",), _noon, words=listed("noon midnight")),
    Rule(("TIME",), _oclock, words=listed("o'clock oclock")),
    Rule(("DURATION", "AGE"), _lengths, words=_UNITS + _SHORT_UNITS),
    Rule(("AGE",), _aged, words=listed("age aged ages turn turns turned turning")),
    pattern(
        "AGE", r"(?<![\w.,/-])\d{1,3}[ -]?(?:y/?o|y\.[ ]?o\.?|yrs?\.? old)(?![a-z])", "age", 0.9,
        any_case=True, after="y yo yr yrs",
    ),
    Rule(("AGE",), _was, before=one_of("was were is am are i'm im he's she's just only already now about turned")),
    Rule(("AGE", "DATE"), _decades, words=_TENS),
    Rule(("AGE", "DATE"), _decades, least=3, after=one_of("s")),
)  # fmt: skip
