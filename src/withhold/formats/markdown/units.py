"""Markdown source cut into units: front matter, listings, HTML blocks, definitions, headings, and paragraphs.

Lists, quotes and tables are paragraphs whose signs are ordinary characters: nothing can hide in them, and no
edit can change where a unit ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from withhold.formats.markdown import tags
from withhold.formats.markdown.inline import Inline, closing_tag
from withhold.formats.markdown.links import Place, add_target, add_title, destination, unsafe
from withhold.formats.markdown.literals import NEWLINE, literal
from withhold.formats.markdown.tokens import Definition, Slot, Token, Unit, normalise

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_BLANKS = re.compile(r"(?:[ \t>]*+(?:\r\n|\n|\r))*+(?:[ \t>]*+\Z)?")
_FRONT = re.compile(r"(?:(---|\+\+\+|;;;)(?:yaml|toml|json)?|(\{))[ \t]*(?:\r\n|\n|\r)")
_FRONT_ENDS = {"---": r"(?:---|\.\.\.)", "+++": r"\+\+\+", ";;;": ";;;", "{": r"\}"}
_MARKER = r"(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|\Z)"
_ITEM = re.compile(rf"[ \t>]*(?:{_MARKER}|\[\^[^\]\r\n]*\]:|!!!|\?\?\?|:[ \t])[ \t]*")
_PREFIX = re.compile(rf"(?:[ \t]*+(?:>|{_MARKER}))*+[ \t]*+")
_NUMBER = re.compile(r"\d{1,9}(?=[.)])")
_QUOTES = re.compile(r"(?:[ \t]*>)+")
_FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")
_HEADING = re.compile(r"#{1,6}(?:[ \t]+|(?=[\r\n]|\Z))")
_DEFINITION = re.compile(r"\[(?!\^)((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*(?:(?:\r\n|\n|\r)[ \t]*)?", re.S)
_HTML = re.compile(
    rf"<(?:(?P<raw>script|pre|style|textarea)(?=[\s>]|\Z)|(?P<comment>!--)|(?P<other>\?|!\[CDATA\[|![A-Za-z])"
    rf"|/?(?:{'|'.join(sorted(tags.BLOCK | tags.UNSEEN | {'textarea', 'option'}))})(?=[\s/>]|\Z))",
    re.I,
)
_LONE_TAG = re.compile(rf"(?:{tags.STRICT.pattern})[ \t]*(?=[\r\n]|\Z)")
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.I)
_ENDS = {"?": "?>", "![CDATA[": "]]>"}
_FRONT_ESCAPE = re.compile(
    r"(?<!\\)(?:\\\\)*+(\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|U(00[01][0-9A-Fa-f]{5})|(?:\r\n|\n|\r)[ \t]*))"
    r"|(?<=\w)''(?=\w)"
)


@dataclass(slots=True, repr=False)
class Page:
    """All units of a source, and the definitions its links refer to."""

    source: str
    units: list[Unit] = field(default_factory=list)
    definitions: dict[str, Definition] = field(default_factory=dict)


@dataclass(slots=True)
class _Fence:
    sign: str
    length: int
    quotes: int
    indent: int


def parse(
    source: str, definitions: Mapping[str, Definition] | None = None, *, in_list: bool = False, front: bool = True
) -> Page:
    """Take a source apart. Links may refer to `definitions` besides those of the source itself."""
    cutter = _Cutter(source, in_list)
    cutter.cut(front)
    page = Page(source, cutter.units, cutter.definitions)
    known = {**definitions, **page.definitions} if definitions and page.definitions else definitions or page.definitions
    for unit in page.units:
        if unit.kind in ("paragraph", "heading", "html", "comment"):
            start = _opening_marks(source, unit)
            Inline(source, unit, known, raw=unit.kind in ("html", "comment")).scan(start)
    for unit in page.units:
        if unit.definition is not None and not unit.definition.used and not _cleared(source, unit):
            unit.tokens = [Token(unit.start, unit.end, "drop", dropped="unused reference definitions")]
            unit.slots = [Slot("definition")]
    return page


CLEARED = "[//]: #"
"""What can stand in place of a definition that nothing refers to, where its line has to stay."""


def _cleared(source: str, unit: Unit) -> bool:
    if source[unit.start : unit.end] != CLEARED:
        return False
    unit.tokens, unit.slots = [Token(unit.start, unit.end, "mark")], [Slot("definition")]
    return True


def _opening_marks(source: str, unit: Unit) -> int:
    """The tokens of what a unit starts with: all that makes it what it is, so that no edit can undo it."""
    pattern = _PREFIX if unit.kind == "heading" or _starts_with_tag(source, unit) else _QUOTES
    prefix = pattern.match(source, unit.start, unit.end)
    at = prefix.end() if prefix else unit.start
    if unit.kind == "heading" and (heading := _HEADING.match(source, at, unit.end)):
        at = heading.end()
    _add_prefix(unit, source, at)
    return at


def _starts_with_tag(source: str, unit: Unit) -> bool:
    """Whether an HTML block starts with a tag that stays."""
    prefix = _PREFIX.match(source, unit.start, unit.end)
    tag = tags.LOOSE.match(source, prefix.end() if prefix else unit.start, unit.end)
    if unit.kind != "html" or tag is None:
        return False
    name = (tag["open"] or tag["close"]).lower()
    return name in tags.INLINE | tags.BLOCK and not (tag["open"] and tags.hides(tag["body"]))


def _add_prefix(unit: Unit, source: str, end: int) -> None:
    """What stands before the content of a unit. The number of a list item is text, and goes as a whole."""
    done = unit.start
    for number in _NUMBER.finditer(source, unit.start, end):
        unit.slots.append(Slot("list number", atomic=True, quoted=True))
        block = len(unit.slots) - 1
        unit.tokens.append(Token(done, number.start(), "mark"))
        unit.tokens.append(Token(*number.span(), "text", number.group(), block))
        unit.tokens.append(Token(number.end(), number.end() + 1, "mark", block=block, role="attribute"))
        done = number.end() + 1
    if end > done or not unit.tokens:
        unit.tokens.append(Token(done, end, "mark"))


class _Cutter:
    """Walks over the lines once and cuts them into units."""

    def __init__(self, source: str, in_list: bool) -> None:
        self.source = source
        self.in_list = in_list
        self.units: list[Unit] = []
        self.definitions: dict[str, Definition] = {}
        self.content = 0
        self.budget = 4 * len(source) + 10_000

    def cut(self, front: bool) -> None:
        at = self._front_matter() if front else 0
        blank = True
        while at < len(self.source):
            match = _BLANKS.match(self.source, at)
            if match and match.end() > at:
                at, blank = match.end(), True
                continue
            at = self._unit(at, blank)
            blank = False

    def _new(self, start: int, end: int, kind: str) -> Unit:
        unit = Unit(start, end, kind, self.in_list)
        self.units.append(unit)
        return unit

    def _line_end(self, at: int) -> int:
        match = _LINE.match(self.source, at)
        return match.end() if match else len(self.source)

    def _without_newline(self, end: int, start: int) -> int:
        """The end of the text before the line end that stands before `end`."""
        while end > start and self.source[end - 1] in "\r\n":
            end -= 1
        return end

    def _unit(self, at: int, blank: bool) -> int:
        item = _ITEM.match(self.source, at)
        if item:
            self.in_list, self.content = True, item.end() - at
        elif blank and self.source[at] not in " \t":
            self.in_list = False
        prefix = self._prefix(at)
        return (
            (self._indented(at) if blank and not self.in_list else None)
            or self._fenced(at, prefix)
            or self._defined(at, prefix)
            or self._html(at, prefix)
            or self._heading(at, prefix)
            or self._paragraph(at)
        )

    def _prefix(self, at: int) -> int:
        match = _PREFIX.match(self.source, at)
        return match.end() if match else at

    def _front_matter(self) -> int:
        opening = _FRONT.match(self.source)
        if opening is None:
            return 0
        finish = _FRONT_ENDS[opening[1] or opening[2]]
        closing = re.compile(rf"^{finish}[ \t]*(?=[\r\n]|\Z)", re.M).search(self.source, opening.end())
        if closing is None:
            return 0
        unit = self._new(0, closing.end(), "front matter")
        unit.slots.append(Slot("front matter"))
        unit.tokens.append(Token(0, opening.end(), "mark"))
        end = self._without_newline(closing.start(), opening.end())
        unit.tokens += _front_tokens(self.source, opening.end(), end)
        unit.tokens.append(Token(end, closing.end(), "mark"))
        return closing.end()

    def _indented(self, at: int) -> int | None:
        """A listing by indentation, where nothing else can be meant."""
        indent = re.compile(r"(?: {4}| {0,3}\t)")
        first, end = at, at
        unit = Unit(at, at, "code")
        unit.slots.append(Slot("code"))
        while match := indent.match(self.source, end):
            stop = self._line_end(end)
            if not self.source[end:stop].strip():
                break
            if end > first:
                unit.tokens.append(Token(unit.tokens[-1].end, match.end(), "text", "\n"))
            else:
                unit.tokens.append(Token(end, match.end(), "mark"))
            unit.tokens += literal(self.source, match.end(), self._without_newline(stop, match.end()), 0)
            end = stop
        if end == first:
            return None
        unit.end = unit.tokens[-1].end
        self.units.append(unit)
        return end

    def _fenced(self, at: int, prefix: int) -> int | None:
        fence = self._fence(at, prefix)
        if fence is None:
            return None
        opening = _FENCE.match(self.source, prefix)
        assert opening is not None
        unit = self._new(at, len(self.source), "code")
        unit.slots += [Slot("code"), Slot("code language", quoted=True)]
        _add_prefix(unit, self.source, prefix)
        unit.tokens.append(Token(prefix, opening.end(1), "mark", role="fence"))
        unit.tokens += literal(self.source, opening.start(2), opening.end(2), 1)
        return self._listing(unit, fence, opening.end())

    def _fence(self, at: int, prefix: int) -> _Fence | None:
        opening = _FENCE.match(self.source, prefix)
        if opening is None or (opening[1][0] == "`" and "`" in opening[2]):
            return None
        before = self.source[at:prefix]
        indent = len(before.rpartition(">")[2].expandtabs(4))
        marked = bool(re.search(_MARKER, before))
        if indent > 3 and not self.in_list:
            return None
        within = indent if marked else min(indent, self.content) if self.in_list else 0
        return _Fence(opening[1][0], len(opening[1]), before.count(">"), within)

    def _listing(self, unit: Unit, fence: _Fence, at: int) -> int:
        """The lines of a fenced listing, up to the fence that closes it or the end of what holds it."""
        closing = re.compile(rf"[ \t>]*({re.escape(fence.sign)}{{{fence.length},}})[ \t]*(?=[\r\n]|\Z)")
        while at < len(self.source):
            newline = NEWLINE.match(self.source, at)
            assert newline is not None
            line = newline.end()
            stop = self._without_newline(self._line_end(line), line)
            if self._leaves(fence, newline.group(), self.source[line:stop]):
                break
            ending = closing.match(self.source, line)
            if ending:
                unit.tokens.append(Token(at, ending.start(1), "mark"))
                unit.tokens.append(Token(ending.start(1), ending.end(1), "mark", role="fence"))
                at = ending.end(1)
                break
            start = min(line + _columns(self.source[line:stop], fence.indent), stop)
            first = unit.tokens[-1].role == "fence" or unit.tokens[-1].block == 1
            unit.tokens.append(Token(at, start, "mark") if first else Token(at, start, "text", "\n"))
            unit.tokens += literal(self.source, start, stop, 0)
            if first and start == stop:
                unit.tokens.append(Token(stop, stop, "mark"))
            at = stop
        unit.end = at
        return self._line_end(at)

    def _leaves(self, fence: _Fence, newline: str, line: str) -> bool:
        if newline.count(">") < fence.quotes:
            return True
        return bool(fence.indent and line.strip() and _columns(line, fence.indent) < fence.indent)

    def _defined(self, at: int, prefix: int) -> int | None:
        match = _DEFINITION.match(self.source, prefix)
        if match is None or not match[1].strip():
            return None
        limit = self._definition_limit(match)
        place = destination(self.source, match.end(), limit)
        if place is None or place.after != limit or (place.end == place.start and not place.angled):
            return None
        definition = Definition(match[1], len(self.definitions))
        if normalise(match[1]) not in self.definitions:
            self.definitions[normalise(match[1])] = definition
        unit = self._new(at, limit, "definition")
        unit.definition = definition
        self._definition_tokens(unit, match, place)
        return self._line_end(limit)

    def _definition_limit(self, match: re.Match[str]) -> int:
        return self._without_newline(self._line_end(match.end()), match.end())

    def _definition_tokens(self, unit: Unit, match: re.Match[str], place: Place) -> None:
        unit.slots.append(Slot("reference label", atomic=True, quoted=True))
        _add_prefix(unit, self.source, match.start(1))
        if re.fullmatch(r"ref-\d{1,4}", match[1]):
            unit.tokens.append(Token(*match.span(1), "mark", role="label", definition=unit.definition))
        else:
            unit.tokens.append(Token(match.start(1), match.start(1), "mark", role="label", definition=unit.definition))
            unit.tokens += literal(self.source, *match.span(1), 0)
        unit.tokens.append(Token(match.end(1), place.start, "mark"))
        add_target(unit, self.source, place, unsafe(self.source[place.start : place.end]))
        unit.tokens.append(Token(add_title(unit, self.source, place), unit.end, "mark"))

    def _html(self, at: int, prefix: int) -> int | None:
        match = _HTML.match(self.source, prefix)
        if match is None and not self._lone_tag(prefix):
            return None
        end, kind = self._html_end(prefix, match)
        self._new(at, self._without_newline(end, prefix), kind)
        return end

    def _lone_tag(self, at: int) -> bool:
        tag = _LONE_TAG.match(self.source, at)
        return tag is not None and (tag["open"] or tag["close"]).lower() not in tags.BREAKS

    def _html_end(self, at: int, match: re.Match[str] | None) -> tuple[int, str]:
        """Where an HTML block ends, and what it is."""
        if match and match["raw"]:
            closing = _RAW_END.search(self.source, match.end())
            return self._line_end(closing.end() if closing else len(self.source)), "html"
        if match and (match["comment"] or match["other"]):
            finish = "-->" if match["comment"] else _ENDS.get((match["other"] or "").upper(), ">")
            found = self.source.find(finish, match.end())
            return self._line_end(found if found >= 0 else len(self.source)), "comment"
        end = self._to_blank(at)
        tag = tags.LOOSE.match(self.source, at, end)
        if tag and tag["open"] and (tag["open"].lower() in tags.UNSEEN or tags.hides(tag["body"])):
            limit = min(len(self.source), tag.end() + self.budget)
            closing_at = closing_tag(self.source, tag["open"].lower(), tag.end(), limit)
            self.budget -= (closing_at or limit) - tag.end()
            end = max(end, self._line_end(closing_at) if closing_at else 0)
        return end, "html"

    def _to_blank(self, at: int) -> int:
        end = self._line_end(at)
        while end < len(self.source) and not self._blank(end):
            end = self._line_end(end)
        return end

    def _blank(self, at: int) -> bool:
        return not self.source[at : self._line_end(at)].strip(" \t>\r\n")

    def _heading(self, at: int, prefix: int) -> int | None:
        if _HEADING.match(self.source, prefix) is None:
            return None
        end = self._line_end(at)
        self._new(at, self._without_newline(end, at), "heading")
        return end

    def _paragraph(self, at: int) -> int:
        unit = self._new(at, at, "paragraph")
        end = self._line_end(at)
        while end < len(self.source) and not self._blank(end) and not self._interrupts(end):
            end = self._line_end(end)
        unit.end = self._without_newline(end, at)
        return end

    def _interrupts(self, at: int) -> bool:
        item = _ITEM.match(self.source, at)
        if item:
            self.in_list, self.content = True, item.end() - at
        prefix = self._prefix(at)
        sign = self.source[prefix : prefix + 1]
        if sign in "`~" and sign:
            return self._fence(at, prefix) is not None
        if sign == "#":
            return _HEADING.match(self.source, prefix) is not None
        return sign == "<" and _HTML.match(self.source, prefix) is not None


def _columns(line: str, most: int) -> int:
    """How many of the first characters are white space, up to so many."""
    return min(most, len(line) - len(line.lstrip(" \t")))


def _front_tokens(source: str, at: int, end: int) -> list[Token]:
    """Front matter as it stands, with escapes decoded: in strings, and everywhere else to be safe."""
    tokens: list[Token] = []
    for escape in _FRONT_ESCAPE.finditer(source, at, end):
        start = escape.start(1) if escape[1] else escape.start()
        code = escape[2] or escape[3] or escape[4]
        if code and int(code, 16) > 0x10FFFF:
            continue
        tokens += literal(source, at, start, 0)
        text = chr(int(code, 16)) if code else "" if escape[1] else "'"
        tokens.append(Token(start, escape.end(), "text" if text else "mark", text, role="" if text else "fold"))
        at = escape.end()
    return tokens + literal(source, at, end, 0)
