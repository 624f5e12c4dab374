"""How often strangers find the class of redacted documents, by how plans stand: the constants of `planners/odds.py`.

    python training/release/odds.py --data companies.jsonl --secret industry --keep sector \
        --data newsgroups.jsonl --secret group --keep top --body [--documents 2500] [--seed 1]

Every set is parted as by `withhold evaluate concepts`: the planner's model learns from one half, the judges from the
other, and what is redacted is in neither. Every document is redacted in all ways that a release tries at k = 5; judges
say of each whether they find its class in four guesses, and the kept class at once. Two logistic regressions foresee
that from the measures of the plan. The draw is another one than that of an evaluation by default. Printed is also what
plans would be taken at several weights of secrecy and recognition, each foreseen by what other documents taught.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.linear_model import LogisticRegression

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
TAUGHT = ("naive_bayes", "neighbours")
"""Who the constants foresee, both alike: the two that find most, one by words and one by what they mean."""


@dataclass
class Plans:
    """All plans of all documents of a set, one in each row."""

    document: Any
    told: Any
    telling: Any
    lost: Any
    hits: Any
    recognised: Any

    @classmethod
    def join(cls, several: Sequence[Plans]) -> Plans:
        return cls(*(np.concatenate([getattr(each, name) for each in several]) for name in cls.__dataclass_fields__))

    def foreseen(self, chosen: Any) -> Plans:
        return Plans(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def family(cases: Sequence[Any], name: str, judges: Sequence[str]) -> Family:
    values = [getattr(case, name) for case in cases]
    classes = sorted(set(values))
    return fit_family([case.text for case in cases], [classes.index(value) for value in values], classes, names=judges)


def measure(parts: Split, secret: str, keep: str, seed: int) -> Plans:
    judges, keeper = family(parts.attackers, "secret", JUDGES), family(parts.attackers, "keep", ["naive_bayes"])
    model, several = learn(parts.planner, secret, keep), list[Plans]()
    known = {name: set(model.attributes[name].classes) for name in (secret, keep)}
    tested = [case for case in parts.test if case.secret in known[secret] and case.keep in known[keep]]
    tested = [case for case in tested if case.secret in judges.classes and case.keep in keeper.classes]
    with saved(model) as folder:
        redacting = Redacting(folder, None, secret, keep, "release", seed)
        for number, case in enumerate(track(tested, f"redacting by {secret}")):
            choices = replace(redacting.choices(case, generalise=False), confusers=K - 1)
            stand = counts(choices, choices.spans)
            if not stand.any():
                continue
            problem = Problem.of(choices, stand)
            ways = list(aims.ways(problem, choices, aims.CARE))
            foreseen = odds.Odds.of(problem, choices, np.random.default_rng(choices.seed))
            if not ways or foreseen is None:
                continue
            texts = []
            for found in ways:
                made = edits(choices, choices.spans, aims.decided(problem, *found), Policy().operators)
                texts.append(cut(case.text, sorted(made, key=lambda edit: edit.span)))
            true, kept = judges.classes.index(case.secret), keeper.classes.index(case.keep)
            keeps = np.array([way[1] for way in ways])
            several.append(
                Plans(
                    np.full(len(ways), number),
                    foreseen.told(keeps),
                    odds.telling(problem, keeps),
                    1.0 - keeps.sum(axis=1) / max(stand.sum(), 1.0),
                    np.column_stack([judges.ranks(name, texts, [true] * len(texts)) < K for name in JUDGES]),
                    keeper.ranks("naive_bayes", texts, [kept] * len(texts)) == 1,
                )
            )
    return Plans.join(several)


def fit(measures: Any, outcomes: Any) -> Any:
    """The intercept and the weights of a logistic regression, for measures as they are."""
    scale = np.maximum(measures.std(axis=0), 1e-9)
    outcomes = outcomes.reshape(len(outcomes), -1)
    rows = np.vstack([measures / scale] * outcomes.shape[1])
    found = LogisticRegression(C=1.0, max_iter=1000).fit(rows, outcomes.T.ravel())
    return np.concatenate([found.intercept_, found.coef_[0] / scale])


def constants(sets: Sequence[Plans]) -> tuple[Any, Any]:
    every = Plans.join(sets)
    taught = [JUDGES.index(name) for name in TAUGHT]
    return fit(every.told, every.hits[:, taught]), fit(every.telling, every.recognised)


def taken(plans: Plans, found: Any, recognised: Any, secrecy: float, recognition: float) -> Any:
    """The plan of each document that is worth most."""
    worth = -plans.lost - secrecy * found + recognition * recognised
    order = np.lexsort((-worth, plans.document))
    return order[np.unique(plans.document[order], return_index=True)[1]]


def table(sets: Sequence[Plans], names: Sequence[str]) -> Table:
    shown = Table("set", "secrecy", "recognition", *JUDGES, "recognised", "lost", title="what would be taken")
    for plans, name in zip(sets, names, strict=True):
        found, told = np.zeros(len(plans.lost)), np.zeros(len(plans.lost))
        for part in range(5):
            is_tested = plans.document % 5 == part
            others = [each.foreseen(each.document % 5 != part) if each is plans else each for each in sets]
            first, second = constants(others)
            found[is_tested] = odds.chance(first, plans.told[is_tested])
            told[is_tested] = odds.chance(second, plans.telling[is_tested])
        for secrecy in (0.5, 0.7, 0.9, 1.1, 1.3, 1.6):
            for recognition in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
                rows = taken(plans, found, told, secrecy, recognition)
                values = [*plans.hits[rows].mean(axis=0), plans.recognised[rows].mean(), plans.lost[rows].mean()]
                shown.add_row(name, f"{secrecy}", f"{recognition}", *(f"{value:.3f}" for value in values))
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--secret", action="append", required=True)
    parser.add_argument("--keep", action="append", required=True)
    parser.add_argument("--body", action="store_true", help="without the headers of mails, in every set")
    parser.add_argument("--documents", type=int, default=2500, help="of each set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sets = []
    for data, secret, keep in zip(given.data, given.secret, given.keep, strict=True):
        parts = split(load(data, secret, keep, body=given.body), None, given.documents, given.seed)
        sets.append(measure(parts, secret, keep, given.seed))
    Console().print(table(sets, given.secret))
    for name, weights in zip(("FOUND", "RECOGNISED"), constants(sets), strict=True):
        Console().print(f"{name} = ({', '.join(f'{weight:.3f}' for weight in weights)})", soft_wrap=True)


if __name__ == "__main__":
    main()
