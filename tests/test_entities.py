"""Claims are settled without uncovering anything, and every mention of what was found once is found."""

from __future__ import annotations

import time
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.detectors.entities import Allowed, settle
from withhold.detectors.entities.misspelt import Spelling, distance
from withhold.detectors.entities.overlaps import ASKED_FOR, SEPARATORS
from withhold.detectors.entities.people import person
from withhold.policy import Detection
from withhold.spans import Span, union
from withhold.types import Block, Document, Finding

ALL = Detection(labels=("all",))
Claim = tuple[str, str] | tuple[str, str, str] | tuple[str, str, str, float]


def document(text: str) -> Document:
    return Document(text, text.encode("utf-8", "surrogatepass"), "txt", (Block(Span(0, len(text))),))


def claim(text: str, label: str, words: str, detector: str = "tagger", score: float = 0.9) -> Finding:
    start = text.index(words)
    return Finding(Span(start, start + len(words)), label, detector, score)


def settled(text: str, *claims: Claim, detection: Detection = ALL, allowed: Allowed | None = None) -> list[Finding]:
    return settle(document(text), [claim(text, *each) for each in claims], detection, allowed)


def words(text: str, findings: list[Finding], *, sure: bool = True) -> list[str]:
    return [each.span.of(text) for each in findings if (each.score >= 0.5) is sure]


def elsewhere(text: str, *claims: Claim) -> list[str]:
    """What is surely found besides what is claimed."""
    return words(text, [each for each in settled(text, *claims) if each.detector == "entities"])


# ── Overlaps ──


@pytest.mark.parametrize(
    ("text", "claims", "kept"),
    [
        ("4111 1111", [("CODE", "4111 1111"), ("CARD", "4111 1111", "patterns", 1.0)], [("CARD", "4111 1111")]),
        ("Bern", [("LOC", "Bern", "one", 0.7), ("PERSON", "Bern", "two", 0.8)], [("PERSON", "Bern")]),
        ("Bank of Bern", [("ORG", "Bank of Bern"), ("LOC", "Bern", "tagger", 0.99)], [("ORG", "Bank of Bern")]),
        ("ann@bern.ch", [("PERSON", "ann"), ("EMAIL", "ann@bern.ch", "patterns", 1.0)], [("EMAIL", "ann@bern.ch")]),
        (
            "Ann Lee (ann@bern.ch) ok",
            [("PERSON", "Ann Lee (ann@bern.ch)"), ("EMAIL", "ann@bern.ch", "patterns", 1.0)],
            [("PERSON", "Ann Lee"), ("EMAIL", "ann@bern.ch")],
        ),
        ("Jan Van Berg", [("PERSON", "Jan Van"), ("PERSON", "Van Berg")], [("PERSON", "Jan Van Berg")]),
        ("Jan Berg", [("PERSON", "Jan"), ("PERSON", "Berg")], [("PERSON", "Jan Berg")]),
        ("Jan-Berg", [("PERSON", "Jan"), ("PERSON", "Berg")], [("PERSON", "Jan-Berg")]),
        ("Jan, Berg", [("PERSON", "Jan"), ("PERSON", "Berg")], [("PERSON", "Jan"), ("PERSON", "Berg")]),
        (
            "Jan Berg Eva Holt",
            [("PERSON", "Jan Berg"), ("PERSON", "Eva Holt")],
            [("PERSON", "Jan Berg"), ("PERSON", "Eva Holt")],
        ),
        (
            "Acme Tower",
            [("CLIENT", "Acme", "lists", 1.0), ("LOC", "Acme Tower")],
            [("CLIENT", "Acme"), ("LOC", "Acme Tower")],
        ),
        ("Acme", [("CLIENT", "Acme", "lists", 1.0), ("ORG", "Acme", "tagger", 1.0)], [("CLIENT", "Acme")]),
        (
            "Oslo Bay",
            [("LOC", "Oslo", "tagger", 0.9), ("LOC", "Oslo Bay", "x", 0.4)],
            [("LOC", "Oslo"), ("LOC", "Oslo Bay")],
        ),
        ("Oslo Bay", [("LOC", "Oslo", "tagger", 0.3), ("LOC", "Oslo Bay", "x", 0.9)], [("LOC", "Oslo Bay")]),
        ("Eva Bank AG", [("PERSON", "Eva Bank"), ("ORG", "Bank AG")], [("PERSON", "Eva Bank"), ("ORG", "Bank AG")]),
    ],
)
def test_of_claims_about_the_same_characters(text: str, claims: list[Claim], kept: list[tuple[str, str]]) -> None:
    found = settled(text, *claims, detection=Detection(labels=("all",), consistent=False))
    assert [(each.label, each.span.of(text)) for each in found] == kept


def test_what_is_not_sure_enough_takes_nothing_from_what_is() -> None:
    strict = Detection(labels=("all",), consistent=False, thresholds={"EMAIL": 0.99})
    text = "Ann Lee ann@bern.ch"
    found = settled(text, ("PERSON", text), ("EMAIL", "ann@bern.ch", "patterns", 0.95), detection=strict)
    assert words(text, found) == [text]


def test_a_doubtful_address_takes_no_name_from_what_is_sure() -> None:
    strict = Detection(labels=("all",), thresholds={"EMAIL": 0.99})
    text = "Jane Kowalczyk wrote from kowalczyk@bern.ch"
    mail = ("EMAIL", "kowalczyk@bern.ch", "patterns", 0.95)
    found = settled(text, ("PERSON", "Jane Kowalczyk"), mail, detection=strict)
    sure = [each for each in found if each.score >= strict.threshold(each.label)]
    assert words(text, sure) == ["Jane Kowalczyk", "kowalczyk"]


def test_allowed_phrases_stay_unless_the_policy_asks_for_them() -> None:
    text = "Ann Lee of the Brackwater Office met Bo Brackwater in BRACKWATER-OFFICE; Office hours; Brackwater."
    claims: list[Claim] = [("ORG", "Brackwater Office"), ("PERSON", "Bo Brackwater"), ("PERSON", "Ann Lee")]
    found = settled(text, *claims, allowed=Allowed(["brackwater office", "Ann Lee"]))
    assert words(text, found) == ["Bo Brackwater", "Brackwater"]
    asked = settled(text, ("ORG", "Brackwater Office", "lists", 1.0), allowed=Allowed(["Brackwater Office"]))
    assert [each.detector for each in asked] == ["lists"]


# ── Every mention ──

PERSON_MENTIONS = [
    ("Zbigniew Kwiatkowski", "Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "Zbigniew"),
    ("Zbigniew Kwiatkowski", "Mr Kwiatkowski"),
    ("Mr Zbigniew Kwiatkowski", "Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "Dr. Z. Kwiatkowski"),
    ("Zbigniew Adam Kwiatkowski", "Zbigniew A. Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "ZK Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "Kwiatkowski, Zbigniew"),
    ("Zbigniew Kwiatkowski", "Kwiatkowski, Z."),
    ("Kwiatkowski, Zbigniew", "Zbigniew Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "ZBIGNIEW KWIATKOWSKI"),
    ("Zbigniew Kwiatkowski", "zbigniew kwiatkowski"),
    ("Zbigniew Kwiatkowski", "kwiatkowski"),
    ("Zbigniew Kwiatkowski", "Kwiat\u200bkowski"),
    ("Zbigniew Kwiatkowski", "Кwiatkоwski"),
    ("Zbigniew Kwiatkowski", "Kwiat-\nkowski"),
    ("Zbigniew Kwiatkowski", "Zbigniew\n> Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "Kwiatkovski"),
    ("Zbigniew Kwiatkowski", "Kwiatkwoski"),
    ("Zbigniew Kwiatkowski", "Kwlatkowski"),
    ("Zbigniew Kwiatkowski", "Kwiatkowskl"),
    ("Zbigniew Kwiatkowski", "Zbigneiw Kwiatkowski"),
    ("Zbigniew Kwiatkowski", "the Kwiatkowskis"),
    ("Zbigniew Kwiatkowski", "Z.K."),
    ("Zbigniew Kwiatkowski", "zkwiatkowski@example.com"),
    ("Zbigniew Kwiatkowski", "zbigniew.kwiatkowski@example.com"),
    ("Zbigniew Kwiatkowski", "kwiatkowski.z@example.com"),
    ("Zbigniew Kwiatkowski", "z_kwiatkowski42@example.com"),
    ("Zbigniew Kwiatkowski", "xkwiatkowskix@example.com"),
    ("Zbigniew Kwiatkowski", "@zbigniewkwiatkowski"),
    ("Zbigniew Kwiatkowski", "#ZbigniewKwiatkowski"),
    ("José Núñez", "Jose Nunez"),
    ("Tom Harmon", "Harrnon"),
    ("Ewa Mill0ws", "Millows"),
    ("Anne-Marie Lefèvre-Dubois", "Lefevre"),
    ("Anne-Marie Lefèvre-Dubois", "Dubois"),
    ("Anne-Marie Lefèvre-Dubois", "Anne Marie"),
    ("Anne-Marie Lefèvre-Dubois", "A.-M. Lefèvre-Dubois"),
    ("Jan van der Berg", "van der Berg"),
    ("Jan van der Berg", "vanderberg"),
    ("Jan van der Berg", "jan.vanderberg@example.com"),
    ("Sinéad O'Brien", "O’Brien"),
    ("Sinéad O'Brien", "s.obrien@example.com"),
    ("William Gates", "Bill Gates"),
    ("William Gates", "Gates, Bill"),
    ("George Bush", "Mr Bush"),
    ("George Bush", "G. Bush"),
    ("Theresa May", "Mrs May"),
    ("Rajesh", "RAJESH"),
    ("Rajesh", "rajesh@example.com"),
]


@pytest.mark.parametrize(("name", "mention"), PERSON_MENTIONS)
def test_every_mention_of_a_person(name: str, mention: str) -> None:
    text = f"We met {name} there. They say that {mention} has left."
    start = text.index("say that ") + 9
    found = settled(text, ("PERSON", name))
    local = mention.removeprefix("the ").split("@example")[0]
    at = Span(start + mention.index(local), start + mention.index(local) + len(local))
    covered = union(each.span for each in found if each.score >= 0.5)
    assert any(at in span for span in covered)
    assert {each.entity for each in found if each.span.overlaps(at)} == {1}
    assert text.count(mention) > 0
    assert covered[-1].end <= start + len(mention)


@pytest.mark.parametrize(
    ("label", "name", "mention"),
    [
        ("ORG", "Kurdistan Workers' Party (PKK)", "PKK"),
        ("ORG", "Kurdistan Workers' Party (PKK)", "P.K.K."),
        ("ORG", "Acme Holdings plc", "Acme"),
        ("ORG", "Acme Holdings plc", "ACME"),
        ("ORG", "Acme Holdings plc", "Acme Ltd"),
        ("ORG", "Northwind Freight Holdings", "NFH"),
        ("ORG", "Northwind Freight Holdings", "Northwind"),
        ("ORG", "Northwind Freight Holdings", "northwind.example.com"),
        ("ORG", "Procter & Gamble Co", "Procter and Gamble"),
        ("LOC", "Kraków", "KRAKOW"),
        ("LOC", "Nowa Huta", "Nowa\nHuta"),
        ("MISC", "Operation Larkspur", "Operation  Larkspur"),
        ("CASE", "AB-1234/56", "ab 1234 56"),
        ("PHONE", "+44 20 7946 0958", "+442079460958"),
        ("DATE", "12 March 1999", "12 march\n1999"),
    ],
)
def test_every_mention_of_other_things(label: str, name: str, mention: str) -> None:
    text = f"We met {name} there. They say that {mention} has left."
    short = name.split(" (")[0]
    assert mention in elsewhere(text, (label, short))
    assert {each.entity for each in settled(text, (label, short))} == {1}


@pytest.mark.parametrize(
    ("label", "name", "said"),
    [
        ("PERSON", "Theresa May", "She may go in May 2017 or on 5 May"),
        ("PERSON", "Will Bush", "he will sit under a bush"),
        ("PERSON", "William Gates", "the bill and the gates"),
        ("PERSON", "Tom Harmon", "Harmony and Harm"),
        ("PERSON", "Zbigniew Kwiatkowski", "ZK and a zone"),
        ("PERSON", "Ann Carter", "the carters and a cart"),
        ("PERSON", "Suleiman the Magnificent", "The Turk"),
        ("PERSON", "Mr Eric Holm (“the applicant”)", "the applicant"),
        ("ORG", "Criminal Court of Appeal", "a criminal; the court; Criminal law"),
        ("ORG", "Ministry of Health (the Ministry)", "his ministry of health foods"),
        ("LOC", "Reading", "he was reading"),
        ("DEM", "Turkish", "a Turkish bath"),
        ("QUANTITY", "five", "five of them"),
        ("DATE", "12 March 1999", "March 1998 and 1999"),
        ("CODE", "AB-1234/56", "AB-1234/57"),
    ],
)
def test_what_only_looks_like_a_mention(label: str, name: str, said: str) -> None:
    text = f"We met {name} there. They say that {said} is gone."
    assert elsewhere(text, (label, name.split(" (")[0])) == []


def test_an_ordinary_word_is_told_and_left() -> None:
    text = "Theresa May spoke. May I go? The Court sat."
    found = settled(text, ("PERSON", "Theresa May"))
    assert words(text, found, sure=False) == ["May"]
    text = "We saw Court there. The Court sat in court."
    assert words(text, settled(text, ("PERSON", "Court")), sure=False) == ["Court"]
    text = "The Hamburg Social Court sat. The Social Court ruled."
    assert words(text, settled(text, ("ORG", "Hamburg Social Court")), sure=False) == ["Social Court"]


def test_a_word_that_is_mostly_passed_over_is_no_name() -> None:
    text = "The Tribunal sat. Then the Tribunal rose, and the Tribunal left."
    assert words(text, settled(text, ("ORG", "Tribunal"))) == ["Tribunal"]
    twice = [claim(text, "ORG", "Tribunal"), Finding(Span(27, 35), "ORG", "tagger", 0.9)]
    assert words(text, settle(document(text), twice, ALL)) == ["Tribunal"] * 3
    text = "The Supreme Council sat. Then the Supreme Council rose, and the Supreme Council left."
    assert len(words(text, settled(text, ("ORG", "Supreme Council", "tagger", 0.9)))) == 3
    assert len(words(text, settled(text, ("ORG", "Supreme Council", "tagger", 0.55)))) == 1
    assert len(words(text, settled(text, ("ORG", "Supreme Council", "lists", 0.55)))) == 3


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        ("Jean Varnholt\nSubject", "The Subject is Jean"),
        ("Jean\nOriginal", "The Original is Jean"),
        ("jean@varnholt.example", "The varnholt and com are Jean"),
        ("O:\\jean\\varnholt", "The Varnholt is gone"),
        ("Jean 713-252", "The 713 is Jean"),
    ],
)
def test_what_is_no_name_in_a_finding_does_not_spread(claimed: str, said: str) -> None:
    text = f"From: {claimed} .\n{said}."
    assert elsewhere(text, ("PERSON", claimed)) == (["Jean"] if "Jean" in said else [])


def test_only_what_is_sure_and_wanted_spreads() -> None:
    text = "Zbigniew Kwiatkowski spoke. Kwiatkowski left."
    assert len(settled(text, ("PERSON", "Zbigniew Kwiatkowski"))) == 2
    assert len(settled(text, ("PERSON", "Zbigniew Kwiatkowski", "tagger", 0.4))) == 1
    name: Claim = ("PERSON", "Zbigniew Kwiatkowski")
    assert len(settled(text, name, detection=Detection(labels=("ORG",)))) == 1
    assert len(settled(text, name, detection=Detection(labels=("PERSON",), consistent=False))) == 1
    strict = Detection(labels=("PERSON",), thresholds={"PERSON": 0.89})
    assert [each.score >= 0.89 for each in settled(text, name, detection=strict)] == [True, True]
    assert [each.score <= 0.9 for each in settled(text, name)] == [True, True]


def test_a_name_spreads_with_its_replacement_and_says_why_without_a_word_of_the_text() -> None:
    text = "Zbigniew Kwiatkowski spoke. Kwiatkowski left."
    finding = Finding(Span(0, 20), "PERSON", "lists", entity=7, replacement="the client", identifier="direct")
    one, other = settle(document(text), [finding], ALL)
    assert (one.entity, other.entity, other.replacement, other.identifier) == (1, 1, "the client", "direct")
    assert other.reason == "surname of what was found elsewhere"
    assert "kwiatkowski" not in repr([one, other]).lower()


# ── Entities ──


def numbers(text: str, *names: str) -> list[tuple[str, int | None]]:
    found = settled(text, *(("PERSON", name) for name in names))
    return [(each.span.of(text), each.entity) for each in found if each.score >= 0.5]


def test_of_two_with_one_surname_the_one_who_fits_and_was_named_last() -> None:
    text = (
        "John Smith came. We saw Smith. Jane Smith came. We saw Smith. So did Mr Smith. So did Ms Smith. "
        "We saw John, and Smith. So did Jane. So did J. Smith."
    )
    assert [number for _, number in numbers(text, "John Smith", "Jane Smith")] == [1, 1, 2, 2, 1, 2, 1, 1, 2, 2]


def test_others_who_share_a_name_are_others() -> None:
    text = "John Smith came. We saw Peter Smith, P. Smith and Mrs Smith. John Kowalczyk too."
    assert numbers(text, "John Smith") == [
        ("John Smith", 1),
        ("Peter Smith", 2),
        ("P. Smith", 3),
        ("Mrs Smith", 4),
        ("John Kowalczyk", 5),
    ]


def test_addresses_made_from_a_name_are_of_its_entity() -> None:
    text = "Ann Lee <alee@bern.ch>, sales@bern.ch, Eva Holt <e@holt.ch>"
    claims: list[Claim] = [("PERSON", "Ann Lee"), ("PERSON", "Eva Holt")]
    emails = ("alee@bern.ch", "sales@bern.ch", "e@holt.ch")
    found = settled(text, *claims, *(("EMAIL", each, "patterns", 1.0) for each in emails))
    assert [(each.label, each.entity) for each in found] == [
        ("PERSON", 1),
        ("EMAIL", 1),
        ("EMAIL", 2),
        ("PERSON", 3),
        ("EMAIL", 4),
    ]


def test_findings_of_a_list_keep_together_and_apart_from_those_of_other_detectors() -> None:
    text = "Acme and Brack, ACME; Brack"
    spans = [Span(0, 4), Span(9, 14), Span(16, 20), Span(22, 27)]
    listed = [Finding(span, "CLIENT", "lists", entity=number) for span, number in zip(spans, (9, 2, 9, 2), strict=True)]
    secret = Finding(Span(0, 4), "SECRET", "mentions", entity=2)
    found = settle(document(text), [*listed, secret], Detection())
    assert [(each.label, each.entity) for each in found] == [
        ("CLIENT", 1),
        ("SECRET", 2),
        ("CLIENT", 3),
        ("CLIENT", 1),
        ("CLIENT", 3),
    ]


def test_an_abbreviation_and_its_name_are_one() -> None:
    text = "The Kurdistan Workers' Party (PKK) met. The PKK left. The ZKP stayed."
    found = settled(text, ("ORG", "Kurdistan Workers' Party"), ("ORG", "PKK"), ("ORG", "ZKP"))
    assert [(each.span.of(text), each.entity) for each in found] == [
        ("Kurdistan Workers' Party", 1),
        ("PKK", 1),
        ("PKK", 1),
        ("ZKP", 2),
    ]


@pytest.mark.parametrize(
    ("written", "given_names", "surname"),
    [
        ("Ada", [], "ada"),
        ("Mr Ada", [], "ada"),
        ("Ada Byron's", ["ada"], "byron"),
        ("BYRON, Ada", ["ada"], "byron"),
        ("Prof. Dr. A. B. Byron Jr.", ["a", "b"], "byron"),
        ("AB Byron", ["a", "b"], "byron"),
        ("Ada de la Byron", ["ada"], "de la byron"),
        ("Ada-Bea Byron-Holt", ["ada bea"], "byron holt"),
        ("Ada Byron, PhD", ["ada"], "byron"),
        ("Ada Byron XII", ["ada"], "byron"),
    ],
)
def test_parts_of_names(written: str, given_names: list[str], surname: str) -> None:
    name = person(written)
    assert name is not None
    assert [" ".join(part) for part in name.given] == given_names
    assert " ".join(word for part in name.surname for word in part) == surname


def test_there_are_names_without_words() -> None:
    assert person("?!") is None
    assert words("?!", settled("?!", ("PERSON", "?!"))) == ["?!"]


# ── Slips ──

letters = st.text("abcd", min_size=1, max_size=7)


@given(letters, letters)
def test_slips_are_counted_as_by_definition(left: str, right: str) -> None:
    def slow(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        steps = [slow(a[1:], b) + 1, slow(a, b[1:]) + 1, slow(a[1:], b[1:]) + (a[0] != b[0])]
        if len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1]:
            steps.append(slow(a[2:], b[2:]) + 1)
        return min(steps)

    assert distance(left[:4], right[:4], 9) == slow(left[:4], right[:4])
    assert distance(left, right, 2) == min(distance(left, right, 99), 3)


@given(st.text("bcdgklmnprtvxz", min_size=9, max_size=12), st.data())
def test_no_slip_is_overlooked(word: str, data: st.DataObject) -> None:
    spelling = Spelling([word, "kwiatkowska"])
    slipped = word
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(slipped) - 2))
        letter = data.draw(st.sampled_from("bcdg"))
        slips = [slipped[:at] + letter + slipped[at:], slipped[:at] + slipped[at + 1 :]]
        slips += [slipped[:at] + letter + slipped[at + 1 :]]
        slipped = data.draw(st.sampled_from(slips))
    assert slipped == word or spelling.meant(slipped) == word


# ── Properties ──

WORDS = """
    Ada Byron Holt Mr Mrs ada@byron.ch J. A.B. May may Acme Ltd (AB) 12 AB-12345 , . - 's the Smith Smtih é
"""
pieces = st.sampled_from([*WORDS.split(), "\n"])
texts = st.lists(pieces, min_size=1, max_size=25).map(" ".join)
labels = st.sampled_from(["PERSON", "ORG", "LOC", "EMAIL", "CODE", "DATE", "MISC", "DEM", "CLIENT"])
detectors = st.sampled_from(["tagger", "patterns", "lists", "mentions", "plugin"])


@st.composite
def claims_of(draw: st.DrawFn) -> tuple[str, list[Finding]]:
    text = draw(texts)
    findings = []
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text) - 1))
        span = Span(start, draw(st.integers(start + 1, min(len(text), start + 20))))
        entity = draw(st.one_of(st.none(), st.integers(1, 3)))
        score = draw(st.sampled_from([0.2, 0.5, 0.9, 0.95, 1.0]))
        findings.append(Finding(span, draw(labels), draw(detectors), score, entity))
    return text, findings


@given(claims_of(), st.booleans(), st.sampled_from([(), ("Ada Byron", "Acme")]))
def test_settling(claimed: tuple[str, list[Finding]], consistent: bool, phrases: tuple[str, ...]) -> None:
    text, findings = claimed
    detection = Detection(labels=("all",), consistent=consistent, thresholds={"EMAIL": 0.95})
    allowed = Allowed(phrases)
    found = settle(document(text), findings, detection, allowed)
    assert all(left.span <= right.span for left, right in pairwise(found))
    firsts = dict.fromkeys(each.entity for each in found)
    assert list(firsts) == list(range(1, len(firsts) + 1))

    def covered(several: list[Finding]) -> set[int]:
        sure = [each for each in several if each.score >= detection.threshold(each.label)]
        return {at for each in sure for at in range(each.span.start, each.span.end) if text[at] not in SEPARATORS}

    kept = [each for each in findings if each.detector in ASKED_FOR or each in allowed.less([each], document(text))]
    assert covered(kept) <= covered(found)
    if consistent is False:
        assert covered(found) <= covered(kept) | {at for at in range(len(text)) if text[at] in "-\u200b"}
    assert settle(document(text), found, detection, allowed) == found


NAMES = st.lists(
    st.sampled_from(["Varnholt", "Quillmar", "Brockdal", "Ostrova", "Pellinor", "Tamrick"]),
    min_size=3,
    max_size=3,
    unique=True,
)
GIVEN = st.lists(st.sampled_from(["Wilka", "Hedda", "Bertil", "Oskari"]), min_size=3, max_size=3, unique=True)


@given(NAMES, GIVEN, st.permutations(range(8)))
def test_numbers_tell_only_the_order(surnames: list[str], given_names: list[str], order: list[int]) -> None:
    """The same text about other people has the same numbers."""
    lines = [
        "{0} {a} came.",
        "Mr {a} left.",
        "We saw {1} {b}.",
        "So did {b}.",
        "{2} {c} sat.",
        "We saw {2}.",
        "{A}!",
        "{c}'s.",
    ]

    def structure(people: list[str], called: list[str]) -> list[tuple[str, int | None, float]]:
        a, b, c = people
        text = " ".join(lines[n] for n in order).format(*called, a=a, b=b, c=c, A=a.upper())
        found = settled(text, *(("PERSON", f"{x} {y}") for x, y in zip(called, people, strict=True)))
        return [(each.detector, each.entity, each.score) for each in found]

    assert structure(surnames, given_names) == structure(
        ["Sundvik", "Marlowitz", "Trevanja"], ["Jorun", "Stellan", "Ingvar"]
    )


def test_thousands_of_entities() -> None:
    hexadecimal = str.maketrans("0123456789", "ghijklmnop")
    people = [f"Xa{number:x}vo Qu{number:x}rst".translate(hexadecimal) for number in range(1000)]
    lines = [f"We saw {name} and then {name.split()[1]} again." for name in people]
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    spans = [Span(start + 7, start + 7 + len(name)) for start, name in zip(starts, people, strict=False)]
    found = settle(document("\n".join(lines)), [Finding(span, "PERSON", "tagger", 0.9) for span in spans], ALL)
    assert [each.entity for each in found] == [number for number in range(1, 1001) for _ in "12"]


@pytest.mark.slow
def test_many_names_alike_are_looked_for_in_no_more_time_for_each() -> None:
    """Names that share a piece, and names in a row: neither is compared with all others."""
    letters = str.maketrans("0123456789", "bdfgklmnpr")
    names = [f"Zorkin{number:06}".translate(letters) for number in range(1500)]
    lines = [f"{name} saw Zorkin{number + 7000:06}.".translate(letters) for number, name in enumerate(names)]
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    claims = [Finding(Span(start, start + 12), "PERSON", "tagger", 0.9) for start in starts[:-1]]
    row = [
        Finding(Span(starts[-1] + 5 * number, starts[-1] + 5 * number + 4), "ORG", "tagger") for number in range(9999)
    ]
    began = time.process_time()
    found = settle(document("\n".join(lines) + "\n" + "Anna " * 9999), [*claims, *row], ALL)
    assert time.process_time() - began < 10
    assert len([each for each in found if each.label == "ORG"]) == 1
