"""Builds and changes the index in a folder, in batches."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, takewhile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pyroaring import BitMap

from withhold.corpora.index import manifest as manifests
from withhold.corpora.index.cutting import Cut, cut, join
from withhold.corpora.index.manifest import Manifest, Part
from withhold.corpora.index.shard import Shard, write_shard
from withhold.errors import CorpusError

WORDS = 8_000_000
"""Bounds the memory that a file takes to make, about 60 bytes a word."""

_MANY = 8
"""So many shards of a size are joined. With more, texts are written anew less often, and more files are looked into."""

_LOCK = "lock"
_CHARACTERS = 4_000_000
_CUT = 1000
"""After so many characters, or of documents that were stored so many at a time, texts become numbers."""


class Writer:
    """Adds documents to the index in a folder, which is made if need be, and deletes them from it.

    Nothing is to be seen of what was added or deleted until `commit`, and then all of it. What was not committed when
    the process ended is gone, and `mark` is what the last commit was given. One writer at a time. A file of the index
    holds about so many `words` at most.

    Raises:
        CorpusError: if the folder cannot be written, holds a damaged index or other files, or has another writer.
    """

    def __init__(self, folder: str | Path, *, words: int = WORDS) -> None:
        self.folder = Path(folder)
        self._words = words
        self._lock = _lock(self.folder)
        fresh = not manifests.is_there(self.folder)
        self._manifest = Manifest() if fresh else Manifest.load(self.folder)
        self._parts = list(self._manifest.parts)
        self._shards = [Shard(self.folder, part) for part in self._parts]
        self._gone = [part.absent() for part in self._parts]
        self._made = self._manifest.made
        self.words_added = 0
        """Words of documents that were added and cut, as `Index.lengths` counts them; all of them after a commit."""
        self._begin()
        self._sweep()
        if fresh:
            self._manifest.save(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Writer({str(self.folder)!r})"

    @property
    def mark(self) -> str:
        """What the last commit was given."""
        return self._manifest.mark

    def close(self) -> None:
        """Let others write. What was not committed is forgotten."""
        self._begin()
        self._lock.close()

    def add(self, name: str, title: str, text: str) -> None:
        """Add a document, in place of any of the same name."""
        self._drop_recent(name)
        self._recent[name] = self._count
        self._count += 1
        self._waiting.append((name, title, text))
        self._room -= len(text)
        if self._room < 0:
            self._cut()
            if sum(len(each.stream) for each in self._cuts) >= self._words:
                self._write()

    def delete(self, names: Iterable[str]) -> None:
        """Delete documents; names that no document has are passed over."""
        wanted = list(names)
        for name in wanted:
            self._drop_recent(name)
        self._drop_written(wanted)

    def commit(self, mark: str = "") -> None:
        """Make everything since the last commit visible at once."""
        self._cut()
        self._write()
        self._tidy()
        self._publish(mark)

    def compact(self) -> None:
        """Commit, under the mark that was, and remove deleted documents from the files too; until then, or until their
        shards are joined, their texts are still in them.
        """
        self._cut()
        self._write()
        first = 0
        while first < len(self._parts):
            last = self._fitting(first)
            if last > first + 1 or self._gone[first]:
                self._join(first, last)
            first += 1
        self._publish(self.mark)

    def _publish(self, mark: str) -> None:
        parts = tuple(
            replace(part, gone=gone.serialize() if gone else b"")
            for part, gone in zip(self._parts, self._gone, strict=True)
        )
        self._manifest = Manifest(parts=parts, mark=mark, made=self._made)
        self._manifest.save(self.folder)
        self._sweep()

    def _begin(self) -> None:
        self._waiting: list[tuple[str, str, str]] = []
        self._cuts: list[Cut] = []
        self._recent: dict[str, int] = {}
        self._dropped = BitMap()
        self._count = 0
        self._room = _CHARACTERS

    def _drop_recent(self, name: str) -> None:
        if name in self._recent:
            self._dropped.add(self._recent.pop(name))

    def _drop_written(self, names: list[str]) -> None:
        for shard, gone in zip(self._shards, self._gone, strict=True):
            gone.update(number for numbers in shard.named(names) for number in numbers)

    def _cut(self) -> None:
        if self._waiting:
            self._cuts.append(cut(self._waiting))
            self.words_added += len(self._cuts[-1].stream)
        self._waiting, self._room = [], _CHARACTERS

    def _write(self) -> None:
        """Make a shard of what was added; the manifest does not know of it yet."""
        if self._cuts:
            self._drop_written(list(self._recent))
            part = self._make(join(self._cuts))
            self._parts.append(part)
            self._shards.append(Shard(self.folder, part))
            self._gone.append(self._dropped)
        self._begin()

    def _make(self, documents: Cut) -> Part:
        self._made += 1
        try:
            return write_shard(self.folder / f"shard-{self._made:06d}.bin", documents)
        except OSError as error:
            raise CorpusError(f"{self.folder} cannot be written: {error.strerror}") from None

    def _tidy(self) -> None:
        """Join shards when there are many of a size, and write those anew that are mostly gone."""
        for number in range(len(self._parts)):
            if 2 * len(self._gone[number]) > self._parts[number].documents:
                self._join(number, number + 1)
        while self._parts:
            magnitude = _magnitude(self._parts[-1])
            alike = sum(1 for _ in takewhile(lambda part: _magnitude(part) <= magnitude, reversed(self._parts)))  # noqa: B023
            first = len(self._parts) - alike
            if alike < _MANY or self._fitting(first) < first + 2:
                return
            self._join(first, self._fitting(first))

    def _fitting(self, first: int) -> int:
        """The end of the shards from the first on that fit into one."""
        words = accumulate(part.words for part in self._parts[first:])
        return first + max(1, sum(1 for _ in takewhile(lambda total: total <= self._words, words)))

    def _join(self, first: int, last: int) -> None:
        """Make one shard of some, without the documents that are gone."""
        together = slice(first, last)
        cuts = [_kept(*each) for each in zip(self._shards[together], self._gone[together], strict=True)]
        part = self._make(join(cuts))
        self._parts[together] = [part]
        self._shards[together] = [Shard(self.folder, part)]
        self._gone[together] = [BitMap()]

    def _sweep(self) -> None:
        """Remove files that the manifest does not know: of a batch that was never committed, or that were joined, and
        manifests that were never given their name.
        """
        known = {part.file for part in self._manifest.parts}
        for path in [*self.folder.glob("shard-*.bin"), *self.folder.glob(".withhold-*")]:
            if path.name not in known:
                with suppress(OSError):  # where a file that is being read cannot be removed, the next writer will
                    path.unlink()


def _magnitude(part: Part) -> int:
    """How large a shard is, in powers of 8."""
    return part.words.bit_length() // 3


def _kept(shard: Shard, gone: BitMap) -> Cut:
    """The documents of a shard that are not gone."""
    if not gone:
        return shard.cut()
    names, titles = shard.strings("names"), shard.strings("titles")
    kept = [number for number in range(len(names)) if number not in gone]
    return join(
        [
            cut([(names[number], titles[number], shard.text(number)) for number in kept[start : start + _CUT]])
            for start in range(0, len(kept), _CUT)
        ]
    )


def _lock(folder: Path) -> IO[bytes]:
    """A file that is held as long as this writer is open; the system lets go of it when the process ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        others = any(path.name != _LOCK and not path.name.startswith(".") for path in folder.iterdir())
        if others and not manifests.is_there(folder):
            raise CorpusError(f"{folder} holds other files and no index; choose a folder that is new or empty")
        file = (folder / _LOCK).open("ab")
    except OSError as error:
        raise CorpusError(f"{folder} cannot be written: {error.strerror}") from None
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except OSError:
        file.close()
        raise CorpusError(f"another process is writing to {folder}; wait until it is done") from None
    return file
