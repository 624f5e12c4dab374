"""What a new file must be, whatever is in it: one revision, known keys, nothing that no page needs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream

from withhold.errors import LeakError
from withhold.formats.pdf import vocabulary
from withhold.types import Residue

_NAMING = frozenset((*vocabulary.RESOURCES, "/CharProcs"))
"""Dictionaries whose keys are names that streams use."""


def check(output: bytes) -> None:
    """Refuse a file that has more than its pages need.

    Raises:
        LeakError: if it has another revision, a key that is not known, a string, or an object that nothing refers to.
    """
    faults = [*_revisions(output), *_objects(output)]
    if faults:
        named = ", ".join(sorted({fault.check for fault in faults})[:5])
        raise LeakError(f"the new file has what it should not have ({named}); nothing was written", faults)


def _revisions(output: bytes) -> Iterator[Residue]:
    if output.count(b"startxref") != 1 or output.count(b"%%EOF") != 1:
        yield Residue("file", "more than one revision")


def _objects(output: bytes) -> Iterator[Residue]:
    with pikepdf.open(io.BytesIO(output)) as pdf:
        for key in sorted(set(pdf.trailer.keys()) - {"/Size", "/Root", "/ID"}):
            yield Residue("trailer", f"key {_shown(key)}")
        yield from _keys(pdf.Root, vocabulary.CATALOGUE, "catalogue")
        for number, page in enumerate(pdf.pages, 1):
            yield from _keys(page.obj, vocabulary.PAGE, f"page {number}")
        seen: set[tuple[int, int]] = set()
        yield from _walk(pdf.Root, seen)
        for each in pdf.objects:
            is_there = isinstance(each, (Dictionary, Stream, Array))
            if is_there and each.objgen not in seen:
                yield Residue("file", "an object that nothing refers to")


def _keys(thing: Any, known: frozenset[str], where: str) -> Iterator[Residue]:
    for key in sorted(set(thing.keys()) - known):
        yield Residue(where, f"key {_shown(key)}")


def _shown(key: str) -> str:
    """A key as a message may have it: names of keys are anyone's words."""
    return key if key in vocabulary.ALL else "that is not known"


def _walk(root: Any, seen: set[tuple[int, int]]) -> Iterator[Residue]:
    """Every dictionary that the pages lead to, with keys that are known alone."""
    waiting: list[tuple[Any, bool]] = [(root, False)]
    while waiting:
        thing, is_naming = waiting.pop()
        if not isinstance(thing, (Dictionary, Stream, Array)):
            continue
        if thing.is_indirect:
            if thing.objgen in seen:
                continue
            seen.add(thing.objgen)
        if isinstance(thing, Array):
            waiting += [(each, False) for each in thing]
            continue
        for key, entry in thing.items():
            if not is_naming and key not in vocabulary.ALL:
                yield Residue("file", "a key that is not known")
            waiting.append((entry, key in _NAMING and isinstance(entry, Dictionary)))
