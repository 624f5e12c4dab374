"""Content streams as instructions, and instructions as bytes again.

Numbers are floats, names are strings that begin with a slash, strings are bytes, arrays are lists, dictionaries are
dicts. What is no token is passed over, as viewers do.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from withhold.errors import HostileDocument

MOST_INSTRUCTIONS = 2_000_000
"""A page with more is not read."""

_DEEPEST = 60
_TOKEN = re.compile(
    rb"(?P<number>[+-]{0,2}(?:\d+\.?\d*|\.\d+)(?:-\d*)?(?=[\x00\t\n\x0c\r ()<>\[\]{}/%]|$))"
    rb"|(?P<operator>[A-Za-z'\"*_][^\x00\t\n\x0c\r ()<>\[\]{}/%]*)"
    rb"|(?P<string>\((?:[^()\\]|\\.)*\))"
    rb"|(?P<hex><[0-9A-Fa-f\x00\t\n\x0c\r ]*>)"
    rb"|(?P<name>/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*)"
    rb"|(?P<open>\[|<<)"
    rb"|(?P<close>\]|>>)"
    rb"|(?P<comment>%[^\r\n]*)"
    rb"|(?P<nested>\()"
    rb"|(?P<other>[^\x00\t\n\x0c\r ()<>\[\]{}/%]+|[()<>\[\]{}%])",
    re.DOTALL,
)
_GAP = rb"[\t\n\x0c\r ]"
_WORD = rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]"
_REAL = rb"[+-]?(?:\d++\.?\d*+|\.\d++)"
_COMMON = re.compile(
    rb"[\x00\t\n\x0c\r ]*+("
    rb"(?:\(([^()\\\r]*+)\)%(gap)b*+"
    rb"|(\[(?:%(gap)b++|\([^()\\\r]*+\)|<[0-9A-Fa-f]*+>|%(real)b(?=[\t\n\x0c\r (<\]]))*+\])%(gap)b*+"
    rb"|(<[0-9A-Fa-f]*+>)%(gap)b*+"
    rb"|(/%(word)b*+)%(gap)b*+(?:(?<=%(gap)b)|(?=<<))"
    rb"(?:<<%(gap)b*+(/%(word)b*+)%(gap)b++(%(real)b)%(gap)b*+>>%(gap)b*+)?+)?+"
    rb"((?:%(real)b%(gap)b++)*+)"
    rb"([A-Za-z'\"*_]%(word)b*+))" % {b"gap": _GAP, b"word": _WORD, b"real": _REAL}
)
"""A whole instruction as most are written: a string, an array of strings and numbers or a name, if any, which a
dictionary of one number may follow; numbers, if any; and the operator. It says the same as its tokens do one by one.
"""
_PART = re.compile(rb"\(([^()]*+)\)|(<[0-9A-Fa-f]*+>)|(%b)" % _REAL)
_SPECIAL = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|[\s\S])?)|\r\n?")
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_ENTITY = re.compile(rb"#([0-9A-Fa-f]{2})")
_BEGIN_IMAGE = re.compile(rb"[\x00\t\n\x0c\r >\]]ID(?=[\x00\t\n\x0c\r ]|$)")
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_WORDS = {b"true": True, b"false": False, b"null": None}
_SHORT = 14
"""Instructions that take fewer characters are often the same."""
_OTHERWISE = frozenset((*_WORDS, b"BI"))
"""What looks like an operator, but is read otherwise."""
_OPERATORS = """
b b* B B* BDC BMC BT BX c cm cs CS d d0 d1 Do DP EMC ET EX f F f* g G gs h i j J k K l m M MP n q Q re rg RG ri s S sc
scn SC SCN sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "
"""
_KNOWN = {operator.encode(): operator for operator in _OPERATORS.split()}
"""The operators, each as one string for all instructions: this is quicker to compare."""
_AFTER_IMAGE = re.compile(rb"[\x00\t\n\x0c\r ]EI(?=[\x00\t\n\x0c\r ]|$)")


@dataclass(slots=True, repr=False)
class Instruction:
    """An operator with its operands, and the bytes both were written in. Those that are written alike may be one
    object: nobody changes them.
    """

    operator: str
    operands: list[Any]
    raw: bytes

    @classmethod
    def of(cls, operator: str, *operands: Any) -> Instruction:
        """One that is written anew."""
        written = b" ".join([*map(serialise, operands), operator.encode("latin-1")])
        return cls(operator, list(operands), written)

    @classmethod
    @lru_cache(maxsize=4096)
    def common(cls, operator: str, *operands: float | str) -> Instruction:
        """The same for one that is written often: it is one object each time."""
        return cls.of(operator, *operands)


def instructions(data: bytes) -> list[Instruction]:
    """The instructions of a content stream, in order.

    Raises:
        HostileDocument: if there are more of them, or they nest further, than is safe.
    """
    return _Scan(data).run()


class _Scan:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.found: list[Instruction] = []
        self.operands: list[Any] = []
        self.open: list[tuple[str, list[Any]]] = []
        self.start = -1
        self.commented = False
        self.known: dict[bytes, Instruction] = {}
        """Instructions that show nothing, by how they are written: there are few short ones, again and again."""

    def run(self) -> list[Instruction]:
        at, data, end = 0, self.data, len(self.data)
        search = _TOKEN.search
        while at < end:
            if self.start < 0 and not self.open:
                at = self._common(at)
            match = search(data, at)
            if match is None:
                break
            kind, at = match.lastgroup, match.end()
            if kind in ("comment", "other"):
                self.commented = True
                continue
            if self.start < 0:
                self.start = match.start()
                self.commented = False
            if kind == "operator":
                at = self._operator(match.group(), at)
            elif (read := _READ.get(kind)) is not None:
                self.operands.append(read(match.group()))
            elif kind == "open":
                self._opened(match.group().decode())
            elif kind == "close":
                self._closed()
            else:
                content, at = _nested(data, at)
                self.operands.append(content)
            self._refuse_more()
        return self.found

    def _common(self, at: int) -> int:
        """Takes the instructions that are written as most are, from one on; where the first other one begins."""
        match, add, data, known = _COMMON.match, self.found.append, self.data, self.known
        while found := match(data, at):
            each = known.get(found[1])
            if each is None:
                raw, string, array, digits, name, key, value, numbers, token = found.groups()
                if token in _OTHERWISE:
                    break
                operands: list[Any] = list(map(float, numbers.split())) if numbers else []
                if string is not None:
                    operands.insert(0, string)
                elif name is not None:
                    operands[:0] = [_name(name)] if key is None else [_name(name), {_name(key): float(value)}]
                elif array is not None:
                    operands.insert(0, _parts(array))
                elif digits is not None:
                    operands.insert(0, _hex(digits))
                each = Instruction(_KNOWN.get(token) or token.decode("latin-1"), operands, raw)
                if len(raw) < _SHORT and string is None and array is None and digits is None:
                    known[raw] = each
            add(each)
            at = found.end()
        self._refuse_more()
        return at

    def _refuse_more(self) -> None:
        if len(self.found) > MOST_INSTRUCTIONS:
            raise HostileDocument("a page has more instructions than is safe")

    def _opened(self, bracket: str) -> None:
        if len(self.open) > _DEEPEST:
            raise HostileDocument("a page nests further than is safe")
        self.open.append((bracket, self.operands))
        self.operands = []

    def _closed(self) -> None:
        if not self.open:
            return
        bracket, outer = self.open.pop()
        inner = self.operands
        outer.append(inner if bracket == "[" else _entries(inner))
        self.operands = outer

    def _operator(self, token: bytes, at: int) -> int:
        if token in _WORDS:
            self.operands.append(_WORDS[token])
            return at
        if self.open and self._is_closed_later(at):  # an operator inside an array: viewers pass it over
            self.commented = True
            return at
        while self.open:  # a bracket that is never closed: viewers go on
            self._closed()
        operator = token.decode("latin-1")
        if operator == "BI":
            return self._inline_image(at)
        raw = self.data[self.start : at]
        if self.commented:
            raw = Instruction.of(operator, *self.operands).raw
        self.found.append(Instruction(operator, self.operands, raw))
        self.operands, self.start = [], -1
        return at

    def _is_closed_later(self, at: int) -> bool:
        """Whether a bracket closes before another one opens."""
        closing, opening = self.data.find(b"]", at), self.data.find(b"[", at)
        return self.open[-1][0] == "[" and closing >= 0 and (opening < 0 or closing < opening)

    def _inline_image(self, at: int) -> int:
        """The whole image as one instruction, `BI`, whose operand is its dictionary."""
        begin = _BEGIN_IMAGE.search(self.data, at)
        if begin is None:
            return len(self.data)
        entries = instructions(self.data[at : begin.start() + 1] + b" end")
        flat = entries[-1].operands if entries else []
        closing = _AFTER_IMAGE.search(self.data, begin.end())
        while closing and not _plain(self.data[closing.end() : closing.end() + 12]):
            closing = _AFTER_IMAGE.search(self.data, closing.end())
        end = closing.end() if closing else len(self.data)
        self.found.append(Instruction("BI", [_entries(flat)], self.data[self.start : end]))
        self.operands, self.start = [], -1
        return end


def _parts(array: bytes) -> list[Any]:
    """What an array holds of strings without anything special in them, and of numbers."""
    return [
        float(number) if number else _hex(digits) if digits else string
        for string, digits, number in _PART.findall(array)
    ]


def _entries(flat: Sequence[Any]) -> dict[str, Any]:
    """Keys and values that follow one another as a dictionary; an empty one if they are none."""
    if not all(isinstance(key, str) for key in flat[::2]):
        return {}
    return dict(zip(flat[::2], flat[1::2], strict=False))


def _plain(data: bytes) -> bool:
    """Whether this can be what follows an image: instructions are plain letters."""
    return all(byte in b"\t\n\x0c\r" or 32 <= byte < 127 for byte in data)


def _number(token: bytes) -> float:
    try:
        return float(token)
    except ValueError:
        match = re.match(rb"[+-]*([\d.]+)", token)
        sign = -1.0 if token.startswith(b"-") else 1.0
        return sign * float(match[1]) if match else 0.0


def _name(token: bytes) -> str:
    if b"#" in token:
        token = _ENTITY.sub(lambda match: bytes([int(match[1], 16)]), token)
    return token.decode("utf-8", "surrogateescape")


def _string(token: bytes) -> bytes:
    inner = token[1:-1]
    return _SPECIAL.sub(_unescaped, inner) if b"\\" in inner or b"\r" in inner else inner


def _unescaped(match: re.Match[bytes]) -> bytes:
    octal, other = match.groups()
    if octal:
        return bytes([int(octal, 8) & 255])
    if other is None:
        return b"\n" if match.group().startswith(b"\r") else b""
    if other in (b"\r\n", b"\n", b"\r"):
        return b""
    return _ESCAPES.get(other, other)


def _hex(token: bytes) -> bytes:
    if not len(token) % 2 and token[1:-1].isalnum():
        return unhexlify(token[1:-1])
    digits = token.translate(None, b"<> \t\r\n\x0c\x00")
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


_READ: dict[str | None, Callable[[bytes], Any]] = {"number": _number, "name": _name, "string": _string, "hex": _hex}
"""How operands of one token are read."""


def _nested(data: bytes, at: int) -> tuple[bytes, int]:
    """A string with brackets in it, from after its first bracket; one that never ends takes the rest."""
    depth, start = 1, at
    for match in _BRACKET.finditer(data, at):
        if match.group() == b"(":
            depth += 1
        elif match.group() == b")":
            depth -= 1
            if depth == 0:
                return _string(b"(" + data[start : match.start()] + b")"), match.end()
    return _string(b"(" + data[start:] + b")"), len(data)


def serialise(operand: Any) -> bytes:
    """An operand as it is written."""
    if type(operand) is float:
        return number(operand)
    if isinstance(operand, bool) or operand is None:
        return {True: b"true", False: b"false", None: b"null"}[operand]
    if isinstance(operand, (int, float)):
        return number(operand)
    if isinstance(operand, str):
        return _written_name(operand)
    if isinstance(operand, bytes):
        return b"<" + operand.hex().upper().encode() + b">"
    if isinstance(operand, dict):
        entries = (part for entry in operand.items() for part in entry)
        return b"<<" + b" ".join(serialise(part) for part in entries) + b">>"
    return b"[" + b" ".join(serialise(part) for part in operand) + b"]"


def placed(linear: tuple[float, float, float, float], x: float, y: float) -> Instruction:
    """What places text on the page, turned and sized as often other text is, too."""
    return Instruction("Tm", [*linear, x, y], b"%b %b %b Tm" % (_in_a_row(linear), number(x), number(y)))


@lru_cache(maxsize=1024)
def _in_a_row(values: tuple[float, ...]) -> bytes:
    return b" ".join(map(number, values))


def number(value: float) -> bytes:
    """A number to four decimals, in as few characters as that takes."""
    if abs(value) >= 1e9:
        value = 1e9 if value > 0 else -1e9
    if float(value).is_integer():
        return b"%d" % value
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return b"0" if text in ("-0", "") else text.encode()


@lru_cache(maxsize=1024)
def _written_name(name: str) -> bytes:
    raw = name.encode("utf-8", "surrogateescape")[1:]
    return b"/" + b"".join(bytes([c]) if 33 <= c <= 126 and c not in b"()<>[]{}/%#" else b"#%02X" % c for c in raw)


def written(several: Iterable[Instruction]) -> bytes:
    """A content stream of these instructions."""
    return b"\n".join(each.raw for each in several)
