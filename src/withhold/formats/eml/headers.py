"""Mail headers: from raw values to words, and back to values that every mail reader parses the same way."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from withhold.formats.eml.text import decode, unbase64

KEPT = ("From", "Reply-To", "To", "Cc", "Date", "Subject")
"""What a reader sees above a mail, in the order it is written. Every other header is dropped."""

ADDRESSES = frozenset({"From", "Reply-To", "To", "Cc"})

_LINE = 76
_LONGEST_WORD = 900
_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_ENCODED = re.compile(r"=\?([^?\s]*)\?([bBqQ])\?([^?]*)\?=(?:\s+(?==\?[^?\s]*\?[bBqQ]\?[^?]*\?=))?")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(rf"{_ATOMS.pattern}|\[[!-Z^-~]*\]")
# Quantifiers that never give back, and closing signs that may be missing, keep these linear in any input.
_QUOTED = r'"((?:[^"\\]|\\.)*+)"?+'
_TOKEN = re.compile(
    rf'{_QUOTED}|(\()|<((?:"(?:[^"\\]|\\.)*+"?+|[^>"])*+)>?+|([,:;])|(\s+)|([^\s"(<,:;]+)',
    re.DOTALL,
)


def unfold(raw: str) -> str:
    """A raw value on one line, its bytes beyond ASCII decoded."""
    text = decode(raw.encode("utf-8", "surrogateescape"), "utf-8")
    return re.sub(r"[\r\n]+", "", re.sub(r"[\r\n]+[ \t]+", " ", text)).strip(" \t")


def decode_words(text: str) -> str:
    """The text with its encoded words (RFC 2047) read; neighbours may share a character.

    Line breaks that were encoded become spaces: whoever decodes a header again could take them for its end.
    """
    pieces: list[str] = []
    run: list[bytes] = []
    charset, done = "", 0
    for match in _ENCODED.finditer(text):
        named = match[1].partition("*")[0].lower()
        if run and (match.start() > done or named != charset):
            pieces.append(decode(b"".join(run), charset))
            run.clear()
        pieces.append(text[done : match.start()])
        run.append(_word_bytes(match[2], match[3]))
        charset, done = named, match.end()
    if run:
        pieces.append(decode(b"".join(run), charset))
    return re.sub(r"[\r\n]+", " ", "".join([*pieces, text[done:]]))


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return unbase64(data)[0] if encoding in "bB" else binascii.a2b_qp(data, header=True)


@dataclass(repr=False)
class Addresses:
    """An address list taken apart: a name and an address for each entry, either of which may be empty.

    A group is its name followed by its members. Comments are not kept; `comments` holds what they said.
    """

    entries: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    _phrase: list[str] = field(default_factory=list)
    _address: str | None = None

    @classmethod
    def parse(cls, text: str) -> Addresses:
        found = cls()
        at = 0
        while match := _TOKEN.match(text, at):
            at = match.end()
            if match[2]:
                at = _comment_end(text, match.start())
                found.comments.append(decode_words(text[match.end() : at].removesuffix(")")))
            else:
                found._take(match)
        found._close(",")
        return found

    def _take(self, match: re.Match[str]) -> None:
        if match[1] is not None:
            self._phrase.append(_unescape(match[1]))
        elif match[3] is not None:
            self._angle(match[3])
        elif match[4]:
            self._close(match[4])
        else:
            self._phrase.append(" " if match[5] else match[6])

    def _angle(self, address: str) -> None:
        if self._address is not None:
            self._close(",")
        self._address = address

    def _close(self, sign: str) -> None:
        phrase = "".join(self._phrase).strip()
        if self._address is not None:
            entry = decode_words(phrase), _address_text(self._address)
        elif "@" in phrase and " " not in phrase and sign != ":":
            entry = "", decode_words(phrase)
        else:
            entry = decode_words(phrase), ""
        if any(entry):
            self.entries.append(entry)
        self._phrase, self._address = [], None


def _comment_end(text: str, start: int) -> int:
    """Where the comment that opens at `start` ends; comments nest."""
    depth = 0
    for match in re.compile(r"\\.|[()]", re.DOTALL).finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if not depth:
            return match.end()
    return len(text)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _address_text(raw: str) -> str:
    quoted = re.fullmatch(rf"\s*{_QUOTED}(@.*)", raw, re.DOTALL)
    return decode_words(_unescape(quoted[1]) + quoted[2].rstrip() if quoted else raw.strip())


def write_addresses(entries: Sequence[tuple[str, str]]) -> str:
    """An address list that holds these texts and nothing else.

    What is no address (an edit may leave any text) is written as the name of an empty group, the one place
    in the syntax of addresses for a name that stands alone.
    """
    return ", ".join(written for name, address in entries for written in _write_entry(name, address))


def _write_entry(name: str, address: str) -> Iterator[str]:
    if spec := _addr_spec(address):
        yield f"{_write_phrase(name)} <{spec}>" if name else f"<{spec}>"
        return
    for text in (name, address):
        if text:
            yield f"{_write_phrase(text)} :;"


def _addr_spec(address: str) -> str | None:
    local, _, domain = address.rpartition("@")
    if "=?" in address or len(address) > _LONGEST_WORD or not _DOMAIN.fullmatch(domain):
        return None
    if _ATOMS.fullmatch(local):
        return address
    return f"{_write_quoted(local)}@{domain}" if _is_plain(local) else None


def _write_phrase(text: str) -> str:
    return _write_quoted(text) if _is_plain(text) else encode_words(text)


def _write_quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _is_plain(text: str) -> bool:
    """Whether a header can hold the text as it is and give it back so, however it is folded."""
    return bool(_PLAIN.fullmatch(text)) and "=?" not in text and max(map(len, text.split(" "))) < _LONGEST_WORD


def write_text(text: str) -> str:
    """The value of a header that is just text."""
    return text if _is_plain(text) else encode_words(text)


def encode_words(text: str) -> str:
    """The whole text as encoded words: no line break or other sign in it can be taken for syntax."""
    words = []
    for start in range(0, len(text), 11):  # 11 characters are at most 44 bytes, so that no word is too long
        data = text[start : start + 11].encode("utf-8", "surrogatepass")
        words.append(f"=?utf-8?b?{base64.b64encode(data).decode('ascii')}?=")
    return " ".join(words)


def write_parameter(name: str, text: str) -> list[str]:
    """A parameter such as a file name, in pieces short enough for a line each (RFC 2231)."""
    if _is_plain(text) and not re.search(r"[\"\\%*']", text) and len(text) < 60:
        return [f'{name}="{text}"']
    escaped = quote(text.encode("utf-8", "surrogatepass"), safe="")
    pieces = re.findall(r"(?:%..|[^%]){1,20}", escaped)
    return [f"{name}*{number}*={'' if number else 'utf-8' + 2 * chr(39)}{piece}" for number, piece in enumerate(pieces)]


def field_line(name: str, value: str) -> bytes:
    """A header, folded at its spaces; where it folds depends on nothing but what is written."""
    lines = [f"{name}:"]
    for word in value.split(" "):
        if len(lines[-1]) + len(word) >= _LINE and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines).encode("ascii") + b"\r\n"
