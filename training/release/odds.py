"""How often strangers find the class of redacted documents, by how plans stand: what `planners/odds.py` has learnt.

    python training/release/odds.py --data companies.jsonl --secret industry --keep sector \
        --data newsgroups.jsonl --secret group --keep top --body [--documents 2500] [--seed 1] [--rounds 3] [--write]

Every set is parted as by `withhold evaluate concepts`: the planner's model learns from one half, the judges from the
other, and what is redacted is in neither. Every document is redacted in all ways that a release tries at k = 5; judges
say of each whether they find its class in four guesses, and the kept class at once. Logistic regressions foresee that
from the measures of the plan. Whoever looks for the best plan finds where they err, so from the second round on plans
are bettered by what was learnt in the round before, at several prices, and judged too; the last regressions learn from
all rounds after the first. Printed is also how well the plans of documents are foreseen from what others taught.
`--write` puts the result where withhold reads it. The draw is another one than that of an evaluation by default.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from withhold.evaluation.concepts.cases import Split, learn, load, saved, split
from withhold.evaluation.concepts.redacting import Redacting, cut
from withhold.learners.attackers import Family, fit_family
from withhold.planners import aims, odds
from withhold.planners.edits import counts, edits
from withhold.planners.problem import Problem
from withhold.policy import Policy

K = 5
JUDGES = ("naive_bayes", "logistic", "complement", "neighbours")
"""The other two attackers of an evaluation, alike to these, find less."""
PRICES = tuple(
    replace(aims.CARE, secrecy=secrecy, recognition=recognition, whim=whim)
    for secrecy, recognition, whim in (
        (0.9, 0.3, 0.0),
        (1.4, 0.3, 0.3),
        (1.4, 0.1, 0.6),
        (2.0, 0.4, 0.0),
        (2.0, 0.2, 0.3),
    )
)
"""At which plans are bettered."""


@dataclass
class Plans:
    """All plans of all documents of a set, one in each row."""

    document: Any
    told: Any
    telling: Any
    lost: Any
    hits: Any
    recognised: Any
    bettered: Any

    @classmethod
    def join(cls, several: Sequence[Plans]) -> Plans:
        return cls(*(np.concatenate([getattr(each, name) for each in several]) for name in cls.__dataclass_fields__))

    def where(self, chosen: Any) -> Plans:
        return Plans(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    @property
    def weights(self) -> Any:
        """Bettered plans count as much as all others together."""
        many = max(int(self.bettered.sum()), 1)
        return np.where(self.bettered, (len(self.bettered) - many) / many, 1.0)


def family(cases: Sequence[Any], name: str, judges: Sequence[str]) -> Family:
    values = [getattr(case, name) for case in cases]
    classes = sorted(set(values))
    return fit_family([case.text for case in cases], [classes.index(value) for value in values], classes, names=judges)


@dataclass
class Judged:
    """What is done with each document of a set."""

    redacting: Redacting
    judges: Family
    keeper: Family
    tested: Sequence[Any]
    bettering: bool = False

    @classmethod
    def of(cls, parts: Split, secret: str, keep: str, redacting: Redacting) -> Judged:
        judges, keeper = family(parts.attackers, "secret", JUDGES), family(parts.attackers, "keep", ["naive_bayes"])
        known = {name: set(redacting.model.attributes[name].classes) for name in (secret, keep)}
        tested = [case for case in parts.test if case.secret in known[secret] and case.keep in known[keep]]
        tested = [case for case in tested if case.secret in judges.classes and case.keep in keeper.classes]
        return cls(redacting, judges, keeper, tested)

    def __call__(self, number: int) -> Plans | None:
        case = self.tested[number]
        choices = replace(self.redacting.choices(case, generalise=False), confusers=K - 1)
        stand = counts(choices, choices.spans)
        problem = Problem.of(choices, stand) if stand.any() else None
        tried = list(aims.ways(problem, choices, aims.CARE)) if problem else []
        foreseen = odds.Odds.of(problem, choices, np.random.default_rng(choices.seed)) if problem else None
        if problem is None or foreseen is None or not tried:
            return None
        plans = np.array([way[1] for way in tried])
        bettered = list(self._bettered(problem, choices, plans))
        keeps = np.array([*plans, *bettered])
        texts = []
        for kept in keeps:
            made = edits(choices, choices.spans, aims.decided(problem, (), kept), Policy().operators)
            texts.append(cut(case.text, sorted(made, key=lambda edit: edit.span)))
        true, kept_class = self.judges.classes.index(case.secret), self.keeper.classes.index(case.keep)
        return Plans(
            np.full(len(keeps), number),
            foreseen.told(keeps),
            odds.telling(problem, keeps),
            1.0 - keeps.sum(axis=1) / max(stand.sum(), 1.0),
            np.column_stack([self.judges.ranks(name, texts, [true] * len(texts)) < K for name in JUDGES]),
            self.keeper.ranks("naive_bayes", texts, [kept_class] * len(texts)) == 1,
            np.arange(len(keeps)) >= len(plans),
        )

    def _bettered(self, problem: Problem, choices: Any, plans: Any) -> Iterator[Any]:
        for number, care in enumerate(PRICES if self.bettering else ()):
            # From the best plan there is, and once from any.
            start = plans if number else plans[[choices.seed % len(plans)]]
            yield aims.best(problem, choices, start, care)

    def run(self, title: str) -> Plans:
        global _judged
        _judged = self
        with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
            found = pool.imap(_judge, range(len(self.tested)), chunksize=8)
            return Plans.join([each for each in track(found, title, len(self.tested)) if each is not None])


_judged: Judged


def _judge(number: int) -> Plans | None:
    return _judged(number)


def fit(measures: Any, outcomes: Any, weights: Any) -> odds.Foresight:
    low, high = (tuple(np.round(np.quantile(measures, share, axis=0), 4).tolist()) for share in (0.005, 0.998))
    bare = odds.Foresight(low, high, ())
    columns = bare.columns(measures)[:, 1:]
    rows = []
    for outcome in outcomes.reshape(len(outcomes), -1).T:
        found = LogisticRegression(C=0.1, max_iter=2000).fit(columns, outcome, sample_weight=weights / weights.mean())
        rows.append(tuple(np.round([*found.intercept_, *found.coef_[0]], 3).tolist()))
    return replace(bare, weights=tuple(rows))


def fitted(plans: Plans) -> odds.Learnt:
    return odds.Learnt(fit(plans.told, plans.hits, plans.weights), fit(plans.telling, plans.recognised, plans.weights))


def table(sets: Sequence[Plans], names: Sequence[str]) -> Table:
    """How well is foreseen which plans of a document are found, learnt from other documents: areas under the curve."""
    shown = Table(
        "set", "plans", *JUDGES, "recognised", "lost", title="found, as foreseen, how well they are told apart"
    )
    every = Plans.join(sets)
    home = np.repeat(np.arange(len(sets)), [len(each.lost) for each in sets])
    found, told = np.zeros(every.hits.shape), np.zeros(len(every.lost))
    for part in range(3):
        is_tested = every.document % 3 == part
        learnt = fitted(every.where(~is_tested))
        found[is_tested] = learnt.found.chances(every.told[is_tested])
        told[is_tested] = learnt.recognised.chances(every.telling[is_tested])[:, 0]
    for number, name in enumerate(names):
        for bettered in (False, True):
            rows = (home == number) & (every.bettered == bettered)
            if rows.any():
                both = [
                    f"{hits.mean():.3f} {chances.mean():.3f} {roc_auc_score(hits, chances):.3f}"
                    for hits, chances in [
                        *zip(every.hits[rows].T, found[rows].T, strict=True),
                        (every.recognised[rows], told[rows]),
                    ]
                ]
                shown.add_row(name, "bettered" if bettered else "ways", *both, f"{every.lost[rows].mean():.3f}")
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--secret", action="append", required=True)
    parser.add_argument("--keep", action="append", required=True)
    parser.add_argument("--body", action="store_true", help="without the headers of mails, in every set")
    parser.add_argument("--documents", type=int, default=2500, help="of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the result where withhold reads it")
    given = parser.parse_args()
    console, held = Console(), list[list[Plans]]()
    for number in range(given.rounds):
        sets = []
        for data, secret, keep in zip(given.data, given.secret, given.keep, strict=True):
            parts = split(load(data, secret, keep, body=given.body), None, given.documents, given.seed)
            with saved(learn(parts.planner, secret, keep)) as folder:
                judged = Judged.of(parts, secret, keep, Redacting(folder, None, secret, keep, "release", given.seed))
                judged.bettering = number > 0
                sets.append(judged.run(f"round {number + 1}, {secret}"))
        held = [sets] if number < 2 else [*held, sets]
        console.print(table(sets, given.secret))
        learnt = fitted(Plans.join([plans for each in held for plans in each]))
        odds.learnt = lambda learnt=learnt: learnt
    if given.write:
        odds.LEARNT.write_text(json.dumps(learnt.to_json()) + "\n", "ascii")
    else:
        console.print(json.dumps(learnt.to_json()), soft_wrap=True)


if __name__ == "__main__":
    main()
