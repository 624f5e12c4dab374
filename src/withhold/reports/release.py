"""The edition of a report that can be released: nothing in it tells a secret, or lets a guess be checked.

It is made by taking what is known to be safe, not by leaving out what is known to be not. What is not in it, and why:

- the digests of the source, of the policy, of lists and of fitted models, and seeds: whoever guesses the source or the
  secret can check the guess by them
- offsets, lengths, labels, reasons, how many different strings were removed, what else was in the file: they tell
  about what is gone; how many marks there are, anyone can count in the file
- the names of secrets: people write the secret itself there
- the levels of risks: the rank of the true class, to a reader with the model, is the class; in their place stands
  whether they are under the ceiling
- notes: they hold ranks
- of the kinds of what is gone, what chance gains and how much may be told: both are how common the commonest of them is
- what was found but was too unsure to be removed, and how often: only that there is some of it, which is left in the
  file for anyone to read
- rounds of the gate, and the exact results of attacks: whoever guesses the source can run them; they are rounded,
  and so is the number of trials

There is none of a redaction that an attack wins against: it would name the attack to use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from pathlib import Path
from typing import Literal

from withhold.codec import Value
from withhold.errors import OutputError
from withhold.files import write
from withhold.reports import provenance
from withhold.reports.report import Bound, Report, Standing
from withhold.types import Outcome, Risk

STEP = 0.05
"""Shares are rounded to whole multiples of this."""
CHECKS = ("read back", "independent reader", "names", "raw bytes")
OTHER = "other"
VARIANTS = frozenset(
    (
        "bm25",
        "embedding",
        "naive_bayes",
        "logistic",
        "svm",
        "complement",
        "centroid",
        "neighbours",
        "boosting",
        "forest",
        "network",
        "encoder",
        "adaptive",
    )
)
"""What attacks of withhold call their attackers; any other name is a number here."""
KINDS = "mask_type"
"""The risk and the attack whose chance is a fact about what was removed."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")


@dataclass(frozen=True, slots=True)
class Watched(Value):
    """One secret: the model that watches over it, the ceiling unless that tells of the source, whether it could be told
    before, and that it cannot be told any more.
    """

    secret: int
    model: str
    measure: Literal["rank", "share"]
    ceiling: float | None
    told_before: bool


@dataclass(frozen=True, slots=True)
class Tried(Value):
    """One attack: chance unless that tells of the source, what it gained from the source and from the redaction, in
    rounded shares; there were at least so many `trials`, 0 if it could not be tried. Secret 0 is none of those that are
    watched.
    """

    attack: str
    secret: int
    baseline: float | None
    before: float | None
    result: float
    interval: tuple[float, float]
    trials: int


@dataclass(frozen=True, slots=True)
class Release(Value):
    """The releasable edition of a report. `result` is the digest of the released file; `passages` is how many places of
    it an independent reader looked into, `unexamined` what in it nobody did; `others` counts distributions other than
    withhold and what it works with that had a part in the work; `doubtful` says whether places that may be personal
    data were left, since nobody was sure or decided.
    """

    result: str
    format: str
    checks: tuple[str, ...]
    passages: int
    unexamined: int
    secrets: tuple[Watched, ...]
    attacks: tuple[Tried, ...]
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    others: int = 0
    doubtful: bool = False
    step: float = STEP
    edition: Literal["releasable"] = "releasable"

    @classmethod
    def of(cls, report: Report) -> Release:
        """The releasable edition of a report.

        Raises:
            OutputError: if a risk stays or an attack wins, or the report has no digest of the result.
        """
        if not report.holds:
            raise OutputError(
                "there is no releasable edition while a risk stays or an attack wins: it would tell a reader how to "
                "find out what is hidden"
            )
        if not _DIGEST.fullmatch(report.result):
            raise OutputError("the report has no digest of the redacted file")
        known = {"python", "withhold", *provenance.requirements()}
        numbers = {risk.secret: number for number, risk in enumerate(report.risks, 1)}
        shipped = provenance.shipped()
        return cls(
            result=report.result,
            format=_own("formats", report.format),
            checks=tuple(each for each in CHECKS if each in report.verification.checks),
            passages=report.verification.passages,
            unexamined=sum(each.count for each in report.notices if each.action == "kept unexamined"),
            secrets=tuple(_watched(risk, number) for number, risk in enumerate(report.risks, 1)),
            attacks=tuple(tried(each, numbers, place) for place, each in enumerate(report.outcomes, 1)),
            bounds={name: _bound(name, each) for name, each in report.bounds.items() if name in provenance.SAYS},
            versions={name: _version(each) for name, each in report.versions.items() if name in known},
            models={n: each for n, each in report.inputs.items() if n in shipped and _DIGEST.fullmatch(each)},
            others=len(set(report.versions) - known),
            doubtful=bool(report.plan.doubtful),
        )

    @property
    def concerns(self) -> tuple[str, ...]:
        """What a reader should know."""
        attacked = {each.secret for each in self.attacks if each.trials}
        told = {
            "kept in the file and not looked into": self.unexamined,
            "attacks that could not be tried": sum(not each.trials for each in self.attacks),
            "secrets that no attack was tried on": len({each.secret for each in self.secrets} - attacked),
        }
        left = ("Places that may have been names or other personal data were left: some.",) if self.doubtful else ()
        return left + tuple(f"{what[0].upper()}{what[1:]}: {count}." for what, count in told.items() if count)

    @property
    def standing(self) -> Standing:
        return "look" if self.concerns else "ready"

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the report: as a page if the name ends in `.html`, otherwise as JSON."""
        if Path(path).suffix.lower() in (".html", ".htm"):
            from withhold.reports.html import page

            return write(path, page(self), overwrite=overwrite)
        return write(path, self.to_bytes(), overwrite=overwrite)


def _watched(risk: Risk, number: int) -> Watched:
    ceiling = None if risk.model == KINDS else risk.ceiling
    return Watched(number, _own("risk", risk.model), risk.measure, ceiling, risk.before > risk.ceiling)


def tried(outcome: Outcome, numbers: Mapping[str, int], place: int) -> Tried:
    secret = numbers.get(outcome.secret, 0)
    name = attack_name(outcome.attack, place)
    if not outcome.trials:
        return Tried(name, secret, 0.0, None, 0.0, (0.0, 1.0), 0)
    # Of what is no secret of the policy, such as hidden content, it is not told whether the source had any.
    before = None if outcome.before is None or not secret else nearest(outcome.before)
    low, high = outcome.interval
    # Outwards: a rounded interval must still hold what the exact one holds.
    interval = max(0.0, round(floor(low / STEP) * STEP, 4)), min(1.0, round(ceil(high / STEP) * STEP, 4))
    trials = at_least(outcome.trials)
    baseline = None if outcome.attack == KINDS else nearest(outcome.baseline)
    return Tried(name, secret, baseline, before, nearest(outcome.result), interval, trials)


def nearest(share: float) -> float:
    """A share as the releasable edition has it."""
    return round(round(share / STEP) * STEP, 4)


def at_least(trials: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50 ... that is no more: how many marks hide what is of one sort is no one's
    business.
    """
    size = 10 ** (len(str(trials)) - 1)
    return max((each * size for each in (1, 2, 5) if each * size <= trials), default=0)


def attack_name(name: str, place: int) -> str:
    """What the releasable edition calls an attack: by its name if that is one of withhold's."""
    attack, _, variant = name.partition(":")
    if _own("attacks", attack) == OTHER:
        return f"{OTHER}:{place}"
    return f"{attack}:{variant if variant in VARIANTS else place}" if variant else attack


def _own(kind: str, name: str) -> str:
    """The name of a component if it is one of withhold's own."""
    from withhold.plugins import plugins

    ours = {each.name for each in plugins() if each.kind == kind and each.distribution == "withhold"}
    return name if name in ours else OTHER


def _bound(name: str, bound: Bound) -> Bound:
    inputs = {key: value for key, value in bound.inputs.items() if key in ("left", "of")}
    return Bound(bound.value, bound.confidence, provenance.SAYS[name], bound.method, inputs)


def _version(version: str) -> str:
    return version if _VERSION.fullmatch(version) else OTHER
