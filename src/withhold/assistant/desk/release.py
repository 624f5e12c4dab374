"""The gate for what a person decided: stricter where an attack wins, but never against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Decision, StrengthDecision, TermDecision
from withhold.codec import Value
from withhold.planners.edits import merged, removal
from withhold.spans import Span, subtract, union
from withhold.types import Edit, Finding, Outcome, Plan, Redaction, Risk, Secret

if TYPE_CHECKING:
    from withhold.assistant.desk.desk import Desk


@dataclass(frozen=True)
class Released(Value):
    """A redaction of what a person decided, verified and attacked. `added` are edits that the gate made because an
    attack won; they are in what was written, and nowhere that a person decided to keep. `risks` are those that stay
    above their ceiling, `outcomes` the attacks that still win, and `kept` what a person wants to stay, the only place
    where the gate could not look for a remedy.
    """

    redaction: Redaction
    added: tuple[Edit, ...]
    risks: tuple[Risk, ...]
    outcomes: tuple[Outcome, ...]
    kept: tuple[Span, ...]

    @property
    def holds(self) -> bool:
        """Whether every risk is under its ceiling, and no attack that was tried wins."""
        return self.redaction.holds and not self.risks


def release(desk: Desk, decisions: tuple[Decision, ...]) -> Released:
    """Apply, verify and attack what was decided; where an attack wins, take what it went by, or move the slider of its
    secret on, if a person has moved it at all.
    """
    kept = kept_spans(desk, decisions)

    def planned(secrets: tuple[Secret, ...], telling: Sequence[Finding]) -> Plan:
        more = subtract(union(each.span for each in telling), kept)
        edits = merged([removal(span, desk.policy.operators) for span in more if span], desk.policy.operators)
        return desk.plan((*decisions, *_moved(desk, secrets, decisions)), edits)

    plan = desk.plan(decisions)
    own = {edit.span for edit in plan.edits}
    redaction = desk.redactor.pass_gate(desk.document, planned)
    stay = {risk.secret: risk for risk in (*redaction.plan.risks, *_named(desk, plan)) if risk.stays}
    return Released(
        redaction,
        tuple(edit for edit in redaction.plan.edits if edit.span not in own),
        tuple(stay.values()),
        tuple(outcome for outcome in redaction.outcomes if outcome.wins),
        kept,
    )


def _named(desk: Desk, plan: Plan) -> list[Risk]:
    """The risks of secrets that the text still names, because a person wants that: models pass over names."""
    return [risk for risk in plan.risks if risk.secret in desk.named(plan.edits)]


def kept_spans(desk: Desk, decisions: Sequence[Decision]) -> tuple[Span, ...]:
    """What a person decided to keep, and no later decision took."""
    settled = [desk.settle(each) for each in decisions]
    kept = union(
        span for each in settled if isinstance(each, TermDecision) and each.action == "keep" for span in each.spans
    )
    return subtract(kept, union(change.edit.span for change in desk.changes(decisions)))


def _moved(desk: Desk, secrets: Sequence[Secret], decisions: Sequence[Decision]) -> list[Decision]:
    """The sliders that a person moved, as much further as the secrets now ask for more."""
    stood = {each.secret: each.k for each in decisions if isinstance(each, StrengthDecision)}
    asked = {secret.name: secret.k for secret in desk.policy.secret}
    return [
        StrengthDecision(secret.name, stood[secret.name] + secret.k - asked[secret.name])
        for secret in secrets
        if secret.name in stood and secret.k > asked[secret.name]
    ]
