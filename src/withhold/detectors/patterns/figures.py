"""Dates in figures: years, quarters, days and months as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import Candidate, Rule, View, clue, listed, one_of, pattern, trie

# ---- years

_YEAR = re.compile(
    r"(?P<year>(?:1[4-9]|20)\d{2})(?P<decade>'?s(?![a-z]))?"
    r"(?P<to>(?:[ ]?-[ ]?|/)(?P<last>(?:1[4-9]|20)?\d{2})(?![\w/]|[.,-]\d))?(?![\w%$]|[.,:/-]\d|-[a-z])"
)
_PARTS = listed(
    "early late mid middle end beginning start turn first second third fourth last half quarter spring summer autumn "
    "fall winter season fiscal financial calendar academic tax q1 q2 q3 q4 1q 2q 3q 4q h1 h2 fy christmas easter"
)
_LEADING = frozenset((*_PARTS, "of", "the", "and", "or", "to", "year", ""))
_LED = re.compile(
    rf"(?<![a-z])(?:{trie(_PARTS)}(?:[ ]year)?"
    r"(?:[ -](?:of[ ])?(?:the[ ])?|[ ]?(?:and|or|to|/|-)[ ]?)){1,4}\Z"
)
_SURE_WORDS = one_of(
    "in since until till during year born between circa through throughout summer winter spring autumn copyright"
)
_YEAR_WORDS = _SURE_WORDS | one_of(
    "from by before after years around c ca of about early late mid fall end and to or beginning for class dated "
    "vintage"
)
_NO_YEAR_WORDS = one_of(
    "no nos nr number page pages p pp para paras paragraph section sections sec article articles art arts room at "
    "version model over nearly almost approximately than some least up x lot flight route highway chapter rule item "
    "box eur usd gbp chf unit suite apt under id code isbn channel"
)
_THINGS = one_of(
    "people persons men women children inhabitants metre metres meter meters km m kg g mg ml mcg unit units dollar "
    "dollars euro euros pound pounds year years day days hour hours hrs h mile miles ton tons tonne tonnes word words "
    "page pages vote votes point points share shares cc psi rpm calories kcal employees members workers troops "
    "soldiers jobs copies feet ft acres hectares percent per times watts volts barrels square cubic million billion "
    "dead deaths students"
)
_NEXT_WORD = re.compile(r"[ -]{1,2}([a-z]+)")


def _years(view: View, start: int, end: int) -> Iterable[Candidate]:
    match = _YEAR.match(view.low, start)
    if match is None or view.low[start - 1 : start] in ("$", "#", "+", "/", ":", "=", "&"):
        return ()
    if view.low[start - 1 : start] in (".", ",", "-") and view.low[max(0, start - 2) : start - 1].isdigit():
        return ()
    return _dated(view, match)


def _dated(view: View, match: re.Match[str]) -> Iterator[Candidate]:
    start, end = match.span()
    last = match["last"]
    if last and last != "00" and (last if len(last) == 4 else match["year"][:2] + last) < match["year"]:
        return
    sure = 0.8 if match["decade"] else _year_score(view, start, end, int(match["year"]), ranged=bool(last))
    if sure:
        words = view.low[max(0, start - 12) : start].split()
        leads = words and words[-1].strip("(['\"-") in _LEADING
        led = _LED.search(view.low, max(0, start - 48), start) if leads else None
        yield Candidate(led.start() if led else start, end, "DATE", max(sure, 0.8 if led else 0), "year")


def _year_score(view: View, start: int, end: int, year: int, *, ranged: bool) -> float:
    """How likely a number of four digits is a year, by the words around it."""
    words = view.low[max(0, start - 20) : start].split()
    word = words[-1].strip("([.,;'\"") if words else ""
    following = _NEXT_WORD.match(view.low, end)
    after = following.group(1) if following else ""
    if word in _NO_YEAR_WORDS or after in _THINGS:
        return 0.0
    counted = len(after) > 3 and after[-1] == "s" and view.low[end] == " "
    if word == "act" or after == "act":
        return 0.4  # a law is known by its year
    if 1900 <= year < 2040:
        if ranged or word in _SURE_WORDS:
            return 0.85
        return (0.5 if counted else 0.75) if word in _YEAR_WORDS else (0.4 if counted else 0.55)
    if ranged:
        return 0.6
    if counted or (year < 1700 and word not in _SURE_WORDS):
        return 0.0
    return 0.6 if word in _SURE_WORDS else 0.5 if word in _YEAR_WORDS or word == "the" else 0.0


_OF_YEAR = re.compile(r"[ ]?(?:of[ ])?'?(?:(?:19|20)\d{2}|\d{2})(?:[/-]\d{2})?(?!\w)")


def _quarters(view: View, start: int, end: int) -> Iterator[Candidate]:
    if match := _OF_YEAR.match(view.low, end):
        yield Candidate(start, match.end(), "DATE", 0.85, "quarter or year of account")


# ---- day, month and year as numbers

_BEGIN = r"(?<![\w.,:/$-])"
_END = r"(?![\w/]|[.,:-]\d|-[a-z])"
_FULL = r"(?:1[4-9]|20)\d{2}"
_CLOCK = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?:[ ]?Z(?!\w)|[ ]?[+-]\d{2}:?\d{2}(?!\d))?)?"
_ON = clue(
    "on, since, dated, date, until, till, by, from, dob, born, of, before, after, between, thru, through, due",
    before=10,
)
_BORN = clue(
    "dob, born, birth, date, dated, birthday, d.o.b, expiry, expires, expiration, issued, since, on", before=24
)


def _is_date(text: str) -> bool:
    """Whether two or three numbers can be a day and a month, and a year, in some order."""
    parts = [int(part) for part in re.findall(r"\d+", text)[:3]]
    first, second = sorted(parts[1:3] if parts[0] > 31 and len(parts) == 3 else parts[:2])
    return 1 <= first <= 12 and second <= 31


def _is_compact(text: str) -> bool:
    return 1 <= int(text[4:6]) <= 12 and 1 <= int(text[6:8]) <= 31


_DAY_RUN, _YEAR_RUN = range(1, 3), range(4, 5)

RULES = (
    Rule(("DATE",), _years, runs=range(4, 6)),
    Rule(("DATE",), _quarters, words=listed("q1 q2 q3 q4 1q 2q 3q 4q h1 h2 fy")),
    pattern(
        "DATE", rf"{_BEGIN}{_FULL}([-/.])\d{{1,2}}\1\d{{1,2}}(?!\d){_CLOCK}", "date in figures", 0.97,
        check=_is_date, runs=_YEAR_RUN, least=8,
    ),
    pattern(
        "DATE",
        rf"{_BEGIN}\d{{1,2}}(?:[ ]?/[ ]?\d{{1,2}}[ ]?/[ ]?|-\d{{1,2}}-|\.\d{{1,2}}\.){_FULL}(?!\d){_CLOCK}{_END}",
        "date in figures", 0.97, check=_is_date, runs=_DAY_RUN, least=8,
    ),
    pattern(
        "DATE", rf"{_BEGIN}\d{{1,2}}\.[ ]\d{{1,2}}\.[ ]{_FULL}{_END}", "date in figures", 0.9,
        check=_is_date, runs=_DAY_RUN, least=8,
    ),
    pattern(
        "DATE", rf"{_BEGIN}\d{{1,2}}/\d{{1,2}}/'?\d{{2}}(?:[ ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?{_END}",
        "date in figures", 0.9, check=_is_date, runs=_DAY_RUN, least=6, after="/",
    ),
    pattern(
        "DATE", rf"{_BEGIN}\d{{2}}-\d{{2}}-\d{{2}}{_END}", "date in figures", 0.5,
        check=_is_date, clues=_BORN, clued=0.85, runs=_DAY_RUN, least=8,
    ),
    pattern(
        "DATE", rf"{_BEGIN}\d{{1,2}}\.\d{{1,2}}\.\d{{2}}{_END}", "date in figures", 0.4,
        check=_is_date, clues=_BORN, clued=0.85, runs=_DAY_RUN, least=6,
    ),
    pattern("DATE", rf"{_BEGIN}(?:0?[1-9]|1[0-2])[/-](?:19|20)\d{{2}}{_END}", "month and year", 0.75, runs=_DAY_RUN),
    pattern("DATE", rf"{_BEGIN}(?:19|20)\d{{2}}[/-](?:0[1-9]|1[0-2]){_END}", "year and month", 0.6, runs=_YEAR_RUN),
    pattern(
        "DATE", rf"{_BEGIN}\d{{1,2}}/\d{{1,2}}{_END}", "may be day and month in figures", 0.3,
        check=_is_date, clues=_ON, clued=0.6, runs=_DAY_RUN, after="/",
    ),
    pattern(
        "DATE", rf"{_BEGIN}(?:19|20)\d{{6}}(?:T\d{{4,6}}Z?)?{_END}", "date in figures", 0.4,
        check=_is_compact, clues=_BORN, clued=0.85, least=8,
    ),
)  # fmt: skip
