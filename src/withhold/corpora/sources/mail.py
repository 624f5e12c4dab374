"""Mailboxes: every mail a document, its body the text, its subject the title."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from io import BufferedReader

from withhold.corpora.sources import web
from withhold.corpora.sources.items import DAMAGED, LONGEST, TOO_LONG, Documents, Item, Reading, Skipped, item
from withhold.corpora.sources.streams import guessed, long_lines, opened

_START = re.compile(rb"From .*\d\d?:\d\d")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def read(reading: Reading) -> Iterator[Item]:
    with opened(reading.path, reading.meter) as stream:
        for number, data in enumerate(_mails(stream, reading.skipped)):
            if number < reading.start or not data:
                continue
            try:
                name, title, text = _mail(data, reading.documents)
            except Exception:
                # The standard library raises whatever comes up on mails that are built to break it.
                reading.skipped[DAMAGED] += 1
                continue
            if found := item(number, name, title, text, reading.skipped):
                yield found


def starts_like_mbox(sample: bytes) -> bool:
    return _START.match(sample) is not None


def subject(data: bytes) -> str:
    """The subject of a mail; empty if it has none that can be read."""
    try:
        return _header(email.message_from_bytes(data[:65_536]), "Subject")
    except Exception:
        return ""


def _mails(stream: BufferedReader, skipped: Skipped) -> Iterator[bytes]:
    """The mails of a mailbox; nothing for one that is too long, which is counted."""
    held: list[bytes] = []
    size, blank, begun = 0, True, False
    for line in long_lines(stream, skipped):
        if blank and _START.match(line):
            if begun:
                yield _whole(held, size, skipped)
            held, size, begun = [], 0, True
        else:
            size += len(line)
            if size <= LONGEST:
                held.append(line)
        blank = not line.strip()
    if begun or any(line.strip() for line in held):
        yield _whole(held, size, skipped)


def _whole(held: list[bytes], size: int, skipped: Skipped) -> bytes:
    if size > LONGEST:
        skipped[TOO_LONG] += 1
        return b""
    return _QUOTED.sub(rb"\1", b"".join(held))


def _mail(data: bytes, documents: Documents) -> tuple[str, str, str]:
    message = email.message_from_bytes(data)
    bodies = [body for part in _parts(message) if (body := _body(part, documents).strip())]
    return _header(message, "Message-ID").strip("<> "), _header(message, "Subject"), "\n\n".join(bodies)


def _parts(message: Message) -> Iterator[Message]:
    """What of a mail is its body: of alternatives the plainest, and no attachments."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        kind = part.get_content_type()
        if part.is_multipart():
            children = [child for child in part.get_payload() if isinstance(child, Message)]
            if kind == "multipart/alternative":
                plain = [child for child in children if child.get_content_type() == "text/plain"]
                children = plain[:1] or children[-1:]
            waiting += reversed(children)
        elif kind in ("text/plain", "text/html") and part.get_content_disposition() != "attachment":
            yield part


def _body(part: Message, documents: Documents) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = part.get_content_charset() or "utf-8"
    try:
        # Mailers, Python's own too, end such text with a line end of one byte.
        text = data.decode(charset, "ignore" if charset.startswith(("utf-16", "utf-32")) else "strict")
    except (LookupError, ValueError):
        text = guessed(data, documents)
    return web.page(text)[1] if part.get_content_type() == "text/html" and text.strip() else text


def _header(message: Message, name: str) -> str:
    value = str(message.get(name, ""))
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, ValueError):
        return value
