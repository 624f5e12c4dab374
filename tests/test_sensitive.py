"""Learners that tell sensitive words from others, and how each trades misses for false alarms."""

from __future__ import annotations

import random

import numpy as np
import pytest

from withhold.learners.model_arrays import arrays, restore
from withhold.learners.sensitive import (
    LEARNERS,
    MARK,
    Counts,
    Examples,
    Flags,
    Model,
    Shown,
    adaboost,
    crf,
    out_of_fold,
    select,
    show,
    svm,
)
from withhold.learners.tokens import cut
from withhold.learners.word_features import rows

FIRST = ["Anna", "Bela", "Carl", "Dora", "Emil", "Fred", "Gina", "Hugo", "Ines", "Jan", "Kim", "Lea", "Max", "Nora"]
LAST = ["Abel", "Bach", "Cole", "Dorn", "Ekman", "Falk", "Graf", "Holt", "Irving", "Jansen", "Krol", "Lund"]
VERBS = ["signed", "read", "sent", "lost", "found", "wrote", "kept"]
THINGS = ["letter", "contract", "file", "Report", "Contract", "plan", "note"]


def corpus(documents: int, seed: int = 0) -> tuple[list[Shown], list[Flags]]:
    """Short notes with names in them, some after a title and some where anything may stand."""
    chance = random.Random(seed)
    shown, sensitive = [], []
    for _ in range(documents):
        words, flags = [], []
        for _ in range(6):
            name = [chance.choice(FIRST), chance.choice(LAST)][: chance.randint(1, 2)]
            head = ["Mr"] if chance.random() < 0.5 else []
            rest = [chance.choice(VERBS), "the", chance.choice(THINGS), "."]
            words += head + name + rest
            flags += [False] * len(head) + [True] * len(name) + [False] * len(rest)
        tokens = cut(" ".join(words))
        assert len(tokens) == len(flags)
        shown.append(show(tokens))
        sensitive.append(np.array(flags))
    return shown, sensitive


@pytest.fixture(scope="module")
def known() -> tuple[list[Shown], list[Flags]]:
    return corpus(12)


def counted(model: Model, shown: list[Shown], sensitive: list[Flags], threshold: float = 0.0) -> Counts:
    scores = np.concatenate([model.scores(each) for each in shown])
    return Counts.of(scores > threshold, np.concatenate(sensitive))


@pytest.mark.parametrize("name", list(LEARNERS))
def test_each_learner_finds_names_in_other_texts(name: str, known: tuple[list[Shown], list[Flags]]) -> None:
    model = LEARNERS[name](Examples(*known), 1.0)
    counts = counted(model, *corpus(10, seed=1))
    assert counts.tp > 0.9 * (counts.tp + counts.fn)
    assert counts.fp < 0.1 * counts.tp


@pytest.mark.parametrize("name", list(LEARNERS))
def test_where_a_miss_is_dear_less_is_missed(name: str, known: tuple[list[Shown], list[Flags]]) -> None:
    shown, sensitive = known
    chance = np.random.default_rng(1)
    # With two of five names not marked nobody can be sure of any.
    noisy = [flags & (chance.random(len(flags)) < 0.6) for flags in sensitive]
    plain, dear = (counted(LEARNERS[name](Examples(shown, noisy), cost), shown, noisy) for cost in (1.0, 20.0))
    assert dear.fn <= plain.fn
    assert dear.cost(20.0) < plain.cost(20.0)


@pytest.mark.parametrize("name", list(LEARNERS))
def test_a_model_survives_being_stored(name: str, known: tuple[list[Shown], list[Flags]]) -> None:
    model = LEARNERS[name](Examples(*known), 3.0)
    again = restore(arrays(model))
    for each in corpus(3, seed=2)[0]:
        np.testing.assert_array_equal(model.scores(each), again.scores(each))


@pytest.mark.parametrize("damage", ["names", "lengths", "bias", "plane"])
def test_arrays_of_no_model_are_refused(damage: str, known: tuple[list[Shown], list[Flags]]) -> None:
    held = arrays(svm(Examples(*known)))
    for wrong in (held[damage][:-1], held[damage].astype(np.complex128)):
        with pytest.raises((ValueError, KeyError, TypeError)):
            restore({**held, damage: wrong})
    with pytest.raises(KeyError):
        restore({name: value for name, value in held.items() if name != damage})


@pytest.mark.parametrize("name", list(LEARNERS))
def test_what_is_hidden_is_not_seen(name: str, known: tuple[list[Shown], list[Flags]]) -> None:
    """Texts that differ in hidden words only are the same to every model, to learn from and to read."""
    shown, sensitive = known
    one = [show(each.tokens, flags) for each, flags in zip(shown, sensitive, strict=True)]
    other = []
    for each, flags in zip(shown, sensitive, strict=True):
        forms = ["Zzyzx" if flag else form for form, flag in zip(each.tokens.forms, flags, strict=True)]
        tokens = type(each.tokens)(forms, each.tokens.starts, each.tokens.ends, each.tokens.gaps)
        other.append(show(tokens, flags))
    none = [np.zeros_like(flags) for flags in sensitive]
    # Some open words are called sensitive, or there would be nothing to learn.
    for flags, each in zip(none, shown, strict=True):
        flags[:] = [form == "Report" for form in each.tokens.forms]
    first, second = LEARNERS[name](Examples(one, none), 1.0), LEARNERS[name](Examples(other, none), 1.0)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(first.scores(a), second.scores(b))
        assert not any("zzyzx" in feature for bag in rows(b.layers) for feature in bag)
    assert MARK in "".join(feature for bag in rows(one[0].layers) for feature in bag)


@pytest.mark.parametrize("name", list(LEARNERS))
def test_nothing_is_learnt_from_nothing(name: str) -> None:
    shown, sensitive = corpus(2)
    for flags in ([np.zeros_like(each) for each in sensitive], [np.ones_like(each) for each in sensitive]):
        model = LEARNERS[name](Examples(shown, flags), 1.0)
        assert not any((model.scores(each) > 0).any() for each in shown)
    empty = show(cut(""))
    assert len(LEARNERS[name](Examples([*shown, empty], [*sensitive, np.zeros(0, bool)]), 1.0).scores(empty)) == 0


@pytest.mark.parametrize("name", list(LEARNERS))
def test_all_words_at_once_are_rated_as_each_text_is(name: str, known: tuple[list[Shown], list[Flags]]) -> None:
    """And parts of the texts share their features with the whole."""
    whole = Examples([*known[0], show(cut(""))], [*known[1], np.zeros(0, bool)])
    part = whole.part([5, 12, 2, 7, 11])
    model = LEARNERS[name](part, 2.0)
    for examples in (part, whole):
        apart = [model.scores(each) for each in examples.shown]
        assert list(map(len, apart)) == list(map(len, examples.shown))
        np.testing.assert_allclose(model.rate(examples), np.concatenate(apart), rtol=1e-5, atol=1e-5)
        assert list(map(len, examples.by_text(model.rate(examples)))) == list(map(len, apart))


def test_planes_are_about_as_good_as_those_of_scikit_learn(known: tuple[list[Shown], list[Flags]]) -> None:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.svm import LinearSVC

    examples = Examples(*known)
    chance = np.random.default_rng(5)
    truth = np.where(chance.random(len(examples.sensitive)) < 0.1, ~examples.sensitive, examples.sensitive)
    noisy = Examples(known[0], examples.by_text(truth))  # type: ignore[arg-type]
    peer = LinearSVC(C=0.1, tol=1e-4, class_weight={True: 3.0, False: 1.0}, random_state=0).fit(noisy.matrix, truth)
    ours = noisy.matrix @ _weights(noisy, svm(noisy, 3.0)) + svm(noisy, 3.0).bias
    np.testing.assert_allclose(ours, peer.decision_function(noisy.matrix), atol=0.05)
    stumps = AdaBoostClassifier(n_estimators=30, random_state=0).fit(noisy.matrix, truth)
    model = adaboost(noisy, rounds=30)
    boosted = noisy.matrix @ _weights(noisy, model) + model.bias
    assert ((boosted > 0) == truth).mean() >= (stumps.predict(noisy.matrix) == truth).mean() - 0.01


def test_boosting_lowers_its_bound_on_mistakes(known: tuple[list[Shown], list[Flags]]) -> None:
    """The mean of exp(-margin), which boosting minimises, falls with every further stump, and bounds the mistakes."""
    shown, _ = known
    chance = np.random.default_rng(3)
    noisy = [chance.random(len(each)) < 0.3 for each in shown]
    truth = np.where(np.concatenate(noisy), 1, -1)
    examples = Examples(shown, noisy)
    losses = []
    for rounds in (1, 3, 10, 40):
        model = adaboost(examples, rounds=rounds)
        margins = truth * (examples.matrix @ _weights(examples, model) + model.bias)
        losses.append(float(np.exp(-margins).mean()))
        assert (margins <= 0).mean() <= losses[-1]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def _weights(examples: Examples, model: object) -> np.ndarray:
    held = arrays(model)  # type: ignore[arg-type]
    known = dict(zip(restore(held).vocabulary.numbers, held["plane"], strict=True))  # type: ignore[attr-defined]
    return np.array([known.get(name, 0.0) for name in examples.vocabulary.numbers])


def test_selection_is_judged_by_other_texts() -> None:
    shown, sensitive = corpus(12, seed=4)
    parts = [list(range(0, 12, 2)), list(range(1, 12, 2))]
    examples = Examples(shown, sensitive)
    best, fared = select(list(LEARNERS), examples, parts)
    assert set(fared) == set(LEARNERS)
    assert fared[best].cost(1) == min(counts.cost(1) for counts in fared.values())
    scores = out_of_fold(svm, examples, parts, 1.0)
    half = svm(examples.part(parts[1]))
    np.testing.assert_allclose(scores[0], half.scores(shown[0]))
    assert fared["svm"] == Counts.of(np.concatenate(scores) > 0, np.concatenate(sensitive))


def test_the_same_words_give_the_same_models(known: tuple[list[Shown], list[Flags]]) -> None:
    for learner in (svm, crf, adaboost):
        first, second = arrays(learner(Examples(*known), 2.0)), arrays(learner(Examples(*known), 2.0))
        assert all(np.array_equal(first[name], second[name]) for name in first)
