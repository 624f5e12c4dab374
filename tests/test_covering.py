"""Every inference is broken, for the least that it can be had: every choice of small programs bears that out."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from withhold import Edit, Finding, Operators, Policy, Redactor, Risk, Span
from withhold.planners import highs
from withhold.planners.breaking import exposure
from withhold.planners.covering import all_precedents, cover, greedy
from withhold.planners.edits import GENERALISE
from withhold.planners.greedy import GreedyPlanner
from withhold.planners.highs import cliques
from withhold.planners.linear import LinearPlanner, rank
from withhold.planners.overlaps import Gone
from withhold.planners.sparing import to_break
from withhold.types import Choices, Inferences, Scores

Flags = NDArray[np.bool_]
Row = tuple[int, ...]

PLANNERS = [LinearPlanner, GreedyPlanner]


def make(
    spans: Sequence[Sequence[Span]],
    rows: Sequence[Row],
    worth: Sequence[float] | None = None,
    general: Sequence[tuple[int, str]] = (),
    weights: Sequence[float] | None = None,
    floor: float = 0.0,
    added: bool = False,
) -> Inferences:
    width = max(map(len, rows), default=2)
    sets = np.full((len(rows), width), -1, np.int64)
    for number, row in enumerate(rows):
        sets[number, : len(row)] = row
    return Inferences(
        tuple(map(tuple, spans)),
        sets,
        np.ones(len(rows)) if weights is None else np.array(weights, np.float64),
        np.ones(len(spans) + len(general)) if worth is None else np.array(worth, np.float64),
        tuple(general),
        floor,
        added,
    )


def whole(inferences: Inferences, written: Flags) -> list[int]:
    """The rows of which every column is written."""
    return [number for number, row in enumerate(inferences.sets) if written[row[row >= 0]].all()]


def ways(inferences: Inferences) -> list[Flags]:
    """Every way to write each term as it is, as something more general, or not at all."""
    size, found = len(inferences.spans), []
    options = [
        [None, term, *(size + at for at, (owner, _) in enumerate(inferences.general) if owner == term)]
        for term in range(size)
    ]
    for way in product(*options):
        written = np.zeros(len(inferences.worth), np.bool_)
        written[[column for column in way if column is not None]] = True
        found.append(written)
    return found


@st.composite
def programs(draw: st.DrawFn) -> Inferences:
    terms = draw(st.integers(1, 6))
    general = [(draw(st.integers(0, terms - 1)), f"general {number}") for number in range(draw(st.integers(0, 3)))]
    size = terms + len(general)
    row = st.lists(st.integers(0, size - 1), min_size=0, max_size=3, unique=True).map(tuple)
    rows = draw(st.lists(row, max_size=12))
    worth = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]), min_size=size, max_size=size))
    weights = draw(st.lists(st.sampled_from([0.1, 0.2, 0.5]), min_size=len(rows), max_size=len(rows)))
    return make([()] * terms, rows, worth, general, weights)


@settings(max_examples=50, deadline=None)
@given(inferences=programs())
def test_nothing_better_can_be_kept(inferences: Inferences) -> None:
    unbreakable = whole(inferences, np.zeros(len(inferences.worth), np.bool_))
    possible = [way for way in ways(inferences) if whole(inferences, way) == unbreakable]
    best = max(float(inferences.worth[way].sum()) for way in possible)
    found, quick, plain = cover(inferences), greedy(inferences), all_precedents(inferences)
    for each in (found, quick, plain):
        assert any((each.kept == way).all() for way in possible)
        assert each.worth == pytest.approx(inferences.worth[each.kept].sum())
        assert each.bound >= best - 1e-9
    assert found.status == "optimal"
    assert found.worth == pytest.approx(best)
    assert plain.worth <= quick.worth <= found.worth + 1e-9
    again = cover(inferences)
    assert (again.kept == found.kept).all()


@settings(max_examples=40, deadline=None)
@given(inferences=programs(), spare=st.sampled_from([0.0, 0.15, 0.25, 0.65, 1.55]), exact=st.booleans())
def test_of_what_may_stay_no_more_stays(inferences: Inferences, spare: float, exact: bool) -> None:
    breaking = set(to_break(inferences, spare, 5.0 if exact else 0.0).tolist())
    rest = [weight for number, weight in enumerate(inferences.weights) if number not in breaking]
    unbreakable = sum(inferences.weights[whole(inferences, np.zeros(len(inferences.worth), np.bool_))])
    if unbreakable > spare:
        return
    assert sum(rest) <= spare + 1e-9
    if exact:
        only = replace(inferences, sets=inferences.sets[sorted(breaking)], weights=np.ones(len(breaking)))
        enough = [way for way in ways(inferences) if inferences.weights[whole(inferences, way)].sum() <= spare + 1e-9]
        assert cover(only).worth == pytest.approx(max(float(inferences.worth[way].sum()) for way in enough))


@given(pairs=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda pair: pair[0] < pair[1])))
def test_groups_hold_all_pairs_and_no_others(pairs: set[tuple[int, int]]) -> None:
    found = {tuple(sorted((one, other))) for group in cliques(sorted(pairs)) for one in group for other in group}
    assert {pair for pair in found if pair[0] < pair[1]} == pairs


@dataclass(frozen=True)
class Text:
    """Words at places of their own, and terms that are runs of them: they overlap as they like."""

    words: int
    terms: tuple[tuple[Span, ...], ...]
    rows: tuple[Row, ...]
    general: tuple[tuple[int, str], ...] = ()


@st.composite
def texts(draw: st.DrawFn) -> Text:
    words = draw(st.integers(1, 8))
    run = st.tuples(st.integers(0, words - 1), st.integers(1, 3)).map(
        lambda at: Span(4 * at[0], 4 * min(at[0] + at[1], words) - 1)
    )
    occurrences = st.lists(run, min_size=1, max_size=3, unique=True).map(sorted).map(tuple)
    terms = draw(st.lists(occurrences, min_size=1, max_size=6))
    general = [(draw(st.integers(0, len(terms) - 1)), f"general {number}") for number in range(draw(st.integers(0, 2)))]
    row = st.lists(st.integers(0, len(terms) + len(general) - 1), min_size=1, max_size=3, unique=True).map(tuple)
    return Text(words, tuple(terms), tuple(draw(st.lists(row, max_size=10))), tuple(general))


def risk_of(choices: Inferences | Choices, ceiling: float = 0.0, name: str = "secret") -> Risk:
    return Risk(name, "information", before=1.0, after=1.0, ceiling=ceiling, choices=choices)


def removed(edits: Sequence[Edit]) -> set[int]:
    return {at for edit in edits for at in range(edit.span.start, edit.span.end)}


def written(text: Text, edits: Sequence[Edit]) -> Flags:
    """By hand: which terms stand somewhere, and which more general words were put in their place.

    An occurrence is gone if every character is, of it or of any occurrence of a term that lies within it.
    """
    gone, places = removed(edits), {span for spans in text.terms for span in spans}
    left = {
        span
        for span in places
        if not any(gone.issuperset(range(other.start, other.end)) for other in places if other in span)
    }
    put = {(edit.span, edit.replacement) for edit in edits if edit.operator == GENERALISE}
    general = [any((span, replacement) in put for span in text.terms[term]) for term, replacement in text.general]
    return np.array([*(not left.isdisjoint(spans) for spans in text.terms), *general], np.bool_)


@pytest.mark.parametrize("planner", PLANNERS)
@settings(max_examples=50, deadline=None)
@given(text=texts(), found=st.integers(-1, 7), operator=st.sampled_from(["suppress", "mask"]))
def test_after_the_edits_no_set_is_whole(planner: type[LinearPlanner], text: Text, found: int, operator: str) -> None:
    inferences = make(text.terms, text.rows, general=text.general)
    findings = [Finding(Span(4 * found, 4 * found + 3), "PERSON", "lists")] if 0 <= found < text.words else []
    plan = planner(Operators(labels={"CLUE": operator})).plan(findings, [risk_of(inferences)])
    now = written(text, plan.edits)
    assert not whole(inferences, now)
    assert exposure(inferences, plan.edits) == 0.0
    assert [risk.after for risk in plan.risks] == [0.0]
    assert plan.status == "done"
    for finding in findings:
        assert removed([Edit(finding.span, "suppress")]) <= removed(plan.edits)
    clues = [edit for edit in plan.edits if edit.label == "CLUE"]
    assert all(edit.operator in (operator, GENERALISE) for edit in clues)
    if not whole(inferences, written(text, [Edit(finding.span, "suppress") for finding in findings])):
        assert not clues
    assert planner(Operators(labels={"CLUE": operator})).plan(findings, [risk_of(inferences)]) == plan


@pytest.mark.parametrize("planner", PLANNERS)
@settings(max_examples=40, deadline=None)
@given(text=texts(), ceiling=st.sampled_from([0.0, 0.15, 0.35, 0.55]), added=st.booleans())
def test_no_risk_stays_above_its_ceiling(planner: type[LinearPlanner], text: Text, ceiling: float, added: bool) -> None:
    weights = [0.1 * (1 + number % 5) for number in range(len(text.rows))]
    inferences = make(text.terms, text.rows, general=text.general, weights=weights, added=added)
    plan = planner(Operators()).plan([], [risk_of(inferences, ceiling)])
    told = inferences.weights[whole(inferences, written(text, plan.edits))]
    assert plan.risks[0].after == pytest.approx(told.sum() if added else told.max(initial=0.0))
    assert plan.risks[0].after <= ceiling
    assert plan.status == "done"


@settings(max_examples=40, deadline=None)
@given(text=texts())
def test_overlapping_terms_cost_no_more_than_removing_all_precedents(text: Text) -> None:
    text = replace(text, general=())
    rows = [row for row in text.rows if max(row) < len(text.terms)]
    inferences = make(text.terms, rows)
    plan = LinearPlanner(Operators()).plan([], [risk_of(inferences)])
    plain = [Edit(span, "suppress") for term in {term for row in rows for term in row} for span in text.terms[term]]
    assert written(text, plan.edits).sum() >= written(text, plain).sum()


def test_terms_in_the_same_places_go_together_and_a_phrase_goes_with_its_word() -> None:
    """Harrison, Ford and Harrison Ford are one decision; American actor goes with actor."""
    name, actor, american_actor, carpenter = (Span(0, 13),), (Span(30, 35),), (Span(21, 35),), (Span(40, 49),)
    spans = [name, name, name, actor, american_actor, carpenter]
    found = cover(make(spans, [(0, 5), (1, 3), (4, 5)], [1, 1, 1, 1, 1, 1]))
    assert found.kept.tolist() == [True, True, True, False, False, False]
    found = cover(make(spans, [(0, 5), (1, 3), (4, 5)], [1, 1, 1, 5, 1, 1]))
    assert found.kept.tolist() == [False, False, False, True, True, False]
    assert (found.status, found.worth) == ("optimal", 6.0)


def test_a_phrase_and_its_word_together_tell_what_the_phrase_does() -> None:
    word, phrase = (Span(4, 8), Span(20, 24)), (Span(0, 8),)
    plan = LinearPlanner(Operators()).plan([], [risk_of(make([word, phrase], [(0, 1)]))])
    assert [edit.span for edit in plan.edits] == [Span(0, 8)]


def test_a_word_goes_everywhere_and_a_broken_phrase_is_left_alone() -> None:
    word, phrase, other = (Span(4, 8), Span(20, 24)), (Span(0, 8),), (Span(30, 35),)
    inferences = make([word, phrase, other], [(0,), (1, 2)])
    plan = LinearPlanner(Operators()).plan([], [risk_of(inferences)])
    assert [edit.span for edit in plan.edits] == [Span(4, 8), Span(20, 24)]
    assert plan.utility == pytest.approx(1 / 3)


def test_half_a_name_is_still_there() -> None:
    """Of a name that goes as a whole, a word was found on its own: the rest goes with it, or stays and is counted."""
    name, other = (Span(0, 15),), (Span(20, 25),)
    found = [Finding(Span(0, 8), "PERSON", "lists", entity=3)]
    inferences = make([name, name, other], [(0,), (1, 2)])
    plan = LinearPlanner(Operators()).plan(found, [risk_of(inferences)])
    assert [(edit.span, edit.label, edit.entity) for edit in plan.edits] == [(Span(0, 15), "PERSON", 3)]
    both = make([name, name, other], [(1, 2)])
    plan = LinearPlanner(Operators()).plan(found, [risk_of(both)])
    assert [edit.span for edit in plan.edits] == [Span(0, 8), Span(20, 25)]


def test_what_is_gone_is_found_out_piece_by_piece() -> None:
    spans = [(Span(0, 4),), (Span(2, 9),), (Span(5, 8),), (Span(20, 30),)]
    gone = Gone(spans, [Span(0, 3)])
    assert [len(left) for left in gone.left()] == [1, 1, 1, 1]
    gone.add(Span(3, 4))
    assert [len(left) for left in gone.left()] == [0, 1, 1, 1]
    gone.add(Span(5, 8))
    assert [len(left) for left in gone.left()] == [0, 0, 0, 1]
    gone.add(Span(1, 40))
    assert not any(gone.left())


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_more_general_word_is_written_where_it_tells_nothing(planner: type[LinearPlanner]) -> None:
    spans = [(Span(0, 3), Span(20, 23)), (Span(5, 8),), (Span(10, 13),)]
    general = [(0, "boat"), (0, "thing")]
    rows = [(0, 1), (0, 2), (1, 3)]
    inferences = make(spans, rows, [1.0, 1.0, 1.0, 0.5, 0.4], general)
    plan = planner(Operators()).plan([], [risk_of(inferences)])
    assert {(edit.span, edit.operator, edit.replacement) for edit in plan.edits} == {
        (Span(0, 3), GENERALISE, "thing"),
        (Span(20, 23), GENERALISE, "thing"),
    }
    assert plan.utility == 1.0
    # What is worth more than the word itself is no reason to write it.
    dear = replace(inferences, worth=np.array([1.0, 1.0, 1.0, 9.0, 9.0]))
    assert not planner(Operators()).plan([], [risk_of(replace(dear, sets=dear.sets[:0], weights=np.ones(0)))]).edits
    only = replace(dear, sets=np.array([[1, 2]]), weights=np.ones(1))
    assert len(planner(Operators()).plan([], [risk_of(only)]).edits) == 1


def test_only_what_is_above_the_ceiling_is_broken() -> None:
    spans = [(Span(4 * at, 4 * at + 3),) for at in range(4)]
    inferences = make(spans, [(0,), (1,), (2, 3)], weights=[0.4, 0.1, 0.3])
    plan = LinearPlanner(Operators()).plan([], [risk_of(inferences, ceiling=0.3)])
    assert [edit.span for edit in plan.edits] == [Span(0, 3)]
    assert [risk.after for risk in plan.risks] == [0.3]
    assert plan.status == "done"


@pytest.mark.parametrize("planner", PLANNERS)
def test_shares_add_up_to_the_ceiling_and_no_further(planner: type[LinearPlanner]) -> None:
    spans = [(Span(4 * at, 4 * at + 3),) for at in range(6)]
    rows = [(0, 1), (0, 2), (0, 3), (4, 5)]
    inferences = make(spans, rows, weights=[0.1] * 4, floor=0.05, added=True)
    plan = planner(Operators()).plan([], [risk_of(inferences, ceiling=0.2)])
    assert [edit.span for edit in plan.edits] == [Span(0, 3)]
    assert [risk.after for risk in plan.risks] == [pytest.approx(0.15)]
    assert plan.status == "done"
    assert planner(Operators()).plan([], [risk_of(inferences, ceiling=0.5)]).edits == ()


def test_what_cannot_be_broken_stays_and_is_named() -> None:
    spans = [(Span(0, 3),), (Span(4, 7),)]
    high = make(spans, [(0, 1)], weights=[0.8], floor=0.4)
    empty = make(spans, [(0,), ()], weights=[0.2, 0.3], added=True)
    plan = LinearPlanner(Operators()).plan([], [risk_of(high, 0.1, "one"), risk_of(empty, 0.1, "two")])
    assert [(risk.secret, risk.after, risk.stays) for risk in plan.risks] == [("one", 0.4, True), ("two", 0.3, True)]
    assert plan.status == "a risk stays"
    assert len(plan.edits) == 1


def test_several_secrets_are_broken_at_once_by_what_they_share() -> None:
    spans = [(Span(4 * at, 4 * at + 3),) for at in range(5)]
    one = make([spans[0], spans[1], spans[2]], [(0, 1), (1, 2)])
    other = make([spans[3], spans[1], spans[4]], [(0, 1), (1, 2)], added=True)
    plan = LinearPlanner(Operators()).plan([], [risk_of(one, 0.0, "one"), risk_of(other, 0.0, "other")])
    assert [edit.span for edit in plan.edits] == [Span(4, 7)]


@pytest.mark.parametrize("planner", PLANNERS)
@settings(max_examples=30, deadline=None)
@given(text=texts(), seed=st.integers(0, 2**32 - 1), generalise=st.booleans())
def test_classes_and_inferences_are_hidden_at_once(
    planner: type[LinearPlanner], text: Text, seed: int, generalise: bool
) -> None:
    random = np.random.default_rng(seed)
    weights = random.normal(size=(4, len(text.terms) + len(text.general)))
    weights[0] += 1.0
    general = text.general if generalise else ()
    options = weights[:, len(text.terms) :] if general else None
    scores = Scores(weights[:, : len(text.terms)], np.array([-0.5, 0.0, 0.0, 0.0]), (0,), options=options)
    choices = Choices(text.terms, (scores,), confusers=2, general=general, presence=bool(seed % 2))
    inferences = make(text.terms, text.rows, general=text.general)
    risks = [risk_of(choices, 1 / 3, "class"), risk_of(inferences, 0.0, "topic")]
    plan = planner(Operators()).plan([], risks)
    assert not whole(inferences, written(text, plan.edits))
    assert plan.risks[1].after == 0.0
    assert plan.risks[0].after == 1 / rank(choices, plan.edits)
    # Nothing at all can be kept, and that hides it: so it can be hidden.
    assert plan.risks[0].after <= 1 / 3
    assert plan.status == "done"


def test_large_programs_are_solved() -> None:
    """Words that meet in pages of their topics: about as many pairs as a long document has, and as they lie there."""
    random = np.random.default_rng(0)
    common = random.zipf(1.3, 600).clip(max=400).astype(float)
    chance = np.outer(common, common) / common.sum()
    pairs = np.argwhere(np.triu(random.random((600, 600)) < chance, 1))
    assert len(pairs) > 5_000
    inferences = make([()] * 600, [tuple(pair) for pair in pairs.tolist()])
    quick, best, plain = greedy(inferences), cover(inferences, seconds=20.0), all_precedents(inferences)
    assert not whole(inferences, best.kept)
    assert not whole(inferences, quick.kept)
    assert best.worth >= 0.99 * best.bound
    assert quick.worth >= 0.97 * best.worth
    assert best.worth > 1.2 * plain.worth


def test_a_plan_with_inferences_is_carried_out() -> None:
    redactor = Redactor(Policy())
    document = redactor.read(b"The trawler left Grimsby. A trawler is a boat.", name="a.txt")
    spans = [(Span(4, 11), Span(28, 35)), (Span(17, 24),)]
    inferences = make(spans, [(0, 1)], [3.0, 1.0, 0.5], [(1, "a port")])
    redaction = redactor.apply(redactor.plan([], [risk_of(inferences)]), document)
    assert redaction.document.text == "The trawler left A port. A trawler is a boat."
    assert exposure(inferences, redaction.plan.edits) == 0.0


def test_what_the_solver_prints_is_not_on_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    libc = ctypes.CDLL(None)
    with highs._printed_on_stderr():
        libc.puts(b"a line of the solver's own")
    libc.puts(b"a line of the caller's")
    libc.fflush(None)
    shown = capfd.readouterr()
    assert (shown.out, shown.err) == ("a line of the caller's\n", "a line of the solver's own\n")
