"""When something was, less exactly: a day as its month, a month as its year, a year as its decade."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from withhold.policy import Policy

_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split())
_MONTH = r"(?P<month>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*)\.?"
_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})"
_DAY = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
_DASH = r"\s*(?:[-–—]|to|until|and)\s*"

_DAYS = (
    re.compile(rf"{_MONTH}\s+{_DAY}(?:\s*,\s*|\s+){_YEAR}", re.I),
    re.compile(rf"{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}", re.I),
)
_ISO = re.compile(rf"{_YEAR}-(?P<number>[01][0-9])-[0-3][0-9]")
_FIGURES = re.compile(rf"[0-3]?[0-9][/.][0-3]?[0-9][/.]{_YEAR}")
_MONTHS_OF = re.compile(rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}", re.I)
_DAYS_OF = (re.compile(rf"{_MONTH}\s+{_DAY}", re.I), re.compile(rf"{_DAY}(?:\s+of)?\s+{_MONTH}", re.I))
_YEAR_ALONE = re.compile(rf"(?:(?:in|both|all|circa|c\.)\s+)?{_YEAR}", re.I)
_YEARS = re.compile(rf"(?:from\s+|between\s+)?{_YEAR}{_DASH}(?P<last>[0-9]{{2}}(?:[0-9]{{2}})?|present|now)", re.I)
_DECADE = re.compile(r"(?:the\s+)?(?:(?:early|mid|late|mid-late)[\s-]+)?(?P<year>1[0-9]{2}0|20[0-9]0)['’]?s", re.I)
_SEASON = re.compile(rf"(?:the\s+)?(?:spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_YEAR}", re.I)


class Dates:
    """What a date is in: `September 25, 1943` is in `September 1943`, `1943`, `the early 1940s` and `the 1940s`."""

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Coarser dates for one in words or figures, the nearest first; nothing for what is no date."""
        return tuple(dict.fromkeys(each for each in _coarser(" ".join(word.split())) if each != word))


def _coarser(date: str) -> list[str]:
    for pattern in _DAYS:
        if found := pattern.fullmatch(date):
            return [f"{_name(found['month'])} {found['year']}", *_of_year(int(found["year"]))]
    if found := _ISO.fullmatch(date):
        number = int(found["number"])
        month = [f"{MONTHS[number - 1]} {found['year']}"] if 1 <= number <= 12 else []
        return [*month, *_of_year(int(found["year"]))]
    for pattern in (_FIGURES, _MONTHS_OF, _SEASON):
        if found := pattern.fullmatch(date):
            return _of_year(int(found["year"]))
    for pattern in _DAYS_OF:
        if found := pattern.fullmatch(date):
            return [_name(found["month"])]
    if found := _YEAR_ALONE.fullmatch(date):
        return _of_year(int(found["year"]))[1:]
    if found := _YEARS.fullmatch(date):
        return _of_years(int(found["year"]), found["last"])
    if found := _DECADE.fullmatch(date):
        year = int(found["year"])
        decade = [f"the {year}s"] if re.search("early|mid|late", date, re.I) else []
        return [*decade, *_of_decade(year)]
    return []


def part_of_decade(year: int) -> str:
    """`the early 1940s` for 1941, `the mid-1940s` for 1945, `the late 1940s` for 1948."""
    part = "early " if year % 10 < 4 else "mid-" if year % 10 < 7 else "late "
    return f"the {part}{year // 10 * 10}s"


def _of_year(year: int) -> list[str]:
    return [str(year), part_of_decade(year), f"the {year // 10 * 10}s"]


def _of_decade(decade: int) -> list[str]:
    century = decade // 100 + 1
    half = "early" if decade % 100 < 40 else "mid" if decade % 100 < 60 else "late"
    name = f"{century}{'st' if century % 10 == 1 and century != 11 else 'th'} century"
    return [f"the mid-{name}" if half == "mid" else f"the {half} {name}", f"the {name}"]


def _of_years(first: int, last: str) -> list[str]:
    """A stretch of years as the decades it lies in."""
    if not last.isdigit():
        return [f"the {first // 10 * 10}s onwards"]
    year = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
    if year < first:
        return []
    start, end = first // 10 * 10, year // 10 * 10
    if start == end:
        return [f"the {start}s"]
    joined = "and" if end - start == 10 else "to"
    return [f"the {start}s {joined} {end}s", *(_of_decade(start)[-1:] if start // 100 == end // 100 else [])]


def _name(month: str) -> str:
    return next(name for name in MONTHS if name.lower().startswith(month.lower()[:3]))
