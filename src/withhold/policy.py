"""The policy: one TOML file that says what to hide, how, and with which components."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, Self

from withhold.codec import Value, decode, unknown_key
from withhold.errors import MalformedData, PolicyError
from withhold.files import is_file, is_folder
from withhold.labels import KINDS, LABELS, chosen, kind
from withhold.types import Handling, Secret


@dataclass(frozen=True, slots=True)
class Find(Value):
    """Words and patterns to find. A policy may have several `[[find]]` tables."""

    label: str = field(default="TERM", metadata={"doc": "What to call what is found."})
    terms: tuple[str, ...] = field(
        default=(),
        repr=False,
        metadata={
            "doc": "Words and phrases. Case, accents, look-alike letters, invisible characters and the white "
            "space between words do not matter; a term matches whole words only."
        },
    )
    patterns: tuple[str, ...] = field(
        default=(), repr=False, metadata={"doc": "Regular expressions in Python's syntax."}
    )
    lists: tuple[str, ...] = field(
        default=(),
        metadata={"doc": "Files of terms, one a line; relative to the policy's folder."},
    )
    anywhere: bool = field(default=False, metadata={"doc": "Let terms match inside longer words too."})
    replacement: str | None = field(
        default=None,
        repr=False,
        metadata={"doc": "The text to put in place, with the operator `replace`."},
    )

    def __post_init__(self) -> None:
        if any(isinstance(given, str) for given in (self.terms, self.patterns, self.lists)):
            raise ValueError("terms, patterns and lists are tuples of texts, not a text")
        if not (self.terms or self.patterns or self.lists):
            raise ValueError("needs terms, patterns or lists")
        for number, pattern in enumerate(self.patterns):
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"patterns[{number}] is not a regular expression: {error}") from None


@cache
def _wanted(names: tuple[str, ...]) -> frozenset[str]:
    """Worked out once: every detector asks, for every document."""
    return chosen(names)


@dataclass(frozen=True, slots=True)
class Detection(Value):
    """What to find that the policy does not list word by word: names, numbers, dates, places."""

    labels: tuple[str, ...] = field(
        default=(),
        metadata={
            "doc": "Labels such as `PERSON` and `EMAIL`, kinds such as `CODE` and `DATETIME`, or `direct`, `quasi`, "
            "`all`. Nothing but lists and secrets is looked for if none is given."
        },
    )
    thresholds: Mapping[str, float] = field(
        default_factory=dict,
        metadata={
            "doc": "How sure to be before something is removed, by label or kind: `thresholds = { ORG = 0.7 }`. 0.5 if "
            "not given; the lower, the more is removed. What is less sure is told, and left for a person."
        },
    )
    allow: tuple[str, ...] = field(
        default=(),
        repr=False,
        metadata={"doc": "Words and phrases that are never found by themselves, such as the name of your own office."},
    )
    allow_lists: tuple[str, ...] = field(
        default=(), metadata={"doc": "Files of such words, one a line; relative to the policy's folder."}
    )
    country: str = field(
        default="US",
        metadata={
            "doc": "Where a telephone number without a country code is taken to be from (ISO 3166, two letters)."
        },
    )
    consistent: bool = field(
        default=True,
        metadata={"doc": "Find every mention of an entity that was found once: surname, initials, misspellings."},
    )
    fitted: str | None = field(
        default=None,
        metadata={"doc": "The folder of a detector of your own (`withhold fit detector`), relative to the policy's."},
    )
    network: str | None = field(
        default=None,
        metadata={
            "doc": "For the detector `network`: the folder of a token classifier or of a GLiNER model, relative to the "
            "policy's. Nothing is ever fetched."
        },
    )
    presidio: str | None = field(
        default=None,
        metadata={
            "doc": "For the detector `presidio`: a YAML file of Presidio recognisers, relative to the policy's folder. "
            "Presidio's own patterns for English, if not given."
        },
    )

    def __post_init__(self) -> None:
        if any(isinstance(given, str) for given in (self.labels, self.allow, self.allow_lists)):
            raise ValueError("labels, allow and allow_lists are tuples of texts, not a text")
        chosen(self.labels)
        for label, threshold in self.thresholds.items():
            if not 0 <= threshold <= 1:
                raise ValueError(f"thresholds: {label} must be from 0 to 1")

    @property
    def wanted(self) -> frozenset[str]:
        """The labels to look for."""
        return _wanted(self.labels)

    def threshold(self, label: str) -> float:
        """The score from which a finding is acted upon."""
        return self.thresholds.get(label, self.thresholds.get(kind(label), 0.5))


@dataclass(frozen=True, slots=True)
class Operators(Value):
    """What is put in place of what goes."""

    default: str = field(
        default="suppress",
        metadata={"doc": "`suppress`, `mask`, `replace` or `pseudonymise`; plugins may add more."},
    )
    labels: Mapping[str, str] = field(
        default_factory=dict,
        metadata={"doc": 'Another operator for one label: `labels = { PERSON = "mask" }`.'},
    )
    mark: str = field(
        default="[REDACTED]",
        metadata={"doc": "What `suppress` writes, whatever the length of what it hides."},
    )
    key: str | None = field(
        default=None,
        metadata={
            "doc": "The key file of `pseudonymise` (make one with `withhold key`), relative to the policy's "
            "folder. With it pseudonyms are the same in every document of a batch and can be revealed."
        },
    )

    def __post_init__(self) -> None:
        if not self.mark.strip():
            raise ValueError("mark must not be empty")

    def choose(self, label: str) -> str:
        return self.labels.get(label, self.default)


@dataclass(frozen=True, slots=True)
class Keep(Value):
    """What a reader should still be able to tell."""

    attributes: tuple[str, ...] = field(
        default=(), metadata={"doc": "Attributes of the fitted model, such as `industry`. All it knows, if not given."}
    )
    values: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict,
        repr=False,
        metadata={
            "doc": 'The classes to keep, by attribute: `values = { industry = ["Retail"] }`. If they are not given, '
            "those the model takes each document for."
        },
    )


@dataclass(frozen=True, slots=True)
class Planning(Value):
    """How the edits that stop an inference are chosen."""

    aim: Literal["release", "paper", "textbook"] = field(
        default="release",
        metadata={
            "doc": "`release` plans against readers with other models than ours: all words, margins, more confusers "
            "than k asks for, of several plans the one that leaves most. `paper` removes the least that hides the "
            "class from our own model, with the class just behind its confusers. `textbook` is K-REDACTOR as "
            "published, for comparison."
        },
    )
    objective: Literal["balanced", "log_odds", "odds_ratio", "frequency", "information", "constant"] = field(
        default="balanced",
        metadata={
            "doc": "What a word is worth. `constant`: all the same. `log_odds`: how well it tells the kept class from "
            "the others (OVALogOdds). `odds_ratio`, `frequency` (FreqLogP) and `information` (InfoGain) are the "
            "alternatives the paper compares. `balanced`: mostly constant, with a share of log_odds."
        },
    )
    priors: bool = field(
        default=True, metadata={"doc": "Let a class that is frequent to begin with count as likelier."}
    )
    seed: int = field(default=0, metadata={"doc": "Where the chance in plans for a `release` starts from."})
    generalise: bool = field(
        default=False, metadata={"doc": "Put more general words in place of telling ones where that is enough."}
    )
    taxonomy: str | None = field(
        default=None,
        metadata={"doc": "A CSV file of your own: a word, a more general one, a still more general one ..."},
    )


@dataclass(frozen=True, slots=True)
class Background(Value):
    """What a reader knows already: the documents that risks are measured against."""

    kind: str = field(
        default="index",
        metadata={
            "doc": "`index` for documents of your own, on this machine. `searxng`, `brave` and `opensearch` ask a "
            "search engine, which then sees the words of your documents that it is asked about."
        },
    )
    index: str | None = field(
        default=None,
        metadata={"doc": "The folder that `withhold corpus build` made, relative to the policy's folder."},
    )
    leave_out_copies: bool = field(
        default=True,
        metadata={
            "doc": "Leave out documents that hold much of the document at work word for word: they are the document."
        },
    )
    url: str | None = field(default=None, metadata={"doc": "Where the search engine is. Nothing is sent without it."})
    key: str | None = field(
        default=None, metadata={"doc": "A file with the key of the search engine, relative to the policy's folder."}
    )
    collection: str | None = field(
        default=None, metadata={"doc": "For `opensearch`: the name of its index, and after a colon the field."}
    )
    budget: int = field(default=1000, metadata={"doc": "How many queries may be sent for one document."})
    per_second: float = field(default=1.0, metadata={"doc": "How many queries may be sent in a second."})
    decoys: int = field(
        default=0, metadata={"doc": "How many queries about something else are sent with every true one."}
    )
    cache: str | None = field(
        default=None,
        metadata={"doc": "A folder to keep answers in, relative to the policy's; they tell what was asked."},
    )

    def __post_init__(self) -> None:
        if self.budget < 0 or self.decoys < 0 or self.per_second <= 0:
            raise ValueError("budget and decoys must be 0 or more, and per_second more than 0")


@dataclass(frozen=True, slots=True)
class Inference(Value):
    """How inferences are looked for in what a reader knows."""

    keywords: int = field(default=100, metadata={"doc": "So many terms of a document are looked at, the best first."})
    size: int = field(default=2, metadata={"doc": "Terms are looked at in sets of up to so many."})
    depth: int = field(default=5, metadata={"doc": "For `information`: how many documents of an answer are read."})
    match: Literal["all", "any"] = field(
        default="all", metadata={"doc": "For `information`: documents must hold all terms of a query, or any."}
    )
    ranking: Literal["expected", "information", "tfidf", "frequency"] = field(
        default="expected",
        metadata={
            "doc": "Which terms are the best: by how many inferences are to be `expected` of them; by their mutual "
            "`information` with the secret, as published; by `tfidf`; by their `frequency` in the document."
        },
    )
    triples: int = field(default=1000, metadata={"doc": "How many sets of three terms or more are looked at, at most."})
    linking: bool = field(
        default=True, metadata={"doc": "Take terms that stand together for one where that tells more."}
    )

    def __post_init__(self) -> None:
        if min(self.keywords, self.size, self.depth) < 1 or self.triples < 0:
            raise ValueError("keywords, size and depth must be 1 or more, and triples 0 or more")


@dataclass(frozen=True, slots=True)
class Publishing(Value):
    """How `withhold publish` and `withhold fit detector --greedy` weigh what is left against what is lost."""

    loss: float = field(default=10.0, metadata={"doc": "What a sensitive word costs that is published (L)."})
    worth: float = field(default=1.0, metadata={"doc": "What a harmless word is worth that is published (C)."})
    rule: Literal["cost", "paper"] = field(
        default="cost",
        metadata={
            "doc": "`cost`: judged by documents that were not learnt from, with the thresholds that cost least. "
            "`paper`: GreedySanitize as published, which judges itself by what it has learnt."
        },
    )
    learners: tuple[Literal["crf", "svm", "adaboost", "cascade"], ...] = field(
        default=("svm",), metadata={"doc": "Each iteration takes the one of these that gains most."}
    )
    labels: tuple[str, ...] = field(
        default=(), metadata={"doc": "The labels of what is sensitive, as the documents have them; all, if not given."}
    )

    def __post_init__(self) -> None:
        if not (0 < self.loss < 1e9 and 0 < self.worth < 1e9) or not self.learners:
            raise ValueError("loss and worth must be above 0, and there must be a learner")


@dataclass(frozen=True, slots=True)
class Gate(Value):
    """What a redaction has to withstand before it is handed over."""

    rounds: int = field(
        default=5,
        metadata={
            "doc": "So often a redaction that an attack wins against is planned anew, more strictly. With 0 attacks "
            "are tried and told, and nothing is done about them."
        },
    )

    budget: float = field(
        default=0.01,
        metadata={
            "doc": "The share of the words that the attack `inspector` has time to look at; never fewer than 10."
        },
    )
    candidates: str | None = field(
        default=None,
        metadata={
            "doc": "A file of names, one a line, that the attack `layout` tries to fit into the room of what is gone; "
            "relative to the policy's folder. Common names, if not given."
        },
    )

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise ValueError("rounds must be 0 or more")
        if not 0 <= self.budget <= 1:
            raise ValueError("budget is a share of the words, from 0 to 1")


@dataclass(frozen=True, slots=True)
class LanguageModel(Value):
    """A language model that the attack `language_model` asks for guesses. It is sent redacted text, and nothing is sent
    unless `url` is given.
    """

    url: str | None = field(
        default=None,
        metadata={
            "doc": "Where a service that speaks the protocol of OpenAI's chat completions is, such as "
            "`http://localhost:8080/v1`. It sees the text of every redacted document, and not what was removed."
        },
    )
    model: str = field(default="default", metadata={"doc": "What the service calls the model."})
    key: str | None = field(
        default=None, metadata={"doc": "A file with the key of the service, relative to the policy's folder."}
    )
    guesses: int = field(default=5, metadata={"doc": "How many guesses it has where a secret's `k` does not say."})
    budget: int = field(default=20, metadata={"doc": "How many requests one attack on a document may send."})
    timeout: float = field(default=60.0, metadata={"doc": "How many seconds an answer may take."})
    characters: int = field(default=40_000, metadata={"doc": "Of a longer document only the beginning is sent."})

    def __post_init__(self) -> None:
        if min(self.guesses, self.characters) < 1 or self.budget < 0 or self.timeout <= 0:
            raise ValueError("guesses and characters must be 1 or more, budget 0 or more, and timeout more than 0")


@dataclass(frozen=True, slots=True)
class Components(Value):
    """Which components do the work, by the names `withhold plugins` lists."""

    detectors: tuple[str, ...] = field(
        default=("lists", "mentions", "patterns", "tagger", "fitted"), metadata={"doc": "All of them are asked."}
    )
    planner: str = field(
        default="linear",
        metadata={
            "doc": "Chooses the edits: `linear` (K-REDACTOR), `greedy` (SIMPLEREDACTOR), or `direct`, which removes "
            "what was found and nothing else."
        },
    )
    taxonomies: tuple[str, ...] = field(
        default=("own", "dates", "numbers", "places", "kinds", "works", "phrases", "hypernyms"),
        metadata={"doc": "Where more general words come from; the first that knows a word is taken."},
    )
    attacks: tuple[str, ...] = field(
        default=("concept", "linkage", "hidden", "inspector", "layout", "language_model"),
        metadata={"doc": "Tried by `withhold redact`, `withhold attack` and for every audit."},
    )
    trusted: tuple[str, ...] | None = field(
        default=None,
        metadata={"doc": "Distributions whose components may be loaded, such as `withhold`. All, if not given."},
    )


@dataclass(frozen=True, slots=True)
class Policy(Value):
    """What to hide, how, and with which components. Immutable; unknown keys are refused."""

    find: tuple[Find, ...] = ()
    detection: Detection = field(default_factory=Detection)
    secret: tuple[Secret, ...] = ()
    keep: Keep = field(default_factory=Keep)
    planning: Planning = field(default_factory=Planning)
    corpus: Background = field(default_factory=Background)
    inference: Inference = field(default_factory=Inference)
    publishing: Publishing = field(default_factory=Publishing)
    operators: Operators = field(default_factory=Operators)
    gate: Gate = field(default_factory=Gate)
    language_model: LanguageModel = field(default_factory=LanguageModel)
    files: Handling = field(default_factory=Handling)
    components: Components = field(default_factory=Components)
    folder: str = field(default=".", repr=False, metadata={"doc": "Where relative paths start."})
    file: str | None = field(default=None, repr=False, metadata={"doc": "Its name in that folder, if it is in a file."})

    def __post_init__(self) -> None:
        if isinstance(self.find, Find) or isinstance(self.secret, Secret):
            raise PolicyError("find and secret are tuples: write find=(Find(...),)")
        if len({secret.name for secret in self.secret}) < len(self.secret):
            raise PolicyError("two secrets have the same name: give each a name of its own, for reports to call it by")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read and check a policy file.

        Raises:
            PolicyError: naming the file, the place in it and what would be right.
        """
        import tomllib

        path = Path(path)
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise PolicyError(f"{path}: {error.strerror or 'cannot be read'}") from None
        except UnicodeDecodeError:
            raise PolicyError(f"{path}: not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise PolicyError(f"{path}: not TOML: {error}") from None
        except RecursionError:
            raise PolicyError(f"{path}: nests too deeply") from None
        for key in data:
            if key not in TABLES:
                raise PolicyError(f"{path}: {unknown_key(key, TABLES)}")
        if isinstance(data.get("secret"), dict):  # one secret needs no list
            data["secret"] = [data["secret"]]
        try:
            policy: Self = decode(cls, {**data, "folder": str(path.parent), "file": path.name})
        except MalformedData as error:
            raise PolicyError(f"{path}: {error}") from None
        policy.check()
        return policy

    def check(self) -> None:
        """Refuse what can only go wrong later: lists and keys that are not there."""
        for find in self.find:
            if self.operators.choose(find.label) == "replace" and find.replacement is None:
                raise PolicyError(f"find: the label {find.label} is to be replaced, but has no replacement")
            for name in find.lists:
                if not is_file(self.resolve(name)):
                    raise PolicyError(f"find.lists: no such file: {name}")
        for name in self.detection.allow_lists:
            if not is_file(self.resolve(name)):
                raise PolicyError(f"detection.allow_lists: no such file: {name}")
        self._check_thresholds()
        if self.detection.fitted and not is_folder(self.resolve(self.detection.fitted)):
            raise PolicyError(
                f"detection.fitted: no such folder: {self.detection.fitted}; `withhold fit detector` makes one"
            )
        if self.detection.network and not is_folder(self.resolve(self.detection.network)):
            raise PolicyError(f"detection.network: no such folder: {self.detection.network}")
        if self.detection.presidio and not is_file(self.resolve(self.detection.presidio)):
            raise PolicyError(f"detection.presidio: no such file: {self.detection.presidio}")
        for secret in self.secret:
            if secret.model in ("association", "information") and not (secret.value or "").strip():
                raise PolicyError(f"secret {secret.name!r} needs a value: what must not be inferred")
            if secret.fitted and not is_folder(self.resolve(secret.fitted)):
                raise PolicyError(f"secret.fitted: no such folder: {secret.fitted}; `withhold fit concepts` makes one")
        if self.corpus.index and not is_folder(self.resolve(self.corpus.index)):
            raise PolicyError(f"corpus.index: no such folder: {self.corpus.index}; `withhold corpus build` makes one")
        if self.corpus.key and not is_file(self.resolve(self.corpus.key)):
            raise PolicyError(f"corpus.key: no such file: {self.corpus.key}")
        if self.gate.candidates and not is_file(self.resolve(self.gate.candidates)):
            raise PolicyError(f"gate.candidates: no such file: {self.gate.candidates}")
        if self.planning.taxonomy and not is_file(self.resolve(self.planning.taxonomy)):
            raise PolicyError(f"planning.taxonomy: no such file: {self.planning.taxonomy}")
        if self.language_model.key and not is_file(self.resolve(self.language_model.key)):
            raise PolicyError(f"language_model.key: no such file: {self.language_model.key}")
        if self.operators.key and not is_file(self.resolve(self.operators.key)):
            raise PolicyError(f"operators.key: no such file: {self.operators.key}; `withhold key` makes one")

    def _check_thresholds(self) -> None:
        """Refuse a threshold of a label that nothing has; what other tools find may have any label."""
        detection = self.detection
        if detection.fitted or detection.presidio or detection.network:
            return
        known = {*LABELS, *KINDS, *(find.label for find in self.find)}
        for label in detection.thresholds:
            if label not in known:
                raise PolicyError(f"detection.thresholds: {unknown_key(label, dict.fromkeys(sorted(known)))}")

    @property
    def idle(self) -> bool:
        """Whether there is nothing that the policy would look for. What other detectors find, only they know."""
        given = self.find or self.detection.labels or self.secret or self.detection.fitted
        return not given and set(self.components.detectors) <= set(Components().detectors)

    def own_files(self) -> list[Path]:
        """The policy, its lists and its key: what must never be released."""
        names = [
            self.file,
            self.operators.key,
            self.planning.taxonomy,
            self.corpus.key,
            self.language_model.key,
            self.gate.candidates,
            *(name for find in self.find for name in find.lists),
            *self.detection.allow_lists,
            self.detection.presidio,
        ]
        return [self.resolve(name) for name in names if name]

    def resolve(self, name: str) -> Path:
        """A path of the policy, from the policy's own folder."""
        return Path(self.folder) / name

    def listed(self, files: Iterable[str], setting: str) -> list[str]:
        """The lines of files that a setting names, less empty ones.

        Raises:
            PolicyError: if one cannot be read.
        """
        terms: list[str] = []
        for name in files:
            try:
                lines = self.resolve(name).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, UnicodeDecodeError):
                raise PolicyError(f"{setting}: {name} cannot be read as UTF-8 text") from None
            terms += [line.strip() for line in lines if line.strip()]
        return terms

    @property
    def named(self) -> tuple[str, ...]:
        """What is named outright: terms, those of lists too, and secrets by all their names."""
        terms = [term for find in self.find for term in (*find.terms, *self.listed(find.lists, "find.lists"))]
        return tuple(dict.fromkeys((*terms, *(name for secret in self.secret for name in secret.names))))

    @property
    def allowed(self) -> tuple[str, ...]:
        """Words and phrases that stay, those of lists too."""
        return (*self.detection.allow, *self.listed(self.detection.allow_lists, "detection.allow_lists"))

    @property
    def candidates(self) -> tuple[str, ...]:
        """Whom the attack `layout` should think of; none if the policy does not say."""
        if not self.gate.candidates:
            return ()
        names = tuple(dict.fromkeys(self.listed((self.gate.candidates,), "gate.candidates")))
        if len(names) < 2:
            raise PolicyError(f"gate.candidates: {self.gate.candidates} needs two names or more, one a line")
        return names

    @property
    def digest(self) -> str:
        """SHA-256 of what the policy says."""
        said = {**self.to_json(), "folder": "", "file": ""}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


TABLES: Mapping[str, type] = {
    "find": Find,
    "detection": Detection,
    "secret": Secret,
    "keep": Keep,
    "planning": Planning,
    "corpus": Background,
    "inference": Inference,
    "publishing": Publishing,
    "operators": Operators,
    "gate": Gate,
    "language_model": LanguageModel,
    "files": Handling,
    "components": Components,
}
"""The tables of a policy file and the values they hold."""
