"""The evaluation of detection: hand counts, an independent count of the benchmark's measures, and the command."""

from __future__ import annotations

import json
import re
from math import log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold import Detection, Find, Finding, MalformedData, Policy, Span
from withhold.cli import main
from withhold.evaluation.detection.choice import Case, Choice, choose
from withhold.evaluation.detection.counting import Containing, telling
from withhold.evaluation.detection.ngrams import NgramWeights
from withhold.evaluation.detection.protocol import Report, compare, evaluate
from withhold.fit.annotated import Annotated, Mention

PERSONS = Choice(frozenset(("PERSON",)))


def at(text: str, words: str, label: str, **more: Any) -> Mention:
    """A mention of the words where they first stand in the text."""
    start = text.index(words)
    return Mention(Span(start, start + len(words)), label, **more)


def found(text: str, *claims: tuple[str, str]) -> tuple[Finding, ...]:
    return tuple(Finding(at(text, words, label).span, label, "test") for words, label in claims)


def case(text: str, mentions: list[Mention], *claims: tuple[str, str], names: tuple[str, ...] = ()) -> Case:
    return Case(Annotated("1", text, tuple(mentions)), found(text, *claims), choose(names, {m.label for m in mentions}))


LETTER = "Mr Jan Nowak of Acme met Eva Lis in Paris on 3 May 2020; Nowak wrote to jan@acme.org."
MARKED = [
    at(LETTER, "Mr Jan Nowak", "PERSON", entity="1"),
    Mention(Span(57, 62), "PERSON", "1"),
    at(LETTER, "Eva Lis", "PERSON", entity="2"),
    at(LETTER, "Acme", "ORG", entity="3"),
    at(LETTER, "3 May 2020", "DATE", entity="4"),
]


def test_a_letter_counted_by_hand() -> None:
    assert MARKED[1].span.of(LETTER) == "Nowak"
    report = compare(
        [
            case(
                LETTER,
                MARKED,
                ("Jan Nowak", "PER"),
                ("Eva Lis in", "ORG"),
                ("3 May 2020", "DATE"),
                ("wrote", "PERSON"),
                ("jan@acme.org", "EMAIL"),
                ("Paris", "LOC"),
            )
        ]
    )
    # Nowak is missed the second time; titles do not matter, nor does it that Eva Lis was taken for a company.
    assert report["kinds"] == ["PERSON", "ORG", "DATETIME"]
    assert report["entity_recall"] == {"direct": 1 / 2, "quasi": 1 / 2, "all": 2 / 4}
    assert report["mention_recall"] == 3 / 5
    assert report["token_recall"] == (3 + 0 + 2 + 0 + 3) / (3 + 1 + 2 + 1 + 3)
    # The address and Paris are of kinds that nobody has marked here: they cannot be wrong.
    assert report["precision"] == (2 + 2 + 3) / (2 + 3 + 3 + 1)
    assert report["mention_precision"] == 2 / 4
    assert report["words"]["precision"] == (2 + 2 + 3) / (2 + 2 + 3 + 1)
    assert report["words"]["recall"] == (2 + 2 + 3) / (2 + 1 + 2 + 1 + 3)
    assert report["words"]["f2"] == pytest.approx(5 * 7 / 8 * 7 / 9 / (4 * 7 / 8 + 7 / 9))
    assert report["persons"]["word_recall"] == 4 / 5
    assert report["span"]["precision"] == 3 / 4
    assert report["span"]["recall"] == 3 / 5
    assert report["span"]["exact"]["recall"] == 3 / 5
    person = report["labels"]["PERSON"]
    assert (person["precision"], person["recall"], person["support"]) == (2 / 3, 2 / 5, 5)
    assert (person["entity_recall"], person["mention_recall"]) == (1 / 2, 2 / 3)
    assert report["labels"]["ORG"]["precision"] == 0


def test_what_was_to_find_is_covered_by_a_finding_of_any_label_and_others_cannot_be_wrong() -> None:
    text = "From ewa@x.org and info@y.org"
    alone = [at(text, "ewa@x.org", "PERSON")]
    both = compare([case(text, alone, ("ewa@x.org", "EMAIL"), ("info@y.org", "EMAIL"))])
    assert both["entity_recall"]["direct"] == both["words"]["recall"] == 1
    assert both["precision"] is both["words"]["precision"] is None
    wrong = compare([case(text, alone, ("ewa@x.org", "EMAIL"), ("info@y.org", "PERSON"))])
    assert wrong["words"]["recall"] == 1
    assert wrong["words"]["precision"] == 0


@pytest.mark.parametrize(
    ("claims", "recall", "precision", "exact"),
    [
        (("Ada Lee",), 1, 1, 0),
        (("Ada",), 0, 1, 0),
        (("Ada", "Ann Smith"), 1, 1, 0),
        (("Ada Lee Ann Smith",), 1, 1, 1),
        (("Ada Lee Ann Smith is a well known woman",), 1, 1, 0),
        (("Ada Lee Ann Smith is a well known woman here",), 1, 0, 0),
    ],
)
def test_spans_match_by_half_of_their_words(claims: tuple[str, ...], recall: int, precision: int, exact: int) -> None:
    text = "Ada Lee Ann Smith is a well known woman here"
    report = compare([case(text, [at(text, "Ada Lee Ann Smith", "PERSON")], *((each, "PERSON") for each in claims))])
    span = report["span"]
    assert (span["recall"], span["precision"], span["exact"]["recall"]) == (recall, precision, exact)


def test_flags_say_what_is_to_find() -> None:
    text = "Jan Nowak of Acme and of Bolt"
    mentions = [
        at(text, "Jan Nowak", "PERSON", identifier="direct"),
        at(text, "Acme", "ORG", identifier="none"),
        at(text, "Bolt", "ORG", identifier="quasi"),
    ]
    report = compare([case(text, mentions, ("Jan Nowak", "PERSON"), ("Acme", "ORG"))])
    assert report["entity_recall"] == {"direct": 1, "quasi": 0, "all": 1 / 2}
    assert report["words"]["recall"] == 2 / 3
    assert report["precision"] == report["words"]["precision"] == 2 / 3


@pytest.mark.parametrize(
    ("names", "there", "keys"),
    [
        ((), ["PER", "DOB", "gadget"], ["PERSON", "DATETIME", "GADGET"]),
        (("PERSON",), ["PER", "LOC"], ["PERSON"]),
        (("PER", "gadget"), ["PER", "gadget", "LOC"], ["PERSON", "GADGET"]),
        (("CODE",), ["EMAIL_ADDRESS", "US_SSN", "LOC"], ["CODE"]),
        (("EMAIL", "LOC"), ["EMAIL_ADDRESS", "US_SSN", "LOC"], ["LOC", "EMAIL"]),
        (("direct",), ["NAME", "DATE"], ["PERSON"]),
        (("all",), ["NAME", "DATE"], ["PERSON", "DATE"]),
        (("PERSON", "ORG"), ["NAME"], ["PERSON"]),
    ],
)
def test_the_labels_that_count(names: tuple[str, ...], there: list[str], keys: list[str]) -> None:
    assert choose(names, there).keys == keys


def test_labels_alone_do_not_stand_for_their_kind() -> None:
    text = "Mail a@b.org or dial 555 0100"
    mentions = [at(text, "a@b.org", "EMAIL_ADDRESS"), at(text, "555 0100", "PHONE")]
    report = compare([case(text, mentions, ("a@b.org", "EMAIL"), ("dial", "PHONE"), names=("EMAIL",))])
    assert report["kinds"] == ["EMAIL"]
    assert report["words"] == {"precision": 1, "recall": 1, "f1": 1, "f2": 1}


def test_nothing_to_count_is_an_error() -> None:
    with pytest.raises(MalformedData, match="labels in the data: ORG"):
        compare([case("Acme", [at("Acme", "Acme", "ORG")], names=("PERSON",))])
    with pytest.raises(MalformedData, match="'birth' is neither"):
        choose(("birth",), ["ORG"])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Mr A. Smith's a no. 5 of the U.S.", ["A", "Smith", "5", "U", "S"]),
        ("in The Hague, s t", ["Hague", "s", "t"]),
    ],
)
def test_words_that_count(text: str, counted: list[str]) -> None:
    assert [word.of(text) for word in telling(text)] == counted


# An independent count, as the benchmark's own script works: sets of offsets, one mention at a time.

WORDS = ("Jan", "Eva", "of", "the", "Mr", "Acme", "5", "-", "(")
SIGNS = " ,.-;:/&()[]–'\" ’“”"
IDLE = ("of", "the", "mr")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    text = " ".join(["Jan", *draw(st.lists(st.sampled_from(WORDS), max_size=12))])
    place = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12)).map(
        lambda pair: Span(pair[0], min(pair[0] + pair[1], len(text)))
    )
    label = st.sampled_from(("PERSON", "LOC"))
    flag = st.sampled_from(("direct", "quasi", "none"))
    mention = st.builds(Mention, place, label, st.sampled_from("123"), flag, st.sampled_from("ab"))
    mentions = [Mention(Span(0, 3), "PERSON", "0", "direct", "a"), *draw(st.lists(mention, max_size=6))]
    findings = draw(
        st.lists(st.builds(Finding, place, st.sampled_from(("PERSON", "LOC", "EMAIL")), st.just("x")), max_size=4)
    )
    kinds = frozenset(each.label for each in mentions)
    return Case(Annotated("1", text, tuple(mentions), 2), tuple(findings), Choice(kinds))


def masked(text: str, start: int, end: int, covered: set[int]) -> bool:
    left = set(range(start, end)) - covered
    for word in re.finditer(r"\w+", text):
        if word.group().lower() in IDLE:
            left -= set(range(*word.span()))
    return not {place for place in left if text[place] not in SIGNS}


def as_the_benchmark_counts(several: list[Case]) -> dict[str, tuple[float, float]]:
    sums: dict[str, list[float]] = {}

    def add(name: str, right: float, weight: float = 1) -> None:
        pair = sums.setdefault(name, [0, 0])
        pair[0] += right
        pair[1] += weight

    for each in several:
        text, mentions = each.text.text, [m for m in each.text.mentions if m.label in each.choice.kinds]
        covered = {place for f in each.found for place in range(f.span.start, f.span.end)}
        for own in {(m.annotator, m.entity) for m in mentions}:
            entity = [m for m in mentions if (m.annotator, m.entity) == own]
            if all(m.identifier == "none" for m in entity):
                continue
            whole = all(m.identifier == "none" or masked(text, m.span.start, m.span.end, covered) for m in entity)
            add("direct" if entity[0].identifier == "direct" else "quasi", whole)
            for m in entity:
                add("mention", masked(text, m.span.start, m.span.end, covered))
                for word in re.finditer(r"\w+", text[m.span.start : m.span.end]):
                    add("token", masked(text, m.span.start + word.start(), m.span.start + word.end(), covered))
        alarms = {
            place for f in each.found if f.label in each.choice.kinds for place in range(f.span.start, f.span.end)
        }
        runs = [place for place in sorted(alarms) if place - 1 not in alarms]
        for start in runs:
            end = next(place for place in range(start + 1, len(text) + 1) if place not in alarms)
            for word in re.finditer(r"\w+", text[start:end]):
                s, e = start + word.start(), start + word.end()
                right = {
                    m.annotator for m in mentions if m.identifier != "none" and m.span.start <= s and e <= m.span.end
                }
                add("precision", len(right), 2)
    return {name: (pair[0], pair[1]) for name, pair in sums.items()}


@settings(max_examples=60)
@given(st.lists(cases(), min_size=1, max_size=3))
def test_the_measures_are_those_of_the_benchmark(several: list[Case]) -> None:
    report = compare(several, draws=0)
    counted = as_the_benchmark_counts(several)
    told = {
        "direct": report["entity_recall"]["direct"],
        "quasi": report["entity_recall"]["quasi"],
        "mention": report["mention_recall"],
        "token": report["token_recall"],
        "precision": report["precision"],
    }
    for name, value in told.items():
        right, every = counted.get(name, (0, 0))
        assert value == (pytest.approx(right / every) if every else None), name


@settings(max_examples=40)
@given(st.lists(cases(), min_size=1, max_size=3))
def test_finding_exactly_what_is_marked_is_perfect_and_finding_nothing_is_not(several: list[Case]) -> None:
    plain = [
        Annotated("1", each.text.text, tuple(Mention(m.span, m.label) for m in each.text.mentions)) for each in several
    ]
    right = [
        Case(text, tuple(Finding(m.span, m.label, "x") for m in text.mentions), each.choice)
        for text, each in zip(plain, several, strict=True)
    ]
    perfect = compare(right, draws=0)
    assert perfect["entity_recall"]["all"] == perfect["token_recall"] == perfect["words"]["recall"] == 1
    assert perfect["span"]["recall"] == perfect["span"]["exact"]["recall"] == 1
    assert all(each["recall"] in (1, None) for each in perfect["labels"].values())
    nothing = compare([Case(each.text, (), each.choice) for each in right], draws=0)
    assert nothing["words"]["recall"] == nothing["words"]["f2"] == nothing["span"]["f2"] == 0
    assert nothing["precision"] is None


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), max_size=8), st.integers(0, 20), st.integers(1, 9))
def test_containing(spans: list[tuple[int, int]], start: int, length: int) -> None:
    several = [Span(first, first + long) for first, long in spans]
    span = Span(start, start + length)
    assert (span in Containing(several)) == any(span in each for each in several)


def test_a_word_weighs_more_where_it_is_not_expected() -> None:
    text = "the court the court the court the state of Xyz the court"
    weigh = NgramWeights([text])
    weights = {word: weigh(text, at(text, word, "X").span) for word in ("court", "state", "Xyz")}
    assert 0 < weights["court"] < min(weights["state"], weights["Xyz"])
    # Seen once, which is here: all that is known is how frequent such words are, one of 12 + 5.
    assert weights["Xyz"] == pytest.approx(log(17))


def test_intervals_come_from_drawing_texts_and_are_always_the_same() -> None:
    hit = case("Jan", [at("Jan", "Jan", "PERSON")], ("Jan", "PERSON"))
    miss = case("Eva", [at("Eva", "Eva", "PERSON")])
    mixed = [hit] * 15 + [miss] * 5
    report, again = compare(mixed), compare(mixed)
    low, high = report["intervals"]["words.recall"]
    assert report["words"]["recall"] == 0.75
    # The normal approximation: 1.96 standard deviations of a share of 20 draws.
    assert 0.75 - low == pytest.approx(0.19, abs=0.06)
    assert high - 0.75 == pytest.approx(0.19, abs=0.06)
    assert report == again
    assert compare([hit] * 5)["intervals"]["words.f2"] == [1, 1]
    assert compare(mixed, draws=0)["intervals"] == {}


# The command, on a file, with detectors of a policy.


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    texts = ["Zbigniew Nowak left.", "Ask Nowaksson or Zbigniew."]
    records = [
        {"text": texts[0], "split": "dev", "spans": [{"start": 0, "end": 14, "type": "NAME"}]},
        {"text": texts[1], "split": "train", "spans": [{"start": 4, "end": 13, "type": "NAME"}]},
    ]
    path = tmp_path / "letters.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return path


def policy(tmp_path: Path, *, threshold: float = 0.5) -> Path:
    path = tmp_path / "policy.toml"
    path.write_text(
        '[[find]]\nlabel = "PERSON"\nterms = ["Zbigniew", "Nowak"]\n'
        f"[detection]\nthresholds = {{ PERSON = {threshold} }}\n",
        "utf-8",
    )
    return path


def run(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "detection", *map(str, arguments)])
    assert ended.value.code == code


def test_the_command(letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run("--data", letters, "-p", policy(tmp_path), "--json", "--bootstrap", 50)
    report: Report = json.loads(capfd.readouterr().out)
    assert (report["documents"], report["kinds"]) == (2, ["PERSON"])
    assert report["words"]["recall"] == report["words"]["precision"] == 2 / 3
    assert report["entity_recall"] == {"direct": 1 / 2, "quasi": None, "all": 1 / 2}
    assert report["words_per_second"] > 0
    assert set(report["intervals"]) >= {"words.f2", "entity_recall.direct", "precision", "span.f2"}


def test_the_command_for_people(letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run("--data", letters, "-p", policy(tmp_path), "--split", "dev", "--labels", "PERSON")
    shown = capfd.readouterr()
    assert "words, f2" in shown.out
    assert "1.000-1.000" in shown.out
    assert "Zbigniew" not in shown.out + shown.err
    assert "in 1 texts" in shown.err


def test_what_is_not_sure_enough_is_not_counted(letters: Path, tmp_path: Path) -> None:
    """The name inside a longer one is found with doubt."""

    def recall(threshold: float) -> float:
        chosen = Policy.load(policy(tmp_path, threshold=threshold))
        return float(evaluate([letters], policy=chosen, draws=0, track=_bare)["span"]["recall"])

    assert (recall(0.5), recall(0.3)) == (1 / 2, 1)


def test_without_a_policy_everything_is_looked_for(tmp_path: Path) -> None:
    text = "Write to jane.roe@example.org today."
    record = {"text": text, "spans": [{"start": 9, "end": 29, "type": "EMAIL"}]}
    path = tmp_path / "x.json"
    path.write_text(json.dumps([record]), "utf-8")
    report = evaluate([path], draws=0, track=_bare)
    assert report["entity_recall"]["direct"] == 1
    assert evaluate([path], policy=Policy(), draws=0, track=_bare)["entity_recall"]["direct"] == 0


def test_sets_count_each_for_what_they_annotate(letters: Path, tmp_path: Path) -> None:
    """Of a set that never marks dates, a date that was found says nothing, whatever other sets mark."""
    dated = tmp_path / "dated.jsonl"
    dated.write_text(json.dumps({"text": "On Nowak", "spans": [{"start": 3, "end": 8, "type": "DATE"}]}), "utf-8")
    both = Policy(
        find=(Find(label="PERSON", terms=("Zbigniew", "Nowak")), Find(label="DATE", terms=("left",))),
        detection=Detection(),
    )
    report = evaluate([letters, dated], policy=both, draws=0, track=_bare)
    assert [each["kinds"] for each in report["data"]] == [["PERSON"], ["DATETIME"]]
    assert report["words"]["precision"] == 2 / 3
    assert report["words"]["recall"] == 3 / 4


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--split", "test"), "splits in it: dev, train"),
        (("--labels", "birth"), "'birth' is neither a label of the data (NAME)"),
        (("--labels", "ORG"), "labels in the data: NAME"),
    ],
)
def test_what_is_not_there_is_told(
    options: tuple[str, ...], told: str, letters: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run("--data", letters, *options, code=1)
    shown = capfd.readouterr()
    assert told in shown.err
    assert "Zbigniew" not in shown.out + shown.err


def _bare(items: Any, _total: int, _doing: str) -> Any:
    return items
