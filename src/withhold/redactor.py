"""The verbs, in the order a memo goes through them: read, detect, assess, plan, apply, attack, audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from withhold import formats, plugins
from withhold.contracts import Attack, Detector, Operator, Planner, Remote, Reversible, RiskModel
from withhold.errors import PluginError, PolicyError
from withhold.files import read_bytes
from withhold.formats.blocks import level, marks
from withhold.formats.residue import Names
from withhold.operators.entities import Numbering, Numbers
from withhold.policy import Policy
from withhold.spans import Span, intersect, union
from withhold.text import squeeze
from withhold.types import (
    Document,
    Edit,
    Finding,
    Hidden,
    Ledger,
    Outcome,
    Plan,
    Redaction,
    Replacement,
    Report,
    Risk,
    Secret,
    excerpt,
)

if TYPE_CHECKING:
    from withhold.detectors.entities import Allowed


_ROUNDS = 40
"""So often a plan is looked at again for what it has left to tell; what still tells then is named as a risk."""

_GENERALISE = "generalise"
"""The operator that writes words which a reader goes by, not a mark."""


class Redactor:
    """A policy and its components, loaded once for many documents."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self._components: dict[tuple[str, str], Any] = {}

    def load(self) -> list[tuple[str, str]]:
        """Load everything the policy names, so that what is missing is known before any work; by kind and name.

        Raises:
            PluginError: if a component is missing or not trusted.
            PolicyError: if one cannot work with the policy.
        """
        policy = self.policy
        names = {
            "detectors": policy.components.detectors,
            "planners": (policy.components.planner,),
            "operators": sorted({policy.operators.default, *policy.operators.labels.values()}),
            "risk": sorted({secret.model for secret in policy.secret}),
            "attacks": policy.components.attacks,
        }
        named = [(kind, name) for kind, several in names.items() for name in several]
        for kind, name in named:
            self._component(kind, name)
        return named

    @property
    def disclosure(self) -> str:
        """What working by the policy sends away, and to whom, for a person to read first. Empty if nothing is sent."""
        if not self.policy.secret or self.policy.corpus.kind == "index":
            return ""
        with self._trust():
            corpus = plugins.corpus(self.policy)
        return corpus.statement() if isinstance(corpus, Remote) else ""

    def read(self, source: str | Path | bytes, *, name: str = "", format: str | None = None) -> Document:
        """The document in a file, or in bytes.

        Raises:
            DocumentError: if it cannot be read safely and completely.
        """
        handling = self.policy.files
        if not isinstance(source, bytes):
            name = name or Path(source).name
            source = read_bytes(source, handling.max_megabytes)
        with self._trust():
            return formats.read(source, name=name, format=format, handling=handling)

    def detect(self, document: Document) -> list[Finding]:
        """What names someone outright, by every detector of the policy, settled: in order, each thing once, what is of
        one entity with one number, and every mention of it if the policy wants that.
        """
        from withhold.detectors.entities import settle

        policy = self.policy_for(document)
        detectors: list[Detector] = [
            self._component("detectors", name, policy) for name in self.policy.components.detectors
        ]
        findings = [found for detector in detectors for found in detector.detect(document)]
        return settle(document, findings, policy.detection, self._allowed)

    @cached_property
    def _allowed(self) -> Allowed:
        from withhold.detectors.entities import Allowed

        return Allowed.from_policy(self.policy)

    def policy_for(self, document: Document) -> Policy:
        """The policy with every secret's value filled in that it leaves to the model."""
        secrets = tuple(self._model(secret).resolve(document, secret) for secret in self.policy.secret)
        return self.policy if secrets == self.policy.secret else replace(self.policy, secret=secrets)

    def assess(self, document: Document, source: Document | None = None) -> list[Risk]:
        """What a reader could infer, for every secret of the policy. Of a redacted document, `source` is the one it was
        made from.

        Raises:
            PluginError: if the risk model a secret names is not installed: a secret nobody watches is not safe.
        """
        return [self._model(secret).assess(document, secret, source=source) for secret in self.policy.secret]

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan:
        """The edits that remove what was found and bring every risk under its ceiling."""
        planner: Planner = self._component("planners", self.policy.components.planner)
        return planner.plan(findings, risks)

    def _model(self, secret: Secret) -> RiskModel:
        model: RiskModel = self._component("risk", secret.model)
        return model

    def plan_for(self, document: Document) -> Plan:
        """Detect, assess and plan, with the plan tied to this very document."""
        plan = self.plan(self.detect(document), self.assess(document))
        hidden = {risk.secret for risk in plan.risks if not risk.stays}
        for number in range(_ROUNDS):
            edits = plan.edits
            plan = self._plan_for_what_is_left(plan, document, hidden, first=number == 0)
            if plan.edits == edits:
                break
        if plan.risks:
            plan = replace(plan, status="a risk stays" if any(risk.stays for risk in plan.risks) else "done")
        return replace(plan, source=document.digest, reading=document.reading)

    def _plan_for_what_is_left(self, plan: Plan, document: Document, hidden: set[str], *, first: bool) -> Plan:
        """The plan with what else has to go for secrets that can be hidden: a model that looks at the most telling
        terms looks at others once those are gone, and then a class that was hidden can be told again.
        """
        gone = [edit.span for edit in plan.edits]
        assessed = [
            self._model(secret).assess(document, secret, written=gone)
            for secret, risk in self._watched(plan)
            if risk.measure == "share" or risk.stays or not first
        ]
        if not assessed and len(plan.risks) < 2:
            return plan
        more = self.plan((), [risk for risk in assessed if risk.stays and risk.secret in hidden])
        plan = _foretold(plan, [*assessed, *more.risks])
        if not more.edits:
            return self._plan_for_what_is_said(plan, document, hidden)
        edits = sorted((*plan.edits, *more.edits), key=lambda edit: edit.span)
        return replace(plan, edits=tuple(edits), utility=plan.utility * more.utility)

    def _plan_for_what_is_said(self, plan: Plan, document: Document, hidden: set[str]) -> Plan:
        """The plan without more general words that tell a secret after all: another one than they were chosen for, or
        with words that were not looked at.
        """
        general = [edit for edit in plan.edits if edit.operator == _GENERALISE]
        if not general:
            return plan
        draft, put, gone = _drafted(plan, document)
        assessed = [
            self._model(secret).assess(draft, secret, source=document, written=gone)
            for secret, _ in self._watched(plan)
        ]
        stay = [risk for risk in assessed if risk.stays and risk.secret in hidden]
        if not stay:
            return _foretold(plan, assessed)
        told = union(*(each.spans for risk in stay for each in risk.evidence))
        telling = [edit for edit, span in zip(general, put, strict=True) if intersect((span,), told)] or general
        operators = self.policy.operators
        edits = [
            replace(edit, operator=operators.choose(edit.label), replacement=None) if edit in telling else edit
            for edit in plan.edits
        ]
        return replace(plan, edits=tuple(edits))

    def _watched(self, plan: Plan) -> Iterator[tuple[Secret, Risk]]:
        by_name = {risk.secret: risk for risk in plan.risks}
        return ((secret, by_name[secret.name]) for secret in self.policy.secret if secret.name in by_name)

    def apply(self, plan: Plan, document: Document, *, numbers: Numbers | None = None) -> Redaction:
        """The plan carried out in the document's own format, and verified. `numbers` are those that the entities of the
        document have in a batch.

        Raises:
            PlanError: if the plan is for another document.
            PolicyError: if a mark or replacement repeats what it should hide.
            LeakError: if the output cannot be shown to be clean; then there is none.
        """
        plan.check(document)
        replacements, ledger = self._replacements(plan, document, numbers)
        _refuse_telling(replacements, document)
        replacements = level(document.text, replacements)
        with self._trust():
            result, notices, verification = formats.rewrite(document, replacements)
        plan = replace(plan, risks=tuple(self._assess_again(plan, document, result, replacements)))
        return Redaction(result, plan, document.digest, verification, notices, ledger)

    def _assess_again(
        self, plan: Plan, document: Document, result: Document, replacements: Sequence[Replacement]
    ) -> Iterator[Risk]:
        """What the written file, read back, still lets a reader infer."""
        words = union(edit.span for edit in plan.edits if edit.operator == _GENERALISE)
        written = [put for taken, put in marks(document, replacements, result) if not intersect((taken,), words)]
        named = {secret.name for secret in self.policy.secret}
        yield from (risk for risk in plan.risks if risk.secret not in named)
        for secret in self.policy.secret:
            model = self._model(secret)
            after = model.assess(result, secret, source=document, written=written)
            before = next((risk.before for risk in plan.risks if risk.secret == secret.name), None)
            yield replace(after, before=model.assess(document, secret).before if before is None else before)

    def attack(self, redaction: Redaction | Document, source: Document | None = None) -> list[Outcome]:
        """How the attacks of the policy fare against a redacted document. Which class is the true one, where the
        policy leaves that to the model, can only be told from the `source`.
        """
        attacks: list[Attack] = [self._component("attacks", name) for name in self.policy.components.attacks]
        document = redaction.document if isinstance(redaction, Redaction) else redaction
        secrets = [
            self._model(secret).resolve(source or document, secret)
            if source or secret.value or secret.person
            else secret
            for secret in self.policy.secret
        ]
        return [outcome for each in attacks for outcome in each.attack(document, secrets)]

    def audit(self, redaction: Redaction, outcomes: Sequence[Outcome] = ()) -> Report:
        """What was done and checked, for the owner's files."""
        return Report(
            policy=self.policy.digest,
            plan=replace(redaction.plan, risks=tuple(risk.bare() for risk in redaction.plan.risks)),
            source=redaction.source,
            result=redaction.document.digest,
            verification=redaction.verification,
            notices=redaction.notices,
            outcomes=tuple(outcomes),
            versions=_versions(),
        )

    def redact(self, source: str | Path | bytes | Document, *, name: str = "") -> Redaction:
        """All of it: read, detect, assess, plan and apply."""
        self.load()
        document = source if isinstance(source, Document) else self.read(source, name=name)
        return self.apply(self.plan_for(document), document)

    def inspect(self, source: str | Path | bytes, *, name: str = "") -> list[Hidden]:
        """Everything in a file that a reader does not see. Nothing is changed."""
        if not isinstance(source, bytes):
            name = name or Path(source).name
            source = read_bytes(source, self.policy.files.max_megabytes)
        with self._trust():
            return list(formats.recognise(source, name).inspect(source))

    def _replacements(
        self, plan: Plan, document: Document, numbers: Numbers | None
    ) -> tuple[list[Replacement], Ledger | None]:
        texts = excerpt(document, [edit.span for edit in plan.edits])
        replacements: list[Replacement] = []
        ledger = None
        for name in sorted({edit.operator for edit in plan.edits}):
            chosen = [(edit, text) for edit, text in zip(plan.edits, texts, strict=True) if edit.operator == name]
            edits, removed = [edit for edit, _ in chosen], [text for _, text in chosen]
            operator: Operator = self._component("operators", name)
            if numbers is not None and isinstance(operator, Numbering):
                operator = operator.with_numbers(numbers)
            written = operator.replace(edits, removed)
            if isinstance(operator, Reversible):
                ledger = operator.ledger(edits, removed)
            replacements += _pair(edits, written)
        return sorted(replacements, key=lambda each: each.span), ledger

    @property
    def counts(self) -> bool:
        """Whether an operator of the policy tells entities apart by numbers."""
        operators = self.policy.operators
        used = {self._component("operators", name) for name in {operators.default, *operators.labels.values()}}
        return any(isinstance(each, Numbering) and each.counts for each in used)

    def _trust(self) -> AbstractContextManager[None]:
        return plugins.trusting(self.policy.components.trusted)

    def _component(self, kind: str, name: str, policy: Policy | None = None) -> Any:
        """The component of that name, made from the policy once, or anew from another one."""
        if policy is not None and policy is not self.policy:
            with self._trust():
                return plugins.load(kind, name).from_policy(policy)
        if (kind, name) not in self._components:
            with self._trust():
                self._components[kind, name] = plugins.load(kind, name).from_policy(self.policy)
        return self._components[kind, name]


def _foretold(plan: Plan, assessed: Sequence[Risk]) -> Plan:
    """The plan with what is now known to be left of its risks."""
    told = {risk.secret: risk.after for risk in assessed}
    return replace(plan, risks=tuple(replace(risk, after=told.get(risk.secret, risk.after)) for risk in plan.risks))


def _drafted(plan: Plan, document: Document) -> tuple[Document, list[Span], list[Span]]:
    """The document with the more general words of a plan in place, where those stand, and where something is that goes.
    It is for models to look at: there is no file that has this text.
    """
    text, put, gone, at = "", list[Span](), list[Span](), 0
    for edit in plan.edits:
        text += document.text[at : edit.span.start]
        said = edit.replacement or "" if edit.operator == _GENERALISE else edit.span.of(document.text)
        (put if edit.operator == _GENERALISE else gone).append(Span(len(text), len(text) + len(said)))
        text, at = text + said, edit.span.end
    return replace(document, text=text + document.text[at:]), put, gone


def _refuse_telling(replacements: Sequence[Replacement], document: Document) -> None:
    """Marks are chosen by people: one that spells out what it hides is a mistake. Numbers and letters are not."""
    removed = {squeeze(text) for text in excerpt(document, [each.span for each in replacements])}
    names = Names(text for text in removed if sum(letter.isalpha() for letter in text) >= 3)
    if any(names.told_by(text) for text in {each.text for each in replacements}):
        raise PolicyError(
            "a mark, label or replacement repeats what it should hide: use other marks (--operator suppress, or other "
            "labels), or put words that need not go on the allow list"
        )


def _pair(edits: Sequence[Edit], written: Sequence[str]) -> list[Replacement]:
    if len(edits) != len(written):
        raise PluginError("an operator must write one replacement for each edit")
    return [Replacement(edit.span, text) for edit, text in zip(edits, written, strict=True)]


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("withhold", "lxml", "cryptography", "charset-normalizer"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


def read(source: str | Path | bytes, policy: Policy | None = None, *, name: str = "") -> Document:
    """The document in a file, or in bytes with a `name` that tells the format."""
    return Redactor(policy).read(source, name=name)


def detect(document: Document, policy: Policy) -> list[Finding]:
    """What names someone outright."""
    return Redactor(policy).detect(document)


def assess(document: Document, policy: Policy) -> list[Risk]:
    """What lets a reader infer a secret."""
    return Redactor(policy).assess(document)


def plan(findings: Sequence[Finding], risks: Sequence[Risk], policy: Policy) -> Plan:
    """The edits that remove what was found and bring every risk under its ceiling."""
    return Redactor(policy).plan(findings, risks)


def apply(plan: Plan, document: Document, policy: Policy | None = None) -> Redaction:
    """The plan carried out, and verified."""
    return Redactor(policy).apply(plan, document)


def attack(redaction: Redaction, policy: Policy) -> list[Outcome]:
    """Try to undo a redaction."""
    return Redactor(policy).attack(redaction)


def audit(redaction: Redaction, outcomes: Sequence[Outcome] = (), policy: Policy | None = None) -> Report:
    """What was done and checked."""
    return Redactor(policy).audit(redaction, outcomes)


def redact(source: str | Path | bytes | Document, policy: Policy, *, name: str = "") -> Redaction:
    """Read a file (or bytes, with a `name` that tells the format) and remove what the policy finds, and all hidden.

    The source stays as it is: `write` the outcome where you want it. It is verified, and can be looked into first.

        policy = Policy(find=(Find(label="CLIENT", terms=("Acme",)),))
        redaction = redact("memo.docx", policy)
        redaction.plan.removed           # {"CLIENT": 3}
        redaction.write("memo.redacted.docx")

    Raises:
        DocumentError: if the file cannot be read safely and completely.
        LeakError: if the output cannot be shown to be clean; then there is none.
        WithholdError: if the policy asks for what cannot be done.
    """
    return Redactor(policy).redact(source, name=name)


def inspect(source: str | Path | bytes, *, name: str = "") -> list[Hidden]:
    """Everything in a file that a reader does not see."""
    return Redactor().inspect(source, name=name)
