"""Indexes from sources: built in batches, gone on with after a kill, added to, and cut back.

A document is named by where it came from: `letters/2009/a.docx`, or inside a file of many `wiki.xml.bz2#Ada Lovelace`.
With every batch the index is told which files were read, how they were then, and how far; so nothing is read twice, and
a file that has changed since is read anew in place of what it was. How a source was read is remembered, and holds until
something else is said. A file that now gives nothing keeps the documents that it gave before.
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
from withhold.corpora.index.cutting import pieces
from withhold.corpora.sources import Documents, Fields, Item, Meter, Skipped, parts, read, stamp
from withhold.errors import CorpusError, DocumentError, MalformedData, PluginError
from withhold.files import is_file
from withhold.learners.features import words

_CHARACTERS = 40_000_000
_SECONDS = 30
"""A batch is committed when it has so many characters, or after so long: that much work at most is lost by a kill."""

STAYS = "gave documents before and none now; those stay until they are deleted"

GONE = "no such file or folder; documents that came from it stay until they are deleted"

_TOLD = 50
_HEAD = 8
"""Of a mail, the subject is among so many paragraphs."""

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

    def is_as(self, now: Origin) -> bool:
        """Whether the file is still what was read, and would be read in the same way."""
        return (self.size, self.changed, self.manner) == (now.size, now.changed, now.manner)


@dataclass(frozen=True, slots=True)
class Mark(Value):
    """What an index knows of where its documents came from: the sources it was given, by what they are called in the
    names of documents, and their files.
    """

    sources: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    manners: Mapping[str, str] = field(default_factory=dict)
    """How each source is read, for files in it that are new."""
    date: str = ""

    @classmethod
    def parse(cls, text: str) -> Mark:
        """The mark of an index; an empty one of an index that was made in another way."""
        try:
            return cls.from_json(json.loads(text)) if text else cls()
        except (ValueError, RecursionError, MalformedData):
            raise CorpusError(
                "what the index tells of its sources cannot be read; delete its folder and build it again"
            ) from None

    def write(self) -> str:
        return json.dumps(replace(self, date=datetime.now(UTC).isoformat(timespec="seconds")).to_json())


@dataclass(frozen=True, slots=True)
class Progress(Value):
    """How far building is, or how it ended. Bytes are those of the files that have to be read."""

    files: int = 0
    unchanged: int = 0
    replaced: int = 0
    documents: int = 0
    removed: int = 0
    """Documents that were there before, of files that were read anew."""
    words: int = 0
    bytes: int = 0
    of_bytes: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    passed_over: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The files that something was passed over in, by the reason."""


def build(
    sources: Sequence[Path],
    folder: Path,
    *,
    documents: Documents,
    fields: Fields = Fields(),  # noqa: B008  (immutable)
    pages: int | None = None,
    track: Callable[[Progress], None] = lambda _progress: None,
) -> Progress:
    """Add all documents of the sources to the index in a folder, which is made if need be.

    Files that were read before and are the same are passed over; one that has changed is read in place of what it was;
    one that was being read when an earlier build was killed is gone on with. With `pages`, longer texts are cut into
    pages of about so many words; 0 does not. Of `fields` and `pages`, what is not given is as when the source was
    read before. `track` is told now and then how far it is.

    Raises:
        DocumentError: if no source exists; of several, one that does not is passed over.
        CorpusError: if the index cannot be written.
        PluginError: if something has to be installed for a source.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise CorpusError(f"{folder} is where the index goes; it cannot be a source of its own")
    found = Skipped()
    listed = _listed(sources, folder, found)
    with Writer(folder) as writer:
        work = _Work(writer, documents, fields, pages, track)
        work.read(listed)
        return work.ended(found)


def _listed(sources: Sequence[Path], folder: Path, skipped: Skipped) -> list[tuple[Path, list[Path]]]:
    """The files of each source that is there."""
    listed = []
    for number, source in enumerate(sources, 1):
        try:
            listed.append((source, list(parts(source, apart=folder, skipped=skipped))))
        except DocumentError:
            if number == len(sources) and not listed:
                raise
            skipped[GONE] += 1
            skipped.name(GONE, source)
    return listed


class _Work:
    """One run of building. What is known of sources is committed with the documents that came from them."""

    def __init__(
        self,
        writer: Writer,
        documents: Documents,
        fields: Fields,
        pages: int | None,
        track: Callable[[Progress], None],
    ) -> None:
        self.writer, self.documents, self.track = writer, documents, track
        mark = Mark.parse(writer.mark)
        self.sources, self.origins, self.manners = dict(mark.sources), dict(mark.origins), dict(mark.manners)
        self.given = _given(fields, pages)
        self.progress = Progress()
        self.skipped = Skipped()
        self.room, self.due = _CHARACTERS, time.monotonic() + _SECONDS

    def read(self, listed: Sequence[tuple[Path, list[Path]]]) -> None:
        """Read every file that is new or has changed. One that came in with another source is still called as then."""
        known = {origin.path: label for label, origin in self.origins.items()}
        labelled: dict[str, Path] = {}
        manners: dict[str, str] = {}
        for source, files in listed:
            root, found = _labelled(source, files, self.sources)
            self.manners[root] = self._manner(self.manners.get(root, ""))
            for named, file in found.items():
                label = known.get(_whole(file), named)
                labelled[label] = file
                before = self.origins.get(label)
                manners[label] = self.manners[root] if before is None else self._manner(before.manner)
        fresh = {label: _origin(file, manners[label]) for label, file in labelled.items()}
        wanted = {label: origin for label, origin in fresh.items() if not self._is_done(label, origin)}
        self._step(unchanged=len(labelled) - len(wanted), of_bytes=sum(origin.size for origin in wanted.values()))
        begun = {label for label in wanted if label in self.origins}
        held = _grouped(Index(self.writer.folder).names(), dict.fromkeys(begun)) if begun else {}
        for label, origin in wanted.items():
            self._file(label, labelled[label], origin, held.get(label, []))
        self.commit()

    def _manner(self, before: str) -> str:
        """How a file is read: as before, where nothing else is said."""
        told = {**(json.loads(before) if before else {}), **self.given}
        kept = {name: value for name, value in told.items() if value}
        return json.dumps(kept, sort_keys=True) if kept else ""

    def _is_done(self, label: str, now: Origin) -> bool:
        origin = self.origins.get(label)
        return origin is not None and origin.done and origin.is_as(now)

    def _file(self, label: str, file: Path, now: Origin, held: list[str]) -> None:
        """Read a file, from where an earlier run has got to if that is possible. `held` are its documents so far, which
        go when the first comes that is read in their place.
        """
        before = self.origins.get(label)
        anew = before is not None and not before.is_as(now)
        origin = now if anew or before is None else before
        skipped, meter, bytes_before = Skipped(origin.skipped), Meter(), self.progress.bytes
        taken, old, done = BitMap(map(_number, [] if anew else held)), held if anew else [], True
        fields, pages = _options(origin.manner)
        items = read(file, documents=self.documents, fields=fields, skipped=skipped, start=origin.items, meter=meter)
        try:
            for item in items:
                self._remove(old)
                old = []
                count = self._add(_named(label, item, taken), item, pages)
                origin = replace(
                    origin, items=item.number + 1, documents=origin.documents + count, skipped=dict(skipped)
                )
                self.origins[label] = origin
                self._look_up(bytes_before + min(meter.read, now.size))
        except PluginError as error:
            if label in self.sources:
                raise
            # One file of many needs something that is not installed; it is tried again when it may be.
            self._pass_over(Skipped({str(error): 1}), file)
            done = False
        if old:
            self._pass_over(Skipped({STAYS: 1}), file)
        else:
            self.origins[label] = replace(origin, done=done, skipped=dict(skipped))
        self._pass_over(skipped, file)
        self.progress = replace(self.progress, bytes=bytes_before + now.size)
        self._step(files=1, replaced=int(anew and not old))

    def _pass_over(self, skipped: Skipped, file: Path) -> None:
        for why, number in skipped.items():
            self.skipped[why] += number
            self.skipped.name(why, file)

    def _remove(self, held: list[str]) -> None:
        self.writer.delete(held)
        self.progress = replace(self.progress, removed=self.progress.removed + len(held))

    def _look_up(self, read: int) -> None:
        """Commit if it is time to, and tell how far it is."""
        if self.room < 0 or time.monotonic() > self.due:
            self.commit()
        if self.progress.documents % _TOLD == 0:
            self.progress = replace(self.progress, bytes=read)
            self.track(self.progress)

    def _add(self, name: str, item: Item, pages: int) -> int:
        """Add an item, in pages if it is to be cut, and say how many documents that makes. A title that its source gave
        it is a part of each.
        """
        texts = list(cut(item.text, pages)) if pages else [item.text]
        for number, text in enumerate(texts, 1):
            whole = titled(item.title, text) if item.titled else text
            self.writer.add(f"{name}{_PAGE}{number}" if len(texts) > 1 else name, item.title, whole)
        self.room -= len(item.text)
        documents = self.progress.documents + len(texts)
        self.progress = replace(self.progress, documents=documents, words=self.writer.words_added)
        return len(texts)

    def commit(self) -> None:
        self.writer.commit(Mark(self.sources, self.origins, self.manners).write())
        self.progress = replace(self.progress, words=self.writer.words_added)
        self.room, self.due = _CHARACTERS, time.monotonic() + _SECONDS

    def _step(self, **more: int) -> None:
        counted = {name: getattr(self.progress, name) + number for name, number in more.items()}
        self.progress = replace(self.progress, **counted)
        self.track(self.progress)

    def ended(self, besides: Skipped) -> Progress:
        files = {why: (*self.skipped.files.get(why, ()), *besides.files.get(why, ())) for why in self.skipped + besides}
        return replace(self.progress, skipped=dict(self.skipped + besides), passed_over=files)


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
                {label: manner for label, manner in mark.manners.items() if label not in labels},
            )
            gone = [name for name in held if _root(name, labels) is not None]
        else:
            gone = [name for name in held if name in wanted or name.rpartition(_PAGE)[0] in wanted]
            there = {*gone, *(name.rpartition(_PAGE)[0] for name in gone)}
            missing = [name for name in wanted if name not in there]
            if missing:
                raise CorpusError(_unknown(missing[0], len(missing), held, mark))
        writer.delete(gone)
        writer.commit(mark.write())
        writer.compact()
    return len(gone)


def describe(folder: Path) -> dict[str, object]:
    """What is in an index: how much, and from where. All of it is compared with its checksums.

    Raises:
        CorpusError: if there is none, or it is damaged.
    """
    index = Index(folder)
    index.verify()
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


def cut(text: str, length: int) -> Iterator[str]:
    """A text in pages of about so many words, each ending with a paragraph where that is possible."""
    page: list[str] = []
    count = 0
    for paragraph in _pieces(text, length):
        size = len(paragraph.split())
        if page and count + size > length:
            yield "\n\n".join(page)
            page, count = [], 0
        page.append(paragraph)
        count += size
    if page:
        yield "\n\n".join(page)


def titled(title: str, text: str) -> str:
    """A text with its title as the first paragraph, unless it begins with that already, or has it in its head."""
    sought, parts = words(title), pieces(text)
    length = 4 * len(title) + 100
    if not sought or any(words(part[:length])[: len(sought)] == sought for part in parts[:_HEAD]):
        return text
    return "\n\n".join([title, *parts])


def _pieces(text: str, length: int) -> Iterator[str]:
    """Paragraphs, and of those that are longer than a page pieces of a page."""
    for paragraph in _BLANK.split(text.strip()):
        read = paragraph.split()
        if len(read) <= length:
            yield paragraph
        else:
            yield from (" ".join(read[start : start + length]) for start in range(0, len(read), length))


def _labelled(source: Path, files: Sequence[Path], sources: dict[str, str]) -> tuple[str, dict[str, Path]]:
    """The files of a source by what they are called in the names of documents; the source is noted in `sources`."""
    whole = source.resolve()
    label = next((label for label, path in sources.items() if path == str(whole)), "") or _label(whole, sources)
    sources[label] = str(whole)
    if is_file(source):
        return label, {label: source}
    return label, {f"{label}/{_shown(file.relative_to(source).as_posix())}": file for file in files}


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


def _unknown(name: str, missing: int, held: Sequence[str], mark: Mark) -> str:
    more = f" (nor {missing - 1} more of the names)" if missing > 1 else ""
    like = f"; names look like {held[0]!r}, and `withhold corpus search` shows them" if held else ""
    source = "; it is a source: --source deletes all that came from it" if name.rstrip("/") in mark.sources else like
    return f"no document is called {name!r}{more}{source}; nothing was deleted"


def _read_of(label: str, mark: Mark) -> dict[str, object]:
    origins = [origin for name, origin in mark.origins.items() if _root(name, {label: None}) is not None]
    skipped: Skipped = sum((Skipped(origin.skipped) for origin in origins), Skipped())
    return {"files": len(origins), "skipped": dict(skipped), "complete": all(origin.done for origin in origins)}


def _origin(file: Path, manner: str) -> Origin:
    """A file that is about to be read."""
    now = stamp(file)
    return Origin(_whole(file), now.size, now.changed, manner)


def _given(fields: Fields, pages: int | None) -> dict[str, object]:
    """What is said of how to read; the rest is as before."""
    told = {"text": list(fields.text), "title": fields.title, "name": fields.name}
    return {name: value for name, value in told.items() if value} | ({} if pages is None else {"pages": pages})


def _options(manner: str) -> tuple[Fields, int]:
    told = json.loads(manner) if manner else {}
    return Fields(tuple(told.get("text", ())), told.get("title", ""), told.get("name", "")), told.get("pages", 0)


def _whole(file: Path) -> str:
    return str(file.resolve())
