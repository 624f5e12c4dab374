"""The evaluation of detection: what is found in annotated texts, against what people have marked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from withhold.errors import MalformedData
from withhold.evaluation.detection.choice import Case, choose
from withhold.evaluation.detection.counting import words
from withhold.evaluation.detection.measures import Measure, Sums, measure
from withhold.evaluation.detection.ngrams import NgramWeights
from withhold.evaluation.detection.tallies import tally
from withhold.fit.annotated import Annotated, read_annotated
from withhold.policy import Detection, Policy
from withhold.redactor import Redactor
from withhold.spans import Span
from withhold.types import Block, Document, Finding

Report = dict[str, Any]
Track = Callable[[Iterable[Any], int, str], Iterator[Any]]

COUNTING = {
    "labels": "Things to find and findings are folded to kinds, and to those kinds that a set annotates at all. What "
    "was to find is covered by a finding of any label; only findings of these kinds can be false alarms.",
    "masking": "What an annotator has flagged as not to be masked is not to find. Without flags everything is, and the "
    "label tells direct from quasi-identifiers.",
    "recall": "entity_recall, mention_recall and token_recall, precision and mention_precision are those of the Text "
    "Anonymization Benchmark; function words and titles come from a list, not from a tagger.",
    "ngram_weighted_precision": "precision with each word weighted by -log p in a bigram model counted on these very "
    "texts, the place itself left out; not the benchmark's weighted precision, which asks a language model.",
    "words": "Runs of letters and digits, without function words and titles such as Mr; labels do not matter. A word "
    "is found if all that is marked of it is covered.",
    "span": "A span is found if at least half of its words are covered; a finding is right if at least half of its "
    "words were to find. `exact`: the same words. Labels do not matter; overlapping spans are one.",
    "by_label": "labels.*: precision, recall, f1, f2 and support over words of that label, found as that label; "
    "entity_recall, mention_recall and token_recall found as whatever.",
    "intervals": "95 %, from texts drawn with replacement.",
}


def evaluate(
    data: Sequence[Path],
    *,
    names: Sequence[str] = (),
    policy: Policy | None = None,
    split: str = "",
    draws: int = 1000,
    track: Track,
) -> Report:
    """Detect in every text of the data, and compare.

    `names` are the labels that count, `split` the part of the data to take where it has parts; `draws` is how often
    texts are drawn for the intervals.

    Raises:
        DocumentError, MalformedData: if the data cannot be read, or nothing in it counts.
        PolicyError, PluginError: if the policy's detectors cannot work.
    """
    policy = policy or Policy(detection=Detection(labels=("all",)))
    sets = {path: _part(read_annotated(path), path, split) for path in data}
    choices = {path: choose(names, _labels(texts)) for path, texts in sets.items()}
    _refuse_nothing(Case(text, (), choices[path]) for path, texts in sets.items() for text in texts)
    find = detector(policy)
    cases: list[Case] = []
    seconds = 0.0
    for path, texts in sets.items():
        for text in track(texts, len(texts), f"Detecting in {path.name}"):
            start = time.perf_counter()
            found = find(text.text)
            seconds += time.perf_counter() - start
            cases.append(Case(text, tuple(found), choices[path]))
    about = [{"file": str(path), "documents": len(texts), "kinds": choices[path].keys} for path, texts in sets.items()]
    return {**compare(cases, draws=draws), "data": about, "words_per_second": _speed(cases, seconds)}


def _labels(texts: Iterable[Annotated]) -> set[str]:
    return {each.label for text in texts for each in text.mentions}


def _refuse_nothing(cases: Iterable[Case]) -> None:
    texts = []
    for case in cases:
        if case.mentions:
            return
        texts.append(case.text)
    there = ", ".join(sorted(_labels(texts))) or "none"
    raise MalformedData(f"nothing that counts is marked; labels in the data: {there}")


def detector(policy: Policy) -> Callable[[str], list[Finding]]:
    """What the policy would act upon in a text; everything is loaded before the first one."""
    redactor = Redactor(policy)
    threshold = policy.detection.threshold

    def find(text: str) -> list[Finding]:
        found = redactor.detect(plain(text))
        return [each for each in found if each.score >= threshold(each.label)]

    find("Jane Doe of Acme Ltd wrote to jane@example.org from Paris on 3 May 2020.")
    return find


def plain(text: str) -> Document:
    """A text as the document in a plain file."""
    return Document(text, text.encode("utf-8", "surrogatepass"), "txt", (Block(Span(0, len(text))),))


def _part(texts: list[Annotated], path: Path, split: str) -> list[Annotated]:
    found = [text for text in texts if text.split == split] if split else texts
    if not found:
        there = ", ".join(sorted({text.split for text in texts} - {""})) or "none"
        raise MalformedData(f"{path}: no text of the split {split!r}; splits in it: {there}")
    return found


def _speed(cases: Sequence[Case], seconds: float) -> float:
    return sum(len(words(case.text.text)) for case in cases) / seconds if seconds else 0.0


def compare(cases: Sequence[Case], *, draws: int = 1000) -> Report:
    """All measures of what was found in some texts.

    Raises:
        MalformedData: if nothing that counts is marked in any of them.
    """
    _refuse_nothing(cases)
    weigh = NgramWeights(case.text.text for case in cases)
    sums = Sums([tally(case, weigh) for case in cases], draws)
    keys = list(dict.fromkeys(key for case in cases for key in case.choice.keys))
    headlines = _headlines(sums)
    report: Report = {"documents": len(cases), "kinds": keys}
    for path, value in headlines.items():
        _put(report, path, value.value)
    report["labels"] = {key: _label(sums, key) for key in keys}
    report["intervals"] = {path: list(value.interval) for path, value in headlines.items() if value.interval}
    return {**report, "counting": COUNTING}


def _headlines(sums: Sums) -> dict[str, Measure]:
    shares = {
        "entity_recall.direct": "entity.direct",
        "entity_recall.quasi": "entity.quasi",
        "entity_recall.all": "entity.any",
        "mention_recall": "mention.any",
        "token_recall": "token.any",
        "precision": "found.token",
        "mention_precision": "found.mention",
        "ngram_weighted_precision": "found.ngram",
        "persons.word_recall": "persons.gold",
    }
    found = {path: measure(sums.share(name)) for path, name in shares.items()}
    for path, name in (("words", "words"), ("span", "span"), ("span.exact", "exact")):
        found |= {f"{path}.{each}": value for each, value in _four(sums, name).items()}
    return found


def _four(sums: Sums, name: str) -> dict[str, Measure]:
    return {
        "precision": measure(sums.share(f"{name}.found")),
        "recall": measure(sums.share(f"{name}.gold")),
        "f1": measure(sums.f(name, 1)),
        "f2": measure(sums.f(name, 2)),
    }


def _label(sums: Sums, key: str) -> dict[str, float | None]:
    recalls = {f"{each}_recall": measure(sums.share(f"{each}.of.{key}")) for each in ("entity", "mention", "token")}
    measures = {**_four(sums, f"label.{key}"), **recalls}
    support = {"support": int(sums.count(f"label.{key}.gold.all")[0])}
    return {name: each.value for name, each in measures.items()} | support


def _put(report: Report, path: str, value: float | None) -> None:
    *above, last = path.split(".")
    for name in above:
        report = report.setdefault(name, {})
    report[last] = value


def rows(report: Report) -> list[tuple[str, str, str]]:
    """The headlines for a table: measure, value, interval."""
    found = []
    for path, value in _flat(report):
        low_high = report["intervals"].get(path)
        found.append((path.replace("_", " ").replace(".", ", "), share(value), "-".join(map(share, low_high or ()))))
    return found


def label_rows(report: Report) -> list[tuple[str, ...]]:
    """The same by label, in the columns of `LABEL_COLUMNS`."""
    names = ("precision", "recall", "f2", "entity_recall", "mention_recall", "token_recall")
    return [
        (key, str(each["support"]), *(share(each[name]) for name in names)) for key, each in report["labels"].items()
    ]


LABEL_COLUMNS = ("label", "#words", "#precision", "#recall", "#f2", "#entities", "#mentions", "#tokens")


def _flat(report: Report, above: str = "") -> Iterator[tuple[str, float | None]]:
    for name, value in report.items():
        if name in ("labels", "intervals", "counting", "data", "kinds", "documents", "words_per_second"):
            continue
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def share(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
