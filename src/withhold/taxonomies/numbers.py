"""How many, how much and how old, less exactly: figures as rounded ones or ranges, small numbers as `several`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Self

from withhold.policy import Policy
from withhold.taxonomies.english import is_plural

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_SMALL = f"{_ONES} seventeen eighteen nineteen".split()
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = _DECADES.split()
_VALUES = {word: value for value, word in enumerate(_SMALL)} | {word: 10 * value for value, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALE = "|".join(_SCALES)
_UNITS, _LONGEST_FIRST = "|".join(_SMALL[1:10]), "|".join(sorted(_SMALL, key=len, reverse=True))
_WORD = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{_UNITS}))?|{_LONGEST_FIRST}"
_FIGURE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MONEY = re.compile(
    rf"(?P<sign>(?:US|A|C|NZ|HK)?\s?[$£€¥]|(?-i:[A-Z]{{3}})\s)\s?(?P<figure>{_FIGURE})\s?(?P<scale>{_SCALE}|m|bn|k)?",
    re.I,
)
_SUM = re.compile(rf"(?P<figure>{_FIGURE})\s?(?P<scale>{_SCALE})?\s(?P<unit>dollars|pounds|euros|yen)", re.I)
_SHARE = re.compile(rf"(?P<figure>{_FIGURE})\s?(?P<sign>%|per ?cent)", re.I)
_COUNT = re.compile(rf"(?P<figure>{_FIGURE}|{_WORD})(?:\s(?P<scale>{_SCALE}))?", re.I)
_AGE = re.compile(rf"(?P<an>the\s)?(?:age|aged)(?:\sof)?\s(?P<figure>{_FIGURE}|{_WORD})", re.I)
_OLD = re.compile(rf"(?P<figure>{_FIGURE}|{_WORD})[-\s]years?[-\s]old", re.I)
_SOME = re.compile(rf"\b(?P<figure>{_FIGURE}|{_WORD})(?:\s(?P<scale>{_SCALE}))?\s(?P<rest>.+)", re.I)
_TIMES = {"twice": "more than once", "thrice": "more than once", "once": "at least once"}
_SHORT = {"m": 1e6, "bn": 1e9, "k": 1e3, "": 1.0}
_YEARS = range(1000, 2100)


class Numbers:
    """Rounded numbers and ranges: `37` is `between 30 and 40`, `$12,500` is `over $10,000`, `four films` are
    `several films`.
    """

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Less exact ways to say a number, a sum, a share, an age, or so many of something; the nearest first."""
        phrase = " ".join(word.split())
        return tuple(dict.fromkeys(each for each in _vaguer(phrase) if each.lower() != phrase.lower()))


def _vaguer(phrase: str) -> Iterator[str]:
    if phrase.lower() in _TIMES:
        yield _TIMES[phrase.lower()]
    elif found := _MONEY.fullmatch(phrase):
        yield from _sums(found["sign"].strip(), found["figure"], found["scale"] or "")
    elif found := _SUM.fullmatch(phrase):
        value, scale = _split(_value(found["figure"]), (found["scale"] or "").lower())
        yield f"over {_down(value)}{scale} {found['unit']}"
    elif found := _SHARE.fullmatch(phrase):
        yield from _shares(_value(found["figure"]), found["sign"])
    elif (found := _AGE.fullmatch(phrase)) or (found := _OLD.fullmatch(phrase)):
        yield from _ages(_value(found["figure"]))
    elif found := _COUNT.fullmatch(phrase):
        yield from _counts(_value(found["figure"]) * _SCALES.get((found["scale"] or "").lower(), 1))
    elif found := _SOME.search(phrase):
        yield from _several(phrase, found)


def _value(figure: str) -> float:
    words = re.split(r"[- ]", figure.lower())
    if words[0] in _VALUES:
        return float(sum(_VALUES[word] for word in words))
    return float(figure.replace(",", ""))


def _split(value: float, scale: str) -> tuple[float, str]:
    return value, f" {scale}" if scale in _SCALES else ""


def _power(value: float) -> float:
    return float(10 ** math.floor(math.log10(value))) if value >= 1 else 1.0


def _down(value: float) -> str:
    """A round number that is less, with one figure that is not 0."""
    step = _power(value)
    low = math.floor(value / step) * step
    return _written(low if low < value else low - step if low > step else 0.9 * step)


def _written(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def _sums(sign: str, figure: str, scale: str) -> Iterator[str]:
    value = _value(figure)
    if value <= 0:
        return
    word = scale.lower() if scale.lower() in _SCALES else ""
    total = value * _SCALES.get(word, _SHORT.get(scale.lower(), 1.0))
    after = f" {word}" if word else scale
    for rounded in (_down(value), _written(_power(value))):
        if rounded != _written(value):
            yield f"over {sign}{rounded}{after}"
    currency = {"$": "dollars", "£": "pounds", "€": "euros"}.get(sign[-1:], "")
    if currency and total >= 1000:
        yield f"{_many(total)} of {currency}"


def _many(total: float) -> str:
    """`tens of millions`, for a number."""
    name, unit = next((name, unit) for name, unit in reversed(_SCALES.items()) if total >= unit and unit > 100)
    lead = "" if total < 10 * unit else "tens of " if total < 100 * unit else "hundreds of "
    return f"{lead}{name}s"


def _shares(value: float, sign: str) -> Iterator[str]:
    gap = "" if sign == "%" else " "
    if value >= 10:
        yield f"over {_down(value)}{gap}{sign}"
    yield "most" if value > 50 else "about half" if value == 50 else "a minority"


def _ages(age: float) -> Iterator[str]:
    if age < 13:
        yield "a very young age"
    elif age < 20:
        yield "an age below 20"
        yield "a young age"
    elif age < 120:
        low = int(age) // 10 * 10
        yield f"an age between {low} and {low + 10}"
        yield "a young age" if age < 30 else "a mature age"


def _counts(value: float) -> Iterator[str]:
    if value in _YEARS and value == int(value):
        return
    if value < 2:
        return
    if value >= 20:
        step = _power(value)
        low = math.floor(value / step) * step
        yield f"between {_written(low)} and {_written(low + step)}"
        yield f"over {_down(value)}"
    if value >= 1000:
        yield _many(value)
    elif value >= 20:
        yield "many"
    else:
        yield "several" if value >= 3 else "more than one"


def _several(phrase: str, found: re.Match[str]) -> Iterator[str]:
    """So many of something, within a longer phrase: `married three times`."""
    value, rest = _value(found["figure"]) * _SCALES.get((found["scale"] or "").lower(), 1), found["rest"]
    before = phrase[: found.start()]
    if value < 2 or (value in _YEARS and not found["scale"]) or not is_plural(rest):
        return
    if value >= 20:
        yield f"{before}over {_down(value)} {rest}"
        yield f"{before}many {rest}"
    yield f"{before}{'several' if value >= 3 else 'multiple'} {rest}"
