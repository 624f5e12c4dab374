"""Words and their features, the random field over them, and what is told of how well something is found."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import vstack

from withhold.errors import NotFitted
from withhold.learners.crf import Crf, Learning, learn
from withhold.learners.intervals import wilson
from withhold.learners.measures import Measure, f_measure
from withhold.learners.spotter import Likely, first, further, runs
from withhold.learners.tokens import cut
from withhold.learners.word_features import Layer, Vocabulary, layers, outline, read, rows, shape, words
from withhold.spans import Span
from withhold.text import fold

ANY = st.text(st.sampled_from("aB1 .,-\n\n\r\t_@'\u200b\u00adé\u0301½ﬁ王कि%u0e01’“\U0001f600"), max_size=60)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Mr. O'Brien", ["Mr", ".", "O", "'", "Brien"]),
        ("a---b", ["a", "---", "b"]),
        ("snake_case", ["snake", "_", "case"]),
        ("Jo\u200bhn", ["John"]),
        ("Ѕmith", ["Smith"]),
        ("José, Jose\u0301", ["Jose", ",", "Jose"]),
        ("王小明", ["王", "小", "明"]),
        ("हिन्दी", ["हिन्दी"]),
        ("Brack-\nwater", ["Brackwater"]),
        ("x ﷺ y", ["x", "صلىاللهعليهوسلم", "y"]),
        ("2½ kg", ["21⁄2", "kg"]),
        ("a ½½", ["a", "1⁄21⁄2"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_into_words_and_signs(text: str, forms: list[str]) -> None:
    assert cut(text).forms == forms


@given(ANY)
def test_tokens_stand_where_folding_says_and_leave_no_word_out(text: str) -> None:
    tokens, folded = cut(text), fold(text, keep_case=True)
    assert np.all(tokens.starts[1:] >= tokens.ends[:-1])
    assert np.all(tokens.ends > tokens.starts)
    covered = {place for start, end in zip(tokens.starts, tokens.ends, strict=True) for place in range(start, end)}
    seen = {place for place, sign in enumerate(text) if fold(sign, keep_case=True).text.strip()}
    if "%" not in text and "\\" not in text and "-" not in text:
        assert {place for place in seen if text[place].isalnum()} <= covered
    place = 0
    for form, start, end in zip(tokens.forms, tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        place = folded.text.index(form, place)
        assert (start, end) == (folded.span(place, place + len(form)).start, folded.span(place, place + len(form)).end)
        place += len(form)


@given(ANY, st.integers(0, 60), st.integers(0, 60))
def test_covered_are_the_tokens_that_share_a_character(text: str, one: int, other: int) -> None:
    tokens, span = cut(text), Span(min(one, other), max(one, other))
    pairs = enumerate(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    assert list(tokens.covered(span)) == [n for n, (start, end) in pairs if Span(start, end).overlaps(span)]


def test_stretches_are_paragraphs_and_pieces_of_long_ones() -> None:
    text = "One two.\n\n" + "It is so. " * 100 + "\n\n" + "word " * 300 + "\n\nlast"
    tokens = cut(text)
    stretches = list(tokens.stretches())
    assert [n for each in stretches for n in range(each.start, each.stop)] == list(range(len(tokens)))
    assert max(each.stop - each.start for each in stretches) <= 120
    assert stretches[0] == slice(0, 3)
    assert stretches[-1].stop - stretches[-1].start == 1
    inner = [each for each in stretches[1:] if tokens.forms[each.start] == "It"]
    assert all(tokens.forms[each.stop - 1] == "." for each in inner)


@pytest.mark.parametrize(
    ("form", "full", "short"),
    [("Smith", "Xxxxx", "Xx+"), ("IBM", "XXX", "X+"), ("a1B22", "x0X00", "x0X0+"), ("Éa", "Xx", "Xx")],
)
def test_shapes(form: str, full: str, short: str) -> None:
    assert (shape(form), outline(form)) == (full, short)


def test_a_word_is_told_of_itself_its_neighbours_its_line_and_its_other_places() -> None:
    text = "From: Ann Lee\n\nMr Lee went. Then Lee left, and a lee shore was near."
    held = dict(zip(cut(text).forms, map(set, words(text)), strict=True))
    assert {"w=ann", "c=Xx+", "-1w=:", "1w=lee", "-b=: ann", "+b=ann lee", "f=from", "f2=from"} <= held["Ann"]
    assert {"small", "o=2", "<=mr", "<=then"} <= held["Lee"]
    assert "small" not in held["Ann"]
    assert "e4=hore" in held["shore"]


@given(st.lists(ANY, min_size=1, max_size=4))
@settings(max_examples=20)
def test_the_matrix_is_the_lists_of_features(texts: list[str]) -> None:
    several = [read(text)[1] for text in texts]
    vocabulary = Vocabulary.of(several, 2)
    names = list(vocabulary.numbers)
    counts: dict[str, int] = {}
    for text in texts:
        for name in itertools.chain.from_iterable(words(text)):
            counts[name] = counts.get(name, 0) + 1
    assert set(names) == {name for name, count in counts.items() if count >= 2}
    for text, held in zip(texts, several, strict=True):
        matrix = vocabulary.matrix(held)
        assert matrix.shape == (len(cut(text)), len(names))
        for row, listed in zip(matrix, words(text), strict=True):
            assert sorted(names[n] for n in row.indices) == sorted(
                name for name in listed if name in vocabulary.numbers
            )
            assert len(set(listed)) == len(listed)


def test_another_layer_joins() -> None:
    tokens = cut("Ann left")
    more = Layer([("tagger=PERSON",)], np.array([0, -1], np.int32))
    listed = list(rows([*layers(tokens), more]))
    assert "tagger=PERSON" in listed[0]
    assert "tagger=PERSON" not in listed[1]


def lesson() -> tuple[list[list[Layer]], list[list[int]], list[list[slice]]]:
    """Some sentences in which what stands behind a title is a name."""
    chance = np.random.default_rng(5)
    several, tags, stretches = [], [], []
    for _ in range(40):
        name = "".join(chance.choice(list("bdkmnrst")) + chance.choice(list("aeiou")) for _ in range(3)).title()
        text = f"Mr {name} {chance.choice(['came', 'left', 'wrote'])} to the {chance.choice(['Court', 'Park', 'Bank'])}"
        text += f" of {name} Hall." if chance.random() < 0.5 else "."
        tokens, held = read(text)
        several.append(held)
        tags.append([1 if before == "Mr" else 0 for before in ["", *tokens.forms[:-1]]])
        stretches.append(list(tokens.stretches()))
    return several, tags, stretches


def taught(learning: Learning = Learning()) -> Crf:  # noqa: B008
    several, tags, stretches = lesson()
    vocabulary = Vocabulary.of(several, 2)
    starts = np.cumsum([0, *(len(each) for each in tags)])
    moved = [
        slice(each.start + start, each.stop + start)
        for start, own in zip(starts.tolist(), stretches, strict=False)
        for each in own
    ]
    matrix = vstack([vocabulary.matrix(held) for held in several], format="csr")
    return learn(matrix, [tag for own in tags for tag in own], moved, vocabulary, learning)


def test_probabilities_are_those_of_crfsuite(tmp_path: Path) -> None:
    import pycrfsuite

    several, tags, stretches = lesson()
    known = set(Vocabulary.of(several, 2).numbers)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 0.3, "max_iterations": 80, "feature.possible_transitions": True})
    listed = [[[name for name in word if name in known] for word in rows(held)] for held in several]
    for features, own in zip(listed, tags, strict=True):
        trainer.append(features, list(map(str, own)))
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    crf = taught(Learning(0.0, 0.3, 80))
    assert crf.tags == (0, 1)
    for held, features, own in zip(several, listed, stretches, strict=True):
        ours = crf.marginals(held, own)
        tagger.set(features)
        theirs = [[tagger.marginal(tag, place) for tag in ("0", "1")] for place in range(len(features))]
        assert np.allclose(ours, theirs, atol=1e-3)


def test_learning_twice_gives_the_same() -> None:
    one, other = taught(), taught()
    assert one.vocabulary.numbers == other.vocabulary.numbers
    assert np.array_equal(one.weights, other.weights)
    assert np.array_equal(one.transitions, other.transitions)
    assert np.all(np.abs(one.weights).max(axis=1) > 0)


def test_one_tag_is_nothing_to_learn() -> None:
    several, _, stretches = lesson()
    vocabulary = Vocabulary.of(several[:1], 1)
    with pytest.raises(NotFitted):
        learn(vocabulary.matrix(several[0]), [0] * len(several[0][0].rows), stretches[0], vocabulary, Learning())


@given(
    st.integers(1, 3), st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 2**16), st.floats(0.1, 200)
)
@settings(max_examples=40)
def test_probabilities_are_those_of_all_taggings(tags: int, lengths: list[int], seed: int, scale: float) -> None:
    chance = np.random.default_rng(seed)
    size = sum(lengths)
    weights = (chance.normal(size=(size, tags)) * scale).astype(np.float32)
    transitions = (chance.normal(size=(tags, tags)) * scale / 10).astype(np.float32)
    crf = Crf(tuple(range(tags)), Vocabulary(map(str, range(size))), weights, transitions)
    layer = Layer([(str(number),) for number in range(size)], np.arange(size, dtype=np.int32))
    ends = np.cumsum(lengths).tolist()
    stretches = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    likely = crf.marginals([layer], stretches)
    assert np.allclose(likely.sum(axis=1), 1)
    for stretch in stretches:
        places = range(stretch.start, stretch.stop)
        several = list(itertools.product(range(tags), repeat=len(places)))
        scores = np.array(
            [
                sum(float(weights[place, tag]) for place, tag in zip(places, each, strict=True))
                + sum(float(transitions[pair]) for pair in itertools.pairwise(each))
                for each in several
            ]
        )
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        for offset, place in enumerate(places):
            for tag in range(tags):
                expected = sum(share for share, each in zip(shares, several, strict=True) if each[offset] == tag)
                assert likely[place, tag] == pytest.approx(expected, abs=1e-6)


def test_neither_short_nor_steep_models_lose_a_probability() -> None:
    crf = Crf(
        (0, 1),
        Vocabulary(["a", "b"]),
        np.array([[900, -900], [-900, 900]], np.float32),
        np.array([[0, -240], [-240, 0]], np.float32),
    )
    layer = Layer([("a",), ("b",)], np.array([0, 1] * 50, np.int32))
    likely = crf.marginals([layer], [slice(0, 100)])
    assert np.isfinite(likely).all()
    assert np.allclose(likely.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("labels", "begins", "expected"),
    [
        ([[0.9], [0.8], [0.0]], [[1], [0], [0]], [(0, 1, 0, True)]),
        ([[0.9], [0.8], [0.0]], [[1], [1], [0]], [(0, 0, 0, True), (1, 1, 0, True)]),
        ([[0.9], [0.15], [0.0]], [[1], [0], [0]], [(0, 1, 0, True)]),
        ([[0.15], [0.9], [0.15]], [[1], [0], [1]], [(0, 1, 0, True), (2, 2, 0, False)]),
        ([[0.9], [0.05], [0.9]], [[1], [0], [0]], [(0, 0, 0, True), (2, 2, 0, True)]),
        ([[0.3, 0.45], [0.0, 0.6]], [[1, 1], [0, 0]], [(0, 0, 0, True), (1, 1, 1, True)]),
        ([], [], []),
    ],
)
def test_words_in_a_row_are_one_mention(
    labels: list[list[float]], begins: list[list[int]], expected: list[tuple[int, int, int, bool]]
) -> None:
    width = len(labels[0]) if labels else 1
    likely = Likely(np.array(labels, np.float32).reshape(-1, width), np.array(begins, bool).reshape(-1, width))
    found = runs(likely, np.array([0.2, 0.5])[:width])
    assert [(run.first, run.last, run.label, run.score >= 0.5) for run in found] == expected


def test_tags_of_labels_are_apart() -> None:
    tags = [0, *(tag for label in range(5) for tag in (first(label), further(label)))]
    assert tags == list(range(11))


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), max_size=8))
@settings(max_examples=40)
def test_measures_are_shares_within_their_ranges(counts: list[tuple[int, int, int]]) -> None:
    measure = Measure.of(counts)
    right, wrong, missed = (sum(each[n] for each in counts) for n in range(3))
    assert (measure.right, measure.wrong, measure.missed) == (right, wrong, missed)
    assert measure.recall == (right / (right + missed) if right + missed else 1.0)
    for share, (low, high), whole in (
        (measure.precision, measure.precision_range, right + wrong),
        (measure.recall, measure.recall_range, right + missed),
    ):
        assert 0 <= low <= share <= high <= 1
        assert low <= wilson(right, whole)[0]
        assert high >= wilson(right, whole)[1]
    if right:
        inverse = 5 / (1 / measure.precision + 4 / measure.recall)
        assert measure.f2 == pytest.approx(inverse)
        assert measure.f1 == pytest.approx(2 / (1 / measure.precision + 1 / measure.recall))
    assert Measure.from_bytes(measure.to_bytes()) == measure


def test_documents_that_differ_widen_the_range() -> None:
    alike, apart = Measure.of([(5, 0, 5)] * 20), Measure.of([(10, 0, 0)] * 10 + [(0, 0, 10)] * 10)
    assert alike.recall == apart.recall == 0.5
    assert apart.recall_range[1] - apart.recall_range[0] > 2 * (alike.recall_range[1] - alike.recall_range[0])


def test_nothing_to_find_and_nothing_found_is_no_failure() -> None:
    assert f_measure(0, 0, 0, 2) == 1.0
    assert Measure.of([]).recall_range == (0.0, 1.0)


def test_a_kill_leaves_nothing_of_what_is_learnt(tmp_path: Path) -> None:
    """Killed as soon as weights are written."""
    script = (
        "import os, signal\nimport numpy as np\nfrom pathlib import Path\nfrom scipy.sparse import csr_matrix\n"
        "from withhold.learners import crf\nfrom withhold.learners.word_features import Vocabulary\n"
        "def read(*_):\n"
        "    assert any(Path(os.environ['TMPDIR']).iterdir())\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "crf._read = read\n"
        "words = csr_matrix(np.eye(2, dtype=np.float32))\n"
        "crf.learn(words, [0, 1], [slice(0, 2)], Vocabulary(['a', 'b']), crf.Learning())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(tmp_path)}, timeout=60)
    assert done.returncode == -9
    for _ in range(100):
        if not list(tmp_path.iterdir()):
            break
        time.sleep(0.1)
    assert not list(tmp_path.iterdir())
