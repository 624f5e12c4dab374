"""Units written back: edits made, dropped tokens gone, everything else as it was.

An edit can change what the signs around it mean. So a unit is written as gently as possible first, read back,
and written more firmly (text escaped, emphasis that was cut removed) until it reads as it should.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from withhold.formats.blocks import Local, splice
from withhold.formats.markdown.tokens import Definition, Token, Unit, normalise
from withhold.formats.markdown.units import CLEARED, Page, parse

_QUOTED_SIGNS = frozenset("\"'()<>&\\`=\r\n\t ")
_FIRM_SIGNS = frozenset(string.punctuation + "\r\n\t")
_RUNS_ON = re.compile(r"[ \t>]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*+[^\s<]")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_FENCE_RUNS = re.compile(r"`+|~+")


@dataclass(frozen=True, slots=True)
class Manner:
    """How firmly a unit is written."""

    escaped: bool = False
    whole: bool = False
    """Whether emphasis that an edit cuts in two goes as a whole."""
    beside: bool = False
    """Whether emphasis that touches an edit goes as well."""
    near: bool = False
    """Whether text next to an edit is escaped too."""
    flat: bool = False
    """Whether all text is escaped and all emphasis goes."""
    fence: bool = False


MANNERS = (
    Manner(),
    Manner(whole=True),
    Manner(whole=True, beside=True),
    Manner(escaped=True),
    Manner(escaped=True, whole=True),
    Manner(escaped=True, near=True),
    Manner(escaped=True, near=True, whole=True, beside=True),
    Manner(escaped=True, whole=True, flat=True),
)
FIRMEST = MANNERS[-1]
LISTING_MANNERS = (Manner(), Manner(fence=True), Manner(escaped=True, fence=True), FIRMEST)

Edits = Mapping[int, Local]
"""The replacements in a unit, by block of the unit."""


def final_texts(unit: Unit, edits: Edits) -> list[str]:
    """What the blocks of a unit become."""
    return [splice(text, edits.get(index, ())) for index, text in enumerate(unit.texts())]


@dataclass(frozen=True, slots=True, repr=False)
class Setting:
    """What is the same for all units of a page: new labels, the labels links may refer to, the line end."""

    source: str
    names: Mapping[Definition, str]
    known: Mapping[str, Definition]
    newline: str


def setting(page: Page, names: Mapping[Definition, str]) -> Setting:
    known = {normalise(names.get(each, label)): Definition(label, 0) for label, each in page.definitions.items()}
    found = _NEWLINE.search(page.source)
    return Setting(page.source, names, known, found.group() if found else "\n")


def write(unit: Unit, edits: Edits, setting: Setting) -> str:
    """The new source of a unit."""
    expected = [text for text in final_texts(unit, edits) if text]
    written = ""
    for manner in LISTING_MANNERS if unit.kind == "code" else MANNERS:
        written = _Writer(unit, edits, setting, manner).write()
        if unit.definition is not None or _reads(written, unit, setting) == expected:
            return written
    return written


def write_firmly(unit: Unit, edits: Edits, setting: Setting) -> str:
    """The same, with nothing left to the signs around the text."""
    if unit.definition is not None:
        return write(unit, edits, setting) or CLEARED
    return _Writer(unit, edits, setting, FIRMEST).write()


def merges(unit: Unit, written: str) -> bool:
    """Whether what was an HTML block is now text that would run into the lines around it."""
    return unit.kind in ("html", "comment") and _RUNS_ON.match(written) is not None


def _reads(written: str, unit: Unit, setting: Setting) -> list[str]:
    again = parse(written, setting.known, in_list=unit.in_list, front=unit.start == 0)
    if any(each.drops() for each in again.units) or not _same_sort(unit, again):
        return ["\0"]
    return [text for each in again.units for text in each.texts() if text]


def _same_sort(unit: Unit, again: Page) -> bool:
    """Whether what was a paragraph still is one, and would not swallow what follows it."""
    raw = ("html", "comment")
    return unit.kind in raw or all(each.kind == unit.kind for each in again.units)


class _Writer:
    """Writes one unit in one manner."""

    def __init__(self, unit: Unit, edits: Edits, setting: Setting, manner: Manner) -> None:
        self.source = setting.source
        self.names = setting.names
        self.newline = setting.newline
        self.unit = unit
        self.edits = edits
        self.manner = manner
        self.final = final_texts(unit, edits)
        self.edited = self._edited()
        self.near = self._near() if manner.near else set()
        self.inside = self._marks_inside()
        self.gone = self._marks_gone()

    def write(self) -> str:
        at = [0] * len(self.unit.slots)
        index = [0] * len(self.unit.slots)
        pieces: list[str] = []
        for token in self.unit.tokens:
            if token.kind == "text":
                pieces += self._text(token, at[token.block], index)
                at[token.block] += len(token.text)
            elif token.kind == "drop":
                pieces.append(token.written or "")
            elif id(token) not in self.gone:
                pieces.append(self._mark(token))
        return self._begun("".join(pieces))

    def _begun(self, written: str) -> str:
        """Keep a paragraph that has come to start with a tag from being taken for an HTML block."""
        first = self.unit.tokens[0] if self.unit.tokens else None
        prefix = first.end - first.start if first and first.kind == "mark" and not first.role else 0
        if self.manner.flat and self.unit.kind == "paragraph" and written[prefix:].lstrip().startswith("<"):
            return written[:prefix] + "<wbr>" + written[prefix:].lstrip()
        return written

    def _walk(self) -> Iterator[tuple[Token, int]]:
        """Every token, with where it stands in the text of its block."""
        at = [0] * len(self.unit.slots)
        for token in self.unit.tokens:
            yield token, at[token.block]
            if token.kind == "text":
                at[token.block] += len(token.text)

    def _edited(self) -> set[int]:
        """The text tokens that lose a character to an edit."""
        starts = {block: [each.span.start for each in edits] for block, edits in self.edits.items()}
        edited = set()
        for token, at in self._walk():
            if token.kind == "text" and token.block in starts:
                last = bisect_left(starts[token.block], at + len(token.text)) - 1
                if last >= 0 and self.edits[token.block][last].span.end > at:
                    edited.add(id(token))
        return edited

    def _near(self) -> set[int]:
        """The tokens that are, or touch, what is edited or dropped."""
        tokens = self.unit.tokens
        return {
            id(token)
            for index, token in enumerate(tokens)
            if any(each.kind == "drop" or id(each) in self.edited for each in tokens[max(0, index - 1) : index + 2])
        }

    def _marks_inside(self) -> set[int]:
        """The marks between two characters that one edit takes, and those that close at its end what they open."""
        first = [0] * len(self.unit.slots)
        inside: set[int] = set()
        for token, at in self._walk():
            edits = self.edits.get(token.block, ())
            while first[token.block] < len(edits) and edits[first[token.block]].span.end < at:
                first[token.block] += 1
            if token.kind == "mark" and first[token.block] < len(edits):
                span = edits[first[token.block]].span
                ends = at == span.end and any(id(each) in inside for each in token.partners)
                if span.start < at < span.end or ends:
                    inside.add(id(token))
        return inside

    def _marks_gone(self) -> set[int]:
        """The marks that go: those inside an edit together with all their partners, and what the manner adds."""
        loose = ("run", "tick", "tag", "fold")
        gone = set()
        for token in self.unit.tokens:
            if token.kind != "mark":
                continue
            cut = [id(each) in self.inside for each in (token, *token.partners)]
            if token.role in loose and (all(cut) or (self.manner.whole and any(cut) and token.role != "tag")):
                gone.add(id(token))
            if token.role in ("run", "tick", "angle") and self.manner.flat:
                gone.add(id(token))
            if token.role == "tag" and not token.partners and id(token) in self.inside:
                gone.discard(id(token))
            if token.role in ("attribute", "plain link") and self.edits.get(token.block) and self._emptied(token):
                gone.add(id(token))
        return gone | (self._beside() if self.manner.beside else set())

    def _beside(self) -> set[int]:
        """Emphasis that touches what was edited, with its partners: its signs may mean something else now."""
        near = self._near()
        gone: set[int] = set()
        for token in self.unit.tokens:
            if token.role in ("run", "tick") and id(token) in near:
                gone |= {id(token), *(id(each) for each in token.partners)}
        return gone

    def _emptied(self, token: Token) -> bool:
        return not self.final[token.block]

    def _text(self, token: Token, at: int, index: list[int]) -> Iterator[str]:
        """A text token with its share of the edits made."""
        edits = self.edits.get(token.block, [])
        end = at + len(token.text)
        done = at
        changed = False
        quoted = self.unit.slots[token.block].quoted
        parts: list[tuple[str, bool]] = []
        while index[token.block] < len(edits) and edits[index[token.block]].span.start < end:
            edit = edits[index[token.block]]
            changed = True
            parts.append((token.text[done - at : max(edit.span.start, at) - at], False))
            if edit.span.start >= at:
                parts.append((edit.text, True))
            done = min(edit.span.end, end)
            if edit.span.end > end:
                break
            index[token.block] += 1
        parts.append((token.text[done - at :], False))
        flat = self.manner.flat or id(token) in self.near
        if not changed and not flat:
            yield self.source[token.start : token.end] if token.written is None else token.written
            return
        same = self.source[token.start : token.end] == token.text
        for text, new in parts:
            yield self._escape(text, quoted, new, same, flat)

    def _escape(self, text: str, quoted: bool, new: bool, same: bool, flat: bool) -> str:
        """Text as source. What stood there as it reads needs no escapes unless the manner is firm."""
        if flat and not quoted:
            return _references(text, _FIRM_SIGNS, edges=True)
        if quoted:
            return text if same and not new else _references(text, _QUOTED_SIGNS)
        if (new and self.manner.escaped) or (not new and not same):
            return _references(text, _FIRM_SIGNS)
        return text.replace("\n", self.newline) if new else text

    def _mark(self, token: Token) -> str:
        source = self.source[token.start : token.end] if token.written is None else token.written
        if token.role == "target":
            return "<>" if self._emptied(token) and self.edits.get(token.block) else ""
        if token.role == "fence" and self.manner.fence:
            longest = max((len(run) for text in self.final for run in _FENCE_RUNS.findall(text)), default=3)
            return source[0] * (longest + 1)
        return source if token.definition is None else self._label(token, token.definition, source)

    def _label(self, token: Token, definition: Definition, source: str) -> str:
        """The label of a definition, or of a link that refers to it, under its new name if it has one."""
        name = self.names.get(definition)
        if token.role == "label":
            return name or source
        if token.role == "full label":
            return f"][{name}]" if name else source
        return f"][{name or definition.label}]" if self._renamed(token) else source

    def _renamed(self, token: Token) -> bool:
        """Whether a link whose text is its label can no longer be."""
        if token.definition in self.names or self.manner.flat:
            return True
        first, last = (bisect_left(self.unit.tokens, at, key=_start) for at in (token.partners[0].end, token.start))
        return any(id(each) in self.edited or each.kind == "drop" for each in self.unit.tokens[first:last])


def _start(token: Token) -> int:
    return token.start


def _references(text: str, signs: frozenset[str], *, edges: bool = False) -> str:
    """Text with some signs written as character references, and spaces at its ends if asked."""
    written = [f"&#{ord(sign)};" if sign in signs else sign for sign in text]
    for end in (0, -1):
        if edges and written and written[end] == " ":
            written[end] = "&#32;"
    return "".join(written)
