"""Documents cut into paragraphs and folded words, as numbers."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.learners.features import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Numbers = NDArray[np.int32]

BLOCK = 1 << 14
"""Texts are compressed together until they have so many bytes: more is smaller, and slower to read one of."""

_BLANK = re.compile(r"\n[^\S\n]*\n\s*")


_WIDTHS = range(40, 101)
"""Text that is broken into lines by its writer has lines of at most so many characters."""


def paragraphs(text: str) -> list[list[str]]:
    """The words of each paragraph, of a document without any one paragraph without words."""
    return [read for read in map(words, pieces(text)) if read] or [[]]


def pieces(text: str) -> list[str]:
    """The paragraphs of a text.

    Blank lines separate paragraphs. In a text that has none between its lines, each line is one, unless it was broken
    only because the next word would not have fitted.
    """
    parts = _BLANK.split(text.strip())
    return _unbroken(parts[0].split("\n")) if len(parts) == 1 else parts


def _unbroken(lines: list[str]) -> list[str]:
    """The lines, those put together that one line was broken into."""
    width = max(map(len, lines))
    if width not in _WIDTHS:
        return lines
    joined = lines[:1]
    for before, line in pairwise(lines):
        fits = len(before.rstrip()) + 1 + len(line.split(maxsplit=1)[0]) <= width if line.strip() else True
        if fits or line[0].isspace():
            joined.append(line)
        else:
            joined[-1] += "\n" + line
    return joined


@dataclass(frozen=True, eq=False)
class Cut:
    """Documents in numbers. `stream` holds the number of every word in order; paragraph p is the stretch of it from
    `paragraphs[p]` to `paragraphs[p + 1]`, document d has the paragraphs from `documents[d]` to `documents[d + 1]`.
    Block b of the compressed texts holds the documents from `block_documents[b]` to `block_documents[b + 1]`, each of
    `text_sizes[d]` bytes.
    """

    names: list[str] = field(repr=False)
    titles: list[str] = field(repr=False)
    vocabulary: list[str] = field(repr=False)
    stream: Numbers = field(repr=False)
    paragraphs: Whole = field(repr=False)
    documents: Whole = field(repr=False)
    blocks: list[bytes] = field(repr=False)
    block_documents: Whole = field(repr=False)
    text_sizes: Whole = field(repr=False)


def cut(documents: Sequence[tuple[str, str, str]]) -> Cut:
    """Documents, each a name, a title and a text, cut."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    read = [paragraphs(text) for _, _, text in documents]
    flat = list(chain.from_iterable(read))
    bounds = ends(map(len, flat))
    stream = np.fromiter(map(numbers.__getitem__, chain.from_iterable(flat)), np.int32, int(bounds[-1]))
    texts = [text.encode("utf-8", "surrogatepass") for _, _, text in documents]
    firsts = list(_firsts(texts))
    return Cut(
        [name for name, _, _ in documents],
        [title for _, title, _ in documents],
        list(numbers),
        stream,
        bounds,
        ends(map(len, read)),
        [zlib.compress(b"".join(texts[a:b]), 1) for a, b in zip(firsts, [*firsts[1:], len(texts)], strict=True)],
        np.array([*firsts, len(texts)], np.int64),
        np.fromiter(map(len, texts), np.int64, len(texts)),
    )


def join(cuts: Sequence[Cut]) -> Cut:
    """All documents of the cuts, in their order."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    streams = []
    for each in cuts:
        places = np.fromiter(map(numbers.__getitem__, each.vocabulary), np.int32, len(each.vocabulary))
        streams.append(places[each.stream] if len(places) else each.stream)
    return Cut(
        [name for each in cuts for name in each.names],
        [title for each in cuts for title in each.titles],
        list(numbers),
        np.concatenate([np.empty(0, np.int32), *streams]),
        _joined([each.paragraphs for each in cuts]),
        _joined([each.documents for each in cuts]),
        [block for each in cuts for block in each.blocks],
        _joined([each.block_documents for each in cuts]),
        np.concatenate([np.empty(0, np.int64), *(each.text_sizes for each in cuts)]),
    )


def ends(lengths: Iterable[int]) -> Whole:
    """Where stretches of these lengths begin, one after the other, and where the last ends."""
    listed = list(lengths)
    return np.concatenate(([0], np.cumsum(np.array(listed, np.int64)))).astype(np.int64)


def _joined(bounds: Sequence[NDArray[Any]]) -> Whole:
    return ends(chain.from_iterable(np.diff(each).tolist() for each in bounds))


def _firsts(texts: Sequence[bytes]) -> Iterator[int]:
    """The first document of each block."""
    room = 0
    for number, text in enumerate(texts):
        if room <= 0:
            yield number
            room = BLOCK
        room -= len(text)
