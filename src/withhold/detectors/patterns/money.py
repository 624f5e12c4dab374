"""Sums of money."""

from __future__ import annotations

import re
from collections.abc import Iterator

from withhold.detectors.patterns.base import GAP, SPELT, Candidate, Rule, View, listed, one_of, trie

NUMBER = r"\d{1,15}(?:[.,']\d{1,6}|[ ]\d{3}(?!\d)){0,8}(?:[.,]-)?"
"""An amount in figures, however its thousands are parted."""

SCALES = listed("million billion trillion thousand hundred mln bln mil mill mio mrd bn tn k m b")
SCALE = rf"(?:[ -]?(?i:{trie(SCALES)})(?![A-Za-z]))"

_CODES = one_of(
    "AED AFN ALL AMD ANG AOA ARS ATS AUD AWG AZN BAM BBD BDT BEF BGL BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP BYN "
    "BYR BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CYP CZK DEM DJF DKK DOP DZD ECU EEK EGP ERN ESP ETB ETH EUR FIM FJD "
    "FKP FRF GBP GEL GHS GIP GMD GNF GRD GTQ GYD HKD HNL HRK HTG HUF IDR IEP ILS INR IQD IRR ISK ITL JMD JOD JPY KES "
    "KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LUF LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MTL MUR MVR "
    "MWK MXN MYR MZN NAD NGN NIO NLG NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PLZ PTE PYG QAR ROL RON RSD RUB RUR RWF "
    "SAR SBD SCR SDG SEK SGD SHP SIT SKK SLL SOS SRD STD SVC SYP SZL THB TJS TMT TND TOP TRL TRY TTD TWD TZS UAH UGX "
    "USD USDT UYU UZS VEF VND VUV WST XAF XAU XCD XOF XPF YER YTL ZAR ZMW ZWL"
)
_WORDS_TOO = one_of("ALL TOP STD MOP LAK PEN SOS BAM CUP MAD BOB SIT COP RON ETH BTN GEL MUR")
_SMALL_ELSE = one_of("INR TRY CAD")
_SIGNS = "$€£¥₹₽₺₴₪₩₫₦₱"
_SYMBOL = rf"(?:[A-Z]{{1,3}}\$|[{_SIGNS}]|Rs\.?|kr\.?|zl)"
_CURRENCIES = listed(
    "euro dollar dlr cent penny pence lira zloty schilling shilling mark deutschmark deutschemark franc krona kronor "
    "krone kroner kronur rouble ruble hryvnia yen yuan renminbi rupee peso real reais forint koruna crown leu lei lev "
    "leva kuna dinar dirham riyal rial shekel won baht ringgit rand naira guilder peseta escudo drachma lats litas "
    "tolar bitcoin markka lire quid buck rupiah dong pfennig groszy"
)
_CURRENCIES += (*(f"{word}s" for word in _CURRENCIES), "pennies", "drachmae", "pounds sterling", "pound sterling")
_CODE = trie(_CODES)
_NAMED = rf"(?:{GAP}?\((?:{_CODE}|euros?|[A-Z]{{3}})\))?"
_NAMED_AT = re.compile(_NAMED)
_BEFORE = re.compile(rf"(?<![A-Za-z])(?:(?P<code>{trie(_CODES - _WORDS_TOO)}){GAP}?|{_SYMBOL}[ ]?)-?\Z")
_BEHIND = re.compile(
    rf"{NUMBER}{SCALE}?(?P<unit>{GAP}?(?:{_CODE}(?![A-Za-z])|[€£$](?!\d)|(?:zl|kr|Kc|Ft|lei)(?![a-z])))?{_NAMED}"
)
_LARGE = re.compile(r"\d{2}|\d[.,]\d{3}")
_BEFORE_CURRENCY = re.compile(
    rf"(?<![\w.,])(?P<it>(?:{NUMBER}|(?i:{SPELT}|half a))(?:{SCALE}|(?i:[ ]and[ ]a[ ]half)){{0,2}})(?:{GAP}|-)"
    r"(?:(?:us|u\.s\.|new|old|gold|deutsche?|[a-z]{2,12}(?:an|ish|ese|ss|nch)|[A-Z][A-Za-z]{1,14})[ ]){0,3}\Z"
)


def _sums(view: View, start: int, end: int) -> Iterator[Candidate]:
    """A number with the sign or the code of a currency before or behind it."""
    text = view.text
    before = _BEFORE.search(text, max(0, start - 8), start)
    if before and before["code"] in _SMALL_ELSE and not _LARGE.match(text, start):
        before = None
    match = _BEHIND.match(text, start)
    if match and (before or (match["unit"] and not goes_on(text, start))):
        yield Candidate(before.start() if before else start, match.end(), "MONEY", 0.9, "sum of money")


def goes_on(text: str, start: int) -> bool:
    """Whether a number at `start` is the rest of a longer one."""
    return start > 1 and text[start - 1] in ".,-/:" and text[start - 2].isalnum()


def _named_sums(view: View, start: int, end: int) -> Iterator[Candidate]:
    """A number, in figures or words, before the name of a currency."""
    if before := _BEFORE_CURRENCY.search(view.text, max(0, start - 80), start):
        named = _NAMED_AT.match(view.text, end)
        yield Candidate(before.start("it"), named.end() if named else end, "MONEY", 0.9, "sum of money")


RULES = (
    Rule(("MONEY",), _sums, before=one_of(" ".join((*(_CODES - _WORDS_TOO), "rs kr zl", *_SIGNS)).lower())),
    Rule(("MONEY",), _sums, after=one_of(" ".join((*_CODES, "zl kr kc ft lei € £ $", *SCALES)).lower())),
    Rule(("MONEY",), _named_sums, words=_CURRENCIES),
)
