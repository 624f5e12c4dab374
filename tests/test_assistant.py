"""The assistant: suggestions that read well and are measured, the guide, and scores with their parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from withhold import Document, Policy, PolicyError, Risk, Secret, Span, read
from withhold.assistant import Assistant, History, Suggestion, guide, padding_proof, rate, score, suggest
from withhold.assistant.candidates import candidates, taxonomies
from withhold.assistant.gauges import Associations
from withhold.assistant.guide import guide_order, guide_values
from withhold.assistant.score import achieved
from withhold.assistant.slots import Slot
from withhold.assistant.suggestions import find
from withhold.learners.features import words
from withhold.risk.association import AssociationRisk
from withhold.types import Evidence

PERSON = "Ada Quillfeather"
SECRET = Secret("person", model="association", value=PERSON)
POLICY = Policy(secret=(SECRET,))
KNOWN = taxonomies(POLICY)
DOCUMENTS = [
    ("a", "", "Ada Quillfeather was a firefighter in Lyon. She starred in the film Glass Harbour in 1987."),
    ("b", "", "Ada Quillfeather won a Golden Globe Award for Glass Harbour. She was once a firefighter."),
    ("c", "", "The firefighter Ada Quillfeather came from Lyon."),
    ("d", "", "A worker won an award in the 1980s. The award was for a film."),
    ("e", "", "Lyon is a city in France. An emergency worker lives there."),
    *((f"x{n}", "", f"A worker in France saw film number {n} in the 1980s, and an award for it.") for n in range(40)),
]
TEXT = "She was a firefighter in Lyon. She starred in the film Glass Harbour and won a Golden Globe Award in 1987."
CORPUS = PlainCorpus(DOCUMENTS)


def document(text: str) -> Document:
    return read(text.encode(), name="text.txt")


def assistant(text: str = TEXT) -> Assistant:
    return Assistant(document(text), POLICY, model=AssociationRisk(POLICY, CORPUS))


def edited(marked: str) -> set[str]:
    """What a sentence could read like, with each candidate in place of what stands in brackets."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    found = candidates(Slot.of(text, Span(start, end)), KNOWN)
    return {text[: each.span.start] + each.text + text[each.span.end :] for each in found}


# grammar


@pytest.mark.parametrize(
    ("marked", "reads"),
    [
        ("He was a [firefighter] once.", "He was an emergency worker once."),
        ("Two [firefighters] came.", "Two emergency workers came."),
        ("[Firefighters] came.", "Emergency workers came."),
        ("She is an [American] actress.", "She is a Western actress."),
        ("She is an actress, [comedian] and painter.", "She is an actress, performer and painter."),
        ("He went to [Ripon College] in Ohio.", "He went to a college in Ohio."),
        ("He won the [Golden Globe Award] for it.", "He won the film award for it."),
        ("He won [two Golden Globe Awards] for it.", "He won multiple film awards for it."),
        ("She works for [CBS].", "She works for a television network."),
        ("She works for the [CBS] news.", "She works for the television network news."),
        ("He stars as [Detective] Jones.", "He stars as police officer Jones."),
        ("(born [July 13, 1942])", "(born 1942)"),
        ("(born [July 13, 1942])", "(born in the 1940s)"),
        ("He was born on [July 13, 1942].", "He was born in July 1942."),
        ("On [July 13, 1942] he left.", "In 1942 he left."),
        ("He has acted since [1990].", "He has acted since the early 1990s."),
        ("A [1999] episode of the show.", "A 1990s episode of the show."),
        ("The series (2010–[2014]) ended.", "The series (2010–mid-2010s) ended."),
        ("He married in the [1990s].", "He married in the late 20th century."),
        ("It earned over [$3.7 billion] there.", "It earned over $3 billion there."),
        ("It earned [$3.7 billion] there.", "It earned over $3 billion there."),
        ("He started at the [age of four].", "He started at a very young age."),
        ("They have [three children].", "They have several children."),
        ("He lives in [Los Angeles].", "He lives in the United States."),
        ("It was seen in [Pulp Fiction (1994)], a hit.", "It was seen in a production from the mid-1990s, a hit."),
        ("She acted in the film [Endless Love (1981)] then.", "She acted in the film from the early 1980s then."),
        ("She is the [world's highest-paid actress] now.", "She is a successful actress now."),
        ("He won the Award for [Best Actor] twice.", "He won the Award for acting twice."),
        ("He played a [struggling ballet dancer] there.", "He played a dancer there."),
        ("Born to a [German mother] in 1950.", "Born to a European mother in 1950."),
    ],
)
def test_what_is_offered_reads_well_in_its_place(marked: str, reads: str) -> None:
    assert reads in edited(marked)


@pytest.mark.parametrize(
    ("marked", "wrong"),
    [
        ("He was seen in [1990].", "in in"),
        ("He won the [Golden Globe Award] for it.", "the a "),
        ("He won the Award for [Best Actor] twice.", "a acting"),
        ("He grew up in the [1970]s.", "1970s"),
        ("She is an [American] actress.", "an Western"),
        ("She acted in the film [Endless Love (1981)] then.", "the film a film"),
    ],
)
def test_what_would_read_badly_is_not_offered(marked: str, wrong: str) -> None:
    plain = marked.replace("[", "").replace("]", "")
    assert not any(wrong in sentence for sentence in edited(marked) if sentence != plain)


def test_a_place_is_where_the_text_says_it_is() -> None:
    reads = edited("She grew up in [Kentwood], Louisiana, then left the United States.")
    assert not any("Michigan" in sentence for sentence in reads)
    assert any("in the United States, Louisiana" in sentence for sentence in reads)


def test_a_relative_is_not_whom_the_text_is_about() -> None:
    reads = edited("Jane Quillfeather is an English actress. Her father [Bob Quillfeather] taught her.")
    assert not any("the actress taught" in sentence for sentence in reads)


def test_persons_get_names_that_stay_the_same() -> None:
    text = "Jane Roe is an English actress. In 1990 Roe met John Smith, and Roe sang."
    firsts = [text.index("Jane Roe"), text.index("Roe met")]
    ends = [firsts[0] + len("Jane Roe"), firsts[1] + len("Roe")]
    offered = [
        [each.text for each in candidates(Slot.of(text, Span(start, end)), KNOWN) if each.kind == "names"]
        for start, end in zip(firsts, ends, strict=True)
    ]
    assert [full.split()[-1] for full in offered[0]] == offered[1]
    assert not {word for several in offered for each in several for word in words(each)} & set(words(text))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_any_span_of_any_text_can_be_asked_about(text: str, one: int, other: int) -> None:
    span = Span(min(one, other, len(text)), min(max(one, other), len(text)))
    for each in candidates(Slot.of(text, span), KNOWN, avoid=("zebra",)):
        assert each.text.strip()
        assert words(each.text) != words(span.of(text))
        assert "zebra" not in words(each.text)


# suggestions


def test_suggestions_are_measured_and_the_best_come_first() -> None:
    offered = assistant().suggest("firefighter")
    assert "emergency worker" in offered[0].text or "worker" in offered[0].text
    assert all(each.after <= each.before for each in offered)
    assert all(0 <= each.kept <= 1 and 0 <= each.after <= 1 for each in offered)
    values = [each.removed + each.kept for each in offered]
    assert values == sorted(values, reverse=True)
    assert any(each.after <= each.before / 2 for each in offered)


def test_suggestions_are_the_same_every_time_and_keep_their_words_to_themselves() -> None:
    first, second = assistant().suggest("Glass Harbour"), assistant().suggest("Glass Harbour")
    assert first == second
    assert first
    assert all(each.text not in repr(each) for each in first)
    assert [Suggestion.from_json(each.to_json()) for each in first] == first


def test_what_was_removed_elsewhere_is_not_written_again() -> None:
    offered = {word for each in assistant().suggest("firefighter") for word in words(each.text)}
    assert "worker" in offered
    again = assistant().suggest("firefighter", removed=("a worker",))
    assert not any("worker" in words(each.text) for each in again)
    named = assistant("Quillfeather was a firefighter in Lyon.").suggest("Quillfeather")
    assert not any({"ada", "quillfeather"} & set(words(each.text)) for each in named)


def test_the_quick_way_counts_what_counting_pair_by_pair_does() -> None:
    rules = AssociationRisk(POLICY, CORPUS).rules(document(TEXT), SECRET)
    quick, slow = Associations(rules, TEXT), Associations(rules, TEXT)
    slow.__dict__["_holding"] = None
    for term in ("firefighter", "Lyon", "Glass Harbour", "Golden Globe Award", "1987"):
        found = candidates(Slot.of(TEXT, find(document(TEXT), term)), KNOWN)
        assert quick.after(found) == pytest.approx(slow.after(found))


def test_a_corpus_that_can_only_be_asked_will_do() -> None:
    model = AssociationRisk(POLICY, Remote(CORPUS))  # type: ignore[arg-type]
    offered = Assistant(document(TEXT), POLICY, model=model).suggest("firefighter")
    assert any(each.after <= each.before / 2 for each in offered)


class Remote:
    """A corpus that can be asked, but not read."""

    def __init__(self, corpus: PlainCorpus) -> None:
        for name in ("size", "count_matrix", "count_all", "tells", "holding", "search", "contains"):
            setattr(self, name, getattr(corpus, name))


class Letters:
    """A risk model through the contract: the share of words that have an `x`."""

    def resolve(self, document: Document, secret: Secret) -> Secret:
        return secret

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        told = [word for word in words(document.text) if "x" in word]
        share = len(told) / max(len(words(document.text)), 1)
        spans = tuple(Span(at, at + 1) for at in range(len(document.text)) if document.text[at] == "x")
        return Risk("x", "letters", share, share, 0.1, evidence=(Evidence(spans, share, "has an x"),))


def test_any_risk_model_measures_by_assessing_again() -> None:
    helper = Assistant(document("He was a boxer in Lyon."), POLICY, model=Letters())
    offered = helper.suggest("boxer")
    assert {each.after for each in offered} == {0.0}
    assert offered[0].before == pytest.approx(1 / 6)
    assert helper.suggest("Lyon") == [each for each in helper.suggest("Lyon") if each.after <= 1 / 6]
    assert helper.advise()[0].reason == "has an x"


def test_a_policy_without_a_secret_and_a_term_that_is_not_there_are_refused() -> None:
    with pytest.raises(PolicyError, match="secret"):
        suggest(document(TEXT), "Lyon", Policy())
    with pytest.raises(PolicyError, match="no such term") as caught:
        assistant().suggest("Zanzibar")
    assert "Zanzibar" not in str(caught.value)


# guide


def test_the_guide_value_is_the_sum_of_what_a_term_adds_to_others() -> None:
    single = np.array([0.1, 0.2, 0.0])
    paired = np.array([[0.1, 0.9, 0.4], [0.9, 0.2, 0.2], [0.4, 0.2, 0.0]])
    assert guide_values(single, paired).tolist() == pytest.approx([0.7 + 0.4, 0.8 + 0.2, 0.3 + 0.0])
    assert guide_order(single, paired).tolist() == [0, 1, 2]


def test_the_guide_says_why_without_quoting() -> None:
    rules = AssociationRisk(POLICY, CORPUS).rules(document(TEXT), SECRET)
    advice = guide(rules)
    assert TEXT[advice[0].spans[0].start : advice[0].spans[0].end] in ("firefighter", "Lyon", "Glass Harbour")
    values = [each.value for each in advice]
    assert values == sorted(values, reverse=True)
    assert all("confidence" in each.reason and each.term not in each.reason for each in advice)
    assert len(guide(rules, most=1)) == 1
    assert advice[0].term not in repr(advice[0])


# scores

TERMS = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1), max_size=8)


def test_the_score_has_the_three_parts_of_the_paper() -> None:
    found = score({"a": 0.9, "b": 0.5, "c": 0.02}, {"b": 0.3, "d": 0.1})
    assert found.change == pytest.approx(1.42 - 0.4)
    assert found.bonus == pytest.approx((0.9 - 0.1) + (0.02 - 0.1))
    assert found.penalty == -1
    assert found.total == pytest.approx(1.02 + 0.72 - 1)
    assert (found.deleted, found.added, found.kept) == (2, 1, 1)
    assert score({"a": 0.5}, {"a": 0.5}).total == 0


@given(TERMS, TERMS, st.dictionaries(st.sampled_from("uvwxyz"), st.floats(0, 1), min_size=1))
def test_padding_raises_the_published_score_alone(
    original: dict[str, float], current: dict[str, float], padding: dict[str, float]
) -> None:
    kept = {term: value for term, value in current.items() if term in original}
    padded = {**kept, **padding}
    assert padding_proof(original, padded).total <= padding_proof(original, kept).total + 1e-12
    nothing = {**kept, **dict.fromkeys(padding, 0.0)}
    assert padding_proof(original, nothing).total == pytest.approx(padding_proof(original, kept).total)
    assert score(original, nothing).total >= score(original, kept).total - 1e-12


@given(TERMS.filter(bool))
def test_keeping_what_is_harmless_is_worth_more_than_deleting_it(original: dict[str, float]) -> None:
    least = min(original, key=original.__getitem__)
    original = {**original, least: 0.0}
    without = {term: value for term, value in original.items() if term != least}
    assert padding_proof(original, without).total < padding_proof(original, original).total


def test_terms_count_as_sure_as_they_become_with_another_one() -> None:
    single, paired = np.array([0.1, 0.2, 0.7]), np.array([[0.1, 0.9], [0.9, 0.2]])
    assert achieved(single, paired).tolist() == [0.9, 0.9, 0.7]
    assert achieved(single, np.zeros((0, 0))).tolist() == [0.1, 0.2, 0.7]


def test_a_history_tells_what_each_step_was_worth() -> None:
    first, second = score({"a": 0.9}, {"b": 0.1}), score({"a": 0.9}, {})
    history = History().then("wrote something more general", first).then("deleted it", second)
    assert history.totals == (first.total, second.total)
    assert history.gains == pytest.approx((first.total, second.total - first.total))
    assert History.from_json(json.loads(json.dumps(history.to_json()))) == history


def test_documents_are_rated_by_their_rules() -> None:
    model = AssociationRisk(POLICY, CORPUS)
    better = TEXT.replace("a firefighter", "a worker").replace("the film Glass Harbour", "a film")
    published, proof = rate(document(TEXT), document(better), POLICY, model=model)
    assert published.change > 0
    assert published.bonus > 0
    worse, _ = rate(document(TEXT), document(TEXT.replace("starred", "sang")), POLICY, model=model)
    assert worse.total < published.total
    assert proof.deleted == published.deleted > 0
    with pytest.raises(PolicyError, match="association"):
        rate(document(TEXT), document(TEXT), Policy())


# the command line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from withhold.corpora.index import Writer

    folder = tmp_path_factory.mktemp("assistant")
    with Writer(folder / "index") as writer:
        for each in DOCUMENTS:
            writer.add(*each)
        writer.commit()
    (folder / "text.txt").write_text(TEXT)
    (folder / "edited.txt").write_text(TEXT.replace("a firefighter", "a worker"))
    secret = '[[secret]]\nname = "person"\nmodel = "association"\nvalue = "Ada Quillfeather"\n'
    (folder / "policy.toml").write_text(secret + '[corpus]\nindex = "index"\n')
    return folder


def run(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    from withhold.cli import main

    names = [str(folder / each) if each.endswith(".txt") else each for each in arguments]
    with pytest.raises(SystemExit) as ended:
        main([*names, "--policy", str(folder / "policy.toml")])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_the_commands_tell_people_and_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "worker" in run(folder, capsys, "suggest", "text.txt")
    (told,) = json.loads(run(folder, capsys, "suggest", "text.txt", "--term", "firefighter", "--json"))
    assert all(each["after"] <= each["before"] for each in told["suggestions"])
    first = json.loads(run(folder, capsys, "guide", "text.txt", "--json"))[0]
    assert first["written"] in TEXT
    assert first["reason"]
    assert "firefighter" in run(folder, capsys, "guide", "text.txt")
    scores = json.loads(run(folder, capsys, "score", "text.txt", "edited.txt", "--json"))
    parts = scores["published"]
    assert parts["total"] == pytest.approx(parts["change"] + parts["bonus"] + parts["penalty"])
    assert "total" in run(folder, capsys, "score", "text.txt", "edited.txt")
