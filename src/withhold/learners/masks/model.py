"""A fitted guesser of the types of masks, as files: a description to read, and arrays. Loading runs no code."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from withhold.codec import Value
from withhold.errors import DocumentError, MalformedData, NotFitted, OutputError
from withhold.files import is_file, read_bytes
from withhold.labels import KINDS
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.classifiers import Floats, softmax
from withhold.learners.masks.ensemble import MEMBERS, Ensemble
from withhold.learners.masks.views import Views
from withhold.learners.saving import save_model

DESCRIPTION = "mask_type.json"
SHIPPED = Path(__file__).parent / "data"

_FORMAT = 1
_MEGABYTES = {"description": 1, "arrays": 1_024}
_DAMAGE = (ValueError, KeyError, TypeError, IndexError, OverflowError, EOFError, OSError, MemoryError, zlib.error)


@dataclass(frozen=True, slots=True)
class Description(Value):
    """What a person may want to know of a model without loading it."""

    format: int
    classes: tuple[str, ...]
    masks: tuple[int, ...]
    documents: int
    members: tuple[str, ...]
    arrays: str
    reads: str
    about: str = field(default="", metadata={"doc": "What it learnt from."})
    general: bool = field(default=False, metadata={"doc": "For documents of other sorts than it learnt from, too."})

    def __post_init__(self) -> None:
        if self.format != _FORMAT:
            raise ValueError(f"format {_FORMAT} is what this version of withhold reads")
        if len(set(self.classes)) != len(self.classes) or len(self.classes) != len(self.masks) or min(self.masks) < 1:
            raise ValueError("every type needs one name and a number of masks")
        if not self.members or not set(self.members) <= set(MEMBERS):
            raise ValueError(f"members must be some of {', '.join(MEMBERS)}")
        if len(self.arrays) != 64 or not set(self.arrays) <= set("0123456789abcdef"):
            raise ValueError("arrays must be a digest")
        if self.general and not set(self.classes) <= set(KINDS):
            raise ValueError(f"a general model has types among {', '.join(KINDS)}")


class MaskTypes:
    """Guesses what kind of thing each mask of a document hides, from the words that are left."""

    def __init__(self, classes: Sequence[str], masks: Sequence[int], documents: int, ensemble: Ensemble) -> None:
        self.classes, self.masks, self.documents = tuple(classes), tuple(masks), documents
        self.ensemble = ensemble
        self.about = ""
        self.general = False
        """Whether what the encoder makes of a mask by itself counts as much as what was learnt."""

    def __repr__(self) -> str:
        return f"MaskTypes(classes={len(self.classes)}, masks={sum(self.masks)})"

    @property
    def commonest(self) -> str:
        """The type that a reader would guess who reads nothing."""
        return self.classes[int(np.argmax(self.masks))]

    @classmethod
    def fit(cls, documents: Sequence[Masked], members: Sequence[str] = tuple(MEMBERS)) -> Self:
        """Learn from documents whose masks have types.

        Raises:
            NotFitted: if there are not two documents and two types.
        """
        views = Views([document for document in documents if document.masks])
        counts = Counter(views.labels)
        if len(counts) < 2 or len(set(views.document.tolist())) < 2 or "" in counts:
            raise NotFitted("types of masks are learnt from two or more documents with entities of two or more types")
        classes = sorted(counts)
        numbers = {label: number for number, label in enumerate(classes)}
        y = np.array([numbers[label] for label in views.labels], np.int64)
        ensemble = Ensemble(members).fit(views, y, len(classes))
        return cls(classes, [counts[label] for label in classes], len(set(views.document.tolist())), ensemble)

    def probabilities(self, documents: Sequence[Masked]) -> Floats:
        """How likely each mask (row) is of each type, document by document."""
        views = Views(documents)
        if not len(views):
            return np.zeros((0, len(self.classes)))
        learnt = self.ensemble.probabilities(views)
        if not self.general:
            return learnt
        own = views.states[:, -len(KINDS) :][:, [KINDS.index(name) for name in self.classes]]
        return softmax((np.log(np.maximum(learnt, 1e-6)) + own) / 2)

    def guesses(self, document: Masked) -> list[str]:
        """The likeliest type of each mask of a document."""
        return [self.classes[number] for number in self.probabilities([document]).argmax(1).tolist()]

    def save(self, folder: str | Path, *, about: str = "", overwrite: bool = False) -> Path:
        """Write the model as JSON and arrays.

        Raises:
            OutputError: if there is one already (and `overwrite` is not set), or the folder cannot be written.
        """
        folder = Path(folder)
        if not overwrite and is_file(folder / DESCRIPTION):
            raise OutputError(f"{folder} holds a model of masks already; choose another folder or allow overwriting")
        packed = io.BytesIO()
        np.savez(packed, allow_pickle=False, **self.ensemble.arrays())
        learnt = (_FORMAT, self.classes, self.masks, self.documents, tuple(self.ensemble.members))
        said = (fingerprint(), about or self.about, self.general)
        return save_model(
            folder / DESCRIPTION, packed.getvalue(), _arrays, lambda digest: Description(*learnt, digest, *said)
        )

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a saved model. Nothing in the folder is run, whatever it holds.

        Raises:
            NotFitted: if there is none, or it reads with other networks than those of this version.
            MalformedData: if it is damaged.
        """
        folder = Path(folder)
        if not is_file(folder / DESCRIPTION):
            raise NotFitted(
                f"{folder} holds no model of masks ({DESCRIPTION} is missing); `withhold fit mask-type` makes one"
            )
        try:
            described = Description.from_bytes(read_bytes(folder / DESCRIPTION, _MEGABYTES["description"]))
            data = read_bytes(_arrays(folder, described.arrays), _MEGABYTES["arrays"])
        except (DocumentError, MalformedData) as error:
            raise MalformedData(f"the model in {folder} cannot be loaded: {error}") from None
        if described.reads != fingerprint():
            raise NotFitted(f"the model in {folder} was fitted by another version of withhold; fit it again")
        if hashlib.sha256(data).hexdigest() != described.arrays:
            raise MalformedData(f"the model in {folder} is damaged: the arrays are not those saved")
        try:
            ensemble = Ensemble(described.members).restore(_unpack(data), len(described.classes))
        except (*_DAMAGE, zipfile.BadZipFile):
            raise MalformedData(f"the model in {folder} is damaged: the arrays make no sense") from None
        found = cls(described.classes, described.masks, described.documents, ensemble)
        found.about, found.general = described.about, described.general
        return found


@cache
def shipped() -> MaskTypes:
    """The model that comes with withhold."""
    return MaskTypes.load(SHIPPED)


@cache
def fingerprint() -> str:
    """A digest of the files that come with withhold and that every model reads with."""
    files = (SHIPPED / "prior.npz", SHIPPED / "encoder.onnx")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()


def _arrays(folder: Path, digest: str) -> Path:
    return folder / f"mask_type-{digest}.npz"


def _unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays in the bytes. Nothing may be compressed, so that a small file cannot fill the memory."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("compressed")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
