"""Source that is seen as it stands: character references, line ends and escapes, as tokens."""

from __future__ import annotations

import html
import re
import string

from withhold.formats.markdown.tokens import Token

NEWLINE = re.compile(r"(?:\r\n|\n|\r)(?:[ \t]*+>)*+")
_LITERAL_SPECIAL = re.compile(r"[&\r\n]")
_ENTITY = re.compile(r"&(?:#(?:[0-9]{1,8}|[xX][0-9a-fA-F]{1,7});?|[A-Za-z][A-Za-z0-9]{1,40};?)")


def entity(source: str, at: int, end: int, block: int) -> Token:
    """A character reference, decoded; or the ampersand that it is not.

    A browser does without the semicolon, so this does too where a letter, or nothing to be seen, comes of it.
    """
    match = _ENTITY.match(source, at, end)
    if match is None:
        return Token(at, at + 1, "text", source[at], block)
    reference = match.group()
    if reference.endswith(";") or reference[1] == "#":
        decoded = html.unescape(reference if reference.endswith(";") else reference + ";")
        if decoded.endswith(";") and len(decoded) > 1:
            return _legacy(at, reference, block)
        return Token(at, match.end(), "text" if decoded else "mark", decoded, block)
    return _legacy(at, reference, block)


def _legacy(at: int, reference: str, block: int) -> Token:
    name = reference[1:].rstrip(";")
    for length in range(min(6, len(name)), 1, -1):
        decoded = html.unescape("&" + name[:length])
        if len(decoded) == 1 and (decoded.isalpha() or decoded == "\xad"):
            return Token(at, at + 1 + length, "text", decoded, block)
    return Token(at, at + 1, "text", "&", block)


def literal(source: str, at: int, end: int, block: int) -> list[Token]:
    """Source that is seen as it stands, but for character references and line ends."""
    return _plain(source, at, end, block, _LITERAL_SPECIAL)


_ESCAPED_SPECIAL = re.compile(r"[&\r\n\\]")


def escaped_literal(source: str, at: int, end: int, block: int) -> list[Token]:
    """The same where a backslash takes its meaning from the next sign."""
    return _plain(source, at, end, block, _ESCAPED_SPECIAL)


def _plain(source: str, at: int, end: int, block: int, special: re.Pattern[str]) -> list[Token]:
    tokens = []
    while at < end:
        match = special.search(source, at, end)
        stop = match.start() if match else end
        if stop > at:
            tokens.append(Token(at, stop, "text", source[at:stop], block))
        if match is None:
            break
        tokens.append(_one(source, stop, end, block))
        at = tokens[-1].end
    return tokens


def _one(source: str, at: int, end: int, block: int) -> Token:
    if source[at] == "&":
        return entity(source, at, end, block)
    if source[at] == "\\":
        following = source[at + 1 : min(at + 2, end)]
        if following and following in string.punctuation:
            return Token(at, at + 2, "text", following, block)
        return Token(at, at + 1, "text", "\\", block)
    match = NEWLINE.match(source, at, end)
    assert match is not None
    return Token(at, match.end(), "text", "\n", block)
