"""Telephone numbers: by the words beside them, by the plans of their countries, by their form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from withhold.detectors.patterns.base import Candidate, Rule, View, clue

_JOIN = r"(?:[ ]?[-.\u00b7][ ]?|[ ])"
_EXTENSION = r"[ ]{0,2}(?:,[ ]?)?(?:x|ext?\.?|extension|#)[ ]{0,2}[0-9]{1,6}"
_NUMBER = re.compile(
    r"(?:\+[ ]?|\(\+?)?[0-9]{1,5}+\)?(?:/(?=[0-9]{5}))?"
    rf"(?:{_JOIN}?\(?[0-9]{{1,8}}+\)?){{0,7}}(?:{_EXTENSION})?(?!\w|[.,:/-][0-9])"
)
_EXTENDED = re.compile(rf"{_EXTENSION}\Z")
_NORTH_AMERICAN = re.compile(
    rf"(?:\+?1[-. ]{{0,3}}|001[-. ])?(?:\([0-9]{{3}}\)[-. ]{{0,3}}|[0-9]{{3}}{_JOIN})[0-9]{{3}}{_JOIN}?[0-9]{{4}}"
)
_NO_NUMBER = re.compile(
    r"\(?(?:[0-9]{1,2}([-./ ])[0-9]{1,2}\1[0-9]{2,4}|(?:1[0-9]|20)[0-9]{2}[-./ ][0-9]{1,2}[-./ ][0-9]{1,2}"
    r"|[0-9]{3,4}[ ]?-[ ]?[0-9]{2,4}|(?:1[5-9]|20)[0-9]{2} (?:1[5-9]|20)[0-9]{2})\)?|[0-9]+\.[0-9]+[ ][0-9. ]*"
)
"""Dates, spans of years, decimal numbers."""

_CALL = clue(
    "phone, phones, telephone, telephones, tel, ph, call, called, mobile, cell, cellular, fax, dial, dialled, sms, "
    "whatsapp, pager, landline, hotline, helpline, switchboard, telefon, telefono, telefone, tlf, mob, voicemail, "
    "handset",
    before=40,
)
_PERHAPS_CALL = clue(
    "desk, office, home, work, ring, text, signal, reach, reached, answering, message, messages, contact, handy, "
    "registered, calling"
)
_PLACE_BEHIND = re.compile(
    r"[ ]{0,2}[(-]?(?:office|fax|mobile|cell|home|work|desk|phone|tel|voice|direct)(?![a-z]|[ ]?[:#.])"
)
_OTHER = clue(
    "isbn, issn, iban, account, acct, card, ssn, doi, pmid, oclc, zip, serial, invoice, order, version, no, nos, "
    "number of, id, mrn, policy, case, ref, passport, licence, license, npi, ein, tin, aadhaar, nhs, eur, usd, gbp",
    before=16,
)


def _phones(view: View, start: int, end: int) -> Iterable[Candidate]:
    text = view.text
    if start and text[start - 1] in "+(":
        start -= 2 if text[max(0, start - 2) : start] == "(+" else 1
    before = text[start - 1 : start] or " "
    if before.isalnum() or before in "$%#:=_&@" or (before in "/.,-" and text[max(0, start - 2) : start - 1].isalnum()):
        return ()
    match = _NUMBER.match(text, start)
    return _phone(view, start, match.group()) if match else ()


def _phone(view: View, start: int, number: str) -> Iterator[Candidate]:
    if number.startswith("(") and (")" not in number or number.index(")") == len(number) - 1):
        start, number = start + 1, number[1:]
    if number.count(")") > number.count("("):
        number = number.removesuffix(")")
    bare = _EXTENDED.sub("", number).rstrip(" (-.")
    digits = sum(letter.isdigit() for letter in bare)
    if not 6 <= digits <= 15 or bare.count("(") != bare.count(")") or _NO_NUMBER.fullmatch(bare):
        return
    last = start + (len(number) if _EXTENDED.search(number) else len(bare))
    sure, reason = _score(view, start, last, bare, digits)
    if sure:
        yield Candidate(start, last, "PHONE", sure, reason)


def _score(view: View, start: int, end: int, bare: str, digits: int) -> tuple[float, str]:
    parted = digits >= 7 and (bare[0] in "0+(" or digits >= 9 or not bare.isdigit())
    abroad = digits >= 8 and bare.startswith(("+", "(+", "00"))
    if abroad and _valid(bare, view.country):
        return 0.97, "telephone number of its country"
    other = _OTHER.beside(view, start, end)
    if not other:
        if _CALL.beside(view, start, end) and (digits >= 7 or not bare.isdigit()):
            return 0.9, "telephone number, by the words beside it"
        if parted and (_PERHAPS_CALL.beside(view, start, end) or _PLACE_BEHIND.match(view.low, end)):
            return 0.85, "telephone number, by the words beside it"
    if abroad:
        return 0.7, "number in the form of a telephone number"
    if not bare.isdigit() and _NORTH_AMERICAN.fullmatch(bare):
        spaced = " " in bare and "(" not in bare and "-" not in bare
        if _valid(bare, "US"):
            return (0.7 if spaced else 0.9), "telephone number"
        return (0.4 if spaced else 0.75), "number in the form of a telephone number"
    if other or bare.isdigit() or not parted:
        return 0.0, ""
    if _valid(bare, view.country):
        return (0.75 if bare[0] in "0(" else 0.4), "telephone number of the policy's country"
    return (0.4 if bare[0] in "0(" else 0.0), "may be a telephone number"


def _valid(number: str, country: str) -> bool:
    import phonenumbers

    try:
        parsed = phonenumbers.parse("+" + number[2:] if number.startswith("00") else number, country)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(parsed)


RULES = (Rule(("PHONE",), _phones, least=6),)
