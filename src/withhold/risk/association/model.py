"""The risk that a reader who looks up the words of a text finds what it is about."""

from __future__ import annotations

import copy
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from withhold import plugins
from withhold.contracts import Archive, Remote
from withhold.errors import PolicyError
from withhold.learners.features import words
from withhold.learners.phrases import Reader
from withhold.risk.association.choices import make_choices
from withhold.risk.association.rules import Rule, Rules, count_sets, mine
from withhold.risk.association.shares import Shares
from withhold.risk.mentions import mentions
from withhold.risk.written import repeated
from withhold.spans import Span, intersect, union
from withhold.text import marks
from withhold.types import Document, Evidence, Inferences, Risk, Secret, Term

if TYPE_CHECKING:
    from withhold.contracts import Corpus, Taxonomy
    from withhold.policy import Inference, Policy

CEILING = 0.1
"""The highest confidence that may stay, where the policy says nothing: the threshold of the paper's score."""

_EVIDENCE = 200
_CARRIERS = 3
_SENTENCE = 6
"""A sentence of fewer words stands in many documents for no reason."""
_MANY = 100
"""Of so many documents, what was counted is near enough."""


class AssociationRisk:
    """The risk that a reader infers a topic: the confidence of the strongest rule that leads to it.

    A rule is a set of terms of the text. Its confidence is the share of the documents with all of them that name the
    topic too, with a little doubt where documents are few (see `shares`). Documents of the corpus that are copies of
    the text are left out if the policy wants that. The topic's own names are no terms, since they always have to go;
    a part of one, such as a surname, is.
    """

    def __init__(self, policy: Policy, corpus: Corpus | None = None) -> None:
        self.policy = policy
        self._corpus = corpus
        self._reader: Reader | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def with_corpus(self, corpus: Corpus, reader: Reader | None = None) -> Self:
        """The same model with another corpus than that of the policy, and with a reader that keeps what it has read."""
        other = copy.copy(self)
        other._corpus, other._reader = corpus, reader
        return other

    def resolve(self, document: Document, secret: Secret) -> Secret:
        """The secret as it is: a topic cannot be guessed.

        Raises:
            PolicyError: if the policy does not say which topic it is.
        """
        if not any(words(name) for name in secret.names):
            raise PolicyError(f"secret {secret.name!r} needs `value`: the topic, in words, that must not be inferred")
        return secret

    def rules(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Rules:
        """What the terms of a document tell of the secret: for whoever wants more than the risk.

        Raises:
            PolicyError: if the policy does not say which topic it is.
            CorpusError: if the corpus cannot be opened or asked.
        """
        return self.look(document, secret, source=source, written=written).rules

    def look(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Look:
        """Everything that the risk is stated from: rules, and sentences that stand in the corpus.

        Raises:
            PolicyError: if the policy does not say which topic it is.
            CorpusError: if the corpus cannot be opened or asked.
        """
        return self._look(document, self.resolve(document, secret), source, written)

    def assess(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Risk:
        """What a reader could infer. Of a redacted document, `source` is the one it was made from, and `written` is
        where marks stand in it, which are no words.

        Raises:
            PolicyError: if the policy does not say which topic it is.
            CorpusError: if the corpus cannot be opened or asked.
        """
        look = self.look(document, secret, source=source, written=written)
        risk = self.stated(look, secret)
        choices = None if source else self.choices(document, look)
        return replace(risk, evidence=tuple(look.evidence()), choices=choices)

    def stated(self, look: Look, secret: Secret) -> Risk:
        """The risk in numbers and notes, without evidence and choices, which take longer to find."""
        level, ceiling = look.level, look.rules.ceiling
        return Risk(secret.name, secret.model, level, level, ceiling, notes=tuple(_notes(look)), measure="share")

    def _look(self, document: Document, secret: Secret, source: Document | None, written: Sequence[Span]) -> Look:
        corpus, copies = self._corpus or plugins.corpus(self.policy, source or document), 0
        if self.policy.corpus.leave_out_copies and isinstance(corpus, Archive):
            same = corpus.copies((source or document).text)
            corpus, copies = (corpus.without(same) if same else corpus), len(same)
        passed = [*written, *marks(self.policy.operators.mark, document.text)]
        named = mentions(document.text, secret.names)
        read = (self._reader or Reader()).phrases(document.text, [*passed, *named])
        asked = CEILING if secret.ceiling is None else secret.ceiling
        most = self._most(corpus)
        rules = mine(corpus, secret.names, read, self._bounded(most), asked)
        copied = _verbatim(document.text, read.sentences[:most], rules, named)
        return Look(rules, tuple(copied), copies, asked, most)

    def _most(self, corpus: Corpus) -> int | None:
        """Of a search engine, how many queries each step may send. There are seven steps, and pairs take three times as
        many, so that half of all is left for looking again once a plan is made.
        """
        background = self.policy.corpus
        return None if isinstance(corpus, Archive) else max(background.budget // (1 + background.decoys) // 20, 1)

    def _bounded(self, most: int | None) -> Inference:
        """What is looked at of a document, as far as the queries go: each count is two of them."""
        inference = self.policy.inference
        if most is None:
            return inference
        paired = max(int((3 * most) ** 0.5) // 2, 1)  # as many again tell too much alone, and are paired too
        return replace(inference, keywords=min(inference.keywords, paired), triples=min(inference.triples, most // 2))

    def choices(
        self, document: Document, look: Look, ceiling: float | None = None, *, generalise: bool = True
    ) -> Inferences:
        """What a planner may decide, to bring the risk under its ceiling or under a higher one."""
        # Of a search engine, what is asked about more general words would be missing for the words themselves.
        general = generalise and self.policy.planning.generalise and look.most is None
        rules, told = look.rules, look.told
        if ceiling is not None and ceiling > rules.ceiling:
            rules = replace(rules, ceiling=ceiling)
            told = look.above(ceiling)
        fixed = repeated(self.policy, [term.text for term in rules.terms])
        taxonomies = self._taxonomies if general else []
        return make_choices(document.text, rules, told, taxonomies, fixed, self.policy.inference.triples)

    @cached_property
    def _taxonomies(self) -> list[Taxonomy]:
        return plugins.taxonomies(self.policy)


@dataclass(frozen=True, slots=True, repr=False)
class Copied:
    """A sentence that stands word for word in a document; as a rule, its terms are all that it has. It is `named` if it
    names the secret outright, which has to go anyway.
    """

    span: Span
    rule: Rule
    named: bool
    documents: tuple[str, ...]

    @property
    def reason(self) -> str:
        """What the sentence tells, in words."""
        where = "a document" if self.rule.held == 1 else f"{self.rule.held} documents"
        if not self.rule.told:
            return f"stands word for word in {where}"
        have = "has" if self.rule.told == 1 else "have"
        which = f"which {have}" if self.rule.held == 1 else f"{self.rule.told} of which {have}"
        return f"stands word for word in {where}, {which} the secret"


@dataclass(frozen=True, eq=False, repr=False)
class Look:
    """What was found out about one document and one secret."""

    rules: Rules
    copied: tuple[Copied, ...]
    copies: int
    asked: float
    most: int | None = None

    @cached_property
    def ruled(self) -> list[Rule]:
        return self.rules.told()

    @cached_property
    def told(self) -> list[Rule]:
        """All rules and sentences that tell something, the strongest first."""
        return sorted([*self.ruled, *self._sentences], key=lambda rule: -rule.confidence)

    def above(self, confidence: float) -> list[Rule]:
        """Those that are stronger than this."""
        told = [*self.rules.told(confidence), *self._sentences]
        return [rule for rule in told if rule.confidence > confidence]

    @property
    def _sentences(self) -> list[Rule]:
        return [each.rule for each in self.copied if each.rule.told and each.rule.terms and not each.named]

    @property
    def level(self) -> float:
        """The confidence of the strongest of them."""
        return max(self.rules.highest, *(rule.confidence for rule in self._sentences), 0.0)

    def evidence(self) -> Iterator[Evidence]:
        """The sentences that were found, and the strongest rules, with the documents that carry them."""
        for each in self.copied:
            counts = {"with": each.rule.held, "and the secret": each.rule.told}
            yield Evidence((each.span,), each.rule.confidence, each.reason, counts, each.documents)
        strongest: dict[tuple[Span, ...], Rule] = {}
        for rule in self.ruled:
            strongest.setdefault(union(*(self.rules.terms[term].spans for term in rule.terms)), rule)
        chosen = list(strongest.items())[: _EVIDENCE if self.most is None else self.most]
        wanted = [[*(self.rules.wanted[term] for term in rule.terms), self.rules.topic] for _, rule in chosen]
        carriers = self.rules.corpus.holding(wanted, _CARRIERS) if wanted else []
        for (spans, rule), documents in zip(chosen, carriers, strict=True):
            counts = {"with": rule.held, "and the secret": rule.told}
            yield Evidence(spans, rule.confidence, self._reason(rule), counts, documents)

    def _reason(self, rule: Rule) -> str:
        """What a rule goes by, in words: `the secret is in 38 of the 41 documents that have both`."""
        have = {1: "it", 2: "both"}.get(len(rule.terms), f"all {len(rule.terms)}")
        if any(self.rules.partial[term] for term in rule.terms):
            have += ", or a word of it" if len(rule.terms) == 1 else ", or a word of them"
        if rule.held == 1:
            return f"the secret is in the only document that has {have}"
        low, high = (float(end[0]) for end in Shares(np.array([rule.held]), np.array([rule.told])).bounds())
        share = "" if rule.held >= _MANY else f": between {low:.0%} and {high:.0%}"
        return f"the secret is in {rule.told} of the {rule.held} documents that have {have}{share}"

    def unknown(self) -> list[Term]:
        """Words that no document has: nobody can say what they tell."""
        found = self.rules.alone.unknown.tolist()
        return [term for term, is_unknown in zip(self.rules.terms, found, strict=True) if is_unknown]


def _verbatim(text: str, sentences: Sequence[Span], rules: Rules, named: Sequence[Span]) -> Iterator[Copied]:
    """The sentences that stand word for word in the corpus."""
    asked = [span for span in sentences if len(words(span.of(text))) >= _SENTENCE]
    hits = rules.corpus.contains([span.of(text) for span in asked]) if asked else []
    found = [span for span, hit in zip(asked, hits, strict=True) if hit]
    if not found:
        return
    said = [span.of(text) for span in found]
    shares = count_sets(rules.corpus, [[each] for each in said], rules.topic)
    carriers = rules.corpus.holding([[each] for each in said], _CARRIERS) if said else []
    confidence, passed = shares.confidence(rules.base), union(named)
    places = sorted((span, number) for number, term in enumerate(rules.terms) for span in term.spans)
    for number, span in enumerate(found):
        near = places[bisect_left(places, span.start, key=_start) : bisect_left(places, span.end, key=_start)]
        terms = tuple(sorted({term for place, term in near if place in span}))
        rule = Rule(terms, float(confidence[number]), int(shares.held[number]), int(shares.told[number]))
        yield Copied(span, rule, bool(intersect((span,), passed)), carriers[number])


def _start(place: tuple[Span, int]) -> int:
    return place[0].start


def _notes(look: Look) -> Iterator[str]:
    """What a person should know that no plan can mend."""
    rules = look.rules
    if look.copies:
        several = "1 document is a copy" if look.copies == 1 else f"{look.copies} documents are copies"
        yield f"{several} of the text, in whole or in large part, and left out of what a reader knows"
    if not rules.base:
        yield "the secret stands in no document of the corpus: what the text tells of it cannot be known"
    elif rules.ceiling > look.asked:
        yield f"the secret is in {rules.base:.1%} of all documents, so that many guess it: the ceiling is raised"
    paired, met = len(rules.pairs.held), int(np.count_nonzero(rules.alone.told))
    if look.most is None and 0 < paired < met:
        yield f"of {met} terms that stand with the secret, {paired} were looked at in pairs, the most promising first"
    if look.most is not None:
        yield (
            f"as far as corpus.budget goes, {len(rules.terms)} terms were looked up, {len(rules.pairs.held)} of them "
            "in pairs: what others tell is not known"
        )
    if isinstance(rules.corpus, Remote):
        yield from rules.corpus.notes()
    if unknown := len(look.unknown()):
        yield f"{unknown} of the {len(rules.terms)} terms stand in no document: look at them, names above all"
