"""The family of attackers and the attack that uses it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import withhold
from withhold.attacks.concept import ConceptAttack
from withhold.errors import MalformedData, NotFitted, OutputError, PolicyError, WithholdError
from withhold.learners.attackers import DESCRIPTION, FAMILY, Family, adaptive, fit_family, hit_rates, ranks
from withhold.types import Block, Document, Secret

TOPICS = {
    "bank": "loan mortgage interest deposit branch credit savings broker cheque lender",
    "clinic": "patient surgery doctor nurse cancer therapy hospital vaccine diagnosis ward",
    "farm": "wheat cattle harvest tractor barley soil milk orchard irrigation crop",
    "airline": "flight pilot runway cargo passenger airport jet cabin luggage hangar",
    "brewery": "beer barrel hops malt lager yeast pub bottle ale cellar",
    "school": "teacher pupil classroom exam lesson homework curriculum college grammar campus",
}
COMMON = ["company", "year", "city", "people", "large", "new", "service", "group", "market", "work", "report", "plan"]
CLASSES = tuple(TOPICS)


def write(topic: str, generator: random.Random, telling: int = 6) -> str:
    words = generator.choices(TOPICS[topic].split(), k=telling) + generator.choices(COMMON, k=10)
    generator.shuffle(words)
    return "The " + " and the ".join(words) + "."


def corpus(size: int, seed: int = 0, telling: int = 6) -> tuple[list[str], np.ndarray]:
    generator = random.Random(seed)
    y = np.array([generator.randrange(len(CLASSES)) for _ in range(size)])
    return [write(CLASSES[number], generator, telling) for number in y], y


@pytest.fixture(scope="module")
def family() -> Family:
    return fit_family(*corpus(150), CLASSES)


def document(text: str) -> Document:
    return Document(text, text.encode(), "txt", (Block(withhold.Span(0, len(text))),))


@pytest.mark.parametrize("name", FAMILY)
def test_every_attacker_succeeds_on_clean_text(family: Family, name: str) -> None:
    texts, y = corpus(80, seed=1)
    assert hit_rates(family.ranks(name, texts, y), 3)[0] > 0.95


@pytest.mark.parametrize("name", FAMILY)
def test_every_attacker_fails_on_text_that_tells_nothing(family: Family, name: str) -> None:
    texts, y = corpus(120, seed=1, telling=0)
    assert hit_rates(family.ranks(name, texts, y), 1)[0] < 0.4


def test_words_are_the_attackers_own() -> None:
    family = fit_family(["alpha alpha beta the the", "beta gamma"], [0, 1], ("a", "b"), names=("naive_bayes",))
    assert family.attackers["naive_bayes"].arrays()["weights"].shape == (2, 2)
    fewer = fit_family(*corpus(50), CLASSES, vocabulary_size=7, names=("centroid",))
    assert fewer.attackers["centroid"].arrays()["weights"].shape == (6, 7)


@pytest.mark.parametrize("name", FAMILY)
def test_odd_texts_are_no_trouble(family: Family, name: str) -> None:
    scores = family.scores(name, ["", "   ", "\ud800", "日本", "wheat", "xyzzy " * 5000])
    assert scores.shape == (6, 6)
    assert np.all(np.isfinite(scores))
    assert family.scores(name, []).shape == (0, 6)


def test_attackers_learn_with_empty_documents_and_absent_classes() -> None:
    texts, y = corpus(60)
    made = fit_family([*texts, "", "the"], np.append(y, [0, 1]), (*CLASSES, "no document"))
    for name in FAMILY:
        assert made.scores(name, texts)[:, 6].max() < made.scores(name, texts)[:, :6].min()


def test_nothing_to_learn_from_is_refused() -> None:
    for texts in ([], [""], ["the of"]):
        with pytest.raises(NotFitted):
            fit_family(texts, [0] * len(texts), ("a", "b"))
    for y in ([0], [0, 2], [0, -1]):
        with pytest.raises(ValueError, match="every text"):
            fit_family(["wheat wheat", "beer beer"], y, ("a", "b"))


def test_the_baseline_is_the_most_frequent_classes() -> None:
    family = fit_family(["word word"] * 10, [0] * 5 + [1] * 2 + [2] * 3, ("a", "b", "c", "d"), names=("naive_bayes",))
    assert [family.baseline(guesses) for guesses in range(5)] == [0.0, 0.5, 0.8, 1.0, 1.0]


def test_ranks_and_rates() -> None:
    scores = np.array([[3.0, 2.0, 1.0], [0.0, 5.0, 1.0]])
    assert ranks(scores, [1, 0]).tolist() == [2, 3]
    assert hit_rates(np.array([2, 3]), 3) == [0.0, 0.5, 1.0]
    assert hit_rates(np.zeros(0, np.int64), 2) == [0.0, 0.0]


def test_attackers_who_learn_from_redacted_text_find_what_is_left_of_it() -> None:
    """The usual words are replaced by one word for each class, which only those who saw redacted texts can read."""

    def redact(texts: list[str], y: np.ndarray) -> list[str]:
        marks = ["kyanite", "zircon", "olivine", "garnet", "topaz", "beryl"]
        return [f"{' '.join(COMMON)} {marks[number]}" for _, number in zip(texts, y, strict=True)]

    (train, y), (test, truth) = corpus(120), corpus(60, seed=2)
    found = adaptive(redact(train, y), y, redact(test, truth), truth, 6, 2)
    assert set(found) == {"naive_bayes", "logistic"}
    assert all(rates == [1.0, 1.0] for rates in found.values())
    blind = fit_family(train, y, CLASSES, names=("logistic",))
    assert hit_rates(blind.ranks("logistic", redact(test, truth), truth), 1)[0] < 0.5


def test_a_family_is_loaded_as_it_was_saved(family: Family, tmp_path: Path) -> None:
    texts, _ = corpus(20, seed=3)
    family.save(tmp_path / "a" / "b")
    again = Family.load(tmp_path / "a" / "b")
    assert (again.classes, again.names) == (family.classes, family.names)
    assert again.baseline(2) == family.baseline(2)
    for name in FAMILY:
        assert np.array_equal(again.scores(name, texts), family.scores(name, texts))


def test_a_family_is_replaced_whole_and_only_if_allowed(family: Family, tmp_path: Path) -> None:
    family.save(tmp_path)
    with pytest.raises(OutputError, match="already"):
        family.save(tmp_path)
    fit_family(*corpus(40), CLASSES, names=("svm",)).save(tmp_path, overwrite=True)
    assert Family.load(tmp_path).names == ("svm",)
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(OutputError):
        family.save(tmp_path / DESCRIPTION / "inside")


def test_nothing_but_numbers_and_words_is_saved(family: Family, tmp_path: Path) -> None:
    family.save(tmp_path)
    described = json.loads((tmp_path / DESCRIPTION).read_text())
    assert set(described) == {"format", "names", "classes", "documents", "words", "arrays"}
    with np.load(next(tmp_path.glob("*.npz")), allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays.files} <= {"f", "i"}
    assert "bank" not in repr(family)


def repack(folder: Path, data: bytes, **changes: object) -> None:
    """Put other arrays in, with the digest they have."""
    digest = sha256(data).hexdigest()
    (folder / f"attackers-{digest}.npz").write_bytes(data)
    described = json.loads((folder / DESCRIPTION).read_text())
    (folder / DESCRIPTION).write_text(json.dumps({**described, "arrays": digest, **changes}))


def npz(**arrays: np.ndarray) -> bytes:
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


def pickled() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        holder = io.BytesIO()
        np.save(holder, np.array([{"a": 1}], object), allow_pickle=True)
        archive.writestr("svm.weights.npy", holder.getvalue())
    return packed.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "noise": lambda: b"PK\x03\x04 noise",
    "no arrays": npz,
    "pickled": pickled,
    "other shape": lambda: npz(**{f"svm.{key}": np.zeros(3, np.float32) for key in ("weights", "bias", "idf")}),
    "texts": lambda: npz(**{f"svm.{key}": np.array(["a"]) for key in ("weights", "bias", "idf")}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_arrays_are_refused(tmp_path: Path, kind: str) -> None:
    fit_family(*corpus(30), CLASSES, names=("svm",)).save(tmp_path)
    repack(tmp_path, HOSTILE[kind]())
    with pytest.raises(MalformedData):
        Family.load(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"names": ["oracle"]},
        {"names": []},
        {"classes": ["bank"] * 6},
        {"documents": [1, 2]},
        {"documents": [-1] * 6},
        {"documents": [0] * 6},
        {"words": ["one"]},
        {"words": ["twice", "twice"]},
        {"arrays": "../" * 20},
        {"arrays": "0" * 64},
        {"extra": 1},
    ],
    ids=str,
)
def test_hostile_descriptions_are_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    fit_family(*corpus(30), CLASSES, names=("svm",)).save(tmp_path)
    described = json.loads((tmp_path / DESCRIPTION).read_text())
    (tmp_path / DESCRIPTION).write_text(json.dumps({**described, **changes}))
    with pytest.raises(WithholdError):
        Family.load(tmp_path)


def test_compressed_arrays_are_refused_before_they_can_fill_the_memory(family: Family, tmp_path: Path) -> None:
    family.save(tmp_path)
    with np.load(next(tmp_path.glob("*.npz"))) as file:
        packed = io.BytesIO()
        np.savez_compressed(packed, **{name: file[name] for name in file.files})
    repack(tmp_path, packed.getvalue())
    with pytest.raises(MalformedData):
        Family.load(tmp_path)


def test_a_damaged_family_is_refused(family: Family, tmp_path: Path) -> None:
    family.save(tmp_path)
    saved = next(tmp_path.glob("*.npz"))
    with np.load(saved) as file:
        arrays = {name: file[name] for name in file.files}
    saved.write_bytes(npz(**{**arrays, "svm.bias": arrays["svm.bias"] + 1}))
    with pytest.raises(MalformedData, match="not those saved"):
        Family.load(tmp_path)
    saved.unlink()
    with pytest.raises(MalformedData):
        Family.load(tmp_path)
    (tmp_path / DESCRIPTION).write_bytes(b"{")
    with pytest.raises(MalformedData):
        Family.load(tmp_path)


@pytest.fixture
def policy(family: Family, tmp_path: Path) -> withhold.Policy:
    family.save(tmp_path / "model" / "attackers" / "industry")
    return withhold.Policy(folder=str(tmp_path))


SECRET = Secret("industry", "concepts", attribute="industry", value="bank", fitted="model", k=3)


def test_the_attack_wins_on_clean_text_and_loses_on_an_emptied_one(policy: withhold.Policy, family: Family) -> None:
    attack = ConceptAttack.from_policy(policy)
    clean = attack.attack(document(write("bank", random.Random(9))), [SECRET])
    assert [outcome.attack for outcome in clean] == [f"concept:{name}" for name in FAMILY]
    assert all(outcome.result == 1.0 and outcome.note == "rank 1 of 6" for outcome in clean)
    assert all(outcome.interval == (pytest.approx(0.2065, abs=1e-4), 1.0) for outcome in clean)
    assert {(outcome.secret, outcome.trials) for outcome in clean} == {("industry", 1)}
    assert {outcome.baseline for outcome in clean} == {family.baseline(2)}
    rarest = CLASSES[int(np.argmin(family.documents))]
    emptied = attack.attack(document(f"The {' '.join(COMMON)}"), [replace(SECRET, value=rarest, k=2)])
    assert all(outcome.result == 0.0 and outcome.interval[0] == 0.0 for outcome in emptied)


@pytest.mark.parametrize(("counting", "others"), [("all", 0), ("others", 1)])
def test_an_attacker_has_as_many_guesses_as_classes_should_come_first(
    policy: withhold.Policy, family: Family, counting: Literal["all", "others"], others: int
) -> None:
    attack, text = ConceptAttack.from_policy(policy), write("farm", random.Random(4))
    for name in FAMILY:
        rank = int(family.ranks(name, [text], [0])[0])
        assert rank > 1
        for guesses in (rank - 1, rank):
            secret = replace(SECRET, k=guesses + 1 - others, counting=counting)
            results = {outcome.attack: outcome.result for outcome in attack.attack(document(text), [secret])}
            reads = family.lead(name, text, 0, guesses) > 0
            assert results[f"concept:{name}"] == float(guesses == rank and reads)


@pytest.mark.parametrize("name", FAMILY)
def test_what_an_attacker_goes_by_is_what_it_needs(policy: withhold.Policy, family: Family, name: str) -> None:
    text, true = write("bank", random.Random(9)), CLASSES.index("bank")
    assert family.lead(name, text, true, 1) > 0
    read = family.telling(name, text, true, 1)
    assert 0 < len(read) < len(set(text.split()))
    without = " ".join(word for word in text.split() if word.strip(".,").lower() not in read)
    assert family.lead(name, without, true, 1) <= 0
    [outcome] = [
        each
        for each in ConceptAttack.from_policy(policy).attack(document(text), [replace(SECRET, k=2)])
        if each.attack == f"concept:{name}"
    ]
    assert outcome.wins
    assert {span.of(text).lower() for span in outcome.telling} == set(read)


@pytest.mark.parametrize("name", FAMILY)
def test_no_attacker_wins_by_guessing_the_likeliest_class(family: Family, name: str) -> None:
    assert all(family.lead(name, "", true, guesses) <= 0 for true in range(len(CLASSES)) for guesses in (0, 1, 3))


def test_marks_are_passed_over(policy: withhold.Policy) -> None:
    attack = ConceptAttack.from_policy(policy)
    text = write("farm", random.Random(4))
    marked = text.replace(" and ", " [REDACTED] and ")
    assert attack.attack(document(marked), [SECRET]) == attack.attack(document(text), [SECRET])


def test_secrets_of_other_models_are_left_alone_and_those_without_a_value_told(policy: withhold.Policy) -> None:
    other = Secret("topic", "association", value="bank")
    told = ConceptAttack.from_policy(policy).attack(document("wheat"), [other, replace(SECRET, value=None)])
    assert [(outcome.secret, outcome.trials, outcome.result) for outcome in told] == [("industry", 0, 0.0)]
    assert "no value" in told[0].note


def test_a_class_nobody_could_learn_is_said_to_be_one(tmp_path: Path) -> None:
    texts, y = corpus(60)
    fit_family(texts, y, (*CLASSES, "rare")).save(tmp_path / "model" / "attackers" / "industry")
    attack = ConceptAttack.from_policy(withhold.Policy(folder=str(tmp_path)))
    outcomes = attack.attack(document("wheat"), [replace(SECRET, value="rare")])
    assert all(outcome.note == "rank 7 of 7; no document of the class to learn from" for outcome in outcomes)


def test_what_cannot_be_attacked_is_an_error(policy: withhold.Policy) -> None:
    attack = ConceptAttack.from_policy(policy)
    with pytest.raises(NotFitted, match="withhold fit concepts"):
        attack.attack(document("wheat"), [replace(SECRET, fitted=None)])
    for secret in (replace(SECRET, fitted="none"), replace(SECRET, attribute="client")):
        [told] = attack.attack(document("wheat"), [secret])
        assert (told.trials, told.note) == (0, "not tried: the model has no attackers")
    with pytest.raises(PolicyError, match="none of the classes") as refused:
        attack.attack(document("wheat"), [replace(SECRET, value="Acme")])
    assert "Acme" not in str(refused.value)
