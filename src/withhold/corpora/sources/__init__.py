"""Documents from where people have them, one by one, whatever the size of the whole.

A source is a folder, a file of any format that is installed, or a file of many documents: JSON, JSON lines, CSV, TSV,
mbox, a MediaWiki dump, WARC, Parquet; all but the last also compressed (`.gz`, `.bz2`, `.xz`). What cannot be read is
counted with the reason, and the rest is read all the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from withhold.corpora.sources import files, mail, records, tables, warc, wikipedia
from withhold.corpora.sources.items import Documents, Fields, Item, Meter, Reading, Skipped, reason
from withhold.corpora.sources.streams import COMPRESSED, opened
from withhold.errors import DocumentError
from withhold.files import is_file, is_folder, is_there

__all__ = ["Documents", "Fields", "Item", "Meter", "Skipped", "Stamp", "parts", "read", "stamp"]

_SAMPLE = 4096
_HIDDEN = "hidden, or a link"
_KINDS: dict[str, Callable[[Reading], Iterator[Item]]] = {
    ".jsonl": records.read_lines,
    ".ndjson": records.read_lines,
    ".json": records.read_json,
    ".csv": records.read_table,
    ".tsv": records.read_table,
    ".mbox": mail.read,
    ".mbx": mail.read,
    ".warc": warc.read,
    ".wet": warc.read,
    ".parquet": tables.read,
}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells whether a file is still the one that was read: a file that was changed has another."""

    size: int
    changed: int


def stamp(file: Path) -> Stamp:
    """The stamp of a file.

    Raises:
        DocumentError: if there is none.
    """
    try:
        status = file.stat()
    except OSError as error:
        raise DocumentError(f"{file} cannot be read: {error.strerror}") from None
    return Stamp(status.st_size, status.st_mtime_ns)


def parts(source: Path, *, apart: Path | None = None, skipped: Skipped | None = None) -> Iterator[Path]:
    """The files of a source, in order, without what is in the folder `apart`. Hidden files and links are left out.

    Raises:
        DocumentError: if there is no such source.
    """
    if is_file(source):
        yield source
        return
    if not is_folder(source):
        raise DocumentError(f"{source}: {'not a plain file' if is_there(source) else 'no such file or folder'}")
    aside = apart.resolve() if apart else None
    for folder, below, names in os.walk(source):
        here = Path(folder)
        below[:] = sorted(name for name in below if not name.startswith(".") and (here / name).resolve() != aside)
        for name in sorted(names):
            if not name.startswith(".") and is_file(here / name) and not (here / name).is_symlink():
                yield here / name
            elif skipped is not None:
                skipped[_HIDDEN] += 1
                skipped.name(_HIDDEN, here / name)


def read(
    source: Path,
    *,
    documents: Documents,
    fields: Fields = Fields(),  # noqa: B008  (immutable)
    skipped: Skipped | None = None,
    start: int = 0,
    meter: Meter | None = None,
) -> Iterator[Item]:
    """The documents of a source. Of a file, those before number `start` are left out, and cost next to nothing.

    `documents` reads files of one document, as `Redactor.read` does. What is passed over is counted in `skipped`, and
    how much was read in `meter`.

    Raises:
        DocumentError: if there is no such source.
        PluginError: if something has to be installed for it.
    """
    skipped = Skipped() if skipped is None else skipped
    for file in parts(source, skipped=skipped):
        try:
            reading = Reading(file, documents, fields, skipped, start, meter or Meter())
            yield from _reader(file)(reading)
        except DocumentError as error:
            skipped[reason(error)] += 1


def _reader(file: Path) -> Callable[[Reading], Iterator[Item]]:
    """What reads a file: its name tells, and its beginning where the name does not."""
    path = PurePath(file.name.lower())
    suffix = PurePath(path.stem).suffix if path.suffix in COMPRESSED else path.suffix
    if suffix in _KINDS:
        return _KINDS[suffix]
    with opened(file) as stream:
        sample = stream.peek(_SAMPLE)[:_SAMPLE]
    if suffix == ".xml" and wikipedia.starts_like_dump(sample):
        return wikipedia.read
    return mail.read if suffix in ("", ".txt") and mail.starts_like_mbox(sample) else files.read
