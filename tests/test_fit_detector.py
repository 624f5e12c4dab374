"""Detectors learnt from marked documents: what they find, what is said of them, and their files."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import runpy
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from withhold import Detection, Document, Policy, Redactor, read
from withhold.cli import main
from withhold.detectors.fitted import FittedDetector
from withhold.errors import MalformedData, NotFitted, OutputError
from withhold.fit import detector
from withhold.fit.annotated import Annotated, Mention
from withhold.fit.detector import fit_detector, make_detector
from withhold.fit.lessons import parted, prepare
from withhold.fit.readings import Reading, measure, threshold, thresholds
from withhold.learners import spotter as spotting
from withhold.learners.spotter import DESCRIPTION, Likely, Run, Spotter
from withhold.learners.tokens import cut, parts
from withhold.spans import Span, disjoint

SYLLABLES = re.findall("..", "babebodadidufafigokakilomaminanopaporarisasotativavowazo")
OPENINGS = ("Dear Dr {},", "To: {}", "Please give this to Ms {} today.", "I met {} at the harbour.")
BODIES = (
    "The patient, {}, was admitted on Tuesday.",
    "A call from {} came in the evening.",
    "Signed by {} in the presence of the clerk.",
    "Our driver {} was late again.",
    "Nothing was said about the price of Paper or Steel.",
    "The River Park was closed, as was the Old Bridge.",
    "He asked for file {code} and got none.",
)


def letter(chance: random.Random, number: int) -> Annotated:
    """A letter with names that no other has, and sometimes the number of a file."""
    text, mentions = "", []

    def name() -> str:
        return "".join(chance.choice(SYLLABLES) for _ in range(chance.choice((2, 3)))).title()

    person = f"{name()} {name()}"
    for template in [chance.choice(OPENINGS), *chance.sample(BODIES, 5)]:
        said, label = (
            (person, "Person's name")
            if "{}" in template
            else (f"{chance.randrange(10**5)}/{chance.randrange(90)}", "file")
        )
        field = "{}" if "{}" in template else "{code}"
        before, found, after = template.partition(field)
        if found:
            start = len(text) + len(before)
            mentions.append(Mention(Span(start, start + len(said)), label))
        text += before + (said + after if found else "") + "\n"
    return Annotated(str(number), text, tuple(mentions))


def letters(count: int, seed: int = 0) -> list[Annotated]:
    chance = random.Random(seed)
    return [letter(chance, number) for number in range(count)]


def as_lines(documents: list[Annotated]) -> str:
    records = [
        {
            "text": each.text,
            "spans": [{"start": m.span.start, "end": m.span.end, "label": m.label} for m in each.mentions],
        }
        for each in documents
    ]
    return "".join(json.dumps(record) + "\n" for record in records)


def document(text: str) -> Document:
    return read(text.encode(), name="letter.txt")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fitted")
    (folder / "letters.jsonl").write_text(as_lines(letters(30)))
    fit_detector([folder / "letters.jsonl"], folder / "model")
    return folder / "model"


@pytest.fixture(scope="module")
def spotter(model: Path) -> Spotter:
    return Spotter.load(model)


def recall(found: Callable[[str], set[tuple[Span, str]]], documents: list[Annotated]) -> float:
    marked = [(each.text, (mention.span, mention.label)) for each in documents for mention in each.mentions]
    return sum(mention in found(text) for text, mention in marked) / len(marked)


def test_names_never_met_are_found_where_a_list_of_words_fails(spotter: Spotter) -> None:
    others = letters(20, seed=1)

    def fitted(text: str) -> set[tuple[Span, str]]:
        return {(spot.span, spot.label) for spot in spotter.spots(text) if spot.score >= 0.5}

    listed = {(mention.span.of(each.text), mention.label) for each in letters(30) for mention in each.mentions}

    def listing(text: str) -> set[tuple[Span, str]]:
        return {(Span(*match.span()), label) for said, label in listed for match in re.finditer(re.escape(said), text)}

    assert recall(listing, letters(30)) == 1
    assert recall(listing, others) < 0.1
    assert recall(fitted, others) > 0.95
    wrong = sum(len(fitted(each.text) - {(m.span, m.label) for m in each.mentions}) for each in others)
    assert wrong < 0.1 * sum(len(each.mentions) for each in others)


def test_what_is_measured_holds_for_new_documents(spotter: Spotter) -> None:
    together = spotter.description.together
    assert spotter.description.folds == 5
    assert together.by_mention is not None
    assert together.by_word is not None
    others = letters(30, seed=2)
    found = recall(lambda text: {(s.span, s.label) for s in spotter.spots(text) if s.score >= 0.5}, others)
    low, high = together.by_mention.recall_range
    assert low - 0.05 <= found <= high + 0.05
    assert set(spotter.description.labels) == {"Person's name", "file"}
    assert together.mentions == sum(len(each.mentions) for each in letters(30))


def scrambled(documents: list[Annotated], seed: int) -> list[Annotated]:
    """The same texts with as many labels on words drawn by chance."""
    chance = random.Random(seed)
    several = []
    for each in documents:
        places = [Span(*match.span()) for match in re.finditer(r"\w+", each.text)]
        chosen = chance.sample(places, len(each.mentions))
        labels = chance.choices(["Person's name", "file"], k=len(chosen))
        several.append(Annotated(each.id, each.text, tuple(map(Mention, chosen, labels))))
    return several


def test_labels_without_sense_are_not_found_in_other_documents() -> None:
    together = make_detector(scrambled(letters(15), 3), folds=3).spotter.description.together
    assert together.by_mention is not None
    assert together.by_mention.f1 < 0.25


def test_copies_do_not_leak() -> None:
    """What is marked by chance can only be known from a copy: whoever learns it by heart finds it there."""
    copied = scrambled(letters(6), 4) * 3
    honest = make_detector(copied, folds=3)
    assert honest.spotter.description.together.by_mention is not None
    assert honest.spotter.description.together.by_mention.recall < 0.3
    assert any("copies" in note for note in honest.notes)
    apart = [Annotated(str(n), f"{each.text}\n{n} {n * n}", each.mentions) for n, each in enumerate(copied)]
    leaking = make_detector(apart, folds=3).spotter.description.together
    assert leaking.by_mention is not None
    assert leaking.by_mention.recall > 0.6  # the test can tell a leak when there is one


def test_what_is_alike_is_in_one_part() -> None:
    texts = ["a b", "A  B", "c", "d e f", "g", "h h", "i"]
    groups = ["", "x", "x", "y", "y", "", ""]
    documents = [
        Annotated(str(n), f"{text} name", (Mention(Span(len(text) + 1, len(text) + 5), "L"),), group=group)
        for n, (text, group) in enumerate(zip(texts, groups, strict=True))
    ]
    lessons = prepare(documents).lessons
    parts = parted(lessons, 3)
    assert sorted(n for part in parts for n in part) == list(range(7))
    where = {n: number for number, part in enumerate(parts) for n in part}
    assert where[0] == where[1] == where[2]
    assert where[3] == where[4]
    assert len(parts) == 3
    turned = prepare(documents[::-1]).lessons
    assert {frozenset(6 - n for n in part) for part in parted(turned, 3)} == set(map(frozenset, parts))
    assert len(parted(lessons, 20)) == 4


@given(
    st.lists(st.tuples(st.integers(0, 20).map(lambda n: np.float32(n / 20)), st.booleans()), min_size=1, max_size=30)
)
@settings(max_examples=60)
def test_a_threshold_is_about_as_good_as_any(pairs: list[tuple[np.float32, bool]]) -> None:
    likely, true = np.array([p for p, _ in pairs], np.float32), np.array([t for _, t in pairs], bool)
    chosen = threshold(likely, true)
    if not true.any():
        assert chosen == 0.25
        return

    def f2(limit: float) -> float:
        found = likely >= limit
        right = int((found & true).sum())
        return 5 * right / (4 * int(true.sum()) + int(found.sum())) if right else 0.0

    best = max(f2(limit) for limit in np.arange(0.05, 0.501, 0.0125))
    assert 0.05 <= chosen <= 0.5
    assert f2(chosen) >= 0.994 * best


def reading(text: str, marked: str, found: str, sure: float, part: int) -> Reading:
    """A text of which a letter a word tells the label people gave it, and the one a model is so sure of."""
    words = [Span(*match.span()) for match in re.finditer(r"\S+", text)]
    mentions = [Mention(span, label) for span, label in zip(words, marked, strict=True) if label != "-"]
    (lesson,) = prepare([Annotated("1", text, (*mentions, Mention(Span(0, 1), "A"), Mention(Span(0, 1), "B")))]).lessons
    lesson = replace(lesson, marked=tuple(each for each in lesson.marked if len(each.span) > 1))
    likely = np.array([[sure if label == name else 0.01 for name in "AB"] for label in found], np.float32)
    return Reading(lesson, Likely(likely, np.ones_like(likely, bool)), part)


def test_found_and_marked_are_compared_by_mention_and_by_word() -> None:
    readings = [reading("Ann met Bob in Rome --", "A-A-B-", "AAB-BA", 0.8, part) for part in range(2)]
    learnt, together = measure(readings, "AB")
    assert learnt["A"].mentions == 4
    by_mention, by_word = learnt["A"].by_mention, learnt["A"].by_word
    assert by_mention is not None
    assert by_word is not None
    assert (by_mention.right, by_mention.wrong, by_mention.missed) == (2, 4, 2)
    assert (by_word.right, by_word.wrong, by_word.missed) == (2, 2, 2)  # a sign is no word
    assert learnt["B"].by_word == learnt["B"].by_mention
    assert learnt["B"].by_word is not None
    assert (learnt["B"].by_word.right, learnt["B"].by_word.wrong, learnt["B"].by_word.missed) == (2, 2, 0)
    assert together.by_word is not None
    assert (together.by_word.right, together.by_word.wrong, together.by_word.missed) == (6, 2, 0)


def test_a_threshold_is_not_chosen_on_what_it_is_measured_on() -> None:
    readings = [
        reading("aa bb " * 20, "A-" * 20, "AA" * 20, 0.4, 0),
        *(reading("aa bb " * 20, "A-" * 20, "A-" * 20, sure, part) for part, sure in ((1, 0.4), (2, 0.1))),
    ]
    for part in range(3):
        others = thresholds([each for each in readings if each.part != part], 2)
        assert np.array_equal(thresholds(readings, 2, without=part), others)
    assert not np.array_equal(thresholds(readings, 2, without=2), thresholds(readings, 2))
    learnt, _ = measure(readings[1:], "AB")
    assert learnt["A"].by_word is not None
    assert learnt["A"].by_word.missed == 20  # 0.1 is below what was chosen where all is 0.4


def test_a_name_that_stands_once_is_not_taken_for_another_sort_of_word(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The patient, Zovora Mikati, was admitted on Monday."
    sure = []
    for share in (0.0, 0.5):
        monkeypatch.setattr(detector, "_HIDDEN", share)
        spotter = make_detector(letters(10), folds=0).spotter
        likely = [spot.likely for spot in spotter.spots(text) if "Zovora" in spot.span.of(text)]
        sure.append(max(likely, default=0.0))
    assert sure[1] > sure[0] + 0.1


def test_what_is_just_not_sure_enough_stays_so(spotter: Spotter) -> None:
    spot = spotter._spot(Run(0, 0, 0, 0.49999, 0.1), cut("Ann"), 0)
    assert spot.score < 0.5
    assert spotter._spot(Run(0, 0, 0, 0.5, 0.1), cut("Ann"), 0).score == 0.5


def test_a_rare_label_has_the_threshold_of_all() -> None:
    made = make_detector(
        [
            Annotated(each.id, each.text, (*each.mentions, Mention(Span(0, 2), "rare")) if n < 3 else each.mentions)
            for n, each in enumerate(letters(10))
        ],
        folds=2,
    )
    held = made.spotter.description
    assert held.labels["rare"].mentions == 3
    assert held.labels["rare"].threshold == held.together.threshold


def test_mentions_are_taken_as_words_the_longest_first() -> None:
    text = "Ann Lee-Moss of Bryhelm wrote."
    marks = [
        (0, 7, "Person", None),
        (0, 12, "Person", None),
        (4, 7, "Surname", None),
        (16, 20, "Firm", None),
        (23, 30, "Verb", None),
        (24, 29, "State", "none"),
        (3, 4, "Gap", None),
    ]
    mentions = [Mention(Span(start, end), label, identifier=need) for start, end, label, need in marks]  # type: ignore[arg-type]
    given_ = prepare([Annotated("1", text, tuple(mentions))])
    (lesson,) = given_.lessons
    found = [(each.span.of(text), given_.labels[each.label]) for each in lesson.marked]
    assert found == [("Ann Lee-Moss", "Person"), ("Bryh", "Firm"), ("wrote.", "Verb")]
    assert lesson.tokens.span(lesson.marked[1].words.start, lesson.marked[1].words.stop - 1).of(text) == "Bryhelm"
    assert given_.left_out == {
        "need not be masked": 1,
        "within or across a longer one": 2,
        "not of whole words": 1,
        "without a word": 1,
    }
    assert "State" not in given_.labels


def test_annotators_are_joined_and_the_label_of_most_is_learnt() -> None:
    several = [Mention(Span(0, 3), label, annotator=who) for who, label in enumerate(("B", "A", "A"))]  # type: ignore[arg-type]
    given_ = prepare([Annotated("1", "Ann left", tuple(several), annotators=3)])
    assert [given_.labels[each.label] for each in given_.lessons[0].marked] == ["A"]


@pytest.mark.parametrize("texts", [[""], [" \n"], ["Ann left", "Bob came"]])
def test_nothing_marked_is_nothing_to_learn(texts: list[str]) -> None:
    with pytest.raises(NotFitted, match="nothing is marked"):
        make_detector([Annotated(str(n), text, ()) for n, text in enumerate(texts)])


def test_few_documents_are_learnt_but_not_measured(spotter: Spotter) -> None:
    made = make_detector(letters(4) + letters(4))
    assert made.spotter.description.folds == 0
    assert made.spotter.description.together.by_word is None
    assert {each.threshold for each in made.spotter.description.labels.values()} == {0.25}
    assert any("fewer than 5" in note for note in made.notes)
    assert made.spotter.spots(letters(4)[0].text)


def test_a_label_that_only_one_document_has_is_missed_there() -> None:
    several = [each if n == 4 else Annotated(each.id, each.text, ()) for n, each in enumerate(letters(6))]
    held = make_detector(several).spotter.description
    assert held.together.by_word is not None
    assert held.together.by_word.recall == 0
    assert held.together.by_word.missed > 0


def test_findings_have_exact_places_and_scores_that_mean_act(spotter: Spotter) -> None:
    fitted = FittedDetector(spotter)
    text = "Ünsaid…\n\n\u200bDear Dr Ka\u00admi Novo,\nsee you, says Dr Kami Novo’s friend.\n"
    findings = fitted.detect(document(text))
    acted = [each for each in findings if each.score >= 0.5]
    assert [each.span.of(text) for each in acted][:1] == ["Ka\u00admi Novo"]
    assert {each.label for each in acted} == {"Person's name"}
    for each, spot in zip(findings, spotter.spots(text), strict=True):
        held = spotter.description.labels[each.label]
        assert (each.score >= 0.5) == (spot.likely >= held.threshold)
        assert each.detector == "fitted"
        assert "Novo" not in repr(each)


@given(st.text(max_size=80) | st.text(st.sampled_from("Dr Kami Novo\n,.12/\u200b½é王"), max_size=80))
@settings(max_examples=60)
def test_any_text_can_be_read(spotter: Spotter, text: str) -> None:
    spots = spotter.spots(text)
    assert disjoint([spot.span for spot in spots])
    assert all(0 <= spot.span.start < spot.span.end <= len(text) and 0.3 <= spot.score <= 1 for spot in spots)


def test_a_long_text_is_read_in_parts_and_found_in_alike(spotter: Spotter, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(each.text for each in letters(30, seed=6))
    whole = [(spot.span, spot.label) for spot in spotter.spots(text) if spot.score >= 0.5]
    monkeypatch.setattr(spotting, "_WINDOW", 2_000)
    several = list(parts(text, 2_000))
    assert "".join(part.of(text) for part in several) == text
    assert len(several) > 3
    found = [(spot.span, spot.label) for spot in spotter.spots(text) if spot.score >= 0.5]
    assert len(set(whole) & set(found)) > 0.97 * len(set(whole) | set(found))
    assert "".join(part.of("x" * 5_000) for part in parts("x" * 5_000, 2_000)) == "x" * 5_000
    lines = "\n" + "Anna Maria Kowalska " * 500
    assert all(part.of(lines).endswith(" ") for part in parts(lines, 2_000))


@pytest.mark.slow
def test_the_same_documents_give_the_same_files(tmp_path: Path, model: Path) -> None:
    (tmp_path / "letters.jsonl").write_text(as_lines(letters(30)))
    fit_detector([tmp_path / "letters.jsonl"], tmp_path / "again")
    assert {path.name: path.read_bytes() for path in model.iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()
    }
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in model.iterdir())


@pytest.mark.slow
def test_several_workers_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "_WORTH_A_POOL", 0)
    alone, together = (make_detector(letters(8), folds=3, workers=workers).spotter for workers in (1, 2))
    assert alone.description == together.description
    assert np.array_equal(alone.crf.weights, together.crf.weights)


def test_a_folder_is_not_overwritten_by_chance(tmp_path: Path, model: Path, spotter: Spotter) -> None:
    (tmp_path / "letters.jsonl").write_text(as_lines(letters(6)))
    with pytest.raises(OutputError, match="holds a detector already"):
        fit_detector([tmp_path / "letters.jsonl"], model)
    with pytest.raises(OutputError, match="inside"):
        fit_detector([tmp_path], tmp_path / "model")
    spotter.save(tmp_path / "model")
    fit_detector([tmp_path / "letters.jsonl"], tmp_path / "model", folds=0, overwrite=True)
    assert len(list((tmp_path / "model").iterdir())) == 2
    assert Spotter.load(tmp_path / "model").description.documents == 6


def copy(model: Path, folder: Path, **changes: Any) -> Path:
    """The model with other weights, whose digest is right, and another description."""
    folder.mkdir()
    described = json.loads((model / DESCRIPTION).read_bytes())
    data = changes.pop("data", (model / f"weights-{described['weights']}.npz").read_bytes())
    described |= {"weights": hashlib.sha256(data).hexdigest(), **changes}
    (folder / f"weights-{described['weights']}.npz").write_bytes(data)
    (folder / DESCRIPTION).write_text(json.dumps(described))
    return folder


def packed(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def hostile(model: Path) -> Iterator[bytes]:
    with np.load(next(model.glob("*.npz"))) as held:
        good = dict(held)
    yield packed(**{**good, "names": np.array([{"a": 1}], object)})
    yield packed(**{**good, "rows": good["rows"] + 10**6})
    yield packed(**{**good, "columns": -good["columns"] - 1})
    yield packed(**{**good, "columns": good["columns"][:-1]})
    yield packed(**{**good, "weights": good["weights"] * np.nan})
    yield packed(**{**good, "weights": good["weights"] * np.float32(1e30)})
    yield packed(**{**good, "weights": good["weights"].astype(np.float64)})
    yield packed(**{**good, "transitions": good["transitions"] * 0 + np.float32(1e9)})
    yield packed(**{**good, "transitions": good["transitions"][:-1]})
    yield packed(**{**good, "ends": good["ends"][::-1].copy()})
    yield packed(**{**good, "tags": good["tags"] * 0})
    yield packed(**{**good, "tags": good["tags"] + 10**6})
    yield packed(**{**good, "more": np.zeros(3)})
    yield packed(**{name: array for name, array in good.items() if name != "tags"})
    bomb = io.BytesIO()
    np.savez_compressed(bomb, **{**good, "names": np.zeros(10**6, np.uint8)})
    yield bomb.getvalue()
    yield b""
    yield b"PK\x03\x04 not a whole archive"


def test_weights_that_make_no_sense_are_refused(tmp_path: Path, model: Path) -> None:
    assert Spotter.load(copy(model, tmp_path / "good")).spots("Dear Dr Kami Novo,")
    for number, data in enumerate(hostile(model)):
        with pytest.raises(MalformedData, match="fit it anew"):
            Spotter.load(copy(model, tmp_path / str(number), data=data))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, "another version"),
        ({"features": 999}, "another version"),
        ({"labels": {}}, "labels"),
        ({"more": 1}, "unknown key"),
        ({"weights": "0" * 64}, "no such file"),
        ({"weights": "../../etc/passwd"}, "digest"),
    ],
)
def test_descriptions_that_make_no_sense_are_refused(
    tmp_path: Path, model: Path, changes: dict[str, Any], said: str
) -> None:
    folder = copy(model, tmp_path / "copy")
    described = json.loads((folder / DESCRIPTION).read_bytes())
    (folder / DESCRIPTION).write_text(json.dumps(described | changes))
    with pytest.raises(MalformedData, match=said):
        Spotter.load(folder)


def test_damage_is_noticed_and_nothing_there_is_told(tmp_path: Path, model: Path) -> None:
    folder = copy(model, tmp_path / "copy")
    file = next(folder.glob("*.npz"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(MalformedData, match="not those saved"):
        Spotter.load(folder)
    with pytest.raises(NotFitted, match="withhold fit detector"):
        Spotter.load(tmp_path)


def test_the_policy_names_it_and_an_unknown_name_is_removed(tmp_path: Path, model: Path) -> None:
    policy = Policy(detection=Detection(fitted=str(model)))
    letter_ = document("The patient, Zovora Mikati, was admitted on Monday.\n")
    redaction = Redactor(policy).redact(letter_)
    assert "Zovora" not in redaction.document.text
    assert "was admitted on Monday" in redaction.document.text
    assert redaction.plan.removed == {"Person's name": 1}
    assert FittedDetector.from_policy(Policy()).detect(letter_) == []
    with pytest.raises(NotFitted):
        FittedDetector.from_policy(Policy(detection=Detection(fitted=str(tmp_path))))


def test_a_model_that_is_fitted_anew_is_read_anew(tmp_path: Path, model: Path) -> None:
    folder = copy(model, tmp_path / "copy")
    policy = Policy(detection=Detection(fitted=str(folder)))
    once = FittedDetector.from_policy(policy)
    assert FittedDetector.from_policy(policy).spotter is once.spotter
    fewer = make_detector(letters(6), folds=0).spotter
    fewer.save(folder, overwrite=True)
    again = FittedDetector.from_policy(policy).spotter
    assert again is not None
    assert again.description.documents == 6


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def test_the_command_tells_how_well_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, part in enumerate((letters(8), letters(16)[8:])):
        (tmp_path / f"{number}.jsonl").write_text(as_lines(part))
    sources = [tmp_path / "0.jsonl", tmp_path / "1.jsonl"]
    assert run("fit", "detector", *sources, "-o", tmp_path / "model", "--folds", 3) == 0
    out, err = capsys.readouterr()
    assert re.search(r"documents +16\n", out)
    assert out.count("any label") == 2
    assert f'[detection] fitted = "{tmp_path / "model"}"' in err
    assert run("fit", "detector", *sources, "-o", tmp_path / "model", "--folds", 3, "--overwrite", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["detector"]["folds"] == 3
    assert told["detector"]["labels"]["file"]["by_word"]["recall"] > 0.5
    assert run("fit", "detector", *sources, "-o", tmp_path / "model", "--folds", 1) == 2


def test_the_command_says_when_it_cannot_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "few.jsonl").write_text(as_lines(letters(3)))
    assert run("fit", "detector", tmp_path / "few.jsonl", "-o", tmp_path / "model") == 0
    out, err = capsys.readouterr()
    assert "could not be measured" in err
    assert "recall" not in out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"text": "Ann left", "spans": []}\n{"text": "Ann le', "line 2"),
        ('{"text": "Ann left", "spans": [{"start": 4, "end": 99, "label": "X"}]}', "record 1"),
        ('{"text": "Ann left", "spans": []}', "nothing is marked"),
        ("", "empty"),
    ],
)
def test_errors_name_the_place_and_quote_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    (tmp_path / "bad.jsonl").write_text(content)
    assert run("fit", "detector", tmp_path / "bad.jsonl", "-o", tmp_path / "model") == 1
    err = capsys.readouterr().err
    assert said in err
    assert "Ann" not in err
    assert not (tmp_path / "model").exists()


def test_the_letters_are_what_their_script_makes() -> None:
    examples = Path(__file__).resolve().parent.parent / "examples"
    made = runpy.run_path(str(examples / "make_letters.py"))["letters"]()
    assert made == (examples / "letters.jsonl").read_text(encoding="utf-8")


def test_zip_members_have_no_time_in_them(model: Path) -> None:
    with zipfile.ZipFile(next(model.glob("*.npz"))) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
