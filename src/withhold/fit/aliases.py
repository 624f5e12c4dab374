"""Other names of classes, from a table of the user's."""

from __future__ import annotations

import csv
from pathlib import Path

from withhold.errors import DocumentError, MalformedData


def read_aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """The first column of a CSV file names a class, the one headed `aliases` its other names, with semicolons between
    them. A class may have several rows.

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
    headings = [heading.strip().lower() for heading in header]
    if "aliases" not in headings[1:]:
        raise MalformedData(f"{path} needs two columns: the class, and `aliases` with ';' between them")
    at = headings.index("aliases", 1)
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if len(row) > at and row[0].strip():
            several = (alias.strip() for alias in row[at].split(";"))
            found.setdefault(row[0].strip(), {}).update(dict.fromkeys(alias for alias in several if alias))
    return {name: tuple(aliases) for name, aliases in found.items()}
