"""The evaluation of publishing: documents in folds, each sanitised by what the others teach, and then attacked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from withhold.errors import NotFitted
from withhold.evaluation.inference.intervals import DRAWS, Draws
from withhold.evaluation.publish.attacker import ATTACKERS, Attack, family
from withhold.evaluation.publish.bounds import at_random, checked, error_margin, in_order, most_likely, summed
from withhold.evaluation.publish.corpus import Corpus
from withhold.evaluation.publish.figures import figures
from withhold.evaluation.publish.lab import Lab, Release, Track
from withhold.evaluation.publish.ways import Way
from withhold.fit.annotated import Annotated, read_annotated
from withhold.fit.greedy import Costs, chosen
from withhold.fit.lessons import prepare
from withhold.labels import kind
from withhold.learners.sensitive import Examples, show
from withhold.policy import Publishing

Report = dict[str, Any]

BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Shares of what is published that an attacker can inspect."""
DOUBT = 0.05
OURS = "withhold"

COUNTING = {
    "labels": "What counts as sensitive, as the data call it. Where nothing is said of it, the names of people; or all "
    "that is marked, if no label is known to mean them.",
    "words": "Runs of letters and digits. Function words and titles within a sensitive span count neither as sensitive "
    "nor as others.",
    "kept": "The share of words that are not sensitive and are published; publish_ratio: of all words; cap: the most "
    "that could be, with nothing sensitive.",
    "residual_share": "The share of sensitive words that are published, in documents that no model had learnt from; "
    "residual_range is its 95 % interval if words were drawn one by one.",
    "iterations": "By fold; the last model, which was not taken, counts too.",
    "attacker": "Models that have learnt, with all labels, from the published text of the other folds; the best of "
    "them as judged on the attacked fold itself.",
    "budgets": "Words inspected: first those called sensitive and then any (paper), by score (ranked), or any "
    "(uniform). found_share is ranked as a share of all sensitive words before sanitising. A utility is the loss times "
    "what is found, so ratios are of utilities too.",
    "bounds": "folds: Theorems 2 to 6, each held against the attack on that fold; holds is null where an assumption "
    "does not hold there, or nothing is promised; printed: as published, before mending. sample is the attack on the "
    "other folds. upper: what the share of sensitive words that are left, or are found by score, is below in further "
    "documents of the same sort but for a chance of 2.5 %: exact for words drawn one by one (binomial), and by drawing "
    "documents again and again (bootstrap). by_document: sensitive words, and how many of them are left; who has the "
    "published file and the marks can count them again.",
}


def evaluate(
    data: Sequence[Path],
    asked: Publishing,
    *,
    split: str = "",
    people: bool = False,
    attackers: Sequence[str] = ATTACKERS,
    compare: bool = False,
    draw: bool = False,
    workers: int = 1,
    track: Track,
) -> Report:
    """Sanitise each fold of the marked documents by what the others teach, and attack the result.

    Sensitive is what has the labels of `asked`, or all that is marked if it has none; with `people` the names of people
    instead, if some are marked. With `compare`, other ways are measured on the same folds; with `draw`, what the
    figures of the paper show is.

    Raises:
        DocumentError, MalformedData: if the data cannot be read.
        NotFitted: if nothing is marked, or there are too few documents that differ.
    """
    read = [each for path in data for each in read_annotated(path, bare=True) if not split or each.split == split]
    if not read:
        raise NotFitted(f"no document says that it is of the split {split!r}")
    documents = [each for each in read if each.annotators]
    if not documents:
        raise NotFitted("no document is marked, so there is nothing to measure; mark some of them")
    given = prepare(chosen(documents, asked.labels or (names_of_people(documents) if people else ())))
    lab = Lab(Corpus.of(given.lessons), attackers, workers=workers, track=track)
    dear, ours = Costs(asked.loss, asked.worth).dear, Way(OURS, asked.rule, tuple(asked.learners))
    ways = [ours, *others(family(attackers), asked)] if compare else [ours]
    began = time.perf_counter()
    lab.make([(ours, [dear])])
    seconds = time.perf_counter() - began
    lab.make([(way, [dear]) for way in ways])
    lab.attack([lab.release(way, dear) for way in ways])
    release = lab.release(ours, dear)
    report = {
        "documents": len(lab.corpus.lessons),
        "words": lab.corpus.words,
        "sensitive": lab.corpus.total,
        "labels": list(given.labels),
        "loss": asked.loss,
        "worth": asked.worth,
        "rule": asked.rule,
        "learners": list(asked.learners),
        "attackers": list(attackers),
        **measured(lab, release),
        "seconds": seconds,
        "bounds": bounds(lab, release, dear),
        "counting": COUNTING,
    }
    if compare:
        report["compared"] = {way.name: measured(lab, lab.release(way, dear)) for way in ways}
    if draw:
        report["figures"] = figures(lab, ours)
    return report


def names_of_people(documents: Sequence[Annotated]) -> list[str]:
    """The labels in the documents that mean names of people, as far as is known."""
    return sorted({each.label for document in documents for each in document.mentions if kind(each.label) == "PERSON"})


def others(learners: tuple[str, ...], asked: Publishing) -> list[Way]:
    """What ours is compared with: its other rule, that of the paper out of fold, and each learner with costs."""
    first, single = learners[:1], [Way(f"{name} + costs", "single", (name,)) for name in learners]
    ruled = [Way(f"paper's rule, {first[0]}", "paper", first), Way(f"out of fold, {first[0]}", "crossed", first)]
    if asked.rule == "paper":
        ruled.append(Way("rule by cost", "cost", tuple(asked.learners)))
    return [*ruled, *single, Way("nothing hidden", "nothing")]


def measured(lab: Lab, release: Release) -> Report:
    """How much a release publishes, and what the attacker finds in it."""
    attacks, total = lab.attacks(release), lab.corpus.total
    return {
        **lab.corpus.published(release.hidden),
        "iterations": list(release.iterations),
        "attacker": _attacker(attacks, total),
        "budgets": [_budget(attacks, share, total) for share in BUDGETS],
    }


def _attacker(attacks: Sequence[Attack], total: int) -> Report:
    counts = summed(each.counts(each.best) for each in attacks)
    return {
        "best": [each.best for each in attacks],
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "tn": counts.tn,
        "found_share": counts.tp / max(1, total),
    }


def _budget(attacks: Sequence[Attack], share: float, total: int) -> Report:
    paper = uniform = 0.0
    inspected = ranked = 0
    for each in attacks:
        counts, budget = each.counts(each.best), each.budget(share)
        paper, uniform = paper + in_order(counts, budget), uniform + at_random(counts, budget)
        inspected, ranked = inspected + budget, ranked + len(each.ranked(budget))
    return {
        "inspected": share,
        "words": inspected,
        "paper": paper,
        "ranked": ranked,
        "uniform": uniform,
        "paper_ratio": paper / uniform if uniform else None,
        "ranked_ratio": ranked / uniform if uniform else None,
        "found_share": ranked / max(1, total),
    }


def bounds(lab: Lab, release: Release, dear: float) -> Report:
    """The theorems by fold, with the other folds as the sample of Theorems 5 and 6; and what is likely in others."""
    corpus, attacks = lab.corpus, lab.attacks(release)
    several = [each.counts(each.best) for each in attacks]
    features = len(Examples([show(text) for text in corpus.texts], corpus.sensitive).vocabulary)
    folds = []
    for number, counts in enumerate(several):
        sample = summed(other for place, other in enumerate(several) if place != number)
        words = sum(len(each.sensitive) for place, each in enumerate(attacks) if place != number)
        margin = error_margin(max(1, words), features + 1, DOUBT)
        budgets = [attacks[number].budget(share) for share in BUDGETS]
        folds.append(checked(counts, sample, corpus.harmless(number), dear, margin, budgets))
    held = [each[name]["holds"] for each in folds for name in "23456"]
    return {
        "folds": folds,
        "checked": sum(each is not None for each in held),
        "violated": held.count(False),
        "printed_violated": [each[name].get("printed", {}).get("holds") for each in folds for name in "456"].count(
            False
        ),
        "features": features,
        "upper": upper(corpus, release, attacks),
    }


def upper(corpus: Corpus, release: Release, attacks: Sequence[Attack]) -> Report:
    """Upper bounds on what is left and on what is found by score, from what was counted out of fold."""
    held = np.array([corpus.held(n) for n in range(len(corpus.lessons))])
    left = np.array([corpus.left(n, off) for n, off in enumerate(release.hidden)])
    total, ranked = int(held.sum()), []
    # Copies of a document, and those of its group, say the same: they are drawn together.
    _, kin = np.unique([each.kin for each in corpus.lessons], return_inverse=True)
    draws = Draws(int(kin.max()) + 1)

    def bound(found: Any) -> Report:
        high = draws.ratio(np.bincount(kin, found).astype(float), np.bincount(kin, held).astype(float)).high
        return {"binomial": most_likely(int(found.sum()), total), "bootstrap": high}

    for share in BUDGETS:
        found = np.zeros(len(held), np.int64)
        for each in attacks:
            np.add.at(found, each.documents[each.ranked(each.budget(share))], 1)
        ranked.append({"inspected": share, "found_share": int(found.sum()) / max(1, total), **bound(found)})
    touched = np.bincount(kin, left) > 0
    return {
        "residual": bound(left),
        "ranked": ranked,
        "documents_with_any": {
            "share": float(touched.mean()),
            "binomial": most_likely(int(touched.sum()), len(touched)),
        },
        "draws": DRAWS,
        "by_document": np.stack([held, left], axis=1).tolist(),
    }
