"""The evaluation of the mask-type attack: how well the types of masked entities can be guessed from what is left.

Documents are split, never masks: whoever is scored on a document has learnt from others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from withhold.errors import MalformedData
from withhold.evaluation.mask_type import defence, settings
from withhold.evaluation.mask_type.inflated import EXPLAINED, inflation
from withhold.evaluation.mask_type.measures import Floats, Whole, majority, score
from withhold.fit.annotated import Annotated, read_annotated
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.classifiers import Classifier, folds
from withhold.learners.masks.ensemble import CLASSIFIERS
from withhold.learners.masks.views import Views

Report = dict[str, Any]
Track = Callable[[Iterable[Any], int, str], Iterator[Any]]
Protocol = Literal["honest", "paper", "all"]

ATTACKERS = ("svm_words", "crf", "svm", "encoder", "ensemble")
"""The attackers that are measured if nobody says which; the last is the one that counts."""

_FOLDS = 5
_CHEAP = "svm_words"

COUNTING = {
    "accuracy": "Of the last attacker named, over all masks; every entity is masked by the same mark.",
    "majority": "How often the commonest type of the training documents is right.",
    "balanced_accuracy": "The mean over types of the share of their masks that were guessed.",
    "documents_mean": "The mean over documents of the share of their masks that were guessed.",
    "settings": f"Other ways of masking and reading, by {_CHEAP}, which knows no other text: comparable with its line.",
    "inflation": "The same classifier scored honestly, and in ways that let it see what it is scored on.",
    "intervals": "95 %, from documents drawn with replacement.",
}


@dataclass(frozen=True, eq=False)
class Cases:
    """Masks of which some are learnt from and others guessed, in one or more rounds."""

    views: Views
    y: Whole
    classes: tuple[str, ...]
    rounds: tuple[tuple[Whole, Whole], ...]

    def guess(self, make: Callable[[], Classifier], *, read: Views | None = None, track: Track, title: str) -> Whole:
        """What a classifier guesses for each mask that is tested, -1 for others; `read` is what it reads instead then.

        In each round it is made anew.
        """
        found = np.full(len(self.y), -1, np.int64)
        for learnt, tested in track(self.rounds, len(self.rounds), title):
            fitted = make().fit(self.views.take(learnt), self.y[learnt], len(self.classes))
            likely: Floats = fitted.probabilities((read or self.views).take(tested))
            found[tested] = likely.argmax(1)
        return found

    def score(self, guessed: Whole, draws: int) -> Report:
        tested = guessed >= 0
        report = score(guessed[tested], self.y[tested], self.views.document[tested], self.classes, draws=draws)
        shares = [(majority(self.y[b], self.y[a], len(self.classes)), len(b)) for a, b in self.rounds]
        report["majority"] = sum(share * count for share, count in shares) / sum(count for _, count in shares)
        return report


def evaluate(
    data: Path,
    train: Path | None = None,
    *,
    attackers: Sequence[str] = ATTACKERS,
    protocol: Protocol = "all",
    defend: bool = True,
    curve: bool = False,
    split: str = "",
    draws: int = 1000,
    track: Track,
) -> Report:
    """Guess the types of everything that is marked in the texts, learning from `train`, or else from the other parts of
    the texts themselves; and again, if asked to `defend`, once telling words are gone: a tenth of all, and, for the
    `curve`, fewer and more.

    Raises:
        DocumentError, MalformedData: if the data cannot be read, or nothing can be learnt from it.
    """
    texts = [text for text in read_annotated(data) if text.mentions and split in ("", text.split)]
    learnt = [text for text in read_annotated(train) if text.mentions] if train else []
    if not texts or (not train and len({_group(text) for text in texts}) < 2):
        raise MalformedData(f"{data}: needs texts with marked entities, two or more without --train")
    learnt, left_out = _others(learnt, texts)
    if train and not learnt:
        raise MalformedData(f"{train}: no text in it that is not in {data} as well")
    documents = [settings.masked(text) for text in (*texts, *learnt)]
    if len({each for text in documents[len(texts) :] or documents for each in text.types}) < 2:
        raise MalformedData(f"{train if learnt else data}: all that is marked is of one kind, so nothing is told apart")
    cases = arrange(documents[: len(texts)], documents[len(texts) :], _alike(texts))
    report: Report = {"documents": len(texts), "learnt_from": len(learnt) or None, "left_out": left_out}
    report |= {"types": dict(Counter(label for text in texts for label in _labels(text)))}
    if protocol != "paper":
        report |= _honest(cases, texts, learnt, attackers, draws, track)
        if defend:
            report |= defence.curve(cases, documents, dict(CLASSIFIERS), whole=curve, draws=draws, track=track)
    if protocol != "honest":
        for _ in track([0], 1, "Scoring as published"):
            report["inflation"] = inflation(cases.views, cases.y, len(cases.classes))
        report["inflation_explained"] = EXPLAINED
    return {**report, "counting": COUNTING}


def arrange(
    tested: Sequence[Masked], learnt: Sequence[Masked] = (), alike: Sequence[int] = (), *, parts: int = _FOLDS
) -> Cases:
    """Documents to guess and others to learn from; without others, each part is guessed from the other parts.

    Documents that have the same number in `alike` are never parted.
    """
    views = Views([*tested, *learnt])
    if alike:
        numbered = [*alike, *range(len(tested), len(tested) + len(learnt))]
        views = views.grouped(np.array(numbered, np.int64)[views.document])
    labels = views.labels
    classes = tuple(sorted(set(labels)))
    numbers = {label: number for number, label in enumerate(classes)}
    y = np.array([numbers[label] for label in labels], np.int64)
    if learnt:
        first = views.document < len(tested)
        rounds = [(np.flatnonzero(~first), np.flatnonzero(first))]
    else:
        rounds = [(np.flatnonzero(~fold), np.flatnonzero(fold)) for fold in folds(views.document, parts)]
    return Cases(views, y, classes, tuple(rounds))


def _honest(
    cases: Cases,
    texts: Sequence[Annotated],
    learnt: Sequence[Annotated],
    attackers: Sequence[str],
    draws: int,
    track: Track,
) -> Report:
    found = {}
    for name in attackers:
        guessed = cases.guess(CLASSIFIERS[name], track=track, title=f"Attacker {name}")
        found[name] = cases.score(guessed, draws)
    best = found[attackers[-1]]
    headlines = ("accuracy", "majority", "balanced_accuracy", "macro_f1", "documents_mean", "intervals")
    return {
        **{name: best[name] for name in headlines if name in best},
        "attacker": attackers[-1],
        "attackers": found,
        "settings": _settings(cases, texts, learnt, track),
    }


def _settings(cases: Cases, texts: Sequence[Annotated], learnt: Sequence[Annotated], track: Track) -> Report:
    """The accuracy of one plain attacker where masks are made, or read, in other ways."""
    both = [*texts, *learnt]
    ways: Mapping[str, Callable[[Annotated], list[Masked]]] = {
        "all_masked_one_mark": lambda text: [settings.masked(text)],
        "all_masked_length_kept": lambda text: [settings.masked(text, keep_length=True)],
        "all_masked_neighbours_merged": lambda text: [settings.masked(text).merged()],
        "one_masked_one_mark": lambda text: settings.singly(text),
        "one_masked_length_kept": lambda text: settings.singly(text, keep_length=True),
        "length_alone": lambda text: [settings.bare(settings.masked(text, keep_length=True))],
    }
    report: Report = {}
    for name, way in ways.items():
        masked = [way(text) for text in both]
        own = _regrouped(cases, masked)
        guessed = own.guess(CLASSIFIERS[_CHEAP], track=track, title=name.replace("_", " "))
        scores = own.score(guessed, 0)
        report[name] = {key: scores[key] for key in ("accuracy", "balanced_accuracy", "macro_f1")}
    disguised = [settings.disguised(settings.masked(text)) for text in both]
    readers = {"look_alikes_naive": disguised, "look_alikes_normalised": [settings.plain(each) for each in disguised]}
    for name, read in readers.items():
        guessed = cases.guess(CLASSIFIERS[_CHEAP], read=Views(read), track=track, title=name.replace("_", " "))
        report[name] = {"accuracy": cases.score(guessed, 0)["accuracy"]}
    retrained = _regrouped(cases, [[each] for each in disguised])
    guessed = retrained.guess(CLASSIFIERS[_CHEAP], track=track, title="look alikes retrained")
    return report | {"look_alikes_retrained": {"accuracy": retrained.score(guessed, 0)["accuracy"]}}


def _regrouped(cases: Cases, masked: Sequence[Sequence[Masked]]) -> Cases:
    """The same masks in the same rounds, in other documents: as many as before for each text."""
    views = Views([document for several in masked for document in several])
    grouped = np.repeat(np.arange(len(masked)), [sum(len(each.masks) for each in several) for several in masked])
    views = views.grouped(grouped)
    if len(views) != len(cases.y):
        raise ValueError("other masks")
    return Cases(views, cases.y, cases.classes, cases.rounds)


def _others(learnt: Sequence[Annotated], texts: Sequence[Annotated]) -> tuple[list[Annotated], int]:
    """Texts to learn from that are not among those to guess, and how many others there were."""
    known = {_start(text) for text in texts} | {group for text in texts if (group := text.group)}
    others = [text for text in learnt if _start(text) not in known and text.group not in known]
    return others, len(learnt) - len(others)


def _start(text: Annotated) -> str:
    return "".join(text.text.split())[:500]


def _alike(texts: Sequence[Annotated]) -> list[int]:
    """For each text the number of the first of its group."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(_group(text), place) for place, text in enumerate(texts)]


def _group(text: Annotated) -> str:
    return text.group or _start(text)


def _labels(text: Annotated) -> Iterator[str]:
    yield from settings.masked(text).types


Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables(report: Report) -> list[Table]:
    """The report for people: title, columns and lines of each table."""
    found: list[Table] = []
    if "attackers" in report:
        columns: tuple[str, ...] = ("attacker", "#accuracy", "#95 %", "#macro F1", "#balanced", "#mean of documents")
        lines: list[tuple[str, ...]] = [(name, *_line(each)) for name, each in report["attackers"].items()]
        found.append((f"Types guessed in {report['documents']} texts, split by document", columns, lines))
        by_type = report["attackers"][report["attacker"]]["types"]
        columns = ("type", "#masks", "#recall", "#precision", "#F1")
        lines = [
            (name, str(each["masks"]), *(f"{each[key]:.3f}" for key in ("recall", "precision", "f1")))
            for name, each in by_type.items()
        ]
        found.append((f"By type, {report['attacker']}", columns, lines))
        lines = [(name.replace("_", " "), f"{each['accuracy']:.3f}") for name, each in report["settings"].items()]
        found.append((f"Other ways of masking and reading, {_CHEAP}", ("how", "#accuracy"), lines))
    if "defence" in report:
        columns = ("words kept", "#generalised", "#accuracy", "#95 %", "attacker")
        levels = [*report["defence"].values(), *([report["new_documents"]] if "new_documents" in report else [])]
        title = "Defended, best attacker" + ("; the last line new documents" if "new_documents" in report else "")
        found.append((title, columns, [_level(each) for each in levels]))
    if "inflation" in report:
        scored = [(name.replace("_", " "), f"{each:.3f}") for name, each in report["inflation"].items()]
        found.append(("One classifier, scored in several ways", ("how", "#accuracy"), [*scored]))
    return found


def rows(report: Report) -> list[str]:
    """What else is to be said of it."""
    said = []
    if "majority" in report:
        said.append(f"the commonest type alone: {report['majority']:.3f}")
    if "defended" in report:
        said.append(f"with {report['words_kept']:.1%} of the other words kept: {report['defended']:.3f}")
    if report.get("left_out"):
        said.append(f"{report['left_out']} texts to learn from are among those to guess, and were left out")
    return [*said, "--json tells what counts as what"]


def _line(scores: Report) -> tuple[str, ...]:
    low, high = scores.get("intervals", {}).get("accuracy", (0.0, 1.0))
    shares = (scores[key] for key in ("macro_f1", "balanced_accuracy", "documents_mean"))
    return (f"{scores['accuracy']:.3f}", f"{low:.3f}-{high:.3f}", *(f"{share:.3f}" for share in shares))


def _level(level: Report) -> tuple[str, ...]:
    low, high = level["interval"] or (0.0, 1.0)
    shares = (f"{level['words_kept']:.3f}", f"{level['generalised']:.3f}", f"{level['accuracy']:.3f}")
    return (*shares, f"{low:.3f}-{high:.3f}", level["attacker"])
