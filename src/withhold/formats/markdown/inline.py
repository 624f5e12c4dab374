"""The inside of a unit: emphasis, code spans, links, entities and tags, as tokens."""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from withhold.formats.markdown import links, tags
from withhold.formats.markdown.literals import NEWLINE, entity, literal
from withhold.formats.markdown.tokens import Definition, Slot, Token, Unit, normalise, pair

_SPECIAL = re.compile(r"[\\`*_~\[\]<&\r\n]|!\[")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@\\]+@[^\s<>@]+)>")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.S)
_BOUNDARY = re.compile(
    r"^[ \t>]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||=+[ \t]*$|-+[ \t]*$|(?:[*_-][ \t]*){3,}$)", re.M
)
_TABLE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$", re.M)
_LONGEST_LABEL = 999


@dataclass(slots=True, eq=False)
class _Bracket:
    """An opening bracket that waits for its partner."""

    token: Token
    index: int
    image: bool
    inner: bool = False


@dataclass(slots=True, eq=False)
class _Run:
    """A run of emphasis signs and what it may do."""

    token: Token
    sign: str
    left: int
    opens: bool
    closes: bool


class Inline:
    """Turns the source of one unit into tokens.

    In an HTML block (`raw`) there are no code spans and no backslash escapes, and tags are what a browser
    takes for tags.
    """

    def __init__(self, source: str, unit: Unit, definitions: Mapping[str, Definition], *, raw: bool = False) -> None:
        self.source = source
        self.unit = unit
        self.end = unit.end
        self.definitions = definitions
        self.raw = raw
        self.block = len(unit.slots)
        unit.slots.append(Slot(unit.kind))
        self.brackets: list[_Bracket] = []
        self.inactive = 0
        self.runs: list[_Run] = []
        self.images: list[tuple[int, int, int]] = []
        self.tags: dict[str, list[Token]] = {}
        self.missing: set[str] = set()
        self._ticks: dict[int, list[int]] | None = None
        self._bounds: list[int] = []
        self.budget = 4 * (unit.end - unit.start) + 10_000

    def scan(self, at: int) -> None:
        while at < self.end:
            match = _SPECIAL.search(self.source, at, self.end)
            stop = match.start() if match else self.end
            if stop > at:
                self._text(at, stop)
            at = self._special(stop) if match else self.end
        self._pair_runs()
        self._place_images()

    def _text(self, start: int, end: int) -> Token:
        return self._add(Token(start, end, "text", self.source[start:end], self.block))

    def _add(self, token: Token) -> Token:
        self.unit.tokens.append(token)
        return token

    def _mark(self, start: int, end: int, role: str = "", block: int | None = None) -> Token:
        return self._add(Token(start, end, "mark", "", self.block if block is None else block, role))

    def _drop(self, start: int, end: int, name: str) -> Token:
        return self._add(Token(start, end, "drop", "", self.block, dropped=name))

    def _slot(self, kind: str, *, atomic: bool = False, quoted: bool = False) -> int:
        self.unit.slots.append(Slot(kind, atomic, quoted))
        return len(self.unit.slots) - 1

    def _special(self, at: int) -> int:
        sign = self.source[at]
        if sign in "\r\n":
            return self._newline(at)
        if sign == "\\":
            return self._escape(at)
        if sign == "`":
            return self._code(at)
        if sign in "*_~":
            return self._run(at)
        if sign == "&":
            return self._entity(at)
        if sign == "<":
            return self._angle(at)
        if sign == "]":
            return self._close(at)
        return self._open(at)

    def _newline(self, at: int, start: int | None = None) -> int:
        match = NEWLINE.match(self.source, at, self.end)
        assert match is not None
        self._add(Token(at if start is None else start, match.end(), "text", "\n", self.block))
        return match.end()

    def _escape(self, at: int) -> int:
        following = self.source[at + 1 : min(at + 2, self.end)]
        if following and following in string.punctuation and not self.raw:
            self._add(Token(at, at + 2, "text", following, self.block))
            return at + 2
        if following and following in "\r\n" and not self.raw:
            return self._newline(at + 1, at)
        self._text(at, at + 1)
        return at + 1

    def _entity(self, at: int) -> int:
        token = entity(self.source, at, self.end, self.block)
        self._add(token)
        return token.end

    # Code spans

    def _code(self, at: int) -> int:
        after = _run_end(self.source, at, self.end)
        close = None if self.raw else self._closing_ticks(at, after)
        if close is None:
            joins = _letters_meet(self.source, at, after, self.unit)
            self._mark(at, after, "tick") if joins else self._text(at, after)
            return after
        opening = self._mark(at, after, "tick")
        self.unit.tokens += literal(self.source, after, close, self.block)
        closing = self._mark(close, close + after - at, "tick")
        pair(opening, closing)
        return closing.end

    def _closing_ticks(self, at: int, after: int) -> int | None:
        if self._ticks is None:
            self._ticks = {}
            for match in re.compile("`+").finditer(self.source, self.unit.start, self.end):
                self._ticks.setdefault(len(match.group()), []).append(match.start())
            self._bounds = code_bounds(self.source, self.unit)
        starts = self._ticks.get(after - at, [])
        index = bisect_right(starts, after - 1)
        if index == len(starts):
            return None
        bound = bisect_right(self._bounds, at)
        limit = self._bounds[bound] if bound < len(self._bounds) else self.end
        return starts[index] if starts[index] < limit else None

    # Emphasis

    def _run(self, at: int) -> int:
        after = _run_end(self.source, at, self.end)
        sign = self.source[at]
        opens, closes = _flanks(self.source, at, after, self.unit)
        if not opens and not closes:
            self._text(at, after)
        else:
            token = self._text(at, after)
            self.runs.append(_Run(token, sign, after - at, opens, closes))
        return after

    def _pair_runs(self) -> None:
        """Pair what can open with what can close; a run that pairs with nothing is text.

        Signs between two letters are never text: some dialect may pair them, and the word would be whole.
        """
        waiting: dict[str, list[_Run]] = {"*": [], "_": [], "~": []}
        for run in self.runs:
            stack = waiting[run.sign]
            while run.closes and run.left and stack:
                opener = stack[-1]
                shared = min(run.left, opener.left)
                run.left -= shared
                opener.left -= shared
                pair(opener.token, run.token)
                if not opener.left:
                    stack.pop()
            if run.opens and run.left:
                stack.append(run)
        for run in self.runs:
            token = run.token
            if token.partners or _letters_meet(self.source, token.start, token.end, self.unit):
                token.kind, token.text, token.role = "mark", "", "run"

    # Links

    def _open(self, at: int) -> int:
        image = self.source[at] == "!"
        if self.brackets:
            self.brackets[-1].inner = True
        after = at + 1 + image
        self.brackets.append(_Bracket(self._text(at, after), len(self.unit.tokens) - 1, image))
        return after

    def _close(self, at: int) -> int:
        if not self.brackets:
            self._text(at, at + 1)
            return at + 1
        bracket = self.brackets.pop()
        if self.brackets and bracket.inner:
            self.brackets[-1].inner = True
        if len(self.brackets) < self.inactive and not bracket.image:
            self.inactive = len(self.brackets)
            self._text(at, at + 1)
            return at + 1
        self.inactive = min(self.inactive, len(self.brackets))
        after = self._inline_link(bracket, at) or self._reference(bracket, at)
        if after is None:
            self._text(at, at + 1)
            return at + 1
        if not bracket.image:
            self.inactive = len(self.brackets)
        return after

    def _made(self, bracket: _Bracket, closing: Token) -> None:
        opening = bracket.token
        opening.kind, opening.text, opening.role = "mark", "", "link"
        pair(opening, closing)
        if bracket.image:
            alt = self._slot("alt text")
            self.images.append((bracket.index, len(self.unit.tokens) - 1, alt))

    def _inline_link(self, bracket: _Bracket, at: int) -> int | None:
        if self.source[at + 1 : at + 2] != "(" or at + 1 >= self.end:
            return None
        place = links.destination(self.source, at + 2, self.end)
        if place is None or self.source[place.after : place.after + 1] != ")" or place.after >= self.end:
            return None
        unsafe = links.unsafe(self.source[place.start : place.end])
        closing = self._mark(at, place.start, "link")
        self._made(bracket, closing)
        plain = not bracket.image and not place.title
        if unsafe and plain:
            bracket.token.kind = closing.kind = "drop"
            closing.dropped, bracket.token.dropped = "data: and script addresses", ""
            self._drop(place.start, place.after + 1, "")
            return place.after + 1
        target = links.add_target(self.unit, self.source, place, unsafe)
        if plain and target is not None:
            closing.block = bracket.token.block = target
            bracket.token.role = closing.role = "plain link"
        last = self._mark(links.add_title(self.unit, self.source, place), place.after + 1, "link")
        if plain and target is not None:
            last.block, last.role = target, "plain link"
        return place.after + 1

    def _reference(self, bracket: _Bracket, at: int) -> int | None:
        label = _LABEL.match(self.source, at + 1, self.end)
        own = self.source[bracket.token.end : at] if at - bracket.token.end <= _LONGEST_LABEL else ""
        if label and label[1].strip():
            found = self.definitions.get(normalise(label[1]))
            after = label.end()
        else:
            found = self.definitions.get(normalise(own)) if not bracket.inner and own.strip() else None
            after = label.end() if label else at + 1
        if found is None:
            return None
        found.used = True
        closing = self._mark(at, after, "full label" if label and label[1].strip() else "own label")
        closing.definition = found
        self._made(bracket, closing)
        return after

    def _place_images(self) -> None:
        """What stands between the brackets of an image is its alt text, not part of the text around it."""
        starts = {first: (last, block) for first, last, block in self.images}
        open_: list[tuple[int, int]] = []
        for index, token in enumerate(self.unit.tokens if starts else ()):
            while open_ and index >= open_[-1][0]:
                open_.pop()
            if open_ and self.unit.slots[token.block].kind == self.unit.kind:
                token.block = open_[-1][1]
            if index in starts:
                open_.append(starts[index])

    # Tags

    def _angle(self, at: int) -> int:
        for start, finish, name in (
            ("<!--", "-->", "HTML comments"),
            ("<?", "?>", "hidden HTML"),
            ("<![CDATA[", "]]>", "hidden HTML"),
            ("<!", ">", "hidden HTML"),
        ):
            if self.source.startswith(start, at) and (start != "<!" or self.source[at + 2 : at + 3].isalpha()):
                end = self._find(finish, at + len(start))
                if end is None and self.unit.kind == "comment":
                    end = self.end
                if end is not None:
                    self._drop(at, end, name)
                    return end
                break
        autolink = _AUTOLINK.match(self.source, at, self.end)
        if autolink and not self.raw:
            return self._autolink(autolink)
        tag = (tags.LOOSE if self.raw else tags.STRICT).match(self.source, at, self.end)
        if tag:
            return self._tag(tag)
        self._text(at, at + 1)
        return at + 1

    def _find(self, needle: str, at: int) -> int | None:
        if needle in self.missing:
            return None
        found = self.source.find(needle, at, self.end)
        if found < 0:
            self.missing.add(needle)
            return None
        return found + len(needle)

    def _autolink(self, match: re.Match[str]) -> int:
        opening = self._mark(match.start(), match.start() + 1, "angle")
        self.unit.tokens += literal(self.source, match.start() + 1, match.end() - 1, self.block)
        closing = self._mark(match.end() - 1, match.end(), "angle")
        pair(opening, closing)
        return match.end()

    def _tag(self, match: re.Match[str]) -> int:
        name = (match["open"] or match["close"]).lower()
        if match["open"] and (name in tags.UNSEEN or tags.hides(match["body"])):
            return self._unseen(match, name)
        if name in tags.BREAKS:
            written = f"<{name}>"
            self._add(Token(match.start(), match.end(), "text", "\n", self.block, written=written))
            if match["body"] and match["body"].strip(" /"):
                self._drop(match.end(), match.end(), "HTML attributes")
        elif name not in tags.INLINE and name not in tags.BLOCK:
            self._drop(match.start(), match.end(), "unknown HTML tags")
        elif match["close"]:
            self._end_tag(match, name)
        else:
            self._start_tag(match, name)
        if name in tags.BLOCK:
            self.block = self._slot(self.unit.kind)
        return match.end()

    def _unseen(self, match: re.Match[str], name: str) -> int:
        end = closing_tag(self.source, name, match.end(), min(self.end, match.end() + self.budget))
        self.budget -= (end or self.end) - match.end()
        self._drop(match.start(), end or match.end(), "hidden HTML")
        return end or match.end()

    def _end_tag(self, match: re.Match[str], name: str) -> None:
        token = self._mark(match.start(), match.end(), "tag")
        token.written = f"</{name}>" if match.group()[2:-1].strip().lower() != name else None
        if opener := self.tags.get(name, []):
            opening = opener.pop()
            pair(opening, token)

    def _start_tag(self, match: re.Match[str], name: str) -> None:
        body = match.start("body")
        opening = self._mark(match.start(), body, "tag")
        done, slots = body, len(self.unit.slots)
        for attribute in tags.attributes(match["body"]):
            start, end = body + attribute.start(), body + attribute.end()
            if start > done:
                self._drop(done, start, "")
            self._attribute(attribute, start, end)
            done = end
        rest = self.source[done : match.end()]
        if rest.strip(" \t\r\n/>"):
            self._drop(done, match.end() - 1, "HTML attributes")
            done = match.end() - 1
        self._mark(done, match.end(), "tag")
        if len(self.unit.slots) == slots and len(self.unit.tokens) and self.unit.tokens[-2] is opening:
            last = self.unit.tokens.pop()
            opening.end = last.end
            self.tags.setdefault(name, []).append(opening)

    def _attribute(self, attribute: re.Match[str], start: int, end: int) -> None:
        name, value = attribute["name"].lower(), attribute["value"]
        unsafe = value is not None and links.unsafe(value.strip("\"'"))
        if tags.harmless(name, value):
            self._mark(start, end, "tag")
        elif value is None or unsafe or (name not in tags.TARGETS and name not in tags.WORDED):
            what = "event handlers" if name.startswith("on") else "HTML attributes"
            self._drop(start, end, "data: and script addresses" if unsafe else what)
        else:
            self._valued(name, value, start, end)

    def _valued(self, name: str, value: str, start: int, end: int) -> None:
        target = name in tags.TARGETS
        kind = "link target" if target else "alt text" if name == "alt" else "title"
        block = self._slot(kind, atomic=target, quoted=True)
        quote = 1 if value[0] in "\"'" else 0
        self._mark(start, end - len(value) + quote, "attribute", block)
        self.unit.tokens += literal(self.source, end - len(value) + quote, end - quote, block)
        self._mark(end - quote, end, "attribute", block)


def closing_tag(source: str, name: str, at: int, limit: int) -> int | None:
    """Where the element that was opened before `at` ends."""
    depth = 1
    for match in re.compile(rf"<(/?){re.escape(name)}(?=[\s/>])[^<>]*>", re.I).finditer(source, at, limit):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return None


def code_bounds(source: str, unit: Unit) -> list[int]:
    """Where no code span can reach across: the start of a list item, a heading, a cell of a table."""
    bounds = [match.start() for match in _BOUNDARY.finditer(source, unit.start, unit.end)]
    if any("|" in match.group() for match in _TABLE.finditer(source, unit.start, unit.end)):
        bounds += [match.start() for match in re.compile(r"(?<!\\)\||[\r\n]").finditer(source, unit.start, unit.end)]
    return sorted(bounds)


def _run_end(source: str, at: int, limit: int) -> int:
    sign = source[at]
    while at < limit and source[at] == sign:
        at += 1
    return at


def _around(source: str, start: int, end: int, unit: Unit) -> tuple[str, str]:
    before = source[start - 1] if start > unit.start else " "
    after = source[end] if end < unit.end else " "
    return before, after


def _letters_meet(source: str, start: int, end: int, unit: Unit) -> bool:
    """Whether signs stand inside a word, where only an underscore can be part of it."""
    before, after = _around(source, start, end, unit)
    return source[start] != "_" and (before.isalpha() or before == ";") and (after.isalpha() or after == "&")


def _flanks(source: str, start: int, end: int, unit: Unit) -> tuple[bool, bool]:
    """Whether a run can open and whether it can close emphasis, by CommonMark's rules."""
    before, after = _around(source, start, end, unit)
    left = not after.isspace() and (not _punctuation(after) or before.isspace() or _punctuation(before))
    right = not before.isspace() and (not _punctuation(before) or after.isspace() or _punctuation(after))
    if source[start] != "_":
        return left, right
    return left and (not right or _punctuation(before)), right and (not left or _punctuation(after))


def _punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character)[0] in "PS"
