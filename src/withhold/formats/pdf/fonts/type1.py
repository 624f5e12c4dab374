"""Type 1 programs: the encrypted part is taken apart, and glyphs and subroutines that are not needed go.

What is kept of the program is copied as it is, hints and all. Subroutines keep their numbers, which are those of the
whole font and tell nothing; those that no kept glyph calls become empty.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from fontTools.encodings.StandardEncoding import StandardEncoding

from withhold.formats.pdf.fonts.faults import Unprunable

_KEY, _CHARSTRING_KEY = 55665, 4330
_RETURN = b"\x0b"
_Key = TypeVar("_Key", int, str)
_DEEPEST = 12
_LONGEST = 100_000
_SUBR = re.compile(rb"\s*dup\s+(\d+)\s+(\d+)\s+([^\s/]+) ")
_GLYPH = re.compile(rb"\s*/([^\s/{}\[\]()<>]+)\s+(\d+)\s+([^\s/]+) ")
_ENTRY_END = re.compile(rb"\s*((?:noaccess\s+|readonly\s+)?(?:put|def)\b|[^\s/]{1,8}(?=\s))")
_DROPPED = re.compile(rb"/(?:UniqueID|XUID)\s+(?:\d+|\[[^\]]*\])\s+(?:readonly\s+)?(?:def|ND|\|-)\s?")
_NOTICES = re.compile(
    rb"/(?:Notice|Copyright|FullName|FamilyName|version|Weight)\s*"
    rb"\((?:[^()\\]|\\.|\([^()]*\))*\)\s*(?:readonly\s*)?def\s*",
    re.DOTALL,
)
_ENCODING = re.compile(
    rb"/Encoding\s+(?:StandardEncoding\s+def|256\s+array.*?\b(?:put|for)\s+(?:readonly\s+)?def)", re.DOTALL
)
_ENCODED = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/]+)\s+put")


@dataclass(repr=False)
class _Entries:
    """A table of programs in a font, where it starts and ends, and the words around each program."""

    start: int
    end: int = 0
    words: tuple[bytes, bytes] = (b"RD", b"ND")
    programs: dict[bytes, bytes] = field(default_factory=dict)


class _Programs(Mapping[_Key, bytes]):
    """Programs by name or number, each decrypted when it is first asked for: most never are."""

    def __init__(self, encrypted: Mapping[_Key, bytes], skip: int) -> None:
        self._encrypted: Mapping[_Key, bytes] = encrypted
        self._skip = skip
        self._plain: dict[_Key, bytes] = {}

    def __getitem__(self, key: _Key) -> bytes:
        if key not in self._plain:
            data = self._encrypted[key]
            self._plain[key] = data if self._skip < 0 else decrypt(data, _CHARSTRING_KEY)[self._skip :]
        return self._plain[key]

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._encrypted)

    def __len__(self) -> int:
        return len(self._encrypted)

    def __contains__(self, key: object) -> bool:
        return key in self._encrypted


class Type1:
    """A Type 1 program as it is found in a file."""

    def __init__(self, data: bytes) -> None:
        clear, private = _split(_unsegmented(data))
        self.clear = clear
        self.private = decrypt(_binary(private), _KEY)[4:]
        found = re.search(rb"/lenIV\s+(-?\d+)", self.private)
        self.skip = int(found.group(1)) if found else 4
        subrs = self._entries(rb"/Subrs\s+\d+\s+array", _SUBR)
        glyphs = self._entries(rb"/CharStrings\s+\d+\s+dict\s+dup\s+begin", _GLYPH)
        if glyphs is None or not glyphs.programs or _ENCODING.search(clear) is None:
            raise Unprunable("a Type 1 font is written in an unusual way")
        numbered = {int(number): program for number, program in subrs.programs.items()} if subrs else {}
        named = {name.decode("latin-1"): program for name, program in glyphs.programs.items()}
        self.subrs: Mapping[int, bytes] = _Programs(numbered, self.skip)
        self.glyphs: Mapping[str, bytes] = _Programs(named, self.skip)
        self._subrs, self._glyphs = subrs, glyphs

    def _entries(self, head: bytes, entry: re.Pattern[bytes]) -> _Entries | None:
        """A table of programs; None if there is none."""
        starts = list(re.finditer(head, self.private))
        if len(starts) > 1:
            raise Unprunable("a Type 1 font has two sets of glyphs")
        if not starts:
            return None
        found = _Entries(starts[0].start())
        at = starts[0].end()
        while match := entry.match(self.private, at):
            begin, size = match.end(), int(match.group(2))
            if begin + size > len(self.private):
                raise Unprunable("a Type 1 font is cut short")
            found.programs.setdefault(match.group(1), self.private[begin : begin + size])
            ending = _ENTRY_END.match(self.private, begin + size)
            if ending is None:
                raise Unprunable("a Type 1 font is written in an unusual way")
            found.words = match.group(3), ending.group(1)
            at = ending.end()
        found.end = at
        return found

    @property
    def encoding(self) -> dict[int, str]:
        """The names of glyphs by code that the program itself has."""
        if re.search(rb"/Encoding\s+StandardEncoding\s+def", self.clear):
            return {code: name for code, name in enumerate(StandardEncoding) if name != ".notdef"}
        return {int(code) & 0xFF: name.decode("latin-1") for code, name in _ENCODED.findall(self.clear)}

    def digest(self, name: str) -> bytes:
        """The same for glyphs that look the same."""
        parts = [self.glyphs.get(name, b"")]
        parts += [self.subrs.get(number, b"") for number in sorted(self._called([name]))]
        return hashlib.sha256(b"".join(struct.pack(">I", len(part)) + part for part in parts)).digest()

    def _called(self, names: Iterable[str]) -> set[int]:
        """The subroutines that glyphs call, and those that these call."""
        found: set[int] = set()
        for name in names:
            found |= _Run(self.subrs).of(self.glyphs.get(name, b""))
        return found

    def composed(self, names: Iterable[str]) -> set[str]:
        """The glyphs, and those they are composed of."""
        found: set[str] = set()
        waiting = [name for name in names if name in self.glyphs]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [part for part in accents(self.glyphs[name]) if part in self.glyphs]
        return found

    def subset(self, names: Mapping[str, str], font_name: str) -> tuple[bytes, tuple[int, int, int]]:
        """A program of these glyphs by their new names, called `font_name`, and the lengths of its three parts."""
        parts = self.composed([".notdef", *names])
        glyphs = {names.get(name, name): self.glyphs[name] for name in parts}
        # What others are composed of is found by its standard name, so it stays there too.
        bases = {part for name in parts for part in accents(self.glyphs[name]) if part in self.glyphs}
        glyphs |= {part: self.glyphs[part] for part in bases}
        body = self._before_glyphs(self._called(parts)) + self._write_glyphs(glyphs) + self._after_glyphs()
        clear = self._write_clear(font_name)
        hidden = encrypt(bytes(4) + body, _KEY)
        zeros = (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"
        return clear + hidden + zeros, (len(clear), len(hidden), len(zeros))

    def _before_glyphs(self, called: set[int]) -> bytes:
        first = self._glyphs.start
        if self._subrs is None:
            return _DROPPED.sub(b"", self.private[:first])
        before, between = self.private[: self._subrs.start], self.private[self._subrs.end : first]
        return _DROPPED.sub(b"", before) + self._write_subrs(called, self._subrs.words) + _DROPPED.sub(b"", between)

    def _after_glyphs(self) -> bytes:
        end = re.compile(rb".*?\bclosefile\b", re.DOTALL).match(self.private, self._glyphs.end)
        if end is None:
            raise Unprunable("a Type 1 font does not end")
        return end.group() + b"\n"

    def _write_subrs(self, called: set[int], words: tuple[bytes, bytes]) -> bytes:
        kept = called | {number for number in range(4) if number in self.subrs}
        count = max(kept, default=-1) + 1
        rows = [b"/Subrs %d array" % count]
        for number in range(count):
            program = self.subrs.get(number, _RETURN) if number in kept else _RETURN
            rows.append(b"dup %d %s" % (number, self._written(program, words)))
        return b"\n".join(rows)

    def _write_glyphs(self, glyphs: Mapping[str, bytes]) -> bytes:
        rows = [b"/CharStrings %d dict dup begin" % len(glyphs)]
        for name in sorted(glyphs):
            rows.append(b"/%s %s" % (name.encode("latin-1"), self._written(glyphs[name], self._glyphs.words)))
        return b"\n".join(rows)

    def _written(self, program: bytes, words: tuple[bytes, bytes]) -> bytes:
        data = program if self.skip < 0 else encrypt(bytes(self.skip) + program, _CHARSTRING_KEY)
        return b"%d %s %s %s" % (len(data), words[0], data, words[1])

    def _write_clear(self, font_name: str) -> bytes:
        clear = _NOTICES.sub(b"", _DROPPED.sub(b"", self.clear))
        clear = re.sub(rb"%[^\r\n]*[\r\n]+", b"", clear)
        clear = re.sub(rb"/FontName\s*/\S+", b"/FontName /" + font_name.encode("ascii"), clear)
        clear = _ENCODING.sub(b"/Encoding StandardEncoding def", clear, count=1)
        return b"%!PS-AdobeFont-1.0: " + font_name.encode("ascii") + b"\n" + clear


def decrypt(data: bytes, key: int) -> bytes:
    """What Type 1 fonts hide, in its simple cipher, with the bytes in front that mean nothing."""
    plain = bytearray(len(data))
    for at, byte in enumerate(data):
        plain[at] = byte ^ (key >> 8)
        key = ((byte + key) * 52845 + 22719) & 0xFFFF
    return bytes(plain)


def encrypt(data: bytes, key: int) -> bytes:
    """The way back from `decrypt`."""
    hidden = bytearray(len(data))
    for at, byte in enumerate(data):
        hidden[at] = byte = byte ^ (key >> 8)
        key = ((byte + key) * 52845 + 22719) & 0xFFFF
    return bytes(hidden)


def _unsegmented(data: bytes) -> bytes:
    """The program without the headers that it has as a file of its own (PFB)."""
    if not data.startswith(b"\x80"):
        return data
    parts, at = [], 0
    while at + 6 <= len(data) and data[at] == 0x80 and data[at + 1] in (1, 2):
        size = struct.unpack_from("<I", data, at + 2)[0]
        parts.append(data[at + 6 : at + 6 + size])
        at += 6 + size
    return b"".join(parts)


def _split(data: bytes) -> tuple[bytes, bytes]:
    match = re.search(rb"currentfile\s+eexec[\r\n\t ]*?(?:\r\n|[\r\n\t ])", data)
    if match is None:
        raise Unprunable("a Type 1 font has no encrypted part")
    return data[: match.end()], data[match.end() :]


def _binary(data: bytes) -> bytes:
    """The encrypted part as bytes, if it is written in hexadecimal."""
    if re.match(rb"[0-9A-Fa-f\s]{8}", data):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", data)
        return bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    return data


def _tokens(program: bytes) -> Iterator[int | str]:
    """Numbers as numbers, operators as words; those without a meaning here are all alike."""
    at = 0
    while at < len(program):
        byte = program[at]
        at += 1
        if byte >= 32:
            number, at = _number(program, byte, at)
            yield number
        elif byte == 12:
            second = program[at] if at < len(program) else 0
            at += 1
            yield {6: "seac", 12: "div", 16: "callothersubr", 17: "pop"}.get(second, "other")
        else:
            yield {10: "callsubr", 11: "return"}.get(byte, "other")


def _number(program: bytes, byte: int, at: int) -> tuple[int, int]:
    if byte <= 246:
        return byte - 139, at
    if byte == 255:
        return int.from_bytes(program[at : at + 4], "big", signed=True), at + 4
    low = program[at] if at < len(program) else 0
    return ((byte - 247) * 256 + low + 108, at + 1) if byte <= 250 else (-(byte - 251) * 256 - low - 108, at + 1)


class _Run:
    """A program followed as far as it takes to see which subroutines it calls.

    Numbers that are computed are None. A program that calls one of those cannot be followed.
    """

    def __init__(self, subrs: Mapping[int, bytes]) -> None:
        self.subrs = subrs
        self.stack: list[int | None] = []
        self.handed: list[int | None] = []
        self.called: set[int] = set()
        self.steps = 0

    def of(self, program: bytes, depth: int = 0) -> set[int]:
        if depth > _DEEPEST:
            raise Unprunable("a Type 1 font nests subroutines too deeply")
        for token in _tokens(program):
            self.steps += 1
            if self.steps > _LONGEST:
                raise Unprunable("a Type 1 font has a glyph without end")
            if token == "return":
                break
            if token == "callsubr":
                self._call(depth)
            else:
                self._step(token)
        return self.called

    def _call(self, depth: int) -> None:
        number = self._taken()
        if number is None:
            raise Unprunable("a Type 1 font computes which subroutines it calls")
        self.called.add(number)
        self.of(self.subrs.get(number, b""), depth + 1)

    def _step(self, token: int | str) -> None:
        if isinstance(token, int):
            self.stack.append(token)
        elif token == "div":
            self.stack = [*self.stack[:-2], None]
        elif token == "callothersubr":
            # The interpreter takes the arguments; `pop` gives one back. Replacing hints gives back what it took.
            _, count = self._taken(), self._taken() or 0
            self.handed = [self._taken() for _ in range(max(0, min(count, 24)))][::-1]
        elif token == "pop":
            self.stack.append(self.handed.pop() if self.handed else None)
        else:
            self.stack = []

    def _taken(self) -> int | None:
        return self.stack.pop() if self.stack else None


def accents(program: bytes) -> Iterator[str]:
    """The glyphs that an accented one is composed of, by their standard names."""
    before: list[int | str] = []
    for token in _tokens(program):
        if token == "seac":
            for code in before[-2:]:
                if isinstance(code, int) and 0 <= code < 256:
                    yield str(StandardEncoding[code])
        before.append(token)
