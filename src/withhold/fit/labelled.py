"""Labelled documents from where people have them: JSON lines, tables, and folders of files.

A source is cut into batches, which are cheap to make and can be read in another process. Errors name the file and the
line, never what stands in it.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import islice
from pathlib import Path, PurePath
from typing import IO, Any, NamedTuple, Protocol

from withhold.codec import Value
from withhold.errors import DamagedDocument, DocumentError, HostileDocument, MalformedData, UnsupportedFormat
from withhold.files import is_file, is_folder, is_there
from withhold.redactor import Redactor

LABELS = "labels.csv"

_BLOCK = 4_000_000
_LONGEST_LINE = 256_000_000
_ROWS, _FILES = 2_000, 50
_NAMED = 20
_NAME = re.compile(r"[\w.-]{1,40}( [\w.-]{1,20}){0,3}")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Labelled(Value):
    """A text and the values that it has of each attribute."""

    text: str = field(repr=False)
    labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    name: str = field(default="", repr=False)


class Skipped(Counter[str]):
    """How many documents were passed over, by the reason."""


Read = tuple[list[Labelled], Skipped]


class Batch(Protocol):
    """Some documents of a source, yet to be read; it can be sent to another process."""

    def read(self) -> Read: ...


class Line(NamedTuple):
    """A place to name in an error; written out only then."""

    source: str
    number: int

    def __str__(self) -> str:
        return f"{self.source}, line {self.number}"


@dataclass(frozen=True, slots=True)
class Fields:
    """Where in a record the text is, and which attributes to take along."""

    secret: str
    keep: tuple[str, ...] = ()
    text: str = "text"

    @property
    def attributes(self) -> tuple[str, ...]:
        return (self.secret, *self.keep)

    def check(self, there: Collection[str], where: object, *wanted: str) -> None:
        missing = [name for name in wanted if name not in there]
        if missing:
            raise MalformedData(f"{where}: no {_listed(missing)}; {_there(there)}")

    def labelled(self, record: Mapping[str, Any], where: object) -> Labelled | None:
        """The document in a record; None if nothing is said of the secret."""
        text = record[self.text]
        if not isinstance(text, str):
            raise MalformedData(f"{where}: {self.text!r} must be text")
        labels = {name: _values(record.get(name), name, where) for name in self.attributes}
        return Labelled(text, labels) if labels[self.secret] else None


def documents(
    source: Path, secret: str, keep: Sequence[str] = (), text_field: str = "text", *, skipped: Skipped | None = None
) -> Iterator[Labelled]:
    """The documents of a source, one by one; those that are passed over are counted in `skipped`.

    The source is a file of JSON lines (`.jsonl`, `.ndjson`), a table with a header (`.csv`, `.tsv`), either also as
    `.gz`, or a folder of documents: with a `labels.csv` (a column `file` and one per attribute), or sorted into a
    folder per class, or per value to keep and class (`sector/client/file`).

    Raises:
        DocumentError: if the source is none of these or cannot be read.
        MalformedData: if a record is wrong or lacks a field, saying which.
    """
    for batch in batches(source, Fields(secret, tuple(keep), text_field)):
        read, passed = batch.read()
        if skipped is not None:
            skipped.update(passed)
        yield from read


def batches(source: Path, fields: Fields) -> Iterator[Batch]:
    """The source in pieces that can be read apart."""
    if is_folder(source):
        return _files(source, fields)
    if not is_file(source):
        raise DocumentError(f"{source}: {'not a plain file' if is_there(source) else 'no such file or folder'}")
    suffixes = [suffix.lower() for suffix in source.suffixes if suffix.lower() != ".gz"]
    kind = suffixes[-1] if suffixes else ""
    if kind in (".jsonl", ".ndjson"):
        return _lines(source, fields)
    if kind in (".csv", ".tsv"):
        return _rows(source, fields, "\t" if kind == ".tsv" else ",")
    raise UnsupportedFormat(f"{source}: give .jsonl, .ndjson, .csv or .tsv (also .gz), or a folder of documents")


@dataclass(frozen=True, slots=True, repr=False)
class Lines:
    """Lines of JSON, the first of which is line `first` of the file."""

    data: bytes
    first: int
    source: str
    fields: Fields

    def read(self) -> Read:
        found, skipped = [], Skipped()
        for number, line in enumerate(self._lines(), self.first):
            if not line or line.isspace():
                continue
            document = self._document(line, number)
            if document is None:
                skipped[_without(self.fields)] += 1
            else:
                found.append(document)
        return found, skipped

    def _lines(self) -> list[str]:
        data = self.data.removeprefix(BOM_UTF8) if self.first == 1 else self.data
        try:
            return data.decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            number = self.first + data.count(b"\n", 0, error.start)
            raise MalformedData(f"{self.source}, line {number}: not UTF-8") from None

    def _document(self, line: str, number: int) -> Labelled | None:
        where = Line(self.source, number)
        try:
            record = _DECODER.decode(line)
        except (ValueError, RecursionError):
            raise MalformedData(f"{where}: not JSON") from None
        if not isinstance(record, dict):
            raise MalformedData(f"{where}: expected an object with fields")
        self.fields.check(record, where, self.fields.text, self.fields.secret)
        return self.fields.labelled(record, where)


@dataclass(frozen=True, slots=True, repr=False)
class Ready:
    """Documents that had to be read one after the other."""

    documents: list[Labelled]
    skipped: Skipped

    def read(self) -> Read:
        return self.documents, self.skipped


@dataclass(frozen=True, slots=True, repr=False)
class Files:
    """Files and their labels."""

    files: list[tuple[Path, Mapping[str, tuple[str, ...]]]]
    fields: Fields

    def read(self) -> Read:
        found, skipped, redactor = [], Skipped(), Redactor()
        for path, labels in self.files:
            if not labels.get(self.fields.secret):
                skipped[_without(self.fields)] += 1
                continue
            try:
                # Collections of plain text often come without endings.
                document = redactor.read(path, name=path.name if path.suffix else f"{path.name}.txt")
            except DocumentError as error:
                skipped[type(error).__name__] += 1
            else:
                found.append(Labelled(document.text, labels, path.name))
        return found, skipped


def _lines(source: Path, fields: Fields) -> Iterator[Lines]:
    first, rest = 1, b""
    with _open(source) as file:
        while block := file.read(_BLOCK):
            whole, end, tail = block.rpartition(b"\n")
            if not end:
                rest += block
                if len(rest) > _LONGEST_LINE:
                    raise HostileDocument(f"{source}, line {first}: longer than {_LONGEST_LINE // 1_000_000} MB")
                continue
            data = rest + whole
            yield Lines(data, first, str(source), fields)
            first, rest = first + data.count(b"\n") + 1, tail
    if rest:
        yield Lines(rest, first, str(source), fields)


def _rows(source: Path, fields: Fields, delimiter: str) -> Iterator[Ready]:
    records = _table(source, delimiter, fields.text, *fields.attributes)
    while chunk := list(islice(records, _ROWS)):
        found = [fields.labelled(record, where) for where, record in chunk]
        known = [document for document in found if document is not None]
        skipped = Skipped({_without(fields): len(found) - len(known)} if len(found) > len(known) else {})
        yield Ready(known, skipped)


def _table(source: Path, delimiter: str, *wanted: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table by the names of its columns, each with its place."""
    # The limit is one for the whole process; the one of the library is too low for documents.
    csv.field_size_limit(_LONGEST_LINE)
    with _open(source) as file:
        rows = csv.reader(TextIOWrapper(file, "utf-8-sig", newline=""), delimiter=delimiter, strict=True)
        try:
            header = next(rows, [])
            _check_header(header, f"{source}, line 1", wanted)
            for row in rows:
                where = f"{source}, line {rows.line_num}"
                if row and len(row) != len(header):
                    raise MalformedData(f"{where}: {len(row)} cells, but the header has {len(header)}")
                if row:
                    yield where, dict(zip(header, row, strict=True))
        except (csv.Error, UnicodeDecodeError):
            raise MalformedData(f"{source}, after line {rows.line_num}: not a table in UTF-8") from None


def _check_header(header: Sequence[str], where: str, wanted: Sequence[str]) -> None:
    Fields("").check(header, where, *wanted)
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise MalformedData(f"{where}: {_listed(twice)} more than once")


def _files(source: Path, fields: Fields) -> Iterator[Files]:
    listed = _listed_files(source, fields) if is_file(source / LABELS) else _sorted_files(source, fields)
    while chunk := list(islice(listed, _FILES)):
        yield Files(chunk, fields)


def _listed_files(source: Path, fields: Fields) -> Iterator[tuple[Path, Mapping[str, tuple[str, ...]]]]:
    """The files that `labels.csv` lists; one that is listed again has several values."""
    gathered: dict[str, dict[str, tuple[str, ...]]] = {}
    for where, record in _table(source / LABELS, ",", "file", *fields.attributes):
        name = PurePath(record["file"])
        if name.is_absolute() or ".." in name.parts:
            raise MalformedData(f"{where}: the file is not inside the folder")
        held = gathered.setdefault(record["file"], {})
        for attribute in fields.attributes:
            values = (*held.get(attribute, ()), *_values(record[attribute], attribute, where))
            held[attribute] = tuple(dict.fromkeys(values))
    for file, labels in gathered.items():
        yield source / file, labels


def _sorted_files(source: Path, fields: Fields) -> Iterator[tuple[Path, Mapping[str, tuple[str, ...]]]]:
    """The files in class folders, or in class folders inside the folders of what to keep."""
    levels = (*fields.keep, fields.secret)
    if len(levels) > 2:
        raise MalformedData(f"{source}: for more than one attribute to keep, add a {LABELS} with a column for each")
    there = False
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source).parts
        if any(part.startswith(".") for part in inside) or not is_file(path):
            continue
        there = True
        named = inside[: len(levels)] if len(inside) > len(levels) else ()
        yield path, {name: (value,) for name, value in zip(levels, named, strict=False)}
    if not there:
        raise DocumentError(f"{source}: no files in it")


@contextmanager
def _open(source: Path) -> Iterator[IO[bytes]]:
    opening: Any = gzip.open if source.suffix.lower() == ".gz" else Path.open
    try:
        with opening(source, "rb") as file:
            yield file
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DamagedDocument(f"{source}: not a whole gzip file") from None
    except OSError as error:
        raise DocumentError(f"{source} cannot be read: {error.strerror}") from None


def _values(value: object, name: str, where: object) -> tuple[str, ...]:
    """One value or several as text; none for null and for empty text."""
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    several = value if isinstance(value, list) else [value]
    if any(isinstance(each, (list, dict)) for each in several):
        raise MalformedData(f"{where}: {name!r} must be text or a list of texts")
    texts = (str(each).strip() for each in several if each is not None)
    return tuple(dict.fromkeys(text for text in texts if text))


def _without(fields: Fields) -> str:
    return f"no {fields.secret!r}"


def _there(names: Collection[str]) -> str:
    """What fields there are; but not if they look like text, as in a table whose first line is a document."""
    if all(map(_NAME.fullmatch, names)):
        return f"there are: {_listed(list(names))}"
    return f"there are {len(names)} others that are hardly names; a table names its columns in the first line"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(repr(name) for name in names[:_NAMED]) + more or "nothing"
