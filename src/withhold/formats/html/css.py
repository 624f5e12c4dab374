"""Style sheets, cleaned: what is kept is built anew from known words, figures, and names; the rest is dropped.

Gone are comments, strings, addresses, generated content, imports, fonts, custom properties, attribute selectors
and everything this small parser does not know. Names of classes, ids and fonts stay, or change as the caller says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from withhold.formats.html import vocabulary as known

Naming = Callable[[str, str], str | None]
"""What becomes of a name: given its kind ("name" or "font") and itself, the new name or None if it must go."""

Token = tuple[str, str]
_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n\f]?|[^\n0-9a-fA-F])"
_LETTER = rf"(?:[A-Za-z0-9_\-\u0080-\U0010ffff]|{_ESCAPE})"
_IDENT = rf"(?:--|-?(?:[A-Za-z_\u0080-\U0010ffff]|{_ESCAPE})){_LETTER}*+"
_STRING = r"\"(?:[^\"\\\n]|\\[\s\S])*+\"|'(?:[^'\\\n]|\\[\s\S])*+'"
_TOKEN = re.compile(
    rf"""(?P<comment>/\*[\s\S]*?(?:\*/|\Z)|<!--|-->)
    |(?P<space>[ \t\n\f]++)
    |(?P<string>{_STRING})
    |(?P<url>[uU][rR][lL]\([^)]*+\)?)
    |(?P<number>[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?(?:%|[A-Za-z]++)?)
    |(?P<function>{_IDENT})\(
    |(?P<ident>{_IDENT})
    |@(?P<at>{_IDENT})
    |\#(?P<hash>{_LETTER}++)
    |(?P<sign>[\s\S])""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?(%|[A-Za-z]*)")
_COLOUR = re.compile(r"(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_FONT = re.compile(r"[^\W\d][\w-]*(?: [^\W\d][\w-]*)*")
_NTH = frozenset(["n", "-n", "odd", "even"])
_DEEPEST = 4
_HIDING = {"display": ("none",), "visibility": ("hidden", "collapse")}


@dataclass(frozen=True, slots=True, repr=False)
class Simple:
    """A selector without combinators: what an element must be, to be meant."""

    tag: str
    names: frozenset[str]


@dataclass(slots=True, repr=False)
class Sheet:
    """A cleaned style sheet, how much was dropped from it, and what it hides."""

    text: str = ""
    dropped: int = 0
    hiding: list[Simple] = field(default_factory=list)
    hides: bool = False
    """Whether an element with this style is there but not to be seen."""


def keep_names(kind: str, name: str) -> str | None:
    return name


def clean_sheet(text: str, naming: Naming = keep_names) -> Sheet:
    """A style sheet with nothing left in it but rules of known words."""
    sheet = Sheet()
    tokens = _tokens(text, sheet)
    sheet.text = "\n".join(_rules(tokens, sheet, naming, 0))
    return sheet


def clean_style(text: str, naming: Naming = keep_names) -> Sheet:
    """The same for the declarations of a `style` attribute."""
    sheet = Sheet()
    tokens = _tokens(text, sheet)
    kept = dict(_declarations(tokens, sheet, naming))
    sheet.text = "; ".join(f"{name}: {value}" for name, value in kept.items())
    sheet.hides = _hides(kept)
    return sheet


def clean_fonts(text: str, naming: Naming = keep_names) -> str | None:
    """The same for a list of fonts; None if nothing is left of it."""
    return _fonts(_tokens(text, Sheet()), naming)


def declared(style: str) -> dict[str, str]:
    """The declarations of a cleaned `style`."""
    return dict(part.split(": ", 1) for part in style.lower().split("; ") if ": " in part)


def _hides(declarations: dict[str, str]) -> bool:
    opacity, size = declarations.get("opacity", "1"), declarations.get("font-size", "1")
    return _absent(declarations) or any(re.match(r"[+-]?0*(?:\.0*)?(?![\d.])", each) for each in (opacity, size))


def _absent(declarations: dict[str, str]) -> bool:
    return any(declarations.get(name, "").split(" ")[0] in values for name, values in _HIDING.items())


def write_name(name: str) -> str:
    """A name as CSS writes it."""
    text = re.sub(r"[^\w-]|^(?=-?$)", lambda match: "\\" + match.group(), name)
    return re.sub(r"^(-?)(\d)", lambda match: f"{match[1]}\\{ord(match[2]):x} ", text)


def read_name(name: str) -> str:
    """A name without the escapes of CSS."""
    return re.sub(_ESCAPE, _unescape, name)


def _unescape(match: re.Match[str]) -> str:
    code = match.group()[1:]
    if re.match(r"[0-9a-fA-F]", code):
        number = int(code, 16)
        return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return code


def _tokens(text: str, sheet: Sheet) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind == "comment":
            sheet.dropped += match.group() not in ("<!--", "-->")
        else:
            tokens.append((kind, " " if kind == "space" else match[kind]))
    return tokens


def _rules(tokens: Sequence[Token], sheet: Sheet, naming: Naming, depth: int) -> Iterator[str]:
    for prelude, body in _statements(tokens):
        if not prelude:
            sheet.dropped += bool(body)
        elif prelude[0][0] == "at":
            text = _at_rule(prelude, body, sheet, naming, depth)
            sheet.dropped += not text
            if text:
                yield text
        else:
            yield from _rule(prelude, body, sheet, naming, depth)


def _statements(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], list[Token] | None]]:
    """Preludes with their bodies; a statement that ends in a semicolon has none."""
    prelude: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token == ("sign", "{"):
            end = _closing(tokens, at)
            yield _strip(prelude), list(tokens[at:end])
            prelude, at = [], end + 1
        elif token == ("sign", ";") and prelude and prelude[0][0] == "at":
            yield _strip(prelude), None
            prelude = []
        elif prelude or token[0] != "space":
            prelude.append(token)
    if prelude:
        yield _strip(prelude), None


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 1
    while at < len(tokens):
        if tokens[at][0] == "sign":
            depth += {"{": 1, "}": -1}.get(tokens[at][1], 0)
            if not depth:
                return at
        at += 1
    return at


def _at_rule(
    prelude: Sequence[Token], body: list[Token] | None, sheet: Sheet, naming: Naming, depth: int
) -> str | None:
    name, condition = prelude[0][1].lower(), _strip(prelude[1:])
    if body is None or depth >= _DEEPEST:
        return None
    if name == "page" and not condition:
        declarations = "; ".join(f"{key}: {value}" for key, value in _declarations(body, sheet, naming))
        return f"@page {{ {declarations} }}" if declarations else None
    if name != "media" or not all(_in_condition(*token) for token in condition):
        return None
    rules = "\n".join(_rules(body, sheet, naming, depth + 1))
    return f"@media {_write(condition)} {{\n{rules}\n}}" if rules else None


def _in_condition(kind: str, text: str) -> bool:
    if kind in ("ident", "function"):
        return text.lower() in known.MEDIA
    return kind == "space" or (kind == "number" and _is_number(text)) or (kind == "sign" and text in "(),:<>=/")


def _rule(
    prelude: Sequence[Token], body: list[Token] | None, sheet: Sheet, naming: Naming, depth: int
) -> Iterator[str]:
    if body is None:
        sheet.dropped += 1
        return
    declarations = list(_declarations(body, sheet, naming))
    selectors = []
    for part in _split(prelude, ","):
        text = _selector(part, naming)
        sheet.dropped += text is None
        if text is None:
            continue
        selectors.append(text)
        simple = _simple(part)
        if not depth and simple and _absent(dict(declarations)):
            sheet.hiding.append(simple)
    if selectors and declarations:
        yield f"{', '.join(selectors)} {{ {'; '.join(f'{name}: {value}' for name, value in declarations)} }}"


def _selector(tokens: Sequence[Token], naming: Naming) -> str | None:
    """A selector of known words and (new) names, or None."""
    written: list[str] = []
    before = ""
    for kind, text in tokens:
        piece: str | None = None
        if kind == "hash" or (kind == "ident" and before == "."):
            name = naming("name", read_name(text))
            piece = None if name is None else ("#" if kind == "hash" else "") + write_name(name)
        elif kind in ("ident", "function"):
            words = known.PSEUDO | _NTH if before in (":", "(") or written[-1:] == ["("] else known.TAGS
            lowered = text.lower()
            piece = lowered + ("(" if kind == "function" else "") if lowered in words or lowered in known.TAGS else None
        elif kind == "number":
            piece = text if re.fullmatch(r"[+-]?\d+n?", text.lower()) else None
        elif kind == "space" or (kind == "sign" and text in ".:*>+~(),-"):
            piece = text
        if piece is None:
            return None
        written.append(piece)
        before = text if kind == "sign" else "(" if kind == "function" else ""
    return "".join(written).strip() or None


def _simple(tokens: Sequence[Token]) -> Simple | None:
    """The selector as a simple one, if it is one."""
    tag, names, before = "", set(), ""
    for kind, text in _strip(tokens):
        if kind == "hash":
            names.add("#" + read_name(text))
        elif kind == "ident" and before == ".":
            names.add("." + read_name(text))
        elif kind == "ident" and not before:
            tag = text.lower()
        elif (kind, text) != ("sign", "."):
            return None
        before = text
    return Simple(tag, frozenset(names)) if (names or tag) and tag not in ("html", "body") else None


def _declarations(tokens: Sequence[Token], sheet: Sheet, naming: Naming) -> Iterator[tuple[str, str]]:
    for part in _split(tokens, ";"):
        part = _strip(part)
        if not part:
            continue
        name = part[0][1].lower()
        colon = next((at for at, token in enumerate(part[:3]) if token == ("sign", ":")), 0)
        value = _strip(part[colon + 1 :])
        text = None
        if colon and part[0][0] == "ident" and name in known.PROPERTIES and value:
            text = _fonts(value, naming) if name in ("font", "font-family") else _value(value)
        sheet.dropped += text is None
        if text is not None:
            yield name, text


def _value(tokens: Sequence[Token]) -> str | None:
    return _write(tokens) if all(_in_value(*token) for token in tokens) else None


def _in_value(kind: str, text: str) -> bool:
    if kind == "ident":
        return text.lower() in known.KEYWORDS or text.lower() == "important"
    if kind == "function":
        return text.lower() in known.FUNCTIONS
    if kind == "number":
        return _is_number(text)
    if kind == "hash":
        return _COLOUR.fullmatch(text) is not None
    return kind == "space" or (kind == "sign" and text in ",/()+-*!")


def _is_number(text: str) -> bool:
    match = _NUMBER.fullmatch(text)
    return match is not None and match[1].lower() in known.UNITS | {"", "%"}


def _fonts(tokens: Sequence[Token], naming: Naming) -> str | None:
    """A list of fonts (after a size and style, perhaps) without the names that must go."""
    kept = []
    for family in _split(tokens, ","):
        plain = [token for token in _strip(family) if token[0] != "string"]
        words = [text for kind, text in plain if kind == "ident" and not _in_value(kind, text)]
        quoted = [text[1:-1] for kind, text in family if kind == "string"]
        name = " ".join(words + quoted)
        rest = [token for token in plain if token[1] not in words]
        if not all(_in_value(*token) for token in rest) or (name and not _FONT.fullmatch(name)):
            return None
        shown = naming("font", name) if name else ""
        start = _write(_strip(rest))
        if text := f"{start} {shown or ''}".strip() if shown or not name else start and f"{start} serif":
            kept.append(text)
    return ", ".join(kept) or None


def _split(tokens: Sequence[Token], sign: str) -> Iterator[list[Token]]:
    part: list[Token] = []
    depth = 0
    for token in tokens:
        if token[0] == "function" or (token[0] == "sign" and token[1] in "([{"):
            depth += 1
        elif token[0] == "sign" and token[1] in ")]}":
            depth = max(0, depth - 1)
        if token == ("sign", sign) and not depth:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _strip(tokens: Sequence[Token]) -> list[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start][0] == "space":
        start += 1
    while end > start and tokens[end - 1][0] == "space":
        end -= 1
    return list(tokens[start:end])


def _write(tokens: Sequence[Token]) -> str:
    signs = {"hash": "#{}", "function": "{}(", "at": "@{}"}
    return "".join(signs.get(kind, "{}").format(text.lower()) for kind, text in tokens)
