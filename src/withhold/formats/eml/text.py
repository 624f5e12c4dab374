"""The text of a mail part: transfer encodings and charsets undone, wrapped lines joined."""

from __future__ import annotations

import binascii
import codecs
import re

from withhold.errors import DamagedDocument
from withhold.formats import txt

_NOT_CHARSETS = frozenset({"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"})
_UNENCODED = frozenset({"", "7bit", "8bit", "7bits", "8bits", "7-bit", "8-bit", "binary", "none"})
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/=]+")
_UU_BLOCK = re.compile(
    r"^begin [0-7]{3,4} [^\n]*\n(?:[ -`]+\n)++(?:end[ \t]*$)?"
    r"|^begin-base64 [0-7]{3,4} [^\n]*\n(?:[A-Za-z0-9+/=]+\n)++(?:====[ \t]*$)?",
    re.MULTILINE,
)


def content(body: bytes, encoding: str) -> tuple[bytes, bool]:
    """A body with its transfer encoding undone, and whether that is all of it.

    What stands between or after the lines of a base64 body is not part of it, and some readers would show it.

    Raises:
        DamagedDocument: if the transfer encoding is not known.
    """
    if encoding == "base64":
        return unbase64(body)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body), True
    if encoding not in _UNENCODED:
        raise DamagedDocument("a part of the mail is in a transfer encoding that is not known")
    return body, True


def unbase64(data: bytes) -> tuple[bytes, bool]:
    """What base64 text holds, even cut short or padded in the middle; False if other text stands among it."""
    lines = data.split()
    good = [line for line in lines if _BASE64_LINE.fullmatch(line)]
    runs = re.split(rb"=+", b"".join(good))
    whole = (run[: len(run) // 4 * 4] if len(run) % 4 == 1 else run + b"=" * (-len(run) % 4) for run in runs)
    return b"".join(binascii.a2b_base64(run) for run in whole), len(good) == len(lines)


def decode(data: bytes, charset: str = "") -> str:
    """Text of a header by its declared charset, or by the likeliest: never an error."""
    for candidate in (charset, "utf-8", "cp1252"):
        text = _decode_as(data, candidate)
        if text is not None:
            return text
    return data.decode("latin-1")


def declared(data: bytes, charset: str, encoding: str | None = None) -> str:
    """Text by its declared charset if that fits, else by the encoding the policy names, else by a guess.

    Raises:
        DamagedDocument: if nothing fits.
    """
    text = _decode_as(data, charset)
    return txt.decode(data, encoding)[0] if text is None else text


def _known(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name.replace("-", "_") not in _NOT_CHARSETS
    except (LookupError, ValueError):
        return False


def _decode_as(data: bytes, charset: str) -> str | None:
    """The text if it is in that charset. Broken UTF-8 is, with replacement signs: so readers show it."""
    if not charset or not _known(charset):
        return None
    unicode = codecs.lookup(charset).name.startswith("utf")
    try:
        return data.decode(charset, "surrogatepass" if unicode else "strict")
    except (UnicodeError, LookupError):
        return data.decode(charset, "replace") if unicode and charset else None


def unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unflow(text: str, joined: bool) -> str:
    """`format=flowed` text with its paragraphs whole: a line may end in the middle of a word (`delsp`)."""
    paragraphs: list[list[str]] = []
    depth, open_line = 0, False
    for raw in text.split("\n"):
        bare = raw.lstrip(">")
        quotes = len(raw) - len(bare)
        line = bare.removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        if not (open_line and quotes == depth and line != "-- "):
            paragraphs.append([">" * quotes + " " if quotes and line else ">" * quotes])
        paragraphs[-1].append(line[:-1] if flows and joined else line)
        depth, open_line = quotes, flows
    return "\n".join("".join(pieces) for pieces in paragraphs)


def unfold_lines(text: str) -> str:
    """Calendar and address cards fold long lines, in the middle of words too."""
    return re.sub(r"\n[ \t]", "", text)


def without_uuencoded(text: str) -> tuple[str, int]:
    """The text without files that are written into it in letters."""
    return _UU_BLOCK.subn("", text)


def quoted_printable(text: str) -> bytes:
    """Text as quoted-printable UTF-8, the one way text parts are written.

    Which encoding is shortest depends on the text, so a choice would say something about what was removed
    whenever it was made before the removal; and a person can read and compare this one.
    """
    data = unix_lines(text).replace("\n", "\r\n").encode("utf-8", "surrogatepass")
    encoded = binascii.b2a_qp(data, istext=True)
    return encoded.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
