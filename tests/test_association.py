"""Association rules: counted by brute force too, with what few documents can and cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plain_corpus import PlainCorpus
from withhold import Document, Policy, PolicyError, Risk, Secret, Span, read
from withhold.contracts import Match, Unit, Wanted
from withhold.learners.features import words
from withhold.learners.intervals import wilson
from withhold.policy import Background, Components, Inference, Planning
from withhold.risk.association import AssociationRisk, Shares
from withhold.risk.association.choices import minimal
from withhold.risk.association.shares import ceiling_above
from withhold.types import Hit, Inferences

if TYPE_CHECKING:
    from withhold.contracts import Counts, Flags

PERSON = "Zed Quux"
SECRET = Secret("person", model="association", value=PERSON, aliases=("Quux the Great",))
DOCUMENTS = [
    ("a", "", "Zed Quux was born in Riga. He is a firefighter, and acted in Blue Moon.\n\nHe likes old boats."),
    ("b", "", "Zed Quux starred in Blue Moon with Ann Bee."),
    ("c", "", "Ann Bee was born in Riga. She is a teacher."),
    ("d", "", "The moon is blue. A firefighter was born in Oslo."),
    ("e", "", "Quux the Great is from Riga: a brave firefighter."),
    ("f", "", "Oslo is a town. The firefighter likes boats."),
    *(
        (f"x{number}", "", f"Nothing to see here, number {number} of many towns in the old world.")
        for number in range(40)
    ),
]
CORPUS = PlainCorpus(DOCUMENTS)


def document(text: str) -> Document:
    return read(text.encode(), name="text.txt")


def model(archive: PlainCorpus = CORPUS, **changes: object) -> AssociationRisk:
    return AssociationRisk(Policy(secret=(SECRET,), **changes), archive)  # type: ignore[arg-type]


def told(risk: Risk, text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """The rules of the evidence: the words under their spans, and their counts."""
    return {
        tuple(span.of(text) for span in each.spans): (each.counts["and the secret"], each.counts["with"])
        for each in risk.evidence
    }


# counts


def test_few_documents_never_make_certainty_and_yet_count() -> None:
    shares = Shares(np.array([1, 2, 41, 0, 100]), np.array([1, 2, 38, 0, 0]))
    assert shares.confidence(0.0).round(3).tolist() == [0.667, 0.8, 0.916, 0.0, 0.0]
    assert shares.unknown.tolist() == [False, False, False, True, False]


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0, 1))
def test_confidence_lies_between_what_was_counted_and_the_base_rate(one: int, other: int, base: float) -> None:
    held, told = max(one, other), min(one, other)
    confidence = float(Shares(np.array([held]), np.array([told])).confidence(base)[0])
    share = told / held if held else base
    assert min(share, base) - 1e-12 <= confidence <= max(share, base) + 1e-12
    more = float(Shares(np.array([held + 1]), np.array([told + 1])).confidence(base)[0])
    less = float(Shares(np.array([held + 1]), np.array([told])).confidence(base)[0])
    assert less <= confidence + 1e-12 <= more + 2e-12, (
        "one more document that tells raises it, one that does not lowers"
    )


@given(st.integers(0, 300), st.integers(0, 300))
def test_intervals_are_those_of_the_score_test(one: int, other: int) -> None:
    held, told = max(one, other), min(one, other)
    low, high = Shares(np.array([held]), np.array([told])).bounds()
    assert (float(low[0]), float(high[0])) == pytest.approx(wilson(told, held))


def test_more_cannot_tell_than_there_are() -> None:
    with pytest.raises(ValueError, match="between none and all"):
        Shares(np.array([1]), np.array([2]))


def test_a_common_secret_raises_the_ceiling() -> None:
    assert ceiling_above(0.1, 0.001) == 0.1
    assert ceiling_above(0.1, 0.4) == pytest.approx(0.8 / 1.4)


# rules


def test_rules_are_those_of_brute_force() -> None:
    text = "Born in Riga, a firefighter with an old boat acted in Blue Moon. Oslo is a town."
    rules = model(inference=Inference(triples=100_000)).rules(document(text), SECRET)
    topic = SECRET.names
    assert rules.base == 3 / len(DOCUMENTS)
    for number, wanted in enumerate(rules.wanted):
        held, named = CORPUS.count_all([[wanted], [wanted, topic]], "document").tolist()
        assert (rules.alone.held[number], rules.alone.told[number]) == (held, named)
        assert rules.single[number] == pytest.approx((named + 0.5 * rules.base) / (held + 0.5))
    size = len(rules.paired)
    assert size > 5
    for one, other in combinations(range(size), 2):
        pair = [rules.wanted[one], rules.wanted[other]]
        held, named = CORPUS.count_all([pair, [*pair, topic]], "document").tolist()
        if one in rules.parts[other] or other in rules.parts[one]:
            longer = one if other in rules.parts[one] else other
            assert rules.paired[one, other] == rules.single[longer]
        else:
            assert (rules.pairs.held[one, other], rules.pairs.told[one, other]) == (held, named)
    for each, held, named in zip(rules.sets, rules.together.held, rules.together.told, strict=True):
        several = [rules.wanted[number] for number in each]
        assert CORPUS.count_all([several, [*several, topic]], "document").tolist() == [held, named]


def test_no_set_of_terms_is_missed() -> None:
    """With bounds that bind nothing, what brute force finds above the ceiling is broken by breaking every row."""
    text = "Born in Riga, a firefighter likes boats. The teacher starred, and the moon is blue."
    risk = model(inference=Inference(linking=False, triples=100_000)).assess(document(text), SECRET)
    choices = risk.choices
    assert isinstance(choices, Inferences)
    rows = [frozenset(choices.spans[column] for column in row if column >= 0) for row in choices.sets.tolist()]
    read_words = {word: tuple(Span(m, m + len(word)) for m in [text.lower().find(word)]) for word in words(text)}
    for size in (1, 2, 3):
        for some in combinations([word for word in read_words if len(word) > 3], size):
            held, named = CORPUS.count_all([some, [*some, SECRET.names]], "document").tolist()
            if named and (named + 0.5 * 3 / len(DOCUMENTS)) / (held + 0.5) > risk.ceiling:
                places = {read_words[word] for word in some}
                assert any(row <= places for row in rows), some


def test_every_rule_can_be_replayed() -> None:
    text = "Born in Riga, a firefighter acted in Blue Moon."
    risk = model().assess(document(text), SECRET)
    rules = told(risk, text)
    assert rules["Blue Moon",] == (2, 2)
    assert rules["Riga", "firefighter"] == (2, 2)
    assert rules["Riga",] == (2, 3)
    evidence = {tuple(span.of(text) for span in each.spans): each for each in risk.evidence}
    assert set(evidence["Blue Moon",].documents) == {"a", "b"}
    assert evidence["Riga",].reason == "the secret is in 2 of the 3 documents that have it: between 21% and 94%"
    assert risk.before == max(each.weight for each in risk.evidence)
    assert [each.weight for each in risk.evidence] == sorted((each.weight for each in risk.evidence), reverse=True)
    assert risk.measure == "share"
    assert risk.ceiling == pytest.approx(max(0.1, 2 * 3 / 46 / (1 + 3 / 46)))


def test_names_of_the_topic_are_no_terms_but_parts_of_them_are() -> None:
    text = "Zed Quux, or Quux the Great, was from Riga. Quux left."
    risk = model().assess(document(text), SECRET)
    places = {span.of(text) for each in risk.evidence for span in each.spans}
    assert "Riga" in places
    assert "Quux" in places, "the surname alone is no name that the policy gives, and tells"
    assert not {place for place in places if "Zed" in place or "Great" in place}


def test_marks_and_what_is_written_are_no_words() -> None:
    source = document("A firefighter acted in Blue Moon.")
    redacted = document("A [REDACTED] acted in SOMETHING Riga.")
    start = redacted.text.index("SOMETHING")
    risk = model().assess(redacted, SECRET, source=source, written=[Span(start, start + 14)])
    assert told(risk, redacted.text) == {("acted",): (1, 1)}
    assert risk.choices is None


def test_copies_are_left_out_and_told() -> None:
    long = "He grew up on a farm by the sea, went to school by bus, and became known for playing the lute."
    corpus = PlainCorpus([*DOCUMENTS, ("copy", "", f"{PERSON}. {long}")])
    with_copies = model(corpus, corpus=Background(leave_out_copies=False)).assess(document(long), SECRET)
    without = model(corpus).assess(document(long), SECRET)
    assert with_copies.before > 0.6
    assert without.before < 0.1
    assert any("1 document is a copy" in note for note in without.notes)
    assert not any("copy" in note for note in with_copies.notes)
    redacted = model(corpus).assess(document("[REDACTED] lute."), SECRET, source=document(long))
    assert redacted.before == 0.0, "a redaction is measured without the copies of its source"


def test_what_is_unknown_is_told() -> None:
    risk = model().assess(document("The Zorblatt of Riga."), SECRET)
    assert any(note.startswith("1 of the 2 terms") for note in risk.notes)
    nobody = Secret("person", model="association", value="Nobody Known")
    few = model(inference=Inference(keywords=1)).assess(
        document("A firefighter from Riga in Blue Moon. Boats."), SECRET
    )
    assert any("looked at in pairs" in note for note in few.notes)
    notes = model().assess(document("Riga."), nobody).notes
    assert any("no document of the corpus" in note for note in notes)


def test_a_term_of_one_document_tells() -> None:
    """A role that stands in one document alone, which names the person, is the one to search for."""
    risk = model().assess(document("A teacher starred."), SECRET)
    assert risk.before == pytest.approx((1 + 0.5 * 3 / 46) / 1.5)
    assert risk.stays
    choices = risk.choices
    assert isinstance(choices, Inferences)
    assert len(choices.sets) == 1


def test_what_the_mark_spells_out_cannot_go() -> None:
    risk = model().assess(document("A teacher acted."), SECRET)
    choices = risk.choices
    assert isinstance(choices, Inferences)
    assert len(choices.sets) == 0
    assert choices.floor == risk.before > risk.ceiling


def test_common_topics_need_more_than_chance() -> None:
    corpus = PlainCorpus([(str(n), "", f"word{n % 7} river {'flood' if n % 2 else 'drought'}") for n in range(70)])
    secret = Secret("flood", model="association", value="flood")
    risk = model(corpus).assess(document("The river was word1 and word2."), secret)
    assert not risk.stays
    assert any("the ceiling is raised" in note for note in risk.notes)


# linking


def test_linking() -> None:
    """Holy and mosques tell little apart, and much together."""
    texts = ["the holy man", "the mosques are old", "a holy book", "many mosques burnt", "holy days"] * 4
    texts += ["Zed Quux built the holy mosques", "Zed Quux prays in holy mosques"]
    corpus = PlainCorpus([(str(number), "", text) for number, text in enumerate(texts)])
    text = document("They saw the holy mosques.")
    linked = model(corpus).rules(text, SECRET)
    assert "holy mosques" in [term.text for term in linked.terms]
    phrase = [term.text for term in linked.terms].index("holy mosques")
    assert linked.single[phrase] > 2 * max(linked.single[part] for part in linked.parts[phrase])
    apart = model(corpus, inference=Inference(linking=False)).rules(text, SECRET)
    assert sorted(term.text for term in apart.terms) == ["holy", "mosques"]
    assert not apart.links
    both = model(corpus, inference=Inference(linking=False)).assess(text, SECRET)
    assert told(both, text.text)["holy", "mosques"] == (2, 2), "pairs find it too"


def test_a_phrase_that_tells_no_more_than_its_words_is_not_linked() -> None:
    rules = model().rules(document("He has an old boat in a small town."), SECRET)
    assert not [term.text for term in rules.terms if " " in term.text]


def test_related_terms_are_linked() -> None:
    rules = model().rules(document("She was a firefighter in Riga."), SECRET)
    links = {frozenset((rules.terms[one].text, rules.terms[other].text)) for one, other in rules.links}
    assert frozenset({"firefighter", "riga"}) in links


@pytest.mark.parametrize(
    ("inference", "largest"), [(Inference(size=1), 1), (Inference(triples=0), 2), (Inference(keywords=2), 2)]
)
def test_bounds(inference: Inference, largest: int) -> None:
    rules = model(inference=inference).rules(document("Born in Riga, a firefighter acted in Blue Moon."), SECRET)
    assert max(len(rule.terms) for rule in rules.told()) <= largest
    assert len(rules.paired) <= 2 * inference.keywords


# sentences


def test_sentences_that_stand_in_a_document_are_flagged() -> None:
    sentence = "Every man on the boat had two oars and a hat."
    some = "They all went to the town by the sea."
    corpus = PlainCorpus(
        [
            *DOCUMENTS,
            ("own", "", f"{PERSON} wrote: {sentence}"),
            ("other", "", f"Somebody wrote: {some}"),
            *((f"y{n}", "", f"A hat and two oars. No boat. Many a man went to sea {n}") for n in range(60)),
        ]
    )
    text = document(f"{sentence} {some} He left.")
    risk = model(corpus, inference=Inference(size=1), corpus=Background(leave_out_copies=False)).assess(text, SECRET)
    flagged = {each.spans[0].of(text.text): each for each in risk.evidence if "word for word" in each.reason}
    assert flagged.keys() == {sentence, some}
    assert flagged[sentence].reason == "stands word for word in a document, which has the secret"
    assert flagged[sentence].documents == ("own",)
    assert flagged[some].reason == "stands word for word in a document"
    assert risk.before == flagged[sentence].weight > 0.6
    choices = risk.choices
    assert isinstance(choices, Inferences)
    (row,) = choices.sets.tolist()
    places = {span for column in row if column >= 0 for span in choices.spans[column]}
    assert {place.of(text.text) for place in places} == {"man", "boat", "oars", "hat", "two"}, (
        "one of these has to change"
    )


# choices


def test_rows_that_others_imply_are_left_out() -> None:
    rows = [frozenset({0}), frozenset({0, 1}), frozenset({2, 3}), frozenset({3, 4}), frozenset({1, 4, 5})]
    inside = [frozenset[int]()] * 4 + [frozenset({2}), frozenset[int]()]
    assert list(minimal(rows, inside)) == [frozenset({0}), frozenset({2, 3}), frozenset({1, 4, 5})]


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=12))
@settings(max_examples=150)
def test_minimal_rows_are_broken_by_what_breaks_all(rows: list[frozenset[int]]) -> None:
    kept = list(minimal(rows, [frozenset()] * 7))
    assert {row for row in rows if not any(other < row for other in rows)} == set(kept)


def test_a_name_goes_as_a_whole() -> None:
    risk = model().assess(document("A film called Blue Moon."), SECRET)
    choices = risk.choices
    assert isinstance(choices, Inferences)
    assert [choices.spans[column] for row in choices.sets.tolist() for column in row] == [(Span(14, 23),)]
    assert choices.worth[choices.sets[0, 0]] == 2.0


def test_more_general_words_are_counted_too(tmp_path: Path) -> None:
    """Alone and in pairs `rescuer` tells little; with both other terms it does."""
    (tmp_path / "taxonomy.csv").write_text("firefighter,rescuer,person\nquux,man\n")
    texts = ["The rescuer is in Riga", "The rescuer has boats", "In Riga are boats", "A rescuer works"] * 5
    texts += [f"{PERSON} is a rescuer in Riga with boats", f"{PERSON} the firefighter", "A person. A person."]
    corpus = PlainCorpus([(str(number), "", text) for number, text in enumerate(texts)])
    policy = Policy(
        secret=(SECRET,),
        planning=Planning(generalise=True, taxonomy="taxonomy.csv"),
        components=Components(taxonomies=("own",)),
        folder=str(tmp_path),
    )
    text = document("A firefighter from Riga with boats, Quux.")
    risk = AssociationRisk(policy, corpus).assess(text, replace(SECRET, ceiling=0.5))
    choices = risk.choices
    assert isinstance(choices, Inferences)
    assert [text for _, text in choices.general] == ["rescuer"], (
        "a person is hardly met, and a name is not put in words"
    )
    rows = {frozenset(column for column in row if column >= 0) for row in choices.sets.tolist()}
    column = {spans[0].of(text.text): number for number, spans in enumerate(choices.spans)}
    option = len(choices.spans)
    assert rows == {
        frozenset({column["firefighter"]}),
        frozenset({column["Quux"]}),
        frozenset({option, column["Riga"], column["boats"]}),
    }
    assert choices.worth[option] == choices.worth[column["firefighter"]] / 2
    plain = AssociationRisk(replace(policy, planning=Planning()), corpus).assess(text, replace(SECRET, ceiling=0.5))
    assert isinstance(plain.choices, Inferences)
    assert not plain.choices.general


# search engines


class Engine:
    """A corpus that can only be asked, and counts what it is asked."""

    def __init__(self, corpus: PlainCorpus) -> None:
        self.corpus, self.queries = corpus, 0

    def size(self, unit: Unit) -> int:
        self.queries += 1
        return self.corpus.size(unit)

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        self.queries += len(terms) * (len(terms) + 1) // 2
        return self.corpus.count_matrix(terms, unit, given)

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        self.queries += len(term_sets)
        return self.corpus.count_all(term_sets, unit)

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        raise NotImplementedError

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        self.queries += len(term_sets)
        return self.corpus.holding(term_sets, k)

    def search(self, query: str, k: int) -> list[Hit]:
        raise NotImplementedError

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        self.queries += len(sentences)
        return self.corpus.contains(sentences)


@pytest.mark.parametrize(("budget", "decoys"), [(1000, 0), (200, 0), (600, 2)])
def test_a_search_engine_is_asked_no_more_than_is_allowed(budget: int, decoys: int) -> None:
    text = document(" ".join(text for _, _, text in DOCUMENTS[2:]) + " Born in Riga, a firefighter acted in Blue Moon.")
    engine = Engine(CORPUS)
    policy = Policy(secret=(SECRET,), corpus=Background(budget=budget, decoys=decoys))
    risk = AssociationRisk(policy, engine).assess(text, SECRET)
    assert budget / (1 + decoys) / 10 < engine.queries <= budget / (1 + decoys)
    assert risk.stays
    assert any("corpus.budget" in note for note in risk.notes)


# edges


def test_a_topic_must_be_given() -> None:
    for secret in (Secret("s", model="association"), Secret("s", model="association", value="...")):
        with pytest.raises(PolicyError, match="needs `value`"):
            model().assess(document("Riga."), secret)


@pytest.mark.parametrize("text", ["", " \n", "of the and", "?!", "[REDACTED]"])
def test_a_text_without_terms_has_no_risk(text: str) -> None:
    risk = model().assess(document(text), SECRET)
    assert risk.before == 0.0
    assert not risk.evidence


def test_an_empty_corpus_knows_nothing() -> None:
    risk = model(PlainCorpus([("a", "", "")])).assess(document("A firefighter from Riga."), SECRET)
    assert risk.before == 0.0
    assert any("no document of the corpus" in note for note in risk.notes)


def test_no_text_in_reprs_reasons_and_notes() -> None:
    text = document("A firefighter from Riga acted in Blue Moon.")
    named = PlainCorpus([(f"wiki#Zed Quux {name}", title, said) for name, title, said in DOCUMENTS])
    risk = model(named).assess(text, SECRET)
    assert any(each.documents for each in risk.evidence)
    shown = f"{risk!r} {model().rules(text, SECRET)!r}".lower()
    assert not [word for word in ("firefighter", "riga", "moon", "quux") if word in shown]
