"""Other names of classes, from a table of the user's."""

from __future__ import annotations

import csv
from pathlib import Path

from withhold.errors import DocumentError, MalformedData


def read_aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """The first column of a CSV file names a class, the one headed `aliases` (or else the second) its other names,
    with semicolons between them.

    Raises:
        DocumentError: if it cannot be read.
        MalformedData: if it has no such columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise DocumentError(f"{path} cannot be read as a CSV file in UTF-8") from None
    except ValueError:
        raise MalformedData(f"{path} is empty") from None
    if len(header) < 2:
        raise MalformedData(f"{path} needs two columns: the class, and its aliases with ';' between them")
    at = header.index("aliases") if "aliases" in header else 1
    found = {row[0]: row[at].split(";") for row in rows if len(row) > at}
    return {name: tuple(alias.strip() for alias in several if alias.strip()) for name, several in found.items()}
