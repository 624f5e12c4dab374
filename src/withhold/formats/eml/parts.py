"""A mail as a tree of what is kept of it, made by the `email` package and then by hand."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import errors as mail_errors
from email._policybase import Compat32
from email.message import Message
from email.parser import BytesFeedParser
from typing import Any, Literal
from urllib.parse import unquote

from withhold.contracts import Format
from withhold.errors import DamagedDocument, DocumentError, EncryptedDocument, HostileDocument, UnsupportedFormat
from withhold.formats import formats, images, named, recognise
from withhold.formats.eml.headers import ADDRESSES, KEPT, Addresses, decode_words, unfold
from withhold.formats.eml.text import content, declared, unflow, unfold_lines, unix_lines, without_uuencoded
from withhold.types import Document, Handling, Hidden

_DEEPEST = 30
_LONGEST_STRUCTURE = 4096
_STRUCTURE = frozenset(
    {"content-type", "content-transfer-encoding", "content-disposition", "content-id", "mime-version"}
)
_CARDS = {"text/calendar": ".ics", "text/vcard": ".vcf", "text/x-vcard": ".vcf", "application/ics": ".ics"}
_PLAIN_TYPES = frozenset({"text/plain", "text/csv", "text/tab-separated-values", "application/json"})
_SUFFIXES = {"text/html": ".html", "text/markdown": ".md", "message/rfc822": ".eml", "text/csv": ".csv"}
_TYPES = {
    "txt": "text/plain",
    "html": "text/html",
    "markdown": "text/markdown",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_SIGNATURES = frozenset({"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"})
_OUTLOOK = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
_ENVELOPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"})
_ARMOUR = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)
_ENCODED_PART = re.compile(r"^content-transfer-encoding:", re.IGNORECASE | re.MULTILINE)
_CID = re.compile(r"\bcid:([^\"'\s<>()]+)", re.IGNORECASE)


@dataclass(slots=True, repr=False)
class Words:
    """One text of a mail: a name, an address, a subject, a body."""

    text: str
    kind: str
    where: str


@dataclass(slots=True, repr=False)
class Inner:
    """A document inside the mail, in a format of its own."""

    document: Document
    format: Format
    where: str
    attached: bool


@dataclass(slots=True, repr=False)
class Part:
    """One MIME part: what it holds and how it is labelled."""

    type: str
    content: Words | Inner | bytes | Mail | list[Part]
    name: Words | None = None
    suffix: str = ""
    attached: bool = False
    image: int = 0


@dataclass(slots=True, repr=False)
class Mail:
    """The kept headers, in order, and the kept parts. An address is two words: the name and the address."""

    headers: list[tuple[str, list[Words]]]
    body: Part


class _Message(Message):
    """A message that refuses to nest too deeply while it is being parsed."""

    depth = 0

    def attach(self, payload: Any) -> None:
        payload.depth = self.depth + 1
        if payload.depth > _DEEPEST:
            raise HostileDocument(f"the parts of the mail nest deeper than {_DEEPEST} levels")
        super().attach(payload)


class _Policy(Compat32):
    """How the parser treats headers.

    Its own cost grows with the square of a structural header, so those are kept short. Bytes beyond ASCII are
    left as they are, so that a boundary with some in it still matches its lines.
    """

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return value

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        if sourcelines[0][:8].lower() == "content-" and sum(map(len, sourcelines)) > _LONGEST_STRUCTURE:
            raise HostileDocument(f"a header that describes a part of the mail is over {_LONGEST_STRUCTURE} characters")
        return super().header_source_parse(sourcelines)


def parse(data: bytes, depth: int = 0) -> Message:
    """The message in some bytes, however broken.

    Raises:
        HostileDocument: if it nests too deeply.
    """

    if depth > _DEEPEST:
        raise HostileDocument(f"the parts of the mail nest deeper than {_DEEPEST} levels")

    def message(policy: Any = None) -> _Message:
        made = _Message(policy)
        made.depth = depth
        return made

    parser = BytesFeedParser(message, policy=_Policy())
    try:
        parser.feed(data)
        return parser.close()
    except RecursionError:
        raise HostileDocument(f"the parts of the mail nest deeper than {_DEEPEST} levels") from None
    except (mail_errors.MessageError, ValueError, IndexError) as error:
        raise HostileDocument(f"the mail cannot be taken apart ({type(error).__name__})") from None


@dataclass(repr=False)
class Builder:
    """Makes the tree, and notes everything that is left out of it or changed."""

    handling: Handling
    dropped: list[Hidden] = field(default_factory=list)
    pictures: list[Literal["changed", "kept unexamined"]] = field(default_factory=list)
    _numbered: int = 0

    def mail(self, message: Message) -> Mail:
        if message.get_unixfrom():
            self._drop("mailbox separators", "head", message.get_unixfrom() or "")
        headers = self._headers(message)
        pictures = _pictures(message, self._kept_picture)
        self._labels(message, "content-")
        body = self._part(message, pictures)
        if body is None:
            body = Part("text/plain", Words("", "body", "body"))
        return Mail(headers, body)

    def _drop(self, kind: str, where: str, text: str = "") -> None:
        self.dropped.append(Hidden(kind, where, 1, text))

    def _without(self, kind: str, where: str, text: str = "") -> Part | None:
        self._drop(kind, where, text)
        return None

    def _headers(self, message: Message) -> list[tuple[str, list[Words]]]:
        raw: dict[str, list[str]] = {name.lower(): [] for name in KEPT}
        for name, value in message.raw_items():
            text = unfold(value)
            if name.lower() in raw:
                raw[name.lower()].append(text)
            elif name.lower() == "bcc":
                self._drop("blind copies", "Bcc", decode_words(text))
            elif not name.lower().startswith(("content-", "mime-version")):
                self._drop("mail headers", _header_name(name), decode_words(text))
        found = []
        for name in KEPT:
            words = self._addresses(name, raw) if name in ADDRESSES else self._text(name, raw)
            found.append((name, [Words(text, "header", name) for text in words]))
        return found

    def _labels(self, part: Message, starting: str = "") -> None:
        """Note the headers of a part that do not say how to read it."""
        for name, value in part.raw_items():
            if name.lower().startswith(starting) and name.lower() not in _STRUCTURE:
                self._drop("headers of parts", _header_name(name), decode_words(unfold(value)))

    def _addresses(self, name: str, raw: dict[str, list[str]]) -> list[str]:
        parsed = Addresses.parse(", ".join(raw[name.lower()]))
        for comment in parsed.comments:
            self._drop("comments in addresses", name, comment)
        return [text for entry in parsed.entries for text in entry]

    def _text(self, name: str, raw: dict[str, list[str]]) -> list[str]:
        for repeated in raw[name.lower()][1:]:
            self._drop("repeated headers", name, decode_words(repeated))
        return [decode_words(text) for text in raw[name.lower()][:1]]

    def _part(self, part: Message, pictures: dict[str, int]) -> Part | None:
        kind = part.get_content_type()
        _refuse_encrypted(part, kind)
        _refuse_ambiguous(part)
        if not part.is_multipart():
            return self._leaf(part, kind, pictures)
        if kind.startswith("message/"):
            return self._message(part, kind)
        for where, text in (("preamble", part.preamble), ("epilogue", part.epilogue)):
            if text and text.strip():
                self._drop("text around parts", where, text)
        kept = []
        payload: Any = part.get_payload()
        for child in payload:
            self._labels(child)
            if (found := self._part(child, pictures)) is not None:
                kept.append(found)
        subtype = kind if kind in ("multipart/alternative", "multipart/related") else "multipart/mixed"
        return Part(subtype, kept) if kept else None

    def _message(self, part: Message, kind: str) -> Part | None:
        payload: Any = part.get_payload()
        if kind not in ("message/rfc822", "message/global") or len(payload) != 1:
            return self._without("mail system reports", self._where())
        if self.handling.attachments == "drop":
            return self._without("attachments", self._where(), _file_name(part))
        inner = payload[0]
        if _encoding(part) in ("base64", "quoted-printable"):
            inner = parse(content(inner.as_bytes(), _encoding(part))[0], getattr(part, "depth", 0) + 1)
        return self._nested(part, inner)

    def _nested(self, part: Message, inner: Message) -> Part:
        name, suffix = self._name(part)
        return Part("message/rfc822", self.mail(inner), name, suffix, attached=True)

    def _leaf(self, part: Message, kind: str, pictures: dict[str, int]) -> Part | None:
        where = self._where()
        if kind in _SIGNATURES:
            return self._without("signatures", where)
        if kind in _OUTLOOK or _file_name(part).lower() == "winmail.dat":
            return self._without("winmail.dat files", where)
        encoding = _encoding(part)
        try:
            data, whole = content(_body(part), encoding)
        except DocumentError:
            return self._without("parts that cannot be read", where, _file_name(part))
        if not whole:
            self._drop("text around base64", where)
        if kind.startswith("image/"):
            return self._picture(part, data, where, pictures)
        if part.get_content_disposition() != "attachment":
            if kind == "text/html":
                return self._html(part, data, where, pictures)
            if kind == "text/plain" or kind.startswith("multipart/"):
                return self._plain(part, data, where)
        if self.handling.attachments == "drop" and not (
            kind in _CARDS and part.get_content_disposition() != "attachment"
        ):
            return self._without("attachments", where, _file_name(part))
        try:
            return self._attachment(part, kind, data, where)
        except DocumentError:
            return self._without("parts that cannot be read", where, _file_name(part))

    def _where(self) -> str:
        self._numbered += 1
        return f"part {self._numbered}"

    def _plain(self, part: Message, data: bytes, where: str) -> Part:
        text = unix_lines(declared(data, _charset(part), self.handling.encoding))
        if _lost_its_structure(part) and _ENCODED_PART.search(text):
            raise DamagedDocument("the mail's headers or the boundary between its parts are broken")
        if _ARMOUR.search(text):
            raise EncryptedDocument("the mail holds a PGP message; decrypt it first")
        if _parameter(part, "format").lower() == "flowed":
            text = unflow(text, _parameter(part, "delsp").lower() == "yes")
        text, files = without_uuencoded(text)
        for _ in range(files):
            self._drop("files written into text", where)
        name, suffix = self._name(part)
        return Part("text/plain", Words(text, "body", where), name, suffix)

    def _html(self, part: Message, data: bytes, where: str, pictures: dict[str, int]) -> Part:
        text = unix_lines(declared(data, _html_charset(part, data), self.handling.encoding))
        name, suffix = self._name(part)
        inner = self._inner(named("html"), renumber(text, pictures), where, attached=False)
        return Part("text/html", inner, name, suffix)

    def _inner(self, format: Format, source: str | bytes, where: str, *, attached: bool) -> Inner:
        """A document in the mail; text goes in as UTF-8, whatever it says of itself, so it is marked as such."""
        handling = self.handling
        if isinstance(source, str):
            mark = "\ufeff" if format.name == "html" else ""
            source = (mark + source.removeprefix(mark)).encode("utf-8", "surrogatepass")
            handling = replace(handling, encoding="utf-8")
        text, blocks = format.read(source, handling)
        return Inner(Document(text, source, format.name, blocks, handling), format, where, attached)

    def _attachment(self, part: Message, kind: str, data: bytes, where: str) -> Part:
        file_name = _file_name(part)
        if kind in _CARDS or file_name.lower().endswith((".ics", ".vcf")):
            return self._card(part, kind, data, where)
        suffix = _split_name(file_name)[1]
        format = recognise(data, "x" + (suffix or _SUFFIXES.get(kind, "")))
        if format.name == "eml":
            inner = parse(data, getattr(part, "depth", 0) + 1)
            return self._nested(part, inner)
        if format.name == "txt" and not (suffix or kind in _PLAIN_TYPES):
            raise UnsupportedFormat("no format reads the attachment")
        source: str | bytes = data
        if format.name in ("txt", "markdown", "html"):
            charset = _html_charset(part, data) if format.name == "html" else _charset(part)
            source = declared(data, charset, self.handling.encoding)
            if _ARMOUR.search(unix_lines(source)):
                raise EncryptedDocument("a PGP message is attached")
        name, suffix = self._name(part)
        inner_document = self._inner(format, source, where, attached=True)
        written = _TYPES.get(format.name, "application/octet-stream")
        return Part(kind if kind in _PLAIN_TYPES else written, inner_document, name, suffix, attached=True)

    def _card(self, part: Message, kind: str, data: bytes, where: str) -> Part:
        text = unfold_lines(unix_lines(declared(data, _charset(part), self.handling.encoding)))
        if re.search(r"^[^:\n]*\b(?:encoding=|quoted-printable|base64)", text, re.IGNORECASE | re.MULTILINE):
            raise UnsupportedFormat("the calendar or address card holds encoded text")
        name, suffix = self._name(part)
        calendar = _CARDS.get(kind) == ".ics" or _file_name(part).lower().endswith(".ics")
        attached = part.get_content_disposition() == "attachment"
        kind = "text/calendar" if calendar else "text/vcard"
        return Part(kind, Words(text, "attachment", where), name, suffix, attached)

    def _kept_picture(self, part: Message) -> bool:
        return self.handling.attachments == "redact" or part.get_content_disposition() != "attachment"

    def _picture(self, part: Message, data: bytes, where: str, pictures: dict[str, int]) -> Part | None:
        if not self._kept_picture(part):
            return self._without("attachments", where, _file_name(part))
        kept = images.strip_metadata(data) if self.handling.images == "keep" else None
        if kept is None and data != images.BLANK_PNG:
            self.pictures.append("changed")
        elif kept is not None:
            self.pictures.append("kept unexamined")
            for what in images.metadata(data):
                self._drop("picture metadata", where, what)
        kept = images.BLANK_PNG if kept is None else kept
        name, suffix = self._name(part)
        number = pictures.get(_content_id(part), 0)
        attached = part.get_content_disposition() == "attachment"
        return Part(f"image/{images.kind(kept)}", kept, name, suffix, attached, number)

    def _name(self, part: Message) -> tuple[Words | None, str]:
        """The file name without the ending that says how the part is read, and that ending."""
        stem, suffix = _split_name(_file_name(part))
        return (Words(stem, "attachment", "file name") if stem or suffix else None), suffix


def renumber(text: str, pictures: dict[str, int]) -> str:
    """HTML text that refers to the pictures of the mail by number."""

    def number(match: re.Match[str]) -> str:
        found = pictures.get(unquote(html.unescape(match[1])))
        return f"cid:{found}@mail" if found else match[0]

    return _CID.sub(number, text) if pictures else text


def _pictures(message: Message, kept: Any) -> dict[str, int]:
    """The numbers of the pictures of one mail that have a name to refer to them by."""
    numbers: dict[str, int] = {}
    for part in _walk(message):
        identity = _content_id(part)
        if identity and part.get_content_maintype() == "image" and kept(part):
            numbers.setdefault(identity, len(numbers) + 1)
    return numbers


def _walk(message: Message) -> Iterator[Message]:
    yield message
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for part in message.get_payload():
            yield from _walk(part)  # type: ignore[arg-type]


def _content_id(part: Message) -> str:
    return unfold(_raw(part, "content-id")).strip("<> ")


def _raw(part: Message, name: str) -> str:
    return next((value for key, value in part.raw_items() if key.lower() == name), "")


def _refuse_encrypted(part: Message, kind: str) -> None:
    name = _file_name(part).lower()
    if kind == "multipart/encrypted" or kind in _ENVELOPES or name.endswith(".p7m"):
        if _parameter(part, "smime-type").lower() == "signed-data":
            raise UnsupportedFormat("the mail's text is wrapped in an S/MIME signature; save it without and try again")
        raise EncryptedDocument("the mail is encrypted; decrypt it first")


def _refuse_ambiguous(part: Message) -> None:
    """Readers differ in which of two descriptions of a part they follow, so one of them would see other text."""
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        if len({str(value).lower() for value in part.get_all(name, [])}) > 1:
            raise DamagedDocument("a part of the mail says twice, and differently, how it is to be read")


def _lost_its_structure(part: Message) -> bool:
    """Whether headers or parts ended up in the text of a part, where nothing decodes them."""
    broken = any(isinstance(defect, mail_errors.MissingHeaderBodySeparatorDefect) for defect in part.defects)
    return broken or part.get_content_maintype() == "multipart"


def _header_name(name: str) -> str:
    """A header's name for a report, if it is one of the common ones: others could say anything."""
    return name if name.lower() in _COMMON else "other header"


_COMMON = frozenset(
    {
        *("received", "message-id", "in-reply-to", "references", "return-path", "delivered-to", "sender"),
        *("user-agent", "x-mailer", "dkim-signature", "thread-topic", "thread-index", "list-id", "list-unsubscribe"),
        *("importance", "x-originating-ip", "authentication-results", "arc-seal", "arc-message-signature"),
        *("arc-authentication-results", "resent-from", "resent-to", "keywords", "comments", "content-description"),
        *("content-location", "content-language", "content-md5"),
    }
)


def _charset(part: Message) -> str:
    return _parameter(part, "charset")


def _html_charset(part: Message, data: bytes) -> str:
    """What the mail says of the charset, or else what the page says of itself."""
    found = re.search(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]+)", data[:4096], re.IGNORECASE)
    return _charset(part) or (found[1].decode("ascii") if found else "")


def _parameter(part: Message, name: str) -> str:
    try:
        value = part.get_param(name, "")
    except (ValueError, LookupError, TypeError):
        return ""
    return value[2] if isinstance(value, tuple) else str(value)


def _file_name(part: Message) -> str:
    """The file name, from either header that may hold it, in either way of encoding it."""
    for header in ("Content-Disposition", "Content-Type"):
        if raw := _raw(part, header.lower()):
            decoded = Message()
            decoded[header] = unfold(raw)
            try:
                name = decoded.get_filename("")
            except (ValueError, LookupError, TypeError):
                continue
            if name:
                return decode_words(name)
    return ""


def _split_name(name: str) -> tuple[str, str]:
    """A name without and with its ending, where that ending is one that a format goes by."""
    known = {suffix for format in formats() for suffix in format.extensions if suffix} | {".ics", ".vcf"}
    suffix = next((each for each in sorted(known, key=len, reverse=True) if name.lower().endswith(each)), "")
    return name[: len(name) - len(suffix)], suffix


def _body(part: Message) -> bytes:
    """The body as it came: without the name of its encoding the package leaves it alone."""
    del part["Content-Transfer-Encoding"]
    body = part.get_payload(decode=True)
    return body if isinstance(body, bytes) else b""


def _encoding(part: Message) -> str:
    match = re.match(r"\s*([\w-]*)", str(part.get("Content-Transfer-Encoding", "")))
    return match[1].lower() if match else ""
