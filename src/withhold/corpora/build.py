"""Indexes from sources: built in batches, gone on with after a kill, added to, and cut back.

A document is named by where it came from: `letters/2009/a.docx`, or inside a file of many `wiki.xml.bz2#Ada Lovelace`.
With every batch the index is told which files were read, how they were then, and how far; so nothing is read twice, and
a file that has changed since is read anew in place of what it was.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

from pyroaring import BitMap

from withhold.codec import Value
from withhold.corpora.index import Index, Writer
from withhold.corpora.sources import Documents, Fields, Item, Meter, Skipped, Stamp, parts, read, stamp
from withhold.errors import CorpusError, MalformedData, PluginError
from withhold.files import is_file

_CHARACTERS = 40_000_000
_SECONDS = 30
"""A batch is committed when it has so many characters, or after so long: that much work at most is lost by a kill."""

_TOLD = 50
_BLANK = re.compile(r"\n[^\S\n]*\n\s*")
_PAGE = "#page "


@dataclass(frozen=True, slots=True)
class Origin(Value):
    """A file that documents came from: as it was, how it was read, and how far."""

    path: str
    size: int
    changed: int
    manner: str = ""
    items: int = 0
    done: bool = False
    documents: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)

    def is_as(self, now: Stamp, manner: str) -> bool:
        """Whether the file is still what was read, and would be read in the same way."""
        return (self.size, self.changed, self.manner) == (now.size, now.changed, manner)


@dataclass(frozen=True, slots=True)
class Mark(Value):
    """What an index knows of where its documents came from: the sources it was given, by what they are called in the
    names of documents, and their files.
    """

    sources: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    date: str = ""

    @classmethod
    def parse(cls, text: str) -> Mark:
        """The mark of an index; an empty one of an index that was made in another way."""
        try:
            return cls.from_json(json.loads(text)) if text else cls()
        except (ValueError, RecursionError, MalformedData):
            raise CorpusError("what the index tells of its sources cannot be read; build it anew") from None

    def write(self) -> str:
        return json.dumps(replace(self, date=datetime.now(UTC).isoformat(timespec="seconds")).to_json())


@dataclass(frozen=True, slots=True)
class Progress(Value):
    """How far building is, or how it ended. Bytes are those of the files that have to be read."""

    files: int = 0
    unchanged: int = 0
    replaced: int = 0
    documents: int = 0
    words: int = 0
    bytes: int = 0
    of_bytes: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)


def build(
    sources: Sequence[Path],
    folder: Path,
    *,
    documents: Documents,
    fields: Fields = Fields(),  # noqa: B008  (immutable)
    pages: int = 0,
    track: Callable[[Progress], None] = lambda _progress: None,
) -> Progress:
    """Add all documents of the sources to the index in a folder, which is made if need be.

    Files that were read before and are the same are passed over; one that has changed is read in place of what it was;
    one that was being read when an earlier build was killed is gone on with. With `pages`, longer texts are cut into
    pages of about so many words. `track` is told now and then how far it is.

    Raises:
        DocumentError: if a source does not exist.
        CorpusError: if the index cannot be written.
        PluginError: if something has to be installed for a source.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise CorpusError(f"{folder} is where the index goes; it cannot be a source of its own")
    found = Skipped()
    listed = [(source, list(parts(source, apart=folder, skipped=found))) for source in sources]
    with Writer(folder) as writer:
        work = _Work(writer, documents, fields, pages, track)
        work.read(listed)
        return work.ended(found)


class _Work:
    """One run of building. What is known of sources is committed with the documents that came from them."""

    def __init__(
        self, writer: Writer, documents: Documents, fields: Fields, pages: int, track: Callable[[Progress], None]
    ) -> None:
        self.writer, self.documents, self.fields, self.pages, self.track = writer, documents, fields, pages, track
        mark = Mark.parse(writer.mark)
        self.sources, self.origins = dict(mark.sources), dict(mark.origins)
        self.manner = _manner(fields, pages)
        self.progress = Progress()
        self.skipped = Skipped()
        self.room, self.due = _CHARACTERS, time.monotonic() + _SECONDS

    def read(self, listed: Sequence[tuple[Path, list[Path]]]) -> None:
        """Read every file that is new or has changed. One that came in with another source is still called as then."""
        known = {origin.path: label for label, origin in self.origins.items()}
        labelled = {
            known.get(_whole(file), label): file
            for source, files in listed
            for label, file in _labelled(source, files, self.sources).items()
        }
        stamps = {label: stamp(file) for label, file in labelled.items()}
        wanted = {label: now for label, now in stamps.items() if not self._is_done(label, now)}
        self._step(unchanged=len(labelled) - len(wanted), of_bytes=sum(now.size for now in wanted.values()))
        begun = {label: now for label, now in wanted.items() if label in self.origins}
        held = _grouped(Index(self.writer.folder).names(), begun) if begun else {}
        for label, now in wanted.items():
            self._file(label, labelled[label], now, held.get(label, []))
        self.commit()

    def _is_done(self, label: str, now: Stamp) -> bool:
        origin = self.origins.get(label)
        return origin is not None and origin.done and origin.is_as(now, self.manner)

    def _file(self, label: str, file: Path, now: Stamp, held: list[str]) -> None:
        """Read a file, from where an earlier run has got to if that is possible. `held` are its documents so far."""
        origin = self.origins.get(label)
        if origin is None or not origin.is_as(now, self.manner):
            self.writer.delete(held)
            self._step(replaced=int(origin is not None))
            origin, held = Origin(_whole(file), now.size, now.changed, self.manner), []
        skipped, meter, before = Skipped(origin.skipped), Meter(), self.progress.bytes
        taken, done = BitMap(map(_number, held)), True
        items = read(
            file, documents=self.documents, fields=self.fields, skipped=skipped, start=origin.items, meter=meter
        )
        try:
            for item in items:
                count = self._add(_named(label, item, taken), item)
                origin = replace(
                    origin, items=item.number + 1, documents=origin.documents + count, skipped=dict(skipped)
                )
                self.origins[label] = origin
                self._look_up(before + min(meter.read, now.size))
        except PluginError as error:
            if label in self.sources:
                raise
            # One file of many needs something that is not installed; it is tried again when it may be.
            self.skipped[str(error)] += 1
            done = False
        self.origins[label] = replace(origin, done=done, skipped=dict(skipped))
        self.skipped += skipped
        self.progress = replace(self.progress, bytes=before + now.size)
        self._step(files=1)

    def _look_up(self, read: int) -> None:
        """Commit if it is time to, and tell how far it is."""
        if self.room < 0 or time.monotonic() > self.due:
            self.commit()
        if self.progress.documents % _TOLD == 0:
            self.progress = replace(self.progress, bytes=read)
            self.track(self.progress)

    def _add(self, name: str, item: Item) -> int:
        """Add an item, in pages if it is to be cut, and say how many documents that makes."""
        texts = list(cut(item.text, self.pages)) if self.pages else [item.text]
        for number, text in enumerate(texts, 1):
            self.writer.add(f"{name}{_PAGE}{number}" if len(texts) > 1 else name, item.title, text)
        self.room -= len(item.text)
        words = len(item.text.split())
        self.progress = replace(
            self.progress, documents=self.progress.documents + len(texts), words=self.progress.words + words
        )
        return len(texts)

    def commit(self) -> None:
        self.writer.commit(Mark(self.sources, self.origins).write())
        self.room, self.due = _CHARACTERS, time.monotonic() + _SECONDS

    def _step(self, **more: int) -> None:
        counted = {name: getattr(self.progress, name) + number for name, number in more.items()}
        self.progress = replace(self.progress, **counted)
        self.track(self.progress)

    def ended(self, besides: Skipped) -> Progress:
        return replace(self.progress, skipped=dict(self.skipped + besides))


def delete(folder: Path, names: Iterable[str], *, sources: bool = False) -> int:
    """Delete documents by name, with all their pages; or all documents of sources, by their names or paths, which are
    then read again by the next build. Nothing of them is left in the files of the index. Says how many documents went.

    Raises:
        CorpusError: if there is no index, or no such document or source in it.
    """
    wanted = list(dict.fromkeys(names))
    held = list(Index(folder).names())
    with Writer(folder) as writer:
        mark = Mark.parse(writer.mark)
        if sources:
            labels = dict.fromkeys(_source(name, mark) for name in wanted)
            mark = Mark(
                {label: path for label, path in mark.sources.items() if label not in labels},
                {label: origin for label, origin in mark.origins.items() if _root(label, labels) is None},
            )
            gone = [name for name in held if _root(name, labels) is not None]
        else:
            gone = [name for name in held if name in wanted or name.rpartition(_PAGE)[0] in wanted]
            there = {*gone, *(name.rpartition(_PAGE)[0] for name in gone)}
            missing = sum(name not in there for name in wanted)
            if missing:
                raise CorpusError(f"{missing} of {len(wanted)} names are those of no document; nothing was deleted")
        writer.delete(gone)
        writer.commit(mark.write())
        writer.compact()
    return len(gone)


def describe(folder: Path) -> dict[str, object]:
    """What is in an index: how much, and from where.

    Raises:
        CorpusError: if there is none.
    """
    index = Index(folder)
    mark = Mark.parse(index.holdings.manifest.mark)
    names = list(index.names())
    of_source = _grouped(names, mark.sources)
    return {
        "folder": str(folder),
        "documents": index.size("document"),
        "paragraphs": index.size("paragraph"),
        "words": int(index.lengths().sum()),
        "bytes": sum(file.stat().st_size for file in Path(folder).iterdir() if file.is_file()),
        "date": mark.date,
        "complete": all(origin.done for origin in mark.origins.values()),
        "sources": [
            {"name": label, "path": path, "documents": len(of_source.get(label, [])), **_read_of(label, mark)}
            for label, path in mark.sources.items()
        ],
    }


def cut(text: str, words: int) -> Iterator[str]:
    """A text in pages of about so many words, each ending with a paragraph where that is possible."""
    page: list[str] = []
    count = 0
    for paragraph in _pieces(text, words):
        length = len(paragraph.split())
        if page and count + length > words:
            yield "\n\n".join(page)
            page, count = [], 0
        page.append(paragraph)
        count += length
    if page:
        yield "\n\n".join(page)


def _pieces(text: str, words: int) -> Iterator[str]:
    """Paragraphs, and of those that are longer than a page pieces of a page."""
    for paragraph in _BLANK.split(text.strip()):
        read = paragraph.split()
        if len(read) <= words:
            yield paragraph
        else:
            yield from (" ".join(read[start : start + words]) for start in range(0, len(read), words))


def _labelled(source: Path, files: Sequence[Path], sources: dict[str, str]) -> dict[str, Path]:
    """The files of a source by what they are called in the names of documents; the source is noted in `sources`."""
    whole = source.resolve()
    label = next((label for label, path in sources.items() if path == str(whole)), "") or _label(whole, sources)
    sources[label] = str(whole)
    if is_file(source):
        return {label: source}
    return {f"{label}/{_shown(file.relative_to(source).as_posix())}": file for file in files}


def _label(source: Path, sources: Mapping[str, str]) -> str:
    """The end of a path that no file of another source can be called by."""
    for start in range(len(source.parts) - 1, -1, -1):
        label = _shown("/".join(source.parts[start:]))
        if _root(label, sources) is None and not any(_root(other, {label: ""}) for other in sources):
            return label
    return _shown(str(source))


def _shown(path: str) -> str:
    """A path as part of a name: in one line, of whole characters, and without the sign that ends it."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in path).replace("#", "%23")


def _named(label: str, item: Item, taken: BitMap) -> str:
    """A name that no other document of the file has; `taken` are those that are, in short."""
    name = f"{label}#{item.name}" if item.name else label
    if _number(name) in taken:
        name = f"{name}~{item.number}"
    taken.add(_number(name))
    return name


def _number(name: str) -> int:
    return crc32(name.rpartition(_PAGE)[0].encode() if _PAGE in name else name.encode())


def _grouped(names: Iterable[str], labels: Mapping[str, object]) -> dict[str, list[str]]:
    """The names of documents by the file or source they came from."""
    found: dict[str, list[str]] = {}
    for name in names:
        label = _root(name, labels)
        if label is not None:
            found.setdefault(label, []).append(name)
    return found


def _root(name: str, labels: Mapping[str, object]) -> str | None:
    """Which of the labels of files or sources a name begins with."""
    file = name.partition("#")[0]
    while file:
        if file in labels:
            return file
        file = file.rpartition("/")[0]
    return None


def _source(name: str, mark: Mark) -> str:
    for label, path in mark.sources.items():
        if name.rstrip("/") == label or str(Path(name).resolve()) == path:
            return label
    known = ", ".join(mark.sources) or "none"
    raise CorpusError(f"the index was not built from {name}; its sources are: {known}")


def _read_of(label: str, mark: Mark) -> dict[str, object]:
    origins = [origin for name, origin in mark.origins.items() if _root(name, {label: None}) is not None]
    skipped: Skipped = sum((Skipped(origin.skipped) for origin in origins), Skipped())
    return {"files": len(origins), "skipped": dict(skipped), "complete": all(origin.done for origin in origins)}


def _manner(fields: Fields, pages: int) -> str:
    """How files are read, in short; the same way is not told."""
    told = {"pages": pages, "text": fields.text, "title": fields.title, "name": fields.name}
    return json.dumps({name: value for name, value in told.items() if value}) if any(told.values()) else ""


def _whole(file: Path) -> str:
    return str(file.resolve())
