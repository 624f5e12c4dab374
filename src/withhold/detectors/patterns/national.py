"""National numbers of people: identity, tax and health numbers with check digits.

Every row says how a number looks, which check it must pass, how sure that alone makes it (0: not at all, so that
words must stand beside it), and the words. Most checks are modules of python-stdnum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from withhold.detectors.patterns.base import Candidate, Clue, Lead, Rule, View, clue, listed

_ID = (
    "id, ids, identity, identification, personal number, personal code, personal id, national, citizen, tax, "
    "taxpayer, tin, insurance, social, health, security, resident, nr, fiscal"
)
_BEGIN = r"(?<![0-9][.,/-])(?<![-/])"
_END = r"(?![\w-]|[.,/][0-9])"


@dataclass(frozen=True, slots=True)
class Number:
    """A national number: what it is, its check, its form, how sure these make it, words that name it.

    `back` is how many characters of it stand before its first digits, with a space or a hyphen between.
    """

    what: str
    check: str
    form: str
    alone: float
    words: str = ""
    back: int = 0


def _checks(name: str, text: str) -> bool:
    """Whether a number passes a check of ours or, by the name of its module, of python-stdnum."""
    own = _OWN.get(name)
    return own(text) if own else bool(import_module(f"stdnum.{name}").is_valid(text))


def _rule(numbers: Sequence[Number], lead: Lead, back: int = 0) -> Rule:
    """One rule for many numbers: all forms are tried at once, and each by itself only if one of them fits."""
    any_form = re.compile(rf"{_BEGIN}(?:{'|'.join(number.form for number in numbers)}){_END}").match
    forms = [(re.compile(rf"{_BEGIN}(?:{number.form}){_END}").match, number, _clue(number)) for number in numbers]

    def find(view: View, start: int, end: int) -> Iterable[Candidate]:
        return some(view, start - back) if start >= back and any_form(view.text, start - back) else ()

    def some(view: View, start: int) -> Iterator[Candidate]:
        for form, number, words in forms:
            match = form(view.text, start)
            if match and _checks(number.check, match.group()):
                sure = 0.95 if words.beside(view, start, match.end()) else number.alone
                weak = number.check in _WEAK
                reason = f"{number.what} by its form" if weak else f"{number.what}, check digits hold"
                if sure:
                    yield Candidate(start, match.end(), "NATIONAL_ID", sure, reason, not weak)

    return Rule(("NATIONAL_ID",), find, least=8 if not back else 6, lead=lead)


def _clue(number: Number) -> Clue:
    """What names a number: its own words and, if its form says something already, general ones."""
    words = [number.words] if number.words else []
    return clue(", ".join(words if words and not number.alone else [*words, _ID]), after=10)


# ---- checks that python-stdnum does not have


def _nino(text: str) -> bool:
    """A form without a check digit, but with letters that are never used."""
    bare = text.replace(" ", "").upper()
    return bare[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def _nric(text: str) -> bool:
    text = text.upper()
    weighed = sum(w * int(d) for w, d in zip((2, 7, 6, 5, 4, 3, 2), text[1:8], strict=True))
    weighed += {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}
    place = weighed % 11 if text[0] != "M" else 10 - weighed % 11
    return letters[text[0]][place] == text[8]


def _medicare(text: str) -> bool:
    digits = [int(letter) for letter in text if letter.isdigit()]
    weights = (1, 3, 7, 9, 1, 3, 7, 9)
    return 2 <= digits[0] <= 6 and sum(w * d for w, d in zip(weights, digits[:8], strict=True)) % 10 == digits[8]


def _twid(text: str) -> bool:
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]) + 10
    digits = [first // 10, first % 10, *map(int, text[1:])]
    return sum(w * d for w, d in zip((1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), digits, strict=True)) % 10 == 0


def _hkid(text: str) -> bool:
    bare = re.sub(r"[()]", "", text).rjust(9)
    values = [36 if letter == " " else int(letter, 36) for letter in bare]
    return sum(w * v for w, v in zip((9, 8, 7, 6, 5, 4, 3, 2, 1), values, strict=True)) % 11 == 0


def _snils(text: str) -> bool:
    digits = [int(letter) for letter in text if letter.isdigit()]
    total = sum(w * d for w, d in zip(range(9, 0, -1), digits[:9], strict=True)) % 101 % 100
    return total == 10 * digits[9] + digits[10]


_OWN: dict[str, Callable[[str], bool]] = {
    "nino": _nino,
    "nric": _nric,
    "medicare": _medicare,
    "twid": _twid,
    "hkid": _hkid,
    "snils": _snils,
}
_WEAK = {"nino", "in_.pan", "dk.cpr", "my.nric"}

_AADHAAR = "aadhaar, aadhar, uid, uidai"
_NINO = "[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
_EUROPE = listed("AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

DIGITS_FIRST = (
    Number("NHS number", "gb.nhs", r"\d{3} \d{3} \d{4}", 0.45, "nhs"),
    Number("NHS number", "gb.nhs", r"\d{10}|\d{3}-\d{3}-\d{4}", 0, "nhs"),
    Number("Spanish DNI", "es.dni", r"\d{8}[ -]?[A-Z]|\d{2}\.\d{3}\.\d{3}[ -]?[A-Z]", 0.85, "dni, nif"),
    Number("Polish PESEL", "pl.pesel", r"\d{11}", 0.6, "pesel"),
    Number("French NIR", "fr.nir", r"[12] ?\d{2} ?\d{2} ?\d[0-9AB] ?\d{3} ?\d{3} ?\d{2}", 0.9, "nir, insee, secu"),
    Number(
        "German tax number", "de.idnr", r"\d{11}|\d{2} \d{3} \d{3} \d{3}", 0.5,
        "idnr, steuer-id, steuerid, steueridentifikationsnummer, identifikationsnummer",
    ),
    Number("Dutch BSN", "nl.bsn", r"\d{9}|\d{4}\.\d{2}\.\d{3}", 0, "bsn, burgerservicenummer, sofi"),
    Number("Swedish personal number", "se.personnummer", r"(?:\d{2})?\d{6}[-+]\d{4}", 0.85, "personnummer"),
    Number("Swedish personal number", "se.personnummer", r"(?:\d{2})?\d{10}", 0, "personnummer"),
    Number("Finnish personal code", "fi.hetu", r"\d{6}[-+A-FU-Y]\d{3}[\dA-Z]", 0.95, "hetu, henkilotunnus"),
    Number("Norwegian birth number", "no.fodselsnummer", r"\d{6} ?\d{5}", 0.75, "fodselsnummer, personnummer"),
    Number("Danish CPR number", "dk.cpr", r"\d{6}-\d{4}", 0.6, "cpr, personnummer"),
    Number("Danish CPR number", "dk.cpr", r"\d{10}", 0, "cpr"),
    Number("Icelandic kennitala", "is_.kennitala", r"\d{6}-?\d{4}", 0.5, "kennitala, kt"),
    Number("Brazilian CPF", "br.cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}", 0.97, "cpf"),
    Number("Brazilian CPF", "br.cpf", r"\d{11}", 0, "cpf"),
    Number("Brazilian CNPJ", "br.cnpj", r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", 0.97, "cnpj"),
    Number("Indian Aadhaar number", "in_.aadhaar", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", 0.8, _AADHAAR),
    Number("Indian Aadhaar number", "in_.aadhaar", r"[2-9]\d{11}", 0, _AADHAAR),
    Number("Australian tax file number", "au.tfn", r"\d{3} ?\d{3} ?\d{2,3}", 0, "tfn, tax file"),
    Number("Australian Medicare number", "medicare", r"[2-6]\d{3} ?\d{5} ?\d(?:[ /-]?\d)?", 0, "medicare"),
    Number("Canadian social insurance number", "ca.sin", r"\d{3}[ -]\d{3}[ -]\d{3}", 0.45, "sin, nas"),
    Number("Canadian social insurance number", "ca.sin", r"\d{9}", 0, "sin, nas"),
    Number("Swiss AHV number", "ch.ssn", r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", 0.95, "ahv, avs"),
    Number("Austrian insurance number", "at.vnr", r"\d{4} ?\d{6}", 0, "svnr, sozialversicherungsnummer, sv"),
    Number("Belgian national number", "be.nn", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", 0.97),
    Number("Belgian national number", "be.nn", r"\d{11}", 0, "rijksregisternummer, registre national, insz, niss"),
    Number("Czech or Slovak birth number", "cz.rc", r"\d{6}/\d{3,4}", 0.85, "rodne cislo, rc"),
    Number("Romanian CNP", "ro.cnp", r"[1-9]\d{12}", 0.75, "cnp, cod numeric"),
    Number("Bulgarian EGN", "bg.egn", r"\d{10}", 0, "egn"),
    Number("Croatian OIB", "hr.oib", r"\d{11}", 0, "oib"),
    Number("Slovenian or Yugoslav EMSO", "si.emso", r"\d{13}", 0.75, "emso, jmbg"),
    Number("Estonian personal code", "ee.ik", r"[1-8]\d{10}", 0.5, "isikukood"),
    Number("Lithuanian personal code", "lt.asmens", r"[1-8]\d{10}", 0.5, "asmens kodas"),
    Number("Irish PPS number", "ie.pps", r"\d{7}[A-W][A-IW]?", 0.85, "pps, ppsn"),
    Number("Portuguese NIF", "pt.nif", r"\d{9}|\d{3} \d{3} \d{3}", 0, "nif, contribuinte, nipc"),
    Number("Greek AMKA", "gr.amka", r"\d{11}", 0.55, "amka"),
    Number("Turkish identity number", "tr.tckimlik", r"[1-9]\d{10}", 0.6, "tc, kimlik, tckn"),
    Number("South African identity number", "za.idnr", r"\d{13}|\d{6} \d{4} \d{3}", 0.8),
    Number("Chinese identity number", "cn.ric", r"[1-9]\d{16}[0-9Xx]", 0.97),
    Number("Korean registration number", "kr.rrn", r"\d{6}-\d{7}", 0.9, "rrn"),
    Number("Japanese My Number", "jp.in_", r"\d{4} ?\d{4} ?\d{4}", 0, "my number, mynumber, individual"),
    Number("Malaysian NRIC", "my.nric", r"\d{6}-\d{2}-\d{4}", 0.7, "nric, mykad, ic"),
    Number("Thai identity number", "th.pin", r"[1-8]-\d{4}-\d{5}-\d{2}-\d", 0.95),
    Number("Thai identity number", "th.pin", r"[1-8]\d{12}", 0),
    Number("Israeli identity number", "il.idnr", r"\d{9}", 0, "teudat zehut"),
    Number("Argentine CUIT", "ar.cuit", r"\d{2}-\d{8}-\d", 0.9, "cuit, cuil"),
    Number("Chilean RUT", "cl.rut", r"\d{1,2}\.\d{3}\.\d{3}-[0-9Kk]|\d{7,8}-[0-9Kk]", 0.8, "rut, run"),
    Number("Russian SNILS", "snils", r"\d{3}-\d{3}-\d{3} \d{2}", 0.95, "snils"),
    Number("Russian INN", "ru.inn", r"\d{12}|\d{10}", 0, "inn"),
    Number("Ukrainian tax number", "ua.rntrc", r"\d{10}", 0, "rnokpp, rntrc, ipn"),
    Number("Polish NIP", "pl.nip", r"\d{3}-(?:\d{3}-\d{2}-\d{2}|\d{2}-\d{2}-\d{3})", 0.85, "nip"),
)  # fmt: skip
LETTERS_FIRST = (
    Number("UK national insurance number", "nino", rf"{_NINO}\d{{2}} ?\d{{2}} ?\d{{2}} ?[A-D]", 0.85, "ni, nino"),
    Number("Spanish NIE", "es.nie", r"[XYZ]\d{7}[ -]?[A-Z]", 0.9, "nie, nif"),
    Number(
        "Italian codice fiscale", "it.codicefiscale",
        r"[A-Za-z]{6}[\dLMNP-V]{2}[A-Za-z][\dLMNP-V]{2}[A-Za-z][\dLMNP-V]{3}[A-Za-z]", 0.97, "codice fiscale, cf",
    ),
    Number("Indian PAN", "in_.pan", r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", 0.7, "pan, permanent account, income"),
    Number("Singaporean NRIC", "nric", r"[STFGM]\d{7}[A-Z]", 0.9, "nric, fin"),
    Number("Taiwanese identity number", "twid", r"[A-Z][1289]\d{8}", 0.8),
    Number("Hong Kong identity card", "hkid", r"[A-Z]{1,2}\d{6}\([0-9A]\)", 0.95, "hkid"),
    Number("Mexican CURP", "mx.curp", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[\dA-Z]\d", 0.97, "curp"),
    Number(
        "EU VAT number", "eu.vat", rf"(?:{'|'.join(_EUROPE)}) ?[\dA-Z]\d{{6,10}}[\dA-Z]{{1,4}}", 0.75,
        "vat, ust-id, ustid, tva, iva, btw",
    ),
)  # fmt: skip
LETTERS_APART = (
    Number(
        "UK national insurance number", "nino", rf"{_NINO}[ -]\d{{2}}[ -]?\d{{2}}[ -]?\d{{2}}[ -]?[A-D]", 0.85,
        "ni, nino", back=3,
    ),
    Number("Spanish NIE", "es.nie", r"[XYZ][ -]\d{7}[ -]?[A-Z]", 0.9, "nie, nif", back=2),
)  # fmt: skip

RULES = (
    _rule(DIGITS_FIRST, "digit"),
    _rule(LETTERS_FIRST, "letter"),
    *(_rule([number], "digit", number.back) for number in LETTERS_APART),
)
