"""Which class is this text about? What a concept model says, from which words, and what can be done about it."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from withhold import plugins
from withhold.errors import PolicyError
from withhold.learners.concepts import Concepts
from withhold.learners.embeddings import of_words
from withhold.risk.reading import Reading
from withhold.risk.written import repeated, settle
from withhold.text import marks
from withhold.types import Choices, Document, Evidence, Risk, Scores, Secret, Standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Taxonomy
    from withhold.policy import Policy
    from withhold.spans import Span

    Reals = NDArray[np.float64]

PAPER_WORDS = 10_000
"""How many words, the most telling ones, the paper's models know."""

_SHOWN = 10
_EVIDENCE = 200
_KEPT = 3
_OPTIONS = 2
_COMMON = 3.0
"""So many times as often as a word, what replaces it must be met."""


class ConceptRisk:
    """The risk that a reader tells the class of a document: one over its rank among all classes.

    With k classes asked for, the ceiling is 1/k: the true class must not be among the first k - 1 guesses of a reader
    who has the model, without this document in it if it was learnt from it.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._models: dict[Path, Concepts] = {}
        self._readings: OrderedDict[tuple[int, str, str | None], Reading] | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def remembering(self) -> Self:
        """The same model, which keeps what it has made of the last few texts: for one document, edit after edit."""
        other = copy.copy(self)
        other._readings = OrderedDict()
        return other

    def check(self, secret: Secret) -> None:
        """Look up the secret, and what is to be kept, in the model.

        Raises:
            PolicyError: if the model does not know them.
            NotFitted: if there is no model.
        """
        model, attribute = self._model(secret), self._attribute(secret)
        if secret.value is not None:
            _class(model, attribute, secret.value)
        for name in self._kept(model, attribute):
            for value in self.policy.keep.values.get(name, ()):
                _class(model, name, value)

    def resolve(self, document: Document, secret: Secret) -> Secret:
        """The secret with its value, that of the model if the policy gives none, and other names the model knows."""
        model, attribute = self._model(secret), self._attribute(secret)
        value = secret.value
        if value is None:
            reading = self._read(model, document)
            value = reading.bayes(attribute).classes[int(reading.scores(attribute).argmax())]
        known = model.aliases.get(value, ()) if attribute == model.secret else ()
        return replace(
            secret, attribute=attribute, value=value, aliases=tuple(dict.fromkeys([*secret.aliases, *known]))
        )

    def assess(
        self,
        document: Document,
        secret: Secret,
        *,
        source: Document | None = None,
        written: Sequence[Span] = (),
    ) -> Risk:
        """What a reader could tell. Of a redacted document, `source` is the one it was made from, and `written` is
        where marks stand in it, which are no words.

        Raises:
            PolicyError: if the secret does not fit its model.
            NotFitted: if there is no model.
        """
        look = self.look(document, secret, source=source, written=written)
        choices = None if source else self.choices(document, look)
        return replace(self.stated(look, secret), evidence=look.evidence(), choices=choices)

    def look(
        self, document: Document, secret: Secret, *, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Look:
        """Everything that the risk is stated from: the document as the model reads it, and the classes in question.

        Raises:
            PolicyError: if the secret does not fit its model.
            NotFitted: if there is no model.
        """
        resolved = self.resolve(source or document, secret)
        model, attribute = self._model(resolved), self._attribute(resolved)
        reading = self._read(model, document, source, written)
        true = _class(model, attribute, resolved.value)
        return Look(
            resolved, reading, attribute, true, self._keep(source or document, model, attribute), source is not None
        )

    def stated(self, look: Look, secret: Secret) -> Risk:
        """The risk in numbers, ranks and notes, without evidence and choices, which take longer to find."""
        left_open = () if secret.value else ("which class is the true one was left to the model: see that it is right",)
        notes = _notes(look.reading, look.attribute, look.secret.confusers, look.keep, look.redacted)
        level, ceiling = 1.0 / look.rank, 1.0 / (look.secret.confusers + 1)
        return Risk(
            secret.name,
            secret.model,
            before=level,
            after=level,
            ceiling=ceiling,
            standings=tuple(look.standings()),
            notes=(*left_open, *notes),
        )

    def _read(
        self, model: Concepts, document: Document, source: Document | None = None, written: Sequence[Span] = ()
    ) -> Reading:
        ignoring = [*written, *marks(self.policy.operators.mark, document.text)]
        origin = source.text if source and source.text != document.text else None
        return self._whole(model, document.text, origin).passing(ignoring)

    def _whole(self, model: Concepts, text: str, source: str | None) -> Reading:
        if self._readings is None:
            return Reading.of(model, text, source=source, priors=self.policy.planning.priors)
        key = id(model), text, source
        if key not in self._readings:
            self._readings[key] = Reading.of(model, text, source=source, priors=self.policy.planning.priors)
        self._readings.move_to_end(key)
        if len(self._readings) > _KEPT:
            self._readings.popitem(last=False)
        return self._readings[key]

    def _model(self, secret: Secret) -> Concepts:
        if secret.fitted is None:
            raise PolicyError(
                f"secret {secret.name!r} needs `fitted`, the folder that `withhold fit concepts` wrote; or it is a "
                '`person`, or a `value` with the model "association" or "information"'
            )
        folder = self.policy.resolve(secret.fitted)
        if folder not in self._models:
            limit = None if self.policy.planning.aim == "release" else PAPER_WORDS
            self._models[folder] = Concepts.load(folder).select(limit)
        return self._models[folder]

    def _attribute(self, secret: Secret) -> str:
        model = self._model(secret)
        attribute = secret.attribute or model.secret
        if attribute not in model.attributes:
            known = ", ".join(model.attributes)
            raise PolicyError(f"secret {secret.name!r}: the model has no attribute {attribute!r}, but {known}")
        return attribute

    def _kept(self, model: Concepts, secret: str) -> tuple[str, ...]:
        """The attributes to keep: those of the policy, or all others of the model."""
        names = self.policy.keep.attributes or tuple(name for name in model.attributes if name != secret)
        if unknown := [name for name in names if name not in model.attributes]:
            raise PolicyError(f"keep: the model has no attribute {unknown[0]!r}, but {', '.join(model.attributes)}")
        return names

    def _keep(self, document: Document, model: Concepts, secret: str) -> dict[str, tuple[int, ...]]:
        """The classes to keep, by attribute: those of the policy, or those the document is of in the model's eyes."""
        values, found = self.policy.keep.values, {}
        reading = self._read(model, document)
        for name in self._kept(model, secret):
            if name in values:
                found[name] = tuple(_class(model, name, value) for value in values[name])
            else:
                found[name] = (int(reading.scores(name).argmax()),)
        return found

    def choices(self, document: Document, look: Look) -> Choices:
        """What a planner may decide."""
        planning = self.policy.planning
        release = planning.aim == "release"
        general = general_terms(look.reading, self._taxonomies, release=release) if planning.generalise else []
        seed = f"{planning.seed} {document.reading}".encode()
        choices = make_choices(
            look.reading,
            look.attribute,
            look.true,
            look.keep,
            confusers=look.secret.confusers,
            release=release,
            general=general,
            seed=int.from_bytes(blake2b(seed, digest_size=8).digest()),
        )
        return settle(choices, repeated(self.policy, look.reading.terms))

    @cached_property
    def _taxonomies(self) -> list[Taxonomy]:
        return plugins.taxonomies(self.policy)


@dataclass(frozen=True, eq=False, repr=False)
class Look:
    """What was found out about one document and one secret: which class is the true one, and which are to be kept."""

    secret: Secret
    reading: Reading
    attribute: str
    true: int
    keep: Mapping[str, tuple[int, ...]]
    redacted: bool

    @property
    def rank(self) -> int:
        """The rank of the true class, from 1."""
        scores = self.reading.scores(self.attribute)
        return 1 + int(np.count_nonzero(scores > scores[self.true]))

    def standings(self, most: int = _SHOWN) -> Iterator[Standing]:
        """The first classes of the attribute, then of those to keep; the true ones wherever they are."""
        for name, classes in {self.attribute: (self.true,), **self.keep}.items():
            yield from _standings(self.reading, name, classes, most)

    def evidence(self) -> tuple[Evidence, ...]:
        """The terms that speak for the true class, loudest first."""
        return _evidence(self.reading, self.attribute, self.true)


def _class(model: Concepts, attribute: str, value: str | None) -> int:
    """The number of a class in the model."""
    classes = model.attributes[attribute].classes
    if value not in classes:
        raise PolicyError(
            f"the model has no such class of {attribute!r} as the policy asks for; it knows {len(classes)}, which "
            "its model.json lists"
        )
    return classes.index(value)


def make_choices(
    reading: Reading,
    attribute: str,
    true: int,
    keep: Mapping[str, tuple[int, ...]],
    *,
    confusers: int,
    release: bool,
    general: Sequence[tuple[int, str]] = (),
    seed: int = 0,
) -> Choices:
    """What a planner may decide about one document. For a `release`, with how unsure each weight is, and with other
    models that a reader may have.
    """
    parts = [reading.model.features.counts(text) for _, text in general]
    weights = [_with_options(reading, name, parts) for name in (attribute, *keep)]
    secret = Scores(weights[0][0], reading.bias(attribute), (true,), options=weights[0][1])
    several = [secret]
    if release:
        several += _other_readers(reading, attribute, true, parts)
    return Choices(
        spans=reading.spans,
        secret=tuple(several),
        keep=tuple(
            Scores(own, reading.bias(name), keep[name], options=options)
            for name, (own, options) in zip(keep, weights[1:], strict=True)
        ),
        confusers=confusers,
        families=reading.model.families(attribute, next(iter(keep))) if keep else (),
        general=tuple(general),
        seed=seed,
        presence=reading.model.features.binary,
    )


def general_terms(reading: Reading, taxonomies: Sequence[Taxonomy], *, release: bool) -> list[tuple[int, str]]:
    """What may stand in place of each term: more general words the model knows, none of which the text has itself,
    since one that is removed elsewhere must not be written here.

    For a `release` they must be met much more often than the term: a word that hardly stands anywhere else is a code
    for the one it replaces, and a reader who has seen it used learns it.
    """
    context, here = tuple(reading.terms), {part for term in reading.terms for part in term.split()}
    known, found = reading.model.vocabulary, []
    for number, term in enumerate(reading.terms):
        offered = next((some for each in taxonomies if (some := each.generalise(term, context))), ())
        usable = [text for text in offered if _is_usable(reading.model.features.counts(text), known, here)]
        if release:
            usable = [text for text in usable if _is_common(reading, text, term)]
        found += [(number, text) for text in usable[:_OPTIONS]]
    return found


def _is_common(reading: Reading, text: str, term: str) -> bool:
    """Whether every word of the text is met much more often than the term."""
    parts = [term, *reading.model.features.counts(text)]
    met = reading.bayes(reading.model.secret).counts(reading.model.columns(parts)).sum(axis=0)
    return bool(met[1:].min() >= _COMMON * (met[0] + 1.0))


def _is_usable(parts: Mapping[str, int], known: Mapping[str, int], here: set[str]) -> bool:
    return bool(parts) and all(part in known and not _told_by(part, here) for part in parts)


def _told_by(part: str, here: set[str]) -> bool:
    return part in here or any(word in part for word in here if len(word) > 3)


def _with_options(reading: Reading, attribute: str, parts: Sequence[Mapping[str, int]]) -> tuple[Reals, Reals | None]:
    own = reading.weights(attribute)
    return own, _options(parts, len(own), lambda terms: reading.weights(attribute, terms)) if parts else None


def _options(parts: Sequence[Mapping[str, int]], classes: int, weigh: Callable[[Sequence[str]], Reals]) -> Reals:
    """The weights of phrases: those of their words, added up."""
    words = list(dict.fromkeys(word for part in parts for word in part))
    at = {word: number for number, word in enumerate(words)}
    weights = weigh(words) if words else np.zeros((classes, 0))
    return np.column_stack([weights[:, [at[word] for word in part]] @ list(part.values()) for part in parts])


def _other_readers(reading: Reading, attribute: str, true: int, parts: Sequence[Mapping[str, int]]) -> list[Scores]:
    """What readers go by who have learnt from other documents, who know what words mean, who ask what a class would not
    have written, or who have learnt from redactions.
    """
    bayes, model = reading.bayes(attribute), reading.model

    def elsewhere(terms: Sequence[str]) -> tuple[Reals, Reals]:
        return bayes.elsewhere(model.columns(terms), reading.without(attribute, terms), true)

    def meaning(terms: Sequence[str]) -> Reals:
        # A phrase means what its words do, and a reader who goes by meaning reads each of them once.
        vectors = of_words([term if " " not in term else "" for term in terms])
        return np.ascontiguousarray((model.meanings(attribute) @ vectors.T).astype(np.float64))

    def complement(terms: Sequence[str]) -> Reals:
        return bayes.complement(model.columns(terms), reading.without(attribute, terms))

    level, prior = np.zeros(len(bayes.classes)), reading.bias(attribute)
    readers: list[tuple[Callable[[Sequence[str]], Reals], Reals]] = [(meaning, level), (complement, level)]
    readers += [
        _found_out(each, attribute, bayes.classes) for each in model.found if _knows(each, attribute, bayes.classes)
    ]
    stranger = _stranger(elsewhere, reading.terms, prior, true, parts)
    knowing, *others = (
        Scores(weigh(reading.terms), bias, (true,), options=_options(parts, len(level), weigh) if parts else None)
        for weigh, bias in readers
    )
    return [stranger, _blurred(knowing, true), *others]


def _blurred(scores: Scores, true: int) -> Scores:
    """The same, with every word as unsure as any, by half of what words say on the average: what a text is like depends
    on the texts that readers compare it with.
    """
    apart = np.abs(scores.weights[true] - scores.weights)
    moved = 0.5 * float(apart.sum()) / max(apart.size, 1)
    columns = scores.weights.shape[1] + (0 if scores.options is None else scores.options.shape[1])
    return replace(scores, spread=np.full((len(scores.bias), columns), moved))


def _stranger(
    weigh: Callable[[Sequence[str]], tuple[Reals, Reals]],
    terms: Sequence[str],
    bias: Reals,
    true: int,
    parts: Sequence[Mapping[str, int]],
) -> Scores:
    """The reader who has learnt from other documents, with how much one such reader differs from another."""
    weights, spread = weigh(terms)
    if not parts:
        return Scores(weights, bias, (true,), spread)
    options = _options(parts, len(bias), lambda words: weigh(words)[0])
    unsure = _options(parts, len(bias), lambda words: weigh(words)[1])
    return Scores(weights, bias, (true,), np.hstack([spread, unsure]), options)


def _knows(found: Concepts, attribute: str, classes: Sequence[str]) -> bool:
    return attribute in found.attributes and not set(classes).isdisjoint(found.attributes[attribute].classes)


def _found_out(
    found: Concepts, attribute: str, classes: Sequence[str]
) -> tuple[Callable[[Sequence[str]], Reals], Reals]:
    """What a reader goes by who has learnt from redacted documents; classes they never met come last."""
    bayes = found.attributes[attribute]
    order = [bayes.classes.index(name) if name in bayes.classes else -1 for name in classes]
    missing = np.array(order) < 0

    def weigh(terms: Sequence[str]) -> Reals:
        weights = bayes.weights(found.columns(terms))[order]
        weights[missing] = weights[~missing].min(axis=0)
        return weights

    return weigh, np.where(missing, bayes.prior().min(), bayes.prior()[order])


def _notes(
    reading: Reading, attribute: str, confusers: int, keep: Mapping[str, tuple[int, ...]], redacted: bool
) -> Iterator[str]:
    """What a person should know that no plan can mend."""
    classes, asked = len(reading.bayes(attribute).classes), confusers + 1
    if classes < asked:
        yield f"the model knows {classes} classes of {attribute}, and {asked} are asked for"
    for name, true in keep.items():
        kin = sum(family in true for family in reading.model.families(attribute, name))
        if kin < asked:
            few = "1 class" if kin == 1 else f"{kin} classes"
            yield f"the {name} to keep goes with {few} of {attribute}: whoever tells it needs no more guesses"
        scores = reading.scores(name)
        rank = 1 + int(np.count_nonzero(scores > scores[list(true)].min()))
        if redacted and rank > len(true):
            yield f"the {name} to keep can no longer be told: it is at rank {rank} of {len(scores)}"
    unknown = int(np.count_nonzero(reading.columns < 0))
    if unknown and not redacted:
        yield f"the model has never met {unknown} of the {len(reading.terms)} words: look at them, names above all"


def _standings(reading: Reading, attribute: str, true: Sequence[int], most: int) -> list[Standing]:
    """The first classes of an attribute, and the true ones wherever they are."""
    scores, classes = reading.scores(attribute), reading.bayes(attribute).classes
    order = np.argsort(-scores, kind="stable")
    likelihood = np.exp(scores - scores.max())
    likelihood /= likelihood.sum()
    return [
        Standing(attribute, classes[number], rank, float(likelihood[number]), number in true)
        for rank, number in enumerate(order.tolist(), 1)
        if rank <= most or number in true
    ]


def _evidence(reading: Reading, attribute: str, true: int) -> tuple[Evidence, ...]:
    """The terms that speak for the true class, loudest first, and for which class each speaks most."""
    weights, bayes = reading.weights(attribute), reading.bayes(attribute)
    prior = np.exp(reading.prior(attribute))
    against = weights - prior @ weights
    told = against[true] * reading.counts
    order = [int(term) for term in np.argsort(-told, kind="stable")[:_EVIDENCE] if told[term] > 0]
    met = bayes.counts(reading.columns)
    return tuple(
        Evidence(
            reading.spans[term],
            float(told[term]),
            "speaks for the true class",
            {"in the class": int(met[true, term]), "in all": int(met[:, term].sum())},
            towards=bayes.classes[int(against[:, term].argmax())],
        )
        for term in order
    )
