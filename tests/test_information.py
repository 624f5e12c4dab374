"""Mutual information, keywords, inferences: against naive versions, scikit-learn, and counting by hand."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from tests.plain_corpus import PlainCorpus
from withhold import Components, Inference, Policy, PolicyError, Secret, read
from withhold.policy import Background, Operators, Planning
from withhold.risk.information import keywords
from withhold.risk.information.inferences import detect, padded, subsets, within
from withhold.risk.information.model import InformationRisk, settle
from withhold.risk.information.options import column_sets, general_terms, spelt
from withhold.risk.information.sample import Sample, about
from withhold.risk.information.several import ALGORITHMS, combined, lookups, related
from withhold.risk.information.terms import Terms
from withhold.risk.mentions import mentions
from withhold.taxonomies.kinds import Kinds
from withhold.taxonomies.wordnet import Hypernyms
from withhold.types import Inferences

WORDS = ("red", "green", "blue", "black", "white")
SECRETS = ("alpha", "beta", "gamma")

paragraphs = st.lists(st.sampled_from(WORDS + SECRETS), min_size=1, max_size=6).map(" ".join)
documents = st.lists(paragraphs, min_size=1, max_size=5).map("\n\n".join)
corpora = st.lists(documents, min_size=1, max_size=6).map(
    lambda texts: PlainCorpus([(f"d{number}", "", text) for number, text in enumerate(texts)])
)


def sample_of(corpus: PlainCorpus, secrets: tuple[str, ...] = SECRETS) -> Sample:
    return Sample(corpus, np.arange(len(corpus.documents)), WORDS, secrets)


def naive(corpus: PlainCorpus, word: str, secrets: tuple[str, ...]) -> float:
    """The paper's SelectKeywords, one word at a time, with scikit-learn's mutual information, in bits."""
    total = 0.0
    for _, _, text in corpus.documents:
        parts = [part.split() for part in text.split("\n\n")]
        has = [word in part for part in parts]
        pattern = [sum((secret in part) << bit for bit, secret in enumerate(secrets)) for part in parts]
        total += mutual_info_score(has, pattern) / log(2)
    return total / len(corpus.documents)


@settings(deadline=None, max_examples=15)
@given(corpora)
def test_information_is_that_of_sklearn_averaged_over_documents(corpus: PlainCorpus) -> None:
    wanted = [[naive(corpus, word, (secret,)) for word in WORDS] for secret in SECRETS]
    assert sample_of(corpus).information == pytest.approx(np.array(wanted), abs=1e-9)


@settings(deadline=None, max_examples=15)
@given(corpora)
def test_joint_information_is_that_of_all_secrets_at_once(corpus: PlainCorpus) -> None:
    sample = sample_of(corpus)
    wanted = [naive(corpus, word, SECRETS) for word in WORDS]
    assert sample.joint((0, 1, 2)) == pytest.approx(np.array(wanted), abs=1e-9)
    # The chain rule: what a further secret adds is never negative.
    assert (sample.joint((0, 1)) >= sample.information[:2].max(axis=0) - 1e-9).all()


@settings(deadline=None, max_examples=10)
@given(corpora)
def test_related_secrets_are_combined_as_the_union_of_sets_is(corpus: PlainCorpus) -> None:
    sample = sample_of(corpus)
    everything = ~np.eye(3, dtype=bool)
    wanted = [
        sum(
            (-1) ** (size + 1) * naive(corpus, word, subset)
            for size in (1, 2, 3)
            for subset in combinations(SECRETS, size)
        )
        for word in WORDS
    ]
    assert combined(sample, everything) == pytest.approx(np.array(wanted), abs=1e-9)
    assert combined(sample, np.zeros((3, 3), bool)) == pytest.approx(sample.information.sum(axis=0))
    two = np.zeros((3, 3), bool)
    two[0, 1] = two[1, 0] = True
    assert combined(sample, two) == pytest.approx(sample.information.sum(axis=0) - sample.joint((0, 1)), abs=1e-9)


@settings(deadline=None, max_examples=10)
@given(corpora)
def test_secrets_are_related_by_what_they_tell_of_one_another(corpus: PlainCorpus) -> None:
    sample = sample_of(corpus)
    told = np.array([[naive(corpus, one, (other,)) for other in SECRETS] for one in SECRETS])
    np.fill_diagonal(told, 0.0)
    assert sample.between == pytest.approx(told, abs=1e-9)
    assert (related(sample, 0.05) == (told >= 0.05)).all()


def test_a_known_case_by_hand() -> None:
    corpus = PlainCorpus([("d", "", "alpha red\n\nalpha red\n\ngreen\n\ngreen blue")])
    told = sample_of(corpus, ("alpha",)).information[0]
    assert told[:2] == pytest.approx([1.0, 1.0])
    assert told[2] == pytest.approx(0.311278, abs=1e-5)
    assert told[3:] == pytest.approx([0.0, 0.0])


def test_no_documents_and_no_terms_tell_nothing() -> None:
    corpus = PlainCorpus([("d", "", "alpha red")])
    empty = Sample(corpus, np.zeros(0, np.int64), WORDS, SECRETS)
    assert not empty.information.any()
    assert not empty.between.any()
    assert Sample(corpus, np.zeros(1, np.int64), (), SECRETS).information.shape == (3, 0)
    with pytest.raises(PolicyError, match="up to 8"):
        Sample(corpus, np.zeros(1, np.int64), WORDS, SECRETS * 3)


def test_the_documents_about_a_topic() -> None:
    texts = ["alpha", "alpha alpha red", "red", "alpha alpha alpha", "beta alpha alpha"]
    corpus = PlainCorpus([(f"d{number}", "", text) for number, text in enumerate(texts)])
    assert about(corpus, "alpha").tolist() == [3, 1, 4, 0]
    assert about(corpus, "alpha", count=2, skip=1).tolist() == [1, 4]
    assert about(corpus.without(["d3"]), ("alpha", "beta"), count=1).tolist() == [4]
    assert about(corpus, "alpha", by="search", count=4).tolist() != []
    found = [corpus.names().index(hit.document) for hit in corpus.search("alpha", 3)]
    assert about(corpus, "alpha", by="search", skip=1, count=2).tolist() == found[1:]


def test_tfidf_counts_the_document_itself() -> None:
    corpus = PlainCorpus([("a", "", "red green"), ("b", "", "red")])
    scores = keywords.tfidf(Sample(corpus, np.arange(2), ("red", "green", "blue"), ()), np.array([5, 2, 1]))
    assert scores == pytest.approx([0.0, 2 * log(3 / 2), log(3)])


values = st.lists(st.lists(st.integers(0, 9), min_size=12, max_size=12), min_size=1, max_size=3)


@given(values, st.integers(1, 12))
def test_the_four_algorithms_choose_as_the_paper_says(rows: list[list[int]], limit: int) -> None:
    information = np.array(rows, float)

    def top(row: list[int], count: int) -> list[int]:
        return sorted(range(12), key=lambda term: (-row[term], term))[:count]

    trivial = lookups("trivial", information, limit)
    assert [each.keywords.tolist() for each in trivial] == [top(row, limit) for row in rows]
    assert [each.secrets for each in trivial] == [(number,) for number in range(len(rows))]
    (merged,) = lookups("merged", information, limit)
    assert set(merged.keywords.tolist()) == {term for row in rows for term in top(row, limit // len(rows))}
    (best,) = lookups("best", information, limit)
    union = {term for row in rows for term in top(row, limit)}
    highest = sorted((max(row[term] for row in rows) for term in union), reverse=True)[:limit]
    assert [max(row[term] for row in rows) for term in best.keywords.tolist()] == highest
    (cumulative,) = lookups("cumulative", information, limit)
    assert cumulative.keywords.tolist() == top([sum(column) for column in zip(*rows, strict=True)], limit)
    for algorithm in ALGORITHMS:
        for each in lookups(algorithm, information, limit):
            assert len(set(each.keywords.tolist())) == len(each.keywords) <= limit
            assert each.queries(2) == comb(len(each.keywords), 2)


def test_expected_by_hand() -> None:
    """Two documents about the topic of which one holds both terms, none elsewhere: 0.5 x 1 / 2 documents expected."""
    corpus = PlainCorpus(
        [("a", "", "alpha red green"), ("b", "", "alpha blue"), ("c", "", "white"), ("d", "", "white")]
    )
    scores = keywords.expected(corpus, ("red", "green", "white"), "alpha")
    one = 1 - np.exp(-0.5)
    assert scores == pytest.approx([one, one, 0.0])
    # Either word: four places are left, but only one document holds the rarer term.
    either = keywords.expected(corpus, ("red", "green"), "alpha", match="any")
    assert either == pytest.approx([1 - np.exp(-1.5)] * 2)
    assert keywords.expected(corpus, ("red", "white"), "alpha", size=1) == pytest.approx([1 - np.exp(-1), 0.0])
    assert keywords.queries(3) == 7


@settings(deadline=None, max_examples=15)
@given(corpora, st.sampled_from(["all", "any"]))
def test_expected_is_sound_whatever_the_corpus(corpus: PlainCorpus, match: str) -> None:
    scores = keywords.expected(corpus, WORDS, SECRETS, match=match)  # type: ignore[arg-type]
    assert ((scores >= 0) & (scores <= len(WORDS) - 1)).all()
    never = [not corpus.count_all([[word, SECRETS]], "document")[0] for word in WORDS]
    if match == "all":
        assert not scores[never].any()


def test_expected_is_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"alpha w{number} w{number + 1}" for number in range(9)] + [f"w{number} w3" for number in range(9)]
    corpus = PlainCorpus([(f"d{number}", "", text) for number, text in enumerate(texts)])
    terms = [f"w{number}" for number in range(9)]
    whole = keywords.expected(corpus, terms, "alpha", match="any")
    monkeypatch.setattr(keywords, "_BLOCK", 4)
    assert keywords.expected(corpus, terms, "alpha", match="any") == pytest.approx(whole)


@given(st.integers(0, 7), st.integers(1, 3))
def test_subsets_are_all_there_once(count: int, size: int) -> None:
    rows = subsets(count, size).tolist()
    assert sorted(map(tuple, rows)) == sorted(combinations(range(count), size))
    # Those of the first terms come first, so that a budget cuts off the last.
    assert [max(row) for row in rows] == sorted(max(row) for row in rows)


def test_within_a_budget() -> None:
    assert within(1000, 3, 100) == 19
    assert comb(19, 3) <= 1000 < comb(20, 3)
    assert within(10, 2, 3) == 3
    assert within(0, 3, 100) == 2


@settings(deadline=None, max_examples=12)
@given(corpora, st.integers(1, 3), st.integers(1, 3), st.sampled_from(["all", "any"]))
def test_detection_by_brute_force(corpus: PlainCorpus, size: int, depth: int, match: str) -> None:
    found = detect(corpus, WORDS, ("alpha", "beta"), subsets(len(WORDS), size), depth=depth, match=match)  # type: ignore[arg-type]
    wanted = []
    for row in combinations(range(len(WORDS)), size):
        best = corpus._best([WORDS[number] for number in row], depth, match)  # type: ignore[arg-type]
        texts = [set(corpus.documents[number][2].split()) for number in best]
        wanted += [row] if any({"alpha", "beta"} & text for text in texts) else []
    assert sorted(map(tuple, found.sets.tolist())) == sorted(wanted)
    assert found.asked == comb(len(WORDS), size)
    assert found.share == len(wanted) / found.asked


def test_sets_of_different_sizes_are_filled_up() -> None:
    assert padded([subsets(2, 1), subsets(3, 2)]).tolist() == [[0, -1], [1, -1], [0, 1], [0, 2], [1, 2]]
    assert padded([]).shape == (0, 1)


def test_terms_leave_out_names_but_not_their_parts() -> None:
    text = "Usama Bin-Ladin met the bin man. BIN  LADIN left; the Ladin house, [REDACTED] stayed."
    terms = Terms.of(text, ("Bin Ladin", "", "..."))
    assert set(terms.words) == {"usama", "met", "man", "left", "house", "redacted", "stayed", "bin", "ladin"}
    by_word = dict(zip(terms.words, terms.counts.tolist(), strict=True))
    assert by_word["bin"] == by_word["ladin"] == 1
    assert [span.of(text) for span in mentions(text, ("bin ladin",))] == ["Bin-Ladin", "BIN  LADIN"]
    assert "ladin" not in repr(terms)


PLACES = [
    ("a", "", "alpha works at the harbour in leeds"),
    ("b", "", "the harbour of leeds where alpha lives"),
    ("c", "", "a harbour far away\n\nwith boats"),
    ("d", "", "leeds has a market"),
    ("e", "", "boats and market"),
    ("f", "", "a town with a market\n\ntown hall"),
    ("g", "", "town and country town"),
    *((f"t{number}", "", "town life") for number in range(12)),
]


class Towns:
    """Knows one thing."""

    def generalise(self, word: str, context: tuple[str, ...] = ()) -> tuple[str, ...]:
        return ("town", "market") if word == "leeds" else ()


def model(**inference: object) -> InformationRisk:
    policy = Policy(
        inference=Inference(**{"depth": 2, **inference}),  # type: ignore[arg-type]
        corpus=Background(leave_out_copies=False),
    )
    return InformationRisk(policy, PlainCorpus(PLACES))


HIDDEN = Secret(name="person", model="information", value="Alpha")
TEXT = b"Alpha sold boats in the harbour of Leeds, near the market."


@pytest.mark.parametrize("ranking", ["expected", "information", "tfidf", "frequency"])
def test_the_risk_is_the_share_of_queries_that_tell(ranking: str) -> None:
    document = read(TEXT, name="a.txt")
    risk = model(ranking=ranking).assess(document, HIDDEN)
    # Of sold, boats, harbour, leeds and market: harbour, leeds, and both together, of 5 + 10 queries.
    assert risk.before == risk.after == pytest.approx(3 / 15)
    assert risk.ceiling == 0.0
    assert risk.stays
    assert risk.measure == "share"
    first = risk.evidence[0]
    assert first.weight == 1.0
    assert dict(first.counts) == {"with the secret": 2, "in all": 2}
    assert set(first.documents) == {"a", "b"}
    assert sorted(span.of(document.text) for span in first.spans) == ["Leeds", "harbour"]
    assert isinstance(risk.choices, Inferences)
    assert risk.choices.weights.sum() == pytest.approx(risk.before)
    words = [spans[0].of(document.text) for spans in risk.choices.spans]
    sets = {frozenset(words[number] for number in row if number >= 0) for row in risk.choices.sets.tolist()}
    assert sets == {frozenset({"harbour"}), frozenset({"Leeds"}), frozenset({"harbour", "Leeds"})}
    assert "Alpha" not in words


def test_few_keywords_are_told_in_a_note() -> None:
    risk = model(keywords=2).assess(read(TEXT, name="a.txt"), HIDDEN)
    assert risk.before == pytest.approx(1.0)
    assert "2 of 5 words" in risk.notes[0]


def test_a_rare_word_that_tells_is_looked_up_before_frequent_ones() -> None:
    often = "north south east west"
    known = PlainCorpus(
        [
            ("rare", "", "quso and khattab knew alpha"),
            *((f"alpha{number}", "", f"alpha {often}") for number in range(10)),
            *((f"other{number}", "", often) for number in range(10)),
        ]
    )
    document = read(b"Quso went north, south, east and west.", name="a.txt")
    for ranking in ("expected", "frequency"):
        policy = Policy(inference=Inference(keywords=1, depth=1, ranking=ranking))  # type: ignore[arg-type]
        risk = InformationRisk(policy, known).assess(document, HIDDEN)
        assert [span.of(document.text) for span in risk.evidence[0].spans] == ["Quso"]
    told = keywords.counted(known, ["quso", "khattab", "south"], "alpha", depth=1)
    assert told.tolist() == pytest.approx([2 * (1 - np.exp(-1))] * 2 + [1 - np.exp(-0.5)])
    either = keywords.counted(known, ["quso", "south"], "alpha", depth=3, match="any")
    assert either[0] > keywords.counted(known, ["quso", "south"], "alpha", depth=3)[0]


def test_marks_and_removed_words_are_not_looked_up() -> None:
    source = read(TEXT, name="a.txt")
    redacted = read(b"[REDACTED] sold boats in the [REDACTED] of [REDACTED], near the market.", name="a.txt")
    after = model().assess(redacted, HIDDEN, source=source)
    assert after.after == 0.0
    assert after.choices is None
    assert not after.stays
    gone = [spans[0] for spans in Terms.of(source.text, ("harbour", "Leeds")).spans]
    left = model().assess(source, HIDDEN, written=[*gone, *mentions(source.text, ("harbour",))])
    assert left.before == pytest.approx(1.0)


def test_copies_of_the_document_are_left_out() -> None:
    text = "one two three four five six seven harbour nine ten eleven twelve"
    corpus = PlainCorpus([("copy", "", f"{text} alpha"), *PLACES[2:]])
    secret, document = HIDDEN, read(text.encode(), name="a.txt")
    assert InformationRisk(Policy(), corpus).assess(document, secret).before == 0.0
    with_copies = Policy(corpus=Background(leave_out_copies=False))
    assert InformationRisk(with_copies, corpus).assess(document, secret).before > 0.5


def test_related_words_tell_too() -> None:
    secret = Secret(name="person", model="information", value="alpha", related=("country",))
    document = read(b"life in town", name="a.txt")
    assert model(depth=50).assess(document, secret).before == pytest.approx(1 / 3)
    assert model(depth=50).assess(document, HIDDEN).before == 0.0


def test_a_secret_needs_a_value_and_a_corpus_that_knows_it() -> None:
    document = read(TEXT, name="a.txt")
    with pytest.raises(PolicyError, match="needs a value"):
        model().assess(document, Secret(name="person", model="information"))
    risk = model().assess(document, Secret(name="person", model="information", value="nobody"))
    assert risk.before == 0.0
    assert any("stands in no document" in note for note in risk.notes)


def test_rankings_of_the_paper_need_an_archive() -> None:
    class Remote:
        """Only what every corpus has."""

        def __init__(self, corpus: PlainCorpus) -> None:
            for name in ("size", "count_matrix", "count_all", "tells", "holding", "search", "contains"):
                setattr(self, name, getattr(corpus, name))

    remote, document = Remote(PlainCorpus(PLACES)), read(TEXT, name="a.txt")
    policy = Policy(inference=Inference(depth=2))
    assert InformationRisk(policy, remote).assess(document, HIDDEN).before == pytest.approx(3 / 15)  # type: ignore[arg-type]
    policy = Policy(inference=Inference(ranking="information"))
    with pytest.raises(PolicyError, match="on this machine"):
        InformationRisk(policy, remote).assess(document, HIDDEN)  # type: ignore[arg-type]


def test_triples_are_asked_within_the_budget() -> None:
    document = read(TEXT, name="a.txt")
    assert model(size=3).assess(document, HIDDEN).before == pytest.approx(3 / (15 + 10))
    few = model(size=3, triples=4).assess(document, HIDDEN)
    assert few.before == pytest.approx(3 / (15 + 4))
    assert isinstance(few.choices, Inferences)
    assert few.choices.sets.shape[1] == 3


def offered(text: str, taxonomy: object, corpus: PlainCorpus, here: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    terms = Terms.of(text)
    found = general_terms(corpus, terms, text, {*terms.words, *here}, [taxonomy])  # type: ignore[arg-type, list-item]
    return [(terms.words[number], general) for number, general in found]


def test_general_words_are_common_and_not_in_the_document() -> None:
    corpus = PlainCorpus(PLACES)
    assert offered("The harbour in Leeds.", Towns(), corpus, ("market",)) == [("leeds", "town")]
    assert offered("Leeds is a town.", Towns(), corpus) == []


class Rivers:
    """Knows that some words are rivers, and can say which."""

    def __init__(self, *rivers: str) -> None:
        self.rivers = rivers

    def generalise(self, word: str, context: tuple[str, ...] = ()) -> tuple[str, ...]:
        return ("river",) if word in self.rivers else ()

    def members(self, general: str) -> tuple[str, ...]:
        return self.rivers if general == "river" else ()


def test_a_general_word_could_stand_for_many_others() -> None:
    corpus = PlainCorpus(
        [(f"{name}{number}", "", name) for name in ("aire", "trent", "river") for number in range(9)]
        + [(f"tyne{number}", "", "tyne") for number in range(30)]
    )
    # 9 times a river by its kind, 9 times another one: too little to hide the Aire among.
    assert offered("On the Aire.", Rivers("aire", "trent"), corpus) == []
    assert offered("On the Aire.", Rivers("aire", "trent", "tyne"), corpus) == [("aire", "river")]
    # The one that is met most would be the first guess.
    assert offered("On the Tyne.", Rivers("aire", "trent", "tyne"), corpus) == []
    # A word that no document has says nothing to anyone.
    known = PlainCorpus([each for each in corpus.documents if each[2] != "river"])
    assert offered("On the Aire.", Rivers("aire", "trent", "tyne"), known) == []


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("She drove to Leeds.", True),
        ("She has not been to Leeds.", False),
        ("No harbour. She drove to Leeds.", True),
        ("She denies a stay in London or Leeds.", False),
        ("There is no harbour, but she saw Leeds.", True),
        ("She drove to Leeds. Without a car there is no way to Leeds.", False),
        ("The Leeds-London train.", False),
        ("She went with LEEDS.", True),
    ],
)
def test_general_words_stand_where_they_are_true_and_read_well(text: str, is_offered: bool) -> None:
    assert offered(text, Towns(), PlainCorpus(PLACES), ("market",)) == ([("leeds", "town")] if is_offered else [])


class Vaguer:
    """What several components of ours would say."""

    def generalise(self, word: str, context: tuple[str, ...] = ()) -> tuple[str, ...]:
        return {"previously": ("before",), "12": ("several",), "rash": ("town",), "inn": ("town",)}.get(word, ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She was not seen previously.", [("previously", "before")]),
        ("Take 12 pills.", [("12", "several")]),
        ("Sodium 12, potassium.", []),
        ("At 12.5 mg.", []),
        ("A 12-year-old.", []),
        ("It is 12:30 now.", []),
        ("She was rash.", []),
        ("The inn is near.", [("inn", "town")]),
        ("An inn is near.", []),
    ],
)
def test_function_words_say_the_same_and_numbers_stand_alone(text: str, found: list[tuple[str, str]]) -> None:
    assert offered(text, Vaguer(), PlainCorpus(PLACES)) == found


WARDS = [(f"ward {number}", "", "a symptom, a complaint, an organ, a body part; one kind") for number in range(9)]
KINDS_OF_OURS = (Kinds(), Hypernyms())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # The form that is shown by what stands before.
        ("The wound was washed, identified and reviewed.", {"identified": "seen", "reviewed": "gone over"}),
        ("She identified him.", {"identified": "saw"}),
        ("The man identified by her left.", {"identified": "made out"}),
        ("He presented to us.", {"presented": "came"}),
        ("The case was presented to us.", {}),
        # Nouns that are denied are of one kind; what describes them, and what is a part of a word, is not.
        ("She has insomnia.", {"insomnia": "symptom"}),
        ("She has no insomnia.", {"insomnia": "symptom of one kind"}),
        ("She has no insomnia or eyelid pain.", {"insomnia": "symptom of one kind"}),
        ("Insomnia (-), chest clear.", {"insomnia": "symptom"}),
        ("(-) insomnia, (+) paranoia", {"insomnia": "symptom of one kind", "paranoia": "symptom"}),
        # Adjectives that are denied have nothing more general.
        ("The posterior wall.", {"posterior": "back"}),
        ("No posterior wall.", {}),
        # A measure is not what it is named for, and a sentence is not done somehow.
        ("It is 5 eyelid long.", {}),
        ("She walked silently, then sat.", {"silently": "somehow"}),
        ("Silently, she sat.", {}),
    ],
)
def test_words_are_replaced_as_they_are_used(text: str, found: dict[str, str]) -> None:
    terms = Terms.of(text)
    options = general_terms(PlainCorpus(WARDS), terms, text, terms.words, KINDS_OF_OURS)
    first = {terms.words[number]: general for number, general in reversed(options)}
    asked = ("identified", "reviewed", "presented", "insomnia", "paranoia", "posterior", "eyelid", "silently")
    assert {word: general for word, general in first.items() if word in asked} == found


def test_function_words_are_nowhere() -> None:
    words, having = spelt(["leeds", "more than once"])
    assert (words, having) == (["leeds"], [[0]])


def test_sets_of_words_become_sets_of_columns() -> None:
    words, having = spelt(["leeds", "harbour", "old town", "town"])
    assert words == ["leeds", "harbour", "old", "town"]
    assert having == [[0], [1], [2], [2, 3]]
    owner = [0, 1, 0, 1]
    rows = column_sets(np.array([[0, 1], [1, 3], [2, 3], [3, -1]]), having, owner).tolist()
    assert rows == [[0, 1], [1, 2], [2, -1], [2, 3], [3, -1]]


def test_more_general_words_are_further_columns(tmp_path: object) -> None:
    from pathlib import Path

    own = Path(str(tmp_path)) / "own.csv"
    own.write_text("leeds,town\n", encoding="utf-8")
    policy = Policy(
        inference=Inference(depth=2),
        corpus=Background(leave_out_copies=False),
        planning=Planning(generalise=True, taxonomy=str(own)),
        components=Components(taxonomies=("own",)),
    )
    document = read(TEXT, name="a.txt")
    choices = InformationRisk(policy, PlainCorpus(PLACES)).assess(document, HIDDEN).choices
    assert isinstance(choices, Inferences)
    words = [spans[0].of(document.text) for spans in choices.spans]
    assert choices.general == ((words.index("Leeds"), "town"),)
    assert len(choices.worth) == len(words) + 1
    assert choices.worth[-1] < choices.worth[words.index("Leeds")]
    # "town" leads nowhere: no set holds its column.
    assert not (choices.sets == len(words)).any()


def test_a_word_that_the_mark_spells_out_cannot_be_removed() -> None:
    policy = Policy(
        inference=Inference(depth=2), corpus=Background(leave_out_copies=False), operators=Operators(mark="[harbour]")
    )
    choices = InformationRisk(policy, PlainCorpus(PLACES)).assess(read(TEXT, name="a.txt"), HIDDEN).choices
    assert isinstance(choices, Inferences)
    assert choices.floor == pytest.approx(1 / 15)
    assert choices.sets[choices.sets >= 0].tolist() == [choices.sets.max()] * 2
    same = settle(choices, np.zeros(len(choices.spans), bool))
    assert same is choices
