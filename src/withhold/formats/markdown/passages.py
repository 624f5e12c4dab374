"""An independent reader of Markdown for verification: patterns only, nothing shared with what reads and writes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from withhold.types import Passage


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOCABULARY = _names(
    "a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del "
    "details dfn dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr html i "
    "img ins kbd legend li main mark menu nav ol p picture pre q rp rt ruby s samp section small source span "
    "strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr"
)
_GLUED = _names(
    "a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark picture q rp rt ruby s samp small source "
    "span strike strong sub sup tt u var wbr"
)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>")
_TAG = re.compile(r"</?([A-Za-z][^\s<>/]*)([^<>]*)>")
_VALUE = re.compile(r"""=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_REFERENCE = re.compile(r"(!?)\[([^\[\]]*)\]\[([^\[\]]*)\]")
_DEFINITION = re.compile(r"^[ \t>]*\[([^\[\]^][^\[\]]*)\]:(.*)$", re.M)
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.M)
_SIGNS = re.compile(r"""\\([!-/:-@\[-`{-~])|(?<=[^\W_])(?:\*+|~+|`+)(?=[^\W\d_])|(?<![^\W_])[*~`]+|[*~`]+(?![^\W_])""")
"""A sign that is escaped, or signs of emphasis and code."""
_SHORTCUT = re.compile(r"\[([^\[\]]*)\]")
_OWN_LABEL = re.compile(r"ref-\d{1,4}")
_FRONT = re.compile(
    r"(?:(?:---|\+\+\+|;;;)(?:yaml|toml|json)?|\{)[ \t]*\n(?s:.*?)\n(?:---|\+\+\+|\.\.\.|;;;|\})[ \t]*(?:\n|\Z)"
)
_YAML = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|U(00[01][0-9A-Fa-f]{5})|\n[ \t]*)|(?<=\w)'(?='\w)")
_BLANK = re.compile(r"\n[ \t>]*(?=\n)")


def passages(source: str) -> Iterator[Passage]:
    """The text of the page, what stands in its brackets and tags, and the names of tags it should not have."""
    text = re.sub(r"\r\n?", "\n", source)
    text = _front(text)
    text, comments = _comments(text)
    asides: list[str] = []
    names: list[str] = []
    text = _without_tags(_AUTOLINK.sub(r"\1", text), asides, names)
    text = _without_links(text, asides, names)
    yield Passage("page", _readable(text))
    yield Passage("targets, titles and attributes", "\0".join(_readable(aside) for aside in asides))
    yield Passage("comments", "\0".join(comments))
    for name in names:
        yield Passage("labels and tags", html.unescape(name), "name")


def _front(text: str) -> str:
    """Escapes of front matter decoded."""
    match = _FRONT.match(text)
    if match is None:
        return text
    decoded = _YAML.sub(_unescaped, match.group())
    return decoded + "\n" + text[match.end() :]


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1] or match[2] or match[3] or "0", 16)
    return chr(code) if 0 < code < 0x110000 else ""


def _comments(text: str) -> tuple[str, list[str]]:
    kept, comments = [], []
    parts = text.split("-->")
    for part in parts[:-1]:
        before, opened, comment = part.partition("<!--")
        kept.append(before if opened else part + "-->")
        comments += [comment] if opened else []
    return "".join([*kept, parts[-1]]), comments


def _without_tags(text: str, asides: list[str], names: list[str]) -> str:
    def read(match: re.Match[str]) -> str:
        name = match[1].lower()
        if name not in _VOCABULARY:
            names.append(match.group())
        asides.extend(value[1].strip("\"'") for value in _VALUE.finditer(match[2]))
        return "" if name in _GLUED else "\0"

    return _TAG.sub(read, text)


def _without_links(text: str, asides: list[str], names: list[str]) -> str:
    def link(match: re.Match[str]) -> str:
        target, _, title = match[3].strip().partition(" ")
        asides.extend((target.strip("<>"), title))
        return _shown(match, asides)

    def reference(match: re.Match[str]) -> str:
        if not _OWN_LABEL.fullmatch(match[3]):
            names.append(match[3])
        return _shown(match, asides)

    def shortcut(match: re.Match[str]) -> str:
        return match[1] if _same(match[1]) in labels else match.group()

    def definition(match: re.Match[str]) -> str:
        labels.add(_same(match[1]))
        if match.group().strip() == "[//]: #":
            return ""
        target, _, title = match[2].strip().partition(" ")
        asides.extend(("" if _OWN_LABEL.fullmatch(match[1]) else match[1], target.strip("<>"), title))
        return ""

    labels: set[str] = set()
    for _ in range(2):
        text = _LINK.sub(link, text)
    return _SHORTCUT.sub(shortcut, _REFERENCE.sub(reference, _DEFINITION.sub(definition, text)))


def _same(label: str) -> str:
    return "".join(label.split()).lower()


def _shown(match: re.Match[str], asides: list[str]) -> str:
    if match[1]:
        asides.append(match[2])
        return ""
    return match[2]


def _readable(text: str) -> str:
    """Text without the signs that format it."""
    text = _QUOTE.sub("", _BLANK.sub("\n\0", text))
    return html.unescape(_SIGNS.sub(lambda sign: sign[1] or "", text))
