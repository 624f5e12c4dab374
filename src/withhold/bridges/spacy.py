"""withhold as a component of spaCy pipelines: `nlp.add_pipe("withhold", config={"labels": ["PERSON"]})`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from withhold.bridges.plain import document, labels_of, policy_of
from withhold.detectors.foreign import need
from withhold.policy import Policy
from withhold.redactor import Redactor
from withhold.types import Finding

_spacy = need("spacy", "spacy")

_SETTINGS: dict[str, Any] = {"labels": [], "policy": None, "spans_key": "withhold", "overwrite": False}


class WithholdComponent:
    """Puts what withhold finds into `doc.ents` and, all of it and with scores, into `doc.spans`.

    Entities are whole tokens and do not overlap: of two findings the longer stays, and nothing below the policy's
    threshold counts. What an earlier component found stays as well, unless `overwrite` is set. The span group has
    every finding, doubtful ones included; `attrs` holds their scores, detectors and reasons in the same order.
    """

    def __init__(self, policy: Policy, spans_key: str = "withhold", overwrite: bool = False) -> None:
        self.policy, self.spans_key, self.overwrite = policy, spans_key, overwrite
        self._redactor = Redactor(policy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.policy, self.spans_key, self.overwrite)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(labels_of(self.policy))

    def __call__(self, doc: Any) -> Any:
        findings = self._redactor.detect(document(doc.text))
        pairs = [(found, _tokens(doc, found)) for found in findings]
        kept = [(found, span) for found, span in pairs if span is not None]
        doc.spans[self.spans_key] = _spacy.tokens.SpanGroup(
            doc,
            name=self.spans_key,
            spans=[span for _, span in kept],
            attrs={
                "scores": [found.score for found, _ in kept],
                "detectors": [found.detector for found, _ in kept],
                "reasons": [found.reason for found, _ in kept],
            },
        )
        sure = [(found, span) for found, span in kept if found.score >= self.policy.detection.threshold(found.label)]
        sure.sort(key=lambda pair: (-len(pair[0].span), -pair[0].score))
        doc.ents = self._merged([span for _, span in sure], doc.ents)
        return doc

    def _merged(self, ours: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
        """Entities that do not overlap; whose come first is `overwrite`'s to say."""
        first, second = (ours, theirs) if self.overwrite else (theirs, ours)
        first = _spacy.util.filter_spans(first)
        taken = {token for span in first for token in range(span.start, span.end)}
        free = [span for span in second if taken.isdisjoint(range(span.start, span.end))]
        return [*first, *_spacy.util.filter_spans(free)]


def _tokens(doc: Any, found: Finding) -> Any:
    """The tokens that a finding touches."""
    return doc.char_span(found.span.start, found.span.end, label=found.label, alignment_mode="expand")


@_spacy.language.Language.factory("withhold", default_config=_SETTINGS, assigns=["doc.ents", "doc.spans"])  # type: ignore[untyped-decorator]
def make(
    nlp: Any, name: str, labels: list[str], policy: str | None, spans_key: str, overwrite: bool
) -> WithholdComponent:
    """The component of a pipeline, from settings that spaCy saves with it; `policy` is a file, read anew each time."""
    return WithholdComponent(policy_of(labels, policy), spans_key, overwrite)
