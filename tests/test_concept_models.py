"""Concept models: statistics, Naive Bayes and mutual information against oracles; saving, updating, hostile files."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_selection import mutual_info_classif
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from withhold.errors import MalformedData, NotFitted, OutputError
from withhold.learners import pairs
from withhold.learners.concepts import Concepts
from withhold.learners.features import Features
from withhold.learners.naive_bayes import NaiveBayes, Without, mutual_information
from withhold.learners.statistics import Statistics

WORDS = ["acme", "steel", "Zürich", "bank", "loan", "42", "plant", "the", "rail", "x"]
DOCUMENTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
        st.fixed_dictionaries(
            {"client": st.sampled_from([("A",), ("B",), ("C",)])},
            optional={"sector": st.lists(st.sampled_from("stu"), max_size=3).map(tuple)},
        ),
    ),
    max_size=12,
)
COMMON = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
Documents = list[tuple[str, dict[str, tuple[str, ...]]]]


def learnt(documents: Documents, features: Features | None = None, max_pairs: int = 10**6) -> Statistics:
    statistics = Statistics(features, max_pairs)
    statistics.add([text for text, _ in documents], [labels for _, labels in documents])
    return statistics


def told(statistics: Statistics) -> dict[object, object]:
    """All that was counted, in no order."""
    everything: dict[object, object] = {"documents": statistics.documents, "lost": statistics.lost}
    for name, held in statistics.attributes.items():
        counts, classes = statistics.counts(name), list(held.classes)
        for row, word in enumerate(statistics.words):
            for place in range(counts.indptr[row], counts.indptr[row + 1]):
                both = pairs.occurrences(counts)[place], pairs.documents(counts)[place]
                everything[name, word, classes[counts.indices[place]]] = both
        everything[name] = dict(zip(classes, held.documents.tolist(), strict=True))
        held.fingerprints.sort()
        marks = zip(held.fingerprints.marks.tolist(), held.fingerprints.classes.tolist(), strict=True)
        everything[name, "fingerprints"] = Counter((mark, classes[number]) for mark, number in marks)
    return everything


def by_hand(documents: Documents, features: Features) -> dict[object, object]:
    expected: dict[object, tuple[int, int]] = {}
    for text, labels in documents:
        for name, values in labels.items():
            for value in set(values):
                for word, count in features.counts(text).items():
                    occurrences, presences = expected.get((name, word, value), (0, 0))
                    expected[name, word, value] = (occurrences + count, presences + 1)
    return dict(expected)


def corpus(size: int = 120, seed: int = 3) -> Documents:
    draw = random.Random(seed)
    own = {"A": "steel plant", "B": "bank loan", "C": "rail steel", "D": "bank insurer"}
    sectors = {"A": "industry", "B": "finance", "C": "industry", "D": "finance"}
    documents: Documents = []
    for _ in range(size):
        client = draw.choice("ABCD")
        common = [draw.choice(COMMON) for _ in range(6)]
        text = " ".join([*common, *draw.choices(own[client].split(), k=3)])
        documents.append((text, {"client": (client,), "sector": (sectors[client],)}))
    return documents


def fitted(documents: Documents, **options: object) -> Concepts:
    return Concepts(learnt(documents), "client", **options)  # type: ignore[arg-type]


@settings(deadline=None)
@given(DOCUMENTS, st.builds(Features, ngrams=st.integers(1, 2), binary=st.booleans()))
def test_counting(documents: Documents, features: Features) -> None:
    everything = told(learnt(documents, features))
    counted = {key: value for key, value in everything.items() if isinstance(key, tuple) and len(key) == 3}
    assert counted == by_hand(documents, features)


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(DOCUMENTS, min_size=1, max_size=4), st.randoms())
def test_parts_in_any_order_make_the_whole(parts: list[Documents], draw: random.Random) -> None:
    whole = learnt([each for part in parts for each in part])
    draw.shuffle(parts)
    merged, streamed = Statistics(), Statistics()
    for part in parts:
        merged.merge(learnt(part))
        streamed.add([text for text, _ in part], [labels for _, labels in part])
    assert told(merged) == told(streamed) == told(whole)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(20, 200))
def test_memory_is_bounded_and_loss_is_told(seed: int, limit: int) -> None:
    draw = random.Random(seed)
    documents: Documents = [
        (" ".join(f"word{int(draw.paretovariate(0.7))}" for _ in range(20)), {"client": (draw.choice("AB"),)})
        for _ in range(30)
    ]
    exact, bounded, again = learnt(documents), Statistics(max_pairs=limit), Statistics(max_pairs=limit)
    for text, labels in documents:
        bounded.add([text], [labels])
        again.add([text], [labels])
        assert bounded.counts("client").nnz <= limit
        assert len(bounded.words) <= limit
    kept, true = (
        dict(zip(bounded.words, bounded.totals(), strict=True)),
        dict(zip(exact.words, exact.totals(), strict=True)),
    )
    assert all(true[word] - bounded.lost <= kept.get(word, 0) <= true[word] for word in true)
    assert bounded.lost or kept == true
    assert told(bounded) == told(again)
    assert bounded.attributes["client"].documents.sum() == len(documents)


def test_statistics_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="different features"):
        Statistics().merge(Statistics(Features(binary=True)))


@pytest.mark.parametrize("limit", [None, 7])
def test_naive_bayes_is_that_of_scikit_learn(limit: int | None) -> None:
    documents = corpus()
    model = fitted(documents).select(limit)
    matrix = model.vectorise([text for text, _ in documents])
    for name, ours in model.attributes.items():
        labels = np.array([values[name][0] for _, values in documents])
        theirs = MultinomialNB(alpha=1.0).fit(matrix, labels)
        order = [ours.classes.index(each) for each in theirs.classes_]
        columns = np.arange(len(model.words))
        assert np.allclose(ours.weights(columns)[order], theirs.feature_log_prob_)
        assert np.allclose(ours.prior()[order], theirs.class_log_prior_)
        assert np.allclose(ours.scores(matrix)[:, order], theirs.predict_joint_log_proba(matrix))


@pytest.mark.parametrize("limit", [None, 7])
def test_what_classes_would_not_have_written_is_that_of_scikit_learn(limit: int | None) -> None:
    documents = corpus()
    model = fitted(documents).select(limit)
    matrix = model.vectorise([text for text, _ in documents])
    for name, ours in model.attributes.items():
        theirs = ComplementNB(alpha=1.0, norm=True).fit(matrix, np.array([values[name][0] for _, values in documents]))
        order = [ours.classes.index(each) for each in theirs.classes_]
        weights = ours.complement(np.array([*range(len(model.words)), -1]))
        assert np.allclose(weights[order, :-1], theirs.feature_log_prob_)
        assert not weights[:, -1].any(), "a word that is not in use says nothing"


@pytest.mark.parametrize("index", [0, 17, 119])
def test_leaving_one_out_is_fitting_without_it(index: int) -> None:
    documents = corpus()
    model = fitted(documents).select(9)
    matrix = model.vectorise([text for text, _ in documents])
    labels = np.array([values["client"][0] for _, values in documents])
    rest = np.arange(len(documents)) != index
    theirs = MultinomialNB(alpha=1.0).fit(matrix[rest], labels[rest])
    ours = model.attributes["client"]
    columns = np.array([8, 0, 3])
    row = matrix[[index]].toarray()[0]
    without = Without(ours.classes.index(labels[index]), row[columns], row.sum())
    order = [ours.classes.index(each) for each in theirs.classes_]
    assert np.allclose(ours.weights(columns, without)[order], theirs.feature_log_prob_[:, columns])
    assert np.allclose(ours.prior(without)[order], theirs.class_log_prior_)
    assert np.array_equal(ours.weights(columns), model.attributes["client"].weights(columns)), "nothing was changed"


def test_several_classes_can_lose_the_document() -> None:
    documents: Documents = [("steel bank", {"client": ("A", "B")}), ("steel steel", {"client": ("A",)})]
    ours = fitted(documents).attributes["client"]
    without = Without([0, 1], [1.0, 0.0], 2.0)
    rest = NaiveBayes(ours.classes, [1, 0], csr_matrix(np.array([[2, 0], [0, 0]])))
    columns = fitted(documents).columns(["steel", "unknown"])
    assert np.allclose(np.exp(ours.weights(columns, without)[0, 0]), 3 / (2 + 1 * ours.size))
    assert ours.prior(without)[1] < -20
    assert rest.size == 2


def test_unknown_words_were_never_seen() -> None:
    ours = fitted(corpus()).attributes["client"]
    assert not ours.counts([-1, 10**9]).any()
    assert np.allclose(ours.weights([-1])[:, 0], -np.log(ours.totals + ours.size))


def test_a_class_that_is_emptied_is_not_likely() -> None:
    ours = NaiveBayes(["A", "B"], [1, 5], csr_matrix(np.array([[1, 2], [0, 3]])))
    prior = ours.prior(Without(0, [1.0], 1.0))
    assert np.isfinite(prior).all()
    assert prior[0] < -20


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.booleans(), min_size=3, max_size=3)), min_size=1, max_size=40))
def test_mutual_information(rows: list[tuple[int, list[bool]]]) -> None:
    labels, present = np.array([label for label, _ in rows]), np.array([words for _, words in rows])
    table = np.array([[present[labels == label, word].sum() for label in range(4)] for word in range(3)])
    ours = mutual_information(csr_matrix(table), np.bincount(labels, minlength=4))
    theirs = mutual_info_classif(present, labels, discrete_features=True)
    assert np.allclose(ours, theirs, atol=1e-12)


def test_words_are_in_the_order_of_what_they_tell() -> None:
    documents = corpus()
    model = fitted(documents)
    present = model.vectorise([text for text, _ in documents]).toarray() > 0
    labels = [values["client"][0] for _, values in documents]
    told_each = mutual_info_classif(present, labels, discrete_features=True)
    assert np.all(np.diff(told_each) < 1e-9)
    assert set(model.words[:6]) == {"steel", "plant", "bank", "loan", "rail", "insurer"}


def test_words_seen_once_are_out_until_seen_again() -> None:
    documents = corpus()
    model = fitted([*documents, ("hapax", {"client": ("A",)})])
    assert "hapax" not in model.words
    assert "hapax" in model.learn(["hapax"], [{"client": ("B",)}]).words


def test_the_order_of_documents_does_not_matter() -> None:
    documents = corpus()
    backwards = fitted(documents[::-1])
    assert fitted(documents).words == backwards.words


def test_documents_are_remembered() -> None:
    documents = corpus()
    model = fitted(documents)
    for text, labels in documents[:10]:
        remembered = model.remembers(text.upper() + " !")
        assert remembered is not None
        assert set(labels["client"]) <= set(remembered["client"])
    assert model.remembers(documents[0][0] + " more") is None


def test_copies_are_counted() -> None:
    documents: Documents = [("steel", {"client": ("A",)}), ("Steel", {"client": ("A",)}), ("steel", {"client": ("B",)})]
    assert learnt(documents).attributes["client"].fingerprints.repeated() == 1


def test_saving_and_updating(tmp_path: Path) -> None:
    documents = corpus()
    half = fitted(documents[:60], aliases={"A": ("Acme", "Acme Ltd")}, limit=8)
    half.save(tmp_path / "model")
    loaded = Concepts.load(tmp_path / "model")
    assert told(loaded.statistics) == told(half.statistics)
    assert (loaded.words, loaded.aliases, loaded.secret, loaded.limit) == (half.words, half.aliases, "client", 8)
    rest = documents[60:]
    grown = loaded.learn([text for text, _ in rest], [labels for _, labels in rest])
    with pytest.raises(OutputError, match="already"):
        grown.save(tmp_path / "model")
    grown.save(tmp_path / "model", overwrite=True)
    again = Concepts.load(tmp_path / "model")
    whole = fitted(documents)
    assert again.select(None).words == whole.words
    assert told(again.statistics) == told(whole.statistics)
    assert sorted(path.suffix for path in (tmp_path / "model").iterdir()) == [".json", ".npz"]


def test_nothing_shows_words() -> None:
    model = fitted(corpus(), aliases={"A": ("Zebra",)})
    shown = f"{model!r} {model.statistics!r} {model.attributes['client']!r}"
    assert not any(word in shown for word in [*model.words, "Zebra"])


def test_without_the_secret_there_is_no_model() -> None:
    with pytest.raises(NotFitted, match="'owner'"):
        Concepts(learnt(corpus()), "owner")


def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(NotFitted, match="holds no model"):
        Concepts.load(tmp_path / "missing")


def reseal(folder: Path, data: bytes) -> None:
    """Put other counts into a saved model, with a digest that fits."""
    description = json.loads((folder / "model.json").read_text())
    (folder / f"counts-{description['counts']}.npz").unlink()
    description["counts"] = hashlib.sha256(data).hexdigest()
    (folder / f"counts-{description['counts']}.npz").write_bytes(data)
    (folder / "model.json").write_text(json.dumps(description))


def rearranged(folder: Path, change: dict[str, np.ndarray]) -> bytes:
    """The counts of a saved model with other arrays in it."""
    with np.load(next(folder.glob("counts-*.npz"))) as file:
        arrays = {**file, **change}
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        {"words": np.zeros(3, np.uint8)},
        {"words": np.array([["a"]])},
        {"word_ends": np.array([5, 3, 10**18])},
        {"0.starts": np.array([0, 1])},
        {"0.classes": np.array([99])},
        {"0.documents": np.zeros(0, np.int64)},
        {"0.occurrences": np.full(3, -1)},
        {"0.marks": np.array([3, 2, 1], np.uint64)},
        {"0.marks": np.array([1.5])},
        {"1.marked": np.array([-1])},
    ],
    ids=str,
)
def test_arrays_that_make_no_sense_are_refused(change: dict[str, np.ndarray], tmp_path: Path) -> None:
    fitted(corpus()).save(tmp_path)
    reseal(tmp_path, rearranged(tmp_path, {}))
    Concepts.load(tmp_path)
    reseal(tmp_path, rearranged(tmp_path, change))
    with pytest.raises(MalformedData, match="make no sense"):
        Concepts.load(tmp_path)


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_files_are_errors_of_ours(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("model")
    fitted(corpus(20)).save(folder)
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    if path.suffix == ".npz":
        reseal(folder, bytes(content))
    else:
        path.write_bytes(bytes(content))
    with contextlib.suppress(MalformedData):
        Concepts.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"counts": "../../etc/passwd"},
        {"counts": ""},
        {"format": 99},
        {"secret": "owner"},
        {"documents": "many"},
        {"telling": 10**9},
        {"limit": 0},
        {"attributes": {"client": {"names": ["A", "A"], "documents": [1, 1]}}},
        {"attributes": {"client": {"names": ["A"], "documents": [10**30]}, "sector": {"names": [], "documents": []}}},
        {"features": {"ngrams": 77}},
        {"surprise": True},
    ],
    ids=str,
)
def test_descriptions_that_make_no_sense_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    fitted(corpus()).save(tmp_path)
    description = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**description, **change}))
    with pytest.raises(MalformedData, match=r"cannot be loaded|damaged"):
        Concepts.load(tmp_path)


def test_packed_arrays_are_refused(tmp_path: Path) -> None:
    fitted(corpus()).save(tmp_path)
    path = next(tmp_path.glob("counts-*.npz"))
    bomb = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    reseal(tmp_path, bomb.getvalue())
    with pytest.raises(MalformedData, match="make no sense"):
        Concepts.load(tmp_path)
