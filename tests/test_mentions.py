"""Mentions of a secret: every way of naming it is found whole, and what only looks like one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold import Policy, Redactor, Secret, read
from withhold.detectors.common_words import is_ordinary
from withhold.detectors.mentions import MentionDetector
from withhold.spans import union
from withhold.types import Finding

CARREFOUR = "Carrefour S.A."
GAMBLE = "The Procter & Gamble Company"
NORTHWIND = "Northwind Freight Holdings plc"
MACHINES = "International Business Machines Corporation"


def secret(value: str | None, *aliases: str) -> Secret:
    return Secret("client", "concepts", value=value, aliases=aliases)


def detect(text: str, value: str, *aliases: str) -> list[Finding]:
    document = read(text.encode("utf-8", "surrogatepass"), name="a.txt")
    return MentionDetector([secret(value, *aliases)]).detect(document)


def sure(text: str, value: str, *aliases: str) -> list[str]:
    return [finding.span.of(text) for finding in detect(text, value, *aliases) if finding.score >= 0.5]


def doubtful(text: str, value: str, *aliases: str) -> list[str]:
    return [finding.span.of(text) for finding in detect(text, value, *aliases) if finding.score < 0.5]


@pytest.mark.parametrize(
    ("value", "found", "near_miss", "embedded"),
    [
        (CARREFOUR, "Carrefour S.A.", "Carretera S.A.", "xcarrefourx"),
        (CARREFOUR, "Carrefour SA", "Carrel SA", "Precarrefourian"),
        (CARREFOUR, "CARREFOUR", "CARE FOUR", "unCarrefourly"),
        (CARREFOUR, "Carrefour Group", "Group", "a Grouped"),
        (CARREFOUR, "Carrefour Holdings B.V.", "Holdings B.V.", "Holdingsbv"),
        (CARREFOUR, "Carrefours", "Crossroads", "carrefou"),
        (CARREFOUR, "CarrefourPay", "CarPay", "payments"),
        (GAMBLE, "The Procter & Gamble Company", "the company", "encompanying"),
        (GAMBLE, "Procter and Gamble", "a proctor and a gamble", "gambles"),
        (GAMBLE, "Procter + Gamble", "to gamble", "unproctered"),
        (GAMBLE, "procter-gamble", "proctor-gamble", "gambler"),
        (GAMBLE, "ProcterGamble", "ProctorGamble", "procte"),
        (GAMBLE, "Procter", "Proctor", "Procto"),
        (NORTHWIND, "Northwind Freight Holdings", "Holdings", "Freighter"),
        (NORTHWIND, "NORTHWIND FREIGHT", "a freight", "Freights"),
        (NORTHWIND, "Northwind", "North Sea wind", "Northwin"),
        ("FiscalNote Holdings Inc.", "Fiscal Note", "a fiscal note", "Fiscal"),
        ("Go-Ahead Group plc", "GoAhead", "the go ahead", "ahead"),
        ("Grupo Bimbo, S.A.B. de C.V.", "Bimbo", "Grupo", "S.A.B. de C.V."),
        ("Hangzhou Shunwang Technology Co,Ltd", "Shunwang", "Hangzhou", "Technology Co"),
        ("Ice Make Refrigeration Limited", "the Refrigeration", "refrigeration", "refrigerations"),
        ("A.P. Moller - Maersk A/S", "Maersk", "A.P. and A/S", "Maerk"),
        ("Knorr-Bremse Aktiengesellschaft", "Bremse", "Bremen", "Brem"),
        ("Łódzkie Wędliny Sp. z o.o.", "LODZKIE WEDLINY", "wedlock", "Lodz"),
        ("Amazon.com, Inc.", "from Amazon", "amazon warriors", "Amazonian"),
    ],
)
def test_names_and_short_names(value: str, found: str, near_miss: str, embedded: str) -> None:
    assert sure(f"We met {found} in May, and", value) == [found.removeprefix("from ").removeprefix("the ")]
    assert sure(f"We met {near_miss} in May, and {embedded} too", value) == []


@pytest.mark.parametrize(
    "disguised", ["Carre\u200bfour", "C\u0430rrefour", "Carre-\nfour", "ＣＡＲＲＥＦＯＵＲ", "Carréfour"]
)
def test_disguised_names(disguised: str) -> None:
    assert sure(f"see {disguised}, and", CARREFOUR) == [disguised]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is Fountain S.A. that won.", ["Fountain S.A."]),
        ("It is Fountain S.A.", ["Fountain S.A."]),
        ("We met Fountain Inc. Then we left.", ["Fountain Inc"]),
        ("We met Fountain Inc. and left.", ["Fountain Inc."]),
        ("the Fountain, Ltd., of York", ["Fountain, Ltd."]),
        ("the Fountain Group Is here", ["Fountain Group"]),
        ("the Fountain as such", ["Fountain"]),
        ("the fountain in the park", []),
        ("Fountain pens are sold.", []),
        ("Fountain sells water. We like Fountain.", ["Fountain", "Fountain"]),
    ],
)
def test_a_name_that_is_a_word(text: str, found: list[str]) -> None:
    assert sure(text, "Fountain S.A.") == found


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("Kühne AG", "by Kuehne, Kuhne and Kühne", ["Kuehne", "Kuhne", "Kühne"]),
        ("Kuehne AG", "by Kuehne, Kuhne and Kühne", ["Kuehne", "Kühne"]),
        ("Jaeren Sparebank", "by Jæren Sparebank", ["Jæren Sparebank"]),
        ("Boeing Co", "by Bing", []),
    ],
)
def test_letters_that_english_does_not_have(value: str, text: str, found: list[str]) -> None:
    assert sure(text, value) == found


def test_a_word_of_doubt_is_likely_where_the_name_stands_too() -> None:
    text = "so the Stingray sang, and a stingray swam"
    assert (sure(text, "Stingray Group Inc."), doubtful(text, "Stingray Group Inc.")) == ([], ["Stingray"])
    assert sure(f"Stingray Group: {text}", "Stingray Group Inc.") == ["Stingray Group", "Stingray"]


@pytest.mark.parametrize("value", ["General Holdings plc", "First Group Ltd", "South China Holdings Limited"])
def test_common_words_alone_are_no_mention(value: str) -> None:
    assert sure("The General came First to the Group in South China, China; general first", value) == []
    assert sure(f"the {value} here", value) == [value]


@pytest.mark.parametrize(
    ("value", "found", "near_miss"),
    [
        (GAMBLE, "P&G", "R&D"),
        (GAMBLE, "P & G", "p&g"),
        (MACHINES, "IBM", "ibm"),
        (MACHINES, "I.B.M.", "I. Bloom"),
        (MACHINES, "IBMs", "IBMer"),
        ("IWG plc", "IWG", "iwg"),
        ("3M Company", "3M", "3m"),
        ("H & M Hennes & Mauritz AB (publ)", "H&M", "HR"),
        ("Bank of America Corporation", "BOA", "boa"),
    ],
)
def test_abbreviations(value: str, found: str, near_miss: str) -> None:
    assert sure(f"so {found} said, and", value) == [found]
    assert sure(f"so {near_miss} said, X{found}X and", value) == []


def test_two_initials_count_where_the_name_stands_too() -> None:
    assert sure("so PG said", GAMBLE) == []
    assert doubtful("so PG said", GAMBLE) == ["PG"]
    assert sure("Procter & Gamble: so PG said", GAMBLE) == ["Procter & Gamble", "PG"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Northwind Freight (NoFr) and NoFr", ["NoFr", "NoFr"]),
        ("NWF (Northwind Freight) and NWF", ["NWF", "NWF"]),
        ('Northwind ("Norfreight" or the "Group"): Norfreight, the Group', ["Norfreight", "Norfreight"]),
        ("Northwind Freight Holdings plc, or NWFH, and NWFH", ["NWFH", "NWFH"]),
        ("Northwind (UK) and UK", []),
        ("Northwind (CEO) and CEO", []),
        ("Eastwind (NWF) and NWF", []),
    ],
)
def test_abbreviations_that_the_text_defines(text: str, found: list[str]) -> None:
    assert [each for each in sure(text, NORTHWIND) if not each.startswith("Northwind")] == found


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (CARREFOUR, "see carrefour.com now", "carrefour.com"),
        (CARREFOUR, "see www.carrefour.fr/a?b=c.", "www.carrefour.fr/a?b=c"),
        (CARREFOUR, "see https://jobs.carrefour-group.co.uk/x, or", "https://jobs.carrefour-group.co.uk/x"),
        (CARREFOUR, "see https://news.example/carrefour-strike", "https://news.example/carrefour-strike"),
        (CARREFOUR, "ask jean@carrefour.com, or", "carrefour.com"),
        (CARREFOUR, "ask <jean@mail.carrefour.eu>", "mail.carrefour.eu"),
        (CARREFOUR, "ask carrefour.press@mail.example", "carrefour.press"),
        (GAMBLE, "see procterandgamble.com", "procterandgamble.com"),
        (MACHINES, "see www.ibm.com/uk-en", "www.ibm.com/uk-en"),
        (NORTHWIND, "see northwind-freight.example.net", "northwind-freight.example.net"),
        ("Target Corporation", "see target.com", "target.com"),
    ],
)
def test_domains(value: str, text: str, found: str) -> None:
    assert sure(text, value) == [found]


@pytest.mark.parametrize(
    "text", ["see https://x.example/target-audience", "see targets.example.com", "me@mytarget.com"]
)
def test_common_words_in_addresses_are_no_mention(text: str) -> None:
    assert sure(text, "Target Corporation") == []


@pytest.mark.parametrize("found", ["@Carrefour", "#CarrefourStrike", "carrefour_fr", "#carrefour", "@carrefour_market"])
def test_handles_and_hashtags(found: str) -> None:
    assert sure(f"see {found}, #crossroads @carre four_fr", CARREFOUR) == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Carrefour (NYSE: CRF) rose", ["Carrefour", "NYSE: CRF"]),
        ("Carrefour (NYSE: CRF; LSE: CRX) rose", ["Carrefour", "NYSE: CRF", "LSE: CRX"]),
        ("Carrefour (CA.PA) rose, CA.PA fell", ["Carrefour", "CA.PA", "CA.PA"]),
        ("Carrefour trades under the symbol CRF. CRF and $CRF", ["Carrefour", "symbol CRF", "CRF", "$CRF"]),
        ("Another one (NYSE: CRF) rose; $CRF and CRF", []),
        ("Carrefour rose. Another one (NYSE: CRX) fell", ["Carrefour"]),
    ],
)
def test_tickers_beside_a_mention(text: str, found: list[str]) -> None:
    assert sure(text, CARREFOUR) == found


def test_tickers_given_as_aliases() -> None:
    text = "(Euronext Paris: CA) and CA.PA and $CA, NYSE: CAX, ca.pa capa, $CAX"
    assert sure(text, CARREFOUR, "CA.PA") == ["Euronext Paris: CA", "CA.PA", "$CA"]


@pytest.mark.parametrize(
    ("value", "found", "near_misses"),
    [
        ("Oil & Gas Drilling", "oil and gas drilling", "drilling for gas, an oil"),
        ("Oil & Gas Drilling", "Oil/Gas Drilling", "Oil"),
        ("Oil & Gas Drilling", "oil-gas-drilling", "oily gas drilling"),
        ("alt.atheism", "alt.atheism", "atheism"),
        ("alt.atheism", "alt/atheism", "alt"),
        ("soc.religion.christian", "soc_religion_christian", "christian religion"),
        ("Semiconductors", "semiconductor", "superconductors"),
        ("Hotels, Restaurants & Leisure", "hotels, restaurants and leisure", "restaurants, hotels and leisure"),
    ],
)
def test_names_of_topics(value: str, found: str, near_misses: str) -> None:
    assert "".join(sure(f"of {found}: it", value)).replace(" ", "") == found.replace(",", "").replace(" ", "")
    assert sure(f"of {near_misses}: it", value) == []


def test_the_end_of_a_sentence_is_no_part_of_a_topic() -> None:
    assert sure("I read comp.windows.x. You read it.", "comp.windows.x") == ["comp.windows.x"]


def test_aliases_are_found_like_names() -> None:
    text = "promodes and PROMODES SA, the big C; the ALL and all"
    assert sure(text, CARREFOUR, "Promodès SA", "Big C", "ALL") == ["promodes", "PROMODES SA", "big C", "ALL"]


def test_reasons_say_the_kind() -> None:
    text = "Carrefour S.A. met Promo at carrefour.com, @carrefour #carrefour; Carrefour (NYSE: CRF)"
    kinds = [finding.reason for finding in detect(text, CARREFOUR, "Promo")]
    assert kinds == ["name", "alias", "domain", "handle", "hashtag", "name", "ticker"]


def test_a_name_as_given_is_certain() -> None:
    assert sure("so i:FAO AG said", "i:FAO AG") == ["i:FAO AG"]
    for text in ("Full Metal Ltd. mines", "We met Full Metal Ltd. Then", "full metal ltd"):
        (finding,) = detect(text, "Full Metal Ltd.")
        assert finding.score == 1


def test_findings_of_a_secret_are_of_one_entity() -> None:
    document = read(b"Northwind sued Carrefour; carrefour.com, NORTHWIND", name="a.txt")
    findings = MentionDetector([secret(None), secret(CARREFOUR), secret(NORTHWIND)]).detect(document)
    assert [finding.entity for finding in findings] == [3, 2, 2, 3]
    assert {(finding.label, finding.detector) for finding in findings} == {("SECRET", "mentions")}


@pytest.mark.parametrize("value", [None, "", "  ", "...", "&", "\u200b", "S.A.", "The", "@", "#"])
def test_a_value_that_names_nothing_is_no_trouble(value: str | None) -> None:
    document = read(b"The cat sat on the mat. See a@b.example #x", name="a.txt")
    other = replace(secret(value, "", " "), name="other")
    detector = MentionDetector.from_policy(Policy(secret=(secret(value, "Zwolle"), other)))
    assert all(finding.span for finding in detector.detect(document))
    assert value or MentionDetector([secret(value, "cat")]).detect(document) == []


def test_a_mention_ends_with_its_formatting() -> None:
    page = b"<!doctype html><title>t</title><p>Read <b>Carrefour</b>s and <i>Carrefour</i><sup>2</sup>"
    document = read(page, name="a.html")
    redactor = Redactor(Policy())
    plan = redactor.plan(MentionDetector([secret(CARREFOUR)]).detect(document), [])
    assert b"arrefour" not in redactor.apply(plan, document).document.native


SYLLABLES = ["bra", "zen", "vok", "tilu", "quar", "mox", "dre", "fyn", "gru", "kesh", "plo", "wib"]
OWN = st.lists(st.sampled_from(SYLLABLES), min_size=2, max_size=4).map(lambda parts: "".join(parts).title())
OWN_WORDS = st.lists(OWN.filter(lambda word: len(word) > 5 and not is_ordinary(word.lower())), min_size=1, max_size=2)
FORMS = [
    "S.A.",
    "plc",
    "Ltd",
    "Inc.",
    "GmbH",
    "AB (publ)",
    "Co., Ltd.",
    "N.V.",
    "S.p.A.",
    "Oyj",
    "Public Company Limited",
]


@st.composite
def companies(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A company's name and ways of writing it."""
    own = draw(OWN_WORDS)
    joint = draw(st.sampled_from([" ", " & ", " and "]))
    trade = draw(st.sampled_from(["", " Freight", " Steel Pipes"]))
    tail = draw(st.sampled_from(["", " Group", " Holdings", " International"]))
    core = joint.join(own) + trade
    name = draw(st.sampled_from(["", "The "])) + core + tail + " " + draw(st.sampled_from(FORMS))
    plain = core.replace(" & ", " ").replace(" and ", " ")
    first = own[0]
    written = [
        core,
        core + tail,
        core.replace("&", "and"),
        core.replace(" and ", " & "),
        plain.replace(" ", "-"),
        first,
    ]
    joined = plain.replace(" ", "")
    written += [core.upper(), core.lower(), core + " Ltd", first + "s", first.upper(), plain.replace(" ", "_"), joined]
    hosts = [f"{joined.lower()}.com", f"www.{first.lower()}.co.uk", f"https://{first.lower()}-group.example/a?b"]
    return name, [*written, *hosts, f"@{joined}", f"#{first}Strike", f"{first.lower()}_fr"]


def covered(text: str, value: str, piece: str) -> bool:
    start = text.index(piece)
    spans = union(finding.span for finding in detect(text, value) if finding.score >= 0.5)
    letters = [place for place in range(start, start + len(piece)) if text[place].isalnum()]
    return all(any(place in span for span in spans) for place in letters)


@settings(max_examples=150, deadline=None)
@given(company=companies(), data=st.data())
def test_every_way_of_writing_a_name_is_found_whole(company: tuple[str, list[str]], data: st.DataObject) -> None:
    name, written = company
    piece = data.draw(st.sampled_from([name, *written]))
    before = data.draw(st.sampled_from(["", "Today ", "It's (", "the\n", "“"]))
    after = data.draw(st.sampled_from(["", " said so.", ", and", ")", "\nthere", "”"]))
    assert covered(before + piece + after, name, piece)


@settings(max_examples=100, deadline=None)
@given(company=companies(), data=st.data())
def test_disguises_do_not_hide_a_name(company: tuple[str, list[str]], data: st.DataObject) -> None:
    name, written = company
    piece = data.draw(st.sampled_from(written[:6]))
    place = data.draw(st.integers(1, len(piece) - 1))
    disguises = [
        piece[:place] + "\u200b" + piece[place:],
        piece.replace("a", "\u0430").replace("o", "\u03bf").replace("e", "\u0435"),
        piece.replace(" ", "\n"),
        piece.replace(" ", "\u00a0 "),
        "".join(chr(ord(letter) + 0xFEE0) if letter.isascii() and letter.isalpha() else letter for letter in piece),
        piece.replace("e", "é").replace("u", "ü"),
    ]
    disguised = data.draw(st.sampled_from(disguises))
    assert covered(f"for {disguised} today", name, disguised)


PLAIN = [
    "the",
    "a",
    "market",
    "report",
    "says",
    "prices",
    "rose",
    "in",
    "spring",
    "while",
    "buyers",
    "waited",
    "for",
    "it",
]


@settings(max_examples=100, deadline=None)
@given(companies(), st.lists(st.sampled_from(PLAIN), max_size=30), st.sampled_from([str, str.title, str.upper]))
def test_texts_without_the_name_yield_nothing(
    company: tuple[str, list[str]], words: list[str], case: type[str]
) -> None:
    assert detect(case(" ".join(words)), company[0]) == []


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.sampled_from("Carefouns SA.&@#_-:/()$\n\u200b\"'PG"), max_size=60),
    st.lists(st.sampled_from(["Carrefour", "Procter", "P&G", ".com", "www.", "NYSE: CRF", "Ltd."]), max_size=8),
)
def test_whatever_the_text_spans_are_in_it_and_findings_hide_it(noise: str, pieces: list[str]) -> None:
    text = noise.join([*pieces, ""]) + noise
    document = read(text.encode(), name="a.txt")
    findings = MentionDetector([secret(CARREFOUR, "CRF"), secret(GAMBLE)]).detect(document)
    assert all(finding.span and finding.span.end <= len(document.text) for finding in findings)
    assert findings == sorted(findings, key=lambda finding: (finding.span, finding.entity))
    assert not any(word in repr(findings).lower() for word in ("carrefour", "procter", "nyse"))


def test_many_secrets_cost_little() -> None:
    names = [f"Zorvex{chr(97 + number // 26)}{chr(97 + number % 26)}ia Freight Ltd" for number in range(450)]
    document = read(" and ".join(names).encode(), name="a.txt")
    findings = MentionDetector([secret(name) for name in names]).detect(document)
    assert [finding.entity for finding in findings] == list(range(1, 451))
