"""The defence of the types of masks: readers, the ladder they make, and the secret that it guards."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import MalformedData, NotFitted, Operators, Policy, Redactor, Secret
from withhold.evaluation.mask_type import defence
from withhold.formats.blocks import join
from withhold.learners.masks import ladder, ladder_storage
from withhold.learners.masks.cases import MARK, Masked
from withhold.learners.masks.ladder_pages import MARKED, Lexicon, Pages, variants
from withhold.learners.masks.ladder_words import more_general
from withhold.spans import Span
from withhold.types import Finding, Replacement

KINDS = ("PERSON", "LOC", "DATETIME")
CUES = {"PERSON": "madam sergeant doctor", "LOC": "near beyond around", "DATETIME": "since until during"}
FRAMES = {
    kind: [f"And so they said to us {cue} @ again and again ." for cue in cues.split()] for kind, cues in CUES.items()
}
"""One word tells; the others are the same for all."""


def corpus(count: int, seed: int = 0) -> list[Masked]:
    """Documents of sentences whose frames tell the type of what is masked in them."""
    chance = random.Random(seed)
    return [written([(kind, chance.choice(FRAMES[kind])) for kind in chance.choices(KINDS, k=9)]) for _ in range(count)]


def written(sentences: Sequence[tuple[str, str]]) -> Masked:
    text, spans = "", []
    for _, frame in sentences:
        at = len(text) + frame.index("@")
        spans.append(Span(at, at + 1))
        text += frame + "\n"
    return Masked.of(text, spans, [kind for kind, _ in sentences])


@pytest.fixture(scope="module")
def learnt() -> ladder.Ladder:
    return ladder.fit(corpus(12), kinds=KINDS, least=0.85, step=0.05)


def told(readers: ladder.Ladder, documents: Sequence[Masked], rung: int = 0) -> float:
    lexicon = Lexicon()
    pages = Pages.of(documents, KINDS, lexicon)
    guessed = ladder.guesses(ladder.Views(lexicon), readers.rungs[rung], pages.around())
    return float((guessed == pages.types).mean())


def test_readers_tell_types_until_telling_words_go(learnt: ladder.Ladder) -> None:
    new = corpus(6, seed=1)
    assert told(learnt, new) > 0.95
    made = learnt.defend(new, 0.85)
    assert told(learnt, made) < 0.65
    assert told(learnt, made, rung=-1) < 0.65
    assert defence.words(new, made)["words_kept"] == pytest.approx(0.85, abs=0.002)


def test_random_words_hide_less(learnt: ladder.Ladder) -> None:
    new, chance = corpus(6, seed=1), random.Random(0)
    gone = []
    for each in new:
        places = [n for n, token in enumerate(each.tokens) if token[0].isalnum() and n not in each.masks]
        gone.append(each.without(chance.sample(places, round(0.15 * len(places)))))
    assert told(learnt, gone) > told(learnt, learnt.defend(new, 0.85)) + 0.2


def test_types_and_entities_stay_and_defending_is_deterministic(learnt: ladder.Ladder) -> None:
    new = corpus(6, seed=2)
    made = learnt.defend(new, 0.85)
    assert [(a.tokens, a.masks) for a in made] == [(b.tokens, b.masks) for b in learnt.defend(new, 0.85)]
    for before, after in zip(new, made, strict=True):
        assert after.types == before.types
        assert all(after.tokens[place] == MARK for place in after.masks)
        assert not any(a == b == MARK for a, b in zip(after.tokens, after.tokens[1:], strict=False))


def test_a_collection_is_defended_without_its_own_folds() -> None:
    documents = corpus(8, seed=3)
    made = ladder.together(documents, kinds=KINDS, kept=(0.9, 0.8), step=0.1)
    for share in (0.9, 0.8):
        assert defence.words(documents, made[share])["words_kept"] == pytest.approx(share, abs=0.002)
    assert ladder.together(documents, kinds=KINDS, kept=(1.0,))[1.0] == [each.merged() for each in documents]


def test_more_general_words_are_counted_as_changed() -> None:
    general = more_general([])
    assert general("on") == ("in", "of", "to")
    assert general("in") == ("of", "to")
    assert general("train") == ()
    documents = corpus(8, seed=4)
    made = ladder.together(documents, kinds=KINDS, kept=(0.8,), step=0.1, general=general)[0.8]
    counted = defence.words(documents, made)
    assert counted["words_kept"] == pytest.approx(0.8, abs=0.002)
    assert 0 < counted["generalised"] <= 0.2


tokens = st.lists(st.sampled_from(["a", "b", "Cd", ",", "@"]), min_size=1, max_size=30)


@given(tokens, st.integers(0, 10_000))
def test_a_variant_is_what_is_there_once_the_word_is_gone(words: list[str], seed: int) -> None:
    """The quick way from windows of numbers and the slow way through documents agree."""
    text, spans = "", []
    for word in words:
        if word == "@":
            spans.append(Span(len(text), len(text) + 1))
        text += word + " "
    masked = Masked.of(text, spans, ["PERSON"] * len(spans))
    lexicon = Lexicon()
    pages = Pages.of([masked], KINDS, lexicon)
    around = pages.around()
    found = [each for each in variants(pages, around, np.full((len(lexicon.tokens), 3), -1)) if len(each.masks)]
    if not found:
        return
    each = found[seed % len(found)]
    row = seed % len(each.masks)
    gone = pages.gone.copy()
    gone[each.places[row]] = True
    after = replace(pages, gone=gone).around()
    for side in ("left", "right"):
        wanted, made = getattr(after, side)[each.masks[row]], getattr(each.around, side)[row]
        assert (wanted[:9] == made[:9]).all()
    assert replace(pages, gone=gone).defended() == [masked.without([int(each.places[row])])]


@given(tokens, st.integers(0, 10_000))
def test_what_is_around_two_marks_that_become_one(words: list[str], seed: int) -> None:
    """Closing a gap, worked out from windows of numbers, is what is there once all between the marks is gone."""
    text, spans = "", []
    for word in words:
        if word == "@":
            spans.append(Span(len(text), len(text) + 1))
        text += word + " "
    pages = Pages.of([Masked.of(text, spans, ["PERSON"] * len(spans))], KINDS, Lexicon())
    gaps = pages.gaps()
    assert all(pages.tokens[place] != MARKED for gap in zip(gaps.first, gaps.end, strict=True) for place in range(*gap))
    if not len(gaps):
        return
    gap = seed % len(gaps)
    gone = pages.gone.copy()
    gone[gaps.first[gap] : gaps.end[gap]] = True
    after = replace(pages, gone=gone)
    which, entities = gaps.entities()
    own = entities[which == gap]
    assert len(own) > 1
    assert len({after.gaps().marks[entity] for entity in own.tolist()}) == 1
    assert set(after.gaps().closed.tolist()) <= set(own.tolist())
    made, wanted = gaps.around(pages.around(), which[which == gap]), after.around()
    assert (made.left == wanted.left[own]).all()
    assert (made.right == wanted.right[own]).all()
    assert gaps.cost[gap] == after.lost


@given(st.lists(st.sampled_from([*KINDS, "OTHER"]), min_size=2, max_size=9), st.data())
def test_closing_a_gap_makes_whoever_takes_all_for_one_wrong_more_often(types: list[str], data: st.DataObject) -> None:
    joined = Masked.of(
        "and ".join("@" for _ in types), [Span(5 * n, 5 * n + 1) for n in range(len(types))], types
    ).without(data.draw(st.sets(st.sampled_from(range(1, 2 * len(types) - 1, 2)))))
    pages = Pages.of([joined], KINDS, Lexicon())
    gaps, chosen = pages.gaps(), pages.types >= 0

    def right(marks: Sequence[int]) -> int:
        counts = Counter(zip(marks, types, strict=True))
        of_known = {place: [n for (at, kind), n in counts.items() if at == place and kind in KINDS] for place in marks}
        return sum(max(several, default=0) for several in of_known.values())

    fewer = gaps.confused(pages.types, chosen)
    for gap, lost in enumerate(fewer.tolist()):
        after = joined.without(range(int(gaps.first[gap]), int(gaps.end[gap])))
        assert right(joined.masks) - right(after.masks) == lost


def test_marks_of_different_types_become_one() -> None:
    """Nobody can tell apart what one mark hides, whatever they go by."""
    pair = "And so they said to us madam @ since @ again and again ."
    at = [match.start() for match in re.finditer("@", "\n".join([pair] * 6))]
    spans, types = [Span(each, each + 1) for each in at], ["PERSON", "DATETIME"] * 6
    documents = [Masked.of("\n".join([pair] * 6), spans, types)] * 8
    made = ladder.together(documents, kinds=KINDS, kept=(0.9,), step=0.1)[0.9]
    assert all(len(set(each.masks)) == 6 for each in made)
    assert defence.words(documents, made)["words_kept"] == pytest.approx(0.9, abs=0.02)


def test_what_is_between_marks_goes_together(folder: Path) -> None:
    redactor = Redactor(secret(folder, 0.4))
    text, findings = "", []
    for _ in range(6):
        line = "And so they said to us madam Novak , since 1999 again and again .\n"
        for name, kind in (("Novak", "PERSON"), ("1999", "DATETIME")):
            at = len(text) + line.index(name)
            findings.append(Finding(Span(at, at + len(name)), kind, "test"))
        text += line
    document = redactor.read(text.encode(), name="a.txt")
    made = redactor.apply(redactor.plan_for(document, findings), document).document.text
    assert ", since [" not in made
    assert made.count("[REDACTED]") < 12


def test_what_stands_around_a_mark_stays_in_its_document() -> None:
    pages = Pages.of([written([("LOC", "@ x")]), written([("LOC", "y @")])], KINDS, Lexicon())
    around = pages.around()
    assert [pages.lexicon.tokens[number] for number in around.left[:, 0]] == ["", "y"]
    assert [pages.lexicon.tokens[number] for number in around.right[:, 0]] == ["x", "\n"]


def test_a_saved_ladder_defends_alike(learnt: ladder.Ladder, tmp_path: Path) -> None:
    ladder_storage.save(learnt, tmp_path)
    again, new = ladder_storage.load(tmp_path), corpus(4, seed=5)
    assert again.kinds == learnt.kinds
    assert again.defend(new, 0.85) == learnt.defend(new, 0.85)


@pytest.mark.parametrize("damage", [b"", b"PK", b"\0" * 100])
def test_damaged_ladders_are_refused(learnt: ladder.Ladder, tmp_path: Path, damage: bytes) -> None:
    with pytest.raises(NotFitted):
        ladder_storage.load(tmp_path)
    path = ladder_storage.save(learnt, tmp_path)
    path.write_bytes(damage or path.read_bytes()[:-200])
    with pytest.raises(MalformedData):
        ladder_storage.load(tmp_path)


def secret(folder: Path, ceiling: float) -> Policy:
    guarded = Secret(name="types", model="mask_type", fitted=str(folder), ceiling=ceiling)
    return Policy(secret=(guarded,), operators=Operators(default="suppress"))


def case() -> tuple[bytes, list[Finding]]:
    text, findings = "", []
    names = {"PERSON": "Novak", "LOC": "Split", "DATETIME": "1999"}
    for number in range(12):
        kind = KINDS[number % 3]
        frame = FRAMES[kind][number % len(FRAMES[kind])]
        at = len(text) + frame.index("@")
        findings.append(Finding(Span(at, at + len(names[kind])), kind, "test"))
        text += frame.replace("@", names[kind]) + "\n"
    return text.encode(), findings


@pytest.fixture(scope="module")
def folder(learnt: ladder.Ladder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ladder")
    ladder_storage.save(learnt, made)
    return made


def test_the_planner_hides_types_by_what_stands_around_masks(folder: Path) -> None:
    redactor, (data, findings) = Redactor(secret(folder, 0.6)), case()
    document = redactor.read(data, name="a.txt")
    plan = redactor.plan_for(document, findings)
    [risk] = plan.risks
    assert risk.before > 0.9
    assert risk.after <= 0.6
    assert 0 < plan.removed["CLUE"] <= 20
    redaction = redactor.apply(plan, document)
    [risk] = redaction.plan.risks
    assert risk.after < risk.before
    assert "[REDACTED] [REDACTED]" not in redaction.document.text
    assert {mask.label for mask in redaction.masks} == {*KINDS, "CLUE"}


def test_no_ceiling_is_under_a_blind_guess_and_marks_that_name_types_hide_none(folder: Path) -> None:
    data, findings = case()
    alike = [replace(each, label="LOC") for each in findings]
    redactor = Redactor(secret(folder, 0.1))
    [risk] = redactor.plan_for(redactor.read(data, name="a.txt"), alike).risks
    assert risk.ceiling == 1.0
    redactor = Redactor(replace(secret(folder, 0.6), operators=Operators(default="mask")))
    [risk] = redactor.plan_for(redactor.read(data, name="a.txt"), findings).risks
    assert risk.stays
    assert risk.before == 1.0


def test_nothing_masked_is_nothing_told(folder: Path) -> None:
    redactor = Redactor(secret(folder, 0.6))
    assert [risk.after for risk in redactor.assess(redactor.read(b"A quiet day.", name="a.txt"))] == [0.0]


def test_neighbouring_marks_become_one_within_a_block() -> None:
    document = Redactor().read(b"a b, c d\ne", name="a.txt")
    spans = [Span(0, 1), Span(2, 3), Span(5, 6), Span(7, 8), Span(9, 10)]
    made = join(document, [Replacement(span, "[X]") for span in spans], "[X]")
    assert [each.span for each in made] == [Span(0, 3), Span(5, 8), Span(9, 10)]
    assert len(join(document, [Replacement(span, "w") for span in spans], "[X]")) == 5


def test_what_look_alike_letters_break() -> None:
    broken = defence.breaks([Masked.of("The applicant lodged it by fly", [], [])])
    assert broken == {"words_not_found": pytest.approx(4 / 6), "words_still_known": pytest.approx(2 / 6)}
