"""Text as a search sees it: letters that look or count as the same are the same.

`fold` gives a view of a text in which case, accents, width, look-alike letters, invisible characters,
percent-encoding, `\\u` escapes, hosts in Punycode and hyphenation at line ends no longer hide a word, together with the
way back to the characters of the original.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from withhold.spans import Span

WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits of any script."""
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""A letter of a script that puts no spaces between words."""

# Letters of other scripts that readers take for Latin ones, as written here: look-alikes, then what they pass for.
_LOOK_ALIKES = {
    "авгԁеѕіјкӏмнорԛстхуԝѵүһ": "abrdesijklmhopqctxywvyh",
    "АВЅЕНІЈКМОРԚСТХУԜѴҮҺ": "ABSEHIJKMOPQCTXYWVYH",
    "αγεικνορτυχωϲϳ": "ayeikvoptuxwcj",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ": "ABEZHIKMNOPTYXCJ",
    "օոսցհԼՏ": "onughLS",
    "ıȷɑɡɩɪʙɢʜꜰʟɴʀʏꜱᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢ": "ijagiibghflnrysacdejkmoptuvwz",
    "łøđħŧŁØĐĦŦ": "lodhtLODHT",
    "‐‑‒–—―−﹘﹣－": "----------",
    "‘’‚‛′ʼʹ＇´": "'''''''''",
    "“”„‟″": '"""""',
}

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
_BROKEN = r"(?<=[^\W\d_])[-\u2010\u00ad]\r?\n(?:[ \t]*\r?\n)?[ \t]*(?=[^\W\d_])"
"""A word that goes on in the next line, or in the next column or page, before which a line is empty."""
_RUN = r"[^\x00-\x7f\u00ad\u2010]+|[\u00ad\u2010]"
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_BYTE = re.compile("%(?:25)*([0-9A-Fa-f]{2})")
"""A byte as addresses write it, or as addresses within addresses do."""
_SPECIAL = re.compile(
    rf"{_BROKEN}|{_RUN}"
    rf"|(?:{_BYTE.pattern})+"
    r"|(?<![A-Za-z0-9])(?:xn|XN)--[A-Za-z0-9-]{1,59}"
    r"|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}"
)


_TABLE = {
    letter: latin for strange, plain in _LOOK_ALIKES.items() for letter, latin in zip(strange, plain, strict=True)
}


_SIGNS = ("%", "\\u", "xn--", "XN--", "-\n", "-\r", "\u2010\n", "\u2010\r", "\u00ad\n", "\u00ad\r")
"""A text without any of these needs no more than a look at its foreign letters."""
_PLAIN = [1]
"""The kinds of runs of a text of one run: of one that folding leaves as long as it was."""

_FEW = 100
"""Up to so many strings are searched for one by one, which is quicker than all at once."""

_LONG = 10_000
"""Of a text with so many characters and more, it pays to make a table of what is looked for."""


class _Folds(dict[str, str]):
    """What each character becomes, worked out once per character."""

    def __init__(self, keep_case: bool) -> None:
        self.keep_case = keep_case

    def __missing__(self, character: str) -> str:
        parts = unicodedata.normalize("NFKD", _TABLE.get(character, character))
        kept = "".join(
            _TABLE.get(part, part) for part in parts if unicodedata.combining(part) < 10 and not INVISIBLE.match(part)
        )
        folded = kept if self.keep_case else "".join(_TABLE.get(c, c) for c in kept.casefold())
        self[character] = folded
        return folded


_FOLDS = {False: _Folds(keep_case=False), True: _Folds(keep_case=True)}


@dataclass(frozen=True, slots=True, repr=False)
class Folded:
    """A folded text and the way back.

    `positions` and `sources` hold, for each run, where it starts in the folded and in the original text;
    in a run of kind 1 characters correspond one to one, in one of kind 0 all come from one place.
    """

    text: str
    length: int
    positions: list[int]
    sources: list[int]
    kinds: list[int]

    def span(self, start: int, end: int) -> Span:
        """The original characters behind `text[start:end]`, with the invisible ones that follow them."""
        if self.kinds == _PLAIN and self.length == len(self.text):
            return Span(start, end)
        return Span(self._source(start), self._after(end))

    def _source(self, position: int) -> int:
        if position >= len(self.text):
            return self.length
        run = bisect_right(self.positions, position) - 1
        return self.sources[run] + (position - self.positions[run]) * self.kinds[run]

    def _after(self, end: int) -> int:
        if end >= len(self.text):
            return self.length
        run = bisect_right(self.positions, end) - 1
        if self.kinds[run] == 0 and end > self.positions[run]:
            return self._source(self._run_end(run))
        return self._source(end)

    def _run_end(self, run: int) -> int:
        return self.positions[run + 1] if run + 1 < len(self.positions) else len(self.text)


def fold(text: str, *, keep_case: bool = False) -> Folded:
    """The searchable view of `text`."""
    folds = _FOLDS[keep_case]
    pieces: list[str] = []
    positions: list[int] = []
    sources: list[int] = []
    kinds: list[int] = []
    at = 0

    def add(piece: str, source: int, kind: int) -> None:
        nonlocal at
        if piece:
            pieces.append(piece)
            positions.append(at)
            sources.append(source)
            kinds.append(kind)
            at += len(piece)

    done = 0
    for match in _special(text):
        if match.start() > done:
            plain = text[done : match.start()]
            add(plain if keep_case else plain.lower(), done, 1)
        done = match.end()
        run = match.group()
        if run[0] == "%":
            for piece, start, one_to_one in _decode_percent(run, folds):
                add(piece, match.start() + start, one_to_one)
        elif run[0] in "\\xX":
            decode = _decode_escape if run[0] == "\\" else _decode_host
            add(decode(run, folds), match.start(), 0)
        elif "\n" in run:
            if text[done].isupper() and run[0] != "\u00ad":
                add("-" + run[1:], match.start(), 1)
        else:
            for piece, start, one_to_one in _fold_run(run, folds):
                add(piece, match.start() + start, one_to_one)
    if done < len(text):
        rest = text[done:]
        add(rest if keep_case else rest.lower(), done, 1)
    return Folded("".join(pieces), len(text), positions, sources, kinds)


def fold_text(text: str) -> str:
    """What `fold` makes of a text, without the way back; at once for plain text."""
    is_plain = text.isascii() and not ("%" in text or "\\u" in text or "-\n" in text or "-\r" in text)
    return text.lower() if is_plain and not ("xn--" in text or "XN--" in text) else fold(text).text


def _special(text: str) -> Iterator[re.Match[str]]:
    """The stretches of a text that are not what they look like; plain text is passed over quickly."""
    if any(sign in text for sign in _SIGNS):
        return _SPECIAL.finditer(text)
    return iter(()) if text.isascii() else _FOREIGN.finditer(text)


def _fold_run(run: str, folds: _Folds) -> Iterator[tuple[str, int, int]]:
    if all(len(folds[character]) == 1 for character in set(run)):
        yield "".join(map(folds.__getitem__, run)), 0, 1
        return
    for start, character in enumerate(run):
        yield folds[character], start, 0


def _decode_percent(run: str, folds: _Folds) -> Iterator[tuple[str, int, int]]:
    """The characters that percent-encoded bytes stand for: UTF-8, or Latin-1 as old addresses have it."""
    units = list(_BYTE.finditer(run))
    data = bytes(int(unit[1], 16) for unit in units)
    codec = "utf-8" if _is_utf8(data) else "latin-1"
    at = 0
    for character in data.decode(codec):
        yield folds[character], units[at].start(), 0
        at += len(character.encode(codec))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_escape(run: str, folds: _Folds) -> str:
    """What JSON and program text write as `\\u0144`; two of them can stand for one character."""
    units = b"".join(int(unit, 16).to_bytes(2, "big") for unit in run.split("\\u")[1:])
    return "".join(folds[character] for character in units.decode("utf-16-be", "surrogatepass"))


def _decode_host(run: str, folds: _Folds) -> str:
    """A part of a host's name that is written in Punycode, as people read it."""
    try:
        characters = run[4:].encode("ascii").decode("punycode")
    except (UnicodeError, OverflowError):
        return run if folds.keep_case else run.lower()
    return "".join(folds[character] for character in characters)


def squeeze(text: str) -> str:
    """The folded text without white space: for asking whether a string is there at all."""
    return "".join(fold(text).text.split())


def words(text: str) -> Iterator[Span]:
    """The words of a text, as spans."""
    return (Span(*match.span()) for match in WORD.finditer(text))


def marks(mark: str, text: str) -> list[Span]:
    """Where a mark stands in a text that is redacted already. One made of nothing but words could be the text's own,
    and is taken for that.
    """
    mark = mark.strip()
    if WORD.fullmatch("".join(mark.split())):
        return []
    before, after = ("(?<!\\w)" if mark[0].isalnum() else ""), ("(?!\\w)" if mark[-1].isalnum() else "")
    return [Span(*match.span()) for match in re.finditer(f"{before}{re.escape(mark)}{after}", text)]


class Strings:
    """Many strings to look for at once: the cost grows with the text, not with how many there are."""

    _KEY = 6

    def __init__(self, strings: Iterable[str]) -> None:
        self.strings = sorted(set(strings) - {""})
        self._by_key: dict[int, dict[str, list[str]]] = {}
        for string in self.strings:
            key = string[: self._KEY]
            self._by_key.setdefault(len(key), {}).setdefault(key, []).append(string)

    def count(self, text: str) -> Counter[str]:
        """How often each string stands in the text; those that do not are left out."""
        if len(self.strings) <= _FEW:
            return Counter({string: count for string in self.strings if (count := text.count(string))})
        found: Counter[str] = Counter()
        for length, by_key in self._by_key.items():
            for start in _starts(text, by_key, length):
                for string in by_key.get(text[start : start + length], ()):
                    found[string] += text.startswith(string, start)
        return +found


def _starts(text: str, keys: Collection[str], length: int) -> Iterable[int]:
    """Where one of the keys, all of that length, may begin in a text; of a long one, what a table of them leaves."""
    places = len(text) - length + 1
    if places < _LONG:
        return range(places)
    import numpy as np

    def hashed(columns: Iterable[Any], count: int) -> Any:
        mixed = np.zeros(count, np.uint32)
        for column in columns:
            mixed += column
            mixed *= np.uint32(2654435761)
        return mixed >> 16

    codes, table = _codes(text), np.zeros(1 << 16, bool)
    table[hashed(_codes("".join(keys)).reshape(-1, length).T, len(keys))] = True
    found: list[int] = np.flatnonzero(table[hashed((codes[at : at + places] for at in range(length)), places)]).tolist()
    return found


def _codes(text: str) -> Any:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
