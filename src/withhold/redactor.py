"""The verbs, in the order a memo goes through them: read, detect, assess, plan, apply, attack, audit."""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from withhold import formats, gate, plugins
from withhold.contracts import (
    Asking,
    Attack,
    Detector,
    Fitting,
    OfMasks,
    Operator,
    Paged,
    Planner,
    Remote,
    Reversible,
    RiskModel,
)
from withhold.errors import PluginError, PolicyError
from withhold.files import read_bytes
from withhold.formats.blocks import join, kept, level, marks
from withhold.operators.entities import Numbering, Numbers
from withhold.policy import Policy
from withhold.reports import provenance
from withhold.reports.report import Report
from withhold.spans import Span, intersect, subtract, union
from withhold.text import WORD
from withhold.text import marks as text_marks
from withhold.types import (
    Document,
    Edit,
    Finding,
    Hidden,
    Ledger,
    Mask,
    Outcome,
    Plan,
    Redaction,
    Replacement,
    Risk,
    Secret,
    excerpt,
)

if TYPE_CHECKING:
    from withhold.detectors.entities import Allowed


_ROUNDS = 40
"""So often a plan is looked at again for what it has left to tell; what still tells then is named as a risk."""

_CLUE = "CLUE"
"""The label of what is removed because it tells something, not because it was found."""

_GENERALISE = "generalise"
"""The operator of planners that writes words which a reader goes by, not a mark."""

_REWRITE = "rewrite"
"""The operator that writes what a person wants to stand there."""

WORDS = (_GENERALISE, _REWRITE)
"""The operators that write words. What all others write is a mark, which no risk model reads."""


class Redactor:
    """A policy and its components, loaded once for many documents."""

    def __init__(self, policy: Policy | None = None) -> None:
        if not isinstance(policy, Policy | None):
            raise PolicyError(f"a Policy is needed, such as Policy.load(FILE), not a {type(policy).__name__}")
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
            "attacks": self._attacks,
        }
        named = [(kind, name) for kind, several in names.items() for name in several]
        for kind, name in named:
            self._component(kind, name)
        for secret in policy.secret:
            model = self._component("risk", secret.model)
            if isinstance(model, Fitting):
                model.check(secret)
        return named

    @property
    def disclosure(self) -> str:
        """What working by the policy sends away, and to whom, for a person to read first. Empty if nothing is sent."""
        attacks = [self._component("attacks", name) for name in self._attacks]
        said = [each.statement() for each in attacks if isinstance(each, Asking)]
        if self.policy.secret and self.policy.corpus.kind != "index":
            with self._trust():
                corpus = plugins.corpus(self.policy)
            said += [corpus.statement()] if isinstance(corpus, Remote) else []
        return "\n".join(filter(None, said))

    def read(self, source: str | Path | bytes, *, name: str = "", format: str | None = None) -> Document:
        """The document in a file, or in bytes.

        Raises:
            DocumentError: if it cannot be read safely and completely.
        """
        data, name = self._bytes(source, name)
        handling = self.policy.files
        if handling.password:
            handling = replace(handling, password=str(self.policy.resolve(handling.password)))
        with self._trust():
            return formats.read(data, name=name, format=format, handling=handling)

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
        findings = list(_beside_marks(findings, document, policy.operators.mark))
        return settle(document, findings, policy.detection, self._allowed)

    @cached_property
    def _allowed(self) -> Allowed:
        from withhold.detectors.entities import Allowed

        return Allowed.from_policy(self.policy)

    def policy_for(self, document: Document) -> Policy:
        """The policy with every secret's value filled in that it leaves to the model."""
        secrets = tuple(self.model(secret).resolve(document, secret) for secret in self.policy.secret)
        return self.policy if secrets == self.policy.secret else replace(self.policy, secret=secrets)

    def assess(self, document: Document, source: Document | None = None) -> list[Risk]:
        """What a reader could infer, for every secret of the policy. Of a redacted document, `source` is the one it was
        made from.

        Raises:
            PluginError: if the risk model a secret names is not installed: a secret nobody watches is not safe.
        """
        planned = self.detect(document) if source is None and self._watches_masks else []
        return self._assess(document, [Mask(each.span, each.label) for each in planned], source)

    def _assess(self, document: Document, masks: Sequence[Mask], source: Document | None = None) -> list[Risk]:
        return [self.model(secret, masks).assess(document, secret, source=source) for secret in self.policy.secret]

    def plan(self, findings: Sequence[Finding], risks: Sequence[Risk]) -> Plan:
        """The edits that remove what was found and bring every risk under its ceiling."""
        planner: Planner = self._component("planners", self.policy.components.planner)
        return planner.plan(findings, risks)

    def model(self, secret: Secret, masks: Sequence[Mask] = ()) -> RiskModel:
        """The risk model that watches over a secret, told what is masked if it is about that."""
        model: RiskModel = self._component("risk", secret.model)
        return model.with_masks(masks) if isinstance(model, OfMasks) else model

    def plan_for(self, document: Document, findings: Sequence[Finding] | None = None) -> Plan:
        """Detect (unless that is done), assess and plan, with the plan tied to this very document."""
        found = self.detect(document) if findings is None else findings
        plan = self.plan(found, self._assess(document, [Mask(each.span, each.label) for each in found]))
        hidden = {risk.secret for risk in plan.risks if not risk.stays}
        for number in range(_ROUNDS):
            edits = plan.edits
            plan = self._plan_without_repeating(plan, document)
            plan = self._plan_for_what_is_left(plan, document, hidden, first=number == 0)
            if plan.edits == edits:
                break
        plan = self._plan_without_repeating(plan, document)
        if plan.risks:
            plan = replace(plan, status="a risk stays" if any(risk.stays for risk in plan.risks) else "done")
        return replace(plan, source=document.digest, reading=document.reading)

    def _plan_for_what_is_left(self, plan: Plan, document: Document, hidden: set[str], *, first: bool) -> Plan:
        """The plan with what else has to go for secrets that can be hidden: a model that looks at the most telling
        terms looks at others once those are gone, and then a class that was hidden can be told again.
        """
        gone = [edit.span for edit in plan.edits]
        masks = [Mask(edit.span, edit.label) for edit in plan.edits]
        assessed = [
            self.model(secret, masks).assess(document, secret, written=gone)
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
        draft, put, gone = drafted(plan.edits, document)
        labels = [edit.label for edit in plan.edits if edit.operator not in WORDS]
        masks = [Mask(span, label) for span, label in zip(gone, labels, strict=True)]
        assessed = [
            self.model(secret, masks).assess(draft, secret, source=document, written=gone)
            for secret, _ in self._watched(plan)
        ]
        stay = [risk for risk in assessed if risk.stays and risk.secret in hidden]
        if not stay:
            return _foretold(plan, assessed)
        told = union(*(each.spans for risk in stay for each in risk.evidence))
        said = [edit for edit in plan.edits if edit.operator in WORDS]
        stands = {edit.span: span for edit, span in zip(said, put, strict=True)}
        return self._marked(plan, [edit for edit in general if intersect((stands[edit.span],), told)] or general)

    def _plan_without_repeating(self, plan: Plan, document: Document) -> Plan:
        """The plan without more general words that spell out what goes, as `more than one` spells `Ethan`."""
        if not (general := [edit for edit in plan.edits if edit.operator == _GENERALISE]):
            return plan
        removed = gate.spelling(hidden(plan.edits, document))
        return self._marked(plan, [edit for edit in general if removed.told_by(edit.replacement or "")])

    def _marked(self, plan: Plan, chosen: Sequence[Edit]) -> Plan:
        """The plan with marks instead of these edits' words."""
        operators = self.policy.operators
        edits = (
            replace(edit, operator=operators.choose(edit.label), replacement=None) if edit in chosen else edit
            for edit in plan.edits
        )
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
        return self._apply(plan, document, numbers)[0]

    def _apply(self, plan: Plan, document: Document, numbers: Numbers | None) -> tuple[Redaction, gate.Stretches]:
        """The plan carried out, and what of the document is left, where it stood and where it stands."""
        plan.check(document)
        replacements, ledger = self._replacements(plan, document, numbers)
        gate.refuse_telling(replacements, hidden(plan.edits, document))
        replacements = self._settled(replacements, document)
        unwanted = self.policy_for(document).named
        with self._trust():
            result, notices, verification = formats.rewrite(replace(document, unwanted=unwanted), replacements)
        put = marks(document, replacements, result)
        plan = replace(plan, risks=tuple(self._assess_again(plan, document, result, put)))
        redaction = Redaction(result, plan, document.digest, verification, notices, ledger, tuple(_masks(plan, put)))
        return redaction, kept(document, replacements, result)

    def _assess_again(
        self, plan: Plan, document: Document, result: Document, put: Sequence[tuple[Span, Span]]
    ) -> Iterator[Risk]:
        """What the written file, read back, still lets a reader infer."""
        words = union(edit.span for edit in plan.edits if edit.operator in WORDS)
        written = [stands for taken, stands in put if not intersect((taken,), words)]
        named = {secret.name for secret in self.policy.secret}
        yield from (risk for risk in plan.risks if risk.secret not in named)
        masks = tuple(_masks(plan, put))
        for secret in self.policy.secret:
            model = self.model(secret, masks)
            after = model.assess(result, secret, source=document, written=written)
            before = next((risk.before for risk in plan.risks if risk.secret == secret.name), None)
            yield replace(after, before=model.assess(document, secret).before if before is None else before)

    def attack(self, redaction: Redaction | Document, source: Document | None = None) -> list[Outcome]:
        """How the attacks of the policy fare against a redacted document, and against its `source` if that is given.
        Which class is the true one, where the policy leaves that to the model, can only be told from the source.
        """
        before = self._attack(source, source) if source is not None else []
        return _compared(self._attack(redaction, source), before)

    def _attack(self, redaction: Redaction | Document, source: Document | None) -> list[Outcome]:
        attacks: list[Attack] = [self._component("attacks", name) for name in self._attacks]
        document = redaction.document if isinstance(redaction, Redaction) else redaction
        masks = redaction.masks if isinstance(redaction, Redaction) else ()
        secrets = [
            self.model(secret).resolve(source or document, secret)
            if source or secret.value or secret.person
            else secret
            for secret in self.policy.secret
        ]
        asking = [each for each in attacks if isinstance(each, Asking)]
        own = [each for each in attacks if not isinstance(each, Asking)]
        outcomes = [outcome for each in own for outcome in each.attack(document, secrets, masks)]
        # Others see nothing that an attack of our own still wins against, and never the source.
        is_source = source is not None and source.digest == document.digest
        if is_source or any(each.wins for each in outcomes):
            return outcomes
        return [*outcomes, *(outcome for each in asking for outcome in each.attack(document, secrets, masks))]

    def audit(self, redaction: Redaction, outcomes: Sequence[Outcome] | None = None) -> Report:
        """What was done and checked, for the owner's files. `outcomes` are those of the redaction, if not given."""
        return Report(
            policy=self.policy.digest,
            plan=replace(redaction.plan, risks=tuple(risk.bare() for risk in redaction.plan.risks)),
            source=redaction.source,
            result=redaction.document.digest,
            verification=redaction.verification,
            notices=redaction.notices,
            outcomes=tuple(redaction.outcomes if outcomes is None else outcomes),
            versions=provenance.versions(self.policy),
            format=redaction.document.format,
            bounds=provenance.bounds(self.policy),
            inputs=provenance.inputs(self.policy),
            seeds=provenance.seeds(self.policy),
            rounds=redaction.rounds,
        )

    def redact(
        self,
        source: str | Path | bytes | Document,
        *,
        name: str = "",
        numbers: Numbers | None = None,
        compare: bool = True,
    ) -> Redaction:
        """All of it: read, detect, assess, plan, apply and attack; and again, as often as the policy allows, while an
        attack wins: without what it went by, or with more asked for its secret. The first of the best is returned. To
        `compare`, attacks are tried on the source too.
        """
        self.load()
        document = source if isinstance(source, Document) else self.read(source, name=name)
        findings, strict = self.detect(document), copy.copy(self)  # the same components, asked for more

        def planned(secrets: tuple[Secret, ...], telling: Sequence[Finding]) -> Plan:
            strict.policy = replace(self.policy, secret=secrets)
            return strict.plan_for(document, [*findings, *telling])

        return self.pass_gate(document, planned, numbers=numbers, compare=compare)

    def pass_gate(
        self,
        document: Document,
        planned: Callable[[tuple[Secret, ...], Sequence[Finding]], Plan],
        *,
        numbers: Numbers | None = None,
        compare: bool = True,
    ) -> Redaction:
        """A plan applied and attacked; and another one, as often as the policy allows, while an attack wins. `planned`
        makes it, for secrets that may ask for more and with what attacks went by. The first of the best is returned. To
        `compare`, attacks are tried on the source too.
        """
        before = self._attack(document, document) if compare else []
        secrets, telling = self.policy.secret, list[Finding]()
        plans, tried = [planned(secrets, telling)], list[Redaction]()
        while True:
            redaction, left = self._apply(plans[-1], document, numbers)
            outcomes = _compared(self._attack(redaction, document), before)
            tried.append(replace(redaction, outcomes=tuple(outcomes), rounds=len(tried)))
            won = gate.unexpected(tried[-1])
            secrets, more = gate.stricter(asked := secrets, won, left), gate.telling(won, left)
            if len(tried) > self.policy.gate.rounds or (secrets == asked and not more):
                break
            telling = [*telling, *more]
            plans.append(planned(secrets, telling))
            if plans[-1].edits == plans[-2].edits:
                break
        return min(tried, key=gate.failings)

    def inspect(self, source: str | Path | bytes, *, name: str = "") -> list[Hidden]:
        """Everything in a file that a reader does not see. Nothing is changed."""
        data, name = self._bytes(source, name)
        with self._trust():
            return list(formats.recognise(data, name).inspect(data))

    def pictures(self, source: str | Path | bytes, *, name: str = "") -> Iterator[tuple[int, bytes]]:
        """Pages that hide text as PNG pictures, with their numbers and with what they hide marked. They show the
        document. A format that has no pages has none.
        """
        data, name = self._bytes(source, name)
        with self._trust():
            format = formats.recognise(data, name)
        if isinstance(format, Paged):
            yield from format.pictures(data)

    def _bytes(self, source: str | Path | bytes, name: str) -> tuple[bytes, str]:
        if isinstance(source, bytes):
            return source, name
        return read_bytes(source, self.policy.files.max_megabytes), name or Path(source).name

    def written(self, plan: Plan, document: Document) -> list[Replacement]:
        """What `apply` would write where: what operators put in place of edits, and the spaces that would tell how long
        that was. Nothing is verified, and there is no file.
        """
        return self._settled(self._replacements(plan, document, None)[0], document)

    def _settled(self, replacements: list[Replacement], document: Document) -> list[Replacement]:
        if self._watches_masks:
            replacements = join(document, replacements, self.policy.operators.mark)
        return level(document.text, replacements)

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

    @property
    def _watches_masks(self) -> bool:
        """Whether a secret is about what marks hide."""
        return any(isinstance(self._component("risk", secret.model), OfMasks) for secret in self.policy.secret)

    @property
    def _attacks(self) -> tuple[str, ...]:
        """The attacks of the policy, and those that are for secrets of one model and have its name."""
        own = {each.name for each in plugins.plugins("attacks")}
        models = (secret.model for secret in self.policy.secret if secret.model in own)
        return tuple(dict.fromkeys((*self.policy.components.attacks, *models)))

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


def _beside_marks(findings: Sequence[Finding], document: Document, mark: str) -> Iterator[Finding]:
    """The findings without what they have of marks that stand in the document already; but what is on a list goes."""
    there = text_marks(mark, document.text)
    for found in findings:
        if found.detector == "lists" or not intersect((found.span,), there):
            yield found
            continue
        for part in subtract((found.span,), there):
            words = [*WORD.finditer(document.text, part.start, part.end)]
            if words:
                yield replace(found, span=Span(words[0].start(), words[-1].end()))


def _compared(outcomes: Sequence[Outcome], before: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes beside those of the same attacks on the text as it was."""
    gained: Mapping[tuple[str, str], float] = {
        (each.attack, each.secret): each.result for each in before if each.trials
    }
    return [replace(each, before=gained.get((each.attack, each.secret))) for each in outcomes]


def _masks(plan: Plan, put: Sequence[tuple[Span, Span]]) -> Iterator[Mask]:
    """Where the edits of a plan that leave a mark stand in the redaction: several at one place where their marks have
    become one, what was found before what only tells.
    """
    edits = [edit for edit in plan.edits if edit.operator not in WORDS]
    starts, ends = [edit.span.start for edit in edits], [edit.span.end for edit in edits]
    for taken, stands in put:
        labels = [edit.label for edit in edits[bisect_right(ends, taken.start) : bisect_left(starts, taken.end)]]
        if stands:
            yield from (Mask(stands, label) for label in sorted(labels, key=lambda label: label == _CLUE))


def _foretold(plan: Plan, assessed: Sequence[Risk]) -> Plan:
    """The plan with what is now known to be left of its risks."""
    told = {risk.secret: risk.after for risk in assessed}
    return replace(plan, risks=tuple(replace(risk, after=told.get(risk.secret, risk.after)) for risk in plan.risks))


def drafted(edits: Sequence[Edit], document: Document) -> tuple[Document, list[Span], list[Span]]:
    """The document with the words that edits write in place, where those stand, and where something is that goes. It is
    for models to look at: there is no file that has this text.
    """
    pieces, put, gone, at, length = list[str](), list[Span](), list[Span](), 0, 0
    for edit in edits:
        is_word = edit.operator in WORDS
        said = edit.replacement or "" if is_word else edit.span.of(document.text)
        length += edit.span.start - at
        pieces += (document.text[at : edit.span.start], said)
        (put if is_word else gone).append(Span(length, length + len(said)))
        length, at = length + len(said), edit.span.end
    text = "".join((*pieces, document.text[at:]))
    return document if text == document.text else replace(document, text=text), put, gone


def hidden(edits: Sequence[Edit], document: Document) -> list[str]:
    """What nothing that is written may repeat. Words that a person put in other words are not hidden by that."""
    return excerpt(document, [edit.span for edit in edits if edit.operator != _REWRITE])


def _pair(edits: Sequence[Edit], written: Sequence[str]) -> list[Replacement]:
    if len(edits) != len(written):
        raise PluginError("an operator must write one replacement for each edit")
    return [Replacement(edit.span, text) for edit, text in zip(edits, written, strict=True)]


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


def audit(redaction: Redaction, outcomes: Sequence[Outcome] | None = None, policy: Policy | None = None) -> Report:
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
