"""Every way of naming a person is found, and what is not their name stays."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from withhold import Policy, Redactor, Secret, read
from withhold.batch.names import Names
from withhold.detectors.mentions import MentionDetector
from withhold.detectors.naming import _Known, named_in_path


def sure(text: str, person: str, *aliases: str) -> list[str]:
    document = read(text.encode("utf-8"), name="a.txt")
    found = MentionDetector([Secret(person=person, aliases=aliases)]).detect(document)
    return [finding.span.of(text) for finding in found if finding.score >= 0.5]


@pytest.mark.parametrize(
    ("text", "person", "found"),
    [
        ("Ann Marlowe sang.", "Ann Marlowe", ["Ann Marlowe"]),
        ("Later Marlowe left.", "Ann Marlowe", ["Marlowe"]),
        ("Later Ann left.", "Ann Marlowe", ["Ann"]),
        ("MARLOWE and marlowe", "Ann Marlowe", ["MARLOWE", "marlowe"]),
        ("Marlowe's song", "Ann Marlowe", ["Marlowe"]),
        ("Ann Dorothea Marlowe sang. Dorothea left.", "Ann Marlowe", ["Ann Dorothea Marlowe", "Dorothea"]),
        ('Ann "Nan" Marlowe sang. Nan left.', "Ann Marlowe", ['Ann "Nan" Marlowe', "Nan"]),
        ("Ann Marlowe (born Anna Kessler) sang. Kessler", "Ann Marlowe", ["Ann Marlowe", "Anna Kessler", "Kessler"]),
        ("Ann Marlowe, née Kessler, sang.", "Ann Marlowe", ["Ann Marlowe", "Kessler"]),
        ("James Ott was better known as Sparks. Sparks", "James Ott", ["James Ott", "Sparks", "Sparks"]),
        ("Jim Ott met James.", "James Ott", ["Jim Ott", "James"]),
        ("The Ann Marlowe Show", "Ann Marlowe", ["Ann Marlowe"]),
        ("A. M. sang with A.M. and AM.", "Ann Marlowe", ["A. M.", "A.M."]),
        ("J. R. R. Ott sang; JRRO too.", "John Ronald Reuel Ott", ["J. R. R. Ott", "JRRO"]),
        ("Robert Ott Jr. sang.", "Robert Ott", ["Robert Ott Jr."]),
        ("Zoë Saldaña and Zoe Saldana", "Zoe Saldana", ["Zoë Saldaña", "Zoe Saldana"]),
        ("Mary Gordon-Levy and Levy", "Mary Gordon-Levy", ["Mary Gordon-Levy", "Levy"]),
        ("Ludwig van der Berg and Berg", "Ludwig van der Berg", ["Ludwig van der Berg", "Berg"]),
        ("write to @annmarlowe or annmarlowe.example", "Ann Marlowe", ["annmarlowe", "annmarlowe"]),
        ("Marlowes and Marlowesque", "Ann Marlowe", ["Marlowes", "Marlowesque"]),
        ("Sean Bean ate a bean.", "Sean Bean", ["Sean Bean"]),
        ("Ann Marlowe ([ˈmɑːləʊ]; born 3 May 1950)", "Ann Marlowe", ["Ann Marlowe", "[ˈmɑːləʊ]", "3 May"]),
        ("Chris Evans (actor) sang.", "Chris Evans (actor)", ["Chris Evans"]),
        ("An annual march in May.", "Ann Marlowe", []),
        ("signed: will young", "Will Young", ["will young"]),
        (
            "will.young@example.org, WILL_YOUNG and will-young",
            "Will Young",
            ["will.young", "WILL_YOUNG", "will-young"],
        ),
        ("He will. Young people will, young or not.", "Will Young", ["Young"]),
        ("May Day sang in May, and may day by day.", "May Day", ["May Day", "may day"]),
        ("by j. r. r. ott", "J. R. R. Ott", ["j. r. r. ott"]),
        ("Ann O'Neill met O’Neill.", "Ann O'Neill", ["Ann O'Neill", "O’Neill"]),
        ("演员王小明生于北京。王小明，1970年。", "王小明", ["王小明", "王小明"]),
        ("俳優トム・クルーズはアメリカ人。", "トム・クルーズ", ["トム", "クルーズ"]),
    ],
)
def test_a_person_is_found(text: str, person: str, found: list[str]) -> None:
    assert sure(text, person) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Born July 4, 1950. The meeting is on July 5. (born 3 May 1960)", []),
        ("Bo Ott ([ˈbɔːɔt]; born 3 May 1960) sang.", []),
        ("Ann Marlowe sang. Bo Ott (born 3 May 1960) played.", ["Ann Marlowe"]),
        ("Ann Marlowe sang.\nBo Ott (born 3 May 1960) played.", ["Ann Marlowe"]),
        ("Ann Marlowe sang.\n\nHe was born on 3 May 1960.", ["Ann Marlowe"]),
        ("Marlowe came from a house in\nWend and was born on 3 May 1960", ["Marlowe", "3 May"]),
        ("Ann Marlowe sang. She was born on 3 May 1960.", ["Ann Marlowe", "3 May"]),
        ("Dr. Ann Marlowe Jr. (of the U.S. Navy; born May 3, 1960) sang.", ["Ann Marlowe Jr.", "May 3"]),
        ("Marlowe, who was born on 3 May 1960 in Wend", ["Marlowe", "3 May"]),
    ],
)
def test_the_birthday_of_someone_else_stays(text: str, found: list[str]) -> None:
    assert sure(text, "Ann Marlowe") == found


@pytest.mark.parametrize(
    ("text", "person", "found"),
    [
        ("baker@example.org, abaker@example.org or @abaker", "Alice Baker", ["baker", "abaker", "abaker"]),
        ("alice.baker@example.org or a.baker@example.org", "Alice Baker", ["alice.baker", "baker"]),
        ("The baker sold bread by the bakery; hford and ford", "Alice Baker", []),
        (
            "#ford @hford @fordharrison @harrison1942",
            "Harrison Ford",
            ["ford", "hford", "fordharrison", "harrison1942"],
        ),
        ("ford.jpg", "Harrison Ford", ["ford"]),
        ("img/hford2.png", "Harrison Ford", ["hford2"]),
        ("/people/ford/", "Harrison Ford", ["ford"]),
        ("https://en.wikipedia.org/wiki/harrison_ford", "Harrison Ford", ["harrison_ford"]),
        ("https://example.org/?q=cruise", "Tom Cruise", ["cruise"]),
        ("see cruise.example.com and tcruise_fan", "Tom Cruise", ["cruise", "tcruise"]),
        ("a cruise to the ford, and/or a baker/cruise; 1/2/3", "Tom Cruise", []),
        ("jott@example.org, ottj7@example.org, otter@example.org", "Jo Ott", ["jott", "ottj7"]),
        ("They afford it. #affordable @afford", "Harrison Ford", []),
    ],
)
def test_in_addresses_a_name_goes_whatever_word_it_is(text: str, person: str, found: list[str]) -> None:
    assert sure(text, person) == found


@pytest.mark.parametrize(
    ("path", "person", "found"),
    [
        ("ford", "Harrison Ford", ["ford"]),
        ("rolls/HFord_2019", "Harrison Ford", ["HFord"]),
        ("TomCruise-tcruise", "Tom Cruise", ["TomCruise", "tcruise"]),
        ("afford-banks", "Alice Bank", []),
    ],
)
def test_in_the_names_of_files_too(path: str, person: str, found: list[str]) -> None:
    assert [span.of(path) for span in named_in_path(path, [person])] == found
    assert all(part not in str(Names(Policy(secret=(Secret(person=person),))).clean(PurePath(path))) for part in found)


def test_a_name_that_a_text_repeats_is_learnt_once() -> None:
    """Every name is compared with every word: a long text took minutes when each mention was another name."""
    known = _Known()
    for _ in range(3):
        known.add(["ann", "marlowe"])
    assert known.phrases == [("ann", "marlowe")]


def test_aliases_are_names_too() -> None:
    assert sure("Ann met the Duchess of Wend.", "Nobody Else", "Ann Marlowe", "Duchess of Wend") == [
        "Ann",
        "Duchess of Wend",
    ]


def test_related_words_of_a_secret_are_found() -> None:
    text = "She has anxiety and depression."
    document = read(text.encode(), name="a.txt")
    secret = Secret("illness", "information", value="anxiety", related=("depression",))
    assert [each.span.of(text) for each in MentionDetector([secret]).detect(document)] == ["anxiety", "depression"]


def test_nothing_of_a_person_is_shown() -> None:
    secret = Secret(person="Ann Marlowe")
    assert "Marlowe" not in repr([secret, MentionDetector([secret]), Redactor(Policy(secret=(secret,)))])
