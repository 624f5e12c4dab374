"""LibreOffice as a reader: what a word processor we did not write makes of a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from withhold.evaluation.private import PrivateFolder

_AT_ONCE = 40
_STARTING = 60.0
_EACH = 10.0


def find() -> str | None:
    """The program, if it is installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert(program: str, folder: PrivateFolder, files: Sequence[Path]) -> Iterator[str | None]:
    """The text of each file, in order; None for one that LibreOffice cannot read, or not in time.

    Many files go into one run. When a run dies, those it has not reached are tried one by one.
    """
    for start in range(0, len(files), _AT_ONCE):
        batch = files[start : start + _AT_ONCE]
        _run(program, folder, batch)
        for file in batch:
            if not _output(folder, file).exists():
                _run(program, folder, [file])
            yield _take(_output(folder, file))


def _run(program: str, folder: PrivateFolder, files: Sequence[Path]) -> None:
    profile = (folder.path / "profile").as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--norestore", "--convert-to"]
    command += ["txt:Text (encoded):UTF8", "--outdir", str(folder.path / "text"), *map(str, files)]
    folder.run(command, _STARTING + _EACH * len(files))


def _output(folder: PrivateFolder, file: Path) -> Path:
    return folder.path / "text" / f"{file.stem}.txt"


def _take(output: Path) -> str | None:
    """The text, and the file is gone."""
    if not output.exists():
        return None
    text = output.read_text(encoding="utf-8-sig", errors="replace")
    output.unlink()
    return text
