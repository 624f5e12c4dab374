"""Verification: what a redaction removed must be in no byte of the output.

Two questions are asked of every output before anyone gets it. Read again, is it the edited text, block by
block? And does a reader that shares no parser with the writer find anything that should be gone?

What must be gone is every removed string. One that also stands in the kept text (a plan may remove a word here
and keep it there) may be found as often as it was kept, and no more often.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from withhold.contracts import Format
from withhold.errors import DocumentError, LeakError
from withhold.formats.blocks import Changes
from withhold.text import WORD, Strings, fold, squeeze
from withhold.types import Document, Passage, Replacement, Residue, Verification

SHORTEST_IN_BYTES = 4
"""Shorter strings are in any picture by chance, so bytes that are not text are not searched for them."""

LONG_IN_NAMES = 5
"""Names are searched for shorter strings as whole words only: "ann" is in any "annotation"."""

_CODECS = ("utf-8", "utf-16-le", "utf-16-be")
_SPACES = {codec: [space.encode(codec) for space in " \t\r\n"] for codec in _CODECS}
_SPACE = {codec: re.compile(b"|".join(map(re.escape, spaces))) for codec, spaces in _SPACES.items()}

_TOGETHER = 1_000_000
_BETWEEN = b"\xff" * 4
_FEW = 30
"""Up to so many strings are searched for one by one, which is quicker than all at once."""

_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")


@dataclass(frozen=True, slots=True, repr=False)
class Needle:
    """One removed string: as an independent reader may see it, and how often it may be seen."""

    text: str
    allowed: int


def needles(changes: Changes) -> list[Needle]:
    """What to look for in the output, and how often each may be found there."""
    return sought(changes.removed, changes.edited)


def untold(changes: Changes) -> list[str]:
    """What no name may tell, squeezed: not what the edited text has as well."""
    return [needle.text for needle in sought(changes.untold, changes.edited) if not needle.allowed]


def sought(removed: Iterable[str], edited: Iterable[str]) -> list[Needle]:
    """What to look for if these strings were removed: each may be found as often as the edited text has it."""
    lines = {squeeze(line) for text in removed for line in text.split("\n")}
    gone = Strings(line for line in lines if WORD.search(line))
    kept = gone.count(joined(edited))
    return [Needle(text, kept[text]) for text in gone.strings]


def joined(texts: Iterable[str]) -> str:
    """Texts as one string in which no match reaches from one into the next."""
    return squeeze("\0".join(texts))


def verify(
    format: Format, document: Document, replacements: Sequence[Replacement], output: bytes
) -> tuple[Document, Verification]:
    """Check an output against the document it was made from, and give it as a document of its own.

    Raises:
        LeakError: if it does not read back as the edited text, or holds something that should be gone.
    """
    changes = Changes(document, replacements)
    try:
        text, blocks = format.read(output, document.handling)
    except DocumentError as error:
        raise LeakError(f"the output cannot be read back: {error}") from None
    found = [block.span.of(text) for block in blocks]
    if [each for each in found if each] != [each for each in changes.edited if each]:
        raise LeakError(
            "the output does not read back as planned; nothing was written",
            [Residue("text", "read back")],
        )
    wanted = needles(changes)
    passages = list(format.passages(output))
    residues = list(search(passages, wanted, untold(changes)))
    if residues:
        places = ", ".join(sorted({residue.where for residue in residues})[:5])
        raise LeakError(f"removed text is still in the output ({places}); nothing was written", residues)
    result = replace(document, text=text, native=output, blocks=blocks)
    return result, Verification(
        checks=("read back", "independent reader", "names", "raw bytes"),
        strings=len(wanted),
        passages=len(passages),
    )


def search(passages: Sequence[Passage], wanted: Sequence[Needle], untold: Sequence[str] = ()) -> Iterator[Residue]:
    """Every place where an independent reader finds what should be gone, or a name that tells one of `untold`."""
    content = [passage for passage in passages if passage.kind == "content"]
    found = Strings(needle.text for needle in wanted).count(joined(passage.text for passage in content))
    for needle in wanted:
        if found[needle.text] > needle.allowed:
            for passage in content:
                if count := squeeze(passage.text).count(needle.text):
                    yield Residue(passage.where, "independent reader", count)
    absent = [needle.text for needle in wanted if not needle.allowed]
    names = Names((*absent, *untold))
    suspects = set(map(id, _suspects([passage for passage in passages if passage.kind == "raw"], absent)))
    for passage in passages:
        if passage.kind == "name" and names.told_by(passage.text):
            yield Residue(passage.where, "name")
        elif id(passage) in suspects:
            yield from _search_bytes(passage, absent)


class Names:
    """Asks of names that hold a file together (a style, a class) whether they tell one of the squeezed texts.

    Texts of five letters and more are found anywhere in a name, shorter ones as whole words.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._bare = {"".join(WORD.findall(text)) for text in texts} - {""}
        self._long = Strings(text for text in self._bare if len(text) >= LONG_IN_NAMES)

    def told_by(self, name: str) -> bool:
        shown = fold(name, keep_case=True).text
        words = WORD.findall(fold(_HUMP.sub(" ", shown)).text)
        return not self._bare.isdisjoint(_neighbours(words)) or bool(self._long.count("".join(words)))


def _neighbours(words: Sequence[str]) -> Iterator[str]:
    """Every word, and the short strings that words make when they stand side by side."""
    for start, word in enumerate(words):
        yield word
        together = word
        for following in words[start + 1 :]:
            together += following
            if len(together) >= LONG_IN_NAMES:
                break
            yield together


def _suspects(passages: Sequence[Passage], absent: Sequence[str]) -> Iterator[Passage]:
    """The passages of bytes in which `_search_bytes` may find something, and most likely no others: many are looked
    through at once.
    """
    texts = [text for text in absent if len(text) >= SHORTEST_IN_BYTES]
    wanted = {codec: _AnyOf([text.encode(codec, "surrogatepass") for text in texts]) for codec in _CODECS}
    for together in _gathered(passages) if texts else ():
        lowered = _BETWEEN.join(passage.data for passage in together).lower()
        if any(any_of.stand_in(_unspaced(lowered, codec)) for codec, any_of in wanted.items()):
            yield from together


def _unspaced(data: bytes, codec: str) -> bytes:
    """Bytes without those that are white space in a codec."""
    if codec == "utf-8":
        return data.translate(None, b"".join(_SPACES[codec]))
    return _SPACE[codec].sub(b"", data) if any(space in data for space in _SPACES[codec]) else data


def _gathered(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Passages in the same order, as many together as come to about so many bytes."""
    together, size = list[Passage](), 0
    for passage in passages:
        together.append(passage)
        size += len(passage.data)
        if size > _TOGETHER:
            yield together
            together, size = [], 0
    if together:
        yield together


class _AnyOf:
    """Tells whether any of some strings, of four bytes or more, stands in others."""

    def __init__(self, strings: Sequence[bytes]) -> None:
        self._strings = strings
        self._by_key: dict[bytes, list[bytes]] = {}
        for string in strings:
            self._by_key.setdefault(string[:4], []).append(string)

    def stand_in(self, data: bytes) -> bool:
        if len(self._strings) <= _FEW:
            return any(string in data for string in self._strings)
        return any(data.startswith(tuple(self._by_key[data[at : at + 4]]), at) for at in self._places(data))

    def _places(self, data: bytes) -> Iterator[int]:
        """Where the first four bytes of one of the strings stand. All places are looked at four bytes at a time, first
        in a table that says of most of them that nothing begins so.
        """
        import numpy as np

        keys = np.frombuffer(b"".join(sorted(self._by_key)), np.uint32)
        table = np.zeros(1 << 16, bool)
        table[_hashed(keys)] = True
        for offset in range(min(4, max(len(data) - 3, 0))):
            words = np.frombuffer(data, np.uint32, (len(data) - offset) // 4, offset)
            likely = np.flatnonzero(table[_hashed(words)])
            yield from (4 * likely[np.isin(words[likely], keys)] + offset).tolist()


def _hashed(words: Any) -> Any:
    return words * 2654435761 >> 16 & 0xFFFF


def _search_bytes(passage: Passage, absent: Sequence[str]) -> Iterator[Residue]:
    """Strings as UTF-8, or as UTF-16 of either order, in bytes that no reader takes for text; spaces do not matter."""
    texts = [text for text in absent if len(text) >= SHORTEST_IN_BYTES]
    if not texts:
        return
    lowered = passage.data.lower()
    for codec in _CODECS:
        pattern = b"|".join(re.escape(text.encode(codec, "surrogatepass")) for text in texts)
        if found := re.findall(pattern, _unspaced(lowered, codec)):
            yield Residue(passage.where, f"raw bytes as {codec}", len(found))
