"""The tagger: what it finds in texts of our own, however they are written, and how it bears odd input."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Detection, Document, Policy, Redactor
from withhold.detectors.tagger import TaggerDetector
from withhold.errors import MalformedData
from withhold.learners.tagger import network
from withhold.learners.tagger.features import COLUMNS, shipped
from withhold.learners.tagger.network import HALO, KINDS, PARTS, WINDOW, Tagger, tagger
from withhold.learners.tagger.words import cut

NAMES = (
    ("Dear Siobhan, I met Olumide Adeyemi in the canteen.", ("Siobhan", "Olumide Adeyemi")),
    ("The parcel was signed for by Henrietta Vasquez-Mbeki on the third floor.", ("Henrietta Vasquez-Mbeki",)),
    ("Please ask Rajesh or Katarzyna about the invoices.", ("Rajesh", "Katarzyna")),
    (
        "Dr. Fiona McAllister examined the patient, and nurse Tobias Lindqvist took notes.",
        ("Fiona", "Tobias Lindqvist"),
    ),
    (
        "My neighbour Yusuf Karaca sold his flat to Marguerite Dubois last spring.",
        ("Yusuf Karaca", "Marguerite Dubois"),
    ),
    ("According to Ingrid Sorensen, the roof had been leaking for years.", ("Ingrid Sorensen",)),
    ("Thanks for your help with the report. Regards, Benedict", ("Benedict",)),
    ("Kowalski told the inspector that Ms Albescu had never lived there.", ("Kowalski", "Albescu")),
    ("The winner was Chidinma Okafor, ahead of Liesel Brandt.", ("Chidinma Okafor", "Liesel Brandt")),
    ("Yesterday Wojciech called Hannelore about the keys.", ("Wojciech", "Hannelore")),
)
WORDS = re.compile(r"\w+")


def person_words(text: str) -> set[int]:
    """The offsets that findings of persons cover."""
    detector = TaggerDetector(Detection(labels=("PERSON",)))
    found = [each.span for each in detector.detect(document(text)) if each.score >= 0.5]
    return {at for span in found for at in range(span.start, span.end)}


def document(text: str) -> Document:
    return Redactor().read(text.encode(), name="text.txt")


def share(change: object) -> float:
    """The share of the words of names that are found when texts are changed, letter by letter, in some way."""
    hits = total = 0
    for text, names in NAMES:
        letters = [change(sign) for sign in text]  # type: ignore[operator]
        starts = np.cumsum([0, *map(len, letters)])
        covered = person_words("".join(letters))
        for name in names:
            at = text.index(name)
            for word in WORDS.finditer(name):
                first, last = starts[at + word.start()], starts[at + word.end()]
                hits += all(place in covered for place in range(first, last))
                total += 1
    return hits / total


def test_names_are_found() -> None:
    assert share(str) >= 0.95


@pytest.mark.parametrize(
    ("way", "change", "least"),
    [
        ("lower case", str.lower, 0.75),
        ("capitals", str.upper, 0.85),
        ("zero-width characters", lambda sign: sign + "\u200b" if sign.isalpha() else sign, 0.95),
        ("look-alike letters", lambda sign: {"a": "а", "e": "е", "o": "о", "S": "Ѕ", "K": "К"}.get(sign, sign), 0.95),
        ("full-width letters", lambda sign: chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign, 0.95),
        ("accents", lambda sign: sign + "\u0301" if sign in "aeiou" else sign, 0.95),
    ],
)
def test_names_are_found_in_disguise(way: str, change: object, least: float) -> None:
    assert share(change) >= least, way


def test_names_are_found_in_a_bad_scan() -> None:
    chance = random.Random(5)
    confused = {"o": "0", "l": "1", "i": "l", "e": "c", "s": "5"}
    assert share(lambda sign: confused.get(sign, sign) if chance.random() < 0.06 else sign) >= 0.85


@pytest.mark.parametrize(
    ("text", "found", "label"),
    [
        ("She works for Brightwater Analytics Ltd in Leeds.", "Brightwater Analytics Ltd", "ORG"),
        ("She works for Brightwater Analytics Ltd in Leeds.", "Leeds", "LOC"),
        ("The applicant was born in 1963 and lives in Gdańsk.", "1963", "DATETIME"),
        ("The applicant was born in 1963 and lives in Gdańsk.", "Gdańsk", "LOC"),
        ("They were awarded 4,000 euros for the damage.", "4,000 euros", "QUANTITY"),
        ("He is a Norwegian carpenter.", "Norwegian", "DEM"),
        ("the case (application no. 51234/08) was adjourned.", "51234/08", "CODE"),
    ],
)
def test_other_kinds(text: str, found: str, label: str) -> None:
    findings = TaggerDetector(Detection(labels=("all",))).detect(document(text))
    start = text.index(found)
    of_kind = [each.span for each in findings if each.label == label and each.score >= 0.5]
    assert any(span.start <= start and start + len(found) <= span.end for span in of_kind)


def test_plain_prose_names_nobody() -> None:
    text = "It may rain. Will you mark the page? The bill was paid, and grace was said before the rose wine was opened."
    assert not person_words(text)


def test_states_and_governments_are_told_and_left() -> None:
    text = (
        "The application against the Republic of Poland was lodged by Ms Anna Zielińska. The Polish Government replied."
    )
    findings = TaggerDetector(Detection(labels=("ORG",))).detect(document(text))
    assert all(each.score < 0.5 for each in findings)


@pytest.mark.parametrize("name", ["Republic Services", "Commonwealth Edison", "Kingdom Holding Company"])
def test_a_company_that_is_called_like_a_state_is_found(name: str) -> None:
    text = f"Ms Anna Jensen has worked as an accountant at {name} Ltd in Leeds since 2011, and sued {name} Ltd."
    findings = TaggerDetector(Detection(labels=("ORG",))).detect(document(text))
    assert {each.reason for each in findings} == {"by its context"}
    assert any(name in each.span.of(text) and each.score >= 0.5 for each in findings)


def test_only_what_is_wanted_is_found() -> None:
    text = "Maria Oyelaran moved to Lisbon in May 2014."
    assert {each.label for each in TaggerDetector(Detection(labels=("LOC",))).detect(document(text))} <= {"LOC"}
    assert TaggerDetector(Detection()).detect(document(text)) == []
    assert TaggerDetector(Detection(labels=("EMAIL",))).detect(document(text)) == []


def test_a_name_is_one_finding_with_its_title() -> None:
    text = "The letter came from Mr Tomasz Wiśniewski of Kraków."
    found = TaggerDetector(Detection(labels=("PERSON",))).detect(document(text))
    assert [text[each.span.start : each.span.end] for each in found] == ["Mr Tomasz Wiśniewski"]
    assert found[0].identifier == "direct"


def test_findings_keep_to_their_line_and_cell() -> None:
    text = "id,name,role\n1,Harriet Vandermolen,Engineer\n2,Oskar Lindqvist,Driver\n3,Ama Boateng,Analyst\n"
    found = TaggerDetector(Detection(labels=("PERSON",))).detect(document(text))
    names = [text[each.span.start : each.span.end] for each in found if each.score >= 0.5]
    assert names == ["Harriet Vandermolen", "Oskar Lindqvist", "Ama Boateng"]


def test_the_numbers_of_lines_name_nobody() -> None:
    lines = ["The plaintiff paid Marcus Okafor", "at the place and on the day", "that the complaint sets forth"]
    page = "".join(f"{number}\n{lines[number % 3]}\n" for number in range(1, 29))
    text = page + page
    found = TaggerDetector(Detection(labels=("all",))).detect(document(text))
    told = {text[each.span.start : each.span.end] for each in found}
    assert "Marcus Okafor" in told
    assert not any(each.isdigit() for each in told)
    ages = "Patients by age\n" + "".join(f"{age}\n" for age in (1, 2, 3, 41, 67, 72, 80, 81))
    alone = TaggerDetector(Detection(labels=("all",))).detect(document(ages))
    assert {"41", "67", "72", "80"} <= {ages[each.span.start : each.span.end] for each in alone}


def test_the_word_of_a_label_is_no_name() -> None:
    text = "Please check the IBAN and the KEY of Maria Oyelaran."
    found = TaggerDetector(Detection(labels=("all",))).detect(document(text))
    assert not {"IBAN", "KEY"} & {text[each.span.start : each.span.end] for each in found}


@pytest.mark.parametrize("labels", [("direct",), ("CODE",), ("PERSON", "CODE")])
def test_dates_and_sums_are_no_codes_where_nobody_looks_for_dates_and_sums(labels: tuple[str, ...]) -> None:
    text = (
        "On 20 May 2026 eight stores sold a quarter less: 19.4 % in the evening, 1.6 million a year.\n"
        "From weeks 15 to 18 six of them were closed for some minutes of every hour, as in the spring.\n"
        "Case no. 20417/25 was closed on the second Saturday."
    )
    found = TaggerDetector(Detection(labels=labels)).detect(document(text))
    assert [each.span.of(text) for each in found if each.label == "CODE"] == ["20417/25"]


def test_a_place_with_a_number_is_an_address() -> None:
    text = "He still lives at 22 Rue de la Paix, 75002 Paris."
    found = TaggerDetector(Detection(labels=("direct",))).detect(document(text))
    assert [(each.label, each.identifier) for each in found if each.score >= 0.5] == [("ADDRESS", "direct")]


def test_parts_of_speech() -> None:
    text = "The old sailor quickly repaired three broken sails."
    tags = next(tagger().tag(text))
    told = {text[s:e]: PARTS[part] for s, e, part in zip(tags.starts, tags.ends, tags.parts, strict=True)}
    right = {
        "The": "DET",
        "old": "ADJ",
        "sailor": "NOUN",
        "quickly": "ADV",
        "repaired": "VERB",
        "three": "NUM",
        ".": "PUNCT",
    }
    assert {word: told[word] for word in right} == right


@given(st.text(max_size=200))
def test_every_word_has_its_place(text: str) -> None:
    words = cut(text)
    assert (words.starts < words.ends).all()
    assert (words.ends <= len(text)).all()
    # They are in order; those that one sign such as ¼ is made of share a place.
    assert (np.diff(words.starts) >= 0).all()
    assert (np.diff(words.ends) >= 0).all()
    features = shipped().features(words)
    assert features.shape == (len(words), len(COLUMNS))
    assert (features >= 0).all()


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\x00", "a" * 5000, "\u0301" * 300, "😀" * 400, "." * 1000, "ﷺ\u202e" * 50, "a \\ud83d"],
)
def test_odd_texts(text: str) -> None:
    for each in TaggerDetector(Detection(labels=("all",))).detect(document(text)):
        assert 0 <= each.span.start < each.span.end <= len(text)


def test_long_texts_are_read_in_windows_and_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not hang on where windows and parts of a text begin."""
    text = "\n".join(f"Line {n}: the parcel for Henrietta Vasquez went to the depot." for n in range(60))
    whole = person_words(text)
    assert whole.issuperset(at for match in re.finditer("Henrietta Vasquez", text) for at in range(*match.span()))
    assert len(cut(text)) > 3 * WINDOW > HALO
    monkeypatch.setattr(network, "_CHUNK", 500)
    assert person_words(text) == whole


def test_shares_are_shares_and_the_same_every_time() -> None:
    text = NAMES[3][0]
    first, again = next(tagger().tag(text)), next(tagger().tag(text))
    assert first.kinds.shape == (len(first), len(KINDS))
    assert ((first.kinds >= 0) & (first.kinds <= 1)).all()
    assert (first.kinds.sum(1) <= 1.0001).all()
    assert (first.kinds == again.kinds).all()


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "tagger.onnx"
    broken.write_bytes(b"\x08\x08 not a network")
    with pytest.raises(MalformedData, match="install withhold again"):
        Tagger(broken, shipped())


@pytest.mark.slow
def test_ten_megabytes_in_one_call() -> None:
    import tracemalloc

    sentences = [text for text, _ in NAMES]
    text = "\n".join(sentences[n % len(sentences)] for n in range(10_000_000 // 66))
    policy = Policy(detection=Detection(labels=("PERSON",), consistent=False))
    read = Redactor(policy).read(text.encode(), name="long.txt")
    tracemalloc.start()
    found = TaggerDetector(policy.detection).detect(read)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) > len(text) / 66
    assert most < 400_000_000


def test_the_runtime_of_networks_leaves_and_reports_nothing(tmp_path: Path) -> None:
    """Its official builds keep a database and an identifier at home, and send what is in them."""
    places = {name: str(tmp_path / name) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    for place in places.values():
        Path(place).mkdir()
    code = (
        "from withhold.learners.masks.cases import Masked\n"
        "from withhold.learners.masks.encoder import types\n"
        "from withhold.learners.tagger.network import tagger\n"
        "from withhold.spans import Span\n"
        "next(tagger().tag('Ada Lovelace was here.'))\n"
        "types([Masked.of('Ada was here.', [Span(0, 3)], ['PERSON'])])\n"
    )
    asked = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-B", "-c", code], check=True, env={**asked, **places}, timeout=120)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
