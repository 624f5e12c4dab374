"""Evaluations of hiding a class, from a file of labelled documents to figures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from withhold.codec import Value
from withhold.errors import NotFitted, PolicyError
from withhold.evaluation.concepts import paper, release
from withhold.evaluation.concepts.cases import Case, draw, load, split
from withhold.evaluation.concepts.paper import Curve, Measures, Row
from withhold.evaluation.concepts.redacting import Track, Way
from withhold.evaluation.concepts.release import Attacked, Rate, Release
from withhold.planners.aims import Aim

OBJECTIVES = ("balanced", "constant", "log_odds", "odds_ratio", "frequency", "information")
"""What words can be worth to a planner; the last four are those of Table 1."""

DEFAULTS: dict[Aim, str] = {"paper": "balanced", "release": "balanced", "textbook": "log_odds"}
"""What they are worth if nothing is said."""


@dataclass(frozen=True, slots=True)
class AtK(Measures):
    """The measures at one k."""

    k: int


@dataclass(frozen=True, slots=True)
class PaperReport(Measures):
    """The paper's experiment. The measures are means over all k, for the first objective.

    `objectives` are the rows of Table 1, `unredacted` that of the documents as they are, `curves` the lines of
    Figure 3. `strangers` is what attackers found that the planner did not know, at the largest k.
    """

    aim: Aim
    objective: str
    documents: int
    left_out: int
    classes: int
    kept_classes: int
    words: int
    per_k: tuple[AtK, ...]
    unredacted: Row
    objectives: tuple[Row, ...]
    curves: tuple[Curve, ...]
    strangers: Release | None
    seconds: float


@dataclass(frozen=True, slots=True)
class ReleaseReport(Value):
    """What strangers can tell. The figures are those of `release.Release` for the first objective, by removing words
    alone; `generalised` is the same where words may also become more general, `objectives` all others.
    """

    aim: Aim
    k: int
    objective: str
    documents: int
    left_out: int
    worst_attacker: float
    worst_name: str
    attackers: dict[str, Attacked]
    union: float
    union_unredacted: float
    utility_at_1: float
    utility_at_1_unredacted: float
    adaptive: float
    adaptive_at_1: float
    adaptive_attackers: dict[str, Rate]
    adaptive_documents: int
    rank_attack: float
    rank_attack_several: float
    floor: float
    suppressed: float
    confusable: float
    intervals: dict[str, tuple[float, float]]
    generalised: Release | None
    objectives: tuple[Release, ...]
    seconds: float


def evaluate(
    data: Path,
    *,
    secret: str,
    keep: str,
    ks: Sequence[int] = (2, 3, 4, 5),
    aim: Aim = "release",
    objectives: Sequence[str] = (),
    train: Path | None = None,
    sample: int | None = None,
    seed: int = 0,
    body: bool = False,
    generalise: bool = False,
    strangers: bool = True,
    jobs: int = 1,
    track: Track = lambda items, _total, _doing: iter(items),
) -> PaperReport | ReleaseReport:
    """Redact documents of `data` and attack them: the paper's experiment, or that of a release.

    `sample` documents are redacted: by default all, of a release `release.SAMPLE`. Models are fitted on `data` too, or
    on `train`. With `generalise`, every way of redacting is tried with more general words as well. `strangers` adds
    attackers that the planner does not know to the paper's experiment. With several `jobs`, a script must call this
    under `if __name__ == "__main__"`.

    Raises:
        DocumentError: if a file cannot be read.
        MalformedData: if a record is wrong or lacks a field.
        NotFitted: if there are too few documents or classes.
        PolicyError: if there is no such objective, or no such k for these classes.
        Stopped: if a worker process dies.
    """
    began = time.monotonic()
    named = tuple(dict.fromkeys(objectives)) or (DEFAULTS[aim],)
    cases, learnt = load(data, secret, keep, body=body), load(train, secret, keep, body=body) if train else None
    ordered = sorted(set(ks))
    _check(learnt or cases, ordered, named, (secret, keep))
    ways = [Way(name, general) for name in named for general in ((False, True) if generalise else (False,))]
    run = _Run((secret, keep), aim, seed, jobs, track)
    if aim == "release":
        return run.release(cases, learnt, ways, ordered[-1], sample, began)
    return run.paper(cases, learnt, ways, ordered, sample, began, strangers=strangers)


@dataclass(frozen=True, slots=True)
class _Run:
    attributes: tuple[str, str]
    aim: Aim
    seed: int
    jobs: int
    track: Track

    def strangers(
        self, cases: Sequence[Case], learnt: Sequence[Case] | None, ways: Sequence[Way], k: int, sample: int | None
    ) -> list[Release]:
        parts = split(cases, learnt, release.SAMPLE if sample is None else sample, self.seed)
        return release.run(
            parts,
            attributes=self.attributes,
            aim=self.aim,
            ways=ways,
            k=k,
            seed=self.seed,
            jobs=self.jobs,
            track=self.track,
        )

    def release(
        self,
        cases: Sequence[Case],
        learnt: Sequence[Case] | None,
        ways: Sequence[Way],
        k: int,
        sample: int | None,
        began: float,
    ) -> ReleaseReport:
        found = self.strangers(cases, learnt, ways, k, sample)
        first, general = found[0], next((each for each in found if each.generalise), None)
        same = {name: getattr(first, name) for name in Release.__slots__ if name not in ("generalise", "generalised")}
        return ReleaseReport(
            aim=self.aim,
            **same,
            generalised=general,
            objectives=tuple(found),
            seconds=round(time.monotonic() - began, 1),
        )

    def paper(
        self,
        cases: Sequence[Case],
        learnt: Sequence[Case] | None,
        ways: Sequence[Way],
        ks: Sequence[int],
        sample: int | None,
        began: float,
        *,
        strangers: bool,
    ) -> PaperReport:
        found = paper.run(
            draw(cases, sample, self.seed),
            cases if learnt is None else learnt,
            own=learnt is None,
            attributes=self.attributes,
            aim=self.aim,
            ways=ways,
            ks=ks,
            seed=self.seed,
            jobs=self.jobs,
            track=self.track,
        )
        row = found.rows[0]
        size = release.SAMPLE if sample is None else min(sample, release.SAMPLE)
        unknown = self.strangers(cases, learnt, ways[:1], ks[-1], size)[0] if strangers else None
        return PaperReport(
            aim=self.aim,
            objective=row.objective,
            **{name: getattr(found, name) for name in ("documents", "left_out", "classes", "kept_classes", "words")},
            **row.mean.to_json(),
            per_k=tuple(AtK(k=k, **each.to_json()) for k, each in zip(ks, row.per_k, strict=True)),
            unredacted=found.unredacted,
            objectives=found.rows,
            curves=row.curves,
            strangers=unknown,
            seconds=round(time.monotonic() - began, 1),
        )


def _check(cases: Sequence[Case], ks: Sequence[int], objectives: Sequence[str], attributes: tuple[str, str]) -> None:
    if attributes[0] == attributes[1]:
        raise PolicyError("what is kept cannot be the secret itself")
    if unknown := [name for name in objectives if name not in OBJECTIVES]:
        raise PolicyError(f"no objective {unknown[0]!r}; there are: {', '.join(OBJECTIVES)}")
    if not ks or ks[0] < 2:
        raise PolicyError("k must be 2 or more: the class is hidden among so many")
    for name, classes in zip(attributes, ({case.secret for case in cases}, {case.keep for case in cases}), strict=True):
        if len(classes) < 2:
            raise NotFitted(f"the documents have only one value of {name!r}; at least two are needed")
    secrets = len({case.secret for case in cases})
    if ks[-1] > secrets:
        raise PolicyError(f"k = {ks[-1]} is more than the {secrets} classes of {attributes[0]!r}")


def rows(report: PaperReport | ReleaseReport) -> Iterator[tuple[str, object]]:
    """The main figures for people."""
    if isinstance(report, ReleaseReport):
        yield "documents", report.documents
        yield "k", report.k
        yield from _strangers(report)
    else:
        yield "documents", report.documents
        yield "classes of the secret, of what is kept", f"{report.classes}, {report.kept_classes}"
        yield "k-eval (unredacted)", f"{report.k_eval:.3f} ({report.unredacted.mean.k_eval:.3f})"
        yield "k-eval, one guess at the kept class", f"{report.k_eval_strict:.3f}"
        yield "secret missed by k - 1 guesses", f"{report.sensitive_error:.3f}"
        yield "kept class found by k guesses", f"{report.utility_accuracy:.3f}"
        yield "kept class found at once", f"{report.utility_at_1:.3f}"
        yield "words removed", f"{report.suppressed:.1%}"
        yield "confusable, says the planner", f"{report.confusable:.1%}"
        if report.strangers is not None:
            yield "attackers the planner did not know, k", report.strangers.k
            yield from _strangers(report.strangers)
    yield "seconds", report.seconds


def _strangers(found: Release | ReleaseReport) -> Iterator[tuple[str, object]]:
    guesses = found.k - 1
    low, high = found.intervals["worst_attacker"]
    yield f"worst attacker, {guesses} guesses", f"{found.worst_attacker:.3f} ({low:.3f} to {high:.3f})"
    for name, each in found.attackers.items():
        yield f"  {name} (unredacted)", f"{each.redacted.rate:.3f} ({each.unredacted.rate:.3f})"
    yield "  any of them (unredacted)", f"{found.union:.3f} ({found.union_unredacted:.3f})"
    yield f"learnt from {found.adaptive_documents} redacted documents", f"{found.adaptive:.3f}"
    yield "knows the planner's model: 1 guess", f"{found.rank_attack:.3f}"
    yield f"knows the planner's model: {guesses} guesses", f"{found.rank_attack_several:.3f}"
    yield "reads nothing: the most frequent classes", f"{found.floor:.3f}"
    yield "kept class found at once (unredacted)", f"{found.utility_at_1:.3f} ({found.utility_at_1_unredacted:.3f})"
    yield "words removed", f"{found.suppressed:.1%}"
    yield "confusable, says the planner", f"{found.confusable:.1%}"


def table(report: PaperReport | ReleaseReport) -> list[tuple[object, ...]]:
    """One row for each way of redacting: Table 1 of the paper, or what strangers can tell."""
    if isinstance(report, ReleaseReport):
        return [
            (_name(each), *(f"{getattr(each, name):.3f}" for name in RELEASE_COLUMNS)) for each in report.objectives
        ]
    listed: list[tuple[str, Measures]] = [("unredacted", report.unredacted.mean)]
    listed += [(_name(row), row.mean) for row in report.objectives]
    return [(name, *(f"{getattr(mean, column):.3f}" for column in PAPER_COLUMNS)) for name, mean in listed]


PAPER_COLUMNS = ("k_eval", "k_eval_strict", "sensitive_error", "utility_accuracy", "suppressed", "confusable")
RELEASE_COLUMNS = ("worst_attacker", "adaptive", "rank_attack", "utility_at_1", "suppressed", "generalised")


def _name(way: Row | Release) -> str:
    return f"{way.objective}, generalising" if way.generalise else way.objective
