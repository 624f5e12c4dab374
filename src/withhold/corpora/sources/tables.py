"""Parquet files: one document a row. Needs pyarrow, which is not installed with withhold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from withhold.corpora.sources.items import DAMAGED, NO_COLUMN, Item, Reading
from withhold.errors import DamagedDocument, DocumentError, HostileDocument, PluginError

_ROWS = 256
_LARGEST = 4 << 30
"""A row group that takes more memory than this is not opened."""


def read(reading: Reading) -> Iterator[Item]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise PluginError("Parquet files need pyarrow; pip install 'withhold[parquet]'") from None
    try:
        with parquet.ParquetFile(reading.path) as file:
            columns = reading.fields.columns(file.schema_arrow.names)
            if columns:
                yield from _rows(file, columns, reading)
            else:
                reading.skipped[NO_COLUMN] += 1
    except (pyarrow.ArrowException, ValueError):
        raise DamagedDocument(f"{reading.path}: not a whole Parquet file") from None
    except OSError as error:
        raise DocumentError(f"{reading.path} cannot be read: {error.strerror or 'damaged'}") from None


def _rows(file: object, columns: list[str], reading: Reading) -> Iterator[Item]:
    from pyarrow import parquet

    assert isinstance(file, parquet.ParquetFile)
    number = 0
    for group in range(file.num_row_groups):
        described = file.metadata.row_group(group)
        if number + described.num_rows <= reading.start:
            number += described.num_rows
            continue
        if described.total_byte_size > _LARGEST:
            raise HostileDocument(f"{reading.path}: a part of it is larger than {_LARGEST >> 30} GiB")
        for batch in file.iter_batches(_ROWS, row_groups=[group], columns=columns):
            for row in range(batch.num_rows):
                if number >= reading.start and (found := _item(batch.slice(row, 1), number, reading)):
                    yield found
                number += 1


def _item(row: Any, number: int, reading: Reading) -> Item | None:
    try:
        (record,) = row.to_pylist()
    except ValueError:
        # Texts that are not in the one encoding that they may be in.
        reading.skipped[DAMAGED] += 1
        return None
    return reading.fields.item(record, number, reading.skipped)
