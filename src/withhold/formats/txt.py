"""Plain text in any encoding: every byte that is not edited stays as it is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from withhold.errors import DamagedDocument, UnwritableText
from withhold.formats.blocks import Draft, edited
from withhold.text import INVISIBLE
from withhold.types import Block, Document, Handling, Hidden, Notice, Passage, Replacement

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 200_000
_COMMON = (
    *("ascii", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859_2", "koi8_r"),
    *("shift_jis", "euc_jp", "iso2022_jp", "gb18030", "big5", "euc_kr", "cp949", "tis_620", "cp1258", "mac_roman"),
)
_SIGN_IN_WORD = re.compile(r"[^\w\s\x00-\x7f‘’“”„‚«»‹›¡¿–—•…][^\W\d_]")
"""A sign right before a letter, other than those that open or join: no Western word has one."""


class PlainText:
    """Text files. The encoding, the byte order mark and the style of line ends are kept."""

    name = "txt"
    extensions: tuple[str, ...] = ("", ".txt", ".text", ".asc", ".log", ".csv", ".tsv", ".json", ".jsonl")

    def recognises(self, data: bytes) -> bool:
        return False

    def settle(self, data: bytes, handling: Handling) -> Handling:
        return replace(handling, encoding=decode(data, handling.encoding)[1])

    def read(self, data: bytes, handling: Handling) -> tuple[str, tuple[Block, ...]]:
        draft = Draft()
        draft.add(decode(data, handling.encoding)[0], "body")
        return draft.finish()

    def rewrite(self, document: Document, replacements: Sequence[Replacement]) -> tuple[bytes, tuple[Notice, ...]]:
        _, encoding, bom = decode(document.native, document.handling.encoding)
        output = bom + encode(edited(document, replacements)[0], encoding)
        return output, () if encoding.startswith("utf") else (told_encoding(encoding),)

    def passages(self, data: bytes) -> Iterator[Passage]:
        encodings = ["utf-8"]
        if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data.count(0) > len(data) // 4:
            encodings += ["utf-16-le", "utf-16-be"]
        for encoding in encodings:
            yield Passage(f"bytes as {encoding}", data.decode(encoding, "replace"))

    def inspect(self, data: bytes) -> Iterator[Hidden]:
        yield from invisible_characters(decode(data)[0], "text")


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str, bytes]:
    """Text, encoding and byte order mark of some bytes; encoding the text again gives the same bytes.

    Raises:
        DamagedDocument: if they are not text, or in an encoding that cannot be told.
    """
    bom, marked = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", None))
    body = data[len(bom) :]
    for candidate in _named(encoding, marked) if encoding else _candidates(body, marked):
        text = _decode_exactly(body, candidate)
        if text is not None:
            return text, candidate, bom
    if encoding or marked:
        raise DamagedDocument(f"not text in {encoding or marked}")
    raise DamagedDocument("the encoding cannot be told; name it (files.encoding in the policy)")


def encode(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding, _errors(encoding))
    except UnicodeEncodeError:
        raise UnwritableText(
            f"a replacement has a character that {encoding} cannot write; choose another mark"
        ) from None


def _named(encoding: str, marked: str | None) -> Iterator[str]:
    """The encoding that a policy names; where a mark says which kind of UTF-16 that is, the kind."""
    yield encoding
    if marked:
        yield marked


def _candidates(data: bytes, marked: str | None) -> Iterator[str]:
    if marked:
        yield marked
        return
    if b"\0" in data[:_SAMPLE]:
        yield from _wide_candidates(data)
    yield "utf-8"
    yield from _guesses(data)


def _wide_candidates(data: bytes) -> Iterator[str]:
    """UTF-16 or UTF-32 without a mark: most high bytes of ordinary text are zero, and few of the others."""
    sample = data[:_SAMPLE]
    for name, width, low in (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1)):
        zeros = [sample[at::width].count(0) * width / len(sample) for at in range(width)]
        if len(data) % width == 0 and zeros.pop(low) < 0.1 and min(zeros) > 0.4:
            yield name


def _guesses(data: bytes) -> Iterator[str]:
    from charset_normalizer import from_bytes

    sample = data[:_SAMPLE]
    if b"\0" in sample:
        return
    if _looks_western(sample):
        yield "cp1252"
    best = from_bytes(sample, cp_isolation=list(_COMMON)).best()
    if best is not None:
        yield best.encoding


def _looks_western(sample: bytes) -> bool:
    """Whether the bytes make sense in the most common encoding of all: few letters with accents, no signs in words."""
    text = sample.decode("cp1252", "replace")
    foreign = sum(letter.isalpha() for letter in text if letter > "\x7f")
    letters = sum(letter.isalpha() for letter in text)
    return foreign < 0.25 * letters and "\ufffd" not in text and not _SIGN_IN_WORD.search(text)


def told_encoding(encoding: str) -> Notice:
    """A file does not say what its bytes mean: what they were taken for may be wrong, and a name be missed."""
    return Notice(f"encoding taken to be {encoding}", "kept unexamined")


def _decode_exactly(data: bytes, encoding: str) -> str | None:
    """The text, if it can be decoded and encodes to the very same bytes."""
    try:
        text = data.decode(encoding, _errors(encoding))
        return text if text.encode(encoding, _errors(encoding)) == data else None
    except UnicodeError:
        return None
    except (LookupError, ValueError):
        raise DamagedDocument(f"unknown encoding {encoding!r}") from None


def _errors(encoding: str) -> str:
    """Lone surrogates are wrong but harmless: files have them, and they must survive."""
    return "surrogatepass" if encoding.startswith("utf") else "strict"


def invisible_characters(text: str, where: str) -> Iterator[Hidden]:
    if found := INVISIBLE.findall(text):
        yield Hidden("invisible characters", where, len(found))
