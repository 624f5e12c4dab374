"""Guessing the types of masks: classifiers, models as files, the attack, and how it is measured."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score, f1_score

from withhold import Policy
from withhold.attacks.mask_type import MaskTypeAttack
from withhold.errors import MalformedData, NotFitted, OutputError
from withhold.evaluation.mask_type import settings as ways
from withhold.evaluation.mask_type.inflated import smote
from withhold.evaluation.mask_type.measures import majority, score
from withhold.evaluation.mask_type.protocol import arrange, evaluate
from withhold.learners.masks.cases import MARK, Masked
from withhold.learners.masks.classifiers import Chain, Classifier, Logistic, Svm, folds, softmax
from withhold.learners.masks.ensemble import Ensemble
from withhold.learners.masks.features import rows
from withhold.learners.masks.model import DESCRIPTION, MaskTypes, _unpack
from withhold.learners.masks.networks import Convolution, FeedForward
from withhold.learners.masks.trees import Boosting, Forest, Trees
from withhold.learners.masks.views import Views
from withhold.spans import Span
from withhold.types import Block, Document, Mask, Secret

PATTERNS = (
    ("The applicant, Mr {}, was born in the town of {}.", ("PERSON", "LOC")),
    ("He lodged the complaint on {} with the {} of Appeal.", ("DATETIME", "ORG")),
    ("On {} the {} dismissed it.", ("DATETIME", "ORG")),
    ("Ms {} moved to a house in {} on {}.", ("PERSON", "LOC", "DATETIME")),
    ("The {} heard Mr {} as a witness.", ("ORG", "PERSON")),
)
NAMES = {
    "PERSON": ("Smith", "Ann Jones", "O. Brown"),
    "LOC": ("Leeds", "York", "Upper Hull"),
    "DATETIME": ("3 May 1999", "June 2001", "1980"),
    "ORG": ("Court", "District Council", "Ministry"),
}


def record(number: int) -> dict[str, Any]:
    """A text with marked entities, the same for the same number."""
    chance = np.random.default_rng(number)
    text, spans = "", []
    for _ in range(5):
        pattern, types = PATTERNS[int(chance.integers(len(PATTERNS)))]
        for part, kind in zip(pattern.split("{}"), (*types, ""), strict=True):
            text += part
            if kind:
                name = NAMES[kind][int(chance.integers(3))]
                spans.append({"start": len(text), "end": len(text) + len(name), "label": kind})
                text += name
        text += "\n" if chance.random() < 0.3 else " "
    return {"id": f"d{number}", "text": text, "spans": spans}


def masked(number: int) -> Masked:
    made = record(number)
    spans = [Span(each["start"], each["end"]) for each in made["spans"]]
    return Masked.of(made["text"], spans, [each["label"] for each in made["spans"]])


DOCUMENTS = [masked(number) for number in range(14)]
CLASSES = sorted(NAMES)


def numbered(views: Views) -> Any:
    return np.array([CLASSES.index(label) for label in views.labels], np.int64)


MAKES: dict[str, Callable[[], Classifier]] = {
    "svm": Svm,
    "svm_words": lambda: Svm(alone=True),
    "crf": Chain,
    "forest": lambda: Forest(trees=8),
    "boosting": lambda: Boosting(rounds=12),
    "feed_forward": lambda: FeedForward(layers=(16,), epochs=20),
    "convolution": lambda: Convolution(filters=16, hidden=16, epochs=80),
    "embeddings": lambda: Logistic("summary"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKES)
def test_classifiers_learn_and_come_back_from_arrays(name: str) -> None:
    views = Views(DOCUMENTS)
    tested = views.document >= 10
    y = numbered(views)
    fitted = MAKES[name]().fit(views.take(~tested), y[~tested], len(CLASSES))
    likely = fitted.probabilities(views.take(tested))
    assert np.allclose(likely.sum(1), 1)
    assert np.mean(likely.argmax(1) == y[tested]) > 0.85
    again = MAKES[name]().restore(fitted.arrays(), len(CLASSES))
    assert np.allclose(again.probabilities(views.take(tested)), likely, atol=1e-5)
    repeated = MAKES[name]().fit(views.take(~tested), y[~tested], len(CLASSES))
    assert np.array_equal(repeated.probabilities(views.take(tested)), likely)


@pytest.mark.parametrize("name", MAKES)
def test_a_type_that_nobody_has_is_no_obstacle(name: str) -> None:
    views = Views(DOCUMENTS[:6])
    y = numbered(views)
    kept = y != 1
    likely = MAKES[name]().fit(views.take(kept), y[kept], len(CLASSES)).probabilities(views)
    assert likely.shape == (len(y), len(CLASSES))
    assert not np.any(likely.argmax(1) == 1)


@pytest.mark.parametrize("name", MAKES)
def test_damaged_arrays_are_refused(name: str) -> None:
    views = Views(DOCUMENTS[:6])
    arrays = MAKES[name]().fit(views, numbered(views), len(CLASSES)).arrays()
    for key in arrays:
        if key == "bias" and name == "crf":
            continue
        less = {other: array for other, array in arrays.items() if other != key}
        with pytest.raises(KeyError):
            MAKES[name]().restore(less, len(CLASSES))
    with pytest.raises(ValueError, match=r".*"):
        MAKES[name]().restore({key: array[..., :-1] for key, array in arrays.items()}, len(CLASSES) + 3)


def test_trees_say_what_the_forest_says() -> None:
    chance = np.random.default_rng(3)
    x, y = chance.normal(size=(200, 6)).astype(np.float32), chance.integers(0, 3, 200)
    forest = RandomForestClassifier(9, random_state=0).fit(x, y)
    assert np.allclose(Trees.of(forest.estimators_)(x) / 9, forest.predict_proba(x), atol=1e-6)


def test_trees_that_lead_in_circles_are_refused() -> None:
    chance = np.random.default_rng(3)
    x, y = chance.normal(size=(50, 3)).astype(np.float32), chance.integers(0, 2, 50)
    arrays = Trees.of(RandomForestClassifier(2, random_state=0).fit(x, y).estimators_).arrays()
    assert np.array_equal(Trees.restored(arrays, 2)(x), Trees(arrays)(x))
    with pytest.raises(ValueError, match="saved"):
        Trees.restored({**arrays, "left": np.zeros_like(arrays["left"])}, 2)


def test_the_slopes_of_a_convolution_are_those_of_its_loss() -> None:
    chance = np.random.default_rng(0)
    network = Convolution(filters=5, width=3, hidden=7)
    near, y = chance.normal(size=(6, 16, 4)).astype(np.float32), np.array([0, 1, 2, 0, 1, 2])
    shapes = {"k": (12, 5), "c": (5,), "w0": (30, 7), "b0": (7,), "w1": (7, 3), "b1": (3,)}
    learnt = {name: (0.5 * chance.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}

    class Never(np.random.Generator):
        """Chance that leaves nothing out."""

        def random(self, *args: Any, **kwargs: Any) -> Any:
            return np.ones(args[0])

    def loss() -> float:
        joined = network._answers(near, learnt)[0] / np.float32(0.7)
        hidden = np.maximum(joined @ learnt["w0"] + learnt["b0"], 0)
        likely = softmax((hidden @ learnt["w1"] + learnt["b1"]).astype(np.float64))
        return float(-np.log(likely[np.arange(6), y]).mean())

    slopes = network._slopes(near, y, learnt, Never(np.random.PCG64(0)))
    for name, array in learnt.items():
        for place in zip(*(chance.integers(0, size, 6) for size in array.shape), strict=True):
            kept = array[place]
            array[place] = kept + 1e-2
            above = loss()
            array[place] = kept - 1e-2
            below = loss()
            array[place] = kept
            assert slopes[name][place] == pytest.approx((above - below) / 2e-2, abs=3e-3)


def test_features_see_the_words_and_the_length_of_a_mark_that_keeps_it() -> None:
    text, spans = "paid on 3 May to Mr Li", [Span(8, 13), Span(20, 22)]
    one, kept = rows([Masked.of(text, spans)]), rows([Masked.of(text, spans, keep_length=True)])
    assert one.shape[0] == 2
    assert kept[0].sum() == one[0].sum() + 2
    longer = "paid on 13 June 2001 to Mr Lindqvist"
    assert (rows([Masked.of(longer, [Span(8, 20), Span(27, 36)])]) != one).nnz == 0


def test_a_view_of_some_masks_is_part_of_the_view_of_all() -> None:
    views = Views(DOCUMENTS[:4])
    some = views.take(np.array([5, 1, 7]))
    assert some.labels == [views.labels[place] for place in (5, 1, 7)]
    assert np.array_equal(some.summary, views.summary[[5, 1, 7]])
    assert (some.rows != views.rows[[5, 1, 7]]).nnz == 0
    assert np.array_equal(some.take([2]).prior, views.prior[[7]])


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(2, 6))
def test_no_document_is_on_both_sides(numbers: list[int], count: int) -> None:
    documents = np.array(numbers, np.int64)
    parts = folds(documents, count)
    assert len(parts) in (0, min(count, len(set(numbers))))
    for part in parts:
        assert part.any()
        assert not set(documents[part].tolist()) & set(documents[~part].tolist())
    if parts:
        assert np.array_equal(np.sum(parts, axis=0), np.ones(len(documents)))


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=60))
def test_measures_are_the_usual_ones(cases: list[tuple[int, int, int]]) -> None:
    y, guessed, documents = (np.array(each, np.int64) for each in zip(*cases, strict=True))
    found = score(guessed, y, documents, "abcd", draws=20)
    there = sorted(set(y.tolist()))
    assert found["accuracy"] == pytest.approx(float(np.mean(guessed == y)))
    recalls = [np.mean(guessed[y == each] == each) for each in there]
    assert found["balanced_accuracy"] == pytest.approx(float(np.mean(recalls)))
    assert found["macro_f1"] == pytest.approx(f1_score(y, guessed, labels=there, average="macro", zero_division=0))
    assert majority(y, y, 4) == max(np.mean(y == each) for each in range(4))
    if len(there) > 1 and set(guessed.tolist()) <= set(there):
        assert found["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(y, guessed))


def test_synthetic_samples_lie_between_two_of_their_class() -> None:
    chance = np.random.default_rng(0)
    x = np.array([[0, 0], [1, 0], [5, 5], [5, 6], [5, 7]], np.float32)
    more, numbers = smote(x, np.array([0, 0, 1, 1, 1]), 40, chance)
    assert np.bincount(numbers).tolist() == [40, 40]
    assert np.array_equal(more[:5], x)
    assert np.all(more[numbers == 0][:, 1] == 0)
    assert np.all(more[numbers == 1][:, 0] == 5)


def test_looks_alike_and_undone() -> None:
    disguised = ways.disguised(DOCUMENTS[0])
    assert disguised.tokens != DOCUMENTS[0].tokens
    assert disguised.masks == DOCUMENTS[0].masks
    assert ways.plain(disguised).tokens == DOCUMENTS[0].tokens
    assert set(ways.bare(DOCUMENTS[0]).tokens) == {MARK}


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masks")
    MaskTypes.fit(DOCUMENTS).save(folder, about="made texts")
    return folder


def test_a_model_is_saved_and_loaded(fitted: Path, tmp_path: Path) -> None:
    model = MaskTypes.load(fitted)
    assert (model.classes, model.documents, model.about) == (tuple(CLASSES), 14, "made texts")
    new = masked(50)
    assert np.mean([a == b for a, b in zip(model.guesses(new), new.types, strict=True)]) > 0.9
    assert model.probabilities([]).shape == (0, 4)
    with pytest.raises(OutputError, match="already"):
        model.save(fitted)
    assert not model.general
    model.general = True
    again = MaskTypes.load(model.save(tmp_path))
    assert again.general
    assert again.guesses(new) == model.guesses(new)


def test_damaged_models_are_refused(fitted: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFitted, match="fit mask-type"):
        MaskTypes.load(tmp_path)
    described = json.loads((fitted / DESCRIPTION).read_text("utf-8"))
    data = (fitted / f"mask_type-{described['arrays']}.npz").read_bytes()
    (tmp_path / f"mask_type-{described['arrays']}.npz").write_bytes(data[:-9])
    (tmp_path / DESCRIPTION).write_text(json.dumps(described), "utf-8")
    with pytest.raises(MalformedData, match="not those saved"):
        MaskTypes.load(tmp_path)
    (tmp_path / DESCRIPTION).write_text(json.dumps({**described, "reads": "0" * 64}), "utf-8")
    with pytest.raises(NotFitted, match="another version"):
        MaskTypes.load(tmp_path)
    (tmp_path / DESCRIPTION).write_text(json.dumps({**described, "members": ["os.system"]}), "utf-8")
    with pytest.raises(MalformedData):
        MaskTypes.load(tmp_path)
    packed = io.BytesIO()
    np.savez_compressed(packed, powers=np.zeros(2))
    with pytest.raises(ValueError, match="compressed"):
        _unpack(packed.getvalue())
    with pytest.raises(zipfile.BadZipFile):
        _unpack(b"nothing")


def test_too_little_to_learn_from() -> None:
    with pytest.raises(NotFitted, match="two or more"):
        MaskTypes.fit([DOCUMENTS[0]])
    with pytest.raises(NotFitted, match="two or more"):
        MaskTypes.fit([Masked.of("Mr Li", [Span(3, 5)], ["PERSON"])] * 3)


@pytest.mark.slow
def test_an_ensemble_trusts_the_member_that_is_right() -> None:
    views = Views(DOCUMENTS)
    y = numbered(views)
    ensemble = Ensemble(["svm", "embeddings"]).fit(views, y, len(CLASSES))
    assert np.all(ensemble.powers >= 0)
    assert ensemble.powers.sum() > 0
    assert np.mean(ensemble.probabilities(views).argmax(1) == y) > 0.95


TEXT = (
    "The case originated in an application (no. [REDACTED]) against the [REDACTED] lodged with the Court by a "
    "[REDACTED] national, [REDACTED], on [REDACTED].\nOn [REDACTED] the [REDACTED] sentenced him. He was heard with "
    "[REDACTED], a lawyer practising in [REDACTED].\n"
)
TYPES = ("CODE", "ORG", "DEM", "PERSON", "DATETIME", "DATETIME", "ORG", "PERSON", "LOC")


def document(text: str) -> Document:
    return Document(text, text.encode(), "txt", (Block(Span(0, len(text))),))


def places(text: str, mark: str = "[REDACTED]") -> list[Span]:
    starts = [n for n in range(len(text)) if text.startswith(mark, n)]
    return [Span(start, start + len(mark)) for start in starts]


def test_the_shipped_attack_needs_no_training() -> None:
    attack = MaskTypeAttack.from_policy(Policy())
    (outcome,) = attack.attack(document(TEXT), ())
    assert (outcome.trials, outcome.wins) == (0, False)
    assert "DATETIME 2" in outcome.note
    masks = [Mask(span, label) for span, label in zip(places(TEXT), TYPES, strict=True)]
    (outcome,) = attack.attack(document(TEXT), (), masks)
    assert (outcome.trials, outcome.baseline, outcome.wins) == (9, 2 / 9, False)
    assert outcome.result > 0.7
    assert outcome.interval[0] < outcome.result <= outcome.interval[1]


def test_the_attack_wins_only_where_types_are_a_secret() -> None:
    attack = MaskTypeAttack.from_policy(Policy())
    masks = [Mask(span, label) for span, label in zip(places(TEXT), TYPES, strict=True)]
    secret = Secret("kinds", model="mask_type")
    other = Secret("client", model="concepts", value="Acme")
    (outcome,) = attack.attack(document(TEXT), [other, secret], masks)
    assert (outcome.secret, outcome.wins) == ("kinds", True)
    (outcome,) = attack.attack(document(TEXT), [Secret("kinds", model="mask_type", ceiling=0.99)], masks)
    assert not outcome.wins
    (outcome,) = attack.attack(document("Nothing is gone."), [secret])
    assert (outcome.trials, outcome.wins) == (0, False)
    assert attack.attack(document("Nothing is gone."), [other]) == []


def test_labels_are_no_help_and_look_alikes_no_hindrance() -> None:
    attack = MaskTypeAttack.from_policy(Policy())
    right = [Mask(span, label) for span, label in zip(places(TEXT), TYPES, strict=True)]
    wrong = [Mask(span, "QUANTITY") for span in places(TEXT)]
    assert attack.attack(document(TEXT), (), wrong)[0].result < 0.3
    disguised = "".join(part.translate(ways.EVASION) + "[REDACTED]" for part in TEXT.split("[REDACTED]"))[:-10]
    moved = [Mask(span, mask.label) for span, mask in zip(places(disguised), right, strict=True)]
    plain = attack.attack(document(TEXT), (), right)[0]
    assert attack.attack(document(disguised), (), moved)[0].result == plain.result


def test_a_mark_that_names_its_type_is_believed() -> None:
    text = "It was [PERSON 1] who came with [EMAIL_2]."
    masks = [Mask(Span(7, 17), "PERSON"), Mask(Span(32, 41), "EMAIL")]
    (outcome,) = MaskTypeAttack.from_policy(Policy()).attack(document(text), (), masks)
    assert (outcome.result, outcome.trials) == (1.0, 2)


def test_a_model_of_ones_own_is_asked(fitted: Path) -> None:
    secret = Secret("kinds", model="mask_type", fitted=str(fitted))
    text = "The applicant, Mr ███, was born in the town of ███. On ███ the ███ dismissed it."
    (outcome,) = MaskTypeAttack.from_policy(Policy()).attack(document(text), [secret])
    assert outcome.note.endswith("guessed: PERSON 1, LOC 1, DATETIME 1, ORG 1")


def track(items: Any, total: int, title: str) -> Any:
    yield from items


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("marked")
    for name, numbers in (("data", range(8)), ("train", range(5, 16))):
        lines = [json.dumps(record(number)) for number in numbers]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    return folder / "data.jsonl", folder / "train.jsonl"


def test_evaluation_by_document_and_as_published(data: tuple[Path, Path]) -> None:
    report = evaluate(data[0], attackers=("svm_words",), defend=False, draws=50, track=track)
    assert report["documents"] == 8
    assert report["accuracy"] > 0.9 > 0.5 > report["majority"]
    assert report["settings"]["all_masked_one_mark"]["accuracy"] == report["accuracy"]
    assert report["settings"]["length_alone"]["accuracy"] < report["accuracy"]
    look_alikes = [report["settings"][f"look_alikes_{each}"]["accuracy"] for each in ("naive", "normalised")]
    assert look_alikes[0] <= look_alikes[1] == report["accuracy"]
    assert report["inflation"]["training_data"] >= report["inflation"]["honest"]
    assert set(report["inflation"]) == set(report["inflation_explained"])


def test_evaluation_leaves_out_what_it_is_tested_on(data: tuple[Path, Path]) -> None:
    report = evaluate(*data, attackers=("svm_words",), protocol="honest", defend=False, draws=0, track=track)
    assert (report["documents"], report["learnt_from"], report["left_out"]) == (8, 8, 3)
    assert report["accuracy"] > 0.9
    with pytest.raises(MalformedData, match="not in"):
        evaluate(data[0], data[0], attackers=("svm_words",), defend=False, track=track)


def test_of_one_kind_alone_nothing_can_be_told_apart(tmp_path: Path) -> None:
    record = {"text": "Ann met Bob in May.", "spans": [{"start": 0, "end": 3, "label": "PERSON"}]}
    texts = [json.dumps({**record, "text": f"{record['text']} Note {number}."}) for number in range(4)]
    (tmp_path / "one.jsonl").write_text("\n".join(texts))
    with pytest.raises(MalformedData, match="one kind"):
        evaluate(tmp_path / "one.jsonl", attackers=("svm_words",), defend=False, track=track)


def test_texts_of_one_group_stay_together() -> None:
    cases = arrange(DOCUMENTS[:6], alike=[0, 0, 2, 2, 4, 4], parts=3)
    for learnt, tested in cases.rounds:
        both = [{n // 2 for n in np.unique(Views(DOCUMENTS[:6]).document[each]).tolist()} for each in (learnt, tested)]
        assert not both[0] & both[1]


@pytest.mark.slow
def test_few_texts_with_labels_of_any_sort_are_defended(tmp_path: Path) -> None:
    texts = ("Dear Mr @, on the day you called", "They paid @ to Ms @.", "@ lives.", "Write to @ before noon, or to @.")
    labels = iter(("PERSON", "MONEY", "PERSON", "PERSON", "EMAIL", "NICKNAME"))
    lines = [
        {"id": str(n), "text": text, "spans": [{"start": at, "end": at + 1, "label": next(labels)} for at in places]}
        for n, text in enumerate(texts)
        for places in [[at for at, letter in enumerate(text) if letter == "@"]]
    ]
    (tmp_path / "few.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    report = evaluate(tmp_path / "few.jsonl", attackers=("svm_words",), protocol="honest", draws=0, track=track)
    assert report["defended"] >= report["majority"]
    assert 0.8 < report["words_kept"] < 1
    assert list(report["defence"]) == ["0.9"]
