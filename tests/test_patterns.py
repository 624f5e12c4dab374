"""Patterns: what each label finds, exactly, and what only looks like it."""

from __future__ import annotations

import pytest

from withhold.detectors.patterns import PatternDetector
from withhold.labels import LABELS
from withhold.policy import Detection, Policy
from withhold.types import Document, Finding

ALL = PatternDetector(Detection(labels=("all",)))


def document(text: str) -> Document:
    return Document(text, b"", "txt", ())


def detect(text: str, *labels: str, country: str = "US") -> list[Finding]:
    detector = PatternDetector(Detection(labels=labels, country=country)) if labels else ALL
    return detector.detect(document(text))


def sure(text: str, label: str | None = None) -> list[str]:
    """What is found surely enough to act upon."""
    return [each.span.of(text) for each in detect(text) if each.score >= 0.5 and label in (None, each.label)]


# In each text, what must be found is between angle brackets.
FOUND: dict[str, list[str]] = {
    "EMAIL": [
        "<john.doe@example.com>",
        "write to <j.o'brien+news@mail.example.co.uk>, please",
        "<x@y.museum>",
        "mailto:<ann_lee@sub.example.org>?subject=x",
        "reach <jane [at] example [dot] com> today",
        "reach <jane.roe at example dot com> today",
        "<ann(at)example.org>",
        "<müller@exämple.de>",
    ],
    "URL": [
        "<https://example.com/a/b?c=1#d>",
        "see <http://example.org/x_(y)>.",
        "at <www.example.net>, and",
        "visit <example.com> now",
        "host <mail.example.co.uk>",
        "<ftp://files.example.org/pub>",
        "docs on <example.io/start> here",
        "(<example.de>)",
    ],
    "IP": [
        "<192.168.17.254>",
        "from <10.20.30.40>.",
        "net <172.16.30.0/24>",
        "<2001:db8:85a3::8a2e:370:7334>",
        "<fe80::1ff:fe23:4567:890a>",
        "<6e40:4041:c617:e898:c11:40d2:c669:2eb4>",
        "mac <00:1A:2b:3C:4d:5E>",
        "mac <de-ad-be-ef-00-01>",
    ],
    "PHONE": [
        "<+44 20 7946 0958>",
        "<+1-814-510-3798x84922>",
        "<(212) 555-0123>",
        "<(898)666-3621x0135> or",
        "<212-555-0187 ext. 40219>",
        "<001-518-640-0854>",
        "<261.535.7920>",
        "Phone: <9112538613>",
        "tel <0496 46 46 70>",
        "call me on <01.84.17.61.18>",
        "Fax: <+41 (0)62 585 51 90>",
        "<(64) 3591-3246> mobile",
        "<1-800-345-3371>",
    ],
    "HANDLE": ["thanks <@some_one>!", "ask <u/some-body> there", "username: <jdoe77>", "<@ann@example.social> posts"],
    "CARD": [
        "<4111 1111 1111 1111>",
        "<4111-1111-1111-1111>",
        "<378282246310005>",
        "<3782 822463 10005>",
        "my card <630427373398>",
        "<5555555555554444>",
        "<6011000990139424>",
        "<30569309025904>",
        "card ending in <4242>",
        "credit card number <1234 5678 9012 3456>",
    ],
    "IBAN": [
        "<GB82 WEST 1234 5698 7654 32>",
        "<DE89370400440532013000>",
        "iban <gb82west12345698765432>",
        "<NO9386011117947>",
        "to <FR14-2004-1010-0505-0001-3M02-606>",
    ],
    "SSN": ["<219-09-9999>", "SSN <219 09 9999>", "social security number is <219099999>"],
    "ITIN": ["<912-70-1234>", "ITIN: <912701234>"],
    "EIN": ["EIN <12-3456789>", "employer number <12-3456789>"],
    "PASSPORT": ["passport no. <X1234567>", "passport no. <AB 123456>", "Passport: <123456789>", "passport <C01X00T4>"],
    "LICENCE": [
        "driver's license number is <F162-8235-4011>",
        "driver's license number is <5130634>",
        "licence no. <MORGA753116SM9IJ>",
        "DEA <AB1234563>",
        "NPI: <1234567893>",
    ],
    "NATIONAL_ID": [
        "NHS number <943 476 5919>",
        "<AB123456C>",
        "<AB 12 34 56 C>",
        "<12345678Z>",
        "<X1234567L>",
        "<RSSMRA85T10A562S>",
        "PESEL <44051401359>",
        "<2 55 08 14 168 025 38>",
        "IdNr <36574261809>",
        "BSN <111222333>",
        "<880320-0016>",
        "<131052-308T>",
        "<15108695088>",
        "CPR <211062-5629>",
        "<390.533.447-05>",
        "<2341 2341 2346>",
        "PAN <ACUPA7085R>",
        "TFN <123 456 782>",
        "Medicare <2123 45670 1>",
        "<S1234567D>",
        "SIN <123-456-782>",
        "<756.9217.0769.85>",
        "<85.07.30-033.28>",
        "<710319/2745>",
        "<1630615123457>",
        "<7503305044089>",
        "<11010519491231002X>",
        "<971013-9019902>",
        "<A123456789>",
        "<A123456(3)>",
        "<BOXW310820HNERXN09>",
        "<20-05536168-2>",
        "<12.531.909-2>",
        "<112-233-445 95>",
        "VAT <DE136695976>",
        "identity card no. <7712345>",
    ],
    "CASE": [
        "(no. <18403/91>)",
        "applications nos. <1234/05> and <567/06>",
        "<1:21-cv-00034>",
        "<2:19-cr-00123-ABC-DEF>",
        "Case No. <F-2015-04841>",
        "case no. <1996/276>",
        "<ECLI:EU:C:2014:317>",
        "Case <C-131/12>, Google",
        "Docket <19-1392>",
        "in <18403/91> the Court",
    ],
    "RECORD": [
        "MRN: <00123456>",
        "MRN <A-55-1234>",
        "invoice no. <INV-2023-001>",
        "Order # <21424229>",
        "policy number: <PX-100-7>",
        "Employee ID: <E48213>",
        "member number <474,481>",
        "patient ID <P-00042>",
    ],
    "ADDRESS": [
        "<279 Landry Stream Suite 281, Cooperton, SC 61667>",
        "<09274 Chavez Drive, Martinezchester, MI 69383>",
        "lives at <12 Oak Street>, as",
        "at <221B Baker Street, London NW1 6XE>.",
        "<10 Downing St., London SW1A 2AA>",
        "<Hauptstraße 12, 10115 Berlin>",
        "in <Via Roma 131>.",
        "<Rua Diadema 1903>",
        "<PO Box 1234>",
        "<P.O. Box 82\nPrinceton, NJ 08540>",
        "<USNS Frost, FPO AA 92678>",
        "<PSC 3294, Box 9168\nAPO AA 61487>",
        "<350 Fifth Avenue\nNew York, NY 10118>",
        "<1600 Pennsylvania Ave NW, Washington, DC 20500>",
        "<6750 Koskikatu 25 Apt. 864>",
    ],
    "ZIP": [
        "Pasadena, CA <91109>",
        "Springfield VA <22159-0500>",
        "in <SW1A 2AA> there",
        "my zip code is <35350>",
        "ZIP: <394 13>",
        "in <K1A 0B1>",
        "D-<10115> Berlin",
        "Austin, Texas <78711>",
    ],
    "COORDINATES": [
        "<40.7128, -74.0060>",
        "<-33.8688, 151.2093>",
        "<48.875814°N 2.341636°E>",
        "<40°26'46\"N 79°58'56\"W>",
        "latitude: <51.5007>",
    ],
    "PLATE": [
        "registration <AB12 CDE>",
        "licence plate <7ABC123>",
        "<1HGCM82633A004352>",
        "VIN: <WBA3A5C50CF256651>",
        "number plate <B-MW 1234>",
    ],
    "ROUTING": ["routing number <021000021>", "SWIFT: <DEUTDEFF>", "BIC code <NEDSZAJJXXX>", "sort code <12-34-56>"],
    "ACCOUNT": ["account number <12345678>", "acct # <000123456789>", "a/c <12 345 678>", "account ending in <9912>"],
    "WALLET": [
        "<1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2>",
        "<3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy>",
        "<bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4>",
        "<0x52908400098527886E0F7030069857D2E4169EE7>",
    ],
    "KEY": [
        "<AKIAIOSFODNN7EXAMPLE>",
        "<ghp_" + "a1B2" * 9 + ">",
        "<xoxb-123456789012-abcdefABCDEF>",
        "<AIza" + "Sy0a_" * 7 + ">",
        "<sk_live_4eC39HqLyjWDarjtT1zdp7dc>",
        "<eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN>",
        "<-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY----->",
        "password: <hunter2!>",
        "pwd=<S3cr3t>",
        "The password is '<open-sesame-9>'",
        'api_key = "<9f8a7b6c5d4e3f2a1b0c>"',
        "AWS_SECRET_ACCESS_KEY=<wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY>",
        "Authorization: Bearer <abcDEF123ghiJKL456mno>",
        "PIN: <4821>",
    ],
    "DATE": [
        "<2001-05-12>",
        "<2001-05-12T14:05:33Z>",
        "<1980-07-28 19:49:46>",
        "<12/31/1999>",
        "<31.12.1999>",
        "<1/10/93>",
        "<12 June 2000>",
        "<12th of June, 2000>",
        "the <twelfth of June 2000>",
        "<June 12th, 2000>",
        "<June 12-14, 2001>",
        "<12-Jun-00>",
        "<12JUN2000>",
        "<June 2000>",
        "<June '99>",
        "<Sept. 2004>",
        "<Sunday, 12 June 2000>",
        "on <Tuesday morning>",
        "<12-14 May 2001>",
        "<14 and 27 July 1999>",
        "on <30 September>/<1 October 2002>",
        "<March and July 1999>",
        "between <16 January>, <20 March> and <8 September 2003>",
        "the <1990s>",
        "<Q3 2019>",
        "<FY2019>",
        "in <1998>",
        "born in <1963>, he",
        "from <1998-1999>",
        "<summer 2003>",
        "the <end of 1990>",
        "the <summer and autumn of 1994>",
        "<Christmas 2003>",
        "<New Year's Eve 1999>",
        "the <late sixteenth century>",
        "the <20th century>",
        "in <March>, he",
        "<12. Juni 2000>",
        "<3 de mayo de 2001>",
        "<1er juin 2004>",
        "<05/1998>",
        "dob <20010512>",
        "on <4/11> he",
        "in the <nineties>",
    ],
    "TIME": [
        "at <14:05>",
        "<14:05:33>",
        "<7:05 am>, on",
        "<2 p.m.>",
        "<5.30pm> sharp",
        "<11:30 pm EDT>",
        "<18:49:43 GMT>",
        "<12 noon>",
        "<six o'clock>",
        "<0626 hours>",
        "<half past two>",
        "at <midnight>",
    ],
    "DURATION": [
        "<three weeks>",
        "the <ten-day> limit",
        "<2 1/2 years>",
        "<two and a half years>",
        "<three years and nine months>",
        "<14 to 16 weeks>",
        "<30 hours>' work",
        "<ten working days>",
        "<thirty (30) days>",
        "<two hundred years>",
        "<6 mths>",
    ],
    "AGE": [
        "a <67-year-old> man",
        "<35 years old>",
        "aged <35>",
        "aged <eighty-nine>",
        "age: <12>",
        "at the age of <66>",
        "i'm <82 y/o>",
        "<35yo> man",
        "just turned <50>.",
        "he was <64>.",
        "in her <forties>",
        "in his mid-<40s>",
        "<40 years of age>",
        "ages <3> and <5>",
        "a <6-month-old> baby",
    ],
    "MONEY": [
        "<EUR 4,000>",
        "<5,699.21 euros (EUR)>",
        "<1,500 Austrian schillings>",
        "<$3.2 million>",
        "<TRL 30,000,000>",
        "<US$15>",
        "<€ 12.50>",
        "<80 DEM>",
        "<588 GDR marks>",
        "<five hundred euros>",
        "<1.2 billion yen>",
        "<two million dollars>",
        "<£5bn>",
        "<CHF 1'000.->",
        "<20 cents>",
        "<54,525,000 Turkish Liras (TRL)>",
    ],
    "QUANTITY": [
        "<50 metres>",
        "<26 km/h>",
        "<15%>",
        "<4.5 per cent>",
        "<50 to 79%>",
        "<15 x 10 mm>",
        "<192-page> judgment",
        "<571 landowners>",
        "<fifty-five hearings>",
        "<two miles>",
        "<30-pound> loss",
        "<120 mg>",
        "<100 square feet>",
    ],
    "CODE": ["plots nos. <260>, <268>, <45> and <119/5>", "barcode no. <5012345>", "no. <D-4840>"],
}  # fmt: skip


def marked(text: str) -> tuple[str, list[str]]:
    """A text without its brackets, and what stood in them."""
    wanted, plain = [], ""
    for piece in text.split("<"):
        inside, closed, rest = piece.partition(">")
        if closed:
            wanted.append(inside)
        plain += inside + rest
    return plain, wanted


CASES = [(label, *marked(text)) for label, texts in FOUND.items() for text in texts]


@pytest.mark.parametrize("label", FOUND)
def test_it_is_found_exactly(label: str) -> None:
    found = {plain: sure(plain, label) for plain, _ in map(marked, FOUND[label])}
    assert found == dict(map(marked, FOUND[label]))


@pytest.mark.parametrize("label", FOUND)
@pytest.mark.parametrize("around", ["It was: {} \n", "Then\n{}\nand more.", "({})", "“{}”, they said."])
def test_it_is_found_in_its_place(label: str, around: str) -> None:
    for plain, wanted in map(marked, FOUND[label]):
        assert set(wanted) <= set(sure(around.format(plain), label)), plain


def test_every_label_with_a_form_is_in_the_table() -> None:
    assert set(FOUND) == set(LABELS) - {"PERSON", "ORG", "LOC", "DATETIME", "DEM", "MISC"}


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("EMAIL", "meet me @ noon"),
        ("EMAIL", "5 @ 3.50 each"),
        ("EMAIL", "look at example dot files"),
        ("URL", "the end.It was late"),
        ("URL", "he came in.to the room"),
        ("URL", "e.g. this"),
        ("URL", "quoted as ABC.HK today"),
        ("IP", "version 1.2.3.4"),
        ("IP", "see 6.4.2.1 above"),
        ("IP", "999.999.999.999"),
        ("IP", "at 12:30:45"),
        ("IP", "std::vector"),
        ("IP", "Chrome/110.0.0.1"),
        ("PHONE", "from 1998-1999 the office"),
        ("PHONE", "(2008-2010) office"),
        ("PHONE", "ISBN 0-00-638843-4"),
        ("PHONE", "12.5.2001 was"),
        ("PHONE", "phone calls in 1984 1950"),
        ("PHONE", "the deal 231758 was"),
        ("PHONE", "3.30 696 622 0.894"),
        ("HANDLE", "john@example.com"),
        ("HANDLE", "self.username = username"),
        ("HANDLE", "5 @ 3"),
        ("CARD", "4111 1111 1111 1112"),
        ("CARD", "0000 0000 0000 0000"),
        ("CARD", "reference 12345678901234567"),
        ("IBAN", "GB82 WEST 1234 5698 7654 33"),
        ("IBAN", "ZZ82 WEST 1234 5698 7654 32"),
        ("SSN", "000-12-3456"),
        ("SSN", "666-12-3456"),
        ("SSN", "219-00-9999"),
        ("SSN", "219099999"),
        ("ITIN", "912-45-1234"),
        ("EIN", "12-3456789"),
        ("PASSPORT", "the passport office opened"),
        ("LICENCE", "driving licence holders 1500"),
        ("NATIONAL_ID", "12345678A"),
        ("NATIONAL_ID", "AB123456E"),
        ("NATIONAL_ID", "RSSMRA85T10A562T"),
        ("NATIONAL_ID", "S1234567A"),
        ("NATIONAL_ID", "390.533.447-06"),
        ("NATIONAL_ID", "111222333"),
        ("CASE", "Article 6 of Protocol No. 11"),
        ("CASE", "pressure of 120/80"),
        ("CASE", "in that case 5 of them"),
        ("CASE", "at 1.6205/15 dollars"),
        ("RECORD", "in order 1500 people came"),
        ("RECORD", "medical records 143-256"),
        ("RECORD", "a record: 5 wins"),
        ("RECORD", "Report: 2019 was"),
        ("ADDRESS", "Rule 52 § 1 of the Rules of Court"),
        ("ADDRESS", "in 1973 the Supreme Court"),
        ("ADDRESS", "5 of the drives"),
        ("ADDRESS", "scoring 185 not out"),
        ("ADDRESS", "by al Qaeda. The October 6 attack"),
        ("ADDRESS", "located at 25 cm from"),
        ("ZIP", "about 12345 people"),
        ("ZIP", "stage T2N0M0"),
        ("COORDINATES", "3.5, 7.25"),
        ("COORDINATES", "91.1234, 200.5678"),
        ("PLATE", "1HGCM82633A004353"),
        ("ROUTING", "021000021"),
        ("ROUTING", "a SWIFT response"),
        ("ACCOUNT", "on account of 12 things"),
        ("WALLET", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"),
        ("WALLET", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"),
        ("KEY", "the password is required"),
        ("KEY", "password: ********"),
        ("KEY", "token: ${TOKEN}"),
        ("KEY", "the key is here"),
        ("KEY", "key = Fernet2.generate_key()"),
        ("DATE", "may I march on"),
        ("DATE", "about 1500 people"),
        ("DATE", "1990 shares were sold"),
        ("DATE", "the Human Rights Act 1998"),
        ("DATE", "page 1998"),
        ("DATE", "$1998"),
        ("DATE", "99/99/9999"),
        ("DATE", "12.5 percent"),
        ("TIME", "a ratio of 1:50,000"),
        ("TIME", "the 12 o'clock position"),
        ("TIME", "25:99"),
        ("DURATION", "one day he left"),
        ("DURATION", "in recent years"),
        ("DURATION", "the second day"),
        ("AGE", "turned 1500 pages"),
        ("AGE", "page 35"),
        ("AGE", "years and years"),
        ("MONEY", "ALL 50 of them"),
        ("MONEY", "INR 1.6 and rising"),
        ("MONEY", "full marks for"),
        ("QUANTITY", "5 in total"),
        ("QUANTITY", "two of them"),
        ("CODE", "there is no 32-bit box"),
        ("CODE", "Law no. 5190"),
    ],
)
def test_what_only_looks_like_it(label: str, text: str) -> None:
    assert sure(text, label) == []


def test_only_what_is_wanted_is_found() -> None:
    text = "Mail ann@example.com on 12 June 2000, 4111 1111 1111 1111."
    assert [finding.label for finding in detect(text, "EMAIL")] == ["EMAIL"]
    assert [finding.label for finding in detect(text, "DATETIME")] == ["DATE"]
    assert PatternDetector(Detection()).detect(document(text)) == []
    assert detect("", "all") == []


@pytest.mark.parametrize("label", sorted(FOUND))
def test_each_label_is_found_alone(label: str) -> None:
    for text in FOUND[label]:
        plain, wanted = marked(text)
        found = [each.span.of(plain) for each in detect(plain, label) if each.label == label and each.score >= 0.5]
        assert set(wanted) <= set(found)


@pytest.mark.parametrize(
    ("country", "text", "found"),
    [("GB", "ring 020 7946 0958", True), ("GB", "see 020 7946 0958", True), ("US", "see 020 7946 0958", False)],
)
def test_numbers_without_a_country_code_are_of_the_policys_country(country: str, text: str, found: bool) -> None:
    assert any(each.score >= 0.5 for each in detect(text, "PHONE", country=country)) is found


@pytest.mark.parametrize(
    ("text", "label", "inside"),
    [
        ("https://example.com/2001/05/12/4111111111111111", "URL", "DATE"),
        ("http://10.20.30.40/x@y.com", "URL", "IP"),
        ("GB82 WEST 1234 5698 7654 32", "IBAN", "PHONE"),
        ("4111 1111 1111 1111", "CARD", "PHONE"),
        ("case no. 1996/276", "CASE", "DATE"),
        ("2001-05-12 14:05:33", "DATE", "TIME"),
        ("279 Landry Stream Suite 281, Cooperton, SC 61667", "ADDRESS", "ZIP"),
        ("john1999@example.com", "EMAIL", "HANDLE"),
        ("EUR 1,998", "MONEY", "DATE"),
    ],
)
def test_parts_of_a_thing_are_no_findings_of_their_own(text: str, label: str, inside: str) -> None:
    labels = [finding.label for finding in detect(text)]
    assert label in labels
    assert inside not in labels


def test_a_number_within_an_address_does_not_leave_the_rest_in_the_open() -> None:
    text = "Address: 12 Long Lane, IBAN GB82 WEST 1234 5698 7654 32, Little Town\n"
    found = {finding.label: finding.span.of(text) for finding in detect(text)}
    assert found["IBAN"] == "GB82 WEST 1234 5698 7654 32"
    assert not {"Long", "Town"} & set(text.replace(found["IBAN"], "").split()) - set(" ".join(sure(text)).split())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Address: Flat 3, The Old Mill, Wells\nPhone: none", "Flat 3, The Old Mill, Wells"),
        ("Address:\n3 Old Mill\nWells\n\nPhone: none", "3 Old Mill\nWells"),
        ("(address: c/o Ann, 3rd house behind the mill)", "c/o Ann, 3rd house behind the mill"),
        ("E-mail address: none 3", None),
        ("Address: unknown\n", None),
    ],
)
def test_what_is_called_an_address_is_one(text: str, address: str | None) -> None:
    assert sure(text, "ADDRESS") == ([address] if address else [])


def test_findings_say_what_they_are_and_quote_nothing() -> None:
    for label, plain, wanted in CASES:
        for finding in detect(plain):
            assert finding.detector == "patterns"
            assert finding.identifier == LABELS[finding.label].identifier
            assert finding.reason
            assert not any(each in finding.reason for each in wanted if len(each) > 3), (label, finding.reason)
            assert 0 < finding.score <= 1


def test_it_is_made_from_a_policy() -> None:
    detector = PatternDetector.from_policy(Policy(detection=Detection(labels=("EMAIL",))))
    assert [finding.label for finding in detector.detect(document("ann@example.com, 2001-05-12"))] == ["EMAIL"]
