"""Taxonomies of phrases: dates, numbers, kinds, works, noun phrases and names, by tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold import Policy
from withhold.errors import MalformedData
from withhold.learners.features import words
from withhold.policy import Planning
from withhold.taxonomies.dates import Dates
from withhold.taxonomies.english import article, is_counted, is_plural
from withhold.taxonomies.kinds import Kinds
from withhold.taxonomies.names import Names
from withhold.taxonomies.numbers import Numbers
from withhold.taxonomies.phrases import Phrases
from withhold.taxonomies.tables import as_key
from withhold.taxonomies.works import Works

DATES, NUMBERS, KINDS, WORKS, PHRASES, NAMES = Dates(), Numbers(), Kinds(), Works(), Phrases(), Names()


@pytest.mark.parametrize(
    ("date", "offered"),
    [
        ("September 25, 1943", ("September 1943", "1943", "the early 1940s", "the 1940s")),
        ("25 May 1939", ("May 1939", "1939", "the late 1930s", "the 1930s")),
        ("august 23 1976", ("August 1976", "1976", "the mid-1970s", "the 1970s")),
        ("1999-12-01", ("December 1999", "1999", "the late 1990s", "the 1990s")),
        ("12/05/1999", ("1999", "the late 1990s", "the 1990s")),
        ("December of 1957", ("1957", "the late 1950s", "the 1950s")),
        ("summer of 1969", ("1969", "the late 1960s", "the 1960s")),
        ("November 17", ("November",)),
        ("1943", ("the early 1940s", "the 1940s")),
        ("1990s", ("the late 20th century", "the 20th century")),
        ("early 2000s", ("the 2000s", "the early 21st century", "the 21st century")),
        ("1985–89", ("the 1980s",)),
        ("2003–2011", ("the 2000s and 2010s", "the 21st century")),
        ("1982–2019", ("the 1980s to 2010s",)),
        ("2003–present", ("the 2000s onwards",)),
        ("2011–2003", ()),
        ("1999-13-40", ()),
        ("May", ()),
        ("3000", ()),
        ("", ()),
    ],
)
def test_dates_become_coarser(date: str, offered: tuple[str, ...]) -> None:
    assert DATES.generalise(date) == offered


@pytest.mark.parametrize(
    ("number", "first"),
    [
        ("37", "between 30 and 40"),
        ("$12,500", "over $10,000"),
        ("$3.7 billion", "over $3 billion"),
        ("US$474 million", "over US$400 million"),
        ("$80 million", "over $70 million"),
        ("5 million pounds", "over 4 million pounds"),
        ("12.5%", "over 10%"),
        ("age 37", "an age between 30 and 40"),
        ("age of four", "a very young age"),
        ("three children", "several children"),
        ("two albums", "multiple albums"),
        ("70 films", "over 60 films"),
        ("married three times", "married several times"),
        ("twice", "more than once"),
        ("seven", "several"),
        ("300,000", "between 300,000 and 400,000"),
    ],
)
def test_numbers_become_vaguer(number: str, first: str) -> None:
    assert NUMBERS.generalise(number)[0] == first


@pytest.mark.parametrize(
    "number", ["1943", "one", "zero", "0", "ten-pin bowling", "Seven Samurai", "one film", "", "$0"]
)
def test_years_and_single_things_are_no_numbers_to_round(number: str) -> None:
    assert NUMBERS.generalise(number) == ()


@given(st.integers(20, 10**12))
def test_what_a_number_is_said_to_be_over_is_less(number: int) -> None:
    for offered in NUMBERS.generalise(f"${number:,}"):
        if offered.startswith("over $"):
            assert int(offered.removeprefix("over $").replace(",", "")) < number


@pytest.mark.parametrize(
    ("phrase", "first"),
    [
        ("firefighter", "emergency worker"),
        ("Detective", "police officer"),
        ("comedians", "performers"),
        ("wives", "spouses"),
        ("CBS", "television network"),
        ("The BBC", "television network"),
        ("Golden Globe Award", "film award"),
        ("Golden Globe Award for Best Actor", "film award"),
        ("two Golden Globe Awards", "multiple film awards"),
        ("six Laurence Olivier Awards", "several theatre awards"),
        ("Giffoni Experience Award", "award"),
        ("third Academy Award nomination", "award nomination"),
        ("Ripon College", "college"),
        ("University of Miami", "university"),
        ("Royal Academy of Dramatic Art", "academy"),
        ("2012 Cannes Film Festival", "festival"),
        ("Perceval Press", "publisher"),
        ("Seven Bucks Productions", "production company"),
        ("Calgary Stampeders", "sports team"),
        ("Commander of the Order of the British Empire (CBE)", "honour"),
        ("psychological thriller", "thriller"),
    ],
)
def test_things_and_names_have_kinds(phrase: str, first: str) -> None:
    assert KINDS.generalise(phrase)[0] == first


@pytest.mark.parametrize("phrase", ["", "xyzzy", "Black Widow", "Big Fish", "Civil War: The Movie", "every major"])
def test_a_name_that_does_not_say_what_it_is_has_no_kind(phrase: str) -> None:
    assert not {"widow", "fish", "war", "college"} & set(KINDS.generalise(phrase))


@pytest.mark.parametrize(
    ("title", "context", "first"),
    [
        ("Pulp Fiction (1994)", "known for the films Pulp Fiction 1994", "film from the mid-1990s"),
        ("Magnolia", "acted in the films Alpha and Magnolia", "film"),
        ("Fargo", "the television series Fargo", "television series"),
        ("Moonlighting (1985–89)", "she starred in Moonlighting 1985 89", "television series from the mid-1980s"),
        ("Blue Notes", "her debut album Blue Notes", "album"),
        ("Hamlet", "on stage in Hamlet", "stage work"),
        ("Looper (all 2012)", "and Looper all 2012", "production from the early 2010s"),
    ],
)
def test_titles_name_works_of_the_sort_that_the_text_speaks_of(title: str, context: str, first: str) -> None:
    assert WORKS.generalise(title, tuple(words(context)))[0] == first


@pytest.mark.parametrize("title", ["", "thriller", "Magnolia", "went to Paris"])
def test_without_year_or_cue_there_is_no_title(title: str) -> None:
    assert WORKS.generalise(title, ("nothing", *words(title))) == ()


@pytest.mark.parametrize(
    ("phrase", "offered"),
    [
        ("struggling ballet dancer", {"ballet dancer", "dancer", "performer"}),
        ("German mother", {"European mother", "mother", "parent"}),
        ("woman with psychokinetic abilities", {"woman"}),
        ("world's highest-paid actress", {"leading actress", "a successful actress"}),
        ("crime thriller Seven (1995)", {"1990s crime thriller", "thriller"}),
        ("Danish-American", {"European-American"}),
        ("two short films", {"films"}),
    ],
)
def test_phrases_say_less(phrase: str, offered: set[str]) -> None:
    assert offered <= set(PHRASES.generalise(phrase))


@pytest.mark.parametrize(("phrase", "wrong"), [("box office", "office"), ("middle age", "age")])
def test_half_a_compound_is_not_offered(phrase: str, wrong: str) -> None:
    assert wrong not in PHRASES.generalise(phrase)


def test_other_names_are_consistent_and_not_in_the_text() -> None:
    context = tuple(words("Jane Roe met John Smith. She and Roe left; her friend Smith stayed."))
    full, short = NAMES.generalise("Jane Roe", context)[0], NAMES.generalise("Roe", context)[0]
    assert full.split()[-1] == short
    assert not set(words(full)) & set(context)
    assert NAMES.generalise("Jane Roe", context) == NAMES.generalise("Jane Roe", context)
    other = Names.from_policy(Policy(planning=Planning(seed=1)))
    assert other.generalise("Jane Roe", context) != NAMES.generalise("Jane Roe", context)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("Captain Jack Sparrow", r"Captain [A-Z]\w+ [A-Z]\w+"),
        ("J. M. Barrie", r"J\. M\. [A-Z]\w+"),
        ("Robert John Downey Jr.", r"[A-Z]\w+ [A-Z]\w+ [A-Z]\w+"),
        ("Gordon-Levitt", r"[A-Z]\w+"),
    ],
)
def test_other_names_have_the_same_form(name: str, pattern: str) -> None:
    import re

    assert all(re.fullmatch(pattern, each) for each in NAMES.generalise(name))


@pytest.mark.parametrize("name", ["", "the house", "A B C D E F", "Area 51", "iPod"])
def test_what_is_no_name_gets_none(name: str) -> None:
    assert NAMES.generalise(name) == ()


@settings(max_examples=60)
@given(st.text(max_size=40), st.lists(st.text(max_size=8), max_size=8))
def test_any_text_is_taken_and_never_offered_back(text: str, context: list[str]) -> None:
    for taxonomy in (DATES, NUMBERS, KINDS, WORKS, PHRASES, NAMES):
        offered = taxonomy.generalise(text, tuple(context))
        assert text not in offered
        assert all(each.strip() and as_key(each) for each in offered)
        assert taxonomy.generalise(text, tuple(context)) == offered


@pytest.mark.parametrize(
    ("phrase", "right"),
    [
        ("film", "a"), ("award", "an"), ("European", "a"), ("university", "a"), ("hour", "an"), ("HBO series", "an"),
        ("NBC show", "an"), ("CBS show", "a"), ("1980s film", "a"), ("8th", "an"), ("18-year-old", "an"),
        ("unhappy man", "an"), ("one-time actor", "a"), ("X-ray", "an"), ("U.S. film", "a"),
    ],
)  # fmt: skip
def test_articles_as_they_sound(phrase: str, right: str) -> None:
    assert article(phrase) == right


@pytest.mark.parametrize(("phrase", "many"), [("films", True), ("series", False), ("people", True), ("class", False)])
def test_number_by_the_look(phrase: str, many: bool) -> None:
    assert is_plural(phrase) == many
    assert is_counted("film")
    assert not is_counted("music")


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "kinds.txt").write_text("no section = here\n")
    with pytest.raises(MalformedData):
        Kinds(tmp_path / "kinds.txt").generalise("firefighter")
    with pytest.raises(MalformedData):
        Kinds(tmp_path / "none.txt").generalise("firefighter")
    (tmp_path / "names.txt").write_text("[he]\nJohn\n")
    with pytest.raises(MalformedData):
        Names(table=tmp_path / "names.txt").generalise("Jane Roe")
