"""What worker processes do: redact documents with a saved model, and say what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from withhold import plugins
from withhold.batch import pool
from withhold.errors import Stopped
from withhold.evaluation.concepts.cases import Case
from withhold.learners.concepts import Concepts
from withhold.planners.aims import Aim, decide
from withhold.planners.edits import counts, edits
from withhold.policy import Policy
from withhold.risk.concepts import general_terms, make_choices
from withhold.risk.reading import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Taxonomy
    from withhold.types import Choices, Edit

Item = TypeVar("Item")
Made = TypeVar("Made")
Track = Callable[[Iterable[Any], int, str], Iterator[Any]]

_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Way:
    """One way to redact: what words are worth, and whether some may become more general instead."""

    objective: str
    generalise: bool = False


@dataclass(frozen=True, slots=True)
class Redacted:
    """A document after redaction. `suppressed` and `generalised` are shares of its occurrences of features,
    `confusable` is what the planner says.
    """

    text: str = field(repr=False)
    suppressed: float
    generalised: float
    confusable: bool


@dataclass(frozen=True, slots=True)
class Redacting:
    """How documents are redacted, with the model in a folder, of which the first `limit` words are in use."""

    folder: Path
    limit: int | None
    secret: str
    keep: str
    aim: Aim
    seed: int = 0

    @property
    def model(self) -> Concepts:
        return _load(self.folder, self.limit)

    def reading(self, case: Case) -> Reading:
        """The document as the planner reads it: without itself in the model, but for the textbook."""
        reading = Reading.of(self.model, case.text)
        return replace(reading, learnt={}) if self.aim == "textbook" else reading

    def choices(self, case: Case, *, generalise: bool) -> Choices:
        """What there is to decide, for no k yet."""
        reading, seed = self.reading(case), f"{self.seed} {case.text}".encode("utf-8", "surrogatepass")
        return make_choices(
            reading,
            self.secret,
            reading.bayes(self.secret).classes.index(case.secret),
            {self.keep: (reading.bayes(self.keep).classes.index(case.keep),)},
            confusers=0,
            release=self.aim == "release",
            general=general_terms(reading, _taxonomies(), release=self.aim == "release") if generalise else (),
            seed=int.from_bytes(blake2b(seed, digest_size=8).digest()),
        )

    def redact(self, case: Case, choices: Choices, k: int, objective: str) -> Redacted:
        """The document once its class comes after k - 1 others, in the planner's eyes."""
        asked, stand = replace(choices, confusers=k - 1), counts(choices, choices.spans)
        decision = decide(asked, stand, aim=self.aim, objective=objective)
        # Single words never overlap, so the edits can be made as they are.
        made = sorted(edits(asked, asked.spans, decision, Policy().operators), key=lambda edit: edit.span)
        everything = max(float(stand.sum()), 1.0)
        general = float(decision.general.sum())
        lost = float(stand.sum() - decision.kept.sum()) - general
        return Redacted(cut(case.text, made), lost / everything, general / everything, decision.status == "confusable")


def cut(text: str, made: Sequence[Edit]) -> str:
    """The text with a space where something was removed, and the more general words where there are any."""
    pieces, at = [], 0
    for edit in made:
        pieces += [text[at : edit.span.start], " " if edit.replacement is None else edit.replacement]
        at = edit.span.end
    return "".join([*pieces, text[at:]])


def read(model: Concepts, text: str, source: Case, learnt: Mapping[str, str]) -> Reading:
    """The text as the model reads it when `source`, which it has learnt as of these classes, is taken out of it."""
    counted = model.features.counts(source.text) if learnt else {}
    classes = {name: (value,) for name, value in learnt.items()}
    return replace(Reading.of(model, text, source=""), source=counted, learnt=classes)


def rank(scores: NDArray[np.float64], true: int, *, ties: bool = True) -> int:
    """Which guess the true class is: 1 for the first. Where others are level with it, `ties` are won."""
    others = np.delete(scores, true)
    return 1 + int(np.count_nonzero(others > scores[true] if ties else others >= scores[true]))


def in_chunks(
    function: Callable[[Sequence[Item]], Sequence[Made]], items: Sequence[Item], *, jobs: int, track: Track, doing: str
) -> list[Made]:
    """What the function makes of all items, in their order, a few at a time, by several processes.

    Raises:
        Stopped: if a worker does not do its work.
    """
    chunks = [items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK)]
    if jobs < 2 or len(chunks) < 2:
        try:
            return [made for chunk in track(chunks, len(chunks), doing) for made in function(chunk)]
        finally:
            _load.cache_clear()
    found: dict[int, Sequence[Made]] = {}
    with closing(pool.run(function, chunks, jobs=min(jobs, len(chunks)))) as running:  # type: ignore[type-var]
        for ended in track(running, len(chunks), doing):
            if ended.value is None:
                raise Stopped(f"a worker could not redact: {ended.error}: {ended.message}")
            found[ended.index] = ended.value
    return [made for number in range(len(chunks)) for made in found[number]]


@lru_cache(1)
def _load(folder: Path, limit: int | None) -> Concepts:
    return Concepts.load(folder).select(limit)


@lru_cache(1)
def _taxonomies() -> tuple[Taxonomy, ...]:
    return tuple(plugins.taxonomies(Policy()))
