"""withhold as a recogniser of Presidio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from withhold.bridges.plain import document, labels_of, policy_of
from withhold.detectors.foreign import need
from withhold.policy import Policy
from withhold.redactor import Redactor

_presidio = need("presidio_analyzer", "presidio")

ENTITIES: Mapping[str, str] = {
    "ORG": "ORGANIZATION",
    "LOC": "LOCATION",
    "CODE": "ID",
    "EMAIL": "EMAIL_ADDRESS",
    "PHONE": "PHONE_NUMBER",
    "IP": "IP_ADDRESS",
    "CARD": "CREDIT_CARD",
    "IBAN": "IBAN_CODE",
    "WALLET": "CRYPTO",
    "SSN": "US_SSN",
    "ITIN": "US_ITIN",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
    "DATETIME": "DATE_TIME",
    "DEM": "NRP",
}
"""What Presidio calls our labels, where it has a name for just that; all others keep their own."""


class WithholdRecognizer(_presidio.EntityRecognizer):  # type: ignore[misc, name-defined]
    """Everything that withhold finds, for an AnalyzerEngine of Presidio.

    Scores are carried over, and so are the policy's thresholds: an analyser that is not given a threshold leaves out
    what withhold would not act upon.

        registry.add_recognizer(WithholdRecognizer(["PERSON", "EMAIL"]))
        registry.add_recognizer(WithholdRecognizer(policy="clients.toml"))
    """

    def __init__(
        self,
        labels: Sequence[str] = (),
        policy: Policy | str | Path | None = None,
        supported_language: str = "en",
        name: str = "WithholdRecognizer",
        context: list[str] | None = None,
    ) -> None:
        self.policy = policy_of(labels, policy)
        self._redactor = Redactor(self.policy)
        known = labels_of(self.policy)
        super().__init__(
            supported_entities=sorted({ENTITIES.get(label, label) for label in known}),
            supported_language=supported_language,
            name=name,
            context=context,
        )
        least: dict[str, float] = {}
        for label in known:
            entity, threshold = ENTITIES.get(label, label), self.policy.detection.threshold(label)
            least[entity] = min(threshold, least.get(entity, threshold))
        self.score_thresholds = {"default": 0.5, **least}

    def load(self) -> None:
        """Nothing is left to load."""

    def analyze(self, text: str, entities: Sequence[str] | None, nlp_artifacts: Any = None) -> list[Any]:
        """What withhold finds, by Presidio's names. Labels that the policy did not announce are given as well."""
        results = []
        for found in self._redactor.detect(document(text)):
            entity = ENTITIES.get(found.label, found.label)
            if entities and entity not in entities and entity in self.supported_entities:
                continue
            why = _presidio.AnalysisExplanation(
                recognizer=self.name, original_score=found.score, textual_explanation=found.reason
            )
            origin = {"recognizer_name": self.name, "recognizer_identifier": self.id}
            results.append(
                _presidio.RecognizerResult(entity, found.span.start, found.span.end, found.score, why, origin)
            )
        return results
