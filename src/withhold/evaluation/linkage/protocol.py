"""The evaluation of linkage: sanitize texts about people, each with the person as the secret, and try to find them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from withhold.attacks.linkage.lookup import Candidates, Meaning, left
from withhold.errors import MalformedData
from withhold.evaluation.detection.protocol import plain
from withhold.evaluation.linkage.attackers import EVERYTHING, Attackers, Ranks
from withhold.evaluation.linkage.population import Case, Population, cases, population, records
from withhold.learners.features import words
from withhold.learners.intervals import wilson
from withhold.policy import Background, Components, Detection, Planning, Policy
from withhold.redactor import Redactor
from withhold.spans import Span, complement, union
from withhold.text import WORD, fold
from withhold.types import Secret

Report = dict[str, Any]
Track = Callable[[Iterable[Any], int, str], Iterator[Any]]

FAMILIES = ("bm25", "embedding", "pairs")
STRENGTHS = (1, 2, 3, 4, 5, 8, 12)
"""How many people to hide among, along a curve; 1 takes the names alone."""

COUNTING = {
    "rank": "Of the person among all candidates, before all who are equal; candidates are the names in the people "
    "files, and the best of those that are the person's but for what stands in brackets counts.",
    "left_out": "Texts without a word, or about someone of whom no people file has another text: they cannot be found, "
    "and count nowhere else.",
    "known": "What holds the text, or shares a run of 25 words with it, is left out of what the attacker knows.",
    "settings": "`everything`: all people files, joined by name. Others: one file alone, if it still knows most of the "
    "people when their own texts are left out.",
    "attackers": "bm25: several constants. pairs: the same over pairs of neighbouring words. embedding: the direction "
    "of the words' vectors, plain and centred. None has constants that a planner goes by. Marks are dropped.",
    "headline": "bm25, embedding and pairs give the attacker and setting with the highest rank-1 rate after "
    "sanitizing, and for `before` the highest before.",
    "words_kept": "The share of all words of a text that stay as they are, over all texts.",
    "intervals": "95 %; of rates by Wilson, of words_kept over texts drawn with replacement.",
}


def evaluate(
    people: Sequence[Path],
    documents: Path,
    *,
    k: int = 4,
    sample: int | None = None,
    seed: int = 0,
    generalise: bool = False,
    curve: bool = False,
    detect: Sequence[str] = ("direct",),
    policy: Policy | None = None,
    track: Track,
) -> Report:
    """Sanitize every text and look for the person it is about, before and after; besides, with what people have marked
    cut out, and with nothing but what the labels `detect` find.

    Raises:
        DocumentError, MalformedData: if the files cannot be read, or nobody in the documents can be found at all.
        WithholdError: as redaction does.
    """
    for path in people:
        next(records(path), None)  # before anything else, so that it is blamed for what is wrong with it
    given = cases(documents)
    if sample is not None and sample < len(given):
        given = random.Random(seed).sample(given, sample)
    base = policy or Policy()
    with population(people) as known:
        base = replace(base, corpus=Background(index=str(known.folder)), folder=".")
        states: dict[str, Policy] = {"after": _policy(base, k, generalise)}
        if detect:
            states["detected"] = replace(_policy(base, 1, False), detection=Detection(labels=tuple(detect)))
        if curve:
            for strength in STRENGTHS:
                states[f"suppress {strength}"] = _policy(base, strength, False)
                states[f"generalise {strength}"] = _policy(base, strength, True)
        run = _Run(known, given, states, track)
        left_out = len(given) - len(run.cases)
        report = {"documents": len(given), "left_out": left_out, "k": k, "generalise": generalise, **run.report()}
        return {**report, **({"curve": run.curve()} if curve else {}), "counting": COUNTING}


def _policy(policy: Policy, k: int, generalise: bool) -> Policy:
    """The policy, with a secret in it that is yet to be a person."""
    planning = replace(policy.planning or Planning(), generalise=generalise)
    return replace(
        policy, secret=(Secret("person", "identity", k=k),), planning=planning, components=_components(policy)
    )


def _components(policy: Policy) -> Components:
    return replace(policy.components, attacks=())


class _Run:
    """Every text in every state, attacked."""

    def __init__(self, known: Population, given: Sequence[Case], states: dict[str, Policy], track: Track) -> None:
        self.known, self.states = known, states
        found = [each for each in zip(given, known.sources(given), strict=True) if self._can_be_found(*each)]
        if not found:
            raise MalformedData(
                "nothing to measure: of nobody whom the documents are about do the people files have another text"
            )
        self.cases, self.sources = [case for case, _ in found], [gone for _, gone in found]
        self.settings = self._settings()
        self.kept: dict[str, list[tuple[int, int]]] = {}
        self.ranks: dict[str, list[Ranks]] = {}
        self.candidates: dict[str, int] = {}
        meaning = Meaning(known.corpus)
        for case, gone in track(found, len(found), "Sanitizing and attacking"):
            self._one(case, gone, meaning)

    def _can_be_found(self, case: Case, gone: set[str]) -> bool:
        candidates = Candidates.of(self.known.corpus, gone)
        return bool(words(case.text) and candidates.lengths[candidates.named([case.name])].any())

    def _settings(self) -> list[str]:
        """Everything, and each file alone that knows most of the people without their own texts."""
        if len(self.known.files) < 2:
            return [EVERYTHING]
        found = [EVERYTHING]
        for file in self.known.files:
            only = self.known.only(file)
            knows = sum(
                bool(Candidates.of(self.known.corpus, gone, only).named([case.name]))
                for case, gone in zip(self.cases, self.sources, strict=True)
            )
            if 2 * knows > len(self.cases):
                found.append(file)
        return found

    def _one(self, case: Case, gone: set[str], meaning: Meaning) -> None:
        texts, whole = {"before": [case.text]}, Span(0, len(case.text))
        removed: dict[str, tuple[Span, ...]] = {"before": ()}
        for state, policy in self.states.items():
            texts[state], removed[state] = _sanitized(case, policy)
        if case.marked:
            texts["marked"] = [span.of(case.text) for span in complement(case.marked, whole)]
            removed["marked"] = case.marked
        attackers = Attackers(self.known, meaning, case, gone, self.settings)
        for state, ranks in attackers.ranks(texts).items():
            self.ranks.setdefault(state, []).append(ranks)
            self.kept.setdefault(state, []).append(_kept(case.text, removed[state]))
        self.candidates.update({setting.name: setting.candidates.count for setting in attackers.settings})

    def report(self) -> Report:
        """The headlines, and what is behind them."""
        found: Report = {family: self._headline(family) for family in FAMILIES}
        found["words_kept"], found["words_kept_interval"] = self._words("after")
        found["candidates"] = self.candidates
        found["settings"] = {
            setting: {state: self._attackers(state, setting) for state in ("before", "after")}
            for setting in self.settings
        }
        others = [state for state in ("marked", "detected") if state in self.ranks]
        found["baselines"] = {state: self._summary(state) for state in others}
        return found

    def _headline(self, family: str) -> Report:
        (_, before), (worst, after) = self._worst("before", family), self._worst("after", family)
        return {
            "before": before["rank1"],
            "after": after["rank1"],
            "interval": after["interval"],
            "before_interval": before["interval"],
            **{
                f"{state}_{name}": each[name]
                for state, each in (("before", before), ("after", after))
                for name in _MORE
            },
            "attacker": worst[1],
            "setting": worst[0],
        }

    def _worst(self, state: str, family: str) -> tuple[tuple[str, str], Report]:
        rates = {key: self._rate(state, key) for key in self.ranks[state][0] if key[1].split()[0] == family}
        return max(rates.items(), key=lambda each: (each[1]["rank1"], each[1]["mrr"]))

    def _rate(self, state: str, key: tuple[str, str]) -> Report:
        ranks = np.array([each[key] for each in self.ranks[state]])
        first = int(np.count_nonzero(ranks == 1))
        return {
            "rank1": first / len(ranks),
            "interval": list(wilson(first, len(ranks))),
            "rank5": float(np.mean(ranks <= 5)),
            "mrr": float(np.mean(1.0 / ranks)),
        }

    def _attackers(self, state: str, setting: str) -> Report:
        return {key[1]: self._rate(state, key) for key in self.ranks[state][0] if key[0] == setting}

    def _summary(self, state: str) -> Report:
        """The worst of each family, and the words kept; of texts that have the state."""
        share, interval = self._words(state)
        worst = {family: self._worst(state, family)[1] for family in FAMILIES}
        return {**worst, "words_kept": share, "words_kept_interval": interval, "documents": len(self.ranks[state])}

    def _words(self, state: str) -> tuple[float, list[float]]:
        counts = np.array(self.kept[state], np.float64)
        drawn = np.random.default_rng(0).integers(len(counts), size=(1000, len(counts)))
        sums = counts[drawn].sum(axis=1)
        low, high = np.quantile(sums[:, 0] / np.maximum(sums[:, 1], 1.0), [0.025, 0.975])
        total = counts.sum(axis=0)
        return float(total[0] / max(total[1], 1.0)), [float(low), float(high)]

    def curve(self) -> list[Report]:
        """Rank-1 rates against words kept, for removing words and for putting more general ones in their place."""
        return [
            {"way": way, "k": strength, **self._summary(f"{way} {strength}")}
            for way in ("suppress", "generalise")
            for strength in STRENGTHS
        ]


_MORE = ("rank5", "mrr")


def _sanitized(case: Case, policy: Policy) -> tuple[list[str], tuple[Span, ...]]:
    """What is left of a text in stretches, more general words among them, and what of it went."""
    secret = replace(policy.secret[0], person=case.name)
    redactor = Redactor(replace(policy, secret=(secret,)))
    document = plain(case.text)
    plan = redactor.plan_for(document)
    result = redactor.apply(plan, document).document
    return left(result.text, policy.operators.mark), union(edit.span for edit in plan.edits)


def _kept(text: str, removed: Sequence[Span]) -> tuple[int, int]:
    """How many words of a text no edit touches, and how many it has."""
    folded = fold(text)
    spans = [folded.span(*match.span()) for match in WORD.finditer(folded.text)]
    touched = sum(any(span.overlaps(other) for other in removed) for span in spans)
    return len(spans) - touched, len(spans)
