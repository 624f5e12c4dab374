"""Records of JSON and of tables: one document each."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from withhold.corpora.sources.items import DAMAGED, LONGEST, NO_COLUMN, Item, Reading
from withhold.corpora.sources.streams import lines, opened

NOT_JSON = "not JSON"

_DECODER = json.JSONDecoder()
_BETWEEN = re.compile(r"[\s,]*")
_BLOCK = 1 << 20


def read_lines(reading: Reading) -> Iterator[Item]:
    """JSON lines: one object a line."""
    number = -1
    with opened(reading.path, reading.meter) as stream:
        for line in lines(stream, reading.documents, reading.skipped):
            if line.isspace():
                continue
            number += 1
            if number < reading.start:
                continue
            try:
                record = _DECODER.decode(line)
            except (ValueError, RecursionError):
                reading.skipped[NOT_JSON] += 1
                continue
            yield from _item(record, reading, number)


def read_json(reading: Reading) -> Iterator[Item]:
    """JSON of any layout: a list of objects, an object that has such a list, or one object after the other."""
    with opened(reading.path) as stream:
        first, end, rest = stream.peek(_BLOCK).partition(b"\n")
    if end and rest.strip() and isinstance(_decoded(first.decode("utf-8", "replace").strip("\ufeff"), 0)[0], dict):
        yield from read_lines(reading)
        return
    number = 0
    for value in _values(reading):
        for record in _records(value, reading):
            if number >= reading.start:
                yield from _item(record, reading, number)
            number += 1


def read_table(reading: Reading) -> Iterator[Item]:
    """A table with a header."""
    csv.field_size_limit(LONGEST)
    delimiter = "\t" if ".tsv" in PurePath(reading.path.name.lower()).suffixes[-2:] else ","
    with opened(reading.path, reading.meter) as stream:
        rows = csv.reader(lines(stream, reading.documents, reading.skipped), delimiter=delimiter)
        header: list[str] = []
        number = -1
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error:
                reading.skipped[DAMAGED] += 1
                continue
            if not header:
                header = row
                if not reading.fields.columns(header):
                    reading.skipped[NO_COLUMN] += 1
                    return
            elif row:
                number += 1
                if number >= reading.start:
                    yield from _item(dict(zip(header, row, strict=False)), reading, number)


def _item(record: Any, reading: Reading, number: int) -> Iterator[Item]:
    if not isinstance(record, Mapping):
        reading.skipped[NOT_JSON] += 1
    elif found := reading.fields.item(record, number, reading.skipped):
        yield found


def _records(value: Any, reading: Reading) -> list[Any]:
    """The value itself, or the lists of objects in it, if it has no text of its own."""
    if not isinstance(value, dict) or reading.fields.columns(list(value)):
        return [value]
    lists = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    return [record for each in lists for record in each] or [value]


def _values(reading: Reading) -> Iterator[Any]:
    """The elements of a list, or one value after the other, with little more than one of them in memory."""
    with opened(reading.path, reading.meter) as stream:
        blocks = _blocks(lines(stream, reading.documents, reading.skipped))
        text = next(blocks, "").lstrip()
        at = int(text.startswith("["))
        while True:
            at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
            value, end = _decoded(text, at)
            if 0 <= end < len(text):
                yield value
                at = end
            elif len(text) - at < LONGEST and (more := _more(blocks, len(text) - at)):
                # The value may go on; reading as much again each time, little is read over and over.
                text, at = text[at:] + more, 0
            else:
                if end > 0:
                    yield value
                elif text[at:].strip("] \n"):
                    reading.skipped[NOT_JSON] += 1
                return


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """The value that begins here and where it ends, or -1 if it is none or not whole."""
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, -1


def _blocks(several: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for line in several:
        held.append(line)
        size += len(line)
        if size >= _BLOCK:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def _more(blocks: Iterator[str], wanted: int) -> str:
    held: list[str] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size >= wanted:
            break
    return "".join(held)
