"""LibreOffice as a reader: what a word processor we did not write makes of a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from withhold.private import PrivateFolder

_AT_ONCE = 40
_STARTING = 60.0
_EACH = 10.0


def find() -> str | None:
    """The program, if it is installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert(program: str, folder: PrivateFolder, files: Sequence[Path]) -> Iterator[str | None]:
    """The text of each file, in order; None for one that LibreOffice cannot read, or not in time.

    Many files of one folder go into one run. When a run dies, those it has not reached are tried one by one.
    """
    for parent, together in groupby(files, key=lambda file: file.parent):
        while batch := list(islice(together, _AT_ONCE)):
            _run(program, folder, parent, batch)
            for file in batch:
                if not _output(file).exists():
                    _run(program, folder, parent, [file])
                yield _take(_output(file))


def _run(program: str, folder: PrivateFolder, parent: Path, files: Sequence[Path]) -> None:
    profile = (folder.path / "profile").as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--norestore", "--convert-to"]
    command += ["txt:Text (encoded):UTF8", "--outdir", str(parent / "text"), *map(str, files)]
    folder.run(command, _STARTING + _EACH * len(files))


def _output(file: Path) -> Path:
    return file.parent / "text" / f"{file.stem}.txt"


def _take(output: Path) -> str | None:
    """The text, and the file is gone."""
    if not output.exists():
        return None
    text = output.read_text(encoding="utf-8-sig", errors="replace")
    output.unlink()
    return text
