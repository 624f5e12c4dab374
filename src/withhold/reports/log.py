"""A log of what was done: one line of JSON for each entry, and in each the digest of the line before it.

Whoever changes, drops or inserts a line breaks the chain at that place. Someone who may write the file can of course
write all of it anew: note the digest of the last line elsewhere (`head`), and nothing before it can be changed unseen.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal

from withhold.codec import Value
from withhold.errors import MalformedData, OutputError

NAME = "log.jsonl"
START = "0" * 64
"""What the first entry has for the line before it."""
_LONGEST = 1 << 16

Event = Literal["redacted", "undone", "interrupted"]


@dataclass(frozen=True, slots=True)
class Entry(Value):
    """One line. `report` is the name of a report in the folder of the log, `digest` that of its bytes, `result` that of
    the redacted file.

    A report is `redacted` when its entry is written, which is before the redacted file is; `undone` if that file could
    not be written after all. `interrupted` says that the line before it is a torn one.
    """

    number: int
    time: str
    event: Event
    previous: str
    report: str = ""
    digest: str = ""
    result: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Flaw(Value):
    """What is wrong with a log, in which line; 0 is the log as a whole."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Chain(Value):
    """What a log holds, what is wrong with it, what only should be known, and the digest of its last line."""

    entries: tuple[Entry, ...]
    flaws: tuple[Flaw, ...]
    notes: tuple[Flaw, ...]
    head: str

    @property
    def current(self) -> dict[str, Entry]:
        """The last entry of every report that was not undone."""
        last = {entry.report: entry for entry in self.entries if entry.event != "interrupted"}
        return {name: entry for name, entry in last.items() if entry.event == "redacted"}


def append(path: str | Path, event: Event, *, report: str = "", digest: str = "", result: str = "") -> Entry:
    """Add an entry to the log, which is made if need be. Several processes can do so at the same time.

    A torn last line, as a kill can leave one, stays, and an entry of its own says that it is torn.

    Raises:
        OutputError: if the log cannot be written, or its last line is none.
    """
    from withhold import __version__

    path = Path(path)
    try:
        with open(path, "ab+", opener=_private) as file, _locked(file):
            number, previous, end = _last(file, path)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            lines = b"" if end == "whole" else b"\n"
            if end == "torn":
                said = _line(Entry(number + 1, now, "interrupted", previous, version=__version__))
                lines, number, previous = lines + said + b"\n", number + 1, _digest(said)
            entry = Entry(number + 1, now, event, previous, report, digest, result, __version__)
            file.write(lines + _line(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
            return entry
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None


def read(path: str | Path, head: str = "") -> Chain:
    """The entries of a log, and every place where its chain is broken; with `head`, a line must have that digest.

    Raises:
        OutputError: if the log cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise OutputError(f"{path} cannot be read: {error.strerror}") from None
    *lines, rest = data.split(b"\n")
    entries, flaws, notes = list[Entry](), list[Flaw](), list[Flaw]()
    previous, digests = START, {START}
    torn: int | None = None
    for number, line in enumerate(lines, 1):
        entry = _parse(line)
        if torn is not None:
            said = entry is not None and entry.event == "interrupted"
            what = "a torn line: writing it was interrupted, and the next entry says so" if said else "no entry"
            (notes if said else flaws).append(Flaw(torn, what))
        elif entry is not None and entry.event == "interrupted":
            flaws.append(Flaw(number, "says that the line before it is torn, which it is not"))
        torn = number if entry is None else None
        if entry is not None:
            flaws += (Flaw(number, what) for what in _wrong(entry, number, previous))
            entries.append(entry)
        previous = _digest(line)
        digests.add(previous)
    if torn is not None:
        flaws.append(Flaw(torn, "no entry"))
    if rest:
        flaws.append(Flaw(len(lines) + 1, "a torn line: writing it was interrupted, or the end is cut off"))
    if head and head not in digests:
        flaws.append(Flaw(0, "no line has the digest that was noted: entries are missing, or were written anew"))
    return Chain(tuple(entries), tuple(flaws), tuple(notes), previous)


def check(folder: str | Path, head: str = "") -> Chain:
    """The log of a folder, with every report that is not what its entry says, or has none.

    Raises:
        OutputError: if the log cannot be read.
    """
    folder = Path(folder)
    chain = read(folder / NAME, head)
    flaws = list(chain.flaws)
    for name, entry in chain.current.items():
        try:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest() if _inside(name) else ""
        except (OSError, ValueError):
            found = "gone"
        if found != entry.digest:
            state = "is gone" if found == "gone" else "is not the one that was logged"
            flaws.append(Flaw(entry.number, f"its report {state}: {name}"))
    there = {each.relative_to(folder).as_posix() for each in folder.rglob("*.audit.json")}
    flaws += (Flaw(0, f"a report has no entry: {name}") for name in sorted(there - chain.current.keys()))
    return Chain(chain.entries, tuple(flaws), chain.notes, chain.head)


def _inside(name: str) -> bool:
    return bool(name) and not Path(name).is_absolute() and ".." not in Path(name).parts


def _wrong(entry: Entry, number: int, previous: str) -> Iterator[str]:
    if entry.previous != previous:
        yield "does not follow the line before it: that one was changed, or one is missing or was put in between"
    if entry.number != number:
        yield f"is entry {entry.number}, not {number}: entries are missing or were put in"


def _line(entry: Entry) -> bytes:
    return json.dumps(entry.to_json(), separators=(",", ":")).encode("ascii")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _parse(line: bytes) -> Entry | None:
    try:
        return Entry.from_bytes(line)
    except MalformedData:
        return None


def _last(file: BinaryIO, path: Path) -> tuple[int, str, Literal["whole", "open", "torn"]]:
    """How many lines the log has, the digest of the last, and whether only its end is missing, or more."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _LONGEST))
    data = file.read()
    if not data:
        return 0, START, "whole"
    before, _, rest = data.rpartition(b"\n")
    line = rest or before.rpartition(b"\n")[2]
    entry = _parse(line)
    if entry is not None:
        return entry.number, _digest(line), "open" if rest else "whole"
    if rest:
        return _lines(file) + 1, _digest(rest), "torn"
    raise OutputError(f"{path}: its last line is no entry, so nothing can follow it; keep it and start another log")


def _lines(file: BinaryIO) -> int:
    """How many lines are whole."""
    file.seek(0)
    return sum(block.count(b"\n") for block in iter(lambda: file.read(_LONGEST), b""))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """Alone with the file until the end, or until this process is killed."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
        yield
