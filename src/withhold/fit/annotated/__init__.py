"""Texts with marked spans, from where people have them: JSON of many tools, brat, CoNLL.

Which it is, the content tells, not the name. Errors name the file and the line or record, never what stands in it.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from pathlib import Path

from withhold.errors import DamagedDocument, DocumentError, HostileDocument, MalformedData, UnsupportedFormat
from withhold.files import is_folder, read_bytes
from withhold.fit.annotated import brat, conll, shapes
from withhold.fit.annotated.records import Annotated, Mention

__all__ = ["Annotated", "Mention", "read_annotated"]

_MEGABYTES = 1_000


def read_annotated(path: str | Path, *, bare: bool = False) -> list[Annotated]:
    """The texts of a file or folder with the spans that are marked in them; any file may be compressed with gzip.

    JSON, as a list or one object a line: `text` with `spans` (start, end, type or label), and what presidio-research,
    doccano, Label Studio and the Text Anonymization Benchmark write. brat: a folder of `.ann` and `.txt` files, or one
    `.ann` with its `.txt` beside it. CoNLL: a word a line, its label in the last column; the text is put together with
    spaces. Where a file has no `-DOCSTART-` lines, some sentences in a row make a document. With `bare`, JSON records
    that nobody has annotated are let through, as texts of no annotator.

    Raises:
        DocumentError: if it cannot be read or is of no known format.
        MalformedData: if a record is wrong, saying which, or if there is none.
    """
    path = Path(path)
    found = _folder(path) if is_folder(path) else _file(path, bare=bare)
    if not found:
        raise MalformedData(f"{path}: no annotated text in it")
    return found


def _folder(path: Path) -> list[Annotated]:
    files = sorted(each for each in path.rglob("*") if each.name.endswith((".ann", ".ann.gz")))
    if not files:
        raise DocumentError(f"{path}: no .ann files in it; give a folder that brat has written, or a file")
    return [_brat(each, str(each.relative_to(path))) for each in files]


def _file(path: Path, *, bare: bool) -> list[Annotated]:
    if path.name.endswith((".ann", ".ann.gz")):
        return [_brat(path, path.name)]
    text = content(path)
    if not text.strip():
        raise MalformedData(f"{path}: empty")
    if text.lstrip()[0] in "[{":
        records = _json(text, path)
        if records is not None:
            return shapes.read(records, bare=bare)
    if conll.recognises(text):
        return conll.read(text, str(path))
    raise UnsupportedFormat(f"{path}: neither JSON nor CoNLL; for brat, give the folder or an .ann file")


def _brat(path: Path, name: str) -> Annotated:
    stem = path.name.removesuffix(".gz").removesuffix(".ann")
    beside = [path.with_name(stem + ending) for ending in (".txt", ".txt.gz")]
    text = next((each for each in beside if each.is_file()), None)
    if text is None:
        raise DocumentError(f"{path}: no {beside[0].name} beside it")
    return brat.read(content(path), content(text), str(path), name.removesuffix(".gz").removesuffix(".ann"))


def content(path: Path) -> str:
    """The text of a UTF-8 file, unpacked if it is compressed.

    Raises:
        DocumentError: if it cannot be read, is too large or not whole.
        MalformedData: if it is not UTF-8.
    """
    try:
        data = read_bytes(path, _MEGABYTES)
    except DocumentError as error:
        raise type(error)(f"{path}: {error}") from None
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data, path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise MalformedData(f"{path}, line {number}: not UTF-8") from None


def _unpacked(data: bytes, path: Path) -> bytes:
    limit = _MEGABYTES * 1_000_000
    try:
        with gzip.open(io.BytesIO(data)) as file:
            unpacked = file.read(limit + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DamagedDocument(f"{path}: not a whole gzip file") from None
    if len(unpacked) > limit:
        raise HostileDocument(f"{path}: unpacks to more than {_MEGABYTES} MB")
    return unpacked


def _json(text: str, path: Path) -> list[shapes.Place] | None:
    """The records of a JSON file, with where they are; None if it is no JSON but columns of words."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _json_lines(text, path)
    several = whole if isinstance(whole, list) else [whole]
    return [(record, f"{path}, record {number}") for number, record in enumerate(several, 1)]


def _json_lines(text: str, path: Path) -> list[shapes.Place] | None:
    records: list[shapes.Place] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            records.append((json.loads(line), f"{path}, line {number}"))
        except (ValueError, RecursionError):
            if not records and conll.recognises(text):
                return None
            raise MalformedData(f"{path}, line {number}: not JSON") from None
    return records
