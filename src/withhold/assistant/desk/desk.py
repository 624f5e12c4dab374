"""A document at work: what there is to decide about it, and what follows from what was decided."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from withhold import plugins
from withhold.assistant.desk import guiding, stops
from withhold.assistant.desk.close import detail
from withhold.assistant.desk.drafting import pieces
from withhold.assistant.desk.effect import Effects, strengths
from withhold.assistant.desk.places import Places
from withhold.assistant.desk.release import Released, release
from withhold.assistant.desk.remembering import Asked, AskedArchive, remembering
from withhold.assistant.desk.rewriting import anchored, rewritten
from withhold.assistant.desk.unseen import unseen
from withhold.assistant.desk.values import (
    Change,
    Claim,
    Decision,
    Detail,
    Entry,
    FindingDecision,
    Link,
    Note,
    Overview,
    Preview,
    Progress,
    Slider,
    State,
    StrengthDecision,
    TermDecision,
    TextDecision,
    Told,
    Verbatim,
)
from withhold.assistant.desk.views import View, view
from withhold.assistant.desk.weighing import Weighed, standing
from withhold.assistant.suggestions import Assistant, Suggestion
from withhold.contracts import Archive, OfMasks, RiskModel
from withhold.corpora.index.snippets import snippet
from withhold.errors import PolicyError
from withhold.learners.phrases import Reader
from withhold.learners.tagger.network import once
from withhold.redactor import WORDS, Redactor, drafted
from withhold.risk.association import AssociationRisk
from withhold.risk.concepts import ConceptRisk
from withhold.risk.identity import IdentityRisk
from withhold.risk.information.model import InformationRisk
from withhold.risk.mentions import mentions
from withhold.spans import Span, intersect, union
from withhold.types import Document, Edit, Hit, Mask, Plan, Secret, excerpt

if TYPE_CHECKING:
    from withhold.policy import Policy
    from withhold.types import Evidence

_REMEMBERED: Mapping[Hashable, int] = {"state": 2, "weighed": 2}
_OTHERS = 1000
"""So many answers of each kind are remembered: few of those that are large, many of others."""
_PARTNERS = 3
_POINTS = 32
"""The history of scores has about so many points at most."""

Answer = TypeVar("Answer")


class Desk:
    """One document, one policy, and any list of decisions about it.

    Everything follows from the document, the policy and the list alone: the same list gives the same answers, in
    whatever order they are asked for. What was worked out is remembered, so that the next list, which most of the time
    is the last one and a decision more, takes little. A desk may not be used by two threads at once.
    """

    def __init__(self, redactor: Redactor | Policy, document: Document) -> None:
        """
        Raises:
            PolicyError: if a secret cannot be watched over.
            CorpusError: if the corpus cannot be opened or asked.
        """
        self.redactor = redactor if isinstance(redactor, Redactor) else Redactor(redactor)
        self.document = document
        self.policy = self.redactor.policy
        self.places = Places(document)
        self._reader = Reader()
        with once():
            self.effects = Effects(document, self.policy, self.redactor.detect(document))
            self._reader.read(document.text)
        self._models: dict[str, RiskModel] = {}
        self._answers: dict[Hashable, OrderedDict[Hashable, object]] = {}
        self._numbers: dict[Decision, int] = {}
        self._progress: dict[tuple[int, ...], Progress] = {}
        self._sliders: dict[str, Slider] = {}
        self.first = self._weigh(())

    def __repr__(self) -> str:
        return f"Desk({self.document!r}, secrets={len(self.policy.secret)})"

    # What there is

    @cached_property
    def unseen(self) -> tuple[Note, ...]:
        """What the file hides from whoever looks at it."""
        return tuple(unseen(self.document, self.policy))

    @cached_property
    def _overview(self) -> Overview:
        effects = self.effects
        claims = tuple(
            Claim(each.span, each.label, each.score, each.entity, each.detector, each.reason, doubtful, each.identifier)
            for each, doubtful in zip(effects.findings, effects.doubtful, strict=True)
        )
        views = self.first.views
        return Overview(
            self.document.blocks,
            claims,
            tuple(self._entries(views)),
            tuple(link for name, each in views.items() for link in self._links(name, each)),
            tuple(copied for name, each in views.items() for copied in self._verbatim(name, each)),
            (*self.unseen, *(Note(text, name) for name, each in views.items() for text in each.risk.notes)),
        )

    def overview(self) -> Overview:
        """The document as it is: findings, terms with what they tell, links, sentences that stand in the corpus, and
        what is not known.
        """
        return self._overview

    def _entries(self, views: Mapping[str, View]) -> Iterator[Entry]:
        texts = dict.fromkeys([*self.places.features, *(term for each in views.values() for term in each.terms)])
        found = []
        for text in texts:
            if spans := self.places.of(text):
                told = tuple(self._told(name, each, text) for name, each in views.items() if text in each.numbers)
                found.append(Entry(self.places.id(text), text, spans, told))
        yield from sorted(found, key=lambda entry: (entry.spans[0], entry.text))

    def _told(self, secret: str, seen: View, text: str) -> Told:
        number = seen.numbers[text]
        partners = tuple(self.places.id(seen.terms[other]) for other in seen.partners(number, _PARTNERS))
        return Told(
            secret,
            float(seen.alone[number]),
            float(seen.highest[number]),
            seen.together(number),
            partners,
            seen.towards(number),
            seen.reason(number),
            bool(seen.known[number]),
        )

    def _links(self, secret: str, seen: View) -> Iterator[Link]:
        for pair in seen.links:
            yield Link(secret, tuple(self.places.id(seen.terms[each]) for each in pair), float(seen.paired[pair]))

    def _verbatim(self, secret: str, seen: View) -> Iterator[Verbatim]:
        for each in seen.copied:
            yield Verbatim(each.span, secret, each.rule.confidence, each.reason, each.documents)

    @cached_property
    def _terms(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self._overview.terms}

    def term(self, id: str) -> Detail:
        """All that is known of a term: where it stands, what it tells alone and with which others, and the documents of
        the corpus that show it.

        Raises:
            PolicyError: if the document has no such term.
        """
        return self._answer(("term", id), lambda: detail(self, self._entry(id)))

    def evidence(self, secret: str) -> Sequence[Evidence]:
        """Why a secret can be told from the document as it is."""
        return self._answer(("evidence", secret), self.first.views[secret].evidence)

    def hit(self, name: str, query: str) -> Hit:
        """A document of the corpus, with the stretch of it that shows best why it was found."""
        corpus = plugins.corpus(self.policy, self.document)
        if not isinstance(corpus, Archive):
            return Hit(name)
        return Hit(name, self._titles.get(name, ""), snippet(corpus.text(name), set(query.split())))

    @cached_property
    def _titles(self) -> dict[str, str]:
        corpus = plugins.corpus(self.policy, self.document)
        return dict(zip(corpus.names(), corpus.titles(), strict=True)) if isinstance(corpus, Archive) else {}

    def _entry(self, id: str) -> Entry:
        if id in self._terms:
            return self._terms[id]
        text = self.places.named(id, ())
        if text is None:
            raise PolicyError("the document has no such term")
        return Entry(id, text, self.places.of(text))

    # What was decided

    def settle(self, decision: Decision) -> Decision:
        """The decision with all that it leaves to the desk filled in, as it should be stored: a term's places, and what
        is written there.

        Raises:
            PolicyError: if it is not about this document or this policy.
        """
        return self._answer(("settled", *self._key((decision,))), lambda: self._settle(decision))

    def _settle(self, decision: Decision) -> Decision:
        if isinstance(decision, StrengthDecision):
            self._secret(decision.secret)
            return replace(decision, k=min(decision.k, len(self.slider(decision.secret).stops)))
        if isinstance(decision, TextDecision):
            self._check(each.span for each in decision.replacements)
            return TextDecision(tuple(anchored(self.document, each) for each in decision.replacements))
        self._check(decision.spans)
        if isinstance(decision, FindingDecision):
            known = {each.span for each in self.effects.findings}
            if not known.issuperset(decision.spans):
                raise PolicyError("nothing was found at a span that the decision is about")
            return decision
        return self._settle_term(decision)

    def _settle_term(self, decision: TermDecision) -> TermDecision:
        if decision.written:
            return decision
        spans = decision.spans
        if decision.scope == "everywhere" or not spans:
            spans = self._everywhere(decision)
        written = tuple(decision.replacement or "" for _ in spans) if decision.action == "replace" else ()
        if decision.action == "generalise":
            spans, written = self._general(spans, decision.replacement)
        return replace(decision, spans=spans, written=written)

    def _everywhere(self, decision: TermDecision) -> tuple[Span, ...]:
        """Every place that has the same words; those of the spans themselves if they have none."""
        given = self._entry(decision.term).spans if decision.term is not None and not decision.spans else decision.spans
        terms = dict.fromkeys(self.places.under(span) for span in given)
        found = {span for term in terms if term for span in self.places.of(term)}
        wordless = {span for span in given if not self.places.under(span)}
        return tuple(sorted(found | wordless))

    def _general(self, spans: Sequence[Span], text: str | None) -> tuple[tuple[Span, ...], tuple[str, ...]]:
        """What to write at each place, which can be a little wider than the term: an article before it may change. What
        has no more general word goes.
        """
        made: list[tuple[Span, str]] = []
        for span in spans:
            offered = [each for each in self.suggest(span) if text is None or each.text.lower() == text.lower()]
            wide = next((each.span for each in offered), span)
            if made and wide.start < made[-1][0].end:
                wide = span
            made.append((wide, offered[0].text if offered else text or ""))
        return tuple(span for span, _ in made), tuple(written for _, written in made)

    def _check(self, spans: Iterator[Span] | Sequence[Span]) -> None:
        if any(span.end > len(self.document.text) for span in spans):
            raise PolicyError("a decision reaches beyond the end of the document")

    def _secret(self, name: str) -> Secret:
        for secret in self.policy.secret:
            if secret.name == name:
                return secret
        raise PolicyError("the policy has no secret of that name")

    # What follows

    def changes(self, decisions: Sequence[Decision], more: Sequence[Edit] = ()) -> tuple[Change, ...]:
        """The edits in effect, in order and disjoint; `effect` says which of two decisions counts. The edits `more` are
        made where no decision and no finding says otherwise.
        """
        settled = tuple(self.settle(each) for each in decisions)
        taken = {name: stops.at(self.slider(name), k, self.policy) for name, k in strengths(settled).items()}
        if more:
            taken["\0"] = list(more)
        return self.effects.changes(settled, taken)

    def state(self, decisions: Sequence[Decision] = ()) -> State:
        """Everything that follows from a list of decisions, made in this order.

        Raises:
            PolicyError: if one of them is not about this document or this policy.
        """
        made = tuple(decisions)
        return self._answer(("state", self._key(made)), lambda: self._state(made))

    def _key(self, decisions: Sequence[Decision]) -> tuple[int, ...]:
        """A list of decisions by number, since the same ones are asked for again and again."""
        return tuple(self._numbers.setdefault(each, len(self._numbers)) for each in decisions)

    def _state(self, decisions: tuple[Decision, ...]) -> State:
        changes = self.changes(decisions)
        weighed = self._weigh(tuple(change.edit for change in changes))
        settled = tuple(self.settle(each) for each in decisions)
        return State(
            changes,
            pieces(self.redactor, self.document, changes),
            standing(self, weighed, settled),
            tuple(self._history(decisions)),
            tuple(guiding.tasks(self, weighed, settled, changes)),
            tuple(sorted({each.span for each in self.effects.undecided(settled, changes)})),
        )

    def _history(self, decisions: tuple[Decision, ...]) -> Iterator[Progress]:
        """The score after each decision; of a long list after every second, fourth, eighth ... and the last."""
        key, step = self._key(decisions), 1
        while len(decisions) // step > _POINTS:
            step *= 2
        for count in dict.fromkeys([*range(0, len(decisions) + 1, step), len(decisions)]):
            if key[:count] not in self._progress:
                changes = self.changes(decisions[:count])
                scores = self._weigh(tuple(change.edit for change in changes)).scores(self.first)
                self._progress[key[:count]] = Progress(count, scores[0].total, scores[1].total)
            yield self._progress[key[:count]]

    def preview(self, text: str, decisions: Sequence[Decision] = ()) -> Preview:
        """What an edited text would be like. It is `state(decisions).text` with whatever a person changed in it; the
        decision that says so is given back, to be stored or not.
        """
        decision = self.settle(rewritten(self.document, self.state(decisions).pieces, text))
        assert isinstance(decision, TextDecision)
        made = (*decisions, decision)
        weighed = self._weigh(tuple(change.edit for change in self.changes(made)))
        return Preview(standing(self, weighed, made), decision)

    def slider(self, secret: str) -> Slider:
        """All stops of a secret's slider, from only what names it.

        Raises:
            PolicyError: if the policy has no such secret.
        """
        if secret not in self._sliders:
            chosen = self._secret(secret)
            taken = [change.edit for change in self.effects.changes((), {})]
            self._sliders[secret] = stops.slider(self._model(chosen), self.document, chosen, self.policy, taken)
        return self._sliders[secret]

    def suggest(self, asked: str | Span, decisions: Sequence[Decision] = ()) -> list[Suggestion]:
        """What could stand in place of a span, or of a term where it first stands, the best first; nothing that has a
        word of what goes elsewhere. None if there is no secret to measure them by.

        Raises:
            PolicyError: if the document has no such term.
        """
        if not self.policy.secret:
            return []
        span = asked if isinstance(asked, Span) else self._entry(asked).spans[0]
        removed = tuple(excerpt(self.document, [change.edit.span for change in self.changes(decisions)]))
        return self._answer(("suggest", span, removed), lambda: self._assistant.suggest(span, removed=removed))

    @cached_property
    def _assistant(self) -> Assistant:
        """For the secret that tells most."""
        views = self.first.views
        secret = max(
            self.policy.secret, key=lambda each: views[each.name].risk.before / max(views[each.name].risk.ceiling, 1e-9)
        )
        return Assistant(self.document, self.policy, secret, model=self._model(secret))

    def plan(self, decisions: Sequence[Decision], more: Sequence[Edit] = ()) -> Plan:
        """The plan that the decisions make, tied to the document: what `apply` carries out."""
        changes = self.changes(decisions, more)
        edits = tuple(change.edit for change in changes)
        weighed = self._weigh(edits)
        risks = tuple(replace(self.first.views[name].risk.bare(), after=weighed.level(name)) for name in weighed.views)
        settled = [self.settle(each) for each in decisions]
        return Plan(
            edits,
            source=self.document.digest,
            risks=risks,
            status="a risk stays" if any(risk.stays for risk in risks) else "done",
            doubtful=tuple(self.effects.undecided(settled, changes)),
            reading=self.document.reading,
        )

    def named(self, edits: Sequence[Edit]) -> frozenset[str]:
        """The secrets that the text names outright once these edits are made."""
        return self._weigh(tuple(edits)).named

    def release(self, decisions: Sequence[Decision]) -> Released:
        """The plan applied, verified and attacked, and made stricter if an attack wins, as often as the policy allows.
        What a person decided to keep is not touched by that; the answer says which risks and attacks then stay.

        Raises:
            PolicyError: if what is written repeats what it should hide.
            LeakError: if the output cannot be shown to be clean; then there is none.
        """
        return release(self, tuple(decisions))

    # How it is worked out

    def _weigh(self, edits: tuple[Edit, ...]) -> Weighed:
        """What a text with these edits tells of every secret."""
        return self._answer(("weighed", edits), lambda: self._weighed(edits))

    def _model(self, secret: Secret, masks: Sequence[Mask] = ()) -> RiskModel:
        """The risk model of a secret, with a memory for this document."""
        model = self.redactor.model(secret, masks)
        if isinstance(model, OfMasks):
            return model
        if secret.name not in self._models:
            self._models[secret.name] = self._remembering(model)
        return self._models[secret.name]

    def _remembering(self, model: RiskModel) -> RiskModel:
        if isinstance(model, ConceptRisk):
            return model.remembering()
        if isinstance(model, AssociationRisk):
            return model.with_corpus(self._corpus, self._reader)
        if isinstance(model, InformationRisk):
            return model.with_corpus(self._corpus)
        if isinstance(model, IdentityRisk) and isinstance(self._corpus, AskedArchive):
            return model.with_corpus(self._corpus).remembering()
        return model

    @cached_property
    def _corpus(self) -> Asked:
        return remembering(plugins.corpus(self.policy, self.document))

    def _weighed(self, edits: tuple[Edit, ...]) -> Weighed:
        draft, put, gone = drafted(edits, self.document)
        said = [edit.span for edit in edits if edit.operator in WORDS]
        self._reader.edit(self.document.text, draft.text, list(zip(said, put, strict=True)))
        labels = [edit.label for edit in edits if edit.operator not in WORDS]
        masks = [Mask(span, label) for span, label in zip(gone, labels, strict=True)]
        if not edits:
            masks = [Mask(each.span, each.label) for each in self.effects.findings]
        source = self.document if edits else None
        views = {
            secret.name: view(self._model(secret, masks), draft, secret, source=source, written=gone)
            for secret in self.policy.secret
        }
        return Weighed(views, frozenset(self._named(draft.text, gone)))

    def _named(self, text: str, gone: Sequence[Span]) -> Iterator[str]:
        """The secrets that a text names where it is not gone."""
        found: dict[tuple[str, ...], bool] = {}
        passed = union(gone)
        for secret in self._resolved:
            if secret.names and secret.names not in found:
                found[secret.names] = any(not intersect((span,), passed) for span in mentions(text, secret.names))
            if found.get(secret.names):
                yield secret.name

    @cached_property
    def _resolved(self) -> tuple[Secret, ...]:
        return self.redactor.policy_for(self.document).secret

    def _answer(self, key: tuple[Hashable, ...], work: Callable[[], Answer]) -> Answer:
        """What was worked out before, or is now; of each kind the last few are kept."""
        known = self._answers.setdefault(key[0], OrderedDict())
        if key not in known:
            known[key] = work()
        known.move_to_end(key)
        if len(known) > _REMEMBERED.get(key[0], _OTHERS):
            known.popitem(last=False)
        answer: Answer = known[key]  # type: ignore[assignment]
        return answer
