"""How much of a removed word is left, by readers that know nothing of how it was removed.

From every file the most frequent word of five letters or more is removed everywhere, as whole words. Then the
output is searched by outside readers (`readers`, and LibreOffice for DOCX), and what else was lost is counted:
the words a person sees in the original, less those in the output, as multisets.
"""

from __future__ import annotations

import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from withhold.batch import pool
from withhold.errors import DocumentError, HostileDocument
from withhold.evaluation import libreoffice as office
from withhold.evaluation import readers
from withhold.evaluation.words import hits, lost, quantile, target
from withhold.files import read_bytes
from withhold.policy import Find, Policy
from withhold.private import PrivateFolder
from withhold.redactor import Redactor

Track = Callable[[Iterable[Any], int, str], Iterator[Any]]
_OFFICE_FORMATS = ("docx",)


@dataclass(frozen=True, slots=True)
class Item:
    """One file to measure, and where to leave it and its output for LibreOffice."""

    source: Path
    member: str | None
    name: str
    folder: Path | None
    number: int

    def copies(self) -> tuple[Path, Path]:
        """Where the original and the output go: under one name, since a document may show its own."""
        assert self.folder is not None
        name = f"{self.number}{PurePath(self.name).suffix}"
        return self.folder / "before" / name, self.folder / "after" / name


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found in one output. `word` is the document's: it is neither shown nor reported."""

    format: str
    word: str | None = field(repr=False)
    residues: dict[str, int]
    words_lost: float
    by_office: bool = False


def evaluate(
    path: Path,
    *,
    jobs: int = 1,
    seconds: float | None = None,
    libreoffice: bool = True,
    track: Track = lambda items, _total, _doing: iter(items),
) -> dict[str, Any]:
    """Measure every file of a folder or ZIP archive.

    Raises:
        DocumentError: if `path` is neither.
    """
    began = time.monotonic()
    program = office.find() if libreoffice else None
    with PrivateFolder() if program else nullcontext() as folder:
        items = list(_items(path, folder.path if folder else None))
        ended = list(track(pool.run(measure, items, jobs=jobs, seconds=seconds), len(items), "Measuring"))
        measured = {each.index: each.value for each in ended if each.value is not None}
        if program and folder:
            measured |= dict(_by_office(program, folder, items, measured, track))
    openable = len(measured) + sum(_is_openable(items[each.index]) for each in ended if each.value is None)
    return {**report(items, ended, measured), "openable": openable, "seconds": round(time.monotonic() - began, 1)}


def measure(item: Item) -> Measured:
    """Remove the most frequent word of a file, and look for it: what a worker does."""
    data = _content(item)
    redactor = Redactor()
    document = redactor.read(data, name=PurePath(item.name).name)
    word = target(document.text)
    redactor = Redactor(Policy(find=(Find(terms=(word,)),) if word else ()))
    output = redactor.redact(document).document.native
    if item.folder and document.format in _OFFICE_FORMATS:
        for path, content in zip(item.copies(), (data, output), strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    residues = _residues(document.format, output, word) if word else {}
    return Measured(document.format, word, residues, _lost(document.format, data, output, word))


def _lost(format: str, data: bytes, output: bytes, word: str | None) -> float:
    """The share of words that are lost, by the reader that finds most of them again."""
    before, after = readers.visibles(format, data), readers.visibles(format, output)
    # A reader that did not come to an end on one of them is left out: it is the last.
    return min(lost(first, second, word) for first, second in zip(before, after, strict=False))


def _is_openable(item: Item) -> bool:
    """Whether another reader opens a file that was not rewritten."""
    try:
        return readers.opens(item.name, _content(item))
    except DocumentError:
        return False


def report(
    items: Sequence[Item], ended: Sequence[pool.Ended[Measured]], measured: Mapping[int, Measured]
) -> dict[str, Any]:
    """The figures, with no word of any document."""
    residues = [
        {"file": items[index].name, "reader": reader, "hits": count}
        for index, each in sorted(measured.items())
        for reader, count in sorted(each.residues.items())
    ]
    shares = [each.words_lost for each in measured.values()]
    crashes = _told(items, ended, "crashed", "stopped")
    return {
        "files": len(items),
        "rewritten": len(measured),
        "refused": _told(items, ended, "refused"),
        "crashed": len(crashes),
        "crashes": crashes,
        "residual_hits": sum(count for each in measured.values() for count in each.residues.values()),
        "residues": residues,
        "words_lost": {"median": quantile(shares, 0.5), "p90": quantile(shares, 0.9)},
        "readers": {"outside": len(measured), "libreoffice": sum(each.by_office for each in measured.values())},
    }


def rows(report: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The report for people."""
    yield "files", report["files"]
    yield "opened by other readers", report["openable"]
    yield "rewritten", report["rewritten"]
    yield "refused", len(report["refused"])
    yield "crashed or stopped", report["crashed"]
    yield "residual hits", report["residual_hits"]
    yield "words lost, median", f"{report['words_lost']['median']:.2%}"
    yield "words lost, 90th percentile", f"{report['words_lost']['p90']:.2%}"
    yield "read by LibreOffice too", report["readers"]["libreoffice"]
    yield "seconds", report["seconds"]


def troubles(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Files that were not measured and files with residue, and why."""
    unmeasured = [(each["file"], each["reason"]) for kind in ("refused", "crashes") for each in report[kind]]
    residues = [(each["file"], f"residue: {each['hits']} in {each['reader']}") for each in report["residues"]]
    return residues + unmeasured


def _items(path: Path, folder: Path | None) -> Iterator[Item]:
    if path.is_dir():
        names = [file.relative_to(path).as_posix() for file in sorted(path.rglob("*")) if file.is_file()]
    elif zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                names = sorted(entry.filename for entry in archive.infolist() if not entry.is_dir())
        except (zipfile.BadZipFile, OSError, ValueError):
            raise DocumentError("not a sound ZIP archive") from None
    else:
        raise DocumentError("neither a folder nor a ZIP archive" if path.exists() else "no such file")
    shown = [name for name in names if not any(part.startswith(".") for part in PurePath(name).parts)]
    for number, name in enumerate(shown):
        is_folder = path.is_dir()
        yield Item(path / name if is_folder else path, None if is_folder else name, name, folder, number)


def _content(item: Item) -> bytes:
    limit = Policy().files.max_megabytes
    if item.member is None:
        return read_bytes(item.source, limit)
    with zipfile.ZipFile(item.source) as archive, archive.open(item.member) as member:
        data = member.read(limit * 1_000_000 + 1)
    if len(data) > limit * 1_000_000:
        raise HostileDocument(f"larger than {limit} MB")
    return data


def _residues(format: str, output: bytes, word: str) -> dict[str, int]:
    """Where the word still is, and how often; of several readings of one place the worst counts."""
    found: Counter[str] = Counter()
    for where, readings in readers.everything(format, output):
        found[where] += max(hits(reading, word) for reading in readings)
    return {where: count for where, count in found.items() if count}


def _by_office(
    program: str, folder: PrivateFolder, items: Sequence[Item], measured: Mapping[int, Measured], track: Track
) -> Iterator[tuple[int, Measured]]:
    """The same figures by LibreOffice, for the files it reads both before and after."""
    chosen = [index for index, each in measured.items() if each.format in _OFFICE_FORMATS]
    copies = [items[index].copies() for index in chosen]
    files = [before for before, _ in copies] + [after for _, after in copies]
    texts = list(track(office.convert(program, folder, files), len(files), "Reading with LibreOffice"))
    for index, before, after in zip(chosen, texts[: len(chosen)], texts[len(chosen) :], strict=True):
        if before is None:
            continue
        each = measured[index]
        # What LibreOffice could open and cannot any more is lost altogether.
        share = lost(before, after or "", each.word)
        count = hits(after or "", each.word) if each.word else 0
        residues = {**each.residues, "LibreOffice": count} if count else each.residues
        yield index, replace(each, residues=residues, words_lost=share, by_office=after is not None)


def _told(items: Sequence[Item], ended: Sequence[pool.Ended[Measured]], *statuses: str) -> list[dict[str, str]]:
    chosen = sorted((each.index, each) for each in ended if each.status in statuses)
    return [{"file": items[index].name, "reason": f"{each.error}: {each.message}"} for index, each in chosen]
