"""What can be found, by label; and what other tools and data sets call the same things.

Every label belongs to one of eight kinds, those of the Text Anonymization Benchmark, and is by itself a direct
identifier (it points at one person, like a name or a passport number) or a quasi-identifier (it narrows the choice,
like a date or a profession).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Identifier = Literal["direct", "quasi"]


@dataclass(frozen=True, slots=True)
class Label:
    """One label: its kind, how it identifies, and what it covers."""

    kind: str
    identifier: Identifier
    doc: str


LABELS: Mapping[str, Label] = {
    "PERSON": Label("PERSON", "direct", "names of people, with titles and initials"),
    "ORG": Label("ORG", "quasi", "companies, courts, agencies, schools, parties"),
    "LOC": Label("LOC", "quasi", "places: countries, cities, regions, buildings"),
    "ADDRESS": Label("LOC", "direct", "postal addresses"),
    "ZIP": Label("LOC", "quasi", "postal codes"),
    "COORDINATES": Label("LOC", "quasi", "latitude and longitude"),
    "CODE": Label("CODE", "direct", "identifying numbers and codes of no better known sort"),
    "EMAIL": Label("CODE", "direct", "e-mail addresses"),
    "PHONE": Label("CODE", "direct", "telephone and fax numbers"),
    "URL": Label("CODE", "direct", "Web addresses and host names"),
    "IP": Label("CODE", "direct", "network addresses: IPv4, IPv6, MAC"),
    "HANDLE": Label("CODE", "direct", "user names, such as @someone"),
    "CARD": Label("CODE", "direct", "payment card numbers"),
    "IBAN": Label("CODE", "direct", "bank accounts: IBAN"),
    "ACCOUNT": Label("CODE", "direct", "account and bank numbers of other sorts"),
    "ROUTING": Label("CODE", "quasi", "bank routing numbers and SWIFT/BIC codes"),
    "WALLET": Label("CODE", "direct", "cryptocurrency wallets"),
    "SSN": Label("CODE", "direct", "US social security numbers"),
    "ITIN": Label("CODE", "direct", "US individual taxpayer numbers"),
    "EIN": Label("CODE", "direct", "US employer numbers"),
    "PASSPORT": Label("CODE", "direct", "passport numbers"),
    "LICENCE": Label("CODE", "direct", "driving and professional licences"),
    "NATIONAL_ID": Label("CODE", "direct", "national identity, tax and health numbers"),
    "CASE": Label("CODE", "direct", "case, docket and application numbers"),
    "RECORD": Label("CODE", "direct", "medical record, employee, customer, invoice and like numbers"),
    "PLATE": Label("CODE", "direct", "vehicle plates and chassis numbers"),
    "KEY": Label("CODE", "direct", "passwords, API keys and other secrets of machines"),
    "DATETIME": Label("DATETIME", "quasi", "dates and times of no better known sort"),
    "DATE": Label("DATETIME", "quasi", "dates, in figures and in words, whole and in part"),
    "TIME": Label("DATETIME", "quasi", "times of day"),
    "DURATION": Label("DATETIME", "quasi", "lengths of time"),
    "QUANTITY": Label("QUANTITY", "quasi", "numbers of things, measures, percentages"),
    "MONEY": Label("QUANTITY", "quasi", "sums of money"),
    "DEM": Label("DEM", "quasi", "nationality, ethnicity, religion, profession, health and the like"),
    "AGE": Label("DEM", "quasi", "ages"),
    "MISC": Label("MISC", "quasi", "events, works, products, laws and other telling names"),
}
"""What withhold finds by itself; lists and fitted detectors may have labels of their own."""

KINDS = ("PERSON", "ORG", "LOC", "CODE", "DATETIME", "QUANTITY", "DEM", "MISC")
"""The eight kinds, in the order reports have them."""

_FOREIGN = {
    "PERSON": "PER NAME NAMES HUMAN PATIENT DOCTOR PREFIX FIRSTNAME FIRST_NAME LASTNAME LAST_NAME FULLNAME "
    "FULL_NAME GIVENNAME SURNAME PERSON_NAME PERS USER",
    "ORG": "ORGANIZATION ORGANISATION CORPORATION COMPANY COMPANY_NAME GROUP HOSPITAL FACILITY_NAME EMPLOYER",
    "LOC": "LOCATION GPE FAC FACILITY PLACE CITY STATE COUNTRY COUNTY GEO STREET REGION",
    "ADDRESS": "STREET_ADDRESS STREETADDRESS POSTAL_ADDRESS LOCATION_ADDRESS",
    "ZIP": "ZIPCODE ZIP_CODE POSTCODE POSTAL_CODE",
    "CODE": "ID IDNUM IDENTIFIER US_ID ID_NUM COMMSIDENTIFIER DOCUMENTREFERENCE",
    "EMAIL": "EMAIL_ADDRESS E-MAIL MAIL",
    "PHONE": "PHONE_NUMBER TELEPHONE FAX PHONENUMBER",
    "URL": "DOMAIN_NAME DOMAIN WEBSITE URI",
    "IP": "IP_ADDRESS IPADDRESS IPV4 IPV6 MAC MAC_ADDRESS",
    "HANDLE": "USERNAME USER_NAME TWITTER",
    "CARD": "CREDIT_CARD CREDITCARD CREDIT_CARD_NUMBER CREDITCARDNUMBER",
    "IBAN": "IBAN_CODE",
    "ACCOUNT": "US_BANK_NUMBER BANK_ACCOUNT ACCOUNT_NUMBER ACCOUNTNUMBER",
    "ROUTING": "ABA_ROUTING_NUMBER SWIFT BIC SWIFT_CODE",
    "WALLET": "CRYPTO BITCOIN",
    "SSN": "US_SSN SOCIALNUMBER SOCIAL_SECURITY_NUMBER",
    "ITIN": "US_ITIN",
    "PASSPORT": "US_PASSPORT PASSPORT_NUMBER",
    "LICENCE": "US_DRIVER_LICENSE DRIVER_LICENSE DRIVERLICENSE MEDICAL_LICENSE LICENSE",
    "NATIONAL_ID": "UK_NHS UK_NINO NHS ES_NIF ES_NIE IT_FISCAL_CODE PL_PESEL SG_NRIC_FIN AU_TFN AU_ABN AU_ACN "
    "AU_MEDICARE IN_AADHAAR IN_PAN FI_PERSONAL_IDENTITY_CODE NATIONALID TAXNUM IDCARD IDCARDNUM",
    "RECORD": "MEDICALRECORD MRN MEDICAL_RECORD",
    "PLATE": "LICENSE_PLATE VEHICLE VIN IN_VEHICLE_REGISTRATION",
    "KEY": "PASSWORD API_KEY SECRET TOKEN",
    "DATE": "DOB DATEOFBIRTH DATE_OF_BIRTH BIRTHDATE",
    "DATETIME": "DATE_TIME TEMPORAL DATE-TIME",
    "QUANTITY": "CARDINAL ORDINAL PERCENT NUMBER",
    "DEM": "NRP NORP NATIONALITY PROFESSION OCCUPATION RELIGION ETHNICITY JOB JOBTITLE TITLE DEMOGRAPHIC",
    "MISC": "PRODUCT EVENT WORK_OF_ART LAW LANGUAGE CREATIVE-WORK CREATIVE_WORK MILITARYPLATFORM WEAPON OTHER",
}
_KNOWN = {foreign: label for label, several in _FOREIGN.items() for foreign in several.split()}


def known_as(label: str) -> str:
    """Our label for one of another tool or data set, with or without a country (`UK_PASSPORT`) before it; what nobody
    knows keeps its name, in capitals.
    """
    name = label.strip().upper().replace(" ", "_")
    for known in (name, name[3:] if name[2:3] == "_" else ""):
        if known in LABELS or known in _KNOWN:
            return _KNOWN.get(known, known)
    return name


def kind(label: str) -> str:
    """The kind of a label, ours or another's; a label nobody knows is a kind of its own."""
    name = known_as(label)
    return LABELS[name].kind if name in LABELS else name


def identifier(label: str) -> Identifier | None:
    """How a label identifies by itself; None for one that is not ours."""
    name = known_as(label)
    return LABELS[name].identifier if name in LABELS else None


def chosen(names: Iterable[str]) -> frozenset[str]:
    """The labels that a choice means: labels, kinds (all labels of that kind), `direct`, `quasi` or `all`.

    Raises:
        ValueError: if a name is none of these; it is named.
    """
    labels: set[str] = set()
    for name in names:
        given = name.strip()
        found = {
            label
            for label, each in LABELS.items()
            if given.upper() == label or given.lower() in ("all", each.identifier) or given.upper() == each.kind
        }
        if not found:
            raise ValueError(f"{name!r} is no label; there are {', '.join(LABELS)}, and direct, quasi and all")
        labels |= found
    return frozenset(labels)
