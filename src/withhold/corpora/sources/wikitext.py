"""Wikitext as plain text: what a reader of the page would see of it.

Links, headings, lists, tables, captions and infoboxes keep their words. Notes, citations and templates go, but for
templates that are known to stand inside sentences. Takes time in proportion to the text, whatever is left open or
nested in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from itertools import takewhile

FILES = frozenset(["file", "image", "media"])
CATEGORIES = frozenset(["category"])

_Shows = Callable[[Sequence[str], Mapping[str, str]], str]
_DEEPEST = 40
_TAGS = re.compile(
    r"<!--|<(ref|references|gallery|math|chem|ce|timeline|syntaxhighlight|source|score|templatestyles|imagemap|hiero"
    r"|graph|mapframe|maplink|section|indicator|inputbox|nowiki|pre)\b([^<>]*)>",
    re.IGNORECASE,
)
_LITERAL = frozenset(["nowiki", "pre"])
_ESCAPED = {ord(sign): f"&#{ord(sign)};" for sign in "{}[]|'=*#:;<>_"}
_TOKENS = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}(?!\})|\|")
_OPTION = re.compile(
    r"\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright(?:=[\d.]*)?|baseline"
    r"|sub|super|top|text-top|middle|bottom|text-bottom|\d*(?:x\d+)?px|(?:alt|link|page|lang|class|thumb|upright)=.*)\s*",
    re.IGNORECASE | re.DOTALL,
)
_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z-]+)?", re.IGNORECASE)
_WEB_LINK = re.compile(r"\[(?:https?:|ftp:)?//[^\s\[\]]{1,2000}[ \t]*([^\[\]\n]{0,2000})\]")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b[^<>]{0,2000}>")
_BREAKING = frozenset(
    ["p", "div", "blockquote", "ul", "ol", "li", "dl", "dd", "dt", "table", "tr", "td", "th", "poem", "center", "hr"]
)
_BREAK = re.compile(r"<br\b[^<>]{0,2000}>", re.IGNORECASE)
_MAGIC = re.compile(r"__[A-Z]+__")
_QUOTES = re.compile(r"'{2,}")
_SPACES = re.compile(r"[ \t\xa0]+")
_BLANKS = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"(={1,6})[ \t]*([^\n]*?)[ \t]*\1[ \t]*")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(slots=True)
class _Open:
    """A template, link or table that has begun: its arguments so far, each in pieces."""

    sign: str
    arguments: list[list[str]] = field(default_factory=lambda: [[]])

    def add(self, text: str) -> None:
        self.arguments[-1].append(text)

    def texts(self) -> list[str]:
        return ["".join(pieces) for pieces in self.arguments]


def plain(wikitext: str, *, files: Collection[str] = FILES, categories: Collection[str] = CATEGORIES) -> str:
    """The text of a page, with a blank line between paragraphs. `files` and `categories` are what links to those begin
    with in the language of the wiki, in small letters.
    """
    return _lines(_resolved(_without_notes(wikitext), frozenset(files), frozenset(categories)))


def _without_notes(text: str) -> str:
    """Without comments and the elements that are no text; what must be taken as it stands is escaped."""
    pieces: list[str] = []
    at, unclosed = 0, set()
    while match := _TAGS.search(text, at):
        pieces.append(text[at : match.start()])
        at = match.end()
        name = (match.group(1) or "").lower()
        if name and (match.group(2).rstrip().endswith("/") or name in unclosed):
            continue
        end = _closing(text, at, name)
        if end is None and name:
            unclosed.add(name)
            continue
        inside, at = (text[at:], len(text)) if end is None else (text[at : end[0]], end[1])
        if name in _LITERAL:
            pieces.append(inside.translate(_ESCAPED))
    pieces.append(text[at:])
    return "".join(pieces)


@cache
def _end(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}\s*>" if name else "-->", re.IGNORECASE)


def _closing(text: str, at: int, name: str) -> tuple[int, int] | None:
    """Where the element that was opened ends, and where what comes after it begins."""
    match = _end(name).search(text, at)
    return match.span() if match else None


def _resolved(text: str, files: frozenset[str], categories: frozenset[str]) -> str:
    """With every template, link and table replaced by the words that it shows."""
    stack = [_Open("")]
    at = 0
    for match in _TOKENS.finditer(text):
        sign = match.group()
        if sign in ("{|", "|}") and not _begins_line(text, match.start()):
            sign = sign.strip("{}")
        stack[-1].add(text[at : match.start()])
        at = match.end()
        if sign in ("{{", "[[", "{|"):
            if len(stack) < _DEEPEST:
                stack.append(_Open(sign))
        elif sign != "|":
            _close(stack, {"}}": "{{", "]]": "[[", "|}": "{|"}[sign], files, categories)
        elif stack[-1].sign in ("{{", "[["):
            stack[-1].arguments.append([])
        else:
            stack[-1].add(match.group())
    stack[-1].add(text[at:])
    while len(stack) > 1:
        left = stack.pop()
        stack[-1].add(_table(left.texts()[0]) if left.sign == "{|" else "|".join(left.texts()))
    return stack[0].texts()[0]


def _begins_line(text: str, at: int) -> bool:
    """Whether nothing but the marks of lists stands before this on its line, as it does before a table."""
    near = text.rfind("\n", max(at - 100, 0), at)
    return (near >= 0 or at <= 100) and not text[near + 1 : at].strip(" \t:*#;")


def _close(stack: list[_Open], sign: str, files: frozenset[str], categories: frozenset[str]) -> None:
    """End the innermost of its kind; what was opened in it and never closed is taken as it stands."""
    if not any(each.sign == sign for each in stack):
        return
    while stack[-1].sign != sign:
        left = stack.pop()
        stack[-1].add("|".join(left.texts()))
    texts = stack.pop().texts()
    shows = {"{|": lambda: _table(texts[0]), "{{": lambda: _template(texts)}
    stack[-1].add(shows.get(sign, lambda: _link(texts, files, categories))())


def _link(texts: list[str], files: frozenset[str], categories: frozenset[str]) -> str:
    target, *rest = texts
    prefix, colon, _ = target.partition(":")
    space = prefix.strip().lower()
    if colon and space in files:
        caption = next((text for text in reversed(rest) if not _OPTION.fullmatch(text)), "")
        return f"\n\n{caption}\n\n" if caption else ""
    if colon and (space in categories or (not rest and space and _LANGUAGE.fullmatch(prefix.strip()))):
        return ""
    if rest and rest[-1].strip():
        return rest[-1]
    shown = target.strip().removeprefix(":").lstrip("#")
    return re.sub(r" \([^()]*\)$|, .*$", "", shown) if rest else shown


def _template(texts: list[str]) -> str:
    name = " ".join(texts[0].replace("_", " ").split()).lower()
    named: dict[str, str] = {}
    placed: list[str] = []
    for text in texts[1:]:
        key, equals, value = text.partition("=")
        if equals and "<" not in key and len(key) < 60:
            named[key.strip().lower()] = value.strip()
        else:
            placed.append(text.strip())
    placed = [named[str(number)] for number in range(1, 9) if str(number) in named] or placed
    if name.startswith(("infobox", "taxobox", "speciesbox")) or name.endswith((" infobox", "infobox")):
        return _infobox(named)
    shows = _SHOWN.get(name)
    return shows(placed, named) if shows else ""


_PICTURES = re.compile(
    r"(?:image|logo|map|flag|signature|alt|width|height|size|module|embed|website|url)\d*|.*_(?:size|alt|width)"
)


def _infobox(named: Mapping[str, str]) -> str:
    shown = [
        f"{key.replace('_', ' ')}: {value.lstrip('*# ')}"
        for key, value in named.items()
        if value and not _PICTURES.fullmatch(key)
    ]
    return "\n\n" + "\n".join(shown) + "\n\n"


def _argument(number: int) -> _Shows:
    def shown(placed: Sequence[str], named: Mapping[str, str]) -> str:
        return placed[number] if len(placed) > number or (number < 0 and placed) else ""

    return shown


def _constant(text: str) -> _Shows:
    return lambda placed, named: text


def _listed(placed: Sequence[str], named: Mapping[str, str]) -> str:
    return "\n" + "\n".join(placed) + "\n"


def _quoted(placed: Sequence[str], named: Mapping[str, str]) -> str:
    text = named.get("text") or named.get("quote") or (placed[0] if placed else "")
    author = named.get("author") or named.get("sign") or (placed[1] if len(placed) > 1 else "")
    return f"\n\n{text} {author}\n\n"


def _date(placed: Sequence[str], named: Mapping[str, str]) -> str:
    numbers = list(takewhile(lambda each: each.isdecimal() and len(each) < 5, placed))[:3]
    if not numbers:
        return " ".join(placed)
    year, *rest = numbers
    if not rest or not 1 <= int(rest[0]) <= 12:
        return year
    month = _MONTHS[int(rest[0]) - 1]
    if len(rest) == 1:
        return f"{month} {year}"
    return f"{int(rest[1])} {month} {year}" if named.get("df", "no")[:1] in "y1" else f"{month} {int(rest[1])}, {year}"


def _measure(placed: Sequence[str], named: Mapping[str, str]) -> str:
    """A number with its unit, or a range of them; what it is converted to is left out."""
    ranged = len(placed) > 3 and placed[1] in ("-", "–", "to", "and", "by", "x", "or", "to(-)", "and(-)", "±")
    return " ".join(placed[: 4 if ranged else 2])


def _marriage(placed: Sequence[str], named: Mapping[str, str]) -> str:
    years = "–".join(year for year in placed[1:3] if year)
    return f"{placed[0]} ({years})" if placed and years else "".join(placed[:1])


def _since(placed: Sequence[str], named: Mapping[str, str]) -> str:
    return f"As of {_date(placed, {'df': 'y'})}"


def _all(names: str, shows: _Shows) -> dict[str, _Shows]:
    return dict.fromkeys(names.split("|"), shows)


_SHOWN: dict[str, _Shows] = {
    **_all(
        "nowrap|nobr|small|smaller|big|larger|abbr|tooltip|hover|sic|center|nihongo|strong|em|smallcaps|sc|ill|title|bold"
        "|interlanguage link|flag|flagcountry|flagu|ship|longitem|flatlist|plainlist|italic|not a typo|proper name|mvar"
        "|linktext|vanchor|visible anchor|nobold|noitalic|resize|div col|won|nom|formatnum",
        _argument(0),
    ),
    **_all("lang|langx|color|font color|background color|sort", _argument(1)),
    **_all("transl|transliteration|script", _argument(-1)),
    **_all("ubl|unbulleted list|plain list|hlist|flat list|bulleted list|cslist", _listed),
    **_all("quote|blockquote|cquote|quotation|quote box|bq|rquote|centered pull quote", _quoted),
    **_all(
        "birth date|birth date and age|bda|birth-date|birth-date and age|birth year and age|death date|dda|death-date"
        "|death date and age|death-date and age|death year and age|start date|start date and age|end date|film date|dts"
        "|date|release date|launch date",
        _date,
    ),
    **_all("convert|cvt|val|height", _measure),
    **_all("circa|c.|ca.", lambda placed, _named: " ".join(["c.", *placed[:1]])),
    **_all("snd|spnd|spaced ndash|spaced en dash", _constant(" – ")),
    **_all("ndash|en dash", _constant("–")),
    **_all("mdash|em dash", _constant("—")),
    **_all("dot|·|bullet|•|nbsp|spaces|pad", _constant(" ")),
    "marriage": _marriage,
    "as of": _since,
    "sortname": lambda placed, _named: " ".join(placed[:2]),
    "'": _constant("'"),
    "'s": _constant("'s"),
    "!": _constant("|"),
    "=": _constant("="),
}
"""Templates that show words of their own, by name: what they show of their arguments, placed and named."""


def _table(text: str) -> str:
    """A table, row by row; the cells of a row are parted by commas."""
    rows: list[list[str]] = [[]]
    # What stands behind the opening, on the same line, is how the table looks.
    for line in text.split("\n")[1:]:
        bare = line.strip()
        if bare.startswith("|-"):
            rows.append([])
        elif bare.startswith("|+"):
            rows += [[_cell(bare[2:])], []]
        elif bare.startswith(("|", "!")):
            several = bare[1:].replace("!!", "||") if bare[0] == "!" else bare[1:]
            rows[-1] += [_cell(cell) for cell in several.split("||")]
        elif bare and rows[-1]:
            rows[-1][-1] += "\n" + bare
    shown = [", ".join(" ".join(cell.split()) for cell in row if cell.strip()) for row in rows]
    return "\n\n" + "\n".join(row for row in shown if row) + "\n\n"


def _cell(text: str) -> str:
    """What a cell holds, without what is said of its looks."""
    looks, pipe, rest = text.partition("|")
    return _BREAK.sub(" ", rest if pipe and "=" in looks else text)


def _lines(text: str) -> str:
    """What is left, line by line: headings and lists, web links, emphasis, elements and entities."""
    text = _QUOTES.sub("", _WEB_LINK.sub(r"\1", _MAGIC.sub("", text)))
    lines = [_line(line) for line in _TAG.sub(_element, text).split("\n")]
    found = _SPACES.sub(" ", unescape("\n".join(lines)))
    return _BLANKS.sub("\n\n", found).strip()


def _element(match: re.Match[str]) -> str:
    name = match.group(2).lower()
    return "\n" if name == "br" else "\n\n" if name in _BREAKING else ""


def _line(line: str) -> str:
    if line.startswith("="):
        match = _HEADING.fullmatch(line.rstrip())
        return f"\n{match.group(2)}\n" if match else line
    if line.startswith("----"):
        return line.lstrip("-")
    return line.lstrip("*#:; \t").rstrip()
