"""Abbreviations and tickers that a text gives itself: "Northwind Freight Holdings (NFH)", "(NYSE: NFH)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from withhold.detectors.company_forms import ABBREVIATIONS, compact
from withhold.detectors.surfaces import Letters, Surface, ordinary
from withhold.spans import Span
from withhold.text import WORD, fold

SCORE = 0.9
_BRACKET = re.compile(r"\s{0,3}[(\[]([^()\[\]]{1,160})[)\]]")
_BEFORE = re.compile(r"([^\W_][\w&.]{1,11})\s{0,3}[(\[]\s{0,3}(?:the\s)?[\"“„'‘]?$")
_CAPITALS = re.compile(r"\s{0,3}[(\[]\s?(?:the\s)?[\"“„'‘]?([A-Z][A-Z0-9&/-]{1,9})[\"”'’]?\s?[)\]]")
_CLOSING = re.compile(r"[\"”'’]?\s{0,3}[)\]]")
_APPOSITION = re.compile(
    r"\s{0,3}[,–—-]?\s{1,3}(?:or|aka|a\.k\.a\.|also known as|known as|also called|trading as|abbreviated(?: as| to)?"
    r"|hereinafter|hereafter|in short)\s{1,3}(?:called\s|the\s|as\s)?[\"“„'‘]?([^\W_][\w&.]{1,11})"
)
_QUOTED = re.compile(r"[\"“„'‘]\s?([^\"“”„'‘’]{2,40}?)[,.]?\s?[\"”“'’]")
_PIECES = re.compile(r"\s*[,;/]\s*|\s+or\s+|\s+and\s+")
_SHORT = re.compile(r"[^\W_][\w&.]{1,11}")
_EXCHANGES = (
    r"NYSE(?:[ -](?:American|Arca|MKT))?|NASDAQ(?:[- ](?:GS|GM|CM))?|Nasdaq(?: \w+)?|Euronext(?: \w+)?|EURONEXT"
    r"|Borsa Italiana|OTC(?:QB|QX|MKTS|BB| Pink)?|AMEX|LSE|LON|AIM|TSX[- ]?V|TSX|CSE|NEO|ASX|NZX|NZE|HKEX|HKSE|SEHK|HKG"
    r"|SGX|TSE|TYO|JPX|KRX|KOSDAQ|KOSPI|BSE|NSE|SSE|SZSE|SHA|SHE|TWSE|TPE[xX]?|FRA|FWB|XETRA|Xetra|ETR|EPA|AMS|EBR|ELI"
    r"|BIT|BME|MCE|MCX|SIX|SWX|VIE|WSE|STO|CPH|HEL|OSE|OSL|OMX|B3|BVMF|BOVESPA|BMV|JSE|TASE|ADX|DFM|TADAWUL|IDX|SET|PSE"
)
TICKER = re.compile(
    rf"(?<!\w)(?:(?:{_EXCHANGES})\s?:\s?|(?:[Tt]icker|[Ss]ymbol)(?: symbol)?:?\s[\"“]?)"
    r"([A-Z0-9]{1,6}(?:[.:-][A-Z]{1,3})?)(?!\w)"
    r"|(?<![\w$])\$([A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?!\w)"
    r"|(?<![\w.])([A-Z0-9]{1,6}[.:](?:[A-Z]{1,2}|NYSE|TSX|ASX))(?![\w.]\w|\w)"
)
"""A symbol with its exchange, with the sign of money before it, or with the suffix of an exchange."""

_FAR = 160
_TOLD = re.compile(r"ticker|symbol", re.I)
_NEAR = re.compile(r"[\s,(\[:–—-]{0,4}")
_SENTENCE = re.compile(r"[^.!?\n]{0,100}")


def is_near(text: str, mention: Span, ticker: Span) -> bool:
    """Whether a ticker stands with the mention before it: in the bracket behind it, or told to be its symbol."""
    between = text[mention.end : ticker.start]
    if len(between) > _FAR:
        return False
    if _TOLD.match(text, ticker.start):
        return bool(_SENTENCE.fullmatch(between))
    bracket = _BRACKET.match(text, mention.end)
    return bool(_NEAR.fullmatch(between)) or (bracket is not None and ticker.end <= bracket.end())


def acronym(text: str, mention: Span) -> str | None:
    """Capitals alone in the bracket behind a mention, of whatever language they are: "Workers' Party (PKK)"."""
    match = _CAPITALS.match(text, mention.end)
    if not match or match[1].lower() in ABBREVIATIONS or match[1] in mention.of(text):
        return None
    return match[1]


def defined(text: str, mention: Span, name: str) -> Iterator[Letters | Surface]:
    """What the text says, next to a mention, it will call the name from there on."""
    said = f"{mention.of(text)} {name}"
    if bracket := _BRACKET.match(text, mention.end):
        for quoted in _QUOTED.finditer(bracket[1]):
            yield from _quoted(quoted[1].removeprefix("the ").strip(), said)
        pieces = [piece.removeprefix("the ").strip("\"'“”‘’ ") for piece in _PIECES.split(bracket[1])]
        yield from _short([piece for piece in pieces if _SHORT.fullmatch(piece)], said)
    if (before := _BEFORE.search(text[max(0, mention.start - 30) : mention.start])) and _CLOSING.match(
        text, mention.end
    ):
        yield from _short([before[1]], said)
    if apposition := _APPOSITION.match(text, mention.end):
        yield from _short([apposition[1]], said)


def _quoted(phrase: str, said: str) -> Iterator[Letters | Surface]:
    letters = list(_short([phrase], said))
    yield from letters
    if not letters and len(WORD.findall(phrase)) <= 4 and len(compact(phrase)) > 3 and not ordinary(phrase):
        yield Surface(phrase, "short name", SCORE)


def _short(pieces: list[str], said: str) -> Iterator[Letters]:
    for piece in pieces:
        text = piece.replace(".", "")
        if sum(map(str.isupper, text)) > 1 and _abbreviates(text, said):
            yield Letters(text, "abbreviation", SCORE)


def _abbreviates(short: str, said: str) -> bool:
    """Whether the letters stand in the name in this order, beginning with the first of a word."""
    letters = [letter for letter in compact(short) if letter.isalnum()]
    words = WORD.findall(fold(said).text)
    initials = [word[0] for word in words]
    rest = iter("".join(words))
    in_order = letters[0] in initials and all(letter in rest for letter in letters)
    return in_order and (short.lower() not in ABBREVIATIONS or "".join(letters) in "".join(initials))
