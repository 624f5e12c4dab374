"""The report of a redaction, for the owner's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from withhold.codec import Value
from withhold.files import write
from withhold.types import Notice, Outcome, Plan, Risk, Verification

if TYPE_CHECKING:
    from withhold.reports.release import Release

Standing = Literal["ready", "look", "fails"]


@dataclass(frozen=True, slots=True)
class Bound(Value):
    """A promise about how much may be left: at most `value`, with that `confidence`, as far as what it `says` goes.

    With the `method` "wilson" it is not less than the upper end of the 95 % score interval of its `inputs`: so many
    `left`, `of` so many.
    """

    value: float
    confidence: float
    says: str
    method: Literal["", "wilson"] = ""
    inputs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report(Value):
    """The audit of a redaction: what was done and checked, by which versions, without a word of the document.

    `inputs` are digests of what the work went by besides the document: files, models and the corpus of the policy, and
    models that come with withhold. `rounds` is how often the redaction was made stricter because an attack won.

    It is for the owner's files. The digests of the source and of the policy let whoever holds those check the
    report, and let whoever holds a good guess check the guess: do not release them. `releasable` gives the edition
    that can be.
    """

    policy: str = field(repr=False)
    plan: Plan
    source: str = field(repr=False)
    result: str
    verification: Verification
    notices: tuple[Notice, ...]
    outcomes: tuple[Outcome, ...]
    versions: Mapping[str, str]
    edition: Literal["internal"] = "internal"
    format: str = ""
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict, repr=False)
    seeds: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 0

    def __post_init__(self) -> None:
        numbers = [level for risk in self.plan.risks for level in (risk.before, risk.after, risk.ceiling)]
        for each in self.outcomes:
            numbers += (each.baseline, each.result, *each.interval, each.before or 0.0)
        if not all(map(isfinite, numbers)):
            raise ValueError("a report has no number that is infinite or none")

    @property
    def risks(self) -> tuple[Risk, ...]:
        return self.plan.risks

    @property
    def holds(self) -> bool:
        """Whether every risk is under its ceiling, and no attack that was tried wins."""
        return not any(risk.stays for risk in self.risks) and not any(each.wins for each in self.outcomes)

    @property
    def concerns(self) -> tuple[str, ...]:
        """What a person should know before a release, though no check fails."""
        unsure, untried = len(self.plan.doubtful), sum(not each.trials for each in self.outcomes)
        kept = sum(notice.count for notice in self.notices if notice.action == "kept unexamined")
        watched = {risk.secret for risk in self.risks}
        attacked = {each.secret for each in self.outcomes if each.trials}
        told = {
            "found, but too unsure to be removed": unsure,
            "notes of risk models, to be read below": sum(len(risk.notes) for risk in self.risks),
            "kept in the file and not looked into": kept,
            "attacks that could not be tried": untried,
            "secrets that no attack was tried on": len(watched - attacked),
        }
        return tuple(f"{what[0].upper()}{what[1:]}: {count}." for what, count in told.items() if count)

    @property
    def standing(self) -> Standing:
        """Whether the file is ready for release, should be looked at first, or fails."""
        return "fails" if not self.holds else "look" if self.concerns else "ready"

    def releasable(self) -> Release:
        """The edition for release: nothing in it tells a secret, or lets a guess be checked.

        Raises:
            OutputError: if a risk stays or an attack wins; then there is none.
        """
        from withhold.reports.release import Release

        return Release.of(self)

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the report: as a page if the name ends in `.html`, otherwise as JSON."""
        if Path(path).suffix.lower() in (".html", ".htm"):
            from withhold.reports.html import page

            return write(path, page(self), overwrite=overwrite)
        return write(path, self.to_bytes(), overwrite=overwrite)
