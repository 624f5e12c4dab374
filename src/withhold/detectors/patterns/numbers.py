"""Numbers with check digits or a form of their own: cards, bank accounts, taxpayers of the United States, vehicles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from withhold.detectors.patterns.base import Candidate, Rule, View, clue, pattern

# ---- cards

_CARD_AT = re.compile(
    r"(?<!\d[.,-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{12,19})(?!\w|[.,-]\d)"
)
_ISSUERS = (
    (re.compile("4"), (13, 16, 19)),
    (re.compile("5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|9792|220[0-4]|8[12]|508"), (16,)),
    (re.compile("3[47]|1800|2131"), (15,)),
    (re.compile("30[0-5]|3095|36|3[89]"), (14, 16)),
    (re.compile("35(?:2[89]|[3-8])|6011|64[4-9]|6[025]"), (16, 17, 18, 19)),
)
_MAESTRO = re.compile("5[06-9]|6")
_CARD = clue(
    "card, cards, cc, credit, debit, visa, mastercard, master card, amex, american express, discover, diners, jcb, "
    "maestro, unionpay, pan, atm, carte, karte"
)


def luhn(number: str) -> bool:
    """Whether the last of some digits is the check digit of Luhn's rule."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (sum(map(int, number[::-2])) + sum(doubled)) % 10 == 0


def _issued(number: str) -> bool:
    return any(len(number) in lengths and prefix.match(number) for prefix, lengths in _ISSUERS)


def _cards(view: View, start: int, end: int) -> Iterator[Candidate]:
    match = _CARD_AT.match(view.text, start)
    if match is None:
        return
    number = re.sub(r"\D", "", match.group())
    named = _CARD.beside(view, start, match.end())
    right = len(set(number)) > 1 and luhn(number)
    if right and (_issued(number) or (named and _MAESTRO.match(number))):
        yield Candidate(start, match.end(), "CARD", 0.98 if named else 0.9, "card number, Luhn holds", checked=True)
    elif named:
        sure, why = (0.85, "Luhn holds") if right else (0.65, "by the words beside it")
        yield Candidate(start, match.end(), "CARD", sure, f"card number, {why}")
    elif right and _MAESTRO.match(number):
        yield Candidate(start, match.end(), "CARD", 0.4, "may be a card number, Luhn holds")


# ---- IBAN

_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 "
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 "
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 "
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 "
    "YE30"
)
_LENGTH = {entry[:2].lower(): int(entry[2:]) for entry in _LENGTHS.split()}
_IBAN_AT = re.compile(r"[a-z]{2}\d{2}[ -]?[0-9a-z]{4}")
_IBAN = clue("iban, bank, account, wire, transfer, konto, compte")


def _ibans(view: View, start: int, end: int) -> Iterator[Candidate]:
    length = _LENGTH.get(view.low[start : start + 2], 0) if _IBAN_AT.match(view.low, start) else 0
    last = _after(view.low, start, length)
    if last == start:
        return
    number = re.sub(r"[ -]", "", view.low[start:last])
    if int("".join(str(int(letter, 36)) for letter in number[4:] + number[:4])) % 97 == 1:
        yield Candidate(start, last, "IBAN", 0.99, "IBAN, check digits hold", checked=True)
    elif _IBAN.beside(view, start, last):
        yield Candidate(start, last, "IBAN", 0.7, "IBAN by its form and the words beside it")


def _after(low: str, start: int, length: int) -> int:
    """Where so many letters and digits end, single spaces or hyphens among them; `start` if they are fewer."""
    at = start
    for _ in range(length):
        at += low[at : at + 1] in (" ", "-")
        if not ("0" <= low[at : at + 1] <= "9" or "a" <= low[at : at + 1] <= "z"):
            return start
        at += 1
    return start if low[at : at + 1].isalnum() else at


# ---- the United States

_SSN = clue("ssn, ss, social, socials, soc, taxpayer", before=40)
_ITIN = clue("itin, taxpayer, tax id, tin", before=40)
_EIN = clue("ein, fein, employer, irs, tax id, federal id, tin, taxpayer", before=40)
_ABA = clue("routing, aba, rtn, transit, fedwire, ach, wire", before=40)


def _is_ssn(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"


def _is_itin(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    group = int(digits[3:5])
    return digits[0] == "9" and group >= 50 and group not in (66, 67, 68, 69, 89, 93)


def _is_ein(text: str) -> bool:
    from stdnum.us import ein

    return ein.is_valid(text)


def _is_aba(text: str) -> bool:
    first = int(text[:2])
    known = 1 <= first <= 12 or 21 <= first <= 32 or 61 <= first <= 72 or first == 80
    return known and sum(weight * int(digit) for weight, digit in zip((3, 7, 1) * 3, text, strict=True)) % 10 == 0


# ---- vehicles

_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", "12345678123457923456789" + "0123456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def _is_vin(text: str) -> bool:
    total = sum(weight * int(_VIN_VALUES[letter]) for weight, letter in zip(_VIN_WEIGHTS, text, strict=True))
    return not text.isdigit() and text[8] == "0123456789X"[total % 11]


_BEGIN = r"(?<!\d[.,-])(?<![-/])"
_END = r"(?![\w-]|[.,]\d)"
_NINE = r"(?<![.,@/-])\d{9}(?![\w@]|[.,-]\d)"

RULES = (
    Rule(("CARD",), _cards, runs=range(4, 20), least=12),
    Rule(("IBAN",), _ibans, least=4, lead="letter"),
    pattern(
        "SSN", rf"{_BEGIN}\d{{3}}-\d{{2}}-\d{{4}}{_END}", "social security number by its form", 0.85,
        proof=_is_ssn, clues=_SSN, clued=0.97, runs=range(3, 4), least=11,
    ),
    pattern(
        "SSN", rf"{_BEGIN}\d{{3}}([ .])\d{{2}}\1\d{{4}}{_END}", "social security number by its form", 0.4,
        proof=_is_ssn, clues=_SSN, clued=0.95, runs=range(3, 4), least=11,
    ),
    pattern(
        "SSN", _NINE, "social security number by the words beside it", 0,
        proof=_is_ssn, clues=_SSN, clued=0.9, runs=range(9, 10),
    ),
    pattern(
        "ITIN", rf"{_BEGIN}9\d{{2}}[ -]\d{{2}}[ -]\d{{4}}{_END}", "US taxpayer number by its form", 0.8,
        proof=_is_itin, clues=_ITIN, clued=0.95, runs=range(3, 4), least=11,
    ),
    pattern(
        "ITIN", _NINE, "US taxpayer number by the words beside it", 0,
        proof=_is_itin, clues=_ITIN, clued=0.9, runs=range(9, 10),
    ),
    pattern(
        "EIN", rf"{_BEGIN}\d{{2}}-\d{{7}}{_END}", "US employer number, prefix in use", 0.45,
        check=_is_ein, clues=_EIN, clued=0.95, runs=range(2, 3), least=10,
    ),
    pattern(
        "EIN", _NINE, "US employer number by the words beside it", 0,
        check=_is_ein, clues=_EIN, clued=0.85, runs=range(9, 10),
    ),
    pattern(
        "ROUTING", _NINE, "US routing number, check digit holds", 0,
        proof=_is_aba, clues=_ABA, clued=0.95, runs=range(9, 10),
    ),
    pattern(
        "PLATE", r"[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])", "vehicle number, check digit holds", 0.95,
        proof=_is_vin, runs=range(17, 18), lead="any",
    ),
)  # fmt: skip
