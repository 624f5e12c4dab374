"""Numbers that the words before them name: cases, records, accounts, passports, licences, plates, post codes.

One look back from a number finds the words that name it. Those that also occur in ordinary speech must be followed by
a sign that a number comes: `no.`, `#`, a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from withhold.detectors.patterns.base import Candidate, Rule, View, clue, listed, one_of, pattern, phrases, trie


@dataclass(frozen=True, slots=True)
class Named:
    """Words that name a number, with commas between them: what is found behind them, how surely, and of which form.

    If they are `plain`, the number may follow at once, without a sign that one comes.
    """

    label: str
    words: str
    score: float
    plain: bool = False
    form: re.Pattern[str] | None = None


_RUN = "[A-Za-z0-9]"
_END = r"(?![A-Za-z0-9])"
_PARTS = rf"{_RUN}{{1,24}}(?:[-/_:]{_RUN}{{1,24}}|\.\d{{1,24}}|,\d{{3}}(?!\d)){{0,6}}{_END}"
_ANY = re.compile(_PARTS)
_LONG = re.compile(rf"(?=(?:[A-Za-z/.:-]{{0,6}}\d){{3}}){_PARTS}")
_GROUPS = re.compile(rf"[A-Za-z]{{0,6}}\d{_RUN}{{0,20}}(?:[-/. ][A-Z]{{0,3}}\d{{1,12}}[A-Z]{{0,2}}){{0,6}}{_END}")
_PLATE = re.compile(rf"{_RUN}{{1,8}}(?:[ -](?:[A-Z]{{1,4}}|[A-Z]{{0,3}}\d{{1,5}})){{0,2}}{_END}")
_CODE = re.compile(
    rf"(?:\d{{4,24}}|(?=[0-9.]{{0,12}}[A-Za-z/-])(?=[A-Za-z0-9./-]{{3}}){_RUN}{{1,16}}"
    rf"(?:[-/]{_RUN}{{1,16}}|\.\d{{1,16}}){{0,5}}){_END}"
)
_FOUR = re.compile(rf"\d{{4,24}}{_END}(?![.,-]\d)")
_TEN = re.compile(rf"\d{{10}}{_END}")
_DEA = re.compile(rf"[A-Za-z]{{2}}\d{{7}}{_END}")
_POST = re.compile(rf"[A-Za-z]{{0,2}}-?\d[0-9A-Za-z]{{0,5}}(?:[ -](?:\d{{2,4}}|\d[A-Za-z]{{2}}|[A-Z]{{2}}))?{_END}")
_BANK = re.compile(rf"\d{{2}}[- ]\d{{2}}[- ]\d{{2}}(?![0-9-])|\d{{3}}-\d{{3}}(?![0-9-])|\d{{6,9}}{_END}")
_SSN = re.compile(r"\d{3}[- ]?\d{2}[- ]?\d{4}(?![0-9-])")

NAMED = (
    Named(
        "CASE",
        "case, docket, cause, civil action, civil case, civil suit, criminal case, proceedings, lawsuit, indictment, "
        "appeal, petition, complaint, application, appl, file, police report, incident, writ, motion, judgment, "
        "decision, verdict, bankruptcy, aktenzeichen, dossier, registered under, under",
        0.85,
    ),
    Named("CASE", "docket, indictment", 0.8, plain=True, form=_LONG),
    Named("PASSPORT", "passport, passport book, passeport, reisepass", 0.9, plain=True, form=_LONG),
    Named("LICENCE", "licence, license, permit, dl, pilot's licence, state bar, bar", 0.85, form=_GROUPS),
    Named(
        "LICENCE",
        "driver's license, drivers license, driver license, driver's licence, drivers licence, driving licence, "
        "driving license, fuhrerschein",
        0.85,
        plain=True,
        form=_GROUPS,
    ),
    Named("LICENCE", "npi, national provider identifier", 0.9, plain=True, form=_TEN),
    Named("LICENCE", "dea", 0.9, plain=True, form=_DEA),
    Named("PLATE", "plate, vehicle, vehicle registration, car registration, kennzeichen", 0.8, form=_PLATE),
    Named("PLATE", "license plate, licence plate, number plate, registration plate", 0.85, plain=True, form=_PLATE),
    Named("PLATE", "vin, chassis", 0.85, plain=True, form=_LONG),
    Named("ACCOUNT", "account, acc, konto, kontonummer, compte, cuenta, conto, giro, bban, loan", 0.85, form=_GROUPS),
    Named("ACCOUNT", "acct, a/c, bank account, checking account, savings account", 0.8, plain=True, form=_GROUPS),
    Named("ACCOUNT", "account ending in, account ending with", 0.75, plain=True),
    Named("CARD", "card ending in, card ending with, visa ending in", 0.75, plain=True),
    Named("ROUTING", "routing, aba, sort, bank, blz, transit", 0.8, form=_BANK),
    Named("ROUTING", "sort code, bankleitzahl, bsb", 0.85, plain=True, form=_BANK),
    Named(
        "RECORD",
        "patient, chart, encounter, visit, admission, hospital, specimen, accession, sample, prescription, rx, "
        "invoice, order, purchase order, po, policy, claim, claimant, employee, staff, personnel, payroll, member, "
        "membership, customer, client, subscriber, student, matriculation, badge, ticket, tracking, shipment, "
        "booking, reservation, confirmation, reference, ref, serial, batch, contract, transaction, receipt, quote, "
        "device, participant, group, beneficiary, record, document, registration, certificate, insurance, health "
        "plan, voucher, deed, warrant, service number, force",
        0.8,
        form=_LONG,
    ),
    Named("RECORD", "mrn, medical record, hospital number, pnr, imei, awb, our ref, your ref", 0.85, True, _LONG),
    Named(
        "NATIONAL_ID",
        "national, national insurance, national identity, identity, identity card, identification, id card, tax, "
        "taxpayer, tax identification, vat, nino, nhs, social insurance, health insurance, health card, tin, citizen, "
        "aadhaar, nric, pesel, personnummer, dni, nie, nif, bsn, cpf, curp, rut, medicare, medicaid",
        0.75,
        form=_LONG,
    ),
    Named("SSN", "ssn, social security", 0.8, form=_SSN),
    Named(
        "ZIP",
        "zip, zip code, zipcode, postcode, post code, postal code, plz, postleitzahl, code postal, pincode, eircode",
        0.85,
        plain=True,
        form=_POST,
    ),
    Named("CODE", "plot, parcel, land, folio", 0.65),
    Named("CODE", "title, barcode, id, cell, flight, locker, plan", 0.65, form=_LONG),
)
_REASONS = {
    "CASE": "case number", "PASSPORT": "passport number", "LICENCE": "licence number", "PLATE": "vehicle number",
    "ACCOUNT": "account number", "CARD": "card number", "ROUTING": "bank number", "RECORD": "record number",
    "NATIONAL_ID": "national number", "SSN": "social security number", "ZIP": "post code", "CODE": "number",
}  # fmt: skip
_ANNOUNCED, _AT_ONCE = (
    {phrase: named for named in NAMED if named.plain == plain for phrase in phrases(named.words)}
    for plain in (False, True)
)
_NUMBERING = "no nos nr nrs num number numbers id ids code codes"
_LAST_WORDS = one_of(f": # = | is was reads in with under {_NUMBERING}").union(
    phrase.split()[-1] + ending for phrase in _AT_ONCE for ending in ("", "s")
)
_SIGN = rf"[ ]?\(?(?:{trie(listed(_NUMBERING))}(?![a-z])\.?|[#:=|])"
_AND_SO = r"(?:[ ]?(?:[:=#(\[\"'*.|-]|is(?=[ :])|was(?= )|reads|ending in)){0,3}[ ]?\n?[ \"']{0,4}\Z"
_ANNOUNCING = re.compile(rf"(?<![a-z])({trie(_ANNOUNCED)})(?:s|'s)?({_SIGN}){_AND_SO}")
_NAMING = re.compile(rf"(?<![a-z])({trie(_AT_ONCE)})(?:s?{_SIGN})?{_AND_SO}")
_NUMBERED = re.compile(r"(?<![a-z])(?:no\.|nos\.?|nr\.?|(?P<bare>no))[ ]?\n?\Z")
_NO_CODES = (
    "law, laws, act, acts, decree, decrees, protocol, protocols, article, articles, section, sections, regulation, "
    "regulations, directive, directives, ordinance, ordinances, rule, rules, code, convention, series a, series b, "
    "resolution, resolutions, annex, table, figure, fig, chapter, page, note, paragraph, part, vol, volume, issue, "
    "recommendation, legislative, (ec), (eec), (eu), opinion, exhibit, item, step, rank, principle, amendment, treaty"
)
_OTHERS = re.compile(rf"(?<![a-z]){trie(phrases(_NO_CODES))}[ ]?\(?(?:no|nos|nr)\.?[ ]?\Z")
_PLURAL = re.compile(r"(?:nos|numbers|ids)(?![a-z])")
_MORE = re.compile(r"(?:[ ]?[,;&][ ]?(?:and )?|[ ]and[ ]|[ ]or[ ])\n?(?:nos?\.? ?)?(?=[a-z0-9./-]{0,12}[0-9])")
_MONTHS = re.compile(r"\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_LEAD = "abcdefghijklmnopqrstuvwxyz0123456789/-"
_APPLICATION = re.compile(r"\d{1,6}/\d{2}(?![\w/])")


def _named(view: View, start: int, end: int) -> Iterator[Candidate]:
    low, first = view.low, _code_start(view.low, start)
    if match := _ANNOUNCING.search(low, max(0, first - 56), first):
        named = _ANNOUNCED[match.group(1)]
    elif match := _NAMING.search(low, max(0, first - 40), first):
        named = _AT_ONCE[match.group(1)]
    else:
        if sign := _NUMBERED.search(low, max(0, first - 6), first):
            yield from _numbered(view, first, _FOUR if sign["bare"] else _CODE)
        return
    loose = not named.plain and match.group(2).strip(" (") in ":=|"
    form = named.form or (_LONG if loose else _ANY)
    value = form.match(view.text, first) or form.match(view.text, start)
    if value is None or _MONTHS.match(low, value.start()) or (loose and _YEAR.fullmatch(value.group())):
        return
    if _OTHERS.search(low, max(0, first - 30), first):
        return
    short = len(value.group()) < 3 and named.form is None and not _PLURAL.search(match.group())
    reason = f"{_REASONS[named.label]}, by the words before it"
    one = Candidate(value.start(), value.end(), named.label, 0.4 if short else named.score, reason)
    yield from _list(view, value, one, match.group())


def _code_start(low: str, start: int) -> int:
    """Where a code such as F-2015-04841 begins that has digits at `start`."""
    if start and low[start - 1] in "-/:":
        head = low[max(0, start - 24) : start - 1]
        run = len(head) - len(head.rstrip(_LEAD))
        return start - 1 - run if run else start
    return start


def _numbered(view: View, first: int, form: re.Pattern[str]) -> Iterator[Candidate]:
    """Behind a bare `no.`: applications to courts, and other codes unless a law or a page has the number."""
    if _OTHERS.search(view.low, max(0, first - 30), first):
        return
    before = view.low[max(0, first - 6) : first]
    if value := _APPLICATION.match(view.text, first):
        yield from _list(view, value, Candidate(*value.span(), "CASE", 0.9, "application number by its form"), before)
    elif value := form.match(view.text, first):
        yield from _list(view, value, Candidate(*value.span(), "CODE", 0.6, "number behind a no."), before)


def _list(view: View, value: re.Match[str], one: Candidate, before: str) -> Iterator[Candidate]:
    """The number and, where several are announced, those that follow it in the same form."""
    yield one
    if not _PLURAL.search(before):
        return
    form = value.re
    for _ in range(40):
        more = _MORE.match(view.low, value.end())
        following = form.match(view.text, more.end()) if more else None
        if following is None or _MONTHS.match(view.low, following.start()):
            return
        value = following
        yield one._replace(start=value.start(), end=value.end())


_COURT = clue(
    "v, vs, versus, court, case, cases, joined, application, echr, commission, applicant, ecr, judgment",
    before=60,
    after=40,
)
_CAR = clue(
    "plate, plates, registration, registered, reg, vehicle, car, van, truck, licence, license, tag", before=40, after=20
)
_SORTS = "cv cr civ crim mc md mj bk ap cp ca po mdl"
_TAIL = r"(?:-[a-z0-9]{1,6}){0,4}(?!\w)"

RULES = (
    Rule(tuple(_REASONS), _named, lead="any", before=_LAST_WORDS),
    pattern(
        "CASE", r"(?<![\w/.,-])\d{4,5}/\d{2}(?![\w/-])", "application number by its form", 0.55,
        clues=_COURT, clued=0.75, runs=range(4, 6), after="/",
    ),
    pattern(
        "CASE", rf"\d{{1,2}}:\d{{2}}-[a-z]{{2}}-\d{{3,6}}{_TAIL}", "docket number by its form", 0.97,
        any_case=True, after=":",
    ),
    pattern(
        "CASE", rf"\d{{2,4}}-{trie(listed(_SORTS))}-\d{{1,7}}{_TAIL}", "docket number by its form", 0.95,
        any_case=True, after=_SORTS,
    ),
    pattern(
        "CASE", r"(?<!\w)[ctf]-\d{1,4}/\d{2}(?: p(?:pu)?)?(?![\w/])", "case of the European Union's courts", 0.45,
        clues=_COURT, clued=0.9, any_case=True, back=2, least=4, after="/",
    ),
    pattern(
        "CASE", r"ecli:[a-z]{2}:[a-z0-9.]{1,12}:\d{4}:[a-z0-9.]{1,30}(?<!\.)", "European case law identifier", 0.98,
        any_case=True, words=("ecli",),
    ),
    pattern(
        "PLATE", r"[A-Z]{2}\d{2} ?[A-Z]{3}(?!\w)", "vehicle plate by its form", 0.4,
        clues=_CAR, clued=0.85, lead="letter", least=4,
    ),
    pattern(
        "PLATE",
        r"(?i:plates?|reg)\.?(?i:[ ](?:no\.?|number|mark|plate|is)){0,2}[ ]?[:#]?[ ]?"
        r"(?P<it>[A-Z]{1,3}[ -](?:[A-Z]{1,3}[ -]?)?\d{1,5}(?:[ -]?[A-Z]{1,3})?)(?!\w)",
        "vehicle plate by its form and the words before it", 0.85, words=listed("plate plates reg"),
    ),
    pattern(
        "PASSPORT", r"(?i:passport)(?i:[ ](?:no\.?|number|is)){0,2}[ ]?[:#]?[ ]?(?P<it>[A-Z]{1,3} \d{5,9})(?!\w)",
        "passport number by its form and the words before it", 0.9, words=("passport",),
    ),
    pattern(
        "ROUTING",
        r"(?i:swift|bic)(?i:[ /-]{1,3}(?:bic|swift|code|no\.?|number|is)){0,3}[ ]?[:=#-]?[ ]{0,2}\n?"
        r"(?P<it>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?![A-Za-z0-9])",
        "SWIFT code by its form and the words before it", 0.9, words=("swift", "bic"),
    ),
)  # fmt: skip
