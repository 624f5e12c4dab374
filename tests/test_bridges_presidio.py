"""Presidio on both sides: its recognisers as a detector, ours as one of its recognisers."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from withhold import Components, Detection, Find, Finding, PluginError, Policy, PolicyError, Redactor
from withhold.bridges.plain import document
from withhold.detectors.foreign import need
from withhold.detectors.presidio import PresidioDetector
from withhold.labels import LABELS, known_as

pytestmark = pytest.mark.slow
presidio = pytest.importorskip("presidio_analyzer") and need("presidio_analyzer", "presidio")

BADGE = r"\bBX-\d{4}\b"


def badges(**given: Any) -> Any:
    pattern = presidio.Pattern("badge", BADGE, given.pop("score", 0.6))
    return presidio.PatternRecognizer(supported_entity="BADGE", name="Badges", patterns=[pattern], **given)


def found(detector: PresidioDetector, text: str) -> list[tuple[str, str, float]]:
    return [(each.span.of(text), each.label, round(each.score, 2)) for each in detector.detect(document(text))]


def test_recognisers_are_a_detector() -> None:
    [finding] = PresidioDetector(badges()).detect(document("Badge BX-1234."))
    assert finding == Finding(finding.span, "BADGE", "presidio", 0.6, reason="Presidio's Badges")
    assert finding.span.of("Badge BX-1234.") == "BX-1234"


def test_labels_are_ours_where_we_have_one() -> None:
    recognisers = [presidio.predefined_recognizers.EmailRecognizer(), badges()]
    text = "ann@example.com, BX-1234"
    assert found(PresidioDetector(recognisers), text) == [("ann@example.com", "EMAIL", 1.0), ("BX-1234", "BADGE", 0.6)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((), {"EMAIL", "BADGE"}),
        (("EMAIL",), {"EMAIL", "BADGE"}),
        (("PERSON",), {"BADGE"}),
        (("CODE",), {"EMAIL", "BADGE"}),
    ],
)
def test_a_policy_chooses_among_our_labels(labels: tuple[str, ...], expected: set[str]) -> None:
    recognisers = [presidio.predefined_recognizers.EmailRecognizer(), badges()]
    detector = PresidioDetector(recognisers, detection=Detection(labels=labels))
    assert {each.label for each in detector.detect(document("ann@example.com, BX-1234"))} == expected


def test_words_around_count_without_a_model() -> None:
    detector = PresidioDetector(badges(score=0.2, context=["badge"]))
    assert found(detector, "his Badge BX-1234") == [("BX-1234", "BADGE", 0.55)]
    assert found(detector, "his phone BX-1234") == [("BX-1234", "BADGE", 0.2)]


def test_an_analyser_with_a_pipeline_of_its_own() -> None:
    spacy = need("spacy", "spacy")
    engine = presidio.nlp_engine.SpacyNlpEngine()
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Jane Doe"}])
    engine.nlp = {"en": pipeline}
    registry = presidio.RecognizerRegistry([presidio.predefined_recognizers.SpacyRecognizer(), badges()])
    analyzer = presidio.AnalyzerEngine(registry=registry, nlp_engine=engine, default_score_threshold=0.7)
    assert found(PresidioDetector(analyzer), "Jane Doe BX-1234") == [("Jane Doe", "PERSON", 0.85)]


def test_long_texts_are_read_to_the_end_in_time_that_grows_with_them() -> None:
    text = "Badge BX-1234 is lost, and nobody knows where. " * 5_000
    findings = PresidioDetector(badges(score=0.2, context=["badge"])).detect(document(text))
    assert [each.span.start for each in findings] == [6 + 47 * number for number in range(5_000)]
    assert {round(each.score, 2) for each in findings} == {0.55}


@pytest.mark.parametrize("length", [100, 1_900, 3_900])
def test_nothing_is_lost_or_doubled_where_windows_meet(length: int) -> None:
    pattern = presidio.Pattern("long", r"<<[a-z]+>>", 0.9)
    detector = PresidioDetector(presidio.PatternRecognizer(supported_entity="LONG", patterns=[pattern]))
    one = f"<<{'k' * length}>>"
    for shift in range(0, 24_000, 1_700):
        text = " " * shift + f"{one} " * (50_000 // length)
        assert [each.span.of(text) for each in detector.detect(document(text))] == [one] * (50_000 // length)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """It logs candidates and contexts, and with `log_decision_process` the whole text."""
    for name in ("presidio-analyzer", "decision_process"):
        caplog.set_level(logging.DEBUG, name)
    recognisers = [presidio.predefined_recognizers.IbanRecognizer(), badges(context=["badge"])]
    registry = presidio.RecognizerRegistry(recognisers)
    words = PresidioDetector(recognisers)._given.nlp_engine
    analyzer = presidio.AnalyzerEngine(registry=registry, nlp_engine=words, log_decision_process=True)
    text = "Jane's badge BX-1234, IBAN DE89 3704 0044 0532 0130 00."
    analyzer.analyze(text, "en")
    assert "bx-1234" in caplog.text
    caplog.clear()
    capfd.readouterr()
    assert len(found(PresidioDetector(analyzer), text)) == 2
    assert not caplog.records
    assert capfd.readouterr() == ("", "")
    analyzer.analyze(text, "en")
    assert "bx-1234" in caplog.text


def test_a_recogniser_that_runs_out_of_time_is_no_success(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Presidio itself writes a warning and goes on; nobody may be listening."""
    monkeypatch.setattr(presidio.pattern_recognizer, "REGEX_TIMEOUT_SECONDS", 0.05)
    caplog.set_level(logging.CRITICAL, "presidio-analyzer")
    slow = presidio.PatternRecognizer(supported_entity="SLOW", patterns=[presidio.Pattern("slow", "(?:a|aa)+$", 0.5)])
    with pytest.raises(PluginError, match="gave up: TimeoutError"):
        PresidioDetector(slow).detect(document("a" * 50 + "!"))


class Failing(presidio.LocalRecognizer):  # type: ignore[misc, name-defined]
    def load(self) -> None:
        pass

    def analyze(self, text: str, entities: Any, nlp_artifacts: Any) -> Any:
        raise ValueError(f"did not expect {text}")


def test_what_fails_does_not_quote_the_text() -> None:
    with pytest.raises(PluginError, match="failed: ValueError") as caught:
        PresidioDetector(Failing(["X"])).detect(document("Jane Doe"))
    assert "Jane" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_what_is_no_recogniser_is_refused() -> None:
    with pytest.raises(PluginError, match="needs an AnalyzerEngine or recognisers"):
        PresidioDetector(["EmailRecognizer"])  # type: ignore[list-item]
    with pytest.raises(PolicyError, match="language de"):
        PresidioDetector(badges(), "de")


def test_characters_that_cannot_be_written_are_no_trouble() -> None:
    assert found(PresidioDetector(badges()), "\ud83d BX-1234 \U0001f600\x00 BX-5678") == [
        ("BX-1234", "BADGE", 0.6),
        ("BX-5678", "BADGE", 0.6),
    ]


def test_a_missing_presidio_is_named_with_its_extra() -> None:
    script = """
    import sys
    sys.modules["presidio_analyzer"] = None
    import withhold
    from withhold.detectors.presidio import PresidioDetector
    for make in (PresidioDetector, lambda: __import__("withhold.bridges.presidio")):
        try:
            make()
        except withhold.PluginError as error:
            print(error)
    """
    assert alone(script) == "presidio_analyzer is not installed; pip install 'withhold[presidio]'\n" * 2


REGISTRY = """
supported_languages: [en, de]
recognizers:
  - name: Badges
    supported_languages: [{language: en, context: [badge]}, {language: de, context: [Ausweis]}]
    supported_entity: BADGE
    patterns: [{name: badge, regex: 'BX-\\d{4}', score: 0.2}]
  - name: Friends
    supported_entity: PERSON
    deny_list: [Jane Doe]
  - name: EmailRecognizer
    type: predefined
  - name: SpacyRecognizer
    type: predefined
    enabled: false
"""


def policy_of(tmp_path: Path, yaml: str, **given: Any) -> Policy:
    (tmp_path / "recognizers.yaml").write_text(textwrap.dedent(yaml), encoding="utf-8")
    detection = Detection(presidio="recognizers.yaml", **given)
    return Policy(detection=detection, components=Components(detectors=("presidio",)), folder=str(tmp_path))


def test_a_policy_names_a_file_of_recognisers(tmp_path: Path) -> None:
    policy = policy_of(tmp_path, REGISTRY)
    detector = PresidioDetector.from_policy(policy)
    text = "Jane Doe, badge BX-1234, ann@example.com. Ausweis BX-5678, BX-0000"
    assert found(detector, text) == [
        ("Jane Doe", "PERSON", 1.0),
        ("BX-1234", "BADGE", 0.55),
        ("ann@example.com", "EMAIL", 1.0),
        ("BX-5678", "BADGE", 0.55),
        ("BX-0000", "BADGE", 0.55),
    ]
    redaction = Redactor(policy).redact(b"Jane Doe, badge BX-1234.", name="a.txt")
    assert redaction.document.text == "[REDACTED], badge [REDACTED]."
    assert tmp_path / "recognizers.yaml" in policy.own_files()


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("recognizers: [{name: SpacyRecognizer, type: predefined}]", "SpacyRecognizer needs a model or a service"),
        ("recognizers: [{name: GLiNERRecognizer, type: predefined}]", "GLiNERRecognizer needs a model or a service"),
        ("recognizers: [{name: TransformersRecognizer, type: predefined}]", "needs a model or a service"),
        ("recognizers: [{name: AzureAILanguageRecognizer, type: predefined}]", "needs a model or a service"),
        ("recognizers: [{name: NoSuchRecognizer, type: predefined}]", "recognizers.yaml"),
        ("recognizers: [{name: X, supported_entity: X, patterns: [{name: a, regex: '(', score: 1}]}]", "cannot use"),
        ("recognizers: [{name: X, supported_entity: X}]", "cannot use"),
        ("recognizers: [EmailRecognizer]", "as a table"),
        ("recognizers: []", "recognizers.yaml"),
        ("recognizers: 3", "no list of recognizers"),
        ("supported_languages: [en]", "no list of recognizers"),
        ("[1, 2]", "not a YAML file"),
        ("a: [", "not a YAML file"),
        ("!!python/object/apply:os.system ['true']", "not a YAML file"),
        (
            "nlp_configuration: {nlp_engine_name: spacy, models: [{lang_code: en, model_name: en_core_web_xx}]}\n"
            "recognizer_registry: {recognizers: [{name: EmailRecognizer, type: predefined}]}",
            "en_core_web_xx is not installed",
        ),
        (
            "nlp_configuration: {nlp_engine_name: transformers, models: [{lang_code: en, model_name: x}]}\n"
            "recognizer_registry: {recognizers: [{name: EmailRecognizer, type: predefined}]}",
            "must name models of spaCy",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, yaml: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        Redactor(policy_of(tmp_path, yaml)).load()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"detection\.presidio: none\.yaml"):
        PresidioDetector.from_policy(Policy(detection=Detection(presidio="none.yaml"), folder=str(tmp_path)))
    (tmp_path / "p.toml").write_text('[detection]\npresidio = "none.yaml"\n')
    with pytest.raises(PolicyError, match=r"detection\.presidio: no such file: none\.yaml"):
        Policy.load(tmp_path / "p.toml")


ALONE = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise SystemExit(f"the network was asked: {event}")

sys.addaudithook(watch)
"""


def alone(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ALONE + textwrap.dedent(script)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_its_own_patterns_run_offline(tmp_path: Path) -> None:
    """Left to itself it fetches a list of domains at the first e-mail address, and a model before that."""
    script = f"""
    import os
    os.environ["TLDEXTRACT_CACHE"] = {str(tmp_path / "cache")!r}
    import withhold
    from withhold.policy import Components, Policy
    policy = Policy(components=Components(detectors=("presidio",)))
    text = b"Write to ann@example.com or call 212-555-0123; card 4111 1111 1111 1111."
    print(withhold.redact(text, policy, name="a.txt").document.text)
    """
    assert alone(script) == "Write to [REDACTED] or call 212-555-0123; card [REDACTED].\n"


# withhold as a recogniser


def analyzer_with(*recognisers: Any) -> Any:
    words = PresidioDetector(badges())._given.nlp_engine
    return presidio.AnalyzerEngine(registry=presidio.RecognizerRegistry(list(recognisers)), nlp_engine=words)


def recogniser(*arguments: Any, **given: Any) -> Any:
    from withhold.bridges.presidio import WithholdRecognizer

    return WithholdRecognizer(*arguments, **given)


CLIENTS = Policy(
    find=(
        Find(label="PERSON", terms=("Jane Doe",)),
        Find(label="ORG", terms=("Brackwater",)),
        Find(label="PHONE", terms=("555-0100",)),
    ),
    detection=Detection(consistent=False),
    components=Components(detectors=("lists",)),
)


def test_an_analyser_finds_what_we_find() -> None:
    text = "Jane Doe of Brackwater: 555-0100; all Brackwaters."
    results = analyzer_with(recogniser(policy=CLIENTS), badges()).analyze(text, "en")
    assert sorted((each.entity_type, text[each.start : each.end], each.score) for each in results) == [
        ("ORGANIZATION", "Brackwater", 1.0),
        ("PERSON", "Jane Doe", 1.0),
        ("PHONE_NUMBER", "555-0100", 1.0),
    ]
    doubtful = analyzer_with(recogniser(policy=CLIENTS)).analyze(text, "en", score_threshold=0.1)
    assert len([each for each in doubtful if each.score == 0.4]) == 1
    people = analyzer_with(recogniser(policy=CLIENTS), badges()).analyze(text, "en", entities=["PERSON", "BADGE"])
    assert [each.entity_type for each in people] == ["PERSON"]


def test_results_say_why_and_whose_they_are() -> None:
    [result] = analyzer_with(recogniser(policy=CLIENTS)).analyze("Jane Doe", "en", return_decision_process=True)
    assert result.analysis_explanation.textual_explanation == "term 1 of the list"
    assert result.recognition_metadata["recognizer_name"] == "WithholdRecognizer"


def test_labels_are_chosen_by_name() -> None:
    ours = recogniser(["EMAIL", "DATETIME"])
    assert ours.supported_entities == ["DATE_TIME", "DURATION", "EMAIL_ADDRESS"]
    assert {"PERSON", "US_SSN", "CREDIT_CARD"} <= set(recogniser().supported_entities)
    with pytest.raises(PolicyError, match="is no label"):
        recogniser(["EMAILS"])
    with pytest.raises(PolicyError, match="not both"):
        recogniser(["EMAIL"], policy=CLIENTS)


def test_a_policy_file_and_its_thresholds(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        '[[find]]\nlabel = "ORG"\nterms = ["Brackwater"]\n[detection]\nthresholds = {ORG = 0.3}\nconsistent = false\n'
        '[components]\ndetectors = ["lists"]\n'
    )
    results = analyzer_with(recogniser(policy=tmp_path / "p.toml")).analyze("Brackwaters", "en")
    assert [(each.entity_type, each.score) for each in results] == [("ORGANIZATION", 0.4)]


def test_their_names_lead_back_to_ours() -> None:
    from withhold.bridges.presidio import ENTITIES

    assert set(ENTITIES) <= set(LABELS)
    for label in LABELS:
        assert known_as(ENTITIES.get(label, label)) == ("DATETIME" if label in ("DATE", "TIME") else label)


def test_offsets_are_those_of_the_text_that_was_given() -> None:
    text = "\ufeffA\r\nJ\u0061ne\u00a0Doe\r\n\U0001f600 Jane Doe"
    results = analyzer_with(recogniser(policy=CLIENTS)).analyze(text, "en")
    assert sorted(text[each.start : each.end] for each in results) == ["Jane Doe", "Jane\u00a0Doe"]
