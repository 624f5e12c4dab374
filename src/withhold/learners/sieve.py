"""Several models of sensitive words in a row, each of which reads what those before it have left.

A word that a model is sure enough of is hidden, and where it is surer still, every equal word of the document that is
written with a capital. A name is not hidden in part: what stands between two of its words goes with them. A saved
sieve is two files: a description to read, and arrays beside it in a file named after its digest. Neither can run code
when loaded.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, NotFitted, OutputError
from withhold.files import is_file, read_bytes
from withhold.learners import name_features, second_look, spotter, word_features
from withhold.learners.crf import Reals
from withhold.learners.model_arrays import arrays, restore
from withhold.learners.saving import save_model
from withhold.learners.sensitive import Flags, Model, show
from withhold.learners.spotter import Spot
from withhold.learners.tokens import Tokens, cut, parts

FORMAT = 2
FEATURES = word_features.VERSION, name_features.VERSION, second_look.VERSION
DESCRIPTION = "sieve.json"
NEVER = 1e9
"""An `echo` that no score reaches."""

_MEGABYTES = {"description": 16, "arrays": 2_048}
_WINDOW = 400_000
_DAMAGE = (ValueError, KeyError, IndexError, TypeError, OverflowError, EOFError, OSError, MemoryError, zlib.error)

Rule = Literal["cost", "paper"]


@dataclass(frozen=True, slots=True)
class Step(Value):
    """How one model is used: a word is hidden above `threshold`, and its equals in the document above `echo`. If it
    `fills`, so is what stands between two hidden words of a row of words with a capital.

    `caught` and `spoilt` are the sensitive and the other words above its thresholds when it was judged.
    """

    learner: str
    threshold: float
    echo: float = NEVER
    caught: int = 0
    spoilt: int = 0
    fills: bool = False


@dataclass(frozen=True, slots=True)
class Sifted(Value):
    """What a person may want to know of a sieve: what it was fitted with, and how it did.

    A sensitive word that is published costs `loss`, another that is not `worth`. By the `rule` "cost" all figures are
    of documents that no model had learnt from when it read them; by "paper" they are of those it learnt from.
    `iterations` counts the last model too, which was not taken. `residual_range` holds the share of sensitive words
    that is left in other documents of the same sort in 95 of 100 cases. Signs are not counted as words.
    """

    label: str
    documents: int
    words: int
    sensitive: int
    loss: float
    worth: float
    rule: Rule
    steps: tuple[Step, ...]
    iterations: int
    kept: float
    publish_ratio: float
    residual_share: float
    residual_range: tuple[float, float]
    format: int = FORMAT
    features: tuple[int, int, int] = FEATURES
    versions: Mapping[str, str] = field(default_factory=dict)
    arrays: str = ""

    def __post_init__(self) -> None:
        if self.format != FORMAT or self.features != FEATURES:
            raise ValueError("it was fitted by another version of withhold; fit it anew")
        if self.arrays and (len(self.arrays) != 64 or not set(self.arrays) <= set("0123456789abcdef")):
            raise ValueError("arrays must be a digest")


class Sieve:
    """Models, and how they are used; `description.steps` has one step for each."""

    def __init__(self, models: Sequence[Model], description: Sifted) -> None:
        if len(models) != len(description.steps):
            raise ValueError("there is one step for each model")
        self.models = tuple(models)
        self.description = description

    def __repr__(self) -> str:
        return f"Sieve(steps={len(self.models)})"

    def hide(self, tokens: Tokens) -> Flags:
        """Which words of a text are not to be published."""
        return hide(tokens, self.models, self.description.steps)

    def spots(self, text: str) -> list[Spot]:
        """What is found in a text: words in a row are one. A long text is read in parts."""
        found = []
        for part in parts(text, _WINDOW):
            tokens = cut(part.of(text))
            for first, last in runs(self.hide(tokens) if len(tokens) else np.zeros(0, bool)):
                span = tokens.span(first, last).shift(part.start)
                found.append(Spot(span, self.description.label, 1.0, 1.0))
        return found

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write both files.

        Raises:
            OutputError: if there is a sieve already (and `overwrite` is not set), or the folder cannot be written.
        """
        folder = Path(folder)
        check_free(folder, overwrite=overwrite)
        packed = io.BytesIO()
        held = {f"{n}/{name}": value for n, model in enumerate(self.models) for name, value in arrays(model).items()}
        np.savez(packed, allow_pickle=False, **held)
        return save_model(
            folder / DESCRIPTION, packed.getvalue(), _arrays, lambda digest: replace(self.description, arrays=digest)
        )

    @classmethod
    def load(cls, folder: str | Path) -> Sieve:
        """Read a saved sieve. Nothing in the folder is run, whatever it holds.

        Raises:
            NotFitted: if there is none.
            MalformedData: if it is damaged, or of another version.
        """
        folder = Path(folder)
        if not is_file(folder / DESCRIPTION):
            raise NotFitted(f"{folder} holds no sieve ({DESCRIPTION} is missing); `withhold fit detector --greedy`")
        try:
            description = Sifted.from_bytes(read_bytes(folder / DESCRIPTION, _MEGABYTES["description"]))
            data = read_bytes(_arrays(folder, description.arrays), _MEGABYTES["arrays"])
        except (DocumentError, MalformedData) as error:
            raise MalformedData(f"the detector in {folder} cannot be loaded: {error}") from None
        if hashlib.sha256(data).hexdigest() != description.arrays:
            raise MalformedData(f"the detector in {folder} is damaged: the arrays are not those saved; fit it anew")
        try:
            return cls(_models(data, len(description.steps)), description)
        except (*_DAMAGE, zipfile.BadZipFile):
            raise MalformedData(f"the detector in {folder} is damaged: it makes no sense; fit it anew") from None


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder that holds a sieve already, unless it may be overwritten, or a detector of another sort.

    Raises:
        OutputError: if it does.
    """
    if is_file(folder / spotter.DESCRIPTION):
        raise OutputError(f"{folder} holds a detector of another sort; choose another folder")
    if is_file(folder / DESCRIPTION) and not overwrite:
        raise OutputError(f"{folder} holds a detector already; choose another folder, or overwrite it")


def _arrays(folder: Path, digest: str) -> Path:
    return folder / f"arrays-{digest[:16]}.npz"


def _models(data: bytes, steps: int) -> list[Model]:
    """The models in the bytes. Nothing may be compressed, so that a small file cannot fill the memory."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("compressed")
    held: list[dict[str, NDArray[Any]]] = [{} for _ in range(steps)]
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        for name in file.files:
            number, _, rest = name.partition("/")
            held[int(number)][rest] = np.asarray(file[name])
    return [restore(each) for each in held]


def hide(tokens: Tokens, models: Sequence[Model], steps: Sequence[Step]) -> Flags:
    """The words of a text that models hide, one after the other; each sees marks in place of what those before hid."""
    hidden = np.zeros(len(tokens), bool)
    for model, step in zip(models, steps, strict=True):
        hidden = hidden | called(tokens, hidden, model.scores(show(tokens, hidden)), step)
    return hidden


def called(tokens: Tokens, hidden: Flags, scores: Reals, step: Step) -> Flags:
    """The words that a step hides."""
    found = ~hidden & ((scores > step.threshold) | (tops(tokens, hidden, scores) > step.echo))
    return between(tokens, hidden | found) & ~hidden if step.fills else found


def between(tokens: Tokens, hidden: Flags) -> Flags:
    """What is hidden, and what stands between two hidden words of a row of words with a capital. A name of which one
    word is left tells what stands about such words, and so where to look for others.
    """
    run = name_features.runs(tokens)
    places = np.flatnonzero(hidden & (run >= 0))
    first, last = np.full(int(run.max(initial=-1)) + 2, len(run)), np.full(int(run.max(initial=-1)) + 2, -1)
    np.minimum.at(first, run[places], places)
    np.maximum.at(last, run[places], places)
    here = np.arange(len(run))
    inside: Flags = (run >= 0) & (here > first[run]) & (here < last[run])
    return hidden | inside


def tops(tokens: Tokens, hidden: Flags, scores: Reals) -> Reals:
    """For each word the highest score of its equals in the text; words without a capital have none."""
    known: dict[str, int] = {}
    numbers = np.array(
        [known.setdefault(form.lower(), len(known)) if _name_like(form) else -1 for form in tokens.forms], np.int64
    )
    best = np.full(len(known) + 1, -NEVER)
    open_ = (numbers >= 0) & ~hidden
    np.maximum.at(best, numbers[open_], scores[open_])
    best[-1] = -NEVER
    found: Reals = best[numbers]
    return found


def _name_like(form: str) -> bool:
    return len(form) > 1 and form[0].isupper()


def runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """The first and last places of flags in a row."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    for start, end in edges.reshape(-1, 2).tolist():
        yield start, end - 1
