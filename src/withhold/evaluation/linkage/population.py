"""What an attacker knows: texts about people, from JSON lines, as a corpus that lasts as long as it is needed."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from withhold.corpora.index import Index, Writer
from withhold.errors import DamagedDocument, DocumentError, MalformedData
from withhold.learners.features import words
from withhold.private import PrivateFolder
from withhold.spans import Span, union

TEXTS = ("text", "body", "abstract")
_RUN = 25
"""Texts that share a run of so many words are one another's source."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the name of whom it is about, and what people have marked in it as telling."""

    name: str = field(repr=False)
    text: str = field(repr=False)
    marked: tuple[Span, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """An index of all texts, the folder it is in, and the file each text is from."""

    corpus: Index
    folder: Path
    files: tuple[str, ...]

    def only(self, file: str) -> list[bool]:
        """Which documents are from a file."""
        return [name.rpartition("#")[0] == file for name in self.corpus.names()]

    def sources(self, cases: Sequence[Case]) -> list[set[str]]:
        """For each text the documents that it is from: those that hold much of it, or a long run of its words."""
        runs: dict[tuple[str, ...], list[int]] = {}
        for number, case in enumerate(cases):
            for run in set(_runs(words(case.text))):
                runs.setdefault(run, []).append(number)
        found = [set(self.corpus.copies(case.text)) for case in cases]
        for name in self.corpus.names():
            for run in _runs(words(self.corpus.text(name))):
                for number in runs.get(run, ()):
                    found[number].add(name)
        return found


def _runs(read: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(read[start : start + _RUN]) for start in range(len(read) - _RUN + 1))


@contextmanager
def population(files: Sequence[Path]) -> Iterator[Population]:
    """The texts of all files, with the names of whom they are about as titles.

    Raises:
        DocumentError, MalformedData: if a file cannot be read or has no text, or a line of it has no name or no text.
    """
    names = _distinct(files)
    with PrivateFolder() as private:
        with Writer(private.path) as writer:
            for name, path in zip(names, files, strict=True):
                for number, about, text, _ in _texts(path):
                    writer.add(f"{name}#{number}", about, text)
            writer.commit()
        yield Population(Index(private.path), private.path, names)


def cases(path: Path) -> list[Case]:
    """The texts to sanitize.

    Raises:
        DocumentError, MalformedData: if the file cannot be read, or a line of it is not such a text.
    """
    return [Case(name, text, _marked(record, text, path, number)) for number, name, text, record in _texts(path)]


def _texts(path: Path) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    """The number of each line, whom it is about, what it says, and all of it."""
    number = 0
    for number, record in records(path):
        yield number, *_said(record, path, number), record
    if not number:
        raise MalformedData(f"{path}: there is no text in it")


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file, which may be compressed, with their numbers from 1; empty ones are passed over."""
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as unpacked:
            is_packed = file.peek(2).startswith(b"\x1f\x8b")
            for number, line in enumerate(unpacked if is_packed else file, 1):
                if line.strip():
                    yield number, _record(line, path, number)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DamagedDocument(f"{path}: compressed, and not whole") from None
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror or 'cannot be read'}") from None


def _record(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedData(f"{path}, line {number}: not UTF-8") from None
    except (ValueError, RecursionError):
        raise MalformedData(f"{path}, line {number}: not JSON") from None
    if not isinstance(record, dict):
        raise MalformedData(f"{path}, line {number}: not an object with a name and a text")
    return record


def _said(record: dict[str, Any], path: Path, number: int) -> tuple[str, str]:
    name = record.get("name", record.get("title"))
    text = next((record[key] for key in TEXTS if isinstance(record.get(key), str)), None)
    if not isinstance(name, str) or not words(name) or text is None:
        raise MalformedData(f"{path}, line {number}: needs a `name` and a `text`, `body` or `abstract`")
    return name, text


def _marked(record: dict[str, Any], text: str, path: Path, number: int) -> tuple[Span, ...]:
    try:
        return union(Span(int(each["start"]), min(int(each["end"]), len(text))) for each in record.get("spans") or ())
    except (KeyError, TypeError, ValueError, OverflowError):
        raise MalformedData(f"{path}, line {number}: spans need a `start` and an `end` in the text") from None


def _distinct(files: Sequence[Path]) -> tuple[str, ...]:
    """A short name for each file."""
    names = [path.name.removesuffix(".gz").removesuffix(".jsonl") for path in files]
    return tuple(name if names.count(name) == 1 else f"{name}-{at}" for at, name in enumerate(names, 1))
