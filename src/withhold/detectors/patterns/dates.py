"""Dates in words: months, days of the week, feasts, centuries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from withhold.detectors.patterns.base import GAP, Candidate, Rule, View, listed, one_of, trie

YEAR = r"(?:1[4-9]|20)\d{2}(?![0-9%]|[.,:]\d)"
"""A year behind something that says that one comes."""

_MONTHS = listed("january february march april may june july august september october november december")
_SHORT = listed("jan feb febr mar apr jun jul aug sep sept oct nov dec")
_FOREIGN = listed(
    "januar februar marz mai juni juli oktober dezember janner janvier fevrier mars avril juin juillet aout septembre "
    "octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre "
    "noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre januari februari "
    "maart mei augustus janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro stycznia lutego "
    "marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia"
)
_ALSO_WORDS = one_of("mars mai marco marca maja mei")
_NEVER_ELSE = one_of("january february july september october november december")
_OFTEN_ELSE = one_of("may march mar")
_NEEDS_CAPITAL = one_of("may march mar august")
_WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
_DAY_NAMES = (*_WEEKDAYS, *listed("mon tue tues wed thu thur thurs fri sat sun"))
_MONTH = trie((*_MONTHS, *_SHORT))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_ORDINALS = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
)
_DAY_WORD = rf"(?:(?:twenty|thirty)[ -])?{trie(_ORDINALS)}"
_JOIN = rf"(?:{GAP}?(?:-|,|/|&){GAP}?|{GAP}(?:to|and|or|until|through|till){GAP})(?:on[ ])?(?:the[ ])?"
_JOINS = listed("- , / & to and or until through till on the")

# ---- around the name of a month

_BEGIN = r"(?<![\w.,:$-])(?<!\d/)"
_DAY_BEFORE = re.compile(
    rf"(?:{_BEGIN}(?:{_DAY}|{_DAY_WORD})|(?<=\d-){_DAY})\.?(?:{GAP}(?:day[ ])?(?:of{GAP})?|[-/.]|)\Z"
)
_MORE_BEFORE = re.compile(rf"{_BEGIN}(?:{trie(_DAY_NAMES)}[.,]?{GAP}(?:the[ ])?)?(?:{_DAY}{_JOIN}){{0,6}}\Z")
_YEAR_BEFORE = re.compile(rf"(?<![\w.,/:$-]){YEAR},?(?:{GAP}|[-/])\Z")
_AFTER_MONTH = re.compile(
    rf"\.?(?:(?:{GAP}|[-/.])(?:the[ ])?"
    rf"(?P<day>{_DAY}(?:{GAP}?-{GAP}?{_DAY}|{_JOIN}{_DAY}(?=,?{GAP}{YEAR})){{0,4}})(?![\w%$]|[.,:/]\d))?"
    rf"(?:(?:{GAP}?,)?{GAP}?(?:of[ ])?(?<!\d)(?P<year>{YEAR})|(?:{GAP}|-|/)?'(?P<short>\d{{2}})(?!\d))?"
)
_SHORT_YEAR = rf"'?\d{{2}}(?![\w%]|[.,:]\d|[ ](?:{_MONTH}|percent|per))"
_AFTER_DAY = re.compile(
    rf"\.?(?:{GAP}?,)?(?:{GAP}(?:of{GAP})?(?:the year )?|[-/.]|)(?:{YEAR}|(?:19|20)\d{{3}}(?!\d)|{_SHORT_YEAR})"
)
_MORE_MONTHS = re.compile(
    rf"\.?(?:{GAP}?(?:-|/|,|and|to|or|until|through){GAP}?{_MONTH}(?![a-z])\.?){{1,3}},?{GAP}(?:of{GAP})?{YEAR}"
)
_WHEN = re.compile(
    r"(?<![a-z])(?:(?P<part>early|late|mid)|in|since|until|till|by|of|during|last|next|this|from|to|before|after|every"
    r"|each|through|throughout|between|and|or|for)[ -]\Z"
)


def _months(view: View, start: int, end: int) -> Iterator[Candidate]:
    first = _day_before(view.low, start)
    if first is None:
        yield from _month_first(view, start, end)
    elif year := _AFTER_DAY.match(view.low, end):
        yield Candidate(first, year.end(), "DATE", 0.97, "date")
    else:
        doubt = view.low[start:end] in _OFTEN_ELSE and not view.text[start].isupper()
        sure = 0.45 if doubt else 0.5 if view.low[start - 1] == "." else 0.8
        yield Candidate(first, end, "DATE", sure, "day and month")


def _day_before(low: str, start: int) -> int | None:
    """Where the day, the days or the weekday before a month begin."""
    day = _DAY_BEFORE.search(low, max(0, start - 20), start)
    if day is None:
        return None
    words = low[max(0, day.start() - 14) : day.start()].split()
    if words and (words[-1].endswith(_JOINS) or words[-1].strip(",.") in _DAY_NAMES):
        more = _MORE_BEFORE.search(low, max(0, day.start() - 48), day.start())
        return more.start() if more else day.start()
    return day.start()


def _month_first(view: View, start: int, end: int) -> Iterator[Candidate]:
    low, word = view.low, view.low[start:end]
    named = view.text[start].isupper() or word not in _NEEDS_CAPITAL
    after = _AFTER_MONTH.match(low, end)
    if named and (several := _MORE_MONTHS.match(low, end)):
        yield Candidate(start, several.end(), "DATE", 0.9, "months of a year")
    if after is None or not (named or (after["day"] and after["year"])):
        return
    if after["year"] or after["short"]:
        sure, reason = (0.97, "date") if after["day"] else (0.9 if after["year"] else 0.8, "month and year")
        yield Candidate(start, after.end(), "DATE", sure, reason)
    elif after["day"]:
        before = _YEAR_BEFORE.search(low, max(0, start - 8), start)
        yield Candidate(before.start() if before else start, after.end("day"), "DATE", 0.8, "day and month")
    elif word in _MONTHS and view.text[start].isupper():
        yield from _month_alone(view, start, end)


def _month_alone(view: View, start: int, end: int) -> Iterator[Candidate]:
    word = view.low[start:end]
    if before := _WHEN.search(view.low, max(0, start - 14), start):
        yield Candidate(before.start() if before["part"] else start, end, "DATE", 0.6, "month, by the words before it")
    elif word in _NEVER_ELSE:
        yield Candidate(start, end, "DATE", 0.55, "month")
    elif word not in _OFTEN_ELSE:
        yield Candidate(start, end, "DATE", 0.4, "may be a month")


_BEFORE_FOREIGN = re.compile(rf"(?<![\w.,/:$-])(?:{_DAY}|1er)\.?{GAP}(?:de{GAP})?\Z")
_AFTER_FOREIGN = re.compile(rf"{GAP}(?:del?{GAP})?{YEAR}")


def _foreign_months(view: View, start: int, end: int) -> Iterator[Candidate]:
    before = _BEFORE_FOREIGN.search(view.low, max(0, start - 16), start)
    after = _AFTER_FOREIGN.match(view.low, end)
    if before:
        yield Candidate(before.start(), after.end() if after else end, "DATE", 0.95 if after else 0.7, "date")
    elif after and view.low[start:end] not in _ALSO_WORDS:
        yield Candidate(start, after.end(), "DATE", 0.75, "month and year")


# ---- days, feasts, centuries

_ON_DAY = re.compile(r"(?<![a-z])(?:on|last|next|every|this|by|until|from)[ ]\Z")
_PART = re.compile(r"[ ](?:morning|afternoon|evening|night|lunchtime)s?(?![a-z])")


def _weekdays(view: View, start: int, end: int) -> Iterator[Candidate]:
    if view.text[start].isupper() or _ON_DAY.search(view.low, max(0, start - 8), start):
        part = _PART.match(view.low, end)
        yield Candidate(start, part.end() if part else end, "DATE", 0.6, "day of the week")


_FEASTS = (
    "christmas", "xmas", "easter", "thanksgiving", "halloween", "ramadan", "hanukkah", "passover", "diwali", "whitsun",
    "pentecost", "yom kippur", "boxing day", "good friday", "ash wednesday", "palm sunday", "labor day", "labour day",
    "memorial day", "independence day", "veterans day", "bastille day", "valentine's day", "st patrick's day",
    "new year's day", "new year's eve", "new year's", "martin luther king day",
)  # fmt: skip
_AFTER_FEAST = re.compile(
    rf"(?P<day>[ ](?:day|eve|morning|sunday|monday|saturday)(?![a-z]))?(?:,?[ ](?:of[ ])?(?P<year>{YEAR}))?"
)


def _feasts(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _AFTER_FEAST.match(view.low, end)
    if match and view.text[start].isupper():
        day = match["day"] or view.low.find(" ", start, end) >= 0
        yield Candidate(start, match.end(), "DATE", 0.9 if match["year"] else 0.55 if day else 0.4, "feast or holiday")


_CENTURY = re.compile(
    r"(?<![a-z0-9])(?:(?:early|mid|late|first half of the|second half of the|turn of the)[ -])?"
    rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th)|{_DAY_WORD})(?:{_JOIN}(?:(?:early|mid|late)[ -])?)?){{1,4}}[ -]\Z"
)


def _centuries(view: View, start: int, end: int) -> Iterator[Candidate]:
    if before := _CENTURY.search(view.low, max(0, start - 64), start):
        yield Candidate(before.start(), end, "DATE", 0.75, "century")


RULES = (
    Rule(("DATE",), _months, words=_MONTHS + _SHORT),
    Rule(("DATE",), _foreign_months, words=_FOREIGN),
    Rule(("DATE",), _weekdays, words=_WEEKDAYS),
    Rule(("DATE",), _feasts, words=_FEASTS),
    Rule(("DATE",), _centuries, words=("century", "centuries")),
)
