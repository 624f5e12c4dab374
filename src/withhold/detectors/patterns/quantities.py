"""Measures, percentages, numbers of things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import NUMBER_WORDS, SPELT, Candidate, Rule, View, listed, one_of, pattern, trie
from withhold.detectors.patterns.money import NUMBER, SCALE, goes_on

# ---- measures

_LONG = listed(
    "metre meter kilometre kilometer centimetre centimeter millimetre millimeter mile yard acre hectare litre liter "
    "millilitre milliliter gallon pint quart kilogram kilogramme kilo gram gramme milligram microgram tonne ton pound "
    "ounce degree watt kilowatt megawatt volt amp joule calorie barrel bushel knot"
)
_LONG += (*(f"{unit}s" for unit in _LONG), *listed("inch inches foot feet stone square cubic"))
_SHORT = listed(
    "km/h km kph mph m2 m3 m cm2 cm3 cm mm hg mmhg ft in lbs lb oz kg kgs g mg mcg ug ml cl dl l ha sq mi kw kwh mw "
    "gwh mwh hp gb mb kb tb ghz mhz khz hz rpm psi cc iu meq mmol mol pg ng db kcal kj px dpi bpm bps mbps gbps mg/dl "
    "g/dl mmol/l mg/kg ppm cfm"
)
_LOOSE = one_of("in m g l ha mi sq stone degree square foot mw cc ug pg")
_UNIT = trie((*_LONG, *_SHORT))
_RANGE = rf"(?:[ ]?(?:-|to|x|by|and|/|±|\+/-)[ ]?{NUMBER}(?:[ ]?{_UNIT}(?=[ ]?x))?){{0,3}}"
_AREA = rf"(?:(?<=square)|(?<=cubic)|(?<=sq))\.?[ ](?:{trie(_LONG)}|ft|mi|km|m|in)(?![a-z])"
_RATE = r"[ ]?(?:squared?|cubed|per (?:second|minute|hour|day|week|month|year)|/(?:h|s|day|min|kg|hr)(?![a-z]))"
_MEASURE = re.compile(
    rf"(?P<number>{NUMBER}(?:[ ]?\d/\d)?{_RANGE}{SCALE}?)"
    rf"(?P<unit>[ -]?{_UNIT}(?![a-z0-9])(?:{_RATE}|{_AREA})?|°[ ]?[cf]?(?![a-z]))"
)
_PERCENT = re.compile(
    rf"{NUMBER}(?:%?[ ]?(?:-|to|and|or)[ ]?{NUMBER})?"
    r"[ ]?(?:%|(?:percent|per[ ]?cent|pct|percentage points?|basis points?)(?![a-z]))"
)
_SERIAL = re.compile(r"\d{7}")
_AFTER = {*_LONG, *(unit.partition("/")[0].rstrip("23") for unit in _SHORT)}
_AFTER |= one_of("% ° percent per percentage pct basis x to by and or / ± + -")


def _measures(view: View, start: int, end: int) -> Iterator[Candidate]:
    low = view.low
    if goes_on(low, start):
        return
    if percent := _PERCENT.match(low, start):
        yield Candidate(start, percent.end(), "QUANTITY", 0.75, "percentage")
    elif (measure := _MEASURE.match(low, start)) and not _SERIAL.match(low, start):
        unit = measure["unit"].strip(" -")
        glued = low[measure.end("number")] not in " -"
        size = glued and unit in ("m", "g", "l") and view.text[measure.end() - 1].isupper()
        if not size and (glued or unit != "in"):
            yield Candidate(start, measure.end(), "QUANTITY", 0.5 if unit in _LOOSE and not glued else 0.7, "measure")


_BEFORE_UNIT = re.compile(
    rf"(?<![a-z])({SPELT}(?:[ ]and[ ]a[ ]half)?(?:[ ](?:to|or|point)[ ]{SPELT})?)[ -](?:per[ ]|square[ ]|cubic[ ])?\Z"
)


def _spelt_measures(view: View, start: int, end: int) -> Iterator[Candidate]:
    if before := _BEFORE_UNIT.search(view.low, max(0, start - 64), start):
        yield Candidate(before.start(), end, "QUANTITY", 0.65, "measure in words")


# ---- numbers of things

_ADJECTIVE = (
    r"(?:(?:other|further|additional|more|different|separate|such|new|old|young|adult|former"
    r"|[a-z]{3,14}(?:al|ic|ed|ous|ary|ive|ing|ful))[ -]){0,2}"
)
_NO_NOUN = (
    r"(?!(?:was|has|his|this|its|is|as|years|months|weeks|days|hours|minutes|times|across|versus|ones|means)(?![a-z]))"
)
_NOUN = rf"{_ADJECTIVE}(?:people|persons|children|men|women|accused|police|staff|{_NO_NOUN}[a-z]{{3,18}}s)(?![a-z'-])"
_FOLLOWS = re.compile(r"(?:[.,']\d{1,6}){0,6}[ -][a-z]{3}")
_THINGS = re.compile(rf"(?P<number>{NUMBER}{SCALE}?)[ -](?P<noun>page(?![a-z])|{_NOUN})")
_SPELT_THINGS = re.compile(rf"(?P<number>{SPELT})[ ](?P<noun>{_NOUN})")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_TEN_OR_MORE = re.compile(r"(?:ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|million|billion|dozen)(?![a-z])")


def _things(view: View, start: int, end: int) -> Iterable[Candidate]:
    low = view.low
    if not _FOLLOWS.match(low, end) or goes_on(low, start) or low[start - 1 : start] in ("$", "#", "+"):
        return ()
    match = _THINGS.match(low, start)
    if match is None:
        return ()
    number = match["number"]
    if view.text[match.start("noun")].isupper():
        return ()
    doubt = len(number) == 1 or _YEAR.fullmatch(number) or _SERIAL.match(number) or low[start - 2 : start] == "# "
    return (Candidate(start, match.end(), "QUANTITY", 0.4 if doubt else 0.5, "number of things"),)


def _spelt_things(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _SPELT_THINGS.match(view.low, start)
    if match and not view.text[match.start("noun")].isupper():
        sure = 0.5 if _TEN_OR_MORE.search(match["number"]) else 0.4
        yield Candidate(start, match.end(), "QUANTITY", sure, "number of things in words")


RULES = (
    Rule(("QUANTITY",), _measures, after=frozenset(_AFTER)),
    Rule(("QUANTITY",), _spelt_measures, words=(*_LONG, "percent", "cent")),
    Rule(("QUANTITY",), _things),
    Rule(("QUANTITY",), _spelt_things, words=tuple(word for word in NUMBER_WORDS if word != "one")),
    pattern(
        "QUANTITY", rf"(?<![\w.,$-]){NUMBER}[ ](?:million|billion|trillion|thousand)(?![a-z])", "large number", 0.5,
        any_case=True, after="million billion trillion thousand",
    ),
)  # fmt: skip
