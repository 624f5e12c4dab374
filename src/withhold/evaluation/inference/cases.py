"""Documents to measure inference with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from withhold.errors import MalformedData
from withhold.fit.annotated import content


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and documents of the corpus that are left out while it is looked at, besides its copies."""

    text: str = field(repr=False)
    name: str = field(default="", repr=False)
    leave_out: tuple[str, ...] = field(default=(), repr=False)


def read_cases(path: Path) -> list[Case]:
    """JSON lines, packed or not: a `text` each, with a `name`, and with `leave_out`, names of documents, if wanted.

    Raises:
        DocumentError: if the file cannot be read.
        MalformedData: if a line is not such an object, or there is none.
    """
    found = list(_cases(content(path), path))
    if not found:
        raise MalformedData(f"{path}: no documents; give a JSON object with a `text` on each line")
    return found


def _cases(lines: str, path: Path) -> Iterator[Case]:
    for number, line in enumerate(lines.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise MalformedData(f"{path}, line {number}: not JSON") from None
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise MalformedData(f"{path}, line {number}: expected an object with a `text`")
        leave_out = record.get("leave_out", [])
        if not isinstance(leave_out, list) or not all(isinstance(each, str) for each in leave_out):
            raise MalformedData(f"{path}, line {number}: `leave_out` is a list of names of documents")
        yield Case(record["text"], str(record.get("name", number)), tuple(leave_out))
