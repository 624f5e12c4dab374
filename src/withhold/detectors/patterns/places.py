"""Post codes and coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterable

from withhold.detectors.patterns.addresses import STATES
from withhold.detectors.patterns.base import Candidate, Rule, View, clue, listed, one_of, pattern, trie

# ---- post codes

_AREAS = one_of(
    "AB AL B BA BB BD BF BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK "
    "FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP "
    "NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W "
    "WA WC WD WF WN WR WS WV YO ZE"
)
_COUNTRIES = trie(listed("D A F B L I E S N CH NL DK FI SE CZ SK PL PT HU SI HR RO BG LT LV EE GR"))
_AFTER_STATE = re.compile(rf"(?<![A-Za-z]){trie(STATES)}[ ,.]{{1,3}}\r?\n?\Z")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?(?![\w-]|[.,]\d)")
_POST = clue("postcode, post code, zip, postal, address", before=32)


def _zips(view: View, start: int, end: int) -> Iterable[Candidate]:
    match = _ZIP.match(view.text, start)
    if match is None or view.text[start - 1 : start] in ("-", ".", ",", "/", "$", "#"):
        return ()
    if _AFTER_STATE.search(view.text, max(0, start - 20), start):
        return (Candidate(start, match.end(), "ZIP", 0.8, "post code behind a state"),)
    return (Candidate(start, match.end(), "ZIP", 0.6, "post code by its form"),) if len(match.group()) == 10 else ()


def _is_uk(text: str) -> bool:
    return text[: 2 if text[1].isalpha() else 1] in _AREAS


# ---- coordinates

_SECONDS = r"(?:\d{1,2}(?:\.\d{1,4})?[ ]?(?:\"|'')?[ ]?)?"
_MINUTES = rf"(?:\d{{1,2}}(?:\.\d{{1,6}})?[ ]?'[ ]?{_SECONDS})?"
_DEGREE = rf"\d{{1,3}}(?:\.\d{{1,8}})?[ ]?°[ ]?{_MINUTES}"
_DECIMAL = r"-?\d{1,3}\.\d{3,12}"
_PAIR = rf"{_DECIMAL}[ ]?°?[ ]?[NnSs]?[,;/ ][ ]?{_DECIMAL}(?:[ ]?°?[ ]?[EeWw](?![a-z]))?(?![\w.])"
_MAP = clue("lat, latitude, lon, long, longitude, lng, gps, coordinate, coordinates, geo, location, position, coords")
_LATITUDE = clue("lat, latitude, lon, long, longitude, lng", before=16)


def _on_earth(text: str) -> bool:
    first, second = (float(number) for number in re.findall(r"-?\d+\.\d+", text)[:2])
    return abs(first) <= 90 and abs(second) <= 180


RULES = (
    Rule(("ZIP",), _zips, runs=range(5, 6)),
    pattern(
        "ZIP", r"[A-Z]{1,2}\d[A-Z0-9]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)", "UK post code by its form", 0.8,
        check=_is_uk, clues=_POST, clued=0.95, lead="letter", least=2,
    ),
    pattern(
        "ZIP", r"[A-Z]{1,2}\d[A-Z0-9]?\d[ABD-HJLNP-UW-Z]{2}(?!\w)", "UK post code by its form", 0.4,
        check=_is_uk, clues=_POST, clued=0.9, lead="letter", least=5,
    ),
    pattern(
        "ZIP", r"[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]\d[A-Z]\d(?!\w)", "Canadian post code by its form", 0.75,
        clues=_POST, clued=0.95, lead="letter", least=3,
    ),
    pattern(
        "ZIP", r"[ABCEGHJ-NPRSTVXY]\d[A-Z]\d[A-Z]\d(?!\w)", "Canadian post code by its form", 0,
        clues=_POST, clued=0.9, lead="letter", least=6,
    ),
    *(
        pattern(
            "ZIP", rf"(?<!\w){_COUNTRIES}-(?P<it>\d{{4,5}})[ ](?=[A-Z])", "post code of a country", 0.75,
            back=back, runs=range(4, 6),
        )
        for back in (2, 3)
    ),
    *(
        pattern(
            "COORDINATES", rf"(?<![\w.]){sign}{_PAIR}", "latitude and longitude", 0.8,
            check=_on_earth, clues=_MAP, clued=0.95, back=len(sign), runs=range(1, 4), least=8,
        )
        for sign in ("", "-")
    ),
    pattern(
        "COORDINATES", rf"(?<![\w.]){_DEGREE}[NSns][ ,;/]{{1,3}}{_DEGREE}[EWew](?!\w)", "latitude and longitude", 0.97,
        after="°",
    ),
    pattern(
        "COORDINATES", r"(?<![\w.])-?\d{1,3}\.\d{3,12}(?![\w.])", "latitude or longitude", 0,
        clues=_LATITUDE, clued=0.8, least=5, before=": = lat latitude lon long longitude lng is of",
    ),
)  # fmt: skip
