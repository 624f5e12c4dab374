"""What an index consists of: the one file that changes."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG

from pyroaring import BitMap

from withhold.codec import Value
from withhold.errors import CorpusError, DocumentError, MalformedData
from withhold.files import read_bytes, write

FORMAT = 1
NAME = "manifest.json"
_MEGABYTES = 1024


def anew(folder: Path) -> str:
    """What to do about an index that cannot be read: nothing can be added to what is damaged."""
    return f"delete the folder {folder} and build the index again"


def is_there(folder: Path) -> bool:
    """Whether a folder holds an index.

    Raises:
        CorpusError: if the folder does not let itself be looked into.
    """
    try:
        return S_ISREG((folder / NAME).stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        raise CorpusError(f"the folder {folder} cannot be read: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class Part(Value):
    """A shard: its file, what is in it, and which of its documents are gone (a bitmap)."""

    file: str
    size: int
    documents: int
    paragraphs: int
    words: int
    gone: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        if min(self.size, self.documents, self.paragraphs, self.words) < 0 or Path(self.file).name != self.file:
            raise ValueError("a part has a file in the folder of the index, and numbers that are not negative")
        absent = self.absent()
        if absent and absent.max() >= self.documents:
            raise ValueError("documents can be gone only if they were there")

    def absent(self) -> BitMap:
        """The documents that are gone."""
        return BitMap.deserialize(self.gone) if self.gone else BitMap()


@dataclass(frozen=True, slots=True)
class Manifest(Value):
    """The parts of an index that are complete, and where its builder has got to."""

    format: int = FORMAT
    parts: tuple[Part, ...] = ()
    mark: str = field(default="", repr=False)
    made: int = 0
    """How many files were ever begun: the next has this number."""
    checksum: int = 0

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"format {FORMAT} is what this version of withhold reads")
        if self.checksum and self.checksum != self._sum():
            raise ValueError("it is damaged")

    def _sum(self) -> int:
        said = {**self.to_json(), "checksum": 0}
        return zlib.crc32(json.dumps(said, sort_keys=True).encode("ascii")) or 1

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """The manifest of a folder.

        Raises:
            CorpusError: if there is none, or it is damaged.
        """
        if not is_there(folder):
            raise CorpusError(f"{folder} holds no index ({NAME} is missing); `withhold corpus build` makes one")
        try:
            manifest = cls.from_bytes(read_bytes(folder / NAME, _MEGABYTES))
            if not manifest.checksum:
                raise MalformedData("it is damaged")
            return manifest
        except (DocumentError, MalformedData) as error:
            raise CorpusError(f"the index in {folder} cannot be read: {NAME}: {error}; {anew(folder)}") from None

    def save(self, folder: Path) -> None:
        write(folder / NAME, replace(self, checksum=self._sum()).to_bytes(), overwrite=True)
