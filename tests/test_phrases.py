"""The terms of a text: words, names, dates, phrases, and what belongs together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold.learners.features import words
from withhold.learners.phrases import linked, phrases, sentences, spellings
from withhold.learners.stopwords import STOPWORDS
from withhold.spans import Span
from withhold.types import Term

BIOGRAPHY = (
    "She was born in Portland in May of 1957. After a brief period at a local community college, she attended the "
    "prestigious Lee Strasberg Institute in Manhattan. Her movie career began in 1988 with “Call Me” by Joel and Ethan "
    "Coen. Mr. J. R. Jones gave her a star on the Hollywood Walk of Fame on July 13, 1999."
)


def found(text: str, ignoring: tuple[Span, ...] = ()) -> dict[str, tuple[str, list[str]]]:
    read = phrases(text, ignoring)
    return {
        term.text: (kind, [span.of(text) for span in term.spans])
        for term, kind in zip(read.terms, read.kinds, strict=True)
    }


@pytest.mark.parametrize(
    ("term", "kind", "places"),
    [
        ("portland", "name", ["Portland"]),
        ("may 1957", "date", ["May of 1957"]),
        ("1957", "word", ["May of 1957"]),
        ("july 13 1999", "date", ["July 13, 1999"]),
        ("1988", "word", ["1988"]),
        ("lee strasberg institute", "name", ["Lee Strasberg Institute"]),
        ("strasberg", "word", ["Lee Strasberg Institute"]),
        ("lee strasberg", "phrase", ["Lee Strasberg Institute"]),
        ("hollywood walk of fame", "name", ["Hollywood Walk of Fame"]),
        ("call me", "name", ["Call Me"]),
        ("ethan coen", "name", ["Ethan Coen"]),
        ("local community college", "phrase", ["local community college"]),
        ("community college", "phrase", ["community college"]),
        ("college", "word", ["college"]),
        ("movie career", "phrase", ["movie career"]),
        ("began", "word", ["began"]),
    ],
)
def test_terms(term: str, kind: str, places: list[str]) -> None:
    assert found(BIOGRAPHY)[term] == (kind, places)


@pytest.mark.parametrize("term", ["she", "in", "was", "the", "of", "joel and ethan coen", "me", "portland in may"])
def test_what_is_no_term(term: str) -> None:
    assert term not in found(BIOGRAPHY)


def test_all_places_of_a_term_are_found() -> None:
    assert found("The mill burnt. A MILL is no Mill Street, nor a café; the Cafe is.")["mill"][1] == [
        "mill",
        "MILL",
        "Mill Street",
    ]


def test_parts_are_the_words_of_a_term() -> None:
    read = phrases(BIOGRAPHY)
    for term, parts in zip(read.terms, read.parts, strict=True):
        assert {read.terms[part].text for part in parts} <= set(term.text.split())
        assert parts


def test_what_describes_each_other_is_related() -> None:
    read = phrases(BIOGRAPHY)
    pairs = {frozenset((read.terms[one].text, read.terms[other].text)) for one, other in read.related}
    assert frozenset({"lee strasberg institute", "manhattan"}) in pairs
    assert frozenset({"star", "hollywood walk of fame"}) in pairs
    assert frozenset({"local community college", "attended"}) not in pairs, "a clause ends between them"


def test_nothing_reaches_across_what_is_ignored() -> None:
    text = "He is from the Hollywood [GONE] Fame district, an old [GONE] mill."
    ignoring = tuple(Span(at, at + 6) for at in range(len(text)) if text.startswith("[GONE]", at))
    terms = found(text, ignoring)
    assert "gone" not in terms
    assert all("[" not in place for _, places in terms.values() for place in places)
    assert {"old", "mill"} <= terms.keys()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One is here. Two is there! Is it? Yes.", ["One is here.", "Two is there!", "Is it?", "Yes."]),
        ("Mr. J. R. Hill met Dr. Low. They spoke.", ["Mr. J. R. Hill met Dr. Low.", "They spoke."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("It costs 3.50 dollars e.g. here. So.", ["It costs 3.50 dollars e.g. here.", "So."]),
        ("A heading\nFirst line of it.\n\nNext one", ["A heading", "First line of it.", "Next one"]),
        ("a line that goes on\nand on.", ["a line that goes on\nand on."]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert [span.of(text) for span in sentences(text)] == parts


@given(st.text(alphabet="ab AB.,!?\"'“”-\n12é[]_\u200bﬁ½", max_size=60))
@settings(max_examples=80, deadline=None)
def test_terms_are_what_corpora_count(text: str) -> None:
    read = phrases(text)
    every = words(text)
    for term in read.terms:
        assert term.spans == tuple(sorted(set(term.spans)))
        assert term.spans[-1].end <= len(text)
        assert term.text == " ".join(words(term.text))
        assert set(term.text.split()) <= set(every)
        for span in term.spans:
            assert any(span in sentence for sentence in read.sentences)
    single = {word for term in read.terms for word in term.text.split()}
    assert {word for word in every if len(word) > 1 and word not in STOPWORDS} <= single, "no word is passed over"
    assert list(read.sentences) == sentences(text)
    assert all(one < other for one, other in read.related)


def test_dates_are_spelt_in_more_than_one_way() -> None:
    assert spellings(Term("july 13 1999", ()), "date") == ("july 13 1999", "13 july 1999")
    assert spellings(Term("may 1957", ()), "date") == ("may 1957", "may of 1957")
    assert spellings(Term("white house", ()), "name") == "white house"


def test_terms_are_linked_where_together_they_tell_more() -> None:
    alone, together = np.array([0.1, 0.2, 0.5]), np.array([0.3, 0.3, 0.2, 0.0])
    assert linked([(0, 1), (1, 2), (0, 1), ()], alone, together).tolist() == [True, False, False, False]


def test_no_words_in_the_repr() -> None:
    assert "strasberg" not in repr(phrases(BIOGRAPHY)).lower()
