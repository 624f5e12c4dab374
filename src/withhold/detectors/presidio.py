"""Presidio's recognisers as a detector: nothing is fetched, nothing is logged, no failure is passed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from withhold.detectors.foreign import Claims, belongs, need, windows, writable
from withhold.errors import PluginError, PolicyError
from withhold.policy import Detection, Policy
from withhold.types import Document, Finding

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer

_WINDOW, _OVERLAP = 24_000, 4_000
"""In characters. Presidio looks for the words around each result from the start of the text on: in one long piece the
time grows with the square of its length. The overlap is more than a private key takes.
"""
_WARNING = 30
_ONE_AT_A_TIME = RLock()
"""What Presidio logs and fetches is set for the whole process."""


class PresidioDetector:
    """Finds what an analyser of Presidio, or some of its recognisers, find; its own patterns for English, if none is
    given.

    Recognisers alone run without a model: words in their context lists are found as they are written, not by their
    lemmas. Scores are Presidio's own, labels ours where we have one for the same thing.

        PresidioDetector([PatternRecognizer(supported_entity="BADGE", patterns=[...])])
        PresidioDetector(AnalyzerEngine(...), language="de")
    """

    def __init__(
        self,
        source: AnalyzerEngine | EntityRecognizer | Sequence[EntityRecognizer] | None = None,
        language: str | Sequence[str] = "en",
        detection: Detection | None = None,
    ) -> None:
        self.languages = (language,) if isinstance(language, str) else tuple(language)
        self.detection = detection or Detection()
        self._given: Any = None
        if source is None and find_spec("presidio_analyzer"):
            return  # importing Presidio takes seconds, so its own patterns wait for the first document
        need("presidio_analyzer", "presidio")
        with _silence():
            self._given = source if hasattr(source, "registry") else _analyzer(source, self.languages)
        _check_languages(self._given, self.languages)

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        """With the recognisers of the file that `detection.presidio` names, or with Presidio's own patterns.

        Raises:
            PolicyError: if the file is not what it should be, or asks for what only a network or a model can do.
            PluginError: if Presidio is not installed.
        """
        name = policy.detection.presidio
        if name is None:
            return cls(detection=policy.detection)
        need("presidio_analyzer", "presidio")
        path = policy.resolve(name)
        try:
            analyzer, languages = _from_file(path, path.stat().st_mtime_ns)
        except OSError:
            raise PolicyError(f"detection.presidio: {name} cannot be read") from None
        return cls(analyzer, languages, policy.detection)

    def detect(self, document: Document) -> list[Finding]:
        text = writable(document.text)
        claims = Claims("presidio", text)
        for window in windows(len(text), _WINDOW, _OVERLAP):
            for language in self.languages:
                for result in self._analyse(window.of(text), language):
                    start, end = result.start + window.start, result.end + window.start
                    if belongs(start, end, window, _OVERLAP, len(text)):
                        reason = f"Presidio's {result.recognition_metadata['recognizer_name']}"
                        claims.add(start, end, result.entity_type, result.score, reason)
        return claims.findings(self.detection)

    def _analyse(self, text: str, language: str) -> list[Any]:
        if not text.strip():
            return []
        analyzer = self._given or _own_patterns()
        with _silence() as failures:
            try:
                results: list[Any] = analyzer.analyze(text=text, language=language)
            except Exception as error:
                # What other people's errors say can quote the text.
                raise PluginError(f"a recogniser of Presidio failed: {type(error).__name__}") from None
        if failures:
            raise PluginError(f"a recogniser of Presidio gave up: {failures[0]}; what it would have found is not known")
        return results


@contextmanager
def _silence() -> Iterator[list[str]]:
    """Inside, Presidio writes no log, whatever it is set to, and fetches no list of domains.

    It logs what it finds, and where a recogniser runs out of time or fails it says so in the log only: gives what
    kinds of errors it passed over.
    """
    from presidio_analyzer import app_tracer, entity_recognizer
    from tldextract.tldextract import TLD_EXTRACTOR

    failures: list[str] = []

    def notice(record: Any) -> None:
        if record.levelno >= _WARNING and record.exc_info and record.exc_info[0]:
            failures.append(record.exc_info[0].__name__)

    loggers = [vars(entity_recognizer.logger), vars(app_tracer.AppTracer().logger)]
    with _ONE_AT_A_TIME:
        urls, TLD_EXTRACTOR.suffix_list_urls = TLD_EXTRACTOR.suffix_list_urls, ()
        before = [dict(logger) for logger in loggers]
        for logger in loggers:
            logger.update(isEnabledFor=lambda level: level >= _WARNING, handle=notice)
        try:
            yield failures
        finally:
            for logger, names in zip(loggers, before, strict=True):
                for name in ("isEnabledFor", "handle"):
                    logger.pop(name)
                    logger.update({name: names[name]} if name in names else {})
            TLD_EXTRACTOR.suffix_list_urls = urls


def _analyzer(source: Any, languages: Sequence[str], registry: Any = None, words: Any = None, least: float = 0) -> Any:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry

    if registry is None:
        recognisers = [source] if isinstance(source, EntityRecognizer) else list(source)
        if not recognisers or not all(isinstance(each, EntityRecognizer) for each in recognisers):
            raise PluginError("the detector `presidio` needs an AnalyzerEngine or recognisers of Presidio")
        registry = RecognizerRegistry(recognisers, supported_languages=list(languages))
    registry.supported_languages = list(languages)
    return AnalyzerEngine(
        registry=registry,
        nlp_engine=words or _plain_words(languages),
        supported_languages=list(languages),
        default_score_threshold=least,
    )


def _plain_words(languages: Sequence[str]) -> Any:
    """What Presidio asks a model for, without a model: the words of a text, each its own lemma."""
    import spacy
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class PlainWords(SpacyNlpEngine):  # type: ignore[misc]
        def load(self) -> None:
            self.nlp = {language: spacy.blank(language) for language in languages}

        def process_text(self, text: str, language: str) -> Any:
            words = self.nlp[language](text)
            for word in words:
                word.lemma_ = word.lower_
            return self._doc_to_nlp_artifact(words, language)

    return PlainWords()


def _check_languages(analyzer: Any, languages: Sequence[str]) -> None:
    for language in languages:
        if not any(each.supported_language == language for each in analyzer.registry.recognizers):
            raise PolicyError(f"no recogniser of Presidio is for the language {language}")


@lru_cache(maxsize=1)
def _own_patterns() -> Any:
    from presidio_analyzer import RecognizerRegistry

    with _silence():
        registry = RecognizerRegistry(supported_languages=["en"])
        registry.load_predefined_recognizers(languages=["en"])
        registry.recognizers = [each for each in registry.recognizers if _runs_alone(type(each))]
        return _analyzer(None, ("en",), registry)


@lru_cache(maxsize=4)
def _from_file(path: Path, changed: int) -> tuple[Any, tuple[str, ...]]:
    """The analyser that a file describes, and its languages; `changed` is when the file was."""
    from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider

    said = _yaml(path)
    described = said.get("recognizer_registry", said)
    if not isinstance(described, dict) or not isinstance(described.get("recognizers"), list):
        raise PolicyError(f"detection.presidio: {path.name} has no list of recognizers")
    languages = tuple(said.get("supported_languages") or described.get("supported_languages") or ["en"])
    words = _model(said.get("nlp_configuration"), path)
    with _silence():
        try:
            provider = RecognizerRegistryProvider(
                registry_configuration={**described, "supported_languages": list(languages)}
            )
            _refuse_remote(provider.configuration["recognizers"], path, has_model=words is not None)
            registry = provider.create_recognizer_registry()
            least = float(said.get("default_score_threshold", 0))
            return _analyzer(None, languages, registry, words, least), languages
        except PolicyError:
            raise
        except Exception as error:
            raise PolicyError(f"detection.presidio: Presidio cannot use {path.name}: {_first_line(error)}") from None


def _yaml(path: Path) -> dict[str, Any]:
    import yaml

    try:
        said = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise PolicyError(f"detection.presidio: {path.name} is not a YAML file of Presidio")
    return said


def _first_line(error: Exception) -> str:
    """What an error says of the file; it is the policy's, not a document."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _runs_alone(kind: Any) -> bool:
    """Whether a class of recognisers needs neither a model nor a service."""
    from presidio_analyzer import PatternRecognizer
    from presidio_analyzer.predefined_recognizers import PhoneRecognizer

    return issubclass(kind, (PatternRecognizer, PhoneRecognizer))


def _refuse_remote(recognisers: Sequence[Any], path: Path, *, has_model: bool) -> None:
    """Refuse, before any is made, what would fetch a model or send the text away."""
    from presidio_analyzer import predefined_recognizers

    for each in recognisers:
        if not isinstance(each, dict):
            raise PolicyError(f"detection.presidio: {path.name}: write each recogniser as a table with its name")
        if each.get("type") != "predefined" or not each.get("enabled", True):
            continue
        name = each.get("class_name") or each["name"]
        kind = getattr(predefined_recognizers, name, None)
        if kind is None:
            raise PolicyError(f"detection.presidio: {path.name}: Presidio has no {name}")
        if not _runs_alone(kind) and not (has_model and name == "SpacyRecognizer"):
            raise PolicyError(
                f"detection.presidio: {path.name}: {name} needs a model or a service, and nothing is fetched or sent; "
                "set `enabled: false`, name an installed spaCy model in nlp_configuration, or make the detector in "
                "Python with an AnalyzerEngine of your own"
            )


def _model(described: Any, path: Path) -> Any:
    """The spaCy models that a file of Presidio names, if they are installed; None if it names none."""
    import spacy

    if described is None:
        return None
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    names = [each.get("model_name") for each in described.get("models", [])] if isinstance(described, dict) else []
    if not names or described.get("nlp_engine_name") != "spacy":
        raise PolicyError(f"detection.presidio: {path.name}: nlp_configuration must name models of spaCy")
    for name in names:
        if not spacy.util.is_package(str(name)):
            raise PolicyError(
                f"detection.presidio: {path.name}: the spaCy model {name} is not installed, and nothing is fetched"
            )
    with _silence():
        return NlpEngineProvider(nlp_configuration=described).create_engine()
