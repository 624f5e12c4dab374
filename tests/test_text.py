"""Folding: disguises fall away, and every match leads back to the characters it came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold.text import fold, fold_text, squeeze

DISGUISES = {
    "case": "KWIATKOWSKI",
    "zero width": "Kwiat\u200bkow\u2060ski",
    "soft hyphen": "Kwiat\u00adkowski",
    "combining marks": "Kwi\u0301atkowski",
    "accents": "Kwíatkówski",
    "Cyrillic": "Кwіаtkоwѕkі",
    "Greek": "Κwιatκοwsκι",
    "full width": "Ｋｗｉａｔｋｏｗｓｋｉ",
    "mathematical": "𝐊𝐰𝐢𝐚𝐭𝐤𝐨𝐰𝐬𝐤𝐢",
    "small capitals": "ᴋᴡɪᴀᴛᴋᴏᴡꜱᴋɪ",
    "percent": "Kwiat%6Bowski",
    "percent of an address within an address": "Kwi%25C3%25A1t%256Bowski",
    "percent in Latin-1": "Kwi%E1tkowski",
    "Punycode": "xn--Kwiatkwski-lbb",
    "escapes": "Kwi\\u0061tkowsk\\u00ed",
    "escaped pairs": "\\ud835\\udc0awiatkowski",
    "line end": "Kwiat-\nkowski",
    "line end of a browser": "Kwiat\u2010\nkowski",
    "line end of a word processor": "Kwiat\u00ad\n  kowski",
    "column end": "Kwiat-\n\nkowski",
    "variation selectors": "K\ufe0fwiatkowski",
    "tags": "Kwiat\U000e0061kowski",
    "right to left marks": "\u202eKwiatkowski\u202c",
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_disguises_fall_away(disguise: str) -> None:
    text = f"Mr {disguise} came"
    folded = fold(text)
    start = folded.text.index("kwiatkowski")
    found = folded.span(start, start + len("kwiatkowski")).of(text)
    assert found.strip("\u202e\u202c ") == disguise.strip("\u202e\u202c")


@given(st.text(max_size=40), st.data())
def test_spans_lead_back(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    span = folded.span(start, end)
    assert 0 <= span.start <= span.end <= len(text)
    if end > start:
        assert folded.text[start:end] in fold(span.of(text)).text or set(text) & set("%-\\\\")


@given(st.text(alphabet="abcXYZ éß%2C \u200b-\n", max_size=60))
def test_the_whole_is_the_whole(text: str) -> None:
    folded = fold(text)
    if folded.text:
        assert folded.span(0, len(folded.text)).end == len(text)


@given(st.one_of(st.text(max_size=60), st.text(alphabet="aBc%2C\\u004\u200b\u0410-\r\nxn", max_size=60)))
def test_a_folded_text_needs_no_way_back(text: str) -> None:
    assert fold_text(text) == fold(text).text


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text: str) -> None:
    plain = "".join(character for character in text if character not in "%-\\\\")
    assert fold(fold(plain).text).text == fold(plain).text


def test_a_hyphen_before_a_capital_stays_one() -> None:
    assert fold("Smith-\nJones").text == "smith-\njones"
    assert fold("Fran-\nçois").text == "francois"


def test_case_can_be_kept() -> None:
    assert fold("Kwiat\u200bkowski", keep_case=True).text == "Kwiatkowski"
    assert fold("АВС-1", keep_case=True).text == "ABC-1"


def test_squeeze_leaves_no_white_space() -> None:
    assert squeeze(" Zbig\tniew\n KWIAT ") == "zbigniewkwiat"


def test_lone_surrogates_are_no_trouble() -> None:
    assert fold("a\ud800b").text == "a\ud800b"
