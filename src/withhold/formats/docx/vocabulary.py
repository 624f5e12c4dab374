"""Words that belong to the format and not to anyone's document.

`vocabulary.txt` has two parts. First, whole values in lower case without spaces and final digits: the values
that OOXML's schemas enumerate, the names of Word's built-in styles, and the names of fonts that come with
office programs and operating systems. Second, the words that compound values (VML's styles and formulas,
namespace addresses) are made of. Finding one of these in an attribute says nothing about what was removed.
`names.txt` has the names of elements and attributes that OOXML's schemas and Word's additions to them know.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_NUMBER = re.compile(r"[-+]?[\d.,]*(?:%|pt|in|cm|mm|px|emu|pc|pi|f|fd)?")
_CODE = re.compile(
    r"#?[0-9A-F]{2,8}|[a-z]{2,3}-[A-Z]{2}|\+m[jn]-(?:lt|ea|cs)|\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?|rId\d+|_b\d+|#?_x0000_\w\d+"
)
_COMPOUND = re.compile(r"[\d;:,=@#(]")
"""Signs of a path, formula or style, where words of one or two letters are commands; elsewhere they may be a name."""

_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")
"""What any letters can be written in."""


@cache
def _parts() -> tuple[frozenset[str], frozenset[str]]:
    text = files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8")
    values, _, words = text.partition("\n\n")
    return frozenset(values.split()), frozenset(words.split())


@cache
def _names() -> frozenset[str]:
    return frozenset(files(__package__).joinpath("names.txt").read_text(encoding="utf-8").split())


def is_name(name: str) -> bool:
    """Whether the format knows an element or attribute of this name, whatever its namespace."""
    return name in _names()


@lru_cache(100_000)
def is_vocabulary(value: str) -> bool:
    """Whether a value is a number, a code, or made of the format's own words."""
    if _NUMBER.fullmatch(value) or _CODE.fullmatch(value):
        return True
    if _ESCAPED.search(value):
        return False
    values, words = _parts()
    squeezed = re.sub(r"[\W_]", "", value.lower()).rstrip("0123456789")
    if squeezed in values or squeezed.removesuffix("char").rstrip("0123456789") in values:
        return True
    letters = re.findall(r"[^\W\d_]+", value.lower())
    short = 2 if _COMPOUND.search(value) else 0
    return value.isascii() and all(len(word) <= short or word in words or word in values for word in letters)
