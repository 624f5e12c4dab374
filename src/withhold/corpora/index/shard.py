"""A batch of documents as one file, mapped into memory: opened in no time, whatever its size.

The file is a row of arrays, then JSON that says where each begins, then how long the JSON is and its checksum.
Everything else has checksums too, which are compared before it is first used: a damaged file is told, never counted.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from pyroaring import BitMap

from withhold.corpora.index.cutting import Cut, ends
from withhold.corpora.index.manifest import Part, anew
from withhold.errors import CorpusError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Unit

    Array = NDArray[Any]

_END = struct.Struct("<II8s")
_MAGIC = b"withhold"
_CHECKSUM = struct.Struct("<I")
_POSTING = struct.Struct("<IIIBB")
_WIDTHS = {1: np.uint8, 2: np.uint16, 4: np.uint32}
_REMEMBERED = 100_000
_ONE, _NO_RUNS = struct.Struct("<IIHHIH"), 12346
"""A roaring bitmap of one number: what it is, how many containers, the upper half of the numbers in the only one, how
many less one, where they begin, and the lower half.
"""
_STRETCH = 1 << 20
"""The stream of words has a checksum for every so many of them."""


def write_shard(path: Path, cut: Cut) -> Part:
    """Write a file that holds these documents; it is on the disk when this returns."""
    keys = _keys(cut.vocabulary)
    order = np.argsort(keys, kind="stable")
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    stream = places[cut.stream] if len(order) else cut.stream
    with os.fdopen(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
        row = _Row(file)
        row.add("word_keys", keys[order])
        row.strings("word", [cut.vocabulary[number] for number in order.tolist()])
        name_keys = _keys(cut.names)
        by_name = np.argsort(name_keys, kind="stable")
        row.add("name_keys", name_keys[by_name])
        row.add("name_documents", by_name.astype(np.uint32))
        row.strings("name", cut.names)
        row.strings("title", cut.titles)
        row.add("paragraphs", cut.paragraphs)
        row.add("documents", cut.documents)
        row.add("stream", stream, checked=False)
        row.add("stream_sums", np.array([zlib.crc32(each.data) for each in _stretches(stream)], np.uint32))
        row.records("postings", _postings(stream, cut.paragraphs, cut.documents, len(order)))
        row.add("block_documents", cut.block_documents)
        row.add("text_sizes", cut.text_sizes)
        row.records("texts", iter(cut.blocks))
        size = row.end()
    return Part(path.name, size, len(cut.names), len(cut.paragraphs) - 1, len(stream))


def _keys(strings: Sequence[str]) -> NDArray[np.uint64]:
    """A number for each string, by which strings are found."""
    digests = (blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in strings)
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def _stretches(stream: Array) -> Iterator[Array]:
    return (stream[start : start + _STRETCH] for start in range(0, len(stream), _STRETCH))


def _postings(stream: Array, paragraphs: Array, documents: Array, vocabulary: int) -> Iterator[bytes]:
    """For each word the documents and the paragraphs that hold it, and how often each does."""
    from scipy.sparse import csr_matrix

    shape = (len(paragraphs) - 1, vocabulary)
    by_word = csr_matrix((np.ones(len(stream), np.int8), stream, paragraphs), shape=shape).tocsc()
    starts, held = by_word.indptr, by_word.indices.astype(np.uint32)
    owners = np.repeat(np.arange(len(documents) - 1, dtype=np.uint32), np.diff(documents))[held]
    often = np.diff(starts)
    several, bounds = np.repeat(often > 1, often), np.append(0, np.cumsum(often[often > 1]))
    more = zip(_by_word(owners[several], bounds), _by_word(held[several], bounds), strict=True)
    firsts = starts[:-1]
    for times, owner, line in zip(often.tolist(), owners[firsts].tolist(), held[firsts].tolist(), strict=True):
        body = _once(owner, line) if times == 1 else _posting(*next(more))
        yield _CHECKSUM.pack(zlib.crc32(body)) + body


def _posting(documents: tuple[bytes, tuple[int, bytes]], paragraphs: tuple[bytes, tuple[int, bytes]]) -> bytes:
    (holders, often), (lines, within) = documents, paragraphs
    return _POSTING.pack(len(holders), len(often[1]), len(lines), often[0], within[0]) + b"".join(
        (holders, often[1], lines, within[1])
    )


def _once(document: int, paragraph: int) -> bytes:
    """The posting of a word that stands in one place, as half of all words do."""
    size, (high, low), (above, below) = _ONE.size, divmod(document, 1 << 16), divmod(paragraph, 1 << 16)
    one, other = _ONE.pack(_NO_RUNS, 1, high, 0, 16, low), _ONE.pack(_NO_RUNS, 1, above, 0, 16, below)
    return _POSTING.pack(size, 0, size, 0, 0) + one + other


def _by_word(holders: Array, starts: Array) -> Iterator[tuple[bytes, tuple[int, bytes]]]:
    """For each word its holders as a bitmap, and how often it stands in each."""
    distinct, bounds, firsts = _distinct(holders, starts)
    times = np.diff(np.append(firsts, len(holders))).astype(np.uint32)
    del firsts
    most = np.maximum.reduceat(times, bounds[:-1]).tolist() if len(times) else []
    for (start, end), largest in zip(pairwise(bounds.tolist()), most, strict=True):
        yield _packed(distinct[start:end]), _small(times[start:end], largest)


def _small(times: Array, largest: int) -> tuple[int, bytes]:
    """Numbers in as few bytes each as the largest needs, and how many that are: none if all are 1."""
    if largest == 1:
        return 0, b""
    width = 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4
    return width, times.astype(_WIDTHS[width]).tobytes()


def _distinct(numbers: Array, starts: Array) -> tuple[Array, Array, Array]:
    """The numbers of each stretch without repeats (they are in order), where the stretches then begin, and where each
    number stood first.
    """
    fresh = np.ones(len(numbers), bool)
    fresh[1:] = numbers[1:] != numbers[:-1]
    fresh[starts[:-1]] = True
    firsts = np.flatnonzero(fresh)
    return numbers[firsts], np.searchsorted(firsts, starts), firsts


def _packed(numbers: Array) -> bytes:
    bitmap = BitMap(numbers.tolist() if len(numbers) < 50 else np.ascontiguousarray(numbers).data)
    packed: bytes = bitmap.serialize()
    return packed


class _Row:
    """Writes arrays one after the other, and then where they are."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._table: dict[str, tuple[str, int, int, int | None]] = {}

    def add(self, name: str, array: Array, *, checked: bool = True) -> None:
        data = np.ascontiguousarray(array)
        kind = data.dtype.newbyteorder("<").str
        self._table[name] = (kind, self._at, len(data), zlib.crc32(data.data) if checked else None)
        self._write(data.data.cast("B") if len(data) else b"")
        self._write(bytes(-self._at % 8))

    def strings(self, name: str, strings: Sequence[str]) -> None:
        self.records(f"{name}s", (text.encode("utf-8", "surrogatepass") for text in strings), checked=True)

    def records(self, name: str, records: Iterator[bytes], *, checked: bool = False) -> None:
        """Stretches of bytes of any length, and where each begins."""
        start, lengths, checksum = self._at, [], 0
        for record in records:
            self._write(record)
            lengths.append(len(record))
            checksum = zlib.crc32(record, checksum)
        self._table[name] = ("|u1", start, self._at - start, checksum if checked else None)
        self._write(bytes(-self._at % 8))
        self.add(f"{name}_bounds", ends(lengths))

    def end(self) -> int:
        table = json.dumps(self._table).encode("ascii")
        self._write(table + _END.pack(len(table), zlib.crc32(table), _MAGIC))
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._at

    def _write(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._at += len(data)


class Shard:
    """A file of documents that can be asked. Numbers are its own, from 0."""

    def __init__(self, folder: Path, part: Part) -> None:
        self.part = part
        self._path = folder / part.file
        self._arrays: dict[str, Array] = {}
        self._sound: set[int] = set()
        self._numbers: dict[str, int] = {}
        try:
            with self._path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            raise CorpusError(f"{self._path} is missing or cannot be read; {anew(folder)}") from None
        self._table = self._read_table()

    def __repr__(self) -> str:
        return f"Shard({self.part.file!r}, {self.part.documents} documents)"

    def _read_table(self) -> dict[str, Any]:
        self._check(len(self._map) == self.part.size and self.part.size >= _END.size)
        length, checksum, magic = _END.unpack(self._map[-_END.size :])
        table = self._map[-_END.size - length : -_END.size]
        self._check(magic == _MAGIC and len(table) == length and zlib.crc32(table) == checksum)
        read: dict[str, Any] = json.loads(table)
        return read

    def _check(self, condition: bool) -> None:
        if not condition:
            raise self._damaged()

    def _damaged(self) -> CorpusError:
        return CorpusError(f"{self._path} is damaged; {anew(self._path.parent)}")

    def verify(self) -> None:
        """Compare all that the file holds with its checksums, not only what is asked for.

        Raises:
            CorpusError: if any of it is damaged.
        """
        for name in self._table:
            self.array(name)
        self._check_stretches(set(range(len(self.array("stream_sums")))))
        for word in range(len(self.array("word_keys"))):
            self._posting(word)
        for block in range(len(self.array("block_documents")) - 1):
            self._block(block)

    def array(self, name: str) -> Array:
        """One of the arrays, compared with its checksum the first time."""
        if name not in self._arrays:
            kind, start, length, checksum = self._table[name]
            array = np.frombuffer(self._map, np.dtype(kind), length, start)
            self._check(checksum is None or zlib.crc32(array.data) == checksum)
            self._arrays[name] = array
        return self._arrays[name]

    def record(self, name: str, number: int) -> bytes:
        start, end = self.array(f"{name}_bounds")[number : number + 2].tolist()
        base = self._table[name][1]
        self.array(name)  # compares the checksum, if there is one for all
        return self._map[base + start : base + end]

    def strings(self, name: str) -> list[str]:
        data, bounds = self.array(name).tobytes(), self.array(f"{name}_bounds").tolist()
        return [self._decoded(data[start:end]) for start, end in pairwise(bounds)]

    def string(self, name: str, number: int) -> str:
        return self._decoded(self.record(name, number))

    def words(self, wanted: Sequence[str]) -> list[int]:
        """The number of each word, -1 for those that no document holds."""
        if len(self._numbers) > _REMEMBERED:
            self._numbers.clear()
        new = [word for word in wanted if word not in self._numbers]
        numbers = dict(zip(new, (next(iter(found), -1) for found in self._find("word", new)), strict=True))
        self._numbers |= numbers
        return [numbers[word] if word in numbers else self._numbers[word] for word in wanted]

    def named(self, names: Sequence[str]) -> list[list[int]]:
        """The documents of each name."""
        documents = self.array("name_documents")
        return [[int(documents[place]) for place in found] for found in self._find("name", names)]

    def _find(self, kind: str, wanted: Sequence[str]) -> Iterator[list[int]]:
        """The places of each string among the keys. Two strings could have one key, so what stands there is read."""
        keys, asked = self.array(f"{kind}_keys"), _keys(wanted)
        firsts, lasts = np.searchsorted(keys, asked, "left").tolist(), np.searchsorted(keys, asked, "right").tolist()
        numbers = self.array("name_documents") if kind == "name" else None
        for text, first, last in zip(wanted, firsts, lasts, strict=True):
            encoded = text.encode("utf-8", "surrogatepass")
            places = range(first, last)
            yield [
                at for at in places if self.record(f"{kind}s", at if numbers is None else int(numbers[at])) == encoded
            ]

    def holders(self, word: int, unit: Unit) -> BitMap:
        """The documents or paragraphs that hold a word."""
        return self._holders(self._posting(word), unit)[0]

    def times(self, word: int, unit: Unit) -> tuple[BitMap, Array]:
        """The documents or paragraphs that hold a word, and how often each does."""
        record = self._posting(word)
        found, end, width = self._holders(record, unit)
        if not width:
            return found, np.ones(len(found), np.int32)
        return found, np.frombuffer(record, _WIDTHS[width], len(found), end).astype(np.int32)

    def _holders(self, record: bytes, unit: Unit) -> tuple[BitMap, int, int]:
        """A bitmap, where it ends, and of how many bytes each are the numbers that follow."""
        documents, times, paragraphs, width, fine = _POSTING.unpack_from(record)
        start = _POSTING.size if unit == "document" else _POSTING.size + documents + times
        end = start + (documents if unit == "document" else paragraphs)
        try:
            found = BitMap.deserialize(record[start:end])
        except (ValueError, IndexError):
            raise self._damaged() from None
        # What follows is compiled, and takes every number for one that is there.
        self._check(bool(found) and found.max() < (self.part.documents if unit == "document" else self.part.paragraphs))
        return found, end, width if unit == "document" else fine

    def _posting(self, word: int) -> bytes:
        record = self.record("postings", word)
        body = record[_CHECKSUM.size :]
        self._check(len(body) >= _POSTING.size and _CHECKSUM.pack(zlib.crc32(body)) == record[: _CHECKSUM.size])
        return body

    def run_counts(self, run: Sequence[str], paragraphs: Array) -> Array:
        """How often each of the paragraphs, in order, holds the words one after the other."""
        from withhold.corpora.index.ranking import count_runs

        stream, bounds = self.array("stream"), self.array("paragraphs")
        starts, stops = bounds[paragraphs], bounds[paragraphs + 1]
        if len(self._sound) < len(self.array("stream_sums")):
            self._check_stream(starts, stops)
        return count_runs(stream, starts, stops, np.array(self.words(run), np.int32))

    def _check_stream(self, starts: Array, stops: Array) -> None:
        """Compare the checksums of what is about to be read."""
        touched = np.unique(starts // _STRETCH << 32 | (stops - 1) // _STRETCH).tolist()
        self._check_stretches({each for both in touched for each in range(both >> 32, (both & 0xFFFFFFFF) + 1)})

    def _check_stretches(self, numbers: set[int]) -> None:
        for number in numbers - self._sound:
            stretch = self.array("stream")[number * _STRETCH : (number + 1) * _STRETCH]
            self._check(zlib.crc32(stretch.data) == self.array("stream_sums")[number])
            self._sound.add(number)

    def text(self, document: int) -> str:
        firsts, sizes = self.array("block_documents"), self.array("text_sizes")
        block = int(np.searchsorted(firsts, document, "right")) - 1
        before = int(sizes[firsts[block] : document].sum())
        return self._decoded(self._block(block)[before : before + int(sizes[document])])

    def _block(self, number: int) -> bytes:
        try:
            return zlib.decompress(self.record("texts", number))
        except zlib.error:
            raise self._damaged() from None

    def cut(self) -> Cut:
        """All that the file was made of."""
        self._check_stretches(set(range(len(self.array("stream_sums")))))
        return Cut(
            self.strings("names"),
            self.strings("titles"),
            self.strings("words"),
            self.array("stream"),
            self.array("paragraphs"),
            self.array("documents"),
            [self.record("texts", block) for block in range(len(self.array("block_documents")) - 1)],
            self.array("block_documents"),
            self.array("text_sizes"),
        )

    def _decoded(self, data: bytes) -> str:
        try:
            return data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise self._damaged() from None
