"""Character maps: from codes to characters, and from codes to the glyph numbers of composite fonts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

MOST_ENTRIES = 70_000
"""Ranges that promise more than this are cut off."""

_SECTION = re.compile(
    rb"begin(codespacerange|bfchar|bfrange|cidchar|cidrange)(.*?)end(?:codespacerange|bfchar|bfrange|cidchar|cidrange)",
    re.DOTALL,
)
_ITEM = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|([+-]?\d+)|/[^\s<>\[\]/]*")
_UNREADABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def readable(text: str) -> str:
    """The text with what no text can hold as replacement characters; never empty."""
    return _UNREADABLE.sub("\ufffd", text) or "\ufffd"


def to_unicode(data: bytes) -> dict[int, str]:
    """What each code means, as a `ToUnicode` stream says."""
    found: dict[int, str] = {}
    for kind, body in _SECTION.findall(data):
        if kind == b"bfchar":
            items = [item for item in _items(body) if isinstance(item, bytes)]
            for code, text in zip(items[::2], items[1::2], strict=False):
                found[int.from_bytes(code, "big")] = readable(_text(text))
        elif kind == b"bfrange":
            _add_ranges(found, _items(body))
        if len(found) > MOST_ENTRIES:
            break
    return found


def _add_ranges(found: dict[int, str], items: list[Any]) -> None:
    for first, last, target in zip(items[::3], items[1::3], items[2::3], strict=False):
        if not (isinstance(first, bytes) and isinstance(last, bytes)):
            return
        start, end = int.from_bytes(first, "big"), int.from_bytes(last, "big")
        if isinstance(target, list):
            for code, each in zip(range(start, end + 1), target, strict=False):
                found[code] = readable(_text(each)) if isinstance(each, bytes) else "\ufffd"
        elif isinstance(target, bytes) and target:
            head, tail = target[:-2], int.from_bytes(target[-2:], "big")
            for step in range(min(end - start + 1, MOST_ENTRIES)):
                unit = min(tail + step, 0xFFFF).to_bytes(2, "big")
                found[start + step] = readable(_text(head + unit))


def _items(body: bytes) -> list[Any]:
    """Strings as bytes, numbers as numbers, arrays as lists."""
    found: list[Any] = []
    inside: list[Any] | None = None
    for match in _ITEM.finditer(body):
        digits, opened, closed, number = match.groups()
        if opened:
            inside = []
        elif closed:
            found.append(inside or [])
            inside = None
        elif number is not None or digits is not None:
            item = int(number) if number is not None else _bytes(digits)
            (found if inside is None else inside).append(item)
    return found


def _bytes(digits: bytes) -> bytes:
    bare = b"".join(digits.split())
    return bytes.fromhex((bare + b"0" * (len(bare) % 2)).decode())


def _text(data: bytes) -> str:
    return chr(data[0]) if len(data) == 1 else data.decode("utf-16-be", "replace")


@dataclass(slots=True, repr=False)
class CodeMap:
    """How strings of a composite font are cut into codes, and which glyph number each code has."""

    lengths: dict[int, int] = field(default_factory=dict)
    """By first byte, how many bytes a code has."""
    cids: dict[int, int] | None = None
    """By code; None where both are the same."""
    vertical: bool = False

    def codes(self, data: bytes) -> list[bytes]:
        if self.cids is None and not self.lengths:
            if len(data) == 2:
                return [data]
            return [data[at : at + 2] for at in range(0, len(data), 2)]
        found, at = [], 0
        while at < len(data):
            size = self.lengths.get(data[at], 1)
            found.append(data[at : at + size])
            at += size
        return found

    def cid(self, code: bytes) -> int:
        value = int.from_bytes(code, "big")
        return value if self.cids is None else self.cids.get(value, 0)


def named(name: str) -> CodeMap | None:
    """A map that PDF defines by its name; None if it is not known."""
    if name in ("/Identity-H", "/Identity-V"):
        return CodeMap(vertical=name.endswith("V"))
    from pdfminer.cmapdb import CMapDB

    try:
        known = CMapDB.get_cmap(name.removeprefix("/"))
    except Exception:
        return None
    result = CodeMap(cids={}, vertical=name.endswith("V"))
    _flatten(known.code2cid, b"", result)
    return result


def _flatten(tree: dict[int, Any], prefix: bytes, result: CodeMap) -> None:
    assert result.cids is not None
    for byte, below in tree.items():
        code = prefix + bytes([byte])
        if isinstance(below, dict):
            _flatten(below, code, result)
        else:
            result.lengths[code[0]] = len(code)
            result.cids[int.from_bytes(code, "big")] = below


def embedded(data: bytes) -> CodeMap | None:
    """A map that a file brings along; None if it leans on another one."""
    if re.search(rb"\busecmap\b", data):
        return None
    result = CodeMap(cids={}, vertical=bool(re.search(rb"/WMode\s+1\b", data)))
    assert result.cids is not None
    for kind, body in _SECTION.findall(data):
        items = _items(body)
        if kind == b"codespacerange":
            for low, high in zip(items[::2], items[1::2], strict=False):
                if isinstance(low, bytes) and isinstance(high, bytes) and low and high:
                    result.lengths.update(dict.fromkeys(range(low[0], high[0] + 1), len(low)))
        elif kind == b"cidchar":
            for code, cid in zip(items[::2], items[1::2], strict=False):
                if isinstance(code, bytes) and isinstance(cid, int):
                    result.cids[int.from_bytes(code, "big")] = cid
        elif kind == b"cidrange":
            for low, high, cid in zip(items[::3], items[1::3], items[2::3], strict=False):
                if isinstance(low, bytes) and isinstance(high, bytes) and isinstance(cid, int):
                    start, end = int.from_bytes(low, "big"), int.from_bytes(high, "big")
                    for step in range(min(end - start + 1, MOST_ENTRIES)):
                        result.cids[start + step] = cid + step
    return result if result.lengths else None


def collection(ordering: str) -> Any:
    """From glyph numbers of one of Adobe's collections to characters; None if it is not known."""
    from pdfminer.cmapdb import CMapDB

    try:
        return CMapDB.get_unicode_map(ordering)
    except Exception:
        return None
